"""Formulas of lib/src/group for the interpreter, as sequences of calls of a field's routines: the
tables are read from there.

A formula works on registers of a field element each, behind the pointer in r0. An operation takes
three addresses, and each knows where the one before has left the address of its result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gen.armv7em import p25519
from gen.armv7em.code import Code, several

GROUP = Path(__file__).resolve().parents[3] / "lib/src/group"
SAVED = ("r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "lr")
SIZE = 32  # bytes of a field element
MOVES = ("add", "mixed", "last", "double", "again")  # of a point
TIGHT = {"xz_step": range(5)} | {f"edwards_{name}_minus1": range(4) for name in MOVES}
# registers that hold products, or less, when a formula begins, and when it ends
TABLES = {"xz_step": "xz_codes.inc"} | {
    f"edwards_{name}_minus1": "edwards_codes.inc" for name in (*MOVES, "base", "root")
}


SQUARED = {"add_tight": "add_sqr", "sub_tight": "sub_sqr"}
NOTHING: Mapping[str, str] = {}
LADDER = "xz_step"  # this one exchanges its points first


class Step(NamedTuple):
    """d = a op b, numbers of registers; `plus`: one more, added to a small multiple."""

    op: str
    d: int
    a: int
    b: int
    plus: int | None = None


def read(name: str, file: str | None = None) -> list[Step]:
    """The steps of a table, of another file than TABLES has where that is given."""
    text = (GROUP / (file or TABLES[name])).read_text(encoding="utf-8").replace("\\\n", " ")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    macros = {key: value.strip() for key, value in re.findall(r"#define (\w+) +(.*)", text)}
    found = re.search(rf"uint16_t {name}\[\] = \{{(.*?)\}};", text, re.DOTALL)
    assert found, name
    body = found[1]
    for macro in sorted(macros, key=len, reverse=True):
        if re.search(rf"\b{macro}\b", body) and not macros[macro].isdigit():
            body = re.sub(rf"\b{macro}\b", macros[macro], body)
    steps = re.findall(r"(ADD|SUB|MUL|SMALL)\((\w+), (\w+), (\w+)\)", body)
    assert len(steps) == body.count("("), name
    return [Step(op, *(int(macros[place]) for place in places)) for op, *places in steps]


def chosen(
    name: str, tight_ones: Sequence[str] = ("add",), squared: Mapping[str, str] = NOTHING
) -> list[Step]:
    """The steps by routine: squares, sums of two products, a small multiple with a sum.

    `tight_ones`: which of sums and differences have a routine for two products; `squared`: routines
    that square what another leaves.
    """
    steps: list[Step] = []
    tight = set(TIGHT.get(name, ()))
    for step in read(name):
        op = step.op.lower()
        last = steps[-1] if steps else None
        if last and last.op == "small" and op == "add" and step.d == step.a == last.d:
            steps[-1] = last._replace(op="small_add", plus=step.b)
            continue
        if op == "mul" and step.a == step.b:
            op = "sqr"
        if op in tight_ones and {step.a, step.b} <= tight:
            op += "_tight"
        if last and op == "sqr" and step.d == step.a == last.d and last.op in squared:
            steps[-1] = last._replace(op=squared[last.op])
            tight.add(step.d)
            continue
        steps.append(step._replace(op=op))
        (tight.add if op in ("mul", "sqr", "small") else tight.discard)(step.d)
    assert all(step.op != "small" for step in steps), name
    assert tight.issuperset(TIGHT.get(name, ())), name
    return steps


def swapped(steps: list[Step]) -> list[Step]:
    """The ladder's step with an exchange of its two points before, where the mask is all ones.

    Sums and differences A, B of one point and C, D of the other meet in D A and C B, which an
    exchange leaves as they are, but for their order, and so the sum of the points. Only what is
    doubled is chosen: A or C, B or D, to registers that are free then.
    """
    (x2, z2, x3, z3), t0, t1 = range(4), 6, 7
    sums, rest = steps[:4], steps[4:]
    assert [step.d for step in sums] == [t0, z2, x2, z3], "A, B, C, D"
    choose = [Step("select", t1, t0, x2), Step("select", x3, z2, z3)]
    squares = [Step("sqr", t0, t0, t0), Step("sqr", z2, z2, z2)]
    assert [step for step in rest if step in squares] == squares
    crossed = rest[:2]
    assert [(step.op, step.d) for step in crossed] == [("mul", z3), ("mul", x2)], "D A, C B"
    doubled = [Step("sqr", t0, t1, t1), Step("sqr", z2, x3, x3)]
    others = [step for step in rest[2:] if step not in squares]
    return [*sums, *choose, *crossed, *doubled, *others]


def ladder() -> list[Step]:
    """The same exchange, with sums and choices that go straight into a square; registers anew, so
    that nothing is overwritten which is needed: A, B stay until they are chosen and multiplied.
    """
    (x2, z2, x3, z3), x1, factor, t0, t1 = range(4), 4, 5, 6, 7
    return [
        Step("add_tight", t0, x2, z2),
        Step("sub_tight", z2, x2, z2),
        Step("add_tight", x2, x3, z3),
        Step("sub_tight", z3, x3, z3),
        Step("choice_sqr", t1, t0, x2),
        Step("choice_sqr", x3, z2, z3),
        Step("mul", t0, z3, t0),
        Step("mul", z2, z2, x2),
        Step("mul", x2, t1, x3),
        Step("sub_tight", z3, t1, x3),
        Step("small_add", t1, z3, factor, t1),
        Step("add_sqr", x3, t0, z2),
        Step("sub_sqr", t0, t0, z2),
        Step("mul", z2, z3, t1),
        Step("mul", z3, x1, t0),
    ]


def steps_of(name: str) -> list[Step]:
    """The steps of a formula by the routines that there are here."""
    return ladder() if name == LADDER else chosen(name, ("add", "sub"), SQUARED)


def write(c: Code, name: str) -> None:
    """The function of a formula; of the ladder's steps a loop, with what is left in the frame."""
    steps = steps_of(name)
    if name == LADDER:
        c("push", several(["r1", "r2"]))
    c("push", several(SAVED))
    frame = 4 * len(SAVED)
    if name == LADDER:
        c.lines.append("1:")
    base, here = "r0", 0
    for step in steps:
        places = [step.d, step.a, step.b, *([] if step.plus is None else [step.plus])]
        targets = [f"r{i}" for i in range(len(places))]
        order = sorted(zip(targets, places, strict=True), key=lambda one: one[0] == base)
        for target, place in order:
            offset = SIZE * (place - here)
            c("sub" if offset < 0 else "add", target, base, f"#{abs(offset)}")
        if step.op == "choice_sqr":
            c("ldr", "r3", f"[sp, #{frame}]")
            c("asr", "r3", "r3", "#31")
        c("bl", f"ecfit_p25519_{step.op}")
        base, here = p25519.EXIT.get(step.op, "r0"), step.d
    if name != LADDER:
        c("pop", several((*SAVED[:-1], "pc")))
        return
    c("ldrd", "r1", "r2", f"[sp, #{frame}]")
    c("sub", "r0", base, f"#{SIZE * here}")
    c("lsl", "r1", "r1", "#1")
    c("subs", "r2", "r2", "#1")
    c("strd", "r1", "r2", f"[sp, #{frame}]")
    c("bne", "1b")
    c("pop", several(SAVED))
    c("add", "sp", "sp", "#8")
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)


class Calls:
    """Calls of the routines of a field, one after another, on registers of `size` bytes, the first
    of which is where r0 points. `exits`: where routines leave the address of their result, from
    which the next ones are counted.
    """

    def __init__(self, c: Code, field: str, size: int, exits: Mapping[str, str]) -> None:
        self.c, self.field, self.size, self.exits = c, field, size, exits
        self.base, self.here = "r0", 0

    def point(self, target: str, place: int) -> None:
        """The address of a register of the formula."""
        offset = self.size * (place - self.here)
        self.c("sub" if offset < 0 else "add", target, self.base, f"#{abs(offset)}")

    def __call__(self, op: str, places: Mapping[str, int], *others: tuple[str, ...]) -> None:
        """A call with these registers at these places; instructions before it."""
        for target, place in sorted(places.items(), key=lambda one: one[0] == self.base):
            self.point(target, place)
        for instruction in others:
            self.c(*instruction)
        self.c("bl", f"ecfit_{self.field}_{op}")
        self.base, self.here = self.exits[op], places["r0"]

    def step(self, step: Step, *others: tuple[str, ...]) -> None:
        """d = a op b."""
        places = {"r0": step.d, "r1": step.a, "r2": step.b}
        if step.op == "sqr":
            del places["r2"]
        self(step.op, places, *others)


def ladder_448(c: Code, exits: Mapping[str, str], *, as_mul: bool) -> None:
    """The ladder's step modulo 2^448 - 2^224 - 1, as a loop; `as_mul`: a square is a product.

    In the frame are r4 to r11, lr, exchanges and n.
    """
    exchanges = f"[sp, #{4 * len(SAVED)}]"
    mask = ("ldr", "r3", exchanges), ("asr", "r3", "r3", "#31")
    c("push", several(["r1", "r2"]))
    c("push", several(SAVED))
    c.label("1")
    calls = Calls(c, "p448", 56, exits)
    for step in ladder():
        op = step.op.removesuffix("_tight")
        if op == "small_add":
            places = {"r0": step.d, "r1": step.a, "r3": step.plus or 0}
            calls(op, places, ("adr", "r2", "2f"))
        elif as_mul and op.endswith("_sqr"):
            op = op.removesuffix("_sqr").replace("choice", "select")
            calls.step(step._replace(op=op), *(mask if op == "select" else ()))
            calls.step(Step("mul", step.d, step.d, step.d))
        else:
            calls.step(step._replace(op=op), *(mask if op == "choice_sqr" else ()))
    calls.point("r0", 0)
    c("ldrd", "r1", "r2", exchanges)
    c("lsl", "r1", "r1", "#1")
    c("subs", "r2", "r2", "#1")
    c("strd", "r1", "r2", exchanges)
    c("bne", "1b")
    c("pop", several(SAVED))
    c("add", "sp", "sp", "#8")
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)
    c.lines.append("2:  .word   39081                   /* (A - 2)/4 */")


def ladder_step(
    c: Code, curve: str, size: int, exits: Mapping[str, str], *, as_mul: bool = False
) -> None:
    """A step of the ladder on a line; `as_mul`: a square is a product."""
    c("push", several(SAVED))
    calls = Calls(c, curve, size, exits)
    for step in steps_of_line(at_once=True):
        square = step.op == "MUL" and step.a == step.b and not as_mul
        if step.plus is None:
            calls.step(step._replace(op="sqr" if square else step.op.lower()))
        else:
            places = {"r0": step.d, "r1": step.a, "r2": step.b, "r3": step.plus}
            calls(step.op.lower(), places)
    c("pop", several((*SAVED[:-1], "pc")))


def steps_of_line(*, at_once: bool) -> list[Step]:
    """The step of the ladder on a line; `at_once`: H - (G - 2 A) as one, less `plus`."""
    steps = read("ladder_step", "jacobian_codes.inc")
    if not at_once:
        return steps
    threes = ([(step.op, step.d) for step in steps[i : i + 3]] for i in range(len(steps)))
    first = [three == [("SUB", three[0][1])] * 3 for three in threes].index(True)
    (_, m, g, a, _), (_, _, *twice, _), (_, _, h, last, _) = steps[first : first + 3]
    assert (twice, last) == ([m, a], m)
    steps[first : first + 3] = [Step("ADD_TWICE_SUB", m, h, a, g)]
    return steps


def run_448(c: Code, *, as_mul: bool) -> None:
    """The interpreter of formulas (field/op.h) on registers of 56 bytes; in the frame are r4 to
    r11, lr, the pointers to the registers, to the code and to the small factor.
    """
    base = 4 * len(SAVED)
    c("push", several(["r0", "r1", "r2"]))
    c("push", several(SAVED))
    c.label("1")
    c("ldrd", "r4", "r5", f"[sp, #{base}]")
    c("ldrh", "r6", "[r5], #2", narrow=True)  # which it is not
    c("str", "r5", f"[sp, #{base + 4}]")
    c("cmp", "r6", "#0")
    c("beq", "6f")
    c("mov", "r7", "#56")
    for register, low in (("r0", 8), ("r1", 4), ("r2", 0)):
        c("ubfx", register, "r6", f"#{low}", "#4")
        c("mla", register, register, "r7", "r4")
    c("lsr", "r6", "r6", "#12")
    c("cmp", "r6", "#1")
    c("beq", "3f")
    c("bhi", "4f")
    c("cmp", "r1", "r2")
    c("beq", "2f")
    c("bl", "ecfit_p448_mul")
    c("b", "1b")
    c.label("2")
    c("bl", f"ecfit_p448_{'mul' if as_mul else 'sqr'}")
    c("b", "1b")
    c.label("3")
    c("bl", "ecfit_p448_add")
    c("b", "1b")
    c.label("4")
    c("cmp", "r6", "#2")
    c("bne", "5f")
    c("bl", "ecfit_p448_sub")
    c("b", "1b")
    c.label("5")
    c("ldr", "r2", f"[sp, #{base + 8}]")
    c("bl", "ecfit_p448_small")
    c("b", "1b")
    c.label("6")
    c("pop", several(SAVED))
    c("add", "sp", "sp", "#12")
    c("bx", "lr", narrow=True)
    c("nop", narrow=True)
