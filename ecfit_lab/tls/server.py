"""The other side of a connection.

A server on loopback: OpenSSL through Python's ssl module, in a thread, or in a process of its own,
as the rows have it; for hybrid groups that of Go's crypto/tls, for DTLS one on Mbed TLS
(data/server). It accepts connections, sends each the payload, and waits for the client to close. Or
a server that the user names (`--connect`): a relay on loopback leads there, so that chips, boards
and this machine reach it like a server of their own.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import msgspec

from ecfit.build.fetch import code_folder
from ecfit.build.toolchain import run as run_tool
from ecfit.choices.peers import all_peers
from ecfit.errors import WRONG_RESULT, EcfitError, MissingToolError, UsageError
from ecfit.model import digest
from ecfit.paths import cache_dir, is_kept, make_folder, private_folder, write_atomic
from ecfit_lab import DATA
from ecfit_lab.tls import edhoc
from ecfit_lab.tls.certs import Credentials, anchors_of, make
from ecfit_lab.tls.configs import EDHOC, MBEDTLS, PAYLOAD_BYTES, TCP, WEB, WEB_ROOM, Connection

HOST = "127.0.0.1"
PAYLOAD = bytes(range(PAYLOAD_BYTES))
TIMEOUT = 30.0  # seconds that it waits for anything of a client
_CHUNK = 1 << 14  # bytes that a relay passes on at a time
STOP_SECONDS = 10  # that its process may take to end
_ALLOW_NO_DHE_KEX = 0x400  # of OpenSSL, which the module does not name: resume without one
_GO, _GO_SOURCE = "Go 1.24 or later", DATA / "server" / "main.go"
_DTLS_SOURCE = DATA / "server" / "dtls.c"
_VERSIONS = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}


class _Listening(ABC):
    """A context manager: it listens on `port` of loopback until it is left, and hands each
    connection to `_meet`.
    """

    port: int

    def __init__(self) -> None:
        self.failures: list[str] = []
        self.lost = ""
        self._leaving = threading.Event()

    def __enter__(self) -> Self:
        """Errors: EcfitError when there is no loopback."""
        try:
            self._door = socket.create_server((HOST, 0))
        except OSError as error:
            raise EcfitError(f"no server on loopback: {error.strerror or error}") from None
        self._door.settimeout(0.1)
        self.port = int(self._door.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends it."""
        self._leaving.set()
        self._thread.join(5)
        self._door.close()

    def _serve(self) -> None:
        while not self._leaving.is_set():
            try:
                client, _ = self._door.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            self._meet(client)

    @abstractmethod
    def _meet(self, client: socket.socket) -> None:
        """Speaks with a client until the end of its connection."""


class Server(_Listening):
    """OpenSSL, in a thread: one connection after the other."""

    def __init__(self, connection: Connection, credentials: Credentials | None) -> None:
        """Errors: EcfitError when OpenSSL refuses the credentials."""
        super().__init__()
        self._context = server_context(connection, credentials)

    def _meet(self, client: socket.socket) -> None:
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


def check_go() -> None:
    """Whether Go is there. Errors: MissingToolError."""
    if shutil.which("go") is None:
        raise MissingToolError(f"go is not installed: it builds the server of this group ({_GO})")


def go_server() -> Path:
    """The server on Go's crypto/tls, built once. Errors: MissingToolError, also of an older Go."""
    check_go()
    program = cache_dir() / "servers" / f"go-{digest(_GO_SOURCE.read_bytes())[:16]}"
    if not is_kept(program):
        with private_folder("ecfit-go-") as folder:
            command = ["go", "build", "-o", str(folder / "server"), str(_GO_SOURCE)]
            env = {**os.environ, "GOTOOLCHAIN": "local", "CGO_ENABLED": "0"}
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, check=False, env=env
            )
            if done.returncode:
                why = (done.stderr.strip().splitlines() or ["no reason"])[-1]
                raise MissingToolError(f"go does not build the server, {_GO} does: {why}")
            make_folder(program.parent)
            write_atomic(program, (folder / "server").read_bytes(), 0o755)
    return program


def dtls_server() -> Path:
    """The server on Mbed TLS, of the package of that peer, built once.
    Errors: MissingToolError, PackageError.
    """
    if shutil.which("gcc") is None:
        raise MissingToolError("gcc is not installed: it builds the server of DTLS")
    peer = code_folder(all_peers()[MBEDTLS]) / "mbedtls"
    key = digest([_DTLS_SOURCE.read_bytes(), str(peer)])[:16]
    program = cache_dir() / "servers" / f"dtls-{key}"
    if not is_kept(program):
        with private_folder("ecfit-dtls-") as folder:
            sources = [_DTLS_SOURCE, *sorted(peer.glob("library/*.c"))]
            command = ["gcc", "-O1", "-w", f"-I{peer / 'include'}", "-pthread", "-o", "server"]
            run_tool([*command, *map(str, sources)], "the server of DTLS", folder)
            make_folder(program.parent)
            write_atomic(program, (folder / "server").read_bytes(), 0o755)
    return program


def _dtls_order(connection: Connection, given: Credentials) -> bytes:
    """The job of that server: see data/server/dtls.c."""
    shared, trusts = connection.psk, connection.mutual
    fields = [
        b"" if shared else given.server_chain + b"\0",
        b"" if shared else given.server_key + b"\0",
        given.anchor if trusts else b"",
        given.server_key if shared else b"",
        given.name.encode(),
        PAYLOAD,
    ]
    return b"".join(field.hex().encode() + b"\n" for field in fields)


class Order(msgspec.Struct, frozen=True):
    """The job of a server's process: a line of JSON on its standard input. It prints its port,
    serves until its input ends, and prints failures, one line each.
    """

    connection: Connection
    credentials: Credentials | None
    payload: bytes = PAYLOAD


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
        self._dtls = connection.datagram and connection.version != EDHOC
        if self._dtls and credentials:
            self._order = _dtls_order(connection, credentials)
        self._hybrid = connection.hybrid

    def __enter__(self) -> Self:
        """Errors: EcfitError when there is no loopback, or OpenSSL refuses the credentials;
        MissingToolError when Go, or gcc for DTLS, is needed and not there.
        """
        python = [sys.executable, "-P", "-m", "ecfit_lab.tls.server"]
        command = [str(go_server())] if self._hybrid else python
        if self._dtls:
            command = [str(dtls_server())]
        found = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        self._process = subprocess.Popen(
            command,
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


class UnreachableError(EcfitError):
    """Nobody answers at the address."""

    exit_code = WRONG_RESULT


class Remote(msgspec.Struct, frozen=True):
    """A server elsewhere: its address, whom the client expects and trusts (DER, one behind the
    other), and seconds to wait for it.
    """

    host: str
    port: int
    name: str
    anchors: bytes
    timeout: float

    def connect(self) -> socket.socket:
        """A connection. Errors: UnreachableError."""
        where = f"{self.host}:{self.port}"
        try:
            return socket.create_connection((self.host, self.port), self.timeout)
        except TimeoutError:
            why = f"no answer in {self.timeout:g} s"
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or str(error)
        raise UnreachableError(f"no server at {where}: {why}")

    def reach(self) -> None:
        """Whether somebody answers there. Errors: UnreachableError."""
        self.connect().close()


class OtherSide(Protocol):
    """Whom a client connects to, on a port of loopback."""

    port: int
    failures: list[str]
    lost: str

    def stop(self) -> None:
        """Ends it."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def find_remote(where: str, ca: str, sni: str | None, timeout: float) -> Remote:
    """From the command line's words. Errors: UsageError."""
    host, colon, port = where.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 1 << 16):
        raise UsageError(f"--connect wants HOST:PORT, with a port of 1 to 65535, not '{where}'")
    name = sni or host
    if len(name.encode()) >= WEB_ROOM["name"]:
        raise UsageError(f"the server's name has more than {WEB_ROOM['name'] - 1} bytes")
    return Remote(host, int(port), name, anchors_of(ca), timeout)


def check_remote(connection: Connection) -> None:
    """Whether the client of a connection can meet a server elsewhere. Errors: UsageError."""
    if connection.version == TCP or connection.mutual or connection.name not in WEB:
        raise UsageError(f"--connect is for {', '.join(WEB)}, not for {connection.name}")


def payload_bytes(remote: Remote | None, connection: Connection) -> int:
    """What the client waits for: a server elsewhere, or behind EDHOC, sends nothing unasked."""
    return PAYLOAD_BYTES if remote is None and connection.version != EDHOC else 0


def credentials(connection: Connection, remote: Remote | None) -> Credentials:
    """Made for this connection, or what the client knows of a server elsewhere."""
    if connection.version == EDHOC:
        return edhoc.make()
    if remote is None:
        return make(connection)
    return Credentials(remote.anchors, b"", b"", remote.name)


def other_side(connection: Connection, given: Credentials, remote: Remote | None) -> OtherSide:
    """A server of this machine, or the way to another."""
    return ServerProcess(connection, given) if remote is None else Relay(remote)


class Relay(_Listening):
    """What comes to `port` goes to a server elsewhere, and back."""

    def __init__(self, remote: Remote) -> None:
        super().__init__()
        self._remote = remote

    def _meet(self, client: socket.socket) -> None:
        threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        try:
            server = self._remote.connect()
        except UnreachableError as error:
            self.lost = str(error)
            client.close()
            return
        with client, server:
            for one in (client, server):
                one.settimeout(None)
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            back = threading.Thread(target=_copy, args=(server, client), daemon=True)
            back.start()
            _copy(client, server)
            back.join(self._remote.timeout)


def _copy(source: socket.socket, sink: socket.socket) -> None:
    """One direction, until its end."""
    try:
        while data := source.recv(_CHUNK):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        for one in (source, sink):
            one.close()


def serving(connection: Connection, credentials: Credentials | None) -> Server | edhoc.EdhocServer:
    """What listens in a server's process. Errors: EcfitError."""
    if connection.version == EDHOC and credentials:
        return edhoc.EdhocServer(credentials)
    return Server(connection, credentials)


def main() -> int:
    """The server's process."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    try:
        with serving(order.connection, order.credentials) as server:
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
