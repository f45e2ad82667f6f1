"""Readings are named by key, boot epoch and id: in new stores, and in those of an old gateway."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from ecfit_lab.gateway.readings import Reading
from workshop.devices import pg_cluster
from workshop.devices.kept_readings import STORES, place_in, reading, reasons

OLD = {
    "sqlite": """CREATE TABLE readings (
        identity TEXT NOT NULL, measurement TEXT NOT NULL, key TEXT NOT NULL, sensor TEXT NOT NULL,
        algorithm TEXT NOT NULL, payload TEXT NOT NULL, received TEXT NOT NULL,
        PRIMARY KEY (identity, measurement)) WITHOUT ROWID""",
    "postgres": """CREATE TABLE readings (
        identity text, measurement text, key text NOT NULL, sensor text NOT NULL,
        algorithm text NOT NULL, payload jsonb NOT NULL, received timestamptz NOT NULL
        DEFAULT now(), PRIMARY KEY (identity, measurement))""",
}
OLD_ROW = "INSERT INTO readings (identity, measurement, key, sensor, algorithm, payload{more}) "


def kept_by_an_old_gateway(name: str, where: str, readings: list[Reading]) -> None:
    """A store as gateways wrote it before there were boot epochs."""
    rows = [
        (one.identity, one.measurement, one.key, one.sensor, one.algorithm, json.dumps(one.payload))
        for one in readings
    ]
    if name == "lines":
        columns = ("identity", "measurement", "key", "sensor", "algorithm", "payload")
        lines = [dict(zip(columns, (*row[:5], json.loads(row[5])), strict=True)) for row in rows]
        text = [json.dumps({"accepted": True, "received": "then", **line}) for line in lines]
        Path(where).write_text("\n".join(text) + "\n")
    elif name == "sqlite":
        with closing(sqlite3.connect(where)) as base:
            base.execute(OLD[name])
            values = "VALUES (?, ?, ?, ?, ?, ?, 'then')"
            base.executemany(OLD_ROW.format(more=", received") + values, rows)
            base.commit()
    else:
        with pg_cluster.connect(where) as base:
            base.execute(OLD[name])
            for row in rows:
                base.execute(OLD_ROW.format(more="") + "VALUES (%s, %s, %s, %s, %s, %s)", row)


@pytest.mark.parametrize("name", [*STORES, "postgres"])
def test_a_boot_epoch_is_part_of_the_name(name: str, tmp_path: Path) -> None:
    """A sensor that counts again under a new epoch loses nothing; replays of any epoch are refused,
    in this run of the gateway and in the next; a name with another content is told apart.
    """
    where, make = place_in(name, tmp_path)
    store = make()
    assert store.commit([reading(1, boot=5), reading(1, boot=6), reading(1)]) == [True] * 3
    assert store.commit([reading(1, boot=5), reading(2, boot=6)]) == [False, True]
    store.close()
    store = make()
    batch = [reading(n, boot=b) for n, b in ((1, 5), (1, 6), (2, 6), (1, 0), (2, 5))]
    assert store.commit(batch) == [False] * 4 + [True]
    assert store.commit([reading(1, boot=5, temp=8), reading(1, temp=9)]) == [False] * 2
    assert store.commit([reading(3, boot=5), reading(3, boot=5, temp=1)]) == [True, False]
    store.close()
    assert reasons(name, tmp_path, where) == {"already accepted": 5, "measurement id used again": 3}


@pytest.mark.parametrize("name", [*STORES, "postgres"])
def test_a_store_of_an_old_gateway(name: str, tmp_path: Path) -> None:
    """All its readings stay, each replay of one is refused: also of those with an epoch, which the
    old gateway kept as a member like others.
    """
    old = [reading(1), reading(2), reading(3, boot=5), reading(1, "b" * 32, boot=2**53 - 1)]
    odd = reading(9)
    odd.payload["boot_epoch"] = [str(n) for n in range(2000)]  # malformed now, kept then
    where, make = place_in(name, tmp_path)
    kept_by_an_old_gateway(name, where, [*old, odd])
    for _ in range(2):
        store = make()
        assert store.commit(old) == [False] * 4
        store.close()
    store = make()
    new = [reading(3), reading(3, boot=6), reading(1, boot=5)]
    assert store.commit(new) == [True] * 3
    assert store.commit(old + new) == [False] * 7
    store.close()
    assert reasons(name, tmp_path, where) == {"already accepted": 15}


def test_an_old_gateway_at_a_new_database(tmp_path: Path) -> None:
    """It shares a PostgreSQL with new ones while they are exchanged: the names are the new ones."""
    where, make = place_in("postgres", tmp_path)
    store = make()
    one = reading(3, boot=5)
    row = one.identity, one.measurement, one.key, one.sensor, one.algorithm
    with pg_cluster.connect(where) as base:
        insert = OLD_ROW.format(more="") + "VALUES (%s, %s, %s, %s, %s, %s)"
        base.execute(insert, (*row, json.dumps(one.payload)))
    assert store.commit([reading(3, boot=5), reading(3, boot=6)]) == [False, True]
    store.close()


def test_a_character_that_jsonb_does_not_have(tmp_path: Path) -> None:
    """U+0000 becomes U+FFFD, and a backslash before u0000 stays what it is."""
    where, make = place_in("postgres", tmp_path)
    store = make()
    payload = {"measurement_id": 1, "x": "\0", "y": "\\u0000", "z\0": "\\\0"}
    one = msgspec.structs.replace(reading(1), payload=payload)
    assert store.commit([one, one]) == [True, False]
    store.close()
    with pg_cluster.connect(where) as base:
        ((found,),) = base.execute("SELECT payload FROM readings")
    assert found == {"measurement_id": 1, "x": "\ufffd", "y": "\\u0000", "z\ufffd": "\\\ufffd"}
