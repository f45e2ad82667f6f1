"""Every preset on every core: right results, and the order of size and speed
that the presets stand for.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import Curve, find_curve
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import Target, all_targets
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Record

P256 = find_curve("P-256")
LADDER = ("tiny", "compact", "balanced", "fast")  # smaller to faster
CORES = {
    target.core: target for target in reversed(all_targets().values()) if target.runner == "sim"
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
@pytest.mark.parametrize("core", CORES)
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


def test_the_ladder_is_of_presets_that_exist() -> None:
    assert set(LADDER) <= set(all_presets())
