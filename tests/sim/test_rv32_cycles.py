"""Kernels whose cycles were counted by hand from the documents that the models of Ibex
and CV32E40P name.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import pytest
from rv32_build import assemble
from sim_build import MEMORY, RAM, STACK_TOP, TEXT

from ecfit.sim.machine import CycleModel, FlashTiming, Machine, RunResult, SimError, load_model

PENALTIES = {"load_use", "jump_register_use", "target_split", "access_split"}
MODELS = ("ibex", "cv32e40p", "esp32-c3")
SP = STACK_TOP - 0x100  # where x2 points in the kernels


class Kernel(NamedTuple):
    """Code that ends in EBREAK, its cycles on Ibex and on CV32E40P,
    and how often each cost row applies.
    """

    code: str
    ibex: int
    cv32e40p: int
    rows: dict[str, int]


KERNELS = {
    "alu": Kernel(
        """addi x5, x6, 1; slti x5, x6, 1; sltiu x5, x6, 1; xori x5, x6, 1; ori x5, x6, 1
        andi x5, x6, 1
        slli x5, x6, 1
        srli x5, x6, 1; srai x5, x6, 1; add x5, x6, x7; sub x5, x6, x7; sll x5, x6, x7
        slt x5, x6, x7
        sltu x5, x6, x7; xor x5, x6, x7; srl x5, x6, x7; sra x5, x6, x7; or x5, x6, x7
        and x5, x6, x7; lui x5, 1
        auipc x5, 1; ebreak""",
        21, 21, {"alu": 21},
    ),
    "short alu": Kernel(
        """c.addi x5, 1; c.li x5, 1; c.lui x5, 1; c.mv x5, x6; c.add x5, x6; c.sub x8, x9
        c.xor x8, x9; c.or x8, x9
        c.and x8, x9; c.andi x8, 1; c.srli x8, 1; c.srai x8, 1; c.slli x5, 1; c.addi4spn x8, sp, 4
        c.addi16sp sp, -16
        c.nop; ebreak""",
        16, 16, {"alu": 16},
    ),
    "alu on the stack pointer": Kernel(
        "addi sp, sp, -16; add sp, sp, x0; sub sp, sp, x0; andi sp, sp, -16; c.addi16sp sp, 16; "
        "ebreak",
        5, 5, {"alu": 5},
    ),
    "multiply": Kernel("mul x5, x6, x7; mul x6, x5, x7; ebreak", 2 * 3, 2 * 1, {"multiply": 2}),
    "multiply high": Kernel(
        "mulh x5, x6, x7; mulhsu x5, x6, x7; mulhu x5, x6, x7; ebreak", 3 * 4, 3 * 5,
        {"multiply_high": 3}
    ),
    "divide": Kernel(
        "div x5, x6, x7; divu x5, x6, x7; rem x5, x6, x7; remu x5, x6, x7; ebreak", 4 * 37, 4 * 35,
        {"divide": 4}
    ),
    "load": Kernel(
        """lw x5, 0(sp); lh x6, 2(sp); lhu x7, 4(sp); lb x28, 7(sp); lbu x29, 8(sp);
        c.lwsp x30, 12(sp); c.mv x8, sp
        c.lw x9, 16(x8); ebreak""",
        7 * 2 + 1, 7 * 1 + 1, {"load": 7, "alu": 1},
    ),
    "load, used at once": Kernel(
        "lw x5, 0(sp); add x6, x7, x5; ebreak", 2 + 1, 1 + 1 + 1,
        {"load": 1, "alu": 1, "load_use": 1}
    ),
    "load, stored at once": Kernel("lw x5, 0(sp); sw x5, 4(sp); ebreak", 4, 3,
        {"load": 1, "store": 1, "load_use": 1}),
    "load, compared at once": Kernel(
        "lhu x5, 0(sp); bne x0, x5, 1f; 1: ebreak", 2 + 3, 1 + 1 + 3,
        {"load": 1, "branch_taken": 1, "load_use": 1}
    ),
    "load, used as an address": Kernel(
        "sw sp, 0(sp); lw x5, 0(sp); lw x6, 0(x5); ebreak", 6, 4,
        {"store": 1, "load": 2, "load_use": 1}
    ),
    "load, used by a short one": Kernel(
        "c.lwsp x9, 0(sp); c.add x5, x9; c.lwsp x9, 0(sp); c.sub x8, x9; ebreak",
        6, 6, {"load": 2, "alu": 2, "load_use": 2},
    ),
    "load, written to a control register": Kernel(
        "lw x5, 0(sp); csrw mscratch, x5; lw x5, 0(sp); csrwi mscratch, 5; ebreak",
        6, 5, {"load": 2, "csr": 2, "load_use": 1},
    ),
    "load, used one later": Kernel("lw x5, 0(sp); nop; add x6, x7, x5; ebreak", 4, 3,
        {"load": 1, "alu": 2}),
    "load, overwritten": Kernel("lw x5, 0(sp); lui x5, 5; addi x6, x0, 5; ebreak", 4, 3,
        {"load": 1, "alu": 2}),
    "load into nothing": Kernel("lw x0, 0(sp); add x6, x0, x0; ebreak", 3, 2,
        {"load": 1, "alu": 1}),
    "store": Kernel(
        "sw x5, 0(sp); sh x5, 4(sp); sb x5, 7(sp); c.swsp x5, 8(sp); c.mv x8, sp; "
        "c.sw x9, 12(x8); ebreak",
        5 * 2 + 1, 5 * 1 + 1, {"store": 5, "alu": 1},
    ),
    "taken": Kernel(
        """beq x0, x0, 1f; nop; 1: bne x1, x0, 1f; nop; 1: blt x0, x10, 1f; nop; 1: bge x0, x0, 1f
        nop; 1:
        bltu x0, x10, 1f; nop; 1: bgeu x0, x0, 1f; nop; 1: ebreak""",
        6 * 3, 6 * 3, {"branch_taken": 6},
    ),
    "not taken": Kernel(
        """bne x0, x0, 1f; beq x1, x0, 1f; bge x0, x10, 1f; blt x0, x0, 1f; bgeu x0, x10, 1f
        bltu x0, x0, 1f
        1: ebreak""",
        6, 6, {"branch_not_taken": 6},
    ),
    "short branches": Kernel(
        "c.li x8, 0; c.beqz x8, 1f; c.nop; 1: c.bnez x8, 1f; c.nop; 1: ebreak",
        1 + 3 + 1 + 1, 6, {"alu": 2, "branch_taken": 1, "branch_not_taken": 1},
    ),
    "taken, to a split instruction": Kernel(
        "c.nop; beq x0, x0, 1f; nop; 1: addi x5, x5, 1; c.nop; ebreak",
        1 + (3 + 1) + 1 + 1, 1 + 4 + 1 + 1, {"alu": 3, "branch_taken": 1, "target_split": 1},
    ),
    "taken, to a short instruction there": Kernel(
        "c.nop; beq x0, x0, 1f; nop; 1: c.addi x5, 1; ebreak", 5, 5, {"alu": 2, "branch_taken": 1}
    ),
    "not taken, on to a split instruction": Kernel(
        "c.nop; bne x0, x0, 1f; 1: addi x5, x5, 1; c.nop; ebreak", 4, 4,
        {"alu": 3, "branch_not_taken": 1}
    ),
    "jump": Kernel(
        "j 1f; nop; 1: jal x5, 1f; nop; 1: c.j 1f; c.nop; 1: c.jal 1f; c.nop; 1: ebreak", 4 * 2,
        4 * 2, {"jump": 4}
    ),
    "jump to a split instruction": Kernel(
        "c.nop; j 1f; nop; 1: addi x5, x5, 1; c.nop; ebreak", 1 + 3 + 2, 6,
        {"alu": 3, "jump": 1, "target_split": 1}
    ),
    "jump by register": Kernel(
        "auipc x5, 0; nop; jalr x0, 16(x5); nop; ebreak", 1 + 1 + 2, 4,
        {"alu": 2, "jump_register": 1}
    ),
    "jump by a register just written": Kernel(
        "auipc x5, 0; jalr x0, 12(x5); nop; ebreak",
        1 + 2, 1 + 2 + 1, {"alu": 1, "jump_register": 1, "jump_register_use": 1},
    ),
    "jump by a register just loaded": Kernel(
        "auipc x6, 0; addi x6, x6, 24; sw x6, 0(sp); lw x5, 0(sp); jalr x0, 0(x5); nop; ebreak",
        1 + 1 + 2 + 2 + 2, 1 + 1 + 1 + (1 + 1 + 1) + 2,
        {"alu": 2, "store": 1, "load": 1, "jump_register": 1, "load_use": 1,
            "jump_register_use": 1},
    ),
    "jump by register to a split instruction": Kernel(
        "auipc x5, 0; nop; jalr x0, 14(x5); c.nop; addi x5, x5, 1; c.nop; ebreak",
        2 + 3 + 2, 7, {"alu": 4, "jump_register": 1, "target_split": 1},
    ),
    "call and return": Kernel(
        "call 1f; call 1f; ebreak; 1: ret", 2 * (1 + 2) + 2 * 2, 2 * (1 + 1 + 2) + 2 * 2,
        {"alu": 2, "jump_register": 4, "jump_register_use": 2},
    ),
    "short call and return": Kernel(
        "c.jal 1f; c.nop; ebreak; 1: c.jr ra", 2 + 2 + 1, 5,
        {"alu": 1, "jump": 1, "jump_register": 1}
    ),
    "control registers": Kernel(
        "csrw mscratch, x5; csrrs x6, mscratch, x0; csrrci x6, mie, 3; csrr x6, mhartid; "
        "csrw mtval, x5; ebreak",
        5, 5, {"csr": 5},
    ),
    "serial control registers": Kernel(
        """csrr x5, mcycle; csrr x5, minstret; csrr x5, mcycleh; csrr x5, cycle; csrw mtvec, x5
        csrsi mstatus, 8
        ebreak""",
        6, 6 * 4, {"csr_serial": 6},
    ),
    "fences": Kernel("fence; fence.i; ebreak", 1 + 2, 2 + 2, {"fence": 1, "fence_i": 1}),
    "wait": Kernel("wfi; ebreak", 1, 1, {"wait": 1}),
    "accesses in two words": Kernel(
        "lw x5, 1(sp); lh x6, 3(sp); lhu x7, 7(sp); sw x5, 2(sp); sh x5, 3(sp); ebreak",
        5 * 3, 5 * 2, {"load": 3, "store": 2, "access_split": 5},
    ),
    "halfwords within a word": Kernel("lh x5, 1(sp); sh x6, 5(sp); ebreak", 4, 2,
        {"load": 1, "store": 1}),
    "loop": Kernel(
        "li x5, 10; 1: addi x5, x5, -1; bnez x5, 1b; ebreak",
        1 + 10 + 9 * 3 + 1, 39, {"alu": 11, "branch_taken": 9, "branch_not_taken": 1},
    ),
}  # fmt: skip

pytestmark = pytest.mark.usefixtures("riscv_compiler")


def run(model: CycleModel, code: str, flash: FlashTiming | None = None) -> RunResult:
    image = assemble(code)
    with Machine(model, MEMORY, flash) as machine:
        image.load(machine)
        back = image.symbols["back"]
        result = machine.call(TEXT, [1], sp=SP, return_to=back, limit=10_000, profile=True)
        assert result.stop == "bkpt", result
        return result


@pytest.mark.parametrize("name", KERNELS)
def test_kernel(name: str) -> None:
    kernel = KERNELS[name]
    expected = {"ibex": kernel.ibex, "cv32e40p": kernel.cv32e40p, "esp32-c3": kernel.cv32e40p}
    for model, cycles in expected.items():
        result = run(load_model(model), kernel.code)
        assert (model, result.cycles) == (model, cycles)
        assert result.classes == {
            row: count for row, count in kernel.rows.items() if row not in PENALTIES
        }
        assert result.instructions == sum(result.classes.values())


@pytest.mark.parametrize("row", load_model("ibex").rows)
def test_each_row_counts_where_it_applies(row: str) -> None:
    """A row that costs 2 more shows in the kernels that have it, as often as they have it,
    and in no other.
    """
    base = load_model("cv32e40p")
    dearer = msgspec.structs.replace(base.rows[row], cycles=base.rows[row].cycles + 2)
    model = msgspec.structs.replace(base, rows={**base.rows, row: dearer})
    for kernel in KERNELS.values():
        assert run(model, kernel.code).cycles - kernel.cv32e40p == 2 * kernel.rows.get(row, 0)


def test_a_taken_branch_is_not_cheaper() -> None:
    base = load_model("ibex")
    cheap = msgspec.structs.replace(base.rows["branch_taken"], cycles=0)
    with pytest.raises(SimError, match="a branch that is taken costs at least as much"):
        run(msgspec.structs.replace(base, rows={**base.rows, "branch_taken": cheap}), "ebreak")


def test_every_row_has_a_kernel() -> None:
    for model in MODELS:
        assert set(load_model(model).rows) == set().union(
            *(kernel.rows for kernel in KERNELS.values())
        )


def test_interval_of_operand_dependent_times() -> None:
    """The longest time counts; the shortest is reported beside it."""
    for model, longest, shortest in (("ibex", 37, 2), ("cv32e40p", 35, 3)):
        result = run(load_model(model), KERNELS["divide"].code)
        assert (result.cycles, result.cycles_min) == (4 * longest, 4 * shortest)
        assert (
            run(load_model(model), KERNELS["multiply"].code).cycles_min
            == KERNELS["multiply"]._asdict()[model]
        )


@pytest.mark.parametrize(
    ("choice", "low", "high", "shortest"), [(1, 1, 2, 1), (3, 3, 4, 3), (33, 33, 33, 1)]
)
def test_multipliers_of_ibex(choice: int, low: int, high: int, shortest: int) -> None:
    model = load_model("ibex", multiplier=choice)
    result = run(model, "mul x5, x6, x7; mulhu x5, x6, x7; ebreak")
    assert (result.cycles, result.cycles_min) == (low + high, shortest + high)


def test_branch_target_alu_of_ibex() -> None:
    assert run(load_model("ibex", branch_taken=2), KERNELS["taken"].code).cycles == 6 * 2
    with pytest.raises(SimError, match=r"branch_taken is one of \(2, 3\), not 1"):
        load_model("ibex", branch_taken=1)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("nop; nop; nop; ebreak", 3),
        ("c.nop; c.nop; c.nop; c.nop; ebreak", 2),
        ("c.nop; nop; nop; c.nop; ebreak", 3),  # two instructions in two words each
        ("j 1f; 1: nop; ebreak", 2),
        ("c.j 1f; 1: c.nop; ebreak", 2),  # the same word again, behind a jump
        ("c.nop; j 1f; nop; 1: nop; c.nop; ebreak", 4),
    ],
)
def test_fetches_of_flash(code: str, words: int) -> None:
    """Each fetched word waits when the flash has no buffer; a jump empties the buffer
    of the core.
    """
    ibex = load_model("ibex")
    assert run(ibex, code, FlashTiming(5)).cycles == run(ibex, code).cycles + 5 * words


def test_loads_from_flash_wait() -> None:
    code = (
        "lui x5, 0; lw x6, 0x100(x5); lh x6, 0x102(x5); lw x6, 0x102(x5); lb x6, 0x103(x5); ebreak"
    )
    ibex = load_model("ibex")
    assert run(ibex, code, FlashTiming(5)).cycles == run(ibex, code).cycles + 5 * (
        5 + 5
    )  # one of the loads is two


def test_unaligned_access_to_flash_reads_what_is_there() -> None:
    image = assemble("lui x5, 0; lw x10, 0x101(x5); ebreak")
    with Machine(load_model("ibex"), MEMORY) as machine:
        image.load(machine)
        expected = int.from_bytes(machine.read(TEXT + 1, 4), "little")
        assert machine.call(TEXT, [], sp=SP, return_to=TEXT, limit=10).result == expected


def test_code_in_ram_that_changes_changes_its_cost() -> None:
    """What a decoder has looked at beyond its instruction is not remembered when it changes."""
    wait, no_wait = (
        assemble("lw x5, 0(sp); add x6, x5, x5; ebreak"),
        assemble("lw x5, 0(sp); add x6, x7, x7; ebreak"),
    )
    with Machine(load_model("cv32e40p"), MEMORY) as machine:
        for image, cycles in ((wait, 3), (no_wait, 2), (wait, 3)):
            code = image.segments[0][1]
            machine.write(RAM + 4, code[4:])  # all but the load, which stays as it was decoded
            if machine.read(RAM, 4) != code[:4]:
                machine.write(RAM, code[:4])
            assert machine.call(RAM, [], sp=SP, return_to=RAM, limit=10).cycles == cycles


def test_code_that_changes_itself() -> None:
    """A store into the next instruction but one takes effect; FENCE.I comes between,
    as the architecture wants.
    """
    changer = assemble(
        """auipc x5, 0; lw x6, 32(x5); sw x6, 24(x5); fence.i; li x10, 1; j 1f; 1: addi x10, x10, 1
        ebreak
        addi x10, x10, 64"""
    )
    code = changer.segments[0][1]
    with Machine(load_model("ibex"), MEMORY) as machine:
        for expected in (65, 65):
            machine.write(RAM, code)
            assert machine.call(RAM, [], sp=SP, return_to=RAM, limit=20).result == expected
