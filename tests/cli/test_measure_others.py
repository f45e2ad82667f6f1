"""`ecfit measure` on what nobody here made: objects of C++, Rust, clang and LTO, archives of each
kind, an image of lld, AVR. Each has a figure, or one line that says what to do.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from ecfit.build import toolchain
from ecfit.build.foreign import plain_name
from ecfit.cli import run

ARM = ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-Os", "-ffunction-sections")
CXX = ("arm-none-eabi-g++", *ARM[1:])
RISCV = ("riscv64-unknown-elf-gcc", "--specs=picolibc.specs", "-march=rv32imc", "-mabi=ilp32")
CLANG = ("clang-19", "-O2", "-ffreestanding", "-ffunction-sections")
RV32 = ("--target=riscv32", "-march=rv32imc", "-mabi=ilp32")
CRC, TEXT = 0xCBF43926, "313233343536373839"  # of "123456789": the check value of CRC-32
CHECKED = ("--arg", f"bytes:{TEXT}", "--arg", "9")
SOURCE = """
#include <stdint.h>
uint32_t crc32(const uint8_t *p, unsigned n);
uint32_t crc32(const uint8_t *p, unsigned n)
{
    uint32_t c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int i = 0; i < 8; i++) c = c >> 1 ^ (0xedb88320 & (0u - (c & 1)));
    }
    return ~c;
}
static __attribute__((noinline, used)) int thrice(int x) { return 3 * x; }
int more(int x) { return thrice(x) + 1; }
"""
Measure = Callable[..., dict[str, Any]]


@pytest.fixture
def measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Measure:
    """Measures a function: the record with the exit code and the one line that was said, if any."""
    monkeypatch.chdir(tmp_path)

    def call(elf: str, function: str, *options: str, target: str = "stm32f411") -> dict[str, Any]:
        words = ("--elf", elf, "--function", function, "--target", target, *options)
        record = Path("record")
        record.unlink(missing_ok=True)
        code = run(["measure", *words, "--format", "json", "-o", str(record)])
        said = capsys.readouterr().err
        assert said.count("\n") <= 1, said
        rows = json.loads(record.read_text("utf-8")) if record.exists() else [{}]
        return {**rows[0], "code": code, "said": said}

    return call


def made(*command: str, source: str = SOURCE, name: str = "it.c", out: str = "it.o") -> str:
    """What a compiler makes of a source."""
    Path(name).write_text(source, encoding="utf-8")
    subprocess.run([*command, name, "-o", out], check=True)
    return out


@pytest.mark.parametrize("debug", [("-g",), ("-gdwarf-4",), ("-g", "-gz"), ()])
@pytest.mark.parametrize("machine", [RV32, ("--target=thumbv7em-none-eabi",)])
def test_objects_of_clang(
    measure: Measure, machine: tuple[str, ...], debug: tuple[str, ...]
) -> None:
    """The debug information of clang 19 for RV32 ends GNU ld 2.40 with a signal."""
    elf = made(*CLANG, *machine, *debug, "-c")
    target = "esp32c3" if machine is RV32 else "stm32f411"
    seen = measure(elf, "crc32", *CHECKED, "--expect", hex(CRC), target=target)
    assert (seen["code"], seen["result"]) == (0, CRC), seen["said"]
    secret = measure(elf, "crc32", "--arg", f"secret:{TEXT}", "--arg", "9", target=target)
    assert (secret["code"], secret["constant_time"]) == (0, "ok")


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_constants_of_an_odd_size(measure: Measure, size: int) -> None:
    """picolibc's memset says nothing of its alignment, and code at odd addresses does not run."""
    text = f"""#include <string.h>
    char a[64]; volatile int n = 41; const char s[{size}] = {{65}};
    int f(const char *p) {{ memset(a, p[0] + s[n & 1 & {size - 1}], n); return a[39]; }}"""
    elf = made(*RISCV, "-Os", "-c", source=text)
    seen = measure(elf, "f", "--arg", "bytes:01", target="esp32c3")
    assert (seen["code"], seen["result"] - 1 in (0, 65)) == (0, True), seen["said"]


def test_extensions_that_are_not_modelled(measure: Measure) -> None:
    """One line says how to compile it; then there is a figure. Hazard3 has Zba, and no Zbc."""
    text = """unsigned f(unsigned a, unsigned b)
    {
        unsigned r;
        __asm__(".option arch, +%s; %s %%0, %%1, %%2" : "=r"(r) : "r"(a), "r"(b));
        return r;
    }"""
    zba, zbc = text % ("zba", "sh1add"), text % ("zbc", "clmul")
    plain = "unsigned f(unsigned a, unsigned b) { return (a << 1) + b; }"
    for target, source, march in (
        ("rp2350", zbc, "rv32imac_zba_zbb_zbs_zbkb_zca_zcb_zcmp"),
        ("esp32c3", zba, "rv32imc"),
        ("rp2350", zba, ""),
        ("esp32c3", plain, ""),
    ):
        elf = made(*RISCV, "-Os", "-c", source=source)
        seen = measure(elf, "f", "--arg", "3", "--arg", "1", target=target)
        assert (seen["code"], f"with -march={march}, since" in seen["said"]) == (
            (4, True) if march else (0, False)
        )
        assert march or seen["result"] == 7


CLASS = """
#include <stdint.h>
namespace ns {
struct Sum {
    uint32_t from;
    uint32_t over(const uint8_t *p, unsigned n) const;
};
uint32_t Sum::over(const uint8_t *p, unsigned n) const
{
    uint32_t s = from;
    while (n--) s += *p++;
    return s;
}
int twice(int x) { return 2 * x; }
int twice(int x, int y) { return 2 * x + y; }
template <class T> T half(T x) { return x / 2; }
template int half<int>(int);
}
struct Start { uint32_t value; Start() : value(ns::twice(21)) {} } start;
uint32_t started() { return start.value; }
"""


def test_a_class_of_cxx(measure: Measure) -> None:
    elf = made(*CXX, "-fno-exceptions", "-fno-rtti", "-c", source=CLASS, name="it.cpp")
    this = ("--arg", "bytes:05000000", "--arg", "secret:010203", "--arg", "3")
    for name in ("ns::Sum::over", "ns::Sum::over(unsigned char const*, unsigned int) const"):
        seen = measure(elf, name, *this)
        assert (seen["code"], seen["result"], seen["constant_time"]) == (0, 11, "ok"), seen["said"]
    assert measure(elf, "_ZN2ns5twiceEi", "--arg", "4")["result"] == 8
    assert measure(elf, "ns::twice(int, int)", "--arg", "4", "--arg", "1")["result"] == 9
    assert measure(elf, "ns::half<int>", "--arg", "4")["result"] == 2
    assert measure(elf, "started")["result"] == 0
    symbols = toolchain.symbols("armv7m", Path(elf))
    (constructor,) = (name for name in symbols if name.startswith("_GLOBAL__sub_I_"))
    assert measure(elf, "started", "--before", constructor)["result"] == 42
    for name, said in (
        ("ns::twice", "choose ns::twice(int), ns::twice(int, int)"),
        ("twice", "did you mean ns::twice"),
        ("ns::Sum::ov", "there are ns::Sum::over"),
    ):
        wrong = measure(elf, name)
        assert (wrong["code"], said in wrong["said"]) == (2, True), wrong["said"]


def test_a_class_that_throws(measure: Measure) -> None:
    """With the library of C++ it is thrown and caught; without, one line names the package."""
    text = 'extern "C" int f(int x) { try { if (x > 3) throw x; } catch (int e) { return -e; }'
    elf = made(*CXX, "-c", source=text + " return 0; }", name="it.cpp")
    seen = measure(elf, "f", "--arg", "5", "--expect", "-5")
    if any("libstdc++" in path for path in toolchain.libraries("armv7m", "cortex-m4")):
        assert (seen["code"], seen["status"]) == (0, "ok"), seen["said"]
    else:
        assert seen["code"] == 3
        assert "install the package libstdc++-arm-none-eabi-newlib" in seen["said"]
        assert "-fno-exceptions" in seen["said"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ns::Sum::over(unsigned char const*) const", "ns::Sum::over"),
        ("int ns::half<int>(int)", "ns::half<int>"),
        ("std::map<int, a::b>::at(int const&)", "std::map<int, a::b>::at"),
        ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
        ("ns::operator<(ns::A, ns::A)", "ns::operator<(ns::A, ns::A)"),
        ("core::panicking::panic", "core::panicking::panic"),
        ("main", "main"),
    ],
)
def test_the_name_in_a_prototype(text: str, name: str) -> None:
    assert plain_name(text) == name


@pytest.mark.parametrize("debug", ["-g", "-g0"])
def test_results_of_64_bits(measure: Measure, debug: str) -> None:
    """Whole where the debug information says so; else the second register is there as well."""
    text = "long long f(unsigned a) { return (long long)a << 31; } int g(int a) { return a - 5; }"
    elf = made(*ARM, debug, "-c", source=text)
    seen, known = measure(elf, "f", "--arg", "16"), debug == "-g"
    assert (seen["result"], seen["result_high"]) == ((0x800000000, None) if known else (0, 8))
    assert measure(elf, "f", "--arg", "16", "--expect", "0x800000000")["code"] == 0
    wrong = measure(elf, "f", "--arg", "16", "--expect", "0x800000001")
    assert "returned 0x800000000, not 0x800000001" in wrong["said"]
    seen = measure(elf, "g", "--arg", "1", "--expect", "-4")
    assert (seen["code"], seen["result"], seen["result_high"]) == (0, 0xFFFFFFFC, None)


@pytest.mark.parametrize("options", [(), ("-flto",), ("-flto", "-ffat-lto-objects")])
@pytest.mark.parametrize("kind", ["object", "rcs", "rcsT"])
def test_archives_and_objects(measure: Measure, kind: str, options: tuple[str, ...]) -> None:
    """Also thin archives, and objects that hold what GCC's LTO wants alone."""
    elf = made(*ARM, *options, "-c")
    if kind != "object":
        subprocess.run(["arm-none-eabi-gcc-ar", kind, "lib.a", "it.o"], check=True)
        elf = "lib.a"
    assert measure(elf, "crc32", *CHECKED)["result"] == CRC
    unknown = measure(elf, "crc23")
    assert (unknown["code"], "did you mean crc32" in unknown["said"]) == (2, True)
    static = measure(elf, "thrice", "--arg", "5")
    if kind == "rcsT" and "-flto" not in options:
        assert (static["code"], "measure its object" in static["said"]) == (2, True)
    elif "-flto" not in options:
        assert (static["result"], static["flash_bytes"] < 20) == (15, True)
    if kind == "rcsT":
        Path("it.o").unlink()
        lost = measure(elf, "crc32")
        assert (lost["code"], "thin archive" in lost["said"]) == (3, True)


@pytest.mark.parametrize("fat", [True, False])
@pytest.mark.parametrize("kind", ["object", "archive"])
def test_objects_of_another_version_of_gcc(measure: Measure, kind: str, *, fat: bool) -> None:
    """Its code for LTO is nothing that this one reads, but there may be code of the chip."""
    elf = made(*ARM, "-flto", *(["-ffat-lto-objects"] if fat else []), "-c")
    data = bytearray(Path(elf).read_bytes())
    with Path(elf).open("rb") as file:
        sections = [*ELFFile(file).iter_sections()]
        (lto,) = [one for one in sections if one.name.startswith(".gnu.lto_.lto.")]
    data[lto["sh_offset"]] += 3  # the major version
    Path(elf).write_bytes(data)
    if kind == "archive":
        subprocess.run(["arm-none-eabi-gcc-ar", "rcs", "lib.a", elf], check=True)
        elf = "lib.a"
    seen = measure(elf, "crc32", *CHECKED)
    if fat:
        assert (seen["code"], seen["result"]) == (0, CRC), seen["said"]
    else:
        assert (seen["code"], "with -ffat-lto-objects, or without -flto" in seen["said"]) == (
            3,
            True,
        )


def test_functions_of_the_mathematical_library(measure: Measure) -> None:
    text = "#include <math.h>\nint f(int x) { return (int)(1000 * sqrt(x)); }"
    assert measure(made(*ARM, "-c", source=text), "f", "--arg", "2")["result"] == 1414


def test_code_that_is_compiled_when_it_is_linked(measure: Measure) -> None:
    """LLVM's: one line for the object and for the archive; the image of lld has a figure."""
    clang = (*CLANG, "--target=thumbv7em-none-eabi", "-flto")
    made(*clang, "-c")
    subprocess.run(["ar", "rc", "lib.a", "it.o"], check=True)
    for name in ("it.o", "lib.a"):
        refused = measure(name, "crc32", *CHECKED)
        assert (refused["code"], "link the image with lld" in refused["said"]) == (2, True)
    link = ("-fuse-ld=lld", "-nostdlib", "-Wl,-Ttext=0x08000200,-e,crc32,-u,more")
    seen = measure(made(*clang, *link, out="lld.elf"), "crc32", *CHECKED)
    assert (seen["code"], seen["result"]) == (0, CRC), seen["said"]


def test_objects_of_other_machines(measure: Measure) -> None:
    """An image of an Arduino, and an archive for the machine on which it was made by mistake."""
    made("avr-gcc", "-mmcu=atmega328p", "-Os", source=SOURCE + "int main(void) {}", out="uno.elf")
    for target in ("stm32f411", "atmega328p"):
        seen = measure("uno.elf", "crc32", target=target)
        assert (seen["code"], "uno.elf is for AVR" in seen["said"]) == (2, True), seen["said"]
        assert "ecfit bench --target atmega328p" in seen["said"]
    made("gcc", "-c", out="host.o")
    subprocess.run(["ar", "rc", "host.a", "host.o"], check=True)
    seen = measure("host.a", "crc32")
    assert (seen["code"], "host.a is for x86-64" in seen["said"]) == (2, True), seen["said"]


def test_other_commands_name_the_one_for_objects(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("ct", "bench", "size"):
        assert run([command, "--elf", "it.o"]) == 2
        said = capsys.readouterr().err
        assert "ecfit measure: --elf FILE --function NAME; --arg secret:HEX" in said
        assert said.count("\n") == 1


RUST = """
#![no_std]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
mod crc {
    #[inline(never)]
    pub fn of(d: &[u8]) -> u32 {
        let mut c = !0u32;
        for b in d {
            c ^= *b as u32;
            for _ in 0..8 { c = (c >> 1) ^ (0xedb88320 & (0u32.wrapping_sub(c & 1))); }
        }
        !c
    }
}
#[unsafe(no_mangle)]
pub extern "C" fn crc32(p: *const u8, n: usize) -> u32 {
    crc::of(unsafe { core::slice::from_raw_parts(p, n) })
}
#[unsafe(no_mangle)]
pub extern "C" fn leaky(key: &[u8; 4]) -> u32 { if key[0] > 7 { crc::of(key) } else { 0 } }
"""


@pytest.mark.parametrize("names", ["legacy", "v0"])
def test_a_static_library_of_rust(measure: Measure, names: str) -> None:
    where = "thumbv7em-none-eabi"
    if shutil.which("rustc") is None:
        pytest.skip("Rust is not installed")
    root = subprocess.run(
        ["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True
    )
    if not (Path(root.stdout.strip()) / "lib" / "rustlib" / where).is_dir():
        pytest.skip(f"Rust's core library for {where} is not installed: rustup target add {where}")
    rustc = ("rustc", "--target", where, "--crate-type", "staticlib", "-Copt-level=s")
    options = ("-Cpanic=abort", "-g", *(["-Csymbol-mangling-version=v0"] if names == "v0" else []))
    elf = made(*rustc, *options, source=RUST, name="lib.rs", out="lib.a")
    for function in ("crc32", "lib::crc::of"):
        seen = measure(elf, function, *CHECKED)
        assert (seen["code"], seen["result"]) == (0, CRC), seen["said"]
        assert 0 < seen["flash_bytes"] < 400
    leak = measure(elf, "leaky", "--arg", "secret:01020304")
    assert (leak["code"], leak["constant_time"]) == (5, "leak"), leak["said"]
    assert "leaky (lib.rs)" in leak["leaks"] or "leaky (lib.rs:" in leak["leaks"], leak["leaks"]
    later = (*rustc, "-Cpanic=abort", "-Clinker-plugin-lto")
    made(*later, source=RUST, name="lib.rs", out="later.a")
    assert "linker-plugin-lto" in measure("later.a", "crc32")["said"]
