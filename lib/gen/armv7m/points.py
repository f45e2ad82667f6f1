"""Doubling and addition in Jacobian coordinates: the formulas of the backend armv6m
(lib/gen/armv6m/points.py), and for public data the same with products and squares `_var`. Sums and
differences are those of secrets.
"""

from __future__ import annotations

from collections.abc import Callable

from gen.armv6m.points import Step, addition_steps, doubling_steps
from gen.armv7em.code import Code, several

K256 = "secp256k1"  # a = 0, and a routine for two differences
VAR = {"mul", "sqr"}  # routines that have a long one


def saved(last: str, *, var: bool) -> str:
    """The registers of a caller: routines on secrets keep r9."""
    return several(("r4", "r5", "r6", "r7", "r8", *(["r9"] if var else []), "r10", "r11", last))


def enter(code: Code, arguments: int, size: int, *, var: bool) -> None:
    """Registers, pointers, then elements at the stack pointer."""
    code("push", saved("lr", var=var))
    code("push", several(f"r{k}" for k in range(arguments)), narrow=True)
    code("sub", "sp", "sp", f"#{size}")


def leave(code: Code, arguments: int, size: int, *, var: bool) -> None:
    """And back."""
    code("add", "sp", "sp", f"#{size + 4 * arguments}")
    code("pop", saved("pc", var=var))


def through(name: str, *, var: bool) -> Callable[[Code], None]:
    """A routine as a function of C."""

    def write(code: Code) -> None:
        code("push", saved("lr", var=var))
        code("bl", name)
        code("pop", saved("pc", var=var))

    return write


def merged(steps: list[Step]) -> list[Step]:
    """The steps with two differences of one place in a row as one."""
    found: list[Step] = []
    for step in steps:
        if found and step == found[-1] and step[0] == "sub":
            found[-1] = ("sub_twice", *step[1:])
        else:
            found.append(step)
    return found


def calls(code: Code, field: str, steps: list[Step], *, var: bool) -> None:
    """A call for each step; pointers that r0 to r2 hold."""
    for operation, *places in merged(steps) if field == K256 else steps:
        for index, (pointer, offset) in enumerate(places):
            name = f"r{index}"
            if pointer is None:
                code("add", name, "sp", f"#{offset}")
                continue
            code("ldr", name, f"[sp, #{pointer}]")
            if offset:
                code("add", name, name, f"#{offset}")
        code("bl", f"ecfit_{field}_{operation}{'_var' if var and operation in VAR else ''}")


def doubling(code: Code, field: str, size: int, *, var: bool) -> None:
    """4 mul, 4 sqr, and on secp256k1, whose a is 0, a product less."""
    enter(code, 1, 2 * size, var=var)
    calls(code, field, doubling_steps(size, no_a=field == K256), var=var)
    leave(code, 1, 2 * size, var=var)


def addition(code: Code, field: str, size: int, *, var: bool) -> None:
    """8 mul, 3 sqr, with qz 12 mul, 4 sqr; another way in, with qz = 0, stands behind it."""
    code.label("9")
    enter(code, 3, 4 * size, var=var)
    with_z, slopes, times_z, rest = addition_steps(size)
    unless_zero(code, field, with_z, "1", var=var)
    calls(code, field, slopes, var=var)
    code("ldr", "r2", f"[sp, #{4 * size + 8}]")
    unless_zero(code, field, times_z, "2", var=var)
    calls(code, field, rest, var=var)
    code.note("all ones where H and S are both 0")
    code("mov", "r0", "sp")
    code("mov", "r1", "#0")
    for _ in range(2 * size // 16):
        code("ldm", "r0!", several(f"r{k}" for k in range(2, 6)))
        for k in range(2, 6):
            code("orr", "r1", "r1", f"r{k}")
    code("subs", "r1", "r1", "#1")
    code("sbc", "r0", "r0", "r0")
    leave(code, 3, 4 * size, var=var)


def affine(code: Code) -> None:
    """The addition with qz = 0."""
    code("mov", "r2", "#0")
    code("b", "9b")


def unless_zero(code: Code, field: str, steps: list[Step], label: str, *, var: bool) -> None:
    """Steps that are left out where r2 is 0."""
    code("cmp", "r2", "#0")
    code("beq", f"{label}f")
    calls(code, field, steps, var=var)
    code.label(label)
