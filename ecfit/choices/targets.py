"""Targets: one TOML each in ecfit/data/targets, every number with its source."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from ecfit.errors import UsageError, unknown_name
from ecfit.paths import DATA
from ecfit.sim.flash import FlashTiming

MODES = ("zero-ws", "datasheet", "worst")


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A memory: start address and size in bytes."""

    name: str
    kind: Literal["flash", "ram"]
    start: int
    size: int
    source: str


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The core clock in hertz that times are computed with."""

    hz: int
    source: str


class Power(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the chip draws in a state, typically, at the clock of the target."""

    state: str
    volts: float
    milliamperes: float
    source: str


class Mode(FlashTiming, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the flash behaves, and what the figures of this mode are worth.

    error_class: A within 2 % of silicon, B within 10 %, C tables only. `bound`: how this
    flash answers is not known; the truth lies between this mode and that one.
    """

    error_class: Literal["A", "B", "C"]
    reason: str
    source: str
    help: str = ""
    bound: str | None = None


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chip (runner sim) or this machine (runner host)."""

    name: str
    description: str
    core: str
    arch: str
    runner: Literal["sim", "host"]
    backend: str
    aliases: tuple[str, ...] = ()
    model: str | None = None
    clock: Clock | None = None
    memory: tuple[Memory, ...] = ()
    modes: dict[str, Mode] = {}
    power: tuple[Power, ...] = ()  # the first is the active state, with which energy is computed
    model_options: dict[str, int] = {}

    def region(self, kind: str) -> Memory:
        """The first memory of that kind."""
        return next(m for m in self.memory if m.kind == kind)

    def mode(self, name: str) -> Mode | None:
        """The flash mode of that name; None for the host, which has none. Errors: UsageError."""
        if self.runner == "host":
            return None
        if name not in self.modes:
            raise UsageError(
                f"target {self.name} has no mode '{name}': known: {', '.join(self.modes)}"
            )
        return self.modes[name]


@cache
def all_targets() -> dict[str, Target]:
    """Every target, by name, in the order of the names."""
    found = {}
    for path in sorted((DATA / "targets").glob("*.toml")):
        try:
            target = msgspec.toml.decode(path.read_bytes(), type=Target)
        except msgspec.MsgspecError as error:
            raise UsageError(f"{path.name}: {error}") from None
        found[target.name] = target
    return found


def find_target(name: str) -> Target:
    """The target of that name or alias, letter case ignored. Errors: UsageError."""
    for target in all_targets().values():
        if name.lower() in (target.name, *target.aliases):
            return target
    raise unknown_name("target", name, all_targets())
