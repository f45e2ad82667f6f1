"""Inputs of an operation, made from a seed, and the check of its output.

Layout of inputs and outputs: firmware/bench_op.h. The same seed gives the same bytes
on every machine.
"""

from __future__ import annotations

import hashlib
import itertools
from functools import cache, lru_cache

import msgspec

from ecfit.choices.curves import BASE, HASHING, MESSAGE_OPS, POST_QUANTUM, SPAKE2P, Curve
from ecfit.extensions import extension
from ecfit.oracle import weierstrass

POOL_BYTES = 512  # firmware/bench_main.c
MESSAGES = "message operations"  # what makes and reads a signed message: ecfit_lab
HASH_BYTES = 32
HEDGE_BYTES = 32  # the random bytes in a hedged nonce: lib/src/api/nonce/hedged.inc
OPS_WITH_SECRETS = (
    "keygen", "ecdh", "sign", "sign_message", "sign_recoverable", "sign_schnorr", "sign_parts",
    *SPAKE2P,
    "encaps", "decaps",
)  # fmt: skip
COMPLEMENTS = (
    4  # public inputs that are made to differ from the first in nearly all bits, it included
)
_INDICES = 1_000_000  # secrets with one public input: another one has others


class Refused(msgspec.Struct, frozen=True):
    """An input that an operation should refuse; `must`: one that accepts it is wrong,
    and not merely different.
    """

    what: str
    data: bytes
    must: bool = True


class Case(msgspec.Struct, frozen=True):
    """One call: its input, the random bytes it may draw, the size of its output,
    and inputs that it must refuse.
    """

    op: str
    data: bytes
    pool: bytes
    out_size: int
    refused: tuple[Refused, ...] = ()


def stream(seed: int, label: str, size: int) -> bytes:
    """`size` bytes that look random: SHA-256 of seed, label and a counter, concatenated."""
    blocks = (size + 31) // 32
    data = b"".join(
        hashlib.sha256(f"ecfit {seed} {label} {i}".encode()).digest() for i in range(blocks)
    )
    return data[:size]


def _scalar(curve: Curve, seed: int, label: str) -> int:
    """A number in 1 .. n-1."""
    return int.from_bytes(stream(seed, label, curve.scalar_bytes + 8), "big") % (curve.n - 1) + 1


def _public(curve: Curve, d: int) -> tuple[int, int]:
    point = weierstrass.multiply(curve, d, weierstrass.base(curve))
    assert point is not None
    return point


@lru_cache(maxsize=64)  # each configuration of a question has the same
def make_case(curve: Curve, op: str, seed: int, index: int) -> Case:
    """The case number `index` of an operation: its own key, peer, hash and random bytes."""
    label = f"{curve.name} {index}"
    pool = stream(seed, f"{label} pool {op}", POOL_BYTES)
    if op in MESSAGE_OPS:
        scalar = curve.form == "weierstrass"
        private = (
            _scalar(curve, seed, f"{label} key").to_bytes(curve.scalar_bytes, "big")
            if scalar
            else stream(seed, f"{label} key", curve.scalar_bytes)
        )
        messages = extension(MESSAGES)
        return Case(op, messages.message_input(private), pool, messages.form(curve, op).size)
    return _FORMS[curve.form][0](curve, op, seed, label, pool)


def secret_case(curve: Curve, op: str, seed: int, index: int, public: int = 0) -> Case:
    """As :func:`make_case`, but only what is secret, and a public key that belongs to it,
    depends on the number: all else is the public input of number `public` (:func:`public_input`).

    Of random numbers and nonces made by hashing the first is in range: that one is rejected,
    and another drawn, takes time, and may be known. On most curves it never happens;
    on those whose order is far below a power of two, often. What is refused has a secret, too:
    private keys out of range, and peers that are none.
    """
    if curve.name in POST_QUANTUM:
        return _secret_composite_case(curve, op, seed, index, public)
    index += public * _INDICES
    if op in SPAKE2P:  # what the peer sends belongs to the secrets
        return make_case(curve, op, seed, index)
    public_part, n = public_input(curve, op, seed, public), private_bytes(curve, op)
    if curve.form != "weierstrass":
        case = make_case(curve, op, seed, index)
        size = n * (2 if _has_pair(curve, op) else 1)
        small = Refused("a point of small order", case.data[:size] + bytes(size), must=False)
        return msgspec.structs.replace(
            case, data=case.data[:size] + public_part, refused=(small,) if op == "ecdh" else ()
        )
    first, size, label = _made(curve, op, seed, 0), curve.scalar_bytes, f"{curve.name} {index} {op}"
    pool = stream(seed, f"{curve.name} {index} pool {op}", POOL_BYTES)
    pool = _scalar(curve, seed, f"{label} draw").to_bytes(size, "big") + pool[size:]
    if not n:
        return msgspec.structs.replace(first, pool=pool)
    keys = (_scalar(curve, seed, f"{label} secret {attempt}") for attempt in itertools.count())
    hedges = b"", pool[:HEDGE_BYTES]
    hashed = public_part if op == "ecdh" else _hash(curve, op, public_part)
    key = next(
        d for d in keys
        if op == "ecdh"
        or all(0 < weierstrass.first_nonce(curve, d, hashed, hedge) < curve.n for hedge in hedges)
    ).to_bytes(size, "big")  # fmt: skip
    wrong = {"the private key 0": 0, "the private key n": curve.n}
    refused = tuple(
        Refused(what, d.to_bytes(size, "big") + public_part, must=False)
        for what, d in wrong.items()
    )
    if op == "ecdh":
        refused += (Refused("a point off the curve", key + _flip_last(public_part)),)
    return msgspec.structs.replace(first, data=key + public_part, pool=pool, refused=refused)


@cache
def _made(curve: Curve, op: str, seed: int, index: int) -> Case:
    return make_case(curve, op, seed, index)


@cache
def public_input(curve: Curve, op: str, seed: int, number: int) -> bytes:
    """What follows the secret in the input of an operation: a peer's key, a hash or a message;
    nothing in `keygen`.

    Number 0 is that of :func:`make_case`; those below `COMPLEMENTS` make nearly every bit take
    both values (a point has an x close to the complement of the first one's, or the other y);
    the rest are random.
    """
    case = _made(curve, op, seed, number if number >= COMPLEMENTS else 0)
    public_part = case.data[private_bytes(curve, op) * (2 if _has_pair(curve, op) else 1) :]
    if not public_part or not 0 < number < COMPLEMENTS:
        return public_part
    if curve.form == "weierstrass" and op == "ecdh":
        point = weierstrass.decode_point(curve, public_part)
        assert point is not None
        x, y = point if number == 2 else weierstrass.near_complement(curve, point[0])
        return weierstrass.encode_point(curve, (x, y if number == 1 else curve.p - y))
    cut = len(public_part) // 2
    front, back = public_part[:cut], public_part[cut:]
    front = front if number == 3 else _complement(front)
    return front + (back if number == 2 else _complement(back))


def _has_pair(curve: Curve, op: str) -> bool:
    """Whether the public key, which belongs to the private one, stands behind it."""
    return curve.form == "edwards" and BASE.get(op, op) == "sign"


def _complement(data: bytes) -> bytes:
    return bytes(byte ^ 0xFF for byte in data)


def has_public_input(op: str) -> bool:
    """Whether there is more than one public input of an operation with a secret."""
    return op not in ("keygen", *SPAKE2P)


def private_bytes(curve: Curve, op: str) -> int:
    """How many bytes at the begin of the input are a private key.
    The random pool is secret in every operation.
    """
    with_key = op in OPS_WITH_SECRETS and op not in ("keygen", "encaps")
    return curve.scalar_bytes * (1 + (op == "spake2p_prover")) if with_key else 0


def secret_parts(curve: Curve, op: str) -> tuple[tuple[int, int], ...]:
    """Start and size of each part of the input that is secret: an encoded private key may have
    public parts.
    """
    if op in SPAKE2P:
        return ((0, private_bytes(curve, op)),)
    return curve.secret_parts if private_bytes(curve, op) else ()


def not_comparable(curve: Curve, op: str) -> str | None:
    """Why runs of an operation that differ in their secrets alone cannot be compared, or None."""
    if curve.name in POST_QUANTUM and op == "keygen":
        return (
            "the seed of the public matrix is made from the secret one, "
            "and the time to sample the matrix may depend on it"
        )
    if curve.form == "signature" and op == "sign":
        return (
            "signing draws until a result reveals nothing of the key: how often depends on key, "
            "message and random bytes, and may be known"
        )
    return None


def _hash(curve: Curve, op: str, message: bytes) -> bytes:
    """The hash to sign: the given one, or that of a message."""
    return hashlib.new(curve.hash_name, message).digest() if op in HASHING else message


def _weierstrass_case(curve: Curve, op: str, seed: int, label: str, pool: bytes) -> Case:
    d = _scalar(curve, seed, f"{label} key")
    key = d.to_bytes(curve.scalar_bytes, "big")
    digest = stream(seed, f"{label} hash", HASH_BYTES)
    if op == "keygen":
        return Case(op, b"", pool, curve.scalar_bytes + curve.public_bytes)
    if op == "ecdh":
        peer = weierstrass.encode_point(
            curve, _public(curve, _scalar(curve, seed, f"{label} peer"))
        )
        wrong = Refused("a point off the curve", key + _flip_last(peer))
        return Case(op, key + peer, pool, curve.field_bytes, (wrong,))
    if op in SPAKE2P:
        return _spake2p_case(curve, op, seed, label, pool)
    if BASE.get(op, op) == "sign":
        size = 2 * curve.scalar_bytes + (op == "sign_recoverable")
        return Case(op, key + digest, pool, size)
    assert BASE.get(op, op) == "verify"
    if op == "verify_schnorr":
        from ecfit.oracle import bip340

        rest = bip340.public_key(key) + digest
        case = _verify_case(bip340.sign(key, digest, bytes(32)), rest, pool)
        return msgspec.structs.replace(case, op=op)
    nonce = _scalar(curve, seed, f"{label} nonce")
    r, s = weierstrass.sign(curve, d, _hash(curve, op, digest), nonce)
    signature = r.to_bytes(curve.scalar_bytes, "big") + s.to_bytes(curve.scalar_bytes, "big")
    if op == "recover_key":
        x, y = _public(curve, nonce)
        known = weierstrass.encode_point(curve, _public(curve, d))
        wrong = Refused("a recovery id out of range", signature + b"\4" + digest)
        data = signature + bytes([y & 1 | (x >= curve.n) << 1]) + digest
        # the key itself stands behind the input, where no operation reads it
        return Case(op, data + known, pool, curve.public_bytes, (wrong,))
    case = _verify_case(
        signature, weierstrass.encode_point(curve, _public(curve, d)) + digest, pool
    )
    return msgspec.structs.replace(case, op=op)


def _spake2p_case(curve: Curve, op: str, seed: int, label: str, pool: bytes) -> Case:
    """A run of one side, with what the other one sends: firmware/adapter_ecfit_message.c."""
    from ecfit.oracle import spake2p

    w0, w1, other = (_scalar(curve, seed, f"{label} {what}") for what in ("w0", "w1", "peer"))
    pool = _scalar(curve, seed, f"{label} draw {op}").to_bytes(32, "big") + pool[32:]
    record, own = spake2p.record(w1), int.from_bytes(pool[:32], "big")
    first = w0.to_bytes(32, "big")
    if op == "spake2p_prover":
        share = spake2p.prover_share(own, w0)
        peer = spake2p.verifier(spake2p.BENCH, other, w0, record, share)
        first, confirmation = first + w1.to_bytes(32, "big"), peer.confirm_v
    else:
        share = spake2p.verifier_share(own, w0)
        peer = spake2p.prover(spake2p.BENCH, other, w0, w1, share)
        first, confirmation = first + record, peer.confirm_p
    wrong = {"a share off the curve": first + _flip_last(peer.share) + confirmation}
    wrong["a wrong confirmation"] = first + peer.share + _flip_last(confirmation)
    data = first + peer.share + confirmation
    return Case(op, data, pool, curve.public_bytes + 64, _each_refused(wrong))


def _spake2p_right(case: Case) -> bytes:
    from ecfit.oracle import spake2p

    own, w0 = (int.from_bytes(part[:32], "big") for part in (case.pool, case.data))
    if case.op == "spake2p_prover":
        w1, share = int.from_bytes(case.data[32:64], "big"), case.data[64:-32]
        made = spake2p.prover(spake2p.BENCH, own, w0, w1, share)
        return made.share + made.confirm_p + made.shared
    record, share = case.data[32:97], case.data[97:-32]
    made = spake2p.verifier(spake2p.BENCH, own, w0, record, share)
    return made.share + made.confirm_v + made.shared


def _case_25519(curve: Curve, op: str, seed: int, label: str, pool: bytes) -> Case:
    """X25519, X448, Ed25519, Ed448: every string has N bytes but message and signature, 2N.
    All keys are valid.
    """
    from ecfit.oracle import rfc7748

    n, name = curve.scalar_bytes, curve.name
    key, message = stream(seed, f"{label} key", n), stream(seed, f"{label} hash", HASH_BYTES)
    if op == "keygen":
        return Case(op, b"", pool, 2 * n)
    if curve.form == "montgomery":
        assert op == "ecdh"
        return Case(
            op, key + rfc7748.exchange_base(name, stream(seed, f"{label} peer", n)), pool, n
        )
    public = rfc7748.public_key(name, key)
    if BASE.get(op, op) == "sign":
        return Case(op, key + public + message, pool, 2 * n)
    assert BASE.get(op, op) == "verify"
    case = _verify_case(rfc7748.sign(name, key, message), public + message, pool)
    return msgspec.structs.replace(case, op=op)


def _kem_case(kem: Curve, op: str, seed: int, label: str, pool: bytes) -> Case:
    """ML-KEM: what a key must be refused for, FIPS 203 says in 7.2 and 7.3."""
    from ecfit.oracle import mlkem

    if op == "keygen":
        return Case(op, b"", pool, kem.scalar_bytes + kem.public_bytes)
    dk, ek = mlkem.key_pair(kem.name, stream(seed, f"{label} key", mlkem.SEED_BYTES))
    if op == "encaps":
        wrong = mlkem.not_reduced(ek)
        return Case(op, ek, pool, kem.cipher_bytes + kem.field_bytes, _each_refused(wrong))
    assert op == "decaps"
    cipher, _ = mlkem.encapsulate(kem.name, ek, stream(seed, f"{label} message", 32))
    wrong = mlkem.not_matching(dk)
    return Case(op, dk + cipher, pool, kem.field_bytes, _each_refused(wrong, cipher))


def _hybrid_case(group: Curve, op: str, seed: int, label: str, pool: bytes) -> Case:
    """A case of both halves, with the inputs of each alone. What either refuses, both do."""
    from ecfit.oracle import hybrid

    if op == "keygen":
        return Case(op, b"", pool, group.scalar_bytes + group.public_bytes)
    curve, kem, number = group.curve, group.kem, label.removeprefix(group.name)
    curve_case = _FORMS[curve.form][0](curve, "ecdh", seed, f"{curve.name}{number}", pool)
    kem_case = _kem_case(kem, op, seed, f"{kem.name}{number}", pool)
    wrong = [(r, r.data, kem_case.data) for r in curve_case.refused]
    wrong += [(r, curve_case.data, r.data) for r in kem_case.refused]
    refused = (Refused(r.what, hybrid.given(group, op, a, b), r.must) for r, a, b in wrong)
    out = group.field_bytes + (group.cipher_bytes if op == "encaps" else 0)
    return Case(
        op, hybrid.given(group, op, curve_case.data, kem_case.data), pool, out, tuple(refused)
    )


def _each_refused(wrong: dict[str, bytes], rest: bytes = b"") -> tuple[Refused, ...]:
    return tuple(Refused(what, data + rest) for what, data in wrong.items())


def _ml_dsa_case(scheme: Curve, op: str, seed: int, label: str, pool: bytes) -> Case:
    """ML-DSA of a message of 32 bytes. Encodings that must be refused: FIPS 204, algorithm 21."""
    from ecfit.oracle import mldsa

    if op == "keygen":
        return Case(op, b"", pool, scheme.scalar_bytes + scheme.public_bytes)
    private, public = mldsa.key_pair(scheme.name, stream(seed, f"{label} key", mldsa.SEED_BYTES))
    message = stream(seed, f"{label} hash", HASH_BYTES)
    if op == "sign":
        return Case(op, private + message, pool, scheme.signature_bytes)
    assert op == "verify"
    rnd = stream(seed, f"{label} nonce", mldsa.RANDOM_BYTES)
    signature, rest = mldsa.sign(scheme.name, private, message, rnd), public + message
    case = _verify_case(signature, rest, pool)
    more = _each_refused(mldsa.with_other_hints(scheme.name, signature), rest)
    return msgspec.structs.replace(case, refused=case.refused + more)


def _secret_composite_case(kem: Curve, op: str, seed: int, index: int, public: int) -> Case:
    """Private keys with public parts: all but the first have the secret parts of another key pair.
    So ciphertexts are those of another key: what then is done must take the same time.
    """
    case, first = make_case(kem, op, seed, index + public * _INDICES), _made(kem, op, seed, public)
    parts = secret_parts(kem, op) if index else ()

    def mixed(data: bytes) -> bytes:
        for start, size in parts:
            data = data[:start] + case.data[start : start + size] + data[start + size :]
        return data

    refused = tuple(Refused(refusal.what, mixed(refusal.data)) for refusal in first.refused)
    return msgspec.structs.replace(first, data=mixed(first.data), pool=case.pool, refused=refused)


def _verify_case(signature: bytes, rest: bytes, pool: bytes) -> Case:
    changed = (
        _flip_last(rest[:-HASH_BYTES] + rest[-HASH_BYTES : 1 - HASH_BYTES]) + rest[1 - HASH_BYTES :]
    )
    refused = (
        Refused("a signature with one bit changed", _flip_last(signature) + rest),
        # a short curve takes the first bytes only
        Refused("a signature of another hash", signature + changed),
    )
    return Case("verify", signature + rest, pool, 0, refused)


def _flip_last(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def complaint(curve: Curve, case: Case, status: int, out: bytes) -> str | None:
    """Returns what is wrong with the result of a case, or None. The oracle computes the right
    result anew; no answers are stored.
    """
    if status:
        return f"{case.op} failed with status {status}"
    if BASE.get(case.op, case.op) == "verify" and case.op != "recover_key":
        return None
    if case.op in MESSAGE_OPS:
        wrong: str | None = extension(MESSAGES).message_complaint(curve, case.op, case.data, out)
        return wrong
    return _FORMS[curve.form][1](curve, case, out)


def _wrong_weierstrass(curve: Curve, case: Case, out: bytes) -> str | None:
    n, f = curve.scalar_bytes, curve.field_bytes
    if case.op == "keygen":
        d = int.from_bytes(out[:n], "big")
        if not 0 < d < curve.n:
            return "the private key is out of range"
        return (
            None
            if out[n:] == weierstrass.encode_point(curve, _public(curve, d))
            else "the public key is not d * G"
        )
    if case.op == "recover_key":
        right = case.data[-curve.public_bytes :]
        return None if out == right else "the public key is not the signer's"
    if case.op in SPAKE2P:
        return None if out == _spake2p_right(case) else "the run differs from the oracle's"
    d = int.from_bytes(case.data[:n], "big")
    if case.op == "ecdh":
        peer = weierstrass.decode_point(curve, case.data[n:])
        assert peer is not None
        shared = weierstrass.multiply(curve, d, peer)
        assert shared is not None
        right = shared[0].to_bytes(f, "big")
        return None if out == right else "the shared secret differs from the oracle's"
    if case.op == "sign_schnorr":
        from ecfit.oracle import bip340

        right = bip340.sign(case.data[:n], case.data[n:], case.pool[:HEDGE_BYTES])
        return None if out == right else "the signature differs from the oracle's"
    signature = int.from_bytes(out[:n], "big"), int.from_bytes(out[n : 2 * n], "big")
    hashed = _hash(curve, case.op, case.data[n:])
    good = weierstrass.verify(curve, _public(curve, d), hashed, signature)
    return None if good else "the signature does not verify"


def _wrong_25519(curve: Curve, case: Case, out: bytes) -> str | None:
    from ecfit.oracle import rfc7748

    montgomery, n, name = curve.form == "montgomery", curve.scalar_bytes, curve.name
    if case.op == "keygen":
        public = (rfc7748.exchange_base if montgomery else rfc7748.public_key)(name, out[:n])
        return None if out[n:] == public else "the public key is not that of the private key"
    key, rest = case.data[:n], case.data[n:]
    right = rfc7748.exchange(name, key, rest) if montgomery else rfc7748.sign(name, key, rest[n:])
    what = "shared secret" if montgomery else "signature"
    return None if out == right else f"the {what} differs from the oracle's"


def _wrong_post_quantum(scheme: Curve, case: Case, out: bytes) -> str | None:
    from ecfit.oracle import mldsa, mlkem

    name, n = scheme.name, scheme.scalar_bytes
    key, rest, oracle = case.data[:n], case.data[n:], mlkem if scheme.form == "kem" else mldsa
    if case.op == "keygen":
        right = b"".join(oracle.key_pair(name, case.pool[: oracle.SEED_BYTES]))
    elif case.op == "encaps":
        right = b"".join(mlkem.encapsulate(name, case.data, case.pool[: mlkem.MESSAGE_BYTES]))
    elif case.op == "decaps":
        right = mlkem.decapsulate(name, key, rest)
    else:
        right = mldsa.sign(name, key, rest, case.pool[: mldsa.RANDOM_BYTES])
    return None if out == right else "the result differs from the oracle's"


def _wrong_hybrid(group: Curve, case: Case, out: bytes) -> str | None:
    from ecfit.oracle import hybrid

    right = hybrid.result(group, case.op, case.data, case.pool)
    return None if out == right else "the result differs from the oracle's"


_FORMS = {  # what makes a case, and what judges its result
    "weierstrass": (_weierstrass_case, _wrong_weierstrass),
    "montgomery": (_case_25519, _wrong_25519),
    "edwards": (_case_25519, _wrong_25519),
    "kem": (_kem_case, _wrong_post_quantum),
    "signature": (_ml_dsa_case, _wrong_post_quantum),
    "hybrid": (_hybrid_case, _wrong_hybrid),
}
