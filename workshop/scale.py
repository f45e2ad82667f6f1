"""How much of a sample runs: ECFIT_TEST_SCALE, which the rings of tests set (CONTRIBUTING.md).

small: where every step is slow, as under sanitizers; nothing: `make test`; ci: the outer ring;
full: the make targets beside them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

SCALE = os.environ.get("ECFIT_TEST_SCALE", "")
SMALL = SCALE == "small"
FULL = SCALE == "full"
OUTER = SCALE in ("ci", "full")  # minutes are there: all of it, not a sample


def some(items: Iterable[T], every: int) -> list[T]:
    """Of `make test` the first and each so-manieth behind it, elsewhere all: in the outer ring, and
    under sanitizers, which choose configurations of their own.
    """
    return list(items)[:: 1 if SCALE else every]
