"""Why a message is refused: one reason for each thing that can be wrong with it."""

from __future__ import annotations

from enum import StrEnum

from ecfit.errors import EcfitError


class Reason(StrEnum):
    """The first thing that is wrong with a message, as it is logged."""

    TOO_LONG = "too long"
    NOT_JSON = "not JSON"
    NOT_CBOR = "not CBOR"
    NOT_OBJECT = "not an object"
    DUPLICATE = "duplicate member"
    NUMBER = "number out of range"
    UNKNOWN_MEMBER = "unknown jss member"
    NO_PROTECTED = "no jss.protected"
    BAD_PROTECTED = "malformed jss.protected"
    NO_SIGNATURE = "no jss.signature"
    BAD_TEXT = "signature is not canonical base64url"
    UNKNOWN_ALGORITHM = "unknown algorithm"
    OTHER_ALGORITHM = "algorithm of another key"
    SIGNATURE_SIZE = "signature of the wrong size"
    BAD_SIGN1 = "malformed COSE_Sign1"
    CRITICAL = "critical header that is not understood"
    WRONG_SIGNATURE = "wrong signature"
    NO_REDUNDANCY = "no redundancy: not signed with this key"


class MessageRefusedError(EcfitError):
    """A message that is not taken, and why."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
