"""Studies: a document's table, or a question about this library, as rows to measure
and a table made of their records.

A study is a module of `ecfit_studies.questions` with `STUDY`, `plan()` and `summarise()`;
all that they share is here.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from ecfit.build.parts import OWN
from ecfit.build.stackbound import bound
from ecfit.choices.curves import Curve
from ecfit.choices.peers import Peer
from ecfit.choices.targets import Target
from ecfit.errors import unknown_name
from ecfit.measure.bench import Bench, Row
from ecfit.model import Record
from ecfit.prose import wrapped
from ecfit.run.hostpairs import ROUNDS
from ecfit.show.layout import Cells, Column
from ecfit.show.notes import notes
from ecfit.show.report import to_md


class Ask(msgspec.Struct, frozen=True):
    """What a study is asked for."""

    targets: tuple[Target, ...]
    curves: tuple[Curve, ...]
    mode: str
    peers: Mapping[str, Peer]


class Job(msgspec.Struct, frozen=True):
    """A row to measure, and its place in the study.

    `group`: which row of the table it belongs to; `base`: the group that it is compared with;
    `published`: what a document says, under the names of the record's fields, with its `source`
    and how it `differs`. `ecdhe`: of ECDH; what is published of a key generation and this together,
    which makes a record of its own. `runs`: the median of so many inputs; `function`: the static
    stack is that of this function, and not of the adapter's that calls it.
    """

    row: Row
    group: str = ""
    base: str | None = None
    opt: str = "Os"
    published: dict[str, float] = {}
    source: str | None = None
    differs: str | None = None
    ecdhe: dict[str, float] | None = None
    runs: int | None = None
    function: str | None = None


class StudyRecord(Record, frozen=True, kw_only=True):
    """A record of a study: the fields of its job beside the counts. `ratio`: by field,
    measured / published.

    `extras`: what else than its operations is in the image, "+" between them; null: nothing.
    `host`: the machine of native code; `time_spread`: between the quartiles of its times,
    as a part of their median. `function`: as of the job. `constant_time`: what `ecfit ct` said of
    the operation on this core, "yes" or "no: " and what leaks; null: it was not checked.
    `commit`: of a kept record of our library, the last one that had changed it at that time.
    """

    study: str
    group: str = ""
    base: str | None = None
    published: dict[str, float] = msgspec.field(default_factory=dict)
    ratio: dict[str, float] = msgspec.field(default_factory=dict)
    source: str | None = None
    differs: str | None = None
    extras: str | None = None
    host: str | None = None
    function: str | None = None
    constant_time: str | None = None
    commit: str | None = None


class Section(msgspec.Struct, frozen=True):
    """A table with its heading, and what stands under it."""

    title: str
    columns: list[Column]
    cells: Cells
    lines: list[str] = []


class Point(msgspec.Struct, frozen=True):
    """A place in a chart: its label, the series that it is of, and whether it is to stand out."""

    x: float
    y: float
    label: str
    series: str
    marked: bool = True


class Chart(msgspec.Struct, frozen=True):
    """Points on two logarithmic axes; `line`: those of a series are joined, in their order.
    `ratio`: a line where `y` is so many times `x`.
    """

    name: str
    title: str
    x: str
    y: str
    points: tuple[Point, ...]
    line: bool = False
    ratio: float | None = None


def no_charts(records: Sequence[StudyRecord]) -> list[Chart]:
    """Of a study whose tables say all."""
    return []


class Study(msgspec.Struct, frozen=True):
    """A study: what it asks, its usual targets and curves, how to plan it, how to sum it up,
    and what to draw. `answer`: what its page says first.
    """

    name: str
    title: str
    about: str
    targets: tuple[str, ...]
    curves: tuple[str, ...]
    plan: Callable[[Ask], list[Job]]
    summarise: Callable[[Sequence[StudyRecord]], list[Section]]
    answer: Callable[[Sequence[StudyRecord]], str]
    charts: Callable[[Sequence[StudyRecord]], list[Chart]] = no_charts
    more_charts: Callable[[Sequence[StudyRecord]], list[Chart]] = no_charts  # of --plot alone
    outside: tuple[str, ...] = ()  # of its libraries those that come only when asked for


@cache
def all_studies() -> dict[str, Study]:
    """Every study by name: the modules of ecfit_studies.questions."""
    package = importlib.import_module("ecfit_studies.questions")
    modules = (
        importlib.import_module(f"ecfit_studies.questions.{found.name}")
        for found in pkgutil.iter_modules(package.__path__)
    )
    return {module.STUDY.name: module.STUDY for module in modules if hasattr(module, "STUDY")}


def find_study(name: str) -> Study:
    """The study of that name. Errors: UsageError."""
    if name.lower() not in all_studies():
        raise unknown_name("study", name, all_studies())
    return all_studies()[name.lower()]


def measure(study: Study, jobs: Sequence[Job], bench: Bench) -> Iterator[tuple[int, StudyRecord]]:
    """Index and record of each job, as they are done. Errors: UsageError, MissingToolError."""
    for opt, runs in dict.fromkeys((job.opt, job.runs) for job in jobs):
        mine = [index for index, job in enumerate(jobs) if (job.opt, job.runs) == (opt, runs)]
        settings = msgspec.structs.replace(
            bench.settings, opt=opt, runs=runs or bench.settings.runs
        )
        same = Bench(settings, bench.peers, bench.store, bench.remote)
        rows = [jobs[index].row for index in mine]
        same.check(rows)
        for place, record in same.each(rows, same.measure):
            job = jobs[mine[place]]
            yield mine[place], study_record(study.name, job, _with_stack(job, same, record))


def _with_stack(job: Job, bench: Bench, record: Record) -> Record:
    """The record with the static stack of the function that the job asks for."""
    if job.function is None or record.status != "ok":
        return record
    found = bound(bench.image(bench.request(job.row)).frames, job.function)
    return msgspec.structs.replace(
        record,
        static_stack_bytes=found.bytes if found else None,
        static_stack_open="; ".join(found.open) or None if found else None,
    )


STEADY = 0.05  # a row of this machine whose spread is not below it is not kept

SUMS = ("cycles", "instructions", "time_us", "energy_uj")
LARGEST = ("stack_bytes", "static_stack_bytes", "heap_bytes", "ram_bytes")


def steady(record: StudyRecord) -> bool:
    """Whether a row is of a simulated chip, or of this machine without much other work."""
    return record.time_spread is None or record.time_spread < STEADY


def with_ecdhe(jobs: Sequence[Job], records: Sequence[StudyRecord]) -> list[StudyRecord]:
    """The records, and behind an ECDH whose job asks for it the one of ECDHE:
    a key generation and a shared secret.
    """
    keygens = {(r.group, r.target, r.curve, r.config_key): r for r in records if r.op == "keygen"}
    made: list[StudyRecord] = []
    for job, record in zip(jobs, records, strict=True):
        made.append(record)
        keygen = keygens.get((record.group, record.target, record.curve, record.config_key))
        if job.ecdhe is not None and keygen is not None and "ok" == record.status == keygen.status:
            both = keygen, record
            fields: dict[str, Any] = {"op": "ecdhe", "trace_hash": None, "published": job.ecdhe}
            for some, join in ((SUMS, sum), (LARGEST, max)):
                for field in some:
                    values = [getattr(one, field) for one in both]
                    fields[field] = None if None in values else join(values)
            whole = msgspec.structs.replace(record, **fields)
            made.append(msgspec.structs.replace(whole, ratio=ratios(job.ecdhe, whole)))
    return made


def ratios(published: Mapping[str, float], record: Record) -> dict[str, float]:
    """Measured / published, for each published field that the record has."""
    pairs = [(field, getattr(record, field), value) for field, value in published.items()]
    return {
        field: round(mine / theirs, 4)
        for field, mine, theirs in pairs
        if mine is not None and theirs
    }


def study_record(name: str, job: Job, record: Record) -> StudyRecord:
    """The record of a job, with its place in the study."""
    return StudyRecord(
        **msgspec.structs.asdict(record),
        study=name,
        group=job.group,
        base=job.base,
        published=job.published,
        ratio=ratios(job.published, record),
        source=job.source,
        differs=job.differs,
        extras="+".join(job.row.extras) or None,
        function=job.function,
    )


def conditions(records: Sequence[StudyRecord], peers: Mapping[str, Peer]) -> list[str]:
    """The lines under a study: conditions, differences between libraries,
    then what differs from the documents.
    """
    lines = notes(
        records, peers, static_stack=any("static_stack_bytes" in r.published for r in records)
    )
    lines += [*_ratio(records), *_spreads(records), *_differing(records)]
    lines += dict.fromkeys(f"published: {r.source}" for r in records if r.source)
    for machine in dict.fromkeys(r.host for r in records if r.host):
        noisy = sum(r.host == machine and not steady(r) for r in records)
        above = f" In {noisy} rows it is {STEADY:.0%} or more, so do not use these" * bool(noisy)
        lines.append(
            f"host: the machine is {machine}. Each time is the median of {ROUNDS} rounds. In a "
            "round, all rows run in turn, one batch each. The spread is the distance between the "
            f"quartiles, in per cent of the median.{above + '.' * bool(above)} "
            "Compare only ratios, not speeds"
        )
    large = [record for record in records if too_large(record)]
    lines += [_none_fits(target, large) for target in dict.fromkeys(r.target for r in large)]
    return lines + _failed(records)


def _failed(records: Sequence[StudyRecord]) -> list[str]:
    """A line for each row without figures."""
    failed = dict.fromkeys(
        (r.library, r.curve, r.op, r.status, r.detail)
        for r in records
        if r.status != "ok" and not too_large(r)
    )
    return [
        f"{library}, {curve}, {op}: {status}: {detail}"
        for library, curve, op, status, detail in failed
    ]


def _ratio(records: Sequence[StudyRecord]) -> list[str]:
    return ["ratio: this is our figure over the published one"] * any(r.ratio for r in records)


def _spreads(records: Sequence[StudyRecord]) -> Iterator[str]:
    """Which rows are medians, and how far apart their inputs are."""
    spreads: dict[tuple[str, int], list[float]] = {}
    for r in records:
        if r.runs > 1 and r.cycles_min and r.cycles_max:
            part = r.cycles_max / r.cycles_min - 1
            spreads.setdefault((r.library, r.runs), []).append(part)
    for (library, runs), parts in spreads.items():
        yield (
            f"{library}: its times are the median of {runs} inputs. The slowest input of a row "
            f"takes {min(parts):.0%} to {max(parts):.0%} more than the fastest"
        )


def brief_conditions(records: Sequence[StudyRecord], peers: Mapping[str, Peer]) -> list[str]:
    """The same lines for a screen: a summary of the rows, then those without which figures are
    read wrongly.
    """
    left = ("curve: ", "ratio: ")
    lines = [line for line in conditions(records, peers) if not line.startswith(left)]
    first = ("what if: ", "class: ", "host: ")
    urgent = [line for line in lines if line.startswith(first) or line in _failed(records)]
    return [_counted(records), *urgent, *(line for line in lines if line not in urgent)]


def _counted(records: Sequence[StudyRecord]) -> str:
    """How many rows there are, and how near they are to what is published."""
    good = sum(r.status == "ok" for r in records)
    text = f"{len(records)} measurements"
    text += "" if good == len(records) else f", of which {len(records) - good} have no figures"
    times = [ratio for one in _once(records) if (ratio := one.ratio.get("time_us")) is not None]
    if times:
        near = sum(abs(ratio - 1) <= 0.1 for ratio in times)
        text += f"; {near} of {len(times)} published times come out within 10 %"
        text += " (ratio: ours / published)"
    return text


def _once(records: Sequence[StudyRecord]) -> list[StudyRecord]:
    """A record for each published time, which several rows may be compared with: the first one, or
    that in the mode which is the best estimate of the flash.
    """
    found: dict[tuple[Any, ...], StudyRecord] = {}
    for r in sorted(records, key=lambda r: r.mode != "fitted"):
        found.setdefault((r.target, r.library, r.curve, r.op, r.published.get("time_us")), r)
    return [*found.values()]


def too_large(record: Record) -> bool:
    """Returns whether an image is too large for the chip, or needs more RAM. It has no figure then,
    and nothing is wrong.
    """
    image = record.status == "build failed" and "too large" in (record.detail or "")
    return image or record.status in ("out of memory", "stack overflow into data")


def _none_fits(target: str, records: Sequence[StudyRecord]) -> str:
    """Which rows have no place on a chip, each library and curve once."""
    mine = [record for record in records if record.target == target]
    levels: dict[str, dict[str, None]] = {}
    for record in mine:
        levels.setdefault(f"{record.library} {record.curve}", {})[f"-{record.opt}"] = None
    names = [f"{name} ({', '.join(opts)})" for name, opts in levels.items()]
    return f"{target}: these are too large for this chip, so they have no row: {', '.join(names)}"


def _differing(records: Sequence[StudyRecord]) -> Iterator[str]:
    """How rows differ from the documents: each text once, with its group when it is of one only.
    A text that begins with another one says only the rest.
    """
    groups: dict[str, set[str]] = {}
    for record in records:
        if record.differs:
            groups.setdefault(record.differs, set()).add(record.group)
    for text, names in groups.items():
        said = text
        for one, of in groups.items():
            if text.startswith(f"{one}. "):
                said = f'what is said of "{min(of)}" is true here, too. {text[len(one) + 2 :]}'
        yield f"{min(names)}: {said}" if len(names) == 1 else said


OUTSIDE = (
    "Without `--peer-dir`, the command shows kept rows of {names}. To measure these again, you "
    "need their code, such as a clone of the repository: [two commands]"
    "(../adding-a-peer.md#code-that-no-package-carries).\n"
)


def _commits(records: Sequence[StudyRecord]) -> list[str]:
    """Of which library's commit kept figures are: a line, none of figures that are not kept."""
    rows = Counter(record.commit for record in records if record.library == OWN)
    older = rows.pop(None, 0)
    parts = [f"{count} rows at `{commit}`" for commit, count in rows.most_common()]
    parts += [f"{older} before records named it"] if older and parts else []
    return [f"library's commit: {', '.join(parts)}"] if parts else []


def page(study: Study, records: Sequence[StudyRecord], peers: Mapping[str, Peer]) -> str:
    """The study as a page of Markdown: the answer, a picture, the tables, how it was measured."""
    pictures = [
        f"![{chart.title}]({study.name}-{chart.name}.svg)\n" for chart in study.charts(records)
    ]
    parts = [f"# {study.title}\n", f"{study.answer(records)}\n", *pictures[:1]]
    for section in study.summarise(records):
        parts.append(f"## {section.title}\n")
        parts.append(to_md(section.columns, section.cells, section.lines))
    parts += ["## More plots\n", *pictures[1:]] if pictures[1:] else []
    parts += ["## Method\n", f"{study.about}\n"]
    parts.append(f"Made by `ecfit study {study.name}`; do not edit.\n")
    if study.outside:
        parts.append(OUTSIDE.format(names=", ".join(study.outside)))
    parts.append("## Conditions\n")
    lines = [*conditions(records, peers), *_commits(records)]
    parts.append("\n".join(f"- {line}" for line in lines) + "\n")
    return wrapped("\n".join(parts))
