"""The lint of prose: what a sentence is, the goals, and a table of exceptions that only shrinks."""

from __future__ import annotations

from pathlib import Path

import lint_prose
import pytest

ROOT = Path(__file__).resolve().parents[3]
PLAIN = "The compiler drops it. The caller clears the key after use.\n"
LONG = "The caller " + "very " * 30 + "often clears it.\n"


def test_the_project_reads_well() -> None:
    assert lint_prose.all_findings(ROOT) == []


def test_code_tables_and_headings_are_not_sentences() -> None:
    text = (
        "# What a heading says here\n\n| a cell with four words |\n\n```\nfour words of code\n```\n"
    )
    text += (
        "<!-- four words of comment -->\n\n- See [the page on\n  speed](speed.md), and `a b`. No.\n"
    )
    assert list(lint_prose.sentences(text)) == ["See the page on speed, and CODE."]


def test_sentences_end_at_a_capital_and_at_an_item() -> None:
    text = "It takes 4 ms: The rest takes 5 ms.\n1. one item of the list\n2. another item of it\n"
    assert list(lint_prose.sentences(text)) == [
        "It takes 4 ms:", "The rest takes 5 ms.",
        "one item of the list", "another item of it",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PLAIN, []),
        (LONG + "\n" + PLAIN, ["words a sentence", "over 30 words"]),
        (PLAIN * 9 + LONG, ["over 30 words"]),
        (PLAIN + "Of these, the last is dropped.\n", ["like a riddle"]),
        (PLAIN + "Which of these is dropped?\n", []),
    ],
)
def test_each_goal_is_held(text: str, words: list[str]) -> None:
    found = list(lint_prose.findings("a.md", text))
    assert len(found) == len(words)
    assert all(word in line for word, line in zip(words, found, strict=True))
    assert all(line.startswith("a.md: ") for line in found)


def test_an_exception_may_only_shrink(monkeypatch: pytest.MonkeyPatch) -> None:
    text = PLAIN * 9 + LONG
    long = lint_prose.figures(text).long
    for share, findings in ((long, 0), (long - 0.5, 1), (long + 0.5, 1)):
        monkeypatch.setitem(lint_prose.EXCEPTIONS, "a.md", (15.0, share, 1.0))
        assert len(list(lint_prose.findings("a.md", text))) == findings
    assert "a.md: its exception has no file" in lint_prose.all_findings(ROOT)
