"""Contracts of slots, which stand once for all files of a slot (lib/slots.md), put where the one
function is that fills it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import msgspec

from ecfit.paths import LIB
from ecfit.ship.items import Item

_SLOT = re.compile(r"^## `\w+`.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_PARAGRAPH = re.compile(r"(/\*.*?\*/)\n((?:(?!\n\n).)*)", re.DOTALL)
_FUNCTION = re.compile(r"\b(?:[NF]\((\w+)\)|(mp_\w+|mod_\w+))\(")
_NAME = re.compile(r"\b[NF]\((\w+)\)")


@cache
def _contracts() -> dict[str, tuple[str, str]]:
    """Slot and contract by the name of a function, as it is in the template."""
    found: dict[str, tuple[str, str]] = {}
    text = (LIB / "slots.md").read_text(encoding="utf-8")
    for section in _SLOT.findall(text):
        slot = section[4 : section.index("`", 4)]
        for comment, prototypes in _PARAGRAPH.findall(section):
            for instance, plain in _FUNCTION.findall(prototypes):
                found.setdefault(f"{slot} {instance or plain}", (slot, comment))
    return found


def with_contracts(items: Iterable[Item]) -> list[Item]:
    """Puts a contract above functions that have no comment, or one that names their slot."""
    found = []
    for item in items:
        name = next(iter(item.names), "")
        text = item.text
        if item.kind == "code" and "{" in text and text.rstrip().endswith("}"):
            named = re.search(r"\(slot (\w+)\)", text.split("*/")[0])
            for key, (slot, comment) in _contracts().items():
                short = key.split(" ")[1]
                if name != short and not name.endswith(f"_{short}"):
                    continue
                prefix = name.removesuffix(short)
                own = text.startswith("/*")
                if own and not (named and named[1] == slot):
                    continue
                said = _NAME.sub(lambda f, p=prefix: f"{p}{f[1]}", comment)  # type: ignore[misc]
                if own:
                    text = f"{said.removesuffix('*/').rstrip()}\n *{text.removeprefix('/*')}"
                else:
                    text = f"{said}\n{text}"
                break
        found.append(msgspec.structs.replace(item, text=text))
    return found
