"""Other states of this project: a folder with a checkout, or a revision of a git repository,
and its own bench, run as a command of its own with its own package, library and simulator.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ecfit.errors import BuildError, EcfitError, MissingToolError, UsageError
from ecfit.paths import SIM, cache_dir, is_kept, make_folder

PARTS = ("ecfit/cli.py", "lib/knobs.toml", "sim/Makefile")  # what makes a folder a checkout
MAIN = "from ecfit.cli import main; main()"
REVISIONS = "revisions"


def checkout(name: str, beside: Path) -> Path:
    """The folder of that name, or of that revision, unpacked into the cache, of the repository
    that holds the folder `beside`. Errors: UsageError, MissingToolError.
    """
    folder = Path(name)
    if not folder.is_dir():
        folder = _revision(name, beside)
    if missing := [part for part in PARTS if not (folder / part).exists()]:
        raise UsageError(f"{name} is no checkout of ecfit: it has no {missing[0]}")
    return folder.resolve()


def commit(name: str, folder: Path) -> str:
    """What a checkout is called: its name, and where it is a work tree, its commit."""
    if Path(name).is_dir():
        done = _git("-C", str(folder), "describe", "--always", "--dirty", "--exclude=*")
    else:
        return f"{name} ({folder.name[:10]})"
    return f"{name} ({done.stdout.strip()})" if done.returncode == 0 else name


def records(folder: Path, options: Sequence[str]) -> bytes:
    """The records, as JSON, that the bench of a checkout measures with these options. Errors:
    EcfitError if it fails.
    """
    environment = {**os.environ, "PYTHONPATH": str(folder), "ECFIT_CACHE": str(cache_dir())}
    environment |= _simulator(folder)
    with tempfile.TemporaryDirectory(prefix="records-", dir=cache_dir()) as scratch:
        result = Path(scratch) / "records.json"
        command = [sys.executable, "-P", "-c", MAIN, "bench", *options]
        command += ["--format", "json", "-o", str(result)]
        code = subprocess.run(command, env=environment, check=False).returncode
        if result.is_file():  # rows that failed are in it
            return result.read_bytes()
    error = EcfitError(f"the bench of {folder} ended with exit code {code}: see above")
    error.exit_code = code or 1
    raise error


def _simulator(folder: Path) -> dict[str, str]:
    """Which simulator: ours where the sources are the same, else its own, built.
    Errors: BuildError.
    """
    if _sources(folder / "sim") == _sources(SIM) and (SIM / "libecsim.so").is_file():
        return {"ECFIT_LIBECSIM": str(SIM / "libecsim.so")}
    try:
        done = subprocess.run(
            ["make", "-C", str(folder / "sim"), "all"],
            capture_output=True,
            text=True,
            check=False,
            umask=0o022,
        )
    except OSError:
        raise MissingToolError("make not found: install the package make") from None
    if done.returncode:
        message = (done.stderr.splitlines() or ["no message"])[0]
        raise BuildError(f"the simulator of {folder} does not build: {message}")
    return {"ECFIT_LIBECSIM": str(folder / "sim" / "libecsim.so")}


def _sources(folder: Path) -> dict[str, bytes]:
    files = [folder / "Makefile", *folder.glob("*.h"), *(folder / "src").rglob("*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files if path.is_file()}


def _git(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["git", *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            check=False,
            umask=0o022,  # nobody else writes into what is unpacked
        )
    except OSError:
        raise MissingToolError("git not found: install the package git") from None


def _revision(name: str, beside: Path) -> Path:
    """A revision in the cache, by its hash; the repository is not changed. Errors: UsageError."""
    where = ("-C", str(beside))
    parsed = _git(
        *where, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
    )
    if parsed.returncode:
        raise UsageError(
            f"{name} cannot be read: it is neither a file of records, nor a folder, nor a revision "
            f"of the git repository at {beside.resolve()} (in CI: fetch-depth: 0)"
        )
    folder = cache_dir() / REVISIONS / parsed.stdout.strip()
    make_folder(folder.parent)
    with tempfile.TemporaryDirectory(prefix="unpack-", dir=folder.parent) as scratch:
        index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        tree = Path(scratch) / "tree"
        top = ("-C", _git(*where, "rev-parse", "--show-toplevel").stdout.strip())
        _step(name, *top, "read-tree", folder.name, **index)
        if _is_unchanged(folder, top, index):
            return folder
        _step(name, *top, "checkout-index", "--all", f"--prefix={tree}/", **index)
        with suppress(FileNotFoundError):
            folder.rename(Path(scratch) / "changed")
        try:
            tree.rename(folder)
        except OSError:
            if not folder.is_dir():  # another process was first
                raise
    return folder


def _step(name: str, *arguments: str, **environment: str) -> None:
    """A step of git's. Errors: UsageError."""
    done = _git(*arguments, **environment)
    if done.returncode:
        raise UsageError(f"{name} cannot be unpacked: {done.stderr.strip()}")


def _is_unchanged(folder: Path, top: Sequence[str], index: Mapping[str, str]) -> bool:
    """Whether a folder is there with all files of an index as they were committed, and no others
    but those that git ignores, as the simulator built there. Git reads each file: its index is new.
    """
    if not is_kept(folder / PARTS[0]):
        return False
    at = (*top, f"--work-tree={folder}")
    _git(*at, "update-index", "-q", "--refresh", **index)
    more = _git(*at, "ls-files", "--others", "--exclude-standard", **index)
    return not more.stdout and _git(*at, "diff-files", "--quiet", **index).returncode == 0
