"""Where things are."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIB = ROOT / "lib"
SRC = LIB / "src"
INCLUDE = LIB / "include"
C_TESTS = LIB / "test"
TOOLS = ROOT / "tools"
CACHE = ROOT / ".cache"
