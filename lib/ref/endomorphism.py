"""The endomorphism of curves y^2 = x^3 + b, and scalars cut into halves by it [GLV01].

p and n are 1 modulo 3. With beta a cube root of 1 modulo p, (x, y) -> (beta x, y) is
multiplication by a cube root lambda of 1 modulo n. The pairs (i, j) with i + j lambda = 0 modulo n
are a lattice, of n points to the unit, which multiplication by lambda, (i, j) -> (-j, i - j), maps
to itself. So one of its shortest vectors has signs that differ, (A, -D), and another is (A + D, A):

    A > 0, D > 0, A^2 + A D + D^2 = n.

A scalar k is k1 + k2 lambda with (k1, k2) = (k, 0) - c1 (A, -D) - c2 (A + D, A) for any c1, c2; and
with those nearest to k A/n and k D/n, k1 and k2 are (2 A + D)/2 and (A + D)/2 at most.
"""

from __future__ import annotations

from dataclasses import dataclass

from ref.curves import Curve
from ref.group import multiply_base


@dataclass(frozen=True)
class Endomorphism:
    """beta, lambda (`factor`), A and D of a curve."""

    beta: int
    factor: int
    a: int
    d: int


def endomorphism(curve: Curve) -> Endomorphism | None:
    """That of a curve; None where a is not 0."""
    if curve.a != 0:
        return None
    factor = cube_root(curve.n)
    image = multiply_base(curve, factor)
    assert image is not None
    beta = image[0] * pow(curve.gx, -1, curve.p) % curve.p
    i, j = shortest(curve.n, factor)
    while not (i > 0 > j):
        i, j = (-i, -j) if j > 0 > i else (-j, i - j)
    return Endomorphism(beta, factor, i, -j)


def cube_root(m: int) -> int:
    """The lesser cube root of 1 modulo a prime, which is not 1."""
    root = next(r for r in (pow(g, (m - 1) // 3, m) for g in range(2, m)) if r != 1)
    return min(root, root * root % m)


def shortest(n: int, factor: int) -> tuple[int, int]:
    """A shortest (i, j) with i + j factor = 0 modulo n, by i^2 - i j + j^2, which is a multiple of
    n: the one that is n itself, from the remainders of Euclid's algorithm.
    """
    old, new = (n, 0), (factor, -1)
    while new[0]:
        i, j = new
        if i * i - i * j + j * j == n:
            return new
        q = old[0] // i
        old, new = new, (old[0] - q * i, old[1] - q * j)
    raise ValueError(f"no vector of norm {n}")


def halves(curve: Curve, k: int) -> tuple[int, int]:
    """k1, k2 with k = k1 + k2 lambda modulo n."""
    e = endomorphism(curve)
    assert e is not None
    c1, c2 = ((2 * k * v + curve.n) // (2 * curve.n) for v in (e.a, e.d))
    return k - c1 * e.a - c2 * (e.a + e.d), c1 * e.d - c2 * e.a
