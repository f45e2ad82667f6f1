"""JSON Sensor Signatures: a JSON object with `jss.protected`, the algorithm, and `jss.signature`.

What is signed is the object without `jss.signature`, in the canonical form of RFC 8785.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ecfit_lab.message import canonical
from ecfit_lab.message.algorithms import Key, Verifier, check_algorithm, verify
from ecfit_lab.message.refusal import MessageRefusedError, Reason

PROTECTED, SIGNATURE = "jss.protected", "jss.signature"
_OURS = "jss."
_LONGEST_NAME = 64  # characters of an algorithm or key id


class Message(msgspec.Struct, frozen=True):
    """A message that can be read, not yet verified: nothing in it is to be believed.

    `payload`: its own members; `signed`: the bytes that the signature is of.
    """

    payload: dict[str, Any]
    algorithm: str
    key_id: str | None
    signed: bytes
    signature: bytes


def base64url(data: bytes) -> str:
    """RFC 4648, 5, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def from_base64url(text: str) -> bytes:
    """The one text that these bytes have. Errors: MessageRefusedError for any other."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        raise MessageRefusedError(Reason.BAD_TEXT)
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64url(data) != text:  # bits behind the last byte
        raise MessageRefusedError(Reason.BAD_TEXT)
    return data


def _protected(members: Mapping[str, Any]) -> tuple[str, str | None]:
    """Algorithm and key id."""
    if PROTECTED not in members:
        raise MessageRefusedError(Reason.NO_PROTECTED)
    header = members[PROTECTED]
    if not isinstance(header, dict) or "alg" not in header or header.keys() - {"alg", "kid"}:
        raise MessageRefusedError(Reason.BAD_PROTECTED, "an object with alg, and kid or not")
    if not all(isinstance(one, str) and 0 < len(one) <= _LONGEST_NAME for one in header.values()):
        raise MessageRefusedError(Reason.BAD_PROTECTED, "alg and kid are texts")
    return header["alg"], header.get("kid")


def parse(data: bytes) -> Message:
    """A message with any white space and order of members. Errors: MessageRefusedError."""
    members = canonical.read(data)
    algorithm, key_id = _protected(members)
    text = members.pop(SIGNATURE, None)
    if not isinstance(text, str):
        raise MessageRefusedError(Reason.NO_SIGNATURE)
    unknown = [name for name in members if name.startswith(_OURS) and name != PROTECTED]
    if unknown:
        raise MessageRefusedError(Reason.UNKNOWN_MEMBER, unknown[0][:40])
    signature, signed = from_base64url(text), canonical.write(members)
    payload = {name: value for name, value in members.items() if name != PROTECTED}
    return Message(payload, algorithm, key_id, signed, signature)


def check(data: bytes, key: Key, verifier: Verifier = verify) -> dict[str, Any]:
    """The payload of a message that this key has signed. Errors: MessageRefusedError."""
    message = parse(data)
    check_algorithm(message.algorithm, key, message.signature)
    if not verifier(key, message.signed, message.signature):
        raise MessageRefusedError(Reason.WRONG_SIGNATURE)
    return message.payload


def write(payload: Mapping[str, Any], algorithm: str, sign: Callable[[bytes], bytes]) -> bytes:
    """A signed message in the canonical form, as a device writes it.

    Errors: MessageRefusedError for a payload with members of the signature's own.
    """
    unknown = [name for name in payload if name.startswith(_OURS)]
    if unknown:
        raise MessageRefusedError(Reason.UNKNOWN_MEMBER, unknown[0][:40])
    members: dict[str, Any] = {**payload, PROTECTED: {"alg": algorithm}}
    members[SIGNATURE] = base64url(sign(canonical.write(members)))
    return canonical.write(members)
