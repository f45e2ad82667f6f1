"""From a configuration to an image: which files, which flags, one link. Pure but for the compiler it calls.

What is compiled for a library is a `Parts`; the image around it (start-up, harness, adapter) is the same for all.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from ecfit import knobs, stackbound, toolchain
from ecfit.combs import missing_tables
from ecfit.curves import CURVES, Curve
from ecfit.elf import Elf, foreign_bytes
from ecfit.errors import BuildError
from ecfit.model import Configuration, Image, Place, Segment, Sizes, Toolchain, digest
from ecfit.paths import FIRMWARE, LIB, PEERS, ROOT, cache_dir
from ecfit.peers import Peer, code_folder, installed, source_files
from ecfit.targets import Target

OWN = "ecfit"
NULL = "null"
CALLER = "caller"  # the value of a knob whose function the caller brings
SCRATCH = "build-"
ASSEMBLY, NO_ASSEMBLY = (
    "ECFIT_ASM",
    "mp/none.S",
)  # the slot of a backend's assembly; where it has none
ADAPTERS = {
    "weierstrass": "adapter_ecfit.c",
    "montgomery": "adapter_ecfit_montgomery.c",
    "edwards": "adapter_ecfit_edwards.c",
}
WORK_ADAPTER = "adapter_ecfit_work.c"  # where operations run in a work area of the caller
PIECES_ADAPTER = "adapter_ecfit_steps.c"  # where they run in pieces
_VERBS = {
    "keygen": "keygen",
    "ecdh": "ecdh",
    "sign": "ecdsa_sign",
    "verify": "ecdsa_verify",
}  # of Weierstrass curves
# Functions of our library that no operation needs, by the knob that has them.
EXTRAS = {
    "COMPRESS": ("ecfit_{curve}_compress", "ecfit_{curve}_decompress"),
    "DER": ("ecfit_{curve}_signature_to_der", "ecfit_{curve}_signature_from_der"),
    "RESUME": (
        *(
            f"ecfit_{{curve}}_{verb}_{part}"
            for part in ("start", "finish")
            for verb in _VERBS.values()
        ),
        "ecfit_{curve}_step",
        "ecfit_{curve}_abort",
    ),
    "SHA256": ("ecfit_sha256",),
    "SHA512": ("ecfit_sha384", "ecfit_sha512"),
    "SHAKE256": ("ecfit_shake256",),
}
More = Sequence[tuple[Curve, Configuration]]  # further curves in the same image
_FOLDERS = {
    "armv6m": "cortexm",
    "armv7m": "cortexm",
    "rv32": "rv32",
}  # of firmware/, by architecture
_CODE: dict[Place, str] = {"flash": "FLASH", "ram": "RAM AT > FLASH"}  # in the linker script
HARNESS = (
    "bench_arena", "bench_pool", "bench_pool_used", "bench_return", "image_stack_top", "image_stack_limit",
)  # fmt: skip  # what the runner finds by name
_MACHINES = {"cortexm": "EM_ARM", "rv32": "EM_RISCV"}  # by that folder


class Parts(msgspec.Struct, frozen=True):
    """What a library brings to an image. `identity` names its contents: part of the content key.

    `defines` hold for the library and its adapter, `glue_defines` for the adapter alone. `roots`: functions that the
    linker keeps though nothing calls them. `glue`: what a caller would bring, beside the adapter.
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


class Request(msgspec.Struct, frozen=True):
    """An image to build: these operations of this library for this target, its code in flash or copied to RAM.

    `secrets`: they are to be followed in it, so it says what is public and where its code comes from.
    """

    target: Target
    configuration: Configuration
    curve: str
    ops: tuple[str, ...]
    toolchain: Toolchain
    parts: Parts
    place: Place = "flash"
    secrets: bool = False

    @property
    def key(self) -> str:
        """The content key: equal keys make equal images, on every machine."""
        target = [
            self.target.arch,
            self.target.core,
            [msgspec.to_builtins(m) for m in self.target.memory],
        ]
        flags = toolchain.flags_key(self.toolchain)
        variant = [self.place, *(["secrets"] if self.secrets else [])]
        glue = [[path.name, path.read_bytes()] for path in self.files]
        return digest([target, list(self.ops), flags, self.parts.identity, glue, *variant])

    @property
    def glue(self) -> tuple[Path, ...]:
        """What is compiled around the library; the folder of the first has the headers of the architecture."""
        library = self.parts.adapter, *self.parts.glue
        if self.target.arch == "host":
            return FIRMWARE / "bench_host.c", *library
        return self.arch_folder / "startup.c", FIRMWARE / "bench_main.c", *library

    @property
    def arch_folder(self) -> Path:
        """Start-up and linker script of the architecture."""
        return FIRMWARE / _FOLDERS[self.target.arch]

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file of the image's surroundings that its build may read: other adapters do not count."""
        headers = sorted(FIRMWARE.glob("*.h"))
        if self.target.arch != "host":
            headers += sorted(path for path in self.arch_folder.iterdir() if path.is_file())
        return tuple(dict.fromkeys((*self.glue, *headers)))


@cache
def _contents(folder: Path, pattern: str = "*") -> str:
    """Digest of all files below a folder, by relative name and content."""
    files = sorted(path for path in folder.rglob(pattern) if path.is_file())
    return digest([[str(path.relative_to(folder)), path.read_bytes()] for path in files])


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

    `extras`: knobs of functions that the bench does not run but that are in the image (:data:`EXTRAS`).
    `pieces`: with RESUME=steps the operations run in pieces (with WORK=caller they do in any case).
    """
    further = {other.name: settings for other, settings in more}
    settings = dict(configuration.settings)
    adapter = _adapter(curve, settings, pieces=pieces)
    wanted = adapter in (WORK_ADAPTER, PIECES_ADAPTER) or bool(set(extras) & set(knobs.EXTRAS))
    header = knobs.header(configuration, [curve], ops, extras=wanted, more=further)
    glue = _curve_defines(curve)
    roots = tuple(entry_point(other, op) for other, _ in more for op in ops if op in other.ops)
    present = [extra for extra in extras if settings[extra] not in (knobs.NONE, CALLER)]
    roots += tuple(name.format(curve=curve) for extra in present for name in EXTRAS[extra])
    callers = [
        FIRMWARE / f"caller_{name.lower()}.c" for name, value in settings.items() if value == CALLER
    ]
    if settings["MULG"] == "comb_ram" and any(op in ("keygen", "sign") for op in ops):
        roots += (prepare_point(curve),)
    tables = missing_tables(curve, settings)
    for other, chosen in more:
        tables |= missing_tables(other.name, dict(chosen.settings))
    return Parts(
        adapter=FIRMWARE / adapter,
        identity=[
            OWN,
            header,
            _contents(LIB / "src"),
            _contents(LIB / "include"),
            list(glue),
            *roots,
            *tables,
        ],
        sources=(LIB / "src" / "ecfit.c", *_assembly(header)),
        include=(LIB / "include", LIB / "src"),
        glue_defines=glue,
        generated={"ecfit_config.h": header, **tables},
        roots=roots,
        glue=tuple(path for path in callers if path.is_file()),
    )


def _assembly(header: str) -> tuple[Path, ...]:
    """The source of a backend's functions in assembly, where the configuration has one that is not all C."""
    return () if f'{ASSEMBLY} "{NO_ASSEMBLY}"' in header else (LIB / "src" / "ecfit_asm.S",)


def build_assembly(tools: Toolchain, header: str, folder: Path) -> bytes:
    """All assembly functions of a configuration, linked alone in a folder of the caller's. Errors: BuildError."""
    (folder / "ecfit_config.h").write_text(header, encoding="utf-8")
    what = "the assembly of ecfit"
    source, includes = LIB / "src" / "ecfit_asm.S", (f"-I{folder}", f"-I{LIB / 'src'}")
    toolchain.run([*tools.compile, *includes, "-c", str(source), "-o", "asm.o"], what, folder)
    link = ("-nostdlib", "-Wl,--no-gc-sections", "-Wl,-Ttext=0x100", "-Wl,-e,0x100")
    toolchain.run([*tools.link, *link, "asm.o", "-o", "asm.elf"], what, folder)
    return (folder / "asm.elf").read_bytes()


def _adapter(curve: str, settings: Mapping[str, str], *, pieces: bool) -> str:
    """The name of the file that calls the library's operations."""
    if settings.get("WORK") == CALLER:
        return WORK_ADAPTER
    in_pieces = pieces and settings.get("RESUME") == "steps"
    return PIECES_ADAPTER if in_pieces else ADAPTERS[CURVES[curve].form]


def prepare_point(curve: str) -> str:
    """The function that builds the table in RAM, in images whose operations use it."""
    return f"ecfit_{curve}_prepare"


def entry_point(curve: Curve, op: str) -> str:
    """The function of our library for an operation on a curve (lib/include/ecfit.h)."""
    if curve.form == "weierstrass":
        return f"ecfit_{curve.name}_{_VERBS[op]}"
    return f"ecfit_{curve.name}" if op == "ecdh" else f"ecfit_{curve.name}_{op}"


def null_parts() -> Parts:
    """The empty library, whose image is subtracted."""
    adapter = PEERS / NULL / "adapter.c"
    return Parts(adapter=adapter, identity=[NULL, adapter.read_bytes()])


def _curve_defines(curve: str) -> tuple[str, ...]:
    """How an adapter learns its curve: firmware/bench_op.h."""
    sizes = CURVES[curve]
    return f"BENCH_CURVE={curve}", f"BENCH_F={sizes.field_bytes}", f"BENCH_N={sizes.scalar_bytes}"


def peer_parts(peer: Peer, configuration: Configuration, curve: str) -> Parts:
    """A peer's sources, fetched if need be. Errors: PackageError, MissingToolError."""
    folder, own = code_folder(peer), Path(peer.folder)
    content = peer.package.sha256 if peer.package else _contents(folder)
    defines, glue, flags = (
        peer.defines(configuration, curve),
        _curve_defines(curve),
        peer.flags(configuration),
    )
    sources = peer.sources(configuration, curve)
    system = installed(peer.system.pkg_config, peer.system.package) if peer.system else None
    return Parts(
        adapter=own / "adapter.c",
        identity=[
            peer.name,
            _contents(own, "*.[ch]"),
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
        ),
        defines=defines,
        glue_defines=glue,
        flags=flags,
        link=system.link if system else (),
    )


def make_parts(
    configuration: Configuration,
    curve: str,
    ops: Sequence[str],
    peers: Mapping[str, Peer],
    *,
    more: More = (),
    extras: Sequence[str] = (),
    pieces: bool = False,
) -> Parts:
    """The parts of any library; further curves (`more`), `extras` and `pieces` are for ours only.

    Errors: PackageError, MissingToolError, UsageError.
    """
    if configuration.library == NULL:
        return null_parts()
    if configuration.library == OWN:
        return own_parts(configuration, curve, ops, more, extras, pieces=pieces)
    return peer_parts(peers[configuration.library], configuration, curve)


def build(request: Request) -> Image:
    """Compiles and links an image in a scratch folder. Errors: BuildError, MissingToolError."""
    with tempfile.TemporaryDirectory(prefix=f"{SCRATCH}{os.getpid()}-", dir=cache_dir()) as name:
        return (_build_host if request.target.arch == "host" else _build_bare)(request, Path(name))


def remove_scratch() -> None:
    """Removes what an interrupted process of ours leaves behind: its threads do not get to do it."""
    for folder in cache_dir().glob(f"{SCRATCH}{os.getpid()}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def _compile(request: Request, folder: Path) -> list[str]:
    """Object names: the library's, then the glue's (glue_*.o: the linker script knows them by that)."""
    parts, compiler, glue = request.parts, request.toolchain.compile, request.glue
    for name, text in parts.generated.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    include = [f"-I{path}" for path in (folder, *parts.include)]
    macros = [f"-D{define}" for define in parts.defines]
    prefix = [
        f"-ffile-prefix-map={ROOT}=.",
        f"-ffile-prefix-map={cache_dir()}=.",
        f"-ffile-prefix-map={folder}=.",
    ]
    prefix += ["-include", str(FIRMWARE / "bench_ct.h")] if request.secrets else []
    what = f"{request.configuration.library} for {request.target.name}"
    objects = []
    for index, source in enumerate(parts.sources):
        objects.append(f"lib_{index}_{source.stem}.o")
        command = [
            *compiler,
            *prefix,
            *include,
            *macros,
            *parts.flags,
            "-c",
            str(source),
            "-o",
            objects[-1],
        ]
        toolchain.run(command, what, folder)
    roots = f"-DBENCH_OPS={','.join(f'bench_{op}' for op in request.ops)}"
    for source in glue:
        objects.append(f"glue_{source.stem}.o")
        command = [
            *compiler,
            *prefix,
            f"-I{FIRMWARE}",
            f"-I{glue[0].parent}",
            *include,
            *macros,
            roots,
        ]
        command += [f"-D{define}" for define in parts.glue_defines]
        command += (
            ["-fno-tree-loop-distribute-patterns"]
            if request.toolchain.name == "gcc"
            else ["-fno-builtin"]
        )
        toolchain.run([*command, "-c", str(source), "-o", objects[-1]], what, folder)
    return objects


def _build_bare(request: Request, folder: Path) -> Image:
    objects = _compile(request, folder)
    script = (request.arch_folder / "image.ld.in").read_text(encoding="utf-8")
    for kind in ("flash", "ram"):
        memory = request.target.region(kind)
        script = script.replace(f"@{kind.upper()}_START@", hex(memory.start))
        script = script.replace(f"@{kind.upper()}_SIZE@", hex(memory.size))
    script = script.replace("@CODE@", _CODE[request.place])
    (folder / "image.ld").write_text(script, encoding="utf-8")
    what = f"{request.configuration.library} for {request.target.name}"
    roots = [f"-Wl,-u,{name}" for name in request.parts.roots]
    command = [
        *request.toolchain.link,
        "-Timage.ld",
        "-Wl,-Map=image.map",
        *roots,
        *objects,
        "-o",
        "image.elf",
    ]
    toolchain.run(command, what, folder)
    try:
        data, map_text = (
            (folder / "image.elf").read_bytes(),
            (folder / "image.map").read_text(encoding="utf-8"),
        )
    except (OSError, UnicodeDecodeError) as error:
        raise BuildError(f"{what}: the linker left no image: {error}") from None
    graphs = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.ci"))]
    return read_image(request, data, map_text, graphs)


def read_image(request: Request, data: bytes, map_text: str, graphs: Sequence[str] = ()) -> Image:
    """The image in what the linker made, with the compiler's call graphs.

    Errors: BuildError when it is damaged, or not one of this bench.
    """
    machine = _MACHINES[_FOLDERS[request.target.arch]]
    elf = Elf(data, machine, debug=request.secrets)
    wanted = [*HARNESS, *(f"bench_{op}" for op in request.ops)]
    if missing := [name for name in wanted if name not in elf.symbols]:
        raise BuildError(f"the image lacks what the harness needs: {', '.join(missing)}")
    return Image(
        key=request.key,
        segments=elf.segments,
        symbols=elf.symbols,
        functions=elf.functions,
        sections=elf.sections,
        foreign=foreign_bytes(map_text),
        lines=elf.lines,
        public_at=elf.public_at,
        frames=stackbound.frames(graphs, elf, request.target.arch),
    )


def _build_host(request: Request, folder: Path) -> Image:
    objects = _compile(request, folder)
    what = f"{request.configuration.library} for {request.target.name}"
    exported = "".join(
        f" {name};"
        for name in ("bench_batch", "bench_heap", *(f"bench_{op}" for op in request.ops))
    )
    (folder / "image.map").write_text(f"{{ global:{exported} local: *; }};\n", encoding="utf-8")
    toolchain.run(
        [*request.toolchain.link, *objects, *request.parts.link, "-o", "image.so"], what, folder
    )
    return Image(request.key, (Segment(0, (folder / "image.so").read_bytes()),))


def sizes(image: Image, null: Image, place: Place = "flash") -> Sizes:
    """What the library adds to the image of an empty one, in bytes; code that runs in RAM weighs there too."""
    if not image.sections:
        return Sizes()
    own, empty = image.sections, null.sections
    code_in_ram = own[".text"] - empty[".text"] if place == "ram" else 0
    return Sizes(
        flash_bytes=own[".text"] + own[".data"] - empty[".text"] - empty[".data"],
        foreign_bytes=image.foreign - null.foreign,
        static_ram_bytes=own[".data"] + own[".bss"] - empty[".data"] - empty[".bss"] + code_in_ram,
    )
