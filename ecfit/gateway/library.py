"""The compiled library that verifies: for this machine, nothing but verification, of all curves of
signed messages; built where the cache does not have it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from ecfit.build import combs, toolchain
from ecfit.build.parts import library_sources
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.targets import find_target
from ecfit.gateway import verifier
from ecfit.measure.store import Store
from ecfit.message.algorithms import ALGORITHMS
from ecfit.model import Image, Segment, Toolchain, digest
from ecfit.paths import LIB, cache_dir

PRESET = "fast"
_OPS = ("verify",)


def image(curves: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The key of the library with these curves, and the files that are generated for it."""
    target = find_target("host")
    settings = {name: knobs.resolve(CURVES[name], PRESET, {}, target.backend) for name in curves}
    first, *others = curves
    header = knobs.header(
        settings[first], [first], _OPS, extras=False, more={name: settings[name] for name in others}
    )
    files = {"ecfit_config.h": header}
    for name in curves:
        files |= combs.missing_tables(name, dict(settings[name].settings))
    sources = sorted(path for path in (LIB / "src").rglob("*") if path.is_file())
    texts = [[str(path.relative_to(LIB)), path.read_bytes()] for path in sources]
    return digest(["verifylib", toolchain.flags_key(_compiler()), texts, files]), files


def build(key: str, files: dict[str, str]) -> Image:
    """Compiles it. Errors: BuildError, MissingToolError."""
    tools = _compiler()
    with tempfile.TemporaryDirectory(prefix="ecfit-verify-", dir=cache_dir()) as name:
        folder = Path(name)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        sources = [str(path) for path in library_sources(files["ecfit_config.h"])]
        include = [f"-I{folder}", f"-I{LIB / 'include'}", f"-I{LIB / 'src'}"]
        command = [*tools.compile, *include, "-shared", *sources, "-o", "verify.so"]
        toolchain.run(command, "the library that verifies", folder)
        return Image(key, (Segment(0, (folder / "verify.so").read_bytes()),))


def _compiler() -> Toolchain:
    target = find_target("host")
    return toolchain.find_toolchain("gcc", target.arch, target.core, "O2")


def load() -> verifier.LibraryVerifier:
    """For all algorithms of messages. Errors: BuildError, MissingToolError."""
    key, files = image([algorithm.curve for algorithm in ALGORITHMS])
    made = Store().made_image(key, lambda: build(key, files))
    return verifier.load(made.segments[0].data)
