#!/usr/bin/env python3
"""Write the tables of docs/tls.md, and those of a TLS client in docs/post-quantum.md, from the kept
counts (results/golden/tls.json).

tools/docs/tls_doc.py            writes
tools/docs/tls_doc.py --check    writes nothing; exit code 1 when a table differs
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

import msgspec

from ecfit.choices.targets import find_target
from ecfit.paths import ROOT
from ecfit.units import grouped, milliseconds
from ecfit_lab.energy.links import find_link
from ecfit_lab.tls.channels import energy_uj
from ecfit_lab.tls.configs import MBEDTLS
from ecfit_lab.tls.phases import NAMES
from ecfit_lab.tls.record import Network, TlsRecord, timed
from tools.rigs import tls

PAGE, HYBRID_PAGE = ROOT / "docs" / "tls.md", ROOT / "docs" / "post-quantum.md"
BEGIN, END = "<!-- table: tools/docs/tls_doc.py -->\n", "<!-- end -->\n"
LINK_BEGIN = "<!-- table of links: tools/docs/tls_doc.py -->\n"
CARRIED = ("tls1.3-ecdsa", "tls1.3-ecdsa-mutual", "tls1.3-ecdsa-psk", "dtls1.2-cid",
           "dtls1.2-cid-mutual", "dtls1.2-psk", "edhoc")  # fmt: skip
LINKS = ("802.15.4", "ble", "lora-sf7", "lora-sf12")
CHIP = "nrf52840"
MARKS = (30.0, 10_000, 4_000)  # ms, and bytes of flash and RAM, that ML-KEM should not exceed
Row = dict[str, Any]


def lines(rows: list[Row]) -> list[str]:
    """A line for each row that was kept: times at the chip's clock, energy of the computation,
    flash of elliptic curves and big numbers, phases in per cent.
    """
    head = [
        "chip",
        "connection",
        "elliptic curves",
        "level",
        "Mcycles",
        "ms",
        "mJ",
        "heap B",
        "stack B",
    ]
    head += ["flash B", "of it curves B", *(f"{name.replace('_', ' ')} %" for name in NAMES)]
    texts = [f"| {' | '.join(head)} |"]
    texts.append("| " + " | ".join(["---"] * 4 + ["---:"] * (len(head) - 4)) + " |")
    for row in rows:
        cycles, flash = row["handshake_cycles"], row["flash"]
        record = TlsRecord(
            stack="-", handshake_cycles=cycles,
            **{name: row[name] for name in ("platform", "connection", "backend")},
        )  # fmt: skip
        full = timed(record, find_target(row["platform"]), Network())
        energy = None if full.energy_uj is None else full.energy_uj / 1000
        cells = [row["platform"], row["connection"], row["backend"], f"-{row['opt']}"]
        cells.append(f"{cycles / 1e6:.2f}")
        cells += ["-" if v is None else f"{v:.4g}" for v in (full.compute_ms, energy)]
        cells += [str(row["heap_bytes"]), str(row["stack_bytes"]), str(row["flash_bytes"])]
        cells.append(str(flash["ecc"] + flash["bignum"]))
        cells += [f"{100 * row['phases'][name] / cycles:.1f}" for name in NAMES]
        texts.append(f"| {' | '.join(cells)} |")
    return texts


def carried(rows: list[Row]) -> str:
    """Kept connections over radio links, on one chip with this library and with Mbed TLS's curves:
    frames, milliseconds on air (on LoRa minutes with the silence of its duty cycle), millijoules of
    computation and radio.
    """
    titles = ["connection", "elliptic curves", "compute ms"]
    for name in LINKS:
        unit = "min" if find_link(name).kind == "lora" else "ms"
        titles += [f"{name} frames", unit, "mJ"]
    cells = []
    for row in rows:
        if (row["connection"], row["platform"], row["opt"]) not in {
            (name, CHIP, tls.USUAL) for name in CARRIED
        } or row["backend"] not in ("-", *tls.BACKENDS):
            continue
        record = msgspec.convert(row | {"stack": MBEDTLS}, TlsRecord)
        over = [timed(record, find_target(CHIP), Network(link=find_link(one))) for one in LINKS]
        cell = [row["connection"], row["backend"], milliseconds(1000 * (over[0].compute_ms or 0))]
        for one in over:
            air, silence = one.air_ms or 0, one.silence_ms or 0
            taken = f"{(air + silence) / 60_000:.2f}" if silence else milliseconds(1000 * air)
            cell += [str(one.frames), taken, milliseconds(energy_uj(one))]
        cells.append(cell)
    return table(titles, 2, cells)


def table(titles: list[str], texts: int, cells: list[list[str]]) -> str:
    """In Markdown; the first columns are of text."""
    marks = ["---"] * texts + ["---:"] * (len(titles) - texts)
    return "\n".join(f"| {' | '.join(row)} |" for row in (titles, marks, *cells))


def kem_name(backend: str) -> str:
    """The library of ML-KEM, and its settings."""
    library, _, settings = backend.partition("+")[2].partition(":")
    return f"{library or 'wolfssl-pq'} {settings}".strip()


def ram(row: Row) -> int:
    """Bytes, as docs/tls.md counts them."""
    return int(row["static_ram_bytes"] + row["heap_bytes"] + row["stack_bytes"])


def time_ms(chip: str, cycles: int) -> float:
    """At the clock of a chip."""
    clock = find_target(chip).clock
    assert clock is not None
    return 1000 * cycles / clock.hz


def hybrid(rows: list[Row]) -> str:
    """What ML-KEM adds to a client on one chip, beside the marks; then which chips have room."""
    wanted = tls.CURVE_ALONE, CHIP, tls.KEMS[0]
    alone = next(one for one in rows if tls.key(one) == wanted)
    found = [one for one in rows if one["connection"] == tls.HYBRID]
    titles = ["ML-KEM of", "`--backend`", "ML-KEM ms", "added flash B", "added RAM B"]
    titles += ["handshake ms", "flash B", "RAM B", "bytes"]
    cells = []
    for row in (alone, *(one for one in found if one["platform"] == CHIP)):
        took = time_ms(CHIP, row["phases"]["key_share"] - alone["phases"]["key_share"])
        added = [took, row["flash_bytes"] - alone["flash_bytes"], ram(row) - ram(alone)]
        cells.append(
            [
                "-" if row is alone else kem_name(row["backend"]),
                f"`{row['backend']}`",
                *(["-"] * 3 if row is alone else
                  [beside(one, mark) for one, mark in zip(added, MARKS, strict=True)]),
                milliseconds(1000 * time_ms(CHIP, row["handshake_cycles"])),
                grouped(row["flash_bytes"]),
                grouped(ram(row)),
                grouped(row["handshake_bytes"]),
            ]
        )  # fmt: skip
    first = table(titles, 2, cells)
    chips = list(dict.fromkeys(row["platform"] for row in found))
    backends = list(dict.fromkeys(row["backend"] for row in found))
    by = {(row["platform"], row["backend"]): row for row in found}
    titles = ["chip", *map(kem_name, backends)]
    cells = [[chip, *(room(by[chip, backend]) for backend in backends)] for chip in chips]
    return f"{first}\n\n{table(titles, len(titles), cells)}"


def beside(figure: float, mark: float) -> str:
    """A figure, and how far it is above the mark."""
    shown = f"{figure:.1f}" if mark == MARKS[0] else grouped(round(figure))
    far = f"{figure - mark:.1f}" if mark == MARKS[0] else grouped(round(figure - mark))
    return f"{shown} ({far} above)" if figure > mark else f"{shown} (reached)"


def room(row: Row) -> str:
    """Time and RAM of a client on a chip, or what the chip lacks."""
    target = find_target(row["platform"])
    if row["status"] == "ok":
        took = milliseconds(1000 * time_ms(target.name, row["handshake_cycles"]))
        return f"{took} ms, {grouped(ram(row))} B RAM"
    found = re.search(r"(\d+) bytes more than there are of FLASH", row["detail"])
    lacks = {"flash": int(found[1]) if found else 0, "RAM": ram(row) - target.region("ram").size}
    told = [f"{grouped(size)} B {kind}" for kind, size in lacks.items() if size > 0]
    return f"lacks {' and '.join(told)}" if told else f"{row['status']}: {row['detail']}"


def rewritten(text: str, table: str, begin: str = BEGIN) -> str:
    """A page with its table brought up to date. Errors: ValueError when a marker is missing."""
    head, rest = text.split(begin)
    _, tail = rest.split(END, 1)
    return head + begin + "\n" + table + "\n\n" + END + tail


def pages() -> dict[Path, str]:
    """The pages, as they should be."""
    rows = tls.kept()
    shown = [
        row for row in rows
        if row["connection"] != "tcp"
        and (row["platform"] == CHIP or row["connection"] == "tls1.3-ecdsa")
    ]  # fmt: skip
    tables = {PAGE: "\n".join(lines(shown)), HYBRID_PAGE: hybrid(rows)}
    found = {path: rewritten(path.read_text("utf-8"), one) for path, one in tables.items()}
    found[PAGE] = rewritten(found[PAGE], carried(rows), LINK_BEGIN)
    return found


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Write, or check, the tables.")
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    for path, text in pages().items():
        if not arguments.check:
            path.write_text(text, encoding="utf-8")
        elif text != path.read_text(encoding="utf-8"):
            sys.exit(f"the tables of {path.name} differ, run tools/docs/tls_doc.py")


if __name__ == "__main__":
    main()
