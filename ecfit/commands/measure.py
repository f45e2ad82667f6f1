"""The command `measure`: cycles, stack and constant-time verdict of a function of any image."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from ecfit.arguments.common import Common
from ecfit.arguments.foreign import chosen_target, expected, question
from ecfit.build.foreign import Program, read_program
from ecfit.choices.targets import Target
from ecfit.errors import CONSTANT_TIME, OK, WRONG_RESULT
from ecfit.measure.derive import time_and_energy
from ecfit.model import LEAK, FunctionRecord, Leak
from ecfit.run.call import Call, Outcome, call, place
from ecfit.show.layout import shortened
from ecfit.show.report import Field, table_of
from ecfit.units import grouped, median_int, microjoules, milliseconds

MOST_LINES = 20  # of leaks under a table


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


def command(common: Common) -> int:
    """Calls the function, prints what was seen. Returns the exit code. Errors: UsageError,
    BuildError.
    """
    target, asked, wanted = chosen_target(common), question(common), expected(common)
    name = common.values["mode"].lower()
    mode = target.mode(name)
    path = Path(common.values["elf"])
    program = read_program(path, target, asked.names)
    _known(program, asked)
    seen = call(program, target, mode, asked)
    if seen.status == "ok" and wanted is not None and seen.result != wanted:
        told = f"{asked.function} returned 0x{seen.result:x}, not 0x{wanted:x}"
        seen = msgspec.structs.replace(seen, status="wrong result", detail=told)
    record = _record(program, target, name, asked, seen)
    record = msgspec.structs.replace(record, elf=path.name)
    common.print([record], *table_of(_FIELDS, [record]), _lines(record, asked, seen, program))
    if seen.status != "ok":
        sys.stderr.write(f"ecfit: {path.name} on {target.name}: {seen.status}: {seen.detail}\n")
        return WRONG_RESULT
    if record.constant_time == LEAK:
        findings = "finding" if record.findings == 1 else "findings"
        what = f"{record.findings} constant-time {findings}"
        what = what if record.findings else "runs with different secrets differ"
        if seen.leaks and common.format in ("json", "csv"):  # a table names all of them
            first = "" if len(seen.leaks) == 1 else "the first: "
            what += f": {first}{_place(seen.leaks[0])}"
        sys.stderr.write(f"ecfit: {path.name} on {target.name}: {asked.function}: {what}\n")
        return CONSTANT_TIME
    return OK


def _known(program: Program, asked: Call) -> None:
    """Finds names that do not exist before anything runs. Errors: UsageError."""
    for name in (asked.function, *asked.before):
        program.entry(name)
    for one in asked.arguments:
        if one.kind == "call" or (one.kind == "symbol" and one.name not in program.objects):
            program.entry(one.name)
    for name, _ in (*asked.puts, *asked.shows):
        program.place(name)


def _record(
    program: Program, target: Target, mode_name: str, asked: Call, seen: Outcome
) -> FunctionRecord:
    mode = target.mode(mode_name)
    cycles = median_int(seen.cycles) if seen.cycles else None
    time_us, energy = time_and_energy(target, cycles)
    traces, verdict = set(seen.trace_hashes), None
    if seen.leaks is not None:
        same = len(traces) == 1 and len(set(seen.cycles)) == 1
        verdict = "ok" if same and not seen.leaks else LEAK
    return FunctionRecord(
        elf="",
        elf_sha256=program.image.key,
        function=asked.function,
        arguments=" ".join(one.text for one in asked.arguments),
        target=target.name,
        core=target.core,
        mode=mode_name,
        seed=asked.seed,
        runs=asked.runs,
        status=seen.status,
        detail=seen.detail,
        result=seen.result,
        cycles=cycles,
        cycles_min=min(seen.cycles, default=None),
        cycles_max=max(seen.cycles, default=None),
        instructions=median_int(seen.instructions) if seen.instructions else None,
        time_us=time_us,
        energy_uj=energy,
        stack_bytes=seen.stack_bytes,
        static_ram_bytes=program.static_ram_bytes,
        flash_bytes=program.flash_bytes,
        trace_hash=next(iter(traces)) if len(traces) == 1 else None,
        trace_hashes=len(traces) or None,
        constant_time=verdict,
        findings=None if seen.leaks is None else len(seen.leaks),
        leaks="; ".join(map(_place, seen.leaks)) if seen.leaks else None,
        outputs="; ".join(f"{n}={data.hex()}" for n, data in seen.outputs.items()) or None,
        error_class=mode.error_class if mode and seen.status == "ok" else None,
    )


def _place(leak: Leak) -> str:
    where = place(leak.function, leak.source)
    return f"{leak.kind} by {' and '.join(leak.secret)} at 0x{leak.address:x} in {where}"


def _lines(record: FunctionRecord, asked: Call, seen: Outcome, program: Program) -> list[str]:
    """What stands under the table."""
    lines = [f"{record.function}({shortened([one.text for one in asked.arguments])})"]
    lines += [f"{name}: {data.hex()}" for name, data in seen.outputs.items()]
    found = seen.leaks or ()
    lines += [f"leak: {_place(leak)}, {_times(leak.count)}" for leak in found[:MOST_LINES]]
    if len(found) > MOST_LINES:
        lines.append(f"and {len(found) - MOST_LINES} leaks more (--format json has all)")
    if seen.leaks is None and seen.status == "ok":
        lines.append("constant time: nothing is marked as secret (--arg secret:HEX)")
    if program.constructors and not asked.before:
        lines.append(
            f"start-up has not run: {program.constructors} constructors of .init_array were not "
            "called (--before __libc_init_array)"
        )
    of = f"{record.function} and what it needs" if program.linked else "the whole firmware"
    lines.append(f"flash, RAM: {of}; RAM without stack and heap")
    return lines


def _times(count: int) -> str:
    return "once" if count == 1 else f"{grouped(count)} times"
