"""Two runs side by side: what changed, and what of it is too much."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ecfit import documents
from ecfit.errors import UsageError
from ecfit.model import LEAK, FunctionRecord, Record
from ecfit.paths import read_input
from ecfit.show.layout import Cells, Column, shortened
from ecfit.show.report import to_md
from ecfit.units import difference, grouped, percent

FIGURES = {
    "cycles": "cycles",
    "instructions": "instructions",  # where there are no cycles
    "flash": "flash_bytes",
    "stack": "stack_bytes",
    "heap": "heap_bytes",
    "static RAM": "static_ram_bytes",
}
NAMES = (
    "target", "mode", "library", "preset", "changed", "curve", "op", "image_ops", "opt", "seed",
    "runs",
)  # fmt: skip
ABSENT = "not there"
RAN = ("ok", LEAK)  # a row with such a status did its work: its figures can be compared
SHOWN_BYTES = 4  # of an output, from the first that differs


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of a row that is not what it was; `what`: cycles, flash, .., status, or the
    name of an output, whose bytes are in hexadecimal.
    """

    target: str
    library: str
    configuration: str
    curve: str
    op: str
    what: str
    old: int | str | None
    new: int | str | None
    per_cent: float | None = None
    worse: bool = False


class _Function(Record, frozen=True, kw_only=True):
    """A function that was measured, as if it were an operation."""

    outputs: str | None = None


class Side(NamedTuple):
    """One of the two: what it is called, and its records as json."""

    name: str
    records: bytes


def read_side(name: str) -> Side:
    """A file of records. Errors: UsageError."""
    try:
        return Side(name, read_input(Path(name), documents.LARGEST_JSON))
    except OSError as error:
        raise UsageError(f"{name}: cannot be read: {error.strerror}") from None


def compared(
    before: Side, after: Side, fail_on: str | None, *, everything: bool = False
) -> tuple[list[Change], list[str]]:
    """What changed from the first records to the second, and the lines under it. `everything`:
    also the figures that are what they were.

    Errors: UsageError.
    """
    allowed = allowed_growth(fail_on)
    old, new = _read(before), _read(after)
    by_row = {key: _changes(old.get(key), new.get(key), allowed) for key in {**old, **new}}
    changes = [change for changed in by_row.values() for change in changed]
    same = sum(not changed for changed in by_row.values())
    line = f"figures changed: {len(changes)}; rows as they were: {same}"
    if allowed is not None:
        line += f"; worse by more than {allowed:g} %: {sum(change.worse for change in changes)}"
    if not set(old) & set(new):
        line += "; no row is in both: were they measured with other options?"
    if everything:
        for key in set(old) & set(new):
            by_row[key] += _unchanged(old[key], new[key])
        changes = [change for listed in by_row.values() for change in listed]
    return changes, [line, f"old: {before.name}", f"new: {after.name}"]


def summary(changes: Sequence[Change], lines: Sequence[str]) -> str:
    """Markdown for a pull request: what is worse first, what has changed, of what."""
    first = sorted(changes, key=lambda change: not change.worse)
    worse = sum(change.worse for change in changes)
    are = "figure is" if worse == 1 else "figures are"
    title = f"{worse} {are} worse than allowed" if worse else "no figure is worse"
    if all(change.old == change.new for change in changes):
        title = "nothing changed"
    notes = "".join(f"- {line}\n" for line in lines)
    return f"### ecfit: {title}\n\n{to_md(*table(first), lines) if changes else notes}"


def table(changes: Sequence[Change]) -> tuple[list[Column], Cells]:
    """Columns and cells of what changed."""
    return _columns(), [_cells(change) for change in changes]


def allowed_growth(text: str | None) -> float | None:
    """The limit in per cent; None without one. Errors: UsageError."""
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4})?%", text.strip()):
        raise UsageError(f"--fail-on takes per cent, as 1% or 0.5%, not '{text}'")
    return float(text.strip().rstrip("%"))


def _read(side: Side) -> dict[tuple[Any, ...], Record]:
    """The records of a side by what they are of. Errors: UsageError."""
    name = side.name
    try:
        records = _decoded(side.records)
    except msgspec.MsgspecError as error:
        raise UsageError(
            f"{name}: no records of 'ecfit bench --format json -o FILE': {error}"
        ) from None
    if not records:
        raise UsageError(f"{name} has no rows: there is nothing to compare")
    keys = Counter(_key(record) for record in records)
    if twice := [key for key, count in keys.items() if count > 1]:
        place = " ".join(str(part) for part in twice[0] if part is not None)
        raise UsageError(f"{name}: a row is there twice: {place}")
    return {_key(record): record for record in records}


def _decoded(data: bytes) -> list[Record]:
    """Records of bench or size, or of measure. Errors: MsgspecError."""
    try:
        return documents.json(data, list[Record])
    except msgspec.ValidationError as error:
        try:
            return [_as_record(record) for record in documents.json(data, list[FunctionRecord])]
        except msgspec.ValidationError:
            raise error from None


def _as_record(record: FunctionRecord) -> Record:
    """That it leaks is its status."""
    same = {n: getattr(record, n) for n in _Function.__struct_fields__ if hasattr(record, n)}
    same["status"] = record.constant_time if record.constant_time == LEAK else record.status
    named = {"library": record.elf, "op": record.function, "preset": record.arguments or None}
    empty = ("library_version", "curve", "image_ops", "config_key", "toolchain", "opt", "runner")
    return _Function(**dict.fromkeys(empty, "-") | same | named)


def _key(record: Record) -> tuple[Any, ...]:
    """What a row is of: all but what is measured, versions and keys; of the compiler its name."""
    return (*(getattr(record, name) for name in NAMES), record.toolchain.partition(" ")[0])


def _changes(old: Record | None, new: Record | None, allowed: float | None) -> list[Change]:
    """What differs in a row. `allowed`: None when nothing counts as worse."""
    record = new or old
    assert record is not None
    gate = allowed is not None
    if old is None or new is None:
        return [_change(record, "status", _status(old), _status(new), worse=gate and new is None)]
    changes = []
    repaired = (old.status, new.status) == (LEAK, "ok")  # may take longer
    if old.status != new.status:
        failed = gate and new.status != "ok"
        changes.append(_change(record, "status", old.status, new.status, worse=failed))
        if old.status not in RAN or new.status not in RAN:
            return changes
    for what, field in _figures(new):
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            grown = before is not None and after is not None and after > before
            more = gate and not repaired and grown and after > before * (1 + (allowed or 0) / 100)
            changes.append(_change(record, what, before, after, worse=more))
    before, after = _outputs(old), _outputs(new)
    for name in {**before, **after}:
        was, now = before.get(name, ABSENT), after.get(name, ABSENT)
        if was != now:
            changes.append(_change(record, name, was, now, worse=gate))
    return changes


def _figures(record: Record) -> Iterable[tuple[str, str]]:
    """The figures that rows like this one are compared by, with their fields."""
    without = "instructions" if record.cycles is not None else "cycles"
    return ((what, field) for what, field in FIGURES.items() if what != without)


def _unchanged(old: Record, new: Record) -> list[Change]:
    """The figures that a row has and had."""
    same = [
        (what, value)
        for what, field in _figures(new)
        if (value := getattr(old, field)) is not None and value == getattr(new, field)
    ]
    return [_change(new, what, value, value, worse=False) for what, value in same]


def _outputs(record: Record) -> dict[str, str]:
    """The bytes of each output, in hexadecimal; none of an operation of the bench."""
    text = record.outputs if isinstance(record, _Function) else None
    pairs = (part.partition("=") for part in (text or "").split("; ") if part)
    return {name: data for name, _, data in pairs}


def _status(record: Record | None) -> str:
    return record.status if record is not None else ABSENT


def _change(
    record: Record, what: str, old: int | str | None, new: int | str | None, *, worse: bool
) -> Change:
    share = None
    if isinstance(old, int) and isinstance(new, int) and old:
        share = round(100 * (new / old - 1), 3)
    return Change(
        target=record.target,
        library=record.library,
        configuration=" ".join(filter(None, (record.preset, record.changed))),
        curve=record.curve,
        op=record.op,
        what=what,
        old=old,
        new=new,
        per_cent=share,
        worse=worse,
    )


def first_of(change: Change) -> str:
    """A change in a line: what, and of which row."""
    was, now = _shown(change)
    words = shortened(change.configuration.split())
    named = (change.library, words, change.curve, change.op, "on", change.target)
    row = " ".join(part for part in named if part and part != "-")
    return f"{change.what} {was} -> {now} of {row}"


def _shown(change: Change) -> tuple[int | str | None, int | str | None]:
    """Old and new; of two outputs the first bytes that differ."""
    old, new = change.old, change.new
    if not isinstance(old, str) or not isinstance(new, str) or change.what == "status":
        return old, new
    bytes_of = [[text[i : i + 2] for i in range(0, len(text), 2)] for text in (old, new)]
    first = next((i for i, (a, b) in enumerate(zip(*bytes_of, strict=False)) if a != b), 0)
    return _part(old, first), _part(new, first)


def _part(text: str, first: int) -> str:
    """Some bytes of an output."""
    if text == ABSENT:
        return text
    begin, end = 2 * first, 2 * (first + SHOWN_BYTES)
    return f"{'..' * bool(begin)}{text[begin:end]}{'..' * (end < len(text))}"


def _columns() -> list[Column]:
    names = [Column(name) for name in ("target", "library")]
    names += [Column("configuration", text=True), Column("curve"), Column("op"), Column("what")]
    return [*names, *(Column(n, figure=True) for n in ("old", "new", "more", "%")), Column("")]


def _cells(change: Change) -> list[str]:
    configuration = shortened(change.configuration.split()) or "-"
    cells = [change.target, change.library, configuration, change.curve, change.op]
    old, new = (x if isinstance(x, int) else None for x in (change.old, change.new))
    figures = [x if isinstance(x, str) else grouped(x) for x in _shown(change)]
    more = [difference(new, old), percent(new, old) if old else "-"]
    return [*cells, change.what, *figures, *more, "worse" if change.worse else ""]
