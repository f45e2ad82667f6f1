"""Where things are: the checkout or what a wheel has of it, its data, and the cache; who can change
what is there; locks, and files written whole.

Windows has no `fcntl` and no owners: there nothing is locked, and nobody is asked who he is.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from ecfit.errors import OutputError

try:
    import fcntl
    import grp
    import pwd
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

    Errors: OutputError when none of them can be written, or others can change what is in it.
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
            make_folder(folder)
        if os.access(folder, os.W_OK | os.X_OK):
            return _own_cache(folder)
    named = f" {folders[-1]}" if folders else ""
    raise OutputError(f"the cache folder{named} cannot be written: set ECFIT_CACHE to one that can")


def _own_cache(named: Path) -> Path:
    """The folder of that name, where only we can change what is loaded from it: its rooms too.
    Errors: OutputError.
    """
    folder, what = named.resolve(), f"the cache folder {named} cannot be trusted"
    if link := foreign_link(named):
        raise OutputError(f"{what}: {link} is another user's link: 'rm {link}', or set ECFIT_CACHE")
    _check_folder(folder, what, "ECFIT_CACHE")
    for entry in os.scandir(folder) if fcntl is not None else ():
        if entry.is_symlink():
            raise OutputError(f"{what}: {entry.path} is a link: 'rm {entry.path}'")
        with suppress(FileNotFoundError):  # another process's, removed meanwhile
            if entry.is_dir() and (fault := _fault(Path(entry.path), entry.stat())):
                raise OutputError(f"{what}: {fault}, else 'rm -r {entry.path}'")
    return folder


def _check_folder(folder: Path, what: str, variable: str) -> None:
    """Who can rename a folder above can exchange it. Where a folder leads to our code as well,
    who can do that can change the code, so the rest of the way adds nothing.
    Errors: OutputError that begins with `what` and names the environment's `variable`.
    """
    for place in (folder, *folder.parents) if fcntl is not None else ():
        above = place != folder
        if above and (place == ROOT or place in ROOT.parents):
            return
        info = place.stat()
        if above and info.st_mode & stat.S_ISVTX and info.st_uid in _trusted():
            continue  # as /tmp: what is ours there can only be renamed by us
        if fault := _fault(place, info, above=above):
            raise OutputError(f"{what}: {fault}, or set {variable} to a folder of yours")


def _fault(place: Path, info: os.stat_result, *, above: bool = False) -> str:
    """How others can change a file or folder, and what mends that; empty where they cannot. A mode
    does not say what they did before it was mended, so that is for the user to know.
    """
    if info.st_uid not in _trusted():
        return (
            f"{place} belongs to user {info.st_uid}: 'chown {os.geteuid()} {place}' if you trust "
            "them"
        )
    others = info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if others and ROOT in place.parents:  # in the checkout: who can write there writes the code
        root = ROOT.stat()
        others &= ~(root.st_mode if root.st_gid == info.st_gid else root.st_mode & ~stat.S_IWGRP)
    if others & stat.S_IWGRP and _is_private(info.st_gid):
        others &= ~stat.S_IWGRP
    if not others:
        return ""
    chmod = f"'chmod {'' if above else '-R '}go-w {place}' if nobody did"
    if info.st_mode & stat.S_ISVTX:  # as /tmp, which has to stay as it is
        chmod = "name a folder in it"
    return f"others can write {place} (mode {stat.S_IMODE(info.st_mode):04o}): {chmod}"


@cache
def _trusted() -> frozenset[int]:
    """Users who could change what this process does in any case: root, ours, the code's."""
    return frozenset({0, os.geteuid(), PACKAGE.stat().st_uid})


@cache
def _is_private(group: int) -> bool:
    """Whether it is the group of a trusted user alone, as Debian and Fedora make one for each:
    its name is the user's.
    """
    for user in _trusted():
        with suppress(KeyError):  # a number without a name
            own, entry = pwd.getpwuid(user), grp.getgrgid(group)
            if own.pw_gid == group and {own.pw_name} == {entry.gr_name, *entry.gr_mem}:
                return True
    return False


def foreign_link(path: Path) -> Path | None:
    """The first link on the way to a path that a user has made whom we do not trust, if any."""
    here, *ahead = (Path(part) for part in path.absolute().parts)
    for _ in range(1000):  # links in a circle end, too
        if not ahead or fcntl is None:
            break
        part = ahead.pop(0)
        place = here.parent if part.name == ".." else here / part
        try:
            info = place.lstat()
            if not stat.S_ISLNK(info.st_mode):
                here = place
                continue
            if info.st_uid not in _trusted():
                return place
            ahead[:0] = (Path(part) for part in place.readlink().parts)
        except OSError:  # nothing is there
            break
    return None


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it, where only we can write. Errors: OSError."""
    for place in reversed((folder, *folder.parents)):
        if not place.is_dir():
            place.mkdir(0o755, exist_ok=True)


def is_kept(path: Path) -> bool:
    """Whether the cache has a file that only we can have written."""
    between = len(path.relative_to(cache_dir()).parts) - 1
    try:
        infos = [(place, place.lstat()) for place in (path, *path.parents[:between])]
    except OSError:
        return False
    (_, own), *folders = infos
    right = stat.S_ISREG(own.st_mode) and all(stat.S_ISDIR(info.st_mode) for _, info in folders)
    return right and (fcntl is None or not any(_fault(*one) for one in infos))


def read_kept(path: Path) -> bytes | None:
    """What write_kept() wrote to a file of the cache. None where nothing is there, it is damaged,
    or others could have written it.
    """
    try:
        data = path.read_bytes() if is_kept(path) else b""
    except OSError:
        return None
    return data[32:] if hashlib.sha256(data[32:]).digest() == data[:32] else None


def write_kept(path: Path, data: bytes) -> None:
    """Writes a file of the cache atomically. Errors: OSError."""
    make_folder(path.parent)
    write_atomic(path, sealed(data), 0o644)


def sealed(data: bytes) -> bytes:
    """With its SHA-256 in front, which finds damage. It is no proof of who wrote it: that nobody
    else can write is for cache_dir() to see.
    """
    return hashlib.sha256(data).digest() + data


@contextmanager
def private_folder(prefix: str) -> Iterator[Path]:
    """A temporary folder where nobody else can write or exchange what is loaded from it.
    Errors: OutputError where the folder of temporary files does not allow that.
    """
    with tempfile.TemporaryDirectory(prefix=prefix) as name:
        folder = Path(name).resolve()
        _check_folder(folder, "the folder for temporary files cannot be trusted", "TMPDIR")
        yield folder


def lock(file: int, *, wait: bool) -> None:
    """Locks an open file for this process alone, until it is closed.

    Errors: BlockingIOError when another process has it and `wait` is False.
    """
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def write_atomic(path: Path, data: bytes, mode: int | None = None) -> None:
    """Writes a file atomically; a link is replaced. Its mode is `mode`, else that of our file which
    it replaces, else that of any new file. Errors: OSError.
    """
    scratch = path.parent / f".{path.name[:100]}.{secrets.token_hex(4)}"
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)  # less the umask
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        with suppress(FileNotFoundError):
            there = path.lstat()
            if mode is None and stat.S_ISREG(there.st_mode) and _is_ours(there):
                mode = there.st_mode & 0o777
        if mode is not None:
            scratch.chmod(mode)
        scratch.replace(path)
    except BaseException:
        with suppress(OSError):
            scratch.unlink()
        raise


def _is_ours(info: os.stat_result) -> bool:
    return fcntl is None or info.st_uid in _trusted()
