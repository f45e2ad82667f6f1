"""What is proved of a routine: each goal of its contract, for each aliasing that it allows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from prove.algebra.relations import products
from prove.algebra.solver import Late, check, pair
from prove.algebra.values import Large, Refused, at
from prove.contracts.contract import Contract, Outcome
from prove.goals.congruence import SAMPLES, SEED, Proof, Wrong
from prove.goals.emulation import compare
from prove.goals.quotients import late
from prove.goals.states import Around, begin, finish, samples
from prove.goals.tactics import ways
from prove.machine.execution import Hook
from prove.machine.image import Image
from prove.machine.signed import Signed

CHECKED = 24  # samples in which all facts must hold


def prove_alias(
    image: Image,
    contract: Contract,
    alias: Mapping[str, str],
    *,
    around: Around | None = None,
    pairs: bool = False,
    hooks: Mapping[int, Hook] | None = None,
    seconds: float = 20,
    verbose: bool = False,
    done: set[object] | None = None,
) -> Outcome:
    """All goals for operands that are apart, or one as `alias` says. Errors: Refused."""
    state = begin(image, contract, alias, hooks, around)
    finish(image, contract, state)
    outcome = Outcome(instructions=state.run.steps, variables=len(state.space.names))
    outcome.signed = isinstance(state.space, Signed)
    outcome.calls = sorted(state.run.called)
    key = state.key(contract)
    if done is not None and key in done:
        return outcome  # the very state of another aliasing
    values = samples(contract, state, max(SAMPLES, len(state.space.names) + 50), SEED)
    envs = [state.space.witness(v) for v in values]
    inputs = [{o: at(p, env) for o, p in state.known.items()} for env in envs]
    facts = [*state.space.facts, *state.space.given]
    facts += products(state.space) if pairs else []
    facts += [(w.p, w.lo, w.hi) for g in contract.goals for w in state.outputs(g)]
    if isinstance(state.space, Signed):
        polys = [w.p for g in contract.goals for w in state.outputs(g)]
        facts = state.space.about(facts, [*polys, *state.known.values()])
    if state.run.named:
        facts = late(state.space, [w.p for g in contract.goals for w in state.outputs(g)], facts)
    simple = [f for f in facts if all(len(m) <= 1 for m in f[0])]
    for goal in contract.goals:
        Proof(state, goal, envs, pair(state.space, [], [], seconds)).refute(inputs)
    check(state.space, facts, envs[:CHECKED])
    for goal in contract.goals:
        solvers = pair(state.space, simple, facts, seconds)
        proof = Proof(state, goal, envs, solvers)
        proof.congruence()
        proof.bound()
        outcome.queries += sum(solver.queries for solver in (*solvers, proof.folded) if solver)
        if verbose:
            outcome.facts += proof.facts
    if done is not None:
        done.add(key)
    return outcome


def tried(
    image: Image,
    contract: Contract,
    alias: Mapping[str, str],
    around: Around | None = None,
    **named: Any,
) -> Outcome:
    """The same, in each of the ways in turn."""
    around = around or Around()
    possible = ways(contract)
    for i, (way, pairs) in enumerate(possible):
        now = replace(way, ambient=around.ambient, equal=around.equal)
        try:
            return prove_alias(image, contract, alias, around=now, pairs=pairs, **named)
        except Refused as error:
            if isinstance(error, Wrong | Late | Large) or i == len(possible) - 1:
                raise
    raise AssertionError


def prove(
    image: Image,
    contract: Contract,
    *,
    hooks: Mapping[int, Hook] | None = None,
    seconds: float = 20,
    verbose: bool = False,
    aliases: Sequence[Mapping[str, str]] | None = None,
) -> Outcome:
    """All of a contract, for each aliasing that it allows. Errors: Refused."""
    start = time.monotonic()
    total, done = Outcome(), set[object]()
    for alias in aliases or contract.aliases:
        one = tried(
            image, contract, alias, hooks=hooks, seconds=seconds, verbose=verbose, done=done
        )
        total.queries += one.queries
        total.instructions, total.variables = one.instructions, max(total.variables, one.variables)
        total.calls = sorted({*total.calls, *one.calls})
        total.facts += one.facts
        total.aliases += 1
        compared, stack = compare(image, contract, alias, signed=one.signed)
        total.compared, total.stack = total.compared + compared, max(total.stack, stack)
    total.seconds = time.monotonic() - start
    return total
