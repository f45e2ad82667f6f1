"""The code of peers: fetched and unpacked, or found on this machine.

A package is fetched by name and version through its registry's own client (registries),
checked against the pinned SHA-256 and unpacked into the cache.
"""

from __future__ import annotations

import hashlib
import lzma
import shutil
import subprocess
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ecfit.build import registries
from ecfit.choices.peers import Inside, Outside, Package, Peer
from ecfit.errors import BuildError, HashMismatchError, MissingToolError, PackageError
from ecfit.paths import cache_dir

MOST_MEMBERS, MOST_BYTES = 20_000, 256 << 20  # of an archive, unpacked; 129 MB is the largest


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
                f"{peer.name}: put {name} of {where} into {peer.folder} (docs/outside.md)"
            )
        _check_hash(f"{peer.name}: {path}", path, pinned)


def package_folder(name: str, package: Package) -> Path:
    """The folder of the unpacked package that `name` needs. Fetches it if necessary.
    Errors: PackageError, MissingToolError.
    """
    pinned = package.inside.sha256 if package.inside else package.sha256
    unpacked = cache_dir() / "packages" / f"{package.name}-{package.version}-{pinned[:16]}"
    if (unpacked / ".complete").is_file():
        return unpacked
    with tempfile.TemporaryDirectory() as folder:
        archive = registries.archive(package, Path(folder))
        what = f"{name}: package {package.name} {package.version}"
        _check_hash(what, archive, package.sha256)
        if package.inside:
            archive = _taken_out(archive, package.inside, Path(folder))
            _check_hash(f"{what}, {package.inside.path} in it,", archive, package.inside.sha256)
        _unpack(archive, unpacked)
    return unpacked


def _check_hash(what: str, archive: Path, pinned: str) -> None:
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != pinned:
        raise HashMismatchError(
            f"{what} has SHA-256 {found[:16]}..., pinned is {pinned[:16]}...: not used"
        )


def _taken_out(archive: Path, inside: Inside, folder: Path) -> Path:
    """The archive inside an archive, as a file of its own in `folder`. Errors: PackageError."""
    with _opened(archive) as tar:
        for member in _bounded(archive, tar):
            if not member.isfile() or "/".join(_path(member).parts[1:]) != inside.path:
                continue
            content = tar.extractfile(member)
            assert content is not None  # a regular file has content
            path = folder / "inside.tar"  # tarfile goes by what is in it
            path.write_bytes(content.read())
            return path
    raise PackageError(f"{archive.name} holds no file {inside.path}")


@contextmanager
def _opened(archive: Path) -> Iterator[tarfile.TarFile]:
    """An archive to read. Errors: PackageError, also for what goes wrong while it is read."""
    try:
        with tarfile.open(archive) as tar:
            yield tar
    except (tarfile.TarError, OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        reason = str(error).partition("\n")[0].rstrip(":")  # the rest: of each form, why not
        raise PackageError(f"{archive.name} cannot be unpacked: {reason}") from None


def _bounded(archive: Path, tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
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


def _extract(archive: Path, folder: Path) -> None:
    """Writes the regular files of an archive below `folder`. Errors: PackageError."""
    with _opened(archive) as tar:
        for member in _bounded(archive, tar):
            content = tar.extractfile(member) if member.isfile() else None
            if content is None:
                continue
            path = folder / _path(member)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.read())


def _unpack(archive: Path, folder: Path) -> None:
    """Unpacks NAME-VERSION/* of the archive as `folder`, complete or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        _extract(archive, Path(scratch))
        tops = list(Path(scratch).iterdir())
        if len(tops) != 1:
            raise PackageError(f"{archive.name}: expected one folder inside, found {len(tops)}")
        (tops[0] / ".complete").touch()
        if folder.exists() and not (folder / ".complete").is_file():
            shutil.rmtree(folder, ignore_errors=True)
        try:
            tops[0].rename(folder)
        except OSError:
            if not (
                folder / ".complete"
            ).is_file():  # another thread or process may have been first
                raise
