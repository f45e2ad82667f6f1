"""`ecfit ct` as a user runs it: what it prints, what it ends with, what it refuses."""

from __future__ import annotations

import csv
import io
import json
import shutil
from typing import Any

import msgspec
import pytest

from ecfit.arguments.selection import rows, select
from ecfit.build import build
from ecfit.commands import ct
from ecfit.commands.ct import Check
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Image, Observation
from ecfit.run.follow import follow as real_follow
from workshop.cli.run import Ecfit, MakePeer

CORES = "lpc1114,cc2538,nrf52840,ibex"  # Cortex-M0, M3, M4, and RISC-V
LADDER = ("COORDINATES=jacobian_run", "MULV=ladder_coz", "MULD=digits")
PEER = ("--lib", "micro-ecc", "--target", "lpc1114", "--op", "ecdh", "--n", "3", "--quiet")


def checks(ecfit: Ecfit, *arguments: str, code: int = 0) -> list[dict[str, Any]]:
    done = ecfit("ct", *arguments, "--format", "json")
    assert done.code == code, done.err
    found: list[dict[str, Any]] = json.loads(done.out)
    for one in found:
        msgspec.convert(one, Check, strict=True)
    return found


@pytest.mark.parametrize(
    ("preset", "cores"),
    [("balanced", CORES), ("tiny", "ibex"), pytest.param("tiny", CORES, marks=pytest.mark.ci)],
)
def test_the_presets_pass_on_all_cores(ecfit: Ecfit, preset: str, cores: str) -> None:
    found = checks(
        ecfit, "--target", cores, "--curve", "secp256r1", "--preset", preset, "--n", "2", "--quiet"
    )
    assert {(c["target"], c["op"], c["check"]) for c in found} == {
        (target, op, check)
        for target in cores.split(",")
        for op in ("keygen", "ecdh", "sign")
        for check in ("taint", "equality")
    }
    assert {c["status"] for c in found} == {"ok", "declared"}
    assert all((c["runs"], c["trace_hashes"]) == (2, 1) for c in found if c["check"] == "equality")
    least = {"tiny": 1_000_000, "balanced": 100_000}[preset]
    assert all(
        c["cycles_min"] == c["cycles_max"] > least for c in found if c["check"] == "equality"
    )


# Where what compilers think of a mark once moved other code: gcc by the lines of the statement,
# clang by whether it is blank.
@pytest.mark.parametrize(
    ("compiler", "opt", "case"),
    [
        ("gcc", "Os", ("lpc1114", "secp160r1", "balanced", ())),
        ("gcc", "Os", ("lpc1114", "secp224r1", "lowram", ("RESUME=steps",))),
        ("clang-14", "O3", ("cc2538", "secp256k1", "fast", ("MULV=glv",))),
        ("clang-19", "O2", ("cc2538", "secp256r1", "tiny", LADDER)),
        ("clang-22", "O2", ("cc2538", "secp256r1", "tiny", LADDER)),
    ],
)
def test_the_followed_image_is_the_measured_one(
    monkeypatch: pytest.MonkeyPatch,
    compiler: str,
    opt: str,
    case: tuple[str, str, str, tuple[str, ...]],
) -> None:
    """The bytes that `ecfit bench` measures, to the last one, and with the marks in them."""
    path = shutil.which(compiler) if compiler != "gcc" else None
    if compiler != "gcc" and path is None:
        pytest.skip(f"{compiler} is not installed")
    name, (target, curve, preset, sets) = compiler.partition("-")[0], case
    chosen = select(
        targets=[target], libraries=["ecfit"], curves=[curve], ops=("sign",), presets=[preset],
        sets=sets, mode="datasheet", peers={}, toolchains=(name,), opts=(opt,),
    )  # fmt: skip
    row = rows(chosen)[-1]
    bench = Bench(Settings(toolchain=name, opt=opt, cc=path, runs=1, inputs=1), {}, Store())
    followed: list[Image] = []

    def follow(image: Image, *arguments: Any) -> Observation:
        followed.append(image)
        return real_follow(image, *arguments)

    monkeypatch.setattr("ecfit.run.follow.follow", follow)
    found = ct.checks(bench.constant_time(row))
    measured = build.build(bench.request(row))
    assert measured.segments == followed[0].segments
    assert measured.public_at
    assert len(followed) == 1 + ("RESUME=steps" in sets)  # in pieces, too
    assert {c.status for c in found if c.check == "taint"} == {"ok", "declared"}
    marks = sum(len(image.public_at) for image in followed)
    assert {c.marks for c in found if c.check == "taint"} == {marks}


def test_a_checked_signature_has_one_time_for_both_signs(ecfit: Ecfit) -> None:
    """The check decodes the own public key, whose x is even for one private key and odd for
    another: six keys have one trace.
    """
    found = checks(
        ecfit,
        *("--target", "nrf52840", "--curve", "ed25519", "--preset", "fast", "--op", "sign"),
        *("--set", "CHECK=verify", "--n", "6", "--inputs", "1", "--quiet"),
    )
    (equality,) = (c for c in found if c["check"] == "equality")
    assert (equality["status"], equality["runs"], equality["trace_hashes"]) == ("ok", 6, 1)


def test_the_declared_points_are_those_of_the_library(ecfit: Ecfit) -> None:
    """Two answers: whether the key is in range, and whether a signature has to be made again."""
    found = checks(ecfit, "--op", "ecdh,sign", "--n", "1", "--quiet")
    declared = [c for c in found if c["status"] == "declared"]
    places = {
        (c["op"], c["function"].split(".")[0], c["source"].split(":")[0], c["secret"])
        for c in declared
    }
    assert places == {
        ("ecdh", "secp256r1_sc_from_bytes", "lib/src/api/scalar.inc", "private key"),
        ("sign", "secp256r1_sc_from_bytes", "lib/src/api/scalar.inc", "private key"),
        ("sign", "secp256r1_sc_sign", "lib/src/api/ecdsa/sign.inc", "private key"),
    }
    table = " ".join(ecfit("ct", "--op", "ecdh,sign", "--n", "1", "--quiet", "--notes").out.split())
    assert "declared public by ecfit: secp256r1_sc_from_bytes (lib/src/api/scalar.inc:" in table
    assert table.count("declared public") == len(declared) == 3
    assert {c["bytes"] for c in declared} == {4}
    for c in declared:  # each use, by its path
        times = "once" if c["count"] == 1 else f"{c['count']} times"
        assert f"4 bytes from the private key, {times}, by {c['path']}" in table


@pytest.mark.parametrize("settings", [("RESUME=steps",), ("RESUME=steps", "WORK=caller")])
def test_operations_in_pieces(ecfit: Ecfit, settings: tuple[str, ...]) -> None:
    """It is those that run, one unit at a time, or as a whole in memory of the caller."""
    sets = [argument for setting in settings for argument in ("--set", setting)]
    found = checks(
        ecfit, "--curve", "secp128r1", "--preset", "lowram", *sets, "--n", "2", "--quiet"
    )
    assert {c["status"] for c in found} == {"ok", "declared"}
    (retry,) = (c for c in found if str(c["source"]).startswith("lib/src/api/steps.inc"))
    assert (retry["op"], retry["function"]) == ("sign", "ecfit_secp128r1_step")
    assert ("ecfit_secp128r1_ecdsa_sign_in" in retry["path"]) == (settings[-1] == "WORK=caller")


def test_micro_ecc_does_not_pass(ecfit: Ecfit) -> None:
    """Exit code 5, with functions, source lines, paths; its cycles differ from key to key."""
    found = checks(ecfit, *PEER, code=5)
    leaks = [c for c in found if c["check"] == "taint"]
    assert {c["status"] for c in found} == {"leak"}
    where = {(c["function"], c["kind"]) for c in leaks}
    assert {("uECC_vli_modInv", "branch"), ("uECC_vli_mult", "load address")} <= where
    assert all(c["count"] > 0 for c in leaks)
    others = {(c["function"], c["kind"]) for c in leaks if not c["source"].startswith("micro-ecc/")}
    assert others <= {
        ("bench_random", "store address")
    }  # is handed a place that a carry of the private key chose
    assert all(
        c["path"].startswith("bench_ecdh > ") and c["path"].endswith(c["function"]) for c in leaks
    )
    assert {c["secret"] for c in leaks} <= {
        "private key",
        "random bytes",
        "private key, random bytes",
    }
    (equality,) = (c for c in found if c["check"] == "equality")
    assert (equality["kind"], equality["trace_hashes"]) == ("cycles differ", 3)
    assert equality["cycles_min"] < equality["cycles_max"]


def test_the_table_and_the_complaint(ecfit: Ecfit) -> None:
    done = ecfit("ct", *PEER, "--wide")
    assert done.code == 5
    assert all(
        word in done.out
        for word in ("uECC_vli_modInv", "micro-ecc/uECC.c:", "bench_ecdh > ", "3 runs: ")
    )
    assert done.error.startswith("ecfit: micro-ecc on lpc1114: secp256r1 ecdh: ")
    assert done.error.endswith(" constant-time findings")


def test_csv_has_the_fields_of_json(ecfit: Ecfit) -> None:
    done = ecfit("ct", *PEER, "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(done.out)))
    assert tuple(lines[0])[: len(Check.__struct_fields__)] == Check.__struct_fields__
    assert [line["function"] or None for line in lines] == [
        c["function"] for c in checks(ecfit, *PEER, code=5)
    ]


def test_settings_that_are_not_constant_time(ecfit: Ecfit) -> None:
    """Long multiplies where these take as long as their operands are."""
    settings = ("--set", "BACKEND=w32", "--target", "cc2538")
    found = checks(ecfit, *settings, "--op", "ecdh", "--n", "1", "--quiet", code=5)
    where = [
        str(c["source"]).split(":")[0]
        for c in found
        if c["kind"] == "operand" and c["function"].startswith("secp256r1_fe_mul")
    ]
    assert "lib/src/mp/mul_double.inc" in where, found


@pytest.mark.parametrize("curve", ["secp128r1", "secp256k1"])
def test_clang_makes_no_long_multiplication_of_the_reduction(ecfit: Ecfit, curve: str) -> None:
    """It did, of sums and of products by halves: on a Cortex-M0 a function with branches."""
    arguments = (
        "--curve",
        curve,
        "--toolchain",
        "clang",
        "--opt",
        "O2",
        "--op",
        "ecdh",
        "--n",
        "2",
        "--quiet",
    )
    assert {c["status"] for c in checks(ecfit, *arguments)} == {"ok", "declared"}


@pytest.mark.parametrize(
    ("curve", "op", "opt", "preset"),
    [
        ("secp256k1", "ecdh", "O2", "balanced"),
        *(
            pytest.param(*case, marks=pytest.mark.ci)
            for case in (
                ("secp256k1", "all", "O3", "fast"),
                ("secp224r1", "all", "Os", "lowram"),
                ("secp521r1", "keygen,sign", "O2", "compact"),
                ("brainpoolP256r1", "all", "O3", "balanced"),
            )
        ),
    ],
)
def test_clang_19_does_not_branch_where_masks_are_combined(
    ecfit: Ecfit, curve: str, op: str, opt: str, preset: str
) -> None:
    """It did where an addition asks whether two points are equal (group/jacobian_plain.inc)."""
    newer = shutil.which("clang-19")
    assert newer, "clang-19 is missing"
    chip = ("--target", "lpc1114", "--curve", curve, "--preset", preset, "--op", op)
    built = ("--toolchain", "clang", "--cc", newer, "--opt", opt)
    found = checks(ecfit, *chip, *built, "--n", "1", "--inputs", "1", "--quiet")
    assert {c["status"] for c in found} == {"ok", "declared", "not compared"}


@pytest.mark.parametrize("nonce", ["deterministic", "hedged", "random"])
def test_numbers_that_are_drawn_again_are_not_compared(ecfit: Ecfit, nonce: str) -> None:
    """Every second random number, and every second nonce, is out of range on this curve:
    rejecting it may be known.
    """
    arguments = (
        "--curve",
        "secp160r1",
        "--op",
        "keygen,sign",
        "--set",
        f"NONCE={nonce}",
        "--n",
        "5",
        "--quiet",
    )
    found = checks(ecfit, *arguments)
    assert {c["status"] for c in found} == {"ok", "declared"}


def test_a_wrong_result_is_no_pass(ecfit: Ecfit, peer: MakePeer) -> None:
    """Whatever else it is: nothing is said of the secrets of an operation that does not work."""
    arguments = ("--peer-dir", peer("return 0;"), "--lib", "mine", "--op", "ecdh", "--quiet")
    (check,) = checks(ecfit, *arguments, code=4)
    assert (check["status"], check["kind"]) == ("wrong result", None)


def test_a_failed_build_is_no_pass(ecfit: Ecfit, peer: MakePeer) -> None:
    done = ecfit(
        "ct", "--peer-dir", peer("return nothing;"), "--lib", "mine", "--op", "ecdh", "--quiet"
    )
    assert done.code == 3
    assert "mine" in done.error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--op", "verify"), ("nothing to check", "keygen, ecdh, sign")),
        (("--lib", "micro-ecc", "--curve", "secp384r1"), ("nothing to check", "ecfit list libs")),
        (("--target", "host"), ("host follows no secrets", "make long WHAT=ct")),
        (("--target", "lpc1115"), ("unknown target 'lpc1115'", "did you mean lpc1114?")),
        (("--lib", "microecc"), ("did you mean micro-ecc?",)),
        (("--n", "0"), ("--n",)),
        (("--mode", "turbo"), ("no mode 'turbo'",)),
    ],
)
def test_usage_errors(ecfit: Ecfit, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    done = ecfit("ct", *arguments)
    assert (done.code, done.out) == (2, "")
    assert all(word in done.error for word in words), done.error
