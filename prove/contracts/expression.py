"""What banners compute, as terms: `[r1] [r2]`, `3 [r1]`, `([r1] - [r2])^2`, `a b`, `-y`, and
`X where the mask M is all ones, else Y`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from prove.algebra.values import Poly, Space, plus

TOKEN = re.compile(r"\s*(\[\w+\]|\d+|[a-zR]\w*|[-+*^&()])")


@dataclass(frozen=True)
class Term:
    """A node: `op` is num, var, add, sub, mul, choice (mask, yes, no), entry (index, table), bytes
    (a number with its bytes in the other order), even (a number without its lowest bit), bit, or
    equal (1 where two numbers are, else 0).

    An entry has `value` words, a number with exchanged bytes so many bytes; `value` is the number
    of a bit, and the words of numbers that are compared.
    """

    op: str
    parts: tuple[Term, ...] = ()
    name: str = ""
    value: int = 0

    def names(self) -> set[str]:
        """Its operands and masks."""
        found = {self.name} if self.name else set()
        for part in self.parts:
            found |= part.names()
        return found

    def masks(self) -> set[str]:
        """Those of them that are masks."""
        found = {self.parts[0].name} if self.op == "choice" else set()
        for part in self.parts:
            found |= part.masks()
        return found

    def poly(self, space: Space, known: Mapping[str, Poly]) -> Poly:
        """As a polynomial in the input words; a mask is its bit."""
        if self.op == "num":
            return {(): self.value} if self.value else {}
        if self.op == "var":
            return dict(known[self.name])
        p = [part.poly(space, known) for part in self.parts]
        if self.op == "entry":
            return self._entry(space, *p)
        if self.op == "even":
            low = space.mod(space.value(_word(p[0], 0)), 1)
            return plus(p[0], low.p, -1)
        if self.op == "bit":
            word = space.value(_word(p[0], self.value // 32))
            return space.mod(space.floor(word, self.value % 32), 1).p
        if self.op == "equal":
            some = [[space.value(_word(q, i)) for i in range(self.value)] for q in p]
            return space.equal(list(zip(*some, strict=True)))
        if self.op == "bytes":
            found: Poly = {}
            for i in range(self.value):
                word = space.value(_word(p[0], i // 4))
                one = space.mod(space.floor(word, 8 * (i % 4)), 8)
                found = plus(found, one.p, 1 << 8 * (self.value - 1 - i))
            return found
        if self.op == "add":
            return plus(p[0], p[1])
        if self.op == "sub":
            return plus(p[0], p[1], -1)
        if self.op == "mul":
            return space.multiply(p[0], p[1])
        return plus(p[2], space.multiply(p[0], plus(p[1], p[2], -1)))

    def _entry(self, space: Space, index: Poly, table: Poly) -> Poly:
        """Each entry times what is 1 where the index is its number; words are whole words."""
        found: Poly = {}
        for env, number in space.by_index(index):
            first = 32 * self.value * number.get((), 0)
            entry = {m: c >> first for m, c in table.items()}
            entry = {m: c for m, c in entry.items() if 0 < c < 1 << 32 * self.value}
            for v, bit in env.items():
                entry = space.multiply(entry, {(v,): 1} if bit else {(): 1, (v,): -1})
            found = plus(found, entry)
        return found

    def number(self, known: Mapping[str, int]) -> int:
        """As a number; a mask is its bit."""
        if self.op == "num":
            return self.value
        if self.op == "var":
            return known[self.name]
        v = [part.number(known) for part in self.parts]
        if self.op == "entry":
            return v[1] >> 32 * self.value * v[0] & (1 << 32 * self.value) - 1
        if self.op == "choice":
            return v[1] if v[0] else v[2]
        if self.op == "even":
            return v[0] & ~1
        if self.op in ("bit", "equal"):
            return v[0] >> self.value & 1 if self.op == "bit" else int(v[0] == v[1])
        if self.op == "bytes":
            return int.from_bytes(v[0].to_bytes(self.value, "little"), "big")
        return {"add": v[0] + v[1], "sub": v[0] - v[1], "mul": v[0] * v[1]}[self.op]


def _word(p: Poly, i: int) -> Poly:
    """The word i of a number that is a sum of words."""
    first = 32 * i
    return {m: c >> first for m, c in p.items() if 0 < c >> first < 1 << 32}


def number(text: str) -> int:
    """A number: `2^255 + 2^25`."""
    return parse(text).number({})


def parse(text: str) -> Term:
    """The term that a text says. Errors: ValueError."""
    text = text.strip().rstrip(",.")
    square = re.fullmatch(r"\((.* where the mask .*)\)\^2", text)
    if square:
        inner = parse(square[1])
        return Term("mul", (inner, inner))
    choice = re.fullmatch(
        r"(.+?) where (?:the )?(?:mask (\w+)|(mask)) is all ones(?:, else (.+))?", text
    )
    if choice:
        yes, mask = parse(choice[1]), choice[2] or choice[3]
        no = choice[4]
        if no is None or no == "unchanged":
            names = sorted(yes.names())
            no = "r" if no else names[0]
        return Term("choice", (Term("var", (), mask), yes, parse(no)))
    masked = re.fullmatch(r"(\w+) \+ \((\w+) & (\w+)\)", text)
    if masked:
        kept = Term("choice", (Term("var", (), masked[3]), parse(masked[2]), Term("num")))
        return Term("add", (parse(masked[1]), kept))
    tokens: list[str] = []
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise ValueError(f"not an expression: {text}")
        tokens.append(found[1])
        at = found.end()
    rest = _Rest(tokens)
    term = _sum(rest)
    if rest.peek():
        raise ValueError(f"not an expression: {text}")
    return term


class _Rest:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self) -> str:
        return self.tokens.pop(0)


def _sum(rest: _Rest) -> Term:
    if rest.peek() == "-":
        rest.take()
        term = Term("sub", (Term("num"), _product(rest)))
    else:
        term = _product(rest)
    while rest.peek() in ("+", "-"):
        op = "add" if rest.take() == "+" else "sub"
        term = Term(op, (term, _product(rest)))
    return term


def _product(rest: _Rest) -> Term:
    term = _power(rest)
    while rest.peek() and rest.peek() not in "+-)":
        if rest.peek() == "*":
            rest.take()
        term = Term("mul", (term, _power(rest)))
    return term


def _power(rest: _Rest) -> Term:
    token = rest.take() if rest.peek() else ""
    if token in ("(",):
        term = _sum(rest)
        if rest.take() != ")":
            raise ValueError("a bracket is not closed")
    elif token.isdigit():
        term = Term("num", value=int(token))
    elif re.fullmatch(r"\[\w+\]|[a-zR]\w*", token):
        term = Term("var", name=token.strip("[]"))
    else:
        raise ValueError(f"not an expression: {token}")
    if rest.peek() == "^":
        rest.take()
        power = int(rest.take())
        if term.op == "num":
            return Term("num", value=term.value**power)
        base = term
        for _ in range(power - 1):
            term = Term("mul", (term, base))
    return term
