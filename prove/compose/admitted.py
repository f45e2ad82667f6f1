"""What arguments on paper allow or say (exceptions.toml)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).resolve().parent / "exceptions.toml"


class Fact(NamedTuple):
    """In functions whose name ends in `where`, this operand is not 0 of what ends in `callee`."""

    where: str
    callee: str
    operand: int
    why: str


@cache
def excused() -> list[dict[str, str]]:
    """Calls that are refused, and right all the same."""
    found: list[dict[str, str]] = tomllib.loads(FILE.read_text("utf-8"))["call"]
    return found


@cache
def facts() -> list[Fact]:
    """Of operands."""
    return [Fact(**one) for one in tomllib.loads(FILE.read_text("utf-8"))["fact"]]
