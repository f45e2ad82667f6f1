"""Where signing with a nonce from the caller is shown, the preset as it is stands beside it."""

from __future__ import annotations

import pytest

from ecfit_studies.survey.records import kept
from ecfit_studies.survey.study import all_studies

pytestmark = pytest.mark.check


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
