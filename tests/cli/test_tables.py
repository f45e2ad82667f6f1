"""Every table at 80 columns: no line wider, no word of the values broken."""

from __future__ import annotations

import json

import pytest
from cli_run import Ecfit

NARROW = {"COLUMNS": "80"}
SMALL = ("--target", "samd20", "--op", "ecdh", "--quiet")
LISTINGS = ("targets", "libs", "curves", "knobs", "presets", "doctor", "study --list", "board")
MEASURED = (
    ("bench", *SMALL, "--preset", "tiny,balanced"),
    ("bench", *SMALL, "--preset", "tiny", "--n", "2", "--opt", "Os,O2", "--curve", "P-256,x25519"),
    ("size", *SMALL, "--set", "COMB_TEETH=5", "--set", "WINDOW=5"),
    ("profile", *SMALL, "--preset", "tiny"),
    ("ct", *SMALL, "--preset", "tiny", "--n", "2"),
)


@pytest.mark.parametrize(
    "command", [tuple(text.split()) for text in LISTINGS] + list(MEASURED), ids=" ".join
)
def test_no_line_is_wider(ecfit: Ecfit, command: tuple[str, ...]) -> None:
    done = ecfit(*command, env=NARROW)
    assert done.code == 0, done.err
    too_wide = [line for line in done.out.splitlines() if len(line) > 80 and " " in line.strip()]
    assert not too_wide


@pytest.mark.parametrize("command", ["targets", "libs", "curves", "presets"])
def test_no_name_is_broken(ecfit: Ecfit, command: str) -> None:
    table = ecfit(command, env=NARROW).out
    for entry in json.loads(ecfit(command, "--format", "json").out):
        assert entry["name"] in table.replace("\n", " ").split()


def test_what_is_left_out_is_in_the_wide_table(ecfit: Ecfit) -> None:
    narrow, wide = (ecfit("bench", *SMALL, env={"COLUMNS": width}).out for width in ("45", "200"))
    assert "left out for want of width: " in narrow
    assert "left out" not in wide
    assert "static stack" in wide


@pytest.mark.parametrize("command", [tuple(text.split()) for text in LISTINGS], ids=" ".join)
def test_a_list_is_one_screen(ecfit: Ecfit, command: tuple[str, ...]) -> None:
    """A line for each entry, that begins with its name."""
    lines = ecfit(*command, env=NARROW).out.splitlines()
    assert len(lines) <= 40
    if command != ("doctor",):
        for entry in json.loads(ecfit(*command, "--format", "json").out):
            assert sum(line.startswith(f" {entry['name']} ") for line in lines) == 1, entry["name"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("targets", "Cortex-M33"), ["nrf5340"]),
        (("targets", "nrf52840"), ["Nordic nRF52840, Cortex-M4F"]),
        (("knobs", "comb_"), ["COMB_TEETH", "COMB_BLOCKS", "MULG"]),
        (("curves", "brainpool"), ["brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1"]),
        (("libs", "micro-ecc"), ["OPTIMIZATION_LEVEL=0|1|2|3|4"]),
        (("presets", "tiny"), ["settings"]),
    ],
)
def test_a_word_narrows_a_list(ecfit: Ecfit, command: tuple[str, ...], words: list[str]) -> None:
    done = ecfit(*command, env=NARROW)
    assert all(word in done.out for word in words), done.out
    others = "host", "BACKEND", "x448", "monocypher", "lowram "
    assert not any(other in done.out for other in others)


def test_a_word_that_is_nowhere(ecfit: Ecfit) -> None:
    done = ecfit("targets", "z80")
    assert done.code == 2
    assert done.error == (
        "ecfit: error: no target has 'z80' in its entry; 'ecfit targets' lists all"
    )
