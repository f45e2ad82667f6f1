"""Readings as lines of JSON at the end of a file."""

from __future__ import annotations

import hashlib
import os
from bisect import bisect
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from ecfit.errors import OutputError
from ecfit.gateway.readings import (
    Reading,
    Refusal,
    content,
    epoch_text,
    kept_json,
    number_of,
)
from ecfit.gateway.stores import Name, again, name_of, now
from ecfit.message.refusal import MessageRefusedError
from ecfit.paths import lock


class Boot:
    """The ids of one boot in their order, and for each when it came, or the first above it."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._times: list[str] = []

    def said_before(self, number: int) -> str | None:
        """When the first reading came that this one should have come before."""
        at = bisect(self._numbers, number)
        return self._times[at] if at < len(self._numbers) else None

    def add(self, number: int, when: str) -> None:
        """One that came now."""
        at = bisect(self._numbers, number)
        self._times.insert(at, self._times[at] if at < len(self._numbers) else when)
        self._numbers.insert(at, number)


class LinesStore:
    """Lines of JSON at the end of one file, which is this process's alone.

    What a reading is called, its place in its boot, and a hash of it are kept in memory: some 350
    bytes for each.
    """

    def __init__(self, path: Path) -> None:
        """A line that a kill left half-written is cut off. Errors: OutputError."""
        self.path, self.late = path, 0
        self._known: dict[Name, bytes] = {}
        self._boots: dict[tuple[str, str], Boot] = {}
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
        size, when = 0, ""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                size += len(line)
                try:
                    line_of = kept_json(line)
                    if line_of["accepted"]:
                        payload = line_of.get("payload", {})
                        epoch = line_of.get("epoch", epoch_text(payload) or "")
                        name = line_of["identity"], epoch, line_of["measurement"]
                        if (came := line_of.get("received", "")) != when:  # a text for all of them
                            when = came
                        self._remember(name, self._hash(payload), when)
                except (
                    msgspec.MsgspecError,
                    MessageRefusedError,
                    LookupError,
                    TypeError,
                    ValueError,
                    AttributeError,
                    RecursionError,
                ):
                    raise OutputError(
                        f"{self.path}: line {number} is none of a gateway's: choose another file"
                    ) from None
        return size

    def _remember(self, name: Name, content_hash: bytes, when: str) -> None:
        self._known[name] = content_hash
        if (number := number_of(name[2])) is not None:
            self._boots.setdefault(name[:2], Boot()).add(number, when)

    def _sync_folder(self) -> None:
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def commit(self, batch: Sequence[Reading | Refusal]) -> list[bool]:
        when, new, lines = now(), [], []
        names: dict[Name, bytes] = {}
        highest: dict[tuple[str, str], int] = {}  # of each boot in this batch
        late = 0
        for one in batch:
            kept: dict[str, Any] = {"accepted": isinstance(one, Reading), "received": when}
            shown: Reading | Refusal = one
            known = None
            if isinstance(one, Reading):
                name, own = name_of(one), self._hash(one.payload)
                known = self._known.get(name) or names.get(name)
                if known is None:
                    names[name] = own
                    kept["said_before"] = self._said_before(one, when, highest)
                    late += kept["said_before"] is not None
                else:
                    shown = again(one, same=known == own)
                    kept["accepted"] = False
            new.append(known is None)
            lines.append(msgspec.json.encode(kept | msgspec.structs.asdict(shown)) + b"\n")
        self._append(b"".join(lines))
        for name, own in names.items():
            self._remember(name, own, when)
        self.late += late
        return new

    def _said_before(
        self, one: Reading, when: str, highest: dict[tuple[str, str], int]
    ) -> str | None:
        """When the first reading came that this one should have come before."""
        number, boot = one.number, (one.identity, one.epoch)
        if number is None:
            return None
        before = self._boots[boot].said_before(number) if boot in self._boots else None
        if before is None and number < highest.get(boot, number):
            before = when
        highest[boot] = max(number, highest.get(boot, number))
        return before

    @staticmethod
    def _hash(payload: object) -> bytes:
        """Tells what was signed from another payload."""
        return hashlib.blake2b(content(payload), digest_size=8).digest()

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
