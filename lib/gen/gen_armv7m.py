#!/usr/bin/env python3
"""Write the assembly of the Cortex-M3: lib/src/mp/armv7m and field/armv7m.

lib/gen/gen_armv7m.py     writes all files (`make generate` does so, too)

The programs that say how they work stand in lib/gen/armv7m. What is not written anew is of the
backend armv6m: its functions call routines of this one by the same names. Those that do so as they
are stand in folders `thumb`, which files of both include.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import gen_armv6m
from armv7em.code import Code
from armv7m import p256, p25519, products
from armv7m.narrow import narrowed
from assembly_files import SRC, file_text, found_in, short

COMMAND = "lib/gen/gen_armv7m.py"
LOST = "For the functions of this backend alone: all registers are lost but r9 and sp"
OF_P256 = "mod p, 8 words each, below p"
ROUTINES = gen_armv6m.ROUTINES  # of 2^255 - 19
INNER: dict[str, tuple[str, str, Callable[[Code], None]]] = {
    "ecfit_mul128": (
        "r0 = r1 r2, four words each",
        f"{LOST}, r1 and r2; r0 ends behind the result.",
        products.mul128,
    ),
    "ecfit_sqr128": (
        "r0 = r1^2, four words",
        f"{LOST} and r1; r0 ends behind the result.",
        products.sqr128,
    ),
    "ecfit_mul256": ("r0 = r1 r2, eight words each", f"{LOST}.", products.mul256),
    "ecfit_sqr256": ("r0 = r1^2, eight words", f"{LOST}.", products.sqr256),
    "ecfit_both256": (
        "r0 = r1 r2, eight words each, also where r1 is r2",
        f"{LOST}.",
        products.both256,
    ),
    "ecfit_secp256r1_both": (
        f"r0 = r1 r2/2^256 {OF_P256}, also where r1 is r2",
        f"{LOST}.",
        p256.product("ecfit_mul256", "ecfit_secp256r1_redc"),
    ),
    "ecfit_secp256r1_mul": (
        f"r0 = r1 r2/2^256 {OF_P256}",
        f"{LOST}.",
        p256.product("ecfit_mul256", "ecfit_secp256r1_redc"),
    ),
    "ecfit_secp256r1_sqr": (
        f"r0 = r1^2/2^256 {OF_P256}",
        f"{LOST}.",
        p256.product("ecfit_sqr256", "ecfit_secp256r1_redc"),
    ),
    "ecfit_secp256r1_redc": (
        "the end of a product: t/2^256 mod p, below p, of t below p 2^256, 16 words at sp",
        "Behind them: where the result goes, and the address to return to.",
        p256.redc,
    ),
    "ecfit_secp256r1_add": (f"r0 = r1 + r2 {OF_P256}", f"{LOST}.", p256.add),
    "ecfit_secp256r1_sub": (f"r0 = r1 - r2 {OF_P256}", f"{LOST}.", p256.sub),
    "ecfit_secp256r1_half": (f"r0 = r1/2 {OF_P256}", f"{LOST}.", p256.half),
    "ecfit_p25519_mul": (
        ROUTINES["mul"],
        f"{LOST}; r0 ends behind the result.",
        p256.product("ecfit_mul256", "ecfit_p25519_fold"),
    ),
    "ecfit_p25519_sqr": (
        ROUTINES["sqr"],
        f"{LOST}; r0 ends behind the result.",
        p256.product("ecfit_sqr256", "ecfit_p25519_fold"),
    ),
    "ecfit_p25519_fold": (
        "the end of a product: mod 2^255 - 19, below 2^255 + 2^231, of 16 words at sp",
        "Behind them: where the result goes, and the address to return to.",
        p25519.fold,
    ),
    "ecfit_p25519_add": (
        ROUTINES["add"],
        f"{LOST}; r0 ends behind the result.",
        p25519.add,
    ),
    "ecfit_p25519_sub": (
        ROUTINES["sub"],
        f"{LOST}; r0 ends behind the result.",
        p25519.sub,
    ),
    "ecfit_p25519_small": (
        ROUTINES["small"].replace("\n *", ""),
        f"{LOST}; r0 ends behind the result.",
        p25519.small,
    ),
}  # what it computes, what it says besides, what writes it
COSTS: dict[str, tuple[int, str]] = {
    "ecfit_p25519_ladder_as_mul": (196, "10155 (cortex-m3)"),
    "ecfit_p25519_product_as_mul": (192, "1068 (cortex-m3)"),
    "ecfit_p25519_run_as_mul": (200, "11020 (cortex-m3, n = 0)"),
}  # of functions for C that are those of armv6m but for a call: bytes of stack, cycles
HAND = {"mp/armv7m/mp": ("ecfit_mp_lookup",)}
FOLD = "ecfit_p25519_fold"  # alone, behind all others


def inner_text(symbol: str) -> str:
    """An inner function."""
    what, more, write = INNER[symbol]
    c = Code()
    c.begin("inner", symbol, (f"{symbol}: {what}", more))
    write(c)
    c.lines = narrowed(c.lines)
    c.end(symbol)
    return c.text().replace(f"inner {symbol}, 4", f"inner {symbol}, 8")  # a line of flash


def taken(name: str, text: str) -> str:
    """A function of armv6m with the stack and cycles of a Cortex-M3 in its banner."""
    stack, cost = COSTS[name]
    text = re.sub(r"Stack: \d+ bytes", f"Stack: {stack} bytes", text)
    text = re.sub(r"Cost: [^*]*\n", f"Cost: {cost}\n", text)
    return text.replace("bl      ecfit_p25519_both", "bl      ecfit_p25519_mul")  # no smaller here


def files() -> dict[Path, str]:
    """Each generated file and its text."""
    found: dict[str, dict[str, str]] = {}
    model = found_in(SRC / "field/armv6m/p25519.S") | gen_armv6m.functions()
    for name in (*INNER, *COSTS):
        text = inner_text(name) if name in INNER else taken(name, model[name])
        field = short(name).partition("_")[0]
        file = f"field/armv7m/{field}" if field in {"p25519", "secp256r1"} else "mp/armv7m/mp"
        file = "field/armv7m/p25519_fold" if name == FOLD else file
        found.setdefault(file, {})[name] = text
    return {
        SRC / f"{name}.S": file_text(
            f"{name}.S", COMMAND, written, HAND.get(name, ()), gen_armv6m.included(name)
        )
        for name, written in found.items()
    }


def main() -> None:
    """Command line: no arguments."""
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
