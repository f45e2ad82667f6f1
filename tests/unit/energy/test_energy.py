"""Tasks in traces made from a simulated run, whose energies are known; traces to be refused; and
what a message costs over a radio link.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from ecfit.errors import UsageError
from ecfit_lab.energy import csvtrace, marks, timetrace
from ecfit_lab.energy.airtime import blocks, exchange, lora_us, message
from ecfit_lab.energy.csvtrace import Circuit
from ecfit_lab.energy.links import all_links, find_link
from ecfit_lab.energy.tasks import Run, by_task, runs
from tools.rigs import synthetic_trace as st

SHUNT = Circuit(volts=5.0, shunt_ohms=10.0)
# Cycles of the simulator would be the same on every machine: one real run, in test_of_a_run.
TASKS = [("keygen", 0.1327, 0.007), ("sign", 0.1533, 0.0071), ("verify", 0.3868, 0.0069)]


def analysed(
    folder: Path, pieces: list[st.Piece], setup: st.Setup, seed: int, *, timed: bool = True
) -> list[Run]:
    """The runs that are found in a trace of these pieces."""
    text = st.trace_text(st.samples(pieces, setup, random.Random(seed)))
    (folder / "trace.csv").write_text(text)
    (folder / "times.csv").write_text(st.times_text(pieces))
    trace = csvtrace.read(folder / "trace.csv", SHUNT)
    times = timetrace.read(folder / "times.csv") if timed else ()
    level = None if timed else 0.24
    marked = marks.by_peaks(trace, level, times)
    ratio = marks.clock_ratio(trace, marked.spans, times) if timed else 1.0
    return runs(trace, marked, times, names=("task",), ratio=ratio, calibration=0.0)


def closes(found: list[Run], pieces: list[st.Piece], setup: st.Setup) -> float:
    """The share of runs within their stated uncertainty; each is within that or 2 %."""
    inside = 0
    right = st.truth(pieces, setup)
    assert len(found) == len(right)
    for run, (_, _, joules) in zip(found, right, strict=True):
        off = abs(run.energy_j - joules)
        inside += off <= run.energy_uncertainty_j
        assert off <= max(0.02 * joules, run.energy_uncertainty_j), run
    return inside / len(right)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "setup",
    [
        st.Setup(),
        st.Setup(noise_volts=0.0),
        st.Setup(noise_volts=0.02),
        st.Setup(jitter_s=7.5e-3, led_s=30e-3, pause_s=60e-3),
        st.Setup(averaged=True),
        st.Setup(board_ma=2.0),
        st.Setup(interval_s=1e-4, led_s=2e-3),
    ],
    ids=["paper", "quiet", "noisy", "irregular", "averaged", "small", "fast"],
)
def test_every_task_is_within_two_per_cent(tmp_path: Path, setup: st.Setup, seed: int) -> None:
    """Noise, 10 bits and 2.5 ms: the paper's converter, and worse ones."""
    pieces = st.timeline(TASKS * 2, setup)
    closes(analysed(tmp_path, pieces, setup, seed), pieces, setup)


def test_stated_uncertainties_hold(tmp_path: Path) -> None:
    """Three standard deviations: 99.7 %; of 600 runs 99 % at least, and not by far too wide."""
    setup = st.Setup(noise_volts=0.02)
    pieces = st.timeline(TASKS * 10, setup)
    inside = off = stated = 0.0
    for seed in range(20):
        found, right = analysed(tmp_path, pieces, setup, seed), st.truth(pieces, setup)
        for run, (_, _, joules) in zip(found, right, strict=True):
            inside += abs(run.energy_j - joules) <= run.energy_uncertainty_j
            off, stated = off + abs(run.energy_j - joules), stated + run.energy_uncertainty_j
    assert inside > 0.99 * 600
    assert stated < 5 * off


def test_without_a_time_trace_the_markers_give_the_duration(tmp_path: Path) -> None:
    setup = st.Setup()
    pieces = st.timeline(TASKS * 2, setup)
    found = analysed(tmp_path, pieces, setup, 1, timed=False)
    closes(found, pieces, setup)
    assert all(run.duration_uncertainty_s > 1e-3 for run in found)


def test_of_a_run(tmp_path: Path) -> None:
    """The loop closed: a simulated run, its trace, and its energy from the trace."""
    setup = st.Setup()
    pieces = st.timeline(st.simulated("cc2538-16mhz", ("sign",)) * 3, setup)
    found = analysed(tmp_path, pieces, setup, 1)
    closes(found, pieces, setup)
    (task,) = by_task(found)
    assert (task.task, task.runs) == ("sign", 3)
    assert task.energy_j == pytest.approx(st.truth(pieces, setup)[0][2], rel=0.02)


Change = Callable[[list[str]], list[str]]


def _without(name: str, at: int) -> Change:
    """Leaves out the nth flash of the light: its samples show the board alone."""
    assert name == "flash"

    def change(lines: list[str]) -> list[str]:
        lit = [n for n, line in enumerate(lines) if n and float(line.split(",")[1]) > 0.55]
        flashes = [n for i, n in enumerate(lit) if i == 0 or lit[i - 1] != n - 1]
        n = flashes[at]
        while float(lines[n].split(",")[1]) > 0.55:
            lines[n] = f"{lines[n].split(',')[0]},0.2"
            n += 1
        return lines

    return change


def _scaled(column: int, factor: float) -> Change:
    def change(lines: list[str]) -> list[str]:
        for n, line in enumerate(lines[1:], 1):
            cells = line.split(",")
            cells[column] = f"{float(cells[column]) * factor:.9f}"
            lines[n] = ",".join(cells)
        return lines

    return change


def _line(number: int, text: str) -> Change:
    return lambda lines: [*lines[:number], text, *lines[number + 1 :]]


REFUSED: dict[str, tuple[Change, str]] = {
    "missing marker": (_without("flash", 3), "5 markers above"),
    "missing first marker": (_without("flash", 0), "they part at run 1, keygen"),
    "gap": (lambda lines: lines[:60] + lines[80:], "a gap of 0.0525 s at 0.1"),
    "cut off": (lambda lines: [*lines[:-1], lines[-1][:3]], "has 1 columns, the first one 2"),
    "ends in a flash": (lambda lines: lines[:-19], "ends while a marker"),
    "no unit": (_line(0, "time (s),voltage"), "column 'voltage' has no unit: one of V, mV, uV"),
    "unknown unit": (_line(0, "time (min),voltage (V)"), "'min' is no unit of time"),
    "unit of another": (_line(0, "time (s),voltage (mA)"), "'mA' is no unit of voltage"),
    "current": (_line(0, "time (s),current (A)"), "a trace of current has no shunt"),
    "volts for millivolts": (_scaled(1, 1000), "is the unit of its column wrong?"),
    "nanovolts": (_scaled(1, 1e-9), "no current above 1 nA"),
    "seconds for milliseconds": (_scaled(0, 1000), "is the unit of its times wrong?"),
    "milliseconds for seconds": (_scaled(0, 1e-3), "is it of another run, or the unit of time"),
    "not a number": (_line(5, "0.01,about two"), "line 6 is not of numbers: '0.01,about two'"),
    "nan": (_line(5, "0.01,nan"), "numbers that are none"),
    "backwards": (_line(5, "0.0,0.2"), "time does not increase at sample 5"),
    "long line": (_line(5, "1" * 5000), "line 6 is longer than 4096 characters"),
    "all equal": (_scaled(1, 0), "all samples are equal"),
    "header alone": (lambda lines: lines[:1], "no sample below"),
    "empty": (lambda _: [], "the file is empty"),
    "three samples": (lambda lines: lines[:4], "3 samples are no trace"),
    "no columns": (_line(0, "1.0,2.0"), "must name columns of time"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_trace_is_refused(tmp_path: Path, name: str) -> None:
    """One line that says what is wrong and where."""
    change, said = REFUSED[name]
    setup = st.Setup()
    pieces = st.timeline(TASKS, setup)
    lines = st.trace_text(st.samples(pieces, setup, random.Random(1))).splitlines()
    (tmp_path / "trace.csv").write_text("\n".join(change(lines)))
    (tmp_path / "times.csv").write_text(st.times_text(pieces))
    with pytest.raises(UsageError) as refused:
        trace = csvtrace.read(tmp_path / "trace.csv", SHUNT)
        times = timetrace.read(tmp_path / "times.csv")
        marks.clock_ratio(trace, marks.by_peaks(trace, None, times).spans, times)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def _time_traces() -> Iterator[tuple[str, str]]:
    head = "task,duration_ms\n"
    yield head + "keygen,132.7\nsign,386.8\nverify,153.3\n", "run 2, sign, takes 386.8 ms"
    yield head + "keygen,13.27\nsign,15.33\nverify,38.68\n", "9.996 times as long"
    yield head + "keygen,132.7\nsign,153.3\n", "the 2 tasks of the time trace need 4"
    yield head, "no task below"
    yield "", "the first line of a time trace is 'task,duration_ms'"
    yield "keygen,132.7\n", "the first line of a time trace is"
    yield head + "keygen\n", "line 2 is not 'task,duration'"
    yield head + "keygen,-1\n", "line 2 is not 'task,duration'"
    yield head + "keygen,0\n", "a task that took no time"
    yield "task,duration_ticks@0\nkeygen,1\n", "a timer of 0 Hz"


@pytest.mark.parametrize(("text", "said"), list(_time_traces()))
def test_a_wrong_time_trace_is_refused(tmp_path: Path, text: str, said: str) -> None:
    setup = st.Setup()
    pieces = st.timeline(TASKS, setup)
    found = st.samples(pieces, setup, random.Random(1))
    (tmp_path / "trace.csv").write_text(st.trace_text(found))
    (tmp_path / "times.csv").write_text(text)
    with pytest.raises(UsageError) as refused:
        trace = csvtrace.read(tmp_path / "trace.csv", SHUNT)
        times = timetrace.read(tmp_path / "times.csv")
        marks.clock_ratio(trace, marks.by_peaks(trace, None, times).spans, times)
    assert said in str(refused.value)


# ---- radio links: against published airtimes and sums by hand ------------------------------------


@pytest.mark.parametrize(
    ("link", "payload", "ms"),
    [
        # The Things Network, airtime calculator, EU868, 125 kHz: payload without the 13 bytes
        ("lora-sf7", 10, 61.696),
        ("lora-sf7", 51, 118.016),
        ("lora-sf12", 10, 1482.752),
        ("lora-sf12", 51, 2793.472),
    ],
)
def test_airtime_of_lora(link: str, payload: int, ms: float) -> None:
    found = find_link(link)
    assert lora_us(found, found.frame_bytes + payload) / 1000 == pytest.approx(ms, rel=1e-6)


@pytest.mark.parametrize(("size", "count"), [(0, 1), (39, 1), (64, 1), (65, 2), (154, 3)])
def test_blocks(size: int, count: int) -> None:
    assert blocks(size) == count
    assert message(find_link("802.15.4"), size).blocks == count


def test_one_block_by_hand() -> None:
    """A request of 17 bytes and a response of 15 + 39, each with 9 bytes of network, 29 of frame;
    an acknowledgement of 11 bytes and 1440 us of waiting for each: 32 us for a byte.
    """
    cost = message(find_link("802.15.4"), 39)
    heard, sent, answer, gap = 32 * (17 + 9 + 29), 32 * (54 + 9 + 29), 32 * 11, 1440
    assert cost.frames == 2
    assert cost.time_us == pytest.approx(heard + sent + 2 * (answer + gap))
    milliwatts_us = 60 * (heard + answer + 2 * gap) + 72 * (sent + answer)
    assert cost.energy_uj == pytest.approx(milliwatts_us / 1000)


def test_fragments() -> None:
    """A datagram that no frame holds is cut in pieces (RFC 4944), none longer than a frame."""
    small = msgspec.structs.replace(find_link("802.15.4"), payload_max=40)
    assert message(small, 64).frames > message(find_link("802.15.4"), 64).frames == 2


def test_longer_messages_cost_more() -> None:
    for link in all_links().values():
        costs = [message(link, size) for size in range(1, 400)]
        for one, other in pairwise(costs):
            assert one.time_us <= other.time_us
            assert one.energy_uj <= other.energy_uj


def test_a_datagram_in_pieces_by_hand() -> None:
    """300 bytes and 9 of network in units of 8: 96 + 4, 96 + 5 twice, 21 + 5, each in 29 bytes."""
    frames = [100, 101, 101, 26]
    on_air, answers, gaps = 32 * (sum(frames) + 4 * 29), 4 * 32 * 11, 4 * 1440
    cost = exchange(find_link("802.15.4"), [(True, 300)])
    assert (cost.sent, cost.received, cost.wait_us) == (4, 0, 0)
    assert cost.time_us == on_air + answers + gaps == 21_376
    assert cost.energy_uj == pytest.approx((72 * on_air + 60 * (answers + gaps)) / 1000)
    heard = exchange(find_link("802.15.4"), [(False, 300)])
    assert heard.time_us == cost.time_us
    assert heard.energy_uj == pytest.approx((60 * (on_air + gaps) + 72 * answers) / 1000)


@pytest.mark.parametrize(
    ("factor", "ms"),
    [(7, 82.176), (8, 143.872), (9, 267.264), (10, 493.568), (11, 1069.056), (12, 1974.272)],
)
def test_duty_cycle_of_lora(factor: int, ms: float) -> None:
    """A published sheet of the formulas of Semtech's AN1200.13: 24 bytes and 13 of LoRaWAN, and a
    hundred times as long from the begin of a frame to that of the next one.
    """
    link = find_link(f"lora-sf{factor}")
    both = exchange(link, [(True, 24), (True, 24)])
    assert both.time_us == pytest.approx(2000 * ms, rel=1e-6)
    assert both.wait_us == pytest.approx(99_000 * ms, rel=1e-6)
    assert both.energy_uj == pytest.approx(2 * ms * 95.7, rel=1e-6)


def test_a_device_of_class_a_asks_for_each_frame() -> None:
    """Three frames down: the first answers what it sent, two follow frames without a port. The last
    one comes a second after its question.
    """
    link = find_link("lora-sf12")
    cost = exchange(link, [(True, 10), (False, 120)])
    sent = [lora_us(link, 23), lora_us(link, 12), lora_us(link, 12)]
    heard = [lora_us(link, 64), lora_us(link, 64), lora_us(link, 31)]
    assert (cost.sent, cost.received) == (3, 3)
    assert cost.time_us == pytest.approx(sum(sent) + 1e6 + heard[-1])
    assert cost.wait_us == pytest.approx(99 * sum(sent[:-1]))
    assert cost.energy_uj == pytest.approx((95.7 * sum(sent) + 35.64 * sum(heard)) / 1000)


def test_every_spreading_factor_is_a_link() -> None:
    """RP002-1.0.3, EU863-870: the most payload, by data rate."""
    payloads = {f: find_link(f"lora-sf{f}").payload_max for f in range(7, 13)}
    assert payloads == {12: 51, 11: 51, 10: 51, 9: 115, 8: 222, 7: 222}


def test_a_link_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="unknown link 'lora'"):
        find_link("lora")


@pytest.mark.parametrize(
    ("head", "row", "volts"),
    [
        ('"Timestamp (s)","Main current (A)"', '"{t:.4f}","{i:.6f}"', 3.0),
        ("Timestamp (s),Main current (A) - Arc,Main voltage (V) - Arc", "{t:.4f},{i:.6f},3", None),
        ('"time (ms)","current (mA)"', '"{t1}","{i1}"', 3.0),
        ('"time (ms)";"note";"current (mA)"', '"{t1}";"a;b";"{i1}"', 3.0),
    ],
)
def test_quoted_cells_and_named_channels(
    tmp_path: Path, head: str, row: str, volts: float | None
) -> None:
    """As programs export them: quoted, with decimal commas in quotes, with the channel's name."""
    lines = [head]
    for at in range(20):
        t, i = at / 1000, 0.01 + at % 3 / 1000
        said = {
            "t1": f"{t * 1000:.1f}".replace(".", ","),
            "i1": f"{i * 1000:.3f}".replace(".", ","),
        }
        lines.append(row.format(t=t, i=i, **said))
    path = tmp_path / "trace.csv"
    path.write_text("\n".join(lines))
    trace = csvtrace.read(path, Circuit(volts=volts))
    assert trace.seconds == pytest.approx(0.019)
    assert list(trace.power[:3]) == pytest.approx([0.030, 0.033, 0.036])
