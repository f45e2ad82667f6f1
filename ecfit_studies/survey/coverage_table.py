"""Coverage shown: counts of each document, a row for each figure, the page of both."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.prose import wrapped
from ecfit.show.layout import Cells, Column
from ecfit.show.report import to_md
from ecfit_studies.survey.coverage import STATES, STUDIES, Entry

ABOUT = """\
This page lists each published figure in `ecfit/data/published`, and whether we could reproduce it.
Each figure has one state:

- *within 5 %*, *within 10 %*: reproduced. The code that the document measured gives this figure,
  with at most this deviation. The code comes from a package or from [outside](../adding-a-peer.md).
- *off*: the same code gives a figure that deviates more.
- *substitute*: we measured other code in its place. Such a figure never counts as reproduced.
- *not measured*: there is no figure of ours.

The kind *measured* is a figure that we measured, too, and that can be compared directly. The kind
*computed* is an energy: we measured the time, and multiplied it by the power of the board, which we
added up from data sheets. The kind *to the base* is a speed on another machine. We count the
instructions of the document's own program, and scale ours so that another row, the base, has the
document's speed. Instructions repeat on any machine, and times do not. A ratio is our figure
divided by the published one. The number in the last column names the reason below the table."""


def counted(entries: Sequence[Entry]) -> tuple[list[Column], Cells]:
    """How many figures of each document are in each state; each kind apart."""
    columns = [Column("document"), Column("kind"), Column("figures", True)]
    columns += [Column(state, True) for state in STATES]
    columns += [Column("own code", True), Column("of it within 10 %", True)]
    cells: Cells = []
    for document, kind in dict.fromkeys((e.document, e.kind) for e in entries):
        mine = [e for e in entries if (e.document, e.kind) == (document, kind)]
        own = [e for e in mine if e.code == "own"]
        good = [e for e in own if e.state in STATES[:2]]
        share = f"{len(good) / len(own):.0%}" if own else "-"
        states = [str(sum(e.state == state for e in mine)) for state in STATES]
        cells.append([document, kind, str(len(mine)), *states, str(len(own)), share])
    return columns, cells


def documents() -> str:
    """The key of the column of documents."""
    found: dict[str, list[str]] = {}
    for name, (number, studies) in STUDIES.items():
        found.setdefault(number, []).extend(studies or (name.partition("/")[0],))
    said = [f"{number} is in {', '.join(names)}" for number, names in found.items()]
    return f"documents, by study: {'; '.join(said)}; others are in ecfit fidelity"


def table(entries: Sequence[Entry]) -> tuple[list[Column], Cells, list[str]]:
    """A row for each figure, and the reasons below, numbered."""
    right = ("published", "ours", "ratio")
    names = ("document", "configuration", "curve", "op", "figure", *right, "unit", "state", "why")
    reasons = list(dict.fromkeys(e.reason for e in entries if e.reason))
    cells = [
        [
            e.document, e.configuration, e.curve, e.op, e.field, f"{e.published:g}",
            "-" if e.ours is None else f"{e.ours:g}",
            "-" if e.ratio is None else f"{e.ratio:.2f}", e.unit, e.state,
            str(reasons.index(e.reason) + 1) if e.reason else "",
        ]
        for e in entries
    ]  # fmt: skip
    lines = [f"({number}) {_rest(text, reasons)}" for number, text in enumerate(reasons, 1)]
    return [Column(name, name in right) for name in names], cells, lines


def screen(entries: Sequence[Entry]) -> tuple[list[Column], Cells, list[str]]:
    """The same for a screen: what a figure is of is one name, so that 80 columns show what is
    published, ours, their ratio and the state.
    """
    columns, cells, lines = table(entries)
    named = [Column("document", rank=1), Column("of", wrap=True)]
    ranks = {"unit": 2, "why": 3}
    named += [Column(one.name, one.figure, rank=ranks.get(one.name, 0)) for one in columns[5:]]
    return named, [[row[0], " ".join(row[1:5]), *row[5:]] for row in cells], lines


def _rest(text: str, reasons: Sequence[str]) -> str:
    """A reason; one that begins with another one says only the rest."""
    for number, other in enumerate(reasons, 1):
        if text.startswith(f"{other}. "):
            return f"what ({number}) says is true here, too. {text[len(other) + 2 :]}"
    return text


def _answer(entries: Sequence[Entry]) -> str:
    """The page in two sentences."""
    own = [entry for entry in entries if entry.code == "own"]
    good = [sum(entry.state in STATES[:number] for entry in own) for number in (1, 2)]
    return (
        f"With the code that a document measured, {good[0]} of its {len(own)} figures come out "
        f"within 5 %, and {good[1]} within 10 %. For {len(entries) - len(own)} more figures that "
        "code is not public, or was not measured ([what the states mean](#method))."
    )


def page(entries: Sequence[Entry]) -> str:
    """The page of the documentation."""
    columns, cells, lines = table(entries)
    return wrapped(
        "\n".join(
            [
                "# Coverage: every published figure, reproduced or not\n",
                f"{_answer(entries)}\n",
                "## Counts\n",
                to_md(*counted(entries), [documents()]),
                "## Figures\n",
                to_md(columns, cells, lines),
                "## Method\n",
                ABOUT + "\n",
                "Made by `ecfit study --coverage`; do not edit.\n",
            ]
        )
    )
