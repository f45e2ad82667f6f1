"""The tables of docs/proved.md, and the exceptions: routines that are not proved, with reasons."""

from __future__ import annotations

import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path

from prove import cfunctions
from prove.compose import report
from prove.contracts import records

ROOT = Path(__file__).resolve().parents[1]
PAGE, EXCEPTIONS = ROOT / "docs" / "proved.md", ROOT / "prove" / "exceptions.toml"
HEAD = (
    "",
    "| routine | contracts × aliasings | instructions | compared | solver | by contract |",
    "| --- | ---: | ---: | ---: | ---: | --- |",
)
BEGIN, END = "<!-- made by `python -m prove --doc` -->\n", "<!-- end -->\n"


def exceptions() -> dict[str, str]:
    """The reason of each: `armv7em ecfit_mod_mul`."""
    read = tomllib.loads(EXCEPTIONS.read_text("utf-8"))
    return {
        f"{backend} ecfit_{name}": reason
        for backend, some in read.items()
        if backend != "c"  # of prove.cfunctions
        for reason, names in some.items()
        for name in names
    }


def tables() -> str:
    """The counts, what is proved, and what is not."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    proved, missing = records.load(), exceptions()
    yield "| back end | routines of `mp` and `field` | proved | exceptions |"
    yield "| --- | ---: | ---: | ---: |"
    for backend in records.LISTED:
        mine = [sum(k.startswith(f"{backend} ") for k in found) for found in (proved, missing)]
        yield f"| `{backend}` | {sum(mine)} | {mine[0]} | {mine[1]} |"
    yield f"| all | {len(proved) + len(missing)} | {len(proved)} | {len(missing)} |"
    yield from ("", "### Calls", "", *report.table())
    for backend in records.LISTED:
        yield ""
        yield f"### {backend}"
        if backend in records.BACKENDS:
            yield from HEAD
        for label, r in sorted(proved.items()):
            if label.startswith(f"{backend} "):
                name = label.split()[1].removeprefix("ecfit_")
                calls = ", ".join(f"`{c.removeprefix('ecfit_')}`" for c in r.get("calls", []))
                yield (
                    f"| `{name}` | {r['aliases']} | {r['instructions']:,} | {r['compared']:,} "
                    f"| {r['queries']} | {calls} |"
                )
        reasons: dict[str, list[str]] = {}
        for label, reason in sorted(missing.items()):
            if label.startswith(f"{backend} "):
                reasons.setdefault(reason, []).append(label.split()[1].removeprefix("ecfit_"))
        yield ""
        yield "These routines are not proved:" if reasons else "All routines are proved."
        if reasons:
            yield ""
        for reason, some in reasons.items():
            text = f"- {reason}: {', '.join(f'`{name}`' for name in some)}"
            yield from textwrap.wrap(text, 100, subsequent_indent="  ", break_long_words=False)
    yield from ("", "### C", "", *cfunctions.table())


def write(*, check: bool) -> int:
    """Put them into the page."""
    text = PAGE.read_text("utf-8")
    head, rest = text.split(BEGIN)
    tail = rest.split(END, 1)[1]
    new = head + BEGIN + "\n" + tables() + "\n" + END + tail
    if check:
        if new != text:
            print("docs/proved.md is not what `python -m prove --doc` writes", file=sys.stderr)
        return int(new != text)
    PAGE.write_text(new, "utf-8")
    return 0
