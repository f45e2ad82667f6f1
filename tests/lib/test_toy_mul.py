"""Scalar multiplications on toy curves, exhaustively: every scalar and point, or every scalar
and every blinding.

One line of BUILDS is a way to multiply; test_toy.py has the rest of the library around
some of them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest
from ref import group
from ref.curves import TOY223, TOY229, TOY251, Curve

from ecfit.choices.variants import known
from workshop.library import build as lib_build
from workshop.library.build import configuration, for_toys
from workshop.paths import VARIANTS
from workshop.scale import FULL, SMALL

COMPLETE = {"COORDINATES": "complete", "MULG": "as_var", "MULD": "two"}
REGISTERS = {"COORDINATES": "jacobian_run", "MULG": "as_var", "MULD": "digits"}
LATE = {"READ": "late", "NONCE": "random"}
AS_VAR = {"MULG": "as_var", "MULD": "bits"}
# Name: toy, backend, knobs on top of `balanced`. toy223 has a point with x = 0.
BUILDS: dict[str, tuple[Curve, str, dict[str, str]]] = {
    "ladder_x": (TOY223, "w64", {"MULV": "ladder_x", **COMPLETE}),
    "ladder_x 251": (TOY251, "w32", {"MULV": "ladder_x", **COMPLETE, "BLIND": "coordinates"}),
    "ladder_x both": (TOY223, "w64", {"MULV": "ladder_x", **COMPLETE, "BLIND": "both"}),
    "ladder_coz": (TOY223, "w64", {"MULV": "ladder_coz", **REGISTERS}),
    "ladder_coz 251": (TOY251, "w32", {"MULV": "ladder_coz", **REGISTERS}),
    "ladder_coz 229": (TOY229, "w16", {"MULV": "ladder_coz", **REGISTERS}),
    "ladder_coz late": (TOY251, "w64", {"MULV": "ladder_coz", **REGISTERS, **LATE}),
    "ladder_coz 229 late": (TOY229, "w8", {"MULV": "ladder_coz", **REGISTERS, **LATE}),
    "digits late": (TOY223, "w32", {"MULV": "digits", **REGISTERS, **LATE}),
    "digits_four late": (TOY229, "w64", {"MULV": "digits_four", **REGISTERS, **LATE}),
    "comb late": (TOY223, "w64", {"MULV": "digits", **REGISTERS, **LATE, "MULG": "comb_flash"}),
    "ladder_coz coordinates": (
        TOY223,
        "w64",
        {"MULV": "ladder_coz", **REGISTERS, "BLIND": "coordinates"},
    ),
    "halves both": (TOY223, "w64", {"MULV": "halves", **COMPLETE, "BLIND": "both"}),
    "halves scalar": (TOY251, "w32", {"MULV": "halves", **COMPLETE, "BLIND": "scalar"}),
    "binary scalar": (TOY223, "w64", {"MULV": "binary", "BLIND": "scalar", **AS_VAR}),
    "comb in RAM": (TOY223, "w64", {"MULG": "comb_ram", "COMB_TEETH": "5", "COMB_BLOCKS": "2"}),
    "comb in RAM, both": (TOY251, "w32", {"MULG": "comb_ram", "COMB_TEETH": "6", "BLIND": "both"}),
    "comb 3 1": (TOY251, "w64", {"COMB_TEETH": "3"}),
    "comb 3 4": (TOY251, "w64", {"COMB_TEETH": "3", "COMB_BLOCKS": "4"}),
    "comb 6 4": (TOY251, "w32", {"COMB_TEETH": "6", "COMB_BLOCKS": "4"}),
    "comb 6 2": (TOY223, "w64", {"COMB_TEETH": "6", "COMB_BLOCKS": "2", "MULG": "comb_ram"}),
    "window 2 scalar": (TOY223, "w64", {"WINDOW": "2", "BLIND": "scalar"}),
    "window 3 both": (TOY251, "w64", {"WINDOW": "3", "BLIND": "both"}),
    "window 5 both": (TOY223, "w16", {"WINDOW": "5", "BLIND": "both"}),
    "window 6 scalar": (TOY223, "w64", {"WINDOW": "6", "BLIND": "scalar", **AS_VAR}),
    "window 7 scalar": (
        TOY251,
        "w64",
        {"WINDOW": "7", "BLIND": "scalar", "COORDINATES": "homogeneous"},
    ),
    "window 4 affine table": (
        TOY223,
        "w64",
        {"TABLE": "affine", "MULG": "as_var", "MULD": "bits"},
    ),
    "window 7 affine table": (TOY251, "w32", {"TABLE": "affine", "WINDOW": "7", "WNAF_A": "6"}),
    "window 3 affine table, both": (
        TOY223,
        "w64",
        {"TABLE": "affine", "WINDOW": "3", "BLIND": "both"},
    ),
    "glv 2": (TOY229, "w16", {"MULV": "glv", "WINDOW": "2"}),
    "glv 3 affine table, coordinates": (
        TOY229,
        "w32",
        {"MULV": "glv", "WINDOW": "3", "TABLE": "affine", "BLIND": "coordinates"},
    ),
    "glv 4 coordinates": (TOY229, "w16", {"MULV": "glv", "BLIND": "coordinates"}),
    "glv 4 affine table": (TOY229, "w32", {"MULV": "glv", "TABLE": "affine"}),
    "naf_var 7": (TOY223, "w64", {"MULV": "naf_var", "WINDOW": "7", "COORDINATES": "affine"}),
    "naf_var blinded": (TOY251, "w32", {"MULV": "naf_var", "BLIND": "coordinates"}),
    "binary_var": (TOY251, "w64", {"MULV": "binary_var", "COORDINATES": "homogeneous"}),
    "affine scalar": (TOY251, "w64", {"WINDOW": "4", "BLIND": "scalar", "COORDINATES": "affine"}),
}
# Name: toy, backend, knobs on top of `balanced`, of those that no toy of test_toy.py verifies with.
CHECKS: dict[str, tuple[Curve, str, dict[str, str]]] = {
    "bits_signed 223": (TOY223, "w64", {"MULV": "binary", **AS_VAR, "MULD": "bits_signed"}),
    "bits_signed 251": (TOY251, "w32", {"MULV": "binary", **AS_VAR, "MULD": "bits_signed"}),
}
pytestmark = pytest.mark.sampled
STEP = {True: 97, False: 13 if SMALL else 1}  # of points, with and without blinding


class Toy:
    """A toy library, and its group as a table."""

    @known(VARIANTS)
    def __init__(self, name: str) -> None:
        self.curve, backend, sets = (BUILDS | CHECKS)[name]
        of_a_toy = {name: value for name, value in sets.items() if value == "glv"}
        sets = {"REDUCE": "mont"} | {name: sets[name] for name in sets.keys() - of_a_toy}
        self.config = for_toys(configuration("balanced", backend, **sets), **of_a_toy)
        self.library = ctypes.CDLL(str(lib_build.shared(self.config, "open", self.curve)))
        multiples = group.multiples(self.curve, group.base(self.curve))
        self.points = [bytes(2) if point is None else bytes(point) for point in multiples]
        self.blind = dict(self.config.settings)["BLIND"]

    def function(self, name: str) -> Callable[..., int]:
        """A wrapper of lib/test/open_curve.inc."""
        found: Callable[..., int] = getattr(self.library, f"{self.curve.name}_open_{name}")
        return found


@pytest.fixture(scope="module", params=BUILDS)
def toy(request: pytest.FixtureRequest) -> Toy:
    """Each build."""
    return Toy(request.param)


def test_every_scalar(toy: Toy) -> None:
    """Times every point, and times the base point by its own function; without blinding."""
    n, out = toy.curve.n, ctypes.create_string_buffer(2)
    by_point, by_base = toy.function("mul_point"), toy.function("mul_base")
    encoded = [b"\x04" + point for point in toy.points]
    for k in range(1, n):
        scalar = bytes([k])
        by_base(out, scalar)
        assert out.raw == toy.points[k], k
        for i in range(1, n, STEP[toy.blind in {"scalar", "both"}]):
            assert by_point(out, scalar, encoded[i]) == 1
            assert out.raw == toy.points[k * i % n], (k, i)


@pytest.mark.parametrize(
    "toy", [name for name in BUILDS if BUILDS[name][2].get("BLIND")], indirect=True
)
def test_every_blinding(toy: Toy) -> None:
    """Scalars near the ends with every random byte, every scalar with some; for a point
    and for the base point.

    A draw of zero is refused. ECFIT_TEST_SCALE=full: every scalar with every byte, for four points.
    """
    n, p, out = toy.curve.n, toy.curve.p, ctypes.create_string_buffer(2)
    function = toy.function("blinded")
    full = FULL
    cases = [
        (None, 1),
        *((b"\x04" + toy.points[i], i) for i in ((1, 2, 3, n - 1) if full else (2,))),
    ]
    ends = [*range(1, 6), n // 2, n // 2 + 1, *range(n - 5, n)]
    moduli = {"coordinates": (p,), "scalar": (n,), "both": (p, n)}[toy.blind]
    for byte in range(256):
        random = bytes([byte, byte])
        usable = all(byte % modulus for modulus in moduli)
        for point, i in cases:
            for k in range(1, n) if full or byte % 51 == 3 else ends:
                assert function(out, bytes([k]), point, random) == (1 if usable else -1), (byte, k)
                if not usable:
                    break
                assert out.raw == toy.points[k * i % n], (k, i, byte)


@pytest.mark.parametrize(
    "toy", [n for n in BUILDS if BUILDS[n][2].get("BLIND") in {"scalar", "both"}], indirect=True
)
def test_a_mask_is_an_even_multiple_of_the_order(toy: Toy) -> None:
    """k becomes k + r n with an even r, which is each even number below n for some draw. The words
    above are zeros, and without a draw k stays as it is.
    """
    n, out = toy.curve.n, ctypes.create_string_buffer(128)
    masked = toy.function("masked")
    for k in (1, 2, n // 2, n - 1):
        factors = set()
        for byte in range(256):
            size = masked(out, bytes([k]), bytes([byte, byte]))
            if size:
                factor, rest = divmod(int.from_bytes(out.raw[:size], "little") - k, n)
                assert (rest, factor % 2) == (0, 0), (k, byte)
                factors.add(factor)
        assert factors == set(range(0, n, 2))
        size = masked(out, bytes([k]), None)
        assert int.from_bytes(out.raw[:size], "little") == k


@pytest.mark.parametrize("toy", CHECKS, indirect=True)
def test_every_pair(toy: Toy) -> None:
    """u1 G + u2 Q, for all u1 and u2 and the Q that additions meet as equal and opposite points:
    takes the x that it has, and no other.
    """
    n, check = toy.curve.n, toy.function("mul_check")
    x_of = [point[0] % n for point in toy.points]
    for index in (1, n - 1, 2, n // 2):
        public = b"\x04" + toy.points[index]
        for u1 in range(n):
            for u2 in range(0, n, 1 if index in {1, n - 1} else STEP[True]):
                total = (u1 + u2 * index) % n
                wanted = x_of[total] if total else 0
                for r in {wanted, (wanted + 1) % n} - {0}:
                    taken = check(bytes([u1]), bytes([u2]), public, bytes([r]))
                    assert taken == (total != 0 and r == wanted), (index, u1, u2, r)
