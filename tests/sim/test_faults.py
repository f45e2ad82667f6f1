"""What ends a run: each kind of fault with its address and program counter, BKPT, the limit, the keyboard."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sim_build import FLASH_SIZE, MEMORY, RAM, RAM_SIZE, STACK_TOP, TEXT, assemble
from sim_oracle import state_of

from ecfit.simlib import Fault, Machine, Region, load_model

pytestmark = pytest.mark.usefixtures("cross_compiler")
END = RAM + RAM_SIZE
AT = TEXT + 4  # each fault below happens in the instruction at _start + 4

# name: (code, kind of fault, its address); r0 is 0 at the start, r1 = RAM, r2 = end of RAM, r3 = 0x40000000
FAULTS = {
    "read below RAM": ("nop; subs r1, #4; ldr r0, [r1]", "read outside memory", RAM - 4),
    "read behind RAM": ("nop; nop; ldrb r0, [r2]", "read outside memory", END),
    "read wraps around": ("subs r0, #4; nop; ldr r1, [r0]", "read of a peripheral, which is not modelled,", 0xFFFFFFFC),
    "halfword read behind RAM": ("nop; nop; ldrsh r0, [r2, r0]", "read outside memory", END),
    "write below RAM": ("nop; subs r1, #1; strb r0, [r1]", "write outside memory", RAM - 1),
    "write behind RAM": ("nop; nop; str r0, [r2, #8]", "write outside memory", END + 8),
    "write to flash": ("nop; nop; str r1, [r0]", "write to flash", 0),
    "byte write to flash": ("nop; adds r0, #0x81; strb r1, [r0]", "write to flash", 0x81),
    "unaligned word read": ("nop; adds r1, #2; ldr r0, [r1]", "unaligned read", RAM + 2),
    "unaligned halfword read": ("nop; adds r1, #1; ldrh r0, [r1, #2]", "unaligned read", RAM + 3),
    "unaligned word read of flash": ("nop; adds r0, #2; ldr r0, [r0]", "unaligned read", 2),
    "unaligned word write": ("nop; adds r1, #1; str r0, [r1]", "unaligned write", RAM + 1),
    "unaligned halfword write": ("nop; adds r1, #3; strh r0, [r1]", "unaligned write", RAM + 3),
    "unaligned ldm": ("nop; adds r1, #2; ldm r1!, {r0, r2}", "unaligned read", RAM + 2),
    "unaligned stm": ("nop; adds r1, #2; stm r1!, {r0, r2}", "unaligned write", RAM + 2),
    "peripheral read": ("nop; nop; ldr r0, [r3]", "read of a peripheral, which is not modelled,", 0x40000000),
    "peripheral write": ("nop; nop; str r0, [r3, #4]", "write to a peripheral, which is not modelled,", 0x40000004),
    "ldm over the end": ("nop; subs r2, #8; ldm r2!, {r4-r7}", "read outside memory", END),
    "stm over the end": ("nop; subs r2, #8; stm r2!, {r4-r7}", "write outside memory", END),
    "ldm one word over the end": ("nop; subs r2, #8; ldm r2!, {r4-r6}", "read outside memory", END),
    "stm one word over the end": ("nop; subs r2, #8; stm r2!, {r4-r6}", "write outside memory", END),
    "push one word over the end": ("mov sp, r2; add sp, #4; push {r4}", "write outside memory", END),
    "push below RAM": ("mov sp, r1; nop; push {r0, r1}", "write outside memory", RAM - 8),
    "pop behind RAM": ("mov sp, r2; nop; pop {r0, r1}", "read outside memory", END),
    "pop pc behind RAM": ("mov sp, r2; nop; pop {pc}", "read outside memory", END),
    "bx even": ("movs r0, #0x80; nop; bx r0", "branch without the Thumb bit", 0x80),
    "blx even": ("movs r0, #0x80; nop; blx r0", "branch without the Thumb bit", 0x80),
    "pop pc even": ("movs r0, #0x80; push {r0}; pop {pc}", "branch without the Thumb bit", 0x80),
    "bx to nowhere": ("adds r3, #1; nop; bx r3", "execution outside memory", 0x40000000),
    "blx to nowhere": ("adds r3, #1; nop; blx r3", "execution outside memory", 0x40000000),
    "mov pc to nowhere": ("nop; nop; mov pc, r3", "execution outside memory", 0x40000000),
    "bl to nowhere": (f"nop; nop; bl _start + {FLASH_SIZE}", "execution outside memory", FLASH_SIZE + TEXT),
    "udf": ("nop; nop; udf #1", "undefined instruction", AT),
    "udf wide": ("nop; nop; .inst.w 0xf7f0a001", "undefined instruction", AT),
    "svc": ("nop; nop; svc #3", "supervisor call", AT),
    "undefined in ARMv6-M": ("nop; nop; .inst.n 0xbf08", "undefined instruction", AT),
    "unpredictable": ("nop; nop; .inst.n 0xb400", "unpredictable instruction", AT),
}


@pytest.mark.parametrize("profile", [False, True])
@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize("name", FAULTS)
def test_fault_names_kind_address_and_pc(name: str, warm: bool, profile: bool, m0: Machine) -> None:
    """Also when RAM has just been accessed, which is when the fast path takes over."""
    code, kind, address = FAULTS[name]
    if warm:
        image = assemble("push {r0}; pop {r0}; bx lr")
        image.load(m0)
        assert image.call(m0, "_start").stop == "bkpt"
    image = assemble(code)
    image.load(m0)
    before = m0.read(RAM, RAM_SIZE - 8)
    result = m0.call(
        image.symbols["_start"], [0, RAM, END, 0x40000000], sp=STACK_TOP, return_to=0x80, limit=10, profile=profile
    )
    assert result.stop == "fault"
    assert result.fault == Fault(kind, address, AT)
    assert str(result.fault) == f"{kind} 0x{address:08x} at pc 0x00000104"
    assert (result.instructions, m0.register(15)) == (2, AT)
    assert sum(result.classes.values()) == (2 if profile else 0)
    assert m0.read(RAM, RAM_SIZE - 8) == before


def test_a_fault_changes_no_register(m0: Machine) -> None:
    for code in ("ldm r1!, {r0, r2, r4}", "ldm r1, {r0, r1, r2}", "pop {r0, r1, pc}", "push {r0-r7}"):
        image = assemble(code)
        image.load(m0)
        for index in range(13):
            m0.set_register(index, 0x11111111 * index)
        m0.set_register(1, END - 4)
        m0.set_register(13, RAM + 8 if "push" in code else END - 4)
        before = state_of(m0)
        result = m0.run(TEXT | 1, limit=10)
        assert result.fault is not None
        assert state_of(m0) == before, code


def test_a_store_of_several_words_keeps_those_before_the_fault(m0: Machine) -> None:
    image = assemble("stm r0!, {r1, r2, r3}")
    image.load(m0)
    result = m0.call(TEXT, [END - 8, 0x01020304, 0x05060708, 9], sp=STACK_TOP - 64, return_to=0x80, limit=10)
    assert result.fault == Fault("write outside memory", END, TEXT)
    assert m0.read(END - 8, 8) == bytes([4, 3, 2, 1, 8, 7, 6, 5])


def test_running_over_the_end_of_memory(m0: Machine) -> None:
    """The fault is at the address that does not exist; a wide instruction cut by the end is at its own."""
    m0.load(FLASH_SIZE - 4, bytes.fromhex("00bf00bf"))
    result = m0.run(FLASH_SIZE - 3, limit=100)
    assert result.fault == Fault("execution outside memory", FLASH_SIZE, FLASH_SIZE)
    assert (result.instructions, result.cycles) == (2, 2)
    m0.load(FLASH_SIZE - 2, bytes.fromhex("00f0"))
    result = m0.run(FLASH_SIZE - 3, limit=100)
    assert result.fault == Fault("execution outside memory", FLASH_SIZE, FLASH_SIZE - 2)
    assert result.instructions == 1


def test_code_runs_on_into_the_region_behind() -> None:
    """Two regions that touch are one memory to the core."""
    regions = [Region("a", 0, 0x100, "flash"), Region("b", 0x100, 0x100, "ram"), Region("c", 0x200, 0x100, "ram")]
    with Machine(load_model("cortex-m0"), regions) as machine:
        machine.load(0xFE, bytes.fromhex("0120"))  # movs r0, #1
        machine.load(0x100, bytes.fromhex("0130") * 0x80)  # adds r0, #1
        machine.load(0x200, bytes.fromhex("00e00000 07be"))  # b .+4; bkpt #7
        result = machine.run(0xFF, limit=1000)
        assert (result.stop, result.bkpt, result.result, result.instructions) == ("bkpt", 7, 129, 130)


@pytest.mark.parametrize("pc", [0x0, 0x100, RAM, 0x40000001, 0x20FFFFFF, 0xFFFFFFFF])
def test_a_bad_start_is_a_fault(pc: int, m0: Machine) -> None:
    result = m0.run(pc, limit=10)
    assert result.stop == "fault"
    assert result.fault is not None
    assert result.fault.address == (pc if pc % 2 == 0 else pc & ~1)
    assert result.instructions == 0


def test_bkpt_does_not_count(m0: Machine) -> None:
    image = assemble("movs r0, #5; bkpt #42")
    image.load(m0)
    result = image.call(m0, "_start")
    assert (result.stop, result.bkpt, result.result) == ("bkpt", 42, 5)
    assert (result.cycles, result.instructions) == (1, 1)
    assert m0.register(15) == TEXT + 2


@pytest.mark.parametrize("limit", [0, 1, 2, 3, 262143, 262144, 262145, 1_000_001])
def test_the_limit_is_exact(limit: int, m0: Machine) -> None:
    image = assemble("1: b 1b")
    image.load(m0)
    result = image.call(m0, "_start", limit=limit)
    assert (result.stop, result.instructions, result.cycles) == ("limit", limit, 3 * limit)
    assert result.bkpt is None
    assert result.fault is None


def test_a_bkpt_right_at_the_limit_is_reached(m0: Machine) -> None:
    image = assemble("nop; nop; bkpt #9")
    image.load(m0)
    assert image.call(m0, "_start", limit=1).stop == "limit"
    assert image.call(m0, "_start", limit=2).bkpt == 9


def test_random_bytes_never_crash(m0: Machine) -> None:
    """Flash and RAM full of noise, runs from everywhere: a result each time, with counts that fit."""
    rng = random.Random(4)
    for _ in range(300):
        m0.load(0, rng.randbytes(0x400))
        m0.write(RAM, rng.randbytes(0x400))
        for index in range(15):
            m0.set_register(index, rng.choice((0, RAM)) + rng.randrange(0x400) if index % 2 else rng.getrandbits(32))
        m0.set_register(13, RAM + rng.randrange(0x400))
        result = m0.run(rng.choice((0, RAM)) + rng.randrange(0x400) | 1, limit=1000, profile=rng.random() < 0.5)
        assert result.instructions <= 1000
        assert result.cycles <= result.instructions * 40
        assert (result.stop == "fault") == (result.fault is not None)


def test_keyboard_interrupt_ends_an_endless_loop_within_a_second() -> None:
    script = """
from sim_build import *
from ecfit.simlib import Machine, load_model
with Machine(load_model("cortex-m0"), MEMORY) as machine:
    machine.load(TEXT, bytes.fromhex("fee7"))
    print("running", flush=True)
    try:
        machine.run(TEXT | 1, limit=10**15)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": f"{here}:{here.parents[1]}"}
    command = ["env", "--default-signal=INT", sys.executable, "-c", script]  # the background's jobs inherit "ignored"
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
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
        machine.load(regions[0].start, bytes.fromhex("0120 00b4 07be"))  # movs r0, #1; push {}: unpredictable
        machine.set_register(13, 0x1000)
        result = machine.run(regions[0].start | 1, limit=10)
        assert result.fault is not None
        assert result.instructions == 1
