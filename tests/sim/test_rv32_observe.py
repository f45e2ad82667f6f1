"""What a RISC-V run observes: stack mark, accesses by region, trace hash, cycles by call stack."""

from __future__ import annotations

import pytest

from ecfit.sim.machine import Machine, RunResult
from workshop.cores.rv32_build import assemble
from workshop.sim.build import RAM, STACK_TOP, Image

pytestmark = pytest.mark.usefixtures("riscv_compiler")


def start(machine: Machine, code: str, *args: int) -> tuple[Image, RunResult]:
    image = assemble(code)
    image.load(machine)
    machine.functions(image.functions)
    result = image.call(machine, "_start", *args, profile=True)
    assert result.stop == "bkpt", result
    return image, result


@pytest.mark.parametrize(
    ("code", "depth"),
    [
        ("ret", 0),
        ("addi sp, sp, -32; addi sp, sp, 32; ret", 32),
        ("c.addi16sp sp, -64; c.addi16sp sp, 64; c.jr ra", 64),
        ("c.addi sp, -16; c.addi sp, 16; ret", 16),
        ("li t0, -4096; add sp, sp, t0; sub sp, sp, t0; ret", 4096),
        ("li t0, 48; c.mv t1, sp; sub sp, sp, t0; c.add sp, t0; ret", 48),
        ("addi sp, sp, -20; andi sp, sp, -16; addi sp, sp, 32; ret", 32),
        ("addi t0, sp, -80; c.mv sp, t0; addi sp, sp, 80; ret", 80),
        ("addi t0, sp, -96; sw t0, -4(sp); lw sp, -4(sp); addi sp, sp, 96; ret", 96),
        (
            "addi t0, sp, -112; sw t0, -8(sp); c.mv s0, sp; c.addi s0, -8; lw sp, 0(s0); "
            "addi sp, sp, 112; ret",
            112,
        ),
        ("mv t0, sp; lui sp, 1; mv sp, t0; ret", 0),  # half of an address
        ("xori t0, sp, 128; srli t0, t0, 1; slli sp, t0, 1; xori sp, sp, 128; ret", 0),
    ],
)
def test_stack_mark(code: str, depth: int, ibex: Machine) -> None:
    assert STACK_TOP - start(ibex, code)[1].stack_low == depth


def test_accesses_by_region(ibex: Machine) -> None:
    _, result = start(
        ibex,
        """lui t0, 0; lw t1, 0x100(t0); lb t1, 0x101(t0); lw t1, 0(a0); lhu t1, 2(a0);
        c.lw s1, 0(a0); sw t1, 8(a0)
        sb t1, 12(a0); lw t1, 1(a0); sw t1, 6(a0); ret""",
        RAM,
    )
    assert result.loads == {"flash": 2, "ram": 3 + 2}  # an access in two words is two
    assert result.stores == {"flash": 0, "ram": 2 + 2}


def test_trace_hash_follows_branches_and_addresses(ibex: Machine) -> None:
    code = "beqz a0, 1f; nop; 1: add a1, a1, a2; lw t0, 0(a1); mul t1, a3, a3; ret"
    base = start(ibex, code, 0, RAM, 0, 5)[1]
    assert start(ibex, code, 0, RAM, 0, 6)[1].trace_hash == base.trace_hash  # only a value differs
    assert start(ibex, code, 1, RAM, 0, 5)[1].trace_hash != base.trace_hash
    assert start(ibex, code, 0, RAM, 4, 5)[1].trace_hash != base.trace_hash


# Each function is declared as one, so that jumps to it are seen as tail calls.
def functions(*bodies: tuple[str, str]) -> str:
    return ";".join(f".type {name}, @function; {name}: {body}" for name, body in bodies)


def by_name(image: Image, result: RunResult) -> dict[str, int]:
    names = {address: name for name, address in image.symbols.items() if not name.startswith("$")}
    names[image.symbols["_start"]] = "_start"
    return {
        "/".join(names[address] for address in stack): cycles for stack, cycles in result.profile
    }


def test_profile_of_calls_and_returns(ibex: Machine) -> None:
    code = "mv s0, ra; call one; call one; jal two; jr s0;" + functions(
        ("one", "nop; ret"), ("two", "nop; nop; ret")
    )
    image, result = start(ibex, code)
    # a call is AUIPC and JALR, JAL is one instruction; jumps are 2 cycles
    assert by_name(image, result) == {
        "_start": 1 + 2 * 3 + 2 + 2,
        "_start/one": 2 * 3,
        "_start/two": 4,
    }
    assert sum(cycles for _, cycles in result.profile) == result.cycles


def test_profile_of_tail_calls(ibex: Machine) -> None:
    code = "mv s0, ra; jal one; jr s0;" + functions(
        ("one", "nop; j two"), ("two", "nop; nop; la t1, three; jr t1"), ("three", "ret")
    )
    image, result = start(ibex, code)
    found = by_name(image, result)
    assert found == {
        "_start": 1 + 2 + 2,
        "_start/one": 1 + 2,
        "_start/two": 2 + 2 + 2,
        "_start/three": 2,
    }


def test_profile_of_the_alternate_link_register(ibex: Machine) -> None:
    """The compiler's routines that save registers are called by t0, and return
    with a lower stack pointer.
    """
    code = """jal t0, save; addi a0, a0, 1; lw ra, 12(sp); addi sp, sp, 16; ret;""" + functions(
        ("save", "addi sp, sp, -16; sw ra, 12(sp); jr t0")
    )
    image, result = start(ibex, code)
    assert by_name(image, result) == {"_start": 2 + 1 + 2 + 1 + 2, "_start/save": 1 + 2 + 2}


def test_profile_of_indirect_calls_and_recursion(ibex: Machine) -> None:
    code = "mv s0, ra; la t1, down; jalr t1; jr s0;" + functions(
        (
            "down",
            """beqz a0, 1f; addi sp, sp, -16; sw ra, 0(sp); addi a0, a0, -1; jal down
            lw ra, 0(sp); addi sp, sp, 16; 1: ret""",
        )
    )
    image, result = start(ibex, code, 2)
    body = 1 + 1 + 2 + 1 + 2 + 2 + 1 + 2
    assert by_name(image, result) == {
        "_start": 1 + 2 + 2 + 2,
        "_start/down": body,
        "_start/down/down": body,
        "_start/down/down/down": 3 + 2,
    }
