"""From a configuration to an image: which files, which flags, one link.
Pure but for the compiler it calls.

What is compiled for a library is a `Parts`; the image around it (start-up, harness, adapter)
is the same for all.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path, PurePosixPath

import msgspec

from ecfit.build import stackbound, toolchain
from ecfit.build.elf import Elf, foreign_bytes, object_bytes, section_bytes
from ecfit.build.parts import OWN, Parts, set_up_point
from ecfit.build.request import FOLDERS, Request
from ecfit.choices.targets import FPU, NOT_ON_CHIP
from ecfit.errors import BuildError
from ecfit.model import Image, Place, Segment, Sizes, Toolchain, digest
from ecfit.paths import FIRMWARE, LIB, ROOT, cache_dir
from ecfit.paths import lock as lock_file

SCRATCH = "build-"
_CODE: dict[Place, str] = {"flash": "FLASH", "ram": "RAM AT > FLASH"}  # in the linker script
HARNESS = (
    "bench_arena", "bench_pool", "bench_pool_used", "bench_return", "image_stack_top",
    "image_stack_limit",
)  # fmt: skip  # what the runner finds by name
_ALONE = "SECTIONS { .text 0x100 : { *(.text*) } }\n"  # assembly, linked without anything else
_COMPILED: dict[str, dict[str, bytes]] = {}  # all but C of libraries: files by their suffix
ASSEMBLY = LIB / "src" / "ecfit_asm.S"
ASSEMBLED_BY = re.compile(r"^#define (?:ECFIT_ASM|ECFIT_FPU_\w+)\b.*", re.MULTILINE)
"""What assembly reads of a configuration: which file, and whether it has floating-point ones."""
_COMPILING = threading.Lock()
_SIZED = ("-DBENCH_P=", "-DBENCH_S=")  # with one of these, the harness has a larger arena
_MACHINES = {  # by that folder
    "cortexm": "EM_ARM",
    "rv32": "EM_RISCV",
    "avr": "EM_AVR",
    "lx106": "EM_XTENSA",
}


def build(request: Request) -> Image:
    """Compiles and links an image in a scratch folder. Errors: BuildError, MissingToolError."""
    remove_left_behind(cache_dir())
    with _scratch() as folder:
        image = (_build_host if request.target.arch == "host" else _build_bare)(request, folder)
    every = (request.parts, *request.parts.beside)
    sources = [source for parts in every for source in parts.sources]
    if any(LIB not in source.parents for source in sources):
        from ecfit.build.fetch import check_compiled  # it loads what unpacks archives

        check_compiled(sources)
    return image


def build_assembly(tools: Toolchain, header: str, folder: Path) -> bytes:
    """All assembly functions of a configuration, linked alone in a folder
    of the caller's. Errors: BuildError.
    """
    return build_alone(tools, header, folder, ("ecfit_asm.S",))


def build_alone(
    tools: Toolchain, header: str, folder: Path, sources: Sequence[str], flags: Sequence[str] = ()
) -> bytes:
    """Sources of the library, linked without anything else in a folder of the caller's, where the
    object files stay. Errors: BuildError.
    """
    (folder / "ecfit_config.h").write_text(header, encoding="utf-8")
    includes = (f"-I{folder}", f"-I{LIB / 'include'}", f"-I{LIB / 'src'}")
    objects = [f"{Path(source).stem}.o" for source in sources]
    for source, name in zip(sources, objects, strict=True):
        command = [*tools.compile, *includes, *flags, "-c", str(LIB / "src" / source), "-o", name]
        toolchain.run(command, f"{source} alone", folder)
    (folder / "alone.ld").write_text(_ALONE, encoding="utf-8")
    link = ("-nostdlib", "-Wl,--no-gc-sections", "-T", "alone.ld", "-Wl,-e,0x100")
    command = [*tools.link, *flags, *link, *objects, "-o", "alone.elf"]
    toolchain.run(command, "the sources alone", folder)
    return (folder / "alone.elf").read_bytes()


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder of this process in the cache, locked while it is in use: a lock ends
    with its process, however that ends.
    """
    while True:
        folder = Path(tempfile.mkdtemp(prefix=f"{SCRATCH}{os.getpid()}-", dir=cache_dir()))
        with suppress(FileNotFoundError):  # another process was first to lock it, and removed it
            lock = os.open(folder, os.O_RDONLY)
            lock_file(lock, wait=True)
            if folder.exists():
                break
            os.close(lock)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


@cache
def remove_left_behind(cache: Path) -> None:
    """Removes, once, the scratch folders of processes that were killed: those that are locked
    by nobody, and whose process is not there.

    Neither alone would do: the cache may be shared with another machine, which counts processes by
    itself, and a number may be in use again.
    """
    for folder in cache.glob(f"{SCRATCH}*-*"):
        number = folder.name.removeprefix(SCRATCH).split("-")[0]
        if not number.isdecimal() or _runs(int(number)):
            continue
        with suppress(OSError):  # removed or locked meanwhile
            lock = os.open(folder, os.O_RDONLY)
            try:
                lock_file(lock, wait=False)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _runs(number: int) -> bool:
    """Whether there is such a process, or nobody may know."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def remove_scratch() -> None:
    """Removes what an interrupted process of ours leaves behind:
    its threads do not get to do it.
    """
    for folder in cache_dir().glob(f"{SCRATCH}{os.getpid()}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def _compile(request: Request, folder: Path) -> list[str]:
    """Object names: the library's, then the glue's
    (glue_*.o: the linker script knows them by that); then those of libraries beside it.
    """
    for name, text in request.parts.generated.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    objects = _compile_library(request, request.parts, request.glue, folder)
    for number, parts in enumerate(request.parts.beside):
        glue = parts.adapter, *parts.glue
        objects += _compile_library(request, parts, glue, folder, f"beside{number}_")
    return objects


def _compile_library(
    request: Request, parts: Parts, glue: Sequence[Path], folder: Path, mark: str = ""
) -> list[str]:
    """Object names of one library of an image; `mark`: in the names of those beside another."""
    library = parts.identity[0] if mark else request.configuration.library
    common = _command(request, parts, folder, own=library == OWN)
    what = f"{library} for {request.target.name}"
    objects = []
    for index, source in enumerate(parts.sources):
        objects.append(f"lib_{mark}{index}_{source.stem}.o")
        command = [*common, *parts.flags]
        header = parts.generated.get("ecfit_config.h", "")
        if source == ASSEMBLY and header:
            read = ASSEMBLED_BY.findall(header)
            _compile_once([*command, str(source)], repr(read).encode(), objects[-1], what, folder)
        else:
            toolchain.run([*command, "-c", str(source), "-o", objects[-1]], what, folder)
    roots = f"-DBENCH_OPS={','.join(f'bench_{op}' for op in request.ops)}"
    own = (parts.adapter, *parts.glue)  # which read the library's headers
    named = [f"-D{define}" for define in parts.glue_defines]
    sized = named if any(define.startswith(_SIZED) for define in named) else []
    bare = _command(request, msgspec.structs.replace(parts, include=(), defines=()), folder)
    for source in glue:
        objects.append(f"glue_{mark}{source.stem}.o")
        headers = [f"-I{FIRMWARE}", f"-I{request.glue[0].parent}"]
        words, macros = (common, named) if source in own else (bare, sized)
        command = [words[0], *headers, *words[1:], roots, *macros]
        command += (
            ["-fno-tree-loop-distribute-patterns"]
            if request.toolchain.name == "gcc"
            else ["-fno-builtin"]
        )
        if source in own:
            toolchain.run([*command, "-E", "-P", str(source), "-o", "glue.i"], what, folder)
            text = (folder / "glue.i").read_bytes()
        else:
            text = b"".join(path.read_bytes() for path in request.files if path not in own)
        _compile_once([*command, str(source)], text, objects[-1], what, folder)
    return objects


def _command(request: Request, parts: Parts, folder: Path, *, own: bool = False) -> list[str]:
    """How a library's sources and its adapter are compiled; `own`: a library of ours."""
    include = [f"-I{path}" for path in (folder, *parts.include)]
    macros = [f"-D{define}" for define in parts.defines]
    if own:  # what is asked for is measured, `ecfit ct` judges it
        macros.append("-DECFIT_ALLOW_VARIABLE_TIME_MULTIPLY")
        if request.target.fpu:  # floats are soft here
            macros.append(f"-D{FPU}")
    option = toolchain.prefix_map(request.toolchain)
    prefix = [f"{option}={path}=." for path in (ROOT, cache_dir(), folder)]
    debug = request.toolchain.debug if request.lines else ()
    return [*request.toolchain.compile, *debug, *prefix, *include, *macros]


def _compile_once(command: Sequence[str], text: bytes, name: str, what: str, folder: Path) -> None:
    """Compiles to an object of that name. Where this process has done so with the same flags and
    text, the folder gets a copy of that object and of its call graph.
    """
    key = digest([text, *(word for word in command if str(folder) not in word)])
    with _COMPILING:
        if key not in _COMPILED:
            toolchain.run([*command, "-c", "-o", name], what, folder)
            both = (folder / name, (folder / name).with_suffix(".ci"))
            _COMPILED[key] = {p.suffix: p.read_bytes() for p in both if p.exists()}
            return
    for suffix, data in _COMPILED[key].items():
        (folder / name).with_suffix(suffix).write_bytes(data)


def _build_bare(request: Request, folder: Path) -> Image:
    if request.target.arch in ("avr", "xtensa") and request.place == "ram":
        raise BuildError(f"code for {request.target.name} is run in flash alone: no PLACE=ram")
    objects = _compile(request, folder)
    script = (request.arch_folder / "image.ld.in").read_text(encoding="utf-8")
    for kind in ("flash", "ram"):
        memory = request.target.region(kind)
        script = script.replace(f"@{kind.upper()}_START@", hex(memory.start))
        script = script.replace(f"@{kind.upper()}_SIZE@", hex(memory.size))
    harness = 'REGION_ALIAS("HARNESS", RAM);'
    for memory in request.target.memory:
        if memory.name == NOT_ON_CHIP:
            script = script.replace("@HARNESS_START@", hex(memory.start))
            script = script.replace("@HARNESS_SIZE@", hex(memory.size))
            origin, length = hex(memory.start), hex(memory.size)
            harness = f"MEMORY {{ HARNESS (rw) : ORIGIN = {origin}, LENGTH = {length} }}"
            script = script.replace("image_stack_limit = .;", "image_stack_limit = image_bss_end;")
    script = script.replace("@HARNESS@", harness)
    bank = request.target.stack_bank
    if bank != request.target.region("ram"):
        top = "ORIGIN(RAM) + LENGTH(RAM)"
        script = script.replace("image_stack_limit = .;", f"image_stack_limit = {bank.start:#x};")
        script = script.replace(f"_top = {top};", f"_top = {bank.start + bank.size:#x};")
    script = script.replace("@CODE@", _CODE[request.place])
    (folder / "image.ld").write_text(script, encoding="utf-8")
    data, map_text = _link(request, folder, objects)
    graphs = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.ci"))]
    return read_image(request, data, map_text, graphs)


def _link(request: Request, folder: Path, objects: Sequence[str]) -> tuple[bytes, str]:
    """The image and the linker's map. Errors: BuildError."""
    what = f"{request.configuration.library} for {request.target.name}"
    roots = [f"-Wl,-u,{name}" for name in request.parts.roots]
    command = [
        *request.toolchain.link,
        "-Timage.ld",
        "-Wl,-Map=image.map",
        *roots,
        *objects,
        *request.parts.link,
        "-o",
        "image.elf",
    ]
    toolchain.run(command, what, folder)
    try:
        return (
            (folder / "image.elf").read_bytes(),
            (folder / "image.map").read_text(encoding="utf-8"),
        )
    except (OSError, UnicodeDecodeError) as error:
        raise BuildError(f"{what}: the linker left no image: {error}") from None


def build_for_each(request: Request) -> tuple[Image, dict[int, int]]:
    """The image of a bare chip, and its bytes by the operations that reach them: bit i of a number
    is operation i of the request. The same objects are linked with each operation alone.
    Errors: BuildError, MissingToolError.
    """
    with _scratch() as folder:
        image = _build_bare(request, folder)
        objects = [path.name for path in sorted(folder.glob("*.o"))]
        main = FIRMWARE / "bench_main.c"
        reached: dict[tuple[str, str], tuple[int, int]] = {}
        for number, op in enumerate(request.ops):
            roots = tuple(
                root
                for root in request.parts.roots
                if root not in map(set_up_point, request.ops) or root == set_up_point(op)
            )
            parts = msgspec.structs.replace(request.parts, sources=(), roots=roots)
            alone = msgspec.structs.replace(request, ops=(op,), parts=parts)
            _compile_library(alone, parts, (main,), folder)
            for section, size in section_bytes(_link(alone, folder, objects)[1]).items():
                before, _ = reached.get(section, (0, 0))
                reached[section] = before | 1 << number, size
    by: dict[int, int] = {}
    for operations, size in reached.values():
        by[operations] = by.get(operations, 0) + size
    return image, by


def source_text(request: Request) -> str:
    """The digest of the library's preprocessed sources: equal texts make equal objects.
    Errors: BuildError, MissingToolError.
    """
    with _scratch() as folder:
        for name, text in request.parts.generated.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        texts = []
        for source in request.parts.sources:
            command = [*_command(request, request.parts, folder, own=True), "-E", "-P", str(source)]
            toolchain.run([*command, "-o", "source.i"], "ecfit", folder)
            texts.append((folder / "source.i").read_bytes())
    return digest([request.parts.adapter.name, *texts])


def read_image(request: Request, data: bytes, map_text: str, graphs: Sequence[str] = ()) -> Image:
    """The image in what the linker made, with the compiler's call graphs.

    Errors: BuildError when it is damaged, or not one of this bench.
    """
    machine = _MACHINES[FOLDERS[request.target.arch]]
    elf = Elf(data, machine, debug=request.lines)
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
        origins=_origins(map_text),
        lines=elf.lines,
        public_at=elf.public_at,
        frames=stackbound.frames(graphs, elf, request.target.arch),
    )


def _origins(map_text: str) -> dict[str, int]:
    """Bytes by source: `lib_3_ssl_tls.o` is ssl_tls, an archive its own name."""
    bytes_of: dict[str, int] = {}
    for name, size in object_bytes(map_text).items():
        last = PurePosixPath(name.split("(")[0]).name
        source = re.sub(r"^(?:lib_(?:beside\d+_)?\d+|glue(?:_beside\d+)?)_(.*)\.o$", r"\1", last)
        bytes_of[source] = bytes_of.get(source, 0) + size
    return bytes_of


def _build_host(request: Request, folder: Path) -> Image:
    objects = _compile(request, folder)
    what = f"{request.configuration.library} for {request.target.name}"
    exported = "".join(
        f" {name};"
        for name in (
            *("bench_batch", "bench_heap", "bench_set_up", "bench_version"),
            *(f"bench_{op}" for op in request.ops),
            *map(set_up_point, request.ops),
        )
    )
    (folder / "image.map").write_text(f"{{ global:{exported} local: *; }};\n", encoding="utf-8")
    toolchain.run(
        [*request.toolchain.link, *objects, *request.parts.link, "-o", "image.so"], what, folder
    )
    return Image(request.key, (Segment(0, (folder / "image.so").read_bytes()),))


def sizes(image: Image, null: Image, place: Place = "flash") -> Sizes:
    """Bytes that the library adds to an empty image. Code that runs in RAM counts there too."""
    if not image.sections:
        return Sizes()
    own, empty = image.sections, null.sections
    code_in_ram = own[".text"] - empty[".text"] if place == "ram" else 0
    return Sizes(
        flash_bytes=own[".text"] + own[".data"] - empty[".text"] - empty[".data"],
        foreign_bytes=image.foreign - null.foreign,
        static_ram_bytes=own[".data"] + own[".bss"] - empty[".data"] - empty[".bss"] + code_in_ram,
    )
