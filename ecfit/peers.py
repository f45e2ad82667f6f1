"""Peers: other people's libraries, each a folder with peer.toml and adapter.c, their code fetched on demand.

A package is fetched by name and version through its registry's own client, checked against the pinned SHA-256 and
unpacked into the cache. Only this module starts a fetcher.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

import msgspec

from ecfit.curves import CURVES
from ecfit.errors import (
    BuildError,
    HashMismatchError,
    MissingToolError,
    PackageError,
    UsageError,
    unknown_name,
)
from ecfit.model import Configuration
from ecfit.paths import PEERS, cache_dir

FETCH_TIMEOUT = 300  # seconds
TAKEN = (
    "ecfit",
    "null",
    "all",
)  # this library, the image without one, and what --lib takes for each


class Package(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the code comes from, and the SHA-256 of the archive as the registry delivers it."""

    registry: Literal["cargo"]
    name: str
    version: str
    sha256: str


class System(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A library of this machine, for the target host: its name for pkg-config, and the distribution's package of it."""

    pkg_config: str
    package: str


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to compile: paths relative to the unpacked package, or to the peer's folder when there is no package.

    A source may be a pattern with `*` in its file name; `flags` are of the library's own sources alone.
    """

    sources: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named setting: `define` takes the value itself, `defines`, `flags` and `sources` give macros, flags and files
    on top per value. Macros hold for the adapter too.

    `no_assembly`: the values with which the library has no assembly.
    """

    help: str
    values: tuple[str, ...]
    default: str
    define: str | None = None
    defines: dict[str, tuple[str, ...]] = {}
    flags: dict[str, tuple[str, ...]] = {}
    sources: dict[str, tuple[str, ...]] = {}
    no_assembly: tuple[str, ...] = ()

    def macros(self, value: str) -> tuple[str, ...]:
        """The macros that this value stands for."""
        return (f"{self.define}={value}",) if self.define else self.defines.get(value, ())


class Difference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a reader must know to compare this library with the others; printed under tables."""

    text: str


class Peer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A library as peer.toml describes it. `system`: one of this machine's. `on_request`: `--lib all` leaves it out.

    `curves`: the operations it has, per curve; `curve_defines`, `curve_sources`: the macros and files that a build for
    that curve needs on top. `cores`: the cores that it is written for; empty, any. `variants`: settings worth a row of
    their own in a study, by name. `assembly`: patterns of the names of functions that are written wholly in assembly
    (where the chosen options have them).
    """

    description: str
    licence: str
    library_version: str
    curves: dict[str, tuple[str, ...]]
    homepage: str = ""
    package: Package | None = None
    system: System | None = None
    on_request: bool = False
    build: Build = Build()
    options: dict[str, Option] = {}
    variants: dict[str, dict[str, str]] = {}
    curve_defines: dict[str, tuple[str, ...]] = {}
    curve_sources: dict[str, tuple[str, ...]] = {}
    cores: tuple[str, ...] = ()
    assembly: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    name: str = ""
    folder: str = ""

    def configure(self, settings: Mapping[str, str]) -> Configuration:
        """All options with their values: `settings` over the defaults. Errors: UsageError."""
        values = {name: option.default for name, option in self.options.items()}
        for name, value in settings.items():
            key = name.upper()
            if key not in self.options:
                raise unknown_name(f"option of {self.name}", name, self.options)
            if value not in self.options[key].values:
                raise UsageError(
                    f"{self.name}.{key} is one of {', '.join(self.options[key].values)}, not '{value}'"
                )
            values[key] = value
        changed = tuple(
            f"{k}={v}" for k, v in sorted(values.items()) if v != self.options[k].default
        )
        return Configuration(self.name, None, tuple(sorted(values.items())), changed)

    def defines(self, configuration: Configuration, curve: str) -> tuple[str, ...]:
        """The macros of a configuration, for one curve."""
        chosen = [
            macro
            for name, value in configuration.settings
            for macro in self.options[name].macros(value)
        ]
        return (*self.build.defines, *self.curve_defines.get(curve, ()), *chosen)

    def flags(self, configuration: Configuration) -> tuple[str, ...]:
        """The compiler flags of a configuration, for the library's own sources."""
        chosen = [
            flag
            for name, value in configuration.settings
            for flag in self.options[name].flags.get(value, ())
        ]
        return (*self.build.flags, *chosen)

    def sources(self, configuration: Configuration, curve: str) -> tuple[str, ...]:
        """The files of a configuration, for one curve."""
        chosen = [
            file
            for name, value in configuration.settings
            for file in self.options[name].sources.get(value, ())
        ]
        return tuple(
            dict.fromkeys((*self.build.sources, *self.curve_sources.get(curve, ()), *chosen))
        )

    def assembly_of(self, configuration: Configuration) -> tuple[str, ...]:
        """Patterns of the names of its functions that are written in assembly, in a configuration."""
        without = any(
            value in self.options[name].no_assembly for name, value in configuration.settings
        )
        return () if without else self.assembly

    def ops(self, curve: str, core: str) -> tuple[str, ...]:
        """The operations it offers on a curve, on a core."""
        return self.curves.get(curve, ()) if core in self.cores or not self.cores else ()


def load_peer(name: str, folder: Path) -> Peer:
    """Reads a peer's folder. Errors: UsageError."""
    path = folder / "peer.toml"
    if not path.is_file() or not (folder / "adapter.c").is_file():
        raise UsageError(f"{folder} is not a peer: it needs peer.toml and adapter.c")
    try:
        peer = msgspec.toml.decode(path.read_bytes(), type=Peer)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from None
    peer = msgspec.structs.replace(peer, name=name, folder=str(folder.resolve()))
    try:
        _check(peer)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    return peer


def _check(peer: Peer) -> None:
    """Finds names in a description that do not exist. Errors: UsageError."""
    for curve in (*peer.curves, *peer.curve_defines, *peer.curve_sources):
        if curve not in CURVES:
            raise unknown_name("curve", curve, CURVES)
    for curve, ops in peer.curves.items():
        for op in ops:
            if op not in CURVES[curve].ops:
                raise unknown_name(f"operation of {curve}", op, CURVES[curve].ops)
    for name, option in peer.options.items():
        per_value = {
            *option.defines,
            *option.flags,
            *option.sources,
            *option.no_assembly,
            option.default,
        }
        for value in sorted(per_value - {*option.values}):
            raise unknown_name(f"value of the option {name}", value, option.values)
    for settings in peer.variants.values():
        peer.configure(settings)


def source_files(folder: Path, names: Iterable[str]) -> tuple[Path, ...]:
    """The files of these names below a folder; a name with `*` stands for all that match, in order of their names."""
    found: list[Path] = []
    for name in names:
        found += sorted(folder.glob(name)) if "*" in name else [folder / name]
    return tuple(dict.fromkeys(found))


def all_peers(extra: Mapping[str, Path] | None = None) -> dict[str, Peer]:
    """The peers of the repository and those of `extra` (name to folder), which may take the place of one of these, but
    of nothing else that `--lib` or an image is called. Errors: UsageError."""
    for name in extra or {}:
        if name.lower() in TAKEN:
            raise UsageError(
                f"--peer-dir: the name '{name}' is taken: call your library something else"
            )
    folders = {path.parent.name: path.parent for path in sorted(PEERS.glob("*/peer.toml"))}
    folders.update(extra or {})
    return {name: load_peer(name, folder) for name, folder in folders.items()}


class Installed(NamedTuple):
    """A library of this machine: its version, folders of its headers, and what the linker is to be told."""

    version: str
    include: tuple[Path, ...]
    link: tuple[str, ...]


@cache
def installed(name: str, package: str) -> Installed:
    """What pkg-config says of a library; `package` is the distribution's. Errors: PackageError, MissingToolError."""
    if shutil.which("pkg-config") is None:
        raise MissingToolError(
            "pkg-config, which finds libraries of this machine, not found: install the package pkgconf"
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
    """The version of a peer: of a library of this machine that which is installed, else what peer.toml says."""
    if peer.system is None:
        return peer.library_version
    try:
        return installed(peer.system.pkg_config, peer.system.package).version
    except BuildError:
        return peer.library_version


def code_folder(peer: Peer) -> Path:
    """Where the peer's code is, fetched and unpacked if need be. Errors: PackageError, MissingToolError."""
    if peer.package is None:
        return Path(peer.folder)
    package = peer.package
    unpacked = cache_dir() / "packages" / f"{package.name}-{package.version}-{package.sha256[:16]}"
    if (unpacked / ".complete").is_file():
        return unpacked
    archive = _cargo_archive(package)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.sha256:
        raise HashMismatchError(
            f"{peer.name}: package {package.name} {package.version} has SHA-256 {found[:16]}..., "
            f"pinned is {package.sha256[:16]}...: not used"
        )
    _unpack(archive, unpacked)
    return unpacked


def _cargo_archive(package: Package) -> Path:
    """The .crate file: from cargo's own cache, else fetched by cargo. Errors: PackageError, MissingToolError."""
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
        f"package {package.name} {package.version} cannot be had: {reason or 'cargo left no archive'}"
    )


def _cargo_info(package: Package) -> str:
    """Asks cargo about the package, which makes it fetch the archive. Returns why not; "" when cargo is too old to."""
    with tempfile.TemporaryDirectory() as folder:
        reason = _cargo(["info", "--quiet", f"{package.name}@{package.version}"], folder)
    return "" if re.search(r"no such (sub)?command", reason) else reason


def _cargo_fetch(package: Package) -> str:
    """Before cargo 1.82: fetches a package that depends on it. Before 1.68, the quick index has to be asked for."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "Cargo.toml").write_text(
            '[package]\nname = "fetch"\nversion = "0.0.0"\n[lib]\npath = "lib.rs"\n'
            f'[dependencies]\n{package.name} = "={package.version}"\n'
        )
        Path(folder, "lib.rs").touch()
        return _cargo(["fetch", "--quiet", "-Z", "sparse-registry"], folder, RUSTC_BOOTSTRAP="1")


def _cargo(arguments: list[str], folder: str, **environment: str) -> str:
    """Starts cargo in a folder. Returns the reason why it failed, "" when it did not. Errors: MissingToolError."""
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
    """Writes the regular files of an archive below `folder`. Errors: PackageError for a name that leads out of it."""
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
