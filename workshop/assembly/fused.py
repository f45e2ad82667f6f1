"""What the assembly functions of whole fields and formulas compute, by name: elements are below p,
times R = 2^256 on P-256.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import NamedTuple

from gen.armv7em.formulas import LADDER, TABLES, TIGHT, Step, read, swapped

from ecfit.choices.curves import CURVES
from workshop.assembly import edges as to_edges
from workshop.assembly.routines import ALL_ONES, WORD, Argument, Case

R, P25519 = 1 << 256, (1 << 255) - 19
WORDS, REGISTERS = 8, 12
OPS = {"MUL": 0, "ADD": 1, "SUB": 2, "SMALL": 3}
P256, COMPLETE = "secp256r1", ("complete_add_minus3", "complete_rhs_minus3")
ROOM = "jacobian_room"
JACOBIAN = tuple(f"{ROOM}_{name}" for name in ("double", "add", "in", "out"))
FORMULAS = ("pt_double", "pt_add", "pt_add_affine")


class Prime:
    """Field elements and points of a curve of a = -3 or 0: below p, times 2^bits, so many words:
    whole ones of 64 bits.
    """

    def __init__(self, curve: str) -> None:
        self.curve, self.p = curve, CURVES[curve].p
        self.a = 0 if curve == "secp256k1" else -3
        self.bits = -(-self.p.bit_length() // 64) * 64
        self.words, self.unit = self.bits // 32, (1 << self.bits) % self.p
        self.inverse, self.half = pow(self.unit, -1, self.p), pow(2, -1, self.p)

    def element(self, kind: str = "in", count: int = 1) -> Argument:
        """Some elements."""
        return Argument(kind, count * self.words, below=self.p)  # type: ignore[arg-type]

    def field(self, compute: Callable[..., int], operands: int, aim: to_edges.Aim) -> Case:
        """r = compute(operands); r may be each of them."""
        arguments = (Argument("out", self.words), *(self.element() for _ in range(operands)))
        aliases = tuple((0, i + 1) for i in range(operands))

        def reference(_: int, *values: int) -> tuple[tuple[int, ...], None]:
            return (compute(*values) % self.p,), None

        return Case(arguments, reference, aliases, aim=aim)

    def product(self) -> Case:
        """r = a b/R."""
        p, words = self.p, self.words
        aims = [to_edges.modular(p, words, self.unit), to_edges.quotients(p, words)]
        if p.bit_length() == 521:
            aims.append(to_edges.above(16))
        return self.field(self.mul, 2, to_edges.any_of(*aims, to_edges.windows(p, words, 1, 2)))

    def square(self) -> Case:
        """r = a^2/R."""
        p, words = self.p, self.words
        aims = [to_edges.roots(p, words, self.unit), to_edges.square_quotients(p, words)]
        if p.bit_length() == 521:
            aims.append(to_edges.square_above(p, 16))
        aim = to_edges.any_of(*aims, to_edges.windows(p, words, 1))
        return self.field(lambda a: self.mul(a, a), 1, aim)

    def sum(self, sign: int) -> Case:
        """r = a + b or a - b."""
        aim = to_edges.sums(self.p, self.words, sign=sign)
        return self.field(lambda a, b: a + sign * b, 2, aim)

    def between(self, evaluate: Callable[..., list[int]], *counts: int) -> to_edges.Aim:
        """What a formula has on the way at an edge; so many elements in each argument."""
        places = [(i, k) for i, count in enumerate(counts) for k in range(count)]
        bounds = [self.p] * len(places)

        def values(elements: list[int], _: int) -> list[int]:
            return evaluate(*elements)

        return to_edges.between(values, self.p, self.words, places, bounds)

    def meeting(self, draw: Random, values: list[int]) -> None:
        """P is Q or -Q, or is in its x alone; Q is neutral, or P."""
        mul, mask = self.mul, (1 << self.bits) - 1
        _, _, z = self.coordinates(values[0])
        qx, qy, _ = self.coordinates(values[1])
        o = values[2] if len(values) > 2 else self.unit
        unit = pow(o, -1, self.p) * self.unit * self.unit if o else 0
        ratio = mul(z, unit)
        x, y = mul(qx, ratio, ratio), mul(qy, ratio, ratio, ratio)
        y = draw.choice((y, y, -y, values[0] >> self.bits & mask))
        z = draw.choice((z, z, z, 0))
        values[0] = self.joined(x, y, z)

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

    def doubling(self, x: int, y: int, z: int) -> list[int]:
        """What 2 P in Jacobian coordinates has on the way."""
        mul, p = self.mul, self.p
        zz, yy = mul(z, z), mul(y, y)
        slope = mul(x - zz, x + zz) if self.a else mul(x, x)
        a, s = 3 * self.half * slope % p, mul(x, yy)
        x3 = mul(a, a) - 2 * s
        y3 = [mul(a, s - x3), mul(yy, yy)]
        found = [x - zz, x + zz, slope, 3 * slope, a, zz, yy, s, mul(a, a), mul(a, a) - s, x3]
        found += [s - x3, *y3, y3[0] - y3[1]]
        return [value % p for value in found]

    def adding(self, x: int, y: int, z: int, *others: int) -> list[int]:
        """What P + Q has on the way: coordinates of P, and two or three of Q."""
        mul, p = self.mul, self.p
        qx, qy, *rest = others
        if rest:
            other = rest[0]
            x, y = mul(x, other, other), mul(y, other, other, other)
        u, t = mul(qx, z, z), mul(qy, z, z, z)
        h, s = u - x, t - y
        v, cube = mul(x, h, h), mul(h, h, h)
        x3 = mul(s, s) - cube - 2 * v
        found = [x, y, u, t, h, s, v, cube, mul(s, s), mul(s, s) - cube, x3, v - x3, mul(y, cube)]
        return [value % p for value in [*found, mul(s, v - x3) - mul(y, cube)]]

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
        generic = Case(
            (point, affine, self.element()),
            self.add,
            special=(0, self.unit),
            aim=to_edges.any_of(self.between(self.adding, 3, 2, 1), self.meeting),
        )
        one = self.unit << 2 * self.bits
        mixed = Case(
            (point, affine),
            lambda p, q: self.add(p, q, None),
            special=(one,),
            aim=to_edges.any_of(self.between(self.adding, 3, 2), self.meeting),
        )
        cases = {
            "fe_mul": self.product(),
            "fe_sqr": self.square(),
            "fe_add": self.sum(1),
            "fe_sub": self.sum(-1),
            "fe_negate": Case(
                (self.element("inout"), Argument("mask")),
                lambda y, mask: ((self.p - y if mask else y,), None),
            ),
            "pt_double": Case((point,), self.double, aim=self.between(self.doubling, 3)),
            "pt_add": generic,
            "pt_add_affine": mixed,
        }
        if self.curve != "secp256k1":  # with squares as products
            cases |= {f"{name}_as_mul": cases[name] for name in FORMULAS}
            step = self.step("ladder_step")
            cases |= {"ladder_step": step, "ladder_step_as_mul": step}
        return {f"ecfit_{self.curve}_{name}": (case,) for name, case in cases.items()}

    def linear(self, op: str) -> Case:
        """The case of a sum or of a difference, which the interpreter knows by a number."""
        case = self.sum(-1 if op == "SUB" else 1)
        number = Argument("word", least=OPS[op], most=OPS[op])
        return case._replace(
            arguments=(*case.arguments, number),
            reference=lambda r, a, b, _: case.reference(r, a, b),
        )

    def run(self, table: str) -> Case:
        """A formula of complete addition or in Jacobian coordinates for the interpreter."""
        file = ROOM if table.startswith(ROOM) else table.split("_", maxsplit=1)[0]
        file = "jacobian" if file == "ladder" else file
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

        def between(*elements: int) -> list[int]:
            reg, found = list(elements), []
            for s in steps:
                a, b = reg[s.a], reg[s.b]
                values = {"ADD": a + b, "SUB": a - b, "MUL": self.mul(a, b)}
                reg[s.d] = values[s.op] % self.p
                found.append(reg[s.d])
            return found

        words = len(code) // 2 + 1
        registers = self.element("inout", REGISTERS)
        arguments = (registers, Argument("in", words, value, value))
        return Case(arguments, reference, aim=self.between(between, REGISTERS))

    def step(self, table: str) -> Case:
        """The same formula as a function: of registers alone."""
        case = self.run(table)

        def reference(registers: int) -> tuple[tuple[int, ...], None]:
            return case.reference(registers, 0)[0], None

        return case._replace(arguments=case.arguments[:1], reference=reference)


def lowered(value: int) -> int:
    """What the products modulo 2^255 - 19 leave of a sum: from bit 255 on, 19 each."""
    top, rest = divmod(value, 1 << 255)
    return rest + 19 * top


def product(a: int, b: int) -> int:
    """a b modulo 2^255 - 19, as it is left."""
    high, low = divmod(a * b, R)
    return lowered(low + 38 * high)


class Ends(NamedTuple):
    """How products modulo 2^255 - 19 end: what a b and a factor + b leave; products are below
    2^255 + spare, small factors below most.
    """

    product: Callable[[int, int], int]
    multiple: Callable[[int, int, int], int]
    spare: int
    most: int


LATE = Ends(product, lambda a, factor, b: lowered(a * factor + b), 1 << 25, 1 << 19)


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


def formula(name: str, ends: Ends = LATE, times: int = 0) -> Case:
    """A table of lib/src/group on registers of a field element each; so many times with bits of a
    word for masks.
    """
    steps = read(name)
    count = 8 if name == LADDER else 12
    bounds = [R] * count
    for i in TIGHT.get(name, ()):
        bounds[i] = (1 << 255) + ends.spare
    fixed: tuple[int, ...] = ()
    if name == LADDER:
        bounds[5], fixed = ends.most, (5,)
        steps = exchanged(steps)

    def values(reg: list[int], mask: int) -> list[int]:
        """What each step leaves; the registers in the end."""
        found = []
        small: tuple[int, int] | None = None  # a multiple that is added to before it is lowered
        for op, d, a, b, _ in steps:
            if op == "SMALL":
                small = reg[a], reg[b] & ALL_ONES
                continue
            if op == "SELECT":
                reg[d] = reg[b] if mask else reg[a]
            elif small is not None:
                reg[d], small = ends.multiple(*small, reg[b]), None
            else:
                reg[d] = {"MUL": ends.product, "ADD": total, "SUB": difference}[op](reg[a], reg[b])
            found.append(reg[d])
        return found

    def reference(value: int, mask: int = 0, *_: int) -> tuple[tuple[int, ...], None]:
        reg = [value >> 256 * i & R - 1 for i in range(count)]
        masks = [mask >> 31 - i & 1 for i in range(times)] if times else [mask]
        for each in masks:
            values(reg, each)
        return (sum(element << 256 * i for i, element in enumerate(reg)),), None

    work = 2 * WORDS if name == LADDER else 0  # T0 and T1, where what is no result may stay
    registers = Argument("inout", count * WORDS, below=tuple(bounds), scratch=work)
    mask = (Argument("mask"),) if name == LADDER else ()
    places = [(0, i) for i in range(count)]
    aim = to_edges.between(values, P25519, WORDS, places, bounds, fixed)
    if not times:
        return Case((registers, *mask), reference, aim=aim)

    def first(draw: Random, drawn: list[int]) -> None:
        step = [drawn[0], drawn[1] >> 31]
        aim(draw, step)
        drawn[0] = step[0]

    return Case((registers, Argument("word"), Argument("length")), reference, aim=first)


def exchanged(steps: list[Step]) -> list[Step]:
    """The ladder's step as the assembly computes it: the points are not exchanged, which would turn
    the sign of DA - CB, and so leave another number for the same square.
    """
    lower = [step._replace(op=step.op.lower()) for step in steps]
    lower = [s._replace(op="sqr") if s.op == "mul" and s.a == s.b else s for s in lower]
    return [
        step._replace(op="MUL" if step.op == "sqr" else step.op.upper()) for step in swapped(lower)
    ]


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


SMALL_448 = 39081  # (A - 2)/4 of Curve448
FORMULAS_448 = ("edwards_add_plus1", "edwards_double_plus1", "edwards_mixed_plus1", "xz_step")


class Golden:
    """p = 2^448 - 2^224 - 1: elements are any integers below 2^448, products divide by 2^672.

    Each operation leaves one integer of those that are the same modulo p.
    """

    words, size, radix, factors = 14, 1 << 448, 1 << 672, 1 << 17
    p = size - (1 << 224) - 1

    def mul(self, a: int, b: int) -> int:
        """(a b + q p) / 2^672, with q below 2^672."""
        q = -a * b * pow(self.p, -1, self.radix) % self.radix
        return (a * b + q * self.p) // self.radix

    def sum(self, a: int, b: int) -> int:
        """a + b, less p or 2 p where that with 2^448 - p is from 2^448 on, or twice that."""
        return a + b - (a + b + self.size - self.p) // self.size * self.p

    def difference(self, a: int, b: int) -> int:
        """a - b, and p or 2 p where that less 2^448 - p is negative, or below -2^448."""
        return a - b - (a - b - self.size + self.p) // self.size * self.p

    def multiple(self, a: int, b: int, c: int = 0) -> int:
        """a b + c, less p as often as 1 above what the last words come to makes 2^448 of it, or
        once less.
        """
        times = 1 + ((a >> 416) * b + (c >> 416) >> 32)
        u = a * b + c + times * (self.size - self.p)
        return a * b + c - (u // self.size) * self.p

    def functions(self) -> dict[str, tuple[Case, ...]]:
        """Its functions by name."""
        any_of, words, p = to_edges.any_of, self.words, self.p
        unit = self.radix % p
        lift = self.size - p
        mul = any_of(to_edges.modular(p, words, unit, lift), to_edges.products(words))
        sqr = any_of(to_edges.roots(p, words, unit, lift), to_edges.squares(words))
        aims = {op: self._sums(sign) for op, sign in (("add", 1), ("sub", -1))}
        element, r = Argument("in", words), Argument("out", words)
        both = ((0, 1), (0, 2))
        special = (p, p - 1, p + 1, self.size - p, unit)
        found = {
            "mul": Case((r, element, element), lambda _, a, b: ((self.mul(a, b),), None), both,
                        special, aim=mul),
            "sqr": Case((r, element), lambda _, a: ((self.mul(a, a),), None), ((0, 1),), special,
                        aim=sqr),
            "add": Case((r, element, element), lambda _, a, b: ((self.sum(a, b),), None), both,
                        special, aim=aims["add"]),
            "sub": Case((r, element, element), lambda _, a, b: ((self.difference(a, b),), None),
                        both, special, aim=aims["sub"]),
            "small": Case((r, element, Argument("in", 1, most=self.factors - 1, least=1)),
                          lambda _, a, b: ((self.multiple(a, b),), None), both, special),
        }  # fmt: skip
        runs = tuple(map(self.run, FORMULAS_448))
        return {f"ecfit_p448_fe_{name}": (case,) for name, case in found.items()} | {
            "ecfit_p448_pt_run": runs,
            "ecfit_p448_pt_as_mul_run": runs,
        }

    def inner(self) -> dict[str, Case]:
        """What keeps no register: sums that are squared, and a small multiple with a sum."""
        element, small = Argument("in", self.words), Argument("in", 1, most=(1 << 17) - 1, least=1)
        r, both = Argument("out", self.words), ((0, 1), (0, 2))
        sums = {"add_sqr": (self.sum, 1), "sub_sqr": (self.difference, -1)}

        def squared(total: Callable[[int, int], int], sign: int) -> Case:
            def reference(_: int, a: int, b: int) -> tuple[tuple[int, ...], None]:
                return (self.mul(total(a, b), total(a, b)),), None

            return Case((r, element, element), reference, both, aim=self._sums(sign))

        def reference(_: int, a: int, b: int, c: int) -> tuple[tuple[int, ...], None]:
            return (self.multiple(a, b, c),), None

        multiple = Case((r, element, small, element), reference, ((0, 1), (0, 3)))
        found = {name: squared(*by) for name, by in sums.items()} | {"small_add": multiple}
        return {f"ecfit_p448_{name}": case for name, case in found.items()}

    def step(self, reg: list[int], step: Step) -> int:
        """What a step of a formula leaves."""
        a, b = reg[step.a], reg[step.b]
        computed: dict[str, Callable[[int, int], int]] = {
            "ADD": self.sum, "SUB": self.difference, "MUL": self.mul,
            "SMALL": lambda x, _: self.multiple(x, SMALL_448),
        }  # fmt: skip
        return computed[step.op](a, b)

    def elements(self, value: int, count: int) -> list[int]:
        """Registers."""
        return [value >> 448 * i & self.size - 1 for i in range(count)]

    def run(self, table: str) -> Case:
        """A formula for the interpreter."""
        steps = read(table, f"{table.partition('_')[0]}_codes.inc")
        code = [OPS[s.op] << 12 | s.d << 8 | s.a << 4 | s.b for s in steps]
        value = sum(instruction << 16 * i for i, instruction in enumerate(code))

        def reference(registers: int, *_: int) -> tuple[tuple[int, ...], None]:
            reg = self.elements(registers, 12)
            for s in steps:
                reg[s.d] = self.step(reg, s)
            return (sum(element << 448 * i for i, element in enumerate(reg)),), None

        words = len(code) // 2 + 1
        small = Argument("in", 1, SMALL_448, SMALL_448)
        registers = Argument("inout", 12 * self.words)
        return Case((registers, Argument("in", words, value, value), small), reference)

    def ladder(self, times: int) -> Case:
        """So many steps of the ladder, with bits of a word for exchanges."""
        steps = exchanged(read(LADDER))
        (small, total), *_ = [(s, t) for s, t in pairwise(steps) if s.op == "SMALL"]
        assert (total.op, total.d, total.a) == ("ADD", small.d, small.d)

        def reference(value: int, exchanges: int, *_: int) -> tuple[tuple[int, ...], None]:
            reg = self.elements(value, 8)
            for bit in (exchanges >> 31 - i & 1 for i in range(times)):
                for s in steps:
                    if s.op == "SELECT":
                        reg[s.d] = reg[s.b] if bit else reg[s.a]
                    elif s is total:
                        reg[s.d] = self.multiple(reg[small.a], SMALL_448, reg[s.b])
                    elif s is not small:
                        reg[s.d] = self.step(reg, s)
            return (sum(element << 448 * i for i, element in enumerate(reg)),), None

        registers = Argument("inout", 8 * self.words, scratch=2 * self.words)
        return Case((registers, Argument("word"), Argument("length")), reference)

    def _sums(self, sign: int) -> to_edges.Aim:
        """At the edges of p, and of all integers that fit."""
        some = [to_edges.sums(self.p, self.words, sign=sign, most=self.size - 1)]
        return to_edges.any_of(*some, to_edges.sums(self.size, self.words, sign=sign))


class Halves(Golden):
    """Products of RV32IM: R = 1."""

    radix = 1

    def lift(self, _: int) -> int:
        """What is added, so that no sum is negative, where the upper words come to so much."""
        return self.p

    def mul(self, a: int, b: int) -> int:
        """Halves l, h and m of Karatsuba's, and words above 2^448 twice."""
        bits = 224
        (low, high), (other, upper) = ((x % (1 << bits), x >> bits) for x in (a, b))
        l, h, m = low * other, high * upper, (low + high) * (other + upper)  # noqa: E741
        (l0, l1), (m0, m1) = ((x % (1 << bits), x >> bits) for x in (l, m))
        value = h + l0 - l1 + m1 + (m0 + m1 - l0 << bits)
        return self.folded(value + self.lift((h >> bits) + m0 + m1 - l0 >> bits))

    def folded(self, value: int) -> int:
        """Less p as often as it is above 2^448, twice."""
        for _ in range(2):
            value -= (value // self.size) * self.p
        return value


class Thumb(Halves):
    """ARMv6-M and ARMv7-M: nothing is subtracted from what is below 2^448."""

    factors = 1 << 16

    def lift(self, upper: int) -> int:
        """Less p as often as the upper words are above 2^224."""
        return -upper * self.p

    def sum(self, a: int, b: int) -> int:
        """a + b."""
        return self.folded(a + b)

    def difference(self, a: int, b: int) -> int:
        """a - b."""
        return self.folded(a - b)

    def multiple(self, a: int, b: int, c: int = 0) -> int:
        """a b, then that and c."""
        return self.folded(self.folded(a * b) + c)


ANY = Argument("in", WORDS)
PRODUCTS = to_edges.any_of(to_edges.modular(P25519, WORDS, lift=P25519), to_edges.products(WORDS))
SQUARES = to_edges.any_of(to_edges.roots(P25519, WORDS, lift=P25519), to_edges.squares(WORDS))
BY_FIELD: dict[str, tuple[Case, ...]] = {
    **Prime(P256).functions(),
    f"ecfit_{P256}_rows_mul": (Prime(P256).product(),),
    f"ecfit_{P256}_rows_linear": tuple(map(Prime(P256).linear, ("ADD", "SUB"))),
    f"ecfit_{P256}_rows_run": tuple(map(Prime(P256).run, COMPLETE)),
    f"ecfit_{P256}_fe_both": (Prime(P256).product(),),
    f"ecfit_{P256}_fe_blocks": (Prime(P256).product(),),
    f"ecfit_{P256}_least_fe_mul": (Prime(P256).product(),),
    f"ecfit_{P256}_run": tuple(map(Prime(P256).run, (*COMPLETE, *JACOBIAN))),
    f"ecfit_{P256}_least_run": tuple(map(Prime(P256).run, (*COMPLETE, *JACOBIAN))),
    f"ecfit_{P256}_run_blocks": tuple(map(Prime(P256).run, (*COMPLETE, *JACOBIAN))),
    **Prime("secp384r1").functions(),
    **Prime("secp256k1").functions(),
    **Prime("secp521r1").functions(),
    **Prime("secp128r1").functions(),
    **Prime("secp160r1").functions(),
    **Prime("secp192r1").functions(),
    **Prime("secp224r1").functions(),
    **Prime("brainpoolP256r1").functions(),
    **Prime("brainpoolP384r1").functions(),
    **Prime("brainpoolP512r1").functions(),
    **{
        f"ecfit_secp{bits}r1_fe_both": (Prime(f"secp{bits}r1").product(),)
        for bits in (128, 160, 192, 224)
    },
    **Golden().functions(),
    "ecfit_p25519_fe_mul": (
        Case(
            (Argument("out", WORDS), ANY, ANY),
            lambda _, a, b: ((product(a, b),), None),
            ((0, 1), (0, 2)),
            aim=PRODUCTS,
        ),
    ),
    "ecfit_p25519_fe_sqr": (
        Case(
            (Argument("out", WORDS), ANY),
            lambda _, a: ((product(a, a),), None),
            ((0, 1),),
            aim=SQUARES,
        ),
    ),
    "ecfit_p25519_fe_negate": (
        Case(
            (Argument("inout", WORDS, below=R - 37), Argument("mask")),
            lambda a, mask: ((R - 38 - a if mask else a,), None),
        ),
    ),
    **{f"ecfit_p25519_{name}": (formula(name),) for name in TABLES},
}
