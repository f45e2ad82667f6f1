"""--set STACK=BANK: the stack of the image in another bank of the chip's RAM."""

from __future__ import annotations

import json
from typing import Any

from workshop.cli.run import Ecfit

ASK = ("bench", "--target", "stm32f407", "--op", "ecdh", "--mode", "zero-ws", "--format", "json")


def records(ecfit: Ecfit, *more: str) -> dict[str, dict[str, Any]]:
    done = ecfit(*ASK, "--curve", "x25519,secp256r1", *more)
    assert done.code == 0, done.err
    return {row["curve"]: row for row in json.loads(done.out)}


def test_a_bank_that_waits_costs_what_the_page_says(ecfit: Ecfit) -> None:
    here, there = records(ecfit), records(ecfit, "--set", "STACK=sram2")
    part = {curve: there[curve]["cycles"] / here[curve]["cycles"] - 1 for curve in here}
    assert f"{part['x25519']:.1%} {part['secp256r1']:.1%}" == "7.0% 10.1%"
    assert {row["changed"] for row in there.values()} == {"STACK=sram2"}
    for curve in here:
        assert there[curve]["instructions"] == here[curve]["instructions"]
        assert there[curve]["stack_bytes"] == here[curve]["stack_bytes"]


def test_the_first_bank_is_where_the_stack_lies_anyway(ecfit: Ecfit) -> None:
    assert records(ecfit, "--set", "stack=SRAM1") == records(ecfit)


def test_a_bank_that_the_chip_has_not(ecfit: Ecfit) -> None:
    done = ecfit(*ASK, "--curve", "x25519", "--set", "STACK=sram3")
    assert done.code == 2
    assert done.error == (
        "ecfit: error: STACK=sram3: stm32f407 has no such bank: its RAM is sram1, sram2, ccm"
    )
