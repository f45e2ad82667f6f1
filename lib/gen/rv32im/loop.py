"""The field of 2^255 - 19 on RV32IM in little code: products whose rows are a loop, squares
as products, formulas interpreted.

A row, all words of a times one of b, is added to eight columns in registers. What it leaves is one
column further, so that each word of it goes where the word below was: the lowest is done and goes
to memory, and the row's code serves the next word of b, at last the words above, times 38.
"""

from __future__ import annotations

from gen.rv32im.code import Code, at, enter, frame, leave
from gen.rv32im.p25519 import TWICE

WORDS, SIZE = 8, 32
A = ("t0", "t1", "t2", "t3", "t4", "t5", "t6", "s2")  # words of a, or those above
COLUMNS = ("s3", "s4", "s5", "s6", "a4", "a5", "s1", "a1")  # those used most have short codes
LOWEST, TOP, CARRY = "s0", COLUMNS[6], COLUMNS[7]
WORD, LOW, HIGHS = "s7", "s8", ("s9", "s10")
LEFT = "a3"  # rows that follow
FRAME = 2  # words: where the registers of a formula are, where its code
STACK = frame(FRAME)
LEAVE = "ecfit_p25519_loop_leave"
PRODUCT, SUM = "ecfit_p25519_loop_product", "ecfit_p25519_sum"
NUMBERS = (15 * SIZE, {"a0": 3, "a1": -1, "a2": -5})  # of registers: a mask, shifts to the right
SMALL = 3  # of field/op.h
RUN = (
    "A formula modulo 2^255 - 19, as field/op.h has it, on registers of 8 words of any value:",
    "products below 2^255 + 2^11, sums below 2^255 + 2^6, differences below 2^256; where b is "
    "small, its lowest word, below 2^26, is what multiplies, to below 2^255 + 2^32.",
    "not CT: code; n = 0 is the step of X25519",
)
END = (
    f"{LEAVE}: how ecfit_p25519_loop_mul and ecfit_p25519_loop_run end",
    "CT: all   Clobbers: what its caller has saved",
)


def row(c: Code) -> None:
    """LOWEST and COLUMNS = COLUMNS + A WORD."""
    carry, high = HIGHS
    places = (LOWEST, *COLUMNS)
    for k in range(WORDS):
        c("mul", LOW, A[k], WORD)
        c("mulhu", high, A[k], WORD)
        if k > 0:
            c.add(LOW, carry, carry)
            c("add", high, high, carry)
        c("add", places[k], COLUMNS[k], LOW)
        c("sltu", LOW, places[k], LOW)
        if k < WORDS - 1:
            c("add", high, high, LOW)
        else:
            c("add", CARRY, high, LOW)
        carry, high = high, carry


def product(c: Code) -> None:
    """[a0] = [a1] [a2]: with a3 = 8; with 0 the lowest word of [a2] alone."""
    c.load(A, "a1")
    for word in COLUMNS:
        c("li", word, 0)
    c.label("1")
    c("lw", WORD, at("a2", 0))
    c("addi", "a2", "a2", 4)
    c.label("2")
    row(c)
    c("sw", LOWEST, at("a0", 0))
    c("addi", "a0", "a0", 4)
    c("addi", LEFT, LEFT, -1)
    c("bgtz", LEFT, "1b")
    c("bltz", LEFT, "3f")
    c.note("38 times the upper half, to the lower one")
    c("addi", "a0", "a0", -SIZE)
    for word, column in zip(A, COLUMNS, strict=True):
        c("mv", word, column)
    c.load(COLUMNS, "a0")
    c("li", WORD, TWICE)
    c("j", "2b")
    c.label("3")
    c.note("what lies above bit 255 comes down as 19 each")
    c("slli", CARRY, CARRY, 1)
    c("srli", LOW, TOP, 31)
    c("add", CARRY, CARRY, LOW)
    c("slli", TOP, TOP, 1)
    c("srli", TOP, TOP, 1)
    c("li", LOW, TWICE // 2)
    c("mul", CARRY, CARRY, LOW)
    c.add(LOWEST, CARRY, LOW)
    for word in COLUMNS[:6]:
        c.add(word, LOW, LOW)
    c("add", TOP, TOP, LOW)
    c.store(COLUMNS[:7], "a0")
    c("addi", "a0", "a0", -4)
    c("sw", LOWEST, at("a0", 0))
    c("ret")


def run(c: Code) -> None:
    """The function of a formula as field/op.h has it."""
    mask, shifts = NUMBERS
    base, code, op = "s0", "s1", "a5"
    enter(c, FRAME)
    c("sw", "a0", at("sp", 0))
    c("sw", "a1", at("sp", 1))
    c.label("1")
    c("lw", base, at("sp", 0))
    c("lw", code, at("sp", 1))
    c("lhu", op, "0(" + code + ")")
    c("addi", code, code, 2)
    c("sw", code, at("sp", 1))
    c("beqz", op, "4f")
    for pointer, shift in shifts.items():
        c("srli" if shift > 0 else "slli", pointer, op, abs(shift))
        c("andi", pointer, pointer, mask)
        c("add", pointer, pointer, base)
    c("srli", op, op, 12)
    c("li", "a3", WORDS)
    c("beqz", op, "3f")
    c("li", "a3", 0)
    c("addi", op, op, -SMALL)
    c("beqz", op, "3f")
    c.note("1 is a sum, 2 a difference")
    c("andi", op, op, 1)
    c("sub", "a3", "a3", op)
    c("jal", SUM)
    c("j", "1b")
    c.label("3")
    c("jal", PRODUCT)
    c("j", "1b")
    c.label("4")
    c("j", LEAVE)


def mul(c: Code) -> None:
    """The function of a product."""
    enter(c, FRAME)
    c("li", "a3", WORDS)
    c("jal", PRODUCT)
    c("j", LEAVE)


def end(c: Code) -> None:
    """How both end."""
    leave(c, FRAME)
