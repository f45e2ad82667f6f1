"""Narrow encodings, where an instruction has one: fewer bytes, fewer words of flash to wait for.

Flash of 64 bits and one wait state brings two words in three clocks, and a wide instruction is one.
Narrow forms take registers up to r7, mostly two of them, and set flags: what they change must not
be read before it is written again. MULS and the logical ones leave C alone, which is the flag that
chains carry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LOW = frozenset(f"r{i}" for i in range(8))
READS_C = frozenset({"adc", "adcs", "sbc", "sbcs", "rrx", "rrxs"})
CONDITIONS = frozenset(
    ("eq", "ne", "cs", "cc", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")
)
SETS_C = frozenset({"adds", "adcs", "subs", "sbcs", "rsbs", "lsls", "lsrs", "cmp", "cmn", "rrxs"})
SETS_NZ = SETS_C | {"eors", "ands", "orrs", "bics", "mvns", "movs", "muls", "tst"}
LOGICAL = frozenset({"eor", "and", "orr"})
COMMUTES = LOGICAL | {"adc", "mul"}


def narrowed(lines: Sequence[str]) -> list[str]:
    """The lines of straight code, narrow where they can be."""
    found: list[str] = []
    c_read = nz_read = False  # later, before they are written
    for line in reversed(lines):
        name, operands = split(line)
        if not name:
            if line.endswith(":"):
                c_read = nz_read = True  # who comes here is not known
            found.append(line)
            continue
        plain = name.removesuffix(".w")
        form = narrow(plain, operands, c_read=c_read, nz_read=nz_read)
        if form:
            plain = form.split()[0]
        found.append(f"    {form}" if form else line)
        if plain in SETS_NZ:
            nz_read = False
        if plain in SETS_C:
            c_read = False
        if plain in READS_C:
            c_read = True
        if plain in {"bl", "bx"} or "pc" in line or operands[0].startswith("ecfit_"):
            c_read = nz_read = False  # no routine is handed flags
        elif plain in {"b", "cbz", "cbnz"} or plain[1:] in CONDITIONS or plain.startswith("it"):
            c_read = nz_read = True
    return found[::-1]


def paired(lines: Sequence[str]) -> list[str]:
    """The same, but narrow ones in pairs: wide ones begin at words, where the core does not wait
    for the fetch of their second half.
    """
    short, found, k = narrowed(lines), list(lines), 0
    while k + 1 < len(lines):
        both = lines[k] != short[k] and lines[k + 1] != short[k + 1]
        if both:
            found[k : k + 2] = short[k : k + 2]
        k += 1 + both
    return found


def split(line: str) -> tuple[str, list[str]]:
    """The name and the operands of an instruction; no name where it is none."""
    match = re.fullmatch(r"    ([a-z][a-z0-9.]*) +(.*)", line)
    if not match or match[1] in {"inner", "entry", "function", "endfunction"}:
        return "", []
    return match[1], re.findall(r"\{.*?\}|\[.*?\]!?|[^,\s][^,]*", match[2])


def narrow(name: str, operands: list[str], *, c_read: bool, nz_read: bool) -> str:
    """The narrow form, or nothing."""
    if name in {"ldr", "str", "ldrh", "strh"}:
        return of_memory(name, operands)
    if name in {"ldm", "stm", "push", "pop"}:
        return of_several(name, operands)
    if name == "mov" and operands[1] in {*LOW, "r8", "r9", "r10", "r11", "r12", "lr", "sp"}:
        return written("mov", operands)
    base = name.removesuffix("s")
    sets_c = base in {"add", "sub", "adc", "sbc", "lsl", "lsr", "rsb"}
    free = name.endswith("s") or not (nz_read or (sets_c and c_read))
    if base in {"add", "sub"} and operands[0] == "sp" == operands[1]:
        return written(base, operands[1:]) if constant(operands[2], 508, 4) else ""
    if base == "add" and operands[1] == "sp" and operands[0] in LOW:
        return written(base, operands) if constant(operands[2], 1020, 4) else ""
    if name == "add" and len(operands) == 3 and not constant(operands[2], 1 << 32):
        return moved_sum(operands, free=free)
    if not free or operands[0] not in LOW or len(operands) > 3:
        return ""
    return of_low(base, operands)


def of_low(base: str, operands: list[str]) -> str:
    """Of what sets flags, with a result in a low register."""
    low = [operand in LOW for operand in operands]
    if base in {"uxth", "uxtb"}:
        return written(base, operands) if all(low) else ""
    if base in {"lsl", "lsr"}:
        return written(base + "s", operands) if low[1] and constant(operands[2], 31) else ""
    if base == "mov":
        return written("movs", operands) if constant(operands[1], 255) else ""
    if base == "mvn":
        return written("mvns", operands) if all(low) else ""
    if base in {"add", "sub"}:
        same = operands[0] == operands[1]
        fits = constant(operands[2], 255 if same else 7)
        return written(base + "s", operands) if low[1] and (low[2] or fits) else ""
    if base in {*COMMUTES, "sbc"} and all(low):
        d, n, m = operands
        if d != n and base in COMMUTES:
            n, m = m, n
        if d == n:
            named = [d, m, d] if base == "mul" else [d, m]
            return written(base + "s", named)
    return ""


def moved_sum(operands: list[str], *, free: bool) -> str:
    """A sum that sets no flags, of any two registers, or as one that does."""
    d, n, m = operands
    if not re.fullmatch(r"r\d+|lr", m) or not re.fullmatch(r"r\d+|lr", n):
        return ""
    if d in (n, m):
        return written("add", [d, m if d == n else n])
    return written("adds", operands) if free and {d, n, m} <= LOW else ""


def of_memory(name: str, operands: list[str]) -> str:
    """Loads and stores of a word or half of one."""
    found = re.fullmatch(r"\[(\w+)(?:, #(\d+))?\]", operands[1])
    if not found or operands[0] not in LOW:
        return ""
    base, offset = found[1], int(found[2] or 0)
    if name.endswith("h"):
        fits = base in LOW and offset <= 62
    else:
        fits = offset <= (1020 if base == "sp" else 124 if base in LOW else -1)
    return written(name, operands) if fits else ""


def of_several(name: str, operands: list[str]) -> str:
    """Loads and stores of several words."""
    names = set(re.findall(r"\w+", operands[-1]))
    if name in {"push", "pop"}:
        return written(name, operands) if names <= LOW | {"lr" if name == "push" else "pc"} else ""
    base = operands[0].removesuffix("!")
    back = operands[0].endswith("!")
    if base not in LOW or not names <= LOW or (name == "stm" and not back):
        return ""
    return written(name, operands) if back != (base in names) else ""


def constant(operand: str, most: int, step: int = 1) -> bool:
    """Whether it is one, and fits."""
    value = int(operand[1:], 0) if operand.startswith("#") else -1
    return 0 <= value <= most and value % step == 0


def written(name: str, operands: list[str]) -> str:
    """An instruction's text."""
    return f"{name:<7} {', '.join(operands)}"
