"""A contract for any modulus, or for a table of any size, as contracts for those of curves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ecfit.choices.curves import CURVES
from prove.algebra.primes import ORDER_448, ORDER_25519, P25519
from prove.contracts.contract import Contract, Goal, Operand
from prove.contracts.expression import Term

TABLES = ((3, 8), (1, 12), (2, 18), (4, 8))
"""Tables of look-ups: the number of entries as a power of two, and the words of an entry."""


BELOW = r"below 2\^\d+(?: \+ 2\^\d+)?"
MASKED, PLAIN = {13: 0xFFFFFFFF}, {13: 0}  # in a3, on RV32IM
BOTH: tuple[tuple[str, tuple[tuple[str, dict[int, int]], ...]], ...] = (
    (
        rf"\[a0\] = \[a1\] \+ \[a2\], ({BELOW}), or \[a1\] - \[a2\], of any value, where the mask "
        r"a3 is all ones\. in: (pointers to 8 words of any value; a0 may be )another",
        (
            (r"[a0] = [a1] + [a2]. in: \2one of the others out: \1", PLAIN),
            (r"[a0] = [a1] - [a2]. in: \2one of the others out: of any value", MASKED),
        ),
    ),
    (
        rf"\[a0\] = \[a1\] \[a2\] with a3 = 8; with a3 = 0 (\[a1\] times a word {BELOW}, \[a2\])"
        rf"\.( in: .*? out: )({BELOW}), or (2\^\d+ \+ 2\^\d+)",
        (
            (r"[a0] = [a1] [a2].\2\3", {13: 8}),
            (r"[a0] = \1,\2below \4", {13: 0}),
        ),
    ),
    (
        rf"(, int op\) r = a )b( mod 2\^255 - 19, )(?:{BELOW})"
        r"(\. in: 8 words of any value; r may be an operand).* with a3 = 8 it is the "
        r"same, with 0 a times the lowest word of b, "
        r"(below 2\^26), which leaves less than (2\^255 \+ 2\^32)\.",
        (
            (r"\1b\2below 2^255 + 2^11\3", {13: 8}),
            (r"\1times a word \4, [b],\2below \5\3", {13: 0}),
        ),
    ),
    (
        rf"(, int op\) r = a )b( mod 2\^255 - 19, {BELOW}\. in: 8 words of any value; r may be an "
        r"operand).* with r3 = OP_MUL it is the same, with OP_SMALL the product with the lowest "
        r"word of b alone",
        (
            (r"\1b\2", {3: 0}),
            (r"\1times a word below 2^32, [b],\2", {3: 3}),
        ),
    ),
)
"""Banners of routines that do one of two things, as a register says, and the banner of each."""


def variants(text: str) -> list[tuple[str, dict[int, int]]]:
    """A banner for each number that a register may have; the banner alone for most."""
    for pattern, made in BOTH:
        if re.search(pattern, text):
            return [(re.sub(pattern, one, text), numbers) for one, numbers in made]
    return [(said, {3: op} if op else {}) for said, op in operations(text)]


def cases(made: Contract) -> Iterator[Contract]:
    """It alone, or one for each modulus or size."""
    if made.indexes:
        yield from _with_counts(made)
    elif "m" in made.operands and made.operands["m"].words < 0:
        yield from _with_lengths(made)
    elif "m" in made.operands:
        yield from _with_moduli(made)
    else:
        yield made


def operations(text: str) -> list[tuple[str, int | None]]:
    """A banner; or one for each operation, with its number, where a register says which it is."""
    found = re.search(
        r"= (?P<add>[^=]*?),? for (?:r3 =|op) OP_ADD,(?: or)? (?P<sub>.*?),? for OP_SUB", text
    )
    if not found:
        return [(text, None)]
    made: list[tuple[str, int | None]] = []
    modulus = re.search(r" mod [^,]*", found["add"])
    for said, number in ((found["add"], 1), (found["sub"], 2)):
        first, *more = said.split(",")
        first += modulus[0] if modulus and " mod " not in first else ""
        what = ",".join([first, *more])
        end = text[found.end() :]
        end = f",{end[1:]}" if end.startswith(";") else end
        made.append((f"{text[: found.start()]}= {what}{end}", number))
    return made


def _moduli() -> Iterator[tuple[str, str, int]]:
    """Those of curves, and what residues modulo 2^255 - 19 are kept below."""
    for curve in CURVES.values():
        yield from ((curve.name, kind, m) for kind, m in (("p", curve.p), ("n", curve.n)) if m)
    yield "p25519", "2p", 2 * P25519
    yield "ed25519", "n", ORDER_25519
    yield "ed448", "n", ORDER_448


def _length(m: int) -> int:
    """The words that the library keeps it in: a multiple of 64 bits."""
    return -(-m.bit_length() // 64) * 2


def of_modulus(made: Contract, words: int, m: int) -> Contract:
    """A contract on any modulus, for one of so many words."""
    known = {-1: m, -2: m << 32 * words, -3: 2 * m}
    operands = {k: replace(o, bound=known.get(o.bound, o.bound)) for k, o in made.operands.items()}
    operands["m"] = Operand(words, 1 << 32 * words, 0, m)
    goals = tuple(
        replace(
            g,
            modulus=m if g.modulus == -1 else g.modulus,
            bound=m if g.bound == -1 else g.bound,
        )
        for g in made.goals
    )
    return replace(made, operands=operands, goals=goals)


def _with_moduli(made: Contract) -> Iterator[Contract]:
    """For each prime and order of a curve that has so many words."""
    words = made.operands["m"].words
    seen: set[int] = set()
    for name, kind, m in _moduli():
        needs_inverse = -1 in made.numbers.values()
        if _length(m) != words or m in seen or (needs_inverse and m % 2 == 0):
            continue
        seen.add(m)
        inverse = -pow(m, -1, 1 << 32) % (1 << 32) if m % 2 else 0
        numbers = {r: inverse if v == -1 else v for r, v in made.numbers.items()}
        one = of_modulus(made, words, m)
        yield replace(one, numbers=numbers, case=f"{name} {kind}")


def _with_lengths(made: Contract) -> Iterator[Contract]:
    """Of any even length: for each odd prime and order of a curve, as the library keeps them.

    Of the one length that the banner says, or of Brainpool's primes: for those alone.
    """
    seen: set[int] = set()
    only = re.search(r"m: odd, of (\d+) words", made.text)
    brainpool = "the prime of a Brainpool curve" in made.text
    for name, kind, m in _moduli():
        n = _length(m)
        if m % 2 == 0 or m in seen or (only and n != int(only[1])):
            continue
        if brainpool and not (name.startswith("brainpool") and kind == "p"):
            continue
        seen.add(m)
        known = {-1: m, -4: 1 << 32 * n}
        operands = {
            k: replace(o, words=-n * o.words, bound=known[o.bound] ** -o.words)
            for k, o in made.operands.items()
        }
        operands["m"] = replace(operands["m"], number=m)
        goals = tuple(
            replace(
                g,
                words=-n * g.words,
                factor=known.get(g.factor, g.factor),
                modulus=g.modulus and m,
                bound=g.bound and m,
                quotient=g.quotient and 1 << 32 * n,
            )
            for g in made.goals
        )
        number = {-1: -pow(m, -1, 1 << 32) % (1 << 32), -5: n}
        one = replace(
            made,
            operands=operands,
            goals=goals,
            numbers={r: number[v] for r, v in made.numbers.items()},
            record=tuple(number[v] if isinstance(v, int) else v for v in made.record),
            case=f"{name} {kind}",
        )
        yield one
        if "a" in operands:  # one of both is below m
            a, b = operands["a"], operands["b"]
            other: tuple[dict[str, str], ...]
            other = ({}, {"b": "a"}, {"r": "a"}, {"r": "b"}, {"b": "a", "r": "a"})
            yield replace(
                one, operands=operands | {"a": b, "b": a}, aliases=other, case=f"{one.case}, a < m"
            )


def _with_counts(made: Contract) -> Iterator[Contract]:
    """A look-up, for tables of each size; `least`: of the words of an entry."""
    found = re.search(r"(\d+) <= n|n >= (\d+)", made.text)
    least = int(found[1] or found[2]) if found else 1
    exact = re.search(r"index < count, n = (\d+)", made.text)
    first = min(made.numbers)
    for bits, words in ((1, int(exact[1])), (3, int(exact[1]))) if exact else TABLES:
        if words < least:
            continue
        operands = {"r": Operand(words, 1 << 32 * words)}
        operands["table"] = Operand(words << bits, 1 << 32 * (words << bits))
        ((register, (name, _)),) = made.indexes.items()
        value = Term("entry", (Term("var", (), name), Term("var", (), "table")), value=words)
        yield replace(
            made, operands=operands, goals=(Goal("r", words, value),),
            numbers={first: 1 << bits, first + 1: words}, indexes={register: (name, bits)},
            case=f"{1 << bits} of {words}",
        )  # fmt: skip
