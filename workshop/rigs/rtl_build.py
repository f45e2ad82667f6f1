"""Cores in RTL: fetched from the Python registry by version and hash, or in a folder that the
caller names, built by Verilator.

The code of a core is unpacked in the cache and never copied into the tree. sim/rtl has the test
benches.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from ecfit.errors import HashMismatchError, MissingToolError, PackageError
from ecfit.paths import ROOT, cache_dir

BENCHES = ROOT / "sim" / "rtl"
WARNINGS = ["-Wno-fatal", "-Wno-lint", "-Wno-style"]  # of other people's code
FLAGS = [
    "--cc",
    "--exe",
    "-O3",
    "--x-assign",
    "fast",
    "--x-initial",
    "fast",
    "--noassert",
    "--top-module",
    "tb",
]


class Core(NamedTuple):
    """A core of a package; its repository and commit, by the package's own words.

    ``sources`` and ``headers`` are patterns below the package's folder, in the order in which
    Verilator takes them; ``without`` leaves some out. ``include``: folders with headers.
    Without a ``package``, the code is in a folder that the caller names, and ``sha256`` is of its
    files. ``mended``: in a copy of which file what is replaced, as a regular expression, where
    Verilator takes the text otherwise than it is meant. ``fails_on``: what no program of this core
    has (``without`` of rv32_random.Program).
    """

    name: str
    package: str
    version: str
    sha256: str
    repository: str
    commit: str
    sources: tuple[str, ...]
    without: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    mended: tuple[tuple[str, str, str], ...] = ()
    fails_on: frozenset[str] = frozenset()


class Configuration(NamedTuple):
    """A core with parameters, and the model options that stand for them."""

    core: Core
    name: str
    parameters: Mapping[str, int]
    options: Mapping[str, int]


_PRIM = "vendor/lowrisc_ip/ip/prim/rtl"
IBEX = Core(
    name="ibex",
    package="pythondata-cpu-ibex",
    version="0.0.post2937",
    sha256="bcb32ffccc75097248a11b3e52031eca92d21c6c6161a29151c8c79d6157e1c9",
    repository="lowRISC/ibex",
    commit="5da1679f360b00ae330aab33cc8d79d73dfabb98",
    sources=(
        f"{_PRIM}/prim_secded_pkg.sv",
        f"{_PRIM}/prim_ram_1p_pkg.sv",
        "rtl/ibex_pkg.sv",
        "rtl/ibex_*.sv",
        f"{_PRIM}/prim_secded_inv_39_32_dec.sv",
        f"{_PRIM}/prim_secded_inv_39_32_enc.sv",
    ),
    without=("trac", "register_file_latch", "register_file_fpga", "lockstep", "ibex_top"),
    headers=(
        f"{_PRIM}/*.svh",
        f"{_PRIM}/prim_assert.sv",
        f"{_PRIM}/prim_flop_macros.sv",
        "vendor/lowrisc_ip/dv/sv/dv_utils/dv_fcov_macros.svh",
    ),
)
CV32E40P = Core(
    name="cv32e40p",
    package="pythondata-cpu-cv32e40p",
    version="1.0.1.post1909",
    sha256="424a04b65d854903ada62feb94a78346e60dc84c5487ed1f32405666eee6f8c3",
    repository="openhwgroup/cv32e40p",
    commit="360d272898d81806be3377193870dbf83a3ea79f",
    sources=(
        "rtl/include/cv32e40p_apu_core_pkg.sv",
        "rtl/include/cv32e40p_fpu_pkg.sv",
        "rtl/include/cv32e40p_pkg.sv",
        "rtl/cv32e40p_*.sv",
    ),
    without=("top", "latch", "fp_wrapper"),
    include=("rtl/include",),
    define=("STOP_NOP",),
)
HAZARD3 = Core(
    name="hazard3",
    package="",
    version="release v1.0-rc1",
    sha256="0f99b3415e863df0027ba161bf1a3af10b5c2d8b1d74d8eba19d728571e19580",
    repository="Wren6991/Hazard3",
    commit="86fc4e3f2dbe457ba289921b9985c76bf16d9b8f",
    sources=("hdl/arith/*.v", "hdl/hazard3_*.v"),
    without=("cpu_1port",),
    include=("hdl",),
    mended=(
        # One part has no parameters, and Verilator does not replicate by the default of none.
        ("hdl/hazard3_config.vh", r"(parameter PMP_REGIONS *=) 0,", r"\1 1,"),
        # Verilator mixes up an array that two kinds of process write. What is written here is only
        # read where it does not count.
        (
            "hdl/hazard3_frontend.v",
            r"\n\tfifo_(mem|err|predbranch|valid_hw)\[FIFO_DEPTH\] *=[^\n]*",
            "",
        ),
    ),
    fails_on=frozenset({"unaligned", "fence.i"}),
)
OUTSIDE = {"hazard3": Configuration(HAZARD3, "hazard3", {}, {})}  # of no package
CONFIGURATIONS = {
    one.name: one
    for one in (
        Configuration(IBEX, "ibex", {}, {"multiplier": 3, "branch_taken": 3, "write_back": 0}),
        Configuration(IBEX, "ibex-multiplier", {"Mul": 3}, {"multiplier": 1}),
        Configuration(IBEX, "ibex-branch", {"BTAlu": 1}, {"branch_taken": 2}),
        Configuration(IBEX, "ibex-write-back", {"Wb": 1}, {"write_back": 1}),
        Configuration(
            IBEX,
            "ibex-all",
            {"Mul": 3, "BTAlu": 1, "Wb": 1},
            {"multiplier": 1, "branch_taken": 2, "write_back": 1},
        ),
        Configuration(IBEX, "ibex-slow", {"Mul": 1}, {"multiplier": 33}),
        Configuration(CV32E40P, "cv32e40p", {}, {}),
    )
}


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Only one process at a time works in a folder of the cache."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(command: list[str], what: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["no message"]
        error = next((line for line in lines if "rror" in line), lines[-1])
        raise PackageError(f"{what}: {error}")


def fetched(core: Core) -> Path:
    """The folder of a core's code, fetched if need be. Errors: PackageError, HashMismatchError."""
    folder = cache_dir() / "rtl" / f"{core.package}-{core.version}-{core.sha256[:16]}"
    with _locked(folder):
        if not (folder / ".complete").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            wanted = f"{core.package}=={core.version}"
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            pip += ["--disable-pip-version-check", "--dest", str(folder), wanted]
            _run(pip, f"package {wanted} cannot be had")
            (wheel,) = folder.glob("*.whl")
            found = hashlib.sha256(wheel.read_bytes()).hexdigest()
            if found != core.sha256:
                raise HashMismatchError(
                    f"package {wanted} has SHA-256 {found[:16]}..., "
                    f"pinned is {core.sha256[:16]}...: not used"
                )
            with zipfile.ZipFile(wheel) as archive:
                wanted_files = [n for n in archive.namelist() if n.endswith((".sv", ".svh"))]
                archive.extractall(folder, wanted_files)
            wheel.unlink()
            (folder / ".complete").touch()
    return next(folder.glob("*/system_verilog"))


def _files(root: Path, patterns: tuple[str, ...], without: tuple[str, ...] = ()) -> list[str]:
    """What the patterns name, each file once."""
    found = [str(path) for pattern in patterns for path in sorted(root.glob(pattern))]
    kept = [path for path in found if not any(word in Path(path).name for word in without)]
    return list(dict.fromkeys(kept))


def content(core: Core, folder: Path) -> str:
    """SHA-256 of the files of a core that no package carries."""
    files = [*core.sources, *(f"{name}/*.vh" for name in core.include)]
    digest = hashlib.sha256()
    for path in sorted({path for pattern in files for path in folder.glob(pattern)}):
        digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _mend(core: Core, given: Path, folder: Path) -> Path:
    """A copy of a core's code, mended for Verilator; the code itself if there is nothing to mend.
    Errors: HashMismatchError.
    """
    if not core.mended:
        return given
    if (found := content(core, given)) != core.sha256:
        raise HashMismatchError(
            f"{given}: its files have SHA-256 {found[:16]}..., {core.repository} at "
            f"{core.commit[:8]} has {core.sha256[:16]}...: not used"
        )
    shutil.copytree(given, folder, ignore=shutil.ignore_patterns(".git"))
    for name, pattern, replacement in core.mended:
        path = folder / name
        text, times = re.subn(pattern, replacement, path.read_text(encoding="utf-8"))
        assert times, f"{name}: nothing to mend"
        path.write_text(text, encoding="utf-8")
    return folder


def program(one: Configuration, given: Path | None = None) -> Path:
    """The simulation of a configuration (sim/rtl/main.cc), built if need be. `given`: the code of a
    core that no package carries. Errors: MissingToolError, PackageError, HashMismatchError.
    """
    if shutil.which("verilator") is None:
        raise MissingToolError("verilator, which simulates RTL, not found: install verilator")
    benches = sorted(BENCHES.iterdir())
    digest = hashlib.sha256(repr(one).encode())
    for path in benches:
        digest.update(path.read_bytes())
    folder = cache_dir() / "rtl" / f"{one.name}-{digest.hexdigest()[:16]}"
    root = given or fetched(one.core)
    with _locked(folder):
        if not (folder / "Vtb").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            headers = folder / "headers"
            headers.mkdir(parents=True)
            root = _mend(one.core, root, folder / "mended")
            for header in _files(root, one.core.headers):
                shutil.copy(header, headers)
            sources = _files(root, one.core.sources, one.core.without)
            flags = ["-CFLAGS", " ".join(["-O2", *(f"-D{name}" for name in one.core.define)])]
            include = [headers, BENCHES, *(root / name for name in one.core.include)]
            flags += [f"+incdir+{path}" for path in include]
            flags += [f"-G{name}={value}" for name, value in one.parameters.items()]
            bench = [str(path) for path in BENCHES.glob(f"{one.core.name}.vlt")]
            bench += [str(BENCHES / f"{one.core.name}.sv"), str(BENCHES / "main.cc")]
            _run(
                ["verilator", *FLAGS, *WARNINGS, "-Mdir", str(folder), *flags, *sources, *bench],
                f"{one.name}: verilator",
            )
            optimise = ["OPT_FAST=-O2", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"]
            _run(
                ["make", "-s", "-C", str(folder), "-f", "Vtb.mk", *optimise, "Vtb"],
                f"{one.name}: the compiler",
            )
    return folder / "Vtb"


def need_verilator() -> None:
    """One clear line where it is missing; `make test` installs it."""
    if shutil.which("verilator") is None:
        pytest.fail("verilator not found: install the package verilator", pytrace=False)
