"""Values of knobs that only studies use: a folder with their files and a knobs.toml, which has the
schema of lib/knobs.toml. Nothing knows them but what runs within `known`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import msgspec

from ecfit.choices import knobs
from ecfit.choices.checks import check_files
from ecfit.choices.knobs import Choice, Knob
from ecfit.errors import UsageError


class Variant(Choice, frozen=True, forbid_unknown_fields=True):
    """A value that fills a slot of the library with a file of the folder.

    `like`: the value that it stands in for; `roots`: functions that the linker keeps for the bench.
    """

    like: str = ""
    roots: tuple[str, ...] = ()


class _Values(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a knob has besides: values of a slot, or a wider range of a number."""

    name: str
    choices: dict[str, Variant] = {}
    min: int = 0
    max: int = 0
    buys: dict[str, str] = {}


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    knob: tuple[_Values, ...]


class Brought(msgspec.Struct, frozen=True):
    """What the variants of a configuration bring to its image: a folder of sources, the files that
    check a configuration with them, and functions to keep.
    """

    folder: Path
    generated: dict[str, str]
    roots: tuple[str, ...]


_FOLDERS: list[Path] = []  # of the `known` that are entered, the innermost last


@contextmanager
def known(folder: Path) -> Iterator[None]:
    """Within it, the knobs have the values of this folder, too. Errors: UsageError."""
    with knobs.extended(_extended(folder)):
        _FOLDERS.append(folder)
        try:
            yield
        finally:
            _FOLDERS.pop()


def brought(curve: str, settings: Mapping[str, str], ops: Iterable[str]) -> Brought | None:
    """What these settings need beside the library; None where it has all of them."""
    library = knobs.library_knobs()
    names = [name for name, value in settings.items() if value not in library[name].values]
    if not names:
        return None
    roots = [
        root.format(curve=curve)
        for name in names
        if isinstance(choice := knobs.all_knobs()[name].choices.get(settings[name]), Variant)
        and {*library[name].ops} & {*ops}
        for root in choice.roots
    ]
    return Brought(_FOLDERS[-1], _checks(_FOLDERS[-1]), tuple(roots))


@cache
def _checks(folder: Path) -> dict[str, str]:
    """What refuses a configuration, where it may have values of this folder."""
    with knobs.extended(_extended(folder)):
        return check_files()


@cache
def _extended(folder: Path) -> dict[str, Knob]:
    """The library's knobs with the values of a folder. Errors: UsageError."""
    try:
        added = msgspec.toml.decode((folder / "knobs.toml").read_bytes(), type=_File).knob
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"{folder / 'knobs.toml'}: {error}") from None
    found = dict(knobs.library_knobs())
    for more in added:
        knob = found[more.name]
        gone = knob.gone.items()
        found[more.name] = msgspec.structs.replace(
            knob,
            choices=knob.choices | more.choices,
            min=more.min or knob.min,
            max=more.max or knob.max,
            buys=knob.buys | more.buys,
            gone={} if more.max else {v: t for v, t in gone if v not in more.choices},
        )

    def served(needs: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """Needs, which a value that stands in for another one fulfils like that one."""
        return {
            name: (*values, *(_standing_in(found[name], values) if name in found else ()))
            for name, values in needs.items()
        }

    return {
        name: msgspec.structs.replace(
            knob,
            choices={
                value: msgspec.structs.replace(choice, needs=served(choice.needs))
                for value, choice in knob.choices.items()
            },
            used_by=served(knob.used_by),
        )
        for name, knob in found.items()
    }


def _standing_in(knob: Knob, values: tuple[str, ...]) -> Iterator[str]:
    for name, choice in knob.choices.items():
        if isinstance(choice, Variant) and choice.like in values:
            yield name
