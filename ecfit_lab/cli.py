"""The commands of the lab, as pyproject.toml registers them."""

from __future__ import annotations

import click

from ecfit.arguments import options
from ecfit.arguments.common import Common
from ecfit.arguments.helps import Command
from ecfit_lab.arguments import field
from ecfit_lab.arguments import tls as tlsoptions


@click.command(cls=Command)
@tlsoptions.tls
@options.battery
@options.output("table", "json", "csv", "md")
def tls(common: Common) -> int:
    """Cost of a TLS client on a chip or an emulated board.

    On a chip: cycles, bytes, RAM, flash. On a board, with TCP/IP and Ethernet: instructions, and
    bytes on the wire. The server is of this command, or yours.
    """
    from ecfit_lab.commands.tls import command

    return command(common)


@click.command(cls=Command)
@field.energy
@options.output("table", "json", "csv", "md")
def energy(common: Common) -> int:
    """Energy of the tasks in a measured trace, and battery life.

    TRACE: an export of a Nordic PPK2 (.csv), a Joulescope recording (.jls), or columns of time and
    of current or voltage (docs/energy.md).
    """
    from ecfit_lab.commands.energy import command

    return command(common)


@click.command(cls=Command)
@field.gateway
@options.plain
def gateway(common: Common) -> int:
    """Collect signed readings of sensors over CoAP.

    It verifies each message and keeps each reading once, until it is stopped (SIGINT, SIGTERM).
    A message is acknowledged when it is on disk: a killed gateway loses nothing (docs/gateway.md).
    """
    from ecfit_lab.commands.gateway import command

    return command(common)


@click.command(cls=Command)
@field.board
@options.output("table", "json", "csv", "md")
def board(common: Common) -> int:
    """Clocks of instructions on your board, beside the model.

    Without a name: the boards. First flash what --firmware writes, then ask it with --port.
    """
    from ecfit_lab.commands.board import command

    return command(common)


@click.command(cls=Command)
@field.sensor
@options.output("table", "json", "csv", "md")
def sensor(common: Common) -> int:
    """Run a sensor on an emulated board, which signs its readings.

    It answers CoAP clients until it is stopped with Ctrl-C. It prints its public key, then the
    address where it answers. Without --board, it lists the boards.
    """
    from ecfit_lab.commands.sensor import command

    return command(common)
