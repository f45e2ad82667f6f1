"""Verification and key agreement on emulated cores where sums cancel in mid-run: u1 G + u2 Q whose
partial sums are neutral, or what is added next, or its opposite, and keys that are small multiples.

The reference is lib/ref. OpenSSL 3.0.19's EC_POINT_mul gives a point off the curve for P-521,
Q = -7 G and the scalars of OPENSSL.
"""

from __future__ import annotations

import ctypes
import random
from functools import cache

import pytest
from ref import codec, group, rfc7748, rfc8032
from ref.curves import LIBRARY, SECP521R1, Curve

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from workshop.library import build as lib_build
from workshop.library import cancellations as lib_cancellations
from workshop.library import cancellations_ed as lib_cancellations_ed
from workshop.library.api import Status
from workshop.library.cancellations import Scalars, Signature
from workshop.library.images import LIMIT, RETURNED, Chip
from workshop.paths import C_TESTS, SRC
from workshop.scale import FULL

CORES = {
    "armv6m": ("samd20", {}),
    "armv7m": ("cc2538", {}),
    "armv7em": ("nrf52840", {}),
    "rv32im": ("ibex", {}),
    "w32m16": ("samd20", {"BACKEND": "w32m16"}),
}
REFERENCE = {curve.name: curve for curve in LIBRARY}
OPENSSL = Scalars(0x150000000000000003, 0x2FFFFFFFFFFFFFF69, -7)
# In every ring. The outer one has a third of the others, `make long WHAT=exhaustive` all.
FIRST = [
    ("armv6m", "fast", "secp256k1"),
    ("armv7em", "balanced", "secp256r1"),
    ("armv7em", "fast", "ed25519"),
]
OTHERS = ("secp256r1", "secp256k1", "secp521r1", "ed25519")  # with the presets that are smaller
EVERY = [
    (core, preset, curve)
    for core in CORES
    for preset in ("fast", "balanced", "compact", "lowram", "tiny")
    for curve in CURVES
    if preset in {"fast", "balanced"} or curve in OTHERS
]


def with_op(op: str) -> pytest.MarkDecorator:
    """All that have an operation."""
    able = [one for one in EVERY if op in CURVES[one[2]].ops]
    some = able if FULL else [one for i, one in enumerate(able) if one in FIRST or i % 3 == 0]
    ring = [pytest.param(*one, marks=[] if one in FIRST else pytest.mark.ci) for one in some]
    return pytest.mark.parametrize(("core", "preset", "name"), ring)


@cache
def made(core: str, preset: str, name: str) -> Chip:
    """The library on a core."""
    target, sets = CORES[core]
    chip = Chip(target, preset, curve=CURVES[name], sets=sets)
    assert dict(chip.configuration.settings)["BACKEND"] == core
    return chip


def verify(chip: Chip, signature: bytes, public_key: bytes, message: bytes) -> int:
    """What the function for verification returns, whose hash or message may have any size."""
    symbols, machine, data = chip.image.symbols, chip.machine, (signature, public_key, message)
    machine.reset(chip.target.region("flash").start, limit=LIMIT)
    at = symbols["bench_arena"]
    machine.write(at, b"".join(data))
    key = at + len(signature)
    name = "ecdsa_verify" if chip.curve.name in REFERENCE else "verify"
    result = machine.call(
        symbols[f"ecfit_{chip.curve.name}_{name}"],
        (at, key, key + len(public_key), len(message)),
        sp=symbols["image_stack_top"],
        return_to=symbols["bench_return"],
        limit=LIMIT,
    )
    assert (result.stop, result.bkpt) == ("bkpt", RETURNED), result
    return result.result


def amount(name: str, preset: str) -> int:
    """Of signatures: those of long curves take long."""
    bits = REFERENCE[name].field_bits if name in REFERENCE else 256
    return (24 if bits <= 256 else 10) // (2 if preset in {"lowram", "tiny"} else 1)


@with_op("verify")
def test_verification(core: str, preset: str, name: str) -> None:
    chip = made(core, preset, name)
    count = amount(name, preset)
    if name in REFERENCE:
        settings = dict(chip.configuration.settings)
        curve = REFERENCE[name]
        seed = f"{name} {settings['MULD']}"
        for one in lib_cancellations.signatures(curve, settings, seed, count):
            wanted = Status.OK if one.valid else Status.BAD_SIGNATURE
            wanted = wanted if any(one.digest) else Status.BAD_HASH  # u1 = 0
            assert verify(chip, *one[:3]) == wanted, one
    else:
        for ed in lib_cancellations_ed.signatures(rfc8032.EDCURVES[name], name, count):
            got = verify(chip, *ed[:3])
            assert (got == Status.OK) == ed.valid, ed
            assert got in {Status.OK, Status.BAD_SIGNATURE, Status.BAD_PUBLIC_KEY}


def scalars(n: int, draw: random.Random) -> list[int]:
    """At the ends of the range and beside its middle, and with long runs."""
    near = [
        1,
        2,
        3,
        4,
        5,
        (n - 1) // 2,
        (n - 3) // 2,
        draw.randrange(6, 70),
        1 << n.bit_length() // 2,
    ]
    return [*near, *(n - k for k in near)]


def points(curve: Curve, draw: random.Random) -> list[group.Point]:
    """Small multiples and fractions of G, among them what tables of G hold."""
    n = curve.n
    some = [1, n - 1, 2, n - 3, (n + 1) // 2, 1 << n.bit_length() // 2, draw.randrange(n)]
    return [group.multiply_base(curve, m) for m in some]


@with_op("ecdh")
def test_key_agreement(core: str, preset: str, name: str) -> None:
    chip, draw = made(core, preset, name), random.Random(name)
    if name not in REFERENCE:
        curve_x = rfc7748.XCURVES[name]
        size = curve_x.size
        for k in scalars(1 << 8 * size, draw)[:: 2 if preset == "fast" else 3]:
            u = draw.choice((2, 3, 5, 9, curve_x.p - 2, curve_x.p + 2, draw.randrange(curve_x.p)))
            private, public = k.to_bytes(size, "little"), u.to_bytes(size, "little")
            shared = rfc7748.exchange(curve_x, private, public)
            status = Status.OK if any(shared) else Status.BAD_PUBLIC_KEY
            assert chip.call("ecdh", private + public, size)[:2] == (status, shared)
        return
    curve = REFERENCE[name]
    every = scalars(curve.n, draw)
    for k in every if curve.field_bits <= 256 else draw.sample(every, 6):
        point = draw.choice(points(curve, draw))
        shared_point = group.multiply(curve, k, point)
        assert point and shared_point
        given = k.to_bytes(curve.order_bytes, "big") + codec.encode_point(curve, point)
        wanted = shared_point[0].to_bytes(curve.field_bytes, "big")
        assert chip.call("ecdh", given, len(wanted))[:2] == (Status.OK, wanted), (k, point)


def beside_openssl(count: int) -> list[Signature]:
    """Signatures of P-521 whose scalars are those that OpenSSL fails for, u2 a little more, and u1
    as much more as keeps the sum. Those themselves lead to a hash of more than 64 bytes.
    """
    found: list[Signature] = []
    curve, draw = SECP521R1, random.Random(521)
    k = OPENSSL.u1 + OPENSSL.m * OPENSSL.u2
    total = group.multiply_base(curve, k)
    assert total
    for u2 in range(OPENSSL.u2, OPENSSL.u2 + 5000):
        one = Scalars(k - OPENSSL.m * u2, u2, OPENSSL.m % curve.n)
        e = one.u1 * total[0] * pow(u2, -1, curve.n) % curve.n
        if e >> 512 == 0 and len(found) < count:
            signature = lib_cancellations.signature(curve, one, draw)
            assert signature
            found.append(signature)
    assert len(found) == count
    return found


@pytest.mark.parametrize(
    "core", [*(pytest.param(core, marks=pytest.mark.ci) for core in CORES if core != "rv32im"),
             "rv32im"])  # fmt: skip
def test_what_openssl_fails_for(core: str) -> None:
    chip = made(core, "fast", "secp521r1")
    for one in beside_openssl(3):
        assert one.valid
        assert verify(chip, *one[:3]) == Status.OK


@pytest.mark.parametrize(
    ("preset", "backend"),
    [("fast", "w32"), pytest.param("balanced", "w32m16", marks=pytest.mark.ci)],
)
def test_the_scalars_that_openssl_fails_for(preset: str, backend: str) -> None:
    """By the function inside: the hash that leads to them is too long for the interface."""
    curve = SECP521R1
    text = (SRC / "curve/secp521r1.c").read_text(encoding="utf-8")
    opened = '#include "curve/instance.inc"\n#include "open_curve.inc"\n#include "curve/end.inc"'
    text = lib_build.replace_once(text, '#include "curve/weierstrass.h"', opened)
    built = lib_build.build(
        resolve(CURVES[curve.name], preset, {"BACKEND": backend}, backend),
        [C_TESTS / "open.c"],
        [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"],
        suffix=".so",
        replace={"curve/secp521r1.c": text},
        curves=(curve.name,),
    )
    library = ctypes.CDLL(str(built))
    size = curve.field_bytes
    public = codec.encode_point(curve, group.multiply_base(curve, OPENSSL.m))
    total = group.multiply_base(curve, OPENSSL.u1 + OPENSSL.m * OPENSSL.u2)
    assert total
    for r, wanted in ((total[0] % curve.n, 1), (total[0] % curve.n ^ 1, 0)):
        given = [k.to_bytes(size, "big") for k in (OPENSSL.u1, OPENSSL.u2)]
        check = getattr(library, f"{curve.name}_open_mul_check")
        assert check(*given, public, r.to_bytes(size, "big")) == wanted


@pytest.mark.parametrize(
    ("what", "instead"),
    [("if (equal) {", "if (0) {"), ("neutral | equal", "equal")],
)
def test_an_addition_that_forgets_an_exception_is_found(what: str, instead: str) -> None:
    """On this machine: equal points that are not doubled, a sum that was neutral and is not set."""
    curve, file = REFERENCE["secp256r1"], "group/xyz_more.inc"
    config = resolve(CURVES[curve.name], "balanced", {"BACKEND": "w32"}, "w32")
    text = (SRC / file).read_text(encoding="utf-8")
    built = lib_build.build(
        config,
        [SRC / "ecfit.c"],
        [*lib_build.compiler(), "-shared", "-fPIC"],
        suffix=".so",
        replace={file: lib_build.replace_once(text, what, instead)},
    )
    function = ctypes.CDLL(str(built)).ecfit_secp256r1_ecdsa_verify
    settings = dict(config.settings)
    some = lib_cancellations.signatures(curve, settings, "an exception", 40)
    assert any(
        (function(*one[:3], ctypes.c_size_t(len(one.digest))) == Status.OK) != one.valid
        for one in some
        if any(one.digest)
    )
