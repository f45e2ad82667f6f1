"""Instructions of a function for ARMv6-M, written one by one, and what they cost."""

from __future__ import annotations

import re

CORES = ("cortex-m0plus", "cortex-m0")
LOADS = {"ldr", "str", "ldrh"}
BRANCHES = {"cortex-m0plus": (2, 3, 3), "cortex-m0": (3, 4, 4)}  # bx, bl, pop with pc


class Writer:
    """Instructions of one function as text, and their cycles on each core.

    `calls`: cycles of the functions that it may call, from entry to return.
    """

    def __init__(self, calls: dict[str, dict[str, int]] | None = None) -> None:
        self.lines: list[str] = []
        self.cycles = dict.fromkeys(CORES, 0)
        self.calls = calls or {}

    def __call__(self, operation: str, *operands: str) -> None:
        """One instruction."""
        text = ", ".join(operands)
        self.lines.append(f"    {operation:<7} {text}")
        for core in CORES:
            self.cycles[core] += self._cost(core, operation, text)

    def _cost(self, core: str, operation: str, text: str) -> int:
        bx, call, pop_pc = BRANCHES[core]
        if operation in {"ldm", "stm", "push", "pop"}:
            return registers(text) + (pop_pc if "pc" in text else 1)
        if operation == "bl":
            return call + self.calls[text][core]
        if operation == "blx":  # of a register: what it calls stands in `calls` by its name
            return bx + self.calls[text][core]
        if operation in {"bx", "b"}:
            return bx
        return 2 if operation in LOADS else 1

    def taken(self, operation: str, label: str) -> None:
        """A branch on a condition that holds."""
        self("b", label)
        self.lines[-1] = f"    {operation:<7} {label}"

    def skipped(self, operation: str, *operands: str) -> None:
        """An instruction that a branch before it leaves out."""
        before = dict(self.cycles)
        self(operation, *operands)
        self.cycles = before

    def leads(self, name: str) -> None:
        """The function goes on in the one behind it."""
        for core in CORES:
            self.cycles[core] += self.calls[name][core]

    def label(self, name: str) -> None:
        """A label."""
        self.lines.append(f"{name}:")

    def note(self, text: str) -> None:
        """A comment of its own line."""
        self.lines.append(f"    /* {text} */")


def registers(text: str) -> int:
    """How many registers stand in the braces."""
    inside = re.search(r"\{(.*)\}", text)
    assert inside
    count = 0
    for part in inside[1].split(","):
        first, _, last = part.strip().partition("-")
        count += int(last[1:]) - int(first[1:]) + 1 if last else 1
    return count


def each(w: Writer, first: str, others: str, name: str, other: str, *, begins: bool) -> None:
    """One word of a chain: `first` where it begins, three operands; `others` with the carry."""
    if begins:
        w(first, name, name, other)
    else:
        w(others, name, other)


def keep(w: Writer, place: str) -> None:
    """A carry waits in a high register, less 1. Loses r5."""
    w("sbcs", "r5", "r5")
    w("mov", place, "r5")


def carry(w: Writer, place: str) -> None:
    """It is the flag again. Loses r5."""
    w("mov", "r5", place)
    w("rsbs", "r5", "r5", "#0")
