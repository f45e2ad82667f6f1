"""Where things are: the checkout or what a wheel has of it, its data, and the cache; locks,
and files written whole.

Windows has no `fcntl`: there nothing is locked.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path

from ecfit.errors import OutputError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PACKAGE = Path(__file__).resolve().parent
DATA = PACKAGE / "data"
TREE = PACKAGE / "tree"  # of a wheel: what a checkout has beside the package (setup.py)
INSTALLED = TREE.is_dir()
ROOT = TREE if INSTALLED else PACKAGE.parent
LIB = ROOT / "lib"
FIRMWARE = ROOT / "firmware"
PEERS = ROOT / "peers"
SIM = ROOT / "sim"
LARGEST_INPUT = 1 << 28  # bytes


def read_input(path: Path, largest: int = LARGEST_INPUT) -> bytes:
    """A file that the user named, or what a pipe brings, of at most `largest` bytes.

    Errors: OSError, also of one that is larger than all that make sense, or without an end.
    """
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


@cache
def cache_dir() -> Path:
    """Everything that can be made again: $ECFIT_CACHE, else .cache/ecfit of the checkout,
    else the user's. Nothing is written to where a wheel is installed.

    Errors: OutputError when none of them can be written.
    """
    chosen = os.environ.get("ECFIT_CACHE")
    folders = [] if INSTALLED else [ROOT / ".cache" / "ecfit"]
    with suppress(RuntimeError):  # a user without a home
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folders.append(home / "ecfit")
    if chosen:
        folders = [Path(chosen)]
    for folder in folders:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder.resolve()
    named = f" {folders[-1]}" if folders else ""
    raise OutputError(f"the cache folder{named} cannot be written: set ECFIT_CACHE to one that can")


def lock(file: int, *, wait: bool) -> None:
    """Locks an open file for this process alone, until it is closed.

    Errors: BlockingIOError when another process has it and `wait` is False.
    """
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def write_atomic(path: Path, data: bytes) -> None:
    """Writes a file atomically. Errors: OSError."""
    scratch = path.parent / f".{path.name[:100]}.{secrets.token_hex(4)}"
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)  # less the umask
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if path.exists():
            scratch.chmod(stat.S_IMODE(path.stat().st_mode))
        scratch.replace(path)
    except BaseException:
        with suppress(OSError):
            scratch.unlink()
        raise
