"""Fixtures of the simulator's tests: a fresh build of the native side, and machines."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ecfit.sim.machine import Machine, load_model
from workshop.sim.build import MEMORY

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session", autouse=True)
def native_build() -> None:
    """The library under test is the one of this tree, unless another build of it is named."""
    if "ECFIT_LIBECSIM" not in os.environ:
        subprocess.run(["make", "-s", "-C", str(ROOT / "sim")], check=True, timeout=300)


@pytest.fixture(scope="session")
def cross_compiler() -> None:
    """`make test` installs it."""
    assert shutil.which("arm-none-eabi-gcc"), "install the package gcc-arm-none-eabi"


@pytest.fixture(scope="session")
def riscv_compiler() -> None:
    """As `cross_compiler`, for RISC-V."""
    packages = "gcc-riscv64-unknown-elf, picolibc-riscv64-unknown-elf"
    assert shutil.which("riscv64-unknown-elf-gcc"), f"install the packages {packages}"


@pytest.fixture(scope="session")
def avr_compiler() -> None:
    """As `cross_compiler`, for AVR; with the emulator that AVR is compared with."""
    assert shutil.which("avr-gcc"), "install the packages gcc-avr, avr-libc, libsimavr-dev"


@pytest.fixture
def m0() -> Iterator[Machine]:
    """A Cortex-M0 with 64 KiB of flash at 0 and 64 KiB of RAM at 0x20000000, zero wait states."""
    with Machine(load_model("cortex-m0"), MEMORY) as machine:
        yield machine


@pytest.fixture
def ibex() -> Iterator[Machine]:
    """An Ibex with the same memory."""
    with Machine(load_model("ibex"), MEMORY) as machine:
        yield machine
