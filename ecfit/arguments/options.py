"""The options of the command line, each said once, and decorators
that give a command a group of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ecfit.arguments.common import Common
from ecfit.arguments.helps import KINDS, completer
from ecfit.errors import UsageError

FLOAT_ABIS = ("soft", "softfp", "hard")
Command = Callable[..., int]
Decorator = Callable[[Command], Command]


def _list(
    context: click.Context, parameter: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    """Repeatable options take comma lists too. Errors: UsageError for a list of nothing."""
    names = tuple(part.strip() for text in value for part in text.split(",") if part.strip())
    if value and not names:
        raise UsageError(f"{parameter.opts[0]} names nothing: leave it out, or name at least one")
    return names


def several(
    name: str, field: str, metavar: str, text: str, default: str | None = None
) -> Decorator:
    return click.option(
        name,
        field,
        multiple=True,
        default=(default,) if default else (),
        callback=_list,
        metavar=metavar,
        help=text,
        show_default=bool(default),
        shell_complete=completer(name),
    )


def one(name: str, metavar: str, text: str, default: str) -> Decorator:
    return click.option(name, default=default, show_default=True, metavar=metavar, help=text)


def once(name: str, metavar: str, text: str) -> Decorator:
    """An option of which the last would win if it were given twice: that is an error."""

    def only(_: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
        if len(values) > 1:
            raise UsageError(f"{parameter.opts[0]} is given twice: leave one")
        return values[0] if values else None

    return click.option(name, multiple=True, callback=only, metavar=metavar, help=text)


def number(name: str, field: str, text: str, default: int, limits: tuple[int, int]) -> Decorator:
    kind = click.IntRange(*limits)
    return click.option(
        name, field, type=kind, default=default, show_default=True, metavar="N", help=text
    )


def place(field: str, metavar: str, text: str, *, required: bool = False) -> Decorator:
    """-o: where something is written."""

    def named(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        if value is not None and not value.strip():
            raise UsageError(f"{parameter.opts[0]} names no {metavar.lower()}")
        return value

    return click.option(
        "-o", "--output", field, metavar=metavar, required=required, callback=named, help=text
    )


_PEER_DIR = click.option(
    "--peer-dir",
    "peer_dirs",
    multiple=True,
    metavar="NAME=PATH",
    help="a library of your own: a folder with peer.toml and adapter.c",
)
_CC = click.option(
    "--cc",
    metavar="PATH",
    help="the compiler itself, where it is not the one on the path of commands",
)
_MODEL = several(
    "--model",
    "models",
    "ROW=CYCLES",
    "what if: other cycles in a row of the cycle model (ecfit/data/models), "
    "or fetch_buffer=WORDS, for this run alone",
)
_TARGET_FILE = click.option(
    "--target-file",
    "target_files",
    multiple=True,
    metavar="FILE",
    help="a chip of your own, as TOML (docs/adding-a-target.md); without --target it is the chip",
)
_SELECTION = (
    _TARGET_FILE,
    several(
        "--target", "targets", "T[,T..]", "chips, or all; 'ecfit list targets'  [default: lpc1114]"
    ),
    several("--lib", "libraries", "L[,L..]", "libraries, or all; 'ecfit list libs'", "ecfit"),
    several("--curve", "curves", "C[,C..]", "curves, or all; 'ecfit list curves'", "secp256r1"),
    several(
        "--op",
        "ops",
        "OP[,OP..]",
        "keygen, ecdh, sign, verify, or all; sign_message, verify_message, sign_parts, "
        "verify_parts, recover_key, sign_recoverable, sign_schnorr, verify_schnorr, "
        "spake2p_prover, spake2p_verifier",
        "all",
    ),
    several(
        "--preset",
        "presets",
        "P[,P..]",
        "settings of ecfit; 'ecfit list presets'  [default: balanced]",
    ),
    several(
        "--set",
        "sets",
        "KNOB=VALUE",
        "one setting on top: KNOB, CURVE.KNOB or LIBRARY.OPTION; "
        "PLACE=ram runs the code from RAM; STACK=BANK puts the stack in that bank of RAM",
    ),
    _PEER_DIR,
    several("--toolchain", "toolchains", "gcc|clang", "compilers", "gcc"),
    _CC,
    several("--opt", "opts", "Os|O2|O3", "optimisations of the compilers", "Os"),
    number("--jobs", "jobs", "number of parallel jobs", os.cpu_count() or 1, (1, 256)),
    click.option("--quiet", is_flag=True, help="no progress"),
    click.option("--no-cache", is_flag=True, help="build and run again, whatever the cache holds"),
)
_BATTERY = (
    click.option(
        "--battery",
        metavar="CELL",
        help="years that it lasts with --every: CR2032, 2xAA, 2400mAh@3V",
    ),
    several("--every", "every", "TIME[,..]", "how often: 30s, or sign=30s,verify=1h"),
    click.option(
        "--sleep",
        metavar="CURRENT",
        help="between calls, as 2uA  [default: of the chip's data sheet, if known here]",
    ),
)
_SORT = click.option(
    "--sort",
    metavar="FIELD",
    help="order of the rows, smallest first: cycles, ms, flash, stack, ram or any field "
    "of a record",
)
_RUNNING = (
    _MODEL,
    one("--mode", "MODE", "wait states of the flash: zero-ws, datasheet or worst", "datasheet"),
    number(
        "--n",
        "runs",
        "runs with N different keys; cycles is their median",
        1,
        (1, 100_000),
    ),
    number("--seed", "seed", "all keys, hashes and random bytes follow from it", 1, (0, 2**63 - 1)),
    number(
        "--limit",
        "limit",
        "instructions after which an operation counts as endless",
        2 * 10**9,
        (1, 10**13),
    ),
)
_CONSTANT_TIME = (
    _RUNNING[1],
    number(
        "--n",
        "runs",
        "runs to compare, with N different secrets, for each public input; 1 compares nothing",
        16,
        (1, 100_000),
    ),
    number(
        "--inputs",
        "inputs",
        "public inputs (peers' keys, hashes, messages): "
        "secrets are followed, and runs compared, with each",
        4,
        (1, 10_000),
    ),
    *_RUNNING[3:],
)
_FIDELITY = (
    several("--target", "targets", "T[,T..]", "only the figures of these chips  [default: all]"),
    several("--lib", "libraries", "L[,L..]", "only the figures of these libraries  [default: all]"),
    click.option(
        "--published",
        "published",
        multiple=True,
        metavar="FILE.toml",
        help="figures of yours, in place of those that are known; "
        "written as in ecfit/data/published",
    ),
    click.option(
        "--board",
        "boards",
        multiple=True,
        metavar="FILE.json",
        help="loops of a board, in place of figures; written by 'ecfit board --format json'",
    ),
    _PEER_DIR,
    one("--toolchain", "gcc|clang", "compiler; the optimisation is each document's own", "gcc"),
    _CC,
    _MODEL,
    number("--jobs", "jobs", "number of parallel jobs", os.cpu_count() or 1, (1, 256)),
    click.option("--quiet", is_flag=True, help="no progress"),
    click.option("--no-cache", is_flag=True, help="build and run again, whatever the cache holds"),
)
_FLOAT_ABI = click.option(
    "--float-abi",
    type=click.Choice(FLOAT_ABIS, case_sensitive=False),
    help="of the project, for the line that compiles; Arm  [default: hard with an FPU, else soft]",
)
_CONFIG = (
    *_SELECTION[:2],
    *_SELECTION[3:7],
    _FLOAT_ABI,
    place("folder", "DIR", "write there; else to standard output"),
    click.option("--debug", is_flag=True, help="show the traceback of an error"),
)
_AMALGAMATE = (
    *_CONFIG[:-2],
    click.option(
        "--config", metavar="FILE", help="a header of 'ecfit config', in place of these four"
    ),
    one("--mode", "MODE", "wait states of the flash: zero-ws, datasheet or worst", "datasheet"),
    place("folder", "DIR", "a new folder for the files", required=True),
    *_SELECTION[-3:],
    _CONFIG[-1],
)
_FIT = (
    _TARGET_FILE,
    several("--target", "targets", "T", "the chip; 'ecfit list targets'  [default: lpc1114]"),
    click.option(
        "--need",
        "needs",
        multiple=True,
        metavar="CURVE:OP[,OP..]",
        help="operations that are needed, or all; again for another curve in the same image; or "
        "alone: edhoc, dtls1.2-cid",
    ),
    once("--flash", "SIZE", "at most so much: 8KiB, 8kB (8,000 bytes), 8192"),
    once("--stack", "SIZE", "of the deepest operation, at most"),
    once("--ram", "SIZE", "stack, heap and static RAM together, at most"),
    several(
        "--time",
        "times",
        "OP=TIME[,..]",
        "at most: sign=200ms, or secp256r1.sign=0.2s; handshake=500ms, of a TLS 1.3 client",
    ),
    several("--energy", "energys", "OP=ENERGY[,..]", "at most: sign=1mJ; chips with power figures"),
    click.option("--margin", metavar="PERCENT", help="of each --time and --energy, kept free: 10%"),
    click.option("--reserve-stack", "reserve", metavar="SIZE", help="kept free for interrupts"),
    one("--minimise", "AIM", "time, flash, stack, ram or energy: the objective", "time"),
    click.option(
        "--weights",
        "use",
        metavar="USE",
        help="tls13-client, secure-boot, ble-pairing or sensor: how often each operation counts "
        "in time and energy  [default: each once]",
    ),
    _SELECTION[2],
    several("--preset", "presets", "P[,P..]", "only these settings of ecfit; 'ecfit list presets'"),
    _SELECTION[6],
    _PEER_DIR,
    one("--mode", "MODE", "wait states of the flash: zero-ws, datasheet or worst", "datasheet"),
    one("--toolchain", "gcc|clang", "compiler", "gcc"),
    *_BATTERY,
    click.option("--thorough", is_flag=True, help="search on where the atlas ends: minutes"),
    click.option("--explain", is_flag=True, help="what was searched, and why the rest was not"),
    place("folder", "DIR", "write what is to be compiled there"),
    click.option(
        "--format",
        "format_name",
        type=click.Choice(("table", "json", "md"), case_sensitive=False),
        default="table",
        show_default=True,
        metavar="FORMAT",
        help="table, json, md",
    ),
    *_SELECTION[-3:],
    click.option("--debug", is_flag=True, help="show the traceback of an error"),
)
_VIEW = (
    several(
        "--columns",
        "shown_columns",
        "NAME[,NAME..]",
        "these columns of a table or csv, in this order: headings of a table, or fields as of json",
    ),
    click.option(
        "--wide", is_flag=True, help="the whole table, however wide and long: nothing is cut"
    ),
    click.option("--notes", "all_notes", is_flag=True, help="all notes under the table"),
)


def apply(command: Command, decorators: tuple[Decorator, ...]) -> Command:
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def which(command: Command) -> Command:
    """Which of a list: a name, or a word that stands in their entries."""
    return click.argument("text", required=False, metavar="[NAME|WORD]")(command)


def listed(command: Command) -> Command:
    """What is listed, and which of it."""
    kind = click.argument("what", type=click.Choice(KINDS), metavar="WHAT")
    return apply(command, (kind, which, peer_dir))


def peer_dir(command: Command) -> Command:
    """--peer-dir alone."""
    return _PEER_DIR(command)


def selection(command: Command) -> Command:
    """What to build: targets, libraries, curves, operations, settings, compiler."""
    return apply(command, _SELECTION)


def fidelity(command: Command) -> Command:
    """Which published figures to reproduce."""
    return apply(command, _FIDELITY)


def battery(command: Command) -> Command:
    """How often something is computed, and from which battery."""
    return apply(command, _BATTERY)


def sorting(command: Command) -> Command:
    """The option for the order of the rows."""
    return _SORT(command)


def running(command: Command) -> Command:
    """How to run: flash mode, inputs, budget."""
    return apply(command, _RUNNING)


def constant_time(command: Command) -> Command:
    """How to run, and how many runs to compare."""
    return apply(command, _CONSTANT_TIME)


def output(*formats: str) -> Decorator:
    """Where results go, and in which form. Hands all options to the command as one `Common`."""
    options = (
        click.option(
            "--format",
            "format_name",
            type=click.Choice(formats, case_sensitive=False),
            default=formats[0],
            show_default=True,
            metavar="FORMAT",
            help=f"{', '.join(formats)}"
            + ("; json and csv hold every field" if "csv" in formats else ""),
        ),
        place("path", "FILE", "write to FILE (atomically)"),
        *(_VIEW if "table" in formats else ()),
        click.option("--debug", is_flag=True, help="show the traceback of an error"),
    )

    return lambda command: apply(_collected(command), options)


def plain(command: Command) -> Command:
    """No results to format: all options, as one `Common`."""
    return apply(
        _collected(command),
        (click.option("--debug", is_flag=True, help="show the traceback of an error"),),
    )


def config(command: Command) -> Command:
    """What to configure, and the folder for it: all options, as one `Common`."""
    return apply(_collected(command), _CONFIG)


def amalgamate(command: Command) -> Command:
    """What to hand over, and where to: all options, as one `Common`."""
    return apply(_collected(command), _AMALGAMATE)


def fit(command: Command) -> Command:
    """What is needed, within which budget: all options, as one `Common`."""
    return apply(_collected(command), _FIT)


def _collected(command: Command) -> Command:
    @wraps(command)
    def collected(**values: Any) -> int:
        if os.path.lexists("ecfit.toml"):
            values = _completed(values)
        return command(Common(values))

    return collected


def _completed(values: dict[str, Any]) -> dict[str, Any]:
    """With what ecfit.toml has, and a line that says so. Errors: UsageError."""
    from ecfit.arguments.defaults import NAME, complete

    context = click.get_current_context()

    def is_given(name: str) -> bool:
        return context.get_parameter_source(name) != click.core.ParameterSource.DEFAULT

    values, taken = complete(context.info_name or "", values, is_given)
    if taken and not values.get("quiet"):
        sys.stderr.write(f"ecfit: from {NAME}: {' '.join(taken)}\n")
    return values


def scheduler(command: Command) -> Command:
    """On which machines rows are built and run."""
    return click.option(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        help="build and run on the workers of a dask cluster (docs/ci.md)",
    )(command)
