"""Products and squares of 64, 128 and 256 bits for the Cortex-M3.

Its products of 64 bits take a time that depends on operands, so secrets meet MUL alone, which
keeps the low 32 bits: words are cut into halves, 16 products of halves make one of 64 by 64.

- Of words a0, a1 and b0, b1 with halves l and h the products of low halves and of high halves
  stand at words, the crossed ones 16 bits further up. The crossed ones are summed apart, a word a
  column, and are then added twice: shifted left where they stand, and shifted right one word
  further up. ADDS and ADCS take shifted operands, and MUL leaves the flags alone.
- A crossed sum has 97 bits: RRX takes the carry into what is added to the top word.
- From there on subtractive Karatsuba, as `armv6m/products.py` has it, without signs: the product
  of the differences is complemented where it is to be subtracted.

Of a call r9 alone is kept beside sp, which the functions for C do not save.
"""

from __future__ import annotations

from gen.armv6m.p448 import FRAME, HALF, SIZE, H, L, M
from gen.armv7em.code import Code, at, several

WORDS = ("r0", "r1", "r2", "r3")  # of a product of 64 by 64 bits
HALVES = ("r3", "r4", "r5", "r6")  # of a number of 64 bits, or the words of its square
MIDDLE = ("r8", "r10", "r11")
A = ("r1", "r4", "r2", "r3")  # halves: low, high of word 0, of word 1
B = ("r0", "r6", "r5", "r7")


def product64(c: Code, t: str = "r9") -> None:
    """WORDS = the number of halves A times that of halves B; loses both, MIDDLE, t and r12.

    All halves are in low registers, and all that is multiplied and added where one of them stood:
    there instructions are narrow.
    """
    al0, ah0, al1, ah1 = A
    bl0, bh0, bl1, bh1 = B
    m0, m1, m2 = MIDDLE
    lowest = "r12"
    c("mul", m1, al0, bh1)
    c("mul", t, al1, bh0)
    c("adds", m1, m1, t)
    c("mul", m2, al1, bh1)
    c("adc", m2, m2, "#0")
    c("mul", t, ah1, bl0)
    c("adds", m1, m1, t)
    c("adc", m2, m2, "#0")
    c("mul", m0, al0, bh0)
    c("mul", t, ah0, bl0)
    c("adds", m0, m0, t)
    c("mul", t, ah0, bl1)
    c("adcs", m1, m1, t)
    c("mul", t, ah1, bl1)
    c("adcs", m2, m2, t)
    c("rrx", t, m2)
    c("mul", lowest, al0, bl0)
    c("mul", al0, al0, bl1)
    c("mul", bl0, al1, bl0)
    c("mul", al1, al1, bl1)
    c("mul", bl1, ah0, bh0)
    c("mul", ah0, ah0, bh1)
    c("mul", bh0, ah1, bh0)
    c("mul", ah1, ah1, bh1)
    upper = WORDS[1:]
    assert (al0, al1, ah1) == upper
    run(c, "add", upper, (bl0, ah0, "#0"))
    run(c, "add", upper, (bl1, bh0, "#0"))
    shifted(c, WORDS, 16, f"{t}, lsr #15", begins=lowest)


def mul64(c: Code) -> None:
    """The inner function: r7:r6:r3:r0 = r2:r1 r4:r3, as ARMv6-M has it."""
    c("push", several(("lr",)))
    halves(c, "r4", "r5", "r7")
    halves(c, "r3", "r0", "r6")
    halves(c, "r1", "r1", "r4")
    halves(c, "r2", "r2", "r3")
    product64(c, "lr")
    for to, name in (("r7", "r3"), ("r6", "r2"), ("r3", "r1")):
        c("mov", to, name)
    c("pop", several(("pc",)))


def sqr64(c: Code) -> None:
    """The inner function: r7:r3:r1:r0 = (r2:r1)^2, likewise."""
    halves(c, "r2", "r5", "r6")
    halves(c, "r1", "r3", "r4")
    square64(c)
    for to, name in (("r0", "r3"), ("r1", "r4"), ("r3", "r5"), ("r7", "r6")):
        c("mov", to, name)
    c("bx", "lr", narrow=True)


def square64(c: Code) -> None:
    """HALVES = the number whose halves they are, squared; loses r2, r7, r8, r10, r11."""
    l0, h0, l1, h1 = HALVES
    m0, m1, m2, x, y = "r8", "r7", "r10", "r2", "r11"
    c("mul", m1, l0, h1)
    c("mul", x, l1, h0)
    c("adds", m1, m1, x)
    c("mul", m2, l1, h1)
    c("adc", m2, m2, "#0")
    c("mul", m0, l0, h0)
    c("mul", x, l0, l1)
    c("mul", y, h0, h1)
    for name in HALVES:
        c("mul", name, name, name)
    for _ in range(2):
        run(c, "add", (h0, l1, h1), (x, y, "#0"))
    shifted(c, HALVES, 17, f"{m2}, lsr #15", (m0, m1, m2))


def shifted(  # noqa: PLR0917 - as it stands in an instruction
    c: Code,
    words: tuple[str, ...],
    bits: int,
    top: str,
    middle: tuple[str, ...] = MIDDLE,
    begins: str = "",
) -> None:
    """Adds three words so many bits further up; `top`: what of them is in the fourth; `begins`:
    where the lowest word stands before.
    """
    left = [f"{name}, lsl #{bits}" for name in middle]
    right = [f"{name}, lsr #{32 - bits}" for name in middle[:2]]
    c("adds", words[0], begins or words[0], left[0])
    for name, other in zip(words[1:], (*left[1:], "#0"), strict=True):
        c("adcs", name, name, other)
    run(c, "add", words[1:], (*right, top))


CARRYING = {"add": "adcs", "sub": "sbcs"}


def run(c: Code, operation: str, words: tuple[str, ...], others: tuple[str, ...]) -> None:
    """Adds or subtracts the others, a word each; what the last one carries is in C."""
    for index, (name, other) in enumerate(zip(words, others, strict=True)):
        c(CARRYING[operation] if index else f"{operation}s", name, name, other)


def halves(c: Code, word: str, low: str, high: str) -> None:
    """The halves of a word, whose register one of them may be."""
    steps = [("uxth", low, word), ("lsr", high, word, "#16")]
    for step in reversed(steps) if word == low else steps:
        c(*step)


def distance(c: Code, x: tuple[str, ...], y: tuple[str, ...], out: tuple[str, ...]) -> str:
    """out = |x - y|; returns the register of y that is all ones where it was negative, else 0."""
    for index, (first, second) in enumerate(zip(x, y, strict=True)):
        c("sbcs" if index else "subs", first, first, second)
    mask = y[0]
    c("sbc", mask, mask, mask)
    for name in x:
        c("eor", name, name, mask)
    for index, (to, name) in enumerate(zip(out, x, strict=True)):
        last = index == len(x) - 1
        c(("sbc" if index else "sub") + ("" if last else "s"), to, name, mask)
    return mask


def together(c: Code, low: tuple[str, ...], high: tuple[str, ...], out: tuple[str, ...]) -> None:
    """Words 2 to 7 of a product of four words, but for that of the differences.

    What the middle sum carries goes to the high words of the high half first, which cannot
    overflow.
    """
    p0, p1, s0, s1 = low
    q0, q1, q2, q3 = high
    run(c, "add", (s0, s1, q2, q3), (q0, q1, "#0", "#0"))
    for index, (to, x, y) in enumerate(
        zip(out, (p0, p1, s0, s1, q2, q3), (s0, s1, q2, q3, "#0", "#0"), strict=True)
    ):
        last = index == len(out) - 1
        c(("adc" if index else "add") + ("" if last else "s"), to, x, y)


def mul128(c: Code) -> None:
    """The inner function: r0 = r1 r2, four words each; r1, r2 stay, r0 ends behind the result."""
    c("push", several(("r0", "r1", "r2", "r9", "lr")))
    c("sub", "sp", "sp", "#16")
    c.note("|a0 - a1| |b0 - b1|; lr: all ones where it is to be subtracted")
    c("ldm", "r1", several(("r1", "r3", "r5", "r6")))
    first = distance(c, ("r1", "r3"), ("r5", "r6"), ("r1", "r3"))
    c("ldm", "r2!", several(("r0", "r4", "r6", "r7")))
    second = distance(c, ("r0", "r4"), ("r6", "r7"), ("r0", "r4"))
    c("eor", second, second, first)
    c("mvn", "lr", second)
    halves(c, "r4", "r5", "r7")
    halves(c, "r0", "r0", "r6")
    halves(c, "r1", "r1", "r4")
    halves(c, "r3", "r2", "r3")
    product64(c)
    for name in WORDS:
        c("eor", name, name, "lr")
    c("stm", "sp", several(WORDS))
    c.note("a0 b0")
    load_halves(c, 0)
    product64(c)
    c("ldr", "r4", "[sp, #16]")
    c("stm", "r4!", several(WORDS))
    c.note("a1 b1")
    load_halves(c, 8)
    product64(c)
    c.note("the three together")
    low = ("r4", "r5", "r6", "r7")
    c("ldr", low[0], "[sp, #16]")
    c("ldm", low[0], several(low))
    out = (*low, "r2", "r3")
    together(c, low, WORDS, out)
    between = ("r0", "r1", "r8", "r10")
    c("ldm", "sp", several(between))
    c("adds", "r12", "lr", "lr")
    for name, other in zip(out, (*between, "lr", "lr"), strict=True):
        c("adcs", name, name, other)
    c("ldr", "r0", "[sp, #16]")
    c("adds", "r0", "r0", "#8")
    c("stm", "r0!", several(low))
    c("stm", "r0!", several(out[4:]))
    c("add", "sp", "sp", "#20")
    c("pop", several(("r1", "r2", "r9", "pc")))


def load_halves(c: Code, offset: int, place: int = 20) -> None:
    """A and B from the operands, whose pointers are on the stack."""
    c("ldr", A[3], f"[sp, #{place}]")
    c("ldr", B[3], f"[sp, #{place + 4}]")
    for names in (A, B):
        for index, name in enumerate(names):
            c("ldrh", name, f"[{names[3]}, #{offset + 2 * index}]")


def sqr128(c: Code) -> None:
    """The inner function: r0 = r1^2, four words; r1 stays, r0 ends behind the result."""
    low = ("r7", "r8", "r10", "r11")
    c("push", several(("lr",)))
    c.note("(a0 - a1)^2")
    c("ldm", "r1", several(HALVES))
    distance(c, ("r3", "r4"), ("r5", "r6"), ("r7", "r8"))
    halves(c, "r7", "r3", "r4")
    halves(c, "r8", "r5", "r6")
    square64(c)
    c("push", several(HALVES))
    c.note("a0^2")
    for offset in (0, 8):
        for index, name in enumerate(HALVES):
            c("ldrh", name, f"[r1, #{offset + 2 * index}]")
        square64(c)
        if not offset:
            c("stm", "r0", several(HALVES))
            c.note("a1^2")
    c.note("the three together")
    c("ldm", "r0", several(low))
    out = ("r3", "r4", *low)
    between = ("r2", "r12", *low)
    together(c, low, HALVES, between)
    c("pop", several(HALVES))
    for index, (to, name, other) in enumerate(
        zip(out, between, (*HALVES, "#0", "#0"), strict=True)
    ):
        c("sbcs" if index else "subs", to, name, other)
    c("add", "r0", "r0", "#8")
    c("stm", "r0!", several(out))
    c("pop", several(("pc",)))


# ---- 96 bits ----------------------------------------------------------------------------------

X, Y, T = ("r8", "r10"), ("r11", "r12", "lr", "r0"), "r9"  # halves of a word, of two, and a product


def mul96(c: Code) -> None:
    """The inner function: six words at r0, which goes on, = three at r1 times three at r2. To the
    product of two words each comes what has an upper word.
    """
    words, sums = ("r1", "r2", "r3", "r4"), ("r5", "r6", "r7")  # 2 to 5, and the crossed ones
    (xl, xh), (l0, h0, l1, h1) = X, Y
    c("push", several(("r0", "r1", "r2", "r9", "lr")))
    load_halves(c, 0, 4)
    product64(c)
    c("ldr", "r4", "[sp]")
    c("stm", "r4", several(WORDS[:2]))
    c("mov", "r1", "r2")
    c("mov", "r2", "r3")
    for upper, other in ((4, 8), (8, 4)):
        c.note("an upper word, and the lower words of the other operand")
        c("ldr", "r0", f"[sp, #{upper}]")
        upper_halves(c, X)
        c("ldr", "r0", f"[sp, #{other}]")
        for index, name in enumerate(Y):
            c("ldrh", name, f"[r0, #{2 * index}]")
        if upper == 4:
            for name in (*words[2:], *sums):
                c("mov", name, "#0")
        chain(c, words, ((xl, l0), (xh, h0), (xh, h1)))
        c("mul", T, xl, l1)
        run(c, "add", words[1:], (T, "#0", "#0"))
        chain(c, sums, ((xl, h0), (xl, h1)))
        chain(c, sums, ((xh, l0), (xh, l1)))
    c.note("the upper words")
    c("ldr", "r0", "[sp, #4]")
    upper_halves(c, (l0, h0))
    chain(c, words[2:], ((xl, l0), (xh, h0)))
    for half, above in ((xl, h0), (xh, l0)):
        c("mul", T, half, above)
        c("adds", sums[2], sums[2], T)
    c("rrx", T, sums[2])
    shifted(c, words, 16, f"{T}, lsr #15", sums)
    c("ldr", "r0", "[sp]")
    c("add", "r0", "r0", "#8")
    c("stm", "r0!", several(words))
    c("add", "sp", "sp", "#12")
    c("pop", several(("r9", "pc")))


def upper_halves(c: Code, names: tuple[str, str]) -> None:
    """Those of the third word at r0."""
    for name, offset in zip(names, (8, 10), strict=True):
        c("ldrh", name, f"[r0, #{offset}]")


def chain(c: Code, words: tuple[str, ...], pairs: tuple[tuple[str, str], ...]) -> None:
    """Words += products of halves, one each, and what they carry."""
    for index, (name, pair) in enumerate(zip(words, pairs, strict=False)):
        c("mul", T, *pair)
        c("adcs" if index else "adds", name, name, T)
    for name in words[len(pairs) :]:
        c("adcs", name, name, "#0")


def sqr96(c: Code) -> None:
    """The inner function: six words at r0, which goes on, = three at r1, squared."""
    words, (xl, xh) = ("r5", "r6", "r10", "r11"), ("r10", "r11")
    twice, sums = ("r7", "r3", "r12"), ("r8", "r2", "r4")
    c("push", several(("lr",)))
    for index, name in enumerate(HALVES):
        c("ldrh", name, f"[r1, #{2 * index}]")
    square64(c)
    c("stm", "r0", several(HALVES[:2]))
    for half, offset in zip((xl, xh, "r2", "r3", "r4", "r12"), (8, 10, 0, 2, 4, 6), strict=True):
        c("ldrh", half, f"[r1, #{offset}]")
    c("mul", "r7", xl, "r2")
    c("mul", "r2", xh, "r2")
    c("mul", "r8", xl, "r3")
    c("mul", "r3", xh, "r3")
    c("adds", "r8", "r8", "r2")
    c("mul", "lr", xl, "r4")
    c("mul", "r4", xh, "r4")
    c("mul", "r2", xl, "r12")
    c("adcs", "r2", "r2", "r4")
    c("mul", "r12", xh, "r12")
    c("mul", "r4", xl, xh)
    c("adc", "r4", "r4", "#0")
    c("adds", "r3", "r3", "lr")
    c("adc", "r12", "r12", "#0")
    for name in (xl, xh):
        c("mul", name, name, name)
    for _ in range(2):
        run(c, "add", words, (*twice, "#0"))
    shifted(c, words, 17, f"{sums[2]}, lsr #15", sums)
    c("add", "r0", "r0", "#8")
    c("stm", "r0!", several(words))
    c("pop", several(("pc",)))


# ---- 224 and 256 bits ----------------------------------------------------------------------------

LOW = ("r1", "r2", "r3", "r4")
HIGH = ("r5", "r6", "r7", "r8")
BELOW = ("r10", "r11", "r12", "lr")


def distance128(c: Code, above: int = 4) -> str:
    """To r0, which goes on: |x0 - x1| of the two blocks of four words at r1, of which the second
    may have three; its mask.
    """
    x, y = ("r3", "r4", "r5", "r6"), ("r7", "r8", "r10", "r11")
    c("ldm", "r1!", several(x))
    c("ldm", "r1", several(y[:above]))
    mask = distance(c, x, (*y[:above], "#0")[:4], x)
    c("stm", "r0!", several(x))
    return mask


def mul256(c: Code) -> None:
    """The inner function: 16 words at r0 = 8 at r1 times 8 at r2. Loses all but r9."""
    multiplied(c, 4)


def mul224(c: Code) -> None:
    """The inner function: 14 words at r0 = 7 at r1 times 7 at r2. Loses all but r9."""
    multiplied(c, 3)


def multiplied(c: Code, above: int) -> None:
    """By blocks of four words, and of so many above."""
    high = HIGH[: 2 * above - 4]
    c("push", several(("r0", "r1", "r2", "r9", "lr")))
    c("sub", "sp", "sp", "#32")
    c.note("the differences, where the product will be; then their product, to the stack")
    mask = distance128(c, above)
    c("mov", "r12", mask)
    c("mov", "r1", "r2")
    mask = distance128(c, above)
    c("eor", "r9", mask, "r12")
    c("mvn", "r9", "r9")
    c("sub", "r2", "r0", "#16")
    c("sub", "r1", "r0", "#32")
    c("mov", "r0", "sp")
    c("bl", "ecfit_mul128")
    c.note("low and high half")
    for index in range(3):
        c("ldr", f"r{index}", at("sp", 8 + index))
    c("bl", "ecfit_mul128")
    c("add", "r1", "r1", "#16")
    c("add", "r2", "r2", "#16")
    c("bl", f"ecfit_mul{32 * above}")
    halves_together(c, high)
    c("stm", "r0", several(high))
    c.note("the product of the differences; r9: all ones where it is subtracted")
    c("adds", "r5", "r9", "r9")
    signed(c, 0, BELOW)
    signed(c, 4, LOW)
    c("ldm", "r0", several(high))
    for name in high:
        c("adcs", name, name, "r9")
    finish(c, high)
    c("add", "sp", "sp", "#44")
    c("pop", several(("r9", "pc")))


def signed(c: Code, word: int, names: tuple[str, ...]) -> None:
    """Adds four words of the product of the differences, complemented by r9."""
    for index, name in enumerate(HIGH):
        c("ldr", name, at("sp", word + index))
    for name in HIGH:
        c("eor", name, name, "r9")
    for name, other in zip(names, HIGH, strict=True):
        c("adcs", name, name, other)


def halves_together(c: Code, high: tuple[str, ...]) -> None:
    """Words 4 to 15, in BELOW, LOW, `high`, of the halves behind which r0 is, without the product
    of the differences; r0: word 12. There may be 14.
    """
    c.note("the middle: high words of the low half and low words of the high one")
    c("sub", "r0", "r0", f"#{32 + 4 * len(high)}")
    c("ldm", "r0", several((*LOW, *HIGH)))
    c("adds", LOW[0], LOW[0], HIGH[0])
    for name, other in zip(LOW[1:], HIGH[1:], strict=True):
        c("adcs", name, name, other)
    c("add", "r0", "r0", "#32")
    c("ldm", "r0", several(high))
    upper = HIGH[: max(3, len(high))]  # two words may be all ones
    for name in upper[len(high) :]:
        c("mov", name, "#0")
    for name in upper:
        c("adcs", name, name, "#0")
    c("sub", "r12", "r0", "#48")
    c("ldm", "r12", several(BELOW))
    for index, (name, other) in enumerate(zip(BELOW, LOW, strict=True)):
        c("adcs" if index else "adds", name, name, other)
    for name, other in zip(LOW, (*upper, "#0"), strict=False):
        c("adcs", name, name, other)
    for name in high:
        c("adcs", name, name, "#0")


def finish(c: Code, high: tuple[str, ...]) -> None:
    """Those words to where they belong; r0: behind them."""
    c("sub", "r0", "r0", "#32")
    c("stm", "r0!", several(BELOW))
    c("stm", "r0!", several((*LOW, *high)))


def sqr256(c: Code) -> None:
    """The inner function: 16 words at r0 = those 8 at r1, squared. Loses all but r9."""
    squared(c, 4)


def sqr224(c: Code) -> None:
    """The inner function: 14 words at r0 = those 7 at r1, squared. Loses all but r9."""
    squared(c, 3)


def squared(c: Code, above: int) -> None:
    """By blocks of four words, and of so many above."""
    high = HIGH[: 2 * above - 4]
    c("push", several(("r0", "r1", "lr")))
    c("sub", "sp", "sp", "#32")
    c.note("the difference, where the square will be; then its square, to the stack")
    distance128(c, above)
    c("sub", "r1", "r0", "#16")
    c("mov", "r0", "sp")
    c("bl", "ecfit_sqr128")
    c.note("low and high half")
    c("ldr", "r0", at("sp", 8))
    c("ldr", "r1", at("sp", 9))
    c("bl", "ecfit_sqr128")
    c("add", "r1", "r1", "#16")
    c("bl", f"ecfit_sqr{32 * above}")
    halves_together(c, high)
    c("stm", "r0", several(high))
    c.note("the square of the difference")
    for word, names in ((0, BELOW), (4, LOW)):
        for index, name in enumerate(HIGH):
            c("ldr", name, at("sp", word + index))
        for index, (name, other) in enumerate(zip(names, HIGH, strict=True)):
            c("sbcs" if word + index else "subs", name, name, other)
    c("ldm", "r0", several(high))
    for name in high:
        c("sbcs", name, name, "#0")
    finish(c, high)
    c("add", "sp", "sp", "#40")
    c("pop", several(("pc",)))


def both256(c: Code) -> None:
    """A product for either; the backend armv6m has one that is a square where operands are one."""
    c("b", "ecfit_mul256")


# ---- modulo 2^448 - 2^224 - 1 ------------------------------------------------------------------

SEVEN, FOUR = ("r1", "r2", "r3", "r4", "r5", "r6", "r7"), ("r8", "r10", "r11", "r12")
SIGN = "lr, asr #31"


def p448_mul(c: Code) -> None:
    """r0 = r1 r2: as `armv6m/p448.py` has it, with seven words in registers."""
    golden(c, "mul", 2)


def p448_sqr(c: Code) -> None:
    """r0 = r1^2."""
    golden(c, "sqr", 1)


def golden(c: Code, op: str, operands: int) -> None:
    """m, l and h on the stack, then what they come to."""
    c("push", several((*("r0", "r1", "r2")[: operands + 1], "lr")))
    c("sub", "sp", "sp", f"#{FRAME}")
    c.note("the sums of halves, 8 words each, and their product")
    c("add", "r0", "sp", f"#{L}")
    for index in range(operands):
        if index:
            c("mov", "r1", "r2")
        half_sum(c)
    for index in range(operands):
        c("add", f"r{index + 1}", "sp", f"#{L + 32 * index}")
    c("mov", "r0", "sp")
    c("bl", f"ecfit_{op}256")
    for part, offset in ((L, 0), (H, HALF)):
        for index in range(1, operands + 1):
            c("ldr", f"r{index}", f"[sp, #{FRAME + 4 * index}]")
        for index in range(1, operands + 1):
            if offset:
                c("add", f"r{index}", f"r{index}", f"#{offset}")
        c("add", "r0", "sp", f"#{part}")
        c("bl", f"ecfit_{op}224")
    folded(c)
    c("add", "sp", "sp", f"#{FRAME + 4 * operands + 4}")
    c("pop", several(("pc",)))


def half_sum(c: Code) -> None:
    """To r0, which goes on, 8 words: the sum of the halves at r1. Keeps r2."""
    words, some = ("r3", "r4", "r5", "r6", "r7", "r8", "r10"), ("r11", "r12", "lr")
    c("ldm", "r1!", several(words))
    for first in (0, 3):
        c("ldm", "r1!", several(some))
        for index, (name, other) in enumerate(zip(words[first:], some, strict=False)):
            c("adcs" if first + index else "adds", name, name, other)
    c("ldr", "r11", "[r1]")
    c("adcs", "r10", "r10", "r11")
    c("mov", "r11", "#0")
    c("adc", "r11", "r11", "#0")
    c("stm", "r0!", several((*words, "r11")))


def folded(c: Code) -> None:
    """To where the word behind the frame says: l + h + F (m - l), what is of m - l above F twice.
    lr: what is above F, of the upper words, then of the lower ones, to which the first is added,
    and which come to the upper ones with it.
    """
    c.note("the upper words")
    c("add", "r0", "sp", f"#{H + HALF}")
    c("ldm", "r0", several(SEVEN))
    c("mov", "lr", "#0")
    for place, operation in ((M, "add"), (M + HALF, "add"), (L, "sub")):
        seven_more(c, place, operation)
    c("ldr", "r0", f"[sp, #{M + SIZE}]")
    c("add", "lr", "lr", "r0")
    c("ldr", "r0", f"[sp, #{FRAME}]")
    c("add", "r0", "r0", f"#{HALF}")
    c("stm", "r0", several(SEVEN))
    c.note("the lower words")
    c("add", "r0", "sp", f"#{H}")
    c("ldm", "r0", several(SEVEN))
    run(c, "add", SEVEN, ("lr", *[SIGN] * 6))
    c("adc", "lr", "lr", SIGN)
    for place, operation in ((L, "add"), (M + HALF, "add"), (L + HALF, "sub")):
        seven_more(c, place, operation)
    c("ldr", "r0", f"[sp, #{M + SIZE}]")
    c("add", "lr", "lr", "r0")
    c.note("what is above F")
    c("ldr", "r0", f"[sp, #{FRAME}]")
    c("add", "r0", "r0", f"#{HALF}")
    c("ldm", "r0", several(FOUR))
    run(c, "add", FOUR, ("lr", *[SIGN] * 3))
    c("stm", "r0!", several(FOUR))
    c("ldm", "r0", several(FOUR[:3]))
    for name in FOUR[:3]:
        c("adcs", name, name, SIGN)
    c("stm", "r0", several(FOUR[:3]))
    c("mov", "r8", "#0")
    c("adc", "lr", "r8", SIGN)
    c("sub", "r0", "r0", f"#{16 + HALF}")
    c("ldr", "r8", f"[r0, #{HALF}]")
    run(c, "add", SEVEN, ("lr", *[SIGN] * 6))
    c("adc", "r8", "r8", SIGN)
    c("add", "r8", "r8", "lr")
    c("str", "r8", f"[r0, #{HALF}]")
    c("stm", "r0", several(SEVEN))


def seven_more(c: Code, place: int, operation: str) -> None:
    """Adds to SEVEN, or subtracts, seven words of the stack; lr has what is carried."""
    c("add", "r0", "sp", f"#{place}")
    for names in (SEVEN[:4], SEVEN[4:]):
        some = FOUR[: len(names)]
        c("ldm", "r0!" if names[0] == "r1" else "r0", several(some))
        for name, other in zip(names, some, strict=True):
            c(f"{operation}s" if name == "r1" else CARRYING[operation], name, name, other)
    c(CARRYING[operation][:3], "lr", "lr", "#0")


# ---- Montgomery's reduction --------------------------------------------------------------------

KEPT = ("r4", "r5", "r6", "r7", "r8", "r10", "r11")
REDC_FRAME = 3  # words: what is carried, 4n, where the last row begins


def redc(c: Code) -> None:
    """r0 = t, r1 = m, r2 = -1/m modulo 2^32, r3 = n: Montgomery's reduction by rows, two words of m
    a turn; returns the carry. r12: what a word carries.
    """
    end = "lr"
    c("push", several((*KEPT, "lr")))
    c("sub", "sp", "sp", f"#{4 * REDC_FRAME}")
    c("mov", "r11", "r2")
    c("lsl", "r3", "r3", "#2")
    c("add", end, "r1", "r3")
    c("str", "r3", at("sp", 1))
    c("add", "r3", "r3", "r0")
    c("str", "r3", at("sp", 2))
    c("mov", "r4", "#0")
    c("str", "r4", at("sp", 0))
    c.label("1")
    c("ldr", "r2", at("r0", 0))
    c("mul", "r2", "r2", "r11")
    c("lsr", "r3", "r2", "#16")
    c("uxth", "r2", "r2")
    c("mov", "r12", "#0")
    c.label("2")
    for _ in range(2):
        redc_word(c)
    c("cmp", "r1", end, narrow=True)
    c("bne", "2b", narrow=True)
    c.note("the word above, and what is carried")
    c("ldr", "r4", at("r0", 0))
    c("ldr", "r5", at("sp", 0))
    c("ldr", "r3", at("sp", 1))
    c("ldr", "r7", at("sp", 2))
    c("mov", "r6", "#0")
    for name in ("r12", "r5"):
        c("adds", "r4", "r4", name)
        c("adc", "r6", "r6", "#0")
    c("str", "r4", at("r0", 0))
    c("str", "r6", at("sp", 0))
    c("sub", "r1", "r1", "r3")
    c("sub", "r0", "r0", "r3")
    c("add", "r0", "r0", "#4")
    c("cmp", "r0", "r7", narrow=True)
    c("bne", "1b", narrow=True)
    c("mov", "r0", "r6")
    c("add", "sp", "sp", f"#{4 * REDC_FRAME}")
    c("pop", several((*KEPT, "pc")))


def redc_word(c: Code) -> None:
    """A word at r0, which goes on: it, r12, and r3:r2 times a word of m, at r1, likewise."""
    low, high, middle = "r6", "r7", "r8"
    c("ldr", "r4", "[r1]", "#4")
    c("ldr", "r10", "[r0]")
    halves(c, "r4", "r4", "r5")
    c("mul", middle, "r4", "r3")
    c("mul", low, "r4", "r2")
    c("mul", "r4", "r5", "r2")
    c("mul", high, "r5", "r3")
    for name in ("r12", "r10"):
        c("adds", low, low, name)
        c("adc", high, high, "#0")
    c("adds", low, low, f"{middle}, lsl #16")
    c("adc", high, high, f"{middle}, lsr #16")
    c("adds", low, low, "r4, lsl #16")
    c("adc", "r12", high, "r4, lsr #16")
    c("str", low, "[r0]", "#4")


# ---- modulo 2^521 - 1 --------------------------------------------------------------------------

EIGHT = ("r3", "r4", "r5", "r6", "r7", "r8", "r10", "r11")
ABOVE, FRAME_521 = 4 * 16, 136
"""Of the word of an element above 512 bits, and of the frame, which is that of `armv6m/p521.py`."""
ROW, CARRIED, MASK_521 = 64, 128, 132


def mul521(c: Code) -> None:
    """The inner function: 36 words at r0 = 18 at r1 times 18 at r2, both below 2^521."""
    product521(c, "mul", 2)


def sqr521(c: Code) -> None:
    """The inner function: 36 words at r0 = 18 at r1, squared, below 2^521."""
    product521(c, "sqr", 1)


def product521(c: Code, op: str, operands: int) -> None:
    """By three products of 256 bits, and a row for the 9 bits above."""
    names = ("r0", "r1", "r2")[: operands + 1]
    c("push", several((*names, "lr")))
    c("sub", "sp", "sp", f"#{FRAME_521}")
    c.note("the differences, where the product will be; then their product, to the stack")
    for index in range(operands):
        if index:
            c("str", "r12", f"[sp, #{MASK_521}]")
            c("ldr", "r1", f"[sp, #{FRAME_521 + 8}]")
        distance256(c)
    if operands == 2:
        c("ldr", "r3", f"[sp, #{MASK_521}]")
        c("eor", "r3", "r3", "r12")
        c("mvn", "r3", "r3")
        c("str", "r3", f"[sp, #{MASK_521}]")
    for index, name in enumerate(names[1:]):
        c("sub", name, "r0", f"#{32 * (operands - index)}")
    c("mov", "r0", "sp")
    c("bl", f"ecfit_{op}256")
    for half in range(2):
        for index, name in enumerate(names):
            c("ldr", name, f"[sp, #{FRAME_521 + 4 * index}]")
        if half:
            for name in names:
                c("add", name, name, "#64" if name == "r0" else "#32")
        c("bl", f"ecfit_{op}256")
    lower521(c, square=operands == 1)
    row521(c, square=operands == 1)
    upper521(c, square=operands == 1)
    c("add", "sp", "sp", f"#{FRAME_521 + 4 * len(names)}")
    c("pop", several(("pc",)))


def distance256(c: Code) -> None:
    """To r0, which goes on: |x0 - x1| of the two blocks of eight words at r1; r12: its mask."""
    c("ldm", "r1!", several(EIGHT))
    others = ("r2", "r12", "lr")
    for first in range(0, 8, 3):
        names = EIGHT[first : first + 3]
        c("ldm", "r1!", several(others[: len(names)]))
        for name, other in zip(names, others, strict=False):
            c("subs" if name == "r3" else "sbcs", name, name, other)
    c("sbc", "r12", "r12", "r12")
    for name in EIGHT:
        c("eor", name, name, "r12")
    run(c, "sub", EIGHT, ("r12",) * 8)
    c("stm", "r0!", several(EIGHT))


def on_stack(
    c: Code, place: int, others: tuple[str, ...], steps: tuple[str, str], mask: str = ""
) -> None:
    """EIGHT and eight words of the stack, or these and a mask: a first step and others."""
    for first in range(0, 8, len(others)):
        names = EIGHT[first : first + len(others)]
        for index, other in enumerate(others[: len(names)]):
            c("ldr", other, f"[sp, #{place + 4 * (first + index)}]")
        for other in others[: len(names)] if mask else ():
            c("eor", other, other, mask)
        for name, other in zip(names, others, strict=False):
            c(steps[name != "r3"], name, name, other)


def signed521(c: Code, place: int, others: tuple[str, ...], *, begins: bool, square: bool) -> None:
    """EIGHT less half of the product of the differences, or and it by the mask r12."""
    if square:
        on_stack(c, place, others, ("subs" if begins else "sbcs", "sbcs"))
        return
    if begins:
        c("adds", others[0], "r12", "r12")
    on_stack(c, place, others, ("adcs", "adcs"), "r12")


def eight_more(c: Code, others: tuple[str, ...]) -> None:
    """EIGHT += eight words at r0, which goes on."""
    for first in range(0, 8, len(others)):
        names = EIGHT[first : first + len(others)]
        c("ldm", "r0!", several(others[: len(names)]))
        for name, other in zip(names, others, strict=False):
            c("adds" if name == "r3" else "adcs", name, name, other)


def lower521(c: Code, *, square: bool) -> None:
    """Words 8 to 15 of t. Half of the middle sum is added twice, and waits in its upper place.
    r1: what sums carry, of which that of the half is on the stack; lr: less 1 where that of the
    differences is 0.
    """
    four = ("r1", "r2", "r12", "lr")
    c.note("words 8 to 15")
    c("ldr", "r0", f"[sp, #{FRAME_521}]")
    c("add", "r0", "r0", "#32")
    c("ldm", "r0!", several(EIGHT))
    eight_more(c, four)
    c("mov", "r1", "#0")
    c("adc", "r1", "r1", "#0")
    c("str", "r1", f"[sp, #{CARRIED}]")
    c("sub", "r0", "r0", "#32")
    c("stm", "r0", several(EIGHT))
    c("sub", "r0", "r0", "#64")
    eight_more(c, four)
    c("ldr", "r1", f"[sp, #{CARRIED}]")
    c("adc", "r1", "r1", "#0")
    if not square:
        c("ldr", "r12", f"[sp, #{MASK_521}]")
    signed521(c, 0, ("r2", "r12", "lr") if square else ("r2", "lr"), begins=True, square=square)
    c("sbc", "lr", "lr", "lr")
    c("stm", "r0", several(EIGHT))


def row521(c: Code, *, square: bool) -> None:
    """To the stack 17 words: those of each operand times what the other has above them, and r1.
    Sums of low halves and of high halves are below 2^26 each; r8: what the word before left; r10:
    what comes to word 8; lr stays.
    """
    c.note("the row")
    others = ("r7", "r0")
    c("mov", "r8", "r1")
    c("ldr", "r10", f"[sp, #{CARRIED}]")
    c("ldr", "r1", f"[sp, #{FRAME_521 + 4}]")
    if not square:
        c("ldr", "r2", f"[sp, #{FRAME_521 + 8}]")
    c("ldr", "r3", f"[r1, #{ABOVE}]")
    if square:
        c("add", "r4", "r3", "r3")
    else:
        c("ldr", "r4", f"[r2, #{ABOVE}]")
    c("mov", "r12", "#0")
    for k in range(16):
        low, high = others if square and k % 2 else ("r5", "r6")
        if not square or k % 2 == 0:
            load_row(c, k, "r1" if square else "r2")
        for name in (low, high):
            c("mul", name, name, "r4")
        if not square:
            for name, other in zip((low, high), others, strict=True):
                c("mul", other, other, "r3")
                c("add", name, name, other)
        c("add", low, low, "r8")
        if k == 8:
            c("add", low, low, "r10")
        c("adds", low, low, f"{high}, lsl #16")
        c("adc", "r8", "r12", f"{high}, lsr #16")
        c("str", low, f"[sp, #{ROW + 4 * k}]")
    c("mul", "r3", "r3", "r3" if square else "r4")
    c("add", "r8", "r8", "r3")
    c("str", "r8", f"[sp, #{ROW + 64}]")


def load_row(c: Code, k: int, second: str) -> None:
    """Halves of word k at r1, and of word k at the second operand or of the word behind it."""
    more = 4 * (second == "r1")
    for name, pointer, offset in (
        ("r5", "r1", 0),
        ("r6", "r1", 2),
        ("r7", second, more),
        ("r0", second, more + 2),
    ):
        c("ldrh", name, f"[{pointer}, #{4 * k + offset}]")


def upper521(c: Code, *, square: bool) -> None:
    """Its words from 16 on. r12: what is carried to word 24, with a sign."""
    three, sign = ("r1", "r2", "lr"), "r12, asr #31"
    c.note("words 16 to 23")
    c("ldr", "r0", f"[sp, #{FRAME_521}]")
    c("add", "r0", "r0", "#64")
    c("ldm", "r0!", several(EIGHT))
    if not square:
        c("ldr", "r12", f"[sp, #{MASK_521}]")
    c("rsbs", "lr", "lr", "#0")
    signed521(c, 32, three, begins=False, square=square)
    if square:
        c("sbc", "r12", "r12", "r12")
    else:
        c("adc", "r12", "r12", "#0")
    eight_more(c, three)
    c("adc", "r12", "r12", "#0")
    on_stack(c, ROW, three, ("adds", "adcs"))
    c("sub", "r0", "r0", "#64")
    c("stm", "r0!", several(EIGHT))
    c.note("words 24 to 31")
    c("ldm", "r0", several(EIGHT))
    on_stack(c, ROW + 32, three, ("adcs", "adcs"))
    c("ldr", "r1", f"[sp, #{ROW + 64}]")
    c("adc", "r1", "r1", "#0")
    run(c, "add", EIGHT, ("r12", *[sign] * 7))
    c("adc", "r1", "r1", sign)
    c("stm", "r0!", several(EIGHT))
    c.note("word 32, and zeros")
    for name in ("r2", "r3", "r4"):
        c("mov", name, "#0")
    c("stm", "r0!", several(("r1", "r2", "r3", "r4")))


def redc521(c: Code) -> None:
    """r0 = t/2^576, as `armv6m/p521.py` has it; shifts leave C alone."""
    c.note("words 0 and 1 to words 32 to 34")
    for name, place in (("r3", 0), ("r4", 1), ("r5", 32)):
        c("ldr", name, at("sp", place))
    c("orr", "r5", "r5", "r3, lsl #18")
    c("lsr", "r3", "r3", "#14")
    c("orr", "r3", "r3", "r4, lsl #18")
    c("ubfx", "r6", "r4", "#14", "#9")
    for k, name in enumerate(("r5", "r3", "r6"), 32):
        c("str", name, at("sp", k))
    c("mov", "r2", "r0")
    c("cmp", "r0", "r0", narrow=True)
    held, others = "r4", ("r3", "r5", "r6", "r7")
    for k in range(0, 16, 2):
        first, second, low, high = others
        for name, place in zip(others, (k + 2, k + 3, k + 18, k + 19), strict=True):
            c("ldr", name, at("sp", place))
        for name, above in ((held, first), (first, second)):
            c("lsr", name, name, "#23")
            c("orr", name, name, f"{above}, lsl #9")
        c("adcs", held, held, low)
        c("adcs", first, first, high)
        c("str", held, at("r2", k))
        c("str", first, at("r2", k + 1))
        held, others = second, (held, first, low, high)
    c("ldr", "r12", at("sp", 34))
    c("lsr", held, held, "#23")
    c("adc", "r12", "r12", held)
    c("mov", "r1", "#0")
    c("lsrs", "r11", "r12", "#10")
    for _ in range(2):
        c("ldm", "r0", several(EIGHT))
        for name in EIGHT:
            c("sbcs", name, name, "r1")
        c("stm", "r0!", several(EIGHT))
    c("sbcs", "r12", "r12", "r1")
    c("ubfx", "r2", "r12", "#0", "#9")
    c("str", "r2", at("r0", 0))
    c("str", "r1", at("r0", 1))
    c("bx", "lr", narrow=True)
