"""Damaged messages: a moment of tools/fuzz/fuzz_messages.py; sweep `fuzz-messages` takes longer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "tools" / "fuzz" / "fuzz_messages.py"


@pytest.mark.parametrize("kind", ["json", "cbor"])
def test_damaged_messages_end_well(kind: str) -> None:
    command = [sys.executable, str(SCRIPT), kind, "1", "7"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"fuzz: {kind} messages, seed 7: ")
    assert "wrong signature" in done.stdout
