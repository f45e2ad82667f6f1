"""tools/checks/objects.py: the same text is the same build, another text is compiled, and a change
of the code is seen.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ecfit.choices.curves import CURVES, OPS
from ecfit.errors import REGRESSION
from ecfit.paths import LIB

PATH = LIB.parent / "tools" / "checks" / "objects.py"
SPEC = importlib.util.spec_from_file_location("objects_tool", PATH)
assert SPEC is not None and SPEC.loader is not None
objects = importlib.util.module_from_spec(SPEC)
sys.modules["objects_tool"] = objects  # for the workers
SPEC.loader.exec_module(objects)

CASES = [
    objects.Case("preset", "samd20", "gcc", ("secp256r1",), "tiny"),
    objects.Case("preset", "nrf52840", "gcc", ("secp256r1",), "fast"),
]
SOURCE = "src/mul/halves.inc"  # of the first case alone


@pytest.fixture
def lib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the library that the tool takes, and two cases."""
    copy = tmp_path / "lib"
    for name in ("include", "src"):
        shutil.copytree(LIB / name, copy / name)
    monkeypatch.setattr(objects, "LIB", copy)
    monkeypatch.setattr(objects, "cases", lambda: iter(CASES))
    assert objects.main(["-o", str(tmp_path / "before"), "--jobs", "1"]) == 0
    return copy


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def compare(folder: Path) -> int:
    return int(objects.main(["--against", str(folder / "before"), "--jobs", "1"]))


def test_the_same_text_is_not_compiled(
    lib: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (lib / SOURCE).write_text("/* a comment */\n" + (lib / SOURCE).read_text())
    assert compare(tmp_path) == 0
    assert "2 have the same text" in (said := capsys.readouterr().out)
    assert "2 compared, 0 of them compiled, 0 differ" in said


def test_another_text_of_the_same_object(
    lib: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (lib / SOURCE).write_text((lib / SOURCE).read_text() + "\nenum { NOBODY_ASKS = 1 };\n")
    assert compare(tmp_path) == 0
    assert "2 compared, 1 of them compiled, 0 differ" in capsys.readouterr().out


def test_a_change_in_c_and_one_in_assembly(
    lib: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(lib / "src/curve/params/secp256r1.inc", "0xddf25357ce95560a", "0xddf25357ce95560b")
    with (lib / "src/field/armv7em/secp256r1.S").open("a") as file:
        file.write("\n    nop\n")
    assert compare(tmp_path) == REGRESSION
    said = capsys.readouterr().out
    assert f"differs: {CASES[0].name}: code, functions\n" in said
    assert f"differs: {CASES[1].name}: assembly\n" in said  # its base point is in tables


def test_a_build_that_breaks(lib: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(lib / SOURCE, "N(", "NOT_THERE(")
    assert compare(tmp_path) == REGRESSION
    assert f"differs: {CASES[0].name}: code: " in (said := capsys.readouterr().out)
    assert "fails: " in said


def test_values_that_a_preset_had_in_the_other_tree(
    lib: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another value of a preset is a difference, unless --values takes that of the other tree."""
    resolve = objects.knobs.resolve

    def resolved(curve: Any, preset: str, sets: dict[str, str], *rest: Any, **more: Any) -> Any:
        return resolve(curve, preset, {**sets, "WIPE": "none"}, *rest, **more)

    with monkeypatch.context() as other:
        other.setattr(objects.knobs, "resolve", resolved)
        assert objects.main(["-o", str(tmp_path / "other"), "--jobs", "1"]) == 0
    against = ["--against", str(tmp_path / "other"), "--jobs", "1"]
    assert objects.main(against) == REGRESSION
    assert f"differs: {CASES[1].name}: code" in capsys.readouterr().out  # the first has it already
    assert objects.main([*against, "--values"]) == 0
    assert "2 have the same text" in capsys.readouterr().out


def test_the_text_compiles_to_the_object_of_the_source(lib: Path, tmp_path: Path) -> None:
    """What the gate rests on."""
    for case in CASES:
        with_text = objects.preprocessed(case, tmp_path)
        assert with_text
        first = objects.knobs.resolve(
            CURVES["secp256r1"], case.preset, {}, objects.find_target(case.target).backend, ops=OPS
        )
        header = objects.knobs.header(first, case.curves, OPS, extras=True)
        objects.save(tmp_path, {"ecfit_config.h": header})
        include = [f"-I{path}" for path in (tmp_path, lib / "include", lib / "src")]
        for source, text, way, digest in (
            ("ecfit.c", with_text.code, "cpp-output", objects.whole),
            ("ecfit_asm.S", with_text.assembly, "assembler", objects.sections),
        ):
            out = tmp_path / "object.o"
            command = [*with_text.flags, *include, "-c", str(lib / "src" / source), "-o", str(out)]
            subprocess.run(command, check=True, capture_output=True)
            kept = tmp_path / f"{text}.gz"
            assert objects.compiled(kept, (*with_text.flags, "-w", "-x", way), digest) == digest(
                out
            )
