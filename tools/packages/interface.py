#!/usr/bin/env python3
"""What docs/stability.md promises, as lines: functions of C and Python, status codes, fields of
records, commands, names of knobs, presets and curves. tests/packages/interface.txt is what was
promised.

tools/packages/interface.py            prints the lines of today
tools/packages/interface.py --write    promises them
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import msgspec

from ecfit import api, errors
from ecfit.choices.knobs import all_knobs, curve_slots
from ecfit.choices.presets import all_presets
from ecfit.cli import cli
from ecfit.commands.ct import Check
from ecfit.model import FunctionRecord, Record

ROOT = Path(__file__).resolve().parents[2]
PROMISED = ROOT / "tests" / "packages" / "interface.txt"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PROTOTYPE = re.compile(r"^(?:ECFIT_CHECK )?((?:const )?\w+ \*?ecfit_\w+\([^;{]*\));", re.MULTILINE)
_STATUS = re.compile(r"^    (ECFIT_\w+ = \d+)", re.MULTILINE)


def lines() -> list[str]:
    """All of it, sorted."""
    return sorted([*_c(), *_names(), *_python()])


def _c() -> list[str]:
    """Functions and codes. A curve whose functions are those of another one but for their names has
    a line that says so.
    """
    headers = ROOT / "lib" / "include"
    text = _COMMENT.sub("", (headers / "ecfit.h").read_text(encoding="utf-8"))
    found = [f"status: {status}" for status in _STATUS.findall(text)]
    found += [f"C: {prototype}" for prototype in _prototypes(text)]
    known: dict[tuple[str, ...], str] = {}
    for slot in curve_slots():
        text = _COMMENT.sub("", (headers / "ecfit" / f"{slot.name}.h").read_text(encoding="utf-8"))
        functions = _prototypes(text)
        like = known.setdefault(tuple(one.replace(slot.name, "") for one in functions), slot.name)
        if like == slot.name:
            found += [f"C: {prototype}" for prototype in functions]
        else:
            found.append(f"C: ecfit_{slot.name}_.., as ecfit_{like}_..")
    return found


def _prototypes(text: str) -> list[str]:
    return [" ".join(prototype.split()) for prototype in _PROTOTYPE.findall(text)]


def _names() -> list[str]:
    found = [f"record: {field.name}" for field in msgspec.structs.fields(Record)]
    found += [f"command: {name}" for name in cli.list_commands(None)]  # type: ignore[arg-type]
    found += [f"preset: {name}" for name in all_presets()]
    found += [f"curve: {slot.name}" for slot in curve_slots()]
    for knob in all_knobs().values():
        values = list(knob.choices) or [knob.range_text]
        found += [f"knob: {knob.name}={value}" for value in values]
    codes = {name: value for name, value in vars(errors).items() if isinstance(value, int)}
    return found + [f"exit code: {name} {value}" for name, value in codes.items()]


def _python() -> list[str]:
    """The functions of `ecfit.api` with their parameters, and the fields of what they return."""
    kinds = (Check, api.Fit, FunctionRecord, api.Limit, api.Place)
    found = [
        f"Python: {kind.__name__}.{field.name}"
        for kind in kinds
        for field in msgspec.structs.fields(kind)
    ]
    for name in ("amalgamate", "bench", "ct", "fit", "measure", "size"):
        signature = inspect.signature(getattr(api, name))
        found += [f"Python: {name}({parameter})" for parameter in signature.parameters]
        found.append(f"Python: {name} -> {signature.return_annotation}")
    return found


def main() -> None:
    """Command line."""
    text = "\n".join([*lines(), ""])
    if "--write" in sys.argv[1:]:
        PROMISED.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
