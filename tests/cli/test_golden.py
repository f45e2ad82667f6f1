"""The regression gate: counts of fixed configurations are exactly the committed ones."""

from __future__ import annotations

import pytest

from tools import golden

TOGETHER = "secp256r1+secp384r1"


@pytest.mark.parametrize(
    "name",
    [
        # of the three sets with 50 keys each, two are in `make test`
        pytest.param(one, marks=[pytest.mark.ci] if one == "50-keys" else [])
        for one in golden.SETS
    ],
)
def test_counts_are_the_committed_ones(name: str) -> None:
    stored, measured = golden.stored(name), golden.measure(name)
    theirs, ours = ({line["toolchain"] for line in lines} for lines in (stored, measured))
    if theirs != ours:
        pytest.skip(f"golden counts of {name} are of {theirs}, the compiler here is {ours}")
    changes = golden.moved(stored, measured)
    assert not changes, "counts moved; if they should, run 'make golden' and commit:\n" + "\n".join(
        changes
    )


def test_fifty_keys_have_one_trace() -> None:
    """The third line of "It is done when"."""
    lines = golden.stored("50-keys")
    assert {(line["op"], line["preset"]) for line in lines} >= {
        (op, preset) for op in ("keygen", "ecdh", "sign") for preset in ("tiny", "balanced")
    }
    for line in lines:
        assert line["runs"] == 50
        assert line["cycles_min"] == line["cycles_max"]
        assert line["trace_hashes"] == 1


def test_sizes_promised() -> None:
    """secp256r1 in `tiny` on the Cortex-M0: alone, and with secp384r1 beside it; both go through
    code for any curve then, where secp256r1 alone has a product of its own. Each curve has its own
    check of the hash's integer (0.2.0), of some 20 bytes: 900 bytes were promised before.
    """
    lines = [line for line in golden.stored("size-several") if line["preset"] == "tiny"]
    one, both = (
        {s["op"]: s["flash_bytes"] for s in lines if s["curve"] == c}
        for c in ("secp256r1", TOGETHER)
    )
    full = "keygen+ecdh+sign+verify"
    assert one[full] <= 2900
    assert one["ecdh"] <= 2200
    assert one["verify"] <= 2350
    assert one[full] < both[full] <= one[full] + 920


@pytest.mark.parametrize("name", [name for name in golden.SETS if name.startswith("p256-")])
def test_p256_cortex_m4_is_behind(name: str) -> None:
    """By 5 % in each operation, with no less flash and stack (speed-armv7em.md)."""
    lines = {(line["library"], line["op"]): line for line in golden.stored(name)}
    for op in ("keygen", "ecdh", "sign", "verify"):
        ours, theirs = lines["ecfit", op], lines["p256-cortex-m4", op]
        assert 105 * ours["cycles"] <= 100 * theirs["cycles"]
        assert ours["flash_bytes"] <= theirs["flash_bytes"]
        assert ours["stack_bytes"] <= theirs["stack_bytes"]


def test_moved_names_the_figure() -> None:
    (line, *_) = golden.stored("bench")
    assert golden.moved([line], [line]) == []
    (change,) = golden.moved([line], [{**line, "cycles": 1}])
    assert change.endswith(f"cycles was {line['cycles']}, is 1")
    assert golden.moved([line], [])[0].startswith("gone: ecfit tiny secp256r1 keygen")
    assert golden.moved([], [line])[0].startswith("new: ")
