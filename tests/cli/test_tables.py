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
