"""Tables for people: one line for each row, never wider than the columns that there are.

The layout depends on the width alone: of the terminal, of COLUMNS, or 80 where output goes to
a pipe or a file. Colour changes nothing but colour. A table that is too wide gets narrower in this
order:

1. A column with one value is said once, above the table; one without values is left out.
2. Columns with a rank are left out, the highest first; a line names them.
3. Texts and long names are cut, and end with `..`.
4. Columns without a rank are left out from the right, but never the first.

`View` undoes this: --wide shows all, --columns the columns that were asked for.
"""

from __future__ import annotations

import io
import re
import shutil
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from rich.table import Table

Cells = list[list[str]]
DEFAULT_WIDTH = 80
NARROWEST = 40  # below that, lines run over
UNBROKEN = "\N{NO-BREAK SPACE}"
_GROUPED = {"target": 2, "platform": 1}  # by the first column: how many begin a new section
_FIGURE = re.compile(r"(?<=\d) (?=\d{3}\b|(?:B|ms|s|µJ|mJ|%)(?!\w))")  # a blank inside of one
_COMMAND = re.compile(r"(.*:) `(.*)`")
_QUOTED = re.compile(r"'[^']*'")  # a word of a command that a backslash may not break
LEAST_TEXT, LEAST_NAME = 12, 24  # columns of what is cut: less says nothing
MOST_NOTES = 3  # under a table
MOST_LINES = 44  # of an output, where rows are limited: all targets, a line each
NOTE_LINES = 3  # of a note
FEWEST_ROWS = 10  # shown, however much stands under them


class Column(msgspec.Struct, frozen=True):
    """A heading; whether its cells are figures (to the right) or texts, which may be cut.

    `rank`: 0 stays; of the others the highest is left out first where a table is too wide.
    `wrap`: a text that is broken at blanks and never cut, for lists of one thing.
    `fold`: the heading goes over several lines where a table is too wide.
    """

    name: str
    figure: bool = False
    text: bool = False
    rank: int = 0
    wrap: bool = False
    fold: bool = False


class View(msgspec.Struct, frozen=True):
    """What of a table is shown. `wide`: all of it; `columns`: these; `notes`: all lines under it.

    `every_row`: also where an output is longer than MOST_LINES.
    """

    columns: tuple[str, ...] = ()
    wide: bool = False
    notes: bool = False
    every_row: bool = True


Width = Callable[[Column, Sequence[str]], int]


class Laid(msgspec.Struct, frozen=True):
    """A table that fits: what is said above it, columns, cells, names of what was left out."""

    above: tuple[tuple[str, str], ...]
    columns: list[Column]
    cells: Cells
    dropped: tuple[str, ...] = ()


def available() -> int:
    """The columns to lay out for."""
    return max(shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns, NARROWEST)


def lay_out(columns: Sequence[Column], cells: Cells, width: int) -> Laid:
    """The table as it fits into `width` columns."""
    shown = list(range(len(columns)))
    if _total(columns, cells, shown, _natural) <= width:
        return Laid((), list(columns), cells)
    columns = [_folded(column, [row[i] for row in cells]) for i, column in enumerate(columns)]
    same = [i for i in shown if len({row[i] for row in cells}) == 1]
    empty = [i for i in same if cells[0][i] in ("-", "")]
    constant = [i for i in same if i not in empty and not columns[i].figure]
    shown = [i for i in shown if i not in (*empty, *constant)] or constant[:1] or shown[:1]
    above = tuple((columns[i].name, cells[0][i]) for i in constant if i not in shown)
    ranked = sorted((i for i in shown if columns[i].rank), key=lambda i: (-columns[i].rank, -i))
    last = [i for i in reversed(shown) if not columns[i].rank and i != shown[0]]
    dropped = []
    for i in (*ranked, *last):
        if _total(columns, cells, shown, _least) <= width or len(shown) == 1:
            break
        shown.remove(i)
        dropped.append(columns[i].name.replace("\n", " "))
    kept = [columns[i] for i in shown]
    narrow = _cut_texts(kept, [[row[i] for i in shown] for row in cells], width)
    return Laid(above, kept, narrow, tuple(dropped))


def _folded(column: Column, cells: Sequence[str]) -> Column:
    """The column, its heading broken at blanks so that its cells decide how wide it is."""
    if not column.fold:
        return column
    widest = max(map(len, (*column.name.split(), *cells)))
    return msgspec.structs.replace(column, name="\n".join(textwrap.wrap(column.name, widest)))


def _total(columns: Sequence[Column], cells: Cells, shown: Sequence[int], width: Width) -> int:
    """Columns that the table takes."""
    return sum(width(columns[i], [row[i] for row in cells]) + 2 for i in shown)


def _natural(column: Column, cells: Sequence[str]) -> int:
    """Columns of the broadest cell."""
    from rich.cells import cell_len

    if column.wrap:
        return _least(column, cells)
    return max(map(cell_len, (*column.name.split("\n"), *cells)))


def _least(column: Column, cells: Sequence[str]) -> int:
    """Columns that it takes at least: of what is cut few, of what is broken its longest word."""
    from rich.cells import cell_len

    if column.wrap:
        return max(cell_len(word) for cell in (column.name, *cells) for word in cell.split() or "-")
    widest = max(map(cell_len, (*column.name.split("\n"), *cells)))
    if column.figure:
        return widest
    return min(widest, max(LEAST_TEXT if column.text else LEAST_NAME, cell_len(column.name)))


def _cut_texts(columns: Sequence[Column], cells: Cells, width: int) -> Cells:
    """The cells, texts and long names cut to what the others leave."""
    shown = range(len(columns))
    lanes = [[row[i] for row in cells] for i in shown]
    widths = [_least(columns[i], lanes[i]) for i in shown]
    spare = width - sum(widths) - 2 * len(widths)
    for i in shown:
        if not columns[i].figure and not columns[i].wrap:
            more = max(min(spare, _natural(columns[i], lanes[i]) - widths[i]), 0)
            widths[i] += more
            spare -= more
    return [
        [cell if columns[i].wrap else cut(cell, widths[i]) for i, cell in enumerate(row)]
        for row in cells
    ]


def cut(text: str, limit: int) -> str:
    """A text of at most so many characters; `..` where it goes on, behind a whole word if the last
    one is not most of it.
    """
    if len(text) <= limit:
        return text
    head = text[: max(limit - 2, 0)]
    whole = head.rpartition(" ")[0] if text[len(head)] != " " else head
    return f"{(whole if 2 * len(whole) >= len(head) else head).rstrip(', ')}.."


def shortened(texts: Sequence[str]) -> str:
    """Arguments for people: long ones by their begin."""
    return " ".join(text if len(text) <= 40 else f"{text[:36]}.." for text in texts)


def to_table(
    columns: Sequence[Column],
    cells: Cells,
    lines: Sequence[str],
    *,
    colour: bool,
    view: View = View(),  # noqa: B008  it is frozen
) -> str:
    """The table and the lines under it, laid out for the columns that there are."""
    whole = view.wide or bool(view.columns)
    width = available()
    laid = Laid((), list(columns), cells)
    if cells and not whole:
        laid = lay_out(columns, cells, width)
    room = max(width, _total(columns, cells, range(len(columns)), _natural) if whole else 0)
    dropped = ", ".join(name.replace(",", "") for name in laid.dropped)
    above = wrapped("   ".join(": ".join(filter(None, pair)) for pair in laid.above), width)
    under = wrapped(f"left out: {dropped} (--wide shows all)", width) if laid.dropped else []
    under += noted(lines, width, everything=view.notes)
    rows = len(laid.cells)
    table = _rows(laid, rows, room, colour=colour)
    over = len(above) + len(table) + len(under) - MOST_LINES
    if over > 0 and not (view.every_row or view.wide):
        blank = sum(not line.strip() for line in table)  # these go before a row does
        if over > blank:
            rows = min(rows, max(rows - over + blank - 1, FEWEST_ROWS))
        table = [line for line in _rows(laid, rows, room, colour=colour) if line.strip()]
    if more := len(laid.cells) - rows:
        under = [f"and {more} rows more (--wide shows all)", *under]
    text = "\n".join([*above, *table, *_dim(under, colour=colour)]) + "\n"
    return text if colour else "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _rows(laid: Laid, most: int, width: int, *, colour: bool) -> list[str]:
    """The lines of the table's first rows."""
    from rich.console import Console

    if not laid.cells:
        return []
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
    )
    with console.capture() as captured:
        console.print(_rich_table(msgspec.structs.replace(laid, cells=laid.cells[:most])))
    return captured.get().splitlines()


def _dim(lines: Sequence[str], *, colour: bool) -> list[str]:
    return [f"\x1b[2m{line}\x1b[0m" for line in lines] if colour else list(lines)


def noted(lines: Sequence[str], width: int, *, everything: bool) -> list[str]:
    """Lines under a table, broken for the width; without `everything` the first three of them,
    each cut to three lines, and how many more there are. A command is never cut.
    """
    if everything:
        return [part for line in lines for part in wrapped(line, width)]
    shown = []
    for line in lines[:MOST_NOTES]:
        parts = wrapped(line, width)
        if len(parts) > NOTE_LINES and not _COMMAND.fullmatch(line):
            parts = [*parts[: NOTE_LINES - 1], cut(f"{parts[NOTE_LINES - 1]} ....", width)]
            parts[-1] = parts[-1].rstrip(" .") + ".."
        shown += parts
    more = len(lines) - MOST_NOTES
    if more > 0:
        shown.append(f"{more} more {'note' if more == 1 else 'notes'}: --notes")
    return shown


def wrapped(line: str, width: int) -> list[str]:
    """A line broken at blanks, what follows indented; words are never broken, nor figures and
    their units. A command at its end, between backticks, stands below it, as a shell takes it.
    """
    parts = _COMMAND.fullmatch(line)
    before, command = parts.groups() if parts else (line, "")
    broken = _broken(_FIGURE.sub(UNBROKEN, before), width, "  ")
    quoted = _QUOTED.sub(lambda word: word[0].replace(" ", UNBROKEN), command)
    more = _broken(f"  {quoted}", width - 2, "    ") if command else []
    broken += [f"{part} \\" for part in more[:-1]] + more[-1:]
    return [part.replace(UNBROKEN, " ") for part in broken]


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
        table.add_column(column.name, justify=justify, no_wrap=not column.wrap, min_width=least)
    keys = range(min(_GROUPED.get(laid.columns[0].name, 0), len(laid.columns)))
    previous = [laid.cells[0][i] for i in keys] if laid.cells else []
    for row in laid.cells:
        if (key := [row[i] for i in keys]) != previous:
            table.add_section()
        previous = key
        table.add_row(*row)
    return table
