#!/usr/bin/env python3
"""Damaged messages: each must be read or refused with a reason, within a second, and none but
the good ones is believed; what is read is what independent libraries read.

tools/fuzz/fuzz_messages.py json|cbor [SECONDS] [SEED]    fuzzes for that time (default 60); prints
                                                          one line and exits 0, or prints the first
                                                          message that ends otherwise and exits 1
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from typing import Any

import cbor2

from ecfit.choices.curves import find_curve
from ecfit.oracle.keygen import generate
from ecfit_lab.message import canonical, cbor, cose, jss
from ecfit_lab.message.algorithms import Key
from ecfit_lab.message.refusal import MessageRefusedError

READING = {"chip_temp": 20953, "measurement_id": 34}
PIECES = {
    "json": (b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"0", b"-", b"1e9", b"null", b" ",
             b"\\u006a", b'"jss.signature":"', b'"alg":"ES192"', b"\xff", b"\xc3\xa4", b"9" * 20),
    "cbor": (b"\xd2", b"\x84", b"\x40", b"\xa0", b"\x9f", b"\xff", b"\x5b", b"\xfb", b"\xc2",
             b"\x1b" + b"\xff" * 8, b"\xa2\x01\x02\x01\x02", b"\x43\xa1\x01\x26", b"\xf6"),
}  # fmt: skip
SLOW = 1.0  # seconds


class Odd(Exception):
    """A message that ended otherwise."""


def damaged(rng: random.Random, data: bytes, kind: str) -> bytes:
    """Some bytes changed, taken out, put in, repeated or cut off."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at, end = sorted((rng.randint(0, len(out)), rng.randint(0, len(out))))
        match rng.randrange(6):
            case 0:
                out[at : at + 1] = rng.randbytes(1)
            case 1:
                del out[at : at + rng.choice((1, 2, 30))]
            case 2:
                out[at:at] = rng.choice(PIECES[kind])
            case 3:
                out[at:at] = out[at:end]
            case 4:
                del out[rng.randint(len(out) // 2, len(out)) :]
            case _ if out:
                place = min(at, len(out) - 1)
                out[place] ^= 1 << rng.randrange(8)
    return bytes(out)


def check_json(data: bytes, key: Key) -> str:
    """Reads a message of JSON; returns how that ended. Errors: Odd."""
    try:
        seen = canonical.read(data)
        written = canonical.write(seen)
        if json.loads(written) != json.loads(data) or canonical.read(written) != seen:
            raise Odd("another value than json reads")
    except MessageRefusedError:
        pass
    try:
        payload = jss.check(data, key)
    except MessageRefusedError as error:
        return str(error.reason)
    if payload != READING:
        raise Odd("a message that nobody signed is believed")
    return "accepted"


def check_cbor(data: bytes, key: Key) -> str:
    """Reads a message of CBOR; returns how that ended. Errors: Odd."""
    try:
        seen: Any = cbor.read(data)
        written = cbor.write(seen)  # where what is no number is equal to itself
        if cbor.write(cbor.read(written)) != written:
            raise Odd("it is not written as it is read")
        if plain(seen) and cbor.write(cbor2.loads(data)) != written:
            raise Odd("another value than cbor2 reads")
    except MessageRefusedError:
        pass
    try:
        payload = cose.check(data, key)
    except MessageRefusedError as error:
        return str(error.reason)
    if payload != READING:
        raise Odd("a message that nobody signed is believed")
    return "accepted"


def plain(item: object) -> bool:
    """Without tags and simple values, which cbor2 gives a meaning."""
    if isinstance(item, dict):
        return all(plain(value) for value in item.values())
    if isinstance(item, list):
        return all(map(plain, item))
    return not isinstance(item, cbor.Tagged | cbor.Simple)


def main() -> int:
    """Command line."""
    kind = sys.argv[1] if len(sys.argv) > 1 else ""
    if kind not in PIECES:
        sys.stderr.write("usage: tools/fuzz/fuzz_messages.py json|cbor [SECONDS] [SEED]\n")
        return 2
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().getrandbits(32)
    rng, pair = random.Random(seed), generate(find_curve("secp192r1"))
    key, good = Key(pair.curve.name, pair.public), whole(pair.private, kind)
    ends: Counter[str] = Counter()
    end = time.monotonic() + seconds
    pool = [good]
    while time.monotonic() < end:
        data = damaged(rng, rng.choice(pool), kind)
        began = time.process_time()
        try:
            how = (check_json if kind == "json" else check_cbor)(data, key)
            if time.process_time() - began > SLOW:
                raise Odd("slow")
        except Exception as error:
            sys.stderr.write(f"fuzz: {kind}, seed {seed}: {error!r}: {data.hex()}\n")
            return 1
        if how not in ends and len(pool) < 200:
            pool.append(data)  # a new end: damage it further
        ends[how] += 1
    told = ", ".join(f"{count} {how}" for how, count in ends.most_common())
    print(f"fuzz: {kind} messages, seed {seed}: {ends.total()}: {told}")
    return 0


def whole(private: bytes, kind: str) -> bytes:
    """A good message."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    own = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP192R1())

    def sign(data: bytes) -> bytes:
        r, s = utils.decode_dss_signature(own.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(24, "big") + s.to_bytes(24, "big")

    return (
        jss.write(READING, "ES192", sign) if kind == "json" else cose.write(READING, -65537, sign)
    )


if __name__ == "__main__":
    sys.exit(main())
