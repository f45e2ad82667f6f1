"""AVR: each instruction and random programs against simavr, times by hand from the manual, and the
library's X25519 on both; and the bench on AVR targets, end to end.
"""

from __future__ import annotations

import random

import msgspec
import pytest

from ecfit.arguments.selection import rows, select
from ecfit.build.build import build
from ecfit.build.parts import own_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import find_slot, resolve
from ecfit.choices.peers import all_peers
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import all_targets, find_target
from ecfit.choices.variants import known
from ecfit.errors import BuildError
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Observation
from ecfit.run import follow, runner
from ecfit.run.cases import make_case
from ecfit.run.job import ARENA_OUT, Job
from ecfit.run.runner import call, loaded
from ecfit.sim.machine import load_model
from workshop.cores.avr_build import assemble, machine
from workshop.cores.avr_oracle import DATA, PARTS, PC, Oracle, State, state_of
from workshop.cores.avr_random import random_state
from workshop.cores.differential import AVR
from workshop.paths import VARIANTS
from workshop.sim.build import TEXT
from workshop.sim.emulator import stepped

pytestmark = pytest.mark.usefixtures("avr_compiler")
SEED = 328
_NOT_COMPARED = {"break": 0x9598, "sleep": 0x9588, "spm": 0x95E8}


@pytest.mark.parametrize("index", range(len(AVR)), ids=list(PARTS))
def test_random_instructions_agree(index: int) -> None:
    """`make -C sim fuzz` runs ten million. Cycles are compared, too."""
    assert AVR[index].compare(150_000, SEED) >= 150_000


def _is_ours_alone(word: int, part: str) -> bool:
    """Whether simavr executes an encoding that the part does not have, or cannot be asked."""
    if word in _NOT_COMPARED.values():
        return True
    if word & 0xFC00 == 0x9000:  # XCH, LAS, LAC, LAT, and what the manual leaves open
        low = word & 15
        return (word & 0x0200 != 0 and 4 <= low <= 7) or low in (3, 8, 11)
    return word >> 8 in range(0x98, 0x9C) or word >> 12 == 0xB  # I/O: simavr has peripherals


@pytest.mark.parametrize("part", PARTS)
def test_each_encoding_agrees(part: str) -> None:
    """All 65,536 first words on the ATmega2560 (of the others those that begin with 9, in which
    parts differ), alone, from random states with pointers into RAM: registers, SREG,
    stack pointer, RAM, program counter and cycles. What is a fault here is none of the
    instructions that simavr knows.
    """
    rng, known, oracle = random.Random(SEED), PARTS[part], Oracle(part)
    compared, faults = 0, dict[str, int]()
    second = known.middle
    with machine(part) as core:
        for word in range(0x10000) if known.wide_pc else range(0x9000, 0xA000):
            if _is_ours_alone(word, part):
                continue
            start = random_state(rng, known)
            high = known.middle >> 8
            registers = list(start.registers)
            for low in (26, 28, 30):
                registers[low + 1] = high
            start = State(tuple(registers), start.sreg, start.sp)
            code = b"".join(value.to_bytes(2, "little") for value in (word, second, 0, 0))
            for side in (core, oracle):
                side.load(TEXT, code)
            start.apply(core)
            oracle.apply(start)
            result = core.run(TEXT, limit=1)
            if result.fault is not None:
                faults[result.fault.kind] = faults.get(result.fault.kind, 0) + 1
                if result.fault.kind == "execution outside memory":  # a call has pushed
                    ram = known.memory[1]
                    oracle.load(ram.start, core.read(ram.start, ram.size))
                continue
            trouble = oracle.run(TEXT, 0xFFFFFFFF, count=1)
            found = stepped(state_of(core), oracle.state(), core.register(PC), oracle.pc, trouble)
            if not found and result.cycles != oracle.cycles:
                found = f"cycles {result.cycles} not {oracle.cycles}"
            assert not found, f"{word:04x}: {found}"
            compared += 1
        assert core.read(DATA + known.ram_start, known.ram) == oracle.ram()
    assert compared > (50_000 if known.wide_pc else 2_000), faults


# name: code, cycles with a 16-bit program counter, what a 22-bit one takes more, rows
KERNELS: dict[str, tuple[str, int, int, dict[str, int]]] = {
    "alu": ("add r0,r1; ldi r16,1; movw r2,r4; lsr r5; bst r1,3; in r2,0x3f; nop; wdr; sleep",
            9, 0, {"alu": 9}),
    "words": ("adiw r24,1; sbiw r26,2", 4, 0, {"word": 2}),
    "products": ("mul r1,r2; muls r16,r17; mulsu r16,r17; fmul r16,r17; fmuls r16,r17; "
                 "fmulsu r16,r17", 12, 0, {"multiply": 6}),
    "loads and stores": ("ldi r26,0; ldi r27,4; ld r0,X; ld r0,X+; ld r0,-X; st X,r0; st X+,r0; "
                         "st -X,r0; lds r0,0x400; sts 0x400,r0", 2 + 8 * 2, 0,
                         {"alu": 2, "load": 4, "store": 4}),
    "displaced": ("ldi r28,0; ldi r29,4; ldd r0,Y+5; std Y+5,r0", 2 + 4, 0,
                  {"alu": 2, "load": 1, "store": 1}),
    "stack": ("push r0; pop r1", 4, 0, {"push": 1, "pop": 1}),
    "flash": ("ldi r30,0; ldi r31,1; lpm; lpm r2,Z; lpm r2,Z+", 2 + 9, 0,
              {"alu": 2, "load_flash": 3}),
    "branches": ("clc; brcs .+2; nop; brcc .+2; nop", 1 + 1 + 1 + 2, 0,
                 {"alu": 2, "branch_not_taken": 1, "branch_taken": 1}),
    "loop": ("ldi r16,10\n1: dec r16; brne 1b", 1 + 10 + 9 * 2 + 1, 0,
             {"alu": 11, "branch_taken": 9, "branch_not_taken": 1}),
    "no skip": ("ldi r16,1; sbrc r16,0; nop; sbrs r16,1; nop", 1 + 2 + 2, 0,
                {"alu": 3, "skip": 2}),
    "skips": ("cpse r1,r1; nop; cpse r1,r1; sts 0x400,r0", 2 + 3, 0, {"skip": 2, "skip_word": 3}),
    "jumps": ("rjmp .+2; nop; jmp 1f; nop\n1: ldi r30,pm_lo8(2f); ldi r31,pm_hi8(2f); ijmp; "
              "nop\n2:",
              2 + 3 + 2 + 2, 0, {"alu": 2, "jump": 2, "jump_long": 1}),
    "calls": ("rcall 1f; call 1f; ldi r30,pm_lo8(1f); ldi r31,pm_hi8(1f); icall; rjmp 2f; "
              "1: ret\n2:", 3 + 4 + 2 + 3 + 2 + 3 * 4, 6,
              {"alu": 2, "jump": 1, "call": 2, "call_long": 1, "ret": 3}),
    "reti": ("rcall 1f; rjmp 2f; 1: reti\n2:", 3 + 2 + 4, 2, {"call": 1, "jump": 1, "ret": 1}),
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", KERNELS)
def test_kernel(name: str, part: str) -> None:
    """Cycles as the manual adds up, by profile and without."""
    code, cycles, more, rows = KERNELS[name]
    image = assemble(code, part)
    wide = PARTS[part].wide_pc
    with machine(part) as core:
        image.load(core)
        for profile in (False, True):
            result = core.call(
                image.symbols["_start"], [], sp=DATA + PARTS[part].middle,
                return_to=image.symbols["back"], limit=1000, profile=profile,
            )  # fmt: skip
            assert (result.stop, result.bkpt) == ("bkpt", 1), result.fault
            assert result.cycles == cycles + more * wide
    assert result.classes == rows


def test_every_row_has_a_kernel() -> None:
    """But for SBI and CBI, which need a peripheral; and what a wide program counter adds."""
    counted = {row for *_, rows in KERNELS.values() for row in rows}
    assert set(load_model("avr").rows) - counted == {"io_bit", "wide_pc"}


@pytest.mark.parametrize("part", ["atmega1284p", "atmega2560"])
@pytest.mark.parametrize("backend", ["w8", "w16", "avr"])
def test_x25519_takes_the_same_cycles(part: str, backend: str) -> None:
    """An image of the library on both sides: result, RAM and cycles."""
    target = find_target(part)
    sram = msgspec.structs.replace(target.memory[1], size=0x1000)
    inside = msgspec.structs.replace(target.memory[2], start=sram.start + 0x1000, size=0x800)
    target = msgspec.structs.replace(target, memory=(target.memory[0], sram, inside))
    curve = CURVES["x25519"]
    config = resolve(curve, "balanced", {"BACKEND": backend}, backend)
    parts = own_parts(config, curve.name, ("ecdh",))
    tools = find_toolchain("gcc", target.arch, target.core, "Os")
    image = build(Request(target, config, curve.name, ("ecdh",), tools, parts))
    job = Job(target, target.mode("datasheet"), curve, "ecdh", seed=1, runs=1)
    case, oracle = make_case(curve, "ecdh", 1, 0), Oracle(part)
    with loaded(image, job) as core:
        start = core.read(0, 0x8000)
        oracle.load(0, start)
        ours = call(core, image, job, case, "counts").result
        memory = core.read(sram.start, sram.size), core.read(inside.start, inside.size)
        core.reset(0, limit=10_000_000)  # its memory is what a call begins with
    oracle.load(sram.start, b"\xa5" * (sram.size + inside.size))
    assert oracle.run(0, image.symbols["bench_main"]) is None
    pool = 512 - len(case.pool)
    oracle.load(image.symbols["bench_arena"], case.data)
    oracle.load(image.symbols["bench_pool"] + pool, case.pool)
    oracle.load(image.symbols["bench_pool_used"], pool.to_bytes(4, "little"))
    size = 3 if PARTS[part].wide_pc else 2
    top = image.symbols["image_stack_top"]
    oracle.load(top - size + 1, (image.symbols["bench_return"] // 2).to_bytes(size, "big"))
    out, arena = image.symbols["bench_arena"] + ARENA_OUT, image.symbols["bench_arena"]
    registers = list(range(32))
    registers[1] = 0
    registers[22:26] = [arena & 0xFF, arena >> 8 & 0xFF, out & 0xFF, out >> 8 & 0xFF]
    oracle.apply(State(tuple(registers), 0, top - size - DATA))
    assert oracle.run(image.symbols["bench_ecdh"], image.symbols["bench_return"]) is None
    assert ours.cycles == oracle.cycles
    behind = sram.start - DATA - PARTS[part].ram_start
    theirs = oracle.ram()[behind : behind + sram.size + inside.size]
    assert b"".join(memory) == theirs
    assert ours.stack_low < top and ours.result == 0


# ---- the bench on AVR: right results, one trace for all secrets, what does not fit ---------------

BACKENDS = ["w8", "w16", "avr"]
TARGETS = sorted(name for name, target in all_targets().items() if target.arch == "avr")


def observed(
    name: str,
    curve: str,
    op: str,
    backend: str,
    preset: str = "tiny",
    *,
    taint: bool = False,
    **sets: str,
) -> Observation:
    target, on = find_target(name), CURVES[curve]
    configuration = resolve(on, preset, {"BACKEND": backend, **sets}, backend)
    mode, bench = target.mode("datasheet"), Bench(Settings(), {}, Store())
    row = Row(target, mode, "datasheet", configuration, on, op, (op,))
    image = bench.image(bench.request(row))
    job = Job(target, mode, on, op, seed=1, runs=2, secrets_only=taint)
    return follow.follow(image, job, 1) if taint else runner.run(image, job)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", TARGETS)
def test_x25519(name: str, backend: str) -> None:
    seen = observed(name, "x25519", "ecdh", backend)
    assert (seen.status, seen.detail) == ("ok", None)
    assert len(set(seen.cycles)) == len(set(seen.trace_hashes)) == 1
    assert 400 < (seen.stack_bytes or 0) < 600


@pytest.mark.parametrize("preset", ["tiny", "balanced"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_no_secret_decides(backend: str, preset: str) -> None:
    """Of `balanced` for its inversion: avr-gcc's signed product of 16 bits branches on signs."""
    seen = observed("atmega328p", "x25519", "ecdh", backend, preset, taint=True)
    assert (seen.status, seen.leaks) == ("ok", ())
    assert {leak.bytes for leak in seen.declared} == {1}


@pytest.mark.parametrize("curve", ["secp256r1", "ed25519"])
def test_no_secret_decides_where_a_table_is_read(curve: str) -> None:
    """Of flash, entry by entry: the loop goes by a count."""
    seen = observed("atmega328p", curve, "keygen", "avr", "balanced", taint=True)
    assert (seen.status, seen.leaks) == ("ok", ())


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_preset_suits_every_curve(backend: str) -> None:
    """There is one reduction for these words, with one exception. A refusal would name it by no
    preset.
    """
    for preset in all_presets():
        for curve in CURVES.values():
            assert resolve(curve, preset, {"BACKEND": backend}, backend).settings


SHORT = [name for name in CURVES if find_slot(name).bits <= 256]
DAILY = {("balanced", "secp160r1"), ("balanced", "x25519"), ("compact", "secp256r1")}
CI = pytest.mark.ci


@pytest.mark.parametrize(
    ("preset", "curve"),
    [
        pytest.param(preset, curve, marks=() if (preset, curve) in DAILY else CI)
        for preset in ("tiny", "compact", "balanced")
        for curve in SHORT
    ],
)
def test_curves(preset: str, curve: str) -> None:
    """Every operation of a curve in an image of its own agrees with the oracle. ECDH takes one time
    for all secrets; others draw again where a number is not below the order.
    """
    for op in CURVES[curve].ops:
        seen = observed("atmega2560", curve, op, "avr", preset)
        assert (seen.status, seen.detail) == ("ok", None), op
        assert op != "ecdh" or len(set(seen.trace_hashes)) == 1, op


def test_p256_on_two_kilobytes() -> None:
    seen = observed("atmega328p", "secp256r1", "ecdh", "w16", "lowram")
    assert (seen.status, seen.detail) == ("ok", None)
    assert (seen.stack_bytes or 0) < 600


def test_ed25519_is_verified_on_two_kilobytes() -> None:
    """Constants are in flash."""
    for preset in ("lowram", "balanced"):
        seen = observed("atmega328p", "ed25519", "verify", "avr", preset)
        assert (seen.status, seen.detail) == ("ok", None)


@pytest.mark.parametrize("curve", ["secp160r1", "secp256r1"])
def test_micro_ecc(curve: str) -> None:
    """Its assembly for AVR agrees with the oracle."""
    chosen = select(
        targets=["atmega1284p"], libraries=["micro-ecc"], curves=[curve], ops=["all"], presets=[],
        sets=[], mode="datasheet", peers=(peers := all_peers()),
    )  # fmt: skip
    bench = Bench(Settings(), peers, Store())
    assert [bench.measure(row).status for row in rows(chosen)] == ["ok"] * 4


def test_too_little_ram() -> None:
    """A large window on 2 KiB: the stack would overwrite constants. The run says what it needs."""
    seen = observed("atmega328p", "secp256r1", "ecdh", "avr", "balanced", WINDOW="5")
    assert seen.status == "stack overflow into data"
    detail = seen.detail or ""
    needed, _, rest = detail.removeprefix("ecdh: ").partition(" B do not fit ")
    parts = [int(part.replace(",", "")) for part in needed.split(" + ")]
    assert rest.startswith("2,048 B of RAM") and sum(parts) > 2048
    large = observed("atmega2560", "secp256r1", "ecdh", "avr", "balanced", WINDOW="5")
    assert large.status == "ok"  # a return address has a byte more there
    assert parts[2] < (large.stack_bytes or 0) < parts[2] + 40


@known(VARIANTS)
def test_too_much_data() -> None:
    with pytest.raises(BuildError, match=r"too large: \d+ bytes more than there are of RAM"):
        observed(
            "atmega328p", "secp256r1", "sign", "avr", "balanced",
            MULG="comb_ram", COMB_TEETH="6", COMB_BLOCKS="1",
        )  # fmt: skip


def test_avr_targets() -> None:
    assert TARGETS == ["atmega1284p", "atmega2560", "atmega328p"]
