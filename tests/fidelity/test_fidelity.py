"""The model against silicon: the gate on its deviations, and how the comparison is made."""

from __future__ import annotations

import gzip
from pathlib import Path
from statistics import median

import msgspec
import pytest

from ecfit import cli
from ecfit.choices.kernels import ASM_SHARE
from ecfit.choices.published import Document, Figure, Series, all_figures
from ecfit.commands.fidelity import (
    CLASS_A,
    CLASS_B,
    Comparison,
    Run,
    assembly_share,
    compare,
    earned,
    kept_rows,
    shown_table,
    summary,
    with_classes,
)
from ecfit.model import Record
from ecfit.paths import ROOT

MEDIAN, WORST = (
    0.03,
    0.08,
)  # of |ratio - 1| over the rows of hand-written assembly, where the flash is known


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Comparison]:
    """What `ecfit fidelity --format json` prints."""
    path = tmp_path_factory.mktemp("fidelity") / "rows.json"
    assert cli.run(["fidelity", "--quiet", "--format", "json", "-o", str(path)]) == 0
    return msgspec.json.decode(path.read_bytes(), type=list[Comparison])


@pytest.mark.ci
def test_every_figure_is_a_row(rows: list[Comparison]) -> None:
    assert len(rows) == len(all_figures()) + len(kept_rows())
    assert sum(row.ratio is not None for row in rows) >= 240
    assert {row.status for row in rows} == {"ok", "not run"}
    for one in rows:
        assert (one.ratio is None) == (one.status != "ok") == bool(one.reason)


@pytest.mark.ci
def test_assembly_is_near_silicon(rows: list[Comparison]) -> None:
    """Compiled C is left out: it differs by its compiler, too; and chips of class C, of which
    nothing is promised: :func:`test_the_error_of_class_c_is_the_largest_that_was_seen`.
    """
    known = [
        row
        for row in rows
        if row.code == "asm" and row.earned_class != "C" and row.curve and not row.fitted
    ]
    assert all(row.ratio_bound is None for row in known)
    errors = [abs(row.ratio - 1) for row in known if row.ratio is not None]
    assert len(errors) >= 5
    assert median(errors) <= MEDIAN
    assert max(errors) <= WORST


@pytest.mark.ci
def test_unknown_flash_is_bounded(rows: list[Comparison]) -> None:
    """Both bounds are there, and no class is earned by them."""
    bounded = [row for row in rows if row.ratio_bound is not None]
    assert {row.target for row in bounded} == {"cc2538-16mhz"}
    for one in bounded:
        assert one.ratio is not None
        assert one.ratio_bound is not None
        assert one.ratio < one.ratio_bound < 1.7
        assert one.earned_class == "C"
    assert all(row.ratio_bound is None for row in rows if row.target != "cc2538-16mhz")


@pytest.mark.ci
def test_compiled_code_is_not_absurd(rows: list[Comparison]) -> None:
    """No gate on the model; a wrong unit, clock or operation would show."""
    for one in rows:
        assert one.ratio is None or 0.5 < one.ratio < 1.5, one


@pytest.mark.ci
def test_the_kept_rows_are_those_of_today(rows: list[Comparison]) -> None:
    """Every claim of a class is read from them: test_claims.py."""
    lines = gzip.decompress((ROOT / "results" / "fidelity.jsonl.gz").read_bytes()).splitlines()
    assert [msgspec.json.decode(line, type=Comparison) for line in lines] == rows


@pytest.mark.ci
def test_code_is_by_the_share_of_assembly(rows: list[Comparison]) -> None:
    """Half of the cycles decides, and no row is near enough to the border for a compiler's mood
    to move it.
    """
    for one in rows:
        if one.assembly_share is not None:
            assert one.code == ("asm" if one.assembly_share >= ASM_SHARE else "c")
            assert abs(one.assembly_share - ASM_SHARE) > 0.01, one
    shares = {one.assembly_share for one in rows if one.library == "p256-cortex-m4" and one.ratio}
    assert min(share for share in shares if share is not None) > 0.9


def test_assembly_share() -> None:
    profile = {("main",): 10, ("main", "mul_asm"): 60, ("mul_asm", "memcpy"): 30}
    assert assembly_share(profile, ["mul_*"]) == 0.6
    assert assembly_share(profile, []) == 0.0


def made_figure(value: float = 2.0, functions: dict[str, str] | None = None) -> Figure:
    series = Series(
        "lib", "secp256r1", "lpc1114", "ms", {"sign": value},
        differs="a bit", functions=functions or {},
    )  # fmt: skip
    return Figure(
        Document("paper", "page 3", "on a desk", "1.0", "gcc 4", (series,)), series, "sign", value
    )


def made_run(cycles: int | None, share: float = 0.9) -> Run:
    record = Record(
        library="lib", library_version="2.0", curve="secp256r1", op="sign", image_ops="sign",
        target="lpc1114", core="cortex-m0", mode="datasheet", preset=None, config_key="",
        toolchain="gcc 12", opt="Os", runner="sim", seed=1, runs=1, cycles=cycles,
        status="ok" if cycles else "fault", detail=None if cycles else "it fell",
    )  # fmt: skip
    if not cycles:
        return Run(record)
    inside = round(cycles * share)
    profile = {("main", "sign", "mul_asm"): inside, ("main",): cycles - inside}
    return Run(record, profile, ["mul_*"])


def test_compare() -> None:
    one = compare(made_figure(), made_run(97_920))  # 2.04 ms at 48 MHz
    assert (one.modelled, one.ratio, one.status) == (2.04, 1.02, "ok")
    assert (one.published_compiler, one.modelled_compiler) == ("gcc 4", "gcc 12 -Os")
    assert (one.source, one.conditions) == ("paper (page 3)", "on a desk")
    assert (one.assembly_share, one.code) == (0.9, "asm")
    only = made_figure(functions={"sign": "sign"})
    one = compare(only, made_run(97_920))  # what `main` does by itself is left out
    assert (one.modelled, one.assembly_share) == (1.836, 1.0)
    one = compare(made_figure(functions={"sign": "gone"}), made_run(97_920))
    assert (one.ratio, one.status, one.reason) == (None, "not run", "nothing calls gone")
    assert compare(made_figure(), made_run(97_920, 0.49)).code == "c"
    failed = compare(made_figure(), made_run(None))
    assert (failed.ratio, failed.status, failed.reason) == (None, "fault", "it fell")
    left = msgspec.structs.replace(
        made_figure(), document=msgspec.structs.replace(made_figure().document, not_run="why")
    )
    assert (compare(left, None).status, compare(left, None).reason) == ("not run", "why")


def class_of(rows: list[Comparison]) -> str | None:
    accuracy = earned(rows)
    return accuracy.error_class if accuracy else None


@pytest.mark.parametrize(
    ("ratios", "error_class"),
    [
        ([("asm", 1 + CLASS_A)], "A"),
        ([("asm", 1 - CLASS_A), ("asm", 1.021)], "B"),
        ([("asm", 1 - CLASS_B)], "B"),
        ([("asm", 1.101)], "C"),
        ([("asm", 1.0), ("c", 1.4)], "A"),  # figures of assembly alone decide, if there are any
        ([("c", 1.05)], "B"),
        ([("c", 1.0)], "B"),  # its compiler may be off as far the other way
        ([("c", 0.8)], "C"),
        ([], None),
    ],
)
def test_classes(ratios: list[tuple[str, float]], error_class: str | None) -> None:
    base = compare(made_figure(), made_run(96_000))
    made = [msgspec.structs.replace(base, code=code, ratio=ratio) for code, ratio in ratios]
    assert class_of(made) == error_class
    assert all(one.earned_class == error_class for one in with_classes(made))


def test_no_class_by_bounds_or_changed_models() -> None:
    """A bound that is far off, and rows of a changed model, earn nothing."""
    base = compare(made_figure(), made_run(96_000))
    assert class_of([msgspec.structs.replace(base, ratio=1.0, ratio_bound=1.3)]) == "C"
    assert class_of([msgspec.structs.replace(base, ratio=1.0, ratio_bound=1.01)]) == "A"
    assert class_of([msgspec.structs.replace(base, ratio=1.0, model_rows="alu=2")]) is None


def test_summary() -> None:
    base = compare(made_figure(), made_run(96_000))
    rows = [msgspec.structs.replace(base, ratio=ratio) for ratio in (0.9, 1.0, 1.04)]
    lines = summary(with_classes(rows))
    assert (
        lines[0]
        == "hand-written assembly: 3 figures on 1 targets, |ratio - 1| median 4.0%, worst 10.0%"
    )
    alone = msgspec.structs.replace(base, ratio=1.01, memory=None)
    chose = msgspec.structs.replace(base, ratio=1.5, fitted="a rule")
    _, cells = shown_table([*rows, alone, chose])
    assert cells == [
        ["core, cortex-m0", "A", "1", "1.0%", "1.0%", "0", "asm"],
        ["lpc1114, flash", "B", "3", "4.0%", "10.0%", "1", "asm"],
    ]
    assert [chose.shows, alone.shows] == ["chose a rule", "core"]
    (published,) = (line for line in lines if "published: " in line)
    assert published.startswith("lib on lpc1114, published: on a desk. ")
    assert published.endswith(". Version: 1.0. Compiler: gcc 4")
    assert "lib, modelled: version: 2.0. Compiler: gcc 12 -Os" in lines


def test_differences() -> None:
    """One line for each text, with the configurations only where the texts differ."""
    base = msgspec.structs.replace(compare(made_figure(), made_run(96_000)), differs="by age")
    one = msgspec.structs.replace(base, configuration="one")
    two = msgspec.structs.replace(base, configuration="two")
    other = msgspec.structs.replace(two, differs="by size")

    def told(*rows: Comparison) -> list[str]:
        return [line for line in summary(rows) if "what differs" in line]

    assert told(one, two) == ["lib on lpc1114, what differs: by age"]
    assert told(one, other) == [
        "lib one on lpc1114, what differs: by age",
        "lib two on lpc1114, what differs: by size",
    ]


OWN = """
document = "my desk"
origin = "here"
conditions = "no conditions"
library_version = "1"
compiler = "gcc"
{more}
[[series]]
library = "mine"
curve = "secp256r1"
target = "nrf52840"
unit = "{unit}"
figures = {{ {op} = {value} }}
"""
PEER = f"mine={ROOT / 'peers' / 'micro-ecc'}"


def test_figures_and_peers_of_a_user(tmp_path: Path) -> None:
    """--published FILE and --peer-dir NAME=PATH, with a changed row of the model beside."""
    own, out = tmp_path / "own.toml", tmp_path / "rows.json"
    own.write_text(OWN.format(more="", unit="cycles", op="keygen", value=4_000_000))
    ask = ["fidelity", "--quiet", "--format", "json", "-o", str(out), "--published", str(own)]

    def only() -> Comparison:
        (found,) = msgspec.json.decode(out.read_bytes(), type=list[Comparison])
        return found

    assert cli.run([*ask, "--peer-dir", PEER]) == 0
    plain = only()
    assert (plain.library, plain.op, plain.published, plain.status) == ("mine", "keygen", 4e6, "ok")
    assert plain.source == "my desk (here)"
    assert plain.modelled is not None
    assert plain.earned_class is not None
    assert cli.run([*ask, "--peer-dir", PEER, "--model", "alu=2"]) == 0
    slower = only()
    assert slower.modelled is not None
    assert slower.modelled > plain.modelled
    assert (slower.model_rows, slower.earned_class) == ("alu=2", None)
    assert cli.run([*ask, "--peer-dir", PEER]) == 0
    assert only() == plain


@pytest.mark.ci
def test_code_that_no_package_carries(
    rows: list[Comparison], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without the code its peer says what is missing; with it, rows of assembly are near silicon
    on three chips."""
    name = "x25519-cm0"
    folder = ROOT / "peers" / "outside" / name
    ask = ["fidelity", "--quiet", "--published", str(folder / "published.toml")]
    assert cli.run([*ask, "--peer-dir", f"{name}={folder}"]) == 3
    assert f"put {name}.S of commit 75a53f27" in capfd.readouterr().out
    near = [row for row in rows if row.code == "asm" and row.earned_class != "C"]
    assert name in {row.library for row in near}
    near = [row for row in near if not row.fitted]
    off = sorted(abs(row.ratio - 1) for row in near if row.ratio is not None)
    assert len({row.target for row in near if row.ratio is not None}) >= 3
    assert off[len(off) // 2] < 0.03
    assert off[-1] < 0.08


def test_wrong_figures_of_a_user(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own.toml"
    good = {"more": "", "unit": "cycles", "op": "keygen", "value": 4_000_000}
    for changes, message in (
        ({"op": "encrypt"}, "mine has no encrypt on secp256r1"),
        ({"value": -1}, "a figure is a positive number"),
        ({"value": "nan"}, "a figure is a positive number"),
        ({"unit": "per_s"}, "a figure of silicon is in s, ms, us, cycles, kcycles"),
        ({"unit": "hours"}, "Invalid enum value"),
        ({"more": "colour = 3"}, "unknown field"),
        ({"more": "]"}, "own.toml"),
    ):
        own.write_text(OWN.format(**{**good, **changes}))
        assert cli.run(["fidelity", "--published", str(own), "--peer-dir", PEER]) == 2
        error = capfd.readouterr().err
        assert message in error
        assert str(own) in error
        assert error.count("\n") == 1
    own.write_text(OWN.format(**good))
    assert cli.run(["fidelity", "--published", str(own)]) == 2
    assert "unknown library 'mine'" in capfd.readouterr().err
    own.write_bytes(b"\xff\xfe")
    assert cli.run(["fidelity", "--published", str(own)]) == 2
    assert cli.run(["fidelity", "--published", str(tmp_path / "none.toml")]) == 2
    assert "No such file" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], "stm32g071: no figure is published, so it earns no class"),
        (["--lib", "p256-m"], "stm32g071: no figure of p256-m is published"),
        (["--format", "json"], "[]"),
    ],
)
def test_a_chip_without_figures(
    more: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["fidelity", "--target", "stm32g071", *more]) == 0
    out, err = capfd.readouterr()
    assert out.startswith(said)
    assert not err


def test_usage(capfd: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["--target", "lpc1115"], "unknown target 'lpc1115': did you mean lpc1114"),
        (
            ["--lib", "tweetnackl"],
            "unknown library with published figures 'tweetnackl': did you mean tweetnacl",
        ),
        (["-o", "/does/not/exist"], "there is no folder /does/not"),
    ):
        assert cli.run(["fidelity", *arguments]) == 2
        assert message in capfd.readouterr().err
