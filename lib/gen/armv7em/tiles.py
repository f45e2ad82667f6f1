"""Products of 256 bits on the Cortex-M4 by tiles of 4 x 4 words, for fields that fold.

A tile's operands stand in eight registers, so that of each two tiles one after the other half of
them is read: five times four words, where rows read four words twice and each word of b twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from gen.armv7em.code import Code, at, several
from gen.armv7em.product import DIGITS, FRAME, PARTS

HALF_A = ("r9", "r10", "r11", "r12")
HALF_B = ("r5", "r6", "r7", "r8")
B = "lr"  # points behind the low half of b


class Tiles:
    """A product while it is written, in the frame of product.py: columns 0 to 7 go to it, then
    `high` has 8 to 15 and `free` all other registers.

    In this order: a low b high, a low b low, a high b low, a high b high. The first two begin
    with nothing and are written by columns, where plain products bring the words that others take.
    To the other two the words of the second and of the third are columns of rows, and those of the
    first are the first carries of rows.
    """

    def __init__(self, c: Code) -> None:
        self.c = c
        self.free = ["r0", "r1", "r2", "r3", "r4"]
        c("ldm", "r1!", several(HALF_A))
        c("push", several(("r0", "r1", "lr")))
        c("sub", "sp", "sp", f"#{4 * FRAME}")
        c("add", B, "r2", "#16")
        c("ldm", B, several(HALF_B))
        c.note("a low, b high: columns 4 to 11")
        for k in range(8):
            self.store(self.column(k), DIGITS + 4 + k if k < 4 else PARTS + k - 4)
        c("ldmdb", B, several(HALF_B))
        c.note("a low, b low: columns 0 to 7")
        for k in range(4):
            self.store(self.column(k), DIGITS + k)
        columns = [self.column(k) for k in range(4, 8)]
        carry = self.take(DIGITS + 4)
        c("ldr", HALF_A[0], at("sp", FRAME + 1))
        c("ldm", HALF_A[0], several(HALF_A))
        c.note("a high, b low: columns 4 to 11")
        done = ""
        for j, word in enumerate(HALF_B):
            if j > 0:
                carry = self.take(DIGITS + 4 + j)
                self.store(done, DIGITS + 3 + j)
            done = self.row(columns, carry, word)
        self.store(done, DIGITS + 7)
        words = sorted(self.free, key=lambda name: int(name[1:]))[:4]
        self.free = [name for name in self.free if name not in words] + [B]
        c("ldm", B, several(words))
        c.note("a high, b high: columns 8 to 15")
        self.high: list[str] = []
        for j in range(0, 4, 2):
            carries = [self.take(PARTS + j), self.take(PARTS + j + 1)]
            self.high += [self.row(columns, carries[i], words[j + i]) for i in range(2)]
        self.high += columns
        self.free += HALF_A

    def take(self, word: int) -> str:
        """A free register with a word of the frame."""
        register = self.free.pop(0)
        self.c("ldr", register, at("sp", word))
        return register

    def store(self, register: str, word: int) -> None:
        """A register goes to a word of the frame and is free."""
        self.c("str", register, at("sp", word))
        self.free.append(register)

    def column(self, k: int) -> str:
        """Column k of a tile that begins with nothing: the register with its word.

        `waiting` has what the column before carried.
        """
        if k == 0:
            self.waiting: list[str] = []
        words, following = self.waiting, []
        for i in range(max(0, k - 3), min(k, 3) + 1):
            op = "umaal"
            if k < 4 and i == 0:
                op, low, high = "umull", self.free.pop(0), self.free.pop(0)
            else:
                low, high = words.pop(0), words.pop(0)
            self.c(op, low, high, HALF_A[i], HALF_B[k - i])
            words.insert(0, low)
            following.append(high)
        (last,) = words
        self.waiting = following
        return last

    def row(self, columns: list[str], carry: str, word: str) -> str:
        """Adds a high times a word to four columns, the carry to the first of them; they move up by
        one, and what is left behind is returned.
        """
        for column, half in zip(columns, HALF_A, strict=True):
            self.c("umaal", column, carry, half, word)
        self.free.append(word)
        columns.append(carry)
        return columns.pop(0)


def product(c: Code) -> tuple[Sequence[str], Sequence[str]]:
    """a b: the registers of columns 8 to 15, and the others; columns 0 to 7 are in the frame."""
    tiles = Tiles(c)
    return tiles.high, tiles.free
