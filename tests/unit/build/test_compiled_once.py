"""What is around the library is compiled once in a process, and again where its text differs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from ecfit.build import build, toolchain
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import find_target
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import Image
from ecfit.paths import LIB


def test_it_comes_again_only_where_its_text_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_COMPILED", {})
    compiled: list[str] = []
    started = toolchain.run

    def run(command: Sequence[str], what: str, folder: Path) -> None:
        files = [Path(word) for word in command if "-c" in command]
        compiled.extend(file.name for file in files if file.suffix in (".c", ".S"))
        started(command, what, folder)

    monkeypatch.setattr(toolchain, "run", run)
    target, curve, ops = find_target("samd20"), CURVES["secp256r1"], ("sign",)
    bench = Bench(Settings(), {}, Store(enabled=False))

    def built(preset: str, **sets: str) -> tuple[Image, list[str]]:
        compiled.clear()
        configuration = resolve(curve, preset, sets, target.backend, ops=ops)
        row = Row(target, None, None, configuration, curve, "sign", ops)
        return build.build(bench.request(row)), list(compiled)

    first, all_files = built("tiny")
    assert all_files == [
        "ecfit.c", "ecfit_asm.S", "startup.c", "bench_main.c", "adapter_ecfit.c"
    ]  # fmt: skip
    assert built("lowram")[1] == ["ecfit.c"]
    assert built("tiny", WORK="caller", RESUME="steps")[1] == ["ecfit.c", "adapter_ecfit_work.c"]
    assert built("tiny")[0] == first


def test_assembly_reads_no_more_of_a_configuration_than_its_object_is_kept_by() -> None:
    asked = set()
    for path in (LIB / "src").rglob("*.S"):
        text = path.read_text(encoding="utf-8")
        lines = re.findall(r"^[ \t]*#[ \t]*(?:if|el|include).*", text, re.MULTILINE)
        asked |= set(re.findall(r"\b[A-Z]+_\w+", " ".join(lines).replace('"', " ")))
    ours = {name for name in asked if name.startswith(("ECFIT", "CURVE", "FIELD", "MP_"))}
    assert {name for name in ours if build.ASSEMBLED_BY.match(f"#define {name} 1")} == ours
    assert ours >= {"ECFIT_ASM", "ECFIT_FPU_IS_WORDS"}
