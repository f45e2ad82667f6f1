"""Every value of a knob is on a front, or says for what it stays; no row leaves a preset behind;
and of the kept records, a sample measures the same.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from msgspec.structs import replace

from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import resolve
from ecfit.choices.peers import all_peers, outside_peers
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.choices.variants import known
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit_studies.survey import study as studies
from ecfit_studies.survey.dominated import behind, places
from ecfit_studies.survey.front import beaten, where_on_front
from ecfit_studies.survey.plan import VARIANTS
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import (
    Ask,
    Job,
    Study,
    StudyRecord,
    all_studies,
    find_study,
    measure,
    too_large,
)
from tools.docs import studies as keeping

# Presets that some measured row dominates, and is more than 2 % better in a figure: chip, curve,
# operations of the image, preset, and the reason.
FPU = "it uses registers that not every operating system keeps; FPU=words in docs/compilers.md"
P256_ECDH = "p256-cortex-ecdh is ahead with ECDH alone; the page results/ahead.md"
P384_ECDH = "the code of SQUARE=as_mul fits into this chip's cache; on others, a square is faster"
LATE = "READ=late reads a key twice: presets read it once, so what was checked is what is used"
BEHIND: dict[tuple[str, str, str, str], str] = {
    ("nrf52840", "x25519", "keygen+ecdh", "balanced"): FPU,
    ("nrf52840", "x25519", "keygen+ecdh", "fast"): FPU,
    ("nrf52840", "x25519", "ecdh", "balanced"): FPU,
    ("nrf52840", "x25519", "ecdh", "fast"): FPU,
    ("samd20", "secp256r1", "ecdh", "balanced"): P256_ECDH,
    ("samd20", "secp256r1", "ecdh", "lowram"): LATE,
    ("lpc1114", "secp256r1", "ecdh", "balanced"): P256_ECDH,
    ("lpc1114", "secp256r1", "ecdh", "compact"): P256_ECDH,
    ("nrf52840", "secp256r1", "ecdh", "lowram"): LATE,
    ("nrf52840", "secp256r1", "sign", "lowram"): LATE,
    ("nrf52840", "secp256r1", "keygen+sign", "lowram"): LATE,
    ("nrf52840", "secp384r1", "ecdh", "balanced"): P384_ECDH,
    ("nrf52840", "secp384r1", "ecdh", "fast"): P384_ECDH,
}
SQUARES = {"zero-ws": (1.05, 1.1), "datasheet": (0.87, 0.93)}  # as_mul for own, nRF52840, P-384
SUBSETS = {"ecdh", "sign", "verify", "keygen+sign"}


def records(*names: str) -> list[StudyRecord]:
    return [record for name in names for record in kept(studies.find_study(name))]


@known(VARIANTS)
def test_no_value_is_without_a_reason() -> None:
    cells = where_on_front(records("anchors", "fronts", "knobs")).cells
    assert len(cells) > 100
    assert [row[0] for row in cells if not (row[1] or row[2])] == []


def test_no_measured_row_leaves_a_preset_behind() -> None:
    """Compares the presets with all measured rows, of our library and of others, for each set of
    operations. BEHIND must list each exception, and nothing else.
    """
    found = {(*place, name) for place, name in behind(records("anchors", "fronts", "presets"))}
    assert found == BEHIND.keys()


def test_a_row_that_clears_nothing_is_ahead_of_presets_that_clear_nothing() -> None:
    """It does not do what the others promise. A row of another library is compared with all."""
    place = ("samd20", "x25519", "keygen+ecdh")
    mine = [r for r in records("anchors") if (r.target, r.curve, r.image_ops) == place]
    sizes = {"flash_bytes": 1, "ram_bytes": 1, "time_us": 1.0}

    def beside(**more: object) -> set[str]:
        best = [replace(r, group="best", **(sizes | more)) for r in mine if r.group == "ecfit tiny"]
        return {name for _, name in behind([*mine, *best])}

    assert beside(changed="PRODUCT=unrolled") == {"lowram", "tiny"}
    assert beside(changed="WIPE=stack") == {*all_presets()}
    assert beside(preset="fast", changed="WIPE=none") == {"lowram", "tiny"}
    assert beside(library="another", preset=None) == {*all_presets()}


def test_every_place_is_measured() -> None:
    """Each chip and curve with all operations and with each subset that the curve has, and there
    each preset.
    """
    own = [r for r in records("anchors", "fronts", "presets") if r.library == "ecfit"]
    found = {place: {r.preset for r in rows} for place, rows in places(own).items()}
    study = studies.find_study("presets")
    for target, curve in product(study.targets, map(find_curve, study.curves)):
        every = {ops for ops in SUBSETS if {*ops.split("+")} <= {*curve.ops}}
        for ops in (*every, "+".join(curve.ops)):
            assert found[target, curve.name, ops] == {*all_presets()}, (target, curve.name, ops)


def test_a_row_is_behind_by_more_than_two_per_cent_in_a_figure() -> None:
    rows = {
        ("a", "Os"): {"flash": 1000.0, "ram": 500.0, "sign": 10.0},
        ("b", "Os"): {"flash": 981.0, "ram": 500.0, "sign": 10.0},
        ("c", "Os"): {"flash": 979.0, "ram": 500.0, "sign": 10.0},
        ("d", "Os"): {"flash": 900.0, "ram": 501.0, "sign": 10.0},
    }
    assert beaten(rows) == {("a", "Os"): ("c", "Os")}


@pytest.mark.ci
@pytest.mark.parametrize("mode", SQUARES)
def test_a_square_of_its_own_loses_by_the_cache_alone(mode: str) -> None:
    """What docs/knobs.md says of SQUARE=as_mul."""
    curve, target = find_curve("secp384r1"), find_target("nrf52840")
    bench, cycles = Bench(Settings(), {}, Store()), []
    for value in ("own", "as_mul"):
        made = resolve(curve, "balanced", {"SQUARE": value}, target.backend, ops=curve.ops)
        row = Row(target, target.mode(mode), mode, made, curve, "ecdh", curve.ops)
        ((_, record),) = bench.each([row], bench.measure)
        cycles.append(record.cycles or 0)
    least, most = SQUARES[mode]
    assert least < cycles[1] / cycles[0] < most


# ---- kept records: whether all are of this code is no matter of the gate (`make evidence-status`)

COUNTS = (
    *("status", "cycles", "instructions", "time_us", "energy_uj", "trace_hash", "ratio"),
    *("flash_bytes", "foreign_bytes", "static_ram_bytes", "stack_bytes", "heap_bytes"),
    *("static_stack_bytes", "static_stack_open"),
)
OUR_OWN = "ecfit"


def rows_of(study: Study) -> list[tuple[Job, StudyRecord]]:
    """What is planned, each with its record that is kept; those made of two others are left out.
    Of this machine, only rows with a small spread are kept.
    """
    targets, curves = tuple(map(find_target, study.targets)), tuple(map(find_curve, study.curves))
    outside = {name: peer for name, peer in outside_peers().items() if name in study.outside}
    jobs = study.plan(Ask(targets, curves, "datasheet", outside | all_peers()))
    records = [record for record in kept(study) if record.op != "ecdhe"]
    at = Counter((keeping.place(record), record.group) for record in records)
    there = [job for job in jobs if at[keeping.place_of(job), job.group]]
    again = f"{study.name}: another plan, run 'make long WHAT=studies'"
    assert all(job in there for job in jobs if job.row.target.name != "host"), again
    assert len(there) == len(records), again
    return list(zip(there, records, strict=True))


@pytest.mark.check
@pytest.mark.parametrize("name", all_studies())
def test_classes_are_those_of_the_targets(name: str) -> None:
    """What a page says of a chip holds for the figures on it."""
    for record in kept(find_study(name)):
        mode = find_target(record.target).mode(record.mode) if record.mode else None
        if mode is not None and record.error_class is not None:
            assert record.error_class == mode.error_class, (record.target, record.group)


@pytest.mark.parametrize("name", all_studies())
@known(VARIANTS)
def test_a_sample_measures_the_same(name: str) -> None:
    """The quickest row of ours and of a peer, exactly."""
    study, chosen = find_study(name), []
    rows = [(job, record) for job, record in rows_of(study) if record.cycles is not None]
    rows = [pair for pair in rows if pair[1].library not in study.outside]  # not at hand
    for ours in (True, False):
        some = [(job, record) for job, record in rows if (record.library == OUR_OWN) == ours]
        chosen += sorted(some, key=lambda pair: pair[1].instructions or 0)[:1]
    if not chosen:  # times of one machine on one day: nothing comes out the same
        assert {record.target for _, record in rows_of(study)} == {"host"}
        return
    bench = Bench(Settings(), all_peers(), Store())
    found = [(record, next(measure(study, [job], bench))[1]) for job, record in chosen]
    assert {again.status for _, again in found} == {"ok"}
    compilers = {(record.toolchain, again.toolchain) for record, again in found}
    # counts are of a compiler; that results are right is not
    found = [(record, again) for record, again in found if record.toolchain == again.toolchain]
    if not found:
        pytest.skip(
            "results are right; counts were not compared: "
            f"records and this machine have {compilers}"
        )
    for record, again in found:
        for field in COUNTS:
            row = f"{record.library} {record.curve} {record.op} on {record.target}"
            what = f"{row}: {field}; run 'make long WHAT=studies'"
            assert getattr(again, field) == getattr(record, field), what


@pytest.mark.parametrize("name", all_studies())
def test_every_row_is_right_or_explained_by_the_library(name: str) -> None:
    """No row failed but where the image is too large for the chip; what is not offered is an
    operation, or a curve, that the library does not have.
    """
    for job, record in rows_of(find_study(name)):
        if too_large(record):
            assert record.library != OUR_OWN
            continue
        assert record.status == ("ok" if job.row.offered else "not offered"), record
        assert (
            job.row.offered
            or job.row.curve.name not in (outside_peers() | all_peers())[record.library].curves
        )


# ---- where signing with a nonce from the caller is shown, the preset as it is stands beside it ---


@pytest.mark.check
@pytest.mark.parametrize("name", sorted({*all_studies()} - {"remote"}))
def test_a_row_without_a_nonce_has_its_preset_in_the_same_table(name: str) -> None:
    """`remote` rebuilds another library, whose nonce came from the caller: its page says so."""
    records = [r for r in kept(all_studies()[name]) if r.op == "sign" and r.library == "ecfit"]
    for record in records:
        if "NONCE=random" in (record.changed or "").split():
            assert any(
                (r.target, r.curve, r.preset) == (record.target, record.curve, record.preset)
                and "NONCE=random" not in (r.changed or "")
                for r in records
            ), (record.group, record.target, record.curve)
