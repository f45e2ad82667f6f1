"""The whole way: the emulated sensor signs, the gateway verifies and keeps."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ECFIT = [sys.executable, "-c", "from ecfit.cli import main; main()"]
WANTED = 3


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def kept(path: Path) -> list[dict[str, object]]:
    """What the gateway has written so far, whole lines."""
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def test_readings_of_an_emulated_board_are_kept_once(tmp_path: Path) -> None:
    """In blocks of 64 bytes, killed in the middle; each measurement once, none left out."""
    keys, lines, port = tmp_path / "keys", tmp_path / "kept.jsonl", free_port()
    keys.mkdir()
    board = ["sensor", "--board", "mps2-an385", "--port", str(port), "--period", "1"]
    sensor = subprocess.Popen(
        [*ECFIT, *board, "--public", str(keys / "attic.pem")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert sensor.stdout is not None
    command = ["gateway", f"attic=coap://127.0.0.1:{port}/temperature", "--quiet"]
    command += ["--keys", str(keys), "--lines", str(lines)]
    try:
        line = sensor.stdout.readline()
        assert "answers at" in line, line
        for how in (signal.SIGKILL, signal.SIGTERM):
            before, until = len(kept(lines)), time.monotonic() + 60
            gateway = subprocess.Popen([*ECFIT, *command])
            while len(kept(lines)) < before + WANTED:
                assert gateway.poll() is None
                assert time.monotonic() < until
                time.sleep(0.05)
            gateway.send_signal(how)
            assert gateway.wait(20) == (0 if how == signal.SIGTERM else -signal.SIGKILL)
    finally:
        sensor.send_signal(signal.SIGINT)
        sensor.wait(20)
    accepted = [one for one in kept(lines) if one["accepted"]]
    numbers = [int(str(one["measurement"])) for one in accepted]
    assert len(numbers) == len(set(numbers)) >= 2 * WANTED - 1
    assert numbers[:WANTED] == list(range(numbers[0], numbers[0] + WANTED))
    assert {one["reason"] for one in kept(lines) if not one["accepted"]} <= {"already accepted"}
