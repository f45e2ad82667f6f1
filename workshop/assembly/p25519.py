"""What the backend armv6m leaves of numbers modulo 2^255 - 19: in each operation the top word is
lowered before the others carry into it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gen.armv7em.formulas import LADDER, TABLES, read, swapped

from workshop.assembly import edges as to_edges
from workshop.assembly import fused as lib_assembly_fused
from workshop.assembly import inner as lib_assembly_inner
from workshop.assembly.routines import ALL_ONES, Argument, Case

R, TOP, P = 1 << 256, 1 << 224, (1 << 255) - 19
WORDS, REGISTERS, HALF = 8, 12, 16
Compute = Callable[[int, int], int]
STEP = read("xz_step")
OPS = {"MUL": 0, "ADD": 1, "SUB": 2, "SMALL": 3}


def lowered(value: int, top: int) -> int:
    """The value; from bit 255 on, as its `top` has it at the last word, 19 each."""
    above = top >> 31
    return value - (above << 255) + 19 * above


def product(a: int, b: int) -> int:
    """a b."""
    high, low = divmod(a * b, R)
    return lowered(low + 38 * high, low // TOP + 38 * (high // TOP))


def total(a: int, b: int) -> int:
    """a + b."""
    return lowered(a + b, (a + b) // TOP)


def difference(a: int, b: int) -> int:
    """a - b, with bit 255 set."""
    value = a - b
    above = value >> 255
    return value - (above << 255) + (1 << 255) + 19 * (above - 1)


def tops(a: int, b: int) -> int:
    """a + b, in which what the words below carry comes after the top words are lowered."""
    return lowered(a + b, a // TOP + b // TOP)


def borrowed(a: int, b: int) -> int:
    """a - b; where that is negative, p is added twice."""
    return a - b + (2 * P if a < b else 0)


def small(a: int, b: int) -> int:
    """a times the lowest word of b."""
    factor = b & ALL_ONES
    return lowered(a * factor, a // TOP * factor)


def by_rows(a: int, b: int) -> int:
    """a b, with all carries of the rows added before the top word is reduced."""
    high, low = divmod(a * b, R)
    value = low + 38 * high
    return lowered(value, value // TOP)


def complemented(a: int, b: int) -> int:
    """a - b as a + ~b, with bit 255 set; 2^256 more is 38."""
    value = a + (R - 1 - b)
    above = value >> 255
    return value - (above << 255) + (1 << 255) + 19 * (above - 1) - 37


def one_row(a: int, b: int) -> int:
    """a times the lowest word of b, whole before the top word is lowered."""
    value = a * (b & ALL_ONES)
    return lowered(value, value // TOP)


COMPUTE: dict[str, Compute] = {"MUL": product, "ADD": total, "SUB": difference, "SMALL": small}
ROWS: dict[str, Compute] = COMPUTE | {
    "MUL": by_rows,
    "SMALL": lambda a, b: by_rows(a, b & ALL_ONES),
}
LOOP: dict[str, Compute] = ROWS | {"SUB": complemented, "SMALL": one_row}


def runs_var() -> dict[str, Case]:
    """The formulas of verification, and a product and a square alone, for the interpreter of public
    data.
    """
    steps = {
        table: [(s.op, s.d, s.a, s.b) for s in read(table)]
        for table in TABLES
        if table.startswith("edwards_")
    } | {"product": [("MUL", 2, 0, 1)], "square": [("MUL", 1, 0, 0)]}
    compute: dict[str, Compute] = {**COMPUTE, "MUL": lib_assembly_fused.product}
    return {name: run(formula, compute) for name, formula in steps.items()}


def runs(compute: Mapping[str, Compute], *, small: bool) -> dict[str, Case]:
    """Each formula for the interpreter, the step of X25519 first, but for one that has no small
    products; the code is an operand.
    """
    steps = {table: [(s.op, s.d, s.a, s.b) for s in read(table)] for table in TABLES}
    return {
        table: run(formula, compute)
        for table, formula in steps.items()
        if small or all(op != "SMALL" for op, *_ in formula)
    }


def stepped(registers: int, mask: int, low: int) -> list[int]:
    """The two points after a step, by the table: exchanged first, then modulo p."""
    reg = [registers >> 256 * i & R - 1 for i in range(REGISTERS)]
    if mask:
        reg[:4] = *reg[2:4], *reg[:2]
    reg[5] += low
    for step in STEP:
        a, b = reg[step.a], reg[step.b]
        reg[step.d] = {"ADD": a + b, "SUB": a - b}.get(step.op, a * b) % P
    return reg[:4]


def ladder() -> Case:
    """The step of X25519 with its exchange: registers, mask."""
    steps = [step._replace(op=step.op.lower()) for step in STEP]
    steps = [s._replace(op="sqr") if s.op == "mul" and s.a == s.b else s for s in steps]
    bounds = [R] * REGISTERS
    bounds[5], low = (1 << 16) - (1 << 9) + 1, 1 << 16
    steps = swapped(steps)

    def reference(registers: int, mask: int) -> tuple[tuple[int, ...], None]:
        reg = [registers >> 256 * i & R - 1 for i in range(REGISTERS)]
        for step in steps:
            a, b = reg[step.a], reg[step.b]
            if step.op == "select":
                reg[step.d] = b if mask else a
            elif step.op == "small":
                reg[step.d] = small(a, low + b)
            else:
                op = "MUL" if step.op == "sqr" else step.op.upper()
                reg[step.d] = COMPUTE[op](a, b)
        assert [value % P for value in reg[:4]] == stepped(registers, mask, low)
        return (sum(element << 256 * i for i, element in enumerate(reg)),), None

    def values(reg: list[int], mask: int) -> list[int]:
        found = []
        for step in steps:
            a, b = reg[step.a], reg[step.b]
            results = {"add": a + b, "sub": a - b, "small": a * (low + b)}
            if step.op == "select":
                reg[step.d] = b if mask else a
            else:
                reg[step.d] = results.get(step.op, a * b) % P
            found.append(reg[step.d])
        return found

    registers = Argument("inout", REGISTERS * WORDS, below=tuple(bounds))
    places = [(0, i) for i in range(REGISTERS)]
    aim = to_edges.between(values, P, WORDS, places, bounds, (5,))
    return Case((registers, Argument("mask")), reference, aim=aim)


def run(steps: list[tuple[str, int, int, int]], compute: Mapping[str, Compute]) -> Case:
    """Some instructions on registers."""
    code = [OPS[op] << 12 | d << 8 | a << 4 | b for op, d, a, b in steps]
    words = len(code) // 2 + 1
    value = sum(instruction << HALF * i for i, instruction in enumerate(code))
    bounds = [R] * REGISTERS
    for op, _, _, b in steps:
        if op == "SMALL" and compute is LOOP:
            bounds[b] = 1 << 26

    def reference(registers: int, _: int) -> tuple[tuple[int, ...], None]:
        reg = [registers >> 256 * i & R - 1 for i in range(REGISTERS)]
        for op, d, a, b in steps:
            reg[d] = compute[op](reg[a], reg[b])
        return (sum(element << 256 * i for i, element in enumerate(reg)),), None

    def values(reg: list[int], _: int) -> list[int]:
        found = []
        for op, d, a, b in steps:
            factor = reg[b] & ALL_ONES if op == "SMALL" else reg[b]
            reg[d] = {"ADD": reg[a] + factor, "SUB": reg[a] - factor}.get(op, reg[a] * factor) % P
            found.append(reg[d])
        return found

    registers = Argument("inout", REGISTERS * WORDS, below=tuple(bounds))
    places = [(0, i) for i in range(REGISTERS)]
    fixed = [b for op, _, _, b in steps if op == "SMALL"]
    aim = to_edges.between(values, P, WORDS, places, bounds, fixed)
    return Case((registers, Argument("in", words, value, value)), reference, aim=aim)


ANY, PRODUCTS = Argument("in", WORDS), lib_assembly_fused.PRODUCTS
BY_FIELD: dict[str, Case] = {
    "ecfit_p25519_ladder": ladder(),
    "ecfit_p25519_ladder_as_mul": ladder(),
    "ecfit_p25519_product": Case(
        (Argument("out", WORDS), ANY, ANY),
        lambda _, a, b: ((product(a, b),), None),
        ((0, 1), (0, 2)),
        aim=PRODUCTS,
    ),
    "ecfit_p25519_product_as_mul": Case(
        (Argument("out", WORDS), ANY, ANY),
        lambda _, a, b: ((product(a, b),), None),
        ((0, 1), (0, 2)),
        aim=PRODUCTS,
    ),
    **dict.fromkeys(
        ("ecfit_p25519_least_mul", "ecfit_p25519_loop_mul", "ecfit_p25519_rows_mul"),
        Case(
            (Argument("out", WORDS), ANY, ANY),
            lambda _, a, b: ((by_rows(a, b),), None),
            ((0, 1), (0, 2)),
            aim=PRODUCTS,
        ),
    ),
    "ecfit_p25519_square": Case(
        (Argument("out", WORDS), ANY),
        lambda _, a: ((product(a, a),), None),
        ((0, 1),),
        aim=lib_assembly_fused.SQUARES,
    ),
}


EARLY = lib_assembly_fused.Ends(
    product,
    lambda a, factor, b: lowered(a * factor + b, a // TOP * factor + b // TOP),
    1 << 230,
    1 << 17,
)


def armv7em() -> dict[str, list[tuple[int, Case]]]:
    """Those whose names other back ends have, too, and whose products end in another way."""
    found: dict[str, Case] = lib_assembly_inner.by_ends(EARLY)
    found["ecfit_p25519_fe_mul"] = BY_FIELD["ecfit_p25519_product"]
    found["ecfit_p25519_fe_sqr"] = BY_FIELD["ecfit_p25519_square"]
    for name in TABLES:
        if name != LADDER:
            found[f"ecfit_p25519_{name}"] = lib_assembly_fused.formula(name, EARLY)
    return {name: [(WORDS, case)] for name, case in found.items()} | {
        f"ecfit_p25519_{LADDER}s": [
            (n, lib_assembly_fused.formula(LADDER, EARLY, n)) for n in (1, 2, 3, 7)
        ]
    }


def inverse(a: int) -> int:
    """1/a, by the ladder's addition chain."""
    r = a
    for entry in (3, 2, 7, 2, 15, 2, 31, 2, 63, 125, 2, 251, 4, 4, 2):
        before = r
        for _ in range(entry // 2):
            r = product(r, r)
        r = product(r, before if entry % 2 else a)
    return r


def scalar(k: int) -> int:
    """Of 32 bytes (RFC 7748, 5)."""
    return k % (1 << 254) // 8 * 8 + (1 << 254)


def small_ladder(_: int, k: int, u: int) -> tuple[tuple[int, ...], None]:
    """X25519 before its result is brought below p."""
    k = scalar(k)
    p, q, before = (u, 1), (1, 0), 0
    for i in range(254, -1, -1):
        bit = k >> i & 1
        a, b = tops(*p), borrowed(*p)
        c, d = tops(*q), borrowed(*q)
        e, f = (a, b) if bit != before else (c, d)
        before = bit
        g, h = product(a, d), product(c, b)
        g, h = tops(g, h), borrowed(g, h)
        p = product(g, g), product(product(h, h), u)
        e, f = product(e, e), product(f, f)
        h = borrowed(e, f)
        q = product(e, f), product(lowered(121665 * h + e, 121665 * (h // TOP) + e // TOP), h)
    x = product(inverse(q[1]), q[0])
    assert x % P == by_definition(k, u)
    return (x,), None


def fpu_ladder(_: int, k: int, u: int) -> tuple[tuple[int, ...], None]:
    """The same with operands in floating-point registers, e - f and -d in it."""
    k = scalar(k)
    e = f = 1
    p, before = (u, 1), 0
    for i in range(254, -2, -1):
        a, b = tops(p[1], p[0]), borrowed(*p)
        h = borrowed(e, f)
        q = product(f, e), product(lowered(f + 121666 * h, f // TOP + 121666 * (h // TOP)), h)
        if i < 0:
            break
        d = borrowed(q[1], q[0])
        c = lowered(d + 2 * q[0], d // TOP + 2 * (q[0] // TOP))
        bit = k >> i & 1
        e, f = (product(x, x) for x in ((a, b) if bit != before else (c, d)))
        before = bit
        g, h = product(b, c), product(a, d)
        m, n = borrowed(h, g), tops(h, g)
        p = product(m, m), product(product(n, n), u)
    x = product(inverse(q[1]), q[0])
    assert x % P == by_definition(k, u)
    return (x,), None


def by_definition(k: int, u: int) -> int:
    """The same by RFC 7748, 5, with Python's inversion."""
    x2, z2, x3, z3 = 1, 0, u, 1
    for i in range(255, -1, -1):
        bit = k >> i & 1
        if bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
        da, cb = (x3 - z3) * (x2 + z2), (x3 + z3) * (x2 - z2)
        aa, bb = (x2 + z2) ** 2 % P, (x2 - z2) ** 2 % P
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, (aa - bb) * (aa + 121665 * (aa - bb)) % P
        if bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return x2 * pow(z2, P - 2, P) % P


BY_FIELD["ecfit_p25519_fpu_clear"] = Case((), lambda: ((), None), fixed=True)
BY_FIELD["ecfit_p25519_fpu_ladder"] = Case(
    (Argument("out", WORDS), ANY, Argument("in", WORDS, (1 << 255) - 1)),
    fpu_ladder,
    ((0, 2),),
    (P - 1, P, P + 1, 2 * P),
)
BY_FIELD["ecfit_p25519_x_ladder"] = Case(
    (Argument("out", WORDS), ANY, Argument("in", WORDS, (1 << 255) - 1)),
    small_ladder,
    ((0, 2),),
    (P - 1, P, P + 1, 2 * P),
)
ARMV7EM = armv7em()
