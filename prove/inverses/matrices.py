"""The routines that make a matrix of divsteps and multiply by it: their proofs, and faults."""

from __future__ import annotations

from prove.contracts.contract import Outcome
from prove.contracts.divsteps import Promise
from prove.inverses import rows, traces
from prove.machine.image import Image

QUICK = 2  # lengths of a proof that a fault is to fail


def prove(image: Image, backend: str, name: str, said: Promise) -> Outcome:
    """One of them. Errors: Refused."""
    if said.kind == "steps":
        return traces.prove(image, backend, name, said)
    return rows.prove(rows.Routine(image, backend, name, said), said.lengths)


def attempt(image: Image, backend: str, name: str, said: Promise) -> None:
    """The same; what fails for short numbers is not tried for long ones. Errors: Refused."""
    if said.kind != "steps":
        rows.prove(rows.Routine(image, backend, name, said), said.lengths[:QUICK])
    prove(image, backend, name, said)


def right(image: Image, backend: str, name: str, said: Promise, count: int) -> bool:
    """Whether the emulator's results are what the banner says, by Python's integers."""
    if said.kind == "steps":
        return traces.right(image, backend, name, said, count)
    return rows.right(rows.Routine(image, backend, name, said), count)
