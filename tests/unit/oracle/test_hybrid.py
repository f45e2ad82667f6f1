"""The order of shares and secrets in hybrid groups, against the server of Go's crypto/tls."""

from __future__ import annotations

import hashlib
import hmac
import shutil
import subprocess
from pathlib import Path

import pytest

from ecfit.choices.curves import HYBRIDS, Curve
from ecfit.oracle import hybrid

HERE = Path(__file__).parent
GROUPS = {"x25519mlkem768": 0x11EC, "secp256r1mlkem768": 0x11EB, "secp384r1mlkem1024": 0x11ED}
RANDOM = bytes(range(32))
KEY_SHARE = 51
PRIVATE, SEED = 7, bytes(range(64))


def private(group: Curve) -> bytes:
    return PRIVATE.to_bytes(group.curve.scalar_bytes, "big")


def swapped(group: Curve) -> Curve:
    """The group with its halves in the wrong order."""
    import msgspec

    return msgspec.structs.replace(group, parts=group.parts[::-1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, built; Go keeps what it compiles."""
    if shutil.which("go") is None:
        pytest.skip("Go is not installed")
    program = tmp_path_factory.mktemp("go") / "server"
    source = HERE / "hybrid_server.go"
    subprocess.run(["go", "build", "-o", str(program), str(source)], check=True, cwd=program.parent)
    return program


def client_hello(group: str, share: bytes) -> bytes:
    """A handshake message with one share."""

    def extension(number: int, body: bytes) -> bytes:
        return number.to_bytes(2, "big") + vector(2, body)

    identifier = GROUPS[group].to_bytes(2, "big")
    extensions = b"".join(
        [
            extension(43, vector(1, b"\x03\x04")),
            extension(13, vector(2, b"\x04\x03")),
            extension(10, vector(2, identifier)),
            extension(KEY_SHARE, vector(2, identifier + vector(2, share))),
        ]
    )
    suites, no_compression = vector(2, b"\x13\x01"), vector(1, b"\x00")
    body = b"\x03\x03" + RANDOM + vector(1, b"") + suites + no_compression + vector(2, extensions)
    return b"\x01" + vector(3, body)


def vector(size: int, body: bytes) -> bytes:
    return len(body).to_bytes(size, "big") + body


def answered(server: Path, hello: bytes) -> dict[str, str]:
    """What the server prints, by its first word."""
    record = b"\x16\x03\x01" + vector(2, hello)
    done = subprocess.run([server], input=record.hex(), capture_output=True, text=True, check=True)
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def server_share(flight: bytes) -> tuple[bytes, bytes]:
    """The ServerHello of the first record, and the share in it."""
    assert flight[0] == 0x16, flight.hex()
    message = flight[5 : 5 + int.from_bytes(flight[3:5], "big")]
    assert message[0] == 2
    rest = message[4 + 2 + 32 :]
    rest = rest[1 + rest[0] + 2 + 1 + 2 :]  # session, suite, compression, size of all extensions
    while rest:
        number, size = int.from_bytes(rest[:2], "big"), int.from_bytes(rest[2:4], "big")
        if number == KEY_SHARE:
            return message, rest[8 : 4 + size]
        rest = rest[4 + size :]
    raise AssertionError("no share")


def traffic_secret(shared: bytes, transcript: bytes) -> bytes:
    """The server's handshake traffic secret (RFC 8446, 7.1) with SHA-256."""

    def derived(secret: bytes, label: bytes, messages: bytes) -> bytes:
        context = vector(1, hashlib.sha256(messages).digest())
        info = b"\x00\x20" + vector(1, b"tls13 " + label) + context
        return hmac.digest(secret, info + b"\x01", "sha256")

    early = hmac.digest(bytes(32), bytes(32), "sha256")
    handshake = hmac.digest(derived(early, b"derived", b""), shared, "sha256")
    return derived(handshake, b"s hs traffic", transcript)


@pytest.mark.parametrize("name", GROUPS)
def test_go_agrees_on_the_secret(server: Path, name: str) -> None:
    """Go's server takes our share and makes its own; our secret of it makes the traffic secret in
    Go's key log. With its halves swapped, the secret is another.
    """
    group = HYBRIDS[name]
    key, share = hybrid.key_pair(group, private(group), SEED)
    hello = client_hello(name, share)
    told = answered(server, hello)
    assert "failed" not in told, told
    message, theirs = server_share(bytes.fromhex(told["flight"]))
    shared = hybrid.secret(group, key, theirs)
    logged = told["SERVER_HANDSHAKE_TRAFFIC_SECRET"].split()[1]
    assert traffic_secret(shared, hello + message).hex() == logged
    wrong = hybrid.joined(swapped(group), *hybrid.halves(group, shared, group.kem.field_bytes))
    assert traffic_secret(wrong, hello + message).hex() != logged


@pytest.mark.parametrize("name", GROUPS)
def test_go_refuses_a_share_in_the_wrong_order(server: Path, name: str) -> None:
    group = swapped(HYBRIDS[name])
    _, share = hybrid.key_pair(group, private(group), SEED)
    told = answered(server, client_hello(name, share))
    assert "client key share" in told["failed"]


@pytest.mark.parametrize("name", GROUPS)
def test_both_ends_have_one_secret(name: str) -> None:
    group = HYBRIDS[name]
    key, share = hybrid.key_pair(group, private(group), SEED)
    assert (len(key), len(share)) == (group.scalar_bytes, group.public_bytes)
    other = (PRIVATE + 2).to_bytes(group.curve.scalar_bytes, "big")
    theirs, secret = hybrid.answer(group, share, other, RANDOM)
    assert (len(theirs), len(secret)) == (group.cipher_bytes, group.field_bytes)
    assert hybrid.secret(group, key, theirs) == secret
