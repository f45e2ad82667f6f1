"""How flash answers: the parameters of the model that sim/src/flash.h describes."""

from __future__ import annotations

from typing import Literal

import msgspec

from ecfit.sim import abi
from ecfit.sim.model import SimError


class FlashTiming(msgspec.Struct, frozen=True):
    """The timing of the flash at the clock of the target. With ``None`` in its place, every access
    is free. sim/src/flash.h lists what the model leaves out.

    - ``wait_states`` (0..255): extra clocks of a fetch that no buffer answers.
    - ``data_wait_states``: extra clocks of a data read, if they differ from those of a fetch.
    - ``line_bits`` (32..4096, a power of two): the size of one read. With 0, nothing is kept: each
      fetched word and each data read waits, no wait overlaps with an instruction, and the fields
      below have no meaning.
    - ``instruction_lines`` (0..4096): lines that keep fetched words. One line is a line buffer,
      more are a cache.
    - ``shared``: these lines also keep data reads. If not, data reads have ``data_lines`` lines.
    - ``ways``: lines of a set. 0 is fully associative, 1 is direct mapped. The number of sets is a
      power of two.
    - ``replacement``: a set replaces the line that was not used for longest (lru), or the oldest
      (fifo).
    - ``prefetch_lines`` (0..8): how many of the lines after the fetched one are read ahead.
    - ``next_wait_states``: extra clocks of a fetch from the line after the last one. With it, core
      and flash fetch as those of an STM32F1.
    """

    wait_states: int = 0
    line_bits: int = 0
    instruction_lines: int = 1
    data_lines: int = 0
    shared: bool = True
    ways: int = 0
    replacement: Literal["lru", "fifo"] = "lru"
    prefetch_lines: int = 0
    data_wait_states: int | None = None
    next_wait_states: int | None = None


def native_timing(timing: FlashTiming, core_words: int) -> abi.Flash:
    """The timing as the native side takes it, which checks ranges.
    Errors: SimError for what it cannot hold.

    `core_words`: the words of the core's fetch buffer, behind which waits hide. Where nothing is
    kept every access is meant to wait, an upper bound, and none hides.
    """
    data_wait_states = (
        timing.wait_states if timing.data_wait_states is None else timing.data_wait_states
    )
    kept = timing.line_bits != 0
    numbers = (
        timing.wait_states,
        data_wait_states,
        timing.line_bits // 8,
        timing.instruction_lines * kept,
        timing.data_lines * kept,
        int(timing.shared),
        timing.ways,
        int(timing.replacement == "fifo"),
        timing.prefetch_lines * kept,
        core_words * kept,
        int(timing.next_wait_states is not None) * kept,
        (timing.next_wait_states or 0) * kept,
    )
    if (
        timing.line_bits % 8
        or timing.replacement not in ("lru", "fifo")
        or not all(0 <= n < 2**32 for n in numbers)
    ):
        raise SimError(f"flash timing out of range: {timing}")
    return abi.Flash(*numbers)
