"""The library linked whole for a core: every function, so that each name that is used must exist.

No simulator and no harness: the question is whether a configuration compiles and links.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ecfit.build import combs
from ecfit.build.parts import NO_ASSEMBLY
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, OPS
from ecfit.model import Configuration
from workshop.paths import INCLUDE, SRC

SECONDS = 300
CALLERS = {  # hashes that the caller may owe
    "SHA256": ("ecfit_sha256(uint8_t digest[32]",),
    "SHA512": ("ecfit_sha384(uint8_t digest[48]", "ecfit_sha512(uint8_t digest[64]"),
    "SHAKE256": ("ecfit_shake256(uint8_t *digest, size_t size",),
}
WARNINGS = ("-Wall", "-Wextra", "-Werror")


class Core(NamedTuple):
    """A core for one back end: the compiler and what links, with their options."""

    gcc: tuple[str, ...]
    clang: tuple[str, ...]
    link: tuple[str, ...] = ()


def _arm(cpu: str) -> Core:
    options = (f"-mcpu={cpu}", "-mthumb")
    clang = ("clang", "--target=arm-none-eabi", *options, "-ffreestanding")
    return Core(("arm-none-eabi-gcc", *options), clang)


_RISCV = ("-march=rv32imc", "-mabi=ilp32")
CORES = {
    "armv6m": _arm("cortex-m0plus"),
    "armv7m": _arm("cortex-m3"),
    "armv7em": _arm("cortex-m4"),
    "rv32im": Core(
        ("riscv64-unknown-elf-gcc", *_RISCV, "-ffreestanding"),
        ("clang", "--target=riscv32-unknown-elf", *_RISCV, "-ffreestanding"),
        # picolibc's own linker script has 64 KiB of flash and 8 KiB of RAM.
        (
            "--specs=picolibc.specs",
            "-Wl,--defsym=__flash_size=0x800000,--defsym=__ram_size=0x100000",
        ),
    ),
    "w32m16": _arm("cortex-m3"),
    "w32": _arm("cortex-m33"),
    "w64": Core(("gcc",), ("clang",)),
    "w16": _arm("cortex-m0"),
    "w8": Core(("avr-gcc", "-mmcu=atmega2560"), ()),
    "avr": Core(("avr-gcc", "-mmcu=atmega2560"), ()),
}


def configurations(
    curves: Sequence[str], preset: str, backend: str, sets: Mapping[str, str] | None = None
) -> dict[str, Configuration]:
    """Each curve as `ecfit config` makes it for a preset. Errors: UsageError."""
    small = {"REDUCE": "mont"} if backend in {"w8", "w16"} else {}  # no sparse form in these
    return {
        curve: knobs.resolve(
            CURVES[curve],
            preset,
            {**(small if knobs.find_slot(curve).family == "weierstrass" else {}), **(sets or {})},
            backend,
        )
        for curve in curves
    }


def written(folder: Path, found: Mapping[str, Configuration]) -> str:
    """Writes the configuration header, and tables that lib/src lacks; returns the header."""
    first, *rest = found
    header = knobs.header(found[first], [first], OPS, more={name: found[name] for name in rest})
    files = {"ecfit_config.h": header}
    for curve, configuration in found.items():
        files |= combs.missing_tables(curve, dict(configuration.settings))
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return header


def said(
    folder: Path,
    backend: str,
    header: str,
    options: Sequence[str],
    *,
    clang: bool = False,
    library: Path = SRC,
) -> str:
    """What compiler and linker say of all functions of a configuration; empty: it links.

    `library`: the folder of ecfit.c, beside whose files the header's are in `folder`.
    """
    core = CORES[backend]
    compiler = core.clang if clang else core.gcc
    for program in (compiler[0], core.gcc[0]):
        assert shutil.which(program), f"{program} is missing: tools/setup.sh test installs it"
    sources = [library / "ecfit.c"]
    if NO_ASSEMBLY not in header:
        sources.append(library / "ecfit_asm.S")
    owed = [
        f"void {function}, const ecfit_bytes *pieces, size_t count);\n"
        f"void {function}, const ecfit_bytes *pieces, size_t count)\n"
        "{\n    (void)digest, (void)pieces, (void)count;\n"
        f"{'    (void)size;' if 'size_t size' in function else ''}\n}}\n"
        for name, functions in CALLERS.items()
        for function in functions
        if f"#define ECFIT_{name}_IS_CALLER 1" in header
    ]
    if owed:
        sources.append(folder / "callers.c")
        text = '#include "ecfit.h"\n' + "".join(owed)
        sources[-1].write_text(text, encoding="utf-8")
    folders = (folder, INCLUDE, SRC) if library == SRC else (folder,)
    include = [f"-I{path}" for path in folders]
    objects = []
    for source in sources:
        target = folder / f"{source.stem}.{compiler[0]}.{library == SRC}.o"
        if source.suffix == ".S" and library == SRC and target.exists():
            objects.append(str(target))  # a folder is for one back end
            continue
        own = [option for option in options if not option.startswith("-Wl,")]
        command = [*compiler, "-std=c11", *WARNINGS, *own, *include, "-c", str(source)]
        found = _run([*command, "-o", str(target)])
        if found:
            return found
        objects.append(str(target))
    linker = compiler if backend == "w64" else core.gcc
    link = [*linker, *core.link, *options, "-nostartfiles", "-Wl,-e,0"]
    found = _run([*link, *objects, "-o", str(folder / "whole.elf"), "-lc", "-lgcc"])
    ours = [
        line
        for line in found.splitlines()
        if ".note.GNU-stack" not in line or str(folder) in line  # libgcc has none
    ]
    return "" if all("NOTE: " in line for line in ours) else "\n".join(ours)


def functions(folder: Path, backend: str) -> list[str]:
    """The public functions of the library that `said` compiled last in a folder."""
    compiler = CORES[backend].gcc[0]
    nm = compiler.removesuffix("gcc") + "nm"
    done = subprocess.run(
        [nm, "-g", "--defined-only", str(folder / f"ecfit.{compiler}.True.o")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [line.split()[-1] for line in done.stdout.splitlines() if " T " in line]


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0 or done.stderr, command
    return done.stderr
