"""Coverage of published figures: each has a state, none is off without a reason, and the goals
that the documents' own code reaches.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest

from ecfit import cli
from ecfit.choices.published import all_figures, load_document
from ecfit.show.layout import to_table
from ecfit_lab.energy.airtime import blocks
from ecfit_studies.survey import riot
from ecfit_studies.survey.coverage import STUDIES, Entry, coverage, judged
from ecfit_studies.survey.coverage_table import counted, screen
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import find_study


@cache
def entries() -> tuple[Entry, ...]:
    return tuple(coverage())


def of(name: str, field: str, **fields: str) -> list[Entry]:
    return [
        e
        for e in entries()
        if (e.name, e.field) == (name, field)
        and all(getattr(e, key) == value for key, value in fields.items())
    ]


@pytest.mark.parametrize(
    ("ratio", "own", "state"),
    [
        (1.05, True, "within 5 %"),
        (0.9499, True, "within 10 %"),
        (1.1001, True, "off"),
        (1.0, False, "substitute"),
        (None, True, "not measured"),
    ],
)
def test_states(ratio: float | None, own: bool, state: str) -> None:
    assert judged(ratio, own=own) == state


def test_every_figure_of_every_document_is_there() -> None:
    """Times by what the files hold; of the five documents everything that is typed there."""
    assert {e.document for e in entries()} == {"000", "001", "002", "003", "004", "others"}
    for figure in all_figures():
        if figure.document.name not in STUDIES:
            assert of(figure.document.name, "time", op=figure.op), figure
    for name in ("remote-cc2538", "micro-ecc-lpc1114"):
        series = load_document(name).series
        times = {
            (s.configuration, s.curve, op, value) for s in series for op, value in s.figures.items()
        }
        assert len(of(name, "time")) == len(times)
    assert len(of("remote-cc2538", "energy")) == len(of("remote-cc2538", "time")) == 66
    assert len(of("micro-ecc-lpc1114", "stack")) == 40
    assert len(of("micro-ecc-lpc1114", "code")) == 22  # of 24: two stand in two tables


def test_nothing_is_off_without_a_reason_and_no_substitute_counts() -> None:
    for e in entries():
        good = e.state in ("within 5 %", "within 10 %")
        assert good or e.reason, e
        assert e.code == "own" if good or e.state == "off" else e.code != "own", e
        assert (e.state == "not measured") == (e.ratio is None), e


def test_micro_ecc_of_2013() -> None:
    """Of 22 distinct times, all in assembly; those of compiled C are as far off as each other."""
    times = of("micro-ecc-lpc1114", "time")
    states = Counter(e.state for e in times)
    assert (len(times), states["within 5 %"], states["off"]) == (22, 18, 4)
    assert {e.configuration for e in times if e.state == "off"} == {
        "no squaring function, no NAF", "squaring function", "NAF", "squaring function, NAF"
    }  # fmt: skip
    ratios = [e.ratio for e in times if e.state == "off" and e.ratio]
    assert max(ratios) - min(ratios) < 0.02
    for field in ("code", "stack"):
        found = of("micro-ecc-lpc1114", field)
        assert sum(e.state.startswith("within") for e in found) >= len(found) - 2


def test_pinol_at_a_flash_that_was_fitted_on_another_library() -> None:
    times = [e for e in of("remote-cc2538", "time") if e.configuration[:2] in ("af", "hm", "jb")]
    own = [e for e in times if not e.configuration.endswith("sw")]
    assert len(own) == 9
    assert all(e.state in ("within 5 %", "within 10 %") for e in own)
    private = [e for e in times if e.configuration.endswith("sw")]
    assert [e.state for e in private] == ["substitute"] * 9


def test_all_times_of_the_paper_whose_code_is_public_with_its_compiler() -> None:
    """In the flash that micro-ecc's times gave; the joules are computed, and counted apart."""
    own = [e for e in of("remote-cc2538", "time") if e.code == "own"]
    assert Counter(e.name for e in own) == {"remote-cc2538": 3 + 9 + 45}
    assert all(e.state.startswith("within") for e in own)
    records = [r for name in ("remote", "jss") for r in kept(find_study(name))]
    libraries = {"tweetnacl", *find_study("remote").outside}
    mine = [r for r in records if (r.target, r.library in libraries) == ("cc2538-16mhz", True)]
    assert {r.toolchain for r in mine} == {"gcc 4.9.3"}
    assert {e.kind for e in of("remote-cc2538", "energy")} == {"computed"}


@pytest.mark.parametrize(("document", "part"), [("000", 1), ("003", 0.9), ("004", 0.85)])
def test_most_of_what_own_code_measured_is_within_a_tenth(document: str, part: float) -> None:
    own = [e for e in entries() if (e.document, e.kind, e.code) == (document, "measured", "own")]
    assert sum(e.state.startswith("within") for e in own) >= part * len(own) > 0


def test_heap_of_the_article_by_its_own_program() -> None:
    """16 bytes for each block are in it: without them a fifth to a third is missing."""
    figures = [e for e in entries() if e.document == "000" and e.field == "heap"]
    assert len(figures) == 7  # eight, of which one stands in both tables
    assert {e.state for e in figures} == {"within 5 %"}


def test_speeds_of_articles_by_their_own_programs() -> None:
    """All of 000 but X25519's, and five sixths of 002; the three that are off are P-521's."""
    speeds = [e for e in entries() if e.kind == "to the base"]
    states = Counter((e.document, e.state) for e in speeds)
    assert states["000", "within 5 %"] == 5
    assert [e.curve for e in speeds if (e.document, e.state) == ("000", "off")] == ["x25519"]
    within = states["002", "within 5 %"] + states["002", "within 10 %"]
    off = [e.curve for e in speeds if (e.document, e.state) == ("002", "off")]
    assert (within, off) == (18, ["secp521r1"] * 3)
    assert not any(e.state == "substitute" for e in speeds)
    assert Counter(e.document for e in speeds if e.state == "not measured") == {"000": 1, "002": 3}


def test_stand_ins_for_the_systems_of_the_document_on_tls() -> None:
    """Every figure of 001 has one. The two systems differ by the buffer, which is on the heap."""
    states = Counter(e.state for e in entries() if e.document == "001")
    assert states == {"substitute": 48}
    for connection in ("tls1.2-rsa", "tls1.3-ecdsa"):
        idf, zephyr = (
            of("tls/clients", "memory", configuration=f"ESP32 + {name}", op=connection)[0].ours
            for name in ("ESP-IDF", "Zephyr")
        )
        assert idf and zephyr
        assert round(1e6 * (idf - zephyr), -3) == 15000  # 16384 - 1500, to four digits


def test_a_hash_stands_in_for_the_one_of_the_paper() -> None:
    """No size of micro-ecc counts: without a hash, four would be within 10 % by chance. TweetNaCl
    has a hash of its own.
    """
    document = load_document("remote-cc2538")
    named = {(s.configuration, s.curve) for s in document.series if s.library == "micro-ecc"}
    code = {(e.configuration, e.curve): e for e in of("remote-cc2538", "code")}
    records = kept(find_study("remote"))
    alone = {
        (r.group.removeprefix("micro-ecc "), r.curve): r.flash_bytes or 0
        for r in records
        if r.library == "micro-ecc-2015"
    }
    assert set(alone) == named
    assert {code[one].state for one in named} == {"substitute"}
    assert {code[one].reason for one in named} == {document.added["micro-ecc"]}
    (more,) = {(code[one].ours or 0) - alone[one] for one in named}
    assert more > 64 * 4  # the constants of its rounds
    tweetnacl = code["small", "ed25519"]
    assert tweetnacl.code == "own"
    assert tweetnacl.reason not in {code[one].reason for one in named}


def test_riot_stands_in_for_contiki() -> None:
    """Its images are measured, but never count as reproduced; the message fits three blocks."""
    firmware = [e for e in entries() if e.field.startswith("firmware")]
    assert Counter(e.state for e in firmware) == {"substitute": 4}
    signed = riot.firmware()[True]
    assert (signed.message_bytes, blocks(signed.message_bytes or 0)) == (184, 3)
    assert signed.flash_bytes > riot.firmware()[False].flash_bytes


def test_counts_add_up() -> None:
    _, cells = counted(entries())
    for _, _, figures, *states in cells:
        assert int(figures) == sum(map(int, states[:5]))
    assert sum(int(row[2]) for row in cells) == len(entries())


def test_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "coverage.json"
    assert cli.run(["study", "--coverage", "--format", "json", "-o", str(path)]) == 0
    assert msgspec.json.decode(path.read_bytes(), type=list[Entry]) == list(entries())
    assert cli.run(["study", "--coverage"]) == 0
    assert "of it within 10 %" in capfd.readouterr().out
    for form, begin in (("csv", "document,name,"), ("md", "# Coverage")):
        assert cli.run(["study", "--coverage", "--format", form]) == 0
        assert capfd.readouterr().out.startswith(begin)
    assert cli.run(["study", "remote", "--coverage"]) == 2
    assert capfd.readouterr().err == (
        "ecfit: error: --coverage is of all studies: leave 'remote' out\n"
    )


def test_a_screen_shows_what_is_published_ours_and_the_state() -> None:
    columns, cells, lines = screen(coverage())
    text = to_table(columns, cells, lines, colour=False)
    (head,) = (line for line in text.splitlines() if "published" in line and "ratio" in line)
    assert {"published", "ours", "ratio", "state"} <= {*head.split()}
    assert max(map(len, text.splitlines())) <= 80
