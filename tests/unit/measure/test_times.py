"""Estimates follow from counts: time from the clock, energy from the active state."""

from __future__ import annotations

import msgspec

from ecfit.choices.targets import Power, find_target
from ecfit.measure.bench import derive
from ecfit.model import Record

RECORD = Record(
    library="l", library_version="1", curve="c", op="o", image_ops="o", target="lpc1114",
    core="cortex-m0", mode=None, preset=None, config_key="", toolchain="", opt="Os", runner="sim",
    seed=1, runs=1, cycles=48_000_000,
)  # fmt: skip


def test_time_and_energy() -> None:
    target = find_target("lpc1114")
    record = derive(target, RECORD)
    assert record.time_us == 1e6
    assert record.energy_uj == 23_100.0  # 3.3 V and 7 mA for one second
    sleepy = msgspec.structs.replace(
        target, power=(Power("active", 2.0, 1.0, "x"), Power("sleep", 9.0, 9.0, "x"))
    )
    assert derive(sleepy, RECORD).energy_uj == 2000.0


def test_no_energy_without_a_figure_of_power() -> None:
    target = msgspec.structs.replace(find_target("lpc1114"), power=())
    assert derive(target, RECORD).energy_uj is None
    assert derive(find_target("host"), RECORD).energy_uj is None
