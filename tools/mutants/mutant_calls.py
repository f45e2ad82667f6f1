"""Calls of the library for tools/mutants/mutants.py: configurations, what is called in each,
and the answers.

The answers that count are those of the unchanged library;
tests hold them against references and published vectors.
"""

from __future__ import annotations

import ctypes
import hashlib
import random
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ref import codec, ecdsa, rfc8032
from ref.curves import CURVES, Curve
from ref.group import multiply_base

from ecfit.build import combs
from ecfit.choices import knobs
from ecfit.choices.curves import CURVES as BENCH_CURVES
from ecfit.choices.curves import EVERY_OP
from ecfit.oracle import bip340, spake2p
from workshop.library import build as lib_build
from workshop.library.curves import BUILDS
from workshop.library.rfc_api import EXTRA, SIZES, forms
from workshop.rigs.forgeries import forgeries
from workshop.vectors.rfc_wycheproof import ed_cases, x_cases
from workshop.vectors.wycheproof import ecdh_cases, ecdsa_cases, files

Call = tuple[str, tuple[Any, ...]]  # function, arguments
WEIERSTRASS = {  # curve: builds of lib_build.EXTRA, lib_curves.BUILDS or presets
    "secp256r1": (
        "hedged",
        "narrow",
        "wide",
        "odd",
        "pieces",
        "naf",
        "gcd",
        "xonly",
        "bytes",
        "halfwords",
        "complete",
        "digits",
        "digits-four",
        "ladder-coz",
        "digits-comb",
        "late",
        "tiny-w32m16",
        "balanced-w32",
        "lowram-w32",
        "compact-w32",
        "fast-w32",
    ),
    "secp160r1": ("balanced", "shared"),
    "secp192r1": ("tiny",),
    "secp224r1": ("masked",),
    "secp128r1": ("blinded",),
    "secp256k1": ("balanced", "blinded", "fast-w64"),
    "secp384r1": ("tiny", "blinded", "balanced-w64"),
    "secp521r1": ("balanced", "xonly"),
    "brainpoolP256r1": ("shared", "checked"),
}
OTHERS = {
    "x25519": ("mont", "bytes", "halfwords", "balanced-w64", "tiny-w32", "comb"),
    "x448": ("balanced-w32", "tiny-w64", "comb-five", "mont"),
    "ed25519": (
        "mont",
        "two",
        "wide",
        "complete",
        "halfwords",
        "tiny-w32",
        "balanced-w64",
        "hardened",
        "hedged",
        "pair",
        "bits",
        "naf",
        "naf-mont",
    ),
    "ed448": ("narrow", "balanced-w32", "tiny-w64", "pair"),
}


# Settings with the operations that no call of EVERY_OP makes
SCHNORR = ("secp256k1-balanced", "secp256k1-blinded")
RECOVERING = ("secp160r1-balanced", "secp224r1-masked", "secp256k1-balanced")
SPAKE2P = ("secp256r1-balanced-w32",)
IN_PARTS = ("ed25519-tiny-w32", "ed25519-balanced-w64", "ed448-tiny-w64")
# Functions without a result
VOID = ("prepare", "abort", "verify_update", "d25519_verify_start", "d25519_verify_start_ctx",
        "d448_verify_start", "d448_verify_start_ctx")  # fmt: skip

SETS = {  # beside the defaults, of an Edwards curve
    "hardened": {"VERIFY": "eddsa_hardened"},
    "hedged": {"SIGN": "eddsa_hedged"},
    "pair": {"SIGN": "eddsa_pair"},
    "bits": {"MULD": "bits"},
}


class Out(NamedTuple):
    """A buffer that is written."""

    size: int


class Pieces(NamedTuple):
    """An array of ecfit_bytes, and how many."""

    parts: tuple[bytes, ...]


class Random(NamedTuple):
    """A generator that hands out these bytes, then fails. None: no generator."""

    pool: bytes


class Read(NamedTuple):
    """A reader that gives the first message and then the second, and fails behind their ends."""

    first: bytes
    second: bytes


class Size(NamedTuple):
    """A size_t, or an uint64_t."""

    value: int


class Task(NamedTuple):
    """The task of the call before, of so many bytes; `fresh`: a new one, all zero."""

    size: int
    fresh: bool


class Setting(NamedTuple):
    """A configuration, and its calls."""

    name: str
    files: dict[str, str]
    calls: list[Call]


@cache
def settings() -> list[Setting]:
    """All of them."""
    return [
        setting(f"{curve}-{build}")
        for curve, builds in (WEIERSTRASS | OTHERS).items()
        for build in builds
    ]


def setting(name: str) -> Setting:
    """One of them, by its name: a curve of WEIERSTRASS or OTHERS, and a build of it."""
    curve, _, build = name.partition("-")
    return _weierstrass(curve, build) if curve in WEIERSTRASS else _other(curve, build)


def _files(config: Any, curve: str, *named: str) -> dict[str, str]:
    header = knobs.header(config, [curve], (*EVERY_OP, *named))
    return {"ecfit_config.h": header} | combs.missing_tables(curve, dict(config.settings))


def _weierstrass(curve: str, build: str) -> Setting:
    if build in lib_build.EXTRA:
        preset, backend, sets = lib_build.EXTRA[build]
    elif "-" in build:
        (preset, backend), sets = build.split("-"), {}
    else:
        preset, backend, sets = BUILDS[build]
    sets = {name: value for name, value in sets.items() if value != "caller" or name == "WORK"}
    config = knobs.resolve(BENCH_CURVES[curve], preset, {"BACKEND": backend, **sets}, backend)
    calls = _weierstrass_calls(CURVES[curve], dict(config.settings))
    name = f"{curve}-{build}"
    named: tuple[str, ...] = ()
    if name in RECOVERING:
        named += ("sign_recoverable", "recover_key")
        calls += _recovery_calls(CURVES[curve])
    if name in SCHNORR:
        named += ("sign_schnorr", "verify_schnorr")
        calls += _schnorr_calls()
    if name in SPAKE2P:
        named += ("spake2p_prover", "spake2p_verifier")
        calls += _spake2p_calls()
    return Setting(name, _files(config, curve, *named), calls)


def _other(curve: str, name: str) -> Setting:
    preset, backend, sets = "balanced", "w64", SETS.get(name, {})
    if name in EXTRA:
        preset, backend, _, extra = EXTRA[name]
        sets = forms(curve) | extra
    elif name not in SETS:
        preset, backend = name.split("-")
        sets = forms(curve)
    config = knobs.resolve(BENCH_CURVES[curve], preset, {"BACKEND": backend, **sets}, backend)
    calls = (
        _exchange_calls(curve)
        if curve.startswith("x")
        else _eddsa_calls(curve, dict(config.settings))
    )
    if f"{curve}-{name}" in IN_PARTS:
        calls += _calls_in_parts(curve, calls)
        files = _files(config, curve, "verify_parts", "sign_parts")
    else:
        files = _files(config, curve)
    return Setting(f"{curve}-{name}", files, calls + _hash_calls())


def _scalars(curve: Curve, some: random.Random) -> list[int]:
    n, bits = curve.n, curve.order_bits
    edges = [1, 2, 3, n - 1, n - 2, n // 2, n // 2 + 1, (1 << (bits - 1)) - 1, 1 << (bits // 2)]
    return [*edges, int("5" * (bits // 4 - 1), 16), *(some.randrange(1, n) for _ in range(4))]


def _message_calls(curve: Curve, values: dict[str, str], pool: Random) -> list[Call]:
    """Of messages that are hashed, where the configuration has the hash."""
    if values[knobs.find_slot(curve.name).hash or ""] == knobs.NONE:
        return []
    text, n, name = b"a message that is hashed", curve.order_bytes, f"ecfit_{curve.name}_ecdsa_"
    public = codec.encode_point(curve, multiply_base(curve, 77))
    hashed = hashlib.new(BENCH_CURVES[curve.name].hash_name, text).digest()
    pair = ecdsa.encode_signature(curve, ecdsa.sign(curve, 77, hashed))
    calls: list[Call] = []
    for message in (b"", text, text[:-1]):
        size = Size(len(message))
        calls.append((name + "verify_message", (pair, public, message, size)))
        key = (77).to_bytes(n, "big")
        calls.append((name + "sign_message", (Out(2 * n), key, message, size, pool)))
    return calls


def _weierstrass_calls(  # noqa: PLR0912 - a list
    curve: Curve, values: dict[str, str]
) -> list[Call]:
    some, name = random.Random(curve.name), f"ecfit_{curve.name}_"
    f, n = curve.field_bytes, curve.order_bytes
    pool = Random(hashlib.shake_256(curve.name.encode()).digest(4096))

    def scalar(value: int) -> bytes:
        return value.to_bytes(n, "big")

    scalars = _scalars(curve, some)
    points = [codec.encode_point(curve, multiply_base(curve, k)) for k in scalars]
    bad = [
        bytes(1 + 2 * f),
        b"\x05" + points[3][1:],
        points[4][:-1] + bytes([points[4][-1] ^ 1]),
        b"\x04" + b"\xff" * 2 * f,
        b"\x04" + curve.p.to_bytes(f, "big") + points[2][1 + f :],
    ]
    calls: list[Call] = [
        *((name + "public_key_check", (point,)) for point in [*points[:8], *bad]),
        *(
            (name + "public_key", (Out(1 + 2 * f), scalar(k), pool))
            for k in (*scalars, 0, curve.n, curve.n + 1)
        ),
    ]
    order = curve.n.to_bytes(n, "big")
    streams = _out_of_range(curve)
    for stream in (
        pool.pool,
        *streams,
        bytes(n) + order + pool.pool,
        b"\xff" * 9000,
        b"",
        bytes(9000),
        pool.pool[:n],
    ):
        calls.append((name + "keygen", (Out(1 + 2 * f), Out(n), Random(stream))))
    calls.append((name + "keygen", (Out(1 + 2 * f), Out(n), None)))
    for k, point in zip((*scalars[5:], 0, curve.n), [*points, *points], strict=False):
        calls.append((name + "ecdh", (Out(f), scalar(k), point, pool)))
    for point in bad:
        calls.append((name + "ecdh", (Out(f), scalar(7), point, pool)))
    for k in scalars[3:]:
        calls.append((name + "ecdh", (Out(f), scalar(k), _least_x(curve), pool)))
    # what is drawn to blind with may be 0 modulo n or p
    for stream in (*streams, 9 * order, 9 * curve.p.to_bytes(n + 1, "big")[-n:]):
        calls.append((name + "public_key", (Out(1 + 2 * f), scalar(9), Random(stream))))
        calls.append(
            (name + "ecdsa_sign", (Out(2 * n), scalar(9), b"\x07" * 32, Size(32), Random(stream)))
        )
    for size in (0, 15, 16, f - 1, n, n + 1, 64, 65):
        digest = hashlib.shake_256(bytes([size])).digest(size)
        calls.append(
            (name + "ecdsa_sign", (Out(2 * n), scalar(scalars[-1]), digest, Size(size), pool))
        )
    for k in (0, curve.n, curve.n - 1):
        calls.append((name + "ecdsa_sign", (Out(2 * n), scalar(k), b"\xff" * 32, Size(32), pool)))
    calls.append((name + "ecdsa_sign", (Out(2 * n), scalar(5), b"\xff" * 32, Size(32), None)))
    verify = [
        "ecdsa_verify",
        *(["ecdsa_verify_hardened"] if values["VERIFY"] == "hardened" else []),
    ]
    cases = [(one.signature, one.public, one.message) for one in forgeries(curve.name).values()]
    r, s = ecdsa.sign(curve, 77, b"\x01" * 32)
    public = codec.encode_point(curve, multiply_base(curve, 77))
    pairs = [
        (r, s),
        (r, curve.n - s),
        (r + curve.n, s),
        (0, s),
        (r, 0),
        (curve.n, s),
        (r, curve.n),
        (s, r),
        (1, 1),
    ]
    cases += [
        (scalar(a) + scalar(b), public, b"\x01" * 32) for a, b in pairs if max(a, b) < 1 << 8 * n
    ]
    cases += [(scalar(r) + scalar(s), point, b"\x01" * 32) for point in bad]
    for size in (0, 15, 16, 27, 28, n, 64, 65):
        digest = hashlib.shake_256(bytes([size])).digest(size)
        a, b = ecdsa.sign(curve, 77, digest)
        cases.append((scalar(a) + scalar(b), public, digest))
    for file in files("ecdsa", curve.name)[:2]:
        listed = [case for case in ecdsa_cases(file) if case.signature is not None]
        for case in some.sample(listed, min(60, len(listed))):
            assert case.signature is not None
            cases.append((case.signature, case.public_key, case.digest))
    calls += _message_calls(curve, values, pool)
    for signature, key, digest in cases:
        calls += [(name + verb, (signature, key, digest, Size(len(digest)))) for verb in verify]
    for file in files("ecdh", curve.name)[:1]:
        peers = [
            case
            for case in ecdh_cases(file)
            if case.public_key and len(case.public_key) == 1 + 2 * f
        ]
        for one in some.sample(peers, min(20, len(peers))):
            if int.from_bytes(one.private_key, "big") < 1 << 8 * n:
                calls.append((name + "ecdh", (Out(f), one.private_key, one.public_key, pool)))
    if values["COMPRESS"] == "sec1":
        for point in [*points[:8], *bad]:
            calls.append((name + "compress", (Out(1 + f), point)))
            calls.append((name + "decompress", (Out(1 + 2 * f), point[:1] + point[1 : 1 + f])))
            for lead in (2, 3):
                calls.append(
                    (name + "decompress", (Out(1 + 2 * f), bytes([lead]) + point[1 : 1 + f]))
                )
    if values["DER"] == "strict":
        calls += _der_calls(name, n, curve, some)
    if values["RESUME"] == "steps":
        calls += _step_calls(name, curve, points, cases, values)
    return calls + _hash_calls()


def _recovery_calls(curve: Curve) -> list[Call]:
    """Signatures with each id, whose r is that of a point, of none, or out of range."""
    n, name = curve.order_bytes, f"ecfit_{curve.name}_ecdsa_"
    pool = Random(hashlib.shake_256(b"recovery").digest(4096))
    calls: list[Call] = []
    for k in (0, 1, 77, curve.n - 1, curve.n // 3):
        key, digest = k.to_bytes(n, "big"), hashlib.shake_256(bytes([k % 251])).digest(32)
        calls.append((name + "sign_recoverable", (Out(2 * n + 1), key, digest, Size(32), pool)))
    digest = b"\x01" * 32
    r, s = ecdsa.sign(curve, 77, digest)
    small = max(curve.p - curve.n, 1)  # r + n is below p for these
    pairs = [(r, s), (r, curve.n - s), (s, r), (0, s), (r, 0), (curve.n, s), (r, curve.n), (1, 1)]
    pairs += [(value, s) for value in (*range(2, 9), small - 1, small, small + 1)]
    for a, b in pairs:
        if 0 <= a < 1 << 8 * n:
            for number in (0, 1, 2, 3, 4, 0x80):
                signature = a.to_bytes(n, "big") + b.to_bytes(n, "big") + bytes([number])
                arguments = (Out(1 + 2 * curve.field_bytes), signature, digest, Size(32))
                calls.append((name + "recover", arguments))
    return calls


def _schnorr_calls() -> list[Call]:
    """Signatures of BIP 340 with both parities of the points, and wrong ones."""
    name, n = "ecfit_secp256k1_schnorr_", CURVES["secp256k1"].n
    pool = Random(hashlib.shake_256(b"schnorr").digest(4096))
    calls: list[Call] = []
    for k in (0, n, *range(1, 9), n - 1, n // 3):
        private, message = k.to_bytes(32, "big"), bytes(k % 67)
        for rng in (None, pool, Random(b"too short")):
            arguments = (Out(64), private, message, Size(len(message)), rng)
            calls.append((name + "sign", arguments))
        if 0 < k < n:
            public, good = bip340.public_key(private), bip340.sign(private, message, bytes(32))
            s = int.from_bytes(good[32:], "big")
            others = [good[:32] + other.to_bytes(32, "big") for other in (n - s, 0, n)]
            for signature in (good, *others, bytes(32) + good[32:]):
                rest = public, message, Size(len(message))
                calls.append((name + "verify", (signature, *rest)))
            for x in (bytes(32), (5).to_bytes(32, "big"), b"\xff" * 32):
                calls.append((name + "verify", (good, x, message, Size(len(message)))))
    return calls


def _spake2p_calls() -> list[Call]:
    """Runs of both sides (RFC 9383), with both kinds of keys, and wrong shares, records,
    confirmations and scalars.
    """
    name, n, size = "ecfit_secp256r1_spake2p_", CURVES["secp256r1"].n, 17 * 8
    wide = hashlib.shake_256(b"halves").digest(80)
    numbers = (wide, bytes(80), n.to_bytes(40, "big") + wide[40:], b"\xff" * 80)
    calls: list[Call] = [(name + "scalars", (Out(32), Out(32), halves)) for halves in numbers]
    w0, w1, x, y = 5, n - 3, n // 3, 7
    byte0, byte1 = w0.to_bytes(32, "big"), w1.to_bytes(32, "big")
    draws = [Random(secret.to_bytes(32, "big") + wide) for secret in (x, y)]
    for parts, matter in (((b"c", b"prover", b"verifier"), 0), ((b"hash", b"", b""), 1)):
        known, record = spake2p.Names(*parts, matter=bool(matter)), spake2p.record(w1)
        right = spake2p.verifier(known, y, w0, record, spake2p.prover_share(x, w0))
        share = spake2p.prover_share(x, w0)
        asked = Pieces(parts), Size(matter)
        wrong = bytes([right.confirm_p[0] ^ 1]) + right.confirm_p[1:]
        start = name + "prover_start", (Task(size, True), Out(65), byte0, draws[0])
        ends = [
            (byte1, right.share, right.confirm_v),
            (byte1, right.share, wrong),
            (bytes(32), right.share, right.confirm_v),
            (byte1, bytes(65), right.confirm_v),
        ]
        for end in ends:
            rest = (Task(size, False), *end, *asked, draws[0])
            calls += [start, (name + "prover_finish", (Out(32), Out(32), *rest))]
        for first in ((byte0, record, share), (byte0, share[:64] + b"x", share),
                      (byte0, record, bytes(65)), (bytes(32), record, share)):  # fmt: skip
            begun = (Task(size, True), Out(65), Out(32), *first, *asked, draws[1])
            for confirmation in (right.confirm_p, wrong, right.confirm_p):
                calls.append((name + "verifier_start", begun))
                calls.append((name + "verifier_finish", (Out(32), Task(size, False), confirmation)))
        late = Out(32), Task(size, False), right.confirm_p
        calls.append((name + "verifier_finish", late))  # a second try
    start_none = (Task(size, True), Out(65), byte0, Random(b"too short"))
    calls.append((name + "prover_start", start_none))
    return calls


def _calls_in_parts(curve: str, calls: list[Call]) -> list[Call]:
    """The verifications among the calls, with their message in two parts, and out of order; the
    signatures, of messages that stay, change, and end too early.
    """
    name, size = f"ecfit_{curve}_", 512
    parts: list[Call] = [(name + "verify_finish", (Task(size, True),))]
    for symbol, arguments in calls:
        if symbol == name + "verify_ctx":
            signature, public, message, _, *context = arguments
            parts.append(
                (symbol[:-4] + "_start_ctx", (Task(size, True), signature, public, *context))
            )
        elif symbol == name + "verify":
            signature, public, message, _ = arguments
            parts.append((symbol + "_start", (Task(size, True), signature, public)))
        elif symbol in (name + "sign", name + "sign_ctx"):
            out, key, message, length, *context = arguments
            called = symbol.replace("sign", "sign_parts")
            for second in (message, message[::-1], message[:-1]):
                reader = Read(message, second)
                parts.append((called, (out, key, length, reader, *context)))
            continue
        else:
            continue
        for part in (message[: len(message) // 3], message[len(message) // 3 :]):
            parts.append((name + "verify_update", (Task(size, False), part, Size(len(part)))))
        parts.append((name + "verify_finish", (Task(size, False),)))
    parts.append((name + "verify_finish", (Task(size, False),)))
    return parts


def _out_of_range(curve: Curve) -> list[bytes]:
    """What a generator hands out: 63 times numbers that are out of range, then good ones; 64 times;
    and one, then good ones, then nothing.
    """
    size = curve.order_bytes
    good = hashlib.shake_256(b"good").digest(20 * size)
    most = (1 << curve.order_bits) - 1
    bad = [max(most - i, curve.n).to_bytes(size, "big") for i in range(64)]
    return [b"".join(bad[1:]) + good, b"".join(bad) + good, bad[0] + good[: 2 * size]]


def _least_x(curve: Curve) -> bytes:
    """The point of the smallest x that the curve has: 0 where it can be.
    The base point where roots are not that easy to take.
    """
    if curve.p % 4 != 3:
        return codec.encode_point(curve, (curve.gx, curve.gy))
    x = next(x for x in range(99) if _is_square(x**3 + curve.a * x + curve.b, curve.p))
    return codec.encode_point(curve, (x, codec.lift(curve, x, odd=True)))


def _is_square(value: int, p: int) -> bool:
    return pow(value, (p - 1) // 2, p) in {0, 1}


def _der_calls(name: str, n: int, curve: Curve, some: random.Random) -> list[Call]:
    calls: list[Call] = []
    numbers = [
        0,
        1,
        127,
        128,
        255,
        256,
        curve.n - 1,
        curve.n,
        some.randrange(curve.n),
        1 << (8 * n - 1),
    ]
    for a in numbers:
        for b in (1, 128, curve.n - 1, curve.n, numbers[-2]):
            raw = a.to_bytes(n, "big") + b.to_bytes(n, "big")
            calls.append((name + "signature_to_der", (Out(2 * n + 9), Out(8), raw)))
            der = _der(a, b)
            calls.append((name + "signature_from_der", (Out(2 * n), der, Size(len(der)))))
    der = _der(numbers[-2], 128)
    for at in range(min(len(der), 12)):
        for change in (1, 0x80, 0xFF):
            damaged = der[:at] + bytes([der[at] ^ change]) + der[at + 1 :]
            calls.append((name + "signature_from_der", (Out(2 * n), damaged, Size(len(der)))))
    for size in (0, 1, 2, 3, 4, 7, len(der) - 1):
        calls.append((name + "signature_from_der", (Out(2 * n), der[:size], Size(size))))
    return calls


def _der(a: int, b: int) -> bytes:
    def integer(value: int) -> bytes:
        data = value.to_bytes(value.bit_length() // 8 + 1, "big")
        return bytes([2, len(data)]) + data

    body = integer(a) + integer(b)
    head = bytes([0x30, len(body)]) if len(body) < 128 else bytes([0x30, 0x81, len(body)])
    return head + body


def _step_calls(
    name: str, curve: Curve, points: list[bytes], cases: list[Any], values: dict[str, str]
) -> list[Call]:
    f, n = curve.field_bytes, curve.order_bytes
    size = 8 * (15 * ((f + 7) // 8) + 30)
    pool = Random(hashlib.shake_256(b"steps").digest(4096))
    key, digest = (12345).to_bytes(n, "big"), b"\x21" * 32
    runs: list[tuple[str, tuple[Any, ...], tuple[Any, ...]]] = [
        ("keygen", (pool,), (Out(1 + 2 * f), Out(n))),
        ("keygen", (None,), (Out(1 + 2 * f), Out(n))),
        *(("keygen", (Random(one),), (Out(1 + 2 * f), Out(n))) for one in _out_of_range(curve)),
        *(
            ("ecdsa_sign", (key, digest, Size(32), Random(one)), (Out(2 * n),))
            for one in _out_of_range(curve)
        ),
        ("ecdh", (key, _least_x(curve), pool), (Out(f),)),
        ("ecdh", (key, points[6], pool), (Out(f),)),
        ("ecdh", (bytes(n), points[6], pool), (Out(f),)),
        ("ecdh", (key, bytes(1 + 2 * f), pool), (Out(f),)),
        ("ecdsa_sign", (key, digest, Size(32), pool), (Out(2 * n),)),
        ("ecdsa_sign", (bytes(n), digest, Size(32), pool), (Out(2 * n),)),
        *(("ecdsa_verify", (*case, Size(len(case[2]))), ()) for case in cases[:8]),
    ]
    calls: list[Call] = []
    for verb, arguments, outs in runs:
        calls.append((name + verb + "_start", (Task(size, True), *arguments)))
        calls += [
            (name + "step", (Task(size, False), Size(units))) for units in (1, 2, 200, 30000, 1)
        ]
        calls.append((name + verb + "_finish", (*outs, Task(size, False))))
        calls.append((name + verb + "_finish", (*outs, Task(size, False))))
        if values["WORK"] == "caller":
            calls.append((name + verb + "_in", (*outs, *arguments, Task(size, True))))
    calls.append((name + "step", (Task(size, True), Size(1))))
    calls.append((name + "ecdh_start", (Task(size, True), key, points[6], pool)))
    calls.append((name + "keygen_finish", (Out(1 + 2 * f), Out(n), Task(size, False))))
    calls.append((name + "ecdh_start", (Task(size, True), key, points[6], pool)))
    calls.append((name + "ecdh_finish", (Out(f), Task(size, False))))
    calls.append((name + "ecdh_start", (Task(size, True), key, points[6], pool)))
    calls.append((name + "abort", (Task(size, False),)))
    return calls


def _exchange_calls(curve: str) -> list[Call]:
    size, name, some = SIZES[curve], f"ecfit_{curve}", random.Random(curve)
    cases = [case for case in x_cases(curve) if case.public_key is not None]
    calls: list[Call] = [
        (name, (Out(size), case.private_key, case.public_key)) for case in some.sample(cases, 80)
    ]
    for number in range(6):
        key = hashlib.shake_256(bytes([number])).digest(size)
        calls.append((name + "_public_key", (Out(size), key)))
        calls.append((name + "_keygen", (Out(size), Out(size), Random(key))))
    for stream in (b"", bytes(size), b"\xff" * size, b"\xff" * (size - 1) + b"\xfe"):
        calls.append((name + "_keygen", (Out(size), Out(size), Random(stream))))
    return calls


def _eddsa_calls(curve: str, values: dict[str, str]) -> list[Call]:
    size, name, some = SIZES[curve], f"ecfit_{curve}_", random.Random(curve)
    verbs = ["verify", *(["verify_hardened"] if values["VERIFY"] == "eddsa_hardened" else [])]
    calls: list[Call] = []
    cases = [case for case in ed_cases(curve) if case.signature is not None]
    for case in some.sample(cases, min(70, len(cases))):
        for verb in verbs:
            arguments = (case.signature, case.public_key, case.message, Size(len(case.message)))
            calls.append((name + verb, arguments))
    for one in forgeries(curve).values():
        calls += [
            (name + verb, (one.signature, one.public, one.message, Size(len(one.message))))
            for verb in verbs
        ]
    ed = rfc8032.EDCURVES[curve]
    for number in range(
        40
    ):  # encodings of small y, of which half are no points, and others above p
        y = number if number < 30 else ed.p + number - 32
        key = y.to_bytes(size, "little") if y < 1 << 8 * size else b"\xff" * size
        calls.append((name + "verify", (cases[0].signature, key, b"", Size(0))))
    for number in range(4):
        key = hashlib.shake_256(bytes([number])).digest(size)
        message = bytes(range(60 * number))
        calls.append((name + "public_key", (Out(size), key)))
        calls.append((name + "keygen", (Out(size), Out(size), Random(key))))
        calls.append((name + "sign", (Out(2 * size), key, message, Size(len(message)))))
        text, public = (message, Size(len(message))), rfc8032.public_key(ed, key)
        signature = Out(2 * size)
        if values["SIGN"] == "eddsa_hedged":
            for pool in (b"", bytes(size), hashlib.shake_256(key).digest(size)):
                calls.append((name + "sign_hedged", (signature, key, *text, Random(pool))))
        if values["SIGN"] == "eddsa_pair":
            tag = ed.hash(b"key pair of ecfit" + rfc8032.expand(ed, key)[1] + public)[:size]
            calls.append((name + "key_pair", (Out(3 * size), key)))
            for last in (tag, bytes(size), tag[:-1] + bytes([tag[-1] ^ 0x80])):
                calls.append((name + "sign_pair", (signature, key + public + last, *text)))
        if values["SIGN"] == "eddsa_all":
            context, digest = bytes(100 * number)[:255], bytes([number]) * 64
            made = rfc8032.sign(ed, key, message, context)
            prehashed = rfc8032.sign(ed, key, digest, context, prehashed=True)
            public, tail = rfc8032.public_key(ed, key), (context, Size(len(context)))
            calls.append(
                (name + "sign_ctx", (Out(2 * size), key, message, Size(len(message)), *tail))
            )
            calls.append((name + "sign_ph", (Out(2 * size), key, digest, *tail)))
            calls.append((name + "verify_ctx", (made, public, message, Size(len(message)), *tail)))
            calls.append((name + "verify_ph", (prehashed, public, digest, *tail)))
            calls.append((name + "verify", (made, public, message, Size(len(message)))))
    for stream in (b"", bytes(size), b"\xff" * size, b"\xff" * (size - 1) + b"\xfe"):
        calls.append((name + "keygen", (Out(size), Out(size), Random(stream))))
    return calls


def _hash_calls() -> list[Call]:
    """Functions that a configuration does not have are left out when they are called."""
    calls: list[Call] = []
    for size in (0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 135, 136, 137, 300):
        data = bytes(range(256)) + bytes(range(50))
        parts = (data[: size // 3], b"", data[size // 3 : size])
        for name, length in (("sha256", 32), ("sha384", 48), ("sha512", 64)):
            calls.append((f"ecfit_{name}", (Out(length), Pieces(parts), Size(3))))
        for length in (1, 64, 136, 200):
            calls.append(("ecfit_shake256", (Out(length), Size(length), Pieces(parts), Size(3))))
    return calls


class _Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


_Fill = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class _Rng(ctypes.Structure):
    _fields_ = [("fill", _Fill), ("context", ctypes.c_void_p)]
    held: Any
    left: list[bytes]  # what it has not handed out yet


def _generator(pool: bytes) -> _Rng:
    left = [pool]

    def fill(_context: int, out: int, size: int) -> int:
        if len(left[0]) < size:
            return -1
        ctypes.memmove(out, left[0][:size], size)
        left[0] = left[0][size:]
        return 0

    callback = _Fill(fill)
    source = _Rng(callback, None)
    source.held, source.left = callback, left
    return source


_Reading = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t
)


class _Reader(ctypes.Structure):
    _fields_ = [("read", _Reading), ("context", ctypes.c_void_p)]


def _reader(given: Read) -> _Reader:
    read = 0

    def reading(_context: int, out: int, offset: int, size: int) -> int:
        nonlocal read
        message = given.first if read < len(given.first) else given.second
        read += size
        piece = message[offset : offset + size]
        ctypes.memmove(out, piece, len(piece))
        return int(len(piece) < size)

    return _Reader(_Reading(reading), None)


def replay(  # noqa: PLR0912 - a list
    library: Path, setting: Setting, wanted: list[Any] | None = None
) -> list[Any]:
    """What each call returns and writes; ends at the first that differs from `wanted`."""
    loaded = ctypes.CDLL(str(library))
    task: Any = None
    answers: list[Any] = []
    generators: list[_Rng] = []  # a task goes on using the one that it began with
    for symbol, arguments in setting.calls:
        function = getattr(loaded, symbol, None)
        if function is None:
            answers.append(None)
            continue
        function.restype = ctypes.c_uint32
        native: list[Any] = []
        written: list[Any] = []
        for argument in arguments:
            if isinstance(argument, Out):
                written.append(
                    ctypes.create_string_buffer(b"\xa5" * (argument.size + 8), argument.size + 8)
                )
                native.append(written[-1])
            elif isinstance(argument, Task):
                if argument.fresh:
                    task = ctypes.create_string_buffer(argument.size + 8)
                written.append(task)
                native.append(task)
            elif isinstance(argument, Pieces):
                native.append((_Bytes * 3)(*(_Bytes(part, len(part)) for part in argument.parts)))
            elif isinstance(argument, Random):
                generators.append(_generator(argument.pool))
                native.append(ctypes.byref(generators[-1]))
            elif isinstance(argument, Read):
                native.append(ctypes.byref(_reader(argument)))
            elif isinstance(argument, Size):
                native.append(ctypes.c_size_t(argument.value))
            else:
                native.append(argument)
        result = function(*native)
        ends = symbol.endswith(("_finish", "_in", "abort"))
        if symbol in ("ecfit_ed25519_verify_finish", "ecfit_ed448_verify_finish"):
            ends = False  # its context keeps an address
        kept = [bytes(one) for one in written if one is not task or ends]
        result = None if symbol.endswith(VOID) or "ecfit_sh" in symbol else result
        drawn = len(generators[-1].left[0]) if generators else 0
        answers.append((result, drawn, hashlib.blake2b(b"".join(kept), digest_size=8).digest()))
        if wanted is not None and answers[-1] != wanted[len(answers) - 1]:
            break
    return answers
