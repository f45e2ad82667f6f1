"""One call in docs/design.md: each file has the function, and the header names the file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.targets import find_target

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "lib" / "src"
DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
TEXT = DESIGN.partition("### One call")[2].partition("### Decisions")[0] + "### "
CASES = {"fast": "nrf52840", "tiny": "samd20"}
COMMAND = r"--target {} --curve secp256r1 --op ([\w,]+) --preset {}"


def steps(preset: str) -> list[tuple[list[str], str, str]]:
    """The functions, the file and the reason of each step."""
    (section,) = re.findall(rf"^### `{preset}`.*?\n(.*?)(?=^### )", TEXT, re.M | re.S)
    found = re.findall(r"^\| \d+ \| (.*?) \| `(.*?)` \| (.*?) \|$", section, re.M)
    return [(re.findall(r"`(\w+)`", names), file, why) for names, file, why in found]


@pytest.mark.parametrize("preset", CASES)
def test_each_function_is_where_the_page_says(preset: str) -> None:
    found = steps(preset)
    assert len(found) >= 8, preset
    for names, file, _ in found:
        text = (SRC / file).read_text(encoding="utf-8")
        for name in names:
            place = r"(?:function|inner)\s+{}\b" if file.endswith(".S") else r"(?:N|API)\({}\)\("
            assert re.search(place.format(name), text), (name, file)


@pytest.mark.parametrize(("preset", "target"), CASES.items())
def test_each_slot_names_the_file(preset: str, target: str) -> None:
    """The slots and traits that the tables give as reasons, in the header that is written."""
    backend = find_target(target).backend
    (asked,) = re.findall(COMMAND.format(target, preset), TEXT)
    ops = asked.split(",")
    configuration = knobs.resolve(CURVES["secp256r1"], preset, {}, backend, ops=ops)
    header = knobs.header(configuration, ["secp256r1"], ops)
    (field,) = re.findall(r'^#define ECFIT_SECP256R1_REDUCE "(.*)"$', header, re.M)
    seen = 0
    for _, file, why in steps(preset):
        for slot, other in re.findall(r"slot `(\w+)`(?: is `([\w/.]+)`)?", why):
            seen += 1
            assert f'#define ECFIT_SECP256R1_{slot} "{other or file}"\n' in header
        for trait in re.findall(r"trait `(\w+)`", why):
            seen += 1
            (flag,) = re.findall(r"#define (FIELD_IS_\w+) 1", (SRC / field).read_text("utf-8"))
            line = rf'^#(?:el)?if defined\({flag}\)\n#define {trait} "{file}"$'
            assert re.search(line, (SRC / "field/traits.h").read_text("utf-8"), re.M)
    assert seen >= 5
    for name in re.findall(r"`([a-z]\w*/[\w/]+\.(?:inc|S|c|toml))`", TEXT):
        assert (SRC / name).is_file() or (ROOT / name).is_file(), name
