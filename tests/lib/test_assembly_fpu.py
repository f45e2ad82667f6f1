"""The routines of X25519 with floating-point registers, each alone: their operands are in
registers, so that `test_assembly.py` calls them through the ladder only, where few are edges. And
X25519 with them: results, what it leaves in registers, and who may have it.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ecfit import cli
from ecfit.choices.curves import CURVES
from workshop.assembly.edges import Aim, products, squares, sums
from workshop.assembly.p25519 import COMPUTE, P, R, borrowed, lowered
from workshop.assembly.routines import ALL_ONES, RAM, RETURN, SIZE, TOP, WORD, Bench, edges, sources
from workshop.library.api import Status
from workshop.library.images import Chip
from workshop.paths import INCLUDE
from workshop.scale import OUTER
from workshop.vectors.rfc_wycheproof import x_cases

COUNT = 4000 if OUTER else 1000
LOOSE = (1 << 255) + (1 << 254)  # differences are of less than this
AT, STUB = RAM + 0x40, 0x20
S, B_KEPT = 32, range(8)  # the number of s0; the words of B
KEPT = range(18, 32)  # registers of the unit that nothing touches
CHOOSE = bytes.fromhex("8cfa4cfc5847")  # uadd8 r12, r12, r12; bx r11
FACTORS = (1, 2, 121666, (1 << 17) - 1)
NEAR = (0, 1, P - 1, P, P + 1, 2 * P - 1, 2 * P, 2 * P + 1, R - 1, LOOSE - 1)


def linear(a: int, b: int, factor: int) -> int:
    """a + factor b, the top words first."""
    return lowered(a + factor * b, (a >> 224) + factor * (b >> 224))


def square(a: int) -> int:
    """a^2."""
    return COMPUTE["MUL"](a, a)


# what a routine computes of R, of what is in memory or in B, and of a mask or a factor; its aim
ROUTINES: dict[str, tuple[Callable[[int, int, int], int], Aim]] = {
    "mul": (lambda a, b, _: COMPUTE["MUL"](a, b), products(8)),
    "mul_by": (lambda a, b, _: COMPUTE["MUL"](a, b), products(8)),
    "sqr": (lambda a, _, __: square(a), squares(8)),
    "choice_sqr": (lambda a, b, mask: square(b if mask else a), squares(8)),
    "add": (lambda a, b, _: linear(a, b, 1), sums(R, 8)),
    "linear": (linear, sums(R, 8)),
    "sub": (lambda a, b, _: borrowed(a, b), sums(R, 8, sign=-1, most=LOOSE - 1)),
}


def drawn(name: str) -> list[tuple[int, int, int]]:
    """Operands: all pairs of a few, edges, words at random, and results that are edges."""
    draw, most = random.Random(name), LOOSE if name == "sub" else R
    every = [value for value in (*NEAR, *edges(8)) if value < most]
    found = [(a, b) for a in NEAR for b in NEAR if max(a, b) < most]
    for index in range(COUNT):
        values = [0, draw.randrange(most), draw.randrange(most)]
        if index % 3 == 1:
            values[1 + index % 2] = draw.choice(every)
        elif index % 3 == 2:
            ROUTINES[name][1](draw, values)
        found.append((values[1] % most, values[2] % most))
    third = (0, ALL_ONES) if name == "choice_sqr" else FACTORS
    return [(a, b, third[i % len(third)]) for i, (a, b) in enumerate(found)]


@pytest.mark.parametrize("name", ROUTINES)
def test_a_routine_alone(name: str) -> None:
    compute, bench = ROUTINES[name][0], Bench("armv7em", "cortex-m4")
    machine, start = bench.machine, bench.symbols[f"ecfit_p25519_fpu_{name}"]
    machine.load(STUB, CHOOSE)
    banners = " ".join(" ".join(sources("armv7em").values()).replace("\n *", "").split())
    said = re.search(rf"ecfit_p25519_fpu_{name}: [^*]*?(\d+) cycles", banners)
    seen = set()
    for a, b, third in drawn(name):
        for k in range(32):
            machine.set_register(S + k, 0xABC00000 + k)
        for k in range(8):
            machine.set_register(k, a >> WORD * k & ALL_ONES)
            machine.set_register(S + k, b >> WORD * k & ALL_ONES)
        machine.write(AT, b.to_bytes(32, "little"))
        before = machine.read(RAM, SIZE)
        machine.set_register(8, AT)
        machine.set_register(12, third)
        machine.set_register(13, TOP)
        machine.set_register(14, RETURN | 1)
        machine.set_register(11, start | 1 if name == "choice_sqr" else third)
        result = machine.run(STUB | 1 if name == "choice_sqr" else start | 1, limit=9999)
        assert (result.stop, result.bkpt) == ("bkpt", 1)
        got = sum(machine.register(k) << WORD * k for k in range(8))
        assert got == compute(a, b, third), (hex(a), hex(b), third)
        assert machine.read(RAM, SIZE) == before, "nothing is written"
        assert machine.register(13) == TOP
        assert [machine.register(S + k) for k in KEPT] == [0xABC00000 + k for k in KEPT]
        kept = sum(machine.register(S + k) << WORD * k for k in B_KEPT)
        assert kept == b, "B is kept"
        seen.add((result.cycles, result.trace_hash))
    assert len(seen) == 1, "path or addresses depend on data"
    around = 3 if name == "choice_sqr" else 0  # of STUB
    ((cycles, _),) = seen
    assert said is None or cycles - around == int(said[1]), "the banner says another cost"


def test_sums_stay_below_what_the_banner_says() -> None:
    most = max(linear(a, b, factor) for a in (R - 1, R - 2) for b in (R - 1,) for factor in FACTORS)
    text = sources("armv7em")["ecfit_p25519_fpu_add"]
    (power,) = map(int, re.findall(r"below 2\^255 \+ 2\^(\d+)", text))
    assert most < (1 << 255) + (1 << power)


@pytest.mark.parametrize("target", ["nrf52840", "nrf5340"])
@pytest.mark.parametrize("beside", [[], ["ed25519"]], ids=["alone", "beside"])
def test_wycheproof(target: str, beside: list[str]) -> None:
    """On a Cortex-M4 and a Cortex-M33, alone or with Ed25519; every tenth case."""
    others = [CURVES[name] for name in beside]
    chip = Chip(target, "fast", sets={"FPU": "words"}, curve=CURVES["x25519"], beside=others)
    for case in x_cases("x25519")[::10]:
        if case.public_key is not None:
            answer = chip.call("ecdh", case.private_key + case.public_key, 32)
            status = Status.OK if any(case.shared) else Status.BAD_PUBLIC_KEY
            assert answer[:2] == (status, case.shared), case.label


def test_no_secret_is_left_in_the_unit() -> None:
    """With WIPE=stack; what the caller has in s16 to s31 is kept."""
    chip = Chip("nrf52840", "fast", sets={"FPU": "words"}, curve=CURVES["x25519"])
    chip.call("ecdh", bytes(range(1, 33)) + bytes(range(9, 41)), 32)
    unit = [chip.machine.register(S + k) for k in range(32)]
    assert unit == [0] * 16 + [0xECF00000 + S + k for k in range(16, 32)]


def test_who_has_no_unit_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By `ecfit` of a chip, and by the compiler, unless the macro says that there is one."""
    command = ["--preset", "fast", "--curve", "x25519", "--set", "FPU=words"]
    assert cli.run(["bench", "--target", "stm32wle5", *command]) == 2
    said = capsys.readouterr().err
    assert said == "ecfit: error: FPU=words needs a floating-point unit, and stm32wle5 has none\n"
    assert cli.run(["config", "--target", "nrf52840", *command, "-o", str(tmp_path)]) == 0
    unit = tmp_path / "unit.c"
    unit.write_text('#include "ecfit_config.h"\n#include "ecfit_config_check.h"\n')
    gcc = ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-E", f"-I{tmp_path}", f"-I{INCLUDE}"]
    for options, refused in (
        (["-mfloat-abi=soft"], True),
        (["-mfloat-abi=soft", "-DECFIT_FPU_PRESENT"], False),
        (["-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"], False),
    ):
        done = subprocess.run(
            [*gcc, *options, str(unit)], capture_output=True, text=True, check=False
        )
        assert ("needs a floating-point unit" in done.stderr) == refused, done.stderr
        assert (done.returncode != 0) == refused
