"""Where signing with a nonce from the caller is shown, the preset as it is stands beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ecfit.paths import ROOT
from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import all_studies

pytestmark = pytest.mark.check

PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
BESIDE = re.compile(r"signing as the preset is", re.IGNORECASE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_section_that_measures_without_a_nonce_says_what_the_preset_takes(page: Path) -> None:
    for section in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
        text = " ".join(section.split())
        counts = "--set NONCE=random" in text and "signing" in text
        assert not counts or BESIDE.search(text), section[:80]


@pytest.mark.parametrize("name", sorted({*all_studies()} - {"remote"}))
def test_a_row_without_a_nonce_has_its_preset_in_the_same_table(name: str) -> None:
    """`remote` rebuilds another library, whose nonce came from the caller: its page says so."""
    records = [r for r in kept(all_studies()[name]) if r.op == "sign" and r.library == "ecfit"]
    for record in records:
        if "NONCE=random" in (record.changed or "").split():
            assert any(
                (r.target, r.curve, r.preset) == (record.target, record.curve, record.preset)
                and "NONCE=random" not in (r.changed or "")
                for r in records
            ), (record.group, record.target, record.curve)
