"""What estimates are made of, and what a wrong one changes."""

from __future__ import annotations

from collections.abc import Sequence

from ecfit.choices.curves import CURVES
from ecfit.choices.targets import find_target
from ecfit.fit.estimate import Figures, Margins, Point, Scale, State, corner, lowering, scaled
from ecfit.fit.fit import scale
from ecfit.fit.space import candidates

MARGINS = Margins(speed=0.1, size=0, flash_bytes=10, stack_bytes=20)


def test_a_corner_adds_bytes_and_takes_the_smaller_of_times() -> None:
    base, slower, faster = ({"flash": f, "c.op.time": t} for f, t in ((100, 8), (90, 12), (130, 4)))
    assert corner(slower, faster, base) == {"flash": 120, "c.op.time": 6}
    assert corner(slower, slower, base) == {"flash": 80, "c.op.time": 16}


def test_a_time_is_scaled_by_the_smaller_ratio_beside_it() -> None:
    pairs = ((10, 12), (20, 30), (40, 44))
    columns = [({"c.op.time": a, "flash": 50}, {"c.op.time": b, "flash": 50 - a}) for a, b in pairs]
    times = {
        t: scaled({"c.op.time": t, "flash": 60}, columns)["c.op.time"] for t in (5, 15, 20, 30)
    }
    assert times == {5: 5 * 1.1, 15: 15 * 1.2, 20: 20 * 1.5, 30: 30 * 1.1}
    assert scaled({"flash": 60}, columns) == {"flash": 20}


def test_a_stack_that_nothing_moves_has_no_margin() -> None:
    centre = {"flash": 100, "c.op.stack": 200, "c.op.time": 10}
    estimate = {**centre, "asks": 2}
    assert lowering(MARGINS, centre)(estimate) == {
        "flash": 90, "c.op.stack": 200, "c.op.time": 9, "asks": 2,
    }  # fmt: skip
    assert lowering(MARGINS, centre)({"c.op.stack": 210}) == {"c.op.stack": 190}


def test_a_wrong_estimate_widens_the_margin_of_its_kind_alone() -> None:
    texts = [(one, other) for one in "ab" for other in "ab"]
    usual = {"flash": 100, "c.op.stack": 200, "c.op.time": 10}
    figures: dict[Point, Figures] = dict.fromkeys(texts, usual)
    figures["b", "b"] = {**usual, "c.op.stack": 160}

    def measure(points: Sequence[Point]) -> list[Figures | None]:
        return [figures[point] for point in points]

    state = State(texts, MARGINS)
    state.start(measure)
    assert len(state.measured) == 3
    version = state.version
    state.take([("b", "b")], measure)
    assert state.margins == Margins(
        speed=0.1, size=0, flash_bytes=10, stack_bytes=50, still=False
    )  # fmt: skip
    assert state.version > version
    assert state.miss is not None
    assert state.miss.share == 0.2


def test_a_field_is_measured_where_all_is_fastest_and_each_is_slowest() -> None:
    points = [(field, way) for field in "fs" for way in "abcd"]
    ways = {"a": (10, 10), "b": (20, 6), "c": (4, 9), "d": (9, 30)}

    def measure(some: Sequence[Point]) -> list[Figures | None]:
        return [
            {f"c.{op}.time": time + 3 * (field == "s") for op, time in zip("xy", ways[way])}  # noqa: B905
            for field, way in some
        ]

    state = State(points, Margins(), Scale(0))
    state.start(measure)
    assert set(state.measured) == set(points)  # c, then b for x and d for y
    alone = State(points, Margins())
    alone.start(measure)
    assert len(alone.measured) == len(ways) + 1


def test_the_field_of_a_curve_is_found() -> None:
    ops = ("sign", "verify")
    made = candidates(CURVES["secp256r1"], ops, find_target("samd20"), {}, asking=True)
    found = scale(made[0].point)
    assert found is not None
    assert "REDUCE=" in made[0].point[found.axis]
    apart = " ".join(made[0].point[axis] for axis in found.apart)
    assert "SHA256=" in apart
    assert "NONCE=" in apart
    assert "MUL" not in apart
    assert scale(("preset tiny",)) is None
