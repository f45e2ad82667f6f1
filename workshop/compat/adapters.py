"""What the tests of compat/ build: an interface of another library on ecfit, for this machine."""

from __future__ import annotations

import ctypes
import hashlib
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.paths import cache_dir
from workshop.library import build as lib_build
from workshop.paths import SRC

ROOT = Path(__file__).resolve().parents[2]
COMPAT = ROOT / "compat"


def contents(folder: Path, sources: Sequence[Path] = ()) -> str:
    """A flag of the compiler that differs where a file of `folder`, or a source, does: builds are
    kept by their command.
    """
    files = sorted(path for path in (*folder.rglob("*.[ch]"), *sources) if path.is_file())
    text = b"".join(path.read_bytes() for path in files)
    return f"-DCONTENTS=0x{hashlib.sha256(text).hexdigest()[:15]}"


def on_ecfit(
    folder: str,
    sources: Sequence[Path],
    curves: Sequence[str],
    sets: Mapping[str, str],
    defines: Sequence[str] = (),
    *,
    flags: Sequence[str] = (),
) -> Path:
    """A shared library of the interface in `folder`, the library and `sources`."""
    config = knobs.resolve(CURVES[curves[0]], "balanced", sets, "w64")
    command = [
        *lib_build.compiler(),
        *lib_build.WARNINGS,
        "-shared",
        "-fPIC",
        f"-I{COMPAT / folder}",
        contents(COMPAT, sources),
    ]
    command += [f"-D{define}" for define in defines]
    command += [f"-{flag}" for flag in flags]
    units = [SRC / "ecfit.c", *sorted((COMPAT / folder).glob("*.c")), *sources]
    return lib_build.build(config, units, command, suffix=".so", curves=curves)


def of_others(name: str, sources: Sequence[Path], include: Path) -> ctypes.CDLL:
    """A shared library of somebody else's code, which is not ours to warn about."""
    path = cache_dir() / "libtest" / f"{name}-{include.parent.name}.so"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        command = ["cc", "-O2", "-w", "-shared", "-fPIC", f"-I{include}", "-o", str(partial)]
        command += map(str, sources)
        subprocess.run(command, check=True, timeout=120)
        partial.replace(path)
    return ctypes.CDLL(str(path))
