"""The client on this machine: the same source, a process of its own, sockets of its own.

Wall time from connect() to the end of the handshake, and the most memory that the process had.
"""

from __future__ import annotations

import struct
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ecfit.build import toolchain
from ecfit.build.fetch import check_compiled
from ecfit.choices.peers import Peer
from ecfit.errors import BuildError, EcfitError
from ecfit.model import digest
from ecfit.paths import cache_dir, is_kept, make_folder, write_atomic
from ecfit_lab.tls.configs import TCP
from ecfit_lab.tls.connections import LOST, Wanted, failed
from ecfit_lab.tls.ends import reason
from ecfit_lab.tls.image import CLIENT, Client, check, request
from ecfit_lab.tls.link import Recording, now_ms
from ecfit_lab.tls.record import TlsRecord, without_outliers
from ecfit_lab.tls.server import credentials, other_side, payload_bytes
from ecfit_lab.tls.simrun import End, given_bytes

PLATFORM = "linux"
_RESULT = struct.Struct("<2i8I5Q")  # firmware/tls/port_linux.c
_TIMEOUT = 60  # seconds for one connection


class Run(msgspec.Struct, frozen=True):
    """One connection: how it ended, microseconds of the handshake (TCP's among them), bytes."""

    end: End
    handshake_us: float
    heap_bytes: int
    sent_bytes: int
    received_bytes: int
    peak_rss_bytes: int


def program(client: Client, peers: Mapping[str, Peer]) -> Path:
    """The client as a program, built if need be. Errors: UsageError, BuildError."""
    check(client)
    wanted = request(client, peers)
    parts = wanted.parts
    port = CLIENT / "port_linux.c"
    key = digest([wanted.key, port.read_bytes(), "program"])
    path = cache_dir() / "tls" / key
    if is_kept(path):
        return path
    what = f"the {client.connection.name} client for this machine"
    with tempfile.TemporaryDirectory(dir=cache_dir()) as name:
        folder = Path(name)
        for file, text in parts.generated.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        own = ["-DECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"] if "ecfit" in client.backend else []
        common = [f"-I{folder}", *(f"-I{one}" for one in parts.include), *own]
        common += [f"-D{define}" for define in parts.defines]
        objects = []
        for index, source in enumerate((*parts.sources, parts.adapter, port)):
            objects.append(f"{index}_{source.stem}.o")
            command = [*client.tools.compile, *common, "-c", str(source), "-o", objects[-1]]
            toolchain.run(command, what, folder)
        link = [client.tools.link[0], "-Wl,--gc-sections", *objects, "-o", "client"]
        toolchain.run(link, what, folder)
        check_compiled(parts.sources)
        make_folder(path.parent)
        write_atomic(path, (folder / "client").read_bytes(), 0o755)
    return path


def run(path: Path, recording: Recording, port: int, timeout: float) -> Run:
    """One connection to a server on loopback. Errors: BuildError when the program dies."""
    head = struct.pack("<2IqQ", port, round(1000 * timeout), recording.time_ms, recording.seed)
    try:
        done = subprocess.run(
            [str(path)],
            input=head + given_bytes(recording),
            capture_output=True,
            timeout=_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"the client does not run: {error}") from None
    if done.returncode or len(done.stdout) != _RESULT.size:
        raise BuildError(f"the client died: exit code {done.returncode}")
    *words, handshake_ns, heap, sent, received, rss = _RESULT.unpack(done.stdout)
    return Run(End(*words), handshake_ns / 1000, heap, sent, received, rss)


def measure(client: Client, peers: Mapping[str, Peer], wanted: Wanted) -> TlsRecord:
    """The row of this machine. A failure is a record, too."""
    tcp = client.connection.version == TCP
    base = TlsRecord(
        platform=PLATFORM,
        connection=client.connection.name,
        stack="-" if tcp else client.stack,
        backend="-" if tcp else client.backend,
        core="host",
        toolchain=client.tools.label,
        opt=client.opt,
        seed=wanted.seed,
    )
    try:
        path = program(client, peers)
        given = credentials(client.connection, wanted.remote)
        done = []
        with other_side(client.connection, given, wanted.remote) as server:
            for index in range(wanted.runs):
                seed, size = wanted.seed + index, payload_bytes(wanted.remote, client.connection)
                recording = Recording(client.connection.name, seed, now_ms(), given, size)
                one = run(path, recording, server.port, wanted.timeout)
                word, sentence = reason(one.end)
                if word != "ok":
                    return failed(base, word, sentence, server)
                done.append(one)
    except BuildError as error:
        return msgspec.structs.replace(base, status=error.status, detail=str(error))
    except EcfitError as error:
        return msgspec.structs.replace(base, status=LOST, detail=str(error))
    times = sorted(one.handshake_us for one in done)
    middle = next(one for one in done if one.handshake_us == times[(len(times) - 1) // 2])
    return msgspec.structs.replace(
        base,
        runs=wanted.runs,
        handshake_ms=round(middle.handshake_us / 1000, 4),
        handshake_ms_min=round(times[0] / 1000, 4),
        handshake_ms_max=round(times[-1] / 1000, 4),
        handshake_ms_mean=round(without_outliers(times) / 1000, 4),
        payload_sent_bytes=middle.sent_bytes,
        payload_received_bytes=middle.received_bytes,
        heap_bytes=middle.heap_bytes,
        peak_rss_bytes=max(one.peak_rss_bytes for one in done) or None,
    )
