"""C functions whose comments are no formula of the words of operands: powers and inversions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prove import divloop, elements, limbs, powers
from prove.compiled import Build, Function
from prove.goals import Outcome

Promise = powers.Power | limbs.Promise
Known = Mapping[str, Mapping[str, Any]]  # records of C functions


def promises(backend: str, function: Function, words: int) -> Sequence[Promise]:
    """What the comment says; nothing for other functions. Errors: Unread."""
    return limbs.promises(backend, function, words) or powers.promises(backend, function, words)


def digest(some: Sequence[Promise]) -> str:
    """Of what is proved."""
    plain = [
        one._replace(contract=replace(one.contract, text="")) if isinstance(one, powers.Power)
        else one
        for one in some
    ]  # fmt: skip
    return hashlib.sha256(repr(plain).encode()).hexdigest()[:16]


def prove(
    made: Build, function: Function, some: Sequence[Promise], known: Known
) -> Iterator[Outcome]:
    """All of them. Errors: Refused."""
    of_limbs = [one for one in some if isinstance(one, limbs.Promise)]
    of_powers = [one for one in some if isinstance(one, powers.Power)]
    for one in of_limbs:
        yield from limbs.prove(made, one, known)
    if of_powers and function.path.name == "divsteps.inc":
        yield from divloop.prove(made, of_powers, known)
    elif of_powers:
        yield from elements.prove(made, of_powers, known)
