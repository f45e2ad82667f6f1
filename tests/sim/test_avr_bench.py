"""The bench on AVR targets, end to end: right results, one trace for all secrets, what does not
fit.
"""

from __future__ import annotations

import pytest

from ecfit.arguments.selection import rows, select
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import find_slot, resolve
from ecfit.choices.peers import all_peers
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import all_targets, find_target
from ecfit.choices.variants import known
from ecfit.errors import BuildError
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Observation
from ecfit.run import follow, runner
from ecfit.run.job import Job
from workshop.paths import VARIANTS

BACKENDS = ["w8", "w16", "avr"]
TARGETS = sorted(name for name, target in all_targets().items() if target.arch == "avr")

pytestmark = pytest.mark.usefixtures("avr_compiler")


def observed(
    name: str,
    curve: str,
    op: str,
    backend: str,
    preset: str = "tiny",
    *,
    taint: bool = False,
    **sets: str,
) -> Observation:
    target, on = find_target(name), CURVES[curve]
    configuration = resolve(on, preset, {"BACKEND": backend, **sets}, backend)
    mode, bench = target.mode("datasheet"), Bench(Settings(), {}, Store())
    row = Row(target, mode, "datasheet", configuration, on, op, (op,))
    image = bench.image(bench.request(row))
    job = Job(target, mode, on, op, seed=1, runs=2, secrets_only=taint)
    return follow.follow(image, job, 1) if taint else runner.run(image, job)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", TARGETS)
def test_x25519(name: str, backend: str) -> None:
    seen = observed(name, "x25519", "ecdh", backend)
    assert (seen.status, seen.detail) == ("ok", None)
    assert len(set(seen.cycles)) == len(set(seen.trace_hashes)) == 1
    assert 400 < (seen.stack_bytes or 0) < 600


@pytest.mark.parametrize("preset", ["tiny", "balanced"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_no_secret_decides(backend: str, preset: str) -> None:
    """Of `balanced` for its inversion: avr-gcc's signed product of 16 bits branches on signs."""
    seen = observed("atmega328p", "x25519", "ecdh", backend, preset, taint=True)
    assert (seen.status, seen.leaks) == ("ok", ())
    assert {leak.bytes for leak in seen.declared} == {1}


@pytest.mark.parametrize("curve", ["secp256r1", "ed25519"])
def test_no_secret_decides_where_a_table_is_read(curve: str) -> None:
    """Of flash, entry by entry: the loop goes by a count."""
    seen = observed("atmega328p", curve, "keygen", "avr", "balanced", taint=True)
    assert (seen.status, seen.leaks) == ("ok", ())


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_preset_suits_every_curve(backend: str) -> None:
    """There is one reduction for these words, with one exception. A refusal would name it by no
    preset.
    """
    for preset in all_presets():
        for curve in CURVES.values():
            assert resolve(curve, preset, {"BACKEND": backend}, backend).settings


SHORT = [name for name in CURVES if find_slot(name).bits <= 256]
DAILY = {("balanced", "secp160r1"), ("balanced", "x25519"), ("compact", "secp256r1")}
CI = pytest.mark.ci


@pytest.mark.parametrize(
    ("preset", "curve"),
    [
        pytest.param(preset, curve, marks=() if (preset, curve) in DAILY else CI)
        for preset in ("tiny", "compact", "balanced")
        for curve in SHORT
    ],
)
def test_curves(preset: str, curve: str) -> None:
    """Every operation of a curve in an image of its own agrees with the oracle. ECDH takes one time
    for all secrets; others draw again where a number is not below the order.
    """
    for op in CURVES[curve].ops:
        seen = observed("atmega2560", curve, op, "avr", preset)
        assert (seen.status, seen.detail) == ("ok", None), op
        assert op != "ecdh" or len(set(seen.trace_hashes)) == 1, op


def test_p256_on_two_kilobytes() -> None:
    seen = observed("atmega328p", "secp256r1", "ecdh", "w16", "lowram")
    assert (seen.status, seen.detail) == ("ok", None)
    assert (seen.stack_bytes or 0) < 600


def test_ed25519_is_verified_on_two_kilobytes() -> None:
    """Constants are in flash."""
    for preset in ("lowram", "balanced"):
        seen = observed("atmega328p", "ed25519", "verify", "avr", preset)
        assert (seen.status, seen.detail) == ("ok", None)


@pytest.mark.parametrize("curve", ["secp160r1", "secp256r1"])
def test_micro_ecc(curve: str) -> None:
    """Its assembly for AVR agrees with the oracle."""
    chosen = select(
        targets=["atmega1284p"], libraries=["micro-ecc"], curves=[curve], ops=["all"], presets=[],
        sets=[], mode="datasheet", peers=(peers := all_peers()),
    )  # fmt: skip
    bench = Bench(Settings(), peers, Store())
    assert [bench.measure(row).status for row in rows(chosen)] == ["ok"] * 4


def test_too_little_ram() -> None:
    """A large window on 2 KiB: the stack would overwrite constants. The run says what it needs."""
    seen = observed("atmega328p", "secp256r1", "ecdh", "avr", "balanced", WINDOW="5")
    assert seen.status == "stack overflow into data"
    detail = seen.detail or ""
    needed, _, rest = detail.removeprefix("ecdh: ").partition(" B do not fit ")
    parts = [int(part.replace(",", "")) for part in needed.split(" + ")]
    assert rest.startswith("2,048 B of RAM") and sum(parts) > 2048
    large = observed("atmega2560", "secp256r1", "ecdh", "avr", "balanced", WINDOW="5")
    assert large.status == "ok"  # a return address has a byte more there
    assert parts[2] < (large.stack_bytes or 0) < parts[2] + 40


@known(VARIANTS)
def test_too_much_data() -> None:
    with pytest.raises(BuildError, match=r"too large: \d+ bytes more than there are of RAM"):
        observed(
            "atmega328p", "secp256r1", "sign", "avr", "balanced",
            MULG="comb_ram", COMB_TEETH="6", COMB_BLOCKS="1",
        )  # fmt: skip


def test_avr_targets() -> None:
    assert TARGETS == ["atmega1284p", "atmega2560", "atmega328p"]
