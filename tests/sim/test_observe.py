"""What a run observes: stack mark, trace hash, accesses by region, and cycles by call stack."""

from __future__ import annotations

import pytest

from ecfit.sim.machine import FlashTiming, Machine, Region, RunResult, load_model
from workshop.sim.build import FLASH, MEMORY, RAM, STACK_TOP, TEXT, Image, assemble

pytestmark = pytest.mark.usefixtures("cross_compiler")


def start(machine: Machine, code: str, *args: int, profile: bool = True) -> RunResult:
    image = assemble(code)
    image.load(machine)
    result = image.call(machine, "_start", *args, profile=profile)
    assert result.stop == "bkpt", result
    return result


# --- stack mark -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "depth"),
    [
        ("bx lr", 0),
        ("push {r0}; pop {r0}; bx lr", 4),
        ("push {r0-r7, lr}; pop {r0-r7, pc}", 36),
        ("sub sp, #8; add sp, #8; bx lr", 8),
        (
            "sub sp, #8; push {r4, lr}; sub sp, #16; add sp, #16; pop {r4}; pop {r0}; add sp, #8; "
            "bx r0",
            32,
        ),
        ("mov r1, sp; subs r1, #100; mov r2, sp; mov sp, r1; mov sp, r2; bx lr", 100),
        ("movs r1, #64; rsbs r1, r1, #0; add sp, r1; movs r1, #64; add sp, r1; bx lr", 64),
        ("mov r1, sp; subs r1, #48; msr msp, r1; bkpt #1", 48),
        ("mov r1, sp; subs r1, #57; mov sp, r1; bkpt #1", 60),  # the two low bits do not exist
        # the process stack, switched to by CONTROL.SPSEL
        (
            "mov r1, sp; subs r1, #80; msr psp, r1; movs r2, #2; msr control, r2; isb; push {r0}; "
            "bkpt #1",
            84,
        ),
        ("mov r1, sp; subs r1, #80; msr psp, r1; push {r0}; bkpt #1", 4),  # not switched
    ],
)
def test_stack_mark(code: str, depth: int, m0: Machine) -> None:
    assert STACK_TOP - start(m0, code).stack_low == depth


def test_stack_mark_begins_anew_with_each_run(m0: Machine) -> None:
    assert start(m0, "push {r0-r3}; add sp, #16; bx lr").stack_low == STACK_TOP - 16
    assert start(m0, "bx lr").stack_low == STACK_TOP


def test_special_registers(m0: Machine) -> None:
    """MRS and MSR, which the emulator of the other tests does in its own way."""
    start(
        m0,
        """mov r4, sp; subs r4, #64; msr psp, r4; mrs r0, psp; mrs r1, msp; movs r2, #2
        msr control, r2
        mrs r2, control; mov r3, sp; movs r5, #3; msr primask, r5; mrs r5, primask; cpsid i; cpsie i
        mrs r6, primask
        mrs r7, ipsr; bkpt #1""",
    )
    expected = [STACK_TOP - 64, STACK_TOP, 2, STACK_TOP - 64, STACK_TOP - 64, 1, 0, 0]
    assert [m0.register(i) for i in range(8)] == expected


# --- trace hash -----------------------------------------------------------------------------------

BRANCH = "cmp r0, #5; beq 1f; nop; 1: bx lr"
ACCESS = "movs r1, #1; lsls r1, #29; ldr r2, [r1, r0]; bx lr"
STORE = "movs r1, #1; lsls r1, #29; str r0, [r1]; bx lr"


def test_trace_hash_sees_branches_and_addresses_and_not_values(m0: Machine) -> None:
    def hash_of(code: str, argument: int) -> str:
        return start(m0, code, argument, profile=False).trace_hash

    assert hash_of(BRANCH, 5) != hash_of(BRANCH, 6) == hash_of(BRANCH, 7)
    assert hash_of(ACCESS, 0) != hash_of(ACCESS, 4)
    assert hash_of(ACCESS, 8) == hash_of(ACCESS, 8)
    assert hash_of(STORE, 1) == hash_of(STORE, 2)


def test_trace_hash_is_as_documented(m0: Machine) -> None:
    """ecsim.h and observe.h, computed by hand for four events."""
    result = start(
        m0, "movs r1, #1; lsls r1, #29; ldr r2, [r1, #4]; push {r1, r2}; b 1f; nop; 1: bkpt #1"
    )
    h = 0x6A09E667F3BCC908
    for word in (RAM + 4, STACK_TOP - 8, (TEXT + 8) << 32 | TEXT + 12):
        h = (h ^ word) * 0x9E3779B97F4A7C15 % 2**64
        h ^= h >> 32
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD % 2**64
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 % 2**64
    assert result.trace_hash == f"{h ^ h >> 33:016x}"


def test_trace_hash_depends_on_the_order_of_accesses(m0: Machine) -> None:
    code = "movs r2, #1; lsls r2, #29; ldr r3, [r2, r0]; ldr r3, [r2, r1]; bx lr"
    assert start(m0, code, 0, 4).trace_hash != start(m0, code, 4, 0).trace_hash


def test_trace_hash_tells_which_branch_was_taken(m0: Machine) -> None:
    """Two branches to one target."""
    code = "cmp r0, #1; beq 1f; cmp r0, #2; beq 1f; nop; 1: bx lr"
    assert start(m0, code, 1).trace_hash != start(m0, code, 2).trace_hash


def test_no_collisions_among_many_short_traces(m0: Machine) -> None:
    code = "movs r2, #1; lsls r2, #29; ldr r3, [r2, r0]; ldr r3, [r2, r1]; bx lr"
    image = assemble(code)
    image.load(m0)
    pairs = [(a, b) for a in range(0, 256, 4) for b in range(0, 256, 4)]
    assert len({image.call(m0, "_start", a, b).trace_hash for a, b in pairs}) == len(pairs)


# --- accesses by region ---------------------------------------------------------------------------


@pytest.mark.parametrize("flash", [None, FlashTiming(1, 64)])
def test_loads_and_stores_by_region(flash: FlashTiming | None) -> None:
    regions = [*MEMORY, Region("ram2", 0x10000000, 0x1000, "ram")]
    code = """movs r1, #1; lsls r1, r1, #28; movs r0, #0; ldr r2, [r0]; ldr r2, 1f; ldrb r3, [r1]
        str r2, [r1, #4]
        strh r2, [r1, #8]; push {r0-r3}; pop {r4-r6}; ldr r7, [sp]; add sp, #4; movs r0, #0
        ldm r0!, {r2-r4}
        stm r1!, {r2-r6}; str r2, [sp, #-0]; ldrb r2, [r1]; bkpt #1; .balign 4
        1: .word 9""".replace("#-0", "#0")
    with Machine(load_model("cortex-m0"), regions, flash) as machine:
        image = assemble(code.replace("str r2, [sp, #0]; ", ""))
        image.load(machine)
        result = image.call(machine, "_start", profile=True)
    assert result.stop == "bkpt", result
    assert result.loads == {"flash": 1 + 1 + 3, "ram": 3 + 1, "ram2": 1 + 1}
    assert result.stores == {"flash": 0, "ram": 4, "ram2": 1 + 1 + 5}


def test_what_is_not_asked_for_is_empty(m0: Machine) -> None:
    result = start(m0, "push {r0}; pop {r0}; bx lr", profile=False)
    assert (result.classes, result.loads, result.stores, result.profile) == ({}, {}, {}, [])


# --- cycles by call stack -------------------------------------------------------------------------


def profile(
    image: Image, machine: Machine, *args: int, functions: bool = True
) -> dict[tuple[str, ...], int]:
    """Stacks by name, with their own cycles; the sum is checked here."""
    image.load(machine)
    names = {address: name for name, address in image.symbols.items() if name.startswith("f_")}
    machine.functions(list(names) if functions else [])
    result = image.call(machine, "f_main", *args, profile=True)
    assert result.stop == "bkpt", result
    assert sum(cycles for _, cycles in result.profile) == result.cycles
    assert len({stack for stack, _ in result.profile}) == len(result.profile)
    return {tuple(names[f] for f in stack): cycles for stack, cycles in result.profile}


def test_profile_of_nested_calls(m0: Machine) -> None:
    image = assemble(
        """f_main: push {r4, lr}; bl f_leaf; bl f_middle; pop {r4, pc}
        f_middle: push {r4, lr}; bl f_leaf; bl f_leaf; pop {r4, pc}
        f_leaf: nop; bx lr"""
    )
    assert profile(image, m0) == {
        ("f_main",): 3 + 4 + 4 + 6,
        ("f_main", "f_leaf"): 1 + 3,
        ("f_main", "f_middle"): 3 + 4 + 4 + 6,
        ("f_main", "f_middle", "f_leaf"): 2 * (1 + 3),
    }


@pytest.mark.parametrize("functions", [True, False])
@pytest.mark.parametrize("core", ["cortex-m3", "cortex-m4", "cortex-m33"])
def test_profile_of_nested_calls_on_larger_cores(core: str, functions: bool) -> None:
    """Each call ends its frame at its own return address, also where no function is known."""
    image = assemble(
        """f_main: push {r4, lr}; bl f_leaf; bl f_middle; pop {r4, pc}
        f_middle: push {r4, lr}; bl f_leaf; bl f_leaf; pop {r4, pc}
        f_leaf: nop; nop; nop; bx lr""",
        cpu=core,
    )
    with Machine(load_model(core), MEMORY) as machine:
        found = profile(image, machine, functions=functions)
    leaf = found["f_main", "f_leaf"]
    assert found.keys() == {
        ("f_main",),
        ("f_main", "f_leaf"),
        ("f_main", "f_middle"),
        ("f_main", "f_middle", "f_leaf"),
    }
    assert found["f_main", "f_middle", "f_leaf"] == 2 * leaf
    assert found["f_main",] == found["f_main", "f_middle"] > leaf


@pytest.mark.parametrize("functions", [True, False])
def test_profile_of_recursion(functions: bool, m0: Machine) -> None:
    image = assemble("f_main: push {lr}; subs r0, #1; beq 1f; bl f_main; 1: pop {pc}")
    stacks = profile(image, m0, 3, functions=functions)
    assert stacks == {
        ("f_main",): 2 + 1 + 1 + 4 + 5,
        ("f_main", "f_main"): 2 + 1 + 1 + 4 + 5,
        ("f_main", "f_main", "f_main"): 2 + 1 + 3 + 5,
    }


def test_jump_to_the_own_return_address_is_no_return(m0: Machine) -> None:
    """In a recursion the place behind the call is also a place in the callee;
    the stack pointer tells.
    """
    image = assemble(
        """f_main: push {lr}; subs r0, #1; beq 1f; bl f_main; 2: pop {pc}
        1: ldr r1, 3f; mov pc, r1; .balign 4; 3: .word 2b"""
    )
    assert profile(image, m0, 2) == {
        ("f_main",): 2 + 1 + 1 + 4 + 5,
        ("f_main", "f_main"): 2 + 1 + 3 + 2 + 3 + 5,
    }


def test_profile_of_calls_by_register(m0: Machine) -> None:
    image = assemble(
        "f_main: push {lr}; adr r1, f_leaf; adds r1, #1; blx r1; pop {pc}; .balign 4; f_leaf: bx lr"
    )
    assert profile(image, m0) == {("f_main",): 2 + 1 + 1 + 3 + 5, ("f_main", "f_leaf"): 3}


TAIL_CALLS = """f_main: push {lr}; bl f_first; bl f_last; pop {pc}
    f_first: nop; b f_last
    f_last: nop; nop; bx lr"""


def test_tail_call_takes_over_the_frame(m0: Machine) -> None:
    assert profile(assemble(TAIL_CALLS), m0) == {
        ("f_main",): 2 + 4 + 4 + 5,
        ("f_main", "f_first"): 1 + 3,
        ("f_main", "f_last"): (2 + 3) * 2,
    }


def test_tail_call_without_function_table_counts_for_the_caller(m0: Machine) -> None:
    """And the stack is right again behind it."""
    assert profile(assemble(TAIL_CALLS), m0, functions=False) == {
        ("f_main",): 2 + 4 + 4 + 5,
        ("f_main", "f_first"): 1 + 3 + 2 + 3,
        ("f_main", "f_last"): 2 + 3,
    }


def test_tail_call_by_register_and_from_the_outermost_function(m0: Machine) -> None:
    image = assemble(
        """f_main: nop; adr r1, f_next; adds r1, #1; bx r1
        .balign 4; f_next: push {lr}; bl f_leaf; pop {r1}; mov lr, r1; b f_end
        .balign 4; f_leaf: bx lr
        f_end: nop; bx lr"""
    )
    assert profile(image, m0) == {
        ("f_main",): 1 + 1 + 1 + 3,
        ("f_main", "f_next"): 2 + 4 + 2 + 1 + 3,
        ("f_main", "f_next", "f_leaf"): 3,
        ("f_main", "f_end"): 1 + 3,
    }


def test_loop_to_the_own_entry_is_no_tail_call(m0: Machine) -> None:
    image = assemble("f_main: subs r0, #1; bne f_main; bx lr")
    assert profile(image, m0, 3) == {("f_main",): 3 + 2 * 3 + 1 + 3}


def test_helper_that_moves_its_return_address(m0: Machine) -> None:
    """As libgcc's table jumps do: called by BL, it goes on elsewhere in its caller."""
    image = assemble(
        """f_main: push {lr}; bl f_jump; nop; nop; nop; 1: nop; bl f_leaf; pop {pc}
        f_jump: mov r1, lr; adds r1, #6; mov lr, r1; bx lr
        f_leaf: bx lr"""
    )
    assert profile(image, m0) == {
        ("f_main",): 2 + 4 + 1 + 4 + 5,
        ("f_main", "f_jump"): 1 + 1 + 1 + 3,
        ("f_main", "f_leaf"): 3,
    }


def test_longjmp_unwinds(m0: Machine) -> None:
    """A return past two frames pops both."""
    image = assemble(
        """f_main: push {lr}; mov r4, sp; bl f_middle; nop; bl f_leaf; pop {pc}
        f_middle: mov r5, lr; push {lr}; bl f_deep; pop {pc}
        f_deep: push {r0-r3}; mov sp, r4; bx r5
        f_leaf: bx lr"""
    )
    assert profile(image, m0) == {
        ("f_main",): 2 + 1 + 4 + 1 + 4 + 5,
        ("f_main", "f_middle"): 1 + 2 + 4,
        ("f_main", "f_middle", "f_deep"): 5 + 1 + 3,
        ("f_main", "f_leaf"): 3,
    }


def test_profile_of_endless_recursion_and_of_many_paths(m0: Machine) -> None:
    """The tree is bounded in depth and in size; no cycle is lost, and the stack is right
    again further out.
    """
    image = assemble("f_main: bl f_main")
    image.load(m0)
    result = image.call(m0, "f_main", profile=True, limit=300_000)
    assert result.stop == "limit"
    assert sum(cycles for _, cycles in result.profile) == result.cycles == 4 * 300_000
    assert max(len(stack) for stack, _ in result.profile) == 256

    image = assemble(
        """f_main: push {lr}; bl f_deep; bl f_leaf; pop {pc}
        f_deep: push {lr}; subs r0, #1; beq 1f; bl f_deep; 1: pop {pc}
        f_leaf: bx lr"""
    )
    stacks = profile(image, m0, 1000)
    assert stacks["f_main", "f_leaf"] == 3
    assert stacks["f_main",] == 2 + 4 + 4 + 5
    each = 2 + 1 + 1 + 4 + 5
    assert stacks["f_main", *["f_deep"] * 254] == each
    assert stacks["f_main", *["f_deep"] * 255] == (1000 - 255 + 1) * each - 2

    paths = 15  # two callees at each level: 2 ** 15 leaves are more than the tree has nodes
    levels = [
        f"f_a{i}: push {{lr}}; bl f_a{i + 1}; bl f_b{i + 1}; pop {{pc}}" for i in range(paths)
    ]
    levels += [
        f"f_b{i}: push {{lr}}; bl f_a{i + 1}; bl f_b{i + 1}; pop {{pc}}" for i in range(paths)
    ]
    image = assemble(
        "; ".join([*levels, f"f_a{paths}: bx lr; f_b{paths}: bx lr"]).replace("f_a0", "f_main")
    )
    assert len(profile(image, m0)) == 1 << 14


def test_profile_with_waits_adds_up() -> None:
    image = assemble(TAIL_CALLS)
    with Machine(load_model("cortex-m0plus"), MEMORY, FlashTiming(3, 64)) as machine:
        stacks = profile(image, machine)
    assert stacks["f_main", "f_first"] > 1 + 2


# --- code that changes ----------------------------------------------------------------------------


@pytest.mark.parametrize("store", ["strh r1, [r0]", "str r1, [r0]", "stm r0!, {r1}"])
@pytest.mark.parametrize("flash", [None, FlashTiming(1, 128)])
def test_code_in_ram_may_change_itself(store: str, flash: FlashTiming | None) -> None:
    """The instruction behind the store, executed before as MOVS r2, #1, becomes MOVS r2, #7."""
    code = f"""movs r4, #2; b 2f
        .balign 4; 1: movs r2, #1; adds r3, r3, r2; subs r4, #1; beq 9f; b 2f
        .balign 4; 2: adr r0, 1b; ldr r1, 3f; cmp r4, #1; bne 4f; {store}; 4: b 1b
        9: bkpt #1
        .balign 4; 3: movs r2, #7; adds r3, r3, r2"""
    code = code.replace("adr r0, 1b", "ldr r0, 5f").replace("3: movs", "5: .word 1b; 3: movs")
    with Machine(load_model("cortex-m0"), MEMORY, flash) as machine:
        image = assemble(code, base=RAM + 0x100)
        image.load(machine)
        machine.set_register(3, 0)
        result = machine.call(
            image.symbols["_start"], [0, 0, 0, 0], sp=STACK_TOP, return_to=0x80, limit=100
        )
        assert result.stop == "bkpt", result
        assert machine.register(3) == 1 + 7


def test_the_very_next_instruction_may_change(m0: Machine) -> None:
    image = assemble(
        "mov r0, pc; ldr r1, 1f; strh r1, [r0, #2]; movs r2, #1; bkpt #1; .balign 4; 1: "
        "movs r2, #9",
        RAM,
    )
    for _ in range(2):
        image.load(m0)
        image.call(m0, "_start")
        assert m0.register(2) == 9


def test_half_of_a_wide_instruction_may_change(m0: Machine) -> None:
    """BL + 4 runs once, then its second halfword is replaced from the host."""
    image = assemble("bl 1f; bkpt #1; 1: bkpt #2; bkpt #3", RAM)
    image.load(m0)
    assert image.call(m0, "_start").bkpt == 2
    m0.write(RAM + 2, (int.from_bytes(m0.read(RAM + 2, 2), "little") + 1).to_bytes(2, "little"))
    assert image.call(m0, "_start").bkpt == 3


def test_flash_may_be_loaded_anew_between_runs(m0: Machine) -> None:
    """Also the literals that were read when the code was decoded."""
    image = assemble("ldr r0, 1f; bkpt #1; .balign 4; 1: .word 0x12345678")
    image.load(m0)
    assert image.call(m0, "_start").result == 0x12345678
    m0.load(image.symbols["_start"] + 4, bytes.fromhex("aabbccdd"))
    assert image.call(m0, "_start").result == 0xDDCCBBAA
    m0.load(FLASH + TEXT, bytes.fromhex("0720"))
    assert image.call(m0, "_start").result == 7
