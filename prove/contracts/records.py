"""What was proved: prove/proved.json, one record for each routine, and the cache of sweep `prove`.

A record has two digests: of the code of the routine and of all it calls, and of the contract. So a
record that does not fit the code or the banner of today is seen. The cache goes by the prover, too.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from prove.contracts import divsteps, tables
from prove.contracts.banner import Unread, contracts
from prove.contracts.contract import HELD, Outcome
from prove.contracts.sources import banners, layer, routines
from prove.machine.image import Image

ROOT = Path(__file__).resolve().parents[2]
PROVED, CACHE = ROOT / "prove" / "proved.json", ROOT / ".cache" / "prove"
BACKENDS = ("armv6m", "armv7m", "armv7em", "rv32im")
LISTED = (*BACKENDS, "avr")  # the last one is not proved
LAYERS = ("mp", "field")
ENTRIES = {
    "armv6m": tuple(
        f"ecfit_{name}"
        for name in (
            "mp_both_8", "p25519_rows_product", "rows128", "rows192",
            "secp256r1_blocks", "secp256r1_blocks_in",
            "secp256r1_blocks_minus", "secp256r1_blocks_plus", "secp256r1_blocks_redc",
            "secp256r1_fe_blocks", "secp256r1_fe_both", "secp256r1_least_both",
            "secp256r1_least_fe_mul", "secp256r1_least_plus", "secp256r1_least_reduce",
            "secp256r1_minus",
        )
    ),
    "rv32im": ("ecfit_p25519_least_product",),
    "armv7m": tuple(
        f"ecfit_{name}"
        for name in (
            "inv_reduce_15", "mp_both_8", "mul192", "mul384", "p25519_both", "p25519_rows_sum",
            "p25519_select", "redc_secp256k1", "secp256r1_fe_both", "secp256r1_least_both",
            "secp256r1_least_fe_mul", "secp256r1_least_minus", "secp256r1_least_plus",
            "secp256r1_minus", "secp256r1_plus", "secp384r1_mul", "secp384r1_sqr", "sqr192",
            "sqr384", "rows128", "rows192", "rows256",
            *(f"secp{n}r1_{op}" for n in (128, 160, 192, 224) for op in ("both", "mul", "sqr")),
            "secp521r1_mul", "secp521r1_sqr",
        )
    ),
    "armv7em": (
        "ecfit_mod_rows_mul_8", "ecfit_mod_rows_sub_8",
        *(f"ecfit_p25519_rows_{name}" for name in ("mul", "product", "run", "sum")),
        *(f"ecfit_secp256r1_least_{name}" for name in ("add", "sub")),
    ),
}  # fmt: skip
"""Entries, and routines that back ends share: those that interpreters call, and those whose bytes,
with all that they call, are others than on ARMv6-M.
"""
NEW = r", (quotient=None|record=\(\)|pushed=\(\))"
"""Fields of contracts without which the first records were made."""
SEMANTICS = ("algebra", "machine", "goals")
"""Rooms that a proof depends on. The digest of a contract has what the room of contracts reads."""
BESIDE = (
    "contracts/contract", "contracts/divsteps", "contracts/expression", "contracts/tables",
    "inverses/matrices", "inverses/rows", "inverses/steps", "inverses/traces",
)  # fmt: skip


def names(backend: str) -> list[str]:
    """The routines that are to be proved: those of `mp` and `field`, of R in registers, and the
    steps of ladders.
    """
    found = [name for name in routines(backend) if layer(backend, name) in LAYERS]
    found += ENTRIES.get(backend, ())
    held = [n for n, text in banners(backend).items() if text.startswith(f"{n}: {HELD} = ")]
    steps = [n for n, text in banners(backend).items() if tables.STEP.search(text)]
    return sorted({*found, *held, *steps})


@cache
def prover() -> str:
    """The digest of the modules that a proof depends on."""
    return digest(*SEMANTICS, *(f"{name}.py" for name in BESIDE))


@cache
def digest(*names: str) -> str:
    """That of modules, and of all in rooms."""
    h = hashlib.sha256()
    for name in names:
        place = ROOT / "prove" / name
        for path in sorted(place.glob("*.py")) if place.is_dir() else (place,):
            h.update(path.read_bytes())
    return h.hexdigest()


def code(image: Image, name: str) -> str:
    """The digest of a routine and of what it calls, wherever the linker put them."""
    h, seen, todo = hashlib.sha256(), set[str](), [name]
    by_address = {a: n for n, a in image.symbols.items() if image.sizes[n]}
    bodies = sorted((a, a + image.sizes[n], n) for a, n in by_address.items())
    while todo:
        current = todo.pop(0)
        if current in seen:
            continue
        seen.add(current)
        start = image.symbols[current]
        body = bytearray(image.body(current))
        h.update(f"{current} {len(body)} ".encode())
        for i in image.instructions(current):
            target = _target(i.name, i.operands, i.address, thumb=image.thumb)
            if target is None or start <= target < start + len(body):
                continue
            at = i.address - start
            body[at : at + i.size] = bytes(i.size)
            for first, end, other in bodies:
                if first <= target < end:
                    h.update(f"{other}+{target - first} ".encode())
                    todo.append(other)
        h.update(bytes(body))
    return h.hexdigest()[:16]


def _target(name: str, operands: Any, address: int, *, thumb: bool) -> int | None:
    if thumb and name == "adr":
        return int((address + 4 & ~3) + operands[1].imm)
    if thumb:
        jump = re.fullmatch(r"bl|b|b(eq|ne|hs|lo|cs|cc|mi|pl|hi|ls|ge|lt|gt|le)", name)
        return int(operands[0].imm) & ~1 if jump and operands[0].type == 2 else None
    if name in ("j", "jal"):
        return int(address + operands[-1].imm)
    return None


def contract(backend: str, name: str) -> str:
    """The digest of what is proved: contracts as they are read from the banner, without its words,
    or the programs of an interpreter, or the lengths of an inversion.
    """
    try:
        wanted = repr([replace(one, text="") for one in contracts(backend, name)])
        wanted = re.sub(NEW, "", wanted)
    except (Unread, ValueError, AssertionError):
        wanted = "none"
    text = wanted + tables.key(backend, name) + divsteps.key(backend, name)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def key(image: Image, backend: str, name: str) -> str:
    """Of the cache: code, contracts and prover."""
    text = f"{code(image, name)} {contract(backend, name)} {prover()}"
    return hashlib.sha256(text.encode()).hexdigest()


def cached(image: Image, backend: str, name: str) -> dict[str, Any] | None:
    """What a proof gave before."""
    path = CACHE / f"{key(image, backend, name)}.json"
    found: dict[str, Any] | None = json.loads(path.read_text("utf-8")) if path.is_file() else None
    return found


def keep(image: Image, backend: str, name: str, record: dict[str, Any]) -> None:
    """For the next time."""
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / f"{key(image, backend, name)}.json"
    path.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def load(path: Path = PROVED) -> dict[str, dict[str, Any]]:
    """The records, by back end and routine: `armv7em ecfit_p25519_mul`; or others."""
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def counts(total: Outcome) -> dict[str, int]:
    """Of a proof, as a record has them."""
    names = ("aliases", "instructions", "compared", "queries", "stack", "seconds")
    return {name: round(getattr(total, name)) for name in names}


def save(records: dict[str, dict[str, Any]], path: Path = PROVED) -> None:
    """Write them, sorted."""
    lines = [f" {json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(records.items())]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
