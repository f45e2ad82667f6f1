"""Generators that fail or are stuck, for every curve: their own status, zeroed outputs,
a bounded number of draws.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest
from ref import codec
from ref.group import multiply_base

from workshop.library import build as lib_build
from workshop.library.curves import BUILDS, CURVES, NAMES, OK, RNG_FAILED, Bound, Fill, Rng, empty
from workshop.library.steps import Task

MANY = 200  # draws: far more than any operation may take
DIGEST = bytes(range(32))


class Watched:
    """A generator that counts its calls; `source(call, size)` returns bytes,
    or None for a failure.
    """

    def __init__(self, source: Callable[[int, int], bytes | None]) -> None:
        self.calls = 0

        def fill(_context: int, out: int, size: int) -> int:
            self.calls += 1
            data = source(self.calls, size) if self.calls <= MANY else None
            if data is None:
                return -1
            ctypes.memmove(out, data, size)
            return 0

        self.rng = Rng(Fill(fill), None)


def stuck(byte: int) -> Callable[[int, int], bytes]:
    """Every byte the same."""
    return lambda _call, size: bytes([byte]) * size


@pytest.fixture(params=["tiny", "blinded", "shared"])
def build(request: pytest.FixtureRequest) -> str:
    """Random nonces; blinding; the shared instance with deterministic nonces."""
    return str(request.param)


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    """Each curve."""
    return str(request.param)


def keygen(bound: Bound, watched: Watched) -> tuple[int, bytes, bytes]:
    """Status, public key, private key."""
    private = ctypes.create_string_buffer(b"\xa5" * bound.order, bound.order)
    status, public = bound.call("keygen", 1 + 2 * bound.field, private, ctypes.byref(watched.rng))
    return status, public, private.raw


BAD: dict[str, Callable[[Bound], Watched]] = {
    "fails at once": lambda _: Watched(lambda _call, _size: None),
    "fails after out of range": lambda _: Watched(
        lambda call, size: bytes(size) if call < 3 else None
    ),
    "zeros": lambda _: Watched(stuck(0x00)),
    "ones": lambda _: Watched(stuck(0xFF)),
    "in range, but stuck": lambda _: Watched(stuck(0x01)),
    "the order": lambda bound: Watched(
        lambda _call, size: bound.curve.n.to_bytes(bound.order, "big")[-size:]
    ),
}


@pytest.mark.parametrize("bad", BAD)
def test_no_key_from_a_bad_generator(build: str, name: str, bad: str) -> None:
    bound = Bound(build, CURVES[name])
    watched = BAD[bad](bound)
    assert keygen(bound, watched) == (RNG_FAILED, bytes(1 + 2 * bound.field), bytes(bound.order))
    assert 1 <= watched.calls < MANY


@pytest.mark.parametrize("bad", BAD)
def test_no_signature_from_a_bad_generator(build: str, name: str, bad: str) -> None:
    """Where the operation needs random numbers, and these are none."""
    bound = Bound(build, CURVES[name])
    watched = BAD[bad](bound)
    status, signature = bound.sign(77, DIGEST, watched.rng)
    if build == "shared":
        assert (status, watched.calls) == (OK, 0), "a deterministic signature asks nobody"
    else:
        assert (status, signature) == (RNG_FAILED, bytes(2 * bound.order))
    assert watched.calls < MANY


def test_a_generator_that_repeats_itself(name: str) -> None:
    """Valid numbers, always the same: the library cannot know, and answers with the key
    that they are.
    """
    bound = Bound("tiny", CURVES[name])
    draw = (bound.curve.n // 3).to_bytes(bound.order, "big")
    for _ in range(2):
        status, public, private = keygen(bound, Watched(lambda _call, size: draw[:size]))
        assert (status, private) == (OK, draw)
        assert public == codec.encode_point(
            bound.curve, multiply_base(bound.curve, bound.curve.n // 3)
        )


def test_the_watcher_counts(name: str) -> None:
    """An operation that draws is seen to: the counts above are not zero by mistake."""
    bound = Bound("blinded", CURVES[name])
    watched = Watched(lambda _call, size: bytes(range(size)))
    assert bound.sign(5, DIGEST, watched.rng)[0] == OK
    assert watched.calls == 2, "for the multiplication, and for what follows it"


def operations(bound: Bound, rng: Rng | None) -> dict[str, Callable[[], tuple[int, bytes]]]:
    """All that draw, by name: status and all outputs."""
    source = None if rng is None else ctypes.byref(rng)
    key = bound.scalar(77)
    peer = codec.encode_point(bound.curve, multiply_base(bound.curve, 5))
    private = ctypes.create_string_buffer(b"\xa5" * bound.order, bound.order)

    def keygen() -> tuple[int, bytes]:
        """Both keys."""
        status, public = bound.call("keygen", 1 + 2 * bound.field, private, source)
        return status, public + private.raw

    return {
        "keygen": keygen,
        "public_key": lambda: bound.call("public_key", 1 + 2 * bound.field, key, source),
        "ecdh": lambda: bound.call("ecdh", bound.field, key, peer, source),
        "sign": lambda: bound.call(
            "ecdsa_sign", 2 * bound.order, key, DIGEST, ctypes.c_size_t(32), source
        ),
    }


def good_draws(count: int, then: int | None) -> Callable[[int, int], bytes | None]:
    """A small number so many times, then a failure (None), or numbers with this last byte."""

    def source(call: int, size: int) -> bytes | None:
        last = 5 if call <= count else then
        return None if last is None else last.to_bytes(size, "big")

    return source


@pytest.mark.parametrize("op", ["keygen", "public_key", "ecdh", "sign"])
@pytest.mark.parametrize("blinding", ["blinded", "masked", "xonly"])
def test_each_draw_may_fail(blinding: str, name: str, op: str) -> None:
    """With blinding everything draws: no generator; at the first,
    second .. draw a failure, or 0.
    """
    bound = Bound(blinding, CURVES[name])
    status, out = operations(bound, None)[op]()
    assert status == RNG_FAILED and not any(out)
    for then in (None, 0):
        statuses: list[int] = []
        while not statuses or statuses[-1] == RNG_FAILED:
            watched = Watched(good_draws(len(statuses), then))
            status, out = operations(bound, watched.rng)[op]()
            assert status == OK or not any(out)
            statuses.append(status)
            assert len(statuses) < 10
        assert statuses[-1] == OK
        assert watched.calls == len(statuses) - 1 >= 1


CHECKED = {  # what hands the caller's generator on in another one
    nonce: {"CHECK": "verify", "NONCE": nonce, "BLIND": blind}
    for nonce, blind in (("hedged", "none"), ("random", "none"), ("deterministic", "coordinates"))
}


@pytest.mark.parametrize("build", [*BUILDS, *CHECKED])
def test_a_generator_without_a_function_is_none(build: str) -> None:
    """`ecfit_rng rng = {0}` has the outcome of NULL in each call: no draw, or ECFIT_RNG_FAILED."""
    config = lib_build.configuration("balanced", "w64", **CHECKED.get(build, {}))
    for name in NAMES if build in BUILDS else ["secp256r1"]:
        of = build if build in BUILDS else ctypes.CDLL(str(lib_build.shared(config)))
        bound = Bound(of, CURVES[name])
        for op in operations(bound, None):
            wanted = operations(bound, None)[op]()
            assert operations(bound, empty())[op]() == wanted, (name, op)
            assert wanted[0] in {OK, RNG_FAILED}
        if not hasattr(bound.lib, f"ecfit_{name}_keygen_start"):
            continue
        peer = codec.encode_point(bound.curve, multiply_base(bound.curve, 5))
        in_pieces: dict[str, tuple[object, ...]] = {
            "keygen": (),
            "ecdh": (bound.scalar(77), peer),
            "ecdsa_sign": (bound.scalar(77), DIGEST, ctypes.c_size_t(32)),
        }
        for op, arguments in in_pieces.items():
            wanted = Task(bound).run(op, *arguments, rng=None)
            assert Task(bound).run(op, *arguments, rng=empty()) == wanted, (name, op)
            assert Task(bound).run_in(op, *arguments, rng=empty()) == wanted, (name, op)
