"""Stores in files, readings for them, and what they have kept, as another program reads it."""

from __future__ import annotations

import atexit
import json
import sqlite3
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from ecfit_lab.gateway.lines import LinesStore
from ecfit_lab.gateway.postgres import PostgresStore
from ecfit_lab.gateway.readings import Reading
from ecfit_lab.gateway.stores import SqliteStore, Store
from workshop.devices import pg_cluster

Make = Callable[..., Store]  # with Limits, or without
STORES: dict[str, Make] = {"sqlite": SqliteStore, "lines": LinesStore}


def reading(number: int, key: str = "a" * 32, boot: int = 0, temp: int = 7) -> Reading:
    epoch = {"boot_epoch": boot} if boot else {}
    payload = {"temp": temp, "x": "y" * 99, "measurement_id": number, **epoch}
    return Reading("coap://s/t", "attic", key, str(boot or ""), str(number), "ES256", payload)


def refused_lines(path: Path) -> list[dict[str, str]]:
    """What a store of lines has refused: a file for each sensor, and the one before it."""
    files = sorted(Path(f"{path}.refused").glob("*.jsonl"), key=lambda file: file.stat().st_mtime)
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def messages(name: str, where: str) -> list[str]:
    """All refused messages, the oldest first."""
    if name == "lines":
        return [one["message"] for one in refused_lines(Path(where))]
    if name == "sqlite":
        with closing(sqlite3.connect(where)) as base:
            return [m for (m,) in base.execute("SELECT message FROM refused ORDER BY rowid")]
    with pg_cluster.connect(where) as base:
        query = "SELECT message FROM refused ORDER BY received, ctid"
        return [m for (m,) in base.execute(query)]


def kept(path: Path, name: str) -> tuple[list[str], list[str]]:
    """Measurement ids of readings, and the reasons of refusals, as another program reads them."""
    if name == "lines":
        accepted = [json.loads(line) for line in path.read_text().splitlines()]
        return (
            [one["measurement"] for one in accepted if one["accepted"]],
            [one["reason"] for one in refused_lines(path)],
        )
    with closing(sqlite3.connect(path)) as base:
        accepted = [m for (m,) in base.execute("SELECT measurement FROM readings")]
        return accepted, [r for (r,) in base.execute("SELECT reason FROM refused")]


@contextmanager
def small_disk() -> Iterator[Path]:
    """A file system of 20 MB, for everybody."""
    with tempfile.TemporaryDirectory(prefix="ecfit-disk-", dir="/tmp") as name:
        mount = ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", name]
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"this user may not mount a file system: {done.stderr.strip()}")
        try:
            Path(name).chmod(0o755)
            yield Path(name)
        finally:
            subprocess.run(["umount", "-l", name], check=True)


class Place(NamedTuple):
    """Where a store is, and what opens it."""

    where: str
    make: Make


@cache
def server_url() -> str:
    """Of a PostgreSQL that runs as long as this process."""
    if pg_cluster.programs() is None:
        pytest.skip("PostgreSQL is not installed: tools/setup.sh test installs it")
    running = ExitStack()
    atexit.register(running.close)
    return running.enter_context(pg_cluster.running())


def place_in(name: str, folder: Path) -> Place:
    """A place for a new store; in PostgreSQL, a schema of its own."""
    if name != "postgres":
        return Place(str(folder / "kept"), partial(STORES[name], folder / "kept"))
    url = server_url()
    schema = f"s{abs(hash(folder))}"
    with pg_cluster.connect(url) as base:
        base.execute(f"CREATE SCHEMA {schema}")
    own = f"{url}&options=-csearch_path%3D{schema}"
    return Place(own, partial(PostgresStore, own))


def reasons(name: str, folder: Path, url: str) -> dict[str, int]:
    """Refused readings by reason."""
    if name == "postgres":
        with pg_cluster.connect(url) as base:
            return Counter(reason for (reason,) in base.execute("SELECT reason FROM refused"))
    return Counter(kept(folder / "kept", name)[1])


OLDER = {
    "sqlite": """
        CREATE TABLE readings (
            identity TEXT NOT NULL, epoch TEXT NOT NULL, measurement TEXT NOT NULL,
            key TEXT NOT NULL, sensor TEXT NOT NULL, algorithm TEXT NOT NULL,
            payload TEXT NOT NULL, received TEXT NOT NULL,
            PRIMARY KEY (identity, epoch, measurement)
        ) WITHOUT ROWID;
        CREATE TABLE refused (
            sensor TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL, message TEXT NOT NULL,
            received TEXT NOT NULL);
        PRAGMA journal_mode=WAL;""",
    "postgres": """
        CREATE TABLE readings (
            identity text, epoch text NOT NULL GENERATED ALWAYS AS (left(COALESCE(
                (payload -> 'boot_epoch')::text, (payload -> '-24')::text, ''), 200)) STORED,
            measurement text, key text NOT NULL, sensor text NOT NULL, algorithm text NOT NULL,
            payload jsonb NOT NULL, received timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (identity, epoch, measurement));
        CREATE TABLE refused (
            sensor text NOT NULL, reason text NOT NULL, detail text NOT NULL, message text NOT NULL,
            received timestamptz NOT NULL DEFAULT now());
        CREATE TABLE gateways (name text PRIMARY KEY, until timestamptz NOT NULL);
        CREATE TABLE sensors (
            uri text PRIMARY KEY, bound text, owner text,
            until timestamptz NOT NULL DEFAULT now());""",
}


def kept_by_an_older_gateway(name: str, where: str, readings: list[Reading]) -> None:
    """A store as gateways wrote it before there was a mark for what comes late."""
    if name == "lines":
        lines = [
            {"accepted": True, "received": f"2026-01-0{n}T00:00:00.000+00:00"}
            | msgspec.structs.asdict(one)
            for n, one in enumerate(readings, 1)
        ]
        refused = {"accepted": False, "received": "then", "sensor": "s", "reason": "", "detail": ""}
        text = [json.dumps(line) for line in [*lines, {**refused, "message": "{"}]]
        Path(where).write_text("\n".join(text) + "\n")
        return
    rows = [
        (one.identity, one.measurement, one.key, one.sensor, one.algorithm, json.dumps(one.payload))
        for one in readings
    ]
    if name == "sqlite":
        with closing(sqlite3.connect(where)) as base:
            base.executescript(OLDER[name])
            insert = "INSERT INTO readings VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            for n, (one, row) in enumerate(zip(readings, rows, strict=True), 1):
                times = f"2026-01-0{n}T00:00:00.000+00:00"
                base.execute(insert, (row[0], one.epoch, *row[1:], times))
            base.commit()
    else:
        columns = "(identity, measurement, key, sensor, algorithm, payload)"
        with pg_cluster.connect(where) as base:
            base.execute(OLDER[name])
            for row in rows:
                insert = f"INSERT INTO readings {columns} VALUES (%s, %s, %s, %s, %s, %s)"
                base.execute(insert, row)
