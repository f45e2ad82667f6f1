"""The code of peers: fetched and unpacked, or found on this machine.

A package is fetched by name and version through its registry's own client (registries),
checked against the pinned SHA-256 and unpacked into the cache, with a list of what was in it. What
is compiled later is compared with that list, so that no edited copy is measured as the package.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import os
import shutil
import stat
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from ecfit.build import registries
from ecfit.choices.peers import MOST_BYTES, MOST_MEMBERS, Inside, Outside, Package, Peer
from ecfit.errors import BuildError, HashMismatchError, MissingToolError, PackageError
from ecfit.paths import cache_dir, make_folder, read_kept, sealed, write_atomic, write_kept

PACKAGES, LIST = "packages", ".complete"  # of the cache, and in each folder there
_DIGESTS: dict[Path, str] = {}  # of the packages that this process has compared with their lists


class Installed(NamedTuple):
    """A library of this machine: its version, folders of its headers,
    and what the linker is to be told.
    """

    version: str
    include: tuple[Path, ...]
    link: tuple[str, ...]


@cache
def installed(name: str, package: str) -> Installed:
    """What pkg-config says of a library; `package` is the distribution's.
    Errors: PackageError, MissingToolError.
    """
    if shutil.which("pkg-config") is None:
        raise MissingToolError(
            "pkg-config, which finds libraries of this machine, not found: "
            "install the package pkgconf"
        )
    answers = []
    for question in ("--modversion", "--cflags-only-I", "--libs"):
        command = ["pkg-config", question, name]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=30, check=False, input=""
        )
        if done.returncode:
            raise PackageError(
                f"the library {name} is not on this machine: install the package {package}"
            )
        answers.append(done.stdout.strip())
    folders = tuple(Path(flag.removeprefix("-I")) for flag in answers[1].split())
    return Installed(answers[0], folders, tuple(answers[2].split()))


def version(peer: Peer) -> str:
    """The version of a peer: of a library of this machine that which is installed,
    else what peer.toml says.
    """
    if peer.system is None:
        return peer.library_version
    try:
        return installed(peer.system.pkg_config, peer.system.package).version
    except BuildError:
        return peer.library_version


def code_folder(peer: Peer) -> Path:
    """Where the peer's code is, fetched and unpacked if need be.
    Errors: PackageError, MissingToolError.
    """
    if peer.outside is not None:
        _check_outside(peer, peer.outside)
    return Path(peer.folder) if peer.package is None else package_folder(peer.name, peer.package)


def _check_outside(peer: Peer, outside: Outside) -> None:
    """Finds files of a repository that are missing beside peer.toml, or are not those that were
    measured. Errors: PackageError.
    """
    where = f"commit {outside.commit[:8]} of {outside.repository}"
    for name, pinned in outside.sha256.items():
        path = Path(peer.folder, name)
        if not path.is_file():
            raise PackageError(
                f"{peer.name}: put {name} of {where} into {peer.folder} (docs/adding-a-peer.md)"
            )
        _check_hash(f"{peer.name}: {path}", path.read_bytes(), pinned)


def package_folder(name: str, package: Package) -> Path:
    """The folder of the unpacked package that `name` needs. Fetches it if necessary.
    Errors: PackageError, also where a file is not that of the package; MissingToolError.
    """
    pinned = package.inside.sha256 if package.inside else package.sha256
    unpacked = cache_dir() / PACKAGES / f"{package.name}-{package.version}-{pinned[:16]}"
    if unpacked not in _DIGESTS or not (unpacked / LIST).is_file():
        if _listed(unpacked) is None:
            _fetch(name, package, unpacked)
        files = sorted((file.path, file.sha256) for file in _check_unpacked(unpacked))
        _DIGESTS[unpacked] = hashlib.sha256(msgspec.json.encode(files)).hexdigest()
    return unpacked


def package_digest(folder: Path) -> str:
    """The digest of names and contents of all that is in a package, by its folder."""
    return _DIGESTS[folder]


def _fetch(name: str, package: Package, unpacked: Path) -> None:
    """Fetches and unpacks a package. What is hashed is what is unpacked: the client's own files
    may change meanwhile. Errors: PackageError, MissingToolError.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = registries.archive(package, Path(folder))
        try:
            archive = Archive(path.name, path.read_bytes())
        except OSError as error:
            raise PackageError(f"{path.name} cannot be read: {error.strerror}") from None
        what = f"{name}: package {package.name} {package.version}"
        _check_hash(what, archive.data, package.sha256)
        if package.inside:
            archive = _taken_out(archive, package.inside)
            what = f"{what}, {package.inside.path} in it,"
            _check_hash(what, archive.data, package.inside.sha256)
        _unpack(archive, unpacked)


class Archive(NamedTuple):
    """An archive: the name of its file, and what is in it."""

    name: str
    data: bytes


class _File(msgspec.Struct, frozen=True, array_like=True):
    """A file of an unpacked package: its path below the folder, what its file system says of it
    (nobody can set the time of its last change, `ctime_ns`), and the SHA-256 of its content.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    sha256: str


def _file(path: str, info: os.stat_result, sha256: str) -> _File:
    return _File(path, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino, sha256)


def _listed(folder: Path) -> tuple[_File, ...] | None:
    """What was unpacked there; None where nothing was, or by a version that made no list."""
    try:
        return msgspec.json.decode(read_kept(folder / LIST) or b"", type=tuple[_File, ...])
    except msgspec.MsgspecError:
        return None


def _encoded(files: Iterable[_File]) -> bytes:
    return msgspec.json.encode(sorted(files, key=lambda file: file.path))


def _there(folder: str, below: str = "") -> Iterator[tuple[str, os.stat_result]]:
    """Path and status of all that is below a folder and is no folder; links are not followed."""
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _there(entry.path, f"{below}{entry.name}/")
        elif below or entry.name != LIST:
            yield below + entry.name, entry.stat(follow_symlinks=False)


def _check_unpacked(folder: Path) -> list[_File]:
    """Compares a package with its list. Reads the files alone whose status has changed.
    Errors: HashMismatchError for one that was changed, added or removed; PackageError.
    """
    listed, wrong, files = {file.path: file for file in _listed(folder) or ()}, set[str](), []
    try:
        there = dict(_there(str(folder)))
        for path in listed.keys() & there.keys():
            files.append(_file(path, there[path], listed[path].sha256))
            regular = stat.S_ISREG(there[path].st_mode)
            if files[-1] != listed[path] and not (regular and _is_same(folder / path, files[-1])):
                wrong.add(path)
    except OSError as error:
        raise PackageError(f"{folder} cannot be read: {error.strerror}: remove it") from None
    if wrong := wrong | (listed.keys() ^ there.keys()):
        raise HashMismatchError(
            f"{min(wrong)} in {folder} is not that of the package: remove {folder}, then it is "
            "unpacked again (a copy of your own is measured by --peer-dir)"
        )
    if {*files} != {*listed.values()}:  # copied or restored: read once
        with suppress(OSError):
            write_kept(folder / LIST, _encoded(files))
    return files


def _is_same(path: Path, listed: _File) -> bool:
    return hashlib.sha256(path.read_bytes()).hexdigest() == listed.sha256


def check_compiled(sources: Iterable[Path]) -> None:
    """Compares the packages that these sources are of with their lists, after they were compiled.
    Errors: HashMismatchError.
    """
    packages = cache_dir() / PACKAGES
    below = (path.relative_to(packages).parts[0] for path in sources if packages in path.parents)
    for name in dict.fromkeys(below):
        _check_unpacked(packages / name)


def _check_hash(what: str, data: bytes, pinned: str) -> None:
    actual = hashlib.sha256(data).hexdigest()
    if actual != pinned:
        raise HashMismatchError(
            f"{what} has SHA-256 {actual[:16]}..., pinned is {pinned[:16]}...: not used"
        )


def _taken_out(archive: Archive, inside: Inside) -> Archive:
    """The archive inside an archive. Errors: PackageError."""
    with _opened(archive) as tar:
        for member in _bounded(archive, tar):
            if not member.isfile() or "/".join(_path(member).parts[1:]) != inside.path:
                continue
            content = tar.extractfile(member)
            assert content is not None  # a regular file has content
            return Archive(inside.path, content.read())
    raise PackageError(f"{archive.name} holds no file {inside.path}")


@contextmanager
def _opened(archive: Archive) -> Iterator[tarfile.TarFile]:
    """An archive to read. Errors: PackageError, also for what goes wrong while it is read."""
    try:
        with tarfile.open(fileobj=io.BytesIO(archive.data)) as tar:
            yield tar
    except (tarfile.TarError, OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        reason = str(error).partition("\n")[0].rstrip(":")  # the rest: of each form, why not
        raise PackageError(f"{archive.name} cannot be unpacked: {reason}") from None


def _bounded(archive: Archive, tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members of an archive, before any of their content is read.
    Errors: PackageError for more members or bytes than any package has.
    """
    size = 0
    for count, member in enumerate(tar, 1):
        size += member.size
        if count > MOST_MEMBERS or size > MOST_BYTES:
            raise PackageError(
                f"{archive.name} holds more than {MOST_MEMBERS} files or {MOST_BYTES >> 20} MiB"
            )
        yield member


def _path(member: tarfile.TarInfo) -> PurePosixPath:
    """The name of a member. Errors: PackageError for one that leads out of the archive's folder."""
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts:
        raise PackageError(f"the archive holds a file outside its folder: {member.name}")
    return name


def _extract(archive: Archive, folder: Path) -> dict[str, str]:
    """Writes the regular files of an archive below `folder`: paths and SHA-256.
    Errors: PackageError.
    """
    hashes: dict[str, str] = {}
    with _opened(archive) as tar:
        for member in _bounded(archive, tar):
            content = tar.extractfile(member) if member.isfile() else None
            if content is None:
                continue
            name, data = _path(member), content.read()
            make_folder((folder / name).parent)
            (folder / name).write_bytes(data)
            (folder / name).chmod(0o644)  # whatever the umask: nobody else writes there
            hashes[str(name)] = hashlib.sha256(data).hexdigest()
    return hashes


def _unpack(archive: Archive, folder: Path) -> None:
    """Unpacks NAME-VERSION/* of the archive as `folder`, complete and with its list, or not at
    all. Errors: PackageError.
    """
    make_folder(folder.parent)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        hashes = _extract(archive, Path(scratch))
        tops = list(Path(scratch).iterdir())
        if len(tops) != 1:
            raise PackageError(f"{archive.name}: expected one folder inside, found {len(tops)}")
        hashes = {path.partition("/")[2]: sha256 for path, sha256 in hashes.items()}
        files = [_file(path, (tops[0] / path).stat(), sha256) for path, sha256 in hashes.items()]
        write_atomic(tops[0] / LIST, sealed(_encoded(files)), 0o644)
        if folder.exists() and _listed(folder) is None:
            shutil.rmtree(folder, ignore_errors=True)
        try:
            tops[0].rename(folder)
        except OSError:
            if _listed(folder) is None:  # another thread or process may have been first
                raise
