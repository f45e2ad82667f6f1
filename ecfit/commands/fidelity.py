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
from ecfit.arguments.figures import chosen, row, users_figures, without_figures
from ecfit.choices.published import Document, Figure
from ecfit.choices.targets import ERRORS, Target, find_target
from ecfit.extensions import extension
from ecfit.measure.bench import Bench, Row
from ecfit.model import Record
from ecfit.show.layout import Cells, Column
from ecfit.show.notes import NOT_COUNTED
from ecfit.show.progress import Progress
from ecfit.sim.model import load_model
from ecfit.units import grouped

CLASS_A, CLASS_B = ERRORS["A"], ERRORS["B"]  # largest deviation from silicon that earns the class
ASM_SHARE = 0.5  # of the cycles in hand-written assembly makes a row one of assembly
NOT_RUN = "not run"
RANKS = {  # what a narrow table leaves out, the highest first
    "status": 6,
    "class": 6,
    "code": 5,
    ">asm": 4,
    ">bound": 3,
    "configuration": 2,
    ">modelled": 1,
}


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """One published figure beside the modelled one, both in `unit`; ratio is modelled / published.

    `assembly_share`: the part of the modelled cycles spent in functions written in assembly
    (peer.toml names them); `code` follows from it: asm from one half on, else c.
    `earned_class`: what the rows that were run say of the target, None where none was.
    `fitted`: numbers of the mode that were deduced from the document's figures, so that the row
    earns no class. `reason`: why a row was not run. Where it is not known how the flash of a target
    answers, `modelled_bound` and `ratio_bound` are of the mode that bounds it from above.
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
    modelled_bound: float | None = None
    ratio_bound: float | None = None
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
    model_rows: str | None = None
    fitted: str | None = None
    earned_class: Literal["A", "B", "C"] | None = None


class Run(msgspec.Struct, frozen=True):
    """A figure as modelled: its record, its cycles by call stack, and the patterns of functions in
    assembly.
    """

    record: Record
    profile: Mapping[tuple[str, ...], int] = {}
    assembly: Sequence[str] = ()
    bound: Record | None = None  # the same in the mode that bounds the flash from above


def fidelity(common: Common) -> int:
    """The command: reproduces the figures asked for, prints them beside the published ones.
    Returns the exit code.
    """
    if common.values["boards"]:
        code: int = extension("boards").again(common)
        return code
    bench = common.bench()
    figures = chosen(
        common.values["targets"],
        common.values["libraries"],
        users_figures(common.values["published"], bench.peers),
    )
    runs: dict[int, Run] = {}
    with Progress(
        sum(not figure.not_run for figure in figures), quiet=common.values["quiet"]
    ) as progress:
        for index, run in measure(figures, bench):
            runs[index] = run
            progress.done(run.record)
    rows = with_classes([compare(figure, runs.get(index)) for index, figure in enumerate(figures)])
    libraries = ", ".join(common.values["libraries"])
    of = f" of {libraries}" if libraries else ""
    none = [
        f"{name}: no figure{of} is published, so it earns no class"
        for name in without_figures(common.values["targets"], figures)
    ]
    if common.format == "table":
        shown = [row for row in rows if row.status != NOT_RUN] or rows
        lines = none + (brief(rows, len(rows) - len(shown)) if rows else [])
        common.print(shown, *table(shown), lines, every_row=True)
    else:
        common.print(rows, *table(rows), none + summary(rows))
    return verdict([run.record for run in runs.values()])


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
    if row.mode is None or row.mode.bound is None:
        return Run(record, profile, patterns)
    bound = msgspec.structs.replace(
        row, mode=row.target.mode(row.mode.bound), mode_name=row.mode.bound
    )
    return Run(record, profile, patterns, bench.measure(bound))


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
        fitted=", ".join(fitted_by(find_target(series.target), series.mode, document)) or None,
    )
    if run is None:
        return msgspec.structs.replace(base, status=NOT_RUN, reason=figure.not_run)
    record, timed = run.record, series.functions.get(figure.op)
    if record.cycles is None:
        return msgspec.structs.replace(base, status=record.status, reason=record.detail)
    clock = find_target(series.target).clock
    assert clock is not None
    profile = {stack: n for stack, n in run.profile.items() if timed is None or timed in stack}
    if not profile:
        return msgspec.structs.replace(base, status=NOT_RUN, reason=f"nothing calls {timed}")
    share, part = assembly_share(profile, run.assembly), sum(profile.values()) / record.cycles
    modelled = figure.from_cycles(record.cycles, clock.hz) * part
    bound = None
    if run.bound is not None and run.bound.cycles is not None:
        bound = figure.from_cycles(run.bound.cycles, clock.hz) * part
    return msgspec.structs.replace(
        base,
        modelled=float(f"{modelled:.5g}"),
        ratio=round(modelled / figure.value, 4),
        modelled_bound=None if bound is None else float(f"{bound:.5g}"),
        ratio_bound=None if bound is None else round(bound / figure.value, 4),
        model_rows=record.model_rows,
        assembly_share=round(share, 4),
        code="asm" if share >= ASM_SHARE else "c",
        modelled_version=record.library_version,
        modelled_compiler=f"{record.toolchain} -{record.opt}",
    )


def fitted_by(target: Target, mode_name: str, document: Document) -> list[str]:
    """The numbers of a mode that were deduced from the figures of a document."""
    mode = target.modes.get(mode_name)
    return [name for name, of in mode.fitted.items() if of == document.name] if mode else []


def with_classes(rows: Sequence[Comparison]) -> list[Comparison]:
    """Each row with the class its target earns."""
    earned = {
        name: earned_class([r for r in rows if r.target == name])
        for name in {r.target for r in rows}
    }
    return [msgspec.structs.replace(r, earned_class=earned[r.target]) for r in rows]


def earned_class(rows: Sequence[Comparison]) -> Literal["A", "B", "C"] | None:
    """A when every row that was run is within 2 % of silicon, B within 10 %, else C; None when none
    was run, or when the cycle model was changed.

    Rows of hand-written assembly decide where there are some; compiled C differs by its compiler
    as well. Where the flash is unknown, both bounds must be as near. Rows that a number of the
    model was deduced from earn nothing.
    """
    run = [r for r in rows if r.ratio is not None and r.model_rows is None]
    if run and all(r.fitted for r in run):
        return "C"
    run = [r for r in run if not r.fitted]
    worst = max(
        (
            round(abs(ratio - 1), 4)
            for r in _decisive(run)
            for ratio in (r.ratio, r.ratio_bound)
            if ratio is not None
        ),
        default=None,
    )
    if worst is None:
        return None
    return "A" if worst <= CLASS_A else "B" if worst <= CLASS_B else "C"


def _decisive(rows: Sequence[Comparison]) -> Sequence[Comparison]:
    return [r for r in rows if r.code == "asm"] or rows


def summary(rows: Sequence[Comparison]) -> list[str]:
    """The lines under the table: deviations, classes, what was published and what modelled."""
    lines = []
    for code, name in (("asm", "hand-written assembly"), ("c", "compiled C")):
        modelled = [r for r in rows if r.code == code and r.ratio_bound is None]
        errors = sorted(abs(r.ratio - 1) for r in modelled if r.ratio is not None)
        if errors:
            middle = (errors[(len(errors) - 1) // 2] + errors[len(errors) // 2]) / 2
            targets = len({r.target for r in modelled if r.ratio is not None})
            lines.append(
                f"{name}: {len(errors)} figures on {targets} targets, "
                f"|ratio - 1| median {middle:.1%}, worst {errors[-1]:.1%}"
            )
    for name in dict.fromkeys(r.target for r in rows if r.ratio_bound is not None):
        least = next(r.mode for r in rows if r.target == name)
        mode = find_target(name).mode(least)
        assert mode is not None
        lines.append(
            f"{name}: no document gives the wait states of its flash, so each figure is modelled "
            f"twice. `modelled` and `ratio` are those of mode {least}, a lower bound. `bound` is "
            f"the ratio with mode {mode.bound}, an upper bound. The medians leave these rows out"
        )
    if changed := next((r.model_rows for r in rows if r.model_rows), None):
        lines.append(f"what if: the cycle model is changed, {changed}: no class is earned")
    for name, numbers in dict.fromkeys((r.target, r.fitted) for r in rows if r.fitted):
        lines.append(f"{name}: {numbers} was deduced from its rows here: they earn no class")
    for name, open_rows in _not_settled(rows).items():
        lines.append(f"{name}: {NOT_COUNTED.format(rows=', '.join(open_rows))}")
    for name in dict.fromkeys(r.target for r in rows):
        earned = next(r.earned_class for r in rows if r.target == name)
        lines.append(f"{name}: {'no figure was run' if earned is None else f'class {earned}'}")
    for text in dict.fromkeys(
        f"{r.library} on {r.target}, published: {r.conditions.rstrip('.')}. "
        f"Version: {r.published_version}. Compiler: {r.published_compiler}"
        for r in rows
    ):
        lines.append(text)
    for library, version, compiler in dict.fromkeys(
        (r.library, r.modelled_version, r.modelled_compiler) for r in rows if r.ratio is not None
    ):
        lines.append(f"{library}, modelled: version: {version}. Compiler: {compiler}")
    lines += _differences(rows)
    for library, status, reason in dict.fromkeys(
        (r.library, r.status, r.reason) for r in rows if r.reason
    ):
        lines.append(f"{library}: {status}: {reason}")
    lines += [f"source: {source}" for source in dict.fromkeys(r.source for r in rows)]
    return lines


def _differences(rows: Sequence[Comparison]) -> Iterator[str]:
    """How the modelled code differs from the published one, with the targets and, where those of a
    library differ in other things, the configurations.
    """
    by_text: dict[tuple[str, str], list[Comparison]] = {}
    for r in rows:
        if r.differs and r.ratio is not None:
            by_text.setdefault((r.library, r.differs), []).append(r)
    for (library, text), rows_of in by_text.items():
        others = sum(name == library for name, _ in by_text) > 1
        names = [library, *dict.fromkeys(r.configuration for r in rows_of if others)]
        targets = ", ".join(dict.fromkeys(r.target for r in rows_of))
        yield f"{' '.join(names)} on {targets}, what differs: {text}"


def brief(rows: Sequence[Comparison], not_run: int) -> list[str]:
    """A short summary for a screen: first the deviations, then a line for each class."""
    lines = summary(rows)
    first = [line for line in lines if line.startswith(("hand-written", "compiled C", "what if"))]
    earned = {r.target: r.earned_class for r in rows}
    classes = {name: [n for n, c in earned.items() if c == name] for name in ("A", "B", "C", None)}
    texts = [
        f"{f'class {name}' if name else 'no figure was run'}: {', '.join(names)}"
        for name, names in classes.items()
        if names
    ]
    one_each = {
        f"{n}: {'no figure was run' if c is None else f'class {c}'}" for n, c in earned.items()
    }
    figures = "figure was" if not_run == 1 else "figures were"
    return [
        *first,
        "; ".join(texts),
        *[f"{not_run} {figures} not run (--format csv has them, with reasons)"] * bool(not_run),
        *(line for line in lines if line not in first and line not in one_each),
    ]


def _not_settled(rows: Sequence[Comparison]) -> dict[str, list[str]]:
    """By cycle model: the effects that it leaves off because nobody has measured them well."""
    models = {find_target(r.target).model for r in rows if r.ratio is not None}
    rows_of = {name: load_model(name).not_settled() for name in sorted(filter(None, models))}
    return {name: open_rows for name, open_rows in rows_of.items() if open_rows}


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
        *([">bound"] if any(r.ratio_bound is not None for r in rows) else []),
    )
    columns = [
        Column(
            name.lstrip(">"),
            name.startswith(">"),
            text=name == "configuration",
            rank=RANKS.get(name, 0),
        )
        for name in (*names, "status", "class")
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
            *(
                ["-" if r.ratio_bound is None else f"{r.ratio_bound:.3f}"]
                if ">bound" in names
                else []
            ),
            r.status,
            r.earned_class or "-",
        ]
        for r in rows
    ]
    return columns, cells


def _figure(value: float) -> str:
    return grouped(round(value)) if value >= 1000 else f"{value:.4g}"
