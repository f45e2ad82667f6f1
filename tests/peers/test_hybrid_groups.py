"""Hybrid groups of TLS: our curve and the KEM of a peer in one image, checked on the simulator.

Which order shares have, tests/unit/oracle/test_hybrid.py asks Go.
"""

from __future__ import annotations

import msgspec
import pytest

from ecfit.build.parts import Beside
from ecfit.choices.curves import HYBRIDS
from ecfit.choices.knobs import resolve
from ecfit.choices.peers import all_peers
from ecfit.choices.targets import find_target
from ecfit.measure.bench import Bench, Row, null_row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.run.cases import Refused, make_case

PEERS, TARGET = all_peers(), find_target("nrf52840")


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench(Settings(), PEERS, Store())


def row(name: str, op: str, library: str = "pqclean") -> Row:
    """An operation of a group, with all of them in the image."""
    group = HYBRIDS[name]
    of_curve = resolve(group.curve, "tiny", {}, TARGET.backend)
    beside = Beside(group.curve, of_curve, ("keygen", "ecdh"))
    return Row(
        TARGET, TARGET.mode("datasheet"), "datasheet", PEERS[library].configure({}), group, op,
        group.ops, beside=(beside,),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "library"),
    [("x25519mlkem768", "pqclean"), ("secp256r1mlkem768", "pqclean"),
     ("x25519mlkem768", "mlkem-native"), ("secp384r1mlkem1024", "mlkem-native")],
)  # fmt: skip
def test_all_operations_agree_with_the_oracle(bench: Bench, name: str, library: str) -> None:
    """Both halves refuse what they have to: keys that are none, points off the curve."""
    for op in HYBRIDS[name].ops:
        record = bench.measure(row(name, op, library))
        assert (record.status, record.detail) == ("ok", None)
        assert record.curve == name


@pytest.mark.parametrize("op", ["keygen", "encaps", "decaps"])
@pytest.mark.parametrize("name", ["x25519mlkem768", "secp256r1mlkem768"])
def test_the_wrong_order_is_found(bench: Bench, name: str, op: str) -> None:
    """The same image, held against a group with its halves the other way round."""
    wrong = msgspec.structs.replace(HYBRIDS[name], parts=HYBRIDS[name].parts[::-1])
    planted = msgspec.structs.replace(row(name, op), curve=wrong)
    image, null = (bench.image(bench.request(one)) for one in (planted, null_row(planted)))
    seen = bench.run(planted, image, null, "counts").observation  # not what the store has kept
    assert seen.status == "wrong result", seen


def test_what_either_half_refuses_both_refuse() -> None:
    """Of a point off the curve and of two wrong keys, each beside a half that is right."""
    group = HYBRIDS["secp256r1mlkem768"]
    case = make_case(group, "decaps", 1, 0)
    assert [type(one) for one in case.refused] == 3 * [Refused]
    assert all(len(one.data) == len(case.data) != 0 for one in case.refused)
    pairs = enumerate(zip(case.refused[0].data, case.data, strict=True))
    assert [at for at, (a, b) in pairs if a != b] == [group.scalar_bytes + 64]  # the end of y
