"""A notebook for assembly of ARMv7-M with the DSP extension (Cortex-M4, M7, M33): instructions,
comments, files.

Costs of the Cortex-M4 at zero wait states, from which the programs beside this one choose:

- UMAAL lo, hi, a, b: (hi : lo) = a b + lo + hi, one cycle, no flags. Nothing is carried out, for
  (B - 1)^2 + 2 (B - 1) = B^2 - 1. So a row of a product is one UMAAL a word: hi carries from
  column to column, and its first value is a word that is added for nothing.
- additions and moves: 1. Flags survive UMAAL, loads, stores and moves.
- LDR: 2, each further one in a row 1; STR: 1, and behind an LDR the two together 2; LDR behind
  STR: 1 more.
- LDM, STM, PUSH, POP of n words: 1 + n.

A wide instruction that begins in the middle of a word may wait for the fetch of the next word. So
all instructions are wide ones, and a routine begins at an even word; narrow ones stand in pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

# What has no narrow form: assemblers differ in whether they take the suffix .w there.
ALWAYS_WIDE = frozenset(
    {"mul", "mla", "sel", "uadd8", "umaal", "umull", "umlal", "bl", "vmov", "vldm", "clz"}
    | {"rrx", "rrxs", "sbfx", "ubfx", "bfi", "ldrd", "strd"}
)
CARRYING = frozenset({"adc", "adcs", "sbc", "sbcs"})  # nor have these with a constant
WIDTH = 100


def r(index: int) -> str:
    """The name of a core register."""
    return f"r{index}"


def several(registers: Iterable[str]) -> str:
    """A register list."""
    return "{" + ", ".join(registers) + "}"


def at(base: str, word: int) -> str:
    """Memory: a word behind a pointer."""
    return f"[{base}, #{4 * word}]"


class Code:
    """A banner, a function or a routine, its instructions."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, text: str) -> None:
        """A comment on what follows."""
        self.lines.append(f"    /* {text} */")

    def __call__(self, name: str, *operands: str, narrow: bool = False) -> None:
        """An instruction."""
        wide = name in ALWAYS_WIDE or (name in CARRYING and operands[-1].startswith("#"))
        suffix = "" if wide or narrow else ".w"
        self.lines.append(f"    {name + suffix:<7} {', '.join(operands)}".rstrip())

    def begin(self, kind: str, name: str, banner: Sequence[str]) -> None:
        """The head of a `function`, which C calls, or an `inner` one, which assembly calls."""
        lines = [line for text in banner for line in wrap(text, WIDTH - 3)]
        self.lines.append("/* " + "\n * ".join(lines) + "\n */")
        self.lines.append(f"    {kind} {name}, 4")

    def end(self, name: str) -> None:
        """The end of what :meth:`begin` began."""
        self.lines.append(f"    endfunction {name}")

    def entry(self, name: str) -> None:
        """Another way into an inner one."""
        self.lines.append(f"    entry   {name}")

    def label(self, name: str) -> None:
        """A place to branch to."""
        self.lines.append(f"{name}:")

    def text(self) -> str:
        """The whole of it."""
        return "\n".join(self.lines) + "\n"
