"""Flash caches, buffers apart and prefetch: kernels whose waits were counted
by hand (rules: sim/src/flash.h).

Code begins at 0x100. L0, L1, ... are the lines from there; a BKPT at the end of a kernel
is not counted, nor its fetch.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from typing import Any

import msgspec
import pytest

from ecfit.sim.machine import FlashTiming, Machine, SimError, load_model
from workshop.cores import rv32_build
from workshop.sim.build import MEMORY, RAM, STACK_TOP, TEXT, Image, assemble, assemble_m4

pytestmark = pytest.mark.usefixtures("cross_compiler")


def cycles(image: Image, flash: FlashTiming | None, core: str = "cortex-m0") -> int:
    with Machine(load_model(core), MEMORY, flash) as machine:
        image.load(machine)
        result = image.call(machine, "_start")
    assert result.stop == "bkpt", result
    return result.cycles


def waits(code: str, core: str = "cortex-m0", **timing: Any) -> int:
    """Clocks that a kernel waits for flash."""
    image = (rv32_build.assemble if core == "ibex" else assemble)(code)
    return cycles(image, FlashTiming(**timing), core) - cycles(image, None, core)


# Lines of 16 bytes, which are visited in the order of their letters.
LOOP = "nop; " * 6 + "movs r0, #3; 1: subs r0, #1; bne 1b; bkpt #1"  # A B A B A B, A = L0, B = L1
FAR_LOOP = (
    "movs r0, #3; 1: b 2f; .balign 32; 2: subs r0, #1; bne 1b; bkpt #1"  # A C A C A C, C = L2
)
BACK_TO_A = "b 1f; 2: b 3f; 4: nop; bkpt #1; .balign 16; 1: b 2b; .balign 16; 3: b 4b"  # A B A C A
# A B C A B C
THREE = "movs r0, #2; 1: b 2f; .balign 16; 2: b 3f; .balign 16; 3: subs r0, #1; bne 1b; bkpt #1"

# name: (code, lines, ways, replacement, misses)
CACHES = {
    "loop, one line": (LOOP, 1, 0, "lru", 6),
    "loop, both lines fit": (LOOP, 2, 0, "lru", 2),
    "loop, each its own set": (LOOP, 2, 1, "lru", 2),
    "far loop, the same set": (FAR_LOOP, 2, 1, "lru", 6),
    "far loop, two ways of the same set": (FAR_LOOP, 2, 2, "lru", 2),
    "far loop, four sets": (FAR_LOOP, 4, 1, "lru", 2),
    "back to A, which was used last": (BACK_TO_A, 2, 0, "lru", 3),
    "back to A, which came first": (BACK_TO_A, 2, 0, "fifo", 4),
    "back to A, C has its set": (BACK_TO_A, 2, 1, "lru", 4),  # C drives A out of set 0
    "more lines than the cache": (THREE, 2, 0, "lru", 6),
    "more lines than the cache, B alone in its set": (THREE, 2, 1, "lru", 5),
    "as many lines": (THREE, 3, 0, "lru", 3),
    "two ways of two sets": (THREE, 4, 2, "lru", 3),
    "large": (THREE, 4096, 2, "lru", 3),
}


@pytest.mark.parametrize("name", CACHES)
def test_misses_of_a_cache(name: str) -> None:
    code, lines, ways, replacement, misses = CACHES[name]
    timing: dict[str, Any] = {
        "line_bits": 128,
        "instruction_lines": lines,
        "ways": ways,
        "replacement": replacement,
    }
    assert waits(code, wait_states=2, **timing) == 2 * misses
    assert waits(code, wait_states=57, **timing) == 57 * misses
    assert waits(code, wait_states=2, shared=False, data_lines=0, **timing) == 2 * misses


# Fetches come from L0 alone. name: (code, (shared, instruction lines, data lines),
# waits of 3 by fetch, 5 by data read)
LITERAL = "ldr r0, 1f; nop; nop; bkpt #1; .balign 16; 1: .word 7"
SAME_TWICE = "ldr r0, 1f; ldr r1, 1f+4; nop; nop; bkpt #1; .balign 16; 1: .word 7, 8"
TWO_LINES = (
    "adr r0, 1f; ldr r1, [r0]; ldr r1, [r0, #16]; ldr r1, [r0]; nop; bkpt #1; .balign 16; 1: "
    ".space 32"
)
# seven words of two lines
MULTIPLE = "adr r0, 1f; ldm r0!, {r1-r7}; nop; bkpt #1; .balign 32; 1: .space 32"
DATA = {
    "literal, one line for both": (LITERAL, (True, 1, 0), 3 + 5 + 3),
    "literal, two lines for both": (LITERAL, (True, 2, 0), 3 + 5),
    "literal, not kept": (LITERAL, (False, 1, 0), 3 + 5),
    "literal, its own line": (LITERAL, (False, 1, 1), 3 + 5),
    "literal, fetches not kept": (LITERAL, (False, 0, 1), 3 + 5 + 3),
    "same line twice, one line for both": (
        SAME_TWICE,
        (True, 1, 0),
        3 + 5 + 3,
    ),  # one word holds both loads
    "same line twice, not kept": (SAME_TWICE, (False, 1, 0), 3 + 5 + 5),
    "same line twice, its own line": (SAME_TWICE, (False, 1, 1), 3 + 5),
    "two lines, not kept": (TWO_LINES, (False, 1, 0), 3 + 3 * 5),
    "two lines, one of their own": (TWO_LINES, (False, 1, 1), 3 + 3 * 5),
    "two lines, two of their own": (TWO_LINES, (False, 1, 2), 3 + 2 * 5),
    # L0 C L0 D C L0: words of ADR + LDR, LDR + LDR, NOP
    "two lines, two for both": (TWO_LINES, (True, 2, 0), 3 + 5 + 5 + 5 + 3),
    "two lines, three for both": (TWO_LINES, (True, 3, 0), 3 + 2 * 5),
    "multiple load, not kept": (MULTIPLE, (False, 1, 0), 3 + 7 * 5),
    "multiple load, its own line": (MULTIPLE, (False, 1, 1), 3 + 2 * 5),
}


@pytest.mark.parametrize("name", DATA)
def test_waits_of_data_reads(name: str) -> None:
    code, (shared, instruction_lines, data_lines), expected = DATA[name]
    lines: dict[str, Any] = {
        "instruction_lines": instruction_lines,
        "data_lines": data_lines,
        "shared": shared,
    }
    assert waits(code, wait_states=3, data_wait_states=5, line_bits=128, **lines) == expected
    data_only = waits(code, wait_states=0, data_wait_states=1, line_bits=128, **lines)
    assert (
        waits(code, wait_states=0, data_wait_states=4, line_bits=128, **lines) == 4 * data_only > 0
    )


def test_without_lines_each_word_waits() -> None:
    """Two fetched words and a literal; four of MULTIPLE's words of code, seven of data."""
    assert waits(LITERAL, wait_states=2, data_wait_states=7) == 2 * 2 + 7
    assert waits(LITERAL, wait_states=2, shared=False) == 3 * 2
    assert waits(MULTIPLE, wait_states=2, data_wait_states=7) == 2 * 2 + 7 * 7


# Prefetch. At clock t a fetch of an array that is idle waits w and the next line's read begins
# at t + w + 1.
NOPS = "nop; "
# name: (code, timing, waits)
PREFETCH = {
    # L0 from 0 waits 2; L1 is read from 3 to 6, and is needed at 10; L2 from 10 to 13, needed at 18
    "in time": (NOPS * 24 + "bkpt #1", {"wait_states": 2, "line_bits": 128}, 2),
    # L0 waits 10; L1 from 11 to 22, needed at 14: waits until 22, less the clock it takes anyway;
    # L2 from 22 to 33, needed at 25
    "late": (NOPS * 12 + "bkpt #1", {"wait_states": 10, "line_bits": 64}, 10 + 7 + 7),
    "late, two ahead": (NOPS * 12 + "bkpt #1",
        {"wait_states": 10, "line_bits": 64, "prefetch_lines": 2}, 10 + 7 + 7),
    # B is executed at 2 to 5, its target is wanted at 5, and L1 is read until 6
    "useless": ("b 1f; .balign 64; 1: nop; bkpt #1", {"wait_states": 2, "line_bits": 128},
        2 + 1 + 2),
    # L1 from 3 to 6 and L2 from 6 to 9: that has not begun at 5
    "useless, two": (
        "b 1f; .balign 64; 1: nop; bkpt #1",
        {"wait_states": 2, "line_bits": 128, "prefetch_lines": 2}, 2 + 1 + 2,
    ),
    # B is executed at 10 to 13; L1 from 11 to 22, target from 22: waits 9 + 10, until 32;
    # its next from 33 to 44, wanted at 36
    "useless, then late": (
        "b 1f; .balign 64; 1:" + NOPS * 5 + "bkpt #1", {"wait_states": 10, "line_bits": 64},
        10 + 9 + 10 + 7,
    ),
    # to L1, which is on its way: wanted at 13, there at 22
    "branch into the next line": ("b 1f; .balign 8; 1: nop; bkpt #1",
        {"wait_states": 10, "line_bits": 64}, 10 + 8),
    # L1 from 3 to 6, wanted at 9 by BL's second half, while L2 is read from 9 to 12
    "an instruction in two lines": (
        NOPS * 7 + "bl 1f; nop; 1: nop; bkpt #1", {"wait_states": 2, "line_bits": 128}, 2,
    ),
    # The second half of BL is wanted before any read ahead can begin.
    "an instruction in two lines at once": (
        "b 2f; .balign 16; nop; nop; nop; 2: bl 1f; 1: nop; bkpt #1",
        {"wait_states": 2, "line_bits": 64},
        2 + 1 + 2 + 2,
    ),
    # A at 0 waits 2; B from 3 to 6, at 10, then C from 10 to 13; A at 13 waits 2;
    # B would begin at 16, where it is wanted: waits 2; C from 19 to 22; A at 21 waits 1 + 2;
    # B would begin at 25, where it is wanted: waits 2
    "loop, one line": (LOOP, {"wait_states": 2, "line_bits": 128}, 2 + 2 + 2 + 3 + 2),
    "loop in a cache": (LOOP, {"wait_states": 2, "line_bits": 128, "instruction_lines": 2}, 2),
    # A at 0 waits 2; B from 3 to 6; MOVS and branch end at 6; C at 6 waits 2; both stay,
    # reading ahead is no hindrance
    "far loop in a cache": (FAR_LOOP,
        {"wait_states": 2, "line_bits": 128, "instruction_lines": 2, "ways": 2}, 2 + 2),
    # LDR reads at 11, where L1 would begin: that moves from 11 to 22, L1 is there at 33,
    # wanted at 25
    "data first": ("ldr r0, 1f; nop; nop; nop; nop; bkpt #1; .balign 64; 1: .word 7",
                   {"wait_states": 10, "line_bits": 64}, 10 + 10 + 7),
    # LDR reads at 12, L1 is read from 11 to 22: waits 10 + 10, until 32; L1 is there at 35
    "data behind a read that has begun": (
        "nop; ldr r0, 1f; nop; nop; nop; bkpt #1; .balign 64; 1: .word 7",
        {"wait_states": 10, "line_bits": 64}, 10 + 10 + 10,
    ),
    # As "data first", with two lines on their way: L1 from 22 to 33, L2 from 33 to 44, wanted at 36
    "data first, two ahead": ("ldr r0, 1f;" + NOPS * 8 + "bkpt #1; .balign 64; 1: .word 7",
                              {"wait_states": 10, "line_bits": 64, "prefetch_lines": 2},
                              10 + 10 + 7 + 7),
    # LDR reads at 12: waits until 32 for L1 and its own; L2 moves to 33 until 44, wanted at 39
    "data between two reads": ("nop; ldr r0, 1f;" + NOPS * 7 + "bkpt #1; .balign 64; 1: .word 7",
                               {"wait_states": 10, "line_bits": 64, "prefetch_lines": 2},
                               10 + 20 + 4),
    # A literal that the read ahead has brought is read again: LDR reads at 7, L1 was read from 3
    # to 6; fetched at 15
    "no data from prefetch": (
        NOPS * 4 + "ldr r0, 1f;" + NOPS * 5 + ".balign 4; 1: .hword 0xbf00, 0xbf00; nop; bkpt #1",
        {"wait_states": 2, "line_bits": 128}, 2 + 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PREFETCH)
def test_waits_with_prefetch(name: str) -> None:
    code, timing, expected = PREFETCH[name]
    given: dict[str, Any] = {"shared": False, "prefetch_lines": 1, **timing}
    assert waits(code, **given) == expected


@pytest.mark.parametrize("name", PREFETCH)
def test_slices_do_not_change_waits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ecfit.sim.machine.SLICE", 1)
    test_waits_with_prefetch(name)


@pytest.mark.parametrize("lines", [1, 2, 4])
def test_an_instruction_in_two_words_at_the_end_of_a_slice(
    lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = NOPS * 7 + "bl 1f; nop; 1: nop; bkpt #1"
    monkeypatch.setattr("ecfit.sim.machine.SLICE", 1)
    assert waits(code, wait_states=2, line_bits=128, instruction_lines=lines) == 2 * 2
    assert waits(code, wait_states=2) == 6 * 2


def test_each_run_begins_with_empty_buffers() -> None:
    image = assemble(FAR_LOOP)
    timing = FlashTiming(2, 128, instruction_lines=8, shared=False, prefetch_lines=2)
    with Machine(load_model("cortex-m0"), MEMORY, timing) as machine:
        image.load(machine)
        assert len({image.call(machine, "_start").cycles for _ in range(3)}) == 1


# Other instruction sets. Lines of 16 bytes hold four instructions of 32 bits.
WIDE = ".cpu cortex-m4;" + "add.w r0, r0, r1;" * 8 + "bkpt #1"
WIDE_ODD = ".cpu cortex-m4; nop;" + "add.w r0, r0, r1;" * 8 + "bkpt #1"
WIDE_LITERAL = ".cpu cortex-m4; ldr.w r0, 1f; add.w r1, r1, r1; bkpt #1; .balign 16; 1: .word 7"
WIDE_LOAD = (
    ".cpu cortex-m4; adr r0, 1f; ldr.w r1, [r0, #2]; ldrd r2, r3, [r0, #16]; bkpt #1; .balign 16; "
    "1: .space 32"
)
RISCV = "add a0, a0, a1;" * 8 + "ebreak; srai zero, zero, 1"
RISCV_LOAD = (
    "auipc a0, 0; lw a1, 16(a0); lw a1, 20(a0); add a1, a1, a1; ebreak; srai zero, zero, 1; nop; "
    "nop"
)
OTHERS = [
    ("cortex-m4", WIDE, {}, 2 * 3),
    (
        "cortex-m4",
        WIDE,
        {"prefetch_lines": 1},
        3,
    ),  # L1 from 4 to 8, wanted at 7: there at the clock in which it is
    ("cortex-m4", WIDE, {"prefetch_lines": 1, "wait_states": 5}, 5 + 5 - 3),
    ("cortex-m4", WIDE_ODD, {}, 3 * 3),
    ("cortex-m4", WIDE_LITERAL, {}, 3 + 4),
    (
        "cortex-m4",
        WIDE_LOAD,
        {},
        3 + 2 * 4 + 2 * 4,
    ),  # two parts of a word that is not aligned, two words
    ("cortex-m4", WIDE_LOAD, {"data_lines": 2}, 3 + 2 * 4),
    ("ibex", RISCV, {}, 2 * 3),
    ("ibex", RISCV, {"prefetch_lines": 1}, 3),
    ("ibex", RISCV_LOAD, {}, 3 + 2 * 4),
    ("ibex", RISCV_LOAD, {"data_lines": 1}, 3 + 4),
]


@pytest.mark.parametrize(("core", "code", "timing", "expected"), OTHERS)
def test_other_instruction_sets(
    core: str, code: str, timing: dict[str, Any], expected: int, request: pytest.FixtureRequest
) -> None:
    if core == "ibex":
        request.getfixturevalue("riscv_compiler")
    given: dict[str, Any] = {
        "wait_states": 3,
        "data_wait_states": 4,
        "line_bits": 128,
        "shared": False,
        **timing,
    }
    assert waits(code, core, **given) == expected


# An STM32F1: 2 wait states, 1 on the next line of 8 bytes. L0 waits 2.
STM32F1 = {
    # each of L1, L2 and L3 waits 1: two words in three clocks
    "straight": ("add.w r0, r0, r1;" * 8 + "bkpt #1", 2 + 3 * 1),
    # of 16 bits likewise: the core is no more than two instructions ahead
    "straight, narrow": (NOPS * 16 + "bkpt #1", 2 + 3 * 1),
    # PUSH executes from 4 to 17. Meanwhile the first ADD waits in the decoder, and two more, of L1
    # and L2, before it; L3 is asked for too late
    "behind a long instruction": (
        "nop; nop; push.w {r0-r11}; " + "add.w r0, r0, r1;" * 6 + "bkpt #1", 2 + 1,
    ),
    # the target is asked for when B is decoded, in time for all but its 2 wait states
    "taken": ("b 1f; .balign 64; 1: nop; bkpt #1", 2 + 2),
    # B is decoded when NOP begins, which is as late as before
    "taken after a long instruction": (
        "nop; push {r0-r7}; nop; b 1f; .balign 64; 1: nop; bkpt #1", 2 + 2,
    ),
    # B is decoded when PUSH begins, so that nothing is left of them
    "taken behind a long instruction": (
        "nop; nop; push {r0-r7}; b 1f; .balign 64; 1: nop; bkpt #1", 2,
    ),
    # BX knows its target when it executes
    "taken to a register": (
        "adr r0, 1f + 1; push {r0-r7}; bx r0; .balign 64; 1: nop; bkpt #1", 2 + 2,
    ),
    # BNE is decoded at 3; the target would be there at 6, and is at 8; L1, which is not next to it,
    # would be at 9, and is at 11, where the third NOP was to begin at 6
    "not taken": ("cmp r0, r0; nop; bne 1f; nop; nop; bkpt #1; .balign 64; 1: nop", 2 + 5),
    "not taken, not fetched": (
        "movs r0, #0; nop; cbnz r0, 1f; nop; nop; bkpt #1; .balign 64; 1: nop", 2 + 1,
    ),
    # two lines stay
    "loop": ("movs r0, #3; nop; nop; nop; 1: subs r0, #1; bne 1b; bkpt #1", 2 + 1),
    "literal": ("ldr r0, 1f; nop; nop; bkpt #1; .balign 4; 1: .word 7", 2 + 2),
}  # fmt: skip


@pytest.mark.parametrize("name", STM32F1)
def test_waits_of_an_stm32f1(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    code, expected = STM32F1[name]
    timing: dict[str, Any] = {
        "wait_states": 2, "next_wait_states": 1, "line_bits": 64, "instruction_lines": 2,
        "shared": False,
    }  # fmt: skip
    assert waits(".cpu cortex-m3;" + code, "cortex-m3", **timing) == expected
    monkeypatch.setattr("ecfit.sim.machine.SLICE", 1)
    assert waits(".cpu cortex-m3;" + code, "cortex-m3", **timing) == expected


class Pool:
    """The rule of a pool of lines, said another way: each set is an ordered dictionary,
    the first is given up.
    """

    def __init__(self, lines: int, ways: int, fifo: bool) -> None:
        self.ways, self.fifo = ways or lines, fifo
        self.sets: list[OrderedDict[int, None]] = [OrderedDict() for _ in range(lines // self.ways)]

    def misses(self, line: int) -> bool:
        lines = self.sets[line % len(self.sets)]
        hit = line in lines
        if hit and not self.fifo:
            lines.move_to_end(line)
        lines[line] = None
        if len(lines) > self.ways:
            lines.popitem(last=False)
        return not hit


# Code in RAM takes (0: go there, 1: read there; address) from a table, and costs no fetch;
# lines of flash go back.
DISPATCHER = (
    "1: ldmia r7!, {r0, r1}; cmp r0, #1; bhi 3f; beq 2f; bx r1; 2: ldr r1, [r1]; b 1b; 3: bkpt #1"
)
LINES, VISITS = 40, 1500


@pytest.mark.parametrize("seed", range(12))
def test_random_visits_against_the_rule(seed: int) -> None:
    rng = random.Random(seed)
    lines = rng.choice([1, 2, 3, 4, 8, 16, 24, 32])
    ways = rng.choice(
        [0, *(w for w in (1, 2, 3, 4, 8) if lines % w == 0 and (lines // w).bit_count() == 1)]
    )
    fifo, shared, bits = rng.random() < 0.4, rng.random() < 0.5, rng.choice([64, 128, 256])
    data_lines = 0 if shared else rng.choice([0, lines])
    visits = [
        (rng.randrange(2), int(rng.triangular(0, LINES, LINES * rng.random())))
        for _ in range(VISITS)
    ]
    fetches = Pool(lines, ways, fifo)
    reads = fetches if shared else Pool(data_lines, ways, fifo) if data_lines else None
    first = TEXT * 8 // bits
    expected = sum(
        (7 if reads is None or reads.misses(first + line) else 0)
        if is_read
        else 4 * fetches.misses(first + line)
        for is_read, line in visits
    )
    timing = FlashTiming(
        4, bits, lines, data_lines, shared, ways, "fifo" if fifo else "lru", data_wait_states=7
    )

    dispatcher, table = assemble(DISPATCHER, base=RAM), RAM + 0x1000
    words = [
        word
        for is_read, line in visits
        for word in (is_read, TEXT + line * bits // 8 + (1 - is_read))
    ]
    counts = []
    for flash in (timing, None):
        with Machine(load_model("cortex-m0"), MEMORY, flash) as machine:
            dispatcher.load(machine)
            for line in range(LINES + 1):
                machine.load(TEXT + line * bits // 8, b"\x30\x47")  # bx r6
            machine.write(table, b"".join(word.to_bytes(4, "little") for word in [*words, 2, 0]))
            machine.set_register(6, RAM | 1)
            machine.set_register(7, table)
            machine.set_register(13, STACK_TOP)
            result = machine.run(RAM | 1, limit=10**6)
            assert result.stop == "bkpt", result
            counts.append(result.cycles)
    assert counts[0] - counts[1] == expected


@pytest.mark.parametrize(
    "timing",
    [
        {"line_bits": 64, "instruction_lines": 4097},
        {"line_bits": 64, "instruction_lines": -1},
        {"line_bits": 64, "data_lines": 1},  # shared
        {"line_bits": 64, "instruction_lines": 6, "ways": 4},
        {"line_bits": 64, "instruction_lines": 6, "ways": 2},  # three sets
        {"line_bits": 64, "data_lines": 3, "instruction_lines": 2, "ways": 2, "shared": False},
        {"line_bits": 64, "prefetch_lines": 9},
        {"line_bits": 64, "prefetch_lines": 1, "instruction_lines": 0, "shared": False},
        {"line_bits": 64, "data_wait_states": 256},
        {"line_bits": 64, "data_wait_states": -1},
        {"line_bits": 64, "replacement": "random"},
        {"line_bits": 64, "wait_states": 256},
        {"line_bits": 16},
        {"line_bits": 8192},
        {"line_bits": 96},
        {"line_bits": 64, "data_lines": 4097, "shared": False},
        {"line_bits": 64, "next_wait_states": 2, "shared": False},
        {"line_bits": 64, "next_wait_states": 1},  # shared
        {"line_bits": 64, "next_wait_states": 1, "shared": False, "prefetch_lines": 1},
        {"line_bits": 64, "next_wait_states": 1, "shared": False, "instruction_lines": 0},
    ],
)
def test_wrong_timing_is_refused(timing: dict[str, Any]) -> None:
    with pytest.raises(SimError):
        Machine(load_model("cortex-m0"), MEMORY, FlashTiming(**{"wait_states": 1} | timing))


@pytest.mark.parametrize(
    "timing",
    [
        {"wait_states": 255, "data_wait_states": 255, "line_bits": 64},
        {"wait_states": 1, "line_bits": 32},
        {"wait_states": 1, "line_bits": 4096},
        {"wait_states": 1, "line_bits": 64, "instruction_lines": 4096},
        {"wait_states": 1, "line_bits": 64, "data_lines": 4096, "shared": False},
        {"wait_states": 1, "line_bits": 64, "prefetch_lines": 8},
    ],
)
def test_the_limits_are_taken(timing: dict[str, Any]) -> None:
    """The last values that are right; in the test above, the first ones that are wrong."""
    Machine(load_model("cortex-m0"), MEMORY, FlashTiming(**timing)).close()


@pytest.mark.parametrize("taint", [False, True])
def test_without_wait_states_nothing_waits(taint: bool) -> None:
    """However a run is watched, and whatever its instructions cost: here,
    a load behind a load costs nothing.
    """
    model = load_model("cortex-m4")
    free = msgspec.structs.replace(model.rows["pair"], cycles=model.rows["load"].cycles)
    model = msgspec.structs.replace(model, rows={**model.rows, "pair": free})
    image = assemble_m4("ldr r1, [r0]; ldr r2, [r0, #64]; ldr r3, [r0, #16]; nop; bkpt #1")
    with Machine(model, MEMORY, FlashTiming(0, 128, prefetch_lines=1)) as machine:
        image.load(machine)
        result = machine.call(TEXT, [0x40], sp=STACK_TOP, return_to=TEXT, limit=10, taint=taint)
    assert (result.stop, result.instructions, result.cycles) == ("bkpt", 4, 3)
