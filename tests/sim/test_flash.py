"""Flash timing: kernels whose fetches, data reads and line changes were counted
by hand (rules: sim/src/flash.h).

Code begins at 0x100, so a line of 16 bytes holds eight halfwords from there. Each first access
of a run misses. An instruction in the second half of a word fetches all its words, one after the
other.
"""

from __future__ import annotations

import pytest

from ecfit.sim.machine import FlashTiming, Machine, RunResult, SimError, load_model
from tests.sim.test_armv7m_roles import Probe, cycles
from workshop.cores.armv7m_roles import INSTRUCTIONS, LEAVING, NARROW
from workshop.sim.build import MEMORY, RAM, Image, assemble

LINE = FlashTiming(wait_states=2, line_bits=128)
NO_BUFFER = FlashTiming(wait_states=1)

pytestmark = pytest.mark.usefixtures("cross_compiler")


def run(image: Image, flash: FlashTiming | None, profile: bool = False) -> RunResult:
    with Machine(load_model("cortex-m0"), MEMORY, flash) as machine:
        image.load(machine)
        result = image.call(machine, "_start", profile=profile)
    assert result.stop == "bkpt", result
    return result


# name: (code, cycles at zero wait states, accesses that wait with one 16-byte line,
# accesses without a buffer)
KERNELS = {
    "one line": ("nop; " * 8 + "bkpt #1", 8, 1, 4),
    "into the next line": ("nop; " * 9 + "bkpt #1", 9, 2, 5),
    "literal in the same line": ("ldr r0, 1f; nop; bkpt #1; .balign 4; 1: .word 7", 3, 1, 2),
    # fetch, literal: two lines; the NOP was fetched in one word with the LDR
    "literal elsewhere": ("ldr r0, 1f; nop; bkpt #1; .balign 16; 1: .word 7", 3, 2, 2),
    # fetch, literal, fetch again of the line that the literal drove out
    "literal and back": ("ldr r0, 1f; nop; nop; bkpt #1; .balign 16; 1: .word 7", 4, 3, 3),
    # MOVS and SUBS are one word, BNE the next; each of two jumps back fetches the word
    # of SUBS again
    "loop in a line": ("movs r0, #3; 1: subs r0, #1; bne 1b; bkpt #1", 1 + 3 + 2 * 3 + 1, 1,
        2 + 2 * 2),
    # 0x10c: MOVS and SUBS; 0x110: BNE in the next line; back: both lines again, twice
    "loop over a line's end": (
        "nop; " * 6 + "movs r0, #3; 1: subs r0, #1; bne 1b; bkpt #1", 6 + 1 + 3 + 2 * 3 + 1,
        2 + 2 * 2, 5 + 2 * 2,
    ),
    # SUBS and BNE are one word, which each of two jumps back fetches again; the line is still there
    "loop in a word": ("movs r0, #3; nop; 1: subs r0, #1; bne 1b; bkpt #1", 2 + 3 + 2 * 3 + 1, 1,
        2 + 2),
    "jump over a word": ("movs r0, #0; b 1f; nop; nop; 1: nop; bkpt #1", 1 + 3 + 1, 1, 2),
    # the second halfword of a word alone
    "jump into a word": ("b 1f; nop; nop; 1: nop; bkpt #1", 3 + 1, 1, 2),
    # BL at 0x10e has its halves in two words and two lines; the target is in the second
    "call over a line's end": ("nop; " * 7 + "bl 1f; nop; 1: nop; bkpt #1", 7 + 4 + 1, 2,
        4 + 1 + 1),
    # eight words from 0x120 fill two lines; behind LDM the words of NOP and MOVS are fetched
    # from the first line
    "ldm from flash": (
        "adr r0, 1f; ldm r0!, {r1-r7}; nop; bkpt #1; .balign 32; 1: .space 32", 1 + 8 + 1,
        1 + 2 + 1, 1 + 7 + 1,
    ),
    "ldrb from flash": (
        "adr r0, 1f; ldrb r1, [r0]; ldrb r1, [r0, #1]; bkpt #1; .balign 32; 1: .space 4", 5, 4, 4,
    ),
    # RAM does not drive the line out
    "stack": ("push {r0-r3}; nop; pop {r0-r3}; nop; bkpt #1", 5 + 1 + 5 + 1, 1, 2),
    "table jump": ("adr r0, 1f; ldr r0, [r0]; mov pc, r0; nop; .balign 16; 1: .word 2f; 2: bkpt #1",
        1 + 2 + 3, 3, 3),
}  # fmt: skip
# The last halfword of a line jumps back into it: what lies behind is not fetched.
# BKPT ends the run before its fetch.
KERNELS |= {
    f"{jump} at a line's end": (
        f"b 2f; nop; 1: bkpt #1; nop; 2: mov r0, pc; subs r0, #7; nop; {jump} r0",
        3 + 1 + 1 + 1 + 3, 1, 3,
    )
    for jump in ("bx", "blx", "mov pc,")
}  # fmt: skip


@pytest.mark.parametrize("profile", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_hand_counted_waits(name: str, profile: bool) -> None:
    code, cycles, with_line, without = KERNELS[name]
    image = assemble(code)
    assert run(image, None, profile).cycles == cycles
    assert run(image, FlashTiming(0, 128), profile).cycles == cycles
    assert run(image, LINE, profile).cycles == cycles + 2 * with_line
    assert run(image, NO_BUFFER, profile).cycles == cycles + without
    assert run(image, FlashTiming(5, 0), profile).cycles == cycles + 5 * without


# Each kind of instruction of 16 bits that does not jump; r0 and r1 are RAM + 64, r2 is 0.
SHORT = """
    lsls r0, r1, #1; lsrs r0, r1, #1; asrs r0, r1, #1; movs r0, r1; movs r0, #1; adds r0, r1, r2
    subs r0, r1, r2; adds r0, #1; subs r0, #1; rsbs r0, r1, #0; cmp r0, #1; cmp r0, r1; cmn r0, r1
    adcs r0, r1; sbcs r0, r1; ands r0, r1; eors r0, r1; orrs r0, r1; bics r0, r1; mvns r0, r1
    muls r0, r1, r0; tst r0, r1; lsls r0, r1; lsrs r0, r1; asrs r0, r1; rors r0, r1; add r8, r1
    mov r8, r1; adds r0, r1, #1; subs r0, r1, #0; add r0, sp, #4; sub sp, #8; add sp, #8; add sp, r2
    mov r0, sp; sxth r0, r1; sxtb r0, r1; uxth r0, r1; uxtb r0, r1; rev r0, r1; rev16 r0, r1
    revsh r0, r1; str r0, [r1, r2]; str r0, [r1]; strh r0, [r1, r2]; strh r0, [r1]
    strb r0, [r1, r2]; strb r0, [r1]; ldr r0, [r1, r2]; ldr r0, [r1]; ldrh r0, [r1, r2]
    ldrh r0, [r1]; ldrb r0, [r1, r2]; ldrb r0, [r1]; ldrsh r0, [r1, r2]; ldrsb r0, [r1, r2]
    mov r0, pc; add r0, pc; push {r0}; pop {r0}; ldm r0!, {r2}; stm r0!, {r2}; cpsid i; nop; wfe
"""


@pytest.mark.parametrize("core", ["cortex-m0", "cortex-m0plus"])
def test_a_short_instruction_at_a_line_s_end_fetches_nothing_behind(core: str) -> None:
    """BKPT, which ends the run, is the first of the next line, and is not fetched."""
    with (
        Machine(load_model(core), MEMORY, LINE) as waiting,
        Machine(load_model(core), MEMORY) as plain,
    ):
        for instruction in filter(str.strip, SHORT.replace("\n", ";").split(";")):
            image = assemble("sub sp, #8; " + "nop; " * 6 + instruction + "; bkpt #1", cpu=core)
            cycles = []
            for machine in (waiting, plain):
                image.load(machine)
                result = image.call(machine, "_start", RAM + 64, RAM + 64, 0)
                assert result.stop == "bkpt", (instruction, result)
                cycles.append(result.cycles)
            assert cycles[0] == cycles[1] + 2, instruction


def test_a_line_as_wide_as_the_code_is_loaded_once() -> None:
    code, cycles, _, _ = KERNELS["loop over a line's end"]
    assert run(assemble(code), FlashTiming(3, 4096)).cycles == cycles + 3


def test_timing_changes_cycles_and_nothing_else() -> None:
    image = assemble(KERNELS["ldm from flash"][0])
    fast, slow = run(image, None), run(image, LINE)
    assert (fast.instructions, fast.trace_hash, fast.stack_low) == (
        slow.instructions,
        slow.trace_hash,
        slow.stack_low,
    )
    assert fast.cycles < slow.cycles


@pytest.mark.parametrize(
    ("code", "timing", "cycles"), [("nop; " * 8, LINE, 10), ("nop; ", NO_BUFFER, 2)]
)
def test_each_run_begins_with_empty_buffers(code: str, timing: FlashTiming, cycles: int) -> None:
    """That of the flash and that of the core: the second kernel is one word."""
    image = assemble(code + "bkpt #1")
    with Machine(load_model("cortex-m0"), MEMORY, timing) as machine:
        image.load(machine)
        assert [image.call(machine, "_start").cycles for _ in range(3)] == [cycles] * 3


def test_code_in_ram_waits_only_for_data_in_flash() -> None:
    """A jump to RAM and back: what runs there costs no fetch and leaves the line in the buffer."""
    image = assemble("nop; nop; bkpt #1", base=RAM)
    assert run(image, LINE).cycles == 2
    code = "movs r0, #0; ldr r1, [r0]; ldr r1, [r0, #4]; ldr r1, [r0, #16]; bkpt #1"
    assert run(assemble(code, base=RAM), LINE).cycles == 1 + 3 * 2 + 2 * 2


def test_slices_do_not_change_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    image = assemble(KERNELS["loop over a line's end"][0])
    whole = run(image, LINE)
    monkeypatch.setattr("ecfit.sim.machine.SLICE", 1)
    assert run(image, LINE) == whole


@pytest.mark.parametrize(
    "timing", [(-1, 0), (256, 0), (1, 24), (1, 96), (1, 8), (1, 8192), (1, 20)]
)
def test_wrong_timing_is_refused(timing: tuple[int, int]) -> None:
    with pytest.raises(SimError):
        Machine(load_model("cortex-m0"), MEMORY, FlashTiming(*timing))


# ---- words that an instruction fetches -----------------------------------------------------------


@pytest.mark.parametrize("core", ["cortex-m0", "cortex-m4"])
def test_words_that_are_fetched(core: str) -> None:
    """Before BKPT, whose fetch does not count: one of 16 bits takes the word with what stands
    before it, one of 32 bits another.
    """
    wide = [one.text for one in INSTRUCTIONS if core == "cortex-m4" and one.row not in LEAVING]
    texts = [one for one in (*wide, *NARROW[True], *NARROW[False]) if "2f" not in one]
    probes = [Probe(f"nop; {one}", 0) for one in texts]
    model, slow = load_model(core), FlashTiming(7, 0)
    words = [
        (waiting - free) // 7
        for waiting, free in zip(
            cycles(probes, model, flash=slow), cycles(probes, model), strict=True
        )
    ]
    narrow = set(NARROW[True] + NARROW[False])
    assert [
        one for one, count in zip(texts, words, strict=True)
        if count != (1 if one in narrow else 2)
    ] == []  # fmt: skip
