"""Edwards and Montgomery curves over fields of 8 bits through the library's
own templates, exhaustively.

Both signs of a, with the groups' cofactors: all keys, all encodings of public keys, all signatures
of some keys; all scalars and coordinates of the ladder. What is expected comes from the reference,
whose own group laws are tested elsewhere.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from ref import rfc7748, rfc8032
from ref.edcomb import EdComb, odd_multiples
from ref.rfc7748 import XCurve
from ref.rfc8032 import EdCurve

from ecfit.choices import knobs
from ecfit.choices.curves import CURVES
from workshop.library import build as lib_build
from workshop.library.api import Status
from workshop.library.rfc_api import RfcLibrary
from workshop.paths import C_TESTS

RADIX = 1 << 8
ROOTS = {
    5: 3,
    3: 2,
    7: 2,
}  # p mod 8: the power of square roots is that of the bits of p from this one on
SHAPES = {
    "complete": {"COORDINATES": "complete", "MULG": "as_var", "MULD": "two"},
    "extended": {"COORDINATES": "extended", "MULG": "comb_flash", "MULD": "strauss", "WNAF_A": "3"},
    "blocks": {
        "COORDINATES": "extended",
        "MULG": "comb_flash",
        "MULD": "strauss",
        "COMB_BLOCKS": "2",
        "WNAF_A": "2",
    },
    "two": {"COORDINATES": "extended", "MULG": "comb_flash", "MULD": "two"},
    "bits": {"COORDINATES": "extended", "MULG": "comb_flash", "MULD": "bits"},
    "naf": {"COORDINATES": "extended", "MULD": "naf", "WNAF_A": "2", "WNAF_G": "3"},
    "multiples": {"COORDINATES": "extended", "MULD": "naf", "WNAF_A": "4", "WNAF_G": "3"},
}


def short_hash(data: bytes) -> bytes:
    """toy_hash of lib/test/toy_rfc.c."""
    return hashlib.sha512(data).digest()[:4]


def is_prime(number: int) -> bool:
    """By division."""
    return number > 1 and all(number % divisor for divisor in range(2, number))


@cache
def toy_curve(a: int, p: int, cofactor: int) -> EdCurve:
    """The first curve a x^2 + y^2 = 1 + d x^2 y^2 with d not a square and `cofactor` times a prime
    points, above 16.
    """
    for d in range(2, p):
        if pow(d, (p - 1) // 2, p) == 1:
            continue
        points = [
            (x, y)
            for x in range(p)
            for y in range(p)
            if (a * x * x + y * y - 1 - d * x * x * y * y) % p == 0
        ]
        order, rest = divmod(len(points), cofactor)
        if rest or not is_prime(order) or order < 16:
            continue
        for x, y in points:
            toy = EdCurve(
                name="toy", title="", source="", p=p, a=a, d=d, n=order, cofactor=cofactor, gx=x,
                gy=y,
                hash=short_hash, dom=b"toy", pure_without_dom=True,
            )  # fmt: skip
            multiple = rfc8032.multiply(toy, order, toy.base)
            if (x, y) != (0, 1) and rfc8032.equal(toy, multiple, toy.identity):
                return toy
    raise ValueError("no such curve")


EDWARDS = {"minus1": (-1, 229, 8), "plus1": (1, 251, 4)}
CASES = [
    (a, shape)
    for a in EDWARDS
    for shape in SHAPES
    if f"{a}-{shape}" not in ("minus1-two", "plus1-complete")
]


TOY_FIELD = "field/pmers/toyp_mont.inc"


def constants(name: str, *values: int) -> str:
    """An array of words of 8 bits."""
    return f"ECFIT_CONST mp_word {name}[{len(values)}] = {{{', '.join(map(str, values))}}};\n"


def prime_files(p: int) -> dict[str, str]:
    """The field as field/pmers/p25519_mont.inc has it."""
    inverse = -pow(p, -1, RADIX) % RADIX
    text = (
        "/* template: needs FIELD, LIMBS, mod; layer field */\n"
        "#define FIELD toyp_mont\n#ifndef TOYP_MONT_H\n#define TOYP_MONT_H\n"
        + constants("toyp", p)
        + constants("F(r2)", RADIX * RADIX % p)
        + f"ECFIT_CONST mod F(mod) = {{toyp, F(r2), {inverse}, 1}};\n"
        + '#include "field/montgomery/mont_field.inc"\n#endif\n'
    )
    return {TOY_FIELD: text}


def prime_macros(p: int, cofactor: int) -> str:
    """What curve/rfc7748.h defines."""
    values = {
        "PRIME": "toyp", "FIELD_BITS": "8", "LIMBS": "1", "TOP_MASK": "MP_ALL",
        "COFACTOR": str(cofactor),
        "PRIME_INVERT": f"{p - 2}, 0", "PRIME_ROOT": f"{p}, {ROOTS[p % 8]}",
    }  # fmt: skip
    return "".join(f"#define {name} {value}\n" for name, value in values.items())


def edwards_files(curve: EdCurve, sets: dict[str, str]) -> dict[str, str]:
    """A curve file, and the table of its base point."""
    order_bits = curve.n.bit_length()
    half = rfc8032.affine(curve, rfc8032.multiply(curve, 1 << 4, curve.base))
    second = {-1: "mul/edwards/ed_half_flash.inc", 1: "mul/edwards/ed_half_doubled.inc"}[curve.a]
    macros = {
        "CURVE": "toy", "CURVE_CAPS": "ED25519", "CURVE_A": "minus1" if curve.a == -1 else "plus1",
        "HASH_BYTES": "4", "HEDGE_BYTES": "8",
        "HASH_SUM(digest, pieces, count)": "toy_hash(digest, 4, pieces, count)",
        "MINUS_D": str(-curve.d % curve.p), "DOM": '"toy"', "ORDER_BITS": str(order_bits),
        "PURE_DOM(pieces, flags)": "N(sc_no_dom)(pieces, flags)",
        "N_INV": str(-pow(curve.n, -1, RADIX) % RADIX), "SECOND_HALF": f'"{second}"',
    }  # fmt: skip
    text = "".join(f"#define {name} {value}\n" for name, value in macros.items()) + prime_macros(
        curve.p, curve.cofactor
    )
    text += constants("N(n)", curve.n) + constants("N(n_r2)", RADIX * RADIX % curve.n)
    text += constants("N(g)", curve.gx, curve.gy) + constants("N(d2)", 2 * curve.d % curve.p)
    text += constants("N(g_half)", *half)
    comb = EdComb(curve, int(sets.get("COMB_TEETH", "4")), int(sets.get("COMB_BLOCKS", "1")))
    entries = [
        value
        for block in range(comb.blocks)
        for index in range(comb.entries)
        for value in comb.stored(block, index)
    ]
    width = int(sets.get("WNAF_G", "5"))
    odd = [value for row in odd_multiples(curve, width) for value in row]
    return prime_files(curve.p) | {
        "toy_rfc.inc": text
        + f'#undef ECFIT_ED25519_FIELD\n#define ECFIT_ED25519_FIELD "{TOY_FIELD}"\n'
        + '#include "curve/edwards.inc"\n',
        f"curve/comb/toy_odd_w{width}.inc": constants("N(odd)", *odd),
        f"curve/comb/toy_t{comb.teeth}_v{comb.blocks}.inc": constants("N(comb)", *entries),
    }


def library_of(curve: str, sets: dict[str, str], files: dict[str, str]) -> Path:
    """The shared library."""
    config = knobs.resolve(CURVES[curve], "tiny", {"BACKEND": "w8", "REDUCE": "mont", **sets}, "w8")
    config = (
        knobs.resolve(CURVES["ed25519"], "tiny", {"BACKEND": "w8", "REDUCE": "mont"}, "w8")
        if not sets
        else config
    )
    command = [*lib_build.compiler(), *lib_build.WARNINGS, "-shared", "-fPIC"]
    return lib_build.build(
        config, [C_TESTS / "toy_rfc.c"], command, suffix=".so", curves=["ed25519"], replace=files
    )


@dataclass
class Toy:
    """A toy curve of the reference and of the library."""

    curve: EdCurve
    library: RfcLibrary


class ToyLibrary(RfcLibrary):
    """Keys of 2 bytes."""

    def __init__(self, path: Path, size: int) -> None:
        self.curve = "toy"
        self.size = size
        self.c = ctypes.CDLL(str(path))


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def toy(request: pytest.FixtureRequest) -> Toy:
    """A sign of a, and a shape of the multiplications."""
    a, shape = request.param
    curve, sets = toy_curve(*EDWARDS[a]), SHAPES[shape]
    path = library_of("ed25519", sets, edwards_files(curve, sets))
    return Toy(curve, ToyLibrary(path, curve.size))


@cache
def keys_by_scalar(curve_name: tuple[int, int, int]) -> dict[int, bytes]:
    """A private key for each secret scalar modulo n."""
    curve = toy_curve(*curve_name)
    found: dict[int, bytes] = {}
    for number in range(1 << 16):
        key = number.to_bytes(2, "little")
        found.setdefault(rfc8032.expand(curve, key)[0] % curve.n, key)
    return found


def parameters(toy: Toy) -> tuple[int, int, int]:
    """Those of the toy."""
    return toy.curve.a, toy.curve.p, toy.curve.cofactor


def test_public_keys(toy: Toy) -> None:
    """Every secret scalar: clamping leaves a quarter or an eighth of the 128 upper ones."""
    scalars = {
        rfc8032.expand(toy.curve, key)[0] for key in keys_by_scalar(parameters(toy)).values()
    }
    assert len(scalars) >= 16
    for key in keys_by_scalar(parameters(toy)).values():
        assert toy.library.public_key(key) == (Status.OK, rfc8032.public_key(toy.curve, key)), (
            key.hex()
        )


@pytest.mark.parametrize(
    "toy", [("minus1", "complete"), ("plus1", "extended")], indirect=True, ids="-".join
)
def test_encodings(toy: Toy) -> None:
    """All 2^16 strings: a public key, of a point that is not of small order, or refused."""
    accepted = 0
    for number in range(1 << 16):
        public = number.to_bytes(2, "little")
        try:
            point = rfc8032.decode(toy.curve, public)
            good = not rfc8032.has_small_order(toy.curve, point)
        except ValueError:
            good = False
        status = toy.library.verify(b"\0\0\xff\0", public, b"")
        assert status is (Status.BAD_SIGNATURE if good else Status.BAD_PUBLIC_KEY), public.hex()
        accepted += good
    assert accepted == toy.curve.cofactor * (toy.curve.n - 1)


def test_signatures(toy: Toy) -> None:
    """A key for each scalar, messages until each nonce has been: equal to the reference,
    and judged as there.
    """
    nonces = set()
    for key in keys_by_scalar(parameters(toy)).values():
        public = rfc8032.public_key(toy.curve, key)
        for number in range(12):
            message = bytes([number])
            signature = rfc8032.sign(toy.curve, key, message)
            assert toy.library.sign(key, message) == (Status.OK, signature)
            nonces.add(signature[:2])
            wanted = rfc8032.verify(toy.curve, signature, public, message)
            status = toy.library.verify(signature, public, message)
            small = toy.library.verify(b"\0\0\xff\0", public, b"") is Status.BAD_PUBLIC_KEY
            assert status is (
                Status.BAD_PUBLIC_KEY if small else Status.OK if wanted else Status.BAD_SIGNATURE
            )
    assert len(nonces) >= toy.curve.n - 3


def test_verification(toy: Toy) -> None:
    """All R that are points, with and without canonical form, and all S below 2^8,
    for keys of every order.
    """
    curve = toy.curve
    commitments = []
    for number in range(1 << 16):
        data = number.to_bytes(2, "little")
        try:
            rfc8032.decode(curve, data)
        except ValueError:
            if number % 97:
                continue
        commitments.append(data)
    torsion = [
        point
        for point in map(decoded(curve), commitments)
        if point and rfc8032.has_small_order(curve, point)
    ]
    assert len(torsion) == curve.cofactor
    publics = [rfc8032.multiply(curve, 3, curve.base)]
    publics.append(rfc8032.add(curve, publics[0], torsion[-1]))
    accepted = 0
    for public in [rfc8032.encode(curve, point) for point in publics]:
        for commitment in commitments[::3]:
            for s in range(0, 256, 1 if commitment == commitments[0] else 5):
                signature = commitment + bytes([s, 0])
                wanted = rfc8032.verify(curve, signature, public, b"m")
                status = toy.library.verify(signature, public, b"m")
                assert status is (Status.OK if wanted else Status.BAD_SIGNATURE), (
                    public.hex(),
                    signature.hex(),
                )
                accepted += wanted
    assert accepted >= 2


def decoded(curve: EdCurve) -> Callable[[bytes], rfc8032.EPoint | None]:
    """A function from encodings to points, or None."""

    def decode(data: bytes) -> rfc8032.EPoint | None:
        try:
            return rfc8032.decode(curve, data)
        except ValueError:
            return None

    return decode


LADDERS = {"229": (229, 8), "251": (251, 4)}
X_SLOTS = {
    "FIELD": TOY_FIELD,
    "LADDER": "mul/montgomery/ladder_xz.inc",
    "WIPE": "api/wipe_none.inc",
    "ECDH_X": "api/exchange/x_ecdh.inc",
    "KEYGEN_X": "api/exchange/x_keygen.inc",
}
LADDER_SLOTS = {"MULG_X": "mul/montgomery/x_base.inc", "PUBLIC_X": "api/exchange/x_public.inc"}
COMB_SLOTS = {
    "MULG_X": "mul/montgomery/x_base_edwards.inc",
    "PUBLIC_X": "api/exchange/x_public_edwards.inc",
}


def montgomery_text(curve: XCurve, slots: dict[str, str], **more: str) -> str:
    """A curve file."""
    macros = {
        "CURVE": "toy", "CURVE_CAPS": "X25519", "A24": str((curve.a - 2) // 4),
        "BASE_U": str(curve.base), **more,
    }  # fmt: skip
    text = "".join(f"#define {key} {value}\n" for key, value in macros.items())
    text += prime_macros(curve.p, curve.cofactor)
    text += "".join(f'#define ECFIT_X25519_{slot} "{file}"\n' for slot, file in slots.items())
    return text + '#include "curve/montgomery.h"\n'


@pytest.mark.parametrize("name", LADDERS)
def test_ladder(name: str) -> None:
    """All pairs of coordinate and clamped scalar, and all scalars before clamping
    with one coordinate.
    """
    p, cofactor = LADDERS[name]
    curve = XCurve(name="toy", title="", source="", p=p, a=78, base=9, cofactor=cofactor)
    files = prime_files(p) | {"toy_rfc.inc": montgomery_text(curve, X_SLOTS | LADDER_SLOTS)}
    library = ToyLibrary(library_of("ed25519", {}, files), 1)
    zeros = 0
    for u in range(256):
        for key in range(256) if u == curve.base else range(128, 256, cofactor):
            shared = rfc7748.exchange(curve, bytes([key]), bytes([u]))
            status = Status.OK if any(shared) else Status.BAD_PUBLIC_KEY
            assert library.exchange(bytes([key]), bytes([u])) == (status, shared), (key, u)
            zeros += shared == b"\0"
    assert zeros >= 2 * 128 // cofactor
    for key in range(256):
        assert library.public_key(bytes([key])) == (
            Status.OK,
            rfc7748.public_key(curve, bytes([key])),
        )


@pytest.mark.parametrize("shape", ["extended", "blocks", "complete"])
@pytest.mark.parametrize("a", EDWARDS)
def test_keys_by_the_edwards_curve(a: str, shape: str) -> None:
    """All private keys, of which some are multiples of the order: as by the ladder of the
    reference on the Montgomery curve to which the Edwards curve maps (RFC 7748, 4.1, 4.2).
    """
    edwards = toy_curve(*EDWARDS[a])
    p, x, y = edwards.p, edwards.gx, edwards.gy
    if edwards.a == -1:
        big_a = 2 * (edwards.a + edwards.d) * pow(edwards.a - edwards.d, -1, p)
        base = (1 + y) * pow(1 - y, -1, p) % p
    else:
        big_a, base = 2 - 4 * edwards.d, pow(y * pow(x, -1, p), 2, p)
    a24 = (big_a - 2) * pow(4, -1, p) % p
    curve = XCurve(name="toyx", title="", source="", p=p, a=4 * a24 + 2, base=base,
                   cofactor=edwards.cofactor)  # fmt: skip
    files = edwards_files(edwards, SHAPES[shape])
    base_only = '#define CURVE_IS_BASE 1\n#include "curve/edwards.inc"\n'
    text = files["toy_rfc.inc"].replace('#include "curve/edwards.inc"\n', base_only)
    files["toy_rfc.inc"] = text + montgomery_text(
        curve, X_SLOTS | COMB_SLOTS, CURVE="toyx", EDWARDS="toy"
    )
    library = ToyLibrary(library_of("ed25519", SHAPES[shape], files), 1)
    library.curve = "toyx"
    found = set()
    for key in range(256):
        wanted = rfc7748.public_key(curve, bytes([key]))
        assert library.public_key(bytes([key])) == (Status.OK, wanted), key
        found.add(wanted)
    assert len(found) > 10
