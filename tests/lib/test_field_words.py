"""The fields of whole words, which have code of their own without loops, as they are: edges of each
word, places of the results, against Python's integers. The products in assembly and those in C, and
look-ups by vectors and without.
"""

from __future__ import annotations

import ctypes
import random

import pytest
from ref.curves import BRAINPOOLP256R1, SECP256K1, SECP256R1, SECP384R1, SECP521R1, Curve

from tests.lib.test_open_arithmetic import operands, pairs
from workshop.library import build as lib_build
from workshop.library.build import configuration
from workshop.library.cases import scaled
from workshop.paths import C_TESTS

CURVES = [SECP256R1, SECP256K1, SECP384R1, SECP521R1, BRAINPOOLP256R1]
MUL, SQR, ADD, SUB, NEGATE = range(5)


@pytest.fixture(scope="module", params=["w64", "w64 with ADX", "w32"])
def fields(request: pytest.FixtureRequest) -> ctypes.CDLL:
    """open_field.c with the products of a backend: of w64 those in C, or those in assembly."""
    backend, _, adx = request.param.partition(" with ")
    config = configuration("balanced", backend)
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    names = [curve.name for curve in CURVES]
    source = C_TESTS / "open_field.c"
    path = lib_build.build(config, [source], command, suffix=".so", curves=names, ops=("keygen",))
    library = ctypes.CDLL(str(path))
    if backend == "w64" and hasattr(library, "open_adx"):
        has = library.open_adx(2 if adx else 1)
        if adx and has != 2:
            pytest.skip("this processor has no ADX")
    elif adx:
        pytest.skip("assembly for x86-64 alone")
    return library


def edges(curve: Curve) -> list[int]:
    """Elements near 0, p and each word of p, with random ones and words of zeros and ones."""
    p = curve.p
    near = [(sign * (1 << bit) + step) % p for bit in range(0, curve.field_bits, 32)
            for sign in (1, -1) for step in (-1, 0, 1)]  # fmt: skip
    return [value % p for value in operands(curve.field_bits, 21, scaled(40))] + near


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
def test_elements_as_they_are(fields: ctypes.CDLL, curve: Curve) -> None:
    p, size = curve.p, (curve.field_bits + 63) // 64 * 8  # whole words of 64 bits
    unradix = pow(1 << (8 * size), -1, p)
    function = getattr(fields, f"open_{curve.name}")

    def call(op: int, a: int, b: int, alias: int = 0) -> int:
        out = ctypes.create_string_buffer(size)
        function(op, out, a.to_bytes(size, "little"), b.to_bytes(size, "little"), alias)
        return int.from_bytes(out.raw, "little")

    for index, (a, b) in enumerate(pairs(edges(curve), 22)):
        alias = index % 4
        other = a if alias == 3 else b
        assert call(MUL, a, b, alias) == a * other * unradix % p, (hex(a), hex(b), alias)
        assert call(ADD, a, b, alias) == (a + other) % p, (hex(a), hex(b), alias)
        assert call(SUB, a, b, alias) == (a - other) % p, (hex(a), hex(b), alias)
        assert call(SQR, a, b, alias) == a * a * unradix % p, (hex(a), alias)
        assert a == 0 or call(NEGATE, a, b) == p - a


@pytest.mark.parametrize("fields", ["w64", "w64 with ADX"], indirect=True)
@pytest.mark.parametrize("n", [4, 5, 8, 9, 12, 13, 18, 20, 27])
def test_look_ups(fields: ctypes.CDLL, n: int) -> None:
    """Entries of n words: what is read in vectors, and what is left over."""
    rng = random.Random(n)
    for count in (1, 2, 8, 16, 33):
        words = [rng.choice((0, 2**64 - 1, rng.getrandbits(64))) for _ in range(n * count)]
        table = (ctypes.c_uint64 * (n * count))(*words)
        for index in range(count):
            found = (ctypes.c_uint64 * (n + 1))(*[7] * (n + 1))
            fields.open_lookup(
                found, table, *(ctypes.c_size_t(one) for one in (index, count, n))
            )  # fmt: skip
            assert list(found) == [*words[n * index : n * (index + 1)], 7], (count, index)
