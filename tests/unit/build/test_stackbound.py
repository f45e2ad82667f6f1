"""The static bound of the stack: graphs with known answers,
and the bound of our presets beside what is measured.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ecfit.build import stackbound
from ecfit.build.elf import Elf
from ecfit.build.stackbound import bound
from ecfit.choices import knobs
from ecfit.choices.curves import find_curve
from ecfit.choices.targets import find_target
from ecfit.measure.bench import Bench, Row
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import DEEPER, GROWS, LABEL, POINTER, RECURSION, UNKNOWN, Frame

GRAPH = """graph: { title: "a.c"
node: { title: "a.c:leaf" label: "leaf\\na.c:3:38\\n40 bytes (static)\\n0 dynamic objects" }
node: { title: "top" label: "top\\na.c:4:5\\n8 bytes (static)\\n0 dynamic objects" }
node: { title: "__indirect_call" label: "Indirect Call Placeholder" shape : ellipse }
edge: { sourcename: "top" targetname: "__indirect_call" label: "a.c:4:32" }
edge: { sourcename: "top" targetname: "a.c:leaf" label: "a.c:4:37" }
node: { title: "grows" label: "grows\\na.c:6:5\\n16 bytes (dynamic)\\n1 dynamic objects\\n b \
a.c:6:22" }
node: { title: "gone" label: "gone\\n<built-in>" shape : ellipse }
edge: { sourcename: "grows" targetname: "gone" }
edge: { sourcename: "grows" targetname: "label" }
}
"""
SOURCE = """
#include <stdint.h>
__attribute__((naked)) void by_hand(void)
{
    __asm__("push {r4, r5, lr}\\nsub sp, #24\\nbl deeper\\nadd sp, #24\\npop {r4, r5, pc}");
}
__attribute__((naked)) void deeper(void) { __asm__("push {r4-r7, lr}\\npop {r4-r7, pc}"); }
__attribute__((naked)) void pointer(void) { __asm__("push {lr}\\nblx r0\\npop {pc}"); }
uint64_t top(uint64_t a, uint64_t b) { by_hand(); return a / b; }
void other(void) { pointer(); }
void _start(void) { top(1, 2); other(); }
"""


def test_graph() -> None:
    class Nothing:
        functions = ()
        symbols: ClassVar = {"label": 8}

    nothing: Any = Nothing()
    found = {frame.name: frame for frame in stackbound.frames([GRAPH], nothing, "armv6m")}
    assert found["top"] == Frame("top", 8, ("a.c:leaf",), (POINTER,))
    assert found["grows"].open == (GROWS,)
    assert found["gone"].open == (UNKNOWN,)
    assert found["label"].open == (LABEL,)
    whole = bound(list(found.values()), "top")
    assert whole is not None
    assert (whole.bytes, whole.open) == (48, (f"top: {POINTER}",))
    assert bound(list(found.values()), "not there") is None


MERGED = """
static __attribute__((noinline)) void one(int n)
{
    volatile int big[300];
    for (int i = 0; i < n; i++) {
        big[i] = 0;
    }
}
static __attribute__((noinline)) void two(int n)
{
    volatile int big[300];
    for (int i = 0; i < n; i++) {
        big[i] = 0;
    }
}
void first(int n) { one(n + 1); one(n); }
void second(int n) { two(n + 2); two(n); }
void _start(void) { first(1); second(2); }
"""


@pytest.mark.parametrize(
    ("cpu", "arch"), [("cortex-m0", "armv6m"), ("cortex-m3", "armv7m"), ("cortex-m4", "armv7em")]
)
def test_equal_functions_that_the_compiler_merged(tmp_path: Path, cpu: str, arch: str) -> None:
    """Both callers need what the one that is left needs. Its name is only one of the two, and on
    Cortex-M0 its frame is added to SP as a constant from memory.
    """
    (tmp_path / "m.c").write_text(MERGED, encoding="utf-8")
    command = ["arm-none-eabi-gcc", f"-mcpu={cpu}", "-mthumb", "-Os", "-fcallgraph-info=su,da"]
    command += ["-nostartfiles", "--specs=nano.specs"]
    subprocess.run([*command, "-c", "m.c"], cwd=tmp_path, check=True, timeout=60)
    subprocess.run([*command, "m.o", "-o", "m.elf"], cwd=tmp_path, check=True, timeout=60)
    elf = Elf((tmp_path / "m.elf").read_bytes(), "EM_ARM")
    assert len({"one", "two"} & {function.name for function in elf.functions}) == 1
    found = stackbound.frames([(tmp_path / "m.ci").read_text(encoding="utf-8")], elf, arch)
    for caller in ("first", "second"):
        whole = bound(found, caller)
        assert whole is not None
        assert 1200 < whole.bytes < 1264
        assert whole.open == ()


SLIDES = """
    .syntax unified
    .thumb
    .thumb_func
    .type NAME, %function
    .globl NAME
NAME:
    push {r4, r5, lr}
    movs r3, #16
1:  push {r4, r5}
    subs r3, r3, #1
    bne 1b
    add sp, #128
    pop {r4, r5, pc}
    .thumb_func
    .type evenly, %function
    .globl evenly
evenly:
    push {r4, r5, lr}
1:  push {r4, r5}
    pop {r4, r5}
    subs r3, r3, #1
    bne 1b
    pop {r4, r5, pc}
    .size evenly, . - evenly
"""
CALLERS = """node: { title: "c" label: "c\\na.c:1:1\\n0 bytes (static)\\n0 dynamic objects" }
edge: { sourcename: "c" targetname: "NAME" }
edge: { sourcename: "c" targetname: "evenly" }
"""


def test_a_loop_that_moves_the_stack_pointer(tmp_path: Path) -> None:
    """Its instructions do not say how far; of the library's own, the banner does, which
    tests/lib/test_assembly.py compares with runs. Nobody's banner is believed for another name.
    """
    found: dict[str, Frame] = {}
    for name in ("foreign", "ecfit_sha512_block"):
        (tmp_path / "a.s").write_text(SLIDES.replace("NAME", name), encoding="utf-8")
        graph = CALLERS.replace("NAME", name)
        command = ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-nostdlib", f"-Wl,-e{name}"]
        subprocess.run([*command, "a.s", "-o", "a.elf"], cwd=tmp_path, check=True, timeout=60)
        elf = Elf((tmp_path / "a.elf").read_bytes(), "EM_ARM")
        found |= {frame.name: frame for frame in stackbound.frames([graph], elf, "armv7m")}
    assert found["foreign"].open == (GROWS,)
    assert found["ecfit_sha512_block"] == Frame("ecfit_sha512_block", 488)
    assert found["evenly"] == Frame("evenly", 20)


def test_a_run_that_took_more() -> None:
    """Assembly inside C: the compiler's graph does not have what it pushes."""
    frames = [Frame("a", 8, ("b",)), Frame("b", 16)]
    for taken, open_ in ((None, ()), (24, ()), (28, (f"a: {DEEPER}",))):
        whole = bound(frames, "a", taken)
        assert whole is not None
        assert (whole.bytes, whole.open) == (24, open_)


def test_recursion_is_said() -> None:
    frames = [Frame("a", 8, ("b",)), Frame("b", 16, ("a", "c")), Frame("c", 4)]
    whole = bound(frames, "a")
    assert whole is not None
    assert (whole.bytes, whole.open) == (28, (f"a: {RECURSION}",))


def test_assembly_is_read_as_instructions(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE, encoding="utf-8")
    command = [
        "arm-none-eabi-gcc",
        "-mcpu=cortex-m0",
        "-mthumb",
        "-Os",
        "-fcallgraph-info=su,da",
        "-nostartfiles",
    ]
    subprocess.run([*command, "-c", "a.c"], cwd=tmp_path, check=True, timeout=60)
    subprocess.run(
        [*command, "--specs=nano.specs", "a.o", "-o", "a.elf"], cwd=tmp_path, check=True, timeout=60
    )
    graph = (tmp_path / "a.ci").read_text(encoding="utf-8")
    naked = ("by_hand", "deeper", "pointer")  # what the compiler says of them is not what they do
    lines = [
        line for line in graph.splitlines() if not any(f'title: "{name}"' in line for name in naked)
    ]
    elf = Elf((tmp_path / "a.elf").read_bytes(), "EM_ARM")
    found = {frame.name: frame for frame in stackbound.frames(["\n".join(lines)], elf, "armv6m")}
    assert found["by_hand"] == Frame("by_hand", 12 + 24, ("deeper",))
    assert found["deeper"].bytes == 20
    assert found["pointer"].open == (POINTER,)
    division = found["__aeabi_uldivmod"]
    assert division.bytes > 0
    assert division.calls


@pytest.mark.parametrize("preset", ["tiny", "balanced"])
@pytest.mark.parametrize("target", ["samd20", "nrf52840", "ibex"])
def test_bound_of_our_presets_holds(target: str, preset: str) -> None:
    """At least what a run takes, at most a tenth more;
    only the caller's generator is left out of it.
    """
    chip, curve = find_target(target), find_curve("P-256")
    configuration = knobs.resolve(curve, preset, {}, chip.backend)
    bench = Bench(Settings(), {}, Store())
    for op in curve.ops:
        row = Row(chip, chip.mode("zero-ws"), "zero-ws", configuration, curve, op, curve.ops)
        record = bench.measure(row)
        assert record.stack_bytes is not None
        assert record.static_stack_bytes is not None
        assert record.stack_bytes <= record.static_stack_bytes <= 1.1 * record.stack_bytes
        allowed = (
            {None}
            if op in ("ecdh", "verify")
            else {
                None,
                f"ecfit_secp256r1_keygen: {POINTER}",
                f"ecfit_secp256r1_ecdsa_sign: {POINTER}",
                # where they are not part of the others
                f"bytes_draw.constprop.0: {POINTER}",
                f"secp256r1_sc_draw_key: {POINTER}",
            }
        )
        assert record.static_stack_open in allowed
