"""The published figures that a comparison is asked for: those known, or those of a user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ecfit.build.toolchain import OPTS
from ecfit.choices.curves import find_curve
from ecfit.choices.peers import Peer
from ecfit.choices.published import CYCLES, SECONDS, Figure, all_figures, figures, read_document
from ecfit.choices.targets import find_target
from ecfit.errors import UsageError, unknown_name
from ecfit.measure.bench import Row


def users_figures(files: Sequence[str], peers: Mapping[str, Peer]) -> tuple[Figure, ...]:
    """The figures of these files, each checked. Errors: UsageError."""
    checked = []
    for name in files:
        for figure in figures([read_document(Path(name))]):
            try:
                _check(figure, peers)
            except UsageError as error:
                raise UsageError(f"{name}: {error}") from None
            checked.append(figure)
    return tuple(checked)


def _check(figure: Figure, peers: Mapping[str, Peer]) -> None:
    """Finds names that do not exist, and what cannot be compared. Errors: UsageError."""
    series = figure.series
    if series.unit not in (*SECONDS, *CYCLES):
        raise UsageError(f"a figure of silicon is in {', '.join((*SECONDS, *CYCLES))}")
    if not 0 < figure.value < float("inf"):
        raise UsageError(f"{figure.op} is {figure.value}: a figure is a positive number")
    if figure.not_run:
        return
    if series.library not in peers:
        raise unknown_name("library", series.library, peers)
    if series.opt not in OPTS:
        raise unknown_name("optimisation", series.opt, OPTS)
    target, curve = find_target(series.target), find_curve(series.curve)
    if target.runner != "sim":
        raise UsageError(f"{target.name} is not simulated")
    if figure.op not in peers[series.library].ops(curve.name, target.core):
        raise UsageError(f"{series.library} has no {figure.op} on {curve.name} for {target.core}")
    row(figure, peers)


def chosen(
    targets: Sequence[str],
    libraries: Sequence[str],
    own: Sequence[Figure] = (),
    more: Sequence[str] = (),
) -> list[Figure]:
    """The figures of these targets and libraries; none named, or `all`, means every one. A target
    may have none. `own`: those of the user, in place of those that are known; `more`: libraries
    that have no figure here, and may be named. Errors: UsageError.
    """
    asked = own or all_figures()
    measured = {f.series.target for f in asked}
    on: set[str] = set()
    for target in targets or ("all",):
        on |= measured if target.lower() == "all" else {find_target(target).name}
    of = _libraries(libraries, [*(f.series.library for f in asked), *more])
    return [
        figure for figure in asked if figure.series.target in on and figure.series.library in of
    ]


def without_figures(targets: Sequence[str], figures: Sequence[Figure]) -> list[str]:
    """Those of the targets that are named and of which no figure was chosen. Errors: UsageError."""
    measured = {figure.series.target for figure in figures}
    named = [find_target(name).name for name in targets if name.lower() != "all"]
    return [name for name in dict.fromkeys(named) if name not in measured]


def _libraries(names: Sequence[str], entries: Sequence[str]) -> set[str]:
    lower = {entry.lower(): entry for entry in entries}
    canonical: set[str] = set()
    for name in names or ("all",):
        if name.lower() not in ("all", *lower):
            raise unknown_name("library with published figures", name, set(entries))
        canonical.update(entries if name.lower() == "all" else [lower[name.lower()]])
    return canonical


def row(figure: Figure, peers: Mapping[str, Peer]) -> Row:
    """What to measure for a figure. Errors: UsageError."""
    series = figure.series
    target, curve, peer = (
        find_target(series.target),
        find_curve(series.curve),
        peers[series.library],
    )
    offered = peer.ops(curve.name, target.core)
    return Row(
        target=target,
        mode=target.mode(series.mode),
        mode_name=series.mode,
        configuration=peer.configure(series.options),
        curve=curve,
        op=figure.op,
        image_ops=tuple(op for op in curve.ops if op in offered),
        offered=figure.op in offered,
    )
