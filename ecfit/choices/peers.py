"""Peers: other people's libraries, each a folder with peer.toml and adapter.c,
their code fetched on demand (ecfit.build.fetch).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from ecfit import documents
from ecfit.choices.curves import MEASURED, OPS
from ecfit.errors import (
    BuildError,
    UsageError,
    unknown_name,
)
from ecfit.model import Configuration
from ecfit.paths import PEERS, read_input

MOST_MEMBERS, MOST_BYTES = 20_000, 256 << 20  # of an archive, unpacked; 129 MB is the largest
TAKEN = ("ecfit", "null", "all")  # this library, the image without one, and all of them


class Inside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An archive inside an archive: its path below the one folder there, and its SHA-256."""

    path: str
    sha256: str


class Package(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the code comes from, and the SHA-256 of the archive as the registry delivers it.

    `inside`: the code is in an archive inside that archive. `debian`: a source package, of which
    the archive of the original authors is taken; `version` is theirs, without Debian's revision.
    """

    registry: Literal["cargo", "debian"]
    name: str
    version: str
    sha256: str
    inside: Inside | None = None


class System(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A library of this machine, for the target host: its name for pkg-config,
    and the distribution's package of it.
    """

    pkg_config: str
    package: str


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that is made of another one of the repository. `keil`: it is in the syntax of Keil's
    assembler, which GNU's does not read; `sed`: what to replace, as sed -E takes it.
    """

    of: str
    keil: bool = False
    sed: str = ""


class Outside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Code that no package carries: the public repository that has it, and the SHA-256
    of each file of its `folder` that is to be put beside peer.toml.

    `made`: which of these files tools/outside.py makes of others.
    """

    repository: str
    commit: str
    sha256: dict[str, str]
    folder: str = ""
    made: dict[str, Made] = {}


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to compile: paths relative to the unpacked package, or to the peer's folder
    when there is no package.

    A source may be a pattern with `*` in its file name;
    `flags` are of the library's own sources alone.
    """

    sources: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named setting: `define` takes the value itself, `defines`, `flags`
    and `sources` give macros, flags and files on top per value. Macros hold for the adapter too.

    `no_assembly`: the values with which the library has no assembly, or not the functions that
    `assembly` of this option names by pattern. `per_core`: the default on cores where the
    library's users choose another one, with the reason in `why`.
    """

    help: str
    values: tuple[str, ...]
    default: str
    define: str | None = None
    defines: dict[str, tuple[str, ...]] = {}
    flags: dict[str, tuple[str, ...]] = {}
    sources: dict[str, tuple[str, ...]] = {}
    assembly: tuple[str, ...] = ()
    no_assembly: tuple[str, ...] = ()
    per_core: dict[str, str] = {}
    why: str = ""

    def default_on(self, core: str) -> str:
        """The value that the library's users would choose on a core."""
        return self.per_core.get(core, self.default)

    def macros(self, value: str) -> tuple[str, ...]:
        """The macros of this value."""
        return (f"{self.define}={value}",) if self.define else self.defines.get(value, ())


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a variant is another one than the usual settings; empty: on all."""

    cores: tuple[str, ...] = ()
    curves: tuple[str, ...] = ()


class FairPlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the adapter answers what is asked of each: docs/adding-a-peer.md, "Fair play"."""

    set_up: str
    validation: str
    blinding: str
    nonce: str
    options: str
    left_out: str


class Difference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a reader must know to compare this library with the others;
    printed under tables.
    """

    text: str


class Peer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A library as peer.toml describes it. `system`: one of this machine's.
    `on_request`: `--lib all` leaves it out.

    `curves`: the operations it has, per curve; `curve_defines`, `curve_sources`: the macros
    and files that a build for that curve needs on top; `op_left_out`: macros that leave out what
    an operation needs that an image does not have. `cores`: the cores that it is written for;
    empty, any. `variants`: settings worth a row of their own in a study, by name; `variants_for`:
    the cores and curves that they are for.
    `outside`: its code is not fetched, but comes with the user's copy of the folder.
    `assembly`: patterns of the names of functions that are written wholly in assembly
    (where the chosen options have them).
    """

    description: str
    licence: str
    library_version: str
    curves: dict[str, tuple[str, ...]]
    homepage: str = ""
    package: Package | None = None
    system: System | None = None
    outside: Outside | None = None
    on_request: bool = False
    build: Build = Build()
    options: dict[str, Option] = {}
    variants: dict[str, dict[str, str]] = {}
    variants_for: dict[str, Limits] = {}
    curve_defines: dict[str, tuple[str, ...]] = {}
    curve_sources: dict[str, tuple[str, ...]] = {}
    op_left_out: dict[str, tuple[str, ...]] = {}
    cores: tuple[str, ...] = ()
    assembly: tuple[str, ...] = ()
    fair_play: FairPlay | None = None
    differences: tuple[Difference, ...] = ()
    name: str = ""
    folder: str = ""

    def configure(self, settings: Mapping[str, str], core: str = "") -> Configuration:
        """All options with their values: `settings` over the defaults of the core.
        Errors: UsageError.
        """
        defaults = {name: option.default_on(core) for name, option in self.options.items()}
        values = dict(defaults)
        for name, value in settings.items():
            key = name.upper()
            if key not in self.options:
                raise unknown_name(f"option of {self.name}", name, self.options)
            if value not in self.options[key].values:
                raise UsageError(
                    f"{self.name}.{key} is one of {', '.join(self.options[key].values)}, "
                    f"not '{value}'"
                )
            values[key] = value
        changed = tuple(f"{k}={v}" for k, v in sorted(values.items()) if v != defaults[k])
        return Configuration(self.name, None, tuple(sorted(values.items())), changed)

    def defines(
        self, configuration: Configuration, curve: str, ops: Sequence[str] = OPS
    ) -> tuple[str, ...]:
        """The macros of a configuration, for one curve and an image with these operations."""
        absent = [
            macro for op, macros in self.op_left_out.items() if op not in ops for macro in macros
        ]
        chosen = [
            macro
            for name, value in configuration.settings
            for macro in self.options[name].macros(value)
        ]
        return (*self.build.defines, *self.curve_defines.get(curve, ()), *chosen, *absent)

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
        """Patterns of the names of its functions that are written in assembly,
        in a configuration.
        """
        patterns = self.assembly
        for name, value in configuration.settings:
            option = self.options[name]
            if value not in option.no_assembly:
                patterns += option.assembly
            elif not option.assembly:
                return ()
        return patterns

    def variants_on(self, curve: str, core: str) -> dict[str, dict[str, str]]:
        """The variants that are others than the usual settings, on a curve and a core."""
        usual, variants = self.configure({}, core), {}
        for name, settings in self.variants.items():
            limits = self.variants_for.get(name, Limits())
            fits = core in (limits.cores or (core,)) and curve in (limits.curves or (curve,))
            if fits and self.configure(settings, core).key != usual.key:
                variants[name] = settings
        return variants

    def ops(self, curve: str, core: str) -> tuple[str, ...]:
        """The operations it offers on a curve, on a core."""
        return self.curves.get(curve, ()) if core in self.cores or not self.cores else ()


def load_peer(name: str, folder: Path) -> Peer:
    """Reads a peer's folder. Errors: UsageError."""
    path = folder / "peer.toml"
    if not path.is_file() or not (folder / "adapter.c").is_file():
        raise UsageError(f"{folder} is not a peer: it needs peer.toml and adapter.c")
    try:
        peer = documents.toml(read_input(path, documents.LARGEST_TOML), Peer)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except msgspec.MsgspecError as error:
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
        if curve not in MEASURED:
            raise unknown_name("curve", curve, MEASURED)
    for curve, ops in peer.curves.items():
        for op in ops:
            if op not in MEASURED[curve].every_op:
                raise unknown_name(f"operation of {curve}", op, MEASURED[curve].every_op)
    for name, option in peer.options.items():
        per_value = {
            *option.defines,
            *option.flags,
            *option.sources,
            *option.no_assembly,
            option.default,
            *option.per_core.values(),
        }
        for value in sorted(per_value - {*option.values}):
            raise unknown_name(f"value of the option {name}", value, option.values)
    for settings in peer.variants.values():
        peer.configure(settings)
    for name, limits in peer.variants_for.items():
        if name not in peer.variants:
            raise unknown_name("variant", name, peer.variants)
        for curve in limits.curves:
            if curve not in MEASURED:
                raise unknown_name("curve", curve, MEASURED)


def source_files(folder: Path, names: Iterable[str]) -> tuple[Path, ...]:
    """The files of these names below a folder; a name with `*` stands for all that match,
    in order of their names.

    Errors: BuildError for a name that no file has.
    """
    files: list[Path] = []
    for name in names:
        matches = sorted(folder.glob(name)) if "*" in name else [folder / name]
        if not all(path.is_file() for path in matches) or not matches:
            raise BuildError(
                f"sources in peer.toml: no file {'matches' if '*' in name else 'is'} '{name}'"
            )
        files += matches
    return tuple(dict.fromkeys(files))


def outside_peers() -> dict[str, Peer]:
    """The manifests of those whose code no package carries: peers/outside. Errors: UsageError."""
    folders = sorted(path.parent for path in (PEERS / "outside").glob("*/peer.toml"))
    return {folder.name: load_peer(folder.name, folder) for folder in folders}


def _is_known(name: str, folder: Path) -> bool:
    """Whether rows of that name are what the name promises: nobody else has it, or the folder is a
    copy, whose peer.toml pins the code.
    """
    for original in (PEERS / name, PEERS / "outside" / name):
        for file in ("peer.toml", "adapter.c") if (original / "peer.toml").is_file() else ():
            with suppress(OSError):  # it is no peer, which is said later
                if (original / file).read_bytes() != (folder / file).read_bytes():
                    return False
    return True


class Peers(Mapping[str, Peer]):
    """Peers by name, each read from its folder when it is asked for.
    Errors of that: UsageError.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders, self._read = folders, dict[str, Peer]()

    def __getitem__(self, name: str) -> Peer:
        if name not in self._read:
            self._read[name] = load_peer(name, self._folders[name])
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._folders)

    def __len__(self) -> int:
        return len(self._folders)


def all_peers(extra: Mapping[str, Path] | None = None) -> dict[str, Peer]:
    """The peers of the repository and those of `extra` (name to folder). Errors: UsageError."""
    return dict(find_peers(extra or {}))


def find_peers(extra: Mapping[str, Path]) -> Peers:
    """The same; of those in the repository only the names are read before they are asked for."""
    if taken := [name for name in extra if name.lower() in TAKEN]:
        raise UsageError(f"--peer-dir: the name '{taken[0]}' is taken: call your library otherwise")
    for name, folder in extra.items():
        if not _is_known(name, folder):
            raise UsageError(
                f"--peer-dir: the name '{name}' is taken by a library that ecfit knows, and "
                f"{folder} has another peer.toml or adapter.c: call yours otherwise"
            )
    folders = {path.parent.name: path.parent for path in sorted(PEERS.glob("*/peer.toml"))}
    folders.update(extra)
    peers = Peers(folders)
    for name in extra:
        peers[name]
    return peers
