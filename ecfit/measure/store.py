"""The cache: images, measurements and texts below content keys.
The only module that writes results.

An entry is the SHA-256 of its payload and the payload. Writing is atomic;
an entry that cannot be read back, for whatever reason, counts as absent and is made again.
A cache that cannot be written costs time, never a result.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from ecfit.errors import OutputError
from ecfit.model import Image, Measurement
from ecfit.paths import PACKAGE, cache_dir, foreign_link, read_kept, write_atomic, write_kept

T = TypeVar("T")

# msgspec describes a type to itself at its first use; two threads that do so at once crash.
# So it is done on import.
msgspec.msgpack.Decoder(Image)
msgspec.msgpack.Decoder(Measurement)


class Store:
    """Images, measurements and texts by key. If `enabled` is False, nothing is read, but results
    are still kept.
    """

    def __init__(self, enabled: bool = True) -> None:
        self.enabled = enabled

    def image(self, key: str) -> Image | None:
        """The image of that key, or None."""
        return self._get("images", key, Image)

    def put_image(self, image: Image) -> None:
        """Keeps an image."""
        self._put("images", image.key, msgspec.msgpack.encode(image))

    def made_image(self, key: str, make: Callable[[], Image]) -> Image:
        """The image of that key; where there is none, what `make` makes, which is kept.
        Errors: those of `make`.
        """
        image = self.image(key)
        if image is None:
            image = make()
            self.put_image(image)
        return image

    def measurement(self, key: str) -> Measurement | None:
        """The measurement of that key, or None."""
        return self._get("measurements", key, Measurement)

    def put_measurement(self, key: str, measurement: Measurement) -> None:
        """Keeps a measurement."""
        self._put("measurements", key, msgspec.msgpack.encode(measurement))

    def made_text(self, key: str, make: Callable[[], str]) -> str:
        """The text of that key; where there is none, what `make` makes, which is kept.
        Errors: those of `make`.
        """
        text = self._get("texts", key, str)
        if text is None:
            text = make()
            self._put("texts", key, msgspec.msgpack.encode(text))
        return text

    def _get(self, kind: str, key: str, of: type[T]) -> T | None:
        if not self.enabled:
            return None
        try:
            return msgspec.msgpack.decode(read_kept(cache_dir() / kind / key) or b"", type=of)
        except msgspec.MsgspecError:
            return None

    def _put(self, kind: str, key: str, payload: bytes) -> None:
        with suppress(OSError):
            write_kept(cache_dir() / kind / key, payload)


def write_output(path: Path, text: str | bytes) -> None:
    """Writes the output of -o atomically. If the path is a link of ours, it writes to the link's
    target. Errors: OutputError, also for another user's link on the way, who would choose the file.
    """
    data = text.encode() if isinstance(text, str) else text
    refuse_foreign_link(path)
    try:
        if path.exists() and not path.is_file():  # a device or pipe: cannot be replaced
            with os.fdopen(os.open(path, os.O_WRONLY), "wb") as file:
                if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise OSError(errno.EEXIST, "it became a file meanwhile")
                file.write(data)
        else:
            write_atomic(path.resolve(), data)
    except (OSError, RuntimeError) as error:  # the latter of links in a circle
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"cannot write {path}: {reason}") from None


def refuse_foreign_link(path: Path) -> None:
    """Errors: OutputError where a link of another user is on the way to an output."""
    if link := foreign_link(path):
        raise OutputError(
            f"cannot write {path}: {link} is another user's link: name the file or folder itself"
        )


def check_new_folder(folder: Path) -> None:
    """Errors: OutputError where write_folder() would fail, before any work is done."""
    refuse_foreign_link(folder)
    try:
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"cannot write to {folder}: it is not a folder")
        if folder.exists() and any(folder.iterdir()):
            raise OutputError(f"cannot write to {folder}: it is not empty; name a new folder")
    except OSError as error:
        raise OutputError(f"cannot write to {folder}: {error.strerror or error}") from None
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise OutputError(f"cannot write to {folder}: {there} cannot be written to")


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Writes a new folder, or into an existing empty one, atomically.

    Errors: OutputError.
    """
    check_new_folder(folder)
    there = folder.exists()  # it stays what it is: it may be somebody's working directory
    try:
        if not there:
            folder.parent.mkdir(parents=True, exist_ok=True)
        place, prefix = (folder, ".new.") if there else (folder.parent, f".{folder.name[:100]}.")
        with tempfile.TemporaryDirectory(dir=place, prefix=prefix) as scratch:
            whole = Path(scratch) / "whole"
            whole.mkdir()
            for name, text in files.items():
                (whole / name).write_text(text, encoding="utf-8")
            if there:
                _moved(whole, folder)
            else:
                whole.rename(folder)
    except OSError as error:
        raise OutputError(f"cannot write to {folder}: {error.strerror or error}") from None


def _moved(whole: Path, folder: Path) -> None:
    """Moves all files of a folder to another; none of them where that fails. Errors: OSError."""
    done: list[Path] = []
    try:
        for path in sorted(whole.iterdir()):
            done.append(folder / path.name)
            path.rename(done[-1])
    except BaseException:
        for path in done:
            path.unlink(missing_ok=True)
        raise


def write_secret(name: str, text: str, *, replace: bool) -> None:
    """Writes a file that only its owner can read; one that exists is refused, or replaced whole.

    Errors: OutputError.
    """
    path = Path(name)
    refuse_foreign_link(path.parent)
    try:
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            if replace:
                Path(scratch).replace(path)
            else:
                os.link(
                    scratch, path
                )  # fails when there is a file of that name, also one that has just been made
        finally:
            with suppress(OSError):
                Path(scratch).unlink()
    except FileExistsError:
        raise OutputError(f"{path} exists: choose another name, or --force to replace it") from None
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from None


# The modules that decide what is measured, below the package.
OWN_CODE = (
    "build/build",
    "build/elf",
    "build/messages",
    "build/parts",
    "build/request",
    "build/stackbound",
    "build/toolchain",
    "choices/curves",
    "measure/bench",
    "oracle/bip340",
    "oracle/hybrid",
    "oracle/mldsa",
    "oracle/mlkem",
    "oracle/rfc7748",
    "oracle/spake2p",
    "oracle/weierstrass",
    "run/basis",
    "run/cases",
    "run/emulated",
    "run/hostlib",
    "run/job",
    "run/leaks",
    "run/runner",
    "../ecfit_lab/message/operations",
)


@cache
def own_code() -> str:
    """Digest of the modules that decide what is measured: part of the key of a measurement."""
    paths = [PACKAGE / f"{name}.py" for name in OWN_CODE]
    texts = [path.read_bytes() for path in paths if path.is_file()]  # without the lab, all but one
    return hashlib.sha256(b"\0".join(texts)).hexdigest()
