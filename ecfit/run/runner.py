"""Runs an operation of an image and returns the counts. Three runners behind one function:
sim, host and qemu.

Every run starts from reset with RAM filled with one pattern,
so that it depends on its own input only.
"""

from __future__ import annotations

import struct
from typing import Literal, NamedTuple

import msgspec

from ecfit.build.parts import prepare_point, set_up_point
from ecfit.choices.targets import NOT_ON_CHIP, Target
from ecfit.model import Image, Observation
from ecfit.run.basis import cycle_model, flash_timing
from ecfit.run.cases import POOL_BYTES, Case, complaint, secret_parts
from ecfit.run.job import OVERFLOW, FailureError, Job, function_at, out_at
from ecfit.sim.machine import Machine, Region, RunResult, SimError

HARNESS_BYTES = 2048  # more than its buffers and the data of an adapter
RAM_PATTERN = b"\xa5"
HEAP, HEAP_BYTES = "bench_heap", 12  # bytes given out now and at most, bytes of RAM taken
START_LIMIT = 10_000_000  # instructions from reset to the harness
READY, RETURNED, NO_MEMORY = 0, 1, 3  # BKPT numbers of the harness
Observe = Literal["counts", "profile", "taint"]  # what of a call; all have counts
Of = Literal["counts", "profile", "accepted"]  # what of a job


def run(image: Image, job: Job, observe: Of = "counts") -> Observation:
    """Runs a job. A fault, an endless loop or a wrong result is an observation, not an error.

    Profile is of the first case, and of the simulator only.
    What a case has to refuse is run with the first one, unless `observe` is "accepted".
    """
    try:
        if job.target.runner == "host":
            return _run_host(image, job)
        if job.target.runner == "qemu":
            from ecfit.run import emulated

            return emulated.run(image, job)
        return _run_sim(image, job, observe)
    except FailureError as failure:
        return Observation(failure.status, failure.detail)
    except SimError as error:
        return Observation("fault: image refused", str(error))


def refuse(image: Image, job: Job) -> Observation:
    """Runs what the first case of a job has to refuse, by the simulator; without counts."""
    try:
        _refuse(image, job, job.case(0))
    except FailureError as failure:
        return Observation(failure.status, failure.detail)
    return Observation()


def _refuse(image: Image, job: Job, case: Case) -> None:
    """On a machine of its own, whose flash answers at once: no count of it is kept, and it runs
    two to five times as fast. Errors: FailureError where something is accepted.
    """
    if not case.refused:
        return
    untimed = msgspec.structs.replace(job, mode=None)
    with loaded(image, untimed) as machine:
        for refused in case.refused:
            changed = msgspec.structs.replace(case, data=refused.data)
            if call(machine, image, untimed, changed, "counts").result.result == 0:
                raise FailureError("wrong result", f"{job.op} accepts {refused.what}")


class Called(NamedTuple):
    """An operation, and what was set up once before it, where something was: counted apart."""

    result: RunResult
    prepared: RunResult | None


def checked(machine: Machine, image: Image, job: Job, case: Case, called: Called) -> Called:
    """A call whose result is right. Errors: FailureError."""
    out = machine.read(out_at(image, case), case.out_size) if case.out_size else b""
    wrong = complaint(job.curve, case, called.result.result, out)
    if wrong:
        raise FailureError("wrong result", wrong, called.result)
    return called


def _run_sim(image: Image, job: Job, observe: Of) -> Observation:
    of_call: Observe = "profile" if observe == "profile" else "counts"
    counted: list[RunResult] = []
    heap, lowest = 0, image.symbols["image_stack_top"]
    prepared: RunResult | None = None
    with loaded(image, job) as machine:
        if of_call == "profile":
            machine.functions([function.address for function in image.functions])
        for index in range(job.runs):
            case = job.case(index)
            called = call(machine, image, job, case, "counts" if index else of_call)
            result, prepared = checked(machine, image, job, case, called)
            lowest = min(lowest, result.stack_low, prepared.stack_low if prepared else lowest)
            counted.append(result)
            heap = max(heap, _heap(machine, image)[1])
    if not job.secrets_only and observe != "accepted":
        _refuse(image, job, job.case(0))
    return Observation(
        cycles=tuple(result.cycles for result in counted),
        instructions=tuple(result.instructions for result in counted),
        trace_hashes=tuple(result.trace_hash for result in counted),
        prepare_cycles=prepared.cycles if prepared else None,
        stack_bytes=image.symbols["image_stack_top"] - lowest,
        heap_bytes=heap,
        profile=_named_profile(image, counted) if observe == "profile" else {},
    )


def loaded(image: Image, job: Job) -> Machine:
    regions = [Region(m.name, m.start, m.size, m.kind, m.latency) for m in job.target.memory]
    model = cycle_model(job.target, job.model_rows)
    machine = Machine(model, regions, flash_timing(job.mode))
    try:
        for segment in image.segments:
            machine.load(segment.address, segment.data)
    except SimError:
        machine.close()
        raise
    return machine


def call(
    machine: Machine,
    image: Image,
    job: Job,
    case: Case,
    observe: Observe,
    *,
    again: bool = False,
) -> Called:
    """From reset to the end of the operation; `again`: from the end of another one instead.
    Errors: FailureError when it does not end as it should.
    """
    try:
        return _call(machine, image, job, case, observe, again=again)
    except FailureError as failure:
        low = failure.seen.stack_low if failure.seen else image.symbols["image_stack_top"]
        if low >= image.symbols["image_stack_limit"]:
            raise
        if message := _too_little_ram(image, job, case):
            failure.status, failure.detail = OVERFLOW, message
        raise


def _too_little_ram(image: Image, job: Job, case: Case) -> str | None:
    """What an operation needs of the RAM, by a run whose stack is where the chip has none.
    None where the target has no such place, or the run fails there, too.
    """
    beside = next((m for m in job.target.memory if m.name == NOT_ON_CHIP), None)
    if beside is None:
        return None
    ram = job.target.region("ram")
    top = image.symbols["image_stack_top"] - (ram.start + ram.size) + beside.start + beside.size
    limit = beside.start + HARNESS_BYTES
    symbols = {**image.symbols, "image_stack_top": top, "image_stack_limit": limit}
    roomy = msgspec.structs.replace(image, symbols=symbols)
    try:
        with loaded(roomy, job) as machine:
            result, prepared = _call(machine, roomy, job, case, "counts", again=False)
    except FailureError:
        return None
    stack = top - min(result.stack_low, prepared.stack_low if prepared else top)
    data, zeroed = image.sections[".data"], image.sections[".bss"]
    return (
        f"{job.op}: {data:,} + {zeroed:,} + {stack:,} B do not fit {ram.size:,} B of RAM: "
        "data with constants, zeroed data, stack"
    )


def _call(
    machine: Machine, image: Image, job: Job, case: Case, observe: Observe, *, again: bool
) -> Called:
    symbols, target = image.symbols, job.target
    if not again:
        _start(machine, image, target)
    prepared = _prepare(machine, image, job, case, observe, again=again)
    if prepared and prepared.result != 0 and set_up_point(job.op) in symbols:
        return Called(prepared, None)  # what cannot be set up is refused
    _hand_over(machine, image, job, case, observe, again=again or prepared is not None)
    result = machine.call(
        symbols[f"bench_{job.op}"],
        (out_at(image, case), symbols["bench_arena"]),
        sp=symbols["image_stack_top"],
        return_to=symbols["bench_return"],
        limit=job.limit,
        profile=observe == "profile",
        taint=observe == "taint",
    )
    low = min(result.stack_low, prepared.stack_low if prepared else result.stack_low)
    limit = symbols["image_stack_limit"]
    lost = result.fault is not None or result.stop == "limit"
    if low >= limit or not lost:  # else the heap's size may have been overwritten
        expect(result, RETURNED, image, job.op)
        limit += _heap(machine, image)[2]
    if low < limit:
        detail = f"{job.op} needs {limit - low} bytes of stack more than {target.name} has"
        raise FailureError(OVERFLOW, detail, result)
    return Called(result, prepared)


def _start(machine: Machine, image: Image, target: Target) -> None:
    """From reset to the harness. Errors: FailureError."""
    for memory in target.memory:
        if memory.kind == "ram":
            machine.write(memory.start, RAM_PATTERN * memory.size)
    ready = machine.reset(target.region("flash").start, limit=START_LIMIT)
    expect(ready, READY, image, "start-up")
    if HEAP in image.symbols:
        machine.write(image.symbols[HEAP], bytes(HEAP_BYTES))


def _hand_over(
    machine: Machine, image: Image, job: Job, case: Case, observe: Observe, *, again: bool
) -> None:
    """Input and random bytes of an operation: the last ones of the pool, which may be few.
    What is secret of them is marked where secrets are followed (:func:`leaks.mark`).
    """
    used = POOL_BYTES - len(case.pool)
    machine.write(image.symbols["bench_arena"], case.data)
    machine.write(image.symbols["bench_pool"] + used, case.pool)
    machine.write(image.symbols["bench_pool_used"], used.to_bytes(4, "little"))
    if observe == "taint":
        from ecfit.run import leaks

        memory = [(m.start, m.size) for m in job.target.memory if m.kind == "ram"]
        leaks.mark(
            machine, image, memory, secret_parts(job.curve, job.op), len(case.data), again=again
        )


def drawn(machine: Machine, image: Image, case: Case) -> int:
    """How many random bytes an operation has been given."""
    used = int.from_bytes(machine.read(image.symbols["bench_pool_used"], 4), "little")
    return used - (POOL_BYTES - len(case.pool))


def _prepare(
    machine: Machine, image: Image, job: Job, case: Case, observe: Observe, *, again: bool
) -> RunResult | None:
    """What is set up before the first operation: the table in RAM of a configuration of ours
    that has one, or what an adapter keeps (bench_prepare_<op>), which is set up for each call.
    It is followed as the operation is, to which its secrets are those of an earlier call.
    """
    own, adapters = prepare_point(job.curve.name), set_up_point(job.op)
    names = (adapters,) if again else (own, adapters)
    name = next((name for name in names if name in image.symbols), None)
    if name is None:
        return None
    _hand_over(machine, image, job, case, observe, again=again)
    result = machine.call(
        image.symbols[name],
        () if name == own else (image.symbols["bench_arena"],),
        sp=image.symbols["image_stack_top"],
        return_to=image.symbols["bench_return"],
        limit=job.limit,
        taint=observe == "taint",
    )
    expect(result, RETURNED, image, "prepare")
    return result


def _heap(machine: Machine, image: Image) -> tuple[int, ...]:
    """The heap in use now, the most in use at one time, and its RAM, in bytes. Zeros if an image
    has none.
    """
    data = (
        machine.read(image.symbols[HEAP], HEAP_BYTES)
        if HEAP in image.symbols
        else bytes(HEAP_BYTES)
    )
    return struct.unpack("<3I", data)


def expect(result: RunResult, bkpt: int, image: Image, what: str) -> None:
    if result.stop == "limit":
        detail = f"{what} did not end within {result.instructions} instructions (--limit)"
        raise FailureError("endless loop", detail, result)
    if result.fault is not None:
        where = function_at(image, result.fault.pc)
        detail = f"{what}: {result.fault} in {where}"
        raise FailureError(f"fault: {result.fault.kind}", detail, result)
    if result.bkpt == NO_MEMORY:
        detail = f"{what} asks for more memory than there is beside its stack"
        raise FailureError("out of memory", detail, result)
    if result.bkpt != bkpt:
        detail = f"{what} ended in BKPT #{result.bkpt}, an exception or a trap"
        raise FailureError("fault: exception", detail, result)


def _named_profile(image: Image, results: list[RunResult]) -> dict[tuple[str, ...], int]:
    """Cycles of the first run by call stack of names."""
    total: dict[tuple[str, ...], int] = {}
    for addresses, cycles in results[0].profile:
        names = tuple(function_at(image, address) for address in addresses)
        total[names] = total.get(names, 0) + cycles
    return total


def _run_host(image: Image, job: Job) -> Observation:
    from ecfit.run import hostlib

    cases = [job.case(index) for index in range(job.runs)]
    try:
        outcomes = hostlib.run(image.segments[0].data, job.op, cases)
    except hostlib.HostError as error:
        raise FailureError(error.status, f"{job.op}: {error}") from None
    for case, outcome in zip(cases, outcomes, strict=True):
        wrong = complaint(job.curve, case, outcome.status, outcome.out)
        accepted = [
            refusal.what
            for refusal, status in zip(case.refused, outcome.refused, strict=True)
            if status == 0
        ]
        if wrong or accepted:
            raise FailureError("wrong result", wrong or f"{job.op} accepts {accepted[0]}")
    heap = max(
        (outcome.heap_bytes for outcome in outcomes if outcome.heap_bytes is not None), default=None
    )
    return Observation(
        times_us=tuple(outcome.time_us for outcome in outcomes),
        time_spread=max(outcome.spread for outcome in outcomes),
        heap_bytes=heap,
        version=outcomes[0].version,
    )
