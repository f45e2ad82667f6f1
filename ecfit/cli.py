"""The command line. Each command: names to a selection, a selection to records, records to a text."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import rich_click as click

from ecfit import __version__, options
from ecfit.errors import INTERRUPTED, OK, UNEXPECTED, USAGE, EcfitError, OutputError
from ecfit.options import Common

click.rich_click.MAX_WIDTH = 110
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@click.group(context_settings=CONTEXT)
@click.version_option(__version__, prog_name="ecfit")
def cli() -> None:
    """Elliptic-curve cryptography that fits your device.

    Builds a library for a chip, runs it on a cycle-modelled simulator of that chip, and prints time, flash and stack.

    Exit codes: 0 ok, 1 unexpected, 2 usage, 3 build failed, 4 wrong result, 130 interrupted.
    """


@cli.command()
@options.selection
@options.running
@options.output("table", "json", "csv", "md")
def bench(common: Common) -> int:
    """Measure operations: cycles, time, flash, stack, RAM."""
    from ecfit.report import bench_table
    from ecfit.selection import rows

    return common.measure(rows(common.select()), "measure", bench_table)


@cli.command()
@options.selection
@options.output("table", "json", "csv", "md")
def size(common: Common) -> int:
    """Flash and static RAM of each operation alone and of all together, without running them."""
    from ecfit.report import size_table
    from ecfit.selection import size_rows

    return common.measure(size_rows(common.select()), "size", size_table)


@cli.command()
@options.selection
@options.running
@options.output("table", "json", "csv", "md", "collapsed")
def profile(common: Common) -> int:
    """Cycles per function of one run of each operation; collapsed stacks for flame-graph viewers."""
    from ecfit.profiles import profiles

    return profiles(common)


def _listing(common: Common, names: Sequence[str], cells: list[list[str]], values: Sequence[Any]) -> int:
    """Prints what there is: a table, or the whole data as json or csv."""
    from ecfit.report import Column

    common.print(values, [Column(name) for name in names], cells, [])
    return OK


@cli.command()
@options.output("table", "json", "csv", "md")
def targets(common: Common) -> int:
    """The chips there are."""
    from ecfit.targets import all_targets

    found = all_targets().values()
    cells = [[t.name, t.core, _clock(t.clock.hz if t.clock else None), t.backend, _classes(t), t.description] for t in found]
    values = [
        {"name": t.name, "core": t.core, "arch": t.arch, "clock_hz": t.clock.hz if t.clock else None, "backend": t.backend,
         "modes": " ".join(t.modes), "error_classes": _classes(t), "description": t.description}
        for t in found
    ]
    return _listing(common, ("name", "core", "clock", "backend", "error class", "description"), cells, values)


def _clock(hz: int | None) -> str:
    return "-" if hz is None else f"{hz / 1e6:g} MHz"


def _classes(target: Any) -> str:
    return ", ".join(f"{name} {mode.error_class}" for name, mode in target.modes.items()) or "-"


@cli.command()
@options.output("table", "json", "csv", "md")
@options.peer_dir
def libs(common: Common) -> int:
    """The libraries that can be measured: this one, and peers that are fetched on demand."""
    from ecfit.curves import CURVES, OPS

    own = {"name": "ecfit", "version": __version__, "licence": "MIT", "curves": " ".join(CURVES), "ops": " ".join(OPS),
           "options": "see 'ecfit knobs'", "package": None, "description": "this library"}
    values = [own]
    for name, peer in common.peers().items():
        ops = dict.fromkeys(op for offered in peer.curves.values() for op in offered)
        settings = [f"{option}={'|'.join(o.values)} (default {o.default})" for option, o in peer.options.items()]
        package = f"{peer.package.name} {peer.package.version}" if peer.package else None
        values.append({"name": name, "version": peer.library_version, "licence": peer.licence,
                       "curves": " ".join(peer.curves), "ops": " ".join(ops), "options": "; ".join(settings),
                       "package": package, "description": peer.description})
    return _listing(common, tuple(own), [[str(v or "-") for v in value.values()] for value in values], values)


@cli.command()
@options.output("table", "json", "csv", "md")
def curves(common: Common) -> int:
    """The curves there are, with their other names."""
    from ecfit.curves import CURVES

    values = [
        {"name": c.name, "aliases": ", ".join(c.aliases), "bits": c.bits, "source": c.source} for c in CURVES.values()
    ]
    return _listing(common, ("name", "aliases", "bits", "source"), [[str(v) for v in x.values()] for x in values], values)


@cli.command()
@options.output("table", "json", "csv", "md")
def knobs(common: Common) -> int:
    """The settings of the library: what each chooses and what it spends."""
    from ecfit.knobs import all_knobs, all_presets

    names = list(all_presets())
    values = [
        {"name": k.name, "scope": k.scope, "values": k.range_text, "default": str(k.default), "spends": k.spends,
         **{preset: str(all_presets()[preset].values.get(k.name, k.default)) for preset in names}, "help": k.help}
        for k in all_knobs().values()
    ]
    shown = ("name", "values", *names, "spends", "help")
    return _listing(common, shown, [[str(value[name]) for name in shown] for value in values], values)


@cli.command()
@options.output("table", "json", "csv", "md")
def presets(common: Common) -> int:
    """The named configurations of the library."""
    from ecfit.knobs import all_presets

    values = [
        {"name": name, "description": p.description, "settings": " ".join(f"{k}={v}" for k, v in p.values.items())}
        for name, p in all_presets().items()
    ]
    return _listing(common, ("name", "description", "settings"), [[str(v) for v in x.values()] for x in values], values)


@cli.command()
@options.output("table", "json", "csv", "md")
def doctor(common: Common) -> int:
    """What is installed, what is missing, and which package has it."""
    from ecfit.doctor import examine

    checks = examine()
    cells = [[check.name, "ok" if check.ok else "missing" if check.needed else "absent", check.found, check.advice]
             for check in checks]
    _listing(common, ("what", "state", "found", "advice"), cells, checks)
    return OK if all(check.ok or not check.needed for check in checks) else 3


def _fail(error: BaseException, code: int, prefix: str = "error: ") -> int:
    """One line on standard error."""
    text = " ".join(str(error).split()) or type(error).__name__
    sys.stderr.write(f"ecfit: {prefix}{text}\n")
    return code


def run(arguments: Sequence[str]) -> int:
    """Runs a command line and returns its exit code; errors are one line on standard error."""
    import click as plain_click

    try:
        return int(cli.main(args=list(arguments), prog_name="ecfit", standalone_mode=False) or OK)
    except plain_click.exceptions.NoArgsIsHelpError as error:
        sys.stderr.write(error.format_message() + "\n")
        return USAGE
    except plain_click.ClickException as error:
        return _fail(Exception(error.format_message()), USAGE)
    except EcfitError as error:
        if "--debug" in arguments:
            traceback.print_exc()
        return _fail(error, error.exit_code)
    except (KeyboardInterrupt, plain_click.Abort):
        sys.stderr.write("ecfit: interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone: nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:
        if "--debug" in arguments:
            traceback.print_exc()
        return _fail(Exception(f"{type(error).__name__}: {error} (--debug shows where)"), UNEXPECTED, "unexpected: ")


def main() -> None:
    """Entry point of the command `ecfit`. Leaves at once after an interruption: threads may still be at work."""
    code = run(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    if code == INTERRUPTED:
        os._exit(code)
    sys.exit(code)
