#!/usr/bin/env python3
"""Run the kept connections again and write what they cost: results/golden/tls.json.

tools/rigs/tls.py            all of them, on the chips and with the back ends below (minutes)
tools/rigs/tls.py --check    the same, and exit code 1 where something differs
   .. --backend wolfssl  only the rows of a back end, and new ones; the others stay as they are
   .. --backend "mbedtls -O2"  likewise, of one at a level that is not -Os

The last rows are of wolfSSL, which is fetched for them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.measure.store import Store
from ecfit.paths import ROOT
from ecfit_lab.tls.configs import CONNECTIONS, MBEDTLS, WOLFSSL, find_connection, lack
from ecfit_lab.tls.connections import Wanted, replay_row
from ecfit_lab.tls.image import Client
from ecfit_lab.tls.link import read_recording

KEPT = ROOT / "results" / "golden" / "tls"
OWN = KEPT / "mbedtls"  # of those whose course Mbed TLS's own elliptic curves change
OTHER_STACK = KEPT / WOLFSSL
GOLDEN = ROOT / "results" / "golden" / "tls.json"
CHIPS = ("samd21", "stm32f103", "nrf52840", "esp32c3")
BACKENDS = ("mbedtls", "ecfit-fast")
LEVELS = ("mbedtls -O2", "p256-m", "p256-m -O2", "ecfit-fast -O2")  # the usual level is -Os
USUAL = "Os"
HYBRID = "tls1.3-ecdsa-x25519mlkem768"
CURVE_ALONE = "tls1.3-ecdsa-x25519"  # what a hybrid row is compared with
KEMS = (  # whose ML-KEM
    WOLFSSL,
    f"{WOLFSSL}+wolfssl-pq:MEMORY=small",
    f"{WOLFSSL}+mlkem-native:KECCAK=serial",
    f"{WOLFSSL}+pqclean",
)
NO_ROOM = ("build failed", "out of memory", "stack overflow into data")
LARGER = 16  # times the memory of a chip, to see what does not fit into it
SMALLER = "ecfit-fast:COMB_BLOCKS=2:WNAF_G=6"  # shorter tables: less flash than Mbed TLS's own
FIELDS = [
    *("platform", "connection", "backend", "opt", "status", "version"),
    *("handshake_cycles", "handshake_instructions", "round_trips", "handshake_bytes"),
    *("payload_sent_bytes", "payload_received_bytes", "heap_bytes", "stack_bytes"),
    *("static_ram_bytes", "flash_bytes", "phases", "flash", "flights"),
]
# From the same random bytes, these connections draw other numbers with Mbed TLS: it reverses the
# bytes of X25519 private keys, and draws more to sign and to agree on a secret.
OTHER_COURSE = {"tls1.3-ecdsa-x25519", "tls1.3-ecdsa-mutual", "dtls1.2-cid-mutual"} | {
    name for name, connection in CONNECTIONS.items() if connection.resumes
}
Row = dict[str, object]


def names(stack: str) -> list[str]:
    """The connections of a stack, TCP's first."""
    return [name for name, one in CONNECTIONS.items() if not lack(stack, one)]


def wanted() -> Iterator[tuple[str, str, str]]:
    """Connection, chip and back end of each row, with its level where that is not -Os: all
    connections on one chip, one and those of DTLS on all; and those of wolfSSL likewise.
    """
    for name in names(MBEDTLS):
        connection = find_connection(name)
        everywhere = name == "tls1.3-ecdsa" or connection.datagram
        for chip in CHIPS if everywhere else CHIPS[2:3]:
            able = [one for one in BACKENDS if not lack(MBEDTLS, connection, one)]
            for backend in able if connection.curves else BACKENDS[-1:]:
                yield name, chip, backend
            if name == "tls1.3-ecdsa":
                yield name, chip, SMALLER
                for backend in LEVELS if chip == CHIPS[2] else ():
                    yield name, chip, backend
    for name in names(WOLFSSL)[1:]:
        for chip in CHIPS if name in ("tls1.3-ecdsa", CURVE_ALONE, HYBRID) else CHIPS[2:3]:
            for backend in KEMS if name == HYBRID else (WOLFSSL,):
                yield name, chip, backend


def kept_path(name: str, backend: str) -> Path:
    """The recording of a connection."""
    if backend.startswith(WOLFSSL):
        return OTHER_STACK / f"{name}.json"
    other = name in OTHER_COURSE and backend == BACKENDS[0]
    return (OWN if other else KEPT) / f"{name}.json"


def row(name: str, chip: str, backend: str, store: Store) -> Row:
    """What is kept of one row. Where a client does not fit into a chip, that is flash and RAM that
    it takes there with more memory.
    """
    curves, _, level = backend.partition(" -")
    recording = read_recording(str(kept_path(name, curves)))
    target, failed = find_target(chip), Row()
    while True:
        client = Client(target, find_connection(name), curves, opt=level or USUAL)
        record = replay_row(client, all_peers(), store, recording, Wanted())
        if failed or record.status not in NO_ROOM:
            kept = {field: msgspec.to_builtins(getattr(record, field)) for field in FIELDS}
            return kept | failed
        failed = {"status": record.status, "detail": record.detail}
        memory = (msgspec.structs.replace(one, size=LARGER * one.size) for one in target.memory)
        target = msgspec.structs.replace(target, memory=tuple(memory))


def kept() -> list[Row]:
    """The rows of the file."""
    return msgspec.json.decode(GOLDEN.read_bytes(), type=list[Row])


def key(row: Row) -> tuple[object, ...]:
    """What a row is of, as :func:`wanted` has it."""
    level = "" if row["opt"] == USUAL else f" -{row['opt']}"
    return row["connection"], row["platform"], f"{row['backend']}{level}"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Run kept connections again.")
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--backend", help="only the rows of this back end")
    arguments = parser.parse_args()
    store, rows, differ = Store(), [], []
    before = {key(one): one for one in kept()}
    for one in wanted():
        old = before.get(one if find_connection(one[0]).curves else (*one[:2], "-"))
        if arguments.backend in (None, one[2]) or old is None:
            new = row(*one, store)
            sys.stderr.write(f"{' '.join(one)}: {new['handshake_cycles']}\n")
            differ += [" ".join(one)] if new != old else []
            rows.append(new)
        else:
            rows.append(old)
    if arguments.check:
        sys.exit(f"rows that differ: {', '.join(differ)}" if differ else 0)
    text = "[\n" + ",\n".join(msgspec.json.encode(one).decode() for one in rows) + "\n]\n"
    Path(GOLDEN).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
