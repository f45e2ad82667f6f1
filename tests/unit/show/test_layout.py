"""Tables as people see them: names whole, nothing too wide, the same with and without colour."""

from __future__ import annotations

import re
import subprocess

import pytest

from ecfit.show.layout import Column, lay_out, to_table, wrapped

NAMES = ["secp256r1", "brainpoolP512r1", "a-very-long-name-of-a-library-that-nobody-would-choose"]
COLUMNS = [
    Column("target"),
    Column("library"),
    Column("cycles", figure=True),
    Column("min", figure=True, rank=2),
    Column("RAM", figure=True, rank=1),
    Column("help", text=True),
]
TEXT = "what it is for, in words enough to need more than one line of a table that is narrow"
CELLS = [["nrf52840", name, "12 345 678", "12 345 678", "1 024", TEXT] for name in NAMES]
COLOUR = re.compile("\x1b\\[[0-9;]*m")


@pytest.fixture(params=[40, 60, 80, 100, 200])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    chosen: int = request.param
    monkeypatch.setenv("COLUMNS", str(chosen))
    return chosen


def test_no_name_is_broken_and_no_line_too_wide(width: int) -> None:
    text = to_table(COLUMNS, CELLS, [TEXT], colour=False)
    assert all(name in text for name in (*NAMES, "nrf52840", "12 345 678"))
    longest = max(map(len, NAMES))
    assert max(map(len, text.splitlines())) <= max(width, longest + 2)


def test_colour_changes_nothing_but_colour(width: int) -> None:
    plain = to_table(COLUMNS, CELLS, [TEXT], colour=False)
    coloured = COLOUR.sub("", to_table(COLUMNS, CELLS, [TEXT], colour=True))
    assert width and [line.rstrip() for line in coloured.splitlines()] == plain.splitlines()


def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    cells = [[*row[:5], "-"] for row in CELLS[:2]]
    text = to_table(COLUMNS, [[*row] for row in cells], [], colour=False)
    assert "left out for want of width: min" in text
    assert "target: nrf52840" in text  # the same in every row: said once
    monkeypatch.setenv("COLUMNS", "200")
    assert "left out" not in to_table(COLUMNS, cells, [], colour=False)


def test_order_of_what_goes() -> None:
    """First what says the same in every row, then by rank; what is too wide even so is stacked."""
    wide = lay_out(COLUMNS, CELLS, 300)
    assert (wide.above, wide.dropped, wide.fits) == ((), (), True)
    assert lay_out(COLUMNS, CELLS, 60).above == (("target", "nrf52840"), ("help", TEXT))
    assert not lay_out(COLUMNS, CELLS, 40).fits


def test_a_command_is_broken_as_a_shell_takes_it() -> None:
    command = "ecfit bench --target samd20 --set " + ",".join(f"KNOB{n}=value" for n in range(9))
    first, *rest = wrapped(f"measure it again: `{command}`", 60)
    assert first == "measure it again:"
    assert len(rest) > 1
    shell = ["sh", "-c", "printf '%s\n' " + "\n".join(rest)]
    said = subprocess.run(shell, capture_output=True, text=True, check=True).stdout
    assert said.split() == command.split()


def test_a_figure_stays_with_its_unit() -> None:
    for width in range(20, 60):
        lines = wrapped("--flash 5KiB: 4 948 B, 172 B left; it binds: 1 400.9 ms", width)
        assert all(any(figure in line for line in lines) for figure in ("4 948 B", "1 400.9 ms"))
        assert max(map(len, lines)) <= width
