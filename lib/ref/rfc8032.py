"""Ed25519 and Ed448 (RFC 8032; FIPS 186-5, 7): pure, with context, prehashed.

Verification is the strict one of the library: canonical encodings only, S below the order,
a public key that is not of small order, and the equation S B = R + k A without the cofactor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

EPoint = tuple[int, int, int, int]  # X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z


@dataclass(frozen=True)
class EdCurve:
    """a*x^2 + y^2 = 1 + d*x^2*y^2 over GF(p), a square and d not: addition is complete.
    `n`: the base point's order."""

    name: str
    title: str
    source: str
    p: int
    a: int
    d: int
    n: int
    cofactor: int
    gx: int
    gy: int
    hash: Callable[[bytes], bytes]
    dom: bytes
    pure_without_dom: bool

    @property
    def field_bits(self) -> int:
        """Length of a field element in bits."""
        return self.p.bit_length()

    @property
    def size(self) -> int:
        """Size of a key, of an encoded point and of S; a field element and one bit."""
        return self.field_bits // 8 + 1

    @property
    def base(self) -> EPoint:
        """The base point B."""
        return (self.gx, self.gy, 1, self.gx * self.gy % self.p)

    @property
    def identity(self) -> EPoint:
        """The neutral element."""
        return (0, 1, 1, 0)

    def dom_of(self, prehashed: bool, context: bytes | None) -> bytes:
        """dom2 and dom4 (RFC 8032, 2): nothing for Ed25519 without context.
        ValueError: more than 255 bytes."""
        if context is not None and len(context) > 255:
            raise ValueError("a context has at most 255 bytes")
        if self.pure_without_dom and not prehashed and context is None:
            return b""
        context = context or b""
        return self.dom + bytes([prehashed, len(context)]) + context


ED25519 = EdCurve(
    name="ed25519",
    title="Ed25519 on edwards25519",
    source="RFC 8032, 5.1; RFC 7748, 4.1",
    p=2**255 - 19,
    a=-1,
    d=-121665 * pow(121666, -1, 2**255 - 19) % (2**255 - 19),
    n=2**252 + 27742317777372353535851937790883648493,
    cofactor=8,
    gx=15112221349535400772501151409588531511454012693041857206046113283949847762202,
    gy=46316835694926478169428394003475163141307993866256225615783033603165251855960,
    hash=lambda data: hashlib.sha512(data).digest(),
    dom=b"SigEd25519 no Ed25519 collisions",
    pure_without_dom=True,
)
ED448 = EdCurve(
    name="ed448",
    title="Ed448 on edwards448",
    source="RFC 8032, 5.2; RFC 7748, 4.2",
    p=2**448 - 2**224 - 1,
    a=1,
    d=-39081 % (2**448 - 2**224 - 1),
    n=2**446 - 13818066809895115352007386748515426880336692474882178609894547503885,
    cofactor=4,
    gx=int(
        "224580040295924300187604334099896036246789641632564134246125461686950415467"
        "406032909029192869357953282578032075146446173674602635247710"
    ),
    gy=int(
        "298819210078481492676017930443930673437544040154080242095928241372331506189"
        "835876003536878655418784733982303233503462500531545062832660"
    ),
    hash=lambda data: hashlib.shake_256(data).digest(114),
    dom=b"SigEd448",
    pure_without_dom=False,
)
EDCURVES = {curve.name: curve for curve in (ED25519, ED448)}


def add(curve: EdCurve, first: EPoint, second: EPoint) -> EPoint:
    """P + Q for all P, Q (Hisil, Wong, Carter, Dawson 2008, 3.1: unified addition)."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = first, second
    p = curve.p
    a, b, c, d = x1 * x2 % p, y1 * y2 % p, curve.d * t1 * t2 % p, z1 * z2 % p
    e, f, g, h = (x1 + y1) * (x2 + y2) - a - b, d - c, d + c, b - curve.a * a
    return e * f % p, g * h % p, f * g % p, e * h % p


def negate(curve: EdCurve, point: EPoint) -> EPoint:
    """-P."""
    x, y, z, t = point
    return -x % curve.p, y, z, -t % curve.p


def multiply(curve: EdCurve, scalar: int, point: EPoint) -> EPoint:
    """scalar * P for a scalar that is not negative."""
    result = curve.identity
    for bit in bin(scalar)[2:]:
        result = add(curve, result, result)
        if bit == "1":
            result = add(curve, result, point)
    return result


def affine(curve: EdCurve, point: EPoint) -> tuple[int, int]:
    """x, y."""
    inverse = pow(point[2], -1, curve.p)
    return point[0] * inverse % curve.p, point[1] * inverse % curve.p


def equal(curve: EdCurve, first: EPoint, second: EPoint) -> bool:
    """P = Q."""
    return affine(curve, first) == affine(curve, second)


def encode(curve: EdCurve, point: EPoint) -> bytes:
    """y, and the lowest bit of x as the topmost bit (5.1.2, 5.2.2)."""
    x, y = affine(curve, point)
    return (y | (x & 1) << (8 * curve.size - 1)).to_bytes(curve.size, "little")


def decode(curve: EdCurve, data: bytes) -> EPoint:
    """A point from its one canonical encoding (5.1.3, 5.2.3). ValueError when it is none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> (8 * curve.size - 1), number % (1 << (8 * curve.size - 1))
    if len(data) != curve.size or y >= curve.p:
        raise ValueError("size, or y not below p")
    square = (1 - y * y) * pow(curve.a - curve.d * y * y, -1, curve.p) % curve.p
    x = square_root(curve.p, square)
    if x is None or (x == 0 and sign):
        raise ValueError("no point has this y, or the sign of 0 is set")
    x = x if x & 1 == sign else curve.p - x
    return x, y, 1, x * y % curve.p


def square_root(p: int, square: int) -> int | None:
    """A square root modulo p = 3 mod 4 or 5 mod 8, or None."""
    root = pow(square, (p + 1) // 4 if p % 4 == 3 else (p + 3) // 8, p)
    if root * root % p != square and p % 4 == 1:
        root = root * pow(2, (p - 1) // 4, p) % p
    return root if root * root % p == square else None


def has_small_order(curve: EdCurve, point: EPoint) -> bool:
    """Whether the cofactor times P is the neutral element."""
    return equal(curve, multiply(curve, curve.cofactor, point), curve.identity)


def expand(curve: EdCurve, private_key: bytes) -> tuple[int, bytes]:
    """Secret scalar and prefix of a private key (5.1.5, 5.2.5). ValueError: its size."""
    if len(private_key) != curve.size:
        raise ValueError("size of the private key")
    digest = curve.hash(private_key)
    top = 1 << (curve.field_bits - 1)
    scalar = (
        int.from_bytes(digest[: curve.size], "little") % top // curve.cofactor * curve.cofactor
        + top
    )
    return scalar, digest[curve.size :]


def public_key(curve: EdCurve, private_key: bytes) -> bytes:
    """A = a B."""
    return encode(curve, multiply(curve, expand(curve, private_key)[0], curve.base))


def _scalar_of(curve: EdCurve, *pieces: bytes) -> int:
    return int.from_bytes(curve.hash(b"".join(pieces)), "little") % curve.n


def sign(
    curve: EdCurve,
    private_key: bytes,
    message: bytes,
    context: bytes | None = None,
    *,
    prehashed: bool = False,
) -> bytes:
    """R || S (5.1.6, 5.2.6). `prehashed`: the message is PH(M)."""
    scalar, prefix = expand(curve, private_key)
    dom = curve.dom_of(prehashed, context)
    public = encode(curve, multiply(curve, scalar, curve.base))
    r = _scalar_of(curve, dom, prefix, message)
    commitment = encode(curve, multiply(curve, r, curve.base))
    s = (r + _scalar_of(curve, dom, commitment, public, message) * scalar) % curve.n
    return commitment + s.to_bytes(curve.size, "little")


def verify(
    curve: EdCurve,
    signature: bytes,
    public: bytes,
    message: bytes,
    context: bytes | None = None,
    *,
    prehashed: bool = False,
) -> bool:
    """Whether the signature is good; False for a bad public key too."""
    try:
        point, commitment = decode(curve, public), decode(curve, signature[: curve.size])
    except ValueError:
        return False
    s = int.from_bytes(signature[curve.size :], "little")
    if len(signature) != 2 * curve.size or s >= curve.n or has_small_order(curve, point):
        return False
    k = _scalar_of(
        curve, curve.dom_of(prehashed, context), signature[: curve.size], public, message
    )
    right = add(curve, commitment, multiply(curve, k, point))
    return equal(curve, multiply(curve, s, curve.base), right)
