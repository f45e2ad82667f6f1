"""What goes wrong while building or running: a marked row, one line, the documented exit code;
the rest goes on.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workshop.cli.run import ECFIT, Ecfit, MakePeer

QUIET = ("--quiet", "--format", "json")


def mine(ecfit: Ecfit, peer_dir: str, *more: str) -> tuple[int, dict[str, object], str]:
    """Measures ecdh of the test's own peer: exit code, record, the error line."""
    arguments = ("bench", "--lib", "mine", "--peer-dir", peer_dir, *QUIET)
    done = ecfit(*arguments, *(() if "--op" in more else ("--op", "ecdh")), *more)
    (record,) = json.loads(done.out)
    assert record["cycles"] is None
    assert record["error_class"] is None
    return done.code, record, done.error


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (
            "return *(volatile uint32_t *)0xF0000000;",
            "fault: ",
            ("0xf0000000", "pc 0x0", "in bench_ecdh"),
        ),
        ("*(volatile uint32_t *)0x100 = 1; return 0;", "fault: ", ("0x00000100",)),
        ("return *(volatile uint32_t *)(out + 1);", "fault: ", ("unaligned",)),
        ('__asm__ volatile("udf #0"); return 0;', "fault: ", ("undefined",)),
        ('__asm__ volatile("bkpt #2"); return 0;', "fault: exception", ("BKPT #2",)),
        (
            "out[0] = in[0]; return 0;",
            "wrong result",
            ("the shared secret differs from the oracle's",),
        ),
        ("return 7;", "wrong result", ("ecdh failed with status 7",)),
    ],
)
def test_runs_that_fail(
    ecfit: Ecfit, peer: MakePeer, body: str, status: str, words: tuple[str, ...]
) -> None:
    code, record, error = mine(ecfit, peer(f"(void)out; (void)in; {body}"))
    assert code == 4
    assert str(record["status"]).startswith(status)
    assert all(word in str(record["detail"]) for word in words), record["detail"]
    assert str(record["detail"]) in error


def test_endless_loop(ecfit: Ecfit, peer: MakePeer) -> None:
    code, record, error = mine(
        ecfit, peer("(void)out; (void)in; for (;;) { }"), "--limit", "100000"
    )
    assert (code, record["status"]) == (4, "endless loop")
    assert "ecdh did not end within 100000 instructions" in error


def test_stack_overflow_into_data(ecfit: Ecfit, peer: MakePeer) -> None:
    """A stack that still fits into RAM, but reaches the buffers below it."""
    body = (
        "volatile uint8_t big[7800]; for (int i = 0; i < 7800; i++) big[i] = in[0]; "
        "(void)out; return big[7];"
    )
    code, record, error = mine(ecfit, peer(body))
    assert (code, record["status"]) == (4, "stack overflow into data")
    assert "bytes of stack more than lpc1114 has" in error


def test_verify_that_accepts_everything(ecfit: Ecfit, peer: MakePeer) -> None:
    code, record, _ = mine(ecfit, peer("(void)out; (void)in; return 0;"), "--op", "verify")
    assert (code, record["detail"]) == (4, "verify accepts a signature with one bit changed")


def test_fit_does_not_choose_what_accepts_everything(ecfit: Ecfit, peer: MakePeer) -> None:
    """What an operation must refuse is tried on what `fit` would answer alone."""
    folder = peer("(void)out; (void)in; return 0;")
    question = ("--need", "secp256r1:verify", "--target", "lpc1114")
    done = ecfit("fit", "--lib", "mine", "--peer-dir", folder, *question, "--quiet")
    assert done.code == 6
    assert "verify accepts a signature with one bit changed" in done.error


def test_adapter_that_does_not_compile(ecfit: Ecfit, peer: MakePeer) -> None:
    code, record, error = mine(ecfit, peer("return nonsense;"))
    assert (code, record["status"]) == (3, "build failed")
    assert "adapter.c:" in error
    assert "'nonsense' undeclared" in error


def test_image_that_does_not_link(ecfit: Ecfit, peer: MakePeer) -> None:
    code, _, error = mine(
        ecfit, peer("return other(out, in);", head="int other(uint8_t *, const uint8_t *);")
    )
    assert code == 3
    assert "undefined reference to `other'" in error


def test_image_larger_than_flash(ecfit: Ecfit, peer: MakePeer) -> None:
    head = "const volatile uint8_t huge[40000] = {1};"
    code, _, error = mine(ecfit, peer("(void)out; return huge[in[0]];", head=head))
    assert code == 3
    assert "FLASH" in error


def test_host_crash_and_wrong_result(ecfit: Ecfit, peer: MakePeer) -> None:
    code, record, error = mine(
        ecfit, peer("(void)out; (void)in; __builtin_trap();"), "--target", "host"
    )
    assert code == 4
    assert record["status"] == "fault: SIGILL"
    assert "SIGILL" in error


def package(sha256: str, name: str = "micro-ecc-sys") -> str:
    return f'[package]\nregistry = "cargo"\nname = "{name}"\nversion = "0.3.2"\nsha256 = "{sha256}"'


def test_hash_mismatch_marks_the_row_and_the_rest_goes_on(ecfit: Ecfit, peer: MakePeer) -> None:
    peer_dir = peer("return 0;", more=package("0" * 64))
    done = ecfit("size", "--lib", "mine,ecfit", "--op", "ecdh", "--peer-dir", peer_dir, *QUIET)
    assert done.code == 3
    assert "mine: package micro-ecc-sys 0.3.2 has SHA-256 1b861c7e" in done.error
    records = {record["library"]: record for record in json.loads(done.out)}
    assert records["mine"]["status"] == "package hash mismatch"
    assert records["ecfit"]["status"] == "ok"
    assert records["ecfit"]["flash_bytes"] > 1000


def test_compile_failure_marks_the_row_and_the_rest_goes_on(ecfit: Ecfit, peer: MakePeer) -> None:
    done = ecfit(
        "size",
        "--lib",
        "mine,ecfit",
        "--op",
        "ecdh",
        "--peer-dir",
        peer("return nonsense;"),
        *QUIET,
    )
    assert done.code == 3
    assert "mine on lpc1114: build failed" in done.error
    assert [record["status"] for record in json.loads(done.out)] == ["build failed", "ok"]


def test_library_that_is_not_installed(ecfit: Ecfit, peer: MakePeer) -> None:
    system = '[system]\npkg_config = "libnowhere"\npackage = "libnowhere-dev"'
    arguments = (
        "--lib",
        "mine,ecfit",
        "--target",
        "host",
        "--op",
        "ecdh",
        "--peer-dir",
        peer("return 0;", more=system),
    )
    done = ecfit("bench", *arguments, *QUIET)
    assert done.code == 3
    assert (
        "the library libnowhere is not on this machine: install the package libnowhere-dev"
        in done.error
    )
    assert [record["status"] for record in json.loads(done.out)] == ["package unavailable", "ok"]


def test_package_that_cannot_be_had(ecfit: Ecfit, peer: MakePeer, tmp_path: Path) -> None:
    peer_dir = peer("return 0;", more=package("1" * 64))
    environment = {"CARGO_HOME": str(tmp_path / "cargo"), "CARGO_NET_OFFLINE": "true"}
    done = ecfit(
        "size", "--lib", "mine", "--op", "ecdh", "--peer-dir", peer_dir, *QUIET, env=environment
    )
    assert done.code == 3
    assert "package micro-ecc-sys 0.3.2 cannot be had" in done.error
    assert json.loads(done.out)[0]["status"] == "package unavailable"


def test_missing_cargo(ecfit: Ecfit, peer: MakePeer, tmp_path: Path) -> None:
    """Only the compilers are on the path."""
    for tool in ("arm-none-eabi-gcc",):
        found = subprocess.run(
            ["which", tool], capture_output=True, text=True, check=True
        ).stdout.strip()
        (tmp_path / tool).symlink_to(found)
    environment = {"CARGO_HOME": str(tmp_path / "cargo"), "PATH": str(tmp_path)}
    peer_dir = peer("return 0;", more=package("2" * 64))
    done = ecfit(
        "size", "--lib", "mine", "--op", "ecdh", "--peer-dir", peer_dir, *QUIET, env=environment
    )
    assert done.code == 3
    assert (
        "cargo, which fetches the code of peers, not found: install the package cargo" in done.error
    )


@pytest.mark.parametrize(("target", "tool"), [("lpc1114", "arm-none-eabi-gcc"), ("host", "gcc")])
def test_missing_compiler(ecfit: Ecfit, tmp_path: Path, target: str, tool: str) -> None:
    done = ecfit("bench", "--target", target, "--op", "ecdh", env={"PATH": str(tmp_path)})
    assert done.code == 3
    assert f"{tool} not found: install the package" in done.error
    assert done.out == ""


def test_rows_of_a_missing_compiler_are_marked_and_the_rest_goes_on(
    ecfit: Ecfit, tmp_path: Path
) -> None:
    for tool in ("arm-none-eabi-gcc",):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    done = ecfit(
        "size", "--target", "lpc1114,ibex", "--op", "ecdh", *QUIET, env={"PATH": str(tmp_path)}
    )
    here, absent = json.loads(done.out)
    assert done.code == 3
    assert (here["status"], absent["status"]) == ("ok", "tool missing")
    assert here["flash_bytes"] > 0
    assert absent["flash_bytes"] is None
    assert "install the package gcc-riscv64-unknown-elf" in done.error
    assert "make setup" not in done.error  # which would not install it


def test_compiler_that_does_not_run(ecfit: Ecfit, tmp_path: Path) -> None:
    fake = tmp_path / "arm-none-eabi-gcc"
    fake.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    fake.chmod(0o755)
    done = ecfit("bench", "--op", "ecdh", env={"PATH": str(tmp_path)})
    assert done.code == 3
    assert "does not run: broken" in done.error


def test_simulator_not_built(ecfit: Ecfit, tmp_path: Path) -> None:
    done = ecfit("bench", "--op", "ecdh", *QUIET, env={"ECFIT_LIBECSIM": str(tmp_path / "none.so")})
    assert done.code == 3
    assert "the simulator is not built" in done.error


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt(peer: MakePeer, tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C in the middle of an endless run, or a CI that ends the job: exit code 130 at once,
    one line, nothing half-written.
    """
    cache = tmp_path / "cache"  # its own: the first image in it says that the command is at work
    peer_dir = peer("(void)out; (void)in; for (;;) { }")
    output = tmp_path / "interrupted.json"
    arguments = [
        "bench",
        "--lib",
        "mine",
        "--peer-dir",
        peer_dir,
        "--op",
        "ecdh,sign",
        "--limit",
        str(10**13),
    ]
    background = [
        "env",
        "--default-signal=INT",
    ]  # a job in the background inherits the signal as ignored
    process = subprocess.Popen(
        [*background, *ECFIT, *arguments, "--jobs", "1", "-o", str(output)],
        env={**os.environ, "ECFIT_CACHE": str(cache)},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 60
        while len(list((cache / "images").glob("*"))) < 1 and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1.0)
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, out, err.strip()) == (130, "", "ecfit: interrupted")
    assert not output.exists()
    assert not list(cache.glob(f"build-{process.pid}-*"))


SLOW = """
import sys, time
class Slow:
    def find_spec(self, name, *_):
        if name == "ecfit.cli":
            print("now", flush=True)
            time.sleep(20)
sys.meta_path.insert(0, Slow())
from ecfit.__main__ import start
start()
"""


def test_interrupt_while_the_modules_are_read() -> None:
    """From the first of them on: no traceback."""
    command = ["env", "--default-signal=INT", sys.executable, "-c", SLOW, "curves"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "now\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "ecfit: interrupted\n")
