"""The cache gives back what was put, forgets what was damaged, and never leaves half a file."""

from __future__ import annotations

import ast
import grp
import os
import pwd
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from ecfit import paths
from ecfit.errors import OutputError
from ecfit.measure.store import OWN_CODE, Store, write_folder, write_output
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


def test_output_through_a_link_is_that_of_what_it_names(tmp_path: Path) -> None:
    """As `-o /dev/stdout` with an output that goes to a file: the link stays."""
    target, link = tmp_path / "out.json", tmp_path / "link"
    target.write_text("one", encoding="utf-8")
    link.symlink_to("out.json")
    write_output(link, "two")
    assert link.is_symlink()
    assert target.read_text() == "two"
    link.unlink()
    link.symlink_to("new.json")
    write_output(link, "three")
    assert (tmp_path / "new.json").read_text() == "three"


def test_output_has_the_mode_that_any_file_has(tmp_path: Path) -> None:
    """That of the umask when it is new, and its own when it was there."""
    target = tmp_path / "out.json"
    before = os.umask(0o027)
    try:
        write_output(target, "one")
        assert target.stat().st_mode & 0o777 == 0o640
        target.chmod(0o604)
        write_output(target, "two")
        assert target.stat().st_mode & 0o777 == 0o604
    finally:
        os.umask(before)


@pytest.mark.parametrize("name", ["missing/out.json", "."])
def test_output_that_cannot_be_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot write"):
        write_output(tmp_path / name, "x")


def test_a_folder_that_is_there_is_filled_and_stays_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `-o .`: a shell may stand in it. Where a file cannot be moved, none is there."""
    monkeypatch.chdir(tmp_path)
    write_folder(Path(), {"a": "1", "b": "2"})
    assert sorted(path.name for path in Path().iterdir()) == ["a", "b"]
    with pytest.raises(OutputError, match="not empty; name a new folder"):
        write_folder(Path(), {"a": "3"})
    monkeypatch.chdir(tmp_path.parent)
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    rename = Path.rename

    def fails(path: Path, target: Path) -> Path:
        if path.name == "b":
            raise OSError(28, "No space left on device")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(OutputError, match="No space left"):
        write_folder(fresh, {"a": "1", "b": "2"})
    assert not list(fresh.iterdir())


def test_cache_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ECFIT_CACHE", "/dev/null/cache")
    paths.cache_dir.cache_clear()
    with pytest.raises(OutputError, match="set ECFIT_CACHE"):
        paths.cache_dir()


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in a container that is given a number for its user: ECFIT_CACHE does, and is named."""

    def none() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", none)
    monkeypatch.setattr(paths, "INSTALLED", True)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("ECFIT_CACHE", str(tmp_path / "mine"))
    paths.cache_dir.cache_clear()
    assert paths.cache_dir() == tmp_path / "mine"
    monkeypatch.delenv("ECFIT_CACHE")
    paths.cache_dir.cache_clear()
    with pytest.raises(OutputError, match=r"^the cache folder cannot be written: set ECFIT_CACHE"):
        paths.cache_dir()


def as_seen_by(monkeypatch: pytest.MonkeyPatch, package: Path, folder: Path, *modes: int) -> None:
    """The code is in `package`, the cache in `folder`; the modes are theirs and their parents'."""
    for path, mode in zip((package.parent, package, folder.parent, folder), modes, strict=True):
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(mode)
    monkeypatch.setattr(paths, "PACKAGE", package)
    monkeypatch.setattr(paths, "ROOT", package.parent)
    monkeypatch.setenv("ECFIT_CACHE", str(folder))
    for function in (paths.cache_dir, paths._trusted, paths._is_private):
        function.cache_clear()


@pytest.fixture
def forget() -> Iterator[None]:
    """Nothing that a test has made up about users stays."""
    yield
    paths._trusted.cache_clear()
    paths._is_private.cache_clear()


def test_who_owns_the_code_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget: None
) -> None:
    """As root in a container, with the checkout of another user and a cache of theirs in it."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    tree, folder = tmp_path / "tree", tmp_path / "tree" / ".cache" / "ecfit"
    as_seen_by(monkeypatch, tree / "ecfit", folder, 0o755, 0o755, 0o755, 0o755)
    os.chown(folder, 1234, 1234)
    with pytest.raises(OutputError, match=f"{folder} belongs to user 1234: 'chown 0 {folder}'"):
        paths.cache_dir()
    os.chown(tree / "ecfit", 1234, 1234)
    paths._trusted.cache_clear()
    assert paths.cache_dir() == folder


@pytest.mark.parametrize("mode", [0o755, 0o775, 0o777])
def test_a_cache_in_the_checkout_may_be_as_open_as_the_checkout(
    mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget: None
) -> None:
    """As on runners whose clones are open to all: who can write the code needs no cache."""
    tree, folder = tmp_path / "tree", tmp_path / "tree" / ".cache" / "ecfit"
    monkeypatch.setattr(pwd, "getpwuid", lambda _: (_ for _ in ()).throw(KeyError()))
    as_seen_by(monkeypatch, tree / "ecfit", folder, mode, mode, mode, mode)
    assert paths.cache_dir() == folder
    tree.chmod(0o755)
    paths.cache_dir.cache_clear()
    if mode != 0o755:
        with pytest.raises(OutputError, match=f"others can write {folder}"):
            paths.cache_dir()
    outside = tmp_path / "elsewhere" / "cache"
    as_seen_by(monkeypatch, tree / "ecfit", outside, mode, mode, 0o755, 0o777)
    with pytest.raises(OutputError, match=f"others can write {outside}"):
        paths.cache_dir()


@pytest.mark.parametrize(
    ("group", "good"),
    [(("me", [], 0), True), (("me", ["me"], 0), True), (("me", ["you"], 0), False),
     (("users", [], 0), False), (("me", [], 1), False)],
)  # fmt: skip
def test_a_group_of_ones_own_may_write(
    group: tuple[str, list[str], int],
    good: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    forget: None,
) -> None:
    """Debian and Fedora make one for each user, with a umask of 002."""
    folder = tmp_path / "home" / "cache"
    as_seen_by(monkeypatch, tmp_path / "code" / "ecfit", folder, 0o755, 0o755, 0o775, 0o775)
    name, members, apart = group
    user = SimpleNamespace(pw_name="me", pw_gid=folder.stat().st_gid + apart)
    entry = SimpleNamespace(gr_name=name, gr_mem=members)
    monkeypatch.setattr(pwd, "getpwuid", lambda _: user)
    monkeypatch.setattr(grp, "getgrgid", lambda _: entry)
    if good:
        assert paths.cache_dir() == folder
    else:
        with pytest.raises(OutputError, match="others can write"):
            paths.cache_dir()


def test_the_umask_does_not_open_the_cache(cache: Path) -> None:
    """What is written under a umask of 0 is read again."""
    before = os.umask(0)
    try:
        Store().put_image(IMAGE)
    finally:
        os.umask(before)
    assert Store().image(IMAGE.key) == IMAGE
    for path in (cache, *cache.rglob("*")):
        assert path.stat().st_mode & 0o022 == 0


def test_what_says_whether_a_result_is_right_is_part_of_the_key() -> None:
    """Every oracle that the cases of a run ask, directly or by way of another."""
    asked, waiting = set[str](), ["run/cases", "../ecfit_lab/message/operations"]
    while waiting:
        name = waiting.pop()
        assert name in OWN_CODE
        tree = ast.parse((paths.PACKAGE / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "ecfit.oracle":
                oracles = {f"oracle/{alias.name}" for alias in node.names} - asked
                asked |= oracles
                waiting += oracles
    assert len(asked) >= 5
