"""The library's P-256 as images for RV32IMC, by both compilers, and for RV32EC, against published
vectors: as `test_on_armv7m`, with the assembly of the backend `rv32im` for the former.
"""

from __future__ import annotations

import pytest

from ecfit.choices.targets import find_target
from tests.lib.test_on_armv7m import check_vectors, check_wycheproof
from workshop.library.images import Chip

BUILDS = [
    ("ibex", "tiny", "gcc", "Os"),
    ("ibex", "balanced", "clang", "O2"),
    ("ch32v003", "balanced", "gcc", "Os"),  # RV32EC without a multiplier, in C
]


@pytest.fixture(scope="module", params=BUILDS, ids="-".join)
def chip(request: pytest.FixtureRequest) -> Chip:
    """One preset, by one compiler."""
    return Chip(*request.param)


def test_the_target_has_this_backend() -> None:
    assert {find_target(name).backend for name in ("ibex", "esp32c3")} == {"rv32im"}


def test_published_vectors(chip: Chip) -> None:
    check_vectors(chip)


def test_wycheproof(chip: Chip) -> None:
    check_wycheproof(chip)
