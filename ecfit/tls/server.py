"""A server on loopback: OpenSSL through Python's ssl module, in a thread, or in a process of its
own, as the rows have it.

It accepts connections, sends each the payload, and waits for the client to close.
"""

from __future__ import annotations

import os
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from ecfit.errors import EcfitError
from ecfit.tls.certs import Credentials
from ecfit.tls.configs import PAYLOAD_BYTES, TCP, Connection

HOST = "127.0.0.1"
PAYLOAD = bytes(range(PAYLOAD_BYTES))
TIMEOUT = 30.0  # seconds that it waits for anything of a client
STOP_SECONDS = 10  # that its process may take to end
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


class Order(msgspec.Struct, frozen=True):
    """The job of a server's process: a line of JSON on its standard input. It prints its port,
    serves until its input ends, and prints failures, one line each.
    """

    connection: Connection
    credentials: Credentials | None


class ServerProcess:
    """A context manager: a server in a process of its own, on `port` of loopback. It ends with us,
    however we end. When it is stopped, `failures` has what it has seen, and `lost` how it ended,
    where nobody had asked it to.
    """

    def __init__(self, connection: Connection, credentials: Credentials | None) -> None:
        self.failures: list[str] = []
        self.lost = ""
        self._stopped = False
        self._order = msgspec.json.encode(Order(connection, credentials)) + b"\n"

    def __enter__(self) -> Self:
        """Errors: EcfitError when there is no loopback, or OpenSSL refuses the credentials."""
        found = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "ecfit.tls.server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": found},
            start_new_session=True,  # Ctrl-C is ours
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(self._order)
            self._process.stdin.flush()
        line = self._process.stdout.readline().decode().strip()
        if not line.isdecimal():
            self.stop()
            raise EcfitError(line or f"the server does not start: {self.lost}")
        self.port = int(line)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends it, where it has not ended yet."""
        process, done = self._process, self._stopped
        self._stopped = True
        if done:
            return
        try:
            said, _ = process.communicate(timeout=STOP_SECONDS)  # closes its input
        except subprocess.TimeoutExpired:  # somebody has stopped it: it stalls, and is not lost
            process.kill()
            process.communicate()
            return
        self.failures = said.decode(errors="replace").splitlines()
        if process.returncode < 0:
            name = signal.Signals(-process.returncode).name
            self.lost = f"{name} ended the server's process"
        elif process.returncode:
            self.lost = f"the server's process ended with exit code {process.returncode}"


def main() -> int:
    """The server's process."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    try:
        with Server(order.connection, order.credentials) as server:
            print(server.port, flush=True)
            sys.stdin.buffer.read()
    except EcfitError as error:
        print(error, flush=True)
        return 1
    for failure in server.failures:
        print(failure.replace("\n", " "))
    return 0


if __name__ == "__main__":
    sys.exit(main())
