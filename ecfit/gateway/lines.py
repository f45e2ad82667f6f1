"""Readings as lines of JSON at the end of a file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from ecfit.errors import OutputError
from ecfit.gateway.readings import Reading, Refusal, epoch_text
from ecfit.gateway.stores import Name, again, name_of, now
from ecfit.paths import lock


class LinesStore:
    """Lines of JSON at the end of one file, which is this process's alone.

    What a reading is called and a hash of it are kept in memory: some 250 bytes for each.
    """

    def __init__(self, path: Path) -> None:
        """A line that a kill left half-written is cut off. Errors: OutputError."""
        self.path = path
        self._known: dict[Name, bytes] = {}
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                lock(self._file, wait=False)
            except BlockingIOError:
                raise OutputError(
                    f"{path} is another gateway's: several share --sqlite or --postgres"
                ) from None
            self._size = self._read()
            os.ftruncate(self._file, self._size)
            self._sync_folder()
        except OSError as error:
            raise OutputError(f"cannot keep readings in {path}: {error.strerror}") from None

    def _read(self) -> int:
        """Bytes of whole lines; their readings are known from now on."""
        size = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                size += len(line)
                try:
                    one = msgspec.json.decode(line)
                    if one["accepted"]:
                        payload = one.get("payload", {})
                        epoch = one.get("epoch", epoch_text(payload) or "")
                        name = one["identity"], epoch, one["measurement"]
                        self._known[name] = self._hash(payload)
                except (
                    msgspec.MsgspecError,
                    LookupError,
                    TypeError,
                    AttributeError,
                    RecursionError,
                ):
                    raise OutputError(
                        f"{self.path}: line {number} is none of a gateway's: choose another file"
                    ) from None
        return size

    def _sync_folder(self) -> None:
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def commit(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        when, new, lines = now(), [], []
        names: dict[Name, bytes] = {}
        for one in batch:
            shown: Reading | Refusal = one
            before = None
            if isinstance(one, Reading):
                name, own = name_of(one), self._hash(one.payload)
                before = self._known.get(name) or names.get(name)
                if before is None:
                    names[name] = own
                else:
                    shown = again(one, same=before == own)
            new.append(before is None)
            kept: dict[str, Any] = {"accepted": isinstance(shown, Reading), "received": when}
            lines.append(msgspec.json.encode(kept | msgspec.structs.asdict(shown)) + b"\n")
        self._append(b"".join(lines))
        self._known |= names
        return new

    @staticmethod
    def _hash(payload: object) -> bytes:
        """Tells one payload from another, whatever the order of its members."""
        data = msgspec.json.encode(payload, order="deterministic")
        return hashlib.blake2b(data, digest_size=8).digest()

    def _append(self, data: bytes) -> None:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._file, rest) :]
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):  # nothing of it was acknowledged
                os.ftruncate(self._file, self._size)
                os.fsync(self._file)
            raise OutputError(f"cannot keep readings in {self.path}: {error.strerror}") from None
        self._size += len(data)

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._file)
