"""A skipped instruction must not make a wrong signature valid: VERIFY=hardened on a Cortex-M0+,
and what plain does.

The code that decides is skipped instruction by instruction, and a sample of the arithmetic.
Here on the smallest curve and every fifth instruction; `make faults` (ECFIT_FAULTS=all):
all of them, secp256r1 too, two presets, more moments.
"""

from __future__ import annotations

import os

import pytest
from lib_faults import Point, Rig

ALL = os.environ.get("ECFIT_FAULTS") == "all"
CASES = (
    [(curve, preset) for curve in ("secp128r1", "secp256r1") for preset in ("balanced", "tiny")]
    if ALL
    else [("secp128r1", "balanced")]
)
STEP = 1 if ALL else 5
MOMENTS = 500 if ALL else 20
VERIFIED, PLAIN_OK = 0xA53C965A, 0  # ECFIT_VERIFIED, ECFIT_OK
# The functions that decide: verification itself, the last comparison, conversions
# and checks of inputs.
DECIDING = (
    "verify",
    "mul_check",
    "mp_is_zero",
    "mp_equal",
    "sc_from",
    "pt_from",
    "pt_coordinate",
    "mp_from_bytes",
)


def hardened(curve: str, preset: str) -> Rig:
    """The hardened verification of a preset."""
    return Rig(curve, "ecdsa_verify_hardened", {"VERIFY": "hardened"}, preset)


@pytest.mark.parametrize(("curve", "preset"), CASES)
def test_no_skipped_instruction_makes_hardened_succeed(curve: str, preset: str) -> None:
    rig = hardened(curve, preset)
    assert rig.whole(valid=True) == VERIFIED
    assert rig.whole(valid=False) not in (VERIFIED, None)
    tried = 0
    for number, point in enumerate(rig.points(rig.functions(*DECIDING), often=ALL)):
        if number % STEP == 0:
            assert rig.skipped(point) != VERIFIED, (hex(point.pc), point.hit)
            tried += 1
    print(f"{curve} {preset}: {tried} skipped instructions, none makes a wrong signature valid")
    assert tried >= 400 // STEP


@pytest.mark.parametrize(("curve", "preset"), CASES)
def test_nor_does_one_in_the_arithmetic(curve: str, preset: str) -> None:
    rig = hardened(curve, preset)
    places = set()
    for point in rig.moments(MOMENTS):
        assert rig.skipped(point) != VERIFIED, hex(point.pc)
        places.add(point.pc)
    assert len(places) >= min(MOMENTS // 2, 100), "all over the run"


@pytest.mark.parametrize(("curve", "preset"), CASES)
def test_plain_verification_has_such_instructions(curve: str, preset: str) -> None:
    """The search finds what it looks for: skips that make the plain function return 0
    for a wrong signature.
    """
    rig = Rig(curve, "ecdsa_verify", {}, preset)
    assert rig.whole(valid=True) == PLAIN_OK
    assert rig.whole(valid=False) not in (PLAIN_OK, None)
    points = rig.points(rig.functions("ecdsa_verify"), often=False)
    found = sorted({point.pc for point in points if rig.skipped(point) == PLAIN_OK})
    print(
        f"{curve} {preset}: plain verification returns 0 when it skips one of "
        f"{[hex(pc) for pc in found]}"
    )
    assert found


def test_the_rest_of_a_run_is_right_after_a_stop() -> None:
    """Stopping at all these points changes nothing by itself: a run that goes
    on gives its usual answer.
    """
    rig = hardened("secp128r1", "balanced")
    wrong = rig.whole(valid=False)
    for number, point in enumerate(rig.points(rig.functions("verify"), often=False)):
        if number % 40 == 0:
            rig.restore(point.state)
            assert rig.finish(point.pc, rig.instructions * 2) == wrong


def test_a_valid_signature_does_not_survive_every_skip() -> None:
    """The instruction is skipped indeed."""
    rig = hardened("secp128r1", "balanced")
    assert rig.whole(valid=True) == VERIFIED
    state = rig.begin(valid=True)
    rig.restore(state)
    assert rig.finish(state.pc, rig.instructions * 2) == VERIFIED
    assert rig.skipped(Point(state.pc, 1, state)) != VERIFIED
