"""SHA-512 in all forms, SHA-384 and SHAKE256 against Python's, for all sizes around their blocks
and many cuts.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
import random
from collections.abc import Callable

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from workshop.library import build as lib_build
from workshop.library.api import BytesStruct, _Out
from workshop.library.cases import scaled
from workshop.paths import C_TESTS, SRC
from workshop.scale import OUTER

FORMS = {"own": "w64", "small": "w32", "roots": "w32", "bytes": "w32"}  # SHA512, and some backend
BYTES = "hash/thumb/sha512_block.inc"  # what is in C around assembly, with a block in C

# FIPS 180-4 and FIPS 202 example messages
KNOWN_512 = {
    b"": "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
    b"abc": "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
}
KNOWN_SHAKE = {b"": "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"}


class _Piece(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class Hashes:
    """The hashes of one build."""

    def __init__(self, form: str) -> None:
        value, sources, replace = form, [SRC / "ecfit.c"], {}
        if form == "bytes":
            value, sources = "small", [*sources, C_TESTS / "sha512_block.c"]
            replace["hash/sha512_halves.inc"] = (SRC / BYTES).read_text(encoding="utf-8")
            for name in ("hash/sha512.inc", "hash/sha512_bytes.inc"):
                text = (SRC / name).read_text(encoding="utf-8")
                replace[name] = text.replace("BACKEND_IS_ARMV6M", "BACKEND_IS_W32")
        config = knobs.resolve(CURVES["ed448"], "balanced", {"SHA512": value}, FORMS[form])
        command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
        path = lib_build.build(
            config, sources, command, suffix=".so", curves=["ed448"], replace=replace
        )
        self.c = ctypes.CDLL(str(path))

    def _pieces(self, pieces: tuple[bytes, ...]) -> tuple[ctypes.Array[_Piece], ctypes.c_size_t]:
        array = (_Piece * len(pieces))(*[_Piece(piece, len(piece)) for piece in pieces])
        return array, ctypes.c_size_t(len(pieces))

    def sha512(self, *pieces: bytes) -> bytes:
        """64 bytes."""
        out = _Out(64)
        self.c.ecfit_sha512(out.pointer, *self._pieces(pieces))
        return out.take()

    def sha384(self, *pieces: bytes) -> bytes:
        """48 bytes."""
        out = _Out(48)
        self.c.ecfit_sha384(out.pointer, *self._pieces(pieces))
        return out.take()

    def shake256(self, size: int, *pieces: bytes) -> bytes:
        """`size` bytes."""
        out = _Out(size)
        self.c.ecfit_shake256(out.pointer, ctypes.c_size_t(size), *self._pieces(pieces))
        return out.take()


@pytest.fixture(scope="module", params=FORMS)
def hashes(request: pytest.FixtureRequest) -> Hashes:
    """A build with one form of SHA-512."""
    return Hashes(request.param)


def shake(message: bytes, size: int = 114) -> bytes:
    """By Python."""
    return hashlib.shake_256(message).digest(size)


def test_published_digests(hashes: Hashes) -> None:
    for message, digest in KNOWN_512.items():
        assert hashes.sha512(message).hex() == digest
    for message, digest in KNOWN_SHAKE.items():
        assert hashes.shake256(32, message).hex() == digest


def test_every_size(hashes: Hashes) -> None:
    data = random.Random(1).randbytes(1100)
    for size in [*range(300), 383, 384, 385, 1023, 1024, 1025, 1088, 1100]:
        message = data[:size]
        assert hashes.sha512(message) == hashlib.sha512(message).digest(), size
        assert hashes.sha384(message) == hashlib.sha384(message).digest(), size
        assert hashes.shake256(114, message) == shake(message), size


def test_every_output_size_of_shake(hashes: Hashes) -> None:
    for size in [*range(300), 1000]:
        assert hashes.shake256(size, b"size") == shake(b"size", size), size


def test_pieces(hashes: Hashes) -> None:
    source = random.Random(2)
    functions: list[tuple[Callable[..., bytes], Callable[[bytes], bytes]]] = [
        (hashes.sha512, lambda message: hashlib.sha512(message).digest()),
        (hashes.sha384, lambda message: hashlib.sha384(message).digest()),
        (lambda *pieces: hashes.shake256(114, *pieces), shake),
    ]
    for _ in range(scaled(200)):
        sizes = [
            source.choice((0, 1, 3, 64, 111, 112, 127, 128, 129, 135, 136, 137))
            for _ in range(source.randrange(7))
        ]
        pieces = [source.randbytes(size) for size in sizes]
        for mine, wanted in functions:
            assert mine(*pieces) == wanted(b"".join(pieces)), sizes


def test_extreme_blocks(hashes: Hashes) -> None:
    for byte in (0x00, 0x01, 0x7F, 0x80, 0xFF):
        for size in (111, 112, 128, 135, 136, 239, 240, 256):
            message = bytes([byte]) * size
            assert hashes.sha512(message) == hashlib.sha512(message).digest()
            assert hashes.shake256(114, message) == shake(message)


def test_a_long_message(hashes: Hashes) -> None:
    data = b"a" * scaled(1_000_000)
    assert hashes.sha512(data) == hashlib.sha512(data).digest()
    assert hashes.shake256(64, data) == shake(data, 64)


def test_computed_constants() -> None:
    """All that FIPS 180-4 has, in tables, are what roots of primes give."""
    config = knobs.resolve(CURVES["ed448"], "balanced", {}, "w32")
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    path = lib_build.build(config, [C_TESTS / "sha512_constants.c"], command, suffix=".so")
    assert ctypes.CDLL(str(path)).constants_that_differ() == 0


LONG = {"sha256": "own", "sha384": "small", "sha512": "small"}  # value of SHA512
BEFORE = 2**29  # bytes: 2^32 bits


def counted_from(name: str, message: bytes) -> bytes:
    """OpenSSL's hash of a message that is said to come behind BEFORE bytes, which are not hashed:
    its state begins with the hash's words and the number of bits.
    """
    crypto = ctypes.CDLL(ctypes.util.find_library("crypto"))
    function, words, kind = (
        ("SHA256", 8, ctypes.c_uint32) if name == "sha256" else (name.upper(), 8, ctypes.c_uint64)
    )
    state = (kind * 64)()
    assert getattr(crypto, f"{function}_Init")(state) == 1
    bits = 8 * ctypes.sizeof(kind)
    state[words], state[words + 1] = 8 * BEFORE % 2**bits, 8 * BEFORE >> bits
    assert getattr(crypto, f"{function}_Update")(state, message, ctypes.c_size_t(len(message))) == 1
    out = ctypes.create_string_buffer(hashlib.new(name).digest_size)
    assert getattr(crypto, f"{function}_Final")(out, state) == 1
    return out.raw


@pytest.mark.parametrize("name", LONG)
def test_a_length_of_more_than_a_word(name: str) -> None:
    """Of which what comes before counts, but is not hashed: in the library by another start
    of its count.
    """
    config = lib_build.configuration("balanced", "w64", SHA512=LONG[name])
    file = "hash/sha256.inc" if name == "sha256" else "hash/sha512_bytes.inc"
    text = (SRC / file).read_text(encoding="utf-8")
    text = lib_build.replace_once(text, "size_t size = 0;", f"size_t size = {BEFORE};")
    command = [*lib_build.compiler(), "-shared", "-fPIC"]
    added = {file: text}
    path = lib_build.build(config, lib_build.units(config), command, suffix=".so", replace=added)
    function = getattr(ctypes.CDLL(str(path)), f"ecfit_{name}")
    for size in (0, 1, 55, 56, 111, 112, 127, 128, 200):
        message = bytes(range(size))
        out = ctypes.create_string_buffer(hashlib.new(name).digest_size)
        function(out, (BytesStruct * 1)(BytesStruct(message, size)), ctypes.c_size_t(1))
        assert out.raw == counted_from(name, message), size


def test_a_message_of_so_many_bytes() -> None:
    """One piece again and again."""
    if not OUTER:
        pytest.skip("half a gigabyte: `make test-ci` hashes it")
    config = lib_build.configuration("balanced", "w64")
    command = [*lib_build.compiler(), "-shared", "-fPIC"]
    path = lib_build.build(config, lib_build.units(config), command, suffix=".so")
    block, wanted = bytes(range(256)) * 4096, hashlib.sha256()
    count = BEFORE // len(block) + 1
    pieces = (BytesStruct * count)(*[BytesStruct(block, len(block))] * count)
    for _ in range(count):
        wanted.update(block)
    out = ctypes.create_string_buffer(32)
    ctypes.CDLL(str(path)).ecfit_sha256(out, pieces, ctypes.c_size_t(count))
    assert out.raw == wanted.digest()
