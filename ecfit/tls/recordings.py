"""Recorded connections as files: JSON, bytes as base64. Read with care: they come from anywhere."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ecfit.errors import OutputError, UsageError
from ecfit.measure.store import write_output
from ecfit.tls.configs import find_connection
from ecfit.tls.link import SCHEMA, Recording

MOST_BYTES = 1 << 20  # of a file


def read(name: str) -> Recording:
    """A recording. Errors: UsageError, one line with the file's name."""
    path = Path(name)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{path.name}: larger than any recording")
        recording = msgspec.json.decode(path.read_bytes(), type=Recording)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path.name} is not a recording: {error}") from None
    if recording.schema != SCHEMA:
        raise UsageError(f"{path.name}: schema {recording.schema} is not {SCHEMA}: record again")
    if any(step.what not in ("send", "receive") for step in recording.steps):
        raise UsageError(f"{path.name} is not a recording: a step is neither send nor receive")
    if not 0 <= recording.time_ms < 1 << 47:
        raise UsageError(f"{path.name} is not a recording: its time is out of range")
    find_connection(recording.connection)
    return recording


def write(name: str, recording: Recording) -> None:
    """Writes a recording, whole or not at all. Errors: OutputError."""
    path = Path(name)
    if not path.parent.is_dir():
        raise OutputError(f"cannot write {path}: there is no folder {path.parent}")
    data = msgspec.json.format(msgspec.json.encode(recording), indent=1)
    write_output(path, data + b"\n")
