"""python -m prove BACKEND ROUTINE: the proof of one routine, on the object code.

    python -m prove armv7em secp256r1_fe_mul     one routine, with the facts; keeps its record
    python -m prove --all                        all; writes prove/proved.json (sweep prove)
    python -m prove --c armv6m mod_add           C functions of a back end, or one of them
    python -m prove --compose                    calls into mp and field, in all presets
    python -m prove --mutants 500 [--seed 1]     faults planted in the code of what is proved
    python -m prove --doc [--check]              the tables of docs/proved.md

Exit codes: 0 proved; 1 refused; 2 wrong use; 3 a tool is missing.
"""

from __future__ import annotations

import argparse
import signal
import sys
from typing import Any

from ecfit.errors import EcfitError
from prove import cfunctions, mutants, page
from prove.algebra.solver import Late
from prove.algebra.values import Refused
from prove.compose import report
from prove.contracts import divsteps, records, tables
from prove.contracts.banner import Unread, contracts
from prove.contracts.contract import Outcome
from prove.contracts.sources import banners
from prove.goals import endings, programs
from prove.goals.calls import hooks
from prove.goals.proofs import prove
from prove.inverses import matrices
from prove.machine.image import Image, image

LIMIT = 1200  # real seconds for a contract of a routine: a guard


def _late(*_: object) -> None:
    raise Late(f"not proved in {LIMIT} seconds")


def attempt(
    code: Image, backend: str, name: str, *, seconds: float = 20, verbose: bool = False
) -> dict[str, Any]:
    """The record of one routine: what was proved, or `reason`."""
    if tables.promise(backend, name) or endings.ended(backend, name) or divsteps.kind(name):
        return _whole(code, backend, name, verbose=verbose)
    try:
        wanted = contracts(backend, name)
    except (Unread, ValueError, AssertionError) as error:
        return {"reason": str(error) or "its banner has no bounds"}
    total, facts = Outcome(), []
    signal.signal(signal.SIGALRM, _late)
    try:
        for contract in wanted:
            signal.alarm(LIMIT)
            calls = hooks(code, contract)
            one = prove(code, contract, hooks=calls, seconds=seconds, verbose=verbose)
            total.seconds += one.seconds
            total.instructions, total.stack = one.instructions, max(total.stack, one.stack)
            total.queries, total.aliases = total.queries + one.queries, total.aliases + one.aliases
            total.compared += one.compared
            total.calls = one.calls
            facts += one.facts
    except Refused as error:
        return {"reason": f"refused: {error}"}
    finally:
        signal.alarm(0)
    return _record(code, backend, name, len(wanted), total, facts=facts if verbose else None)


def _whole(code: Image, backend: str, name: str, *, verbose: bool) -> dict[str, Any]:
    """The record of an interpreter, a ladder, a common end, or a part of an inversion."""
    try:
        said, inverse = tables.promise(backend, name), divsteps.promise(backend, name)
        if said is not None:
            total = programs.prove(code, backend, name, said)
        elif inverse is not None:
            total = matrices.prove(code, backend, name, inverse)
        else:
            total = endings.prove(code, backend, name)
    except (Refused, Unread) as error:
        return {"reason": f"refused: {error}"}
    return _record(
        code, backend, name, total.aliases, total, facts=total.facts if verbose else None
    )


def _record(
    code: Image, backend: str, name: str, count: int, total: Outcome, *, facts: list[str] | None
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "code": records.code(code, name),
        "contract": records.contract(backend, name),
        "contracts": count,
        **records.counts(total),
    }
    if total.calls:
        found["calls"] = total.calls
    if facts is not None:
        found["facts"] = facts
    return found


def single(backend: str, name: str) -> int:
    """One routine, told in words; its record goes into prove/proved.json."""
    code = image(backend)
    full = name if name.startswith("ecfit_") else f"ecfit_{name}"
    if full not in code.symbols:
        print(f"prove: no routine {full} in {backend}", file=sys.stderr)
        return 2
    found = attempt(code, backend, full, verbose=True)
    if "reason" in found:
        print(f"{backend} {full}: not proved: {found['reason']}")
        return 1
    print(banners(backend)[full])
    print()
    facts = found.pop("facts")
    records.save(records.load() | {f"{backend} {full}": found})
    for fact in facts:
        print(f"  {fact}")
    print(f"{backend} {full}: proved in {found['seconds']} s, {found['aliases']} aliasings,")
    print(f"  {found['compared']:,} instructions compared with the emulator")
    if found.get("calls"):
        print(f"  by the contracts of {', '.join(found['calls'])}")
    return 0


def every(only: str | None, *, tried: bool) -> int:
    """All routines that are not cached; exceptions where they are to be `tried`."""
    known, refused = records.load(), []
    for backend in records.BACKENDS:
        if only and backend != only:
            continue
        code = image(backend)
        for name in records.names(backend):
            label = f"{backend} {name}"
            found = records.cached(code, backend, name)
            if found is None and not tried and label in page.exceptions():
                known.pop(label, None)
                continue
            if found is None:
                found = attempt(code, backend, name)
                records.keep(code, backend, name, found)
            said = found.get("reason") or f"proved, {found['seconds']} s"
            print(f"{label}: {said}", flush=True)
            known.pop(label, None)
            if "reason" in found:
                refused.append((label, found["reason"]))
            else:
                known[label] = found
            records.save(known)
        gone = {label for label in known if label.split()[0] == backend}
        for label in gone - {f"{backend} {name}" for name in records.names(backend)}:
            del known[label]
        records.save(known)
    surprising = [label for label, _ in refused if label not in page.exceptions()]
    for label in surprising:
        print(f"prove: {label} is not proved and no exception", file=sys.stderr)
    return 1 if surprising else 0


def faults(only: str | None, count: int, seed: int) -> int:
    """Planted faults, in each back end so many."""
    survivors = 0
    for backend in records.BACKENDS:
        if only and backend != only:
            continue
        known = [label.split()[1] for label in records.load() if label.startswith(f"{backend} ")]
        found = mutants.sample(image(backend), backend, known, count, seed)
        print(
            f"{backend}: {count} faults, {found.refused} refused, {len(found.equal)} accepted and "
            f"right, {len(found.survived)} accepted and wrong",
            flush=True,
        )
        for name in found.survived:
            print(f"  {name}")
        survivors += len(found.survived)
    return int(survivors > 0)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser("python -m prove", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "backend", nargs="?", help="armv6m, armv7m, armv7em, rv32im or, with --compose, c"
    )
    parser.add_argument("routine", nargs="?", help="its name, with or without ecfit_")
    parser.add_argument("--all", action="store_true", help="all routines (of BACKEND)")
    parser.add_argument("--tried", action="store_true", help="with --all: exceptions, too")
    parser.add_argument("--c", action="store_true", help="C functions; writes proved_c.json")
    parser.add_argument("--compose", action="store_true", help="calls into mp and field")
    parser.add_argument("--mutants", type=int, metavar="N", help="faults planted in each back end")
    parser.add_argument("--seed", type=int, default=1, help="of those")
    parser.add_argument("--doc", action="store_true", help="write the tables of docs/proved.md")
    parser.add_argument("--check", action="store_true", help="with --doc: compare alone")
    given = parser.parse_args()
    if given.backend and given.backend not in (*records.BACKENDS, *("c",) * given.compose):
        parser.error(f"no back end {given.backend}; there are {', '.join(records.BACKENDS)}")
    if given.doc:
        return page.write(check=given.check)
    if given.compose:
        return report.every(given.backend)
    if given.c and given.mutants:
        return int(cfunctions.faults(given.backend, given.mutants, given.seed) > 0)
    if given.c:
        return cfunctions.every(given.backend, given.routine, tried=given.tried)
    if given.mutants:
        return faults(given.backend, given.mutants, given.seed)
    if given.all:
        return every(given.backend, tried=given.tried)
    if not given.routine:
        parser.error("BACKEND and ROUTINE, or --all, or --doc")
    return single(given.backend, given.routine)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except EcfitError as error:
        print(f"prove: {error}", file=sys.stderr)
        sys.exit(3)
