"""The C functions of mp and field that the presets use: found, proved and recorded.

A function may have other code in another preset. Each code is proved, for numbers of the length
that the curve has. prove/proved_c.json has a record for each function and length.
"""

from __future__ import annotations

import hashlib
import json
import signal
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from prove import mutants
from prove.algebra.solver import Late
from prove.algebra.values import Refused
from prove.contracts import records
from prove.contracts.banner import Unread
from prove.contracts.comments import contracts
from prove.contracts.contract import Contract, Outcome
from prove.goals import calls, ccalls, proofs
from prove.inverses import functions
from prove.machine.compiled import NAMES, PRESETS, Build, Function, build
from prove.machine.image import Image

PROVED = records.ROOT / "prove" / "proved_c.json"  # by `armv6m mod_add 8`
EXCEPTIONS = records.ROOT / "prove" / "exceptions.toml"
LIMIT = 600  # real seconds for a contract of a function: a guard
Unit = tuple[Build, Function]


def units(
    backend: str, curves: tuple[str, ...] = NAMES, presets: tuple[str, ...] = PRESETS
) -> dict[str, list[Unit]]:
    """One for each code, by `mod_add 8`: name and words."""
    found: dict[str, dict[str, Unit]] = {}
    for curve in curves:
        for preset in presets:
            made = build(backend, curve, preset)
            for function in made.functions.values():
                some = found.setdefault(f"{function.name} {made.words}", {})
                some.setdefault(function.digest, (made, function))
    return {label: list(some.values()) for label, some in sorted(found.items())}


def exceptions() -> dict[str, str]:
    """The reason of each: `mod_inv`, or `rv32im mod_inv`."""
    read = tomllib.loads(EXCEPTIONS.read_text("utf-8")).get("c", {})
    return {name: reason for reason, names in read.items() for name in names}


def excepted(backend: str, label: str) -> bool:
    """Whether a function is an exception."""
    name = label.split(maxsplit=1)[0]
    return bool({name, f"{backend} {name}"} & exceptions().keys())


def contract(backend: str, function: Function, words: int) -> str:
    """The digest of what is proved."""
    some = functions.promises(backend, function, words)
    if some:
        return functions.digest(some)
    wanted = repr([replace(one, text="") for one in contracts(backend, function, words)])
    return hashlib.sha256(wanted.encode()).hexdigest()[:16]


def _late(*_: object) -> None:
    raise Late(f"not proved in {LIMIT} seconds")


def attempt(backend: str, some: list[Unit], *, verbose: bool = False) -> dict[str, Any]:
    """The record of a function of one length, or `reason`."""
    total, facts, count, used = Outcome(), [], 0, set[str]()
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(LIMIT)
    try:
        for made, function in some:
            for outcome in _outcomes(backend, made, function, verbose=verbose):
                signal.alarm(LIMIT)  # for the next one
                count += 1
                total.seconds += outcome.seconds
                total.instructions = max(total.instructions, outcome.instructions)
                total.stack = max(total.stack, outcome.stack)
                total.queries += outcome.queries
                total.aliases += outcome.aliases
                total.compared += outcome.compared
                used.update(outcome.calls)
                facts += outcome.facts
    except (Refused, Unread, ValueError, AssertionError) as error:
        return {"reason": str(error) or "its comment has no bounds"}
    finally:
        signal.alarm(0)
    if not count:
        return {"reason": "there is nothing to prove"}
    made, function = some[0]
    found: dict[str, Any] = {
        "file": str(function.path).split("/src/")[1],
        "codes": sorted(one.digest for _, one in some),
        "contract": " ".join(sorted({contract(backend, f, made.words) for _, f in some})),
        "contracts": count,
        **records.counts(total),
    }
    if used:
        found["calls"] = sorted(used)
    if verbose:
        found["facts"] = facts
    return found


def _outcomes(backend: str, made: Build, function: Function, *, verbose: bool) -> Iterator[Outcome]:
    """That of each contract. Errors: Refused, Unread."""
    some = functions.promises(backend, function, made.words)
    if some:
        yield from functions.prove(made, function, some, records.load(PROVED))
        return
    image = made.image()
    for one in contracts(backend, function, made.words):
        yield proved(image, one, verbose=verbose)


def proved(image: Image, one: Contract, *, verbose: bool = False) -> Outcome:
    """One contract. What is called by contract has the code that was proved. Errors: Refused."""
    hooks = calls.hooks(image, one) | ccalls.hooks(image, one)
    try:
        outcome = proofs.prove(image, one, hooks=hooks, verbose=verbose)
    except Refused as error:
        if "another length" not in str(error):
            raise
        outcome = proofs.prove(image, one, verbose=verbose)  # all is followed
    known = records.load()
    for name in outcome.calls:
        code = records.code(image, name)
        some = [known.get(f"{backend} {name}") for backend in _recorded(one.backend)]
        if not any(record and record["code"] == code for record in some):
            raise Refused(f"{name} is called, and its code is not the one that is proved")
    return outcome


def _recorded(backend: str) -> tuple[str, ...]:
    """The back ends with records of what it calls: ARM's share routines."""
    return (backend,) if backend == "rv32im" else (backend, "armv6m")


def _key(backend: str, label: str, some: list[Unit]) -> str:
    prover = records.digest(*records.SEMANTICS, "contracts", "inverses", "cfunctions.py")
    h = hashlib.sha256(f"{prover} {backend} {label}".encode())
    for made, function in some:
        h.update(f"{function.digest} {contract(backend, function, made.words)} ".encode())
    return h.hexdigest()


def _cached(backend: str, label: str, some: list[Unit]) -> dict[str, Any]:
    """The record of today's code and prover, from the cache or proved now."""
    try:
        path = records.CACHE / f"{_key(backend, label, some)}.json"
    except (Unread, ValueError, AssertionError) as error:
        return {"reason": str(error) or "its comment has no bounds"}
    if path.is_file():
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return found
    found = attempt(backend, some)
    if "reason" not in found:  # the record of what it calls may come later
        records.CACHE.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return found


def every(only: str | None, name: str | None, *, tried: bool) -> int:
    """All functions, or those of a name; exceptions where they are to be `tried`."""
    known, refused = records.load(PROVED), 0
    for backend in records.BACKENDS:
        if only and backend != only:
            continue
        today = units(backend)
        for label, some in today.items():
            if name and label.split()[0] != name:
                continue
            known.pop(f"{backend} {label}", None)
            if excepted(backend, label) and not tried:
                continue
            found = _cached(backend, label, some)
            said = found.get("reason") or f"proved, {found['seconds']} s"
            print(f"{backend} {label}: {said}", flush=True)
            if "reason" not in found:
                known[f"{backend} {label}"] = found
            elif not excepted(backend, label):
                print(f"prove: {backend} {label} is no exception", file=sys.stderr)
                refused = 1
        gone = {k for k in known if k.split()[0] == backend and k.split(" ", 1)[1] not in today}
        records.save({k: v for k, v in known.items() if k not in gone}, PROVED)
    return refused


def table() -> Iterator[str]:
    """Rows of docs/proved.md."""
    yield "| function | file | back ends | words | codes | aliasings | compared | solver |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    rows: dict[tuple[str, str], list[tuple[str, dict[str, Any]]]] = {}
    for label, record in records.load(PROVED).items():
        backend, name, words = label.split()
        rows.setdefault((record["file"], name), []).append((f"{backend} {words}", record))
    for (file, name), some in sorted(rows.items()):
        ends = {label.split()[0] for label, _ in some}
        words = ", ".join(sorted({label.split()[1] for label, _ in some}, key=int))
        sums = {k: sum(r[k] for _, r in some) for k in ("aliases", "compared", "queries")}
        codes = sum(len(r["codes"]) for _, r in some)
        yield (
            f"| `{name}` | `{file}` | {len(ends)} | {words} | {codes} | {sums['aliases']} "
            f"| {sums['compared']:,} | {sums['queries']} |"
        )
    yield ""
    yield "These C functions are not proved:" if exceptions() else "All are proved."
    reasons: dict[str, list[str]] = {}
    for name, reason in sorted(exceptions().items()):
        reasons.setdefault(reason, []).append(f"`{name}`")
    yield from ("",) if reasons else ()
    for reason, names in reasons.items():
        text = f"- {reason}: {', '.join(names)}"
        yield from textwrap.wrap(text, 100, subsequent_indent="  ", break_long_words=False)


def _inverting(backend: str, some: list[Unit]) -> bool:
    """Whether it is a power or a part of an inversion: tests/prove/test_powers.py attacks these."""
    return any(functions.promises(backend, f, made.words) for made, f in some)


def faults(only: str | None, count: int, seed: int) -> int:
    """Planted faults, in each back end so many; how many were accepted and wrong."""
    survivors = 0
    for backend in records.BACKENDS:
        if only and backend != only:
            continue
        random, tally = Random(seed), mutants.Tally()  # noqa: S311
        mine = {k: r for k, r in records.load(PROVED).items() if k.startswith(f"{backend} ")}
        today = units(backend)
        known = [k.split(" ", 1)[1] for k, r in mine.items() if "calls" not in r]
        known = [k for k in known if not _inverting(backend, today[k])]
        for _ in range(count):
            made, function = random.choice(today[random.choice(known)])
            image = made.image()
            one = random.choice(contracts(backend, function, made.words))
            address = random.choice(mutants.reached(image, one))
            code = random.choice(list(mutants.variants(image, address)))
            mutants.attack(image, one, address, code, tally)
        print(
            f"{backend}, C: {count} faults, {tally.refused} refused, {len(tally.equal)} accepted "
            f"and right, {len(tally.survived)} accepted and wrong",
            flush=True,
        )
        for name in tally.survived:
            print(f"  {name}")
        survivors += len(tally.survived)
    return survivors
