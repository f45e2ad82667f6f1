"""Calls into mp and field: each keeps what its callee asks for; two historic defects are seen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from prove.banner import contracts
from prove.compose import report
from prove.compose.arithmetic import binary
from prove.compose.check import check
from prove.compose.ctypes import UNSIGNED
from prove.compose.domain import Num, State, exactly, part
from prove.compose.routines import PROMISES
from prove.compose.source import SRC
from prove.sources import banners

MOST_EXCUSED = 1  # calls that an argument on paper allows: may only shrink
QUICK = [("armv7em", "x25519", "tiny"), ("c", "x25519", "tiny")]

# What stood in lib/src/group/edwards.inc before a91effaa and b24dfc80: p less an x that may be
# above p; and a sum of which p was taken once.
ABOVE = [
    ("F(fe_whole)(REG(p, 0));", ""),
    ("F(fe_out_whole)(REG(p, 0));", "F(fe_out)(REG(p, 0));"),
]
SUM = [("F(fe_out_sum)(REG(p, 9));", "F(fe_out)(REG(p, 9));")]


def planted(folder: Path, changes: list[tuple[str, str]]) -> Path:
    """A copy of lib/src with lines of the decoding of points changed."""
    copy = folder / "lib" / "src"
    shutil.copytree(SRC, copy)
    file = copy / "group" / "edwards.inc"
    text = file.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file.write_text(text, "utf-8")
    return copy


@pytest.mark.parametrize(("backend", "curve", "preset"), QUICK, ids=lambda x: x)
def test_calls_keep_what_they_are_asked_for(backend: str, curve: str, preset: str) -> None:
    found = check(curve, preset, backend)
    assert report.open_faults(found) == []
    assert found.unread == []
    assert len(found.calls) > 16


def test_p_less_an_x_above_p_is_seen(tmp_path: Path) -> None:
    """The defect of the Cortex-M0 and M3, which refused one key in 2^27."""
    source = planted(tmp_path, ABOVE)
    faults = report.open_faults(check("ed25519", "tiny", "armv6m", source, only="_verify"))
    assert any("pt_lift" in f and "negative" in f for f in faults), faults


def test_a_sum_reduced_once_is_seen(tmp_path: Path) -> None:
    """The defect of the Cortex-M4, whose sums are below 2^256."""
    source = planted(tmp_path, SUM)
    faults = report.open_faults(check("ed25519", "fast", "armv7em", source, only="_verify"))
    assert any("pt_decode" in f and "mp_equal" in f for f in faults), faults


def test_records_are_of_all_configurations() -> None:
    known = report.load()
    wanted = {
        f"{b} {c} {p}" for b in report.BACKENDS for c in report.CURVES for p in report.PRESETS
    }
    assert set(known) == wanted
    assert all(r["refused"] == 0 for r in known.values())
    assert len(report.excused()) <= MOST_EXCUSED


def test_promises_stand_in_banners() -> None:
    """Bounds of routines that do what a register says are the words of their banners."""
    for backend, routines in PROMISES.items():
        text = " ".join(banners(backend).values())
        if backend != "rv32im" and "ecfit_p25519_rows_sum" not in text:  # no loops on this back end
            continue
        for cases in routines.values():
            for words, _bound in cases.values():
                assert words in text


def test_contracts_are_of_all_moduli_that_are_used() -> None:
    """2^256 - 38 and the order of Ed25519 among them."""
    found = {c.operands["m"].number for c in contracts("armv7em", "ecfit_mod_add_8")}
    assert 2 * ((1 << 255) - 19) in found
    assert (1 << 252) + 27742317777372353535851937790883648493 in found


def test_numbers_in_pieces() -> None:
    """A part of a number that is not known whole, and what is left of one that is overwritten."""
    v = Num((7 << 32) + 5, (7 << 32) + 9)
    assert part(8, v, 0, 4) == Num(5, 9)
    assert part(8, v, 4, 4) == exactly(7)
    s = State()
    s.write("a", 0, 32, Num(0, (1 << 255) + 4))
    s.write("a", 28, 4, exactly(1))
    assert s.read("a", 0, 32) == Num(1 << 224, (1 << 225) - 1)
    assert binary("&", Num(0, 100), exactly(0x7F), UNSIGNED).hi == 100
