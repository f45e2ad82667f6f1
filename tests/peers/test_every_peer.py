"""Each peer does what its peer.toml says: all its operations agree with the oracle,
in every variant that is named. (That a wrong one is found: tests/cli/test_failures.py.)

On one target, and not for curves of more than 256 bits: these run the same code of the peers,
with longer loops. What is post-quantum is also compared with vectors, on this machine.
"""

from __future__ import annotations

import os

import msgspec
import pytest

from ecfit.arguments.selection import rows, select
from ecfit.build.fetch import version
from ecfit.choices.curves import CURVES, KEMS, MEASURED, POST_QUANTUM, SIGNATURES
from ecfit.choices.peers import Peer, all_peers
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.run import hostlib
from ecfit.run.cases import Case, Refused
from workshop.scale import some
from workshop.vectors import acvp

PEERS = all_peers()
TARGET, HOST = "nrf52840", "host"
OTHER_CODE = {
    "bearssl": "m31",
    "micro-ecc": "c",
}  # variants that run other code than the defaults: in CI too
LARGE = ("aws-lc",)  # a quarter of a minute to compile: one curve, and all with sweep `peers`
MAX_BITS = 256
KEM_PEERS, DSA_PEERS, CURVE_PEERS = (
    [name for name, peer in PEERS.items() if peer.curves.keys() & of.keys()]
    for of in (KEMS, SIGNATURES, CURVES)
)


def native(peer: Peer) -> bool:
    """Whether it is for this machine alone."""
    return peer.cores == (HOST,)


def rows_of(name: str, curve: str, settings: dict[str, str]) -> list[Row]:
    """All operations that a peer offers on a curve."""
    chosen = select(
        targets=[HOST if native(PEERS[name]) else TARGET],
        libraries=[name],
        curves=[curve],
        ops=["all"],
        presets=[],
        sets=[f"{name}.{option}={value}" for option, value in settings.items()],
        mode="datasheet",
        peers=PEERS,
    )
    return [row for row in rows(chosen) if row.offered]


def choices() -> list[tuple[str, str, str]]:
    """Peer, curve and variant: one curve of each form with the defaults,
    and OTHER_CODE on the first.

    With ECFIT_ALL_PEERS set (`make long WHAT=peers`): every curve of up to 256 bits,
    and all variants on one of each form.
    """
    found, everything = [], bool(os.environ.get("ECFIT_ALL_PEERS"))
    everywhere = {*POST_QUANTUM, *(one for one in CURVES if CURVES[one].bits <= MAX_BITS)}
    for peer in PEERS.values():
        if peer.on_request:
            continue
        curves = [one for one in peer.curves if one in everywhere]
        forms = {MEASURED[curve].form: curve for curve in reversed(curves)}
        firsts = [curve for curve in curves if curve in forms.values()]
        some = firsts[:1] if peer.name in LARGE else firsts
        found += [(peer.name, curve, "") for curve in (curves if everything else some)]
        default = peer.configure({}).key
        variants = [
            name
            for name, settings in peer.variants.items()
            if peer.configure(settings).key != default
        ]
        for name in (
            variants
            if everything
            else [name for name in variants if OTHER_CODE.get(peer.name) == name]
        ):
            found += [(peer.name, curve, name) for curve in (firsts if everything else firsts[:1])]
    return found


def test_all_leaves_out_what_is_on_request() -> None:
    def libraries(*names: str) -> tuple[str, ...]:
        return select(
            targets=[TARGET],
            libraries=names,
            curves=["secp256r1"],
            ops=["sign"],
            presets=[],
            sets=[],
            mode="datasheet",
            peers=PEERS,
        ).libraries

    assert PEERS["wolfssl"].on_request
    assert set(libraries("all")) == {"ecfit", *CURVE_PEERS} - {"wolfssl"}
    assert libraries("wolfssl") == ("wolfssl",)
    assert len(libraries("all")) >= 10


def test_libraries_that_are_heaped_say_so() -> None:
    bench = Bench(Settings(), PEERS, Store())
    heaps = {
        name: bench.measure(rows_of(name, "secp256r1", {})[0]).heap_bytes
        for name in ("mbedtls", "p256-m")
    }
    assert heaps["p256-m"] == 0
    assert heaps["mbedtls"] is not None
    assert 500 < heaps["mbedtls"] < 1500


@pytest.mark.parametrize(("name", "curve", "variant"), choices())
def test_operations_agree_with_the_oracle(name: str, curve: str, variant: str) -> None:
    peer = PEERS[name]
    assert not peer.system or version(peer) != peer.library_version, (
        f"install {peer.system.package}"
    )
    bench = Bench(Settings(), PEERS, Store())
    records = [bench.measure(row) for row in rows_of(name, curve, peer.variants.get(variant, {}))]
    assert [record.op for record in records] == list(peer.curves[curve])
    for record in records:
        assert record.status == "ok", f"{record.op}: {record.status}: {record.detail}"
        assert (record.flash_bytes and record.cycles) or (native(peer) and record.time_us)


def test_all_of_a_scheme_leaves_out_what_has_none() -> None:
    def libraries(*curves: str) -> set[str]:
        chosen = select(
            targets=[TARGET], libraries=["all"], curves=curves, ops=["all"], presets=[], sets=[],
            mode="datasheet", peers=PEERS,
        )  # fmt: skip
        return {row.configuration.library for row in rows(chosen)}

    assert len(KEM_PEERS) >= 2
    assert len(DSA_PEERS) >= 2
    asked = {name for name in PEERS if PEERS[name].on_request}
    assert libraries("ML-KEM-768") == {*KEM_PEERS} - asked
    assert libraries("ML-DSA-44") == {*DSA_PEERS} - asked
    assert libraries("all") == libraries("secp256r1")
    assert libraries("all", "mlkem768") == libraries("all") | {*KEM_PEERS} - asked


@pytest.mark.parametrize(
    ("name", "kem"),
    [(name, kem) for name in KEM_PEERS for kem in KEMS if kem in PEERS[name].curves],
)
def test_kems_agree_with_the_vectors_of_nist(name: str, kem: str) -> None:
    """ACVP's, and CCTV's keys that are not reduced, run natively."""
    of = KEMS[kem]
    pairs = [
        (Case("keygen", b"", one.seed, of.scalar_bytes + of.public_bytes), one.dk + one.ek)
        for one in some(acvp.key_pairs(kem), 5)
    ]
    keys = [Refused("not reduced", key) for key in some(acvp.keys_not_reduced(kem), 5)]
    messages = [
        (Case("encaps", one.ek, one.m, of.cipher_bytes + 32, tuple(keys)), one.c + one.k)
        for one in some(acvp.encapsulations(kem), 5)
    ]
    ciphers = [
        (Case("decaps", one.dk + one.c, b"", 32), one.k)
        for one in some(acvp.decapsulations(kem), 2)
    ]
    agree(name, kem, pairs, messages, ciphers)


@pytest.mark.parametrize("scheme", some(SIGNATURES, 3))
@pytest.mark.parametrize("name", DSA_PEERS)
def test_signatures_agree_with_the_vectors(name: str, scheme: str) -> None:
    """ACVP's keys, and Wycheproof's signatures of messages of 32 bytes, run natively: up to those
    of dozens of attempts, and encodings that are none.
    """
    of = SIGNATURES[scheme]
    pairs = [
        (Case("keygen", b"", one.seed, of.scalar_bytes + of.public_bytes), one.dk + one.ek)
        for one in some(acvp.dsa_key_pairs(scheme)[::6], 2)
    ]
    vectors = acvp.dsa_of_32_bytes(scheme)
    made = [
        (Case("sign", one.private + one.message, one.rnd, of.signature_bytes), one.signature)
        for one in some([one for one in vectors if one.private][::-6], 2)
    ]
    wrong = [one for one in vectors if not one.good]
    assert len(made) > 3
    assert len(wrong) >= 5
    right = [one for one in vectors if one.good and not one.private]
    verified = [
        (Case("verify", one.signature + one.public + one.message, b"", 0), b"")
        for one in some(right[::-6], 2)
    ]
    case, _ = verified[0]
    refused = [
        Refused(one.reason, one.signature + one.public + one.message, must=True) for one in wrong
    ]
    verified[0] = msgspec.structs.replace(case, refused=tuple(refused)), b""
    agree(name, scheme, pairs, made, verified)


def agree(name: str, of: str, *vectors: list[tuple[Case, bytes]]) -> None:
    """The operations of a library on this machine: cases of one operation each, with results."""
    chosen = select(
        targets=[HOST], libraries=[name], curves=[of], ops=["all"], presets=[], sets=[],
        mode="datasheet", peers=PEERS,
    )  # fmt: skip
    bench = Bench(Settings(), PEERS, Store())
    image = bench.image(bench.request(rows(chosen)[0]))
    for known in vectors:
        cases = [case for case, _ in known]
        outcomes = hostlib.run(image.segments[0].data, cases[0].op, cases)
        for (case, right), seen in zip(known, outcomes, strict=True):
            assert (seen.status, seen.out) == (0, right), case.op
            assert len(seen.refused) == len(case.refused)
            assert all(status != 0 for status in seen.refused), case.op
