"""Tables of the base point for combs of sizes that lib/src/curve/comb lacks, made on demand."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from functools import cache

from ecfit.choices.curves import CURVES
from ecfit.errors import BuildError
from ecfit.paths import LIB, ROOT

SECONDS = 120


def missing_tables(curve: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Name, as the library includes it, and text of the table
    that this configuration needs. Errors: BuildError.
    """
    if settings["MULG"] != "comb_flash" or CURVES[curve].form == "montgomery":
        return {}
    teeth, blocks = settings["COMB_TEETH"], settings["COMB_BLOCKS"]
    name = f"curve/comb/{curve}_t{teeth}_v{blocks}.inc"
    form = CURVES[curve].form
    if (LIB / "src" / name).is_file():
        return {}
    return {name: _written(form, curve, teeth, blocks)}


@cache
def _written(form: str, curve: str, teeth: str, blocks: str) -> str:
    """What the generator writes."""
    tool = ROOT / "tools" / ("gen_edwards.py" if form == "edwards" else "gen_comb.py")
    command = [sys.executable, str(tool), curve, "--teeth", teeth, "--blocks", blocks, "--out", "-"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"the comb table of {curve} cannot be made: {error}") from None
    if run.returncode != 0:
        raise BuildError(
            f"the comb table of {curve} cannot be made: {run.stderr.strip().splitlines()[-1:]}"
        )
    return run.stdout
