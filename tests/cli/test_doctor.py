"""`ecfit doctor`: what it calls ok runs."""

from __future__ import annotations

import json
import os
from pathlib import Path

from workshop.cli.run import Ecfit


def test_a_program_that_does_not_run_is_not_ok(ecfit: Ecfit, tmp_path: Path) -> None:
    """As cargo of rustup without a default toolchain."""
    cargo = tmp_path / "cargo"
    cargo.write_text("#!/bin/sh\necho 'error: rustup could not choose' >&2\nexit 1\n")
    cargo.chmod(0o755)
    done = ecfit("doctor", "--format", "json", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    row = next(row for row in json.loads(done.out) if row["what"] == "cargo")
    assert (row["state"], row["found"]) == ("absent", str(cargo))
    assert (
        row["advice"] == "does not run: error: rustup could not choose; type: rustup default stable"
    )
