"""SPAKE2+ (RFC 9383) on P-256: published vectors, random runs against the oracle, and peers that
do not keep to it. `packages/rust/ecfit/tests/against.rs` has the runs with a crate.
"""

from __future__ import annotations

import ctypes
from random import Random

import pytest

from ecfit.choices.curves import CURVES as BENCH_CURVES
from ecfit.oracle import spake2p, weierstrass
from workshop.library.curves import (
    BAD_PRIVATE_KEY,
    BAD_PUBLIC_KEY,
    BAD_SIGNATURE,
    CURVES,
    OK,
    RNG_FAILED,
    SPAKE2P,
    Bound,
    Rng,
    Spake2p,
    fixed,
    generator,
    with_spake2p,
)

MISUSE = 6
C = BENCH_CURVES["secp256r1"]
N, P = CURVES["secp256r1"].n, CURVES["secp256r1"].p
NAMES = (b"a context", b"client", b"server")
MORE = [b"blinding for a run with 32 bytes"] * 20  # draws behind x or y where BLIND asks for them

# RFC 9383, appendix C, P256-SHA256-HKDF-SHA256-HMAC-SHA256
RFC = {
    "w0": "bb8e1bbcf3c48f62c08db243652ae55d3e5586053fca77102994f23ad95491b3",
    "w1": "7e945f34d78785b8a3ef44d0df5a1a97d6b3b460409a345ca7830387a74b1dba",
    "L": "04eb7c9db3d9a9eb1f8adab81b5794c1f13ae3e225efbe91ea487425854c7fc00f"
    "00bfedcbd09b2400142d40a14f2064ef31dfaa903b91d1faea7093d835966efd",
    "x": "d1232c8e8693d02368976c174e2088851b8365d0d79a9eee709c6a05a2fad539",
    "y": "717a72348a182085109c8d3917d6c43d59b224dc6a7fc4f0483232fa6516d8b3",
    "shareP": "04ef3bd051bf78a2234ec0df197f7828060fe9856503579bb1733009042c15c0c1"
    "de127727f418b5966afadfdd95a6e4591d171056b333dab97a79c7193e341727",
    "shareV": "04c0f65da0d11927bdf5d560c69e1d7d939a05b0e88291887d679fcadea75810fb"
    "5cc1ca7494db39e82ff2f50665255d76173e09986ab46742c798a9a68437b048",
    "confirmP": "926cc713504b9b4d76c9162ded04b5493e89109f6d89462cd33adc46fda27527",
    "confirmV": "9747bcc4f8fe9f63defee53ac9b07876d907d55047e6ff2def2e7529089d3e68",
    "key": "0c5f8ccd1413423a54f6c1fb26ff01534a87f893779c6e68666d772bfd91f3e7",
}
CONTEXT = b"SPAKE2+-P256-SHA256-HKDF-SHA256-HMAC-SHA256 Test Vectors"
# connectedhomeip, src/crypto/tests/SPAKE2P_RFC_test_vectors.h: the draft whose keys Matter has,
# with the names of both, and with none, as Matter
MATTER = {
    "w0": "e6887cf9bdfb7579c69bf47928a84514b5e355ac034863f7ffaf4390e67d798c",
    "w1": "24b5ae4abda868ec9336ffc3b78ee31c5755bef1759227ef5372ca139b94e512",
    "L": "0495645cfb74df6e58f9748bb83a86620bab7c82e107f57d6870da8cbcb2ff9f70"
    "63a14b6402c62f99afcb9706a4d1a143273259fe76f1c605a3639745a92154b9",
}
BOTH = MATTER | {
    "x": "8b0f3f383905cf3a3bb955ef8fb62e24849dd349a05ca79aafb18041d30cbdb6",
    "y": "2e0895b0e763d6d5a9564433e64ac3cac74ff897f6c3445247ba1bab40082a91",
    "shareP": "04af09987a593d3bac8694b123839422c3cc87e37d6b41c1d630f000dd64980e53"
    "7ae704bcede04ea3bec9b7475b32fa2ca3b684be14d11645e38ea6609eb39e7e",
    "shareV": "04417592620aebf9fd203616bbb9f121b730c258b286f890c5f19fea833a9c900c"
    "be9057bc549a3e19975be9927f0e7614f08d1f0a108eede5fd7eb5624584a4f4",
    "key": "801db297654816eb4f02868129b9dc89" + 32 * "0",
    "confirmP": "d4376f2da9c72226dd151b77c2919071155fc22a2068d90b5faa6c78c11e77dd",
    "confirmV": "0660a680663e8c5695956fb22dff298b1d07a526cf3cc591adfecd1f6ef6e02e",
}
NONE = MATTER | {
    "x": "5b478619804f4938d361fbba3a20648725222f0a54cc4c876139efe7d9a21786",
    "y": "766770dad8c8eecba936823c0aed044b8c3c4f7655e8beec44a15dcbcaf78e5e",
    "shareP": "04a6db23d001723fb01fcfc9d08746c3c2a0a3feff8635d29cad2853e735862342"
    "5cf39712e928054561ba71e2dc11f300f1760e71eb177021a8f85e78689071cd",
    "shareV": "04390d29bf185c3abf99f150ae7c13388c82b6be0c07b1b8d90d26853e84374bbd"
    "c82becdb978ca3792f472424106a2578012752c11938fcf60a41df75ff7cf947",
    "key": "ea3276d68334576097e04b19ee5a3a8b" + 32 * "0",
    "confirmP": "71d9412779b6c45a2c615c9df3f1fd93dc0aaf63104da8ece4aa1b5a3a415fea",
    "confirmV": "095dc0400355cc233fde7437811815b3c1524aae80fd4e6810cf531cf11d20e3",
}
DRAFT = b"SPAKE2+-P256-SHA256-HKDF draft-01"
PUBLISHED = [
    (RFC, (CONTEXT, b"client", b"server"), False),
    (BOTH, (DRAFT, b"client", b"server"), True),
    (NONE, (DRAFT, b"", b""), True),
]


@pytest.fixture(params=SPAKE2P)
def bound(request: pytest.FixtureRequest) -> Bound:
    """secp256r1 in each build."""
    return with_spake2p(request.param)


def first(draw: bytes) -> Rng:
    """A generator that gives these bytes, and then others as often as BLIND asks for."""
    return fixed(draw, *MORE)


def integer(data: bytes) -> int:
    return int.from_bytes(data, "big")


def record_of(bound: Bound, w1: bytes) -> bytes:
    status, record = bound.call("public_key", 65, w1, ctypes.byref(generator("record")))
    assert status == OK
    return record


@pytest.mark.parametrize(("vector", "names", "matter"), PUBLISHED, ids=["rfc", "both", "none"])
def test_published_vectors(
    bound: Bound, vector: dict[str, str], names: tuple[bytes, bytes, bytes], matter: bool
) -> None:
    v = {name: bytes.fromhex(value) for name, value in vector.items()}
    assert record_of(bound, v["w1"]) == v["L"]
    prover, verifier = (Spake2p(bound, names, matter=matter) for _ in range(2))
    assert prover.prover_start(v["w0"], first(v["x"])) == (OK, v["shareP"])
    given = verifier.verifier_start(v["w0"], v["L"], v["shareP"], first(v["y"]))
    assert given == (OK, v["shareV"], v["confirmV"])
    given = prover.prover_finish(v["w1"], v["shareV"], v["confirmV"], generator("blinding"))
    assert given == (OK, v["key"], v["confirmP"])
    assert verifier.verifier_finish(v["confirmP"]) == (OK, v["key"])
    assert not any(prover.context.raw + verifier.context.raw)


def test_against_the_oracle(bound: Bound) -> None:
    """Random passwords and names, both kinds of keys."""
    random = Random(9383)
    for case in range(4):
        context, own, peer = (random.randbytes(random.choice((0, 1, 32, 200))) for _ in "123")
        x, y, w0, w1 = (random.randrange(1, N) for _ in range(4))
        known = spake2p.Names(context, own, peer, matter=case % 2 == 1)
        share = spake2p.prover_share(x, w0)
        right = spake2p.verifier(known, y, w0, spake2p.record(w1), share)
        also = spake2p.prover(known, x, w0, w1, right.share)
        assert also.shared == right.shared
        names = context, own, peer
        prover, verifier = (Spake2p(bound, names, matter=known.matter) for _ in range(2))
        secrets = [k.to_bytes(32, "big") for k in (x, y, w0, w1)]
        assert prover.prover_start(secrets[2], first(secrets[0])) == (OK, share)
        given = verifier.verifier_start(secrets[2], spake2p.record(w1), share, first(secrets[1]))
        assert given == (OK, right.share, right.confirm_v)
        given = prover.prover_finish(secrets[3], *given[1:], generator("b"))
        assert given == (OK, right.shared, right.confirm_p)
        assert verifier.verifier_finish(given[2]) == (OK, right.shared)


def test_scalars(bound: Bound) -> None:
    """Numbers of 320 bits modulo n, at its multiples; none of them 0."""
    random = Random(1)
    most = 2**320 - 1
    values = [0, 1, N - 1, N, N + 1, 2**256 - 1, 2**256, N << 64, (N << 64) - 1, most, most - N]
    values += [most // N * N, *(random.randrange(most) for _ in range(20))]
    for value, other in zip(values, values[1:] + values[:1], strict=True):
        out = ctypes.create_string_buffer(b"\xa5" * 32, 32)
        halves = value.to_bytes(40, "big") + other.to_bytes(40, "big")
        status, w0 = bound.call("spake2p_scalars", 32, out, halves)
        good = value % N > 0 and other % N > 0
        assert status == (OK if good else BAD_PRIVATE_KEY)
        right = (spake2p.scalar(halves[:40]), spake2p.scalar(halves[40:])) if good else (0, 0)
        assert (integer(w0), integer(out.raw)) == right


W0, W1 = (bytes([fill]) * 32 for fill in (0x31, 0x52))
RECORD = spake2p.record(integer(W1))


def begun(bound: Bound) -> tuple[Spake2p, Spake2p, tuple[int, bytes, bytes]]:
    """A run up to what the verifier answers."""
    prover, verifier = Spake2p(bound, NAMES), Spake2p(bound, NAMES)
    status, share = prover.prover_start(W0, generator("x"))
    assert status == OK
    return prover, verifier, verifier.verifier_start(W0, RECORD, share, generator("y"))


def wrong_points() -> list[bytes]:
    """Shares and records that are no points: the neutral element in two ways, another curve's,
    coordinates out of range, compressed.
    """
    x, y = C.gx, C.gy
    point = weierstrass.encode_point(C, (x, y))
    return [
        bytes(65),
        b"\x04" + bytes(64),
        point[:-1] + bytes([point[-1] ^ 1]),
        b"\x04" + P.to_bytes(32, "big") + point[33:],
        b"\x04" + point[1:33] + (2**256 - 1).to_bytes(32, "big"),
        b"\x02" + point[1:],
        b"\x06" + point[1:],
    ]


def masked(mask: tuple[int, int], times: int) -> bytes:
    """A multiple of w0 M or of w0 N."""
    point = weierstrass.multiply(C, integer(W0) * times % N, mask)
    assert point is not None
    return weierstrass.encode_point(C, point)


def test_a_share_that_is_no_point_is_refused(bound: Bound) -> None:
    """Or has nothing beside the mask, and a record that is none."""
    none = bytes(65), bytes(32)
    for share in (*wrong_points(), masked(spake2p.M, 1)):
        verifier = Spake2p(bound, NAMES)
        given = verifier.verifier_start(W0, RECORD, share, generator("y"))
        assert given == (BAD_PUBLIC_KEY, *none)
        assert verifier.verifier_finish(bytes(32)) == (MISUSE, bytes(32))
    for record in wrong_points():
        given = Spake2p(bound, NAMES).verifier_start(W0, record, RECORD, generator("y"))
        assert given == (BAD_PUBLIC_KEY, *none)
    for share in (*wrong_points(), masked(spake2p.N, 1)):
        prover, _, (_, _, confirmation) = begun(bound)
        given = prover.prover_finish(W1, share, confirmation, generator("b"))
        assert given == (BAD_PUBLIC_KEY, bytes(32), bytes(32))
        assert not any(prover.context.raw)


def test_a_share_of_the_mask_turned_round(bound: Bound) -> None:
    """Two equal points are added then, as the oracle does; and the double of the mask."""
    known, w0, w1 = spake2p.Names(*NAMES), integer(W0), integer(W1)
    for times in (N - 1, 2):
        verifier, share = Spake2p(bound, NAMES), masked(spake2p.M, times)
        y = (7).to_bytes(32, "big")
        given = verifier.verifier_start(W0, RECORD, share, first(y))
        right = spake2p.verifier(known, 7, w0, RECORD, share)
        assert given == (OK, right.share, right.confirm_v)
        prover, share = Spake2p(bound, NAMES), masked(spake2p.N, times)
        prover.prover_start(W0, first(y))
        right = spake2p.prover(known, 7, w0, w1, share)
        given = prover.prover_finish(W1, share, right.confirm_v, generator("b"))
        assert given == (OK, right.shared, right.confirm_p)


def test_each_bit_of_a_confirmation_counts(bound: Bound) -> None:
    """And a run has one try: afterwards the right one does not help."""
    for bit in range(0, 256, 37):
        prover, verifier, (status, share, confirmation) = begun(bound)
        assert status == OK
        wrong = bytearray(confirmation)
        wrong[bit // 8] ^= 1 << bit % 8
        given = prover.prover_finish(W1, share, bytes(wrong), generator("b"))
        assert given == (BAD_SIGNATURE, bytes(32), bytes(32))
        given = prover.prover_finish(W1, share, confirmation, generator("b"))
        assert given == (MISUSE, bytes(32), bytes(32))
        assert verifier.verifier_finish(bytes(wrong)) == (BAD_SIGNATURE, bytes(32))
        assert verifier.verifier_finish(bytes(32)) == (MISUSE, bytes(32))


def test_what_differs_is_noticed(bound: Bound) -> None:
    """Password, record, each name, the kind of keys."""
    other = bytes(31) + b"\x09"
    for case in range(7):
        names = [*NAMES]
        if case < 3:
            names[case] += b"x"
        prover = Spake2p(bound, (names[0], names[1], names[2]), matter=case == 3)
        _, share = prover.prover_start(other if case == 4 else W0, generator("x"))
        record = spake2p.record(9) if case == 5 else RECORD
        verifier = Spake2p(bound, NAMES)
        _, share, confirmation = verifier.verifier_start(W0, record, share, generator("y"))
        w1 = other if case == 6 else W1
        given = prover.prover_finish(w1, share, confirmation, generator("b"))
        assert given == (BAD_SIGNATURE, bytes(32), bytes(32)), case


def test_names_do_not_run_into_each_other(bound: Bound) -> None:
    """Their sizes are hashed, too."""
    prover = Spake2p(bound, (b"a", b"bc", b""))
    _, share = prover.prover_start(W0, generator("x"))
    verifier = Spake2p(bound, (b"ab", b"c", b""))
    _, share, confirmation = verifier.verifier_start(W0, RECORD, share, generator("y"))
    assert prover.prover_finish(W1, share, confirmation, generator("b"))[0] == BAD_SIGNATURE


def test_errors_leave_zeros(bound: Bound) -> None:
    prover, verifier, (_, share, confirmation) = begun(bound)
    for bad in (0, N, 2**256 - 1):
        scalar = bad.to_bytes(32, "big")
        run = Spake2p(bound, NAMES)
        assert run.prover_start(scalar, generator("x")) == (BAD_PRIVATE_KEY, bytes(65))
        given = run.verifier_start(scalar, RECORD, share, generator("y"))
        assert given == (BAD_PRIVATE_KEY, bytes(65), bytes(32))
        run, _, answer = begun(bound)
        given = run.prover_finish(scalar, *answer[1:], generator("b"))
        assert given == (BAD_PRIVATE_KEY, bytes(32), bytes(32))
    for rng in (None, fixed(), fixed(bytes(32))):
        run = Spake2p(bound, NAMES)
        assert run.prover_start(W0, rng) == (RNG_FAILED, bytes(65))
        given = run.verifier_start(W0, RECORD, share, rng)
        assert given == (RNG_FAILED, bytes(65), bytes(32))
    # the context of the other role, and one that nobody began
    assert prover.verifier_finish(confirmation) == (MISUSE, bytes(32))
    given = verifier.prover_finish(W1, share, confirmation, generator("b"))
    assert given == (MISUSE, bytes(32), bytes(32))
    assert Spake2p(bound, NAMES).verifier_finish(bytes(32)) == (MISUSE, bytes(32))


def test_a_draw_out_of_range_is_drawn_again(bound: Bound) -> None:
    """x, which is not reduced: small scalars would be likelier."""
    drawn = (b"\xff" * 31 + b"\xfe", bytes.fromhex(RFC["x"]))
    run = Spake2p(bound, NAMES)
    given = run.prover_start(bytes.fromhex(RFC["w0"]), fixed(*drawn, *MORE))
    assert given == (OK, bytes.fromhex(RFC["shareP"]))
