"""Fields of sparse primes for ARMv6-M and ARMv7-M: a line of data each, what reduces its products,
and sums, differences and halves in registers.

Routines lose all registers but r9 and sp: r0 = result, r1, r2 = operands below p, of which the
result may be one. Elements have as many words as R; those above p are 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gen.armv6m.writer import Writer, each

ONES = (1 << 32) - 1
LOW = ("r3", "r4", "r5", "r6", "r7")  # the last words of a sum; others wait
WAITING = ("r8", "r10", "r11")
T = 8  # bytes from the stack pointer to t in a reduction


class Prime(NamedTuple):
    """`words` of an element, which are those of R; the bits of products; what reduces them."""

    name: str
    p: int
    words: int
    bits: int
    columns: Callable[[Writer], None]

    @property
    def used(self) -> int:
        """Words that are not 0."""
        return -(-self.p.bit_length() // 32)

    @property
    def low(self) -> tuple[str, ...]:
        """Registers of the last words of a sum: without r3 where what comes to the others is not
        always the mask.
        """
        return LOW[-4:] if self.used in {4, 7} else LOW

    def mul(self, w: Writer) -> None:
        """r0 = r1 r2/R."""
        self._reduced(w, "mul")

    def sqr(self, w: Writer) -> None:
        """r0 = r1^2/R."""
        self._reduced(w, "sqr")

    def both(self, w: Writer) -> None:
        """The same of a product in loops, smaller; squares, too."""
        self._reduced(w, "rows")

    def _reduced(self, w: Writer, operation: str) -> None:
        """A product on the stack, then the reduction."""
        size = 8 * self.words
        w("push", "{r0, lr}")
        w("sub", "sp", f"#{size}")
        w("mov", "r0", "sp")
        w("bl", f"ecfit_{operation}{self.bits}")
        w("ldr", "r0", f"[sp, #{size}]")
        w("bl", f"ecfit_{self.name}_redc")
        w("add", "sp", f"#{size + 4}")
        w("pop", "{pc}")

    def redc(self, w: Writer) -> None:
        """r0 = t/R, below p, t below p R where the stack pointer is."""
        w("push", "{r0, lr}")
        self.columns(w)
        w("pop", "{r0, pc}")

    def add(self, w: Writer) -> None:
        """r0 = r1 + r2: with 2^(32 n) - p, and p again where that is not carried out of."""
        rest = (1 << 32 * self.used) - self.p
        one = rest & 1 and not rest >> 32 & ONES  # comes with the first carry
        if one:
            w("cmp", "r0", "r0")
        self._chain(w, "adcs" if one else "adds", "adcs")
        w("movs", "r1", "#0")
        w("adcs", "r1", "r1")
        self._plus(w, rest - one)
        w("subs", "r1", "#1")
        self._back(w)

    def sub(self, w: Writer) -> None:
        """r0 = r1 - r2."""
        self._chain(w, "subs", "sbcs")
        w("sbcs", "r1", "r1")
        self._back(w)

    def _chain(self, w: Writer, first: str, others: str) -> None:
        """The words of a sum or difference, to WAITING and registers."""
        wait, k = self.used - len(self.low), 0
        groups = [LOW[:wait]] if wait else []
        groups += [LOW[:3] if len(self.low) == 5 else LOW[1:3], LOW[3:]]
        for names in groups:
            last = names == LOW[3:]
            others_of = ("r1", "r2") if last else LOW[3:]
            w("ldm", "r1!", several(names))
            w("ldm", "r2" if last else "r2!", several(others_of[: len(names)]))
            for index, name in enumerate(names):
                if index == 2:
                    w("ldm", "r2!", several(others_of[:1]))
                start = k == 0 and first != others
                each(w, first, others, name, others_of[index % 2], begins=start)
                k += 1
            if k == wait:
                for high, name in zip(WAITING, names, strict=False):
                    w("mov", high, name)

    def _plus(self, w: Writer, number: int) -> None:
        """A number to these words and r1 above them; r2 is lost, and r3 where words wait."""
        wait, begun = self.used - len(self.low), False
        for k in range(self.used):
            value = number >> 32 * k & ONES
            if not begun and not value:
                continue
            constant(w, "r2", value, first=not begun)
            name = self.low[k - wait] if k >= wait else "r3"
            if k < wait:
                w("mov", "r3", WAITING[k])
            each(w, "adds", "adcs", name, "r2", begins=not begun)
            if k < wait:
                w("mov", WAITING[k], "r3")
            begun = True
        constant(w, "r2", 0, first=False)
        w("adcs", "r1", "r2")

    def _back(self, w: Writer) -> None:
        """r0 = these words, and p where r1 is all ones, not 0."""
        wait = self.used - len(self.low)
        for k in range(self.used):
            value = self._masked(w, k, "r1", "r2")
            name = self.low[k - wait] if k >= wait else "r3" if value == "r2" else "r2"
            if k < wait:
                w("mov", name, WAITING[k])
            each(w, "adds", "adcs", name, value, begins=k == 0)
            if k < wait:
                w("stm", "r0!", f"{{{name}}}")
        self._end(w, self.low)

    def _end(self, w: Writer, names: tuple[str, ...]) -> None:
        """The last words to the result, and zeros."""
        w("stm", "r0!", several(names))
        for k in range(self.words - self.used):
            if not k:
                w("movs", "r1", "#0")
            w("stm", "r0!", "{r1}")
        w("bx", "lr")

    def _masked(self, w: Writer, k: int, mask: str, free: str) -> str:
        """Word k of p where the mask is all ones, else 0: its register. The carry stays."""
        value = self.p >> 32 * k & ONES
        if value == ONES:
            return mask
        if value == 0:
            w("movs", free, "#0")
        elif k == 0:
            assert value & value + 1 == 0
            w("lsrs", free, mask, f"#{32 - value.bit_length()}")
        else:
            w("movs", free, f"#{ONES - value}")
            w("mvns", free, free)
            w("ands", free, mask)
        return free

    def half(self, w: Writer) -> None:
        """r0 = r1/2: p is added to an odd number first. r8, r12: the mask, then the top bit; r0."""
        names = tuple(f"r{k}" for k in range(8 - self.used, 8))
        w("mov", "r12", "r0")
        w("ldm", "r1" if "r1" in names else "r1!", several(names))
        w("lsls", "r0", names[0], "#31")
        w("asrs", "r0", "r0", "#31")
        w("mov", "r8", "r0")
        held = ONES  # the word of p that r0 has
        for k, name in enumerate(names):
            value, other = self.p >> 32 * k & ONES, "r0"
            if k and 0 < value != ONES:
                assert names[0] != "r1"
                other = self._masked(w, k, "r0", "r1")
            elif value != held:
                if value == ONES:
                    w("mov", "r0", "r8")
                else:
                    self._masked(w, k, "r0", "r0")
                held = value
            each(w, "adds", "adcs", name, other, begins=k == 0)
        w.note("what is carried is the top bit")
        w("movs", "r0", "#0")
        w("adcs", "r0", "r0")
        w("lsls", "r0", "r0", "#31")
        w("mov", "r8", "r0")
        for name, above in zip(names, (*names[1:], ""), strict=True):
            w("lsrs", name, name, "#1")
            w(*(("lsls", "r0", above, "#31") if above else ("mov", "r0", "r8")))
            w("orrs", name, "r0")
        w("mov", "r0", "r12")
        self._end(w, names)


def several(names: tuple[str, ...]) -> str:
    """A register list."""
    return f"{{{', '.join(names)}}}"


def constant(w: Writer, name: str, value: int, *, first: bool) -> None:
    """A register = a small number, all ones, or, `first`, 2^31; the carry stays, then not."""
    w("movs", name, f"#{0 if value == ONES else 1 if value == 1 << 31 else value}")
    if value == ONES:
        w("mvns", name, name)
    elif value == 1 << 31:
        assert first
        w("lsls", name, name, "#31")


def result(w: Writer, names: tuple[str, ...], zeros: int = 0) -> None:
    """These words to where the first word of the stack says, and zeros."""
    w("ldr", "r0", "[sp]")
    w("stm", "r0!", several(names))
    if zeros:
        w("movs", names[0], "#0")
        w("stm", "r0!", several(names[:1]))


def columns192(w: Writer) -> None:
    """Digits m are columns: of two words each, t less those before. r = t/R + m - the last two and
    what they borrow; less p, and p again where that is negative.
    """
    m = ("r1", "r2", "r3", "r4", "r5", "r6")
    w("add", "r0", "sp", f"#{T}")
    w("ldm", "r0!", several(m))
    for index in range(4):
        each(w, "subs", "sbcs", m[index + 2], m[index], begins=index == 0)
    w.note("less p + 1, whose upper words are ones; r7: what is borrowed")
    w("sbcs", "r1", "r5")
    w("sbcs", "r2", "r6")
    constant(w, "r7", ONES, first=False)
    for name in (*m[2:], "r7"):
        w("sbcs", name, "r7")
    w("mov", "r8", "r7")
    w("cmp", "r7", "r7")
    for name in m:
        w("ldm", "r0!", "{r7}")
        w("adcs", name, "r7")
    w("mov", "r7", "r8")
    w("movs", "r0", "#0")
    w("adcs", "r7", "r0")
    w("adds", "r0", "r7", "r7")
    for index, name in enumerate(m):
        each(w, "adds", "adcs", name, "r0" if index == 2 else "r7", begins=index == 0)
    result(w, m)


def columns128(w: Writer) -> None:
    """Digits m are t[0] to t[2] and t[3] - 2 m[0]; r = t/R + m - m/2^31, rounded down, and what the
    last digit borrowed; less p, and p again where that is negative.
    """
    m, twice = ("r1", "r2", "r3", "r4"), ("r6", "r7", "r0")
    w("add", "r0", "sp", f"#{T}")
    w("ldm", "r0!", several(m))
    w("lsls", "r5", "r1", "#1")
    w("subs", "r4", "r4", "r5")
    w("sbcs", "r5", "r5")
    w("mov", "r8", "r5")
    for to, name in zip(twice, m[1:], strict=True):
        w("movs", to, name)
    w("adds", "r5", "r1", "r1")
    for name in twice:
        w("adcs", name, name)
    w("movs", "r5", "#0")
    w("adcs", "r5", "r5")
    for index, (name, other) in enumerate(zip(m, (*twice, "r5"), strict=True)):
        each(w, "subs", "sbcs", name, other, begins=index == 0)
    w("sbcs", "r7", "r7")
    w.note("the carry: 1 of -p, less what was borrowed")
    w("mov", "r5", "r8")
    w("rsbs", "r6", "r5", "#0")
    w("add", "r0", "sp", f"#{T + 16}")
    for first in (0, 2):
        w("ldm", "r0!", "{r5, r6}")
        w("adcs", m[first], "r5")
        w("adcs", m[first + 1], "r6")
    w("movs", "r5", "#0")
    w("adcs", "r7", "r5")
    w("adds", "r4", "#2")
    w("adcs", "r7", "r5")
    w("subs", "r7", "#1")
    w("movs", "r5", "#2")
    w("mvns", "r5", "r5")
    w("ands", "r5", "r7")
    for index, name in enumerate(m):
        each(w, "adds", "adcs", name, "r5" if index == 3 else "r7", begins=index == 0)
    result(w, m)


def columns224(w: Writer) -> None:
    """Digits m[k] = t[k] + m[k-3] - m[k-7]; r = t/R + m[5..7] - m[1..7], and p where negative."""
    w("ldr", "r7", f"[sp, #{T + 28}]")
    w("add", "r0", "sp", f"#{T}")
    w("ldm", "r0!", "{r1-r6}")
    w.note("column 7 less m[0]; r8: what is borrowed")
    w("subs", "r7", "r7", "r1")
    w("sbcs", "r0", "r0")
    w("mov", "r8", "r0")
    w("adds", "r4", "r4", "r1")
    w("adcs", "r5", "r2")
    w("adcs", "r6", "r3")
    w("ldr", "r1", f"[sp, #{T + 24}]")
    w("adcs", "r1", "r4")
    w("adcs", "r7", "r5")
    for high, name in (("r10", "r2"), ("r11", "r3"), ("r12", "r4")):
        w("mov", high, name)
    w.note("columns 8 to 10, m[4] to m[7] in r5, r6, r1, r7")
    w("add", "r0", "sp", f"#{T + 32}")
    w("ldm", "r0!", "{r2-r4}")
    for name, digit in (("r2", "r6"), ("r3", "r1"), ("r4", "r7")):
        w("adcs", name, digit)
    w("movs", "r0", "#0")
    w("adcs", "r0", "r0")
    w("mov", "lr", "r0")
    w("mov", "r0", "r8")
    w("rsbs", "r0", "r0", "#0")
    for name, high in (("r2", "r10"), ("r3", "r11"), ("r4", "r12")):
        w("mov", "r0", high)
        w("sbcs", name, "r0")
    for k, digit in enumerate(("r5", "r6", "r1", "r7"), 11):
        w("ldr", "r0", f"[sp, #{T + 4 * k}]")
        w("sbcs", "r0", digit)
        w("mov", digit, "r0")
    w("sbcs", "r0", "r0")
    w("mov", "r8", "r0")
    w.note("what columns 8 to 10 carried; r0: all ones where p comes back")
    w("mov", "r0", "lr")
    w("adds", "r5", "r5", "r0")
    w("movs", "r0", "#0")
    for name in ("r6", "r1", "r7", "r0"):
        w("adcs", name, "r0")
    w("add", "r0", "r8")
    w("mov", "r8", "r0")
    w("lsrs", "r0", "r0", "#31")
    w("adds", "r2", "r2", "r0")
    w("movs", "r0", "#0")
    w("adcs", "r3", "r0")
    w("adcs", "r4", "r0")
    w("mov", "r0", "r8")
    for name in ("r5", "r6", "r1", "r7"):
        w("adcs", name, "r0")
    result(w, ("r2", "r3", "r4", "r5", "r6"))
    w("movs", "r2", "#0")
    w("stm", "r0!", "{r1, r7}")
    w("stm", "r0!", "{r2}")


def columns160(w: Writer) -> None:
    """With c = 2^31 + 1 a digit m is c x modulo 2^32, x = t less the upper word of c m before; the
    last one plus m[0]. r = t/R + m[1..5] less the last such word; less p, and p again.
    """
    digits = ("r8", "r10", "r11", "r12", "lr")
    w("add", "r0", "sp", f"#{T}")
    for k in range(6):
        w("ldm", "r0!", "{r1}")
        if k == 5:
            w("mov", "r2", "r8")
            w("adds", "r1", "r1", "r2")
            w("movs", "r6", "#0")
            w("adcs", "r6", "r6")
        if k:
            w("subs", "r1", "r1", "r3")
            w("sbcs", "r5", "r5")
        w("lsls", "r2", "r1", "#31")
        w("lsrs", "r3", "r1", "#1")
        w("subs", "r1", "r1", "r2")
        w("sbcs", "r7", "r7")
        w("subs", "r3", "r3", "r7")
        w("lsls", "r7", "r7", "#31")
        w("adds", "r3", "r3", "r7")
        w("lsrs", "r2", "r2", "#1")
        w("subs", "r3", "r3", "r2")
        if k < 5:
            w("mov", digits[k], "r1")
        if k:
            w("subs", "r3", "r3", "r5")
    w("mov", "r8", "r1")
    w.note("c less that, and what column 5 carried")
    w("movs", "r1", "#1")
    w("lsls", "r1", "r1", "#31")
    w("adds", "r1", "r1", "#1")
    w("subs", "r1", "r1", "r3")
    w("adds", "r1", "r1", "r6")
    words = ("r2", "r3", "r4", "r5", "r6")
    w("ldm", "r0!", several(words))
    w("movs", "r7", "#0")
    for index, name in enumerate(words):
        each(w, "adds", "adcs", name, "r7" if index else "r1", begins=index == 0)
    w("adcs", "r7", "r7")
    for index, (name, digit) in enumerate(zip(words, (*digits[1:], "r8"), strict=True)):
        w("mov", "r1", digit)
        each(w, "adds", "adcs", name, "r1", begins=index == 0)
    w("movs", "r1", "#0")
    w("adcs", "r7", "r1")
    w("subs", "r7", "#1")
    w("lsrs", "r1", "r7", "#1")
    for index, name in enumerate(words):
        each(w, "adds", "adcs", name, "r7" if index else "r1", begins=index == 0)
    result(w, words, 1)


PRIMES = (
    Prime("secp128r1", 2**128 - 2**97 - 1, 4, 128, columns128),
    Prime("secp160r1", 2**160 - 2**31 - 1, 6, 192, columns160),
    Prime("secp192r1", 2**192 - 2**64 - 1, 6, 192, columns192),
    Prime("secp224r1", 2**224 - 2**96 + 1, 8, 256, columns224),
)
