"""simavr as an AVR core: the same memory, the same state, to be compared, cycles included.

Known deviations of simavr 1.6, on code that no compiler emits; the simulator follows the
instruction set manual, and the random programs leave the case out:

- LD and ST by X, which do not move it, write it back all the same, so that a byte which is stored
  into r26 or r27 by way of X is lost (the manual: "X: unchanged"). Where a pointer that moves
  reaches its own registers, the manual leaves the order open.
"""

from __future__ import annotations

import ctypes as ct
import functools
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ecfit.sim.machine import Machine, Region

DATA = 0x800000  # the data space, as in an ELF file
SP, SREG, PC, RAMPZ, EIND = 32, 33, 34, 35, 36  # numbers of the simulator
RAMPZ_AT, EIND_AT = 0x5B, 0x5C
UNLIMITED = 100_000_000


class Part(NamedTuple):
    """A chip: bytes of flash, where RAM begins in the data space, its bytes."""

    flash: int
    ram_start: int
    ram: int

    @property
    def memory(self) -> tuple[Region, ...]:
        ram = Region("sram", DATA + self.ram_start, self.ram, "ram")
        return (Region("flash", 0, self.flash, "flash"), ram)

    @property
    def wide_pc(self) -> bool:
        return self.flash > 1 << 17

    @property
    def has_rampz(self) -> bool:
        return self.flash > 1 << 16

    @property
    def middle(self) -> int:
        """Of RAM, in the data space."""
        return self.ram_start + self.ram // 2


PARTS = {
    "atmega328p": Part(0x8000, 0x100, 0x800),
    "atmega1284p": Part(0x20000, 0x100, 0x4000),
    "atmega2560": Part(0x40000, 0x200, 0x2000),
}


@dataclass(frozen=True)
class State:
    """r0..r31; SREG, stack pointer, RAMPZ and EIND."""

    registers: tuple[int, ...]
    sreg: int
    sp: int
    rampz: int = 0
    eind: int = 0

    def apply(self, machine: Machine) -> None:
        for index, value in enumerate(self.registers):
            machine.set_register(index, value)
        machine.set_register(SREG, self.sreg)
        machine.set_register(SP, self.sp)
        machine.set_register(RAMPZ, self.rampz)
        machine.set_register(EIND, self.eind)

    def named(self) -> list[tuple[str, int]]:
        numbered = [(f"r{index}", value) for index, value in enumerate(self.registers)]
        special = [("sreg", self.sreg), ("sp", self.sp)]
        return [*numbered, *special, ("rampz", self.rampz), ("eind", self.eind)]


def state_of(machine: Machine) -> State:
    registers = tuple(machine.register(index) for index in range(32))
    special = [machine.register(index) for index in (RAMPZ, EIND)]
    return State(registers, machine.register(SREG), machine.register(SP) - DATA, *special)


@functools.cache
def library() -> ct.CDLL:
    """The shim over libsimavr, compiled once for a process."""
    source = Path(__file__).with_name("avr_oracle.c")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "avr_oracle.so"
        command = ["cc", "-O2", "-shared", "-fPIC", str(source), "-lsimavr", "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, f"libsimavr-dev is missing? {done.stderr}"
        native = ct.CDLL(str(made))
    native.oracle_new.restype = ct.c_void_p
    for name in ("oracle_flash", "oracle_data"):
        getattr(native, name).restype = ct.c_void_p
        getattr(native, name).argtypes = [ct.c_void_p]
    for name in ("oracle_set", "oracle_get"):
        getattr(native, name).argtypes = [ct.c_void_p, ct.c_char_p, ct.c_char_p]
    words = [ct.c_uint32, ct.c_uint32, ct.c_uint64]
    native.oracle_run.argtypes = [ct.c_void_p, *words, ct.c_void_p, ct.c_void_p]
    return native


class Oracle:
    """A part of simavr."""

    code_bit = 0
    cycles: int | None = 0

    def __init__(self, name: str) -> None:
        self._part, self._library = PARTS[name], library()
        self._avr = self._library.oracle_new(name.encode())
        assert self._avr, f"simavr does not know {name}"
        self._flash = self._library.oracle_flash(self._avr)
        self._data = self._library.oracle_data(self._avr)
        self.pc = 0
        self.load(0, b"\xff" * self._part.flash)
        self.load(DATA + self._part.ram_start, b"\xa5" * self._part.ram)

    def load(self, address: int, data: bytes) -> None:
        """Into flash, or the data space."""
        to = self._data + address - DATA if address >= DATA else self._flash + address
        ct.memmove(to, data, len(data))

    def apply(self, state: State) -> None:
        special = bytes((state.sreg, state.sp & 0xFF, state.sp >> 8, state.rampz, state.eind))
        self._library.oracle_set(self._avr, bytes(state.registers), special)

    def state(self) -> State:
        registers, special = ct.create_string_buffer(32), ct.create_string_buffer(5)
        self._library.oracle_get(self._avr, registers, special)
        sreg, low, high, rampz, eind = special.raw
        return State(tuple(registers.raw), sreg, low | high << 8, rampz, eind)

    def run(self, pc: int, until: int, count: int = 0, timeout: float = 0) -> str | None:
        """Until that address, or so many instructions; None: it came to its end."""
        cycles, at = ct.c_uint64(), ct.c_uint32()
        limit = count or (UNLIMITED if not timeout else 100_000)
        how = self._library.oracle_run(self._avr, pc, until, limit, ct.byref(cycles), ct.byref(at))
        self.cycles, self.pc = cycles.value, at.value
        if how == 1 and count:
            return None
        return (None, "the limit", "a crash")[how]

    def ram(self) -> bytes:
        return ct.string_at(self._data + self._part.ram_start, self._part.ram)
