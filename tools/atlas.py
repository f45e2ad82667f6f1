#!/usr/bin/env python3
"""Makes the atlas of `ecfit fit`: ecfit/data/atlas (sweep atlas; it goes on where it stopped).

tools/atlas.py [PAIR ..]      measures rows of these pairs of back end and curve, armv6m:x25519,
                              until each is closed: no single change of a row of a front is left
tools/atlas.py --new N ..     at most N new rows of each pair
tools/atlas.py --pack         measures nothing: writes ecfit/data/atlas, each pair that has rows;
                              the charts of others stay
tools/atlas.py --chips [CHIP] measures some rows on this chip, or on every one with a model, and
                              writes what its flash and core make of the cycles:
                              results/fit/chips.json
tools/atlas.py --gap N ..     climbs from the answers of ecfit/data/atlas to the usual questions, by
                              at most N new rows of each pair, and writes by how much what was
                              measured is better: results/fit/gaps.json

Rows are kept in .cache/atlas, one file a pair. Where the library has changed since, a row whose
preprocessed source is the same stays; others are measured again.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from statistics import median

import msgspec

from ecfit import __version__
from ecfit.build.build import build_for_each, sizes, source_text
from ecfit.build.parts import OWN, source_digest
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import all_knobs, find_slot, resolve
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import Target, all_targets, find_target
from ecfit.errors import BuildError, UsageError
from ecfit.fit.asked import answers
from ecfit.fit.atlas import (
    BURDENS,
    Chart,
    Entry,
    Fronts,
    file_of,
    operations,
    packed_file,
    read_charts,
)
from ecfit.fit.climb import changed, named, values_in_turn
from ecfit.fit.question import Need, Question
from ecfit.fit.space import able, asked, in_effect
from ecfit.measure.bench import Bench, Row, null_row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store, write_output
from ecfit.model import Configuration
from ecfit.paths import LIB, ROOT
from ecfit.show.origin import origin
from ecfit.sim.flash import FlashTiming
from ecfit.units import median_int
from ecfit_studies.page.chooser import CHIPS, code_of
from ecfit_studies.page.chooser import FACTORS as CHIP_FACTORS

FOLDER = ROOT / ".cache" / "atlas"
USUAL = ("x25519", "ed25519", "secp256r1", "secp256k1", "secp384r1", "brainpoolP256r1")
STUDIES = ("presets", "fronts", "knobs", "anchors")
BATCH = 16  # rows between two looks at the fronts
CROSSED = 0.15  # of the changes are those of an axis of another row
GAPS = ROOT / "results" / "fit" / "gaps.json"
LEVELS = (0.25, 0.5, 0.75)  # between the smallest flash and that of the fastest, by logarithm
Values = tuple[tuple[str, str], ...]


class Asked(msgspec.Struct, frozen=True):
    """A usual question: the operations, whether burdens are allowed, the objective, and the most
    flash in bytes.
    """

    ops: tuple[str, ...]
    eased: bool
    aim: str
    flash: float = float("inf")

    def cost(self, figures: Sequence[float]) -> float:
        """What a row costs by :meth:`ecfit.fit.atlas.Fronts.figures`: infinite where it may not."""
        flash, stack, _, burden, *cycles = figures
        if flash > self.flash or (burden > 1 and not self.eased):
            return float("inf")
        return {"flash": flash, "stack": stack, "time": sum(cycles)}[self.aim]


class Gap(msgspec.Struct, frozen=True):
    """By which part the answers of the atlas are worse than the best of all rows measured, at the
    median and at most; `above`: how many by more than 2 %. `new`: rows of these that were measured
    for it; `left`: single changes of those best rows that are not measured.
    """

    pair: str
    rows: int
    new: int
    questions: int
    median: float
    most: float
    above: int
    left: int


class Kept(msgspec.Struct, frozen=True):
    """A line of the cache: what was measured, or why nothing was. `text`: of the source."""

    values: dict[str, str]
    text: str
    row: Entry | None
    failed: str = ""


class Pair:
    """The rows of a back end and a curve, and what measures more."""

    def __init__(self, backend: str, curve: str) -> None:
        self.chip, self.curve = find_target(CHIPS[backend]), CURVES[curve]
        self.ops, self.slot = operations(self.curve), find_slot(curve)
        self.question = Question(
            target=self.chip, mode=self.chip.mode("zero-ws"), mode_name="zero-ws",
            needs=(Need(self.curve, self.ops),), limits=(), minimise="time",
            weights=dict.fromkeys(self.ops, 1), use=None, sets={}, presets=(), libraries=(OWN,),
            asking=True,
        )  # fmt: skip
        self.bench = Bench(Settings(jobs=1), {}, Store())
        self.fronts = Fronts(self.curve, backend)
        self.path = FOLDER / f"{backend}-{curve}.jsonl"
        self.rows: list[Kept] = []
        self.known: set[Values] = set()
        self.texts: dict[str, Kept] = {}
        self.changes: dict[int, list[Configuration]] = {}
        self.random = random.Random(f"{backend}-{curve}")
        self._load()

    def _load(self) -> None:
        """Takes the rows of the file. Those that the library has changed since are measured and
        appended; the file is written whole when all are checked, so who stops before loses none.
        """
        lines = self.path.read_bytes().splitlines() if self.path.is_file() else []
        code = msgspec.json.encode(source_digest())
        same = bool(lines) and lines[0] == code
        kept = {}  # the last of a configuration
        for line in lines[1:]:
            with suppress(msgspec.DecodeError):  # one that was stopped while it was written
                row = msgspec.json.decode(line, type=Kept)
                kept[tuple(row.values.items())] = row
        if not lines:
            FOLDER.mkdir(parents=True, exist_ok=True)
            self.path.write_bytes(code + b"\n")
        for old in kept.values():
            configuration = None if same else self.configuration(old.values)
            if same or (configuration and self._text(configuration) == old.text):
                self._take(old)
            elif configuration:
                self.measure(configuration)
        if not same:
            data = b"".join(msgspec.json.encode(row) + b"\n" for row in self.rows)
            write_output(self.path, code + b"\n" + data)

    def _text(self, configuration: Configuration) -> str:
        return source_text(self.bench.request(self._row(configuration)))

    def configuration(self, values: dict[str, str]) -> Configuration | None:
        """The configuration of these values; None where they do not go together any more."""
        try:
            return named(self.question, values, values)
        except (KeyError, UsageError):
            return None

    def effective(self, configuration: Configuration) -> dict[str, str]:
        """The values that have an effect."""
        values = dict(configuration.settings)
        return {n: values[n] for n in sorted(in_effect(self.slot, values, self.ops))}

    def _row(self, configuration: Configuration) -> Row:
        q = self.question
        return Row(q.target, q.mode, q.mode_name, configuration, self.curve, self.ops[0], self.ops)

    def measure(self, configuration: Configuration) -> bool:
        """Measures a configuration, each once. Returns whether it was new."""
        values = self.effective(configuration)
        if tuple(values.items()) in self.known:
            return False
        row, failed, text = None, "", ""
        try:
            text = self._text(configuration)
            if text in self.texts:
                old = self.texts[text]
                row, failed = old.row, old.failed
                row = row and msgspec.structs.replace(row, values=values)
            else:
                row = self._measured(configuration, values)
        except (BuildError, UsageError) as error:
            failed = str(error)[:80]
        self._keep(Kept(values, text, row, failed))
        return True

    def _measured(self, configuration: Configuration, values: dict[str, str]) -> Entry:
        row = self._row(configuration)
        image, parts = build_for_each(self.bench.request(row))
        null = self.bench.image(self.bench.request(null_row(row)))
        figures = []
        for op in self.ops:
            done = self.bench.run(msgspec.structs.replace(row, op=op), image, null, "counts")
            observed = done.observation
            if observed.status != "ok" or not observed.cycles or observed.stack_bytes is None:
                raise BuildError(f"{op}: {observed.status}")
            static = (done.sizes.static_ram_bytes or 0) + (observed.heap_bytes or 0)
            figures.append(
                (median_int(observed.cycles), observed.stack_bytes, static + observed.stack_bytes)
            )
        cycles, stack, ram = zip(*figures, strict=True)
        flash = sizes(image, null).flash_bytes or 0
        every = (1 << len(self.ops)) - 1
        parts = {mask: size for mask, size in sorted(parts.items()) if mask != every}
        return Entry(values, flash, parts, cycles, stack, ram)

    def _keep(self, kept: Kept) -> None:
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(kept) + b"\n")
        self._take(kept)

    def _take(self, kept: Kept) -> None:
        self.known.add(tuple(kept.values.items()))
        if kept.text:
            self.texts.setdefault(kept.text, kept)
        self.rows.append(kept)
        if kept.row is not None:
            self.fronts.add(len(self.rows) - 1, kept.row)

    def seeds(self) -> Iterator[Configuration]:
        """The rows of the atlas, the presets, and what the kept records measured: each resolved for
        its own operations, for which it was good, and then for all.
        """
        chart = read_charts(self.chip.backend).get(self.curve.name)
        for row in chart.rows if chart else ():
            if configuration := self.configuration(row.values):
                yield configuration
        sets = [s for n in range(1, len(self.ops) + 1) for s in itertools.combinations(self.ops, n)]
        chosen: list[tuple[str, dict[str, str], tuple[str, ...]]] = [
            (preset, {}, ops) for preset in all_presets() for ops in sets
        ]
        chosen += self._recorded()
        for preset, changes, ops in chosen:
            try:
                base = resolve(self.curve, preset, changes, self.chip.backend, ops=ops)
            except UsageError:
                continue
            settings = dict(base.settings)
            values = {n: settings[n] for n in in_effect(self.slot, settings, ops)}
            if "caller" in values.values():
                continue
            if configuration := self.configuration_like(values, settings):
                yield configuration

    def configuration_like(
        self, values: dict[str, str], settings: dict[str, str]
    ) -> Configuration | None:
        """With these values, and otherwise the settings, where they go together."""
        try:
            return named(self.question, values, settings)
        except (KeyError, UsageError):
            return None

    def _recorded(self) -> Iterator[tuple[str, dict[str, str], tuple[str, ...]]]:
        targets = {name for name, t in all_targets().items() if t.backend == self.chip.backend}
        for kept in answers():
            if kept.curve == self.curve.name and kept.target in targets:
                ops = tuple(op for op in kept.ops.split("+") if op in self.ops)
                yield kept.preset, kept.changed, ops
        for study in STUDIES:
            with gzip.open(ROOT / f"results/studies/{study}.jsonl.gz") as file:
                for record in map(msgspec.json.decode, file):
                    if record["library"] != OWN or record["curve"] != self.curve.name:
                        continue
                    pairs = (pair.split("=") for pair in (record["changed"] or "").split())
                    changes = {pair[0]: pair[1] for pair in pairs if pair[0] in all_knobs()}
                    ops = tuple(op for op in record["image_ops"].split("+") if op in self.ops)
                    if record["target"] in targets and ops:
                        yield record["preset"], changes, ops

    def left(self, number: int) -> list[Configuration]:
        """The single changes of a row that are not measured."""
        if number not in self.changes:
            row = self.configuration(self.rows[number].values)
            names = self.rows[number].values if row else ()
            self.changes[number] = [
                new for name in names if row for new in changed(self.question, row, name)
            ]
        self.changes[number] = [c for c in self.changes[number] if self._key(c) not in self.known]
        return self.changes[number]

    def lifted(self, number: int) -> list[Configuration]:
        """A row without each of its burdens, and without any."""
        values, free = self.rows[number].values, dict[str, str]()
        for name, value in values.items():
            knob = all_knobs()[name]
            if asked(knob, value):
                free[name] = next(other for other in knob.values if not asked(knob, other))
        changes = [*({name: value} for name, value in free.items()), free] if free else []
        lifted = (self.configuration({**values, **change}) for change in changes)
        return [configuration for configuration in lifted if configuration]

    def _key(self, configuration: Configuration) -> Values:
        return tuple(self.effective(configuration).items())

    def crossed(self, front: Sequence[int]) -> Configuration | None:
        """A row of a front with an axis of another."""
        mine, other = (self.rows[self.random.choice(front)].values for _ in range(2))
        differing = [n for n, v in other.items() if mine.get(n, v) != v]
        if not differing:
            return None
        axis = all_knobs()[self.random.choice(differing)].axis
        names = [n for n in differing if all_knobs()[n].axis == axis] if axis else differing[:1]
        values = {**mine, **{n: other[n] for n in names}}
        allowed = all(v in values_in_turn(self.question, all_knobs()[n]) for n, v in values.items()
                      if len(all_knobs()[n].values) > 1 and n in names)  # fmt: skip
        return self.configuration(values) if allowed else None

    def fill(self, most: int) -> int:
        """Measures seeds, then changes, until that many are new; what lifts a burden in any case:
        without it, answers miss by the most. Returns how many changes of the fronts are left.
        """
        new = 0
        for seed in self.seeds():
            new += self.measure(seed)
            if new >= most:
                break
        while True:
            for number in list(self.fronts.rows):
                new += sum(self.measure(lifted) for lifted in self.lifted(number))
            if new >= most:
                break
            front = list(self.fronts.rows)
            waiting = [number for number in front if self.left(number)]
            if not waiting:
                break
            for _ in range(BATCH):
                cross = self.random.random() < CROSSED and self.crossed(front)
                some = self.left(self.random.choice(waiting))
                choice = cross or (self.random.choice(some) if some else None)
                new += bool(choice and self.measure(choice))
        return self.open()

    def usual(self, rows: Sequence[Entry]) -> list[Asked]:
        """The usual questions, with limits of flash as these rows have them."""
        questions = []
        for ops in self.fronts.sets:
            figures = [self.fronts.figures(row, ops) for row in rows]
            for eased in (False, True):
                mine = [f for f in figures if eased or f[BURDENS] == 1]
                if not mine:
                    continue
                questions += [Asked(ops, eased, aim) for aim in ("flash", "stack", "time")]
                least = min(flash for flash, *_ in mine)
                most = min(mine, key=lambda f: sum(f[BURDENS + 1 :]))[0]
                questions += [
                    Asked(ops, eased, "time", least * (most / least) ** level)
                    for level in LEVELS if most > 1.1 * least
                ]  # fmt: skip
        return questions

    def answered(self, rows: Mapping[int, Entry], of: Sequence[Asked]) -> list[tuple[float, int]]:
        """To each question the least cost, and the number of its row."""
        figures = {
            ops: [(n, self.fronts.figures(row, ops)) for n, row in rows.items()]
            for ops in self.fronts.sets
        }
        return [min((q.cost(f), n) for n, f in figures[q.ops]) for q in of]

    def gap(self, most: int) -> Gap:
        """Climbs from the answers of the atlas, and compares these with all rows."""
        chart = read_charts(self.chip.backend)[self.curve.name]
        there = {tuple(sorted(row.values.items())) for row in chart.rows}
        packed = {  # as measured: a chart rounds, and a limit may be missed by that
            number: kept.row for number, kept in enumerate(self.rows)
            if kept.row and tuple(sorted(kept.values.items())) in there
        }  # fmt: skip
        questions = self.usual(list(packed.values()))
        before, new = self.answered(packed, questions), 0
        while True:
            rows = {n: kept.row for n, kept in enumerate(self.rows) if kept.row}
            best = self.answered(rows, questions)
            numbers = sorted({number for _, number in best})
            waiting = list({self._key(c): c for n in numbers for c in self.left(n)}.values())
            if not waiting or new >= most:
                break
            self.random.shuffle(waiting)
            new += sum(self.measure(configuration) for configuration in waiting[:BATCH])
        gaps = [old / now - 1 for (old, _), (now, _) in zip(before, best, strict=True)]
        above = sum(gap > 0.02 for gap in gaps)
        middle = round(median(gaps), 4)
        name = f"{self.chip.backend}:{self.curve.name}"
        return Gap(
            name, len(rows), new, len(gaps), middle, round(max(gaps), 4), above, len(waiting)
        )

    def exact(self) -> set[int]:
        """The rows that no other beats in flash, stack and time of a usual set, with the burdens
        it has or fewer: without them a limit that a row of a front misses by a byte costs much.
        """
        numbers = set()
        rows = [(n, kept.row) for n, kept in enumerate(self.rows) if kept.row]
        for ops in self.fronts.sets:
            figures = {n: self.fronts.figures(row, ops) for n, row in rows}
            four = {
                n: (f[0], f[1], f[BURDENS] > 1, sum(f[BURDENS + 1 :])) for n, f in figures.items()
            }
            front: list[tuple[float, ...]] = []
            for number, mine in sorted(four.items(), key=lambda pair: (pair[1], pair[0])):
                if not any(all(a <= b for a, b in zip(f, mine, strict=True)) for f in front):
                    front.append(mine)
                    numbers.add(number)
        return numbers

    def chart(self) -> Chart:
        """The rows of the fronts, and those that limits may need."""
        rows = [self.rows[number].row for number in sorted({*self.fronts.rows, *self.exact()})]
        made = f"ecfit {__version__}, {origin(LIB)}"
        return Chart.of([row for row in rows if row is not None], self.open(), made)

    def open(self) -> int:
        """How many single changes of rows of the fronts are not measured."""
        return len({self._key(c) for number in self.fronts.rows for c in self.left(number)})


def chip_factors(name: str) -> dict[str, dict[str, list[float]]]:
    """By curve and kind of code the least, the median and the largest factor from the cycles of
    the atlas to those of a chip; empty where the atlas has no rows of its back end.
    """
    chip, charts = find_target(name), read_charts(find_target(name).backend)
    bench, factors = Bench(Settings(jobs=1), {}, Store()), dict[str, dict[str, list[float]]]()
    for curve in (CURVES[c] for c in ("x25519", "secp256r1") if c in charts):
        ops, slot = operations(curve), find_slot(curve.name)
        question = Question(
            target=chip, mode=chip.mode("datasheet"), mode_name="datasheet",
            needs=(Need(curve, ops),), limits=(), minimise="time", weights={}, use=None, sets={},
            presets=(), libraries=(OWN,), asking=True,
        )  # fmt: skip
        kinds: dict[str, list[Entry]] = {}
        for row in sorted(charts[curve.name].rows, key=lambda row: row.flash):
            if all(able(all_knobs()[n], v, chip, slot) for n, v in row.values.items()):
                kinds.setdefault(code_of(row.values), []).append(row)
        for kind, rows in kinds.items():
            for row in {
                id(r): r for r in (rows[len(rows) // 4], rows[3 * len(rows) // 4])
            }.values():
                if configuration := named(question, row.values, row.values):
                    record = bench.measure(Row(chip, question.mode, "datasheet", configuration,
                                               curve, ops[1], ops))  # fmt: skip
                    if record.cycles:
                        of = factors.setdefault(curve.name, {}).setdefault(kind, [])
                        of.append(round(record.cycles / row.cycles[1], 3))
    return {curve: {kind: [min(of), round(median(of), 3), max(of)] for kind, of in kinds.items()}
            for curve, kinds in factors.items()}  # fmt: skip


def timing_of(chip: Target) -> str:
    """What decides about the cycles of a chip: equal texts, equal factors."""
    mode = chip.modes["datasheet"]
    flash = [getattr(mode, name) for name in FlashTiming.__struct_fields__]
    memory = [(m.kind, m.latency) for m in chip.memory]
    return repr((chip.core, chip.model_options, flash, memory, chip.fpu, chip.backend))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pairs", nargs="*", default=[f"{b}:{c}" for c in USUAL for b in CHIPS])
    parser.add_argument("--new", type=int, default=sys.maxsize, help="rows of each pair")
    parser.add_argument("--gap", type=int, metavar="N", help="climb from the answers")
    parser.add_argument("--chips", nargs="?", const="", metavar="CHIP", help="measure it, or all")
    parser.add_argument("--pack", action="store_true", help="only write ecfit/data/atlas")
    chosen = parser.parse_args()
    if chosen.chips and chosen.chips not in all_targets():
        parser.error(f"no target is called {chosen.chips}: ecfit list targets")
    if chosen.chips is not None:
        of_chips = msgspec.json.decode(CHIP_FACTORS.read_bytes()) if chosen.chips else {}
        by_timing: dict[str, dict[str, dict[str, list[float]]]] = {}
        for name, target in all_targets().items():
            if target.runner == "sim" and chosen.chips in ("", name):
                timing = timing_of(target)
                if timing not in by_timing:
                    by_timing[timing] = chip_factors(name)
                of_chips[name] = by_timing[timing]
                print(name, of_chips[name], flush=True)
        lines = (f'"{name}": {msgspec.json.encode(f).decode()}' for name, f in of_chips.items())
        write_output(CHIP_FACTORS, "{\n" + ",\n".join(lines) + "\n}\n")
        return
    packed: dict[str, dict[str, Chart]] = {}
    gaps: dict[str, Gap] = {}
    for text in chosen.pairs:
        backend, _, curve = text.partition(":")
        if chosen.pack and not (FOLDER / f"{backend}-{curve}.jsonl").is_file():
            continue
        pair = Pair(backend, curve)
        if chosen.gap is not None and curve not in read_charts(backend):
            continue
        if chosen.gap is not None:
            gaps[text] = pair.gap(chosen.gap)
            print(gaps[text], flush=True)
            write_output(GAPS, msgspec.json.format(msgspec.json.encode([*gaps.values()])) + b"\n")
            continue
        before, left = len(pair.rows), pair.open() if chosen.pack else pair.fill(chosen.new)
        kept = read_charts(backend).get(curve)
        if kept and len(pair.rows) < len(kept.rows):
            print(f"{text}: {len(pair.rows)} rows are fewer than those that it has: it stays")
        elif pair.fronts.rows:
            packed.setdefault(backend, {})[curve] = pair.chart()
        on = len(pair.fronts.rows)
        print(f"{text}: {len(pair.rows) - before} new of {len(pair.rows)}, {on} on fronts, "
              f"{left} changes left", flush=True)  # fmt: skip
    file_of("").parent.mkdir(parents=True, exist_ok=True)
    for backend, charts in packed.items() if chosen.pack else ():
        data = packed_file({**read_charts(backend), **charts})
        write_output(file_of(backend), data)
        print(f"{backend}: {len(data)} bytes")


if __name__ == "__main__":
    main()
