"""Proofs of C functions: what docs/proved.md says of them, tried on a sample, and attacked."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from prove import cfunctions, mutants
from prove.algebra.values import Refused
from prove.cfunctions import Unit, units
from prove.contracts import records
from prove.contracts.banner import Unread
from prove.contracts.comments import contracts, text_of
from prove.contracts.contract import Contract
from prove.contracts.expression import Term
from prove.machine.image import Image

PRESETS = ("balanced", "lowram")
MOST_EXCEPTIONS = 0  # names, or names on one back end: all are proved


def one(
    backend: str, label: str, curve: str = "secp256r1", presets: tuple[str, ...] = PRESETS
) -> tuple[Image, Contract]:
    """The image of a function, of a preset that has it, and its first contract."""
    (made, function), *_ = units(backend, (curve,), presets)[label]
    return made.image(), contracts(backend, function, made.words)[0]


def check(backend: str, today: dict[str, list[Unit]], *, whole: bool) -> None:
    """Each function is proved, with the code and the contract of today, or an exception."""
    known = records.load(cfunctions.PROVED)
    for label, some in today.items():
        record = known.get(f"{backend} {label}")
        assert (record is None) == cfunctions.excepted(backend, label), f"{backend} {label}"
        if record is not None:
            codes = {function.digest for _, function in some}
            assert codes <= set(record["codes"]), f"{backend} {label}: run `make long WHAT=prove`"
            assert codes == set(record["codes"]) or not whole
            said = {cfunctions.contract(backend, f, made.words) for made, f in some}
            assert said <= set(record["contract"].split())
            assert record["contracts"] > 0


@pytest.mark.parametrize("backend", records.BACKENDS)
def test_functions_of_two_presets_are_proved_or_exceptions(backend: str) -> None:
    check(backend, units(backend, ("secp256r1",), PRESETS), whole=False)


@pytest.mark.ci
@pytest.mark.parametrize("backend", records.BACKENDS)
def test_functions_of_all_presets_are_proved_or_exceptions(backend: str) -> None:
    """And there is no record of a function that no preset uses."""
    today = units(backend)
    check(backend, today, whole=True)
    mine = {
        label.split(" ", 1)[1]
        for label in records.load(cfunctions.PROVED)
        if label.startswith(backend)
    }
    assert mine <= today.keys()


def test_the_exceptions_become_fewer() -> None:
    assert len(cfunctions.exceptions()) <= MOST_EXCEPTIONS


@pytest.mark.parametrize(
    ("backend", "label"), [("armv6m", "mod_add 8"), ("rv32im", "secp256r1_fe_negate 8")]
)
def test_quick_proofs(backend: str, label: str) -> None:
    assert "reason" not in cfunctions.attempt(
        backend, units(backend, ("secp256r1",), PRESETS)[label]
    )


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("mod_add 8", {"a": 1 << 256}),
        ("mod_sub_fast 8", {"b": 1 << 256}),
        ("mod_once 8", {"r": 1 << 258}),
        ("secp256r1_fe_negate 8", {"y": 1 << 256}),
        ("mod_add 8", {"out": 1 << 255}),
        ("mp_copy 8", {"out": 1 << 255}),
    ],
)
def test_a_contract_that_claims_too_much_is_refused(name: str, change: dict[str, int]) -> None:
    """Operands beyond their bound, or a result below a bound that is too small."""
    image, made = one("armv6m", name)
    operands: dict[str, Any] = dict(made.operands)
    for operand, bound in change.items():
        if operand in operands:
            operands[operand] = replace(operands[operand], bound=bound)
    goals = tuple(replace(g, bound=change.get("out", g.bound)) for g in made.goals)
    with pytest.raises(Refused):
        cfunctions.proved(image, replace(made, operands=operands, goals=goals))


@pytest.mark.parametrize(
    ("backend", "label", "changes"),
    [
        ("armv7em", "mod_mul 8", {"b": 1 << 256}),
        ("armv7em", "mod_mul 8", {"out": 1 << 255}),
        ("rv32im", "secp256r1_fe_redc 8", {"t": 1 << 512}),
        ("rv32im", "secp256r1_fe_mul 8", {"a": 1 << 256}),
        ("rv32im", "mod_mul 8", {"b": 1 << 256}),
    ],
)
def test_what_a_call_asks_of_operands_is_proved(
    backend: str, label: str, changes: dict[str, int]
) -> None:
    """Products and reductions that are called by contract, with operands that are too large."""
    image, made = one(backend, label, presets=("compact", "lowram"))
    operands = {
        name: replace(o, bound=changes.get(name, o.bound)) for name, o in made.operands.items()
    }
    goals = tuple(replace(g, bound=changes.get("out", g.bound)) for g in made.goals)
    with pytest.raises(Refused):
        cfunctions.proved(image, replace(made, operands=operands, goals=goals))


@pytest.mark.parametrize(("place", "number"), [(2, 12345), (3, 6)])
def test_a_record_that_does_not_fit_its_modulus_is_refused(place: int, number: int) -> None:
    """An inverse, or a length."""
    image, made = one("armv7em", "mod_mul 8")
    record = tuple(number if i == place else v for i, v in enumerate(made.record))
    with pytest.raises(Refused):
        cfunctions.proved(image, replace(made, record=record))


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("mp_equal 8", Term("num", value=0)),
        ("mp_equal 8", Term("num", value=1)),
        ("mp_is_zero 8", Term("num", value=1)),
        ("mp_bit 8", Term("bit", (Term("var", (), "a"),), value=1)),
    ],
)
def test_a_wrong_bit_is_refused(label: str, value: Term) -> None:
    image, made = one("armv6m", label)
    with pytest.raises(Refused):
        cfunctions.proved(image, replace(made, goals=(replace(made.goals[0], value=value),)))


def test_a_comparison_that_leaves_out_a_word_is_refused() -> None:
    """mp_equal of seven words is not that of eight."""
    image, made = one("armv6m", "mp_equal 8")
    (register,) = made.numbers
    with pytest.raises(Refused):
        cfunctions.proved(image, replace(made, numbers={register: 7}))


@pytest.mark.parametrize(
    ("backend", "labels"),
    [
        ("armv6m", ("mod_add 8", "mod_once 8", "mp_copy 8", "secp256r1_fe_negate 8")),
        ("armv7em", ("mod_mul 8", "mp_equal 8", "mp_bit 8", "mp_is_some 8")),
    ],
)
def test_faults_in_the_code_are_refused(backend: str, labels: tuple[str, ...]) -> None:
    """A bit of an instruction flipped: refused, or accepted and right."""
    random, tally = Random(3), mutants.Tally()
    for label in labels:
        image, made = one(backend, label)
        for address in random.sample(mutants.reached(image, made), 6):
            code = random.choice(list(mutants.variants(image, address)))
            mutants.attack(image, made, address, code, tally)
    assert tally.survived == []
    assert tally.refused > 15


def test_a_function_without_a_comment_is_not_read(tmp_path: Any) -> None:
    path = tmp_path / "one.inc"
    path.write_text("\n\nECFIT_STATIC void one(mp_word *r)\n{\n}\n", "utf-8")
    with pytest.raises(Unread):
        text_of(path, 3, "one")
