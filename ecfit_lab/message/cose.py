"""COSE_Sign1 (RFC 9052, 4.2): a CBOR payload with one signature around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ecfit_lab.message import cbor
from ecfit_lab.message.algorithms import Key, Verifier, check_algorithm, verify
from ecfit_lab.message.canonical import LONGEST
from ecfit_lab.message.refusal import MessageRefusedError, Reason

TAG = 18
_AROUND = (55799, 61)  # self-described CBOR (RFC 8949, 3.4.6), and CWT (RFC 8392, 6)
_ALGORITHM, _CRITICAL, _KEY_ID = 1, 2, 4  # RFC 9052, 3.1
_HEADERS = dict[Any, Any]


class Sign1(msgspec.Struct, frozen=True):
    """A message that can be read, not yet verified. `signed`: the Sig_structure (RFC 9052, 4.4)."""

    payload: bytes
    algorithm: int
    key_id: bytes | None
    signed: bytes
    signature: bytes


def _bad(detail: str) -> MessageRefusedError:
    return MessageRefusedError(Reason.BAD_SIGN1, detail)


def _headers(protected: bytes, unprotected: Any) -> tuple[int, bytes | None]:
    """Algorithm and key id. The algorithm counts where it is signed alone."""
    signed = cbor.read(protected) if protected else {}
    if not isinstance(signed, dict) or not isinstance(unprotected, dict):
        raise _bad("headers are maps")
    if signed.keys() & unprotected.keys():
        raise _bad("a header is there twice")  # RFC 9052, 3
    if _CRITICAL in signed or _CRITICAL in unprotected:
        raise MessageRefusedError(Reason.CRITICAL)
    algorithm = signed.get(_ALGORITHM)
    if not isinstance(algorithm, int) or isinstance(algorithm, bool):
        raise _bad("no algorithm in the protected header")
    key_id = signed.get(_KEY_ID, unprotected.get(_KEY_ID))
    if key_id is not None and not isinstance(key_id, bytes):
        raise _bad("a key id that is not bytes")
    return algorithm, key_id


def parse(data: bytes, external: bytes = b"") -> Sign1:
    """A message with its tag or without; `external`: data that is signed and not sent.

    Errors: MessageRefusedError.
    """
    if len(data) > LONGEST:
        raise MessageRefusedError(Reason.TOO_LONG, f"{len(data)} bytes, at most {LONGEST}")
    item = cbor.read(data)
    for tag in _AROUND:
        if isinstance(item, cbor.Tagged) and item.tag == tag:
            item = item.item
    if isinstance(item, cbor.Tagged):
        if item.tag != TAG:
            raise _bad(f"tag {item.tag}, not {TAG}")
        item = item.item
    if not isinstance(item, list) or len(item) != 4:
        raise _bad("not an array of four")
    protected, unprotected, payload, signature = item
    if not all(isinstance(part, bytes) for part in (protected, payload, signature)):
        raise _bad("protected header, payload and signature are bytes")
    algorithm, key_id = _headers(protected, unprotected)
    signed = cbor.write(["Signature1", protected, external, payload])
    return Sign1(payload, algorithm, key_id, signed, signature)


def check(data: bytes, key: Key, verifier: Verifier = verify, external: bytes = b"") -> Any:
    """The payload, CBOR itself, of a message that this key has signed.
    Errors: MessageRefusedError.
    """
    message = parse(data, external)
    check_algorithm(message.algorithm, key, message.signature)
    if not verifier(key, message.signed, message.signature):
        raise MessageRefusedError(Reason.WRONG_SIGNATURE)
    return cbor.read(message.payload)


def write(payload: Any, algorithm: int, sign: Callable[[bytes], bytes]) -> bytes:
    """A signed message as a device writes it: tagged, nothing in the unprotected header."""
    protected, body = cbor.write({_ALGORITHM: algorithm}), cbor.write(payload)
    signature = sign(cbor.write(["Signature1", protected, b"", body]))
    return cbor.write(cbor.Tagged(TAG, [protected, {}, body, signature]))
