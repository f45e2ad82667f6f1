"""examples/: built by their Makefiles and run, with OpenSSL on the other side.

ECFIT_EXAMPLES=1 (make long WHAT=examples): all of them on all chips and boards.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

from tools.docs import example_table as table

EVERY = os.environ.get("ECFIT_EXAMPLES") == "1"
SIMULATED = [("signature", "nrf52840")]
EMULATED = [("pieces", "mps2-an385")]  # and openssl on the micro:bit: tests/docs/test_first_page.py
if EVERY:
    SIMULATED = [(name, chip) for name in table.NAMES for chip in table.CHIPS]
    EMULATED = [(name, "microbit") for name in table.NAMES if name != "pieces"]
    EMULATED += [(name, "mps2-an385") for name in ("verification", "pieces")]
CURVES = {65: ec.SECP256R1(), 97: ec.SECP384R1(), 133: ec.SECP521R1()}  # by bytes of a point
HASHES = {65: hashes.SHA256(), 97: hashes.SHA384(), 133: hashes.SHA512()}  # of the curve
RFC6979 = (
    "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
)  # A.2.5: "sample", SHA-256


def lines(said: str) -> list[tuple[str, str]]:
    """ "name: value" of each line."""
    return [(name, value) for name, _, value in (x.partition(": ") for x in said.splitlines())]


def verify(public_key: str, signature: str, message: bytes) -> None:
    """By OpenSSL, as `cryptography` brings it. Errors: InvalidSignature."""
    point, pair = bytes.fromhex(public_key), bytes.fromhex(signature)
    half = len(pair) // 2
    numbers = int.from_bytes(pair[:half], "big"), int.from_bytes(pair[half:], "big")
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVES[len(point)], point)
    key.verify(utils.encode_dss_signature(*numbers), message, ec.ECDSA(HASHES[len(point)]))


def right(name: str, said: str) -> None:
    """What an example says is true."""
    found = lines(said)
    told = dict(found)
    if name == "key-exchange":
        assert len({told["device"], told["gateway"]}) == 2
        assert "both have the same key\na public key of small order is refused\n" in said
    elif name == "signature":
        verify(told["public key"], told["signature"], bytes.fromhex(told["message"]))
        with pytest.raises(InvalidSignature):
            verify(told["public key"], told["signature"], b"another message")
    elif name == "verification":
        assert said == "genuine: the command is obeyed\none bit altered: refused\n"
    elif name == "pieces":
        assert told["signature"] == RFC6979
    elif name == "openssl":
        assert "the signature of OpenSSL verifies\n" in said
        verify(told["public key"], told["r || s"], b"the sluice is open")
        r, s = utils.decode_dss_signature(bytes.fromhex(told["DER"]))
        assert f"{r:064x}{s:064x}" == told["r || s"]
    else:
        assert [value for what, value in found if what == "curve"] == [
            "secp256r1", "secp384r1", "secp521r1",
        ]  # fmt: skip
        keys = [value for what, value in found if what == "public key"]
        signatures = [value for what, value in found if what == "signature"]
        for key, signature in zip(keys, signatures, strict=True):
            verify(key, signature, b"three curves")


@pytest.mark.parametrize("name", table.NAMES)
def test_on_this_machine(name: str, tmp_path: Path) -> None:
    goal = "check" if name == "openssl" else "run"
    done = table.make(name, "host", tmp_path / "out", goal)
    assert done.returncode == 0, done.stderr
    if goal == "check":
        assert done.stdout == "Verified OK\n"
        done = table.make(name, "host", tmp_path / "out", "run")
    right(name, done.stdout)


@pytest.mark.parametrize(("name", "chip"), SIMULATED)
def test_on_a_simulated_chip(name: str, chip: str, tmp_path: Path) -> None:
    """It says the same there."""
    right(name, table.measure(name, chip, tmp_path).said)


@pytest.mark.parametrize(("name", "board"), EMULATED)
def test_on_an_emulated_board(name: str, board: str, tmp_path: Path) -> None:
    done = table.make(name, board, tmp_path, "run")
    assert done.returncode == 0, done.stderr
    right(name, done.stdout)


def test_the_watchdog_bites_who_does_not_feed_it(tmp_path: Path) -> None:
    """The same signature in one piece."""
    done = table.make("pieces", "mps2-an385", tmp_path, "run", "STEP=100000")
    assert done.returncode != 0
    assert "Error 99" in done.stderr
    assert done.stdout == ""


@pytest.mark.skipif(not EVERY, reason="ECFIT_EXAMPLES=1 (make long WHAT=examples)")
def test_no_key_without_a_generator(tmp_path: Path) -> None:
    done = table.make("signature", "mps2-an385", tmp_path, "run")
    assert done.returncode != 0
    assert done.stdout == "no key: the generator failed\n"


def test_an_unknown_chip_is_one_line(tmp_path: Path) -> None:
    done = table.make("signature", "z80", tmp_path)
    assert done.returncode != 0
    assert "CHIP=z80: chips.mk has no such chip" in done.stderr


def test_the_signature_of_the_rfc_is_what_is_verified() -> None:
    """The constants of the example `verification`, by OpenSSL."""
    text = (table.EXAMPLES / "verification" / "main.c").read_text(encoding="utf-8")
    key, signature = (
        bytes(int(word, 16) for word in part.split("}")[0].replace("\n", " ").split(","))
        for part in text.split("= {")[1:3]
    )
    ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, b"\xaf\x82")
