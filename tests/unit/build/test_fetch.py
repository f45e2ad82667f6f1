"""Unpacking of packages: whole or not at all, and never outside the folder."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from ecfit.build import fetch
from ecfit.errors import PackageError


def archive(path: Path, names: list[str]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 4
            tar.addfile(member, io.BytesIO(b"code"))
    return path


def test_unpack(tmp_path: Path) -> None:
    folder = tmp_path / "packages" / "x"
    fetch._unpack(archive(tmp_path / "x.crate", ["x-1.0/a.c", "x-1.0/sub/b.h"]), folder)
    assert (folder / "sub" / "b.h").read_bytes() == b"code"
    assert (folder / ".complete").is_file()
    assert [path.name for path in folder.parent.iterdir()] == ["x"]


def test_unpack_leaves_a_complete_folder_alone(tmp_path: Path) -> None:
    """Two rows of a command may fetch one package at once:
    the second must not pull it from under the first.
    """
    folder = tmp_path / "packages" / "x"
    fetch._unpack(archive(tmp_path / "x.crate", ["x-1.0/a.c"]), folder)
    first = (folder / "a.c").stat().st_ino
    fetch._unpack(tmp_path / "x.crate", folder)
    assert (folder / "a.c").stat().st_ino == first
    (folder / ".complete").unlink()
    fetch._unpack(tmp_path / "x.crate", folder)
    assert (folder / ".complete").is_file()


@pytest.mark.parametrize("names", [["../evil"], ["/evil"], ["x/../../evil"], ["x/a", "y/b"], []])
def test_archives_that_are_refused(names: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "packages" / "x"
    with pytest.raises(PackageError) as caught:
        fetch._unpack(archive(tmp_path / "x.crate", names), folder)
    assert "\n" not in str(caught.value)
    assert list(folder.parent.iterdir()) == []
    assert not (tmp_path / "evil").exists()


def test_damaged_archive(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.crate", ["x/a"])
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(PackageError, match="cannot be unpacked"):
        fetch._unpack(path, tmp_path / "packages" / "x")
