"""Columns that were asked for by name: headings of the table, or fields of its records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ecfit.errors import unknown_name
from ecfit.show.layout import Cells, Column
from ecfit.units import grouped

UNITS = (" B", " ms", " s", " mJ", " µJ", " µs")  # of headings; a name without them is enough


def chosen(
    columns: Sequence[Column], cells: Cells, values: Sequence[Any], names: Sequence[str]
) -> tuple[list[Column], Cells]:
    """These columns, in this order; without names all. `values`: the record of each row.

    Errors: UsageError for a name that is no heading and no field.
    """
    if not names:
        return list(columns), cells
    heads = {key: i for i, column in reversed([*enumerate(columns)]) for key in keys(column.name)}
    records = [_fields(value) for value in values] if len(values) == len(cells) else []
    fields = {field.lower(): field for record in records[:1] for field in record}
    shown, lanes = [], []
    for name in names:
        key = name.lower()
        if key in heads:
            shown.append(columns[heads[key]])
            lanes.append([row[heads[key]] for row in cells])
        elif key in fields:
            lane = [record[fields[key]] for record in records]
            shown.append(Column(fields[key], all(isinstance(v, int | float | None) for v in lane)))
            lanes.append([_text(value) for value in lane])
        else:
            every = [*(column.name for column in columns if column.name), *fields.values()]
            raise unknown_name("column in --columns", name, list(dict.fromkeys(every)))
    return shown, [list(row) for row in zip(*lanes, strict=True)]


def check(names: Sequence[str], headings: Sequence[str], fields: Sequence[str]) -> None:
    """Errors: UsageError for a name that is neither heading nor field, before anything runs."""
    keys_there = {key for heading in headings for key in keys(heading)} | {*fields}
    for name in names:
        if name.lower() not in keys_there:
            raise unknown_name("column in --columns", name, [*headings, *fields])


def fields_of(values: Sequence[Any], names: Sequence[str]) -> list[dict[str, Any]]:
    """Of each record these fields, in this order; without names all of them.

    Errors: UsageError for a name that is no field.
    """
    records = [{**_fields(value)} for value in values]
    known = {field.lower(): field for field in (records[0] if records else ())}
    for name in names if records else ():
        if name.lower() not in known:
            raise unknown_name("field in --columns", name, [*known.values()])
    shown = [known.get(name.lower(), name) for name in names]
    return [{name: record[name] for name in shown or record} for record in records]


def keys(heading: str) -> list[str]:
    """What a heading may be called: with and without its unit, without commas."""
    name = heading.lower().replace(",", "")
    return [name, *(name.removesuffix(unit.lower()) for unit in UNITS)]


def _fields(value: Any) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = msgspec.to_builtins(value)
    return fields


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return grouped(value) if isinstance(value, int) else str(value)
