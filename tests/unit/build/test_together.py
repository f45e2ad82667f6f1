"""Several curves in one image: what the header says, what contradicts,
and that every function is there.
"""

from __future__ import annotations

import msgspec
import pytest

from ecfit.arguments.selection import Selection, select, size_rows
from ecfit.build.parts import entry_point
from ecfit.choices import knobs
from ecfit.choices.curves import OPS, find_curve
from ecfit.errors import UsageError
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Configuration

P256, P384 = find_curve("P-256"), find_curve("P-384")


def resolved(curve: str, sets: dict[str, str] | None = None, preset: str = "tiny") -> Configuration:
    return knobs.resolve(find_curve(curve), preset, sets or {}, "w32m16", several=True)


def header(first: Configuration, second: Configuration) -> str:
    return knobs.header(first, [P256.name], extras=False, more={P384.name: second})


def selection(preset: str, sets: tuple[str, ...] = ()) -> Selection:
    return select(
        targets=["lpc1114"],
        libraries=["ecfit"],
        curves=["P-256+P-384"],
        ops=["all"],
        presets=[preset],
        sets=sets,
        mode="datasheet",
        peers={},
        together=True,
    )


def test_tiny_shares_one_instance_when_there_are_several_curves() -> None:
    alone = dict(knobs.resolve(P256, "tiny", {}, "w32m16").settings)
    beside = dict(resolved("P-256").settings)
    assert (alone["INSTANCE"], beside["INSTANCE"]) == ("own", "shared")
    text = header(resolved("P-256"), resolved("P-384"))
    assert "#define ECFIT_CURVE_SHARED_ENABLED 1" in text
    assert "ECFIT_MAX_BITS 384" in text


def test_each_curve_has_its_own_settings() -> None:
    sets = {"secp384r1.WINDOW": "5"}
    text = header(resolved("P-256", sets, "balanced"), resolved("P-384", sets, "balanced"))
    assert "#define ECFIT_SECP256R1_WINDOW 4" in text
    assert "#define ECFIT_SECP384R1_WINDOW 5" in text
    assert "solinas/secp256r1.inc" in text
    assert "solinas/loop.inc" in text


def test_a_setting_of_the_library_that_only_one_curve_needs() -> None:
    first, second = (
        resolved("P-256"),
        resolved("P-384", {"SHA512": "own", "NONCE": "deterministic", "INSTANCE": "own"}),
    )
    assert "#define ECFIT_SHA512_IS_OWN 1" in header(first, second)


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        ({"SQUARE": "own"}, "SQUARE holds for the whole library: as_mul and own contradict"),
        ({"BLIND": "coordinates"}, "curves with INSTANCE=shared take the same settings"),
    ],
)
def test_contradictions(sets: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        header(resolved("P-256"), resolved("P-384", sets))


def test_every_function_is_in_the_image() -> None:
    bench = Bench(Settings(), {}, Store())
    whole = size_rows(selection("tiny"))[-1]
    assert whole.op == "+".join(OPS)
    functions = {symbol.name for symbol in bench.image(bench.request(whole)).functions}
    assert functions >= {entry_point(curve, op) for curve in (P256, P384) for op in OPS}
    verify = next(row for row in size_rows(selection("tiny")) if row.image_ops == ("verify",))
    functions = {symbol.name for symbol in bench.image(bench.request(verify)).functions}
    assert entry_point(P384, "verify") in functions
    assert entry_point(P384, "sign") not in functions


def test_record_names_both_curves_and_what_was_changed() -> None:
    row = size_rows(selection("balanced", ("secp384r1.WINDOW=5", "WINDOW=3")))[0]
    assert row.curve_name == "secp256r1+secp384r1"
    assert row.changed is not None
    assert "WINDOW=3" in row.changed
    alone = msgspec.structs.replace(row, more=())
    assert alone.config_key != row.config_key
