"""The options of the commands that measure connections."""

from __future__ import annotations

import os

import click

from ecfit.arguments.options import _PEER_DIR, _TARGET_FILE, Command, apply, number, one, several

_TLS = (
    _TARGET_FILE,
    several("--target", "targets", "T[,T..]", "chips; 'ecfit list targets'  [default: nrf52840]"),
    several(
        "--board",
        "boards",
        "B[,B..]",
        "emulated: mps2-an385, -an386, -an500, -an505, lx60",
    ),
    click.option(
        "--flash", metavar="SIZE", help="of a board, for the client: 128KiB  [default: all]"
    ),
    click.option("--ram", metavar="SIZE", help="of a board, for the client: 64KiB  [default: all]"),
    several(
        "--server",
        "servers",
        "CONFIG[,..]",
        "tcp, tls1.2-rsa, tls1.3-rsa, tls1.3-ecdsa, tls1.2-ecdsa, tls1.3-ecdsa-x25519, "
        "tls1.3-ecdsa-p384, tls1.3-ecdsa-mutual, tls1.3-ecdsa-chain; resumed: tls1.3-ecdsa-ticket, "
        "tls1.3-ecdsa-psk, tls1.2-ecdsa-ticket, tls1.2-ecdsa-number; wolfSSL: "
        "tls1.3-ed25519, tls1.3-ecdsa-x25519mlkem768; UDP: dtls1.2-cid, dtls1.2-cid-mutual, "
        "dtls1.2-psk, edhoc  [default: the first four]; "
        "--connect: tls1.3-web, tls1.2-web, .. -ticket",
    ),
    click.option(
        "--connect",
        metavar="HOST:PORT",
        help="a server that you name, instead of one of this machine",
    ),
    click.option(
        "--ca",
        metavar="FILE",
        help="with --connect: whom the client trusts, PEM or DER",
    ),
    click.option(
        "--sni",
        metavar="NAME",
        help="with --connect: whom the client asks for and expects  [default: HOST]",
    ),
    click.option(
        "--record-buffer",
        metavar="SIZE",
        help="bytes of a record that the client takes, 1KiB to 16KiB, and tells the server  "
        "[default: 16KiB with a web configuration, else 4KiB]",
    ),
    several(
        "--stack",
        "stacks",
        "S[,S..]",
        "mbedtls, or wolfssl, which is GPL  [default: mbedtls]",
    ),
    several(
        "--backend",
        "backends",
        "E[,E..]",
        "curves by mbedtls, p256-m, ecfit-tiny, -balanced, -fast (ecfit-fast:COMB_BLOCKS=2), "
        "wolfssl, wolfssl-asm, -asm-fast, -c, -c-fast  [default: mbedtls,ecfit-fast]",
    ),
    click.option("--rtt", metavar="TIME", help="round trip of the network: 20ms  [default: 0]"),
    click.option(
        "--bandwidth", metavar="RATE", help="of the network: 250kbit/s  [default: no limit]"
    ),
    click.option(
        "--link",
        metavar="L",
        help="a radio: 802.15.4, ble, thread, lora-sf7 .. lora-sf12",
    ),
    one("--mode", "MODE", "of the flash: zero-ws or worst", "datasheet"),
    number("--n", "runs", "runs; the median is shown", 10, (1, 1000)),
    number("--seed", "seed", "what the client's random bytes follow from", 1, (0, 2**31)),
    click.option(
        "--timeout",
        type=click.FloatRange(0.1, 600),
        default=10.0,
        show_default=True,
        metavar="S",
        help="seconds that a server may be silent",
    ),
    click.option(
        "--record",
        metavar="FILE",
        help="keep the median connection of a row; {connection} and {target} stand for their names",
    ),
    click.option("--replay", metavar="FILE", help="run a kept connection again, without a server"),
    click.option(
        "--ct",
        "follow",
        is_flag=True,
        help="with --replay: which functions let a secret decide about time; exit code 5",
    ),
    _PEER_DIR,
    number("--jobs", "jobs", "number of parallel jobs", os.cpu_count() or 1, (1, 256)),
    click.option("--quiet", is_flag=True, help="no progress"),
    click.option("--no-cache", is_flag=True, help="build again, whatever the cache holds"),
)


def tls(command: Command) -> Command:
    """Which connections, on what, and through which network."""
    return apply(command, _TLS)
