"""Pages of the reference that are generated from the help and the data of the program: commands,
targets, curves and presets.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click

from ecfit import cli
from ecfit.arguments.examples import EXAMPLES
from ecfit.choices.curves import CURVES
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import ERROR_CLASSES, Target, all_targets

RECORDS = {
    "bench": ("bench and size", "`ecfit size` runs nothing, so its records have sizes alone."),
    "origin": ("Origin", "Records of chips also say where they come from."),
    "measure": ("measure", "A function of any image. Other fields are as those of `ecfit bench`."),
    "study": ("study", "A row of a study has the fields of `ecfit bench`, and these."),
    "tls": ("tls", "Connections of one kind. Other fields are as those of `ecfit bench`."),
}


def commands_page() -> str:
    """Every command with its examples and options, as `ecfit COMMAND --help` says it."""
    lines = ["# Commands", "", *_paragraphs(cli.cli.help or ""), ""]
    lines += ["What `ecfit COMMAND --help` prints, for every command.", ""]
    for name, command in sorted(cli.cli.every().items()):
        context = click.Context(command, info_name=f"ecfit {name}")
        usage = " ".join(["ecfit", name, *command.collect_usage_pieces(context)])
        lines += [f"## ecfit {name}", "", *_paragraphs(command.help or ""), ""]
        lines += ["```", usage, "```", ""]
        examples = EXAMPLES[name]
        lines += [f"Example{'s' if len(examples) > 1 else ''}:", "", "```", *examples, "```", ""]
        for parameter in command.get_params(context):
            told = parameter.get_help_record(context)
            if told:
                lines.append(f"- `{told[0]}`: {_escaped(told[1])}")
        lines.append("")
    return "\n".join(lines)


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        yield _escaped(" ".join(paragraph.split()))
        yield ""


def _escaped(text: str) -> str:
    """Nothing is taken for Markdown, but for code between backticks."""
    parts = " ".join(text.split()).split("`")
    parts[::2] = [re.sub(r"([*_|\[])", r"\\\1", part.replace("<", "&lt;")) for part in parts[::2]]
    return "`".join(parts)


def records_page() -> str:
    """Every field of a record, by the command that prints it."""
    lines = ["# Records", "", "`--format json` prints an array of flat records, and `--format csv` "
             "the same as lines. Each name has its unit. A figure that was not measured is null, "
             "and empty in CSV.", ""]  # fmt: skip
    for name, (title, said) in RECORDS.items():
        lines += [f"## {title}", "", said, ""]
        for field, text in fields()[name].items():
            lines += [f"### `{field}` {{ #{name}-{field} }}", "", text, ""]
    return "\n".join(lines)


@cache
def fields() -> dict[str, dict[str, str]]:
    """What each field means, by the command that prints it."""
    path = Path(__file__).parent / "record_fields.toml"
    found: dict[str, dict[str, str]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return found


def targets_page() -> str:
    """Every chip: what is modelled, from which document, and what its figures are worth."""
    found = all_targets().values()
    lines = ["# Targets", "", "The chips of `ecfit list targets`, from `ecfit/data/targets`. "
             "The class says what modelled times are worth:", ""]  # fmt: skip
    lines += [f"- {name}: {text}" for name, text in ERROR_CLASSES.items()]
    lines += ["", "| target | core | MHz | flash | RAM | class |"]
    lines += ["| --- | --- | ---: | ---: | ---: | --- |"]
    for one in found:
        mode = one.modes.get("datasheet") or next(iter(one.modes.values()), None)
        cells = [f"[{one.name}](#{one.name})", one.core, _mhz(one), _kib(one, "flash")]
        cells += [_kib(one, "ram"), mode.error_class if mode else one.counts_class or "measured"]
        lines.append(f"| {' | '.join(cells)} |")
    for one in found:
        lines += ["", f"## {one.name}", "", *_target(one)]
    return "\n".join(lines) + "\n"


def _mhz(one: Target) -> str:
    return f"{one.clock.hz / 1e6:g}" if one.clock else "-"


def _kib(one: Target, kind: str) -> str:
    sizes = [memory.size for memory in one.memory if memory.kind == kind]
    return f"{sizes[0] // 1024:,} KiB" if sizes else "-"


def _target(one: Target) -> Iterator[str]:
    """The section of a chip."""
    yield f"{_escaped(one.description)}."
    yield ""
    if one.aliases:
        yield f"- Also called {', '.join(f'`{name}`' for name in one.aliases)}."
    yield f"- Backend of the library, unless it is set: `{one.backend}`."
    if one.clock:
        yield f"- Clock: {_mhz(one)} MHz. {_escaped(one.clock.source)}."
    for memory in one.memory:
        place = f"{memory.size // 1024:,} KiB of {memory.kind} at {memory.start:#010x}"
        yield f"- {_escaped(memory.name)}: {place}. {_escaped(memory.source)}."
    for power in one.power:
        drawn = f"{power.volts:g} V, {power.milliamperes:g} mA"
        yield f"- Power, {_escaped(power.state)}: {drawn}. {_escaped(power.source)}."
    for name, mode in one.modes.items():
        yield ""
        yield f"`--mode {name}`, class {mode.error_class}: {_escaped(mode.help)}."
        yield ""
        yield f"- {_escaped(mode.reason)}."
        yield f"- {_escaped(mode.source)}."


def curves_page() -> str:
    """The curves and the presets, as `ecfit list curves` and `ecfit list presets` list them."""
    lines = ["# Curves and presets", "", "What `--curve` and `--preset` take. Which to take: "
             "[choosing a curve and a preset](../choosing.md).", "", "## Curves", ""]  # fmt: skip
    lines += ["| curve | other names | operations | source |", "| --- | --- | --- | --- |"]
    for curve in CURVES.values():
        names = ", ".join(curve.aliases) or "-"
        cells = (f"`{curve.name}`", names, ", ".join(curve.ops), curve.source)
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "## Presets", ""]
    for name, preset in all_presets().items():
        lines += [f"### {name}", "", f"{_escaped(preset.description)}.", ""]
        settings = " ".join(f"`{knob}={value}`" for knob, value in preset.values.items())
        lines += [settings or "Every knob has its default.", ""]
        for where, own in preset.exceptions().items():
            values = " ".join(f"`{knob}={value}`" for knob, value in own.items())
            lines += [f"For {where}: {values}", ""]
    return "\n".join(lines) + "\n"
