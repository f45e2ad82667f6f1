"""Tables of the base point of sizes that lib/src/curve/comb lacks, made on demand."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from functools import cache

from ecfit.choices.curves import CURVES
from ecfit.errors import BuildError
from ecfit.paths import LIB, ROOT

SECONDS = 120
EDWARDS = {"x25519": "ed25519", "x448": "ed448"}  # whose tables serve them


def missing_tables(curve: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Names, as the library includes them, and texts of the tables
    that this configuration needs. Errors: BuildError.
    """
    table = EDWARDS.get(curve, curve)
    form = CURVES[table].form
    wanted: dict[str, tuple[str, ...]] = {}
    if settings["MULG"] == ("comb_flash" if table == curve else "comb_edwards"):
        teeth, blocks = settings["COMB_TEETH"], settings["COMB_BLOCKS"]
        options = ("--teeth", teeth, "--blocks", blocks)
        wanted[f"curve/comb/{table}_t{teeth}_v{blocks}.inc"] = options
    if settings["MULD"] in {"naf", "glv"} and table == curve:
        width = settings["WNAF_G"]
        wanted[f"curve/comb/{curve}_odd_w{width}.inc"] = ("--odd", width)
    missing = {name: of for name, of in wanted.items() if not (LIB / "src" / name).is_file()}
    return {name: _written(form, table, of) for name, of in missing.items()}


@cache
def _written(form: str, curve: str, options: tuple[str, ...]) -> str:
    """What the generator writes."""
    tool = ROOT / "tools" / ("gen_edwards.py" if form == "edwards" else "gen_comb.py")
    command = [sys.executable, str(tool), curve, *options, "--out", "-"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"the table of {curve} cannot be made: {error}") from None
    if run.returncode != 0:
        raise BuildError(
            f"the table of {curve} cannot be made: {run.stderr.strip().splitlines()[-1:]}"
        )
    return run.stdout
