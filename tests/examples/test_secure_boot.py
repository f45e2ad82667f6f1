"""examples/secure-boot: images that imgtool signed are booted, each attack is refused with
its own reason; on the simulator and on an emulated board.

ECFIT_BOOT=1 (make boot): all algorithms, chips and libraries.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

import fuzz_boot
import pytest
from boot_attacks import GENUINE, Attack, attacks
from boot_faults import TRIED, sweep
from secureboot import (
    ALGORITHMS,
    HERE,
    LIBRARIES,
    REFUSED,
    RUNS,
    Chip,
    board,
    build_boot,
    chip,
    make_key,
    run,
    run_on_board,
)
from table import DOCUMENT, row

from ecfit.build.elf import Elf

EVERY = os.environ.get("ECFIT_BOOT") == "1"
CHIPS = ("samd21", "nrf52840")
SIMULATED = [("ecdsa-p256", "samd21", "ecfit tiny")]
BOARDS = [("ecdsa-p256", "mps2-an386", "ecfit balanced")]
if EVERY:
    SIMULATED = [
        (algorithm, name, library)
        for algorithm in ALGORITHMS
        for name in CHIPS
        for library in LIBRARIES
        if not (algorithm == "ed25519" and library.startswith("Mbed"))
    ]
    BOARDS = [
        (algorithm, name, "ecfit tiny")
        for algorithm in ALGORITHMS
        for name in ("mps2-an385", "mps2-an386")
    ]
VERSION = 0x01020003  # 1.2.3, as the program says it


@cache
def made(where: Chip, algorithm: str, library: str) -> tuple[Elf, tuple[Attack, ...]]:
    """The boot loader, and the slots with which it is started."""
    key = make_key(ALGORITHMS[algorithm], "the owner's")
    boot = build_boot(where, ALGORITHMS[algorithm], LIBRARIES[library], key)
    return boot, tuple(attacks(where, ALGORITHMS[algorithm], key))


@pytest.mark.parametrize(("algorithm", "name", "library"), SIMULATED)
def test_on_the_simulator(algorithm: str, name: str, library: str) -> None:
    boot, slots = made(chip(name), algorithm, library)
    wrong = []
    for attack in slots:
        done = run(chip(name), boot, attack.image, attack.oldest)
        expected = (RUNS, VERSION) if attack.reason == GENUINE else (REFUSED, attack.reason)
        if (done.bkpt, done.result) != expected:
            wrong.append((attack.name, expected, done.bkpt, done.result, str(done.fault)))
    assert wrong == []


@pytest.mark.parametrize(("algorithm", "name", "library"), BOARDS)
def test_on_an_emulated_board(algorithm: str, name: str, library: str) -> None:
    boot, slots = made(board(name), algorithm, library)
    wrong = []
    for attack in slots:
        said = run_on_board(board(name), boot, attack.image, attack.oldest)
        expected = f"boot: refused, reason {attack.reason}"
        if attack.reason == GENUINE:
            expected = "application 1.2.3 runs"
        if said != expected:
            wrong.append((attack.name, expected, said))
    assert wrong == []


@pytest.mark.parametrize("tried", TRIED[::2])
def test_an_instruction_left_out(tried: str) -> None:
    """A sample of `make boot-faults`."""
    boot, slots = made(chip("nrf52840"), "ecdsa-p256", "ecfit balanced")
    attack = next(one for one in slots if one.name == tried)
    found = sweep(chip("nrf52840"), boot, attack, step=9)
    assert found.tried > 25
    assert found.accepted == []


def test_the_sweep_finds_what_it_looks_for() -> None:
    """Without `volatile` the compiler takes a number for another that it was compared with."""
    where, algorithm = chip("nrf52840"), ALGORITHMS["ecdsa-p256"]
    key = make_key(algorithm, "the owner's")
    boot = build_boot(where, algorithm, LIBRARIES["ecfit balanced"], key, more=["-Dvolatile="])
    attack = next(one for one in attacks(where, algorithm, key) if one.name == TRIED[0])
    assert sweep(where, boot, attack).accepted != []


def test_the_table_is_what_is_measured() -> None:
    """A line of docs/secure-boot.md; `make boot` measures all."""
    line = row("samd21", ALGORITHMS["ecdsa-p256"], LIBRARIES["ecfit tiny"])
    assert line in DOCUMENT.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("", "", 0),
        ("length > total - at", "length > 0xffff", 1),
    ],
)
def test_the_parser_on_any_bytes(old: str, new: str, code: int, tmp_path: Path) -> None:
    """Two seconds of `make fuzz-boot`, and a planted bug, which is found."""
    text = (HERE / "parse.c").read_text(encoding="utf-8")
    program = fuzz_boot.program(text.replace(old, new) if old else text)
    for name, image in fuzz_boot.seeds().items():
        (tmp_path / name).write_bytes(image)
    seconds = 20 if code else 2
    options = [f"-max_total_time={seconds}", "-seed=1", "-max_len=1200"]
    done = subprocess.run(
        [str(program), *options, f"-artifact_prefix={tmp_path}/", str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode != 0) == (code != 0), done.stderr[-2000:]
