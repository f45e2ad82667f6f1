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
from servers import foreign

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

CHIP, NAME, BACKEND = "nrf52840", "tls1.3-ecdsa", "ecfit-fast"
EVERY = os.environ.get("ECFIT_TLS") == "all"
NAMES = [name for name in CONNECTIONS if name != TCP] if EVERY else [NAME]


def connect(
    name: str,
    given: certs.Credentials,
    port: int,
    *,
    payload: int = PAYLOAD_BYTES,
    timeout: float = 5,
    later_days: int = 0,
) -> Ran:
    """One run on the chip, whose clock may be so many days fast."""
    client = Client(find_target(CHIP), find_connection(name), BACKEND)
    time = now_ms() + later_days * 86_400_000
    recording = Recording(name, 1, time, given, payload)
    link = Live(port, timeout)
    try:
        built = image(client, all_peers()["mbedtls"], Store())
        return run(client, built, client.target.mode("datasheet"), link, recording)
    finally:
        link.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("server", ["openssl", "gnutls"])
def test_servers_of_others(name: str, server: str, tmp_path: Path) -> None:
    connection = find_connection(name)
    given = certs.make(connection)
    payload = PAYLOAD_BYTES if server == "openssl" else 0
    with foreign(server, connection, given, tmp_path) as port:
        ran = connect(name, given, port, payload=payload)
    assert (ran.status, ran.end.error, ran.end.stage) == ("ok", 0, CLOSED), ran.end
    assert ran.end.payload_bytes == payload


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
