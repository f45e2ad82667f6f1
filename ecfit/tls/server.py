"""A server on loopback in a thread of this process: OpenSSL through Python's ssl module.

It accepts connections, sends each the payload, and waits for the client to close.
"""

from __future__ import annotations

import socket
import ssl
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from ecfit.errors import EcfitError
from ecfit.tls.certs import Credentials
from ecfit.tls.configs import PAYLOAD_BYTES, TCP, Connection

HOST = "127.0.0.1"
PAYLOAD = bytes(range(PAYLOAD_BYTES))
TIMEOUT = 30.0  # seconds that it waits for anything of a client
_ALLOW_NO_DHE_KEX = 0x400  # of OpenSSL, which the module does not name: resume without one
_VERSIONS = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}


class Server:
    """A context manager: it listens on `port` of loopback until it is left."""

    def __init__(self, connection: Connection, credentials: Credentials | None) -> None:
        """Errors: EcfitError when there is no loopback, or OpenSSL refuses the credentials."""
        self.failures: list[str] = []
        self._context = server_context(connection, credentials)
        try:
            self._listening = socket.create_server((HOST, 0))
        except OSError as error:
            raise EcfitError(f"no server on loopback: {error.strerror or error}") from None
        self._listening.settimeout(0.1)
        self.port = int(self._listening.getsockname()[1])
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leaving.set()
        self._thread.join(5)
        self._listening.close()

    def _serve(self) -> None:
        while not self._leaving.is_set():
            try:
                client, _ = self._listening.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            with client:
                client.settimeout(TIMEOUT)
                try:
                    self._speak(client)
                except OSError as error:  # ssl.SSLError is one
                    self.failures.append(str(error))

    def _speak(self, client: socket.socket) -> None:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._context is None:
            client.sendall(PAYLOAD)
            client.shutdown(socket.SHUT_WR)
            client.recv(1)
            return
        with self._context.wrap_socket(client, server_side=True) as speaking:
            speaking.sendall(PAYLOAD)
            with suppress(OSError):
                speaking.recv(1)  # its close_notify
                speaking.unwrap()  # ours: without it OpenSSL forgets the session


def server_context(
    connection: Connection, credentials: Credentials | None
) -> ssl.SSLContext | None:
    """What OpenSSL is told about a connection; None without TLS. Errors: EcfitError."""
    if connection.version == TCP or credentials is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = context.maximum_version = _VERSIONS[connection.version]
    context.num_tickets = 1 if connection.resumes else 0
    if connection.resumes == "psk":
        context.options |= _ALLOW_NO_DHE_KEX
    with tempfile.TemporaryDirectory() as name:
        chain, key = Path(name, "chain.pem"), Path(name, "key.pem")
        chain.write_bytes(credentials.server_chain)
        key.write_bytes(credentials.server_key)
        try:
            context.load_cert_chain(chain, key)
        except ssl.SSLError as error:
            raise EcfitError(f"OpenSSL refuses the server's certificate: {error}") from None
    if connection.mutual:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=credentials.anchor_pem.decode("ascii"))
    return context
