"""What was signed is compared, not how it is spelled; what was withheld is marked as late; readings
are named by key, boot epoch and id.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ecfit_lab.gateway.keyring import Keyring, Trusted
from ecfit_lab.gateway.readings import Message, Reading, examine
from ecfit_lab.message import jss
from ecfit_lab.message.algorithms import Key
from workshop.devices import pg_cluster
from workshop.devices.kept_readings import (
    STORES,
    Place,
    kept_by_an_older_gateway,
    place_in,
    reading,
    reasons,
)

ALL = [*STORES, "postgres"]


def told(text: str, folder: Path) -> Reading:
    """A signed message as it is read. Its signature counts as good: here nobody forges."""
    keys = Keyring(folder, lambda _: True)
    keys.keys = {"attic": Trusted("attic", Key("secp256r1", b""), "a" * 32)}
    signed = jss.write({}, "ES256", lambda _: bytes(64)).decode()
    data = (signed[:-1] + "," + text.lstrip("{")).encode()
    verdict = examine(Message("coap://s/t", data), keys, lambda *_: True, "measurement_id")
    assert isinstance(verdict, Reading), verdict
    return verdict


SIGNED = '{"measurement_id":34,"boot_epoch":7,"t":20,"u":0.5,"v":100000,"w":0}'
SPELLED = [
    ('"t":20', '"t":20.0'),
    ('"t":20', '"t":2e1'),
    ('"t":20', '"t":200E-1'),
    ('"t":20', '"t":20.000000000000000000001'),
    ('"u":0.5', '"u":5e-1'),
    ('"u":0.5', '"u":0.50000000000000000000'),
    ('"v":100000', '"v":1e+5'),
    ('"w":0', '"w":-0'),
    ('"w":0', '"w":-0.0'),
    ('"w":0', '"w":0e99'),
    ('"w":0', '"w":1e-999'),
    ('"measurement_id":34', '"measurement_id":34.0'),
    ('"measurement_id":34', '"measurement_id":3.4e1'),
    ('"measurement_id":34', '"measurement_id":34.000000000000000000000'),
    ('"boot_epoch":7', '"boot_epoch":7e0'),
    ('"boot_epoch":7', '"boot_epoch":70.0e-1'),
    ('"t":20', '"\\u0074":20'),
    (SIGNED, '{"w":0,"v":100000,"u":0.5,"t":20,"boot_epoch":7,"measurement_id":34}'),
]


@pytest.mark.parametrize("name", ALL)
def test_a_replay_is_one_however_it_is_spelled(name: str, tmp_path: Path) -> None:
    """All of these have one signature (RFC 8785, 3.2.2.3), so anybody can make one of another."""
    where, make = place_in(name, tmp_path)
    store = make()
    assert store.commit([told(SIGNED, tmp_path)]) == [True]
    for _ in range(2):  # in this run of the gateway, and in the next
        for old, new in SPELLED:
            assert store.commit([told(SIGNED.replace(old, new), tmp_path)]) == [False], new
        store.close()
        store = make()
    store.close()
    assert reasons(name, tmp_path, where) == {"already accepted": 2 * len(SPELLED)}


@pytest.mark.parametrize("name", ALL)
def test_what_was_signed_differently_is_another_content(name: str, tmp_path: Path) -> None:
    """To Python, true is 1; to a signature it is not."""
    where, make = place_in(name, tmp_path)
    store = make()
    texts = ["true", "1", '"1"', "[1]", "[true]", "1.5", "9007199254740992.0", "1e300"]
    for n, text in enumerate(texts):
        content = SIGNED.replace('"t":20', f'"t":{text}')
        assert store.commit([told(content, tmp_path)]) == [n == 0]
    store.close()
    assert reasons(name, tmp_path, where) == {"measurement id used again": len(texts) - 1}


@pytest.mark.parametrize("name", ALL)
def test_a_spelling_that_an_older_gateway_kept(name: str, tmp_path: Path) -> None:
    """Such a gateway kept the numbers as they were spelled."""
    where, make = place_in(name, tmp_path)
    old = reading(1)
    old.payload.update(temp=20.0, v=1e5, w=-0.0, u=0.5)
    kept_by_an_older_gateway(name, where, [old])
    store = make()
    text = '{"temp":20,"x":"%s","measurement_id":1,"v":100000,"w":0,"u":0.5}' % ("y" * 99)
    assert store.commit([told(text, tmp_path)]) == [False]
    store.close()
    assert reasons(name, tmp_path, where)["already accepted"] == 1


def marks(name: str, place: Place) -> dict[str, tuple[str | None, str]]:
    """What another program reads: for each measurement id, `said_before` and `received`."""
    query = "SELECT measurement, said_before, received FROM readings"
    rows: list[Any]
    if name == "lines":
        lines = [json.loads(line) for line in Path(place.where).read_text().splitlines()]
        columns = ("measurement", "said_before", "received")
        rows = [[one[c] for c in columns] for one in lines if one["accepted"]]
    elif name == "sqlite":
        with closing(sqlite3.connect(place.where)) as base:
            rows = base.execute(query).fetchall()
    else:
        with pg_cluster.connect(place.where) as base:
            rows = base.execute(query).fetchall()
    return {measurement: (before, received) for measurement, before, received in rows}


@pytest.mark.parametrize("name", ALL)
def test_a_withheld_reading_is_marked_as_late(name: str, tmp_path: Path) -> None:
    """34 comes after 35 to 40 of its boot: it was said before 35 came, which is kept with it."""
    place = place_in(name, tmp_path)
    store = place.make()
    for n in (9, 33, 35, 36, 40):
        assert store.commit([reading(n, boot=5)]) == [True]
    assert store.commit([reading(34, boot=5), reading(34, boot=5)]) == [True, False]
    assert store.late == 1
    store.close()
    store = place.make()  # in the next run of the gateway, too
    assert store.commit([reading(38, boot=5), reading(41, boot=5)]) == [True, True]
    assert store.commit([reading(37, boot=5)]) == [True]
    store.close()
    found = marks(name, place)
    assert {n for n, (before, _) in found.items() if before} == {"34", "37", "38"}
    for late, higher in (("34", "35"), ("37", "40"), ("38", "40")):
        before, received = found[late]
        assert before == found[higher][1], late
        assert before <= received  # in whole milliseconds


@pytest.mark.parametrize("name", ALL)
def test_what_has_no_order_is_not_marked(name: str, tmp_path: Path) -> None:
    """Epochs have none, nor have ids that are texts, nor readings of two keys."""
    place = place_in(name, tmp_path)
    store = place.make()
    store.commit([reading(40, boot=5), reading(50, "b" * 32, boot=6), reading(60)])
    others = [reading(34, boot=6), reading(41, "b" * 32, boot=5), reading(33)]
    for n, text in enumerate(("z", "a", "7")):
        body = SIGNED.replace("34", f'"{text}"').replace('"boot_epoch":7', '"boot_epoch":5')
        others.append(told(body.replace('"t":20', f'"t":{n}'), tmp_path))
    assert store.commit(others) == [True] * 6
    store.close()
    late = {n for n, (before, _) in marks(name, place).items() if before}
    assert late == {"33"}, "without an epoch there is one order"


@pytest.mark.parametrize("name", ALL)
def test_the_order_of_one_transaction_is_that_of_arrival(name: str, tmp_path: Path) -> None:
    """9 before 10, as numbers and not as texts; 8 came after 11."""
    place = place_in(name, tmp_path)
    store = place.make()
    assert store.commit([reading(n) for n in (-3, 9, 10, 11, 8, 100)]) == [True] * 6
    store.close()
    found = marks(name, place)
    assert {n for n, (before, _) in found.items() if before} == {"8"}
    assert found["8"][0] == found["11"][1]


@pytest.mark.parametrize("name", ALL)
def test_a_store_of_the_version_before(name: str, tmp_path: Path) -> None:
    """Its readings stay, replays of them are refused, and what comes late now is marked."""
    place = place_in(name, tmp_path)
    old = [reading(n, boot=5) for n in (1, 3, 4)]
    kept_by_an_older_gateway(name, place.where, old)
    for _ in range(2):
        store = place.make()
        assert store.commit(old) == [False] * 3
        store.close()
    store = place.make()
    assert store.commit([reading(2, boot=5), reading(5, boot=5)]) == [True] * 2
    store.close()
    assert reasons(name, tmp_path, place.where)["already accepted"] == 6
    if name == "lines":
        lines = [json.loads(line) for line in Path(place.where).read_text().splitlines()]
        late = {one["measurement"]: one.get("said_before") for one in lines if one["accepted"]}
    else:
        late = {n: before for n, (before, _) in marks(name, place).items()}
    assert {n for n, before in late.items() if before} == {"2"}


# ---- boot epochs: in new stores, and in those of an old gateway ----------------------------------

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
