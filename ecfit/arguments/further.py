"""The options of single commands: `profile`, `measure`, `compare`, `keys`; where several run."""

from __future__ import annotations

import click

from ecfit.arguments import options
from ecfit.arguments.options import Command, Decorator

FORMS = (
    "an integer (5, -1, 0x10), u64:N, bytes:HEX, secret:HEX, buffer:BYTES, symbol:NAME or "
    "call:FUNCTION (HEX may be @FILE)"
)
_MEASURE: tuple[Decorator, ...] = (
    click.option(
        "--elf", required=True, metavar="FILE", help="the image, or an object or archive"
    ),
    click.option(
        "--function", required=True, metavar="NAME", help="its name, or its address as 0x1234"
    ),
    click.option(
        "--target-file", "target_files", multiple=True, metavar="FILE",
        help="a chip of your own, as TOML (docs/adding-a-target.md)",
    ),
    click.option("--target", "targets", metavar="T", help="the chip; 'ecfit list targets'"),
    click.option("--arg", "arguments", multiple=True, metavar="VALUE", help=f"in order: {FORMS}"),
    click.option(
        "--put", "puts", multiple=True, metavar="VARIABLE=VALUE",
        help="write a variable before the call: an integer, bytes:HEX or secret:HEX",
    ),
    click.option(
        "--show", "shows", multiple=True, metavar="VARIABLE[:BYTES]",
        help="show a variable afterwards; buffer: arguments are shown in any case",
    ),
    click.option(
        "--before", multiple=True, metavar="FUNCTION", help="call it first, not counted; repeatable"
    ),
    click.option("--expect", metavar="N", help="exit code 4 where the function returns another"),
    click.option(
        "--n", "runs", type=click.IntRange(1, 10_000), default=1, show_default=True, metavar="N",
        help="runs to compare: with random secrets in place of those that are given",
    ),
    click.option(
        "--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, metavar="N",
        help="of those random secrets",
    ),
    click.option(
        "--limit", type=click.IntRange(1, 10**13), default=2 * 10**9, show_default=True,
        metavar="N", help="instructions after which a call counts as endless",
    ),
    click.option(
        "--mode", default="datasheet", show_default=True, metavar="MODE",
        help="wait states of the flash: zero-ws, datasheet or worst",
    ),
    click.option(
        "--map", "maps", multiple=True, metavar="ADDRESS+SIZE",
        help="plain memory there, zeros at first, in place of a peripheral: 0x40021000+4KiB",
    ),
    click.option(
        "--flash-at", metavar="ADDRESS", help="the target's flash begins there"
    ),
    click.option("--ram-at", metavar="ADDRESS", help="likewise its RAM"),
)  # fmt: skip

_COMPARE = (
    click.argument("old"),
    click.argument("new"),
    click.option(
        "--fail-on",
        metavar="PERCENT",
        help="exit code 7 when a figure has grown by more, as 1%, an output is another, or a row "
        "failed or went away",
    ),
    click.option("--quiet", is_flag=True, help="no progress"),
    click.argument("question", nargs=-1, type=click.UNPROCESSED, metavar="[-- OPTION OF BENCH..]"),
)

_KEYS = (
    options.one("--curve", "C", "'ecfit list curves'", "secp256r1"),
    options.number("--count", "count", "key pairs", 1, (1, 100_000)),
    click.option("--force", is_flag=True, help="replace the file of -o"),
)


def keys(command: Command) -> Command:
    """Which key pairs, and how many."""
    return options.apply(command, _KEYS)


def measuring(command: Command) -> Command:
    """Which function of which image, how called, where."""
    for option in reversed(_MEASURE):
        command = option(command)
    return command


def compare(command: Command) -> Command:
    """Which two runs, and what is too much."""
    for option in reversed(_COMPARE):
        command = option(command)
    return command


def profile(command: Command) -> Command:
    """Cycles or stack, and in which form."""
    return click.option(
        "--stack",
        "of_stack",
        is_flag=True,
        help="the functions on the deepest path of calls, and what each takes of the stack",
    )(options.output("table", "json", "csv", "md", "collapsed", "svg")(command))
