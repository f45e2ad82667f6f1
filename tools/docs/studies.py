#!/usr/bin/env python3
"""Run studies and keep what they measured: records in results/studies/. The site has tables and
plots of them (tools/docs/docs_site.py), and docs/knobs.md the tables of the study of the knobs.

tools/docs/studies.py [NAME..]    measures (all of them by default; from the cache where nothing has
                                  changed), keeps the records, and writes the tables of
                                  docs/knobs.md
tools/docs/studies.py --new NAME..
                                  measures only the rows whose library, settings and place have no
                                  kept record
tools/docs/studies.py --again LIBRARY,.. [--on NAME,..] NAME..
                                  measures the rows of these libraries again, after a change of
                                  them, or those of them that are on these chips or curves
tools/docs/studies.py --ct LIBRARY,.. NAME..
                                  asks `ecfit ct` about the rows of these libraries that it was not
                                  asked about, and keeps what it says
tools/docs/studies.py --count NAME..
                                  counts the instructions of rows of this machine that have no
                                  count, by callgrind; so does whatever measures such rows
tools/docs/studies.py --docs      writes these tables again from the records that are kept
tools/docs/studies.py --check     writes nothing; exit code 1 when they are not what the records say
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ecfit import cli
from ecfit.build.parts import OWN
from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import library_knobs
from ecfit.choices.peers import Peer, all_peers, outside_peers
from ecfit.choices.targets import find_target
from ecfit.choices.variants import known
from ecfit.commands.ct import ACCEPTED, DECLARED, LEAK, checks
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.paths import write_atomic
from ecfit.prose import wrapped
from ecfit.run.cases import OPS_WITH_SECRETS, make_case
from ecfit_lab.tls.record import TlsRecord
from ecfit_lab.wire import study as tls
from ecfit_studies.commands import tls_document as tlsdocument
from ecfit_studies.survey import coverage_table as covered
from ecfit_studies.survey.coverage import coverage
from ecfit_studies.survey.plan import VARIANTS
from ecfit_studies.survey.plots import svg
from ecfit_studies.survey.ranking import ALIKE, ahead_page, checked
from ecfit_studies.survey.records import RECORDS, kept, records_path
from ecfit_studies.survey.study import (
    Ask,
    Job,
    Study,
    StudyRecord,
    all_studies,
    find_study,
    page,
    steady,
    too_large,
    with_ecdhe,
)
from ecfit_studies.survey.study import measure as run
from tools.ct_compilers import commit

OFTEN, COUNTS_OFTEN = 100, 20  # rows after which records are kept
SAMPLED_US = 1000  # a row of this machine that takes longer is not counted: no sample takes it
KNOWN = ("ok", LEAK, DECLARED, ACCEPTED)  # of a line of `ecfit ct`: it ran
ROOT = Path(__file__).resolve().parents[2]
KNOBS = ROOT / "docs" / "knobs.md"
BEGIN, END = "<!-- table: tools/docs/studies.py -->\n\n", "\n<!-- end -->\n"
# So many calls of an operation of a shared library.
CALLS = """
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*prepare)(const uint8_t *);
typedef int (*operation)(uint8_t *, const uint8_t *);

static uint8_t *read_all(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    uint8_t *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    return bytes;
}

int main(int count, char **words)
{
    static uint8_t out[1 << 14];
    size_t left, size;
    uint64_t elapsed;
    void *library = dlopen(words[1], RTLD_NOW);
    if (count != 7 || library == NULL)
        return 1;
    int (*set_up)(prepare, const uint8_t *, const uint8_t *, size_t) =
        dlsym(library, "bench_set_up");
    int (*batch)(operation, uint8_t *, const uint8_t *, const uint8_t *, size_t, unsigned,
                 uint64_t *) = dlsym(library, "bench_batch");
    operation op = (operation)dlsym(library, words[2]);
    prepare first = (prepare)dlsym(library, words[3]);
    const uint8_t *data = read_all(words[4], &left), *pool = read_all(words[5], &size);
    if (first != NULL && set_up(first, data, pool, size) != 0)
        return 1;
    return batch(op, out, data, pool, size, (unsigned)atoi(words[6]), &elapsed) != 0;
}
"""
VALUE = re.compile(r"\| (\w+)=(\w+) \|")  # a row of a value


def measure(name: str, arguments: list[str]) -> None:
    """Runs the command and keeps its records; ends with a line when a row failed."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    scratch = RECORDS / f".{name}.json"
    kind: Any = TlsRecord if name == tls.NAME else StudyRecord
    try:
        code = cli.run(["study", name, "--format", "json", "-o", str(scratch), *arguments])
        if not scratch.is_file():
            sys.exit(f"studies.py: 'ecfit study {name}' ended with exit code {code}")
        records = msgspec.json.decode(scratch.read_bytes(), type=list[kind])
        if code and (kind is TlsRecord or not any(too_large(record) for record in records)):
            sys.exit(f"studies.py: 'ecfit study {name}' ended with exit code {code}")
    finally:
        scratch.unlink(missing_ok=True)
    if kind is StudyRecord:
        records = [dated(record) for record in records]
    keep(name, records)


def dated(record: StudyRecord) -> StudyRecord:
    """With the library's commit, if it is of our library: peers are of a version of theirs."""
    return msgspec.structs.replace(record, commit=commit()) if record.library == OWN else record


def keep(name: str, records: Sequence[Any]) -> None:
    """Writes the records of a study that are steady, with what `ecfit ct` said of those that are
    the same.
    """
    path = RECORDS / f"{name}.jsonl.gz"
    if name in all_studies() and path.is_file():
        said = {(place(r), r.library_version): r.constant_time for r in kept(find_study(name))}
        records = [
            msgspec.structs.replace(
                r, constant_time=r.constant_time or said.get((place(r), r.library_version))
            )
            for r in records
        ]
        records = [record for record in records if steady(record)]
    lines = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    write_atomic(RECORDS / f"{name}.jsonl.gz", gzip.compress(lines, mtime=0))


def add(
    study: Study,
    folders: Mapping[str, Path],
    parallel: int,
    again: Sequence[str] = (),
    on: Sequence[str] = (),
) -> None:
    """Measures what the study plans and has no record of, or is of a library of `again` and, where
    some are named, `on` one of these chips or curves. It keeps all in the order of the plan, after
    every `OFTEN` rows, too: a run without `again` that was stopped goes on there.
    Errors: RuntimeError when a row failed that had not failed before.
    """
    found = {place(record): record for record in kept(study)}
    jobs = planned(study, folders)
    new = [
        job
        for job in jobs
        if place_of(job) not in found
        or (
            job.row.configuration.library in again
            and (not on or {job.row.target.name, job.row.curve_name} & {*on})
        )
    ]
    bench = Bench(Settings(jobs=parallel), outside_peers() | all_peers(folders), Store())
    for number, (index, record) in enumerate(run(study, new, bench), 1):
        print(record.target, record.curve, record.group, record.op, record.status, flush=True)
        before = found.get(place_of(new[index]))
        same = before is not None and before.status == record.status
        if record.status != "ok" and not same and not too_large(record):
            raise RuntimeError(f"{record.group}, {record.op}: {record.status}: {record.detail}")
        found[place_of(new[index])] = dated(record)
        if number % OFTEN == 0:
            keep(study.name, in_order(jobs, found))
    keep(study.name, in_order(jobs, found))


def in_order(
    jobs: Sequence[Job], found: Mapping[tuple[str | None, ...], StudyRecord]
) -> list[StudyRecord]:
    """The records that there are of what is planned, with their place in the study: two presets
    can be the same settings.
    """
    measured = [job for job in jobs if place_of(job) in found]
    records = [
        msgspec.structs.replace(
            found[place_of(job)],
            group=job.group,
            base=job.base,
            preset=job.row.configuration.preset or found[place_of(job)].preset,
            changed=job.row.changed,
        )
        for job in measured
    ]
    return with_ecdhe(measured, records)


def follow(study: Study, folders: Mapping[str, Path], libraries: Sequence[str]) -> None:
    """Keeps with each row of these libraries whether it is constant-time on its core."""
    jobs, records = planned(study, folders), kept(study)
    bench = Bench(Settings(runs=2), outside_peers() | all_peers(folders), Store())
    rows = {place_of(job): msgspec.structs.replace(job.row, opt=job.opt) for job in jobs}
    known = {checked(record): record.constant_time for record in records if record.constant_time}
    for index, record in enumerate(records):
        wanted = record.library in libraries and record.op in OPS_WITH_SECRETS
        if wanted and record.status == "ok" and checked(record) in known:
            records[index] = msgspec.structs.replace(record, constant_time=known[checked(record)])
        elif wanted and record.status == "ok" and place(record) in rows:
            seen = checks(bench.constant_time(rows[place(record)]))
            leak = next((one for one in seen if one.status == LEAK), None)
            failed = next((one for one in seen if one.status not in KNOWN), None)
            said = "yes" if leak is None else f"no: {leak.kind} in {leak.function or 'a run'}"
            if leak is not None and seen[-1].status == "ok":  # the comparison of runs
                said += ALIKE
            print(record.target, record.curve, record.group, record.op, failed or said, flush=True)
            if failed is None:
                known[checked(record)] = said
                records[index] = msgspec.structs.replace(record, constant_time=said)
                keep(study.name, records)
    keep(study.name, records)


def counted(bench: Bench, row: Row) -> int:
    """Instructions of an operation on this machine, which repeat where its time does not: what two
    more calls add to the first one, which may set up what the library keeps, halved.
    Errors: BuildError, RuntimeError.
    """
    case, totals = make_case(row.curve, row.op, bench.settings.seed, 0), []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "image.so").write_bytes(bench.image(bench.request(row)).segments[0].data)
        (folder / "data").write_bytes(case.data)
        (folder / "pool").write_bytes(case.pool)
        (folder / "calls.c").write_text(CALLS, encoding="utf-8")
        subprocess.run(["cc", "calls.c", "-o", "calls"], cwd=folder, check=True)
        command = ["valgrind", "-q", "--tool=callgrind", f"--toggle-collect=bench_{row.op}"]
        command += ["--callgrind-out-file=counts", "./calls", "./image.so"]
        command += [f"bench_{row.op}", f"bench_prepare_{row.op}", "data", "pool"]
        for calls in ("1", "3"):
            done = subprocess.run(
                [*command, calls], cwd=folder, capture_output=True, text=True, check=False
            )
            if done.returncode:
                what = f"{row.configuration.library} {row.op}"
                raise RuntimeError(f"{what}: {done.stderr.strip()[-200:] or done.returncode}")
            text = (folder / "counts").read_text(encoding="utf-8")
            totals.append(int(text.rpartition("totals: ")[2].partition("\n")[0]))
    return (totals[1] - totals[0]) // 2


def count(study: Study, folders: Mapping[str, Path], parallel: int) -> None:
    """Keeps the counts of rows of this machine that have none. Errors: BuildError, RuntimeError."""
    records = kept(study)
    jobs = {(*place_of(job), job.group): job for job in planned(study, folders)}
    missing = [
        (index, msgspec.structs.replace(job.row, opt=job.opt))
        for index, record in enumerate(records)
        if record.target == "host" and record.instructions is None
        if (record.time_us or 0) < SAMPLED_US
        if (job := jobs.get((*place(record), record.group))) is not None
    ]
    bench = Bench(Settings(jobs=parallel), outside_peers() | all_peers(folders), Store())
    each = bench.each([row for _, row in missing], partial(counted, bench))
    for number, (which, instructions) in enumerate(each, 1):
        index = missing[which][0]
        records[index] = msgspec.structs.replace(records[index], instructions=instructions)
        print(f"{records[index].group} {records[index].curve} {records[index].op}", flush=True)
        if number % COUNTS_OFTEN == 0 or number == len(missing):
            keep(study.name, records)


def planned(study: Study, folders: Mapping[str, Path]) -> list[Job]:
    """All that a study plans, with the libraries that come only when asked for."""
    peers = outside_peers() | all_peers(folders)
    chosen = {name: peers[name] for name in peers if name in {*study.outside, *all_peers(folders)}}
    targets, curves = tuple(map(find_target, study.targets)), tuple(map(find_curve, study.curves))
    return study.plan(Ask(targets, curves, "datasheet", chosen))


def place_of(job: Job) -> tuple[str | None, ...]:
    """What a job measures."""
    row = job.row
    target = row.target.name, row.mode_name, row.configuration.library, row.config_key
    image = "+".join(row.image_ops), "+".join(row.extras) or None
    return *target, row.curve_name, row.op, *image, job.opt


def place(record: StudyRecord) -> tuple[str | None, ...]:
    """What a record is of."""
    row = record.target, record.mode, record.library, record.config_key
    return *row, record.curve, record.op, record.image_ops, record.extras, record.opt


def kept_tls() -> list[TlsRecord]:
    """The records of the study of TLS clients, whose rows are connections; none: never run."""
    path = RECORDS / f"{tls.NAME}.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).splitlines() if path.is_file() else []
    return [msgspec.json.decode(line, type=TlsRecord) for line in lines]


def pages() -> dict[str, str]:
    """Every page and plot of the folder `results` of the site with its text, by its name, from the
    records that are kept.
    """
    peers, found = outside_peers() | all_peers(), {}
    index = [
        "# Results",
        "",
        "Each study answers one question. Some rows are of libraries that no package carries: "
        "[measure them again](../adding-a-peer.md#code-that-no-package-carries).",
        "",
        "Written by `make docs` from the records of `make long WHAT=studies`.",
        "",
    ]
    index += ["| study | question | chips |", "| --- | --- | --- |"]
    for study in all_studies().values():
        if records_path(study).is_file():
            rows = kept(study)
            found[f"{study.name}.md"] = page(study, rows, peers)
            for chart in study.charts(rows):
                found[f"{study.name}-{chart.name}.svg"] = svg(chart)
            targets = ", ".join(dict.fromkeys(record.target for record in rows))
            index.append(f"| [{study.name}]({study.name}.md) | {study.title} | {targets} |")
    if records := kept_tls():
        found[f"{tls.NAME}.md"] = tlsdocument.page(records)
        platforms = ", ".join(dict.fromkeys(record.platform for record in records))
        index.append(f"| [{tls.NAME}]({tls.NAME}.md) | {tls.TITLE} | {platforms} |")
    found["ahead.md"] = ahead_page()
    found["fair-play.md"] = fair_play(peers)
    found["coverage.md"] = covered.page(coverage())
    index.append("| [ahead](ahead.md) | Ahead: which library another one beats | five |")
    index.append("| [coverage](coverage.md) | Every published figure, reproduced or not | all |")
    index.append("| [fair-play](fair-play.md) | How each library is set up and called | all |")
    found["README.md"] = wrapped("\n".join(index) + "\n")
    return found


def fair_play(peers: Mapping[str, Peer]) -> str:
    """What each peer's manifest answers to the questions that all are asked."""
    lines = ["# Fair play: how each library is set up and called", ""]
    lines += [
        "[Adding a peer](../adding-a-peer.md) has the questions that every adapter must answer.",
        "The answers come from `peers/*/peer.toml`. Written by `make generate`; do not edit.",
        "",
    ]
    for name, peer in peers.items():
        if peer.fair_play is not None:
            lines += [f"## {name}", "", f"Version {peer.library_version}. {peer.description}.", ""]
            lines += ["| question | answer |", "| --- | --- |"]
            answers = msgspec.structs.asdict(peer.fair_play)
            lines += [f"| {key.replace('_', ' ')} | {text} |" for key, text in answers.items()]
            lines += [
                f"| {key}, default by core | {option.why} |"
                for key, option in peer.options.items()
                if option.why
            ]
            lines.append("")
    return wrapped("\n".join(lines))


def knob_page() -> str:
    """docs/knobs.md with the tables of the study of the knobs, without values that only studies
    know.
    """
    head, _, rest = KNOBS.read_text(encoding="utf-8").partition(BEGIN)
    study, values = find_study("knobs"), library_knobs()
    text = page(study, kept(study), outside_peers() | all_peers())
    tables = text[text.index("\n## ") :]  # the page of knobs has an answer of its own
    rows = tables.replace("\n## ", "\n### ").strip().splitlines()
    rows = [r for r in rows if not (of := VALUE.match(r)) or of[2] in values[of[1]].values]
    return head + BEGIN + "\n".join(rows) + "\n" + END + rest.partition(END)[2]


def jobs_of(text: str) -> int:
    """A number of parallel jobs. Errors: ArgumentTypeError."""
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1 to 256")
    return int(text)


@known(VARIANTS)
def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--docs", action="store_true", help="only write the tables")
    parser.add_argument("--new", action="store_true", help="only rows without a record")
    parser.add_argument("--again", metavar="LIBRARY,..", help="measure the rows of these again")
    parser.add_argument(
        "--on", metavar="NAME,..", default="", help="of these chips or curves alone"
    )
    parser.add_argument("--ct", metavar="LIBRARY,..", help="keep what `ecfit ct` says of these")
    parser.add_argument("--count", action="store_true", help="count rows of this machine")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument(
        "--jobs",
        type=jobs_of,
        metavar="N",
        help="number of parallel jobs; one for each processor",
    )
    parser.add_argument(
        "--peer-dir",
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="code that no package carries (docs/adding-a-peer.md); without it, its rows stay",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="studies to run; all by default")
    arguments = parser.parse_args()
    some = arguments.new or arguments.again or arguments.ct or arguments.count  # rows of it
    known = [*all_studies(), *([] if some else [tls.NAME])]
    for name in arguments.names:
        if name not in known:
            here = " for --new, --again, --ct, --count" if some else ""
            parser.error(f"unknown study '{name}'{here}: known: {', '.join(known)}")
    folders = {n: Path(f) for n, _, f in (one.partition("=") for one in arguments.peer_dir)}
    if some:
        for name in arguments.names:
            if arguments.new or arguments.again:
                again = (arguments.again or "").split(",")
                on = [one for one in arguments.on.split(",") if one]
                add(find_study(name), folders, arguments.jobs or os.cpu_count() or 1, again, on)
            count(find_study(name), folders, arguments.jobs or os.cpu_count() or 1)
            if arguments.ct:
                follow(find_study(name), folders, arguments.ct.split(","))
    elif not arguments.check and not arguments.docs:
        options = ["--quiet"] if arguments.quiet else []
        options += ["--jobs", str(arguments.jobs)] if arguments.jobs else []
        options += [part for pair in arguments.peer_dir for part in ("--peer-dir", pair)]
        for name in arguments.names or known:
            measure(name if name == tls.NAME else find_study(name).name, options)
            if name != tls.NAME:
                count(find_study(name), folders, arguments.jobs or os.cpu_count() or 1)
    if (text := knob_page()) == KNOBS.read_text(encoding="utf-8"):
        return 0
    if arguments.check:
        print("docs/knobs.md is not what the records say: run 'make generate'", file=sys.stderr)
        return 1
    KNOBS.write_text(text, encoding="utf-8")
    print("wrote docs/knobs.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
