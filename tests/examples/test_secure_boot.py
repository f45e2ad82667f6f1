"""examples/secure-boot: images that imgtool signed are booted, each attack is refused with
its own reason; on the simulator and on an emulated board.

ECFIT_BOOT=1 (make long WHAT=boot): all algorithms, chips and libraries.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import random
import shutil
import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import boot_attacks
import hybrid
import pytest
import secureboot
from boot_attacks import GENUINE, HASH_TYPES, Attack, attacks, read
from boot_faults import (
    AROUND,
    COMPLETE,
    MOMENTS,
    SAMPLED,
    Build,
    Unit,
    genuine,
    tried,
)
from boot_faults import made as made_build
from boot_forgeries import CHOSEN, with_words
from boot_rig import MODELS, Rig, small
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa
from secureboot import (
    ALGORITHMS,
    HERE,
    HYBRIDS,
    LIBRARIES,
    MINIMUM,
    REFUSED,
    RUNS,
    SLOT,
    SLOT_SIZE,
    Chip,
    board,
    build_boot,
    build_program,
    chip,
    in_reach,
    make_key,
    minimum,
    run,
    run_on_board,
    sign,
)

from ecfit.build.elf import Elf
from ecfit.errors import BuildError, UsageError
from tools.fuzz import fuzz_boot

EVERY = os.environ.get("ECFIT_BOOT") == "1"
CHIPS = ("samd21", "nrf52840")
SIMULATED = [("ecdsa-p256", "samd21", "ecfit tiny")]
HYBRID = [("ecdsa-p256+mldsa44", "nrf52840", "ecfit balanced")]
BOARDS = [("ecdsa-p256", "mps2-an386", "ecfit balanced")]
if EVERY:
    SIMULATED = [
        (algorithm, name, library)
        for algorithm in ALGORITHMS
        for name in CHIPS
        for library in LIBRARIES
        if not (algorithm == "ed25519" and library.startswith("Mbed"))
    ]
    HYBRID = [
        (algorithm, name, f"ecfit {preset}")
        for algorithm in HYBRIDS
        for name in ("samd21", "nrf52840", "nrf5340")
        for preset in ("tiny", "balanced")
    ]
    BOARDS = [
        (algorithm, name, "ecfit tiny")
        for algorithm in ALGORITHMS
        for name in ("mps2-an385", "mps2-an386")
    ]
VERSION = 0x01020003  # 1.2.3, as the program says it


@cache
def made(where: Chip, algorithm: str, library: str) -> tuple[Elf, tuple[Attack, ...]]:
    """The boot loader, and the slots with which it is started."""
    chosen = (ALGORITHMS | HYBRIDS)[algorithm]
    key = make_key(chosen, "the owner's")
    boot = build_boot(where, chosen, LIBRARIES[library], key)
    return boot, tuple(attacks(where, chosen, key))


@pytest.mark.parametrize(("algorithm", "name", "library"), [*SIMULATED, *HYBRID])
def test_on_the_simulator(algorithm: str, name: str, library: str) -> None:
    boot, slots = made(chip(name), algorithm, library)
    wrong = []
    for attack in slots:
        done = run(chip(name), boot, attack.image, attack.oldest)
        expected = (RUNS, VERSION) if attack.reason == GENUINE else (REFUSED, attack.reason)
        if (done.bkpt, done.result) != expected:
            wrong.append((attack.name, expected, done.bkpt, done.result, str(done.fault)))
    assert wrong == []
    reasons = Counter(attack.reason for attack in slots)
    assert set(reasons) == {GENUINE, *range(1, 10)}, "every reason of docs/secure-boot.md"
    most = 70 if (algorithm, name, library) in HYBRID else 55
    assert most - 10 <= reasons.total() - reasons[GENUINE] <= most, "some fifty or sixty"


@pytest.mark.parametrize(("algorithm", "name", "library"), BOARDS)
def test_on_an_emulated_board(algorithm: str, name: str, library: str) -> None:
    boot, slots = made(board(name), algorithm, library)
    wrong = []
    for attack in slots:
        said = run_on_board(board(name), boot, attack.image, attack.oldest)
        expected = f"boot: refused, reason {attack.reason}"
        if attack.reason == GENUINE:
            expected = "application 1.2.3 runs"
        if said != expected:
            wrong.append((attack.name, expected, said))
    assert wrong == []


@pytest.mark.parametrize("kind", [0x22, 0xA4])
def test_each_byte_of_both_signatures(kind: int) -> None:
    """An altered byte of either is refused, though the other one holds; ECFIT_BOOT=1: each byte."""
    where, chosen = chip("nrf52840"), HYBRIDS["ecdsa-p256+mldsa44"]
    boot, slots = made(where, chosen.name, "ecfit balanced")
    image = slots[0].image
    at, size = next((at, size) for type_, at, size in read(image).entries if type_ == kind)
    assert run(where, boot, image).bkpt == RUNS
    for byte in range(0, size, 1 if EVERY else size // 8):
        done = run(where, boot, boot_attacks.changed(image, at + byte))
        assert (done.bkpt, done.result) == (REFUSED, boot_attacks.BAD_SIGNATURE), byte


def test_others_make_the_same_second_key() -> None:
    """`cryptography` reads the public key, and verifies the second signature of an image."""
    chosen = HYBRIDS["ed25519+mldsa44"]
    key = make_key(chosen, "the owner's")
    image = sign(chosen, bytes(64), key)
    parts = read(image)
    digest = hashlib.sha512(image[: parts.open_area]).digest()
    at = parts.place(hybrid.TYPE)
    signature = image[at : at + hybrid.SIZE]
    public = mldsa.MLDSA44PublicKey.from_public_bytes(hybrid.key_pair(key)[1])
    public.verify(signature, digest)
    with pytest.raises(InvalidSignature):
        public.verify(signature, digest[:-1] + b"?")


@pytest.mark.parametrize("broken", ["first", "second", "first, and it verifies once"])
def test_a_fault_where_one_scheme_is_broken(broken: str, tmp_path: Path) -> None:
    """An attacker who can sign with one of the two keys leaves out one instruction of the boot
    loader's own. Where it verifies once, that is enough.
    """
    once = "once" in broken
    folder = Path(planted(tmp_path, "main.c", (SECOND, ""))) if once else HERE
    where, chosen = small(chip("nrf52840")), HYBRIDS["ecdsa-p256+mldsa44"]
    key, other = (make_key(chosen, name) for name in ("the owner's", "somebody else's"))
    boot = build_boot(where, chosen, LIBRARIES["ecfit balanced"], key, folder=folder)
    program = build_program(where, chosen, 512)
    image = sign(chosen, program, key, second=other)
    if broken == "second":
        image = sign(chosen, program, other, second=key)
        right = sign(chosen, program, key)
        place = read(right).place(1)
        image = boot_attacks.changed(image, read(image).place(1), right[place : place + 32])
    attacked = Rig(where, boot, image, minimum())
    assert not attacked.accepted_whole
    own = ("bench_", "boot_", "check", "take", "differ", "start", "followed")
    found = attacked.attack(attacked.points(("check_second",) if once else own), ["skip"])
    assert found.tried["skip"] > (5 if once else 100)
    assert bool(found.accepted) == once, found.accepted


def rig(build: Build, name: str, *, moment: int | None = None, **changes: str) -> Rig:
    """A boot that is refused. `changes`: what else stands in main.c, verify.c."""
    one = made_build(build)
    boot, ram = one.boot, None
    algorithm = ALGORITHMS[build.algorithm]
    if changes:
        key, library = make_key(algorithm, "the owner's"), LIBRARIES["ecfit balanced"]
        boot = build_boot(one.where, algorithm, library, key, folder=Path(changes["folder"]))
    if moment is not None:
        ram = Rig(one.where, boot, one.image, minimum()).left_in_ram(MOMENTS)[moment]
    found = Rig(one.where, boot, one.slots[name].image, one.slots[name].oldest, ram)
    assert not found.accepted_whole
    return found


def planted(folder: Path, file: str, *replaced: tuple[str, str]) -> str:
    """The sources of the boot loader, one of them with other text. Returns the folder."""
    for source in HERE.glob("*.c"):
        shutil.copy(source, folder)
    text = (HERE / file).read_text(encoding="utf-8")
    for old, new in replaced:
        assert old in text, old
        text = text.replace(old, new)
    (folder / file).write_text(text, encoding="utf-8")
    return str(folder)


BOOT_GENUINE = 2 * 0xA53C965A + 0x3CA5695A + 0x695AC33C & 0xFFFFFFFF  # boot.h
ONE = Build("ecdsa-p256", "nrf52840", "gcc", "Os")
SECOND = "    result = boot_verify(&second);\n"


def test_a_fault_in_the_hash() -> None:
    """An altered byte, and every instruction about the one that reads it left out: the boot loader
    that computed one hash ran the altered program.
    """
    attacked = rig(ONE, "last zero byte")
    points = attacked.around(genuine(ONE), AROUND)
    found = attacked.attack(points)
    assert found.tried["skip"] == AROUND
    assert found.accepted == []


@pytest.mark.parametrize("name", ["program", "e = r"])
def test_a_fault_after_a_reset(name: str) -> None:
    """In RAM is what a genuine boot left. Every instruction outside of the library left out."""
    attacked = rig(ONE, name, moment=30)
    own = ("boot_", "bench_", "check_", "checked", "copy", "differ", "poison", "start")
    points = attacked.points(own)
    found = attacked.attack(points)
    assert found.tried["skip"] > 100
    assert found.accepted == []


@pytest.mark.parametrize("name", ["last byte", "e = s", "older"])
def test_a_sample_of_the_faults(name: str) -> None:
    """Of sweep `boot-faults`: each of the four models, from RAM that a genuine boot left."""
    found = tried(Unit(ONE, name, 1, "test", 60))
    assert sum(found["tried"].values()) > 120
    assert found["accepted"] == []


def test_the_sweep_finds_one_hash(tmp_path: Path) -> None:
    """Where the second verification is left out, a fault in the hash is enough."""
    folder = planted(tmp_path, "main.c", (SECOND, ""))
    attacked = rig(ONE, "last zero byte", folder=folder)
    points = attacked.around(Rig(attacked.where, attacked.boot, made_build(ONE).image, minimum()),
                             AROUND)  # fmt: skip
    assert any("sha256" in one.function for one in attacked.attack(points, ["skip"]).accepted)


def test_the_sweep_finds_what_a_reset_left(tmp_path: Path) -> None:
    """Nor is one verification enough where nothing is poisoned: the hash of the genuine image is
    still there.
    """
    kept = '    __asm__ volatile("" : : "r"(&second) : "memory");\n'  # in its place on the stack
    planted(tmp_path, "main.c", (SECOND, kept))
    main = (tmp_path / "main.c").read_text(encoding="utf-8")
    folder = planted(tmp_path, "verify.c", ("    poison(pass);\n", ""), ("static void poison",
                     "void poison(boot_pass *pass);\nvoid poison"))  # fmt: skip
    (tmp_path / "main.c").write_text(main, encoding="utf-8")
    attacked = rig(ONE, "program", moment=30, folder=folder)
    found = attacked.attack(attacked.points(("boot_", "checked", "check_")), ["skip"])
    assert found.accepted != []


def test_the_sweep_finds_a_verdict_that_is_compared(tmp_path: Path) -> None:
    """The first version of this boot loader: the verdict decides, its number does not."""
    folder = planted(tmp_path, "main.c", ("    start(result);", "    start(BOOT_GENUINE);"))
    attacked = rig(ONE, "older", folder=folder)
    points = attacked.points(("bench_main",))
    assert attacked.attack(points, ["skip"]).accepted != []


def test_the_protection_unit(tmp_path: Path) -> None:
    """One flipped bit turns a move into a branch to an address in the slot. Without the protection
    unit, the core runs the code there. With the unit, it does not.
    """
    own = ("boot_verify", "boot_parse", "check_hash")
    for folder, found in (
        (HERE, False),
        (planted(tmp_path, "main.c", ("    protect();\n", "")), True),
    ):
        attacked = rig(ONE, "program", folder=str(folder))
        accepted = attacked.attack(attacked.points(own), ["flip"]).accepted
        assert bool(accepted) == found, accepted


@pytest.mark.ci
@pytest.mark.parametrize("more", [(), ("-fivopts",)])
def test_every_bit_of_the_hash(more: tuple[str, ...]) -> None:
    """On a core without a protection unit. gcc -O2 with its own way keeps odd addresses."""
    build = Build("ecdsa-p256", "samd21", "gcc", "O2")
    one, algorithm = made_build(build), ALGORITHMS[build.algorithm]
    key, library = make_key(algorithm, "the owner's"), LIBRARIES["ecfit balanced"]
    boot = build_boot(one.where, algorithm, library, key, more=more, compiler=("gcc", "O2"))
    attacked = Rig(one.where, boot, one.slots["program"].image, minimum())
    found = attacked.attack(attacked.points(("boot_", "check", "ecfit_", "sha")), ["flip"])
    assert found.tried["flip"] > 10_000
    assert bool(found.accepted) == bool(more), found.accepted


@pytest.mark.ci
@pytest.mark.parametrize("build", COMPLETE, ids=str)
def test_a_larger_sample_of_the_faults(build: Build) -> None:
    """Of `make long WHAT=boot-faults`, on both chips with each algorithm."""
    for name in made_build(build).slots:
        if not made_build(build).slots[name].genuine:
            assert tried(Unit(build, name, 0, "ci", SAMPLED // 10))["accepted"] == [], name


@pytest.mark.ci
def test_what_is_known_of_a_run_is_right(tmp_path: Path) -> None:
    """The rig ends a run early if it calls a function with the same state as an earlier run. For a
    boot loader that accepts after some faults, the answers equal those of complete runs.
    """
    changes = ("    start(result);", "    start(BOOT_GENUINE);"), ("    protect();\n", "")
    folder = planted(tmp_path, "main.c", *changes)
    attacked = rig(ONE, "older", folder=folder)
    own = attacked.points(("bench_main", "boot_", "check", "start"))
    points = sorted({*own[:: len(own) // 40], *attacked.points(("bench_main",))})
    found = attacked.attack(points, MODELS, random.Random(1))
    joined = len(attacked.known)
    for address in attacked.joins:
        attacked.victim.patch(address, attacked.code[address - attacked.where.flash :][:2])
    attacked.joins = {}
    assert attacked.attack(points, MODELS, random.Random(1)) == found
    assert found.accepted != []
    assert joined == len(attacked.known) > 3


def test_a_signature_made_for_this_boot_loader() -> None:
    """What docs/secure-boot.md says is not reached: one skipped push, and words of r are the return
    address, the registers and the sum with which the function that starts programs goes on.
    """
    one, begin = made_build(ONE), next(
        f for f in made_build(ONE).boot.functions if f.name == "bench_main"
    )  # fmt: skip
    words = [one.where.flash + SLOT + CHOSEN + 4 * i for i in range(16)]
    words[0], words[1], words[3], words[4] = 0xE000E000, 0, BOOT_GENUINE, BOOT_GENUINE
    accepted = []
    for target in range(begin.address + 0x80, begin.address + 0xA0, 2):
        words[2] = target | 1
        image = with_words(ALGORITHMS[ONE.algorithm], one.image, words)
        attacked = Rig(one.where, one.boot, image, minimum())
        assert not attacked.accepted_whole
        accepted += attacked.attack(
            attacked.points(("secp256r1_sc_from_bytes",)), ["skip"]
        ).accepted
    assert accepted != []


def test_the_slot_is_out_of_reach() -> None:
    """One wrong bit of any branch of the boot loader leads elsewhere; where the slot stood before,
    it led there.
    """
    assert not in_reach(SLOT, SLOT_SIZE, MINIMUM)
    assert in_reach(0x10000, 0x10000, 0xF000)
    attacked = rig(ONE, "program")
    calls = [
        pc
        for one in attacked.boot.functions
        for pc in range(one.address, one.address + one.size - 2, 2)
        if attacked.half(pc) >> 11 == 0b11110 and attacked.half(pc + 2) >> 14 == 3
    ]
    assert len(calls) > 100
    for pc in calls:
        for bit in range(32):
            assert not attacked.leads_into_slot(pc, bit), (hex(pc), bit)


def test_another_place_or_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """By secureboot.py, where the slot is in reach; by the linker, of a boot loader that does not
    end where its record begins.
    """
    text = (HERE / "secureboot.py").read_text(encoding="utf-8")
    near = text.replace("SLOT, SLOT_SIZE = 0x30000", "SLOT, SLOT_SIZE = 0x10000")
    assert near != text
    with pytest.raises(UsageError, match="where one wrong bit of a branch"):
        exec(compile(near, "near.py", "exec"), {"__name__": "near", "__file__": HERE / "near.py"})
    monkeypatch.setattr(secureboot, "MINIMUM", 0x2000)
    algorithm = ALGORITHMS[ONE.algorithm]
    key, library = make_key(algorithm, "the owner's"), LIBRARIES["ecfit balanced"]
    with pytest.raises(BuildError, match="bytes more than there are of FLASH"):
        build_boot(chip(ONE.chip), algorithm, library, key)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("", "", 0),
        (" || total > size - at", "", 1),
    ],
)
def test_the_parser_on_any_bytes(old: str, new: str, code: int, tmp_path: Path) -> None:
    """Two seconds of `tools/fuzz/run.sh boot`, and a planted bug, which is found."""
    text = (HERE / "parse.c").read_text(encoding="utf-8")
    program = fuzz_boot.program(text.replace(old, new) if old else text)
    for name, image in fuzz_boot.seeds().items():
        (tmp_path / name).write_bytes(image)
    seconds = 20 if code else 2
    options = [f"-max_total_time={seconds}", "-seed=1", "-max_len=1200"]
    done = subprocess.run(
        [str(program), *options, f"-artifact_prefix={tmp_path}/", str(tmp_path)],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode != 0) == (code != 0), done.stderr[-2000:]


class Parts(ctypes.Structure):
    """boot_image of boot.h."""

    _fields_ = [
        *((name, ctypes.c_size_t) for name in ("program_size", "signed_size", "size")),
        *((name, ctypes.c_uint32) for name in ("counter", "hash", "key_hash", "signature")),
        ("signature_size", ctypes.c_size_t),
    ]

    def values(self) -> tuple[int, ...]:
        return tuple(getattr(self, name) for name, *_ in self._fields_)


SIGNATURES = {"ecdsa-p256": (0x22, 8, 72), "ecdsa-p384": (0x22, 8, 104), "ed25519": (0x24, 64, 64)}


def read_again(slot: bytes, algorithm: str) -> int | tuple[int, ...]:
    """The reason, or the parts, by the text of boot.h and the tables of imgtool alone. Reasons come
    in the order of the entries.
    """

    def number(at: int, size: int) -> int:
        return int.from_bytes(slot[at : at + size], "little")

    def entries(at: int, magic: int) -> tuple[int, list[tuple[int, int, int]]]:
        """Where an area ends, 0 where it is broken; its whole entries: type, place, size."""
        end, listed = at + number(at + 2, 2), list[tuple[int, int, int]]()
        if at + 4 > len(slot) or number(at, 2) != magic or not at + 4 <= end <= len(slot):
            return 0, listed
        at += 4
        while at != end:
            kind, size = number(at, 2), number(at + 2, 2)
            if at + 4 > end or at + 4 + size > end:
                return 0, listed
            listed.append((kind, at + 4, size))
            at += 4 + size
        return end, listed

    sha = ALGORITHMS[algorithm].sha
    kinds = {HASH_TYPES[sha]: "hash", 1: "key_hash", SIGNATURES[algorithm][0]: "signature"}
    if len(slot) < 32 or number(0, 4) != 0x96F3B83D:
        return boot_attacks.NO_IMAGE
    program = number(12, 4)
    if number(16, 4) or number(8, 2) != 0x200 or not 8 <= program <= len(slot) - 0x200:
        return boot_attacks.BAD_HEADER
    places = {"counter": 0, "hash": 0, "key_hash": 0, "signature": 0, "signature_size": 0}
    at = 0x200 + program
    for area in ("protected", "open"):
        if area == "protected" and number(10, 2) == 0:
            continue
        end, listed = entries(at, 0x6908 if area == "protected" else 0x6907)
        for kind, place, size in listed:
            name = {0x50: "counter"}.get(kind) if area == "protected" else kinds.get(kind)
            if name is None:
                return boot_attacks.UNKNOWN_ENTRY
            low, high = {"counter": (4, 4), "signature": SIGNATURES[algorithm][1:]}.get(
                name, (sha // 8, sha // 8)
            )
            if places[name] or not low <= size <= high:
                return boot_attacks.BAD_TRAILER
            places[name] = place
            if name == "signature":
                places["signature_size"] = size
        if not end or (area == "protected" and end - at != number(10, 2)):
            return boot_attacks.BAD_TRAILER
        signed, at = (end, end) if area == "protected" else (at, end)
    if not (places["hash"] and places["key_hash"] and places["signature"]):
        return boot_attacks.BAD_TRAILER
    return (program, signed, at, *places.values())


def hostile_slots(algorithm: str, draw: random.Random, count: int) -> Iterator[bytes]:
    """Headers and areas whose numbers are at edges; entries of all kinds and sizes, in any order,
    over one another and out of the slot; each with whatever may stand behind.
    """
    sha = ALGORITHMS[algorithm].sha // 8
    kind, least, most = SIGNATURES[algorithm]
    good = [(HASH_TYPES[8 * sha], sha), (1, sha), (kind, least), (kind, most)]
    sizes = [0, 1, 4, 7, 8, sha, least, most, most + 1, 0xFFFF]
    kinds = [0, 1, 2, 0x10, 0x11, 0x12, 0x13, 0x22, 0x24, 0x50, 0xA0, 0xFFFF]

    def area(magic: int, entries: list[tuple[int, int]]) -> bytes:
        body = b"".join(
            struct.pack("<HH", one, size) + draw.randbytes(min(size, 200)) for one, size in entries
        )
        total = len(body) + 4 + draw.choice((0, 0, 0, 0, 0, 0, -1, 1, 4, -4, 0xFF00))
        magic = draw.choice((magic,) * 30 + (0x6907, 0x6908, 0))
        return struct.pack("<HH", magic, total & 0xFFFF) + body

    for _ in range(count):
        program = draw.choice((8, 8, 8, 12, 9, 64))
        entries = draw.sample([good[0], good[1], draw.choice(good[2:])], 3)
        if draw.random() < 1 / 2:
            place = draw.randrange(len(entries) + 1)
            entries.insert(place, (draw.choice(kinds), draw.choice(sizes)))
        if draw.random() < 1 / 6:
            entries.pop(draw.randrange(len(entries)))
        counter = [(0x50, 4)] * draw.choice((0, 1, 1, 1, 2)) + [(0xA0, 4)] * (draw.random() < 0.1)
        protected = area(0x6908, counter) if draw.random() < 1 / 2 else b""
        trailer = protected + area(0x6907, entries)
        said = draw.choice((program,) * 60 + (
            0, 7, 0xFFFFFFFF, 0xFFFFFE00, 0xFFFFFDFF, 0x80000000, program + 4, program - 1,
            program + len(trailer), program + len(trailer) - 4, 0xFFFFFFFF - 0x1FF + 8,
        ))  # fmt: skip
        head = draw.choice((0x200,) * 60 + (0, 32, 0x1FF, 0x201, 0xFFFF))
        size = draw.choice((len(protected),) * 60 + (0, 4, len(protected) + 4, 0xFFFF))
        flags = draw.choice((0,) * 60 + (1, 4, 0x10, 0x80000000))
        header = struct.pack("<IIHHIIQ", 0x96F3B83D, 0, head, size, said, flags, 0)
        slot = header.ljust(0x200, b"\0") + bytes(program) + trailer
        if draw.random() < 1 / 8:
            slot = slot[: draw.randrange(len(slot) + 1)]
        yield slot + b"\xff" * draw.choice((0, 0, 3, 100))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_parser_against_another(algorithm: str, tmp_path: Path) -> None:
    """The same reason, or the same parts, for each of some thousand images that lie."""
    library = tmp_path / "parse.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", f"-I{HERE}", *ALGORITHMS[algorithm].macros,
         str(HERE / "parse.c"), "-o", str(library)],
        check=True,
    )  # fmt: skip
    c, seen = ctypes.CDLL(str(library)), Counter[int]()
    for slot in hostile_slots(algorithm, random.Random(algorithm), 4000):
        parts = Parts()
        reason = c.boot_parse(ctypes.byref(parts), slot, ctypes.c_size_t(len(slot)))
        wanted = read_again(slot, algorithm)
        assert (reason or parts.values()) == wanted, (slot.hex(), wanted, reason, parts.values())
        seen[reason] += 1
    assert min(seen[reason] for reason in (0, 1, 2, 3, 4)) > 5, seen


@pytest.mark.ci
def test_mutated_images_on_the_simulator() -> None:
    """Bits of anywhere, bytes that are left out or put in, parts of two images: never started."""
    where, algorithm, draw = chip("samd21"), ALGORITHMS["ecdsa-p256"], random.Random("mutants")
    boot, slots = made(where, algorithm.name, "ecfit tiny")
    genuine_one, counted = (slot.image for slot in slots[:2])
    images = [boot_attacks.read(image).image for image in (genuine_one, counted)]

    def mutant() -> bytes:
        image, other = draw.sample(images, 2)
        at, size = draw.randrange(len(image)), draw.choice((1, 2, 4, 32))
        trailer = boot_attacks.read(image).open_area - 12
        if draw.random() < 1 / 2:
            at = draw.randrange(trailer, len(image))
        return draw.choice((
            boot_attacks.changed(image, at, bytes([image[at] ^ 1 << draw.randrange(8)])),
            boot_attacks.changed(image, at, draw.randbytes(min(size, len(image) - at))),
            boot_attacks.changed(image, at, b"\xff" * min(size, len(image) - at)),
            image[:at] + image[at + size :], image[:at] + draw.randbytes(size) + image[at:],
            image[:at] + other[at:], image[:at], image + image[-size:],
        ))  # fmt: skip

    for _ in range(100):
        image = mutant()
        if image.ljust(SLOT_SIZE, b"\xff") in [one.ljust(SLOT_SIZE, b"\xff") for one in images]:
            continue
        done = run(where, boot, image)
        assert done.bkpt == REFUSED, image.hex()
        assert 1 <= done.result <= 9, done.result
