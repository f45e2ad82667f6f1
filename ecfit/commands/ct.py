"""The command `ct`: does a secret decide about time? Two checks of each operation
that has a secret.

Taint: private key and random bytes are followed through one run, instruction by instruction;
a leak is a branch, an address, or an operand of an instruction that is variable-time on that core.
Equality: runs that differ in their secrets alone take one number of cycles
and one course of program counter and addresses.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import msgspec

from ecfit.arguments.common import Common, verdict
from ecfit.arguments.selection import rows
from ecfit.errors import CONSTANT_TIME, UsageError
from ecfit.measure.bench import Row, Verdict
from ecfit.model import SCHEMA, Leak, Record
from ecfit.run.cases import OPS_WITH_SECRETS
from ecfit.show.layout import Cells, Column
from ecfit.units import grouped

LEAK, DECLARED = "leak", "declared"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One leak, or one check of an operation without any;
    or one place where a secret is declared public.

    `status`: "ok", "leak", "declared", or why there was no run.

    Taint: `kind` is what the secret decides, at `address` in `function`, called by `path`,
    `count` times; `secret` is what it was computed from. Equality: `runs` and what they came to.
    `same_code`: the image of the taint check is the measured one, byte for byte;
    else only the marks of public values can make the difference.
    """

    schema: int = SCHEMA
    library: str
    library_version: str
    preset: str | None
    changed: str | None
    curve: str
    op: str
    target: str
    core: str
    mode: str | None
    config_key: str
    toolchain: str
    opt: str
    seed: int
    check: str
    status: str
    detail: str | None = None
    kind: str | None = None
    function: str | None = None
    source: str | None = None
    address: str | None = None
    path: str | None = None
    secret: str | None = None
    count: int | None = None
    same_code: bool | None = None
    runs: int | None = None
    cycles_min: int | None = None
    cycles_max: int | None = None
    trace_hashes: int | None = None


def _check(record: Record, check: str, **more: object) -> Check:
    same = {
        name: getattr(record, name) for name in Check.__struct_fields__ if hasattr(record, name)
    }
    same |= {
        "runs": None,
        "cycles_min": None,
        "cycles_max": None,
        "trace_hashes": None,
        "check": check,
    }
    return Check(**{**same, **more})


def _place(record: Record, status: str, leak: Leak, same_code: bool) -> Check:
    return _check(
        record,
        "taint",
        status=status,
        kind=leak.kind,
        function=leak.function,
        source=leak.source,
        address=f"0x{leak.address:08x}",
        path=" > ".join(leak.path),
        secret=", ".join(leak.secret),
        count=leak.count,
        same_code=same_code,
    )


def _equality(record: Record) -> Check:
    """Equal traces take equal cycles, not the reverse:
    a trace that differs is a leak all the same.
    """
    status, kind = record.status, None
    if status == "ok" and record.cycles_min != record.cycles_max:
        status, kind = LEAK, "cycles differ"
    elif status == "ok" and record.trace_hashes != 1:
        status, kind = LEAK, "trace differs"
    return _check(
        record,
        "equality",
        status=status,
        kind=kind,
        runs=record.runs,
        cycles_min=record.cycles_min,
        cycles_max=record.cycles_max,
        trace_hashes=record.trace_hashes,
    )


def checks(seen: Verdict) -> list[Check]:
    """The lines of one operation: its leaks, or that there is none; what is declared public;
    the comparison of runs.
    """
    if seen.taint.status != "ok":
        return [_check(seen.taint, "taint")]
    taint = [_place(seen.taint, LEAK, leak, seen.same_code) for leak in seen.leaks]
    declared = [_place(seen.taint, DECLARED, place, seen.same_code) for place in seen.declared]
    taint = taint or [_check(seen.taint, "taint", same_code=seen.same_code)]
    return [*taint, *declared, _equality(seen.equality)]


def _declarations(done: Iterable[Check]) -> list[str]:
    """A line for each place where something secret is declared public,
    with the operations that come there.
    """
    places: dict[tuple[str, str], tuple[dict[str, None], dict[str, None]]] = {}
    for c in done:
        if c.status == DECLARED:
            where = (
                f"{c.function} ({c.source})"
                if c.source
                else f"{c.function} (called by {_caller(c)})"
            )
            secrets, ops = places.setdefault((c.library, where), ({}, {}))
            secrets |= dict.fromkeys((c.secret or "").split(", "))
            ops[c.op] = None
    return [
        f"declared public by {library}: {where}: from {' and '.join(secrets)}, in {', '.join(ops)}"
        for (library, where), (secrets, ops) in places.items()
    ]


def _caller(check: Check) -> str:
    return (check.path or "").split(" > ")[-2:][0]


def _table(done: Sequence[Check]) -> tuple[list[Column], Cells]:
    names = "target library preset curve op check status what function source secret path"
    columns = [
        *(
            Column(name, text=name in ("preset", "status", "what", "path"))
            for name in names.split()
        ),
        Column("times", True),
    ]
    cells = [
        [
            c.target,
            c.library,
            " ".join(filter(None, (c.preset or "-", c.changed))),
            c.curve,
            c.op,
            c.check,
            c.status,
            _what(c),
            c.function or "-",
            c.source or "-",
            c.secret or "-",
            _short(c.path),
            grouped(c.count) if c.count is not None else "-",
        ]
        for c in done
    ]
    return columns, cells


def _what(check: Check) -> str:
    if check.check == "taint" or check.cycles_min is None or check.cycles_max is None:
        return check.kind or "-"
    span = grouped(check.cycles_min)
    if check.cycles_max != check.cycles_min:
        span += f" to {grouped(check.cycles_max)}"
    traces = "trace" if check.trace_hashes == 1 else "traces"
    return f"{check.runs} runs: {span} cycles, {check.trace_hashes} {traces}"


def _short(path: str | None) -> str:
    """The operation, and the last three functions of a path."""
    frames = path.split(" > ") if path else ["-"]
    return " > ".join([frames[0], "..", *frames[-3:]] if len(frames) > 5 else frames)


def _complain(done: Iterable[Check]) -> bool:
    """One line on standard error for each operation that leaks. Whether there is one."""
    counts: dict[tuple[str, ...], int] = {}
    for c in done:
        if c.status == LEAK:
            where = (" ".join(filter(None, (c.library, c.preset))), c.target, c.curve, c.op)
            counts[where] = counts.get(where, 0) + 1
    for (library, target, curve, op), count in counts.items():
        what = "1 constant-time finding" if count == 1 else f"{count} constant-time findings"
        sys.stderr.write(f"ecfit: {library} on {target}: {curve} {op}: {what}\n")
    return bool(counts)


def _rows(common: Common) -> list[Row]:
    """The rows to check. Errors: UsageError where there is nothing to check, or no way to."""
    wanted = [row for row in rows(common.select()) if row.op in OPS_WITH_SECRETS]
    chosen = [row for row in wanted if row.offered]
    for row in chosen:
        if row.target.runner != "sim":
            raise UsageError(
                f"{row.target.name} follows no secrets: it is not simulated "
                "('make ct' does, with valgrind)"
            )
    if not wanted:
        raise UsageError(
            f"nothing to check: the operations with a secret are {', '.join(OPS_WITH_SECRETS)}"
        )
    if not chosen:
        raise UsageError(
            "nothing to check: no library asked for has such an operation "
            "on that curve ('ecfit libs')"
        )
    return chosen


def constant_time(common: Common) -> int:
    """Checks each row. Exit code 5 when a secret decides about time. Errors: UsageError."""
    from ecfit.show.progress import Progress

    chosen = _rows(common)
    bench = common.bench()
    bench.check(chosen)
    seen: dict[int, Verdict] = {}
    with Progress(len(chosen), quiet=common.values["quiet"]) as progress:
        for index, one in bench.each(chosen, bench.constant_time):
            seen[index] = one
            progress.done(one.equality)
    done = [check for index in sorted(seen) for check in checks(seen[index])]
    columns, cells = _table([check for check in done if check.status != DECLARED])
    common.print(done, columns, cells, _declarations(done))
    code = verdict([record for one in seen.values() for record in (one.taint, one.equality)])
    return CONSTANT_TIME if _complain(done) else code
