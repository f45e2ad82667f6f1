"""`ecfit ct` on this library with leaks planted into its adapter: which core finds which,
and where it says so.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ecfit.build.parts import PIECES_ADAPTER
from ecfit.choices.curves import CURVES
from ecfit.commands.ct import DECLARED, LEAK, Check
from ecfit.measure.settings import Settings
from ecfit.paths import FIRMWARE
from ecfit.run.cases import secret_case
from workshop.cli.ct_planted import ADAPTER, CORES, CURVE, FUNCTION, RUNS, check, follow

DIVIDES = {"lpc1114": "branch", "cc2538": "operand", "nrf52840": "operand", "ibex": "operand"}
# What is planted by name, in one line; its finding on each core, none where it is not named.
PLANTED: dict[str, tuple[str, dict[str, str]]] = {
    "branch": ("if (in[0] & 1) bench_public(in, 0), sink = 1;", dict.fromkeys(CORES, "branch")),
    "look_up": ("sink = table[in[0] & 15];", dict.fromkeys(CORES, "load address")),
    "store": ("scratch[in[0] & 15] = 1;", dict.fromkeys(CORES, "store address")),
    "long_multiply": (
        "sink = (uint32_t)((uint64_t)word(in) * seven >> 32);",
        {"lpc1114": "branch", "cc2538": "operand"},
    ),
    "multiply": ("sink = word(in) * seven;", {}),
    "divide_secret": ("sink = word(in) / seven;", DIVIDES),
    # Not found on the Cortex-M0, because it is in the same helper as the division above. A finding
    # is a place, and is reported with the first path to it.
    "divide_by_secret": ("sink = seven / (word(in) | 1);", dict.fromkeys(CORES[1:], "operand")),
    "remainder": ("sink = (uint32_t)((int32_t)word(in) % (int32_t)seven);", DIVIDES),
    "shift_amount": ("sink = seven << (in[0] & 31);", {}),
    "declared": (
        "uint8_t a[4] = {in[0]}; bench_public(a, 4); if (a[0] & 1) sink = table[a[0] & 15];",
        {},
    ),
    "public": ("if (in[20] & 1) sink = seven / in[21];", {}),
}
# The Cortex-M0 has neither instruction: libgcc does it, with branches.
HELPERS = {"long_multiply": "muldi3", "divide_secret": "div", "remainder": "div"}


@pytest.mark.parametrize("opt", ["Os", "O2", "O3"])
@pytest.mark.parametrize("compiler", ["gcc", "clang-14", "clang-19", "clang-22"])
def test_with_each_compiler(tmp_path: Path, compiler: str, opt: str) -> None:
    """Each leak, and none behind a mark of the library, which finds its register."""
    path = shutil.which(compiler) if compiler != "gcc" else None
    if compiler != "gcc" and path is None:
        pytest.skip(f"{compiler} is not installed")
    found = ("branch", "look_up", "store", "divide_secret")
    code = {name: f"{PLANTED[name][0]} sink = 2;" for name in found}
    code["known"] = "uint32_t x = word(in); ECFIT_DECLASSIFY(x); if (x & 1) sink = table[x >> 28];"
    code["wide"] = (
        "uint64_t x = (uint64_t)word(in) << 32 | word(in + 4);\nx += seven; ECFIT_DECLASSIFY(x);"
        "if (x & 1) sink = table[x >> 60];"
    )
    name = compiler.partition("-")[0]
    settings = Settings(runs=2, inputs=1, toolchain=name, opt=opt, cc=path)
    seen = follow(tmp_path, "nrf52840", code, settings, head='#include "ct.h"\n')
    leaks = {str(c.function): c.kind for c in seen if c.check == "taint" and c.status == LEAK}
    assert leaks.pop("branch") in {"branch", "condition"}  # of an IT block
    assert leaks == {name: PLANTED[name][1]["nrf52840"] for name in found[1:]}
    uses = {
        c.function: c.bytes for c in seen if c.status == DECLARED and len(str(c.path).split()) == 3
    }
    assert uses == {"known": 4, "wide": 8}


@pytest.fixture(scope="module", params=CORES)
def planted(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, list[Check]]:
    """A target, and what is found there of all that is planted."""
    folder = tmp_path_factory.mktemp("planted")
    return request.param, follow(
        folder, request.param, {name: code for name, (code, _) in PLANTED.items()}
    )


@pytest.mark.parametrize("name", PLANTED)
def test_planted_leak(planted: tuple[str, list[Check]], name: str) -> None:
    target, found = planted
    code, kinds = PLANTED[name]
    path = f"bench_ecdh > {name}"
    leaks = [
        c
        for c in found
        if c.status == LEAK and c.path and (c.path == path or c.path.startswith(f"{path} > "))
    ]
    assert {leak.kind for leak in leaks} == ({kinds[target]} if target in kinds else set()), leaks
    functions = {leak.function for leak in leaks}
    if target == "lpc1114" and name in HELPERS:
        assert any(HELPERS[name] in str(function) for function in functions), [
            (c.function, c.path) for c in leaks
        ]
    elif leaks:
        assert functions == {name}
        lines = (
            ADAPTER + "".join(FUNCTION.format(name=n, code=c) for n, (c, _) in PLANTED.items())
        ).splitlines()
        assert {str(leak.source).split("/")[-1] for leak in leaks} == {
            f"{target}.c:{lines.index(code) + 1}"
        }
    assert {leak.secret for leak in leaks} <= {"private key"}


def test_nothing_but_what_is_planted(planted: tuple[str, list[Check]]) -> None:
    """And what is declared is listed with its path."""
    target, found = planted
    known = {name for name, (_, kinds) in PLANTED.items() if target in kinds}
    assert {
        str(c.path).split(" > ")[1] for c in found if c.status == LEAK and c.check == "taint"
    } == known
    (block,) = (c for c in found if c.function == "bench_public")
    assert (block.status, block.secret, block.path) == (
        "declared",
        "private key",
        "bench_ecdh > declared > bench_public",
    )


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("if (in[0] == {byte}) sink = 1, sink = 2;", "cycles differ"),
        ("sink = table[(uint32_t)((in[0] ^ {byte}) - 1) >> 31];", "trace differs"),
        ("sink = (uint32_t)((in[0] ^ {byte}) - 1) >> 31;", None),
    ],
)
def test_one_secret_of_many_is_enough(tmp_path: Path, code: str, kind: str | None) -> None:
    """The runs are equal but for one secret, the last:
    a value is looked for that the others do not have.
    """
    first = [secret_case(CURVES[CURVE], "ecdh", 1, index).data[0] for index in range(RUNS)]
    assert first.count(first[-1]) == 1
    equality = follow(tmp_path, "lpc1114", {"planted": code.format(byte=first[-1])})[-1]
    assert (equality.check, equality.kind, equality.status) == (
        "equality",
        kind,
        LEAK if kind else "ok",
    )
    assert equality.trace_hashes == (2 if kind else 1)
    assert equality.cycles_min is not None
    assert equality.cycles_max is not None
    assert (equality.cycles_min < equality.cycles_max) == (kind == "cycles differ")


# Between two pieces, what the task holds decides a branch outside the library.
LOOP = "    while (CURVE(_step)(&task, 1) == ECFIT_MORE) {\n"
LOOK = "for (unsigned i = 0; i < sizeof task; i++) if (((const uint8_t *)&task)[i] & 1) sink = 1;\n"


def test_secrets_are_followed_from_piece_to_piece(tmp_path: Path) -> None:
    text = (FIRMWARE / PIECES_ADAPTER).read_text(encoding="utf-8")
    assert text.count(LOOP) == 1
    text = "static volatile int sink;\n" + text.replace(LOOP, LOOP + LOOK)
    found = check(tmp_path, "lpc1114", text, "RESUME=steps")
    leaks = [c for c in found if c.status == LEAK and c.check == "taint"]
    assert {(leak.kind, leak.function, leak.secret) for leak in leaks} == {
        ("branch", "run", "private key")
    }


# A look-up by the private key where it was refused.
REFUSED = """
int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    int status = real_ecdh(out, in);
    if (status != 0) {
        sink = table[in[0] & 15];
    }
    return status;
}
"""


def test_what_is_refused_is_followed_as_well(tmp_path: Path) -> None:
    found = check(tmp_path, "lpc1114", ADAPTER + REFUSED)
    (leak,) = (c for c in found if c.status == LEAK)
    assert (leak.kind, leak.function, leak.count) == (
        "load address",
        "bench_ecdh",
        3,
    )  # 0, n, a point off the curve
