"""docs/cycle-model.md: every section names the tests that hold it, and they exist."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import tomllib

import msgspec
import pytest

from ecfit.choices.targets import all_targets, find_target
from ecfit.commands.fidelity import CLASS_B, Comparison
from ecfit.paths import DATA, ROOT
from ecfit_studies.survey.records import kept as records
from ecfit_studies.survey.study import find_study

PAGE = (ROOT / "docs" / "cycle-model.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^##+ ", PAGE, flags=re.MULTILINE)[1:]
TRIED = "table: tools/docs/fidelity_doc.py --tried"


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
    assert [f"{100 * one:.0f}" for one in without] == ["12", "14"]
    assert "is 12 to 14 % too high" in " ".join(PAGE.split())
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


def table(title: str) -> dict[str, list[str]]:
    """The rows of the first table of a section, by their first cell."""
    (section,) = (one for one in SECTIONS if one.startswith(f"{title}\n"))
    rows = [line.split("|")[1:-1] for line in section.split("\n") if line.startswith("| ")]
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows[2:]}


@pytest.mark.check
def test_the_table_of_flash_is_that_of_the_targets() -> None:
    """Lines and bits of `datasheet`: what stands before the flash."""
    said = {name: row[0] for name, row in table("Flash").items()}
    modes = {name: one.modes.get("datasheet") for name, one in all_targets().items()}

    def kib(lines: int, bits: int) -> str:
        size = lines * bits // 8
        return f"{size // 1024} KiB" if size >= 1024 else f"{size} bytes"

    for chips, targets, words in (
        ("LPC1114", ["lpc1114"], "one line of {bits} bits for fetches and data"),
        ("STM32F4", ["stm32f407", "stm32f411"],
         "{lines} instruction and {data} data lines of {bits} bits, prefetch"),
        ("STM32WLE5", ["stm32wle5"],
         "{size} for instructions, {data_size} for data, {bits}-bit reads, prefetch off"),
        ("nRF52840", ["nrf52840"],
         "instruction cache of {size}, {ways} ways, lines of {bits} bits; data reads wait each"
         " time"),
        ("nRF5340", ["nrf5340"], "cache of {size} for both, {ways} ways"),
        ("SAM D20, D21", ["samd20", "samd21"],
         "cache of {lines} lines of {bits} bits, direct mapped"),
        ("RP2040", ["rp2040"],
         "cache of {size}, {ways} ways, lines of {bits} bits before serial flash"),
    ):  # fmt: skip
        for name in targets:
            mode = modes[name]
            assert mode is not None
            lines, bits, data = mode.instruction_lines, mode.line_bits, mode.data_lines
            assert said[chips] == words.format(
                lines=lines, bits=bits, data=data, ways=mode.ways,
                size=kib(lines, bits), data_size=kib(data, bits),
            ), name  # fmt: skip
            assert ("prefetch off" in words or "prefetch" not in words) == (not mode.prefetch_lines)
            assert (mode.ways == 1) == ("direct" in words)
            apart = chips in ("STM32F4", "STM32WLE5", "nRF52840")  # for instructions alone
            assert mode.shared != apart, name
    buffers = [modes[name] for name in ("stm32f091", "stm32f103")]
    counts = [one.instruction_lines + one.prefetch_lines for one in buffers if one]
    assert said["STM32F0, F1"] == "prefetch buffers of {} and {} lines of 64 bits".format(*counts)
    assert {one.line_bits for one in buffers if one} == {64}


@pytest.mark.check
def test_the_table_of_cores_is_that_of_the_models() -> None:
    """A line of the table for each model, with the document that its rows name; of what the page
    calls open, both ends are in the model.
    """
    names = {path.stem for path in (DATA / "models").glob("*.toml")}
    found: dict[str, list[str]] = {}
    for first, row in table("Cores").items():
        found |= dict.fromkeys(re.findall(r"`([\w-]+)`", first), row)
    assert found.keys() == names
    for name, (documents, open_) in found.items():
        model = tomllib.loads((DATA / "models" / f"{name}.toml").read_text(encoding="utf-8"))
        sources = [row["source"] for row in model["rows"].values()]
        for number in re.findall(r"Arm ([\w]+(?: [\w]+)?),", documents):
            assert sum(number in source for source in sources) > len(sources) / 2, name
        for words, name_of in (("UMULL", "multiply_long"), ("UMLAL", "multiply_long_accumulate")):
            ends = re.search(rf"{words} (\d+) to (\d+)", open_)
            cost = model["rows"].get(name_of, {})
            assert bool(ends) == ("cycles_min" in cost), (name, name_of)
            assert not ends or list(map(int, ends.groups())) == [cost["cycles_min"], cost["cycles"]]


@pytest.mark.check
def test_classes_that_the_page_names() -> None:
    by_class: dict[str, set[str]] = {"RTL": set(), "A": set(), "B": set(), "C": set()}
    for target in all_targets().values():
        if target.runner == "sim":
            by_class[target.modes["datasheet"].error_class].add(target.name)
    assert by_class["RTL"] == {"ibex", "cv32e40p"}
    assert find_target("rp2350").modes["zero-ws"].error_class == "RTL"
    assert not by_class["A"]
    assert by_class["B"] == {"stm32wle5", "nrf52840", "stm32f091"}
    fours = [r for r in kept() if r.target.startswith("stm32f4") and r.ratio is not None]
    assert len(fours) == 6
    assert all(0.85 <= r.ratio <= 0.93 for r in fours if r.ratio)
    alone = [t for t in all_targets().values() if t.core == "cortex-m0plus"]
    assert len(alone) == 4
    assert sum(t.modes["zero-ws"].error_class == "A" for t in alone) == 3


@pytest.mark.check
def test_the_lpc1114_beside_class_c() -> None:
    """The page says how far off the rows are whose times the flash of this chip was fitted to."""
    study = find_study("micro-ecc")
    (section,) = (one for one in study.summarise(records(study)) if "worth" in one.title)
    low = {
        code: sorted(round(100 * (1 - float(ratio))) for ratio in ratios)
        for mode, code, _, *ratios in section.cells
        if mode == "datasheet"
    }
    text = " ".join(PAGE.split())
    assert "the C rows of micro-ecc are {} to {} % low".format(*low["c"]) in text
    assert "its assembly rows {} to {} %".format(*low["asm"]) in text
    anchor = "#" + re.sub("[:]", "", section.title).replace(" ", "-")
    assert PAGE.count(f"results/micro-ecc.md{anchor}") == 2


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
        [sys.executable, ROOT / "tools" / "docs" / "fidelity_doc.py", "--check", "--tried"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
