"""What the assembly functions of whole fields and formulas compute, by name: elements are below p,
times R = 2^256 on P-256.
"""

from __future__ import annotations

from collections.abc import Callable

from armv7em.formulas import TABLES, TIGHT, read
from lib_assembly import ALL_ONES, Argument, Case

from ecfit.choices.curves import CURVES

P256 = CURVES["secp256r1"].p
R = 1 << 256
WORDS = 8


def _element(kind: str = "in", count: int = 1) -> Argument:
    return Argument(kind, count * WORDS, below=P256)  # type: ignore[arg-type]


def _field(compute: Callable[..., int], operands: int) -> Case:
    """r = compute(operands); r may be each of them."""
    arguments = (Argument("out", WORDS), *(_element() for _ in range(operands)))
    aliases = tuple((0, i + 1) for i in range(operands))
    return Case(arguments, lambda _, *values: ((compute(*values) % P256,), None), aliases)


def _coordinates(value: int) -> tuple[int, ...]:
    return tuple(value >> 256 * i & R - 1 for i in range(3))


def _joined(*coordinates: int) -> int:
    return sum(value % P256 << 256 * i for i, value in enumerate(coordinates))


def mul(*factors: int) -> int:
    """The product of elements."""
    product, unit = factors[0], pow(R, -1, P256)
    for factor in factors[1:]:
        product = product * factor * unit % P256
    return product


def double(point: int) -> tuple[tuple[int, ...], None]:
    """2 P in Jacobian coordinates, Z3 = Y Z."""
    x, y, z = _coordinates(point)
    half = pow(2, -1, P256)
    a = 3 * half * (mul(x, x) - mul(z, z, z, z)) % P256
    s = mul(x, y, y)
    x3 = (mul(a, a) - 2 * s) % P256
    return (_joined(x3, mul(a, (s - x3) % P256) - mul(y, y, y, y), mul(y, z)),), None


def add(point: int, affine: int, other: int | None) -> tuple[tuple[int, ...], int]:
    """P + Q in Jacobian coordinates, Z of Q other than 1 where there is one.

    All ones where they are equal.
    """
    x, y, z = _coordinates(point)
    qx, qy, _ = _coordinates(affine)
    if other is not None:
        x, y = mul(x, other, other), mul(y, other, other, other)
    h, s = (mul(qx, z, z) - x) % P256, (mul(qy, z, z, z) - y) % P256
    v, cube = mul(x, h, h), mul(h, h, h)
    x3 = (mul(s, s) - cube - 2 * v) % P256
    z3 = mul(z, h) if other is None else mul(z, h, other)
    result = _joined(x3, mul(s, (v - x3) % P256) - mul(y, cube), z3)
    return (result,), ALL_ONES if h == s == 0 else 0


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
        x2, z2, x3, z3 = reg[:4]
        small: int | None = None  # a small multiple that is added to before it is lowered
        for op, d, a, b, _ in steps:
            if op == "SMALL":
                small = reg[a] * (reg[b] & ALL_ONES)
                continue
            if small is not None:
                reg[d], small = lowered(small + reg[b]), None
            else:
                reg[d] = {"MUL": product, "ADD": total, "SUB": difference}[op](reg[a], reg[b])
        if name == "xz_step":  # its registers are others than those of the table: T0 is left with
            crossed = difference(
                product(difference(x3, z3), total(x2, z2)),
                product(total(x3, z3), difference(x2, z2)),
            )  # what goes into the new z3
            reg[6] = product(crossed, crossed)
        return (sum(element << 256 * i for i, element in enumerate(reg)),), None

    registers = Argument("inout", count * WORDS, below=tuple(bounds))
    mask = (Argument("mask"),) if name == "xz_step" else ()
    return Case((registers, *mask), reference)


ANY = Argument("in", WORDS)
POINT, AFFINE = _element("inout", 3), _element(count=2)
UNIT = R % P256
GENERIC = Case((POINT, AFFINE, _element()), add, special=(0, UNIT))
MIXED = Case((POINT, AFFINE), lambda p, q: add(p, q, None), special=(UNIT << 512,))
BY_FIELD: dict[str, tuple[Case, ...]] = {
    "ecfit_secp256r1_fe_mul": (_field(mul, 2),),
    "ecfit_secp256r1_fe_sqr": (_field(lambda a: mul(a, a), 1),),
    "ecfit_secp256r1_fe_add": (_field(lambda a, b: a + b, 2),),
    "ecfit_secp256r1_fe_sub": (_field(lambda a, b: a - b, 2),),
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
    "ecfit_secp256r1_pt_double": (Case((POINT,), double),),
    "ecfit_secp256r1_pt_add": (GENERIC,),
    "ecfit_secp256r1_pt_add_affine": (MIXED,),
}
