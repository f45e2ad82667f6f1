"""A sample of what `tools/fuzz/run.sh trace gateway exchanges` does for minutes."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tools.fuzz import fuzz_exchanges, fuzz_gateway, fuzz_trace
from tools.fuzz.fuzz_gateway import OddEndError


def test_damaged_traces(tmp_path: Path) -> None:
    """Each is analysed, or refused in one line; of both there are some."""
    ends = fuzz_trace.fuzz(tmp_path, seed=1, files=150)
    assert ends.total() == 150
    assert {end.split()[1] for end in ends} == {"analysed", "refused"}


def test_damaged_datagrams_messages_and_keys(tmp_path: Path) -> None:
    ends = fuzz_gateway.Fuzz(1, tmp_path).run(rounds=3)
    assert ends["datagrams"] == 300
    assert min(ends.values()) > 0


def exchanges(folder: Path) -> Counter[str]:
    """Three seconds of `tools/fuzz/run.sh exchanges`."""
    return asyncio.run(fuzz_exchanges.Fuzz(1, folder, 3).run())


def test_hostile_sensors(tmp_path: Path) -> None:
    """The honest ones beside them lose nothing."""
    ends = exchanges(tmp_path)
    assert ends["honest readings, each kept once"] > 20
    assert ends["hostile datagrams"] > 100
    assert ends["hostile messages refused"] > 5


def test_a_reading_that_is_lost_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that forgets one of five."""
    insert, count = fuzz_exchanges.Store._insert, itertools.count()

    def forgetful(self: Any, one: Any, when: str, before: str | None) -> bool:
        return next(count) % 5 == 4 or insert(self, one, when, before)

    monkeypatch.setattr(fuzz_exchanges.Store, "_insert", forgetful)
    with pytest.raises(OddEndError, match=r"acknowledged, .* kept"):
        exchanges(tmp_path)
