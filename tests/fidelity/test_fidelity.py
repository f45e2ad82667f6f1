"""The model against silicon: the gate on its deviations, and how the comparison is made."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from statistics import median

import msgspec
import pytest

from ecfit import cli
from ecfit.fidelity import CLASS_A, CLASS_B, Comparison, compare, earned_class, row, summary, with_classes
from ecfit.measure import Bench, Settings
from ecfit.model import Record
from ecfit.peers import all_peers
from ecfit.published import Document, Figure, Series, all_figures
from ecfit.store import Store
from ecfit.targets import all_targets

MEDIAN, WORST = 0.05, 0.12  # of |ratio - 1| over the rows of hand-written assembly
PEERS = all_peers()


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Comparison]:
    """What `ecfit fidelity --format json` prints."""
    path = tmp_path_factory.mktemp("fidelity") / "rows.json"
    assert cli.run(["fidelity", "--quiet", "--format", "json", "-o", str(path)]) == 0
    return msgspec.json.decode(path.read_bytes(), type=list[Comparison])


def test_every_figure_is_a_row(rows: list[Comparison]) -> None:
    assert len(rows) == len(all_figures())
    assert {row.status for row in rows} == {"ok", "not run"}
    for one in rows:
        assert (one.ratio is None) == (one.status != "ok") == bool(one.reason)


def test_assembly_is_near_silicon(rows: list[Comparison]) -> None:
    """Compiled C is left out: it differs by its compiler, too."""
    errors = [abs(row.ratio - 1) for row in rows if row.code == "asm" and row.ratio is not None]
    assert len(errors) >= 12
    assert median(errors) <= MEDIAN
    assert max(errors) <= WORST


def test_compiled_code_is_not_absurd(rows: list[Comparison]) -> None:
    """No gate on the model; a wrong unit, clock or operation would show."""
    for one in rows:
        assert one.ratio is None or 0.5 < one.ratio < 1.5, one


def test_targets_claim_the_class_they_earned(rows: list[Comparison]) -> None:
    for target in all_targets().values():
        earned = {row.earned_class for row in rows if row.target == target.name and row.earned_class}
        if earned:
            assert {target.modes["datasheet"].error_class} == earned, target.name
        elif target.runner == "sim" and target.name != "lpc1114":  # held against its figures from outside
            assert target.modes["datasheet"].error_class == "C", target.name


def series_to_profile() -> list[Figure]:
    """One figure of each series that is run: the first."""
    found: dict[int, Figure] = {}
    for figure in all_figures():
        if not figure.not_run:
            found.setdefault(id(figure.series), figure)
    return list(found.values())


@pytest.mark.parametrize(
    "figure",
    series_to_profile(),
    ids=lambda f: f"{f.series.target}-{f.series.library}-{f.series.curve}-{f.series.code}",
)
def test_code_is_what_takes_most_of_the_time(figure: Figure) -> None:
    made = row(figure, PEERS)
    _, profile = Bench(Settings(opt=figure.series.opt), PEERS, Store()).profile(made)
    patterns = PEERS[figure.series.library].assembly if figure.series.options.get("PLATFORM") != "c" else ()
    inside = sum(cycles for stack, cycles in profile.items() if any(fnmatch(stack[-1], p) for p in patterns))
    share = inside / sum(profile.values())
    assert (share > 0.5) == (figure.series.code == "asm"), f"{share:.0%} of the time is spent in assembly"


def made_figure(code: str = "asm", value: float = 2.0) -> Figure:
    series = Series("lib", "secp256r1", "lpc1114", code, "ms", {"sign": value}, differs="a bit")  # type: ignore[arg-type]
    return Figure(Document("paper", "page 3", "on a desk", "1.0", "gcc 4", (series,)), series, "sign", value)


def made_record(cycles: int | None) -> Record:
    return Record(
        library="lib", library_version="2.0", curve="secp256r1", op="sign", image_ops="sign", target="lpc1114",
        core="cortex-m0", mode="datasheet", preset=None, config_key="", toolchain="gcc 12", opt="Os", runner="sim",
        seed=1, runs=1, cycles=cycles, status="ok" if cycles else "fault", detail=None if cycles else "it fell",
    )  # fmt: skip


def test_compare() -> None:
    one = compare(made_figure(), made_record(97_920))  # 2.04 ms at 48 MHz
    assert (one.modelled, one.ratio, one.status) == (2.04, 1.02, "ok")
    assert (one.published_compiler, one.modelled_compiler) == ("gcc 4", "gcc 12 -Os")
    assert (one.source, one.conditions) == ("paper (page 3)", "on a desk")
    failed = compare(made_figure(), made_record(None))
    assert (failed.ratio, failed.status, failed.reason) == (None, "fault", "it fell")
    left = msgspec.structs.replace(
        made_figure(), document=msgspec.structs.replace(made_figure().document, not_run="why")
    )
    assert (compare(left, None).status, compare(left, None).reason) == ("not run", "why")


@pytest.mark.parametrize(
    ("ratios", "earned"),
    [
        ([("asm", 1 + CLASS_A)], "A"),
        ([("asm", 1 - CLASS_A), ("asm", 1.021)], "B"),
        ([("asm", 1 - CLASS_B)], "B"),
        ([("asm", 1.101)], "C"),
        ([("asm", 1.0), ("c", 1.4)], "A"),  # assembly decides where there is some
        ([("c", 1.05)], "B"),
        ([("c", 0.8)], "C"),
        ([], None),
    ],
)
def test_classes(ratios: list[tuple[str, float]], earned: str | None) -> None:
    base = compare(made_figure(), made_record(96_000))
    made = [msgspec.structs.replace(base, code=code, ratio=ratio) for code, ratio in ratios]
    assert earned_class(made) == earned
    assert all(one.earned_class == earned for one in with_classes(made))


def test_summary() -> None:
    base = compare(made_figure(), made_record(96_000))
    lines = summary(with_classes([msgspec.structs.replace(base, ratio=ratio) for ratio in (0.9, 1.0, 1.04)]))
    assert lines[0] == "hand-written assembly: 3 figures on 1 targets, |ratio - 1| median 4.0%, worst 10.0%"
    assert "lpc1114: class B" in lines
    assert "lib: published with 1.0, gcc 4; modelled with 2.0, gcc 12 -Os" in lines


def test_usage(capfd: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["--target", "lpc1115"], "unknown target 'lpc1115': did you mean lpc1114"),
        (["--target", "host"], "unknown target with published figures 'host'"),
        (["--lib", "tweetnackl"], "unknown library with published figures 'tweetnackl': did you mean tweetnacl"),
        (["-o", "/does/not/exist"], "there is no folder /does/not"),
    ):
        assert cli.run(["fidelity", *arguments]) == 2
        assert message in capfd.readouterr().err


def test_the_document_holds_the_table(rows: list[Comparison]) -> None:
    """docs/cycle-model.md is made by tools/fidelity_doc.py; its table is today's."""
    text = Path(__file__).resolve().parents[2].joinpath("docs/cycle-model.md").read_text(encoding="utf-8")
    for one in rows:
        if one.ratio is not None:
            assert f"| {one.ratio:.3f} |" in text
