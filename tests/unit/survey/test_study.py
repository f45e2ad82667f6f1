"""Studies: their plans, what they say of values, the records that are kept
and the pages made of them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import all_knobs, find_slot, resolve
from ecfit.choices.knobspace import nearest, variants
from ecfit.choices.targets import find_target
from ecfit.errors import UsageError
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit_studies.commands import tls_document
from ecfit_studies.commands.study import flat
from ecfit_studies.questions.knobs import NO_CHANGE, NO_GAIN, judged
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import (
    Chart,
    Job,
    Section,
    StudyRecord,
    all_studies,
    find_study,
    measure,
    page,
)
from tools.docs import studies as tool

P256, SAMD20 = find_curve("P-256"), find_target("samd20")


def record(op: str = "ecdh", **fields: object) -> StudyRecord:
    whole = {
        "library": "ecfit", "library_version": "1", "curve": "secp256r1", "op": op,
        "image_ops": "ecdh", "core": "x", "target": "samd20", "mode": "datasheet",
        "preset": "balanced", "config_key": "k", "toolchain": "gcc", "opt": "Os", "runner": "sim",
        "seed": 1, "runs": 1, "study": "test", "cycles": 1000, "flash_bytes": 100,
        "stack_bytes": 10, "static_ram_bytes": 0,
    }  # fmt: skip
    return msgspec.convert({**whole, **fields}, StudyRecord)


def test_studies_are_found_by_name() -> None:
    assert find_study("KNOBS") is all_studies()["knobs"]
    with pytest.raises(UsageError, match="did you mean knobs"):
        find_study("knob")
    for study in all_studies().values():
        assert study.title
        assert all(find_target(name) for name in study.targets)


def test_a_page_says_of_which_commit_its_figures_are() -> None:
    """Of those of our library; a page of figures that are not kept says nothing."""
    study = msgspec.structs.replace(find_study("knobs"), summarise=lambda _: [])
    kept_records = [record(commit="c0ffee12"), record("keygen", commit="c0ffee12"), record("sign")]
    text = page(study, [*kept_records, record(library="micro-ecc")], {})
    assert "commit: 2 rows at `c0ffee12`, 1 before records named it" in " ".join(text.split())
    assert "commit:" not in page(study, [record()], {})


def test_nearest_changes_as_little_as_possible() -> None:
    assert nearest(P256, "balanced", "w32m16", {"WINDOW": "5"}) == {"WINDOW": "5"}
    assert nearest(P256, "balanced", "w32m16", {"SHA256": "none"}) == {
        "SHA256": "none",
        "NONCE": "random",
    }
    halves = nearest(P256, "balanced", "w32m16", {"MULV": "halves"})
    assert halves is not None
    assert {name for name in halves if name != "MULV"} == {"COORDINATES", "MULG", "MULD"}
    assert (
        nearest(P256, "balanced", "w32m16", {"MULV": "halves", "COORDINATES": "jacobian"}) is None
    )


def test_every_value_of_every_knob_is_in_the_plan() -> None:
    """Knobs and values are not listed anywhere: a new one is in the next run of the study."""
    planned = {(variant.knob, variant.value) for variant in variants(P256, "balanced", SAMD20)}
    preset = dict(resolve(P256, "balanced", {}, SAMD20.backend).settings)
    slot = find_slot("secp256r1")
    for knob in all_knobs().values():
        if knob.scope == "global" or knob.concerns(slot):
            for value in knob.values:
                choice = knob.choices.get(value)
                if choice and not slot.takes(choice):
                    continue  # on another curve, if that does not have it in the preset
                if value == preset[knob.name] or (
                    knob.apart or (choice and choice.arch and SAMD20.arch not in choice.arch)
                ):
                    assert (knob.name, value) not in planned
                elif value not in slot.instead.get(knob.name, {}):
                    assert (knob.name, value) in planned


def test_bases_differ_in_the_value_alone_where_they_can() -> None:
    found = {(v.knob, v.value): v for v in variants(P256, "balanced", SAMD20)}
    ladder = found["MULV", "ladder_x"]
    differing = set(ladder.configuration.settings) - set(ladder.base.settings)
    assert differing == {("MULV", "ladder_x")}
    assert found["WINDOW", "5"].base == resolve(P256, "balanced", {}, SAMD20.backend)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"cycles": 900}, "cycles"),
        ({"flash_bytes": 90, "stack_bytes": 9, "cycles": 2000}, "flash; stack"),
        ({"cycles": 995}, NO_CHANGE),
        ({"cycles": 1100}, NO_GAIN),
        ({"static_ram_bytes": 4}, NO_GAIN),
        ({}, NO_CHANGE),
    ],
)
def test_judgement(fields: dict[str, Any], words: str) -> None:
    assert judged("WINDOW=3", [record(**fields)], [record()]) == words


def test_judgement_tells_what_no_figure_shows() -> None:
    assert judged("BLIND=coordinates", [record(cycles=1100)], [record()]).startswith("resistance")
    mixed = judged("WINDOW=3", [record(cycles=1), record("sign")], [record(), record("sign")])
    assert mixed == "cycles of ecdh"


def test_ratio_and_flat_form() -> None:
    row = Row(
        SAMD20,
        None,
        None,
        resolve(P256, "tiny", {}, "w32m16"),
        P256,
        "keygen",
        ("keygen",),
        offered=False,
    )
    study = msgspec.structs.replace(find_study("knobs"), name="test")
    bench = Bench(Settings(), {}, Store())
    job = Job(
        row,
        "one",
        published={"flash_bytes": 50, "heap_bytes": 7},
        source="a paper",
        differs="its compiler",
    )
    ((_, made),) = measure(study, [job], bench)
    assert (made.status, made.ratio, made.published["heap_bytes"]) == ("not offered", {}, 7)
    assert flat(made)["published_flash_bytes"] == 50
    assert "published" not in flat(made)


def test_page_has_conditions_and_differences() -> None:
    study = msgspec.structs.replace(
        find_study("knobs"), summarise=lambda records: [Section("table", [], [])]
    )
    one = record(
        group="WINDOW=3",
        source="a paper",
        differs="another compiler",
        status="fault: x",
        detail="why",
    )
    text = page(study, [one], {})
    assert "- WINDOW=3: another compiler" in text
    assert "- published: a paper" in text
    assert "- ecfit, secp256r1, ecdh: fault: x: why" in text


def test_a_table_that_was_typed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And is written again; what stands around it stays."""
    text = tool.KNOBS.read_text(encoding="utf-8")
    copy = tmp_path / "knobs.md"
    monkeypatch.setattr(tool, "KNOBS", copy)
    for typed, code in ((text, 0), (text.replace("### samd20", "### samd21"), 1)):
        copy.write_text(typed, encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["studies.py", "--check"])
        assert tool.main() == code
        monkeypatch.setattr(sys, "argv", ["studies.py", "--docs"])
        assert tool.main() == 0
        assert copy.read_text(encoding="utf-8") == text
    assert "docs/knobs.md is not what the records say" in capsys.readouterr().err


def test_no_value_is_a_no_op_or_a_trap() -> None:
    """Every value is in the table, and none changes nothing or only loses."""
    sections = find_study("knobs").summarise(kept(find_study("knobs")))
    rows = {cells[0]: cells for section in sections for cells in section.cells}
    for variant in variants(P256, "balanced", SAMD20):
        assert f"{variant.knob}={variant.value}" in rows, "run 'make long WHAT=studies'"
    assert not {NO_CHANGE, NO_GAIN} & {cell for cells in rows.values() for cell in cells}


def test_a_page_begins_with_its_answer() -> None:
    """The extremes among rows that have all operations, one picture, tables, the method."""
    rows = {"ecfit tiny": (100, 5000, 30), "peer": (200, 1000, 40), "ecfit lowram": (300, 2000, 10)}
    records = [
        record(op, group=group, flash_bytes=flash, time_us=time, ram_bytes=ram)
        for group, (flash, time, ram) in rows.items()
        for op in ("ecdh", "sign")
    ]
    records.append(record(group="sign alone", flash_bytes=1, time_us=1, ram_bytes=1))
    made = {name: name for name in ("first", "second")}
    charts = [Chart(name, title, "x", "y", ()) for name, title in made.items()]
    study = msgspec.structs.replace(
        find_study("anchors"),
        summarise=lambda _: [Section("A table", [], [])],
        charts=lambda _: charts,
        about="How.",
    )
    text = page(study, records, {}).replace("\N{NO-BREAK SPACE}", " ")
    assert "| 100 B: ecfit tiny | 2.00 ms: peer | 10 B: ecfit lowram |" in text
    parts = ("100 B", "![first]", "## A table", "![second]", "## Method", "How.", "## Conditions")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_every_page_of_results_begins_with_an_answer() -> None:
    """Below the title stands no heading and no picture, and tables of all rows come later."""
    answers = {name: study.answer(kept(study)) for name, study in all_studies().items()}
    answers["tls"] = tls_document.page(tool.kept_tls()).split("\n", 2)[2]
    for name, text in answers.items():
        first = " ".join(text.strip().split("\n\n")[0].split())
        assert first[:1] not in ("#", "!", "|", ""), name
        assert "(#method)" in first or "coverage.md" in first, name  # then how it was measured


def test_answers_are_of_the_records() -> None:
    """Each from rows in which the answer is plain."""
    half = [
        record("ecdhe", curve="secp256r1", time_us=2000, library=name) for name in ("ecfit", "peer")
    ]
    half += [record("ecdhe", curve="x25519", time_us=1000)]
    half += [record("ecdhe", curve="x25519", time_us=4000, library="peer")]
    text = find_study("ecc-curve25519").answer(half)
    assert "| samd20 | 1 of 2 | 2.00 | 0.50: peer | 2.00: ecfit |" in text

    fast = [record(time_us=30, group="ecfit fast", opt="O2", target="host")]
    fast += [record(time_us=60, group="openssl keys-kept", opt="O2", target="host")]
    text = find_study("host").answer(fast)
    assert "| secp256r1 | OpenSSL | 0.50 |" in text
    assert "AWS-LC |" not in text

    alone = [record(curve="secp256r1", time_us=3000, flash_bytes=100, ram_bytes=40)]
    alone += [record(curve="x25519", time_us=2000, flash_bytes=200, ram_bytes=30)]
    alone += [record("recover_key", time_us=1, flash_bytes=1, ram_bytes=1)]  # one curve has it
    text = find_study("operations").answer(alone).replace("\N{NO-BREAK SPACE}", " ")
    assert "| samd20 | ecdh | 2.00 ms: x25519 | 100 B: secp256r1 | 30 B: x25519 |" in text
    assert "recover_key" not in text

    images = [record(group="ecfit tiny", preset="tiny", time_us=9, ram_bytes=10)]
    assert "| samd20 | 0 of 0 | 0 of 0 | 0 of 0 | 0 of 0 | 1 of 1 |" in (
        find_study("presets").answer(images)
    )
    images += [record(group="peer", library="peer", time_us=5, ram_bytes=10)]
    assert "| 0 of 1 |" in find_study("presets").answer(images)


def test_the_answer_of_the_knobs_takes_values_of_the_front() -> None:
    """The largest saving of the kept rows that are on it, and no value that is not."""
    study = find_study("knobs")
    rows = kept(study)
    text = study.answer(rows)
    assert "BACKEND=w8" not in text  # the least flash of all, and behind other values
    values = {cells[0]: cells[1] for cells in study.summarise(rows)[-1].cells}
    for value in set(re.findall(r"[A-Z_]+=\w+", text)):
        assert "samd20" in values[value], value
