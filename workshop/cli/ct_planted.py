"""This library's ECDH with leaks planted into its adapter, for the tests of `ecfit ct`."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from ecfit.arguments.selection import rows, select
from ecfit.build.parts import Parts, own_parts, set_up_point
from ecfit.choices.peers import all_peers
from ecfit.commands.ct import Check, checks
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store

CURVE = "secp128r1"  # the quickest
RUNS = 6
CORES = ("lpc1114", "cc2538", "nrf52840", "ibex")

# The library's operation, and before it the functions that a test plants.
ADAPTER = """
#define bench_ecdh real_ecdh
#include "adapter_ecfit.c"
#undef bench_ecdh
static volatile uint32_t sink, seven = 7;
static const uint8_t table[16] = {1, 2, 3, 4, 5, 6, 7, 8};
static volatile uint8_t scratch[16];
static inline uint32_t word(const uint8_t *in)
{
    return in[0] | in[1] << 8 | in[2] << 16 | (uint32_t)in[3] << 24;
}
int bench_ecdh(uint8_t *out, const uint8_t *in);
"""
FUNCTION = (
    "__attribute__((noinline, noipa)) static void {name}(const uint8_t *in)\n{{\n{code}\n}}\n"
)
OPERATION = """
int bench_ecdh(uint8_t *out, const uint8_t *in)
{{
    {calls}
    (void)scratch, (void)table, (void)seven, (void)word;
    return real_ecdh(out, in);
}}
"""


def follow(
    folder: Path,
    target: str,
    planted: dict[str, str],
    settings: Settings | None = None,
    head: str = "",
) -> list[Check]:
    """Checks ECDH with pieces of C planted, each a function that it calls, behind `head`."""
    functions = "".join(FUNCTION.format(name=name, code=code) for name, code in planted.items())
    text = (
        ADAPTER
        + head
        + functions
        + OPERATION.format(calls=" ".join(f"{name}(in);" for name in planted))
    )
    return check(folder, target, text, settings=settings)


def check(
    folder: Path,
    target: str,
    text: str,
    *sets: str,
    settings: Settings | None = None,
    ops: tuple[str, ...] = ("ecdh",),
    curve: str = CURVE,
) -> list[Check]:
    """Checks ECDH of an adapter, or the last of `ops`, with settings on top of the preset."""
    settings = settings or Settings(runs=RUNS)
    adapter, own = folder / f"{target}.c", own_parts
    adapter.write_text(text, encoding="utf-8")

    def parts(*arguments: object, **more: object) -> Parts:
        made = own(*arguments, **more)  # type: ignore[arg-type]
        points = (point for point in map(set_up_point, ops) if point in text)
        return msgspec.structs.replace(
            made, adapter=adapter, roots=(*made.roots, *points), identity=[*made.identity, text]
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ECFIT_CACHE", str(folder))
        patch.setattr("ecfit.build.parts.own_parts", parts)
        chosen = select(
            targets=[target], libraries=["ecfit"], curves=[curve], ops=ops,
            presets=["balanced"], sets=sets, mode="datasheet", peers=all_peers(),
            toolchains=(settings.toolchain,), opts=(settings.opt,),
        )  # fmt: skip
        row = rows(chosen)[-1]
        return checks(Bench(settings, all_peers(), Store()).constant_time(row))
