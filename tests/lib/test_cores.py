"""The core that the library is compiled for decides which backends are let pass,
and which one the default header takes.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES, OPS
from ecfit.choices.presets import all_presets
from workshop.library.build import build
from workshop.paths import INCLUDE, SRC

ALLOW = "ECFIT_ALLOW_VARIABLE_TIME_MULTIPLY"
ARM, RISCV = "arm-none-eabi-gcc", "riscv64-unknown-elf-gcc"


class Core(NamedTuple):
    """A core as compilers are told of it (none: there is no such compiler); the backend of
    the default header; those that are let pass.
    """

    name: str
    gcc: tuple[str, ...]
    clang: tuple[str, ...]
    default: str = ""
    fit: tuple[str, ...] = ()


SHORT = ("w32m16", "w16", "w8")
USUAL = (*SHORT, "w32")
WIDE = (*USUAL, "w64")
BACKENDS = (*WIDE, "armv6m", "armv7m", "armv7em", "rv32im", "avr")


def arm(cpu: str, default: str = "", fit: tuple[str, ...] = ()) -> Core:
    """A core by Arm, in Thumb where it has nothing else."""
    thumb = ("-mthumb",) if cpu.startswith("cortex-m") else ()
    options = (f"-march={cpu}" if cpu.startswith("armv") else f"-mcpu={cpu}", *thumb)
    return Core(cpu, (ARM, *options), ("clang", "--target=arm-none-eabi", *options), default, fit)


def riscv(isa: str, default: str = "", fit: tuple[str, ...] = ()) -> Core:
    """A RISC-V core."""
    long = isa.startswith("rv64")
    options = (f"-march={isa}", "-mabi=lp64" if long else "-mabi=ilp32")
    clang = ("clang", f"--target=riscv{64 if long else 32}-unknown-elf", *options)
    return Core(isa, (RISCV, *options), clang, default, fit)


def clang(name: str, *options: str, default: str = "", fit: tuple[str, ...] = ()) -> Core:
    """A core that clang alone compiles for."""
    return Core(name, (), ("clang", *options), default, fit)


CORES = [
    *(
        arm(cpu, "w32m16", (*SHORT, "armv6m"))
        for cpu in ("cortex-m0", "cortex-m0plus", "cortex-m1", "cortex-m23")
    ),
    arm("cortex-m3", "w32m16", (*SHORT, "armv6m", "armv7m")),
    *(
        arm(cpu, "w32", (*USUAL, "armv6m", "armv7m", "armv7em"))
        for cpu in ("cortex-m4", "cortex-m7", "cortex-m33", "cortex-m35p", "cortex-m55")
    ),
    *(
        arm(cpu)
        for cpu in (
            *("arm7tdmi", "arm920t", "arm926ej-s", "armv4t", "armv5te", "arm1176jzf-s"),
            *("cortex-a7", "cortex-a9", "cortex-a53", "cortex-r5", "cortex-r52"),
        )
    ),
    riscv("rv32imc", "w32", (*WIDE, "rv32im")),
    riscv("rv64imac", "w32", (*WIDE, "rv32im")),
    riscv("rv32ic", "w32m16", ("w32m16",)),
    riscv("rv64ic", "w32m16", ("w32m16",)),
    Core("host", ("gcc",), ("clang",), "w32", WIDE),
    Core("i386", ("gcc", "-m32"), ("clang", "-m32"), "w32", WIDE),
    clang("aarch64", "--target=aarch64-none-elf", default="w32", fit=WIDE),
    Core("atmega328p", ("avr-gcc", "-mmcu=atmega328p"), (), "w8", ("w8", "w16", "avr")),
    Core("attiny85", ("avr-gcc", "-mmcu=attiny85"), ("clang", "--target=avr", "-mmcu=attiny85")),
    Core("xtensa", ("xtensa-lx106-elf-gcc",), (), "w32m16", SHORT),
    clang("msp430", "--target=msp430"),
    Core("mips", ("mips-linux-gnu-gcc",), ("clang", "--target=mips")),
    Core("s390x", ("s390x-linux-gnu-gcc",), ("clang", "--target=s390x-linux-gnu")),
    clang("ppc64le", "--target=ppc64le"),
    clang("m68k", "--target=m68k"),
    clang("wasm32", "--target=wasm32"),
]
COMPILERS = [
    (core, which)
    for core in CORES
    for which, command in (("gcc", core.gcc), ("clang", core.clang))
    if command
]
IDS = [f"{core.name}-{which}" for core, which in COMPILERS]


def installed(program: str) -> None:
    """A compiler that the set-up of the tests brings is no reason to leave a test out."""
    assert shutil.which(program), f"{program} is missing: tools/setup.sh test installs it"


def checked(command: tuple[str, ...], folder: Path, *options: str) -> str:
    """What a compiler says of config and check alone: nothing where they are let pass."""
    source = folder / "unit.c"
    source.write_text('#include "ecfit_config.h"\n#include "ecfit_config_check.h"\n')
    installed(command[0])
    done = subprocess.run(
        [
            *command,
            "-ffreestanding",
            *options,
            f"-I{folder}",
            f"-I{INCLUDE}",
            "-E",
            "-dM",
            str(source),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    assert (done.returncode != 0) == bool(errors), done.stderr
    return "\n".join(errors) or "\n".join(
        line for line in done.stdout.splitlines() if "ECFIT_BACKEND_IS_" in line
    )


@pytest.mark.parametrize(
    ("core", "which"),
    [
        # one compiler of each core; the other one in the outer ring
        pytest.param(core, which, marks=[pytest.mark.ci] if which == "clang" and core.gcc else [])
        for core, which in COMPILERS
    ],
    ids=IDS,
)
def test_backends(core: Core, which: str, tmp_path: Path) -> None:
    """Each with a header of its own: a backend that is not constant-time is refused,
    unless that is asked for.
    """
    command = core.gcc if which == "gcc" else core.clang
    for backend in BACKENDS:
        config = knobs.resolve(CURVES["secp256r1"], "balanced", {"REDUCE": "mont"}, backend)
        (tmp_path / "ecfit_config.h").write_text(knobs.header(config, ["secp256r1"], OPS))
        said = checked(command, tmp_path)
        if backend in core.fit:
            assert "error" not in said, (backend, said)
        else:
            assert "not constant-time on" in said or "not known whether" in said, (backend, said)
            assert said.count(" error: ") == 1, said
            assert ALLOW in said
            passed = checked(command, tmp_path, f"-D{ALLOW}")
    assert "error" not in passed


@pytest.mark.parametrize(("core", "which"), COMPILERS, ids=IDS)
def test_the_default_header_takes_one_that_fits(core: Core, which: str, tmp_path: Path) -> None:
    said = checked(core.gcc if which == "gcc" else core.clang, tmp_path)
    if core.default:
        assert said.split() == ["#define", f"ECFIT_BACKEND_IS_{core.default.upper()}", "1"]
    else:
        assert "no BACKEND helps" in said or "not known whether" in said
        assert ALLOW in said


@pytest.mark.parametrize(
    ("backend", "command"),
    [
        ("armv6m", (ARM, "-mcpu=cortex-m0", "-mthumb", "-mbig-endian")),
        ("armv7m", (ARM, "-mcpu=cortex-m3", "-mthumb", "-mbig-endian")),
        ("armv7em", (ARM, "-mcpu=cortex-m4", "-mthumb", "-mbig-endian")),
        ("rv32im", (RISCV, "-march=rv32imc", "-mabi=ilp32", "-mbig-endian")),
        ("w32m16", (ARM, "-mcpu=cortex-m0", "-mthumb", "-mbig-endian")),
    ],
)
def test_assembly_is_for_little_endian_cores(
    backend: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    """It takes halves of words by their address; nothing but C holds for a big-endian core."""
    installed(command[0])
    config = knobs.resolve(CURVES["secp256r1"], "compact", {}, backend)
    (tmp_path / "ecfit_config.h").write_text(knobs.header(config, ["secp256r1"], OPS))
    options = ("-ffreestanding", "-fsyntax-only", f"-I{tmp_path}", f"-I{INCLUDE}", f"-I{SRC}")
    source = str(SRC / "ecfit.c")
    little = [part for part in command if part != "-mbig-endian"]
    subprocess.run([*little, *options, source], check=True)
    done = subprocess.run([*command, *options, source], capture_output=True, text=True, check=False)
    assert ("assembly_is_little_endian" in done.stderr) == (backend != "w32m16"), done.stderr
    assert (done.returncode == 0) == (backend == "w32m16")


@pytest.mark.parametrize("opt", ["-Os", "-O2"])
@pytest.mark.parametrize("cpu", ["cortex-m0", "cortex-m3"])
def test_the_command_of_the_readme(cpu: str, opt: str, tmp_path: Path) -> None:
    """With the default header: no call of a long multiplication, and no instruction for one."""
    installed(ARM)
    target = tmp_path / "ecfit.o"
    subprocess.run(
        [
            ARM,
            f"-mcpu={cpu}",
            "-mthumb",
            "-c",
            opt,
            f"-I{INCLUDE}",
            f"-I{SRC}",
            str(SRC / "ecfit.c"),
            "-o",
            str(target),
        ],
        check=True,
    )
    text = subprocess.run(
        ["arm-none-eabi-objdump", "-d", "-r", str(target)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "secp256r1" in text
    assert not re.findall(r"__aeabi_lmul|\t[us]m(?:ul|la)l\b", text)


def calls_of_products(preset: str, curve: str, *options: str) -> list[str]:
    """The compiler's products that the library calls on a core without a multiplier."""
    installed(RISCV)
    config = knobs.resolve(CURVES[curve], preset, {"BACKEND": "w32m16"}, "w32m16")
    command = [RISCV, "--specs=picolibc.specs", "-march=rv32ec", "-mabi=ilp32e", "-c", *options]
    path = build(config, [SRC / "ecfit.c"], command, curves=(curve,), suffix=".o")
    names = subprocess.run(
        ["riscv64-unknown-elf-nm", "--undefined-only", str(path)],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return re.findall(r"\bU (__\w*mul\w*)", names)


@pytest.mark.parametrize("opt", ["-Os", "-O1", "-O2", "-O3"])
@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("preset", all_presets())
def test_no_product_is_a_call_without_a_multiplier(preset: str, curve: str, opt: str) -> None:
    """libgcc's branch on their operands. A compiler also makes such calls of constant factors."""
    assert calls_of_products(preset, curve, opt) == []


@pytest.mark.parametrize("curve", ["secp256r1", "x25519"])
def test_a_product_would_be_seen(curve: str) -> None:
    """The library believes that there is a multiplier, and the compiler that there is none."""
    found = calls_of_products("balanced", curve, "-Os", "-D__riscv_mul=1")
    assert "__mulsi3" in found


def test_the_default_header_on_an_8_bit_core(tmp_path: Path) -> None:
    """No product of 32 or of 64 bits: libgcc's of 64 bits take 235 or 236 cycles on AVR."""
    installed("avr-gcc")
    target = tmp_path / "ecfit.o"
    include = (f"-I{INCLUDE}", f"-I{SRC}")
    command = ["avr-gcc", "-mmcu=atmega328p", "-std=c11", "-Os", *include, "-c"]
    subprocess.run([*command, str(SRC / "ecfit.c"), "-o", str(target)], check=True)
    text = subprocess.run(
        ["avr-objdump", "-dr", str(target)], capture_output=True, text=True, check=True
    ).stdout
    assert "ecfit_secp256r1_ecdsa_sign" in text
    assert set(re.findall(r"\t(__\w*mul\w*)", text)) <= {"__mulhi3"}


def test_a_compiler_that_hides_nothing(tmp_path: Path) -> None:
    """One without GNU inline assembly is refused, unless that is asked for."""
    command = ["gcc", "-U__GNUC__", "-fsyntax-only", f"-I{SRC}", f"-I{INCLUDE}"]
    command += ["-xc", str(SRC / "ct.h")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "ECFIT_ALLOW_VISIBLE_MASKS" in done.stderr
    subprocess.run([*command, "-DECFIT_ALLOW_VISIBLE_MASKS"], check=True)
