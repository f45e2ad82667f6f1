"""The bench on RISC-V targets, end to end: images by both compilers, right results,
one trace for all secrets.
"""

from __future__ import annotations

import pytest

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import all_targets, find_target
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.run import runner
from ecfit.run.job import Job

CURVE = CURVES["secp256r1"]
TARGETS = sorted(name for name, target in all_targets().items() if target.arch == "rv32")

pytestmark = pytest.mark.usefixtures("riscv_compiler")


@pytest.mark.parametrize("preset", ["tiny", "balanced"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("name", [name for name in TARGETS if name != "ch32v003"])
def test_operations_on_a_risc_v_target(name: str, compiler: str, preset: str) -> None:
    """Not on the CH32V003: clang 14 has no RV32E, and test_on_rv32 has its vectors."""
    target = find_target(name)
    mode = target.mode("datasheet")
    configuration = resolve(CURVE, preset, {}, target.backend)
    bench = Bench(Settings(toolchain=compiler), {}, Store())
    ops = ("keygen", "ecdh", "sign", "verify")
    for op in ops:
        row = Row(target, mode, "datasheet", configuration, CURVE, op, ops)
        image = bench.image(bench.request(row))
        seen = runner.run(image, Job(target, mode, CURVE, op, seed=1, runs=2))
        assert (op, seen.status, seen.detail) == (op, "ok", None)
        if op != "verify":
            assert len(set(seen.cycles)) == len(set(seen.trace_hashes)) == 1
        assert image.sections[".text"] > 2000
        assert image.foreign < 400  # memcpy and memset


def test_risc_v_targets() -> None:
    names = ["ch32v003", "cv32e40p", "esp32c3", "esp32c6", "esp32h2", "ibex", "rp2350"]
    assert names == TARGETS
