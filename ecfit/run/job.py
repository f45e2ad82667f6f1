"""What a runner is asked for, and how it says that a run failed."""

from __future__ import annotations

import msgspec

from ecfit.choices.curves import Curve
from ecfit.choices.targets import Mode, Target
from ecfit.model import DEFAULT_LIMIT, Image
from ecfit.run.cases import Case, make_case, secret_case
from ecfit.sim.machine import RunResult

ARENA_OUT = 256  # firmware/bench_main.c
OVERFLOW = "stack overflow into data"
NOT_FOLLOWED = "not followed"


class Job(msgspec.Struct, frozen=True):
    """What to run: `runs` cases of one operation, made from `seed`;
    `limit` in instructions per call.

    `secrets_only`: the cases differ in what is secret alone; what is public is the input
    of number `public`. `model_rows`: what is changed in the cycle model.
    """

    target: Target
    mode: Mode | None
    curve: Curve
    op: str
    seed: int
    runs: int
    limit: int = DEFAULT_LIMIT
    secrets_only: bool = False
    public: int = 0
    model_rows: tuple[tuple[str, int], ...] = ()

    def case(self, index: int) -> Case:
        """The case of that number."""
        if self.secrets_only:
            return secret_case(self.curve, self.op, self.seed, index, self.public)
        return make_case(self.curve, self.op, self.seed, index)


class FailureError(Exception):
    """A run that did not do what it should: status and detail of its record,
    and what was seen of it until then.
    """

    def __init__(self, status: str, detail: str, seen: RunResult | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.seen = status, detail, seen


def out_at(image: Image, case: Case) -> int:
    """Where the output of a case is written: behind its input, aligned, where that is long."""
    behind = -(-len(case.data) // 8) * 8 if case.out_size else 0
    return image.symbols["bench_arena"] + max(ARENA_OUT, behind)


def function_at(image: Image, address: int) -> str:
    """The name of the function that holds an address, or its hexadecimal form."""
    for function in reversed(image.functions):
        if function.address <= address < function.address + max(function.size, 2):
            return function.name
    return f"0x{address:08x}"
