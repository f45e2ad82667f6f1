"""Objects of current compilers, measured: each has its figure, its leak is seen, and where neither
can be, one line says what to do. Then images that others built: RIOT's, and one of Arduino's core.
A compiler that is not there is a line of its own.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ecfit.cli import run
from tools.foreign.table import Row, commit

CRC, TEXT = 0xCBF43926, "313233343536373839"  # of "123456789": the check value of CRC-32
TYPES = """
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT32_TYPE__ uint32_t;
"""
C = (
    TYPES
    + """
uint32_t crc32(const uint8_t *p, unsigned n);
uint32_t crc32(const uint8_t *p, unsigned n)
{
    static const uint8_t odd[3] = {0, 0, 0};
    uint32_t c = ~0u;
    while (n--) {
        c ^= *p++ ^ odd[n % 3];
        for (int i = 0; i < 8; i++) c = c >> 1 ^ (0xedb88320 & (0u - (c & 1)));
    }
    return ~c;
}
uint32_t leaky(const uint8_t *p);
uint32_t leaky(const uint8_t *p) { return p[0] > 7 ? crc32(p, 4) : 0; }
"""
)
CXX = (
    TYPES
    + """
namespace foreign {
struct Crc {
    uint32_t c = ~0u;
    virtual void add(uint8_t b)
    {
        c ^= b;
        for (int i = 0; i < 8; i++) c = c >> 1 ^ (0xedb88320 & (0u - (c & 1)));
    }
};
uint32_t crc32(const uint8_t *p, unsigned n)
{
    Crc crc;
    while (n--) crc.add(*p++);
    return ~crc.c;
}
uint32_t leaky(const uint8_t *p) { return p[0] > 7 ? crc32(p, 4) : 0; }
}
"""
)
RUST = """#![no_std]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crc32(p: *const u8, n: usize) -> u32 {
    let mut c = !0u32;
    for b in unsafe { core::slice::from_raw_parts(p, n) } {
        c ^= u32::from(*b);
        for _ in 0..8 { c = c >> 1 ^ (0xedb8_8320 & 0u32.wrapping_sub(c & 1)); }
    }
    !c
}
#[unsafe(no_mangle)]
pub unsafe extern "C" fn leaky(key: &[u8; 4]) -> u32 {
    if key[0] > 7 { unsafe { crc32(key.as_ptr(), 4) } } else { 0 }
}
"""
ARM = {"Cortex-M4": "-mcpu=cortex-m4 -mthumb", "Cortex-M0": "-mcpu=cortex-m0 -mthumb"}
RISCV = {"RV32IMC": "-march=rv32imc -mabi=ilp32", "RV32IM": "-march=rv32im -mabi=ilp32"}
RUST_TARGETS = {"Cortex-M4": "thumbv7em-none-eabi", "Cortex-M0": "thumbv6m-none-eabi"}
RUST_TARGETS |= {"RV32IMC": "riscv32imc-unknown-none-elf"}
CHIPS = {"Cortex-M4": "stm32f411", "Cortex-M0": "lpc1114", "RV32IMC": "esp32c3"}
CHIPS |= {"RV32IM": "esp32c3"}
VARIANTS = ("", "-g", "-g -gz", "-g -gsplit-dwarf", "-ffunction-sections", "-flto")
GCC_ONLY = ("-flto -ffat-lto-objects",)
# Objects of LLVM's LTO, and of another GCC's without code of the chip: a line says what to do.
LINE = re.compile(r"link the image with lld|compile it with -ffat-lto-objects")

# RIOT's hello-world for a board whose build downloads nothing; its memory begins elsewhere than
# that of the chip whose cycles are counted.
BOARD, MEMORY = "hifive1b", ("--flash-at", "0x20010000", "--ram-at", "0x80000000")
ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr")  # of the package arduino-core-avr
PGMSPACE = """
#include <string.h>
#define PROGMEM
#define PSTR(s) (s)
#define PGM_P const char *
#define strlen_P strlen
#define strcpy_P strcpy
extern "C" char *ltoa(long, char *, int), *ultoa(unsigned long, char *, int);
extern "C" char *itoa(int, char *, int), *utoa(unsigned, char *, int);
extern "C" char *dtostrf(double, signed char, unsigned char, char *);
"""
OF_STRING = """
#include "WString.h"
extern "C" int place(const char *text, char letter)
{
    String word(text);
    word.toUpperCase();
    return word.indexOf(letter);
}
"""
SKETCH = ARDUINO / "libraries" / "EEPROM" / "examples" / "eeprom_clear" / "eeprom_clear.ino"
UNO = "-mmcu=atmega328p -DF_CPU=16000000L -DARDUINO=10819 -DARDUINO_ARCH_AVR -Os -w"
UNO += " -ffunction-sections -Wl,--gc-sections"
UNO += " -DDECIMAL_DIG=__DECIMAL_DIG__"  # which avr-gcc 5 has for C alone

# A crate of others as a static library, and as an image that LLD links with LTO.
CRATE = """[package]
name = "strange"
version = "0.0.0"
edition = "2024"
[lib]
path = "it.rs"
crate-type = ["staticlib"]
[[bin]]
name = "image"
path = "it.rs"
[dependencies]
crc = "=3.3.0"
[profile.release]
lto = true
opt-level = "s"
panic = "abort"
[workspace]
"""
OF_CRATE = """#![no_std]
#![no_main]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
#[unsafe(no_mangle)]
pub unsafe extern "C" fn crc32(p: *const u8, n: usize) -> u32 {
    let bytes = unsafe { core::slice::from_raw_parts(p, n) };
    crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(bytes)
}
"""
LINKED = "-Clink-arg=-Ttext=0x08000200 -Clink-arg=--image-base=0x08000000 -Clink-arg=-ecrc32"


class Compiler(NamedTuple):
    """A program and how it is called for a core."""

    program: str
    cores: dict[str, str]
    variants: tuple[str, ...] = VARIANTS
    name: str = "it.c"


def compilers() -> Iterator[Compiler]:
    """All that are asked for, here or not."""
    for generation in ("", "-14", "-15"):
        for prefix, cores in (("arm-none-eabi-", ARM), ("riscv64-unknown-elf-", RISCV)):
            yield Compiler(f"{prefix}gcc{generation}", cores, VARIANTS + GCC_ONLY)
    yield Compiler("arm-none-eabi-g++", ARM, VARIANTS + GCC_ONLY, "it.cpp")
    targets = {
        "Cortex-M4": "--target=thumbv7em-none-eabi",
        "Cortex-M0": "--target=thumbv6m-none-eabi",
    }
    targets |= {core: f"--target=riscv32 {words}" for core, words in RISCV.items()}
    for generation in ("14", "19", "22", "23"):
        yield Compiler(f"clang-{generation}", targets)
    rust = {core: f"--target {target}" for core, target in RUST_TARGETS.items()}
    variants = ("", "-g", "-Clto=fat", "-Clinker-plugin-lto", "-Csymbol-mangling-version=v0")
    yield Compiler("rustc", rust, variants, "it.rs")


def version(program: str) -> str:
    """The one that it says."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return str((re.findall(r"\b\d+\.\d+\.\d+", said.stdout) or ["?"])[0])


def measured(
    elf: Path, function: str, chip: str, *options: str
) -> tuple[int, str, dict[str, object]]:
    """Exit code, what was said, the record."""
    record = elf.with_name("record")
    record.unlink(missing_ok=True)
    words = ["--elf", str(elf), "--function", function, "--target", chip]
    said = io.StringIO()
    with redirect_stderr(said):
        code = run(["measure", *words, *options, "--format", "json", "-o", str(record)])
    rows = json.loads(record.read_text("utf-8")) if record.exists() else [{}]
    return code, said.getvalue().strip(), rows[0]


def tried(compiler: Compiler, core: str, variant: str, folder: Path) -> str | None:
    """What is wrong, if anything is. Errors: RuntimeError where the compiler refuses."""
    for left in folder.iterdir():
        left.unlink()
    source = folder / compiler.name
    source.write_text({"it.c": C, "it.cpp": CXX, "it.rs": RUST}[compiler.name])
    words = [*compiler.cores[core].split(), *variant.split(), source.name, "-o", "it.o"]
    rust = ["--crate-type", "staticlib", "-Copt-level=s", "-Cpanic=abort", "--edition", "2024"]
    flags = rust if compiler.name == "it.rs" else ["-c", "-O2", "-ffreestanding"]
    done = subprocess.run(
        [compiler.program, *flags, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().partition("\n")[0][:100])
    space = "foreign::" if compiler.name == "it.cpp" else ""
    text, elf, chip = ("--arg", f"bytes:{TEXT}", "--arg", "9"), folder / "it.o", CHIPS[core]
    code, said, row = measured(elf, f"{space}crc32", chip, *text, "--expect", hex(CRC))
    if code in (2, 3) and "lto" in variant and "\n" not in said and LINE.search(said):
        return None
    if code != 0 or row.get("result") != CRC:
        return f"exit code {code}: {said[:200]}"
    code, said, row = measured(elf, f"{space}leaky", chip, "--arg", "secret:01020304")
    if code != 5 or row.get("constant_time") != "leak":
        return f"a leak that is not seen, exit code {code}: {said[:200]}"
    return None


def of_riot(checkout: Path, folder: Path) -> list[str]:
    """What is wrong with its image. Errors: RuntimeError where it cannot be built."""
    command = ["make", "-C", str(checkout / "examples" / "basic" / "hello-world"), "-j2"]
    command += [f"BOARD={BOARD}", f"BINDIRBASE={folder}"]
    given = os.environ | {"FEATURES_REQUIRED": "picolibc"}
    done = subprocess.run(command, env=given, capture_output=True, text=True, check=False)
    elf = folder / BOARD / "hello-world.elf"
    if done.returncode or not elf.is_file():
        raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
    text = ("--arg", "secret:6869210000", "--arg", "5")
    code, said, row = measured(elf, "strnlen", "esp32c3", *text, *MEMORY)
    wrong = []
    if (code, row.get("result"), row.get("constant_time")) != (5, 3, "leak"):
        wrong.append(f"exit code {code}: {said[:200]}")
    code, said, _ = measured(elf, "strnlen", "esp32c3", *text)
    if code != 2 or "\n" in said or "--flash-at" not in said:
        wrong.append(f"no line that helps: {said[:200]}")
    return wrong


def of_arduino(folder: Path) -> list[str]:
    """What is wrong with a sketch for the Uno, built as its core has it. Errors: RuntimeError."""
    words = [*UNO.split(), f"-I{ARDUINO / 'cores' / 'arduino'}"]
    words += [f"-I{ARDUINO / 'variants' / 'standard'}", f"-I{ARDUINO / 'libraries/EEPROM/src'}"]
    cxx = ["avr-g++", "-std=gnu++11", "-fno-exceptions", "-fpermissive", *words, "-c"]
    core = sorted((ARDUINO / "cores" / "arduino").glob("*.c*"))
    commands = [[*cxx, "-x", "c++", "-include", "Arduino.h", str(SKETCH), "-o", "sketch.o"]]
    for source in core:
        compiler = cxx if source.suffix == ".cpp" else ["avr-gcc", *words, "-c"]
        commands.append([*compiler, str(source), "-o", f"{source.name}.o"])
    objects = ["sketch.o", *(f"{source.name}.o" for source in core)]
    commands.append(["avr-gcc", *UNO.split(), *objects, "-o", "uno.elf"])
    for command in commands:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().partition("\n")[0])
    code, said, _ = measured(folder / "uno.elf", "setup", "atmega328p")
    helps = code == 2 and "\n" not in said and "ecfit bench --target atmega328p" in said
    return [] if helps else [f"no line that helps: {said[:200]}"]


def of_string(folder: Path) -> list[str]:
    """What is wrong with Arduino's class String, which allocates, in a library for a Cortex-M4.
    What its source takes from AVR's C library has a header of ours. Errors: RuntimeError.
    """
    core = ARDUINO / "cores" / "arduino"
    (folder / "avr").mkdir()
    (folder / "avr" / "pgmspace.h").write_text(PGMSPACE)
    (folder / "it.cpp").write_text(OF_STRING)
    cxx = "arm-none-eabi-g++ -std=gnu++11 -fno-exceptions -fno-rtti -Os -ffunction-sections"
    words = [*cxx.split(), "-mcpu=cortex-m4", "-mthumb", "-I.", f"-I{core}", "-c"]
    commands = [[*words, str(source)] for source in ("it.cpp", core / "WString.cpp")]
    commands.append(["arm-none-eabi-ar", "rcs", "libstring.a", "it.o", "WString.o"])
    for command in commands:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().partition("\n")[0])
    wrong, where = [], (folder / "libstring.a", "place", "stm32f411")
    for kind, asked in (("bytes", (0, None)), ("secret", (5, "leak"))):
        code, said, row = measured(*where, "--arg", f"{kind}:6162634400", "--arg", str(ord("C")))
        leaks = row.get("constant_time") if kind == "secret" else None
        if (code, leaks, row.get("result")) != (*asked, 2):
            wrong.append(f"{kind}, exit code {code}: {said[:200]}")
    return wrong


def of_crate(folder: Path) -> list[str]:
    """What is wrong with a crate's library and image. Errors: RuntimeError."""
    (folder / "Cargo.toml").write_text(CRATE)
    (folder / "it.rs").write_text(OF_CRATE)
    where = RUST_TARGETS["Cortex-M4"]
    command = ["cargo", "build", "--quiet", "--release", "--target", where]
    given = os.environ | {"RUSTFLAGS": LINKED}
    done = subprocess.run(
        command, cwd=folder, env=given, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().partition("\n")[0])
    wrong, made = [], folder / "target" / where / "release"
    text = f"secret:{TEXT}"  # a table is looked up by it
    for name in ("libstrange.a", "image"):
        code, said, row = measured(made / name, "crc32", "stm32f411", "--arg", text, "--arg", "9")
        if (code, row.get("result"), row.get("constant_time")) != (5, CRC, "leak"):
            wrong.append(f"{name}, exit code {code}: {said[:200]}")
    return wrong


def has_rust_target(target: str) -> bool:
    """Whether Rust is here with the core library of a target."""
    if shutil.which("rustc") is None:
        return False
    command = ["rustc", "--print", "target-libdir", "--target", target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0 and any(Path(done.stdout.strip()).glob("libcore-*"))


def of_others(checkouts: dict[str, Path]) -> list[Row]:
    """Rows of images that others built."""
    tried: list[tuple[str, int, Callable[[Path], list[str]]]] = []
    if "riot" in checkouts:
        by = f"RIOT {commit(checkouts['riot'])}, {BOARD}"
        tried.append((by, 2, partial(of_riot, checkouts["riot"])))
    if not has_rust_target(RUST_TARGETS["Cortex-M4"]):
        wanted = RUST_TARGETS["Cortex-M4"]
        print(f"not here, so not tried: a crate (rustup target add {wanted})", file=sys.stderr)
    elif shutil.which("cargo"):
        tried.append((f"crc 3.3.0, rustc {version('rustc')}, LLD with LTO", 2, of_crate))
    if SKETCH.is_file() and shutil.which("avr-g++"):
        tried.append((f"Arduino's core, avr-gcc {version('avr-gcc')}", 1, of_arduino))
        by = f"Arduino's class String, g++ {version('arm-none-eabi-g++')}"
        tried.append((by, 2, of_string))
    else:
        print("not here, so not tried: arduino-core-avr", file=sys.stderr)
    rows = []
    for by, count, look in tried:
        with tempfile.TemporaryDirectory(prefix="ecfit-") as folder:
            try:
                wrong = look(Path(folder))
            except RuntimeError as error:
                wrong = [f"cannot be built: {error}"]
        rows.append(Row("images", by, count - len(wrong), len(wrong), wrong=tuple(wrong)))
    return rows


def matrix(checkouts: dict[str, Path]) -> list[Row]:
    """A row for each compiler that is here."""
    rows = []
    for compiler in compilers():
        if shutil.which(compiler.program) is None:
            print(f"not here, so not tried: {compiler.program}", file=sys.stderr)
            continue
        cases = [(core, variant) for core in compiler.cores for variant in compiler.variants]
        passed, wrong = 0, []
        with tempfile.TemporaryDirectory(prefix="ecfit-") as folder:
            for core, variant in cases:
                try:
                    why = tried(compiler, core, variant, Path(folder))
                except RuntimeError as error:
                    what = f"{compiler.program} {core} {variant}"
                    print(f"refused by the compiler: {what}: {error}", file=sys.stderr)
                    continue
                passed += why is None
                wrong += [f"{core} {variant}: {why}"] if why else []
        kind = {"it.c": "C", "it.cpp": "C++", "it.rs": "Rust"}[compiler.name]
        prefix = re.match("arm|riscv", compiler.program)
        name = re.sub(r"^.*-(?=gcc|g\+\+)|-[0-9]+$", "", compiler.program)
        by = f"{name} {version(compiler.program)}{f', {prefix[0]}' if prefix else ''}"
        rows.append(Row(f"objects of {kind}", by, passed, len(wrong), wrong=tuple(wrong)))
    return rows + of_others(checkouts)
