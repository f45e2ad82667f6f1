"""Ed25519 and Ed448: vectors, OpenSSL, the reference, wrong keys and signatures;
in all configurations.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
import random
from functools import cache
from itertools import product
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ed448, ed25519
from ref import rfc8032
from ref.rfc8032 import EDCURVES, EdCurve

from workshop.library import build as lib_build
from workshop.library.api import Rng, Status
from workshop.library.cases import scaled
from workshop.library.rfc_api import (
    MISUSE,
    PIECE,
    SETTINGS,
    SIGNATURE,
    SIZES,
    VERIFY_CONTEXT,
    Reader,
    RfcLibrary,
    Setting,
    settings_of,
)
from workshop.library.rfc_cases import (
    bad_keys,
    little,
    signature_by_hand,
    small_keys,
    strings,
    torsion,
)
from workshop.paths import SRC
from workshop.scale import FULL
from workshop.vectors.rfc_published import SIGNATURES
from workshop.vectors.rfc_wycheproof import check_ed, ed_cases

OPENSSL: dict[str, Any] = {"ed25519": ed25519.Ed25519PrivateKey, "ed448": ed448.Ed448PrivateKey}
IN_PARTS = ("balanced-w64", "tiny-w32m16", "tiny-w32", "naf-mont", "wide")
SLOW = (
    "bytes",
    "halfwords",
    "ed448-tiny-w32m16",
    "ed448-balanced-w32m16",
    "ed448-complete",
    "ed448-mont",
)
MESSAGE = b"a message of some length, so that it is not a block"


@pytest.fixture(scope="session", params=settings_of(["ed25519", "ed448"]))
def library(request: pytest.FixtureRequest) -> RfcLibrary:
    """Ed25519 or Ed448 in one configuration."""
    setting = SETTINGS[request.param]
    return RfcLibrary(setting.shared(), setting.curve)


def curve_of(library: RfcLibrary) -> EdCurve:
    """The curve in the reference."""
    return EDCURVES[library.curve]


def count(request: pytest.FixtureRequest, number: int) -> int:
    """`number`, fewer with short words and under sanitizers."""
    slow = any(word in request.node.name for word in SLOW)
    return scaled(max(1, number // 10) if slow else number)


def hashed(curve: str, message: bytes) -> bytes:
    """PH(M)."""
    return (
        hashlib.sha512(message).digest()
        if curve == "ed25519"
        else hashlib.shake_256(message).digest(64)
    )


def test_rfc8032(library: RfcLibrary) -> None:
    vectors = [vector for vector in SIGNATURES if vector.curve == library.curve]
    assert len(vectors) >= 5
    for vector in vectors:
        private, public, message, signature = (bytes.fromhex(text) for text in vector[1:5])
        context = None if vector.context is None else bytes.fromhex(vector.context)
        prehashed = vector.prehashed
        message = hashed(vector.curve, message) if prehashed else message
        assert library.public_key(private) == (Status.OK, public)
        assert library.sign(private, message, context, prehashed=prehashed) == (
            Status.OK,
            signature,
        )
        assert library.verify(signature, public, message, context, prehashed=prehashed) is Status.OK
        changed = message[:-1] + bytes([message[-1] ^ 1]) if message else b"\x00"
        assert (
            library.verify(signature, public, changed, context, prehashed=prehashed)
            is Status.BAD_SIGNATURE
        )


def test_wycheproof(library: RfcLibrary, request: pytest.FixtureRequest) -> None:
    cases = ed_cases(library.curve)
    done = check_ed(library, cases[:: len(cases) // count(request, len(cases))])
    if count(request, 10) == 10:
        assert done["valid"] >= 15 and done["invalid"] >= 40, done


def test_random_against_openssl(library: RfcLibrary, request: pytest.FixtureRequest) -> None:
    """Keys and messages of all sizes around the blocks of the hash; every signature
    with one bit changed.
    """
    source = random.Random(1)
    for number, key in enumerate(strings(library.size, 2, count(request, 40))):
        message = source.randbytes(number * 7)
        signer = OPENSSL[library.curve].from_private_bytes(key)
        public, signature = signer.public_key().public_bytes_raw(), signer.sign(message)
        assert library.public_key(key) == (Status.OK, public), key.hex()
        assert library.sign(key, message) == (Status.OK, signature), key.hex()
        assert library.verify(signature, public, message) is Status.OK
        bit = source.randrange(16 * library.size)
        changed = little(int.from_bytes(signature, "little") ^ 1 << bit, 2 * library.size)
        assert library.verify(changed, public, message) is Status.BAD_SIGNATURE, bit


def in_parts(curve: str, op: str = "verify_parts") -> list[RfcLibrary]:
    """Libraries of a curve with an operation in parts, of IN_PARTS and what this run builds."""
    return [RfcLibrary(setting.shared(), curve) for setting in settings_in_parts(curve, op)]


def settings_in_parts(curve: str, op: str) -> list[Setting]:
    """What they are built from."""
    names = [f"{curve}-{name}" for name in IN_PARTS if f"{curve}-{name}" in SETTINGS]
    return [SETTINGS[name] for name in names if op in SETTINGS[name].ops()]


@pytest.mark.parametrize("curve", SIGNATURE)
def test_parts_against_openssl(curve: str) -> None:
    """1,000 random cases cut at random, valid and not: the verdict of OpenSSL, and, by
    `RfcLibrary.verify`, that of the whole-message call. All other tests here compare the two, too.
    """
    libraries = in_parts(curve)
    assert libraries
    source, said, size = random.Random(7), [0, 0], SIZES[curve]
    for number in range(scaled(1000) if curve == "ed25519" or FULL else scaled(1000) // 10):
        signer = OPENSSL[curve].from_private_bytes(source.randbytes(size))
        message = source.randbytes(source.choice((0, 1, 63, 64, 65, 127, 128, 135, 136, 300, 1000)))
        public, signature = signer.public_key().public_bytes_raw(), signer.sign(message)
        if number % 2:
            at = source.randrange(16 * size)
            signature = little(int.from_bytes(signature, "little") ^ 1 << at, 2 * size)
        try:
            signer.public_key().verify(signature, message)
            valid = True
        except InvalidSignature:
            valid = False
        said[valid] += 1
        status = libraries[number % len(libraries)].verify(signature, public, message)
        assert (status is Status.OK) == valid, number
    assert min(said) > 0


@pytest.mark.parametrize("curve", SIGNATURE)
def test_signatures_in_parts_are_those_of_openssl(curve: str) -> None:
    """1,000 random cases, by `RfcLibrary.sign`, which looks at what the reader is asked for, too.
    All other tests here that sign compare the two calls.
    """
    libraries = in_parts(curve, "sign_parts")
    assert libraries
    source, sizes = random.Random(9), (0, 1, 63, 64, 65, 127, 128, 135, 136, 137, 300, 1000)
    for number in range(scaled(1000) if curve == "ed25519" or FULL else scaled(1000) // 10):
        key, message = source.randbytes(SIZES[curve]), source.randbytes(source.choice(sizes))
        wanted = OPENSSL[curve].from_private_bytes(key).sign(message)
        assert libraries[number % len(libraries)].sign(key, message) == (Status.OK, wanted)


CHANGING = bytes(range(256)) + bytes(range(13))  # four whole pieces, and one that is not
CALLS = -(-len(CHANGING) // PIECE)


def changed_at(place: int, passes: tuple[int, ...], bit: int = 1) -> Reader:
    """A reader that gives another byte at one place in these passes."""
    other = CHANGING[:place] + bytes([CHANGING[place] ^ bit]) + CHANGING[place + 1 :]

    def source(number: int, offset: int, size: int) -> bytes:
        return (other if number // CALLS in passes else CHANGING)[offset : offset + size]

    return Reader(source)


@pytest.mark.parametrize("curve", SIGNATURE)
def test_no_signature_of_a_message_that_changes_between_passes(curve: str) -> None:
    """Each byte, in either pass: two signatures with one nonce would give the private key away."""
    library, key = in_parts(curve, "sign_parts")[0], strings(SIZES[curve], 5, 1)[0]
    for place in range(len(CHANGING)):
        for passes in ((0,), (1,)):
            reader = changed_at(place, passes, 1 << place % 8)
            assert library.sign_parts(key, len(CHANGING), reader)[0] is Status.READ_FAILED, place
            assert len(reader.asked) == 2 * CALLS
        reader = changed_at(place, (0, 1))  # in both: that is the message
        assert library.sign_parts(key, len(CHANGING), reader)[0] is Status.OK
    pieces = [CHANGING[at : at + PIECE] for at in range(0, len(CHANGING), PIECE)]
    swapped = [pieces[1], pieces[0], *pieces[2:]]
    for name in (None, b"name"):
        reader = Reader(lambda number, _, __: (pieces + swapped)[number])
        assert library.sign_parts(key, len(CHANGING), reader, name)[0] is Status.READ_FAILED


@pytest.mark.parametrize("curve", SIGNATURE)
def test_without_the_comparison_the_private_key_follows(curve: str) -> None:
    """What it is for: with it taken out, from two signatures of one first pass; and that a reader
    that changes can do so at all.
    """
    setting = settings_in_parts(curve, "sign_parts")[0]
    name, compared = "api/eddsa/sign_parts.inc", "(const uint8_t *)r, sizeof r)"
    text = (SRC / name).read_text(encoding="utf-8")
    assert text.count(compared) == 1
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    without = lib_build.build(
        setting.config, [SRC / "ecfit.c"], command, suffix=".so", curves=[curve],
        ops=setting.ops(), replace={name: text.replace(compared, "(const uint8_t *)r, 0)")},
    )  # fmt: skip
    library, key, of = RfcLibrary(without, curve), strings(SIZES[curve], 6, 1)[0], EDCURVES[curve]
    public, size = rfc8032.public_key(of, key), SIZES[curve]
    s, k = [], []
    for place in (3, 200):
        status, signature = library.sign_parts(key, len(CHANGING), changed_at(place, (1,)))
        assert status is Status.OK
        second = CHANGING[:place] + bytes([CHANGING[place] ^ 1]) + CHANGING[place + 1 :]
        s.append(int.from_bytes(signature[size:], "little"))
        with_k = signature_by_hand(  # S = k
            of, scalar=1, public=public, commitment=signature[:size], r=0, message=second
        )
        k.append(int.from_bytes(with_k[size:], "little"))
    a = (s[0] - s[1]) * pow(k[0] - k[1], -1, of.n) % of.n
    assert rfc8032.encode(of, rfc8032.multiply(of, a, of.base)) == public


@pytest.mark.parametrize("curve", SIGNATURE)
def test_a_reader_that_fails(curve: str) -> None:
    """At each call: the last one, and no signature."""
    library, key = in_parts(curve, "sign_parts")[0], strings(SIZES[curve], 5, 1)[0]
    for failing in range(2 * CALLS):

        def source(number: int, at: int, size: int, failing: int = failing) -> bytes | None:
            return None if number == failing else CHANGING[at : at + size]

        for name in (None, b"name"):
            reader = Reader(source)
            answer = library.sign_parts(key, len(CHANGING), reader, name)
            assert answer[0] is Status.READ_FAILED
            assert len(reader.asked) == failing + 1
    empty = Reader.of(b"")
    empty.struct = type(empty.struct)()
    for given in (None, empty):
        for size in (0, 1):
            assert library.sign_parts(key, size, given)[0] is Status.READ_FAILED
    huge = Reader(lambda number, _, size: bytes(size) if number < 9 else None)
    assert library.sign_parts(key, 1 << 40, huge)[0] is Status.READ_FAILED
    assert huge.asked == [(PIECE * number, PIECE) for number in range(10)]


class Sodium:
    """libsodium: Ed25519 and Ed25519ph, whose message comes in parts."""

    def __init__(self) -> None:
        self.c = ctypes.CDLL(ctypes.util.find_library("sodium"))
        self.state = ctypes.create_string_buffer(self.c.crypto_sign_statebytes())

    def _hashed(self, message: bytes) -> ctypes.Array[ctypes.c_char]:
        self.c.crypto_sign_init(self.state)
        for part in RfcLibrary.cut(message):
            self.c.crypto_sign_update(self.state, part, ctypes.c_ulonglong(len(part)))
        return self.state

    def sign(self, seed: bytes, message: bytes, *, prehashed: bool) -> tuple[bytes, bytes]:
        """Public key and signature."""
        public, key, out = (ctypes.create_string_buffer(size) for size in (32, 64, 64))
        assert self.c.crypto_sign_seed_keypair(public, key, seed) == 0
        if prehashed:
            assert self.c.crypto_sign_final_create(self._hashed(message), out, None, key) == 0
        else:
            size = ctypes.c_ulonglong(len(message))
            assert self.c.crypto_sign_detached(out, None, message, size, key) == 0
        return public.raw, out.raw

    def takes(self, signature: bytes, public: bytes, message: bytes, *, prehashed: bool) -> bool:
        """Whether the signature is valid."""
        if prehashed:
            state = self._hashed(message)
            return int(self.c.crypto_sign_final_verify(state, signature, public)) == 0
        size = ctypes.c_ulonglong(len(message))
        return int(self.c.crypto_sign_verify_detached(signature, message, size, public)) == 0


def test_parts_and_digests_against_libsodium() -> None:
    """1,000 random cases in sweep `foreign`: the same bytes, and the same verdict of changed ones.
    (It has no Ed25519ctx.)
    """
    libraries = in_parts("ed25519")
    source, sodium, said = random.Random(8), Sodium(), [0, 0]
    for number in range(1000 if FULL else 24):
        seed, prehashed = source.randbytes(32), number % 2 == 1
        message = source.randbytes(source.choice((0, 1, 63, 64, 65, 127, 128, 300, 1000)))
        library = libraries[number // 2 % len(libraries)]
        given = hashlib.sha512(message).digest() if prehashed else message
        public, signature = sodium.sign(seed, message, prehashed=prehashed)
        assert library.sign(seed, given, prehashed=prehashed) == (Status.OK, signature)
        if number % 3 == 0:
            changed = int.from_bytes(signature, "little") ^ 1 << source.randrange(512)
            signature = little(changed, 64)
        valid = sodium.takes(signature, public, message, prehashed=prehashed)
        status = library.verify(signature, public, given, prehashed=prehashed)
        assert (status is Status.OK) == valid, number
        said[valid] += 1
    assert min(said) > 0


@pytest.mark.parametrize("curve", SIGNATURE)
def test_a_context_of_zeros_is_no_verification(curve: str) -> None:
    """Nothing was begun: no verdict."""
    zeros = ctypes.create_string_buffer(VERIFY_CONTEXT[curve][0])
    finish = getattr(in_parts(curve)[0].c, f"ecfit_{curve}_verify_finish")
    assert finish(zeros) == MISUSE


def test_contexts_and_digests(library: RfcLibrary, request: pytest.FixtureRequest) -> None:
    """Each form against the reference, and no signature of one form or context
    holds for another.
    """
    curve = curve_of(library)
    key = strings(library.size, 3, 1)[0]
    public = rfc8032.public_key(curve, key)
    digest = hashed(library.curve, MESSAGE)
    forms: list[tuple[bytes | None, bool]] = [
        (None, False),
        (b"", False),
        (b"", True),
        (b"c", False),
        (b"c", True),
    ]
    forms += [(bytes(range(255)), False)] if count(request, 10) == 10 else []
    signatures = {}
    for context, prehashed in forms:
        wanted = rfc8032.sign(curve, key, digest, context, prehashed=prehashed)
        assert library.sign(key, digest, context, prehashed=prehashed) == (Status.OK, wanted)
        signatures[context, prehashed] = wanted
    for form, signature in signatures.items():
        for context, prehashed in forms:
            same = signature == signatures[context, prehashed]
            status = library.verify(signature, public, digest, context, prehashed=prehashed)
            assert status is (Status.OK if same else Status.BAD_SIGNATURE), (
                form,
                context,
                prehashed,
            )
    distinct = len(forms) - (library.curve == "ed448")  # no context is the empty one there
    assert len(set(signatures.values())) == distinct


def test_edge_keys(library: RfcLibrary, request: pytest.FixtureRequest) -> None:
    """All private keys are valid: zeros, ones, and keys whose scalars are extreme by chance
    of the hash.
    """
    curve = curve_of(library)
    keys = [bytes([byte]) * library.size for byte in (0x00, 0xFF, 0x80, 0x01)]
    for key in keys[: max(1, count(request, 4))]:
        assert library.public_key(key) == (Status.OK, rfc8032.public_key(curve, key))
        assert library.sign(key, b"") == (Status.OK, rfc8032.sign(curve, key, b""))


def test_s_out_of_range(library: RfcLibrary) -> None:
    """S + n is the classic second signature; also n itself, and everything above."""
    curve = curve_of(library)
    key = strings(library.size, 4, 1)[0]
    public, signature = rfc8032.public_key(curve, key), rfc8032.sign(curve, key, MESSAGE)
    r, s = signature[: library.size], int.from_bytes(signature[library.size :], "little")
    assert library.verify(signature, public, MESSAGE) is Status.OK
    limit = 1 << (8 * library.size)
    wrong = [s + multiple * curve.n for multiple in range(1, 20)] + [
        curve.n,
        curve.n + 1,
        limit - 1,
        limit // 2,
    ]
    wrong += [s | 1 << bit for bit in range(curve.n.bit_length(), 8 * library.size)]
    assert len([value for value in wrong if value < limit]) >= 5
    for value in wrong:
        if value < limit:
            forged = r + little(value, library.size)
            assert library.verify(forged, public, MESSAGE) is Status.BAD_SIGNATURE, hex(value)


def test_keys_of_small_order(library: RfcLibrary) -> None:
    """Refused in every encoding, though the equation can hold: with R = S B any message passes
    under the key 0.
    """
    curve = curve_of(library)
    s = 12345
    commitment = rfc8032.encode(curve, rfc8032.multiply(curve, s, curve.base))
    keys = small_keys(library.curve)
    assert len(keys) == {"ed25519": 14, "ed448": 12}[library.curve]
    for public in keys:
        forged = commitment + little(s, library.size)
        assert library.verify(forged, public, MESSAGE) is Status.BAD_PUBLIC_KEY, public.hex()


def test_bad_keys(library: RfcLibrary) -> None:
    curve = curve_of(library)
    signature = rfc8032.sign(curve, bytes(library.size), MESSAGE)
    for label, public in bad_keys(library.curve).items():
        assert library.verify(signature, public, MESSAGE) is Status.BAD_PUBLIC_KEY, label
    good = rfc8032.public_key(curve, bytes(library.size))
    assert library.verify(signature, good, MESSAGE) is Status.OK


@cache
def mixed_cases(name: str) -> list[tuple[bytes, bytes, bytes, bool]]:
    """Keys A + T or commitments R + T, T of small order: (key, message, signature,
    what the reference says).
    """
    curve = EDCURVES[name]
    a, r = 987654321, 1234567
    public, commitment = (rfc8032.multiply(curve, scalar, curve.base) for scalar in (a, r))
    cases = []
    for number, small in product(range(4), torsion(name)):
        for at_key in (True, False):
            key = rfc8032.encode(curve, rfc8032.add(curve, public, small) if at_key else public)
            point = rfc8032.encode(
                curve, commitment if at_key else rfc8032.add(curve, commitment, small)
            )
            message = bytes([number])
            forged = signature_by_hand(
                curve, scalar=a, public=key, commitment=point, r=r, message=message
            )
            cases.append((key, message, forged, rfc8032.verify(curve, forged, key, message)))
    return cases


def test_keys_and_commitments_of_mixed_order(library: RfcLibrary) -> None:
    """As the reference says, which has the equation without the cofactor."""
    cases = mixed_cases(library.curve)
    wanted = [good for *_, good in cases]
    assert wanted.count(True) >= 2
    assert wanted.count(False) >= 5
    for key, message, forged, good in cases:
        assert library.verify(forged, key, message) is (Status.OK if good else Status.BAD_SIGNATURE)


def test_commitments_of_small_order(library: RfcLibrary) -> None:
    """R = 0 with S = k a satisfies the equation and is let pass, as RFC 8032 has it;
    its other encodings are not.
    """
    curve = curve_of(library)
    a = 987654321
    public = rfc8032.encode(curve, rfc8032.multiply(curve, a, curve.base))
    neutral = rfc8032.encode(curve, curve.identity)
    number = int.from_bytes(neutral, "little")
    others = [number | 1 << (8 * library.size - 1), number + curve.p, curve.p]
    for value in [number, *others]:
        if value >= 1 << (8 * library.size):
            continue
        commitment = little(value, library.size)
        forged = signature_by_hand(
            curve, scalar=a, public=public, commitment=commitment, r=0, message=MESSAGE
        )
        wanted = Status.OK if commitment == neutral else Status.BAD_SIGNATURE
        assert library.verify(forged, public, MESSAGE) is wanted, commitment.hex()


def test_the_sign_of_keys_and_commitments(library: RfcLibrary) -> None:
    """-A and -R are other points: never accepted."""
    curve = curve_of(library)
    key = strings(library.size, 5, 1)[0]
    public, signature = rfc8032.public_key(curve, key), bytearray(rfc8032.sign(curve, key, MESSAGE))
    negated = bytes([*public[:-1], public[-1] ^ 0x80])
    assert library.verify(bytes(signature), public, MESSAGE) is Status.OK
    assert library.verify(bytes(signature), negated, MESSAGE) is Status.BAD_SIGNATURE
    signature[library.size - 1] ^= 0x80
    assert library.verify(bytes(signature), public, MESSAGE) is Status.BAD_SIGNATURE


def test_special_scalars(library: RfcLibrary, request: pytest.FixtureRequest) -> None:
    """S of long runs of equal bits with R = S B, which only a key of small order would let pass."""
    curve = curve_of(library)
    public = rfc8032.public_key(curve, bytes(library.size))
    for s in [0, 1, 2, curve.n - 1, curve.n - 2, (curve.n - 1) // 2, 1 << 200][
        : max(2, count(request, 7))
    ]:
        commitment = rfc8032.encode(curve, rfc8032.multiply(curve, s, curve.base))
        forged = commitment + little(s, library.size)
        assert library.verify(forged, public, MESSAGE) is Status.BAD_SIGNATURE, hex(s)


def test_keygen(library: RfcLibrary) -> None:
    for draw in strings(library.size, 6, scaled(5)):
        rng = Rng.of(draw)
        assert library.keygen(rng) == (Status.OK, rfc8032.public_key(curve_of(library), draw), draw)
        assert rng.calls == 1


def test_keygen_without_randomness(library: RfcLibrary) -> None:
    nothing = (Status.RNG_FAILED, bytes(library.size), bytes(library.size))
    assert library.keygen(None) == nothing
    assert library.keygen(Rng.empty()) == nothing
    assert library.keygen(Rng.of()) == nothing
    for byte in (0x00, 0xFF):
        assert library.keygen(Rng.of(bytes([byte]) * library.size)) == nothing, byte
