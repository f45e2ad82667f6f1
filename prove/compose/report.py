"""All configurations: checked, kept in prove/composed.json, and told in docs/proved.md."""

from __future__ import annotations

import sys

from prove.compose.admitted import excused
from prove.compose.check import Found, check
from prove.contracts import records
from prove.intervals.source import SMALLEST, UNVERIFIED

COMPOSED = records.ROOT / "prove" / "composed.json"  # by back end, curve and preset
PRESETS = ("balanced", "compact", "fast", "lowram", "tiny")
CURVES = ("x25519", "ed25519", "secp256r1", "secp384r1", "secp521r1", "secp256k1")
BACKENDS = ("armv6m", "armv7m", "armv7em", "rv32im", "c")


def presets(curve: str) -> tuple[str, ...]:
    """Those of a curve, one in an image of its own, and of P-256 the smallest."""
    more = SMALLEST if curve == "secp256r1" else ()
    return (*PRESETS, UNVERIFIED, *more) if curve.startswith("secp") else PRESETS


def open_faults(found: Found) -> list[str]:
    """What a check says, without what is excused."""
    return [f for f in found.faults if not any(_is(f, one) for one in excused())]


def _is(fault: str, one: dict[str, str]) -> bool:
    return all(part in fault for part in (one["where"], one["callee"], one["says"]))


def every(only: str | None = None) -> int:
    """Check all, or those of a back end; 1 where one is refused."""
    known = records.load(COMPOSED)
    bad = 0
    for backend in BACKENDS:
        for curve in CURVES if only in (None, backend) else ():
            for preset in presets(curve):
                found = check(curve, preset, backend)
                faults = open_faults(found) + found.unread
                label = f"{backend} {curve} {preset}"
                print(f"{label}: {len(found.calls)} calls, {len(faults)} refused", flush=True)
                for fault in faults:
                    print(f"prove: {label}: {fault}", file=sys.stderr)
                bad += len(faults)
                known[label] = {
                    "calls": len(found.calls),
                    "functions": found.functions,
                    "refused": len(faults),
                    "excused": len(found.faults) + len(found.unread) - len(faults),
                    "facts": found.facts,
                    "skipped": found.skipped,
                    "relied": found.relied,
                }
                records.save(known, COMPOSED)
    return int(bad > 0)


def table() -> list[str]:
    """Rows for docs/proved.md."""
    proved, lines = records.load(), []
    lines += ["| back end | curve | calls, in each preset | on paper | relies on, not proved |"]
    lines += ["| --- | --- | --- | ---: | --- |"]
    known = records.load(COMPOSED)
    for backend in BACKENDS:
        for curve in CURVES:
            rows = {p: known.get(f"{backend} {curve} {p}") for p in presets(curve)}
            mine = [r for r in rows.values() if r and not r["refused"]]
            calls = ", ".join(
                f"{r['calls']}" if r and not r["refused"] else "no" for r in rows.values()
            )
            relied = sorted(
                {n for r in mine for n in r["relied"] if f"{backend} {n}" not in proved}
            )
            names = ", ".join(f"`{n.removeprefix('ecfit_')}`" for n in relied)
            paper = max([r["excused"] + len(r["facts"]) for r in mine], default=0)
            lines.append(f"| `{backend}` | {curve} | {calls} | {paper} | {names} |")
    return lines
