"""Persistent keys of compat/psa, in storages of RAM, of files and of Mbed TLS: each call fails in
turn, each byte is altered, and nothing of a key stays in the library's RAM.
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
import subprocess
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from ecfit.build.fetch import code_folder
from ecfit.choices.peers import all_peers
from workshop.compat.psa import (
    ALREADY_EXISTS,
    ANY_USE,
    BAD_STATE,
    BUFFER_TOO_SMALL,
    DATA_CORRUPT,
    DATA_INVALID,
    DERIVE,
    DETERMINISTIC,
    DOES_NOT_EXIST,
    ECDH,
    ECDSA,
    EDWARDS,
    INSUFFICIENT_MEMORY,
    INSUFFICIENT_STORAGE,
    INVALID_ARGUMENT,
    INVALID_HANDLE,
    INVALID_SIGNATURE,
    KINDS,
    MONTGOMERY,
    NOT_PERMITTED,
    NOT_SUPPORTED,
    PURE_EDDSA,
    SHA,
    STORAGE,
    STORAGE_FAILURE,
    SUCCESS,
    TEST_ITS,
    Attributes,
    Kind,
    Psa,
)

P256, WITH = KINDS["secp256r1"], ECDSA | SHA["sha256"]
KEY, ID, HEAD = bytes(range(1, 33)), 0x1234, 28
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
POINT_2 = (
    ec.derive_private_key(2, ec.SECP256R1())
    .public_key()
    .public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
)
REFUSED = {DATA_CORRUPT, DATA_INVALID}


Buffer: TypeAlias = "ctypes._Pointer[ctypes.c_uint8]"
Length: TypeAlias = "ctypes._Pointer[ctypes.c_size_t]"


class Ram:
    """An ITS that keeps its records, and says and does at one call what a test asks for."""

    def __init__(self) -> None:
        self.records: dict[int, bytes] = {}
        self.calls: list[str] = []
        self.fails_at, self.fails_with, self.tears = -1, STORAGE_FAILURE, False
        self.stays_broken = False
        self.claims: int | None = None  # the size that it tells of any record

    def __call__(self, asked: bytes, uid: int, size: int, data: Buffer, length: Length) -> int:
        call = asked.decode()
        self.calls.append(call)
        number = len(self.calls) - 1
        if number == self.fails_at or (self.stays_broken and number > self.fails_at >= 0):
            if call == "s" and self.tears:
                self.write(uid, bytes(data[: size // 2]))
            return self.fails_with
        if call == "s":
            self.write(uid, bytes(data[:size]))
            return SUCCESS
        record = self.read(uid)
        if record is None:
            return DOES_NOT_EXIST
        if call == "i":
            length[0] = len(record) if self.claims is None else self.claims
        elif call == "g":
            length[0] = min(size, len(record))
            ctypes.memmove(data, record, length[0])
        else:
            self.remove(uid)
        return SUCCESS

    def write(self, uid: int, record: bytes) -> None:
        self.records[uid] = record

    def read(self, uid: int) -> bytes | None:
        return self.records.get(uid)

    def remove(self, uid: int) -> None:
        del self.records[uid]

    def fail(self, at: int, status: int, *, tears: bool = False) -> None:
        """The call of this number from now on fails so, all others work."""
        self.calls.clear()
        self.fails_at, self.fails_with, self.tears = at, status, tears


class Files(Ram):
    """The same in files of a folder, so that a new one finds them again."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def write(self, uid: int, record: bytes) -> None:
        (self.folder / "new").write_bytes(record)
        (self.folder / "new").rename(self.folder / f"{uid:x}")

    def read(self, uid: int) -> bytes | None:
        path = self.folder / f"{uid:x}"
        return path.read_bytes() if path.exists() else None

    def remove(self, uid: int) -> None:
        (self.folder / f"{uid:x}").unlink()


class Stored(Psa):
    """With a storage."""

    def use(self, storage: Ram) -> Ram:
        """Restarts with this storage."""
        self.storage = STORAGE(storage)
        self.c.choose_storage(self.storage)
        self.restart()
        return storage

    def attributes_for(
        self, kind: Kind, algorithm: int = WITH, id_: int = ID, usage: int = ANY_USE,
        *, public: bool = False,
    ) -> Attributes:  # fmt: skip
        """Of a persistent key."""
        type_ = kind.public if public else kind.pair
        return self.attributes(type_, algorithm, usage, kind.bits, lifetime=1, id=id_)


@cache
def built(*curves: str) -> Stored:
    """With these curves, or all."""
    return Stored(curves or tuple(KINDS), flags=TEST_ITS)


@pytest.fixture
def psa() -> Stored:
    """With P-256, and without keys."""
    built("secp256r1").use(Ram())
    return built("secp256r1")


@pytest.fixture
def ram(psa: Stored) -> Ram:
    return psa.use(Ram())


def stored(psa: Stored, ram: Ram, data: bytes = KEY) -> bytes:
    """The record of a key of P-256 that was imported."""
    assert psa.imported(psa.attributes_for(P256), data) == (SUCCESS, ID)
    return ram.records[ID]


def uses(psa: Stored) -> dict[str, Callable[[], int]]:
    """Each function that takes a key: its status with one of P-256."""
    digest = hashlib.sha256(b"m").digest()
    return {
        "attributes": lambda: psa.attributes_of(ID)[0],
        "export": lambda: psa.export(ID).status,
        "public": lambda: psa.public(ID).status,
        "purge": lambda: psa.purge(ID),
        "sign hash": lambda: psa.sign("hash", ID, WITH, digest).status,
        "sign": lambda: psa.sign("message", ID, WITH, b"m").status,
        "verify hash": lambda: psa.verify("hash", ID, WITH, digest, bytes(64)),
        "verify": lambda: psa.verify("message", ID, WITH, b"m", bytes(64)),
        "agree": lambda: psa.agree(ID, POINT_2).status,
    }


def refused(psa: Stored, wanted: set[int]) -> None:
    """Every function refuses the key, with a status of these, and keeps nothing of it."""
    for name, use in uses(psa).items():
        assert use() in wanted, name
        assert psa.c.bytes_in_use() == 0, name


# ---- what is stored lasts ------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_keys_survive_a_restart(name: str, tmp_path: Path) -> None:
    """Pairs, drawn and imported, and public keys, on every curve, in files."""
    psa = built()
    psa.use(Files(tmp_path))
    kind = KINDS[name]
    alg = ECDH if name in MONTGOMERY else PURE_EDDSA if name in EDWARDS else WITH
    assert psa.generated(psa.attributes_for(kind, alg)) == (SUCCESS, ID)
    private, public = psa.export(ID).out, psa.public(ID).out
    assert (len(private), len(public)) == (kind.size, kind.point)
    for number, key in ((1, private), (0x3FFFFFFF, public)):
        attributes = psa.attributes_for(kind, alg, number, public=key == public)
        assert psa.imported(attributes, key) == (SUCCESS, number)
        assert psa.c.bytes_in_use() == 0
    psa.use(Files(tmp_path))
    for number in (ID, 1):
        status, kept = psa.attributes_of(number)
        assert (status, kept.lifetime, kept.id, kept.type) == (SUCCESS, 1, number, kind.pair)
        assert (kept.usage, kept.algorithm, kept.bits) == (ANY_USE, alg, kind.bits)
        assert psa.export(number) == (SUCCESS, private)
        assert psa.public(number) == psa.export(0x3FFFFFFF) == (SUCCESS, public)
        if alg == ECDH:
            assert psa.agree(number, public) == psa.agree(psa.key(kind, private, ECDH), public)
        else:
            signature = psa.sign("message", number, alg, b"m").out
            assert psa.verify("message", 0x3FFFFFFF, alg, b"m", signature) == SUCCESS
            assert psa.verify("message", 0x3FFFFFFF, alg, b"x", signature) == INVALID_SIGNATURE
    psa.restart()
    for number in (ID, 1, 0x3FFFFFFF):
        assert psa.destroy(number) == SUCCESS
        assert psa.destroy(number) == psa.export(number).status == INVALID_HANDLE
    assert list(tmp_path.iterdir()) == []


def test_a_stored_key_signs_for_others(psa: Stored, ram: Ram) -> None:
    """`cryptography` verifies what a key signs after a restart, and signs the same (RFC 6979)."""
    alg = DETERMINISTIC | SHA["sha256"]
    assert psa.imported(psa.attributes_for(P256, alg), KEY) == (SUCCESS, ID)
    psa.use(ram)
    other = ec.derive_private_key(int.from_bytes(KEY, "big"), ec.SECP256R1())
    theirs = other.sign(b"m", ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
    wanted = b"".join(n.to_bytes(32, "big") for n in utils.decode_dss_signature(theirs))
    assert psa.sign("message", ID, alg, b"m") == (SUCCESS, wanted)


def test_identifiers_and_lifetimes(psa: Stored, ram: Ram) -> None:
    """Those of users only; no key in place of another; no lifetime but the two."""
    for number in (0, 0x40000000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
        attributes = psa.attributes_for(P256, id_=number)
        assert psa.imported(attributes, KEY) == psa.generated(attributes) == (INVALID_ARGUMENT, 0)
    for lifetime in (2, 0xFF, 0x100, 0x101, 0x80000001):
        attributes = psa.attributes(P256.pair, WITH, bits=256, lifetime=lifetime, id=ID)
        assert psa.imported(attributes, KEY) == psa.generated(attributes) == (NOT_SUPPORTED, 0)
    assert psa.imported(psa.attributes_for(P256), bytes(32)) == (INVALID_ARGUMENT, 0)
    assert psa.generated(psa.attributes_for(P256, public=True)) == (INVALID_ARGUMENT, 0)
    assert "s" not in ram.calls
    record = stored(psa, ram)
    assert psa.imported(psa.attributes_for(P256), KEY[::-1]) == (ALREADY_EXISTS, 0)
    assert psa.generated(psa.attributes_for(P256)) == (ALREADY_EXISTS, 0)
    ram.records[2] = b"of somebody else"
    assert psa.generated(psa.attributes_for(P256, id_=2)) == (ALREADY_EXISTS, 0)
    assert ram.records == {ID: record, 2: b"of somebody else"}
    assert psa.c.bytes_in_use() == 0
    psa.c.forget()
    refused(psa, {BAD_STATE})
    assert psa.destroy(ID) == BAD_STATE


def test_volatile_keys_beside_it(psa: Stored, ram: Ram) -> None:
    """A persistent key takes no slot, and is used where all are taken."""
    volatile = [psa.key(P256, KEY, WITH) for _ in range(4)]
    assert psa.imported(psa.attributes(P256.pair, WITH, bits=256), KEY)[0] == INSUFFICIENT_MEMORY
    stored(psa, ram, KEY[::-1])
    assert psa.export(ID) == (SUCCESS, KEY[::-1])
    assert [psa.export(key) for key in volatile] == 4 * [(SUCCESS, KEY)]
    assert psa.destroy(ID) == SUCCESS
    assert [psa.export(key) for key in volatile] == 4 * [(SUCCESS, KEY)]
    assert [psa.purge(key) for key in (*volatile, ID)] == [*4 * [SUCCESS], INVALID_HANDLE]
    assert psa.export(volatile[0]) == (SUCCESS, KEY)


def test_no_copy_stays_in_ram(psa: Stored, ram: Ram) -> None:
    """After success and after each kind of error: a key has no PSA_KEY_USAGE_CACHE."""

    def after(status: int, wanted: int) -> None:
        assert status == wanted
        assert psa.c.bytes_in_use() == 0

    stored(psa, ram)
    for name, use in uses(psa).items():
        wanted = SUCCESS if "verify" not in name else INVALID_SIGNATURE
        after(use(), NOT_PERMITTED if name == "agree" else wanted)
    digest = hashlib.sha256(b"m").digest()
    after(psa.export(ID, 31).status, BUFFER_TOO_SMALL)
    after(psa.public(ID, 64).status, BUFFER_TOO_SMALL)
    after(psa.sign("hash", ID, WITH, digest, 63).status, BUFFER_TOO_SMALL)
    after(psa.sign("hash", ID, WITH, digest[:31]).status, INVALID_ARGUMENT)
    after(psa.sign("hash", ID, WITH ^ 2, digest).status, NOT_PERMITTED)
    after(psa.verify("hash", ID, WITH, digest, bytes(63)), INVALID_SIGNATURE)
    psa.c.choose_generator(None)
    after(psa.sign("hash", ID, WITH, digest).status, -148)
    psa.use(Ram())
    agreeing = psa.attributes_for(P256, ECDH, usage=DERIVE)
    assert psa.imported(agreeing, KEY) == (SUCCESS, ID)
    after(psa.agree(ID, POINT_2).status, SUCCESS)
    after(psa.agree(ID, POINT_2, 31).status, BUFFER_TOO_SMALL)
    for wrong in (POINT_2[1:], POINT_2[:-1] + b"?"):
        after(psa.agree(ID, wrong).status, INVALID_ARGUMENT)
    after(psa.export(ID).status, NOT_PERMITTED)


# ---- what was stored is altered ------------------------------------------------------------------


@pytest.mark.parametrize("public", [False, True])
def test_each_flipped_bit_is_refused(psa: Stored, ram: Ram, *, public: bool) -> None:
    """Of the record of a pair and of a public key; such a key can be destroyed."""
    attributes = psa.attributes_for(P256, public=public)
    assert psa.imported(attributes, POINT_2 if public else KEY) == (SUCCESS, ID)
    record = ram.records[ID]
    for bit in range(8 * len(record)):
        altered = bytearray(record)
        altered[bit // 8] ^= 1 << bit % 8
        ram.records[ID] = bytes(altered)
        if bit % 8 == 0:
            refused(psa, REFUSED)
        assert psa.attributes_of(ID)[0] == (DATA_INVALID if bit < 32 else DATA_CORRUPT)
    assert psa.destroy(ID) == SUCCESS
    assert ram.records == {}


def test_a_record_of_another_length_is_refused(psa: Stored, ram: Ram) -> None:
    record = stored(psa, ram)
    for size in range(len(record)):
        ram.records[ID] = record[:size]
        refused(psa, {DATA_CORRUPT})
    for more in (b"\0", b"\xff", bytes(33)):
        ram.records[ID] = record + more
        refused(psa, {DATA_CORRUPT})
    ram.records[ID] = record + bytes(1000)
    refused(psa, {DATA_INVALID})
    ram.records[ID] = record
    for size in (0, 1, HEAD, HEAD + 1, len(record) - 1, len(record) + 1, HEAD + 133, 2**63):
        ram.claims = size  # the storage says so, and reads what there is
        refused(psa, REFUSED)
    ram.claims = None
    assert psa.export(ID) == (SUCCESS, KEY)


def resealed(record: bytes, at: int = 0, form: str = "", value: int = 0, key: bytes = b"") -> bytes:
    """With a field of the head changed, or another key, and a CRC that is right."""
    head, key = bytearray(record[:24]), key or record[HEAD:]
    if form:
        struct.pack_into(form, head, at, value)
    crc = zlib.crc32(key, zlib.crc32(bytes(head))) ^ 0xFFFFFFFF
    return bytes(head) + crc.to_bytes(4, "little") + key


def test_a_record_that_is_no_key_is_refused(psa: Stored, ram: Ram) -> None:
    """With a CRC by zlib, which is right: what another program may have stored there."""
    record = stored(psa, ram)
    assert resealed(record) == record
    point, off = b"\x04" + POINT_2[1:], POINT_2[:-1] + bytes([POINT_2[-1] ^ 1])
    public = resealed(record, 20, "<H", P256.public, point)
    ram.records[ID] = public
    assert psa.export(ID) == (SUCCESS, point)
    for what, altered in {
        "another format": resealed(record, 0, "<I", 0x326B6365),
        "of Mbed TLS": b"PSA\0KEY\0" + record[8:],
        "volatile": resealed(record, 4, "<I", 0),
        "read-only": resealed(record, 4, "<I", 0xFF),
        "another key's": resealed(record, 8, "<I", ID + 1),
        "unknown usage": resealed(record, 12, "<I", 0x10000),
        "AES": resealed(record, 20, "<H", 0x2400),
        "a public key of the length of a pair": resealed(record, 20, "<H", P256.public),
        "another curve": resealed(record, 22, "<H", 384),
        "no bits": resealed(record, 22, "<H", 0),
        "zero": resealed(record, key=bytes(32)),
        "the order": resealed(record, key=ORDER.to_bytes(32, "big")),
        "shorter": resealed(record, key=KEY[:31]),
        "longer": resealed(record, key=KEY + b"\1"),
        "no point": resealed(public, key=off),
    }.items():
        ram.records[ID] = altered
        for use in uses(psa).values():
            assert use() == DATA_INVALID, what
            assert psa.c.bytes_in_use() == 0, what
        assert psa.generated(psa.attributes_for(P256)) == (ALREADY_EXISTS, 0)
    ram.records = {ID + 1: record}  # that of one key under the identifier of another
    assert psa.attributes_of(ID + 1)[0] == DATA_INVALID


def test_a_key_of_a_larger_configuration() -> None:
    """Stored by a program with P-521, read by one that has P-256 alone."""
    larger, smaller = built(), built("secp256r1")
    ram = larger.use(Ram())
    kind = KINDS["secp521r1"]
    for number, public in ((ID, False), (ID + 1, True)):
        data = larger.public(ID).out if public else bytes([0, *range(1, kind.size)])
        attributes = larger.attributes_for(kind, id_=number, public=public)
        assert larger.imported(attributes, data) == (SUCCESS, number)
    smaller.use(ram)
    refused(smaller, {DATA_INVALID})
    assert smaller.attributes_of(ID + 1)[0] == DATA_INVALID


# ---- the storage fails ---------------------------------------------------------------------------

FAILURES = {
    STORAGE_FAILURE: STORAGE_FAILURE,
    INSUFFICIENT_STORAGE: INSUFFICIENT_STORAGE,
    DATA_CORRUPT: DATA_CORRUPT,
    NOT_PERMITTED: NOT_PERMITTED,
    INVALID_ARGUMENT: STORAGE_FAILURE,
    NOT_SUPPORTED: STORAGE_FAILURE,
    -132: STORAGE_FAILURE,
    5: STORAGE_FAILURE,
}


@pytest.mark.parametrize("tears", [False, True])
@pytest.mark.parametrize("failure", [*FAILURES, DOES_NOT_EXIST])
def test_each_call_fails_in_turn(failure: int, psa: Stored, ram: Ram, *, tears: bool) -> None:
    """Nothing is written, also where the storage kept half of a record, and nothing lost."""
    attributes = psa.attributes_for(P256)
    makers: list[Callable[[], tuple[int, int]]] = [
        lambda: psa.imported(attributes, KEY),
        lambda: psa.generated(attributes),
    ]
    for make in makers:
        ram.fail(-1, SUCCESS)
        assert make() == (SUCCESS, ID)
        calls = ram.calls.copy()
        assert psa.destroy(ID) == SUCCESS
        assert calls == ["i", "s"]
        for at, call in enumerate(calls):
            if failure == DOES_NOT_EXIST and call == "i":
                continue  # that is no failure here
            ram.fail(at, failure, tears=tears)
            assert make() == (FAILURES.get(failure, STORAGE_FAILURE), 0)
            assert (ram.records, psa.c.bytes_in_use()) == ({}, 0)
    record = stored(psa, ram)
    for name, use in uses(psa).items():
        ram.fail(-1, SUCCESS)
        use()
        for at in range(len(ram.calls)):
            ram.fail(at, failure)
            assert use() == FAILURES.get(failure, INVALID_HANDLE), name
            assert (ram.records, psa.c.bytes_in_use()) == ({ID: record}, 0)
    ram.fail(0, failure)
    assert psa.destroy(ID) == FAILURES.get(failure, INVALID_HANDLE)
    assert psa.export(ID) == (SUCCESS, KEY)
    assert psa.destroy(ID) == SUCCESS


def test_a_storage_that_stays_broken(psa: Stored, ram: Ram) -> None:
    """It keeps half of a record, and refuses to remove it: no key, room once it is destroyed."""
    attributes = psa.attributes_for(P256)
    ram.fail(1, STORAGE_FAILURE, tears=True)
    ram.stays_broken = True
    assert psa.imported(attributes, KEY) == (STORAGE_FAILURE, 0)
    assert ram.calls == ["i", "s", "r"]
    assert len(ram.records[ID]) > HEAD
    ram.fail(-1, SUCCESS)
    assert psa.export(ID)[0] == DATA_CORRUPT
    assert psa.imported(attributes, KEY) == (ALREADY_EXISTS, 0)
    assert psa.destroy(ID) == SUCCESS
    assert psa.imported(attributes, KEY) == (SUCCESS, ID)


# ---- somebody else's storage ---------------------------------------------------------------------


def test_on_the_storage_of_mbed_tls(tmp_path: Path) -> None:
    """Its ITS of files, with its header: keys survive, each flipped byte of a file gives no other
    key, and a cut file none.
    """
    code = code_folder(all_peers()["mbedtls"]) / "mbedtls"
    (tmp_path / "psa").mkdir()
    (tmp_path / "psa" / "crypto_types.h").write_text('#include "psa/error.h"\n', "utf-8")
    kept = tmp_path / "its-"
    macros = {"MBEDTLS_PSA_ITS_FILE_C", "MBEDTLS_FS_IO", "MBEDTLS_PLATFORM_C"}
    (tmp_path / "its.c").write_text(
        "".join(f"#define {macro}\n" for macro in sorted(macros))
        + f'#define PSA_ITS_STORAGE_PREFIX "{kept}"\n',
        "utf-8",
    )
    units = [code / "library" / name for name in ("psa_its_file.c", "platform.c")]
    subprocess.run(
        ["cc", "-w", "-fPIC", f'-DMBEDTLS_CONFIG_FILE="{tmp_path / "its.c"}"',
         f"-I{code / 'include'}", f"-I{code / 'library'}", "-c", *map(str, units)],
        check=True, cwd=tmp_path,
    )  # fmt: skip
    objects = [str(tmp_path / f"{unit.stem}.o") for unit in units]
    header = '-DECFIT_PSA_ITS="psa_crypto_its.h"'
    flags = f"-I{tmp_path}", f"-I{code / 'library'}", header, *objects
    psa = Stored(("secp256r1",), flags=flags)
    assert psa.imported(psa.attributes_for(P256), KEY) == (SUCCESS, ID)
    assert psa.imported(psa.attributes_for(P256), KEY) == (ALREADY_EXISTS, 0)
    psa.restart()
    assert psa.export(ID) == (SUCCESS, KEY)
    (path,) = tmp_path.glob("its-*")
    file = path.read_bytes()
    answers = set()
    for at in range(len(file)):
        path.write_bytes(file[:at] + bytes([file[at] ^ 0x10]) + file[at + 1 :])
        answer = psa.export(ID)
        assert answer.out in (b"", KEY)
        assert at < 16 or answer.status in REFUSED
        answers.add(answer.status)
        path.write_bytes(file[:at])
        assert psa.export(ID).status in {*REFUSED, STORAGE_FAILURE}
    assert answers >= REFUSED
    path.write_bytes(file)
    assert psa.export(ID) == (SUCCESS, KEY)
    assert psa.destroy(ID) == SUCCESS
    assert list(tmp_path.glob("its-*")) == []
