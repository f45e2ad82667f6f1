"""Runs the operations of an image on an emulated core: QEMU in a process of its own, which counts
instructions and no cycles.

QEMU runs with `-icount shift=0`: one instruction is one nanosecond, and nothing else passes time.
The image does all cases in one run (firmware/lx106/startup.c), each as after a reset.
"""

from __future__ import annotations

import struct
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from ecfit.build.parts import prepare_point, set_up_point
from ecfit.errors import MissingToolError
from ecfit.model import Image, Observation
from ecfit.run import emulator
from ecfit.run.cases import Case, complaint
from ecfit.run.job import OVERFLOW, FailureError, Job, function_at, out_at

QEMU, PACKAGE = emulator.EMULATORS["xtensa"][:2]
OPTIONS = (
    *("-M", "sim", "-cpu", "lx106", "-icount", "shift=0", "-semihosting"),
    *("-display", "none", "-serial", "none", "-monitor", "none"),
)
TICK = 25  # instructions of a tick of the core's timer, which ends a call that is too long
SECONDS = 300  # for one call: the timer ends it long before
RETURNED, TRAP, NO_MEMORY, LIMIT = 1, 2, 3, 4  # stops of startup.c
CAUSES = {
    0: "undefined instruction",
    9: "unaligned access",
    14: "fetch outside memory",
    15: "access outside memory",
}  # of exceptions, by the core's number


class Answer(NamedTuple):
    """A struct answer of startup.c, and the output."""

    stop: int
    result: int
    instructions: int
    stack_low: int
    heap_most: int
    heap_extent: int
    pc: int
    cause: int
    address: int
    out: bytes


_ANSWER = struct.Struct(f"<{len(Answer._fields) - 1}I")


def check_installed() -> None:
    """Errors: MissingToolError."""
    emulator.check_installed("xtensa")


@cache
def version() -> str:
    """What QEMU says of itself. Errors: MissingToolError."""
    check_installed()
    try:
        printed = subprocess.run([QEMU, "--version"], capture_output=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise MissingToolError(f"{QEMU} does not run: {error}") from None
    return printed.stdout.decode(errors="replace").partition("\n")[0]


def run(image: Image, job: Job) -> Observation:
    """Runs the cases of a job, and with the first one what it has to refuse.
    Errors: FailureError, MissingToolError.
    """
    cases = [job.case(index) for index in range(job.runs)]
    refused = () if job.secrets_only else cases[0].refused
    others = [msgspec.structs.replace(cases[0], data=refusal.data) for refusal in refused]
    returned = answers(image, job, [*cases, *others])
    for case, answer in zip(cases, returned, strict=False):
        if wrong := complaint(job.curve, case, answer.result, answer.out):
            raise FailureError("wrong result", wrong)
    for refusal, answer in zip(refused, returned[len(cases) :], strict=True):
        if answer.result == 0:
            raise FailureError("wrong result", f"{job.op} accepts {refusal.what}")
    counted = returned[: len(cases)]
    lowest = min(answer.stack_low for answer in counted)
    return Observation(
        instructions=tuple(answer.instructions for answer in counted),
        stack_bytes=image.symbols["image_stack_top"] - lowest,
        heap_bytes=max(answer.heap_most for answer in counted),
    )


def answers(image: Image, job: Job, cases: Sequence[Case]) -> list[Answer]:
    """One of each case. Errors: FailureError where a call does not return as it should."""
    output = _emulate(image, [_order(image, job, case) for case in cases])
    parsed, at = list[Answer](), 0
    for case in cases:
        end = at + _ANSWER.size + case.out_size
        if len(output) < end:
            raise FailureError("fault: emulator", f"{job.op}: {QEMU} ended without an answer")
        out = output[at + _ANSWER.size : end]
        parsed.append(Answer._make((*_ANSWER.unpack_from(output, at), out)))
        _expect(image, job, parsed[-1])
        at = end
    return parsed


def _order(image: Image, job: Job, case: Case) -> bytes:
    """A struct order of startup.c, with input and random bytes."""
    own, adapters = prepare_point(job.curve.name), set_up_point(job.op)
    name = next((name for name in (own, adapters) if name in image.symbols), "")
    return struct.pack(
        "<9I",
        image.symbols.get(name, 0),
        name == adapters,
        adapters in image.symbols,
        image.symbols[f"bench_{job.op}"],
        out_at(image, case),
        case.out_size,
        max(1, min(job.limit // TICK, 2**32 - 1)),
        len(case.data),
        len(case.pool),
    ) + b"".join(part + bytes(-len(part) % 4) for part in (case.data, case.pool))


def _emulate(image: Image, orders: Sequence[bytes]) -> bytes:
    """What the image says. Errors: FailureError."""
    pieces = [(piece.address, piece.data) for piece in image.segments]
    first = len(orders).to_bytes(4, "little")
    pieces.append((image.symbols["image_orders"], b"".join((first, *orders))))
    with tempfile.TemporaryDirectory(prefix="ecfit-") as folder:
        command = [QEMU, *OPTIONS]
        for number, (address, data) in enumerate(pieces):
            path = Path(folder) / str(number)
            path.write_bytes(data)
            command += ["-device", f"loader,file={path},addr={address:#x},force-raw=on"]
        try:
            done = subprocess.run(
                emulator.ends_with_us(command),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS * len(orders),
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            raise FailureError("endless loop", f"did not end within {late.timeout:g} s") from None
    if done.returncode:
        messages = done.stderr.decode(errors="replace").strip().splitlines()
        why = messages[0] if messages else f"exit code {done.returncode}"
        raise FailureError("fault: emulator", f"{QEMU} ended: {why}")
    return done.stdout


def _expect(image: Image, job: Job, answer: Answer) -> None:
    """Errors: FailureError, unless the call returned, and its stack met nothing."""
    if answer.stop == LIMIT:
        detail = f"{job.op} did not end within {job.limit} instructions (--limit)"
        raise FailureError("endless loop", detail)
    heap = -(-image.symbols["image_stack_limit"] // 8) * 8  # where it begins: bench_main.c
    if answer.stack_low <= heap + answer.heap_extent:
        raise FailureError(OVERFLOW, f"{job.op} needs more stack than {job.target.name} has")
    if answer.stop == NO_MEMORY:
        detail = f"{job.op} asks for more memory than there is beside its stack"
        raise FailureError("out of memory", detail)
    if answer.stop != RETURNED:
        kind = CAUSES.get(answer.cause, f"exception {answer.cause}")
        where = f"at 0x{answer.address:08x} in {function_at(image, answer.pc)}"
        raise FailureError(f"fault: {kind}", f"{job.op}: {kind} {where}")
