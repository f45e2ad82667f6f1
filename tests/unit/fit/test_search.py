"""The search against exhaustive enumeration: the same answer, for any budget, from fewer
measurements; and no other answer for a larger budget than a better one.
"""

from __future__ import annotations

import gzip
import os
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import msgspec
import pytest

from ecfit.choices.curves import CURVES
from ecfit.choices.targets import find_target
from ecfit.fit.estimate import ASKS, Figures, Margins, Point, Scale, State, lowering
from ecfit.fit.question import AIMS, Limit, Need, Question, names
from ecfit.fit.search import Cost, Found, search

ROOT = Path(__file__).resolve().parents[3]
TABLE = ROOT / "results" / "fit" / "samd20-secp256r1-sign-verify.json.gz"
NEEDS = (Need(CURVES["secp256r1"], ("sign", "verify")),)
BUDGETS = int(os.environ.get("ECFIT_BUDGETS", "40"))  # make long WHAT=fit-check: 1,000
SCALE = Scale(0)  # the first axis is the field's
Table = Mapping[Point, Figures]


class Line(msgspec.Struct, frozen=True):
    """A point and its figures, as tools/docs/fit_table.py writes them."""

    point: tuple[str, ...]
    figures: dict[str, float]


@pytest.fixture(scope="module")
def table() -> Table:
    """Every configuration of one fit, measured."""
    lines = msgspec.json.decode(gzip.decompress(TABLE.read_bytes()), type=list[Line])
    return {line.point: line.figures for line in lines}


def exhaustive(table: Table, cost: Callable[[Figures], Cost]) -> Point:
    """The answer of who has measured everything."""
    return min(table, key=lambda point: cost(table[point]))  # the first of equal ones


def searched(table: Table, cost: Callable[[Figures], Cost]) -> Found:
    def measure(points: Sequence[Point]) -> list[Figures]:
        return [table[point] for point in points]

    return search(list(table), measure, cost, scale=SCALE)


def asked(limits: Sequence[Limit], minimise: str) -> Question:
    target = find_target("samd20")
    weights = dict.fromkeys(("keygen", "ecdh", "sign", "verify"), 1)
    return Question(
        target=target, mode=target.mode("datasheet"), mode_name="datasheet", needs=NEEDS,
        limits=tuple(limits), minimise=minimise, weights=weights, use=None, sets={}, presets=(),
        libraries=("ecfit",),
    )  # fmt: skip


def some_budget(table: Table, chance: random.Random) -> Question:
    """Limits about as large as what a configuration takes, some of them a little too small."""
    limits = []
    for aim in AIMS:
        for figures in (
            [names(NEEDS, aim)]
            if aim not in ("time", "energy")
            else [(name,) for name in names(NEEDS, aim)]
        ):
            if chance.random() < 0.4:
                taken = Limit("", aim, figures, 1).spent(table[chance.choice(list(table))])
                limits.append(Limit("", aim, figures, taken * chance.uniform(0.9, 1.3)))
    return asked(limits, chance.choice(AIMS))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_winner_of_every_budget_is_that_of_the_whole_table(table: Table, seed: int) -> None:
    chance, fitting, measured = random.Random(seed), 0, 0
    for number in range(BUDGETS):
        question = some_budget(table, chance)
        found, best = searched(table, question.cost), exhaustive(table, question.cost)
        assert found.order[0] == best, (number, question.limits, question.minimise)
        fitting += question.excess(table[best]) == 0
        measured += len(found.measured)
    assert BUDGETS / 10 < fitting < BUDGETS * 9 / 10, "budgets that say little"
    assert measured < BUDGETS * len(table) / 8, "a search that measures much"


def test_no_budget_at_all_has_another_winner_than_that_of_the_whole_table(table: Table) -> None:
    """No figure is below its optimistic one from the start, and margins only grow: whatever is
    asked, what could be better than the best is measured.
    """
    state = State(list(table), Margins(), SCALE)
    state.start(lambda points: [table[point] for point in points])
    optimistic = lowering(state.margins, state.centre)
    for point in set(table) - set(state.measured):
        figures = optimistic(state.estimate(point))
        assert figures.keys() == table[point].keys()
        assert all(figures[name] <= value for name, value in table[point].items()), point


def test_a_larger_budget_is_never_worse(table: Table) -> None:
    chance = random.Random(2)
    for _ in range(BUDGETS // 4):
        question = some_budget(table, chance)
        limits = [
            msgspec.structs.replace(limit, most=limit.most * chance.uniform(1, 1.2))
            for limit in question.limits
        ]
        larger = asked(limits, question.minimise)
        before = question.cost(table[searched(table, question.cost).order[0]])
        after = larger.cost(table[searched(table, larger.cost).order[0]])
        assert after <= before


def test_the_order_of_measuring_is_the_same_every_time(table: Table) -> None:
    question = some_budget(table, random.Random(3))
    first, second = (searched(table, question.cost) for _ in range(2))
    assert list(first.measured) == list(second.measured)
    assert first == second


def made_up(chance: random.Random, noise: float) -> dict[Point, dict[str, float]]:
    """A space of four axes with holes: bytes that add, times of two parts, and noise on each."""
    sizes = [chance.randint(2, 4) for _ in range(4)]
    weights = [[chance.uniform(0, 1000) for _ in range(size)] for size in sizes]
    speeds = [[chance.uniform(1, 3) for _ in range(size)] for size in sizes]
    found = {}
    for place in product(*map(range, sizes)):
        if any(place) and chance.random() < 0.2:
            continue
        slow = 1.0
        for axis, value in enumerate(place):
            slow *= speeds[axis][value]
        flash = 3000 + sum(weights[axis][value] for axis, value in enumerate(place))
        found[tuple(map(str, place))] = {
            "flash": round(flash + chance.uniform(-noise, noise) * 1000),
            "c.sign.time": (slow + place[0]) * (1 + chance.uniform(-noise, noise)),
            "c.sign.stack": 100 * sum(place) + 500,
        }
    return found


@pytest.mark.parametrize("noise", [0, 0.01, 0.1, 0.5])
def test_the_answer_is_right_whenever_the_margins_hold(noise: float) -> None:
    """What docs/fit.md proves: no figure of what was not measured below its optimistic value,
    so no better answer. Where the noise is larger than the margins, that is what may fail.
    """
    chance, held = random.Random(4), 0
    for _ in range(300):
        space = made_up(chance, noise)
        most = chance.uniform(3000, 6000)

        def cost(figures: Figures, most: float = most) -> Cost:
            return max(0.0, figures.get("flash", 0) / most - 1), figures.get("c.sign.time", 0)

        found = searched(space, cost)
        holds = all(
            space[point][name] >= value
            for point, figures in found.open.items()
            for name, value in figures.items()
        )
        held += holds
        if holds:
            assert found.order[0] == exhaustive(space, cost)
    assert held > 100 or noise > 0.01, "margins that never hold say nothing"


def test_points_that_fail_are_passed_over(table: Table) -> None:
    question = asked([], "time")
    best = exhaustive(table, question.cost)

    def measure(points: Sequence[Point]) -> list[Figures | None]:
        return [None if point == best else table[point] for point in points]

    found = search(list(table), measure, question.cost)
    rest = {point: figures for point, figures in table.items() if point != best}
    assert found.measured[best] is None
    assert found.order[0] == exhaustive(rest, question.cost)


def test_what_is_asked_of_the_caller_comes_before_what_is_to_be_small(table: Table) -> None:
    """Some settings ask for something: who asks for the least wins among those that keep the
    limits, however slow, and the search finds it.
    """
    chance, centre, decided = random.Random(6), next(iter(table)), 0
    for _ in range(BUDGETS // 4):
        texts = sorted({(axis, text) for point in table for axis, text in enumerate(point)})
        dear = {pair for pair in texts if pair[1] != centre[pair[0]] and chance.random() < 0.3}
        asking = {
            point: {**figures, ASKS: sum(pair in dear for pair in enumerate(point))}
            for point, figures in table.items()
        }
        question = some_budget(table, chance)
        best = searched(asking, question.cost).order[0]
        assert best == exhaustive(asking, question.cost)
        fitting = [figures for figures in asking.values() if question.excess(figures) == 0]
        if fitting:
            assert asking[best][ASKS] == min(figures[ASKS] for figures in fitting)
            decided += best != exhaustive(table, question.cost)
    assert decided
