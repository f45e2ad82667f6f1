"""Tables for people: laid out for the columns that there are, and names never broken over lines.

The layout depends on the width alone: of the terminal, of COLUMNS, or 80 where output goes to
a pipe or a file. Colour changes nothing but colour. What does not fit is, in this order: said once
above the table (a column with one value), left out (columns with a rank, the highest first; a line
says which), wrapped at blanks (texts), or stacked: a block for each row.
"""

from __future__ import annotations

import io
import re
import shutil
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Cells = list[list[str]]
DEFAULT_WIDTH = 80
NARROWEST = 40  # below that, lines run over
UNBROKEN = "\N{NO-BREAK SPACE}"
TITLES = (
    "target",
    "library",
    "preset",
    "curve",
    "op",
)  # what a row is of: said without the column's name
_GROUPED = {"target": 2, "platform": 1}  # by the first column: how many begin a new section
_FIGURE = re.compile(r"(?<=\d) (?=\d{3}\b|(?:B|ms|s|µJ|mJ|%)(?!\w))")  # a blank inside of one
_COMMAND = re.compile(r"(.*:) `(.*)`")
LEAST_TEXT = 18  # columns of a text that is wrapped: less is not read, but stacked


class Column(msgspec.Struct, frozen=True):
    """A heading; whether its cells are figures (to the right) or texts (wrapped at blanks).

    `rank`: 0 stays; of the others the highest is left out first where a table is too wide.
    """

    name: str
    figure: bool = False
    text: bool = False
    rank: int = 0


class Laid(msgspec.Struct, frozen=True):
    """A table that fits: what is said above it, columns, cells, names of what was left out."""

    above: tuple[tuple[str, str], ...]
    columns: list[Column]
    cells: Cells
    dropped: tuple[str, ...] = ()
    fits: bool = True


def available() -> int:
    """The columns to lay out for."""
    return max(shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns, NARROWEST)


def lay_out(columns: Sequence[Column], cells: Cells, width: int) -> Laid:
    """The table as it fits into `width` columns; `fits` is False where it has to be stacked."""
    shown = list(range(len(columns)))
    if _width(columns, cells, shown) <= width:
        return Laid((), list(columns), cells)
    said = [i for i in shown if len({row[i] for row in cells}) == 1 and not columns[i].figure]
    above = tuple((columns[i].name, cells[0][i]) for i in said if cells[0][i] != "-")
    shown = [i for i in shown if i not in said]
    dropped = []
    for i in sorted((i for i in shown if columns[i].rank), key=lambda i: (-columns[i].rank, -i)):
        if _width(columns, cells, shown) <= width:
            break
        shown.remove(i)
        dropped.append(columns[i].name)
    kept = [columns[i] for i in shown]
    narrow = [[row[i] for i in shown] for row in cells]
    fits = bool(shown) and _width(columns, cells, shown) <= width
    return Laid(above, kept, narrow, tuple(dropped), fits)


def _width(columns: Sequence[Column], cells: Cells, shown: Sequence[int]) -> int:
    """Columns that the table takes at least."""
    return sum(_least(columns[i], [row[i] for row in cells]) + 2 for i in shown)


def _least(column: Column, cells: Sequence[str]) -> int:
    from rich.cells import cell_len

    widest = max(map(cell_len, (column.name, *cells)))
    if not column.text:
        return widest
    longest_word = max(
        cell_len(word) for cell in (column.name, *cells) for word in (cell.split() or [""])
    )
    return min(widest, max(longest_word, LEAST_TEXT))


def to_table(columns: Sequence[Column], cells: Cells, lines: Sequence[str], *, colour: bool) -> str:
    """The table and the lines under it, laid out for the columns that there are."""
    from rich.console import Console
    from rich.text import Text

    width = available()
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
    )
    laid = lay_out(columns, cells, width) if cells else Laid((), list(columns), cells)
    if not laid.fits:
        _print_stacked(console, columns, cells, width)
    else:
        for line in wrapped(
            "   ".join(": ".join(filter(None, pair)) for pair in laid.above), width
        ):
            console.print(Text(line), soft_wrap=True)
        if cells:
            console.print(_rich_table(laid))
        if laid.dropped:
            names = ", ".join(laid.dropped)
            lines = [f"left out for want of width: {names} (--format csv has all)", *lines]
    for line in lines:
        for part in wrapped(line, width):
            console.print(Text(part, style="dim"), soft_wrap=True)
    text = out.getvalue()
    return text if colour else "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def wrapped(line: str, width: int) -> list[str]:
    """A line broken at blanks, what follows indented; words are never broken, nor figures and
    their units. A command at its end, between backticks, stands below it, as a shell takes it.
    """
    parts = _COMMAND.fullmatch(line)
    before, command = parts.groups() if parts else (line, "")
    found = _broken(_FIGURE.sub(UNBROKEN, before), width, "  ")
    more = _broken(f"  {command}", width - 2, "    ") if command else []
    found += [f"{part} \\" for part in more[:-1]] + more[-1:]
    return [part.replace(UNBROKEN, " ") for part in found]


def _broken(line: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _rich_table(laid: Laid) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for i, column in enumerate(laid.columns):
        justify: Literal["left", "right"] = "right" if column.figure else "left"
        least = _least(column, [row[i] for row in laid.cells]) if laid.cells else None
        table.add_column(column.name, justify=justify, no_wrap=not column.text, min_width=least)
    keys = range(_GROUPED.get(laid.columns[0].name, 0))
    previous = [laid.cells[0][i] for i in keys] if laid.cells else []
    for row in laid.cells:
        if (key := [row[i] for i in keys]) != previous:
            table.add_section()
        previous = key
        table.add_row(*row)
    return table


def _print_stacked(console: Console, columns: Sequence[Column], cells: Cells, width: int) -> None:
    """Each row as a block: what it is of, then its other names and figures, then its texts."""
    from rich.text import Text

    for row in cells:
        pairs = list(zip(columns, row, strict=True))
        titles = [cell for i, (column, cell) in enumerate(pairs) if i == 0 or column.name in TITLES]
        facts = [
            f"{column.name} {cell}".replace(" ", UNBROKEN)
            for i, (column, cell) in enumerate(pairs)
            if i > 0 and column.name not in TITLES and not column.text and cell != "-"
        ]
        console.print()
        for line in wrapped("  ".join(titles), width):
            console.print(Text(line, style="bold"), soft_wrap=True)
        for line in wrapped("   ".join(facts), width - 2):
            console.print(Text(f"  {line}".replace(UNBROKEN, " ")), soft_wrap=True)
        for column, cell in pairs:
            if column.text and column.name not in TITLES and cell != "-":
                for line in wrapped(f"{column.name}: {cell}", width - 2):
                    console.print(Text(f"  {line}"), soft_wrap=True)
    console.print()
