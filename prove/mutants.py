"""Faults planted in the object code: one bit of one instruction flipped.

A fault must be refused, or the changed code must meet the contract. What is accepted runs once
more on the emulator with many operands, and Python's integers say whether it is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from random import Random

from prove.algebra.values import Refused, at
from prove.contracts import divsteps
from prove.contracts.banner import Unread, contracts
from prove.contracts.contract import Contract
from prove.contracts.tables import promise
from prove.goals import ccalls, programs
from prove.goals.calls import hooks
from prove.goals.emulation import Emulated, followed
from prove.goals.proofs import prove
from prove.goals.states import State, samples
from prove.inverses import matrices
from prove.machine.image import Image

ELSE = (KeyError, IndexError, AttributeError, ValueError, AssertionError)
"""What the model raises on instructions that no routine has."""
CHECKS = 200  # operands of a fault that is accepted
LIMIT = 120  # real seconds of a fault: one whose proof does not end is not accepted


@dataclass
class Tally:
    """How the faults ended."""

    refused: int = 0
    equal: list[str] = field(default_factory=list)
    survived: list[str] = field(default_factory=list)


def reached(image: Image, contract: Contract) -> list[int]:
    """The addresses of a routine's instructions that a run meets, in the routine alone."""
    path = followed(image, contract, contract.aliases[0]).run.path or []
    start = image.symbols[contract.name]
    end = start + image.sizes[contract.name]
    return sorted({a for a in path if start <= a < end})


def variants(image: Image, address: int) -> Iterator[bytes]:
    """Codes that differ in a bit."""
    code = image.instruction(address).code
    for bit in range(8 * len(code)):
        changed = bytearray(code)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


def attack(image: Image, contract: Contract, address: int, code: bytes, tally: Tally) -> None:
    """One fault, in a process of its own: not all of z3's steps have a limit."""
    context = get_context("fork")
    mine, its = context.Pipe(duplex=False)
    child = context.Process(
        target=lambda: its.send(attacked(image, contract, address, code)), daemon=True
    )
    child.start()
    its.close()
    ended = mine.poll(LIMIT)
    child.kill()
    one: Tally = mine.recv() if ended else Tally(refused=1)
    child.join()
    tally.refused += one.refused
    tally.equal += one.equal
    tally.survived += one.survived


def attacked(image: Image, contract: Contract, address: int, code: bytes) -> Tally:
    """How one fault ends."""
    tally = Tally()
    before = image.instruction(address)
    image.patch(address, code)
    name = f"{contract.variant()}+{address - image.symbols[contract.name]:#x}"
    try:
        after = image.instruction(address)
        name += f" {before.name} {before.text} -> {after.name} {after.text}"
        known = hooks(image, contract)
        if not contract.name.startswith(ccalls.PREFIX):  # in C
            known |= ccalls.hooks(image, contract)
        prove(image, contract, hooks=known, seconds=5, aliases=contract.aliases[:1])
    except (Refused, *ELSE):
        tally.refused += 1
    else:
        state = followed(image, contract, contract.aliases[0])
        (tally.equal if right(image, contract, state) else tally.survived).append(name)
    finally:
        image.patch(address, before.code)
    return tally


def right(image: Image, contract: Contract, state: State) -> bool:
    """Whether the emulator's results are what the banner says, by Python's integers."""
    emulated = Emulated(image, contract, state)
    for values in samples(contract, state, CHECKS, 99):
        env = state.space.witness(values)
        known = {o: at(p, env) for o, p in state.known.items()}
        emulated.run(env)
        for goal in contract.goals:
            out = sum(at(w.p, env) << 32 * i for i, w in enumerate(state.outputs(goal)))
            if not goal.fits(out, goal.value.number(known)):
                return False
    return True


def attack_program(image: Image, backend: str, name: str, random: Random, tally: Tally) -> None:
    """A fault in an interpreter or a ladder; if it is accepted, the emulator agreed."""
    said = promise(backend, name)
    assert said
    addresses = [i.address for i in image.instructions(name)]
    address = random.choice(addresses)
    before = image.instruction(address)
    image.patch(address, random.choice(list(variants(image, address))))
    try:
        after = image.instruction(address)
        programs.prove(image, backend, name, said)
    except (Refused, *ELSE):
        tally.refused += 1
    else:
        text = f"{before.name} {before.text} -> {after.name} {after.text}"
        tally.equal.append(f"{name}+{address - image.symbols[name]:#x} {text}")
    finally:
        image.patch(address, before.code)


def attack_inverse(image: Image, backend: str, name: str, random: Random, tally: Tally) -> None:
    """A fault in a part of an inversion."""
    said = divsteps.promise(backend, name)
    assert said
    address = random.choice([i.address for i in image.instructions(name)])
    before = image.instruction(address)
    image.patch(address, random.choice(list(variants(image, address))))
    try:
        after = image.instruction(address)
        matrices.attempt(image, backend, name, said)
    except (Refused, *ELSE):
        tally.refused += 1
    else:
        text = f"{name}+{address - image.symbols[name]:#x} {before.name} {before.text} -> "
        meets = matrices.right(image, backend, name, said, CHECKS)
        (tally.equal if meets else tally.survived).append(f"{text}{after.name} {after.text}")
    finally:
        image.patch(address, before.code)


def sample(image: Image, backend: str, names: list[str], count: int, seed: int) -> Tally:
    """So many faults at random in these routines, each against one of a routine's contracts."""
    random, tally = Random(seed), Tally()  # noqa: S311
    known: dict[str, tuple[list[Contract], list[int]]] = {}
    others = [name for name in names if promise(backend, name) or divsteps.kind(name)]
    for name in set(names) - set(others):
        try:
            some = contracts(backend, name)
            known[name] = some, reached(image, some[0])
        except (Unread, Refused):
            continue
    for _ in range(count):
        name = random.choice(sorted({*known, *others}))
        if name in others:
            other = attack_inverse if divsteps.kind(name) else attack_program
            other(image, backend, name, random, tally)
            continue
        some, addresses = known[name]
        contract, address = random.choice(some), random.choice(addresses)
        attack(image, contract, address, random.choice(list(variants(image, address))), tally)
    return tally
