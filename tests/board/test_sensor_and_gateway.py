"""The whole way: the emulated sensor signs, the gateway verifies and keeps."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.rigs.sensor_fleet import free_port

ECFIT = [sys.executable, "-c", "from ecfit.cli import main; main()"]
WANTED = 3


def kept(path: Path) -> list[dict[str, object]]:
    """What the gateway has written so far, whole lines: accepted, then refused."""
    files = [path, *sorted(Path(f"{path}.refused").glob("*.jsonl"))] if path.exists() else []
    lines = [line for file in files for line in file.read_text().splitlines(keepends=True)]
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


@contextmanager
def board(port: int, *options: str) -> Iterator[None]:
    """The emulated sensor, while it runs."""
    command = ["sensor", "--board", "mps2-an385", "--port", str(port), "--period", "1", *options]
    sensor = subprocess.Popen(
        [*ECFIT, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert sensor.stdout is not None
    try:
        lines = [sensor.stdout.readline()]
        while "answers at" not in lines[-1]:
            assert lines[-1], lines
            lines.append(sensor.stdout.readline())
        yield
    finally:
        sensor.send_signal(signal.SIGINT)
        sensor.wait(20)


FORMS = {"", "/cose", "/recovery"}


def until(path: Path, gateway: subprocess.Popen[bytes], boots: int) -> None:
    """Three readings of each boot are accepted, and each form has come."""
    end = time.monotonic() + 60
    while True:
        found = kept(path)
        seen = {str(one["sensor"]).rpartition("temperature")[2] for one in found}
        accepted = Counter(one["epoch"] for one in found if one["accepted"])
        if seen == FORMS and sum(count >= 3 for count in accepted.values()) >= boots:
            return
        assert gateway.poll() is None
        assert time.monotonic() < end, found
        time.sleep(0.05)


@contextmanager
def observing(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """The gateway, while it runs."""
    gateway = subprocess.Popen([*ECFIT, *command])
    try:
        yield gateway
    finally:
        gateway.terminate()
        assert gateway.wait(20) == 0


@pytest.mark.parametrize(
    ("curve", "stays"), [("secp192r1", False), pytest.param("ed25519", True, marks=pytest.mark.ci)]
)
def test_all_three_forms_and_a_sensor_that_starts_again(
    curve: str, stays: bool, tmp_path: Path
) -> None:
    """The gateway takes JSS, COSE and recovery of one board; then the board starts again, with
    the same key and the same ids: nothing is lost, and nothing is kept twice. `stays`: the gateway
    runs on, and asks again when it has heard nothing for too long.
    """
    keys, lines, port = tmp_path / "keys", tmp_path / "kept.jsonl", free_port()
    keys.mkdir()
    key, public = str(tmp_path / "key.pem"), str(keys / "attic.pem")
    own = ["keys", "--curve", curve, "--format", "pem", "-o", key]
    subprocess.run([*ECFIT, *own], check=True)
    options = ["--curve", curve, "--key", key, "--public", public, "--first-id", "7"]
    command = ["gateway", *(f"attic=coap://127.0.0.1:{port}/temperature{one}" for one in FORMS)]
    command += ["--keys", str(keys), "--lines", str(lines), "--quiet"]
    if stays:
        with observing(command) as gateway:
            for boot in range(2):
                with board(port, *options):
                    until(lines, gateway, boot + 1)
    else:
        for boot in range(2):
            with board(port, *options), observing(command) as gateway:
                until(lines, gateway, boot + 1)
    accepted = [one for one in kept(lines) if one["accepted"]]
    refused = {one["reason"] for one in kept(lines) if not one["accepted"]}
    assert refused <= {"already accepted"}
    names = [(one["epoch"], one["measurement"]) for one in accepted]
    assert len(names) == len(set(names))
    first, second = dict.fromkeys(epoch for epoch, _ in names)
    for epoch in (first, second):
        ids = sorted(int(str(number)) for one, number in names if one == epoch)
        assert ids == list(range(7, 7 + len(ids)))
