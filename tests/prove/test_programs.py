"""Interpreters and ladders on the object code: proved, and wrong programs and codes refused."""

from __future__ import annotations

import re

import pytest

from prove import mutants
from prove.__main__ import attempt
from prove.algebra.formulas import read
from prove.algebra.values import Refused
from prove.contracts import records
from prove.contracts.tables import OPERATIONS, TABLES, programs, promise
from prove.goals import endings
from prove.goals.programs import Program, prove
from prove.machine.image import image
from workshop.paths import SRC

RUN, LADDER = "ecfit_p25519_run_var", "ecfit_p25519_ladder"


ALL = [key.split() for key in records.load() if promise(*key.split())]


@pytest.mark.parametrize(("backend", "name"), ALL)
def test_they_are_proved(backend: str, name: str) -> None:
    """All: what a call leaves in registers comes from elsewhere, and was wrong once."""
    assert "reason" not in attempt(image(backend), backend, name)


@pytest.mark.parametrize(("name", "index"), [(RUN, i) for i in range(0, 18, 5)] + [(LADDER, 9)])
def test_another_program_is_refused(name: str, index: int) -> None:
    """A register is not what a table with one operation changed gives it."""
    said = promise("armv7m", name)
    assert said
    steps = next(iter(programs(said).values()))
    one = Program(image("armv7m"), "armv7m", name, said, steps)
    one.check()
    step = steps[index]
    one.steps = [*steps[:index], step._replace(a=(step.a + 1) % 6), *steps[index + 1 :]]
    with pytest.raises(Refused):
        one.check()


def test_a_product_whose_time_varies_is_refused() -> None:
    """In place of the product that takes the same time, in an interpreter for secrets."""
    code = image("armv7m")
    name, right, wrong = (f"ecfit_secp256r1_{n}" for n in ("run", "both", "mul_var"))
    (call,) = (
        i for i in code.instructions(name)
        if i.name == "bl" and i.operands[0].imm == code.symbols[right]
    )  # fmt: skip
    code.patch(call.address, branch(call.address, code.symbols[wrong]))
    said = promise("armv7m", name)
    assert said
    with pytest.raises(Refused, match="its time varies"):
        prove(code, "armv7m", name, said)


def branch(here: int, there: int) -> bytes:
    """The code of bl."""
    x = (there - here - 4) >> 1
    first = 0xF000 | x >> 11 & 0x3FF | (x >> 31 & 1) << 10
    sign = x >> 31 & 1
    j1, j2 = (1 ^ sign ^ (x >> k & 1) for k in (22, 21))
    second = 0xD000 | j1 << 13 | j2 << 11 | x & 0x7FF
    return first.to_bytes(2, "little") + second.to_bytes(2, "little")


def test_faults_are_refused() -> None:
    """A bit flipped in the interpreter: no program may then have another result."""
    found = mutants.sample(image("armv7m"), "armv7m", [RUN, LADDER], 12, 3)
    assert found.survived == []
    assert found.refused > 8


def test_the_numbers_of_operations_are_those_of_the_library() -> None:
    text = (SRC / "field/op.h").read_text(encoding="utf-8")
    assert {k: int(v) for k, v in re.findall(r"#define OP_(\w+) (\d)", text)} == {
        **OPERATIONS,
        "END": 0,
    }


def test_tables_are_read_whole() -> None:
    """Each table of a proof exists."""
    for files in TABLES.values():
        for file, names in files.items():
            assert all(read(name, file) for name in names)


def test_an_end_that_a_routine_does_not_meet_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A banner that names another routine is noticed."""
    name = "ecfit_mod_less_8"
    assert "reason" not in attempt(image("rv32im"), "rv32im", name)
    monkeypatch.setattr(endings, "ended", lambda _b, n: ["ecfit_mod_sub_8"] if n == name else [])
    with pytest.raises(Refused):
        endings.prove(image("rv32im"), "rv32im", name)
