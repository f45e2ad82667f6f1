"""Servers that nobody here wrote, on loopback: OpenSSL's and GnuTLS's own programs."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ecfit.tls.certs import Credentials
from ecfit.tls.configs import Connection
from ecfit.tls.server import HOST, PAYLOAD

PROGRAMS = {"openssl": "openssl", "gnutls": "gnutls-serv"}


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as server:
        return int(server.getsockname()[1])


def _openssl(connection: Connection, port: int) -> list[str]:
    version = "-tls1_3" if connection.version == "1.3" else "-tls1_2"
    command = ["openssl", "s_server", "-quiet", "-accept", f"{HOST}:{port}", version]
    command += ["-cert", "chain.pem", "-cert_chain", "chain.pem", "-key", "key.pem"]
    return command + (["-Verify", "2", "-CAfile", "root.pem"] if connection.mutual else [])


def _gnutls(connection: Connection, port: int) -> list[str]:
    version = connection.version
    command = ["gnutls-serv", "--quiet", "--echo", "--port", str(port)]
    command += ["--priority", f"NORMAL:-VERS-ALL:+VERS-TLS{version}"]
    command += ["--x509certfile", "chain.pem", "--x509keyfile", "key.pem"]
    with_client = ["--require-client-cert", "--verify-client-cert", "--x509cafile", "root.pem"]
    return command + (with_client if connection.mutual else ["--disable-client-cert"])


@contextmanager
def foreign(
    name: str, connection: Connection, credentials: Credentials, folder: Path
) -> Iterator[int]:
    """The port of such a server. OpenSSL's sends the payload; GnuTLS's sends nothing by itself."""
    if shutil.which(PROGRAMS[name]) is None:
        pytest.fail(f"{PROGRAMS[name]} is missing: run tools/setup.sh test")
    (folder / "chain.pem").write_bytes(credentials.server_chain)
    (folder / "key.pem").write_bytes(credentials.server_key)
    (folder / "root.pem").write_bytes(credentials.anchor_pem)
    port = _free_port()
    command = (_openssl if name == "openssl" else _gnutls)(connection, port)
    server = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(server, port)
        if name == "openssl":
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
        assert server.poll() is None, f"the server ended with exit code {server.returncode}"
        with suppress(OSError):
            tables = [Path(f"/proc/net/{name}").read_text() for name in ("tcp", "tcp6")]
            lines = [line for table in tables for line in table.splitlines()]
            if any(wanted in line and " 0A " in line for line in lines):
                return
        time.sleep(0.05)
    pytest.fail("the server does not listen")
