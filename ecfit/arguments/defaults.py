"""`ecfit.toml` of the current folder: what stands for options that are left out (docs/fit.md).

An option of the command line goes first. No program is named there, such as --cc has it: whoever
writes a folder would choose what runs when another enters it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ecfit import documents
from ecfit.errors import UsageError
from ecfit.paths import read_input

NAME = "ecfit.toml"
BUILDING = ("bench", "size", "profile", "ct", "config", "amalgamate", "fit")


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Budgets of `ecfit fit`, written as in its options; what is empty is not there."""

    flash: str = ""
    stack: str = ""
    ram: str = ""
    time: list[str] = []
    energy: list[str] = []


class Defaults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file; what is empty is not there."""

    target: str = ""
    toolchain: str = ""
    opt: str = ""
    limits: Limits = Limits()


def read(path: Path) -> Defaults:
    """The file, checked. Errors: UsageError, one line with its name."""
    try:
        defaults = documents.toml(read_input(path, documents.LARGEST_TOML), Defaults)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        keys = (
            f"known: {', '.join(Defaults.__struct_fields__)}; in limits: "
            f"{', '.join(Limits.__struct_fields__)}"
        )
        more = f" ({keys})" if "unknown field" in str(error) else ""
        raise UsageError(f"{path}: {error}{more}") from None
    texts = (defaults.target, defaults.toolchain, defaults.opt, *_limits(defaults).values())
    if any(text and not "".join(text).strip() for text in texts):
        raise UsageError(f"{path}: a value is empty: leave its line out")
    return defaults


def _limits(defaults: Defaults) -> dict[str, str | list[str]]:
    """The limits that are there, by their options."""
    there = msgspec.structs.asdict(defaults.limits)
    return {name: value for name, value in there.items() if value}


def complete(
    command: str, values: dict[str, Any], is_given: Callable[[str], bool]
) -> tuple[dict[str, Any], list[str]]:
    """The values of a command with what the file has for those that were not given, and these as
    options. A chip of --target-file goes before the file's. Errors: UsageError.
    """
    defaults = read(Path(NAME))
    asked: dict[str, tuple[str, Any]] = {}
    if command in BUILDING and defaults.target and not values.get("target_files"):
        asked["targets"] = f"--target {defaults.target}", (defaults.target,)
    if command == "measure" and defaults.target and not values.get("target_files"):
        asked["targets"] = f"--target {defaults.target}", defaults.target
    for option, text in (("toolchain", defaults.toolchain), ("opt", defaults.opt)):
        if command in BUILDING and text and f"{option}s" in values:
            asked[f"{option}s"] = f"--{option} {text}", (text,)
        elif command == "fit" and text and option in values:
            asked[option] = f"--{option} {text}", text
    for name, value in _limits(defaults).items() if command == "fit" else ():
        texts = [value] if isinstance(value, str) else value
        shown = " ".join(f"--{name} {text}" for text in texts)
        asked[f"{name}s" if isinstance(value, list) else name] = shown, value
    taken = {name: entry for name, entry in asked.items() if not is_given(name)}
    values = values | {name: value for name, (_, value) in taken.items()}
    return values, [shown for shown, _ in taken.values()]
