"""`ecfit ct` on decapsulation and signing: a private key with public parts inside.

Leaks are planted into the adapter of a library: those on the secret parts of the key are found,
and what depends on the public key inside, or on what belongs to it, is none.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ecfit.arguments.selection import rows, select
from ecfit.choices.peers import all_peers
from ecfit.commands.ct import LEAK, NOT_COMPARED, Check, checks
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.paths import PEERS

KEM, DSA, CHIP = "mlkem512", "mldsa44", "nrf52840"
# What is planted by name, with the place in the key: a finding, or none where it is public.
PLANTED = {
    "vector_first": ("0", "branch"),
    "vector_last": ("BENCH_P - 33", "branch"),
    "key_first": ("BENCH_P - 32", None),
    "seed_last": ("2 * BENCH_P - 33", None),
    "hash_last": ("BENCH_N - 33", None),
    "rejection_first": ("BENCH_N - 32", "branch"),
    "rejection_last": ("BENCH_N - 1", "branch"),
    "cipher_last": ("BENCH_N + BENCH_C - 1", None),
}
PLANTED_DSA = {
    "rho_last": ("31", None),
    "seed_first": ("32", "branch"),
    "seed_last": ("63", "branch"),
    "hash_first": ("64", None),
    "hash_last": ("127", None),
    "vectors_first": ("128", "branch"),
    "vectors_last": ("BENCH_N - 4 * 416 - 1", "branch"),
    "t0_first": ("BENCH_N - 4 * 416", None),
    "message_last": ("BENCH_N + 31", None),
}
FUNCTION = """
__attribute__((noipa)) static void {name}(const uint8_t *in)
{{
    if (in[{place}] & 1) bench_public(in, 0), sink = 1;
}}
"""
OPERATION = """
int bench_{op}(uint8_t *out, const uint8_t *in)
{{
    {calls}
    return real_{op}(out, in);
}}
"""


def follow(name: str, of: str, op: str, folder: Path | None = None) -> list[Check]:
    """What is found in the last of these operations of a library, or of one in a folder."""
    peers = all_peers({name: folder} if folder else None)
    chosen = select(
        targets=[CHIP], libraries=[name], curves=[of], ops=op.split(","), presets=[], sets=[],
        mode="datasheet", peers=peers,
    )  # fmt: skip
    bench = Bench(Settings(runs=3, inputs=2), peers, Store())
    return checks(bench.constant_time(rows(chosen)[-1]))


def planted(folder: Path, op: str, places: dict[str, tuple[str, str | None]]) -> Path:
    """A copy of a library whose operation branches on these places of its input."""
    shutil.copytree(PEERS / "pqclean", folder)
    text = (folder / "adapter.c").read_text(encoding="utf-8")
    assert text.count(f"int bench_{op}(") == 1
    functions = "".join(
        FUNCTION.format(name=name, place=place) for name, (place, _) in places.items()
    )
    calls = " ".join(f"{name}(in);" for name in places)
    text = text.replace(f"int bench_{op}(", f"static int real_{op}(")
    text = f"{text}\nstatic volatile int sink;\n{functions}{OPERATION.format(op=op, calls=calls)}"
    (folder / "adapter.c").write_text(text, encoding="utf-8")
    return folder


def test_planted_leaks_are_found_in_what_is_secret_alone(tmp_path: Path) -> None:
    folder = planted(tmp_path / "planted", "decaps", PLANTED)
    found = [one for one in follow("planted", KEM, "decaps", folder) if one.status == LEAK]
    expected = {name: kind for name, (_, kind) in PLANTED.items() if kind}
    assert {str(one.function): one.kind for one in found if one.check == "taint"} == expected
    assert {one.secret for one in found if one.check == "taint"} == {"private key"}
    assert [one.kind for one in found if one.check == "equality"] == ["cycles differ"]


def test_signing_is_followed_and_not_compared(tmp_path: Path) -> None:
    """PQClean has one finding of its own, which its authors accept: which coefficient is too
    large for a signature.
    """
    folder = planted(tmp_path / "planted", "sign", PLANTED_DSA)
    found = follow("planted", DSA, "sign", folder)
    leaks = [one for one in found if one.status == LEAK]
    expected = {name: kind for name, (_, kind) in PLANTED_DSA.items() if kind}
    own = {"PQCLEAN_MLDSA44_CLEAN_poly_chknorm": "branch"}
    assert {str(one.function): one.kind for one in leaks} == expected | own
    assert {one.secret for one in leaks if one.function in expected} == {"private key"}
    assert [one.bytes for one in found if one.declared and one.status == "declared"][:1] == [32]
    assert found[-1].status == NOT_COMPARED
    assert "how often depends on key" in str(found[-1].detail)


def test_a_library_that_marks_what_is_known_has_no_finding_in_signing() -> None:
    found = follow("mldsa-native", DSA, "sign")
    assert [one.status for one in found if one.check == "taint" and not one.declared] == ["ok"]
    assert {one.bytes for one in found if one.declared} >= {4, 32}  # attempts, and their challenge
    assert found[-1].status == NOT_COMPARED


@pytest.mark.parametrize(
    ("name", "of", "op"),
    [
        *((name, KEM, op) for name in ("pqclean", "mlkem-native") for op in ("encaps", "decaps")),
        pytest.param("libsodium", "mlkem768", "decaps", marks=pytest.mark.ci),
    ],
)
def test_no_false_alarm(name: str, of: str, op: str) -> None:
    taint, equality = follow(name, of, op)
    assert (taint.check, taint.status, taint.inputs) == ("taint", "ok", 2)
    assert (equality.status, equality.runs, equality.trace_hashes) == ("ok", 3, 1)


@pytest.mark.parametrize("name", ["pqclean", "mlkem-native"])
def test_key_generation_is_followed_and_not_compared(name: str) -> None:
    found = follow(name, KEM, "keygen")
    assert [one.status for one in found if one.check == "taint" and not one.declared] == ["ok"]
    declared = [one for one in found if one.declared]
    assert declared
    assert {one.secret for one in declared} == {"random bytes"}
    assert found[-1].status == NOT_COMPARED
    assert "seed of the public matrix" in str(found[-1].detail)
