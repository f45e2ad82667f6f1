#!/usr/bin/env python3
"""Build the fuzz target of the boot loader's parser, examples/secure-boot/fuzz.c; print where it
is. Images that imgtool signed are put into its corpus.

tools/fuzz/fuzz_boot.py [--break OLD NEW]    the latter replaces a text in parse.c first: does the
                                             target find it?
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from secureboot import ALGORITHMS, HERE, make_key, sign

from ecfit.paths import ROOT, cache_dir
from tools.fuzz.fuzz_lib import CFLAGS, SANITIZE, compile_to, contents, digest

ALGORITHM = ALGORITHMS["ecdsa-p256"]
CORPUS = ROOT / ".cache" / "fuzz" / "boot"


def seeds() -> dict[str, bytes]:
    """Images, with and without a protected area."""
    key = make_key(ALGORITHM, "fuzz")
    return {
        "plain": sign(ALGORITHM, bytes(64), key),
        "counter": sign(ALGORITHM, bytes(64), key, "--security-counter", "5"),
    }


def program(parser: str) -> Path:
    """The target with this text of parse.c, from the cache or compiled."""
    folder = cache_dir() / "fuzz" / digest(contents(HERE), parser)
    target = folder / "boot"
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "parse.c").write_text(parser, encoding="utf-8")
        sources = [str(folder / "parse.c"), str(HERE / "fuzz.c")]
        include = [f"-I{HERE}", *ALGORITHM.macros]
        compile_to(target, [*CFLAGS, "-O1", *SANITIZE, "-fsanitize=fuzzer", *include, *sources])
    return target


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Build the fuzz target of the boot loader.")
    parser.add_argument(
        "--break", dest="change", nargs=2, metavar=("OLD", "NEW"), help="plant a bug"
    )
    change = parser.parse_args().change
    text = (HERE / "parse.c").read_text(encoding="utf-8")
    if change:
        if text.count(change[0]) != 1:
            sys.exit(f"fuzz: {change[0]!r} stands {text.count(change[0])} times in parse.c")
        text = text.replace(*change)
    CORPUS.mkdir(parents=True, exist_ok=True)
    for name, image in seeds().items():
        (CORPUS / name).write_bytes(image)
    sys.stdout.write(f"{program(text)}\n")


if __name__ == "__main__":
    main()
