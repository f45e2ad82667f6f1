"""The server on Go's crypto/tls, which has the hybrid groups: built once, when it is needed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from ecfit.errors import MissingToolError
from ecfit.model import digest
from ecfit.paths import DATA, cache_dir

SOURCE = DATA / "server" / "main.go"
NEEDED = "1.24"  # which has X25519MLKEM768


def check() -> None:
    """Whether it can be built. Errors: MissingToolError."""
    if shutil.which("go") is None:
        raise MissingToolError(
            f"go is not installed: it builds the server with hybrid groups (Go {NEEDED} or later)"
        )


def built() -> Path:
    """The program. Errors: MissingToolError, also when Go is too old."""
    check()
    folder = cache_dir() / "servers"
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / f"go-{digest(SOURCE.read_text(encoding='utf-8'))[:16]}"
    if program.is_file():
        return program
    made = program.with_suffix(f".{os.getpid()}")
    command = ["go", "build", "-o", str(made), str(SOURCE)]
    settings = {"GOTOOLCHAIN": "local", "CGO_ENABLED": "0"}
    env = {**os.environ, **settings}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=env)
    if done.returncode:
        told = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
        raise MissingToolError(f"go does not build the server (Go {NEEDED} or later): {told}")
    made.replace(program)
    return program
