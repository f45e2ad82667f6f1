"""The lines under a table of records: conditions, and what differs between the libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ecfit.choices.curves import HASHING
from ecfit.choices.peers import Peer
from ecfit.choices.targets import ERROR_CLASSES, Target, find_target
from ecfit.model import DEEPER, GROWS, LABEL, POINTER, RECURSION, UNKNOWN, Record
from ecfit.show.report import has_prepared
from ecfit.sim.model import load_model


def _what_if(records: Sequence[Record]) -> list[str]:
    """What was changed in the cycle models for this run."""
    changes = dict.fromkeys(r.model_rows for r in records if r.model_rows)
    return [
        f"what if: the cycle model is changed, {changed}: the classes do not hold"
        for changed in changes
    ]


def _of_target(target: Target, mode_name: str | None) -> list[str]:
    """What is open about a target: effects that its model leaves off, a bound of its flash."""
    lines = []
    if target.model and mode_name:
        if rows := load_model(target.model).not_settled():
            lines.append(f"{target.model}: {NOT_COUNTED.format(rows=', '.join(rows))}")
        if upper := target.modes[mode_name].bound:
            lines.append(
                f"{target.name}: we do not know the wait states of its flash. The times in mode "
                f"{mode_name} are a lower bound, and those in mode {upper} an upper bound"
            )
    return lines


NOT_COUNTED = (
    "a load directly after STRD, STM or PUSH may have to wait. The model does not count this "
    "({rows}), because no measurement shows how long it waits. So the chip may take longer than "
    "the model (docs/cycle-model.md)"
)

_OPEN = {  # what a bound of the stack leaves out, in front of the functions that it is about
    POINTER: "Calls through a pointer in",
    LABEL: "Labels in assembly without .type and .size:",
    UNKNOWN: "Functions whose names are not in the image (gcc merges functions of equal code):",
    GROWS: "Stack whose size depends on a value, in",
    RECURSION: "Calls of a function by itself:",
    DEEPER: "A run took more, so assembly inside C moves the stack pointer, below",
}


def _left_out(records: Sequence[Record]) -> list[str]:
    """What the static stack of each library does not count, by reason."""
    opened: dict[str, dict[str, set[str]]] = {}
    for record in records:
        for part in filter(None, (record.static_stack_open or "").split("; ")):
            function, _, reason = part.partition(": ")
            opened.setdefault(record.library, {}).setdefault(reason, set()).add(function)
    return [
        f"* a static stack of {library} with this mark may be too small. It is computed from the "
        "compiler's call graph, and does not include all calls. The column stack B is measured in "
        "a run, with all calls. Reserve at least the larger one. These calls are missing. "
        + ". ".join(
            f"{_OPEN.get(reason, reason)} {', '.join(sorted(functions))}"
            for reason, functions in sorted(reasons.items())
        )
        for library, reasons in opened.items()
    ]


def notes(
    records: Sequence[Record], peers: Mapping[str, Peer], *, static_stack: bool = True
) -> list[str]:
    """The lines under a table: conditions, what static stacks leave out,
    then what differs between the libraries.
    """
    return [
        f"curve: {_curves(records)}",
        *_targets(records),
        *_what_if(records),
        *_classes(records),
        *_builds(records),
        *_hashed(records),
        *_images(records),
        *_prepared(records),
        *(_left_out(records) if static_stack else ()),
        *_libraries(records, peers),
    ]


def brief_notes(
    records: Sequence[Record], peers: Mapping[str, Peer], not_offered: int = 0
) -> list[str]:
    """The same lines for a screen, of which the first three are shown: those come first without
    which the table is read wrongly. `not_offered`: rows that the table does not have.
    """
    named = f"{_curves(records)}; {'; '.join(_compilers(records))}"
    rows = "row is" if not_offered == 1 else "rows are"
    return [
        *[f"{not_offered} {rows} not offered (--format csv has them)"] * bool(not_offered),
        *_derived(records),
        *_what_if(records),
        *_hashed(records),
        *_classes(records),
        named,
        *_images(records),
        *_prepared(records),
        *_libraries(records, peers),
        *_targets(records),
        *_left_out(records),
    ]


def _derived(records: Sequence[Record]) -> list[str]:
    """Which chips no target file describes."""
    targets = map(find_target, dict.fromkeys(r.target for r in records if r.mode))
    if not (unmodelled := [target for target in targets if target.like]):
        return []
    from ecfit.show.chip import derived

    return list(map(derived, unmodelled))


def _curves(records: Sequence[Record]) -> str:
    return ", ".join(dict.fromkeys(r.curve for r in records))


def _targets(records: Sequence[Record]) -> list[str]:
    """Each chip with its modes and its power. A line that several of them have stands once."""
    lines: dict[str, None] = {}
    modes: dict[str, dict[str | None, None]] = {}
    for r in records:
        modes.setdefault(r.target, {})[r.mode] = None
    for name, of_target in modes.items():
        target = find_target(name)
        parts = [target.description]
        for mode_name in of_target:
            if mode_name:
                mode = target.modes[mode_name]
                parts += [
                    f"Mode {mode_name} models {mode.help}",
                    f"The times have class {mode.error_class} for this reason: {mode.reason}",
                ]
            lines[f"{name}: {'. '.join(parts)}"] = None
            lines |= dict.fromkeys(_of_target(target, mode_name))
            parts = []
        if target.power and any(r.target == name and r.energy_uj is not None for r in records):
            active = target.power[0]
            lines[
                f"{name}: the energy is that of the running core alone, at {active.volts:g} V and "
                f"{active.milliamperes:g} mA. The current is from this source: {active.source}"
            ] = None
    return list(lines)


def _classes(records: Sequence[Record]) -> list[str]:
    classes = sorted({r.error_class for r in records if r.error_class})
    return ["class: " + "; ".join(f"{c} means {ERROR_CLASSES[c]}" for c in classes)] * bool(classes)


def _compilers(records: Sequence[Record]) -> Iterator[str]:
    for compiler, opt, seed, runs in dict.fromkeys(
        (r.toolchain, r.opt, r.seed, r.runs) for r in records
    ):
        inputs = f", seed {seed}, {runs} {'run' if runs == 1 else 'runs, cycles: the median'}"
        yield (f"{compiler} -{opt}{inputs if any(r.time_us is not None for r in records) else ''}")


def _builds(records: Sequence[Record]) -> Iterator[str]:
    """The compilers with their levels, then how many runs each time has."""
    levels: dict[str, dict[str, None]] = {}
    targets: dict[str, dict[str, None]] = {}
    libraries: dict[str, dict[str, None]] = {}
    for r in records:
        levels.setdefault(r.toolchain, {})[f"-{r.opt}"] = None
        targets.setdefault(r.toolchain, {})[r.target] = None
        libraries.setdefault(r.toolchain, {})[r.library] = None
    apart = sum(map(len, targets.values())) == len({r.target for r in records})
    for compiler, levels_of in levels.items():
        where = f" of {joined(targets[compiler])}" * (len(levels) > 1)
        if not apart:  # two compilers for one chip
            where = f" of {joined(libraries[compiler])} on {joined(targets[compiler])}"
        yield f"compiler: {compiler} compiled the rows{where} with {joined(levels_of)}"
    if any(r.time_us is not None for r in records):
        runs = dict.fromkeys((r.seed, r.runs) for r in records)
        seeds = " and ".join(dict.fromkeys(str(seed) for seed, _ in runs))
        several = [str(count) for _, count in runs if count > 1]
        line = f"inputs: they are made from seed {seeds}. "
        if not several:
            yield line + "Each row has one run"
        elif len(several) < len(runs):
            yield (
                line + f"Some rows have one run. Others have {' or '.join(several)} runs, and "
                "their cycles are the median"
            )
        else:
            yield line + f"Each row has {' or '.join(several)} runs, and its cycles are the median"


def joined(names: Iterable[str]) -> str:
    """Several names in a sentence: a, b and c."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _hashed(records: Sequence[Record]) -> Iterator[str]:
    """How long the message is that an operation hashes (bench_op.h)."""
    hashing = [op for op in HASHING if any(r.op == op for r in records)]
    if hashing:
        yield f"{joined(hashing)}: the message has 32 bytes. A longer one takes longer to hash"


def _images(records: Sequence[Record]) -> Iterator[str]:
    images = [
        ops
        for ops in dict.fromkeys(r.image_ops for r in records if r.flash_bytes is not None)
        if any(r.op != ops for r in records if r.image_ops == ops)
    ]
    if images:
        what = images[0] if len(images) == 1 else "the operations of a row"
        yield f"flash: the figure is the number of bytes that {what} add to an empty image"


def _prepared(records: Sequence[Record]) -> Iterator[str]:
    if has_prepared(records):
        yield (
            "prepare: a library may set up what it keeps between calls: a table in RAM, a context "
            "or a key object. It does so once, before its first operation. prepare is the number "
            "of cycles for that. The columns of cycles and ms do not include it. The stack of a "
            "row does: it is the larger one of the two"
        )


def _libraries(records: Sequence[Record], peers: Mapping[str, Peer]) -> Iterator[str]:
    """The versions; the options of each library; then the differences, each text once, with all
    the libraries that it is about.
    """
    measured = [name for name in dict.fromkeys(r.library for r in records) if name in peers]
    about: dict[str, list[str]] = {}
    versions = dict.fromkeys(
        (r.library, r.library_version) for r in records if r.library in measured
    )
    if versions:
        named = "; ".join(f"{library} {version}" for library, version in versions)
        yield f"versions: we measured {named}"
    for library in measured:
        cores = dict.fromkeys(r.core for r in records if r.library == library)
        for name, option in peers[library].options.items():
            if option.why:
                by_value: dict[str, list[str]] = {}
                for core in cores:
                    by_value.setdefault(option.default_on(core), []).append(core)
                values = joined(
                    f"{value} on {joined(cores_of)}" for value, cores_of in by_value.items()
                )
                yield f"{library}: its option {name} is {values}. The reason: {option.why}"
        for difference in peers[library].differences:
            about.setdefault(difference.text, []).append(library)
    yield from (f"{joined(libraries)}: {text}" for text, libraries in about.items())
