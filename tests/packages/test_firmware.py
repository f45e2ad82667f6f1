"""Packages for firmware: the module of Zephyr, the component of ESP-IDF, the libraries of
PlatformIO and Arduino. Their descriptions are what the ecosystem's own tools take, or its schema;
they are compiled with stand-ins for the few macros of the ecosystem, by the compilers of its chips.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import kconfiglib
import pytest
import yaml

from tools.docs import stacks, uecc_table
from tools.packages import arduino
from workshop.devices.consumer import ROOT, WHOLE, blocks, run

# What a project of Zephyr has: zephyr/module.yml is read by its scripts/zephyr_module.py.
TEXT = {"type": "string"}
MODULE = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "name": TEXT,
        "build": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"cmake": TEXT, "kconfig": TEXT},
        },
    },
}
STAND_INS = """cmake_minimum_required(VERSION 3.20)
project(app C ASM)
{includes}
{functions}
add_subdirectory({package} ecfit-module)
add_library(app OBJECT {folder}/main.c)
target_compile_options(app PRIVATE {options})
target_link_libraries(app PRIVATE ecfit)
"""
ZEPHYR = """
add_library(zephyr_interface INTERFACE)
target_compile_options(zephyr_interface INTERFACE {options} -imacros {folder}/autoconf.h)
macro(zephyr_library_named name)
    set(ZEPHYR_CURRENT_LIBRARY ${{name}})
    add_library(${{name}} STATIC)
    target_link_libraries(${{name}} PUBLIC zephyr_interface)
endmacro()
macro(zephyr_library_sources)
    target_sources(${{ZEPHYR_CURRENT_LIBRARY}} PRIVATE ${{ARGN}})
endmacro()
macro(zephyr_library_include_directories)
    target_include_directories(${{ZEPHYR_CURRENT_LIBRARY}} PRIVATE ${{ARGN}})
endmacro()
macro(zephyr_include_directories)
    target_include_directories(zephyr_interface INTERFACE ${{ARGN}})
endmacro()
macro(zephyr_compile_definitions)
    target_compile_definitions(zephyr_interface INTERFACE ${{ARGN}})
endmacro()
macro(zephyr_compile_options)
    target_compile_options(zephyr_interface INTERFACE ${{ARGN}})
endmacro()
"""
IDF = """
set(ESP_PLATFORM 1)
set(PROJECT_DIR {folder})
macro(idf_component_register)
    cmake_parse_arguments(_ "" "" "SRCS;INCLUDE_DIRS;PRIV_INCLUDE_DIRS" ${{ARGN}})
    set(COMPONENT_LIB ecfit)
    add_library(ecfit STATIC ${{__SRCS}})
    target_include_directories(ecfit PUBLIC ${{__INCLUDE_DIRS}} PRIVATE ${{__PRIV_INCLUDE_DIRS}})
    target_compile_options(ecfit PRIVATE {options} -I{folder})
endmacro()
"""
MAIN = """#include <ecfit.h>
int use(const uint8_t k[32], const uint8_t p[32], uint8_t s[32]) { return ecfit_x25519(s, k, p); }
"""
PARSED = """int use(uint8_t **at, uint8_t *end);
int use(uint8_t **at, uint8_t *end) { return bootutil_ecdsa_parse_public_key(NULL, at, end); }
"""
STRICT = "-Os -Wall -Wextra -Werror -ffunction-sections -fdata-sections"
M0PLUS = ("arm-none-eabi-", f"-mcpu=cortex-m0plus -mthumb {STRICT}")
C3 = ("riscv64-unknown-elf-", f"-march=rv32imc -mabi=ilp32 --specs=picolibc.specs {STRICT}")


def chosen(menu: Path, folder: Path, ecosystem: str) -> kconfiglib.Kconfig:
    """The menu of a package with the settings of docs/packages.md; nothing of them is unknown."""
    path = folder / "prj.conf"
    path.write_text(blocks(ecosystem)[0], encoding="utf-8")
    kconfig = kconfiglib.Kconfig(str(menu), warn_to_stderr=False)
    kconfig.load_config(str(path))
    assert kconfig.warnings == []
    return kconfig


def built(
    folder: Path,
    package: Path,
    stand_ins: str,
    chip: tuple[str, str],
    cmake: str,
    *,
    main: str = MAIN,
) -> str:
    """Symbols of the library as the stand-ins build it, with a caller beside it."""
    prefix, options = chip
    (folder / "main.c").write_text(main, encoding="utf-8")
    text = STAND_INS + "set(CMAKE_EXPORT_COMPILE_COMMANDS ON)\n"
    words = {"options": options, "folder": folder}
    text = text.format(
        includes=cmake, functions=stand_ins.format(**words), package=package, **words
    ).replace(options, ";".join(options.split()))
    (folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
    run("cmake", "-S", folder, "-B", folder / "build", "-DCMAKE_SYSTEM_NAME=Generic",
        f"-DCMAKE_C_COMPILER={prefix}gcc", f"-DCMAKE_ASM_COMPILER={prefix}gcc",
        "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY")  # fmt: skip
    run("cmake", "--build", folder / "build")
    (library,) = (folder / "build").rglob("libecfit.a")
    return run(f"{prefix}nm", library)


def test_zephyr(tmp_path: Path) -> None:
    """On a Cortex-M0+, whose backend in assembly the menu takes of itself."""
    module = yaml.safe_load((ROOT / "zephyr" / "module.yml").read_text(encoding="utf-8"))
    jsonschema.validate(module, MODULE)
    assert (ROOT / module["build"]["cmake"] / "CMakeLists.txt").is_file()
    top = tmp_path / "Kconfig"
    menu = ROOT / module["build"]["kconfig"]
    top.write_text(
        f'config CPU_CORTEX_M0PLUS\n    bool\n    default y\n\nosource "{menu}"\n', encoding="utf-8"
    )
    found = chosen(top, tmp_path, "Zephyr")
    assert found.syms["ECFIT_BACKEND_ARMV6M"].str_value == "y"
    found.write_autoconf(str(tmp_path / "autoconf.h"))
    cmake = 'set(CONFIG_ECFIT y)\nset(CONFIG_ECFIT_CONFIG_DIR "")'
    symbols = built(tmp_path, ROOT / "zephyr", ZEPHYR, M0PLUS, cmake)
    assert " T ecfit_x25519\n" in symbols
    assert " T ecfit_secp256r1_ecdh\n" in symbols  # the menu's own curve
    assert "ecfit_asm.S" in symbols


def test_mcuboot_on_zephyr(tmp_path: Path) -> None:
    """The library has the functions of MCUboot, whose files get its header and its macros."""
    run(Path(sys.executable).parent / "ecfit", "config", "--target", "samd20", "--curve",
        "secp256r1", "--op", "verify", "--set", "DER=strict,HASH_STREAM=own",
        "-o", tmp_path / "crypto")  # fmt: skip
    (tmp_path / "autoconf.h").write_text(
        "#define CONFIG_BOOT_SIGNATURE_TYPE_ECDSA_P256 1\n", encoding="utf-8"
    )
    port = tmp_path / "mcuboot_config"
    port.mkdir()
    (port / "mcuboot_config.h").write_text("#define MCUBOOT_SIGN_EC256\n", encoding="utf-8")
    cmake = "set(CONFIG_ECFIT y)\nset(CONFIG_BOOT_ECDSA_ECFIT y)\n"
    cmake += f'set(CONFIG_ECFIT_CONFIG_DIR "crypto")\nset(APPLICATION_SOURCE_DIR {tmp_path})\n'
    cmake += f"include_directories({tmp_path})"
    ours = "#if !defined(MCUBOOT_USE_CUSTOM_CRYPTO)\n#error\n#endif\n" + PARSED
    symbols = built(tmp_path, ROOT / "zephyr", ZEPHYR, M0PLUS, cmake, main=ours)
    assert " T bootutil_ecdsa_verify\n" in symbols
    assert " T ecfit_secp256r1_ecdsa_verify\n" in symbols
    cmake = cmake.replace('"crypto"', '""')
    with pytest.raises(AssertionError, match=r"ecfit config --target CHIP\s+--curve secp256r1"):
        built(tmp_path, ROOT / "zephyr", ZEPHYR, M0PLUS, cmake, main=ours)


@WHOLE
def test_zephyr_with_a_folder_of_ones_own(tmp_path: Path) -> None:
    """A folder of `ecfit amalgamate`'s code, named from the application's folder."""
    run(Path(sys.executable).parent / "ecfit", "config", "--target", "samd20", "--curve", "x25519",
        "--preset", "tiny", "-o", tmp_path / "crypto")  # fmt: skip
    (tmp_path / "autoconf.h").write_text("", encoding="utf-8")
    cmake = 'set(CONFIG_ECFIT y)\nset(CONFIG_ECFIT_CONFIG_DIR "crypto")'
    cmake += f"\nset(APPLICATION_SOURCE_DIR {tmp_path})"
    assert " T ecfit_x25519\n" in built(tmp_path, ROOT / "zephyr", ZEPHYR, M0PLUS, cmake)


@WHOLE
def test_esp_idf(tmp_path: Path) -> None:
    """On the core of an ESP32-C3."""
    top = tmp_path / "Kconfig"
    top.write_text(
        f'config IDF_TARGET_ARCH_RISCV\n    bool\n    default y\n\nosource "{ROOT}/Kconfig"\n',
        encoding="utf-8",
    )
    found = chosen(top, tmp_path, "ESP-IDF")
    assert found.syms["ECFIT_BACKEND_RV32IM"].str_value == "y"
    found.write_autoconf(str(tmp_path / "sdkconfig.h"))
    symbols = built(tmp_path, ROOT, IDF, C3, 'set(CONFIG_ECFIT_CONFIG_DIR "")')
    assert " T ecfit_x25519\n" in symbols
    assert "ecfit_secp256r1_ecdh" not in symbols


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with ESP-IDF's own tools, which want other versions of what
    this project uses.
    """
    folder = tmp_path_factory.mktemp("tools")
    run(sys.executable, "-m", "venv", folder)
    packages = ("idf-component-manager==3.1.2", "esp-idf-kconfig==3.14.0")
    run(folder / "bin/pip", "install", "-q", *packages)
    return folder


IDF_CHECK = """import sys
from pathlib import Path
from idf_component_tools.manager import ManifestManager
manager = ManifestManager(Path(sys.argv[1]), 'ecfit')
manifest = manager.load()
print(manifest.version, manifest.license, *manifest.targets)
"""


@WHOLE
def test_esp_idfs_own_tools_take_it(tools: Path, tmp_path: Path) -> None:
    """The component manager its description, kconfgen its menu."""
    python = tools / "bin/python"
    assert run(python, "-c", IDF_CHECK, ROOT).split()[1] == "MIT"
    (tmp_path / "sdkconfig.defaults").write_text(blocks("ESP-IDF")[0], encoding="utf-8")
    header = tmp_path / "sdkconfig.h"
    run(python, "-m", "kconfgen", "--kconfig", ROOT / "Kconfig", "--config", tmp_path / "sdkconfig",
        "--defaults", tmp_path / "sdkconfig.defaults", "--output", "header", header,
        IDF_TARGET="esp32c3", IDF_PATH=str(tmp_path))  # fmt: skip
    text = header.read_text(encoding="utf-8")
    assert "#define CONFIG_ECFIT_X25519 1" in text
    assert "#define CONFIG_ECFIT_SECP256R1 1" not in text


@pytest.mark.parametrize("block", [0, 1])
def test_platformio_compiles(block: int, tmp_path: Path) -> None:
    """As its builder does: its folder of headers first, then that of sources, then the flags; a
    project's build_flags choose, or name a folder of a configuration, with a table.
    """
    if block:
        run(Path(sys.executable).parent / "ecfit", "config", "--target", "samd20",
            "--curve", "x25519,secp256r1", "--set", "secp256r1.COMB_TEETH=3",
            "-o", tmp_path / "include/crypto")  # fmt: skip
    manifest = json.loads((ROOT / "library.json").read_text(encoding="utf-8"))
    build = manifest["build"]
    chosen = shlex.split(blocks("PlatformIO")[block].partition("=")[2])
    flags = ["-Os", "-mcpu=cortex-m0plus", *chosen]
    folders = [f"-I{ROOT / build[name]}" for name in ("includeDir", "srcDir")]
    folders += [flag.replace("-I", f"-I{ROOT}/") for flag in build["flags"]]
    for pattern in build["srcFilter"][1:]:
        source = ROOT / build["srcDir"] / pattern.strip("+<>")
        run("arm-none-eabi-gcc", *flags, *folders, "-c", source, cwd=tmp_path)
    names = run("arm-none-eabi-nm", tmp_path / "ecfit.o")
    assert " T ecfit_x25519\n" in names
    assert (" T ecfit_secp256r1_ecdh\n" in names) == bool(block)
    (tmp_path / "main.c").write_text(MAIN, encoding="utf-8")
    run("arm-none-eabi-gcc", *flags, folders[0], "-c", "main.c", cwd=tmp_path)


# ---- Arduino ------------------------------------------------------------------------------------

ARDUINO_H = """#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define A0 0
struct Port {
    void begin(long) {}
    void println(const char *text) { puts(text); }
    void println(unsigned value) { printf("%u\\n", value); }
};
static Port Serial;
static unsigned analogRead(int) { return 215; }
static void delay(int) { exit(0); }
"""
# The same for an Uno: its serial port, and how much of the RAM nothing came to.
UNO_H = """#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>
#include <stdlib.h>
struct Port {
    void begin(long) { UCSR0B = 1 << TXEN0; }
    void print(const char *text)
    {
        for (; *text; UDR0 = *text++)
            while (!(UCSR0A & 1 << UDRE0)) {}
    }
    void println(const char *text) { print(text); print("\\n"); }
    void println(unsigned value) { char text[6]; println(utoa(value, text, 10)); }
};
static Port Serial;
static void delay(int) {}
"""
UNO = """#include "Arduino.h"
#include "VerifySignature.ino"
extern uint8_t _end;
int main()
{
    uint8_t *free = &_end;
    for (uint8_t *byte = free; byte < (uint8_t *)SP - 16; byte++)
        *byte = 0xa5;
    setup();
    for (int i = 0; i < 3; i++)
        loop();
    while (*free == 0xa5)
        free++;
    Serial.println((unsigned)(free - &_end));
    cli();
    sleep_enable();
    sleep_cpu();
}
"""
ARDUINO = Path("/usr/share/arduino/hardware/arduino")
INCLUDE = blocks("Arduino")[0]
RUN = '#include "Arduino.h"\n#include "SignedReading.ino"\nint main() { setup(); loop(); }\n'
BOARDS = {
    "Mega 2560": ("avr-gcc", "-mmcu=atmega2560", "-w"),
    "Uno R3": ("avr-gcc", "-mmcu=atmega328p", "-w"),
    "Zero": ("arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb"),
    "Due": ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"),
    "Nano 33 BLE": ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"),
    "an ESP32-C3": ("riscv64-unknown-elf-gcc", "-march=rv32imc", "-mabi=ilp32",
                    "--specs=picolibc.specs"),
}  # fmt: skip

# The board, its chip, and what the example says.
EXAMPLES = {
    "SignedReading": ("mega:cpu=atmega2560", "atmega2560", {"0"}),
    "VerifySignature": ("uno", "atmega328p", {"OK", "refused"}),
}


@pytest.fixture(scope="module")
def sketchbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library as `Add .ZIP Library` unpacks it."""
    folder = tmp_path_factory.mktemp("libraries") / "ecfit"
    for name, data in arduino.library().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def test_arduino_describes_itself(sketchbook: Path) -> None:
    """As the specification of libraries, revision 1.5, and arduino-lint's rules ask: every required
    line, a version in three numbers, a category that exists, a folder src with the headers that it
    names, of which one has the library's name; a licence, a readme; sketches in examples alone.
    """
    lines = (sketchbook / "library.properties").read_text(encoding="utf-8").splitlines()
    found = dict(line.split("=", 1) for line in lines)
    required = "name version author maintainer sentence paragraph category url architectures"
    assert all(found[name] for name in required.split())
    assert re.fullmatch(r"[A-Za-z][\w .-]{0,62}", found["name"])
    assert re.fullmatch(r"\d+\.\d+\.\d+", found["version"])
    assert found["category"] in {
        "Display", "Communication", "Signal Input/Output", "Sensors", "Device Control", "Timing",
        "Data Storage", "Data Processing", "Other",
    }  # fmt: skip
    assert not found["sentence"].lower().startswith(("arduino", "library"))
    assert (sketchbook / "src" / found["includes"]).is_file()
    assert found["includes"] == f"{sketchbook.name}.h" == f"{found['name']}.h"
    words = " ".join((found["name"], found["author"], found["maintainer"])).lower()
    assert "arduino" not in words
    assert found["sentence"] not in found["paragraph"]
    assert found["url"].startswith("https://")
    paths = [path for path in sketchbook.rglob("*") if not path.is_dir()]
    assert not any(path.is_symlink() or path.name.startswith(".") for path in paths)
    assert {path.suffix for path in paths if path.parent == sketchbook / "src"} <= {
        ".c", ".h", ".inc", ".S",
    }  # fmt: skip
    folders = {path.name for path in sketchbook.iterdir() if path.is_dir()}
    assert folders == {"src", "examples"}
    assert {path.name for path in sketchbook.iterdir()} >= {"LICENSE", "README.md"}
    assert {path.suffix for path in paths if path.suffix in (".ino", ".pde", ".exe")} == {".ino"}
    assert f"#include <{found['includes']}>" in INCLUDE
    for example in (sketchbook / "examples").iterdir():
        assert (example / f"{example.name}.ino").is_file()


def test_arduinos_example_runs(sketchbook: Path, tmp_path: Path) -> None:
    """The sketch on this machine, with a stand-in for the board: signed and verified."""
    (tmp_path / "Arduino.h").write_text(ARDUINO_H, encoding="utf-8")
    (tmp_path / "sketch.cpp").write_text(RUN, encoding="utf-8")
    source = sketchbook / "src"
    run("gcc", "-Os", "-std=gnu11", "-c", source / "ecfit.c", cwd=tmp_path)
    run("g++", "-Os", "-std=gnu++11", f"-I{source}", f"-I{sketchbook}/examples/SignedReading",
        "sketch.cpp", "ecfit.o", "-o", "sketch", cwd=tmp_path)  # fmt: skip
    assert run(tmp_path / "sketch") == "215\n"


def test_arduinos_uno_verifies_a_signature(sketchbook: Path, tmp_path: Path) -> None:
    """The sketch in an Uno's 2 KB of RAM and 32 KB of flash, on simavr with a stand-in for
    Arduino's core: a right signature is taken, that of a changed message is not. A third
    of the RAM and half of the flash are left for the rest of the sketch.
    """
    (tmp_path / "Arduino.h").write_text(UNO_H, encoding="utf-8")
    (tmp_path / "sketch.cpp").write_text(UNO, encoding="utf-8")
    flags = ["-mmcu=atmega328p", "-Os", "-ffunction-sections", "-fdata-sections"]
    source = sketchbook / "src"
    for name in ("ecfit.c", "ecfit_asm.S"):
        run("avr-gcc", *flags, "-c", source / name, cwd=tmp_path)
    folders = [f"-I{source}", f"-I{sketchbook}/examples/VerifySignature"]
    objects = ["ecfit.o", "ecfit_asm.o", "-Wl,--gc-sections"]
    run("avr-g++", *flags, *folders, "sketch.cpp", *objects, "-o", "sketch.elf", cwd=tmp_path)
    sizes = run("avr-size", tmp_path / "sketch.elf").splitlines()[1].split()
    assert int(sizes[0]) + int(sizes[1]) < 16384
    *answers, free = simulated("atmega328p", tmp_path / "sketch.elf")
    assert answers == ["OK", "refused", "OK"]
    assert 3 * int(free) >= 2048


@WHOLE
@pytest.mark.parametrize("board", BOARDS)
def test_arduino_compiles_for(board: str, sketchbook: Path, tmp_path: Path) -> None:
    """As its builder does: each source below src by itself; the sketch as C++."""
    compiler, *flags = BOARDS[board]
    usual = ["-Os", "-g", "-ffunction-sections", "-fdata-sections"]
    sources = sketchbook / "src"
    for path in sorted([*sources.rglob("*.c"), *sources.rglob("*.S")]):
        standard = ["-std=gnu11"] if path.suffix == ".c" else []
        run(compiler, *flags, *usual, *standard, "-c", path, cwd=tmp_path)
    names = run(compiler.replace("gcc", "nm"), tmp_path / "ecfit.o")
    assert " T ecfit_ed25519_sign\n" in names


def simulated(board: str, image: Path) -> list[str]:
    """The lines that an image writes to its serial port on simavr, within a minute."""
    done = subprocess.run(
        ["timeout", "60", "simavr", "-m", board, "-f", "16000000", str(image)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return re.findall(r"^(?:\x1b\[[0-9]*m)+(\w+)", done.stdout + done.stderr, re.MULTILINE)


@WHOLE
@pytest.mark.parametrize("example", EXAMPLES)
def test_arduinos_own_builder_and_a_simulated_board(
    example: str, sketchbook: Path, tmp_path: Path
) -> None:
    """The examples as the builder makes them, with Arduino's core for AVR, on simavr. The reading
    is 0 there, and is signed and verified.
    """
    board, chip, lines = EXAMPLES[example]
    if shutil.which("arduino-builder") is None or not ARDUINO.is_dir():
        pytest.skip("install the packages arduino-builder, arduino-core-avr")
    (tmp_path / "build").mkdir()
    run("arduino-builder", "-compile", "-hardware", "/usr/share/arduino-builder",
        "-hardware", ARDUINO.parent, "-tools", "/usr/bin", "-tools", "/usr/share/arduino-builder",
        "-libraries", sketchbook.parent, "-fqbn", f"arduino:avr:{board}",
        # which the core takes from a header that the distribution's compiler leaves out of C++
        "-prefs", "compiler.cpp.extra_flags=-DDECIMAL_DIG=9", "-build-path", tmp_path / "build",
        sketchbook / f"examples/{example}/{example}.ino")  # fmt: skip
    said = simulated(chip, tmp_path / "build" / f"{example}.ino.elf")
    assert set(said) == lines


# ---- stacks of others ---------------------------------------------------------------------------


def test_each_stack_is_measured_before_and_after_on_each_chip() -> None:
    """With its own curves and with two presets, by a commit or a version that is named."""
    rows = stacks.kept()
    names = {row.stack for row in rows}
    assert names == {"tf-psa-crypto", "mbedtls", "mcuboot", "riot", "rust", "esp-idf"}
    for name in names:
        own = [row for row in rows if row.stack == name]
        chips = {row.chip for row in own}
        assert len(chips) == (len(stacks.ESP) if name == "esp-idf" else 3), name
        by = [{row.by for row in own if row.chip == chip} for chip in chips]
        assert all(one == by[0] for one in by), name
        assert sorted(one.startswith("ecfit ") for one in by[0])[-3:] == [False, True, True], name
        assert len({(row.peer, row.commit) for row in own}) == 1, name
        assert all(min(row.cycles.values()) > 100_000 for row in own), name


def test_a_table_has_its_record_and_its_section_two_screens() -> None:
    """The generator refuses what it cannot fill, or what a reader cannot see."""
    rows = stacks.kept()
    begin = stacks.BEGIN.format
    empty = f"\n## One\n\n{begin('riot')}{uecc_table.END}"
    text = stacks.page(empty, rows)
    assert stacks.page(text, rows) == text
    assert text.count("\n| samd20 | ") == len([row for row in rows if row.stack == "riot"]) // 3
    with pytest.raises(SystemExit, match="no record of nothing"):
        stacks.page(empty.replace("stacks.py riot", "stacks.py nothing"), rows)
    with pytest.raises(SystemExit, match="One has 1"):
        stacks.page(empty + "\nline" * stacks.SCREENS, rows)


def test_stacks_need_their_checkouts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, error in (
        (["--peer-dir", f"riot={tmp_path}"], f"riot={tmp_path} is no checkout of"),
        (["--measure", "riot"], "no riot without its checkout"),
    ):
        with pytest.raises(SystemExit, match="2"):
            stacks.main(words)
        assert error in capsys.readouterr().err.splitlines()[-1]
