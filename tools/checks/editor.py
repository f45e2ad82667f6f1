#!/usr/bin/env python3
"""compile_commands.json for clangd, with which an editor finds the definition of N(fe_mul) in the
one file that a configuration compiles.

tools/checks/editor.py --preset fast --target nrf52840      (make editor PRESET=fast
                                                            TARGET=nrf52840)

A template needs what its includers have defined before it. One function has several names, one for
each curve, which the preprocessor pastes together and clangd cannot take apart. So each file of the
library has a command of its own. It includes ecfit.c first, in which an overlay of clang cuts every
includer of the file after the line that leads to it. In it N(name) is `name`, as in .ctags.d.
Lines stay where they are, so that answers name the real files.

The curve that is asked for comes first. A file that it does not compile has its command from the
next curve that does. Files that no curve compiles with this preset and target have none.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ecfit.build.combs import missing_tables
from ecfit.build.toolchain import find_toolchain
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, OPS, find_curve
from ecfit.choices.presets import find_preset
from ecfit.choices.targets import find_target
from ecfit.errors import EcfitError
from ecfit.paths import LIB

ROOT = LIB.parent
SRC = LIB / "src"
FOLDER = ROOT / "build" / "editor"
COMMANDS = ROOT / "compile_commands.json"
MARKER = re.compile(r'# (\d+) "([^"]+)"((?: \d)*)')
NAMES = re.compile(r"^#define (N|F|API)\(\w+\).*$", re.M)
NAMING = (SRC / "template.h", SRC / "curve" / "traits.h")  # N and FUSED; F and API
TARGET = FOLDER / "target"
Stack = list[tuple[Path, int]]  # files that are open, each with the line of its include


def included(text: str) -> list[tuple[Path, Stack]]:
    """Files of lib/src in the order of a preprocessed text, each with its includers."""
    nodes: list[tuple[Path, int | None, int]] = []  # path, parent, line of the include there
    current: list[int] = []
    for number, name, flags in MARKER.findall(text):
        if "1" in flags.split():
            nodes.append((Path(name), current[-1] if current else None, 0))
            current.append(len(nodes) - 1)
        elif "2" in flags.split():
            ended = current.pop()
            path, parent, _ = nodes[ended]
            nodes[ended] = (path, parent, int(number) - 1)
        elif not current and not name.startswith("<"):
            nodes.append((Path(name), None, 0))
            current.append(0)
    rows = []
    for path, parent, line in nodes:
        stack: Stack = []
        at, of = parent, line
        while at is not None:
            stack.insert(0, (nodes[at][0], of))
            of, at = nodes[at][2], nodes[at][1]
        rows.append((path, stack))
    return [(path, stack) for path, stack in rows if SRC in path.parents]


def preprocessed(folder: Path) -> str:
    """The library with the configuration in a folder, for the target that was asked for."""
    target = find_target(TARGET.read_text(encoding="utf-8"))
    compiler = find_toolchain("gcc", target.arch, target.core, "Os").compile
    include = [f"-I{path}" for path in (folder, LIB / "include", SRC)]
    command = [*compiler, *include, "-E", str(SRC / "ecfit.c")]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def before(stack: Stack) -> dict[Path, str]:
    """What an included file finds defined: its includers up to the line that includes it, each of
    them with its lines where they are.
    """
    found = {path: path.read_text(encoding="utf-8") for path in NAMING}
    for number, (path, line) in enumerate(stack):
        last = line if number + 1 < len(stack) else line - 1
        text = "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:last])
        opened = len(re.findall(r"^#if", text, re.M)) - len(re.findall(r"^#endif", text, re.M))
        found[path] = text + "#endif\n" * opened
    return {path: NAMES.sub(r"#define \1(name) name", text) for path, text in found.items()}


def overlay(folder: Path, files: dict[Path, str]) -> str:
    """The option with which clang finds other contents in these files."""
    roots = []
    for path, text in files.items():
        kept = folder / str(path.relative_to(SRC))
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(text, encoding="utf-8")
        roots.append({"type": "file", "name": str(path), "external-contents": str(kept)})
    listed = folder / "overlay.json"
    whole = {"version": 0, "use-external-names": "false", "roots": roots}
    listed.write_text(json.dumps(whole), encoding="utf-8")
    return f"-ivfsoverlay{listed}"


def write(preset: str, target_name: str, first: str) -> list[dict[str, object]]:
    """The configurations, what comes before each file, and the commands. Errors: EcfitError."""
    target = find_target(target_name)
    clang = find_toolchain("clang", target.arch, target.core, "Os").compile
    flags = [word for word in clang if word.startswith(("--target", "-m", "-std"))]
    find_preset(preset)  # before the old folder goes
    first = find_curve(first).name
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    TARGET.write_text(target.name, encoding="utf-8")
    commands: dict[Path, dict[str, object]] = {}
    for curve in dict.fromkeys([first, *CURVES]):
        setting = knobs.resolve(CURVES[curve], preset, {}, target.backend)
        files = {"ecfit_config.h": knobs.header(setting, [curve], OPS, extras=True)}
        files |= missing_tables(curve, dict(setting.settings))
        folder = FOLDER / curve
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        include = [f"-I{path}" for path in (folder, LIB / "include", SRC)]
        for path, stack in included(preprocessed(folder)):
            if path in commands:
                continue
            command = ["clang", *flags, "-ffreestanding", "-Wno-everything", *include, "-xc"]
            name = str(path.relative_to(SRC)).replace("/", "-")
            command.append(overlay(folder / "before" / name, before(stack)))
            if stack:
                command += ["-include", str(stack[0][0])]
            commands[path] = {
                "directory": str(ROOT),
                "file": str(path),
                "arguments": [*command, "-c", str(path)],
            }
    listed = list(commands.values())
    COMMANDS.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    return listed


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Write compile_commands.json for clangd.")
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--target", default="nrf52840")
    parser.add_argument("--curve", default="secp256r1", help="the curve that comes first")
    arguments = parser.parse_args()
    try:
        listed = write(arguments.preset, arguments.target, arguments.curve)
    except EcfitError as error:
        sys.exit(f"editor: {error}")
    print(f"wrote compile_commands.json: {len(listed)} files")


if __name__ == "__main__":
    main()
