"""Operands that put results at edges, and operands all of whose words are edges.

Numbers at random come to a carry out of every word once in 2^32 times, and to a sum that is the
modulus once in 2^256 times. So a result is chosen and solved for an operand: `Case.aim`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd, isqrt
from random import Random

WORD = 32
ALL_ONES = (1 << WORD) - 1
LOW, TOP = (1 << 16) - 1, 1 << 31
WORDS = (0, ALL_ONES, 1, ALL_ONES - 1, TOP, TOP - 1, LOW, ALL_ONES ^ LOW, LOW + 1)
TRIES = 12
Aim = Callable[[Random, list[int]], None]


def patterned(draw: Random, words: int) -> int:
    """A number of words that are edges, of one to three kinds: of two, carries run far."""
    some = draw.choices(WORDS, k=draw.randint(1, 3))
    if draw.random() < 1 / 2:
        some = [0, ALL_ONES, draw.choice(WORDS)][: draw.randint(2, 3)]
    return sum(draw.choice(some) << WORD * i for i in range(words))


def near(draw: Random, pivots: Sequence[int], words: int) -> int:
    """A number beside one of some, that carries or borrows out of a word; or a pattern."""
    kind = draw.randrange(8)
    if kind == 0:
        return patterned(draw, words)
    pivot, step = draw.choice(pivots), 1 << WORD * draw.randrange(words)
    sign = draw.choice((1, -1))
    if kind == 1:  # as far as some words go
        return pivot + sign * draw.randrange(step)
    if kind == 2:
        return pivot + sign * patterned(draw, draw.randint(1, words))
    if kind == 3:
        return pivot + sign * (step << draw.randrange(WORD))
    if kind == 4:
        return pivot + draw.choice((0, 0, 1, -1, 2, -2, 19, -19, 38, -38))
    return pivot + sign * (step + draw.choice((0, 0, 1, -1)))


def sums(modulus: int, words: int, *, sign: int = 1, a: int = 1, b: int = 2, most: int = 0) -> Aim:
    """a + b or a - b, of numbers below `modulus` (or at most `most`), as it is before it is
    reduced: at an edge."""
    top = most or modulus - 1
    big = 1 << WORD * words
    pivots: tuple[int, ...] = (
        0,
        modulus,
        big,
        modulus - big,
        2 * modulus,
        2 * modulus - big,
        big // 2,
        modulus // 2,
    )
    if sign < 0:
        pivots = (0, *pivots, -modulus, -big)

    def aim(draw: Random, values: list[int]) -> None:
        for _ in range(TRIES):
            wanted = near(draw, pivots, words)
            first = (
                near(draw, (0, top, modulus, big // 2), words) if draw.random() < 1 / 2 else None
            )
            if first is None or not 0 <= first <= top:
                low, high = (wanted - top, wanted) if sign > 0 else (wanted, wanted + top)
                low, high = max(0, low), min(top, high)
                if low > high:
                    continue
                first = draw.randint(low, high)
            second = sign * (wanted - first)
            if 0 <= second <= top:
                values[a], values[b] = first, second
                return

    return aim


def alike(draw: Random, words: int) -> int:
    """A number whose parts are alike, as differences of parts go to the edges in the products of
    Karatsuba.
    """
    size = draw.choice([words // k for k in (2, 3, 4) if words % k == 0 and words > k] or [1])
    big = 1 << WORD * size
    one = patterned(draw, size) if draw.random() < 1 / 2 else draw.randrange(big)
    beside = (one + draw.choice((1, -1)) * (1 << WORD * draw.randrange(size))) % big
    some = [one, one, beside, 0, big - 1, patterned(draw, size)]
    return sum(draw.choice(some) << WORD * size * i for i in range(words // size))


def thirds(draw: Random, words: int) -> int:
    """A number a of three parts, whose square by Karatsuba's way borrows far on the way:

    (a0^2 + a1^2 X + a2^2 X^2)(1 + X + X^2), from which squares of differences are taken, is a
    little beside a multiple of a power of 2^32, by greedy square roots.
    """
    x, bits = 1 << WORD * words // 3, WORD * words
    for _ in range(TRIES):
        at, a, above = draw.randrange(words + 1, 2 * words), 0, draw.randrange(2)
        rest = draw.randrange(1, 1 << 2 * bits - WORD * at) << WORD * at >> 2 * bits // 3
        for weight in (x * x + x + 1, x + 1, 1):
            root = min(isqrt(rest // weight) + (weight == 1) * above, x - 1)
            rest -= root * root * weight
            a = a * x + root
        if -x // 4 < rest < x:
            break
    return a


def products(words: int, a: int = 1, b: int = 2) -> Aim:
    """a b of 2 n words: its upper or its lower words at edges; or all words of both."""
    big = 1 << WORD * words

    def aim(draw: Random, values: list[int]) -> None:
        kind = draw.randrange(4)
        if kind % 2 == 0:
            one = patterned if kind else alike
            values[a], values[b] = one(draw, words), one(draw, words)
            if words % 3 == 0 and draw.random() < 1 / 4:
                values[a] = values[b] = thirds(draw, words)
            return
        wanted = near(draw, (0, big, big * big, big * big // 2, big // 2), 2 * words) % (big * big)
        other = patterned(draw, words) | 1 if draw.random() < 1 / 2 else draw.randrange(1, big, 2)
        if kind == 1:
            found = wanted * pow(other, -1, big) % big
        else:
            other |= big // 2
            found = min(wanted // other, big - 1)
        values[a], values[b] = draw.sample((found, other), 2)

    return aim


def above(words: int, a: int = 1, b: int = 2) -> Aim:
    """a b just below or above 2^(64 n), where a is a bit longer than n words: carries run far."""
    big = 1 << WORD * words

    def aim(draw: Random, values: list[int]) -> None:
        values[a] = draw.randrange(big, 2 * big)
        values[b] = -(-big * big // values[a]) + draw.randrange(-1, 2)

    return aim


def square_above(p: int, words: int, a: int = 1) -> Aim:
    """a^2 just below or above a multiple of 2^(64 n), a below p: likewise."""
    big = 1 << 2 * WORD * words

    def aim(draw: Random, values: list[int]) -> None:
        values[a] = min(isqrt(draw.randrange(1, p * p // big) * big) + draw.randrange(2), p - 1)

    return aim


def squares(words: int, a: int = 1) -> Aim:
    """The same of a^2."""
    big = 1 << WORD * words

    def aim(draw: Random, values: list[int]) -> None:
        kind = draw.randrange(4)
        wanted = near(draw, (0, big, big * big, big * big // 2, big // 2), 2 * words) % (big * big)
        if kind % 2 == 0:
            values[a] = (patterned if kind else alike)(draw, words)
            if words % 3 == 0 and draw.random() < 1 / 4:
                values[a] = thirds(draw, words)
        elif kind == 1:
            values[a] = isqrt(wanted)
        else:
            values[a] = root_of_power(wanted | 1, WORD * words)

    return aim


def root_of_power(value: int, bits: int) -> int:
    """A square root modulo 2^bits of an odd number, of the next one that has one."""
    value += (1 - value) % 8
    root = 1
    for i in range(3, bits):
        if (root * root - value) >> i & 1:
            root += 1 << i - 1
    return root % (1 << bits)


def modular(  # noqa: PLR0917
    p: int, words: int, unit: int = 1, lift: int = 0, a: int = 1, b: int = 2
) -> Aim:
    """a b/unit mod p at an edge, unit odd; where `lift` is given, it is added to operands that
    leave room for it below 2^bits (twice p: both of the numbers below 2^256 that are the same).
    """
    big = 1 << WORD * words
    pivots = (0, p, big % p, p // 2, (big >> 1) % p)

    def aim(draw: Random, values: list[int]) -> None:
        other = draw.randrange(1, p)
        if draw.random() < 1 / 2:
            other = patterned(draw, words) % p or 1
        while gcd(other, p) != 1:  # not every modulus is prime
            other = draw.randrange(1, p)
        found = near(draw, pivots, words) * unit * pow(other, -1, p) % p
        pair = [found, other]
        for i in range(2):
            while lift and pair[i] + lift < big and draw.random() < 1 / 2:
                pair[i] += lift
        values[a], values[b] = draw.sample(pair, 2)

    return aim


def quotients(p: int, words: int, a: int = 1, b: int = 2, most: int = 0) -> Aim:
    """The quotient of a b by Montgomery's reduction modulo p: its words at edges."""
    big = 1 << WORD * words

    def aim(draw: Random, values: list[int]) -> None:
        for _ in range(TRIES):
            other = draw.choice((1, 1 << WORD * words // 2 | 1, draw.randrange(1, p, 2)))
            found = -near(draw, (0, big), words) * p * pow(other, -1, big) % big
            if found < (most or p):
                values[a], values[b] = found, other
                return

    return aim


def roots(p: int, words: int, unit: int = 1, lift: int = 0, a: int = 1) -> Aim:
    """a^2/unit mod p at an edge, p = 3 mod 4 or 5 mod 8."""
    big = 1 << WORD * words
    pivots = (0, p, big % p, p // 2, (big >> 1) % p)

    def aim(draw: Random, values: list[int]) -> None:
        for _ in range(TRIES):
            found = root(near(draw, pivots, words) * unit % p, p)
            if found is not None:
                found = draw.choice((found, p - found)) % p
                if lift and found + lift < big and draw.random() < 1 / 2:
                    found += lift
                values[a] = found
                return

    return aim


def root(value: int, p: int) -> int | None:
    """A square root modulo p, where there is one."""
    found = pow(value, (p + 1) // 4, p) if p % 4 == 3 else pow(value, (p + 3) // 8, p)
    if p % 8 == 5 and found * found % p != value % p:
        found = found * pow(2, (p - 1) // 4, p) % p
    return found if found * found % p == value % p else None


def square_quotients(p: int, words: int, a: int = 1) -> Aim:
    """As quotients, of a^2."""
    big = 1 << WORD * words

    def aim(draw: Random, values: list[int]) -> None:
        for _ in range(TRIES):
            wanted = -near(draw, (0, big), words) * p % big
            if wanted % 8 == 1:
                found = root_of_power(wanted, WORD * words)
                for one in (found, big - found, found ^ big // 2, (big - found) ^ big // 2):
                    if one < p:
                        values[a] = one
                        return

    return aim


def window(draw: Random, words: int) -> int:
    """A number whose words are 0 but some in a row."""
    low, high = sorted(draw.choices(range(words + 1), k=2))
    return draw.randrange(1 << WORD * (high - low)) << WORD * low


def windows(p: int, words: int, *at: int) -> Aim:
    """Elements most of whose words are 0, so that most words of their products are."""

    def aim(draw: Random, values: list[int]) -> None:
        for i in at:
            values[i] = window(draw, words) % p

    return aim


def reductions(p: int, words: int, t: int = 0, most: int = 0) -> Aim:
    """t of 2 n words whose quotient has words at edges, and (t + q p)/2^bits too; t below
    `most`."""
    big = 1 << WORD * words
    most = most or p * big

    def aim(draw: Random, values: list[int]) -> None:
        for _ in range(TRIES):
            q = near(draw, (0, big), words) % big if draw.random() < 3 / 4 else draw.randrange(big)
            wanted = near(draw, (0, p, big, 2 * p, p // 2), words)
            if draw.random() < 1 / 4:  # t itself
                wanted = -(-q * p // big) + near(draw, (0,), words)
            found = wanted * big - q * p
            if draw.random() < 1 / 4:  # the words above a quotient by themselves
                q = window(draw, words)
                found = -q * p % big + draw.choice((window, patterned))(draw, words) * big
            if 0 <= found < most:
                values[t] = found
                return

    return aim


def rows(words: int) -> Aim:
    """r + a b of one word b."""
    big = 1 << WORD * words

    def aim(draw: Random, values: list[int]) -> None:
        values[1] = patterned(draw, words)
        values[2] = draw.choice((draw.getrandbits(WORD), draw.choice(WORDS)))
        values[0] = (near(draw, (0, big, big // 2), words) - values[1] * values[2]) % big

    return aim


def any_of(*aims: Aim) -> Aim:
    """One of them."""

    def aim(draw: Random, values: list[int]) -> None:
        draw.choice(aims)(draw, values)

    return aim


def between(  # noqa: PLR0917
    evaluate: Callable[[list[int], int], list[int]],
    p: int,
    words: int,
    places: Sequence[tuple[int, int]],
    bounds: Sequence[int],
    fixed: Sequence[int] = (),
) -> Aim:
    """One of the values that a formula has on the way at an edge modulo p.

    `evaluate`: from the elements at `places` (which argument, which element of it), and a mask,
    those values. Of the elements that are not `fixed` one is solved for, where the value is linear
    or quadratic in it; it is lifted by p where its bound leaves room.
    """
    size = WORD * words
    big, ones = 1 << size, (1 << size) - 1
    pivots = (0, p, big % p, p // 2, (big >> 1) % p)
    half = pow(2, -1, p)

    def aim(draw: Random, values: list[int]) -> None:
        elements = [values[argument] >> size * i & ones for argument, i in places]
        mask = values[-1] if len(values) > 1 else 0
        for _ in range(4):
            x = draw.choice([i for i in range(len(places)) if i not in fixed])
            trials = [evaluate([*elements[:x], at, *elements[x + 1 :]], mask) for at in range(4)]
            k = draw.randrange(len(trials[0]))
            v = [trial[k] for trial in trials]
            second = v[0] - 2 * v[1] + v[2]
            if (v[1] - 2 * v[2] + v[3] - second) % p:
                continue  # of a higher degree
            c2 = second * half % p
            c1, c0 = (v[1] - v[0] - c2) % p, v[0] - near(draw, pivots, words)
            found = solved(draw, c2, c1, c0 % p, p)
            if found is None:
                continue
            while found + p < bounds[x] and draw.random() < 1 / 2:
                found += p
            if found < bounds[x]:
                argument, i = places[x]
                values[argument] ^= (elements[x] ^ found) << size * i
                return

    return aim


def solved(draw: Random, c2: int, c1: int, c0: int, p: int) -> int | None:
    """c2 x^2 + c1 x + c0 = 0."""
    if c2 == 0:
        return -c0 * pow(c1, -1, p) % p if c1 else None
    inverse = pow(2 * c2, -1, p)
    found = root((c1 * c1 - 4 * c2 * c0) % p, p)
    return None if found is None else (-c1 + draw.choice((1, -1)) * found) * inverse % p
