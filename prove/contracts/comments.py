"""Contracts of C functions, read from the comments above them, as `banner` reads banners."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ecfit.choices.curves import CURVES
from prove.algebra.primes import ORDER_25519, P25519
from prove.contracts.banner import Reader, Unread
from prove.contracts.cases import of_modulus
from prove.contracts.contract import Contract, Goal, Operand
from prove.contracts.expression import Term
from prove.machine.compiled import Function

MODULI = (
    *((f"{name} {kind}", m) for name in ("secp256r1", "secp384r1", "secp256k1")
      for kind, m in (("p", CURVES[name].p), ("n", CURVES[name].n))),
    ("p25519 p", P25519),
    ("ed25519 n", ORDER_25519),
)  # fmt: skip
"""Those of the curves of the presets."""
ZERO, SOME = "All ones when a = 0, else 0.", "0 when a = 0, else 1."
BIT = r"\) Bit i of a\."
INVERSE, LENGTH = -1, -5  # of a modulus, in a record


def text_of(path: Path, line: int, name: str) -> str:
    """A function's head and the comment above it, in one line, as a banner has them."""
    lines = path.read_text("utf-8").splitlines()
    end = line - 2
    while lines[end].startswith("#if") or lines[end - 1].endswith("\\"):
        end -= 1
    if not lines[end].endswith("*/"):
        raise Unread("it has no comment of its own")
    start = next(i for i in range(end, -1, -1) if lines[i].startswith("/*"))
    comment = " ".join(re.sub(r"^ ?/?\*+ ?|\*/$", "", x) for x in lines[start : end + 1])
    head = " ".join(lines[line - 1 :]).split("{", 1)[0].strip()
    found = re.match(r"ECFIT_\w+ (\w+) (?:[NF]\(\w+\)|\w+)\((.*)\)$", head)
    if not found:
        raise Unread("its head is in no form that the prover reads")
    parameters = found[2].replace("CTX ", "")
    return f"{found[1]} {name}({parameters}) {' '.join(comment.split())}"


def contracts(backend: str, function: Function, words: int) -> list[Contract]:
    """Those of a function for numbers of so many words: one for each modulus. Errors: Unread."""
    text = text_of(function.path, function.line, function.name)
    made = Spoken(backend, function.name, text, words).contract()
    found = list(_with_moduli(made, words)) if "m" in made.operands else [made]
    return [other for one in found for other in _exchanged(one)]


def _exchanged(made: Contract) -> Iterator[Contract]:
    """A contract; where one of a, b is below m, another for the other one; where r - p comes of
    larger numbers, another for those.
    """
    yield made
    a, b = made.operands.get("a"), made.operands.get("b")
    if a and b and a != b:
        other: tuple[dict[str, str], ...]
        other = ({}, {"b": "a"}, {"r": "a"}, {"r": "b"}, {"b": "a", "r": "a"})
        changed = made.operands | {"a": b, "b": a}
        yield replace(made, operands=changed, aliases=other, case=f"{made.case}, a < m")
    if ZERO in made.text or SOME in made.text:
        (goal,) = made.goals
        words = made.operands["a"].words
        yield replace(
            made, operands={"a": Operand(words, 1 << 32 * words, 1)}, case="not 0",
            goals=(replace(goal, value=Term("num", value=int(SOME in made.text))),),
        )  # fmt: skip
    if re.search(BIT, made.text):
        (goal,), ((register, _),) = made.goals, made.numbers.items()
        for i in range(1, 32 * made.operands["a"].words):
            yield replace(
                made, numbers={register: i}, case=f"bit {i}",
                goals=(replace(goal, value=replace(goal.value, value=i)),),
            )  # fmt: skip
    if "; else out: r - p" in made.text:
        (goal,) = made.goals
        assert goal.modulus
        full = 1 << 32 * goal.words
        yield replace(
            made, operands={"r": Operand(goal.words, full)}, case="any",
            goals=(replace(goal, bound=full - goal.modulus),),
        )  # fmt: skip


def _with_moduli(made: Contract, words: int) -> Iterator[Contract]:
    for case, m in MODULI:
        if -(-m.bit_length() // 32) != words or (case == "p25519 p" and made.goals[0].factor > 1):
            continue  # that field has products of its own
        if " mod n" in made.text and case != f"{made.name.split('_')[0]} n":
            continue
        number = {INVERSE: -pow(m, -1, 1 << 32) % (1 << 32), LENGTH: words}
        record = tuple(number[v] if isinstance(v, int) else v for v in made.record)
        yield replace(of_modulus(made, words, m), record=record, case=case)


class Spoken(Reader):
    """One comment."""

    def __init__(self, backend: str, name: str, text: str, words: int) -> None:
        self.words = words
        super().__init__(backend, name, text)
        self.first = 10 if self.rv else 0

    def _length(self) -> int:
        return self.words

    def contract(self) -> Contract:
        """What it says."""
        types = [p.strip() for p in self.text.split("(", 1)[1].split(")", 1)[0].split(",")]
        modulus = next((i for i, p in enumerate(types) if p == "const mod *m"), None)
        for pattern, form in FORMS.items():
            if re.search(pattern, self.text):
                made = form(self)
                break
        else:
            made = super().contract()
        if modulus is None:
            return made
        return replace(
            made,
            arguments=made.arguments | {self.first + modulus: "record"},
            operands=made.operands | {"m": Operand(self.words, 1 << 32 * self.words, 0, 0)},
            record=("m", None, INVERSE, LENGTH),
        )

    def _operand(self, name: str, around: str) -> Operand:
        if re.search(rf"\b0 < {name} < p\b", around):
            return Operand(self.words, self.bound("p"), 1)
        return super()._operand(name, around)

    def _out_bound(self, around: str, modulus: int | None) -> int | None:
        if re.search(r"\b0 < \w < p\b", around):
            return self.bound("p")
        return super()._out_bound(around, modulus)

    def made(self, operands: dict[str, Operand], goal: Goal, **named: object) -> Contract:
        """A contract whose words are no formula; the pointers of the head are its arguments."""
        arguments = {
            self.first + i: name for i, (name, pointer) in enumerate(self.parameters) if pointer
        }
        made = Contract(
            self.name, self.backend, arguments, operands, (goal,), keeps=self._keeps(),
            text=self.text,
        )  # fmt: skip
        return replace(made, **named)  # type: ignore[arg-type]

    def once(self) -> Contract:
        """r, and a carry above it, less m."""
        goal = Goal("r", self.words, Term("var", (), "r"), modulus=-1, bound=-1)
        return self.made({"r": Operand(self.words + 1, -3)}, goal, above={self.first + 1: "r"})

    def once_of(self) -> Contract:
        """The same of t; m is the last argument."""
        goal = Goal("r", self.words, Term("var", (), "t"), modulus=-1, bound=-1)
        operands = {"r": self.any(), "t": Operand(self.words + 1, -3)}
        return self.made(operands, goal, above={self.first + 2: "t"})

    def any(self, times: int = 1) -> Operand:
        """An operand of any value."""
        return Operand(times * self.words, 1 << 32 * times * self.words)

    def product(self) -> Contract:
        """Montgomery's, of numbers of which b is below m; `contracts` has the other case, too."""
        value = Term("mul", (Term("var", (), "a"), Term("var", (), "b")))
        goal = Goal("r", self.words, value, factor=1 << 32 * self.words, modulus=-1, bound=-1)
        operands = {"a": self.any(), "b": Operand(self.words, -1), "r": self.any()}
        ways: tuple[dict[str, str], ...]
        ways = ({}, {"a": "b"}, {"r": "a"}, {"r": "b"}, {"a": "b", "r": "b"})
        return self.made(operands, goal, aliases=ways)

    def reduced(self) -> Contract:
        """Montgomery's reduction of t."""
        m = self.prime or -1
        goal = Goal(
            "r", self.words, Term("var", (), "t"), factor=1 << 32 * self.words, modulus=m, bound=m
        )
        bound = m << 32 * self.words if self.prime else -2
        operands = {"r": self.any(), "t": Operand(2 * self.words, bound)}
        return self.made(operands, goal, lost=("t",))

    def field_product(self) -> Contract:
        """a b / R, or a^2 / R, modulo p."""
        assert self.prime
        b = "b" if "b" in [name for name, _ in self.parameters] else "a"
        value = Term("mul", (Term("var", (), "a"), Term("var", (), b)))
        goal = Goal(
            "r", self.words, value, factor=1 << 32 * self.words, modulus=self.prime,
            bound=self.prime,
        )  # fmt: skip
        operands = {name: Operand(self.words, self.prime) for name in ("a", b)}
        ways: tuple[dict[str, str], ...] = ({}, {"r": "a"})
        if b == "b":
            ways += ({"b": "a"}, {"r": "b"}, {"b": "a", "r": "a"})
        return self.made(operands | {"r": self.any()}, goal, aliases=ways)

    def opposite(self) -> Contract:
        """-a modulo the modulus that elements are below, 2p for 2^255 - 19."""
        m = 2 * P25519
        if self.prime != P25519:
            raise Unread("the modulus of its elements is not known")
        a = Term("var", (), "a")
        value = Term("choice", (Term("var", (), "mask"), Term("sub", (Term("num"), a)), a))
        goal = Goal("a", self.words, value, modulus=m, bound=m)
        return self.made({"a": Operand(self.words, m, 1)}, goal, masks={self.first + 1: "mask"})

    def lowered(self) -> Contract:
        """r modulo p, of r below 2p."""
        assert self.prime
        goal = Goal("r", self.words, Term("var", (), "r"), modulus=self.prime, bound=self.prime)
        return self.made({"r": Operand(self.words, 2 * self.prime)}, goal)

    def grown(self) -> Contract:
        """r = a and a number in a register, below a power of two."""
        size = 1 << 32 * self.words
        value = Term("add", (Term("var", (), "a"), Term("var", (), "value")))
        goal = Goal("r", self.words, value, modulus=size, bound=size)
        operands = {"a": self.any(), "r": self.any(), "value": Operand(1, 1 << 15)}
        return self.made(
            operands, goal, aliases=({}, {"r": "a"}), above={self.first + 2: "value"},
            numbers=self._at("n"),
        )  # fmt: skip

    def halved(self) -> Contract:
        """a, and a bit above it, without the lowest bit, divided by 2."""
        goal = Goal("a", self.words, Term("even", (Term("var", (), "a"),)), factor=2)
        operands = {"a": Operand(self.words + 1, 2 << 32 * self.words)}
        return self.made(operands, goal, above={self.first + 1: "a"}, numbers=self._at("n"))

    def zero(self) -> Contract:
        """All ones, or no bit, where a is 0; `contracts` has the other case, too."""
        value = 0 if SOME in self.text else (1 << 32) - 1
        goal = Goal("", 0, Term("num", value=value), (self.first,))
        operands = {"a": Operand(self.words, 1, 0, 0)}
        return self.made(operands, goal, numbers=self._at("n"))

    def bit(self) -> Contract:
        """One bit of a, by a number that is public: the first; `contracts` has the others, too."""
        goal = Goal("", 0, Term("bit", (Term("var", (), "a"),)), (self.first,))
        return self.made({"a": self.any()}, goal, numbers={self.first + 1: 0})

    def equal(self) -> Contract:
        """1 or 0."""
        value = Term("equal", (Term("var", (), "a"), Term("var", (), "b")), value=self.words)
        operands = {"a": self.any(), "b": self.any()}
        return self.made(
            operands, Goal("", 0, value, (self.first,)), aliases=({}, {"b": "a"}),
            numbers=self._at("n"),
        )  # fmt: skip

    def bytes_in(self) -> Contract:
        """a = the number of `size` bytes, as many as it has: the first one is the highest."""
        value = Term("bytes", (Term("var", (), "in"),), value=4 * self.words)
        operands = {"a": self.any(), "in": self.any()}
        return self.made(
            operands, Goal("a", self.words, value), numbers=self._at("n") | self._at("size")
        )

    def bytes_out(self) -> Contract:
        """The other way."""
        value = Term("bytes", (Term("var", (), "a"),), value=4 * self.words)
        return self._written("out", value, self._at("size"))

    def little_in(self) -> Contract:
        """a = the number of 4 n bytes, the first one the lowest."""
        return self._written("a", Term("var", (), "in"), self._at("n"))

    def little_out(self) -> Contract:
        """The other way."""
        return self._written("out", Term("var", (), "a"), self._at("n"))

    def _written(self, place: str, value: Term, numbers: dict[int, int]) -> Contract:
        """A result of which parts of words are written: before, its words have any value."""
        nothing = Term("mul", (Term("num"), Term("var", (), place)))
        goal = Goal(place, self.words, Term("add", (value, nothing)))
        operands = {name: self.any() for name in sorted(goal.value.names())}
        return self.made(operands, goal, numbers=numbers)

    def _at(self, name: str) -> dict[int, int]:
        """The register of a length, and that length: in words, or `size` in bytes."""
        i = [p for p, _ in self.parameters].index(name)
        return {self.first + i: self.words * (4 if name == "size" else 1)}

    def small(self) -> Contract:
        """r = a word."""
        goal = Goal("r", self.words, Term("var", (), "value"))
        return self.made({"r": self.any()}, goal, data={self.first + 1: "value"})


FORMS = {
    r"r = r \+ carry \* B\^limbs - m, if that is not negative\. in: value below 2m; out: below m":
        Spoken.once,
    r"r = t \+ carry \* B\^limbs - m, if that is not negative, else t\. in: value below 2m; "
    r"out: below m": Spoken.once_of,
    r"r = a \* b / R mod m\. in: one of a, b below m, the other below R; r may be a or b "
    r"out: below m": Spoken.product,
    r"r = a \* b / R mod n\. in: one of a, b below n, the other below R; r may be a or b "
    r"out: below n": Spoken.product,
    r"r = a \* b / R mod p\. in: a, b below p; r may be a or b out: below p": Spoken.field_product,
    r"\) r = a\^2 / R mod p, likewise\.": Spoken.field_product,
    r"r = t / R mod ([mp])\. in: t below \1 R, 2 (limbs|LIMBS) words, lost out: below \1":
        Spoken.reduced,
    r"a = -a where mask is all ones\. in: 0 < a < m, the modulus of F\(mod\) out: below m":
        Spoken.opposite,
    r"r = the integer below p that r stands for, without p in memory\. in: r below 2p":
        Spoken.lowered,
    r"r = the integer below p that r stands for\. in: r below 2p; else out: r - p": Spoken.lowered,
    r"r = a \+ value; the carry out is lost\. in: value below 2\^15; r may be a": Spoken.grown,
    r"a = \(a \+ top \* B\^n\) / 2; in: a \+ top \* B\^n even; top 0 or 1": Spoken.halved,
    re.escape(ZERO): Spoken.zero,
    re.escape(SOME): Spoken.zero,
    r"\) 1 where a = b, else 0\.": Spoken.equal,
    BIT: Spoken.bit,
    r"a = the big-endian integer of `size` bytes, size at most n \* sizeof": Spoken.bytes_in,
    r"`size` bytes of a, big-endian": Spoken.bytes_out,
    r"a = the little-endian integer of n words of bytes\.": Spoken.little_in,
    r"n words of a, little-endian\.": Spoken.little_out,
    r"r = the field element of a small integer, value\.": Spoken.small,
}  # fmt: skip
