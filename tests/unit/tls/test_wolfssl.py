"""The client on wolfSSL, which is GPL, and fetched where it is asked for: by sweep `tls` only. What
it connects to, how it fails, and that it replays; what is refused before anything is fetched.
"""

from __future__ import annotations

import os

import pytest

from ecfit import cli
from ecfit.choices.boards import find_machine
from ecfit.choices.peers import all_peers
from ecfit.choices.targets import Target, find_target
from ecfit.errors import BUILD_FAILED, USAGE
from ecfit.measure.store import Store
from ecfit_lab.tls import certs, connections
from ecfit_lab.tls.configs import STACKS, WOLFSSL, find_connection, stack_of
from ecfit_lab.tls.connections import Wanted
from ecfit_lab.tls.image import Client, image
from ecfit_lab.tls.link import read_recording
from ecfit_lab.tls.server import Server, ServerProcess
from ecfit_lab.wire import study
from ecfit_lab.wire.image import target
from tools.rigs import tls, tls_servers
from tools.rigs import tls_attack as attack
from tools.rigs.tls_servers import CHIP

NAME = "tls1.3-ecdsa"
NAMES = tls.names(WOLFSSL)[1:]
HYBRID = tls.HYBRID
ASKED = ("--stack", "wolfssl", "--server", HYBRID, "--backend")
EVERY = 11  # byte of the server's is flipped
asked = pytest.mark.skipif(
    os.environ.get("ECFIT_TLS") != "all", reason="fetches wolfSSL, which is GPL: make long WHAT=tls"
)


def client(name: str = NAME, backend: str = WOLFSSL, chip: Target | None = None) -> Client:
    return Client(chip or find_target(CHIP), find_connection(name), backend)


@asked
@pytest.mark.parametrize("name", [one for one in NAMES if one != HYBRID])
@pytest.mark.parametrize("server", tls_servers.PROGRAMS)
def test_servers_of_others(name: str, server: str) -> None:
    assert tls_servers.tried(server, find_connection(name), WOLFSSL) == "ok"


@asked
@pytest.mark.parametrize("backend", STACKS[WOLFSSL])
@pytest.mark.parametrize("platform", ["samd21", "esp32c3", "host", "mps2-an386"])
def test_a_row(platform: str, backend: str) -> None:
    """On a chip, this machine, a board; assembly where there is some for the core."""
    on_board = platform.startswith("mps2")
    chip = target(find_machine(platform)) if on_board else find_target(platform)
    row = study.row(client(NAME, backend, chip), all_peers(), Store(), Wanted(runs=2))
    assert (row.status, row.stack, row.backend, row.runs) == ("ok", WOLFSSL, backend, 2), row.detail
    if row.phases:
        assert sum(row.phases.values()) == row.handshake_cycles
        assert min(row.phases[name] for name in row.phases) > 0
    if row.flash:
        assert sum(row.flash.values()) == row.flash_bytes
        assert row.flash["tls"] > 10_000
        assert row.flash["ecc"] > 10_000


@asked
@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"host": "other.test"}, "wrong name"),
        ({"age_days": 30}, "certificate expired"),
        ({"age_days": -30}, "certificate not yet valid"),
        ({"stranger": True}, "not trusted"),
    ],
)
@pytest.mark.parametrize("name", [NAME, "tls1.2-rsa"])
def test_a_server_that_cannot_be_trusted(name: str, wrong: dict[str, object], word: str) -> None:
    given = certs.make(find_connection(name), **wrong)  # type: ignore[arg-type]
    with Server(find_connection(name), given) as server:
        ran = tls_servers.connect(client(name), given, server.port)
    assert connections.failure(ran)[0] == word
    assert ran.end.payload_bytes == 0


@asked
def test_what_breaks_off_or_was_tampered_with() -> None:
    """A kept connection replays to the cycle; with a byte flipped, or a server that goes away, it
    fails.
    """
    mine = client()
    built, given = image(mine, all_peers(), Store()), certs.make(mine.connection)
    with ServerProcess(mine.connection, given) as server:
        one = connections.live(mine, built, given, server.port, Wanted())
    kept = one.recording
    again, link = connections.replayed(mine, built, kept, "datasheet")
    assert link.differs is None
    assert connections.handshake(again) == connections.handshake(one.ran)
    for place in [*attack.places(kept)][::EVERY]:
        ran = connections.replayed(mine, built, attack.flipped(kept, place), "datasheet")[0]
        header = kept.steps[place.step].data
        word, sentence = connections.failure(ran)
        if len(header) == 5 and header[0] in (0x14, 0x16) and place.offset in (1, 2):
            continue  # legacy_record_version may be ignored: RFC 8446, 5.1
        assert word not in ("ok", "endless", "fault"), (place, sentence)
        assert ran.status == "ok", ran.status
    for result, word in ((0, "server closed"), (-2, "server stalled")):
        cut = attack.cut(kept, attack.receives(kept.steps)[1], result)
        assert (
            connections.failure(connections.replayed(mine, built, cut, "datasheet")[0])[0] == word
        )


@asked
@pytest.mark.parametrize("backend", [*tls.KEMS, "wolfssl+libsodium"])
def test_go_agrees_with_each_library_of_ml_kem(backend: str) -> None:
    """Live on a chip and a board; a replay has no room for another order of random bytes."""
    for one in (find_target(CHIP), target(find_machine("mps2-an386"))):
        row = study.row(client(HYBRID, backend, one), all_peers(), Store(), Wanted(runs=1))
        assert (row.status, row.version) == ("ok", "1.3"), row.detail


@asked
def test_a_hybrid_share_that_was_tampered_with() -> None:
    """With a byte of the server's share flipped, in the half of either algorithm, its records do
    not open.
    """
    mine, kept = client(HYBRID), read_recording(str(tls.kept_path(HYBRID, WOLFSSL)))
    built = image(mine, all_peers(), Store())
    hello = next(i for i, step in enumerate(kept.steps) if step.data[:1] == b"\x02")
    for offset in (200, 1150, len(kept.steps[hello].data) - 20):
        changed = attack.flipped(kept, attack.Place(0, hello, offset))
        ran = connections.replayed(mine, built, changed, "datasheet")[0]
        assert connections.failure(ran)[0] not in ("ok", "endless", "fault")


def test_go_is_missing(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert cli.run(["tls", "--quiet", "--stack", "wolfssl", "--server", HYBRID]) == BUILD_FAILED
    error = capfd.readouterr().err
    assert "go is not installed" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--stack", "gnutls"], "unknown stack 'gnutls'"),
        (["--backend", "wolfssl"], "--backend wolfssl belongs to --stack wolfssl"),
        (["--stack", "wolfssl", "--backend", "p256-m"], "belongs to --stack mbedtls"),
        (["--stack", "wolfssl", "--server", "tls1.3-ecdsa-psk"], "resumes no sessions"),
        (["--server", HYBRID], "Mbed TLS 3.6 has no ML-KEM"),
        (["--stack", "wolfssl", "--server", NAME, "--backend", "wolfssl+pqclean"], "no ML-KEM"),
        ([*ASKED, "wolfssl+bearssl"], "takes the ML-KEM of wolfssl-pq, mlkem-native"),
        ([*ASKED, "wolfssl+"], "takes the ML-KEM of wolfssl-pq, mlkem-native"),
        ([*ASKED, "wolfssl+mlkem-native:SERIAL"], "a setting is OPTION=VALUE, not 'SERIAL'"),
        (["--backend", "ecfit-fast+pqclean"], "named after a back end of wolfssl"),
    ],
)
def test_what_is_refused(
    arguments: list[str], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["tls", "--quiet", *arguments]) == USAGE
    error = capfd.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_every_back_end_has_one_stack() -> None:
    assert {stack: {stack_of(name) for name in names} for stack, names in STACKS.items()} == {
        stack: {stack} for stack in STACKS
    }
