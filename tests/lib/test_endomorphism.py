"""Scalars cut into halves (MULV = glv, MULD = glv): the numbers behind it, edges on secp256k1,
and a toy with all scalars; test_toy_mul.py has MULV on a toy.
"""

from __future__ import annotations

import ctypes
import random
from dataclasses import replace
from fractions import Fraction

import msgspec
import pytest
from gen import gen_params
from ref import codec, group
from ref.curves import SECP256K1, TOY229, Curve
from ref.endomorphism import Endomorphism, endomorphism, halves

from ecfit.model import Configuration
from workshop.library import build as lib_build
from workshop.library.build import configuration, for_toys
from workshop.library.curves import BAD_SIGNATURE, OK, Bound
from workshop.scale import OUTER
from workshop.vectors.wycheproof import ecdsa_cases, files

pytestmark = pytest.mark.sampled
STEP = 1 if OUTER else 23  # of u2 on a toy
CURVES = [SECP256K1, TOY229]
BACKENDS = ["w32", "w64"]


def found(curve: Curve) -> Endomorphism:
    """The endomorphism of a curve that has one."""
    value = endomorphism(curve)
    assert value is not None
    return value


def edges(curve: Curve) -> list[int]:
    """Scalars at which a quotient is rounded up or down, a half is 0 or longest, or k is at an end
    of its range; all of a toy.
    """
    n, e = curve.n, found(curve)
    if n < 1 << 16:
        return list(range(n))
    draw = random.Random(curve.name)
    near = [n * (2 * i + 1) // (2 * v) for v in (e.a, e.d) for i in (0, 1, v // 2, v - 1)]
    some = [n, n // 2, n // 3, 2 * n // 3, e.factor, n - e.factor, e.a, e.d, 1 << 128, *near]
    wide = [k + delta for k in some for delta in (-1, 0, 1)]
    return [k for k in [*wide, *(draw.randrange(n) for _ in range(5))] if 0 <= k < n] + [0, 1, 2]


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
def test_the_endomorphism(curve: Curve) -> None:
    e = found(curve)
    assert pow(e.beta, 3, curve.p) == 1 != e.beta
    assert pow(e.factor, 3, curve.n) == 1 != e.factor
    for k in range(1, 30):
        point, image = (group.multiply_base(curve, i * k) for i in (1, e.factor))
        assert point is not None
        assert image == (e.beta * point[0] % curve.p, point[1])


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
def test_the_lattice_and_the_length_of_halves(curve: Curve) -> None:
    e, n = found(curve), curve.n
    assert e.a > 0 < e.d
    assert (e.a - e.d * e.factor) % n == (e.a + e.d + e.a * e.factor) % n == 0
    assert e.a**2 + e.a * e.d + e.d**2 == n, "the determinant: no vectors between"
    macros = dict(line.split() for line in gen_params.halving(curve)[0])
    shift, bits = (int(macros[name]) for name in ("GLV_SHIFT", "GLV_BITS"))
    beside = Fraction(1, 2) + Fraction(n, 2 << shift)  # of a quotient: its own rounding, A/n's
    longest = beside * max(2 * e.a + e.d, e.a + e.d)
    assert longest < 1 << bits, "GLV_BITS"
    assert 3 * 4 ** (bits - 1) < n, "mul/glv_window.inc, for windows of two bits and more"
    for k in edges(curve):
        k1, k2 = halves(curve, k)
        assert (k1 + k2 * e.factor - k) % n == 0
        assert 2 * abs(k1) <= 2 * e.a + e.d
        assert 2 * abs(k2) <= e.a + e.d


def with_glv(backend: str) -> Configuration:
    """`balanced` with MULV and MULD = glv, for a curve in place of secp256k1."""
    config = configuration("balanced", backend, WNAF_A="3", REDUCE="mont")
    return for_toys(config, MULD="glv", MULV="glv")


class Checked:
    """N(mul_check) of a curve."""

    def __init__(self, curve: Curve, backend: str) -> None:
        self.curve = curve
        library = ctypes.CDLL(str(lib_build.shared(with_glv(backend), "open", curve)))
        self.function = getattr(library, f"{curve.name}_open_mul_check")

    def check(self, u1: int, u2: int, d: int) -> None:
        """Takes the x of u1 G + u2 d G, and nothing beside it."""
        curve, size = self.curve, self.curve.field_bytes
        point = group.multiply_base(curve, d)
        assert point is not None
        key = codec.encode_point(curve, point)
        total = group.multiply_base(curve, (u1 + u2 * d) % curve.n)
        x = 0 if total is None else total[0] % curve.n
        scalars = [u.to_bytes(size, "big") for u in (u1, u2)]
        for r in {x, (x + 1) % curve.n}:
            wanted = int(total is not None and r == x)
            assert self.function(*scalars, key, r.to_bytes(size, "big")) == wanted, (u1, u2, d, r)


OPENED = replace(SECP256K1, name="opened")  # secp256k1 has its own header


def meetings(k: int, window: int) -> set[str]:
    """What is special in the last two additions of MULV = glv: k is i + j lambda with odd i and j,
    whose last digits are d and e.
    """
    n, factor = SECP256K1.n, found(SECP256K1).factor
    i, j = (2 * half + 1 for half in halves(SECP256K1, (k - 1 - factor) * pow(2, -1, n) % n))
    assert (i + j * factor - k) % n == 0
    d, e = (half % (2 << window) - (1 << window) for half in (i, j))
    before, between = (i - d + (j - e) * factor) % n, (i + (j - e) * factor) % n
    sums = {
        "equal first": before == d % n,
        "opposite first, so neutral": before == -d % n,
        "equal last": between == e * factor % n,
        "neutral before": before == 0,
        "opposite last": between == -e * factor % n,
    }
    return {name for name, holds in sums.items() if holds}


def special(window: int) -> list[int]:
    """All scalars at which the last two additions can meet, by what their sums then are."""
    n, factor, odd = SECP256K1.n, found(SECP256K1).factor, range(1 - (1 << window), 1 << window, 2)
    one = [2 * d + e * factor for d in odd for e in odd]
    return sorted({k % n for k in [*one, *(b * e * factor for e in odd for b in (1, 2))]})


MET: dict[int, set[str]] = {3: {"opposite first, so neutral"}, 4: set(), 5: set()}


@pytest.mark.parametrize(
    ("backend", "window", "table"),
    [("w32", 3, "projective"), ("w64", 3, "affine"), ("w64", 4, "affine"), ("w32", 5, "affine")],
)
def test_points_that_meet_on_secp256k1(backend: str, window: int, table: str) -> None:
    """MULV = glv, at each edge, and where points meet: a toy has more of that."""
    config = configuration("balanced", backend, TABLE=table, WINDOW=str(window))
    path = lib_build.shared(for_toys(config, MULV="glv"), "open", OPENED)
    multiply = ctypes.CDLL(str(path)).opened_open_mul_point
    met = {k: meetings(k, window) for k in special(window)}
    assert set().union(*met.values()) == MET[window]
    ks = [k for k in edges(SECP256K1) if k] + [k for k in met if met[k]]
    ks += random.Random(window).sample([*met], len(met) if OUTER else 20)
    for index, k in enumerate(ks):
        d = (1, 7, SECP256K1.n - 1, found(SECP256K1).factor)[index % 4]
        key, wanted = (group.multiply_base(SECP256K1, i % SECP256K1.n) for i in (d, k * d))
        assert key is not None is not wanted
        out = ctypes.create_string_buffer(64)
        assert multiply(out, k.to_bytes(32, "big"), codec.encode_point(SECP256K1, key)) == 1
        assert b"\x04" + out.raw == codec.encode_point(SECP256K1, wanted), (k, d)


@pytest.mark.parametrize("backend", BACKENDS)
def test_edges_on_secp256k1(backend: str) -> None:
    curve = OPENED
    checked, e, ks = Checked(curve, backend), found(SECP256K1), edges(SECP256K1)
    draw = random.Random(backend)
    keys = [1, SECP256K1.n - 1, e.factor, SECP256K1.n - e.factor, 5, draw.randrange(SECP256K1.n)]
    for index, k in enumerate(ks):
        pair = (k, draw.choice(ks)) if index % 2 else (draw.choice(ks), k)
        checked.check(*pair, keys[index % len(keys)])


def test_wycheproof() -> None:
    """Through the interface, as the preset `fast` has it."""
    config = configuration("fast", "w64")
    values = {**dict(config.settings), "MULD": "glv"}
    config = msgspec.structs.replace(config, settings=tuple(values.items()))
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    sources = lib_build.units(config)
    path = lib_build.build(config, sources, command, suffix=".so", curves=(SECP256K1.name,))
    bound, done = Bound(ctypes.CDLL(str(path)), SECP256K1), dict.fromkeys(("valid", "invalid"), 0)
    for file in files("ecdsa", SECP256K1.name):
        for case in ecdsa_cases(file):
            if case.signature is not None and case.expect in done:
                status = bound.verify(case.signature, case.public_key, case.digest)
                assert status == (OK if case.expect == "valid" else BAD_SIGNATURE), case.label
                done[case.expect] += 1
    assert min(done.values()) >= 200, done


@pytest.mark.parametrize("backend", ["w16"])
def test_all_scalars_of_a_toy(backend: str) -> None:
    """Every u1, with each u2 by turns (ECFIT_TEST_SCALE=full: with each), and keys at which points
    meet: G, lambda G, their opposites, 2 G.
    """
    checked, e, n = Checked(TOY229, backend), found(TOY229), TOY229.n
    for d in (1, n - 1, e.factor, n - e.factor, 2):
        for u1 in range(n):
            for u2 in range(u1 % STEP, n, STEP):
                checked.check(u1, u2, d)
