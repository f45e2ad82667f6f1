"""Fidelity: modelled figures against published silicon, and the error class
that each target earns by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Literal

import msgspec

from ecfit.arguments.common import Common, verdict
from ecfit.choices.curves import find_curve
from ecfit.choices.peers import Peer
from ecfit.choices.published import Figure, all_figures
from ecfit.choices.targets import find_target
from ecfit.errors import unknown_name
from ecfit.measure.bench import Bench, Row
from ecfit.model import Record
from ecfit.show.layout import Cells, Column
from ecfit.show.progress import Progress
from ecfit.units import grouped

CLASS_A, CLASS_B = 0.02, 0.10  # largest deviation from silicon that earns the class
ASM_SHARE = 0.5  # of the cycles in hand-written assembly makes a row one of assembly
NOT_RUN = "not run"


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """One published figure beside the modelled one, both in `unit`; ratio is modelled / published.

    `assembly_share`: the part of the modelled cycles spent in functions written in assembly
    (peer.toml names them); `code` follows from it: asm from one half on, else c.
    `earned_class`: what the rows that were run say of the target, None where none was.
    `reason`: why a row was not run.
    """

    target: str
    library: str
    curve: str
    op: str
    configuration: str
    unit: str
    published: float
    modelled: float | None = None
    ratio: float | None = None
    assembly_share: float | None = None
    code: Literal["asm", "c"] | None = None
    status: str = "ok"
    reason: str | None = None
    mode: str
    conditions: str
    source: str
    published_version: str
    modelled_version: str | None = None
    published_compiler: str
    modelled_compiler: str | None = None
    differs: str | None = None
    earned_class: Literal["A", "B", "C"] | None = None


class Run(msgspec.Struct, frozen=True):
    """A figure as modelled: its record, and the part of its cycles that is spent in assembly;
    None where none was.
    """

    record: Record
    assembly_share: float | None = None


def fidelity(common: Common) -> int:
    """The command: reproduces the figures asked for, prints them beside the published ones.
    Returns the exit code.
    """
    figures, bench = chosen(common.values["targets"], common.values["libraries"]), common.bench()
    runs: dict[int, Run] = {}
    with Progress(
        sum(not figure.not_run for figure in figures), quiet=common.values["quiet"]
    ) as progress:
        for index, run in measure(figures, bench):
            runs[index] = run
            progress.done(run.record)
    rows = with_classes([compare(figure, runs.get(index)) for index, figure in enumerate(figures)])
    common.print(rows, *table(rows), summary(rows))
    return verdict([run.record for run in runs.values()])


def chosen(targets: Sequence[str], libraries: Sequence[str]) -> list[Figure]:
    """The figures of these targets and libraries; none named, or `all`,
    means every one. Errors: UsageError.
    """
    figures = all_figures()
    on = _named(
        "target",
        [t if t.lower() == "all" else find_target(t).name for t in targets],
        [f.series.target for f in figures],
    )
    of = _named("library", libraries, [f.series.library for f in figures])
    return [
        figure for figure in figures if figure.series.target in on and figure.series.library in of
    ]


def _named(what: str, names: Sequence[str], known: Sequence[str]) -> set[str]:
    lower = {entry.lower(): entry for entry in known}
    found: set[str] = set()
    for name in names or ("all",):
        if name.lower() not in ("all", *lower):
            raise unknown_name(f"{what} with published figures", name, set(known))
        found.update(known if name.lower() == "all" else [lower[name.lower()]])
    return found


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


def measure(figures: Sequence[Figure], bench: Bench) -> Iterator[tuple[int, Run]]:
    """Index and run of each figure that can be run, as they are done;
    each with the optimisation of its document.

    Errors: UsageError, MissingToolError.
    """
    for opt in sorted({figure.series.opt for figure in figures}):
        mine = [
            i for i, figure in enumerate(figures) if figure.series.opt == opt and not figure.not_run
        ]
        rows = [row(figures[i], bench.peers) for i in mine]
        same = Bench(msgspec.structs.replace(bench.settings, opt=opt), bench.peers, bench.store)
        same.check(rows)
        for place, run in same.each(rows, partial(_run, same)):
            yield mine[place], run


def _run(bench: Bench, row: Row) -> Run:
    record, profile = bench.profile(row)
    patterns = bench.peers[row.configuration.library].assembly_of(row.configuration)
    return Run(record, assembly_share(profile, patterns) if profile else None)


def assembly_share(profile: Mapping[tuple[str, ...], int], patterns: Sequence[str]) -> float:
    """The part of a profile's cycles whose innermost function is one of the patterns."""
    inside = sum(
        cycles
        for stack, cycles in profile.items()
        if any(fnmatchcase(stack[-1], p) for p in patterns)
    )
    return inside / sum(profile.values())


def compare(figure: Figure, run: Run | None) -> Comparison:
    """A figure beside its run."""
    series, document = figure.series, figure.document
    base = Comparison(
        target=series.target,
        library=series.library,
        curve=series.curve,
        op=figure.op,
        configuration=series.configuration,
        unit=series.unit,
        published=figure.value,
        mode=series.mode,
        conditions="; ".join(part for part in (document.conditions, series.conditions) if part),
        source=f"{document.document} ({document.origin})",
        published_version=document.library_version,
        published_compiler=document.compiler,
        differs=figure.differs or None,
    )
    if run is None:
        return msgspec.structs.replace(base, status=NOT_RUN, reason=figure.not_run)
    record, share = run.record, run.assembly_share
    if record.cycles is None:
        return msgspec.structs.replace(base, status=record.status, reason=record.detail)
    clock = find_target(series.target).clock
    assert clock is not None
    assert share is not None
    modelled = figure.from_cycles(record.cycles, clock.hz)
    return msgspec.structs.replace(
        base,
        modelled=float(f"{modelled:.5g}"),
        ratio=round(modelled / figure.value, 4),
        assembly_share=round(share, 4),
        code="asm" if share >= ASM_SHARE else "c",
        modelled_version=record.library_version,
        modelled_compiler=f"{record.toolchain} -{record.opt}",
    )


def with_classes(rows: Sequence[Comparison]) -> list[Comparison]:
    """Each row with the class its target earns."""
    earned = {
        name: earned_class([r for r in rows if r.target == name])
        for name in {r.target for r in rows}
    }
    return [msgspec.structs.replace(r, earned_class=earned[r.target]) for r in rows]


def earned_class(rows: Sequence[Comparison]) -> Literal["A", "B", "C"] | None:
    """A when every row that was run is within 2 % of silicon, B within 10 %, else C;
    None when none was run.

    Rows of hand-written assembly decide where there are some;
    compiled C differs by its compiler as well.
    """
    run = [r for r in rows if r.ratio is not None]
    worst = max(
        (round(abs(r.ratio - 1), 4) for r in _decisive(run) if r.ratio is not None), default=None
    )
    if worst is None:
        return None
    return "A" if worst <= CLASS_A else "B" if worst <= CLASS_B else "C"


def _decisive(rows: Sequence[Comparison]) -> Sequence[Comparison]:
    return [r for r in rows if r.code == "asm"] or rows


def summary(rows: Sequence[Comparison]) -> list[str]:
    """The lines under the table: deviation of the assembly rows, classes, conditions, reasons."""
    lines = []
    for code, name in (("asm", "hand-written assembly"), ("c", "compiled C")):
        errors = sorted(abs(r.ratio - 1) for r in rows if r.code == code and r.ratio is not None)
        if errors:
            middle = (errors[(len(errors) - 1) // 2] + errors[len(errors) // 2]) / 2
            targets = len({r.target for r in rows if r.code == code and r.ratio is not None})
            lines.append(
                f"{name}: {len(errors)} figures on {targets} targets, "
                f"|ratio - 1| median {middle:.1%}, worst {errors[-1]:.1%}"
            )
    for name in dict.fromkeys(r.target for r in rows):
        earned = next(r.earned_class for r in rows if r.target == name)
        lines.append(f"{name}: {'no figure was run' if earned is None else f'class {earned}'}")
    for target, library, conditions in dict.fromkeys(
        (r.target, r.library, r.conditions) for r in rows
    ):
        lines.append(f"{library} on {target}: {conditions}")
    for library, published, modelled in dict.fromkeys(
        (
            r.library,
            f"{r.published_version}, {r.published_compiler}",
            f"{r.modelled_version}, {r.modelled_compiler}",
        )
        for r in rows
        if r.ratio is not None
    ):
        lines.append(f"{library}: published with {published}; modelled with {modelled}")
    for library, text in dict.fromkeys(
        (r.library, r.differs) for r in rows if r.differs and r.ratio is not None
    ):
        lines.append(f"{library}: {text}")
    for library, status, reason in dict.fromkeys(
        (r.library, r.status, r.reason) for r in rows if r.reason
    ):
        lines.append(f"{library}: {status}: {reason}")
    lines += [f"source: {source}" for source in dict.fromkeys(r.source for r in rows)]
    return lines


def table(rows: Sequence[Comparison]) -> tuple[list[Column], Cells]:
    """Columns and cells of the comparison."""
    names = (
        "target",
        "library",
        "configuration",
        "curve",
        "op",
        ">asm",
        "code",
        ">published",
        ">modelled",
        "unit",
        ">ratio",
    )
    columns = [
        Column(name.lstrip(">"), name.startswith(">")) for name in (*names, "status", "class")
    ]
    cells = [
        [
            r.target,
            r.library,
            r.configuration or "-",
            r.curve,
            r.op,
            "-" if r.assembly_share is None else f"{r.assembly_share:.0%}",
            r.code or "-",
            _figure(r.published),
            "-" if r.modelled is None else _figure(r.modelled),
            r.unit,
            "-" if r.ratio is None else f"{r.ratio:.3f}",
            r.status,
            r.earned_class or "-",
        ]
        for r in rows
    ]
    return columns, cells


def _figure(value: float) -> str:
    return grouped(round(value)) if value >= 1000 else f"{value:.4g}"
