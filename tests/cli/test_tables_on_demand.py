"""Tables of the base point that the tree lacks: written, built and run by every way to the library;
without one, the compiler names the command that writes it.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from ecfit.build.combs import tables_of_presets
from ecfit.paths import LIB
from workshop.cli.handed_over import runs_right
from workshop.cli.run import Ecfit

COMB = LIB / "src" / "curve" / "comb"
COMPILE = ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb", "-Os", "-c"]
# Curve, settings, the file that the tree lacks.
ASKED = [
    ("secp256r1", "COMB_TEETH=3,COMB_BLOCKS=2", "secp256r1_t3_v2.inc"),
    ("ed25519", "MULD=naf,WNAF_G=4", "ed25519_odd_w4.inc"),
    *(
        pytest.param(*more, marks=pytest.mark.ci)
        for more in (
            ("secp384r1", "MULD=naf,WNAF_G=4", "secp384r1_odd_w4.inc"),
            ("ed448", "COMB_TEETH=3,COMB_BLOCKS=2", "ed448_t3_v2.inc"),
            ("x25519", "MULG=comb_edwards,COMB_TEETH=3", "ed25519_t3_v1.inc"),
        )
    ),
]
ASK = ("--target", "samd20", "--preset", "balanced")


def test_the_tree_has_the_tables_of_presets_alone() -> None:
    assert {f"curve/comb/{path.name}" for path in COMB.iterdir()} == set(tables_of_presets())


@pytest.mark.parametrize(("curve", "sets", "file"), ASKED)
def test_a_table_on_demand(ecfit: Ecfit, tmp_path: Path, curve: str, sets: str, file: str) -> None:
    """By the bench, whose oracle has the results; as a folder of the user; as an amalgam."""
    words = (*ASK, "--curve", curve, "--set", sets)
    bench = ecfit("bench", *words, "--quiet", "--format", "json")
    assert bench.code == 0, bench.err
    assert {record["status"] for record in json.loads(bench.out)} == {"ok"}
    folder = tmp_path / "config"
    written = ecfit("config", *words, "-o", str(folder))
    assert written.code == 0, written.err
    assert [path.name for path in (folder / "curve" / "comb").iterdir()] == [file]
    amalgam = tmp_path / "amalgam"
    made = ecfit("amalgamate", *words, "-o", str(amalgam), "--quiet")
    assert made.code == 0, made.err
    op = "ecdh" if curve == "x25519" else "sign"
    assert runs_right(amalgam, "samd20", curve, (op, *(["verify"] if op == "sign" else [])))
    assert runs_right(folder, "samd20", curve, (op,), library=LIB)


@pytest.mark.parametrize(("curve", "sets", "file"), ASKED)
def test_without_the_table_the_error_names_the_command(
    ecfit: Ecfit, tmp_path: Path, curve: str, sets: str, file: str
) -> None:
    """The first error, of gcc and clang; and that command, with numbers, writes what lacks."""
    folder = tmp_path / "config"
    assert ecfit("config", *ASK, "--curve", curve, "--set", sets, "-o", str(folder)).code == 0
    table = folder / "curve" / "comb" / file
    table.unlink()
    source = [f"-I{folder}", f"-I{LIB / 'include'}", f"-I{LIB / 'src'}", str(LIB / "src/ecfit.c")]
    clang = ["clang", "--target=arm-none-eabi", *COMPILE[1:]]
    for command in (COMPILE, clang):
        done = subprocess.run(
            [*command, *source], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        first = next(line for line in done.stderr.splitlines() if "error:" in line)
        assert "lib/src/curve/comb has no such table" in first
    line = re.findall(r"`ecfit (.*?) -o DIR`", first)[0]
    values = dict(pair.split("=") for pair in sets.split(","))
    for knob, value in {"COMB_BLOCKS": "1", **values}.items():
        line = line.replace(f"{knob}=..", f"{knob}={value}")
    again = tmp_path / "again"
    done_again = ecfit(*shlex.split(line), "-o", str(again))
    assert done_again.code == 0, done_again.err
    assert (again / "curve" / "comb" / file).is_file()
    (again / "curve" / "comb" / file).rename(table)
    subprocess.run([*COMPILE, *source], cwd=tmp_path, check=True)
