"""The three forms of a signed reading, told apart, and read into the same members.

The Content-Format of CoAP says which form it is. Without one the first byte tells JSS from
COSE_Sign1; a message with recovery looks like random bytes, and needs its Content-Format.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from ecfit_lab.message import cbor, cose, jss, recovery
from ecfit_lab.message.algorithms import Key, Verifier, check_algorithm
from ecfit_lab.message.refusal import MessageRefusedError, Reason

OCTETS, COSE_SIGN1 = 42, 18  # Content-Formats: RFC 7252, 12.3; RFC 9052, 2
RECOVERED = "PV"  # what stores call the algorithm of messages with recovery
EPOCH, EPOCH_LABEL = "boot_epoch", "-24"  # ECFIT_MSG_EPOCH_NAME, .._LABEL of lib/msg/ecfit_msg.h
_COSE = (0xD2, 0x84)  # first byte: the tag, or the array without it
_EXACT = 2**53  # from here on JSON does not hold an integer exactly


class Opened(msgspec.Struct, frozen=True):
    """A verified message: its algorithm, and its members."""

    algorithm: str
    members: dict[str, Any]


class Unverified(msgspec.Struct, frozen=True):
    """A message that can be read. `key_id`: the key that it names, if any."""

    key_id: str | None
    opened: Callable[[Key, Verifier], Opened]  # Errors: MessageRefusedError


def parse(data: bytes, content_format: int | None) -> Unverified:
    """Of any form. Errors: MessageRefusedError."""
    if content_format == OCTETS:
        return Unverified(None, partial(_recovered, data))
    if content_format == COSE_SIGN1 or (data[:1] and data[0] in _COSE):
        one = cose.parse(data)
        key_id = None if one.key_id is None else one.key_id.decode("utf-8", "backslashreplace")
        return Unverified(key_id, partial(_from_cose, one))
    parsed = jss.parse(data)
    return Unverified(parsed.key_id, partial(_from_jss, parsed))


def _from_jss(message: jss.Message, key: Key, verifier: Verifier) -> Opened:
    _verify(message, key, verifier)
    return Opened(message.algorithm, message.payload)


def _from_cose(message: cose.Sign1, key: Key, verifier: Verifier) -> Opened:
    _verify(message, key, verifier)
    return Opened(key.algorithm.name, members(message.payload))


def _verify(message: jss.Message | cose.Sign1, key: Key, verifier: Verifier) -> None:
    check_algorithm(message.algorithm, key, message.signature)
    if not verifier(key, message.signed, message.signature):
        raise MessageRefusedError(Reason.WRONG_SIGNATURE)


def _recovered(data: bytes, key: Key, _verifier: Verifier) -> Opened:
    if key.curve not in recovery.GROUPS:
        raise MessageRefusedError(Reason.OTHER_ALGORITHM, f"recovery with a key of {key.curve}")
    return Opened(RECOVERED, members(recovery.check(data, key)))


def members(payload: bytes) -> dict[str, Any]:
    """The map in a payload of CBOR, as JSON has it: labels become texts.

    Errors: MessageRefusedError for what is no map, or has values that JSON does not have.
    """
    item = cbor.read(payload)
    if not isinstance(item, dict):
        raise MessageRefusedError(Reason.NOT_OBJECT)
    return _plain(item)  # type: ignore[no-any-return]


def _plain(item: Any) -> Any:
    if isinstance(item, dict):
        found = {str(name): _plain(value) for name, value in item.items()}
        if any(isinstance(name, bytes) for name in item):
            raise MessageRefusedError(Reason.NOT_JSON_VALUE, "a name of bytes")
        if len(found) < len(item):
            raise MessageRefusedError(Reason.DUPLICATE, "a label and a name that are written alike")
        return found
    if isinstance(item, list):
        return [_plain(value) for value in item]
    if isinstance(item, int) and abs(item) >= _EXACT:
        raise MessageRefusedError(Reason.NUMBER, str(item)[:40])
    if item is None or isinstance(item, int | str):
        return item
    raise MessageRefusedError(Reason.NOT_JSON_VALUE, type(item).__name__.lower())


def epoch(found: dict[str, Any]) -> Any:
    """The boot epoch of these members, by name or by label; None without one."""
    return found.get(EPOCH, found.get(EPOCH_LABEL))
