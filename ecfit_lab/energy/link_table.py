"""Messages over radio links, as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ecfit.show.layout import Cells, Column
from ecfit.units import milliseconds
from ecfit_lab.energy.airtime import Cost, message
from ecfit_lab.energy.links import COMPARED, find_link

_FIGURES: tuple[tuple[str, Callable[[Cost], str]], ...] = (
    ("frames", lambda cost: str(cost.frames)),
    ("ms", lambda cost: milliseconds(cost.time_us)),
    ("mJ", lambda cost: milliseconds(cost.energy_uj)),
)


def columns(titles: Sequence[str]) -> list[Column]:
    """Headings; those of figures begin with `>`."""
    return [Column(title.lstrip(">"), title.startswith(">")) for title in titles]


def link_table(
    rows: Sequence[tuple[list[str], int]], titles: Sequence[str]
) -> tuple[list[Column], Cells]:
    """Frames, time and energy of each message over each link.

    `rows`: what a message is, under `titles`, and its bytes.
    """
    links = [find_link(name) for name in COMPARED]
    cells = [
        [*names, str(size)]
        + [figure(message(link, size)) for link in links for _, figure in _FIGURES]
        for names, size in rows
    ]
    heads = [f">{link.name} {what}" for link in links for what, _ in _FIGURES]
    return columns([*titles, ">B", *heads]), cells
