"""Faults must not make a wrong signature valid: hardened verification on four cores,
and what the plain one does.

Here the smallest curve and a sample of the points; `make long WHAT=faults` (tools/faults/faults.py)
tries all of them, with two compilers, and
more curves and presets; docs/faults.md has its counts.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from workshop.paths import ROOT
from workshop.rigs.faults import VERIFIED, Build, Rig
from workshop.rigs.forgeries import forgeries

PLAIN_OK = 0  # ECFIT_OK
HARDENED = (("VERIFY", "hardened"),)
EDDSA_HARDENED = (("VERIFY", "eddsa_hardened"),)
BUILDS = [
    Build("samd20", "gcc", "Os", "secp128r1", "balanced", "ecdsa_verify_hardened", HARDENED),
    Build("ibex", "clang", "Os", "secp128r1", "balanced", "ecdsa_verify_hardened", HARDENED),
    Build("stm32wle5", "gcc", "Os", "ed25519", "balanced", "verify_hardened", EDDSA_HARDENED),
]
FORGED = {"secp128r1": ("e = 0",), "ed25519": ("key in R",)}
EVERY = (
    40  # point is tried, in all functions that decide; in the hardened function itself each of them
)


@pytest.fixture(scope="module", params=BUILDS, ids=str)
def rig(request: pytest.FixtureRequest) -> Rig:
    """A hardened verification."""
    return Rig(request.param)


def test_forgeries_are_refused_without_a_fault(rig: Rig) -> None:
    for forgery in forgeries(rig.build.curve).values():
        assert (rig.whole(forgery) == VERIFIED) == (forgery.name == "valid"), forgery.name


def test_no_fault_makes_hardened_succeed(rig: Rig) -> None:
    tried = 0
    for name in FORGED[rig.build.curve]:
        forgery = forgeries(rig.build.curve)[name]
        found = rig.attack(forgery, VERIFIED, step=EVERY)
        entry = rig.attack(forgery, VERIFIED, functions=rig.functions("verify_hardened"))
        assert not found.accepted + entry.accepted, name
        tried += found.tried.total() + entry.tried.total()
    print(f"{rig.build}: {tried} faults, none makes a forged signature valid")
    assert tried >= 60


def test_which_times_of_an_instruction_are_attacked() -> None:
    """What docs/faults.md says: all up to six, else the first, the middle and the last two; of a
    point multiplication that is a function of its own the first and the last.
    """
    rig = Rig(BUILDS[0])
    forgery = forgeries("secp128r1")["e = 0"]
    inner = [one for one in rig.deciding if one.address in rig.heavy]
    for functions, most in ((rig.functions("mp_from_bytes", "sc_from_bytes"), 6), (inner, 2)):
        runs = Counter(pc for pc, _ in rig._stops(forgery, functions))
        hits: dict[int, list[int]] = {}
        for point in rig.points(forgery, functions):
            hits.setdefault(point.pc, []).append(point.hit)
        assert hits.keys() == runs.keys()
        assert max(runs.values()) > most
        for pc, times in runs.items():
            middle = [times // 2, times // 2 + 1] if most == 6 else []
            two = [1, 2, *middle, times - 1, times] if most == 6 else [1, times]
            assert hits[pc] == (list(range(1, times + 1)) if times <= most else two), hex(pc)


def test_nor_does_one_in_the_arithmetic(rig: Rig) -> None:
    forgery = forgeries(rig.build.curve)[FORGED[rig.build.curve][0]]
    places = set()
    for point in rig.moments(forgery, 3):
        assert all(answer != VERIFIED for _, answer in rig.faulted(point)), hex(point.pc)
        places.add(point.pc)
    assert len(places) >= 2, "all over the run"


def test_the_search_finds_what_plain_verification_accepts() -> None:
    """Skips and zeros that make the plain function return 0 for a forged signature: both models,
    and the empty hash.
    """
    rig = Rig(Build("samd20", "gcc", "Os", "secp128r1", "balanced", "ecdsa_verify"))
    kinds = set()
    for name in ("another r", "e = 0"):
        forgery = forgeries("secp128r1")[name]
        assert rig.whole(forgery) not in (PLAIN_OK, None)
        found = rig.attack(forgery, PLAIN_OK, functions=rig.functions("ecdsa_verify"))
        assert found.accepted, name
        kinds |= {"skip" if fault.kind == "skip" else "zero" for fault in found.accepted}
    assert kinds == {"skip", "zero"}


@pytest.mark.parametrize(
    "build",
    [
        Build(
            "stm32f103", "clang", "Os", "secp128r1", "balanced", "ecdsa_verify_hardened", HARDENED
        ),
        BUILDS[1],
    ],
    ids=str,
)
def test_the_rest_of_a_run_is_right_after_a_stop(build: Build) -> None:
    """Stopping at a point changes nothing by itself, also in an IT block;
    nor does what is known from earlier runs.
    """
    rig = Rig(build)
    valid, wrong = (forgeries(build.curve)[name] for name in ("valid", "another r"))
    for forgery in (wrong, valid):
        wanted = rig.whole(forgery)
        for number, point in enumerate(rig.points(forgery, rig.functions("verify"))):
            if number % 120 == 0:
                rig.machine.restore(point.state)
                assert rig.finish() == wanted


def test_a_valid_signature_does_not_survive_every_fault() -> None:
    """An instruction is skipped indeed, and a register read as zero."""
    rig = Rig(BUILDS[0])
    valid = forgeries("secp128r1")["valid"]
    point = next(rig.points(valid, rig.functions("verify_hardened")))
    answers = dict(rig.faulted(point))
    assert answers.pop("skip") != VERIFIED
    assert answers


def test_no_fault_of_the_record_was_accepted() -> None:
    """docs/faults.md is written from results/faults.json."""
    record = json.loads((ROOT / "results" / "faults.json").read_text(encoding="utf-8"))
    plain = ("verify_parts", "recover_key", "verify_schnorr")  # nothing hardens these alone
    hardened = [line for build, line in record.items() if not build.endswith(plain)]
    assert all(not line["accepted"] for line in hardened)
    assert all(line["skip"] and line["zero"] and line["arithmetic"] for line in record.values())
