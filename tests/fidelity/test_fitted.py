"""What was deduced from published figures says so, and no class rests on the same figures."""

from __future__ import annotations

import gzip
import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ecfit import cli
from ecfit.choices.published import Document, all_figures
from ecfit.choices.targets import ERRORS, all_targets, read_target
from ecfit.commands.fidelity import Comparison, earned
from ecfit.errors import UsageError
from ecfit.paths import DATA, ROOT
from ecfit_lab import DATA as LAB

pytestmark = pytest.mark.check

DOCUMENTS = {path.stem for path in (DATA / "published").rglob("*.toml")}
SAYS = re.compile(  # how a source tells that a number comes from results
    r"deduced|fitted|calibrated|chosen so|come[s]? out|agree[s]? with|to match|"
    r"published (times?|figures?|joules|seconds|cycles|energ)|by the (sizes|times) of",
    re.IGNORECASE,
)
FILES = [path for room in ("targets", "models") for path in sorted((DATA / room).glob("*.toml"))]
FILES += [DATA / "boards.toml", LAB / "links.toml"]


def tables(value: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every table of a file that has a source, with its path."""
    if isinstance(value, dict):
        if isinstance(value.get("source"), str):
            yield where, value
        for name, inner in value.items():
            yield from tables(inner, f"{where}.{name}")
    for number, inner in enumerate(value if isinstance(value, list) else ()):
        yield from tables(inner, f"{where}[{number}]")


def is_off(table: dict[str, Any]) -> bool:
    """A row that is 0 because nobody has settled it, or a choice of silicon vendors."""
    return table.get("cycles") == 0 and table["source"].startswith("not settled, off")


def test_sources_are_read() -> None:
    found = [where for path in FILES for where, _ in tables(tomllib.loads(path.read_text()), "")]
    assert len(found) > 300


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_number_that_results_gave_is_marked(path: Any) -> None:
    """A source that speaks of results stands beside `fitted`, which names their document."""
    for where, table in tables(tomllib.loads(path.read_text(encoding="utf-8")), path.stem):
        fitted = table.get("fitted", {})
        assert bool(SAYS.search(table["source"])) == bool(fitted) or is_off(table), where
        for number, document in fitted.items():
            assert table[number], f"{where}: {number} is not a number that is set"
            assert document in DOCUMENTS, f"{where}: there is no document {document}"


@pytest.mark.parametrize("target", all_targets().values(), ids=lambda target: target.name)
def test_no_source_is_what_its_figures_are_scored_against(target: Any) -> None:
    """A source does not name the library or document whose rows it is held against, unless
    `fitted` says so.
    """
    mine = [figure for figure in all_figures() if figure.series.target == target.name]
    texts: list[tuple[str, set[str]]] = [(target.clock.source, set())] if target.clock else []
    texts += [(mode.source, set(mode.fitted.values())) for mode in target.modes.values()]
    if target.model:
        model = tomllib.loads((DATA / "models" / f"{target.model}.toml").read_text())
        texts += [(table["source"], set()) for _, table in tables(model, "")]
    for figure in mine:
        document = figure.document.name
        names = (figure.series.library, document, figure.document.document.split(",")[0])
        for text, fitted in texts:
            if document not in fitted:
                assert not any(name.lower() in text.lower() for name in names), text


def test_a_row_that_fitted_earns_nothing() -> None:
    row = Comparison(
        target="lpc1114", core="cortex-m0", library="l", curve="c", op="sign", configuration="",
        unit="ms", published=1.0, mode="datasheet", conditions="", source="", published_version="",
        published_compiler="", ratio=1.0, code="asm",
    )  # fmt: skip
    fitted = msgspec.structs.replace(row, fitted="line_bits")
    other = msgspec.structs.replace(row, ratio=1.05)
    groups = ([row], [fitted], [fitted, other])
    assert [of.error_class for of in map(earned, groups) if of] == ["A", "C", "B"]


def test_the_line_of_the_lpc1114_says_so_and_no_joule_gave_the_watts_of_the_board() -> None:
    mode = all_targets()["lpc1114"].modes["datasheet"]
    assert (mode.fitted, mode.error_class) == ({"line_bits": "micro-ecc-lpc1114"}, "C")
    board = all_targets()["cc2538-16mhz"].board
    assert board is not None
    assert board.milliwatts == 5.0 * (7.0 + 17.0)
    assert all(part.source for part in board.parts)


@pytest.mark.ci
def test_published_times_leave_no_room_for_a_slow_multiplier(tmp_path: Any) -> None:
    """The multiplications alone would take longer than its author says of the whole operation."""
    ask = ["bench", "--lib", "micro-ecc", "--target", "lpc1114", "--curve", "secp192r1"]
    out, cycles = tmp_path / "rows.json", []
    for multiplier in ("1", "32"):
        more = ["--op", "ecdh", "--model", f"multiply={multiplier}", "--format", "json"]
        assert cli.run([*ask, *more, "--quiet", "-o", str(out)]) == 0
        cycles.append(json.loads(out.read_text(encoding="utf-8"))[0]["cycles"])
    products, left = divmod(cycles[1] - cycles[0], 31)
    assert not left
    alone = products * 32 / 48e3
    (published,) = (
        figure.value
        for figure in all_figures()
        if figure.document.name == "micro-ecc-lpc1114"
        and (figure.series.curve, figure.series.configuration, figure.op)
        == ("secp192r1", "assembly", "ecdh")
    )
    assert published < alone


def test_a_document_whose_level_its_own_sizes_gave_says_so() -> None:
    documents: dict[str, Document] = {f.document.name: f.document for f in all_figures()}
    for name, document in documents.items():
        assert bool(SAYS.search(document.compiler)) == bool(document.fitted), name


def test_targets_of_users_name_real_numbers(tmp_path: Any) -> None:
    text = (DATA / "targets" / "lpc1114.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(text.replace("fitted = { line_bits", "fitted = { lines"))
    with pytest.raises(UsageError, match="fitted names lines, which is no number"):
        read_target(own)


def test_models_say_what_they_leave_out() -> None:
    for path in (DATA / "models").glob("*.toml"):
        assert tomllib.loads(path.read_text(encoding="utf-8"))["leaves_out"], path.stem


def kept() -> list[Comparison]:
    lines = gzip.decompress((ROOT / "results" / "fidelity.jsonl.gz").read_bytes()).splitlines()
    return [msgspec.json.decode(line, type=Comparison) for line in lines]


def test_the_error_of_class_c_is_the_largest_that_was_seen() -> None:
    """Of the rows that are kept, where the flash is known: what `ecfit fit` doubts by."""
    seen = [abs(r.ratio - 1) for r in kept() if r.ratio is not None and r.ratio_bound is None]
    assert ERRORS["A"] < ERRORS["B"] < max(seen) <= ERRORS["C"]
    assert ERRORS["C"] - max(seen) < 0.01
