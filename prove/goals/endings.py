"""Common ends of routines: they are proved where they are executed.

A banner names the routines of which a piece of code is the end. Each of those is proved with that
piece; here the prover checks that a run of each meets all its instructions.
"""

from __future__ import annotations

import re

from prove.algebra.values import Refused
from prove.contracts import tables
from prove.contracts.banner import contracts
from prove.contracts.contract import Outcome
from prove.contracts.sources import banners
from prove.goals.calls import hooks
from prove.goals.programs import Program
from prove.goals.states import begin, finish
from prove.machine.image import Image


def ended(backend: str, name: str) -> list[str]:
    """The routines that a piece of code ends; none for other code."""
    found = re.match(rf"{name}: how ([\w ]+?) end\b", banners(backend).get(name) or "")
    return re.findall(r"ecfit_\w+", found[1]) if found else []


def _path(image: Image, backend: str, name: str) -> set[int]:
    """The addresses that a run of a routine meets."""
    inner = ended(backend, name)
    if inner:
        return set().union(*(_path(image, backend, other) for other in inner))
    said = tables.promise(backend, name)
    if said is not None:
        steps = next(iter(tables.programs(said).values()))
        run = Program(image, backend, name, said, steps).state.run
    else:
        contract = contracts(backend, name)[0]
        state = begin(image, contract, contract.aliases[0], hooks(image, contract))
        run, run.path = state.run, []
        finish(image, contract, state)
    return set(run.path or ())


def prove(image: Image, backend: str, name: str) -> Outcome:
    """Each routine that the code ends meets all of it. Errors: Refused."""
    total = Outcome(calls=sorted(ended(backend, name)))
    body = {i.address for i in image.instructions(name)}
    for other in total.calls:
        if not body <= _path(image, backend, other):
            raise Refused(f"{other} does not meet all of it")
        total.facts.append(f"all {len(body)} instructions are met by {other}")
    total.aliases, total.instructions = len(total.calls), len(body)
    return total
