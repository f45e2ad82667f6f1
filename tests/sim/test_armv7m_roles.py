"""Who waits for whom on ARMv7-M: every instruction of armv7m_roles behind and before one whose
result is late, is an address, is loaded, is a flag, or is the link register;
and whose flags its own stage or a branch waits for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import pytest

from ecfit.sim.machine import CycleModel, FlashTiming, Machine, Region, load_model
from workshop.cores.armv7m_roles import (
    ADDRESS,
    BACK,
    COMPUTING,
    GIVEN,
    INSTRUCTIONS,
    LEAVING,
    LOADING,
    NARROW,
    READ,
    ROTATED,
    Instruction,
)
from workshop.sim import build as sim_build
from workshop.sim.build import RAM
from workshop.sim.build import assemble_m4 as assemble

MEMORY = (Region("flash", 0, 0x80000, "flash"), Region("ram", RAM, 0x10000, "ram"))
MUCH = 50  # cycles of the effect that is looked at
LR = 14
LITERAL = ".balign 4; 2: .word 0, 0"
EFFECTS = (
    "pair", "pair_odd", "pair_indexed", "pair_store", "store_wait", "address", "load_use",
    "late_use", "flags_held", "flags_late", "fold", "fold_branch", "fold_nop", "fetch_odd",
    "stores_load", "unaligned", "refill_decode", "refill_execute",
    "refill_load", "refill_odd",
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("cross_compiler")


Roles = Callable[[Instruction], set[int]]  # registers to which something applies


class Probe(NamedTuple):
    """An instruction with another before or behind it, and whether the effect applies;
    -1 where it saves cycles.
    """

    code: str
    applies: int


def loaded(one: Instruction) -> set[int]:
    return one.loaded


def only(effect: str) -> CycleModel:
    """A core on which nothing waits for anything but this; each row has a cost of its own."""
    base = load_model("cortex-m4")
    costs = {name: 100 + number for number, name in enumerate(base.rows)}
    costs |= {name: MUCH * (name == effect) for name in EFFECTS}
    costs |= {"refill_most": MUCH, "fetch_hold": 255}
    costs |= {f"{kind}_taken": costs[f"{kind}_not_taken"] for kind in ("branch", "compare")}
    rows = {
        name: msgspec.structs.replace(cost, cycles=costs[name], cycles_min=costs[name])
        for name, cost in base.rows.items()
    }
    return msgspec.structs.replace(base, rows=rows)


def behind(first: str, neutral: str, roles: Roles) -> list[Probe]:
    """Each instruction behind `first`, which gives register {}, one after the other of those
    that it names, and behind `neutral`.
    """
    found = []
    for one in INSTRUCTIONS:
        found.append(Probe(f"{neutral}; {one.text}", False))
        for number in sorted(one.registers - BACK if "sp" not in first else {13} & one.registers):
            found.append(Probe(f"{first.format(number)}; {one.text}", number in roles(one)))
    return found


def before(second: str, neutral: str, roles: Roles, rows: set[str]) -> list[Probe]:
    """Each before `second`, which needs register {}."""
    found = []
    for one in INSTRUCTIONS:
        if one.row not in LEAVING and "2f" not in one.text:
            found.append(Probe(f"{one.text}; {neutral}", False))
            for number in sorted(one.registers - BACK):
                applies = number in roles(one) and one.row in rows
                found.append(Probe(f"{one.text}; {second.format(number)}", applies))
    return found


def to_link() -> list[Probe]:
    """Each with the link register in place of one of its own, before a branch by it."""
    found = []
    for one in INSTRUCTIONS:
        if one.row in LEAVING:
            continue
        for number in sorted(one.registers - {13}):
            if "{" in one.text or (number == 11 and one.row == "fp_move"):
                continue
            text = re.sub(rf"\br{number}\b", "lr", one.text)
            found.append(Probe(f"{text}; bx lr", number in GIVEN | one.loaded | {11}))
    return found


def with_flags() -> list[Probe]:
    """Each behind a shifted operand whose flags it may read, and before one that reads its own."""
    found = []
    for one in INSTRUCTIONS:
        found.append(Probe(f"adds.w lr, lr, lr, lsl #1; {one.text}", one.reads_flags))
        found.append(Probe(f"add.w lr, lr, lr, lsl #1; {one.text}", False))
        if one.row not in LEAVING and "2f" not in one.text:
            applies = one.shifts and one.sets_flags
            found.append(Probe(f"{one.text}; adc.w lr, lr, lr", applies))
    return found


def from_table(table: dict[bool, list[str]], behind: str, applies: dict[bool, int]) -> list[Probe]:
    """Each of a table before `behind`."""
    return [Probe(one + behind, applies[sets]) for sets, some in table.items() for one in some]


PROBES = {
    "late_use": behind("mul r{0}, r{0}, lr", "mul lr, lr, lr", lambda _: READ),
    "address": [
        *behind("add.w r{0}, r{0}, #0", "add.w lr, lr, #0", lambda _: ADDRESS),
        *behind("add sp, #0", "add.w lr, lr, #0", lambda _: ADDRESS),
        *before("ldrb.w lr, [r{}]", "ldrb.w lr, [sp]", lambda _: GIVEN, COMPUTING),
    ],
    "load_use": before("add.w lr, lr, r{}", "add.w lr, lr, lr", loaded, LOADING),
    "refill_execute": to_link(),
    "flags_late": with_flags(),
    "flags_held": [
        *from_table(ROTATED, "", {True: 1, False: 0}),
        *(Probe(one, int("muls" in one)) for some in NARROW.values() for one in some),
    ],
    "fold_branch": from_table(NARROW, "; b 1f", {True: 0, False: -1}),
}  # fmt: skip


def cycles(
    probes: list[Probe],
    model: CycleModel,
    limit: int = 3,
    link: int = 1,
    flash: FlashTiming | None = None,
) -> list[int]:
    """Of the code of each probe, up to its BKPT or to a fault in what it has no effect on."""
    text = "".join(
        f".balign 4; p{i}: {one.code}; 1: bkpt #1; {LITERAL}\n" for i, one in enumerate(probes)
    )
    image = (sim_build.assemble if model.isa == "armv6m" else assemble)(text)
    found = []
    with Machine(model, MEMORY, flash) as machine:
        image.load(machine)
        for i in range(len(probes)):
            for number in range(13):
                machine.set_register(number, 0)
            for number in (4, 11, 13):
                machine.set_register(number, RAM + 0x100)
            machine.set_register(2, 1)  # an address of Thumb code
            machine.set_register(LR, link)
            found.append(machine.run(image.symbols[f"p{i}"] | 1, limit=limit).cycles)
    return found


@pytest.mark.parametrize("effect", PROBES)
def test_who_waits(effect: str) -> None:
    """The same code costs MUCH more where the effect applies, and no more where not."""
    probes, link = PROBES[effect], RAM + 0x100 if effect == "refill_execute" else 1
    much, none = (cycles(probes, only(name), 3, link) for name in (effect, ""))
    counts = zip(probes, much, none, strict=True)
    assert [one.code for one, much, none in counts if much - none != MUCH * one.applies] == []


def test_every_instruction_has_its_row() -> None:
    model = only("")
    found = cycles([Probe(one.text, 0) for one in INSTRUCTIONS], model, 1)
    wanted = [
        model.rows[one.row].cycles + one.words * model.rows[one.row].per_register
        for one in INSTRUCTIONS
    ]
    assert [
        (one.text, one.row, got - want)
        for one, got, want in zip(INSTRUCTIONS, found, wanted, strict=True)
        if got != want
    ] == []
