"""Every claim of a class is read from the rows of `ecfit fidelity`: of a core, of a flash in a
mode, of a bank of RAM. A class that its rows do not earn is an error.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping

import msgspec
import pytest

from ecfit.choices.targets import (
    ERRORS,
    Accuracy,
    CoreAccuracy,
    Mode,
    Target,
    all_targets,
    core_accuracy,
    cores,
    find_target,
    with_classes,
)
from ecfit.commands.fidelity import Comparison, by_shown, earned
from ecfit.paths import ROOT

RTL = json.loads((ROOT / "results" / "rtl.json").read_text(encoding="utf-8"))
CORES = cores()
TARGETS = [target for target in all_targets().values() if target.runner == "sim"]


def kept() -> list[Comparison]:
    """The rows of the table as it was printed last; test_fidelity.py holds it against today's."""
    lines = gzip.decompress((ROOT / "results" / "fidelity.jsonl.gz").read_bytes()).splitlines()
    return [msgspec.json.decode(line, type=Comparison) for line in lines]


def evidence(rows: list[Comparison]) -> dict[tuple[str, ...], Accuracy]:
    """What each core and each memory earned; what earned nothing is left out."""
    accuracies = {shown: earned(some) for shown, some in by_shown(rows).items()}
    return {shown: of for shown, of in accuracies.items() if of is not None}


EVIDENCE = evidence(kept())


def claims(
    targets: list[Target], of_cores: Mapping[str, CoreAccuracy]
) -> Iterator[tuple[tuple[str, ...], Accuracy]]:
    """What is claimed, under the name that the rows give it."""
    yield from (((name,), of) for name, of in of_cores.items() if of.error_class != "RTL")
    for target in targets:
        for name, mode in target.modes.items():
            if mode.flash and name in ("zero-ws", "datasheet"):
                yield (target.name, flash_of(mode)), mode.flash
            elif mode.flash:
                yield (target.name, name), mode.flash
        for memory in target.memory:
            if memory.latency:
                yield (target.name, memory.name), memory.accuracy or Accuracy()


def flash_of(mode: Mode) -> str:
    """The flash of a mode, as rows name it."""
    return "flash" if mode.wait_states or mode.bound else "flash without waits"


def wrong(
    claimed: Iterator[tuple[tuple[str, ...], Accuracy]],
    rows: Mapping[tuple[str, ...], Accuracy],
) -> list[tuple[str, ...]]:
    """Claims that differ from what the rows say: a better class, or other rows."""
    return [
        shown
        for shown, of in claimed
        if (of.error_class, of.rows, round(of.worst, 3)) != facts(rows.get(shown, Accuracy()))
    ]


def facts(of: Accuracy) -> tuple[str, int, float]:
    return of.error_class, of.rows, round(of.worst, 3)


def test_every_claim_is_what_its_rows_earn() -> None:
    assert wrong(claims(TARGETS, CORES), EVIDENCE) == []


def test_every_row_is_named_by_a_claim() -> None:
    """Nothing that was measured is left out of a chip's class."""
    named = {shown for shown, _ in claims(TARGETS, CORES)} | {(core,) for core in CORES}
    assert {shown for shown, of in EVIDENCE.items() if of.rows} <= named


@pytest.mark.parametrize(
    "shown",
    sorted(shown for shown, of in claims(TARGETS, CORES) if of.error_class != "C"),
    ids=" ".join,
)
def test_a_claim_falls_without_its_rows(shown: tuple[str, ...]) -> None:
    """Or if one of them is far off, or all of them chose a rule."""
    others = {name: of for name, of in EVIDENCE.items() if name != shown}
    assert shown in wrong(claims(TARGETS, CORES), others)
    rows = by_shown(kept())[shown]
    far = [msgspec.structs.replace(row, ratio=1.2) for row in rows]
    chose = [msgspec.structs.replace(row, fitted="a rule") for row in rows]
    for changed in (far, chose):
        assert shown in wrong(claims(TARGETS, CORES), {**others, **evidence(changed)})


def test_rtl_is_claimed_by_a_record_of_equality() -> None:
    """With the options of each target (tests/sim/test_rtl.py runs it)."""
    same = [(one["core"], one["options"]) for one in RTL]
    for target in TARGETS:
        if core_accuracy(target).error_class == "RTL":
            assert (target.model, target.model_options) in same, target.name


def test_cores() -> None:
    """Every cycle model has one; eight chips at least have a core of class A or RTL."""
    assert {target.model for target in TARGETS} <= CORES.keys()
    good = [one.name for one in TARGETS if core_accuracy(one).error_class in ("A", "RTL")]
    assert len(good) >= 8
    assert {"lpc1114", "rp2040"} <= set(good)  # those of the README
    slow = msgspec.structs.replace(find_target("lpc1114"), model_options={"multiplier": 32})
    assert core_accuracy(slow).error_class == "C"


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_class_of_a_time_is_that_of_what_it_used(target: Target) -> None:
    order = list(ERRORS)
    core = core_accuracy(target)
    for name, mode in target.modes.items():
        used = [core, *([mode.flash] if mode.flash else [])]
        assert mode.error_class == max((of.error_class for of in used), key=order.index), name
        assert mode.reason.startswith(f"core {core.text}")
        waits = mode.wait_states or mode.data_wait_states or mode.bound
        assert mode.flash or not waits, name
        if mode.fitted or mode.bound:
            assert mode.error_class == "C", name


def test_a_stack_in_a_bank_that_waits() -> None:
    chip = find_target("stm32l4r5")
    mode = chip.modes["zero-ws"]
    stacks = {bank: msgspec.structs.replace(chip, stack=bank) for bank in ("", "sram3", "sram2")}
    classes = [one.time_class(mode) for one in stacks.values()]
    assert classes == [mode.error_class, "A", "C"]  # no row has its stack in SRAM2


def test_a_users_file_may_say_the_class_of_its_flash() -> None:
    chip = find_target("samd20")
    mode = msgspec.structs.replace(
        chip.modes["datasheet"], flash=None, error_class="B", reason="by hand"
    )
    chip = with_classes(msgspec.structs.replace(chip, modes={"datasheet": mode}))
    said = chip.modes["datasheet"]
    assert (said.error_class, said.reason) == (
        "B",
        "core A (1 row, worst 0.0 %), flash B (no figure): by hand",
    )
