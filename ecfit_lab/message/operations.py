"""Inputs of message operations, and the check of what they write: it is read and verified."""

from __future__ import annotations

from functools import partial

import msgspec

from ecfit.choices.curves import Curve
from ecfit.oracle import rfc7748, weierstrass
from ecfit_lab.message import canonical, cbor, cose, jss, recovery
from ecfit_lab.message.algorithms import Key
from ecfit_lab.message.refusal import MessageRefusedError

TEMPERATURE, ID = 20953, 34  # the sample of the JSS paper
READING = {"chip_temp": TEMPERATURE, "measurement_id": ID}
_READING_BYTES = 8


class Form(msgspec.Struct, frozen=True):
    """A message of the sample, its signature zero: how long it is, and its name."""

    size: int
    label: str


def form(curve: Curve, op: str) -> Form:
    """What an operation writes of the sample. Sizes do not depend on the signature's value."""
    unsigned = canonical.write(READING)
    if op == "plain":
        return Form(len(unsigned), "JSON, unsigned")
    if op == "recover":
        return Form(recovery.sizes(curve).overhead + len(cbor.write([TEMPERATURE, ID])), "recovery")
    algorithm = Key(curve.name, b"").algorithm
    zeros = partial(bytes, algorithm.signature_bytes)
    if op == "jss":
        return Form(len(jss.write(READING, algorithm.name, lambda _: zeros())), "JSS")
    return Form(len(cose.write(READING, algorithm.number, lambda _: zeros())), "COSE_Sign1")


def message_input(private: bytes) -> bytes:
    """Private key and reading."""
    return private + TEMPERATURE.to_bytes(4, "big") + ID.to_bytes(4, "big")


def _key(curve: Curve, private: bytes) -> Key:
    if curve.form == "edwards":
        return Key(curve.name, rfc7748.public_key(curve.name, private))
    point = weierstrass.multiply(curve, int.from_bytes(private, "big"), weierstrass.base(curve))
    assert point is not None
    return Key(curve.name, weierstrass.encode_point(curve, point))


def message_complaint(curve: Curve, op: str, data: bytes, out: bytes) -> str | None:
    """What is wrong with a message, or None."""
    if op == "plain":
        return None if out == canonical.write(READING) else "not the reading as canonical JSON"
    key = _key(curve, data[:-_READING_BYTES])
    try:
        if op == "recover":
            same = recovery.check(out, key) == cbor.write([TEMPERATURE, ID])
        else:
            same = (jss.check if op == "jss" else cose.check)(out, key) == READING
    except MessageRefusedError as error:
        return f"the message is refused: {error}"
    return None if same else "another reading"
