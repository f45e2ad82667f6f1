"""What WIPE=stack clears is more than the stack that an operation can have used: by the compiler's
call graph and the instructions of what is in assembly, not by what was seen in a run.

For gcc, which writes call graphs; tests/lib/test_wipe.py looks into memory, whatever the compiler.
What a run takes is a sample; sweep `wipe-bounds` (ECFIT_TEST_BUILDS=all) takes every curve, CHECK,
BLIND, NONCE, preset, core and level.
"""

from __future__ import annotations

import os
from itertools import product

import pytest

from ecfit.build.build import build
from ecfit.build.parts import make_parts
from ecfit.build.request import Request
from ecfit.build.stackbound import bound
from ecfit.build.toolchain import OPTS, find_toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.measure.store import Store
from ecfit.model import Image
from tests.lib.test_wipe import Traced, arguments

TARGETS = ("samd20", "cc2538", "nrf52840", "ibex")
WIPE, CLEARS = "_sc_wipe_", "bytes_zero"
DRAWS, POINTER = "_sc_draw_key", "calls through a pointer"  # of the caller's generator
# Where a function clears twice: what is called before each of the two.
BEFORE = {"_sc_sign": "_sc_wipe_base", "_sc_holds": "_sc_wipe_point"}  # of Edwards curves
CASES = [
    *product(TARGETS, ["balanced"], ["secp256r1"], ["Os"]),
    ("samd20", "fast", "ed25519", "O2"),
    ("nrf52840", "compact", "x25519", "O3"),
    ("ibex", "balanced", "secp521r1", "O2"),
    ("samd20", "compact", "secp160r1", "O3"),
    ("samd20", "fast", "secp160r1", "O2"),
    ("samd20", "fast", "secp384r1", "Os"),
    ("ibex", "fast", "secp384r1", "Os"),
    ("nrf52840", "balanced", "secp384r1", "O2"),
    ("cc2538", "fast", "brainpoolP384r1", "O2"),
    ("nrf52840", "fast", "ed25519", "O3"),
]
COMB = [
    *(case for case in CASES if CURVES[case[2]].form == "montgomery"),
    ("ibex", "balanced", "x25519", "O3"),
    ("samd20", "balanced", "x448", "O3"),
]


def image(
    target_name: str, preset: str, curve: str, opt: str, *named: str, **settings: str
) -> Image:
    """All operations of a curve, and those that are to be named."""
    target, of = find_target(target_name), CURVES[curve]
    ops = (*of.ops, *named)
    config = resolve(of, preset, settings, target.backend, ops=ops)
    parts = make_parts(config, curve, ops, {})
    toolchain = find_toolchain("gcc", target.arch, target.core, opt)
    request = Request(target, config, curve, ops, toolchain, parts)
    return Store().made_image(request.key, lambda: build(request))


@pytest.mark.parametrize(("target", "preset", "curve", "opt"), CASES)
def test_what_is_cleared_is_a_bound(target: str, preset: str, curve: str, opt: str) -> None:
    """Of each function that clears: what it calls beside, with all that this calls."""
    hold(image(target, preset, curve, opt), curve)


@pytest.mark.parametrize(("target", "preset", "curve", "opt"), COMB)
def test_public_keys_by_the_edwards_curve(target: str, preset: str, curve: str, opt: str) -> None:
    """X25519 and X448, whose keys then clear more than their secrets."""
    hold(image(target, preset, curve, opt, MULG="comb_edwards"), curve)


@pytest.mark.parametrize("opt", ["Os", "O3"])
def test_operands_in_floating_point_registers(opt: str) -> None:
    hold(image("nrf52840", "fast", "x25519", opt, FPU="words"), "x25519")


@pytest.mark.parametrize(("curve", "opt"), [("secp384r1", "O3"), ("ed25519", "Os")])
def test_constants_of_a_hash_are_in_it(curve: str, opt: str) -> None:
    """Where they are computed, on the stack."""
    hold(image("samd20", "balanced", curve, opt, SHA512="roots"), curve)


def test_schnorr_signing_clears_what_it_used() -> None:
    """Two multiplications and hashes of up to 6 pieces."""
    hold(image("samd20", "balanced", "secp256k1", "Os", "sign_schnorr"), "secp256k1", POINTER)


@pytest.mark.parametrize(
    ("target", "preset", "opt"),
    [("samd20", "balanced", "Os"), ("nrf52840", "lowram", "O3"), ("samd20", "tiny", "O2")],
)
def test_spake2p_clears_what_it_used(target: str, preset: str, opt: str) -> None:
    """Five multiplications, and the hash of a transcript of 20 pieces."""
    named = ("spake2p_prover", "spake2p_verifier")
    hold(image(target, preset, "secp256r1", opt, *named, WIPE="stack"), "secp256r1", POINTER)


@pytest.mark.parametrize(
    ("target", "preset", "curve", "opt"),
    [
        ("cc2538", "fast", "ed25519", "O3"),
        ("samd20", "tiny", "ed25519", "Os"),
        ("nrf52840", "compact", "ed448", "O2"),
        ("ibex", "balanced", "ed448", "O3"),
    ],
)
def test_signing_in_parts_clears_what_it_used(
    target: str, preset: str, curve: str, opt: str
) -> None:
    """Two hashes beside each other, and a piece of the message; of the reader, what it leaves."""
    hold(image(target, preset, curve, opt, "sign_parts", WIPE="stack"), curve, POINTER)


LADDER = {
    "COORDINATES": "jacobian_run", "MULV": "ladder_coz", "MULD": "digits", "TABLE": "projective",
}  # fmt: skip


@pytest.mark.parametrize("opt", ["Os", "O3"])
@pytest.mark.parametrize("sets", [{}, LADDER, LADDER | {"INVERT": "windows"}])
def test_squares_of_128_bits_are_cleared(sets: dict[str, str], opt: str) -> None:
    """With the formulas and the ladder's step in assembly."""
    hold(image("samd20", "compact", "secp256r1", opt, SQUARE="own", **sets), "secp256r1")


CHECKED = [
    ("secp384r1", "samd20"),
    ("secp384r1", "ibex"),
    ("ed25519", "cc2538"),
    ("ed448", "samd20"),
    ("ed448", "ibex"),
]


@pytest.mark.parametrize(("curve", "target"), CHECKED)
def test_what_checks_a_signature_is_cleared(curve: str, target: str) -> None:
    """CHECK=verify has a multiplication of its own, beside more than ECDH's."""
    hold(image(target, "fast", curve, "Os", CHECK="verify"), curve)


HEDGED = [
    ("secp384r1", "cc2538", "tiny", "O3", "coordinates"),
    ("secp384r1", "nrf52840", "lowram", "Os", "coordinates"),
    ("secp192r1", "ibex", "lowram", "O3", "both"),
    ("secp128r1", "ibex", "lowram", "O3", "coordinates"),
]


@pytest.mark.parametrize(("curve", "target", "preset", "opt", "blind"), HEDGED)
def test_what_checks_a_hedged_signature_is_cleared(
    curve: str, target: str, preset: str, opt: str, blind: str
) -> None:
    """Presets with so small a multiplication that the hash needs most of the stack."""
    sets = {"CHECK": "verify", "NONCE": "hedged", "BLIND": blind, "WIPE": "stack"}
    sets |= {"SHA256": "own", "SHA512": "own"}
    hold(image(target, preset, curve, opt, **sets), curve, POINTER)


@pytest.mark.parametrize("table", ["affine", "projective"])
def test_what_halves_of_a_scalar_need_is_cleared(table: str) -> None:
    sets = {"MULV": "glv", "TABLE": table, "BLIND": "coordinates"}
    hold(image("ibex", "fast", "secp256k1", "O3", **sets), "secp256k1", POINTER)


MASKED = [("secp384r1", "ibex"), ("secp160r1", "samd20")]


@pytest.mark.parametrize(("curve", "target"), MASKED)
def test_what_masked_scalars_need_is_cleared(curve: str, target: str) -> None:
    """BLIND=both: 2 P of the last additions stands apart from the table, that of the comb twice."""
    hold(image(target, "fast", curve, "Os", BLIND="both"), curve, POINTER)


CHECKS, BLINDS = ("none", "verify"), ("none", "coordinates", "scalar", "both")
NONCES = ("deterministic", "hedged", "random")
STEP = 163  # of the product: prime, so that each value of each is taken


def whole(step: int) -> list[tuple[str, str, str, str, dict[str, str]]]:
    """Target, preset, curve, level and knobs of every image, of which one in `step` is taken."""
    every: list[tuple[str, ...]] = []
    for curve, of in CURVES.items():
        checks = CHECKS if "sign" in of.ops else CHECKS[:1]
        blinds = BLINDS if of.form == "weierstrass" else BLINDS[:1]
        nonces = NONCES if of.form == "weierstrass" else NONCES[:1]
        every += product([curve], checks, blinds, nonces, all_presets(), TARGETS, OPTS)
    images = []
    for curve, check, blind, nonce, preset, target, opt in every[::step]:
        of = CURVES[curve]
        sets = {"CHECK": check} if "sign" in of.ops else {}
        sets |= {"BLIND": blind, "NONCE": nonce} if of.form == "weierstrass" else {}
        if nonce != NONCES[-1] and "NONCE" in sets:  # with a hash, which some presets have not
            own = dict(resolve(of, preset, {}, find_target(target).backend).settings)
            sets |= {name: "own" for name in ("SHA256", "SHA512") if own[name] == "none"}
        images.append((target, preset, curve, opt, sets | {"WIPE": "stack"}))
    return images


ALL = os.environ.get("ECFIT_TEST_BUILDS") == "all"


@pytest.mark.ci
@pytest.mark.parametrize(
    ("target", "preset", "curve", "opt", "sets"), whole(1 if ALL else STEP), ids=str
)
def test_of_the_whole(target: str, preset: str, curve: str, opt: str, sets: dict[str, str]) -> None:
    """Every curve with CHECK, BLIND, NONCE, a preset that clears or must, a core and a level."""
    hold(image(target, preset, curve, opt, **sets), curve, POINTER)


RUNS = 311  # of the product, too: one in so many


@pytest.mark.ci
@pytest.mark.parametrize(
    ("target", "preset", "curve", "opt", "sets"), whole(STEP if ALL else RUNS), ids=str
)
def test_with_clang_a_run_stays_above_it(
    target: str, preset: str, curve: str, opt: str, sets: dict[str, str]
) -> None:
    """clang writes no call graph: what a run takes when nothing is cleared, and with clearing."""
    chip = Traced(curve, preset, target, "clang", opt, **sets)
    for op in CURVES[curve].ops:
        if op != "verify":
            data = arguments(curve, op)
            used = chip.depth(op, data, clearing=False)
            if used >= chip.depth(op, data, clearing=True):  # both, or what is cleared is less
                assert chip.left(op, data) == [], (op, used)


def hold(built: Image, curve: str, known: str | None = None) -> None:
    """An image to that. What a function clears that clears itself is not of its caller's need.
    `known`: what may be open: the caller's generator leaves what it leaves.
    """
    frames = built.frames
    wipes = {frame.name: frame.bytes for frame in frames if WIPE in frame.name}
    own = {frame.name: frame.bytes for frame in frames if not wipes.keys().isdisjoint(frame.calls)}
    operations = 0
    for frame in frames:
        behind = {  # 0: the compiler made one function of both
            name: wipes[name] or max(wipes.values()) for name in frame.calls if name in wipes
        }
        cleared = [*behind.values()]
        others = [name for name in frame.calls if name not in wipes and CLEARS not in name]
        for name in others if cleared else []:
            wipe = next((wipe for part, wipe in BEFORE.items() if part in name), "")
            least = min([size for one, size in behind.items() if wipe in one] or cleared)
            if name in own:
                assert own[name] <= least, (frame.name, name, own[name], cleared)
                continue
            needs = bound(frames, name)
            assert needs is not None
            allowed = POINTER if DRAWS in name else known
            assert all(allowed and allowed in one for one in needs.open), (frame.name, name, needs)
            assert needs.bytes <= least, (frame.name, name, needs, cleared)
            operations += needs.bytes > 4 * CURVES[curve].field_bytes
    assert operations >= 2
