"""Every table at 80 columns: no line wider, a line for each row, at most 40 lines, no word of the
values broken. Studies and `tls` are shown from their kept records, for they take minutes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from ecfit.arguments.common import Common
from ecfit.choices.peers import all_peers
from ecfit.show.layout import MOST_LINES, noted, to_table
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import all_studies, brief_conditions, find_study
from workshop.cli.run import Ecfit, assert_readable

NARROW = {"COLUMNS": "80"}
SMALL = ("--target", "samd20", "--op", "ecdh", "--quiet")
LISTINGS = ("list targets", "list libs", "list curves", "list knobs", "list presets", "doctor",
            "study --list", "board")  # fmt: skip
MEASURED = (
    ("bench", *SMALL, "--preset", "tiny,balanced"),
    ("bench", *SMALL, "--preset", "tiny", "--n", "2", "--opt", "Os,O2", "--curve", "P-256,x25519"),
    ("size", *SMALL, "--set", "COMB_TEETH=5", "--set", "WINDOW=5"),
    ("profile", *SMALL, "--preset", "tiny"),
    ("profile", *SMALL, "--preset", "tiny", "--stack"),
    ("ct", *SMALL, "--preset", "tiny", "--n", "2"),
    ("fidelity", "--target", "lpc1114", "--quiet"),
    ("fit", "--target", "lpc1114", "--need", "x25519:ecdh", "--preset", "tiny,balanced",
     "--quiet"),
    ("study", "--list"),
    ("sensor",),
)  # fmt: skip


@pytest.mark.parametrize(
    "command", [tuple(text.split()) for text in LISTINGS] + list(MEASURED), ids=" ".join
)
def test_an_output_is_one_screen(ecfit: Ecfit, command: tuple[str, ...]) -> None:
    done = ecfit(*command, env=NARROW)
    assert done.code == 0, done.err
    assert_readable(done.out, command[0])


@pytest.mark.parametrize("name", sorted(all_studies()))
def test_a_study_has_a_line_for_each_row(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    records = kept(find_study(name))
    for section in find_study(name).summarise(records):
        text = to_table(section.columns, section.cells, section.lines, colour=False)
        assert_readable(text, "study")
        table = to_table(section.columns, section.cells, [], colour=False)
        rows = table.rpartition("───\n")[2].partition("\nleft out: ")[0].splitlines()
        assert sum(bool(line.strip()) for line in rows) == len(section.cells) > 0
    notes = brief_conditions(records, all_peers())
    assert_readable("\n".join(noted(notes, 80, everything=False)), "notes")
    assert notes[0].startswith(f"{len(records)} measurements")


def test_a_comparison_is_one_screen(ecfit: Ecfit, tmp_path: Path) -> None:
    """Of two sets of records that differ in each of their rows."""
    lines = [msgspec.to_builtins(record) for record in kept(find_study("micro-ecc"))]
    old = [{**one, "seed": number} for number, one in enumerate(lines)]  # each row once
    new = [{**one, "cycles": (one["cycles"] or 0) + 1} for one in old]
    for name, records in (("old", old), ("new", new)):
        (tmp_path / f"{name}.json").write_bytes(msgspec.json.encode(records))
    files = [str(tmp_path / f"{name}.json") for name in ("old", "new")]
    done = ecfit("compare", *files, env=NARROW)
    assert_readable(done.out, "compare")
    assert " rows more (--wide shows all)" in done.out
    assert len(ecfit("compare", *files, "--wide", env=NARROW).out.splitlines()) > len(old)


def test_columns_and_notes_that_are_asked_for(ecfit: Ecfit) -> None:
    done = ecfit("bench", *SMALL, "--preset", "tiny", "--columns", "flash,op,config_key")
    first = done.out.splitlines()[1]
    assert first.split() == ["flash", "B", "op", "config_key"]
    assert "more note" in done.out
    noted = ecfit("bench", *SMALL, "--preset", "tiny", "--notes").out
    assert "more note" not in noted
    assert "samd20: Microchip SAM D20" in noted
    wrong = ecfit("bench", *SMALL, "--preset", "tiny", "--columns", "flesh")
    assert wrong.code == 2
    assert "unknown column in --columns 'flesh'" in wrong.error


def test_columns_of_csv_are_fields(ecfit: Ecfit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the records and of where they come from; json has every field. A wrong name is
    found before anything is measured.
    """
    csv = ("bench", *SMALL, "--preset", "tiny", "--format", "csv", "--columns")
    first, row, *_ = ecfit(*csv, "Op,cycles,ecfit_version").out.splitlines()
    assert first == "op,cycles,ecfit_version"
    assert re.fullmatch(r"\w+,\d+,[\d.]+", row)
    study = ("study", "operations", "--target", "samd20", "--curve", "x25519", "--format", "csv")
    rows = ecfit(*study, "--columns", "target,op,flash_bytes", "--quiet").out.splitlines()
    assert rows[0] == "target,op,flash_bytes"
    assert re.fullmatch(r"samd20,\w+,\d+", rows[1])
    rows = ecfit(*study, "--tables", "--columns", "operation,samd20 ms", "--quiet").out.splitlines()
    assert rows[0] == "operation,samd20 ms"
    monkeypatch.setattr(Common, "bench", None)
    for command in (csv, (*study, "--columns")):
        wrong = ecfit(*command, "flesh")
        assert (wrong.code, "in --columns 'flesh'" in wrong.error) == (2, True), wrong.error
    json_too = ecfit("bench", *SMALL, "--format", "json", "--columns", "op")
    assert (json_too.code, "--format json has every field" in json_too.error) == (2, True)


def test_what_is_not_offered_is_a_count(ecfit: Ecfit) -> None:
    ask = ("size", "--target", "samd20", "--lib", "micro-ecc", "--curve", "P-256,x25519", "--quiet")
    done = ecfit(*ask, env=NARROW)
    rows = json.loads(ecfit(*ask, "--format", "json").out)
    count = sum(row["status"] == "not offered" for row in rows)
    assert count > 1
    assert f"{count} rows are not offered" in done.out
    assert "x25519" not in done.out


@pytest.mark.parametrize("kind", ["targets", "libs", "curves", "presets"])
def test_no_name_is_broken(ecfit: Ecfit, kind: str) -> None:
    table = ecfit("list", kind, env=NARROW).out
    for entry in json.loads(ecfit("list", kind, "--format", "json").out):
        assert entry["name"] in table.replace("\n", " ").split()


def test_what_is_left_out_is_in_the_wide_table(ecfit: Ecfit) -> None:
    narrow, wide = (ecfit("bench", *SMALL, env={"COLUMNS": width}).out for width in ("45", "200"))
    assert "left out: " in narrow
    assert "left out" not in wide
    assert "static stack" in wide


@pytest.mark.parametrize("command", [tuple(text.split()) for text in LISTINGS], ids=" ".join)
def test_a_list_is_one_screen(ecfit: Ecfit, command: tuple[str, ...]) -> None:
    """A line for each entry, that begins with its name; and no column is left out."""
    text = ecfit(*command, env=NARROW).out
    assert "left out: " not in text
    lines = text.splitlines()
    assert len(lines) <= MOST_LINES
    if command != ("doctor",):
        for entry in json.loads(ecfit(*command, "--format", "json").out):
            assert sum(line.startswith(f" {entry['name']} ") for line in lines) == 1, entry["name"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("list", "targets", "Cortex-M33"), ["nrf5340"]),
        (("list", "targets", "nrf52840"), ["Nordic nRF52840, Cortex-M4F"]),
        (("list", "knobs", "comb_"), ["COMB_TEETH", "COMB_BLOCKS", "MULG"]),
        (
            ("list", "curves", "brainpool"),
            ["brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1"],
        ),
        (("list", "libs", "micro-ecc"), ["OPTIMIZATION_LEVEL=0|1|2|3|4"]),
        (("list", "presets", "tiny"), ["settings"]),
    ],
)
def test_a_word_narrows_a_list(ecfit: Ecfit, command: tuple[str, ...], words: list[str]) -> None:
    done = ecfit(*command, env=NARROW)
    assert all(word in done.out for word in words), done.out
    others = "host", "BACKEND", "x448", "monocypher", "lowram "
    assert not any(other in done.out for other in others)


def test_a_word_that_is_nowhere(ecfit: Ecfit) -> None:
    """A target may be one of the many chips by name, so the way to add one is said, too."""
    targets = ecfit("list", "targets", "z80")
    assert targets.code == 2
    assert targets.error == (
        "ecfit: error: unknown target 'z80': 'ecfit list targets' lists all; "
        "for your own chip: --target-file FILE (docs/adding-a-target.md)"
    )
    curves = ecfit("list", "curves", "z80")
    assert curves.code == 2
    assert curves.error == (
        "ecfit: error: no curve has 'z80' in its entry; 'ecfit list curves' lists all"
    )
