"""Powers and inversions in C: contracts that claim something else, and faults in the code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from prove import cfunctions, mutants
from prove.algebra.values import Refused
from prove.contracts import powers, records
from prove.contracts.banner import Unread
from prove.inverses import divloop, elements, functions, limbs, matrices, steps, traces
from prove.machine.compiled import Build, build
from prove.machine.image import Image

ELSE = (Refused, *mutants.ELSE)


def power(backend: str, curve: str, name: str, case: str = "") -> tuple[Build, powers.Power]:
    """One contract of a function."""
    made = build(backend, curve, "balanced")
    some = powers.promises(backend, made.functions[name], made.words)
    return made, next(one for one in some if one.contract.case == case)


def run(made: Build, one: powers.Power, image: Image | None = None) -> elements.Elements:
    """A run of it. Errors: Refused."""
    image = image or made.image()
    name = one.contract.name
    found = elements.Elements(image, made, one, elements.callees(made, image, name))
    found.check()
    return found


CASES = [
    ("armv6m", "ed25519", "p25519_pmers_fe_shift", "count 3"),
    ("armv6m", "ed25519", "p25519_pmers_fe_pow", "0xed, 3"),
    ("armv7em", "secp256r1", "secp256r1_fe_sqrt", ""),
    ("rv32im", "secp256k1", "secp256k1_fe_pow_q", "shift 1"),
]


@pytest.mark.parametrize(("backend", "curve", "name", "case"), CASES)
def test_another_exponent_is_refused(backend: str, curve: str, name: str, case: str) -> None:
    made, one = power(backend, curve, name, case)
    run(made, one)
    (o, e), *more = one.powers
    for other in (e + 1, e - 1, 2 * e, e + one.prime):
        with pytest.raises(Refused, match="exponent"):
            run(made, one._replace(powers=((o, other), *more)))
    run(made, one._replace(powers=((o, e + one.prime - 1), *more)))


def test_another_factor_is_refused() -> None:
    made, one = power(*CASES[2])
    with pytest.raises(Refused, match="factor"):
        run(made, one._replace(coefficient=one.coefficient + 1))


def test_a_larger_operand_or_a_smaller_result_is_refused() -> None:
    made, one = power(*CASES[2])
    contract, p = one.contract, one.prime
    operands = contract.operands | {"a": replace(contract.operands["a"], bound=p + 1)}
    with pytest.raises(Refused, match="too large"):
        run(made, one._replace(contract=replace(contract, operands=operands)))
    (goal,) = contract.goals
    with pytest.raises(Refused, match="too large"):
        run(made, one._replace(contract=replace(contract, goals=(replace(goal, bound=p - 1),))))


def test_a_root_is_no_power_modulo_other_primes() -> None:
    """2^255 - 19 is 5 modulo 8."""
    text = "void p25519_fe_sqrt(mp_word *r, const mp_word *a) r = a square root of a"
    with pytest.raises(Unread):
        list(powers._root(powers.Written("armv6m", "p25519_fe_sqrt", 8, text)))


def attack(
    image: Image, name: str, count: int, prove: Callable[[], Callable[[int], object]]
) -> int:
    """Faults in a function: how many are refused. What is accepted is compared on more states."""
    random, refused = Random(7), 0
    addresses = [i.address for i in image.instructions(name)]
    for address in random.sample(addresses, count):
        before = image.instruction(address).code
        image.patch(address, random.choice(list(mutants.variants(image, address))))
        try:
            compare = prove()
            compare(2)
        except ELSE:
            refused += 1
        else:
            compare(12)  # an error here: a fault that is accepted and wrong
        finally:
            image.patch(address, before)
    return refused


@pytest.mark.parametrize(("backend", "curve", "name", "case"), CASES)
def test_faults_in_a_power_are_refused(backend: str, curve: str, name: str, case: str) -> None:
    made, one = power(backend, curve, name, case)
    image = made.image()
    size = len(list(image.instructions(name)))
    count = min(8, size)
    refused = attack(image, name, count, lambda: run(made, one, image).compare)
    assert refused >= count // 2


@pytest.mark.parametrize("backend", ["armv6m", "rv32im"])
def test_faults_in_limbs_and_in_the_loop_are_refused(backend: str) -> None:
    made = build(backend, "secp256r1", "balanced")
    image = made.image()
    (split,) = limbs.promises(backend, made.functions["mod_inv_split"], 8)
    (join,) = limbs.promises(backend, made.functions["mod_inv_join"], 8)
    one = powers.promises(backend, made.functions["mod_inv"], 8)[0]
    n = split.lengths[-2]

    def splits() -> Callable[[int], object]:
        state = limbs.split(split, image, n, 2)
        return lambda states: limbs.compare_split(split, image, state, (n, 2), states)

    def joins() -> Callable[[int], object]:
        some = [limbs.Join(join, image, n, signs) for signs in limbs.SIGNS]
        return lambda states: [limbs.compare_join(one, image, n, states) for one in some]

    def loops() -> Callable[[int], object]:
        return divloop.Loop(image, backend, one, together=True).compare

    assert attack(image, "mod_inv_split", 14, splits) >= 7
    assert attack(image, "mod_inv_join", 14, joins) >= 7
    assert attack(image, "mod_inv", 24, loops) >= 12


def test_faults_in_matrices_in_c_are_refused() -> None:
    """What makes a matrix, and applies it, on RV32IM."""
    made = build("rv32im", "secp256r1", "balanced")
    image = made.image()
    for kind, count in (("steps", 16), ("reduce", 12), ("follow", 12)):
        (one,) = functions.promises("rv32im", made.functions[f"mod_inv_{kind}"], 8)
        assert isinstance(one, functions.Matrix)
        said = one.said._replace(lengths=one.said.lengths[:2])
        given = image, "rv32im", one.name, said

        def whole(given: tuple[Image, str, str, Any] = given) -> Callable[[int], object]:
            matrices.prove(*given)

            def compare(states: int, given: tuple[Image, str, str, Any] = given) -> None:
                assert matrices.right(*given, 8 * states)

            return compare

        assert attack(image, one.name, count, whole) >= count // 2


@pytest.mark.parametrize("kind", ["steps", "follow"])
def test_a_matrix_that_claims_too_much_is_refused(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One bit more in a limb; a larger zeta."""
    made = build("rv32im", "secp256r1", "balanced")
    (one,) = functions.promises("rv32im", made.functions[f"mod_inv_{kind}"], 8)
    assert isinstance(one, functions.Matrix)
    said = one.said._replace(bits=31, lengths=one.said.lengths[:1])
    with pytest.raises(Refused):
        functions.matrix(made, one._replace(said=said))
    if kind == "steps":
        for module in (steps, traces):
            monkeypatch.setattr(module, "ZETA", 1 << 31)
        with pytest.raises(Refused):
            functions.matrix(made, one._replace(said=said._replace(bits=30)))


def test_too_few_steps_are_refused() -> None:
    """6 for 7, in the number of steps: (7 b + 4)/3 for b bits."""
    made = build("rv32im", "secp256r1", "balanced")
    image = made.image()
    one = powers.promises("rv32im", made.functions["mod_inv"], 8)[0]
    (seven,) = (i for i in image.instructions("mod_inv") if (i.name, i.text) == ("li", "a5, 7"))
    code = int.from_bytes(seven.code, "little") - (1 << 2)
    image.patch(seven.address, code.to_bytes(2, "little"))
    assert image.instruction(seven.address).text == "a5, 6"
    with pytest.raises(Refused, match="too few steps"):
        divloop.Loop(image, "rv32im", one, together=False)


def test_what_is_called_must_be_proved() -> None:
    """The record of another code does not count."""
    made, one = power("armv6m", "secp256k1", "secp256k1_fe_sqrt")
    known = records.load(cfunctions.PROVED)
    name = "armv6m secp256k1_fe_mul 8"
    next(elements.prove(made, [one], known))
    with pytest.raises(Refused, match="not the one that is proved"):
        next(elements.prove(made, [one], known | {name: known[name] | {"codes": []}}))
