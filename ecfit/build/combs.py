"""Tables of the base point: which ones a configuration includes, and those that lib/src/curve/comb
lacks, made on demand by the generators of the tree.

The tree has the tables of presets alone. The generators compute with lib/ref, the reference that
shares nothing with this package, so they run in a process of their own; a wheel has them, too.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.leaves import tables_of
from ecfit.choices.presets import all_presets
from ecfit.errors import BuildError, UsageError
from ecfit.model import digest
from ecfit.paths import LIB, cache_dir, read_kept, write_kept

SECONDS = 120
_MAKING = threading.Lock()


@cache
def tables_of_presets() -> dict[str, tuple[str, ...]]:
    """The tables that stand in the tree: those of each preset and curve on all cores."""
    tables: dict[str, tuple[str, ...]] = {}
    for slot in knobs.curve_slots():
        for preset in all_presets():
            for backend in knobs.all_knobs()["BACKEND"].choices:
                for several in (False, True):
                    with suppress(UsageError):  # words for which the preset is not made
                        configuration = knobs.resolve(
                            CURVES[slot.name], preset, {}, backend, several=several
                        )
                        tables |= tables_of(slot.name, dict(configuration.settings))
    return tables


def missing_tables(curve: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Names and texts of the tables that this configuration needs and the tree lacks.
    Errors: BuildError.
    """
    wanted = tables_of(curve, settings)
    missing = {name: of for name, of in wanted.items() if not (LIB / "src" / name).is_file()}
    return {name: _text(Path(name).name, of) for name, of in missing.items()}


def _text(name: str, options: tuple[str, ...]) -> str:
    """The table, made once by this process."""
    with _MAKING:
        return _kept(name, options)


@cache
def _kept(name: str, options: tuple[str, ...]) -> str:
    """The table from the cache, else from the generator: several processes may ask at once."""
    kept = cache_dir() / "tables" / _generators() / name
    if (data := read_kept(kept)) is not None:
        return data.decode("utf-8")
    text = _written(options)
    with suppress(OSError):  # a full disk: the table is there all the same
        write_kept(kept, text.encode("utf-8"))
    return text


@cache
def _generators() -> str:
    """Digest of what the tables are made by."""
    files = [*(LIB / "gen").glob("gen_*.py"), *(LIB / "ref").glob("*.py")]
    return digest([[path.name, path.read_bytes()] for path in sorted(files)])


def _written(options: tuple[str, ...]) -> str:
    """What the generator writes."""
    curve = options[0]
    edwards = CURVES[curve].form == "edwards"
    tool = "gen.gen_edwards" if edwards else "gen.gen_comb"
    # without site-packages, which the generators do not need: half of the time
    command = [sys.executable, "-S", "-m", tool, *options, "--out", "-"]
    try:
        run = subprocess.run(
            command, cwd=LIB, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"the table of {curve} cannot be made: {error}") from None
    if run.returncode != 0:
        raise BuildError(
            f"the table of {curve} cannot be made: {run.stderr.strip().splitlines()[-1:]}"
        )
    return run.stdout
