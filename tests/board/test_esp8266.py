"""The emulated ESP8266: its counts of instructions are exact, its results those of the oracle, and
what it cannot do is refused.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from ecfit import cli
from ecfit.build.build import build
from ecfit.build.parts import Parts, own_parts
from ecfit.build.request import Request
from ecfit.build.toolchain import find_toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import find_target
from ecfit.model import Configuration, Image
from ecfit.paths import FIRMWARE
from ecfit.run import emulated
from ecfit.run.cases import Case
from ecfit.run.job import FailureError, Job

CHIP = find_target("esp8266")
COMPILER = "xtensa-lx106-elf-gcc"
KERNELS = """
    .text
    .align 4
    .global bench_keygen, bench_ecdh, bench_sign, bench_verify
bench_keygen:               # 1
    ret.n
    .align 4
bench_ecdh:                 # 3 + 2n, n is the input; the last branch is not taken
    l32i a4, a3, 0
1:  addi a4, a4, -1
    bnez a4, 1b
    movi.n a2, 0
    ret.n
    .align 4
bench_sign:                 # 1002
    .rept 1000
    nop.n
    .endr
    movi.n a2, 0
    ret.n
    .align 4
bench_verify:               # 21, of them 6 in the function that it calls
    addi sp, sp, -16
    s32i a0, sp, 12
    call0 helper
    movi a5, helper
    callx0 a5
    mul16u a4, a4, a5
    mull a4, a4, a5
    ssai 5
    src a4, a4, a5
    l8ui a4, sp, 12
    j 2f
    nop
2:  l32i a0, sp, 12
    addi sp, sp, 16
    movi.n a2, 0
    ret.n
    .align 4
helper:
    s16i a5, sp, 0
    memw
    ret.n
"""


def made(source: Path, op: str | Sequence[str]) -> Image:
    """An image with these operations, from one file of the test's own."""
    assert shutil.which(COMPILER), f"{COMPILER} is missing: tools/setup.sh test installs it"
    ops = (op,) if isinstance(op, str) else tuple(op)
    tools = find_toolchain("gcc", CHIP.arch, CHIP.core, "Os")
    parts = Parts(source, [source.read_text()])
    of = Configuration("test", None, ())
    return build(Request(CHIP, of, "secp256r1", ops, tools, parts))


def one(image: Image, op: str, *inputs: bytes, limit: int = 10**9) -> list[emulated.Answer]:
    """What is answered to calls of an operation without output. Errors: FailureError."""
    job = Job(CHIP, None, CURVES["secp256r1"], op, 1, 1, limit)
    return emulated.answers(image, job, [Case(op, data, b"", 0) for data in inputs])


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Code of known lengths."""
    source = tmp_path_factory.mktemp("kernels") / "kernels.S"
    source.write_text(KERNELS)
    return made(source, ("keygen", "ecdh", "sign", "verify"))


def test_counts_are_those_by_hand(kernels: Image) -> None:
    """Straight code, a branch either way, calls, loads and stores."""
    for op, count in (("keygen", 1), ("sign", 1002), ("verify", 21)):
        assert [answer.instructions for answer in one(kernels, op, b"")] == [count], op


def test_counts_are_exact_in_every_phase(kernels: Image) -> None:
    """The core's timer ticks once in 25 instructions; no length is off by one for that."""
    lengths = [*range(1, 61), 12_345, 1_000_000]
    found = one(kernels, "ecdh", *(n.to_bytes(4, "little") for n in lengths))
    assert [answer.instructions for answer in found] == [3 + 2 * n for n in lengths]


def own(preset: str, curve: str, op: str) -> Image:
    """An image of our library."""
    of = resolve(CURVES[curve], preset, {}, CHIP.backend)
    tools = find_toolchain("gcc", CHIP.arch, CHIP.core, "Os")
    return build(Request(CHIP, of, curve, (op,), tools, own_parts(of, curve, (op,))))


EVERY = [
    (preset, curve, "sign" if "sign" in CURVES[curve].ops else "ecdh")
    for preset in ("tiny", "fast")
    for curve in CURVES
]
ROM = {*re.findall(r"^\w+ (__\w+)\(", (FIRMWARE / "lx106" / "rom.c").read_text(), re.MULTILINE)}
SAMPLE = {("tiny", "x25519"), ("tiny", "secp256r1"), ("fast", "secp256r1"), ("fast", "ed25519")}


@pytest.mark.parametrize(
    ("preset", "curve", "op"),
    [
        pytest.param(*row, marks=[] if row[:2] in SAMPLE else pytest.mark.ci, id="-".join(row))
        for row in EVERY
    ],
)
def test_every_secret_takes_the_same_instructions(preset: str, curve: str, op: str) -> None:
    """Not a proof: `ecfit ct` follows secrets, and on modelled cores alone. It found the compiler's
    branches on carries: the core has no flag for them.
    """
    image = own(preset, curve, op)
    assert not ROM & image.symbols.keys(), "our library calls a function of the chip's ROM"
    job = Job(CHIP, None, CURVES[curve], op, 7, 4, secrets_only=True)
    assert len(set(emulated.run(image, job).instructions)) == 1


def test_the_comparison_finds_a_branch(tmp_path: Path) -> None:
    """A carry decides, in plain C."""
    source = tmp_path / "adapter.c"
    source.write_text(
        '#include "bench_op.h"\n'
        "int bench_ecdh(uint8_t *o, const uint8_t *i) { uint32_t a = *(const uint32_t *)i;\n"
        "    return (int)((uint64_t)a + 0x80000000u >> 32) * 7; }\n"
    )
    image = made(source, "ecdh")
    low, high = one(image, "ecdh", bytes(4), bytes([255] * 4))
    assert (low.result, high.result) == (0, 7)
    assert low.instructions != high.instructions


def bench(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, object]]]:
    """Exit code and records of `ecfit bench` on the chip, measured afresh."""
    command = ["bench", "--target", "esp8266", "--no-cache", "--quiet", "--format", "json", *words]
    code = cli.run(command)
    return code, json.loads(capsys.readouterr().out)


def test_bench_counts_instructions_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    """Every operation is right, and the counts are the same again."""
    code, records = bench(capsys, "--curve", "x25519,secp256r1,ed25519")
    assert code == 0
    assert len(records) == 9
    for record in records:
        assert (record["status"], record["error_class"]) == ("ok", "instructions")
        assert [record[name] for name in ("cycles", "time_us", "energy_uj", "mode")] == [None] * 4
        stack, most = record["stack_bytes"], record["static_stack_bytes"]
        assert isinstance(stack, int)
        assert isinstance(most, int)
        assert most - 48 <= stack <= most  # painted, beside the compiler's bound
    only = [record for record in records if record["curve"] == "x25519"]
    assert bench(capsys, "--curve", "x25519") == (0, only)


@pytest.mark.parametrize(
    ("library", "curve"),
    [
        ("micro-ecc", "secp256r1"),
        *(
            pytest.param(*row, marks=pytest.mark.ci)
            for row in (
                ("monocypher", "x25519,ed25519"),
                ("bearssl", "x25519,secp256r1"),
                ("mbedtls", "x25519,secp256r1"),  # on the heap
            )
        ),
    ],
)
def test_other_libraries_run_there(
    library: str, curve: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With products of 64 bits, which are in the chip's ROM."""
    code, records = bench(capsys, "--lib", library, "--curve", curve)
    assert code == 0
    assert {record["status"] for record in records} <= {"ok", "not offered"}


FAILURES = {
    "endless loop": "int bench_ecdh(uint8_t *o, const uint8_t *i) { for (;;) ; }",
    "stack overflow into data": """
static int deep(int n) { volatile char a[1024];
    for (int i = 0; i < 1024; i++) a[i] = (char)n;
    return n ? deep(n - 1) + a[0] : 0; }
int bench_ecdh(uint8_t *o, const uint8_t *i) { return deep(79); }""",
    "fault: access outside memory": """
int bench_ecdh(uint8_t *o, const uint8_t *i) { return *(volatile int *)0x10; }""",
    "fault: undefined instruction": """
int bench_ecdh(uint8_t *o, const uint8_t *i) { __asm__ volatile("ill"); return 0; }""",
    "out of memory": """
int bench_ecdh(uint8_t *o, const uint8_t *i) { if (!bench_calloc(1, 100000))
    bench_out_of_memory(1); return 0; }""",
}


@pytest.mark.parametrize("status", FAILURES)
def test_failures_have_their_status(status: str, tmp_path: Path) -> None:
    """What does not return is a record that says why."""
    source = tmp_path / "adapter.c"
    source.write_text(f'#include "bench_op.h"\n{FAILURES[status]}\n')
    with pytest.raises(FailureError) as failure:
        one(made(source, "ecdh"), "ecdh", b"", limit=10**6)
    assert failure.value.status == status


def test_wrong_results_are_found(tmp_path: Path) -> None:
    """A function that does nothing is fast, and wrong."""
    source = tmp_path / "adapter.c"
    source.write_text(
        '#include "bench_op.h"\nint bench_ecdh(uint8_t *o, const uint8_t *i) { return 0; }\n'
    )
    job = Job(CHIP, None, CURVES["x25519"], "ecdh", 1, 1)
    with pytest.raises(FailureError, match="shared secret"):
        emulated.run(made(source, "ecdh"), job)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["fit", "--need", "x25519:ecdh"], "needs modelled cycles"),
        (["ct", "--curve", "x25519"], "follows no secrets"),
        (["profile", "--curve", "x25519"], "counts no cycles"),
        (["tls"], "board lx60"),
        (["bench", "--toolchain", "clang"], COMPILER),
        (["bench", "--set", "STACK=harness"], "no such bank"),
    ],
)
def test_the_rest_is_refused(
    command: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, with exit code 2."""
    assert cli.run([command[0], "--target", "esp8266", *command[1:]]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("absent", "package"),
    [(COMPILER, "gcc-xtensa-lx106"), (emulated.QEMU, emulated.PACKAGE)],
)
def test_what_is_not_installed_is_named(
    absent: str,
    package: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With its package, before anything is built: exit code 3."""
    for folder in os.environ["PATH"].split(":"):
        for program in Path(folder).glob("*"):
            link = tmp_path / program.name
            if program.name != absent and not link.is_symlink():
                link.symlink_to(program)
    monkeypatch.setenv("PATH", str(tmp_path))
    find_toolchain.cache_clear()
    assert cli.run(["bench", "--target", "esp8266", "--curve", "x25519"]) == 3
    told = capsys.readouterr().err
    assert package in told
    assert told.count("\n") == 1


def test_a_target_of_the_user_is_checked(tmp_path: Path) -> None:
    """An emulated core has no modes, a modelled one needs them."""
    text = (Path(emulated.__file__).parents[1] / "data/targets/esp8266.toml").read_text()
    for old, new, said in (
        ('runner = "qemu"', 'runner = "sim"', "runner is qemu for xtensa"),
        ('name = "harness"', 'name = "more"', "'harness' is missing"),
        ('kind = "flash"', 'kind = "ram"', "a memory of kind 'flash' is missing"),
    ):
        path = tmp_path / "mine.toml"
        path.write_text(text.replace(old, new).replace('"esp8266"', '"mine"'))
        assert cli.run(["bench", "--target-file", str(path)]) == 2, said
