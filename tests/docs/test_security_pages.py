"""The pages that promise security: the tests, files and make targets that carry their sentences
exist, and the numbers in them are those of the code.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import boot_faults
import pytest
import secureboot

from ecfit import cli
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.presets import all_presets
from ecfit.commands.ct import MOST_ROWS
from ecfit.run.follow import MOST_FAILURES
from tests.lib import test_outputs, test_wipe_bound
from tools.faults import faults, faults_signing

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
KIB = 1024


def number(path: str, pattern: str) -> int:
    """What a file of the tree gives a name: the group of a pattern, which is there once."""
    (found,) = re.findall(pattern, (ROOT / path).read_text(encoding="utf-8"))
    return int(found)


def seconds(part: str) -> int:
    """What a whole run of faults took, by its record."""
    record = json.loads((ROOT / "results" / part).read_text(encoding="utf-8"))
    return sum(line["seconds"] for line in record.values())


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
    assert not missing


def test_numbers_of_the_constant_time_page(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["ct", "--help-all"]) == 0
    shown = re.sub(r"[^\w\[\]:-]+", " ", capfd.readouterr().out)
    runs, inputs = re.findall(r"(?:--n N|--inputs N) .*?default: (\d+)", shown)
    slots = number("sim/src/taint.c", r"SLOTS = 1 << (\d+), MAX_FINDINGS = SLOTS / 4 \* 3")
    calls = number("sim/src/profile.c", r"enum \{ MAX_STACK = (\d+)")
    programs = number("tests/sim/test_taint_random.py", r'"cortex-m4", (\d+)\)')
    many = number("Makefile", r"workshop/rigs/taint_pairs.py \$\(or \$\(N\),(\d+)\)")
    said(
        "docs/constant-time.md",
        f"several public inputs: {word(int(inputs))}, or as many as `--inputs` says",
        f"runs the operation {runs} times, or as often as `--n` says",
        f"more than {(1 << slots) // 4 * 3:,} places in one run",
        f"A path is cut after {calls} calls. More than {(1 << slots) // 4 * 3:,} uses",
        f"After {word(MOST_ROWS)} causes of an operation",
        f"than {word(MOST_FAILURES)} draws, `ecfit ct` does that only for the last "
        f"{word(MOST_FAILURES - 1)} draws and for the first one",
        f"at {test_outputs.SLICES} points where the simulator stops the program",
        f"does it for one combination in {test_wipe_bound.STEP}",
        f"{programs:,} random programs of each instruction set",
        f"`make taint-random` runs {many:,}",
    )


def test_what_the_constant_time_page_says_of_wipe() -> None:
    """The presets that clear, and what `make wipe-bounds` takes."""
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
    said(
        "docs/constant-time.md",
        "All presets except `tiny` and `lowram` set `WIPE=stack`.",
        "every combination of curve, `CHECK`, `BLIND`, `NONCE`, preset, four cores, and the levels "
        "-Os, -O2 and -O3",
        f"`.ci/run` does it for one combination in {test_wipe_bound.STEP}.",
        f"one combination in {test_wipe_bound.RUNS}, and `make wipe-bounds` for one in "
        f"{test_wipe_bound.STEP}.",
    )


def test_numbers_of_the_page_on_faults() -> None:
    minutes = (seconds("faults.json") + seconds("faults-signing.json")) / 60
    assert 35 <= minutes < 45  # on a machine with other work
    said(
        "docs/faults.md",
        "runs all of it in 40 minutes of one core",
        f"*arithmetic*, {faults.MOMENTS} instructions of a run are attacked",
    )
    assert faults_signing.SAMPLE == 300, "of a line that is not complete"


def test_numbers_of_the_page_on_secure_boot() -> None:
    said(
        "docs/secure-boot.md",
        f"Here L is {secureboot.MINIMUM // KIB} KiB, and the slot takes {secureboot.SLOT // KIB} "
        f"KiB to {(secureboot.SLOT + secureboot.SLOT_SIZE) // KIB} KiB",
        f"each of the {boot_faults.AROUND} instructions about the first altered byte",
        f"each for the next {boot_faults.NEAR_LIMIT:,} instructions",
        f"stopped at one of {boot_faults.MOMENTS} points",
        f"`{secureboot.EVEN}` prevents this, and `secureboot.py` sets it",
    )


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
    said(
        "docs/secure-boot.md",
        "Two flipped bits of the table led to the slot.",
        "in builds with clang for the SAM D21",
        f"Bit 11 of the `pop {{r4-r7, pc}}` at the end of `{place}`",
        "With ECDSA that is one skipped instruction, with Ed25519 one wrong bit.",
        "The table is of builds with gcc `-Os`",
    )


def said(name: str, *sentences: str) -> None:
    """Each stands in the page, wherever its lines end."""
    text = " ".join(PAGES[name].split())
    assert [one for one in sentences if one not in text] == []


def word(value: int) -> str:
    """A small number as the pages write it."""
    return {4: "four", 7: "seven", 8: "eight", 10: "ten"}[value]
