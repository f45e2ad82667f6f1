"""The cache gives back what was put, forgets what was damaged, and never leaves half a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ecfit import paths
from ecfit.errors import OutputError
from ecfit.measure.store import Store, write_output
from ecfit.model import Image, Measurement, Observation, Segment

IMAGE = Image("k" * 64, (Segment(0x1000, b"code"),), {"bench_ecdh": 0x1001}, (), {".text": 4}, 2)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("ECFIT_CACHE", str(tmp_path / "cache"))
    paths.cache_dir.cache_clear()
    yield tmp_path / "cache"
    paths.cache_dir.cache_clear()


def test_round_trip() -> None:
    store = Store()
    assert store.image(IMAGE.key) is None
    store.put_image(IMAGE)
    assert store.image(IMAGE.key) == IMAGE
    measurement = Measurement(Observation(cycles=(1, 2)))
    store.put_measurement("m", measurement)
    assert store.measurement("m") == measurement


def test_disabled_store_reads_nothing() -> None:
    Store().put_image(IMAGE)
    assert Store(enabled=False).image(IMAGE.key) is None


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "other"])
def test_damaged_entries_count_as_absent(damage: str, cache: Path) -> None:
    store = Store()
    store.put_image(IMAGE)
    path = cache / "images" / IMAGE.key
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes(
        {
            "flip": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
            "cut": data[:-1],
            "empty": b"",
            "other": b"x" * len(data),
        }[damage]
    )
    assert store.image(IMAGE.key) is None
    store.put_image(IMAGE)
    assert store.image(IMAGE.key) == IMAGE


def test_nothing_else_is_left_in_the_cache(cache: Path) -> None:
    Store().put_image(IMAGE)
    assert [path.name for path in (cache / "images").iterdir()] == [IMAGE.key]


def test_output_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    write_output(target, "one")
    write_output(target, "two")
    assert target.read_text() == "two"
    assert sorted(path.name for path in tmp_path.glob("*out*")) == ["out.json"]


@pytest.mark.parametrize("name", ["missing/out.json", "."])
def test_output_that_cannot_be_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot write"):
        write_output(tmp_path / name, "x")


def test_cache_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECFIT_CACHE", "/dev/null/cache")
    paths.cache_dir.cache_clear()
    with pytest.raises(OutputError, match="set ECFIT_CACHE"):
        paths.cache_dir()
