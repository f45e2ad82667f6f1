"""Runs the command line as a user does: in a process of its own, with a cache of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from workshop.cli.run import ADAPTER, ECFIT, PEER, TIMEOUT, Done, Ecfit, MakePeer


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests of a worker, so that images are built once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def ecfit(cache: Path) -> Ecfit:
    """Runs a command line: ecfit("bench", "--op", "ecdh", env={...})."""

    def run(*arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Done:
        environment = {**os.environ, "ECFIT_CACHE": str(cache), **(env or {})}
        environment.pop("NO_COLOR", None)
        done = subprocess.run(
            [*ECFIT, *arguments],
            capture_output=True,
            text=True,
            env=environment,
            cwd=cwd,
            timeout=TIMEOUT,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Done(done)

    return run


@pytest.fixture
def peer(tmp_path: Path) -> MakePeer:
    """Writes a peer whose operations run a piece of C; returns the value of --peer-dir."""

    def make(body: str, head: str = "", more: str = "") -> str:
        folder = tmp_path / "mine"
        folder.mkdir()
        (folder / "peer.toml").write_text(PEER.format(more=more), encoding="utf-8")
        (folder / "adapter.c").write_text(ADAPTER.format(head=head, body=body), encoding="utf-8")
        return f"mine={folder}"

    return make
