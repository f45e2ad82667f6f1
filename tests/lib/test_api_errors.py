"""Wrong input and failing generators: each status code reached, outputs zero (lib_api checks
that at every call); and its text.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import pytest

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import header, resolve
from ecfit.paths import LIB
from ecfit.ship.amalgam import amalgam
from workshop.library.api import Library, Rng, Status
from workshop.library.build import only
from workshop.library.cases import (
    ALL_ONES,
    BAD_SCALARS,
    N,
    expected_signature,
    invalid_compressed,
    invalid_points,
    public_key_of,
    scalar_bytes,
    signing_rng,
)

KEY = scalar_bytes(0x1234567)
PUBLIC = public_key_of(0x1234567)
DIGEST = bytes(range(32))
DRAW = scalar_bytes(0x5555)


@pytest.mark.parametrize("name", BAD_SCALARS)
def test_bad_private_key(library: Library, name: str) -> None:
    key = scalar_bytes(BAD_SCALARS[name])
    assert library.public_key(key)[0] is Status.BAD_PRIVATE_KEY
    assert library.ecdh(key, PUBLIC)[0] is Status.BAD_PRIVATE_KEY
    assert library.sign(key, DIGEST, signing_rng(library, DRAW))[0] is Status.BAD_PRIVATE_KEY


@pytest.mark.parametrize("name", invalid_points())
def test_bad_public_key(library: Library, name: str) -> None:
    point = invalid_points()[name]
    signature = expected_signature(library, 0x1234567, DIGEST, DRAW)
    assert library.verify(signature, PUBLIC, DIGEST) is Status.OK
    assert library.verify(signature, point, DIGEST) is Status.BAD_PUBLIC_KEY
    assert library.ecdh(KEY, point)[0] is Status.BAD_PUBLIC_KEY
    assert library.ecdh(scalar_bytes(1), point)[0] is Status.BAD_PUBLIC_KEY
    assert library.public_key_check(PUBLIC) is Status.OK
    assert library.public_key_check(point) is Status.BAD_PUBLIC_KEY
    if library.has("compress"):
        assert library.compress(point)[0] is Status.BAD_PUBLIC_KEY


@only("library", COMPRESS="sec1")
@pytest.mark.parametrize("name", invalid_compressed())
def test_bad_compressed_key(library: Library, name: str) -> None:
    assert library.decompress(invalid_compressed()[name])[0] is Status.BAD_PUBLIC_KEY


def test_bad_signature(library: Library) -> None:
    good = expected_signature(library, 0x1234567, DIGEST, DRAW)
    r, s = good[:32], good[32:]
    assert library.verify(good, PUBLIC, DIGEST) is Status.OK
    for value in (0, N, N + 1, ALL_ONES, int.from_bytes(r, "big") ^ 1):
        wrong = scalar_bytes(value)
        for signature in (wrong + s, r + wrong, wrong + wrong):
            assert library.verify(signature, PUBLIC, DIGEST) is Status.BAD_SIGNATURE, hex(value)
    for number in (int.from_bytes(r, "big"), int.from_bytes(s, "big")):
        if number + N <= ALL_ONES:
            assert (
                library.verify(scalar_bytes(number + N) + s, PUBLIC, DIGEST) is Status.BAD_SIGNATURE
            )
    assert library.verify(s + r, PUBLIC, DIGEST) is Status.BAD_SIGNATURE
    assert library.verify(good, public_key_of(2), DIGEST) is Status.BAD_SIGNATURE
    assert library.verify(good, PUBLIC, bytes(31) + b"\1") is Status.BAD_SIGNATURE
    assert library.verify(good, PUBLIC, bytes(32)) is Status.BAD_HASH
    assert library.verify(bytes(64), PUBLIC, bytes(32)) is Status.BAD_SIGNATURE


def test_small_r_and_s_are_no_signature(library: Library) -> None:
    for r in (1, 2, N - 1):
        for s in (1, 2, N - 1):
            assert (
                library.verify(scalar_bytes(r) + scalar_bytes(s), PUBLIC, DIGEST)
                is Status.BAD_SIGNATURE
            )


def stuck_at(value: int) -> Rng:
    """A generator whose every byte is the same."""
    return Rng(lambda size: bytes([value]) * size)


def failing_after(draws: list[int]) -> Rng:
    """A generator that gives these numbers and then reports failure."""
    return Rng.of(*(scalar_bytes(draw) for draw in draws))


@pytest.mark.parametrize("stuck", [0x00, 0x01, 0x5A, 0xFF])
def test_keygen_with_a_stuck_generator(library: Library, stuck: int) -> None:
    rng = stuck_at(stuck)
    assert library.keygen(rng)[0] is Status.RNG_FAILED
    assert rng.calls == 1


@pytest.mark.parametrize("draws", [[], [N], [N, N + 1, ALL_ONES - 1]])
def test_keygen_with_a_failing_generator(library: Library, draws: list[int]) -> None:
    rng = failing_after(draws)
    assert library.keygen(rng)[0] is Status.RNG_FAILED
    assert rng.calls == len(draws) + 1


def test_keygen_without_a_generator(library: Library) -> None:
    assert library.keygen(None)[0] is Status.RNG_FAILED


def test_keygen_draws_until_in_range(library: Library) -> None:
    rng = failing_after([N, N + 1, ALL_ONES - 1, N - 1])
    assert library.keygen(rng) == (Status.OK, public_key_of(N - 1), scalar_bytes(N - 1))


def test_signing_without_a_generator(library: Library) -> None:
    status, signature = library.sign(KEY, DIGEST, None)
    if library.knobs["NONCE"] == "deterministic":
        assert (status, signature) == (
            Status.OK,
            expected_signature(library, 0x1234567, DIGEST, DRAW),
        )
    else:
        assert status is Status.RNG_FAILED


@only("library", NONCE={"random", "hedged"})
def test_signing_with_a_failing_generator(library: Library) -> None:
    for draws in [], [N, N + 1]:
        rng = failing_after(draws[: 0 if library.knobs["NONCE"] == "hedged" else None])
        assert library.sign(KEY, DIGEST, rng)[0] is Status.RNG_FAILED


@only("library", NONCE="random")
@pytest.mark.parametrize("stuck", [0x00, 0x01, 0x5A, 0xFF])
def test_signing_with_a_stuck_generator(library: Library, stuck: int) -> None:
    rng = stuck_at(stuck)
    assert library.sign(KEY, DIGEST, rng)[0] is Status.RNG_FAILED
    assert rng.calls == 1


@only("library", NONCE="random")
def test_signing_draws_until_in_range(library: Library) -> None:
    rng = failing_after([N, N + 1, ALL_ONES - 1, 0x5555])
    assert library.sign(KEY, DIGEST, rng) == (
        Status.OK,
        expected_signature(library, 0x1234567, DIGEST, DRAW),
    )


@only("library", NONCE="deterministic", BLIND="none")
def test_a_deterministic_signature_ignores_the_generator(library: Library) -> None:
    rng = stuck_at(0)
    assert library.sign(KEY, DIGEST, rng) == library.sign(KEY, DIGEST, None)
    assert rng.calls == 0


@only("library", NONCE="hedged")
def test_a_hedged_signature_depends_on_key_hash_and_draw(library: Library) -> None:
    signatures = {
        library.sign(scalar_bytes(key), digest, Rng.of(draw))[1]
        for key in (1, 2)
        for digest in (DIGEST, bytes(31) + b"\1")
        for draw in (DRAW, bytes(31) + b"\1")
    }
    assert len(signatures) == 8


@only("library", READ="late")
def test_a_nonce_signs_one_hash_where_it_is_read_late(library: Library) -> None:
    """Whoever changes key and hash while the nonce is drawn gets one signature of the new ones."""
    key, digest = ctypes.create_string_buffer(KEY, 32), ctypes.create_string_buffer(DIGEST, 32)
    other_key, other_digest = 0x7654321, bytes(range(1, 33))

    def source(_size: int) -> bytes:
        ctypes.memmove(key, scalar_bytes(other_key), 32)
        ctypes.memmove(digest, other_digest, 32)
        return DRAW

    rng, out = Rng(source), ctypes.create_string_buffer(64)
    status = library.c.ecfit_secp256r1_ecdsa_sign(
        out, key, digest, ctypes.c_size_t(32), ctypes.byref(rng.struct)
    )
    assert (status, rng.calls) == (Status.OK, 1)
    assert out.raw == expected_signature(library, other_key, other_digest, DRAW)


# ---- ecfit_status_text (STATUS_TEXT = english): in the tree and in what is handed over -----------

INTERFACE = (LIB / "include" / "ecfit.h").read_text(encoding="utf-8")
CODES = {
    int(value): name for name, value in re.findall(r"^    (ECFIT_\w+) = (\d+)", INTERFACE, re.M)
}


def texts(folder: Path, *sources: str) -> list[str]:
    """What the library says of each status, and of one that does not exist."""
    command = ["cc", "-Os", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", "lib.so"]
    subprocess.run([*command, *sources], cwd=folder, check=True)
    text = ctypes.CDLL(str(folder / "lib.so")).ecfit_status_text
    text.restype = ctypes.c_char_p
    return [text(code).decode() for code in [*CODES, 99]]


@pytest.mark.parametrize("form", ["tree", "amalgam"])
def test_each_status_has_a_text_of_its_own(form: str, tmp_path: Path) -> None:
    settings = resolve(CURVES["x25519"], "tiny", {"STATUS_TEXT": "english"}, "w64")
    text = header(settings, ["x25519"])
    (tmp_path / "ecfit_config.h").write_text(text, encoding="utf-8")
    sources = [f"-I{tmp_path}", f"-I{LIB}/include", f"-I{LIB}/src", str(LIB / "src" / "ecfit.c")]
    if form == "amalgam":
        for name, content in amalgam(text, {}, "a test").files.items():
            (tmp_path / name).write_text(content, encoding="utf-8")
        sources = ["ecfit.c"]
    found = texts(tmp_path, *sources)
    assert len(set(found)) == len(CODES) + 1
    assert found[-1] == "unknown status"
    assert all(len(one) < 30 and one.isascii() for one in found)


def test_it_is_left_out_by_default() -> None:
    settings = resolve(CURVES["x25519"], "tiny", {}, "w64")
    files = amalgam(header(settings, ["x25519"]), {}, "a test").files
    assert not any("status_text" in text for text in files.values())
    english = resolve(CURVES["x25519"], "tiny", {"STATUS_TEXT": "english"}, "w64")
    assert settings.key != english.key
