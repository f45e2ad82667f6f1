"""Every two values of knobs together compile and link, for each back end and preset.

For each back end and preset: the preset with each value of each knob alone, as `--set` gives it,
and a covering array of all pairs of values (workshop/library/pairs.py), another one for each
preset, as P-256, Ed25519 and X25519 have them, each time beside another curve of the
family. What `ecfit config` refuses must be refused by ecfit_config_check.h, too. Every fourth
configuration is linked with link-time optimisation besides: by gcc, and by clang on the host,
where its linker is ours.

Sweep `pairwise` runs all; CI a seeded sample. test_pairwise.py asks whether results are right.
"""

from __future__ import annotations

import os
import random
import re
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import OPS
from ecfit.choices.presets import all_presets
from ecfit.errors import UsageError
from ecfit.model import Configuration
from workshop.library import link as lib_link
from workshop.library import pairs

FULL = os.environ.get("ECFIT_TEST_SCALE") == "full"
SAMPLE = 1  # configuration of each kind and curve in CI
SEED = 26
FIRST = ("secp256r1", "ed25519", "x25519")
LTO_EACH = 4


@cache
def array(curve: str, preset: str, short: bool) -> list[pairs.Row]:
    """A covering array; back ends of short words lack some reductions, all others lack nothing."""
    slot = knobs.find_slot(curve)
    seed = zlib.crc32(f"{curve} {preset}".encode())
    return pairs.covering(slot, None, seed, 2, "w8" if short else "w32")


def family(curve: str) -> list[str]:
    """The other curves that have the same knobs, old ones left out."""
    of = knobs.find_slot(curve)
    return [
        slot.name
        for slot in knobs.curve_slots()
        if slot.family == of.family and slot.name != curve and not slot.legacy
    ]


def alone(curve: str, backend: str, preset: str) -> Iterator[dict[str, str]]:
    """Each value of each knob, which the preset does not have."""
    settings = dict(lib_link.configurations([curve], preset, backend)[curve].settings)
    slot = knobs.find_slot(curve)
    for knob in knobs.all_knobs().values():
        if knob.name != "BACKEND" and (knob.scope == "global" or knob.concerns(slot)):
            for value in pairs.offered(knob, slot):
                if value != settings[knob.name]:
                    yield {knob.name: value}


def together(curve: str, backend: str, preset: str) -> Iterator[dict[str, str]]:
    """The rows of the array as settings on top of the preset."""
    settings = dict(lib_link.configurations([curve], preset, backend)[curve].settings)
    for row in array(curve, preset, backend in {"w8", "w16"}):
        sets = {name: value for name, value in row.items() if settings[name] != value}
        sets.pop("BACKEND", None)
        yield {name: value for name, value in sets.items() if has_effect(name, row)}


def has_effect(name: str, row: pairs.Row) -> bool:
    """Whether the number is used; one that is not is refused."""
    users = knobs.all_knobs()[name].used_by.items()
    return all(row[other] in values for other, values in users)


def configured(
    curve: str, backend: str, preset: str, sets: dict[str, str], number: int
) -> dict[str, Configuration]:
    """The curve, and one beside it that can have the settings. Errors: UsageError."""
    found = lib_link.configurations([curve], preset, backend, sets)
    others = family(curve)
    for step in range(len(others)):
        beside = others[(number + step) % len(others)]
        try:
            both = found | lib_link.configurations([beside], preset, backend, sets)
            knobs.header(found[curve], [curve], OPS, more={beside: both[beside]})
        except UsageError:
            continue
        return both
    return found


def refused_by_the_header(
    folder: Path, curve: str, backend: str, preset: str, sets: dict[str, str]
) -> str:
    """What the compiler says of settings that were not checked; where no file fits them, there is
    no header, and the line that says so.
    """
    before = lib_link.configurations([curve], preset, backend)[curve]
    settings = tuple(sorted((dict(before.settings) | sets).items()))
    unchecked = Configuration(before.library, preset, settings, ())
    try:
        header = lib_link.written(folder, {curve: unchecked})
    except UsageError as error:
        assert "no file for" in str(error), error
        return f"#error {error}"
    return lib_link.said(folder, backend, header, ("-fsyntax-only",))


@pytest.mark.ci
@pytest.mark.parametrize("preset", all_presets())
@pytest.mark.parametrize("backend", lib_link.CORES)
def test_every_pair_links(backend: str, preset: str, tmp_path: Path) -> None:
    """Prints how many were linked and refused."""
    linked = optimised = refused = large = 0
    wrong: list[str] = []
    for curve in FIRST:
        for kind in (alone, together):
            found = list(enumerate(kind(curve, backend, preset)))
            if not FULL:
                source = random.Random(f"{SEED} {backend} {preset} {curve} {kind.__name__}")
                found = source.sample(found, min(SAMPLE, len(found)))
            for number, sets in found:
                try:
                    header = lib_link.written(
                        tmp_path, configured(curve, backend, preset, sets, number)
                    )
                except UsageError as error:
                    refused += 1
                    assert "\n" not in str(error)
                    if re.search(r"=\w+ needs ", str(error)):
                        said = refused_by_the_header(tmp_path, curve, backend, preset, sets)
                        if not re.search(r"#error|error: ECFIT_\w+: ", said):
                            wrong.append(f"{curve} {sets}: not refused by the header: {error}")
                    continue
                said = lib_link.said(tmp_path, backend, header, ("-O0",))
                if (
                    backend in {"w8", "avr"}
                    and re.search("integer overflow|is too large", said)
                    and "comb" in telling(said)
                ):
                    large += 1  # AVR has no object of 32 KiB: its int has 16 bits
                    continue
                linked += 1
                if not said and number % LTO_EACH == 0:
                    said = by_lto(tmp_path, backend, header)
                    optimised += 1
                if said:
                    wrong.append(f"{curve} {sets}: {telling(said)}")
    print(
        f"pairs: {backend} {preset}: {linked} linked, {optimised} of them with LTO too, "
        f"{refused} refused, {large} with too large a table, {len(wrong)} wrong"
    )
    assert not wrong, "\n".join(wrong)


def by_lto(folder: Path, backend: str, header: str) -> str:
    """What is said where the linker optimises, and every function is asked for."""
    kept = tuple(f"-Wl,-u,{name}" for name in lib_link.functions(folder, backend))
    options = ("-Os", "-flto", *kept)
    said = lib_link.said(folder, backend, header, options)
    if backend == "w64" and not said:
        said = lib_link.said(folder, backend, header, options, clang=True)
    return said


def telling(text: str) -> str:
    """The first line that names the reason."""
    lines = [
        line for line in text.splitlines() if re.search(r"error:|undefined|warning|overflow", line)
    ]
    return (lines or text.splitlines())[0][:300]


def test_large_tables_have_room_in_the_linker_script(tmp_path: Path) -> None:
    """More than 64 KiB of code: what does not fit is the script's fault, not the library's."""
    comb = {"MULG": "comb_edwards", "COMB_TEETH": "6", "COMB_BLOCKS": "8"}
    header = lib_link.written(tmp_path, configured("x25519", "rv32im", "compact", comb, 0))
    assert lib_link.said(tmp_path, "rv32im", header, ("-O0",)) == ""
    assert by_lto(tmp_path, "rv32im", header) == ""


def test_a_pair_that_does_not_go_is_refused_twice(tmp_path: Path) -> None:
    """By the command and by the header; and a configuration that does not compile is noticed."""
    sets = {"MULV": "binary", "COORDINATES": "complete"}
    with pytest.raises(UsageError, match="needs COORDINATES=jacobian"):
        configured("secp256r1", "armv7m", "fast", sets, 0)
    said = refused_by_the_header(tmp_path, "secp256r1", "armv7m", "fast", sets)
    assert re.search(r"MULV: [\w ]*\bbinary\b[\w ]* needs? COORDINATES jacobian", said)


def test_squares_as_products_on_a_cortex_m3(tmp_path: Path) -> None:
    """It was accepted, and did not compile."""
    found = configured("secp256r1", "armv7m", "fast", {"SQUARE": "as_mul"}, 0)
    header = lib_link.written(tmp_path, {"secp256r1": found["secp256r1"]})
    assert lib_link.said(tmp_path, "armv7m", header, ("-O0",)) == ""
