"""Proofs on the object code: what docs/proved.md says, tried again on a sample, and attacked."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from prove import mutants, page
from prove.__main__ import attempt, single
from prove.algebra import formulas
from prove.algebra.solver import Solver, check
from prove.algebra.values import M32, TERMS, Large, Refused, Space, at
from prove.contracts import records
from prove.contracts.banner import Reader, Unread, contracts
from prove.contracts.contract import Contract, Goal, Operand
from prove.contracts.expression import Term, parse
from prove.contracts.sources import banners
from prove.goals.calls import INNER
from prove.goals.proofs import prove
from prove.goals.states import begin
from prove.machine.image import Image, image, linked
from workshop.paths import SRC

MOST_EXCEPTIONS = 25  # may only shrink; all are of AVR, none of which is proved
QUICK = [
    ("armv7em", "ecfit_p25519_sub_tight"),
    ("armv7em", "ecfit_secp256r1_fe_sub"),
    ("armv6m", "ecfit_p25519_add"),
    ("rv32im", "ecfit_p25519_add_tight"),
]
MANY = 6  # routines of a sample


def one(backend: str, name: str) -> Contract:
    """The contract of a routine."""
    return contracts(backend, name)[0]


def test_each_routine_is_proved_or_an_exception() -> None:
    """Of mp and field on each back end; the exceptions may only become fewer."""
    proved, missing = set(records.load()), set(page.exceptions())
    every = {f"{b} {name}" for b in records.LISTED for name in records.names(b)}
    assert proved & missing == set()
    assert proved | missing == every
    assert len(missing) <= MOST_EXCEPTIONS


PARTS = {f"ecfit_both_{name}" for name in ("block", "difference", "mul64", "sqr64")} | {
    f"ecfit_blocks_{name}" for name in ("mul64", "sqr64", "sqr128")
}


@pytest.mark.parametrize("backend", records.BACKENDS)
def test_all_that_is_linked_is_proved(backend: str) -> None:
    """Each entry of mp and field with a banner, whatever folder it is in: by a record of its own,
    by one of the same bytes on ARMv6-M, or with what calls it.
    """
    code, other = image(backend), image("armv6m")
    entries = re.compile(r"^ *(?:function|inner|entry) +(ecfit_\w+)", re.MULTILINE)
    files = [f for layer in records.LAYERS for f in (SRC / layer).rglob("*.S")]
    names = {n for f in files for n in entries.findall(f.read_text("utf-8"))}
    known = {*records.load(), *page.exceptions()}
    for name in sorted(names & code.symbols.keys() - {*INNER, *PARTS}):
        if f"{backend} {name}" in known or not any(name in banners(b) for b in records.BACKENDS):
            continue
        assert f"armv6m {name}" in known, f"{backend} {name}"
        assert records.code(code, name) == records.code(other, name), f"{backend} {name}"


def test_calls_are_of_proved_routines() -> None:
    """A contract that a proof relies on is proved itself, or of the same bytes on ARMv6-M."""
    known = records.load()
    for label, record in known.items():
        backend = label.split()[0]
        for callee in record.get("calls", []):
            if f"{backend} {callee}" in known:
                continue
            shared = known.get(f"armv6m {callee}", {}).get("code")
            mine = records.code(image(backend), callee)
            assert mine == shared, f"{label} calls {callee}"


@pytest.mark.parametrize("backend", records.BACKENDS)
def test_records_are_of_the_code_of_today(backend: str) -> None:
    """By the digests of the bytes that were proved, and of what was proved of them."""
    code = image(backend)
    for label, record in records.load().items():
        mine, name = label.split()
        if mine == backend:
            found = records.code(code, name), records.contract(backend, name)
            assert (record["code"], record["contract"]) == found, f"{label}: make long WHAT=prove"


def test_another_contract_is_another_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """A banner that claims more is not taken for what was proved; other words are the same."""
    before = records.contract("armv7em", "ecfit_p25519_add_tight")
    known = contracts("armv7em", "ecfit_p25519_add_tight")
    (goal,) = known[0].goals
    tighter = replace(known[0], goals=(replace(goal, bound=1 << 255),))
    for changed, same in ((tighter, False), (replace(known[0], text="Cost: 1"), True)):
        monkeypatch.setattr(records, "contracts", lambda *_, one=changed: [one, *known[1:]])
        assert (records.contract("armv7em", "ecfit_p25519_add_tight") == before) == same


@pytest.mark.parametrize(("backend", "name"), QUICK)
def test_quick_proofs(backend: str, name: str) -> None:
    """Proved again, with all aliasings, compared with the emulator."""
    assert "reason" not in attempt(image(backend), backend, name)


@pytest.mark.ci
@pytest.mark.parametrize("backend", records.BACKENDS)
def test_a_sample_is_proved_again(backend: str) -> None:
    """Of routines that took less than ten seconds."""
    known = records.load()
    mine = {k.split()[1]: r for k, r in known.items() if k.split()[0] == backend}
    quick = [k for k, r in mine.items() if r["seconds"] < 10]
    for name in Random(30).sample(sorted(quick), min(MANY, len(quick))):
        assert "reason" not in attempt(image(backend), backend, name), name


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("p25519_sub_tight", {"bound": 1 << 256}),
        ("p25519_add_tight", {"bound": 1 << 256}),
        ("p25519_mul", {"out": (1 << 255) + (1 << 9)}),
        ("secp256r1_fe_sub", {"out": (1 << 256) - (1 << 224)}),
        ("secp256r1_fe_add", {"bound": 1 << 256}),
        ("mod_mul", {"bound": 1 << 256}),
        ("mod_mul", {"out": (1 << 256) - (1 << 224)}),
        ("mp_mul_8", {"value": "a b + 1"}),
        ("p25519_mul", {"value": "r1 r2 + 1"}),
    ],
)
def test_a_contract_that_claims_too_much_is_refused(name: str, change: dict[str, Any]) -> None:
    """Operands beyond their bound, a result below a bound that is too small, another value."""
    made = one("armv7em", f"ecfit_{name}")
    if "bound" in change:
        wide = {k: replace(o, bound=change["bound"]) for k, o in made.operands.items()}
        made = replace(made, operands=wide)
    if "out" in change:
        made = replace(made, goals=tuple(replace(g, bound=change["out"]) for g in made.goals))
    if "value" in change:
        value = parse(str(change["value"]))
        made = replace(made, goals=tuple(replace(g, value=value) for g in made.goals))
    with pytest.raises(Refused):
        prove(image("armv7em"), made, seconds=5)


def test_faults_in_the_code_are_refused() -> None:
    """A bit of an instruction flipped: refused, or accepted and right."""
    names = ["ecfit_p25519_mul", "ecfit_secp256r1_fe_sub", "ecfit_mp_mul_8", "ecfit_mp_add"]
    found = mutants.sample(image("armv7em"), "armv7em", names, 20, 7)
    assert found.survived == []
    assert found.refused > 15


def test_a_fault_whose_proof_does_not_end_is_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A carry that is lost: z3 goes on for minutes where it has no limit."""
    here, found = image("armv7em"), mutants.Tally()
    (made, *_) = contracts("armv7em", "ecfit_p25519_add_sqr")
    monkeypatch.setattr(mutants, "LIMIT", 1)
    address = here.symbols[made.name] + 0x48
    assert here.instruction(address).text == "r6, r6, #0"
    mutants.attack(here, made, address, bytes.fromhex("46f10006"), found)
    assert (found.refused, found.equal, found.survived) == (1, [], [])
    assert here.instruction(address).name == "adcs"


@pytest.mark.ci
@pytest.mark.parametrize("backend", records.BACKENDS)
def test_faults_in_all_that_is_proved(backend: str) -> None:
    """The same, in quick routines of each back end."""
    known = records.load()
    mine = {k.split()[1]: r for k, r in known.items() if k.split()[0] == backend}
    quick = [k for k, r in mine.items() if r["seconds"] < 5]
    assert mutants.sample(image(backend), backend, quick, 60, 30).survived == []


@pytest.mark.parametrize("name", formulas.CHECKS)
def test_formulas_equal_the_group_law(name: str) -> None:
    """As polynomials; and no step of a table may be another operation."""
    steps = formulas.steps_of(name)
    assert formulas.holds(name, steps)
    for i in set(range(len(steps))) - {*formulas.COPIES.get(name, ())}:
        assert not formulas.holds(name, formulas.changed(steps, i)), f"{name}, step {i}"


@pytest.mark.parametrize(
    "name", [n for n in formulas.CHECKS if n.startswith(("ladder", "jacobian_in"))]
)
def test_another_operand_is_noticed(name: str) -> None:
    """In each operation, and in the place of its result. Where a table copies register 0 to 4, one
    may stand for the other.
    """
    steps = formulas.steps_of(name)
    copied = {0: {4}, 4: {0}} if name in formulas.COPIES else {}
    for i, step in enumerate(steps):
        for place in ("d", "a", "b"):
            now = getattr(step, place)
            for other in {*range(8)} - {now} - copied.get(now, set()):
                wrong = [*steps[:i], step._replace(**{place: other}), *steps[i + 1 :]]
                assert not formulas.holds(name, wrong), f"{name}, step {i}: {place} = {other}"


def test_a_step_in_line_is_that_of_the_table() -> None:
    """The ladder on a line has its step twice: in C for fields in assembly, and as a table."""
    text = (SRC / "mul/ladder_coz.inc").read_text("utf-8")
    text = text[text.index("N(mul_step)(") :].split("#else")[0]
    place = {
        n: m.replace("LADDER_OTHER", "3") for n, m in re.findall(r"(\w+) = REG\(g, (\w+)\)", text)
    }
    assert sorted(place.values()) == ["0", "1", "2", "3", "5", "6", "7"]
    steps = []
    for op, *names in re.findall(
        r"N\(fe_(mul|sqr|add|sub)\)\(CTX_ (\w+), (\w+)(?:, (\w+))?\);", text
    ):
        d, a, b = (int(place[n or names[1]]) for n in names)
        steps.append(formulas.Step(op.replace("sqr", "mul").upper(), d, a, b))
    assert text.count("N(fe_") == len(steps)
    assert steps == formulas.steps_of("ladder_step")


def test_a_banner_without_a_bound_is_not_read() -> None:
    with pytest.raises(Unread):
        Reader(
            "armv7em", "ecfit_one", "ecfit_one(mp_word *r, const mp_word *a) r = a. in: a"
        ).contract()


def test_each_aliasing_is_proved_for_itself() -> None:
    """r = b, and r0 the carry of a + 1, which is 0: not where r is a, which b then overwrites. The
    words of the result, and the carry by its name, are the same with and without it.
    """
    code, name = image("armv7m"), "ecfit_mp_mul_8"
    loads = "1368 0360 5368 4360 0b68 4a68"  # r = b, then a
    code.patch(code.symbols[name], bytes.fromhex(f"{loads} 0020 0133 4241 4041 7047"))
    full = 1 << 64
    operands = {"a": Operand(2, full - 1), "b": Operand(2, full), "r": Operand(2, full)}
    goals = (Goal("r", 2, parse("b")), Goal("", 0, Term("num"), (0,)))
    places = {0: "r", 1: "a", 2: "b"}
    made = Contract(name, "armv7m", places, operands, goals, ({}, {"r": "a"}))
    assert prove(code, made, aliases=[{}]).aliases == 1
    with pytest.raises(Refused, match="counterexample"):
        prove(code, made)


@pytest.mark.parametrize(
    ("code", "proved"),
    [
        ("b386f600b3b8f60033071701 b3860601b3b20601", True),  # a3 += x, a4 += carry; a3 += y
        ("b386f600b3b8f60033071701 b3820800", False),  # the carry of x again
        ("3383f600b338f30033071701 b3830601b3b20301", False),  # a3 + x and a3 + y
    ],
)
def test_an_upper_word_takes_each_carry_of_one_sum_once(code: str, *, proved: bool) -> None:
    """x y + x + y is below 2^64: its upper word carries nothing. r is what it carries."""
    image_, name = image("rv32im"), "ecfit_mp_lookup_16"
    product, end = "83a70500 03280600 b3860703 33b70703", "33075700 33375700 2320e500 67800000"
    image_.patch(image_.symbols[name], bytes.fromhex(product + code + end))
    operands = {key: Operand(1, 1 << 32) for key in "abr"}
    goals = (Goal("r", 1, parse("0")),)
    made = Contract(name, "rv32im", {10: "r", 11: "a", 12: "b"}, operands, goals, ({},))
    if proved:
        assert prove(image_, made).aliases == 1
        return
    with pytest.raises(Refused, match="counterexample"):
        prove(image_, made)


def test_a_result_over_an_operand_bounds_nothing() -> None:
    """t of nine words, where a result of eight is: t may be more than 2^256."""
    made = one("rv32im", "ecfit_mod_once_8")
    state = begin(image("rv32im"), made, {"r": "t"})
    assert [hi for _, _, hi in state.space.given] == [made.operands["t"].bound - 1]


def test_a_fact_that_does_not_hold_ends_a_proof() -> None:
    """Of whatever part of the prover it is."""
    s = Space()
    total = s.add(s.word("a"), s.word("b"))
    s.floor(total, 32)
    env = s.witness({0: M32, 1: 1})
    check(s, s.facts, [env])
    with pytest.raises(Refused, match="does not hold"):
        check(s, [(total.p, 0, M32)], [env])
    s.sums[total.key()] = 0, M32
    with pytest.raises(Refused, match="does not hold"):
        check(s, s.facts, [env])


def test_a_result_may_be_the_operand_of_one_word() -> None:
    """Where a banner allows all operands."""
    assert {"a0": "a2"} in one("rv32im", "ecfit_p25519_small_add").aliases
    assert {"r": "b"} in contracts("armv6m", "ecfit_p25519_rows_product")[1].aliases


def test_moduli_are_those_of_the_library() -> None:
    """P-224 is kept in 8 words, and Ed448 has an order, too."""
    cases = {c.case for c in contracts("armv6m", "ecfit_mod_add_8")}
    assert {"secp224r1 p", "secp224r1 n"} <= cases
    assert "ed448 n" in {c.case for c in contracts("rv32im", "ecfit_mod_redc")}


def test_a_digit_clears_a_word_alone() -> None:
    """What a digit is, is known modulo 2^32: it says nothing about more bits."""
    s = Space()
    t = s.word("t")
    q = s.digit(s.mod(s.scale(t, M32), 32))  # -t modulo 2^32, as the modulus 1 has it
    total = s.add(t, q).p
    assert s.cleared(total, 1 << 32)
    assert not s.cleared(total, 1 << 33)
    ((word,),) = t.p
    s.note_zero({(word,): 2})  # no word by itself: nothing is replaced
    assert s.without_zeros({(): 5, (word,): 1}) == {(): 5, (word,): 1}


def test_a_word_of_the_modulus_may_be_the_inverse() -> None:
    """As with P-224, whose -1/p is 2^32 - 1: a digit times that word of p is no digit."""
    name = "ecfit_mod_redc"
    (made,) = (c for c in contracts("rv32im", name) if c.case == "secp224r1 p")
    m = made.operands["m"].number or 0
    assert made.numbers[12] in [m >> 32 * i & M32 for i in range(8)]
    assert prove(image("rv32im"), made).aliases == 1


def test_formulas_that_grow_end() -> None:
    """As those of a damaged loop: no other way is tried then, and the instruction is named."""
    s = Space()
    words = [s.word(f"w{i}") for i in range(TERMS + 1)]
    s.add(*words[:TERMS])
    with pytest.raises(Large):
        s.add(*words)
    with pytest.raises(Large):
        s.mul(s.add(*words[:TERMS]), s.add(*words[:TERMS]))


def test_other_compilers_make_the_same_code() -> None:
    """What clang assembles has the bytes that were proved, for most of the routines."""
    ours, theirs = image("armv7em"), Image(linked("armv7em", "clang"))
    labels = [k.split()[1] for k in records.load() if k.startswith("armv7em ")]
    same = [n for n in labels if records.code(ours, n) == records.code(theirs, n)]
    print(f"{len(same)} of {len(labels)} are the same bytes")
    assert same


def test_floors_are_exact() -> None:
    """floor and mod of a symbolic value, against numbers: also where terms are multiples of 2^k."""
    random = Random(5)
    for _ in range(200):
        s = Space()
        words = [s.word(f"w{i}") for i in range(3)]
        scaled = [s.scale(w, 1 << random.choice((0, 1, 16, 31, 32, 33))) for w in words]
        total = s.add(*scaled)
        k = random.choice((1, 16, 32, 33))
        low, high = s.mod(total, k), s.floor(total, k)
        again = s.floor(s.add(high, low), 1)
        edges = (0, 1, 2**32 - 1, random.getrandbits(32))
        env = s.witness({i: random.choice(edges) for i in range(3)})
        number = at(total.p, env)
        assert (at(low.p, env), at(high.p, env)) == (number % (1 << k), number >> k)
        assert at(again.p, env) == (number % (1 << k) + (number >> k)) >> 1


def test_wrong_use_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert single("armv7em", "nothing") == 2
    assert capsys.readouterr().err == "prove: no routine ecfit_nothing in armv7em\n"


def test_a_proof_is_the_same_each_time() -> None:
    """Whatever was asked before, z3 does the same work, by its own count."""
    s = Space()
    words = [s.word(f"w{i}") for i in range(6)]
    total = s.add(*words)
    low, high = s.mod(total, 32), s.floor(total, 32)
    facts = [*s.facts, (total.p, 0, 6 * M32)]
    spent = []
    for _ in range(3):
        solver = Solver(s, facts, 20)
        assert solver.holds(high.p, 0, 5)
        assert not solver.holds(high.p, 0, 4)
        assert solver.holds(low.p, 0, M32)
        spent.append(solver.spent)
    assert len(set(spent)) == 1


def test_a_question_has_a_limit_of_work() -> None:
    """A solver that may do nothing proves nothing."""
    s = Space()
    words = [s.word(f"w{i}") for i in range(6)]
    total = s.add(*words)
    high = s.floor(total, 32)
    assert not Solver(s, s.facts, 1e-5).holds(high.p, 0, 5)
