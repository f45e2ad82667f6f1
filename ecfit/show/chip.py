"""What an answer says of the chip: that it is derived, and what it has for public keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ecfit.choices.targets import Target
from ecfit.units import milliseconds


def chip_lines(target: Target, times: Mapping[tuple[str, str], float]) -> Iterator[str]:
    """The lines beside an answer. `times`: ours in microseconds, by curve and operation."""
    if target.like:
        yield derived(target)
    for unit in target.accelerator:
        ops = [op for op in unit.ms if (unit.curve, op) in times]
        most = "at most " * unit.at_most
        compared = ", ".join(
            f"{op} {most}{milliseconds(unit.ms[op] * 1000)} ms"
            f"{f' and {unit.uj[op]:g} µJ' if op in unit.uj else ''}"
            f" (ecfit {milliseconds(times[unit.curve, op])})"
            for op in ops
        )
        if ops:
            about = f"this chip's {unit.name}, {unit.curve}: {compared}"
            needs = f"; needs {unit.needs}" * bool(unit.needs)
            yield f"{about}{needs} (source: {unit.source})"


def derived(target: Target) -> str:
    """How a chip is timed that no target file describes."""
    return (
        f"{target.name} is derived: flash and RAM are its own, the core is modelled, and the flash "
        f"is timed as that of {target.like}"
    )
