"""The boot loader of this folder: built for a chip, given images that imgtool signed,
run on the simulator or on an emulated board.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import hybrid
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from ecfit.build import toolchain
from ecfit.build.boardimage import BAUD
from ecfit.build.combs import missing_tables
from ecfit.build.elf import Elf
from ecfit.build.fetch import code_folder
from ecfit.build.parts import library_sources
from ecfit.choices import knobs
from ecfit.choices.boards import find_machine
from ecfit.choices.curves import CURVES
from ecfit.choices.peers import load_peer
from ecfit.choices.targets import Mode, find_target
from ecfit.errors import UsageError
from ecfit.paths import FIRMWARE, LIB, PEERS, ROOT, cache_dir
from ecfit.run.basis import cycle_model, flash_timing
from ecfit.sim.machine import Machine, Region, RunResult

HERE = Path(__file__).parent
SLOT, SLOT_SIZE = 0x30000, 0x10000  # from the beginning of flash; aligned to its size
MINIMUM = 0x8000  # the page with the oldest version that may run; below it is the boot loader


def in_reach(slot: int, size: int, loader: int) -> bool:
    """Whether one wrong bit of a branch, or of a return address, leads from a boot loader of
    `loader` bytes into a slot: the address it would have reached, more or less a power of two.
    """
    return any(slot < 2**bit + loader and slot + size > 2**bit for bit in range(32))


if in_reach(SLOT, SLOT_SIZE, MINIMUM):
    raise UsageError("the slot stands where one wrong bit of a branch of the boot loader leads")
HEADER = 0x200  # bytes before the program: its vector table is aligned to as many
# gcc -O2 without it keeps the address of the next byte that is hashed, where -Os and clang have
# that of the slot and a number. An odd address in a register that is saved on the stack is one that
# a wrong bit of a push or pop makes a return address; without a protection unit it is executed.
EVEN = "-fno-ivopts"
LIMIT = 2_000_000_000  # instructions of a run
REFUSED, RUNS = 3, 4  # BKPT numbers: port_sim.c
SYSTEM_CONTROL = Region("system control", 0xE000E000, 0x1000, "ram")  # of it VTOR is used
GENUINE_VERSION = "1.2.3+4"
ORDERS = {
    "secp256r1": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "secp384r1": int("F" * 48 + "C7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973", 16),
}  # SEC 2 v2, 2.4.2 and 2.5.1


PrivateKey = hybrid.PrivateKey


class Algorithm(NamedTuple):
    """One of algorithm.h: the curve, the bits of SHA-2, what the library sets for it. `second`: an
    image has a signature with ML-DSA-44 too (hybrid.py).
    """

    name: str
    curve: str
    sha: int
    source: str
    sets: tuple[tuple[str, str], ...]
    mbedtls: tuple[str, ...]  # macros
    second: bool = False

    @property
    def macros(self) -> tuple[str, ...]:
        """Flags that choose it in algorithm.h."""
        name = self.name.partition("+")[0].upper().replace("-", "_")
        return (f"-DBOOT_{name}", *(["-DBOOT_SECOND"] if self.second else []))


ALGORITHMS = {
    one.name: one
    for one in (
        Algorithm("ecdsa-p256", "secp256r1", 256, "check_ecdsa.c",
                  (("VERIFY", "hardened"), ("DER", "strict"), ("SHA256", "own")),
                  ("MBEDTLS_ECP_DP_SECP256R1_ENABLED", "MBEDTLS_SHA256_C")),
        Algorithm("ed25519", "ed25519", 512, "check_eddsa.c",
                  (("VERIFY", "eddsa_hardened"),), ()),
        Algorithm("ecdsa-p384", "secp384r1", 384, "check_ecdsa.c",
                  (("VERIFY", "hardened"), ("DER", "strict"), ("SHA512", "small")),
                  ("MBEDTLS_ECP_DP_SECP384R1_ENABLED", "MBEDTLS_SHA512_C", "MBEDTLS_SHA384_C")),
    )
}  # fmt: skip
HYBRIDS = {
    name: ALGORITHMS[name.partition("+")[0]]._replace(name=name, mbedtls=(), second=True)
    for name in ("ecdsa-p256+mldsa44", "ed25519+mldsa44")
}


class Library(NamedTuple):
    """Who verifies: ecfit with a preset, or Mbed TLS with these macros."""

    name: str
    preset: str | None = None
    macros: tuple[str, ...] = ()


LIBRARIES = {
    one.name: one
    for one in (
        Library("ecfit tiny", "tiny"),
        Library("ecfit balanced", "balanced"),
        Library(
            "Mbed TLS small",
            macros=("MBEDTLS_ECP_WINDOW_SIZE=2", "MBEDTLS_ECP_FIXED_POINT_OPTIM=0",
                    "MBEDTLS_SHA256_SMALLER", "MBEDTLS_SHA512_SMALLER"),
        ),
        Library("Mbed TLS"),
    )
}  # fmt: skip
MBEDTLS_FILES = (
    "asn1parse", "asn1write", "bignum", "bignum_core", "bignum_mod", "bignum_mod_raw",
    "constant_time", "ecdsa", "ecp", "ecp_curves", "memory_buffer_alloc", "platform",
    "platform_util", "sha256", "sha512",
)  # fmt: skip
MBEDTLS_HEAP = 8192  # bytes: more than any of these needs


class Chip(NamedTuple):
    """Where a boot loader runs: a target of the simulator or a board of QEMU."""

    name: str
    core: str
    arch: str
    backend: str
    flash: int
    ram: tuple[int, int]
    sources: tuple[Path, ...]
    macros: tuple[str, ...] = ()


@cache
def chip(name: str) -> Chip:
    """A target of the simulator. Errors: UsageError."""
    target = find_target(name)
    ram = target.region("ram")
    return Chip(name, target.core, target.arch, target.backend, target.region("flash").start,
                (ram.start, ram.size), (HERE / "port_sim.c",))  # fmt: skip


@cache
def board(name: str) -> Chip:
    """A board of QEMU, with its UART. Errors: UsageError."""
    machine = find_machine(name)
    ram = machine.region("ram")
    sources = HERE / "port_mps2.c", FIRMWARE / "board" / "uart_cmsdk.c"
    macros = (
        f"UART_BASE={machine.uart_base:#x}u",
        f"UART_BAUD={BAUD}u",
        f"BOARD_HZ={machine.hz}u",
    )
    return Chip(name, machine.core, "armv7m", machine.backend, machine.region("flash").start,
                (ram.start, ram.size), sources, macros)  # fmt: skip


def make_key(algorithm: Algorithm, seed: str) -> PrivateKey:
    """A private key that a seed determines: for tests and tables, not for devices."""
    secret = hashlib.sha512(f"{seed} {algorithm.name}".encode()).digest()
    if algorithm.curve == "ed25519":
        return ed25519.Ed25519PrivateKey.from_private_bytes(secret[:32])
    scalar = int.from_bytes(secret, "big") % (ORDERS[algorithm.curve] - 1) + 1
    curve = ec.SECP256R1() if algorithm.curve == "secp256r1" else ec.SECP384R1()
    return ec.derive_private_key(scalar, curve)


def pem(key: PrivateKey) -> bytes:
    """As imgtool reads it."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def key_source(algorithm: Algorithm, key: PrivateKey) -> str:
    """The file key.c, which is compiled into the boot loader."""
    public = key.public_key()
    der = public.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    point = {"ed25519": 32, "secp256r1": 65, "secp384r1": 97}[algorithm.curve]
    key_hash = hashlib.new(f"sha{algorithm.sha}", der).digest()  # imgtool: the image's hash
    lines = [f"const uint8_t boot_key[{point}] = {{{_bytes(der[-point:])}}};"]
    lines += [f"const uint8_t boot_key_hash[HASH_SIZE] = {{{_bytes(key_hash)}}};"]
    if algorithm.second:
        second = hybrid.key_pair(key)[1]
        lines += [f"const uint8_t boot_second_key[{len(second)}] = {{{_bytes(second)}}};"]
    return '#include "boot.h"\n\n' + "\n".join(lines) + "\n"


def _bytes(data: bytes) -> str:
    return ", ".join(f"0x{byte:02x}" for byte in data)


def build_boot(
    where: Chip,
    algorithm: Algorithm,
    library: Library,
    key: PrivateKey,
    heap: int = MBEDTLS_HEAP,
    *,
    more: Sequence[str] = (),
    compiler: tuple[str, str] = ("gcc", "Os"),
    folder: Path = HERE,
) -> Elf:
    """The boot loader. `more`: flags of the compiler. `folder`: with its sources.
    Errors: BuildError, MissingToolError, PackageError, UsageError.
    """
    own = [folder / name for name in ("main.c", "verify.c", "parse.c")]
    files = {"key.c": key_source(algorithm, key)}
    flags: list[str] = []
    if library.preset is None:
        mbedtls = code_folder(load_peer("mbedtls", PEERS / "mbedtls")) / "mbedtls"
        own += [
            HERE / "check_mbedtls.c",
            *(mbedtls / "library" / f"{one}.c" for one in MBEDTLS_FILES),
        ]
        macros = ["MBEDTLS_CONFIG_FILE=<mbedtls_boot.h>", f"MBEDTLS_HEAP={heap}"]
        macros += [*algorithm.mbedtls, *library.macros]
        flags += [f"-I{mbedtls / 'include'}", f"-I{mbedtls / 'library'}"]
        flags += [f"-D{macro}" for macro in macros]
    else:
        sets = {"BACKEND": where.backend, **dict(algorithm.sets)}
        if library.preset != "tiny":
            # What the preset takes beside signing and ECDH is 768 bytes or 576 of stack here.
            sets |= {"COMB_TEETH": "4"} if algorithm.curve == "ed25519" else {"WNAF_A": "4"}
            if "SHA512" in sets:
                sets["SHA512"] = "own"
        settings = knobs.resolve(CURVES[algorithm.curve], library.preset, sets, where.backend)
        files |= missing_tables(algorithm.curve, dict(settings.settings))
        files["ecfit_config.h"] = knobs.header(settings, [algorithm.curve], ("verify",))
        own += [folder / algorithm.source, *library_sources(files["ecfit_config.h"])]
        flags += [f"-I{LIB / 'include'}", f"-I{LIB / 'src'}"]
    foreign: tuple[list[Path], Sequence[str]] = ([], ())
    if algorithm.second:
        theirs, needed = hybrid.sources()
        foreign = [HERE / "check_mldsa.c", *theirs], needed
    if compiler[0] == "gcc" and compiler[1] != "Os":
        flags.append(EVEN)
    flags += more
    slot = f"BOOT_SLOT={where.flash + SLOT:#x}u", f"BOOT_SLOT_SIZE={SLOT_SIZE:#x}u"
    flags += [f"-D{macro}" for macro in (*slot, f"BOOT_MINIMUM={where.flash + MINIMUM:#x}u")]
    room = where.flash, MINIMUM
    return linked(
        where, algorithm, own, files, flags=flags, flash=room, compiler=compiler, foreign=foreign
    )


@cache
def build_program(where: Chip, algorithm: Algorithm, size: int) -> bytes:
    """The program that is booted, as bytes for the slot behind the header, filled up to `size`.
    Errors: BuildError, MissingToolError.
    """
    begin = where.flash + SLOT + HEADER
    flags = [f"-DBOOT_SLOT={where.flash + SLOT:#x}u"]
    room = begin, SLOT_SIZE - HEADER
    elf = linked(where, algorithm, [HERE / "program.c"], {}, flags=flags, flash=room)
    data = bytearray(b"\xff" * size)
    for segment in elf.segments:
        at = segment.address - begin
        data[at : at + len(segment.data)] = segment.data
    return bytes(data)


def linked(
    where: Chip,
    algorithm: Algorithm,
    sources: Sequence[Path],
    files: dict[str, str],
    *,
    flags: Sequence[str],
    flash: tuple[int, int],
    compiler: tuple[str, str] = ("gcc", "Os"),
    foreign: tuple[Sequence[Path], Sequence[str]] = ((), ()),
) -> Elf:
    """Compiles and links with the start-up code of the bench. `files`: what is written first.
    `foreign`: sources that take flags of their own, too.
    """
    found = toolchain.find_toolchain(compiler[0], where.arch, where.core, compiler[1])
    script = (FIRMWARE / "cortexm" / "image.ld.in").read_text(encoding="utf-8")
    figures = {"@CODE@": "FLASH", "@FLASH_START@": hex(flash[0]), "@FLASH_SIZE@": hex(flash[1]),
               "@RAM_START@": hex(where.ram[0]), "@RAM_SIZE@": hex(where.ram[1])}  # fmt: skip
    for name, value in figures.items():
        script = script.replace(name, value)
    what = f"the boot loader for {where.name}"
    with tempfile.TemporaryDirectory(prefix="secure-boot-", dir=cache_dir()) as name:
        folder = Path(name)
        for file, text in {**files, "image.ld": script}.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        include = [f"-ffile-prefix-map={ROOT}=.", f"-I{folder}", f"-I{HERE}",
                   *algorithm.macros, f"-I{FIRMWARE / 'board'}"]  # fmt: skip
        macros = [f"-D{macro}" for macro in where.macros]
        objects: list[str] = []
        own = [folder / "key.c"] if "key.c" in files else []
        own = [FIRMWARE / "cortexm" / "startup.c", *own, *where.sources, *sources]
        units: list[tuple[Path, Sequence[str]]] = [(source, ()) for source in own]
        units += [(source, foreign[1]) for source in foreign[0]]
        for source, needed in units:
            objects.append(f"{len(objects)}_{source.stem}.o")
            command = [*found.compile, *include, *macros, *flags, *needed, "-c", str(source)]
            toolchain.run([*command, "-o", objects[-1]], what, folder)
        toolchain.run([*found.link, "-Timage.ld", *objects, "-o", "image.elf"], what, folder)
        return Elf((folder / "image.elf").read_bytes(), "EM_ARM")


def sign(
    algorithm: Algorithm,
    program: bytes,
    key: PrivateKey,
    *options: str,
    version: str = GENUINE_VERSION,
    second: PrivateKey | None = None,
) -> bytes:
    """The image that imgtool makes of a program. `options`: more of them. `second`: whose second
    signature it has; without it, that of `key`.
    """
    with tempfile.TemporaryDirectory(prefix="imgtool-") as name:
        folder = Path(name)
        (folder / "key.pem").write_bytes(pem(key))
        image = _imgtool(folder, algorithm, program, ["--key", "key.pem", *options], version)
    return hybrid.with_second(image, algorithm.sha, second or key) if algorithm.second else image


def sign_again(algorithm: Algorithm, program: bytes, key: PrivateKey) -> bytes:
    """The same image every time: with a deterministic signature (RFC 6979), that imgtool
    is given as it takes one from a hardware module; imgtool itself draws a nonce for ECDSA.
    """
    image = sign(algorithm, program, key)
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return image  # it is deterministic, and so is the second
    header, protected = (int.from_bytes(image[at : at + 2], "little") for at in (8, 10))
    signed = image[: header + int.from_bytes(image[12:16], "little") + protected]
    kind = hashes.SHA256() if algorithm.sha == 256 else hashes.SHA384()
    signature = key.sign(signed, ec.ECDSA(kind, deterministic_signing=True))
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    with tempfile.TemporaryDirectory(prefix="imgtool-") as name:
        folder = Path(name)
        (folder / "public.pem").write_bytes(public)
        (folder / "signature").write_bytes(base64.b64encode(signature))
        fixed = ["--fix-sig", "signature", "--fix-sig-pubkey", "public.pem"]
        image = _imgtool(folder, algorithm, program, fixed, GENUINE_VERSION)
    return hybrid.with_second(image, algorithm.sha, key) if algorithm.second else image


def _imgtool(
    folder: Path, algorithm: Algorithm, program: bytes, options: Sequence[str], version: str
) -> bytes:
    (folder / "program.bin").write_bytes(program)
    command = [str(Path(sys.executable).with_name("imgtool")), "sign", "--version", version,
               "--header-size", hex(HEADER), "--pad-header", "--slot-size", hex(SLOT_SIZE),
               "--align", "4", "--sha", str(algorithm.sha), *options,
               "program.bin", "image.bin"]  # fmt: skip
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    return (folder / "image.bin").read_bytes()


def minimum(major: int = 0, minor: int = 0, revision: int = 0, build: int = 0,
            counter: int = 0) -> bytes:  # fmt: skip
    """The page with the oldest version that may run."""
    numbers = (major, 1), (minor, 1), (revision, 2), (build, 4), (counter, 4)
    return b"".join(number.to_bytes(size, "little") for number, size in numbers)


def machine(where: Chip, boot: Elf, image: bytes, oldest: bytes, mode: Mode | None) -> Machine:
    """A chip of the simulator with all that is in its flash."""
    target = find_target(where.name)
    regions = [Region(one.name, one.start, one.size, one.kind) for one in target.memory]
    made = Machine(cycle_model(target), [*regions, SYSTEM_CONTROL], flash_timing(mode))
    for segment in boot.segments:
        made.load(segment.address, segment.data)
    made.load(where.flash + SLOT, image[:SLOT_SIZE])
    made.load(where.flash + MINIMUM, oldest)
    return made


def run(
    where: Chip, boot: Elf, image: bytes, oldest: bytes | None = None, mode: Mode | None = None
) -> RunResult:
    """From the reset to the refusal, whose reason is the result, or into the program."""
    with machine(where, boot, image, oldest or minimum(), mode) as chip_:
        return chip_.reset(where.flash, limit=LIMIT)


def run_on_board(where: Chip, boot: Elf, image: bytes, oldest: bytes | None = None) -> str:
    """What the boot loader, or the program, says over the UART of a board of QEMU."""
    with tempfile.TemporaryDirectory(prefix="secure-boot-") as name:
        folder = Path(name)
        flash = bytearray(b"\xff" * (SLOT + SLOT_SIZE))
        parts = [(one.address - where.flash, one.data) for one in boot.segments]
        for at, data in (*parts, (SLOT, image[:SLOT_SIZE]), (MINIMUM, oldest or minimum())):
            flash[at : at + len(data)] = data
        (folder / "flash.bin").write_bytes(flash)
        loader = f"loader,file={folder / 'flash.bin'},addr={where.flash:#x},force-raw=on"
        command = ["qemu-system-arm", "-M", where.name, "-display", "none", "-monitor", "none"]
        command += ["-nic", "none", "-serial", "stdio", "-semihosting", "-device", loader]
        dies_with_us = shutil.which("setpriv")
        if dies_with_us:
            command = [dies_with_us, "--pdeathsig", "TERM", *command]
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.stdout.strip() or done.stderr.strip()
