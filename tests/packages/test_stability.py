"""What docs/stability.md promises is what there is."""

from __future__ import annotations

import ecfit
from tools.packages import interface
from workshop.devices.consumer import ROOT


def test_what_was_promised_is_there() -> None:
    """A name that goes breaks someone: it takes a step of the version and a line of the changelog.
    One that comes is promised from then on: tools/packages/interface.py --write.
    """
    promised = interface.PROMISED.read_text(encoding="utf-8").splitlines()
    today = interface.lines()
    assert sorted(set(promised) - set(today)) == [], "promised, and gone"
    assert sorted(set(today) - set(promised)) == [], "new: tools/packages/interface.py --write"


def test_the_changelog_has_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {ecfit.__version__}" in text
