"""The rows of the matrix, and the table that they make."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

HEAD = "| edge | implementation | passed | failed | differs by |\n| --- | --- | ---: | ---: | --- |"
# Why a standard lets both sides be as they are, in a line each.
RULES = {
    "FIPS 186-5, 6.4.2": "s is any number from 1 to n - 1; theirs is the lower one of two, unless"
    " told otherwise",
    "RFC 8032, 5.1.5": "a key is a multiple of B; those of small order are refused here, since one"
    " signature holds for any message",
    "RFC 8446, 6.2": "who gives up SHOULD send a fitting alert: here it is another one or none, and"
    " the connection ended; a message larger than the client's memory ends it, too",
    "RFC 8446, 5.1": "a message may be cut anywhere; Mbed TLS 3.6 wants its first 4 bytes together",
    "RFC 8446, 4.1.2": "a second ClientHello keeps its shares, unless another group is asked for;"
    " Mbed TLS 3.6 makes a new one of the same group, which OpenSSL takes",
    "RFC 8446, 4.6.3": "either side may renew its keys; Mbed TLS 3.6 ends the connection then",
    "RFC 8446, 4.6.1": "a ticket MAY be used; a client that resumes nothing reads none",
    "RFC 8446, 4.3.2": "unknown extensions of a request for certificates MUST be ignored",
    "RFC 8446, 5": "a change of cipher behind Finished MUST be refused; Mbed TLS 3.6 drops it",
    "RFC 8446, 5.2": "the length of a record is checked as it was sent; padding within it is not"
    " counted again",
    "RFC 8446, 6": "the level of an error's alert does not count; Mbed TLS 3.6 goes on at another"
    " level than fatal",
    "RFC 8446, 4.1.3": "who offers TLS 1.3 looks for the mark of a downgrade; this client does not",
    "RFC 5246, 7.4.1.4": "an extension not asked for MUST be refused; Mbed TLS 3.6 drops it",
    "RFC 5246, 7.4.1.1": "a client MAY ignore a request to begin again",
    "RFC 5246, 6.2.1": "empty records MAY be sent; Mbed TLS 3.6 skips one, and says of the next"
    " what it says of an end",
    "RFC 7252, 4.2": "an acknowledgement carries no request, as theirs of a notification in blocks;"
    " a confirmable message is repeated until it is answered, theirs of a next block is not",
    "RFC 7252, 4.5": "an answer that comes twice counts once; they append the block again",
    "RFC 7959, 2.6": "only the first block of a notification has the Observe option; they wait for"
    " it in the last",
}


def commit(checkout: Path) -> str:
    """The start of its hash; "?" where it is no checkout of git."""
    words = ["git", "-C", str(checkout), "rev-parse", "--short=8", "HEAD"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "?"


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
