"""Contracts of slots, which stand once for all files of a slot (lib/slots.md), put where the one
function is that fills it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, partial

import msgspec

from ecfit.paths import LIB
from ecfit.ship.items import Item

_SLOT = re.compile(r"^## `\w+`.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_PARAGRAPH = re.compile(r"(/\*.*?\*/)\n((?:(?!\n\n).)*)", re.DOTALL)
_FUNCTION = re.compile(r"\b(?:[NF]\((\w+)\)|(mp_\w+|mod_\w+))\(")
_NAME = re.compile(r"\b[NF]\((\w+)\)")
_NAMED = re.compile(r"(?:\(|of the )slot (\w+)\b")
# What a file says of its function for a slot: all of it, or what it does there.
_OF_SLOT = re.compile(r"The \w+ of the slot \w+(?:: ([^.]*))?\.|(.*?) \(slot \w+\)\.", re.DOTALL)
_CT = re.compile(r"(?:\n \* | {3})CT: [^\n]*")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@cache
def _contracts() -> dict[str, tuple[str, str]]:
    """Slot and contract by the name of a function, as it is in the template."""
    contracts: dict[str, tuple[str, str]] = {}
    text = (LIB / "slots.md").read_text(encoding="utf-8")
    for section in _SLOT.findall(text):
        slot = section[4 : section.index("`", 4)]
        for comment, prototypes in _PARAGRAPH.findall(section):
            for instance, plain in _FUNCTION.findall(prototypes):
                contracts.setdefault(f"{slot} {instance or plain}", (slot, comment))
    return contracts


def with_contracts(items: Iterable[Item]) -> list[Item]:
    """Puts a contract above functions that have no comment, or one that names their slot; and gives
    names in comments their prefix.
    """
    listed = list(items)
    names = frozenset(name for item in listed for name in item.names)
    changed: list[Item] = []
    shared = ""  # the slot whose comment stands above several functions
    for item in listed:
        text, slot = item.text, ""
        if item.kind == "code" and "{" in text and text.rstrip().endswith("}"):
            text, slot = _with_contract(item, "" if item.blank else shared)
        shared = slot
        if item.kind == "code":
            text = _COMMENT.sub(partial(_prefixed, item=item, names=names), text)
        changed.append(msgspec.structs.replace(item, text=text))
    return changed


def _with_contract(item: Item, above: str) -> tuple[str, str]:
    """The text of a function, and the slot that it fills; `above`: that of a comment which stands
    above this function too.
    """
    name, text = next(iter(item.names), ""), item.text
    own = text.startswith("/*")
    named = _NAMED.search(text.split("*/")[0]) if own else None
    for key, (slot, comment) in _contracts().items():
        short = key.split(" ")[1]
        if name != short and not name.endswith(f"_{short}"):
            continue
        if (own and not (named and named[1] == slot)) or (not own and above == slot):
            continue
        prefix = name.removesuffix(short)
        contract = _NAME.sub(lambda f, p=prefix: f"{p}{f[1]}", comment)  # type: ignore[misc]
        if not own:
            return f"{contract}\n{text}", ""
        remark, _, code = text.partition("*/")
        return f"{_joined(contract[2:-2].strip(), remark[2:].strip())}{code}", slot
    return text, above if above and not own else ""


def _joined(contract: str, own: str) -> str:
    """A contract, and below it what a file says of its own beyond that."""
    named = _OF_SLOT.match(own)
    if named is not None:
        here, rest = named[1] or named[2] or "", own[named.end() :].strip()
    else:
        text = re.sub(r"the exceptions of the slot \w+", "these exceptions", own)
        here, _, rest = text.partition(".\n")
    if re.search(r"\bCT: ", rest):
        contract = _CT.sub("", contract)
    if contract.startswith(here):
        here = ""
    elif here[1:2].islower():
        here = here[0].lower() + here[1:]
    lines = [contract, f"Here: {here}." if here else "", rest.strip().removeprefix("* ")]
    return "/* " + "\n * ".join(line for line in lines if line) + " */"


def _prefixed(comment: re.Match[str], item: Item, names: frozenset[str]) -> str:
    """A comment on a function of an instance, with the names of others as they are there."""
    prefix = next(iter(item.names), "").partition("_")[0] + "_"

    def resolved(name: re.Match[str]) -> str:
        word = name[0]
        return prefix + word if prefix + word in names and word not in names else word

    return re.sub(r"\b[a-z]+_\w+\b", resolved, comment[0])
