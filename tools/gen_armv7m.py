#!/usr/bin/env python3
"""Write the assembly of the Cortex-M3: lib/src/mp/armv7m, field/armv7m and group/armv7m.

tools/gen_armv7m.py     writes all files (`make generate` does so, too)

The programs that say how they work stand in tools/armv7m. What is not written anew is of the
backend armv6m: its functions, as they are, call routines of this one by the same names; SHA-512 is
that of the Cortex-M4.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import gen_armv6m
from armv7em.code import Code
from armv7m import p256, p25519, products
from armv7m.narrow import narrowed

SRC = gen_armv6m.ROOT / "lib/src"
COMMAND = "tools/gen_armv7m.py"
LAYERS = ("mp", "field", "group", "hash")
OF_M4 = "hash/armv7em/sha512_block.S"  # without instructions that the Cortex-M3 lacks
LOST = "For the functions of this backend alone: all registers are lost but r9 and sp"
OF_P256 = "mod p, 8 words each, below p"
ROUTINES = gen_armv6m.ROUTINES  # of 2^255 - 19
INNER: dict[str, tuple[str, str, Callable[[Code], None]]] = {
    "mp/armv7m/mul128": (
        "r0 = r1 r2, four words each",
        f"{LOST}, r1 and r2; r0 ends behind the result.",
        products.mul128,
    ),
    "mp/armv7m/sqr128": (
        "r0 = r1^2, four words",
        f"{LOST} and r1; r0 ends behind the result.",
        products.sqr128,
    ),
    "mp/armv7m/mul256": ("r0 = r1 r2, eight words each", f"{LOST}.", products.mul256),
    "mp/armv7m/sqr256": ("r0 = r1^2, eight words", f"{LOST}.", products.sqr256),
    "mp/armv7m/both256": (
        "r0 = r1 r2, eight words each, also where r1 is r2",
        f"{LOST}.",
        products.both256,
    ),
    "field/armv7m/secp256r1_both": (
        f"r0 = r1 r2/2^256 {OF_P256}, also where r1 is r2",
        f"{LOST}.",
        p256.product("ecfit_mul256", "ecfit_secp256r1_redc"),
    ),
    "field/armv7m/secp256r1_mul": (
        f"r0 = r1 r2/2^256 {OF_P256}",
        f"{LOST}.",
        p256.product("ecfit_mul256", "ecfit_secp256r1_redc"),
    ),
    "field/armv7m/secp256r1_sqr": (
        f"r0 = r1^2/2^256 {OF_P256}",
        f"{LOST}.",
        p256.product("ecfit_sqr256", "ecfit_secp256r1_redc"),
    ),
    "field/armv7m/secp256r1_redc": (
        "the end of a product: t/2^256 mod p, below p, of t below p 2^256, 16 words at sp",
        "Behind them: where the result goes, and the address to return to.",
        p256.redc,
    ),
    "field/armv7m/secp256r1_add": (f"r0 = r1 + r2 {OF_P256}", f"{LOST}.", p256.add),
    "field/armv7m/secp256r1_sub": (f"r0 = r1 - r2 {OF_P256}", f"{LOST}.", p256.sub),
    "field/armv7m/secp256r1_half": (f"r0 = r1/2 {OF_P256}", f"{LOST}.", p256.half),
    "field/armv7m/p25519_mul": (
        ROUTINES["mul"],
        f"{LOST}; r0 ends behind the result.",
        p256.product("ecfit_mul256", "ecfit_p25519_fold"),
    ),
    "field/armv7m/p25519_sqr": (
        ROUTINES["sqr"],
        f"{LOST}; r0 ends behind the result.",
        p256.product("ecfit_sqr256", "ecfit_p25519_fold"),
    ),
    "field/armv7m/p25519_fold": (
        "the end of a product: mod 2^255 - 19, below 2^255 + 2^231, of 16 words at sp",
        "Behind them: where the result goes, and the address to return to.",
        p25519.fold,
    ),
    "field/armv7m/p25519_add": (
        ROUTINES["add"],
        f"{LOST}; r0 ends behind the result.",
        p25519.add,
    ),
    "field/armv7m/p25519_sub": (
        ROUTINES["sub"],
        f"{LOST}; r0 ends behind the result.",
        p25519.sub,
    ),
    "field/armv7m/p25519_small": (
        ROUTINES["small"].replace("\n *", ""),
        f"{LOST}; r0 ends behind the result.",
        p25519.small,
    ),
}  # by file: what it computes, what it says besides, what writes it
COSTS: dict[str, tuple[int, str]] = {
    "ecfit_mp_both_8": (120, "955 (cortex-m3)"),
    "ecfit_mp_mul_8": (120, "951 (cortex-m3)"),
    "ecfit_mp_mul_12": (152, "2274 (cortex-m3)"),
    "ecfit_mp_mul_16": (280, "3460 (cortex-m3)"),
    "ecfit_mp_sqr_8": (96, "638 (cortex-m3)"),
    "ecfit_mp_sqr_12": (128, "1610 (cortex-m3)"),
    "ecfit_mp_sqr_16": (252, "2404 (cortex-m3)"),
    "ecfit_p25519_ladder": (196, "8899 (cortex-m3)"),
    "ecfit_p25519_ladder_as_mul": (196, "10155 (cortex-m3)"),
    "ecfit_p25519_product": (192, "1068 (cortex-m3)"),
    "ecfit_p25519_product_as_mul": (192, "1068 (cortex-m3)"),
    "ecfit_p25519_square": (168, "755 (cortex-m3)"),
    "ecfit_p25519_run": (200, "10412 (cortex-m3, n = 0)"),
    "ecfit_p25519_run_as_mul": (200, "11020 (cortex-m3, n = 0)"),
    "ecfit_secp256r1_fe_both": (192, "1068 (cortex-m3)"),
    "ecfit_secp256r1_fe_mul": (192, "1066 (cortex-m3)"),
    "ecfit_secp256r1_fe_sqr": (168, "753 (cortex-m3)"),
    "ecfit_secp256r1_run": (200, "17993 (cortex-m3, n = 0)"),
    "ecfit_secp256r1_pt_add": (332, "15892 (cortex-m3)"),
    "ecfit_secp256r1_pt_add_affine": (332, "10999 (cortex-m3)"),
    "ecfit_secp256r1_pt_double": (260, "7572 (cortex-m3)"),
    "ecfit_secp384r1_fe_mul": (256, "2570 (cortex-m3)"),
    "ecfit_secp384r1_fe_sqr": (232, "1906 (cortex-m3)"),
    "ecfit_secp384r1_pt_add": (460, "38938 (cortex-m3)"),
    "ecfit_secp384r1_pt_add_affine": (460, "26876 (cortex-m3)"),
    "ecfit_sha512_block": (488, "9650 (cortex-m3)"),
    "ecfit_secp384r1_pt_double": (356, "18705 (cortex-m3)"),
}  # of functions for C: bytes of stack, cycles of a Cortex-M3


def inner_text(name: str) -> str:
    """The file of an inner function."""
    what, more, write = INNER[name]
    symbol = "ecfit_" + name.rsplit("/", 1)[1]
    c = Code()
    c.begin("inner", symbol, (f"{symbol}: {what}", more))
    write(c)
    c.lines = narrowed(c.lines)
    c.end(symbol)
    return c.text(COMMAND).replace(f"inner {symbol}, 4", f"inner {symbol}, 8")  # a line of flash


def taken(text: str) -> str:
    """A file of armv6m with the stack and cycles of a Cortex-M3 in its banners."""

    def banner(match: re.Match[str]) -> str:
        stack, cost = COSTS[match[1]]
        said = re.sub(r"Stack: \d+ bytes", f"Stack: {stack} bytes", match[0])
        return re.sub(r"Cost: [^*]*\n", f"Cost: {cost}\n", said)

    text = re.sub(r"/\* \w+ (ecfit_\w+)\((?:[^*]|\*(?!/))*\*/", banner, text)
    text = text.replace("bl      ecfit_p25519_both", "bl      ecfit_p25519_mul")  # no smaller here
    return text.replace(gen_armv6m.HEAD, f"generated by `{COMMAND}`")


def files() -> dict[Path, str]:
    """Each file and its text."""
    found = {SRC / f"{name}.S": inner_text(name) for name in INNER}
    for path, text in model().items():
        names = re.findall(r"^    (?:function|entry) +(\w+)", text, re.MULTILINE)
        if any(name in COSTS for name in names):
            found[Path(str(path).replace("armv6m", "armv7m"))] = taken(text)
    found[SRC / OF_M4.replace("armv7em", "armv7m")] = taken((SRC / OF_M4).read_text("utf-8"))
    by_hand = [path for layer in LAYERS for path in (SRC / layer / "armv7m").glob("*.S")]
    here = {str(path.relative_to(SRC)) for path in (*found, *by_hand)} - {"mp/armv7m/all.S"}
    found[SRC / "mp/armv7m/all.S"] = every(here)
    return found


def model() -> dict[Path, str]:
    """The files of armv6m: those that are generated, and the others as they are."""
    folders = [SRC / layer / "armv6m" for layer in LAYERS]
    paths = [path for folder in folders for path in sorted(folder.glob("*.S"))]
    return {path: path.read_text(encoding="utf-8") for path in paths} | gen_armv6m.generated()


def every(here: set[str]) -> str:
    """The list of all files: those of this backend, and of armv6m what it has not."""
    model = (SRC / "mp/armv6m/all.S").read_text(encoding="utf-8")
    lines = []
    for name in re.findall(r'#include "(.*)"', model):
        own = name.replace("armv6m", "armv7m")
        lines.append(own if own in here else name)
    lines += sorted(here - set(lines))
    head = (
        f"/* mp/armv7m/all.S - every function of the backend\n * generated by `{COMMAND}`;"
        " do not edit */\n    .set    FUNCTION_ALIGN, 4\n"
    )
    return head + "".join(f'#include "{name}"\n' for name in lines)


def main() -> None:
    """Command line: no arguments."""
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
