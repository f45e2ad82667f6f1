"""Which words of flash an instruction fetches: all of them, one after the other, in the second half
of a word.
"""

from __future__ import annotations

import pytest

from ecfit.sim.machine import FlashTiming, load_model
from tests.sim.test_armv7m_roles import Probe, cycles
from workshop.cores.armv7m_roles import INSTRUCTIONS, LEAVING, NARROW

pytestmark = pytest.mark.usefixtures("cross_compiler")


@pytest.mark.parametrize("core", ["cortex-m0", "cortex-m4"])
def test_words_that_are_fetched(core: str) -> None:
    """Before BKPT, whose fetch does not count: one of 16 bits takes the word with what stands
    before it, one of 32 bits another.
    """
    wide = [one.text for one in INSTRUCTIONS if core == "cortex-m4" and one.row not in LEAVING]
    texts = [one for one in (*wide, *NARROW[True], *NARROW[False]) if "2f" not in one]
    probes = [Probe(f"nop; {one}", 0) for one in texts]
    model, slow = load_model(core), FlashTiming(7, 0)
    words = [
        (waiting - free) // 7
        for waiting, free in zip(
            cycles(probes, model, flash=slow), cycles(probes, model), strict=True
        )
    ]
    narrow = set(NARROW[True] + NARROW[False])
    assert [
        one for one, count in zip(texts, words, strict=True)
        if count != (1 if one in narrow else 2)
    ] == []  # fmt: skip
