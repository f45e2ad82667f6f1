"""X25519 and Ed25519 upon a field that leaves elements as far from the least as it may.

Any integer below 2p stands for an element of 2^255 - 19, any below 2^256 for a difference; but
fields that fold leave less than p nearly always, so that code which forgets the others passes on
all vectors. lib/test/lazy_p25519.inc returns the largest, or one of them by turns. Other fields'
elements are below p: test_rfc_arithmetic.py, test_field_words.py, test_open_arithmetic.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from gen.armv7em.formulas import MOVES, read

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from tests.lib.test_edwards_decoding import CURVE, keys, signed
from workshop.library import build as lib_build
from workshop.library.api import Status
from workshop.library.rfc_api import RfcLibrary
from workshop.library.rfc_cases import (
    bad_keys,
    edge_coordinates,
    edge_keys,
    exchanged,
    small_coordinates,
    small_keys,
    strings,
)
from workshop.paths import SRC
from workshop.vectors.rfc_published import SIGNATURES, X_VECTORS
from workshop.vectors.rfc_wycheproof import ed_cases, x_cases

FIELD, GROUP = "field/pmers/p25519.inc", "group/edwards.inc"
# What differs above the field: tables and additions, roots and inverses by powers or steps
BUILDS = {
    "tiny": ("tiny", {}),
    "balanced": ("balanced", {}),
    "bingcd": ("compact", {"INVERT": "bingcd"}),
    "fast": ("fast", {}),
    "two": ("balanced", {"MULD": "two", "COMB_TEETH": "5", "CHECK": "verify"}),
}
X_BUILDS = {
    "tiny": ("tiny", {}),
    "balanced": ("balanced", {}),
    "comb": ("balanced", {"MULG": "comb_edwards", "INVERT": "fermat"}),
    "divsteps": ("balanced", {"MULG": "comb_edwards", "INVERT": "divsteps"}),
}
HOWS = {"largest": 0, "random": 1}
WITH = (
    "    F(fe_whole)(REG(p, 0)); /* a product may be p or more: p less that would be negative */\n"
    "    mp_copy(xy, p->reg, 2 * LIMBS);\n    F(fe_out_whole)(REG(p, 0));\n"
)
WITHOUT = "    mp_copy(xy, p->reg, 2 * LIMBS);\n    F(fe_out)(REG(p, 0));\n"
LADDER, ENTRIES, STEPS = (
    "mul/montgomery/ladder_xz.inc",
    "group/edwards_minus1.inc",
    "field/inverse/prime.inc",
)
# Lines without which an element that is not the least is taken for another: in which build
CHANGES = {
    "p less x": ("ed25519", "tiny", GROUP, WITH, WITHOUT),
    "root": ("ed25519", "tiny", GROUP, "    F(fe_out)(REG(p, 8));\n", ""),
    "root, a sum": ("ed25519", "tiny", GROUP, "F(fe_out_sum)(REG(p, 9))", "F(fe_out)(REG(p, 9))"),
    "small order": ("ed25519", "tiny", GROUP, "    F(fe_out)(REG(p, 0));\n    small", "    small"),
    "encoded y": ("ed25519", "tiny", GROUP, "    F(fe_out)(REG(p, 1));\n", ""),
    "ladder": ("x25519", "tiny", LADDER, "    F(FE_LAST)(x);\n", ""),
    "comb": ("x25519", "comb", ENTRIES, "    F(fe_out)(u);\n", ""),
    "inverse": ("x25519", "divsteps", STEPS, "    F(fe_whole)(r);\n", ""),
}


def lazy(
    curve: str, build: tuple[str, dict[str, str]], how: str,
    change: Sequence[str] | None = None,
) -> RfcLibrary:  # fmt: skip
    """The library upon the field, with one of its files changed."""
    preset, sets = build
    config = resolve(CURVES[curve], preset, {"BACKEND": "w32", **sets}, "w32")
    assert dict(config.settings)["REDUCE"] == "pmers"
    include = '#include "lazy_p25519.inc"'
    text = (SRC / FIELD).read_text(encoding="utf-8")
    files = {
        FIELD: lib_build.replace_once(text, '#include "field/pmers/pmers.inc"\n', include + "\n")
    }
    if change is not None:
        name, old, new = change
        text = (SRC / name).read_text(encoding="utf-8")
        files[name] = lib_build.replace_once(text, old, new)
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    command.append(f"-DLAZY_RANDOM={HOWS[how]}")
    units = [SRC / "ecfit.c"]
    path = lib_build.build(config, units, command, suffix=".so", curves=[curve], replace=files)
    return RfcLibrary(path, curve)


def exchange_differs(library: RfcLibrary) -> str:
    """The first result of X25519 that is wrong, or nothing."""
    base = (9).to_bytes(32, "little")
    for key in [*strings(32, 21, 4), *edge_keys(32)[::6]]:
        if library.public_key(key) != (Status.OK, exchanged("x25519", key, base)):
            return f"public key of {key.hex()}"
    key = strings(32, 22, 1)[0]
    points = [*edge_coordinates("x25519"), *small_coordinates("x25519")]
    calls = [(key, point, exchanged("x25519", key, point)) for point in points]
    rfc = [map(bytes.fromhex, vector[1:]) for vector in X_VECTORS if vector.curve == "x25519"]
    calls += [(scalar, u, result) for scalar, u, result in rfc]
    calls += [
        (case.private_key, case.public_key, case.shared)
        for case in x_cases("x25519")[::4]
        if case.public_key is not None
    ]
    for scalar, u, result in calls:
        status = Status.OK if any(result) else Status.BAD_PUBLIC_KEY
        if library.exchange(scalar, u) != (status, result):
            return f"{scalar.hex()} times {u.hex()}"
    return ""


def signature_differs(library: RfcLibrary) -> str:
    """The first result of Ed25519 that is wrong, or nothing."""
    for vector in SIGNATURES:
        if vector.curve == "ed25519" and vector.context is None and not vector.prehashed:
            key, public, message, signature = (bytes.fromhex(text) for text in vector[1:5])
            if library.public_key(key) != (Status.OK, public):
                return f"public key of {key.hex()}"
            if library.sign(key, message) != (Status.OK, signature):
                return f"signature by {key.hex()}"
            if library.verify(signature, public, message) is not Status.OK:
                return f"RFC 8032: verification under {public.hex()}"
    for case in ed_cases("ed25519"):
        if case.signature is not None:
            status = library.verify(case.signature, case.public_key, case.message)
            if status is not (Status.OK if case.valid else Status.BAD_SIGNATURE):
                return f"Wycheproof: {case.label}"
    for public in [*small_keys("ed25519"), *bad_keys("ed25519").values()]:
        if library.verify(bytes(64), public, b"") is not Status.BAD_PUBLIC_KEY:
            return f"taken for a key: {public.hex()}"
    for public, signature, right in edge_signatures():
        status = library.verify(signature, public, bytes(32))
        if status is not right:
            return f"edge: {status.name} under {public.hex()}"
    return ""


@cache
def edge_signatures() -> list[tuple[bytes, bytes, Status]]:
    """Keys of small y^2, where what decoding compares is a sum next to 2p; signatures by keys of
    small multiples of the base point.
    """
    found = [
        (public, bytes(64), Status.BAD_SIGNATURE if valid else Status.BAD_PUBLIC_KEY)
        for public, valid in keys()
    ]
    for scalar in (1, 2, 3, 5, 8, CURVE.n - 1, CURVE.n - 2):
        signature, public = signed(scalar, bytes(32))
        found.append((public, signature, Status.OK))
    return found


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("build", X_BUILDS)
def test_exchange(build: str, how: str) -> None:
    assert not exchange_differs(lazy("x25519", X_BUILDS[build], how))


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("build", BUILDS)
def test_signatures(build: str, how: str) -> None:
    assert not signature_differs(lazy("ed25519", BUILDS[build], how))


@pytest.mark.parametrize("change", CHANGES)
def test_it_bites(change: str) -> None:
    """Without each of these lines something is wrong."""
    curve, build, *lines = CHANGES[change]
    if curve == "x25519":
        assert exchange_differs(lazy(curve, X_BUILDS[build], "largest", lines))
    else:
        assert signature_differs(lazy(curve, BUILDS[build], "largest", lines))


def left(*formulas: str) -> dict[int, str]:
    """The operation that a register's content comes from after formulas."""
    return {step.d: step.op for formula in formulas for step in read(formula)}


def test_what_formulas_leave() -> None:
    """Points are products: whole formulas in assembly ask for that, and negation and F(fe_out), for
    which a difference may be too large. What decoding compares is a product and a sum: in assembly
    F(fe_out_sum) takes any sum, but not everywhere any difference.
    """
    for name in MOVES:
        after = left(f"edwards_{name}_minus1")
        assert {after[register] for register in (0, 1, 2)} == {"MUL"}, name
        assert after.get(3, "MUL") == "MUL", name
    after = left("edwards_base_minus1", "edwards_root_minus1")
    assert [after[register] for register in (0, 8, 9)] == ["MUL", "MUL", "ADD"]
    after = left("xz_step")
    assert {after[register] for register in range(4)} == {"MUL"}
