"""Toy curves through the library's own templates, exhaustively: every point, scalar,
signature and encoding.

The group has prime order, so a point is its index i in i*G, and what is expected needs no curve
arithmetic: (i*G) + (j*G) is (i + j)*G, k*(i*G) is (k*i)*G.

What takes the longest (multiples, pairs of scalars, signatures, shared secrets) is whole in the
outer ring. `make test` has a part of it, in which each point and each scalar occurs: a fifth on
toy223, whose configurations are the presets, and a 17th on toy251.
ECFIT_TEST_SCALE=small: of both a part, and of the points that are multiplied too.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from ref import codec, ecdsa, group
from ref.curves import CURVES, Curve

from workshop.library.api import Library, Rng, Status
from workshop.library.build import only
from workshop.scale import OUTER, SMALL

pytestmark = pytest.mark.sampled
TAIL = bytes(range(15))  # of a hash, whose first 8 bits count
DIGESTS = [bytes([first]) + TAIL for first in (0x01, 0x02, 0x7F, 0xE0, 0xFF)]


@dataclass
class Toy:
    """A toy library and its group as a table."""

    library: Library
    curve: Curve = field(init=False)
    points: list[bytes] = field(init=False)  # x || y of i*G; zeros for i = 0

    def __post_init__(self) -> None:
        self.curve = CURVES[self.library.curve]
        multiples = group.multiples(self.curve, group.base(self.curve))
        self.points = [bytes(2) if point is None else bytes(point) for point in multiples]

    @property
    def share(self) -> int:
        """Which part of the long loops runs: 1 = all, n = one n-th; less where words of 8
        and 16 bits make it slow.
        """
        if SMALL:
            return 61
        if OUTER:
            return 1
        if self.curve.name == "toy223":
            return 5
        return 61 if self.library.knobs["BACKEND"] in ("w8", "w16") else 17

    def function(self, name: str) -> Callable[..., int]:
        """A wrapper of lib/test/open_curve.inc."""
        found: Callable[..., int] = getattr(self.library.c, f"{self.curve.name}_open_{name}")
        return found


@pytest.fixture(scope="module")
def tables(toy: Library) -> Toy:
    """The toy with its table of points."""
    return Toy(toy)


def test_encodings(tables: Toy) -> None:
    """All 2^16 coordinates, also as a public key: points are those that satisfy the equation;
    and all other lead bytes.
    """
    function, out = tables.function("point"), ctypes.create_string_buffer(2)
    check = getattr(tables.library.c, f"ecfit_{tables.curve.name}_public_key_check")
    valid = set(tables.points[1:])
    for coordinates in itertools.product(range(256), repeat=2):
        data = bytes(coordinates)
        is_point = function(out, b"\x04" + data) == 1
        assert is_point == (data in valid), data.hex()
        assert (check(b"\x04" + data) == Status.OK) == is_point, data.hex()
        if is_point:
            assert out.raw == data
    for lead in set(range(256)) - {4}:
        assert all(function(out, bytes([lead]) + point) == 0 for point in tables.points[1:20])
        for data in [bytes([lead]) + point for point in tables.points[1:20]]:
            assert check(data) == Status.BAD_PUBLIC_KEY, data.hex()


def test_field(tables: Toy) -> None:
    """All pairs of field elements."""
    p, function, out = tables.curve.p, tables.function("field"), ctypes.create_string_buffer(1)
    single = [bytes([value]) for value in range(p)]
    for a, b in itertools.product(range(p), repeat=2):
        for op, wanted in enumerate((a * b, a * a, a + b, a - b)):
            function(op, out, single[a], single[b])
            assert out.raw[0] == wanted % p, (op, a, b)
    for a in range(p):
        function(4, out, single[a], single[0])
        assert out.raw[0] == (pow(a, -1, p) if a else 0)


def test_scalar_multiplication(tables: Toy) -> None:
    """All scalars in 1 .. n-1 times the base point by its own function, and times all points or
    a part of them, other ones for the next scalar.
    """
    n, out = tables.curve.n, ctypes.create_string_buffer(2)
    share = tables.share
    by_point, by_base = tables.function("mul_point"), tables.function("mul_base")
    encoded = [b"\x04" + point for point in tables.points]
    for k in range(1, n):
        scalar = bytes([k])
        by_base(out, scalar)
        assert out.raw == tables.points[k], k
        for i in {*range(1 + k % share, n, share), 1, n - 1}:
            assert by_point(out, scalar, encoded[i]) == 1
            assert out.raw == tables.points[k * i % n], (k, i)


@pytest.mark.parametrize("index", [1, 2, -1, 77])
def test_double_scalar_multiplication(tables: Toy, index: int) -> None:
    """All (u1, u2) for one Q. For Q = G, -G and 2G, those where an addition is special, and a part
    of the rest.

    The function must accept the x coordinate of the sum. For some pairs, it must refuse another x.
    """
    n, function = tables.curve.n, tables.function("mul_check")
    public = b"\x04" + tables.points[index % n]
    x_of = [point[0] % n if any(point) else None for point in tables.points]
    part = 7 if tables.share == 1 else max(23, tables.share)
    for u1, u2 in itertools.product(range(n), repeat=2):
        special = 0 in {
            u1,
            u2,
            (u1 - u2 * index) % n,
            (u1 + u2 * index) % n,
            (u1 - 2 * u2 * index) % n,
        }
        if not (index == 77 and tables.share == 1) and not special and (u1 + 3 * u2) % part:
            continue
        x = x_of[(u1 + u2 * index) % n]
        other = [] if x is None or (u1 + u2) % 8 else [((x + 1) % n, 0)]
        for r, wanted in [(1, 0), (x_of[1], 0)] if x is None else [(x, 1), *other]:
            if r:  # 1 <= r is the caller's duty: r = 0 is refused before
                assert function(bytes([u1]), bytes([u2]), public, bytes([r])) == wanted, (u1, u2, r)


def test_keys(tables: Toy) -> None:
    """All private keys: public key, and the same from key generation."""
    library, n = tables.library, tables.curve.n
    for d in range(256):
        status, public = library.public_key(bytes([d]))
        if 1 <= d < n:
            assert (status, public) == (Status.OK, b"\x04" + tables.points[d])
            assert library.keygen(Rng.of(bytes([d]))) == (Status.OK, public, bytes([d]))
        else:
            assert status is Status.BAD_PRIVATE_KEY
            assert library.keygen(Rng.of(bytes([d])))[0] is Status.RNG_FAILED


def test_ecdh(tables: Toy) -> None:
    """All keys against every third or fifteenth point: the multiplication itself
    is tested with all.
    """
    library, n = tables.library, tables.curve.n
    for d, i in itertools.product(range(1, n), range(1, n, 3 * min(tables.share, 5))):
        wanted = tables.points[d * i % n][:1]
        assert library.ecdh(bytes([d]), b"\x04" + tables.points[i]) == (Status.OK, wanted), (d, i)


@pytest.mark.parametrize(
    ("d", "first", "step"), [(5, 0x7F, 1), (1, 0xFF, 5), (-1, 0x01, 5), (77, 0x02, 5), (77, 0, 25)]
)
def test_verification(tables: Toy, d: int, first: int, step: int) -> None:
    """All 2^16 signatures, in and out of range, for one key and hash;
    all r with every fifth s for others (in `make test` fewer, see above).
    A hash that is 0 modulo n has none.
    """
    digest = bytes([first]) + TAIL
    library, curve, n = tables.library, tables.curve, tables.curve.n
    if tables.share > 1:
        step = max(17 if step > 1 else 1, tables.share)
    public = b"\x04" + tables.points[d % n]
    e = ecdsa.bits2int(curve, digest)
    accepted = 0
    for r, s in itertools.product(range(256), range(0, 256, step)):
        wanted = Status.BAD_SIGNATURE
        if 1 <= r < n and 1 <= s < n:
            inverse = pow(s, -1, n)
            point = tables.points[(e * inverse + r * inverse * d) % n]
            valid = any(point) and point[0] % n == r
            accepted += valid
            wanted = Status.OK if valid else Status.BAD_SIGNATURE
            wanted = wanted if ecdsa.takes(curve, digest) else Status.BAD_HASH
        status = library.verify(bytes([r, s]), public, digest)
        assert status is wanted, (r, s)
    assert accepted >= n // (2 * step)


def test_signing(tables: Toy) -> None:
    """Keys with all nonces, or all keys with the nonces that they have, for some hashes:
    equal to the reference. CHECK=verify takes the first nonce in range or none: one that gives
    r = 0 or s = 0, as of no curve but the toys, is a fault.
    """
    library, curve, n = tables.library, tables.curve, tables.curve.n
    retried, checked = 0, library.knobs["CHECK"] == "verify"
    if library.knobs["NONCE"] == "random":
        for d, digest in itertools.product((1, 2, 77, n - 1), DIGESTS):
            retried += check_random_nonces(tables, d, digest)
    else:
        extra = bytes(range(32)) if library.knobs["NONCE"] == "hedged" else b""
        for d, digest in itertools.product(range(1, n), DIGESTS):
            wanted = ecdsa.encode_signature(curve, ecdsa.sign(curve, d, digest, extra=extra))
            first = next(ecdsa.nonces(curve, d, digest, extra=extra))
            again = ecdsa.sign_with_nonce(curve, d, digest, first) is None
            retried += again
            answer = (Status.FAULT, bytes(2)) if again and checked else (Status.OK, wanted)
            assert library.sign(bytes([d]), digest, Rng.of(extra)) == answer, (d, digest)
    assert retried > 0, "no nonce gave r = 0 or s = 0: the retry was not tested"


def check_random_nonces(tables: Toy, d: int, digest: bytes) -> int:
    """Signs with all nonces; returns how many gave r = 0 or s = 0 and were replaced
    by the next draw.
    """
    curve, library, n = tables.curve, tables.library, tables.curve.n
    e, retried = ecdsa.bits2int(curve, digest), 0
    spare = next(k for k in range(1, n) if expected(tables, d, e, k) is not None)
    for k in range(n):
        wanted = expected(tables, d, e, k) if k else None
        retried += wanted is None
        status, signature = library.sign(bytes([d]), digest, Rng.of(bytes([k]), bytes([spare])))
        assert (status, signature) == (Status.OK, wanted or expected(tables, d, e, spare)), (d, k)
    return retried


def expected(tables: Toy, d: int, e: int, k: int) -> bytes | None:
    """The signature of e by d with the nonce k, or None if r or s would be 0."""
    n = tables.curve.n
    r = tables.points[k][0] % n
    s = pow(k, -1, n) * (e + r * d) % n
    return bytes([r, s]) if r and s else None


@only("toy", COMPRESS="sec1")
def test_compression(tables: Toy) -> None:
    """All points, and all 2^16 strings that could be compressed points."""
    library, curve = tables.library, tables.curve
    valid = {}
    for point in tables.points[1:]:
        public = b"\x04" + point
        compressed = bytes([2 + point[1] % 2, point[0]])
        valid[compressed] = public
        assert library.compress(public) == (Status.OK, compressed)
        assert codec.decode_point(curve, compressed) == (point[0], point[1])
    for lead, x in itertools.product(range(256), repeat=2):
        data = bytes([lead, x])
        status, public = library.decompress(data)
        assert (status, public) == (
            (Status.OK, valid[data]) if data in valid else (Status.BAD_PUBLIC_KEY, bytes(3))
        )
