#!/usr/bin/env python3
"""How often an editor finds the definition of a function of the library: clangd's answers, by the
protocol that editors speak, against what the compiler's preprocessor says.

tools/checks/clangd.py     after `make editor`: asks at one call of each function, prints the count
    --list                        and each function with its file
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from ecfit.choices.curves import CURVES
from tools.checks.editor import COMMANDS, FOLDER, MARKER, ROOT, SRC, preprocessed

PROGRAM = Path(sys.executable).with_name("clangd")  # of the test extras
CALL = re.compile(r"\b(?:(N|F|API)\((\w+)\)|([a-z]\w+))(?=\()")
DEFINED = re.compile(r"\b(\w+)\s*\([^;{}()]*(?:\([^()]*\)[^;{}()]*)*\)\s*\{")
COMMENT = re.compile(r"/\*.*?\*/", re.S)


class Call(NamedTuple):
    """Where a function is called, from 0 on, and the file that has its definition."""

    name: str
    file: Path
    line: int
    column: int
    defined: Path


class Clangd:
    """The language server, which reads and answers messages of JSON."""

    def __init__(self, root: Path = ROOT) -> None:
        command = [str(PROGRAM), "--background-index=false", "--log=error", "-j=2"]
        self.process = subprocess.Popen(
            [*command, f"--compile-commands-dir={root}"], cwd=root,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.number = 0
        self.ask("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {}})
        self.tell("initialized", {})

    def __enter__(self) -> Clangd:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def tell(self, method: str, params: object, **more: object) -> None:
        """Sends a message."""
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method: str, params: object) -> Any:
        """Sends a request; its result."""
        self.number += 1
        self.tell(method, params, id=self.number)
        assert self.process.stdout is not None
        while True:
            size = 0
            for line in iter(self.process.stdout.readline, b"\r\n"):
                if not line:
                    raise RuntimeError("clangd ended")
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            answer = json.loads(self.process.stdout.read(size))
            if answer.get("id") == self.number and "method" not in answer:
                return answer.get("result")

    def open(self, path: Path) -> None:
        """As an editor does."""
        text = path.read_text(encoding="utf-8")
        document = {"uri": path.as_uri(), "languageId": "c", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def close(self, path: Path) -> None:
        """As an editor does."""
        self.tell("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def definition(self, path: Path, line: int, column: int) -> list[tuple[Path, int]]:
        """Files and lines, from 0 on."""
        where = {"line": line, "character": column}
        asked = {"textDocument": {"uri": path.as_uri()}, "position": where}
        found = self.ask("textDocument/definition", asked) or []
        return [
            (Path(unquote(urlsplit(one["uri"]).path)), one["range"]["start"]["line"])
            for one in found
        ]


def definitions(text: str) -> dict[str, Path]:
    """Functions of a preprocessed text, by name, with the file that defines each."""
    where, plain, starts = Path(), "", []
    for row in text.splitlines(keepends=True):
        if marker := MARKER.match(row):
            where = Path(marker[2])
        else:
            starts.append((len(plain), where))
            plain += row
    found: dict[str, Path] = {}
    for match in DEFINED.finditer(plain):
        at = max(index for index, (start, _) in enumerate(starts) if start <= match.start())
        found.setdefault(match[1], starts[at][1])
    return found


def compiled(text: str) -> set[tuple[Path, int]]:
    """The lines, from 0 on, that are in a preprocessed text: clangd answers nothing elsewhere."""
    where, number, found = Path(), 0, set()
    for row in text.splitlines():
        if marker := MARKER.match(row):
            where, number = Path(marker[2]), int(marker[1]) - 1
            continue
        if row.strip():
            found.add((where, number))
        number += 1
    return found


def calls(curve: str, files: dict[Path, str]) -> Iterator[Call]:
    """One call of each function of the library, in a file that has its command from this curve."""
    text = preprocessed(FOLDER / curve)
    defined, there = definitions(text), compiled(text)
    seen = set()
    for path, owner in files.items():
        text = path.read_text(encoding="utf-8") if owner == curve else ""
        bare = COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        for number, row in enumerate(bare.splitlines()):
            here = row.startswith("    ") and (path, number) in there
            for match in CALL.finditer(row) if here else ():
                macro, name = match[1], match[2] or match[3]
                names = {
                    "N": [f"{curve}_{name}"],
                    "API": [f"ecfit_{curve}_{name}"],
                    "F": [one for one in defined if one.endswith(f"_{name}")],
                    None: [name],
                }[macro]
                known = [one for one in names if one in defined]
                if known and known[0] not in seen:
                    seen.add(known[0])
                    column = match.start(2 if macro else 3)
                    yield Call(name, path, number, column, defined[known[0]])


def owners() -> dict[Path, str]:
    """Each file that has a command, and the curve that it is of."""
    found: dict[Path, str] = {}
    for entry in json.loads(COMMANDS.read_text(encoding="utf-8")):
        config = next(word for word in entry["arguments"] if word.startswith(f"-I{FOLDER}"))
        found[Path(entry["file"])] = Path(config[2:]).name
    return found


def measure() -> Iterator[tuple[Call, list[tuple[Path, int]]]]:
    """Each call with clangd's answer; a function that several curves share counts once."""
    files, seen = owners(), set()
    with Clangd() as server:
        for curve in CURVES:
            by_file: dict[Path, list[Call]] = {}
            for call in calls(curve, files):
                if (call.name, call.defined) not in seen:
                    seen.add((call.name, call.defined))
                    by_file.setdefault(call.file, []).append(call)
            for path, listed in by_file.items():
                server.open(path)
                for call in listed:
                    yield call, server.definition(path, call.line, call.column)
                server.close(path)


def main() -> int:
    """Command line. Returns the exit code: 1 where an answer is wrong."""
    asked = right = 0
    for call, answer in measure():
        asked += 1
        wanted = call.defined.relative_to(SRC)
        if [path for path, _ in answer] == [call.defined]:
            right += 1
            if "--list" in sys.argv:
                print(f"{call.name} {wanted}")
        else:
            got = ", ".join(path.name for path, _ in answer) or "nothing"
            place = f"{call.file.relative_to(SRC)}:{call.line + 1}"
            print(f"{place}: {call.name} is in {wanted}, and clangd answers {got}")
    print(f"clangd finds the definition of {right} of {asked} functions")
    return int(right < asked or not asked)


if __name__ == "__main__":
    sys.exit(main())
