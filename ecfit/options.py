"""Options that commands share, as decorators, and what they mean: the `Common` that a command is handed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from ecfit.errors import BUILD_FAILED, OK, WRONG_RESULT, OutputError

if TYPE_CHECKING:
    from ecfit.measure import Bench, Row
    from ecfit.model import Record
    from ecfit.peers import Peer
    from ecfit.report import Cells, Column
    from ecfit.selection import Selection

Command = Callable[..., int]


def _list(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Repeatable options take comma lists too."""
    return tuple(part.strip() for text in value for part in text.split(",") if part.strip())


def _several(*names: str, default: str | None = None, help: str, metavar: str) -> Callable[[Command], Command]:
    return click.option(
        *names, multiple=True, default=(default,) if default else (), callback=_list, metavar=metavar, help=help,
        show_default=bool(default),
    )


def _apply(command: Command, decorators: Sequence[Callable[[Command], Command]]) -> Command:
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def peer_dir(command: Command) -> Command:
    """--peer-dir: a library of the user's own."""
    option = click.option("--peer-dir", "peer_dirs", multiple=True, metavar="NAME=PATH", help=(
        "a library of your own: a folder with peer.toml and adapter.c"))
    return _apply(command, [option])


def selection(command: Command) -> Command:
    """What to build: targets, libraries, curves, operations, settings, compiler."""
    return peer_dir(_apply(command, [
        _several("--target", "targets", default="lpc1114", metavar="T[,T..]", help="chips, or all; 'ecfit targets'"),
        _several("--lib", "libraries", default="ecfit", metavar="L[,L..]", help="libraries, or all; 'ecfit libs'"),
        _several("--curve", "curves", default="secp256r1", metavar="C[,C..]", help="curves, or all; 'ecfit curves'"),
        _several("--op", "ops", default="all", metavar="OP[,OP..]", help=(
            "keygen, ecdh, sign, verify, or all: the operations that one image contains; its flash_bytes is what they "
            "cost together")),
        _several("--preset", "presets", metavar="P[,P..]", help="settings of ecfit; 'ecfit presets'  [default: balanced]"),
        _several("--set", "sets", metavar="KNOB=VALUE", help=(
            "one setting on top: KNOB, CURVE.KNOB ('ecfit knobs') or LIBRARY.OPTION ('ecfit libs')")),
        click.option("--toolchain", default="gcc", show_default=True, metavar="gcc|clang", help="compiler"),
        click.option("--opt", default="Os", show_default=True, metavar="Os|O2|O3", help="optimisation of the compiler"),
        click.option("--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, metavar="N",
                     help="rows at work at the same time  [default: one per processor]"),
        click.option("--quiet", is_flag=True, help="no progress"),
        click.option("--no-cache", is_flag=True, help="build and run again, whatever the cache holds"),
    ]))


def running(command: Command) -> Command:
    """How to run: flash mode, inputs, budget."""
    return _apply(command, [
        click.option("--mode", default="datasheet", show_default=True, metavar="zero-ws|datasheet",
                     help="how the target's flash behaves"),
        click.option("--n", "runs", type=click.IntRange(1, 100_000), default=1, show_default=True, metavar="N", help=(
            "runs with N different keys: cycles is their median; trace_hash is empty when their traces differ, "
            "trace_hashes says how many different ones there were")),
        click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, metavar="S",
                     help="all keys, hashes and random bytes follow from it"),
        click.option("--limit", type=click.IntRange(1, 10**13), default=2_000_000_000, show_default=True, metavar="N",
                     help="instructions after which an operation counts as endless"),
    ])


def output(*formats: str) -> Callable[[Command], Command]:
    """Where results go, and in which form. Hands all options to the command as one `Common`."""
    def decorate(command: Command) -> Command:
        @wraps(command)
        def collected(**values: Any) -> int:
            return command(Common(values))

        return _apply(collected, [
            click.option("--format", "format_name", type=click.Choice(formats, case_sensitive=False), default="table",
                         show_default=True, help="form of the output; json and csv hold every field of a record"),
            click.option("-o", "--output", "path", metavar="FILE", help="write there, whole or not at all"),
            click.option("--debug", is_flag=True, help="show the traceback of an error"),
        ])

    return decorate


class Common:
    """The options of one invocation, and the steps that commands share."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.path: str | None = values.get("path")
        self.format: str = values["format_name"].lower()
        if self.path is not None:
            _check_writable(Path(self.path))

    def peers(self) -> dict[str, Peer]:
        """All peers, those of --peer-dir among them. Errors: UsageError."""
        from ecfit.peers import all_peers
        from ecfit.selection import pairs

        named = pairs(self.values.get("peer_dirs", ()), "--peer-dir")
        return all_peers({name: Path(path) for name, path in named.items()})

    def select(self) -> Selection:
        """What was asked for, names checked. Errors: UsageError."""
        from ecfit.selection import select

        v = self.values
        mode = v.get("mode", "datasheet").lower()
        return select(
            v["targets"], v["libraries"], v["curves"], v["ops"], v["presets"], v["sets"], mode, self.peers()
        )

    def bench(self) -> Bench:
        """The machinery, set up as asked. Errors: UsageError."""
        from ecfit.measure import Bench, Settings
        from ecfit.store import Store

        v = self.values
        settings = Settings(
            toolchain=v["toolchain"].lower(), opt=v["opt"].removeprefix("-").capitalize(), seed=v.get("seed", 1),
            runs=v.get("runs", 1), limit=v.get("limit", 1), jobs=v["jobs"],
        )
        return Bench(settings, self.peers(), Store(enabled=not v["no_cache"]))

    def measure(
        self, rows: Sequence[Row], step: str, table: Callable[[Sequence[Record]], tuple[list[Column], Cells]]
    ) -> int:
        """Measures rows with progress, prints them, names what failed. The exit code is the gravest of the rows."""
        from ecfit.progress import Progress
        from ecfit.report import notes

        bench = self.bench()
        bench.check(rows)
        records: list[Record | None] = [None] * len(rows)
        with Progress(len(rows), quiet=self.values["quiet"]) as progress:
            for index, record in bench.each(rows, bench.size if step == "size" else bench.measure):
                records[index] = record
                progress.done(record)
        done = [record for record in records if record is not None]
        columns, cells = table(done)
        self.print(done, columns, cells, notes(done, bench.peers))
        return verdict(done)

    def print(self, values: Sequence[Any], columns: Sequence[Column], cells: Cells, lines: Sequence[str]) -> None:
        """Prints or writes values in the chosen format. Errors: OutputError."""
        from ecfit.report import emit, render

        colour = self.path is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        emit(render(self.format, values, columns, cells, lines, colour=colour), self.path)


def _check_writable(path: Path) -> None:
    """Finds out before minutes of work. Errors: OutputError."""
    folder = path.parent
    if path.is_dir():
        raise OutputError(f"cannot write {path}: it is a folder")
    if not folder.is_dir():
        raise OutputError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(path if path.exists() and not path.is_file() else folder, os.W_OK):
        raise OutputError(f"cannot write {path}: permission denied")


def verdict(records: Sequence[Record]) -> int:
    """One line on standard error per reason why rows failed; the exit code for them."""
    from ecfit.measure import NOT_OFFERED

    code = OK
    told = set()
    for record in records:
        if record.status in ("ok", NOT_OFFERED):
            continue
        code = max(code, BUILD_FAILED if record.status in BUILD_STATUS else WRONG_RESULT)
        line = f"{record.library} on {record.target}: {record.status}: {record.detail}"
        if line not in told:
            told.add(line)
            sys.stderr.write(f"ecfit: {line}\n")
    return code


BUILD_STATUS = ("build failed", "tool missing", "package unavailable", "package hash mismatch")
