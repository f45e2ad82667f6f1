"""Times of native code: batches that are long enough, sized warm."""

from __future__ import annotations

from ecfit.run.hostlib import MOST_CALLS, batch_size


class Clock:
    """Code whose first calls are slow: `cold` microseconds, then `warm` ones."""

    def __init__(self, cold: float, warm: float) -> None:
        self.cold, self.warm, self.calls = cold, warm, 0

    def batch(self, count: int) -> float:
        total = self.warm * count + (self.cold if self.calls == 0 else 0)
        self.calls += count
        return total / count


def test_a_cold_first_call_does_not_size_the_batches() -> None:
    clock = Clock(cold=2000, warm=10)
    assert 800 <= batch_size(clock.batch, 10_000_000) <= 1000


def test_slow_and_very_fast_code() -> None:
    assert batch_size(Clock(0, 50_000).batch, 10_000_000) == 1
    assert batch_size(Clock(0, 0.0001).batch, 10_000_000) <= MOST_CALLS
