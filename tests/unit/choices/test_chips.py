"""Chips by the names that people type: a hundred, drawn with seed 55, and their figures as another
script read them from the source of the table; and what cannot be a chip.

`chips.txt`: name, architecture, bytes of flash and of RAM, core (- if not known here). Where that
script counts more: configuration flash of the CC2674R10 and FlexNVM of the S32K148 hold data; the
flash of the MEC1723 is external.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ecfit.choices import chips
from ecfit.choices.curves import CURVES, find_curve
from ecfit.choices.targets import Target, all_targets, find_target
from ecfit.errors import BudgetError, UsageError
from ecfit.fit.fit import planned, searched
from ecfit.fit.question import Need, Question
from ecfit.measure.bench import Row
from ecfit.model import Record
from ecfit.show.chip import chip_lines

DRAWN = [
    line.split()
    for line in Path(__file__).with_name("chips.txt").read_text(encoding="utf-8").splitlines()
]
# Targets whose files cite the vendor's data sheet for core, flash and RAM.
VENDORS = {
    "nRF52840_xxAA": "nrf52840",
    "nRF52832_xxAA": "nrf52832",
    "nRF5340_xxAA": "nrf5340",
    "STM32F411RE": "stm32f411",
    "STM32F407VG": "stm32f407",
    "STM32F091RC": "stm32f091",
    "STM32F103RB": "stm32f103",
    "STM32G071RB": "stm32g071",
    "STM32G431RB": "stm32g431",
    "STM32H563ZI": "stm32h563",
    "STM32U575ZI": "stm32u575",
    "STM32WLE5JC": "stm32wle5",
}
# What vendors and boards' documents say, read apart from the table: core, MHz (0: not found), KiB
# of flash and of RAM.
READ = {
    "STM32F100C8": ("cortex-m3", 24, 64, 8),  # st.com, its page
    "MSPM0C1103": ("cortex-m0plus", 24, 8, 1),  # ti.com, its page
    "EFM32PG1B100F256GM32": ("cortex-m4f", 40, 256, 32),  # silabs.com, its page
    "EFM32TG11B520F128GM80": ("cortex-m0plus", 48, 128, 32),  # RIOT-OS/RIOT boards/slstk3301a
    "GD32E103VB": ("cortex-m4f", 120, 128, 32),  # zephyr gd32e103v_eval
    "GD32F403ZE": ("cortex-m4f", 168, 512, 96),  # zephyr gd32f403z_eval
    "GD32F350RB": ("cortex-m4f", 108, 128, 16),  # zephyr gd32f350r_eval
    "ATSAME54P20A": ("cortex-m4f", 120, 1024, 256),  # zephyr same54_xpro
    "TM4C123GH6PM": ("cortex-m4f", 80, 256, 32),  # ti.com, SW-TM4C
    "LM3S1150": ("cortex-m3", 50, 64, 16),  # ti.com, its page
    "LM3S600": ("cortex-m3", 50, 32, 8),  # ti.com, its page
    "MAX32660": ("cortex-m4f", 96, 256, 96),  # zephyr max32660evsys
    "R7FA4L1BD": ("cortex-m33f", 80, 512, 64),  # zephyr ek_ra4l1
    "STM32WB05KZ": ("cortex-m0plus", 64, 192, 24),  # zephyr nucleo_wb05kz
    "nRF52810_xxAA": ("cortex-m4", 64, 192, 24),  # zephyr nordic/nrf52/Kconfig: no FPU
}


def sizes(target: Target) -> tuple[int, int]:
    flash, ram = (sum(m.size for m in target.memory if m.kind == k) for k in ("flash", "ram"))
    return flash, ram


@pytest.mark.parametrize(("name", "arch", "flash", "ram", "core"), DRAWN, ids=lambda text: text)
def test_drawn_chips(name: str, arch: str, flash: str, ram: str, core: str) -> None:
    chip = next(chip for chip in chips.chips() if chip.name == name)
    assert chip.arch == arch
    if core == "-" or core.removesuffix("f") in chips.data().nearest or flash == "0":
        with pytest.raises(UsageError, match=r"not modelled|not known here|has no flash"):
            find_target(name)
        return
    target = find_target(name)
    assert sizes(target) == (int(flash), int(ram))
    assert (target.core, bool(target.fpu)) == (core.removesuffix("f"), core.endswith("f"))
    assert {mode.error_class for mode in target.modes.values()} == {"C"} or not target.like


@pytest.mark.parametrize(("name", "target"), VENDORS.items())
def test_the_table_agrees_with_data_sheets(name: str, target: str) -> None:
    assert chips.named(name) is all_targets()[target]


@pytest.mark.parametrize(("name", "said"), READ.items())
def test_the_table_agrees_with_what_was_read(name: str, said: tuple[str, int, int, int]) -> None:
    target = find_target(name)
    flash, ram = (size // chips.KIB for size in sizes(target))
    assert target.clock is not None
    core = target.core + "f" * bool(target.fpu)
    assert (core, target.clock.hz / 1e6, flash, ram) == said


def test_what_is_not_known_is_said() -> None:
    target = find_target("lm3s1637")
    assert target.clock is None
    assert "clock not known: cycles only" in target.description
    for chip, said in {"lm3s1637": True, "stm32f103v8": False}.items():
        told = "its wait states are not known here" in find_target(chip).modes["datasheet"].help
        assert told == said


def test_every_family_names_what_was_read() -> None:
    for of in chips.data().family:
        assert bool(of.source) == bool(of.flash), of.names
        assert of.source != "chips.txt" or (of.mhz, of.wait_states) == (0, -1), of.names


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("stm32wb55rg", "this chip's PKA, secp256r1: sign 82.6 ms (ecfit 1 500)"),
        ("stm32wb55rg", "needs 64 MHz, through wolfSSL 4.4.1 (source: wolfSSL"),
        ("stm32f405rg", None),
        ("stm32g071", None),
    ],
)
def test_the_line_of_an_accelerator(name: str, said: str | None) -> None:
    lines = list(chip_lines(find_target(name), {("secp256r1", "sign"): 1_500_000.0}))
    about = [line for line in lines if "this chip's" in line]
    assert len(about) == (said is not None)
    assert said is None or said in about[0]
    assert not [x for x in chip_lines(find_target(name), {}) if "this chip's" in x]


def test_a_chip_that_is_too_small_says_what_does_not_fit() -> None:
    target = find_target("stm32l011d3")
    need = Need(find_curve("secp256r1"), ("sign",))
    asked = Question(
        target=target, mode=None, mode_name="datasheet", needs=(need,), limits=(),
        minimise="flash", weights={"sign": 1}, use=None, sets={}, presets=("tiny",),
        libraries=("ecfit",),
    )  # fmt: skip
    space = planned(asked, {})

    def fails(rows: Sequence[Row]) -> list[Record]:
        lacks = "sign needs 288 bytes of stack more than stm32l011d3 has"
        return [
            Record(
                library="ecfit", library_version="0", curve="secp256r1", op=row.op,
                image_ops=row.op, target=target.name, core=target.core, mode=None, preset=None,
                config_key=row.config_key, toolchain="gcc", opt="Os", runner="sim", seed=0, runs=0,
                status="stack overflow into data", detail=lacks,
            )
            for row in rows
        ]  # fmt: skip

    with pytest.raises(BudgetError) as raised:
        searched(asked, {}, space, fails)
    said = ("8192 B of flash", "2048 B of RAM", "288 bytes of stack more", "chip with more memory")
    assert [word for word in said if word not in str(raised.value)] == []


def test_families_agree_with_the_table() -> None:
    """The core of every family has the architecture that the table has."""
    for chip in chips.chips():
        of = chips.family(chip.name)
        assert of is None or chips.ARCH.get(of.model, chip.arch) == chip.arch, chip.name
        near = of.flash.removeprefix("=") if of else ""
        assert not near or near in all_targets()


@pytest.mark.parametrize(
    ("typed", "target"),
    [
        ("STM32G030C6T6TR", "stm32g030c6"),
        ("gd32f103cbt6", "gd32f103cb"),
        ("cc2652r1frgzr", "cc2652r"),
        ("ra4m1", "r7fa4m1ab"),
        ("samd51j19a", "atsamd51j19a"),
        ("nRF52840-QIAA", "nrf52840"),
    ],
)
def test_order_codes_and_series(typed: str, target: str) -> None:
    assert find_target(typed).name == target


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("stm32g030", ("fits several", "stm32g030c6 (32 KiB flash, 8 KiB RAM)", "stm32g030c8")),
        ("ch641f", ("RV32EC without a multiplier", "not modelled")),
        ("lm3s1013", ("unknown target",)),
        ("msp430fr5994", ("MSP430", "not modelled")),
        ("stm32n657x0", ("cortex-m55 is not modelled",)),
    ],
)
def test_what_is_no_target(typed: str, words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError) as raised:
        find_target(typed)
    assert [word for word in words if word not in str(raised.value)] == []


@pytest.mark.parametrize(
    "typed",
    ["", "a" * 100_000, "../../etc/passwd", "stm32.*", "(", "\u00e9" * 20, "stm32\nx", "%s", "\0"],
)
def test_hostile_names(typed: str) -> None:
    with pytest.raises(UsageError) as raised:
        find_target(typed)
    assert len(str(raised.value)) < 1000
    assert str(raised.value).isprintable()


def test_accelerators_have_sources() -> None:
    own = (unit for target in all_targets().values() for unit in target.accelerator)
    for unit in (*own, *chips.data().accelerator):
        assert len(unit.source) > 20
        assert unit.ms.keys() <= {"keygen", "ecdh", "sign", "verify"}
        assert unit.curve in CURVES
