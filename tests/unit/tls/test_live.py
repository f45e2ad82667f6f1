"""Connections to live servers on loopback: of this process, of OpenSSL, of GnuTLS; and to servers
that cannot be trusted, or break off.

CI takes two configurations, whose images the replays use as well; ECFIT_TLS=all takes all of them
(`make tls`).
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Self

import pytest
import tls_servers
from tls_servers import CHIP

from ecfit.choices.boards import find_machine
from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.commands import tls as command
from ecfit.errors import WRONG_RESULT, EcfitError, UsageError
from ecfit.measure.store import Store
from ecfit.tls import certs, measure
from ecfit.tls.configs import CONNECTIONS, TCP, find_connection
from ecfit.tls.image import Client, check
from ecfit.tls.server import HOST, Server, server_context
from ecfit.tls.simrun import Ran
from ecfit.wire.image import target

NAME, TICKET, BACKEND = "tls1.3-ecdsa", "tls1.3-ecdsa-ticket", "ecfit-fast"
EVERY = os.environ.get("ECFIT_TLS") == "all"
NAMES = [name for name in CONNECTIONS if name != TCP] if EVERY else [NAME, TICKET]


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


class Leaving(Server):
    """A server that is gone after so many rows: whoever comes then finds nobody there."""

    rows = 1

    def __enter__(self) -> Self:
        super().__enter__()
        Leaving.rows -= 1
        if Leaving.rows < 0:
            self.__exit__(None, None, None)
        return self


def test_a_lost_server_ends_the_study_with_the_rows_that_were_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measure, "Server", Leaving)
    one = Client(find_target(CHIP), find_connection(NAME), BACKEND)
    work = partial(measure.measure, peers=all_peers(), store=Store(), wanted=measure.Wanted(runs=2))
    records = command.run_all([one, one, one], work, 1, quiet=True)
    assert [record.status for record in records] == ["ok", measure.LOST]
    assert records[0].runs == 2
    assert command.verdict(records) == WRONG_RESULT
    assert "server lost: no server at" in capsys.readouterr().err


def test_a_server_that_is_killed_in_a_handshake(monkeypatch: pytest.MonkeyPatch) -> None:
    """The row says so, and has no figures."""
    monkeypatch.setattr(Server, "_speak", lambda self, client: client.recv(100))
    one = Client(find_target(CHIP), find_connection(NAME), BACKEND)
    record = measure.measure(one, all_peers(), Store(), measure.Wanted(runs=2))
    assert (record.status, record.runs, record.handshake_cycles) == ("server closed", 0, None)


class Forgetful(Server):
    """A server that gives so many tickets, and takes none of another connection's."""

    def __init__(self, given: certs.Credentials, tickets: int) -> None:
        super().__init__(find_connection(TICKET), given)
        self.given, self.tickets = given, tickets

    def _speak(self, client: socket.socket) -> None:
        self._context = server_context(find_connection(TICKET), self.given)
        assert self._context is not None
        self._context.num_tickets = self.tickets
        super()._speak(client)


@pytest.mark.parametrize(("tickets", "word"), [(1, "not resumed"), (0, "no session")])
def test_a_server_that_resumes_nothing(tickets: int, word: str) -> None:
    given = certs.make(find_connection(TICKET))
    with Forgetful(given, tickets) as server:
        ran = connect(TICKET, given, server.port, timeout=1)
    assert measure.failure(ran)[0] == word


@pytest.mark.parametrize(
    ("name", "words"),
    [("tls1.3-ed25519", "no Ed25519"), ("tls1.3-ecdsa-rpk", "no raw public keys"), ("x", "known")],
)
def test_what_the_stack_does_not_have(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        find_connection(name)


def test_resuming_is_for_chips() -> None:
    board = target(find_machine("mps2-an385"))
    with pytest.raises(UsageError, match="not on boards"):
        check(Client(board, find_connection(TICKET), BACKEND))


def test_no_server_at_all() -> None:
    with socket.create_server((HOST, 0)) as listening:
        port = int(listening.getsockname()[1])
    with pytest.raises(EcfitError, match="no server"):
        connect(NAME, certs.make(find_connection(NAME)), port)
