"""The pages that promise security: the tests, files and make targets that carry their sentences
exist, and what secure boot's page says was accepted is what the record has.
"""

from __future__ import annotations

import re
from pathlib import Path

import boot_faults
import pytest

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.presets import all_presets
from tests.lib import test_wipe_bound
from tools import sweeps

pytestmark = pytest.mark.check

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    name: (ROOT / name).read_text(encoding="utf-8")
    for name in (
        "SECURITY.md",
        "docs/constant-time.md",
        "docs/faults.md",
        "docs/secure-boot.md",
        "docs/cycle-model.md",
    )
}


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_names_exists(name: str) -> None:
    """Files of tests, tests by name (`test_x..`: all that begin so), targets of make."""
    tests = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    defined = set(re.findall(r"^def (test_\w+)\(", "\n".join(tests.values()), re.MULTILINE))
    named = set(re.findall(r"`((?:tests|lib|results|tools|sim)/[\w./-]+\.\w+)", PAGES[name]))
    missing = {path for path in named if not (ROOT / path).is_file()}
    for test, more in re.findall(r"`(?:[\w/]+\.py::)?(test_\w+)(\.\.)?`", PAGES[name]):
        if not any(one == test or (more and one.startswith(test)) for one in defined):
            missing.add(test)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    missing |= set(re.findall(r"`make ([a-z-]+)", PAGES[name])) - targets
    named = set(re.findall(r"`make long WHAT=([a-z-]+)", PAGES[name]))
    missing |= named - sweeps.sweeps(ROOT).keys()
    assert not missing


def test_which_presets_clear() -> None:
    """What docs/constant-time.md promises of WIPE, and what `make long WHAT=wipe-bounds` takes."""
    without = {
        preset
        for preset in all_presets()
        for curve in CURVES.values()
        if dict(resolve(curve, preset, {}, "w32m16").settings)["WIPE"] != "stack"
    }
    assert without == {"tiny", "lowram"}
    every = test_wipe_bound.whole()
    assert {one[1] for one in every} == all_presets().keys()
    assert {one[2] for one in every} == CURVES.keys()
    counts = [len({one[place] for one in every}) for place in (0, 3)]
    assert counts == [4, 3]


def test_what_the_page_on_secure_boot_says_was_accepted() -> None:
    """The page lists all accepted faults, except those of signatures of chosen words."""
    records = [one for some in boot_faults.newest(boot_faults.load()).values() for one in some]
    found = [
        (one["chip"], one["compiler"], *fault[:1], *fault[3:])
        for one in records
        if one["sample"] != boot_faults.WORDS
        for fault in one["accepted"]
    ]
    place = "secp256r1_mul_add_signed_var"
    assert found == [("samd21", "clang", f"{place}+0x3c", "flip", 11)] * 2
    words = [one for one in records if one["sample"] == boot_faults.WORDS]
    assert {(one["compiler"], one["opt"]) for one in words} == {("gcc", "Os")}
    models: dict[str, set[str]] = {}
    for one in words:
        if one["chip"] == "samd21":
            models.setdefault(one["algorithm"], set()).update(f[3] for f in one["accepted"])
    both, bit = {"skip", "flip"}, {"flip"}
    assert models == {"ecdsa-p256": both, "ecdsa-p384": both, "ed25519": bit}
