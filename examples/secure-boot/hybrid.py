"""The second signature of an image: ML-DSA-44 (FIPS 204) of the hash that the first one signs.
imgtool has no such signature, so it is put behind the entries that imgtool made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from ecfit.build.fetch import code_folder
from ecfit.choices.peers import load_peer
from ecfit.oracle import mldsa
from ecfit.paths import FIRMWARE, PEERS

NAME, TYPE, SIZE = "mldsa44", 0xA4, 2420
RAM = {"RAM": "reduced"}

PrivateKey = ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


def key_pair(key: PrivateKey) -> tuple[bytes, bytes]:
    """Private and public key, which follow from the first key: for tests and tables, not for
    devices, whose two keys shall have nothing in common.
    """
    der = key.private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return mldsa.key_pair(NAME, hashlib.sha256(b"second" + der).digest())


def with_second(image: bytes, sha: int, key: PrivateKey) -> bytes:
    """An image of imgtool with the second signature, which is deterministic."""
    area = _number(image, 8, 2) + _number(image, 12, 4) + _number(image, 10, 2)
    end = area + _number(image, area + 2, 2)
    digest = hashlib.new(f"sha{sha}", image[:area]).digest()
    signature = mldsa.sign(NAME, key_pair(key)[0], digest, bytes(mldsa.RANDOM_BYTES))
    entry = TYPE.to_bytes(2, "little") + SIZE.to_bytes(2, "little") + signature
    size = (end - area + len(entry)).to_bytes(2, "little")
    return image[: area + 2] + size + image[area + 4 : end] + entry


def _number(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def sources() -> tuple[list[Path], Sequence[str]]:
    """Of mldsa-native, and the flags that they and check_mldsa.c are compiled with.
    Errors: PackageError.
    """
    folder = PEERS / "mldsa-native"
    peer = load_peer("mldsa-native", folder)
    code = code_folder(peer)
    configuration = peer.configure(RAM)
    found = [code / name for name in peer.sources(configuration, NAME)]
    include = [*(code / name for name in peer.build.include), folder, FIRMWARE]
    flags = [f"-I{name}" for name in include]
    flags += [f"-D{macro}" for macro in peer.defines(configuration, NAME, ("verify",))]
    return found, [*flags, *peer.flags(configuration)]
