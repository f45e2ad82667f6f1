"""What a fit tries: each configuration once, and nothing left out that has an effect."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ecfit.choices.curves import CURVES, OPS
from ecfit.choices.knobs import EXTRAS, all_knobs, find_slot, resolve
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.choices.targets import find_target
from ecfit.errors import UsageError
from ecfit.fit.space import candidates, in_effect
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store

TARGET = find_target("samd20")


@pytest.mark.parametrize("curve", ["secp256r1", "secp384r1", "brainpoolP256r1", "x448", "ed25519"])
def test_every_candidate_is_valid_and_another_one(curve: str) -> None:
    found = candidates(CURVES[curve], CURVES[curve].ops, TARGET, {})
    keys = {
        resolve(CURVES[curve], DEFAULT_PRESET, c.changes, TARGET.backend).settings for c in found
    }
    assert len(keys) == len(found) == len({c.point for c in found})
    assert found[0].changes == {}


def knobs_in(ops: tuple[str, ...], sets: dict[str, str] | None = None) -> set[str]:
    values = dict(resolve(CURVES["secp256r1"], DEFAULT_PRESET, sets or {}, "w32m16").settings)
    return in_effect(find_slot("secp256r1"), values, ops)


def test_knobs_of_operations_that_are_not_needed_are_not_varied() -> None:
    assert "MULD" not in knobs_in(("sign",))
    assert {"MULV", "WINDOW", "WNAF_A", "MULD"}.isdisjoint(knobs_in(("keygen",)))
    assert {"NONCE", "SHA256", "KEYGEN"}.isdisjoint(knobs_in(("ecdh", "verify")))
    assert {"MULG", "COMB_TEETH"} <= knobs_in(("verify",))  # strauss uses the comb
    assert {"MULG", "COMB_TEETH"}.isdisjoint(knobs_in(("verify",), {"MULD": "bits"}))
    assert {"MULV", "WINDOW"} <= knobs_in(("sign",), {"MULG": "as_var", "MULD": "bits"})
    assert "SHA256" in knobs_in(("sign",))
    assert "SHA512" not in knobs_in(("sign",))
    assert "TABLE" in knobs_in(("ecdh",)) & knobs_in(("verify",))
    assert "TABLE" not in knobs_in(("ecdh",), {"MULV": "binary"}) | knobs_in(("sign",))
    assert set(EXTRAS).isdisjoint(knobs_in(OPS))


@pytest.mark.parametrize(
    ("ops", "sets"),
    [
        (("sign",), {"MULV": "binary"}),
        (("sign",), {"MULD": "bits"}),
        (("verify",), {"MULV": "binary", "NONCE": "random"}),
        (("verify",), {"MULD": "bits", "COMB_TEETH": "6"}),
        (("ecdh",), {"MULG": "as_var", "MULD": "bits"}),
        (("keygen", "ecdh"), {"WNAF_A": "2"}),
        (("sign", "verify"), {"MULD": "bits", "TABLE": "affine"}),
    ],
)
def test_what_has_no_effect_makes_the_same_code(ops: tuple[str, ...], sets: dict[str, str]) -> None:
    """The images are equal byte for byte: that is why one of them is enough."""
    bench = Bench(Settings(), {}, Store())
    values = dict(sets)
    others = {"MULD": "bits"} if {"COMB_TEETH", "TABLE"} & set(sets) else {}
    changed = [name for name in values if name not in others]
    assert knobs_in(ops, sets).isdisjoint(changed)
    images = []
    for settings in (others, sets):
        curve = CURVES["secp256r1"]
        configuration = resolve(curve, DEFAULT_PRESET, settings, TARGET.backend)
        row = Row(TARGET, None, None, configuration, curve, ops[0], ops)
        images.append(bench.image(bench.request(row)).segments)
    assert all(a == b for a, b in pairwise(images))


def test_values_bought_by_something_else_are_not_tried_but_taken() -> None:
    curve = CURVES["secp256r1"]
    free = candidates(curve, ("sign", "verify"), TARGET, {})
    tried = {change for c in free for change in c.changes.items()}
    for knob in all_knobs().values():
        named = set(map(str, knob.search))  # tried whatever they buy
        bought = {(knob.name, v) for v in knob.values if knob.bought(v) and v not in named}
        assert bought.isdisjoint(tried)
    assert tried.isdisjoint({("NONCE", "random"), ("WIPE", "none")})
    asking = candidates(curve, ("sign", "verify"), TARGET, {}, asking=True)
    assert {(*c.changes.items(),) for c in free} < {(*c.changes.items(),) for c in asking}
    fixed = candidates(curve, ("sign", "verify"), TARGET, {"NONCE": "hedged", "REDUCE": "mont"})
    assert not any({"NONCE", "REDUCE"} & set(c.changes) for c in fixed)


def test_settings_that_contradict_each_other_are_named() -> None:
    with pytest.raises(UsageError, match="COORDINATES"):
        candidates(CURVES["secp256r1"], ("sign",), TARGET, {
            "COORDINATES": "jacobian", "MULV": "halves",
        })  # fmt: skip
