"""Mutants of C (tools/mutants/mutants.py, sim_mutants.py) and of assembly
(workshop/assembly/mutants_run.py): the changes that they make, a few of the record that are
still noticed where they were, and reasons of survivors that still name one.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

from tools.mutants import mutant_calls, mutants, sim_mutants
from tools.mutants.mutate import applied
from tools.mutants.mutate import mutants as changes
from workshop.assembly import mutants as lib_asm_mutants
from workshop.assembly import mutants_run as asm_mutants
from workshop.assembly.emulated import program
from workshop.assembly.inner import inner
from workshop.assembly.mutants import Mutant
from workshop.assembly.routines import BACKENDS, functions

TEXT = """#define TWICE(x) ((x) + (x))
/* 1 + 1 is no code */
static int f(int *a, int b)
{
    if (a[b] > 3) {
        g(a);
    }
    return -b;
}
"""
TABLE = """OP(add, alu, "wr--F")
OP(ldr, load, "LB---")
switch (x) {
case OP_add:
case OP_ldr: return true;
}
"""
WANTED = 4
SETTINGS = {"x25519-balanced-w64", "ed448-tiny-w64", "secp192r1-tiny", "secp160r1-balanced"}


def kinds(text: str, *, tables: bool) -> set[tuple[str, ...]]:
    """Of every change: its kind, and the line that it makes."""
    found = set()
    for mutant in changes("file", text, tables=tables):
        after = applied(mutant, text).splitlines()
        old = text.splitlines()
        lines = [one for one, other in zip(after, old, strict=True) if one != other]
        found.add((mutant.kind, *(line.strip() for line in lines)))
    return found


def test_changes_of_code() -> None:
    assert kinds(TEXT, tables=False) == {
        ("condition", "if (!(a[b] > 3)) {"),
        ("operator", "if (a[b] >= 3) {"),
        ("constant", "if (a[b] > 2) {"),
        ("call", ";"),
    }


def test_changes_of_tables_and_macros() -> None:
    assert kinds(TEXT, tables=True) - kinds(TEXT, tables=False) == {
        ("operator", "#define TWICE(x) ((x) - (x))"),
    }
    assert kinds(TABLE, tables=True) == {
        ("row", 'OP(add, load, "wr--F")'),
        ("row", 'OP(ldr, alu, "LB---")'),
        *(("role", f'OP(add, alu, "{roles}")') for roles in ("-r--F", "w---F", "wr---")),
        *(("role", f'OP(ldr, load, "{roles}")') for roles in ("-B---", "L----")),
        ("case", ""),
        ("answer", "case OP_ldr: return false;"),
    }


def test_names_are_unique() -> None:
    for everything in (mutants.all_mutants(), sim_mutants.all_mutants()):
        assert len({one.name for one in everything}) == len(everything)


def test_some_are_still_noticed(tmp_path: Path) -> None:
    """In the configuration of the record; and the library as it is answers as it does."""
    record = json.loads(mutants.RECORD.read_text(encoding="utf-8"))["mutants"]
    there = [one for one in mutants.all_mutants() if one.name in record]  # some lines have changed
    by = {one: record[one.name].get("by") for one in there}
    ((name, _),) = Counter(one for one in by.values() if one in SETTINGS).most_common(1)
    build = mutants.Build(mutant_calls.setting(name), tmp_path)
    chosen = [one for one in there if by[one] == name and one.path in build.files][:WANTED]
    assert len(chosen) == WANTED
    for mutant in chosen:
        assert mutants.judge(mutant, [build], tmp_path) == {"fate": "noticed", "by": name}
    library, _ = build.compiled(mutants.SRC)
    assert library is not None
    assert mutants.agrees(library, build)


# Assembly, and the C that only a back end with assembly reads.
NOT_OF_A_HOST = re.compile(
    "/(armv6m|armv7em|thumb|rv32im|avr|asm)/|/inverse_both/|fused|_room|_var_long|/run_|_runs|"
    "p25519_rows|power_p25519|_straight|solinas/by_redc"
)


def test_each_file_of_a_host_is_in_a_configuration(tmp_path: Path) -> None:
    """Or no change of it would be tried."""
    tried = set()
    for setting in mutant_calls.settings():
        tried |= mutants.Build(setting, tmp_path).files
    rest = {one.path for one in mutants.all_mutants()} - tried
    assert sorted(path for path in rest if not NOT_OF_A_HOST.search(path)) == []


def test_the_sanitizers_are_asked(tmp_path: Path) -> None:
    """They pass the library as it is. A round of SHAKE256 that reads one row too far answers as
    the right one does, and they notice it.
    """
    build = mutants.Build(mutant_calls.setting("ed448-tiny-w64"), tmp_path)
    assert build.is_sane(mutants.SRC)
    (mutant,) = [
        one
        for one in mutants.all_mutants()
        if one.path == "hash/shake256.inc" and "[< -> <=] 50; i += 10) { /* chi */" in one.name
    ]
    assert not mutants.sanitized(mutant, [build], tmp_path)


def test_the_tests_that_are_asked_exist() -> None:
    named = {test for _, some in mutants.TESTS for test in some}
    assert [name for name in named if not (Path(__file__).parent / f"{name}.py").is_file()] == []


# ---- assembly; `make long WHAT=asm-mutants` has them all -----------------------------------------

SAMPLE, SEED = 100, 1  # of each backend
FEW = 2  # rounds


def changes_of_assembly(backend: str, function: str) -> set[str]:
    """The instructions that are changed, and how."""
    found = lib_asm_mutants.mutants(backend, f"ecfit_{function}")
    return {f"{one.text} -> {one.change}" for one in found}


def test_changes_of_thumb() -> None:
    narrow, wide = (
        changes_of_assembly("armv6m", "mod_add_8"),
        changes_of_assembly("armv7em", "p25519_sub"),
    )
    assert "adcs r5, r7 -> without carry" in narrow
    assert {f"ands r7, r2 -> {change}" for change in ("0", "the other", "left out")} <= narrow
    assert {f"sbc.w ip, ip, ip -> {change}" for change in ("0", "all ones", "left out")} <= wide
    assert "and ip, ip, #0x26 -> 0" in wide


def test_changes_of_riscv() -> None:
    found = changes_of_assembly("rv32im", "mp_add")
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
