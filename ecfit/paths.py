"""Where things are: the checkout, its data, and the cache."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from ecfit.errors import OutputError

PACKAGE = Path(__file__).resolve().parent
DATA = PACKAGE / "data"
ROOT = PACKAGE.parent
LIB = ROOT / "lib"
FIRMWARE = ROOT / "firmware"
PEERS = ROOT / "peers"
SIM = ROOT / "sim"


@cache
def cache_dir() -> Path:
    """Everything that can be made again: $ECFIT_CACHE, else .cache/ecfit of the checkout,
    else the user's.

    Errors: OutputError when none of them can be written.
    """
    chosen = os.environ.get("ECFIT_CACHE")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folders = [Path(chosen)] if chosen else [ROOT / ".cache" / "ecfit", home / "ecfit"]
    for folder in folders:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder.resolve()
    raise OutputError(
        f"the cache folder {folders[-1]} cannot be written: set ECFIT_CACHE to one that can"
    )
