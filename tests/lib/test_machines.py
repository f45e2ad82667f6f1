"""The library on machines of another kind: 8 bits with 16-bit `int` (AVR), and big-endian ones of
32 and 64 bits, each under a simulator.

`make long WHAT=machines` runs all; the tests of every day run a sample.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from typing import NamedTuple

import pytest

from ecfit.choices.checks import ALLOW
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from workshop.library import build as lib_build
from workshop.paths import C_TESTS, SRC
from workshop.scale import OUTER
from workshop.vectors.published import RFC6979, RFC6979_KEY, RFC6979_PUBLIC
from workshop.vectors.rfc_published import SIGNATURES, X_VECTORS

pytestmark = pytest.mark.sampled
SECONDS = 600
ALLOWED = f"-D{ALLOW}"  # nothing is claimed of the time of products on these


class Machine(NamedTuple):
    """How a program is made for it, and run."""

    compile: tuple[str, ...]
    run: tuple[str, ...]


MACHINES = {
    "avr": Machine(
        ("avr-gcc", "-mmcu=atmega1284p"), ("simavr", "-m", "atmega1284p", "-f", "20000000")
    ),
    "mips": Machine(("mips-linux-gnu-gcc", "-static", ALLOWED), ("qemu-mips",)),
    "s390x": Machine(("s390x-linux-gnu-gcc", "-static", ALLOWED), ("qemu-s390x",)),
}

# name: curve, preset, backend, knobs
Case = tuple[str, str, str, dict[str, str]]
CASES: dict[str, Case] = {
    "x25519-w16": ("x25519", "balanced", "w16", {}),
    "x25519-w8": ("x25519", "balanced", "w8", {}),
    "x25519-w16-mont": ("x25519", "tiny", "w16", {"REDUCE": "mont"}),
    "x25519-w32": ("x25519", "balanced", "w32", {}),
    "x448-w16": ("x448", "balanced", "w16", {}),
    "p256-w16": ("secp256r1", "balanced", "w16", {"REDUCE": "mont"}),
    "p256-w8": ("secp256r1", "balanced", "w8", {"REDUCE": "mont"}),
    "p256-w32": ("secp256r1", "balanced", "w32", {}),
    "p256-w32m16": ("secp256r1", "balanced", "w32m16", {}),
    "p256-w16-complete": (
        "secp256r1",
        "tiny",
        "w16",
        {"REDUCE": "mont", "NONCE": "deterministic", "SHA256": "own", "INVERT": "bingcd"},
    ),
    "ed25519-w16": ("ed25519", "balanced", "w16", {}),
    "ed25519-w8-small": ("ed25519", "tiny", "w8", {"SHA512": "small"}),
    "ed25519-w32": ("ed25519", "balanced", "w32", {}),
    "ed448-w16": ("ed448", "balanced", "w16", {}),
}
WIDE: dict[str, Case] = {
    "x25519-w64": ("x25519", "balanced", "w64", {}),
    "p256-w64": ("secp256r1", "balanced", "w64", {}),
    "ed448-w64": ("ed448", "balanced", "w64", {}),
}
SAMPLE = {
    ("avr", "x25519-w16"),
    ("avr", "x25519-w8"),
    ("mips", "p256-w32"),
    ("s390x", "ed448-w64"),
    ("s390x", "p256-w64"),
    ("s390x", "x25519-w64"),
}
RUNS = [
    (machine, case)
    for machine in MACHINES
    for case in (CASES | WIDE if machine == "s390x" else CASES)
    if OUTER or (machine, case) in SAMPLE
]


def array(name: str, data: bytes) -> str:
    """Bytes in C."""
    values = ", ".join(f"0x{byte:02x}" for byte in data) or "0"
    return f"static const uint8_t {name}[] = {{{values}}};"


def vectors(curve: str) -> str:
    """machines_vectors.inc: published vectors, and wrong ones, of one curve."""
    if curve.startswith("x"):
        vector = next(vector for vector in X_VECTORS if vector.curve == curve)
        arrays = {"k": vector.scalar, "u": vector.u, "shared": vector.result}
        size = len(vector.result) // 2
        calls = [f'check("exchange", ecfit_{curve}(out, k, u), 0, out, shared, {size});']
    elif curve.startswith("ed"):
        eddsa = next(
            one for one in SIGNATURES if (one.curve, one.context) == (curve, None) and one.message
        )
        arrays = {
            "k": eddsa.private,
            "q": eddsa.public,
            "message": eddsa.message,
            "s": eddsa.signature,
        }
        size, length = len(eddsa.private) // 2, len(eddsa.message) // 2
        calls = [
            f'check("public", ecfit_{curve}_public_key(out, k), 0, out, q, {size});',
            f'check("sign", ecfit_{curve}_sign(out, k, message, {length}), 0, out, s, {2 * size});',
            f'check("verify", ecfit_{curve}_verify(s, q, message, {length}), 0, s, s, 0);',
            f'check("other", ecfit_{curve}_verify(s, q, s, {length}), 3, s, s, 0);',
        ]
    else:
        signed = next(vector for vector in RFC6979 if vector.hash_name == "sha256")
        of = CURVES[curve]
        point = bytes([4]) + b"".join(value.to_bytes(32, "big") for value in (of.gx, of.gy))
        arrays = {
            "k": RFC6979_KEY,
            "q": RFC6979_PUBLIC,
            "message": signed.message.hex(),
            "hash": hashlib.sha256(signed.message).hexdigest(),
            "s": signed.r + signed.s,
            "g": point.hex(),
            "x": RFC6979_PUBLIC[2:66],
        }
        calls = [
            f"static const ecfit_bytes pieces[] = {{{{message, {len(signed.message)}}}}};",
            "ecfit_sha256(out, pieces, 1);",
            'check("sha256", 0, 0, out, hash, 32);',
            'check("public", ecfit_secp256r1_public_key(out, k, NULL), 0, out, q, 65);',
            'check("ecdh", ecfit_secp256r1_ecdh(out, k, g, NULL), 0, out, x, 32);',
            'check("sign", ecfit_secp256r1_ecdsa_sign(out, k, hash, 32, NULL), 0, out, s, 64);',
            'check("verify", ecfit_secp256r1_ecdsa_verify(s, q, hash, 32), 0, s, s, 0);',
            'check("other", ecfit_secp256r1_ecdsa_verify(s, q, x, 32), 3, s, s, 0);',
        ]
    lines = [array(name, bytes.fromhex(text)) for name, text in arrays.items()]
    lines += ["static uint8_t out[128];", "", "static void machines_run(void)", "{"]
    return "\n".join([*lines, *(f"    {call}" for call in calls), "}", ""])


@pytest.mark.parametrize(("machine", "case"), RUNS, ids=["-".join(one) for one in RUNS])
def test_vectors(machine: str, case: str) -> None:
    """Every operation of a curve gives what the standards say."""
    tools = MACHINES[machine]
    for program in (tools.compile[0], tools.run[0]):
        assert shutil.which(program), f"{program} is missing: run tools/setup.sh test"
    curve, preset, backend, sets = (CASES | WIDE)[case]
    config = resolve(CURVES[curve], preset, {"BACKEND": backend, **sets}, backend)
    command = [*tools.compile, "-std=c11", "-Os", "-Wall", "-Wextra", "-Werror"]
    if machine == "avr" and backend.startswith("w32"):
        command.append(ALLOWED)  # right, but not constant-time there
    sources = [SRC / "ecfit.c", C_TESTS / "machines.c"]
    added = {"machines_vectors.inc": vectors(curve)}
    path = lib_build.build(config, sources, command, curves=[curve], suffix=".elf", replace=added)
    run = subprocess.run(
        [*tools.run, str(path)], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    said = run.stdout + run.stderr
    assert "wrong 0" in said and "FAIL" not in said, said
    assert "checked 0" not in said
