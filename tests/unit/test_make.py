"""What `make` says besides pytest: lines that are too wide, the time of the stages of `make test`,
and when each sweep, which no ring of CI runs, last passed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ecfit.choices import kernels
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.prose import wrapped
from ecfit_studies.survey.study import all_studies, find_study
from tools import samples, sweeps
from tools.checks import lint_width

ROOT = Path(__file__).resolve().parents[2]
WIDE = "x" * 60 + " " + "y" * 60


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.py", f"a = 1\n# {WIDE}\n", [2]),
        ("a.c", f"/* {WIDE} */\n", [1]),
        ("a.md", f"{WIDE}\n\n| {WIDE} |\n```\n{WIDE}\n```\n", [1, 5]),
        ("a.md", f"- https://{'x' * 120}\n", []),
        ("a.toml", f"# {WIDE}\na = [1] # {WIDE}\n", [1, 2]),
        ("a.toml", f'a = {{ b = 1, c = "{WIDE}" }}\nd = ["{WIDE}", "e"]\n', []),
        ("a.toml", f'a = "{WIDE}"\nb = """\n{WIDE}"""\n    "{WIDE}",\n', [1, 3, 4]),
    ],
)
def test_a_planted_line_is_found(name: str, text: str, lines: list[int]) -> None:
    found = list(lint_width.findings(name, text))
    assert [int(line.split(":")[1]) for line in found] == lines
    assert all(line.startswith(f"{name}:") for line in found)


def test_every_kind_of_file_is_looked_at() -> None:
    """What people write, the generated tables of lib/src not."""
    found = set(lint_width.files(ROOT))
    assert {"Makefile", ".ci/run", "README.md", "sim/ecsim.h", "lib/knobs.toml"} <= found
    assert not any(name.endswith(("_params.inc", ".svg", ".json")) for name in found)


def test_wrapped_texts_say_the_same() -> None:
    """Filled once, and no more by a second time; tables, code and headings stay."""
    text = f"# {WIDE}\n\nwords `a b` {WIDE} - {WIDE} 4. end\n\n- one {WIDE}\n  and more\n"
    text += f"| {WIDE} |\n\n```\n{WIDE} {WIDE}\n```\n"
    after = wrapped(text)
    assert after.split() == text.split()
    assert wrapped(after) == after
    assert after.split("\n")[0] == f"# {WIDE}"
    assert f"{WIDE} {WIDE}\n```" in after
    assert not any(line.startswith(("4. ", "- y")) for line in after.split("\n"))


def test_a_stage_keeps_its_time_and_its_exit_code(tmp_path: Path) -> None:
    stage = ROOT / "tools" / "stage.sh"
    for name, command, code in (
        ("old", ["true"], 0),
        ("set-up", ["true"], 0),
        ("lint: x", ["sh", "-c", "sleep 0.1"], 0),
        ("fails", ["sh", "-c", "exit 7"], 7),
    ):
        done = subprocess.run([stage, name, *command], cwd=tmp_path, check=False, timeout=60)
        assert done.returncode == code
    lines = (tmp_path / ".cache" / "stages").read_text(encoding="utf-8").splitlines()
    assert [line.partition(" ")[2] for line in lines] == ["set-up", "lint: x"]
    assert 100 <= int(lines[1].partition(" ")[0]) < 60_000


def test_each_lint_runs_and_the_verdict_names_those_that_failed(tmp_path: Path) -> None:
    def stage(*words: str) -> subprocess.CompletedProcess[str]:
        command = [str(ROOT / "tools" / "stage.sh"), *words]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )

    for verdict, lints in ((1, {"a": 1, "b": 0, "c": 2}), (0, {"a": 0})):
        assert stage("set-up", "true").returncode == 0
        for name, code in lints.items():
            lint = stage(f"lint: {name}", "sh", "-c", f"echo line of {name}; exit {code}")
            assert lint.returncode == 0
            assert lint.stderr == (f"line of {name}\n" if code else "")
        done = stage("verdict")
        assert done.returncode == verdict
        assert done.stderr == ("failed: lint: a, lint: c\n" if verdict else "")


def test_the_stages_stand_before_the_closing_line(tmp_path: Path) -> None:
    (tmp_path / "stages").write_text("1500 set-up\n2500 lint: width\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-n", "0", f"--stages={tmp_path / 'stages'}"]
    done = subprocess.run(
        [*command, "tests/unit/measure/test_times.py"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    words = [line.split() for line in done.stdout.splitlines()]
    assert ["set-up", "1.5"] in words
    assert ["lint:", "width", "2.5"] in words
    assert [
        line[0] for line in words if "tests/unit/measure/test_times.py" in line and len(line) == 3
    ]
    assert words[-1][2] == "passed"


# ---- sweeps --------------------------------------------------------------------------------------


def test_each_sweep_has_a_row() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|[^|]*\| (\S+ ?\w*) \|", sweeps.table(ROOT), re.MULTILINE)
    assert [name for name, _ in rows] == list(sweeps.sweeps(ROOT))
    for name, date in rows:
        assert date == sweeps.kept(ROOT).get(name, {"date": "never recorded"})["date"]


@pytest.mark.parametrize("name", sweeps.sweeps(ROOT))
def test_a_shell_reads_the_commands(name: str) -> None:
    """And what they run is there."""
    sweep = sweeps.sweeps(ROOT)[name]
    for commands in (sweep["run"], sweep.get("refresh", "")):
        assert subprocess.run(["sh", "-n", "-c", commands], check=False).returncode == 0
        for path in re.findall(
            r"(?<![\w/$.])(?:tools|tests|examples|workshop)/[\w./*-]+", commands
        ):
            assert "$" in path or path.endswith("_") or list(ROOT.glob(path)), path


TABLE = (
    """\
[long]
what = "hours"
minutes = 3
run = """
    + '''"""
test -z "$FAIL"
echo $SAMPLE $JOBS > made
"""
'''
    + """
[short-one]
what = "less"
minutes = 1
run = "true"
records = ["results/short.json"]
of = ["lib"]
"""
)
MAKEFILE = "long: ; @JOBS=$(JOBS) $(PYTHON) $(TOOL) run $(WHAT)\nJOBS := 7\n"


class Checkout:
    """A repository of its own with the tool, and two sweeps."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("tools", "results", "lib"):
            (folder / name).mkdir()
        (folder / "lib" / "a.c").write_text("a\n", encoding="utf-8")
        (folder / "results" / "short.json").write_text("[1, 2]", encoding="utf-8")
        (folder / "tools" / "sweeps.toml").write_text(TABLE, encoding="utf-8")
        tool = (ROOT / "tools" / "sweeps.py").read_text(encoding="utf-8")
        (folder / "tools" / "sweeps.py").write_text(tool, encoding="utf-8")
        (folder / "Makefile").write_text(MAKEFILE, encoding="utf-8")
        (folder / ".gitignore").write_text(".cache\n", encoding="utf-8")
        (folder / "CONTRIBUTING.md").write_text(f"a\n\n{sweeps.BEGIN}{sweeps.END}\nb\n", "utf-8")

    def git(self, *words: str) -> str:
        """What git says."""
        user = ["-c", "user.name=a", "-c", "user.email=a@example"]
        command = ["git", "-C", str(self.folder), *user, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self) -> str:
        """A commit of everything: its hash, as the table has it."""
        self.git("add", "-A")
        self.git("commit", "-qm", "a", "--allow-empty")
        return self.git("rev-parse", "--short=8", "HEAD")

    def make(self, what: str, *words: str) -> int:
        """The exit code of make."""
        tool = ["PYTHON=" + sys.executable, "TOOL=tools/sweeps.py"]
        command = ["make", "-s", "long", f"WHAT={what}", *words, *tool]
        return subprocess.run(command, cwd=self.folder, check=False, timeout=60).returncode

    def tool(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What the tool says to a command."""
        return subprocess.run(
            [sys.executable, "tools/sweeps.py", *words],
            cwd=self.folder, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    def row(self, name: str = "long") -> dict[str, Any] | None:
        """What is kept of a sweep, without the variables that make() sets."""
        row = sweeps.kept(self.folder).get(name)
        if row:
            row["options"] = row["options"].replace(" PYTHON", "").replace(" TOOL", "")
        return row


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    made = Checkout(tmp_path)
    made.git("init", "-q")
    return made


def test_a_pass_is_kept_with_its_commit(checkout: Checkout) -> None:
    head = checkout.commit()
    assert checkout.make("long", "SAMPLE=400", "JOBS=3", "PEER_DIR=a=/home/b") == 0
    row = checkout.row()
    assert row is not None
    assert (row["commit"], row["minutes"], row["options"]) == (head, 0, "PEER_DIR SAMPLE=400")
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", row["date"])
    page = (checkout.folder / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"| `long` | hours | {row['date']} | `{head}` | 0 | PEER_DIR" in page
    assert "| `short-one` | less | never recorded |  | ~1 |" in page
    assert page.startswith("a\n") and page.endswith("\nb\n")
    assert "/home" not in page + (checkout.folder / "results" / "sweeps.toml").read_text("utf-8")
    assert (checkout.folder / "made").read_text(encoding="utf-8") == "400 3\n"


def test_several_run_up_to_the_first_that_fails(checkout: Checkout) -> None:
    checkout.commit()
    assert checkout.make("long,short-one", "FAIL=1") != 0
    assert checkout.row("short-one") is None
    assert checkout.make("short-one,long") == 0
    assert checkout.row() and checkout.row("short-one")


def test_a_failure_leaves_the_last_pass(checkout: Checkout) -> None:
    checkout.commit()
    assert checkout.make("long") == 0
    row = checkout.row()
    checkout.commit()
    for words in (("FAIL=1",), ("-n",), ("-i", "FAIL=1")):
        code = checkout.make("long", *words)
        assert (code == 0) == (words != ("FAIL=1",))
        assert checkout.row() == row


def test_what_was_not_committed_is_told(checkout: Checkout) -> None:
    head = checkout.commit()
    assert checkout.make("short-one") == 0  # what the tool writes is no change
    (checkout.folder / "results" / "more.json").write_text("", encoding="utf-8")  # nor are records
    assert checkout.make("short-one") == 0
    row = checkout.row("short-one")
    assert row is not None and row["commit"] == head
    (checkout.folder / "new.c").write_text("", encoding="utf-8")
    assert checkout.make("short-one") == 0
    row = checkout.row("short-one")
    assert row is not None and row["commit"] == f"{head}-dirty"


def test_a_commit_during_a_sweep_is_told(checkout: Checkout) -> None:
    head = checkout.commit()
    during = "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m b"
    assert sweeps.run(checkout.folder, "long", during)
    row = checkout.row()
    assert row is not None and row["commit"] == f"{head}-dirty"


def test_nothing_is_kept_without_git(tmp_path: Path) -> None:
    without = Checkout(tmp_path)
    assert without.make("long") == 0
    assert without.row() is None


def test_what_is_no_sweep_is_an_error(checkout: Checkout) -> None:
    said = checkout.tool("run", "short-one,gone")
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr == "sweeps.py: gone: no such name; there are long, short-one\n"
    sweeps.keep(checkout.folder, {"gone": {"date": "2026-01-01"}})
    with pytest.raises(ValueError, match="gone"):
        sweeps.table(checkout.folder)


# ---- evidence ------------------------------------------------------------------------------------


def test_evidence_is_old_when_what_it_depends_on_changes(checkout: Checkout) -> None:
    """It is made again then, and only then; a release asks for it."""
    head = checkout.commit()
    assert checkout.tool("fresh").returncode == 1
    assert f"short.json {head}" not in checkout.tool("status", "--no-sample").stdout
    assert "passed on" in checkout.tool("evidence").stdout
    assert checkout.tool("evidence").stdout == "short-one: up to date\n"
    checkout.commit()
    assert checkout.tool("fresh").returncode == 0
    line = next(
        line
        for line in checkout.tool("status", "--no-sample").stdout.split("\n")
        if "short" in line
    )
    assert line.split()[:2] == ["short-one", "2"]
    assert "nothing" in line
    (checkout.folder / "lib" / "a.c").write_text("b\n", encoding="utf-8")
    checkout.commit()
    line = next(
        line
        for line in checkout.tool("status", "--no-sample").stdout.split("\n")
        if "short" in line
    )
    assert "1 commit " in line
    said = checkout.tool("fresh")
    assert said.returncode == 1
    assert said.stderr == "sweeps.py: evidence is old (make evidence-status): short-one\n"
    assert "passed on" in checkout.tool("evidence", "short-one").stdout
    assert checkout.tool("evidence", "long").returncode == 1  # makes no records


def test_evidence_fails_where_a_sample_contradicts_it(checkout: Checkout) -> None:
    """Also where nothing has to be made again."""
    checkout.commit()
    assert checkout.tool("evidence").returncode == 0
    path = checkout.folder / "tools" / "sweeps.toml"
    text = path.read_text(encoding="utf-8")
    for command, code in (("echo measured", 0), ("echo 'a row: 2, kept 1'; exit 1", 1)):
        more = f'[short-one]\nsample = "{command}"\n'
        path.write_text(text.replace("[short-one]\n", more), encoding="utf-8")
        said = checkout.tool("evidence")
        assert said.returncode == code
        assert said.stdout.startswith("short-one: up to date\n")
        assert ("a row: 2, kept 1" in said.stdout) == bool(code)
        assert said.stderr == "short-one: a kept row is contradicted\n" * code


def test_a_sample_says_how_many_records_are_of_another_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old, new = (msgspec.structs.replace(kernels.kept()[0], model=name) for name in ("old", "new"))
    monkeypatch.setattr(kernels, "kept", lambda: [old, new, old])
    monkeypatch.setattr(kernels, "current", lambda row: row.model == "new")
    assert samples.asked("kernels") == (2, 3)
    assert samples.KINDS.keys() <= sweeps.evidence(ROOT).keys()


# ---- a sample of kept rows, measured again -------------------------------------------------------


@pytest.fixture(name="sampled")
def two_rows(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """What the sample says of a row of a chip and of one of this machine, which measure as they do,
    while the records are changed.
    """
    study = find_study("ecc-curve25519")
    pairs = samples.rows_of(study)
    assert pairs is not None
    quick = [pair for pair in pairs if samples.quick(pair[1])]
    chip = next(pair for pair in quick if pair[1].target != "host")
    host = next(pair for pair in quick if pair[1].target == "host")
    again = chip[1]
    monkeypatch.setattr(samples, "measure", lambda *_: iter([(0, again)]))
    monkeypatch.setattr(samples, "counted", lambda *_: host[1].instructions)

    def said(*, part: float = 1.0, **changed: object) -> list[str]:
        count = round((host[1].instructions or 0) * part)
        rows = [
            (chip[0], msgspec.structs.replace(chip[1], **changed)),
            (host[0], msgspec.structs.replace(host[1], instructions=count)),
        ]
        monkeypatch.setattr(samples, "rows_of", lambda _: rows)
        bench = Bench(Settings(), {}, Store())
        return [f"{what}: {why}" for what, why in samples.contradicted(study, bench, 1) if why]

    return said


def test_a_row_that_measures_otherwise_is_named(sampled: Callable[..., list[str]]) -> None:
    """A chip's exactly, this machine's within 2 %; a compiler that is not here says nothing."""
    assert sampled() == []
    assert sampled(part=1.015) == sampled(part=0.985) == []
    for part in (1.03, 0.97):
        (line,) = sampled(part=part)
        assert line.startswith("ecc-curve25519: ")
        assert "on host, -O" in line and "(band 2%)" in line
    for field in samples.COUNTS:
        (line,) = sampled(**{field: 1})
        assert f": {field} " in line and line.endswith(", kept 1")
    assert sampled(status="wrong result")
    assert sampled(cycles=1, toolchain="gcc 4.9.3") == []


def test_another_plan_contradicts_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "rows_of", lambda _: None)
    bench = Bench(Settings(), {}, Store())
    ((what, said),) = samples.contradicted(find_study("micro-ecc"), bench, 1)
    assert (what, said) == ("micro-ecc", "another plan than that of its records")


def test_the_sample_is_of_each_study(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1 where one row of one study is contradicted."""
    for wrong in ("", "jss"):
        monkeypatch.setattr(
            samples,
            "contradicted",
            lambda study, *_, wrong=wrong: [(study.name, "1, kept 2" * (study.name == wrong))],
        )
        assert samples.main(["--rows", "7"]) == bool(wrong)
        rows = len(all_studies())
        told = f"{rows} rows measured again (seed 7), {len(wrong) // 3} contradicted\n"
        assert capsys.readouterr().out == "jss: 1, kept 2\n" * bool(wrong) + told
    assert samples.main(["--rows", "x"]) == 2
