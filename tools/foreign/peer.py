"""Implementations of others in Python: verifies what it is given, and signs the same messages.

peer.py NAME: a job as JSON on standard input, an answer on standard output (foreign.py). Only
packages of the registry are imported, nothing of this project.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any

Case = dict[str, str]
Answer = tuple[str, bool]  # what was tried, and whether it was as it should be
HASH = {"secp384r1": "sha384", "secp521r1": "sha512"}


def tried(what: str, does: Callable[[], Any]) -> Answer:
    """Whether it returned something other than False and raised nothing."""
    try:
        return what, does() is not False
    except Exception:  # whatever a library raises
        return what, False


def openssl(case: Case, signed: list[Case]) -> Iterator[Answer]:
    """OpenSSL, by the package cryptography."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, x25519

    curve, message = case["curve"], bytes.fromhex(case["message"])
    private, public = bytes.fromhex(case["private"]), bytes.fromhex(case["public"])
    if curve == "x25519":
        own = x25519.X25519PrivateKey.from_private_bytes(private)
        peer = x25519.X25519PublicKey.from_public_bytes(bytes.fromhex(case["peer"]))
        yield "shared secret", own.exchange(peer).hex() == case["shared"]
    elif curve == "ed25519":
        key = ed25519.Ed25519PublicKey.from_public_bytes(public)
        yield tried("raw", lambda: key.verify(bytes.fromhex(case["raw"]), message))
        mine = ed25519.Ed25519PrivateKey.from_private_bytes(private)
        signed.append({**case, "raw": mine.sign(message).hex()})
    else:
        group: Any = getattr(ec, curve.upper())()
        sha: Any = getattr(hashes, HASH.get(curve, "sha256").upper())()
        der = bytes.fromhex(case["der"])
        for name in ("public", "compressed"):
            point = ec.EllipticCurvePublicKey.from_encoded_point(group, bytes.fromhex(case[name]))
            yield tried(f"DER, key {name}", partial(point.verify, der, message, ec.ECDSA(sha)))
        secret = ec.derive_private_key(int.from_bytes(private, "big"), group)
        signed.append({**case, "der": secret.sign(message, ec.ECDSA(sha)).hex(), "raw": ""})
        other = bytes.fromhex(case["peer"])
        peer_key = ec.EllipticCurvePublicKey.from_encoded_point(group, other)
        yield "shared secret", secret.exchange(ec.ECDH(), peer_key).hex() == case["shared"]


def libsecp256k1(case: Case, signed: list[Case]) -> Iterator[Answer]:
    """libsecp256k1, by the package coincurve, which refuses s above n / 2."""
    coincurve = import_module("coincurve")
    message = bytes.fromhex(case["message"])
    for name in ("public", "compressed"):
        key = coincurve.PublicKey(bytes.fromhex(case[name]))
        der = bytes.fromhex(case["der"])
        yield tried(f"DER, key {name}", partial(key.verify, der, message))
    mine = coincurve.PrivateKey(bytes.fromhex(case["private"]))
    signed.append({**case, "der": mine.sign(message).hex(), "raw": ""})


def libsodium(case: Case, signed: list[Case]) -> Iterator[Answer]:
    """libsodium, by the package PyNaCl."""
    bindings, signing = import_module("nacl.bindings"), import_module("nacl.signing")
    private, message = bytes.fromhex(case["private"]), bytes.fromhex(case["message"])
    if case["curve"] == "x25519":
        shared = bindings.crypto_scalarmult(private, bytes.fromhex(case["peer"]))
        yield "shared secret", shared.hex() == case["shared"]
    else:
        key = signing.VerifyKey(bytes.fromhex(case["public"]))
        yield tried("raw", lambda: key.verify(message, bytes.fromhex(case["raw"])))
        signed.append({**case, "raw": signing.SigningKey(private).sign(message).signature.hex()})


def _halves(case: Case) -> tuple[bytes, bytes]:
    point = bytes.fromhex(case["public"])[1:]
    return point[: len(point) // 2], point[len(point) // 2 :]


def pycose(case: Case, signed: list[Case]) -> Iterator[Answer]:
    """COSE_Sign1 of the device."""
    keys, messages = import_module("pycose.keys"), import_module("pycose.messages")
    del signed
    names = {"secp256r1": "P_256", "secp384r1": "P_384", "secp521r1": "P_521"}
    names |= {"secp256k1": "SECP256K1", "ed25519": "ED25519"}
    message = messages.Sign1Message.decode(bytes.fromhex(case["sign1"]))
    curve = names[case["curve"]]
    raw = bytes.fromhex(case["public"])
    okp = curve == "ED25519"
    message.key = keys.OKPKey(curve, raw) if okp else keys.EC2Key(curve, *_halves(case))
    yield tried("COSE_Sign1", message.verify_signature)


def python_cwt(case: Case, signed: list[Case]) -> Iterator[Answer]:
    """COSE_Sign1 of the device."""
    cwt = import_module("cwt")
    numbers = {"secp256r1": (1, -7), "secp384r1": (2, -35), "secp521r1": (3, -36)}
    numbers |= {"secp256k1": (8, -47)}
    if case["curve"] == "ed25519":
        fields: dict[int, Any] = {1: 1, 3: -8, -1: 6, -2: bytes.fromhex(case["public"])}
    else:
        number, algorithm = numbers[case["curve"]]
        x, y = _halves(case)
        fields = {1: 2, 3: algorithm, -1: number, -2: x, -3: y}
    key = cwt.COSEKey.new(fields)
    yield tried(
        "COSE_Sign1", lambda: bool(cwt.COSE.new().decode(bytes.fromhex(case["sign1"]), key))
    )
    mine = cwt.COSEKey.new({**fields, -4: bytes.fromhex(case["private"])})
    made = cwt.COSE.new(alg_auto_inclusion=True).encode_and_sign(bytes.fromhex("a1616101"), mine)
    signed.append({**case, "cose": made.hex()})


def jwcrypto(case: Case, signed: list[Case]) -> Iterator[Answer]:
    """JWK of this product, and JWS made of this library's signatures; then its own."""
    jwk, jws = import_module("jwcrypto.jwk"), import_module("jwcrypto.jws")
    algorithms = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512", "secp256k1": "ES256K"}
    algorithms |= {"Ed25519": "EdDSA"}

    def verified() -> bool:
        token = jws.JWS()
        token.allowed_algs = [*algorithms.values()]
        token.deserialize(case["our_jws"], jwk.JWK.from_json(case["our_jwk"]))
        return bool(token.payload == bytes.fromhex(case["message"]))

    yield tried("JWK and JWS", verified)
    curve = json.loads(case["our_jwk"])["crv"]
    own = jwk.JWK.generate(kty="OKP" if curve == "Ed25519" else "EC", crv=curve)
    token = jws.JWS(bytes.fromhex(case["message"]))
    token.allowed_algs = [*algorithms.values()]
    alg = algorithms[curve]
    token.add_signature(own, alg, json.dumps({"alg": alg}))
    text = token.serialize(compact=True)
    signed.append({"curve": case["curve"], "jwk": own.export_public(), "jws": text})


PEERS = {
    "openssl": (openssl, "cryptography", ("secp256r1", "secp384r1", "secp521r1", "secp256k1",
                                          "ed25519", "x25519")),
    "libsecp256k1": (libsecp256k1, "coincurve", ("secp256k1",)),
    "libsodium": (libsodium, "PyNaCl", ("ed25519", "x25519")),
    "pycose": (pycose, "pycose", ("secp256r1", "secp384r1", "secp521r1", "ed25519")),
    "jwcrypto": (jwcrypto, "jwcrypto", ("secp256r1", "secp384r1", "secp521r1", "secp256k1",
                                        "ed25519")),
    "python-cwt": (python_cwt, "cwt", ("secp256r1", "secp384r1", "secp521r1", "secp256k1",
                                       "ed25519")),
}  # fmt: skip


def main() -> None:
    """The job of one implementation."""
    peer, package, curves = PEERS[sys.argv[1]]
    answers: list[tuple[str, str, bool]] = []
    signed: list[Case] = []
    for case in json.load(sys.stdin):
        if case["curve"] in curves:
            answers += [(case["curve"], *answer) for answer in peer(case, signed)]
    said = f"{package} {version(package)}"
    if sys.argv[1] == "openssl":
        from cryptography.hazmat.backends.openssl import backend

        said = f"{backend.openssl_version_text().split()[1]} ({said})"
    json.dump({"version": said, "answers": answers, "signed": signed}, sys.stdout)


if __name__ == "__main__":
    main()
