"""What ends an ARMv7-M run: each kind of fault with its address and program counter,
what a core does not have, what the simulator does not model, BKPT, the limit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ecfit.sim.machine import Fault, Machine, load_model
from workshop.cores.armv7m_oracle import state_of
from workshop.sim import fault_checks
from workshop.sim.build import FLASH_SIZE, MEMORY, RAM, RAM_SIZE, STACK_TOP, TEXT
from workshop.sim.build import assemble_m4 as assemble
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

pytestmark = pytest.mark.usefixtures("cross_compiler")

# name: (code, kind of fault, its address); r0 is 0 at the start, r1 = RAM, r2 = end of RAM,
# r3 = PERIPHERAL
FAULTS = {
    "read below RAM": ("nop.w; ldr r5, [r1, #-4]", READ, RAM - 4),
    "read behind RAM": ("nop.w; ldrb.w r5, [r2]", READ, END),
    "unaligned read over the end": ("nop.w; ldr.w r5, [r2, #-2]", READ, END),
    "unaligned halfword over the end": ("nop.w; ldrh r5, [r2, #-1]", READ, END),
    "read with write-back behind RAM": ("nop.w; ldr r5, [r2, #8]!", READ, END + 8),
    "read wraps around": ("nop.w; ldr r5, [r0, #-4]", PERIPHERAL_READ, 0xFFFFFFFC),
    "write below RAM": ("nop.w; strb r5, [r1, #-1]", WRITE, RAM - 1),
    "write behind RAM": ("nop.w; str.w r5, [r2, #8]", WRITE, END + 8),
    "write to flash": ("nop.w; str.w r5, [r0, #0x200]", "write to flash", 0x200),
    "peripheral read": ("nop.w; ldr.w r5, [r3]", PERIPHERAL_READ, PERIPHERAL),
    "peripheral write": ("nop.w; str.w r5, [r3, #4]", PERIPHERAL_WRITE, PERIPHERAL + 4),
    "peripheral read of two words": ("nop.w; ldrd r4, r5, [r3]", PERIPHERAL_READ, PERIPHERAL),
    "system control space": ("ldr r5, =0xe000ed88; nop; ldr r4, [r5]", PERIPHERAL_READ, 0xE000ED88),
    "unaligned ldm": ("adds r1, #2; nop; ldm.w r1, {r4, r5}", "unaligned read", RAM + 2),
    "unaligned stm": ("adds r1, #1; nop; stm.w r1, {r4, r5}", "unaligned write", RAM + 1),
    "unaligned ldrd": ("adds r1, #2; nop; ldrd r4, r5, [r1]", "unaligned read", RAM + 2),
    "unaligned strd": ("adds r1, #2; nop; strd r4, r5, [r1, #8]", "unaligned write", RAM + 10),
    "unaligned ldrex": ("adds r1, #2; nop; ldrex r4, [r1]", "unaligned read", RAM + 2),
    "unaligned vldr": ("adds r1, #2; nop; vldr s0, [r1]", "unaligned read", RAM + 2),
    "unaligned vstm": ("adds r1, #2; nop; vstmia r1, {s0, s1}", "unaligned write", RAM + 2),
    "ldm over the end": ("subs r2, #8; nop; ldm.w r2, {r4-r7}", READ, END),
    "stm over the end": ("subs r2, #8; nop; stm.w r2, {r4-r7}", WRITE, END),
    "ldrd over the end": ("subs r2, #4; nop; ldrd r4, r5, [r2]", READ, END),
    "vldm over the end": ("subs r2, #8; nop; vldmia r2, {s0-s3}", READ, END),
    "vpush below RAM": ("mov sp, r1; nop; vpush {d0}", WRITE, RAM - 8),
    "push below RAM": ("mov sp, r1; nop; push.w {r8, r9}", WRITE, RAM - 8),
    "pop pc behind RAM": ("mov sp, r2; nop; pop.w {r8, pc}", READ, END),
    "bx even": ("movs r0, #0x80; nop; bx r0", "branch without the Thumb bit", 0x80),
    "ldr pc even": ("str r0, [r1]; nop; ldr.w pc, [r1]", "branch without the Thumb bit", 0),
    "bx to a peripheral": ("adds r3, #1; nop; bx r3", EXECUTE, PERIPHERAL),
    "mov pc to a peripheral": ("nop; nop; mov pc, r3", EXECUTE, PERIPHERAL),
    "bl to nowhere": (f"nop.w; bl _start + {FLASH_SIZE}", EXECUTE, FLASH_SIZE + TEXT),
    "b.w to nowhere": (f"nop.w; b.w _start + {FLASH_SIZE}", EXECUTE, FLASH_SIZE + TEXT),
    "udf": ("nop; nop; udf #1", "undefined instruction", AT),
    "udf.w": ("nop; nop; udf.w #0", "undefined instruction", AT),
    "undefined, 32 bits": ("nop; nop; .inst.w 0xffffffff", "undefined instruction", AT),
    "coprocessor": ("nop; nop; .inst.w 0xee070f10", "undefined instruction", AT),
    "svc": ("nop; nop; svc #3", "supervisor call", AT),
    "unpredictable": ("nop; nop; .inst.w 0xfb00ff00", "unpredictable instruction", AT),
}

# Assembled for a core that has them. By the Cortex-M4's rules the arithmetic of doubles does
# not exist either.
ARITHMETIC = {
    "vadd.f32 s0, s1, s2": "VADD", "vsub.f32 s0, s1, s2": "VSUB", "vmul.f32 s0, s1, s2": "VMUL",
    "vnmul.f32 s0, s1, s2": "VNMUL", "vdiv.f32 s0, s1, s2": "VDIV", "vsqrt.f32 s0, s1": "VSQRT",
    "vmla.f32 s0, s1, s2": "VMLA, VMLS", "vnmls.f32 s0, s1, s2": "VNMLA, VNMLS",
    "vfma.f32 s0, s1, s2": "VFMA, VFMS",
    "vfnms.f32 s0, s1, s2": "VFNMA, VFNMS", "vabs.f32 s0, s1": "VABS", "vneg.f32 s0, s1": "VNEG",
    "vcmp.f32 s0, #0.0": "VCMP", "vcvt.u32.f32 s0, s1": "VCVT", "vcvt.f32.s32 s0, s1": "VCVT",
    ".inst.w 0xfe300a81": "VSEL, VMAXNM, VMINNM, VRINT",
    ".inst.w 0xee310b02": "double-precision arithmetic",
}  # fmt: skip
FP_MOVES = {
    "vmov r0, s0": "VMOV", "vmov.f32 s0, #1.0": "VMOV", "vldr s0, [sp]": "VLDR",
    "vstr d0, [sp]": "VSTR",
    "vpush {s0}": "VSTM", "vpop {d0}": "VLDM", "vmrs r0, fpscr": "VMRS", "vmsr fpscr, r0": "VMSR",
}  # fmt: skip
DSP = {
    "umaal r0, r1, r2, r3": "UMAAL", "smlabb r0, r1, r2, r3": "SMLABB", "smuad r0, r1, r2": "SMUAD",
    "uadd8 r0, r1, r2": "UADD8", "qadd r0, r1, r2": "QADD", "uxtab r0, r1, r2": "UXTAB",
    "sel r0, r1, r2": "SEL",
    "pkhbt r0, r1, r2": "PKHBT", "smlald r0, r1, r2, r3": "SMLALD",
}  # fmt: skip


@pytest.fixture
def m4() -> Iterator[Machine]:
    """A Cortex-M4 with 64 KiB of flash at 0 and 64 KiB of RAM at 0x20000000, zero wait states."""
    with Machine(load_model("cortex-m4"), MEMORY) as machine:
        yield machine


@pytest.mark.parametrize("taint", [False, True])
@pytest.mark.parametrize("just_accessed", [False, True])
@pytest.mark.parametrize("name", FAULTS)
def test_fault_names_kind_address_and_pc(
    name: str, just_accessed: bool, taint: bool, m4: Machine
) -> None:
    """Also when RAM has just been accessed, which is when the fast path takes over;
    and when secrets are followed.
    """
    code, kind, address = FAULTS[name]
    if just_accessed:
        fault_checks.warm(m4)
    before = 1 if code.startswith("nop.w") else 2
    fault_checks.check_fault(
        m4, assemble(code), (kind, address), before, kept=(RAM + 4, RAM_SIZE - 16), taint=taint
    )


@pytest.mark.parametrize("code", ARITHMETIC)
def test_floating_point_arithmetic_names_itself(code: str, m4: Machine) -> None:
    assemble(f"nop.w; {code}").load(m4)
    fault = m4.call(TEXT, [0], sp=STACK_TOP, return_to=0x80, limit=10).fault
    expected = f"instruction that is not modelled ({ARITHMETIC[code]}: arithmetic is not modelled)"
    assert fault == Fault(expected, AT, AT)


@pytest.mark.parametrize(
    ("code", "name", "extension"),
    [
        *((code, name, "floating-point") for code, name in FP_MOVES.items()),
        *((code, name, "floating-point") for code, name in list(ARITHMETIC.items())[:3]),
        *((code, name, "DSP") for code, name in DSP.items()),
    ],
)
def test_what_a_core_does_not_have_names_itself(code: str, name: str, extension: str) -> None:
    """The Cortex-M3 has neither extension."""
    with Machine(load_model("cortex-m3"), MEMORY) as machine:
        assemble(f"nop.w; {code}").load(machine)
        fault = machine.call(TEXT, [0], sp=STACK_TOP, return_to=0x80, limit=10).fault
        assert fault == Fault(f"undefined instruction ({name}: no {extension} extension)", AT, AT)


def test_faults_in_an_it_block_happen_only_when_it_is_executed(m4: Machine) -> None:
    for code, happens in (
        ("cmp r0, r0; it eq; udfeq #0", True),
        ("cmp r0, r0; it ne; udfne #0", False),
    ):
        assemble(f"{code}; bkpt #1").load(m4)
        result = m4.call(TEXT, [0], sp=STACK_TOP, return_to=0x80, limit=10)
        assert (result.fault == Fault("undefined instruction", AT, AT)) == happens
    for code, happens in (
        ("ite ne; ldrne r4, [r3]; ldreq r4, [r3]", True),
        ("it ne; ldrne r4, [r3]", False),
    ):
        assemble(f"cmp r0, r0; {code}; bkpt #1").load(m4)
        result = m4.call(TEXT, [0, 0, 0, PERIPHERAL], sp=STACK_TOP, return_to=0x80, limit=10)
        assert (result.stop == "fault") == happens


@pytest.mark.parametrize(
    "code",
    [
        "ldm.w r1!, {r0, r2, r4}", "ldmdb r2!, {r4, r5}", "ldrd r4, r5, [r1], #8",
        "ldr r4, [r1, #4]!",
        "push.w {r0-r7}", "vldmia r1!, {s0-s3}", "vpush {d0}", "pop.w {r4, pc}", "str r0, [r3], #4",
    ],
)  # fmt: skip
def test_a_fault_changes_no_register(code: str, m4: Machine) -> None:
    vectors = {32 + index: 0x01010101 * index for index in range(32)}
    sp = RAM if "push" in code else END - 4
    registers = {**vectors, 1: END - 4, 2: RAM + 4, 3: END, 13: sp}
    fault_checks.check_registers_stay(m4, assemble(code), registers, state_of)


def test_stack_overflow_runs_into_what_is_below(m4: Machine) -> None:
    """Nothing guards the stack: what lies below is overwritten, until RAM ends;
    the mark says how deep it was.
    """
    assemble("movs r0, #0; 1: push {r0-r3}; vpush {d0}; b 1b").load(m4)
    result = m4.call(TEXT, [0], sp=STACK_TOP, return_to=0x80, limit=1_000_000)
    assert result.fault is not None
    assert (result.fault.kind, result.fault.address) == (WRITE, RAM - 8)
    assert result.stack_low == RAM
    assert m4.read(RAM, 4) == bytes(4)


def test_the_limit_within_an_it_block(m4: Machine) -> None:
    """A run that ends there can be seen to have executed that much, and no more."""
    assemble(
        "movs r0, #1; cmp r0, r0; itte eq; addeq r0, #2; addeq r0, #4; addne r0, #8; "
        "adds r0, #16; bkpt #1"
    ).load(m4)
    values = [
        m4.call(TEXT, [0], sp=STACK_TOP, return_to=0x80, limit=limit).result for limit in range(9)
    ]
    assert values == [0, 1, 1, 1, 3, 7, 7, 23, 23]


def test_bkpt_does_not_count(m4: Machine) -> None:
    image = assemble("movs r0, #5; cmp r0, r0; it ne; bkpt #42")
    image.load(m4)
    result = image.call(m4, "_start")
    assert (result.stop, result.bkpt, result.result) == ("bkpt", 42, 5)  # BKPT has no condition
    assert result.instructions == 3
