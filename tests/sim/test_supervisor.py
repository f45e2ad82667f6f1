"""SVC, the return from its handler, and code without privilege: the same programs on the simulator
and on boards that QEMU emulates (Arm DDI 0403, B1.4 and B1.5).

Each program ends by semihosting with a number; QEMU leaves with it. 77: it came to HardFault,
where the simulator ends the run with a fault.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ecfit.sim.machine import Machine, Region, load_model
from ecfit.sim.state import StoppableMachine
from workshop.sim.build import FLASH, MEMORY, STACK_TOP, Image, assemble

pytestmark = pytest.mark.usefixtures("cross_compiler")
SYSTEM = Region("system control", 0xE000E000, 0x1000, "ram")
BOARDS = {"cortex-m3": "mps2-an385", "cortex-m4": "mps2-an386"}
PROCESS, PROCESS_TOP = 0x20004000, 0x20004100
HARD_FAULT = 77
BARRED = "access without privilege"
# The exception frame does not restore r4, r5 and r6, so programs keep there what they see.
PROGRAM = """
    .cpu {core}
    .word {top}, reset + 1, 0, hard_fault + 1, 0, 0, 0, 0, 0, 0, 0, handler + 1
reset:
    ldr r0, =0xe000ed08
    ldr r1, =_start
    str r1, [r0]
    ldr r0, ={process}
    msr psp, r0
    ldr r1, =0x11111111
    ldr r2, =0x22222222
    movs r4, #0
    movs r6, #0
    {begin}
ended:
    movs r0, r4
leave:
    sub sp, #8
    ldr r1, =0x20026
    str r1, [sp]
    str r0, [sp, #4]
    mov r1, sp
    movs r0, #0x20
    bkpt #0xab
hard_fault:
    movs r0, #77
    ldr r1, ={top}
    mov sp, r1
    b leave
handler:
    {handler}
    .ltorg
"""
UNPRIVILEGED = "movs r0, #3; msr control, r0; isb; "
LOWER = "ldr r0, =0x20003000; mov sp, r0; "
# name: (begins, handler, the number that it ends with)
PROGRAMS = {
    "returns behind it": ("svc #5; adds r4, #9", "bx lr", 9),
    "by pop": ("svc #5; adds r4, #9", "push {lr}; pop {pc}", 9),
    "number of the exception": ("svc #5", "mrs r4, ipsr; bx lr", 11),
    "none outside": ("svc #5; mrs r4, ipsr; adds r4, #1", "bx lr", 1),
    "main stack": ("svc #5", "uxtb r4, r0; mov r4, lr; uxtb r4, r4; bx lr", 0xF9),
    "process stack": (UNPRIVILEGED + "svc #5; mov r4, r5", "mov r5, lr; uxtb r5, r5; bx lr", 0xFD),
    "frame": (
        "movs r0, #0x40; movs r3, #3; svc #5; mov r4, r5",
        "ldr r5, [sp]; ldr r3, [sp, #12]; add r5, r3; ldr r3, [sp, #28]; lsrs r3, #24; "
        "add r5, r3; bx lr",
        0x44,
    ),
    "a result in the frame": ("svc #5; mov r4, r0", "movs r0, #33; str r0, [sp]; bx lr", 33),
    "flags are restored": (
        "movs r0, #0; cmp r0, #0; svc #5; bne 1f; adds r4, #7; 1: nop",
        "movs r0, #1; bx lr",
        7,
    ),
    "registers are restored": ("svc #5; lsrs r4, r1, #28", "movs r1, #0; bx lr", 1),
    "stack is where it was": (
        "mov r5, sp; svc #5; mov r4, sp; subs r4, r5, r4; adds r4, #2",
        "bx lr",
        2,
    ),
    "stack that is not aligned": (
        "sub sp, #4; mov r5, sp; svc #5; mov r4, sp; subs r4, r5, r4; adds r4, r6",
        "movs r6, #7; mov r0, sp; ands r6, r0; adds r6, #3; bx lr",
        3,
    ),
    "the main stack in the handler": (
        UNPRIVILEGED + "mov r5, sp; svc #5; adds r4, r6, #1",
        "mrs r0, control; lsrs r0, #1; mov r6, r0; bx lr",
        1,
    ),
    "privilege is given up": (UNPRIVILEGED + "mrs r4, control", "bx lr", 3),
    "and not taken back": (
        UNPRIVILEGED + "movs r0, #0; msr control, r0; isb; mrs r4, control",
        "bx lr",
        3,
    ),
    "but by the handler": (
        UNPRIVILEGED + "svc #5; mrs r4, control",
        "movs r0, #0; msr control, r0; bx lr",
        2,
    ),
    "the handler sets no SPSEL": (
        "svc #5; mrs r4, control",
        "movs r0, #2; msr control, r0; bx lr",
        0,
    ),
    "a return to the other stack": (
        UNPRIVILEGED + "svc #5; movs r4, #99",
        "ldr r0, =ended; sub sp, #32; str r0, [sp, #24]; movs r0, #1; lsls r0, #24; "
        "str r0, [sp, #28]; movs r4, #21; mvns r0, r0; movs r0, #6; mvns r0, r0; bx r0",
        21,
    ),
    "unprivileged MSR of MSP": (
        "mov r5, sp; " + UNPRIVILEGED + "movs r0, #0; msr msp, r0; svc #5; movs r4, #3",
        "cmp sp, r5; beq 1f; movs r0, #0; bx r0; 1: bx lr",
        3,
    ),
    "unprivileged MRS of MSP": (UNPRIVILEGED + "mrs r4, msp; adds r4, #4", "bx lr", 4),
    "unprivileged MRS of PSP": (UNPRIVILEGED + "mrs r4, psp; adds r4, #4", "bx lr", 4),
    "unprivileged MRS of BASEPRI": (
        "movs r0, #0x40; msr basepri, r0; mrs r4, basepri_max; " + UNPRIVILEGED
        + "mrs r5, basepri_max; adds r4, r5; mrs r5, basepri; adds r4, r5; adds r4, #7",
        "bx lr",
        0x47,
    ),
    "unprivileged CPS": (
        UNPRIVILEGED + "cpsid i; svc #5; adds r4, #6",
        "mrs r4, primask; bx lr",
        6,
    ),
    "unprivileged flags": (
        UNPRIVILEGED + "ldr r0, =0x80000000; msr apsr_nzcvq, r0; bpl 1f; movs r4, #5; 1: nop",
        "bx lr",
        5,
    ),
    "system registers": (
        "ldr r0, =0xe000ed94; movs r1, #0; str r1, [r0]; ldr r4, [r0]",
        "bx lr",
        0,
    ),
    "unprivileged write of MPU_CTRL": (
        UNPRIVILEGED + "ldr r0, =0xe000ed94; movs r1, #0; str r1, [r0]",
        "bx lr",
        HARD_FAULT,
    ),
    "unprivileged read of MPU_CTRL": (
        UNPRIVILEGED + "ldr r0, =0xe000ed94; ldr r1, [r0]",
        "bx lr",
        HARD_FAULT,
    ),
    "unprivileged write of VTOR": (
        UNPRIVILEGED + "ldr r0, =0xe000ed08; push {r1}; pop {r1}; stm r0!, {r1, r2}",
        "bx lr",
        HARD_FAULT,
    ),
    "in the handler they may be written": (
        UNPRIVILEGED + "svc #5; adds r4, #8",
        "ldr r0, =0xe000ed94; movs r1, #0; str r1, [r0]; bx lr",
        8,
    ),
    "SVC in a handler": ("svc #5", "svc #6; bx lr", HARD_FAULT),
    "SVC while it is masked": ("cpsid i; svc #5", "bx lr", HARD_FAULT),
    "a stack without memory": ("ldr r0, =0x60000020; mov sp, r0; svc #5", "bx lr", HARD_FAULT),
    "a return outside a handler": ("movs r0, #6; mvns r0, r0; bx r0", "bx lr", HARD_FAULT),
    "a return of no kind": ("svc #5", "movs r0, #2; mvns r0, r0; bx r0", HARD_FAULT),
    "a return without Thumb state": (
        "svc #5",
        "movs r0, #0; str r0, [sp, #28]; bx lr",
        HARD_FAULT,
    ),
}  # fmt: skip
MORE = ("unprivileged", "privilege", "not taken", "by the handler", "may be written")


def program(core: str, name: str) -> Image:
    begin, handler, _ = PROGRAMS[name]
    text = PROGRAM.format(
        core=core, top=STACK_TOP, process=PROCESS_TOP, begin=begin.replace(";", "\n"),
        handler=handler.replace(";", "\n")
    )  # fmt: skip
    return assemble(text, base=FLASH, cpu=core)


def ran(machine: Machine) -> int | str:
    """The number that the program ends with, or the fault."""
    result = machine.reset(FLASH, limit=1000)
    if result.fault is not None:
        return result.fault.kind
    assert result.bkpt == 0xAB, result
    return int.from_bytes(machine.read(machine.register(1) + 4, 4), "little")


def made(core: str, image: Image) -> StoppableMachine:
    machine = StoppableMachine(load_model(core), [*MEMORY, SYSTEM])
    image.load(machine)
    return machine


def cases() -> Iterator[tuple[str, str]]:
    for name in PROGRAMS:
        for core in ("cortex-m0plus", *BOARDS):
            if core in BOARDS or not any(word in name for word in MORE):
                yield core, name


@pytest.mark.parametrize(("core", "name"), list(cases()))
def test_on_the_simulator(core: str, name: str) -> None:
    expected = PROGRAMS[name][2]
    with made(core, program(core, name)) as machine:
        found = ran(machine)
    assert (HARD_FAULT if isinstance(found, str) else found) == expected, found
    if "unprivileged" in name and expected == HARD_FAULT:
        assert found == BARRED


@pytest.mark.parametrize("core", BOARDS)
def test_on_an_emulated_board(core: str, tmp_path: Path) -> None:
    """The numbers of the table are those of another implementation."""
    assert shutil.which("qemu-system-arm"), "qemu-system-arm is missing: tools/setup.sh test"
    wrong = []
    for name, (_, _, expected) in PROGRAMS.items():
        flash = bytearray(0x1000)
        for address, data in program(core, name).segments:
            flash[address : address + len(data)] = data
        (tmp_path / "flash").write_bytes(flash)
        command = ["qemu-system-arm", "-M", BOARDS[core], "-display", "none", "-monitor", "none",
                   "-nic", "none", "-serial", "none", "-semihosting-config",
                   "enable=on,userspace=on", "-device",
                   f"loader,file={tmp_path / 'flash'},addr={FLASH:#x},force-raw=on"]  # fmt: skip
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                              check=False)  # fmt: skip
        if done.returncode != expected:
            wrong.append((name, expected, done.returncode))
    assert wrong == []


def test_without_a_vector_table_it_ends_the_run() -> None:
    """As before there was one: VTOR or what it names is not in memory."""
    image = assemble("nop\nnop\nsvc #3")
    for memory in (MEMORY, (*MEMORY, SYSTEM)):  # there VTOR is what fills RAM
        with Machine(load_model("cortex-m3"), memory) as machine:
            image.load(machine)
            fault = image.call(machine, "_start").fault
            assert fault is not None
            assert (fault.kind, fault.address) == ("supervisor call", image.symbols["_start"] + 4)


def test_a_privileged_region() -> None:
    """Code without privilege reaches it no longer, also when it was the last to be accessed;
    the handler does.
    """
    access = f"ldr r3, ={PROCESS + 0x4000}; ldr r5, [r3]; "
    for name, begin, handler, expected in (
        ("privileged", access + "str r5, [r3]; movs r4, #1", "bx lr", 1),
        ("unprivileged", access + UNPRIVILEGED + "ldr r5, [r3]", "bx lr", BARRED),
        ("store", access + UNPRIVILEGED + "str r5, [r3]", "bx lr", BARRED),
        ("multiple", access + UNPRIVILEGED + "stm r3!, {r5, r6}", "bx lr", BARRED),
        ("frame", UNPRIVILEGED + f"ldr r0, ={PROCESS + 0x4020}; mov sp, r0; svc #5", "", BARRED),
        ("handler", UNPRIVILEGED + "svc #5; movs r4, #2", access + "str r5, [r3]; bx lr", 2),
        ("afterwards", UNPRIVILEGED + "svc #5; " + access, access + "str r5, [r3]; bx lr", BARRED),
    ):  # fmt: skip
        PROGRAMS["region"] = begin, handler, 0
        image = program("cortex-m4", "region")
        del PROGRAMS["region"]
        memory = (
            MEMORY[0],
            Region("ram", 0x20000000, 0x8000, "ram"),
            Region("privileged", PROCESS + 0x4000, 0x8000, "ram"),
            SYSTEM,
        )
        with StoppableMachine(load_model("cortex-m4"), memory) as machine:
            image.load(machine)
            machine.privileged(PROCESS + 0x4000)
            assert ran(machine) == expected, name


def test_states_hold_mode_and_privilege() -> None:
    """Put back at each instruction, in the handler and without privilege, the run ends the same;
    and no two moments have one digest.
    """
    name = "but by the handler"
    with made("cortex-m4", program("cortex-m4", name)) as machine:
        machine.reset(FLASH, limit=0)
        start = machine.save()
        machine.on(1000)
        whole = machine.executed
        seen = set()
        for count in range(whole):
            machine.restore(start)
            machine.on(count)
            here = machine.save()
            seen.add(machine.digest(0x7FFF))
            machine.on(1000)
            machine.restore(here)
            machine.on(1000)
            assert machine.at_breakpoint
            assert machine.read(machine.register(1) + 4, 1) == b"\x02"
        assert len(seen) == whole


def test_a_run_begins_in_thread_mode() -> None:
    """After one that ended in a handler, and one that ended without privilege."""
    for name in ("SVC in a handler", "unprivileged write of VTOR"):
        with made("cortex-m4", program("cortex-m4", name)) as machine:
            first = ran(machine)
            assert isinstance(first, str)
            machine.set_register(13, STACK_TOP)
            assert ran(machine) == first
