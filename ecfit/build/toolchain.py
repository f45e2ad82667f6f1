"""Compilers: found, asked for their version, started. No other module starts one.

Flags are the same for every library, so that figures compare;
they are part of the content key of an image.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ecfit.errors import BuildError, MissingToolError, UsageError, unknown_name
from ecfit.model import Toolchain

TOOLCHAINS = ("gcc", "clang")
OPTS = ("Os", "O2", "O3")
TIMEOUT = 300  # seconds for one compiler run

_PACKAGES = {
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    "riscv64-unknown-elf-gcc": "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf",
    "avr-gcc": "gcc-avr avr-libc",
    "xtensa-lx106-elf-gcc": "gcc-xtensa-lx106 picolibc-xtensa-lx106-elf",
    "clang": "clang",
    "gcc": "gcc",
}
_SET_UP = {"arm-none-eabi-gcc": ", or run 'make setup'"}  # which installs what the usual chips need
_COMMON = (
    "-std=c11",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-common",
    "-fomit-frame-pointer",
)
# The compiler's libraries for rv32imc are those for rv32im:
# code that comes from them is not compressed.
CALL_GRAPH = "-fcallgraph-info=su,da"  # beside each object, NAME.ci: ecfit.build.stackbound
_RV32 = ("-march=rv32imc", "-mabi=ilp32")
RV32_BITS = "rv32imac_zba_zbb_zbs_zbkb_zca_zcb_zcmp"  # of a core with `bits` in its model
_CPU = {
    "cortex-m0": ("-mcpu=cortex-m0", "-mthumb"),
    "cortex-m0plus": ("-mcpu=cortex-m0plus", "-mthumb"),
    "cortex-m3": ("-mcpu=cortex-m3", "-mthumb"),
    "cortex-m4": ("-mcpu=cortex-m4", "-mthumb"),
    "cortex-m7": ("-mcpu=cortex-m7", "-mthumb"),
    "cortex-m33": ("-mcpu=cortex-m33", "-mthumb"),
    "ibex": _RV32,
    "cv32e40p": _RV32,
    "hazard3": _RV32,
    "esp32-c3": _RV32,
    "qingke-v2": ("-march=rv32ec", "-mabi=ilp32e"),
    "avr5": ("-mmcu=avr5",),
    "avr51": ("-mmcu=avr51",),
    "avr6": ("-mmcu=avr6",),
    # As the chip's SDKs have them: with -g the assembler writes other code, 2 to 10 % larger.
    "lx106": ("-mlongcalls", "-mtext-section-literals", "-g"),
    "host": ("-fPIC",),
}
# What a compiler from such a version on compiles for a core; older ones do not know all of it.
_NEWER = {"hazard3": (14, (f"-march={RV32_BITS}", "-mabi=ilp32"))}
# Where another compiler's linker links. Debug information of DWARF 5 has relocations, written by
# clang since 17 and GNU as since 2.41, at which older linkers of RISC-V end with a fault.
_OTHERS_DEBUG = {"rv32": ("-gdwarf-4",)}
# -n: no padding to pages, which would make the file's own headers part of the image.
_LINK = ("-nostartfiles", "-Wl,--gc-sections", "-Wl,--build-id=none", "-Wl,-n")
# image.map names the operations of the image; the linker drops what they do not need.
_LINK_HOST = (
    "-shared",
    "-Wl,--gc-sections",
    "-Wl,--build-id=none",
    "-Wl,-z,defs",
    "-Wl,--version-script=image.map",
)
_CLANG_TARGET = {
    "cortex-m0": "thumbv6m-none-eabi",
    "cortex-m0plus": "thumbv6m-none-eabi",
    "cortex-m3": "thumbv7m-none-eabi",
    "cortex-m4": "thumbv7em-none-eabi",
    "cortex-m7": "thumbv7em-none-eabi",
    "cortex-m33": "thumbv8m.main-none-eabi",
    "ibex": "riscv32-unknown-elf",
    "cv32e40p": "riscv32-unknown-elf",
    "hazard3": "riscv32-unknown-elf",
    "esp32-c3": "riscv32-unknown-elf",
}


class _Cross(NamedTuple):
    """A cross compiler and its C library, which `specs` chooses (`compile`: where the headers
    are not found without), and what else it is asked for when it compiles.

    `mark` is a header of its own, `archive` its code, `package` the distribution's name of it.
    """

    gcc: str
    specs: str
    compile: tuple[str, ...]
    mark: str
    archive: str
    package: str
    machine: str  # how the machine begins that it compiles for, as it says itself


_ARM = _Cross(
    "arm-none-eabi-gcc",
    "nano.specs",
    (),
    "_newlib_version.h",
    "libc_nano.a",
    "libnewlib-arm-none-eabi",
    "arm",
)
_RISC_V = _Cross(
    "riscv64-unknown-elf-gcc",
    "picolibc.specs",
    ("--specs=picolibc.specs",),
    "picolibc.h",
    "libc.a",
    "picolibc-riscv64-unknown-elf",
    "riscv",
)
_AVR = _Cross("avr-gcc", "", (), "avr/io.h", "libc.a", "avr-libc", "avr")
_XTENSA = _Cross(
    "xtensa-lx106-elf-gcc",
    "",
    (),
    "picolibc.h",
    "libc.a",
    "picolibc-xtensa-lx106-elf",
    "xtensa",
)
_CROSS = {"armv6m": _ARM, "armv7m": _ARM, "rv32": _RISC_V, "avr": _AVR, "xtensa": _XTENSA}


def _which(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise MissingToolError(
            f"{program} not found: install the package {_PACKAGES[program]}"
            f"{_SET_UP.get(program, '')}"
        )
    return path


def _ask(*command: str) -> str:
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=30, input="", check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingToolError(f"{command[0]} does not run: {error}") from None
    if answer.returncode:
        raise MissingToolError(f"{command[0]} does not run: {_first_line(answer.stderr)}")
    return answer.stdout + answer.stderr


def _named(path: str, machine: str) -> str:
    """A compiler that was named by its path, which compiles for that kind of machine.
    Errors: UsageError.
    """
    if not Path(path).is_file() or not os.access(path, os.X_OK):
        raise UsageError(f"--cc {path}: there is no program of that name")
    try:
        triple = _ask(path, "-dumpmachine").strip()
    except MissingToolError as error:
        raise UsageError(f"--cc {path}: {error}") from None
    if not triple.startswith(machine):
        raise UsageError(f"--cc {path} compiles for {triple}, not for {machine}")
    return str(Path(path).resolve())


@cache
def _identity(path: str, *, named: bool = False) -> tuple[str, str]:
    """Version of a compiler as x.y.z, and what it says of itself (part of the content key):
    its line, and of one that was named the hash of its code, since two may say the same.
    """
    line = (_ask(path, "--version").splitlines() or [""])[0]
    version = re.search(r"\d+\.\d+\.\d+", line)
    identity = f"{line} {_code(path)}" if named else line
    return (version.group() if version else "unknown"), identity


def _code(path: str) -> str:
    """The hash of a compiler: of the program, and of the one that it starts for C, if there is."""
    inner = Path(_ask(path, "-print-prog-name=cc1").strip())
    files = [Path(path), *([inner] if inner.is_file() else [])]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _specs(cross: _Cross) -> tuple[str, ...]:
    return (f"--specs={cross.specs}",) if cross.specs else ()


@cache
def _c_library(cross: _Cross, gcc: str, cpu: tuple[str, ...]) -> tuple[str, str]:
    """Include folder of the cross compiler's C library, and the hash of its code for a core."""
    missing = MissingToolError(
        f"the C library was not found: install the package {cross.package}"
        f"{_SET_UP.get(cross.gcc, '')}"
    )
    try:
        output = _ask(gcc, *_specs(cross), "-xc", "-E", "-v", "-")
    except MissingToolError:
        raise missing from None
    listing = output.split("search starts here:")[-1].split("End of search")[0]
    folders = [path for path in map(Path, listing.split()) if (path / cross.mark).exists()]
    variant = _ask(gcc, *cpu, "-print-multi-directory").strip()
    if not folders:
        raise missing
    library = folders[0].parent / "lib" / variant / cross.archive
    if not library.is_file():
        library = Path(_ask(gcc, *cpu, f"-print-file-name={cross.archive}").strip())
    if not library.is_file():
        raise missing
    return str(folders[0].resolve()), hashlib.sha256(library.read_bytes()).hexdigest()


@cache
def find_toolchain(name: str, arch: str, core: str, opt: str, cc: str | None = None) -> Toolchain:
    """The toolchain `name` for an architecture and core; `cc` is the path of its compiler,
    where it is another than that on the path of commands. Errors: UsageError, MissingToolError.
    """
    if name not in TOOLCHAINS:
        raise unknown_name("toolchain", name, TOOLCHAINS)
    if opt not in OPTS:
        raise unknown_name("optimisation", opt, OPTS)
    flags = (*_CPU[core], f"-{opt}", *_COMMON)
    if arch == "host":
        path = _named(cc, "") if cc else _which(name)
        version, line = _identity(path, named=bool(cc))
        return Toolchain(name, (path, *flags), (path, *_LINK_HOST), version, opt, line)
    cross = _CROSS[arch]
    named = _named(cc, cross.machine) if cc and name == "gcc" else None
    gcc, headers, debug = named or _which(cross.gcc), cross.compile, ("-g",)
    version, gcc_line = _identity(gcc, named=named is not None)
    try:
        include, libc = _c_library(cross, gcc, _CPU[core])
    except MissingToolError:
        if named is None:
            raise
        # Packages of compilers often have no C library: then that of the usual one, which links.
        gcc = _which(cross.gcc)
        include, libc = _c_library(cross, gcc, _CPU[core])
        headers, debug = ("-isystem", include), _OTHERS_DEBUG.get(arch, debug)
        libc = f"{_identity(gcc)[1]} {libc}"
    link = (gcc, *_CPU[core], *_specs(cross), *_LINK)
    if name == "gcc":
        graph = (CALL_GRAPH,) if _writes_call_graphs(version) else ()
        since, newer = _NEWER.get(core, (math.inf, ()))
        flags = (*(newer if _major(version) >= since else _CPU[core]), *flags[len(_CPU[core]) :])
        compiler = (named or gcc, *headers, *flags, *graph)
        return Toolchain(name, compiler, link, version, opt, f"{gcc_line} {libc}", debug)
    if core not in _CLANG_TARGET:
        raise UsageError(f"--toolchain clang: for {core} there is {cross.gcc} alone")
    clang = _named(cc, "") if cc else _which("clang")
    version, line = _identity(clang, named=bool(cc))
    target = f"--target={_CLANG_TARGET[core]}"
    compiler, debug = (clang, target, "-isystem", include, *flags), _OTHERS_DEBUG.get(arch, debug)
    return Toolchain(name, compiler, link, version, opt, f"{line} {gcc_line} {libc}", debug)


def _writes_call_graphs(version: str) -> bool:
    """GCC since 10, which distributions do not have for every machine."""
    return _major(version) >= 10


def prefix_map(toolchain: Toolchain) -> str:
    """The option that takes folders of this machine out of what is compiled: of names in code too,
    where the compiler (GCC since 8) can do that.
    """
    old = toolchain.name == "gcc" and _major(toolchain.version) < 8
    return "-fdebug-prefix-map" if old else "-ffile-prefix-map"


def _major(version: str) -> int:
    """The first number of a version; of one that is not known, a high one."""
    first = version.partition(".")[0]
    return int(first) if first.isdecimal() else 99


def cpu_flags(arch: str, core: str) -> tuple[str, tuple[str, ...]]:
    """The usual compiler of an architecture, by name, and its flags for a core."""
    return ("cc" if arch == "host" else _CROSS[arch].gcc), _CPU[core] if arch != "host" else ()


def line_flags(arch: str, core: str) -> tuple[str, tuple[str, ...]]:
    """The same for a line that a user types, with what finds the headers of the C library."""
    compiler, flags = cpu_flags(arch, core)
    return compiler, (*(_CROSS[arch].compile if arch != "host" else ()), *flags)


def usual_flags(core: str, opt: str) -> tuple[str, ...]:
    """The flags that every library is compiled with for a core."""
    return (*_CPU[core], f"-{opt}", *_COMMON)


def _first_line(text: str) -> str:
    """The line of a compiler's output that names the reason, without its path."""
    too_large = re.search(r"region `(\w+)' overflowed by (\d+) bytes", text)
    if too_large:
        return f"too large: {too_large[2]} bytes more than there are of {too_large[1]}"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [
        line
        for line in lines
        if re.search(r"error|undefined reference|overflowed|cannot find", line, re.I)
    ]
    line = (telling or lines or ["no message"])[0]
    return re.sub(r"^/\S*/", "", line)[:200]


def run(command: Sequence[str], what: str, folder: Path | None = None) -> str:
    """Starts a compiler in `folder`: its output. Errors: BuildError with `what` and the telling
    line of its messages.
    """
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    except OSError as error:
        raise MissingToolError(f"{command[0]} does not run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise BuildError(f"{what}: the compiler did not end within {TIMEOUT} s") from None
    if done.returncode:
        raise BuildError(f"{what}: {_first_line(done.stderr)}")
    return done.stdout


def _binutils(arch: str, name: str) -> str:
    """The path of a program of the cross compiler's binutils. Errors: MissingToolError."""
    gcc = _CROSS[arch].gcc
    path = shutil.which(gcc.removesuffix("gcc") + name)
    if path is None:
        raise MissingToolError(
            f"{gcc.removesuffix('gcc')}{name} not found: install {_PACKAGES[gcc]}"
        )
    return path


def symbols(arch: str, path: Path) -> list[str]:
    """The names that an object or an archive defines, thin ones and those of GCC's LTO too.
    Errors: MissingToolError, BuildError.
    """
    command = [_binutils(arch, "gcc-nm"), "--defined-only", "-P", str(path)]
    lines = run(command, f"reading {path}").splitlines()
    return [line.split()[0] for line in lines if " " in line]


def exported(arch: str, path: Path, names: Sequence[str], folder: Path) -> Path:
    """A copy in `folder` of an object or archive, whose static functions of these names others can
    name. Errors: MissingToolError, BuildError.
    """
    options = (f"--globalize-symbol={name}" for name in names)
    command = [_binutils(arch, "objcopy"), *options, str(path), str(folder / path.name)]
    run(command, f"copying {path}", folder)
    return folder / path.name


def demangled(arch: str, names: Sequence[str]) -> dict[str, str]:
    """How C++ and Rust write the names that their compilers encoded; without binutils, none."""
    encoded = [name for name in names if name.startswith(("_Z", "_R"))]
    program = shutil.which(_CROSS[arch].gcc.removesuffix("gcc") + "c++filt")
    if not encoded or program is None:
        return {}
    text = subprocess.run(
        [program], input="\n".join(encoded), capture_output=True, text=True, timeout=TIMEOUT,
        check=False,
    ).stdout  # fmt: skip
    return {a: b for a, b in zip(encoded, text.splitlines(), strict=False) if a != b}


def libraries(arch: str, core: str) -> tuple[str, ...]:
    """The libraries that an object of C or C++ may need beside that of C, and that are there: by
    their paths, because nano.specs puts a C++ library that cannot throw in the other's place.
    """
    cross = _CROSS[arch]
    gcc = (_which(cross.gcc), *_CPU[core], *_specs(cross))
    names = (f"-print-file-name=lib{name}.a" for name in ("stdc++", "m", "nosys"))
    paths = (_ask(*gcc, name).strip() for name in names)
    return tuple(path for path in paths if Path(path).is_absolute())


def cxx_package(arch: str) -> str:
    """The distribution's package of the C++ library for an architecture; "" where it has none."""
    return "libstdc++-arm-none-eabi-newlib" if _CROSS[arch] is _ARM else ""


def flags_key(toolchain: Toolchain) -> list[str]:
    """The properties of a toolchain that decide its output, without paths: part of the content
    key.
    """
    flags = [
        flag
        for command in (toolchain.compile, toolchain.link)
        for flag in command
        if not flag.startswith("/")
    ]
    return [toolchain.name, toolchain.identity, *flags]
