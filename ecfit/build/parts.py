"""What a library brings to an image: its sources, flags, generated files, and what calls it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import msgspec

from ecfit.choices import knobs
from ecfit.choices.curves import (
    ALL_OPS,
    BASE,
    CURVES,
    HASHED,
    HYBRIDS,
    MEASURED,
    OPS,
    Curve,
    with_hashed,
)
from ecfit.choices.leaves import tables_of
from ecfit.choices.peers import MOST_BYTES, MOST_MEMBERS, Peer, source_files
from ecfit.errors import BuildError
from ecfit.model import Configuration, digest
from ecfit.paths import FIRMWARE, LIB, PEERS

OWN = "ecfit"
NULL = "null"
CALLER = "caller"  # the value of a knob whose function the caller brings
NO_ASSEMBLY = '#define ECFIT_ASM "none.h"'  # in the configuration header
ADAPTERS = {
    "weierstrass": "adapter_ecfit.c",
    "montgomery": "adapter_ecfit_montgomery.c",
    "edwards": "adapter_ecfit_edwards.c",
}
WORK_ADAPTER = "adapter_ecfit_work.c"  # where operations run in a work area of the caller
PIECES_ADAPTER = "adapter_ecfit_steps.c"  # where they run in pieces
NAMED_ADAPTERS = {  # beside one of these, where an operation is named
    "weierstrass": "adapter_ecfit_message.c",
    "edwards": "adapter_ecfit_parts.c",
}
PAIR_ADAPTER = "adapter_ecfit_pair.c"  # where EdDSA signs with a key pair
_VERBS = {
    "keygen": "keygen",
    "ecdh": "ecdh",
    "sign": "ecdsa_sign",
    "verify": "ecdsa_verify",
    "sign_message": "ecdsa_sign_message",
    "verify_message": "ecdsa_verify_message",
    "sign_recoverable": "ecdsa_sign_recoverable",
    "recover_key": "ecdsa_recover",
    "sign_schnorr": "schnorr_sign",
    "verify_schnorr": "schnorr_verify",
    "spake2p_prover": "spake2p_prover_finish",
    "spake2p_verifier": "spake2p_verifier_finish",
}  # of Weierstrass curves
# Functions of our library that no operation needs, by the knob that has them.
EXTRAS = {
    "COMPRESS": ("ecfit_{curve}_compress", "ecfit_{curve}_decompress"),
    "DER": ("ecfit_{curve}_signature_to_der", "ecfit_{curve}_signature_from_der"),
    "RESUME": (
        *(
            f"ecfit_{{curve}}_{verb}_{part}"
            for part in ("start", "finish")
            for verb in (_VERBS[op] for op in OPS)
        ),
        "ecfit_{curve}_step",
        "ecfit_{curve}_abort",
    ),
    "SHA256": ("ecfit_sha256",),
    "SHA512": ("ecfit_sha384", "ecfit_sha512"),
    "SHAKE256": ("ecfit_shake256",),
    "STATUS_TEXT": ("ecfit_status_text",),
    "HASH_STREAM": tuple(
        f"ecfit_{name}_{part}"
        for name in ("sha256", "sha384", "sha512")
        for part in ("start", "update", "finish")
    ),
}
_READING = threading.Lock()
More = Sequence[tuple[Curve, Configuration]]  # further curves in the same image


class Beside(msgspec.Struct, frozen=True):
    """Another library in an image, with these operations on a curve. `more`: its further curves."""

    curve: Curve
    configuration: Configuration
    ops: tuple[str, ...]
    more: tuple[tuple[Curve, Configuration], ...] = ()


class Parts(msgspec.Struct, frozen=True):
    """What a library brings to an image. `identity` names its contents: part of the content key.

    `defines` hold for the library and its adapter, `glue_defines` for the adapter alone.
    `roots`: functions that the linker keeps though nothing calls them.
    `glue`: what a caller would bring, beside the adapter. `beside`: other libraries in the image,
    with the names of their adapters' functions changed by `glue_defines`.
    """

    adapter: Path
    identity: list[object]
    sources: tuple[Path, ...] = ()
    include: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    glue_defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    generated: dict[str, str] = {}
    roots: tuple[str, ...] = ()
    glue: tuple[Path, ...] = ()
    beside: tuple[Parts, ...] = ()


def contents(folder: Path, pattern: str = "*") -> str:
    """Digest of all files below a folder, by relative name and content; links are followed.
    They are read once, whichever thread asks first.
    Errors: BuildError for more files or bytes than any library has.
    """
    with _READING:
        return _contents(folder, pattern)


@cache
def _contents(folder: Path, pattern: str) -> str:
    files, visited, size = list[Path](), set[str](), 0
    for top, folders, names in os.walk(folder, followlinks=True):
        if (real := os.path.realpath(top)) in visited:
            folders.clear()  # links in a circle
            continue
        visited.add(real)
        folders.sort()
        paths = [Path(top, name) for name in names if fnmatch(name, pattern)]
        paths = [path for path in paths if path.is_file()]
        files, size = files + paths, size + sum(path.stat().st_size for path in paths)
        if len(files) > MOST_MEMBERS or size > MOST_BYTES:
            raise BuildError(
                f"{folder} has more than {MOST_MEMBERS} files or {MOST_BYTES >> 20} MiB, which "
                "would all be read: put the sources into a folder of their own"
            )
    return digest([[str(path.relative_to(folder)), path.read_bytes()] for path in sorted(files)])


def source_digest() -> str:
    """SHA-256 of all that our library can be compiled from."""
    return digest([contents(LIB / "src"), contents(LIB / "include")])


def own_parts(
    configuration: Configuration,
    curve: str,
    ops: Iterable[str],
    more: More = (),
    extras: Sequence[str] = (),
    *,
    pieces: bool = False,
) -> Parts:
    """Our library: one translation unit and its generated configuration header. Errors: UsageError.

    `extras`: knobs of functions that the bench does not run but that are in the image
    (:data:`EXTRAS`). `pieces`: with RESUME=steps the operations run in pieces
    (with WORK=caller they do in any case).
    """
    further = {further_curve.name: settings for further_curve, settings in more}
    settings = dict(configuration.settings)
    adapter = _adapter(curve, settings, pieces=pieces)
    wanted = adapter in (WORK_ADAPTER, PIECES_ADAPTER) or bool(set(extras) & set(knobs.EXTRAS))
    header = knobs.header(configuration, [curve], ops, extras=wanted, more=further)
    glue = _curve_defines(curve)
    roots = tuple(
        entry_point(further_curve, op)
        for further_curve, own in more
        for op in built(further_curve, own, ops)
    )
    present = [extra for extra in extras if settings[extra] not in (knobs.NONE, CALLER)]
    roots += tuple(name.format(curve=curve) for extra in present for name in EXTRAS[extra])
    callers = [
        FIRMWARE / f"caller_{name.lower()}.c" for name, value in settings.items() if value == CALLER
    ]
    more_sources = None
    if knobs.are_extended():
        from ecfit.choices import variants

        more_sources = variants.brought(curve, settings, with_hashed(ops))
        roots += more_sources.roots if more_sources else ()
    if adapter == PAIR_ADAPTER and "sign" in ops:
        roots += (set_up_point("sign"),)
    named = BASE.keys() & set(ops) & set(CURVES[curve].every_op)
    beside = [FIRMWARE / NAMED_ADAPTERS[CURVES[curve].form]] if named else []
    tables = _tables(curve, settings)
    for further_curve, chosen in more:
        tables |= _tables(further_curve.name, dict(chosen.settings))
    return Parts(
        adapter=FIRMWARE / adapter,
        identity=[
            OWN,
            header,
            contents(LIB / "src"),
            contents(LIB / "include"),
            list(glue),
            *roots,
            *([tables] if tables else []),
            *([contents(more_sources.folder)] if more_sources else []),
        ],
        sources=library_sources(header),
        include=(*([more_sources.folder] if more_sources else []), LIB / "include", LIB / "src"),
        glue_defines=glue,
        generated={
            "ecfit_config.h": header,
            **tables,
            **(more_sources.generated if more_sources else {}),
        },
        roots=roots,
        glue=(*beside, *(path for path in callers if path.is_file())),
    )


def _tables(curve: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Names and texts of the tables that a configuration needs and the tree lacks.
    Errors: BuildError.
    """
    if not tables_of(curve, settings):
        return {}
    from ecfit.build.combs import missing_tables

    return missing_tables(curve, settings)


def built(curve: Curve, configuration: Configuration, ops: Iterable[str]) -> tuple[str, ...]:
    """Those of the operations that a curve of ours has and does not leave out (SIGN=none);
    without its hash, none of messages.
    """
    left_out = {name.lower() for name, value in configuration.settings if value == knobs.NONE}
    if (knobs.find_slot(curve.name).hash or "").lower() in left_out:
        left_out |= {*HASHED}
    return tuple(op for op in ops if op in curve.every_op and not left_out & {op, BASE.get(op, op)})


def library_sources(header: str) -> tuple[Path, ...]:
    """What a configuration compiles: a backend that is not all in C has a second source."""
    source = LIB / "src" / "ecfit.c"
    return (source,) if NO_ASSEMBLY in header else (source, LIB / "src" / "ecfit_asm.S")


def _adapter(curve: str, settings: Mapping[str, str], *, pieces: bool) -> str:
    """The name of the file that calls the library's operations."""
    if settings.get("WORK") == CALLER:
        return WORK_ADAPTER
    if settings.get("SIGN") == "eddsa_pair":
        return PAIR_ADAPTER
    in_pieces = pieces and settings.get("RESUME") == "steps"
    return PIECES_ADAPTER if in_pieces else ADAPTERS[CURVES[curve].form]


def prepare_point(curve: str) -> str:
    """The function that builds the table in RAM, in images whose operations use it."""
    return f"ecfit_{curve}_prepare"


def entry_point(curve: Curve, op: str) -> str:
    """The function of our library for an operation on a curve (lib/include/ecfit.h)."""
    if curve.form == "weierstrass":
        return f"ecfit_{curve.name}_{_VERBS[op]}"
    verb = "verify_finish" if op == "verify_parts" else op
    return f"ecfit_{curve.name}" if op == "ecdh" else f"ecfit_{curve.name}_{verb}"


def null_parts() -> Parts:
    """The empty library, whose image is subtracted."""
    adapter = PEERS / NULL / "adapter.c"
    return Parts(adapter=adapter, identity=[NULL, adapter.read_bytes()])


def _curve_defines(curve: str) -> tuple[str, ...]:
    """How an adapter learns its curve: firmware/bench_op.h."""
    sizes = (MEASURED | HYBRIDS)[curve]
    defines = (
        f"BENCH_CURVE={curve}",
        f"BENCH_F={sizes.field_bytes}",
        f"BENCH_N={sizes.scalar_bytes}",
    )
    if sizes.form in {"kem", "hybrid"}:
        return *defines, f"BENCH_P={sizes.public_bytes}", f"BENCH_C={sizes.cipher_bytes}"
    if sizes.form == "signature":
        return *defines, f"BENCH_P={sizes.public_bytes}", f"BENCH_S={sizes.signature_bytes}"
    return defines


def set_up_point(op: str) -> str:
    """The function of an adapter that sets up what is kept for an operation, where it has one."""
    return f"bench_prepare_{op}"


def peer_parts(
    peer: Peer, configuration: Configuration, curve: str, ops: Sequence[str] = OPS
) -> Parts:
    """A peer's sources, fetched if need be. Errors: BuildError."""
    from ecfit.build.fetch import code_folder, installed, package_digest

    folder, own = code_folder(peer), Path(peer.folder)
    defines, glue, flags = (
        peer.defines(configuration, curve, ops),
        _curve_defines(curve),
        peer.flags(configuration),
    )
    sources = peer.sources(configuration, curve)
    content = package_digest(folder) if peer.package else _own_contents(peer, folder, sources)
    system = installed(peer.system.pkg_config, peer.system.package) if peer.system else None
    return Parts(
        adapter=own / "adapter.c",
        identity=[
            peer.name,
            contents(own, "*.[ch]"),
            content,
            msgspec.to_builtins(peer.build),
            [*defines, *glue, *flags],
            list(sources),
            *([system.version, list(system.link)] if system else []),
        ],
        sources=source_files(folder, sources),
        include=(
            own,
            *(folder / include for include in peer.build.include),
            *(system.include if system else ()),
            FIRMWARE,  # bench_mark.h
        ),
        defines=defines,
        glue_defines=glue,
        flags=flags,
        link=system.link if system else (),
        roots=tuple(map(set_up_point, ops)),
    )


def _own_contents(peer: Peer, folder: Path, sources: Iterable[str]) -> list[str]:
    """Digests of all that a peer without a package may compile: its folder, and what is outside of
    it where it has sources or looks for headers. Errors: BuildError.
    """
    named = [
        *((folder / name).parent for name in sources),
        *map(folder.joinpath, peer.build.include),
    ]
    own, places = folder.resolve(), dict.fromkeys(path.resolve() for path in named)
    outside = [path for path in places if path != own and own not in path.parents]
    return [contents(folder), *map(contents, outside)]


def make_parts(
    configuration: Configuration,
    curve: str,
    ops: Sequence[str],
    peers: Mapping[str, Peer],
    *,
    more: More = (),
    beside: Sequence[Beside] = (),
    extras: Sequence[str] = (),
    pieces: bool = False,
) -> Parts:
    """The parts of any library; further curves (`more`), `extras` and `pieces` are for ours only.

    Errors: PackageError, MissingToolError, UsageError.
    """
    if configuration.library == NULL:
        return null_parts()
    if curve in HYBRIDS:
        beside = (*beside, Beside(HYBRIDS[curve].kem, configuration, tuple(ops)))
        parts = _hybrid_parts(HYBRIDS[curve])
    elif configuration.library == OWN:
        parts = own_parts(configuration, curve, ops, more, extras, pieces=pieces)
    else:
        parts = peer_parts(peers[configuration.library], configuration, curve, ops)
    if not beside:
        return parts
    renamed = [_renamed(request, peers) for request in beside]
    return msgspec.structs.replace(
        parts,
        identity=[*parts.identity, *(added.identity for added in renamed)],
        generated={
            **parts.generated,
            **{n: t for added in renamed for n, t in added.generated.items()},
        },
        roots=(*parts.roots, *(root for added in renamed for root in added.roots)),
        beside=tuple(renamed),
    )


def _hybrid_parts(group: Curve) -> Parts:
    """What calls a curve and a KEM that stand beside it."""
    curve, first = group.curve, group.parts[0] == group.kem
    sizes = f"CURVE_N={curve.scalar_bytes}", f"CURVE_P={curve.public_bytes}"
    names = f"HYBRID_CURVE={curve.name}", f"HYBRID_KEM={group.kem.name}"
    rest = f"CURVE_F={curve.field_bytes}", f"KEM_FIRST={first:d}"
    defines = *_curve_defines(group.name), *names, *sizes, *rest
    return Parts(FIRMWARE / "adapter_hybrid.c", ["hybrid", *defines], glue_defines=defines)


def _renamed(beside: Beside, peers: Mapping[str, Peer]) -> Parts:
    """The parts of a library that stands beside another, whose adapter has the usual names.
    Its operations are roots, as bench_mlkem768_decaps.
    """
    name = beside.curve.name
    parts = make_parts(beside.configuration, name, beside.ops, peers, more=beside.more)
    names = [*(f"bench_{op}" for op in ALL_OPS), *map(set_up_point, ALL_OPS)]
    new_name = {usual: usual.replace("bench_", f"bench_{name}_", 1) for usual in names}
    ours = beside.configuration.library == OWN
    called = built(beside.curve, beside.configuration, beside.ops) if ours else beside.ops
    return msgspec.structs.replace(
        parts,
        glue_defines=(*parts.glue_defines, *(f"{usual}={new}" for usual, new in new_name.items())),
        roots=(
            *(new_name[f"bench_{op}"] for op in called),
            *(new_name.get(root, root) for root in parts.roots),
        ),
    )
