"""The twelve settings of Piñol's thesis library, which `ecfit study remote` measures, with a vector
of RFC 5903.
"""

from __future__ import annotations

import itertools

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.variants import known
from workshop.library import build as lib_build
from workshop.library.api import Library, Status
from workshop.paths import VARIANTS
from workshop.vectors.published import RFC5903

COORDINATES = ["affine", "homogeneous", "jacobian"]
MULTIPLICATION = [{"MULV": "binary_var"}, {"MULV": "naf_var", "WINDOW": "4"}]
WORDS = ["w16", "w32"]
COMMON = {"REDUCE": "mont", "MULG": "as_var", "MULD": "bits"}


@pytest.mark.parametrize(
    ("coordinates", "multiplication", "words"),
    list(itertools.product(COORDINATES, MULTIPLICATION, WORDS)),
    ids=lambda value: value["MULV"] if isinstance(value, dict) else value,
)
@known(VARIANTS)
def test_each_setting(coordinates: str, multiplication: dict[str, str], words: str) -> None:
    sets = {"COORDINATES": coordinates, "BACKEND": words, **multiplication, **COMMON}
    for name in ("secp160r1", "secp192r1", "secp224r1", "secp256r1", "secp256k1"):
        knobs.resolve(CURVES[name], "balanced", sets, "w32")
    config = lib_build.configuration(
        "balanced", words, **{k: v for k, v in sets.items() if k != "BACKEND"}
    )
    library = Library(lib_build.shared(config), dict(config.settings))
    private_i, public_i, private_r, public_r, shared = (bytes.fromhex(value) for value in RFC5903)
    assert library.ecdh(private_i, public_r) == (Status.OK, shared)
    assert library.public_key(private_r) == (Status.OK, public_r)
    status, signature = library.sign(private_i, bytes(31) + b"\2")
    assert status is Status.OK
    assert library.verify(signature, public_i, bytes(31) + b"\2") is Status.OK
    assert library.verify(signature, public_i, bytes(31) + b"\1") is Status.BAD_SIGNATURE
