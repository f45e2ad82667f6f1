"""The carry out of a sum a + b + c, as C computes it without a longer word: the highest bit is 1 in
two of a, b and ~sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

from prove.algebra.values import Space, Value, plus

OPS: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "orr": lambda a, b: a | b,
    "eor": lambda a, b: a ^ b,
}
Made = Mapping[object, tuple[str, Value, Value]]  # what logic made words of


def carry(space: Space, made: Made, x: Value) -> Value | None:
    """The highest bit of x, where that is the carry out of a sum; else None."""
    words: dict[object, Value] = {}
    _words(made, x, words)
    for key in words if len(words) == 3 else ():
        found = _carry(space, words, key)
        if found and all(
            _bit(made, x, bits) == (sum(bits.values()) + 1 - 2 * bits[key] > 1)
            for bits in (dict(zip(words, some, strict=True)) for some in product((0, 1), repeat=3))
        ):
            return space.named(found)
    return None


def _carry(space: Space, words: Mapping[object, Value], key: object) -> Value | None:
    """Where one word is the sum of the two others, and a bit, modulo 2^32: the carry."""
    left = plus({}, words[key].p, -1)
    for other, word in words.items():
        left = plus(left, word.p) if other != key else left
    above = {m: c >> 32 for m, c in left.items() if c % (1 << 32) == 0}
    lo, hi = space.range({m: -c for m, c in left.items() if c % (1 << 32)})
    return Value(above, 0, 1) if above and lo >= 0 and hi <= 1 else None


def _words(made: Made, x: Value, found: dict[object, Value]) -> None:
    """The words that logic made x of; more than three are too many."""
    parts = made.get(x.key())
    if parts is None or len(found) > 3:
        found[x.key()] = x
        return
    for part in parts[1:]:
        _words(made, part, found)


def _bit(made: Made, x: Value, bits: Mapping[object, int]) -> int:
    """A bit of x, by those of the words that it is made of."""
    if x.key() in bits:
        return bits[x.key()]
    op, a, b = made[x.key()]
    one, other = _bit(made, a, bits), _bit(made, b, bits)
    return 1 - one if op == "not" else OPS[op](one, other)
