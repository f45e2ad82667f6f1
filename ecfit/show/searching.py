"""What a search says on standard error while it runs: few lines, each with the best so far.

A search measures hundreds of rows, which takes minutes. It first measures the presets, and names
the best after seconds. Then it says a line at 10, 20, 50, 100, 200, 300, .. configurations.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic

from ecfit.build.parts import OWN
from ecfit.choices.knobs import all_knobs
from ecfit.choices.peers import Peer
from ecfit.choices.presets import all_presets
from ecfit.errors import UsageError
from ecfit.fit.estimate import Figures
from ecfit.fit.fit import Answer, Planned, configuration_of, figures_together, rows_of
from ecfit.fit.question import Question
from ecfit.measure.bench import Row
from ecfit.model import Configuration, Record
from ecfit.show.answers import AIMS, MORE
from ecfit.show.layout import available, wrapped
from ecfit.show.progress import Progress
from ecfit.units import grouped, milliseconds

FEW = 10  # configurations, of which nobody asks how long they take
MARKS = (10, 20, 50, 100)  # configurations at which a line comes, then every hundred


class Searching(Progress):
    """Progress of searches, a context manager. `asked`: the question of the one that runs."""

    def __init__(self, asked: Question, *, quiet: bool) -> None:
        super().__init__(None, quiet=quiet)
        self.asked, self._aim = asked, ""
        self._records: dict[tuple[object, ...], dict[tuple[str, str], Record]] = {}
        self._reached, self._named = 0, ""
        self.before = ""  # a line that is said when the first row is to be measured
        self._total = self._began_with = 0
        self._began = monotonic()

    def expects(self, rows: Sequence[Row]) -> None:
        """A step begins, which measures these."""
        if rows and self.before:
            self.say(self.before)
            self.before = ""
        self._began_with, self._began = len(self._records), monotonic()
        self._total = len({*self._records, *map(_image, rows)})
        if self.bar is not None:
            self.bar.update(self.task, total=self.count + len(rows))

    def begins(self, asked: Question) -> None:
        """A search for another objective, among the same configurations."""
        self.asked, self._aim = asked, (AIMS | MORE)[asked.minimise]

    def seen(self, row: Row, record: Record) -> None:
        """A row more: the bar on a terminal moves. Says a line where a round number of
        configurations is reached.
        """
        if self.bar is not None:
            self.done(record)
        self._records.setdefault(_image(row), {})[row.curve.name, row.op] = record
        count = len(self._records)
        reached = max([mark for mark in MARKS if mark <= count], default=0)
        reached = max(reached, count - count % MARKS[-1])
        if self._aim and reached > self._reached:
            self._reached = reached
            self.say(f"{grouped(count)} measured{self._so_far()}{self._time_left(count)}")

    def _time_left(self, count: int) -> str:
        """Of this step, as long as the part before it took."""
        left, done = self._total - count, count - self._began_with
        if left < FEW or done < 1:
            return ""
        seconds = left * (monotonic() - self._began) / done
        return f"; {grouped(self._total)} with this step, in about {seconds:.0f} s"

    def _figures(self) -> Iterator[Figures]:
        """Of each configuration that has been measured whole; none for a handshake."""
        operations = [] if _handshake(self.asked) else self.asked.operations()
        for records in self._records.values() if operations else ():
            if all(operation in records for operation in operations):
                figures = figures_together(
                    self.asked, [records[operation] for operation in operations]
                )
                yield from [figures] if figures else []

    def _so_far(self) -> str:
        """The best configuration, where it is another than the last that was named."""
        whole = list(self._figures())
        good = [figures for figures in whole if self.asked.excess(figures) == 0]
        if not good:
            return ", none keeps the limits so far" if whole else ""
        best = self._text(min(good, key=self.asked.cost))
        if best == self._named:
            return ", none better so far"
        self._named = best
        return f", {self._aim} so far: {best}"

    def presets(self, figures: Mapping[str, Figures | None]) -> None:
        """Names the best preset of those that were measured."""
        good = {
            name: measured
            for name, measured in figures.items()
            if measured and self.asked.excess(measured) == 0
        }
        best = min(good, key=lambda name: self.asked.cost(good[name]), default="")
        if best:
            self._named = self._text(good[best])
            self.say(f"preset {best}: {self._named}")
        elif figures:
            self.say("no preset keeps the limits")

    def ends(self, answer: Answer) -> None:
        """Says what a search has found."""
        if answer.fits:
            self._named = self._text(answer.figures(answer.best))
            self.say(f"{self._aim} found: {self._named}")

    def _text(self, figures: Figures) -> str:
        several = len(self.asked.needs) > 1
        times = (
            f"{f'{curve} ' if several else ''}{op} "
            f"{milliseconds(figures.get(f'{curve}.{op}.time'))} ms"
            for curve, op in self.asked.operations()
        )
        sizes = (
            f"{aim} {grouped(round(self.asked.total(aim, figures)))} B"
            for aim in ("flash", "stack")
        )
        return ", ".join([*times, *sizes])

    def say(self, text: str) -> None:
        """A line, above the bar where there is one."""
        if self.quiet:
            return
        lines = "\n".join(wrapped(text, available()))
        if self.bar is None:
            sys.stderr.write(f"{lines}\n")
            sys.stderr.flush()
        else:
            self.bar.console.print(lines, markup=False, highlight=False)


def _image(row: Row) -> tuple[object, ...]:
    """What tells the images of rows apart."""
    configurations = [row.configuration, *(configuration for _, configuration in row.others)]
    return (row.image_ops, *sorted((c.library, c.key) for c in configurations))


def preset_rows(
    asked: Question, peers: Mapping[str, Peer]
) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """The rows of each preset that can be measured before a search begins: for one curve, where
    the search is among settings of ours. Presets that ask something of the caller are left out.
    """
    alone = len(asked.needs) == 1 and not _handshake(asked)
    searched = OWN in asked.libraries and not asked.presets
    for name in all_presets() if alone and searched else ():
        try:
            configuration = configuration_of(asked, peers, Planned(OWN, name, asked.sets))
        except UsageError:  # the preset cannot stand beside --set
            continue
        if not _asks(configuration, asked):
            yield name, rows_of(asked, configuration)


def _handshake(asked: Question) -> bool:
    """Whether a limit is that of a handshake, which is known when it has been replayed."""
    return any(limit.replayed for limit in asked.limits)


def _asks(configuration: Configuration, asked: Question) -> bool:
    """Whether any of its settings, but those of --set, asks something of the caller."""
    fixed = {name.rpartition(".")[2].upper() for name in asked.sets}
    settings = ((name.rpartition(".")[2], value) for name, value in configuration.settings)
    choices = (
        all_knobs()[name].choices.get(value) for name, value in settings if name not in fixed
    )
    return any(choice is not None and choice.asks for choice in choices)
