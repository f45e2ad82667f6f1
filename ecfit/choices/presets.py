"""Presets: named configurations of the library, one TOML each (ecfit/data/presets)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import msgspec

from ecfit.errors import UsageError, unknown_name
from ecfit.paths import DATA

DEFAULT_PRESET = "balanced"


Needs = Callable[[str, str], Mapping[str, tuple[str, ...]]]


class Place(msgspec.Struct, frozen=True):
    """What values are asked for: a curve with a backend, the operations of it that are in the
    image, and whether other curves are, too.
    """

    curve: str
    family: str
    bits: int
    backend: str
    ops: frozenset[str] = frozenset()
    several: bool = False


class Where(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"values": "set"}):
    """Values that take the place of others, each condition where it is named: on curves of a
    family, of at least so many bits, of a name; with a backend; where the image has no other
    operations than `ops`, and no other curve.
    """

    values: dict[str, str | int]
    family: str = ""
    bits: int = 0
    curve: tuple[str, ...] = ()
    backend: tuple[str, ...] = ()
    ops: tuple[str, ...] = ()

    def holds(self, place: Place) -> bool:
        """Returns whether it is about this place."""
        return (
            self.family in {"", place.family}
            and place.bits >= self.bits
            and place.curve in (self.curve or {place.curve})
            and place.backend in (self.backend or {place.backend})
            and (not self.ops or (place.ops <= {*self.ops} and not place.several))
        )

    @property
    def words(self) -> str:
        """What it is about."""
        family = f"{self.family.capitalize()} curves" if self.family else "curves"
        text = ", ".join(self.curve) or family
        text += f" of {self.bits} bits and more" if self.bits else ""
        text += f" with {' or '.join(self.backend)}" if self.backend else ""
        return text + (f" in an image with only {' and '.join(self.ops)}" if self.ops else "")


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"values": "set"}):
    """A named set of knob values; `where`: those that take their place somewhere, the last that
    holds first; `several`: when an image has more than one curve.
    """

    description: str
    values: dict[str, str | int] = {}
    where: tuple[Where, ...] = ()
    several: dict[str, str | int] = {}

    def chosen(
        self, place: Place, sets: Mapping[str, str] | None = None, needs: Needs | None = None
    ) -> dict[str, str | int]:
        """What it asks for in a place.

        `sets`: what a user chose; a `where` that cannot stand beside it does not hold. `needs`:
        the values that a value needs other knobs to have.
        """
        values = dict(self.values)
        several = self.several if place.several else {}
        for where in self.where:
            both = {name: str(value) for name, value in {**where.values, **several}.items()}
            if where.holds(place) and (needs is None or _together({**both, **(sets or {})}, needs)):
                values |= where.values
        return values | several

    @property
    def backends(self) -> tuple[str, ...]:
        """With which it may ask for something else."""
        return tuple(dict.fromkeys(name for where in self.where for name in where.backend))

    def exceptions(self) -> dict[str, dict[str, str | int]]:
        """What it asks for otherwise, by the words that say where."""
        named = {where.words: where.values for where in self.where}
        return named | ({"several curves in one image": self.several} if self.several else {})


def _together(values: Mapping[str, str], needs: Needs) -> bool:
    """Whether values of some knobs allow each other."""
    return all(
        values.get(partner, allowed[0]) in allowed
        for name, value in values.items()
        for partner, allowed in needs(name, value).items()
    )


@cache
def all_presets() -> dict[str, Preset]:
    """Every preset by name. Errors: UsageError."""
    presets = {}
    for path in sorted((DATA / "presets").glob("*.toml")):
        try:
            presets[path.stem] = msgspec.toml.decode(path.read_bytes(), type=Preset)
        except msgspec.MsgspecError as error:
            raise UsageError(f"{path.name}: {error}") from None
    return presets


def find_preset(name: str) -> str:
    """The canonical name of a preset. Errors: UsageError."""
    if name.lower() not in all_presets():
        raise unknown_name("preset", name, all_presets())
    return name.lower()
