"""Code in RAM: the start-up copies it, it runs there,
and its weight is counted in both memories.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ecfit.arguments.selection import rows, select
from ecfit.choices.peers import all_peers
from ecfit.errors import UsageError
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store


def measured(target: str, place: str, mode: str, library: str) -> tuple[int, int, int]:
    """Cycles, flash and static RAM of one key generation,
    verified against the oracle by the bench.
    """
    selection = select(
        targets=[target],
        libraries=[library],
        curves=["secp256r1"],
        ops=["keygen"],
        presets=[],
        sets=[f"place={place}"],
        mode=mode,
        peers=all_peers(),
    )
    (row,) = rows(selection)
    record = Bench(Settings(), selection.peers, Store(enabled=False)).measure(row)
    assert record.status == "ok", record.detail
    assert record.changed == ("PLACE=ram" if place == "ram" else None)
    assert record.cycles is not None
    assert record.flash_bytes is not None
    assert record.static_ram_bytes is not None
    return record.cycles, record.flash_bytes, record.static_ram_bytes


@pytest.mark.parametrize("target", ["lpc1114", "samd20"])
def test_code_in_ram_does_not_wait(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ECFIT_CACHE", str(tmp_path))
    zero, flash, ram = measured(target, "flash", "zero-ws", "ecfit")
    slow, *_ = measured(target, "flash", "datasheet", "ecfit")
    fast, flash_too, more_ram = measured(target, "ram", "datasheet", "ecfit")
    assert (
        abs(fast - zero) < zero // 1000 < slow - zero
    )  # calls between flash and RAM take a few cycles more
    assert flash_too == flash
    assert more_ram == ram + flash


def test_a_place_that_is_none() -> None:
    with pytest.raises(UsageError, match="PLACE is flash or ram, not 'rom'"):
        select(
            targets=["lpc1114"], libraries=["ecfit"], curves=["secp256r1"], ops=["all"], presets=[],
            sets=["PLACE=rom"], mode="datasheet", peers={},
        )  # fmt: skip
