"""Banks of RAM in which a data access that finds the bus idle waits (sim/ecsim.h, ecsim_bank)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ecfit.sim.abi import MOST_CLOCKS
from ecfit.sim.model import SimError
from ecfit.sim.result import Region


def set_latencies(library: Any, handle: int, regions: Sequence[Region]) -> None:
    """Gives a machine the latencies of its regions. Errors: SimError."""
    for region in regions:
        clocks = region.latency
        if not 0 <= clocks <= MOST_CLOCKS or (
            clocks and library.ecsim_bank(handle, region.start, clocks)
        ):
            raise SimError(f"latency of memory region out of range: {region}")
