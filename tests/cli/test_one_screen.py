"""What each command prints by itself fits on one screen: 40 lines of 80 columns. `bench`, `study`
and `fidelity` have a line for each row. Progress on standard error has a line for each row too, of
80 columns, but for `fit`, which measures hundreds.

A file that is written to standard output keeps its own width: the header of `config`, a key.
"""

from __future__ import annotations

import random
import socket
import subprocess
from pathlib import Path

import pytest

from ecfit.cli import cli
from tools.rigs import synthetic_trace as st
from tools.rigs import tls
from tools.rigs.uart import emulated
from workshop.cli.run import ECFIT, Ecfit, assert_readable

CHIP = ("--target", "samd20")
CODE = "int twice(int x) { return 2 * x; }\nint leak(const char *k) { return k[0] ? k[1] : 3; }\n"
RUN: dict[str, list[tuple[str, ...]]] = {
    "amalgamate": [("amalgamate", *CHIP, "--curve", "x25519", "-o", "DIR/amalgam"),
                   ("amalgamate", *CHIP, "--config", "DIR/header/ecfit_config.h", "-o",
                    "DIR/again")],
    "bench": [("bench", *CHIP, "--op", "verify", "--every", "1h", "--battery", "CR2032",
               "--sleep", "2uA"),
              ("bench", *CHIP, "--lib", "micro-ecc")],
    "board": [("board",), ("board", "microbit", "--firmware", "DIR/firmware.elf")],
    "compare": [("compare", "DIR/old.json", "DIR/old.json")],
    "config": [("config", "--target", "nrf52840", "--preset", "fast", "-o", "DIR/config")],
    "ct": [("ct", *CHIP, "--preset", "tiny", "--n", "2")],
    "doctor": [("doctor",)],
    "energy": [("energy", "DIR/trace.csv", "--volts", "5", "--shunt-ohms", "10", "--time-trace",
                "DIR/times.csv"),
               ("energy", "DIR/trace.csv", "--volts", "5", "--shunt-ohms", "10", "--time-trace",
                "DIR/times.csv", "--battery", "2400mAh@3V", "--every", "sign=30s", "--sleep",
                "3.9uW")],
    "fidelity": [("fidelity", "--target", "lpc1114")],
    "fit": [("fit", *CHIP, "--need", "x25519:ecdh", "--preset", "tiny,balanced", *more)
            for more in ((), ("-o", "DIR/fit"), ("--flash", "500B"))],
    "keys": [("keys", "--curve", name) for name in ("secp256r1", "secp521r1", "ed448")]
    + [("keys", "--curve", "secp521r1", "--format", "pem")],
    "list": [
        ("list", "targets"), ("list", "targets", "cortex-m4"), ("list", "targets", "nrf52840"),
        ("list", "curves"), ("list", "curves", "brainpool"), ("list", "curves", "ed448"),
        ("list", "libs"), ("list", "libs", "micro-ecc"), ("list", "libs", "mbedtls"),
        ("list", "presets"), ("list", "presets", "fast"),
        ("list", "knobs"), ("list", "knobs", "comb_"), ("list", "knobs", "BACKEND"),
        ("list", "knobs", "MULV"),
    ],
    "measure": [("measure", *CHIP, "--elf", "DIR/code.o", "--function", "twice", "--arg", "7"),
                ("measure", *CHIP, "--elf", "DIR/code.o", "--function", "leak",
                 "--arg", "secret:0104")],
    "profile": [("profile", *CHIP, "--preset", "fast", "--op", "sign", *more)
                for more in ((), ("--stack",))],
    "report": [("report", "-o", "DIR/page.html")],
    "sensor": [("sensor",)],
    "size": [("size", *CHIP, "--preset", "tiny,balanced"), ("size", *CHIP, "--lib", "micro-ecc")],
    "study": [("study",)],
    "tls": [("tls", "--target", "nrf52840", "--server", "tls1.3-ecdsa", "--backend", "ecfit-fast",
             "--replay", str(tls.KEPT / "tls1.3-ecdsa.json"))],
}  # fmt: skip
SLOW = {"tls": pytest.mark.ci}
LINES = [
    pytest.param(name, line, marks=SLOW.get(name, ()), id=f"{name}-{i}")
    for name, lines in RUN.items()
    for i, line in enumerate(lines)
]
FOUND = {"measure": (0, 5), "fit": (0, 6)}  # a leak is found, and a budget that nothing keeps


@pytest.fixture(scope="module")
def folder(ecfit: Ecfit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trace, an object file and records to work on."""
    made = tmp_path_factory.mktemp("screens")
    setup = st.Setup()
    pieces = st.timeline([("sign", 0.1533, 0.0071), ("verify", 0.3868, 0.0069)] * 2, setup)
    (made / "trace.csv").write_text(st.trace_text(st.samples(pieces, setup, random.Random(1))))
    (made / "times.csv").write_text(st.times_text(pieces))
    (made / "code.c").write_text(CODE)
    gcc = ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-Os", "-c", "code.c"]
    subprocess.run(gcc, cwd=made, check=True)
    done = ecfit("bench", *CHIP, "--op", "ecdh", "--format", "json", "-o", str(made / "old.json"))
    assert done.code == 0
    header = ("config", *CHIP, "--curve", "x25519,ed25519", "-o", str(made / "header"))
    assert ecfit(*header).code == 0
    return made


def test_every_command_is_run() -> None:
    assert {*RUN, "gateway"} == {*cli.every()}


@pytest.mark.parametrize(("command", "line"), LINES)
def test_an_output_is_one_screen(
    ecfit: Ecfit, folder: Path, command: str, line: tuple[str, ...]
) -> None:
    words = [word.replace("DIR", str(folder)) for word in line]
    done = ecfit(*words, env={"COLUMNS": "80"})
    assert done.code in FOUND.get(command, (0,)), done.err
    assert_readable(done.out.replace(str(folder), "build"), command)
    few = command if command == "fit" else "progress"
    assert_readable(done.err.replace(str(folder), "build"), few)


def stopped(words: list[str], last: str) -> str:
    """What a command says that runs until it is stopped: up to a line with `last`."""
    said = ""
    with subprocess.Popen(
        [*ECFIT, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said += line
            if last in line:
                process.terminate()
    assert last in said, said
    return said


def test_a_gateway_says_little(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    options = ["--keys", str(tmp_path / "keys"), "--lines", str(tmp_path / "readings")]
    said = stopped(["gateway", "coap://127.0.0.1:9/t", *options], "observes")
    assert_readable(said, "gateway")


def test_a_sensor_says_little(tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    said = stopped(["sensor", "--board", "mps2-an385", "--port", port], "signs with")
    assert_readable(said, "sensor")


def test_a_board_is_one_screen(ecfit: Ecfit, tmp_path: Path) -> None:
    firmware = tmp_path / "firmware.elf"
    assert ecfit("board", "microbit", "--firmware", str(firmware)).code == 0
    with emulated("microbit", firmware, tmp_path / "uart", "-icount", "shift=6") as line:
        done = ecfit("board", "microbit", "--port", line, "--passes", "50")
    assert done.code == 0, done.err
    assert " modelled " in done.out
    assert_readable(done.out, "board")
    assert_readable(done.err, "progress")
