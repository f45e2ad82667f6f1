"""A notebook for assembly of RV32IMC: instructions, registers, carries, files.

There is no carry flag: what a sum carries out is whether it is less than what was added, one SLTU.
So to add a word to another takes three instructions, if something above takes the carry:

    add  x, x, word
    sltu carry, x, word
    add  above, above, carry

and a word of a sum of two long integers takes five. MUL and MULHU give the halves of a product,
whose upper half is B - 2 at most, B = 2^32: it takes a carry. Cycles of the Ibex at zero wait
states with its single-cycle multiplier, from which the programs beside this one choose: 1, but
loads, stores, MULHU, jumps and calls 2, branches that are taken 3.

There are 28 registers to use; gp and tp belong to the platform.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

ALL = (
    *(f"s{k}" for k in range(12)),
    *(f"t{k}" for k in range(7)),
    *(f"a{k}" for k in range(8)),
    "ra",
)
KEPT = (*(f"s{k}" for k in range(12)), "ra")  # of a caller in C, and where to return
WIDTH = 100


def at(base: str, word: int) -> str:
    """Memory: a word behind a pointer."""
    return f"{4 * word}({base})"


class Code:
    """A banner, a function or a routine, its instructions."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, text: str) -> None:
        """A comment on what follows."""
        self.lines.append(f"    /* {text} */")

    def __call__(self, name: str, *operands: str | int) -> None:
        """An instruction."""
        self.lines.append(f"    {name:<7} {', '.join(map(str, operands))}".rstrip())

    def begin(self, kind: str, name: str, banner: Sequence[str]) -> None:
        """The head of a `function`, which C calls, or an `inner` one, which assembly calls."""
        lines = [line for text in banner for line in wrap(text, WIDTH - 3)]
        self.lines.append("/* " + "\n * ".join(lines) + "\n */")
        self.lines.append(f"    {kind} {name}")

    def end(self, name: str) -> None:
        """The end of what :meth:`begin` began."""
        self.lines.append(f"    endfunction {name}")

    def label(self, name: str) -> None:
        """A place to branch to."""
        self.lines.append(f"{name}:")

    def text(self) -> str:
        """The whole of it."""
        return "\n".join(self.lines) + "\n"

    def load(self, registers: Sequence[str], base: str) -> None:
        """Words behind a pointer; the pointer itself may be the register of one: it is last."""
        for k in sorted(range(len(registers)), key=lambda k: registers[k] == base):
            self("lw", registers[k], at(base, k))

    def store(self, registers: Sequence[str], base: str) -> None:
        """Words to where a pointer is."""
        for k, register in enumerate(registers):
            self("sw", register, at(base, k))

    def add(self, x: str, word: str, carry: str) -> None:
        """x += word; what is carried. It may overwrite the word."""
        self("add", x, x, word)
        self("sltu", carry, x, word)

    def sub(self, x: str, word: str, borrow: str) -> None:
        """x -= word; what is borrowed. It may not overwrite the word."""
        self("sltu", borrow, x, word)
        self("sub", x, x, word)


class Registers:
    """Registers given out and taken back."""

    def __init__(self, used: Iterable[str] = ()) -> None:
        taken = set(used)
        self.free = [name for name in ALL if name not in taken and name != "ra"]

    def take(self) -> str:
        """A register that nothing uses."""
        return self.free.pop(0)

    def several(self, count: int) -> list[str]:
        """Some of them."""
        return [self.take() for _ in range(count)]

    def give(self, *names: str) -> None:
        """What they hold is not needed any more."""
        for name in names:
            assert name not in self.free, name
            self.free.insert(0, name)


def sum_of(c: Code, x: Sequence[str], y: Sequence[str], carry: str, t: str, *, one: bool) -> None:
    """x += y word by word, and 1 where asked for; what is carried out. y is kept."""
    if one:
        c("li", carry, 1)
    for k, (word, other) in enumerate(zip(x, y, strict=True)):
        if k == 0 and not one:
            c.add(word, other, carry)
            continue
        c.add(word, other, t)
        c.add(word, carry, carry)
        c("add", carry, carry, t)


def difference_of(
    c: Code, x: Sequence[str], y: Sequence[str], borrow: str, free: tuple[str, str]
) -> None:
    """x -= y word by word; what is borrowed. y is kept."""
    t, u = free
    for k, (word, other) in enumerate(zip(x, y, strict=True)):
        if k == 0:
            c.sub(word, other, borrow)
            continue
        c.sub(word, other, t)
        c.sub(word, borrow, u)
        c("add", borrow, t, u)


def ripple(c: Code, words: Sequence[str], carry: str, *, last: bool) -> None:
    """words += carry, a word; with `last`, nothing is carried out of the last one."""
    for k, word in enumerate(words):
        if last and k == len(words) - 1:
            c("add", word, word, carry)
        else:
            c.add(word, carry, carry)


def ripple_down(
    c: Code, words: Sequence[str], borrow: str, free: str, *, last: bool
) -> tuple[str, str]:
    """words -= borrow, a word; where what is borrowed stands then, and which register is free."""
    for k, word in enumerate(words):
        if last and k == len(words) - 1:
            c("sub", word, word, borrow)
        else:
            c.sub(word, borrow, free)
            borrow, free = free, borrow
    return borrow, free


def enter(c: Code, words: int, kept: Sequence[str] = KEPT) -> None:
    """A frame of some words, and the caller's registers above it."""
    c("addi", "sp", "sp", -frame(words, kept))
    for k, name in enumerate(kept):
        c("sw", name, at("sp", words + k))


def leave(c: Code, words: int, kept: Sequence[str] = KEPT) -> None:
    """What enter() did, undone; the return."""
    for k, name in enumerate(kept):
        c("lw", name, at("sp", words + k))
    c("addi", "sp", "sp", frame(words, kept))
    c("ret")


def frame(words: int, kept: Sequence[str] = KEPT) -> int:
    """Its bytes: the stack stays at a multiple of 16."""
    return (4 * (words + len(kept)) + 15) & -16
