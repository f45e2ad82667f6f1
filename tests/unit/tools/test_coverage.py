"""tools/checks/coverage.py: how the counts of several builds become one, and what it notices."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PATH = Path(__file__).resolve().parents[3] / "tools" / "checks" / "coverage.py"


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tool on a library of one file."""
    spec = importlib.util.spec_from_file_location("coverage_tool", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(__import__("sys").modules, "coverage_tool", module)
    spec.loader.exec_module(module)
    (tmp_path / "mp").mkdir()
    (tmp_path / "mp" / "one.inc").write_text(
        "int f(int a)\n{\n    return a ? 1 : 2;\n}\n", encoding="utf-8"
    )
    monkeypatch.setattr(module, "SRC", tmp_path)
    monkeypatch.setattr(module, "EXCEPTIONS", tmp_path / "coverage.toml")
    return module


def line(number: int, count: int, *ways: int) -> dict[str, Any]:
    """A line as gcov writes it."""
    return {"line_number": number, "count": count, "branches": [{"count": way} for way in ways]}


def test_builds_add_up(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """Each way taken in another build is covered; one that no build takes is named,
    and below the limit.
    """
    counts = tool.Counts()
    tool.add(counts, [line(1, 1), line(3, 1, 1, 0)])
    assert counts.missing(set()) == ([], [3])
    assert tool.report({"mp/one.inc": counts}) == 1
    assert "not every way [3]" in capsys.readouterr().out
    tool.add(counts, [line(1, 1), line(3, 1, 0, 1)])
    assert counts.missing(set()) == ([], [])
    assert tool.report({"mp/one.inc": counts}) == 0


def test_a_line_that_never_ran(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    counts = tool.Counts()
    tool.add(counts, [line(1, 5), line(3, 0)])
    assert tool.report({"mp/one.inc": counts}) == 1
    assert "never [3]" in capsys.readouterr().out


def test_an_exception_is_left_out_and_must_exist(tool: ModuleType) -> None:
    counts = tool.Counts()
    tool.add(counts, [line(1, 5), line(3, 0)])
    entry = '[[exception]]\nfile = "mp/one.inc"\nline = "return a ? 1 : 2;"\nreason = "planted"\n'
    tool.EXCEPTIONS.write_text(entry, encoding="utf-8")
    assert tool.report({"mp/one.inc": counts}) == 0
    tool.EXCEPTIONS.write_text(entry.replace("a ?", "b ?"), encoding="utf-8")
    with pytest.raises(ValueError, match="has no line"):
        tool.report({"mp/one.inc": counts})


def test_a_file_without_a_build(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.report({}) == 1
    assert "mp/one.inc: lines 0/1, branches 0/0; never [3]" in capsys.readouterr().out


TEXT = """#define MACRO(x) f(x);
static int table = 3;
int f(int a)
{
    int b;
    static const int c = 1;
    /* f(a);
    f(a); */
    (void)a;
    b = 2;
    f(a, /* comment */
      b);
    if (a) {
        b++;
        break;
    } else if (b == 2) { /* why */
        f(b);
    }
    return b;
}
"""


def test_statements_that_must_have_code(tool: ModuleType) -> None:
    """Whole ones in functions: not declarations, comments, continued lines, `(void)`,
    or jumps of a branch before.
    """
    assert list(tool.statements(TEXT)) == [10, 14, 17, 19]


def test_a_statement_that_no_build_compiles(
    tool: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a constant condition leaves out everywhere is not covered;
    with code in one build it is.
    """
    (tool.SRC / "mp" / "one.inc").write_text(TEXT, encoding="utf-8")
    counts = tool.Counts()
    tool.add(counts, [line(10, 1), line(14, 1), line(19, 1)])
    assert tool.report({"mp/one.inc": counts}) == 1
    assert "never [17]" in capsys.readouterr().out
    tool.add(counts, [line(17, 1)])
    assert tool.report({"mp/one.inc": counts}) == 0
