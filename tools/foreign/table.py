"""The rows of the matrix, and the table that they make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

HEAD = "| edge | implementation | passed | failed | differs by |\n| --- | --- | ---: | ---: | --- |"
# Why a standard lets both sides be as they are, in a line each.
RULES = {
    "FIPS 186-5, 6.4.2": "s is any number from 1 to n - 1; theirs is the lower one of two, unless"
    " told otherwise",
    "RFC 7252, 4.2": "an acknowledgement carries no request, as theirs of a notification in blocks;"
    " a confirmable message is repeated until it is answered, theirs of a next block is not",
    "RFC 7252, 4.5": "an answer that comes twice counts once; they append the block again",
    "RFC 7959, 2.6": "only the first block of a notification has the Observe option; they wait for"
    " it in the last",
}


class Row(NamedTuple):
    """An edge and a program of others: how much of what was tried was right, was wrong, or differs
    by that rule. `wrong`: what it was, in lines.
    """

    edge: str
    by: str
    passed: int
    failed: int
    differs: int = 0
    rule: str = ""
    wrong: tuple[str, ...] = ()


def text(rows: Iterable[Row]) -> str:
    """The table, in at most 80 columns; then the rules, and what failed."""
    shown, rules, wrong = [HEAD], set(), []
    for row in rows:
        rule = f"{row.differs}: {row.rule}" if row.rule else ""
        shown.append(f"| {row.edge} | {row.by} | {row.passed} | {row.failed} | {rule} |")
        rules |= {*row.rule.split("; ")} - {""}
        wrong += [f"{row.edge}, {row.by}: {line}"[:300] for line in row.wrong]
    notes = [f"{rule}: {RULES[rule]}" for rule in sorted(rules)]
    return "\n".join([*shown, *([""] if notes or wrong else []), *notes, *wrong])
