"""What the assembly functions of whole fields and formulas compute, by name: elements are below p,
times R = 2^256 on P-256.
"""

from __future__ import annotations

from collections.abc import Callable

from armv7em.formulas import TABLES, TIGHT, read
from lib_assembly import ALL_ONES, WORD, Argument, Case

from ecfit.choices.curves import CURVES

R = 1 << 256
WORDS, REGISTERS = 8, 12
OPS = {"MUL": 0, "ADD": 1, "SUB": 2}
P256, COMPLETE = "secp256r1", ("complete_add_minus3", "complete_rhs_minus3")
ROOM = "jacobian_room"
JACOBIAN = tuple(f"{ROOM}_{name}" for name in ("double", "add", "in", "out"))
FORMULAS = ("pt_double", "pt_add", "pt_add_affine")


class Prime:
    """Field elements and points of a curve of a = -3 or 0: below p, times 2^bits, so many words."""

    def __init__(self, curve: str) -> None:
        self.curve, self.p = curve, CURVES[curve].p
        self.a = 0 if curve == "secp256k1" else -3
        self.bits = self.p.bit_length()
        self.words, self.unit = self.bits // 32, (1 << self.bits) % self.p
        self.inverse, self.half = pow(self.unit, -1, self.p), pow(2, -1, self.p)

    def element(self, kind: str = "in", count: int = 1) -> Argument:
        """Some elements."""
        return Argument(kind, count * self.words, below=self.p)  # type: ignore[arg-type]

    def field(self, compute: Callable[..., int], operands: int) -> Case:
        """r = compute(operands); r may be each of them."""
        arguments = (Argument("out", self.words), *(self.element() for _ in range(operands)))
        aliases = tuple((0, i + 1) for i in range(operands))
        return Case(arguments, lambda _, *values: ((compute(*values) % self.p,), None), aliases)

    def coordinates(self, value: int) -> tuple[int, ...]:
        """X, Y, Z."""
        return tuple(value >> self.bits * i & (1 << self.bits) - 1 for i in range(3))

    def joined(self, *coordinates: int) -> int:
        """The other way."""
        return sum(value % self.p << self.bits * i for i, value in enumerate(coordinates))

    def mul(self, *factors: int) -> int:
        """The product of elements."""
        product = factors[0]
        for factor in factors[1:]:
            product = product * factor * self.inverse % self.p
        return product

    def double(self, point: int) -> tuple[tuple[int, ...], None]:
        """2 P in Jacobian coordinates, Z3 = Y Z."""
        mul, p = self.mul, self.p
        x, y, z = self.coordinates(point)
        a = self.half * (3 * mul(x, x) + self.a * mul(z, z, z, z)) % p
        s = mul(x, y, y)
        x3 = (mul(a, a) - 2 * s) % p
        return (self.joined(x3, mul(a, (s - x3) % p) - mul(y, y, y, y), mul(y, z)),), None

    def add(self, point: int, affine: int, other: int | None) -> tuple[tuple[int, ...], int]:
        """P + Q in Jacobian coordinates, Z of Q other than 1 where there is one.

        All ones where they are equal.
        """
        mul, p = self.mul, self.p
        x, y, z = self.coordinates(point)
        qx, qy, _ = self.coordinates(affine)
        if other is not None:
            x, y = mul(x, other, other), mul(y, other, other, other)
        h, s = (mul(qx, z, z) - x) % p, (mul(qy, z, z, z) - y) % p
        v, cube = mul(x, h, h), mul(h, h, h)
        x3 = (mul(s, s) - cube - 2 * v) % p
        z3 = mul(z, h) if other is None else mul(z, h, other)
        result = self.joined(x3, mul(s, (v - x3) % p) - mul(y, cube), z3)
        return (result,), ALL_ONES if h == s == 0 else 0

    def functions(self) -> dict[str, tuple[Case, ...]]:
        """Its functions by name."""
        point, affine = self.element("inout", 3), self.element(count=2)
        generic = Case((point, affine, self.element()), self.add, special=(0, self.unit))
        one = self.unit << 2 * self.bits
        mixed = Case((point, affine), lambda p, q: self.add(p, q, None), special=(one,))
        cases = {
            "fe_mul": self.field(self.mul, 2),
            "fe_sqr": self.field(lambda a: self.mul(a, a), 1),
            "fe_add": self.field(lambda a, b: a + b, 2),
            "fe_sub": self.field(lambda a, b: a - b, 2),
            "fe_negate": Case(
                (self.element("inout"), Argument("mask")),
                lambda y, mask: ((self.p - y if mask else y,), None),
            ),
            "pt_double": Case((point,), self.double),
            "pt_add": generic,
            "pt_add_affine": mixed,
        }
        if self.curve in {"secp256r1", "secp384r1"}:  # with squares as products
            cases |= {f"{name}_as_mul": cases[name] for name in FORMULAS}
        return {f"ecfit_{self.curve}_{name}": (case,) for name, case in cases.items()}

    def linear(self, op: str) -> Case:
        """A sum or a difference, as the number of the interpreter's operation says."""
        case = self.field(lambda a, b, _: a - b if op == "SUB" else a + b, 2)
        number = Argument("word", least=OPS[op], most=OPS[op])
        return case._replace(arguments=(*case.arguments, number))

    def run(self, table: str) -> Case:
        """A formula of complete addition or in Jacobian coordinates for the interpreter."""
        file = ROOM if table.startswith(ROOM) else table.split("_", maxsplit=1)[0]
        steps = read(table, f"{file}_codes.inc")
        code = [OPS[s.op] << 12 | s.d << 8 | s.a << 4 | s.b for s in steps]
        value = sum(instruction << 16 * i for i, instruction in enumerate(code))

        def reference(registers: int, _: int) -> tuple[tuple[int, ...], None]:
            reg = [registers >> self.bits * i & (1 << self.bits) - 1 for i in range(REGISTERS)]
            for s in steps:
                a, b = reg[s.a], reg[s.b]
                values = {"ADD": a + b, "SUB": a - b, "MUL": self.mul(a, b)}
                reg[s.d] = values[s.op] % self.p
            return (sum(element << self.bits * i for i, element in enumerate(reg)),), None

        words = len(code) // 2 + 1
        registers = self.element("inout", REGISTERS)
        return Case((registers, Argument("in", words, value, value)), reference)


def lowered(value: int) -> int:
    """What the products modulo 2^255 - 19 leave of a sum: from bit 255 on, 19 each."""
    top, rest = divmod(value, 1 << 255)
    return rest + 19 * top


def product(a: int, b: int) -> int:
    """a b modulo 2^255 - 19, as it is left."""
    high, low = divmod(a * b, R)
    return lowered(low + 38 * high)


def total(a: int, b: int) -> int:
    """a + b modulo 2^255 - 19, as it is left."""
    value = a + b
    while value >= R:
        value += 38 - R
    return value


def difference(a: int, b: int) -> int:
    """a - b modulo 2^255 - 19, as it is left."""
    value = a - b
    while value < 0:
        value += R - 38
    return value


def formula(name: str) -> Case:
    """A table of lib/src/group on registers of a field element each."""
    steps = read(name)
    count = 8 if name == "xz_step" else 12
    bounds = [R] * count
    for i in TIGHT.get(name, ()):
        bounds[i] = (1 << 255) + (1 << 25)
    if any(step.op == "SMALL" for step in steps):
        bounds[5] = 1 << 19

    def reference(value: int, mask: int = 0) -> tuple[tuple[int, ...], None]:
        reg = [value >> 256 * i & R - 1 for i in range(count)]
        if mask:
            reg[:4] = *reg[2:4], *reg[:2]
        small: int | None = None  # a small multiple that is added to before it is lowered
        for op, d, a, b, _ in steps:
            if op == "SMALL":
                small = reg[a] * (reg[b] & ALL_ONES)
                continue
            if small is not None:
                reg[d], small = lowered(small + reg[b]), None
            else:
                reg[d] = {"MUL": product, "ADD": total, "SUB": difference}[op](reg[a], reg[b])
        return (sum(element << 256 * i for i, element in enumerate(reg)),), None

    work = 2 * WORDS if name == "xz_step" else 0  # T0 and T1, where what is no result may stay
    registers = Argument("inout", count * WORDS, below=tuple(bounds), scratch=work)
    mask = (Argument("mask"),) if name == "xz_step" else ()
    return Case((registers, *mask), reference)


def look_up(count: int) -> Case:
    """An entry of a table of Edwards points, or its opposite."""
    size, last = 3 * 256, R - 37

    def reference(
        _r: int, table: int, index: int, _count: int, negative: int
    ) -> tuple[tuple[int, ...], None]:
        entry = table >> size * index & (1 << size) - 1
        first, second, third = (entry >> 256 * i & R - 1 for i in range(3))
        if negative:
            first, second, third = second, first, R - 38 - third
        return (first | second << 256 | third << 512,), None

    table = Argument("in", 3 * WORDS * count, below=(R, R, last) * count)
    entries = Argument("word", most=count, least=count)
    index = Argument("word", most=count - 1)
    return Case((Argument("out", 3 * WORDS), table, index, entries, Argument("mask")), reference)


def look_up_digits(_: int) -> Case:
    """An entry of a table of 8 by bits of every other word, the last of which is its sign."""
    every = look_up(8)

    def reference(_r: int, table: int, s: int, shift: int) -> tuple[tuple[int, ...], int | None]:
        index = sum((s >> 2 * WORD * tooth + shift & 1) << tooth for tooth in range(4))
        negative = index < 8
        return every.reference(0, table, 7 - index if negative else index - 8, 8, negative)

    r, table = every.arguments[:2]
    return Case((r, table, Argument("in", 7), Argument("word", most=WORD - 1)), reference)


def take(minus: int) -> Case:
    """An entry, or its opposite."""

    def reference(_r: int, entry: int, *_: int) -> tuple[tuple[int, ...], int | None]:
        return look_up(1).reference(0, entry, 0, 1, minus)

    arguments = look_up(1).arguments
    return Case((*arguments[:2], Argument("word", least=minus, most=minus)), reference)


ANY = Argument("in", WORDS)
BY_FIELD: dict[str, tuple[Case, ...]] = {
    **Prime(P256).functions(),
    f"ecfit_{P256}_rows_mul": (Prime(P256).field(Prime(P256).mul, 2),),
    f"ecfit_{P256}_rows_linear": tuple(map(Prime(P256).linear, ("ADD", "SUB"))),
    f"ecfit_{P256}_rows_run": tuple(map(Prime(P256).run, COMPLETE)),
    f"ecfit_{P256}_fe_both": (Prime(P256).field(Prime(P256).mul, 2),),
    f"ecfit_{P256}_run": tuple(map(Prime(P256).run, (*COMPLETE, *JACOBIAN))),
    **Prime("secp384r1").functions(),
    **Prime("secp256k1").functions(),
    "ecfit_p25519_fe_mul": (
        Case(
            (Argument("out", WORDS), ANY, ANY),
            lambda _, a, b: ((product(a, b),), None),
            ((0, 1), (0, 2)),
        ),
    ),
    "ecfit_p25519_fe_sqr": (
        Case((Argument("out", WORDS), ANY), lambda _, a: ((product(a, a),), None), ((0, 1),)),
    ),
    "ecfit_p25519_fe_negate": (
        Case(
            (Argument("inout", WORDS, below=R - 37), Argument("mask")),
            lambda a, mask: ((R - 38 - a if mask else a,), None),
        ),
    ),
    **{f"ecfit_p25519_{name}": (formula(name),) for name in TABLES},
}
