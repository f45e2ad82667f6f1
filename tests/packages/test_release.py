"""A release twice, in two folders: the same bytes, and no path of the machine in them; and what
docs/stability.md promises is what there is.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from ecfit import __version__
from tools.packages import interface, release
from workshop.devices.consumer import ROOT, WHOLE, copy_checkout, run

WHO = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
WHEN = {"GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z"}


@pytest.fixture(scope="module")
def checkouts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two clones of this checkout as it is, in folders with different names."""
    folder = tmp_path_factory.mktemp("release")
    first, second = copy_checkout(folder / "a"), folder / "another-folder" / "b"
    run("git", "init", "-q", first)
    run("git", "add", "-A", cwd=first)
    run("git", *WHO, "commit", "-q", "-m", "all", cwd=first, **WHEN)
    run("git", "clone", "-q", first, second)
    return [first, second]


def made(checkout: Path, *only: str) -> dict[str, bytes]:
    """The files of a release of this checkout: bytes by name."""
    words = ["--only", *only] if only else []
    path = f"{checkout}:{checkout / 'tools'}:{checkout / 'lib'}"
    run(sys.executable, "tools/packages/release.py", "dist", *words, cwd=checkout, PYTHONPATH=path)
    files = {path.name: path.read_bytes() for path in (checkout / "dist").iterdir()}
    run("sha256sum", "-c", "SHA256SUMS", cwd=checkout / "dist")
    run("rm", "-r", checkout / "dist")
    return files


def insides(name: str, data: bytes) -> dict[str, bytes]:
    """The files in an archive."""
    if name.endswith((".zip", ".whl")):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {one: archive.read(one) for one in archive.namelist()}
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        opened = ((one.name, tar.extractfile(one)) for one in tar.getmembers() if one.isfile())
        return {name: file.read() for name, file in opened if file}


def check(checkouts: list[Path], *only: str) -> dict[str, bytes]:
    """Made twice: the same; and nothing in it knows where."""
    first, second = (made(checkout, *only) for checkout in checkouts)
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
    for name, data in first.items():
        for one, text in insides(name, data).items() if name != release.SUMS else ():
            assert str(checkouts[0].parent).encode() not in text, one
            assert not re.search(rb"ecfit-release-\w{8}/", text), one
    return first


def test_the_same_bytes_twice(checkouts: list[Path]) -> None:
    """What takes no time: the source and the library of Arduino."""
    files = check(checkouts, "source", "arduino")
    assert {f"ecfit-{__version__}.tar.gz", f"ecfit-{__version__}-arduino.zip"} < set(files)


@WHOLE
def test_all_of_it_the_same_bytes_twice(checkouts: list[Path]) -> None:
    """But for wheels of other machines. The wheel is compiled twice, the crates packed twice."""
    files = check(checkouts, *(name for name in release.PIECES if name != "wheels"))
    names = " ".join(sorted(files))
    wheel, crate = f"-py3-none-{release.WHEELS[0]}.whl", f"ecfit-sys-{__version__}.crate"
    for part in (wheel, crate, "amalgams.tar.gz", release.SUMS):
        assert part in names
    amalgams = insides("x.tar.gz", files[f"ecfit-{__version__}-amalgams.tar.gz"])
    folders = {name.rpartition("/")[0] for name in amalgams}
    assert len(folders) == len(release.CHIPS) * len(release.USUAL) * 5


@WHOLE
def test_an_amalgam_is_that_of_the_command_line(tmp_path: Path) -> None:
    """But for the line that names the evidence, which the release leaves out."""
    ecfit = Path(sys.executable).parent / "ecfit"
    run(ecfit, "amalgamate", "--target", "samd20", "--curve", "x25519", "--preset", "tiny",
        "--op", "all", "-o", tmp_path / "out")  # fmt: skip
    for name, text in release.amalgam_files("samd20", "x25519", "tiny").items():
        theirs = (tmp_path / "out" / name).read_text(encoding="utf-8")
        if name != release.SUMS:
            assert text == theirs.replace("What was measured: evidence.md. ", ""), name


def test_it_is_made_of_a_commit_alone(checkouts: list[Path]) -> None:
    """What is not committed is in no release: one line says so, and nothing is written."""
    (checkouts[1] / "more").write_text("more", encoding="utf-8")
    path = f"{checkouts[1]}:{checkouts[1] / 'tools'}:{checkouts[1] / 'lib'}"
    done = subprocess.run(
        [sys.executable, "tools/packages/release.py", "dist"], cwd=checkouts[1],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": path}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "release: a release is made of a commit: commit what is changed first\n"
    assert not (checkouts[1] / "dist").exists()
    (checkouts[1] / "more").unlink()


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
    assert f"\n## {__version__}" in text
