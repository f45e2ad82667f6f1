"""The driver of PSA Crypto under Mbed TLS's own test data: the package of 2.28 carries its suites,
that of 3.6 does not. Of `test_suite_psa_crypto` every line that imports, exports, agrees or
verifies with an elliptic curve that the driver has; its expectations hold for both back ends.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from ecfit.build.fetch import code_folder
from ecfit.choices.curves import CURVES
from ecfit.choices.peers import all_peers
from ecfit_lab.tls.image import PSA_CURVES
from workshop.devices.psa_library import ECDH, FAMILIES, PAIR, PUBLIC, Psa, ecdsa

SUITE = "vendor/tests/suites/test_suite_psa_crypto.data"
STATUS = {
    "PSA_SUCCESS": 0,
    "PSA_ERROR_NOT_SUPPORTED": -134,
    "PSA_ERROR_INVALID_ARGUMENT": -135,
    "PSA_ERROR_INVALID_SIGNATURE": -149,
}
# An invalid key is refused with one of these. Mbed TLS 2.28, 3.6 and the driver return different
# ones, because the driver passes keys on that it does not know.
REFUSED = (-134, -135)
LEAST = {"import_with_data": 9, "import_export_public_key": 7, "raw_key_agreement": 8,
         "verify_hash": 2, "verify_hash_fail": 4}  # fmt: skip
TYPE = re.compile(r"PSA_KEY_TYPE_ECC_(KEY_PAIR|PUBLIC_KEY)\(PSA_ECC_FAMILY_(\w+)\)")


class Line(NamedTuple):
    """A line of the suite: what it is called, what it does, and with what."""

    title: str
    function: str
    words: tuple[str, ...]


def lines() -> list[Line]:
    """Those of the suite that are about what the driver does: no deterministic signatures, which
    it passes on, and no curves that it does not have.
    """
    path = code_folder(all_peers()["mbedtls2"]) / SUITE
    found = []
    for block in path.read_text("utf-8").split("\n\n"):
        title, *_, last = block.strip().splitlines() or [""]
        function, *words = last.split(":")
        needs = re.findall(r"PSA_WANT_ECC_(\w+)", block)
        mine = function in LEAST and TYPE.search(last) and set(needs) <= set(PSA_CURVES.values())
        if mine and "DETERMINISTIC" not in last and "RSA" not in last:
            found.append(Line(title, function, tuple(word.strip('"') for word in words)))
    return found


def curve_of(text: str, data: bytes, *, bits: int = 0) -> tuple[str, int]:
    """The curve by the size of a key, and its kind; of no curve's size, any of the family."""
    matched = TYPE.fullmatch(text)
    assert matched, text
    kind, family = matched.groups()
    names = [name for name, wanted in PSA_CURVES.items() if wanted.rpartition("_")[0] == family]
    assert family in FAMILIES
    sizes = {
        name: CURVES[name].field_bytes * (2 if kind == "PUBLIC_KEY" and name != "x25519" else 1)
        + (kind == "PUBLIC_KEY" and name != "x25519")
        for name in names
    }
    name = next(
        (n for n in names if bits in (0, CURVES[n].bits) and sizes[n] == len(data)), names[0]
    )
    return name, PAIR if kind == "KEY_PAIR" else PUBLIC


def run(psa: Psa, line: Line) -> tuple[object, object]:
    """What came of a line, and what was expected, as a pair."""
    words = line.words
    if line.function == "import_with_data":
        data = bytes.fromhex(words[0])
        name, kind = curve_of(words[1], data, bits=int(words[2]))
        status = psa.key(name, data, kind=kind, bits=int(words[2]))
        expected = STATUS[words[3]]
        refused = status in REFUSED and expected in REFUSED
        return expected if refused else min(status, 0), expected
    if line.function == "import_export_public_key":
        data = bytes.fromhex(words[0])
        name, kind = curve_of(words[1], data)
        answer = psa.public(psa.key(name, data, kind=kind))
        return (answer.status, answer.data), (STATUS[words[4]], bytes.fromhex(words[5]))
    if line.function == "raw_key_agreement":
        data = bytes.fromhex(words[2])
        name, kind = curve_of(words[1], data)
        answer = psa.agree(psa.key(name, data, kind=kind, alg=ECDH), bytes.fromhex(words[3]))
        return (answer.status, answer.data), (0, bytes.fromhex(words[4]))
    data, hashed = bytes.fromhex(words[1]), bytes.fromhex(words[3])
    name, kind = curve_of(words[0], data)
    key = psa.key(name, data, kind=kind, alg=ecdsa(len(hashed)))
    expected = STATUS[words[5]] if line.function == "verify_hash_fail" else 0
    return psa.verify(key, hashed, bytes.fromhex(words[4])), expected


@pytest.mark.parametrize("driver", [False, True], ids=["mbedtls", "ecfit"])
def test_what_mbedtls_expects(*, driver: bool) -> None:
    psa = Psa(driver=driver)
    seen = dict.fromkeys(LEAST, 0)
    for line in lines():
        got, expected = run(psa, line)
        assert got == expected, line.title
        seen[line.function] += 1
    psa.forget()
    assert all(seen[name] >= least for name, least in LEAST.items()), seen
