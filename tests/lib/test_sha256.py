"""SHA-256 of the library against Python's, for all sizes around its blocks and all ways
to cut a message in pieces.
"""

from __future__ import annotations

import ctypes
import hashlib
import random

from workshop.library.api import BytesStruct, Library
from workshop.library.build import only
from workshop.library.cases import scaled

pytestmark = only("library", SHA256={"own", "unrolled"})

# FIPS 180-4 example messages
KNOWN = {
    b"": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    b"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
}


def test_published_digests(library: Library) -> None:
    for message, digest in KNOWN.items():
        assert library.sha256(message).hex() == digest


def test_every_size(library: Library) -> None:
    data = random.Random(1).randbytes(1000)
    for size in [*range(301), 511, 512, 513, 1000]:
        assert library.sha256(data[:size]) == hashlib.sha256(data[:size]).digest(), size


def test_every_cut(library: Library) -> None:
    data = random.Random(2).randbytes(200)
    wanted = hashlib.sha256(data).digest()
    for cut in range(201):
        assert library.sha256(data[:cut], data[cut:]) == wanted, cut


def test_random_pieces(library: Library) -> None:
    source = random.Random(3)
    for _ in range(scaled(200)):
        pieces = [
            source.randbytes(source.choice((0, 1, 3, 55, 56, 63, 64, 65, 128)))
            for _ in range(source.randrange(6))
        ]
        assert library.sha256(*pieces) == hashlib.sha256(b"".join(pieces)).digest()


def test_the_digest_may_overlap_a_piece(library: Library) -> None:
    data = bytes(range(100))
    for offset in (0, 1, 30, 68):
        buffer = ctypes.create_string_buffer(data, len(data))
        piece = BytesStruct(ctypes.cast(buffer, ctypes.c_char_p), len(data))
        library.c.ecfit_sha256(
            ctypes.byref(buffer, offset), ctypes.byref(piece), ctypes.c_size_t(1)
        )
        assert buffer.raw[offset : offset + 32] == hashlib.sha256(data).digest()


def test_a_long_message(library: Library) -> None:
    data = b"a" * scaled(1_000_000)
    assert library.sha256(data) == hashlib.sha256(data).digest()


def test_all_bytes_and_extreme_blocks(library: Library) -> None:
    for byte in (0x00, 0x01, 0x7F, 0x80, 0xFF):
        for size in (55, 56, 64, 119, 120, 128):
            message = bytes([byte]) * size
            assert library.sha256(message) == hashlib.sha256(message).digest()
