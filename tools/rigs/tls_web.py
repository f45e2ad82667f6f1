#!/usr/bin/env python3
"""Chains of the web: the client that takes any of them against servers that nobody here wrote, from
a chip and from an emulated board; and the table of docs/tls.md that says which it completes.

tools/rigs/tls_web.py            tries all and prints the table
tools/rigs/tls_web.py --write    .. and brings the page up to date
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import tls_servers
from tls_servers import CHIP, OWN_SOURCES, PAGE, PROGRAMS

from ecfit.choices.boards import find_machine
from ecfit.choices.peers import all_peers
from ecfit.errors import EcfitError
from ecfit.measure.store import Store
from ecfit.tls import certs
from ecfit.tls.configs import WEB, Connection, find_connection
from ecfit.tls.image import Client
from ecfit.tls.link import Recording, now_ms
from ecfit.wire import image, onboard

BOARD, BACKEND = "mps2-an386", "ecfit-fast"
SERVERS = (*PROGRAMS, *OWN_SOURCES)
NAMES = {"openssl": "OpenSSL", "gnutls": "GnuTLS", "go": "Go", "rustls": "rustls"} | {
    "mbedtls": "Mbed TLS"
}
BEGIN, END = "<!-- table: tools/rigs/tls_web.py -->\n", "<!-- end of tools/rigs/tls_web.py -->\n"


def rows() -> list[tuple[str, str, str]]:
    """Connection, chain, platform: sessions are resumed on chips, with one chain."""
    return [
        (name, chain, platform)
        for name, connection in WEB.items()
        for chain in (("mixed",) if connection.resumes else certs.CHAINS)
        for platform in ((CHIP,) if connection.resumes else (CHIP, BOARD))
    ]


def tried(server: str, name: str, chain: str, platform: str) -> str:
    """Against that server: "ok" when the connection was complete and the payload right, or why
    it was not.
    """
    connection = find_connection(name)
    if platform == CHIP:
        return tls_servers.tried(server, connection, BACKEND, chain)
    return _on_board(server, connection, chain)


def _on_board(server: str, connection: Connection, chain: str) -> str:
    given, payload = (
        certs.make(connection, chain=chain),
        tls_servers.payload_bytes(server, connection),
    )
    client = Client(image.target(find_machine(BOARD)), connection, BACKEND)
    built = image.image(client, all_peers(), Store())
    recording = Recording(connection.name, 1, now_ms(), given, payload)
    with tempfile.TemporaryDirectory() as folder:
        try:
            with tls_servers.foreign(server, connection, given, Path(folder)) as port:
                one = onboard.run(client, built, recording, port, 5)
        except EcfitError as error:
            return str(error)
    return onboard.failure(one, payload)[0]


def lines() -> list[str]:
    """The table."""
    found = [
        f"| connection | chain | client on | {' | '.join(NAMES[one] for one in SERVERS)} |",
        f"|{' --- |' * (3 + len(SERVERS))}",
    ]
    for row in rows():
        words = [tried(server, *row) for server in SERVERS]
        found.append(f"| {' | '.join([*row, *words])} |")
        sys.stderr.write(f"{found[-1]}\n")
    return found


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="The client against the chains of the web.")
    parser.add_argument("--write", action="store_true", help="bring docs/tls.md up to date")
    write = parser.parse_args().write
    table = "\n".join(lines()) + "\n"
    if not write:
        sys.stdout.write(table)
        return
    head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
