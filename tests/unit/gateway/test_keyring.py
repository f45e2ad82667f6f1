"""Which keys are trusted: files of every kind, changes, and files that are no keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization as s
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa

from ecfit.choices.curves import CURVES
from ecfit.errors import UsageError
from ecfit.oracle import keyformats
from ecfit.oracle.keygen import generate
from ecfit.oracle.keyreader import public_key
from ecfit_lab.gateway import library
from ecfit_lab.gateway.keyring import Keyring
from ecfit_lab.message.algorithms import ALGORITHMS, Key

GOOD = library.load().takes


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.curve)
@pytest.mark.parametrize("form", ["pem", "jwk"])
def test_what_ecfit_keys_writes_is_read(algorithm: object, form: str, tmp_path: Path) -> None:
    """Private and public key in one file: the public one is taken."""
    curve = CURVES[algorithm.curve]  # type: ignore[attr-defined]
    if form == "jwk" and curve.name == "secp192r1":
        pytest.skip("JWK has no name for secp192r1, says ecfit keys")
    pair = generate(curve)
    (tmp_path / f"attic.{form}").write_text(keyformats.text([pair], form))
    keys = Keyring(tmp_path, GOOD)
    assert keys.reload() == []
    assert keys.keys["attic"].key == Key(curve.name, pair.public)


def test_keys_of_another_library() -> None:
    form = s.PublicFormat.SubjectPublicKeyInfo
    for private in (ed25519.Ed25519PrivateKey.generate(), ed448.Ed448PrivateKey.generate()):
        public = private.public_key()
        assert public_key(public.public_bytes(s.Encoding.PEM, form))[1] == public.public_bytes_raw()


def pem(curve: ec.EllipticCurve | None = None) -> bytes:
    key = ec.generate_private_key(curve or ec.SECP256R1()).public_key()
    return key.public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)


def test_changes_are_seen(tmp_path: Path) -> None:
    """A key is trusted from when its file is there to when it is gone."""
    keys = Keyring(tmp_path, GOOD)
    assert keys.reload() == []
    assert keys.reload() is None
    (tmp_path / "attic.pem").write_bytes(pem())
    assert keys.reload() == []
    first = keys.keys["attic"]
    (tmp_path / "attic.pem").write_bytes(pem())
    assert keys.reload() == []
    assert keys.keys["attic"].identity != first.identity
    (tmp_path / "attic.pem").write_bytes(b"half a key")
    assert keys.reload() == ["attic.pem: it is neither PEM with 'BEGIN PUBLIC KEY' nor a JWK"]
    assert keys.keys == {}
    (tmp_path / "attic.pem").unlink()
    (tmp_path / "readme.txt").write_text("of no interest")
    assert keys.reload() == []
    with pytest.raises(UsageError, match="there is no folder of keys"):
        Keyring(tmp_path / "none", GOOD).reload()


def test_which_key_a_message_has(tmp_path: Path) -> None:
    """The sensor's own, else the one that is named, else the only one."""
    (tmp_path / "a.pem").write_bytes(pem())
    keys = Keyring(tmp_path, GOOD)
    keys.reload()
    a = keys.keys["a"]
    assert keys.find(None, None) == a
    (tmp_path / "b.pem").write_bytes(pem())
    keys.reload()
    assert keys.find("a", None) == keys.find(None, "a") == keys.find("a", "a") == a
    assert keys.find(None, None) == "the message names no key, and the sensor has none"
    assert keys.find("a", "b") == "the message names b, the sensor's key is a"
    assert keys.find("c", None) == "there is no key c"


def _jwk(**changes: object) -> bytes:
    pair = generate(CURVES["secp256r1"])
    return json.dumps({**json.loads(keyformats.text([pair], "jwk")), **changes}).encode()


WRONG = {
    "private": (b"-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", "no public one"),
    "empty": (b"", "neither PEM"),
    "large": (b" " * 70_000, "more than 65536 bytes"),
    "base64": (b"-----BEGIN PUBLIC KEY-----\n!!\n-----END PUBLIC KEY-----", "not a public key"),
    "rsa": (
        rsa.generate_private_key(65537, 2048)
        .public_key()
        .public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo),
        "none of an elliptic curve",
    ),
    "curve": (pem(ec.BrainpoolP256R1()), "no message is signed with a key of"),
    "json": (b"{", "not a JWK"),
    "set": (b'{"keys":[]}', "a file for each key"),
    "kind": (_jwk(kty="OKP"), "a JWK of kty and crv"),
    "x25519": (_jwk(crv="X25519"), "a JWK of kty and crv"),
    "coordinate": (_jwk(y="AAAA"), "'y' of this JWK has 3 bytes, and 32 are needed"),
    "padding": (_jwk(y="AAA="), "base64url without padding"),
    "number": (_jwk(y=1), "base64url without padding"),
    "point": (_jwk(y="A" * 43), "its point is not on the curve"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_key_is_said_and_not_trusted(name: str, tmp_path: Path) -> None:
    data, said = WRONG[name]
    (tmp_path / "bad.pem").write_bytes(data)
    (tmp_path / "good.pem").write_bytes(pem())
    keys = Keyring(tmp_path, GOOD)
    wrong = keys.reload()
    assert wrong is not None
    assert len(wrong) == 1
    assert wrong[0].startswith("bad.pem: ")
    assert said in wrong[0]
    assert "\n" not in wrong[0]
    assert list(keys.keys) == ["good"]
