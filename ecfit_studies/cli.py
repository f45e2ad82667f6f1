"""The commands of studies, as pyproject.toml registers them."""

from __future__ import annotations

import click

from ecfit.arguments import options
from ecfit.arguments.common import Common
from ecfit.arguments.helps import Command
from ecfit_studies import arguments


@click.command(cls=Command)
@arguments.report
def report(common: Common) -> int:
    """Write a page to look at: one file of HTML.

    Which configuration fits a budget on which chip, where flash and cycles go, the model's error,
    the published tables. Without --target: by the atlas, for every chip, and nothing is measured.
    """
    from ecfit_studies.commands.report import command

    return command(common)


@click.command(cls=Command)
@arguments.study
@arguments.coverage
@options.scheduler
@options.output("table", "json", "csv", "md")
def study(common: Common) -> int:
    """Measure the table of a paper again, or answer a question.

    Rows stand beside the published figures. Without a name, or with --list: the studies there are.
    """
    from ecfit_studies.commands.study import command

    return command(common)
