"""A covering array of the knobs: few configurations in which every two values
that go together stand together once.

Greedy, after D. M. Cohen and others, "The AETG system" (IEEE Trans. Software Eng. 23, 1997): each
row starts with a pair that no row has yet and takes, knob by knob, the value with most new pairs.
What goes together is what lib/knobs.toml says; a set of values is an integer with a bit for each,
so that this takes seconds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

from ecfit.choices import knobs
from ecfit.choices.knobs import CurveSlot, Knob

Item = tuple[str, str]  # knob and value
Row = dict[str, str]


class Space:
    """The knobs that a curve has, all their values as numbered items, and which
    of them go together; with `backend`, those of that back end.
    """

    def __init__(self, slot: CurveSlot, backend: str | None = None) -> None:
        self.knobs = {
            knob.name: knob
            for knob in knobs.all_knobs().values()
            if knob.scope == "global" or knob.concerns(slot)
        }
        self.items = [
            (name, value)
            for name, knob in self.knobs.items()
            for value in ([backend] if backend and name == "BACKEND" else offered(knob, slot))
        ]
        self.number = {item: number for number, item in enumerate(self.items)}
        self.domains = {
            name: self._mask(item for item in self.items if item[0] == name) for name in self.knobs
        }
        self.everything = (1 << len(self.items)) - 1
        self.friends = [self._friends(item, slot) for item in self.items]
        self.users = [self._users(item) for item in self.items]
        self._known: list[int] = []  # configurations that were found, which answer most questions

    def _mask(self, items: Iterator[Item]) -> int:
        return sum(1 << self.number[item] for item in items)

    def _friends(self, item: Item, slot: CurveSlot) -> int:
        """The items that can stand in one configuration with this one."""

        def takes(one: Item, other: Item) -> bool:
            knob = self.knobs[one[0]]
            needs = knob.choices[one[1]].needs if knob.kind == "slot" else {}
            return all(
                other[1] in allowed
                for name, allowed in needs.items()
                if knobs.needed_knob(name, slot) == other[0]
            )

        others = (
            other
            for other in self.items
            if other[0] != item[0] and takes(item, other) and takes(other, item)
        )
        return self._mask(others) | 1 << self.number[item]

    def _users(self, item: Item) -> int:
        """The items with which this one has an effect: all, but for numbers
        that only some values use, of which the curve's family may lack one.
        """
        allowed = self.everything
        for name, values in self.knobs[item[0]].used_by.items():
            items = ((name, value) for value in values if (name, value) in self.number)
            allowed &= ~self.domains[name] | self._mask(items)
        return allowed

    def feasible(self, allowed: int) -> bool:
        """Whether there is a whole configuration of the allowed items."""
        if any(not known & ~allowed for known in self._known):
            return True
        found = self._complete(allowed, list(self.knobs))
        if found is not None:
            self._known.append(found)
        return found is not None

    def _complete(self, allowed: int, names: list[str]) -> int | None:
        """A whole configuration of the allowed items, the knob with fewest values first;
        None if there is none.
        """
        if not names:
            return allowed
        name = min(names, key=lambda name: (allowed & self.domains[name]).bit_count())
        rest, others = allowed & self.domains[name], [other for other in names if other != name]
        while rest:
            bit = rest & -rest
            rest ^= bit
            found = self._complete(allowed & self.friends[bit.bit_length() - 1], others)
            if found is not None:
                return found
        return None

    def around(self, pair: tuple[int, int]) -> int:
        """The items that remain beside a pair that is to have an effect."""
        one, other = pair
        return self.friends[one] & self.friends[other] & self.users[one] & self.users[other]

    def possible(self) -> list[int]:
        """For each item, those with which some configuration has it, both with an effect."""
        found = [0] * len(self.items)
        for pair in combinations(range(len(self.items)), 2):
            if self.friends[pair[0]] >> pair[1] & 1 and self.feasible(self.around(pair)):
                found[pair[0]] |= 1 << pair[1]
                found[pair[1]] |= 1 << pair[0]
        return found

    def used(self, row: int) -> int:
        """The items of a configuration that have an effect in it."""
        numbers = (
            number
            for number in range(len(self.items))
            if row >> number & 1 and not row & ~self.users[number]
        )
        return sum(1 << number for number in numbers)

    def named(self, row: int) -> Row:
        """The configuration by names."""
        return dict(item for number, item in enumerate(self.items) if row >> number & 1)


def offered(knob: Knob, slot: CurveSlot) -> list[str]:
    """The values that the family of the curve has, and that this machine can build."""
    if knob.kind == "number":
        return list(knob.values)
    return [
        value
        for value, choice in knob.choices.items()
        if (not choice.family or slot.family in choice.family)
        and (not choice.arch or "host" in choice.arch)
    ]


def covering(
    slot: CurveSlot,
    limit: int | None = None,
    seed: int = 1,
    candidates: int = 10,
    backend: str | None = None,
) -> list[Row]:
    """Configurations that have every possible pair, or the first `limit` of them;
    the same ones each time.
    """
    space, source = Space(slot, backend), random.Random(seed)
    missing = space.possible()
    rows: list[int] = []
    while any(missing) and (limit is None or len(rows) < limit):
        made = [_row(space, _start(missing, source), missing, source) for _ in range(candidates)]
        best = max(made, key=lambda row: gain(space.used(row), missing))
        rows.append(best)
        used = space.used(best)
        missing = [
            mask & ~used if used >> number & 1 else mask for number, mask in enumerate(missing)
        ]
    return [space.named(row) for row in rows]


def gain(used: int, missing: list[int]) -> int:
    """Twice the number of missing pairs among these items."""
    return sum(
        (mask & used).bit_count() for number, mask in enumerate(missing) if used >> number & 1
    )


def _start(missing: list[int], source: random.Random) -> tuple[int, int]:
    """A missing pair of the item that misses most."""
    one = max(
        range(len(missing)), key=lambda number: (missing[number].bit_count(), source.random())
    )
    other = source.choice([number for number in range(len(missing)) if missing[one] >> number & 1])
    return one, other


def _row(space: Space, start: tuple[int, int], missing: list[int], source: random.Random) -> int:
    """A whole configuration around a pair."""
    allowed, chosen = space.around(start), 1 << start[0] | 1 << start[1]
    names = [
        name for name in space.knobs if name not in {space.items[number][0] for number in start}
    ]
    source.shuffle(names)
    for name in names:
        domain = allowed & space.domains[name]
        numbers = [number for number in range(len(space.items)) if domain >> number & 1]
        source.shuffle(numbers)
        for number in sorted(numbers, key=lambda number: -(missing[number] & chosen).bit_count()):
            if space.feasible(allowed & space.friends[number]):
                allowed &= space.friends[number]
                chosen |= 1 << number
                break
    return allowed
