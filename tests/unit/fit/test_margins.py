"""Budgets less a margin or a reserve, and whether the model's error decides about one."""

from __future__ import annotations

import msgspec
import pytest

from ecfit.arguments.budget import reserved, tightened
from ecfit.choices.curves import find_curve
from ecfit.choices.targets import ERRORS, find_target
from ecfit.errors import UsageError
from ecfit.fit.question import Limit, Need, Question

pytestmark = pytest.mark.check

NEEDS = (Need(find_curve("x25519"), ("ecdh",)),)
TIME = Limit("--time ecdh=100us", "time", ("x25519.ecdh.time",), 100.0)
ENERGY = Limit("--energy ecdh=100uJ", "energy", ("x25519.ecdh.energy",), 100.0)
FLASH = Limit("--flash 100B", "flash", ("flash",), 100.0)
STACK = Limit("--stack 1000B", "stack", ("x25519.ecdh.stack",), 1000.0)
RAM = Limit("--ram 2000B", "ram", ("x25519.ecdh.ram",), 2000.0)
CHIP = find_target("lpc1114")


def asked(target: str = "lpc1114", *, of_class: str = "C", bound: str | None = None) -> Question:
    chip = find_target(target)
    mode = msgspec.structs.replace(chip.modes["datasheet"], error_class=of_class, bound=bound)
    return Question(
        target=chip, mode=mode, mode_name="datasheet", needs=NEEDS, limits=(TIME,),
        minimise="time", weights={"ecdh": 1}, use=None, sets={}, presets=(), libraries=("ecfit",),
    )  # fmt: skip


@pytest.mark.parametrize("of_class", [name for name, error in ERRORS.items() if error])
def test_a_budget_is_doubted_within_the_error_of_the_class(of_class: str) -> None:
    """Silicon within the error of the class may be on the other side of the budget."""
    question, error = asked(of_class=of_class), ERRORS[of_class]
    for limit, name in ((TIME, "x25519.ecdh.time"), (ENERGY, "x25519.ecdh.energy")):
        for spent in (100 * (1 - 1.01 * error), 100 * (1 + 1.01 * error)):
            assert not question.doubts(limit, {name: spent})
        for spent in (100 * (1 - 0.99 * error), 99.9, 100.0, 100.1, 100 * (1 + 0.99 * error)):
            assert question.doubts(limit, {name: spent})
    assert not question.doubts(FLASH, {"flash": 100.0})
    assert not question.doubts(STACK, {"x25519.ecdh.stack": 999.0})
    assert not asked(of_class="RTL").doubts(TIME, {"x25519.ecdh.time": 100.0})


def test_a_lower_bound_promises_nothing_that_it_keeps() -> None:
    question = asked(bound="worst")
    assert question.doubts(TIME, {"x25519.ecdh.time": 1.0})
    assert not question.doubts(TIME, {"x25519.ecdh.time": 1000.0})


def test_a_margin_of_the_error_leaves_no_doubt() -> None:
    (limit,) = tightened([TIME], "15%")
    assert (limit.most, limit.given, limit.option) == (85.0, 100.0, "--time ecdh=100us less 15%")
    assert not asked().doubts(limit, {"x25519.ecdh.time": 84.99})


def test_a_margin_leaves_sizes_alone() -> None:
    assert tightened([FLASH, STACK, TIME], "10%")[:2] == (FLASH, STACK)
    assert tightened([FLASH], None) == (FLASH,)


def test_a_reserve_is_taken_off_stack_and_ram_alone() -> None:
    found = reserved([FLASH, STACK, RAM, TIME], "256B", CHIP, NEEDS)
    assert [limit.most for limit in found] == [100.0, 744.0, 1744.0, 100.0]
    (chip,) = reserved([], "256B", CHIP, NEEDS)
    assert (chip.figures, chip.most) == (("x25519.ecdh.ram",), 8192 - 256)


@pytest.mark.parametrize(
    ("limits", "margin", "reserve", "words"),
    [
        ([STACK], "10%", None, "--margin tightens --time and --energy"),
        ([], "10%", None, "--margin tightens --time and --energy"),
        ([TIME], "100%", None, "below 100 per cent"),
        ([TIME], "ten", None, "as 10%, not 'ten'"),
        ([TIME], "nan%", None, "as 10%, not 'nan%'"),
        ([TIME], "-1%", None, "as 10%, not '-1%'"),
        ([STACK], None, "1000B", "is all of --stack 1000B"),
        ([], None, "8KiB", "is all of the chip's RAM"),
        ([STACK], None, "256x", "with its unit"),
    ],
)
def test_what_cannot_be_kept_free(
    limits: list[Limit], margin: str | None, reserve: str | None, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        reserved(tightened(limits, margin), reserve, CHIP, NEEDS)
