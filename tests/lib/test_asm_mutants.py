"""workshop/assembly/mutants_run.py: the changes that it makes, what notices them, and reasons of
survivors that still name one. `make long WHAT=asm-mutants` has them all.
"""

from __future__ import annotations

import random
from itertools import groupby

import pytest

from workshop.assembly import mutants as lib_asm_mutants
from workshop.assembly import mutants_run as asm_mutants
from workshop.assembly.emulated import program
from workshop.assembly.inner import inner
from workshop.assembly.mutants import Mutant
from workshop.assembly.routines import BACKENDS, functions

SAMPLE, SEED = 100, 1  # of each backend
FEW = 2  # rounds


def changes(backend: str, function: str) -> set[str]:
    """The instructions that are changed, and how."""
    found = lib_asm_mutants.mutants(backend, f"ecfit_{function}")
    return {f"{one.text} -> {one.change}" for one in found}


def test_changes_of_thumb() -> None:
    narrow, wide = changes("armv6m", "mod_add_8"), changes("armv7em", "p25519_sub")
    assert "adcs r5, r7 -> without carry" in narrow
    assert {f"ands r7, r2 -> {change}" for change in ("0", "the other", "left out")} <= narrow
    assert {f"sbc.w ip, ip, ip -> {change}" for change in ("0", "all ones", "left out")} <= wide
    assert "and ip, ip, #0x26 -> 0" in wide


def test_changes_of_riscv() -> None:
    found = changes("rv32im", "mp_add")
    assert {one.split()[0] for one in found} >= {"sltu", "c.add"}
    assert {one.split(" -> ")[1] for one in found if one.startswith("sltu")} == {"0", "1"}


@pytest.mark.parametrize("backend", BACKENDS)
def test_changed_code_is_of_the_same_length_and_is_code(backend: str) -> None:
    every = [
        one
        for function in lib_asm_mutants.own(backend)
        for one in lib_asm_mutants.mutants(backend, function)
    ]
    names = [one.name for one in every]
    assert len(set(names)) == len(names)
    for one in every:
        (instruction,) = lib_asm_mutants.reader(backend).disasm(one.patch, one.address)
        code = lib_asm_mutants.bodies(backend)[one.function].code
        assert instruction.size == len(one.patch) == code[one.number].size, one.name


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_function_that_is_tested_leads_to_each(backend: str) -> None:
    tested = {*functions(backend), *inner(backend)}
    every = lib_asm_mutants.own(backend)
    reached = {name: lib_asm_mutants.reached(backend, name) for name in every}
    assert [name for name, through in reached.items() if tested.isdisjoint(through)] == []


def test_reasons_name_mutants_of_today() -> None:
    """A function that has changed is to be looked at again."""
    names = {one.name for one in asm_mutants.everything()}
    assert [name for name in asm_mutants.reasons() if name not in names] == []


def fates(chosen: list[Mutant], rounds: int) -> asm_mutants.Fates:
    """What becomes of some."""
    found: asm_mutants.Fates = {}
    for _, some in groupby(chosen, key=lambda one: (one.backend, one.function)):
        found |= asm_mutants.judged(list(some), rounds)
    return found


@pytest.mark.ci
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_sample_is_noticed(backend: str) -> None:
    assert program(backend)
    every = [one for one in asm_mutants.everything() if one.backend == backend]
    chosen = random.Random(SEED).sample(every, SAMPLE)
    chosen.sort(key=lambda one: one.function)
    found = fates(chosen, len(asm_mutants.ROUNDS))
    survivors = [name for name, fate in found.items() if fate == asm_mutants.SURVIVED]
    assert [name for name in survivors if name not in asm_mutants.reasons()] == []


@pytest.mark.ci
def test_those_with_a_reason_survive() -> None:
    """What is noticed after all has no reason to be listed."""
    chosen = [one for one in asm_mutants.everything() if one.name in asm_mutants.reasons()]
    found = fates(chosen, FEW)
    assert [name for name, fate in found.items() if fate != asm_mutants.SURVIVED] == []
