"""Targets: one TOML each in ecfit/data/targets, every number with its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Literal

import msgspec

from ecfit import documents
from ecfit.errors import UsageError
from ecfit.paths import DATA, read_input
from ecfit.sim.abi import MOST_CLOCKS
from ecfit.sim.flash import FlashTiming

FPU = "ECFIT_FPU_PRESENT"  # the core has a unit, which a compiler for soft floats does not say
MODES = ("zero-ws", "datasheet", "worst", "fitted")
CORES = {  # by architecture: what there are compiler flags and cycle models for
    "armv6m": ("cortex-m0", "cortex-m0plus"),
    "armv7m": ("cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33"),
    "rv32": ("ibex", "cv32e40p", "hazard3", "esp32-c3", "qingke-v2"),
    "avr": ("avr5", "avr51", "avr6"),
    "xtensa": ("lx106",),
    "host": ("host",),
}
EMULATED = ("xtensa",)  # architectures without a cycle model: QEMU counts instructions
NOT_ON_CHIP = "harness"  # the name of a RAM for what the bench brings, where the chip's is small
ERROR_CLASSES = {  # what the figures of a mode are worth
    "RTL": "cycles equal the core's RTL on the programs that were compared",
    "A": "within 2 % of published silicon",
    "B": "within 10 %",
    "C": "not validated against silicon",
    "instructions": "counts of an emulated core, which say nothing of cycles and time",
}
# Of C the largest that was seen: it bounds nothing.
ERRORS = {"RTL": 0.0, "A": 0.02, "B": 0.10, "C": 0.15}


ErrorClass = Literal["RTL", "A", "B", "C"]


class Accuracy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a core or a memory was held against: RTL equal to the RTL of the core, which a test
    simulates (tests/sim/test_rtl.py); A within 2 % of silicon, B within 10 %, C neither. `rows`:
    figures of `ecfit fidelity` that say so and chose nothing in the model; `worst`: the largest
    deviation of them, as a part of the published figure.
    """

    error_class: ErrorClass = "C"
    rows: int = 0
    worst: float = 0.0

    @property
    def text(self) -> str:
        """As a line says it: class, and by how many rows."""
        if self.error_class == "RTL":
            return "RTL"
        if not self.rows:
            return f"{self.error_class} (no figure)"
        rows = "1 row" if self.rows == 1 else f"{self.rows} rows"
        return f"{self.error_class} ({rows}, worst {100 * self.worst:.1f} %)"


class CoreAccuracy(Accuracy, frozen=True, forbid_unknown_fields=True):
    """Of a core, by its cycle model with these options, if it has any. `reason`: without rows."""

    options: dict[str, int] = {}
    reason: str = ""


@cache
def cores() -> dict[str, CoreAccuracy]:
    """What each core is worth, by its cycle model."""
    path = DATA / "cores.toml"
    return msgspec.toml.decode(path.read_bytes(), type=dict[str, CoreAccuracy])


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A memory: start address and size in bytes. `latency`: clocks more of a data access that
    finds the bus of this bank of RAM idle (sim/ecsim.h); `accuracy`: what that is worth.
    """

    name: str
    kind: Literal["flash", "ram"]
    start: int
    size: int
    source: str
    latency: int = 0
    accuracy: Accuracy | None = None


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The core clock in hertz that times are computed with."""

    hz: int
    source: str


class Power(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The typical current of the chip in a state, at the clock of the target."""

    state: str
    volts: float
    milliamperes: float
    source: str


class BoardPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a part of a board draws while the chip computes."""

    name: str
    milliamperes: float
    source: str


class BoardPower(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a board with the chip draws at its supply while the chip computes: the currents of its
    parts, behind linear regulators.
    """

    volts: float
    parts: tuple[BoardPart, ...]
    source: str

    @property
    def milliwatts(self) -> float:
        """At the supply."""
        return self.volts * sum(part.milliamperes for part in self.parts)


class Accelerator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a chip has for public keys: milliseconds and microjoules of each operation on a curve.

    `at_most`: the times are bounds, as those of a vendor's tests. `needs`: of the caller, and what
    else tells the figures from ours.
    """

    name: str
    ms: dict[str, float]
    source: str
    curve: str = "secp256r1"
    uj: dict[str, float] = {}
    at_most: bool = False
    needs: str = ""


class Mode(FlashTiming, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the flash behaves, and what the figures of this mode are worth.

    `flash`: what the flash alone is worth in this mode. Where it waits or its answers are not
    known, nothing that is said is class C. `error_class`: of a time, the worse of core and flash;
    a file need not have it. `reason`: what else is to be said of that. `bound`: how this
    flash answers is not known; the truth lies between this mode and that one. `fitted`: which
    of its numbers were deduced from published figures, each with the document
    (ecfit/data/published) whose figures can therefore not say what this mode is worth.
    """

    flash: Accuracy | None = None
    error_class: ErrorClass = "C"
    reason: str = ""
    source: str
    help: str = ""
    bound: str | None = None
    fitted: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def error(self) -> float:
        """By which part of silicon's a time can be off, as far as is known."""
        return ERRORS[self.error_class]

    @property
    def accuracy(self) -> str:
        """The class, as a table says it."""
        return f"{self.error_class} lower bound" if self.bound else self.error_class


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chip (runner sim), this machine (runner host), or an emulated core or board (runner qemu).
    No file describes such a board: ecfit.choices.boards. `like`: of a chip that no file describes
    either, the target whose flash it is timed with (ecfit.choices.chips).
    """

    name: str
    description: str
    core: str
    arch: str
    runner: Literal["sim", "host", "qemu"]
    backend: str
    aliases: tuple[str, ...] = ()
    model: str | None = None
    clock: Clock | None = None
    memory: tuple[Memory, ...] = ()
    modes: dict[str, Mode] = {}
    power: tuple[Power, ...] = ()  # the first is the active state, with which energy is computed
    model_options: dict[str, int] = {}
    board: BoardPower | None = None
    fpu: str = ""  # the compiler's name of its floating-point unit
    stack: str = ""  # the bank of RAM of stack and heap, if it is not the first, where data lies
    accelerator: tuple[Accelerator, ...] = ()
    like: str = ""

    @property
    def counts_class(self) -> str | None:
        """What figures are worth that no mode is needed for."""
        return "instructions" if self.runner == "qemu" else None

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its other names."""
        return self.name, *self.aliases

    def region(self, kind: str) -> Memory:
        """The first memory of that kind."""
        return next(m for m in self.memory if m.kind == kind)

    def time_and_energy(self, cycles: int | None) -> tuple[float | None, float | None]:
        """Microseconds and microjoules of so many cycles; None where that is not known."""
        if cycles is None or self.clock is None:
            return None, None
        time_us = round(cycles * 1e6 / self.clock.hz, 3)
        if not self.power:
            return time_us, None
        active = self.power[0]
        return time_us, round(time_us * active.volts * active.milliamperes / 1000, 3)

    @property
    def stack_bank(self) -> Memory:
        """The RAM in which the stack lies."""
        named = (m for m in self.memory if m.name == self.stack and m.kind == "ram")
        return next(named, self.region("ram"))

    def time_class(self, mode: Mode) -> ErrorClass:
        """What a time in that mode is worth: by core, flash and the bank of the stack."""
        bank = self.stack_bank
        return (
            _worse(mode.error_class, bank.accuracy or Accuracy())
            if bank.latency
            else (mode.error_class)
        )

    def mode(self, name: str) -> Mode | None:
        """The flash mode of that name; None where nothing is modelled. Errors: UsageError."""
        if self.runner != "sim":
            return None
        if name not in self.modes:
            raise UsageError(
                f"target {self.name} has no mode '{name}': known: {', '.join(self.modes)}"
            )
        return self.modes[name]


def with_stack(target: Target, bank: str) -> Target:
    """The target, its stack in the bank of RAM of that name. Errors: UsageError."""
    banks = [memory.name for memory in target.memory if memory.kind == "ram"]
    if target.runner != "sim" or bank not in banks:
        choices = f"its RAM is {', '.join(banks)}" if banks else "it has none that is named"
        raise UsageError(f"STACK={bank}: {target.name} has no such bank: {choices}")
    return msgspec.structs.replace(target, stack="" if bank == banks[0] else bank)


def float_flags(target: Target, asked: str | None) -> tuple[str, ...]:
    """How a compiler for this chip passes floating-point numbers: `asked` is soft, softfp, hard or
    None for what projects for the chip take. Errors: UsageError.
    """
    if asked is None:
        return float_flags(target, "hard") if target.fpu else ()
    if not target.arch.startswith("arm"):
        raise UsageError(f"--float-abi is for Arm cores, not for {target.name}")
    if asked == "soft":
        return ("-mfloat-abi=soft",)
    if not target.fpu:
        raise UsageError(f"{target.name} has no floating-point unit: --float-abi is soft")
    return f"-mfpu={target.fpu}", f"-mfloat-abi={asked}"


_files: list[Path] = []  # of the user, beside those in ecfit/data/targets


def use_files(paths: Iterable[str]) -> tuple[Target, ...]:
    """Makes targets of the user known by their names, for this process.

    Errors: UsageError with the file's name.
    """
    targets = []
    for path in map(Path, paths):
        target = read_target(path)
        _files.append(path)
        all_targets.cache_clear()
        clashing = [
            target_there for target_there in all_targets().values() if _clash(target_there, target)
        ]
        if clashing:
            _files.remove(path)
            all_targets.cache_clear()
            raise UsageError(
                f"{path}: there is a target {clashing[0].name} already: choose another name"
            )
        targets.append(target)
    all_targets.cache_clear()
    return tuple(targets)


def _clash(a: Target, b: Target) -> bool:
    return a is not b and a != b and bool(set(a.names) & set(b.names))


def read_target(path: Path) -> Target:
    """One target file, checked. Errors: UsageError, one line with the file's name."""
    try:
        target = documents.toml(read_input(path, documents.LARGEST_TOML), Target)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path.name}: {error}") from None
    wrong = next(_faults(target), None)
    if wrong:
        raise UsageError(f"{path.name}: {wrong}")
    return with_classes(target)


def core_accuracy(target: Target) -> CoreAccuracy:
    """What the cycles of its core are worth when no memory waits."""
    known = cores().get(target.model or "", CoreAccuracy())
    differs = known.options and known.options != target.model_options
    return CoreAccuracy() if differs else known


def with_classes(target: Target) -> Target:
    """The target, each of its modes with the class of a time and the reason for it."""
    core = core_accuracy(target)
    modes = {name: _with_class(mode, core) for name, mode in target.modes.items()}
    return msgspec.structs.replace(target, modes=modes)


def _with_class(mode: Mode, core: CoreAccuracy) -> Mode:
    waits = mode.wait_states or mode.data_wait_states or mode.bound
    flash = mode.flash or (Accuracy(mode.error_class) if waits else None)
    said = f"core {core.text}, flash {flash.text}" if flash else f"core {core.text}"
    return msgspec.structs.replace(
        mode,
        flash=flash,
        error_class=_worse(core.error_class, flash) if flash else core.error_class,
        reason=": ".join(filter(None, (said, "; ".join(filter(None, (core.reason, mode.reason)))))),
    )


def _worse(error_class: ErrorClass, memory: Accuracy) -> ErrorClass:
    return max(error_class, memory.error_class, key=list(ERRORS).index)


def _faults(target: Target) -> Iterator[str]:
    """What in a target cannot be: the first is told."""
    if target.arch not in CORES:
        yield f"arch is one of {', '.join(CORES)}, not '{target.arch}'"
    elif target.core not in CORES[target.arch]:
        names = ", ".join(CORES[target.arch])
        yield f"core of {target.arch} is one of {names}, not '{target.core}'"
    if target.runner == "host":
        return
    if (target.runner == "qemu") != (target.arch in EMULATED):
        rule = f"qemu for {', '.join(EMULATED)}, and sim for the others"
        yield f"runner is {rule}: emulated boards have files of their own"
    if target.runner == "qemu":
        yield from _faults_of_memory(target)
        if not any(memory.name == NOT_ON_CHIP for memory in target.memory):
            yield f"a memory named '{NOT_ON_CHIP}' is missing"
        return
    if target.model is None or not (DATA / "models" / f"{target.model}.toml").is_file():
        names = ", ".join(sorted(path.stem for path in (DATA / "models").glob("*.toml")))
        yield f"model is one of {names}, not '{target.model}'"
    if target.clock is None or target.clock.hz <= 0:
        yield "clock.hz is the core's clock in hertz, above 0"
    yield from _faults_of_memory(target)
    yield from _faults_of_extras(target)
    yield from _faults_of_modes(target)


def _faults_of_extras(target: Target) -> Iterator[str]:
    for state in target.power:
        if state.volts <= 0 or state.milliamperes <= 0:
            yield f"power state {state.state}: volts and milliamperes are above 0"
    if target.board and target.board.milliwatts <= 0:
        yield "board: volts and milliamperes are above 0"
    for accelerator in target.accelerator:
        if not accelerator.ms or min((*accelerator.ms.values(), *accelerator.uj.values())) <= 0:
            yield f"accelerator {accelerator.name}: ms has the time of an operation, above 0"


def _faults_of_memory(target: Target) -> Iterator[str]:
    for kind in ("flash", "ram"):
        if not any(memory.kind == kind and memory.size > 0 for memory in target.memory):
            yield f"a memory of kind '{kind}' is missing, with a size in bytes above 0"
    banks = [memory.name for memory in target.memory if memory.kind == "ram"]
    if target.stack and target.stack not in banks:
        yield f"stack is one of {', '.join(banks)}, not '{target.stack}'"
    if any(memory.latency and memory.kind == "flash" for memory in target.memory):
        yield "a memory of kind 'flash' has no latency: modes have wait_states"
    if any(not 0 <= memory.latency <= MOST_CLOCKS for memory in target.memory):
        yield f"the latency of a memory is 0 to {MOST_CLOCKS} clocks"


def _faults_of_modes(target: Target) -> Iterator[str]:
    if not target.modes:
        yield f"modes are missing: at least one of {', '.join(MODES)}"
    for name, mode in target.modes.items():
        if name not in MODES:
            yield f"mode '{name}' is not one of {', '.join(MODES)}"
        for number in set(mode.fitted) - set(FlashTiming.__struct_fields__):
            yield f"mode {name}: fitted names {number}, which is no number of it"
        if not mode.help:
            yield f"mode {name} has no help: say how the flash behaves in it"


@cache
def all_targets() -> dict[str, Target]:
    """Every target, in the order of the names; a malformed file is left out.

    :func:`malformed` says which.
    """
    targets: dict[str, Target] = {}
    for path in _paths():
        with suppress(UsageError):
            target = read_target(path)
            targets.setdefault(target.name, target)
    return dict(sorted(targets.items()))


def malformed() -> list[str]:
    """Why target files cannot be used, a line each: damaged, or of a name that another has."""
    lines, names = [], dict[str, str]()
    for path in _paths():
        try:
            target = read_target(path)
        except UsageError as error:
            lines.append(str(error))
            continue
        for name in target.names:
            if name in names:
                lines.append(f"{path.name}: there is a target {name} already, in {names[name]}")
            names.setdefault(name, path.name)
    return lines


def _paths() -> list[Path]:
    return [*sorted((DATA / "targets").glob("*.toml")), *_files]


@cache
def _of_own_file(name: str) -> Target | None:
    """The target of that name without a look into the files of the others."""
    for path in _paths():
        if path.stem == name:
            with suppress(UsageError):
                target = read_target(path)
                return target if target.name == name else None
    return None


def find_target(name: str) -> Target:
    """The target of that name or alias, letter case ignored. Errors: UsageError."""
    if not _files and (own := _of_own_file(name)):
        return own
    for target in all_targets().values():
        if name.lower() in target.names:
            return target
    faults = [line for line in malformed() if line.startswith(f"{name}.toml: ")]
    if faults:
        raise UsageError(faults[0])
    chips = import_module("ecfit.choices.chips")  # which needs this module: it stands above
    derived: Target = chips.named(name)
    return derived


def known_target(name: str) -> Target | None:
    """The target of that name, as of a record; None where there is none."""
    with suppress(UsageError):
        return find_target(name)
    return None
