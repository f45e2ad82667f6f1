#!/usr/bin/env python3
"""Constant time on the instructions of the targets: `ecfit ct` for every preset and curve,
and for further settings.

tools/ct.py                  runs PLAN; exit code 5 when anything leaks, another
                             when a row does not run
tools/ct.py --only NAME      runs the lines whose name has NAME in it
tools/ct.py --doc            writes the tables of docs/constant-time.md: PLAN, what takes variable
                             time on each core, and the files that declare something public; and the
                             record of compilers as that of docs/compilers.md
tools/ct.py --doc --check    writes nothing; exit code 1 when a table differs
tools/ct.py --compilers      checks what each compiler that is there makes of each curve for each
                             core, levels and presets in turn; writes the record, and goes on
                             where it stopped
tools/ct.py --compilers --only WORDS --sample N --seed S
                             of all levels and presets the images with all WORDS in their names,
                             or N of them
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import msgspec

from ecfit import cli
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import all_knobs, find_slot, resolve
from ecfit.choices.knobspace import nearest
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.commands.ct import DECLARED, LEAK, Check
from ecfit.paths import LIB
from ecfit.sim.machine import load_model, model_names
from tools import ct_compilers

DOCS = Path(__file__).resolve().parents[1] / "docs"
BEGIN, END = "<!-- table: tools/ct.py{} -->\n", "<!-- end -->\n"
DECLARES = re.compile(r"\b(?:ECFIT_DECLASSIFY|bytes_known)\(")
CORES = ",".join(ct_compilers.CORES)  # in M3 long multiplications end early
WEIERSTRASS = "all but those of RFC 7748 and 8032"
EACH_KIND = "secp256r1,x25519,ed25519"


class Line(msgspec.Struct, frozen=True):
    """A line of the plan: a run of `ecfit ct` for each of `sets`,
    which are --set options between spaces.
    """

    name: str
    presets: str = "all"
    curves: str = "all"
    targets: str = CORES
    builds: tuple[str, ...] = ("gcc Os",)
    sets: tuple[str, ...] = ("",)
    ops: str = "all"

    def commands(self) -> list[list[str]]:
        """The arguments of each run."""
        curves = self.curves
        if curves == WEIERSTRASS:
            curves = ",".join(name for name, curve in CURVES.items() if curve.form == "weierstrass")
        return [
            ["--preset", self.presets, "--curve", curves, "--target", self.targets, "--n", "2",
             "--toolchain", build.split()[0], "--opt", build.split()[1],
             "--op", self.ops, *(word for setting in sets.split() for word in ("--set", setting))]
            for build in self.builds
            for sets in self.sets
        ]  # fmt: skip


M0 = "lpc1114"
NAMED = (
    Line("presets"),
    Line("presets, clang", builds=("clang Os",)),
    Line("optimisation", curves=EACH_KIND, builds=("gcc O2", "gcc O3", "clang O2", "clang O3")),
    Line("in pieces", curves=WEIERSTRASS, targets=M0,
        sets=("RESUME=steps", "RESUME=steps WORK=caller")),
    Line("messages", "tiny,balanced", WEIERSTRASS, M0, ops="sign_message"),
    Line("Schnorr signatures", "tiny,balanced", "secp256k1", M0, ops="sign_schnorr",
        sets=("", "BLIND=both")),
    Line("SPAKE2+", "tiny,balanced,compact", "secp256r1", M0, ops="spake2p_prover,spake2p_verifier",
        sets=("", "BLIND=both")),
    Line("messages of a reader", "tiny,balanced", "ed25519,ed448", ops="sign_parts",
        builds=("gcc Os", "clang Os")),
    Line("nonces", "balanced", WEIERSTRASS, M0, sets=("NONCE=hedged", "NONCE=random")),
    Line("verified", "balanced", WEIERSTRASS, M0,
        sets=("CHECK=verify", "CHECK=verify NONCE=hedged", "CHECK=verify NONCE=random")),
    Line("verified, EdDSA", curves="ed25519,ed448", sets=("CHECK=verify",)),
    Line("blinding", "compact", WEIERSTRASS, M0,
        sets=("BLIND=coordinates", "BLIND=scalar", "BLIND=both")),
    Line(
        "multiplication, tiny", "tiny", WEIERSTRASS, M0,
        sets=("MULV=ladder_x", "REDUCE=mont INSTANCE=shared"),
    ),
    Line(
        "multiplication, balanced", "balanced", WEIERSTRASS, M0,
        sets=("MULV=binary", "TABLE=affine WINDOW=3"),
    ),
    Line("public keys by a table", "balanced", "x25519,x448",
        sets=("MULG=comb_edwards",)),
    Line("arithmetic", "balanced", "all", M0,
        sets=("REDUCE=mont", "INVERT=fermat", "INVERT=bingcd", "INVERT=windows", "SQUARE=as_mul",
              "SHA512=roots")),
    Line("formulas in tables", "tiny", WEIERSTRASS, M0,
        sets=("COORDINATES=jacobian_run MULV=digits MULD=digits",
              "COORDINATES=jacobian_run MULV=digits_four MULD=digits",
              "COORDINATES=jacobian_run MULV=ladder_coz MULD=digits")),
    Line("ladder on a line, the smallest", "compact", "secp256r1",
        sets=("COORDINATES=jacobian_run MULV=ladder_coz MULD=digits TABLE=projective "
              "INVERT=fermat",)),
    Line("squares of 128 bits", "compact", "secp256r1", M0,
        sets=("SQUARE=own",
              "SQUARE=own COORDINATES=jacobian_run MULV=ladder_coz MULD=digits TABLE=projective "
              "INVERT=windows")),
    Line("key pair", "balanced", "ed25519,ed448", sets=("SIGN=eddsa_pair",)),
    Line("portable C", "balanced", EACH_KIND, "lpc1114,cc2538", sets=("BACKEND=w32m16",)),
    Line("portable C, w32", "balanced", EACH_KIND, "nrf52840,ibex", sets=("BACKEND=w32",)),
    Line("floating-point registers", "compact,fast", "x25519", "nrf52840,nrf5340",
        builds=("gcc Os", "clang Os"), sets=("FPU=words",)),
    Line("short words", "tiny", EACH_KIND, M0,
        sets=("BACKEND=w16 REDUCE=mont", "BACKEND=w8 REDUCE=mont")),
    Line("AVR", "balanced", "secp256r1,secp160r1,x25519,ed25519", "atmega1284p"),
)  # fmt: skip


def unnamed() -> list[Line]:
    """A line for each value of a slot that no line above has, on the first curve of each kind that
    has it. Left out: what decides about public data alone, has a line of its own (back ends), is
    the caller's.
    """
    used = {pair for line in NAMED for sets in line.sets for pair in sets.split()}
    slots = [find_slot(name) for name in EACH_KIND.split(",")]
    for slot in slots:
        for preset, target in product(all_presets(), CORES.split(",")):
            found = resolve(CURVES[slot.name], preset, {}, find_target(target).backend)
            used |= {f"{name}={value}" for name, value in found.settings}
    lines = []
    for knob in all_knobs().values():
        if knob.apart or knob.ops == ("verify",) or knob.name in ("BACKEND", "VERIFY", "DER"):
            continue
        for value, choice in knob.choices.items():
            if f"{knob.name}={value}" in used or value in ("none", "caller"):
                continue
            for slot in slots:
                own = {knob.name: value}
                if slot.takes(choice):
                    more = nearest(CURVES[slot.name], "balanced", find_target(M0).backend, own)
                    if more is not None and (knob.scope == "global" or knob.concerns(slot)):
                        sets = " ".join(f"{name}={one}" for name, one in more.items())
                        lines.append(Line("others", "balanced", slot.name, M0, sets=(sets,)))
                        break
    return lines


PLAN = (*NAMED, *unnamed())


class Tally(msgspec.Struct):
    """What came of runs: operations checked, places that leak, operations
    that did not run; seconds.
    """

    operations: int = 0
    leaks: int = 0
    failed: int = 0
    seconds: float = 0.0
    code: int = 0

    def add(self, done: Iterable[Check]) -> None:
        """Counts the lines of one run: each operation has one comparison of runs,
        or none when it did not run.
        """
        for check in done:
            self.operations += check.check == "equality"
            self.leaks += check.status == LEAK
            self.failed += check.status not in {"ok", LEAK, DECLARED}

    def __str__(self) -> str:
        return (
            f"{self.operations} operations, {self.leaks} findings, {self.failed} not run, "
            f"{self.seconds:.0f} s"
        )


def run(arguments: list[str], tally: Tally) -> None:
    """One run of `ecfit ct`, counted."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "checks.json")
        code = cli.run(["ct", "--quiet", "--format", "json", "-o", str(path), *arguments])
        tally.add(
            msgspec.json.decode(path.read_bytes(), type=list[Check]) if path.is_file() else []
        )
    tally.code = tally.code or code
    tally.seconds += time.monotonic() - begin


def follow(only: str, more: list[str]) -> int:
    """Runs the plan and says what came of each line. The exit code of the first run that failed."""
    total = Tally()
    for line in PLAN:
        if only not in line.name:
            continue
        tally = Tally()
        for arguments in line.commands():
            run([*arguments, *more], tally)
        sys.stdout.write(f"ct: {line.name}: {tally}\n")
        sys.stdout.flush()
        for field in ("operations", "leaks", "failed", "seconds"):
            setattr(total, field, getattr(total, field) + getattr(tally, field))
        total.code = total.code or tally.code
    sys.stdout.write(f"ct: all: {total}\n")
    return total.code


def table() -> str:
    """The plan in Markdown."""
    rows = [
        "| line | presets | curves | targets | compiler | settings | operations |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for line in PLAN:
        sets = ", ".join(f"`{setting}`" if setting else "-" for setting in line.sets)
        cells = (
            line.name,
            line.presets,
            line.curves,
            line.targets,
            ", ".join(line.builds),
            sets,
            line.ops,
        )
        rows.append(
            "| " + " | ".join(cell.replace(",", ", ").replace(",  ", ", ") for cell in cells) + " |"
        )
    return "\n".join(rows) + "\n"


def variable_time() -> str:
    """Of each model, the rows whose time depends on operands, in Markdown."""
    rows = ["| model | variable-time: cycles | source |", "| --- | --- | --- |"]
    for name in model_names():
        model = load_model(name)
        variable = [(row, model.rows[row]) for row in model.variable_rows()]
        cells = [f"`{row}`: {cost.cycles_min} to {cost.cycles}" for row, cost in variable]
        cells += [
            f"with the option `{setting}`, `{row}`: {cost.cycles_min} to {cost.cycles}"
            for setting, option in model.options.items()
            for row, values in option.rows.items()
            for cost in values
            if cost.cycles_min is not None
        ]
        sources = dict.fromkeys(cost.source for _, cost in variable)
        rows.append(f"| `{name}` | {'; '.join(cells) or 'none'} | {'; '.join(sources) or '-'} |")
    return "\n".join(rows) + "\n"


def declared_public() -> str:
    """The files of the library that declare something public, each with its places in it."""
    rows = ["| file | places |", "| --- | ---: |"]
    for path in sorted((LIB / "src").rglob("*.inc")):
        if places := len(DECLARES.findall(path.read_text(encoding="utf-8"))):
            rows.append(f"| `{path.relative_to(LIB / 'src')}` | {places} |")
    return "\n".join(rows) + "\n"


def document(name: str, tables: Mapping[str, str], *, check: bool) -> int:
    """Writes or checks the tables of a page. Errors: ValueError when markers are missing."""
    page = DOCS / name
    before = after = page.read_text(encoding="utf-8")
    for part, text in tables.items():
        begin = BEGIN.format(part)
        head, rest = after.split(begin)
        after = head + begin + "\n" + text + "\n" + END + rest.split(END, 1)[1]
    if not check:
        page.write_text(after, encoding="utf-8")
    elif before != after:
        sys.stderr.write(f"docs/{name}: the table is not today's: run 'make generate'\n")
        return 1
    return 0


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description="Constant time on the instructions of the targets."
    )
    parser.add_argument(
        "--only", default="", help="the lines of the plan, or images, whose name has this in it"
    )
    parser.add_argument(
        "--doc",
        action="store_true",
        help="write the tables of docs/constant-time.md and compilers.md",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="with --doc: write nothing; exit code 1 when one differs",
    )
    parser.add_argument("--compilers", action="store_true", help="every compiler that is there")
    parser.add_argument("--sample", type=int, help="so many images, drawn with --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments, more = parser.parse_known_args()
    if arguments.doc:
        pages = {
            "constant-time.md": {
                "": table(),
                ", variable time": variable_time(),
                ", declared public": declared_public(),
            },
            "compilers.md": {"": ct_compilers.table(ct_compilers.read())},
        }
        return max(document(name, some, check=arguments.check) for name, some in pages.items())
    if arguments.compilers:
        chosen = arguments.only, arguments.sample, arguments.seed, arguments.jobs
        return ct_compilers.sweep(*chosen)
    return follow(arguments.only, more)


if __name__ == "__main__":
    sys.exit(main())
