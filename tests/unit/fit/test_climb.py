"""What is changed one setting at a time after a search: which values, and that no change is left
that is better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from zlib import crc32

import pytest

from ecfit.choices.curves import CURVES, OPS, find_curve
from ecfit.choices.knobs import all_knobs, curve_slots, find_slot, resolve
from ecfit.choices.presets import DEFAULT_PRESET, all_presets
from ecfit.choices.targets import find_target
from ecfit.fit.climb import changed, climb
from ecfit.fit.fit import asks
from ecfit.fit.question import Need, Question
from ecfit.fit.search import Cost
from ecfit.fit.space import in_effect
from ecfit.model import Configuration

SMALLER = {"armv7m": ("armv6m",), "armv7em": ("armv6m", "armv7m")}


def question(
    curve: str = "secp256r1",
    ops: Sequence[str] = OPS,
    target: str = "nrf52840",
    *,
    asking: bool = False,
    sets: dict[str, str] | None = None,
) -> Question:
    chip = find_target(target)
    needs = (Need(find_curve(curve), tuple(op for op in ops if op in find_curve(curve).ops)),)
    return Question(
        target=chip, mode=chip.modes["datasheet"], mode_name="datasheet", needs=needs, limits=(),
        minimise="time", weights={}, use=None, sets=sets or {}, presets=(), libraries=("ecfit",),
        asking=asking,
    )  # fmt: skip


def preset(q: Question, name: str = DEFAULT_PRESET) -> Configuration:
    need = q.needs[0]
    return resolve(need.curve, name, q.sets, q.target.backend, ops=need.ops)


def seen(q: Question, cost: Callable[[dict[str, str]], float]) -> list[Configuration]:
    """What a climb from the usual preset prices with this cost, in order."""
    found: list[Configuration] = []

    def price(some: Sequence[Configuration]) -> list[Cost]:
        found.extend(some)
        return [(cost(dict(one.settings)),) for one in some]

    climb(q, preset(q), price)
    return found


@pytest.mark.parametrize("curve", [slot.name for slot in curve_slots() if slot.name in CURVES])
@pytest.mark.parametrize("target", ["samd20", "cc2538", "nrf52840", "ibex"])
def test_no_variable_time_and_no_other_purpose(curve: str, target: str) -> None:
    """Not even where each of them would be better; and nothing that asks, unless it may."""
    forbidden = {
        *((knob, value) for knob in ("BLIND", "VERIFY", "CHECK", "RESUME", "WORK", "DER")
          for value in all_knobs()[knob].values),
    }  # fmt: skip
    q = question(curve, target=target)
    start = dict(preset(q).settings)
    for one in seen(q, lambda values: -len(forbidden & values.items())):
        new = {pair for pair in one.settings if start[pair[0]] != pair[1]}
        assert not new & forbidden
        assert not asks(q, one)
        backend = dict(one.settings)["BACKEND"]
        assert backend == q.target.backend or backend in SMALLER.get(q.target.backend, ())


@pytest.mark.parametrize("target", ["cc2538", "nrf52840"])
def test_another_back_end_leaves_the_other_settings(target: str) -> None:
    """Though the preset that a configuration is called after has others with it."""
    q = question(ops=("keygen", "ecdh"), target=target, asking=True)
    before = preset(q, "lowram")
    for one in changed(q, before, "BACKEND"):
        differing = {a[0] for a, b in zip(one.settings, before.settings, strict=True) if a != b}
        values = dict(one.settings)
        assert differing & in_effect(find_slot("secp256r1"), values, q.needs[0].ops) == {"BACKEND"}


def test_the_assembly_of_a_smaller_core_is_tried() -> None:
    """On the Cortex-M3 that of the Cortex-M0 is smaller, in some places."""
    q = question(ops=("ecdh",), target="cc2538")
    found = {dict(one.settings)["BACKEND"] for one in changed(q, preset(q), "BACKEND")}
    assert found == {"armv6m"}
    fixed = question(ops=("ecdh",), target="cc2538", sets={"BACKEND": "armv7m"})
    assert not [*changed(fixed, preset(fixed), "BACKEND")]


@pytest.mark.parametrize(
    ("asking", "keeps", "starts"), [(False, False, 2), (True, True, 2), (True, False, 5)]
)
def test_every_preset_is_a_start_before_it_is_said_that_nothing_keeps_the_limits(
    *, asking: bool, keeps: bool, starts: int
) -> None:
    """The single changes of so many presets are measured; with an answer, it is one more start."""
    q = question(ops=("ecdh",), asking=asking)
    presets = [preset(q, name) for name in all_presets()]
    keys = [one.key for one in presets]
    found: list[str] = []

    def price(some: Sequence[Configuration]) -> list[Cost]:
        """The excess over the limits alone."""
        found.extend(one.key for one in some)
        ranks = [keys.index(one.key) if one.key in keys else 99 for one in some]
        return [(0 if keeps and rank == 2 else 1 + rank,) for rank in ranks]

    climb(q, None, price)
    changes = [[one.key for name in all_knobs() for one in changed(q, p, name)] for p in presets]
    assert sum({*some} <= {*found} for some in changes) == starts


def test_two_changes_of_one_axis_are_tried_together() -> None:
    """Each alone is worse, or another one hides them: from there, none of the two is better."""
    q = question("secp256k1", ("verify",), "lpc1114", asking=True)
    start = dict(preset(q, "lowram").settings)
    pair, other = {"PRODUCT": "unrolled", "REDUCE": "solinas_loop"}, {"INVERT": "divsteps"}

    def cost(values: dict[str, str]) -> float:
        if pair.items() <= values.items():
            return 20
        return 50 if other.items() <= values.items() else 90 + len(pair.items() & values.items())

    found = seen(q, cost)
    both = [one for one in found if pair.items() <= {*one.settings}]
    assert any({n for n, v in one.settings if start[n] != v} == {*pair} for one in both)
    kept = seen(q, lambda _: 0)  # the limits are kept
    assert not any({n for n, v in one.settings if start[n] != v} == {*pair} for one in kept)


def test_what_asks_is_tried_where_it_may() -> None:
    found = seen(question(asking=True), lambda values: values["WIPE"] == "stack")
    assert any(asks(question(asking=True), one) for one in found)
    fixed = question(asking=True, sets={"WIPE": "stack", "INVERT": "fermat"})
    for one in seen(fixed, lambda values: values["WIPE"] == "stack"):
        assert {("WIPE", "stack"), ("INVERT", "fermat")} <= {*one.settings}


@pytest.mark.parametrize("name", all_presets())
def test_each_preset_is_reached_where_it_is_the_best(name: str) -> None:
    q = question(asking=True)
    wanted = preset(q, name).settings
    used = in_effect(find_slot("secp256r1"), dict(wanted), OPS)
    found = seen(q, lambda values: sum(values[n] != v for n, v in wanted if n in used))
    assert any({(n, v) for n, v in wanted if n in used} <= {*one.settings} for one in found)


@pytest.mark.parametrize("ops", [("ecdh",), ("sign", "verify")])
def test_no_single_change_is_better_than_the_best_that_was_seen(ops: tuple[str, ...]) -> None:
    """With costs that reward some settings only where others have a value, too."""
    q = question(ops=ops)

    def cost(values: dict[str, str]) -> float:
        apart = values["TABLE"] == "affine" and values["INVERT"] != "fermat"
        return sum(crc32("=".join(pair).encode()) % 7 for pair in values.items()) + 5 * apart

    found = seen(q, cost)
    best = min(found, key=lambda one: cost(dict(one.settings)))
    for name in all_knobs():
        for other in changed(q, best, name):
            assert cost(dict(other.settings)) >= cost(dict(best.settings))


def test_a_configuration_is_called_after_the_nearest_preset() -> None:
    q = question(ops=("ecdh",), asking=True)
    found = seen(q, lambda values: values["MULV"] != "binary")
    names = {one.label for one in found}
    assert "compact INVERT=fermat" in names or "compact WIPE=none" in names


def test_the_best_change_of_a_start_is_tried_before_a_change_that_hides_it() -> None:
    """A knob that comes earlier is a little better, and then the other one no longer helps."""
    q = question(ops=("ecdh",))
    names = list(all_knobs())
    assert names.index("INVERT") < names.index("WINDOW")
    start = dict(preset(q).settings)

    def cost(values: dict[str, str]) -> float:
        inverted = values["INVERT"] != start["INVERT"]
        good = values["WINDOW"] == "5" and not inverted
        return sum(values[n] != v for n, v in start.items()) + (-9 if good else -2 * inverted)

    assert any(one.label.endswith(" WINDOW=5") for one in seen(q, cost))
    best = min(seen(q, cost), key=lambda one: cost(dict(one.settings)))
    assert dict(best.settings) == {**start, "WINDOW": "5"}


def test_a_change_brings_what_it_needs() -> None:
    """Of P-256 on the nRF52840, the ladder on a line: two other knobs."""
    q = question(ops=("keygen", "ecdh"))
    found = [dict(one.settings) for one in changed(q, preset(q, "compact"), "MULV")]
    ladder = next(values for values in found if values["MULV"] == "ladder_coz")
    assert ladder["COORDINATES"] == "jacobian_run"
    assert ladder["MULD"] == "digits"
    fixed = question(ops=("keygen", "ecdh"), sets={"COORDINATES": "jacobian"})
    assert all(
        values["COORDINATES"] == "jacobian"
        for one in changed(fixed, preset(fixed, "compact"), "MULV")
        for values in [dict(one.settings)]
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_priced_without_an_answer_is_priced_with_any(seed: int) -> None:
    """So if it keeps the limits there, fit's answer keeps them: sweep `fit-ahead` needs that."""
    q = question(ops=("ecdh",), asking=True)

    def cost(values: dict[str, str]) -> float:
        return sum(crc32(f"{seed}{pair}".encode()) % 7 for pair in values.items())

    def priced(answer: Configuration | None) -> set[str]:
        found: list[Configuration] = []

        def price(some: Sequence[Configuration]) -> list[Cost]:
            found.extend(some)
            return [(cost(dict(one.settings)),) for one in some]

        climb(q, answer, price)
        return {one.key for one in found}

    least = priced(None)
    answers = [*(preset(q, name) for name in all_presets()), *changed(q, preset(q), "MULV")]
    assert all(least <= priced(answer) for answer in answers)
    assert any(least < priced(answer) for answer in answers)
