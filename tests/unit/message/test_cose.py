"""COSE_Sign1: the published examples, an independent CBOR library, each way to be refused; and
damaged messages.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import cbor2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecfit.errors import UsageError
from ecfit_lab.message import cbor, cose
from ecfit_lab.message.algorithms import Key, verify
from ecfit_lab.message.refusal import MessageRefusedError, Reason

# The key of the examples of the COSE working group (cose-wg/Examples, sign1-tests), kid 11.
KEY = Key(
    "secp256r1",
    bytes.fromhex(
        "04bac5b11cad8f99f9c72b05cf4b9e26d244dc189f745228255a219a86d6a09eff"
        "20138bf82dc1b6d562be0fa54ab7804a3a64b6d72ccfed6b6fb6ed28bbfc117e"
    ),
)
CONTENT = b"This is the content."
BODY = "54546869732069732074686520636f6e74656e742e"
R = "eae868ecc176883766c5dc5ba5b8dca25dab3c2e56a551ce5705b793914348e1"
SIGNATURE = f"5840{R}9f43d6c6ba654472da301b645b293c9ba939295b97c4bdb847782bff384c5794"
EXTERNAL = "11aa22bb33cc44dd55006699"
PASS_02 = (
    f"d28443a10126a104423131{BODY}5840{R}"
    "55388b10c4f1b59a6733eab416870a945111a4b2fbdbef33a77234b1deff2f9b"
)
PASS_03 = f"8443a10126a104423131{BODY}{SIGNATURE}"


def refused(reason: Reason, text: str, external: str = "") -> None:
    with pytest.raises(MessageRefusedError) as error:
        cose.check(bytes.fromhex(text), KEY, external=bytes.fromhex(external))
    assert error.value.reason == reason


def verified(text: str, external: str = "") -> bytes:
    """The payload where the signature is right: that of the examples is not CBOR itself."""
    message = cose.parse(bytes.fromhex(text), bytes.fromhex(external))
    seen = []
    with pytest.raises(MessageRefusedError) as error:
        cose.check(
            bytes.fromhex(text),
            KEY,
            lambda key, signed, signature: (
                not seen.append(  # type: ignore[func-returns-value]
                    verify(key, signed, signature)
                )
            ),
            bytes.fromhex(external),
        )
    assert error.value.reason == Reason.NOT_CBOR
    assert seen == [True]
    return message.payload


def test_published_examples() -> None:
    """sign-pass-02 (external data), sign-pass-03 (no tag), and that with its tag."""
    assert verified(PASS_02, EXTERNAL) == CONTENT
    assert verified(PASS_03) == CONTENT
    assert verified("d2" + PASS_03) == CONTENT


def test_what_is_signed_is_as_published() -> None:
    """The bytes that the examples give as ToBeSign."""
    assert cose.parse(bytes.fromhex(PASS_03)).signed.hex() == (
        f"846a5369676e61747572653143a1012640{BODY}"
    )
    assert cose.parse(bytes.fromhex(PASS_02), bytes.fromhex(EXTERNAL)).signed.hex() == (
        f"846a5369676e61747572653143a101264c{EXTERNAL}{BODY}"
    )


REFUSED = [
    # sign-pass-01 has its algorithm where it is not signed: a receiver need not take that
    (Reason.BAD_SIGN1, f"d28441a0a201260442313154{BODY[2:]}{SIGNATURE}"),
    (Reason.WRONG_SIGNATURE, ("d2" + PASS_03).replace("742e5840", "742f5840")),  # sign-fail-02
    (Reason.WRONG_SIGNATURE, PASS_02),  # without its external data
    (Reason.BAD_SIGN1, "d1" + PASS_03),  # sign-fail-01: tag 17
    (Reason.BAD_SIGN1, "83" + PASS_03[2:-132]),
    (Reason.BAD_SIGN1, "a0"),
    (Reason.BAD_SIGN1, f"d28443a10126a104423131f6{SIGNATURE}"),  # a payload that is not there
    (Reason.BAD_SIGN1, f"d28443a1012680{BODY}{SIGNATURE}"),
    (Reason.BAD_SIGN1, f"d28443a10126a10126{BODY}{SIGNATURE}"),  # a header in both
    (Reason.BAD_SIGN1, f"d28441a0a0{BODY}{SIGNATURE}"),
    (Reason.BAD_SIGN1, f"d28443a101f5a0{BODY}{SIGNATURE}"),
    (Reason.BAD_SIGN1, f"d28443a10126a10401{BODY}{SIGNATURE}"),
    (Reason.CRITICAL, f"d28446a20126028101a0{BODY}{SIGNATURE}"),
    (Reason.UNKNOWN_ALGORITHM, f"d28443a10125a0{BODY}{SIGNATURE}"),
    (Reason.OTHER_ALGORITHM, f"d28443a10127a0{BODY}{SIGNATURE}"),
    (Reason.SIGNATURE_SIZE, f"d28443a10126a0{BODY}4100"),
    (Reason.DUPLICATE, f"d28445a201260126a0{BODY}{SIGNATURE}"),
    (Reason.NOT_CBOR, ""),
    (Reason.NOT_CBOR, "d2" + PASS_03 + "00"),
    (Reason.NOT_CBOR, ("d2" + PASS_03)[:-2]),
    (Reason.NOT_CBOR, "9f"),
    (Reason.NOT_CBOR, "1c"),
    (Reason.BAD_SIGN1, "f93c00"),
    (Reason.BAD_SIGN1, "f7"),
    (Reason.NOT_CBOR, "ff"),
    (Reason.NOT_CBOR, "81ff"),
    (Reason.NOT_CBOR, "f818"),  # a simple value that has one byte
    (Reason.NOT_CBOR, "bf01ff"),  # half a pair
    (Reason.NOT_CBOR, "5f6161ff"),  # a text among bytes
    (Reason.NOT_CBOR, "5f5f4101ffff"),  # chunks in chunks
    (Reason.NOT_CBOR, "7f61c361a4ff"),  # half a character in a chunk
    (Reason.NOT_CBOR, "9f" * 40),
    (Reason.NOT_CBOR, "61ff"),
    (Reason.NOT_CBOR, "a1f500"),
    (Reason.NOT_CBOR, "81" * 40 + "00"),
    (Reason.NOT_CBOR, "9bffffffffffffffff"),
    (Reason.NOT_CBOR, "5bffffffffffffffff00"),
    (Reason.TOO_LONG, "00" * 70_000),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "text"), REFUSED)
def test_each_way_to_be_refused(reason: Reason, text: str) -> None:
    refused(reason, text)


def test_a_key_of_no_algorithm() -> None:
    with pytest.raises(UsageError, match="no message is signed with a key of x25519"):
        cose.check(bytes.fromhex(PASS_03), Key("x25519", bytes(32)))
    with pytest.raises(UsageError, match="no public key of secp256r1"):
        cose.check(bytes.fromhex(PASS_03), Key("secp256r1", bytes(65)))


FLOATS = st.floats(allow_nan=False)
ITEMS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**64), 2**64 - 1) | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.integers(-99, 99) | st.text() | st.binary(), inner, max_size=4)
    ),
    max_leaves=10,
)


@settings(max_examples=200, deadline=None)
@given(ITEMS)
def test_cbor_is_that_of_an_independent_library(item: Any) -> None:
    data = cbor.write(item)
    assert cbor2.loads(data) == item
    assert cbor.read(data) == item
    assert cbor.read(cbor2.dumps(item)) == item


@settings(max_examples=200, deadline=None)
@given(st.floats())
def test_a_float_has_the_shortest_encoding(value: float) -> None:
    """As the independent library writes it."""
    assert cbor.write(value) == cbor2.dumps(value, canonical=True)


@settings(max_examples=200, deadline=None)
@given(st.lists(FLOATS | ITEMS, max_size=6), st.booleans())
def test_floats_and_indefinite_lengths_of_an_independent_library(
    items: list[Any], canonical: bool
) -> None:
    """Floats of all sizes, and what stands around them."""
    assert cbor.read(cbor2.dumps(items, canonical=canonical)) == items
    parts = [cbor2.dumps(item, canonical=canonical) for item in items]
    assert cbor.read(b"\x9f" + b"".join(parts) + b"\xff") == items
    pairs = b"".join(cbor2.dumps(n) + part for n, part in enumerate(parts))
    assert cbor.read(b"\xbf" + pairs + b"\xff") == dict(enumerate(items))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=120))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        item = cbor.read(data)
    except MessageRefusedError:
        return
    assert cbor.write(cbor.read(cbor.write(item))) == cbor.write(item)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=8), st.integers(0, 200))
def test_damaged_messages_are_refused(change: bytes, place: int) -> None:
    whole = bytearray(bytes.fromhex("d2" + PASS_03))
    place %= len(whole)
    whole[place : place + len(change)] = change
    if whole != bytes.fromhex("d2" + PASS_03):
        with pytest.raises(MessageRefusedError):
            cose.check(bytes(whole), KEY)


# ---- a moment of tools/fuzz/fuzz_messages.py; sweep `fuzz-messages` takes longer -----------------

SCRIPT = Path(__file__).resolve().parents[3] / "tools" / "fuzz" / "fuzz_messages.py"


@pytest.mark.parametrize("kind", ["json", "cbor"])
def test_damaged_messages_end_well(kind: str) -> None:
    command = [sys.executable, str(SCRIPT), kind, "1", "7"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"fuzz: {kind} messages, seed 7: ")
    assert "wrong signature" in done.stdout
