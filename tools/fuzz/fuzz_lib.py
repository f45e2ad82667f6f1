#!/usr/bin/env python3
"""Build a fuzz target of the library, lib/test/fuzz/NAME.c, with all curves and functions in it;
print where it is.

tools/fuzz/fuzz_lib.py NAME [--break OLD NEW]    the latter replaces a text in lib/src first: does
                                                 the target find it?

The compiler is clang, with libFuzzer, the address and the undefined-behaviour sanitizer;
the oracle is OpenSSL's libcrypto. Exit code 3: one of them is missing.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.paths import LIB, cache_dir

FUZZ = LIB / "test" / "fuzz"
TARGETS = sorted(path.stem for path in FUZZ.glob("*.c"))
SETTINGS = {
    "BACKEND": "w64",
    "DER": "strict",
    "RESUME": "steps",
    "VERIFY": "hardened",
    "WORK": "caller",
}
ALL_EDDSA = {"BACKEND": "w64", "SIGN": "eddsa_all", "VERIFY": "eddsa_all"}
CFLAGS = ["-std=c11", "-g1", "-Wall", "-Wextra", "-Werror", "-DOPENSSL_SUPPRESS_DEPRECATED"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
COMPILE_SECONDS = 600
MISSING = 3


def digest(*parts: object) -> str:
    """Names a folder of the cache."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def contents(folder: Path) -> list[tuple[str, bytes]]:
    """All C files below a folder."""
    return [
        (str(path.relative_to(folder)), path.read_bytes())
        for path in sorted(folder.rglob("*.[chi]*"))
    ]


def compile_to(target: Path, arguments: list[str]) -> None:
    """Runs clang; no other process sees half a file. Exits with the compiler's words."""
    partial = target.with_name(f"{target.name}.{os.getpid()}")
    command = ["clang", *arguments, "-o", str(partial)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False
    )
    if done.returncode:
        missing = "fatal error: 'openssl/" in done.stderr
        hint = "fuzz: OpenSSL's headers are missing: install libssl-dev\n" if missing else ""
        sys.stderr.write(hint or done.stderr)
        sys.exit(MISSING if missing else 1)
    partial.replace(target)


def header() -> str:
    """Configuration with all curves."""
    configuration = knobs.resolve(CURVES["secp256r1"], "balanced", SETTINGS, "w64")
    edwards = [slot.name for slot in knobs.curve_slots() if slot.family == "edwards"]
    others = [slot.name for slot in knobs.curve_slots() if slot.name not in edwards]
    more = {name: knobs.resolve(CURVES[name], "balanced", ALL_EDDSA, "w64") for name in edwards}
    return knobs.header(configuration, others, more=more)


def library(src: Path, include: Path, opt: str) -> Path:
    """The object of the library with the sanitizers, from the cache or compiled."""
    text = header()
    folder = (
        cache_dir() / "fuzz" / digest(contents(src), contents(include), text, CFLAGS, SANITIZE, opt)
    )
    target = folder / "ecfit.o"
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ecfit_config.h").write_text(text, encoding="utf-8")
        includes = [f"-I{path}" for path in (folder, include, src)]
        flags = [*CFLAGS, opt, *SANITIZE, "-fsanitize=fuzzer-no-link", *includes]
        compile_to(target, [*flags, "-c", str(src / "ecfit.c")])
    return target


def program(name: str, src: Path, opt: str = "-O2") -> Path:
    """The fuzz target, from the cache or compiled."""
    include = LIB / "include"
    built = library(src, include, opt)
    target = built.parent / f"{name}-{digest(contents(FUZZ))}"
    if not target.exists():
        flags = [
            *CFLAGS,
            "-O1",
            "-Wno-unused-function",
            "-Wno-unused-const-variable",
            *SANITIZE,
            "-fsanitize=fuzzer",
        ]
        sources = [str(FUZZ / f"{name}.c"), str(built), f"-I{include}"]
        compile_to(target, [*flags, *sources, "-lcrypto"])
    return target


def broken(old: str, new: str) -> Path:
    """A copy of lib/src with a text replaced, which must occur once. Exits when it does not."""
    copy = cache_dir() / "fuzz" / f"broken-{digest(contents(LIB / 'src'), old, new)}"
    shutil.copytree(LIB / "src", copy, dirs_exist_ok=True)
    found = [
        path for path in (LIB / "src").rglob("*.inc") if old in path.read_text(encoding="utf-8")
    ]
    if len(found) != 1:
        sys.exit(f"fuzz: {old!r} stands in {len(found)} files, not in one")
    text = found[0].read_text(encoding="utf-8").replace(old, new)
    (copy / found[0].relative_to(LIB / "src")).write_text(text, encoding="utf-8")
    return copy


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Build a fuzz target of the library.")
    parser.add_argument("name", choices=TARGETS)
    parser.add_argument(
        "--break", dest="change", nargs=2, metavar=("OLD", "NEW"), help="plant a bug"
    )
    options = parser.parse_args()
    if shutil.which("clang") is None:
        sys.stderr.write("fuzz: clang is missing: install it\n")
        sys.exit(MISSING)
    if options.change:  # found soon, if at all: compiled in less time
        path = program(options.name, broken(*options.change), "-O0")
    else:
        path = program(options.name, LIB / "src")
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
