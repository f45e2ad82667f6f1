"""Inputs of X25519, X448, Ed25519 and Ed448 that reach the corners, and what must come of them
by the reference.
"""

from __future__ import annotations

import random
from functools import cache

from ref import rfc7748, rfc8032
from ref.rfc7748 import XCURVES, XCurve
from ref.rfc8032 import EDCURVES, EdCurve, EPoint


def little(value: int, size: int) -> bytes:
    """Little-endian string."""
    return value.to_bytes(size, "little")


def strings(size: int, seed: int, count: int) -> list[bytes]:
    """Random strings, the same ones every time."""
    source = random.Random(seed)
    return [source.randbytes(size) for _ in range(count)]


@cache
def edge_keys(size: int) -> list[bytes]:
    """Private keys of X25519 and X448: long runs of zeros and ones, single bits
    where clamping works, scalars around multiples of the base point's order.
    """
    ones = b"\xff" * size
    values = [
        bytes(size),
        ones,
        b"\x55" * size,
        b"\xaa" * size,
        b"\x00\xff" * (size // 2),
        b"\xff\x00" * (size // 2),
    ]
    for bit in (0, 1, 2, 3, 31, 32, 63, 64, 8 * size - 3, 8 * size - 2, 8 * size - 1):
        values += [little(1 << bit, size), little(int.from_bytes(ones, "big") ^ 1 << bit, size)]
    n, step = (EDCURVES["ed25519"].n, 8) if size == 32 else (EDCURVES["ed448"].n, 4)
    for multiple in range(step // 2, step + 1):  # 4 n is a private key of X448
        near = multiple * n // step * step
        values += [little(near + offset, size) for offset in (-step, 0, step)]
    return values


@cache
def edge_coordinates(name: str) -> list[bytes]:
    """u coordinates: around 0, p, 2p, and powers of two, those beyond the field too."""
    curve = XCURVES[name]
    top = 1 << (8 * curve.size)
    values = [
        value + offset
        for value in (0, curve.p, 2 * curve.p, top, top // 2)
        for offset in range(-3, 4)
    ]
    values += [1 << bit for bit in (16, 31, 32, 63, 64, 128, 223, 224, 225, curve.field_bits - 2)]
    values += [
        int.from_bytes(bytes([byte]) * curve.size, "little") for byte in (0x0F, 0x55, 0xAA, 0xF0)
    ]
    return [little(value, curve.size) for value in dict.fromkeys(values) if 0 <= value < top]


@cache
def exchanged(name: str, private_key: bytes, public_key: bytes) -> bytes:
    """The shared secret by the reference."""
    return rfc7748.exchange(XCURVES[name], private_key, public_key)


@cache
def small_coordinates(name: str) -> list[bytes]:
    """All strings of a u coordinate whose points have small order, those above p
    and with unused bits included.
    """
    curve = XCURVES[name]
    found = []
    for unused in range(1 << (8 * curve.size - curve.field_bits)):
        for value in _small_u(curve):
            totals = (value + multiple * curve.p for multiple in range(2))
            found += [
                little(total | unused << curve.field_bits, curve.size)
                for total in totals
                if total < 1 << curve.field_bits
            ]
    return found


def _small_u(curve: XCurve) -> list[int]:
    """u of all points of small order on the curve and its twist: 0, and the roots of u^2 = 1
    and of order 8.
    """
    if curve.name == "x448":
        return [0, 1, curve.p - 1]
    eighth = [
        325606250916557431795983626356110631294008115727848805560023387167927233504,
        39382357235489614581723060781553021112529911719440698176882885853963445705823,
    ]
    return [0, 1, curve.p - 1, *eighth]


@cache
def torsion(name: str) -> list[EPoint]:
    """All points of small order of an Edwards curve, the neutral element first."""
    curve = EDCURVES[name]
    source = random.Random(8)
    while True:
        try:
            point = rfc8032.decode(curve, little(source.randrange(curve.p), curve.size))
        except ValueError:
            continue
        generator = rfc8032.multiply(curve, curve.n, point)
        multiples = [rfc8032.multiply(curve, k, generator) for k in range(curve.cofactor)]
        if len({rfc8032.encode(curve, multiple) for multiple in multiples}) == curve.cofactor:
            return multiples


@cache
def small_keys(name: str) -> list[bytes]:
    """The encodings of points of small order, and what would be if y above p or the sign
    of 0 were let pass.
    """
    curve = EDCURVES[name]
    found = [rfc8032.encode(curve, point) for point in torsion(name)]
    sign = 1 << (8 * curve.size - 1)
    for data in list(found):
        number = int.from_bytes(data, "little")
        found.append(little(number ^ sign, curve.size))
        if number % sign + curve.p < sign:
            found += [
                little(number + curve.p, curve.size),
                little((number ^ sign) + curve.p, curve.size),
            ]
    return list(dict.fromkeys(found))


@cache
def bad_keys(name: str) -> dict[str, bytes]:
    """Strings that are no public key, and no point of small order either."""
    curve = EDCURVES[name]
    sign = 1 << (8 * curve.size - 1)
    unlifted = next(y for y in range(2, 100) if not _is_y(curve, y))
    cases = {
        "no such y": unlifted,
        "no such y, sign": unlifted | sign,
        "p": curve.p,
        "p + 3": curve.p + 3,
        "all ones": (1 << (8 * curve.size)) - 1,
        "all ones but the sign": sign - 1,
    }
    if 8 * curve.size - 1 > curve.field_bits:
        good = int.from_bytes(rfc8032.public_key(curve, bytes(curve.size)), "little")
        for bit in range(curve.field_bits, 8 * curve.size - 1):
            cases[f"bit {bit}"] = good | 1 << bit
    return {label: little(value, curve.size) for label, value in cases.items()}


def _is_y(curve: EdCurve, y: int) -> bool:
    try:
        rfc8032.decode(curve, little(y, curve.size))
    except ValueError:
        return False
    return True


def signature_by_hand(
    curve: EdCurve, *, scalar: int, public: bytes, commitment: bytes, r: int, message: bytes
) -> bytes:
    """R || S with S = r + k a for any encodings of R and A: what a forger can make."""
    k = (
        int.from_bytes(
            curve.hash(curve.dom_of(False, None) + commitment + public + message), "little"
        )
        % curve.n
    )
    return commitment + little((r + k * scalar) % curve.n, curve.size)
