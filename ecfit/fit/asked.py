"""What `ecfit fit` answers where the limits are the figures of another library's row:
results/fit/ahead.jsonl, made by `make long WHAT=fit-ahead` (tools/docs/fit_ahead.py).
"""

from __future__ import annotations

import msgspec

from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import resolve
from ecfit.choices.targets import find_target
from ecfit.errors import UsageError
from ecfit.measure.bench import Row
from ecfit.paths import ROOT

ANSWERS = ROOT / "results" / "fit" / "ahead.jsonl"


class Asked(msgspec.Struct, frozen=True):
    """A question, and a configuration that keeps its limits: the answer, or one that is measured on
    the way to it.

    `limits` and `figures`: `flash` and `ram` in bytes, and of each operation the time in
    microseconds. `changed`: the settings beside the preset's. `measured`: how many configurations
    were measured until this one.
    """

    target: str
    curve: str
    ops: str  # joined by "+"
    limits: dict[str, float]
    preset: str
    changed: dict[str, str]
    figures: dict[str, float]
    measured: int

    @property
    def place(self) -> tuple[str, str, str]:
        """The chip, the curve and the operations."""
        return self.target, self.curve, self.ops

    def command(self) -> list[str]:
        """The arguments of `ecfit` that ask this."""
        ops = self.ops.split("+")
        times = ",".join(f"{op}={self.limits[op]:.3f}us" for op in ops if op in self.limits)
        sizes = [f"--{name}={self.limits[name]:.0f}B" for name in ("flash", "ram")]
        need = f"{self.curve}:{','.join(ops)}"
        return ["fit", f"--target={self.target}", f"--need={need}", *sizes, f"--time={times}"]

    def rows(self, mode: str) -> list[Row]:
        """What a bench measures to get the figures again. Errors: UsageError."""
        target, curve, ops = find_target(self.target), CURVES[self.curve], self.ops.split("+")
        configuration = resolve(curve, self.preset, self.changed, target.backend, ops=tuple(ops))
        return [
            Row(target, target.mode(mode), mode, configuration, curve, op, tuple(ops)) for op in ops
        ]


def answers() -> list[Asked]:
    """All that are kept. Errors: UsageError."""
    try:
        return [msgspec.json.decode(line, type=Asked) for line in ANSWERS.read_bytes().splitlines()]
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"no answers in {ANSWERS}: {error}") from None
