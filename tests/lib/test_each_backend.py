"""The first look, in seconds: one image of each back end and a published vector of each operation.

The rest is in test_on_simulator.py, test_on_armv7m.py, test_on_rv32.py and their siblings.
"""

from __future__ import annotations

import hashlib

import pytest

from workshop.library.api import Status
from workshop.library.images import Chip
from workshop.vectors.published import RFC5903, RFC6979, RFC6979_KEY, RFC6979_PUBLIC

pytestmark = pytest.mark.check
# A chip for each back end in assembly, and one whose back end is portable C.
BUILDS = {
    "armv6m": ("samd20", None),
    "armv7m": ("cc2538", None),
    "armv7em": ("nrf52840", None),
    "rv32im": ("ibex", None),
    "w32m16": ("samd20", {"BACKEND": "w32m16"}),
}


@pytest.mark.parametrize("backend", BUILDS)
def test_published_vectors(backend: str) -> None:
    """ECDH of RFC 5903; a signature of RFC 6979, made, verified, and refused with a bit flipped."""
    target, sets = BUILDS[backend]
    chip = Chip(target, "balanced", sets=sets)
    assert dict(chip.configuration.settings)["BACKEND"] == backend
    mine, _, _, theirs, shared = (bytes.fromhex(value) for value in RFC5903)
    assert chip.call("ecdh", mine + theirs, 32)[:2] == (Status.OK, shared)
    vector = next(vector for vector in RFC6979 if vector.hash_name == "sha256")
    digest = hashlib.sha256(vector.message).digest()
    signature = bytes.fromhex(vector.r + vector.s)
    answer = chip.call("sign", bytes.fromhex(RFC6979_KEY) + digest, 64)
    assert answer[:2] == (Status.OK, signature)
    public = bytes.fromhex(RFC6979_PUBLIC)
    assert chip.call("verify", signature + public + digest, 0).status == Status.OK
    wrong = signature[:-1] + bytes([signature[-1] ^ 1])
    assert chip.call("verify", wrong + public + digest, 0).status == Status.BAD_SIGNATURE
