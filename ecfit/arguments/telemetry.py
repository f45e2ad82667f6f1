"""Options of the commands that send and receive signed readings."""

from __future__ import annotations

import rich_click as click

from ecfit.arguments.options import Command

_SENSOR = (
    click.option(
        "--board", metavar="B", help="an emulated board; without it, the boards there are"
    ),
    click.option(
        "--curve",
        default="secp192r1",
        show_default=True,
        metavar="C",
        help="secp192r1, secp256r1, secp256k1, secp384r1, secp521r1 or ed25519",
    ),
    click.option(
        "--port",
        type=click.IntRange(1, 65535),
        default=5683,
        show_default=True,
        metavar="N",
        help="UDP port of 127.0.0.1 where it answers",
    ),
    click.option(
        "--period",
        type=click.IntRange(1, 86_400),
        default=30,
        show_default=True,
        metavar="N",
        help="seconds for which a reading stays the same",
    ),
    click.option(
        "--first-id",
        type=click.IntRange(0, 2**31 - 1),
        default=34,
        show_default=True,
        metavar="N",
        help="id of the first measurement",
    ),
    click.option("--key", metavar="FILE", help="its private key, PEM or JWK  [default: a new one]"),
    click.option(
        "--public", metavar="FILE", help="write the public key there, as PEM, not to the output"
    ),
)


def sensor(command: Command) -> Command:
    """Which board and key, and where it answers."""
    for option in reversed(_SENSOR):
        command = option(command)
    return command
