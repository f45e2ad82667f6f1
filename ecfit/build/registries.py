"""Archives of packages, fetched by name and version through the registries' own clients: cargo,
and apt-get for source packages of Debian. Only this module starts a fetcher.

What comes is not trusted: fetch checks its SHA-256.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from ecfit.choices.peers import Package
from ecfit.errors import MissingToolError, PackageError

FETCH_TIMEOUT = 300  # seconds
APT = Path("/etc/apt")  # where the machine's own list of archives is


def archive(package: Package, folder: Path) -> Path:
    """The package's archive: from its client's cache, else fetched, perhaps to `folder`.
    Errors: PackageError, MissingToolError.
    """
    return _debian(package, folder) if package.registry == "debian" else _cargo(package)


def _cannot_be_had(package: Package, reason: str) -> PackageError:
    return PackageError(f"package {package.name} {package.version} cannot be had: {reason}")


def _start(command: list[str], folder: Path | str, **environment: str) -> str:
    """Starts a client in a folder. Returns the reason why it failed,
    "" when it did not. Errors: MissingToolError.
    """
    client = command[0]
    if shutil.which(client) is None:
        advice = {"cargo": "install the package cargo"}.get(client, "only Debian's family has it")
        raise MissingToolError(f"{client}, which fetches the code of peers, not found: {advice}")
    # A sanitizer's runtime, which is loaded into this process, is not for the client.
    inherited = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**inherited, **environment},
            capture_output=True,
            text=True,
            timeout=FETCH_TIMEOUT,
            check=False,
            input="",
        )
    except subprocess.TimeoutExpired:
        return f"{client} did not end within {FETCH_TIMEOUT} s"
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()] or [
        f"exit code {done.returncode}"
    ]
    error = next((line for line in lines if line.startswith(("error", "E: "))), lines[-1])
    advice = "; type: rustup default stable" if "rustup" in error else ""
    return error.removeprefix("error: ").removeprefix("E: ") + advice


def _cargo(package: Package) -> Path:
    """The .crate file: from cargo's own cache, else fetched by cargo.
    Errors: PackageError, MissingToolError.
    """
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    pattern = f"registry/cache/*/{package.name}-{package.version}.crate"
    reason = ""
    for fetch in (None, _cargo_info, _cargo_fetch):
        if fetch is not None:
            reason = reason or fetch(package)
        crates = sorted(home.glob(pattern))
        if crates:
            return crates[0]
    raise _cannot_be_had(package, reason or "cargo left no archive")


def _cargo_info(package: Package) -> str:
    """Asks cargo about the package, which makes it fetch the archive. Returns why not;
    "" when cargo is too old to.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = ["cargo", "info", "--quiet", f"{package.name}@{package.version}"]
        reason = _start(command, folder)
    return "" if re.search(r"no such (sub)?command", reason) else reason


def _cargo_fetch(package: Package) -> str:
    """Fetches a package that depends on this one, because cargo before 1.82 has no other way.
    Before 1.68, an option of cargo selects the quick index.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "Cargo.toml").write_text(
            '[package]\nname = "fetch"\nversion = "0.0.0"\n[lib]\npath = "lib.rs"\n'
            f'[dependencies]\n{package.name} = "={package.version}"\n'
        )
        Path(folder, "lib.rs").touch()
        command = ["cargo", "fetch", "--quiet", "-Z", "sparse-registry"]
        return _start(command, folder, RUSTC_BOOTSTRAP="1")


def _debian(package: Package, folder: Path) -> Path:
    """The archive of the original authors in a source package, fetched to `folder`.

    Asks the archives that this machine installs from, but keeps list and state in `folder`:
    nothing of the machine changes, and no rights are needed. Errors: PackageError,
    MissingToolError.
    """
    lists = folder / "apt"
    for part in ("lists/partial", "cache/archives/partial", "sources"):
        (lists / part).mkdir(parents=True)
    for path in (APT / "sources.list", *sorted((APT / "sources.list.d").glob("*"))):
        if path.suffix in (".list", ".sources") and path.is_file():
            text = path.read_text("utf-8", errors="replace")
            (lists / "sources" / path.name).write_text(source_lines(text), "utf-8")
    options = {
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": lists / "sources",
        "Dir::State::Lists": lists / "lists",
        "Dir::Cache": lists / "cache",
        "APT::Sandbox::User": "",  # who else could not write to the folder
    }
    client = ["apt-get", "-qq", *(f"-o{name}={value}" for name, value in options.items())]
    reason = _start([*client, "update"], folder)  # one archive of many may fail: go on
    wanted = ["source", "--download-only", "--tar-only", package.name]
    reason = _start([*client, *wanted], folder) or reason
    pattern = f"{package.name}_{package.version}.orig.tar.*"
    archives = sorted(folder.glob(pattern))
    if not archives:
        others = ", ".join(path.name for path in folder.glob("*.orig.tar.*"))
        raise _cannot_be_had(
            package, f"this distribution has {others}" if others else reason or "no such archive"
        )
    return archives[0]


def source_lines(text: str) -> str:
    """A list of archives, of either form, that asks for sources instead of programs."""
    text = re.sub(r"^deb(?=\s)", "deb-src", text, flags=re.MULTILINE)
    return re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.MULTILINE | re.IGNORECASE)
