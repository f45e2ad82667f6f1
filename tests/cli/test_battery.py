"""Years of a battery, as `bench`, `fit` and `tls` print them."""

from __future__ import annotations

import json

import pytest

from tools.rigs import tls
from workshop.cli.run import Ecfit

SIGN = ("bench", "--target", "nrf52840", "--op", "sign", "--preset", "tiny")
YEAR_H = 365.25 * 24
CELL = ("--every", "30s", "--battery", "CR2032")


def years(milliseconds: float, milliamperes: float, asleep_ua: float, every_s: float) -> float:
    """Of 225 mAh, of which 1 % is lost in a year, by currents alone."""
    share = milliseconds / 1000 / every_s
    microamperes = share * milliamperes * 1000 + (1 - share) * asleep_ua
    lost = 0.01 * 225e3 / YEAR_H
    return 225e3 / (microamperes + lost) / YEAR_H


def test_bench(ecfit: Ecfit) -> None:
    """By hand, with the sleep current of the data sheet and with one that was given."""
    for more, asleep in (((), 2.94), (("--sleep", "20uA"), 20.0), (("--sleep", "60uW"), 20.0)):
        (row,) = json.loads(ecfit(*SIGN, *CELL, *more, "--format", "json").out)
        expected = years(row["time_us"] / 1000, 3.3, asleep, 30)
        assert row["battery_years"] == pytest.approx(expected, rel=1e-3)
    table = ecfit(*SIGN, *CELL, env={"COLUMNS": "80"}).out
    assert f" {years(row['time_us'] / 1000, 3.3, 2.94, 30):.2f} " in table
    assert "left out: years" not in table


def test_a_call_that_is_too_long_has_no_years(ecfit: Ecfit) -> None:
    done = ecfit(*SIGN, "--every", "1ms", "--battery", "2400mAh@3V")
    assert done.code == 0
    assert "none where a call takes longer" in done.out
    (row,) = json.loads(
        ecfit(*SIGN, "--every", "verify=1h", "--battery", "2xAA", "--format", "json").out
    )
    assert row["battery_years"] is None


def test_fit(ecfit: Ecfit) -> None:
    """All operations together, each as often as it is asked for."""
    need = ("fit", "--target", "nrf52840", "--need", "x25519:keygen,ecdh", "--preset", "tiny")
    duty = ("--every", "keygen=30s,ecdh=60s", "--battery", "CR2032")
    done = ecfit(*need, *duty, "--format", "json")
    place = json.loads(done.out)["places"][0]
    times = {row["op"]: row["time_us"] / 1000 for row in place["records"]}
    expected = years(times["keygen"] + times["ecdh"] / 2, 3.3, 2.94, 30)
    assert place["battery_years"] == pytest.approx(expected, rel=1e-3)
    assert " years " in ecfit(*need, *duty, env={"COLUMNS": "80"}).out


@pytest.mark.ci
def test_tls(ecfit: Ecfit) -> None:
    kept = str(tls.KEPT / "tls1.3-ecdsa.json")
    ask = ("tls", "--target", "nrf52840", "--backend", "ecfit-fast", "--replay", kept, *CELL)
    (row,) = json.loads(ecfit(*ask, "--format", "json").out)
    expected = years(row["compute_ms"], 3.3, 2.94, 30)
    assert row["battery_years"] == pytest.approx(expected, rel=1e-3)
    by_radio = (*ask, "--link", "802.15.4")
    (row,) = json.loads(ecfit(*by_radio, "--format", "json").out)
    extra = row["radio_uj"] / 3 / 3.3  # as milliseconds of the core at 3 V
    expected = years(row["compute_ms"] + extra, 3.3, 2.94, 30)
    assert row["battery_years"] == pytest.approx(expected, rel=1e-3)
    table = ecfit(*by_radio, env={"COLUMNS": "80"}).out
    assert f" {row['battery_years']:.3g} " in table


WRONG = [
    (("--target", "rp2040", *CELL), "rp2040: no current is known while it computes"),
    (("--target", "stm32f103", *CELL), "stm32f103: its sleep current is not known"),
    (("--battery", "CR2032"), "--battery needs --every"),
    (("--every", "30s"), "--every and --sleep ask for the life of a --battery"),
    (("--every", "30s", "--battery", "PP3"), "--battery is one of CR2032"),
    (("--every", "hash=30s", "--battery", "CR2032"), "unknown name in --every 'hash'"),
]


@pytest.mark.parametrize(("more", "said"), WRONG)
def test_what_is_not_known_is_said_before_anything_runs(
    ecfit: Ecfit, more: tuple[str, ...], said: str
) -> None:
    done = ecfit("bench", *more)
    assert (done.code, done.out) == (2, "")
    assert said in done.error
