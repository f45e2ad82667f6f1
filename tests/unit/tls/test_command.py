"""`ecfit tls` of a kept connection: every form of output has the same row, with its energy; and
what `--server` says that there is.
"""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner, Result

from ecfit import cli
from ecfit.choices.targets import find_target
from ecfit_lab.tls.configs import CONNECTIONS
from tools.rigs import tls

REPLAY = ("--replay", str(tls.KEPT / "tcp.json"), "--quiet")
VOLTS_MILLIAMPERES = 3.0, 3.3  # of the nRF52840 (ecfit/data/targets/nrf52840.toml)


def asked(*words: str) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(cli.cli, ["tls", *words])


def test_every_form_has_the_row() -> None:
    kept = next(row for row in tls.kept() if row["connection"] == "tcp")
    texts = {form: asked(*REPLAY, "--format", form) for form in ("table", "csv", "json", "md")}
    assert {form: done.exit_code for form, done in texts.items()} == dict.fromkeys(texts, 0)
    record = json.loads(texts["json"].output)[0]
    row = next(csv.DictReader(io.StringIO(texts["csv"].output)))
    assert record["flights"] == kept["flights"] == []
    for name in ("handshake_cycles", "heap_bytes", "payload_received_bytes", "flash_bytes"):
        assert record[name] == kept[name] == int(row[name])
    assert sum(int(row[f"phase_{name}_cycles"]) for name in record["phases"]) == 12
    for form in ("table", "md"):
        assert str(kept["flash_bytes"]) in texts[form].output.replace(" ", "").replace(",", "")


def test_energy_is_that_of_the_computation() -> None:
    volts, milliamperes = VOLTS_MILLIAMPERES
    clock = find_target("nrf52840").clock
    assert clock is not None
    record = json.loads(asked(*REPLAY, "--rtt", "20ms", "--format", "json").output)[0]
    computes_us = record["handshake_cycles"] / clock.hz * 1e6
    joules = computes_us * volts * milliamperes / 1000  # microjoules
    assert record["energy_uj"] == pytest.approx(joules, abs=0.001)
    assert record["handshake_ms"] == pytest.approx(20 + computes_us / 1000, abs=0.001)


def test_help_names_every_connection() -> None:
    told = "".join(asked("--help").output.split())
    assert [name for name in CONNECTIONS if name not in told] == []


@pytest.mark.parametrize(
    ("backend", "message"),
    [
        ("ecfit-quick", "unknown back end 'ecfit-quick'"),
        ("mbedtls:COMB_BLOCKS=2", "settings are of this library"),
        ("ecfit-fast:COMB_BLOCKS", "a setting is KNOB=VALUE, not 'COMB_BLOCKS'"),
        ("ecfit-fast:COMB_BLOCK=2", "COMB_BLOCK"),
        ("ecfit-fast:COMB_BLOCKS=99", "COMB_BLOCKS"),
    ],
)
def test_wrong_back_ends(backend: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    kept = str(tls.KEPT / "tls1.3-ecdsa.json")
    assert cli.run(["tls", "--quiet", "--replay", kept, "--backend", backend]) == 2
    error = capfd.readouterr().err
    assert message in error
    assert error.count("\n") == 1
