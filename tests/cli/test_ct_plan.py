"""What `make ct` runs: that every line of its plan can be,
and that a finding is not lost on the way.
"""

from __future__ import annotations

import ct
import msgspec
import pytest
from cli_run import Ecfit


def test_every_line_can_be_run(ecfit: Ecfit) -> None:
    """Names and settings are accepted: the refusal is that of an operation without a secret."""
    for line in ct.PLAN:
        once = msgspec.structs.replace(line, targets=ct.M0, builds=line.builds[:1])
        for arguments in once.commands():
            where = arguments.index("--op")  # a line names its operations: these are refused
            refused = [*arguments[: where + 1], "verify", *arguments[where + 2 :]]
            done = ecfit("ct", *refused)
            assert "nothing to check: the operations with a secret" in done.error, (
                line,
                done.error,
            )


def test_every_preset_and_curve_is_planned() -> None:
    first = ct.PLAN[0]
    assert first.targets == "lpc1114,cc2538,nrf52840,nrf5340,ibex"
    assert (first.presets, first.curves, first.builds, first.sets) == (
        "all",
        "all",
        ("gcc Os",),
        ("",),
    )


def test_checked_signatures_are_planned() -> None:
    """`CHECK = verify` of both families: of EdDSA with every preset on every core."""
    found = {line.name: line for line in ct.PLAN if "CHECK=verify" in line.sets}
    assert found["verified"].curves == ct.WEIERSTRASS
    edwards = found["verified, EdDSA"]
    assert (edwards.presets, edwards.curves, edwards.targets) == (
        "all",
        "ed25519,ed448",
        ct.PLAN[0].targets,
    )


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
