"""What ends a run: each kind of fault with its address and program counter, BKPT, the limit, the
keyboard; and what ends it on every Arm core in the same way.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from ecfit.sim.machine import Fault, Machine, Region, load_model
from workshop.sim import fault_checks
from workshop.sim.build import FLASH_SIZE, MEMORY, RAM, RAM_SIZE, STACK_TOP, TEXT, assemble
from workshop.sim.fault_checks import (
    AT,
    END,
    EXECUTE,
    PERIPHERAL,
    PERIPHERAL_READ,
    PERIPHERAL_WRITE,
    READ,
    WRITE,
)
from workshop.sim.oracle import state_of

pytestmark = pytest.mark.usefixtures("cross_compiler")

# name: (code, kind of fault, its address); r0 is 0 at the start, r1 = RAM, r2 = end of RAM,
# r3 = PERIPHERAL
FAULTS = {
    "read below RAM": ("nop; subs r1, #4; ldr r0, [r1]", READ, RAM - 4),
    "read behind RAM": ("nop; nop; ldrb r0, [r2]", READ, END),
    "read wraps around": ("subs r0, #4; nop; ldr r1, [r0]", PERIPHERAL_READ, 0xFFFFFFFC),
    "halfword read behind RAM": ("nop; nop; ldrsh r0, [r2, r0]", READ, END),
    "write below RAM": ("nop; subs r1, #1; strb r0, [r1]", WRITE, RAM - 1),
    "write behind RAM": ("nop; nop; str r0, [r2, #8]", WRITE, END + 8),
    "write to flash": ("nop; nop; str r1, [r0]", "write to flash", 0),
    "byte write to flash": ("nop; adds r0, #0x81; strb r1, [r0]", "write to flash", 0x81),
    "unaligned word read": ("nop; adds r1, #2; ldr r0, [r1]", "unaligned read", RAM + 2),
    "unaligned halfword read": ("nop; adds r1, #1; ldrh r0, [r1, #2]", "unaligned read", RAM + 3),
    "unaligned word read of flash": ("nop; adds r0, #2; ldr r0, [r0]", "unaligned read", 2),
    "unaligned word write": ("nop; adds r1, #1; str r0, [r1]", "unaligned write", RAM + 1),
    "unaligned halfword write": ("nop; adds r1, #3; strh r0, [r1]", "unaligned write", RAM + 3),
    "unaligned ldm": ("nop; adds r1, #2; ldm r1!, {r0, r2}", "unaligned read", RAM + 2),
    "odd ldm": ("nop; adds r1, #1; ldm r1!, {r0, r2}", "unaligned read", RAM + 1),
    "odd stm": ("nop; adds r1, #1; stm r1!, {r0, r2}", "unaligned write", RAM + 1),
    "unaligned stm": ("nop; adds r1, #2; stm r1!, {r0, r2}", "unaligned write", RAM + 2),
    "peripheral read": ("nop; nop; ldr r0, [r3]", PERIPHERAL_READ, PERIPHERAL),
    "peripheral write": ("nop; nop; str r0, [r3, #4]", PERIPHERAL_WRITE, PERIPHERAL + 4),
    "ldm over the end": ("nop; subs r2, #8; ldm r2!, {r4-r7}", READ, END),
    "stm over the end": ("nop; subs r2, #8; stm r2!, {r4-r7}", WRITE, END),
    "ldm one word over the end": ("nop; subs r2, #8; ldm r2!, {r4-r6}", READ, END),
    "stm one word over the end": ("nop; subs r2, #8; stm r2!, {r4-r6}", WRITE, END),
    "push one word over the end": ("mov sp, r2; add sp, #4; push {r4}", WRITE, END),
    "push below RAM": ("mov sp, r1; nop; push {r0, r1}", WRITE, RAM - 8),
    "pop behind RAM": ("mov sp, r2; nop; pop {r0, r1}", READ, END),
    "pop pc behind RAM": ("mov sp, r2; nop; pop {pc}", READ, END),
    "bx even": ("movs r0, #0x80; nop; bx r0", "branch without the Thumb bit", 0x80),
    "blx even": ("movs r0, #0x80; nop; blx r0", "branch without the Thumb bit", 0x80),
    "pop pc even": ("movs r0, #0x80; push {r0}; pop {pc}", "branch without the Thumb bit", 0x80),
    "bx to nowhere": ("adds r3, #1; nop; bx r3", EXECUTE, PERIPHERAL),
    "blx to nowhere": ("adds r3, #1; nop; blx r3", EXECUTE, PERIPHERAL),
    "mov pc to nowhere": ("nop; nop; mov pc, r3", EXECUTE, PERIPHERAL),
    "bl to nowhere": (f"nop; nop; bl _start + {FLASH_SIZE}", EXECUTE, FLASH_SIZE + TEXT),
    "udf": ("nop; nop; udf #1", "undefined instruction", AT),
    "udf wide": ("nop; nop; .inst.w 0xf7f0a001", "undefined instruction", AT),
    "svc": ("nop; nop; svc #3", "supervisor call", AT),
    "undefined in ARMv6-M": ("nop; nop; .inst.n 0xbf08", "undefined instruction", AT),
    "unpredictable": ("nop; nop; .inst.n 0xb400", "unpredictable instruction", AT),
}


@pytest.mark.parametrize("profile", [False, True])
@pytest.mark.parametrize("just_accessed", [False, True])
@pytest.mark.parametrize("name", FAULTS)
def test_fault_names_kind_address_and_pc(
    name: str, just_accessed: bool, profile: bool, m0: Machine
) -> None:
    """Also when RAM has just been accessed, which is when the fast path takes over."""
    code, kind, address = FAULTS[name]
    if just_accessed:
        fault_checks.warm(m0)
    fault_checks.check_fault(
        m0, assemble(code), (kind, address), 2, kept=(RAM, RAM_SIZE - 8), profile=profile
    )


@pytest.mark.parametrize(
    "code", ["ldm r1!, {r0, r2, r4}", "ldm r1, {r0, r1, r2}", "pop {r0, r1, pc}", "push {r0-r7}"]
)
def test_a_fault_changes_no_register(code: str, m0: Machine) -> None:
    sp = RAM + 8 if "push" in code else END - 4
    fault_checks.check_registers_stay(m0, assemble(code), {1: END - 4, 13: sp}, state_of)


def test_a_store_of_several_words_keeps_those_before_the_fault(m0: Machine) -> None:
    image = assemble("stm r0!, {r1, r2, r3}")
    image.load(m0)
    result = m0.call(
        TEXT, [END - 8, 0x01020304, 0x05060708, 9], sp=STACK_TOP - 64, return_to=0x80, limit=10
    )
    assert result.fault == Fault("write outside memory", END, TEXT)
    assert m0.read(END - 8, 8) == bytes([4, 3, 2, 1, 8, 7, 6, 5])


def test_code_runs_on_into_the_region_behind() -> None:
    """Two regions that touch are one memory to the core."""
    regions = [
        Region("a", 0, 0x100, "flash"),
        Region("b", 0x100, 0x100, "ram"),
        Region("c", 0x200, 0x100, "ram"),
    ]
    with Machine(load_model("cortex-m0"), regions) as machine:
        machine.load(0xFE, bytes.fromhex("0120"))  # movs r0, #1
        machine.load(0x100, bytes.fromhex("0130") * 0x80)  # adds r0, #1
        machine.load(0x200, bytes.fromhex("00e00000 07be"))  # b .+4; bkpt #7
        result = machine.run(0xFF, limit=1000)
        assert (result.stop, result.bkpt, result.result, result.instructions) == (
            "bkpt",
            7,
            129,
            130,
        )


def test_bkpt_does_not_count(m0: Machine) -> None:
    image = assemble("movs r0, #5; bkpt #42")
    image.load(m0)
    result = image.call(m0, "_start")
    assert (result.stop, result.bkpt, result.result) == ("bkpt", 42, 5)
    assert (result.cycles, result.instructions) == (1, 1)
    assert m0.register(15) == TEXT + 2


def test_a_bkpt_right_at_the_limit_is_reached(m0: Machine) -> None:
    image = assemble("nop; nop; bkpt #9")
    image.load(m0)
    assert image.call(m0, "_start", limit=1).stop == "limit"
    assert image.call(m0, "_start", limit=2).bkpt == 9


def test_keyboard_interrupt_ends_an_endless_loop_within_a_second() -> None:
    script = """
from workshop.sim.build import *
from ecfit.sim.machine import Machine, load_model
with Machine(load_model("cortex-m0"), MEMORY) as machine:
    machine.load(TEXT, bytes.fromhex("fee7"))
    print("running", flush=True)
    try:
        machine.run(TEXT | 1, limit=10**15)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""
    command = [
        "env",
        "--default-signal=INT",
        sys.executable,
        "-c",
        script,
    ]  # the background's jobs inherit "ignored"
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        time.sleep(0.3)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=10)
        assert time.monotonic() - start < 1
        assert out == "interrupted\n", error
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("regions", [MEMORY[:1], MEMORY[1:]])
def test_machines_without_ram_or_flash(regions: tuple[Region, ...]) -> None:
    """Nothing assumes that both are there."""
    with Machine(load_model("cortex-m0"), regions) as machine:
        machine.load(
            regions[0].start, bytes.fromhex("0120 00b4 07be")
        )  # movs r0, #1; push {}: unpredictable
        machine.set_register(13, 0x1000)
        result = machine.run(regions[0].start | 1, limit=10)
        assert result.fault is not None
        assert result.instructions == 1


# ---- every Arm core ------------------------------------------------------------------------------

BRANCH = {
    "cortex-m0": 3,
    "cortex-m3": 2,
    "cortex-m4": 2,
    "cortex-m7": 1,
    "cortex-m33": 2,
}  # cycles of one to itself


@pytest.fixture(params=BRANCH)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def core(name: str) -> Iterator[Machine]:
    """64 KiB of flash at 0 and 64 KiB of RAM at 0x20000000, zero wait states."""
    with Machine(load_model(name), MEMORY) as machine:
        yield machine


@pytest.mark.parametrize(
    "limit", [0, 1, 2, 3, 65535, 65536, 65537, 262143, 262144, 262145, 1_000_001]
)
def test_the_limit_is_exact(limit: int, name: str, core: Machine) -> None:
    image = assemble("1: b 1b")
    image.load(core)
    result = image.call(core, "_start", limit=limit)
    assert (result.stop, result.instructions, result.cycles) == (
        "limit",
        limit,
        BRANCH[name] * limit,
    )
    assert (result.bkpt, result.fault) == (None, None)


def test_running_over_the_end_of_memory(name: str, core: Machine) -> None:
    """The fault is at the address that does not exist; a wide instruction cut
    by the end is at its own.
    """
    core.load(FLASH_SIZE - 4, bytes.fromhex("00bf00bf"))
    result = core.run(FLASH_SIZE - 3, limit=100)
    assert result.fault == Fault(EXECUTE, FLASH_SIZE, FLASH_SIZE)
    assert (result.instructions, result.cycles) == (2, 1 if name == "cortex-m7" else 2)
    core.load(FLASH_SIZE - 2, bytes.fromhex("00f0"))
    result = core.run(FLASH_SIZE - 3, limit=100)
    assert result.fault == Fault(EXECUTE, FLASH_SIZE, FLASH_SIZE - 2)
    assert result.instructions == 1


@pytest.mark.parametrize("pc", [0x0, 0x100, RAM, PERIPHERAL | 1, 0x20FFFFFF, 0xFFFFFFFF])
def test_a_bad_start_is_a_fault(pc: int, core: Machine) -> None:
    """Without the Thumb bit, or outside memory."""
    result = core.run(pc, limit=10)
    assert result.stop == "fault"
    assert result.fault is not None
    assert result.fault.address == (pc if pc % 2 == 0 else pc & ~1)
    assert result.instructions == 0


def test_random_bytes_never_crash(core: Machine) -> None:
    """Flash and RAM full of noise, runs from everywhere: a result each time,
    with counts that fit.
    """
    rng = random.Random(4)
    for _ in range(300):
        core.load(0, rng.randbytes(0x400))
        core.write(RAM, rng.randbytes(0x400))
        for index in range(15):
            near = rng.choice((0, RAM)) + rng.randrange(0x400)
            core.set_register(index, near if index % 2 else rng.getrandbits(32))
        core.set_register(13, RAM + rng.randrange(0x400))
        start = rng.choice((0, RAM)) + rng.randrange(0x400) | 1
        result = core.run(start, limit=1000, profile=rng.random() < 0.3, taint=rng.random() < 0.3)
        assert result.instructions <= 1000
        assert result.cycles_min <= result.cycles <= result.instructions * 40
        assert (result.stop == "fault") == (result.fault is not None)
