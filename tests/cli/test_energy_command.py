"""`ecfit energy` as a user runs it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tools.rigs import synthetic_trace as st
from workshop.cli.run import Ecfit

TASKS = [("sign", 0.1533, 0.0071), ("verify", 0.3868, 0.0069)]


@pytest.fixture
def trace(tmp_path: Path) -> list[str]:
    """A trace of two runs of two tasks, and the options that it needs."""
    setup = st.Setup()
    pieces = st.timeline(TASKS * 2, setup)
    text = st.trace_text(st.samples(pieces, setup, random.Random(1)))
    (tmp_path / "trace.csv").write_text(text)
    (tmp_path / "times.csv").write_text(st.times_text(pieces))
    times = str(tmp_path / "times.csv")
    shunt = ["--volts", "5", "--shunt-ohms", "10"]
    return [str(tmp_path / "trace.csv"), *shunt, "--time-trace", times]


def test_tasks_and_battery(ecfit: Ecfit, trace: list[str], tmp_path: Path) -> None:
    cell = ["--battery", "2400mAh@3V", "--every", "sign=30s", "--sleep", "3.9uW"]
    done = ecfit("energy", *trace, *cell, "--format", "json", "--plot", str(tmp_path / "t.svg"))
    assert (done.code, done.err) == (0, "")
    sign, verify, battery = json.loads(done.out)
    assert (sign["task"], verify["task"], battery["task"]) == ("sign", "verify", "(battery)")
    assert sign["energy_mj"] == pytest.approx(19.58, rel=0.02)
    assert 1.1 < battery["battery_years_low"] < battery["battery_years_high"] < 1.4
    picture = (tmp_path / "t.svg").read_text()
    assert picture.startswith("<svg")
    assert picture.count(">sign<") >= 2
    small = ("--battery", "cr2032", "--every", "30s", "--sleep", "2uA")
    assert "battery cr2032: 0.0" in ecfit("energy", *trace, *small).out
    table = ecfit("energy", *trace, "--runs")
    assert table.code == 0
    assert "markers: 8 above" in table.out


WRONG = [
    (["--marker", "d9"], "--marker is led, or d0 to d7"),
    (["--marker", "d1"], "it has no digital channels"),
    (["--task", "sign"], "--task names the tasks of a trace without --time-trace"),
    (["--threshold", "5"], "--threshold takes a power"),
    (["--threshold", "400mW"], "nothing rises above 400 mW"),
    (["--resolution", "3mA"], "--resolution takes a voltage"),
    (["--calibration", "much"], "--calibration takes per cent"),
    (["--every", "sign=30s"], "name one"),
    (["--battery", "2400mAh", "--every", "sign=30s"], "or CHARGE@VOLTAGE as 2400mAh@3V"),
    (["--battery", "9Ah@", "--every", "sign=30s"], "--battery CHARGE@ takes a voltage"),
    (["--battery", "9Ah@3V", "--every", "hash=30s"], "unknown name in --every 'hash'"),
    (["--battery", "9Ah@3V", "--every", "sign=30s"], "as --sleep 2uA; outside of tasks"),
    (["--battery", "9Ah@3V", "--every", "sign=1ms", "--sleep", "1uA"], "--every must be longer"),
    (["--battery", "CR2032"], "--battery needs --every"),
    (["--battery", "CR2032", "--every", "3"], "--every takes a time"),
    (["--battery", "CR2032", "--every", "3s", "--sleep", "2"], "--sleep takes a current"),
    (["--plot", "/nowhere/at/all.svg"], "cannot write /nowhere/at/all.svg"),
]


@pytest.mark.parametrize(("more", "said"), WRONG)
def test_a_wrong_option_is_one_line(
    ecfit: Ecfit, trace: list[str], more: list[str], said: str
) -> None:
    done = ecfit("energy", *trace, *more)
    assert done.code == 2
    assert said in done.error
    assert done.out == ""


def test_files_that_are_not_there(ecfit: Ecfit, tmp_path: Path) -> None:
    for name in ("none.csv", "none.jls", "."):
        done = ecfit("energy", str(tmp_path / name), "--volts", "3")
        assert done.code == 2
        assert "cannot be read" in done.error
