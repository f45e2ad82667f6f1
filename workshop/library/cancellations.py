"""Verifications whose sums cancel in mid-run: for each way to compute u1 G + u2 Q, the sums on the
way as a + b m with Q = m G, and an m that makes one of them neutral, equal to what is added next,
or its opposite.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from ref import codec, group
from ref.curves import Curve
from ref.endomorphism import endomorphism, halves

PATTERNS = (1, 2, 3, (1 << 64) - 1, 0x15 << 64 | 3, 1 << 96, (1 << 70) - 0x97)
MULTIPLES = (1, -1, 2, -2, 3, -3, 5, -5, 7, -7, 9, 15, -31, 33)
NUMBERS = ("WNAF_A", "WNAF_G", "COMB_TEETH", "COMB_BLOCKS")
HASH_MOST = 64  # bytes of one
PICKS = 4  # sums on the way of the same two scalars
Sum = tuple[int, int]  # a G + b Q


class Scalars(NamedTuple):
    """Of a verification: u1 G + u2 (m G)."""

    u1: int
    u2: int
    m: int


def digits(k: int, width: int, bits: int) -> dict[int, int]:
    """The digits of mul/wnaf.inc by their bits."""
    found, i = {}, bits
    while i >= 0:
        value, at = 0, i + 1
        while True:
            at -= 1
            value = 2 * value + (k >> at - 1 & 1 if at else 0) - (k >> at & 1)
            if value == 0 or at == 0 or i - at + 1 >= width:
                break
        after = at - 1
        while value and value % 2 == 0:
            value, at = value // 2, at + 1
        if value:
            found[at] = value
        i = after
    return found


def steps(curve: Curve, settings: Mapping[str, str], u1: int, u2: int) -> Iterator[tuple[int, Sum]]:
    """What is added, with its bit, from the top down."""
    bits, how, n = curve.order_bits, settings["MULD"], curve.n
    a, g, teeth, blocks = (int(settings.get(name, 4)) for name in NUMBERS)
    if how in {"bits", "two", "digits"}:
        ones = [{i: 1 for i in range(bits) if u >> i & 1} for u in (u1, u2)]
        found = [(ones[0], True), (ones[1], False)]
    elif how == "bits_signed":
        found = [(digits(u1, 2, bits), True), (digits(u2, 2, bits), False)]
    elif how == "naf":
        found = [(digits(u2, a, bits), False), (digits(u1, g, bits), True)]
    elif how == "glv":
        bits, found = bits // 2, glv(curve, u1, u2, a, g)
    else:
        assert how == "strauss", how
        found = [(digits(u2, a, bits), False), *comb(u1, n, bits, teeth, blocks)]
    for i in range(bits, -1, -1):
        for some, of_g in found:
            if i in some:
                yield i, ((some[i], 0) if of_g else (0, some[i]))


Digits = tuple[dict[int, int], bool]  # by their bits; whether they are of G


def glv(curve: Curve, u1: int, u2: int, a: int, g: int) -> list[Digits]:
    """Those of halves of both scalars, in widths of a and g bits."""
    cut = endomorphism(curve)
    assert cut
    found = []
    for u, width, of_g in ((u2, a, False), (u1, g, True)):
        for half, factor in zip(halves(curve, u), (1, cut.factor), strict=True):
            sign = factor if half >= 0 else -factor
            some = digits(abs(half), width, curve.order_bits // 2)
            found.append(({i: sign * d for i, d in some.items()}, of_g))
    return found


def comb(u: int, n: int, bits: int, teeth: int, blocks: int) -> list[Digits]:
    """Entries of the table for each column, block by block (mul/comb_run.inc)."""
    columns = -(-bits // (teeth * blocks))
    last, sign, odd = teeth * blocks * columns - 1, *((1, u) if u % 2 else (-1, n - u))
    found = []
    for block in range(blocks - 1, -1, -1):
        places = [(block + j * blocks) * columns for j in range(teeth)]
        entries = {
            i: sum((1 if at + i == last or odd >> at + i + 1 & 1 else -1) << at for at in places)
            for i in range(columns)
        }
        found.append(({i: sign * entry for i, entry in entries.items()}, True))
    return found


def collisions(curve: Curve, settings: Mapping[str, str], draw: random.Random) -> Iterator[Scalars]:
    """Scalars for which a sum on the way is neutral, what is added next, or its opposite."""
    n = curve.n
    while True:
        u1, u2 = (chosen(draw, n) for _ in range(2))
        seen: list[tuple[Sum, Sum]] = []
        total, at = (0, 0), 0
        for bit, term in steps(curve, settings, u1, u2):
            total = (total[0] << at - bit, total[1] << at - bit) if at else total
            at = bit
            seen.append((total, term))
            total = (total[0] + term[0], total[1] + term[1])
        mixed = [one for one in seen if one[0][1] % n or one[1][1] % n]
        for (a, b), (c, d) in draw.choices(mixed, k=PICKS):
            sign = draw.choice((1, -1, 0))
            left, right = a - sign * c, b - sign * d
            if left % n and right % n:
                yield Scalars(u1, u2, -left * pow(right, -1, n) % n)


def chosen(draw: random.Random, n: int) -> int:
    """A scalar: any, short, or with long runs."""
    kind = draw.randrange(4)
    if kind == 0:
        return draw.randrange(1, n)
    if kind == 1:
        return draw.choice(PATTERNS) % n or 1
    if kind == 2:
        return -draw.choice(PATTERNS) % n or 1
    return sum(draw.choice((0, 0xFFFFFFFF, 1)) << i for i in range(0, n.bit_length(), 32)) % n or 1


def small(curve: Curve, draw: random.Random) -> Iterator[Scalars]:
    """Q = m G for small and special m, sums that are neutral or close to it in the end."""
    n = curve.n
    cut = endomorphism(curve)
    special = [*MULTIPLES, (n + 1) // 2, (n - 1) // 2, pow(3, -1, n)]
    special += [cut.factor, -cut.factor, cut.factor + 1] if cut else []
    while True:
        m = draw.choice(special) % n
        u2 = chosen(draw, n)
        k = draw.choice((0, 1, -1, 2, -2, m, -m, 2 * m, 0x424, u2, 3 * u2))
        u1 = (k - u2 * m) % n
        if draw.random() < 1 / 4:  # short ones
            u1, u2 = draw.randrange(0 if draw.random() < 1 / 8 else 1, 8), draw.randrange(1, 8)
        yield Scalars(u1, u2, m)


class Signature(NamedTuple):
    """For the public API; `valid`: whether it is to be accepted."""

    signature: bytes
    public_key: bytes
    digest: bytes
    valid: bool


def signature(curve: Curve, one: Scalars, draw: random.Random) -> Signature | None:
    """r, s and a hash whose u1 and u2 are these, and r the x coordinate of their sum; some other r
    where the sum is neutral, or a wrong one is wanted. None where the hash would be longer than
    those that are accepted: one in 512 is not, on P-521.
    """
    n, size = curve.n, curve.order_bytes
    spare = max(0, 8 * min(size, HASH_MOST) - curve.order_bits)  # the leftmost bits of a hash count
    k = (one.u1 + one.u2 * one.m) % n
    if size > HASH_MOST and k:  # the reference takes too long to ask it in vain
        private = ec.derive_private_key(k, ec.SECP521R1())
        x = private.public_key().public_numbers().x
        if one.u1 * x * pow(one.u2, -1, n) % n >> 8 * HASH_MOST:
            return None
    total = group.multiply_base(curve, k)
    r = total[0] % n if total else chosen(draw, n)
    valid = total is not None and (size > HASH_MOST or draw.random() < 3 / 4)
    if not valid:
        r = r % (n - 1) + 1
    s = r * pow(one.u2, -1, n) % n
    e = one.u1 * s % n << spare
    if r == 0 or e >> 8 * HASH_MOST:
        return None
    public = codec.encode_point(curve, group.multiply_base(curve, one.m))
    pair = r.to_bytes(size, "big") + s.to_bytes(size, "big")
    return Signature(pair, public, e.to_bytes(min(size, HASH_MOST), "big"), valid)


def signatures(
    curve: Curve, settings: Mapping[str, str], seed: str, count: int
) -> Iterator[Signature]:
    """Half of them of each kind."""
    draw = random.Random(seed)
    sources = [collisions(curve, settings, draw), small(curve, draw)]
    for i in range(count):
        yield next(one for s in sources[i % 2] if (one := signature(curve, s, draw)))
