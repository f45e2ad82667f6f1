"""`ecfit config`: the header compiles alone for the chip, with what was asked for; target files."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from workshop.cli.run import Ecfit

ROOT = Path(__file__).resolve().parents[2]
TARGET_PAGE = ROOT / "docs" / "adding-a-target.md"


def compiled(line: str, folder: Path) -> set[str]:
    """Runs the compiler line that the command prints; the functions that the objects offer."""
    here = line.replace("-Ilib/", f"-I{ROOT}/lib/").replace(" lib/src/", f" {ROOT}/lib/src/")
    subprocess.run(shlex.split(here), cwd=folder, check=True)
    objects = sorted(map(str, folder.glob("*.o")))
    linked = [here.split()[0], "-nostdlib", "-r", *objects, "-o", "whole"]
    subprocess.run(linked, cwd=folder, check=True)
    undefined = subprocess.run(
        ["nm", "--undefined-only", "whole"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert "ecfit_" not in undefined.stdout
    names = subprocess.run(
        ["nm", "--defined-only", "-g", str(folder / "ecfit.o")],
        capture_output=True,
        text=True,
        check=True,
    )
    return {line.split()[2] for line in names.stdout.splitlines() if line.split()[1] == "T"}


def line_of(error: str) -> str:
    """The compiler line in what the command says, as one line."""
    return " ".join(error.replace("\\\n", " ").strip().splitlines()[-1].split())


def test_verification_alone(ecfit: Ecfit, tmp_path: Path) -> None:
    """The two commands of docs/packages.md, as they stand there."""
    page = (ROOT / "docs" / "packages.md").read_text(encoding="utf-8")
    command, line = re.findall(
        r"^\.venv/bin/ecfit (config .*) -o build\n(arm-none-eabi-gcc .*\n.*)", page, re.M
    )[0]
    written = ecfit(*command.split(), "-o", str(tmp_path))
    assert line_of(written.err) == line_of(line).replace("-Ibuild", f"-I{tmp_path}")
    asked = ("--curve", "ed25519", "--op", "verify", "--target", "lpc1114")
    folder = tmp_path / "with a space"
    done = ecfit("config", *asked, "-o", str(folder))
    assert done.code == 0
    functions = compiled(line_of(done.err), folder)
    assert {name for name in functions if "25519" in name} == {"ecfit_ed25519_verify"}


@pytest.mark.parametrize("target", ["ch32v003", "ibex"])
def test_the_line_finds_the_headers_of_the_c_library(
    ecfit: Ecfit, tmp_path: Path, target: str
) -> None:
    """Debian's compiler for RISC-V has none of its own."""
    done = ecfit("config", "--target", target, "--curve", "x25519", "--op", "ecdh",
                 "-o", str(tmp_path))  # fmt: skip
    assert done.code == 0, done.err
    command = shlex.split(line_of(done.err).replace("-Ilib/", f"-I{ROOT}/lib/"))
    here = [f"{ROOT}/{word}" if word.startswith("lib/src/") else word for word in command]
    subprocess.run(here, cwd=tmp_path, check=True)


def test_the_pages_example_compiles(tmp_path: Path) -> None:
    """As it stands there, without a warning."""
    page = (ROOT / "docs" / "packages.md").read_text(encoding="utf-8")
    example = re.findall(r"^```c\n(.*?)^```", page, re.M | re.S)[0]
    (tmp_path / "hello.c").write_text(example, encoding="utf-8")
    include = ROOT / "lib" / "include"
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}"]
    done = subprocess.run(
        [*command, str(tmp_path / "hello.c")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("default", ["lib/include", "packages/include"])
def test_a_header_that_is_not_found_is_an_error_where_one_is_required(
    ecfit: Ecfit, tmp_path: Path, default: str
) -> None:
    """A wrong folder in the include path would compile the default without a word."""
    folder = tmp_path / "configuration"
    asked = ("--curve", "secp256k1", "--target", "host", "--set", "secp256k1.NONCE=random")
    assert ecfit("config", *asked, "-o", str(folder)).code == 0
    paths = [f"-I{ROOT / part}" for part in (default, "lib/include", "lib/src")]
    command = ["cc", "-fsyntax-only", "-DECFIT_CONFIG_REQUIRED"]
    for where, code in ((tmp_path / "misspelt", 1), (folder, 0)):
        line = [*command, f"-I{where}", *paths, str(ROOT / "lib/src/ecfit.c")]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert (done.returncode, "ECFIT_CONFIG_REQUIRED:" in done.stderr) == (code, code == 1)
    line = [*command[:-1], f"-I{tmp_path}", *paths, str(ROOT / "lib/src/ecfit.c")]
    assert subprocess.run(line, check=False).returncode == 0


@pytest.mark.parametrize("preset", ["tiny", "balanced"])
def test_curves_of_three_families_in_one_header(ecfit: Ecfit, tmp_path: Path, preset: str) -> None:
    done = ecfit(
        "config", "--curve", "P-256,x25519,ed25519", "--op", "ecdh,verify", "--preset", preset,
        "--target", "samd20", "--set", "P-256.COMPRESS=none",
        "-o", str(tmp_path / "new" / "folder"),
    )  # fmt: skip
    assert done.code == 0, done.err
    functions = {name for name in compiled(line_of(done.err), tmp_path) if "sha" not in name}
    assert functions == {
        "ecfit_secp256r1_ecdh", "ecfit_secp256r1_ecdsa_verify",
        "ecfit_secp256r1_public_key_check",
        "ecfit_x25519", "ecfit_ed25519_verify",
    }  # fmt: skip


def test_header_on_standard_output_and_tables_in_a_folder(ecfit: Ecfit, tmp_path: Path) -> None:
    done = ecfit("config", "--op", "sign")
    assert (done.code, done.out[:20]) == (0, "/* ecfit_config.h - ")
    larger = ("config", "--op", "sign", "--set", "COMB_TEETH=6")
    refused = ecfit(*larger)
    assert refused.code == 2
    assert "name a folder, -o DIR" in refused.error
    written = ecfit(*larger, "-o", str(tmp_path))
    assert written.code == 0
    assert "ecfit_secp256r1_ecdsa_sign" in compiled(line_of(written.err), tmp_path)


FLOAT = ("config", "--curve", "x25519", "--op", "ecdh", "--preset", "tiny")


@pytest.mark.parametrize(
    ("target", "asked", "project"),
    [
        ("nrf52840", (), "hard"),
        ("nrf5340", (), "hard"),
        ("nrf52840", ("--float-abi", "hard"), "hard"),
        ("nrf52840", ("--float-abi", "softfp"), "softfp"),
        ("nrf52840", ("--float-abi", "soft"), "soft"),
        ("stm32wle5", (), "soft"),
        ("samd20", ("--float-abi", "soft"), "soft"),
    ],
)
def test_objects_link_with_a_project(
    ecfit: Ecfit, tmp_path: Path, target: str, asked: tuple[str, ...], project: str
) -> None:
    """One that passes floating-point numbers as its compiler is told to."""
    done = ecfit(*FLOAT, "--target", target, *asked, "-o", str(tmp_path))
    line = line_of(done.err)
    assert compiled(line, tmp_path)
    (tmp_path / "whole").unlink()
    words = shlex.split(line)
    core = [word for word in words if word.startswith(("-mcpu", "-mthumb", "-mfpu"))]
    source = tmp_path / "project.c"
    source.write_text(
        '#include "ecfit.h"\n'
        "float scaled(float x);\n"
        "float scaled(float x) { uint8_t k[32] = {0}; return x * (float)ecfit_x25519(k, k, k); }\n"
    )
    include = f"-I{ROOT}/lib/include"
    command = [words[0], *core, "-Os", f"-I{tmp_path}", include, "-c", str(source), "-o", "p.o"]
    for abi in ("soft", "hard") if "-mfpu" in line else ("soft",):
        subprocess.run([*command, f"-mfloat-abi={abi}"], cwd=tmp_path, check=True)
        objects = [path.name for path in tmp_path.glob("*.o")]
        link = [words[0], *core, f"-mfloat-abi={abi}", "-nostartfiles", "-Wl,-e,scaled", *objects]
        linked = subprocess.run(link, cwd=tmp_path, capture_output=True, text=True, check=False)
        fits = (abi == "hard") == (project == "hard")
        assert (linked.returncode == 0) == fits, linked.stderr
        assert fits or "uses VFP register arguments" in linked.stderr


def test_code_for_each_float_abi(ecfit: Ecfit, tmp_path: Path) -> None:
    """The library has no floating-point numbers, and no instruction of the unit: gcc allocates
    registers otherwise where there is one, and hard and softfp are the same code.
    """
    code, size = {}, {}
    for abi in ("soft", "softfp", "hard"):
        folder = tmp_path / abi
        done = ecfit(*FLOAT, "--target", "nrf52840", "--float-abi", abi, "-o", str(folder))
        compiled(line_of(done.err), folder)
        command = ["arm-none-eabi-objdump", "-d", "--no-show-raw-insn", "ecfit.o", "ecfit_asm.o"]
        said = subprocess.run(command, cwd=folder, capture_output=True, check=True, text=True)
        code[abi] = said.stdout
        lines = re.findall(r"^ +[0-9a-f]+:\t(\S+)", said.stdout, re.M)
        size[abi] = len(lines)
        assert not [word for word in lines if word.startswith("v")], abi
    assert code["softfp"] == code["hard"]
    assert abs(size["hard"] - size["soft"]) <= 0.01 * size["soft"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--target", "lpc1114,samd20"), "one target and one preset"),
        (("--preset", "tiny,fast"), "one target and one preset"),
        (("--curve", "x25519", "--op", "sign"), "nothing is left to configure"),
        (("--curve", "ML-KEM-768"), "ecfit has no code for mlkem768"),
        (("--curve", "P-256", "--set", "P-384.WINDOW=5"), "has no effect"),
        (("--set", "MULV=halves"), "MULV=halves needs COORDINATES=complete"),
        (("--target", "samd20", "--float-abi", "hard"), "samd20 has no floating-point unit"),
        (("--target", "stm32wle5", "--float-abi", "softfp"), "no floating-point unit"),
        (("--target", "esp32c3", "--float-abi", "soft"), "--float-abi is for Arm cores"),
        (("--target", "nrf52840", "--float-abi", "firm"), "'soft', 'softfp', 'hard'"),
    ],
)
def test_refused(ecfit: Ecfit, tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    done = ecfit("config", *arguments, "-o", str(tmp_path / "out"))
    assert done.code == 2
    assert words in done.error
    assert not (tmp_path / "out").exists()


def test_a_file_of_somebody_else_is_not_replaced(ecfit: Ecfit, tmp_path: Path) -> None:
    mine = tmp_path / "ecfit_config.h"
    mine.write_text("/* mine */\n")
    done = ecfit("config", "-o", str(tmp_path))
    assert (done.code, mine.read_text()) == (2, "/* mine */\n")
    assert ecfit("config", "-o", str(mine)).code == 2


@pytest.fixture
def chip(tmp_path: Path) -> Path:
    """The target file of the page, as it stands there."""
    found = re.search(r"```toml\n(.*?)```", TARGET_PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    path = tmp_path / "mychip.toml"
    path.write_text(found[1], encoding="utf-8")
    return path


def test_target_of_the_page(ecfit: Ecfit, chip: Path) -> None:
    done = ecfit(
        "bench",
        "--target-file",
        str(chip),
        "--op",
        "ecdh",
        "--preset",
        "tiny",
        "--quiet",
        "--format",
        "json",
    )
    (record,) = json.loads(done.out)
    assert (done.code, record["target"], record["status"]) == (0, "mychip", "ok")
    assert record["time_us"] == pytest.approx(record["cycles"] / 32)
    assert record["energy_uj"] > 0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("hz = 32_000_000", "hz = 0", "clock.hz is the core's clock in hertz, above 0"),
        ("hz = 32_000_000", "hz = -5", "clock.hz"),
        ('core = "cortex-m0plus"', 'core = "cortex-m9"', "core of armv6m is one of cortex-m0, "),
        ('arch = "armv6m"', 'arch = "mips"', "arch is one of armv6m"),
        ('model = "cortex-m0plus"', 'model = "m0"', "model is one of avr, cortex-m0"),
        ('help = "the core alone, comparable between parts"', "", "mode zero-ws has no help"),
        ('kind = "ram"', 'kind = "flash"', "a memory of kind 'ram' is missing"),
        ("size = 0x2000", "size = 0", "a memory of kind 'ram' is missing"),
        ("volts = 3.0", "volts = -3.0", "volts and milliamperes are above 0"),
        ("[modes.datasheet]", "[modes.turbo]", "mode 'turbo' is not one of"),
        ('name = "mychip"', 'name = "samd20"', "there is a target samd20 already"),
        ('aliases = ["myboard"]', 'aliases = ["nrf52"]', "there is a target nrf52840 already"),
        ('name = "mychip"', "", "mychip.toml: Object missing required field `name`"),
        ("[clock]", "[clock", "mychip.toml: "),
        ('backend = "', 'backend = "x', "unknown value of BACKEND"),
    ],
)  # fmt: skip
def test_target_files_that_cannot_be(
    ecfit: Ecfit, chip: Path, old: str, new: str, words: str
) -> None:
    text = chip.read_text(encoding="utf-8")
    assert old in text
    chip.write_text(text.replace(old, new, 1), encoding="utf-8")
    done = ecfit("bench", "--target-file", str(chip), "--op", "ecdh", "--quiet")
    assert (done.code, done.out) == (2, "")
    assert words in done.error


def test_missing_target_file(ecfit: Ecfit, tmp_path: Path) -> None:
    done = ecfit("bench", "--target-file", str(tmp_path / "none.toml"))
    assert done.code == 2
    assert "none.toml: cannot be read: No such file" in done.error


def test_the_line_works_where_it_is_printed(ecfit: Ecfit, tmp_path: Path) -> None:
    """From a folder that is not the checkout's, nothing in it is put in place by hand."""
    done = ecfit("config", "--curve", "x25519", "--op", "ecdh", "-o", "out", cwd=tmp_path)
    assert done.code == 0, done.err
    line = line_of(done.err)
    subprocess.run(shlex.split(line), cwd=tmp_path, check=True)
    assert (tmp_path / "ecfit.o").is_file()
    inside = ecfit("config", "--curve", "x25519", "--op", "ecdh", "-o", str(tmp_path), cwd=ROOT)
    assert f"{ROOT}/lib" not in line_of(inside.err)
