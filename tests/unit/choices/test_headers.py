"""A header is read back to the choices that it was made from."""

from __future__ import annotations

import pytest

from ecfit.choices import headers, knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.presets import all_presets

pytestmark = pytest.mark.check
BACKENDS = ("w32m16", "armv6m", "armv7em", "rv32im")
TOGETHER = (
    ("secp256r1", "x25519"),
    ("x25519", "ed25519"),
    ("secp384r1", "ed25519"),
    ("secp256r1", "x25519", "ed25519"),
    ("secp256r1", "secp384r1", "x25519"),
)


def header(preset: str, backend: str, curves: tuple[str, ...], **sets: str) -> str:
    """Of all operations of curves in one image."""
    several = sum(CURVES[name].form == "weierstrass" for name in curves) > 1
    made = {
        name: knobs.resolve(CURVES[name], preset, sets, backend, several=several) for name in curves
    }
    first = made.pop(curves[0])
    return knobs.header(first, [curves[0]], CURVES["secp256r1"].ops, more=made)


@pytest.mark.parametrize("curves", TOGETHER, ids="+".join)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("preset", all_presets())
def test_a_preset_of_several_families_sets_nothing(
    preset: str, backend: str, curves: tuple[str, ...]
) -> None:
    """Where their values of a global knob differ, the header has the last one's."""
    text = header(preset, backend, curves)
    asked = headers.read(text, "it")
    assert asked.sets == (f"BACKEND={backend}",), asked.preset
    assert header(asked.preset, backend, curves) == text


def test_a_value_of_the_whole_library_is_said_once() -> None:
    curves = ("secp256r1", "x25519", "ed25519")
    for value in ("fermat", "divsteps"):
        asked = headers.read(header("compact", "armv6m", curves, INVERT=value), "it")
        assert (asked.preset, asked.sets) == ("compact", ("BACKEND=armv6m", f"INVERT={value}"))
