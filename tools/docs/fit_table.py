"""Measures every configuration that a fit could choose from, for the test that it misses nothing:
results/fit/samd20-secp256r1-sign-verify.json.gz (sweep fit-table, minutes). To be measured again
where the code of the library, or what is tried, has changed.

--sample N: of the whole space, not of that part, N configurations drawn at random are measured
instead, and printed is how far they are below their estimates.
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.choices.targets import find_target
from ecfit.fit.estimate import SPEEDS, Figures, Margins, Point, State, lowering
from ecfit.fit.fit import scale
from ecfit.fit.question import figures_of
from ecfit.fit.space import Candidate, candidates
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store, write_output
from ecfit.model import Record

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "results" / "fit" / "samd20-secp256r1-sign-verify.json.gz"
TARGET, CURVE = find_target("samd20"), CURVES["secp256r1"]
OPS, MODE = ("sign", "verify"), "datasheet"
SEED = 11
SETS = {"REDUCE": "solinas", "SQUARE": "own", "SHA256": "own"}  # a part that is small enough


class Line(msgspec.Struct, frozen=True):
    """A point of the space and its figures."""

    point: tuple[str, ...]
    figures: dict[str, float]


def read() -> list[Line]:
    """The table as it was measured."""
    return msgspec.json.decode(gzip.decompress(TABLE.read_bytes()), type=list[Line])


def measured(some: Sequence[Candidate], sets: Mapping[str, str], jobs: int) -> list[Line]:
    """Measures candidates. A failed run stops it."""
    bench = Bench(Settings(jobs=jobs), {}, Store())
    rows = []
    for candidate in some:
        configuration = resolve(
            CURVE, DEFAULT_PRESET, {**sets, **candidate.changes}, TARGET.backend
        )
        mode = TARGET.mode(MODE)
        rows += [Row(TARGET, mode, MODE, configuration, CURVE, op, OPS) for op in OPS]
    records: dict[int, Record] = {}
    for index, record in bench.each(rows, bench.measure):
        if record.status != "ok":
            sys.exit(f"fit_table: {record.preset} {record.changed}: {record.detail}")
        records[index] = record
        if len(records) % 50 == 0:
            sys.stderr.write(f"{len(records)} of {len(rows)}\n")
    lines = []
    for number, candidate in enumerate(some):
        figures: dict[str, float] = {}
        for at in range(len(OPS)):
            figures |= figures_of(CURVE.name, records[number * len(OPS) + at])
        lines.append(Line(candidate.point, figures))
    return lines


def misses(number: int, jobs: int) -> None:
    """Prints of each figure how far it is below its estimate at most, among so many."""
    space = {made.point: made for made in candidates(CURVE, OPS, TARGET, {}, asking=True)}

    def measure(points: Sequence[Point]) -> list[Figures | None]:
        return [line.figures for line in measured([space[p] for p in points], {}, jobs)]

    state = State(list(space), Margins(), scale(next(iter(space))))
    state.start(measure)
    drawn = [p for p in random.Random(SEED).sample(list(space), number) if p not in state.measured]
    optimistic = lowering(state.margins, state.centre)
    worst: dict[str, float] = {}
    below = 0
    for point, figures in zip(drawn, measure(drawn), strict=True):
        estimate = state.estimate(point)
        least = optimistic(estimate)
        below += any(value < least[name] for name, value in (figures or {}).items())
        for name, value in (figures or {}).items():
            miss = estimate[name] - value
            share = miss / estimate[name] if name.endswith(SPEEDS) else miss
            worst[name] = max(share, worst.get(name, share))
    print(f"{len(space)} configurations, {len(state.measured)} measured first, {len(drawn)} drawn;")
    print(f"{below} of these are below their optimistic figures; below the estimate at most:")
    for name, most in worst.items():
        print(
            f"  {name}: {100 * most:.1f} %" if name.endswith(SPEEDS) else f"  {name}: {most:.0f} B"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", type=int, metavar="N")
    chosen = parser.parse_args()
    if chosen.sample:
        misses(chosen.sample, chosen.jobs)
        return
    space = candidates(CURVE, OPS, TARGET, SETS)
    text = msgspec.json.encode(measured(space, SETS, chosen.jobs))
    TABLE.parent.mkdir(exist_ok=True)
    write_output(TABLE, gzip.compress(text, mtime=0))


if __name__ == "__main__":
    main()
