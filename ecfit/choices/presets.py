"""Presets: named configurations of the library, one TOML each (ecfit/data/presets)."""

from __future__ import annotations

from functools import cache

import msgspec

from ecfit.errors import UsageError, unknown_name
from ecfit.paths import DATA

DEFAULT_PRESET = "balanced"


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"values": "set"}):
    """A named set of knob values; `edwards`, `several`: those that take their place on Edwards
    curves, and when an image has more than one curve.
    """

    description: str
    values: dict[str, str | int] = {}
    edwards: dict[str, str | int] = {}
    several: dict[str, str | int] = {}

    def chosen(self, family: str, *, several: bool) -> dict[str, str | int]:
        """What it asks of a curve of a family, alone in its image or with others."""
        own = self.edwards if family == "edwards" else {}
        return self.values | own | (self.several if several else {})


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
