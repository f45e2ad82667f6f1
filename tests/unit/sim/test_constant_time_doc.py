"""docs/constant-time.md names the variable-time rows of each core as in its model,
and what is declared public.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ecfit.sim.machine import load_model, model_names

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "constant-time.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", model_names())
def test_variable_time_rows(name: str) -> None:
    (line,) = re.findall(rf"^\| `{name}` \| (.*?) \| .* \|$", TEXT, re.MULTILINE)
    model = load_model(name)
    rows = set(model.variable_rows())
    by_option = {row for option in model.options.values() for row in (*option.rows, option.row)}
    assert rows <= set(re.findall(r"`([a-z_]+)`", line)) <= rows | by_option
    for row in rows & model.rows.keys():
        cost = model.rows[row]
        assert len(cost.source) > 10
        assert cost.cycles_min is None or f"{cost.cycles_min} " in line or "as the " in line


def test_declared_points() -> None:
    """Every file of the library that declares something public, and no other, is in the table."""
    source = ROOT / "lib" / "src"
    files = {
        str(p.relative_to(source))
        for p in source.rglob("*.inc")
        if re.search(r"\b(ECFIT_DECLASSIFY|bytes_known)\(", p.read_text("utf-8"))
    }
    assert set(re.findall(r"`((?:api|mul)/[\w/]+\.inc)`", TEXT)) == files
