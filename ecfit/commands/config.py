"""The commands `config` and `amalgamate`: a configuration to compile, as the header that the
sources take, or as files to copy, with what was measured of it.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from ecfit.arguments.common import Common, verdict
from ecfit.arguments.selection import ALL, find_op, rows
from ecfit.build.combs import missing_tables
from ecfit.build.parts import CALLER, NO_ASSEMBLY, built, library_sources
from ecfit.build.toolchain import line_flags
from ecfit.choices import headers, knobs
from ecfit.choices.curves import CURVES, HASHING, MEASURED, find_curve, with_hashed
from ecfit.choices.targets import Target, float_flags
from ecfit.errors import OK, OutputError, UsageError
from ecfit.measure.bench import Row
from ecfit.measure.store import (
    check_new_folder,
    refuse_foreign_link,
    write_folder,
    write_output,
)
from ecfit.model import Record
from ecfit.paths import INSTALLED, ROOT, read_input
from ecfit.ship.delivery import About, delivery
from ecfit.show.layout import available, wrapped
from ecfit.show.notes import notes
from ecfit.show.report import bench_table, emit, render

HEADER = "ecfit_config.h"
_KEPT = {  # functions of the interface, by the knob of a hash
    "SHA256": ("ecfit_sha256",),
    "SHA512": ("ecfit_sha384", "ecfit_sha512"),
    "SHAKE256": ("ecfit_shake256",),
}
_ABSENT = {knobs.NONE, CALLER}  # values of these knobs with which there is no such function
FIRST_WORDS = "/* ecfit_config.h"  # of a header that may be replaced
# What --config says in place of these options, with their defaults.
_OF_A_FILE = {"curves": ("secp256r1",), "ops": (ALL,), "sets": (), "presets": ()}


def config(common: Common) -> int:
    """Writes the header, and what it needs, to a folder; to standard output without one.

    Errors: UsageError.
    """
    row = configured_row(common)
    float_flags(row.target, common.values["float_abi"])
    every = ALL in {op.lower() for op in common.values["ops"]}
    keep = kept(row, common.values["sets"], every_op=every)
    files = config_files(row, every_op=every, keep=keep)
    folder = common.values.get("folder")
    if folder is None:
        if len(files) > 1:
            raise UsageError(
                f"this configuration has tables of its own ({len(files) - 1} files): "
                "name a folder, -o DIR"
            )
        emit(files[HEADER], None)
        return OK
    line = compile_line(row.target, files[HEADER], folder, common.values["float_abi"])
    write_files(Path(folder), files)
    _say(f"wrote {', '.join(files)} to {folder}; compile with: `{line}`")
    return OK


def configured_row(common: Common) -> Row:
    """The one configuration that was asked for, of all curves in one image. Errors: UsageError."""
    names, asked = common.values["curves"], common.values["ops"]
    if ALL not in {op.lower() for op in asked}:  # a message is hashed, and the hash signed
        asked = with_hashed(map(find_op, asked))
    every = [name for name, curve in CURVES.items() if knobs.find_slot(name)]
    together = "+".join(every if ALL in {name.lower() for name in names} else dict.fromkeys(names))
    selection = common.select(together=True, curves=(together,), ops=asked)
    offered = [row for row in rows(selection) if row.offered]
    if not offered:
        found_names = [find_curve(name, MEASURED).name for name in names if name.lower() != ALL]
        if foreign := ",".join(name for name in found_names if name not in CURVES):
            raise UsageError(
                f"ecfit has no code for {foreign}: see what other libraries take with "
                f"`ecfit bench --lib all --curve {foreign}`"
            )
        raise UsageError("nothing is left to configure: none of these curves has these operations")
    kinds = {(row.target.name, row.configuration.preset) for row in offered}
    if len(kinds) > 1:
        raise UsageError("a header is for one target and one preset: name one of each")
    return offered[0]


def kept(row: Row, sets: Iterable[str], *, every_op: bool) -> tuple[str, ...]:
    """The hashes that settings name: an amalgam has them though nothing uses them. Those that
    calls of the interface use are there in any case.
    """
    used: set[str | None] = set()
    if every_op or HASHING.keys() & set(row.image_ops):
        curves = (row.curve, *(curve for curve, _ in row.more))
        used = {knobs.find_slot(curve.name).hash for curve in curves if curve.form == "weierstrass"}
    named = {name.strip().upper(): value for name, _, value in (t.partition("=") for t in sets)}
    there = {name for name, value in named.items() if value.strip().lower() not in _ABSENT}
    return tuple(name for name in _KEPT if name in there - used)


def config_files(row: Row, *, every_op: bool, keep: Iterable[str] = ()) -> dict[str, str]:
    """Names and texts: the header, and tables of the base point that lib/src does not have.

    `every_op`: all operations were asked for, and with them what the preset has beside them
    (point compression, and the calls that hash a message).
    Otherwise only what a setting names is there. `keep`: :func:`kept`; the header says so, for
    --config. Errors: UsageError, BuildError.
    """
    further = {curve.name: configuration for curve, configuration in row.more}
    header = knobs.header(
        row.configuration,
        [row.curve.name],
        (*row.image_ops, *(m for m, op in HASHING.items() if every_op and op in row.image_ops)),
        extras=every_op or bool(row.extras),
        more=further,
    )
    marks = "".join(f"#define {headers.KEEP}{name} 1\n" for name in keep)
    header = header.replace("\n#endif\n", f"\n{marks}\n#endif\n") if marks else header
    tables = _tables(
        {row.curve.name: row.configuration.settings}
        | {name: c.settings for name, c in further.items()}
    )
    return {HEADER: header, **tables}


def _tables(settings: Mapping[str, Sequence[tuple[str, str]]]) -> dict[str, str]:
    tables: dict[str, str] = {}
    for curve, values in settings.items():
        tables |= missing_tables(curve, dict(values))
    return tables


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Writes all of them below a folder, which is made. Errors: OutputError."""
    header = folder / HEADER
    for name in files:
        refuse_foreign_link(folder / name)
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"cannot write to {folder}: it is not a folder")
    if header.exists() and not header.read_text(encoding="utf-8", errors="replace").startswith(
        FIRST_WORDS
    ):
        raise OutputError(
            f"{header} is there, and not a configuration of this library: "
            "remove it, or name another folder"
        )
    try:
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write to {folder}: {error.strerror}") from None
    for name, text in sorted(files.items(), key=lambda item: item[0] == HEADER):  # the header last
        write_output(folder / name, text)


def compile_line(target: Target, header: str, folder: str, float_abi: str | None = None) -> str:
    """The command that compiles the library with this header, which is in a folder.
    Errors: UsageError.
    """
    top = Path() if Path.cwd() == ROOT and not INSTALLED else ROOT  # it works where it is printed
    sources = [str(top / source.relative_to(ROOT)) for source in library_sources(header)]
    compiler, flags = line_flags(target.arch, target.core)
    flags += float_flags(target, float_abi)
    command = [compiler, *flags, "-Os", "-c", f"-I{folder}"]
    command += [f"-I{top / 'lib' / name}" for name in ("include", "src")]
    return shlex.join([*command, *sources])


def amalgamated(common: Common) -> tuple[list[Record], str]:
    """Measures the configuration and writes its files, unless a record is not "ok"; says what it
    wrote. Errors: UsageError, BuildError, OutputError.
    """
    v = common.values
    folder = Path(v["folder"])
    check_new_folder(folder)
    file = _of_file(common, v["config"]) if v["config"] is not None else None
    v = common.values
    every = ALL in {op.lower() for op in v["ops"]}
    row = configured_row(common)
    _check_ops(row, v["ops"])
    abi = v["float_abi"]
    float_flags(row.target, abi)  # before what takes long
    keep = kept(row, v["sets"], every_op=every)
    files = config_files(row, every_op=every, keep=keep)
    if file is not None and not file.is_as(files[HEADER]):
        row, every, keep, files = _other_row(common, file)
    rows = each_operation(row)
    records = common.measured(rows, "measure")
    if any(record.status != "ok" for record in records):
        return records, ""
    again = again_with(row, every_op=every, keep=keep) + (f" --float-abi {abi}" if abi else "")
    measured = evidence(records, common, again, row.extras)
    return records, hand_over(folder, row, files, measured, again, keep, float_abi=abi)


def amalgamate(common: Common) -> int:
    """Measures, writes, and says what was written. Returns the exit code.

    Errors: UsageError, BuildError, OutputError.
    """
    records, written = amalgamated(common)
    if written:
        _say(written)
    return verdict(records)


def _other_row(
    common: Common, file: headers.Asked
) -> tuple[Row, bool, tuple[str, ...], dict[str, str]]:
    """What makes the header of a file where its operations alone do not: all that a preset has,
    or calls that hash a message. Errors: UsageError.
    """
    for ops, every in (((*file.ops, *file.hashing), False), (file.ops, True)):
        common.values = {**common.values, "ops": ops}
        row = configured_row(common)
        keep = kept(row, file.sets, every_op=every)
        files = config_files(row, every_op=every, keep=keep)
        if file.is_as(files[HEADER]):
            return row, every, keep, files
    name = common.values["config"]
    raise UsageError(f"{name} has settings that no --set makes: write it anew with 'ecfit config'")


def _of_file(common: Common, name: str) -> headers.Asked:
    """Takes curves, operations and settings from a header. Errors: UsageError."""
    if any(common.values[name] != default for name, default in _OF_A_FILE.items()):
        raise UsageError("--config says it all: leave --curve, --op, --preset and --set out")
    try:
        text = read_input(Path(name), headers.LARGEST).decode()
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"cannot read {name}: it is not text") from None
    asked = headers.read(text, name)
    common.values = {
        **common.values,
        "curves": asked.curves,
        "ops": asked.ops,
        "presets": (asked.preset,),
        "sets": asked.sets,
    }
    return asked


def _check_ops(row: Row, asked: Sequence[str]) -> None:
    """Refuses operations that none of the curves has. Errors: UsageError."""
    there = {op for ops in operations(row).values() for op in ops}
    missing = [op for op in asked if op.lower() != ALL and find_op(op) not in there]
    if missing:
        raise UsageError(
            f"{row.curve_name} has no {missing[0]} here: it has {', '.join(sorted(there))}"
        )


def operations(row: Row) -> dict[str, tuple[str, ...]]:
    """The operations of each curve of an image."""
    image = ((row.curve, row.configuration), *row.more)
    return {curve.name: built(curve, c, row.image_ops) for curve, c in image}


def each_operation(row: Row) -> list[Row]:
    """A row for each operation of each curve, all of them in one image."""
    image = ((row.curve, row.configuration), *row.more)
    return [
        msgspec.structs.replace(
            row,
            curve=curve,
            configuration=configuration,
            op=op,
            more=tuple(pair for pair in image if pair[0] != curve),
        )
        for curve, configuration in image
        for op in built(curve, configuration, row.image_ops)
    ]


def evidence(
    records: Sequence[Record], common: Common, again: str, extras: Sequence[str] = ()
) -> dict[str, str]:
    """What was measured, as a page and as records; `again`: the command that does so; `extras`:
    knobs of functions that are in the image beside the operations.
    """
    columns, cells = bench_table(records)
    lines = notes(records, common.peers())
    if extras:
        names = " and ".join(extras)
        lines.append(f"flash: the functions of {names} count too; none of them is run")
    lines.append(f"measure it again: `{again}`")
    return {
        "evidence.md": render("md", records, columns, cells, lines, colour=False),
        "evidence.json": render("json", records, columns, cells, lines, colour=False),
    }


def again_with(row: Row, *, every_op: bool, keep: Iterable[str] = ()) -> str:
    """The command that makes the same files."""
    image = ((row.curve, row.configuration), *row.more)
    settings = []
    for curve, configuration in image:
        for change in configuration.changed:
            of_curve = row.more and knobs.all_knobs()[change.partition("=")[0]].scope == "curve"
            settings.append(f"{curve.name}.{change}" if of_curve else change)
    settings += [f"{name}={dict(row.configuration.settings)[name]}" for name in keep]
    ops = ALL if every_op else ",".join(row.image_ops)
    words = ["ecfit", "amalgamate", "--target", row.target.name]
    words += ["--curve", ",".join(curve.name for curve, _ in image), "--op", ops]
    words += ["--preset", str(row.configuration.preset)]
    words += ["--set", ",".join(dict.fromkeys(settings))] if settings else []
    words += ["--mode", row.mode_name] if row.mode_name not in {None, "datasheet"} else []
    return shlex.join([*words, "-o", "DIR"])


def amalgam_line(target: Target, header: str, float_abi: str | None = None) -> str:
    """The command that compiles an amalgam, in its folder. Errors: UsageError."""
    compiler, flags = line_flags(target.arch, target.core)
    flags += float_flags(target, float_abi)
    sources = ["ecfit.c"] if NO_ASSEMBLY in header else ["ecfit.c", "ecfit_asm.S"]
    return " ".join([compiler, *flags, "-Os", "-ffunction-sections", "-c", *sources])


def hand_over(  # noqa: PLR0917
    folder: Path,
    row: Row,
    files: Mapping[str, str],
    measured: Mapping[str, str],
    again: str,
    keep: Iterable[str] = (),
    *,
    float_abi: str | None = None,
) -> str:
    """Writes all files to a new folder; says how to compile them.

    Errors: BuildError, OutputError.
    """
    line = amalgam_line(row.target, files[HEADER], float_abi)
    about = About(operations(row), row.target, again, line)
    delivered = delivery(files, about, measured, [name for knob in keep for name in _KEPT[knob]])
    write_folder(folder, delivered)
    return f"wrote {', '.join(delivered)} to {folder}; compile there with: `{line}`"


def _say(line: str) -> None:
    """A line on standard error, broken for the width."""
    sys.stderr.write("\n".join([*wrapped(f"ecfit: {line}", available()), ""]))
