"""A day in the life of a sensor: `ecfit energy` reads back what the model of power put into the
trace, from the marks of timelib in the firmware that made it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ecfit.choices.curves import find_curve
from ecfit.measure.battery import Battery, Duty, life
from ecfit.oracle import weierstrass
from ecfit_lab.energy import csvtrace, marks, timetrace
from ecfit_lab.energy.csvtrace import Circuit
from ecfit_lab.energy.tasks import by_task, idle_power, runs
from ecfit_lab.message import jss
from ecfit_lab.message.algorithms import Key
from ecfit_lab.message.operations import ID, TEMPERATURE
from tools.rigs import sensor_day

READINGS, PERIOD_S, EVERY_S = 4, 4.0, 3600.0


@pytest.fixture(scope="module")
def day() -> sensor_day.Day:
    """Four readings, four seconds apart: the sleep of an hour is the same for longer."""
    return sensor_day.run(READINGS, PERIOD_S, 7)


def test_within_one_per_cent(day: sensor_day.Day, tmp_path: Path) -> None:
    sensor_day.write(day, tmp_path)
    trace = csvtrace.read(tmp_path / "trace.csv", Circuit(volts=3.0))
    timed = timetrace.read(tmp_path / "times.csv")
    marked = marks.by_channel(trace, 0, len(timed))
    ratio = marks.clock_ratio(trace, marked.spans, timed)
    assert ratio == pytest.approx(1, abs=1e-3)
    found = by_task(runs(trace, marked, timed, names=(), ratio=ratio, calibration=0.0))
    right = {name: (s, j) for name, s, j in sensor_day.truth(day.pieces)}
    assert [task.task for task in found] == ["sign", "send"]
    for task in found:
        seconds, joules = right[task.task]
        assert task.runs == READINGS
        assert task.duration_s * READINGS == pytest.approx(seconds, rel=1e-3)
        assert task.energy_j * READINGS == pytest.approx(joules, rel=0.01), task
    asleep = idle_power(trace, marked)
    assert asleep is not None
    assert asleep == pytest.approx(right[""][1] / right[""][0], rel=0.01)
    # The whole day, with a reading each hour.
    battery = Battery(2.4 * 3600, 3.0, 1.0, 0.0)
    lasting = life(
        battery,
        [
            Duty(EVERY_S, task.duration_s, task.energy_j, task.energy_uncertainty_j)
            for task in found
        ],
        asleep,
    )
    tasks = sum(right[task.task][1] for task in found) / READINGS
    model = right[""][1] / right[""][0] + tasks / EVERY_S
    assert lasting.power_w == pytest.approx(model, rel=0.01)


def test_the_messages_are_signed_and_go_on(day: sensor_day.Day) -> None:
    curve = find_curve(sensor_day.CURVE)
    private = int.from_bytes(sensor_day.KEY, "big")
    point = weierstrass.multiply(curve, private, weierstrass.base(curve))
    assert point is not None
    key = Key(curve.name, weierstrass.encode_point(curve, point))
    last = {"chip_temp": TEMPERATURE, "measurement_id": ID + READINGS - 1}
    assert jss.check(day.message, key) == last


def test_the_same_seed_gives_the_same_day(day: sensor_day.Day) -> None:
    assert sensor_day.run(READINGS, PERIOD_S, 7) == day
    assert sensor_day.run(READINGS, PERIOD_S, 8) != day
