"""The options of the commands about devices in the field, and decorators that give them."""

from __future__ import annotations

import os

import click

from ecfit.arguments.options import Command, Decorator, apply, number, one, several

_ENERGY = (
    click.argument("trace"),
    click.option(
        "--volts",
        type=click.FloatRange(0.1, 100),
        metavar="V",
        help="voltage of the supply, where the trace does not have it",
    ),
    click.option(
        "--shunt-ohms",
        type=click.FloatRange(1e-4, 1e6),
        metavar="OHM",
        help="the trace is of the voltage over this shunt in the supply line",
    ),
    one(
        "--marker", "led|d0|..|d7", "what marks the tasks: peaks, or a channel that is high", "led"
    ),
    click.option(
        "--time-trace",
        metavar="FILE",
        help="what the firmware says, in order: 'task,duration_ms', then a line for each run",
    ),
    several(
        "--task", "tasks", "NAME[,NAME..]", "names of the tasks, in turn, without --time-trace"
    ),
    click.option("--threshold", metavar="POWER", help="peaks of a marker are above it, as 45mW"),
    click.option(
        "--resolution",
        metavar="VOLTAGE",
        help="step of the converter, as 3.17mV  [default: what the samples show]",
    ),
    one("--calibration", "PERCENT", "how far off shunt and supply may be", "0%"),
    click.option("--runs", is_flag=True, help="a row for each run, not for each task"),
    click.option("--plot", metavar="FILE.svg", help="write the trace with its tasks marked there"),
    click.option(
        "--battery",
        metavar="CELL",
        help="years that it lasts with --every: CR2032, 2xAA, 2400mAh@3V",
    ),
    several("--every", "every", "TIME[,..]", "how often: 30s each task, or sign=30s"),
    click.option("--sleep", metavar="CURRENT", help="between the tasks, as 2uA or 3.9uW"),
    click.option(
        "--usable", metavar="PERCENT", help="share of the charge that can be used [default: 100%]"
    ),
    click.option(
        "--self-discharge",
        metavar="PERCENT",
        help="what the battery loses in a year  [default: the cell's, as 1%]",
    ),
)


_SENSOR = (
    click.option(
        "--board", metavar="B", help="an emulated board; without it, the boards there are"
    ),
    one(
        "--curve",
        "C",
        "secp192r1, secp256r1, secp256k1, secp384r1, secp521r1 or ed25519",
        "secp192r1",
    ),
    number("--port", "port", "UDP port of 127.0.0.1 where it answers", 5683, (1, 65535)),
    number("--period", "period", "seconds for which a reading stays the same", 30, (1, 86_400)),
    number("--first-id", "first_id", "id of the first measurement", 34, (0, 2**31 - 1)),
    click.option("--key", metavar="FILE", help="its private key, PEM or JWK  [default: a new one]"),
    click.option(
        "--public", metavar="FILE", help="write the public key there, as PEM, not to the output"
    ),
)


def energy(command: Command) -> Command:
    """Which trace, how it was taken, and what to know of it."""
    return apply(command, _ENERGY)


def sensor(command: Command) -> Command:
    """Which board and key, and where it answers."""
    return apply(command, _SENSOR)


_GATEWAY = (
    click.argument("sensors", nargs=-1, metavar="[KEY=]coap://HOST[:PORT]/PATH .."),
    click.option("--sensors", "list_file", metavar="FILE", help="more of them, one on a line"),
    click.option(
        "--keys",
        "keys_folder",
        metavar="DIR",
        required=True,
        help="public keys, a .pem or .jwk each; the name of the file is the key's",
    ),
    click.option("--sqlite", metavar="FILE", help="keep readings there, and what was refused"),
    click.option("--lines", metavar="FILE", help="as lines of JSON, for this gateway alone"),
    click.option(
        "--postgres",
        metavar="URL",
        help="in a database; gateways with the same one share the sensors",
    ),
    one("--id-member", "NAME", "the member of a reading that is its id", "measurement_id"),
    number("--rate", "rate", "messages a second of each sensor", 10, (1, 100_000)),
    number("--burst", "burst", "messages that each may send at once", 50, (1, 1_000_000)),
    one("--refused-size", "SIZE", "what is kept of a sensor's refused messages", "1MB"),
    number("--threads", "threads", "messages verified at a time", os.cpu_count() or 1, (1, 256)),
    click.option("--quiet", is_flag=True, help="nothing about sensors and keys on standard error"),
)


def gateway(command: Command) -> Command:
    """Which sensors, whom to trust, and where to keep what they say."""
    return apply(command, _GATEWAY)


_BOARD: tuple[Decorator, ...] = (
    click.argument("name", required=False),
    click.option(
        "--firmware", metavar="FILE", help="write the firmware of the board there, as ELF"
    ),
    click.option(
        "--port",
        metavar="PORT",
        help="where the board answers: a device, tcp:HOST:PORT or unix:PATH",
    ),
    several("--kernel", "kernels", "K[,K..]", "only these kernels  [default: all]"),
    number(
        "--passes",
        "passes",
        "passes of a kernel's loop; three times as many are made too",
        1000,
        (1, 5000),
    ),
    one(
        "--mode",
        "MODE",
        "wait states of the flash: zero-ws, datasheet or worst",
        "datasheet",
    ),
    click.option(
        "--time-trace",
        metavar="FILE",
        help="write what ran, in order, for 'ecfit energy --time-trace'; the marker's pin is high "
        "meanwhile",
    ),
)


def board(command: Command) -> Command:
    """Which board, and what to do with it."""
    return apply(command, _BOARD)
