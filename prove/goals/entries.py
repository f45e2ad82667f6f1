"""What a routine calls, by contract, entries in routines, too; and which registers it leaves."""

from __future__ import annotations

from functools import cache

from prove.algebra.values import Pointer
from prove.contracts.banner import Unread, contracts
from prove.contracts.contract import Contract
from prove.contracts.sources import banners, layer, routines
from prove.goals.calls import by_contract
from prove.goals.calls import hooks as as_proved
from prove.goals.states import begin, finish, same
from prove.machine.execution import Hook
from prove.machine.image import Image, image


@cache
def ends(
    backend: str, name: str, which: int = 0, *, entries: bool = True
) -> tuple[dict[int, tuple[str, int]], set[int]]:
    """Registers that hold an address when a routine returns, of which operand, and how far; and
    those that are as before. `entries`: what it calls is by contract, entries in routines, too."""
    contract = contracts(backend, name)[which]
    code = image_of(backend)
    made = products(backend, name) if entries else as_proved(code, contract)
    state = begin(code, contract, {}, made)
    finish(code, contract, state)
    found = {}
    for n, v in state.run.r.items():
        if isinstance(v, Pointer) and v.base in contract.operands:
            found[n] = (v.base, v.offset)
    kept = {n for n, v in state.start.items() if same(state.run.r.get(n), v)}
    return found, kept


def products(backend: str, name: str) -> dict[int, Hook]:
    """What a routine calls, by contract, proved from its own where it has one."""
    caller = called(backend).get(image_of(backend).symbols.get(name, -1))
    found = {}
    for at, callee in called(backend).items():
        if callee.name != name:
            try:
                found[at] = by_contract(callee, caller)
            except (Unread, ValueError):
                continue
    return found


@cache
def image_of(backend: str) -> Image:
    """The linked assembly of a back end, made once."""
    return image(backend)


@cache
def called(backend: str) -> dict[int, Contract]:
    """The routines of mp and field with a contract, and entries into these, by their address."""
    code, found = image_of(backend), {}
    known = set(routines(backend))
    for name in banners(backend):
        if name not in known or layer(backend, name) in ("mp", "field"):
            try:
                found[code.symbols[name]] = contracts(backend, name)[0]
            except (Unread, ValueError, AssertionError, KeyError):
                continue
    return found
