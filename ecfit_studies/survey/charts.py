"""The charts of a study for --plot: its own, or those that any study can have."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit_studies.survey.study import Chart, Point, Study, StudyRecord

OWN, NEAR = "ecfit", 0.10
ENOUGH = 0.2  # of the rows are published: else the chart is about flash


def charts(study: Study, records: Sequence[StudyRecord]) -> list[Chart]:
    """One for each chip and mode of its flash, or those of the study; failed rows are not drawn."""
    good = [r for r in records if r.status == "ok" and r.time_us]
    found = study.charts(good) + study.more_charts(good) if good else []
    for target, mode in dict.fromkeys((r.target, r.mode) for r in good if not found):
        mine = [r for r in good if (r.target, r.mode) == (target, mode)]
        several = len({r.mode for r in good if r.target == target}) > 1
        name = f"{target}-{mode}" if several else target
        made = published(name, mine) or _sized(name, mine) or _timed(name, mine)
        found += [made] if made else []
    return found


def published(target: str, records: Sequence[StudyRecord]) -> Chart | None:
    """Published times and those measured, with a line where they are equal."""
    known = [r for r in records if r.published.get("time_us")]
    if not known or len(known) < ENOUGH * len(records):
        return None
    times = [(r.published["time_us"] / 1000, (r.time_us or 0) / 1000) for r in known]
    points = tuple(
        Point(x, y, f"{r.curve} {r.op}", _series(r), abs(y / x - 1) > NEAR)
        for r, (x, y) in zip(known, times, strict=True)
    )
    title = f"{target}: published and measured; filled: more than {NEAR:.0%} from 1:1"
    return Chart(target, title, "published ms", "measured, ms", points, ratio=1.0)


def _sized(target: str, records: Sequence[StudyRecord]) -> Chart | None:
    """Flash against time, of the operation that most rows have; filled: nothing beats it."""
    sized = [r for r in records if r.flash_bytes]
    if not sized:
        return None
    op = _usual(sized)
    mine = [r for r in sized if r.op == op]
    places = [(r.flash_bytes or 0, (r.time_us or 0) / 1000) for r in mine]
    points = tuple(
        Point(x, y, _label(r, mine), _series(r), not any(a <= x and b < y for a, b in places))
        for (x, y), r in zip(places, mine, strict=True)
    )
    title = f"{op} on {target}; filled: nothing as small is faster"
    return Chart(target, title, "flash, bytes", "ms", points)


def _timed(target: str, records: Sequence[StudyRecord]) -> Chart | None:
    """Two operations of native code, against each other."""
    ops = list(dict.fromkeys(r.op for r in records))
    if len(ops) < 2:
        return None
    first, second = ("sign", "verify") if {"sign", "verify"} <= {*ops} else ops[:2]
    times = {(r.group, r.curve, r.opt, r.op): r for r in records}
    pairs = [(r, times.get((*key[:3], second))) for key, r in times.items() if key[3] == first]
    points = tuple(
        Point(a.time_us or 0, b.time_us or 0, _label(a, records), _series(a), False)
        for a, b in pairs
        if b
    )
    return Chart(target, f"{target}: {first} and {second}", f"{first} µs", f"{second} µs", points)


def _usual(records: Sequence[StudyRecord]) -> str:
    ops = [r.op for r in records]
    return max(dict.fromkeys(ops), key=ops.count)


def _label(record: StudyRecord, among: Sequence[StudyRecord]) -> str:
    """The row, with its curve where there are several."""
    row = record.group if record.group not in ("", record.curve) else record.library
    return row if len({r.curve for r in among}) == 1 else f"{record.curve} {row}"


def _series(record: StudyRecord) -> str:
    return OWN if record.library == OWN else "peers"
