"""Where things are."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIB = ROOT / "lib"
SRC = Path(os.environ.get("ECFIT_TEST_SRC", LIB / "src"))  # of tools/mutants/mutants.py
INCLUDE = LIB / "include"
VARIANTS = ROOT / "evidence" / "variants"  # values of knobs that only studies measure
C_TESTS = LIB / "test"
GENERATORS = LIB / "gen"
CACHE = ROOT / ".cache"
