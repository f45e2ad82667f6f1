"""A notebook for assembly of AVR (AVRe+ with the multiplier): instructions, frames, chains.

Products of 8 x 8 bits come in r1:r0, in two cycles, as loads and stores do; MOVW copies a pair of
registers in one, like any other instruction. Loads, stores, MOV, MOVW, CLR, COM's sisters EOR and
AND, INC and DEC leave the carry as it is; products do not.

The calling convention: arguments in r25:r24, r23:r22, r21:r20, r19:r18, r17:r16; a function keeps
r2 to r17, r28 and r29, and leaves r1 zero. X is r27:r26, Y r29:r28, Z r31:r30; Y and Z reach 63
bytes upwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

KEPT = (*range(2, 18), 28, 29)
HALF = 16  # bytes of half an integer of 256 bits
WIDTH = 100


class Code:
    """A banner, a function or a routine, its instructions."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, name: str, *operands: str | int) -> None:
        """An instruction; a number is a register."""
        texts = [f"r{part}" if isinstance(part, int) else part for part in operands]
        self.lines.append(f"    {name:<7} {', '.join(texts)}".rstrip())

    def note(self, text: str) -> None:
        """A comment on what follows."""
        self.lines.append(f"    /* {text} */")

    def label(self, name: str) -> None:
        """A place to branch to."""
        self.lines.append(f"{name}:")

    def begin(self, kind: str, name: str, banner: Sequence[str]) -> None:
        """The head of a `function`, which C calls, or an `inner` one, which assembly calls."""
        lines = [line for text in banner for line in wrap(text, WIDTH - 3)]
        self.lines.append("/* " + "\n * ".join(lines) + "\n */")
        self.lines.append(f"    {kind} {name}")

    def end(self, name: str) -> None:
        """The end of what :meth:`begin` began."""
        self.lines.append(f"    endfunction {name}")

    def text(self) -> str:
        """The whole of it."""
        return "\n".join(self.lines) + "\n"


def save(c: Code, registers: Sequence[int] = KEPT) -> None:
    """The caller's registers onto the stack."""
    for register in registers:
        c("push", register)


def restore(c: Code, registers: Sequence[int] = KEPT) -> None:
    """What save() did, undone; the return."""
    for register in reversed(registers):
        c("pop", register)
    c("ret")


def stack_pointer_in(c: Code) -> None:
    """Y = the stack pointer: the frame begins a byte above."""
    c("in", 28, "0x3d")
    c("in", 29, "0x3e")


def stack_pointer_out(c: Code) -> None:
    """The stack pointer = Y; no interrupt comes between its bytes."""
    c("in", 0, "0x3f")
    c("cli")
    c("out", "0x3e", 29)
    c("out", "0x3f", 0)
    c("out", "0x3d", 28)


def call(c: Code, name: str) -> None:
    """A call; of a core without CALL, RCALL."""
    c("xcall", name)
