"""The kept rows of kernels that others timed on silicon (tools/kernels)."""

from __future__ import annotations

import csv
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from ecfit.choices.kernels import ASM_SHARE, Kept, current, kept
from ecfit.choices.targets import find_target
from ecfit.paths import ROOT
from tools.kernels import kernels

KEPT = kept()
COUNTED = [row for row in KEPT if kernels.counted(row)]
HELD_OUT = [row for row in KEPT if row.held_out]
M3, M4 = (  # without those of cortexm-AES: test_rows_of_cortexm_aes
    [
        row
        for row in COUNTED
        if find_target(row.target).core == core and not row.name.startswith("cortexm-aes")
    ]
    for core in ("cortex-m3", "cortex-m4")
)


def test_every_row_is_of_its_manifest_and_of_the_model_of_today() -> None:
    assert all(map(current, KEPT))
    for name, one in kernels.manifests().items():
        rows = [row for row in KEPT if row.name == name]
        assert {row.kernel: row.published for row in rows} == one.published
        assert {(row.commit, row.script, row.code, row.stack, row.data) for row in rows} == {
            (one.commit[:8], one.script, one.code, one.stack, one.data)
        }
        assert {(row.target, row.mode, row.conditions) for row in rows} == {
            (one.target, one.mode, one.conditions)
        }
        assert len(one.commit) == 40
        assert len(one.script) > 8
        chose = {row.kernel for row in rows if row.chose}
        assert chose == set(
            one.seen or (one.published if one.chose else list(one.published)[: one.fitted_rows])
        )
        c = [row for row in rows if row.assembly < ASM_SHARE]
        assert sum(not kernels.counted(row) for row in rows) == one.fitted_rows + len(c)
        assert not any(row.held_out for row in c)
        assert one.fitted or not one.fitted_rows
        assert set(one.seen) <= set(one.published)


def test_rows_of_cortexm_aes() -> None:
    """All that its author published, and of older code for the Cortex-M7: 126 rows chose nothing,
    and the 12 of the STM32F103's flash and 6 of the CH32V003's that chose its rule say so.
    """
    rows = {
        name: [row for row in KEPT if row.name == name]
        for name in kernels.manifests()
        if name.startswith("cortexm-aes")
    }
    assert sum(map(len, rows.values())) == 144
    assert {name for name, some in rows.items() if any(row.chose for row in some)} == {
        "cortexm-aes-m3-flash", "cortexm-aes-qkv2-flash",
    }  # fmt: skip
    assert sum(row.held_out for some in rows.values() for row in some) == 126
    for name, worst in (("m33", 0.008), ("m3", 0.01), ("m4", 0.01), ("m0", 0.012), ("qkv2", 0.014)):
        assert max(off(rows[f"cortexm-aes-{name}"])) < worst
        assert not any(row.overhead for row in rows[f"cortexm-aes-{name}"])
    assert max(off(rows["cortexm-aes-m0-flash"])) < 0.02
    assert max(off(rows["cortexm-aes-m4-flash"])) < 0.03


def test_rows_of_the_cortex_m7() -> None:
    """Ten that were known when its rules were written; thirty of nine older versions of the code,
    which were not; CoreMark at six levels, by the same compiler. None of them chose anything.
    """
    m7 = [row for row in KEPT if find_target(row.target).core == "cortex-m7"]
    assert not any(row.chose for row in m7)
    known = [row for row in m7 if row.name == "cortexm-aes-m7"]
    older = [row for row in m7 if row.name.startswith("cortexm-aes-m7-")]
    assert (len(known), len(older), len({row.commit for row in older})) == (10, 30, 9)
    assert statistics.median(off(older)) < 0.007
    assert max(off(older)) < 0.02
    assert max(off(known)) < 0.044
    levels = {row.compiler[-3:]: abs(row.ratio - 1) for row in m7 if row not in known + older}
    assert all(off < 0.075 for level, off in levels.items() if level != "-O0")
    assert {level for level, off in levels.items() if off < 0.08} == {
        "-Og", "-O1", "-Os", "-O2", "-O3",
    }  # fmt: skip
    assert 0.1 < levels["-O0"] < 0.15  # loads behind stores to the same words: not modelled


def off(rows: list[Kept]) -> list[float]:
    return [abs(row.ratio - 1) for row in rows]


def waits(row: Kept) -> bool:
    """Does its stack lie in a bank that waits?"""
    return any(m.latency for m in find_target(row.target).memory if m.name == row.stack)


def test_rows_of_the_cortex_m4() -> None:
    """The median is within 1 %, and that of pqm4's held-out schemes alone; at most three rows are
    beyond 4 %. Without banks, nearly all whose stack lies in one that waits were off by more.
    """
    assert len(M4) >= 81
    assert statistics.median(off(M4)) < 0.01
    beyond = {(row.name, row.kernel) for row in M4 if abs(row.ratio - 1) > 0.04}
    assert beyond == {
        ("curve9767", "product"),
        ("aes-m4", "AES-128, key expansion"),
        ("aes-m4", "AES-192, key expansion"),
    }
    assert max(off(M4)) < 0.052
    held = [row for row in M4 if row.held_out]
    assert len(held) >= 32
    assert {row.name for row in held} == {"aes-m4", "curve9767", "pqm4"}
    assert max(off([row for row in held if row.name == "pqm4"])) < 0.01
    banked = [row for row in M4 if waits(row)]
    assert {row.name for row in M4} - {row.name for row in banked} == {"aes-m4"}
    unbanked = [abs((row.unbanked + row.overhead) / row.published - 1) for row in banked]
    assert statistics.median(unbanked) > 0.06
    assert min(unbanked) > 0.02


def test_rows_of_the_cortex_m3() -> None:
    """AES without wait states: all are within 2.6 %, and no bank of its chip waits."""
    assert {row.name for row in M3} == {"aes-m3"}
    assert len(M3) >= 4
    assert max(off(M3)) < 0.026
    assert not any(waits(row) for row in M3)


def test_means_are_sharp_enough_for_their_ratio() -> None:
    """The standard error of a modelled mean is below 0.6 % of it, and of ML-KEM below 0.1 %."""
    for row in KEPT:
        assert row.error <= row.modelled * (0.001 if row.kernel.startswith("ml-kem") else 0.006)


def test_the_page_has_todays_table() -> None:
    page = kernels.PAGE.read_text(encoding="utf-8")
    assert f"{kernels.BEGIN}\n{kernels.table()}{kernels.END}" in page


# ---- the sheet of pqm4 ---------------------------------------------------------------------------

TOY = """
#include "fips202.h"
#include "randombytes.h"

static void hash(const unsigned char *in)
{
    unsigned char digest[32];
    sha3_256(digest, in, 32);
}

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, 32);
    hash(sk);
    for (int i = 0; i < 32; i++)
        pk[i] = sk[i];
    return 0;
}
int crypto_kem_enc(unsigned char *ct, unsigned char *ss, const unsigned char *pk)
{
    randombytes(ct, 32);
    for (int i = 0; i < 32; i++)
        ss[i] = ct[i] ^ pk[i];
    return 0;
}
int crypto_kem_dec(unsigned char *ss, const unsigned char *ct, const unsigned char *sk)
{
    hash(sk);
    for (int i = 0; i < 32; i++)
        ss[i] = sk[i] ^ ct[i];
    return 0;
}
"""
PERMUTATION = """
.syntax unified
.thumb
.macro entry name
.global \\name
.type \\name, %function
.section .text.\\name
.thumb_func
\\name:
.endm
entry KeccakF1600_StateXORBytes
entry KeccakF1600_StateExtractBytes
    bx lr
entry KeccakF1600_StatePermute
    movs r1, #100
1:  subs r1, #1
    bne 1b
    bx lr
"""


def test_a_sheet_of_pqm4(tmp_path: Path) -> None:
    """Of a scheme whose hash only takes time: four parts, as wide as in its benchmarks.csv, and
    what each operation takes.
    """
    folder = tmp_path / "crypto_kem" / "ml-kem-toy" / "m4f"
    folder.mkdir(parents=True)
    (folder / "kem.c").write_text(TOY)
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "keccakf1600.S").write_text(PERMUTATION)
    command = [sys.executable, str(ROOT / "tools" / "kernels" / "schemes.py"), str(tmp_path)]
    done = subprocess.run([*command, "--runs", "3"], capture_output=True, text=True, check=True)
    rows = list(csv.reader(done.stdout.splitlines()))
    assert {len(row) for row in rows} == {11}
    titles = [row[0] for row in rows if row[0].endswith("Evaluation")]
    assert titles == [f"{name} Evaluation" for name in ("Speed", "Memory", "Hashing", "Size")]
    speed, memory, hashing, size = (row for row in rows if row[0].startswith("ml-kem-toy"))
    assert speed[:2] == ["ml-kem-toy (3 executions)", "m4f"]
    keygen, _, _, encaps = map(int, speed[2:6])
    assert keygen > encaps + 2 * 100
    assert all(0 < int(cell) < 1024 for cell in memory[2:5])
    assert float(hashing[2]) > 20
    assert float(hashing[3]) == 0.0
    assert int(size[5]) == sum(map(int, size[2:5])) > 50


@pytest.mark.parametrize("asked", [[], ["ml-kem-toy/m4f"]])
def test_no_checkout_of_pqm4(asked: list[str], tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tools" / "kernels" / "schemes.py"), str(tmp_path)]
    done = subprocess.run([*command, *asked], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"schemes.py: {tmp_path} is no checkout of mupq/pqm4 with ML-KEM or ML-DSA"
    ]
