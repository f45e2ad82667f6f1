#!/usr/bin/env python3
"""Compile the archives by which the crate `ecfit-sys` needs no C compiler.

tools/packages/archives.py FOLDER    FOLDER/TARGET/PRESET/libecfit_CURVE.a, and SHA256SUMS of them

`make release` puts them into the crate; they are not in the repository. Each archive has one object
with the functions of its curve and of hashes. All others are local, so archives stand beside each
other in a program. The same sources and compilers make the same bytes.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PRESETS = ("tiny", "balanced")
CURVES = ("secp256r1", "x25519", "ed25519")


class Target(NamedTuple):
    """Tools, flags and back end of a target of Rust: those of packages/rust/ecfit-sys/build.rs."""

    prefix: str
    flags: str
    backend: str


def _arm(flags: str, backend: str) -> Target:
    return Target("arm-none-eabi-", f"-mthumb {flags}", backend)


TARGETS = {
    "thumbv6m-none-eabi": _arm("-mcpu=cortex-m0 -mfloat-abi=soft", "armv6m"),
    "thumbv7m-none-eabi": _arm("-mcpu=cortex-m3 -mfloat-abi=soft", "armv6m"),
    "thumbv7em-none-eabi": _arm("-mcpu=cortex-m4 -mfloat-abi=soft", "armv7em"),
    "thumbv7em-none-eabihf": _arm("-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard", "armv7em"),
    "thumbv8m.base-none-eabi": _arm("-mcpu=cortex-m23 -mfloat-abi=soft", ""),
    "thumbv8m.main-none-eabi": _arm("-mcpu=cortex-m33 -mfloat-abi=soft", "armv7em"),
    "thumbv8m.main-none-eabihf": _arm(
        "-mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard", "armv7em"
    ),
    "riscv32imc-unknown-none-elf": Target(
        "riscv64-unknown-elf-", "-march=rv32imc -mabi=ilp32 -mcmodel=medlow", "rv32im"
    ),
}


def archive(target: str, preset: str, curve: str) -> bytes:
    """One of them. Errors: OSError, CalledProcessError."""
    prefix, flags, backend = TARGETS[target]
    symbols = [f"PRESET_{preset}", curve, *([f"BACKEND_{backend}"] if backend else [])]
    include = [ROOT / "packages/include", ROOT / "lib/include", ROOT / "lib/src"]
    emulation = ["-m", "elf32lriscv"] if "riscv" in prefix else []
    with tempfile.TemporaryDirectory(prefix="ecfit-archive-") as name:
        folder = Path(name)

        def run(tool: str, *words: str) -> str:
            return subprocess.run(
                [prefix + tool, *words], cwd=folder, check=True, capture_output=True, text=True
            ).stdout

        run("gcc", *flags.split(), "-Os", "-std=c99", "-ffreestanding", "-ffunction-sections",
            "-fdata-sections", *(f"-DCONFIG_ECFIT_{symbol.upper()}=1" for symbol in symbols),
            *(f"-I{one}" for one in include), "-c", str(ROOT / "lib/src/ecfit.c"),
            str(ROOT / "lib/src/ecfit_asm.S"))  # fmt: skip
        offered = run("nm", "-g", "--defined-only", "ecfit.o").split()[2::3]
        hashes = [one for one in offered if not one.startswith(f"ecfit_{curve}")]
        run("ld", *emulation, "-r", "--gc-sections", *(f"-u{one}" for one in offered), "ecfit.o",
            "ecfit_asm.o", "-o", "whole.o")  # fmt: skip
        run("objcopy", "--strip-unneeded", *(f"--keep-global-symbol={one}" for one in offered),
            *(f"--weaken-symbol={one}" for one in hashes), "whole.o", f"{curve}.o")  # fmt: skip
        run("ar", "rcD", "archive.a", f"{curve}.o")
        return (folder / "archive.a").read_bytes()


def write(folder: Path) -> int:
    """All of them, with their checksums. Returns their bytes."""
    sums, size = "", 0
    for target in TARGETS:
        for preset in PRESETS:
            for curve in CURVES:
                name = f"{target}/{preset}/libecfit_{curve}.a"
                data = archive(target, preset, curve)
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
                sums += f"{hashlib.sha256(data).hexdigest()}  {name}\n"
                size += len(data)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    return size


def main() -> None:
    """Command line."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: archives.py FOLDER")
    try:
        print(f"archives: {write(Path(sys.argv[1])):,} bytes")
    except subprocess.CalledProcessError as error:
        sys.exit(f"archives.py: error: {error.cmd[0]}: {error.stderr.strip()}")
    except OSError as error:
        sys.exit(f"archives.py: error: {error}")


if __name__ == "__main__":
    main()
