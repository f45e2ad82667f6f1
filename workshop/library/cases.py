"""Inputs of secp256r1 that reach the corners, and what the library must do with them."""

from __future__ import annotations

import random
from functools import cache

from ref import codec, ecdsa, group
from ref.curves import SECP256R1

from workshop.library.api import Library, Rng, Status
from workshop.scale import SMALL

CURVE = SECP256R1
P, N = CURVE.p, CURVE.n
ALL_ONES = (1 << 256) - 1
SMALL_Y = (
    0xD7325D7646CD60D80A92738CEB345F844CFFAF35841022CAB176F692DE8DE1D7,
    5,
)  # a point with a tiny y

BAD_SCALARS = {"zero": 0, "n": N, "n+1": N + 1, "2^256-1": ALL_ONES, "p": P}


def scaled(count: int) -> int:
    """`count`, or a tenth of it (at least one) where every step is slow (SMALL)."""
    return max(1, count // 10) if SMALL else count


def scalar_bytes(value: int) -> bytes:
    """32 bytes, big-endian."""
    return value.to_bytes(32, "big")


@cache
def edge_scalars() -> list[int]:
    """Scalars in 1 .. n-1 with long runs of zeros and ones, at the ends of the range
    and beside its middle.
    """
    powers = [1 << bit for bit in (1, 2, 15, 16, 31, 32, 63, 64, 96, 127, 128, 192, 223, 224, 255)]
    values = {1, 2, 3, 4, 5, N - 1, N - 2, N - 3, N // 2, N // 2 + 1, (1 << 256) - N}
    values |= set(powers) | {power - 1 for power in powers[1:]} | {N - power for power in powers}
    values |= {
        int("55" * 32, 16),
        int("aa" * 32, 16),
        int("ffff0000" * 8, 16) % N,
        int("00ff" * 16, 16),
    }
    return sorted(values)


@cache
def edge_digests() -> list[bytes]:
    """Hashes of every length that matters, below, at and above n."""
    numbers = [0, 1, N - 1, N, N + 1, ALL_ONES, ALL_ONES - 1, 1 << 255]
    lengths = [bytes(range(1, size + 1)) for size in (0, 1, 2, 20, 28, 31, 33, 48, 64, 100)]
    return (
        [scalar_bytes(number) for number in numbers]
        + lengths
        + [bytes(31), b"\xff" * 31, b"\xff" * 33, b"\xff" * 64]
    )


def random_scalars(seed: int, count: int) -> list[int]:
    """Uniform scalars in 1 .. n-1, the same ones every time."""
    source = random.Random(seed)
    return [source.randrange(1, N) for _ in range(count)]


@cache
def public_key_of(scalar: int) -> bytes:
    """Uncompressed scalar * G by the reference."""
    return codec.encode_point(CURVE, group.multiply_base(CURVE, scalar))


def point_bytes(x: int, y: int, lead: int = 4) -> bytes:
    """Uncompressed form of any pair of 256-bit numbers."""
    return bytes([lead]) + scalar_bytes(x) + scalar_bytes(y)


@cache
def special_points() -> dict[str, bytes]:
    """Valid public keys of a special form."""
    points = {
        f"x={x}": (x, codec.lift(CURVE, x, odd=odd))
        for x, odd in ((0, False), (5, True), (6, False))
    }
    points["y=5"] = SMALL_Y
    points["y=-5"] = (SMALL_Y[0], P - 5)
    points["large x"] = _first_x(range(P - 1, P - 100, -1))
    points["x above n"] = _first_x(range(N, N + 100))
    return {name: point_bytes(*point) for name, point in points.items()}


@cache
def invalid_points() -> dict[str, bytes]:
    """65 bytes that are no public key."""
    valid = public_key_of(7)
    x, y = int.from_bytes(valid[1:33], "big"), int.from_bytes(valid[33:], "big")
    small_x = codec.lift(CURVE, 5, odd=False)
    cases = {
        "y + 1": point_bytes(x, (y + 1) % P),
        "x + 1": point_bytes((x + 1) % P, y),
        "swapped": point_bytes(y, x),
        "zero": bytes(65),
        "0, 0": point_bytes(0, 0),
        "all ones": point_bytes(ALL_ONES, ALL_ONES),
        "p, p": point_bytes(P, P),
        "x = p": point_bytes(P, codec.lift(CURVE, 0, odd=False)),
        "x + p": point_bytes(5 + P, small_x),
        "y + p": point_bytes(SMALL_Y[0], SMALL_Y[1] + P),
        "y = p": point_bytes(x, P),
        "y = 0": point_bytes(x, 0),
        "twist": point_bytes(_non_residue(), 1),
        "off by 2^32": point_bytes(x ^ 1 << 32, y),
        "off by the top bit of y": point_bytes(x, (y ^ 1 << 255) % P),
    }
    cases |= {
        f"lead {lead:#04x}": point_bytes(x, y, lead)
        for lead in (0, 1, 2, 3, 5, 6, 7, 0x0C, 0x84, 0xFF)
    }
    return cases


@cache
def invalid_compressed() -> dict[str, bytes]:
    """33 bytes that are no public key."""
    x = public_key_of(7)[1:33]
    cases = {f"lead {lead:#04x}": bytes([lead]) + x for lead in (0, 1, 4, 5, 6, 7, 0x82, 0xFF)}
    for lead in (2, 3):
        cases |= {
            f"{lead}: no such x": bytes([lead]) + scalar_bytes(_non_residue()),
            f"{lead}: x = p": bytes([lead]) + scalar_bytes(P),
            f"{lead}: x + p": bytes([lead]) + scalar_bytes(P + 5),
            f"{lead}: all ones": bytes([lead]) + scalar_bytes(ALL_ONES),
        }
    return cases


def _non_residue() -> int:
    """The smallest x that no point of the curve has."""
    return next(x for x in range(100) if not _has_x(x))


def _first_x(candidates: range) -> tuple[int, int]:
    """The first point whose x is among the candidates."""
    x = next(x for x in candidates if _has_x(x))
    return (x, codec.lift(CURVE, x, odd=False))


def _has_x(x: int) -> bool:
    try:
        codec.lift(CURVE, x, odd=False)
    except ValueError:
        return False
    return True


def signing_rng(library: Library, draw: bytes) -> Rng | None:
    """A generator that gives `draw` for a signature, or None where the nonce needs none."""
    return None if library.knobs["NONCE"] == "deterministic" else Rng.of(draw)


def expected_signature(library: Library, private_key: int, digest: bytes, draw: bytes) -> bytes:
    """What signing must give, with `draw` from the generator: a nonce in 1 .. n-1
    or the additional data.
    """
    kind = library.knobs["NONCE"]
    if kind == "random":
        signature = ecdsa.sign_with_nonce(CURVE, private_key, digest, int.from_bytes(draw, "big"))
        assert signature is not None
    else:
        signature = ecdsa.sign(CURVE, private_key, digest, extra=draw if kind == "hedged" else b"")
    return ecdsa.encode_signature(CURVE, signature)


def check_signing(library: Library, private_key: int, digest: bytes, draw: bytes) -> bytes:
    """Signs and compares with the reference; returns the signature."""
    status, signature = library.sign(scalar_bytes(private_key), digest, signing_rng(library, draw))
    assert status is Status.OK
    assert signature == expected_signature(library, private_key, digest, draw)
    return signature
