"""AVR: faults, the stack, profiles, the trace hash, host calls, states and secrets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ecfit.sim.machine import PUBLIC_BLOCK, Fault, Machine, RunResult, load_model
from ecfit.sim.state import StoppableMachine
from workshop.cores.avr_build import assemble, machine
from workshop.cores.avr_oracle import DATA, PARTS, PC, SREG
from workshop.sim.build import TEXT

pytestmark = pytest.mark.usefixtures("avr_compiler")
RAM = DATA + 0x100
TOP = RAM + 0x7FF
READ, WRITE = "read outside memory", "write outside memory"
PERIPHERAL = ("read of a peripheral, which is not modelled,",
              "write to a peripheral, which is not modelled,")  # fmt: skip
X, Y, Z = "ldi r26,{0}; ldi r27,{1}; ", "ldi r28,{0}; ldi r29,{1}; ", "ldi r30,{0}; ldi r31,{1}; "


@pytest.fixture
def core() -> Iterator[Machine]:
    with machine() as made:
        yield made


def run(core: Machine, code: str, *args: int, taint: bool = False, sp: int = TOP) -> RunResult:
    image = assemble(code)
    image.load(core)
    core.functions(image.functions)
    return core.call(
        image.symbols["_start"], args, sp=sp, return_to=image.symbols["back"], limit=1000,
        profile=True, taint=taint,
    )  # fmt: skip


# code: kind of fault, its address, instructions before
FAULTS = {
    "lds r0, 0x60": (PERIPHERAL[0], DATA + 0x60, 0),
    "sts 0x25, r0": (PERIPHERAL[1], DATA + 0x25, 0),
    "in r0, 0x05": (PERIPHERAL[0], DATA + 0x25, 0),
    "sbi 0x05, 1": (PERIPHERAL[0], DATA + 0x25, 0),
    "sbis 0x05, 1": (PERIPHERAL[0], DATA + 0x25, 0),
    "in r0, 0x3b": (PERIPHERAL[0], DATA + 0x5B, 0),  # RAMPZ, on a small chip
    "sts 0x900, r0": (WRITE, DATA + 0x900, 0),
    X.format(0, 9) + "ld r0, X": (READ, DATA + 0x900, 2),
    Z.format(0, 0x80) + "lpm r0, Z": (READ, 0x8000, 2),
    "jmp 0x8000": ("execution outside memory", 0x8000, 0),
    ".word 0x0001": ("undefined instruction", TEXT, 0),
    ".word 0x9006": ("undefined instruction", TEXT, 0),  # ELPM, on a small chip
    ".word 0x9419": ("undefined instruction", TEXT, 0),  # EIJMP, likewise
    ".word 0x91ad": ("unpredictable instruction", TEXT, 0),  # LD r26, X+
    "spm": ("instruction that is not modelled (SPM)", TEXT, 0),
    "ret; nop": ("execution outside memory", 0x14B4A, 0),
}


@pytest.mark.parametrize("code", FAULTS)
def test_fault(core: Machine, code: str) -> None:
    kind, address, before = FAULTS[code]
    sp = TOP - 100 if code.startswith("ret") else TOP
    image = assemble(code)
    image.load(core)
    core.set_register(32, sp)
    result = core.run(TEXT, limit=10)
    assert result.fault == Fault(kind, address, TEXT + 2 * before), result
    assert (result.instructions, core.register(PC)) == (before, TEXT + 2 * before)


def test_stack_that_meets_io(core: Machine) -> None:
    """A push below RAM is a fault; RAM and the stack pointer are as before."""
    result = run(core, "push r0; push r0; push r0; push r0", sp=RAM + 3)
    assert result.fault == Fault(PERIPHERAL[1], DATA + 0xFF, TEXT + 4)
    assert result.stack_low == DATA + 0xFF


def test_start_at_odd_address(core: Machine) -> None:
    assert core.run(TEXT + 1, limit=1).fault == Fault(
        "unaligned instruction address", TEXT + 1, TEXT + 1
    )


@pytest.mark.parametrize(("part", "address"), [("atmega328p", 2), ("atmega2560", 3)])
def test_stack_is_exact(part: str, address: int) -> None:
    """The return address, what is pushed, a frame as compilers make it, calls below."""
    code = """push r28; push r29; rcall .+0; in r28,0x3d; in r29,0x3e; subi r28,100; sbci r29,1
        out 0x3e,r29; out 0x3d,r28; rcall f; subi r28,lo8(-356); sbci r29,hi8(-356)
        out 0x3e,r29; out 0x3d,r28"""
    pops = "; pop r0" * address
    image = assemble(f"{code}{pops}; pop r29; pop r28; ret\nf: push r1; pop r1; ret", part)
    top = DATA + PARTS[part].ram_start + PARTS[part].ram - 1
    with machine(part) as on:
        image.load(on)
        result = on.call(image.symbols["_start"], [], sp=top, return_to=image.symbols["back"],
                         limit=100)  # fmt: skip
    assert (result.stop, result.bkpt) == ("bkpt", 1), result.fault
    assert top - result.stack_low == address + 2 + address + 356 + address + 1


def test_profile_by_function(core: Machine) -> None:
    """An RCALL that makes room on the stack is no call; RJMP to a function is a tail call."""
    code = """rcall .+0; pop r0; pop r0; rcall f; ret
        .type f, @function\nf: nop; rjmp g
        .type g, @function\ng: nop; nop; ret"""
    result = run(core, code)
    f, g = (assemble(code).symbols[name] for name in "fg")
    assert dict(result.profile) == {
        (TEXT,): 3 + 4 + 3 + 4, (TEXT, f): 1 + 2, (TEXT, g): 2 + 4,
    }  # fmt: skip
    assert result.cycles == sum(cycles for _, cycles in result.profile)
    assert result.loads == {"flash": 0, "sram": 2 + 2 * 2} and result.stores["sram"] == 4


@pytest.mark.parametrize("code", ["ld r0, X", "st X, r0", "cpse r24, r22; nop", "sbrc r24, 0; nop",
                                  "cp r24, r22; brne .+0", "lpm"])  # fmt: skip
def test_trace_hash_sees_the_path_and_addresses(core: Machine, code: str) -> None:
    """Where a pointer goes, and what is skipped."""
    start = "movw r26, r24; ldi r27, 4; mov r30, r24; ldi r31, 1; "
    hashes = [run(core, f"{start}{code}; ret", arg, 0).trace_hash for arg in (0, 0, 1)]
    assert hashes[0] == hashes[1] != hashes[2]


def test_host_calls_and_states() -> None:
    """A BREAK has the number of the instruction behind it, or none; a state keeps all flags."""
    image = assemble("break; mov r3,r3; break; nop; set; sec; seh; ldi r16,5; nop; nop")
    on = StoppableMachine(load_model("avr"), PARTS["atmega328p"].memory)
    with on:
        image.load(on)
        on.set_register(32, TOP)
        on.set_register(SREG, 0)
        assert on.run(TEXT, limit=10).bkpt == 3
        assert on._library.ecsim_resume(on._handle) == 0
        assert not on.on(1)
        assert on._report().bkpt == 255
        on.pc = TEXT + 6
        assert on.on(5)
        kept = on.save()
        on.set_register(SREG, 0)
        on.set_register(16, 0)
        on.restore(kept)
        assert (on.register(SREG), on.register(16), on.pc) == (0x61, 5, TEXT + 16)


KEY = 1
# code, in which r24 is secret, r22 and r25 are not: kind of the finding
LEAKS = {
    "tst r24; breq .+0": "branch",
    "cp r24, r22; cpc r25, r25; brne .+0": "branch",
    "lsr r24; brcs .+0": "branch",
    "bst r24, 0; brts .+0": "branch",
    "add r24, r22; in r20, 0x3f; out 0x3f, r20; brhs .+0": "branch",
    "sbrc r24, 3; nop": "branch",
    "cpse r22, r24; nop": "branch",
    "movw r26, r24; ldi r27, 4; ld r0, X": "load address",
    "mov r28, r24; ldi r29, 4; ldd r0, Y+1": "load address",
    "mov r30, r24; ldi r31, 4; st Z+, r22": "store address",
    "mov r30, r24; ldi r31, 1; lpm r0, Z": "load address",
    "mov r30, r24; ldi r31, 0; ijmp": "branch target",
    "push r24; pop r20; tst r20; breq .+0": "branch",
    "sts 0x400, r24; lds r20, 0x400; sbrs r20, 1; nop": "branch",
    "mul r24, r22; tst r0; brne .+0": "branch",
    "mov r20, r24; com r20; swap r20; sbrc r20, 1; nop": "branch",
    "subi r24, 1; sbc r20, r20; tst r20; brmi .+0": "branch",
}
CLEAN = [
    "mul r24, r22; add r0, r24; adc r1, r22; sts 0x400, r0; sts 0x401, r1",
    "eor r24, r24; breq .+0",
    "sub r24, r24; brne .+0; sbc r20, r20; breq .+0",
    "lsr r24; clc; brcs .+0",
    "bst r24, 0; clt; brts .+0",
    "ldi r24, 5; tst r24; breq .+0",
    "andi r24, 0; breq .+0",
    "tst r24; tst r22; breq .+0",
]


def _secret(core: Machine, code: str) -> RunResult:
    """r24 is loaded from a secret byte of RAM."""
    core.secret(RAM + 0x200, 1, KEY)
    return run(core, f"lds r24, 0x300; ldi r22, 3; {code}; ret", 0, 0, taint=True)


@pytest.mark.parametrize("code", LEAKS)
def test_secret_is_found(core: Machine, code: str) -> None:
    core.write(RAM + 0x200, b"\x80")  # no branch goes elsewhere
    found = _secret(core, code).findings
    assert {(one.kind, one.labels) for one in found} == {(LEAKS[code], KEY)}


@pytest.mark.parametrize("code", CLEAN)
def test_constant_time_code_is_clean(core: Machine, code: str) -> None:
    """The multiplier takes two cycles for all operands; what is overwritten is public."""
    result = _secret(core, code)
    assert result.stop == "bkpt" and not result.findings


def test_labels_and_declarations(core: Machine) -> None:
    """A register is one byte; a block is named by pointers of 16 bits."""
    code = "sts 0x400, r24; ldi r24, 0x00; ldi r25, 4; ldi r22, 1; ldi r23, 0; rcall f; f: nop"
    image = assemble(f"lds r24, 0x300; ldi r22, 3; {code}; ret")
    core.public_at(image.symbols["f"], PUBLIC_BLOCK)
    result = _secret(core, code)
    assert [(one.what, one.bytes, one.labels) for one in result.declared] == [
        (PUBLIC_BLOCK, 1, KEY)
    ]
    assert core.labels(RAM + 0x300, 1) == b"\0"
    _secret(core, "mov r20, r24; add r24, r22")
    assert [core.register_labels(index) for index in (20, 24, 22, SREG)] == [KEY, KEY, 0, KEY]
