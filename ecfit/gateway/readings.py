"""From a message to a reading, or to a refusal with its reason."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from ecfit.gateway.keyring import Keyring
from ecfit.message import jss
from ecfit.message.algorithms import Verifier, check_algorithm
from ecfit.message.refusal import MessageRefusedError, Reason

SHOWN = 4096  # bytes of a refused message that are kept
NO_KEY, NO_ID, DUPLICATE = "no key", "no measurement id", "already accepted"
FAULT = "not understood"


class Message(msgspec.Struct, frozen=True):
    """What came in: from which sensor, and the key that it is bound to, if any."""

    sensor: str
    data: bytes
    bound: str | None = None


class Reading(msgspec.Struct, frozen=True):
    """A verified message. `measurement` is its id as canonical JSON; with `identity`, its key's,
    it names the reading.
    """

    sensor: str
    key: str
    identity: str
    measurement: str
    algorithm: str
    payload: dict[str, Any]


class Refusal(msgspec.Struct, frozen=True):
    """A message that is not taken, and why."""

    sensor: str
    reason: str
    detail: str
    message: str


def refusal(message: Message, reason: str, detail: str) -> Refusal:
    """With as much of the message as is kept."""
    text = message.data[:SHOWN].decode("utf-8", errors="backslashreplace").replace("\0", "\\x00")
    return Refusal(message.sensor, reason, detail, text)


def examine(
    message: Message, keys: Keyring, verifier: Verifier, id_member: str
) -> Reading | Refusal:
    """What a message is worth."""
    try:
        parsed = jss.parse(message.data)
        found = keys.find(message.bound, parsed.key_id)
        if isinstance(found, str):
            return refusal(message, NO_KEY, found)
        check_algorithm(parsed.algorithm, found.key, parsed.signature)
        if not verifier(found.key, parsed.signed, parsed.signature):
            raise MessageRefusedError(Reason.WRONG_SIGNATURE)
    except MessageRefusedError as error:
        return refusal(message, str(error.reason), str(error))
    except Exception as error:  # else its sensor would send it again for ever
        return refusal(message, FAULT, f"{type(error).__name__}: {error}"[:200])
    measurement = parsed.payload.get(id_member)
    if not isinstance(measurement, int | str) or isinstance(measurement, bool):
        return refusal(message, NO_ID, f"'{id_member}' is an integer or a text")
    text = json.dumps(measurement, ensure_ascii=True)
    if len(text) > 200:
        return refusal(message, NO_ID, f"'{id_member}' is longer than 200 characters")
    return Reading(
        message.sensor, found.name, found.identity, text, parsed.algorithm, parsed.payload
    )
