"""`ecfit ct` on calls in a row and on a generator that fails: leaks planted there are found.

What a call leaves in static RAM is a secret in the next; each leak names the call it came from.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ecfit.build.parts import PIECES_ADAPTER
from ecfit.commands.ct import ACCEPTED, LEAK, Check
from ecfit.measure.settings import Settings
from ecfit.paths import FIRMWARE
from ecfit.run.follow import MOST_FAILURES
from workshop.cli.ct_planted import ADAPTER, OPERATION, check

QUICK = Settings(runs=1, inputs=1)
KEPT, OWN, DRAWN = "private key of an earlier call", "private key", "random bytes"


def leaks(found: list[Check]) -> set[tuple[str | None, ...]]:
    return {
        (c.kind, c.function, c.secret) for c in found if c.status == LEAK and c.check == "taint"
    }


# The key stays in static RAM, and decides in the next call: as it is, or computed with another.
STATIC = """
static uint8_t kept[3];
__attribute__((noipa)) static void look(const uint8_t *in)
{
    if (kept[0] & 1) bench_public(in, 0), sink = 1;
}
__attribute__((noipa)) static void mix(const uint8_t *in)
{
    if ((kept[1] ^ in[1]) & 1) bench_public(in, 0), sink = 2;
}
__attribute__((noipa)) static void known(const uint8_t *in)
{
    if ((kept[2] ^ in[41]) & 1) bench_public(in, 0), sink = 3;
}
int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    look(in);
    mix(in);
    known(in);
    int status = real_ecdh(out, in);
    kept[0] = in[0], kept[1] = in[1], kept[2] = in[40];
    (void)scratch, (void)table, (void)seven, (void)word;
    return status;
}
"""


@pytest.mark.parametrize("target", ["lpc1114", "nrf52840", "ibex"])
def test_a_secret_in_static_ram(tmp_path: Path, target: str) -> None:
    """The same operation twice. What is public when it is kept is none."""
    found = check(tmp_path, target, ADAPTER + STATIC, settings=QUICK)
    assert leaks(found) == {("branch", "look", KEPT), ("branch", "mix", f"{OWN}, {KEPT}")}


SETS_UP = """
void *bench_calloc(size_t count, size_t size);
int bench_prepare_ecdh(const uint8_t *in)
{
    (void)in;
    return bench_calloc(1, 16) == 0;
}
"""


def test_what_sets_up_a_heap_begins_each_call_at_reset(tmp_path: Path) -> None:
    """What is kept in static RAM is gone: `mix` finds the key of its own call alone."""
    found = check(tmp_path, "lpc1114", ADAPTER + STATIC + SETS_UP, settings=QUICK)
    assert leaks(found) == {("branch", "mix", OWN)}


PREPARES = """
static uint8_t kept[2];
int bench_prepare_ecdh(const uint8_t *in)
{
    if (in[0] & 1) sink = 1;
    sink = 2;
    return bench_random(kept, sizeof kept);
}
__attribute__((noipa)) static void use(const uint8_t *in)
{
    if (kept[0] & 1) bench_public(in, 0), sink = 3;
}
"""


@pytest.mark.parametrize("heap", ["", SETS_UP.partition("int ")[0]])
def test_what_is_set_up_before_is_followed(tmp_path: Path, heap: str) -> None:
    """The key in the call that sets up, and what it draws in the operation."""
    text = ADAPTER + heap + PREPARES + OPERATION.format(calls="use(in);")
    if heap:
        text = text.replace("    sink = 2;", "    sink = bench_calloc(1, 16) != 0;")
    found = check(tmp_path, "lpc1114", text, settings=QUICK)
    assert leaks(found) == {
        ("branch", "bench_prepare_ecdh", OWN), ("branch", "use", f"{DRAWN} of an earlier call"),
    }  # fmt: skip


TWO = """
#define bench_keygen real_keygen
#define bench_{op} real_{op}
#include "adapter_ecfit.c"
#undef bench_keygen
#undef bench_{op}
static uint8_t made, used;
static volatile uint8_t sink;
int bench_keygen(uint8_t *out, const uint8_t *in);
int bench_{op}(uint8_t *out, const uint8_t *in);
"""
PAIR = """
int bench_keygen(uint8_t *out, const uint8_t *in)
{
    if (used & 1) sink = 1;
    int status = real_keygen(out, in);
    used = 0, made = out[0];
    return status;
}
int bench_{op}(uint8_t *out, const uint8_t *in)
{
    if (made & 1) sink = 1;
    made = 0, used = in[0];
    return real_{op}(out, in);
}
"""


@pytest.mark.parametrize("op", ["sign", "ecdh"])
def test_one_operation_after_another(tmp_path: Path, op: str) -> None:
    """A key that was made decides in the signature, one that signed in the next key."""
    planted = (TWO + PAIR).replace("{op}", op)
    found = check(tmp_path, "lpc1114", planted, settings=QUICK, ops=("keygen", op))
    assert leaks(found) == {
        ("branch", f"bench_{op}", "random bytes of an earlier call"),
        ("branch", "bench_keygen", KEPT),
    }


def test_an_operation_in_between_leaks_in_its_own_row(tmp_path: Path) -> None:
    """Not in the row of the other one."""
    own = "{ int status = real_keygen(out, in); if (out[0] & 1) sink = 1; return status; }"
    text = TWO + f"int bench_keygen(uint8_t *out, const uint8_t *in) {own}\n"
    text += "int bench_{op}(uint8_t *out, const uint8_t *in) { return real_{op}(out, in); }\n"
    text = (text + "int unused(void) { return made + used; }\n").replace("{op}", "sign")
    assert leaks(check(tmp_path, "lpc1114", text, settings=QUICK, ops=("keygen", "sign"))) == set()
    alone = check(tmp_path, "lpc1114", text, settings=QUICK, ops=("keygen",))
    assert leaks(alone) == {("branch", "bench_keygen", DRAWN)}


# A task that was begun in one call, and goes on in the next.
BEGUN = """
static CURVE(_task) other;
static volatile int sink;
static uint8_t begun;
static void unfinished(const uint8_t *in)
{
    if (begun && CURVE(_step)(&other, 1) == ECFIT_MORE)
        for (unsigned i = 0; i < sizeof other; i++) if (((const uint8_t *)&other)[i] & 1) sink = 1;
    begun = 1;
    (void)CURVE(_ecdh_start)(&other, in, in + N, &rng);
    for (int i = 0; i < 3; i++) (void)CURVE(_step)(&other, 1);
}
"""


def test_a_task_that_goes_on_in_the_next_call(tmp_path: Path) -> None:
    text = (FIRMWARE / PIECES_ADAPTER).read_text(encoding="utf-8")
    head = "static CURVE(_task) task;\n"
    start = "    (void)CURVE(_ecdh_start)(&task, in, in + N, &rng);\n"
    assert text.count(head) == text.count(start) == 1
    text = text.replace(head, head + BEGUN).replace(start, "    unfinished(in);\n" + start)
    found = check(tmp_path, "lpc1114", text, "RESUME=steps", settings=QUICK)
    assert {(kind, secret) for kind, _, secret in leaks(found)} == {("branch", KEPT)}


# --- a generator that fails -----------------------------------------------------------------------

# Where it fails, the key decides; with BLIND=both it is asked more than once.
FAILS = """
extern uint32_t bench_pool_used;
__attribute__((noipa)) static void first(const uint8_t *in) { sink = table[in[0] & 15]; }
__attribute__((noipa)) static void later(const uint8_t *in) { if (in[0] & 1) sink = 1; }
int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    uint32_t before = bench_pool_used;
    int status = real_ecdh(out, in);
    if (status == ECFIT_RNG_FAILED) (bench_pool_used == before ? first : later)(in);
    (void)scratch, (void)seven, (void)word;
    return status;
}
"""


def test_a_generator_that_fails_at_each_draw(tmp_path: Path) -> None:
    found = check(tmp_path, "lpc1114", ADAPTER + FAILS, "BLIND=both", settings=QUICK)
    assert leaks(found) == {("load address", "first", OWN), ("branch", "later", OWN)}
    assert {c.during for c in found if c.status == LEAK} == {"a generator that fails"}
    assert not [c for c in found if c.status == ACCEPTED]


def test_the_last_draws_fail_and_the_first(tmp_path: Path) -> None:
    """Of twelve: the key decides in the function of each draw that failed."""
    draws = 12
    looks = "".join(
        f"__attribute__((noipa)) static void at_{draw}(const uint8_t *in) "
        "{ sink = table[in[0] & 15]; }\n"
        for draw in range(draws)
    )
    tries = "\n".join(
        f"    if (bench_random(drawn, 4) != 0) return at_{draw}(in), ECFIT_RNG_FAILED;"
        for draw in range(draws)
    )
    operation = f"""{looks}
int bench_ecdh(uint8_t *out, const uint8_t *in)
{{
    uint8_t drawn[4];
    (void)scratch, (void)seven, (void)word;
{tries}
    return real_ecdh(out, in);
}}
"""
    found = check(tmp_path, "lpc1114", ADAPTER + operation, settings=QUICK)
    failed = {0, *range(draws - (MOST_FAILURES - 1), draws)}
    assert leaks(found) == {("load address", f"at_{draw}", OWN) for draw in failed}


ENDS = {
    "while (seven) { }": "endless loop",
    "*(volatile int *)0xFFFFFFF0u = 1;": "fault: ",
}


@pytest.mark.parametrize("code", ENDS)
def test_a_failing_generator_that_does_not_end(tmp_path: Path, code: str) -> None:
    """The row fails, and keeps what was found; the calls after it begin from reset."""
    ends = f"if (status == ECFIT_RNG_FAILED) {{ {code} }} return status;"
    text = ADAPTER + FAILS.replace("return status;", ends)
    found = check(tmp_path, "lpc1114", text, "BLIND=coordinates", settings=QUICK)
    assert {function for _, function, _ in leaks(found)} == {"first"}
    (failed,) = (c for c in found if c.status.startswith(ENDS[code]))
    assert "with a generator that fails: " in str(failed.detail)


def test_a_generator_whose_failure_is_not_noticed(tmp_path: Path) -> None:
    """A difference, as what else one library accepts and others refuse."""
    text = FAILS.replace("return status;", "return status == ECFIT_RNG_FAILED ? 0 : status;")
    found = check(tmp_path, "lpc1114", ADAPTER + text, "BLIND=coordinates", settings=QUICK)
    said = [c.detail for c in found if c.status == ACCEPTED]
    assert said == ["a generator that fails after 0 bytes"]
