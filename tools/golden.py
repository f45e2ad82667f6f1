#!/usr/bin/env python3
"""The regression gate: exact counts of fixed configurations, in results/golden/counts.json,
by set, one record per line.

tools/golden.py [SET..]            measures and writes them, all by default; commit them with the
                                   change that moves them
tools/golden.py --check [SET..]    writes nothing; names each figure that moved, exit code 7
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from ecfit import cli
from ecfit.errors import REGRESSION

PATH = Path(__file__).resolve().parents[1] / "results" / "golden" / "counts.json"
CHIPS = "lpc1114,rp2040,samd20"

# The command that makes each set.
SETS: dict[str, list[str]] = {
    "bench": ["bench", "--target", CHIPS, "--lib", "ecfit,micro-ecc", "--preset", "tiny,balanced"],
    "bench-zero-ws": [
        "bench", "--target", "lpc1114,rp2040", "--lib", "ecfit,micro-ecc", "--preset",
        "tiny,balanced",
        "--mode", "zero-ws",
    ],
    "size": ["size", "--target", "lpc1114,rp2040", "--lib", "ecfit,micro-ecc", "--preset",
        "tiny,balanced"],
    "size-several": ["size", "--target", "lpc1114", "--preset", "tiny", "--curve",
        "secp256r1,secp256r1+secp384r1"],
    "rfc": [
        "bench", "--target", "samd20", "--preset", "tiny,balanced", "--curve",
        "x25519,ed25519,x448,ed448",
        "--mode", "zero-ws",
    ],
    "rfc-size": ["size", "--target", "samd20", "--preset", "tiny,balanced", "--curve",
        "x25519,ed25519"],
    "gcc-o2": ["bench", "--target", "lpc1114", "--preset", "tiny,balanced", "--opt", "O2"],
    "gcc-o3": ["bench", "--target", "lpc1114", "--preset", "tiny,balanced", "--opt", "O3"],
    "clang": ["bench", "--target", "lpc1114", "--preset", "tiny,balanced", "--toolchain", "clang"],
    "cortex-m4": [
        "bench", "--target", "nrf52840,nrf5340", "--preset", "tiny,fast", "--curve",
        "secp256r1,x25519,ed25519",
        "--mode", "zero-ws",
    ],
    "cortex-m4-fpu": [
        "bench", "--target", "nrf52840,nrf5340", "--preset", "compact,fast", "--curve", "x25519",
        "--set", "FPU=words", "--mode", "zero-ws",
    ],
    "cortex-m4-fields": [
        "bench", "--target", "nrf52840", "--preset", "fast", "--curve",
        "secp128r1,secp160r1,secp192r1,secp224r1,secp521r1,brainpoolP384r1,brainpoolP512r1,x448",
        "--op", "ecdh", "--mode", "zero-ws",
    ],
    "cortex-m4-50-keys": [
        "bench", "--target", "nrf52840", "--preset", "fast", "--curve", "secp256r1,x25519",
        "--op", "keygen,ecdh,sign", "--mode", "zero-ws", "--n", "50",
    ],
    **{
        f"p256-cortex-m4{'' if mode == 'datasheet' else '-' + mode}": [
            "bench", "--target", "nrf52840", "--lib", "ecfit,p256-cortex-m4", "--preset", "fast",
            "--set", "NONCE=random", "--set", "MULD=strauss", "--set", "COMB_TEETH=4",
            "--set", "COMB_BLOCKS=4", "--set", "WIPE=none",
            "--mode", mode,
        ]
        for mode in ("zero-ws", "datasheet")
    },
    "rv32": [
        "bench", "--target", "ibex,esp32c3", "--preset", "tiny,fast", "--curve",
        "secp256r1,x25519,ed25519",
        "--mode", "zero-ws",
    ],
    "rv32-fields": [
        "bench", "--target", "ibex", "--preset", "fast", "--curve",
        "secp128r1,secp160r1,secp192r1,secp224r1,secp384r1,secp521r1,x448", "--op", "ecdh",
        "--mode", "zero-ws",
    ],
    "rv32e": [
        "bench", "--target", "ch32v003", "--preset", "balanced", "--curve",
        "secp256r1,x25519,ed25519", "--op", "ecdh,verify",
    ],
    "rv32-50-keys": [
        "bench", "--target", "ibex", "--preset", "fast", "--curve", "secp256r1,x25519",
        "--op", "keygen,ecdh,sign", "--mode", "zero-ws", "--n", "50",
    ],
    "esp8266": [
        "bench", "--target", "esp8266", "--lib", "ecfit,micro-ecc", "--preset", "tiny,fast",
        "--curve", "secp256r1,x25519,ed25519",
    ],
    "50-keys": [
        "bench", "--target", "lpc1114,rp2040", "--preset", "tiny,balanced", "--op",
        "keygen,ecdh,sign", "--n", "50",
    ],
}  # fmt: skip

# Not config_key: it changes with every knob that is added, and says nothing beyond
# preset and changes.
IDENTITY = ("library", "library_version", "preset", "changed", "curve", "op", "image_ops", "target",
            "mode", "toolchain", "opt", "seed", "runs")  # fmt: skip
COUNTS = ("status", "cycles", "cycles_min", "cycles_max", "instructions", "stack_bytes",
    "static_ram_bytes",
          "flash_bytes", "foreign_bytes", "trace_hash", "trace_hashes")  # fmt: skip

Line = dict[str, Any]


def measure(name: str) -> list[Line]:
    """Runs the command of a set. Errors: RuntimeError when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.json"
        code = cli.run([*SETS[name], "--quiet", "--format", "json", "-o", str(path)])
        if code or not path.is_file():
            raise RuntimeError(f"'ecfit {' '.join(SETS[name])}' ended with exit code {code}")
        records: list[Line] = msgspec.json.decode(path.read_bytes())
    return [{field: record[field] for field in (*IDENTITY, *COUNTS)} for record in records]


def stored(name: str) -> list[Line]:
    """The committed counts of a set; none: it is new. Errors: OSError, msgspec.DecodeError."""
    sets: dict[str, list[Line]] = msgspec.json.decode(PATH.read_bytes())
    return sets.get(name, [])


def write(name: str, lines: list[Line]) -> None:
    """Writes a set, one record per line, so that a diff shows what moved."""
    sets = {known: lines if known == name else stored(known) for known in SETS}
    texts = [
        f'"{known}": [\n' + ",\n".join(msgspec.json.encode(line).decode() for line in of) + "\n]"
        for known, of in sets.items()
    ]
    PATH.write_text("{\n" + ",\n\n".join(texts) + "\n}\n", encoding="utf-8")


def moved(old: list[Line], new: list[Line]) -> list[str]:
    """One line per figure that differs, and per record that came or went."""
    before = {_identity(line): line for line in old}
    after = {_identity(line): line for line in new}
    found = [f"gone: {' '.join(key)}" for key in before if key not in after]
    found += [f"new: {' '.join(key)}" for key in after if key not in before]
    for key in before.keys() & after.keys():
        for field in (*IDENTITY, *COUNTS):
            if before[key][field] != after[key][field]:
                found.append(
                    f"{' '.join(key)}: {field} was {before[key][field]}, is {after[key][field]}"
                )
    return sorted(found)


def _identity(line: Line) -> tuple[str, ...]:
    shown = ("library", "preset", "curve", "op", "image_ops", "target", "mode", "opt")
    return tuple(str(line[field]) for field in shown if line[field] is not None)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument(
        "sets",
        nargs="*",
        metavar="SET",
        choices=[*SETS, []],
        help="sets to measure; all by default",
    )
    arguments = parser.parse_args()
    differences = 0
    for name in arguments.sets or SETS:
        lines = measure(name)
        changes = moved(stored(name), lines)
        differences += len(changes)
        for change in changes:
            print(f"{name}: {change}")
        if not arguments.check:
            write(name, lines)
    print(f"golden: {differences} figures {'differ' if arguments.check else 'moved'}")
    return REGRESSION if arguments.check and differences else 0


if __name__ == "__main__":
    sys.exit(main())
