"""`ecfit measure`: a function of ours counts as in the bench, one of other projects has a count
or a line that says what it needs.
"""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ecfit.arguments.selection import rows, select
from ecfit.build import build
from ecfit.build.fetch import code_folder
from ecfit.build.request import Request
from ecfit.choices.peers import all_peers
from ecfit.cli import run
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Image, Record
from ecfit.run.cases import make_case
from ecfit.units import milliseconds
from workshop.cli.run import Done, Ecfit

SCRIPT = """
MEMORY { FLASH (rx) : ORIGIN = 0x08000000, LENGTH = 256K
         RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 32K }
SECTIONS {
    .text : { *(.text .text.*) *(.rodata .rodata.*) } > FLASH
    .ARM.exidx : { *(.ARM.exidx*) } > FLASH
    .init_array : { KEEP(*(.init_array*)) } > FLASH
    .data : { *(.data .data.*) } > RAM AT > FLASH
    .bss : { *(.bss .bss.*) *(COMMON) } > RAM
    end = .;
    ._user_heap_stack (NOLOAD) : { . = . + 0x7000; } > RAM
}
"""
FIRMWARE = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define RCC (*(volatile uint32_t *)0x40021000)
uint32_t counter = 7;
static uint8_t table[64];
int (*volatile callback)(int);
int unset(int x) { return callback(x); }
void clocks(void) { RCC |= 1; while (!(RCC & 2)) {} }
uint32_t next(void) { clocks(); return ++counter; }
uint32_t plus(void) { return ++counter; }
void add_two(void) { counter += 2; }
uint64_t mul(uint32_t a, uint64_t b) { return a * b; }
int sum(int a, int b, int c, int d, int e, int f) { return a + 2*b + 3*c + 4*d + 5*e + 6*f; }
void copy(uint8_t *out, const uint8_t *in, unsigned n) { memcpy(out, in, n); }
int leaky(const uint8_t *key) { return key[0] & 1 ? table[key[1] & 63] : 3; }
int calm(const uint8_t *key) { return key[0] ^ key[1]; }
void spin(void) { for (;;) {} }
void hello(void) { printf("hello %d\n", 5); }
void *allocate(unsigned n) { return malloc(n); }
int deep(int n) { volatile char x[4000]; x[0] = (char)n; return n ? deep(n - 1) + x[0] : 0; }
static __attribute__((noinline)) int twice(int x) { return x * 2; }
int main(void) { return twice((int)counter); }
"""
CC = ("arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-Os", "-g", "-w", "-ffunction-sections")
BASE = "09" + 31 * "00"
TARGET = ("--target", "stm32f091")
MeasureFw = Callable[..., Done]


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A firmware of nobody's: linked for an STM32, with newlib and semihosting."""
    folder = tmp_path_factory.mktemp("firmware")
    (folder / "fw.c").write_text(FIRMWARE, encoding="utf-8")
    (folder / "fw.ld").write_text(SCRIPT, encoding="utf-8")
    specs = ("--specs=nano.specs", "--specs=rdimon.specs", "-nostartfiles", "-Tfw.ld")
    subprocess.run([*CC, *specs, "fw.c", "-o", "fw.elf"], cwd=folder, check=True)
    return folder / "fw.elf"


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> MeasureFw:
    """Runs a command line in this process: many small ones are a second each in their own."""

    def call(*arguments: str, cwd: Path) -> Done:
        monkeypatch.chdir(cwd)
        code = run(["measure", *arguments])
        said = capsys.readouterr()
        return Done(subprocess.CompletedProcess(arguments, code, said.out, said.err))

    return call


@pytest.fixture
def fw(here: MeasureFw, firmware: Path) -> MeasureFw:
    """Calls a function of that firmware."""

    def call(function: str, *arguments: str) -> Done:
        options = ("--elf", "fw.elf", "--function", function, *TARGET)
        return here(*options, *arguments, cwd=firmware.parent)

    return call


def one(done: Done) -> dict[str, Any]:
    """The record that was printed as json."""
    records: list[dict[str, Any]] = json.loads(done.out)
    assert len(records) == 1
    return records[0]


class Keeping(Store):
    """Builds anew."""

    def __init__(self) -> None:
        super().__init__(enabled=False)


def bench_row(target: str, curve: str, op: str, preset: str) -> Row:
    chosen = select(
        targets=(target,), libraries=("ecfit",), curves=(curve,), ops=(op,), presets=(preset,),
        sets=(), mode="datasheet", peers=all_peers({}), toolchains=("gcc",), opts=("Os",),
    )  # fmt: skip
    return rows(chosen)[0]


@pytest.mark.parametrize(
    "what",
    [
        "samd20 x25519 ecdh tiny",
        "stm32f411 secp256r1 sign balanced",
        "esp32c3 x25519 keygen tiny",
    ],
)
def test_a_function_of_ours_counts_as_in_the_bench(
    ecfit: Ecfit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The image that the bench builds, its operation called by name."""
    target, curve, op, preset = what.split()
    kept: dict[str, bytes] = {}
    read = build.read_image

    def keep(request: Request, data: bytes, *rest: Any) -> Image:
        kept[request.configuration.library] = data
        return read(request, data, *rest)

    monkeypatch.setattr(build, "read_image", keep)
    row = bench_row(target, curve, op, preset)
    record = Bench(Settings(), all_peers({}), Keeping()).measure(row)
    case = make_case(row.curve, op, 1, 0)
    for name, data in (("image.elf", kept["ecfit"]), ("in", case.data), ("pool", case.pool)):
        (tmp_path / name).write_bytes(data)
    arguments = ["--arg", "buffer:256", "--arg", "bytes:@in" if case.data else "buffer:256"]
    done = ecfit(
        "measure", "--elf", "image.elf", "--function", f"bench_{op}", "--target", target,
        *arguments, "--put", "bench_pool=bytes:@pool", "--expect", "0", "--format", "json",
        cwd=tmp_path,
    )  # fmt: skip
    assert (done.code, done.err) == (0, "")
    same(record, one(done))


def same(record: Record, seen: dict[str, Any]) -> None:
    names = ("cycles", "instructions", "stack_bytes", "time_us", "energy_uj", "error_class")
    assert [seen[name] for name in names] == [getattr(record, name) for name in names]
    assert record.cycles is not None and record.status == "ok"
    assert milliseconds(seen["time_us"]) != "-"


@pytest.mark.parametrize("name", ["mono.o", "libmono.a"])
def test_monocypher_from_its_object_or_archive(ecfit: Ecfit, monocypher: Path, name: str) -> None:
    """X25519 of another project: the right public key, in constant time on a Cortex-M4."""
    private = "77076d0a7318a57d3c16c17251b26645df4cf2f0b2c5cd1b7f5b1f2c5d2f4a3b"
    arguments = ("--arg", "buffer:32", "--arg", f"secret:{private}", "--arg", f"bytes:{BASE}")
    done = ecfit(
        "measure", "--elf", name, "--function", "crypto_x25519", "--target", "stm32f411",
        *arguments, "--n", "2", "--format", "json", cwd=monocypher,
    )  # fmt: skip
    seen, public = one(done), x25519_public(private)
    assert (done.code, seen["constant_time"], seen["outputs"]) == (0, "ok", f"argument 1={public}")
    assert seen["cycles_min"] == seen["cycles_max"] > 1_000_000
    assert seen["trace_hashes"] == 1


@pytest.fixture(scope="module")
def monocypher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with its object and archive, for a Cortex-M4."""
    folder = tmp_path_factory.mktemp("monocypher")
    source = code_folder(all_peers({})["monocypher"]) / "Monocypher" / "src" / "monocypher.c"
    cc = ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-Os", "-ffunction-sections"]
    subprocess.run([*cc, "-c", str(source), "-o", "mono.o"], cwd=folder, check=True)
    subprocess.run(["arm-none-eabi-ar", "rcs", "libmono.a", "mono.o"], cwd=folder, check=True)
    return folder


def x25519_public(private: str) -> str:
    """By an independent implementation."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    key = X25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    return key.public_key().public_bytes_raw().hex()


def test_micro_ecc_leaks_and_is_right(ecfit: Ecfit, tmp_path: Path) -> None:
    """The public key of 5. Its reductions decide by the secret."""
    source = code_folder(all_peers({})["micro-ecc"]) / "micro-ecc" / "uECC.c"
    subprocess.run([*CC, "-c", str(source), "-o", "uecc.o"], cwd=tmp_path, check=True)
    base = ("--arg", f"secret:{'00' * 31}05", "--arg", "buffer:64", "--arg", "call:uECC_secp256r1")
    done = ecfit(
        "measure", "--elf", "uecc.o", "--function", "uECC_compute_public_key", "--target",
        "samd20", *base, "--expect", "1", "--format", "json", cwd=tmp_path,
    )  # fmt: skip
    seen = one(done)
    assert (done.code, seen["constant_time"]) == (5, "leak")
    assert seen["findings"] > 10
    assert "in uECC_vli_modSub (uECC.c:" in seen["leaks"]
    assert seen["outputs"] == f"argument 2={public_of_five()}"
    assert "constant-time findings: the first: " in done.error


def public_of_five() -> str:
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key

    point = derive_private_key(5, SECP256R1()).public_key().public_numbers()
    return f"{point.x:064x}{point.y:064x}"


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ("plus", 8),
        ("plus --put counter=41", 42),
        ("plus --before add_two --before add_two", 12),
        ("sum --arg 1 --arg 1 --arg 1 --arg 1 --arg 0x10 --arg -1", 84),
        ("mul --arg 3 --arg u64:0x100000005", 0x30000000F),
        ("calm --arg secret:0305", 6),
        ("twice --arg 21", 42),
        ("callback --arg 1", None),
    ],
)
def test_calls(fw: MeasureFw, call: str, result: int | None) -> None:
    done = fw(*call.split(), "--format", "json")
    if result is None:
        assert (done.code, "unknown function 'callback'" in done.error) == (2, True)
        return
    seen = one(done)
    assert (done.code, seen["result"], seen["status"]) == (0, result, "ok")
    assert seen["cycles"] > 0


def test_outputs_and_verdicts_are_shown(fw: MeasureFw) -> None:
    done = fw("copy", "--arg", "buffer:4", "--arg", "bytes:0a0b0c0d", "--arg", "4")
    assert "argument 1: 0a0b0c0d" in done.out
    assert "constant time: nothing is marked as secret" in done.out
    assert "counter: 08000000" in fw("plus", "--show", "counter").out
    leaky = fw("leaky", "--arg", "secret:0102", "--n", "4")
    assert (leaky.code, leaky.error.endswith(": 1 constant-time finding")) == (5, True)
    found = fw("leaky", "--arg", "secret:0102", "--format", "json").error
    assert "1 constant-time finding: branch by argument 1 at 0x" in found
    assert "branch by argument 1" in leaky.out


def test_what_stands_there_at_the_limit_is_shown(fw: MeasureFw) -> None:
    done = fw("spin", "--limit", "100000", "--show", "counter")
    assert (done.code, "endless loop" in done.error) == (4, True)
    assert "counter: 07000000" in done.out


NEEDS = [
    ("next", "needs a peripheral", "0x40021000 in clocks (fw.c:11)"),
    ("next --map 0x40021000+1KiB --limit 100000", "endless loop", "clocks"),
    ("spin --limit 100000", "endless loop", "did not end within 100000 instructions"),
    ("hello", "needs a debugger", "semihosting"),
    ("unset --arg 1", "needs start-up", "--before"),
    ("copy --arg buffer:4", "needs an argument", "an argument is missing"),
    ("deep --arg 20", "stack overflow into data", "bytes of stack more"),
    ("copy --arg buffer:4 --arg bytes:0102030405 --arg 5", "buffer overrun", "argument 1"),
    ("plus --expect 9", "wrong result", "returned 0x8, not 0x9"),
]


@pytest.mark.parametrize(("call", "status", "said"), NEEDS)
def test_what_a_function_needs(fw: MeasureFw, call: str, status: str, said: str) -> None:
    done = fw(*call.split(), "--format", "json")
    seen = one(done)
    assert (done.code, seen["status"]) == (4, status)
    assert said in seen["detail"]
    assert seen["detail"] in done.error


WRONG = [
    ("--function pluss", "did you mean plus?"),
    ("--function plus --target samd20", "--flash-at"),
    ("--function plus --target esp32c3", "is for Arm, esp32c3 is RISC-V"),
    ("--function plus --target host", "not simulated"),
    ("--function plus --arg bytes:abc", "pairs of hexadecimal digits"),
    ("--function plus --arg what:1", "--arg takes an integer"),
    ("--function plus --arg bytes:@no", "cannot be read"),
    ("--function plus --arg 0x100000000", "not between"),
    ("--function plus --arg buffer:1000000", "no room for these arguments"),
    ("--function plus --put countr=1", "did you mean counter?"),
    ("--function plus --put counter", "--put takes"),
    ("--function plus --put counter=bytes:0102030405", "the variable has 4"),
    ("--function plus --n 2", "mark one"),
    ("--function plus --map 0x20000000+1KiB", "is there"),
    ("--function plus --map 1+1", "--map takes"),
    ("--elf fw.c --function plus", "is not an ELF file"),
    ("--elf missing --function plus", "cannot be read"),
    ("--elf stripped --function plus", "it is stripped"),
    ("--elf cut --function plus", "damaged or cut short"),
    ("--elf /bin/sh --function plus", "choose another target"),
    ("--elf alone.o --function f", "undefined reference to `g'"),
]


@pytest.mark.parametrize(("line", "said"), WRONG)
def test_what_cannot_be(here: MeasureFw, firmware: Path, line: str, said: str) -> None:
    folder = firmware.parent
    (folder / "cut").write_bytes(firmware.read_bytes()[:3000])
    subprocess.run(["arm-none-eabi-strip", "fw.elf", "-o", "stripped"], cwd=folder, check=True)
    (folder / "alone.c").write_text("int g(void); int f(void) { return g() + 1; }\n")
    if "alone.o" in line:
        subprocess.run([*CC, "-c", "alone.c"], cwd=folder, check=True)
    options = line.split()
    options += [] if "--target" in options else TARGET
    options += [] if "--elf" in options else ["--elf", "fw.elf"]
    done = here(*options, cwd=folder)
    assert done.code in (2, 3)
    assert said in done.error


def test_a_stripped_image_by_address(ecfit: Ecfit, firmware: Path) -> None:
    table = subprocess.run(
        ["arm-none-eabi-nm", str(firmware)], capture_output=True, text=True, check=True
    ).stdout
    address = next(line.split()[0] for line in table.splitlines() if line.endswith(" plus"))
    stripped = firmware.parent / "by-address"
    subprocess.run(["arm-none-eabi-strip", str(firmware), "-o", str(stripped)], check=True)
    done = ecfit("measure", "--elf", str(stripped), "--function", f"0x{address}", *TARGET,
                 "--expect", "8")  # fmt: skip
    assert (done.code, done.err) == (0, "")


def test_memory_that_begins_elsewhere(ecfit: Ecfit, firmware: Path) -> None:
    done = ecfit("measure", "--elf", str(firmware), "--function", "plus", "--target", "samd20",
                 "--flash-at", "0x08000000", "--expect", "8")  # fmt: skip
    assert (done.code, done.err) == (0, "")


def test_two_functions_of_one_name(here: MeasureFw, tmp_path: Path) -> None:
    for name, value in (("one", 5), ("two", 6)):
        body = f"static __attribute__((noinline, used)) int f(void) {{ return {value}; }}\n"
        (tmp_path / f"{name}.c").write_text(f"{body} int {name}(void) {{ return f(); }}\n")
    link = ("-nostdlib", "-Wl,-Ttext=0x200", "-Wl,-e,one")
    subprocess.run([*CC, *link, "one.c", "two.c", "-o", "f.elf"], cwd=tmp_path, check=True)
    options = ("--elf", "f.elf", "--target", "samd20")
    done = here(*options, "--function", "f", cwd=tmp_path)
    found = re.findall(r"0x[0-9a-f]+", done.error)
    assert (done.code, len(found)) == (2, 2)
    both = [here(*options, "--function", name, "--format", "json", cwd=tmp_path) for name in found]
    assert sorted(one(done)["result"] for done in both) == [5, 6]


def test_ram_that_begins_elsewhere(here: MeasureFw, tmp_path: Path) -> None:
    """On RISC-V: variables, and 64 bits in the registers that come."""
    (tmp_path / "r.c").write_text(
        "int kept = 3; long long f(int a, long long b) { kept += a; return kept + b; }\n"
    )
    cc = ("riscv64-unknown-elf-gcc", "-march=rv32imc", "-mabi=ilp32", "-Os", "-nostdlib")
    link = ("-Wl,-Ttext=0x42000000", "-Wl,-Tdata=0x30000000", "-Wl,-e,f")
    subprocess.run([*cc, *link, "r.c", "-o", "r.elf"], cwd=tmp_path, check=True)
    options = ("--elf", "r.elf", "--target", "esp32c3", "--function", "f", "--arg", "4",
               "--arg", "u64:0x500000006", "--show", "kept", "--format", "json")  # fmt: skip
    refused = here(*options, cwd=tmp_path)
    assert (refused.code, "--ram-at" in refused.error) == (2, True)
    seen = one(here(*options, "--ram-at", "0x30000000", cwd=tmp_path))
    assert (seen["status"], seen["result"], seen["outputs"]) == ("ok", 13, "kept=07000000")


SIZED = """
#include <stdint.h>
#include <string.h>
static const uint8_t table[256] = {1};
uint32_t first = 5, second, more[10];
int unused(int x) { return x / 3; }
uint32_t sized(uint32_t x) { more[x & 7] = first++; second += x; return table[x & 255] / x; }
"""


def test_the_size_is_that_of_the_image(fw: MeasureFw, firmware: Path) -> None:
    """Of a firmware, as binutils count it; the room that is kept for the heap is none."""
    said = subprocess.run(
        ["arm-none-eabi-size", "-A", str(firmware)], capture_output=True, text=True, check=True
    ).stdout
    sizes = {name: int(size) for name, size in re.findall(r"^(\.\S+) +(\d+)", said, re.MULTILINE)}
    seen = one(fw("plus", "--format", "json"))
    flash = sum(sizes.get(name, 0) for name in (".text", ".ARM.exidx", ".init_array", ".data"))
    assert seen["flash_bytes"] == flash
    assert seen["static_ram_bytes"] == sizes[".data"] + sizes[".bss"]
    assert re.search(r" flash B +RAM B$", fw("plus").out, re.MULTILINE)
    assert "the whole firmware" in fw("plus").out


def test_the_size_of_an_object_is_what_the_function_needs(here: MeasureFw, tmp_path: Path) -> None:
    """Its table, 256 bytes, and the division of libgcc, but no function beside it."""
    (tmp_path / "sized.c").write_text(SIZED)
    subprocess.run([*CC, "-fdata-sections", "-c", "sized.c"], cwd=tmp_path, check=True)
    options = ("--elf", "sized.o", *TARGET, "--arg", "3", "--function")
    small, whole = (
        one(here(*options, name, "--format", "json", cwd=tmp_path)) for name in ("unused", "sized")
    )
    assert whole["static_ram_bytes"] == 4 + 4 + 40
    assert small["static_ram_bytes"] == 0
    assert 256 + 4 + 50 < whole["flash_bytes"] < 256 + 600
    assert 0 < small["flash_bytes"] < 600
    assert "sized and what it needs" in here(*options, "sized", "--notes", cwd=tmp_path).out


def test_flash_is_compared(
    here: MeasureFw, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A record without sizes, of an older version, is read, and is no worse."""
    (tmp_path / "sized.c").write_text(SIZED)
    options = ("--elf", "sized.o", *TARGET, "--function", "sized", "--arg", "3")
    for name, size in (("old", 256), ("new", 300)):
        (tmp_path / "sized.c").write_text(SIZED.replace("[256]", f"[{size}]"))
        subprocess.run([*CC, "-c", "sized.c"], cwd=tmp_path, check=True)
        here(*options, "--format", "json", "-o", name, cwd=tmp_path)
    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    assert run(["compare", old, new, "--fail-on", "1%"]) == 7
    assert re.search(r"flash .* worse$", capsys.readouterr().out, re.MULTILINE)
    (record,) = json.loads((tmp_path / "old").read_text())
    del record["flash_bytes"], record["static_ram_bytes"]
    (tmp_path / "old").write_text(json.dumps([record]))
    assert run(["compare", old, new, "--fail-on", "10%"]) == 0


def test_every_format(fw: MeasureFw) -> None:
    (row,) = csv.DictReader(io.StringIO(fw("plus", "--format", "csv").out))
    assert (row["result"], row["status"], row["constant_time"]) == ("8", "ok", "")
    assert "| stm32f091 | plus | 0x8 |" in fw("plus", "--format", "md").out


def test_records_of_functions_are_compared(
    fw: MeasureFw, firmware: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = firmware.parent
    for name, function, value in (("a", "leaky", "0004"), ("b", "leaky", "secret:0004")):
        argument = value if ":" in value else f"bytes:{value}"
        fw(function, "--arg", argument, "--format", "json", "-o", name)
    text = (folder / "b").read_text()
    (folder / "b").write_text(text.replace("secret:", "bytes:"))
    assert run(["compare", str(folder / "a"), str(folder / "a"), "--fail-on", "0%"]) == 0
    capsys.readouterr()
    assert run(["compare", str(folder / "a"), str(folder / "b"), "--fail-on", "0%"]) == 7
    error = capsys.readouterr().err
    assert "status ok -> leak of " in error
    assert "leaky on stm32f091" in error
