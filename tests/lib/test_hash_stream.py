"""Hashes of data in parts (HASH_STREAM = own) against Python's: every value of SHA256 and SHA512,
every way that a block is filled.
"""

from __future__ import annotations

import ctypes
import hashlib
import random
import subprocess
from pathlib import Path

import pytest

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.ship.amalgam import amalgam
from tests.lib.test_hashes import BEFORE, BYTES, counted_from
from workshop.library import build as lib_build
from workshop.library.cases import scaled
from workshop.paths import C_TESTS, SRC

# SHA256, SHA512, a back end; `bytes` and `runs` are what surrounds assembly, with a block in C
FORMS = {
    "own": ("own", "own", "w64"),
    "unrolled": ("unrolled", "small", "w32"),
    "roots": ("own", "roots", "w32"),
    "bytes": ("own", "small", "w32"),
    "runs": ("own", "own", "w64"),
}
NAMES = {"sha256": 64, "sha384": 128, "sha512": 128}  # bytes of a block
CONTEXTS = {"sha256": 8 + 4 * 24, "sha384": 8 + 8 * 24, "sha512": 8 + 8 * 24}  # sizeof

# FIPS 180-4 example messages, and the two of two blocks
TWO = {
    "sha256": b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "sha512": b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
    b"hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
}
KNOWN = {
    ("sha256", b"abc"): "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ("sha256", TWO["sha256"]): "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ("sha384", b"abc"): "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
    "8086072ba1e7cc2358baeca134c825a7",
    ("sha384", TWO["sha512"]): "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712"
    "fcc7c71a557e2db966c3e9fa91746039",
    ("sha512", b"abc"): "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    ("sha512", TWO["sha512"]): "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
    "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
}


class Stream:
    """The functions of one build."""

    def __init__(self, form: str) -> None:
        sha256, sha512, backend = FORMS[form]
        sources, replace = [SRC / "ecfit.c"], {}
        if form == "bytes":
            sources.append(C_TESTS / "sha512_block.c")
            replace["hash/sha512_halves.inc"] = (SRC / BYTES).read_text(encoding="utf-8")
            for name in ("hash/sha512.inc", "hash/sha512_bytes.inc"):
                text = (SRC / name).read_text(encoding="utf-8")
                replace[name] = text.replace("BACKEND_IS_ARMV6M", "BACKEND_IS_W32")
        if form == "runs":
            text = (SRC / "hash/sha512.inc").read_text(encoding="utf-8")
            replace["hash/sha512.inc"] = text.replace("BACKEND_IS_ARMV7EM", "BACKEND_IS_W64")
        sets = {"HASH_STREAM": "own", "SHA256": sha256, "SHA512": sha512}
        config = knobs.resolve(CURVES["secp256r1"], "balanced", sets, backend)
        command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
        path = lib_build.build(config, sources, command, suffix=".so", replace=replace)
        self.c = ctypes.CDLL(str(path))

    def start(self, name: str) -> ctypes.Array[ctypes.c_uint64]:
        """A context, begun; as a caller's it held anything before."""
        context = (ctypes.c_uint64 * 27)(*[0xA5A5A5A5A5A5A5A5] * 27)
        getattr(self.c, f"ecfit_{name}_start")(context)
        return context

    def update(self, name: str, context: ctypes.Array[ctypes.c_uint64], data: bytes) -> None:
        """The next bytes."""
        getattr(self.c, f"ecfit_{name}_update")(context, data, ctypes.c_size_t(len(data)))

    def finish(self, name: str, context: ctypes.Array[ctypes.c_uint64]) -> bytes:
        """The digest; the context must be cleared, and nothing beside it be written."""
        size = hashlib.new(name).digest_size
        out = ctypes.create_string_buffer(b"\x5a" * (size + 8), size + 8)
        getattr(self.c, f"ecfit_{name}_finish")(out, context)
        assert out.raw[size:] == b"\x5a" * 8
        words = CONTEXTS[name] // 8
        assert not any(context[:words]), "the context still holds something"
        assert set(context[words:]) == {0xA5A5A5A5A5A5A5A5}
        return out.raw[:size]

    def hash(self, name: str, *parts: bytes) -> bytes:
        """All of it."""
        context = self.start(name)
        for part in parts:
            self.update(name, context, part)
        return self.finish(name, context)


@pytest.fixture(scope="module", params=FORMS)
def stream(request: pytest.FixtureRequest) -> Stream:
    """A build with one form of the hashes."""
    return Stream(request.param)


def test_published_digests(stream: Stream) -> None:
    for (name, message), digest in KNOWN.items():
        assert stream.hash(name, message).hex() == digest
        assert stream.hash(name, *(message[i : i + 1] for i in range(len(message)))).hex() == digest


@pytest.mark.parametrize("name", NAMES)
def test_every_size(stream: Stream, name: str) -> None:
    data = random.Random(1).randbytes(300)
    for size in range(2 * NAMES[name] + 20):
        assert stream.hash(name, data[:size]) == hashlib.new(name, data[:size]).digest(), size


@pytest.mark.parametrize("name", NAMES)
def test_random_cuts(stream: Stream, name: str) -> None:
    source = random.Random(2)
    block = NAMES[name]
    for _ in range(scaled(300)):
        sizes = source.choices((0, 1, 3, 7, 8, 9, 63, 64, 65, block - 1, block, 3 * block), k=7)
        parts = [source.randbytes(size) for size in sizes]
        assert stream.hash(name, *parts) == hashlib.new(name, b"".join(parts)).digest(), sizes


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_goes_on(stream: Stream, name: str) -> None:
    context = stream.start(name)
    stream.update(name, context, b"together " * 20)
    other = type(context)(*context)
    stream.update(name, other, b"and alone")
    wanted = hashlib.new(name, b"together " * 20)
    assert stream.finish(name, context) == wanted.digest()
    wanted.update(b"and alone")
    assert stream.finish(name, other) == wanted.digest()


@pytest.mark.parametrize("name", NAMES)
def test_a_length_of_more_than_a_word(stream: Stream, name: str) -> None:
    """The bytes that are said to come before are counted and not hashed."""
    for size in (0, 1, 55, 56, 111, 112, 127, 128, 200):
        context = stream.start(name)
        context[0] = BEFORE
        stream.update(name, context, bytes(range(size)))
        assert stream.finish(name, context) == counted_from(name, bytes(range(size))), size


@pytest.mark.parametrize("name", NAMES)
def test_a_context_that_was_not_begun(stream: Stream, name: str) -> None:
    """Zeros, as of one that is finished, ones, and one of another hash: a wrong digest, and nothing
    beside the context is touched.
    """
    words, block = CONTEXTS[name] // 8, bytes(range(NAMES[name]))
    for filled in (0, 2**64 - 1, 0x0101010101010101):
        context = stream.start(name)
        context[:words] = [filled] * words
        stream.update(name, context, 3 * block)
        assert stream.finish(name, context) != hashlib.new(name, 3 * block).digest(), filled
    if name != "sha256":
        context = stream.start({"sha384": "sha512", "sha512": "sha384"}[name])
        stream.update(name, context, block)
        assert stream.finish(name, context) != hashlib.new(name, block).digest()


def test_no_data_at_all(stream: Stream) -> None:
    context = stream.start("sha256")
    stream.c.ecfit_sha256_update(context, None, ctypes.c_size_t(0))
    assert stream.finish("sha256", context) == hashlib.sha256(b"").digest()


@pytest.mark.parametrize("value", ["own", "none"])
def test_an_amalgam_has_them_if_asked(tmp_path: Path, value: str) -> None:
    settings = knobs.resolve(CURVES["secp256r1"], "tiny", {"HASH_STREAM": value, "SHA256": "own"},
                             "w32")  # fmt: skip
    files = amalgam(knobs.header(settings, ["secp256r1"]), {}, "a test").files
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert ("ecfit_sha256_update(" in text) == (value == "own"), name
        assert "ecfit_sha512_update(" not in text, name
    command = ["cc", "-Os", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-c", "ecfit.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
