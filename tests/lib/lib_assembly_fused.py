"""What the assembly functions of whole fields and formulas compute, by name: elements are below p,
times R, the least power of 2^32 above p, on P-256, P-384 and secp256k1.
"""

from __future__ import annotations

from collections.abc import Callable

from armv7em.formulas import TABLES, TIGHT, read
from lib_assembly import ALL_ONES, WORD, Argument, Case

from ecfit.choices.curves import CURVES

R = 1 << 256
WORDS = 8


class Field:
    """Elements and points of a curve."""

    def __init__(self, curve: str) -> None:
        self.curve, self.p = curve, CURVES[curve].p
        self.a = 0 if curve == "secp256k1" else -3
        self.words = self.p.bit_length() // WORD
        self.r = 1 << WORD * self.words
        self.unit = pow(self.r, -1, self.p)

    def element(self, kind: str = "in", count: int = 1) -> Argument:
        """An argument of elements."""
        return Argument(kind, count * self.words, below=self.p)  # type: ignore[arg-type]

    def case(self, compute: Callable[..., int], operands: int) -> Case:
        """r = compute(operands); r may be each of them."""
        arguments = (Argument("out", self.words), *(self.element() for _ in range(operands)))
        aliases = tuple((0, i + 1) for i in range(operands))
        return Case(arguments, lambda _, *values: ((compute(*values) % self.p,), None), aliases)

    def joined(self, *coordinates: int) -> int:
        """A point of its coordinates."""
        return sum(value % self.p * self.r**i for i, value in enumerate(coordinates))

    def coordinates(self, value: int) -> tuple[int, ...]:
        """Those of a point."""
        return tuple(value // self.r**i % self.r for i in range(3))

    def mul(self, *factors: int) -> int:
        """The product of elements."""
        product = factors[0]
        for factor in factors[1:]:
            product = product * factor * self.unit % self.p
        return product

    def double(self, point: int) -> tuple[tuple[int, ...], None]:
        """2 P in Jacobian coordinates, Z3 = Y Z."""
        x, y, z = self.coordinates(point)
        mul, half = self.mul, pow(2, -1, self.p)
        a = half * (3 * mul(x, x) + self.a * mul(z, z, z, z)) % self.p
        s = mul(x, y, y)
        x3 = (mul(a, a) - 2 * s) % self.p
        y3 = mul(a, (s - x3) % self.p) - mul(y, y, y, y)
        return (self.joined(x3, y3, mul(y, z)),), None

    def add(self, point: int, affine: int, other: int | None) -> tuple[tuple[int, ...], int]:
        """P + Q in Jacobian coordinates, Z of Q other than 1 where there is one.

        All ones where they are equal.
        """
        mul = self.mul
        x, y, z = self.coordinates(point)
        qx, qy, _ = self.coordinates(affine)
        if other is not None:
            x, y = mul(x, other, other), mul(y, other, other, other)
        h, s = (mul(qx, z, z) - x) % self.p, (mul(qy, z, z, z) - y) % self.p
        v, cube = mul(x, h, h), mul(h, h, h)
        x3 = (mul(s, s) - cube - 2 * v) % self.p
        z3 = mul(z, h) if other is None else mul(z, h, other)
        result = self.joined(x3, mul(s, (v - x3) % self.p) - mul(y, cube), z3)
        return (result,), ALL_ONES if h == s == 0 else 0

    def by_name(self) -> dict[str, tuple[Case, ...]]:
        """Its functions."""
        point, affine, one = self.element("inout", 3), self.element(count=2), self.r % self.p
        generic = Case((point, affine, self.element()), self.add, special=(0, one))
        mixed = Case((point, affine), lambda p, q: self.add(p, q, None), special=(one * self.r**2,))
        cases = {
            "fe_mul": self.case(self.mul, 2),
            "fe_sqr": self.case(lambda a: self.mul(a, a), 1),
            "fe_add": self.case(lambda a, b: a + b, 2),
            "fe_sub": self.case(lambda a, b: a - b, 2),
            "pt_double": Case((point,), self.double),
            "pt_add": generic,
            "pt_add_affine": mixed,
        }
        return {f"ecfit_{self.curve}_{name}": (case,) for name, case in cases.items()}


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

    registers = Argument("inout", count * WORDS, below=tuple(bounds))
    mask = (Argument("mask"),) if name == "xz_step" else ()
    return Case((registers, *mask), reference)


ANY = Argument("in", WORDS)
BY_FIELD: dict[str, tuple[Case, ...]] = {
    **Field("secp256r1").by_name(),
    **Field("secp256k1").by_name(),
    **Field("secp384r1").by_name(),
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
    **{f"ecfit_p25519_{name}": (formula(name),) for name in TABLES},
}
