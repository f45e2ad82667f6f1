"""Each 16-bit encoding once, and many of 32 bits, alone, from random states: registers, memory,
counter or fault.
"""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest

from ecfit.sim.machine import Machine, load_model
from workshop.cores.rv32_oracle import PC, Oracle, State, is_beyond, is_reserved, state_of
from workshop.sim.build import MEMORY, RAM, RAM_SIZE, TEXT
from workshop.sim.emulator import difference, stepped
from workshop.sim.random_programs import random_operand

_BEHIND = 0x0001  # C.NOP


@pytest.fixture
def oracle() -> Oracle:
    return Oracle()


def _state(rng: random.Random) -> State:
    return State(tuple(random_operand(rng, code_bit=0) for _ in range(31)))


def _compare(machine: Machine, oracle: Oracle, code: int, size: int, start: State) -> str:
    """Run one instruction on both sides; what differs, or nothing."""
    encoded = code.to_bytes(size, "little") + _BEHIND.to_bytes(2, "little") * 2
    machine.load(TEXT, encoded)
    oracle.load(TEXT, encoded)
    start.apply(machine)
    oracle.apply(start)
    result = machine.run(TEXT, limit=1)
    trouble = oracle.run(TEXT, 0xFFFFFFFE, count=1)
    if code in (0x9002, 0x00100073):  # EBREAK
        return (
            ""
            if (result.stop, result.bkpt) == ("bkpt", 255) and trouble
            else f"EBREAK: {result.stop}, {trouble}"
        )
    fault = result.fault
    if fault is None:
        return stepped(
            state_of(machine), oracle.state(), machine.register(PC), oracle.pc(), trouble
        )
    if fault.kind == "execution outside memory":
        # the emulator arrives there, and faults on its next instruction
        arrived = fault.address == oracle.pc()
        return (
            difference(state_of(machine), oracle.state())
            if arrived
            else f"{fault}, not {oracle.pc():#x}"
        )
    if changed := difference(state_of(machine), start):
        return f"{fault} changed {changed}"
    return "" if trouble else f"{fault}, but the oracle goes on"


def _check(machine: Machine, oracle: Oracle, code: int, size: int, rng: random.Random) -> str:
    found = _compare(machine, oracle, code, size, _state(rng))
    return f"{code:0{2 * size}x}: {found}" if found else ""


def test_every_16_bit_encoding(ibex: Machine, oracle: Oracle) -> None:
    rng = random.Random(1)
    encodings = [h for h in range(0x10000) if h & 3 != 3 and not is_reserved(h)]
    found = [f for h in encodings if (f := _check(ibex, oracle, h, 2, rng))]
    assert not found, f"{len(found)} encodings: {found[:10]}"
    assert ibex.read(RAM, RAM_SIZE) == oracle.ram()


def test_32_bit_encodings(ibex: Machine, oracle: Oracle) -> None:
    """Random fields under each major opcode, biased to those that have instructions;
    and nothing but random bits.
    """
    rng = random.Random(2)
    opcodes = [low << 2 | 3 for low in range(32) if low & 7 != 7]
    known = (0x03, 0x0F, 0x13, 0x17, 0x23, 0x33, 0x37, 0x63, 0x67, 0x6F, 0x73)
    encodings = [rng.getrandbits(25) << 7 | opcode for opcode in opcodes for _ in range(100)]
    encodings += [rng.getrandbits(25) << 7 | rng.choice(known) for _ in range(3000)]
    encodings += [
        rng.choice((0, 1, 0x20)) << 25 | rng.getrandbits(18) << 7 | rng.choice((0x13, 0x33))
        for _ in range(3000)
    ]
    encodings = [w for w in encodings if not is_beyond(w)]
    assert len(encodings) > 6000
    found = [f for w in encodings if (f := _check(ibex, oracle, w, 4, rng))]
    assert not found, f"{len(found)} encodings: {found[:10]}"
    assert ibex.read(RAM, RAM_SIZE) == oracle.ram()


def test_what_the_emulator_has_beyond_this_core_faults(ibex: Machine) -> None:
    """Atomics, reserved 16-bit encodings, instructions longer than 32 bits,
    privileged instructions.
    """
    rng = random.Random(3)
    reserved = [h for h in range(0x10000) if h & 3 != 3 and is_reserved(h)]
    assert len(reserved) > 1000
    atomics = [rng.getrandbits(25) << 7 | 0x2F for _ in range(200)]
    longer = [rng.getrandbits(27) << 5 | 0x1F for _ in range(200)]
    for code, size in [*((h, 2) for h in reserved), *((w, 4) for w in atomics + longer)]:
        ibex.load(TEXT, code.to_bytes(size, "little"))
        result = ibex.run(TEXT, limit=1)
        assert result.fault is not None
        assert (result.fault.kind, result.fault.pc) == ("undefined instruction", TEXT), f"{code:x}"


def _listing(folder: Path, encodings: list[tuple[int, int]]) -> list[str]:
    """Each instruction as the disassembler writes it."""
    code = b"".join(w.to_bytes(size, "little") for w, size in encodings)
    folder.joinpath("code").write_bytes(code)
    command = ["riscv64-unknown-elf-objdump", "-D", "-bbinary", "-mriscv:rv32"]
    command += ["-Mnumeric,no-aliases", "code"]
    listing = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    return re.findall(r"(?m)^ +[0-9a-f]+:\t[0-9a-f]+ +\t(.*)$", listing)


@pytest.mark.usefixtures("riscv_compiler")
def test_rv32e_is_rv32i_with_16_registers(ibex: Machine, tmp_path: Path) -> None:
    """What names x16 to x31 by the disassembler, or is of M, is undefined; all else does what it
    does on a core of RV32IMC, but for accesses that are not aligned.
    """
    rng = random.Random(4)
    known = (0x03, 0x0F, 0x13, 0x17, 0x23, 0x33, 0x37, 0x63, 0x67, 0x6F, 0x73)
    short = [h for h in range(0x10000) if h & 3 != 3 and not is_reserved(h)]
    encodings = [(h, 2) for h in rng.sample(short, 3000)]
    encodings += [(rng.getrandbits(25) << 7 | rng.choice(known), 4) for _ in range(1000)]
    encodings += [
        (rng.choice((0, 1, 0x20)) << 25 | rng.getrandbits(18) << 7 | 0x33, 4) for _ in range(1000)
    ]
    listing = _listing(tmp_path, encodings)
    assert len(listing) == len(encodings)
    alike = refused = 0
    with Machine(load_model("qingke-v2"), MEMORY) as qingke:
        for (code, size), text in zip(encodings, listing, strict=True):
            seen, start = [], _state(rng)
            for machine in (ibex, qingke):
                encoded = code.to_bytes(size, "little") + _BEHIND.to_bytes(2, "little") * 2
                machine.load(TEXT, encoded)
                start.apply(machine)
                result = machine.run(TEXT, limit=1)
                seen.append((result.stop, result.bkpt, result.fault.kind if result.fault else ""))
            if "unaligned" in (seen[1][2]):
                ibex.write(RAM, qingke.read(RAM, RAM_SIZE))
                continue
            beyond = re.search(r"\bx(1[6-9]|2\d|3[01])\b|^(mul|div|rem)", text) is not None
            if beyond and seen[0][2] != "undefined instruction":
                assert seen[1][2] == "undefined instruction", text
                assert state_of(qingke) == start
                ibex.write(RAM, qingke.read(RAM, RAM_SIZE))
                refused += 1
                continue
            assert seen[0] == seen[1], text
            assert state_of(ibex) == state_of(qingke), text
            alike += 1
        assert ibex.read(RAM, RAM_SIZE) == qingke.read(RAM, RAM_SIZE)
    assert min(alike, refused) > 1000


def _of_xw(quadrant: int, funct3: int, rd: int, rs1: int, imm: int) -> int:
    """By the drawings of jnk0le/random, ch32v003_(qkv2).md."""
    byte, half = (imm & 1) << 2 | imm >> 3 & 3, imm >> 3 & 7
    high = byte if quadrant == 0 else half
    fields = funct3 << 13 | high << 10 | (rs1 - 8) << 7 | (imm >> 1 & 3) << 5 | (rd - 8) << 2
    return fields | quadrant


def _usual(opcode: int, funct3: int, rd: int, rs1: int, imm: int) -> int:
    if opcode == 0x03:
        return imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
    return imm >> 5 << 25 | rd << 20 | rs1 << 15 | funct3 << 12 | (imm & 31) << 7 | opcode


@pytest.mark.parametrize(
    ("quadrant", "funct3", "opcode", "usual", "step"),
    [(0, 1, 0x03, 4, 1), (2, 1, 0x03, 5, 2), (0, 5, 0x23, 0, 1), (2, 5, 0x23, 1, 2)],
    ids=["lbu", "lhu", "sb", "sh"],
)
def test_xw_is_as_the_access_of_32_bits(
    quadrant: int, funct3: int, opcode: int, usual: int, step: int
) -> None:
    """Every offset, and registers at random: the same result in the same time."""
    rng = random.Random(5)
    with Machine(load_model("qingke-v2"), MEMORY) as machine:
        for imm in range(0, 32 * step, step):
            rs1 = rng.randrange(8, 16)
            rd = rng.choice([n for n in range(8, 16) if n != rs1])
            short = _of_xw(quadrant, funct3, rd, rs1, imm).to_bytes(2, "little")
            long = _usual(opcode, usual, rd, rs1, imm).to_bytes(4, "little")
            seen = []
            for code in (short, long):
                machine.load(TEXT, code + _BEHIND.to_bytes(2, "little") * 2)
                machine.write(RAM, bytes(range(96)))
                State(tuple(0xECF00000 + n for n in range(31))).apply(machine)
                machine.set_register(rs1, RAM)
                result = machine.run(TEXT, limit=1)
                assert result.fault is None, result
                seen.append((result.cycles, state_of(machine), machine.read(RAM, 96)))
            assert seen[0] == seen[1]
            assert seen[0][0] == 2
