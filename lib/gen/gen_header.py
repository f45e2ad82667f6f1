#!/usr/bin/env python3
"""Write the public header of a curve: prototypes, each with its contract and sizes in bytes.

lib/gen/gen_header.py secp256r1             -> lib/include/ecfit/secp256r1.h
lib/gen/gen_header.py secp256r1 --out FILE  -> that file; '-' for standard output

The text is that of lib/gen/headers/FAMILY.h.in, with what differs from curve to curve between @;
@N>@ is a number of bytes in a column.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from gen.gen_params import ROOT, write
from ref.curves import LIBRARY, Curve
from ref.rfc7748 import XCURVES, XCurve
from ref.rfc8032 import EDCURVES, EdCurve

TEMPLATES = ROOT / "lib" / "gen" / "headers"
AnyCurve = Curve | XCurve | EdCurve
_ALL: list[AnyCurve] = [*LIBRARY, *XCURVES.values(), *EDCURVES.values()]
CURVES = {curve.name: curve for curve in _ALL}
HASHES = {"sha256": "SHA-256", "sha384": "SHA-384", "sha512": "SHA-512"}
FORMS = {  # of EdDSA: the plain one, with a context, of a digest (RFC 8032, 5)
    "ed25519": (
        "Ed25519",
        "Ed25519ctx (the RFC asks for one that is not empty)",
        "Ed25519ph, SHA-512 of the message",
    ),
    "ed448": (
        "Ed448 with an empty context",
        "Ed448",
        "Ed448ph, the first 64 bytes of SHAKE256 of the message",
    ),
}


def header_path(curve: AnyCurve) -> Path:
    """Where the header of a curve stands."""
    return ROOT / f"lib/include/ecfit/{curve.name}.h"


def header_text(curve: AnyCurve) -> str:
    """The header of a curve."""
    if isinstance(curve, Curve):
        values = _weierstrass(curve)
        own = {"secp256k1": "schnorr", "secp256r1": "spake2p"}.get(curve.name)
        return _filled("weierstrass", values) + (_filled(own, values) if own else "")
    size = (curve.p.bit_length() + 7) // 8
    values = {"curve": curve.name, "title": curve.title, "source": curve.source, "F": str(size)}
    if isinstance(curve, XCurve):
        return _filled("montgomery", values | {"function": curve.name.upper()})
    plain, context, prehash = FORMS[curve.name]
    size = curve.p.bit_length() // 8 + 1  # room for a sign
    sizes = {"F": str(size), "S": str(2 * size), "K": str(3 * size)}
    forms = {"plain": plain, "context": context, "prehash": prehash}
    context_blocks = {"ed25519": "27", "ed448": "28"}[curve.name]  # 8 bytes each, of a 64-bit host
    parts = values | sizes | forms | {"B": context_blocks, "ph": f"{curve.name.capitalize()}ph"}
    return _filled("edwards", values | sizes | forms) + _filled("edwards_parts", parts)


def _weierstrass(curve: Curve) -> dict[str, str]:
    field, order = curve.field_bytes, curve.order_bytes
    legacy = " *\n * Legacy, below 112 bits of security: off unless asked for.\n"
    low = " * s is at most n/2, for programs that refuse the other valid one, n - s (BIP 146).\n"
    low += " * Verification takes both.\n"
    return {
        "curve": curve.name,
        "title": curve.title,
        "source": curve.source,
        "legacy": legacy if curve.field_bits < 224 else "",
        "low": low if _own_file(curve, r"^#define CURVE_IS_LOW_S 1$") else "",
        "bits": str(curve.order_bits),
        "hash": _hash_of_nonces(curve),
        "F": str(field),
        "N": str(order),
        "C": str(1 + field),
        "P": str(1 + 2 * field),
        "S": str(2 * order),
        "R": str(2 * order + 1),
        "D": str(2 * order + 9),
    }


def _hash_of_nonces(curve: Curve) -> str:
    """The name of the hash in the curve's file; SHA-256 for a curve without one, a toy."""
    match = _own_file(curve, r"^#define CURVE_HASH (\w+)$")
    return HASHES[match.group(1) if match else "sha256"]


def _own_file(curve: Curve, line: str) -> re.Match[str] | None:
    """The first line of the curve's file that matches a pattern."""
    path = ROOT / f"lib/src/curve/{curve.name}.c"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return re.search(line, text, re.MULTILINE)


def _filled(family: str, values: dict[str, str]) -> str:
    text = (TEMPLATES / f"{family}.h.in").read_text(encoding="utf-8")
    return re.sub(
        r"@(\w+)(>?)@",
        lambda match: values[match.group(1)].rjust(3 if match.group(2) else 0),
        text,
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Write the public header of a curve.")
    parser.add_argument("curve", choices=CURVES)
    parser.add_argument("--out", help="file to write, '-' for standard output")
    arguments = parser.parse_args()
    curve = CURVES[arguments.curve]
    write(arguments.out or str(header_path(curve)), header_text(curve))


if __name__ == "__main__":
    main()
