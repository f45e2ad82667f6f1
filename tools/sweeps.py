#!/usr/bin/env python3
"""Run what no ring of CI runs, and keep when it last passed. tools/sweeps.toml has the commands.

tools/sweeps.py run [NAME,..]       runs these (make long); of each that passes, results/sweeps.toml
                                    keeps date, commit and minutes. Without a name: their list
tools/sweeps.py evidence [KIND,..]  runs those that make kept records, where the last pass is older
                                    than what they depend on (make evidence), and measures a sample
                                    of what is kept again; exit code 1 where that contradicts a row
tools/sweeps.py status [--no-sample]   which records are old, and the minutes to make them again
tools/sweeps.py fresh               exit code 1, in one line, when some are (make release)
tools/sweeps.py doc [--check]       writes the table of CONTRIBUTING.md; or exit code 1: it differs

A pass outside a git checkout is not kept. Of the variables behind `make long`, those that say how
much ran are kept with their values, of others the name.
"""

from __future__ import annotations

import gzip
import json
import os
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SWEEPS, KEPT, PAGE = "tools/sweeps.toml", "results/sweeps.toml", "CONTRIBUTING.md"
BEGIN, END = "<!-- table: tools/sweeps.py doc -->\n", "<!-- end -->\n"
HEAD = "# When each sweep last passed: tools/sweeps.py writes this, nobody else.\n"
WRITTEN = ("results", "docs", "evidence", PAGE)  # by sweeps: a change there is none of the code
LIBRARY = ("lib/src", "lib/include", "lib/knobs.toml", "lib/leaves.toml")
SIZES = {"EACH", "KEEP", "N", "SAMPLE", "SEED"}  # variables whose values are kept
IGNORED = {"JOBS", "WHAT", "KIND"}


def sweeps(root: Path) -> dict[str, dict[str, Any]]:
    """All of them, in the order of their file."""
    return tomllib.loads((root / SWEEPS).read_text(encoding="utf-8"))


def evidence(root: Path) -> dict[str, dict[str, Any]]:
    """Those that make records, which are kept."""
    return {name: sweep for name, sweep in sweeps(root).items() if "records" in sweep}


def kept(root: Path) -> dict[str, dict[str, Any]]:
    """The last pass of each sweep that has one."""
    path = root / KEPT
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def keep(root: Path, passes: dict[str, dict[str, Any]]) -> None:
    """Writes the file (atomically)."""
    lines = [HEAD]
    for name, row in sorted(passes.items()):
        lines.append(f"\n[{name}]\n")
        lines += [f"{key} = {toml(value)}\n" for key, value in row.items()]
    partial = root / f"{KEPT}.partial"
    partial.write_text("".join(lines), encoding="utf-8")
    partial.replace(root / KEPT)


def toml(value: object) -> str:
    """A date, a number or a text without quotes in it."""
    return f'"{value}"' if isinstance(value, str) else str(value)


def git(root: Path, *words: str) -> str:
    """What git says; empty where this is no checkout, or there is no git."""
    try:
        done = subprocess.run(
            ["git", "-C", root, *words], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def commit(root: Path) -> str:
    """The short hash of the commit, with -dirty if the tree has something else; empty: no git."""
    head = git(root, "rev-parse", "--short=8", "HEAD")
    others = [f":!{name}" for name in WRITTEN]
    return head + "-dirty" * bool(head and git(root, "status", "--porcelain", "--", ".", *others))


def options(flags: str) -> str:
    """What make's command line set, from MAKEFLAGS; paths stay out."""
    words = shlex.split(flags.partition("-- ")[2])
    named = [word.partition("=") for word in words]
    return " ".join(
        f"{name}={value}" if name in SIZES and value.isalnum() else name
        for name, _, value in sorted(named)
        if name not in IGNORED
    )


def chosen(names: str, among: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Those of a list with commas. Errors: ValueError."""
    wanted = [name for name in names.split(",") if name]
    if unknown := [name for name in wanted if name not in among]:
        raise ValueError(f"{unknown[0]}: no such name; there are {', '.join(among)}")
    return {name: among[name] for name in wanted}


def shell(root: Path, commands: str) -> int:
    """The exit code of commands of a sweep."""
    names = {
        "PYTHON": shlex.quote(sys.executable),
        "ECFIT": '"$PYTHON -m ecfit"',
        "PYTEST": '"$PYTHON -m pytest"',
        "JOBS": os.environ.get("JOBS", "2"),
    }
    head = "\n".join(f"{key}={value}" for key, value in names.items())
    return subprocess.run(["sh", "-ec", f"{head}\n{commands}"], cwd=root, check=False).returncode


def run(root: Path, name: str, commands: str) -> bool:
    """Runs a sweep by a shell, and keeps a pass. Whether it passed."""
    start, on = time.time(), commit(root)
    if shell(root, commands):
        print(f"{name}: did not pass", file=sys.stderr)
        return False
    if not on:
        return True
    if commit(root).partition("-")[0] != on.partition("-")[0]:  # somebody committed meanwhile
        on = on.removesuffix("-dirty") + "-dirty"
    row = {
        "date": time.strftime("%Y-%m-%d"),
        "commit": on,
        "minutes": round((time.time() - start) / 60),
        "options": options(os.environ.get("MAKEFLAGS", "")),
    }
    keep(root, kept(root) | {name: row})
    write(root)
    print(f"{name}: passed on {on}; {KEPT} and {PAGE} have it")
    return True


def rows(root: Path) -> list[tuple[str, ...]]:
    """Name, what for, date, commit, minutes (~: an estimate) and options of each.
    Errors: ValueError for a pass of what is no sweep.
    """
    passes, every = kept(root), sweeps(root)
    if set(passes) - set(every):
        raise ValueError(f"{KEPT}: not in {SWEEPS}: {sorted(set(passes) - set(every))}")
    lines = []
    for name, sweep in every.items():
        row = passes.get(name)
        cells = (
            (row["date"], row["commit"], str(row["minutes"]), row["options"])
            if row
            else ("never recorded", "", f"~{sweep['minutes']}", "")
        )
        lines.append((name, sweep["what"], *cells))
    return lines


def table(root: Path) -> str:
    """A row for each sweep."""
    lines = [
        "| sweep | what for | last passed | on commit | minutes | with |",
        "| --- | --- | --- | --- | ---: | --- |",
    ]
    for name, what, date, on, minutes, more in rows(root):
        cells = (f"`{name}`", what, date, f"`{on}`" * bool(on), minutes, more)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def page(root: Path) -> str:
    """The page with today's table."""
    head, _, rest = (root / PAGE).read_text(encoding="utf-8").partition(BEGIN)
    return f"{head}{BEGIN}\n{table(root)}\n{END}{rest.partition(END)[2]}"


def write(root: Path) -> None:
    """Writes the table."""
    (root / PAGE).write_text(page(root), encoding="utf-8")


# ---- evidence ------------------------------------------------------------------------------------


def last(root: Path, name: str, records: Sequence[str]) -> tuple[str, str]:
    """The commit of the records, and what to say of it: of the last pass, or else the last one that
    changed them. No commit where neither is known, as of a page, which has other words as well.
    """
    if row := kept(root).get(name):
        return row["commit"].removesuffix("-dirty"), f"passed {row['date']} {row['commit']}"
    changed = git(root, "log", "-1", "--format=%cs %h", "--abbrev=8", "--", *records)
    if not changed or not records[0].startswith("results/"):
        return "", "never recorded"
    return changed.partition(" ")[2], f"changed {changed}"


def since(root: Path, on: str, sweep: dict[str, Any]) -> str:
    """What has changed since a commit of what records depend on; empty: nothing."""
    paths = sweep.get("of", LIBRARY)
    if not on or not git(root, "cat-file", "-t", on):
        return "unknown"
    if not git(root, "diff", "--name-only", on, "--", *paths):
        return ""
    count = git(root, "rev-list", "--count", f"{on}..HEAD", "--", *paths)
    return f"{count} commit" + "s" * (count != "1")


def is_stale(root: Path, name: str, sweep: dict[str, Any]) -> bool:
    """Whether there is no pass, or what the records depend on has changed since then."""
    on = kept(root).get(name, {}).get("commit", "")
    return not on or on.endswith("-dirty") or bool(since(root, on, sweep))


def count(root: Path, records: Sequence[str]) -> str:
    """How many records there are in files of JSON or lines of it; a page has none to count."""
    total, pages = 0, 0
    for path in sorted(path for name in records for path in root.glob(name)):
        text = path.read_bytes()
        text = gzip.decompress(text) if path.suffix == ".gz" else text
        if ".jsonl" in path.name:
            total += len(text.splitlines())
        elif ".json" in path.name:
            try:
                read = json.loads(text)
            except ValueError:  # lines
                read = text.splitlines()
            total += len(read.get("mutants", read) if isinstance(read, dict) else read)
        else:
            pages += 1
    return str(total) if total else f"{pages} page" + "s" * (pages != 1)


def refresh(root: Path, names: str) -> bool:
    """Makes what is stale again, each as far as it goes. Whether all is made."""
    failed = False
    for name, sweep in (chosen(names, evidence(root)) or evidence(root)).items():
        if not is_stale(root, name, sweep):
            print(f"{name}: up to date")
        elif "needs" in sweep and not os.environ.get(sweep["needs"]):
            print(f"{name}: left out: needs {sweep['needs']}= ({sweep['what']})")
        else:
            failed |= not run(root, name, sweep.get("refresh", sweep["run"]))
        if "sample" in sweep and shell(root, sweep["sample"]):
            print(f"{name}: a kept row is contradicted", file=sys.stderr)
            failed = True
    return not failed


def status(root: Path, sampled: dict[str, tuple[int, int]]) -> str:
    """A line for each kind."""
    form = "{:15}{:>8}  {:28}{:13}{:17}{:>7}\n"
    text = form.format("kind", "records", "of", "since then", "sample", "minutes")
    minutes = 0
    for name, sweep in evidence(root).items():
        on, said = last(root, name, sweep["records"])
        old = since(root, on, sweep)
        stale, asked = sampled.get(name, (0, 0))
        share = f"{stale} of {asked} stale" if asked else "-"
        takes = kept(root).get(name, sweep)["minutes"]
        minutes += takes * bool(old or stale)
        cells = (name, count(root, sweep["records"]), said, old or "nothing", share, str(takes))
        text += form.format(*cells)
    return text + f"{minutes} minutes for what is stale: make evidence, or KIND=name[,name] of it\n"


def samples(root: Path) -> dict[str, tuple[int, int]]:
    """Of a few images of each kind that names them, built now: how many are others."""
    paths = os.environ | {"PYTHONPATH": "examples/secure-boot"}
    done = subprocess.run(
        [sys.executable, "-m", "tools.samples"],
        cwd=root, env=paths, stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    return json.loads(done.stdout) if done.returncode == 0 else {}


def main(words: Sequence[str]) -> int:
    """Command line."""
    try:
        return command(list(words))
    except (OSError, ValueError) as error:
        print(f"sweeps.py: {error}", file=sys.stderr)
        return 1


def command(words: list[str]) -> int:
    """The exit code. Errors: OSError, ValueError."""
    code = 0
    match words:
        case ["run"]:
            for name, what, date, on, minutes, _ in rows(ROOT):
                print(f"{name:15} {date:15}{on:15}{minutes:>6} min  {what}")
        case ["run", names]:
            every = chosen(names, sweeps(ROOT)).items()
            code = 0 if all(run(ROOT, name, sweep["run"]) for name, sweep in every) else 1
        case ["evidence", *names] if len(names) < 2:
            code = 0 if refresh(ROOT, "".join(names)) else 1
        case ["status"] | ["status", "--no-sample"]:
            print(status(ROOT, {} if words[1:] else samples(ROOT)), end="")
        case ["fresh"]:
            stale = [name for name, sweep in evidence(ROOT).items() if is_stale(ROOT, name, sweep)]
            if stale:
                raise ValueError(f"evidence is old (make evidence-status): {', '.join(stale)}")
        case ["doc"]:
            write(ROOT)
        case ["doc", "--check"]:
            if page(ROOT) != (ROOT / PAGE).read_text(encoding="utf-8"):
                print(f"{PAGE}: its table of sweeps differs: run tools/sweeps.py doc")
                code = 1
        case _:
            print((__doc__ or "").partition("\n\nA pass")[0], file=sys.stderr)
            code = 2
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
