"""Connections to live servers on loopback: of this process, of OpenSSL, of GnuTLS; and to servers
that cannot be trusted, or break off.

CI takes one configuration, whose image the replays use as well; ECFIT_TLS=all takes all of them
(`make tls`).
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import tls_servers
from tls_servers import CHIP

from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.errors import EcfitError
from ecfit.measure.store import Store
from ecfit.tls import certs, measure
from ecfit.tls.configs import CONNECTIONS, PAYLOAD_BYTES, TCP, find_connection
from ecfit.tls.image import Client, image
from ecfit.tls.link import Live, Recording, now_ms
from ecfit.tls.server import HOST, Server
from ecfit.tls.simrun import CLOSED, Ran, run

NAME, BACKEND = "tls1.3-ecdsa", "ecfit-fast"
EVERY = os.environ.get("ECFIT_TLS") == "all"
NAMES = [name for name in CONNECTIONS if name != TCP] if EVERY else [NAME]


def connect(name: str, given: certs.Credentials, port: int, *, timeout: float = 5) -> Ran:
    """One run on the chip."""
    client = Client(find_target(CHIP), find_connection(name), BACKEND)
    return tls_servers.connect(client, given, port, timeout=timeout)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("server", tls_servers.PROGRAMS)
def test_servers_of_others(name: str, server: str) -> None:
    assert tls_servers.tried(server, find_connection(name), BACKEND) == "ok"


def test_the_table_of_servers_has_every_connection_and_none_that_failed() -> None:
    """`tools/tls_servers.py --write` writes it, from connections that it makes."""
    text = tls_servers.PAGE.read_text("utf-8").split(tls_servers.BEGIN)[1]
    rows = [line.strip("| ").split(" | ") for line in text.split(tls_servers.END)[0].splitlines()]
    expected = {(name, own) for name in CONNECTIONS for own in tls_servers.BACKENDS if name != TCP}
    assert {(row[0], row[1]) for row in rows[3:-1]} == expected
    assert all(row[2:] == ["ok", "ok"] for row in rows[3:-1])


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"host": "other.test"}, "wrong name"),
        ({"age_days": 30}, "certificate expired"),
        ({"age_days": -30}, "certificate not yet valid"),
        ({"stranger": True}, "not trusted"),
    ],
)
def test_a_server_that_cannot_be_trusted(wrong: dict[str, object], word: str) -> None:
    connection = find_connection(NAME)
    given = certs.make(connection, **wrong)  # type: ignore[arg-type]
    with Server(connection, given) as server:
        ran = connect(NAME, given, server.port)
    assert measure.failure(ran)[0] == word
    assert ran.end.payload_bytes == 0


def test_a_key_of_another_kind() -> None:
    """A server that has RSA alone, and a client that takes ECDSA alone."""
    rsa = find_connection("tls1.3-rsa")
    given = certs.make(rsa)
    with Server(rsa, given) as server:
        word, _ = measure.failure(connect(NAME, given, server.port))
    assert word == "wrong key type"


def test_another_version() -> None:
    old = find_connection("tls1.2-ecdsa")
    given = certs.make(old)
    with Server(old, given) as server:
        word, sentence = measure.failure(connect(NAME, given, server.port))
    assert (word, "protocol_version" in sentence) == ("alert", True)


@contextmanager
def mute(answer: bytes, *, closes: bool) -> Iterator[int]:
    """A server that sends this, and nothing more."""
    done = threading.Event()

    def serve(listening: socket.socket) -> None:
        client, _ = listening.accept()
        with client:
            client.recv(4096)
            client.sendall(answer)
            if not closes:
                done.wait(10)

    with socket.create_server((HOST, 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        yield int(listening.getsockname()[1])
        done.set()
        thread.join(10)


@pytest.mark.parametrize(
    ("answer", "closes", "word"),
    [
        (b"", True, "server closed"),
        (b"", False, "server stalled"),
        (b"\x16\x03\x03\x00", True, "server closed"),
        (b"\x16\x03\x03\x00", False, "server stalled"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", True, "bad record"),
        (b"\x15\x03\x03\x00\x02\x02\x28", True, "alert"),
        (b"\x16\x03\x03\xff\xff" + bytes(70000), True, "bad record"),
    ],
)
def test_a_server_that_does_not_speak(answer: bytes, closes: bool, word: str) -> None:
    given = certs.make(find_connection(NAME))
    with mute(answer, closes=closes) as port:
        ran = connect(NAME, given, port, timeout=0.3)
    assert measure.failure(ran)[0] == word, measure.failure(ran)


def test_no_server_at_all() -> None:
    with socket.create_server((HOST, 0)) as listening:
        port = int(listening.getsockname()[1])
    with pytest.raises(EcfitError, match="no server"):
        connect(NAME, certs.make(find_connection(NAME)), port)
