"""X25519, X448, Ed25519, Ed448 as objects: warnings, what they call, how large they are;
and on a chip's simulator how long they take and that one trace serves all secrets."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from ref import rfc7748, rfc8032

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from tests.lib.test_lint import ALLOWED_CALLS, CROSS, WARNINGS, run
from workshop.library import build as lib_build
from workshop.library.api import Status
from workshop.library.images import Chip
from workshop.library.rfc_api import SETTINGS, SIGNATURE, SIZES
from workshop.library.rfc_cases import edge_keys, strings
from workshop.paths import SRC

TARGET = "samd20"

# docs/issues: tiny on the Cortex-M0+, with gcc -Os: bytes of code and constants
# of all operations together
BYTES = {"x25519": (["ecdh"], 1070), "ed25519": (["keygen", "sign", "verify"], 5000)}
# `_sign`, whose inputs are made here; test_key_pair.py has `_sign_pair`.
PLAIN = {"ed25519": {"SIGN": "eddsa"}, "ed448": {"SIGN": "eddsa"}}
# million cycles at most, zero wait states
CYCLES: dict[tuple[str, str], dict[str, float]] = {
    ("tiny", "x25519"): {"ecdh": 92},
    ("tiny", "ed25519"): {"sign": 94.5, "verify": 223},
    ("balanced", "x25519"): {"ecdh": 16},
    ("balanced", "ed25519"): {"sign": 10, "verify": 25},
}


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", sorted({setting.name for setting in SETTINGS.values()}))
def test_no_warnings(name: str, compiler: str) -> None:
    """One object with all curves that run with a setting."""
    assert shutil.which(compiler), f"{compiler} is missing"
    settings = [setting for setting in SETTINGS.values() if setting.name == name]
    config, curves = settings[-1].config, [setting.curve for setting in settings]
    narrow = ["-Wno-conversion"] if dict(config.settings)["BACKEND"] in ("w8", "w16") else []
    hashes = {
        ("SHA512", "none"): ("SHA512", "small")
    }  # of the curve whose configuration this is not
    config = msgspec.structs.replace(
        config, settings=tuple(hashes.get(pair, pair) for pair in config.settings)
    )
    command = [compiler, "-std=c11", "-O2", *WARNINGS, *narrow, "-c"]
    lib_build.build(config, [SRC / "ecfit.c"], command, suffix=".o", curves=curves)


@pytest.mark.parametrize(
    "curves", [["x25519", "ed25519"], ["x448", "ed448"], [*SIZES, "secp256r1"]], ids=len
)
@pytest.mark.parametrize("preset", ["tiny", "balanced"])
def test_several_curves_in_one_build(preset: str, curves: list[str], tmp_path: Path) -> None:
    """Curves of one prime share their field; nothing is defined twice."""
    config = knobs.resolve(
        CURVES["ed448"], preset, {"BACKEND": "w32m16", "SHA512": "own"}, "w32m16"
    )
    command = ["gcc", "-std=c11", "-O2", *WARNINGS, "-c"]
    path = lib_build.build(config, [SRC / "ecfit.c"], command, suffix=".o", curves=curves)
    symbols = {line.split()[0] for line in run("nm", "--format=posix", str(path)).splitlines()}
    for curve in curves[:2]:
        verb = "" if curve in ("x25519", "x448") else "_sign"
        assert f"ecfit_{curve}{verb}" in symbols
    products = {symbol for symbol in symbols if symbol.endswith("pmers_fe_mul")}
    assert len(products) == (1 if len(curves) == 2 else 2)


@pytest.mark.parametrize("curve", SIGNATURE)
def test_forms_that_are_not_chosen_are_not_there(curve: str) -> None:
    """Contexts and digests cost nothing where SIGN and VERIFY are eddsa;
    with eddsa_all they are there.
    """
    found = {}
    for value in ("eddsa", "eddsa_all"):
        sets = {"BACKEND": "w32", "SIGN": value, "VERIFY": value}
        config = knobs.resolve(CURVES[curve], "tiny", sets, "w32")
        path = lib_build.build(
            config, [SRC / "ecfit.c"], ["gcc", "-Os", "-c"], suffix=".o", curves=[curve]
        )
        names = {
            line.split()[0]
            for line in run("nm", "--defined-only", "--format=posix", str(path)).splitlines()
        }
        found[value] = {
            name.removeprefix(f"ecfit_{curve}_")
            for name in names
            if name.startswith(f"ecfit_{curve}_")
        }
    assert found["eddsa"] == {"keygen", "public_key", "sign", "verify"}
    assert found["eddsa_all"] - found["eddsa"] == {"sign_ctx", "sign_ph", "verify_ctx", "verify_ph"}


@pytest.mark.parametrize("opt", ["-Os", "-O3"])
@pytest.mark.parametrize("compiler", CROSS)
@pytest.mark.parametrize("preset", ["tiny", "balanced"])
def test_the_object_for_a_cortex_m0(preset: str, compiler: str, opt: str) -> None:
    """No call into libgcc (no 64-bit shift, no division, no long multiply) or libc,
    and no data that changes.
    """
    config = knobs.resolve(
        CURVES["ed448"], preset, {"BACKEND": "w32m16", "SHA512": "own"}, "w32m16"
    )
    command = [*CROSS[compiler], "-std=c11", opt, "-c"]
    path = lib_build.build(config, [SRC / "ecfit.c"], command, suffix=".o", curves=[*SIZES])
    symbols = run("arm-none-eabi-nm", "--undefined-only", "--format=posix", str(path))
    called = {line.split()[0] for line in symbols.splitlines()}
    assert called <= ALLOWED_CALLS, called - ALLOWED_CALLS
    sizes = run("arm-none-eabi-size", str(path)).splitlines()[1].split()
    assert sizes[1:3] == ["0", "0"], "data and bss"


@pytest.mark.parametrize("curve", BYTES)
def test_size(curve: str, tmp_path: Path) -> None:
    """What the linker keeps of the operations, with everything they need."""
    ops, limit = BYTES[curve]
    config = knobs.resolve(CURVES[curve], "tiny", {"BACKEND": "w32m16"}, "w32m16")
    flags = ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-Os", "-std=c11"]
    command = [*flags, "-ffunction-sections", "-fdata-sections", "-c"]
    path = lib_build.build(config, [SRC / "ecfit.c"], command, suffix=".o", curves=[curve], ops=ops)
    roots = [f"ecfit_{curve}_{op}" if curve in SIGNATURE else f"ecfit_{curve}" for op in ops]
    linked = tmp_path / "linked.elf"
    kept = [f"-Wl,--undefined={root}" for root in roots]
    link = [
        *flags[:3],
        "-nostdlib",
        "-Wl,--gc-sections",
        f"-Wl,--entry={roots[0]}",
        *kept,
        str(path),
        "-lgcc",
    ]
    run(*link, "-o", str(linked))
    text = int(run("arm-none-eabi-size", str(linked)).splitlines()[1].split()[0])
    assert text <= limit


@pytest.fixture(
    scope="module",
    params=[(preset, curve) for preset in ("tiny", "balanced") for curve in SIZES],
    ids="-".join,
)
def chip(request: pytest.FixtureRequest) -> Chip:
    """One preset of one curve on the simulator of a Cortex-M0+."""
    preset, curve = request.param
    return Chip(TARGET, preset, sets=PLAIN.get(curve), curve=CURVES[curve])


def test_results_and_cycles(chip: Chip) -> None:
    curve = chip.curve.name
    n = SIZES[curve]
    key, peer = strings(n, 1, 2)
    limits = CYCLES.get((chip.configuration.preset or "", curve), {})
    if curve in rfc7748.XCURVES:
        x = rfc7748.XCURVES[curve]
        assert chip.call("keygen", b"", 2 * n, key)[:2] == (
            Status.OK,
            key + rfc7748.public_key(x, key),
        )
        answers = {"ecdh": chip.call("ecdh", key + peer, n)}
        assert answers["ecdh"][:2] == (Status.OK, rfc7748.exchange(x, key, peer))
    else:
        ed, message = rfc8032.EDCURVES[curve], bytes(range(32))
        public, signature = rfc8032.public_key(ed, key), rfc8032.sign(ed, key, message)
        assert chip.call("keygen", b"", 2 * n, key)[:2] == (Status.OK, key + public)
        answers = {"sign": chip.call("sign", key + public + message, 2 * n)}
        assert answers["sign"][:2] == (Status.OK, signature)
        answers["verify"] = chip.call("verify", signature + public + message, 0)
        assert answers["verify"].status == Status.OK
        assert (
            chip.call("verify", signature + public + message[::-1], 0).status
            == Status.BAD_SIGNATURE
        )
    for op, limit in limits.items():
        assert answers[op].cycles <= limit * 1e6, op


def test_one_trace_for_all_secrets(chip: Chip) -> None:
    """Same cycles, same addresses, whatever the private key, the secret point or the message."""
    curve, n = chip.curve.name, SIZES[chip.curve.name]
    seen = set()
    keys = edge_keys(n)[:3] + edge_keys(n)[6:8] + strings(n, 2, 1)
    for key in keys if n == 32 else keys[1::2]:  # ten times as slow
        if curve in rfc7748.XCURVES:
            answer = chip.call("ecdh", key + strings(n, 3, 1)[0][:-1] + key[:1], n)
        else:
            answer = chip.call("sign", key + bytes(n) + key[:32], 2 * n)
        assert answer.status == Status.OK
        seen.add((answer.cycles, answer.trace_hash))
    assert len(seen) == 1, seen


@pytest.mark.parametrize("built", [("gcc", "O3"), ("clang", "Os"), ("clang", "O2")], ids="-".join)
@pytest.mark.parametrize("curve", ["x25519", "ed25519"])
@pytest.mark.parametrize("preset", ["tiny", "balanced"])
def test_one_trace_with_other_compilers(preset: str, curve: str, built: tuple[str, str]) -> None:
    chip = Chip(TARGET, preset, *built, sets=PLAIN.get(curve), curve=CURVES[curve])
    test_one_trace_for_all_secrets(chip)
