"""Two articles about Mbed TLS, on tuning and on its curves: their figures by their own program
(tools/docs/articles.py). Their machines are not ours, so speeds compare only as ratios to a base.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from ecfit.choices.published import Series, load_document
from ecfit.paths import ROOT
from ecfit.show.layout import Column
from ecfit.units import grouped
from ecfit_studies.survey.study import Section

FIGURES = ROOT / "results" / "articles.json"
BASE = "secp256r1", "4", "0"  # curve, window, fixed point; of an article on curves the curve alone
NOTE = (
    "the article's figures by its own program: programs/test/benchmark of Mbed TLS {version}, "
    "compiled with -O2, and counted by callgrind (tools/docs/articles.py). Its machine is not "
    "ours, so the ratio is that of the two columns `to base`, ours by instructions. `time to base` "
    "is by the least time of rounds in turn on this machine; a dash: other work disturbed it"
)


class ArticleFigure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An operation of the program: instructions, the least time and how far the lower quartile of
    the times is above it, as a part; none where that is 5 % or more. `window` and `fixed_point`:
    null, as by default. `heap_bytes`: the most; 16 bytes are added for each of `blocks`.
    """

    version: str
    curve: str
    op: str
    window: int | None = None
    fixed_point: int | None = None
    instructions: int
    heap_bytes: int | None = None
    blocks: int | None = None
    time_us: float | None = None
    time_spread: float | None = None

    def without_time(self) -> ArticleFigure:
        """What is the same on every machine."""
        return msgspec.structs.replace(self, time_us=None, time_spread=None)

    def without_count(self) -> ArticleFigure:
        """What is the same with every compiler."""
        return msgspec.structs.replace(self.without_time(), instructions=0)


class ArticleRow(msgspec.Struct, frozen=True):
    """A figure of a series, and ours; `base`: what speeds are divided by, or None of the base."""

    series: Series
    op: str
    said: float
    ours: ArticleFigure
    base: tuple[float, ArticleFigure] | None

    @property
    def a_second(self) -> float | None:
        """Our operations a second on a machine on which the base has the article's speed."""
        if self.base is None:
            return None
        said, ours = self.base
        return said * ours.instructions / self.ours.instructions


@cache
def kept() -> tuple[ArticleFigure, ...]:
    """The figures that are kept, in the order in which they were measured."""
    lines = FIGURES.read_bytes().splitlines()
    return tuple(msgspec.json.decode(line, type=ArticleFigure) for line in lines)


def rows(name: str) -> Iterator[ArticleRow]:
    """The figures of an article about Mbed TLS, under its path below ecfit/data/published."""
    tuning = name != "host/mbedtls-curves"
    base_series = load_document("host/mbedtls-window" if tuning else name).series
    for series in load_document(name).series:
        for op, said in series.figures.items():
            (base,) = (s for s in base_series if _place(s, tuning=tuning) == _base(tuning=tuning))
            is_base = _place(series, tuning=tuning) == _base(tuning=tuning)
            pair = None if is_base else (base.figures[op], _ours(base, op, tuning=tuning))
            yield ArticleRow(series, op, said, _ours(series, op, tuning=tuning), pair)


def _base(*, tuning: bool) -> tuple[str, ...]:
    return BASE if tuning else BASE[:1]


def _place(series: Series, *, tuning: bool) -> tuple[str, ...]:
    options = series.options.get("WINDOW", "4"), series.options.get("FIXED_POINT", "0")
    return (series.curve, *options) if tuning else (series.curve,)


def _ours(series: Series, op: str, *, tuning: bool) -> ArticleFigure:
    wanted = _place(series, tuning=tuning), op
    for figure in kept():
        place = figure.curve, str(figure.window), str(figure.fixed_point)
        if (place if figure.window else place[:1], figure.op) == wanted:
            return figure
    raise AssertionError(f"results/articles.json has no {wanted}")


def section(name: str) -> Section:
    """The table of an article: what it says, and what its program does today."""
    said_heap = any(row.series.heap_bytes for row in rows(name))
    columns = [Column("configuration"), Column("curve"), Column("op")]
    heads = ["published a second", "published to base", "to base", "ratio", "time to base"]
    heads += ["instructions"] + ["published heap B", "heap B", "heap B ratio"] * said_heap
    cells = []
    for row in rows(name):
        figures = [f"{row.said:g}", "-", "-", "-", "-", grouped(row.ours.instructions)]
        if row.base is not None and row.a_second is not None:
            base, ours = row.base
            figures[1] = f"{row.said / base:.2f}"
            figures[2] = f"{ours.instructions / row.ours.instructions:.2f}"
            figures[3] = f"{row.a_second / row.said:.2f}"
            if ours.time_us and row.ours.time_us:
                figures[4] = f"{ours.time_us / row.ours.time_us:.2f}"
        if said_heap:
            heap, most = row.series.heap_bytes or 0, row.ours.heap_bytes or 0
            figures += [grouped(heap), grouped(most), f"{most / heap:.2f}"]
        cells.append([row.series.configuration, row.series.curve, row.op, *figures])
    document = load_document(name)
    lines = [NOTE.format(version=next(rows(name)).ours.version), f"published: {document.document}"]
    lines += [f"{reason.field}: {reason.text}" for reason in document.reasons]
    return Section(
        "The article's figures, by its own program",
        [*columns, *(Column(head, True) for head in heads)],
        cells,
        lines,
    )
