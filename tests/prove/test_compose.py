"""Calls into mp and field: each keeps what its callee asks for; two historic defects are seen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from prove.compose import admitted, report
from prove.compose.check import check
from prove.compose.models import least
from prove.compose.promises import ON, PROMISES
from prove.contracts import records
from prove.contracts.banner import contracts
from prove.contracts.sources import banners
from prove.intervals.arithmetic import binary
from prove.intervals.branches import narrowed
from prove.intervals.ctypes import UNSIGNED
from prove.intervals.domain import Num, State, exactly, join, part, wide
from prove.intervals.source import BLOCKS, LEAST, SRC

MOST_EXCUSED, MOST_FACTS = 7, 5  # calls and operands with an argument on paper: may only shrink
# Functions that constants of a configuration leave out: masked scalars, hashes of other lengths,
# and numbers of other lengths where those of 8 words have code of their own.
LEFT_OUT = ("mp_half", "_mul_draws", "_mul_split", "_pt_add_any", "_pt_add_full", "_pt_add",
            "mod_add", "mod_mul", "mod_sub", "mp_mask_all")  # fmt: skip
OF_25519 = ("_sc_dom", "_pt_look_up", "_pt_look_up_any", "_pt_look_up_digits", "mod_once", "mp_add",
            "_mul_column_digits", "_fe_out", "_fe_small", "mp_add_where", "mp_mask_all",
            "mp_word_turned")  # fmt: skip
QUICK = [("armv7em", "x25519", "tiny"), ("c", "x25519", "tiny"), ("armv6m", "secp256r1", "lowram")]

# What stood in lib/src/group/edwards.inc before a91effaa and b24dfc80: p less an x that may be
# above p; and a sum of which p was taken once.
ABOVE = [
    ("F(fe_whole)(REG(p, 0));", ""),
    ("F(fe_out_whole)(REG(p, 0));", "F(fe_out)(REG(p, 0));"),
]
SUM = [("F(fe_out_sum)(REG(p, 9));", "F(fe_out)(REG(p, 9));")]


# Defects of today's lines: file, line, what stands there instead; configuration; and what the check
# must say.
PLANTED = {
    "p less an x that may be 0, and a product of it": (
        "group/multiples_affine.inc",
        ("N(fe_sub)(CTX_ f, q, p);", "mp_sub(f, P_MOD->m, p, LIMBS);"),
        ("secp256r1", "compact", "armv6m", "_ecdh"),
        ("pt_add_coz", "fe_sqr", "asks for less than"),
    ),
    "a hash that is not reduced modulo n": (
        "api/scalar.inc",
        ("mod_once(e, 0, N_MOD);", "(void)0;"),
        ("secp256r1", "balanced", "armv6m", "_ecdsa_sign"),
        ("sc_terms", "asks for less than"),
    ),
    "a coordinate that is not compared with p": (
        "group/coordinate.inc",
        ("return (int)mp_sub(t, c, P_MOD->m, LIMBS);", "mp_sub(t, c, P_MOD->m, LIMBS); return 1;"),
        ("secp256r1", "balanced", "armv7em", "_public_key_check"),
        ("pt_coordinate", "fe_mul", "asks for less than"),
    ),
    "a nonce that is not compared with n": (
        "api/scalar.inc",
        ("mp_word_unless(mp_sub(t, k, N_MOD->m, LIMBS), ", "mp_word_unless(1, "),
        ("secp256r1", "balanced", "armv6m", "_ecdsa_sign"),
        ("sc_divide", "inverse of a number that is not below"),
    ),
    "entries of another length than a look-up takes": (
        "mul/pick.inc",
        ("WINDOW_POINTS, ENTRY_WORDS);", "WINDOW_POINTS, 3 * LIMBS);"),
        ("secp256k1", "fast", "rv32im", "_ecdh"),
        ("mul_select", "entries of 16 words"),
    ),
    "a difference of two x that is not reduced": (
        "group/jacobian_plain.inc",
        ("N(fe_sub)(CTX_ h, h, PX(r)); /* H = U2 - U1 */", "mp_sub(h, h, PX(r), LIMBS);"),
        ("secp384r1", "fast", "c", "_ecdh"),
        ("pt_add", "mp_is_zero", "negative or too large"),
    ),
    "a register that is not 1 where the smallest ladder takes it for 1": (
        "mul/ladder_coz.inc",
        ("R_ONE), p->xy, p->xy, LIMBS);", "R_ONE), p->xy, p->xy + LIMBS, LIMBS);"),
        ("secp256r1", LEAST, "armv6m", "_ecdh"),
        ("pt_run", "least_both", "asks for less than"),
    ),
    "the same beside squares by blocks": (
        "mul/ladder_coz.inc",
        ("R_ONE), p->xy, p->xy, LIMBS);", "R_ONE), p->xy, p->xy + LIMBS, LIMBS);"),
        ("secp256r1", BLOCKS, "armv6m", "_ecdh"),
        ("pt_run", "blocks", "asks for less than"),
    ),
    "words of a sum that is not reduced": (
        "group/slope_minus3.inc",
        ("N(fe_add)(CTX_ y, y, COEFFICIENT_B);", "mp_add(y, y, COEFFICIENT_B, MP_ALL, LIMBS);"),
        ("secp256r1", "balanced", "armv7em", "_public_key_check"),
        ("pt_from_bytes", "mp_equal"),
    ),
}


def planted(folder: Path, changes: list[tuple[str, str]], name: str = "group/edwards.inc") -> Path:
    """A copy of lib/src with lines of a file changed."""
    copy = folder / "lib" / "src"
    shutil.copytree(SRC, copy)
    file = copy / name
    text = file.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file.write_text(text, "utf-8")
    return copy


def left_out(curve: str, names: list[str]) -> bool:
    """Whether only such functions are."""
    return all(n.endswith(LEFT_OUT if curve.startswith("secp") else OF_25519) for n in names)


@pytest.mark.parametrize(("backend", "curve", "preset"), QUICK, ids=lambda x: x)
def test_calls_keep_what_they_are_asked_for(backend: str, curve: str, preset: str) -> None:
    found = check(curve, preset, backend)
    assert report.open_faults(found) == []
    assert found.unread == []
    assert len(found.calls) > 16
    assert left_out(curve, found.skipped), found.skipped


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


@pytest.mark.every  # they are not alike
@pytest.mark.parametrize("defect", PLANTED)
def test_a_defect_of_a_weierstrass_curve_is_seen(defect: str, tmp_path: Path) -> None:
    name, change, (curve, preset, backend, only), words = PLANTED[defect]
    source = planted(tmp_path, [change], name)
    faults = report.open_faults(check(curve, preset, backend, source, only=only))
    assert any(all(word in f for word in words) for f in faults), faults


def test_records_are_of_all_configurations() -> None:
    known = records.load(report.COMPOSED)
    wanted = {
        f"{b} {c} {p}" for b in report.BACKENDS for c in report.CURVES for p in report.presets(c)
    }
    assert set(known) == wanted
    assert all(r["refused"] == 0 for r in known.values())
    assert all(left_out(label.split()[1], r["skipped"]) for label, r in known.items())
    assert len(admitted.excused()) <= MOST_EXCUSED
    assert len(admitted.facts()) <= MOST_FACTS


def test_promises_stand_in_banners() -> None:
    """Bounds of routines that do what a register says are the words of their banners."""
    for backend, routines in PROMISES.items():
        text = " ".join(banners(backend).values())
        if backend != "rv32im" and "ecfit_p25519_rows_sum" not in text:  # no loops on this back end
            continue
        for cases in routines.values():
            for words, _bound in cases.values():
                assert words in text
    text = " ".join(banners("armv7em").values())
    assert all(words in text for words in ON.values())


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
    assert binary("&", exactly(1), Num(0, 0xFFFFFFFF), UNSIGNED) == Num(0, 1)


def test_elements_stay_apart() -> None:
    """Zeros for three elements, joined with three elements; and a loop that changes one."""
    p = 1 << 255
    a, b = State(), State()
    a.write("x", 0, 96, exactly(0))
    for i in range(3):
        b.write("x", 32 * i, 32, Num(1, p - 1, p))
    both = join(a, b)
    assert both is not None
    assert [both.read("x", 32 * i, 32) for i in range(3)] == [Num(0, p - 1, p)] * 3
    assert wide(Num(1, 7, p), 32) == Num(0, p - 1, p)
    assert wide(Num(1, p, p), 32) == Num(0, (1 << 256) - 1, p)


def test_a_product_of_what_is_not_zero() -> None:
    """Is not 0 modulo a prime; with an operand that may be p, it may be."""
    assert least((Num(1, 6), Num(2, 3)), 7) == 1
    assert least((Num(1, 7), Num(2, 3)), 7) == 0
    assert least((Num(0, 6), Num(2, 3)), 7) == 0


def test_branches_narrow_variables() -> None:
    assert narrowed(Num(-128, 127), "<", 0) == Num(-128, -1)
    assert narrowed(Num(0, 96, 0, 32), ">", 0) == Num(32, 96, 0, 32)
    assert narrowed(Num(0, 9), "!=", 5) is None
