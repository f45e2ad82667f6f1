"""Fidelity: modelled figures against published silicon, and the error class that each core and
each memory earns by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, partial
from statistics import median
from typing import Literal

import msgspec

from ecfit.arguments.common import Common, verdict
from ecfit.arguments.figures import chosen, row, users_figures, without_figures
from ecfit.choices.kernels import ASM_SHARE, Kept, current, kept
from ecfit.choices.published import Document, Figure
from ecfit.choices.targets import ERRORS, Accuracy, ErrorClass, Target, cores, find_target
from ecfit.extensions import extension
from ecfit.measure.bench import Bench, Row
from ecfit.model import Record
from ecfit.paths import DATA
from ecfit.show.layout import Cells, Column
from ecfit.show.notes import NOT_COUNTED
from ecfit.show.progress import Progress
from ecfit.sim.model import load_model
from ecfit.units import grouped

CLASS_A, CLASS_B = ERRORS["A"], ERRORS["B"]  # largest deviation from silicon that earns the class
OUTSIDE = DATA / "published" / "outside.json"  # rows of libraries that no package carries
NOT_RUN = "not run"
RANKS = {  # what a narrow table leaves out, the highest first
    "status": 9,
    ">asm": 8,
    ">bound": 7,
    "configuration": 6,
    ">modelled": 5,
    "curve": 4,
    "library": 3,
    "unit": 2,
    ">published": 1,
}


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """One published figure beside the modelled one, both in `unit`; ratio is modelled / published.

    `assembly_share`: the part of the modelled cycles spent in functions written in assembly
    (peer.toml names them); `code` follows from it: asm from one half on, else c.
    `memory`: which memory of the chip the row shows, as the core may wait for it; None: the core
    alone. `earned_class`: what the rows that were run say of that memory or core, None where none
    was. `fitted`: what was deduced from this figure or chosen by it, so that the row earns no
    class. `reason`: why a row was not run. Where it is not known how the flash of a target
    answers, `modelled_bound` and `ratio_bound` are of the mode that bounds it from above.
    """

    target: str
    core: str
    memory: str | None = None
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
    earned_class: ErrorClass | None = None

    @property
    def shows(self) -> str:
        """What a cell says of that: the core or a memory, and the compiler if it is not asm."""
        if self.fitted:
            return "chose a rule"
        return (self.memory or "core") + ", compiler" * (self.code == "c")


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
    own = users_figures(common.values["published"], bench.peers)
    figures = chosen(
        common.values["targets"],
        common.values["libraries"],
        own,
        [] if own else [row.library for row in kept_rows()],
    )
    runs: dict[int, Run] = {}
    with Progress(
        sum(not figure.not_run for figure in figures), quiet=common.values["quiet"]
    ) as progress:
        for index, run in measure(figures, bench):
            runs[index] = run
            progress.done(run.record)
    rows = [compare(figure, runs.get(index)) for index, figure in enumerate(figures)]
    if not own and not bench.settings.model_rows:
        rows += asked_of(kept_rows(), common.values["targets"], common.values["libraries"])
    rows = with_classes(rows)
    libraries = ", ".join(common.values["libraries"])
    of = f" of {libraries}" if libraries else ""
    none = [
        f"{name}: no figure{of} is published, so it earns no class"
        for name in without_figures(common.values["targets"], figures)
        if name not in {row.target for row in rows}
    ]
    shown, lines = rows, none + summary(rows)
    if common.format == "table":
        shown = [row for row in rows if row.status != NOT_RUN] or rows
        lines = none + (brief(rows, len(rows) - len(shown)) if rows else [])
    common.print(shown, *table(shown), lines, every_row=True, under=shown_table(rows))
    return verdict([run.record for run in runs.values()])


@cache
def kept_rows() -> tuple[Comparison, ...]:
    """The rows of code that no package carries, as they were kept: of kernels, and of libraries."""
    libraries = msgspec.json.decode(OUTSIDE.read_bytes(), type=tuple[Comparison, ...])
    return (*libraries, *map(of_kernel, kept()))


def of_kernel(row: Kept) -> Comparison:
    """A kept row of a kernel."""
    target, ok, modelled = find_target(row.target), current(row), row.modelled + row.overhead
    mode, banks = target.mode(row.mode), {m.name: m.latency for m in target.memory}
    flash = target.region("flash").name
    memory = row.stack if banks[row.stack] else None
    if mode is not None and mode.wait_states:
        memory = "flash"
    elif row.data == flash:
        memory = "flash without waits"
    return Comparison(
        target=row.target,
        core=target.model or "",
        memory=memory,
        library=row.repository,
        curve="",
        op=row.kernel,
        configuration="",
        unit="cycles",
        published=row.published,
        modelled=modelled if ok else None,
        ratio=round(row.ratio, 4) if ok else None,
        assembly_share=row.assembly,
        code="asm" if row.assembly >= ASM_SHARE else "c",
        status="ok" if ok else NOT_RUN,
        reason=None if ok else "kept with another cycle model: make long WHAT=kernels",
        mode=row.mode,
        conditions=row.conditions,
        source=f"{row.repository}, {row.source}",
        published_version=row.commit,
        modelled_version=row.commit,
        published_compiler=row.compiler
        or ("none, all code is assembly" if row.assembly == 1 else "not given"),
        modelled_compiler=row.script if row.compiler else None,
        fitted=row.chose or None,
    )


def asked_of(
    rows: Sequence[Comparison], targets: Sequence[str], libraries: Sequence[str]
) -> list[Comparison]:
    """Those of these targets and libraries; none named, or `all`, means every one."""
    on = {find_target(name).name for name in targets if name.lower() != "all"}
    of = {name.lower() for name in libraries if name.lower() != "all"}
    return [
        row
        for row in rows
        if (not on or row.target in on) and (not of or row.library.lower() in of)
    ]


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
    target, fitted = find_target(series.target), [series.chose] * bool(series.chose)
    mode = target.mode(series.mode)
    fitted += fitted_by(target, series.mode, document)
    base = Comparison(
        target=series.target,
        core=target.model or "",
        memory="flash" if mode is None or mode.flash else None,
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
        fitted=", ".join(fitted) or None,
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


def _shown(row: Comparison) -> tuple[str, ...]:
    """What a row shows: a core, or a memory of a chip."""
    return (row.target, row.memory) if row.memory else (row.core,)


def with_classes(rows: Sequence[Comparison]) -> list[Comparison]:
    """Each row with the class that earns what it shows."""
    accuracies = {shown: earned(some) for shown, some in by_shown(rows).items()}
    return [
        msgspec.structs.replace(r, earned_class=of.error_class if of else None)
        for r in rows
        for of in [accuracies[_shown(r)]]
    ]


def by_shown(rows: Sequence[Comparison]) -> dict[tuple[str, ...], list[Comparison]]:
    """The rows of each core and each memory, the cores first."""
    groups: dict[tuple[str, ...], list[Comparison]] = {}
    for each in rows:
        groups.setdefault(_shown(each), []).append(each)
    return dict(sorted(groups.items(), key=lambda group: len(group[0])))


def earned(rows: Sequence[Comparison]) -> Accuracy | None:
    """Of the rows of a core or a memory: A when every row that was run is within 2 % of silicon, B
    within 10 %, else C; None when none was run, or when the cycle model was changed.

    Rows of hand-written assembly decide where there are some; compiled C differs by its compiler
    as well, so it earns B at most. Where the flash is unknown, both bounds must be as near. Rows
    that something was deduced from or chosen by earn nothing.
    """
    run = [r for r in rows if r.ratio is not None and r.model_rows is None]
    if run and all(r.fitted for r in run):
        return Accuracy()
    decisive = deciding(run)
    worst = max(
        (
            round(abs(ratio - 1), 4)
            for r in decisive
            for ratio in (r.ratio, r.ratio_bound)
            if ratio is not None
        ),
        default=None,
    )
    if worst is None:
        return None
    best: ErrorClass = "A" if decisive[0].code == "asm" else "B"
    error_class: ErrorClass = best if worst <= CLASS_A else "B" if worst <= CLASS_B else "C"
    return Accuracy(error_class, len(decisive), worst)


def deciding(rows: Sequence[Comparison]) -> Sequence[Comparison]:
    """Of those that were run, the rows that decide."""
    run = [r for r in rows if r.ratio is not None and not r.fitted]
    return [r for r in run if r.code == "asm"] or run


def summary(rows: Sequence[Comparison]) -> list[str]:
    """The lines under the table: deviations, classes, what was published and what modelled."""
    lines = []
    for code, name in (("asm", "hand-written assembly"), ("c", "compiled C")):
        modelled = [r for r in rows if r.code == code and r.ratio_bound is None and not r.fitted]
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
    for name, what in dict.fromkeys((r.target, r.fitted) for r in rows if r.fitted):
        some = sum((r.target, r.fitted) == (name, what) for r in rows)
        lines.append(f"{name}: what {some} of its rows decided earns them no class: {what}")
    for name, open_rows in _not_settled(rows).items():
        lines.append(f"{name}: {NOT_COUNTED.format(rows=', '.join(open_rows))}")
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


def shown_table(rows: Sequence[Comparison]) -> tuple[list[Column], Cells]:
    """Each core and each memory: the rows that decide its class, and how far they are off."""
    names = ("what", "class", ">rows", ">median off", ">worst off", ">chose a rule", "code")
    cells = []
    for shown, some in by_shown(rows).items():
        accuracy, decisive = earned(some), deciding(some)
        rtl = accuracy and shown[0] in cores() and cores()[shown[0]].error_class == "RTL"
        off = [abs((r.ratio or 1) - 1) for r in decisive]
        cells.append(
            [
                ", ".join(("core", *shown) if len(shown) == 1 else shown),
                "RTL" if rtl else accuracy.error_class if accuracy else "-",
                str(len(decisive)),
                f"{median(off):.1%}" if off else "-",
                f"{accuracy.worst:.1%}" if accuracy and off else "-",
                str(sum(bool(r.fitted) for r in some)),
                decisive[0].code or "-" if decisive else "-",
            ]
        )
    return [Column(name.lstrip(">"), name.startswith(">"), fold=True) for name in names], cells


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
    figures = "figure was" if not_run == 1 else "figures were"
    return [
        *first,
        *[f"{not_run} {figures} not run (--format csv has them, with reasons)"] * bool(not_run),
        *(line for line in lines if line not in first),
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
            text=name in ("configuration", "op", "shows"),
            rank=RANKS.get(name, 0),
        )
        for name in (*names, "shows", "status")
    ]
    cells = [
        [
            r.target,
            r.library.rpartition("/")[2],
            r.configuration or "-",
            r.curve or "-",
            r.op,
            "-" if r.assembly_share is None else f"{r.assembly_share:.0%}",
            _figure(r.published),
            "-" if r.modelled is None else _figure(r.modelled),
            r.unit,
            "-" if r.ratio is None else f"{r.ratio:.3f}",
            *(
                ["-" if r.ratio_bound is None else f"{r.ratio_bound:.3f}"]
                if ">bound" in names
                else []
            ),
            r.shows,
            r.status,
        ]
        for r in rows
    ]
    return columns, cells


def _figure(value: float) -> str:
    return grouped(round(value)) if value >= 1000 else f"{value:.4g}"
