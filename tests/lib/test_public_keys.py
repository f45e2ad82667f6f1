"""Public keys that an attacker chooses: on every curve, on this machine and on emulated cores.

Weierstrass: what is no point is refused by every function that takes one, and every point is
taken; OpenSSL and the equation in Python's integers say which is which. Curve25519 to Edwards448:
edge scalars and coordinates, points of small order, wrong encodings, against the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from ref import rfc8032
from ref.curves import Curve
from ref.group import multiply, multiply_base
from ref.rfc8032 import EDCURVES

from ecfit.choices.curves import CURVES as BENCHED
from workshop import scale as lib_scale
from workshop.library.api import Status
from workshop.library.curves import BAD_PUBLIC_KEY, BUILDS, CURVES, NAMES, OK, Bound, library
from workshop.library.emulated_api import CORES, EmulatedCurve
from workshop.library.images import Chip
from workshop.library.rfc_cases import (
    bad_keys,
    edge_coordinates,
    edge_keys,
    exchanged,
    little,
    signature_by_hand,
    small_coordinates,
    small_keys,
    strings,
)  # fmt: skip

POINTS = 12  # of a kind
CUT = 40  # keys of a pair of core and curve in `make test`


def root(value: int, p: int) -> int | None:
    """A square root modulo p, if there is one."""
    value %= p
    if value == 0 or pow(value, (p - 1) // 2, p) != 1:
        return 0 if value == 0 else None
    if p % 4 == 3:
        return pow(value, (p + 1) // 4, p)
    # Cipolla: (t + w)^((p + 1) / 2), where w^2 = t^2 - value is no square
    t = next(t for t in range(1, p) if pow(t * t - value, (p - 1) // 2, p) == p - 1)
    square, power = (t * t - value) % p, (p + 1) // 2
    one, base = (1, 0), (t, 1)
    while power:
        if power & 1:
            one = _product(one, base, square, p)
        base, power = _product(base, base, square, p), power >> 1
    return one[0]


def _product(a: tuple[int, int], b: tuple[int, int], square: int, p: int) -> tuple[int, int]:
    return (a[0] * b[0] + a[1] * b[1] * square) % p, (a[0] * b[1] + a[1] * b[0]) % p


def of_small_order(curve: Curve, random: Random) -> Iterator[tuple[str, int, int]]:
    """Points of order 2, 3 and 4 on y^2 = x^3 + a x + b' for other b', which formulas that do not
    use b would take: the division polynomials solved for b'.
    """
    p, a = curve.p, curve.a
    kinds = {2: 0, 3: 0, 4: 0}
    for _ in range(50):
        x = random.randrange(1, p)
        third = (a * a - 3 * x**4 - 6 * a * x * x) * pow(12 * x, -1, p) % p
        # x^6 + 5 a x^4 + 20 b x^3 - 5 a^2 x^2 - 4 a b x - 8 b^2 - a^3 = 0
        half, rest = (20 * x**3 - 4 * a * x), x**6 + 5 * a * x**4 - 5 * a * a * x * x - a**3
        square = root(half * half + 32 * rest, p)
        fourth = None if square is None else (half + square) * pow(16, -1, p) % p
        for order, b in ((2, -(x**3 + a * x) % p), (3, third), (4, fourth)):
            y = None if b is None else root(x**3 + a * x + b, p)
            if y is not None and b != curve.b and kinds[order] < 3:
                kinds[order] += 1
                yield f"order {order} on another curve", x, y
    assert kinds[2] == kinds[3] == 3


def coordinates(curve: Curve) -> Iterator[tuple[str, int, int]]:
    """(label, x, y), as integers of the size of the field's bytes: points and what looks so."""
    random, p = Random(curve.name), curve.p
    top = 1 << 8 * curve.field_bytes
    points = [multiply_base(curve, k) for k in (1, 2, curve.n - 1, curve.n // 2)]
    points += [multiply_base(curve, random.randrange(1, curve.n)) for _ in range(POINTS)]
    pairs = [point for point in points if point is not None]
    for start, step in ((0, 1), (p - 1, -1), (1 << 32, 1), (p >> 1, 1)):  # x at edges
        near = (
            (x, root(x**3 + curve.a * x + curve.b, p))
            for x in range(start, start + 40 * step, step)
        )
        pairs += [(x, y) for x, y in near if y is not None][:3]
    for x, y in pairs:
        yield "point", x, y
        yield "its negative", x, (p - y) % p
        yield "swapped", y, x
        for multiple in {1, 2, (top - 1) // p}:
            yield "x + p", x + multiple * p, y
            yield "y + p", x, y + multiple * p
            yield "both + p", x + multiple * p, y + multiple * p
        bit = random.randrange(8 * curve.field_bytes)
        yield "a bit of x", x ^ 1 << bit, y
        yield "a bit of y", x, y ^ 1 << bit
        yield "y of another", x, random.choice(pairs)[1]
        yield "y = 0", x, 0
        yield "p - x", (p - x) % p, y
    edges = (0, 1, 2, p - 2, p - 1, p, p + 1, p + 2, top - 1, top // 2, p // 2)
    for x in edges:
        for y in edges:
            yield "edges", x, y
    for bit in range(0, 8 * curve.field_bytes, 8 if lib_scale.OUTER else 32):
        x, y = pairs[0]
        yield "a bit of x", x ^ 1 << bit, y
        yield "a bit of y", x, y ^ 1 << bit
    for _ in range(POINTS):  # no x of the curve: the twist's
        x, scale = random.randrange(p), 0
        while root(x**3 + curve.a * x + curve.b, p) is not None:
            x = random.randrange(p)
        while scale == 0 or root(scale, p) is not None:
            scale = random.randrange(p)
        of_twist = root(scale * (x**3 + curve.a * x + curve.b), p)
        assert of_twist is not None
        yield "twist", x, of_twist
    yield from of_small_order(curve, random)
    for a, b in ((0, curve.b), (curve.a, 0), (0, 7), (p - 3, curve.b), (curve.a, p - curve.b)):
        for x in range(2, 40):
            other = root(x**3 + a * x + b, p)
            if other is not None:
                yield "another equation", x, other
                break


@cache
def keys(name: str) -> list[tuple[str, bytes]]:
    """(label, 1 + 2 * field bytes), each once, by label."""
    curve, size = CURVES[name], CURVES[name].field_bytes
    cases = {}
    for label, x, y in coordinates(curve):
        if max(x, y) < 1 << 8 * size:
            cases[b"\4" + x.to_bytes(size, "big") + y.to_bytes(size, "big")] = label
    good = [key for key in cases if is_point(curve, key)][:6]
    for key in good:
        odd = key[-1] & 1
        for lead in range(256):
            cases.setdefault(bytes([lead]) + key[1:], f"lead {lead:#04x}")
        cases[bytes([2 + odd]) + key[1 : 1 + size] + bytes(size)] = "compressed, then zeros"
        cases[bytes([6 + odd]) + key[1:]] = "hybrid"
        cases[bytes([7 - odd]) + key[1:]] = "hybrid, wrong parity"
        cases[key[1:] + b"\4"] = "no lead byte"
        cases[b"\4" + key[:-1]] = "one byte late"
    cases[bytes(1 + 2 * size)] = "infinity, then zeros"
    cases[b"\4" + bytes(2 * size)] = "0, 0"
    cases[b"\xff" * (1 + 2 * size)] = "ones"
    return [(label, key) for key, label in cases.items()]


def is_point(curve: Curve, key: bytes) -> bool:
    """By the equation."""
    half = 1 + curve.field_bytes
    x, y = int.from_bytes(key[1:half], "big"), int.from_bytes(key[half:], "big")
    return key[0] == 4 and curve.contains(x, y)


def is_point_by_openssl(name: str, key: bytes) -> bool | None:
    """None where it does not have the curve. It takes the hybrid forms, which are not ours."""
    kind = getattr(ec, name.upper() if name.startswith("sec") else "B" + name[1:].upper(), None)
    kind = ec.BrainpoolP256R1 if name == "brainpoolP256r1" else kind
    kind = ec.BrainpoolP384R1 if name == "brainpoolP384r1" else kind
    kind = ec.BrainpoolP512R1 if name == "brainpoolP512r1" else kind
    if kind is None or key[0] in (6, 7):
        return None
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(kind(), key)
    except UnsupportedAlgorithm:
        return None
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_the_equation_says_what_openssl_says(name: str) -> None:
    """Of all keys that are tried, of which there are both kinds."""
    cases = keys(name)
    curve = CURVES[name]
    assert 40 < sum(is_point(curve, key) for _, key in cases) < len(cases) / 3
    known = [(key, is_point_by_openssl(name, key)) for _, key in cases]
    assert [key.hex() for key, said in known if said not in (None, is_point(curve, key))] == []
    compared = sum(said is not None for _, said in known)
    assert compared > len(cases) * 0.9 or name in ("secp128r1", "secp160r1")


def some_builds() -> list[tuple[str, str]]:
    """Pairs of build and curve: all in the outer ring, else each build with one curve."""
    return [(build, name) for i, name in enumerate(NAMES) for j, build in enumerate(BUILDS)
            if lib_scale.SCALE or i == j]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(("build", "name"), some_builds())
def test_public_key_check(build: str, name: str) -> None:
    """And everything else that takes a public key: the same answer."""
    library(build)
    bound, curve = Bound(build, CURVES[name]), CURVES[name]
    one, digest = bound.scalar(1), bytes(range(1, bound.hash_bytes + 1))
    signature = bound.scalar(5) + bound.scalar(7)
    points = [case for case in keys(name) if is_point(curve, case[1])]
    others = [case for case in keys(name) if not is_point(curve, case[1])]
    compresses = "compress" in BUILDS[build][2].get("COMPRESS", "") or hasattr(
        bound.lib, f"ecfit_{name}_compress"
    )
    for i, (label, key) in enumerate([*points, *others]):
        good = is_point(curve, key)
        wanted = OK if good else BAD_PUBLIC_KEY
        assert bound.check(key) == wanted, (label, key.hex())
        if compresses:
            status, short = bound.call("compress", 1 + bound.field, key)
            assert status == wanted, (label, key.hex())
            assert short == (bytes([2 + (key[-1] & 1)]) + key[1 : 1 + bound.field] if good
                             else bytes(1 + bound.field))  # fmt: skip
        if i % 60 == 0:
            status = bound.verify(signature, key, digest)
            assert (status == BAD_PUBLIC_KEY) == (not good), (label, key.hex(), status)
        if i % 60 == 0 and not BUILDS[build][2].get("BLIND"):
            status, shared = bound.call("ecdh", bound.field, one, key, None)
            assert status == wanted, (label, key.hex())
            assert shared == (key[1 : 1 + bound.field] if good else bytes(bound.field))


PAIRS = [(backend, name) for backend in CORES for name in NAMES]
FEW = [(backend, NAMES[(2 * i + 3) % len(NAMES)]) for i, backend in enumerate(CORES)]


def on_a_core(backend: str, name: str, count: int) -> None:
    """Keys of each label, on an emulated core."""
    curve, random = CURVES[name], Random(backend + name)
    by_label: dict[str, list[bytes]] = {}
    for label, key in keys(name):
        by_label.setdefault("lead" if label.startswith("lead") else label, []).append(key)
    picked = [random.choice(of_label) for of_label in by_label.values()]
    picked += [key for _, key in random.sample(keys(name), count)]
    with EmulatedCurve(backend, name) as core:
        for key in picked:
            wanted = OK if is_point(curve, key) else BAD_PUBLIC_KEY
            assert core._call("_public_key_check", [], key)[0] == wanted, key.hex()


@pytest.mark.parametrize(("backend", "name"), FEW)
def test_public_key_check_on_a_core(backend: str, name: str) -> None:
    on_a_core(backend, name, CUT)


@pytest.mark.ci
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("backend", CORES)
def test_public_key_check_on_every_core(backend: str, name: str) -> None:
    on_a_core(backend, name, 120)


# ---- Curve25519 and Curve448 ---------------------------------------------------------------------

EXCHANGES = [(backend, name) for name in ("x448", "x25519") for backend in CORES]
SIGNATURES = [(backend, name) for name in ("ed448", "ed25519") for backend in CORES]


def exchanges(backend: str, name: str, share: int) -> None:
    """Edge scalars with an ordinary point and the base point, ordinary scalars with edge
    coordinates, both at edges; and all points of small order.
    """
    with EmulatedCurve(backend, name) as core:
        size, random = core.order, Random(backend + name)
        ordinary = strings(size, 21, 3)
        points = edge_coordinates(name)
        base = little({"x25519": 9, "x448": 5}[name], size)
        pairs = [(key, point) for key in edge_keys(size) for point in (ordinary[0], base)]
        pairs += [(key, point) for point in points for key in ordinary[1:]]
        pairs += [(random.choice(edge_keys(size)), point) for point in points]
        for key, point in random.sample(pairs, len(pairs) // share):
            shared = exchanged(name, key, point)
            wanted = Status.OK if any(shared) else Status.BAD_PUBLIC_KEY
            assert core.exchange(key, point) == (wanted, shared), (key.hex(), point.hex())
        for point in small_coordinates(name)[::share]:
            nothing = (Status.BAD_PUBLIC_KEY, bytes(size))
            assert core.exchange(ordinary[0], point) == nothing, point.hex()


@pytest.mark.parametrize(("backend", "name"), EXCHANGES[:1])
def test_exchange_on_a_core(backend: str, name: str) -> None:
    exchanges(backend, name, 8)


@pytest.mark.ci
@pytest.mark.parametrize(("backend", "name"), EXCHANGES)
def test_exchange_on_every_core(backend: str, name: str) -> None:
    exchanges(backend, name, 1)


def signatures(backend: str, name: str, share: int) -> None:
    """Edge keys signed as the reference does; S out of range, keys of small order, mixed order and
    wrong encodings, commitments of small order.
    """
    curve, random = EDCURVES[name], Random(backend + name)
    size, message = curve.size, b"edge"
    forged: list[tuple[bytes, bytes]] = []
    for public in [*small_keys(name), *bad_keys(name).values()]:
        for r in (1, 5):
            commitment = rfc8032.encode(curve, rfc8032.multiply(curve, r, curve.base))
            by_hand = signature_by_hand(
                curve, scalar=0, public=public, commitment=commitment, r=r, message=message
            )
            forged.append((by_hand, public))
    own = random.randbytes(size)
    public, good = rfc8032.public_key(curve, own), rfc8032.sign(curve, own, message)
    s = int.from_bytes(good[size:], "little")
    for value in (s + curve.n, s + 2 * curve.n, curve.n, curve.n - s, 1 << curve.n.bit_length(), 0,
                  (1 << 8 * size) - 1):  # fmt: skip
        if value < 1 << 8 * size:
            forged.append((good[:size] + little(value, size), public))
    sign = 1 << 8 * size - 1
    negative = little(int.from_bytes(good[:size], "little") ^ sign, size)
    forged.append((negative + good[size:], public))
    forged.append((good, little(int.from_bytes(public, "little") ^ sign, size)))
    with EmulatedCurve(backend, name) as core:
        assert core.verify(good, public, message) == Status.OK
        for signature, key in random.sample(forged, len(forged) // share):
            assert not rfc8032.verify(curve, key, message, signature)
            assert core.verify(signature, key, message) != Status.OK, (signature.hex(), key.hex())
        private = [bytes(size), b"\xff" * size, b"\x55" * size, *strings(size, 31, 8 // share)]
        for key in private:
            signed = rfc8032.sign(curve, key, message)
            assert core.sign(key, message) == (Status.OK, signed), key.hex()


@pytest.mark.parametrize(("backend", "name"), SIGNATURES[2:3])
def test_signatures_on_a_core(backend: str, name: str) -> None:
    signatures(backend, name, 4)


@pytest.mark.ci
@pytest.mark.parametrize(("backend", "name"), SIGNATURES)
def test_signatures_on_every_core(backend: str, name: str) -> None:
    signatures(backend, name, 1)


# ---- AVR: images for an ATmega1284P on the simulator, with the back end's assembly ---------------

AVR = ("secp256r1", "secp160r1", "x25519", "ed25519")  # it has fields of its own for these
ON_AVR = 30 if lib_scale.OUTER else 4  # cases of a kind


def avr(name: str, preset: str = "balanced") -> Chip:
    chip = Chip("atmega1284p", preset, curve=BENCHED[name], sets={"BACKEND": "avr"})
    assert dict(chip.configuration.settings)["BACKEND"] == "avr"
    return chip


@pytest.mark.ci
@pytest.mark.parametrize("name", AVR[:2])
def test_key_agreement_on_avr(name: str) -> None:
    """Public keys that are none, and edge scalars with edge points, through ECDH."""
    curve, random, chip = CURVES[name], Random(name), avr(name)
    field, order, n = curve.field_bytes, curve.order_bytes, curve.n
    points = [key for _, key in keys(name) if is_point(curve, key)]
    others = {label: key for label, key in keys(name) if not is_point(curve, key)}
    for key in random.sample(sorted(others.values()), ON_AVR):
        answer = chip.call("ecdh", (7).to_bytes(order, "big") + key, field)
        assert answer[:2] == (Status.BAD_PUBLIC_KEY, bytes(field)), key.hex()
    half = 4 * order
    scalars = [1, 2, 3, n - 1, n - 2, n // 2, n // 2 + 1, 1 << half, (1 << half) - 1,
               n - (1 << half), (n ^ (1 << half) - 1) % n,  # above n on secp160r1
               int.from_bytes(b"\x55" * order, "big") % n]  # fmt: skip
    for k in [*random.sample(scalars, min(ON_AVR, len(scalars))), random.randrange(1, n)]:
        key = random.choice(points)
        size = 1 + field
        own = (int.from_bytes(key[1:size], "big"), int.from_bytes(key[size:], "big"))
        shared = multiply(curve, k, own)
        assert shared is not None
        answer = chip.call("ecdh", k.to_bytes(order, "big") + key, field)
        assert answer[:2] == (Status.OK, shared[0].to_bytes(field, "big")), (k, key.hex())
    for k in (0, n, n + 1, (1 << 8 * order) - 1):
        answer = chip.call("ecdh", k.to_bytes(order, "big") + points[0], field)
        assert answer[:2] == (Status.BAD_PRIVATE_KEY, bytes(field)), k


@pytest.mark.ci
def test_x25519_on_avr() -> None:
    """Edge scalars and coordinates, and points of small order."""
    random, chip = Random("avr"), avr("x25519")
    pairs = [(key, point) for key in edge_keys(32) for point in edge_coordinates("x25519")]
    for key, point in random.sample(pairs, ON_AVR):
        shared = exchanged("x25519", key, point)
        wanted = Status.OK if any(shared) else Status.BAD_PUBLIC_KEY
        assert chip.call("ecdh", key + point, 32)[:2] == (wanted, shared), (key.hex(), point.hex())
    for point in random.sample(small_coordinates("x25519"), 4):
        assert chip.call("ecdh", strings(32, 3, 1)[0] + point, 32)[:2] == (
            Status.BAD_PUBLIC_KEY, bytes(32))  # fmt: skip


@pytest.mark.ci
def test_ed25519_on_avr() -> None:
    """Edge keys signed as the reference does; forged signatures, and keys of small order."""
    curve, random, chip = EDCURVES["ed25519"], Random("avr"), avr("ed25519")
    message = bytes(range(32))
    for key in [bytes(32), b"\xff" * 32, *strings(32, 41, ON_AVR // 4)]:
        signed, public = rfc8032.sign(curve, key, message), rfc8032.public_key(curve, key)
        assert chip.call("sign", key + public + message, 64)[:2] == (Status.OK, signed), key.hex()
        assert chip.call("verify", signed + public + message, 0).status == Status.OK
        late = signed[:32] + little(int.from_bytes(signed[32:], "little") + curve.n, 32)
        flipped = bytes([signed[0] ^ 1]) + signed[1:]
        for wrong in (late, flipped):
            assert chip.call("verify", wrong + public + message, 0).status != Status.OK
    base = rfc8032.encode(curve, curve.base)
    for public in random.sample(
        [*small_keys("ed25519"), *bad_keys("ed25519").values()], ON_AVR // 2
    ):
        forged = signature_by_hand(curve, scalar=0, public=public, commitment=base, r=1,
                                   message=message)  # fmt: skip
        assert chip.call("verify", forged + public + message, 0).status != Status.OK, public.hex()
