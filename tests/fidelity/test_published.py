"""Published figures are data: complete, and each that is said to be reproduced can be."""

from __future__ import annotations

import pytest

from ecfit.arguments.figures import chosen, row
from ecfit.choices.peers import all_peers
from ecfit.choices.published import Document, Figure, Series, all_figures
from ecfit.choices.targets import all_targets

RUN = [figure for figure in all_figures() if not figure.not_run]
PEERS = all_peers()


def name(figure: Figure) -> str:
    s = figure.series
    text = f"{s.target}-{s.library}-{s.curve}-{s.configuration}-{figure.op}"
    return text.replace(" ", "_")


def test_enough_of_them() -> None:
    assert len(RUN) >= 12
    assert len({figure.series.target for figure in RUN}) >= 5


@pytest.mark.parametrize("figure", all_figures(), ids=name)
def test_a_figure_says_where_it_is_from(figure: Figure) -> None:
    document = figure.document
    assert figure.value > 0
    assert all(
        len(text) > 8
        for text in (document.document, document.origin, document.conditions, document.compiler)
    )
    assert figure.series.target in all_targets()
    assert document.library_version


@pytest.mark.parametrize("figure", RUN, ids=name)
def test_a_figure_that_is_run_can_be(figure: Figure) -> None:
    made = row(figure, PEERS)
    assert made.offered
    assert made.op in made.image_ops
    assert made.mode is not None
    assert figure.differs or figure.series.library == "p256-cortex-m4"


def test_units() -> None:
    def value(unit: str) -> float:
        series = Series("l", "c", "t", unit, {"sign": 1.0})  # type: ignore[arg-type]
        return Figure(
            Document("d", "o", "c", "1", "gcc", (series,)), series, "sign", 1.0
        ).from_cycles(3_000_000, 48_000_000)

    assert [value(unit) for unit in ("cycles", "kcycles", "s", "ms", "us")] == [
        3e6,
        3e3,
        0.0625,
        62.5,
        62500.0,
    ]


def test_choosing() -> None:
    assert chosen((), ()) == list(all_figures())
    assert chosen(("all",), ("all",)) == list(all_figures())
    only = chosen(("NRF52840",), ())
    assert only
    assert {figure.series.target for figure in only} == {"nrf52840"}
    assert chosen(("nrf52840",), ("tweetnacl",)) == []
