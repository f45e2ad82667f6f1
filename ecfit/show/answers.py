"""The answers of a fit on a third of a screen: the smallest, the fastest, the one with the least
stack, what each leaves, and what to type next. `--explain` has the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ecfit.choices.peers import Peer
from ecfit.choices.targets import Target
from ecfit.fit.fit import Answer
from ecfit.fit.question import SIZES, Limit
from ecfit.measure.battery import said
from ecfit.show.chip import chip_lines
from ecfit.show.fitted import amount, asked, asked_of_caller, foreign, front, gives, label, table
from ecfit.show.layout import Cells, Column, available, cut, to_table, wrapped
from ecfit.units import grouped, microjoules, milliseconds, years

AIMS = {"flash": "smallest", "time": "fastest", "stack": "least stack"}
MORE = {"ram": "least RAM", "energy": "least energy"}
MOST_NEAREST = 3  # configurations named where nothing fits


def brief(
    answers: Mapping[str, Answer],
    first: str,
    command: str,
    peers: Mapping[str, Peer],
    *,
    colour: bool,
) -> str:
    """The answers by what each minimises; `first`: what was asked for, which `command` writes."""
    answer, width = answers[first], available()
    question = wrapped(asked(answer.question), width)
    if not answer.fits:
        columns, cells = table(answer, MOST_NEAREST - 1)
        lines = [*list(gives(answer))[: MOST_NEAREST + 1], "how it was searched: --explain"]
    else:
        columns, cells = rows(answers, first)
        lines = [*_left(answer), *_accuracy(answer), *_asked(answers, first)]
    shown = to_table(columns, cells, [], colour=colour).strip("\n").splitlines()
    shown += [cut(line, width) for line in lines]
    if answer.question.battery:
        shown += wrapped(said(answer.question.battery, [answer.question.target], "each"), width)
    shown += [part for line in foreign(answer, peers) for part in wrapped(line, width)]
    shown += [part for line in chip_lines(*_timed(answer)) for part in wrapped(line, width)]
    shown += wrapped(f"write the files of *: `{command}`", width) if answer.fits else []
    shown += wrapped(answer.told, width) if answer.told else []
    return "\n".join([*question, *shown]) + "\n"


def rows(answers: Mapping[str, Answer], first: str) -> tuple[list[Column], Cells]:
    """A row for each configuration that is an answer; `*`: the one that was asked for."""
    q = answers[first].question
    named: dict[str, list[str]] = {}
    by_text = {}
    for name in sorted(answers, key=_place):
        mark = "NOTE " if asked_of(answers[name]) else ""  # not at the end, which can be cut
        text = mark + label(answers[name], answers[name].best)
        mark = " *" * (name == first)
        named.setdefault(text, []).append((AIMS | MORE)[name.split()[0]] + mark)
        by_text[text] = answers[name]
    energy = "energy" in answers or any(limit.aim == "energy" for limit in q.limits)
    ops = [f"{curve} {op}" if len(q.needs) > 1 else op for curve, op in q.operations()]
    timed = [limit for limit in q.limits if limit.aim not in SIZES]
    columns = [
        Column("answer"),
        Column("configuration", text=True),
        *(Column(f"{op} ms", figure=True, rank=n + 2) for n, op in enumerate(ops)),
        *[Column("all ms", figure=True)] * q.hybrid,
        *(Column(f"{op} µJ", figure=True, rank=n + 2) for n, op in enumerate(ops) if energy),
        *[Column("years", figure=True)] * bool(q.battery),
        Column("flash B", figure=True),
        Column("stack B", figure=True),
        Column("left B", figure=True, rank=(len(ops) + 2) * bool(q.battery)),
        *[Column("margin", figure=True)] * bool(timed),
    ]
    cells = []
    for text, names in named.items():
        answer = by_text[text]
        figures = answer.figures(answer.best)
        cells.append([", ".join(names), text])
        for aim, form in (("time", milliseconds), ("energy", microjoules)):
            if aim == "time" or energy:
                cells[-1] += [form(figures.get(f"{c}.{op}.{aim}")) for c, op in q.operations()]
                cells[-1] += [form(q.total(aim, figures))] * (q.hybrid and aim == "time")
        cells[-1] += [years(q.years(figures))] * bool(q.battery)
        cells[-1] += [grouped(round(q.total(aim, figures))) for aim in ("flash", "stack")]
        cells[-1].append(grouped(_room(answer)))
        cells[-1] += [f"{100 * _margin(answer, timed):.0f} %"] if timed else []
    return columns, cells


def _place(name: str) -> tuple[bool, int]:
    """The order of answers: those that ask something of the caller after the others."""
    aim, _, eased = name.partition(" ")
    return bool(eased), [*AIMS, *MORE].index(aim)


def asked_of(answer: Answer) -> list[str]:
    """What the best of an answer asks of the caller."""
    return asked_of_caller(answer, answer.best)


def _room(answer: Answer) -> int:
    """Of the chip's RAM, what is beside the deepest operation."""
    q = answer.question
    used = round(q.total("ram", answer.figures(answer.best)))
    return q.target.region("ram").size - used


def _margin(answer: Answer, timed: Sequence[Limit]) -> float:
    """By which part the nearest limit with an error is kept."""
    figures = answer.figures(answer.best)
    return min(1 - limit.spent(figures) / limit.given for limit in timed)


def _timed(answer: Answer) -> tuple[Target, dict[tuple[str, str], float]]:
    """The chip, and the times of the answer by curve and operation, in microseconds."""
    figures = answer.figures(answer.best)
    named = {(curve, op): f"{curve}.{op}.time" for curve, op in answer.question.operations()}
    return answer.question.target, {
        of: figures[name] for of, name in named.items() if name in figures
    }


def _left(answer: Answer) -> list[str]:
    """Of each limit what is left."""
    figures = answer.figures(answer.best)
    parts = []
    for limit in answer.question.limits:
        spare = limit.most - limit.spent(figures)
        parts.append(f"{amount(limit.aim, abs(spare))} of {limit.option}")
    return [f"* leaves {', '.join(parts)}"] * bool(parts)


def _accuracy(answer: Answer) -> list[str]:
    """The class, and whether its error decides about a limit."""
    q = answer.question
    if q.mode is None:
        return []
    accuracy = f"class {q.mode.error_class}: times are within {q.mode.error:.0%} of the chip"
    if q.mode.bound is not None:
        accuracy = f"class {q.mode.error_class}: times are lower bounds, for the flash is unknown"
    elif q.mode.error_class == "C":
        accuracy = f"class C: not validated, elsewhere up to {q.mode.error:.0%} off"
    doubted = [x for x in q.limits if q.doubts(x, answer.figures(answer.best))]
    line = f"{accuracy}; left B: free RAM"
    if doubted:
        line = f"WARNING: {accuracy}, more than the margin of {doubted[0].option}"
    return [line]


def _asked(answers: Mapping[str, Answer], first: str) -> list[str]:
    """What any of the answers asks of the caller, each once; that of the first before others."""
    order = sorted(answers, key=lambda name: name != first)
    texts = dict.fromkeys(text for name in order for text in asked_of(answers[name]))
    return [f"NOTE: {text}" for text in texts]


def front_table(answer: Answer) -> tuple[list[Column], Cells]:
    """The Pareto front: measured configurations of which no other is as good in time, flash, stack
    and RAM and better in one; the smallest first.
    """
    q = answer.question
    aims = ("flash", "time", "stack", "ram")
    heads = ("flash B", "time ms", "stack B", "RAM B")
    columns = [*(Column(head, figure=True) for head in heads), Column("configuration", text=True)]
    points = []
    for point in front(answer):
        figures = answer.figures(point)
        points.append(([q.total(aim, figures) for aim in aims], label(answer, point)))
    cells = [
        [
            milliseconds(value) if aim == "time" else grouped(round(value))
            for aim, value in zip(aims, values, strict=True)
        ]
        + [text]
        for values, text in sorted(points)
    ]
    return columns, cells
