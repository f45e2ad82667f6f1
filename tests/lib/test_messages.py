"""lib/msg: what a device writes, against independent implementations of each format."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Literal

import cbor2
import cwt
import pytest
import rfc8785
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from ecfit.choices.curves import find_curve
from ecfit.oracle import rfc7748
from ecfit_lab.message import cose, forms, jss, recovery
from ecfit_lab.message.algorithms import ALGORITHMS, Key, verify
from ecfit_lab.message.refusal import MessageRefusedError, Reason
from workshop.library import recovery as lib_recovery
from workshop.library.api import Rng
from workshop.library.messages import MESSAGES, Messages, Pair, Status
from workshop.library.rfc_cases import small_keys
from workshop.paths import C_TESTS, INCLUDE

SAMPLE: list[Pair] = [("chip_temp", 20953), ("measurement_id", 34)]  # of the paper, figure 2
LARGEST = 2**53 - 1
SIGNERS = {one.name: one for one in ALGORITHMS if one.curve != "ed448"}


@pytest.fixture(scope="module")
def messages() -> Messages:
    return Messages()


@cache
def pair(curve: str) -> tuple[bytes, Key]:
    """A key pair: the library's private key, and the public one."""
    raw, point = serialization.Encoding.Raw, serialization.PublicFormat.Raw
    if curve == "ed25519":
        own = ed25519.Ed25519PrivateKey.generate()
        return own.private_bytes_raw(), Key(curve, own.public_key().public_bytes(raw, point))
    private = ec.generate_private_key(getattr(ec, curve.upper())())
    size = find_curve(curve).scalar_bytes
    encoded = private.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    number = private.private_numbers().private_value
    return number.to_bytes(size, "big"), Key(curve, encoded)


def test_the_sample_of_the_paper(messages: Messages) -> None:
    """39 characters unsigned, 154 signed."""
    private, key = pair("secp192r1")
    status, plain = messages.write("json_write", SAMPLE)
    assert (status, plain) == (Status.OK, b'{"chip_temp":20953,"measurement_id":34}')
    assert len(plain) == 39
    status, signed = messages.sign("jss_sign", "es192", private, SAMPLE)
    assert status == Status.OK
    assert len(signed) == 154
    assert json.loads(signed)["jss.protected"] == {"alg": "ES192"}
    assert jss.check(signed, key) == dict(SAMPLE)


def some_members(rng: random.Random, named: bool) -> list[Pair]:
    letters = [chr(c) for c in range(0x20, 0x7F) if chr(c) not in '"\\']
    found: dict[str | int, int] = {}
    for _ in range(rng.randint(1, 12)):
        name = "".join(rng.choices(letters, k=rng.choice((1, 2, 12, 23, 24))))
        label = rng.choice((rng.randint(-30, 30), rng.randint(-(2**31), 2**31 - 1)))
        value = rng.choice((0, -1, 9, 10, rng.randint(-LARGEST, LARGEST), LARGEST, -LARGEST, 255))
        found[name if named or rng.random() < 0.5 else label] = value
    members = [pair for pair in found.items() if not str(pair[0]).startswith("jss.")]
    rng.shuffle(members)
    return members or [("t", 1)]


def test_any_reading_is_canonical(messages: Messages) -> None:
    """As an independent RFC 8785 and an independent CBOR library write it, at each capacity."""
    rng = random.Random(1)
    for _ in range(300):
        members = some_members(rng, named=True)
        expected = rfc8785.dumps({str(name): value for name, value in members})
        assert messages.write("json_write", members, 600) == (Status.OK, expected)
        full = rng.randrange(len(expected))
        assert messages.write("json_write", members, full) == (Status.FULL, b"")
        mixed = some_members(rng, named=False)
        pairs = sorted((cbor2.dumps(key), cbor2.dumps(value)) for key, value in mixed)
        whole = cbor2.dumps(dict(mixed))[:1] + b"".join(key + value for key, value in pairs)
        assert messages.write("cbor_write", mixed, 600) == (Status.OK, whole)
        full = rng.randrange(len(whole))
        assert messages.write("cbor_write", mixed, full) == (Status.FULL, b"")


@pytest.mark.parametrize("name", SIGNERS)
def test_signed_json(messages: Messages, name: str) -> None:
    """Verified by `cryptography`; exactly the canonical form; any capacity below is too small."""
    private, key = pair(SIGNERS[name].curve)
    rng = random.Random(name)
    for members in (SAMPLE, some_members(rng, named=True), [("zzz", -1)], [("a", 0)]):
        status, data = messages.sign("jss_sign", name.lower(), private, members, 1000)
        assert status == Status.OK
        assert jss.check(data, key) == dict(members)
        assert rfc8785.dumps(json.loads(data)) == data
        for capacity in (0, 1, len(data) - 1, rng.randrange(len(data))):
            again = messages.sign("jss_sign", name.lower(), private, members, capacity)
            assert again == (Status.FULL, b"")
        exact = messages.sign("jss_sign", name.lower(), private, members, len(data))
        assert exact == (Status.OK, data)


def cose_key(curve: str, private: bytes, key: Key) -> Any:
    """The key for the COSE library."""
    if curve == "ed25519":
        return cwt.COSEKey.new({1: 1, 3: -8, -1: 6, -2: key.public})
    number, alg = {"secp256r1": (1, -7), "secp384r1": (2, -35), "secp521r1": (3, -36),
                   "secp256k1": (8, -47)}[curve]  # fmt: skip
    half = len(key.public) // 2
    x, y = key.public[1 : 1 + half], key.public[1 + half :]
    return cwt.COSEKey.new({1: 2, 3: alg, -1: number, -2: x, -3: y})


@pytest.mark.parametrize("name", SIGNERS)
def test_cose(messages: Messages, name: str) -> None:
    """Verified by an independent COSE library, which does not know ES192, and by our reader."""
    private, key = pair(SIGNERS[name].curve)
    rng = random.Random(name)
    for members in (SAMPLE, some_members(rng, named=False), [(1, 20953), (2, 34)]):
        status, data = messages.sign("cose_sign1", name.lower(), private, members, 1000)
        assert status == Status.OK
        assert cose.check(data, key) == dict(members)
        if name != "ES192":
            seen = cwt.COSE.new().decode(data, cose_key(key.curve, private, key))
            assert cbor2.loads(seen) == dict(members)
        assert messages.sign("cose_sign1", name.lower(), private, members, len(data)) == (
            Status.OK,
            data,
        )
        for capacity in (0, 1, len(data) - 1, rng.randrange(len(data))):
            again = messages.sign("cose_sign1", name.lower(), private, members, capacity)
            assert again == (Status.FULL, b"")


FULLY_SPECIFIED = {  # RFC 9864, 2.1 and 2.2: what a copy of the object is called
    "es256": ("ES256", -9), "es384": ("ES384", -51), "es512": ("ES512", -52),
    "eddsa": ("Ed25519", -19),
}  # fmt: skip


@pytest.mark.parametrize("name", FULLY_SPECIFIED)
def test_a_signer_with_the_name_of_rfc_9864(messages: Messages, name: str) -> None:
    """A copy writes it, which our reader and an independent one take; the objects themselves write
    what all readers know.
    """
    usual = next(one for one in ALGORITHMS if one.name.lower() == name)
    private, key = pair(usual.curve)
    alg, number = FULLY_SPECIFIED[name]
    signer = messages.renamed(name, alg, number)
    forms: tuple[tuple[str, dict[Any, Any], Any], ...] = (
        ("cose_sign1", {usual.number: name, number: signer}, cose.check),
        ("jss_sign", {usual.name: name, alg: signer}, jss.check),
    )
    for form, wanted, read in forms:
        for called, given in wanted.items():
            status, data = messages.sign(form, given, private, SAMPLE)
            assert status == Status.OK
            assert read(data, key) == dict(SAMPLE)
            if form == "cose_sign1":
                assert cbor2.loads(cbor2.loads(data).value[0]) == {1: called}
                theirs = cwt.COSEKey.new({**cose_key(key.curve, private, key).to_dict(), 3: called})
                assert cbor2.loads(cwt.COSE.new().decode(data, theirs)) == dict(SAMPLE)
            else:
                assert json.loads(data)["jss.protected"] == {"alg": called}


def test_labels_save_24_bytes(messages: Messages) -> None:
    """docs/telemetry.md says so of the sample."""
    private, _ = pair("secp192r1")
    _, named = messages.sign("cose_sign1", "es192", private, SAMPLE)
    _, labelled = messages.sign("cose_sign1", "es192", private, [(1, 20953), (2, 34)])
    assert (len(named), len(labelled)) == (94, 70)


BAD: list[tuple[str, list[Pair]]] = [
    ("no member", []),
    ("no name", [("", 1)]),
    ("a name twice", [("a", 1), ("b", 1), ("a", 2)]),
    ("a name of the signature's", [("jss.signature", 1)]),
    ("another one", [("jss.", 1)]),
    ("a quote", [('a"', 1)]),
    ("a backslash", [("a\\", 1)]),
    ("a control character", [("a\n", 1)]),
    ("a delete", [("a\x7f", 1)]),
    ("not ASCII", [("ä", 1)]),
    ("too large", [("a", LARGEST + 1)]),
    ("too small", [("a", -LARGEST - 1)]),
]


@pytest.mark.parametrize(("what", "members"), BAD)
def test_members_that_cannot_be_written(messages: Messages, what: str, members: list[Pair]) -> None:
    private, _ = pair("secp192r1")
    refused = Status.BAD_MEMBERS, b""
    assert messages.write("json_write", members) == refused, what
    assert messages.write("cbor_write", members) == refused, what
    assert messages.sign("jss_sign", "es192", private, members) == refused, what
    assert messages.sign("cose_sign1", "es192", private, members) == refused, what


def test_labels(messages: Messages) -> None:
    """CBOR alone has them, and each once."""
    assert messages.write("json_write", [(1, 5)]) == (Status.BAD_MEMBERS, b"")
    assert messages.write("cbor_write", [(1, 5), (1, 6)]) == (Status.BAD_MEMBERS, b"")
    assert messages.write("cbor_write", [(1, 5), (-1, 6)])[0] == Status.OK


@pytest.mark.parametrize("private", [bytes(24), b"\xff" * 24])
def test_a_key_that_is_none(messages: Messages, private: bytes) -> None:
    for form in ("jss_sign", "cose_sign1"):
        assert messages.sign(form, "es192", private, SAMPLE) == (Status.NOT_SIGNED, b"")
    drawn = Rng(lambda size: random.Random(size).randbytes(size))
    refused = messages.recovery("secp192r1", private, b"x", b"", drawn)
    assert refused == (Status.NOT_SIGNED, b"")


@pytest.mark.parametrize("curve", recovery.GROUPS)
def test_message_recovery(messages: Messages, curve: str) -> None:
    """What is recovered is what was signed; each byte that is changed is noticed."""
    private, key = pair(curve)
    source = random.Random(curve)
    rng = Rng(source.randbytes)
    overhead = recovery.sizes(find_curve(curve)).overhead
    seen = set()
    for size in (0, 1, 6, 20, 240):
        message, visible = source.randbytes(size), source.randbytes(size // 2)
        status, data = messages.recovery(curve, private, message, visible, rng)
        assert status == Status.OK
        assert len(data) == overhead + size
        assert recovery.check(data, key, visible) == message
        seen.add(data)
        again = messages.recovery(curve, private, message, visible, rng, capacity=len(data) - 1)
        assert again == (Status.FULL, b"")
    assert len(seen) == 5
    message = b"\x82\x19\x51\xd9\x18\x22"
    _, data = messages.recovery(curve, private, message, b"", rng)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1 << source.randrange(8)
        with pytest.raises(MessageRefusedError):
            recovery.check(bytes(changed), key)
    with pytest.raises(MessageRefusedError, match="redundancy"):
        recovery.check(data, key, b"other")
    assert messages.recovery(curve, private, bytes(241), b"", rng) == (Status.BAD_MEMBERS, b"")
    assert messages.recovery(curve, private, b"x", b"", None) == (Status.NOT_SIGNED, b"")
    for none in (Rng.of(), Rng.empty()):
        assert messages.recovery(curve, private, b"x", b"", none) == (Status.NOT_SIGNED, b"")
    stuck = Rng(bytes)
    assert messages.recovery(curve, private, b"x", b"", stuck) == (Status.NOT_SIGNED, b"")


@pytest.mark.parametrize("curve", recovery.GROUPS)
def test_message_recovery_by_other_libraries(messages: Messages, curve: str) -> None:
    """What the device signs, a receiver on OpenSSL or libsodium takes; what such a sender signs,
    ours takes (lib_recovery: no published vectors exist).
    """
    private, key = pair(curve)
    source = random.Random(curve)
    for size in (0, 6, 31, 32, 240):
        message, visible = source.randbytes(size), source.randbytes(size // 3)
        _, data = messages.recovery(curve, private, message, visible, Rng(source.randbytes))
        assert lib_recovery.taken(curve, data, key.public, visible) == message
        assert lib_recovery.taken(curve, data, key.public, visible + b"x") is None
        k = source.randrange(1, lib_recovery.order(curve))
        other = lib_recovery.made(curve, secret(curve, private), k, message, visible)
        assert len(other) == len(data)
        assert recovery.check(other, key, visible) == message


@pytest.mark.parametrize("curve", recovery.GROUPS)
def test_where_the_message_ends_is_signed(messages: Messages, curve: str) -> None:
    """Bytes that move between what is recovered and what is sent beside it make another message:
    refused, though their order in the hash is the same.
    """
    private, key = pair(curve)
    source = random.Random(curve)
    scalar = recovery.sizes(find_curve(curve)).scalar
    message, visible = b"open valve 12", b"to: pump 7"
    _, data = messages.recovery(curve, private, message, visible, Rng(source.randbytes))
    assert recovery.check(data, key, visible) == message
    c, s = data[:-scalar], data[-scalar:]
    for moved in range(1, len(visible) + 1):
        with pytest.raises(MessageRefusedError):
            recovery.check(c + visible[:moved] + s, key, visible[moved:])
        assert (
            lib_recovery.taken(curve, c + visible[:moved] + s, key.public, visible[moved:]) is None
        )
    for moved in range(1, len(message) + 1):
        with pytest.raises(MessageRefusedError):
            recovery.check(c[:-moved] + s, key, c[-moved:] + visible)
    _, alone = messages.recovery(curve, private, message, b"", Rng(source.randbytes))
    c, s = alone[:-scalar], alone[-scalar:]
    for moved in range(1, len(message) + 1):
        with pytest.raises(MessageRefusedError):
            recovery.check(c[:-moved] + s, key, c[-moved:])


@pytest.mark.parametrize("curve", recovery.GROUPS)
def test_hostile_signatures_with_recovery(messages: Messages, curve: str) -> None:
    """Cut, longer, of other scalars, of other keys, by guesses without a key: each refused."""
    private, key = pair(curve)
    source, size = random.Random(curve), recovery.sizes(find_curve(curve))
    n = lib_recovery.order(curve)
    end: Literal["big", "little"] = "big" if curve in lib_recovery.NIST else "little"
    message = source.randbytes(40)
    _, data = messages.recovery(curve, private, message, b"v", Rng(source.randbytes))
    c, s = data[: -size.scalar], int.from_bytes(data[-size.scalar :], end)
    top = 1 << 8 * size.scalar
    scalars = [0, 1, n - 1, n, n - s, s ^ 1, s + 1, top - 1, *range(s + n, top, n)]
    forged = [c + value.to_bytes(size.scalar, end) for value in scalars[:9]]
    forged += [data[:cut] for cut in range(len(data))] + [data[cut:] for cut in range(1, len(data))]
    forged += [data + bytes(more) for more in (1, 16, 32, 168, 400)]
    forged += [bytes(more) + data for more in (1, 16, 32)]
    forged += [data[:place] + data[place + 1 :] for place in range(0, len(data), 3)]
    forged += [bytes(size.overhead + more) for more in (0, 1, 240)]
    forged += [source.randbytes(size.overhead + more) for more in (0, 5, 240) for _ in range(5)]
    forged += [c[32:] + c[:32] + data[-size.scalar :], data[-size.scalar :] + c, data[::-1]]
    for one in forged:
        with pytest.raises(MessageRefusedError):
            recovery.check(one, key, b"v")
    for wrong in (b"", b"V", b"v\0", b"\0v", b"vv"):
        with pytest.raises(MessageRefusedError):
            recovery.check(data, key, wrong)
    with pytest.raises(MessageRefusedError):
        recovery.check(data, pair("secp256r1" if curve != "secp256r1" else "ed25519")[1], b"v")
    points = [key.public[:-1], key.public + b"\0", bytes(len(key.public)), b"\xff" * 32,
              b"\xff" * len(key.public), key.public[::-1], b""]  # fmt: skip
    if curve in lib_recovery.NIST:
        points += [bytes([lead]) + key.public[1:] for lead in (0, 2, 3, 6, 7)]
    else:  # of small order: with the neutral element, R is s G and anybody can sign
        points += small_keys(curve)
        assert (1).to_bytes(32, "little") in points
        masked = recovery.mask(bytes(16) + b"forged", lib_recovery.combined(curve, 5))
        data = masked + (5).to_bytes(32, "little")
    for public in points:
        with pytest.raises(MessageRefusedError):
            recovery.check(data, Key(curve, public), b"v")


def secret(curve: str, private: bytes) -> int:
    """The private key as a number; of Ed25519 as RFC 8032, 5.1.5 makes it of the seed."""
    if curve != "ed25519":
        return int.from_bytes(private, "big")
    hashed = int.from_bytes(hashlib.sha512(private).digest()[:32], "little")
    return hashed & ((1 << 254) - 8) | 1 << 254


def test_nonces_of_edwards25519_have_both_signs(messages: Messages) -> None:
    """s = k + h d gives k away to who knows d: half of them must be in each half of the range,
    after the division by 8 that shows how they were made.
    """
    private, key = pair("ed25519")
    order = 2**252 + 27742317777372353535851937790883648493
    rng = Rng(random.Random(8).randbytes)
    d, upper = secret("ed25519", private), 0
    for _ in range(200):
        _, data = messages.recovery("ed25519", private, b"m", b"", rng)
        masked, s = data[:-32], int.from_bytes(data[-32:], "little")
        k = (s - recovery.challenge(masked, b"", 16) * d) % order
        upper += k * pow(8, -1, order) % order >= 2**251
        point = rfc7748.commitment(
            "ed25519", key.public, data[-32:], recovery.challenge(masked, b"", 16)
        )
        assert point is not None
        assert recovery.mask(masked, point)[16:] == b"m"
    assert 70 <= upper <= 130  # less likely than 1 in 40,000 otherwise


def test_reasons_of_recovery() -> None:
    _, key = pair("secp192r1")
    with pytest.raises(MessageRefusedError) as error:
        recovery.check(bytes(35), key)
    assert error.value.reason == Reason.SIGNATURE_SIZE
    with pytest.raises(MessageRefusedError) as error:
        recovery.check(bytes(12) + b"\xff" * 24, key)
    assert error.value.reason == Reason.WRONG_SIGNATURE


@pytest.mark.parametrize("compiler", ["gcc -g", "clang -gdwarf-4"])
@pytest.mark.parametrize("optimisation", ["-Os", "-O2"])
def test_key_and_nonce_decide_nothing(compiler: str, optimisation: str, tmp_path: Path) -> None:
    """What lib/msg computes from them itself, as undefined memory under valgrind; a branch that is
    planted is found.
    """
    program = tmp_path / "ct"
    command = [*compiler.split(), "-std=c11", optimisation, f"-I{INCLUDE}", f"-I{MESSAGES}"]
    sources = [str(C_TESTS / "ct_messages.c"), str(MESSAGES / "writer.c")]
    subprocess.run([*command, *sources, "-o", str(program)], timeout=120, check=True)
    valgrind = ["valgrind", "-q", "--error-exitcode=9", str(program)]
    good = subprocess.run(valgrind, capture_output=True, text=True, timeout=120, check=False)
    assert good.returncode == 0, good.stderr
    planted = subprocess.run([*valgrind, "x"], capture_output=True, timeout=120, check=False)
    assert planted.returncode == 9


def epoch(messages: Messages, rng: Rng | None) -> tuple[Status, Pair]:
    """ecfit_msg_boot_epoch, from a member that holds something else."""
    return messages.boot_epoch(("before", 5), rng)


def test_a_boot_epoch(messages: Messages) -> None:
    """53 random bits under the name that the gateway looks for, in all three forms; without random
    numbers the member stays as it is.
    """
    for drawn, value in ((b"\xff" * 7, LARGEST), (bytes(7), 0), (bytes(range(7)), 0x10203040506)):
        assert epoch(messages, Rng.of(drawn)) == (Status.OK, (forms.EPOCH, value))
    assert epoch(messages, Rng.of()) == (Status.NOT_SIGNED, ("before", 5))
    assert epoch(messages, None) == (Status.NOT_SIGNED, ("before", 5))
    assert epoch(messages, Rng.empty()) == (Status.NOT_SIGNED, ("before", 5))
    private, key = pair("secp256r1")
    members = [epoch(messages, Rng.of(b"\xff" * 7))[1], *SAMPLE]
    _, packed = messages.write("cbor_write", members)
    source = Rng(random.Random(1).randbytes)
    for data, form in (
        (messages.sign("jss_sign", "es256", private, members)[1], None),
        (messages.sign("cose_sign1", "es256", private, members)[1], forms.COSE_SIGN1),
        (messages.recovery("secp256r1", private, packed, b"", source)[1], forms.OCTETS),
    ):
        opened = forms.parse(data, form).opened(key, verify)
        assert opened.payload == {"boot_epoch": LARGEST, **dict(SAMPLE)}


def test_the_label_of_the_epoch_is_the_gateways() -> None:
    header = (MESSAGES / "ecfit_msg.h").read_text()
    assert f"#define ECFIT_MSG_EPOCH_LABEL ({forms.EPOCH_LABEL})" in header
