"""What the bench needs from the machine, and what of it is there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import msgspec

from ecfit.arguments.defaults import NAME
from ecfit.build.toolchain import find_toolchain
from ecfit.errors import EcfitError
from ecfit.paths import cache_dir
from ecfit.run.emulated import PACKAGE, QEMU
from ecfit.sim.machine import SimError, simulator_id


class Check(msgspec.Struct, frozen=True):
    """One thing: is it there (`ok`), is it needed for the ARMv6-M targets, what was found,
    what to do otherwise.
    """

    name: str
    ok: bool
    needed: bool
    found: str
    advice: str = ""

    @property
    def state(self) -> str:
        """For tables: ok, missing (and needed), or absent."""
        return "ok" if self.ok else "missing" if self.needed else "absent"


def _compiler(name: str, toolchain: str, arch: str, core: str, *, needed: bool) -> Check:
    try:
        compiler = find_toolchain(toolchain, arch, core, "Os")
    except EcfitError as error:
        return Check(name, False, needed, "-", str(error))
    return Check(name, True, needed, f"{compiler.label}, {compiler.compile[0]}")


def _simulator() -> Check:
    try:
        return Check("simulator", True, True, f"sim/libecsim.so, sources {simulator_id()[:12]}")
    except SimError as error:
        return Check("simulator", False, True, "-", str(error))


def _program(name: str, package: str, why: str) -> Check:
    path = shutil.which(name)
    if path is None:
        return Check(name, False, False, "-", f"install the package {package}: {why}")
    try:
        printed = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return Check(name, False, False, path, f"does not run: install the package {package}")
    except subprocess.CalledProcessError as error:  # cargo of rustup without a toolchain
        said = (error.stderr or error.stdout).strip().splitlines() or [f"code {error.returncode}"]
        advice = "; type: rustup default stable" if "rustup" in said[0] else ""
        return Check(name, False, False, path, f"does not run: {said[0]}{advice}")
    return Check(name, True, False, printed.splitlines()[0] if printed else path)


def _cache() -> Check:
    try:
        return Check("cache", True, True, str(cache_dir()))
    except EcfitError as error:
        return Check("cache", False, True, "-", str(error))


def _defaults() -> list[Check]:
    """The file of defaults, where the current folder has one: what is wrong with it ended
    the command before this."""
    path = Path(NAME)
    return [Check(NAME, True, False, str(path.absolute()))] if path.exists() else []


def examine() -> list[Check]:
    """All checks, the needed ones first."""
    return [
        _compiler("cross compiler, newlib", "gcc", "armv6m", "cortex-m0", needed=True),
        _simulator(),
        _cache(),
        *_defaults(),
        _compiler("native compiler", "gcc", "host", "host", needed=False),
        _compiler("clang for ARMv6-M", "clang", "armv6m", "cortex-m0", needed=False),
        _compiler("RISC-V compiler, picolibc", "gcc", "rv32", "ibex", needed=False),
        _compiler("AVR compiler, avr-libc", "gcc", "avr", "avr5", needed=False),
        _compiler("Xtensa compiler, picolibc", "gcc", "xtensa", "lx106", needed=False),
        _program("cargo", "cargo", "fetches the peers"),
        _program("qemu-system-arm", "qemu-system-arm", "emulates boards: ecfit sensor, tls"),
        _program(QEMU, PACKAGE, "emulates an ESP8266: ecfit bench"),
        _program("valgrind", "valgrind", "constant-time test of the host build"),
    ]
