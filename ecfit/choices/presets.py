"""Presets: named configurations of the library, one TOML each (ecfit/data/presets)."""

from __future__ import annotations

from functools import cache

import msgspec

from ecfit.errors import UsageError, unknown_name
from ecfit.paths import DATA

DEFAULT_PRESET = "balanced"


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"values": "set"}):
    """A named set of knob values; `edwards`, `several`: those that take their place on Edwards
    curves, and when an image has more than one curve; `edwards_on`: on Edwards curves with a
    backend.
    """

    description: str
    values: dict[str, str | int] = {}
    edwards: dict[str, str | int] = {}
    edwards_on: dict[str, dict[str, str | int]] = {}
    several: dict[str, str | int] = {}

    def chosen(self, family: str, backend: str, *, several: bool) -> dict[str, str | int]:
        """What it asks of a curve of a family with a backend, alone in its image or with others."""
        own = self.edwards | self.edwards_on.get(backend, {}) if family == "edwards" else {}
        return self.values | own | (self.several if several else {})

    def exceptions(self) -> dict[str, dict[str, str | int]]:
        """What it asks for otherwise, by the words that say where."""
        named = {"Edwards curves": self.edwards}
        named |= {f"Edwards curves with {name}": own for name, own in self.edwards_on.items()}
        named["several curves in one image"] = self.several
        return {where: own for where, own in named.items() if own}


@cache
def all_presets() -> dict[str, Preset]:
    """Every preset by name. Errors: UsageError."""
    found = {}
    for path in sorted((DATA / "presets").glob("*.toml")):
        try:
            found[path.stem] = msgspec.toml.decode(path.read_bytes(), type=Preset)
        except msgspec.MsgspecError as error:
            raise UsageError(f"{path.name}: {error}") from None
    return found


def find_preset(name: str) -> str:
    """The canonical name of a preset. Errors: UsageError."""
    if name.lower() not in all_presets():
        raise unknown_name("preset", name, all_presets())
    return name.lower()
