"""The fields: a line of data each, and what the form of a prime makes of columns and of sums.

Products divide by R, or not where it is 1. A reducer takes the columns of a product in their order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from gen.straight.products import product, square
from gen.straight.program import ONES, Program


class Mersenne:
    """p = 2^k - 1, elements below p, R = 2^(32 words).

    Modulo p, t/R is the part of t above R plus the lower part turned by the bits of R: two numbers
    A and B below 2^k, which shifts make of t. u = A + B + 1 has bit k where A + B is p or more, and
    then u mod 2^k is the result; else it is one too much.
    """

    def __init__(self, p: Program, bits: int, words: int) -> None:
        self.p, self.bits, self.length = p, bits, words
        self.used = -(-bits // 32)  # words that are not 0
        self.columns: list[str] = []

    def column(self, _: int, value: str) -> None:
        """All are wanted before the first is used up."""
        self.columns.append(value)

    def finish(self) -> None:
        """Where turned words begin: bit `shift` of word `whole` of t."""
        p, t = self.p, self.columns
        whole, shift = divmod(32 * self.length - self.bits, 32)
        assert (whole, self.used) == (1, self.length - 1)
        top = self.bits % 32
        up = 32 * self.length % self.bits  # of R as a power of 2
        place, left = divmod(self.bits - up, 32)  # where the lowest words of t come to stand
        factor = p.number(1 << (32 - shift))
        carry = p.made("lsr", t[1], f"#{shift}")
        p.update("add", carry, "#1")
        high = t[self.length : self.length + place + 1]
        p.insert(high[place], t[0], left)
        high.append(p.made("lsl", t[1], f"#{left}"))
        p.update("orr", high[place + 1], t[0], f"lsr #{32 - left}")
        last = p.made("ubfx", t[1], f"#{32 - left}", f"#{top}")
        for k, value in enumerate(high):
            p.umaal(value, carry, t[k + 2], factor)
        p.update("add", last, carry)
        lowered(p, [*high, last], top)

    def three_halves(self) -> None:
        """a/2, a turned by a bit, + a."""
        p, n = self.p, self.used
        a = p.words("a", n)
        last = p.made("and", a[0], "#1")
        last = p.made("orr", a[-1], last, f"lsl #{self.bits % 32}")
        p.update("lsrs", last, "#1")
        half = [*(p.made("rrxs", a[k]) for k in range(n - 2, -1, -1))][::-1]
        values = [*half, last]
        for k in range(n):
            if k == 0:
                p.flags("cmp", values[0], "#0")  # carries
            p.update("adcs", values[k], a[k])
        lowered(p, values, self.bits % 32)

    def sums(self, *, add: bool) -> None:
        """a + b or a - b."""
        p, n = self.p, self.used
        a, b = p.words("a", n), p.words("b", n)
        values = []
        for k in range(n):
            if add and k == 0:
                p.flags("cmp", a[0], "#0")  # carries
            name = "adcs" if add else "sbcs" if k else "subs"
            values.append(p.made(name, a[k], b[k]))
            p.ahead(a, b, k)
        lowered(p, values, self.bits % 32, borrowed=not add)

    def add_twice_sub(self) -> None:
        """a + 2 b - c = q 2^k + v, q from -1 to 2: v + q, and 1 more where v + q + 1 has bit k."""
        p, top = self.p, self.bits % 32
        values, _ = twice_less(p, self.used)
        q = p.made("asr", values[-1], f"#{top}")
        p.update("ubfx", values[-1], "#0", f"#{top}")
        above = p.made("add", q, "#1")
        for k, value in enumerate(values):
            above = p.made("adcs" if k else "adds", value, "#0" if k else above)
        p.update("add", q, above, f"lsr #{top}")
        sign = p.made("asr", q, "#31")
        for k, value in enumerate(values):
            p.update("adcs" if k else "adds", value, sign if k else q)
            if k == self.used - 1:
                p.update("ubfx", value, "#0", f"#{top}")
            p.store(value, k)


def twice_less(p: Program, n: int) -> tuple[list[str], str]:
    """n words of a + 2 b - c, by a sum without flags beside a difference with them; what that
    carried, and in the flag what it did not borrow.
    """
    a, b, c = (p.words(pointer, n) for pointer in "abc")
    two, carried = p.number(2), p.number(0)
    for k in range(n):
        p.umaal(a[k], carried, b[k], two)
        p.update("sbcs" if k else "subs", a[k], c[k])
        p.ahead(a, b, k, c)
    return a, carried


def lowered(p: Program, u: list[str], top: int, *, borrowed: bool = False) -> None:
    """The result: u without the bits from `top` of its last word on, less 1 where bit `top`, the
    highest, is not set, or where the flag says `borrowed`.
    """
    if not borrowed:
        p.carry(u[-1], top)
    p.update("ubfx", u[-1], "#0", f"#{top}")
    for k, value in enumerate(u):
        p.update("sbcs", value, "#0")
        p.store(value, k)


class Golden:
    """p = 2^448 - 2^224 - 1, elements any below 2^448, R = 2^672.

    With F = 2^224, p = F^2 - F - 1, and -1/p = 1 modulo F: the digits of Montgomery's quotient are
    columns, m p = m F^2 - m F - m. There are 21 of them, 7 more than a word of p each, so that
    t/R + p is below 2^448 without a subtraction: t is below F^4, t/R below F.
    """

    def __init__(self, p: Program, n: int) -> None:
        self.p, self.n, self.half = p, n, n // 2
        self.digits: dict[int, str] = {}
        self.one, self.carry = "", ""
        self.kept, self.under_way = "", False
        self.added: set[int] = set()  # digits whose complements are in their columns already
        self.ones = 0

    def spare(self, k: int) -> str:
        """The complement of the digit of a half below, once: -d B^k = ~d B^k + B^k - B^(k + 1),
        so that seven of them want a 1 in the lowest column, and a borrow from column n.
        """
        p, h = self.p, self.half
        if k in range(h, self.n) and k - h in self.digits and k - h not in self.added:
            self.added.add(k - h)
            return p.made("mvn", self.digits[k - h])
        one = k == h and k not in self.digits
        self.ones += one
        return p.number(int(one))

    def column(self, k: int, value: str) -> None:
        """Less the digit of a half below, plus that of two; a digit, or a word of the result."""
        p, h, n = self.p, self.half, self.n
        if k > h and not self.under_way and self.kept:
            p.update("rsbs", self.kept, "#0")
            self.kept = ""
        if self.added and k == n:
            assert (self.added, self.ones) == ({*range(h)}, 1)
            p.flags("cmn", value, "#0")  # borrows
            self.under_way = True
            p.update("sbcs", value, self.digits[k - h])
        elif k >= h and (k >= n or not self.added):
            self.under_way = True
            p.update("subs" if k == h else "sbcs", value, self.digits[k - h])
        if k >= n:
            if k == n:
                self.one, self.carry = p.number(1), p.number(0)
            p.umaal(value, self.carry, self.digits[k - n], self.one)
        if k < n + h:
            self.digits[k] = value
            p.spill(value)
        else:
            p.store(value, k - n - h)

    def pause(self) -> None:
        """The borrow as a mask."""
        if self.under_way:
            self.kept, self.under_way = self.p.borrowed(), False

    def finish(self) -> None:
        """The upper half of the result: digits, and what was carried or borrowed."""
        p, h, n = self.p, self.half, self.n
        p.update("sbc", self.carry, "#0")
        sign = p.made("asr", self.carry, "#31")
        for j in range(h):
            value = self.digits[n + j]
            name = "adcs" if j else "adds"
            p.update(name if j < h - 1 else "adc", value, sign if j else self.carry)
            p.store(value, h + j)

    def sums(self, *, add: bool) -> None:
        """a + b or a - b. With w = F + 1 = 2^448 - p, u = a + b + w or a - b - w is c 2^448 + v
        where c is one of three numbers, and the result v, v + w or v - w, by c.
        """
        p, n, h = self.p, self.n, self.half
        a, b = p.words("a", n), p.words("b", n)
        if add:
            one, less, values = p.number(1), p.number(1), a
            for k in range(n):
                if k == h:
                    p.update("add", less, "#1")
                p.umaal(a[k], less, b[k], one)
                p.ahead(a, b, k)
            p.update("rsb", less, "#1")
        else:
            p.flags("cmn", a[0], "#0")  # borrows
            values = []
            for k in range(n):
                values.append(p.made("sbcs", a[k], b[k]))
                p.ahead(a, b, k)
            less = p.borrowed()
            for k in range(h, n):
                p.update("sbcs" if k > h else "subs", values[k], "#0" if k > h else "#1")
            p.update("sbc", less, "#0")
            less = p.made("mvn", less)
        self._lowered(values, less)

    def multiple(self, *, plus: bool) -> None:
        """a b, b a word, or a b + c. With d = 1 + the upper word of what the last words come to,
        u = a b + c + d w is d 2^448 + v or (d - 1) 2^448 + v, and the result v or v - w.
        """
        p, n = self.p, self.n
        a, b = p.words("a", n), p.words("b", 1)
        if plus:
            values, factor, most = p.words("c", n), b[0], p.number(0)
            p.umaal(p.made("mov", values[-1]), most, a[-1], factor)
        else:
            values, (_, most) = a, p.umull(a[-1], b[0])
            factor = p.made("sub", b[0], "#1")
        p.update("add", most, "#1")
        less = p.made("mov", most)
        for k in range(n):
            if k == self.half:
                p.update("add", less, most)
            p.umaal(values[k], less, a[k], factor)
            p.ahead(a, values if plus else [], k)
        less = p.made("sub", most, less)
        self._lowered(values, less)

    def select(self) -> None:
        """b where the mask is all ones, else a: SEL takes bytes by what an addition of bytes
        carried.
        """
        p, n = self.p, self.n
        a, b = p.words("a", n), p.words("b", n)
        p.update("uadd8", "mask.", "mask.")
        for k in range(n):
            p.store(p.made("sel", b[k], a[k]), k)
            p.ahead(a, b, k)

    def _lowered(self, values: list[str], less: str) -> None:
        """The result: values less `less` w, which is 1, 0 or -1."""
        p, n, h = self.p, self.n, self.half
        sign = p.made("asr", less, "#31")
        for k, value in enumerate(values):
            if k == h:
                p.update("add", less, sign)
            name = ("sbcs" if k < n - 1 else "sbc") if k else "subs"
            p.update(name, value, less if k in (0, h) else sign)
            p.store(value, k)


class Full:
    """p = 2^(32 n) - w, elements below p: sums and differences."""

    def __init__(self, p: Program, prime: int) -> None:
        self.p, self.prime = p, prime
        self.n = n = -(-prime.bit_length() // 32)
        self.w = [((1 << 32 * n) - prime) >> 32 * k & ONES for k in range(n)]
        self.result: list[str] = []
        self.carry, self.one = "", ""

    def add(self, value: str, operand: str, more: int = 0) -> None:
        """value += operand, with the carry of the column before, if there is one, and with more."""
        p = self.p
        if not self.carry:
            self.one, self.carry = p.number(1), p.word(more)
        elif more:
            p.update("add", self.carry, f"#{more}")
        p.umaal(value, self.carry, operand, self.one)

    def lowered(self, mask: str) -> None:
        """The result, and p if the mask is all ones and not 0."""
        self.p.restore(self.result, self.prime, mask)

    def sums(self, *, add: bool) -> None:
        """a - b and p where that is negative, or a + b + w and p where that is below 2^(32 n)."""
        p, n = self.p, self.n
        a, b = p.words("a", n), p.words("b", n)
        if add:
            self.total(a, b)
            return
        self.result = a
        for k in range(n):
            p.update("sbcs" if k else "subs", a[k], b[k])
            p.ahead(a, b, k)
        self.lowered(p.borrowed())

    def total(self, a: list[str], b: list[str]) -> None:
        """The sum of two numbers below 2 p together."""
        p, self.result = self.p, a
        for k in range(self.n):
            self.add(a[k], b[k], self.w[k])
            p.ahead(a, b, k)
        p.update("sub", self.carry, "#1")
        self.lowered(self.carry)

    def add_twice_sub(self) -> None:
        """a + 2 b - c."""
        add_twice_sub(self.p, self.prime)

    def three_halves(self) -> None:
        """a/2, which is (a + p)/2 where a is odd, + a."""
        p, n = self.p, self.n
        a = p.words("a", n)
        p.touch(*a)
        mask = p.made("and", a[0], "#1")
        p.update("rsb", mask, "#0")
        half = [
            p.made("adcs" if k else "adds", a[k], *p.masked(self.prime >> 32 * k & ONES, mask))
            for k in range(n)
        ]
        for value in reversed(half):
            p.update("rrxs", value)
        self.total(half, a)


class Sparse(Full, ABC):
    """One where w has few words, and R = 2^(32 length), by Montgomery's digits: `column` of a prime
    adds to each column of a product what p times them has there.
    """

    def __init__(self, p: Program, prime: int, length: int) -> None:
        super().__init__(p, prime)
        self.length = length
        self.digits: list[str] = []
        self.kept, self.under_way = "", False

    @abstractmethod
    def column(self, k: int, value: str) -> None:
        """Column k of a product, the lowest first."""

    @abstractmethod
    def finish(self) -> None:
        """The result."""

    def pause(self) -> None:
        """The borrow as a mask."""
        if self.under_way:
            self.kept, self.under_way = self.p.borrowed(), False

    def subtract(self, value: str, operand: str, *, first: bool = False) -> None:
        """value -= operand, with the borrow of the column before."""
        if self.kept:
            self.p.update("rsbs", self.kept, "#0")
            self.kept = ""
        self.p.update("subs" if first else "sbcs", value, operand)
        self.under_way = True

    def done(self, k: int, value: str) -> None:
        """Column k is a digit, or a word of the result."""
        (self.digits if k < self.length else self.result).append(value)
        self.p.spill(value)


class Secp192r1(Sparse):
    """p = 2^192 - 2^64 - 1: digits are columns, m p = m 2^192 - m 2^64 - m."""

    def column(self, k: int, value: str) -> None:
        """Less the digit of two columns before, plus that of six before."""
        if k >= 2:
            operand = self.digits[k - 2] if k < 8 else "#0"
            self.subtract(value, operand, first=k == 2)
        if k >= 6:
            self.add(value, self.digits[k - 6], self.w[k - 6])
        self.done(k, value)

    def finish(self) -> None:
        """What was carried and borrowed is 1 or 0."""
        self.p.update("sbc", self.carry, "#1")
        self.lowered(self.carry)


class Secp128r1(Sparse):
    """p = 2^128 - 2^97 - 1: digits are columns, m p = m (2^32 - 2) 2^96 - m."""

    def column(self, k: int, value: str) -> None:
        """Plus 2^32 - 2 times the digit of three columns before."""
        p = self.p
        if k == 3:
            self.carry, self.one = p.number(0), p.made("mvn", "#1")
        elif k == 4:
            p.update("add", self.carry, "#1")
        if 3 <= k < 7:
            p.umaal(value, self.carry, self.digits[k - 3], self.one)
        elif k == 7:
            p.umaal(value, self.carry, p.number(1), p.number(2))
        self.done(k, value)

    def finish(self) -> None:
        """What was carried is 1 or 0."""
        self.p.update("sub", self.carry, "#1")
        self.lowered(self.carry)


class PseudoMersenne(Sparse):
    """p = 2^(32 n) - c, c of one word: with k = 1/c, k times a column is a digit m, and m p =
    m 2^(32 n) - m c. R has the words of p, or one more.
    """

    def __init__(self, p: Program, prime: int, length: int) -> None:
        super().__init__(p, prime, length)
        self.high, self.c, self.factor = "", "", ""

    def constants(self) -> None:
        """c and k, which is c for secp160r1."""
        c, k = self.w[0], pow(self.w[0], -1, 1 << 32)
        self.c = self.p.word(c)
        self.factor = self.c if k == c else self.p.word(k)

    def column(self, k: int, value: str) -> None:
        """Less the upper word of c times the digit before, plus the digit of n before."""
        p = self.p
        if 0 < k <= self.length:
            self.subtract(value, self.high, first=k == 1)
        elif k:
            self.subtract(value, "#0")
        if k == self.length > self.n:
            p.update("add", self.carry, self.c)
        if k >= self.n:
            self.add(value, self.digits[k - self.n], self.w[0] if k == self.n == self.length else 0)
        if k < self.length:
            if not k:
                self.constants()
            value = p.made("mul", value, self.factor)
            _, self.high = p.umull(value, self.c)
        self.done(k, value)

    def finish(self) -> None:
        """What was carried and borrowed is 1 or 0; where R is longer, the last word is a digit,
        and that.
        """
        p = self.p
        if self.length == self.n:
            p.update("sbc", self.carry, "#1")
            self.lowered(self.carry)
            return
        last = self.digits[-1]
        p.update("sbc", self.carry, "#0")
        top = p.made("asr", self.carry, "#31")
        p.update("adds", last, self.carry)
        p.update("adc", top, "#0")
        p.update("sub", top, "#1")
        self.result.append(last)
        self.lowered(top)


class Secp224r1(Sparse):
    """p = 2^224 - 2^96 + 1, R = 2^256: t less m p, m the columns, m p = m 2^224 - m 2^96 + m."""

    zero = ""

    def column(self, k: int, value: str) -> None:
        """Plus the digit of three columns before, less that of seven before."""
        if 3 <= k < 11:
            self.add(value, self.digits[k - 3])
        elif k >= 11:
            self.add(value, self.zero)
        if k >= 7:
            self.subtract(value, self.digits[k - 7], first=k == 7)
        self.done(k, value)
        if k == 10:
            self.zero = self.p.number(0)

    def finish(self) -> None:
        """The last word is what was carried, less a digit."""
        self.subtract(self.carry, self.digits[-1])
        self.result.append(self.carry)
        self.lowered(self.p.borrowed())

    def total(self, a: list[str], b: list[str]) -> None:
        """a + b - p, by -1, and 1 from 2^96 on."""
        p, self.result = self.p, a
        for k in range(self.n):
            self.add(a[k], b[k])
            p.ahead(a, b, k)
            p.update(("subs", "sbcs", "sbcs")[k] if k < 3 else "adcs", a[k], "#0" if k else "#1")
        p.update("adc", self.carry, "#0")
        p.update("sub", self.carry, "#1")
        self.lowered(self.carry)


def add_twice_sub(p: Program, prime: int) -> Program:
    """a + 2 b - c = q 2^(32 n) + v, q from -1 to 2, modulo 2^(32 n) - w: v + (q + 1) w, and the
    prime where that is below 2^(32 n).
    """
    n = -(-prime.bit_length() // 32)
    values, few = twice_less(p, n)
    p.update("adc", few, "#0")  # q + 1
    w = (1 << 32 * n) - prime
    if w <= ONES and w.bit_count() > 2:
        words: Sequence[str] = p.umull(few, p.word(w))
    else:
        words = shifted(p, values, few, w)
    for k, value in enumerate(values):
        operand = words[k] if k < len(words) else ""
        p.update("adcs" if k else "adds", value, *(operand or "#0").split(", "))
    p.restore(values, prime, p.borrowed())
    return p


def shifted(p: Program, values: Sequence[str], few: str, w: int) -> list[str]:
    """The words of few w, few from 0 to 3, w a sum of few powers of 2 and their negatives: those
    are taken from the values, and what they borrow from a word above, '' where a word is 0.
    """
    terms: dict[int, int] = {}
    place = 0
    while w >> place:
        if w >> place & 1:
            terms[place] = 2 - (w >> place & 3)
            w -= terms[place] << place
        place += 1
    words = {k // 32: few for k, sign in terms.items() if sign > 0 and not k % 32}
    for less in (k // 32 for k, sign in terms.items() if sign < 0):
        above = min(k for k in words if k > less)
        for k in range(less, above):
            p.update("sbcs" if k > less else "subs", values[k], "#0" if k > less else few)
        words[above] = p.made("sbc", few, "#0")  # not negative: 0 borrows nothing
    for k, shift in (divmod(k, 32) for k in terms if k % 32):
        low = f"{few}, lsl #{shift}"
        words[k] = p.made("add", few, *low.split(", ")) if k in words else low
        if shift > 30:
            words[k + 1] = f"{few}, lsr #{32 - shift}"
    return [words.get(k, "") for k in range(max(words) + 1)]


Form = Mersenne | Golden | Full


class Field(NamedTuple):
    """A prime: `words` of an element in memory, those of them that are not 0, and its form; what
    operands and results are below, and R, as banners say it.
    """

    name: str
    words: int
    used: int
    form: Callable[[Program], Form]
    domain: str
    divisor: str


def sparse(name: str, form: type[Sparse], prime: int, words: int) -> Field:
    """Of a prime with few words other than 0 and all ones; R is that of the words in memory."""
    used = -(-prime.bit_length() // 32)
    return Field(name, words, used, partial(form, prime=prime, length=words), "below p", " / R")


FIELDS = (
    Field("secp521r1", 18, 17, partial(Mersenne, bits=521, words=18), "below p", " / R"),
    sparse("secp128r1", Secp128r1, 2**128 - 2**97 - 1, 4),
    sparse("secp160r1", PseudoMersenne, 2**160 - 2**31 - 1, 6),
    sparse("secp192r1", Secp192r1, 2**192 - 2**64 - 1, 6),
    sparse("secp224r1", Secp224r1, 2**224 - 2**96 + 1, 8),
    Field("p448", 14, 14, partial(Golden, n=14), "of any value", " / 2^672"),
)


def program(
    field: Field,
    op: str,
    widths: tuple[int, ...] = (),
    p: Program | None = None,
    squared: Callable[..., None] = square,
) -> Program:
    """Of mul, sqr, add, sub, three_halves, add_twice_sub, small, small_add or select; `widths` of
    the strips of a product. A square of what is in `x`: squared.
    """
    p = p or Program()
    operation(field, op, widths, p, squared)
    for k in range(field.used, field.words):
        p.store(p.number(0), k)
    return p


def operation(
    field: Field, op: str, widths: tuple[int, ...], p: Program, squared: Callable[..., None]
) -> None:
    """The words of the result that the prime has."""
    form = field.form(p)
    a = p.words("x" if op == "squared" else "a", field.used)
    if op == "mul":
        assert isinstance(form, Mersenne | Golden | Sparse)
        spare = form.spare if isinstance(form, Golden) and p.zeros_cost else None
        product(p, a, p.words("b", field.used), widths, form.column, spare)
        form.finish()
    elif op in ("sqr", "squared"):
        assert isinstance(form, Mersenne | Golden | Sparse)
        squared(p, a, widths, form.column, getattr(form, "pause", None))
        form.finish()
    elif isinstance(form, Golden) and op in ("small", "small_add"):
        form.multiple(plus=op == "small_add")
    elif op in ("select", "three_halves", "add_twice_sub"):
        getattr(form, op)()
    else:
        form.sums(add=op == "add")


def squares(n: int, widths: tuple[int, ...]) -> Program:
    """The 2n words of a^2."""
    p = Program(apart=True)
    square(p, p.words("a", n), widths, lambda k, value: p.store(value, k))
    return p


def reduction(n: int, widths: tuple[int, ...]) -> Program:
    """t / R modulo any odd m of n words, t below m R; `inverse.` is -1/m modulo 2^32.

    Digits by strips: with as many words of m, as each takes a column to 0; then with the other
    words of m, one by one. The carry of the upper columns waits in the flag.
    """
    p = Program(apart=True)
    t, m = p.words("t", 2 * n), p.words("m", n)
    start = 0
    for width in widths:
        digits: list[str] = []
        window = t[start : start + width]
        for i in range(width):
            digit, carry = p.made("mul", window[i], "inverse."), p.number(0)
            for j in range(width):
                p.umaal(window[i + j], carry, digit, m[j])
            digits.append(digit)
            window.append(carry)
        window = window[width:]
        for j in range(width, n):
            carry = t[start + j]
            for i, digit in enumerate(digits):
                p.umaal(window[i], carry, digit, m[j])
            if j + 1 < n:
                p.touch(m[j + 1], t[start + j + 1])
            t[start + j], *window = [*window, carry]
            p.spill(t[start + j])
        for i, value in enumerate(window):
            k = start + n + i
            p.update("adcs" if k > n else "adds", t[k], value)
        start += width
    carried, values = p.number(0), t[n:]
    p.update("adc", carried, "#0")
    for k, value in enumerate(values):
        p.update("sbcs" if k else "subs", value, m[k])
    p.update("sbc", carried, "#0")
    for k, value in enumerate(values):
        name = ("adcs" if k < n - 1 else "adc") if k else "adds"
        p.update(name, value, p.made("and", m[k], carried))
        p.store(value, k)
    return p


def modular(n: int, *, add: bool) -> Program:
    """a + b or a - b modulo any m of n words, both below it: a + b - m, a sum without flags beside
    a difference with them, and m where that, or a - b, is negative.
    """
    p = Program()
    a, b, m = (p.words(pointer, n) for pointer in "abm")
    one, carry = (p.number(1), p.number(0)) if add else ("", "")
    for k in range(n):
        if add:
            p.umaal(a[k], carry, b[k], one)
        p.update("sbcs" if k else "subs", a[k], m[k] if add else b[k])
        p.spill(a[k])
        if k + 1 < n:
            p.touch(*((a[k + 1], b[k + 1], m[k + 1]) if add else (a[k + 1], b[k + 1])))
    if add:
        p.update("sbc", carry, "#0")
    else:
        carry = p.borrowed()
    for k in range(n):
        if k % 2 == 0:
            p.touch(*a[k : k + 2], *m[k : k + 2])
        name = ("adcs" if k < n - 1 else "adc") if k else "adds"
        p.update(name, a[k], p.made("and", m[k], carry))
        p.store(a[k], k)
    return p
