"""Gives names of values their registers on the Cortex-M4, for straight code.

A value is written as `<name>`. It lives from the line that writes it to the last that reads it; a
line may write where it reads for the last time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

NAME = re.compile(r"<(\w+)>")


class Spans:
    """Where each value lives, and the search for registers."""

    def __init__(self, lines: Sequence[str], given: Iterable[str], left: Iterable[str]) -> None:
        self.first = dict.fromkeys(given, -1)
        self.last: dict[str, int] = {}
        for place, line in enumerate(lines):
            for name in NAME.findall(line):
                self.first.setdefault(name, place)
                self.last[name] = place
        self.last |= dict.fromkeys(left, len(lines))

    def meet(self, one: str, other: str) -> bool:
        """Whether both live at a time."""
        return (
            self.first[one] < self.last[other] and self.first[other] < self.last[one]
        ) or self.first[one] == self.first[other]

    def choose(
        self, fixed: Mapping[str, str], registers: Sequence[str], most: int = 2_000
    ) -> dict[str, str]:
        """A register for each value: those of `fixed` as they are. In depth-first search, the value
        with the fewest registers left is next; after `most` steps there is none.
        """
        names = list(self.first)
        meets = {n: [o for o in names if o != n and self.meet(n, o)] for n in names}
        found: dict[str, str] = {}
        steps = 0

        def left(name: str) -> list[str]:
            taken = {found[other] for other in meets[name] if other in found}
            return [register for register in registers if register not in taken]

        def search() -> bool:
            nonlocal steps
            steps += 1
            waiting = [name for name in names if name not in found]
            if not waiting:
                return True
            name = min(waiting, key=lambda n: (len(left(n)), self.first[n]))
            for register in left(name):
                found[name] = register
                if steps < most and search():
                    return True
                del found[name]
            return False

        found.update(fixed)
        taken = [(n, o) for n in fixed for o in meets[n] if found.get(o) == found[n]]
        assert not taken, f"one register for both: {taken}"
        assert search(), "no registers"
        return found


def settle(
    lines: Sequence[str],
    given: Mapping[str, str],
    left: Mapping[str, str],
    registers: Sequence[str],
) -> list[str]:
    """The lines with registers in the place of names. `given`, `left`: where values are before the
    first line, and behind the last.
    """
    found = Spans(lines, given, left).choose({**given, **left}, registers)
    return [NAME.sub(lambda name: found[name[1]], line) for line in lines]
