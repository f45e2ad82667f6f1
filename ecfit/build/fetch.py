"""The code of peers: fetched and unpacked, or found on this machine.

A package is fetched by name and version through its registry's own client,
checked against the pinned SHA-256 and unpacked into the cache. Only this module starts a fetcher.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ecfit.choices.peers import Package, Peer
from ecfit.errors import BuildError, HashMismatchError, MissingToolError, PackageError
from ecfit.paths import cache_dir

FETCH_TIMEOUT = 300  # seconds


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
    return Path(peer.folder) if peer.package is None else package_folder(peer.name, peer.package)


def package_folder(name: str, package: Package) -> Path:
    """Where the package of `name`, who needs it, is unpacked; fetched if need be.
    Errors: PackageError, MissingToolError.
    """
    unpacked = cache_dir() / "packages" / f"{package.name}-{package.version}-{package.sha256[:16]}"
    if (unpacked / ".complete").is_file():
        return unpacked
    archive = _cargo_archive(package)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.sha256:
        raise HashMismatchError(
            f"{name}: package {package.name} {package.version} has SHA-256 {found[:16]}..., "
            f"pinned is {package.sha256[:16]}...: not used"
        )
    _unpack(archive, unpacked)
    return unpacked


def _cargo_archive(package: Package) -> Path:
    """The .crate file: from cargo's own cache, else fetched by cargo.
    Errors: PackageError, MissingToolError.
    """
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    pattern = f"registry/cache/*/{package.name}-{package.version}.crate"
    reason = ""
    for fetch in (None, _cargo_info, _cargo_fetch):
        if fetch is not None:
            reason = reason or fetch(package)
        found = sorted(home.glob(pattern))
        if found:
            return found[0]
    raise PackageError(
        f"package {package.name} {package.version} cannot "
        f"be had: {reason or 'cargo left no archive'}"
    )


def _cargo_info(package: Package) -> str:
    """Asks cargo about the package, which makes it fetch the archive. Returns why not;
    "" when cargo is too old to.
    """
    with tempfile.TemporaryDirectory() as folder:
        reason = _cargo(["info", "--quiet", f"{package.name}@{package.version}"], folder)
    return "" if re.search(r"no such (sub)?command", reason) else reason


def _cargo_fetch(package: Package) -> str:
    """Before cargo 1.82: fetches a package that depends on it. Before 1.68,
    the quick index has to be asked for.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "Cargo.toml").write_text(
            '[package]\nname = "fetch"\nversion = "0.0.0"\n[lib]\npath = "lib.rs"\n'
            f'[dependencies]\n{package.name} = "={package.version}"\n'
        )
        Path(folder, "lib.rs").touch()
        return _cargo(["fetch", "--quiet", "-Z", "sparse-registry"], folder, RUSTC_BOOTSTRAP="1")


def _cargo(arguments: list[str], folder: str, **environment: str) -> str:
    """Starts cargo in a folder. Returns the reason why it failed,
    "" when it did not. Errors: MissingToolError.
    """
    if shutil.which("cargo") is None:
        raise MissingToolError(
            "cargo, which fetches the code of peers, not found: install the package cargo"
        )
    try:
        done = subprocess.run(
            ["cargo", *arguments],
            cwd=folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=FETCH_TIMEOUT,
            check=False,
            input="",
        )
    except subprocess.TimeoutExpired:
        return f"cargo did not end within {FETCH_TIMEOUT} s"
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()] or [
        f"exit code {done.returncode}"
    ]
    return next((line for line in lines if line.startswith("error")), lines[-1]).removeprefix(
        "error: "
    )


def _extract(tar: tarfile.TarFile, folder: Path) -> None:
    """Writes the regular files of an archive below `folder`. Errors: PackageError for a name
    that leads out of it.
    """
    for member in tar:
        content = tar.extractfile(member) if member.isfile() else None
        if content is None:
            continue
        name = PurePosixPath(member.name)
        if name.is_absolute() or ".." in name.parts:
            raise PackageError(f"the archive holds a file outside its folder: {member.name}")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.read())


def _unpack(archive: Path, folder: Path) -> None:
    """Unpacks NAME-VERSION/* of the archive as `folder`, complete or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        try:
            with tarfile.open(archive) as tar:
                _extract(tar, Path(scratch))
        except (tarfile.TarError, OSError, EOFError) as error:
            raise PackageError(f"{archive.name} cannot be unpacked: {error}") from None
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
