"""Code that others timed on silicon and no package carries, mostly kernels in assembly: what
tools/kernels measured of it, kept in ecfit/data/published/kernels.json.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from ecfit.choices.targets import Target, find_target
from ecfit.paths import DATA
from ecfit.sim.flash import FlashTiming
from ecfit.sim.model import load_model

KEPT = DATA / "published" / "kernels.json"
ASM_SHARE = 0.5  # of the cycles in hand-written assembly makes a row one of assembly


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Where rows are from, and how they ran. `mode`: of the target's flash; `script`: what laid out
    code and data; `code`, `stack`, `data`: memories of the target; `model`: :func:`model_digest`;
    `compiler`: of the published figures, where the page names it.
    """

    name: str
    repository: str
    commit: str
    target: str
    mode: str
    script: str
    code: str
    stack: str
    data: str
    source: str
    conditions: str
    model: str
    compiler: str = ""


class Kept(Series, frozen=True, kw_only=True):
    """A measured row, in cycles. `sha256`: of the code and constants that ran. `overhead`: cycles
    of the published figure that are not the kernel's. `error`: the standard error of `modelled`, if
    it is a mean. `unbanked`: `modelled` if no bank of RAM waited. `assembly`: the part of the
    cycles in assembly. `chose`: what was taken from this row, or chosen by it; empty: nothing.
    """

    kernel: str
    sha256: str
    published: int | float
    overhead: float
    modelled: int
    error: int
    unbanked: int
    assembly: float
    chose: str = ""

    @property
    def ratio(self) -> float:
        """Modelled over published."""
        return (self.modelled + self.overhead) / self.published

    @property
    def held_out(self) -> bool:
        """Is it assembly, and did it choose nothing?"""
        return self.assembly >= ASM_SHARE and not self.chose


def model_digest(target: Target, mode_name: str) -> str:
    """Of all that decides the cycles of a chip, but the simulator's code: equal ones count alike.
    Without wait states, the cycles of its model and the banks of its memory alone.
    """
    model = load_model(target.model or "", **target.model_options)
    rows = {name: msgspec.to_builtins(row) for name, row in model.rows.items()}
    for row in rows.values():
        row.pop("source"), row.pop("note", None)
    decides: list[Any] = [rows, [(m.start, m.size, m.latency) for m in target.memory]]
    mode = target.mode(mode_name)
    if mode is not None and mode.wait_states:
        decides.append([getattr(mode, number) for number in FlashTiming.__struct_fields__])
    return hashlib.sha256(msgspec.json.encode(decides, order="sorted")).hexdigest()[:16]


@cache
def _digest_today(name: str, mode_name: str) -> str:
    return model_digest(find_target(name), mode_name)


def current(row: Kept) -> bool:
    """Is the row of the model that its target has today?"""
    return row.model == _digest_today(row.target, row.mode)


def kept(path: Path = KEPT) -> list[Kept]:
    """The rows that were measured, all repositories."""
    rows = []
    for series in msgspec.json.decode(path.read_bytes()) if path.is_file() else ():
        own = series.pop("rows")
        rows += [msgspec.convert({**series, **row}, Kept) for row in own]
    return rows


def encoded(rows: Sequence[Kept]) -> bytes:
    """The record of rows: a line each, those of a series together."""
    series: dict[bytes, list[bytes]] = {}
    for row in rows:
        own = msgspec.to_builtins(row)
        shared = {name: own.pop(name) for name in Series.__struct_fields__}
        series.setdefault(msgspec.json.encode(shared), []).append(msgspec.json.encode(own))
    blocks = [b'%s,"rows":[\n%s\n]}' % (head[:-1], b",\n".join(of)) for head, of in series.items()]
    return b"[\n" + b",\n".join(blocks) + b"\n]\n"
