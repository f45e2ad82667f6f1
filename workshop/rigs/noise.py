"""Random bytes as code on every core, watched in every way: each run must end in a documented way,
and in counts that do not depend on how it was watched.

    python workshop/rigs/noise.py [N] [SEED]    N runs on each core (default 200)

Prints one line and exits 0, or raises. sim/fuzz/instructions.c does the same with libFuzzer.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

from ecfit.sim.machine import (
    CycleModel,
    FlashTiming,
    Machine,
    Region,
    RunResult,
    load_model,
    model_names,
)
from workshop.sim.build import RAM

SIZE = 0x400
MEMORY = (Region("flash", 0, SIZE, "flash"), Region("ram", RAM, SIZE, "ram"))
LIMIT = 500  # instructions of a run
_TIMINGS = (
    None,
    FlashTiming(3),
    FlashTiming(2, 128),
    FlashTiming(4, 64, instruction_lines=4, prefetch_lines=1),
)
_MOST = 300  # cycles of one instruction: a row with 32 registers, and waits


def _near(rng: random.Random) -> int:
    """An address in or beside one of the memories, aligned or not,
    with the Thumb bit or without.
    """
    return (rng.choice((0, RAM)) + rng.randrange(-8, SIZE + 8)) % 2**32


def _setting(rng: random.Random) -> tuple[dict[int, int], int]:
    """Registers, and where to begin."""
    registers = {i: _near(rng) if rng.random() < 0.6 else rng.getrandbits(32) for i in range(32)}
    return registers, (rng.choice((0, RAM)) + 2 * rng.randrange(SIZE // 2)) | (rng.random() < 0.9)


def _counts(result: RunResult, machine: Machine) -> tuple[object, ...]:
    memory = machine.read(0, SIZE), machine.read(RAM, SIZE)
    counted = (
        result.instructions,
        result.cycles,
        result.cycles_min,
        result.stack_low,
        result.trace_hash,
    )
    return (
        result.stop,
        result.bkpt,
        result.fault,
        counted,
        [machine.register(i) for i in range(64)],
        memory,
    )


def _check(result: RunResult) -> None:
    assert result.instructions <= LIMIT
    assert (
        result.cycles_min <= result.cycles <= (result.instructions + 1) * _MOST
    )  # + 1: a faulting one's fetch waits
    assert (result.stop == "fault") == (result.fault is not None)
    assert (result.stop == "bkpt") == (result.bkpt is not None)
    assert result.stop != "limit" or result.instructions == LIMIT
    if result.fault is not None:
        assert not result.fault.kind.startswith(("unknown", "none"))


def runs(model: CycleModel, count: int, seed: int) -> Iterator[str]:
    """How each run ended: the kind of fault, or bkpt, or limit."""
    rng = random.Random(seed)
    is_arm = model.isa != "rv32"
    with ExitStack() as stack:
        machines = [
            tuple(stack.enter_context(Machine(model, MEMORY, timing)) for _ in range(2))
            for timing in _TIMINGS
        ]
        for _ in range(count):
            plain, watched = rng.choice(machines)
            (registers, start), flash, ram = _setting(rng), rng.randbytes(SIZE), rng.randbytes(SIZE)
            start = start if is_arm else start & ~1
            taint, secret = rng.random() < 0.5, rng.randrange(SIZE)
            seen = []
            for machine in (plain, watched):
                machine.load(0, flash)
                machine.write(RAM, ram)
                for index, value in registers.items():
                    machine.set_register(index, value)
                machine.secret(RAM, SIZE, 0)
                machine.secret(RAM + secret, SIZE - secret, 1)
                on = machine is watched
                result = machine.run(start, limit=LIMIT, profile=on, taint=on and taint)
                _check(result)
                seen.append(_counts(result, machine))
            assert seen[0] == seen[1], (model.name, seed, seen)
            yield result.fault.kind if result.fault else result.stop


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    ends = Counter(end for name in model_names() for end in runs(load_model(name), count, seed))
    print(
        f"noise: {ends.total()} runs (seed {seed}), {len(ends)} kinds of end, "
        f"most often {ends.most_common(1)[0][0]}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
