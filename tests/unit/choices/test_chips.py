"""Chips by the names that people type: a hundred, drawn with seed 55, and their figures as another
script read them from the source of the table; and what cannot be a chip.

`chips.txt`: name, architecture, bytes of flash and of RAM, core (- if not known here). Where that
script counts more: configuration flash of the CC2674R10 and FlexNVM of the S32K148 hold data; the
flash of the MEC1723 is external.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ecfit.choices import chips
from ecfit.choices.curves import CURVES
from ecfit.choices.targets import Target, all_targets, find_target
from ecfit.errors import UsageError

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
        ("ch32v003", ("RV32EC without a multiplier", "not modelled")),
        ("lm3s1013", ("unknown target",)),
        ("msp430fr5994", ("MSP430", "not modelled")),
        ("mimxrt1062", ("cortex-m7 is not modelled",)),
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
