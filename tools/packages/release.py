#!/usr/bin/env python3
"""Make what is released of the commit that is checked out, the same bytes wherever it is made.

tools/packages/release.py FOLDER                      everything, into a new folder
tools/packages/release.py FOLDER --only NAME..        some of: source wheel wheels crates amalgams
                                                      arduino

Times are that of the commit, names are sorted, no file knows where it was made. The wheel is for
Linux on x86-64; the wheels are for Linux on AArch64 and for macOS, whose simulator nobody has run
here. zig compiles all of them.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import ecfit
from ecfit import __version__
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import header, resolve
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.commands.config import amalgam_line
from ecfit.ship.amalgam import CONFIG
from ecfit.ship.delivery import About, delivery
from tools.packages import arduino

ROOT = Path(__file__).resolve().parents[2]
USUAL = ("secp256r1", "secp384r1", "secp256k1", "x25519", "ed25519")
CHIPS = ("samd20", "nrf52840", "esp32c3", "host")  # three kinds of assembly; portable C
NAME = f"ecfit-{__version__}"
SUMS = "SHA256SUMS"
WHEELS = (  # as setup.py makes them
    "manylinux_2_17_x86_64", "manylinux_2_17_aarch64", "macosx_11_0_x86_64", "macosx_11_0_arm64",
)  # fmt: skip


class CannotError(Exception):
    """What keeps a release from being made, in one line."""


class Release:
    """A commit: its time, and its files in a folder of their own."""

    def __init__(self, scratch: Path) -> None:
        self.time = int(_said("git", "log", "-1", "--format=%ct"))
        self.archive = subprocess.run(
            ["git", "archive", "--format=tar", f"--prefix={NAME}/", "HEAD"],
            cwd=ROOT, capture_output=True, check=True,
        ).stdout  # fmt: skip
        with tarfile.open(fileobj=io.BytesIO(self.archive)) as tar:
            tar.extractall(scratch, filter="tar")
        self.scratch, self.source = scratch, scratch / NAME

    def run(self, *command: object, cwd: Path, **variables: str) -> None:
        """A command whose clock stands still. Errors: CannotError."""
        words = [str(word) for word in command]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(self.time), **variables}
        try:
            done = subprocess.run(
                words, cwd=cwd, env=environment, capture_output=True, text=True, check=False
            )
        except OSError:
            raise CannotError(f"{words[0]} not found") from None
        if done.returncode:
            raise CannotError(f"{' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}")


def _said(*command: str) -> str:
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def packed(data: bytes) -> bytes:
    """gzip without a name and a time."""
    return gzip.compress(data, mtime=0)


def tarred(files: Mapping[str, bytes], seconds: int) -> bytes:
    """A tar archive of files, in the order of their names."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), seconds, 0o644
            tar.addfile(entry, io.BytesIO(data))
    return packed(out.getvalue())


def zipped(files: Mapping[str, bytes], seconds: int) -> bytes:
    """A zip archive of files, in the order of their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


# ---- the pieces: name and bytes of each file -----------------------------------------------------

Files = Iterator[tuple[str, bytes]]


def source(release: Release) -> Files:
    """All of the commit."""
    yield f"{NAME}.tar.gz", packed(release.archive)


def wheel(release: Release) -> Files:
    """The Python package, with the simulator compiled."""
    yield from _wheel(release, WHEELS[0])


def wheels(release: Release) -> Files:
    """The same for other machines."""
    for tag in WHEELS[1:]:
        yield from _wheel(release, tag)


def _wheel(release: Release, tag: str) -> Files:
    folder = release.scratch / tag
    release.run(
        sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps",
        "--disable-pip-version-check", "-w", folder, release.source, cwd=release.scratch,
        ECFIT_WHEEL=tag,
    )  # fmt: skip
    yield from _found(folder, "*.whl")


def fill_crates(crates: Path, tree: Path) -> None:
    """Copies into the crates what a checkout has beside them: the library's sources and headers,
    the header of its configuration, the licence. No link is needed, which Windows lacks.
    """
    system = crates / "ecfit-sys"
    for name in ("include", "src"):
        shutil.copytree(tree / "lib" / name, system / "lib" / name)
    (system / "config").mkdir()
    shutil.copy(tree / "packages" / "include" / "ecfit_config.h", system / "config")
    for crate in ("ecfit-sys", "ecfit"):
        shutil.copy(tree / "LICENSE", crates / crate)


def crates(release: Release) -> Files:
    """The crates of Rust."""
    target = release.scratch / "target"
    rust = release.source / "packages" / "rust"
    archives = release.source / "tools" / "packages" / "archives.py"
    release.run(sys.executable, archives, rust / "ecfit-sys" / "archives", cwd=release.source)
    fill_crates(rust, release.source)
    release.run(
        "cargo", "package", "--workspace", "--no-verify", "--target-dir", target,
        cwd=rust,
    )  # fmt: skip
    yield from _found(target / "package", "*.crate")


def _found(folder: Path, pattern: str) -> Files:
    for path in sorted(folder.glob(pattern)):
        yield path.name, path.read_bytes()


def amalgams(release: Release) -> Files:
    """One file of C for each chip, usual curve and preset."""
    files = {}
    for chip in CHIPS:
        for curve in USUAL:
            for preset in all_presets():
                for name, text in amalgam_files(chip, curve, preset).items():
                    files[f"{NAME}-amalgams/{chip}/{curve}/{preset}/{name}"] = text.encode()
    yield f"{NAME}-amalgams.tar.gz", tarred(files, release.time)


def amalgam_files(chip: str, curve: str, preset: str) -> dict[str, str]:
    """The files of `ecfit amalgamate`, but for what it measures."""
    target = find_target(chip)
    text = header(resolve(CURVES[curve], preset, {}, target.backend), [curve])
    words = ["ecfit", "amalgamate", "--target", chip, "--curve", curve, "--op", "all"]
    made_by = " ".join([*words, "--preset", preset, "-o", "DIR"])
    about = About({curve: CURVES[curve].ops}, target, made_by, amalgam_line(target, text))
    return delivery({CONFIG: text}, about, {})


def arduino_library(release: Release) -> Files:
    """The library of Arduino, for its `Add .ZIP Library`."""
    files = {f"ecfit/{name}": data for name, data in arduino.library().items()}
    yield f"{NAME}-arduino.zip", zipped(files, release.time)


PIECES: dict[str, Callable[[Release], Files]] = {
    "source": source,
    "amalgams": amalgams,
    "arduino": arduino_library,
    "crates": crates,
    "wheel": wheel,
    "wheels": wheels,
}


def make(folder: Path, names: list[str]) -> None:
    """Writes the pieces and their checksums to a new folder. Errors: CannotError."""
    if folder.exists() and any(folder.iterdir()):
        raise CannotError(f"{folder} is there and not empty: remove it, or name another folder")
    if Path(ecfit.__file__).resolve().parent.parent != ROOT:
        raise CannotError(f"Python takes ecfit from elsewhere: PYTHONPATH={ROOT}")
    if _said("git", "status", "--porcelain"):
        raise CannotError("a release is made of a commit: commit what is changed first")
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix="ecfit-release-") as scratch:
        release = Release(Path(scratch))
        made = {name: data for piece in names for name, data in PIECES[piece](release)}
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(made.items())}
    made[SUMS] = "".join(f"{value}  {name}\n" for name, value in sums.items()).encode()
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in made.items():
        (folder / name).write_bytes(data)
        print(f"release: {folder / name}, {len(data):,} bytes")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Make what is released of this commit.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=PIECES, default=list(PIECES))
    arguments = parser.parse_args()
    try:
        make(arguments.folder, arguments.only)
    except CannotError as error:
        sys.exit(f"release: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"release: {' '.join(error.cmd)}: {error.stderr}")


if __name__ == "__main__":
    main()
