#!/usr/bin/env python3
"""Servers that nobody here wrote: the client on a chip against OpenSSL's and GnuTLS's own programs,
which listen on loopback; and the table of docs/tls.md that says which connections they complete.

tools/rigs/tls_servers.py            tries all and prints the table
tools/rigs/tls_servers.py --write    .. and brings the page up to date
"""

from __future__ import annotations

import argparse
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ecfit.build.fetch import code_folder
from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.errors import EcfitError
from ecfit.measure.store import Store
from ecfit.paths import ROOT, cache_dir
from ecfit_lab.tls import certs, connections
from ecfit_lab.tls.certs import Credentials
from ecfit_lab.tls.configs import (
    CONNECTIONS,
    EDHOC,
    PAYLOAD_BYTES,
    TCP,
    WOLFSSL,
    Connection,
    find_connection,
    lack,
    stack_of,
)
from ecfit_lab.tls.image import Client, image
from ecfit_lab.tls.link import Datagrams, Live, Recording, now_ms
from ecfit_lab.tls.server import HOST, PAYLOAD, go_server
from ecfit_lab.tls.simrun import Ran, run

CHIP = "nrf52840"
PROGRAMS = {"openssl": "openssl", "gnutls": "gnutls-serv"}
OWN_SOURCES = {
    "go": "go",
    "rustls": "cargo",
    "mbedtls": "gcc",
    "wolfssl": "gcc",
}  # servers of tools/rigs/servers, and who builds them
_WOLFSSL_SOURCES = {
    "src": "internal keys ssl tls tls13 wolfio",
    "wolfcrypt/src": "aes asn chacha chacha20_poly1305 coding cpuid ecc error hash hmac kdf "
    "logging md5 memory poly1305 random rsa sha sha256 sha512 signature sp_int wc_encrypt wc_port "
    "wolfmath",
}
SERVERS = ROOT / "tools" / "rigs" / "servers"
NAMES = {"openssl": "OpenSSL", "gnutls": "GnuTLS", "go": "Go", "rustls": "rustls"} | {
    "mbedtls": "Mbed TLS",
    "wolfssl": "wolfSSL",
}
BACKENDS = ("ecfit-fast", "mbedtls", WOLFSSL)
PAGE = ROOT / "docs" / "tls.md"
BEGIN, END = (
    "<!-- table: tools/rigs/tls_servers.py -->\n",
    "<!-- end of tools/rigs/tls_servers.py -->\n",
)


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as server:
        return int(server.getsockname()[1])


def _openssl(connection: Connection, port: int, shared: str) -> list[str]:
    version = f"-{'d' * connection.datagram}tls1_{connection.version[-1]}"
    command = ["openssl", "s_server", "-quiet", "-accept", f"{HOST}:{port}", version]
    if connection.psk:
        return [*command, "-nocert", "-cipher", "PSK-AES128-CCM8:@SECLEVEL=0", "-psk", shared]
    command += ["-cert", "chain.pem", "-cert_chain", "chain.pem", "-key", "key.pem"]
    command += ["-allow_no_dhe_kex"] if connection.resumes == "psk" else []
    return command + (["-Verify", "2", "-CAfile", "root.pem"] if connection.mutual else [])


def _gnutls(connection: Connection, port: int, _shared: str) -> list[str]:
    version = f"{'D' * connection.datagram}TLS{connection.version}"
    command = ["gnutls-serv", "--quiet", "--echo", "--port", str(port)]
    command += ["--udp", "--mtu", "1232"] if connection.datagram else []
    keys = ":+PSK" if connection.resumes == "psk" else ""  # it wants to be told
    keys += ":-KX-ALL:+PSK:+AES-128-CCM-8" if connection.psk else ""
    command += ["--priority", f"NORMAL:-VERS-ALL:+VERS-{version}{keys}"]
    if connection.psk:
        return [*command, "--pskpasswd", "shared.txt"]
    command += ["--x509certfile", "chain.pem", "--x509keyfile", "key.pem"]
    with_client = ["--require-client-cert", "--verify-client-cert", "--x509cafile", "root.pem"]
    return command + (with_client if connection.mutual else ["--disable-client-cert"])


def payload_bytes(name: str, connection: Connection) -> int:
    """What such a server sends by itself: GnuTLS's echoes alone, OpenSSL's sends its standard input
    to the first that connects.
    """
    sends = name in OWN_SOURCES or (name == "openssl" and not connection.resumes)
    return PAYLOAD_BYTES if sends else 0


def _library_words(name: str) -> list[str]:
    """A library in C for its server: Mbed TLS with its default options, wolfSSL with those of
    user_settings.h. Errors: EcfitError.
    """
    folder = code_folder(all_peers()[name])
    if name == "mbedtls":
        folder /= "mbedtls"
        words, sources = [f"-I{folder / 'library'}"], sorted(folder.glob("library/*.c"))
        include = folder / "include"
    else:
        include = folder = folder / "wolfssl-src"
        words = ["-DWOLFSSL_USER_SETTINGS", "-I."]
        sources = [
            folder / room / f"{one}.c"
            for room, names in _WOLFSSL_SOURCES.items()
            for one in names.split()
        ]
    return ["-O1", "-w", *words, f"-I{include}", *map(str, sources)]


def built(name: str) -> Path:
    """A server of tools/rigs/servers, built if need be. Errors: RuntimeError."""
    if name == "go":
        return go_server()
    tool, source = OWN_SOURCES[name], SERVERS / name
    if shutil.which(tool) is None:
        raise RuntimeError(f"{tool} is missing: it builds the server on {name}")
    folder = cache_dir() / "servers" / name
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "server"
    if name == "rustls":
        program = folder / "release" / "server"
        command = ["cargo", "build", "--quiet", "--locked", "--release"]
        command += ["--target-dir", str(folder)]
    elif program.is_file() and all(
        program.stat().st_mtime > file.stat().st_mtime for file in source.iterdir()
    ):
        return program
    else:
        command = ["gcc", *_library_words(name), "server.c", "-o", str(program)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the server on {name} does not build: {done.stderr.strip()}")
    return program


@contextmanager
def foreign(
    name: str, connection: Connection, credentials: Credentials, folder: Path, *options: str
) -> Iterator[int]:
    """The port of such a server, with further options. Errors: RuntimeError when there is none."""
    if name in PROGRAMS and shutil.which(PROGRAMS[name]) is None:
        raise RuntimeError(f"{PROGRAMS[name]} is missing: run tools/setup.sh test")
    (folder / "chain.pem").write_bytes(credentials.server_chain)
    (folder / "key.pem").write_bytes(credentials.server_key)
    shared = credentials.key.hex()
    if connection.psk:
        (folder / "shared.txt").write_text(f"{credentials.name}:{shared}\n", "ascii")
    else:
        (folder / "root.pem").write_bytes(credentials.anchor_pem)
    port = _free_port()
    if name in OWN_SOURCES:
        files, version = ["chain.pem", "key.pem"], connection.version
        command = [str(built(name)), f"{HOST}:{port}", *files, version, PAYLOAD.hex()]
    else:
        command = (_openssl if name == "openssl" else _gnutls)(connection, port, shared)
    command += options
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait(server, port)
        if name in PROGRAMS and payload_bytes(name, connection):
            assert server.stdin is not None
            server.stdin.write(PAYLOAD)
            server.stdin.flush()
        yield port
    finally:
        server.kill()
        server.wait(10)


def _wait(server: subprocess.Popen[bytes], port: int) -> None:
    """Until somebody listens there: the kernel says so, so that no connection is wasted."""
    wanted = f":{port:04X} "
    for _ in range(200):
        if server.poll() is not None:
            raise RuntimeError(f"the server ended with exit code {server.returncode}")
        with suppress(OSError):
            for name, state in (("tcp", " 0A "), ("tcp6", " 0A "), ("udp", " 07 ")):
                lines = Path(f"/proc/net/{name}").read_text().splitlines()
                if any(wanted in line and state in line for line in lines):
                    return
        time.sleep(0.05)
    raise RuntimeError("the server does not listen")


def connect(
    client: Client,
    given: Credentials,
    port: int,
    *,
    payload: int = PAYLOAD_BYTES,
    timeout: float = 5,
) -> Ran:
    """One run on a chip."""
    recording = Recording(client.connection.name, 1, now_ms(), given, payload)
    link = (Datagrams if client.connection.datagram else Live)(port, timeout)
    try:
        built = image(client, all_peers(), Store())
        return run(client, built, client.target.mode("datasheet"), link, recording)
    finally:
        link.close()


def met(
    name: str, connection: Connection, chain: str, client: Callable[[Credentials, int, int], str]
) -> str:
    """What a client says that gets the credentials, the port and the bytes of payload to wait for,
    or why there was no server.
    """
    given, payload = certs.make(connection, chain=chain), payload_bytes(name, connection)
    with tempfile.TemporaryDirectory() as folder:
        try:
            with foreign(name, connection, given, Path(folder)) as port:
                return client(given, port, payload)
        except EcfitError as error:
            return str(error)


def tried(name: str, connection: Connection, backend: str, chain: str = "mixed") -> str:
    """From the chip: "ok" when the connection was complete and the payload right, or why it was
    not.
    """
    client = Client(find_target(CHIP), connection, backend)

    def on_chip(given: Credentials, port: int, payload: int) -> str:
        return connections.failure(connect(client, given, port, payload=payload), payload)[0]

    return met(name, connection, chain, on_chip)


def table(titles: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """In Markdown; each row is shown when it is there."""
    found = [f"| {' | '.join(titles)} |", f"|{' --- |' * len(titles)}"]
    for row in cells:
        found.append(f"| {' | '.join(row)} |")
        sys.stderr.write(f"{found[-1]}\n")
    return "\n".join(found) + "\n"


def cells() -> Iterator[list[str]]:
    """Each connection with each back end, against each server."""
    for name, backend in rows():
        words = [tried(server, find_connection(name), backend) for server in PROGRAMS]
        yield [name, backend, *words]


def rows() -> list[tuple[str, str]]:
    """Each connection but TCP's and EDHOC's with each back end that can do it; hybrid groups are
    younger than these programs.
    """
    return [
        (name, backend)
        for name, connection in CONNECTIONS.items()
        for backend in BACKENDS[: None if connection.curves else 1]
        if not (name in (TCP, EDHOC) or connection.hybrid or lack(stack_of(backend), connection))
    ]


def written(what: str, text: Callable[[], str], begin: str, end: str) -> None:
    """The command line of a rig that makes a table of the page."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--write", action="store_true", help="bring docs/tls.md up to date")
    write = parser.parse_args().write
    found = text()
    if not write:
        sys.stdout.write(found)
        return
    head, rest = PAGE.read_text(encoding="utf-8").split(begin)
    PAGE.write_text(f"{head}{begin}\n{found}\n{end}{rest.split(end)[1]}", encoding="utf-8")


if __name__ == "__main__":
    titles = ("connection", "elliptic curves", *(NAMES[one] for one in PROGRAMS))
    written("The client against servers of others.", lambda: table(titles, cells()), BEGIN, END)
