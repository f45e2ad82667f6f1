"""RIOT: what tools/rigs/riot.py says of a wrong checkout; its check of a reading can fail; and the
library as a back end of RIOT's PSA Crypto (packages/riot), compiled here.
"""

from __future__ import annotations

import base64
import ctypes
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

from tools.rigs import riot
from workshop.devices.consumer import ROOT, run

PACKAGE = ROOT / "packages" / "riot" / "ecfit"


def test_a_folder_that_is_no_riot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (f"riot={tmp_path}", f"zephyr={tmp_path}"):
        monkeypatch.setattr("sys.argv", ["riot.py", "--peer-dir", words])
        with pytest.raises(SystemExit, match="2"):
            riot.main()
        error = capsys.readouterr().err.splitlines()[-1]
        assert error.endswith(f"--peer-dir is riot=CHECKOUT of RIOT-OS/RIOT, not '{words}'")


CORES = {
    "cortex-m0": "ARMV6M", "cortex-m0plus": "ARMV6M", "cortex-m3": "ARMV7M",
    "cortex-m4f": "ARMV7EM", "cortex-m33": "ARMV7EM", "rv32imac": "RV32IM", "cortex-m23": "",
}  # fmt: skip


@pytest.mark.parametrize("core", CORES)
def test_a_board_gets_the_assembly_of_its_core(core: str, tmp_path: Path) -> None:
    """By RIOT's name of the core, unless CFLAGS name a back end."""
    makefile = tmp_path / "Makefile"
    makefile.write_text(f"include {PACKAGE}/Makefile.include\nall:\n\t@echo $(CFLAGS)\n")
    said = run("make", "-s", "-f", makefile, f"CPU_CORE={core}").split()
    assert said == [f"-DCONFIG_ECFIT_BACKEND_{CORES[core]}"] * bool(CORES[core])
    own = "-DCONFIG_ECFIT_BACKEND_W32"
    assert run("make", "-s", "-f", makefile, f"CPU_CORE={core}", f"CFLAGS={own}").split() == [own]


@pytest.fixture(name="signed")
def signed_reading(tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """The file of the public key of the example's main.c, as a gateway has it; and a reading."""
    private = ec.derive_private_key(riot.PRIVATE, ec.SECP192R1())
    reading: dict[str, Any] = {
        "chip_temp": 20953,
        "jss.protected": {"alg": "ES192"},
        "measurement_id": 34,
    }
    r, s = utils.decode_dss_signature(
        private.sign(rfc8785.dumps(reading), ec.ECDSA(hashes.SHA256()))
    )
    raw = r.to_bytes(24, "big") + s.to_bytes(24, "big")
    keys = riot.keys_of_gateway(tmp_path)
    return keys / "riot.pem", reading | {"jss.signature": base64.urlsafe_b64encode(raw).decode()}


def test_a_changed_reading_is_refused(signed: tuple[Path, dict[str, Any]]) -> None:
    public, message = signed
    riot.verify(public, json.dumps(message).encode())
    with pytest.raises(InvalidSignature):
        riot.verify(public, json.dumps(message | {"chip_temp": 20954}).encode())
    source = (riot.APPLICATION / "main.c").read_text(encoding="utf-8")
    assert "{1,  2,  3,  4,  5," in source


# An image that takes a reading: it copies one that is signed already.
IMAGE = """
char message[320];
unsigned message_size, begun;
static const char signed_one[] = %s;
void random_init(unsigned seed) { (void)seed; begun = 1; }
int begin(void) { begun *= 2; return 0; }
int take_reading(void)
{
    while (signed_one[message_size]) {
        message[message_size] = signed_one[message_size];
        message_size++;
    }
    return begun == 2 && %d;
}
"""


def test_a_reading_of_an_image_must_verify(
    signed: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    """A row is of an image whose reading verifies; with a changed one, or none, there is no row."""
    public, message = signed

    def taken(reading: dict[str, Any], returned: int) -> dict[str, Any]:
        source, image = tmp_path / "image.c", tmp_path / "image.o"
        source.write_text(IMAGE % (json.dumps(json.dumps(reading)), returned))
        run("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-Os", "-c", source, "-o", image)
        return riot.taken(image, riot.CHIPS["remote-revb"], public)

    row = taken(message, 1)
    assert (row["target"], row["mode"]) == ("cc2538-16mhz", "fitted")
    assert row["cycles"] > len(json.dumps(message))
    with pytest.raises(InvalidSignature):
        taken(message | {"chip_temp": 20954}, 1)
    with pytest.raises(SystemExit, match="takes no reading"):
        taken(message, 0)


def test_headers_of_another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """npm is missing, or brings other bytes than those of the pinned hash: one line each."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"^riot\.py: npm cannot fetch .*npm'$"):
        riot.headers(tmp_path)
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\necho other > {tmp_path}/it.tgz\n")
    npm.chmod(0o755)
    with pytest.raises(SystemExit, match="has another SHA-256 than"):
        riot.headers(tmp_path)


# What psa.c takes of RIOT's headers: the types, and hashes of a machine that has SHA-256.
PSA = """
#include <stddef.h>
#include <stdint.h>
typedef int32_t psa_status_t;
typedef uint32_t psa_algorithm_t;
typedef struct {int unused;} psa_key_attributes_t;
#define IS_USED(module) module
#define PSA_HASH_MAX_SIZE 64
#define PSA_ALG_GET_HASH(alg) (alg)
#define PSA_SUCCESS 0
#define PSA_ERROR_GENERIC_ERROR (-132)
#define PSA_ERROR_INVALID_ARGUMENT (-135)
#define PSA_ERROR_BUFFER_TOO_SMALL (-138)
#define PSA_ERROR_INSUFFICIENT_ENTROPY (-148)
#define PSA_ERROR_INVALID_SIGNATURE (-149)
#define PSA_ERROR_CORRUPTION_DETECTED (-151)
extern psa_status_t (*psa_generate_random)(uint8_t *, size_t);
extern psa_status_t (*psa_hash_compute)(
    psa_algorithm_t, const uint8_t *, size_t, uint8_t *, size_t, size_t *);
"""
FUNCTIONS = "#include <psa/crypto.h>\n" + "".join(
    f"{text.split('{')[0]};\n"
    for text in (PACKAGE / "psa.c").read_text(encoding="utf-8").split("\n\n")
    if text.startswith("psa_status_t psa_")
)
DEFINED = """
#include "psa/crypto.h"
psa_status_t (*psa_generate_random)(uint8_t *, size_t);
psa_status_t (*psa_hash_compute)(
    psa_algorithm_t, const uint8_t *, size_t, uint8_t *, size_t, size_t *);
"""
RANDOM = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_size_t)
SIZE_P = ctypes.POINTER(ctypes.c_size_t)
HASH = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p,
    ctypes.c_size_t, SIZE_P,
)  # fmt: skip
INVALID, SMALL, NO_ENTROPY, WRONG = -135, -138, -148, -149


class BackEnd:
    """psa.c on this machine. `broken`: its generator of random bytes fails."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library, self.broken = library, False

        def random_bytes(out: int, size: int) -> int:
            if not self.broken:
                ctypes.memmove(out, os.urandom(size), size)
            return -148 if self.broken else 0

        def sha256(_: int, data: int, size: int, out: int, room: int, length: Any) -> int:
            assert room >= 32
            ctypes.memmove(out, hashlib.sha256(ctypes.string_at(data, size)).digest(), 32)
            length[0] = 32
            return 0

        self.kept = RANDOM(random_bytes), HASH(sha256)
        for name, function in zip(("generate_random", "hash_compute"), self.kept, strict=True):
            ctypes.c_void_p.in_dll(library, f"psa_{name}").value = ctypes.cast(
                function, ctypes.c_void_p
            ).value

    def call(self, name: str, *arguments: object) -> int:
        """A function of psa_ecc.h; numbers are sizes."""
        words = [ctypes.c_size_t(x) if isinstance(x, int) else x for x in arguments]
        return int(getattr(self.library, f"psa_{name}")(*words))


@pytest.fixture(scope="module")
def back_end(tmp_path_factory: pytest.TempPathFactory) -> BackEnd:
    folder = tmp_path_factory.mktemp("riot-psa")
    (folder / "psa").mkdir()
    (folder / "psa" / "crypto.h").write_text("#pragma once\n" + PSA, encoding="utf-8")
    (folder / "psa_ecc.h").write_text("#pragma once\n" + FUNCTIONS, encoding="utf-8")
    (folder / "defined.c").write_text(DEFINED, encoding="utf-8")
    places = "packages/include", "lib/include", "lib/src"
    include = [f"-I{path}" for path in (folder, *(ROOT / place for place in places))]
    curves = ["-DCONFIG_ECFIT_SECP256R1=1", "-DCONFIG_ECFIT_ED25519=1"]
    used = [f"-DMODULE_PSA_ASYMMETRIC_ECC_{c}_BACKEND_ECFIT=1" for c in ("P256R1", "ED25519")]
    sources = PACKAGE / "psa.c", folder / "defined.c", ROOT / "lib" / "src" / "ecfit.c"
    flags = "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"
    library = folder / "riot_psa.so"
    run("cc", *flags, *include, *curves, *used, *sources, "-o", library)
    return BackEnd(ctypes.CDLL(str(library)))


def new_key(back_end: BackEnd) -> tuple[Any, Any]:
    private, public = ctypes.create_string_buffer(32), ctypes.create_string_buffer(65)
    sizes = ctypes.c_size_t(), ctypes.c_size_t()
    made = back_end.call("generate_ecc_p256r1_key_pair", None, private, public,
        ctypes.byref(sizes[0]), ctypes.byref(sizes[1]))  # fmt: skip
    assert (made, *(size.value for size in sizes)) == (0, 32, 65)
    return private, public


def test_p256_by_psa_agrees_with_another_library(back_end: BackEnd) -> None:
    """RIOT's tests have no signature that is wrong: a back end that takes all would pass."""
    private, public = new_key(back_end)
    derived, size = ctypes.create_string_buffer(65), ctypes.c_size_t()
    derive = "derive_ecc_p256r1_public_key", private, derived
    assert back_end.call(*derive, 32, ctypes.byref(size)) == 0
    assert (derived.raw, size.value) == (public.raw, 65)
    assert back_end.call(*derive, 31, ctypes.byref(size)) == INVALID
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public.raw)
    message, signature = b"a reading of 21 degrees", ctypes.create_string_buffer(64)
    sign = "ecc_p256r1_sign_message", None, 0, private, 32, message, len(message), signature
    assert back_end.call(*sign, 64, ctypes.byref(size)) == 0
    r, s = (int.from_bytes(half, "big") for half in (signature.raw[:32], signature.raw[32:]))
    key.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))
    assert back_end.call(*sign, 63, ctypes.byref(size)) == SMALL
    assert back_end.call(*sign[:4], 33, *sign[5:], 64, ctypes.byref(size)) == INVALID

    def verify(text: bytes, signed: bytes, point: bytes = public.raw) -> int:
        return back_end.call("ecc_p256r1_verify_message", None, 0, point, len(point), text,
            len(text), signed, len(signed))  # fmt: skip

    assert verify(message, signature.raw) == 0
    for place in range(64):
        changed = bytearray(signature.raw)
        changed[place] ^= 1
        assert verify(message, bytes(changed)) == WRONG, place
    assert verify(message + b".", signature.raw) == WRONG
    assert verify(message, signature.raw[:63]) == WRONG
    assert verify(message, signature.raw, public.raw[:33]) == INVALID
    assert verify(message, signature.raw, b"\x04" + bytes(64)) == INVALID


def test_without_random_bytes_there_is_no_key(back_end: BackEnd) -> None:
    out, sizes = ctypes.create_string_buffer(65), (ctypes.c_size_t(), ctypes.c_size_t())
    back_end.broken = True
    try:
        p256 = back_end.call("generate_ecc_p256r1_key_pair", None, out, out,
            ctypes.byref(sizes[0]), ctypes.byref(sizes[1]))  # fmt: skip
        assert (p256, out.raw) == (NO_ENTROPY, bytes(65))
        assert back_end.call("generate_ecc_ed25519_key_pair", out, out) == NO_ENTROPY
    finally:
        back_end.broken = False


def test_ed25519_by_psa_trusts_no_public_key_of_a_slot(back_end: BackEnd) -> None:
    private, public, signature = (ctypes.create_string_buffer(size) for size in (32, 32, 64))
    assert back_end.call("generate_ecc_ed25519_key_pair", private, public) == 0
    other = ed25519.Ed25519PrivateKey.from_private_bytes(private.raw)
    raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
    assert public.raw == other.public_key().public_bytes(*raw)
    message = b"a reading of 21 degrees"
    for slot in (public.raw, bytes(32)):
        assert back_end.call("ecc_ed25519_sign_message", private, slot, message, len(message),
            signature) == 0  # fmt: skip
        assert signature.raw == other.sign(message)
    verify = "ecc_ed25519_verify_message", public, message, len(message)
    assert back_end.call(*verify, signature) == 0
    for place in range(64):
        changed = bytearray(signature.raw)
        changed[place] ^= 1
        assert back_end.call(*verify, bytes(changed)) == WRONG, place
