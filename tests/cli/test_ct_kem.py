"""`ecfit ct` on decapsulation: a private key with public parts inside.

Leaks are planted into the adapter of a library: those on the secret vector and on the value for
rejected ciphertexts are found, and what depends on the encapsulation key inside is none.
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

KEM, CHIP = "mlkem512", "nrf52840"
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
FUNCTION = """
__attribute__((noipa)) static void {name}(const uint8_t *in)
{{
    if (in[{place}] & 1) bench_public(in, 0), sink = 1;
}}
"""
OPERATION = """
int bench_decaps(uint8_t *out, const uint8_t *in)
{{
    {calls}
    return real_decaps(out, in);
}}
"""


def follow(name: str, op: str, folder: Path | None = None) -> list[Check]:
    """What is found in the last of these operations of a library, or of one in a folder."""
    peers = all_peers({name: folder} if folder else None)
    chosen = select(
        targets=[CHIP], libraries=[name], curves=[KEM], ops=op.split(","), presets=[], sets=[],
        mode="datasheet", peers=peers,
    )  # fmt: skip
    bench = Bench(Settings(runs=3, inputs=2), peers, Store())
    return checks(bench.constant_time(rows(chosen)[-1]))


def test_planted_leaks_are_found_in_what_is_secret_alone(tmp_path: Path) -> None:
    folder = tmp_path / "planted"
    shutil.copytree(PEERS / "pqclean", folder)
    text = (folder / "adapter.c").read_text(encoding="utf-8")
    assert text.count("int bench_decaps(") == 1
    functions = "".join(
        FUNCTION.format(name=name, place=place) for name, (place, _) in PLANTED.items()
    )
    calls = " ".join(f"{name}(in);" for name in PLANTED)
    text = text.replace("int bench_decaps(", "static int real_decaps(")
    text = f"{text}\nstatic volatile int sink;\n{functions}{OPERATION.format(calls=calls)}"
    (folder / "adapter.c").write_text(text, encoding="utf-8")
    found = [one for one in follow("planted", "decaps", folder) if one.status == LEAK]
    expected = {name: kind for name, (_, kind) in PLANTED.items() if kind}
    assert {str(one.function): one.kind for one in found if one.check == "taint"} == expected
    assert {one.secret for one in found if one.check == "taint"} == {"private key"}
    assert [one.kind for one in found if one.check == "equality"] == ["cycles differ"]


@pytest.mark.parametrize("name", ["pqclean", "mlkem-native"])
@pytest.mark.parametrize("op", ["encaps", "decaps"])
def test_no_false_alarm(name: str, op: str) -> None:
    """What is followed is what is measured: marks are for key generation alone."""
    taint, equality = follow(name, op)
    assert (taint.check, taint.status, taint.inputs) == ("taint", "ok", 2)
    assert (equality.status, equality.runs, equality.trace_hashes) == ("ok", 3, 1)
    assert taint.same_code or name == "mlkem-native"


@pytest.mark.parametrize("name", ["pqclean", "mlkem-native"])
def test_key_generation_is_followed_and_not_compared(name: str) -> None:
    found = follow(name, "keygen")
    assert [one.status for one in found if one.check == "taint" and not one.declared] == ["ok"]
    declared = [one for one in found if one.declared]
    assert declared
    assert {one.secret for one in declared} == {"random bytes"}
    assert found[-1].status == NOT_COMPARED
    assert "seed of the public matrix" in str(found[-1].detail)
