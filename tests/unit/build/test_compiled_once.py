"""What is around the library is compiled once in a process, and again where its text differs."""

from __future__ import annotations

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


def test_it_comes_again_only_where_its_text_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_COMPILED", {})
    compiled: list[str] = []
    started = toolchain.run

    def run(command: Sequence[str], what: str, folder: Path) -> None:
        files = [Path(word) for word in command if "-c" in command]
        compiled.extend(file.name for file in files if file.suffix == ".c")
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
    assert all_files == ["ecfit.c", "startup.c", "bench_main.c", "adapter_ecfit.c"]
    assert built("lowram")[1] == ["ecfit.c"]
    assert built("tiny", WORK="caller", RESUME="steps")[1] == ["ecfit.c", "adapter_ecfit_work.c"]
    assert built("tiny")[0] == first
