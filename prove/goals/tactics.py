"""How a run computes: what is tried, one after the other, until a proof goes through."""

from __future__ import annotations

from prove.contracts.contract import Contract
from prove.goals.states import Around

WAYS = (
    (Around(2), False),
    (Around(2, digits=False), False),
    (Around(6), True),
    (Around(6, digits=False), False),
)
"""Each with whether products of long factors are told once more."""
SIGNED = (Around(signed=True), False)
"""For reductions of t in memory on ARMv6-M, first: their columns are small numbers with signs."""
ROWS = (Around(named=True), False)
"""For products by rows with the modulus in a record, first (prove.goals.quotients)."""


def ways(contract: Contract) -> tuple[tuple[Around, bool], ...]:
    """Those of a contract."""
    reduces = contract.backend == "armv6m" and all(g.value.names() == {"t"} for g in contract.goals)
    if reduces and not contract.frame:
        return (SIGNED, *WAYS)
    return (ROWS, *WAYS) if contract.record else WAYS
