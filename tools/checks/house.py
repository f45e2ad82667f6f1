#!/usr/bin/env python3
"""How many files and names a reader of lib/src has to hold in his head: a table with its limits.

tools/checks/house.py            prints it; exit code 1 where a figure is above its limit

A limit is what was reached, so it may only shrink: lower it in the commit that lowers the figure.
A goal is where the figure is to go.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

from ecfit.build.combs import tables_of_presets
from ecfit.build.toolchain import find_toolchain
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, OPS
from ecfit.choices.targets import find_target
from ecfit.paths import LIB

ROOT = LIB.parent
SRC = LIB / "src"
BACKENDS = ("armv6m", "armv7m", "armv7em", "rv32im", "avr")
MANY = 4  # definitions of one name that a reader can still tell apart
ROUTINE = "secp256r1_fe_mul"
DEFINED = re.compile(r"^(?:\w+[ *]+)*(?:N|F|API)\((\w+)\)\(", re.M)
# Figure: limit, goal. Recovery and verification in parts brought 4 slots, 6 files,
# 109 lines of the menu and 23 of each curve; Schnorr signatures 3 slots, 3 files, and 59 lines of
# the menu; SPAKE2+ 2 slots, a file; signing in parts a slot, a file.
LIMITS = {
    "files in lib/src": (407, 400),
    "files from the slot to the assembly of P-256's fe_mul": (3, 3),
    "functions that ctags does not find by name, %": (1, 5),
    "names with more than four definitions": (10, 10),
    ".inc files by hand without a line of C": (0, 0),
    "computed includes": (80, 70),
    "macros with more than one definition": (11, 30),
    "macros undefined in mid-stream": (0, 0),
    "assembly files of a back end, at most": (14, 20),
    "tables of combs that no preset has": (0, 0),
    "diff of a new curve, lines": (786, 700),
    "menu and header of the packages, lines": (2913, 3000),
}


@cache
def texts() -> dict[str, str]:
    """Every file of lib/src without its comments, lines that go on joined."""
    found = {}
    for path in sorted(SRC.rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            bare = re.sub(r"/\*.*?\*/", "", text, flags=re.S) if path.suffix != ".S" else text
            found[str(path.relative_to(SRC))] = bare.replace("\\\n", " ")
    return found


def generated(name: str) -> bool:
    """Whether a tool writes the file."""
    return "enerated by" in (SRC / name).read_text(encoding="utf-8")[:1000]


def code() -> dict[str, str]:
    """The files in C."""
    return {name: text for name, text in texts().items() if not name.endswith(".S")}


def hops() -> int:
    """Files that are open, one in the other, from the file in the slot REDUCE of P-256 to the line
    that declares its product, and from the assembly's first file to the routine; without the first
    files of the two.
    """
    target = find_target("nrf52840")
    toolchain = find_toolchain("gcc", target.arch, target.core, "Os")
    setting = knobs.resolve(CURVES["secp256r1"], "fast", {}, target.backend)
    with tempfile.TemporaryDirectory() as name:
        header = knobs.header(setting, ["secp256r1"], OPS, extras=True)
        (Path(name) / "ecfit_config.h").write_text(header, encoding="utf-8")
        include = [f"-I{path}" for path in (name, LIB / "include", SRC)]
        count = 0
        for source in ("ecfit.c", "ecfit_asm.S"):
            command = [*toolchain.compile, *include, "-E", str(SRC / source)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            stack = opened(done.stdout, re.compile(rf"\becfit_{ROUTINE}\b"))
            names = [str(Path(path).relative_to(SRC)) for path in stack if str(SRC) in path]
            slot = next((i for i, name in enumerate(names) if name.startswith("field/")), 1)
            count += len(names) - (slot if source.endswith(".c") else 1)
        return count


def opened(text: str, line: re.Pattern[str]) -> list[str]:
    """The files that are open where a preprocessed text first has the line."""
    stack: list[str] = []
    for row in text.splitlines():
        marker = re.match(r'# \d+ "([^"]+)"((?: \d)*)', row)
        if not marker:
            if line.search(row):
                return stack
        elif " 1" in marker[2]:
            stack.append(marker[1])
        elif " 2" in marker[2]:
            while stack and stack[-1] != marker[1]:
                stack.pop()
        elif not stack:
            stack.append(marker[1])
    raise RuntimeError(f"nothing has {line.pattern}")


def tags() -> Counter[str]:
    """The functions that ctags finds, as an editor does."""
    command = ["ctags", "-R", "-f", "-", "lib/src"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    rows = [row.split("\t") for row in done.stdout.splitlines()]
    return Counter(row[0] for row in rows if len(row) > 3 and row[3] == "f")


def missed(found: Counter[str]) -> float:
    """Of the functions that are defined through a macro for names: how many ctags misses, %."""
    wanted = {
        match[1]
        for text in code().values()
        for match in DEFINED.finditer(text)
        if "{" in text[match.end() : text.find(";", match.end())]
    }
    return 100 * sum(name not in found for name in wanted) / max(1, len(wanted))


def macros() -> tuple[int, int]:
    """Macros with more than one definition; macros undefined elsewhere than in curve/end.inc."""
    defined: Counter[str] = Counter()
    undefined = set()
    for name, text in code().items():
        if generated(name) and "curve/" in name:
            continue  # parameters: the same names for each curve
        defined.update(set(re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M)))
        if name != "curve/end.inc":
            undefined |= set(re.findall(r"^\s*#\s*undef\s+(\w+)", text, re.M))
    return sum(count > 1 for count in defined.values()), len(undefined)


def empty() -> int:
    """Files *.inc by hand that have directives alone."""
    return sum(
        name.endswith(".inc")
        and not generated(name)
        and not re.sub(r"^\s*#.*$", "", text, flags=re.M).strip()
        for name, text in code().items()
    )


def combs() -> int:
    """Tables of base points that no preset has on any core."""
    used = tables_of_presets()
    return len([name for name in texts() if name.startswith("curve/comb/") and name not in used])


def new_curve() -> int:
    """The diff of a new curve as docs/adding-a-curve.md says; its test follows the page and holds
    the figure (tests/docs/test_adding_a_curve.py).
    """
    page = (ROOT / "docs" / "adding-a-curve.md").read_text(encoding="utf-8")
    found = re.search(r"at most ([\d,]+) in all", page)
    if not found:
        raise RuntimeError("docs/adding-a-curve.md says no size of the change")
    return int(found[1].replace(",", ""))


def of_packages() -> int:
    """Lines of the menu and the header of the packages, which hold each curve."""
    names = ("Kconfig.knobs", "include/ecfit_config.h")
    found = [(ROOT / "packages" / name).read_text(encoding="utf-8") for name in names]
    return sum(len(text.splitlines()) for text in found)


def figures() -> dict[str, float]:
    """The table."""
    found = tags()
    several, undefined = macros()
    assembly: dict[str, int] = defaultdict(int)
    for name in texts():
        for backend in BACKENDS:
            assembly[backend] += name.endswith(".S") and f"/{backend}/" in name
    computed = sum(
        len(re.findall(r"^\s*#\s*include\s+[A-Z]", text, re.M)) for text in code().values()
    )
    values = (
        len(texts()), hops(), missed(found), sum(n > MANY for n in found.values()), empty(),
        computed, several, undefined, max(assembly.values()), combs(), new_curve(),
        of_packages(),
    )  # fmt: skip
    return dict(zip(LIMITS, values, strict=True))


def main() -> int:
    """Command line."""
    over = []
    print(f"{'':56} {'now':>6} {'limit':>6} {'goal':>6}")
    for name, value in figures().items():
        limit, goal = LIMITS[name]
        print(f"{name:56} {value:6.0f} {limit:6} {goal:6}")
        over += [name] if value > limit else []
    for name in over:
        print(f"house: above its limit: {name}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
