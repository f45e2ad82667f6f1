"""The compiled library that verifies: for this machine, nothing but verification of one curve.

It is compiled when the first key of a curve comes, and kept nowhere: who could write a kept one
could make every signature verify.
"""

from __future__ import annotations

from pathlib import Path

from ecfit.build import combs, toolchain
from ecfit.build.parts import library_sources
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.targets import find_target
from ecfit.paths import LIB
from ecfit_lab.gateway.verifier import LibraryVerifier

PRESET = "fast"
_OPS = ("verify",)


def build(curve: str, folder: Path) -> Path:
    """Compiles it in a folder where nobody else can write. Errors: BuildError, MissingToolError."""
    target = find_target("host")
    tools = toolchain.find_toolchain("gcc", target.arch, target.core, "O2")
    settings = knobs.resolve(CURVES[curve], PRESET, {}, target.backend)
    header = knobs.header(settings, [curve], _OPS, extras=False)
    assert not combs.missing_tables(curve, dict(settings.settings)), "the tree has those of presets"
    (folder / "ecfit_config.h").write_text(header, encoding="utf-8")
    sources = [str(path) for path in library_sources(header)]
    include = [f"-I{folder}", f"-I{LIB / 'include'}", f"-I{LIB / 'src'}"]
    command = [*tools.compile, *include, "-shared", *sources, "-o", "verify.so"]
    toolchain.run(command, f"the library that verifies {curve}", folder)
    return folder / "verify.so"


def load() -> LibraryVerifier:
    """For all algorithms of messages. Errors: MissingToolError where there is no compiler."""
    target = find_target("host")
    toolchain.find_toolchain("gcc", target.arch, target.core, "O2")
    return LibraryVerifier(build)
