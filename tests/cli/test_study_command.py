"""A study from the command line: its rows in every format, and what stands under its table."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

from cli_run import Ecfit

STUDY = ("study", "ecc-fixed-point", "--target", "samd20", "--quiet")


def test_a_study_in_every_format(ecfit: Ecfit) -> None:
    records = json.loads(ecfit(*STUDY, "--format", "json").out)
    assert {record["op"] for record in records} == {"keygen", "ecdh", "ecdhe"}
    assert {record["status"] for record in records} == {"ok"}
    (article,) = (
        r for r in records if r["op"] == "ecdhe" and r["group"] == "no table, as in the article"
    )
    assert article["published"]["heap_bytes"] == 3592
    assert article["ratio"]["heap_bytes"] == round(article["heap_bytes"] / 3592, 4)
    assert article["library"] == "mbedtls"
    assert article["source"]
    assert article["differs"]
    rows = list(csv.DictReader(io.StringIO(ecfit(*STUDY, "--format", "csv").out)))
    assert [row["cycles"] for row in rows] == [str(record["cycles"]) for record in records]
    assert {float(row["published_heap_bytes"] or 0) for row in rows} == {0, 3592, 5360}
    for text in (ecfit(*STUDY, "--notes").out, ecfit(*STUDY, "--format", "md").out):
        assert re.search(r"published,? to base", text)
        assert "published: Mbed TLS knowledge base" in text
        assert "mbedtls: Every operation loads and frees the group" in " ".join(text.split())


def test_tables_as_csv_and_json_have_every_column(ecfit: Ecfit) -> None:
    rows = json.loads(ecfit(*STUDY, "--tables", "--format", "json").out)
    head = ecfit(*STUDY, "--wide").out
    for name in ("library", "configuration", "a second", "stack B", "heap B, ratio", "mJ"):
        assert name.split(",")[0] in head
        assert all(name in row for row in rows)
    assert {type(row["stack B"]) for row in rows} == {float}
    lines = list(csv.DictReader(io.StringIO(ecfit(*STUDY, "--tables", "--format", "csv").out)))
    assert [line["a second"] for line in lines] == [str(row["a second"]) for row in rows]


def test_a_plot_of_a_study(ecfit: Ecfit, tmp_path: Path) -> None:
    done = ecfit(*STUDY, "--plot", str(tmp_path / "out.svg"))
    assert done.code == 0, done.err
    assert (tmp_path / "out.svg").read_text().startswith("<svg")
    assert "ecfit: wrote " in done.err
