"""From a message to a reading, or to a refusal with its reason."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from ecfit_lab.gateway.keyring import Keyring
from ecfit_lab.message import canonical, forms
from ecfit_lab.message.algorithms import Verifier
from ecfit_lab.message.refusal import MessageRefusedError

SHOWN = 4096  # bytes of a refused message that are kept
NO_KEY, NO_ID, NO_EPOCH = "no key", "no measurement id", "malformed boot epoch"
DUPLICATE, REUSED = "already accepted", "measurement id used again"
LONGEST_NAME = 200  # characters of an id or an epoch
FAULT = "not understood"


class Message(msgspec.Struct, frozen=True):
    """What came in: from which sensor, the key that it is bound to, and the Content-Format,
    if any.
    """

    sensor: str
    data: bytes
    bound: str | None = None
    content_format: int | None = None


class Reading(msgspec.Struct, frozen=True):
    """A verified message. Its name is `identity`, which is its key's, `epoch` and `measurement`.

    `epoch`: the boot epoch as JSON, empty without one; `measurement`: the id as JSON.
    """

    sensor: str
    key: str
    identity: str
    epoch: str
    measurement: str
    algorithm: str
    payload: Any

    @property
    def number(self) -> int | None:
        """Its place among the readings of its boot."""
        return number_of(self.measurement)


class Refusal(msgspec.Struct, frozen=True):
    """A message that is not taken, and why."""

    sensor: str
    reason: str
    detail: str
    message: str


def refusal(message: Message, reason: str, detail: str) -> Refusal:
    """With as much of the message as is kept, in text that every store can write."""
    text = message.data[:SHOWN].decode("utf-8", errors="backslashreplace").replace("\0", "\\x00")
    said = detail.encode("utf-8", errors="backslashreplace").decode().replace("\0", "\\x00")
    return Refusal(message.sensor, reason, said, shown(text))


def shown(text: str) -> str:
    """As much of a message as is kept."""
    return text.encode()[:SHOWN].decode("utf-8", errors="ignore")


def examine(
    message: Message, keys: Keyring, verifier: Verifier, id_member: str
) -> Reading | Refusal:
    """What a message is worth."""
    try:
        parsed = forms.parse(message.data, message.content_format)
        found = keys.find(message.bound, parsed.key_id)
        if isinstance(found, str):
            return refusal(message, NO_KEY, found)
        opened = parsed.opened(found.key, verifier)
        epoch = epoch_text(opened.members)
        measurement = _text(opened.members.get(id_member))
    except MessageRefusedError as error:
        return refusal(message, str(error.reason), str(error))
    except Exception as error:  # else its sensor would send it again for ever
        return refusal(message, FAULT, f"{type(error).__name__}: {error}"[:200])
    if epoch is None:
        return refusal(message, NO_EPOCH, f"'{forms.EPOCH}' is {_KIND}")
    if not measurement:
        return refusal(message, NO_ID, f"'{id_member}' is {_KIND}")
    return Reading(
        message.sensor,
        found.name,
        found.identity,
        epoch,
        measurement,
        opened.algorithm,
        opened.payload,
    )


def number_of(measurement: str) -> int | None:
    """The place of an id in the order of its boot; None for a text, which has none."""
    return None if measurement.startswith('"') else int(measurement)


_DECODER = msgspec.json.Decoder(float_hook=canonical.number)


def kept_json(data: str | bytes) -> Any:
    """JSON that a store has kept, its numbers as `canonical.read` reads them.

    Errors: MsgspecError, MessageRefusedError.
    """
    return _DECODER.decode(data)


def content(payload: object) -> bytes:
    """Of a payload that `canonical.read` or `kept_json` has read: two have the same content if the
    same bytes were signed. Python's == takes true for 1.
    """
    return msgspec.json.encode(payload, order="deterministic")


_KIND = f"an integer or a text of at most {LONGEST_NAME} characters"


def _text(value: Any) -> str | None:
    """An integer or a text as JSON in ASCII; None for anything else."""
    if not isinstance(value, int | str) or isinstance(value, bool):
        return None
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= LONGEST_NAME else None


def epoch_text(members: dict[str, Any]) -> str | None:
    """The boot epoch, empty where there is none, as a sensor without epochs writes it; None for one
    that is malformed.
    """
    epoch = forms.epoch(members)
    return "" if epoch is None else _text(epoch)
