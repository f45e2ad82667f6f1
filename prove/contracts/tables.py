"""What the banner of an interpreter or a ladder says, and the programs for which it is proved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from ecfit.choices.curves import CURVES
from prove.algebra.formulas import Step, read
from prove.algebra.primes import P25519
from prove.contracts.expression import number
from prove.contracts.sources import banners

OPERATIONS = {"MUL": 0, "ADD": 1, "SUB": 2, "SMALL": 3}  # field/op.h
REGISTERS, SIZE = 16, 32
LADDER = re.compile(r"xz_step of group/xz_codes.inc on registers of 8 words, after exchanging")
STEP = re.compile(r"ladder_step of group/jacobian_codes.inc on registers of (\d+) words below p")
BELOW = r"(products|sums|differences) below (2\^\d+(?: \+ 2\^\d+)?)"
RUN = re.compile(r"A formula (?:of an Edwards curve )?modulo (2\^255 - 19|p of P-256)")
TABLES = {
    P25519: {
        "edwards_codes.inc": [
            f"edwards_{name}_minus1"
            for name in ("add", "mixed", "last", "double", "again", "base", "root")
        ],
        "xz_codes.inc": ["xz_step"],
    },
    CURVES["secp256r1"].p: {
        "complete_codes.inc": ["complete_add_minus3", "complete_rhs_minus3"],
        "jacobian_codes.inc": [
            "jacobian_double_minus3", "jacobian_add", "jacobian_scale", "jacobian_in_minus3",
            "ladder_start_minus3", "ladder_step", "ladder_end_minus3", "ladder_out",
            "jacobian_in_least", "ladder_start_least", "ladder_out_least",
        ],
        "jacobian_room_codes.inc": [
            f"jacobian_room_{name}" for name in ("double", "add", "in", "out")
        ],
        "x_codes.inc": ["x_step_minus3", "x_recover_minus3"],
    },
}  # fmt: skip


class Promise(NamedTuple):
    """What the banner of an interpreter or a ladder says."""

    prime: int
    bound: int  # of registers
    factor: int  # by which products are divided
    limits: dict[str, int]  # of results, by operation
    small: bool  # whether there are products with a word
    ladder: bool
    text: str
    words: int = 8  # of a register

    @property
    def masked(self) -> bool:
        """Whether it is a ladder that exchanges registers by a mask."""
        return self.ladder and self.prime == P25519


def promise(backend: str, name: str) -> Promise | None:
    """It, or None for other routines."""
    text = banners(backend).get(name) or ""
    other = re.search(r"\) (ecfit_\w+), squares by", text)
    if other:
        text = banners(backend)[other[1]]
    ladder, found = LADDER.search(text), RUN.search(text)
    if ladder:
        return Promise(P25519, 1 << 8 * SIZE, 1, {}, True, True, text)
    step, curve = STEP.search(text), re.search(r"secp\d+r1|brainpoolP\d+r1", name)
    if step and curve:
        p = CURVES[curve[0]].p
        words = int(step[1])
        return Promise(p, p, 1 << 32 * words, {}, False, True, text, words)
    if not found:
        return None
    prime = P25519 if found[1].startswith("2") else CURVES["secp256r1"].p
    below = "registers of 8 words below p, which products divide by 2^256" in text
    kinds = {"products": "mul", "sums": "add", "differences": "sub"}
    limits = {
        kinds[kind]: number(limit)
        for kind, limit in re.findall(
            r"(products|sums|differences) below (2\^\d+(?: \+ 2\^\d+)?)", text
        )
    }
    word = re.search(r"its lowest word, below 2\^26, is what multiplies, to below (.*?)\. ", text)
    if word:
        limits["small"] = number(word[1])
    small = re.search("small|step of X25519", text) and "No small" not in text
    return Promise(
        prime, prime if below else 1 << 8 * SIZE, 1 << 256 if below else 1, limits, bool(small),
        False, text,
    )  # fmt: skip


def programs(said: Promise) -> dict[str, list[Step]]:
    """Those that a routine is proved for."""
    if said.ladder:
        name, file = ("xz_step", "xz_codes") if said.masked else ("ladder_step", "jacobian_codes")
        return {name: list(read(name, f"{file}.inc"))}
    found = {n: list(read(n, file)) for file, some in TABLES[said.prime].items() for n in some}
    found = {n: s for n, s in found.items() if said.small or all(x.op != "SMALL" for x in s)}
    random = Random(said.prime)  # noqa: S311
    ops = [op for op in OPERATIONS if op != "SMALL"]
    numbers = [[i % REGISTERS for i in range(4 * REGISTERS)] for _ in range(3)]
    for some in numbers:
        random.shuffle(some)
    mixed = [Step(ops[i % 3], *place) for i, place in enumerate(zip(*numbers, strict=True))]
    found["all registers"] = [s for s in mixed if (s.op, s.d, s.a, s.b) != ("MUL", 0, 0, 0)]
    found["squares"] = [Step("MUL", i + 1, i, i) for i in range(REGISTERS - 1)]
    return found


def code_of(steps: Sequence[Step]) -> bytes:
    """A table as the compiler makes it, with its end."""
    words = [OPERATIONS[s.op] << 12 | s.d << 8 | s.a << 4 | s.b for s in steps]
    return b"".join(w.to_bytes(2, "little") for w in [*words, 0])


def key(backend: str, name: str) -> str:
    """What a proof depends on beside the code, as a text."""
    said = promise(backend, name)
    return "" if said is None else f"{said._replace(text='')} {programs(said)}"
