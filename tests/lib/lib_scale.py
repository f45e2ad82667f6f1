"""How much of a sample runs: ECFIT_TEST_SCALE, which the rings of tests set (CONTRIBUTING.md).

small: where every step is slow, as under sanitizers; nothing: `make test`; ci: the outer ring;
full: the make targets beside them.
"""

from __future__ import annotations

import os

SCALE = os.environ.get("ECFIT_TEST_SCALE", "")
SMALL = SCALE == "small"
FULL = SCALE == "full"
OUTER = SCALE in ("ci", "full")  # minutes are there: all of it, not a sample
