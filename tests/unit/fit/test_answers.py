"""The three answers of a fit: that each keeps the limits, whatever the searches for them find."""

from __future__ import annotations

import msgspec
import pytest

from ecfit.choices.curves import find_curve
from ecfit.choices.targets import find_target
from ecfit.commands import fit as command
from ecfit.fit.atlas import bits, nearest, operations
from ecfit.fit.estimate import Figures, Margins, Point
from ecfit.fit.fit import Answer
from ecfit.fit.lookup import MOST, lacking, looked_up
from ecfit.fit.question import Limit, Need, Question
from ecfit.fit.search import Found
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.show.searching import Searching

NAME = "secp256r1.sign"
CHIP = find_target("cc2538")
ASKED = Question(
    target=CHIP, mode=CHIP.mode("datasheet"), mode_name="datasheet",
    needs=(Need(find_curve("secp256r1"), ("sign",)),),
    limits=(Limit("--ram 604B", "ram", (f"{NAME}.ram",), 604),),
    minimise="time", weights={"sign": 1}, use=None, sets={}, presets=("tiny",),
    libraries=("ecfit",),
)  # fmt: skip


def figures(time: float, flash: float, ram: float) -> Figures:
    return {"flash": flash, f"{NAME}.time": time, f"{NAME}.ram": ram, f"{NAME}.stack": ram}


def answer(question: Question, measured: dict[Point, Figures]) -> Answer:
    order = sorted(measured, key=lambda point: question.cost(measured[point]))
    found = Found(tuple(order), dict(measured), {}, {}, len(order), None, Margins())
    return Answer(question, found, {}, {}, tuple(measured))


def test_each_keeps_the_limits_where_another_search_found_none_that_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first: dict[Point, Figures] = {
        ("fast",): figures(200, 2596, 584),
        ("less",): figures(300, 2500, 600),
    }
    other: dict[Point, Figures] = {("small",): figures(600, 2000, 628)}
    monkeypatch.setattr(command, "extension", lambda _: lambda q, *_: answer(q, first))
    monkeypatch.setattr(command, "fit_together", lambda q, *_: answer(q, other))
    monkeypatch.setattr(command, "preset_rows", lambda *_: {})
    bench = Bench(Settings(), {}, Store())
    with Searching(ASKED, quiet=True) as progress:
        found = command.all_answers(ASKED, bench, lambda _: [], progress)
    assert all(one.fits for one in found.values())
    bests = {aim: one.best for aim, one in found.items()}
    assert bests == {"time": ("fast",), "flash": ("less",), "stack": ("fast",)}
    assert {aim: one.question.minimise for aim, one in found.items()} == {a: a for a in found}
    better = msgspec.structs.replace(ASKED, limits=())
    with Searching(better, quiet=True) as progress:
        found = command.all_answers(better, bench, lambda _: [], progress)
    assert found["flash"].best == ("small",)


NAMED = {
    "secp256k1": ("sign_schnorr", "verify_schnorr", "recover_key", "sign_recoverable"),
    "secp256r1": ("spake2p_prover", "spake2p_verifier", "verify_message"),
    "ed25519": ("verify_parts", "sign_parts"),
}


@pytest.mark.parametrize(("curve", "ops"), NAMED.items())
def test_the_atlas_answers_operations_that_are_to_be_named(
    curve: str, ops: tuple[str, ...]
) -> None:
    """By those with rows, and of the flash of an image with these."""
    for op in ops:
        need = Need(find_curve(curve), (op,))
        asked = msgspec.structs.replace(ASKED, needs=(need,), limits=(), presets=())
        assert not lacking(asked)
        assert nearest(op) in operations(need.curve)
        least = bits(need.curve, (nearest(op),))
        assert bits(need.curve, (op,)) & least == least
    together = msgspec.structs.replace(ASKED, presets=(), extras=("COMPRESS",))
    for sets, reason in (
        ({"COMPRESS": "sec1", "SHA256": "own"}, ""),
        ({"COMPRESS": "sec1", "MULV": "window"}, "--set"),
    ):
        assert lacking(msgspec.structs.replace(together, sets=sets)) == reason


def test_what_is_looked_up_by_another_operation_keeps_its_limits() -> None:
    """Against measured figures: an answer by the atlas that is within the limit of flash."""
    limit = 7000
    need = Need(find_curve("secp256k1"), ("verify_schnorr",))
    chip = find_target("nrf52840")
    asked = msgspec.structs.replace(
        ASKED, target=chip, mode=chip.mode("datasheet"), needs=(need,), presets=(),
        limits=(Limit("--flash", "flash", ("flash",), limit),), weights={"verify_schnorr": 1},
    )  # fmt: skip
    bench = Bench(Settings(), {}, Store())
    found = looked_up(asked, ("time",), lambda rows: [bench.measure(row) for row in rows])
    best = found["time"]
    assert best.fits
    assert best.figures(best.best)["flash"] <= limit
    assert len(best.space) <= MOST
    assert "it has no verify_schnorr, but verify_message" in best.told
