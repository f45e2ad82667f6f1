"""Folders of `ecfit amalgamate` and `ecfit fit -o` on the simulator: against the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from ecfit.build.build import build
from ecfit.build.parts import make_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices import headers
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import find_target
from ecfit.run.job import Job
from ecfit.run.runner import run


def runs_right(
    folder: Path,
    target_name: str,
    curve_name: str,
    ops: Sequence[str],
    library: Path | None = None,
) -> bool:
    """Builds the files of a folder, alone or with the sources of the library, into an image for a
    chip, and runs its operations, two cases of each, whose results are compared; inputs to be
    refused among them.
    """
    target, curve = find_target(target_name), CURVES[curve_name]
    header = (folder / "ecfit_config.h").read_text(encoding="utf-8")
    asked = headers.read(header, "ecfit_config.h")
    sets = dict(text.split("=", 1) for text in asked.sets)
    configuration = resolve(curve, asked.preset, sets, target.backend)
    top = library / "src" if library else folder
    sources = tuple(top / name for name in ("ecfit.c", "ecfit_asm.S") if (top / name).exists())
    parts = msgspec.structs.replace(
        make_parts(configuration, curve_name, ops, {}),
        sources=sources,
        include=(folder, *((library / "include", top) if library else ())),
        generated={},
    )
    tools = find_toolchain("gcc", target.arch, target.core, "Os")
    image = build(Request(target, configuration, curve_name, tuple(ops), tools, parts))
    jobs = [Job(target, target.mode("datasheet"), curve, op, seed=7, runs=2) for op in ops]
    return [run(image, job).status for job in jobs] == ["ok"] * len(ops)
