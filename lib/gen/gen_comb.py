#!/usr/bin/env python3
"""Write the table of a signed comb of the base point (definition: lib/ref/comb.py)
as the C templates read it.

lib/gen/gen_comb.py secp256r1 --teeth 5 --blocks 1   -> lib/src/curve/comb/secp256r1_t5_v1.inc
lib/gen/gen_comb.py toy251 --teeth 4 --out FILE      -> that file, '-' for standard output
lib/gen/gen_comb.py secp256r1 --odd 6                -> lib/src/curve/comb/secp256r1_odd_w6.inc: G,
                                                     3 G, 5 G .. (2^5 - 1) G

lib/src has the tables of presets; a build makes others through ecfit/build/combs.py.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gen.gen_params import ROOT, constant, header, twist, write
from ref import group, montgomery
from ref.comb import Comb
from ref.curves import CURVES, Curve


def comb_path(comb: Comb) -> Path:
    """Where the table of a comb stands in the library."""
    return ROOT / f"lib/src/curve/comb/{comb.curve.name}_t{comb.teeth}_v{comb.blocks}.inc"


def comb_text(comb: Comb) -> str:
    """The whole file. ValueError when an entry is the point at infinity,
    which only toy curves can have.
    """
    command = f"lib/gen/gen_comb.py {comb.curve.name} --teeth {comb.teeth} --blocks {comb.blocks}"
    what = f"{comb.teeth} teeth, {comb.blocks} block(s) of {comb.columns} columns"
    what = f"Signed comb of the base point: {what}"
    return _table_text(comb.curve, command, what, "comb", comb.table())


def odd_path(curve: Curve, width: int) -> Path:
    """Where the odd multiples of the base point stand in the library."""
    return ROOT / f"lib/src/curve/comb/{curve.name}_odd_w{width}.inc"


def odd_text(curve: Curve, width: int) -> str:
    """The whole file: odd multiples below 2^(width - 1). ValueError as above."""
    multiple = group.base(curve)
    twice = group.add(curve, multiple, multiple)
    points = [multiple]
    for _ in range((1 << width - 2) - 1):
        points.append(group.add(curve, points[-1], twice))
    command = f"lib/gen/gen_comb.py {curve.name} --odd {width}"
    what = f"Odd multiples of the base point, for digits of {width} bits"
    return _table_text(curve, command, what, "odd", points)


def _table_text(curve: Curve, command: str, what: str, name: str, points: list[group.Point]) -> str:
    field, u = montgomery.field(curve), twist(curve)
    values = []
    for number, point in enumerate(points):
        if point is None:
            raise ValueError(f"{curve.name}: entry {number} is the point at infinity")
        scaled = (point[0] * u**2, point[1] * u**3)
        values += [field.encode(coordinate % curve.p) for coordinate in scaled]
    total = 64 * field.blocks // 8 * len(values)
    note = f"{what},\n * {len(points)} points of x * R, y * R mod p, {total} bytes"
    size = f"{len(points)} * 2 * LIMBS"
    table = constant(name, size, values, field.blocks, note, kind="FLASH")
    return f"{header(curve, command)}\n{table}"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description="Write the comb table of the base point for the C templates."
    )
    parser.add_argument("curve", choices=sorted(CURVES))
    parser.add_argument(
        "--teeth", type=int, choices=range(2, 9), default=5, help="teeth per block, 2 to 8"
    )
    parser.add_argument(
        "--blocks", type=int, choices=range(1, 12), default=1, help="blocks, 1 to 11"
    )
    parser.add_argument(
        "--odd", type=int, choices=range(2, 9), help="odd multiples for digits of so many bits"
    )
    parser.add_argument(
        "--out", help="file to write, '-' for standard output; default: lib/src/curve/..."
    )
    arguments = parser.parse_args()
    curve = CURVES[arguments.curve]
    if arguments.odd:
        write(arguments.out or str(odd_path(curve, arguments.odd)), odd_text(curve, arguments.odd))
        return
    comb = Comb(curve, arguments.teeth, arguments.blocks)
    try:
        write(arguments.out or str(comb_path(comb)), comb_text(comb))
    except ValueError as error:
        sys.exit(f"gen_comb: {error}")


if __name__ == "__main__":
    main()
