"""The fields of `gen.straight` on RV32IM, as routines for formulas.

Mixed products of a square are doubled column by column. Widths of strips were found by
trying all, and written here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import NamedTuple

from gen.rv32im.code import Code, Registers, at
from gen.rv32im.words import Word, Words
from gen.straight.allocation import Line, Tuning, allocated
from gen.straight.fields import FIELDS, Field, Full, Sparse, program, sparse
from gen.straight.products import Column, product
from gen.straight.program import ONES, Program
from ref.curves import CURVES

REGISTERS = Registers().free


class Modular(Full):
    """A prime whose sums are three words a column; a routine of its own divides products by R."""

    def total(self, a: list[str], b: list[str]) -> None:
        """With w."""
        words, self.result, carry = self.p, a, 0  # type: Program, list[str], Word
        assert isinstance(words, Words)
        for k in range(self.n):
            carry = words.sum(a[k], [a[k], b[k], self.w[k], carry])
        mask = words.new()
        words.difference(mask, carry, [1])
        self.lowered(mask)


class Secp384r1(Modular, Sparse):
    """p = 2^384 - 2^128 - 2^96 + 2^32 - 1: digits are columns, m p = m 2^384 - m 2^128 - m 2^96 +
    m 2^32 - m.
    """

    def __init__(self, p: Program, prime: int, length: int) -> None:
        assert isinstance(p, Words)
        super().__init__(p, prime, length)
        self.words, self.plus, self.less = p, 0, 0  # type: Words, Word, Word

    def column(self, k: int, value: str) -> None:
        """Plus digits of 1 and 12 columns before, less those of 3 and 4."""
        n = self.n
        plus, less = (
            [self.digits[k - i] for i in places if 0 <= k - i < n] for places in ((1, n), (3, 4))
        )
        more = self.w[k - n] if k >= n else 0
        self.plus = self.words.sum(value, [value, *plus, self.plus, more])
        self.less = self.words.difference(value, value, [*less, self.less])
        self.done(k, value)

    def finish(self) -> None:
        """What was carried and borrowed is 1 or 0."""
        mask = self.p.new()
        self.words.difference(mask, self.plus, [self.less, 1])
        self.lowered(mask)


def brainpool(bits: int) -> Field:
    """A curve's field."""
    name, words = f"brainpoolP{bits}r1", bits // 32
    form = partial(Modular, prime=CURVES[name].p)
    return Field(name, words, words, form, "below p", " / R")


HERE = (
    *(f._replace(divisor="") if f.name == "p448" else f for f in FIELDS),
    sparse("secp384r1", Secp384r1, 2**384 - 2**128 - 2**96 + 2**32 - 1, 12),
    *map(brainpool, (256, 384, 512)),
)


class Squares:
    """Columns of a^2 from those of the products of two words of a, which are doubled: a word's own
    square is added. Its low word is 0, 1 or 4 modulo 8, and takes a carry.
    """

    def __init__(self, p: Words, a: Sequence[str], column: Column) -> None:
        self.p, self.a, self.column = p, a, column
        self.bit, self.carry, self.high = 0, 0, 0  # type: Word, Word, Word

    def add(self, k: int, value: str) -> None:
        """Column k, the lowest first."""
        p, own, odd = self.p, self.high, k % 2
        if not odd:
            own, self.high = p.times(self.a[k // 2], self.a[k // 2])
            p.sum(str(own), [own, self.carry])
            self.carry = 0
        lost: Word = 0
        if p.read(value):
            lost = p.emit("srli", p.new(), value, 31)
            p.emit("slli", value, value, 1)
            if self.bit:
                p.emit("add", value, value, self.bit)
        else:
            p.sum(value, [self.bit])
        self.bit = lost
        over = p.sum(value, [value, own])
        if odd:
            self.carry = over
        else:
            p.sum(str(self.high), [self.high, over])
        self.column(k, value)


def square(
    p: Program, a: Sequence[str], widths: Sequence[int], column: Column, _: object = None
) -> None:
    """The columns of a^2: products of two words by strips of the lower one."""
    assert isinstance(p, Words)
    n, start = len(a), 0
    column = Squares(p, a, column).add
    part: dict[int, str] = {}
    column(0, p.number(0))
    for width in widths:
        end = start + width
        current: dict[int, str] = {}
        for i in range(start + 1, n + 1):
            if i < n:
                above = part.pop(i + start, None) or p.number(0)
                for j in range(start, min(i, end)):
                    value = current.get(i + j)
                    if value is None:
                        value, above = above, p.number(0)
                    p.umaal(value, above, a[i], a[j])
                    current[i + j] = value
                current[i + min(i, end)] = above
            for k in [i + start] if i < n else sorted(current):
                if end < n and k > 2 * end:
                    part[k] = current.pop(k)
                else:
                    column(k, current.pop(k))
        start = end
    column(2 * n - 1, p.number(0))


class Routine(NamedTuple):
    """The instructions of a routine, the words of its frame, and the pointers that it loads again:
    those of `saved`, which stand behind them.
    """

    lines: list[Line]
    frame: int
    saved: dict[int, int]

    def words(self) -> int:
        """Of the stack, which stays at a multiple of 16 bytes."""
        return self.frame + len(self.saved) + 3 & -4


Half = Callable[[Sequence[str], Sequence[str]], list[str]]


def golden(op: str) -> Words:
    """A product or a square modulo 2^448 - 2^224 - 1, of three of 7 words."""
    p, width = Words(), (7,)

    def half(a: Sequence[str], b: Sequence[str]) -> list[str]:
        columns: list[str] = []
        if a is b:
            square(p, a, width, lambda _, value: columns.append(value))
        else:
            product(p, a, b, width, lambda _, value: columns.append(value))
        return columns

    a = p.words("a", 14)
    halves(p, a, a if op == "sqr" else p.words("b", 14), half)
    return p


def halves(p: Words, a: Sequence[str], b: Sequence[str], half: Half) -> None:
    """a b modulo p = F^2 - F - 1, F = 2^224, any below F^2; b is a where it is a square.

    (a + a' F)(b + b' F) = l + h + F (m - l), l = a b, h = a' b' and m = (a + a')(b + b'), less
    their carries: what is of m - l above F counts twice, as F^2 = F + 1. p more is not negative.
    """
    n = len(a) // 2
    m, top = of_totals(p, a, b, half)
    halves_a = a[:n], a[n:]
    halves_b = halves_a if a is b else (b[:n], b[n:])
    low, high = map(half, halves_a, halves_b)
    carry, borrow = 0, 1  # type: Word, Word
    for k, value in enumerate(high):
        own, less = ((low, low[n:]), (m, low))[k // n]
        twice, one = (top, 1) if k == n else ("", 0)
        carry = p.sum(value, [value, own[k % n], m[n + k % n], carry, twice or 0])
        borrow = p.difference(value, value, [less[k % n], borrow, one])
    p.sum(top, [top, carry, 1])
    p.difference(top, top, [borrow])
    # What is above F^2: the second time there are but few words
    carry = top
    for k, value in enumerate(high):
        carry = p.sum(value, [value, carry, *([top] if k == n else [])])
        if k > n:
            p.store(value, k)
    top = str(carry)
    for k, value in enumerate(high[: n + 1]):
        carry = p.sum(value, [value, carry, *([top] if k == n else [])])
        p.store(value, k)


def of_totals(p: Words, a: Sequence[str], b: Sequence[str], half: Half) -> tuple[list[str], str]:
    """The product of the sums of the halves, and what is above its words; b is a for a square."""
    n = len(a) // 2
    x, over = total(p, a)
    y, other = (x, over) if a is b else total(p, b)
    m = half(x, y)
    top = p.emit("and", p.new(), over, other)
    carry: Word = 0
    masks = [p.made("rsb", one, "#0") for one in ((over,) if a is b else (over, other))]
    for k in range(n):
        more = [p.made("and", v, mask) for v, mask in zip((y[k], x[k]), masks, strict=False)]
        carry = p.sum(m[n + k], [m[n + k], *(more * (2 // len(more))), carry])
    p.sum(top, [top, carry])
    return m, top


def total(p: Words, a: Sequence[str]) -> tuple[list[str], str]:
    """The sum of the halves, and what it carries."""
    n, carry = len(a) // 2, 0  # type: int, Word
    found = [p.new() for _ in range(n)]
    for k, value in enumerate(found):
        carry = p.sum(value, [a[k], a[n + k], carry])
    return found, str(carry)


POINTERS = ("r", "a", "b", "mask.")
OPS = ("mul", "sqr", "add", "sub", "three_halves", "small", "select", "add_twice_sub")
AT_ONCE = 8  # words: of more, three differences in one save 0.5 % for 1.3 kB
ONE_OPERAND = ("sqr", "three_halves")
WIDTHS = {
    "secp128r1": (4,),
    "secp160r1": (5,),
    "secp192r1": (6,),
    "secp224r1": (7,),
    "secp384r1": (7, 5),
    "secp521r1": (9, 8),
}  # of strips


def ops(field: Field) -> tuple[str, ...]:
    """What there is of a field."""
    if field.name == "p448":
        return (*OPS[:4], *OPS[5:7])
    return OPS[:5] if field.words > AT_ONCE or composed(field) else (*OPS[:5], OPS[7])


@cache
def of_field(field: Field, op: str) -> Routine:
    """An operation of a field."""
    p = Words()
    if field.name == "p448" and op in ("mul", "sqr"):
        p = golden(op)
    else:
        program(field, op, WIDTHS.get(field.name, ()), p, square)
    p.needed()
    if op == "add_twice_sub":
        return routine(p, (*POINTERS[:3], "c"))
    return routine(p, POINTERS[: 2 if op in ONE_OPERAND else 4 if op == "select" else 3])


def routine(p: Program, pointers: Sequence[str]) -> Routine:
    """A program whose arguments are in a0 and on."""
    start = {name: f"a{k}" for k, name in enumerate(pointers)}
    lines, words = allocated(p, REGISTERS, start, Tuning(0, 0), lambda _: 0)
    again = sorted({line.place[1] for line in lines if line.place[0] == "saved"})
    return Routine(lines, words, {k: words + i for i, k in enumerate(again)})


def write(c: Code, made: Routine) -> None:
    """The routine. It leaves the address of its result in a0."""
    size = 4 * made.words()
    if size:
        c("addi", "sp", "sp", -size)
    base = body(c, made)
    if base != "a0":
        c("mv", "a0", base)
    if size:
        c("addi", "sp", "sp", size)
    c("ret")


def body(c: Code, made: Routine) -> str:
    """Its instructions, in its frame; the register that holds the result's address in the end."""
    base = "a0"
    for k, word in made.saved.items():
        c("sw", f"a{k}", at("sp", word))
    for line in made.lines:
        if line.kind == "op":
            c(line.name, *line.operands)
            continue
        area, k = line.place
        place = at(line.base, made.saved[k] if area == "saved" else k)
        c("lw" if line.kind == "ldr" else "sw", *line.operands, place)
        base = line.base if area == "r" else base
    return base


OF_HALVES = (12, 16)  # words of a product
STRIPS: dict[tuple[str, int], tuple[int, ...]] = {
    ("product", 8): (8,),
    ("square", 8): (8,),
    ("square", 12): (8, 4),
    ("square", 16): (6, 4, 6),
    ("redc", 8): (4, 4),
    ("redc", 12): (7, 5),
    ("redc", 16): (8, 8),
}


def reduction(p: Words, m: int, n: int, widths: Sequence[int]) -> None:
    """t / R modulo m of n words, t below m R: (t - q m)/R with q = t/m modulo R, from -m to m, and
    m where that is negative.

    Columns of q m grow by strips of digits of q. A digit times m makes its lowest column the word
    of t, so that of this product only the upper word is computed. Words of m are constants: making
    one again takes no more time than a load.
    """
    t, inverse = p.words("t", 2 * n), p.word(pow(m, -1, 1 << 32))
    columns, values = {}, []  # type: dict[int, str], list[str]
    borrow: Word = 0
    start = 0
    for width in widths:
        low = [p.word(m >> 32 * j & ONES) for j in range(width)]
        window = [columns.pop(start + i, "") or p.number(0) for i in range(width)]
        digits = []
        for i in range(width):
            value, below = t[start + i], 0  # type: str, Word
            if p.read(window[i]):
                value = p.new()
                below = p.difference(value, t[start + i], [window[i]])
            digit = p.umull(value, inverse)[0]
            carry = p.umull(digit, low[0])[1]
            p.sum(carry, [carry, below])
            for j in range(1, width):
                p.umaal(window[i + j], carry, digit, low[j])
            digits.append(digit)
            window.append(carry)
        window = window[width:]
        for j in range(width, n):
            word, carry = p.word(m >> 32 * j & ONES), columns.pop(start + j, "") or p.number(0)
            for i, digit in enumerate(digits):
                p.umaal(window[i], carry, digit, word)
            columns[start + j], *window = *window, carry
            if start + width == n <= start + j:
                values.append(p.new())
                borrow = p.difference(values[-1], t[start + j], [columns[start + j], borrow])
        columns |= {start + n + i: value for i, value in enumerate(window)}
        start += width
    for k in range(n + len(values), 2 * n):
        values.append(p.new())
        borrow = p.difference(values[-1], t[k], [columns[k], borrow])
    mask = p.new()
    p.difference(mask, 0, [borrow])
    p.restore(values, m, mask)


def product_of_halves(p: Words, a: Sequence[str], b: Sequence[str]) -> None:
    """(a + a' F)(b + b' F) = l + F (m - l - h) + F^2 h of three products of half the length: l =
    a b, h = a' b' and m = (a + a')(b + b').
    """
    n = len(a) // 2

    def half(x: Sequence[str], y: Sequence[str]) -> list[str]:
        columns: list[str] = []
        product(p, x, y, (n,), lambda _, value: columns.append(value))
        return columns

    m, top = of_totals(p, a, b, half)
    low, high = half(a[:n], b[:n]), half(a[n:], b[n:])
    for k in range(n):
        p.store(low[k], k)
    carry, borrow = 0, 0  # type: Word, Word
    for k, value in enumerate([*m, *high[n:]]):
        more = (low[n:] + high)[k] if k < 2 * n else top if k == 2 * n else 0
        less = (low[k], high[k]) if k < 2 * n else ()
        carry = p.sum(value, [value, more, carry])
        borrow = p.difference(value, value, [*less, borrow])
        p.store(value, n + k)


@cache
def apart(op: str, n: int, m: int = 0, widths: tuple[int, ...] = ()) -> Routine:
    """A product or a square of n words, or Montgomery's reduction modulo m: its result is no
    operand.
    """
    widths = widths or STRIPS.get((op, n), ())
    if op == "redc":
        p = Words(apart=True)
        reduction(p, m, n, widths)
        p.needed()
        return routine(p, ("r", "t"))
    p = Words(apart=True)
    a = p.words("a", n)
    if op == "square":
        square(p, a, widths, lambda k, value: p.store(value, k))
    elif n in OF_HALVES:
        product_of_halves(p, a, p.words("b", n))
    else:
        product(p, a, p.words("b", n), widths, lambda k, value: p.store(value, k))
    p.needed()
    return routine(p, ("r", "a", "b")[: 2 if op == "square" else 3])


def composed(field: Field) -> bool:
    """Whether products of a field call a routine that reduces."""
    return field.name.startswith("brainpool")


def prime(field: Field) -> int:
    """Of a composed field."""
    return CURVES[field.name].p


def of_product(field: Field) -> int:
    """Words of the frame of a composed product: 2n, where to return, and where the result goes."""
    return 2 * field.words + 2 + 3 & -4


def compose(c: Code, field: Field, op: str) -> None:
    """A product or a square, and its reduction."""
    n, size = field.words, 4 * of_product(field)
    c("addi", "sp", "sp", -size)
    c("sw", "ra", at("sp", 2 * n))
    c("sw", "a0", at("sp", 2 * n + 1))
    c("mv", "a0", "sp")
    c("jal", f"ecfit_mp_{'product' if op == 'mul' else 'square'}_{n}")
    c("mv", "a1", "a0")
    c("lw", "a0", at("sp", 2 * n + 1))
    c("jal", f"ecfit_{field.name}_redc")
    c("lw", "ra", at("sp", 2 * n))
    c("addi", "sp", "sp", size)
    c("ret")


def words_below(field: Field, op: str) -> int:
    """Words of the stack that an operation takes."""
    if not composed(field) or op not in ("mul", "sqr"):
        return of_field(field, op).words()
    n = field.words
    made = (apart("product" if op == "mul" else "square", n), apart("redc", n, prime(field)))
    return of_product(field) + max(one.words() for one in made)
