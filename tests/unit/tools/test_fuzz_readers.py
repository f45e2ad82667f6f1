"""A sample of what `make fuzz-trace` and `make fuzz-gateway` do for minutes."""

from __future__ import annotations

from pathlib import Path

import fuzz_gateway
import fuzz_trace


def test_damaged_traces(tmp_path: Path) -> None:
    """Each is analysed, or refused in one line; of both there are some."""
    ends = fuzz_trace.fuzz(tmp_path, seed=1, files=150)
    assert ends.total() == 150
    assert {end.split()[1] for end in ends} == {"analysed", "refused"}


def test_damaged_datagrams_messages_and_keys(tmp_path: Path) -> None:
    ends = fuzz_gateway.Fuzz(1, tmp_path).run(rounds=3)
    assert ends["datagrams"] == 300
    assert min(ends.values()) > 0
