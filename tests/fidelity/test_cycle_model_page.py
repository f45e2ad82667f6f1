"""docs/cycle-model.md: every section names the tests that hold it, and they exist."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import tomllib

import msgspec
import pytest

from ecfit.choices.targets import all_targets
from ecfit.commands.fidelity import CLASS_B, Comparison
from ecfit.paths import DATA, ROOT

PAGE = (ROOT / "docs" / "cycle-model.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^##+ ", PAGE, flags=re.MULTILINE)[1:]
TRIED = "table: tools/fidelity_doc.py --tried"


def kept(name: str = "fidelity.jsonl.gz") -> list[Comparison]:
    lines = gzip.decompress((ROOT / "results" / name).read_bytes()).splitlines()
    return [msgspec.json.decode(line, type=Comparison) for line in lines]


def ratios() -> dict[str, dict[str, list[float]]]:
    """The table of other models: by changes, by chip and library."""
    lines = PAGE.split(f"<!-- {TRIED} -->")[1].split("<!-- end -->")[0].split("\n")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    heads = [head.partition(":")[0] for head in rows[0]]
    return {
        row[0].strip("`"): {
            head: [float(x) for x in cell.split()]
            for head, cell in zip(heads[2:], row[2:], strict=True)
        }
        for row in rows[2:]
    }


@pytest.mark.check
@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: text.split("\n")[0])
def test_each_section_names_what_holds_it(section: str) -> None:
    """A title over sections needs none; the others end with tests that exist."""
    _, marker, held = section.partition("\nHeld by: ")
    assert marker, section[:60]
    named = re.findall(r"`(tests/[a-z0-9_/]+\.py)(?:::(test_[a-z0-9_]+))?`", held)
    assert named
    for path, test in named:
        text = (ROOT / path).read_text(encoding="utf-8")
        assert not test or f"def {test}(" in text, f"{path}::{test}"


@pytest.mark.check
def test_what_the_words_ahead_decide() -> None:
    """Without them the STM32WLE5 is out of class B; the nRF52840 is in it whatever is tried."""
    table = ratios()
    worst = {
        changes: max(
            abs(x - 1) for head, some in row.items() if head.startswith("stm32wle5") for x in some
        )
        for changes, row in table.items()
    }
    without = [worst["fetch_odd=0,fetch_buffer=0"], worst["fetch_buffer=0"]]
    assert [f"{100 * one:.0f}" for one in without] == ["16", "18"]
    assert "row is 16 to 18 % high" in PAGE
    assert worst["none"] <= CLASS_B
    nordic = [row["nrf52840, p256-cortex-m4"] for row in table.values()]
    assert all(abs(x - 1) <= CLASS_B for row in nordic for x in row)


@pytest.mark.check
def test_models_say_what_they_leave_out() -> None:
    for path in (DATA / "models").glob("*.toml"):
        model = tomllib.loads(path.read_text(encoding="utf-8"))
        assert model["leaves_out"], path.stem
        ahead = model.get("fetch_buffer", {}).get("words", 0)
        assert bool(ahead) == (path.stem in ("cortex-m3", "cortex-m4")), path.stem


@pytest.mark.check
def test_classes_that_the_page_names() -> None:
    by_class: dict[str, set[str]] = {"A": set(), "B": set(), "C": set()}
    for target in all_targets().values():
        if target.runner == "sim":
            by_class[target.modes["datasheet"].error_class].add(target.name)
    assert not by_class["A"]
    assert by_class["B"] == {"stm32wle5", "nrf52840", "stm32f091"}
    fours = [r for r in kept() if r.target.startswith("stm32f4") and r.ratio is not None]
    assert len(fours) == 6
    assert all(0.85 <= r.ratio <= 0.93 for r in fours if r.ratio)
    alone = [t for t in all_targets().values() if t.core == "cortex-m0plus"]
    assert len(alone) == 3


@pytest.mark.check
def test_doubts() -> None:
    rows = kept()
    outside = (ROOT / "results" / "fidelity-outside.json").read_bytes()
    rows += msgspec.json.decode(outside, type=list[Comparison])
    assembly = [r for r in rows if r.code == "asm" and r.ratio_bound is None]
    assert len({r.library for r in assembly}) == 3
    assert len({r.target for r in assembly}) == 4
    unknown = [r for r in rows if "not given" in r.published_compiler]
    assert len(unknown) > len(rows) / 2
    cortex_m0 = (DATA / "models" / "cortex-m0.toml").read_text(encoding="utf-8")
    assert "Three P-256 figures published for this core" in cortex_m0


@pytest.mark.ci
def test_the_table_of_other_models_is_todays() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "fidelity_doc.py", "--check", "--tried"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
