"""The command line. Each command: names to a selection, a selection to records,
records to a text.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

import click

from ecfit import __version__
from ecfit.arguments import further, options
from ecfit.arguments.common import Common
from ecfit.arguments.helps import KINDS, Command, Group
from ecfit.errors import BUILD_FAILED, INTERRUPTED, OK, UNEXPECTED, USAGE, EcfitError
from ecfit.output import drop_output, end_output, fail, is_full, listen, open_streams

ELF = "--elf is of ecfit measure: --elf FILE --function NAME; --arg secret:HEX looks for leaks"
CONTEXT = {"help_option_names": ["-h", "--help"]}


@click.group(cls=Group, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="ecfit")
def cli() -> None:
    """Elliptic-curve cryptography that fits your device: builds a library for a chip, runs it on
    a simulator that counts the chip's cycles, and prints time, flash and stack.

    Exit codes: 0 ok, 1 unexpected, 2 usage, 3 build failed, 4 wrong result, 5 constant-time
    finding, 6 budget cannot be met, 7 regression, 130 interrupted.
    """


@cli.command()
@options.selection
@options.running
@options.battery
@options.sorting
@options.scheduler
@options.output("table", "json", "csv", "md")
def bench(common: Common) -> int:
    """Measure cycles, time, flash, stack and RAM of operations."""
    from ecfit.commands.bench import bench as measured

    return measured(common)


@cli.command()
@options.selection
@options.sorting
@options.output("table", "json", "csv", "md")
def size(common: Common) -> int:
    """Flash and static RAM, of each operation alone and of all together.

    Nothing is run. Several curves in one image: --curve secp256r1+secp384r1.
    """
    from ecfit.commands.bench import size as weighed

    return weighed(common)


@cli.command()
@options.selection
@options.running
@further.profile
def profile(common: Common) -> int:
    """Cycles of each function in one run of an operation.

    As a table, a flame graph (svg) or collapsed stacks for other viewers. With --stack: where the
    stack is deepest.
    """
    from ecfit.commands.profile import profiles

    return profiles(common)


@cli.command()
@options.selection
@options.constant_time
@options.output("table", "json", "csv", "md")
def ct(common: Common) -> int:
    """Look for secrets that decide about time.

    Secrets are followed through one run, and runs with different secrets are compared. Exit code
    5: a secret is in a branch, an address, or an operand of an instruction whose time varies; or
    code was not followed.
    """
    from ecfit.commands.ct import constant_time

    return constant_time(common)


@cli.command()
@options.config
def config(common: Common) -> int:
    """Write ecfit_config.h, the configuration of the library.

    With -o also the tables that it needs, and the command that compiles the library with it.
    """
    from ecfit.commands.config import config as written

    return written(common)


@cli.command()
@options.amalgamate
def amalgamate(common: Common) -> int:
    """Write a configuration as one ecfit.c with its header.

    With an example, the measured figures and checksums, in a new folder; ecfit_asm.S where there
    is assembly.
    """
    from ecfit.commands.config import amalgamate as handed_over

    return handed_over(common)


@cli.command()
@further.measuring
@options.output("table", "json", "csv", "md")
def measure(common: Common) -> int:
    """Cycles, stack and timing leaks of a function in your own image.

    docs/measure.md has more. Exit code 4: it cannot run to its end, and what it needs is named;
    5: a secret decides about time.
    """
    from ecfit.commands.measure import command

    return command(common)


@cli.command()
@options.scheduler
@options.fit
def fit(common: Common) -> int:
    """Find the best configuration for a budget.

    It is searched, measured, and with -o written for your project. Exit code 6: no configuration
    keeps the budget; the nearest are named.
    """
    from ecfit.commands.fit import command

    return command(common)


@cli.command()
@further.compare
@options.output("table", "json", "csv", "md")
def compare(common: Common) -> int:
    """Say what changed between two runs.

    OLD and NEW: files that bench, size or measure wrote with --format json, or checkouts and git
    revisions of this project, each measured with its own sources: options of bench behind -- say
    what (docs/ci.md). --wide lists unchanged figures too. Exit code 7: --fail-on is exceeded.
    """
    from ecfit.commands.compare import compare as compared

    return compared(common)


@cli.command()
@further.keys
@options.output("c", "words", "pem", "sec1", "jwk", "json")
def keys(common: Common) -> int:
    """Make key pairs from the system's random generator.

    pem: PKCS #8 and SubjectPublicKeyInfo; sec1: "EC PRIVATE KEY" in place of PKCS #8; words: C for
    micro-ecc of 2013 and compat/uecc/ecc.h. With -o the file is readable by you alone, and one that
    exists is not overwritten.
    """
    from ecfit.commands.keys import keys as made

    return made(common)


@cli.command()
@options.fidelity
@options.output("table", "json", "csv", "md")
def fidelity(common: Common) -> int:
    """Compare the model with published figures of real chips.

    Each chip earns an error class by them (docs/cycle-model.md).
    """
    from ecfit.commands.fidelity import fidelity as compared

    return compared(common)


@cli.command(name="list")
@options.listed
@options.output("table", "json", "csv", "md")
def list_(common: Common) -> int:
    """List what there is to choose from.

    WHAT: targets (chips), curves, libs (ecfit and its peers), presets (named configurations) or
    knobs (settings of the library, and what each costs). Of one, all that is known.
    """
    from ecfit.commands.catalogue import listed

    return listed(common)


@cli.command()
@options.output("table", "json", "csv", "md")
def doctor(common: Common) -> int:
    """Say what is installed, what is missing, and where to get it."""
    from ecfit.commands.doctor import examine

    checks = examine()
    common.listing(
        [
            {"what": c.name, "state": c.state, "found": c.found, "advice": c.advice or None}
            for c in checks
        ],
        texts=("found", "advice"),
    )
    return OK if all(check.ok or not check.needed for check in checks) else BUILD_FAILED


def _renamed(kind: str) -> click.Command:
    """A command of 0.2, which says the new one: until 0.4."""

    @click.command(cls=Command, name=kind, hidden=True)
    @options.which
    @options.peer_dir
    @options.output("table", "json", "csv", "md")
    def command(common: Common) -> int:
        from ecfit.commands.catalogue import listed

        sys.stderr.write(f"ecfit: '{kind}' is 'ecfit list {kind}' now\n")
        common.values = {**common.values, "what": kind}
        return listed(common)

    command.help = f"ecfit list {kind}"
    return command


for _kind in KINDS:
    cli.add_command(_renamed(_kind))


def run(arguments: Sequence[str]) -> int:
    """Runs a command line and returns its exit code; errors are one line on standard error."""
    try:
        return int(cli.main(args=list(arguments), prog_name="ecfit", standalone_mode=False) or OK)
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # click before 8.2 has none
            sys.stderr.write(f"{error.format_message()}\n")  # the help
            return USAGE
        if isinstance(error, click.NoSuchOption) and error.option_name == "--elf":
            return fail(ELF, USAGE)
        return fail(error.format_message(), USAGE)
    except (KeyboardInterrupt, click.Abort):
        sys.stderr.write("ecfit: interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return OK
    except Exception as error:
        if "--debug" in arguments:
            traceback.print_exc()
        if isinstance(error, EcfitError):
            return fail(str(error) or error.status, error.exit_code)
        if is_full(error):
            return fail(f"cannot write the output: {error.strerror}", USAGE)
        return fail(
            f"{type(error).__name__}: {error} (--debug shows where)", UNEXPECTED, "unexpected"
        )


def main() -> None:
    """Entry point of the command `ecfit`. Leaves at once after an interruption:
    threads may still be at work.
    """
    open_streams()
    listen()
    code = run(sys.argv[1:])
    try:
        end_output()
    except EcfitError as error:
        code = fail(str(error), error.exit_code)
    if code == INTERRUPTED:
        from ecfit.build.build import remove_scratch
        from ecfit.run.emulator import stop_running

        remove_scratch()
        stop_running()
        os._exit(code)
    sys.exit(code)
