"""The command `fit`: from a budget to the best configuration, and the files to compile."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click
import msgspec
from click.core import ParameterSource

from ecfit.arguments.budget import question
from ecfit.arguments.common import Common
from ecfit.build.parts import OWN
from ecfit.choices.presets import DEFAULT_PRESET
from ecfit.errors import BUDGET, INTERRUPTED, OK
from ecfit.extensions import extension
from ecfit.fit.fit import (
    Answer,
    Done,
    Planned,
    configuration_of,
    figures_together,
    reordered,
    rows_of,
)
from ecfit.fit.lookup import lacking, looked_up
from ecfit.fit.question import Question
from ecfit.fit.together import fit_together
from ecfit.fit.tried import so_far, with_burdens
from ecfit.measure.bench import Bench, Row
from ecfit.measure.store import check_new_folder
from ecfit.model import Record
from ecfit.show import fitted
from ecfit.show.answers import AIMS, brief, front_table
from ecfit.show.layout import View, available, wrapped
from ecfit.show.report import emit, render
from ecfit.show.searching import Searching, preset_rows

EVIDENCE = "evidence"  # the name of the answer among the files, with .md and .json


def answered(common: Common) -> tuple[Question, dict[str, Answer], bool]:
    """The question, the answers by what each minimises, and whether the search was interrupted.
    Errors: UsageError, MissingToolError, BudgetError.
    """
    asked, bench = question(common), common.bench()
    if common.values["folder"] is not None:
        check_new_folder(Path(common.values["folder"]))
    aims = list(dict.fromkeys([asked.minimise, *AIMS]))
    done: dict[str, tuple[Row, Record]] = {}
    stopped = False
    with Searching(asked, quiet=common.values["quiet"]) as progress:

        def measured(rows: Sequence[Row]) -> list[Record]:
            new = list({repr(row): row for row in rows if repr(row) not in done}.values())
            progress.expects(new)
            for index, record in bench.each(new, bench.candidate):
                done[repr(new[index])] = new[index], record
                progress.seen(new[index], record)
            return [done[repr(row)][1] for row in rows]

        def find() -> dict[str, Answer]:
            return _answers(asked, aims, bench, measured, progress,
                            thorough=common.values["thorough"])  # fmt: skip

        def find_so_far() -> dict[str, Answer]:
            return so_far(asked, done.values(), aims)

        def accepts_too_much(answers: Mapping[str, Answer]) -> bool:
            rows = [row for answer in answers.values() for row in answer.rows[answer.best]]
            chosen = list({repr(row): row for row in rows}.values())
            wrong = [(chosen[index], record) for index, record in bench.each(chosen, bench.confirm)
                     if record.status != "ok"]  # fmt: skip
            done.update({repr(row): (row, record) for row, record in wrong})
            return bool(wrong)

        try:
            while accepts_too_much(answers := find()):
                pass  # what has failed is not chosen again
        except KeyboardInterrupt:
            while accepts_too_much(answers := find_so_far()):
                pass
            if not answers:
                raise
            stopped = True
    return asked, answers, stopped


def command(common: Common) -> int:
    """Searches, measures, prints, and writes what fits. Returns the exit code.

    Errors: UsageError, MissingToolError, BudgetError.
    """
    asked, answers, stopped = answered(common)
    answer = answers[asked.minimise]
    emit(_text(answers, asked.minimise, common), None)
    if not answer.fits:
        sys.stderr.write(
            f"ecfit: nothing keeps this budget: the nearest of {len(answer.space)} are above\n"
        )
        return BUDGET
    if common.values["folder"] is not None:
        said = write(answers, asked.minimise, common)
        sys.stderr.write("\n".join([*wrapped(f"ecfit: {said}", available()), ""]))
    if stopped:
        sys.stderr.write("ecfit: interrupted\n")
    return INTERRUPTED if stopped else OK


def _answers(
    asked: Question,
    aims: Sequence[str],
    bench: Bench,
    measured: Done,
    progress: Searching,
    *,
    thorough: bool,
) -> dict[str, Answer]:
    """By the atlas, or by a search where that has no answer."""
    reason = lacking(asked)
    if not reason:
        bench.check(_any_row(asked))
        if thorough:
            progress.begins(asked)
        answers = looked_up(asked, aims, measured, thorough=thorough)
        if answers:
            return answers
        reason = "these limits"
    if not asked.presets:
        progress.before = (
            f"the atlas has no answer for {reason}: searching, which takes minutes; "
            "Ctrl-C gives the best so far"
        )
    return with_burdens(all_answers(asked, bench, measured, progress), measured)


def _any_row(asked: Question) -> Sequence[Row]:
    """The rows of the usual preset: for who checks compilers and names."""
    return rows_of(asked, configuration_of(asked, {}, Planned(OWN, DEFAULT_PRESET, asked.sets)))


def all_answers(
    asked: Question, bench: Bench, measured: Done, progress: Searching
) -> dict[str, Answer]:
    """The answer to what was asked, then those to the other questions that users have, by what
    each minimises: the best of what was measured for it, and for the first answer, which keeps all
    limits. Where nothing fits, the first alone. Errors: UsageError, BudgetError.
    """
    presets = dict(preset_rows(asked, bench.peers))
    every = [row for rows in presets.values() for row in rows]
    if every:
        bench.check(every)
        measured(every)
    progress.presets(
        {name: figures_together(asked, measured(rows)) for name, rows in presets.items()}
    )

    def searched(question: Question, find: Callable[[Question, Bench, Done], Answer]) -> Answer:
        progress.begins(question)
        answer = find(question, bench, measured)
        progress.ends(answer)
        return answer

    answers = {asked.minimise: searched(asked, extension("handshake"))}
    answer = answers[asked.minimise]
    for aim in AIMS if answer.fits else ():
        if aim not in answers:
            other_aim = msgspec.structs.replace(answer.question, minimise=aim)
            both = searched(other_aim, fit_together), reordered(answer, other_aim)
            answers[aim] = min(
                both, key=lambda candidate: other_aim.cost(candidate.figures(candidate.best))
            )
    return answers


def _text(answers: Mapping[str, Answer], first: str, common: Common) -> str:
    """What is printed: the answers, and with --explain why."""
    answer, form = answers[first], common.format
    if form == "json":
        return fitted.as_json(answer, answers)
    if form == "md":
        return _explained(answers, first, common, "md")
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    text = brief(answers, first, _with_folder(), common.peers(), colour=colour)
    if not common.values["explain"]:
        return text
    return text + _explained(answers, first, common, "table", colour=colour)


def _explained(
    answers: Mapping[str, Answer], first: str, common: Common, form: str, *, colour: bool = False
) -> str:
    """The winner and those after it with all notes, then the Pareto front."""
    answer = answers[first]
    lines = fitted.lines(answer, common.peers(), explain=form == "md" or common.values["explain"])
    view = View(notes=True)
    places = render(form, [], *fitted.table(answer), lines, colour=colour, view=view)
    front = render(form, [], *front_table(answer), [], colour=colour, view=view)
    title = "## Pareto front of what was measured\n" if form == "md" else "Pareto front:"
    return f"{places}\n{title}\n{front}"


def _with_folder() -> str:
    """The command as it was typed, with -o."""
    context = click.get_current_context()
    words = ["ecfit", str(context.info_name)]
    for parameter in context.command.params:
        name = str(parameter.name)
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = context.params[name]
        if isinstance(value, bool) or parameter.opts[0] in ("-o", "--format", "--jobs"):
            continue
        for word in value if isinstance(value, tuple) else (value,):
            words += [parameter.opts[0], str(word)]
    return shlex.join([*words, "-o", "DIR"])


def write(answers: Mapping[str, Answer], first: str, common: Common) -> str:
    """Writes the amalgam of the answer, and the evidence; says what was written, or why nothing
    was. Errors: BuildError, OutputError.
    """
    answer = answers[first]
    rows = answer.rows[answer.best]
    row = next((row for row in rows if row.configuration.library == OWN), rows[0])
    if row.configuration.library != OWN:
        return (
            f"the answer is another library, {row.configuration.library}: "
            "there is no configuration to write, its own sources are"
        )
    row = msgspec.structs.replace(row, beside=())
    measured = {
        f"{EVIDENCE}.md": _explained(answers, first, common, "md"),
        f"{EVIDENCE}.json": fitted.as_json(answer, answers),
    }
    from ecfit.commands.config import again_with, config_files, hand_over, kept

    keep = kept(row, common.values["sets"], every_op=False)
    again = again_with(row, every_op=False, keep=keep)
    files = config_files(row, every_op=False, keep=keep)
    return hand_over(Path(common.values["folder"]), row, files, measured, again, keep)
