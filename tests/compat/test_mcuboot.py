"""compat/mcuboot beside `cryptography`: keys, hashes, signatures, and what is refused.

MCUboot itself is not here: `make long WHAT=compat-mcuboot` runs it (tools/rigs/mcuboot_peer.py).
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

from tools.docs import example_table
from tools.rigs import mcuboot_faults
from workshop.compat.adapters import COMPAT, ROOT, on_ecfit

DER = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
HERE = ROOT / "tests" / "compat" / "mcuboot"


class Kind(NamedTuple):
    """What MCUboot signs with: its macro, our configuration, the hash."""

    macro: str
    curve: str
    sets: dict[str, str]
    sha: str


KINDS = {
    kind.curve: kind
    for kind in (
        Kind("MCUBOOT_SIGN_EC256", "secp256r1", {"DER": "strict"}, "sha256"),
        Kind("MCUBOOT_SIGN_EC384", "secp384r1", {"DER": "strict"}, "sha384"),
        Kind("MCUBOOT_SIGN_ED25519", "ed25519", {}, "sha256"),
    )
}
ECDSA = ["secp256r1", "secp384r1"]


def built(
    kind: Kind, *defines: str, sources: Sequence[str] = ("inlines.c",), **sets: str
) -> ctypes.CDLL:
    """The shim for one kind of signature."""
    chosen = {"HASH_STREAM": "own", **kind.sets, **sets}
    more = [f"I{HERE}", f"I{HERE / 'stand_in'}", f"D{kind.macro}"]
    more += [f"D{define}" for define in defines]
    own = [HERE / source for source in sources]
    path = on_ecfit("mcuboot", own, [kind.curve], chosen, flags=more)
    return ctypes.CDLL(str(path))


@cache
def usual(curve: str) -> ctypes.CDLL:
    """The same, as it is without other settings."""
    return built(KINDS[curve])


def private(curve: str) -> ec.EllipticCurvePrivateKey:
    """A key pair."""
    return ec.derive_private_key(
        12345678901234567890, ec.SECP256R1() if "256" in curve else ec.SECP384R1()
    )


def parse(c: ctypes.CDLL, der: bytes) -> bytes | None:
    """The point, or None where it is refused."""
    room = ctypes.create_string_buffer(der, len(der))
    at = ctypes.c_void_p(ctypes.addressof(room))
    end = ctypes.c_void_p(ctypes.addressof(room) + len(der))
    if c.bootutil_ecdsa_parse_public_key(None, ctypes.byref(at), end) != 0:
        assert at.value == ctypes.addressof(room)
        return None
    assert at.value is not None
    return der[at.value - ctypes.addressof(room) :]


def verify(c: ctypes.CDLL, point: bytes, digest: bytes, signature: bytes) -> int:
    """What bootutil_ecdsa_verify returns."""
    done: int = c.bootutil_ecdsa_verify(
        None, point, ctypes.c_size_t(len(point)), digest, ctypes.c_size_t(len(digest)),
        signature, ctypes.c_size_t(len(signature)),
    )  # fmt: skip
    return done


@pytest.mark.parametrize("curve", ECDSA)
def test_a_key_is_taken_in_one_encoding(curve: str) -> None:
    c, der = usual(curve), private(curve).public_key().public_bytes(*DER)
    size = 2 * (32 if "256" in curve else 48) + 1
    assert parse(c, der) == der[-size:]
    for at in range(len(der) - size):
        altered = der[:at] + bytes([der[at] ^ 1]) + der[at + 1 :]
        assert parse(c, altered) is None, at
    assert parse(c, der[:-1]) is None
    assert parse(c, der + b"\0") is None
    assert parse(c, b"\0") is None
    other = private(ECDSA[1 - ECDSA.index(curve)]).public_key().public_bytes(*DER)
    assert parse(c, other) is None


@pytest.mark.parametrize("curve", ECDSA)
def test_signatures(curve: str) -> None:
    c, key, sha = usual(curve), private(curve), KINDS[curve].sha
    kind = hashes.SHA256() if sha == "sha256" else hashes.SHA384()
    der = key.public_key().public_bytes(*DER)
    point = parse(c, der)
    assert point is not None
    for number in range(20):  # r and s of several lengths
        message = f"message {number}".encode()
        digest = hashlib.new(sha, message).digest()
        signature = key.sign(message, ec.ECDSA(kind, deterministic_signing=True))
        assert verify(c, point, digest, signature) == 0
        assert verify(c, point, hashlib.new(sha, b"other").digest(), signature) != 0
        r, s = utils.decode_dss_signature(signature)
        assert verify(c, point, digest, utils.encode_dss_signature(r, s + 1)) != 0


@pytest.mark.parametrize("curve", ECDSA)
def test_signatures_are_strict_der(curve: str) -> None:
    """What BER allows is refused, and behind the signature all but zeros."""
    c, key, sha = usual(curve), private(curve), KINDS[curve].sha
    kind = hashes.SHA256() if sha == "sha256" else hashes.SHA384()
    digest = hashlib.new(sha, b"message").digest()
    der = key.public_key().public_bytes(*DER)
    point = parse(c, der)
    assert point is not None
    good = key.sign(b"message", ec.ECDSA(kind, deterministic_signing=True))
    assert verify(c, point, digest, good) == 0
    body = good[2:]
    longer = bytes([good[0], good[1] + 1, 2, body[1] + 1, 0]) + body[2:]
    for other in (good + b"\1", good[:-1], bytes([good[0], 0x81]) + good[1:], longer, b"", b"\x30"):
        assert verify(c, point, digest, other) != 0, other.hex()
    assert verify(c, point[:-1], digest, good) != 0
    assert verify(c, point, digest[:-1], good) != 0
    assert verify(c, b"\x04" + bytes(len(point) - 1), digest, good) != 0


@pytest.mark.parametrize("curve", ECDSA)
def test_what_imgtool_pads(curve: str) -> None:
    """Zeros up to the longest signature, as `imgtool --pad-sig` has them; nothing else, none of
    them inside, and none where they are not wanted.
    """
    c, key, sha = usual(curve), private(curve), KINDS[curve].sha
    unpadded = built(KINDS[curve], "ECFIT_MCUBOOT_UNPADDED")
    kind = hashes.SHA256() if sha == "sha256" else hashes.SHA384()
    point, longest = key.public_key().public_bytes(*DER), 72 if "256" in curve else 104
    point = point[7 - longest :]
    lengths = set()
    for number in range(400):
        digest = hashlib.new(sha, f"message {number}".encode()).digest()
        good = key.sign(digest, ec.ECDSA(utils.Prehashed(kind), deterministic_signing=True))
        if len(good) in lengths:
            continue
        lengths.add(len(good))
        room = longest - len(good)
        assert verify(c, point, digest, good + bytes(room)) == 0
        assert (verify(unpadded, point, digest, good + bytes(room)) == 0) == (room == 0)
        assert verify(c, point, hashlib.new(sha, b"other").digest(), good + bytes(room)) != 0
        wrong = [good + bytes(room + 1), good + bytes(200), bytes(longest), good[:2] + bytes(9)]
        wrong += [good[:size] + bytes(longest - size) for size in range(len(good) - 1)]
        for at in range(room):
            for value in (1, 0x30, 0x80, 0xFF):
                behind = bytearray(room)
                behind[at] = value
                wrong.append(good + bytes(behind))
        for inside in range(1, room + 1):  # a length that counts zeros as its own
            wrong.append(bytes([0x30, good[1] + inside]) + good[2:] + bytes(room))
        for other in wrong:
            assert verify(c, point, digest, other) != 0, other.hex()
    assert len(lengths) >= 3
    assert min(lengths) < longest - 1


def test_ed25519() -> None:
    c, key = usual("ed25519"), ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public = key.public_key().public_bytes(
        serialization.Encoding.Raw, serialization.PublicFormat.Raw
    )
    for size in (0, 1, 32, 300):
        message = bytes(range(256)) * 2
        message = message[:size]
        signature = key.sign(message)
        arguments = (message, ctypes.c_size_t(size))
        assert c.ED25519_verify(*arguments, signature, public) == 1
        assert c.ED25519_verify(*arguments, signature[:-1] + b"\xff", public) == 0
        assert c.ED25519_verify(*arguments, signature, public[::-1]) == 0


HARDENED = {"secp256r1": "hardened", "secp384r1": "hardened", "ed25519": "eddsa_hardened"}
PROFILE = "MCUBOOT_FIH_PROFILE_MEDIUM"


@pytest.mark.parametrize("curve", HARDENED)
def test_the_hardened_verification_returns_through_fih(curve: str) -> None:
    """bootutil_verify_sig: FIH_SUCCESS for a valid signature alone, and never FIH_FAILURE."""
    kind = KINDS[curve]
    hardened = kind._replace(sets=kind.sets | {"VERIFY": HARDENED[curve]})
    c = built(hardened, "ECFIT_MCUBOOT_HARDENED", PROFILE, sources=["hardened.c"])
    key = ed25519.Ed25519PrivateKey.generate() if curve == "ed25519" else private(curve)
    der = key.public_key().public_bytes(*DER)
    digest = hashlib.new(kind.sha, b"image").digest()
    if isinstance(key, ec.EllipticCurvePrivateKey):
        sha = hashes.SHA256() if kind.sha == "sha256" else hashes.SHA384()
        good = key.sign(digest, ec.ECDSA(utils.Prehashed(sha)))
    else:
        good = key.sign(digest)

    def answer(digest: bytes, signature: bytes) -> int:
        done: int = c.bootutil_verify_sig(
            digest, ctypes.c_uint32(len(digest)), signature, ctypes.c_size_t(len(signature)), 0
        )
        return done

    success, failure = (
        ctypes.c_int.in_dll(c, name).value for name in ("FIH_SUCCESS", "FIH_FAILURE")
    )
    c.choose_key(der, len(der))
    assert answer(digest, good) == success
    padded = good + bytes((72 if curve == "secp256r1" else 104) - len(good))
    if curve != "ed25519":
        assert answer(digest, padded) == success
    wrong = [answer(bytes([digest[0] ^ 1]) + digest[1:], good), answer(digest[:-1], good)]
    wrong += [answer(digest, good[:-1]), answer(digest, good[:-1] + bytes([good[-1] ^ 1]))]
    c.choose_key(der[1:-1] + b"\0", len(der) - 1)
    wrong.append(answer(digest, good))
    c.choose_key(der, 20)
    wrong.append(answer(digest, good))
    assert not {success, failure} & set(wrong)
    returns = ctypes.c_int.in_dll(c, "fih_returned").value
    right = 1 if curve == "ed25519" else 2
    assert returns == right + len(wrong), "each answer is given by FIH_RET"
    for name in ("bootutil_ecdsa_verify", "ED25519_verify"):
        assert not hasattr(c, name)


@pytest.mark.parametrize(
    ("defines", "sets", "said"),
    [
        (("ECFIT_MCUBOOT_HARDENED",), {"VERIFY": "hardened"}, "MCUBOOT_FIH_PROFILE_MEDIUM"),
        (("ECFIT_MCUBOOT_HARDENED", PROFILE), {}, "--set VERIFY=hardened"),
    ],
)
def test_hardened_needs_both(defines: tuple[str, ...], sets: dict[str, str], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        built(KINDS["secp256r1"], *defines, sources=["hardened.c"], **sets)


def test_the_tables_of_faults_are_the_record() -> None:
    """docs/from-mcuboot.md; the record itself needs MCUboot: tools/rigs/mcuboot_faults.py."""
    assert mcuboot_faults.document(check=True) == 0
    records = mcuboot_faults.load()
    found = {mcuboot_faults.build_of(record) for record in records}
    assert found == set(mcuboot_faults.BUILDS)
    for build in found:
        own = [one for one in records if mcuboot_faults.build_of(one) == build]
        assert len({one["image"] for one in own}) == 1, build
        assert len({one["adversary"] for one in own}) == len(own) == 13, build
        assert sum("flip" in one["tried"] for one in own) == 2, build


@pytest.mark.parametrize(
    ("curve", "defines", "sha"),
    [("secp256r1", (), "sha256"), ("secp384r1", (), "sha384"), ("ed25519", (), "sha256"),
     ("ed25519", ("MCUBOOT_SHA512",), "sha512"), ("secp256r1", ("MCUBOOT_SHA512",), "sha512")],
)  # fmt: skip
def test_the_hash_is_the_one_of_mcuboot(curve: str, defines: tuple[str, ...], sha: str) -> None:
    sets = {"SHA256": "own", "SHA512": "own"}
    c = built(KINDS[curve], *defines, **sets) if defines else usual(curve)
    data = bytes(range(251))
    for part in (1, 64, 300):
        out = ctypes.create_string_buffer(64)
        c.sha_in_parts(out, data, len(data), part)
        assert out.raw[: hashlib.new(sha).digest_size] == hashlib.new(sha, data).digest()


@pytest.mark.parametrize(
    ("curve", "defines", "sets", "said"),
    [
        ("secp256r1", ("MCUBOOT_BUILTIN_KEY",), {}, "take out MCUBOOT_BUILTIN_KEY"),
        ("secp256r1", (), {"HASH_STREAM": "none"}, "HASH_STREAM=own"),
        ("secp256r1", (), {"DER": "none"}, "--curve secp256r1 --set DER=strict"),
        ("secp384r1", (), {"DER": "none"}, "--curve secp384r1 --set DER=strict"),
    ],
)
def test_what_cannot_be_is_an_error(
    curve: str, defines: tuple[str, ...], sets: dict[str, str], said: str
) -> None:
    with pytest.raises(AssertionError, match=said):
        built(KINDS[curve], *defines, **sets)


def test_the_example_without_mcuboot_says_what_is_missing(tmp_path: Path) -> None:
    done = example_table.make("mcuboot", "host", tmp_path, "MCUBOOT=/nowhere")
    assert done.returncode == 2
    assert "MCUBOOT=/nowhere: not a checkout of MCUboot" in done.stderr


def test_the_size_of_the_shim() -> None:
    """What the issue asks: one C file of at most 400 lines."""
    (source,) = (COMPAT / "mcuboot").glob("*.c")
    assert source.read_text(encoding="utf-8").count("\n") <= 400
