"""Unpacking of packages: whole or not at all, and never outside the folder."""

from __future__ import annotations

import hashlib
import io
import lzma
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ecfit import paths
from ecfit.build import fetch, registries
from ecfit.choices.peers import Inside, Package
from ecfit.errors import HashMismatchError, MissingToolError, PackageError


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The cache is the test's folder."""
    monkeypatch.setenv("ECFIT_CACHE", str(tmp_path))
    paths.cache_dir.cache_clear()
    yield
    paths.cache_dir.cache_clear()


def unpack(path: Path, folder: Path) -> None:
    fetch._unpack(fetch.Archive(path.name, path.read_bytes()), folder)


def archive(path: Path, names: list[str]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 4
            tar.addfile(member, io.BytesIO(b"code"))
    return path


def test_unpack(tmp_path: Path) -> None:
    folder = tmp_path / "packages" / "x"
    unpack(archive(tmp_path / "x.crate", ["x-1.0/a.c", "x-1.0/sub/b.h"]), folder)
    assert (folder / "sub" / "b.h").read_bytes() == b"code"
    assert (folder / ".complete").is_file()
    assert [path.name for path in folder.parent.iterdir()] == ["x"]


def test_unpack_leaves_a_complete_folder_alone(tmp_path: Path) -> None:
    """Two rows of a command may fetch one package at once:
    the second must not pull it from under the first.
    """
    folder = tmp_path / "packages" / "x"
    unpack(archive(tmp_path / "x.crate", ["x-1.0/a.c"]), folder)
    first = (folder / "a.c").stat().st_ino
    unpack(tmp_path / "x.crate", folder)
    assert (folder / "a.c").stat().st_ino == first
    (folder / ".complete").unlink()
    unpack(tmp_path / "x.crate", folder)
    assert (folder / ".complete").is_file()


@pytest.mark.parametrize("names", [["../evil"], ["/evil"], ["x/../../evil"], ["x/a", "y/b"], []])
def test_archives_that_are_refused(names: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "packages" / "x"
    with pytest.raises(PackageError) as caught:
        unpack(archive(tmp_path / "x.crate", names), folder)
    assert "\n" not in str(caught.value)
    assert list(folder.parent.iterdir()) == []
    assert not (tmp_path / "evil").exists()


def test_damaged_archive(tmp_path: Path) -> None:
    path = archive(tmp_path / "x.crate", ["x/a"])
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(PackageError, match="cannot be unpacked"):
        unpack(path, tmp_path / "packages" / "x")


@pytest.mark.parametrize("most", [{"MOST_MEMBERS": 2}, {"MOST_BYTES": 11}])
def test_archives_beyond_all_bounds(
    most: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are left before what is too much is read: a bomb is small on disk."""
    for name, value in most.items():
        monkeypatch.setattr(fetch, name, value)
    folder = tmp_path / "packages" / "x"
    with pytest.raises(PackageError, match="holds more than"):
        unpack(archive(tmp_path / "x.crate", ["x/a", "x/b", "x/c"]), folder)
    assert list(folder.parent.iterdir()) == []


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wrapped(inner: Path, outer: Path, member: str = "x-1.0/code.tar.gz") -> Path:
    """An archive with an archive inside."""
    with tarfile.open(outer, "w:gz") as tar:
        tar.add(inner, member)
    return outer


def fetched(outer: Path, inside: Inside, monkeypatch: pytest.MonkeyPatch, pinned: str = "") -> Path:
    """Where the archive inside an archive is unpacked."""
    monkeypatch.setattr(registries, "archive", lambda package, folder: outer)
    package = Package("cargo", "x", "1.0", pinned or sha256(outer), inside)
    return fetch.package_folder("mine", package)


def test_archive_inside_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = archive(tmp_path / "inner", ["code/a.c", "code/sub/b.h"])
    outer = wrapped(inner, tmp_path / "outer")
    inside = Inside("code.tar.gz", sha256(inner))
    folder = fetched(outer, inside, monkeypatch)
    assert (folder / "sub" / "b.h").read_bytes() == b"code"
    assert folder.name == f"x-1.0-{inside.sha256[:16]}"
    outer.unlink()
    assert fetched(outer, inside, monkeypatch, pinned="0" * 64) == folder  # is there already


@pytest.mark.parametrize("wrong", ["outer", "inner", "path"])
def test_archive_inside_an_archive_that_is_not_the_pinned_one(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = archive(tmp_path / "inner", ["code/a.c"])
    outer = wrapped(inner, tmp_path / "outer")
    inside = Inside(
        "other.tar.gz" if wrong == "path" else "code.tar.gz",
        "1" * 64 if wrong == "inner" else sha256(inner),
    )
    message = {
        "outer": "mine: package x 1.0 has SHA-256",
        "inner": "code.tar.gz in it, has SHA-256",
        "path": "holds no file other.tar.gz",
    }[wrong]
    with pytest.raises(PackageError, match=message) as caught:
        fetched(outer, inside, monkeypatch, pinned="2" * 64 if wrong == "outer" else "")
    assert isinstance(caught.value, HashMismatchError) == (wrong != "path")
    assert not list(tmp_path.glob("packages/*"))


def test_archive_inside_an_archive_stays_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = archive(tmp_path / "inner", ["code/a.c", "code/../../evil"])
    outer = wrapped(inner, tmp_path / "outer")
    with pytest.raises(PackageError, match="outside its folder"):
        fetched(outer, Inside("code.tar.gz", sha256(inner)), monkeypatch)
    assert not list(tmp_path.rglob("evil"))
    outer = wrapped(inner, tmp_path / "outer", "../code.tar.gz")
    with pytest.raises(PackageError, match="outside its folder"):
        fetched(outer, Inside("code.tar.gz", sha256(inner)), monkeypatch)


def test_damaged_archives_of_every_form(tmp_path: Path) -> None:
    """Each gives an error of one line, whatever the decompressor raises. A few are still whole."""
    plain = tmp_path / "plain.tar"
    with tarfile.open(plain, "w") as tar:
        tar.add(archive(tmp_path / "x.crate", ["x/a"]), "x/a")
    ends = []
    for whole in (lzma.compress(plain.read_bytes()), (tmp_path / "x.crate").read_bytes()):
        for cut in range(0, len(whole), 7):
            path = tmp_path / "x.tar"
            path.write_bytes(whole[:cut] + whole[cut + 5 :])
            try:
                unpack(path, tmp_path / "packages" / "x")
            except PackageError as error:
                ends.append(str(error))
    assert len(ends) > 20
    assert all(end.startswith("x.tar") and "\n" not in end for end in ends), ends


LISTS = """Types: deb
URIs: http://example.org/debian
# deb of another day
deb http://example.org/debian stable main
deb-src http://example.org/debian stable main
deb [arch=amd64] http://example.org/x y
"""


def test_lists_of_archives_ask_for_sources() -> None:
    found = registries.source_lines(LISTS).splitlines()
    assert found[0] == "Types: deb-src"
    assert found[1:3] == LISTS.splitlines()[1:3]
    assert [line.split()[0] for line in found[3:]] == ["deb-src"] * 3


APT = """#!/bin/sh
case "$*" in
*update*) echo "E: no network" >&2; exit 100 ;;
*source*) touch "{there}"; [ -n "{there}" ] || {{ echo "E: nothing" >&2; exit 100; }} ;;
esac
"""


@pytest.mark.parametrize(
    ("there", "message"),
    [
        ("some_1.2.orig.tar.xz", ""),
        ("some_1.3.orig.tar.xz", "this distribution has some_1.3.orig.tar.xz"),
        ("", "cannot be had: nothing"),
    ],
)
def test_source_packages_of_debian(
    there: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive whose list cannot be had is no matter while the package comes."""
    client = tmp_path / "bin" / "apt-get"
    client.parent.mkdir()
    client.write_text(APT.format(there=there))
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{client.parent}:/usr/bin:/bin")
    package = Package("debian", "some", "1.2", "0" * 64)
    folder = tmp_path / "scratch"
    folder.mkdir()
    if message:
        with pytest.raises(PackageError, match=message):
            registries.archive(package, folder)
    else:
        assert registries.archive(package, folder) == folder / there


def test_a_machine_without_the_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingToolError, match="apt-get, which fetches the code of peers"):
        registries.archive(Package("debian", "some", "1.2", "0" * 64), tmp_path)


def test_a_client_does_not_load_what_python_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sweep `san` in a new clone: cargo died of the sanitizer's runtime that Python had loaded."""
    client = tmp_path / "cargo"
    client.write_text('#!/bin/sh\necho "error: loaded <$LD_PRELOAD>" >&2; exit 1\n')
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    monkeypatch.setenv("LD_PRELOAD", str(tmp_path / "runtime.so"))
    with pytest.raises(PackageError, match="loaded <>"):
        registries.archive(Package("cargo", "some", "1.2", "0" * 64), tmp_path)
