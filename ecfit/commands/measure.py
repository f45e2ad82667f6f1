"""The command `measure`: cycles, stack and constant-time verdict of a function of any image."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from ecfit.arguments.common import Common
from ecfit.arguments.foreign import chosen_target, expected, question
from ecfit.build.foreign import Program, read_program, returned_bytes
from ecfit.choices.targets import Target
from ecfit.errors import CONSTANT_TIME, OK, WRONG_RESULT
from ecfit.model import LEAK, FunctionRecord, Leak
from ecfit.run.call import UNUSED_VALUE, Call, Outcome, call, place
from ecfit.show.layout import shortened
from ecfit.show.report import Field, table_of
from ecfit.units import grouped, microjoules, milliseconds

MOST_LINES = 20  # of leaks under a table
MOST_CONSTRUCTORS = 3  # to name
LONG = 8  # bytes of a result in two registers


_FIELDS = (
    Field("target", lambda r: r.target, False),
    Field("function", lambda r: r.function, False),
    Field("returns", lambda r: "-" if r.result is None else f"0x{r.result:x}"),
    Field("cycles", lambda r: grouped(r.cycles)),
    Field("min", lambda r: grouped(r.cycles_min), needed=lambda rs: rs[0].runs > 1),
    Field("max", lambda r: grouped(r.cycles_max), needed=lambda rs: rs[0].runs > 1),
    Field("traces", lambda r: grouped(r.trace_hashes), needed=lambda rs: rs[0].runs > 1),
    Field("ms", lambda r: milliseconds(r.time_us)),
    Field("µJ", lambda r: microjoules(r.energy_uj), needed=lambda rs: rs[0].energy_uj is not None),
    Field("stack B", lambda r: grouped(r.stack_bytes)),
    Field("flash B", lambda r: grouped(r.flash_bytes)),
    Field("RAM B", lambda r: grouped(r.static_ram_bytes)),
    Field(
        "constant time",
        lambda r: r.constant_time or ("not asked" if r.status == "ok" else "-"),
        False,
        text=True,
    ),
    Field("class", lambda r: r.error_class or "-", False),
    Field("status", lambda r: r.status, False, lambda rs: rs[0].status != "ok", text=True),
)


def measured(common: Common) -> tuple[FunctionRecord, Call, Outcome, Program]:
    """Calls the function. Errors: UsageError, BuildError."""
    target, asked, wanted = chosen_target(common), question(common), expected(common)
    name = common.values["mode"].lower()
    mode = target.mode(name)
    path = Path(common.values["elf"])
    program = read_program(path, target, asked.names)
    _known(program, asked)
    outcome = call(program, target, mode, asked)
    if outcome.result is not None:
        outcome = _returned(outcome, outcome.result, program, asked.function, wanted)
    record = _record(program, target, name, asked, outcome)
    return msgspec.structs.replace(record, elf=path.name), asked, outcome, program


def command(common: Common) -> int:
    """Calls the function, prints what was seen. Returns the exit code. Errors: UsageError,
    BuildError.
    """
    record, asked, outcome, program = measured(common)
    common.print([record], *table_of(_FIELDS, [record]), _lines(record, asked, outcome, program))
    if outcome.status != "ok":
        sys.stderr.write(
            f"ecfit: {record.elf} on {record.target}: {outcome.status}: {outcome.detail}\n"
        )
        return WRONG_RESULT
    if record.constant_time == LEAK:
        findings = "finding" if record.findings == 1 else "findings"
        what = f"{record.findings} constant-time {findings}"
        what = what if record.findings else "runs with different secrets differ"
        if outcome.leaks and common.format in ("json", "csv"):  # a table names all of them
            first = "" if len(outcome.leaks) == 1 else "the first: "
            what += f": {first}{_place(outcome.leaks[0])}"
        sys.stderr.write(f"ecfit: {record.elf} on {record.target}: {asked.function}: {what}\n")
        return CONSTANT_TIME
    return OK


def _returned(
    outcome: Outcome, low: int, program: Program, function: str, wanted: int | None
) -> Outcome:
    """With a result of 64 bits where debug information says so, or one that is not as wanted. The
    second register is kept where nothing says so, and something has been written to it.
    """
    high, size = outcome.result_high or 0, returned_bytes(program, function)
    both, unused = low | high << 32, f"0x{high:08x}".startswith(UNUSED_VALUE)
    outcome = msgspec.structs.replace(
        outcome,
        result=both if size == LONG else low,
        result_high=None if size is not None or unused else high,
    )
    if wanted is None:
        return outcome
    long = size == LONG or not -(1 << 31) <= wanted < 1 << 32
    returned, mask = (both, (1 << 64) - 1) if long else (low, (1 << 32) - 1)
    if returned == wanted & mask:
        return outcome
    detail = f"{function} returned 0x{returned:x}, not 0x{wanted & mask:x}"
    return msgspec.structs.replace(outcome, status="wrong result", detail=detail)


def _known(program: Program, asked: Call) -> None:
    """Finds names that do not exist before anything runs. Errors: UsageError."""
    for name in (asked.function, *asked.before):
        program.entry(name)
    for argument in asked.arguments:
        if argument.kind == "call" or (
            argument.kind == "symbol" and argument.name not in program.objects
        ):
            program.entry(argument.name)
    for name, _ in (*asked.puts, *asked.shows):
        program.place(name)


def _record(
    program: Program, target: Target, mode_name: str, asked: Call, outcome: Outcome
) -> FunctionRecord:
    mode = target.mode(mode_name)
    cycles = outcome.cycles[0] if outcome.cycles else None  # of the given arguments, as the result
    time_us, energy = target.time_and_energy(cycles)
    traces, verdict = set(outcome.trace_hashes), None
    if outcome.leaks is not None:
        same = len(traces) == 1 and len(set(outcome.cycles)) == 1
        verdict = "ok" if same and not outcome.leaks else LEAK
    return FunctionRecord(
        elf="",
        elf_sha256=program.image.key,
        function=asked.function,
        arguments=" ".join(argument.text for argument in asked.arguments),
        target=target.name,
        core=target.core,
        mode=mode_name,
        seed=asked.seed,
        runs=asked.runs,
        status=outcome.status,
        detail=outcome.detail,
        result=outcome.result,
        result_high=outcome.result_high,
        cycles=cycles,
        cycles_min=min(outcome.cycles, default=None),
        cycles_max=max(outcome.cycles, default=None),
        instructions=outcome.instructions[0] if outcome.instructions else None,
        time_us=time_us,
        energy_uj=energy,
        stack_bytes=outcome.stack_bytes,
        static_ram_bytes=program.static_ram_bytes,
        flash_bytes=program.flash_bytes,
        trace_hash=next(iter(traces)) if len(traces) == 1 else None,
        trace_hashes=len(traces) or None,
        constant_time=verdict,
        findings=None if outcome.leaks is None else len(outcome.leaks),
        leaks="; ".join(map(_place, outcome.leaks)) if outcome.leaks else None,
        outputs="; ".join(f"{n}={data.hex()}" for n, data in outcome.outputs.items()) or None,
        error_class=target.time_class(mode) if mode and outcome.status == "ok" else None,
    )


def _place(leak: Leak) -> str:
    where = place(leak.function, leak.source)
    return f"{leak.kind} by {' and '.join(leak.secret)} at 0x{leak.address:x} in {where}"


def _lines(record: FunctionRecord, asked: Call, outcome: Outcome, program: Program) -> list[str]:
    """What stands under the table."""
    lines = [f"{record.function}({shortened([argument.text for argument in asked.arguments])})"]
    lines += [f"{name}: {data.hex()}" for name, data in outcome.outputs.items()]
    leaks = outcome.leaks or ()
    lines += [f"leak: {_place(leak)}, {_times(leak.count)}" for leak in leaks[:MOST_LINES]]
    if len(leaks) > MOST_LINES:
        lines.append(f"and {len(leaks) - MOST_LINES} leaks more (--format json has all)")
    if outcome.leaks is None and outcome.status == "ok":
        lines.append("constant time: nothing is marked as secret (--arg secret:HEX)")
    if record.result_high is not None:
        both = (record.result or 0) | record.result_high << 32
        lines.append(f"if it returns 64 bits: 0x{both:x}")
    if (constructors := program.constructors) and not asked.before:
        named = [f"--before {name}" for name in constructors[:MOST_CONSTRUCTORS]]
        named += [".."] if len(constructors) > MOST_CONSTRUCTORS else []
        how = " ".join(named) if program.linked else "--before __libc_init_array"
        lines.append(
            f"start-up has not run: {len(constructors)} constructors of .init_array were not "
            f"called ({how})"
        )
    if not program.debug:
        lines.append("no source lines: gcc's linker cannot read this debug data (-gdwarf-4 it can)")
    of = f"{record.function} and what it needs" if program.linked else "the whole firmware"
    lines.append(f"flash, RAM: {of}; RAM without stack and heap")
    return lines


def _times(count: int) -> str:
    return "once" if count == 1 else f"{grouped(count)} times"
