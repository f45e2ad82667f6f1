"""The studies of the published tables: every figure is in one, and the front of the anchors is a
front; and that of signed readings.
"""

from __future__ import annotations

import subprocess
from functools import cache
from typing import Any

import msgspec
import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import HASHING, OPS, find_curve
from ecfit.choices.peers import all_peers, outside_peers
from ecfit.choices.published import load_document
from ecfit.choices.targets import find_target
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Record
from ecfit.run.cases import make_case
from ecfit.run.hostlib import HostError
from ecfit.run.hostpairs import ROUNDS, Item, description, interleaved
from ecfit.show.layout import Cells
from ecfit_lab.message.operations import form
from ecfit_studies.commands.study import time_host
from ecfit_studies.survey.front import ahead, figures, front
from ecfit_studies.survey.plan import published
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import (
    Ask,
    Job,
    StudyRecord,
    find_study,
    measure,
    study_record,
    with_ecdhe,
)

DOCUMENTS = {
    "micro-ecc-lpc1114": "micro-ecc",
    "remote-cc2538": "remote",
}

MINIMUM = {  # figures of each document
    "micro-ecc-lpc1114": 90,
    "remote-cc2538": 154,
}


def test_ratios_to_openssl_name_what_ran() -> None:
    """Its version and maker, as the library says, and whether it has code for the curve."""
    peers = all_peers()
    chosen = peers["openssl"].configure({"KEYS": "kept"})
    bench = Bench(Settings(opt="O2"), peers, Store(enabled=False))
    study, records = find_study("host"), []
    for name in ("secp256r1", "secp384r1"):
        row = Row(find_target("host"), None, "datasheet", chosen, find_curve(name), "verify",
                  ("verify",))  # fmt: skip
        records.append(study_record("host", Job(row, "openssl keys-kept"), bench.measure(row)))
    titles = [section.title for section in study.summarise(records)]
    running = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True)
    number = running.stdout.split()[1]
    assert all(f"(x OpenSSL {number}, " in title for title in titles)
    generic = ["generic code" in title for title in titles]
    assert generic == [False, number.startswith(("1.", "3.0", "3.1"))]


def planned(name: str) -> list[Job]:
    study = find_study(name)
    targets = tuple(map(find_target, study.targets))
    outside = {name: peer for name, peer in outside_peers().items() if name in study.outside}
    peers = outside | all_peers()
    return study.plan(Ask(targets, tuple(map(find_curve, study.curves)), "datasheet", peers))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_published_figure_is_in_a_study(document: str) -> None:
    """Times, energy, heap and code of every series, and its stack for each operation
    that there is.
    """
    jobs = planned(DOCUMENTS[document])
    told = {
        (job.row.curve.name, job.row.op, *pair) for job in jobs for pair in job.published.items()
    }
    told |= {
        (job.row.curve.name, HASHING[job.row.op], *pair)
        for job in jobs
        if job.row.op in HASHING
        for pair in job.published.items()
    }
    code = {(job.row.curve.name, job.published.get("flash_bytes")) for job in jobs}
    told |= {
        (job.row.curve.name, "ecdhe", *pair) for job in jobs for pair in (job.ecdhe or {}).items()
    }
    figures = 0
    for series in load_document(document).series:
        for op in {*series.figures, *(op for op in series.stack_bytes if op in OPS)}:
            said = {*published(load_document(document), series, op).items()}
            if series.code_ecdh_bytes and op == "ecdh":
                said.add(("flash_bytes", series.code_ecdh_bytes))
            for field, value in said:
                where = series.curve, series.configuration, op, field
                if field == "flash_bytes":
                    assert (series.curve, value) in code, where
                else:
                    assert (series.curve, op, field, value) in told, where
                figures += 1
    assert figures >= MINIMUM[document]


@pytest.mark.parametrize("name", ["micro-ecc", "remote"])
def test_a_published_figure_has_its_source_and_says_what_differs(name: str) -> None:
    for job in planned(name):
        if job.published or job.ecdhe:
            assert job.source
            assert job.differs


@pytest.mark.parametrize(
    ("name", "document", "figures"),
    [
        ("ecc-window", "host/mbedtls-window", 5),
        ("ecc-fixed-point", "host/mbedtls-fixed-point", 3),
        ("nist-brainpool", "host/mbedtls-curves", 24),
    ],
)
def test_an_article_has_a_table_by_its_own_program(name: str, document: str, figures: int) -> None:
    """Every figure of it, and no row of another version in its place."""
    study = find_study(name)
    records = kept(study)
    assert not any(record.published for record in records)
    section = study.summarise(records)[-1]
    heads = [column.name for column in section.columns]
    said = [float(row[heads.index("published a second")]) for row in section.cells]
    assert len(said) == figures
    assert sorted(said) == sorted(
        value for series in load_document(document).series for value in series.figures.values()
    )


def test_no_row_of_this_machine_is_kept_that_its_own_spread_disowns() -> None:
    for name in ("host", "nist-brainpool", "ecc-curve25519"):
        spreads = [r.time_spread for r in kept(find_study(name)) if r.target == "host"]
        assert spreads
        assert all(spread is not None and spread < 0.05 for spread in spreads)


def test_what_the_modes_of_the_flash_are_worth() -> None:
    """The published times of micro-ecc lie between the two modes that nobody fitted, as the text
    under the table says; each of them counts once.
    """
    study = find_study("micro-ecc")
    (section,) = (one for one in study.summarise(kept(study)) if "worth" in one.title)
    names = [column.name for column in section.columns]
    assert names == ["mode", "code", "times", "least ratio", "largest ratio"]
    rows = {(mode, code): (int(n), float(a), float(b)) for mode, code, n, a, b in section.cells}
    assert rows.keys() == {
        (mode, code) for mode in ("zero-ws", "datasheet", "worst") for code in ("asm", "c")
    }
    figures = sum(len(series.figures) for series in load_document("micro-ecc-lpc1114").series)
    for mode in ("zero-ws", "datasheet", "worst"):
        assert rows[mode, "asm"][0] + rows[mode, "c"][0] == figures == 22
    assert all(rows["zero-ws", code][2] < 1 < rows["worst", code][1] for code in ("asm", "c"))
    assert 0.95 < rows["datasheet", "asm"][1] < rows["datasheet", "asm"][2] < 1.05
    assert rows["datasheet", "c"][2] < 0.85


def test_threads_build_different_images() -> None:
    """The rows that are first at work are of as many images as there are,
    and every row comes once.
    """
    rows = [job.row for job in planned("ecc-fixed-point")]
    begun: list[Row] = []
    done = Bench(Settings(jobs=1), {}, Store()).each(rows, begun.append)
    assert sorted(index for index, _ in done) == list(range(len(rows)))
    images = {(row.target.name, row.config_key) for row in rows}
    assert {(row.target.name, row.config_key) for row in begun[: len(images)]} == images


def record(group: str, op: str = "ecdh", library: str = "ecfit", **fields: object) -> StudyRecord:
    whole = {
        "library": library, "library_version": "1", "curve": "secp256r1", "op": op,
        "image_ops": "ecdh", "core": "x", "target": "samd20", "mode": "datasheet", "preset": None,
        "config_key": group, "toolchain": "gcc", "opt": "Os", "runner": "sim", "seed": 1,
        "runs": 1, "study": "test", "group": group,
    }  # fmt: skip
    return msgspec.convert({**whole, **fields}, StudyRecord)


def test_front() -> None:
    def sizes(flash: int, ram: int, time: float) -> dict[str, Any]:
        return {"flash_bytes": flash, "ram_bytes": ram, "time_us": time}

    records = [
        record("small", **sizes(1000, 500, 90.0)),
        record("fast", **sizes(9000, 500, 10.0)),
        record("beaten", **sizes(9000, 500, 11.0)),
        record("broken", status="wrong result", **sizes(1, 1, 1.0)),
        record("equal", **sizes(1000, 500, 90.0)),
        record("more", **sizes(1000, 600, 95.0)),
        record("more", "sign", **sizes(1000, 600, 95.0)),
    ]
    assert {name for name, _ in front(figures(records))} == {
        "small",
        "fast",
        "equal",
        "more",
    }  # "more" has an operation that nothing beats
    slow = record("peer", opt="O3", library="other", **sizes(9000, 600, 10.0))
    quick = record("best", library="other", **sizes(999, 500, 90.0))
    libraries = {(r.group, r.opt): r.library for r in [*records, slow, quick]}
    assert ahead(figures([*records, slow, quick]), libraries) == {("peer", "O3"): ("fast", "Os")}


def test_ecdhe_is_a_key_generation_and_a_shared_secret() -> None:
    one, two = (
        record("a", "keygen", cycles=10, stack_bytes=7, time_us=1.0),
        record("a", cycles=30, stack_bytes=5, time_us=3.0),
    )
    (job, *_) = planned("ecc-window")
    jobs = [job, msgspec.structs.replace(job, ecdhe={"time_us": 8.0})]
    jobs[0] = msgspec.structs.replace(jobs[0], ecdhe=None)
    made = with_ecdhe(jobs, [one, two])
    assert [r.op for r in made] == ["keygen", "ecdh", "ecdhe"]
    assert (made[2].cycles, made[2].stack_bytes, made[2].time_us, made[2].ratio) == (
        40,
        7,
        4.0,
        {"time_us": 0.5},
    )
    broken = msgspec.structs.replace(one, status="fault: x")
    assert [r.op for r in with_ecdhe(jobs, [broken, two])] == ["keygen", "ecdh"]
    assert isinstance(one, Record)


def test_native_times_are_taken_in_turn() -> None:
    """Two builds of one operation: as many times for each as there are rounds,
    and near each other.
    """
    host, curve = find_target("host"), find_curve("P-256")
    bench = Bench(Settings(), {}, Store())
    row = Row(
        host,
        None,
        None,
        knobs.resolve(curve, "balanced", {}, host.backend),
        curve,
        "keygen",
        ("keygen",),
    )
    study = msgspec.structs.replace(find_study("knobs"), name="test")
    jobs = [Job(row, "one"), Job(row, "two")]
    measured = [made for _, made in sorted(measure(study, jobs, bench))]
    one, two = time_host(jobs, measured, bench)
    assert one.host == two.host == description()
    assert one.time_us is not None
    assert two.time_us is not None
    assert one.time_us > 0
    assert two.time_us > 0
    assert one.time_spread is not None
    assert time_host(jobs, measured, bench) == [one, two]  # kept, as any measurement is
    image = bench.image(bench.request(row)).segments[0].data
    item = Item(image, "keygen", make_case(curve, "keygen", 1, 0))
    times = interleaved([item, item])
    assert [len(some) for some in times] == [ROUNDS, ROUNDS]
    with pytest.raises(HostError):
        interleaved([Item(b"not a library", "keygen", item.case)])


# ---- signed readings -----------------------------------------------------------------------------


@cache
def records() -> tuple[StudyRecord, ...]:
    return tuple(kept(find_study("jss")))


def cells(title: str) -> Cells:
    sections = find_study("jss").summarise(records())
    return next(section.cells for section in sections if title in section.title)


def test_each_form_on_each_curve() -> None:
    rows = cells("a signed reading")
    forms = ("JSS", "COSE_Sign1", "recovery")
    curves = ("secp192r1", "secp256r1", "ed25519")
    assert [row[:2] for row in rows] == [
        ["-", "JSON, unsigned"], *([curve, name] for curve in curves for name in forms)
    ]  # fmt: skip
    assert all(record.status == "ok" for record in records())


def test_the_sample_is_that_of_the_paper() -> None:
    unsigned, signed = cells("a signed reading")[:2]
    assert unsigned[4:8] == ["39", "39", "1", "1"]
    assert signed[4:8] == ["154", "154", "3", "3"]
    assert (signed[2], unsigned[8], signed[8]) == ("218.0", "92", "361")


def test_recovery_is_the_shortest() -> None:
    for name in ("secp192r1", "secp256r1", "ed25519"):
        curve = find_curve(name)
        sizes = [form(curve, op).size for op in ("recover", "cose", "jss")]
        assert sizes == sorted(sizes)
        assert sizes[0] <= 64  # one block of CoAP


def test_seconds_of_the_paper() -> None:
    """Within 10 % of the paper's, compiled with a gcc of its year."""
    rows = cells("seconds, and the joules of the paper")
    assert len(rows) == 48
    for row in rows:
        assert row[6] == "within 10 %" and abs(float(row[5]) - 1) < 0.10, row
