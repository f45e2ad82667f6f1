"""Stores in files, readings for them, and what they have kept, as another program reads it."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pg_cluster
import pytest

from ecfit.gateway.lines import LinesStore
from ecfit.gateway.postgres import PostgresStore
from ecfit.gateway.readings import Reading
from ecfit.gateway.stores import SqliteStore, Store

Make = Callable[[Path], Store]
STORES: dict[str, Make] = {"sqlite": SqliteStore, "lines": LinesStore}


def reading(number: int, key: str = "a" * 32, boot: int = 0, temp: int = 7) -> Reading:
    epoch = {"boot_epoch": boot} if boot else {}
    payload = {"temp": temp, "x": "y" * 99, "measurement_id": number, **epoch}
    return Reading("coap://s/t", "attic", key, str(boot or ""), str(number), "ES256", payload)


def kept(path: Path, name: str) -> tuple[list[str], list[str]]:
    """Measurement ids of readings, and the reasons of refusals, as another program reads them."""
    if name == "lines":
        found = [json.loads(line) for line in path.read_text().splitlines()]
        return (
            [one["measurement"] for one in found if one["accepted"]],
            [one["reason"] for one in found if not one["accepted"]],
        )
    with closing(sqlite3.connect(path)) as base:
        accepted = [m for (m,) in base.execute("SELECT measurement FROM readings")]
        return accepted, [r for (r,) in base.execute("SELECT reason FROM refused")]


class Place(NamedTuple):
    """Where a store is, and what opens it."""

    where: str
    make: Callable[[], Store]


def place_in(name: str, folder: Path, request: pytest.FixtureRequest) -> Place:
    """A place for a new store."""
    if name != "postgres":
        return Place(str(folder / "kept"), lambda: STORES[name](folder / "kept"))
    url = str(request.getfixturevalue("server"))
    schema = f"s{abs(hash(folder))}"
    with pg_cluster.connect(url) as base:
        base.execute(f"CREATE SCHEMA {schema}")
    own = f"{url}&options=-csearch_path%3D{schema}"
    return Place(own, lambda: PostgresStore(own))


def reasons(name: str, folder: Path, url: str) -> dict[str, int]:
    """Refused readings by reason."""
    if name == "postgres":
        with pg_cluster.connect(url) as base:
            return Counter(reason for (reason,) in base.execute("SELECT reason FROM refused"))
    return Counter(kept(folder / "kept", name)[1])
