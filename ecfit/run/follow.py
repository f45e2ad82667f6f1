"""Secrets followed through calls of an operation: several in a row, inputs that must be refused,
and a generator that fails.

What a call leaves in memory stays secret in the next: a key in static RAM, a task that was begun.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ecfit.build.parts import set_up_point
from ecfit.model import Image, Observation
from ecfit.run import leaks
from ecfit.run.cases import OPS_WITH_SECRETS, Case
from ecfit.run.job import FailureError, Job
from ecfit.run.runner import HEAP, call, checked, drawn, loaded
from ecfit.sim.machine import Finding, Machine, RunResult, SimError

MOST_FAILURES = 8  # calls with a generator that fails: at its last draws, and at the first
_PATIENCE = 4, 1_000_000  # instructions of a call that must fail: times those of a good one, more


def follow(image: Image, job: Job, inputs: int) -> Observation:
    """Follows the secrets of an operation with each of so many public inputs, one call
    after the other, other operations of the image in between (:func:`_order`); after the first
    one also with a generator that fails, and with what must be refused.

    The image is one that was built for it. What was found before a run failed, and in it,
    is in the observation.
    """
    row, failure = _Row(image), FailureError("ok", "")
    try:
        with loaded(image, job) as machine:
            machine.functions([function.address for function in image.functions])
            leaks.declare_public(machine, image, job.target.arch)
            for position, (op, number) in enumerate(_order(image, job.op, inputs)):
                part = msgspec.structs.replace(job, op=op, public=number - 1)
                case = part.case(position)
                good = row.call(machine, part, case, number)
                if position == 0:
                    times, more = _PATIENCE
                    most = min(job.limit, times * good.instructions + more)
                    part = msgspec.structs.replace(part, limit=most)
                    failure = _failing(row, machine, part, case) or failure
                    failure = _refused(row, machine, part, case) or failure
    except FailureError as error:
        failure = error
    except SimError as error:
        failure = FailureError("fault: image refused", str(error))
    return Observation(
        failure.status,
        failure.detail or None,
        leaks=leaks.named(image, row.found),
        declared=leaks.named(image, row.declared),
        accepted=tuple(row.accepted),
    )


def _order(image: Image, op: str, inputs: int) -> Iterator[tuple[str, int]]:
    """Calls in a row, each with the number of its public input: the operation twice, then each
    operation that stands before it in OPS_WITH_SECRETS, which the image may have, followed
    by the operation. So the rows of all operations have each after each.
    """
    before = OPS_WITH_SECRETS[: OPS_WITH_SECRETS.index(op)]
    others = [earlier for earlier in before if f"bench_{earlier}" in image.symbols]
    for turn in range(max(inputs, 2 + len(others))):
        if 2 <= turn < 2 + len(others):
            yield others[turn - 2], 1
        yield op, turn % inputs + 1


class _Row:
    """Calls in a row, the first of them from reset, and what was found in them."""

    def __init__(self, image: Image) -> None:
        self.image, self.begun, self.op = image, False, ""
        self.found: list[leaks.Seen] = []
        self.declared: list[leaks.Seen] = []
        self.accepted: list[str] = []
        # What is set up on the heap for one operation is not given back before the next.
        points = map(set_up_point, OPS_WITH_SECRETS)
        self.alone = HEAP in image.symbols and any(point in image.symbols for point in points)

    def call(
        self, machine: Machine, job: Job, case: Case, number: int, during: str | None = None
    ) -> RunResult:
        """A call with the public input of that number; `during`: what is out of the ordinary
        in it: else its result must be right.

        Of the operations in between only what depends on an earlier call is new.
        Errors: FailureError; the next call then begins from reset.
        """
        self.op = self.op or job.op
        again, self.begun = self.begun and not self.alone, False
        try:
            called = call(machine, self.image, job, case, "taint", again=again)
            if during is None:
                checked(machine, self.image, job, case, called)
            self.begun = True
        except FailureError as error:
            if error.seen:
                self._saw(error.seen, job, number, during)
            error.detail = f"with {during}: {error.detail}" if during else error.detail
            raise
        for result in filter(None, called):
            self._saw(result, job, number, during)
        return called.result

    def _saw(self, result: RunResult, job: Job, number: int, during: str | None) -> None:
        def new(findings: tuple[Finding, ...]) -> leaks.Seen:
            own = job.op == self.op
            kept = tuple(finding for finding in findings if own or finding.labels & leaks.EARLIER)
            return leaks.Seen(kept, number, during)

        self.found.append(new(result.findings))
        self.declared.append(new(result.declared))


def _failing(row: _Row, machine: Machine, job: Job, case: Case) -> FailureError | None:
    """Calls with a generator that fails at the last draw of a good call, at the one before,
    and so on, and at the first one. What went wrong last.
    """
    failure, size = None, drawn(machine, row.image, case)
    for left in range(MOST_FAILURES, 0, -1):
        if size == 0:
            break
        fewer = msgspec.structs.replace(case, pool=case.pool[: size - 1 if left > 1 else 0])
        during = "a generator that fails"
        try:
            result = row.call(machine, job, fewer, 1, during)
            if result.result == 0:
                row.accepted.append(f"{during} after {drawn(machine, row.image, fewer)} bytes")
        except FailureError as error:
            failure = error
        size = drawn(machine, row.image, fewer)
    return failure


def _refused(row: _Row, machine: Machine, job: Job, case: Case) -> FailureError | None:
    """Calls with what must be refused. What went wrong last."""
    failure = None
    for refused in case.refused:
        changed = msgspec.structs.replace(case, data=refused.data)
        try:
            result = row.call(machine, job, changed, 1, refused.what)
        except FailureError as error:
            failure = error
            continue
        if result.result == 0 and refused.must:
            failure = FailureError("wrong result", f"{job.op} accepts {refused.what}")
        elif result.result == 0:
            row.accepted.append(refused.what)
    return failure
