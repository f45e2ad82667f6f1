"""Doubling and addition in Jacobian coordinates for public data: the formulas of the backend armv6m
(lib/gen/armv6m/points.py) with products and squares `_var`. Sums and differences are those of
secrets.
"""

from __future__ import annotations

from collections.abc import Callable

from armv6m.points import Step, addition_steps, doubling_steps
from armv7em.code import Code, several

SAVED = ("r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11")
VAR = {"mul", "sqr"}  # routines that have a long one


def enter(code: Code, arguments: int, size: int) -> None:
    """Registers, pointers, then elements at the stack pointer."""
    code("push", several((*SAVED, "lr")))
    code("push", several(f"r{k}" for k in range(arguments)), narrow=True)
    code("sub", "sp", "sp", f"#{size}")


def leave(code: Code, arguments: int, size: int) -> None:
    """And back."""
    code("add", "sp", "sp", f"#{size + 4 * arguments}")
    code("pop", several((*SAVED, "pc")))


def through(name: str) -> Callable[[Code], None]:
    """A routine as a function of C."""

    def write(code: Code) -> None:
        code("push", several((*SAVED, "lr")))
        code("bl", name)
        code("pop", several((*SAVED, "pc")))

    return write


def calls(code: Code, field: str, steps: list[Step]) -> None:
    """A call for each step; pointers that r0 to r2 hold."""
    for operation, *places in steps:
        for index, (pointer, offset) in enumerate(places):
            name = f"r{index}"
            if pointer is None:
                code("add", name, "sp", f"#{offset}")
                continue
            code("ldr", name, f"[sp, #{pointer}]")
            if offset:
                code("add", name, name, f"#{offset}")
        code("bl", f"ecfit_{field}_{operation}{'_var' if operation in VAR else ''}")


def doubling(code: Code, field: str, size: int) -> None:
    """4 mul, 4 sqr."""
    enter(code, 1, 2 * size)
    calls(code, field, doubling_steps(size))
    leave(code, 1, 2 * size)


def addition(code: Code, field: str, size: int) -> None:
    """8 mul, 3 sqr, with qz 12 mul, 4 sqr; another way in, with qz = 0, stands behind it."""
    code.label("9")
    enter(code, 3, 4 * size)
    with_z, slopes, times_z, rest = addition_steps(size)
    unless_zero(code, field, with_z, "1")
    calls(code, field, slopes)
    code("ldr", "r2", f"[sp, #{4 * size + 8}]")
    unless_zero(code, field, times_z, "2")
    calls(code, field, rest)
    code.note("all ones where H and S are both 0")
    code("mov", "r0", "sp")
    code("mov", "r1", "#0")
    for _ in range(2 * size // 16):
        code("ldm", "r0!", several(f"r{k}" for k in range(2, 6)))
        for k in range(2, 6):
            code("orr", "r1", "r1", f"r{k}")
    code("subs", "r1", "r1", "#1")
    code("sbc", "r0", "r0", "r0")
    leave(code, 3, 4 * size)


def affine(code: Code) -> None:
    """The addition with qz = 0."""
    code("mov", "r2", "#0")
    code("b", "9b")


def unless_zero(code: Code, field: str, steps: list[Step], label: str) -> None:
    """Steps that are left out where r2 is 0."""
    code("cmp", "r2", "#0")
    code("beq", f"{label}f")
    calls(code, field, steps)
    code.label(label)
