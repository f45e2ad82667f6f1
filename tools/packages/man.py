"""Print the manual page of `ecfit`, section 1: commands, options and exit codes as --help has them.

.venv/bin/python tools/packages/man.py > ecfit.1 && man ./ecfit.1
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import click

from ecfit import __version__
from ecfit.arguments.examples import EXAMPLES
from ecfit.arguments.helps import GROUPS
from ecfit.cli import cli


def page() -> str:
    """The page, in the macros of man(7)."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield f'.TH ECFIT 1 "" "ecfit {__version__}"'
    yield from (".SH NAME", r"ecfit \- elliptic-curve cryptography that fits your device")
    yield from (".SH SYNOPSIS", ".B ecfit", r".I COMMAND \fR[\fIOPTIONS\fR]")
    yield from (".SH DESCRIPTION", *_paragraphs(cli.help or ""), ".SH EXAMPLES", *_code("ecfit"))
    commands = cli.every()
    for group, names in GROUPS.items():
        yield f".SH {group.upper()}"
        for name in names:
            yield from _command(name, commands[name])


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=f"ecfit {name}")
    usage = " ".join(["ecfit", name, *command.collect_usage_pieces(context)])
    yield from (f".SS {_plain(usage)}", *_paragraphs(command.help or ""), *_code(name))
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            yield from (".TP", f"\\fB{_plain(record[0])}\\fR", _plain(record[1]) or r"\&")


def _code(name: str) -> Iterator[str]:
    yield from (".PP", ".nf", ".RS", *map(_plain, EXAMPLES[name]), ".RE", ".fi")


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        yield from (".PP", _plain(paragraph))


def _plain(text: str) -> str:
    """A line that troff takes as it is."""
    line = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{line}" if line.startswith((".", "'")) else line


if __name__ == "__main__":
    sys.stdout.write(page())
