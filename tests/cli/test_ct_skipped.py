"""On a Cortex-M33, no secret decides whether an instruction of the library is skipped.

The model gives an instruction in an IT block the same time whether it is executed or skipped, and
a real core may not. `ecfit ct` reports such an instruction only where the times differ. So these
tests change the model: here, each skipped instruction takes many cycles.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ecfit.arguments.selection import rows, select
from ecfit.choices.peers import all_peers
from ecfit.commands.ct import DECLARED, LEAK, NOT_COMPARED, checks
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from workshop.cli.ct_planted import follow

TARGET = "nrf5340"
NOTICED = Settings(runs=1, model_rows=(("skipped", 7),))
SKIPPED = r"""
uint32_t x = word(in);
__asm__ volatile("cmp %0, #5\n it eq\n moveq %0, #1" : "+r"(x) : : "cc");
sink = x;
"""


@pytest.mark.parametrize("settings, found", [(NOTICED, True), (Settings(runs=1), False)])
def test_one_that_is_planted(tmp_path: Path, settings: Settings, found: bool) -> None:
    """It is found with the changed model, and not with the model as it is."""
    seen = [c for c in follow(tmp_path, TARGET, {"planted": SKIPPED}, settings) if c.status == LEAK]
    assert [(c.kind, "planted" in str(c.function)) for c in seen] == [("condition", True)] * found


@pytest.mark.parametrize(
    "curve, ops",
    [
        ("secp256r1", ("keygen", "ecdh", "sign")),
        ("x25519", ("keygen", "ecdh")),
        ("ed25519", ("keygen", "sign")),
    ],
)
def test_none_in_the_library(curve: str, ops: tuple[str, ...]) -> None:
    chosen = select(
        targets=[TARGET], libraries=["ecfit"], curves=[curve], ops=ops,
        presets=["balanced"], sets=(), mode="datasheet", peers=all_peers(),
    )  # fmt: skip
    bench = Bench(NOTICED, all_peers(), Store())
    done = [c for row in rows(chosen) for c in checks(bench.constant_time(row))]
    assert done != []
    assert [c for c in done if c.status not in ("ok", DECLARED, NOT_COMPARED)] == []
