"""Tables as people see them: names whole, nothing too wide, the same with and without colour; and
the presets that a search measures first.
"""

from __future__ import annotations

import re
import subprocess

import msgspec
import pytest

from ecfit.choices.curves import CURVES
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.errors import UsageError
from ecfit.fit.question import Limit, Need, Question
from ecfit.show.layout import MOST_LINES, Column, View, lay_out, noted, to_table, wrapped
from ecfit.show.searching import preset_rows
from ecfit.show.view import chosen

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


def test_a_row_is_a_line_and_no_line_too_wide(width: int) -> None:
    lines = to_table(COLUMNS, CELLS, [TEXT], colour=False).splitlines()
    assert max(map(len, lines)) <= width
    for name in NAMES:
        assert sum(name[:10] in line for line in lines) == 1


def test_colour_changes_nothing_but_colour(width: int) -> None:
    plain = to_table(COLUMNS, CELLS, [TEXT], colour=False)
    coloured = COLOUR.sub("", to_table(COLUMNS, CELLS, [TEXT], colour=True))
    assert width and [line.rstrip() for line in coloured.splitlines()] == plain.splitlines()


def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    cells = [[*row[:5], "-"] for row in CELLS[:2]]
    text = to_table(COLUMNS, [[*row] for row in cells], [], colour=False)
    assert "left out: min" in text
    assert "target: nrf52840" in text  # the same in every row: said once
    assert "help" not in text  # has no values
    monkeypatch.setenv("COLUMNS", "200")
    assert "left out" not in to_table(COLUMNS, cells, [], colour=False)


def test_a_heading_goes_over_lines_before_a_column_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [
        Column("name"),
        Column("published flash B", figure=True, fold=True, rank=1),
        Column("ms ratio", figure=True, fold=True),
    ]
    cells = [["a", "1 948", "0.82"], ["b", "12 345", "1.05"]]
    assert [c.name for c in lay_out(columns, cells, 26).columns] == [
        "name", "published\nflash B", "ms\nratio"
    ]  # fmt: skip
    assert lay_out(columns, cells, 40).columns == columns
    assert lay_out(columns, cells, 20).dropped == ("published flash B",)
    monkeypatch.setenv("COLUMNS", "44")
    wide = [*columns, Column("d" * 18, figure=True)]
    lines = to_table(wide, [[*row, "1"] for row in cells], [], colour=False).splitlines()
    assert [line.split() for line in lines[1:3]] == [
        ["published", "ms"], ["name", "flash", "B", "ratio", "d" * 18]
    ]  # fmt: skip


def test_order_of_what_goes() -> None:
    """First what says the same in every row, then by rank; texts and long names are cut."""
    wide = lay_out(COLUMNS, CELLS, 300)
    assert (wide.above, wide.dropped) == ((), ())
    cells = [[*row[:5], f"{number} {TEXT}"] for number, row in enumerate(CELLS)]
    for width, dropped, whole in (
        (240, (), True),
        (150, (), False),
        (75, (), False),
        (65, ("min",), False),
        (55, ("min", "RAM"), False),
        (45, ("min", "RAM", "help"), None),
    ):
        laid = lay_out(COLUMNS, cells, width)
        assert laid.dropped == dropped, width
        assert [name for name, _ in laid.above] == ["target"] * (width < 240)
        if whole is not None:
            assert all(
                (row[-1] == c[-1]) == whole for row, c in zip(laid.cells, cells, strict=True)
            )
    assert [row[0] for row in lay_out(COLUMNS, cells, 40).cells] == [
        *NAMES[:2],
        "a-very-long-name-of-a-li..",
    ]


def test_a_wide_table_has_everything(width: int) -> None:
    text = to_table(COLUMNS, CELLS, [TEXT], colour=False, view=View(wide=True))
    assert all(TEXT in line for line in text.splitlines() if "nrf52840" in line)
    assert "left out" not in text


def test_columns_by_name() -> None:
    """A heading without its unit, or a field of the record; what is neither is named."""
    columns, cells = [Column("op"), Column("flash B", figure=True)], [["sign", "1"], ["ecdh", "2"]]
    records = [{"op": "sign", "seed": 1000}, {"op": "ecdh", "seed": None}]
    found = chosen(columns, cells, records, ("FLASH", "op", "seed"))
    assert [column.name for column in found[0]] == ["flash B", "op", "seed"]
    assert found[1] == [["1", "sign", "1 000"], ["2", "ecdh", "-"]]
    with pytest.raises(UsageError, match="unknown column in --columns 'flesh': did you mean flash"):
        chosen(columns, cells, records, ("flesh",))


def test_three_notes_of_three_lines() -> None:
    long = " ".join(["word"] * 80)
    assert noted(["a", "b"], 80, everything=False) == ["a", "b"]
    some = noted([long, "b", "c", "d", "e"], 80, everything=False)
    assert some[2].endswith("word..")
    assert some[3:] == ["b", "c", "2 more notes: --notes"]
    assert " ".join(noted([long, "d"], 80, everything=True)).split() == [*long.split(), "d"]
    command = f"again: `{long}`"
    assert len(noted([command], 80, everything=False)) > 3  # a command is whole


def test_an_output_of_a_screen() -> None:
    cells = [["nrf52840", f"library{n}"] for n in range(100)]
    few = to_table(COLUMNS[:2], cells, ["a", "b"], colour=False, view=View(every_row=False))
    assert len(few.splitlines()) <= MOST_LINES
    shown = few.count("library") - 1
    assert f"and {100 - shown} rows more (--wide shows all)" in few
    every = View(every_row=False, wide=True)
    assert to_table(COLUMNS[:2], cells, [], colour=False, view=every).count("library") == 101


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
        lines = wrapped("--flash 5KiB: 4 948 B, 172 B left; then the time is 1 400.9 ms", width)
        assert all(any(figure in line for line in lines) for figure in ("4 948 B", "1 400.9 ms"))
        assert max(map(len, lines)) <= width


# ---- the presets that a search measures first ----------------------------------------------------

ASKED = Question(
    target=find_target("samd20"),
    mode=None,
    mode_name="datasheet",
    needs=(Need(CURVES["secp256r1"], ("sign", "verify")),),
    limits=(),
    minimise="flash",
    weights={},
    use=None,
    sets={},
    presets=(),
    libraries=("ecfit",),
)


def named(**changes: object) -> set[str]:
    asked = msgspec.structs.replace(ASKED, **changes)
    found = dict(preset_rows(asked, {}))
    assert all([row.op for row in rows] == ["sign", "verify"] for rows in found.values())
    return set(found)


def test_presets_that_ask_something_of_the_caller_are_left_out() -> None:
    """The presets tiny and lowram leave secrets on the stack; tiny takes nonces from the caller."""
    assert named() == {*all_presets()} - {"tiny", "lowram"}
    assert named(sets={"NONCE": "random", "WIPE": "none"}) == {*all_presets()}
    assert "tiny" not in named(sets={"NONCE": "random"})


def test_nothing_is_measured_first_where_it_would_not_be_the_answer() -> None:
    """Other libraries, presets that were asked for, several curves, a handshake."""
    handshake = Limit("handshake=1s", "time", (), 1e6, counts=(1,), replayed=True)
    assert named(libraries=("micro-ecc",)) == named(presets=("fast",)) == set()
    assert named(needs=(*ASKED.needs, Need(CURVES["x25519"], ("ecdh",)))) == set()
    assert named(limits=(handshake,)) == set()
