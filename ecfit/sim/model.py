"""Cycle models: what each class of instructions costs on a core,
each row with its source (ecfit/data/models).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, get_args

import msgspec

from ecfit.errors import WRONG_RESULT, EcfitError
from ecfit.paths import DATA
from ecfit.sim import abi

_MODELS = DATA / "models"
SHIFT_AMOUNT = "shift_amount"  # of CycleModel.variable_time
FETCH_BUFFER = "fetch_buffer"  # as the name of a row that is changed: its words
MOST_WORDS = 8  # of a fetch buffer: ECSIM_MAX_WORDS
Law = Literal["", "zero", "length", "shift", "dividend"]
LAWS: tuple[Law, ...] = get_args(Law)  # in the order of ecsim_law
NOT_SETTLED = "not settled"  # how the source of a row begins that is off until somebody measures it


class SimError(EcfitError):
    """A wrong request to the simulator: memory that is not there, a model that does not fit."""

    exit_code = WRONG_RESULT
    status = "simulator"


class CostRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cost of a class of instructions: ``cycles + per_register * registers``,
    and the document it was read from.

    Where the time depends on the operands, ``cycles`` is the longest
    and ``cycles_min`` the shortest. ``law`` says how it follows from an operand
    of a RISC-V multiplication or division; without one, the longest counts.
    """

    cycles: int
    source: str
    per_register: int = 0
    cycles_min: int | None = None
    note: str = ""
    law: Law = ""


class Cycles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cycles of a row under one choice, as in :class:`CostRow`."""

    cycles: int
    cycles_min: int | None = None
    law: Law = ""


class ModelOption(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A choice the silicon vendor has: the cycles of one row, by the choices that exist.

    Where a choice changes several rows, or a row's interval, ``rows`` holds their cycles,
    in the order of ``choices``.
    """

    choices: tuple[int, ...]
    source: str
    row: str = ""
    rows: dict[str, tuple[Cycles, ...]] = {}

    def changes(self, choice: int) -> dict[str, Cycles]:
        """The rows that a choice sets."""
        if self.row:
            return {self.row: Cycles(choice)}
        return {row: cycles[self.choices.index(choice)] for row, cycles in self.rows.items()}


class FetchBuffer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of 32 bits that a core fetches ahead of what it executes; 0: no wait of flash hides
    behind an instruction.
    """

    words: int = 0
    source: str = ""


class CycleModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cycle table of one core at zero wait states (``ecfit/data/models/<name>.toml``).

    ``variable_time``: rows whose time depends on the values of their operands on this core,
    each with its source; a row with ``cycles_min`` below ``cycles``
    is one of them without being named. ``shift_amount`` there, which is no row:
    a shift by register takes the longer the farther it shifts. ``unaligned``: a data access
    that is not aligned is done as the architecture does it, or is a fault on this core.
    ``fetch_buffer``: how far the core fetches ahead, as sim/src/flash.h takes it. ``dsp``,
    ``fp``: an ARMv7-M core has the DSP extension; it has the floating-point registers, too.
    ``dual``: it issues two instructions a cycle; rows are of what its schedule leaves.
    ``zicntr``: a RISC-V core has the counters cycle and instret under the numbers that code
    without privilege may read. ``bits``: it has these, and A, Zba, Zbb, Zbs, Zbkb, Zcb and Zcmp.
    ``rv32e``: it has 16 registers, no M, and WCH's accesses of 16 bits to bytes and halfwords.
    """

    name: str
    isa: str
    core: str
    rows: dict[str, CostRow]
    options: dict[str, ModelOption] = {}
    unaligned: Literal["core", "fault"] = "core"
    dsp: bool = False
    fp: bool = False
    dual: bool = False
    zicntr: bool = False
    bits: bool = False
    rv32e: bool = False
    leaves_out: tuple[str, ...] = ()
    variable_time: dict[str, str] = {}
    fetch_buffer: FetchBuffer = FetchBuffer()

    @property
    def native_isa(self) -> str:
        """The instruction set with its extensions, as the native side names it."""
        arm = "+dsp" * self.dsp + "+fp" * self.fp + "+dual" * self.dual
        more = "+zicntr" * self.zicntr + "+bits" * self.bits + "+e" * self.rv32e
        return self.isa + arm + more

    def not_settled(self) -> list[str]:
        """The rows that are 0 because nobody has measured well enough whether there is such an
        effect.
        """
        return [name for name, row in self.rows.items() if row.source.startswith(NOT_SETTLED)]

    def with_rows(self, changes: Mapping[str, int]) -> CycleModel:
        """The model with other cycles in some rows, or another fetch_buffer. Errors: SimError."""
        rows, buffer = dict(self.rows), self.fetch_buffer
        for name, cycles in changes.items():
            if name == FETCH_BUFFER:
                if cycles > MOST_WORDS:
                    raise SimError(
                        f"too many words in the core's fetch buffer: at most {MOST_WORDS}"
                    )
                buffer = FetchBuffer(cycles, "changed for this run")
                continue
            if name not in rows:
                names = ", ".join((*rows, FETCH_BUFFER))
                raise SimError(f"cycle model '{self.name}' has no row '{name}': known: {names}")
            shortest = rows[name].cycles_min
            rows[name] = msgspec.structs.replace(
                rows[name],
                cycles=cycles,
                cycles_min=None if shortest is None else min(shortest, cycles),
                source="changed for this run",
            )
        return msgspec.structs.replace(self, rows=rows, fetch_buffer=buffer)

    def variable_rows(self) -> list[str]:
        """The rows whose operands must not be secret."""
        shorter = (
            row for row, cost in self.rows.items() if cost.cycles_min not in (None, cost.cycles)
        )
        return sorted({*self.variable_time, *shorter})


# msgspec describes a type to itself at its first use; two threads that do so at once crash.
# So it is done on import.
msgspec.json.Decoder(CycleModel)


def model_names() -> list[str]:
    """Names of the cycle models there are."""
    return sorted(path.stem for path in _MODELS.glob("*.toml"))


@cache
def _read(name: str) -> CycleModel:
    """A cycle model without options, read once. Errors: SimError."""
    path = _MODELS / f"{name}.toml"
    if name not in model_names():
        raise SimError(f"unknown cycle model '{name}': there are {', '.join(model_names())}")
    try:
        raw = msgspec.toml.decode(path.read_bytes())
        return msgspec.convert({"name": name, **raw}, CycleModel)
    except (msgspec.ValidationError, msgspec.DecodeError, TypeError) as error:
        raise SimError(f"cycle model {path.name}: {error}") from error


def load_model(name: str, **options: int) -> CycleModel:
    """Read a cycle model; ``options`` choose what the core leaves
    to the chip, as ``multiplier=32``.

    Raises SimError for an unknown model, an unknown option,
    or a value that the option does not have.
    """
    model = _read(name)
    rows = dict(model.rows)
    for option, value in options.items():
        choice = model.options.get(option)
        if choice is None:
            names = ", ".join(model.options) or "none"
            raise SimError(f"cycle model '{name}' has no option '{option}': known: {names}")
        if value not in choice.choices:
            raise SimError(
                f"cycle model '{name}': {option} is one of {choice.choices}, not {value}"
            )
        for row, cycles in choice.changes(value).items():
            rows[row] = CostRow(
                cycles.cycles,
                choice.source,
                rows[row].per_register,
                cycles.cycles_min,
                rows[row].note,
                cycles.law,
            )
    return msgspec.structs.replace(model, rows=rows)


@cache
def row_names(native_isa: str) -> tuple[str, ...]:
    """The rows of an instruction set in the order of the native side; none of an unknown one."""
    names: list[str] = []
    while name := abi.library().ecsim_row_name(native_isa.encode(), len(names)):
        names.append(name.decode("ascii"))
    return tuple(names)


def native_costs(model: CycleModel) -> abi.Costs:
    """The model's rows in the order of the native side;
    each row of the instruction set must be there, and no other.
    """
    names = row_names(model.native_isa)
    if not names or model.isa not in abi.CONVENTIONS:
        raise SimError(f"cycle model '{model.name}': unknown instruction set '{model.native_isa}'")
    if missing := sorted(set(names) - set(model.rows)):
        raise SimError(f"cycle model '{model.name}': missing rows: {', '.join(missing)}")
    if unknown := sorted(set(model.rows) - set(names)):
        raise SimError(f"cycle model '{model.name}': unknown rows: {', '.join(unknown)}")
    rows = [model.rows[row_name] for row_name in names]
    if any(
        not (0 <= _shortest(row) <= row.cycles <= 255 and 0 <= row.per_register <= 255)
        for row in rows
    ):
        raise SimError(
            f"cycle model '{model.name}': cycles and per_register are 0..255, "
            "cycles_min is not more"
        )
    if model.rows["branch_taken"].cycles < model.rows["branch_not_taken"].cycles:
        raise SimError(
            f"cycle model '{model.name}': a branch that is taken costs at least as much "
            "as one that is not"
        )
    return (abi.Cost * len(rows))(
        *(
            abi.Cost(row.cycles, row.per_register, _shortest(row), LAWS.index(row.law))
            for row in rows
        )
    )


def _shortest(row: CostRow) -> int:
    return row.cycles if row.cycles_min is None else row.cycles_min


def simulator_id() -> str:
    """Digest of the simulator's sources: equal digests give equal counts.
    Part of the key of a result.
    """
    return bytes(abi.library().ecsim_build_id() or b"").decode("ascii")
