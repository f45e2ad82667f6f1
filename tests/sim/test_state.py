"""States of a machine: what is put back is what was, also in an IT block; runs that stop on the way
or take another course. Host calls: a run stops at its BKPT, the host answers, and the run goes on,
counted as one.
"""

from __future__ import annotations

import pytest

from ecfit.sim.calls import HOST_CALL, CallingMachine
from ecfit.sim.machine import FlashTiming, RunResult, SimError, load_model
from ecfit.sim.state import StoppableMachine
from workshop.cores import rv32_build
from workshop.sim.build import MEMORY, RAM, STACK_TOP, Image, assemble

pytestmark = pytest.mark.usefixtures("cross_compiler", "riscv_compiler")
SUM = """
    movs r2, #0
1:  ldr r3, [r0]
    adds r2, r2, r3
    str r2, [r0]
    adds r0, #4
    subs r1, #1
    bne 1b
    mov r0, r2
    bx lr
"""
CHOICE = """
    cmp r0, #5
    ite eq
    moveq r0, #1
    movne r0, #2
    bx lr
"""
SUM_RV32 = """
    li a2, 0
1:  lw a3, 0(a0)
    add a2, a2, a3
    sw a2, 0(a0)
    addi a0, a0, 4
    addi a1, a1, -1
    bnez a1, 1b
    mv a0, a2
    ret
"""


def machine(core: str, image: Image) -> StoppableMachine:
    """A core with this code."""
    made = StoppableMachine(load_model(core), MEMORY)
    image.load(made)
    return made


def begin(on: StoppableMachine, image: Image, *arguments: int) -> None:
    """A call, before its first instruction."""
    on.call(
        image.symbols["_start"], arguments, sp=STACK_TOP, return_to=image.symbols["back"], limit=0
    )


@pytest.mark.parametrize("core", ["cortex-m0", "cortex-m3", "cortex-m4", "ibex"])
def test_a_run_from_a_state_is_the_rest_of_the_run(core: str) -> None:
    """At every instruction: put back twice, it ends with the same result, memory and count."""
    rv32 = core == "ibex"
    image = rv32_build.assemble(SUM_RV32) if rv32 else assemble(SUM, cpu=core)
    with machine(core, image) as on:
        words = b"".join(number.to_bytes(4, "little") for number in (3, 5, 7, 11))
        on.write(RAM, words)
        begin(on, image, RAM, 4)
        start = on.save()
        assert not on.on(1000)
        assert on.at_breakpoint
        assert on.stopped
        whole, register = on.executed, 10 if rv32 else 0
        result, after = on.register(register), on.read(RAM, 16)
        assert result == 26
        for count in range(whole):
            on.restore(start)
            assert on.read(RAM, 16) == words
            on.on(count)
            here, pc = on.save(), on.pc
            for _ in range(2):
                on.restore(here)
                assert on.pc == pc
                on.on(1000)
                assert on.at_breakpoint
                assert (on.register(register), on.read(RAM, 16)) == (result, after)
                assert on.executed == whole - count


def test_stops() -> None:
    """Before the next instruction in a range, each time; at the end of the run without one."""
    image = assemble(SUM)
    with machine("cortex-m0", image) as on:
        on.write(RAM, bytes(16))
        begin(on, image, RAM, 4)
        ranges = [(image.symbols["_start"] + 2, 2)]
        for turn in range(4):
            assert on.on_to(ranges, 1000)
            assert on.pc == ranges[0][0]
            assert on.register(1) == 4 - turn
        assert not on.on_to(ranges, 1000)
        assert on.at_breakpoint


@pytest.mark.parametrize(("value", "chosen"), [(5, 1), (6, 2)])
def test_it_blocks(value: int, chosen: int) -> None:
    """A state in the block keeps the condition; without its IT, both instructions are executed."""
    image = assemble(CHOICE, cpu="cortex-m3")
    with machine("cortex-m3", image) as on:
        begin(on, image, value)
        start = on.save()
        for count in range(4):
            on.restore(start)
            on.on(count)
            here = on.save()
            for address, data in image.segments:
                on.load(address, data)  # nothing is decoded any more
            on.restore(here)
            on.on(1000)
            assert on.register(0) == chosen, count
        for address, data in image.segments:
            on.load(address, data)
        on.restore(start)
        on.on(1)
        on.pc += 2
        on.on(1000)
        assert on.register(0) == 2


def test_a_guarded_region() -> None:
    """Its data can be read; the first instruction that is fetched from it ends the run."""
    image = assemble(SUM)
    with machine("cortex-m0", image) as on:
        begin(on, image, RAM, 1)
        on.guard(image.symbols["_start"])
        assert not on.on(1000)
        assert on.fault == (8, image.symbols["_start"])  # ECSIM_EXECUTE
        assert on.read(image.symbols["_start"], 2) == image.segments[0][1][:2]
        with pytest.raises(SimError, match="no memory"):
            on.guard(0xF0000000)


def test_a_patch() -> None:
    """An instruction that has been executed is another one, and then itself again."""
    image = assemble(CHOICE, cpu="cortex-m3")
    it, code = image.symbols["_start"] + 2, image.segments[0][1]
    with machine("cortex-m3", image) as on:
        begin(on, image, 5)
        start = on.save()
        for patched, chosen in ((code[2:4], 1), (b"\x14\xbf", 2), (b"\x00\xbf", 2), (code[2:4], 1)):
            on.patch(it, patched)  # ite eq, ite ne, nop
            on.restore(start)
            on.on(1000)
            assert on.register(0) == chosen, patched
        with pytest.raises(SimError, match="outside memory"):
            on.patch(0xF0000000, b"\x00\xbf")


def test_visits() -> None:
    """How often each instruction is executed, and at which one of the run."""
    image = assemble(SUM)
    with machine("cortex-m0", image) as on:
        on.write(RAM, bytes(16))
        begin(on, image, RAM, 4)
        start = on.save()
        for wanted, when in ((1, 1), (2, 7), (0, 19), (5, 0)):
            on.restore(start)
            count, first, done = on.visits(image.symbols["_start"], [wanted] * 9, 1000)
            assert count == [1, *[4] * 6, 1, 1]
            assert first[1] == when
            assert done == on.executed
        on.restore(start)
        assert on.visits(image.symbols["_start"], [0] * 9, 7)[2] == 7


def test_a_digest() -> None:
    """It tells states apart by memory, registers that are asked for and the program counter."""
    image = assemble(SUM)
    with machine("cortex-m0", image) as on:
        begin(on, image, RAM, 4)
        start, low = on.digest(0x7FFF), STACK_TOP - 4
        on.write(low, b"\x01\x02\x03\x04")  # below the stack pointer
        assert on.digest(0x7FFF) == start
        on.set_register(7, 1)
        assert on.digest(0x7FFF & ~(1 << 7)) != on.digest(0x7FFF) != start
        before = on.digest(0x7)
        on.set_register(7, 2)
        assert on.digest(0x7) == before
        on.write(RAM, b"\x00\x00\x00\x01")
        assert on.digest(0x7) != before
        before = on.digest(0x7)
        on.pc += 2
        assert on.digest(0x7) != before


# ---- host calls ----------------------------------------------------------------------------------

CORES = ["cortex-m0", "cortex-m3", "cortex-m4", "ibex"]
ARM = """
    movs r1, #7
1:  {call}
    adds r0, #1
    subs r1, #1
    bne 1b
    bx lr
"""
RV32 = """
    li a1, 7
1:  {call}
    addi a0, a0, 1
    addi a1, a1, -1
    bnez a1, 1b
    ret
"""


def program(core: str, *, calls: bool) -> Image:
    """Seven times a call, or none, and one more."""
    if core == "ibex":
        call = "ebreak\nsrai zero, zero, 3" if calls else ""
        return rv32_build.assemble(RV32.format(call=call))
    return assemble(ARM.format(call="bkpt #3" if calls else ""), cpu=core)


def call(on: CallingMachine, image: Image, argument: int) -> RunResult:
    """One run of the program."""
    image.load(on)
    start, back = image.symbols["_start"], image.symbols["back"]
    return on.call(start, (argument,), sp=STACK_TOP, return_to=back, limit=1000, profile=True)


@pytest.mark.parametrize("core", CORES)
def test_a_call_costs_nothing(core: str) -> None:
    image, plain = program(core, calls=True), program(core, calls=False)
    asked: list[tuple[int, ...]] = []
    seen: list[int] = []

    with CallingMachine(load_model(core), MEMORY) as on:

        def answer(arguments: tuple[int, ...]) -> int:
            asked.append(arguments[:2])
            seen.append(on.instructions)
            return arguments[0] + 10

        on.answer = answer
        called = call(on, image, 1)
    with CallingMachine(load_model(core), MEMORY) as on:
        without = call(on, plain, 1)
    assert asked == [(1 + 11 * turn, 7 - turn) for turn in range(7)]
    assert seen == sorted(set(seen))
    assert (called.stop, called.result) == ("bkpt", 78)
    assert called.bkpt != HOST_CALL
    assert called.instructions == without.instructions
    assert called.cycles == without.cycles
    assert sum(cycles for _, cycles in called.profile) == called.cycles


def test_a_call_is_not_fetched_but_what_follows_in_its_word_is() -> None:
    """Each word waits a clock: NOP and NOP; NOP behind the call; NOP and BX. One clock for each
    NOP, three for BX, and three words.
    """
    image = assemble("nop; nop; bkpt #3; nop; nop; bx lr", cpu="cortex-m0")
    with CallingMachine(load_model("cortex-m0"), MEMORY, FlashTiming(wait_states=1)) as on:
        on.answer = lambda arguments: arguments[0]
        called = call(on, image, 1)
    assert (called.stop, called.cycles) == ("bkpt", 4 + 3 + 3)


@pytest.mark.parametrize("core", CORES)
def test_a_call_that_is_not_answered_ends_the_run(core: str) -> None:
    image = program(core, calls=True)
    with CallingMachine(load_model(core), MEMORY) as on:
        with pytest.raises(SimError, match="nobody answers"):
            call(on, image, 1)
        on.answer = lambda arguments: None
        result = call(on, image, 1)
        assert (result.stop, result.bkpt, result.result) == ("bkpt", HOST_CALL, 1)
