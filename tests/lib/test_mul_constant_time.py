"""Multiplications that no preset has: one trace on a chip for all secrets,
and no secret decides under valgrind.
"""

from __future__ import annotations

import pytest

from ecfit.choices.curves import find_curve
from ecfit.choices.knobs import resolve
from tests.lib.test_constant_time import COMPILERS, OPERATIONS, poisoned
from workshop.library import build as lib_build
from workshop.library.cases import N, public_key_of, scalar_bytes
from workshop.library.images import Chip
from workshop.paths import C_TESTS

TINY_X = {"MULV": "ladder_x"}
COZ = {"COORDINATES": "jacobian_run", "MULV": "ladder_coz", "MULD": "digits"}
BUILDS = {
    "ladder_x": ("tiny", TINY_X),
    "ladder_x blinded": ("tiny", {**TINY_X, "BLIND": "both"}),
    "ladder_coz": ("tiny", COZ),
    "ladder_coz, the smallest": ("compact", {**COZ, "TABLE": "projective", "INVERT": "fermat"}),
    "ladder_coz blinded": ("tiny", {**COZ, "BLIND": "coordinates"}),
    "ladder_coz late": ("lowram", {**COZ, "READ": "late"}),
    "comb late": ("lowram", {**COZ, "READ": "late", "MULG": "comb_flash"}),
    "halves blinded": ("tiny", {"BLIND": "scalar"}),
    "window blinded": ("balanced", {"BLIND": "both"}),
}
# Special to the ladders (n - 1, and n - 2 for its prefixes), small, large, and like any other.
SECRETS = [N - 1, 1, N - 2, 2, N // 2, (1 << 255) - 1, int("5a" + "55" * 31, 16)]
RANDOM = bytes(range(1, 161))


def traces(chip: Chip, op: str, pools: list[bytes]) -> set[tuple[int, str]]:
    """(cycles, trace hash) of an operation, for each secret key and for each pool
    of random bytes.
    """
    peer, digest = public_key_of(0xC0FFEE), bytes(range(32))
    seen = set()
    for secret, pool in zip(SECRETS, pools, strict=True):
        key = scalar_bytes(secret)
        data = {"ecdh": key + peer, "sign": key + digest, "keygen": b""}[op]
        answer = chip.call(op, data, 97, (key if op == "keygen" else b"") + pool)
        assert answer.status == 0, op
        seen.add((answer.cycles, answer.trace_hash))
    return seen


@pytest.mark.parametrize("built", [("gcc", "Os"), ("clang", "O2")], ids="-".join)
@pytest.mark.parametrize("name", BUILDS)
def test_one_trace_for_all_secrets(name: str, built: tuple[str, str]) -> None:
    preset, sets = BUILDS[name]
    chip = Chip("samd20", preset, *built, sets=sets)
    for op in ("ecdh", "keygen") if preset == "tiny" else ("ecdh", "sign"):
        found = traces(chip, op, [bytes([value]) + RANDOM for value in range(len(SECRETS))])
        assert len(found) == 1, (op, found)


def test_one_trace_where_the_point_has_x_zero() -> None:
    """A public special case, and as constant-time as any other point in itself."""
    preset, sets = "balanced", {"TABLE": "affine", "WINDOW": "3"}
    chip = Chip("samd20", preset, sets=sets)
    # of SP 800-186's b: y^2 = b
    y = 0x66485C780E2F83D72433BD5D84A06BB6541C2AF31DAE871728BF856A174F93F4
    point = b"\x04" + bytes(32) + scalar_bytes(y)
    seen = set()
    for secret in SECRETS:
        answer = chip.call("ecdh", scalar_bytes(secret) + point, 32)
        assert answer.status == 0
        seen.add((answer.cycles, answer.trace_hash))
    assert len(seen) == 1


@pytest.mark.parametrize("name", [name for name in BUILDS if "blinded" in name])
def test_secrets_decide_nothing(name: str) -> None:
    preset, sets = BUILDS[name]
    config = lib_build.configuration(preset, "w32", **({"REDUCE": "mont"} | sets))
    command = [*COMPILERS["gcc"], "-std=c11", "-include", str(C_TESTS / "ct_valgrind.h")]
    program = lib_build.build(config, [*lib_build.units(config), C_TESTS / "ct.c"], command)
    run = poisoned(program, *OPERATIONS, count=2)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize(("compiler", "backend"), [("gcc", "w64"), ("clang", "w32")])
def test_halves_of_a_scalar_decide_nothing(compiler: str, backend: str) -> None:
    """MULV = glv, which secp256k1 alone has."""
    config = resolve(find_curve("secp256k1"), "fast", {"BACKEND": backend}, backend)
    assert dict(config.settings)["MULV"] == "glv"
    command = [*COMPILERS[compiler], "-std=c11", "-include", str(C_TESTS / "ct_valgrind.h")]
    sources = [*lib_build.units(config), C_TESTS / "ct.c"]
    command += ["-DCT_CURVE=secp256k1", "-DCT_SIZE=32"]
    program = lib_build.build(config, sources, command, curves=("secp256k1",))
    run = poisoned(program, *OPERATIONS, count=2)
    assert run.returncode == 0, run.stderr
