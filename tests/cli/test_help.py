"""Help texts: all commands in groups on one screen, each with examples that it can read."""

from __future__ import annotations

import shlex

import click
import pytest

from ecfit.arguments.examples import EXAMPLES
from ecfit.arguments.helps import GROUPS, KINDS, Command
from ecfit.cli import cli
from workshop.cli.run import Ecfit

EVERY = cli.every()
COMMANDS = sorted(EVERY)
LINES, COLUMNS = 40, 80


def test_every_command_is_in_one_group() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == COMMANDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_of_before_works_and_says_the_new_one(ecfit: Ecfit, kind: str) -> None:
    before, now = ecfit(kind, "--format", "json"), ecfit("list", kind, "--format", "json")
    assert (before.out, before.code) == (now.out, 0)
    assert before.err == f"ecfit: '{kind}' is 'ecfit list {kind}' now\n"


def test_the_first_help_is_one_screen(ecfit: Ecfit) -> None:
    lines = ecfit("--help").out.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= COLUMNS
    for name in COMMANDS:
        line = next(one for one in lines if one.startswith(f"  {name} "))
        assert line.rstrip().endswith("."), line  # nothing was cut off


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_fits_the_terminal(ecfit: Ecfit, name: str) -> None:
    lines = ecfit(name, "--help").out.splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS


@pytest.mark.parametrize("name", COMMANDS)
def test_all_options_are_one_option_away(ecfit: Ecfit, name: str) -> None:
    command = EVERY[name]
    assert isinstance(command, Command)
    options = {one.opts[0] for one in command.params if isinstance(one, click.Option)}
    short = ecfit(name, "--help").out
    if "--help-all" in options:
        assert f"ecfit {name} --help-all" in short
        shown = ecfit(name, "--help-all").out
    else:
        shown = short
    assert [one for one in options if one not in shown] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_reads_its_examples(name: str) -> None:
    command = EVERY[name]
    assert isinstance(command, Command)
    for line in EXAMPLES[name]:
        program, named, *arguments = shlex.split(line)
        assert (program, named) == ("ecfit", name)
        command.make_context(name, arguments)  # raises where an option or value is unknown
