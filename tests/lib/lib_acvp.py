"""Vectors of ML-KEM: NIST's of ACVP and those of CCTV, as the package fips203 carries them, which
none of the measured libraries is made of.
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


class KeyPair(NamedTuple):
    """A key generation: the seed d || z, and the keys of it."""

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


@cache
def _groups(kind: str) -> list[dict[str, Any]]:
    path = _tests() / "nist_vectors" / f"ML-KEM-{kind}-FIPS203" / "internalProjection.json"
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
