"""The command `sensor`: a sensor on an emulated board that any CoAP client can query."""

from __future__ import annotations

import secrets
import signal
import struct
import sys
from pathlib import Path
from types import FrameType

from ecfit.arguments.common import Common
from ecfit.build.messages import SIGNERS
from ecfit.build.netimage import build_sensor, settings_address
from ecfit.choices.boards import all_machines, find_machine
from ecfit.choices.curves import Curve, find_curve
from ecfit.errors import OK, UsageError
from ecfit.measure.store import write_output
from ecfit.oracle import rfc7748, weierstrass
from ecfit.oracle.keyformats import KeyPair, private_key, public_pem
from ecfit.oracle.keygen import generate
from ecfit.oracle.keyreader import LARGEST
from ecfit.paths import read_input
from ecfit.run.emulator import HOST, Emulator

MAGIC = 0x32534345  # firmware/net/sensor_main.c
_RANDOM_BYTES, _KEY_BYTES = 48, 68


def settings(period_s: int, first_id: int, private: bytes) -> bytes:
    """What the firmware finds in RAM: random bytes, too, which no other start has."""
    head = struct.pack("<III", MAGIC, 1000 * period_s, first_id)
    return head + secrets.token_bytes(_RANDOM_BYTES) + private.ljust(_KEY_BYTES, b"\0")


def _pair(curve: Curve, path: str | None) -> KeyPair:
    """The key of a file, or a new one. Errors: UsageError."""
    if path is None:
        return generate(curve)
    try:
        text = read_input(Path(path), LARGEST)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    private = private_key(text, curve, path)
    if curve.form == "edwards":
        return KeyPair(curve, private, rfc7748.public_key(curve.name, private))
    point = weierstrass.multiply(curve, int.from_bytes(private, "big"), weierstrass.base(curve))
    assert point is not None
    return KeyPair(curve, private, weierstrass.encode_point(curve, point))


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def command(common: Common) -> int:
    """Builds the firmware, starts it, runs until Ctrl-C or SIGTERM. Errors: UsageError,
    BuildError, EmulatorError.
    """
    values = common.values
    if values["board"] is None:
        return common.listing(
            [{"name": one.name, "description": one.description} for one in all_machines().values()]
        )
    machine, curve = find_machine(values["board"]), find_curve(values["curve"])
    if curve.name not in SIGNERS:
        raise UsageError(
            f"no message is signed on {curve.name}: choose one of {', '.join(SIGNERS)}"
        )
    pair = _pair(curve, values["key"])
    if values["public"]:
        write_output(Path(values["public"]), public_pem(pair).encode())
    image = build_sensor(machine, curve)
    place = settings_address(machine), settings(values["period"], values["first_id"], pair.private)
    signal.signal(signal.SIGTERM, _stop)
    try:
        with Emulator(machine, image, place, values["port"]) as emulator:
            name = SIGNERS[curve.name].upper().replace("EDDSA", "EdDSA")
            where = f"coap://{HOST}:{values['port']}/temperature"
            sys.stdout.write(f"{'' if values['public'] else public_pem(pair)}")
            sys.stdout.write(f"sensor: {machine.name} answers at {where}\n")
            sys.stdout.write(f"sensor: it signs with {name}\n")
            sys.stdout.flush()
            emulator.wait()
    except KeyboardInterrupt:
        sys.stdout.write("sensor: stopped\n")
    return OK
