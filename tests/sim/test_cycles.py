"""Kernels whose cycles were counted by hand from Arm DDI 0432C (Cortex-M0)
and DDI 0484C (Cortex-M0+).
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ecfit.sim.machine import Machine, RunResult, SimError, load_model, model_names
from workshop.sim.build import MEMORY, RAM, STACK_TOP, TEXT, Image, assemble


class Kernel(NamedTuple):
    """Code that ends in BKPT, its cycles on M0 and M0+, and its instructions by cost row."""

    code: str
    m0: int
    m0plus: int
    rows: dict[str, int]


# The assembler's `nop` for this core is MOV r8, r8; 0xbf00 is the hint.
KERNELS = {
    "alu": Kernel(
        """movs r0, #1; adds r0, #2; subs r0, r0, #1; lsls r1, r0, #3; lsrs r1, r1, r0
        asrs r1, r1, #1; rors r1, r0
        adcs r1, r0; sbcs r1, r0; rsbs r1, r1, #0; ands r1, r0; eors r1, r0; orrs r1, r0
        bics r1, r0; mvns r1, r0
        tst r1, r0; cmp r1, r0; cmn r1, r0; cmp r1, #5; cmp r8, r0; mov r8, r0; movs r2, r0
        add r8, r0; add r0, r8
        sxtb r0, r0; sxth r0, r0; uxtb r0, r0; uxth r0, r0; rev r0, r0; rev16 r0, r0; revsh r0, r0
        add r0, sp, #8; sub sp, #8; add sp, #8; adr r0, 1f; bkpt #1; .balign 4; 1:""",
        35, 35, {"alu": 35},
    ),
    "multiply": Kernel("muls r0, r1; muls r1, r0; bkpt #1", 2, 2, {"multiply": 2}),
    "mov pc": Kernel("adr r0, 1f; mov pc, r0; nop; .balign 4; 1: bkpt #1", 1 + 3, 1 + 2,
        {"alu": 1, "move_pc": 1}),
    "add pc": Kernel("movs r0, #0; add pc, r0; nop; bkpt #1", 1 + 3, 1 + 2,
        {"alu": 1, "move_pc": 1}),
    "load": Kernel(
        """sub sp, #32; mov r1, sp; movs r2, #4; ldr r0, [r1]; ldrh r0, [r1, #2]; ldrb r0, [r1, #3]
        ldr r0, [r1, r2]
        ldrh r0, [r1, r2]; ldrb r0, [r1, r2]; ldrsh r0, [r1, r2]; ldrsb r0, [r1, r2]
        ldr r0, [sp, #4]; bkpt #1""",
        3 + 9 * 2, 3 + 9 * 2, {"alu": 3, "load": 9},
    ),
    "literal": Kernel("ldr r0, 1f; bkpt #1; .balign 4; 1: .word 7", 2, 2, {"load_literal": 1}),
    "store": Kernel(
        """sub sp, #32; mov r1, sp; movs r2, #4; str r0, [r1]; strh r0, [r1, #2]; strb r0, [r1, #3]
        str r0, [r1, r2]
        strh r0, [r1, r2]; strb r0, [r1, r2]; str r0, [sp, #4]; bkpt #1""",
        3 + 7 * 2, 3 + 7 * 2, {"alu": 3, "store": 7},
    ),
    "ldm": Kernel(
        "sub sp, #32; mov r0, sp; ldm r0!, {r1}; ldm r0!, {r1-r4}; ldm r0, {r0, r1}; bkpt #1",
        2 + (1 + 1) + (1 + 4) + (1 + 2), 2 + 2 + 5 + 3, {"alu": 2, "load_multiple": 3},
    ),
    "stm": Kernel(
        "sub sp, #32; mov r0, sp; stm r0!, {r1}; stm r0!, {r1-r7}; bkpt #1",
        2 + (1 + 1) + (1 + 7), 2 + 2 + 8, {"alu": 2, "store_multiple": 2},
    ),
    "push and pop": Kernel(
        "push {r0}; push {r4-r7, lr}; pop {r1-r5}; pop {r0}; bkpt #1",
        (1 + 1) + (1 + 5) + (1 + 5) + (1 + 1), 16, {"push": 2, "pop": 2},
    ),
    "pop pc": Kernel("push {r0, lr}; pop {r0, pc}", (1 + 2) + (4 + 2), (1 + 2) + (3 + 2),
        {"push": 1, "pop_pc": 1}),
    "pop pc alone": Kernel("push {lr}; pop {pc}", 2 + 5, 2 + 4, {"push": 1, "pop_pc": 1}),
    "taken": Kernel("movs r0, #0; beq 1f; nop; 1: bkpt #1", 1 + 3, 1 + 2,
        {"alu": 1, "branch_taken": 1}),
    "not taken": Kernel("movs r0, #0; bne 1f; nop; 1: bkpt #1", 3, 3,
        {"alu": 2, "branch_not_taken": 1}),
    "b": Kernel("b 1f; nop; 1: bkpt #1", 3, 2, {"branch": 1}),
    "bx": Kernel("bx lr", 3, 2, {"branch_register": 1}),
    "bl": Kernel("bl 1f; nop; 1: bkpt #1", 4, 3, {"call": 1}),
    "blx": Kernel("blx lr", 3, 2, {"call_register": 1}),
    "special": Kernel("mrs r0, apsr; msr apsr_nzcvq, r0; bkpt #1", 8, 6, {"special": 2}),
    "barrier": Kernel("dmb; dsb; isb; bkpt #1", 12, 9, {"barrier": 3}),
    "state": Kernel("cpsid i; cpsie i; bkpt #1", 2, 2, {"state": 2}),
    "hint": Kernel(".inst.n 0xbf00; sev; yield; bkpt #1", 3, 3, {"hint": 3}),
    "wait": Kernel("wfe; wfi; bkpt #1", 4, 4, {"wait": 2}),
    "loop": Kernel(
        "movs r0, #10; 1: subs r0, #1; bne 1b; bkpt #1",
        1 + 10 + 9 * 3 + 1, 1 + 10 + 9 * 2 + 1,
        {"alu": 11, "branch_taken": 9, "branch_not_taken": 1},
    ),
    "call and return": Kernel(
        "push {r4, lr}; bl 1f; bl 1f; pop {r4, pc}; 1: bx lr",
        3 + 2 * (4 + 3) + 6, 3 + 2 * (3 + 2) + 5,
        {"push": 1, "call": 2, "branch_register": 2, "pop_pc": 1},
    ),
}  # fmt: skip
MODELS = ("cortex-m0", "cortex-m0plus")

pytestmark = pytest.mark.usefixtures("cross_compiler")


def run(image: Image, model: str, profile: bool = True, **options: int) -> RunResult:
    with Machine(load_model(model, **options), MEMORY) as machine:
        image.load(machine)
        result = image.call(machine, "_start", profile=profile)
    assert result.stop == "bkpt", result
    return result


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", KERNELS)
def test_hand_counted_kernel(name: str, model: str) -> None:
    kernel = KERNELS[name]
    result = run(assemble(kernel.code), model)
    assert result.cycles == (kernel.m0 if model == "cortex-m0" else kernel.m0plus)
    assert result.classes == kernel.rows
    assert result.instructions == sum(kernel.rows.values())
    plain = run(assemble(kernel.code), model, profile=False)
    assert (plain.cycles, plain.instructions) == (result.cycles, result.instructions)


# Code that sets flags, and the conditions that hold then.
FLAGS = {
    "cmp r0, r0": "eq cs pl vc ls ge le",
    "cmp r1, r0": "ne cs pl vc hi ge gt",
    "cmp r0, r1": "ne cc mi vc ls lt le",
    "lsls r1, r1, #31; subs r1, r1, #1": "ne cs pl vs hi lt le",
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("flags", FLAGS)
def test_every_condition_taken_and_not_taken(flags: str, model: str) -> None:
    """B<cc> takes 1 where its condition fails, and 3 (M0) or 2 (M0+) where it holds."""
    conditions = {condition for hold in FLAGS.values() for condition in hold.split()}
    assert len(conditions) == 14
    for condition in conditions:
        code = f"movs r0, #0; movs r1, #1; {flags}; b{condition} 1f; nop; 1: bkpt #1"
        result = run(assemble(code), model)
        before = 2 + len(flags.split(";"))
        if condition in FLAGS[flags].split():
            assert result.cycles == before + (3 if model == "cortex-m0" else 2), condition
        else:
            assert result.cycles == before + 1 + 1, condition
            assert result.classes == {"alu": before + 1, "branch_not_taken": 1}, condition


@pytest.mark.parametrize("model", MODELS)
def test_each_row_of_each_table_has_a_kernel(model: str) -> None:
    counted = {row for kernel in KERNELS.values() for row in kernel.rows}
    assert counted == set(load_model(model).rows)


@pytest.mark.parametrize("model", MODELS)
def test_slow_multiplier_is_an_option_of_the_chip(model: str) -> None:
    image = assemble(KERNELS["multiply"].code)
    assert run(image, model, multiplier=1).cycles == 2
    assert run(image, model, multiplier=32).cycles == 64


@pytest.mark.parametrize("name", model_names())
def test_each_row_names_its_source(name: str) -> None:
    model = load_model(name)
    assert all(row.source for row in model.rows.values())
    assert all(option.source for option in model.options.values())
    assert model.core
    assert model.leaves_out


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("cortex-m1", {}, "unknown cycle model 'cortex-m1'"),
        ("cortex-m0", {"multiplier": 2}, "multiplier is one of (1, 32), not 2"),
        ("cortex-m0", {"divider": 1}, "has no option 'divider'"),
    ],
)
def test_wrong_model_is_one_line(name: str, options: dict[str, int], message: str) -> None:
    with pytest.raises(SimError) as caught:
        load_model(name, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_cycles_do_not_depend_on_where_code_and_stack_lie() -> None:
    """Zero wait states: the same code in RAM costs the same."""
    code = KERNELS["call and return"].code
    in_ram = assemble(code, base=RAM + 0x400)
    assert in_ram.symbols["_start"] == RAM + 0x400 != TEXT
    assert run(in_ram, "cortex-m0").cycles == KERNELS["call and return"].m0
    assert run(in_ram, "cortex-m0").stack_low == STACK_TOP - 8
