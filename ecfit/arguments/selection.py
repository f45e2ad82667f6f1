"""From names on a command line to the rows to measure:
every name checked before anything is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import TypeVar

import msgspec

from ecfit.build.parts import EXTRAS, OWN, built
from ecfit.choices import knobs
from ecfit.choices.curves import (
    ALL_OPS,
    CURVES,
    MEASURED,
    OPS,
    POST_QUANTUM,
    Curve,
    find_curve,
)
from ecfit.choices.peers import Peer
from ecfit.choices.presets import DEFAULT_PRESET, all_presets, find_preset
from ecfit.choices.targets import Target, all_targets, find_target, with_stack
from ecfit.errors import UsageError, unknown_name
from ecfit.measure.bench import Row
from ecfit.model import Configuration, Place

T = TypeVar("T")
ALL = "all"
MOST_CYCLES = 255  # that a row of a cycle model can have


class Selection(msgspec.Struct, frozen=True):
    """What the user asked for, names checked and in his order."""

    targets: tuple[Target, ...]
    libraries: tuple[str, ...]
    curves: tuple[tuple[Curve, ...], ...]  # one tuple for each image
    ops: tuple[str, ...]
    presets: tuple[str, ...]
    sets: dict[str, str]
    mode: str
    peers: Mapping[str, Peer]
    every_op: bool
    place: Place = "flash"
    extras: tuple[str, ...] = ()  # knobs of functions that no operation needs, asked for by --set
    compilers: tuple[tuple[str, str], ...] = (("gcc", "Os"),)  # each with its optimisation


def find_op(name: str) -> str:
    """The canonical name of an operation. Errors: UsageError."""
    if name.lower() not in ALL_OPS:
        raise unknown_name("operation", name, ALL_OPS)
    return name.lower()


def find_library(name: str, peers: Mapping[str, Peer]) -> str:
    """The canonical name of a library. Errors: UsageError."""
    libraries = {library.lower(): library for library in (OWN, *peers)}
    if name.lower() not in libraries:
        raise unknown_name("library", name, libraries.values())
    return libraries[name.lower()]


def find_curves(name: str, *, together: bool) -> tuple[Curve, ...]:
    """The curve of that name, or those of NAME+NAME,
    which stand in one image. Errors: UsageError.
    """
    curves = tuple(find_curve(part, MEASURED) for part in name.split("+"))
    if len(curves) > 1 and not together:
        raise UsageError(
            f"several curves in one image, {name}: only 'ecfit size' takes them, one runs at a time"
        )
    if len(set(curves)) < len(curves):
        raise UsageError(f"{name} names a curve twice")
    return curves


def _each(
    names: Iterable[str], every: Callable[[], Iterable[T]], find: Callable[[str], T]
) -> tuple[T, ...]:
    """What the names stand for, `all` for everything, each once."""
    items: list[T] = []
    for name in names:
        for item in every() if name.lower() == ALL else [find(name)]:
            if item not in items:
                items.append(item)
    return tuple(items)


def pairs(texts: Iterable[str], what: str, form: str = "NAME=VALUE") -> dict[str, str]:
    """Texts of that form as a mapping, the last of equal names counts. Errors: UsageError."""
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f"{what} takes {form}, not '{text}'")
        values[name.strip()] = value.strip()
    return values


def model_rows(texts: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Rows of a cycle model and their cycles, from ROW=CYCLES. Errors: UsageError."""
    changes = []
    for row, value in pairs(texts, "--model", "ROW=CYCLES").items():
        if not value.isascii() or not value.isdigit() or int(value) > MOST_CYCLES:
            raise UsageError(
                f"--model {row}: cycles are a number from 0 to {MOST_CYCLES}, not '{value}'"
            )
        changes.append((row.lower(), int(value)))
    return tuple(sorted(changes))


def select(
    *,
    targets: Sequence[str],
    libraries: Sequence[str],
    curves: Sequence[str],
    ops: Sequence[str],
    presets: Sequence[str],
    sets: Sequence[str],
    mode: str,
    peers: Mapping[str, Peer],
    toolchains: Sequence[str] = ("gcc",),
    opts: Sequence[str] = ("Os",),
    together: bool = False,
) -> Selection:
    """Checks all names and settings; `together`: curves may be put
    in one image. Errors: UsageError.
    """
    each_alone: list[tuple[Curve, ...]] = [(curve,) for curve in CURVES.values()]
    images = _each(curves, lambda: each_alone, lambda name: find_curves(name, together=together))
    chosen = _each(
        libraries, lambda: _libraries(images, peers), lambda name: find_library(name, peers)
    )
    settings = _canonical(pairs(sets, "--set"))
    place, stack = _take_place(settings), _taken(settings, "STACK")
    if presets and OWN not in chosen:
        raise UsageError(f"--preset is of {OWN}, which is not among the libraries asked for")
    for name in settings:
        owner = _owner(name, peers)
        if owner not in chosen:
            raise UsageError(
                f"--set {name} is of {owner}, which is not among the libraries asked for"
            )
    every_op = dict.fromkeys(
        (*OPS, *(op for image in images for curve in image for op in curve.ops))
    )
    _check_curves(settings, {curve.name for image in images for curve in image})
    return Selection(
        targets=tuple(
            with_stack(target, stack) if stack else target
            for target in _each(targets, lambda: all_targets().values(), find_target)
        ),
        libraries=chosen,
        curves=images,
        ops=tuple(op for op in ALL_OPS if op in _each(ops, lambda: every_op, find_op)),
        presets=_each(presets, all_presets, find_preset),
        sets=settings,
        mode=mode,
        peers=peers,
        every_op=any(op.lower() == ALL for op in ops),
        place=place,
        extras=_extras(settings),
        compilers=tuple(
            (name.lower(), opt.removeprefix("-").capitalize())
            for name in toolchains
            for opt in opts
        ),
    )


def _libraries(images: Iterable[tuple[Curve, ...]], peers: Mapping[str, Peer]) -> tuple[str, ...]:
    """What `--lib all` stands for: libraries of curves where a curve is asked for, of KEMs where
    a KEM is, of signatures where a post-quantum one is.
    """
    kinds = {_kind(curve) for image in images for curve in image}
    asked = (
        name
        for name, peer in peers.items()
        if not peer.on_request and kinds & {_kind(MEASURED[curve]) for curve in peer.curves}
    )
    return (*((OWN,) if None in kinds else ()), *asked)


def _kind(curve: Curve) -> str | None:
    """Which kind of post-quantum scheme it is; None for a curve."""
    return curve.form if curve.name in POST_QUANTUM else None


def _check_curves(settings: Mapping[str, str], curves: Set[str]) -> None:
    """Refuses a setting of a curve that is not measured. Errors: UsageError."""
    for name in settings:
        curve = _curve_of(name)
        if curve and curve not in curves:
            raise UsageError(
                f"--set {name} has no effect: {curve} is not among the curves asked for"
            )


def _curve_of(setting: str) -> str | None:
    """The canonical name of the curve that a --set name begins with, by any of its names."""
    prefix = setting.rpartition(".")[0]
    try:
        return find_curve(prefix).name if prefix else None
    except UsageError:
        return None


def _canonical(settings: Mapping[str, str]) -> dict[str, str]:
    """The settings with the curves in their names as this library calls them."""
    canonical = {}
    for name, value in settings.items():
        curve = _curve_of(name)
        canonical[f"{curve}.{name.rpartition('.')[2]}" if curve else name] = value
    return canonical


def _extras(settings: Mapping[str, str]) -> tuple[str, ...]:
    """The knobs of functions that no operation needs, where set: images then have these."""
    named = {name.rpartition(".")[2].upper() for name in settings}
    return tuple(extra for extra in knobs.EXTRAS if extra in named and extra in EXTRAS)


def _take_place(settings: dict[str, str]) -> Place:
    """Takes PLACE out of the settings: where code runs, which is the image's,
    not a library's. Errors: UsageError.
    """
    value = _taken(settings, "PLACE") or "flash"
    if value == "flash":
        return "flash"
    if value == "ram":
        return "ram"
    raise UsageError(f"PLACE is flash or ram, not '{value}'")


def _taken(settings: dict[str, str], wanted: str) -> str | None:
    """Takes a setting of the image out of those of the library, in lower case."""
    name = next((name for name in settings if name.upper() == wanted), None)
    return settings.pop(name).lower() if name else None


def _owner(setting: str, peers: Mapping[str, Peer]) -> str:
    """Which library a --set name belongs to: PEER.OPTION, CURVE.KNOB or KNOB. Where a library is
    called as a curve is, our knobs that it has no option for are ours. Errors: UsageError.
    """
    prefix, dot, what = setting.rpartition(".")
    if not dot:
        return OWN
    is_knob = _curve_of(setting) is not None and what.upper() in knobs.all_knobs()
    for name in peers:
        if name.lower() == prefix.lower():
            options = {option.upper() for option in peers[name].options}
            if not is_knob or what.upper() in options:
                return name
    if _curve_of(setting):
        return OWN
    raise unknown_name("library or curve in --set", prefix, (*peers, *CURVES))


def _configurations(
    selection: Selection, library: str, target: Target, curve: Curve, *, several: bool = False
) -> list[Configuration]:
    """The configurations of a library: one per preset for ours,
    one for a peer. Errors: UsageError.
    """
    if library == OWN:
        sets = {
            name: value
            for name, value in selection.sets.items()
            if _owner(name, selection.peers) == OWN
        }
        presets = selection.presets or (DEFAULT_PRESET,)
        if not _offered(
            selection, library, curve, target
        ):  # among "all": it has rows, and no settings
            return [Configuration(OWN, preset, ()) for preset in presets]
        configurations = [
            knobs.resolve(curve, preset, sets, target.backend, several=several, ops=selection.ops)
            for preset in presets
        ]
        for configuration in configurations:
            _check_unit(configuration, target)
        return configurations
    mine = {
        name.rpartition(".")[2]: value
        for name, value in selection.sets.items()
        if _owner(name, selection.peers) == library
    }
    return [selection.peers[library].configure(mine, target.core)]


def _check_unit(configuration: Configuration, target: Target) -> None:
    """Refuses values that need a floating-point unit the target lacks. Errors: UsageError."""
    for name, value in configuration.settings:
        choice = knobs.all_knobs()[name].choices.get(value)
        if choice and choice.fpu and not target.fpu:
            raise UsageError(
                f"{name}={value} needs a floating-point unit, and {target.name} has none"
            )


def _offered(selection: Selection, library: str, curve: Curve, target: Target) -> tuple[str, ...]:
    if library == OWN:
        return curve.every_op if curve.name in {slot.name for slot in knobs.curve_slots()} else ()
    return selection.peers[library].ops(curve.name, target.core)


def _variants(
    selection: Selection, library: str, target: Target, curves: tuple[Curve, ...]
) -> list[tuple[Configuration, tuple[tuple[Curve, Configuration], ...]]]:
    """The configurations of the first curve, each with those of the curves
    that stand beside it. Errors: UsageError.
    """
    several = sum(curve.form == "weierstrass" for curve in curves) > 1  # which can share code
    columns = [
        _configurations(selection, library, target, curve, several=several) for curve in curves
    ]
    return [
        (first, tuple(zip(curves[1:], rest, strict=True)))
        for first, *rest in zip(*columns, strict=True)
    ]


def _offered_together(
    selection: Selection, library: str, curves: tuple[Curve, ...], target: Target
) -> tuple[str, ...]:
    """The operations that a library has on any of the curves;
    several in one image are ours only.
    """
    if len(curves) == 1:
        return _offered(selection, library, curves[0], target)
    each = [_offered(selection, library, curve, target) for curve in curves]
    return (
        tuple(op for op in ALL_OPS if any(op in ops for ops in each))
        if library == OWN and all(each)
        else ()
    )


def _built(ops: tuple[str, ...], image: Sequence[tuple[Curve, Configuration]]) -> tuple[str, ...]:
    """The operations that not all curves of an image leave out (SIGN=none)."""
    if image[0][1].library != OWN or not ops:
        return ops
    there = {op for curve, configuration in image for op in built(curve, configuration, ops)}
    return tuple(op for op in ops if op in there)


def rows(selection: Selection) -> list[Row]:
    """One row per target, library, configuration, curve and operation; of all operations,
    those that the curve has.

    Errors: UsageError.
    """
    planned = []
    for target in selection.targets:
        mode, mode_name = (
            target.mode(selection.mode),
            selection.mode if target.runner == "sim" else None,
        )
        for library in selection.libraries:
            for curve, *others in selection.curves:
                all_ops = _offered_together(selection, library, (curve, *others), target)
                for configuration, more in _variants(selection, library, target, (curve, *others)):
                    offered = _built(all_ops, ((curve, configuration), *more))
                    image_ops = tuple(op for op in selection.ops if op in offered)
                    planned += [
                        Row(
                            target=target,
                            mode=mode,
                            mode_name=mode_name,
                            configuration=configuration,
                            curve=curve,
                            op=op,
                            image_ops=image_ops or (op,),
                            offered=op in offered,
                            place="flash" if target.runner == "host" else selection.place,
                            more=more,
                            extras=selection.extras if library == OWN else (),
                            toolchain=compiler,
                            opt=opt,
                        )
                        for compiler, opt in selection.compilers
                        for op in selection.ops
                        if not selection.every_op
                        or any(op in member.every_op for member in (curve, *others))
                    ]
    return planned


def size_rows(selection: Selection) -> list[Row]:
    """Rows for sizes alone: each offered operation by itself,
    then all of them together. Errors: UsageError.
    """
    planned: list[Row] = []
    for measured in rows(selection):
        row = msgspec.structs.replace(measured, mode=None, mode_name=None)
        if row.offered:
            planned.append(msgspec.structs.replace(row, image_ops=(row.op,)))
            if row.op == row.image_ops[-1] and len(row.image_ops) > 1:
                planned.append(msgspec.structs.replace(row, op="+".join(row.image_ops)))
        else:
            planned.append(row)
    return planned
