"""The simulator behind a typed interface.

A :class:`Machine` is a core with its memory. An image is loaded, reset, and then any function
of it can be called; each run ends in a :class:`RunResult` that says how it stopped
and what was counted. Counts are exact and depend on nothing but the memory contents,
the cycle model and the flash timing: two runs are equal to the bit.

Addresses and sizes are in bytes, times in clock cycles of the core.
"""

from __future__ import annotations

import ctypes as ct
from collections.abc import Sequence
from types import TracebackType
from typing import Literal, Self

from ecfit.sim import abi
from ecfit.sim.flash import FlashTiming, native_timing
from ecfit.sim.model import (
    SHIFT_AMOUNT,
    CostRow,
    CycleModel,
    ModelOption,
    SimError,
    load_model,
    model_names,
    native_costs,
    row_names,
    simulator_id,
)
from ecfit.sim.result import Fault, Finding, Region, RunResult

__all__ = [
    "CostRow",
    "CycleModel",
    "Fault",
    "Finding",
    "FlashTiming",
    "Machine",
    "ModelOption",
    "Region",
    "RunResult",
    "SimError",
    "load_model",
    "model_names",
    "simulator_id",
]

SLICE = 16_000_000  # instructions between two looks at the keyboard: about a tenth of a second
_PROFILE, _TAINT, _WARM = 1, 2, 4
DECLARED = "declared public"
TABLE_FULL = "table full"  # `count` findings, or declarations, are not listed
_KINDS = (
    "branch",
    "branch target",
    "load address",
    "store address",
    "operand",
    "condition",
    "code",
    TABLE_FULL,
    DECLARED,
)  # sim/ecsim.h
PUBLIC_MEMORY, PUBLIC_BLOCK = 64, 255  # see Machine.public_at
_SHIFT_AMOUNT = 255  # ECSIM_SHIFT_AMOUNT


def _text(value: bytes | None) -> str:
    return "" if value is None else value.decode("ascii")


class Machine:
    """One core with its memory. Flash starts erased (0xFF), RAM filled with the byte 0xA5.
    A context manager. Not thread-safe; each thread of a sweep makes its own.
    """

    def __init__(
        self, model: CycleModel, regions: Sequence[Region], flash: FlashTiming | None = None
    ) -> None:
        """Raises SimError where the model, the regions or the flash timing are out
        of range or contradict.
        """
        self._handle: int | None = None
        self._library = abi.library()
        self._regions = tuple(regions)
        costs = native_costs(model)
        self._convention = abi.CONVENTIONS[model.isa]
        self._scratch = (*self._convention.scratch, *(range(32, 64) if model.fp else ()))
        self._rows = row_names(model.native_isa)
        timing = native_timing(flash or FlashTiming(0), model.fetch_buffer.words)
        for region in regions:
            if region.kind not in ("flash", "ram") or not (
                0 <= region.start < 2**32 and 0 < region.size < 2**32
            ):
                raise SimError(f"memory region out of range: {region}")
        kinds = {"flash": 0, "ram": 1}
        native = (abi.Region * len(regions))(
            *(abi.Region(r.start, r.size, kinds[r.kind]) for r in regions)
        )
        why = ct.c_char_p()
        self._handle = self._library.ecsim_new(
            model.native_isa.encode(),
            costs,
            len(costs),
            native,
            len(regions),
            ct.byref(timing),
            ct.byref(why),
        )
        if not self._handle:
            raise SimError(f"machine cannot be made: {_text(why.value)}")
        for region in regions:  # banks in which an access that finds the bus idle waits
            clocks = region.latency
            if not 0 <= clocks <= abi.MOST_CLOCKS or (
                clocks and self._library.ecsim_bank(self._handle, region.start, clocks)
            ):
                raise SimError(f"latency of memory region out of range: {region}")
        self._library.ecsim_strict_alignment(self._handle, model.unaligned == "fault")
        for row in model.variable_rows():
            if row not in (*self._rows, SHIFT_AMOUNT):
                raise SimError(
                    f"cycle model '{model.name}': variable_time names an unknown row: {row}"
                )
            number = _SHIFT_AMOUNT if row == SHIFT_AMOUNT else self._rows.index(row)
            self._library.ecsim_variable_time(self._handle, number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the native side; the machine cannot be used afterwards."""
        if self._handle:
            self._library.ecsim_free(self._handle)
            self._handle = None

    def load(self, address: int, data: bytes) -> None:
        """Put part of an image into flash or RAM.
        SimError when it is not wholly inside one region.
        """
        if self._library.ecsim_load(self._handle, _word(address), data, len(data)):
            raise SimError(f"segment outside memory: {len(data)} bytes at 0x{address:08x}")

    def read(self, address: int, size: int) -> bytes:
        """Bytes of the memory as it is now. SimError when they are not wholly inside one region."""
        buffer = ct.create_string_buffer(_size(size))
        if self._library.ecsim_read(self._handle, _word(address), buffer, size):
            raise SimError(f"read outside memory: {size} bytes at 0x{address:08x}")
        return buffer.raw[:size]

    def write(self, address: int, data: bytes) -> None:
        """Put arguments into RAM. SimError when they are not wholly inside one RAM region."""
        if self._library.ecsim_write(self._handle, _word(address), data, len(data)):
            raise SimError(f"write outside RAM: {len(data)} bytes at 0x{address:08x}")

    def secret(self, address: int, size: int, labels: int) -> None:
        """Marks these bytes of RAM as secret, with a set of labels in bits 0..7. With 0, they are
        public.

        In runs that follow secrets, a label moves with the value that has it.
        Errors: SimError if the bytes are not all in one RAM region.
        """
        if self._library.ecsim_secret(self._handle, _word(address), _size(size), labels):
            raise SimError(f"secret outside RAM: {size} bytes at 0x{address:08x}")

    def labels(self, address: int, size: int) -> bytes:
        """The labels of each byte, after the last run that followed secrets.
        SimError as for :meth:`read`.
        """
        buffer = ct.create_string_buffer(_size(size))
        if self._library.ecsim_labels(self._handle, _word(address), buffer, size):
            raise SimError(f"read outside memory: {size} bytes at 0x{address:08x}")
        return buffer.raw[:size]

    def register_labels(self, index: int) -> int:
        """Likewise of a register, numbered as in :meth:`register`;
        on Arm, 16 stands for the flags.
        """
        return int(self._library.ecsim_register_labels(self._handle, index))

    def public_at(self, address: int, what: int, size: int = 4) -> None:
        """Before the instruction there, the low ``size`` bytes of register number ``what``
        become public; with PUBLIC_MEMORY and that number, ``size`` bytes of memory at the address
        in it (not on AVR); with PUBLIC_BLOCK, the memory that the first two arguments of a function
        name by address and size, when this is its entry.
        """
        if self._library.ecsim_public_at(self._handle, _word(address), what, size):
            raise SimError(f"no such point: {size} bytes of register {what} at 0x{address:08x}")

    def register(self, index: int) -> int:
        """A register by index. Arm: r0..r15, 16 is the program status register (flags in the top
        four bits), 32..63 are s0..s31 where they exist. RISC-V: x0..x31, 32 is the program counter.
        AVR: r0..r31, 32 is the stack pointer as an address of an ELF file (0x800000 and up),
        33 SREG, 34 the program counter in bytes, 35 and 36 RAMPZ and EIND.
        """
        return int(self._library.ecsim_register(self._handle, index))

    def set_register(self, index: int, value: int) -> None:
        """Set a register, numbered as in :meth:`register`;
        the program counter is set by :meth:`run`.
        """
        self._library.ecsim_set_register(self._handle, index, _word(value))

    def functions(self, entries: Sequence[int]) -> None:
        """Entry addresses of the image's functions:
        lets a profile tell tail calls from jumps within a function.
        """
        table = (ct.c_uint32 * len(entries))(*sorted({_word(entry) & ~1 for entry in entries}))
        if self._library.ecsim_functions(self._handle, table, len(table)):
            raise SimError("out of memory")

    def reset(self, vector_table: int, *, limit: int) -> RunResult:
        """Start as the core does, and run until BKPT, a fault, or ``limit`` instructions.

        Arm: SP and PC come from the vector table. RISC-V: execution begins at the address itself;
        all registers hold patterns.
        """
        convention = self._convention
        self._scratch_registers()
        if convention.link is not None:
            self.set_register(convention.link, 0xFFFFFFFF)
        if not convention.vector_table:
            for index in set(range(1, 32)) - set(convention.scratch):
                self.set_register(index, 0xECF00000 + index)
            return self.run(vector_table, limit=limit)
        start = self.read(vector_table, 8)
        self.set_register(convention.sp, int.from_bytes(start[:4], "little"))
        return self.run(int.from_bytes(start[4:], "little"), limit=limit)

    def call(
        self,
        address: int,
        args: Sequence[int],
        *,
        sp: int,
        return_to: int,
        limit: int,
        profile: bool = False,
        taint: bool = False,
        warm: bool = False,
    ) -> RunResult:
        """Call a function by the procedure call standard and run until BKPT, a fault,
        or ``limit`` instructions.

        ``args`` are words: in r0..r3 (RISC-V: a0..a7),
        the others on the stack below ``sp`` (a multiple of 8; RISC-V: of 16). AVR: of 16 bits,
        nine at most; the return address is on the stack, and counts as such.
        ``return_to`` is the address of a BKPT. The Thumb bit of both addresses is set here.
        Registers that carry no argument hold fixed patterns, so that a run depends on nothing
        before it but memory (and, on RISC-V, gp and tp, which start-up code sets). ``warm``: and on
        what a branch predictor learnt in the run before.
        """
        convention = self._convention
        align = convention.stack_align
        if sp % align:
            raise SimError(f"stack pointer 0x{sp:08x} is not a multiple of {align}")
        self._scratch_registers()
        in_registers = len(convention.arguments)
        for index, value in zip(convention.arguments, args, strict=False):
            self._set_argument(index, value)
        if extra := args[in_registers:]:
            sp -= (4 * len(extra) + align - 1) & -align
            self.write(sp, b"".join(_word(value).to_bytes(4, "little") for value in extra))
        self.set_register(convention.sp, self._with_return(sp, return_to))
        start = address | convention.code_bit
        return self.run(start, limit=limit, profile=profile, taint=taint, warm=warm)

    def _set_argument(self, index: int, value: int) -> None:
        """Into a register, or the 16 bits that two registers of a byte hold."""
        if self._convention.register_bytes == 1:
            self.set_register(index + 1, value >> 8 & 0xFF)
            value &= 0xFF
        self.set_register(index, value)

    def _with_return(self, sp: int, address: int) -> int:
        """Puts a return address where the convention has it; the stack pointer then."""
        link = self._convention.link
        if link is not None:
            self.set_register(link, address | self._convention.code_bit)
            return sp
        size = 3 if any(r.kind == "flash" and r.size > 1 << 17 for r in self._regions) else 2
        self.write(sp - size + 1, (address // 2).to_bytes(size, "big"))
        return sp - size

    def run(
        self, pc: int, *, limit: int, profile: bool = False, taint: bool = False, warm: bool = False
    ) -> RunResult:
        """Run from ``pc`` (on Arm with the Thumb bit) with the registers as they are;
        counts start at zero.
        """
        observe = (_PROFILE if profile or taint else 0) | (_TAINT if taint else 0)
        observe |= _WARM if warm else 0
        self._library.ecsim_begin(self._handle, _word(pc), observe)
        left = limit
        while left > 0:
            part = min(left, SLICE)
            if self._library.ecsim_run(self._handle, part):
                break
            left -= part
        return self._result(profile, taint)

    def _scratch_registers(self) -> None:
        for index in self._scratch:
            self.set_register(index, 0xECF00000 + index)
        for index in self._convention.cleared:
            self.set_register(index, 0)

    def _returned(self) -> int:
        index = self._convention.arguments[0]
        if self._convention.register_bytes == 1:
            return self.register(index) | self.register(index + 1) << 8
        return self.register(index)

    def _result(self, profile: bool, taint: bool) -> RunResult:
        library, report = self._library, abi.Report()
        library.ecsim_result(self._handle, ct.byref(report))
        stops: tuple[Literal["limit", "bkpt", "fault"], ...] = ("limit", "bkpt", "fault")
        stop = stops[report.stop]
        fault = None
        if stop == "fault":
            kind, detail = (
                library.ecsim_fault_name(report.fault),
                library.ecsim_fault_detail(self._handle),
            )
            name = f"{_text(kind)} ({_text(detail)})" if detail else _text(kind)
            fault = Fault(name, report.fault_address, report.fault_pc)
        counts = range(len(self._rows)) if profile else range(0)
        regions = list(enumerate(self._regions)) if profile else []
        findings = self._findings() if taint else ()
        return RunResult(
            stop=stop,
            bkpt=report.bkpt if stop == "bkpt" else None,
            fault=fault,
            result=self._returned(),
            cycles=report.cycles,
            cycles_min=report.cycles_min,
            instructions=report.instructions,
            stack_low=report.stack_low,
            trace_hash=f"{report.trace_hash:016x}",
            classes={
                self._rows[i]: n for i in counts if (n := library.ecsim_row_count(self._handle, i))
            },
            loads={region.name: library.ecsim_loads(self._handle, i) for i, region in regions},
            stores={region.name: library.ecsim_stores(self._handle, i) for i, region in regions},
            profile=self._profile() if profile else [],
            findings=tuple(finding for finding in findings if finding.kind != DECLARED),
            declared=tuple(finding for finding in findings if finding.kind == DECLARED),
        )

    def _findings(self) -> tuple[Finding, ...]:
        stacks, findings = self._stacks(), []
        for index in range(self._library.ecsim_findings(self._handle)):
            native = abi.Finding()
            self._library.ecsim_finding_at(self._handle, index, ct.byref(native))
            kind, stack = _KINDS[native.kind], stacks[native.node][0]
            findings.append(
                Finding(
                    kind, native.pc, native.labels, native.count, stack, native.what, native.bytes
                )
            )
        return tuple(findings)

    def _profile(self) -> list[tuple[tuple[int, ...], int]]:
        return [(stack, cycles) for stack, cycles in self._stacks() if cycles]

    def _stacks(self) -> list[tuple[tuple[int, ...], int]]:
        """Call stack and own cycles of each node of the call tree."""
        stacks: list[tuple[tuple[int, ...], int]] = []
        for index in range(self._library.ecsim_profile_size(self._handle)):
            node = abi.Node()
            self._library.ecsim_profile_node(self._handle, index, ct.byref(node))
            outer = stacks[node.parent][0] if index else ()  # a parent always precedes its children
            stacks.append(((*outer, node.function), node.cycles))
        return stacks


def _word(value: int) -> int:
    if not 0 <= value < 2**32:
        raise SimError(f"{value:#x} is not a 32-bit word")
    return value


def _size(value: int) -> int:
    if not 0 <= value < 2**32:
        raise SimError(f"{value} is not a size in bytes")
    return value
