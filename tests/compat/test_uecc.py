"""compat/uecc: micro-ecc's own test programs, and 1,000 operations on each curve beside the real
micro-ecc and the reference. Where the two differ is listed: RULES.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import random
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from ref import curves as reference
from ref import ecdsa
from ref.group import multiply_base

from ecfit.build.elf import Elf
from ecfit.build.fetch import code_folder
from ecfit.choices.peers import all_peers
from tools.docs import example_table, uecc_table
from workshop.compat.adapters import COMPAT, of_others, on_ecfit
from workshop.compat.uecc import CURVES, FILL, SIZES, Hash, Uecc
from workshop.scale import FULL, OUTER

SETS = {"NONCE": "random", "COMPRESS": "sec1"}
# What micro-ecc refuses though it is valid: private keys whose ladder meets the point at infinity.
RULES = {"private keys that micro-ecc refuses": (1, -2, -1)}  # modulo n
# Keys, and as often signatures: each of several operations. `make long WHAT=compat` takes all.
COUNT = 1000 if FULL else 250 if OUTER else 40
DIGEST = hashlib.sha256(b"message").digest()
TESTS = ["compress", "compute", "ecdh", "ecdsa"]


def micro_ecc() -> Path:
    """The folder of its code: a package, fetched by its hash."""
    return code_folder(all_peers()["micro-ecc"]) / "micro-ecc"


@pytest.fixture(scope="module")
def theirs() -> ctypes.CDLL:
    """micro-ecc as it is."""
    folder = micro_ecc()
    return of_others("micro-ecc", [folder / "uECC.c"], folder)


@pytest.fixture(scope="module")
def as_theirs() -> ctypes.CDLL:
    """Ours, with micro-ecc's nonces."""
    return ctypes.CDLL(
        str(on_ecfit("uecc", [], list(SIZES), SETS, ["uECC_DETERMINISTIC_AS_MICRO_ECC=1"]))
    )


@pytest.fixture(scope="module")
def ours() -> ctypes.CDLL:
    """Ours, as it is by default: RFC 6979."""
    return ctypes.CDLL(str(on_ecfit("uecc", [], list(SIZES), SETS)))


def run_theirs(source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Builds a program of micro-ecc's tests with ours, and runs it. Errors: CalledProcessError."""
    library = on_ecfit("uecc", [], list(SIZES), SETS)
    include = [f"-I{path}" for path in (COMPAT / "uecc", library.parent)]
    program = folder / "program"
    command = ["cc", "-w", *include, str(source), str(library), f"-Wl,-rpath,{library.parent}"]
    subprocess.run([*command, "-o", str(program)], check=True, timeout=60)
    return subprocess.run([program], capture_output=True, text=True, timeout=120, check=True)


@pytest.mark.parametrize("name", TESTS)
def test_their_program_passes(name: str, tmp_path: Path) -> None:
    """Each prints `failed` or `not identical` for what is wrong, and ends with 0."""
    done = run_theirs(micro_ecc() / "test" / f"test_{name}.c", tmp_path)
    assert "Testing" in done.stdout
    for word in ("failed", "not identical"):
        assert word not in done.stdout


def keys(uecc: Uecc, count: int, source: random.Random) -> list[int]:
    """Private keys: at both ends of their range and beside it, then anywhere in it."""
    n = uecc.order
    edges = [0, 1, 2, 3, n - 3, n - 2, n - 1, n, n + 1, 2 ** n.bit_length() - 1]
    return [*edges, *(source.randrange(1, n) for _ in range(count - len(edges)))]


def refused(uecc: Uecc, number: int) -> bool:
    """Whether micro-ecc refuses this key wrongly."""
    return number in {rule % uecc.order for rule in RULES["private keys that micro-ecc refuses"]}


@pytest.mark.parametrize("name", SIZES)
def test_keys_and_points_beside_micro_ecc(
    name: str, as_theirs: ctypes.CDLL, theirs: ctypes.CDLL
) -> None:
    mine, other = Uecc(as_theirs, name), Uecc(theirs, name)
    source = random.Random(name)
    peer = other.public(mine.key(5)).out
    for number in keys(mine, COUNT, source):
        key = mine.key(number)
        done, public = mine.public(key)
        assert done == (0 < number < mine.order)
        assert other.public(key).done == (done and not refused(mine, number)), number
        if done:
            x, y = multiply_base(mine.reference, number) or (0, 0)
            assert public == x.to_bytes(mine.size, "big") + y.to_bytes(mine.size, "big")
            assert mine.valid(public) == other.valid(public) == 1
            assert mine.compress(public) == other.compress(public)
            assert mine.decompress(mine.compress(public)) == public
            damaged = bytearray(public)
            damaged[source.randrange(len(public))] ^= 1 << source.randrange(8)
            assert mine.valid(bytes(damaged)) == other.valid(bytes(damaged))
            assert mine.shared(bytes(damaged), key).done == mine.valid(bytes(damaged))
        shared = mine.shared(peer, key)
        assert shared.done == done
        if done and not refused(mine, number):
            assert shared == other.shared(peer, key)


@pytest.mark.parametrize("name", SIZES)
def test_signatures_beside_micro_ecc(
    name: str, as_theirs: ctypes.CDLL, theirs: ctypes.CDLL
) -> None:
    """Deterministic ones bit for bit, but for the smaller s of secp256k1; random ones verified by
    the other, damaged ones refused.
    """
    mine, other = Uecc(as_theirs, name), Uecc(theirs, name)
    source = random.Random(name)
    hashes = [Hash("sha256"), Hash("sha1"), Hash("sha512")]
    for _ in range(COUNT):
        key = mine.key(source.randrange(2, mine.order - 2))
        digest = source.randbytes(source.choice((20, 28, 32, 48, 64)))
        public = other.public(key).out
        hash_ = source.choice(hashes)
        done, signature = mine.sign_deterministic(key, digest, hash_)
        assert done == 1
        assert not any(hash_.room.raw[: hash_.used]), "K and V are left"
        assert set(hash_.room.raw[hash_.used :]) == {0x55}
        done, by_other = other.sign_deterministic(key, digest, hash_)
        half = len(by_other) // 2
        s = int.from_bytes(by_other[half:], "big")
        s = min(s, mine.order - s) if name == "secp256k1" else s
        assert (done, by_other[:half] + s.to_bytes(half, "big")) == (1, signature)
        hash_.room.raw = b"\x55" * 500
        assert other.verify(public, digest, mine.sign(key, digest).out) == 1
        assert mine.verify(public, digest, other.sign(key, digest).out) == 1
        damaged = bytearray(signature)
        damaged[source.randrange(len(signature))] ^= 1 << source.randrange(8)
        assert mine.verify(public, digest, bytes(damaged)) == 0
        assert other.verify(public, digest, bytes(damaged)) == 0


@pytest.mark.parametrize("name", SIZES)
def test_deterministic_is_rfc_6979(name: str, ours: ctypes.CDLL) -> None:
    """Against the reference; a hash of all ones is reduced."""
    mine = Uecc(ours, name)
    source = random.Random(name)
    for digest in (b"\xff" * 32, b"\xff" * 20, b"\xff" * 64, *(source.randbytes(32),) * 5):
        for hash_name in ("sha256", "sha1", "sha512"):
            number = source.randrange(1, mine.order)
            nonces = ecdsa.nonces(mine.reference, number, digest, hash_name=hash_name)
            wanted = ecdsa.sign_with_nonce(mine.reference, number, digest, next(nonces))
            assert wanted is not None
            done, signature = mine.sign_deterministic(mine.key(number), digest, Hash(hash_name))
            assert done == 1
            assert signature == b"".join(part.to_bytes(mine.size, "big") for part in wanted)


def test_published_deterministic_signature(ours: ctypes.CDLL) -> None:
    """RFC 6979, A.2.5: P-256, SHA-256, "sample"."""
    key = bytes.fromhex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
    digest = hashlib.sha256(b"sample").digest()
    signature = Uecc(ours, "secp256r1").sign_deterministic(key, digest, Hash("sha256")).out
    assert signature.hex().upper() == (
        "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
        "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
    )


@pytest.mark.parametrize("name", SIZES)
def test_a_nonce_of_the_callers_choice(name: str, ours: ctypes.CDLL) -> None:
    mine = Uecc(ours, name)
    digest = hashlib.sha256(b"k").digest()
    n = mine.order
    for k in (1, 2, n - 1, random.Random(3).randrange(1, n)):
        wanted = ecdsa.sign_with_nonce(mine.reference, 7, digest, k)
        assert wanted is not None
        done, signature = mine.sign_with_k(mine.key(7), digest, mine.key(k))
        assert done == 1
        assert signature == b"".join(part.to_bytes(mine.size, "big") for part in wanted)
    for k in (0, n, n + 1):
        assert mine.sign_with_k(mine.key(7), digest, mine.key(k)) == (0, bytes(2 * mine.size))


def test_hashes_that_are_refused(ours: ctypes.CDLL) -> None:
    """The rule of docs/from-micro-ecc.md: 16 to 64 bytes, not zero modulo n."""
    mine = Uecc(ours, "secp256r1")
    for digest in (b"", b"\x01" * 15, b"\x01" * 65, bytes(32)):
        assert mine.sign(mine.key(7), digest) == (0, bytes(64))
        assert mine.verify(mine.public(mine.key(7)).out, digest, b"\x01" * 64) == 0


def test_the_generator(ours: ctypes.CDLL) -> None:
    """None, one that fails, one that works: keys come from its bytes."""
    mine = Uecc(ours, "secp256r1")
    ours.uECC_get_rng.restype = ctypes.c_void_p
    default = ctypes.c_void_p(ours.uECC_get_rng())
    pair = ctypes.create_string_buffer(64), ctypes.create_string_buffer(32)

    def fill(out: ctypes._Pointer[ctypes.c_uint8], size: int) -> int:
        ctypes.memmove(out, bytes(range(1, size + 1)), size)
        return 1

    works, fails = FILL(fill), FILL(lambda *_: 0)
    try:
        for rng, done in ((ctypes.c_void_p(), 0), (fails, 0), (works, 1)):
            ours.uECC_set_rng(rng)
            assert ours.uECC_make_key(*pair, mine.curve) == done
            assert mine.sign(mine.key(7), b"\x01" * 32).done == done
        assert pair[1].raw == bytes(range(1, 33))
        assert pair[0].raw == mine.public(pair[1].raw).out
    finally:
        ours.uECC_set_rng(default)


BLINDS = ["none", "coordinates", "scalar", "both"]


def blinded(blind: str) -> ctypes.CDLL:
    """Ours with this BLIND. Only `none` leaves room for uECC_sign_deterministic()."""
    defines = [f"uECC_SIGN_DETERMINISTIC={int(blind == 'none')}"]
    return ctypes.CDLL(str(on_ecfit("uecc", [], list(SIZES), SETS | {"BLIND": blind}, defines)))


def _fill(out: ctypes._Pointer[ctypes.c_uint8], size: int) -> int:
    ctypes.memmove(out, os.urandom(size), size)
    return 1


SYSTEM, FAILS = FILL(_fill), FILL(lambda *_: 0)


def works(uecc: Uecc, private: bytes, public: bytes) -> dict[str, int]:
    """Which operations return 1."""
    digest = hashlib.sha256(public).digest()
    signs = {"sign_deterministic"} if hasattr(uecc.c, "uECC_sign_deterministic") else set()
    return {
        "make_key": uecc.make_key()[0].done,
        "compute_public_key": uecc.public(private).done,
        "shared_secret": uecc.shared(public, private).done,
        "valid_public_key": uecc.valid(public),
        "sign": uecc.sign(private, digest).done,
    } | {name: uecc.sign_deterministic(private, digest, Hash("sha256")).done for name in signs}


@pytest.mark.parametrize("blind", BLINDS)
@pytest.mark.parametrize("name", SIZES)
def test_without_a_generator_as_micro_ecc(name: str, blind: str, theirs: ctypes.CDLL) -> None:
    """As a Bluetooth stack does: it makes keys, takes its generator away, and then ignores what
    uECC_shared_secret() returns. ECDH and public keys are computed; what needs a secret of its
    own, a key or a nonce, fails.
    """
    mine, other = Uecc(blinded(blind), name), Uecc(theirs, name)
    try:
        for uecc in (mine, other):
            uecc.c.uECC_set_rng(SYSTEM)
        (done, public), private = mine.make_key()
        (peer_done, peer), peer_private = mine.make_key()
        assert (done, peer_done) == (1, 1)
        for uecc in (mine, other):
            uecc.c.uECC_set_rng(None)
        expected = works(other, private, peer)
        assert works(mine, private, peer).items() <= expected.items()
        assert set(expected.values()) == {0, 1}
        assert {key for key, done in expected.items() if not done} == {"make_key", "sign"}
        assert mine.shared(peer, private) == mine.shared(public, peer_private)
        edge = pow(2, 8 * (mine.size + -mine.size % 8), mine.order)  # what masks a scalar there
        for key in (private, *map(mine.key, (3, mine.order - 3, edge, mine.order - edge))):
            assert mine.public(key) == other.public(key)
            assert mine.shared(peer, key) == other.shared(peer, key)
        (done, out), key = mine.make_key()
        assert (done, any(out), any(key)) == (0, False, False)
        assert mine.sign(private, DIGEST) == (0, bytes(2 * mine.size))
    finally:
        theirs.uECC_set_rng(SYSTEM)


@pytest.mark.parametrize("blind", BLINDS[1:])
def test_a_generator_that_fails_blinds_nothing(blind: str, theirs: ctypes.CDLL) -> None:
    """It is not the same as none: there is no shared secret, as with micro-ecc."""
    mine, other = Uecc(blinded(blind), "secp256r1"), Uecc(theirs, "secp256r1")
    peer = mine.public(mine.key(5)).out
    try:
        for uecc in (mine, other):
            uecc.c.uECC_set_rng(FAILS)
            assert uecc.shared(peer, mine.key(7)).done == 0
            assert uecc.sign(mine.key(7), DIGEST).done == uecc.make_key()[0].done == 0
        assert mine.shared(peer, mine.key(7)).out == bytes(32)
    finally:
        for uecc in (mine, other):
            uecc.c.uECC_set_rng(SYSTEM)


@pytest.mark.parametrize("other", [False, True])
def test_the_example_with_either_library(other: bool, tmp_path: Path) -> None:
    words = [f"UECC={micro_ecc()}", "DEFINES=-w"] if other else []
    done = example_table.make("micro-ecc", "host", tmp_path, "run", *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "key pair, shared secret, signature and verification: done\n"


def test_a_verification_is_small_on_a_cortex_m0plus(tmp_path: Path) -> None:
    """2,400 B with all that it calls: the golden gate of the page docs/from-micro-ecc.md."""
    ask = ["--target", "samd20", "--curve", "secp256r1", "--op", "verify", "--preset", "tiny"]
    ask += ["--set", "NONCE=random", "-o", str(tmp_path)]
    subprocess.run([*example_table.ECFIT, "config", *ask], check=True, capture_output=True)
    lib = COMPAT.parent / "lib"
    include = [f"-I{path}" for path in (tmp_path, lib / "include", lib / "src", COMPAT / "uecc")]
    sources = [COMPAT / "uecc" / "uECC.c", lib / "src" / "ecfit.c", lib / "src" / "ecfit_asm.S"]
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-Os", "-ffunction-sections",
               "-fdata-sections", *include, *map(str, sources), "-nostartfiles",
               "--specs=nano.specs", "-Wl,--gc-sections,-n,--build-id=none",
               "-Wl,-e,uECC_verify,-u,uECC_secp256r1",
               "-o", str(tmp_path / "verify.elf")]  # fmt: skip
    subprocess.run(command, check=True)
    elf = Elf((tmp_path / "verify.elf").read_bytes(), "EM_ARM")
    assert 2000 < sum(len(segment.data) for segment in elf.segments) <= 2400


def test_sizes(ours: ctypes.CDLL, theirs: ctypes.CDLL) -> None:
    for name in SIZES:
        for verb in ("private_key_size", "public_key_size"):
            sizes = {getattr(c, f"uECC_curve_{verb}")(Uecc(c, name).curve) for c in (ours, theirs)}
            assert len(sizes) == 1, (name, verb)
    assert set(SIZES) == set(CURVES)


@pytest.mark.parametrize(
    ("defines", "text", "said"),
    [
        (["uECC_VLI_NATIVE_LITTLE_ENDIAN=1"], '#include "uECC.h"', "bytes are big-endian"),
        (["uECC_ENABLE_VLI_API=1"], '#include "uECC.h"', "no uECC_vli_ functions"),
        ([], '#include "uECC_vli.h"', "no uECC_vli_ functions"),
    ],
)
def test_what_cannot_be_is_an_error(
    tmp_path: Path, defines: list[str], text: str, said: str
) -> None:
    source = tmp_path / "program.c"
    source.write_text(text + "\nint main(void) { return 0; }\n", encoding="utf-8")
    include = [f"-I{path}" for path in (COMPAT / "uecc", COMPAT.parent / "lib" / "include")]
    command = ["cc", *include, *(f"-D{define}" for define in defines), "-c", str(source)]
    done = subprocess.run(
        [*command, "-o", str(tmp_path / "out.o")], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert said in done.stderr


@pytest.mark.parametrize(
    ("sets", "curves", "said"),
    [
        ({"COMPRESS": "sec1", "NONCE": "deterministic"}, ["secp256r1"], "NONCE=random"),
        (SETS | {"BLIND": "coordinates"}, ["secp256r1"], "BLIND=none"),
    ],
)
def test_a_wrong_configuration_is_an_error(
    sets: dict[str, str], curves: list[str], said: str
) -> None:
    with pytest.raises(AssertionError, match=said):
        on_ecfit("uecc", [], curves, sets)


def test_without_compression_keys_are_checked_all_the_same() -> None:
    flags = ["uECC_SUPPORT_COMPRESSED_POINT=0"]
    library = ctypes.CDLL(
        str(on_ecfit("uecc", [], ["secp256r1"], SETS | {"COMPRESS": "none"}, flags))
    )
    point = multiply_base(CURVES["secp256r1"], 77)
    assert point is not None
    x, y = (n.to_bytes(32, "big") for n in point)
    library.uECC_secp256r1.restype = ctypes.c_void_p
    curve = ctypes.c_void_p(library.uECC_secp256r1())
    assert library.uECC_valid_public_key(x + y, curve) == 1
    assert library.uECC_valid_public_key(y + x, curve) == 0
    assert not hasattr(library, "uECC_compress")


def test_a_curve_that_the_configuration_lacks_is_an_error() -> None:
    with pytest.raises(AssertionError, match="lacks this curve"):
        on_ecfit("uecc", [], ["secp256r1"], SETS, ["uECC_SUPPORTS_secp224r1=1"])


def test_the_nearest_presets_follow_from_the_table() -> None:
    """The second table of the page is made of the first; a row that is no larger answers, and no
    other.
    """
    text = uecc_table.PAGE.read_text(encoding="utf-8")
    first = text.split(uecc_table.BEGIN)[1].split(uecc_table.END)[0]
    assert uecc_table.between(text, uecc_table.NEAREST, uecc_table.nearest(first)) == text
    made = first + "| samd20 | ecfit made | 3,000 | 2,300 | 1 | 240 | 241 | 289 | 400 |\n"
    assert uecc_table.nearest(made).count("made: 3,000 B, 1 B, 240 241 289 400 ms") == 2
    assert uecc_table.nearest(made).count("made: 2,300 B, 1 B, 400 ms") == 2


# ---- ecc.h: the interface of 2013 ----------------------------------------------------------------

WRAPPED = """
#include "ecc.h"
int made(EccPoint *q, uint32_t *d, uint32_t *k) { return ecc_make_key(q, d, k); }
int valid(EccPoint *q) { return ecc_valid_public_key(q); }
int secret(uint32_t *z, EccPoint *q, uint32_t *d) { return ecdh_shared_secret(z, q, d); }
int sign(uint32_t *r, uint32_t *s, uint32_t *d, uint32_t *k, uint32_t *e)
{
    return ecdsa_sign(r, s, d, k, e);
}
int verify(EccPoint *q, uint32_t *e, uint32_t *r, uint32_t *s) { return ecdsa_verify(q, e, r, s); }
"""


def words(value: int, count: int) -> ctypes.Array[ctypes.c_uint32]:
    """A number as the interface has it: the least significant word first."""
    return (ctypes.c_uint32 * count)(*(value >> 32 * i & 0xFFFFFFFF for i in range(count)))


def number(array: Iterable[int]) -> int:
    return sum(word << 32 * i for i, word in enumerate(array))


SIZES_OF_2013 = {"secp128r1": 4, "secp192r1": 6, "secp256r1": 8, "secp384r1": 12}  # words


def x_of(curve: reference.Curve, scalar: int) -> int:
    point = multiply_base(curve, scalar)
    assert point is not None
    return point[0]


@pytest.mark.parametrize("name", SIZES_OF_2013)
def test_the_interface_of_2013(name: str, tmp_path: Path) -> None:
    """Keys and nonces are the caller's; what it makes is what the reference makes."""
    curve, source = reference.CURVES[name], tmp_path / "wrapped.c"
    source.write_text(WRAPPED)
    path = on_ecfit(
        "uecc", [source], list(dict.fromkeys((name, "secp192r1"))), {"NONCE": "random"},
        [f"ECC_CURVE={name}"], flags=["Wno-missing-prototypes"],
    )  # fmt: skip
    ecc, count = ctypes.CDLL(str(path)), SIZES_OF_2013[name]
    d, k, e = (
        int.from_bytes(hashlib.sha512(w).digest(), "big") % curve.n for w in (b"d", b"k", b"e")
    )
    public, private = words(0, 2 * count), words(0, count)
    assert ecc.made(public, private, words(d, count)) == 1
    assert number(private) == d
    point = number(public[:count]), number(public[count:])
    assert point == multiply_base(curve, d)
    for bad in (0, curve.n, (1 << 32 * count) - 1):
        assert ecc.made(words(0, 2 * count), words(0, count), words(bad, count)) == 0
    assert ecc.valid(public) == 1
    moved = words(number(public) ^ 1, 2 * count)
    assert ecc.valid(moved) == 0
    secrets = words(0, count), words(0, count)
    other, mine = words(0, 2 * count), words(0, count)
    assert ecc.made(other, mine, words(k, count)) == 1
    assert ecc.secret(secrets[0], public, mine) == ecc.secret(secrets[1], other, private) == 1
    assert number(secrets[0]) == number(secrets[1]) == x_of(curve, d * k % curve.n)
    assert ecc.secret(secrets[0], moved, mine) == 0
    r, s = words(0, count), words(0, count)
    assert ecc.sign(r, s, private, words(k, count), words(e, count)) == 1
    assert number(r) == x_of(curve, k) % curve.n
    expected = pow(k, -1, curve.n) * (e + number(r) * d) % curve.n
    assert number(s) in (expected, curve.n - expected)
    assert ecc.verify(public, words(e, count), r, s) == 1
    assert ecc.verify(public, words(e ^ 1, count), r, s) == 0
    assert ecc.sign(r, s, private, words(0, count), words(e, count)) == 0
