"""Leaks planted against taint itself: each was missed once, or was no leak and was reported."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ecfit.sim.machine import PUBLIC_BLOCK, TABLE_FULL, Machine, RunResult, load_model
from workshop.cores import rv32_build
from workshop.rigs.taint_follow import BUFFER, KEY, NONCE, follow, kinds
from workshop.sim.build import MEMORY, RAM, Image, assemble, link

ROOM = 3072  # findings, and declarations: sim/ecsim.h


@pytest.fixture(scope="module")
def machines() -> Iterator[dict[str, Machine]]:
    names = ("cortex-m0", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "ibex")
    made = {name: Machine(load_model(name), MEMORY) for name in names}
    yield made
    for machine in made.values():
        machine.close()


def arm(core: str, code: str) -> Image:
    return assemble(code.replace(";", "\n"), cpu=core)


def followed(machines: dict[str, Machine], core: str, code: str) -> RunResult:
    image = rv32_build.assemble(code) if core == "ibex" else arm(core, code)
    return follow(machines[core], image)


# --- products of halves ---------------------------------------------------------------------------

LONG_SUMS = (
    "smlald", "smlaldx", "smlsld", "smlsldx", "smlalbb", "smlalbt", "smlaltb", "smlaltt",
)  # fmt: skip


@pytest.mark.parametrize("core", ["cortex-m4", "cortex-m7", "cortex-m33"])
@pytest.mark.parametrize("name", LONG_SUMS)
def test_top_halves_reach_the_low_byte(
    machines: dict[str, Machine], cross_compiler: None, core: str, name: str
) -> None:
    """Of a word whose top halfword alone is secret."""
    code = (
        "ldrh r1, [r0]; lsls r1, r1, #16; ldr r2, =0x00030005; movs r3, #0; movs r4, #0;"
        f"{name} r3, r4, r1, r2; movs r5, #0; movs r6, #0; {name} r5, r6, r2, r1;"
        "orrs r3, r5; uxtb r3, r3;"
        "cmp r3, #5; beq 1f; 1: bx lr; .ltorg"
    )
    assert kinds(
        followed(
            machines, core, f"push {{r4-r6}}; {code}".replace("1: bx lr", "1: pop {r4-r6}; bx lr")
        ).findings
    ) == [("branch", KEY)]


# --- exclusive stores -----------------------------------------------------------------------------


@pytest.mark.parametrize("core", ["cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33"])
@pytest.mark.parametrize("size", ["", "b", "h"])
def test_a_store_that_fails_leaves_the_secret(
    machines: dict[str, Machine], cross_compiler: None, core: str, size: str
) -> None:
    code = (
        f"clrex; movs r1, #1; strex{size} r2, r1, [r0]; ldr{size} r3, [r0]; cmp r2, #1; bne 1f;"
        "cmp r3, #1; beq 1f; 1: bx lr"
    )
    assert kinds(followed(machines, core, code).findings) == [("branch", KEY)]
    code = code.replace("clrex", f"ldrex{size} r2, [r0]")
    assert followed(machines, core, code).findings == ()


# --- secret code ----------------------------------------------------------------------------------

CODE = RAM + 0x400
# An instruction that puts a number into a register, and a return; the number is the secret's.
ARM_CODE = """
        ldr r1, ={code}
        ldrb r2, [r0]
        ldr r3, ={instruction}
        {mix}
        {store} r3, [r1]
        ldr r3, =0x4770             @ bx lr
        strh r3, [r1, #{size}]
        push {{lr}}
        adds r1, r1, #1
        {turns}
        blx r1
        pop {{pc}}
        .ltorg
"""


@pytest.mark.parametrize("core", ["cortex-m0", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33"])
def test_secret_code(machines: dict[str, Machine], cross_compiler: None, core: str) -> None:
    """`movs r2, #secret` gives a register that nothing marks: the execution is the finding."""
    code = ARM_CODE.format(
        code=CODE, instruction="0x2200", mix="orrs r3, r2", store="strh", size=2, turns=""
    )
    image = assemble(code, cpu=core)
    assert kinds(follow(machines[core], image).findings) == [("code", KEY)]
    public = assemble(code.replace("ldrb r2, [r0]", "movs r2, #7"), cpu=core)
    assert follow(machines[core], public).findings == ()


@pytest.mark.parametrize("core", ["cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33"])
def test_secret_code_of_32_bits(
    machines: dict[str, Machine], cross_compiler: None, core: str
) -> None:
    """`movw r2, #secret`: the secret stands in the second halfword."""
    code = ARM_CODE.format(
        code=CODE,
        instruction="0x0200f240",
        mix="orr r3, r3, r2, lsl #16",
        store="str",
        size=4,
        turns="",
    )
    assert kinds(follow(machines[core], assemble(code, cpu=core)).findings) == [("code", KEY)]


def test_secret_code_of_risc_v(machines: dict[str, Machine], riscv_compiler: None) -> None:
    code = (
        f"li a1, {CODE}; lbu a2, 0(a0); slli a2, a2, 20; li a3, 0x613; or a3, a3, a2; sw a3, 0(a1);"
        "li a3, 0x8067; sw a3, 4(a1); mv t1, ra; jalr ra, 0(a1); mv ra, t1; ret"
    )  # addi a2, zero, secret; ret
    assert kinds(followed(machines, "ibex", code).findings) == [("code", KEY)]


def test_secret_code_is_found_in_each_run(
    machines: dict[str, Machine], cross_compiler: None
) -> None:
    """Also where an earlier run has decoded it."""
    code = ARM_CODE.format(
        code=CODE, instruction="0x2200", mix="orrs r3, r2", store="strh", size=2, turns=""
    )
    image = assemble(code, cpu="cortex-m4")
    for _ in range(2):
        assert kinds(follow(machines["cortex-m4"], image).findings) == [("code", KEY)]


def test_a_secret_breakpoint(machines: dict[str, Machine], cross_compiler: None) -> None:
    """It ends the run: which instruction it is was decided by a secret."""
    machine = machines["cortex-m0"]
    machine.write(RAM, (0xBE01).to_bytes(2, "little"))
    machine.secret(RAM, 2, KEY)
    result = machine.run(RAM | 1, limit=10, taint=True)
    assert kinds(result.findings) == [("code", KEY)]


@pytest.mark.parametrize("byte", [4, 5])
@pytest.mark.parametrize("core", ["cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33"])
def test_code_that_decides_the_time_of_the_instruction_before(core: str, byte: int) -> None:
    """BEQ jumps over a halfword, on which its time depends; either byte may be the secret one."""
    code = (0x4280, 0xD000, 0xBF00, 0xBE01)  # CMP r0, r0; BEQ; NOP; BKPT
    with Machine(load_model(core), MEMORY) as machine:
        machine.write(RAM, b"".join(half.to_bytes(2, "little") for half in code))
        machine.secret(RAM + byte, 1, KEY)
        result = machine.run(RAM | 1, limit=10, taint=True)
    assert kinds(result.findings) == [("code", KEY)]


def test_a_run_that_does_not_begin_finds_nothing(
    machines: dict[str, Machine], cross_compiler: None
) -> None:
    """Its result does not repeat the findings of an earlier run."""
    machine = machines["cortex-m0"]
    assert follow(machine, branches(1)).findings
    result = machine.run(RAM, limit=10, taint=True)  # without the Thumb bit
    assert (result.stop, result.findings) == ("fault", ())


# --- the table of findings ------------------------------------------------------------------------


def branches(count: int) -> Image:
    """That many branches on a secret, each at its own place."""
    return assemble(f"ldr r1, [r0]\ncmp r1, #3\n.rept {count}\nbeq 1f\n1:\n.endr\nbx lr")


def test_a_full_table_is_a_finding(machines: dict[str, Machine], cross_compiler: None) -> None:
    machine = machines["cortex-m0"]
    found = follow(machine, branches(ROOM)).findings
    assert (len(found), {one.kind for one in found}) == (ROOM, {"branch"})
    image = branches(ROOM + 100)
    *listed, last = follow(machine, image).findings
    assert (len(listed), {one.kind for one in listed}) == (ROOM, {"branch"})
    assert (last.kind, last.count, last.labels) == (TABLE_FULL, 100, KEY)
    assert last.pc == listed[-1].pc + 2


def test_declarations_crowd_nothing_out(cross_compiler: None) -> None:
    """More declarations than there is room for, and then a leak; those that are not listed
    are a finding.
    """
    image = assemble(
        f"ldr r1, [r0]\nhere:\n.rept {ROOM + 5}\nmovs r2, r1\n.endr\n"
        "ldr r1, [r0, #16]\ncmp r1, #3\nbeq 1f\n1: bx lr"
    )
    with Machine(load_model("cortex-m0"), MEMORY) as machine:
        for index in range(ROOM + 5):
            machine.public_at(image.symbols["here"] + 2 * index + 2, 2)
        result = follow(machine, image)
    assert len(result.declared) == ROOM
    assert [(one.kind, one.count) for one in result.findings] == [("branch", 1), (TABLE_FULL, 5)]


# --- declarations ---------------------------------------------------------------------------------

DECLARES = """
        .type declare, %function
        .type one, %function
        .type two, %function
        push {r4, lr}
        movs r4, r0
        bl one
        bl one
        bl two
        pop {r4, pc}
one:    push {lr}
        movs r1, #4
        movs r0, r4
        bl declare
        ldr r1, [r4]                @ secret again, for the next
        movs r0, r4
        ldr r2, [r4, #16]
        str r2, [r4]
        pop {pc}
two:    push {lr}
        movs r1, #12
        movs r0, r4
        bl declare
        pop {pc}
declare: bx lr
"""


def test_each_use_of_a_declaration_is_listed(cross_compiler: None) -> None:
    """With its path of calls and its size: one use does not hide another."""
    image = assemble(DECLARES)
    start, one, two, declare = (image.symbols[name] for name in ("_start", "one", "two", "declare"))
    with Machine(load_model("cortex-m0"), MEMORY) as machine:
        machine.public_at(declare, PUBLIC_BLOCK)
        declared = follow(machine, image).declared
    assert [(use.stack, use.bytes, use.count, use.labels) for use in declared] == [
        ((start, one, declare), 4, 2, KEY | NONCE),
        ((start, two, declare), 12, 1, KEY | NONCE),
    ]


def test_no_more_than_its_size_becomes_public(cross_compiler: None) -> None:
    """Of a register of which a byte is declared, the others stay secret."""
    image = assemble(
        "ldr r1, [r0]\nhere: uxtb r2, r1\ncmp r2, #1\nbeq 1f\n1: cmp r1, #1\nbeq 2f\n2: bx lr"
    )
    with Machine(load_model("cortex-m0"), MEMORY) as machine:
        machine.public_at(image.symbols["here"], 1, 1)
        result = follow(machine, image)
    assert [one.pc - image.symbols["here"] for one in result.findings] == [8]
    assert [(one.what, one.bytes) for one in result.declared] == [(1, 1)]


# --- PLD ------------------------------------------------------------------------------------------

PRELOADS = {"pld [r1]": 1, "pld [r1, #-4]": 1, "pld [r0, r1, lsl #2]": 1, "pli [r1, #8]": 1,
            "pld [r0, #4]": 0, "pld [r0, r0]": 0}  # fmt: skip


@pytest.mark.parametrize("core", ["cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33"])
@pytest.mark.parametrize("code", PRELOADS)
def test_preload_addresses(
    machines: dict[str, Machine], cross_compiler: None, core: str, code: str
) -> None:
    """A finding in taint, and a trace of its own for each address."""
    image = arm(core, f"ldr r1, [r0]; {code}; bx lr")
    expected = [("load address", KEY)] * PRELOADS[code]
    assert kinds(follow(machines[core], image).findings) == expected
    hashes = set()
    for value in (b"\1\0\0\0", b"\2\0\0\0"):
        machines[core].write(BUFFER, value)
        hashes.add(image.call(machines[core], "_start", BUFFER).trace_hash)
    assert len(hashes) == 1 + PRELOADS[code]


# --- what is no leak ------------------------------------------------------------------------------

BLOCKS = (
    "ldr r1, [r0]; ldr r2, [r0, #4]; movs r3, #0; cmp r1, #3; it eq; moveq r3, #1;"
    "cmp r2, #5; it ne; movne r3, #2;"
)


@pytest.mark.parametrize("core", ["cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33"])
@pytest.mark.parametrize("between", ["", "cmp r2, #5;", "nop;"])
def test_a_block_behind_a_block(
    machines: dict[str, Machine], cross_compiler: None, core: str, between: str
) -> None:
    """The second IT folds onto the instruction before it, executed or not: equal time. But on the
    Cortex-M33 a NOP issues together with that instruction, where there is one: that is a leak.
    """
    image = arm(core, BLOCKS.replace("cmp r2, #5;", between) + "str r3, [r0, #40]; bx lr")
    findings = follow(machines[core], image).findings
    runs = set()
    for first in (3, 4):
        for second in (5, 6):
            words = first.to_bytes(4, "little") + second.to_bytes(4, "little")
            machines[core].write(BUFFER, words)
            runs.add(image.call(machines[core], "_start", BUFFER).cycles)
    assert (findings == ()) == (len(runs) == 1)
    assert len(runs) == (2 if (core, between) == ("cortex-m33", "nop;") else 1)


ORDER = """
int work(const int *x)
{
    int a = x[0], b = x[1];
    return (a > b) * 3 + (a < b);
}
__attribute__((naked)) void back(void) { __asm__("bkpt #1"); }
"""


@pytest.mark.parametrize("core", ["cortex-m3", "cortex-m4"])
def test_blocks_of_plain_c(machines: dict[str, Machine], cross_compiler: None, core: str) -> None:
    flags = ["-Os", "-ffreestanding", "-nostdlib", "-Wl,--entry=work", "-Wl,-Ttext=0x100"]
    command = ["arm-none-eabi-gcc", "-mthumb", f"-mcpu={core}", "-nostartfiles", *flags]
    image = link(command, ORDER, ".c")
    assert follow(machines[core], image, function="work").findings == ()


MOVES = (
    "mv a2, a1",
    "c.mv a2, a1",
    "addi a2, a1, 0",
    "add a2, zero, a1",
    "add a2, a1, zero",
    "sub a2, a1, zero",
)


@pytest.mark.parametrize("move", MOVES)
def test_a_move_moves_bytes(machines: dict[str, Machine], riscv_compiler: None, move: str) -> None:
    """A word of which the low byte is secret, moved: the others stay public; the low one secret."""
    code = f"lw a1, 40(a0); lbu a3, 0(a0); or a1, a1, a3; {move}; srli a3, a2, 8; bnez a3, 1f; 1: "
    assert followed(machines, "ibex", code + "ret").findings == ()
    code += "andi a3, a2, 255; bnez a3, 2f; 2: ret"
    assert kinds(followed(machines, "ibex", code).findings) == [("branch", KEY)]
