"""The command line. Each command: names to a selection, a selection to records,
records to a text.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

import click as plain_click
import rich_click as click

from ecfit import __version__
from ecfit.arguments import field, further, options, reporting, tlsoptions
from ecfit.arguments.common import Common
from ecfit.errors import BUILD_FAILED, INTERRUPTED, OK, UNEXPECTED, USAGE, EcfitError
from ecfit.output import drop_output, end_output, fail, is_full, listen, open_streams

click.rich_click.MAX_WIDTH = 110
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@click.group(context_settings=CONTEXT)
@click.version_option(__version__, prog_name="ecfit")
def cli() -> None:
    """Elliptic-curve cryptography that fits your device.

    Builds a library for a chip, runs it on a cycle-modelled simulator of that chip,
    and prints time, flash and stack.

    Exit codes: 0 ok, 1 unexpected, 2 usage, 3 build failed, 4 wrong result,
    5 constant-time finding, 6 budget cannot be met,
    7 regression, 130 interrupted.
    """


@cli.command()
@options.selection
@options.running
@options.sorting
@further.scheduler
@options.output("table", "json", "csv", "md")
def bench(common: Common) -> int:
    """Measure operations: cycles, time, flash, stack, RAM."""
    from ecfit.commands.bench import bench as measured

    return measured(common)


@cli.command()
@options.selection
@options.sorting
@options.output("table", "json", "csv", "md")
def size(common: Common) -> int:
    """Flash and static RAM of each operation alone and of all together, without running them.

    Several curves in one image: --curve secp256r1+secp384r1.
    """
    from ecfit.commands.bench import size as weighed

    return weighed(common)


@cli.command()
@options.selection
@options.running
@further.profile
def profile(common: Common) -> int:
    """Cycles per function of one run of each operation; flame graphs as svg,
    or collapsed stacks for their viewers. With --stack: where the stack is deepest.
    """
    from ecfit.commands.profile import profiles

    return profiles(common)


@cli.command()
@options.selection
@options.constant_time
@options.output("table", "json", "csv", "md")
def ct(common: Common) -> int:
    """Does a secret decide about time? Secrets followed through one run,
    and runs with different secrets compared.

    Exit code 5 when one does: in a branch, an address, or an operand of an instruction
    that is variable-time there.
    """
    from ecfit.commands.ct import constant_time

    return constant_time(common)


@cli.command()
@options.config
def config(common: Common) -> int:
    """The configuration header of the library, ecfit_config.h, for one target and image.

    With -o also the tables that it needs, and the command that compiles the library with it.
    """
    from ecfit.commands.config import config as written

    return written(common)


@cli.command()
@options.amalgamate
def amalgamate(common: Common) -> int:
    """A configuration in one file of C: ecfit.c, ecfit.h, and ecfit_asm.S where there is assembly.

    With its header, what was measured of it, an example, and checksums, in a new folder.
    """
    from ecfit.commands.config import amalgamate as handed_over

    return handed_over(common)


@cli.command()
@further.measuring
@options.output("table", "json", "csv", "md")
def measure(common: Common) -> int:
    """Cycles, stack and constant-time verdict of a function in any ELF image (docs/measure.md).

    Exit code 4 when it cannot run to its end, with what it needs; 5 when a secret decides
    about time.
    """
    from ecfit.commands.measure import command

    return command(common)


@cli.command()
@further.scheduler
@options.fit
def fit(common: Common) -> int:
    """The best configuration for a budget: searched, measured, and with -o written to take along.

    Exit code 6 when no configuration keeps the budget: then the nearest are named.
    """
    from ecfit.commands.fit import command

    return command(common)


@cli.command()
@further.compare
@options.output("table", "json", "csv", "md")
def compare(common: Common) -> int:
    """What changed between two runs: files of records that bench or size wrote with --format json,
    or checkouts and git revisions of this project, each measured with its own sources.

    What to measure stands behind --, as options of bench (docs/ci.md).
    Exit code 7 when --fail-on says that it is too much.
    """
    from ecfit.commands.bench import compare as compared

    return compared(common)


@cli.command()
@reporting.report
def report(common: Common) -> int:
    """A page to look at, in one file of HTML: what fits a budget, where flash and cycles go,
    two chips side by side, how far the model can be trusted, the published tables.

    Without --target it shows the records that are kept in results/, and measures nothing.
    """
    from ecfit.commands.report import command

    return command(common)


@cli.command()
@options.study
@further.scheduler
@options.output("table", "json", "csv", "md")
def study(common: Common) -> int:
    """A table of a document, or a question about this library, measured:
    rows beside the published figures.

    Without a name, or with --list, the studies there are.
    """
    from ecfit.commands.study import command

    return command(common)


@cli.command()
@tlsoptions.tls
@options.output("table", "json", "csv", "md")
def tls(common: Common) -> int:
    """What a TLS client costs on a chip: cycles of the handshake, bytes, RAM, flash; or, with
    TCP/IP and Ethernet, on an emulated board: instructions, and bytes on the wire.

    Mbed TLS on the modelled chip, against a server that this command starts on loopback.
    """
    from ecfit.commands.tls import command

    return command(common)


@cli.command()
@further.keys
@options.output("c", "pem", "sec1", "jwk", "json")
def keys(common: Common) -> int:
    """Key pairs from the system's random generator, as C arrays, PEM, JWK or JSON.

    pem: PKCS #8 and SubjectPublicKeyInfo; sec1: "EC PRIVATE KEY" in place of PKCS #8.
    With -o the file is readable by you alone, and one that exists is not overwritten.
    """
    from ecfit.commands.keys import keys as made

    return made(common)


@cli.command()
@field.energy
@options.output("table", "json", "csv", "md")
def energy(common: Common) -> int:
    """What the tasks in a measured trace cost: joules, mean power and duration of each,
    with their uncertainty; and how long a battery lasts.

    TRACE: an export of a Nordic PPK2 (.csv), a Joulescope recording (.jls), or columns of time and
    of current or voltage (docs/energy.md).
    """
    from ecfit.telemetry.energy import command

    return command(common)


@cli.command()
@field.gateway
@options.plain
def gateway(common: Common) -> int:
    """Observe sensors over CoAP, verify their signed messages, and keep each reading once.

    Until it is stopped (SIGINT or SIGTERM). A sensor's message is acknowledged when it is on disk:
    a gateway that is killed loses nothing and keeps nothing twice (docs/gateway.md).
    """
    from ecfit.telemetry.gateway import command

    return command(common)


@cli.command()
@options.fidelity
@options.output("table", "json", "csv", "md")
def fidelity(common: Common) -> int:
    """Modelled figures against published silicon, and the error class that each chip earns."""
    from ecfit.commands.fidelity import fidelity as compared

    return compared(common)


@cli.command()
@options.board
@options.output("table", "json", "csv", "md")
def board(common: Common) -> int:
    """Clocks of each class of instructions on a board of yours, beside the model;
    without a name, the boards.

    First flash what --firmware writes, then ask it with --port (115200 baud).
    """
    from ecfit.commands.board import command

    return command(common)


@cli.command()
@field.sensor
@options.output("table", "json", "csv", "md")
def sensor(common: Common) -> int:
    """A sensor on an emulated board (QEMU) that signs its readings and answers CoAP clients,
    until it is stopped with Ctrl-C. Without --board, the boards there are.

    Prints its public key, then where it answers.
    """
    from ecfit.telemetry.sensor import command

    return command(common)


@cli.command()
@options.output("table", "json", "csv", "md")
def targets(common: Common) -> int:
    """The chips there are."""
    from ecfit.choices.targets import malformed
    from ecfit.commands import catalogue

    for line in malformed():
        sys.stderr.write(f"ecfit: left out: {line}\n")
    return common.listing(catalogue.targets())


@cli.command()
@options.peer_dir
@options.output("table", "json", "csv", "md")
def libs(common: Common) -> int:
    """The libraries that can be measured: this one, and peers that are fetched on demand."""
    from ecfit.commands import catalogue

    return common.listing(
        catalogue.libraries(common.peers()),
        texts=("curves", "ops", "options", "variants", "description"),
    )


@cli.command()
@options.output("table", "json", "csv", "md")
def curves(common: Common) -> int:
    """The curves there are, with their other names."""
    from ecfit.commands import catalogue

    return common.listing(catalogue.curves(), texts=("aliases", "source"))


@cli.command()
@options.output("table", "json", "csv", "md")
def knobs(common: Common) -> int:
    """The settings of the library: what each chooses and what it spends."""
    from ecfit.commands import catalogue

    return common.listing(
        catalogue.knobs(), hidden=("scope", "default"), texts=("values", "spends", "help")
    )


@cli.command()
@options.output("table", "json", "csv", "md")
def presets(common: Common) -> int:
    """The named configurations of the library."""
    from ecfit.commands import catalogue

    texts = ("description", "settings", "where", "several_curves")
    return common.listing(catalogue.presets(), texts=texts)


@cli.command()
@options.output("table", "json", "csv", "md")
def doctor(common: Common) -> int:
    """What is installed, what is missing, and which package has it."""
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


def run(arguments: Sequence[str]) -> int:
    """Runs a command line and returns its exit code; errors are one line on standard error."""
    try:
        return int(cli.main(args=list(arguments), prog_name="ecfit", standalone_mode=False) or OK)
    except plain_click.exceptions.NoArgsIsHelpError:
        return USAGE  # the help has been printed
    except plain_click.ClickException as error:
        return fail(error.format_message(), USAGE)
    except (KeyboardInterrupt, plain_click.Abort):
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
