#!/usr/bin/env python3
"""Run studies and keep what they measured: records in results/studies/, tables and plots
of them in docs/results/.

tools/docs/studies.py [NAME..]    measures (all of them by default; from the cache where nothing has
                                  changed) and writes both
tools/docs/studies.py --changed NAME..
                                  measures the rows whose configuration is another one than in the
                                  kept records, and keeps the others: after a preset got other
                                  values. What was measured before must still hold
tools/docs/studies.py --docs      writes the pages again from the records that are kept
tools/docs/studies.py --check     writes nothing; exit code 1 when a page is not what the records
                                  say
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from ecfit import cli
from ecfit.choices.curves import find_curve
from ecfit.choices.peers import Peer, all_peers, outside_peers
from ecfit.choices.targets import find_target
from ecfit.devices import tlsdocument
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store, write_atomic
from ecfit.prose import wrapped
from ecfit.show.progress import Progress
from ecfit.survey import covered
from ecfit.survey.coverage import coverage
from ecfit.survey.kept import RECORDS, kept, records_path
from ecfit.survey.plots import svg
from ecfit.survey.study import Ask, Job, StudyRecord, all_studies, find_study, page, too_large
from ecfit.survey.study import measure as measured
from ecfit.tls.record import TlsRecord
from ecfit.wire import study as tls

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "results"


def measure(name: str, arguments: list[str]) -> None:
    """Runs the command and keeps its records. Errors: RuntimeError when a row failed."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    scratch = RECORDS / f".{name}.json"
    kind: Any = TlsRecord if name == tls.NAME else StudyRecord
    try:
        code = cli.run(["study", name, "--format", "json", "-o", str(scratch), *arguments])
        if not scratch.is_file():
            raise RuntimeError(f"'ecfit study {name}' ended with exit code {code}")
        records = msgspec.json.decode(scratch.read_bytes(), type=list[kind])
        if code and (kind is TlsRecord or not any(too_large(record) for record in records)):
            raise RuntimeError(f"'ecfit study {name}' ended with exit code {code}")
    finally:
        scratch.unlink(missing_ok=True)
    lines = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    write_atomic(RECORDS / f"{name}.jsonl.gz", gzip.compress(lines, mtime=0))


def mend(name: str, jobs_at_once: int) -> None:
    """Measures rows that the kept records do not have, and keeps the rest. Errors: RuntimeError
    for a study with records that are made of others.
    """
    study = find_study(name)
    peers = {outside: outside_peers()[outside] for outside in study.outside} | all_peers()
    targets, curves = tuple(map(find_target, study.targets)), tuple(map(find_curve, study.curves))
    jobs = study.plan(Ask(targets, curves, "datasheet", peers))
    before = {_row_key(r): r for r in (kept(study) if records_path(study).is_file() else ())}
    if any(record.op == "ecdhe" or record.runner == "host" for record in before.values()):
        raise RuntimeError(f"'{name}' has records that only a whole run makes")
    found = [before.get(_job_key(job)) for job in jobs]
    missing = [index for index, record in enumerate(found) if record is None]
    bench = Bench(Settings(jobs=jobs_at_once), peers, Store())
    with Progress(len(missing), quiet=False) as progress:
        for place, record in measured(study, [jobs[index] for index in missing], bench):
            found[missing[place]] = record
            progress.done(record)
    for index, (job, record) in enumerate(zip(jobs, found, strict=True)):
        if record is not None:  # two presets may have the same values, and so one key
            preset = job.row.configuration.preset
            found[index] = msgspec.structs.replace(record, preset=preset)
    print(f"{name}: {len(missing)} of {len(jobs)} rows measured")
    lines = b"".join(msgspec.json.encode(record) + b"\n" for record in found)
    write_atomic(records_path(study), gzip.compress(lines, mtime=0))


def _row_key(r: StudyRecord) -> tuple[str | None, ...]:
    return r.target, r.curve, r.group, r.base, r.op, r.opt, r.image_ops, r.config_key


def _job_key(job: Job) -> tuple[str | None, ...]:
    row = job.row
    place = row.target.name, row.curve_name, job.group, job.base, row.op, job.opt
    return (*place, "+".join(row.image_ops), row.config_key)


def kept_tls() -> list[TlsRecord]:
    """The records of the study of TLS clients, whose rows are connections; none: never run."""
    path = RECORDS / f"{tls.NAME}.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).splitlines() if path.is_file() else []
    return [msgspec.json.decode(line, type=TlsRecord) for line in lines]


def texts() -> dict[Path, str]:
    """Every page and plot of docs/results with its text, from the records that are kept."""
    peers, found = outside_peers() | all_peers(), {}
    index = [
        "# Results",
        "",
        "Each study answers one question. Written by `make studies`; do not edit.",
        "",
    ]
    index += ["| study | question | chips |", "| --- | --- | --- |"]
    for study in all_studies().values():
        if records_path(study).is_file():
            rows = kept(study)
            found[PAGES / f"{study.name}.md"] = page(study, rows, peers)
            for chart in study.charts(rows):
                found[PAGES / f"{study.name}-{chart.name}.svg"] = svg(chart)
            targets = ", ".join(dict.fromkeys(record.target for record in rows))
            index.append(f"| [{study.name}]({study.name}.md) | {study.title} | {targets} |")
    if records := kept_tls():
        found[PAGES / f"{tls.NAME}.md"] = tlsdocument.page(records)
        platforms = ", ".join(dict.fromkeys(record.platform for record in records))
        index.append(f"| [{tls.NAME}]({tls.NAME}.md) | {tls.TITLE} | {platforms} |")
    found[PAGES / "fair-play.md"] = fair_play(peers)
    found[PAGES / "coverage.md"] = covered.page(coverage())
    index.append("| [coverage](coverage.md) | Every published figure, reproduced or not | all |")
    index.append("| [fair-play](fair-play.md) | How each library is set up and called | all |")
    found[PAGES / "README.md"] = wrapped("\n".join(index) + "\n")
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


def stale() -> dict[Path, str | None]:
    """The pages and plots whose text is not what stands in the file; None for one
    that should not be there.
    """
    wanted: dict[Path, str | None] = dict(texts())
    wanted |= {
        path: None for path in (*PAGES.glob("*.md"), *PAGES.glob("*.svg")) if path not in wanted
    }
    return {
        p: text
        for p, text in wanted.items()
        if not p.is_file() or p.read_text(encoding="utf-8") != text
    }


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--docs", action="store_true", help="only write the pages")
    parser.add_argument("--changed", action="store_true", help="only rows of other configurations")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument(
        "--jobs",
        default="",
        metavar="N",
        help="number of parallel jobs; one for each processor",
    )
    parser.add_argument(
        "--peer-dir",
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="code that no package carries (docs/outside.md); without it its rows stay as they are",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="studies to run; all by default")
    arguments = parser.parse_args()
    if not arguments.check and not arguments.docs:
        options = ["--quiet"] if arguments.quiet else []
        options += ["--jobs", arguments.jobs] if arguments.jobs else []
        options += [part for pair in arguments.peer_dir for part in ("--peer-dir", pair)]
        for name in arguments.names or [*all_studies(), tls.NAME]:
            if arguments.changed:
                mend(name, int(arguments.jobs or 2))
                continue
            measure(name if name == tls.NAME else find_study(name).name, options)
    found = stale()
    for path, text in found.items():
        name = path.relative_to(ROOT)
        if arguments.check:
            print(f"{name} is not what results/studies says: run 'make generate'", file=sys.stderr)
        elif text is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
        else:
            path.unlink()
            print(f"removed {name}")
    return 1 if arguments.check and found else 0


if __name__ == "__main__":
    sys.exit(main())
