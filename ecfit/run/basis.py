"""What the counts of a target rest on: its cycle model and flash, or this machine, or an emulator.
It is known without a run.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ecfit.choices.targets import Mode, Target
from ecfit.errors import BuildError, UsageError
from ecfit.model import digest
from ecfit.sim.flash import FlashTiming
from ecfit.sim.model import CycleModel, SimError, load_model, simulator_id


def cycle_model(target: Target, rows: Sequence[tuple[str, int]] = ()) -> CycleModel:
    """The cycle model of a target, some of its rows changed. Errors: SimError."""
    model = load_model(target.model or "", **target.model_options)
    return model.with_rows(dict(rows))


def check(target: Target, rows: Sequence[tuple[str, int]] = ()) -> None:
    """Whether what runs the images of a target is there, and its cycle model can be changed so.
    Errors: UsageError, MissingToolError.
    """
    if rows and target.runner != "sim":
        raise UsageError(f"--model: {target.name} is not simulated, so it has no cycle model")
    if target.runner == "qemu":
        from ecfit.run import emulated

        emulated.check_installed()
    elif rows:
        try:
            cycle_model(target, rows)
        except SimError as error:
            raise UsageError(f"--model: {error}") from None


def runner_key(
    target: Target, mode: Mode | None, model_rows: Sequence[tuple[str, int]] = ()
) -> str:
    """The properties of runner and target that decide the counts: part of the content key of a
    record. Errors: BuildError.
    """
    if target.runner == "host":
        from ecfit.run import hostlib

        return digest(["host", hostlib.machine_name()])
    if target.runner == "qemu":
        from ecfit.run import emulated

        return digest(["qemu", emulated.version(), list(emulated.OPTIONS)])
    try:
        model = cycle_model(target, model_rows)
        timing = msgspec.to_builtins(flash_timing(mode))
        return digest(["sim", simulator_id(), msgspec.to_builtins(model), timing])
    except SimError as error:
        raise BuildError(str(error)) from None


def flash_timing(mode: Mode | None) -> FlashTiming | None:
    """How the flash of a mode answers, for the simulator."""
    if mode is None:
        return None
    return FlashTiming(**{name: getattr(mode, name) for name in FlashTiming.__struct_fields__})
