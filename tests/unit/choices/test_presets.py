"""Every preset on every core: right results, and the order of size and speed
that the presets stand for.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, Curve, find_curve
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import Target, all_targets
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Record
from ecfit.paths import DATA

P256 = find_curve("P-256")
LADDER = ("tiny", "compact", "balanced", "fast")  # smaller to faster
CORES = {
    target.core: target
    for target in reversed(all_targets().values())
    if target.runner == "sim" and target.arch != "avr"  # a preset does not suit it by itself
}


def measured(target: Target, preset: str, curve: Curve = P256) -> dict[str, Record]:
    """The record of each operation, all of them in one image."""
    configuration = knobs.resolve(curve, preset, {}, target.backend)
    mode = target.mode("zero-ws")
    rows = [Row(target, mode, "zero-ws", configuration, curve, op, curve.ops) for op in curve.ops]
    bench = Bench(Settings(), {}, Store())
    return {row.op: bench.measure(row) for row in rows}


@pytest.mark.parametrize("core", CORES)
def test_presets(core: str) -> None:
    """The bench compares each result with the oracle and asks for refusals:
    a record that is ok is right.
    """
    found = {preset: measured(CORES[core], preset) for preset in all_presets()}
    for preset, records in found.items():
        assert {record.status for record in records.values()} == {"ok"}, (preset, records)
    for smaller, faster in pairwise(LADDER):
        sizes = [found[preset]["ecdh"].flash_bytes or 0 for preset in (smaller, faster)]
        assert sizes[0] < sizes[1]
        for op in P256.ops:
            cycles = [found[preset][op].cycles or 0 for preset in (smaller, faster)]
            assert cycles[0] > 0.99 * cycles[1], (smaller, faster, op)
        assert any(
            (found[smaller][op].cycles or 0) > 1.05 * (found[faster][op].cycles or 0)
            for op in P256.ops
        )


@pytest.mark.parametrize("name", ["x25519", "ed25519"])
@pytest.mark.parametrize("core", {CORES[core].backend: core for core in CORES}.values())
def test_larger_presets_are_not_slower(core: str, name: str) -> None:
    """On the curves of RFC 7748 and 8032 two presets can be the same code;
    none is larger and slower.
    """
    curve = find_curve(name)
    found = [measured(CORES[core], preset, curve) for preset in LADDER]
    for smaller, faster in pairwise(found):
        for op in curve.ops:
            assert (smaller[op].flash_bytes or 0) <= (faster[op].flash_bytes or 0)
            assert (smaller[op].cycles or 0) > 0.99 * (faster[op].cycles or 0), op


PLACES: tuple[tuple[str, str, str, tuple[str, ...], bool, dict[str, str]], ...] = (
    ("balanced", "secp384r1", "armv7em", ("verify",), False, {"MULD": "naf", "TABLE": "affine"}),
    ("balanced", "secp384r1", "armv7em", ("verify",), True, {"MULD": "strauss"}),
    ("balanced", "secp384r1", "armv7em", ("sign", "verify"), False, {"MULD": "strauss"}),
    ("balanced", "secp384r1", "armv7em", (), False, {"MULD": "strauss"}),
    ("balanced", "secp256r1", "w32", ("verify_message",), False, {"MULD": "naf"}),
    ("balanced", "ed25519", "w32", ("verify",), False, {"MULD": "naf", "WNAF_A": "3"}),
    ("balanced", "ed25519", "armv6m", (), False, {"SIGN": "eddsa_pair"}),
    ("fast", "ed448", "rv32im", ("sign",), False, {"SIGN": "eddsa_pair"}),
    ("tiny", "secp256k1", "armv6m", ("ecdh",), False, {"MULV": "ladder_x"}),
    ("tiny", "secp256k1", "armv6m", ("ecdh",), True, {"MULV": "halves", "INSTANCE": "shared"}),
    ("tiny", "secp384r1", "armv6m", ("keygen", "ecdh"), False, {"COORDINATES": "jacobian_run"}),
    ("tiny", "secp384r1", "armv7em", ("keygen", "ecdh"), False, {"COORDINATES": "complete"}),
    ("tiny", "secp384r1", "armv7em", ("sign",), False, {"MULV": "ladder_x"}),
    ("tiny", "secp384r1", "armv7em", ("keygen", "sign"), False, {"MULV": "digits"}),
    ("balanced", "secp384r1", "armv6m", (), False, {"WNAF_A": "5"}),
    ("balanced", "secp384r1", "armv6m", ("sign", "verify"), False, {"WNAF_A": "4"}),
    ("lowram", "secp256r1", "armv7m", (), False, {"MULV": "digits", "REDUCE": "solinas_loop"}),
    ("lowram", "secp256r1", "armv7em", (), False, {"MULV": "binary", "REDUCE": "mont"}),
)


def test_values_are_for_what_an_image_does() -> None:
    for preset, name, backend, ops, several, expected in PLACES:
        curve = find_curve(name)
        found = knobs.resolve(curve, preset, {}, backend, several=several, ops=ops)
        assert expected.items() <= dict(found.settings).items(), (preset, name, ops)
        assert found.changed == ()


@pytest.mark.parametrize(
    ("preset", "curve", "sets", "expected"),
    [
        ("balanced", "ed25519", {"CHECK": "verify"}, {"SIGN": "eddsa"}),
        ("lowram", "secp256r1", {"MULV": "window"}, {"COORDINATES": "jacobian", "MULD": "bits"}),
        ("lowram", "secp256r1", {"BLIND": "both"}, {"MULV": "binary", "REDUCE": "solinas_loop"}),
        ("lowram", "secp256r1", {"WINDOW": "3", "MULV": "window"}, {"MULD": "bits"}),
        ("lowram", "secp256r1", {"BLIND": "coordinates"}, {"MULV": "digits"}),
    ],
)
def test_what_a_user_sets_goes_before(
    preset: str, curve: str, sets: dict[str, str], expected: dict[str, str]
) -> None:
    """Values for a place that cannot stand beside it give way together to those of the preset."""
    found = knobs.resolve(find_curve(curve), preset, sets, "armv6m")
    assert {**expected, **sets}.items() <= dict(found.settings).items()


def test_values_for_operations_are_of_curves() -> None:
    """Global knobs there could contradict the choice for another curve in the same image."""
    for preset in all_presets().values():
        for where in preset.where:
            if where.ops or where.curve:
                scopes = {knobs.all_knobs()[name].scope for name in where.values}
                assert scopes == {"curve"}, where.words


def test_all_presets_but_the_two_smallest_clear_the_stack() -> None:
    """docs/constant-time.md: a secret that stays there is read by whoever reads memory later."""
    for preset in all_presets():
        for curve in CURVES.values():
            for backend in ("w32m16", "armv6m", "armv7em"):
                settings = dict(knobs.resolve(curve, preset, {}, backend).settings)
                assert (settings["WIPE"] == "stack") == (preset not in ("tiny", "lowram")), preset


def test_the_ladder_is_of_presets_that_exist() -> None:
    assert set(LADDER) <= set(all_presets())


def test_no_preset_keeps_words_in_floating_point_registers() -> None:
    """docs/compilers.md: a task switch that loses these registers makes a wrong secret."""
    for path in (DATA / "presets").glob("*.toml"):
        assert "FPU" not in path.read_text(encoding="utf-8"), path.name
    for target in all_targets().values():
        for preset in all_presets():
            found = knobs.resolve(find_curve("x25519"), preset, {}, target.backend)
            assert dict(found.settings)["FPU"] == "none", (target.name, preset)
