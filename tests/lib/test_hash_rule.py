"""ECDSA takes hashes of 16 to 64 bytes whose integer is not 0 modulo n, and nothing else.

For e = 0 the signature (Qx, Qx) is valid for the public key Q by FIPS 186-5, and anybody can make
it: an empty hash gives e = 0, and so does a buffer that nobody filled.
"""

from __future__ import annotations

import ctypes
import hashlib

import pytest
from ref import codec, ecdsa
from ref.curves import Curve
from ref.group import add, multiply, multiply_base

from ecfit.choices.curves import CURVES as BENCH_CURVES
from workshop.library.curves import (
    BAD_HASH,
    BAD_SIGNATURE,
    BUILDS,
    CURVES,
    NAMES,
    OK,
    Bound,
    generator,
)
from workshop.library.images import LIMIT, Chip
from workshop.library.steps import Task
from workshop.rigs.faults import Build, Rig
from workshop.rigs.forgeries import ZEROS, Forgery

SCALAR = 0xC0FFEE
SIZE_MAX = ctypes.c_size_t(-1).value
VERIFIED = 0xA53C965A
HARDENED, VERIFY = "ecdsa_verify_hardened", (("VERIFY", "hardened"),)
CHIPS = [
    ("samd20", "tiny", {}),
    ("nrf52840", "balanced", {"VERIFY": "hardened"}),
    ("stm32f103", "fast", {}),
    ("ibex", "lowram", {"INSTANCE": "own"}),
    ("esp32c3", "compact", {"VERIFY": "hardened"}),
]


def forged(curve: Curve) -> tuple[bytes, bytes]:
    """A public key, and the signature of e = 0 that follows from it."""
    point = multiply_base(curve, SCALAR)
    assert point is not None
    x = point[0] % curve.n
    assert ecdsa.verify(curve, point, b"", (x, x)), "the standard takes it"
    return codec.encode_point(curve, point), ecdsa.encode_signature(curve, (x, x))


def spelling(curve: Curve, value: int, size: int) -> bytes:
    """A hash of this many bytes with that integer; ones behind what counts of it."""
    spare = 8 * size - curve.order_bits
    return ((value + 1 << spare) - 1 if spare > 0 else value).to_bytes(size, "big")


def zeros(curve: Curve) -> list[bytes]:
    """Hashes of a right size whose integer is 0 modulo n."""
    found = [bytes(size) for size in (16, 20, 32, 48, 64)]
    for size in (curve.order_bytes, 64):
        if 8 * size >= curve.order_bits and 16 <= size <= 64:
            found += [spelling(curve, 0, size), spelling(curve, curve.n, size)]
    assert not any(ecdsa.takes(curve, digest) for digest in found)
    return found


def bad_sizes(curve: Curve) -> list[tuple[bytes, int]]:
    """A buffer, and a size that no hash has: nothing of the buffer is read."""
    digest = hashlib.shake_256(curve.name.encode()).digest(256)
    return [(digest, size) for size in (0, 1, 8, 15, 65, 66, 128, 256, SIZE_MAX, SIZE_MAX - 15)]


def unfit(curve: Curve) -> list[tuple[bytes, int]]:
    """All of them, and none at all."""
    return [*((data, len(data)) for data in zeros(curve)), *bad_sizes(curve), (b"", 0)]


def answers(bound: Bound, digest: bytes, size: int) -> list[tuple[int, bytes]]:
    """Status and output of each way to sign, and of each to verify, what is forged."""
    public, signature = forged(bound.curve)
    length, key = ctypes.c_size_t(size), bound.scalar(SCALAR)
    rng = generator(bound.curve.name)
    name = f"ecfit_{bound.curve.name}_ecdsa_verify"
    found = [
        bound.call("ecdsa_sign", 2 * bound.order, key, digest, length, ctypes.byref(rng)),
        (int(getattr(bound.lib, name)(signature, public, digest, length)), b""),
    ]
    if hasattr(bound.lib, f"{name}_start"):
        for run in (Task(bound).run, Task(bound).run_in):
            found += [run("ecdsa_sign", key, digest, length, rng=rng)]
            found += [run("ecdsa_verify", signature, public, digest, length)]
    if hasattr(bound.lib, f"{name}_hardened"):
        function = getattr(bound.lib, f"{name}_hardened")
        function.restype = ctypes.c_uint32
        answer = function(signature, public, digest, length)
        assert (answer ^ VERIFIED).bit_count() >= 4 and answer not in {0, 1}
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("build", BUILDS)
def test_what_is_no_hash_is_refused(build: str, name: str) -> None:
    """With a status of its own, by every function of every variant; outputs are zero."""
    bound = Bound(build, CURVES[name])
    for digest, size in unfit(bound.curve):
        for status, out in answers(bound, digest, size):
            assert (status, any(out)) == (BAD_HASH, False), (digest.hex(), size)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("build", ["tiny", "balanced", "blinded", "shared"])
def test_what_is_next_to_it_is_taken(build: str, name: str) -> None:
    """The shortest and the longest, and integers next to 0 and to n."""
    bound = Bound(build, CURVES[name])
    curve, point = bound.curve, multiply_base(bound.curve, SCALAR)
    some = hashlib.sha512(name.encode()).digest()
    digests = [some[:16], some, bytes(15) + b"\1"]
    if curve.order_bits <= 512:
        digests += [spelling(curve, e, 64) for e in (1, curve.n - 1, curve.n + 1)]
    public = codec.encode_point(curve, point)
    for digest in digests:
        assert ecdsa.takes(curve, digest)
        status, signature = bound.sign(SCALAR, digest, generator(name))
        r, s = (int.from_bytes(signature[i : i + bound.order], "big") for i in (0, bound.order))
        assert status == OK and ecdsa.verify(curve, point, digest, (r, s)), digest.hex()
        assert bound.verify(signature, public, digest) == OK
        assert bound.verify(forged(curve)[1], public, digest) == BAD_SIGNATURE


@pytest.mark.parametrize("name", NAMES)
def test_the_chance_of_a_genuine_hash(name: str) -> None:
    """SECURITY.md: of all hashes of a size, 2^-127 or fewer are 0 modulo the order."""
    curve = CURVES[name]
    for size in range(16, 65):
        bits = min(8 * size, curve.order_bits)
        zero = -(-(1 << bits) // curve.n)  # multiples of the order below 2^bits
        assert zero << 127 <= 1 << bits, size


@pytest.mark.parametrize("name", NAMES)
def test_a_signature_of_a_hash_that_the_forger_chose(name: str) -> None:
    """The first trap of SECURITY.md: R = aG + bQ, r = x(R), s = r/b, and the hash ar/b."""
    bound, curve = Bound("balanced", CURVES[name]), CURVES[name]
    public, limit = multiply_base(curve, SCALAR), 1 << min(curve.order_bits, 512)
    a, point = 11, add(curve, multiply_base(curve, 11), multiply(curve, 77, public))
    while point is not None and a * point[0] * pow(77, -1, curve.n) % curve.n >= limit:
        a, point = a + 1, add(curve, point, multiply_base(curve, 1))  # P-521: one in 512 fits
    assert point is not None
    r = point[0] % curve.n
    s = r * pow(77, -1, curve.n) % curve.n
    digest = spelling(curve, a * s % curve.n, min(curve.order_bytes, 64))
    signature = ecdsa.encode_signature(curve, (r, s))
    assert bound.verify(signature, codec.encode_point(curve, public), digest) == OK


@pytest.mark.parametrize("name", NAMES)
def test_a_message_as_a_hash_is_signed_in_its_first_bytes(name: str) -> None:
    """The second trap: a signature holds for each message that begins alike."""
    bound, curve = Bound("balanced", CURVES[name]), CURVES[name]
    message, first = bytes(range(100, 164)), min(curve.order_bytes, 63)
    status, signature = bound.sign(SCALAR, message, generator(name))
    public = codec.encode_point(curve, multiply_base(curve, SCALAR))
    behind = message[:first] + bytes(64 - first)
    before = bytes([message[0] ^ 1]) + message[1:]
    assert status == OK
    assert bound.verify(signature, public, before) == BAD_SIGNATURE
    alike = OK if curve.order_bits < 512 else BAD_SIGNATURE  # all 64 bytes count there
    assert bound.verify(signature, public, behind) == alike
    assert name != "secp256r1" or first == 32, "the number on the page"


@pytest.mark.parametrize(("target", "preset", "sets"), CHIPS)
def test_on_chips(target: str, preset: str, sets: dict[str, str]) -> None:
    """The library's own functions in images of Arm and RISC-V cores."""
    curve = CURVES["secp256r1"]
    public, signature = forged(curve)
    chip = Chip(target, preset, sets=sets, curve=BENCH_CURVES["secp256r1"])
    arena = chip.image.symbols["bench_arena"]
    at = {"signature": arena, "public": arena + 64, "hash": arena + 132}
    verify = f"ecfit_{curve.name}_ecdsa_verify"
    key = SCALAR.to_bytes(32, "big")
    for digest, size in unfit(curve):
        assert called(chip, verify, at, (signature, public, digest[:64], size)) == BAD_HASH
    for digest in (data for data in zeros(curve) if len(data) == 32):
        assert chip.call("verify", signature + public + digest, 0).status == BAD_HASH
        answer = chip.call("sign", key + digest, 64, bytes(range(1, 200)))
        assert (answer.status, any(answer.out)) == (BAD_HASH, False)


def test_no_fault_lets_a_zero_hash_through() -> None:
    """Hardened verification of e = 0 with one instruction skipped, or a register read as zero, in
    all that looks at the hash.
    """
    rig = Rig(Build("samd20", "gcc", "Os", "secp128r1", "balanced", HARDENED, VERIFY))
    public, signature = forged(CURVES["secp128r1"])
    for size in (0, 32):
        forgery = Forgery("a zero hash", signature, public, bytes(size), ZEROS)
        assert rig.whole(forgery) not in {VERIFIED, None}
        looked = rig.functions("ecdsa_verify", "verify_once", "verify_take", "sc_from_hash")
        found = rig.attack(forgery, VERIFIED, functions=looked)
        assert not found.accepted, size
        assert found.tried.total() > 100


def called(
    chip: Chip, name: str, at: dict[str, int], given: tuple[bytes, bytes, bytes, int]
) -> int:
    """What a verification in the image says, called as a program would."""
    chip.call("verify", bytes(161), 0)  # from reset
    machine, symbols, (signature, public, digest, size) = chip.machine, chip.image.symbols, given
    machine.write(at["signature"], signature)
    machine.write(at["public"], public)
    machine.write(at["hash"], digest)
    result = machine.call(
        symbols[name],
        (at["signature"], at["public"], at["hash"], size & 0xFFFFFFFF),
        sp=symbols["image_stack_top"],
        return_to=symbols["bench_return"],
        limit=LIMIT,
    )
    assert result.stop == "bkpt"
    return int(result.result)
