"""Wrong signatures that a fault could make valid:
what an attacker prepares who knows which fault he will cause.

An ECDSA signature of a value e that was not signed can be made by anybody for the public key Q
when e = 0, e = r or e = s: with
R = a G + b Q, r = x(R) and s = r/b, the equation holds for e = a s.
An EdDSA signature likewise where k = 0, or where the
public key is read from what the attacker wrote. `words`:
what registers and the stack hold when the function begins, a
number or one of its arguments.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from ref import codec, ecdsa, rfc8032
from ref.curves import CURVES, Curve
from ref.group import add, multiply, multiply_base

from ecfit.oracle import bip340

KEY = 0xC0FFEE
# Its first bytes are zero: found by trying messages,
# so that a size of up to four in place of 32 makes e zero.
GROUND = bytes(4) + hashlib.sha256(b"ground").digest()[4:]
DIGEST = hashlib.sha256(b"firmware").digest()


class Forgery(NamedTuple):
    """Arguments of a verification: all wrong but `valid`. `fill`: None, a word, or (argument,
    offset).
    """

    name: str
    signature: bytes
    public: bytes
    message: bytes
    fill: int | tuple[str, int] | None = None


ZEROS, ONES = 0, 0xFFFFFFFF


def forgeries(curve: str, function: str = "") -> dict[str, Forgery]:
    """Those of a curve by name, and `valid`; of what a function of CALLERS takes."""
    found = _ecdsa(CURVES[curve]) if curve in CURVES else _eddsa(rfc8032.EDCURVES[curve])
    if function.startswith("verify_parts"):
        found = [one for one in found if len(one.message) == len(DIGEST)]
        found += _in_parts(rfc8032.EDCURVES[curve])
    if function == "verify_schnorr":
        found = _schnorr()
    if function == "recover_key":
        found = [other for one in found for other in _with_ids(CURVES[curve], one)]
    return {one.name: one for one in found}


def _with_ids(curve: Curve, one: Forgery) -> list[Forgery]:
    """With the recovery ids 0 and 1, of which one is right where something else makes it so."""
    found = [one._replace(name=f"{one.name}, id {i}", signature=one.signature + bytes([i]))
             for i in (0, 1)]  # fmt: skip
    if one.name != "valid":
        return found
    half = curve.order_bytes
    r, s = (int.from_bytes(data, "big") for data in (one.signature[:half], one.signature[half:]))
    e = ecdsa.bits2int(curve, one.message) % curve.n
    for number in (0, 1):
        point = r, codec.lift(curve, r, odd=number == 1)
        inverse = pow(r, -1, curve.n)
        key = add(
            curve,
            multiply(curve, s * inverse % curve.n, point),
            multiply_base(curve, -e * inverse % curve.n),
        )
        if codec.encode_point(curve, key) == one.public:
            right = found[number]._replace(name="valid")
            return [right, found[1 - number]._replace(name="another id")]
    raise AssertionError(one)


def _schnorr() -> list[Forgery]:
    """BIP 340: of another s, and what holds for e = 0, or under the attacker's key in R."""
    private, own = KEY.to_bytes(32, "big"), (KEY + 1).to_bytes(32, "big")
    public, mine = bip340.public_key(private), bip340.public_key(own)
    good = bip340.sign(private, DIGEST, bytes(32))
    curve, a = CURVES["secp256k1"], KEY + 1
    found = [
        Forgery("valid", good, public, DIGEST),
        Forgery("another s", good[:-1] + bytes([good[-1] ^ 1]), public, DIGEST),
        Forgery("empty message", bip340.sign(private, b"", bytes(32)), public, DIGEST, ZEROS),
    ]
    for s in (77, 78):  # one of the points has an even y
        point = multiply_base(curve, s)
        assert point is not None
        r = point[0].to_bytes(32, "big")
        found.append(Forgery(f"e = 0, s = {s}", r + s.to_bytes(32, "big"), public, DIGEST, ZEROS))
    point = multiply_base(curve, a)
    assert point is not None
    a = curve.n - a if point[1] & 1 else a
    tag = hashlib.sha256(b"BIP0340/challenge").digest()
    for hashed in (public, mine):  # whichever key the challenge takes
        e = int.from_bytes(hashlib.sha256(tag + tag + mine + hashed + DIGEST).digest(), "big")
        signature = mine + (a * (1 + e) % curve.n).to_bytes(32, "big")
        name = "key in R" if hashed == mine else "key in R, not hashed"
        found.append(Forgery(name, signature, public, DIGEST, ("signature", 0)))
    return found


def _in_parts(curve: rfc8032.EdCurve) -> list[Forgery]:
    """What holds when a part is not hashed, or what stands before the message."""
    seed, half, at = bytes(range(curve.size)), len(DIGEST) // 2, curve.size
    public = rfc8032.public_key(curve, seed)
    key = rfc8032.decode(curve, public)
    assert key is not None

    def of(name: str, hashed: bytes) -> Forgery:
        k = int.from_bytes(curve.hash(hashed), "little") % curve.n
        base = rfc8032.multiply(curve, 77, curve.base)
        r = rfc8032.add(curve, base, rfc8032.multiply(curve, curve.n - k, key))
        scalar = (77).to_bytes(at, "little")
        return Forgery(name, rfc8032.encode(curve, r) + scalar, public, DIGEST)

    return [
        Forgery("first part", rfc8032.sign(curve, seed, DIGEST[:half]), public, DIGEST),
        Forgery("second part", rfc8032.sign(curve, seed, DIGEST[half:]), public, DIGEST),
        of("R not hashed", public + DIGEST),
        of("message alone hashed", DIGEST),
    ]


def _ecdsa(curve: Curve) -> list[Forgery]:
    n, public = curve.n, multiply_base(curve, KEY)
    encoded = codec.encode_point(curve, public)
    r, s = ecdsa.sign(curve, KEY, DIGEST)
    offset = curve.order_bytes

    def forged(a: int, b: int) -> tuple[int, int]:
        point = add(curve, multiply_base(curve, a), multiply(curve, b, public))
        assert point is not None
        return point[0] % n, point[0] * pow(b, -1, n) % n

    def one(
        name: str,
        pair: tuple[int, int],
        fill: int | tuple[str, int] | None,
        digest: bytes = DIGEST,
    ) -> Forgery:
        return Forgery(name, ecdsa.encode_signature(curve, pair), encoded, digest, fill)

    empty = forged(0, 77)
    r_as_hash = add(curve, multiply_base(curve, 77), multiply(curve, 77, public))
    assert r_as_hash is not None
    x = r_as_hash[0] % n
    return [
        one("valid", (r, s), None),
        one("another r", (r ^ 1, s), None),
        one("e = 0", empty, ZEROS, GROUND),
        one("e = 0, as left", empty, None, GROUND),
        one("e = r", (x, x * pow(77, -1, n) % n), ("signature", 0)),
        one("e = s", forged(1, 77), ("signature", offset)),
        one("r = s = 0", (0, 0), ONES, GROUND),
    ]


def _eddsa(curve: rfc8032.EdCurve) -> list[Forgery]:
    seed, own = bytes(range(curve.size)), bytes(range(1, curve.size + 1))
    public, mine = rfc8032.public_key(curve, seed), rfc8032.public_key(curve, own)
    good = rfc8032.sign(curve, seed, DIGEST)
    at = curve.size
    changed = good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]
    neutral = rfc8032.encode(curve, curve.identity)
    point = rfc8032.encode(curve, rfc8032.multiply(curve, 77, curve.base))
    scalar = (77).to_bytes(curve.size, "little")
    message = mine + DIGEST  # begins with the attacker's key
    return [
        Forgery("valid", good, public, DIGEST),
        Forgery("another S", changed, public, DIGEST),
        Forgery("empty message", rfc8032.sign(curve, seed, b""), public, DIGEST, ZEROS),
        Forgery("k = 0", point + scalar, public, DIGEST, ZEROS),
        Forgery("R = 0, S = 0", neutral + bytes(curve.size), public, DIGEST, ZEROS),
        Forgery("key in R", _key_in_r(curve, own, mine), public, DIGEST, ("signature", 0)),
        Forgery(
            "key in message", rfc8032.sign(curve, own, message), public, message, ("message", 0)
        ),
    ]


def _key_in_r(curve: rfc8032.EdCurve, own: bytes, mine: bytes) -> bytes:
    """A signature whose R is the attacker's public key, valid under that key: S = a (1 + k)."""
    a, _ = rfc8032.expand(curve, own)
    dom = curve.dom_of(False, None)
    k = int.from_bytes(curve.hash(dom + mine + mine + DIGEST), "little") % curve.n
    return mine + (a * (1 + k) % curve.n).to_bytes(curve.size, "little")
