#!/usr/bin/env python3
"""Write the assembly of AVR: lib/src/mp/avr and field/avr.

lib/gen/gen_avr.py    writes all files; lib/gen/avr says how they work
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gen.assembly_files import SRC, file_text
from gen.avr import linear, p160, p256, p25519, products
from gen.avr.code import Code

COMMAND = "lib/gen/gen_avr.py"
CT = "CT: all   Clobbers: r0, r18-r27, r30, r31"
CT_N = CT.replace("all ", "all but n ")


class Piece(NamedTuple):
    """A function or a routine of a file."""

    file: str
    kind: str
    name: str
    banner: tuple[str, ...]
    write: Callable[[Code], None]


def function(
    file: str, prototype: str, text: tuple[str, ...], stack: int, write: Callable[[Code], None]
) -> Piece:
    """A function that C calls. What it takes stands in COSTS: on a core with a program counter of
    16 bits, from the first instruction to the return."""
    name = prototype.partition("(")[0].split()[-1]
    clobbers = CT_N if "size_t n" in prototype else CT
    banner = (prototype, *text, f"{clobbers}   Stack: {stack} bytes", f"Cost: {COSTS[name]} (avr)")
    return Piece(file, "function", name, banner, write)


def routine(file: str, name: str, text: tuple[str, ...], write: Callable[[Code], None]) -> Piece:
    """A routine that assembly alone calls."""
    return Piece(file, "inner", name, (f"{name}: {text[0]}", *text[1:]), write)


COSTS = {
    "ecfit_mp_add": "19 + 19 n",
    "ecfit_mp_sub": "19 + 17 n",
    "ecfit_mp_cmov": "5 + 21 n",
    "ecfit_mp_cswap": "5 + 29 n",
    "ecfit_mp_lookup": "95 + 159 n",
    "ecfit_mp_mac_row": "27 + 39 n",
    "ecfit_mp_mul_16": "5598",
    "ecfit_mp_sqr_16": "3629",
    "ecfit_p25519_redc": "430",
    "ecfit_p25519_fe_add": "306",
    "ecfit_p25519_fe_sub": "320",
    "ecfit_p25519_fe_small": "720",
    "ecfit_secp160r1_fe_add": "332",
    "ecfit_secp160r1_fe_sub": "267",
    "ecfit_mp_mul_10": "2567",
    "ecfit_secp160r1_redc": "692",
    "ecfit_mp_sqr_10": "1444",
    "ecfit_secp256r1_redc": "1037",
    "ecfit_secp256r1_fe_add": "504",
    "ecfit_secp256r1_fe_sub": "403",
}  # measured by tests/lib/test_assembly.py, which fails where they are wrong
MP, P25519 = "mp/avr/mp", "field/avr/p25519"
P256, P160 = "field/avr/secp256r1", "field/avr/secp160r1"
POINTERS = "mp_word *r, const mp_word *a, const mp_word *b"
ANY = "in: 16 words of any value; r may be an operand"
BELOW = "in: 16 words below p; r may be an operand; out: below p"
PIECES = (
    function(
        MP,
        f"mp_word ecfit_mp_add({POINTERS}, mp_word keep, size_t n)",
        ("r = a + (b & keep); returns the carry, 0 or 1.   in: keep a mask; r may be a or b",),
        2,
        linear.add,
    ),
    function(
        MP,
        f"mp_word ecfit_mp_sub({POINTERS}, size_t n)",
        ("r = a - b; returns the borrow, 0 or 1.   r may be a or b",),
        2,
        linear.sub,
    ),
    function(
        MP,
        "void ecfit_mp_cmov(mp_word *r, const mp_word *a, mp_word mask, size_t n)",
        ("r = a where mask is all ones, else unchanged",),
        0,
        linear.cmov,
    ),
    function(
        MP,
        "void ecfit_mp_cswap(mp_word *a, mp_word *b, mp_word mask, size_t n)",
        ("Exchanges a and b where mask is all ones",),
        0,
        linear.cswap,
    ),
    function(
        MP,
        "void ecfit_mp_lookup(mp_word *r, const mp_word *table, mp_word index, size_t count, "
        "size_t n)",
        (
            "r = table[index], of `count` entries of n words; all are read; cost of 8 entries",
            "in: count below 256",
        ),
        2,
        linear.lookup,
    ),
    function(
        MP,
        "mp_word ecfit_mp_mac_row(mp_word *r, const mp_word *a, mp_word b, size_t n)",
        ("r += a * b; returns the carry word.   in: r, a: n > 0 words, b: one word",),
        4,
        linear.mac_row,
    ),
    routine(
        MP,
        "ecfit_mp_mul_half",
        (
            "[Z] = [X] [Y].   in: 16 bytes each; out: 32 bytes, beside them; r1 = 0",
            "CT: all   Clobbers: all but Z; X is moved on",
        ),
        products.mul_half,
    ),
    routine(
        MP,
        "ecfit_mp_sqr_half",
        (
            "[Z] = [X]^2.   in: 16 bytes; out: 32 bytes, which may be X's; r1 = 0",
            "CT: all   Clobbers: all but Y, Z; X is moved on",
        ),
        products.sqr_half,
    ),
    routine(
        MP,
        "ecfit_mp_combine",
        (
            "[Z] = l + (l + h + m) 2^128 + h 2^256, m negated where r18 is all ones, else 0",
            "in: l, h: 32 bytes each at Z, m: 32 bytes at Y + 1, each the product of two "
            "16 bytes, the sum not negative; r1 = 0",
            "CT: all   Clobbers: all but Y, Z, r1",
        ),
        products.combine,
    ),
    function(
        MP,
        "void ecfit_mp_mul_16(mp_word *t, const mp_word *a, const mp_word *b)",
        ("t = a b.   in: 16 words each, of any value; out: 32 words, not a or b",),
        60,
        products.mul,
    ),
    function(
        MP,
        "void ecfit_mp_sqr_16(mp_word *t, const mp_word *a)",
        ("t = a^2.   in: 16 words of any value; out: 32 words, not a",),
        59,
        products.sqr,
    ),
    function(
        P25519,
        "void ecfit_p25519_redc(mp_word *r, const mp_word *t)",
        (
            "r = t mod 2^255 - 19.   in: 32 words of any value; out: 16 words below 167 2^248, "
            "not t",
        ),
        0,
        p25519.redc,
    ),
    function(
        P25519,
        f"void ecfit_p25519_fe_add({POINTERS})",
        (f"r = a + b mod 2^255 - 19.   {ANY}; out: below 130 2^248",),
        4,
        p25519.add,
    ),
    function(
        P25519,
        f"void ecfit_p25519_fe_sub({POINTERS})",
        (f"r = a - b mod 2^255 - 19.   {ANY}; out: below 131 2^248",),
        4,
        p25519.sub,
    ),
    function(
        P25519,
        f"void ecfit_p25519_fe_small({POINTERS})",
        (
            "r = a b mod 2^255 - 19.   in: a 16 words of any value, b 2 words, below 2^19; r may "
            "be an operand; out: below 2^255 + 2^250",
        ),
        6,
        p25519.small,
    ),
    function(
        P256,
        "void ecfit_secp256r1_redc(mp_word *r, mp_word *t)",
        (
            "r = t / 2^256 mod p.   in: 32 words below p 2^256, the lower 16 lost; out: 16 words "
            "below p, not t",
        ),
        0,
        p256.redc,
    ),
    function(
        P256,
        f"void ecfit_secp256r1_fe_add({POINTERS})",
        (f"r = a + b mod p.   {BELOW}",),
        2,
        p256.add,
    ),
    function(
        P256,
        f"void ecfit_secp256r1_fe_sub({POINTERS})",
        (f"r = a - b mod p.   {BELOW}",),
        2,
        p256.sub,
    ),
    routine(
        MP,
        "ecfit_mp_mul_short",
        (
            "[Z] = [X] [Y].   in: 20 bytes each; out: 40 bytes, beside them; r1 = 0",
            "CT: all   Clobbers: all but Y, Z; X is moved on",
        ),
        p160.mul,
    ),
    routine(
        MP,
        "ecfit_mp_sqr_short",
        (
            "[Z] = [X]^2.   in: 20 bytes; out: 40 bytes, beside them; r1 = 0",
            "CT: all   Clobbers: all but r29, Z",
        ),
        p160.sqr,
    ),
    function(
        MP,
        "void ecfit_mp_mul_10(mp_word *t, const mp_word *a, const mp_word *b)",
        ("t = a b.   in: 10 words each, of any value; out: 20 words, not a or b",),
        21,
        lambda c: products.wrapped(c, "ecfit_mp_mul_short", 2),
    ),
    function(
        MP,
        "void ecfit_mp_sqr_10(mp_word *t, const mp_word *a)",
        ("t = a^2.   in: 10 words of any value; out: 20 words, not a",),
        20,
        lambda c: products.wrapped(c, "ecfit_mp_sqr_short", 1),
    ),
    function(
        P160,
        "void ecfit_secp160r1_redc(mp_word *r, mp_word *t)",
        (
            "r = t / 2^192 mod p.   in: 20 words, below p^2, the lower 12 lost; out: 12 words "
            "below p, not t",
        ),
        2,
        p160.redc,
    ),
    function(
        P160,
        f"void ecfit_secp160r1_fe_add({POINTERS})",
        (f"r = a + b mod p.   {BELOW.replace('16', '12')}",),
        2,
        p160.add,
    ),
    function(
        P160,
        f"void ecfit_secp160r1_fe_sub({POINTERS})",
        (f"r = a - b mod p.   {BELOW.replace('16', '12')}",),
        2,
        p160.sub,
    ),
)


def files() -> dict[Path, str]:
    """Each generated file and its text."""
    found: dict[str, dict[str, str]] = {}
    for piece in PIECES:
        code = Code()
        code.begin(piece.kind, piece.name, piece.banner)
        piece.write(code)
        code.end(piece.name)
        found.setdefault(piece.file, {})[piece.name] = code.text()
    texts = {name: file_text(f"{name}.S", COMMAND, functions) for name, functions in found.items()}
    texts["mp/avr/all"] = (
        "/* mp/avr/all.S - every function of the backend\n"
        f" * generated by `{COMMAND}`; do not edit */\n"
        '#include "mp/avr.S"\n' + "".join(f'#include "{name}.S"\n' for name in sorted(texts))
    )
    return {SRC / f"{name}.S": text for name, text in texts.items()}


def main() -> None:
    """Command line: no arguments."""
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
