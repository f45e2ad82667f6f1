#!/usr/bin/env python3
"""Chains of the web: the client that takes any of them against servers that nobody here wrote, from
a chip and from an emulated board; and the table of docs/tls.md that says which it completes.

tools/rigs/tls_web.py            tries all and prints the table
tools/rigs/tls_web.py --write    .. and brings the page up to date
"""

from __future__ import annotations

from collections.abc import Iterator

from ecfit.choices.boards import find_machine
from ecfit.choices.peers import all_peers
from ecfit.measure.store import Store
from ecfit_lab.tls import certs
from ecfit_lab.tls.certs import Credentials
from ecfit_lab.tls.configs import WEB, Connection, find_connection
from ecfit_lab.tls.image import Client
from ecfit_lab.tls.link import Recording, now_ms
from ecfit_lab.wire import image, onboard
from tools.rigs import tls_servers
from tools.rigs.tls_servers import CHIP, NAMES, OWN_SOURCES, PROGRAMS, table, written

BOARD, BACKEND = "mps2-an386", "ecfit-fast"
SERVERS = (*PROGRAMS, *OWN_SOURCES)
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
    client = Client(image.target(find_machine(BOARD)), connection, BACKEND)
    built = image.image(client, all_peers(), Store())

    def on_board(given: Credentials, port: int, payload: int) -> str:
        recording = Recording(connection.name, 1, now_ms(), given, payload)
        return onboard.failure(onboard.run(client, built, recording, port, 5), payload)[0]

    return tls_servers.met(server, connection, chain, on_board)


def cells() -> Iterator[list[str]]:
    """Each row against each server."""
    for row in rows():
        yield [*row, *(tried(server, *row) for server in SERVERS)]


if __name__ == "__main__":
    titles = ("connection", "chain", "client on", *(NAMES[one] for one in SERVERS))
    what = "The client against the chains of the web."
    written(what, lambda: table(titles, cells()), BEGIN, END)
