"""What a message is worth: three forms, how they are told apart, and their names."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives import serialization as s
from cryptography.hazmat.primitives.asymmetric import ec

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
    ("a value that JSON does not have", COSE, lambda one: one.cose({"measurement_id": b"1"})),
    ("a value that JSON does not have", COSE, lambda one: one.cose({b"measurement_id": 1})),
    ("a value that JSON does not have", COSE, lambda one: one.cose({1: cbor.Tagged(1, 1)})),
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


def test_integers_of_cbor_have_one_value_and_floats_none(sensor: Sensor) -> None:
    """COSE signs the bytes of the payload, so only the sensor itself can spell a number otherwise:
    a longer head is the same integer, and a float is refused whatever its value.
    """
    name = cbor.write("measurement_id")
    heads = ("1822", "190022", "1a00000022", "1b0000000000000022")
    floats = ("f95040", "fa42080000", "fb4041000000000000")
    for head in (*heads, *floats):
        protected, body = cbor.write({1: -7}), b"\xa1" + name + bytes.fromhex(head)
        signature = sensor.sign(cbor.write(["Signature1", protected, b"", body]))
        data = cbor.write(cbor.Tagged(cose.TAG, [protected, {}, body, signature]))
        verdict = sensor.told(data, COSE)
        if head in heads:
            assert isinstance(verdict, Reading), verdict
            assert verdict.measurement == "34"
        else:
            assert isinstance(verdict, Refusal)
            assert verdict.reason == "not CBOR"


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
