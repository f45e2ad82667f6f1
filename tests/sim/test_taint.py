"""Secrets followed through registers, flags and memory: what is found, what is not,
and what it leaves alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from ecfit.sim.machine import (
    DECLARED,
    PUBLIC_BLOCK,
    Finding,
    FlashTiming,
    Machine,
    SimError,
    load_model,
)
from ecfit.sim.model import CycleModel
from workshop.cores import rv32_build
from workshop.rigs.taint_follow import BUFFER, KEY, NONCE, follow, kinds
from workshop.sim.build import MEMORY, RAM, assemble, compile_c


@pytest.fixture(scope="module")
def machines() -> Iterator[dict[str, Machine]]:
    made = {
        name: Machine(load_model(name), MEMORY)
        for name in ("cortex-m0", "cortex-m3", "cortex-m4", "ibex")
    }
    yield made
    for machine in made.values():
        machine.close()


ARM = {
    "branch": ("ldr r1, [r0]; cmp r1, #7; beq 1f; 1: bx lr", [("branch", KEY)]),
    "branch on a carry": ("ldrb r1, [r0]; lsrs r1, r1, #1; bcs 1f; 1: bx lr", [("branch", KEY)]),
    "branch on a sum of both": (
        "ldr r1, [r0]; ldr r2, [r0, #16]; adds r1, r1, r2; bmi 1f; 1: bx lr",
        [("branch", KEY | NONCE)],
    ),
    "look-up": (
        "ldrb r1, [r0, #20]; movs r2, r0; adds r2, r2, r1; ldrb r2, [r2]; bx lr",
        [("load address", NONCE)],
    ),
    "look-up by index": ("ldrb r1, [r0]; ldrb r2, [r0, r1]; bx lr", [("load address", KEY)]),
    "store": ("ldrb r1, [r0]; strb r1, [r0, r1]; bx lr", [("store address", KEY)]),
    "what was looked up is secret": (
        "ldrb r1, [r0]; movs r2, #0; ldrb r3, [r0, r1]; cmp r3, r2; bne 1f; 1: bx lr",
        [("load address", KEY), ("branch", KEY)],
    ),
    "computed branch": (
        "ldrb r1, [r0]; adr r2, 1f; lsrs r1, r1, #7; adds r2, r2, r1; adds r2, #1; bx r2; "
        ".balign 4; 1: bx lr",
        [("branch target", KEY)],
    ),
    "return address from memory": (
        "push {lr}; ldr r1, [sp]; ldrb r2, [r0]; lsrs r2, r2, #7; adds r1, r1, r2; str r1, [sp]; "
        "pop {pc}",
        [("branch target", KEY)],
    ),
    "through memory and the stack": (
        "ldr r1, [r0]; str r1, [r0, #40]; push {r1}; ldr r2, [r0, #40]; pop {r3}; cmp r2, r3; "
        "beq 1f; 1: bx lr",
        [("branch", KEY)],
    ),
    "through multiple loads and stores": (
        "movs r4, r0; ldm r4!, {r1, r2}; adds r4, #24; stm r4!, {r1, r2}; ldr r3, [r0, #36]; "
        "tst r3, r3; beq 1f;"
        "1: bx lr",
        [("branch", KEY)],
    ),
    "through a status register": (
        "ldr r1, [r0]; cmp r1, #1; mrs r2, apsr; lsrs r2, r2, #28; cmp r2, #0; beq 1f; 1: bx lr",
        [("branch", KEY)],
    ),
}
PUBLIC = {
    "constant-time select": (
        "ldr r1, [r0]; ldr r2, [r0, #16]; ldrb r3, [r0, #4]; lsls r3, r3, #31; asrs r3, r3, #31; "
        "eors r1, r2;"
        "ands r1, r3; eors r1, r2; str r1, [r0, #40]; bx lr"
    ),
    "a secret carry, then a public test": (
        "ldr r1, [r0]; adds r1, r1, r1; movs r2, #3; adcs r1, r2; 1: movs r3, #0; bne 2f; "
        "subs r2, #1; bne 1b; 2: bx lr"
    ),
    "a mask from a public carry in a secret register": (
        "ldr r1, [r0]; movs r2, #1; cmp r2, #2; sbcs r1, r1; beq 1f; ldrb r3, [r0, r1]; 1: bx lr"
    ),
    "a register that is overwritten": (
        "ldr r1, [r0]; movs r1, #4; ldr r2, [r0, r1]; cmp r1, #4; beq 1f; 1: bx lr"
    ),
    "memory that is overwritten": (
        "movs r1, #4; str r1, [r0]; ldr r2, [r0]; cmp r2, #4; beq 1f; 1: bx lr"
    ),
    "bytes beside a secret": (
        "movs r1, #9; strb r1, [r0, #3]; ldrb r2, [r0, #3]; ldr r3, [r0]; lsrs r3, r3, #24; "
        "cmp r2, r3; beq 1f;1: bx lr"
    ),
    "a register less itself": (
        "ldr r1, [r0]; ldr r2, [r0]; subs r1, r1, r1; eors r2, r2; cmp r1, r2; beq 1f; 1: bx lr"
    ),
    "multiplied": "ldr r1, [r0]; ldr r2, [r0, #16]; muls r1, r2; str r1, [r0, #40]; bx lr",
}


@pytest.mark.parametrize("core", ["cortex-m0", "cortex-m3", "cortex-m4"])
@pytest.mark.parametrize("name", ARM)
def test_found(machines: dict[str, Machine], cross_compiler: None, core: str, name: str) -> None:
    code, expected = ARM[name]
    image = assemble(code.replace(";", "\n"), cpu=core)
    assert kinds(follow(machines[core], image).findings) == expected


@pytest.mark.parametrize("core", ["cortex-m0", "cortex-m3", "cortex-m4"])
@pytest.mark.parametrize("name", PUBLIC)
def test_not_found(
    machines: dict[str, Machine], cross_compiler: None, core: str, name: str
) -> None:
    assert (
        follow(machines[core], assemble(PUBLIC[name].replace(";", "\n"), cpu=core)).findings == ()
    )


WIDE = {
    "compare and branch": ("ldr r1, [r0]; cbz r1, 1f; nop; 1: bx lr", [("branch", KEY)]),
    "table branch": ("ldrb r1, [r0]; lsrs r1, r1, #7; tbb [pc, r1]; .byte 1, 1; 1: bx lr", None),
    "table branch by a secret entry": (
        "movs r2, #15; tbb [r0, r2]; .rept 20; nop; .endr; bx lr",
        [("branch target", KEY)],
    ),
    "table branch by the next secret": (
        "movs r2, #16; tbb [r0, r2]; .rept 20; nop; .endr; bx lr",
        [("branch target", NONCE)],
    ),
    "shifted operand": (
        "ldr r1, [r0]; movs r2, #0; orr r2, r2, r1, lsr #9; cmp r2, #0; beq 1f; 1: bx lr",
        [("branch", KEY)],
    ),
    "two words": ("ldrd r1, r2, [r0, #12]; cmp r2, #3; beq 1f; 1: bx lr", [("branch", NONCE)]),
    "through floating-point registers": (
        ".fpu fpv4-sp-d16; ldr r1, [r0]; vmov s3, r1; vmov r2, s3; cmp r2, #3; beq 1f; 1: bx lr",
        [("branch", KEY)],
    ),
    "conditional computation takes the same time": (
        "ldr r1, [r0]; cmp r1, #3; ite eq; moveq r2, #1; movne r2, #0; str r2, [r0, #40]; bx lr",
        [],
    ),
    "but its result is secret": (
        "ldr r1, [r0]; movs r2, #0; cmp r1, #3; it eq; moveq r2, #1; cmp r2, #1; beq 1f; 1: bx lr",
        [("branch", KEY)],
    ),
    "also when it is executed": (
        "ldr r1, [r0]; movs r2, #0; cmp r1, #3; it ne; movne r2, #1; cmp r2, #1; beq 1f; 1: bx lr",
        [("branch", KEY)],
    ),
    "and not that of the instruction behind it": (
        "ldr r1, [r0]; movs r2, #0; cmp r1, #3; it eq; moveq r2, #1; mov r3, r0; cmp r2, #1; "
        "beq 1f; 1: bx lr",
        [("branch", KEY)],
    ),
    "conditional load": (
        "ldr r1, [r0]; cmp r1, #3; it eq; ldreq r2, [r0, #40]; bx lr",
        [("condition", KEY)],
    ),
    "conditional store": (
        "ldr r1, [r0]; cmp r1, #3; it ne; strne r1, [r0, #40]; bx lr",
        [("condition", KEY)],
    ),
    "conditional branch in a block": (
        "ldr r1, [r0]; cmp r1, #3; it eq; bxeq lr; bx lr",
        [("condition", KEY)],
    ),
    "condition of public flags": (
        "ldr r1, [r0]; cmp r0, #3; it eq; ldreq r2, [r0, #40]; bx lr",
        [],
    ),
    "flags of a parallel addition": (
        "ldr r1, [r0]; movs r2, #0; uadd8 r1, r1, r1; sel r3, r2, r2; cmp r3, #1; beq 1f; 1: bx lr",
        [("branch", KEY)],
    ),
    "which those of a public one replace": (
        "ldr r1, [r0]; movs r2, #0; uadd8 r1, r1, r1; uadd8 r2, r2, r2; sel r3, r2, r2; "
        "cmp r3, #1; beq 1f; 1: bx lr",
        [],
    ),
    "but not those of one that saturates": (
        "ldr r1, [r0]; movs r2, #0; uadd8 r1, r1, r1; uqadd8 r2, r2, r2; sel r3, r2, r2; "
        "cmp r3, #1; beq 1f; 1: bx lr",
        [("branch", KEY)],
    ),
    "bit field": (
        "ldr r1, [r0]; ubfx r2, r1, #5, #3; cmp r2, #1; beq 1f; 1: bx lr",
        [("branch", KEY)],
    ),
}


@pytest.mark.parametrize("name", WIDE)
def test_armv7m(machines: dict[str, Machine], cross_compiler: None, name: str) -> None:
    code, expected = WIDE[name]
    if expected is None:
        expected = [("load address", KEY), ("branch target", KEY)]
    image = assemble(code.replace(";", "\n"), cpu="cortex-m4")
    assert kinds(follow(machines["cortex-m4"], image).findings) == expected


RISC_V = {
    "branch": ("lw a1, 0(a0); beqz a1, 1f; 1: ret", [("branch", KEY)]),
    "short branch": ("lw a1, 0(a0); c.beqz a1, 1f; 1: ret", [("branch", KEY)]),
    "look-up": ("lbu a1, 16(a0); add a2, a0, a1; lbu a3, 0(a2); ret", [("load address", NONCE)]),
    "store": ("lbu a1, 0(a0); add a2, a0, a1; sb a1, 0(a2); ret", [("store address", KEY)]),
    "shift amount": ("lw a1, 0(a0); sll a2, a0, a1; srl a2, a0, a1; sra a2, a0, a1; ret", []),
    "through a control register": (
        "lw a1, 0(a0); csrw mscratch, a1; csrr a2, mscratch; csrw mscratch, zero; "
        "csrr a3, mscratch; beqz a2, 1f;"
        "1: beqz a3, 1f; 1: ret",
        [("branch", KEY)],
    ),
    "division": ("lw a1, 0(a0); li a2, 7; divu a3, a2, a1; ret", [("operand", KEY)]),
    "remainder": ("lw a1, 0(a0); li a2, 7; remu a3, a1, a2; ret", [("operand", KEY)]),
    "multiplication": ("lw a1, 0(a0); mul a2, a1, a1; mulhu a3, a1, a1; ret", []),
    "computed jump": (
        "lbu a1, 0(a0); srli a1, a1, 7; add a1, a1, ra; jr a1",
        [("branch target", KEY)],
    ),
    "select": (
        "lw a1, 0(a0); lw a2, 16(a0); sltu a3, a1, a2; neg a3, a3; and a1, a1, a3; sw a1, 40(a0); "
        "ret",
        [],
    ),
    "set on a comparison": (
        "lw a1, 0(a0); sltiu a2, a1, 9; bnez a2, 1f; 1: ret",
        [("branch", KEY)],
    ),
    "what is written to x0": ("lw zero, 0(a0); beqz zero, 1f; 1: ret", []),
}


@pytest.mark.parametrize("name", RISC_V)
def test_rv32(machines: dict[str, Machine], riscv_compiler: None, name: str) -> None:
    code, expected = RISC_V[name]
    assert kinds(follow(machines["ibex"], rv32_build.assemble(code)).findings) == expected


@pytest.mark.parametrize(
    ("core", "code", "expected"),
    [
        ("cortex-m3", "umull r2, r3, r1, r1", [("operand", KEY)]),
        ("cortex-m3", "smull r2, r3, r1, r0", [("operand", KEY)]),
        ("cortex-m3", "movs r2, #0; movs r3, #0; umlal r2, r3, r0, r1", [("operand", KEY)]),
        ("cortex-m3", "movs r2, #0; movs r3, r1; umlal r2, r3, r0, r0", [("operand", KEY)]),
        ("cortex-m3", "movs r2, #0; umull r2, r3, r2, r0", []),
        ("cortex-m3", "mul r2, r1, r1", []),
        ("cortex-m3", "mla r2, r1, r1, r1", []),
        ("cortex-m3", "udiv r2, r0, r1", [("operand", KEY)]),
        ("cortex-m4", "umull r2, r3, r1, r1", []),
        ("cortex-m4", "umaal r2, r3, r1, r1", []),
        ("cortex-m4", "sdiv r2, r1, r0", [("operand", KEY)]),
    ],
)
def test_variable_time_by_core(
    machines: dict[str, Machine],
    cross_compiler: None,
    core: str,
    code: str,
    expected: list[tuple[str, int]],
) -> None:
    """The same instruction is a finding where its time depends on the operands:
    what the core's model says.
    """
    image = assemble(f"ldr r1, [r0]; {code}; bx lr".replace(";", "\n"), cpu=core)
    assert kinds(follow(machines[core], image).findings) == expected


def with_variable_time(core: str, row: str) -> CycleModel:
    return msgspec.structs.replace(load_model(core), variable_time={row: "made up"})


@pytest.mark.parametrize("condition", ["eq", "ne"])
@pytest.mark.parametrize("register", ["r2", "r3"])
def test_both_results_under_a_secret_condition(
    machines: dict[str, Machine], cross_compiler: None, condition: str, register: str
) -> None:
    """Executed or skipped, UMULL's two registers depend on the condition."""
    code = (
        f"ldr r1, [r0]; movs r2, #0; movs r3, #0; cmp r1, #3; it {condition}; "
        f"umull{condition} r2, r3, r2, r2; mov r4, r0; cmp {register}, #1; beq 1f; 1: bx lr"
    )
    image = assemble(code.replace(";", "\n"), cpu="cortex-m4")
    assert kinds(follow(machines["cortex-m4"], image).findings) == [("branch", KEY)]


@pytest.mark.parametrize(
    "code",
    [
        "uadd8 r2, r1, r1",
        "sel r2, r1, r1",
        "smuad r2, r1, r1",
        "smlad r2, r1, r1, r1",
        "smlald r2, r3, r1, r1",
        "umaal r2, r3, r1, r1",
        "ssat16 r2, #3, r1",
        "qadd r2, r1, r1",
        "uxtab16 r2, r1, r1",
    ],
)
def test_variable_time_of_dsp_instructions(cross_compiler: None, code: str) -> None:
    """On a core whose DSP instructions would take a time by their operands."""
    image = assemble(f"ldr r1, [r0]\n{code}\nbx lr", cpu="cortex-m4")
    with Machine(with_variable_time("cortex-m4", "dsp"), MEMORY) as machine:
        assert kinds(follow(machine, image).findings) == [("operand", KEY)]


def test_variable_time_is_data(cross_compiler: None) -> None:
    """Rows without an interval are named by the model; a name that is no row is an error."""
    image = assemble("ldr r1, [r0]\nmuls r1, r0\nbx lr")
    with Machine(with_variable_time("cortex-m0", "multiply"), MEMORY) as machine:
        assert kinds(follow(machine, image).findings) == [("operand", KEY)]
    wrong = with_variable_time("cortex-m0", "mul")
    with pytest.raises(SimError, match="unknown row: mul"):
        Machine(wrong, MEMORY)


@pytest.mark.parametrize("core", ["cortex-m0", "cortex-m3", "ibex"])
def test_shift_amounts(cross_compiler: None, riscv_compiler: None, core: str) -> None:
    """On none of the modelled cores does a shift by register take longer for a longer way;
    a model can say so.
    """
    if core == "ibex":
        code = (
            "lw a1, 0(a0); lw a2, 16(a0); sll a3, a2, a1; srl a3, a1, a0; sra a3, a1, a2; "
            "slli a3, a1, 3; ret"
        )
        image = rv32_build.assemble(code)
    else:
        code = (
            "ldr r1, [r0]; ldr r2, [r0, #16]; movs r3, r2; lsls r3, r1; movs r3, r1; lsrs r3, r0; "
            "asrs r1, r2;"
            "lsls r3, r1, #3; bx lr"
        )
        image = assemble(code.replace(";", "\n"), cpu=core)
    with Machine(load_model(core), MEMORY) as machine:
        assert follow(machine, image).findings == ()
    with Machine(with_variable_time(core, "shift_amount"), MEMORY) as machine:
        assert kinds(follow(machine, image).findings) == [("operand", KEY), ("operand", NONCE)]


def test_libgcc_long_multiply_of_armv6m(machines: dict[str, Machine], cross_compiler: None) -> None:
    """GCC's helper for 64-bit products has a branch on its operands."""
    source = """
    #include <stdint.h>
    uint64_t product(const uint64_t *secret, uint64_t y) { return secret[0] * y; }
    uint32_t short_product(const uint32_t *secret, uint32_t y) { return secret[0] * y; }
    """
    image = compile_c(source, "-Os")
    findings = follow(machines["cortex-m0"], image, 5, 0, function="product").findings
    assert findings
    assert {found.kind for found in findings} == {"branch"}
    inside = image.symbols["__aeabi_lmul"]
    assert all(found.stack == (image.symbols["product"], inside) for found in findings)
    assert follow(machines["cortex-m0"], image, 5, function="short_product").findings == ()


def test_a_finding_says_where_and_how_often(
    machines: dict[str, Machine], cross_compiler: None
) -> None:
    image = assemble("""
        .type _start, %function
        _start: push {r4, lr}
                movs r4, #3
        1:      bl leak
                subs r4, #1
                bne 1b
                pop {r4, pc}
        .type leak, %function
        leak:   ldrb r1, [r0]
        here:   ldrb r2, [r0, r1]
                ldrb r1, [r0, #16]
                ldrb r2, [r0, r1]
                bx lr
    """)
    first, second = follow(machines["cortex-m0"], image).findings
    assert first == Finding(
        "load address",
        image.symbols["here"],
        KEY,
        3,
        (image.symbols["_start"], image.symbols["leak"]),
    )
    assert (second.pc, second.labels, second.count) == (first.pc + 4, NONCE, 3)


def test_declared_public(cross_compiler: None) -> None:
    """A register at a place, and a block of memory at a function's entry."""
    image = assemble("""
                ldr r1, [r0]
                nop
        here:   cmp r1, #1
                beq 1f
        1:      ldr r2, [r0, #4]
                cmp r2, #1
                beq 2f
        2:      bx lr
        declare: bx lr
        memory: push {r4, lr}
                movs r4, r0
                movs r1, #4
                bl declare
                ldr r1, [r4]
                cmp r1, #1
                beq 1f
        1:      ldr r1, [r4, #4]
                cmp r1, #1
                beq 2f
        2:      pop {r4, pc}
    """)
    with Machine(load_model("cortex-m0"), MEMORY) as machine:
        assert len(follow(machine, image).findings) == 2
        machine.public_at(image.symbols["here"], 1)
        machine.public_at(image.symbols["here"] + 2, 3)  # nothing secret is there
        machine.public_at(image.symbols["declare"], PUBLIC_BLOCK)
        result = follow(machine, image)
        assert [found.pc for found in result.findings] == [image.symbols["here"] + 8]
        start = (image.symbols["_start"],)
        assert result.declared == (
            Finding(DECLARED, image.symbols["here"], KEY, 1, start, what=1, bytes=4),
        )
        result = follow(machine, image, function="memory")
        assert [found.pc for found in result.findings] == [image.symbols["memory"] + 20]
        assert [(found.pc, found.labels) for found in result.declared] == [
            (image.symbols["declare"], KEY)
        ]


def test_a_point_counts_for_one_way_to_it(cross_compiler: None) -> None:
    """The first that is taken: from the instruction before it or the call there, or by a jump, as
    from a loop whose end it is. The head of a loop behind it may have the same address.
    """
    image = assemble("""
        begin:  ldr r1, [r0]
                movs r2, #2
                nop
        head:   cmp r1, #1
                beq 1f
        1:      ldr r1, [r0]
                subs r2, #1
                bne head
                bx lr
        ends:   movs r2, #2
        again:  subs r2, #1
                ldr r1, [r0]
                beq end
                b again
        end:    cmp r1, #1
                beq 1f
        1:      bx lr
        calls:  push {r4, lr}
                bl gives
        after:  cmp r1, #1
                beq 1f
        1:      pop {r4, pc}
        gives:  ldr r1, [r0]
                bx lr
    """)
    at = image.symbols
    with Machine(load_model("cortex-m0"), MEMORY) as machine:
        machine.functions([at[name] for name in ("begin", "ends", "calls", "gives")])
        for name in ("head", "end", "after"):
            machine.public_at(at[name], 1)
        for name, leak, times in (("begin", "head", 1), ("ends", None, 1), ("calls", None, 1)):
            result = follow(machine, image, function=name)
            wanted = [(at[leak] + 2, 1)] if leak else []
            assert [(found.pc, found.count) for found in result.findings] == wanted, name
            assert sum(found.count for found in result.declared) == times, name


@pytest.mark.parametrize("flash", [None, FlashTiming(2, 128)])
def test_counts_do_not_depend_on_it(cross_compiler: None, flash: FlashTiming | None) -> None:
    """Cycles, instructions, stack and trace are those of a plain run; so is the profile."""
    source = """
    #include <stdint.h>
    static __attribute__((noinline)) uint32_t mix(uint32_t x) { return x * 2654435761u ^ x / 7; }
    uint32_t work(const uint8_t *secret)
    {
        uint32_t x = 1;
        for (int i = 0; i < 32; i++) x = mix(x + secret[i]);
        return x;
    }
    """
    image = compile_c(source, "-O2")
    with Machine(load_model("cortex-m0"), MEMORY, flash) as machine:
        followed = follow(machine, image, function="work")
        plain = image.call(machine, "work", BUFFER)
        profiled = image.call(machine, "work", BUFFER, profile=True)
    for name in ("cycles", "cycles_min", "instructions", "stack_low", "trace_hash", "result"):
        assert getattr(followed, name) == getattr(plain, name) == getattr(profiled, name), name
    assert followed.findings
    assert plain.findings == profiled.findings == ()


def test_secrets_lie_in_ram() -> None:
    with Machine(load_model("cortex-m0"), MEMORY) as machine:
        machine.secret(RAM + 4, 4, KEY | NONCE)
        assert machine.labels(RAM, 12) == bytes([0, 0, 0, 0, 3, 3, 3, 3, 0, 0, 0, 0])
        for address, size, labels in [
            (0, 4, 1),
            (RAM + 0xFFFC, 8, 1),
            (RAM, 4, 256),
            (0x50000000, 1, 1),
        ]:
            with pytest.raises(SimError, match="secret outside RAM"):
                machine.secret(address, size, labels)
        with pytest.raises(SimError, match="no such point"):
            machine.public_at(0x50000000, 1)
        with pytest.raises(SimError, match="no such point"):
            machine.public_at(0, 200)
