"""PSA Crypto of Mbed TLS as a shared library, with its own elliptic curves or with the driver."""

from __future__ import annotations

import ctypes as ct
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from ecfit.build import toolchain
from ecfit.build.fetch import code_folder
from ecfit.build.parts import contents, own_parts
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.model import digest
from ecfit.paths import LIB, cache_dir
from ecfit_lab.tls.image import _USERS, PSA, PSA_CURVES, merged

SOURCES = """
    asn1parse asn1write bignum bignum_core bignum_mod bignum_mod_raw constant_time ecdh ecdsa ecp
    ecp_curves hmac_drbg md oid platform platform_util psa_crypto psa_crypto_aead psa_crypto_cipher
    psa_crypto_client psa_crypto_driver_wrappers_no_static psa_crypto_ecp psa_crypto_hash
    psa_crypto_mac psa_crypto_rsa psa_crypto_slot_management psa_util sha256 sha512
""".split()  # noqa: SIM905
ECDH = 0x09020000
EC_SHA = 0x06000600  # PSA_ALG_ECDSA(hash): the hash's low byte on top
DETERMINISTIC = 0x100
HASHES = {32: 0x09, 48: 0x0A, 64: 0x0B}
FAMILIES = {"SECP_R1": 0x12, "SECP_K1": 0x17, "BRAINPOOL_P_R1": 0x30, "MONTGOMERY": 0x41}
PAIR, PUBLIC = 0x7100, 0x4100


def ecdsa(hash_size: int, *, deterministic: bool = False) -> int:
    """ECDSA with that hash, randomised unless asked otherwise."""
    return EC_SHA | HASHES[hash_size] | deterministic * DETERMINISTIC


def family(curve: str) -> int:
    """What PSA calls the curve's family."""
    return FAMILIES[PSA_CURVES[curve].rpartition("_")[0]]


def library(*, driver: bool) -> ct.CDLL:
    """The library, built if need be."""
    folder = code_folder(all_peers()["mbedtls"]) / "mbedtls"
    tools = toolchain.find_toolchain("gcc", "host", "host", "Os")
    compiler = [*tools.compile, "-O1", "-g0", "-Wno-unused-function"]
    here = LIB / "test"
    defines = [
        "MBEDTLS_CONFIG_FILE=<psa_config.h>",
        "MBEDTLS_PSA_CRYPTO_CONFIG_FILE=<psa_mechanisms.h>",
        *(f"PSA_WANT_ECC_{name}=1" for name in PSA_CURVES.values()),
    ]
    include = [here, folder / "include", folder / "library"]
    sources = [folder / "library" / f"{name}.c" for name in SOURCES] + [here / "psa_calls.c"]
    generated: dict[str, str] = {}
    if driver:
        defines += ["CALLS_DRIVER", "ECFIT_PSA_DRIVER_ENABLED"]
        defines += [f"MBEDTLS_PSA_ACCEL_ECC_{name}=1" for name in PSA_CURVES.values()]
        generated = {name: (folder / "library" / name).read_text("utf-8") for name in _USERS}
        generated |= merged(folder / "library")
        sources = [Path(p.name) if p.name in _USERS else p for p in sources]
        host = find_target("host")
        first, *others = (
            (
                CURVES[name],
                knobs.resolve(
                    CURVES[name],
                    "tiny",
                    {} if name == "x25519" else {"NONCE": "random"},
                    host.backend,
                    several=True,
                ),
            )
            for name in PSA_CURVES
        )
        ops = ("keygen", "ecdh", "sign", "verify")
        parts = own_parts(first[1], first[0].name, ops, others)
        generated |= parts.generated
        sources += [*parts.sources, PSA / "ecfit_psa.c"]
        include += [*parts.include, PSA]
    what = [
        [path.name for path in sources],
        contents(here, "psa_*"),
        contents(PSA),
        contents(LIB / "src"),
        defines,
        compiler[1:],
    ]
    path = cache_dir() / "libtest" / f"psa-{digest(msgspec.to_builtins(what))[:16]}.so"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder_of_build:
            build = Path(folder_of_build)  # one's own: several workers may build at the same time
            for file, text in generated.items():
                (build / file).parent.mkdir(parents=True, exist_ok=True)
                (build / file).write_text(text, encoding="utf-8")
            command = [
                *compiler,
                "-shared",
                "-Wl,-z,defs",
                f"-I{build}",
                *(f"-I{one}" for one in include),
            ]
            command += [f"-D{define}" for define in defines]
            command += [str(source) for source in sources]
            toolchain.run([*command, "-o", "done.so"], "PSA Crypto for the tests", build)
            (build / "done.so").replace(path)
    loaded = ct.CDLL(str(path))
    loaded.calls_bits.restype = ct.c_size_t
    loaded.calls_attributes.restype = ct.c_void_p
    assert loaded.calls_init() == 0
    return loaded


_MOST = 200


class Answer(NamedTuple):
    """A status of PSA, and what came with it."""

    status: int
    data: bytes = b""


class Psa:
    """One of the two."""

    def __init__(self, *, driver: bool) -> None:
        self.native = library(driver=driver)
        self.kept: list[int] = []

    def forget(self) -> None:
        """Gives all keys back."""
        for number in self.kept:
            assert self.native.calls_destroy(ct.c_uint32(number)) == 0
        self.kept = []

    def key(self, curve: str, data: bytes, *, kind: int = PAIR, bits: int = 0, alg: int = 0) -> int:
        """The number of an imported key, or a status below 0."""
        number = ct.c_uint32()
        status = self.native.calls_import(
            ct.c_uint16(kind | family(curve)),
            ct.c_size_t(bits),
            ct.c_uint32(alg or ECDH),
            data,
            ct.c_size_t(len(data)),
            ct.byref(number),
        )
        self.kept += [] if status else [number.value]
        return status or number.value

    def generate(self, curve: str, alg: int = ECDH) -> int:
        """The number of a new key pair."""
        return self.draw(PAIR | family(curve), CURVES[curve].bits, alg)

    def draw(self, kind: int, bits: int, alg: int = 0) -> int:
        """The number of a new key of any type."""
        number = ct.c_uint32()
        call = self.native.calls_generate
        status = call(ct.c_uint16(kind), ct.c_size_t(bits), ct.c_uint32(alg), ct.byref(number))
        assert status == 0
        self.kept.append(number.value)
        return number.value

    def _out(self, call: Callable[..., int], *arguments: object, size: int = _MOST) -> Answer:
        out, length = ct.create_string_buffer(_MOST), ct.c_size_t()
        status = call(*arguments, out, ct.c_size_t(size), ct.byref(length))
        return Answer(status, out.raw[: length.value] if status == 0 else b"")

    def export(self, key: int, size: int = _MOST) -> Answer:
        """The key itself."""
        return self._out(self.native.calls_export, ct.c_uint32(key), size=size)

    def public(self, key: int, size: int = _MOST) -> Answer:
        """Its public key."""
        return self._out(self.native.calls_export_public, ct.c_uint32(key), size=size)

    def agree(self, key: int, peer: bytes, size: int = _MOST) -> Answer:
        """ECDH."""
        call, length = self.native.calls_agree, ct.c_size_t(len(peer))
        return self._out(call, ct.c_uint32(key), peer, length, size=size)

    def sign(
        self, key: int, hashed: bytes, size: int = _MOST, *, deterministic: bool = False
    ) -> Answer:
        """ECDSA, randomised unless asked otherwise."""
        alg = ct.c_uint32(ecdsa(len(hashed), deterministic=deterministic))
        length = ct.c_size_t(len(hashed))
        call = self.native.calls_sign
        return self._out(call, ct.c_uint32(key), alg, hashed, length, size=size)

    def verify(self, key: int, hashed: bytes, signature: bytes) -> int:
        """The status."""
        alg, length = ct.c_uint32(ecdsa(len(hashed))), ct.c_size_t(len(hashed))
        size = ct.c_size_t(len(signature))
        return int(self.native.calls_verify(ct.c_uint32(key), alg, hashed, length, signature, size))

    def entry(
        self, function: str, attributes: tuple[int, int, int, int], *words: object, room: int
    ) -> tuple[int, bytes, int]:
        """Status, output and its length of an entry point of the driver, called without the core.

        attributes: type, bits, usage flags and permitted algorithm of the key.
        words: in place of bytes, their address and length are passed; room: bytes of the output,
        which is filled with 0xA7, and whose arguments stand behind those of words. No room: none.
        """
        kind, bits, usage, alg = attributes
        passed: list[object] = [
            ct.c_void_p(
                self.native.calls_attributes(
                    ct.c_uint16(kind), ct.c_size_t(bits), ct.c_uint32(usage), ct.c_uint32(alg)
                )
            )
        ]
        for word in words:
            passed += [word, ct.c_size_t(len(word))] if isinstance(word, bytes) else [word]
        out = ct.create_string_buffer(b"\xa7" * (room + 8), room + 8)
        length, bits_out = ct.c_size_t(99), ct.c_size_t(bits)
        if function != "verify_hash":
            passed += [out, ct.c_size_t(room), ct.byref(length)]
        if function == "import_key":
            passed.append(ct.byref(bits_out))
        status = getattr(self.native, f"ecfit_transparent_{function}")(*passed)
        assert out.raw[room:] == b"\xa7" * 8, f"{function} wrote behind its output"
        return int(status), out.raw[:room], length.value
