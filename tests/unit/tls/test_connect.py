"""`ecfit tls`: servers that the user names, and connections that are kept. The servers of
`--connect` stand on loopback: OpenSSL, in this process, with chains of the web; servers that
nobody can reach; servers that say nothing.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ecfit import cli
from ecfit.choices.targets import find_target
from ecfit.errors import USAGE, WRONG_RESULT
from ecfit_lab.tls import certs
from ecfit_lab.tls.configs import CONNECTIONS, find_connection
from ecfit_lab.tls.server import HOST, Server, UnreachableError, find_remote
from tools.rigs import tls, tls_servers, tls_web

WEB = find_connection("tls1.3-web")
QUIET = ("--backend", "ecfit-fast", "--n", "1", "--quiet", "--format", "json")
EVERY = os.environ.get("ECFIT_TLS") == "all"
builds = pytest.mark.ci  # an image of the client


def asked(folder: Path, *words: str) -> tuple[int, dict[str, object]]:
    """The command, in this process: its exit code, and the row."""
    path = folder / "rows.json"
    code = cli.run(["tls", *QUIET, *words, "-o", str(path)])
    return code, json.loads(path.read_text("utf-8"))[0]


def to(port: int, ca: Path) -> list[str]:
    """The words of a connection."""
    return ["--connect", f"{HOST}:{port}", "--ca", str(ca), "--sni", certs.NAME]


def ca_file(folder: Path, given: certs.Credentials) -> Path:
    """Whom the client trusts, behind a stranger, as in a file of several authorities."""
    stranger = certs.make(find_connection("tls1.3-ecdsa"))
    path = folder / "ca.pem"
    path.write_bytes(stranger.anchor_pem + given.anchor_pem)
    return path


@builds
def test_a_chain_of_three_kinds_of_keys(tmp_path: Path) -> None:
    """P-256 under P-384 under RSA; kept, and run again without the server."""
    given, kept = certs.make(WEB), tmp_path / "kept.json"
    with Server(WEB, given) as server:
        code, row = asked(
            tmp_path, *to(server.port, ca_file(tmp_path, given)), "--record", str(kept)
        )
    assert (code, row["status"], row["version"], row["connection"]) == (0, "ok", "1.3", WEB.name)
    code, again = asked(tmp_path, "--replay", str(kept))
    assert (code, again["handshake_cycles"]) == (0, row["handshake_cycles"])


@builds
@pytest.mark.parametrize(
    ("wrong", "word", "alert"),
    [
        ({"stranger": True}, "not trusted", "unknown ca"),
        ({"host": "other.test"}, "wrong name", "bad certificate"),
    ],
)
def test_the_server_can_read_the_alert(
    tmp_path: Path, wrong: dict[str, object], word: str, alert: str
) -> None:
    given = certs.make(WEB, **wrong)  # type: ignore[arg-type]
    with Server(WEB, given) as server:
        code, row = asked(tmp_path, *to(server.port, ca_file(tmp_path, given)))
    assert (code, row["status"]) == (WRONG_RESULT, word)
    assert any(alert in failure for failure in server.failures), server.failures


@builds
@pytest.mark.parametrize(("answer", "word"), [(b"", "server stalled"), (b"HTTP/1.1", "bad record")])
def test_a_server_that_does_not_speak_tls(tmp_path: Path, answer: bytes, word: str) -> None:
    with socket.create_server((HOST, 0)) as listening:
        listening.settimeout(30)
        path = ca_file(tmp_path, certs.make(WEB))
        if answer:
            port = answering(listening, answer)
        else:
            port = int(listening.getsockname()[1])
        code, row = asked(tmp_path, *to(port, path), "--timeout", "0.5")
    assert (code, row["status"]) == (WRONG_RESULT, word)


def answering(listening: socket.socket, answer: bytes) -> int:
    """The port of a server that says this to all that come, and closes."""

    def serve() -> None:
        for _ in range(2):  # the first only looks whether somebody is there
            client, _ = listening.accept()
            with client, suppress(ConnectionError):  # it may be gone already
                client.sendall(answer)
                client.recv(4096)

    threading.Thread(target=serve, daemon=True).start()
    return int(listening.getsockname()[1])


# `make long WHAT=tls` makes all connections again (minutes).
@pytest.mark.skipif(not EVERY, reason="builds servers, fetches wolfSSL, runs boards: sweep tls")
@pytest.mark.parametrize("row", tls_web.rows(), ids="-".join)
@pytest.mark.parametrize("server", tls_web.SERVERS)
def test_servers_of_others(server: str, row: tuple[str, str, str]) -> None:
    assert tls_web.tried(server, *row) == "ok"


@builds
def test_a_server_that_keeps_no_state(tmp_path: Path) -> None:
    """It answers with a cookie, which the client sends back (RFC 8446, 4.1.4, 4.2.2)."""
    given = certs.make(WEB)
    with tls_servers.foreign("openssl", WEB, given, tmp_path, "-stateless") as port:
        code, row = asked(tmp_path, *to(port, ca_file(tmp_path, given)))
    assert (code, row["status"]) == (0, "ok"), row["detail"]
    assert row["round_trips"] == 3, "no second ClientHello"


@builds
@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")
def test_go_reads_the_alert(tmp_path: Path) -> None:
    """It logged a wrong record where Mbed TLS had sent the alert in the clear."""
    given = certs.make(WEB, stranger=True)
    with tls_servers.foreign("go", WEB, given, tmp_path) as port:
        code, row = asked(tmp_path, *to(port, ca_file(tmp_path, given)))
        log = tmp_path / "server.log"
        for _ in range(100):
            if "remote error" in log.read_text("utf-8"):
                break
            time.sleep(0.05)
    assert (code, row["status"]) == (WRONG_RESULT, "not trusted")
    assert "remote error: tls: unknown certificate authority" in log.read_text("utf-8")


@pytest.fixture(scope="module")
def ca(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file of an authority."""
    path = tmp_path_factory.mktemp("ca") / "ca.der"
    path.write_bytes(certs.make(find_connection("tls1.3-ecdsa")).anchor)
    return str(path)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--connect", "{free}", "--ca", "{ca}"], WRONG_RESULT, "no server at 127.0.0.1"),
        (["--connect", "localhost", "--ca", "{ca}"], USAGE, "wants HOST:PORT"),
        (["--connect", "[::1]:0", "--ca", "{ca}"], USAGE, "wants HOST:PORT"),
        (["--connect", "localhost:443"], USAGE, "--connect needs --ca FILE"),
        (["--ca", "{ca}"], USAGE, "--ca belongs to --connect"),
        (["--sni", "a"], USAGE, "--sni belongs to --connect"),
        (["--connect", "a:1", "--ca", "/nowhere"], USAGE, "/nowhere: cannot be read"),
        (["--connect", "a:1", "--ca", __file__], USAGE, "no certificate in PEM or DER"),
        (["--connect", "a:1", "--ca", "{ca}", "--sni", 200 * "a"], USAGE, "more than 127 bytes"),
        (["--connect", "a:1", "--ca", "{ca}", "--server", "tcp"], USAGE, "is for tls1.3-web"),
        (["--connect", "a:1", "--ca", "{ca}", "--replay", "x"], USAGE, "has its server in it"),
        (["--connect", "a:1", "--ca", "{ca}", "--stack", "wolfssl"], USAGE, "one kind of cert"),
        (["--record-buffer", "20KiB"], USAGE, "1024 to 16384 bytes"),
    ],
)
def test_one_clear_line(
    words: list[str], code: int, message: str, ca: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server((HOST, 0)) as listening:
        free = f"{HOST}:{listening.getsockname()[1]}"
    words = [{"{ca}": ca, "{free}": free}.get(word, word) for word in words]
    assert cli.run(["tls", "--quiet", *words]) == code
    error = capfd.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_server_that_does_not_answer(ca: str) -> None:
    """Its queue is full, so that a connection is never made."""
    with socket.create_server((HOST, 0), backlog=0) as listening:
        port = int(listening.getsockname()[1])
        waiting = []
        try:
            for _ in range(4):
                one = socket.socket()
                one.setblocking(False)
                one.connect_ex((HOST, port))
                waiting.append(one)
            remote = find_remote(f"{HOST}:{port}", ca, None, 0.3)
            with pytest.raises(UnreachableError, match=r"no answer in 0\.3 s"):
                remote.reach()
        finally:
            for one in waiting:
                one.close()


# ---- kept connections: each form of output has the same row; what `--server` says ----------------

REPLAY = ("--replay", str(tls.KEPT / "tcp.json"), "--quiet")
VOLTS_MILLIAMPERES = 3.0, 3.3  # of the nRF52840 (ecfit/data/targets/nrf52840.toml)


def replayed(*words: str) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(cli.cli, ["tls", *words])


def test_every_form_has_the_row() -> None:
    kept = next(row for row in tls.kept() if row["connection"] == "tcp")
    texts = {form: replayed(*REPLAY, "--format", form) for form in ("table", "csv", "json", "md")}
    assert {form: done.exit_code for form, done in texts.items()} == dict.fromkeys(texts, 0)
    record = json.loads(texts["json"].output)[0]
    row = next(csv.DictReader(io.StringIO(texts["csv"].output)))
    assert record["flights"] == kept["flights"] == []
    for name in ("handshake_cycles", "heap_bytes", "payload_received_bytes", "flash_bytes"):
        assert record[name] == kept[name] == int(row[name])
    assert sum(int(row[f"phase_{name}_cycles"]) for name in record["phases"]) == 12
    for form in ("table", "md"):
        assert str(kept["flash_bytes"]) in texts[form].output.replace(" ", "").replace(",", "")


def test_energy_is_that_of_the_computation() -> None:
    volts, milliamperes = VOLTS_MILLIAMPERES
    clock = find_target("nrf52840").clock
    assert clock is not None
    record = json.loads(replayed(*REPLAY, "--rtt", "20ms", "--format", "json").output)[0]
    computes_us = record["handshake_cycles"] / clock.hz * 1e6
    joules = computes_us * volts * milliamperes / 1000  # microjoules
    assert record["energy_uj"] == pytest.approx(joules, abs=0.001)
    assert record["handshake_ms"] == pytest.approx(20 + computes_us / 1000, abs=0.001)


def test_help_names_every_connection() -> None:
    told = "".join(replayed("--help").output.split())
    assert [name for name in CONNECTIONS if name not in told] == []


@pytest.mark.parametrize(
    ("backend", "message"),
    [
        ("ecfit-quick", "unknown back end 'ecfit-quick'"),
        ("mbedtls:COMB_BLOCKS=2", "settings are of this library"),
        ("ecfit-fast:COMB_BLOCKS", "a setting is KNOB=VALUE, not 'COMB_BLOCKS'"),
        ("ecfit-fast:COMB_BLOCK=2", "COMB_BLOCK"),
        ("ecfit-fast:COMB_BLOCKS=99", "COMB_BLOCKS"),
    ],
)
def test_wrong_back_ends(backend: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    kept = str(tls.KEPT / "tls1.3-ecdsa.json")
    assert cli.run(["tls", "--quiet", "--replay", kept, "--backend", backend]) == 2
    error = capfd.readouterr().err
    assert message in error
    assert error.count("\n") == 1
