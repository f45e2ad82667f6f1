"""The formulas of `lib/src/group/*_codes.inc` equal the group law, as exact polynomials.

Points are (x, y) with a scale z; a table runs on polynomials, and its results are compared with
the chord and tangent rule (Weierstrass), the sum of Edwards curves, or the law of x alone.
Where a law divides, both sides are multiplied out, and the result's Z is no zero polynomial. So a
formula may differ from the law only where a denominator of either is 0; docs/proved.md lists that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from flint import Ordering, fmpz_mpoly_ctx
from gen.armv7em.formulas import GROUP, Step, read

NAMES = ("y2", "y1", "x2", "x1", "z2", "z1", "b", "d", "l")
RING = fmpz_mpoly_ctx.get(NAMES, Ordering.lex)
Y2, Y1, X2, X1, Z2, Z1, B, D, L = RING.gens()
ZERO, ONE = X1 * 0, X1 * 0 + 1
Steps = list[Step]
__all__ = ["CHECKS", "Step", "Steps", "changed", "holds", "read", "run", "steps_of"]
COMPLETE, JACOBIAN, ROOM = "complete_codes.inc", "jacobian_codes.inc", "jacobian_room_codes.inc"
EDWARDS, XZ, X_ALONE = "edwards_codes.inc", "xz_codes.inc", "x_codes.inc"


def run(steps: Steps, registers: dict[int, Any]) -> dict[int, Any]:
    """The registers after a table."""
    r = dict(registers)
    for s in steps:
        x, y = r[s.a], r[s.b]
        r[s.d] = x + y if s.op == "ADD" else x - y if s.op == "SUB" else x * y
    return r


def on_curve(f: Any, a: int) -> bool:
    """Whether f is 0 for points (x1, y1), (x2, y2) of y^2 = x^3 + a x + b."""
    b = Y1**2 - X1**3 - a * X1
    f = f.compose(Y2, Y1, X2, X1, Z2, Z1, b, D, L)
    relation = Y2**2 - (X2**3 + a * X2 + b)
    return bool(divmod(f, relation)[1] == 0)


def chord(
    a: Any, *, double: bool, p: tuple[Any, Any] = (X1, Y1), q: tuple[Any, Any] = (X2, Y2)
) -> tuple[Any, Any, Any]:
    """X, Y and the denominator D of the sum: (X/D^2, Y/D^3)."""
    (x1, y1), (x2, y2) = p, p if double else q
    top, under = (3 * x1**2 + a, 2 * y1) if double else (y2 - y1, x2 - x1)
    x = top**2 - (x1 + x2) * under**2
    return x, top * (x1 * under**2 - x) - y1 * under**3, under


def projective(r: dict[int, Any], a: int, *, double: bool) -> bool:
    """X/Z and Y/Z in registers 0 to 2."""
    x, y, under = chord(a, double=double)
    if on_curve(r[2], a):
        return False
    return on_curve(r[0] * under**2 - r[2] * x, a) and on_curve(r[1] * under**3 - r[2] * y, a)


def jacobian(r: dict[int, Any], a: int, *, double: bool) -> bool:
    """X/Z^2 and Y/Z^3 in registers 0 to 2."""
    x, y, under = chord(a, double=double)
    if on_curve(r[2], a):
        return False
    same_x = on_curve(r[0] * under**2 - r[2] ** 2 * x, a)
    return same_x and on_curve(r[1] * under**3 - r[2] ** 3 * y, a)


def complete_add(a: int) -> Callable[[Steps], bool]:
    """A sum, and a doubling by the same table."""

    def check(steps: Steps) -> bool:
        first = {0: X1 * Z1, 1: Y1 * Z1, 2: Z1, 11: B}
        apart = run(steps, first | {3: X2 * Z2, 4: Y2 * Z2, 5: Z2})
        alike = run(steps, first | {3: X1 * Z2, 4: Y1 * Z2, 5: Z2})
        return projective(apart, a, double=False) and projective(alike, a, double=True)

    return check


def jacobian_double(a: int) -> Callable[[Steps], bool]:
    """2 P."""
    point = {0: X1 * Z1**2, 1: Y1 * Z1**3, 2: Z1}
    return lambda steps: jacobian(run(steps, point), a, double=True)


def jacobian_add(steps: Steps) -> bool:
    """P + Q, Q affine; for any a."""
    r = run(steps, {0: X1 * Z1**2, 1: Y1 * Z1**3, 2: Z1, 3: X2, 4: Y2})
    return all(jacobian(r, a, double=False) for a in (-3, 0))


def room_add(steps: Steps) -> bool:
    """P + Q with Z of Q in register 5, Q as (x, y)."""
    r = run(steps, {0: X1 * Z1**2, 1: Y1 * Z1**3, 2: Z1, 3: X2 * Z2**2, 4: Y2 * Z2**3, 5: Z2})
    return jacobian(r, -3, double=False)


def rhs(a: int, b: int, out: int) -> Callable[[Steps], bool]:
    """x^3 + a x + b."""
    return lambda steps: run(steps, {0: X1, b: B})[out] == X1**3 + a * X1 + B


def jacobian_in(a: int) -> Callable[[Steps], bool]:
    """x = X1 Z1 and y = Y1 Y2 of a point, and x^3 + a x + b - y^2; and x^3 + a x + b by the end of
    the table, from JACOBIAN_RHS on."""
    entry = re.search(r"#define JACOBIAN_RHS (\d+)", (GROUP / JACOBIAN).read_text("utf-8"))

    def check(steps: Steps) -> bool:
        r = run(steps, {0: X1, 1: Y1, 2: Z1, 3: B, 4: Y2})
        x, y = X1 * Z1, Y1 * Y2
        whole = r[0] == x and r[1] == y and r[5] == x**3 + a * x + B - y**2
        return bool(entry and whole and rhs(a, 3, 5)(steps[int(entry[1]) :]))

    return check


# The ladder on a line: D = (x1, y1), R with x = x2, and Q, on the line of slope l through D.
# For any three points with the sum 0, none of them neutral, there is such a line: also where two
# are one, of which it is the tangent then. Registers hold the state of jacobian_codes.inc.
X_Q = L**2 - X1 - X2
R, Q = (X2, Y1 + L * (X2 - X1)), (X_Q, Y1 + L * (X_Q - X1))
A_LINE = (X_Q - X1) * (X2 - X1) + 2 * L * Y1 - 3 * X1**2  # the a of a curve with D, Q and R
LINE = {0: (X1 - X_Q) * Z1**2, 1: 2 * Y1 * Z1**3, 2: 2 * Z1 * L, 3: (X1 - X2) * Z1**2, 4: B}


def on_line(r: dict[int, Any], z: Any, a: Any) -> bool:
    """The state is one of a line through D, with Z = z: its slope and the x of its points belong
    together, as on a curve with this a. z is no zero polynomial, and register 4 is as before."""
    xs = 4 * (r[0] + r[3]) == 12 * X1 * z**2 - r[2] ** 2
    slope = 2 * r[0] * r[3] + r[2] * r[1] == 2 * (3 * X1**2 + a) * z**4
    return bool(xs and slope and z != 0 and r[1] == 2 * Y1 * z**3 and r[4] == LINE[4])


def is_sum(r: dict[int, Any], n: int, z: Any, law: tuple[Any, Any, Any], sign: int = 1) -> bool:
    """The point of the line whose x is in register n is a sum, or its opposite."""
    x, y, under = law
    same_x = r[n] * under**2 == z**2 * (X1 * under**2 - x)
    return bool(same_x and (r[1] - r[2] * r[n]) * under**3 == 2 * sign * z**3 * y)


def ladder_start(a: int) -> Callable[[Steps], bool]:
    """R = D, Q = -2 D."""

    def check(steps: Steps) -> bool:
        r, z = run(steps, {0: X1, 1: Y1, 2: ONE, 4: B}), 2 * Y1
        twice = is_sum(r, 0, z, chord(a, double=True), -1)
        return twice and r[3] == 0 and on_line(r, z, a)

    return check


def ladder_start_least(steps: Steps) -> bool:
    """The same, with what makes 1 of register 2 in register 8, and x and y of D in 4 and 9."""
    every, z = run(steps, {0: X1, 1: Y1, 2: Z1, 8: B}), 2 * Y1
    r = {n: divmod(f, Z1 * B - 1)[1] for n, f in every.items()}
    kept = r[4] == X1 and r[9] == Y1 and r[8] == B
    right = is_sum(r, 0, z, chord(-3, double=True), -1) and on_line(r | {4: LINE[4]}, z, -3)
    return bool(kept and r[3] == 0 and right)


def ladder_step(steps: Steps) -> bool:
    """2 R and Q - R, for any a, where Q and R differ in x and y of R is not 0; else 0 in Y. It is 0
    after a state with 0 in Y, too, whatever the other registers have."""
    r, z = run(steps, LINE), Z1 * (LINE[0] - LINE[3]) * 2 * Z1**3 * R[1]
    curve = all(y**2 - x**3 - A_LINE * x == Y1**2 - X1**3 - A_LINE * X1 for x, y in (Q, R))
    double, less = chord(A_LINE, double=True, p=R), chord(A_LINE, double=False, p=Q, q=(X2, -R[1]))
    right = curve and is_sum(r, 3, z, double) and is_sum(r, 0, z, less) and on_line(r, z, A_LINE)
    stays = run(steps, {0: X1, 1: Y1, 2: Z1, 3: X2, 4: B})[1]
    return right and divmod(stays, Y1 * (X1 - X2) * (Y1 - Z1 * X2))[1] == 0


def ladder_end(a: int) -> Callable[[Steps], bool]:
    """Registers 0, 3 and 1 of which ladder_out makes x and y of R, where V Y is not 0."""
    curve, v = A_LINE - a, ONE if a else X1

    def check(steps: Steps) -> bool:
        r = run(steps, LINE | {4: X1, 5: Y1})
        x = r[0] * Y1**2 * Z1**2 - LINE[3] * r[1] ** 2  # XQ (y/Y)^2 = x - x of R
        y = 2 * Y1 * Z1**3 * r[3] == LINE[2] * LINE[3] * r[1]  # XR y/Y = l (x - x of R)
        kept = r[4] == X1 and r[5] == Y1
        return bool(kept and y and r[1] == 6 * v * LINE[1] and divmod(x, curve)[1] == 0)

    return check


def ladder_out(steps: Steps) -> bool:
    """x - XQ (y/Y)^2 and y - XR y/Y, with 1/Y in register 2: those of D, where that is 0."""
    r = run(steps, {0: X2, 3: Y2, 2: Z2, 4: X1, 5: Y1})
    return bool(r[0] == X1 - X2 * (Y1 * Z2) ** 2 and r[1] == Y1 - Y2 * Y1 * Z2)


def ladder_out_least(steps: Steps) -> bool:
    """The same with y of D in register 9, times register 8."""
    r = run(steps, {0: X2, 3: Y2, 2: Z2, 4: X1, 9: Y1, 8: B})
    x, y = X1 - X2 * (Y1 * Z2) ** 2, Y1 - Y2 * Y1 * Z2
    return bool(r[0] == x * B and r[1] == y * B)


def jacobian_in_least(steps: Steps) -> bool:
    """As jacobian_in, with one factor."""
    r = run(steps, {0: X1, 1: Y1, 2: Z1, 3: B})
    x, y = X1 * Z1, Y1 * Z1
    return bool(r[0] == x and r[1] == y and r[5] == x**3 - 3 * x + B - y**2)


def edwards(a: int, table: str) -> Callable[[Steps], bool]:
    """A sum of Edwards curves; `table`: how Q stands."""

    def check(steps: Steps) -> bool:
        x, y = X2, Y2
        point = {0: X1 * Z1, 1: Y1 * Z1, 2: Z1, 3: X1 * Y1 * Z1}
        if table == "add":
            k = 2 * D if a < 0 else -D
            r = run(steps, point | {4: x * Z2, 5: y * Z2, 6: Z2, 7: x * y * Z2, 11: k})
        elif a < 0:  # (y - x)/2 and (y + x)/2 are the variables
            x, y = X2 - Y2, X2 + Y2
            r = run(steps, point | {4: Y2, 5: X2, 6: D * x * y})
        else:
            r = run(steps, point | {4: x, 5: y, 6: -D * x * y})
        product = D * X1 * x * Y1 * y
        sum_x = r[0] * (1 + product) == r[2] * (X1 * y + Y1 * x)
        sum_y = r[1] * (1 - product) == r[2] * (Y1 * y - a * X1 * x)
        return bool(
            r[2] != 0 and sum_x and sum_y and (table == "last" or r[3] * r[2] == r[0] * r[1])
        )

    return check


def edwards_double(a: int, *, whole: bool) -> Callable[[Steps], bool]:
    """2 P, with d x^2 y^2 = a x^2 + y^2 - 1."""

    def check(steps: Steps) -> bool:
        r = run(steps, {0: X1 * Z1, 1: Y1 * Z1, 2: Z1})
        s = a * X1**2 + Y1**2
        sum_x = r[0] * s == r[2] * 2 * X1 * Y1
        sum_y = r[1] * (2 - s) == r[2] * (Y1**2 - a * X1**2)
        return r[2] != 0 and sum_x and sum_y and (not whole or r[3] * r[2] == r[0] * r[1])

    return check


def base_minus1(steps: Steps) -> bool:
    """u, v, u v^3, 2 u v^7 for decoding."""
    r = run(steps, {1: Y1, 2: ONE, 11: 2 * D})
    u, v = 2 * Y1**2 - 2, 2 * D * Y1**2 + 2
    return bool(r[9] == u and r[8] == v and r[6] == u * v**3 and r[10] == 2 * u * v**7)


def base_plus1(steps: Steps) -> bool:
    """u, v, u^3 v, u^5 v^3 for decoding."""
    r = run(steps, {1: Y1, 2: ONE, 11: -D})
    u, v = 1 - Y1**2, 1 - D * Y1**2
    return bool(r[9] == u and r[8] == v and r[6] == u**3 * v and r[10] == u**5 * v**3)


def xz_step(steps: Steps) -> bool:
    """A doubling and a sum on a Montgomery curve, by x alone: of X1/Z1 and X2/Z2, l apart."""
    r = run(steps, {0: X1, 1: Z1, 2: X2, 3: Z2, 4: L, 5: D})
    a = 4 * D + 2
    double = r[0] * (4 * X1 * Z1 * (X1**2 + a * X1 * Z1 + Z1**2)) == r[1] * (X1**2 - Z1**2) ** 2
    double = double and r[1] != 0 and r[3] != 0
    add = r[2] * (L * (X1 * Z2 - Z1 * X2) ** 2) == r[3] * (X1 * X2 - Z1 * Z2) ** 2
    return bool(double and add)


def x_step(a: int) -> Callable[[Steps], bool]:
    """The same on a Weierstrass curve; the sum with its difference's x added is free of roots."""

    def check(steps: Steps) -> bool:
        start = {0: X1 * Z1, 1: Z1, 2: X2 * Z2, 3: Z2, 11: B}
        r, free = run(steps, start | {10: L}), run(steps, start | {10: ZERO})
        linear = r[2] == free[2] - L * r[3]
        under = (X2 - X1) ** 2
        both = 2 * Y1**2 + 2 * Y2**2 - 2 * (X1 + X2) * under
        top_x, _, under_x = chord(a, double=True)
        return (
            linear
            and not on_curve(r[1], a)
            and not on_curve(r[3], a)
            and on_curve(free[2] * under - r[3] * both, a)
            and on_curve(r[0] * under_x**2 - r[1] * top_x, a)
        )

    return check


COPIES = {"ladder_start_least": (1, 2)}  # steps that may add the zero that they take away
CHECKS: dict[str, tuple[str, Callable[[Steps], bool]]] = {
    "complete_add_minus3": (COMPLETE, complete_add(-3)),
    "complete_add_zero": (COMPLETE, complete_add(0)),
    "complete_rhs_minus3": (COMPLETE, rhs(-3, 11, 6)),
    "complete_rhs_zero": (COMPLETE, rhs(0, 11, 6)),
    "jacobian_double_minus3": (JACOBIAN, jacobian_double(-3)),
    "jacobian_double_zero": (JACOBIAN, jacobian_double(0)),
    "jacobian_add": (JACOBIAN, jacobian_add),
    "jacobian_in_minus3": (JACOBIAN, jacobian_in(-3)),
    "jacobian_in_zero": (JACOBIAN, jacobian_in(0)),
    "jacobian_in_least": (JACOBIAN, jacobian_in_least),
    "ladder_start_least": (JACOBIAN, ladder_start_least),
    "ladder_out_least": (JACOBIAN, ladder_out_least),
    "ladder_start_minus3": (JACOBIAN, ladder_start(-3)),
    "ladder_start_zero": (JACOBIAN, ladder_start(0)),
    "ladder_step": (JACOBIAN, ladder_step),
    "ladder_end_minus3": (JACOBIAN, ladder_end(-3)),
    "ladder_end_zero": (JACOBIAN, ladder_end(0)),
    "ladder_out": (JACOBIAN, ladder_out),
    "jacobian_room_double": (ROOM, jacobian_double(-3)),
    "edwards_add_minus1": (EDWARDS, edwards(-1, "add")),
    "edwards_add_plus1": (EDWARDS, edwards(1, "add")),
    "edwards_mixed_minus1": (EDWARDS, edwards(-1, "mixed")),
    "edwards_mixed_plus1": (EDWARDS, edwards(1, "mixed")),
    "edwards_last_minus1": (EDWARDS, edwards(-1, "last")),
    "edwards_last_plus1": (EDWARDS, edwards(1, "last")),
    "edwards_double_minus1": (EDWARDS, edwards_double(-1, whole=True)),
    "edwards_double_plus1": (EDWARDS, edwards_double(1, whole=True)),
    "edwards_again_minus1": (EDWARDS, edwards_double(-1, whole=False)),
    "edwards_again_plus1": (EDWARDS, edwards_double(1, whole=False)),
    "edwards_base_minus1": (EDWARDS, base_minus1),
    "edwards_base_plus1": (EDWARDS, base_plus1),
    "xz_step": (XZ, xz_step),
    "x_step_minus3": (X_ALONE, x_step(-3)),
    "x_step_zero": (X_ALONE, x_step(0)),
    "jacobian_room_add": (ROOM, room_add),
}


def steps_of(name: str) -> Steps:
    """A table."""
    return list(read(name, CHECKS[name][0]))


def holds(name: str, steps: Steps | None = None) -> bool:
    """Whether a table equals its law, and reads no register that has no value."""
    try:
        return bool(CHECKS[name][1](steps or steps_of(name)))
    except KeyError:
        return False


def changed(steps: Steps, index: int) -> Steps:
    """A table with one operation changed."""
    other = {"ADD": "SUB", "SUB": "ADD", "MUL": "ADD", "SMALL": "ADD"}
    s = steps[index]
    return [*steps[:index], s._replace(op=other[s.op]), *steps[index + 1 :]]
