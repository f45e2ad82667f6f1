"""Operations in pieces through ctypes: a task of any curve of a library of lib_curves."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from functools import cache

from workshop.library.curves import Bound, Rng

MORE, MISUSE = 5, 6
Outcome = tuple[int, bytes]  # status, all outputs


@cache
def _wall() -> tuple[mmap.mmap, int]:
    """A page of memory and the address of its end, behind which nobody may read or write."""
    pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    end = ctypes.addressof(ctypes.c_char.from_buffer(pages)) + mmap.PAGESIZE
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(end), ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    return pages, end


def at_the_wall(data: bytes) -> ctypes.Array[ctypes.c_char]:
    """A copy that ends where nobody may read or write. The next call takes its place."""
    memory = (ctypes.c_char * len(data)).from_address(_wall()[1] - len(data))
    memory.raw = data
    return memory


class Task:
    """ecfit_<curve>_task and its functions; `counter()` is read around each call,
    `costs` are the differences.
    """

    def __init__(self, bound: Bound, counter: Callable[[], int] = lambda: 0) -> None:
        self.bound, self.counter = bound, counter
        self.size = 8 * (15 * ((bound.field + 7) // 8) + 30)  # ECFIT_TASK_BLOCKS
        self.memory = ctypes.create_string_buffer(bytes(self.size) + b"\xa7" * 16, self.size + 16)
        self.costs: list[int] = []

    def call(self, verb: str, *arguments: object) -> int:
        """A function of the curve; no byte behind the task may change."""
        before = self.counter()
        status = int(getattr(self.bound.lib, f"ecfit_{self.bound.curve.name}_{verb}")(*arguments))
        self.costs.append(self.counter() - before)
        assert self.memory.raw[self.size :] == b"\xa7" * 16
        return status

    @property
    def is_zero(self) -> bool:
        """Nothing is left in it."""
        return not any(self.memory.raw[: self.size])

    def start(self, op: str, *arguments: object, rng: Rng | None = None) -> int:
        """Begins an operation."""
        source = () if op == "ecdsa_verify" else (None if rng is None else ctypes.byref(rng),)
        return self.call(f"{op}_start", self.memory, *arguments, *source)

    def step(self, units: int) -> int:
        """Some units of work."""
        return self.call("step", self.memory, ctypes.c_uint(units))

    def outputs(self, op: str) -> list[ctypes.Array[ctypes.c_char]]:
        """Buffers for what an operation gives."""
        field, order = self.bound.field, self.bound.order
        sizes = {
            "keygen": [1 + 2 * field, order],
            "ecdh": [field],
            "ecdsa_sign": [2 * order],
            "ecdsa_verify": [],
        }[op]
        return [ctypes.create_string_buffer(b"\xa5" * size, size) for size in sizes]

    def run_in(self, op: str, *arguments: object, rng: Rng | None = None) -> Outcome:
        """A whole operation by the function that takes the task as a work area."""
        outs = self.outputs(op)
        source = () if op == "ecdsa_verify" else (None if rng is None else ctypes.byref(rng),)
        status = self.call(f"{op}_in", *outs, *arguments, *source, self.memory)
        assert self.is_zero
        return status, b"".join(out.raw for out in outs)

    def finish(self, op: str) -> Outcome:
        """Ends it: status and outputs."""
        outs = self.outputs(op)
        status = self.call(f"{op}_finish", *outs, self.memory)
        return status, b"".join(out.raw for out in outs)

    def run(self, op: str, *arguments: object, rng: Rng | None = None, units: int = 1) -> Outcome:
        """A whole operation."""
        status = self.start(op, *arguments, rng=rng)
        while status == MORE:
            status = self.step(units)
        left = self.size - self.memory.raw[: self.size].count(0)
        assert status == 0 or left <= 4 + 3, (
            "of what failed, the tag, the operation, the stage and the status are left"
        )
        outcome = self.finish(op)
        assert outcome[0] == status
        assert status == 0 or not any(outcome[1])
        assert self.is_zero
        return outcome
