"""Connections to live servers on loopback: of this process, of OpenSSL, of GnuTLS; and to servers
that cannot be trusted, or break off.

CI takes two configurations, whose images the replays use as well; ECFIT_TLS=all takes all of them
(`make long WHAT=tls`).
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Self

import msgspec
import pytest

from ecfit.choices.boards import find_machine
from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.errors import WRONG_RESULT, EcfitError, UsageError
from ecfit.measure.store import Store
from ecfit_lab.commands import tls as command
from ecfit_lab.tls import certs, connections
from ecfit_lab.tls import server as server_module
from ecfit_lab.tls.configs import EDHOC, MBEDTLS, TCP, find_connection
from ecfit_lab.tls.image import Client, check
from ecfit_lab.tls.server import HOST, Server, ServerProcess, server_context
from ecfit_lab.tls.simrun import Ran
from ecfit_lab.wire.image import target
from tools.rigs import tls, tls_servers
from tools.rigs.tls_servers import CHIP

NAME, TICKET, BACKEND = "tls1.3-ecdsa", "tls1.3-ecdsa-ticket", "ecfit-fast"
EVERY = os.environ.get("ECFIT_TLS") == "all"
NAMES = [name for name in tls.names(MBEDTLS)[1:] if name != EDHOC] if EVERY else [NAME, TICKET]


def connect(name: str, given: certs.Credentials, port: int, *, timeout: float = 5) -> Ran:
    """One run on the chip."""
    client = Client(find_target(CHIP), find_connection(name), BACKEND)
    return tls_servers.connect(client, given, port, timeout=timeout)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("server", tls_servers.PROGRAMS)
def test_servers_of_others(name: str, server: str) -> None:
    assert tls_servers.tried(server, find_connection(name), BACKEND) == "ok"


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
    assert connections.failure(ran)[0] == word
    assert ran.end.payload_bytes == 0


@pytest.mark.ci
@pytest.mark.parametrize(
    ("name", "word"), [("dtls1.2-cid", "not trusted"), ("dtls1.2-psk", "alert")]
)
def test_a_server_of_datagrams_that_cannot_be_trusted(name: str, word: str) -> None:
    """Of another authority; with another shared key, so that Finished is wrong."""
    connection = find_connection(name)
    given = certs.make(connection, stranger=True)
    if connection.psk:
        given = msgspec.structs.replace(given, key=bytes(16))
    with ServerProcess(connection, given) as server:
        ran = connect(name, given, server.port, timeout=2)
    assert connections.failure(ran)[0] == word
    assert ran.end.payload_bytes == 0


@pytest.mark.parametrize(
    ("client", "said"),
    [
        (Client(target(find_machine("mps2-an386")), find_connection("dtls1.2-cid"), BACKEND),
         "on modelled chips"),
        (Client(find_target(CHIP), find_connection("dtls1.2-cid"), "wolfssl"), "TCP alone"),
    ],
)  # fmt: skip
def test_datagrams_are_for_some_clients(client: Client, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check(client)


def test_a_key_of_another_kind() -> None:
    """A server that has RSA alone, and a client that takes ECDSA alone."""
    rsa = find_connection("tls1.3-rsa")
    given = certs.make(rsa)
    with Server(rsa, given) as server:
        word, _ = connections.failure(connect(NAME, given, server.port))
    assert word == "wrong key type"


def test_another_version() -> None:
    old = find_connection("tls1.2-ecdsa")
    given = certs.make(old)
    with Server(old, given) as server:
        word, sentence = connections.failure(connect(NAME, given, server.port))
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
    assert connections.failure(ran)[0] == word, connections.failure(ran)


class Killed(ServerProcess):
    """A server whose process is killed in the second row, before its first connection, when all
    rows that begin together have begun.
    """

    rows = itertools.count()
    together = threading.Barrier(1)

    def __enter__(self) -> Self:
        super().__enter__()
        Killed.together.wait(60)
        if next(Killed.rows) == 1:
            self._process.kill()
            self._process.wait()
        return self


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_lost_server_ends_the_study_with_the_rows_that_were_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], jobs: int
) -> None:
    """Of three rows at a time the third has begun, too, and is measured."""
    monkeypatch.setattr(server_module, "ServerProcess", Killed)
    monkeypatch.setattr(Killed, "rows", itertools.count())
    monkeypatch.setattr(Killed, "together", threading.Barrier(jobs))
    one = Client(find_target(CHIP), find_connection(TCP), BACKEND)
    work = partial(
        connections.measure, peers=all_peers(), store=Store(), wanted=connections.Wanted(runs=2)
    )
    records = command.run_all([one] * 3, work, jobs, quiet=True)
    assert sorted(record.status for record in records) == [
        *["ok"] * (jobs - 1 or 1),
        connections.LOST,
    ]
    assert all(record.runs == 2 for record in records if record.status == "ok")
    assert command.verdict(records) == WRONG_RESULT
    error = capsys.readouterr().err
    assert (
        f"{connections.LOST}: SIGKILL ended the server's process; the client: no server at" in error
    )


def server_of(parent: int) -> int:
    """The process of a server that a command has started; 0 where there is none."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after = path.read_text().rpartition(")")[2].split()
            words = (path.parent / "cmdline").read_bytes().split(b"\0")
            if int(after[1]) == parent and b"ecfit_lab.tls.server" in words and after[0] != "Z":
                return int(path.parent.name)
    return 0


def killed_after(rows: int, *arguments: str) -> tuple[int, str]:
    """The command, whose server is killed in the middle of a row, when so many rows are done: its
    exit code, and what it says. Here `kill -9` is what `kill -9` is elsewhere.
    """
    run = "from ecfit.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", run, *arguments], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        said = [process.stderr.readline() for _ in range(rows)]
        while not (server := server_of(process.pid)) or not open_connections(server):
            assert process.poll() is None, "".join(said)
            time.sleep(0.002)
        os.kill(server, signal.SIGKILL)
        said += process.stderr.read().splitlines(keepends=True)
    return process.returncode, "".join(said)


def open_connections(server: int) -> int:
    """How many a server has at the moment, beside the socket that it listens with."""
    found = 0
    for path in Path(f"/proc/{server}/fd").glob("*"):
        with suppress(OSError):
            found += str(path.readlink()).startswith("socket:")
    return max(0, found - 1)


def test_a_server_that_is_killed_in_a_handshake(tmp_path: Path) -> None:
    """The whole command, and the server's own process: a row before, one in the middle of which it
    is killed, one that is not begun any more.
    """
    path = tmp_path / "rows.json"
    code, said = killed_after(
        1, "tls", "--server", f"{TCP},{NAME},{TCP}", "--backend", BACKEND, "--n", "30",
        "--jobs", "1", "--format", "json", "-o", str(path),
    )  # fmt: skip
    rows = json.loads(path.read_text("utf-8"))
    assert [(row["connection"], row["status"]) for row in rows] == [
        (TCP, "ok"),
        (NAME, connections.LOST),
    ], said
    assert (rows[0]["runs"], rows[1]["runs"], rows[1]["handshake_cycles"]) == (30, 0, None)
    assert code == WRONG_RESULT
    assert said.count("\n") == 3
    assert said.splitlines()[-1].startswith(
        f"ecfit: {NAME} {BACKEND} on {CHIP}: server lost: SIGKILL ended the server's process; "
        "the client: "
    )


@pytest.mark.skipif(not EVERY, reason="builds images of RSA: make long WHAT=tls")
@pytest.mark.parametrize("platform", [CHIP, "host", "mps2-an386"])
def test_a_server_that_is_killed_in_the_study(tmp_path: Path, platform: str) -> None:
    path = tmp_path / "rows.json"
    arguments = ["--target", platform, "--jobs", "1", "--format", "json", "-o", str(path)]
    code, said = killed_after(2, "study", "tls", *arguments)
    rows = json.loads(path.read_text("utf-8"))
    assert [row["status"] for row in rows] == ["ok", "ok", connections.LOST], said
    assert code == WRONG_RESULT
    assert "server lost: SIGKILL ended the server's process; the client: " in said


def test_a_server_that_is_stopped_stalls() -> None:
    """Its process lives, and says nothing: that is no lost server."""
    one = Client(find_target(CHIP), find_connection(TCP), BACKEND)
    seen = partial(connections.Wanted, runs=1, timeout=0.3)

    class Stopped(ServerProcess):
        def __enter__(self) -> Self:
            super().__enter__()
            os.kill(self._process.pid, signal.SIGSTOP)
            os.waitpid(self._process.pid, os.WUNTRACED)  # until the process has stopped
            return self

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server_module, "ServerProcess", Stopped)
        patch.setattr(server_module, "STOP_SECONDS", 0.2)
        record = connections.measure(one, all_peers(), Store(), seen())
    assert (record.status, record.runs) == ("server stalled", 0)


def test_a_server_ends_with_the_command() -> None:
    """However that ends."""
    run = "from ecfit.cli import main; main()"
    arguments = ["tls", "--server", TCP, "--n", "1000", "--quiet"]
    with subprocess.Popen([sys.executable, "-c", run, *arguments]) as process:
        while not (server := server_of(process.pid)):
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    for _ in range(200):
        if not Path(f"/proc/{server}").exists():
            return
        time.sleep(0.05)
    pytest.fail("the server was left behind")


def test_a_server_that_cannot_be() -> None:
    """OpenSSL's own word, in one line."""
    given = msgspec.structs.replace(certs.make(find_connection(NAME)), server_key=b"no key")
    with (
        pytest.raises(EcfitError, match="OpenSSL refuses the server's certificate"),
        ServerProcess(find_connection(NAME), given),
    ):
        pass


def test_what_a_server_has_seen_stands_in_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that expects another name leaves; the server says with which alert."""
    wrong = partial(certs.make, host="other.test")
    monkeypatch.setattr(server_module, "make", wrong)
    one = Client(find_target(CHIP), find_connection(NAME), BACKEND)
    record = connections.measure(one, all_peers(), Store(), connections.Wanted(runs=1))
    assert record.status == "wrong name"
    assert record.detail
    assert "another name; " in record.detail
    assert "alert" in record.detail


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
    assert connections.failure(ran)[0] == word


@pytest.mark.parametrize(
    ("name", "words"),
    [("tls1.3-ed448", "no Ed448"), ("tls1.3-ecdsa-rpk", "no raw public keys"), ("x", "known")],
)
def test_what_the_stack_does_not_have(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        find_connection(name)


def test_resuming_is_for_chips() -> None:
    board = target(find_machine("mps2-an385"))
    with pytest.raises(UsageError, match="not on boards"):
        check(Client(board, find_connection(TICKET), BACKEND))


def test_ed25519_is_for_wolfssl() -> None:
    with pytest.raises(UsageError, match="has no Ed25519 signatures"):
        check(Client(find_target(CHIP), find_connection("tls1.3-ed25519"), BACKEND))


def test_no_server_at_all() -> None:
    with socket.create_server((HOST, 0)) as listening:
        port = int(listening.getsockname()[1])
    with pytest.raises(EcfitError, match="no server"):
        connect(NAME, certs.make(find_connection(NAME)), port)
