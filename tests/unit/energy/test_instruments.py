"""The files of instruments: a Nordic PPK2's exports, Joulescope recordings; and battery life."""

from __future__ import annotations

import random
from pathlib import Path

import pyjls
import pytest

from ecfit.errors import UsageError
from ecfit.measure.battery import YEAR_S, Battery, Duty, life
from ecfit_lab.energy import csvtrace, jlstrace, marks
from ecfit_lab.energy.csvtrace import Circuit
from ecfit_lab.energy.tasks import Run, by_task, idle_power, runs
from ecfit_lab.energy.trace import Trace

RATE = 100_000
# Samples, amperes, whether the pin is high: two runs of a task of 50 ms between idle.
PIECES = [(2000, 1e-3, 0), (5000, 7e-3, 1), (2000, 1e-3, 0), (5000, 7e-3, 1), (2000, 1e-3, 0)]
VOLTS, JOULES = 3.0, 3.0 * 7e-3 * 0.05


def samples() -> list[tuple[float, int]]:
    rng = random.Random(1)
    return [
        (amperes + rng.gauss(0, 2e-4), pin) for count, amperes, pin in PIECES for _ in range(count)
    ]


def ppk2(folder: Path, *, word: bool, pin: int = 3) -> Path:
    """As nRF Connect writes it: eight digits with D0 first, or eight columns."""
    digital = "D0-D7" if word else "D0,D1,D2,D3,D4,D5,D6,D7"
    lines = [f"Timestamp(ms),Current(uA),{digital}"]
    for n, (amperes, high) in enumerate(samples()):
        digits = ["1" if high and p == pin else "0" for p in range(8)]
        bits = ("" if word else ",").join(digits)
        lines.append(f"{n / 100:.2f},{amperes * 1e6:.3f},{bits}")
    (folder / "ppk.csv").write_text("\n".join(lines) + "\n")
    return folder / "ppk.csv"


def joulescope(folder: Path, *, voltage: bool = True, lost: tuple[int, int] = (0, 0)) -> Path:
    """A recording made by the maker's package."""
    import numpy

    path = folder / "trace.jls"
    found = samples()
    with pyjls.Writer(str(path)) as writer:
        writer.source_def(source_id=1, name="JS220", vendor="Jetperch", model="JS220")
        names = [(1, "current", "A"), *([(2, "voltage", "V")] if voltage else [])]
        for signal_id, name, units in names:
            writer.signal_def(
                signal_id=signal_id, source_id=1, sample_rate=RATE, name=name, units=units
            )
        writer.signal_def(
            signal_id=3, source_id=1, sample_rate=RATE, name="gpi[0]", data_type="u1", units=""
        )
        amperes = numpy.array([a for a, _ in found], dtype=numpy.float32)
        amperes[slice(*lost)] = numpy.nan
        writer.fsr_f32(1, 0, amperes)
        if voltage:
            writer.fsr_f32(2, 0, numpy.full(len(found), VOLTS, dtype=numpy.float32))
        pins = numpy.packbits([pin for _, pin in found], bitorder="little")
        writer.fsr(3, 0, pins)
    return path


def _check(trace: Trace, channel: int) -> None:
    marked = marks.by_channel(trace, channel, 2)
    found = runs(trace, marked, (), names=("sign",), ratio=1.0, calibration=0.0)
    for run in found:
        assert abs(run.energy_j - JOULES) <= run.energy_uncertainty_j < 0.02 * JOULES
        assert run.duration_s == pytest.approx(0.05, abs=2e-5)
    assert idle_power(trace, marked) == pytest.approx(3e-3, rel=0.02)


@pytest.mark.parametrize("word", [True, False])
def test_ppk2(tmp_path: Path, word: bool) -> None:
    trace = csvtrace.read(ppk2(tmp_path, word=word), Circuit(volts=VOLTS))
    _check(trace, 3)
    with pytest.raises(UsageError, match="D2 never goes high"):
        marks.by_channel(trace, 2, 2)
    with pytest.raises(UsageError, match="goes high 2 times, and the time trace has 3 tasks"):
        marks.by_channel(trace, 3, 3)


@pytest.mark.parametrize("voltage", [True, False])
def test_joulescope(tmp_path: Path, voltage: bool) -> None:
    path = joulescope(tmp_path, voltage=voltage)
    _check(jlstrace.read(path, Circuit(volts=None if voltage else VOLTS)), 0)
    said = "leave --volts out" if voltage else "give --volts"
    with pytest.raises(UsageError, match=said):
        jlstrace.read(path, Circuit(volts=VOLTS if voltage else None))


def test_a_long_recording_is_read_as_means(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same energies from a hundredth of the samples."""
    monkeypatch.setattr(jlstrace, "POINTS", 160)
    trace = jlstrace.read(joulescope(tmp_path), Circuit())
    assert len(trace.times) == 160
    found = runs(
        trace, marks.by_channel(trace, 0, 2), (), names=("sign",), ratio=1.0, calibration=0.0
    )
    assert all(abs(run.energy_j - JOULES) <= run.energy_uncertainty_j for run in found)


@pytest.mark.parametrize("points", [jlstrace.POINTS, 160])
def test_lost_samples_of_a_recording_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points: int
) -> None:
    """The instrument writes them as numbers that are none; a mean over them is none either."""
    monkeypatch.setattr(jlstrace, "POINTS", points)
    with pytest.raises(UsageError, match=r"a gap at 0\.08 s: samples are lost"):
        jlstrace.read(joulescope(tmp_path, lost=(8000, 8200)), Circuit())


def test_a_damaged_recording_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Without a word of the package's own."""
    whole = joulescope(tmp_path).read_bytes()
    for data in (b"", b"no", whole[:1000], b"\0" * len(whole), whole[:64] + whole[200:]):
        (tmp_path / "bad.jls").write_bytes(data)
        with pytest.raises(UsageError, match=r"bad\.jls: ") as refused:
            jlstrace.read(tmp_path / "bad.jls", Circuit())
        assert "\n" not in str(refused.value)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("text", ["t;U", "Zeit (ms);Strom (mA)", "time_ms\tcurrent_mA"])
def test_separators_and_decimal_commas(tmp_path: Path, text: str) -> None:
    mark = "\t" if "\t" in text else ";"
    path = tmp_path / "trace.csv"
    rows = [f"{n},5{mark}{1 + n % 2},25\n" for n in range(20)]
    path.write_text(text + "\n" + "".join(rows))
    if text == "t;U":
        with pytest.raises(UsageError, match="column 't' has no unit"):
            csvtrace.read(path, Circuit(volts=3.0))
        return
    trace = csvtrace.read(path, Circuit(volts=3.0))
    assert trace.interval_s == pytest.approx(1e-3)
    assert trace.power[:2] == pytest.approx([3.75e-3, 6.75e-3])
    assert trace.step_w == pytest.approx(3e-3)


def test_battery_life() -> None:
    """By hand: 1 J every 100 s and 10 mW of sleep from a cell of 3600 C at 3 V."""
    cell = Battery(3600.0, 3.0)
    found = life(cell, [Duty(100.0, 10.0, 1.0, 0.1)], 10e-3)
    assert found.power_w == pytest.approx(0.9 * 10e-3 + 10e-3)
    assert found.years == pytest.approx(10800 / 19e-3 / YEAR_S)
    assert found.years_low == pytest.approx(10800 / 20e-3 / YEAR_S)
    assert found.years_high == pytest.approx(10800 / 18e-3 / YEAR_S)
    assert life(Battery(3600.0, 3.0, usable=0.5), [], 1.0).years == pytest.approx(5400 / YEAR_S)
    shelf = life(Battery(3600.0, 3.0, self_discharge=0.02), [Duty(1e9, 1.0, 1e-12)], 0.0)
    assert shelf.years == pytest.approx(50)
    with pytest.raises(UsageError, match="the tasks take 2 times the time"):
        life(cell, [Duty(5.0, 10.0, 1.0)], 0.0)
    with pytest.raises(UsageError, match="needs no battery"):
        life(cell, [], 0.0)


def test_means_of_a_task() -> None:
    """Runs of one name are one row; their spread is that of their energies."""
    trace_runs = [run for seed in range(2) for run in _runs_of([1e-3 + seed * 1e-4] * 20)]
    (mean,) = by_task(trace_runs)
    assert mean.runs == 2
    assert mean.energy_j == pytest.approx(1.05e-3 * 0.02)
    assert mean.spread == pytest.approx(0.1 / 2**0.5 / 1.05)


def _runs_of(power: list[float]) -> list[Run]:
    times = [n / 1000 for n in range(len(power) + 2)]
    trace = Trace("t", times, [0.0, *power, 0.0], 0.0, 1e-3)
    span = marks.Span(1, len(power), 0.0005, 0.0205, 1e-3, 1e-3)
    return runs(trace, marks.Marked((span,)), (), names=("sign",), ratio=1.0, calibration=0.0)


def test_a_recording_that_is_never_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What reads it is native code, which a damaged file can keep busy for ever."""
    path = joulescope(tmp_path)
    monkeypatch.setattr(jlstrace, "SECONDS", 0.01)
    with pytest.raises(UsageError, match=r"not a whole JLS recording: not read within 0\.01 s"):
        jlstrace.read(path, Circuit())


HEADS = [
    "Timestamp(ms),Current(uA)",  # PPK2
    "#time (s),current (A),voltage (V)",  # Joulescope's application before 1.0
    "Time (s),Main current (A),Main voltage (V)",  # a channel's name before the quantity
]


@pytest.mark.parametrize(
    ("separator", "point", "mark"),
    [(",", ".", ""), (",", ".", '"'), (";", ",", ""), (";", ",", '"'), ("\t", ",", ""),
     (",", ",", '"')],
)  # fmt: skip
@pytest.mark.parametrize("head", HEADS)
def test_layouts_of_text(tmp_path: Path, head: str, separator: str, point: str, mark: str) -> None:
    """All or none in quotes; a decimal comma between commas only in them."""
    names = head.split(",")
    milli, micro = ("(ms)" in head), ("(uA)" in head)
    lines = [separator.join(f"{mark}{name}{mark}" for name in names)]
    for n in range(100):
        current = (1 + n % 2) * (1500.0 if micro else 1.5e-3)
        values = [n * (0.01 if milli else 1e-5), current, 3.0][: len(names)]
        cells = [f"{value:.7f}".replace(".", point) for value in values]
        lines.append(separator.join(f"{mark}{cell}{mark}" for cell in cells))
    (tmp_path / "trace.csv").write_text("\n".join(lines) + "\n")
    circuit = Circuit(volts=3.0 if len(names) == 2 else None)
    trace = csvtrace.read(tmp_path / "trace.csv", circuit)
    assert list(trace.power) == pytest.approx([4.5e-3, 9e-3] * 50)
    assert trace.interval_s == pytest.approx(1e-5)


@pytest.mark.parametrize("row", ['"0.1","x"', '"0.1', '"0.1","1.234,5"', '"0.1"'])
def test_quotes_that_hold_no_number(tmp_path: Path, row: str) -> None:
    path = tmp_path / "trace.csv"
    path.write_text(f'"Time (s)","Current (A)"\n"0.0","0.001"\n{row}\n')
    with pytest.raises(UsageError, match=r"trace.csv: line 3 "):
        csvtrace.read(path, Circuit(volts=3.0))
