"""Presets: named configurations of the library, one TOML each (ecfit/data/presets)."""

from __future__ import annotations

from functools import cache

import msgspec

from ecfit.errors import UsageError, unknown_name
from ecfit.paths import DATA

DEFAULT_PRESET = "balanced"


class Where(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"values": "set"}):
    """Values that take the place of others on curves of a family, of at least so many bits, with a
    backend: each where it is named.
    """

    values: dict[str, str | int]
    family: str = ""
    bits: int = 0
    backend: str = ""

    def holds(self, family: str, bits: int, backend: str) -> bool:
        """Returns whether it applies to a curve with a back end."""
        return self.family in {"", family} and bits >= self.bits and self.backend in {"", backend}

    @property
    def words(self) -> str:
        """What it is about."""
        family = f"{self.family.capitalize()} curves" if self.family else "curves"
        bits = f" of {self.bits} bits and more" if self.bits else ""
        return family + bits + (f" with {self.backend}" if self.backend else "")


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"values": "set"}):
    """A named set of knob values; `where`: those that take their place on some curves, the last
    that holds first; `several`: when an image has more than one curve.
    """

    description: str
    values: dict[str, str | int] = {}
    where: tuple[Where, ...] = ()
    several: dict[str, str | int] = {}

    def chosen(
        self, family: str, bits: int, backend: str, *, several: bool
    ) -> dict[str, str | int]:
        """What it asks of a curve with a backend, alone in its image or with others."""
        found = dict(self.values)
        for where in self.where:
            found |= where.values if where.holds(family, bits, backend) else {}
        return found | (self.several if several else {})

    @property
    def backends(self) -> tuple[str, ...]:
        """With which it may ask for something else."""
        return tuple(dict.fromkeys(where.backend for where in self.where if where.backend))

    def exceptions(self) -> dict[str, dict[str, str | int]]:
        """What it asks for otherwise, by the words that say where."""
        named = {where.words: where.values for where in self.where}
        return named | ({"several curves in one image": self.several} if self.several else {})


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
