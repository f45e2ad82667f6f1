"""The field of P-256 on the Cortex-M4: p = 2^256 - 2^224 + 2^192 + 2^96 - 1, elements times R =
2^256, below p.

Words are counted from the lowest, B = 2^32; column k is what stands at B^k. Montgomery's
reduction makes the low columns zero by adding a multiple m of p, and -1/p is 1 modulo 2^96: so
digit k of m is column k itself as it stands when all below is done. p + 1 = B^3 + B^6 + (B - 1)
B^7, so m p = -m + m B^3 + m B^6 + (B - 1) m B^7, and

    T + m p = (the low columns become zero) + m B^3 + m B^6 + (B - 1) m B^7.

In the low columns the first two terms cost nothing: they are first carries of rows of the
product. What m adds above column 7 is three chains over the result: (B - 1) m by UMAAL with B - 1
= ~0, and two of additions.

Routines keep nothing but sp: formulas call them many times and save registers once. They leave the
result in r0 to r7, and in r8 or r10 a pointer of the caller's to where it may be stored. Products
take pointers r0 = result, r1 = a, r2 = b, squares r0 and r8 = a, sums and differences r8 = result,
r9 = a, r10 = b, and these have a second way in, `on`, for an a that stands in r0 to r7.
"""

from __future__ import annotations

from gen.armv7em.code import Code, at, r, several
from gen.armv7em.linear import words_of_b
from gen.armv7em.product import DIGITS, FRAME, RESULT, enter, leave, rows, square

LOW = {3: 0, 4: 1, 5: 2, 6: 3, 7: 1}  # digit of m that goes along with a row of the low half,
HIGH = {2: 0, 3: 4}  # and of the high half: digit i at B^(3 + i) and at B^(6 + i)
TO, A, B = "r8", "r9", "r10"  # pointers of sums and differences, and what they compute with
WORDS, MASK, OTHER = ("r9", "r11", "r12"), "r12", "r11"
NAME = "ecfit_secp256r1_"


def mul(c: Code) -> None:
    """a b / R: the product by rows, digits of m as first carries."""
    enter(c)
    rows(c, LOW, HIGH)
    above(c)
    leave(c)


def sqr(c: Code) -> None:
    """a^2 / R: the square by columns; digits of m as made-up words and as products with 1."""
    square(c, with_digits=True, where="r8", result=RESULT)
    above_square(c)
    leave(c)


def above_square(c: Code) -> None:
    """As above(), with the chains in another order: here m[3] B^6 and m[4] B^7 are still to come,
    and their carry goes to column 8.
    """
    x0, x1, x2, x3, ones, carry = "r8", "r9", "r10", "r11", "r12", "lr"
    t = RESULT
    for register, i in ((x0, 3), (x1, 6), (x2, 4), (x3, 7)):
        c("ldr", register, at("sp", DIGITS + i))
    c("adds", x1, x1, x0)
    c("adcs", x3, x3, x2)
    for register, i in ((x0, 0), (carry, 1), (x2, 5)):
        c("ldr", register, at("sp", DIGITS + i))
    c("mvn", ones, "#0")
    c("umaal", x3, carry, x0, ones)
    for k, register in enumerate((x2, x1, x3)):
        c("adcs", t[k], t[k], register)
    for k in (3, 4, 5):
        c("sbcs", t[k], t[k], "#0")
    c("sbcs", t[6], t[6], "#1")
    c("adcs", t[7], t[7], "#0")
    c("sbc", x0, x0, x0)
    for k in range(5):
        c("ldr", x2, at("sp", DIGITS + k + 1))
        if k:
            c("adcs" if k > 1 else "adds", t[k - 1], t[k - 1], x2)
        c("umaal", t[k], carry, x2, ones)
    c("adcs", t[4], t[4], x1)
    c("umaal", t[5], carry, x1, ones)
    c("adcs", t[5], t[5], x3)
    c("umaal", t[6], carry, x3, ones)
    c("adcs", t[6], t[6], "#0")
    c("adcs", t[7], t[7], carry)
    c("adc", x0, x0, "#0")
    c("ldr", x2, at("sp", FRAME))
    add_p(c, t, x0)


def above(c: Code) -> None:
    """r0 to r7, columns 8 to 15, become the result below p.

    The digits stand in the frame; digit 7 still lacks the -m[0] of (B - 1) m B^7.
    The sum is below 2 p. So -p is added as well: to the third chain, as its complement
    1 + (B^3 - 1) B^3 + (B - 2) B^6, whose 1 is a carry in; p comes back where neither chain
    carried out.
    """
    ones, carry = "r12", "lr"
    c.note("(B - 1) m B^7 and m B^6")
    c("mvn", ones, "#0")
    c("mov", carry, "#0")
    for register, i in (("r8", 7), ("r9", 0), ("r10", 1), ("r11", 2)):
        c("ldr", register, at("sp", DIGITS + i))
    c("umaal", "r8", carry, "r9", ones)
    c("umaal", "r0", carry, "r10", ones)
    c("adds", "r0", "r0", "r11")
    c("umaal", "r1", carry, "r11", ones)
    for register, i in (("r9", 3), ("r10", 4), ("r11", 5)):
        c("ldr", register, at("sp", DIGITS + i))
    for k, register in ((1, "r9"), (2, "r10"), (3, "r11")):
        c("adcs", r(k), r(k), register)
        c("umaal", r(k + 1), carry, register, ones)
    c("ldr", "r9", at("sp", DIGITS + 6))
    c("ldr", "r10", at("sp", FRAME))
    c("adcs", "r4", "r4", "r9")
    c("umaal", "r5", carry, "r9", ones)
    c("adcs", "r5", "r5", "r8")
    c("umaal", "r6", carry, "r8", ones)
    c("adcs", "r6", "r6", "#0")
    c("adcs", "r7", "r7", carry)
    c("sbc", ones, ones, ones)
    c("cmp", "r9", "r9")
    c.note("m B^3, and -p")
    c("adcs", "r0", "r0", "r11")
    c("adcs", "r1", "r1", "r9")
    c("adcs", "r2", "r2", "r8")
    for k in (3, 4, 5):
        c("sbcs", r(k), r(k), "#0")
    c("sbcs", "r6", "r6", "#1")
    c("adcs", "r7", "r7", "#0")
    c("adc", ones, ones, "#0")
    add_p(c, RESULT, ones)


def add_p(c: Code, words: tuple[str, ...], mask: str, *, carry: bool = False) -> None:
    """words += p where the mask is all ones; the carry out, where it is asked for, in the flags."""
    c("adds", words[0], words[0], mask)
    for k in (1, 2):
        c("adcs", words[k], words[k], mask)
    for k in (3, 4, 5):
        c("adcs", words[k], words[k], "#0")
    c("adcs", words[6], words[6], f"{mask}, lsr #31")
    c("adcs" if carry else "adc", words[7], words[7], mask)


def load(c: Code, name: str) -> None:
    """a to r0 to r7, and the way in for one that is there."""
    c("ldm", A, several(RESULT))
    c.entry(f"{NAME}{name}_on")


def each_word_of_b(c: Code, first: str, others: str, pointer: str = B) -> None:
    """r0 to r7 op b."""
    for k, word in words_of_b(c, WORDS, pointer):
        c(others if k else first, r(k), r(k), word)


def less_b(c: Code) -> None:
    """r0 to r7 - b, below p."""
    each_word_of_b(c, "subs", "sbcs")
    c("sbc", MASK, MASK, MASK)
    add_p(c, RESULT, MASK)


def finish(c: Code) -> None:
    """Returns."""
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


def sub(c: Code) -> None:
    """a - b, and a - 2 b with a in r0 to r7. (Both differences of that with one correction would
    not do: -p - 1 borrows but once.)
    """
    load(c, "sub")
    less_b(c)
    finish(c)
    c.entry(f"{NAME}sub_twice_on")
    less_b(c)
    c("sub", B, B, "#32")
    c("b", f"{NAME}sub_on")


def negate(c: Code) -> None:
    """-a in place of a, not 0, where the mask r1 is all ones: ~a + p + 1, whose low words are 0.

    A function for C: r0 points to a.
    """
    words = ("r2", "r3", "r4", "r5", "r6", "r7", "r8", "r12")
    c("push", several(words[2:7]))
    c("ldm", "r0", several(words))
    for word in words:
        low = word in words[:6]
        c("eors" if low else "eor", word, *(() if low else (word,)), "r1", narrow=low)
    c("adds", words[3], words[3], "r1, lsr #31")
    for k in (4, 5):
        c("adcs", words[k], words[k], "#0")
    c("adcs", words[6], words[6], "r1, lsr #31")
    c("adc", words[7], words[7], "r1")
    c("stm", "r0", several(words))
    c("pop", several(words[2:7]))
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


def less_p(c: Code) -> None:
    """r0 to r7 - p; the mask, all ones where no carry had been, stays so where that is below 0."""
    for k, word in enumerate(("#-1", "#-1", "#-1", "#0", "#0", "#0", "#1", "#-1")):
        c("sbcs" if k else "subs", r(k), r(k), word)
    c("sbc", OTHER, OTHER, OTHER)
    c("and", MASK, MASK, OTHER)


def add(c: Code) -> None:
    """a + b: -p is added as well, and comes back where the sum was below p.

    And 3 a/2 with a in r0 to r7 and where r10 points: a/2, which is (a + p)/2 where a is odd, + a.
    """
    load(c, "add")
    each_word_of_b(c, "adds", "adcs")
    c("sbc", MASK, MASK, MASK)  # -1 where nothing was carried
    less_p(c)
    add_p(c, RESULT, MASK)
    finish(c)
    c.entry(f"{NAME}three_halves_on")
    c("and", MASK, RESULT[0], "#1")
    c("rsb", MASK, MASK, "#0")
    add_p(c, RESULT, MASK, carry=True)
    for word in reversed(RESULT):
        c("rrxs", word, word)
    c("b", f"{NAME}add_on")


def least_run(c: Code) -> None:
    """The interpreter of formulas, with differences and sums that nobody else needs: they take
    r1 = a, r9 = b and keep r10, and have one end.
    """
    registers = several(("r0", "r1", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"))
    c("push", registers[:-1] + ", lr}")
    c.label("1")
    c("ldrd", "r4", "r5", "[sp, #0]")
    c("ldrh", "r6", "[r5], #2", narrow=True)  # which it is not
    c("str", "r5", "[sp, #4]", narrow=True)
    c("cbz", "r6", "3f", narrow=True)
    for register, low in (("r0", 8), ("r1", 4), ("r2", 0)):
        c("ubfx", register, "r6", f"#{low}", "#4")
        c("add", register, "r4", register, "lsl #5")
    c("lsrs", "r6", "r6", "#13", narrow=True)
    c("mov", "r9", "r2", narrow=True)
    c("mov", "r10", "r0", narrow=True)
    c("bne", "2f", narrow=True)
    c("bcs", "4f", narrow=True)
    c("bl", f"{NAME}mul")
    c.label("5")
    c("stm", "r10", several(RESULT))
    c("b", "1b", narrow=True)
    c.label("2")
    c("bl", f"{NAME}least_sub")
    c("b", "5b", narrow=True)
    c.label("4")
    c("bl", f"{NAME}least_add")
    c("b", "5b", narrow=True)
    c.label("3")
    c("pop", registers[:-1] + ", pc}")
    for name, what, cost, write in (
        ("sub", "[r1] - [r9]", 39, least_sub), ("add", "[r1] + [r9]", 52, least_add),
    ):  # fmt: skip
        c.lines.append(
            f"/* {NAME}least_{name}: r0 to r7 = {what}.   in: pointers to 8 words below p\n"
            " * out: below p; r10 is kept   CT: all   Clobbers: all but sp"
            f"   {cost} cycles (cortex-m4)\n */"
        )
        c.entry(f"{NAME}least_{name}")
        write(c)
        c.end(f"{NAME}least_{name}")


LEAST = ("r8", "r11", "r12")  # words of b, and of them the mask


def least_sub(c: Code) -> None:
    """a - b, and its end, which is that of a sum, too."""
    c("ldm", "r1", several(RESULT))
    for k, word in words_of_b(c, LEAST, "r9"):
        c("sbcs" if k else "subs", r(k), r(k), word)
    c("sbc", MASK, MASK, MASK)
    c.label("6")
    add_p(c, RESULT, MASK)
    c("bx", "lr", narrow=True)


def least_add(c: Code) -> None:
    """a + b, as :func:`add`."""
    c("ldm", "r1", several(RESULT))
    for k, word in words_of_b(c, LEAST, "r9"):
        c("adcs" if k else "adds", r(k), r(k), word)
    c("sbc", MASK, MASK, MASK)
    less_p(c)
    c("b", "6b", narrow=True)
