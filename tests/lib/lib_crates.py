"""Files out of a published crate: fetched once by name and version, checked by hash, unpacked into the cache."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tarfile
from pathlib import Path

from lib_paths import CACHE

FETCH_SECONDS = 300


def crate_file(name: str, version: str, sha256: str, inner: str) -> Path:
    """Path of the unpacked file `inner` (relative to the crate's root). RuntimeError when it cannot be had."""
    target = CACHE / f"{name}-{version}" / inner
    if not target.exists():
        archive = _archive(name, version)
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != sha256:
            raise RuntimeError(f"{name} {version}: expected SHA-256 {sha256}, got {found}")
        with tarfile.open(archive) as tar:
            member = tar.extractfile(f"{name}-{version}/{inner}")
            if member is None:
                raise RuntimeError(f"{name} {version}: {inner} is not a file")
            data = member.read()
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f"{target.name}.{os.getpid()}")
        partial.write_bytes(data)
        partial.replace(target)
    return target


def _archive(name: str, version: str) -> Path:
    """The .crate as cargo's own client downloads it."""
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    pattern = f"registry/cache/*/{name}-{version}.crate"
    if not list(home.glob(pattern)):
        command = ["cargo", "info", f"{name}@{version}"]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=FETCH_SECONDS, cwd="/")
        except (OSError, subprocess.SubprocessError) as error:
            raise RuntimeError(f"cannot fetch crate {name} {version}: `{' '.join(command)}`: {error}") from error
    archives = list(home.glob(pattern))
    if not archives:
        raise RuntimeError(f"cargo did not leave {name} {version} under {home}")
    return archives[0]
