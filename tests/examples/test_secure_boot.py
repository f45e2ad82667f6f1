"""examples/secure-boot: images that imgtool signed are booted, each attack is refused with
its own reason; on the simulator and on an emulated board.

ECFIT_BOOT=1 (make boot): all algorithms, chips and libraries.
"""

from __future__ import annotations

import os
from functools import cache

import pytest
from attacks import GENUINE, Attack, attacks
from secureboot import (
    ALGORITHMS,
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
