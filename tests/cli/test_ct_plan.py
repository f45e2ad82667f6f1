"""What `make long WHAT=ct` runs: that every line of its plan can be,
and that a finding is not lost on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import msgspec
import pytest

from ecfit import cli
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.choices.variants import known
from ecfit.errors import UsageError
from tools import ct
from workshop.paths import VARIANTS


def test_every_line_can_be_run(capfd: pytest.CaptureFixture[str]) -> None:
    """Names and settings are accepted: the refusal is that of an operation without a secret."""
    for line in ct.PLAN:
        first = line.targets.split(",")[0]
        once = msgspec.structs.replace(line, targets=first, builds=line.builds[:1])
        for arguments in once.commands():
            where = arguments.index("--op")  # a line names its operations: these are refused
            refused = [*arguments[: where + 1], "verify", *arguments[where + 2 :]]
            assert cli.run(["ct", *refused]) == 2
            said = capfd.readouterr().err
            assert "nothing to check: the operations with a secret" in said, (line, said)


def test_every_preset_and_curve_is_planned() -> None:
    first = ct.PLAN[0]
    assert first.targets == "lpc1114,cc2538,nrf52840,nrf5340,ibex"
    assert (first.presets, first.curves, first.builds, first.sets) == (
        "all",
        "all",
        ("gcc Os",),
        ("",),
    )


# Choices that no line has: what no operation with a secret uses, or `ecfit ct` cannot follow.
LEFT_OUT = {
    "KEYGEN": {"none"},  # there is no operation then
    "ECDH": {"none"},
    "SIGN": {"none"},
    "VERIFY": {"hardened", "none", "eddsa_all", "eddsa_hardened"},  # public data
    "INVERT_VAR": {"gcd"},
    "DER": {"strict"},
    "STATUS_TEXT": {"english"},
    "HASH_STREAM": {"own"},  # the same compression, byte by byte
    "SHA256": {"caller"},  # the caller's code
    "SHA512": {"caller"},
    "SHAKE256": {"caller"},
    "BACKEND": {"w64"},  # no core of the simulator has its products
}


def test_every_choice_is_planned() -> None:
    """Of each slot, in a preset or in a setting of some line, but for what is left out."""
    planned: dict[str, set[str]] = {}
    for line in ct.PLAN:
        for arguments in line.commands():
            given = dict(zip(arguments[::2], arguments[1::2], strict=True))
            sets = [w for n, w in zip(arguments[::2], arguments[1::2], strict=True) if n == "--set"]
            for name, value in configured(given, dict(one.split("=") for one in sets)):
                planned.setdefault(name, set()).add(str(value))
    for knob in knobs.all_knobs().values():
        missing = set(knob.choices) - planned.get(knob.name, set())
        assert missing == LEFT_OUT.get(knob.name, set()), knob.name


def configured(given: dict[str, str], sets: dict[str, str]) -> Iterator[tuple[str, str | int]]:
    """The settings of all configurations that the arguments of `ecfit ct` choose."""
    chosen = all_presets() if given["--preset"] == "all" else given["--preset"].split(",")
    curves = CURVES if given["--curve"] == "all" else given["--curve"].split(",")
    for target, preset, curve in product(given["--target"].split(","), chosen, curves):
        try:
            yield from knobs.resolve(
                CURVES[curve], preset, sets, find_target(target).backend
            ).settings
        except UsageError:
            continue  # as `ecfit ct` leaves out what cannot be


def test_checked_signatures_are_planned() -> None:
    """The plan has `CHECK = verify` for ECDSA, and for EdDSA with every preset on every core."""
    found = {line.name: line for line in ct.PLAN if "CHECK=verify" in line.sets}
    assert found["verified"].curves == ct.WEIERSTRASS
    edwards = found["verified, EdDSA"]
    assert (edwards.presets, edwards.curves, edwards.targets) == (
        "all",
        "ed25519,ed448",
        ct.PLAN[0].targets,
    )


@known(VARIANTS)
def test_a_finding_ends_in_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And does not keep the rest from being run: three operations of two settings,
    one of them leaks.
    """
    planted = ct.Line(
        "planted", "balanced", "secp128r1", "lpc1114", sets=("MULV=naf_var", "MULV=window")
    )
    monkeypatch.setattr(ct, "PLAN", (planted,))
    assert ct.follow("other", []) == 0
    assert "0 operations" in capsys.readouterr().out
    assert ct.follow("planted", []) == 5
    out = capsys.readouterr().out
    assert "ct: planted: 6 operations, " in out
    assert "0 findings" not in out
    assert "0 not run" in out
