"""`ecfit ct` attacked: leaks planted so that they were missed once,
and declarations that were not listed."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from ecfit.choices.curves import CURVES
from ecfit.commands.ct import (
    ACCEPTED,
    DECLARED,
    LEAK,
    MOST_ROWS,
    NOT_COMPARED,
    Check,
    _by_cause,
    _hidden,
    _table,
)
from ecfit.measure.settings import Settings
from ecfit.model import Leak
from ecfit.run.cases import COMPLEMENTS, private_bytes, public_input
from ecfit.run.job import NOT_FOLLOWED
from workshop.cli.ct_planted import ADAPTER, CORES, OPERATION, check, follow
from workshop.cli.run import Ecfit, MakePeer

PEER_AT = private_bytes(CURVES["secp128r1"], "ecdh") + 1  # the first byte of the peer's x


def taint(found: list[Check], status: str = LEAK) -> list[Check]:
    return [c for c in found if c.check == "taint" and c.status == status]


# --- declarations ---------------------------------------------------------------------------------

# Of memory: of 4 and of 16 bytes, by two callers. Out of line, with two callers; before its first
# instruction, behind a function that does not end where this one begins; of a value in two
# registers.
HEAD = """
#include "ct.h"
#define ALONE __attribute__((noipa))
ALONE static uint32_t known(uint32_t x) { x += seven; ECFIT_DECLASSIFY(x); return x * 3; }
ALONE static uint32_t before(uint32_t x) { return x * 12345677u; }
ALONE __attribute__((aligned(32))) static uint32_t at_once(uint32_t x)
{
    ECFIT_DECLASSIFY(x);
    return x & 1;
}
ALONE static void wide(uint64_t x)
{
    x += seven;
    ECFIT_DECLASSIFY(x);
    if ((uint32_t)x & 1) sink = 1;
    if ((uint32_t)(x >> 32) & 1) sink = 2;
}
"""
USES = {
    "first": "uint8_t a[4] = {in[0]}; bench_public(a, 4); if (a[0] & 1) sink = 1;",
    "second": "uint8_t a[16] = {in[0]}; bench_public(a, 16); if (a[0] & 1) sink = 2;",
    "third": "if (known(in[0]) & 1) sink = 3;",
    "fourth": "if (known(in[1]) & 1) sink = 4;",
    "fifth": "sink = before(1); if (at_once(in[0])) sink = 1;",
    "sixth": "wide((uint64_t)word(in) << 32 | word(in + 4)); sink = 6;",
}


@pytest.mark.parametrize("target", CORES)
def test_each_use_is_listed(tmp_path: Path, target: str) -> None:
    """With its path of calls and its bytes; of a wide value both registers.
    And each is one: nothing leaks.
    """
    functions = "".join(
        f"ALONE static void {name}(const uint8_t *in) {{ {code} }}\n" for name, code in USES.items()
    )
    calls = " ".join(f"{name}(in);" for name in USES)
    text = ADAPTER + HEAD + functions + OPERATION.format(calls=calls)
    found = check(tmp_path, target, text, settings=Settings(runs=2))
    assert not [
        c for c in taint(found) if "first" in str(c.path) or c.function in ("known", "wide")
    ]
    assert {c.status for c in found if c.check == "taint"} == {"ok", DECLARED}
    uses = {
        str(c.path).removeprefix("bench_ecdh > "): (c.bytes, str(c.declared))
        for c in taint(found, DECLARED)
        if str(c.path).split(" > ")[1] in USES
    }
    registers = uses.pop("sixth > wide")
    low, high = (int(name.removeprefix("r")) for name in registers[1].split(", "))
    assert (registers[0], high) == (8, low + 1)
    assert {path: (size, what == "block") for path, (size, what) in uses.items()} == {
        "first > bench_public": (4, True),
        "second > bench_public": (16, True),
        "third > known": (4, False),
        "fourth > known": (4, False),
        "fifth > at_once": (4, False),
    }


# What asks whether secrets are followed, and what it decides: the measured image has each.
CHOSEN = {
    "#ifdef ECFIT_DECLASSIFY\n    return;\n#endif\n    if (in[0] & 1) sink = 1;": "branch",
    "#ifndef ECFIT_DECLASSIFY\n    if (in[0] & 1) sink = 1;\n#endif": "branch",
    "#ifdef ECFIT_DECLASSIFY\nin = table;\n#endif\nsink = table[in[0] & 15];": "load address",
}


@pytest.mark.parametrize("code", CHOSEN)
def test_code_chosen_by_the_preprocessor_is_followed(tmp_path: Path, code: str) -> None:
    """There is no image but the measured one in which it could choose otherwise."""
    found = follow(tmp_path, "lpc1114", {"chosen": code}, Settings(runs=2, inputs=1))
    assert [(c.function, c.kind) for c in taint(found)] == [("chosen", CHOSEN[code])]


# A head of a loop where a declaration is: what the second turn brings is another secret. It decides
# for one key in 2^32, so that no comparison of runs shows it.
LOOPS = """uint32_t x = word(in), key = word(in + 4), n = 7;
volatile uint32_t *to = &sink;
__asm__ volatile("" : "+r"(key), "+r"(n), "+r"(to));
ECFIT_DECLASSIFY(x);
do { if (x == n) *to = n; x += key; } while (--n);"""


@pytest.mark.parametrize("target", ["lpc1114", "nrf52840", "ibex"])
def test_a_loop_to_a_declaration_is_no_declaration(tmp_path: Path, target: str) -> None:
    settings = Settings(runs=2, inputs=1)
    found = follow(tmp_path, target, {"loops": LOOPS}, settings, '#include "ct.h"\n')
    assert [(c.function, c.kind in {"branch", "condition"}) for c in taint(found)] == [
        ("loops", True)
    ]


# --- what is not followed -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "label",
    [
        "ecfit_public.%=.r99.4",
        "ecfit_public.%=.r4.9",
        "ecfit_public.%=.nothing.4",
        "ecfit_public.%=",
    ],
)
def test_a_mark_that_says_nothing_is_no_pass(ecfit: Ecfit, peer: MakePeer, label: str) -> None:
    """Of no register, of too many bytes, or not as a mark is written."""
    folder = peer(f'__asm__ volatile("{label}:" : :); return 0;')
    arguments = ("--peer-dir", folder, "--lib", "mine", "--op", "ecdh", "--quiet")
    done = ecfit("ct", *arguments, "--format", "json")
    assert done.code == 5
    assert "mine on lpc1114: not followed: a mark of what is public in bench_ecdh" in done.err
    (check,) = (c for c in json.loads(done.out) if c["check"] == "taint")
    assert check["status"] == NOT_FOLLOWED


# --- a flood --------------------------------------------------------------------------------------


def test_a_flood_of_findings_is_a_short_table(tmp_path: Path) -> None:
    """One row for each function and secret, what takes time before what only an address shows;
    the rest is counted below. Each finding is a line of JSON.
    """
    many = MOST_ROWS + 5
    look = "sink = table[in[{}] & 15];\n"
    planted = {f"look_{i}": look.format(0) + look.format(1) for i in range(many)}
    planted["branch"] = "if (in[2] & 1) bench_public(in, 0), sink = 1;"
    found = follow(tmp_path, "lpc1114", planted, Settings(runs=2, inputs=1))
    leaks = taint(found)
    assert len(leaks) == 2 * many + 1
    assert [c.function for c in leaks if c.cause == 1] == ["branch"]
    causes = [c.cause for c in leaks]
    assert causes == sorted(causes, key=lambda cause: cause or 0)
    assert causes[-1] == many + 1
    shown = [c for c in found if c.status != DECLARED]
    columns, cells = _table(shown)
    places = [row[[column.name for column in columns].index("places")] for row in cells]
    assert places == ["1", *["2"] * (MOST_ROWS - 1), "-"]
    assert _hidden(shown) == [
        f"ecfit balanced on lpc1114: secp128r1 ecdh: {many + 1 - MOST_ROWS} further causes, "
        f"{2 * (many + 1 - MOST_ROWS)} places: --format json has each place"
    ]


def test_the_worst_cause_comes_first() -> None:
    """What may hide more, then what takes time on every core, then addresses; of equal ones what
    happened most often.
    """
    kinds = ("load address", "branch", "code", "store address", "operand", "table full")
    worst = ["table full", "code", "operand", "branch", "store address", "load address"]
    seen = [
        Leak(kind=kind, function=f"at_{count}", source=None, address=count, path=(),
             secret=("private key",), count=count)
        for count, kind in enumerate(kinds)
    ]  # fmt: skip
    assert [group[0].kind for group in _by_cause(seen)] == worst
    together = [msgspec.structs.replace(one, function="one") for one in seen]
    assert [[one.kind for one in group] for group in _by_cause(together)] == [worst]


def test_findings_on_one_line_are_one(tmp_path: Path) -> None:
    one = "sink = table[in[0] & 15]; sink = table[in[1] & 15];"
    planted = {"one": one, "two": one.replace("; ", ";\n")}
    found = follow(tmp_path, "lpc1114", planted, Settings(runs=1, inputs=1))
    assert sorted(c.function or "" for c in taint(found)) == ["one", "two", "two"]


# --- public inputs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("curve", "op"),
    [(curve, op) for curve in CURVES for op in ("ecdh", "sign") if op in CURVES[curve].ops],
)
def test_public_inputs_take_bits_both_ways(curve: str, op: str) -> None:
    """Nine tenths of the bits of a point or more; all of a hash, message, or key of RFC 7748."""
    inputs = [public_input(CURVES[curve], op, 1, number) for number in range(COMPLEMENTS)]
    assert len(set(inputs)) == COMPLEMENTS
    ones = zeros = 0
    for data in inputs:
        ones |= int.from_bytes(data, "big")
        zeros |= ~int.from_bytes(data, "big")
    bits = 8 * len(inputs[0])
    both = (ones & zeros & ((1 << bits) - 1)).bit_count()
    is_point = CURVES[curve].form == "weierstrass" and op == "ecdh"
    wanted = 0.9 * 2 * CURVES[curve].p.bit_length() if is_point else bits
    assert both >= wanted


def test_a_leak_behind_a_bit_of_the_peer(tmp_path: Path) -> None:
    """Of each bit of a byte, for each value: it shows with one of the inputs,
    and is said to be of the first such.
    """
    code = f"if ((in[{PEER_AT}] >> {{}} & 1) == {{}} && (in[0] & 1)) sink = 1;"
    planted = {
        f"bit_{bit}_{value}": code.format(bit, value) for bit in range(8) for value in (0, 1)
    }
    found = follow(tmp_path, "lpc1114", planted, Settings(runs=4, inputs=4))
    inputs = [public_input(CURVES["secp128r1"], "ecdh", 1, number)[1] for number in range(4)]
    wanted = {
        name: [str(byte >> int(name[4]) & 1) for byte in inputs].index(name[6]) + 1
        for name in planted
    }
    assert {c.function: c.input for c in taint(found)} == wanted
    added = "+".join(str(list(wanted.values()).count(number)) for number in range(1, 5))
    assert {(c.inputs, c.added) for c in taint(found)} == {(4, added)}
    assert added.startswith("8+8")
    assert (found[-1].check, found[-1].status, found[-1].input) == ("equality", LEAK, 1)


def test_runs_are_compared_with_each_input(tmp_path: Path) -> None:
    """What shows in the comparison with the second input alone."""
    second = public_input(CURVES["secp128r1"], "ecdh", 1, 1)[1]
    code = f"if (in[{PEER_AT}] == {second}) sink = table[in[0] & 15];"
    equality = follow(tmp_path, "lpc1114", {"planted": code}, Settings(runs=4, inputs=2))[-1]
    assert (equality.kind, equality.input, equality.inputs) == ("trace differs", 2, 2)
    ok = follow(tmp_path, "lpc1114", {"planted": code}, Settings(runs=4, inputs=1))
    assert {c.status for c in ok} == {"ok", DECLARED}


def test_one_run_compares_nothing(ecfit: Ecfit, tmp_path: Path) -> None:
    found = follow(tmp_path, "lpc1114", {"nothing": "(void)in;"}, Settings(runs=1, inputs=4))
    assert [c.status for c in found if c.check == "equality"] == [NOT_COMPARED]
    done = ecfit("ct", "--curve", "secp128r1", "--op", "ecdh", "--n", "1", "--quiet")
    assert done.code == 0
    assert "one run with each public input compares nothing: --n 2 or more" in " ".join(
        done.out.split()
    )


# --- what is refused ------------------------------------------------------------------------------

LEAKS = "if (in[0] & 1) sink = 1;"
ENDS = {
    "loops": ("while (seven) { }", "endless loop"),
    "faults": ("*(volatile int *)0xFFFFFFF0u = 1;", "fault: "),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_refused_input_that_does_not_end(tmp_path: Path, name: str) -> None:
    """What was found before, and in that run, is told; and the row says what did not end."""
    code, status = ENDS[name]
    operation = f"""
static void leak(const uint8_t *in) {{ {LEAKS} }}
int bench_ecdh(uint8_t *out, const uint8_t *in)
{{
    int status = real_ecdh(out, in);
    leak(in);
    if (status != 0) {{ sink = table[in[0] & 15]; {code} }}
    return status;
}}
"""
    found = check(
        tmp_path, "lpc1114", ADAPTER + operation, settings=Settings(runs=2, limit=20_000_000)
    )
    assert {c.kind for c in taint(found)} == {"branch", "load address"}
    (failed,) = (c for c in found if c.status.startswith(status))
    assert "with the private key 0" in str(failed.detail) or "with a point" in str(failed.detail)
    assert found[-1].check == "equality"


def test_a_refused_input_that_is_accepted(tmp_path: Path) -> None:
    """The private key 0: a difference, and all else goes on.
    A point off the curve: wrong, and nothing is dropped.
    """
    accepts = """
int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    if (in[0] & 1) sink = 1;
    real_ecdh(out, in);
    return 0;
}
"""
    found = check(tmp_path, "lpc1114", ADAPTER + accepts)
    assert [c.detail for c in taint(found, ACCEPTED)] == ["the private key 0", "the private key n"]
    assert [c.kind for c in taint(found)] == ["branch"]
    (wrong,) = (c for c in found if c.status == "wrong result")
    assert wrong.detail == "ecdh accepts a point off the curve"
    assert (found[-1].check, found[-1].status) == ("equality", LEAK)


def test_a_point_of_small_order_that_is_accepted(tmp_path: Path) -> None:
    """Of RFC 7748: a difference, and no leak."""
    accepts = """
#define bench_ecdh real_ecdh
#include "adapter_ecfit_montgomery.c"
#undef bench_ecdh
int bench_ecdh(uint8_t *out, const uint8_t *in);
int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    real_ecdh(out, in);
    return 0;
}
"""
    quick = Settings(runs=1, inputs=1)
    found = check(tmp_path, "nrf52840", accepts, settings=quick, curve="x25519")
    assert [c.detail for c in taint(found, ACCEPTED)] == ["a point of small order"]
    assert not taint(found)


def test_signatures_of_a_peer_are_followed(ecfit: Ecfit) -> None:
    """micro-ecc signs with the private key 0: said as a difference."""
    done = ecfit("ct", "--lib", "micro-ecc", "--op", "sign", "--n", "2", "--inputs", "1", "--quiet")
    assert done.code == 5
    assert "difference: micro-ecc on lpc1114: secp256r1 sign accepts the private key 0" in " ".join(
        done.out.split()
    )
    assert "uECC_vli_" in " ".join(done.out.split())


# --- names that are taken -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ecfit", "null"])
@pytest.mark.parametrize("command", ["ct", "bench", "size", "list libs"])
def test_a_peer_of_a_name_that_is_taken(
    ecfit: Ecfit, peer: MakePeer, name: str, command: str
) -> None:
    folder = peer("return 0;").partition("=")[2]
    done = ecfit(*command.split(), "--peer-dir", f"{name}={folder}")
    assert (done.code, done.out) == (2, "")
    assert f"--peer-dir: the name '{name}' is taken" in done.error
