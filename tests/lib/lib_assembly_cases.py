"""What each assembly function computes, by name, in Python's integers: one for all backends.

A name that ends in a number has that length in words; one without takes its length as an argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import lib_assembly_p25519
from lib_assembly import ALL_ONES, WORD, Argument, Case
from lib_assembly_fused import BY_FIELD

LENGTHS = (
    2,
    4,
    6,
    8,
    12,
    14,
    16,
    18,
)  # in words, of functions that take any: those of the curves, and the least
LIMB = 30  # bits of a limb of an inversion
LENGTHS_OF = {
    "ecfit_mod_redc": (4, 6, 8, 12, 14, 16, 18),
    "ecfit_inv_reduce": (3, 5, 9, 13, 19),
    "ecfit_inv_follow": (3, 5, 9, 13, 19),
    "ecfit_inv_steps": (LIMB,),
    "ecfit_mp_lookup": (8, 16, 24, 40),  # whole groups of words: its cost goes by them
}
Builder = Callable[[int], Case]
PRIMES = {
    8: (1 << 256) - (1 << 224) + (1 << 192) + (1 << 96) - 1,
    12: (1 << 384) - (1 << 128) - (1 << 96) + (1 << 32) - 1,
}


def mac_row(n: int) -> Case:
    """r += a * b; returns the carry word."""

    def reference(r: int, a: int, b: int, _: int) -> tuple[tuple[int, ...], int | None]:
        total = r + a * b
        return (total % (1 << WORD * n),), total >> WORD * n

    arguments = (Argument("inout", n), Argument("in", n), Argument("word"), Argument("length"))
    return Case(arguments, reference)


def mul(n: int) -> Case:
    """t = a * b."""
    arguments = (Argument("out", 2 * n), Argument("in", n), Argument("in", n))
    return Case(arguments, lambda _, a, b: ((a * b,), None))


def sqr(n: int) -> Case:
    """t = a^2."""
    return Case((Argument("out", 2 * n), Argument("in", n)), lambda _, a: ((a * a,), None))


def mul_any(n: int) -> Case:
    """The same, the length an argument."""
    case = mul(n)
    arguments = (*case.arguments, Argument("length"))
    return Case(arguments, lambda t, a, b, _: case.reference(t, a, b))


def redc(n: int) -> Case:
    """t + q m, a multiple of 2^(32 n), and its carry, for one odd m and its -1/m."""
    moduli = [(1 << WORD * n) - 1, (1 << WORD * n - 1) + 1, (1 << WORD * n) // 3 | 1]
    m = moduli[n // 2 % 3]
    inv = pow(-m, -1, 1 << WORD)

    def reference(t: int, *_: int) -> tuple[tuple[int, ...], int]:
        total = t + m * (t * pow(-m, -1, 1 << WORD * n) % (1 << WORD * n))
        carry, rest = divmod(total, 1 << 2 * WORD * n)
        return (rest,), carry

    modulus = Argument("in", n, m, m)
    arguments = (
        Argument("inout", 2 * n),
        modulus,
        Argument("word", most=inv, least=inv),
        Argument("length"),
    )
    return Case(arguments, reference)


def reduce(n: int) -> Case:
    """r = t/R mod m, for one odd m and its -1/m."""
    m, big = (1 << WORD * n) // 3 * 2 | 1, 1 << WORD * n
    inv = pow(-m, -1, 1 << WORD)
    modulus, digit = Argument("in", n, m, m), Argument("word", most=inv, least=inv)
    arguments = (Argument("out", n), Argument("lost", 2 * n, m * big - 1), modulus, digit)
    near = (m, m - 1, m * m, (m - 1) ** 2, m * big - m, m * (big - 1), m << 32)
    return Case(arguments, lambda _, t, *__: ((t * pow(big, -1, m) % m,), None), (), near)


def _words(value: int, count: int) -> list[int]:
    """Signed words, the lowest first."""
    found = [value >> WORD * i & ALL_ONES for i in range(count)]
    return [word - (word >> WORD - 1 << WORD) for word in found]


def _signed(value: int, bits: int) -> int:
    """What the low bits are, the highest of them being the sign."""
    value %= 1 << bits
    return value - (value >> bits - 1 << bits)


def inv_steps(_: int) -> Case:
    """The matrix of 30 divsteps [BY19] from the low words of f and g."""

    def reference(_t: int, f: int, g: int, zeta: int) -> tuple[tuple[int, ...], int]:
        u, v, q, r = 1, 0, 0, 1
        for _ in range(LIMB):
            if g & 1 and zeta >> WORD - 1:
                zeta = -zeta - 2
                f, u, v, g, q, r = g, q, r, g - f, q - u, r - v
            else:
                zeta -= 1
                if g & 1:
                    g, q, r = g + f, q + u, r + v
            f, g, zeta = f & ALL_ONES, (g & ALL_ONES) >> 1, zeta & ALL_ONES
            u, v = 2 * u, 2 * v
        entries = sum((entry & ALL_ONES) << WORD * i for i, entry in enumerate((u, v, q, r)))
        return (entries,), zeta

    word = Argument("word")
    return Case((Argument("out", 4), word, word, word), reference)


def _rows(rows: list[list[int]], columns: list[list[int]]) -> list[int]:
    """Each row times each column of limbs, divided by 2^30, in turn; sums of 64 bits."""
    sums, found = [0] * len(rows), []
    for i, column in enumerate(columns):
        for k, row in enumerate(rows):
            total = sums[k] + sum(a * b for a, b in zip(row, column, strict=True))
            sums[k] = _signed(total, 64)
            if i:
                found.append(sums[k] % (1 << LIMB))
            sums[k] >>= LIMB
    return [*found, *(total & ALL_ONES for total in sums)]


def inv_reduce(n: int) -> Case:
    """(f, g) = T (f, g)/2^30."""

    def reference(fg: int, t: int, _: int) -> tuple[tuple[int, ...], None]:
        u, v, q, r = _words(t, 4)
        limbs = _words(fg, 2 * n)
        found = _rows([[u, v], [q, r]], [limbs[2 * i : 2 * i + 2] for i in range(n)])
        return (sum(word << WORD * i for i, word in enumerate(found)),), None

    return Case((Argument("inout", 2 * n), Argument("in", 4), Argument("length")), reference)


def inv_follow(n: int) -> Case:
    """(d, e) = (T (d, e) + m times what makes it a multiple)/2^30."""

    def reference(dem: int, t: int, _: int, inv: int) -> tuple[tuple[int, ...], None]:
        entries, limbs = _words(t, 4), _words(dem, 3 * n)
        signs = [1 if high < 0 else -1 for high in limbs[-3:-1]]
        rows = []
        for row in (entries[:2], entries[2:]):
            near = _signed(sum(a * b for a, b in zip(row, signs, strict=True)) + 1, WORD) >> 1
            rest = sum(a * b for a, b in zip(row, limbs[:2], strict=True)) * inv - near
            rows.append([*row, _signed(near + _signed(rest, LIMB), WORD)])
        found = _rows(rows, [limbs[3 * i : 3 * i + 3] for i in range(n)])
        m = limbs[2::3]
        turns = [word for i in range(n) for word in (*found[2 * i : 2 * i + 2], m[i])]
        return (sum((word & ALL_ONES) << WORD * i for i, word in enumerate(turns)),), None

    matrix, length = Argument("in", 4), Argument("length")
    return Case((Argument("inout", 3 * n), matrix, length, Argument("word")), reference)


def lookup(n: int) -> Case:
    """r = table[index] of 8 entries."""
    count, size = 8, WORD * n

    def reference(_r: int, table: int, index: int, *_: int) -> tuple[tuple[int, ...], None]:
        return (table >> size * index & (1 << size) - 1,), None

    word = Argument("word", most=count - 1)
    entries = Argument("word", most=count, least=count)
    arguments = (Argument("out", n), Argument("in", count * n), word, entries, Argument("length"))
    return Case(arguments, reference)


def add(n: int) -> Case:
    """r = a + (b & keep); returns the carry."""

    def reference(_: int, a: int, b: int, keep: int, __: int) -> tuple[tuple[int, ...], int | None]:
        total = a + (b if keep else 0)
        return (total % (1 << WORD * n),), total >> WORD * n

    arguments = (Argument("out", n), Argument("in", n), Argument("in", n), Argument("mask"))
    return Case((*arguments, Argument("length")), reference, ((0, 1), (0, 2)))


def sub(n: int) -> Case:
    """r = a - b; returns the borrow."""
    arguments = (Argument("out", n), Argument("in", n), Argument("in", n), Argument("length"))
    return Case(
        arguments,
        lambda _, a, b, __: (((a - b) % (1 << WORD * n),), int(a < b)),
        ((0, 1), (0, 2)),
    )


def cmov(n: int) -> Case:
    """r = a where mask is all ones."""
    arguments = (Argument("inout", n), Argument("in", n), Argument("mask"), Argument("length"))
    return Case(arguments, lambda r, a, mask, _: ((a if mask else r,), None))


def cswap(n: int) -> Case:
    """Exchanges a and b where mask is all ones."""
    arguments = (Argument("inout", n), Argument("inout", n), Argument("mask"), Argument("length"))
    return Case(arguments, lambda a, b, mask, _: ((b, a) if mask else (a, b), None))


def mod_linear(sign: int) -> Builder:
    """r = a + b or a - b modulo m, for moduli of n words."""

    def case(n: int) -> Case:
        def reference(_: int, a: int, b: int, m: int) -> tuple[tuple[int, ...], int | None]:
            return ((a + sign * b) % m,), None

        p = PRIMES.get(n, (1 << WORD * n) - 38)
        operand = Argument("in", n, p - 1)
        arguments = (Argument("out", n), operand, operand, Argument("in", n, p, p))
        near = (p - 1, p - 2, p // 2, p // 2 + 1)
        return Case(arguments, reference, ((0, 1), (0, 2)), near)

    return case


def montgomery(p: int) -> Builder:
    """r = t/R mod p, t below p R and lost."""

    def case(n: int) -> Case:
        big = 1 << WORD * n
        arguments = (Argument("out", n), Argument("lost", 2 * n, p * big - 1))
        near = (
            p,
            p - 1,
            p * p,
            (p - 1) ** 2,
            p * big - p,
            (big - 1) * (p - 1),
            p * (big - 1),
            p << 32,
        )
        return Case(arguments, lambda _, t: ((t * pow(big, -1, p) % p,), None), (), near)

    return case


BY_NAME: dict[str, Builder] = {
    "ecfit_mp_mac_row": mac_row,
    "ecfit_mp_mul": mul,
    "ecfit_mp_mul_blocks": mul_any,
    "ecfit_inv_steps": inv_steps,
    "ecfit_inv_reduce": inv_reduce,
    "ecfit_inv_follow": inv_follow,
    "ecfit_mod_redc": redc,
    "ecfit_mod_reduce": reduce,
    "ecfit_mp_lookup": lookup,
    "ecfit_mp_add": add,
    "ecfit_mp_sub": sub,
    "ecfit_mp_cmov": cmov,
    "ecfit_mp_cswap": cswap,
    "ecfit_redc_secp256k1": montgomery((1 << 256) - (1 << 32) - 977),
    "ecfit_redc_secp256r1": montgomery(PRIMES[8]),
    "ecfit_redc_secp384r1": montgomery(PRIMES[12]),
    "ecfit_mod_add": mod_linear(1),
    "ecfit_mod_sub": mod_linear(-1),
    "ecfit_mp_sqr": sqr,
}


INTERPRETERS = ("ecfit_p25519_run", "ecfit_p25519_run_as_mul")
LENGTH_OF = {
    "ecfit_redc_secp256k1": 8,
    "ecfit_redc_secp256r1": 8,
    "ecfit_redc_secp384r1": 12,
}  # of those whose name ends in a prime


def cases(name: str) -> list[tuple[int, Case]]:
    """The lengths that a function is tested with, and what it computes there; for the interpreter
    of formulas, their numbers.
    """
    if name in INTERPRETERS:
        return list(enumerate(lib_assembly_p25519.runs().values()))
    if name in lib_assembly_p25519.BY_FIELD:
        return [(8, lib_assembly_p25519.BY_FIELD[name])]
    if name in BY_FIELD:
        return [(8, case) for case in BY_FIELD[name]]
    if name in LENGTH_OF:
        return [(LENGTH_OF[name], BY_NAME[name](LENGTH_OF[name]))]
    if name in BY_NAME:
        return [(n, BY_NAME[name](n)) for n in LENGTHS_OF.get(name, LENGTHS)]
    fixed = re.fullmatch(r"(\w+?)_(\d+)", name)
    assert fixed, f"{name}: what it computes is not in lib_assembly_cases.py"
    assert fixed[1] in BY_NAME, f"{name}: what it computes is not in lib_assembly_cases.py"
    return [(int(fixed[2]), BY_NAME[fixed[1]](int(fixed[2])))]
