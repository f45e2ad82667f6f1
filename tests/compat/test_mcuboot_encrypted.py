"""Encrypted images of compat/mcuboot beside imgtool, which encrypts, and `cryptography`'s AES.

MCUboot itself is not here: sweep `compat-mcuboot` runs its simulator with encrypted images.
"""

from __future__ import annotations

import ctypes
from functools import cache

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from imgtool.image import Image
from imgtool.keys import ECDSA256P1, X25519

from tests.compat.test_mcuboot import HERE, KINDS
from workshop.compat.adapters import COMPAT, on_ecfit

SCHEMES = {
    "EC256": (KINDS["secp256r1"], ["secp256r1"], ECDSA256P1, 65),
    "X25519": (KINDS["ed25519"], ["ed25519", "x25519"], X25519, 32),
}
CASES = [(scheme, size) for scheme in SCHEMES for size in (16, 32)]
BLOCK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
AES = 'DECFIT_MCUBOOT_AES="aes_ctr.h"'


def built(scheme: str, key_size: int, *flags: str, **sets: str) -> ctypes.CDLL:
    """The shim with encrypted images."""
    kind, curves, _, _ = SCHEMES[scheme]
    chosen = {"HASH_STREAM": "own", **kind.sets, **sets}
    more = [f"I{HERE}", f"I{HERE / 'stand_in'}", f"D{kind.macro}", "DMCUBOOT_ENC_IMAGES"]
    more += [f"DMCUBOOT_ENCRYPT_{scheme}", *flags]
    more += ["DMCUBOOT_AES_256"] if key_size == 32 else []
    return ctypes.CDLL(str(on_ecfit("mcuboot", [HERE / "encrypted.c"], curves, chosen, flags=more)))


class Shim:
    """A built shim whose AES is that of `cryptography`."""

    def __init__(self, scheme: str, key_size: int) -> None:
        self.c, self.size = built(scheme, key_size, AES), key_size
        self.block = BLOCK(self.encrypt)  # kept: C calls it
        ctypes.c_void_p.in_dll(self.c, "aes_block").value = ctypes.cast(
            self.block, ctypes.c_void_p
        ).value

    def encrypt(self, out: int, key: int, data: int) -> None:
        aes = Cipher(algorithms.AES(ctypes.string_at(key, self.size)), modes.ECB()).encryptor()
        ctypes.memmove(out, aes.update(ctypes.string_at(data, 16)), 16)

    def own(self, der: bytes) -> None:
        """The private key in the boot loader."""
        self.c.choose_enc_key(bytes(der), len(der))

    def load(self, tlv: bytes, times: int = 1) -> tuple[int, bytes]:
        """What boot_enc_load answers for an image with this TLV; the key, or 0xee."""
        key = ctypes.create_string_buffer(self.size)
        self.c.choose_tlv(tlv, ctypes.c_uint16(len(tlv)))
        answer: int = self.c.load(key, times)
        return answer, key.raw


@cache
def shim(scheme: str, key_size: int) -> Shim:
    """Built once."""
    return Shim(scheme, key_size)


@cache
def private(scheme: str) -> ECDSA256P1 | X25519:
    """A key pair of imgtool."""
    return SCHEMES[scheme][2].generate()


def sealed(scheme: str, plain: bytes) -> bytes:
    """The TLV that imgtool writes."""
    cipher, tag, public = Image.ecies_hkdf(None, private(scheme), plain, hashes.SHA256())
    return bytes(public + tag + cipher)


@pytest.mark.parametrize(("scheme", "size"), CASES)
def test_the_key_of_an_image_of_imgtool(scheme: str, size: int) -> None:
    one = shim(scheme, size)
    for minimal in (False, True):
        one.own(private(scheme).get_private_bytes(minimal, "pkcs8"))
        for first in range(3):
            plain = bytes((first + 7 * i) % 256 for i in range(size))
            assert one.load(sealed(scheme, plain)) == (0, plain)
            assert one.load(sealed(scheme, plain), times=2) == (1, plain), "it is there already"


@pytest.mark.parametrize(("scheme", "size"), CASES)
def test_nothing_altered_gives_a_key(scheme: str, size: int) -> None:
    """Every bit of every byte of the TLV, other lengths, none, and one for somebody else."""
    one, plain = shim(scheme, size), bytes(range(size))
    one.own(private(scheme).get_private_bytes(False, "pkcs8"))
    tlv, none = sealed(scheme, plain), b"\xee" * size
    ignored = {(31, 0x80)} if scheme == "X25519" else set()  # RFC 7748, 5: the top bit of u
    for at in range(len(tlv)):
        for bit in (1 << i for i in range(8)):
            altered = tlv[:at] + bytes([tlv[at] ^ bit]) + tlv[at + 1 :]
            wanted = (0, plain) if (at, bit) in ignored else (-1, none)
            assert one.load(altered) == wanted, (at, bit)
    for other in (tlv[:-1], tlv + b"\0", b""):
        assert one.load(other) == (-1, none)
    public = SCHEMES[scheme][3]
    assert one.load(bytes(public) + tlv[public:]) == (-1, none), "no point, or one of order 1"
    stranger = SCHEMES[scheme][2].generate()
    one.own(stranger.get_private_bytes(False, "pkcs8"))
    assert one.load(tlv) == (-1, none)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_private_keys_in_other_forms_are_refused(scheme: str) -> None:
    one, tlv = shim(scheme, 16), sealed(scheme, bytes(range(16)))
    der = bytes(private(scheme).get_private_bytes(True, "pkcs8"))
    start = len(der) - 32  # of the key
    for at in range(start):
        length = at == 1 or (scheme == "EC256" and at in (start - 8, start - 6))
        one.own(der[:at] + bytes([der[at] ^ 1]) + der[at + 1 :])
        assert (one.load(tlv)[0] == 0) == length, at
    for size in (0, 1, 2, start, len(der) - 1):
        one.own(der[:size])
        assert one.load(tlv)[0] == -1, size
    if scheme == "EC256":
        one.own(private(scheme).get_private_bytes(False, "openssl"))
        assert one.load(tlv)[0] == -1


@pytest.mark.parametrize(("scheme", "size"), CASES)
@pytest.mark.parametrize(
    ("off", "skipped", "length"),
    [(0, 0, 64), (32, 0, 16), (16, 5, 40), (0x12345670, 0, 33), (0xFFFFFFF0, 15, 17), (0, 3, 0)],
)
def test_parts_of_an_image(scheme: str, size: int, off: int, skipped: int, length: int) -> None:
    """AES-CTR from the block at `off`, of which `skipped` bytes are not in the part."""
    one, key = shim(scheme, size), bytes(range(100, 100 + size))
    plain = bytes(i * 3 % 256 for i in range(length))
    room = ctypes.create_string_buffer(plain, length)
    one.c.crypt(room, ctypes.c_uint32(off), ctypes.c_uint32(length), ctypes.c_uint32(skipped), key)
    counter = (off // 16).to_bytes(16, "big")
    aes = Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor()
    assert room.raw == aes.update(bytes(skipped) + plain)[skipped:]


@pytest.mark.parametrize(
    ("scheme", "flags", "sets", "said"),
    [
        ("EC256", (), {}, "define ECFIT_MCUBOOT_AES as the header of your AES-CTR"),
        ("EC256", (AES, "DMCUBOOT_HMAC_SHA512"), {}, "MCUBOOT_ENCRYPT_EC256 or _X25519"),
        ("EC256", (AES,), {"ECDH": "none"}, "--curve secp256r1 --op ecdh"),
        ("EC256", (AES,), {"BLIND": "coordinates"}, "secp256r1.BLIND=none"),
        ("RSA", (AES,), {}, "MCUBOOT_ENCRYPT_EC256 or _X25519"),
    ],
)
def test_what_cannot_be_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
    scheme: str,
    flags: tuple[str, ...],
    sets: dict[str, str],
    said: str,
) -> None:
    monkeypatch.setitem(SCHEMES, "RSA", SCHEMES["EC256"])
    with pytest.raises(AssertionError, match=said):
        built(scheme, 16, *flags, **sets)


def test_without_encryption_nothing_of_it_is_built() -> None:
    """Its functions are MCUboot's own names."""
    source = (COMPAT / "mcuboot" / "ecfit_mcuboot.c").read_text(encoding="utf-8")
    before, _, behind = source.partition("\n#if defined(MCUBOOT_ENC_IMAGES)\n\n")
    assert "boot_enc" not in before and "boot_decrypt_key" in behind
