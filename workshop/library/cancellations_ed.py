"""EdDSA signatures and keys whose sums cancel: A = m B and R = r B for small m and r, so that
S = r + k m makes digits of S B and of k A the same, or opposite; and points of small order.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from ref import rfc8032
from ref.rfc8032 import EdCurve

SMALL = (0, 1, -1, 2, -2, 3, -3, 4, 8)


class Signature(NamedTuple):
    """`valid`: what the reference says of it."""

    signature: bytes
    public_key: bytes
    message: bytes
    valid: bool


def torsion(curve: EdCurve) -> bytes:
    """A point of the order of the cofactor: n times another one."""
    for y in range(2, 100):
        try:
            point = rfc8032.decode(curve, y.to_bytes(curve.size, "little"))
        except ValueError:
            continue
        found = rfc8032.multiply(curve, curve.n, point)
        double = rfc8032.multiply(curve, curve.cofactor // 2, found)
        if not rfc8032.equal(curve, double, curve.identity):
            return rfc8032.encode(curve, found)
    raise AssertionError("no point of full small order")


def signatures(curve: EdCurve, seed: str, count: int) -> Iterator[Signature]:
    """One after the other; each fourth has a point of small order added to A, or to R, or alone."""
    draw, n = random.Random(seed), curve.n
    low = rfc8032.decode(curve, torsion(curve))
    special = [*SMALL[1:], (n + 1) // 2, (n - 1) // 2, 1 << 128, pow(3, -1, n)]
    for i in range(count):
        m, r = draw.choice(special) % n, draw.choice((*SMALL, draw.randrange(n))) % n
        a, commitment = (rfc8032.multiply(curve, k, curve.base) for k in (m, r))
        part = rfc8032.multiply(curve, draw.randrange(1, curve.cofactor), low)
        if i % 4 == 3:
            which = draw.randrange(4)
            if which == 0:
                a = rfc8032.add(curve, a, part)
            elif which == 1:
                commitment = rfc8032.add(curve, commitment, part)
            elif which == 2:
                a, m = part, 0
            else:
                a, commitment, m, r = part, part, 0, 0
        public, message = rfc8032.encode(curve, a), draw.randbytes(32)
        encoded = rfc8032.encode(curve, commitment)
        k = int.from_bytes(
            curve.hash(curve.dom_of(False, None) + encoded + public + message), "little"
        )
        s = (r + k * m + (1 if i % 8 == 2 else 0)) % n
        signature = encoded + s.to_bytes(curve.size, "little")
        valid = rfc8032.verify(curve, signature, public, message)
        yield Signature(signature, public, message, valid)
