"""Each peer does what its peer.toml says: all its operations agree with the oracle, in every variant that is named.
(That a wrong one is found: tests/cli/test_failures.py.)

On one target, for the curves of up to 256 bits: longer ones run the same code of the peers, with longer loops.
"""

from __future__ import annotations

import pytest

from ecfit.curves import CURVES
from ecfit.measure import Bench, Row, Settings
from ecfit.peers import all_peers
from ecfit.selection import rows, select
from ecfit.store import Store

PEERS = all_peers()
TARGET = "nrf52840"
MAX_BITS = 256


def rows_of(name: str, curve: str, settings: dict[str, str]) -> list[Row]:
    """All operations that a peer offers on a curve."""
    chosen = select(
        targets=[TARGET],
        libraries=[name],
        curves=[curve],
        ops=["all"],
        presets=[],
        sets=[f"{name}.{option}={value}" for option, value in settings.items()],
        mode="datasheet",
        peers=PEERS,
    )
    return [row for row in rows(chosen) if row.offered]


def choices() -> list[tuple[str, str, str]]:
    """Peer, curve and variant: every curve with the defaults, the first of each form with every other variant."""
    found = []
    for peer in PEERS.values():
        curves = [curve for curve in peer.curves if CURVES[curve].bits <= MAX_BITS]
        found += [(peer.name, curve, "") for curve in curves]
        firsts = {CURVES[curve].form: curve for curve in reversed(curves)}
        default = peer.configure({})
        for name, settings in peer.variants.items():
            if peer.configure(settings).key != default.key:
                found += [(peer.name, curve, name) for curve in firsts.values()]
    return found


@pytest.mark.parametrize(("name", "curve", "variant"), choices())
def test_operations_agree_with_the_oracle(name: str, curve: str, variant: str) -> None:
    peer = PEERS[name]
    bench = Bench(Settings(), PEERS, Store())
    records = [bench.measure(row) for row in rows_of(name, curve, peer.variants.get(variant, {}))]
    assert [record.op for record in records] == list(peer.curves[curve])
    for record in records:
        assert record.status == "ok", f"{record.op}: {record.status}: {record.detail}"
        assert record.cycles
        assert record.flash_bytes
