"""Readings as lines of JSON at the end of a file."""

from __future__ import annotations

import errno
import hashlib
import os
from bisect import bisect
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from ecfit.errors import OutputError
from ecfit.paths import lock
from ecfit_lab.gateway.budgets import DEFAULT, Limits, room
from ecfit_lab.gateway.readings import (
    Reading,
    Refusal,
    content,
    epoch_text,
    kept_json,
    number_of,
)
from ecfit_lab.gateway.stores import FullError, Name, again, name_of, now
from ecfit_lab.message.refusal import MessageRefusedError

FULL = (errno.ENOSPC, errno.EDQUOT)


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


class RefusedFiles:
    """What is refused, for each sensor: a file that grows, and the full one before it. Together
    they have at most the sensor's share. To drop the oldest takes no room: a file goes.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder, self._largest = folder, limits.refused_bytes // 2
        self._sizes: dict[Path, int] = {}

    def append(self, sensor: str, line: bytes) -> None:
        """Without a wait for the disk. On a full disk the line is dropped. Errors: OSError."""
        name = hashlib.sha256(sensor.encode()).hexdigest()[:16]
        path = self.folder / f"{name}.jsonl"
        try:
            self.folder.mkdir(exist_ok=True)
            if path not in self._sizes:
                whole = path.read_bytes().rfind(b"\n") + 1 if path.exists() else 0
                self._sizes[path] = whole
            if self._sizes[path] + len(line) > self._largest:
                path.replace(self.folder / f"{name}.old.jsonl")
                self._sizes[path] = 0
            with path.open("ab", buffering=0) as file:
                file.truncate(self._sizes[path])  # of half a line, after a kill or on a full disk
                if file.write(line) == len(line):
                    self._sizes[path] += len(line)
        except OSError as error:
            if error.errno not in FULL:
                raise

    def drop(self, *, all_of_them: bool) -> bool:
        """Deletes the oldest file, or all: whether there was one. Errors: OSError."""
        files = sorted(self.folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
        for path in files if all_of_them else files[:1]:
            path.unlink()
            self._sizes.pop(path, None)
        return bool(files)


class LinesStore:
    """Lines of JSON at the end of one file, which is this process's alone. What is refused is
    beside it, in the folder FILE.refused: the file itself is only ever longer.

    What a reading is called, its place in its boot, and a hash of it are kept in memory: some 350
    bytes for each.
    """

    def __init__(self, path: Path, limits: Limits = DEFAULT) -> None:
        """A line that a kill left half-written is cut off. Errors: OutputError."""
        self.path, self.late = path, 0
        self._refused = RefusedFiles(path.with_name(f"{path.name}.refused"), limits)
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
                        epoch = line_of["epoch"] if "epoch" in line_of else epoch_text(payload)
                        name = line_of["identity"], epoch or "", line_of["measurement"]
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
        when, new, lines, refused = now(), [], [], []
        names: dict[Name, bytes] = {}
        highest: dict[tuple[str, str], int] = {}  # of each boot in this batch
        late = 0
        for one in batch:
            if isinstance(one, Refusal):
                new.append(True)
                refused.append(one)
                continue
            name, own = name_of(one), self._hash(one.payload)
            known = self._known.get(name) or names.get(name)
            new.append(known is None)
            if known is not None:
                refused.append(again(one, same=known == own))
                continue
            names[name] = own
            before = self._said_before(one, when, highest)
            late += before is not None
            kept = {"accepted": True, "received": when, "said_before": before}
            lines.append(msgspec.json.encode(kept | msgspec.structs.asdict(one)) + b"\n")
        self._keep(b"".join(lines), refused, when)
        for name, own in names.items():
            self._remember(name, own, when)
        self.late += late
        return new

    def _keep(self, lines: bytes, refused: Sequence[Refusal], when: str) -> None:
        """Readings, and refusals where there is room. Errors: OutputError, FullError."""
        try:
            while (left := room(self.path)) < 0 and self._refused.drop(all_of_them=False):
                pass
            if lines:
                try:
                    self._append(lines)
                except FullError:
                    self._refused.drop(all_of_them=True)
                    self._append(lines)
            for one in refused if left > 0 else ():
                row = {"accepted": False, "received": when} | msgspec.structs.asdict(one)
                self._refused.append(one.sensor, msgspec.json.encode(row) + b"\n")
        except OSError as error:
            where = error.filename or self.path
            raise OutputError(f"cannot keep readings in {where}: {error.strerror}") from None

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
            kind = FullError if error.errno in FULL else OutputError
            raise kind(f"cannot keep readings in {self.path}: {error.strerror}") from None
        self._size += len(data)

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._file)
