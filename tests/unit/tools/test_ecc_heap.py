"""The article's program gives the heap figures that are kept."""

from __future__ import annotations

import msgspec
import pytest

from ecfit.build.fetch import package_folder
from ecfit_studies.survey.coverage import HEAP, HeapFigure
from tools.docs import ecc_heap


@pytest.mark.ci
def test_a_setting_gives_what_is_kept() -> None:
    """A window of 4 without a table: what the article has in both of its tables, to the byte."""
    source = package_folder("the article's script", ecc_heap.PACKAGE) / "vendor"
    kept = [msgspec.json.decode(line, type=HeapFigure) for line in HEAP.read_bytes().splitlines()]
    ran = ecc_heap._run(source, 0, 4)
    mine = [one for one in kept if (one.fixed_point, one.window) == (0, 4)]
    assert ran == [(one.curve, one.heap_bytes, one.blocks) for one in mine]
    assert ran[0][:2] == ("secp256r1", 3592)
