"""Where things are: the checkout, its data, and the cache."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(__file__).resolve().parent / "data"
LIB = ROOT / "lib"
FIRMWARE = ROOT / "firmware"
PEERS = ROOT / "peers"
SIM = ROOT / "sim"


@cache
def cache_dir() -> Path:
    """Everything that can be made again: $ECFIT_CACHE, else .cache/ecfit of the checkout, else the user's.

    Errors: OSError when none of them can be written.
    """
    chosen = os.environ.get("ECFIT_CACHE")
    if chosen:
        folder = Path(chosen)
        folder.mkdir(parents=True, exist_ok=True)
        return folder.resolve()
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for folder in (ROOT / ".cache" / "ecfit", home / "ecfit"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    raise PermissionError("no folder for the cache can be written: set ECFIT_CACHE to one")
