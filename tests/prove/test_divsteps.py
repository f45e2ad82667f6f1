"""Inversion by divsteps: the specification against integers, the proofs, and attacks on them."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from ecfit.choices.curves import CURVES
from prove import mutants
from prove.algebra.polynomials import Refused, at
from prove.algebra.primes import ORDER_25519, P25519
from prove.compose import inversion
from prove.contracts import divsteps
from prove.contracts.banner import Unread
from prove.contracts.divsteps import Promise, matrix
from prove.contracts.sources import banners
from prove.intervals.source import SRC, unit
from prove.inverses import matrices, rows, steps, traces
from prove.machine.image import image
from prove.machine.signed import Signed

ALL = [
    (backend, f"ecfit_inv_{kind}{end}")
    for backend, end in (("armv7em", ""), ("armv6m", "_15"))
    for kind in ("steps", "reduce", "follow")
]


def promised(backend: str, name: str) -> Promise:
    """What the banner says."""
    said = divsteps.promise(backend, name)
    assert said
    return said


def divstep(delta: Fraction, f: int, g: int) -> tuple[Fraction, int, int]:
    """As in section 3 of [BY19]."""
    if delta > 0 and g % 2:
        return 1 - delta, g, (g - f) // 2
    return 1 + delta, f, (g + g % 2 * f) // 2


@pytest.mark.parametrize("count", [15, 30])
def test_the_matrix_is_that_of_divsteps(count: int) -> None:
    """T (f, g)/2^count is what so many divsteps leave; only the low bits decide."""
    random = Random(1)
    for _ in range(200):
        f, g = random.getrandbits(256) | 1, random.getrandbits(256) - (1 << 255)
        delta = Fraction(random.randrange(-41, 41, 2), 2)
        zeta = int(-delta - Fraction(1, 2))
        m = matrix(count, f, g, zeta)[-1]
        mask = (1 << count) - 1
        assert m == matrix(count, f & mask, g & mask, zeta)[-1]
        after, other = f, g
        for _ in range(count):
            delta, after, other = divstep(delta, after, other)
        sums = m.u * f + m.v * g, m.q * f + m.r * g
        assert [x / Fraction(1 << count) for x in sums] == [after, other]
        assert m.zeta == -delta - Fraction(1, 2)
        assert max(abs(m.u) + abs(m.v), abs(m.q) + abs(m.r)) <= 1 << count


@pytest.mark.parametrize("bits", [15, 30])
@pytest.mark.parametrize("name", ["secp256r1", "secp384r1"])
def test_an_inversion_of_these_parts(name: str, bits: int) -> None:
    """The loop of field/inverse/divsteps.inc by integers, with the contracts' bounds checked."""
    m = CURVES[name].p
    size = m.bit_length()
    n = size // bits + 1
    assert m < 1 << bits * n - 1
    assert n > 1
    for a in (0, 1, m - 1, Random(2).randrange(m)):
        f, g, d, e, zeta = m, a, 0, 1, -1
        for _ in range(0, 7 * size + 4, 3 * bits):
            low = (1 << bits) - 1
            t = matrix(bits, f & low, g & low, zeta)[-1]
            zeta = t.zeta
            assert f % 2 == 1
            assert abs(zeta) <= divsteps.ZETA
            sums = t.u * f + t.v * g, t.q * f + t.r * g
            assert all(x % (1 << bits) == 0 for x in sums)
            f, g = (x >> bits for x in sums)
            inverse = pow(1 << bits, -1, m)
            d, e = (t.u * d + t.v * e) * inverse % m, (t.q * d + t.r * e) * inverse % m
        assert g == 0
        assert (f * d - pow(a, -1, m)) % m == 0 if a else abs(f) == m


LOOP = (
    ("mod_inv_reduce(fg, t, n);", "", "old numbers"),
    ("mod_inv_follow(dem, t, n, m);", "", "not the last one"),
    ("fg[2 * n - 2], n, m)", "fg[2 * n - 1], n, m)", "sign of f"),
    ("i < 7 * bits + 4", "i < 6 * bits + 4", "too few steps"),
    ("i <= bits; i += MP", "i + MP_LIMB_BITS <= bits; i += MP", "too large"),
    ("mp_limb fg[2 * INV_LIMBS]", "mp_limb fg[2 * INV_LIMBS - 2]", "no element"),
    ("(mp_word)fg[0], (mp_word)fg[1]", "(mp_word)fg[1], (mp_word)fg[0]", "other numbers"),
)
"""Lines of field/inverse/divsteps.inc, what else might stand there, and what is then said."""


@pytest.mark.parametrize("backend", ["armv7em", "armv6m"])
@pytest.mark.parametrize("curve", ["secp256r1", "secp384r1", "secp521r1", "secp160r1", "ed25519"])
def test_the_loop_in_c_keeps_the_contracts(backend: str, curve: str) -> None:
    """For primes and orders of several lengths."""
    code = unit(curve, "balanced", backend)
    known = [m for m in (CURVES[curve].p, CURVES[curve].n) if m]
    for m in known or [P25519, ORDER_25519]:
        assert inversion.Inversion(code, m).run() >= 30


@pytest.mark.parametrize(("line", "other", "says"), LOOP, ids=[x[2] for x in LOOP])
def test_a_wrong_loop_is_seen(tmp_path: Path, line: str, other: str, says: str) -> None:
    """A changed line of the C code."""
    copy = tmp_path / "lib" / "src"
    shutil.copytree(SRC, copy)
    file = copy / "field" / "inverse" / "divsteps.inc"
    text = file.read_text("utf-8")
    assert text.count(line) == 1
    file.write_text(text.replace(line, other), "utf-8")
    with pytest.raises(inversion.Broken, match=says):
        inversion.Inversion(
            unit("secp256r1", "balanced", "armv6m", copy), CURVES["secp256r1"].p
        ).run()


@pytest.mark.parametrize(("backend", "name"), ALL)
def test_the_object_code_on_states(backend: str, name: str) -> None:
    """Random states and edges on the emulator, against integers."""
    assert matrices.right(image(backend), backend, name, promised(backend, name), 200)


@pytest.mark.parametrize(("backend", "name"), ALL)
def test_short_proofs(backend: str, name: str) -> None:
    """Of each loop, and of two lengths."""
    said = promised(backend, name)
    assert matrices.prove(image(backend), backend, name, said._replace(lengths=(2, 3))).compared


@pytest.mark.parametrize(("backend", "name"), ALL)
def test_a_promise_that_claims_too_much_is_refused(
    backend: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other limbs; larger sums of a matrix; zeta at the end of a word."""
    said, code = promised(backend, name)._replace(lengths=(3,)), image(backend)
    for bits in (said.bits - 1, said.bits + 1):
        monkeypatch.setitem(steps.LAYOUTS, bits, steps.LAYOUTS[said.bits])
        with pytest.raises(Refused):
            matrices.prove(code, backend, name, said._replace(bits=bits))
    if said.kind == "steps":
        for module in (steps, traces):
            monkeypatch.setattr(module, "ZETA", 1 << 31)
    elif said.kind == "reduce":
        return  # its sums have room for twice as much
    else:
        monkeypatch.setattr(rows, "ROOM", 2)
    with pytest.raises(Refused):
        matrices.prove(code, backend, name, said)


def test_another_banner_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bound of it counts."""
    backend, name = ALL[0]
    text = banners(backend)[name]
    other = {name: text.replace("zeta from -2^30 to", "zeta from -2^31 to")}
    monkeypatch.setattr(divsteps, "banners", lambda _: other)
    with pytest.raises(Unread):
        divsteps.promise(backend, name)
    assert divsteps.key(backend, name) == "unread"


@pytest.mark.parametrize("backend", ["armv7em", "armv6m"])
def test_faults_are_refused(backend: str) -> None:
    """A bit of an instruction flipped."""
    names = [name for mine, name in ALL if mine == backend]
    found = mutants.sample(image(backend), backend, names, 24, 3)
    assert found.survived == []
    assert found.refused > 20


def test_floors_with_signs_are_exact() -> None:
    """Against numbers, with the ranges that are remembered."""
    random = Random(4)
    for _ in range(400):
        s = Signed()
        made = [s.value({(s.variable(x, -1 << 20, 1 << 20),): 1}) for x in "uvab"]
        s.rows = [(0, 1, 1 << 20)]
        for _ in range(12):
            x, y = random.choice(made), random.choice(made)
            k, kind = random.choice((1, 4, 15, 16, 30, 32)), random.randrange(6)
            if kind == 0:
                made.append(s.add(x, y))
            elif kind == 1 and len(x.p) * len(y.p) < 20:
                made.append(s.mul(x, y))
            elif kind == 2:
                made.append(s.scale(x, random.choice((1, -1, 3)) << k))
            else:
                made.append(random.choice((s.floor, s.mod, s.signed))(x, k))
        u = random.choice((0, 1, -1 << 20, random.randrange(-1 << 20, 1 << 20)))
        v = random.choice((1, -1)) * random.randrange((1 << 20) - abs(u) + 1)
        env = s.witness({0: u, 1: v, 2: random.choice((-1 << 20, 7)), 3: random.getrandbits(20)})
        for value in made:
            assert value.lo <= at(value.p, env) <= value.hi
        for v, (p, k) in s.floors.items():
            assert env[v] == at(p, env) >> k
            assert s.lo[v] <= env[v] <= s.hi[v]
        for p, lo, hi in s.facts:
            assert lo <= at(p, env) <= hi
        for v, p in s.negatives.items():
            assert env[v] == (at(p, env) < 0)
        for key, ends in s.ranges.items():
            assert ends[0] <= at(dict(key), env) <= ends[1]  # type: ignore[call-overload]
