"""The command `report`: a page to look at, of records that are kept, or of what it measures."""

from __future__ import annotations

import gzip
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from ecfit.arguments.common import Common, verdict
from ecfit.arguments.selection import Selection, select
from ecfit.build.parts import OWN
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import Target, find_target
from ecfit.commands import fidelity
from ecfit.errors import BuildError, UsageError
from ecfit.measure.bench import Bench, Row
from ecfit.measure.store import Store, write_output
from ecfit.model import Record
from ecfit.paths import FIRMWARE, LIB, PACKAGE, PEERS, ROOT, SIM
from ecfit.show.flamegraph import Stacks
from ecfit.show.notes import notes
from ecfit.show.origin import origin
from ecfit.show.progress import Progress
from ecfit_studies.page.chooser import choices
from ecfit_studies.page.cycles import Frame, frames
from ecfit_studies.page.handshakes import handshakes
from ecfit_studies.page.library import find_library, library
from ecfit_studies.page.page import Content, Fidelity, Table, render
from ecfit_studies.page.parts import Part, parts
from ecfit_studies.page.setups import failures, setups
from ecfit_studies.questions import anchors
from ecfit_studies.survey.front import USUAL
from ecfit_studies.survey.records import kept, records_path
from ecfit_studies.survey.study import (
    Ask,
    Job,
    Section,
    StudyRecord,
    all_studies,
    conditions,
    study_record,
)

HANDSHAKES = ROOT / "results" / "golden" / "tls.json"
FIDELITY = ROOT / "results" / "fidelity.jsonl.gz"
CODE = (PACKAGE, LIB, SIM, PEERS, FIRMWARE)  # what decides about a figure
ALL = "all"


class Seen(msgspec.Struct, frozen=True):
    """A row as measured: its record, its cycles by call stack, the modules of its flash."""

    record: Record
    stacks: Stacks
    parts: list[Part]


def command(common: Common) -> int:
    """Writes the page. Returns the exit code: the gravest of the rows that were measured.

    Errors: UsageError when there is nothing to show; MissingToolError; OutputError.
    """
    path = common.path
    if path is None or path == "-":
        raise UsageError("the page is a file: name it, -o report.html")
    find_library()
    v = common.values
    measuring = bool(v["targets"] or v["target_files"])
    content, code = (_measured if measuring else _of_kept)(common, _asked(common))
    charts = library(Store(enabled=not v["no_cache"]))
    write_output(Path(path), render(content, charts))
    return code


def _asked(common: Common) -> Selection:
    """The names of the options, checked. Errors: UsageError."""
    v = common.values
    return select(
        targets=common.target_names(),
        libraries=v["libraries"],
        curves=v["curves"] or ("secp256r1",),
        ops=(ALL,),
        presets=v["presets"],
        sets=(),
        mode=v["mode"].lower(),
        peers=common.peers(),
        toolchains=(v["toolchain"],),
        opts=v["opts"] or (USUAL,),
    )


def _wanted(asked: Selection) -> Callable[[str, str | None], bool]:
    """Whether a library, with this preset of ours, was asked for."""
    presets = asked.presets or tuple(all_presets())
    return lambda library, preset: (
        library in asked.libraries and (library != OWN or preset in presets)
    )


def _of_kept(common: Common, asked: Selection) -> tuple[Content, int]:
    """The page of the atlas, with the records that come with the checkout."""
    if asked.mode != "datasheet" or common.values["toolchain"] != "gcc":
        raise UsageError("the records that are kept are of gcc and datasheet: name --target")
    wanted = _wanted(asked)
    curves = {image[0].name for image in asked.curves} if common.values["curves"] else None
    records = [
        record
        for record in kept(anchors.STUDY)
        if record.library != OWN  # ours are the atlas
        and wanted(record.library, record.preset)
        and (curves is None or record.curve in curves)
    ]
    if common.values["opts"]:
        records = [record for record in records if ("gcc", record.opt) in asked.compilers]
    path = records_path(anchors.STUDY)
    origin_text = (
        f"They are kept records, {path.relative_to(ROOT)}, {origin(path)}: "
        "nothing was measured for this page"
    )
    content = _content(common, asked, records, origin_text, measured=False)
    return msgspec.structs.replace(content, choices=choices()), 0


def _measured(common: Common, asked: Selection) -> tuple[Content, int]:
    """The page of what is measured now, or was before and is in the cache."""
    jobs = _jobs(asked)
    bench = common.bench()
    bench.check([job.row for job in jobs])
    measured: dict[int, Seen] = {}
    with Progress(len(jobs), quiet=common.values["quiet"]) as progress:
        for index, result in bench.each([job.row for job in jobs], lambda row: _seen(bench, row)):
            measured[index] = result
            progress.done(result.record)
    records = [
        study_record(anchors.STUDY.name, job, measured[index].record)
        for index, job in enumerate(jobs)
    ]
    code = verdict(records)
    text = f"They were measured for this page, or before by the same code: {origin(*CODE)}"
    content = _content(common, asked, records, text, measured=True)
    places = {(s.target, s.curve, s.group, s.opt): s.place for s in content.setups}
    modules: dict[int, list[Part]] = {}
    cycles: dict[int, dict[str, list[Frame]]] = {}
    for index, job in enumerate(jobs):
        result = measured[index]
        place = places.get((result.record.target, result.record.curve, job.group, job.opt))
        if place is not None:
            if result.parts:
                modules[place] = result.parts
            name = f"{result.record.op}, all"
            cycles.setdefault(place, {})[result.record.op] = frames(name, result.stacks)
    return msgspec.structs.replace(content, parts=modules, cycles=cycles), code


def _jobs(asked: Selection) -> list[Job]:
    """Every library, preset and variant that was asked for, as the study of anchors has them.
    Errors: UsageError.
    """
    native = [target.name for target in asked.targets if target.runner != "sim"]
    if native and len(native) == len(asked.targets):
        raise UsageError(f"{native[0]} is not simulated: a page is of modelled cycles")
    targets = tuple(target for target in asked.targets if target.runner == "sim")
    curves = tuple(image[0] for image in asked.curves)
    wanted = _wanted(asked)
    jobs = [
        msgspec.structs.replace(job, row=msgspec.structs.replace(job.row, opt=job.opt))
        for job in anchors.plan(Ask(targets, curves, asked.mode, asked.peers))
        if wanted(job.row.configuration.library, job.row.configuration.preset)
        and (asked.compilers[0][0], job.opt) in asked.compilers
    ]
    if not jobs:
        names = ", ".join(asked.libraries)
        raise UsageError(f"nothing to show: {names}: none has these curves on these chips")
    return jobs


def _seen(bench: Bench, row: Row) -> Seen:
    record, stacks = bench.profile(row)
    modules: list[Part] = []
    if record.status == "ok" and row.op == row.image_ops[0]:
        try:
            modules = parts(bench.image(bench.request(row, lines=True)), record)
        except BuildError:  # not with its source lines: the flash as a whole is known
            modules = []
    return Seen(record, stacks, modules)


def _content(
    common: Common,
    asked: Selection,
    records: Sequence[StudyRecord],
    origin_text: str,
    *,
    measured: bool,
) -> Content:
    """What both kinds of page have. Errors: UsageError when no record ran."""
    shown = setups(records)
    failed = list(failures(records))
    if not shown:
        why = f": {failed[0]}" if failed else ""
        raise UsageError(f"nothing to show{why}")
    peers = common.peers()
    names = dict.fromkeys(setup.target for setup in shown)
    return Content(
        command=_line(common),
        origin=origin_text,
        measured=measured,
        mode=asked.mode,
        targets=tuple(map(find_target, names)),
        setups=shown,
        failures=failed,
        notes=notes([r for r in records if r.status == "ok"], peers, static_stack=False)[1:],
        fidelity=_fidelity(tuple(map(find_target, names))),
        tables=_tables(common),
        handshakes=handshakes(HANDSHAKES, names if measured else ()),
    )


def _line(common: Common) -> str:
    """The command itself, without what does not decide about the page."""
    v = common.values
    words = ["ecfit", "report"]
    several = (
        ("--target-file", v["target_files"]),
        ("--target", v["targets"]),
        ("--lib", () if v["libraries"] == (ALL,) else v["libraries"]),
        ("--curve", v["curves"]),
        ("--preset", v["presets"]),
        ("--opt", v["opts"]),
        ("--peer-dir", v["peer_dirs"]),
    )
    for name, values in several:
        words += [name, ",".join(values)] if values else []
    words += ["--mode", v["mode"]] if v["mode"] != "datasheet" else []
    words += ["--toolchain", v["toolchain"]] if v["toolchain"] != "gcc" else []
    return shlex.join([*words, "-o", Path(common.path or "").name])


def _fidelity(targets: Sequence[Target]) -> Fidelity | None:
    """The kept rows of `ecfit fidelity`, those of these chips first; None where none are kept."""
    try:
        lines = gzip.decompress(FIDELITY.read_bytes()).splitlines()
    except OSError:
        return None
    rows = [msgspec.json.decode(line, type=fidelity.Comparison) for line in lines]
    run = [row for row in rows if row.ratio is not None]
    names = [target.name for target in targets]
    run.sort(key=lambda row: row.target not in names)
    section = Section("", *fidelity.table(run), fidelity.summary(run))
    return Fidelity([msgspec.to_builtins(row) for row in run], section, _kept_text(FIDELITY))


def _tables(common: Common) -> list[Table]:
    """The studies whose records are kept."""
    peers, tables = common.peers(), []
    for study in all_studies().values():
        path = records_path(study)
        if path.is_file():
            records = kept(study)
            sections, lines = study.summarise(records), conditions(records, peers)
            tables.append(
                Table(study.name, study.title, study.about, _kept_text(path), sections, lines)
            )
    return tables


def _kept_text(path: Path) -> str:
    return f"Kept records, {path.relative_to(ROOT)}, {origin(path)}"
