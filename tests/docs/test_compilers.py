"""The page on compilers: its versions are those of the golden counts, its files exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "compilers.md").read_text(encoding="utf-8")


def test_the_versions_are_those_that_are_measured_with() -> None:
    records = json.loads((ROOT / "results" / "golden" / "bench.json").read_text(encoding="utf-8"))
    measured = {record["toolchain"].rpartition(" ")[2] for record in records}
    assert measured
    rows = re.findall(r"^\| `[\w-]+` \| (\d+\.\d+\.\d+) \|", PAGE, re.MULTILINE)
    assert len(rows) == 6
    assert measured <= {*rows}


def test_the_files_exist() -> None:
    names = re.findall(r"`(?:tests/lib/)?(test_\w+\.py)`", PAGE)
    assert len(names) >= 7
    assert [name for name in names if not (ROOT / "tests" / "lib" / name).is_file()] == []
