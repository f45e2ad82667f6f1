"""What holds for all rows of a command."""

from __future__ import annotations

import msgspec

from ecfit.model import DEFAULT_LIMIT


class Settings(msgspec.Struct, frozen=True):
    """What holds for all rows of a command."""

    toolchain: str = "gcc"
    cc: str | None = None  # path of the compiler, where it is not the one that is found
    opt: str = "Os"
    seed: int = 1
    runs: int = 1
    inputs: int = 1  # of the constant-time check: public ones
    limit: int = DEFAULT_LIMIT
    jobs: int = 2
    model_rows: tuple[tuple[str, int], ...] = ()  # what is changed in the cycle models

    @property
    def model_changes(self) -> str | None:
        """For records: "stores_load=1"."""
        return " ".join(f"{row}={cycles}" for row, cycles in self.model_rows) or None
