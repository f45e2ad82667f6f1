"""How a command explains itself: what it does, examples, the options that most people need.
--help-all shows the others too. And what a shell is told that completes names (docs/README.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from ecfit.extensions import COMMANDS, registered

WIDTH = 80  # columns, also on a wider terminal: people read help texts in logs and pages too
GROUPS = {
    "Choose": ("fit", "list", "report"),
    "Measure": ("bench", "size", "profile", "measure", "compare", "study"),
    "Check": ("ct", "fidelity", "doctor"),
    "Ship": ("config", "amalgamate", "keys"),
    "Lab": ("tls", "sensor", "gateway", "energy", "board"),
}
KINDS = ("targets", "curves", "libs", "presets", "knobs")  # what `list` lists
# What few need: shown by --help-all.
RARE = frozenset(
    ("--target-file", "--peer-dir", "--cc", "--model", "--seed", "--limit", "--jobs", "--quiet",
     "--no-cache", "--scheduler", "--debug", "--help-all", "--published", "--kernel", "--passes",
     "--inputs", "--timeout", "--record", "--replay", "--ct", "--before", "--map", "--flash-at",
     "--ram-at", "--put", "--show", "--id-member", "--threads", "--resolution", "--calibration",
     "--usable", "--self-discharge", "--shunt-ohms", "--first-id", "--weights", "--energy",
     "--float-abi", "--rtt", "--bandwidth", "--threshold", "--time-trace", "--marker", "--sort",
     "--expect", "--columns", "--wide", "--notes", "--sni", "--record-buffer",
     "--sleep", "--reserve-stack", "tls --ca", "tls --flash", "tls --ram", "fit --toolchain")
)  # fmt: skip
# But what a command cannot do without.
# But what a command cannot do without.
NOT_RARE = {"study": "--peer-dir", "energy": "--sleep"}


class Command(click.Command):
    """A command with examples, whose help has at most 40 lines of 80 columns."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if any(self._is_rare(parameter) for parameter in self.params):
            self.params.append(
                click.Option(
                    ["--help-all"],
                    is_flag=True,
                    is_eager=True,
                    expose_value=False,
                    callback=_show_all,
                    help="show all options and exit",
                )
            )

    def get_help(self, ctx: click.Context) -> str:
        """The text."""
        formatter = click.HelpFormatter(width=WIDTH, max_width=WIDTH)
        self.format_help(ctx, formatter)
        return formatter.getvalue().rstrip()

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What it does, and how it is typed."""
        super().format_help_text(ctx, formatter)
        _examples(formatter, str(self.name))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line or two for each."""
        everything = bool(ctx.meta.get("ecfit.all"))
        shown = [
            parameter
            for parameter in self.get_params(ctx)
            if everything or not self._is_rare(parameter)
        ]
        rows = [row for parameter in shown if (row := parameter.get_help_record(ctx))]
        with formatter.section("Options"):
            formatter.write_dl(rows, col_max=26)
        if len(shown) < len(self.get_params(ctx)):
            formatter.write(f"\nMore options: {ctx.command_path} --help-all\n")

    def _is_rare(self, parameter: click.Parameter) -> bool:
        if not isinstance(parameter, click.Option):
            return False
        if not {parameter.opts[0], f"{self.name} {parameter.opts[0]}"} & RARE:
            return False
        return NOT_RARE.get(str(self.name)) != parameter.opts[0]


class Group(click.Group):
    """All commands, by what they are for."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All there are, those of other packages among them."""
        return sorted({*self.commands, *registered(COMMANDS)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command; one of another package is loaded when it is asked for."""
        if cmd_name not in self.commands and cmd_name in registered(COMMANDS):
            self.commands[cmd_name] = registered(COMMANDS)[cmd_name].load()
        return self.commands.get(cmd_name)

    def every(self) -> dict[str, click.Command]:
        """All commands that the help names, loaded, by name."""
        context = click.Context(self)
        commands = {name: self.get_command(context, name) for name in self.list_commands(context)}
        return {
            name: command for name, command in commands.items() if command and not command.hidden
        }

    get_help = Command.get_help

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What it is for, and how it is typed."""
        super().format_help_text(ctx, formatter)
        _examples(formatter, "ecfit")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands; options are few, and named at the end."""
        for name, commands in GROUPS.items():
            rows = [
                (command, known.get_short_help_str(WIDTH))
                for command in commands
                if (known := self.get_command(ctx, command))
            ]
            with formatter.section(name):
                formatter.write_dl(rows, col_max=12)
        formatter.write("\nA command's options: ecfit COMMAND --help. The version: --version.\n")


def _examples(formatter: click.HelpFormatter, name: str) -> None:
    from ecfit.arguments.examples import EXAMPLES

    if name not in EXAMPLES:  # of a name of before
        return
    with formatter.section("Examples"):
        formatter.write("".join(f"  {line}\n" for line in EXAMPLES[name]))


def _show_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta["ecfit.all"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _targets() -> Iterable[str]:
    from ecfit.choices.targets import all_targets

    return all_targets()


def _curves() -> Iterable[str]:
    from ecfit.choices.curves import CURVES

    return CURVES


def _presets() -> Iterable[str]:
    from ecfit.choices.presets import all_presets

    return all_presets()


def _libraries() -> Iterable[str]:
    from ecfit.choices.peers import all_peers

    return ["ecfit", *all_peers({})]


def _ops() -> Iterable[str]:
    from ecfit.choices.curves import OPS

    return OPS


NAMES: dict[str, Callable[[], Iterable[str]]] = {
    "--target": _targets,
    "--curve": _curves,
    "--preset": _presets,
    "--lib": _libraries,
    "--op": _ops,
}


def completer(option: str) -> Completer | None:
    """What completes the last name of an option's comma list; None where nothing can."""
    names = NAMES.get(option)
    if names is None:
        return None

    def complete(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
        before, comma, last = typed.rpartition(",")
        matches = [name for name in names() if name.lower().startswith(last.lower())]
        return [CompletionItem(f"{before}{comma}{name}") for name in matches]

    return complete
