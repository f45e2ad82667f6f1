"""compat/tinycrypt: a program for TinyCrypt, held against another implementation."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from tools.docs import example_table
from workshop.compat.adapters import COMPAT, ROOT, on_ecfit

HERE = ROOT / "tests" / "compat" / "tinycrypt"
SETS = {"NONCE": "random", "COMPRESS": "sec1", "HASH_STREAM": "own", "SHA256": "own"}
MESSAGE = bytes(range(131))


@pytest.fixture(scope="module")
def program() -> ctypes.CDLL:
    """The program of this folder, on ecfit."""
    sources = [COMPAT / "uecc" / "uECC.c", HERE / "program.c"]
    more = [f"I{COMPAT / 'uecc'}"]
    return ctypes.CDLL(str(on_ecfit("tinycrypt", sources, ["secp256r1"], SETS, flags=more)))


def test_what_it_signs_is_valid_elsewhere(program: ctypes.CDLL) -> None:
    public, signature = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
    assert program.whole_exchange(MESSAGE, ctypes.c_size_t(len(MESSAGE)), public, signature) == 0
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + public.raw)
    r, s = (int.from_bytes(signature.raw[at : at + 32], "big") for at in (0, 32))
    key.verify(utils.encode_dss_signature(r, s), MESSAGE, ec.ECDSA(hashes.SHA256()))


def test_a_valid_key_is_0_as_of_tinycrypt(program: ctypes.CDLL) -> None:
    point = ec.derive_private_key(77, ec.SECP256R1()).public_key().public_numbers()
    x, y = (n.to_bytes(32, "big") for n in (point.x, point.y))
    assert program.is_valid(x + y) == 0
    assert program.is_valid(y + x) < 0
    assert program.is_valid(bytes(64)) < 0


def test_null_is_an_error(program: ctypes.CDLL) -> None:
    assert program.null_arguments() == 0


def test_a_wrong_configuration_is_an_error() -> None:
    more = [f"I{COMPAT / 'uecc'}"]
    with pytest.raises(AssertionError, match="HASH_STREAM=own"):
        on_ecfit("tinycrypt", [], ["secp256r1"], SETS | {"HASH_STREAM": "none"}, flags=more)
    with pytest.raises(AssertionError, match="--curve secp256r1"):
        on_ecfit("tinycrypt", [HERE / "program.c"], ["secp256k1"], SETS, flags=more)


def test_headers_are_c_plus_plus() -> None:
    """Zephyr programs in C++ include them, too."""
    folders = [COMPAT / "tinycrypt", COMPAT / "uecc", ROOT / "lib" / "include"]
    text = '#include "tinycrypt/ecc_dsa.h"\n#include "tinycrypt/ecc_dh.h"\n'
    done = subprocess.run(
        ["g++", "-std=c++11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
         *(f"-I{folder}" for folder in folders), "-xc++", "-"],
        input=text, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_example(tmp_path: Path) -> None:
    done = example_table.make("micro-ecc", "host", tmp_path, "run", "API=tinycrypt")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "key pair, shared secret, signature and verification: done\n"
