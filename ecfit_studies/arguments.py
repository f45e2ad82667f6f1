"""The options of a study, and those of the page: as of a selection, but everything is shown unless
it is narrowed.
"""

from __future__ import annotations

import click

from ecfit.arguments.options import (
    _PEER_DIR,
    _SELECTION,
    _TARGET_FILE,
    Command,
    _collected,
    apply,
    one,
    place,
    several,
)

_REPORT = (
    _TARGET_FILE,
    several(
        "--target",
        "targets",
        "T[,T..]",
        "measure on these chips  [default: nothing is measured, a page for every chip]",
    ),
    several("--lib", "libraries", "L[,L..]", "libraries, or all; 'ecfit list libs'", "all"),
    several(
        "--curve", "curves", "C[,C..]", "curves, or all  [default: secp256r1; of kept records all]"
    ),
    several("--preset", "presets", "P[,P..]", "settings of ecfit  [default: all]"),
    _PEER_DIR,
    one("--mode", "MODE", "wait states of the flash: zero-ws, datasheet or worst", "datasheet"),
    one("--toolchain", "gcc|clang", "compiler", "gcc"),
    several("--opt", "opts", "Os|O2|O3", "optimisations  [default: Os; of kept records all]"),
    *_SELECTION[-3:],
    place("path", "FILE", "write the page to FILE (atomically)"),
    click.option("--debug", is_flag=True, help="show the traceback of an error"),
)


def report(command: Command) -> Command:
    """All options of `report`, as one `Common`: the content of the page, and its file."""
    return apply(_collected(command), _REPORT)


_STUDY = (
    click.argument("name", required=False),
    click.option("--list", "list_them", is_flag=True, help="the studies there are"),
    click.option("--plot", metavar="FILE.svg", help="also draw it there, one file for each chart"),
    click.option("--tables", is_flag=True, help="json and csv: the rows and columns of the tables"),
    several("--target", "targets", "T[,T..]", "chips, or all  [default: the study's own]"),
    several("--curve", "curves", "C[,C..]", "curves, or all  [default: the study's own]"),
    one("--mode", "MODE", "wait states of the flash: zero-ws, datasheet or worst", "datasheet"),
    click.option(
        "--peer-dir",
        "peer_dirs",
        multiple=True,
        metavar="NAME=PATH",
        help="measure this code again, whose rows are kept (docs/adding-a-peer.md)",
    ),
    one("--toolchain", "gcc|clang", "compiler; the optimisation is each study's own", "gcc"),
    *_SELECTION[-3:],
)


def study(command: Command) -> Command:
    """Which study, and where."""
    return apply(command, _STUDY)


def coverage(command: Command) -> Command:
    """Which published figures are reproduced."""
    return click.option(
        "--coverage",
        "of_coverage",
        is_flag=True,
        help="of all studies, each published figure: reproduced within 5 or 10 %, off, or not "
        "measured",
    )(command)
