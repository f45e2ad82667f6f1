"""The C of a configuration as a tree, and the layer of each function."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pycparser import c_ast, c_parser

from ecfit.build.toolchain import find_toolchain
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, EVERY_OP
from ecfit.choices.targets import find_target
from ecfit.paths import LIB

SRC = LIB / "src"
TARGETS = {"armv6m": "samd20", "armv7m": "cc2538", "armv7em": "nrf52840", "rv32im": "ibex",
           "c": "nrf52840"}  # fmt: skip
"""A chip of each back end; `c`: portable C."""
ALONE = " without verify"
UNVERIFIED = f"compact{ALONE}"
"""`compact` in an image without verification, which multiplies by another function."""
LEAST, BLOCKS = f"least{ALONE}", f"blocks{ALONE}"
_LADDER = {
    "COORDINATES": "jacobian_run", "MULD": "digits", "MULG": "as_var", "MULV": "ladder_coz",
    "NONCE": "random", "TABLE": "projective",
}  # fmt: skip
SMALLEST = {
    LEAST: _LADDER | {"INVERT": "fermat", "READ": "late", "SQUARE": "as_mul"},
    BLOCKS: _LADDER | {"INVERT": "windows", "SQUARE": "own"},
}
"""The fewest bytes for key exchange of P-256 (CURVE_IS_LEAST in lib/src/curve/traits.h), with
products that are squares, too, and with squares of their own by blocks of 128 bits."""


class Unit(NamedTuple):
    """A translation unit."""

    backend: str
    curve: str
    functions: dict[str, Any]
    layers: dict[str, str]
    tree: Any


def preprocessed(curve: str, preset: str, backend: str, source: Path = SRC) -> str:
    """What the compiler sees."""
    target = find_target(TARGETS[backend])
    tools = find_toolchain("gcc", target.arch, target.core, "Os")
    asked = {"BACKEND": "w32"} if backend == "c" else {}
    asked |= SMALLEST.get(preset, {})
    ops = [op for op in EVERY_OP if not preset.endswith(ALONE) or "verify" not in op]
    named = "compact" if preset in SMALLEST else preset.removesuffix(ALONE)
    setting = knobs.resolve(CURVES[curve], named, asked, target.backend, ops=ops)
    with tempfile.TemporaryDirectory() as folder:
        header = Path(folder) / "ecfit_config.h"
        header.write_text(knobs.header(setting, [curve], ops), encoding="utf-8")
        include = [f"-I{path}" for path in (folder, LIB / "include", source)]
        command = [*tools.compile, *include, "-E", str(source / "ecfit.c")]
        return subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder
        ).stdout


def plain(text: str) -> str:
    """Without what only a compiler asks for; a mask is its word."""
    text = _without(text, "__asm__", "")
    text = _without(text, "__attribute__", "")
    text = re.sub(r"struct mp_mask \{[^}]*\}", "mp_word", text).replace(".word", "")
    return re.sub(r"__extension__|__restrict", "", text)


def _without(text: str, word: str, instead: str) -> str:
    """Without a word and the brackets behind it."""
    out, at = [], 0
    for found in re.finditer(rf"{word}(?: volatile)?\s*\(", text):
        if found.start() < at:
            continue
        out.append(text[at : found.start()] + instead)
        depth, at = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
    return "".join([*out, text[at:]])


@cache
def unit(curve: str, preset: str, backend: str, source: Path = SRC) -> Unit:
    """The tree of a configuration."""
    tree = c_parser.CParser().parse(plain(preprocessed(curve, preset, backend, source)))
    functions = {n.decl.name: n for n in tree.ext if isinstance(n, c_ast.FuncDef)}
    layers = {name: layer_of(str(n.decl.coord)) for name, n in functions.items()}
    return Unit(backend, curve, functions, layers, tree)


def layer_of(coord: str) -> str:
    """mp, field, group, mul, api or another folder."""
    found = re.search(r"lib/src/(\w+)/|/src/(\w+)/", coord)
    return (found[1] or found[2]) if found else ""


def entries(found: Unit) -> Sequence[str]:
    """The functions that users call."""
    return [
        n
        for n, f in found.functions.items()
        if "static" not in f.decl.storage and found.layers[n] in ("api", "curve", "mul")
    ]
