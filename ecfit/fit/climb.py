"""After a search: one setting at a time, from its answer and from the presets.

A search leaves out values, and values together, that `search` in lib/knobs.toml names. Here one
setting at a time has every value that `--set` could give it, and the best of all these changes is
the next to start from, until none is better. While the limits are not kept, two settings at once
are changed, too, where they are of one axis, for these act together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product

from ecfit.build.parts import OWN
from ecfit.choices.knobs import (
    EXTRAS,
    CurveSlot,
    Knob,
    all_knobs,
    find_slot,
    needed,
    needed_knob,
    resolve,
)
from ecfit.choices.presets import DEFAULT_PRESET, all_presets
from ecfit.errors import UsageError
from ecfit.fit.question import Need, Question
from ecfit.fit.search import FAILED, Cost
from ecfit.fit.space import OPERATIONS, able, asked, hash_knobs, in_effect
from ecfit.model import Configuration

COUNTED = (
    "flash",
    "speed",
    "cycles",
    "stack",
)  # a text of `buys` that begins so is of what is measured
ARM = "armv6m", "armv7m", "armv7em"  # a core runs the assembly of those before it, too
STARTS = 3  # the best of the answer and the presets

Price = Callable[[Sequence[Configuration]], Sequence[Cost]]  # of configurations, measured


def climbs(question: Question) -> bool:
    """Whether settings are ours to choose: of one curve, and without presets of its own."""
    return len(question.needs) == 1 and OWN in question.libraries and not question.presets


def climb(question: Question, answer: Configuration | None, price: Price) -> None:
    """Prices configurations that differ in one setting from the best so far, until none costs less:
    from the answer of a search, and from the presets. The question is about one curve of ours,
    without presets of its own. Without an answer: only what is priced whatever it is.

    `asking`: while nothing keeps the limits, from the rest of the presets too, for "nothing keeps
    them" is said after that.
    """
    first, most = ((answer,), STARTS) if answer else ((), STARTS - 1)
    starts = list({start.key: start for start in (*first, *presets(question))}.values())
    least = FAILED
    ranked = sorted((cost, number) for number, cost in enumerate(price(starts)))
    for turn, (cost, number) in enumerate(ranked):
        if turn >= most and (not question.asking or least[0] == 0):
            break
        least = min(least, _climbed(question, starts[number], cost, price))


def _climbed(question: Question, start: Configuration, cost: Cost, price: Price) -> Cost:
    """The cost of the best that was found from here. `cost`: of the start."""
    best, before = start, None
    while before != best:
        changes = {name: list(changed(question, best, name)) for name in all_knobs()}
        singles = [configuration for varied in changes.values() for configuration in varied]
        pairs = paired(question, best, changes) if cost[0] > 0 else ()
        before = best
        cost, best = _best([best, *singles, *pairs], price)
    return cost


def _best(configurations: Sequence[Configuration], price: Price) -> tuple[Cost, Configuration]:
    """The first that costs least, behind its cost. What has been priced is not measured again."""
    costs = price(configurations)
    return min(costs), configurations[costs.index(min(costs))]


def paired(
    question: Question, start: Configuration, changes: Mapping[str, Sequence[Configuration]]
) -> Iterator[Configuration]:
    """Two changes of the start at once, where their knobs are of one axis. `changes`: by knob."""
    before = dict(start.settings)
    for first, second in combinations(changes, 2):
        if all_knobs()[first].axis and all_knobs()[first].axis == all_knobs()[second].axis:
            for left, right in product(changes[first], changes[second]):
                a, b = (_difference(question, before, each) for each in (left, right))
                if a.keys().isdisjoint(b) and (both := _with(question, before, {**a, **b})):
                    yield both


def _difference(
    question: Question, before: Mapping[str, str], configuration: Configuration
) -> dict[str, str]:
    """The settings that have an effect, and another value than before."""
    need, values = question.needs[0], dict(configuration.settings)
    used = in_effect(find_slot(need.curve.name), values, need.ops)
    return {name: values[name] for name in used if values[name] != before[name]}


def changed(question: Question, configuration: Configuration, name: str) -> Iterator[Configuration]:
    """The configurations with another value of this knob, where it has an effect, and with what
    that value needs of other knobs.
    """
    slot, ops = find_slot(question.needs[0].curve.name), question.needs[0].ops
    values, knob = dict(configuration.settings), all_knobs()[name]
    for value in values_in_turn(question, knob) if name in in_effect(slot, values, ops) else ():
        if value != values[name]:
            new = _with_needs(question, {**values, name: value}, name)
            candidate = None if new is None else _with(question, values, new)
            yield from [candidate] if candidate else []


def _with(
    question: Question, before: Mapping[str, str], changes: Mapping[str, str]
) -> Configuration | None:
    """With these settings changed, if they go together: what has an effect then, and what was
    changed, for what is needed is told also where it has no effect.
    """
    need, new = question.needs[0], {**before, **changes}
    slot = find_slot(need.curve.name)
    if next(_unmet(slot, new), None):
        return None
    used = in_effect(slot, new, need.ops)
    return named(question, {n: v for n, v in new.items() if n in used or v != before[n]}, new)


def _with_needs(question: Question, values: dict[str, str], name: str) -> dict[str, str] | None:
    """These values, with the first that a need allows where one is not met. The knob of this name
    stays, and so does what it brings: another knob that needs more goes back to the usual value.
    """
    slot, fixed = find_slot(question.needs[0].curve.name), {name, *question.sets}
    usual = _base(question, DEFAULT_PRESET) or values
    while unmet := next(_unmet(slot, values), None):
        needing, needed, allowed = unmet
        may = [v for v in values_in_turn(question, all_knobs()[needed]) if v in allowed]
        if needed not in fixed and may:
            values, fixed = {**values, needed: may[0]}, {*fixed, needed}
        elif needing not in fixed:
            values, fixed = {**values, needing: usual[needing]}, {*fixed, needing}
        else:
            return None
    return values


def _unmet(slot: CurveSlot, values: Mapping[str, str]) -> Iterator[tuple[str, str, Sequence[str]]]:
    """What needs another knob to have one of some values, and it has none of them."""
    for name, value in values.items():
        knob = all_knobs()[name]
        if knob.concerns(slot) and knob.kind == "slot" and value in knob.choices:
            for needed, allowed in knob.choices[value].needs.items():
                owner = needed_knob(needed, slot)
                if values[owner] not in allowed:
                    yield name, owner, allowed


def values_in_turn(question: Question, knob: Knob) -> tuple[str, ...]:
    """The values that a knob has in turn; none where `--set` fixes it. Values for another purpose
    than bytes and cycles stay out, and so do variable time and back ends in C. What asks something
    of the caller is left out unless `asking`.
    """
    fixed = {name.rpartition(".")[2].upper() for name in question.sets}
    if knob.name in {*fixed, *OPERATIONS, *EXTRAS}:
        return ()
    if knob.name == "BACKEND":
        own = question.target.backend
        return ARM[: ARM.index(own) + 1] if own in ARM else ()
    slot = find_slot(question.needs[0].curve.name)
    wanted = map(str, knob.search) if knob.name in hash_knobs() else knob.values
    return tuple(
        value
        for value in wanted
        if able(knob, value, question.target, slot)
        and (question.asking or not asked(knob, value))
        and (not knob.bought(value) or knob.bought(value).startswith(COUNTED))
    )


def presets(question: Question) -> Iterator[Configuration]:
    """The presets; unless `asking`, with the usual values of what would ask something."""
    curve, ops = question.needs[0].curve, question.needs[0].ops
    for preset in all_presets():
        if (base := _base(question, preset)) is None:
            continue
        used = in_effect(find_slot(curve.name), base, ops)
        values = {name: base[name] for name in used}
        if not question.asking:
            usual = _base(question, DEFAULT_PRESET) or base
            values |= {n: usual[n] for n, v in values.items() if asked(all_knobs()[n], v)}
        if configuration := named(question, values, base):
            yield configuration


def named(
    question: Question, values: Mapping[str, str], rest: Mapping[str, str]
) -> Configuration | None:
    """The configuration with these values, called after the preset with the fewest others; None
    where they do not go together. `rest`: of knobs without an effect here, for what values need.

    A preset can have other values once a setting differs (its back end), so what it has is
    compared, and what is not as wanted is told, too.
    """
    bases = {preset: base for preset in all_presets() if (base := _base(question, preset))}
    changes = {p: {n: v for n, v in values.items() if base[n] != v} for p, base in bases.items()}
    for preset in sorted(changes, key=lambda p: len(changes[p])):
        told = changes[preset]
        while True:
            configuration = _resolved(question, preset, told)
            settings = dict(configuration.settings) if configuration else {}
            more = {name: v for name, v in values.items() if settings.get(name, v) != v}
            if configuration and not more:
                return configuration
            more = more or _partners(question, told, rest)
            if more.items() <= told.items():
                break
            told = {**more, **told}
    return None


def _partners(
    question: Question, told: Mapping[str, str], rest: Mapping[str, str]
) -> dict[str, str]:
    """The values of knobs that these values need."""
    slot = find_slot(question.needs[0].curve.name)
    slots = ((name, value) for name, value in told.items() if all_knobs()[name].choices)
    names = (partner for name, value in slots for partner in needed(slot, name, value))
    return {name: rest[name] for name in names if name in rest}


def _base(question: Question, preset: str) -> Mapping[str, str] | None:
    """The settings of a preset here."""
    return _settings(question.needs[0], preset, tuple(question.sets.items()), *_place(question))


@cache
def _settings(
    need: Need, preset: str, sets: tuple[tuple[str, str], ...], backend: str, several: bool
) -> Mapping[str, str] | None:
    try:
        configuration = resolve(
            need.curve, preset, dict(sets), backend, several=several, ops=need.ops
        )
    except UsageError:
        return None
    return dict(configuration.settings)


def _resolved(question: Question, preset: str, changes: Mapping[str, str]) -> Configuration | None:
    need, (backend, several) = question.needs[0], _place(question)
    sets = {**question.sets, **changes}
    try:
        return resolve(need.curve, preset, sets, backend, several=several, ops=need.ops)
    except UsageError:
        return None


def _place(question: Question) -> tuple[str, bool]:
    return question.target.backend, question.several
