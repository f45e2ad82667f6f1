"""What a message is worth: three forms, how they are told apart, and their names."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives import serialization as s
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519

from ecfit_lab.gateway.keyring import Keyring
from ecfit_lab.gateway.readings import Message, Reading, Refusal, examine
from ecfit_lab.message import cbor, cose, forms, jss
from ecfit_lab.message.algorithms import ALGORITHMS, verify
from tools.rigs import sensor_fleet as sf
from workshop.library import recovery as lib_recovery

READING = {"boot_epoch": 2**53 - 1, "chip_temp": 20953, "measurement_id": 34}
COSE = forms.COSE_SIGN1
OCTETS = forms.OCTETS


class Sensor(NamedTuple):
    """A key of P-256, and the gateway's folder that has it."""

    key: Any
    keys: Keyring

    def sign(self, data: bytes) -> bytes:
        return sf.signer_of(self.key, ALGORITHMS[1])(data)

    def jss(self, payload: dict[str, Any]) -> bytes:
        return jss.write(payload, "ES256", self.sign)

    def cose(self, payload: Any) -> bytes:
        return cose.write(payload, -7, self.sign)

    def cose_of(self, body: bytes) -> bytes:
        """Of a payload that is CBOR already."""
        protected = cbor.write({1: -7})
        signature = self.sign(cbor.write(["Signature1", protected, b"", body]))
        return cbor.write(cbor.Tagged(cose.TAG, [protected, {}, body, signature]))

    def recovery(self, payload: Any) -> bytes:
        d, k = self.key.private_numbers().private_value, random.Random(1).randrange(1, 2**255)
        return lib_recovery.made("secp256r1", d, k, cbor.write(payload), b"")

    def told(self, data: bytes, form: int | None) -> Reading | Refusal:
        return examine(Message("s", data, None, form), self.keys, verify, "measurement_id")


@pytest.fixture
def sensor(tmp_path: Path) -> Sensor:
    key = ec.generate_private_key(ec.SECP256R1())
    form = s.PublicFormat.SubjectPublicKeyInfo
    (tmp_path / "attic.pem").write_bytes(key.public_key().public_bytes(s.Encoding.PEM, form))
    keys = Keyring(tmp_path, lambda _: True)
    keys.reload()
    return Sensor(key, keys)


TAKEN: list[tuple[str, int | None]] = [
    ("jss", 50), ("jss", None), ("jss", 0),
    ("cose", COSE), ("cose", None), ("cose", 50),
    ("recovery", OCTETS),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "form"), TAKEN)
def test_one_reading_in_each_form(kind: str, form: int | None, sensor: Sensor) -> None:
    """The same members, and the same name: a reading that comes in two forms is kept once."""
    found = sensor.told(getattr(sensor, kind)(READING), form)
    assert isinstance(found, Reading), found
    assert found.payload == READING
    assert (found.epoch, found.measurement) == ("9007199254740991", "34")
    assert found.algorithm == ("PV" if kind == "recovery" else "ES256")


def test_labels_in_place_of_names(sensor: Sensor) -> None:
    """They are written as texts: the boot epoch has its own."""
    labelled = {-24: 5, 1: 20953, 2: 34}
    for data, form in ((sensor.cose(labelled), COSE), (sensor.recovery(labelled), OCTETS)):
        found = examine(Message("s", data, None, form), sensor.keys, verify, "2")
        assert isinstance(found, Reading), found
        assert (found.epoch, found.measurement) == ("5", "34")
        assert found.payload == {"-24": 5, "1": 20953, "2": 34}


def test_a_message_without_an_epoch_is_an_old_one(sensor: Sensor) -> None:
    old = {name: value for name, value in READING.items() if name != "boot_epoch"}
    found = sensor.told(sensor.jss(old), 50)
    assert isinstance(found, Reading)
    assert found.epoch == ""


def flipped(data: bytes) -> bytes:
    """With another last byte."""
    return data[:-1] + bytes([data[-1] ^ 1])


Made = Callable[[Sensor], bytes]
REFUSED: list[tuple[str, int | None, Made]] = [
    ("malformed boot epoch", None, lambda one: one.jss(READING | {"boot_epoch": 1.5})),
    ("malformed boot epoch", None, lambda one: one.jss(READING | {"boot_epoch": True})),
    ("malformed boot epoch", None, lambda one: one.jss(READING | {"boot_epoch": "x" * 199})),
    ("no measurement id", COSE, lambda one: one.cose({"boot_epoch": 1})),
    ("no measurement id", OCTETS, lambda one: one.recovery({"boot_epoch": 1})),
    ("not an object", OCTETS, lambda one: one.recovery([20953, 34])),
    ("not an object", COSE, lambda one: one.cose(34)),
    ("duplicate member", COSE, lambda one: one.cose({"measurement_id": 1, 1: 2, "1": 3})),
    ("number out of range", COSE, lambda one: one.cose({"measurement_id": 2**53})),
    ("no measurement id", COSE, lambda one: one.cose({b"measurement_id": 1})),
    ("duplicate member", COSE, lambda one: one.cose({b"1": 1, "MQ": 2})),
    ("not an object", COSE, lambda one: one.cose([])),
    ("not an object", COSE, lambda one: one.cose([34, READING])),
    ("not CBOR", COSE, lambda one: one.jss(READING)),
    ("not JSON", 50, lambda one: one.recovery(READING)),
    ("not JSON", None, lambda _: b""),
    ("signature of the wrong size", OCTETS, lambda _: b""),
    ("no redundancy: not signed with this key", OCTETS, lambda one: b"x" * 200),
    ("wrong signature", COSE, lambda one: flipped(one.cose(READING))),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refused_with_a_reason(number: int, sensor: Sensor) -> None:
    reason, form, made = REFUSED[number]
    found = sensor.told(made(sensor), form)
    assert isinstance(found, Refusal)
    assert found.reason == reason, found


def test_numbers_of_cbor_have_one_value(sensor: Sensor) -> None:
    """COSE signs the bytes of the payload, so only the sensor itself can spell a number otherwise:
    a longer head is the same integer, and so is a float (RFC 8785, 3.2.2.3).
    """
    name = cbor.write("measurement_id")
    heads = ("1822", "190022", "1a00000022", "1b0000000000000022")
    floats = ("f95040", "fa42080000", "fb4041000000000000")
    for head in (*heads, *floats):
        verdict = sensor.told(sensor.cose_of(b"\xa1" + name + bytes.fromhex(head)), COSE)
        assert isinstance(verdict, Reading), verdict
        assert verdict.measurement == "34"


ID = "6e6d6561737572656d656e745f6964"  # "measurement_id"
PAYLOADS: list[tuple[str, str, Any]] = [
    ("a float of 16 bits", "f94d20", 20.5),
    ("a float of 64 bits", "fb403482" + "8f5c28f5c3", 20.51),
    ("no number", "f97e00", None),
    ("infinity", "f97c00", None),
    ("undefined", "f7", None),
    ("an unknown simple value", "f8ff", None),
    ("bytes", "420102", "AQI"),
    ("bytes in chunks", "5f4101410" + "2ff", "AQI"),
    ("a text in chunks", "7f61616162ff", "ab"),
    ("an array of indefinite length", "9f0102ff", [1, 2]),
    ("a map of indefinite length", "bf616101ff", {"a": 1}),
    ("a time (tag 1)", "c11a5f000000", 0x5F000000),
    ("a decimal fraction (tag 4)", "c48221190805", [-2, 2053]),
    ("a bignum (tag 2)", "c249010000000000000000", "AQAAAAAAAAAA"),
    ("a negative bignum (tag 3)", "c3420102", "~AQI"),
    ("bytes for base64 (tag 22)", "d642fbff", "+/8="),
    ("bytes for base16 (tag 23)", "d742abcd", "ABCD"),
]


@pytest.mark.parametrize(("why", "value", "as_json"), PAYLOADS)
def test_what_other_encoders_write(why: str, value: str, as_json: Any, sensor: Sensor) -> None:
    """All that is well-formed may stand in a payload, and becomes JSON (RFC 8949, 6.1)."""
    verdict = sensor.told(sensor.cose_of(bytes.fromhex(f"bf{ID}186461{ord('t'):x}{value}ff")), COSE)
    assert isinstance(verdict, Reading), why
    assert verdict.payload == {"measurement_id": 100, "t": as_json}, why


def test_a_pack_of_senml(sensor: Sensor) -> None:
    """RFC 8428: an array of records, the first of which names the reading."""
    pack = [{-2: "attic", -3: 1_700_000_000, 0: "t", 2: 20}, {0: "h", 2: 41}]
    verdict = examine(Message("s", sensor.cose(pack), None, COSE), sensor.keys, verify, "-3")
    assert isinstance(verdict, Reading), verdict
    assert verdict.measurement == "1700000000"
    assert verdict.payload == [
        {"-2": "attic", "-3": 1_700_000_000, "0": "t", "2": 20},
        {"0": "h", "2": 41},
    ]


@pytest.mark.parametrize("form", [COSE, None])
@pytest.mark.parametrize("around", ["", "d2", "d9d9f7d2", "d83dd2"])
def test_an_envelope_of_indefinite_length(around: str, form: int | None, sensor: Sensor) -> None:
    """Tagged or not, as CWT (RFC 8392, 6), and as self-described CBOR."""
    item = cbor.read(sensor.cose(READING)).item
    parts = b"".join(map(cbor.write, item))
    verdict = sensor.told(bytes.fromhex(around) + b"\x9f" + parts + b"\xff", form)
    assert isinstance(verdict, Reading), verdict


FULLY_SPECIFIED = [
    ("secp256r1", -9), ("secp384r1", -51), ("secp521r1", -52), ("ed25519", -19), ("ed448", -53),
    ("ed25519", "Ed25519"), ("ed448", "Ed448"),
]  # fmt: skip


@pytest.mark.parametrize(("curve", "name"), FULLY_SPECIFIED)
def test_algorithms_by_their_names_of_rfc_9864(curve: str, name: int | str, tmp_path: Path) -> None:
    """The receiver takes them, for keys of their curve alone."""
    edwards: dict[str, Any] = {
        "ed25519": ed25519.Ed25519PrivateKey,
        "ed448": ed448.Ed448PrivateKey,
    }
    key = (
        edwards[curve].generate()
        if curve in edwards
        else ec.generate_private_key(getattr(ec, curve.upper())())
    )
    form = s.PublicFormat.SubjectPublicKeyInfo
    (tmp_path / "attic.pem").write_bytes(key.public_key().public_bytes(s.Encoding.PEM, form))
    keys = Keyring(tmp_path, lambda _: True)
    keys.reload()
    algorithm = keys.keys["attic"].key.algorithm
    sign = sf.signer_of(key, algorithm)
    other: int | str = -51 if curve == "secp256r1" else -9
    for called in (name, other):
        if isinstance(called, str):
            data = jss.write(READING, called, sign)
        else:
            data = cose.write(READING, called, sign)
        verdict = examine(Message("s", data, None, None), keys, verify, "measurement_id")
        if called == name:
            assert isinstance(verdict, Reading), verdict
            assert verdict.algorithm == algorithm.name
        else:
            assert isinstance(verdict, Refusal)
            assert verdict.reason == "algorithm of another key"


def test_recovery_needs_a_curve_that_has_it(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP384R1())
    form = s.PublicFormat.SubjectPublicKeyInfo
    (tmp_path / "s.pem").write_bytes(key.public_key().public_bytes(s.Encoding.PEM, form))
    keys = Keyring(tmp_path, lambda _: True)
    keys.reload()
    found = examine(Message("s", bytes(100), None, OCTETS), keys, verify, "measurement_id")
    assert isinstance(found, Refusal)
    assert found.reason == "algorithm of another key"


def test_the_key_id_of_cose(sensor: Sensor) -> None:
    """It names a file, and one that is no text names none."""
    body, protected = cbor.write(READING), cbor.write({1: -7})
    signature = sensor.sign(cbor.write(["Signature1", protected, b"", body]))
    for kid, taken in ((b"attic", True), (b"cellar", False), (b"\xff", False)):
        data = cbor.write([protected, {4: kid}, body, signature])
        assert isinstance(sensor.told(data, COSE), Reading) == taken
