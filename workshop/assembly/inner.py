"""What inner functions compute that take pointers as others do, but keep no register: the edges of
their operands are beyond what the functions around them hand on.
"""

from __future__ import annotations

from random import Random

from workshop.assembly import edges as to_edges
from workshop.assembly.fused import LATE, WORDS, Ends, Golden, Prime, R, difference, total
from workshop.assembly.routines import WORD, Argument, Case, Function, sources

BRAINPOOL = ("brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1")
STRAIGHT = ("secp128r1", "secp160r1", "secp192r1", "secp224r1", "secp521r1")
SPARSE = tuple(f"{curve}_{op}" for curve in STRAIGHT for op in ("add", "sub", "half"))
POINTERS = {
    "armv6m": ("secp256r1_add", "secp256r1_sub", "secp256r1_half", "secp384r1_add",
               "secp384r1_sub", "secp384r1_half", *SPARSE),
    "armv7m": ("secp256r1_add", "secp256r1_sub", "secp256r1_half", "secp256k1_add",
               "secp256k1_sub", "secp256k1_sub_twice", "secp256k1_three_halves"),
    "armv7em": ("secp384r1_add", "secp384r1_sub", "secp384r1_three_halves",
                "secp384r1_add_twice_sub", "p25519_add", "p25519_sub", "p25519_add_tight",
                "p25519_sub_tight", "p25519_add_sqr", "p25519_sub_sqr", "p25519_small_add",
                "p448_add_sqr", "p448_sub_sqr", "p448_small_add",
                *(f"{curve}_{op}" for curve in STRAIGHT
                  for op in ("add", "sub", "three_halves", "add_twice_sub"))),
    "rv32im": ("secp256r1_add", "secp256r1_sub", "secp256r1_three_halves", "secp256k1_add",
               "secp256k1_sub", "secp256k1_three_halves", "p25519_add", "p25519_sub",
               "p25519_add_tight", "p25519_small_add",
               *(f"{curve}_{op}" for curve in (*STRAIGHT, "secp384r1", *BRAINPOOL)
                 for op in ("add", "sub", "three_halves")),
               *(f"{curve}_add_twice_sub" for curve in STRAIGHT[:4])),
}  # fmt: skip


def linear(sign: int, most: int, ends: Ends | None = None) -> Case:
    """a + b or a - b modulo 2^255 - 19, as it is left, or its square by some ends;
    operands at most that.
    """

    def reference(_: int, a: int, b: int) -> tuple[tuple[int, ...], None]:
        value = total(a, b) if sign > 0 else difference(a, b)
        return (ends.product(value, value) if ends else value,), None

    operand = Argument("in", WORDS, most)
    aim = to_edges.sums(R, WORDS, sign=sign, most=most)
    near = (most, R - 38, R - 1, (1 << 255) - 19)
    arguments = (Argument("out", WORDS), operand, operand)
    return Case(arguments, reference, ((0, 1), (0, 2)), near, aim=aim)


def small_add(ends: Ends) -> Case:
    """A small multiple and a sum."""
    most = ends.most

    def reference(_: int, a: int, b: int, c: int) -> tuple[tuple[int, ...], None]:
        return (ends.multiple(a, b, c),), None

    def aim(draw: Random, values: list[int]) -> None:
        factor = draw.choice((1, 2, most - 1, most >> 1, draw.randrange(1, most)))
        pivots = (R, R // 2, draw.randrange(2 * most) << 255)
        wanted = to_edges.near(draw, pivots, WORDS + 1)
        first = min(max(0, wanted - draw.randrange(R)) // factor, R - 1)
        if 0 <= wanted - first * factor < R:
            values[1:4] = first, factor, wanted - first * factor

    operand = Argument("in", WORDS)
    factor = Argument("in", WORDS, most - 1)
    return Case((Argument("out", WORDS), operand, factor, operand), reference, ((0, 1),), aim=aim)


def multiple(prime: Prime, times: int) -> Case:
    """r = times a/2."""
    p = prime.p

    def aim(draw: Random, values: list[int]) -> None:
        factor = draw.choice((1, times, times * prime.half))
        found = to_edges.near(draw, (0, p, 2 * p, 3 * p, 1 << WORD * prime.words), prime.words)
        if draw.random() < 1 / 4:
            values[1] = found // times % p
        else:
            values[1] = found * pow(factor, -1, p) % p

    return prime.field(lambda a: times * a * prime.half, 1, aim)


def twice(prime: Prime) -> Case:
    """r = a - 2 b."""
    p = prime.p

    def aim(draw: Random, values: list[int]) -> None:
        wanted = to_edges.near(draw, (0, p, 1 << WORD * prime.words), prime.words)
        values[1] = (wanted + draw.choice((1, 2)) * values[2]) % p

    return prime.field(lambda a, b: a - 2 * b, 2, aim)


def add_twice_sub(prime: Prime) -> Case:
    """r = a + 2 b - c, from -p to 3 p before."""
    p, big = prime.p, 1 << WORD * prime.words

    def aim(draw: Random, values: list[int]) -> None:
        pivots = [times * edge for times in range(-1, 4) for edge in (p, big)]
        wanted = to_edges.near(draw, pivots, prime.words)
        a, b = (draw.choice((0, p - 1, draw.randrange(p))) for _ in range(2))
        if draw.randrange(2):
            a = min(max(0, wanted - 2 * b + values[3]), p - 1)
        values[1:4] = a, b, min(max(0, a + 2 * b - wanted), p - 1)

    return prime.field(lambda a, b, c: a + 2 * b - c, 3, aim)


def by_ends(ends: Ends) -> dict[str, Case]:
    """Those modulo 2^255 - 19 that take products."""
    tight = (1 << 255) + ends.spare - 1
    return {
        "ecfit_p25519_add_tight": linear(1, tight),
        "ecfit_p25519_sub_tight": linear(-1, tight),
        "ecfit_p25519_add_sqr": linear(1, tight, ends),
        "ecfit_p25519_sub_sqr": linear(-1, tight, ends),
        "ecfit_p25519_small_add": small_add(ends),
    }


def _cases() -> dict[str, Case]:
    found = {
        "ecfit_p25519_add": linear(1, R - 1),
        "ecfit_p25519_sub": linear(-1, R - 1),
        **by_ends(LATE),
        **Golden().inner(),
    }
    for prime in map(Prime, ("secp256r1", "secp384r1", "secp256k1", *STRAIGHT, *BRAINPOOL)):
        name = f"ecfit_{prime.curve}"
        found |= {
            f"{name}_add": prime.sum(1),
            f"{name}_sub": prime.sum(-1),
            f"{name}_sub_twice": twice(prime),
            f"{name}_add_twice_sub": add_twice_sub(prime),
            f"{name}_half": multiple(prime, 1),
            f"{name}_three_halves": multiple(prime, 3),
        }
    return found


CASES = _cases()


def inner(backend: str) -> dict[str, Function]:
    """Those of a backend."""
    names = [f"ecfit_{name}" for name in POINTERS[backend]]
    for name in names:
        assert f"inner {name}" in " ".join(sources(backend)[name].split()), name
    return {name: Function(name, "0", {}, inner=True) for name in names}
