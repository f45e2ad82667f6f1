#!/usr/bin/env python3
"""Write the table of a signed comb of the base point (definition: lib/ref/comb.py)
as the C templates read it.

tools/gen_comb.py secp256r1 --teeth 5 --blocks 1   -> lib/src/curve/comb/secp256r1_t5_v1.inc
tools/gen_comb.py secp256r1 --all                  -> the sizes that stand in lib/src;
                                                   a build makes others
tools/gen_comb.py toy251 --teeth 4 --out FILE      -> that file, '-' for standard output
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gen_params import INDENT, ROOT, header, twist, words, write
from ref import montgomery
from ref.comb import Comb
from ref.curves import CURVES

SIZES = [(4, 1), (4, 2), (5, 1), (5, 2), (5, 4), (6, 1)]


def comb_path(comb: Comb) -> Path:
    """Where the table of a comb stands in the library."""
    return ROOT / f"lib/src/curve/comb/{comb.curve.name}_t{comb.teeth}_v{comb.blocks}.inc"


def comb_text(comb: Comb) -> str:
    """The whole file. ValueError when an entry is the point at infinity,
    which only toy curves can have.
    """
    field, u = montgomery.field(comb.curve), twist(comb.curve)
    rows = []
    for number, point in enumerate(comb.table()):
        if point is None:
            raise ValueError(f"{comb.curve.name}: entry {number} is the point at infinity")
        scaled = (point[0] * u**2, point[1] * u**3)
        x, y = (
            words(field.encode(coordinate % comb.curve.p), field.blocks) for coordinate in scaled
        )
        rows.append(f"{INDENT}/* {number} */\n{INDENT}{x},\n{INDENT}{y}")
    command = f"tools/gen_comb.py {comb.curve.name} --teeth {comb.teeth} --blocks {comb.blocks}"
    size = 64 * field.blocks // 8 * 2 * len(rows)
    return (
        header(comb.curve, command)
        + "\n"
        + f"/* Signed comb of the base point: {comb.teeth} teeth, {comb.blocks} block(s) of "
        f"{comb.columns} columns,\n"
        + f" * {len(rows)} points of x * R, y * R mod p, {size} bytes */\n"
        + f"ECFIT_CONST mp_word N(comb)[{len(rows)} * 2 * LIMBS] = {{\n"
        + ",\n".join(rows)
        + "};\n"
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description="Write the comb table of the base point for the C templates."
    )
    parser.add_argument("curve", choices=sorted(CURVES))
    parser.add_argument(
        "--teeth", type=int, choices=range(2, 9), default=5, help="teeth per block, 2 to 8"
    )
    parser.add_argument("--blocks", type=int, choices=range(1, 5), default=1, help="blocks, 1 to 4")
    parser.add_argument("--all", action="store_true", help="every size that stands in lib/src")
    parser.add_argument(
        "--out", help="file to write, '-' for standard output; default: lib/src/curve/..."
    )
    arguments = parser.parse_args()
    curve = CURVES[arguments.curve]
    if arguments.all:
        for teeth, blocks in SIZES:
            comb = Comb(curve, teeth, blocks)
            write(str(comb_path(comb)), comb_text(comb))
        return
    comb = Comb(curve, arguments.teeth, arguments.blocks)
    try:
        write(arguments.out or str(comb_path(comb)), comb_text(comb))
    except ValueError as error:
        sys.exit(f"gen_comb: {error}")


if __name__ == "__main__":
    main()
