"""ARMv7-M images for the simulator's tests; memory as in `sim_build`."""

from __future__ import annotations

from workshop.sim.build import TEXT, Image, arm_assemble, arm_compile

CORES = {
    "cortex-m3": ("-mcpu=cortex-m3",),
    "cortex-m4": ("-mcpu=cortex-m4", "-mfloat-abi=softfp", "-mfpu=fpv4-sp-d16"),
    "cortex-m33": ("-mcpu=cortex-m33", "-mfloat-abi=softfp", "-mfpu=fpv5-sp-d16"),
}


def assemble(text: str, base: int = TEXT) -> Image:
    """`arm_assemble` for a Cortex-M4."""
    return arm_assemble(text, base, CORES["cortex-m4"])


def compile_c(source: str, core: str, optimise: str) -> Image:
    """`arm_compile` for a core by its name."""
    return arm_compile(source, optimise, CORES[core])
