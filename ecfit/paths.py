"""Where things are: the checkout or what a wheel has of it, its data, and the cache."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from ecfit.errors import OutputError

PACKAGE = Path(__file__).resolve().parent
DATA = PACKAGE / "data"
TREE = PACKAGE / "tree"  # of a wheel: what a checkout has beside the package (setup.py)
INSTALLED = TREE.is_dir()
ROOT = TREE if INSTALLED else PACKAGE.parent
LIB = ROOT / "lib"
FIRMWARE = ROOT / "firmware"
PEERS = ROOT / "peers"
SIM = ROOT / "sim"


@cache
def cache_dir() -> Path:
    """Everything that can be made again: $ECFIT_CACHE, else .cache/ecfit of the checkout,
    else the user's. Nothing is written to where a wheel is installed.

    Errors: OutputError when none of them can be written.
    """
    chosen = os.environ.get("ECFIT_CACHE")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    own = [] if INSTALLED else [ROOT / ".cache" / "ecfit"]
    folders = [Path(chosen)] if chosen else [*own, home / "ecfit"]
    for folder in folders:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder.resolve()
    raise OutputError(
        f"the cache folder {folders[-1]} cannot be written: set ECFIT_CACHE to one that can"
    )
