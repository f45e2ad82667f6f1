"""Boots one image on a simulated chip: the steps of docs/tutorial-secure-boot.md.

    .venv/bin/python examples/secure-boot/boot.py program -o program.bin
    .venv/bin/python examples/secure-boot/boot.py run --key key.pem image.bin

Exit code 0: the program runs. 1: the boot loader refuses the image, and says why. 2: usage.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from secureboot import (
    ALGORITHMS,
    LIBRARIES,
    RUNS,
    SLOT,
    SLOT_SIZE,
    build_boot,
    build_program,
    chip,
    minimum,
    run,
)

from ecfit.choices.targets import find_target
from ecfit.errors import EcfitError, UsageError

ALGORITHM = ALGORITHMS["ecdsa-p256"]
PROGRAM_SIZE = 1024  # bytes
REASONS = {  # docs/secure-boot.md has the same list
    1: "no image",
    2: "sizes or flags that do not fit",
    3: "a damaged trailer",
    4: "an unknown entry in the trailer",
    5: "signed with another key",
    6: "altered: the hash is not that of the image",
    7: "a wrong signature",
    8: "older than the oldest version that may run",
    9: "not a program for this slot",
}


def key_pair(path: Path) -> ec.EllipticCurvePrivateKey:
    """What `imgtool keygen` wrote. Errors: UsageError."""
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except (ValueError, TypeError):
        raise UsageError(f"{path}: no private key in PEM without a password") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise UsageError(f"{path}: not a key of ECDSA P-256 (imgtool keygen -t ecdsa-p256)")
    return key


def version(text: str) -> bytes:
    """The page with the oldest version that may run. Errors: UsageError."""
    try:
        return minimum(*(int(part) for part in text.split(".")))
    except (ValueError, TypeError, OverflowError):
        raise UsageError(f"'{text}' is no version: write it as 1.2.3") from None


def boot(args: argparse.Namespace) -> int:
    """Puts the boot loader and the image into flash, and resets the chip. Errors: EcfitError."""
    try:
        image = args.image.read_bytes()
    except OSError as error:
        raise UsageError(f"{args.image}: {error.strerror}") from None
    where, target = chip(args.target), find_target(args.target)
    loader = build_boot(where, ALGORITHM, LIBRARIES[f"ecfit {args.preset}"], key_pair(args.key))
    done = run(where, loader, image, version(args.oldest), target.mode("datasheet"))
    assert target.clock is not None, "every chip has a clock"
    took = f"{1000 * done.cycles / target.clock.hz:.0f} ms after the reset of the {where.name}"
    if done.bkpt == RUNS:
        major, minor, patch = done.result >> 24, done.result >> 16 & 255, done.result & 255
        sys.stdout.write(f"version {major}.{minor}.{patch} runs, {took}\n")
        return 0
    reason = REASONS.get(done.result, f"it stopped: {done.fault}")
    sys.stdout.write(f"refused ({done.result}): {reason}, {took}\n")
    return 1


def program(args: argparse.Namespace) -> int:
    """Writes the program that the boot loader starts, before it is signed. Errors: EcfitError."""
    where = chip(args.target)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_bytes(build_program(where, ALGORITHM, PROGRAM_SIZE))
    begin = where.flash + SLOT
    sys.stdout.write(f"{args.output}: for the slot {begin:#x} to {begin + SLOT_SIZE:#x}\n")
    return 0


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="boot.py", description="Boot one image, simulated.")
    parser.add_argument("--target", default="nrf52840", help="chip (default: nrf52840)")
    commands = parser.add_subparsers(required=True)
    making = commands.add_parser("program", help="write a program to sign")
    making.add_argument("-o", "--output", type=Path, required=True, help="file to write")
    making.set_defaults(work=program)
    booting = commands.add_parser("run", help="boot an image")
    booting.add_argument("--key", type=Path, required=True, help="key pair of imgtool, in PEM")
    booting.add_argument("--oldest", default="0.0.0", help="oldest version that may run")
    booting.add_argument("--preset", choices=("tiny", "balanced"), default="balanced")
    booting.add_argument("image", type=Path, help="what imgtool signed")
    booting.set_defaults(work=boot)
    args = parser.parse_args()
    try:
        return int(args.work(args))
    except EcfitError as error:
        sys.stderr.write(f"boot.py: {error}\n")
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
