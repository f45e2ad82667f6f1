"""A study from the command line: its rows in every format, and what stands under its table."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from ecfit import cli
from ecfit.arguments.common import Common
from ecfit.errors import UsageError
from ecfit.show.report import bench_table, headings
from ecfit_studies.commands import study as command
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import StudyRecord, all_studies, too_large
from workshop.cli.run import ECFIT, Ecfit

STUDY = ("study", "ecc-fixed-point", "--target", "samd20", "--quiet")


def test_a_study_in_every_format(ecfit: Ecfit) -> None:
    records = json.loads(ecfit(*STUDY, "--format", "json").out)
    assert {record["op"] for record in records} == {"keygen", "ecdh", "ecdhe"}
    assert {record["status"] for record in records} == {"ok"}
    rows = list(csv.DictReader(io.StringIO(ecfit(*STUDY, "--format", "csv").out)))
    assert [row["cycles"] for row in rows] == [str(record["cycles"]) for record in records]
    for text in (ecfit(*STUDY, "--notes").out, ecfit(*STUDY, "--format", "md").out):
        assert re.search(r"published,? to base", text)  # of the article, by its own program
        assert "published: Mbed TLS knowledge base" in text
        assert "mbedtls: Every operation loads and frees the group" in " ".join(text.split())


def test_tables_as_csv_and_json_have_every_column(ecfit: Ecfit) -> None:
    rows = json.loads(ecfit(*STUDY, "--tables", "--format", "json").out)
    head = ecfit(*STUDY, "--wide").out
    for name in ("library", "configuration", "a second", "stack B", "heap B ratio", "mJ"):
        assert name in head
        assert all(name in row for row in rows)
    measured = [row for row in rows if row["library"]]  # the article's own table stands behind
    assert measured == rows[: len(measured)]
    assert {type(row["stack B"]) for row in measured} == {float}
    lines = list(csv.DictReader(io.StringIO(ecfit(*STUDY, "--tables", "--format", "csv").out)))
    ours = [line["a second"] for line in lines[: len(measured)]]
    assert ours == [str(row["a second"]) for row in measured]


def test_an_interrupted_study_prints_what_it_has(tmp_path: Path) -> None:
    """The kept rows of others, and those that were measured."""
    words = [*ECFIT, "study", "micro-ecc", "--jobs", "1"]
    variables = {**os.environ, "ECFIT_CACHE": str(tmp_path), "COLUMNS": "200"}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=variables
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        rows = [process.stderr.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        out, said = process.stdout.read(), process.stderr.read()
    assert process.returncode == 130
    assert [line.partition("/")[0] for line in rows] == ["[1", "[2", "[3"]
    assert "the same command goes on there" in " ".join(said.split())
    counted = re.search(r"(\d+) measurements", out)
    before = [r for r in kept(all_studies()["micro-ecc"]) if r.library == "micro-ecc-2013"]
    assert counted
    assert 3 <= int(counted[1]) - len(before) < int(rows[0].partition("/")[2].partition("]")[0])


def test_a_row_that_does_not_fit_its_chip_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And is no failure of the study."""
    study = all_studies()["post-quantum"]
    small = [r for r in kept(study) if (r.target, r.curve) == ("ibex", "mldsa44")]
    assert any(map(too_large, small))
    monkeypatch.setattr(command, "run", lambda *_: (small, False))
    assert cli.run(["study", "post-quantum", "--wide"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith(" mldsa44")]
    assert len(rows) == len({r.group for r in small})
    assert any("lacks 2 720 B" in row for row in rows)


def test_columns_are_checked_before_anything_is_measured(
    ecfit: Ecfit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names that the error gives can be typed."""

    def no_measuring(*_: object) -> list[StudyRecord]:
        raise AssertionError("it measures")

    monkeypatch.setattr(command, "run", no_measuring)
    done = ecfit(*STUDY, "--columns", "library,heap ratio")
    assert done.code == 2
    assert "unknown column in --columns 'heap ratio': did you mean heap B ratio? " in done.error
    with pytest.raises(AssertionError, match="it measures"):
        command.command(Common({"name": STUDY[1], "of_coverage": False, "list_them": False,
                                "plot": None, "tables": False,
                                "shown_columns": ("Heap B ratio",)}))  # fmt: skip


def test_columns_of_a_bench_are_checked_first() -> None:
    """Without a single row, and before there is a bench."""
    for step, name in (("measure", "flesh"), ("size", "cycles per byte")):
        with pytest.raises(UsageError, match=f"unknown column in --columns '{name}'"):
            Common({"shown_columns": (name,)}).measure([], step, bench_table)


def test_no_heading_has_a_comma() -> None:
    """A comma stands between the names of --columns."""
    heads = [
        column.name
        for study in all_studies().values()
        for section in study.summarise(kept(study))
        for column in section.columns
    ]
    heads += [*headings("measure"), *headings("size")]
    assert len(heads) > 300
    assert not [name for name in heads if "," in name]


@pytest.mark.ci
def test_a_study_of_a_document_on_one_of_its_curves(ecfit: Ecfit) -> None:
    """Kept rows are named above the tables, and a published time counts once."""
    out = ecfit("study", "micro-ecc", "--curve", "P-256", "--quiet").out
    assert out.startswith("Kept from an earlier measurement, not measured now: micro-ecc-2013")
    said = " ".join(out.split())
    assert "4 of 4 published times come out within 10 % (ratio: ours / published)" in said
    assert "ecfit balanced" in said
    assert "secp192r1" not in said
    assert "\n\n\n" not in out


def test_a_plot_of_a_study(ecfit: Ecfit, tmp_path: Path) -> None:
    done = ecfit(*STUDY, "--plot", str(tmp_path / "out.svg"))
    assert done.code == 0, done.err
    assert (tmp_path / "out.svg").read_text().startswith("<svg")
    assert "ecfit: wrote " in done.err
