"""Signatures in DER against an independent encoder: all edges of length, and every wrong byte."""

from __future__ import annotations

import itertools

import pytest
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)

from workshop.library.curves import BAD_SIGNATURE, CURVES, NAMES, OK, Bound

BUILDS = ["balanced", "shared"]


@pytest.fixture(params=NAMES)
def bound(request: pytest.FixtureRequest) -> Bound:
    """Each curve with an instance of its own."""
    return Bound("balanced", CURVES[request.param])


def raw(bound: Bound, r: int, s: int) -> bytes:
    """r || s."""
    return bound.scalar(r) + bound.scalar(s)


def edges(bound: Bound) -> list[int]:
    """Numbers with every size of contents that DER can have, with and without
    a zero before them.
    """
    n = bound.curve.n
    sizes = [1 << 8 * size for size in range(bound.order)]
    near = [value + change for value in sizes for change in (-1, 0, 1)] + [
        value << 7 for value in sizes
    ]
    return sorted({value for value in [*near, n - 1, n - 2, n // 2] if 0 < value < n})


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("name", NAMES)
def test_against_another_encoder(build: str, name: str) -> None:
    bound = Bound(build, CURVES[name])
    values = edges(bound)
    sizes = set()
    for r, s in [
        *zip(values, reversed(values), strict=True),
        *itertools.product(values[::7], repeat=2),
    ]:
        der = encode_dss_signature(r, s)
        assert bound.to_der(raw(bound, r, s)) == (OK, der)
        assert bound.from_der(der) == (OK, raw(bound, r, s))
        sizes.add(len(der))
    top = encode_dss_signature(bound.curve.n - 1, bound.curve.n - 1)
    assert bound.from_der(top) == (OK, raw(bound, bound.curve.n - 1, bound.curve.n - 1))
    assert len(top) <= 2 * bound.order + 9
    assert bound.from_der(encode_dss_signature(1, 1))[0] == OK
    assert (max(sizes | {len(top)}) >= 0x83) == (bound.order >= 64), (
        "the long form of a length is reached"
    )


def test_out_of_range(bound: Bound) -> None:
    nothing = (BAD_SIGNATURE, bytes(2 * bound.order))
    n, top = bound.curve.n, (1 << 8 * bound.order) - 1
    for r, s in [(0, 1), (1, 0), (0, 0), (n, 1), (1, n), (top, 1), (1, top)]:
        assert bound.to_der(raw(bound, r, s)) == (BAD_SIGNATURE, b""), (r, s)
        assert bound.from_der(encode_dss_signature(r, s)) == nothing, (r, s)
    for much in (top + 1, top << 8 | 1, 1 << 1000, 1 << 2000):
        assert bound.from_der(encode_dss_signature(much, 1)) == nothing
        assert bound.from_der(encode_dss_signature(1, much)) == nothing


def test_every_wrong_byte(bound: Bound) -> None:
    """All one-byte changes, cuts and insertions: accepted exactly when they are the encoding
    of a pair in range.
    """
    n = bound.curve.n
    for r, s in [(5, n - 1), (n // 3, 0x80), (1 << n.bit_length() - 2, n // 5)]:
        good = encode_dss_signature(r, s)
        wrong = {
            good[:i] + bytes([byte]) + good[i + 1 :]
            for i in range(len(good))
            for byte in near(good[i])
        }
        wrong |= {good[:size] for size in range(len(good))} | {good + b"\0", good + good, good[1:]}
        wrong |= {
            good[:i] + bytes([byte]) + good[i:]
            for i in range(len(good))
            for byte in (0, 0x80, 0xFF)
        }
        accepted = 0
        for der in wrong - {good}:
            status, out = bound.from_der(der)
            pair = decoded(der)
            in_range = pair is not None and all(0 < value < n for value in pair)
            assert (status == OK) == in_range, der.hex()
            assert out == (
                raw(bound, *pair) if pair is not None and in_range else bytes(2 * bound.order)
            )
            accepted += in_range
        assert 20 < accepted < len(wrong) - 100


def test_nothing_left_for_the_second_integer(bound: Bound) -> None:
    """The first takes all of the sequence but a few bytes: too few for another,
    or for its contents.
    """
    for left in (
        b"",
        b"\x02",
        b"\x02\x01",
        b"\x02\x02\x01",
        b"\x02\x00\x01",
        b"\x02\x7f\x01",
        b"\x03\x01\x01",
    ):
        first = b"\x02\x06" + bytes(range(1, 7))
        der = b"\x30" + bytes([len(first + left)]) + first + left
        assert bound.from_der(der) == (BAD_SIGNATURE, bytes(2 * bound.order)), der.hex()
    good = b"\x30\x0b" + b"\x02\x06" + bytes(range(1, 7)) + b"\x02\x01\x01"
    assert bound.from_der(good)[0] == OK


def near(byte: int) -> set[int]:
    """Other values of a byte: next to it, each bit changed, and those
    that mean something in DER.
    """
    return (
        {byte + 1 & 0xFF, byte - 1 & 0xFF, 0, 0x02, 0x30, 0x80, 0x81, 0x82, 0xFF}
        | {byte ^ 1 << i for i in range(8)}
    ) - {byte}


def decoded(der: bytes) -> tuple[int, int] | None:
    """What another decoder makes of it, if that is what its encoder would write."""
    try:
        pair = decode_dss_signature(der)
    except ValueError:
        return None
    return pair if min(pair) >= 0 and encode_dss_signature(*pair) == der else None
