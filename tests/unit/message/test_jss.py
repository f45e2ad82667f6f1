"""JSON Sensor Signatures: the published vectors of RFC 8785, and each way to be refused."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, utils
from hypothesis import given, settings
from hypothesis import strategies as st

from ecfit_lab.message import canonical, jss
from ecfit_lab.message.algorithms import Key
from ecfit_lab.message.refusal import MessageRefusedError, Reason

PRIVATE = ec.derive_private_key(0x1234567, ec.SECP192R1())
NUMBERS = PRIVATE.public_key().public_numbers()
KEY = Key("secp192r1", b"\x04" + NUMBERS.x.to_bytes(24, "big") + NUMBERS.y.to_bytes(24, "big"))
SAMPLE = {"chip_temp": 20953, "measurement_id": 34}

# RFC 8785, appendix B: the bits of an IEEE 754 double, and its text.
NUMBERS_OF_THE_RFC = {
    0x0000000000000000: "0",
    0x8000000000000000: "0",
    0x0000000000000001: "5e-324",
    0x8000000000000001: "-5e-324",
    0x7FEFFFFFFFFFFFFF: "1.7976931348623157e+308",
    0xFFEFFFFFFFFFFFFF: "-1.7976931348623157e+308",
    0x4340000000000000: "9007199254740992",
    0xC340000000000000: "-9007199254740992",
    0x4430000000000000: "295147905179352830000",
    0x44B52D02C7E14AF5: "9.999999999999997e+22",
    0x44B52D02C7E14AF6: "1e+23",
    0x44B52D02C7E14AF7: "1.0000000000000001e+23",
    0x444B1AE4D6E2EF4E: "999999999999999700000",
    0x444B1AE4D6E2EF4F: "999999999999999900000",
    0x444B1AE4D6E2EF50: "1e+21",
    0x3EB0C6F7A0B5ED8C: "9.999999999999997e-7",
    0x3EB0C6F7A0B5ED8D: "0.000001",
    0x41B3DE4355555553: "333333333.3333332",
    0x41B3DE4355555554: "333333333.33333325",
    0x41B3DE4355555555: "333333333.3333333",
    0x41B3DE4355555556: "333333333.3333334",
    0x41B3DE4355555557: "333333333.33333343",
    0xBECBF647612F3696: "-0.0000033333333333333333",
    0x43143FF3C1CB0959: "1424953923781206.2",
}


def sign(data: bytes) -> bytes:
    r, s = utils.decode_dss_signature(PRIVATE.sign(data, ec.ECDSA(hashes.SHA256())))
    return r.to_bytes(24, "big") + s.to_bytes(24, "big")


def signed(payload: dict[str, Any] | None = None) -> dict[str, Any]:
    """A good message, as an object that a test may damage."""
    found: dict[str, Any] = json.loads(jss.write(payload or SAMPLE, "ES192", sign))
    return found


@pytest.mark.parametrize(("bits", "text"), NUMBERS_OF_THE_RFC.items())
def test_numbers_of_the_rfc(bits: int, text: str) -> None:
    (value,) = struct.unpack(">d", struct.pack(">Q", bits))
    assert canonical.write(value) == text.encode()


def test_the_sorting_example_of_the_rfc() -> None:
    """RFC 8785, 3.2.3: by UTF-16 units, so that the smiley stands before the Hebrew letter."""
    data = (
        rb'{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh"'
        rb',"1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control",'
        rb'"\u00f6":"Latin Small Letter O With Diaeresis"}'
    )
    wanted = ["\r", "1", "\u0080", "ö", "€", "😀", "\ufb33"]
    assert list(json.loads(canonical.write(canonical.read(data)))) == wanted


def test_the_utf8_example_of_the_rfc() -> None:
    """RFC 8785, 3.2.2 and 3.2.4."""
    data = rb"""{
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]}"""
    wanted = (
        "7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b"
        "3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d2c"
        "22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d"
    )
    assert canonical.write(canonical.read(data)).hex() == wanted


def test_the_sample_of_the_paper() -> None:
    assert len(canonical.write(SAMPLE)) == 39
    message = jss.write(SAMPLE, "ES192", sign)
    assert len(message) == 154
    assert jss.check(message, KEY) == SAMPLE


def test_any_white_space_and_order() -> None:
    whole = signed()
    backwards = dict(reversed(whole.items()))
    for text in (json.dumps(whole, indent=3), json.dumps(backwards), json.dumps(whole) + "\n \t\r"):
        assert jss.check(text.encode(), KEY) == SAMPLE


def test_other_ways_to_spell_the_same() -> None:
    """A number and a text have several forms in JSON: what is signed is their value."""
    text = json.dumps(signed()).replace("20953", "2.0953e4").replace("chip", r"\u0063hip")
    assert jss.check(text.encode(), KEY) == SAMPLE


def test_ed448() -> None:
    private = ed448.Ed448PrivateKey.generate()
    key = Key("ed448", private.public_key().public_bytes_raw())
    assert jss.check(jss.write(SAMPLE, "EdDSA", private.sign), key) == SAMPLE


def changed(**members: Any) -> bytes:
    """A good message with other members; None takes one out."""
    whole = signed() | {name.replace("__", "."): value for name, value in members.items()}
    return json.dumps({name: value for name, value in whole.items() if value is not None}).encode()


def text_of(signature: bytes) -> str:
    return jss.base64url(signature)


REFUSED: list[tuple[Reason, bytes]] = [
    (Reason.NOT_JSON, b""),
    (Reason.NOT_JSON, b"{"),
    (Reason.NOT_JSON, b'{"a":1}x'),
    (Reason.NOT_JSON, b"\xff"),
    (Reason.NOT_JSON, b"\xef\xbb\xbf{}"),
    (Reason.NOT_JSON, b'{"a":NaN}'),
    (Reason.NOT_JSON, b'{"a":Infinity}'),
    (Reason.NOT_JSON, b'{"a":01}'),
    (Reason.NOT_JSON, b"[" * 30_000 + b"]" * 30_000),
    (Reason.NOT_JSON, b'{"a":' + b"[" * 60 + b"]" * 60 + b"}"),
    (Reason.NOT_JSON, changed(note="\ud800")),
    (Reason.NOT_OBJECT, b"[]"),
    (Reason.NOT_OBJECT, b'"jss.signature"'),
    (Reason.TOO_LONG, b" " * 70_000),
    (Reason.DUPLICATE, b'{"a":1,"a":1}'),
    (Reason.DUPLICATE, b'{"b":{"a":1,"a":2}}'),
    (Reason.DUPLICATE, json.dumps(signed()).encode()[:-1] + b',"jss\\u002esignature":""}'),
    (Reason.NUMBER, b'{"a":9007199254740992}'),
    (Reason.NUMBER, b'{"a":1e999}'),
    (Reason.NUMBER, b'{"a":' + b"9" * 5000 + b"}"),
    (Reason.NO_PROTECTED, changed(jss__protected=None)),
    (Reason.BAD_PROTECTED, changed(jss__protected="ES192")),
    (Reason.BAD_PROTECTED, changed(jss__protected={})),
    (Reason.BAD_PROTECTED, changed(jss__protected={"alg": 192})),
    (Reason.BAD_PROTECTED, changed(jss__protected={"alg": "ES192", "crit": ["b64"]})),
    (Reason.NO_SIGNATURE, changed(jss__signature=None)),
    (Reason.NO_SIGNATURE, changed(jss__signature=1)),
    (Reason.BAD_TEXT, changed(jss__signature="A" * 65)),
    (Reason.BAD_TEXT, changed(jss__signature="A" * 63 + "=")),
    (Reason.BAD_TEXT, changed(jss__signature="A" * 63 + "+")),
    (Reason.BAD_TEXT, changed(jss__signature="A" * 64 + "\n")),
    (Reason.BAD_TEXT, changed(jss__signature="AB")),  # bits behind the last byte
    (Reason.UNKNOWN_MEMBER, changed(jss__other=1)),
    (Reason.UNKNOWN_ALGORITHM, changed(jss__protected={"alg": "none"})),
    (Reason.UNKNOWN_ALGORITHM, changed(jss__protected={"alg": "HS256"})),
    (Reason.OTHER_ALGORITHM, changed(jss__protected={"alg": "ES256"})),
    (Reason.SIGNATURE_SIZE, changed(jss__signature=text_of(bytes(47)))),
    (Reason.WRONG_SIGNATURE, changed(jss__signature=text_of(bytes(48)))),
    (Reason.WRONG_SIGNATURE, changed(chip_temp=20954)),
    (Reason.WRONG_SIGNATURE, changed(chip_temp=None)),
    (Reason.WRONG_SIGNATURE, changed(other=1)),
    (Reason.WRONG_SIGNATURE, changed(jss__protected={"alg": "ES192", "kid": "7"})),
]


@pytest.mark.parametrize(("reason", "data"), REFUSED)
def test_each_way_to_be_refused(reason: Reason, data: bytes) -> None:
    with pytest.raises(MessageRefusedError) as error:
        jss.check(data, KEY)
    assert error.value.reason == reason


def test_a_payload_with_members_of_the_signature() -> None:
    with pytest.raises(MessageRefusedError, match="unknown jss member"):
        jss.write({"jss.protected": 1}, "ES192", sign)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text().filter(lambda name: not name.startswith("jss.")), JSON))
def test_any_payload_that_is_signed_is_read(payload: dict[str, Any]) -> None:
    def spelled(value: object) -> object:
        return json.loads(canonical.write(value))

    try:
        message = jss.write(payload, "ES192", sign)
        read = jss.check(message, KEY)
    except MessageRefusedError as error:  # the canonical form of 1e20 is an integer
        assert error.reason in (Reason.NUMBER, Reason.NOT_JSON)
        return
    assert spelled(read) == spelled(payload)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.text(alphabet='{}[]",:0e-.\\ujs', max_size=80).map(str.encode))
def test_any_bytes_are_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(MessageRefusedError):
        jss.check(data, KEY)
