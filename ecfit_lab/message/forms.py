"""The three forms of a signed reading, told apart, and read into the same members.

The Content-Format of CoAP says which form it is. Without one the first byte tells JSS from
COSE_Sign1; a message with recovery looks like random bytes, and needs its Content-Format.

A payload of CBOR becomes JSON as RFC 8949, 6.1, says: byte strings are base64url, what is no number
is null, and tags go. A pack of SenML (RFC 8428) is an array, whose first record names the reading.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from ecfit_lab.message import canonical, cbor, cose, jss, recovery
from ecfit_lab.message.algorithms import Key, Verifier, check_algorithm
from ecfit_lab.message.refusal import MessageRefusedError, Reason

OCTETS, COSE_SIGN1 = 42, 18  # Content-Formats: RFC 7252, 12.3; RFC 9052, 2
RECOVERED = "PV"  # what stores call the algorithm of messages with recovery
EPOCH, EPOCH_LABEL = "boot_epoch", "-24"  # ECFIT_MSG_EPOCH_NAME, .._LABEL of lib/msg/ecfit_msg.h
_TEXT = 0x80  # first bytes of JSON are below, those of arrays and tags of CBOR are not
_EXACT = 2**53  # from here on JSON does not hold an integer exactly


class Opened(msgspec.Struct, frozen=True):
    """A verified message: its algorithm, its payload as JSON has it, and the members that name it:
    those of the payload, or of the first record of a pack.
    """

    algorithm: str
    payload: Any
    members: dict[str, Any]


class Unverified(msgspec.Struct, frozen=True):
    """A message that can be read. `key_id`: the key that it names, if any."""

    key_id: str | None
    opened: Callable[[Key, Verifier], Opened]  # Errors: MessageRefusedError


def parse(data: bytes, content_format: int | None) -> Unverified:
    """Of any form. Errors: MessageRefusedError."""
    if content_format == OCTETS:
        return Unverified(None, partial(_recovered, data))
    if content_format == COSE_SIGN1 or (data[:1] and data[0] >= _TEXT):
        signed = cose.parse(data)
        name = signed.key_id
        key_id = None if name is None else name.decode("utf-8", "backslashreplace")
        return Unverified(key_id, partial(_from_cose, signed))
    parsed = jss.parse(data)
    return Unverified(parsed.key_id, partial(_from_jss, parsed))


def _from_jss(message: jss.Message, key: Key, verifier: Verifier) -> Opened:
    _verify(message, key, verifier)
    return Opened(key.algorithm.name, message.payload, message.payload)


def _from_cose(message: cose.Sign1, key: Key, verifier: Verifier) -> Opened:
    _verify(message, key, verifier)
    return _opened(key.algorithm.name, message.payload)


def _verify(message: jss.Message | cose.Sign1, key: Key, verifier: Verifier) -> None:
    check_algorithm(message.algorithm, key, message.signature)
    if not verifier(key, message.signed, message.signature):
        raise MessageRefusedError(Reason.WRONG_SIGNATURE)


def _recovered(data: bytes, key: Key, _verifier: Verifier) -> Opened:
    if key.curve not in recovery.GROUPS:
        raise MessageRefusedError(Reason.OTHER_ALGORITHM, f"recovery with a key of {key.curve}")
    return _opened(RECOVERED, recovery.check(data, key))


def _opened(algorithm: str, payload: bytes) -> Opened:
    """Errors: MessageRefusedError for what is neither a map nor a pack, or has numbers that JSON
    does not have.
    """
    item = _plain(cbor.read(payload))
    members = item[0] if isinstance(item, list) and item else item
    if not isinstance(members, dict):
        raise MessageRefusedError(Reason.NOT_OBJECT)
    return Opened(algorithm, item, members)


def _plain(item: Any) -> Any:
    if isinstance(item, dict):
        named = {_name(name): _plain(value) for name, value in item.items()}
        if len(named) < len(item):
            raise MessageRefusedError(Reason.DUPLICATE, "a label and a name that are written alike")
        return named
    if isinstance(item, list):
        return [_plain(value) for value in item]
    if isinstance(item, cbor.Tagged):
        return _untagged(item.tag, item.item)
    if isinstance(item, bytes):
        return jss.base64url(item)
    if isinstance(item, float):
        return canonical.double(item) if math.isfinite(item) else None
    if isinstance(item, int) and abs(item) >= _EXACT:
        raise MessageRefusedError(Reason.NUMBER, str(item)[:40])
    return None if isinstance(item, cbor.Simple) else item


def _untagged(tag: int, item: Any) -> Any:
    """Tags say how a byte string is to be written, or that it is an integer; others go."""
    if isinstance(item, bytes) and tag in _BYTES:
        return _BYTES[tag](item)
    return _plain(item)


def _name(name: int | str | bytes) -> str:
    return jss.base64url(name) if isinstance(name, bytes) else str(name)


_BYTES: dict[int, Callable[[bytes], str]] = {
    3: lambda data: "~" + jss.base64url(data),  # a negative bignum
    22: lambda data: base64.b64encode(data).decode("ascii"),
    23: lambda data: data.hex().upper(),
}


def epoch(members: dict[str, Any]) -> Any:
    """The boot epoch of these members, by name or by label; None without one."""
    return members.get(EPOCH, members.get(EPOCH_LABEL))
