"""Everything a user can give wrong: one line on standard error, exit code 2, nothing on standard
output. Help texts, completion in the shell, the manual page.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from ecfit.arguments.examples import EXAMPLES
from ecfit.arguments.helps import GROUPS, KINDS, Command
from ecfit.choices.chips import core_of
from ecfit.choices.targets import all_targets, find_target
from ecfit.cli import cli
from ecfit.errors import UsageError
from ecfit.paths import DATA
from tools.packages import man
from workshop.cli.run import ECFIT, Ecfit

BENCH = ("bench", "--op", "ecdh")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*BENCH, "--target", "lpc1115"),
         ("unknown target 'lpc1115'", "did you mean lpc1114?", "nrf51822")),
        ((*BENCH, "--curve", "secp256r2"),
         ("unknown curve 'secp256r2'", "did you mean secp256r1?")),
        ((*BENCH, "--curve", "P-256+P-384"), ("several curves in one image", "ecfit size")),
        (("size", "--curve", "P-256+P-256"), ("names a curve twice",)),
        (("size", "--curve", "P-256+P-999"), ("unknown curve 'P-999'",)),
        (("size", "--curve", "P-256+P-384", "--preset", "tiny", "--set", "MULV=window"),
         ("window needs COORDINATES",)),
        ((*BENCH, "--lib", "microecc"), ("unknown library 'microecc'", "did you mean micro-ecc?")),
        ((*BENCH, "--preset", "huge"),
         ("unknown preset 'huge'", "balanced, compact, fast, lowram, tiny")),
        ((*BENCH, "--set", "WINDOWS=4"), ("unknown knob 'WINDOWS'", "did you mean WINDOW?")),
        ((*BENCH, "--set", "WINDOW=40"), ("WINDOW is 3 to 5, not 40",)),
        ((*BENCH, "--set", "WINDOW"), ("--set takes NAME=VALUE, not 'WINDOW'",)),
        ((*BENCH, "--set", "WINDOW="), ("--set takes NAME=VALUE",)),
        ((*BENCH, "--set", "foo.WINDOW=4"), ("unknown library or curve in --set 'foo'",)),
        ((*BENCH, "--set", "micro-ecc.SQUARE_FUNC=1"),
         ("--set micro-ecc.SQUARE_FUNC is of micro-ecc, which is not",)),
        ((*BENCH, "--lib", "micro-ecc", "--set", "WINDOW=4"),
         ("--set WINDOW is of ecfit, which is not",)),
        ((*BENCH, "--lib", "micro-ecc", "--preset", "tiny"),
         ("--preset is of ecfit, which is not",)),
        ((*BENCH, "--lib", "micro-ecc", "--set", "micro-ecc.SQUARE_FUNC=7"),
         ("SQUARE_FUNC is one of 0, 1, not '7'",)),
        (("bench", "--op", "encrypt"), ("unknown operation 'encrypt'", "keygen")),
        ((*BENCH, "--mode", "turbo"), ("target lpc1114 has no mode 'turbo'", "zero-ws")),
        ((*BENCH, "--toolchain", "icc"), ("unknown toolchain 'icc'", "clang, gcc")),
        ((*BENCH, "--opt", "O9"), ("unknown optimisation 'O9'", "Os")),
        ((*BENCH, "--n", "0"), ("--n", "0")),
        ((*BENCH, "--n", "many"), ("--n", "many")),
        ((*BENCH, "--seed", "-1"), ("--seed",)),
        ((*BENCH, "--format", "xml"), ("--format", "xml")),
        ((*BENCH, "--peer-dir", "mine"), ("--peer-dir takes NAME=VALUE",)),
        ((*BENCH, "--peer-dir", "mine=/nonexistent"), ("/nonexistent is not a peer",)),
        ((*BENCH, "--colour", "red"), ("No such option",)),
        ((*BENCH, "stray"), ("unexpected extra argument",)),
        (("profile", "--target", "host"), ("host has no profile",)),
        (("fit", "--target", "lm3s1637", "--need", "x25519:ecdh"),
         ("the clock of lm3s1637 is not known", "--minimise flash")),
        ((*BENCH, "--target", ""), ("--target names nothing",)),
        ((*BENCH, "--curve", ", ,"), ("--curve names nothing",)),
        (("bench", "--op", ""), ("--op names nothing",)),
        ((*BENCH, "--lib", ""), ("--lib names nothing",)),
        ((*BENCH, "--opt", ""), ("--opt names nothing",)),
        ((*BENCH, "--set", "P-384.WINDOW=4"), ("secp384r1 is not among the curves",)),
        ((*BENCH, "--set", "secp256k1.NONCE=random"), ("secp256k1 is not among the curves",)),
        ((*BENCH, "--set", "secp256k1.COMB=2x5"), ("is of secp256k1, which is not among",)),
        ((*BENCH, "--sort", "flesh"), ("unknown field in --sort 'flesh'", "did you mean flash?")),
        (("study", "knob"), ("unknown study 'knob'", "did you mean knobs?")),
        (("study", "knobs", "--target", "lpc1115"), ("unknown target 'lpc1115'",)),
        (("study", "knobs", "--curve", "secp256r2"), ("unknown curve 'secp256r2'",)),
        (("study", "knobs", "--mode", "turbo"), ("has no mode 'turbo'",)),
        (("study", "ecc-window", "--curve", "P-521"),
         ("study ecc-window has nothing to measure for these targets and curves",)),
        (("config", "-o", ""), ("-o names no dir",)),
        ((*BENCH, "-o", " "), ("-o names no file",)),
        (("benhc",), ("No such command 'benhc'", "bench")),
    ],
)  # fmt: skip
def test_usage_errors(ecfit: Ecfit, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    done = ecfit(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert all(word in done.error for word in words), done.error


@pytest.mark.parametrize("path", ["missing/out.json", "."])
def test_unwritable_output(ecfit: Ecfit, tmp_path: Path, path: str) -> None:
    done = ecfit(*BENCH, "-o", path, cwd=tmp_path)
    assert done.code == 2
    assert f"cannot write {path}" in done.error
    assert list(tmp_path.iterdir()) == []


def test_full_disk(ecfit: Ecfit) -> None:
    done = ecfit("list", "curves", "-o", "/dev/full")
    assert (done.code, done.error) == (
        2,
        "ecfit: error: cannot write /dev/full: No space left on device",
    )


@pytest.mark.parametrize("arguments", [("list", "curves"), ("bench", "--help"), ("doctor",)])
def test_full_standard_output(ecfit: Ecfit, arguments: tuple[str, ...]) -> None:
    """What is written when the command ends fails as what was written before."""
    command = [sys.executable, "-m", "ecfit", *arguments]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "ecfit: error: cannot write the output: No space left on device\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "/dev/zero", "/dev/zero"),
        ("amalgamate", "-o", "out", "--config", "/dev/zero"),
        ("measure", "--elf", "/dev/zero", "--function", "f", "--target", "samd20"),
        ("measure", "--elf=a", "--function=f", "--target=samd20", "--arg=secret:@/dev/zero"),
        ("bench", "--target", "x", "--target-file", "/dev/zero"),
        ("fidelity", "--published", "/dev/zero"),
        ("sensor", "--board", "mps2-an385", "--key", "/dev/zero"),
    ],
)
def test_input_without_an_end(ecfit: Ecfit, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = ecfit(*arguments, cwd=tmp_path)
    assert done.code == 2
    assert "File too large" in done.error
    assert list(tmp_path.iterdir()) == []


def test_unusable_cache(ecfit: Ecfit) -> None:
    done = ecfit(*BENCH, "--quiet", env={"ECFIT_CACHE": "/dev/null/x"})
    assert done.code == 2
    assert "set ECFIT_CACHE" in done.error


def test_no_command_prints_the_help(ecfit: Ecfit) -> None:
    done = ecfit()
    assert done.code == 2
    assert "Usage" in done.out + done.err


@pytest.mark.parametrize(
    "command",
    [
        "bench",
        "size",
        "profile",
        "keys",
        "study",
        "list",
        "doctor",
    ],
)
def test_every_command_has_help(ecfit: Ecfit, command: str) -> None:
    done = ecfit(command, "--help")
    assert done.code == 0
    assert "--format" in done.out
    assert done.err == ""


def test_nothing_is_offered(ecfit: Ecfit) -> None:
    done = ecfit("bench", "--curve", "x25519", "--op", "sign", "--quiet", "--format", "json")
    assert done.code == 2
    assert "nothing to measure: ecfit has no sign on x25519" in done.error


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lpc11u68", ("with cortex-m0plus: ", "stm32g071", "--target-file")),
        ("stm32f40", ("fits several chips", "stm32f401cb")),
        ("cortex-r5", ("cortex-r5 is not modelled", "nearest, cortex-m7: imxrt1062, stm32h743")),
        ("cortex-m23", ("cortex-m23 is not modelled", "nearest, cortex-m0plus: ")),
        ("m55", ("cortex-m55 is not modelled", "nearest, cortex-m33: ")),
        ("cortex-a53", ("aarch64 is not modelled", "host")),
        ("esp32s3", ("xtensa (Xtensa LX6 or LX7) is not modelled", "BACKEND=w32m16")),
        ("atmega644p", ("with avr5: ", "atmega328p")),
        ("attiny85", ("avr is not modelled", "nearest, avr5: atmega328p")),
        ("z80", ("'ecfit list targets' lists all", "--target-file")),
    ],
)
def test_a_chip_that_is_no_target(name: str, words: tuple[str, ...]) -> None:
    """What has its core, or that it is not modelled and what comes nearest."""
    with pytest.raises(UsageError) as raised:
        find_target(name)
    assert [word for word in words if word not in str(raised.value)] == []


def test_every_target_is_known_by_its_series() -> None:
    """The list of series agrees with the targets about their cores. An RP2350 has two kinds."""
    others = {"host", "ibex", "hazard3"}
    for target in all_targets().values():
        assert core_of(target.name) in {target.core, None} or target.core in others


# ---- help: all commands in groups on one screen, each with examples that it can read -------------

EVERY = cli.every()
COMMANDS = sorted(EVERY)
LINES, COLUMNS = 40, 80


def test_every_command_is_in_one_group() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == COMMANDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_of_before_works_and_says_the_new_one(ecfit: Ecfit, kind: str) -> None:
    before, now = ecfit(kind, "--format", "json"), ecfit("list", kind, "--format", "json")
    assert (before.out, before.code) == (now.out, 0)
    assert before.err == f"ecfit: '{kind}' is 'ecfit list {kind}' now\n"


def test_the_first_help_is_one_screen(ecfit: Ecfit) -> None:
    lines = ecfit("--help").out.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= COLUMNS
    for name in COMMANDS:
        line = next(one for one in lines if one.startswith(f"  {name} "))
        assert line.rstrip().endswith("."), line  # nothing was cut off


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_fits_the_terminal(ecfit: Ecfit, name: str) -> None:
    lines = ecfit(name, "--help").out.splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS


@pytest.mark.parametrize("name", COMMANDS)
def test_all_options_are_one_option_away(ecfit: Ecfit, name: str) -> None:
    command = EVERY[name]
    assert isinstance(command, Command)
    options = {one.opts[0] for one in command.params if isinstance(one, click.Option)}
    short = ecfit(name, "--help").out
    if "--help-all" in options:
        assert f"ecfit {name} --help-all" in short
        shown = ecfit(name, "--help-all").out
    else:
        shown = short
    assert [one for one in options if one not in shown] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_reads_its_examples(name: str) -> None:
    command = EVERY[name]
    assert isinstance(command, Command)
    for line in EXAMPLES[name]:
        program, named, *arguments = shlex.split(line)
        assert (program, named) == ("ecfit", name)
        command.make_context(name, arguments)  # raises where an option or value is unknown


# ---- the shell: completion of values, the manual page; imports without `fcntl` -------------------

ROOT = Path(__file__).resolve().parents[2]


def completed(shell: str, typed: str, env_more: dict[str, str] | None = None) -> list[str]:
    """What a shell is offered for the last word."""
    words = typed.split(" ")
    env = {
        "_ECFIT_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": typed,
        "COMP_CWORD": words[-1] if shell == "fish" else str(len(words) - 1),
        "PATH": "/usr/bin:/bin",
        "HOME": "/nonexistent",
    }
    done = subprocess.run(ECFIT, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if shell == "zsh":  # kind, value, help
        return lines[1::3]
    return [line.partition(",")[2].partition("\t")[0] for line in lines]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ecfit bench --target stm32f4", ["stm32f407", "stm32f411"]),
        ("ecfit fit --target samd20,stm32f40", ["samd20,stm32f407"]),
        ("ecfit size --curve brainpoolP5", ["brainpoolP512r1"]),
        ("ecfit config --preset low", ["lowram"]),
        ("ecfit bench --lib mono", ["monocypher"]),
        ("ecfit fid", ["fidelity"]),
    ],
)
def test_values_are_completed(shell: str, typed: str, offered: list[str]) -> None:
    assert completed(shell, typed) == offered


def test_the_manual_page_has_every_command_and_option() -> None:
    page = man.page().replace(r"\-", "-")
    for name, command in cli.every().items():
        assert f".SS ecfit {name} " in page
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert parameter.opts[0] in page
    assert not [line for line in page.splitlines() if not line or line.startswith("'")]


def test_everything_is_imported_without_fcntl() -> None:
    """As on Windows: the modules that the command line imports."""
    code = (
        "import sys; sys.modules['fcntl'] = None\n"
        "import pkgutil, importlib, ecfit\n"
        "for m in pkgutil.walk_packages(ecfit.__path__, 'ecfit.'):\n"
        "    if not m.name.endswith('__main__'): importlib.import_module(m.name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


# ---- ecfit.toml ----------------------------------------------------------------------------------

DEFAULTS = """
target = "nrf52840"
opt = "O2"
[limits]
flash = "9KiB"
time = ["sign=50ms"]
"""
SIZE = ("size", "--curve", "x25519", "--op", "ecdh", "--format", "json")


def place(record: dict[str, str]) -> tuple[str, str]:
    return record["target"], record["opt"]


def test_defaults_of_a_folder_give_way_to_options(ecfit: Ecfit, tmp_path: Path) -> None:
    (tmp_path / "ecfit.toml").write_text(DEFAULTS)
    done = ecfit(*SIZE, cwd=tmp_path)
    assert place(json.loads(done.out)[0]) == ("nrf52840", "O2")
    assert "ecfit: from ecfit.toml: --target nrf52840 --opt O2" in done.err.splitlines()
    done = ecfit(*SIZE, "--target", "samd20", "--quiet", cwd=tmp_path)
    assert place(json.loads(done.out)[0]) == ("samd20", "O2")
    assert done.err == ""
    rows = json.loads(ecfit("doctor", "--format", "json", cwd=tmp_path).out)
    assert str(tmp_path / "ecfit.toml") in [row["found"] for row in rows]


def test_a_chip_of_a_file_goes_before_the_one_of_the_folder(ecfit: Ecfit, tmp_path: Path) -> None:
    (tmp_path / "ecfit.toml").write_text(DEFAULTS)
    chip = (DATA / "targets" / "samd20.toml").read_text().replace("samd20", "mine")
    (tmp_path / "mine.toml").write_text(chip)
    done = ecfit(*SIZE, "--target-file", "mine.toml", cwd=tmp_path)
    assert place(json.loads(done.out)[0]) == ("mine", "O2")


def test_fit_takes_limits_of_a_folder(ecfit: Ecfit, tmp_path: Path) -> None:
    (tmp_path / "ecfit.toml").write_text(DEFAULTS)
    asked = ("fit", "--need", "secp256r1:sign", "--flash", "8KiB", "--format", "json")
    done = ecfit(*asked, cwd=tmp_path)
    answer = json.loads(done.out)
    assert answer["target"] == "nrf52840"
    assert [limit["option"] for limit in answer["limits"]] == ["--flash 8KiB", "--time sign=50ms"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("targt = 'x'", ("ecfit.toml:", "targt", "known: target, toolchain, opt, limits")),
        ("[limits]\ncycles = 1", ("ecfit.toml:", "cycles", "in limits: flash, stack")),
        ("target = 3", ("ecfit.toml:", "`str`", "target")),
        ("target = ' '", ("ecfit.toml:", "empty")),
        ("target = ", ("ecfit.toml:",)),
        (None, ("cannot read ecfit.toml",)),
    ],
)  # fmt: skip
def test_what_is_wrong_in_the_defaults_of_a_folder(
    text: str | None, words: tuple[str, ...], ecfit: Ecfit, tmp_path: Path
) -> None:
    """A link to nothing is no file that is not there."""
    if text is None:
        (tmp_path / "ecfit.toml").symlink_to("none")
    else:
        (tmp_path / "ecfit.toml").write_text(text)
    done = ecfit("doctor", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert all(word in done.error for word in words)
