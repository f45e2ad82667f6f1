#!/usr/bin/env python3
"""Prose of Markdown files that is hard to read; exit code 1 and one line per finding.

tools/checks/lint_prose.py          checks every Markdown file of the repository
tools/checks/lint_prose.py FILE..   prints the figures of these files, with the sentences to look
                                    at

A file passes if its sentences have at most MEAN words on average, at most LONG per cent of them
have more than WORDS words, and at most OPENERS per cent start with a word of OPENER, such as "What
is small is ..". Code, tables, headings and comments do not count. A code span is one word.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MEAN, WORDS, LONG, OPENERS = 15.0, 30, 5.0, 1.0
# Files that do not reach the goals yet: mean, share of long sentences, share of openers. An entry
# above its file's figures is a finding, too, so that the table only shrinks.
EXCEPTIONS: dict[str, tuple[float, float, float]] = {}

FENCED = re.compile(r"^ *(```|~~~).*?^ *\1", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
SPAN = re.compile(r"`[^`]*`")
ITEM = re.compile(r"\s*(?:[-*+]|\d+\.)\s+")
END = re.compile(r"(?<=[.:;?!])\s+(?=[A-Z\"(])")
OPENER = re.compile(r"(?:What|Who|Whoever|Which|Of|Nothing|None|Whether|How)\b")
LEAST = 4  # words of a sentence; shorter ones are labels


@dataclass(frozen=True)
class Figures:
    """The figures of one text, in words and per cent, and the sentences that stand out."""

    sentences: int
    mean: float
    long: float
    openers: float
    conspicuous: tuple[str, ...]

    def faults(self, goals: tuple[float, float, float]) -> list[str]:
        """One line for each goal that the text misses."""
        mean, long, openers = goals
        found = []
        if self.mean > mean:
            found.append(f"{self.mean:.1f} words a sentence, at most {mean:.1f}")
        if self.long > long:
            found.append(f"{self.long:.1f} % of sentences over {WORDS} words, at most {long:.1f} %")
        if self.openers > openers:
            found.append(f"{self.openers:.1f} % start like a riddle, at most {openers:.1f} %")
        return found


def sentences(text: str) -> Iterator[str]:
    """The sentences of a Markdown text, each on one line."""
    for paragraph in _paragraphs(COMMENT.sub("", FENCED.sub("", text))):
        plain = LINK.sub(r"\1", SPAN.sub("CODE", paragraph))
        for sentence in END.split(" ".join(plain.split())):
            if len(sentence.split()) >= LEAST:
                yield sentence


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs and items of lists, without tables and headings."""
    lines: list[str] = []
    for line in text.split("\n"):
        item = ITEM.match(line)
        apart = not line.strip() or line.startswith("#") or line.lstrip().startswith("|")
        if (item or apart) and lines:
            yield "\n".join(lines)
            lines = []
        if not apart:
            lines.append(line[item.end() :] if item else line)
    yield "\n".join(lines)


def figures(text: str) -> Figures:
    """What the lint knows of a text."""
    found = list(sentences(text))
    count = max(len(found), 1)
    long = [one for one in found if len(one.split()) > WORDS]
    openers = [one for one in found if OPENER.match(one) and not one.endswith("?")]
    return Figures(
        sentences=len(found),
        mean=sum(len(one.split()) for one in found) / count,
        long=100 * len(long) / count,
        openers=100 * len(openers) / count,
        conspicuous=(*long, *openers),
    )


def findings(name: str, text: str) -> Iterator[str]:
    """The goals that a file misses, and an exception that it does not need any more."""
    found = figures(text)
    goals = EXCEPTIONS.get(name, (MEAN, LONG, OPENERS))
    yield from (f"{name}: {fault}" for fault in found.faults(goals))
    measured = (found.mean, found.long, found.openers)
    least = (max(one, goal) for one, goal in zip(measured, (MEAN, LONG, OPENERS), strict=True))
    if any(goal > one + 0.1 for goal, one in zip(goals, least, strict=True)):
        yield f"{name}: its exception is above its figures: make it smaller"


def files(root: Path) -> list[str]:
    """The Markdown files of the repository."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return sorted({name for name in found.stdout.splitlines() if (root / name).is_file()})


def all_findings(root: Path) -> list[str]:
    """Those of every file."""
    gone = [f"{name}: its exception has no file" for name in EXCEPTIONS if name not in files(root)]
    return gone + [
        finding
        for name in files(root)
        for finding in findings(name, (root / name).read_text(encoding="utf-8"))
    ]


def main() -> None:
    """Command line: none, or files."""
    for name in sys.argv[1:]:
        found = figures(Path(name).read_text(encoding="utf-8"))
        sys.stdout.write(
            f"{name}: {found.sentences} sentences, {found.mean:.1f} words each, "
            f"{found.long:.1f} % long, {found.openers:.1f} % openers\n"
        )
        sys.stdout.writelines(f"  {sentence}\n" for sentence in found.conspicuous)
    if len(sys.argv) == 1 and (faults := all_findings(ROOT)):
        sys.exit("\n".join(f"lint_prose: {line}" for line in faults))


if __name__ == "__main__":
    main()
