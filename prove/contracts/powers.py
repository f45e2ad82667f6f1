"""Powers and inverses in C: what the comments above them say, as exponents.

With R the factor of Montgomery's products of a field, or 1, an element x stands in memory as x R.
So the power a^e of elements is a^e R^(1 - e) of the numbers in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from prove.algebra.primes import P25519
from prove.contracts.banner import SAVED, Unread, prime
from prove.contracts.comments import INVERSE, LENGTH, MODULI, text_of
from prove.contracts.contract import Contract, Goal, Operand
from prove.contracts.expression import Term
from prove.machine.compiled import Function

TAIL = 5  # bits of 2^255 - 19 below the ones: PRIME_TAIL
INVERT, ROOT = (0xEB, 0), (0xED, 3)  # PRIME_INVERT and PRIME_ROOT
COUNTS = (*range(20), 31, 32, 62, 125, 251, 300)  # of squares
SHIFTS = (*range(4), 100)


class Power(NamedTuple):
    """r = the coefficient times powers of operands, modulo a prime."""

    contract: Contract
    prime: int
    coefficient: int
    powers: tuple[tuple[str, int], ...]


class Written(NamedTuple):
    """A function and its comment."""

    backend: str
    name: str
    words: int
    text: str

    @property
    def first(self) -> int:
        """The register of the first argument."""
        return 10 if self.backend == "rv32im" else 0

    @property
    def prime(self) -> int:
        """That of the field. Errors: Unread."""
        found = prime(self.name)
        if found is None:
            raise Unread("a power in no field that is known")
        return found

    def operand(self) -> Operand:
        """An element of the field, as it goes in."""
        full = 1 << 32 * self.words
        return Operand(self.words, full if self.prime == P25519 else self.prime)

    def contract(self, numbers: dict[int, int], case: str, *, both: bool = False) -> Contract:
        """r and a in memory, and numbers, by their arguments. `both`: r goes in, too."""
        parameters = self.text.split("(", 1)[1].split(")", 1)[0].split(",")
        pointers = [i for i, p in enumerate(parameters) if "*" in p]
        places = {self.first + i: name for i, name in zip(pointers, "ra", strict=True)}
        a = Term("var", (), "a")
        value = Term("mul", (Term("var", (), "r"), a)) if both else a
        element = self.operand()
        goal = Goal("r", self.words, value, modulus=self.prime, bound=element.bound)
        return Contract(
            self.name, self.backend, places, {"r": element, "a": element}, (goal,),
            numbers={self.first + i: x for i, x in numbers.items()}, text=self.text, case=case,
            keeps=SAVED["rv" if self.backend == "rv32im" else "arm"],
            public="CT: no, public data" in self.text,
        )  # fmt: skip

    def power(self, e: int, numbers: dict[int, int], case: str) -> Power:
        """r = a^e."""
        p = self.prime
        size = 1 if p == P25519 else 1 << 32 * self.words
        return Power(self.contract(numbers, case), p, pow(size, 1 - e, p), (("a", e),))


def _shifted(f: Written) -> Iterator[Power]:
    for count in COUNTS:
        made = f.contract({1: count}, f"count {count}", both=True)
        yield Power(made, f.prime, 1, (("r", 1 << count), ("a", 1)))


def _tail(f: Written) -> Iterator[Power]:
    top = f.prime >> TAIL << TAIL
    for shift in range(TAIL + 1):
        for low in range((top & 0xFF) + f.prime % (1 << shift), 256, 1 << shift):
            e = (top | low & (1 << TAIL) - 1) >> shift
            yield f.power(e, {2: low, 3: shift}, f"{low:#x}, {shift}")


def _named(f: Written) -> Iterator[Power]:
    for e, (low, shift) in (((f.prime - 5) // 8, ROOT), (f.prime - 2, INVERT)):
        yield f.power(e, {2: low, 3: shift}, f"{low:#x}, {shift}")


def _bits(f: Written) -> Iterator[Power]:
    for shift in SHIFTS:
        yield f.power(f.prime >> shift, {2: shift}, f"shift {shift}")


def _root(f: Written) -> Iterator[Power]:
    """A root is a^((p + 1)/4), or the opposite, if -1 is no square."""
    if f.prime % 4 != 3:
        raise Unread("roots modulo such a prime are no power")
    yield f.power((f.prime + 1) // 4, {}, "")


def _inverse(f: Written) -> Iterator[Power]:
    """Of an element; modulo 2^255 - 19, elements are below 2p."""
    made = f.power(f.prime - 2, {}, "")
    if f.prime == P25519:
        element = Operand(f.words, 2 * P25519)
        (goal,) = made.contract.goals
        contract = replace(
            made.contract, operands={"r": element, "a": element},
            goals=(replace(goal, bound=element.bound),),
        )  # fmt: skip
        made = made._replace(contract=contract)
    yield made


def _modulo(f: Written, *, any_square: bool = False) -> Iterator[Power]:
    """R^2/a modulo each prime of so many words: R^2 is a number of the record. `any_square`: the
    record has any number below m there, and r may be a.
    """
    for case, m in MODULI:
        if -(-m.bit_length() // 32) != f.words or (case == "p25519 p" and not any_square):
            continue  # that field has products of its own
        size, full = 1 << 32 * f.words, 1 << 32 * f.words
        square = size * size % m
        number = {INVERSE: -pow(m, -1, 1 << 32) % (1 << 32), LENGTH: f.words}
        operands = {
            "r": Operand(f.words, m), "a": Operand(f.words, m),
            "m": Operand(f.words, full, 0, m), "r2": Operand(f.words, full, 0, square),
        }  # fmt: skip
        if any_square:
            operands["r2"] = Operand(f.words, m)
        made = Contract(
            f.name, f.backend, {f.first: "r", f.first + 1: "a", f.first + 2: "record"}, operands,
            (Goal("r", f.words, Term("var", (), "a"), modulus=m, bound=m),), text=f.text,
            keeps=SAVED["rv" if f.backend == "rv32im" else "arm"], case=case,
            record=("m", "r2", number[INVERSE], number[LENGTH]),
            aliases=({}, {"r": "a"}) if any_square else ({},),
        )  # fmt: skip
        square_of = (("r2", 1),) if any_square else ()
        yield Power(made, m, 1 if any_square else square, (("a", m - 2), *square_of))


def _divided(f: Written) -> Iterator[Power]:
    yield from _modulo(f, any_square=True)


FORMS: dict[str, Callable[[Written], Iterator[Power]]] = {
    r"\) r = r\^\(2\^count\) a\.": _shifted,
    r"\) r = a\^e, e the bits of p from `shift` on, the lowest PRIME_TAIL of them those of low\. ":
        _tail,
    r"\) r = a\^\(\(p - 5\)/8\) for the exponent PRIME_ROOT, a\^\(p - 2\) for PRIME_INVERT\. ":
        _named,
    r"\) r = a\^e, e the bits of p from `shift` on: p >> shift\. ": _bits,
    r"\) r = a square root of a, or anything if there is none\. ": _root,
    r"\) r = 1/a, 0 for a = 0[.:] ": _inverse,
    r"\) r = r2/a mod m, 0 for a = 0; r2 is R\^2\. in: a below m; r may be a out: below m ":
        _divided,
    r"\) r = R\^2/a mod m, 0 for a = 0: the exponent m - 2 is public\. ": _modulo,
}  # fmt: skip


def promises(backend: str, function: Function, words: int) -> list[Power]:
    """What is promised of a function; nothing for others. Errors: Unread."""
    try:
        text = text_of(function.path, function.line, function.name)
    except Unread:
        return []
    for pattern, made in FORMS.items():
        if re.search(pattern, text):
            return list(made(Written(backend, function.name, words, text)))
    return []
