"""What ends a RISC-V run: faults with their addresses, EBREAK and its number.
Control registers, calling convention.
"""

from __future__ import annotations

import msgspec
import pytest

from ecfit.sim.machine import Fault, Machine, Region, SimError, load_model
from workshop.cores.rv32_build import assemble
from workshop.cores.rv32_oracle import PC
from workshop.sim.build import FLASH_SIZE, MEMORY, RAM, STACK_TOP, TEXT
from workshop.sim.fault_checks import AT, END, EXECUTE, PERIPHERAL, READ, WRITE, check_fault

pytestmark = pytest.mark.usefixtures("riscv_compiler")

# name: (code, kind of fault, its address); a0 is 0 at the start, a1 = RAM, a2 = end of RAM,
# a3 = PERIPHERAL
FAULTS = {
    "read below RAM": ("nop; lw x5, -4(a1)", READ, RAM - 4),
    "read behind RAM": ("nop; lbu x5, 0(a2)", READ, END),
    "read wraps around": ("nop; lw x5, -4(a0)", READ, 0xFFFFFFFC),
    "read nowhere": ("nop; lh x5, 0(a3)", READ, PERIPHERAL),
    "read half behind RAM": ("nop; lw x5, -2(a2)", READ, END - 2),
    "unaligned halfword behind RAM": ("nop; lh x5, 1(a2)", READ, END + 1),
    "short read behind RAM": ("nop; c.lw x8, 0(a2)", READ, END),
    "write below RAM": ("nop; sb x5, -1(a1)", WRITE, RAM - 1),
    "write behind RAM": ("nop; sw x5, 8(a2)", WRITE, END + 8),
    "write half behind RAM": ("nop; sw a3, -1(a2)", WRITE, END - 1),
    "write half below RAM": ("nop; sw a3, -1(a1)", WRITE, RAM - 1),
    "write to flash": ("nop; sw x5, 0(a0)", "write to flash", 0),
    "byte write to flash": ("nop; sb x5, 0x81(a0)", "write to flash", 0x81),
    "unaligned write to flash": ("nop; sh x5, 0x83(a0)", "write to flash", 0x83),
    "stack behind RAM": ("mv sp, a2; c.swsp x5, 4(sp)", WRITE, END + 4),
    "jump to nowhere": ("nop; jalr x0, 0(a3)", EXECUTE, PERIPHERAL),
    "call to nowhere": ("nop; c.jalr a3", EXECUTE, PERIPHERAL),
    "odd jump to nowhere": ("nop; jalr ra, 7(a3)", EXECUTE, PERIPHERAL + 6),
    "direct jump to nowhere": (f"nop; j _start + {FLASH_SIZE}", EXECUTE, FLASH_SIZE + TEXT),
    "undefined": ("nop; .word 0xffffffff", "undefined instruction", AT),
    "short undefined": ("nop; .half 0", "undefined instruction", AT),
    "atomic": ("nop; .word 0x1005252f", "undefined instruction", AT),
    "floating point": ("nop; .word 0x0005a507", "undefined instruction", AT),
    "supervisor return": ("nop; .word 0x10200073", "undefined instruction", AT),
    "counter that this core has not": ("nop; csrr a0, cycle", "undefined instruction", AT),
    "write to a read-only counter": ("nop; csrw cycle, a0", "undefined instruction", AT),
    "write to identification": ("nop; csrw mhartid, a0", "undefined instruction", AT),
    "ecall": ("nop; ecall", "supervisor call", AT),
    "mret": ("nop; mret", "supervisor call", AT),
    "pmp register": (
        "nop; csrw pmpcfg0, a0",
        "access to a control register that is not modelled, number",
        0x3A0,
    ),
    "custom register": (
        "nop; csrr a0, 0x7e2",
        "access to a control register that is not modelled, number",
        0x7E2,
    ),
    "setting a counter": (
        "nop; csrw mcycle, a0",
        "access to a control register that is not modelled, number",
        0xB00,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault(name: str, ibex: Machine) -> None:
    code, kind, address = FAULTS[name]
    check_fault(ibex, assemble(code), (kind, address), 1, counter=PC, profile=True)


def test_second_half_of_an_instruction_lies_outside(ibex: Machine) -> None:
    for end, size in ((END, 4), (FLASH_SIZE, 2)):
        ibex.load(end - size, b"\x01\x00\x13\x00"[-size:])  # C.NOP and half of an ADDI
        fault = ibex.run(end - size, limit=5).fault
        assert fault == Fault(EXECUTE, end, end - 2)


def test_running_over_the_end_of_memory(ibex: Machine) -> None:
    ibex.load(FLASH_SIZE - 4, b"\x13\x00\x00\x00")
    result = ibex.run(FLASH_SIZE - 4, limit=5)
    assert result.fault == Fault(EXECUTE, FLASH_SIZE, FLASH_SIZE)
    assert result.instructions == 1


def test_code_goes_on_from_region_to_region() -> None:
    halves = (Region("low", 0, 0x100, "flash"), Region("high", 0x100, 0x100, "ram"))
    with Machine(load_model("ibex"), halves) as machine:
        machine.load(0xFC, b"\x13\x05\x10\x00")  # ADDI a0, x0, 1
        machine.load(0x100, b"\x05\x05" + b"\x02\x90")  # C.ADDI a0, 1; C.EBREAK
        assert machine.run(0xFC, limit=5).result == 2


def test_odd_start(ibex: Machine) -> None:
    assert ibex.run(TEXT + 1, limit=1).fault == Fault(
        "unaligned instruction address", TEXT + 1, TEXT + 1
    )


def test_limit(ibex: Machine) -> None:
    image = assemble("1: j 1b")
    image.load(ibex)
    result = image.call(ibex, "_start", limit=1000)
    assert (result.stop, result.instructions, result.fault, result.bkpt) == (
        "limit",
        1000,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ("ebreak; srai x0, x0, 0", 0),
        ("ebreak; srai x0, x0, 1", 1),
        ("ebreak; srai x0, x0, 31", 31),
        ("c.ebreak; srai x0, x0, 2", 2),
        ("ebreak", 255),
        ("c.ebreak", 255),
        ("ebreak; srai x0, x1, 1", 255),
        ("ebreak; srli x0, x0, 1", 255),
        ("ebreak; nop; srai x0, x0, 1", 255),
    ],
)
def test_number_of_ebreak(code: str, number: int, ibex: Machine) -> None:
    image = assemble(f"li a0, 5; {code}; nop")
    image.load(ibex)
    result = image.call(ibex, "_start", profile=True)
    assert (result.stop, result.bkpt, result.result) == ("bkpt", number, 5)
    assert (result.cycles, result.instructions, result.classes) == (1, 1, {"alu": 1})
    assert ibex.register(PC) == TEXT + 4


def test_ebreak_at_the_end_of_memory(ibex: Machine) -> None:
    ibex.load(FLASH_SIZE - 2, b"\x02\x90")
    assert ibex.run(FLASH_SIZE - 2, limit=5).bkpt == 255


# --- unaligned accesses on a core that does not do them -------------------------------------------


@pytest.mark.parametrize(
    ("code", "kind", "address"),
    [
        ("nop; lw x5, 2(a1)", "unaligned read", RAM + 2),
        ("nop; lhu x5, 1(a1)", "unaligned read", RAM + 1),
        ("nop; lw x5, 1(a0)", "unaligned read", 1),
        ("nop; sw x5, 2(a1)", "unaligned write", RAM + 2),
        ("nop; sh x5, 3(a1)", "unaligned write", RAM + 3),
    ],
)
def test_strict_alignment(code: str, kind: str, address: int) -> None:
    strict = msgspec.structs.replace(load_model("ibex"), unaligned="fault")
    image = assemble(code)
    with Machine(strict, MEMORY) as machine:
        image.load(machine)
        assert image.call(machine, "_start", 0, RAM).fault == Fault(kind, address, AT)


# --- control registers ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mstatus", "mie", "mtvec", "mscratch", "mepc", "mcause", "mtval"])
def test_registers_that_keep_what_is_written(name: str, ibex: Machine) -> None:
    image = assemble(
        f"""csrrw x5, {name}, a0; csrrs x6, {name}, a1; csrrc x7, {name}, a2; csrrsi x28, {name}, 21
        csrrci x29, {name}, 4; csrrwi x30, {name}, 9; csrr x31, {name}; ebreak"""
    )
    image.load(ibex)
    image.call(ibex, "_start", 0xF0F0F000, 0x0F000F00, 0x00F0F000)
    seen = [0xF0F0F000, 0xFFF0FF00, 0xFF000F00, 0xFF000F15, 0xFF000F11, 9]
    assert [ibex.register(index) for index in (6, 7, 28, 29, 30, 31)] == seen


def test_counters() -> None:
    """They show the cycles and instructions of this run before the instruction that reads them."""
    image = assemble(
        """lw x5, 0(sp); csrr x5, mcycle; csrr x6, minstret; mul x7, x7, x7; csrr x28, cycle
        csrr x29, instret
        csrr x30, mcycleh; csrr x31, instreth; csrrci x8, minstret, 0; ebreak"""
    )
    with Machine(load_model("cv32e40p"), MEMORY) as machine:
        image.load(machine)
        machine.call(TEXT, [], sp=STACK_TOP - 16, return_to=TEXT, limit=100)
        found = [machine.register(index) for index in (5, 6, 28, 29, 30, 31, 8)]
    assert found == [2, 2, 11, 5, 0, 0, 8]


def test_identification_reads_as_zero(ibex: Machine) -> None:
    image = assemble(
        "csrr x5, mvendorid; csrr x6, marchid; csrr x7, mimpid; csrr x28, mhartid; ebreak"
    )
    image.load(ibex)
    image.call(ibex, "_start")
    assert [ibex.register(index) for index in (5, 6, 7, 28)] == [0, 0, 0, 0]


# --- the calling convention -----------------------------------------------------------------------


def test_arguments_and_result(ibex: Machine) -> None:
    """Eight arguments in a0 to a7, further ones on the stack, which stays a multiple of 16."""
    image = assemble(
        """lw t0, 0(sp); lw t1, 4(sp); andi t2, sp, 15; slli a1, a1, 1; slli a7, a7, 2
        add a0, a0, a1; add a0, a0, a7
        slli t0, t0, 3; slli t1, t1, 4; add a0, a0, t0; add a0, a0, t1; add a0, a0, t2; ret"""
    )
    image.load(ibex)
    result = image.call(ibex, "_start", 1, 1, 0, 0, 0, 0, 0, 1, 1, 1)
    assert (result.stop, result.bkpt, result.result) == ("bkpt", 1, 1 + 2 + 4 + 8 + 16)


def test_a_run_depends_on_nothing_before_it_but_gp_and_tp(ibex: Machine) -> None:
    image = assemble("ret")
    image.load(ibex)
    for index in range(1, 32):
        ibex.set_register(index, 0x11111111 * (index % 16))
    image.call(ibex, "_start", 7)
    kept = {3: 0x33333333, 4: 0x44444444, 1: image.symbols["back"], 2: STACK_TOP, 10: 7}
    assert [ibex.register(index) for index in range(32)] == [
        0, *(kept.get(index, 0xECF00000 + index) for index in range(1, 32)),
    ]  # fmt: skip


def test_reset_begins_at_the_address(ibex: Machine) -> None:
    image = assemble("mv a0, sp; add a0, a0, gp; ebreak; srai x0, x0, 0")
    image.load(ibex)
    ibex.set_register(3, 5)
    result = ibex.reset(TEXT, limit=10)
    assert (result.bkpt, result.result) == (0, 2 * 0xECF00000 + 2 + 3 & 0xFFFFFFFF)


def test_stack_pointer_must_be_aligned(ibex: Machine) -> None:
    with pytest.raises(SimError, match="not a multiple of 16"):
        ibex.call(TEXT, [], sp=STACK_TOP - 8, return_to=TEXT, limit=1)


def test_x0_stays_zero(ibex: Machine) -> None:
    ibex.set_register(0, 5)
    assert ibex.register(0) == 0
    image = assemble(
        "addi x0, x0, 5; lui x0, 1; lw x0, 0(sp); mul x0, a0, a0; csrr x0, minstret; jal x0, 1f; "
        "1: mv a0, x0; ebreak"
    )
    image.load(ibex)
    assert ibex.call(TEXT, [3], sp=STACK_TOP - 16, return_to=TEXT, limit=20).result == 0
