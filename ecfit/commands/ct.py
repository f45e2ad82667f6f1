"""The command `ct`: does a secret decide about time? Two checks of each operation
that has a secret.

Taint: private key and random bytes are followed through one run with each public input,
instruction by instruction; a leak is a branch, an address, or an operand of an instruction
that is variable-time on that core. Equality: runs that differ in their secrets alone take
one number of cycles and one course of program counter and addresses.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import msgspec

from ecfit.arguments.common import Common, verdict
from ecfit.arguments.selection import rows
from ecfit.errors import CONSTANT_TIME, UsageError
from ecfit.measure.bench import Row
from ecfit.model import SCHEMA, Leak, Record, Verdict
from ecfit.run.cases import OPS_WITH_SECRETS
from ecfit.run.job import NOT_FOLLOWED
from ecfit.show.layout import Cells, Column
from ecfit.units import grouped

LEAK, DECLARED, ACCEPTED, NOT_COMPARED = "leak", "declared", "accepted", "not compared"
BLIND = ("table full", "code")  # kinds of a leak behind which more can be hidden
ADDRESSES = ("load address", "store address")
MOST_ROWS = 10  # of leaks of one operation in the table, each with one cause


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One leak, or one check of an operation without any; or one use of a declaration that a secret
    is public; or an input that the library accepts and others refuse.

    `status`: "ok", "leak", "declared", "accepted" (`detail` says what), "not compared",
    "not followed" (likewise), or why there was no run.

    Taint: `kind` is what the secret decides, at `address` in `function`, called by `path`,
    `count` times; `secret` is what it was computed from; of a declaration `declared` is what it
    was of, and `bytes` how many at a time. Equality: `runs` with each public input and what they
    came to; `trace_hashes`: most with one public input. `inputs`: public inputs; `input`: with
    which of them, from 1, this was seen first, and `during` what, where that was out of the
    ordinary; `added`: leaks that each of them added. `cause`: the number of the leak's group,
    of those of one function by one secret; the worst is 1.
    `marks`: places of the image that say that something is public.
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
    declared: str | None = None
    bytes: int | None = None
    inputs: int | None = None
    input: int | None = None
    during: str | None = None
    added: str | None = None
    cause: int | None = None
    marks: int | None = None
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


def _place(checked: Verdict, status: str, leak: Leak, cause: int | None = None) -> Check:
    return _check(
        checked.taint,
        "taint",
        status=status,
        kind=leak.kind,
        function=leak.function,
        source=leak.source,
        address=f"0x{leak.address:08x}",
        path=" > ".join(leak.path),
        secret=", ".join(leak.secret),
        count=leak.count,
        declared=leak.declared,
        bytes=leak.bytes,
        input=leak.input,
        during=leak.during,
        cause=cause,
        **_followed(checked),
    )


def _followed(checked: Verdict) -> dict[str, object]:
    """What is said on each line of the taint check of an operation."""
    inputs = len(checked.equality)
    added = [sum(leak.input == number for leak in checked.leaks) for number in range(1, inputs + 1)]
    return {
        "inputs": inputs,
        "added": "+".join(map(str, added)),
        "marks": checked.marks,
    }


def _by_cause(leaks: Sequence[Leak]) -> list[list[Leak]]:
    """Leaks of one function by one secret together, the worst first, and the worst of each:
    behind which more can be hidden, then what takes time on every core, then addresses, which
    only some memories show; of equal ones what happened most often.
    """
    groups: dict[tuple[object, ...], list[Leak]] = {}
    for leak in leaks:
        groups.setdefault((leak.function, leak.secret), []).append(leak)

    def badness(group: Sequence[Leak]) -> tuple[int, int]:
        worst = max((leak.kind in BLIND) - (leak.kind in ADDRESSES) for leak in group)
        return worst, sum(leak.count for leak in group)

    ordered = [sorted(group, key=lambda leak: badness([leak]), reverse=True)
        for group in groups.values()]  # fmt: skip
    return sorted(ordered, key=badness, reverse=True)


def _equality(records: Sequence[Record]) -> Check:
    """Equal traces take equal cycles, not the reverse:
    a trace that differs is a leak all the same.
    """
    differs = {
        "cycles differ": [r.cycles_min != r.cycles_max for r in records],
        "trace differs": [r.trace_hashes != 1 for r in records],
    }
    kind = next((kind for kind, where in differs.items() if any(where)), None)
    failed = next((record for record in records if record.status != "ok"), None)
    if failed is not None:
        return _check(failed, "equality", inputs=len(records))
    if records[0].runs == 1:
        usual = "one run with each public input compares nothing: --n 2 or more"
        detail = records[0].detail or usual
        return _check(
            records[0], "equality", status=NOT_COMPARED, detail=detail, runs=1, inputs=len(records)
        )
    return _check(
        records[0],
        "equality",
        status=LEAK if kind else "ok",
        kind=kind,
        inputs=len(records),
        input=differs[kind].index(True) + 1 if kind else None,
        runs=records[0].runs,
        cycles_min=min(r.cycles_min for r in records if r.cycles_min is not None),
        cycles_max=max(r.cycles_max for r in records if r.cycles_max is not None),
        trace_hashes=max(r.trace_hashes for r in records if r.trace_hashes is not None),
    )


def checks(checked: Verdict) -> list[Check]:
    """The lines of one operation: its leaks, or that there is none; what is declared public,
    and what is accepted; the comparison of runs. A failed run hides nothing seen before it.
    """
    failed = checked.taint.status != "ok"
    taint = [
        _place(checked, LEAK, leak, cause)
        for cause, group in enumerate(_by_cause(checked.leaks), 1)
        for leak in group
    ]
    taint += [_check(checked.taint, "taint", **_followed(checked))] if failed or not taint else []
    taint += [_place(checked, DECLARED, place) for place in checked.declared]
    taint += [
        _check(checked.taint, "taint", status=ACCEPTED, detail=what) for what in checked.accepted
    ]
    equality = _equality(checked.equality)
    compared = equality.status in {"ok", LEAK, NOT_COMPARED}
    return [*taint, equality] if compared or not failed else taint


def _operation(c: Check) -> str:
    library = " ".join(filter(None, (c.library, c.preset, c.changed)))
    return f"{library} on {c.target}: {c.curve} {c.op}"


def remarks(done: Sequence[Check]) -> list[str]:
    """What stands under the table, each once."""
    lines: dict[str, int] = {}
    for c in done:
        line = _line(c)
        if line is not None:
            lines[line] = lines.get(line, 0) + (c.count or 0)
    return [
        line.replace("# times", "once" if count == 1 else f"{grouped(count)} times")
        for line, count in lines.items()
    ]


def _line(c: Check) -> str | None:
    """What a check says beside its row; "# times" is how often."""
    if c.status == DECLARED:
        where = f"{c.function} ({c.source})" if c.source else str(c.function)
        what = f"{c.bytes} bytes of memory" if c.declared == "block" else f"{c.bytes} bytes"
        by = f"declared public by {c.library}"
        return f"{by}: {where}: {what} from the {c.secret}, # times, by {c.path}"
    if c.status == ACCEPTED:
        return f"difference: {_operation(c)} accepts {c.detail}"
    if c.status == NOT_COMPARED:
        return f"not compared: {_operation(c)}: {c.detail}"
    return None


def _hidden(done: Sequence[Check]) -> list[str]:
    """What the table leaves out, of each operation."""
    most: dict[str, int] = {}
    places: dict[str, int] = {}
    for c in done:
        if (c.cause or 0) > MOST_ROWS:
            most[_operation(c)] = max(c.cause or 0, most.get(_operation(c), 0))
            places[_operation(c)] = places.get(_operation(c), 0) + 1
    return [
        f"{operation}: {cause - MOST_ROWS} further causes, {places[operation]} places: "
        "--format json has each place"
        for operation, cause in most.items()
    ]


def _added(done: Sequence[Check]) -> list[str]:
    """What each public input added to the findings of an operation."""
    by_operation = {_operation(c): c for c in done if c.check == "taint" and c.status == LEAK}
    return [
        f"{operation}: findings that each public input added to those of the ones before: {c.added}"
        for operation, c in by_operation.items()
        if (c.inputs or 1) > 1
    ]


RANKS = {"path": 4, "secret": 3, "check": 2, "what": 1}  # what a narrow table leaves out


def _table(done: Sequence[Check]) -> tuple[list[Column], Cells]:
    names = "target library preset curve op check status what function source secret path"
    columns = [
        *(
            Column(name, text=name in ("preset", "status", "what", "path"), rank=RANKS.get(name, 0))
            for name in names.split()
        ),
        Column("places", True, rank=5),
        Column("times", True, rank=6),
    ]
    rows: dict[tuple[object, ...], list[Check]] = {}
    for number, c in enumerate(done):
        if (c.cause or 0) <= MOST_ROWS:
            rows.setdefault((_operation(c), c.mode, c.cause or -number), []).append(c)
    cells = [
        [
            c.target,
            c.library,
            " ".join(filter(None, (c.preset or "-", c.changed))),
            c.curve,
            c.op,
            c.check,
            c.status,
            ", ".join(dict.fromkeys(map(_what, group))),
            c.function or "-",
            c.source or "-",
            c.secret or "-",
            _short(c.path),
            grouped(len(group)) if c.cause else "-",
            grouped(sum(check.count or 0 for check in group)) if c.cause else "-",
        ]
        for group in rows.values()
        for c in group[:1]
    ]
    return columns, cells


def _what(check: Check) -> str:
    if check.check == "taint" and check.status == "ok":
        return f"{check.inputs} public inputs" if (check.inputs or 1) > 1 else "-"
    if check.check == "taint" or check.cycles_min is None or check.cycles_max is None:
        return (check.kind or "-") + (f" ({check.during})" if check.during else "")
    span = grouped(check.cycles_min)
    if check.cycles_max != check.cycles_min:
        span += f" to {grouped(check.cycles_max)}"
    runs = f"{check.inputs} x {check.runs}" if (check.inputs or 1) > 1 else f"{check.runs}"
    traces = "trace" if check.trace_hashes == 1 else "traces"
    most = f"{check.trace_hashes} {traces}"
    return f"{runs} runs: {span} cycles, {most}" + (" with each input" if "x" in runs else "")


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
            instead = " ('make long WHAT=ct' does, with valgrind)" * (row.target.runner == "host")
            raise UsageError(f"{row.target.name} follows no secrets: it is not simulated{instead}")
    if not wanted:
        raise UsageError(
            f"nothing to check: the operations with a secret are {', '.join(OPS_WITH_SECRETS)}"
        )
    if not chosen:
        raise UsageError(
            "nothing to check: no library asked for has such an operation "
            "on that curve ('ecfit list libs')"
        )
    return chosen


def followed(common: Common) -> list[Verdict]:
    """What was seen of each row. Errors: UsageError, MissingToolError."""
    from ecfit.show.progress import Progress

    chosen = _rows(common)
    bench = common.bench()
    bench.check(chosen)
    verdicts: dict[int, Verdict] = {}
    with Progress(len(chosen), quiet=common.values["quiet"]) as progress:
        for index, checked in bench.each(chosen, bench.constant_time):
            verdicts[index] = checked
            progress.done(checked.equality[0])
    return [verdicts[index] for index in sorted(verdicts)]


def constant_time(common: Common) -> int:
    """Checks each row. Exit code 5 when a secret decides about time, or could not be followed.
    Errors: UsageError, MissingToolError.
    """
    verdicts = followed(common)
    done = [check for checked in verdicts for check in checks(checked)]
    columns, cells = _table([c for c in done if c.status not in {DECLARED, ACCEPTED}])
    common.print(done, columns, cells, [*_hidden(done), *remarks(done), *_added(done)])
    code = verdict(
        [record for checked in verdicts for record in (checked.taint, *checked.equality)]
    )
    leaks = _complain(done)
    return CONSTANT_TIME if leaks or any(c.status == NOT_FOLLOWED for c in done) else code
