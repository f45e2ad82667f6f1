"""Kernels in assembly that others timed on silicon, from checkouts of their repositories.

    kernels.py [NAME=FOLDER ..]    NAME: a TOML beside this; FOLDER: a checkout of its commit

Measures the kernels of the checkouts that are named, keeps them in
ecfit/data/published/kernels.json, which `ecfit fidelity` prints, and writes the table in
evidence/notebooks/cycle-model.md. Without one it writes the table alone. The code of these
repositories is not part of this one: a checkout runs its own scripts, and is compiled as it is.
Whole schemes: schemes.py. AES: aes.py, cortexm_aes.py. CoreMark: coremark.py.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from ecfit.build import toolchain
from ecfit.build.elf import Elf
from ecfit.choices.kernels import ASM_SHARE, KEPT, Kept, encoded, kept, model_digest
from ecfit.choices.targets import Target, find_target
from ecfit.paths import ROOT, write_atomic
from ecfit.sim.machine import Machine, Region, load_model
from tools.kernels import aes, coremark, cortexm_aes, schemes

HERE = Path(__file__).parent
PAGE = ROOT / "evidence" / "notebooks" / "cycle-model.md"
BEGIN, END = "<!-- table: tools/kernels/kernels.py -->\n", "\n<!-- end -->"
BACK, CODE = 0x100, 0x200  # in flash: a breakpoint, and the code
SCRIPT = "SECTIONS {{ .text {:#x} : {{ *(.text*) *(.rodata*) *(.data*) }} }}\n"
LIMIT = 50_000_000
SCALAR = bytes(range(17, 49))  # the operations are constant-time


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A repository, its commit, and the rows of its page. `script`: its linker script, which puts
    stack and operands into the bank `stack`, static data into `data` and code into `code`.
    `fitted`: what was taken from the first `fitted_rows` rows; `chose`: which rule of the model was
    chosen with the others in view, or with those of `seen` alone. `seeds`: rows are means over that
    many (schemes.py). `compiler`: which the page names; `tool`: the program that
    compiled it here, where it is not the usual one. `call`: cycles of the page that are not the
    routine's. `by`: the module of this folder that measures the rows.
    """

    repository: str
    commit: str
    target: str
    source: str
    conditions: str
    script: str
    stack: str
    data: str
    published: dict[str, int | float]
    by: Literal["kernels", "schemes", "aes", "cortexm_aes", "coremark"] = "kernels"
    compiler: str = ""
    tool: str = ""
    mode: str = "zero-ws"
    code: str = "flash"
    fitted: str = ""
    fitted_rows: int = 0
    chose: str = ""
    seen: tuple[str, ...] = ()
    seeds: int = 0
    call: int = 0
    generate: tuple[str, ...] = ()
    widen: str = ""
    function: str = ""
    arguments: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    folder: str = ""
    sources: tuple[str, ...] = ()
    less: str = ""
    calls: dict[str, tuple[str, ...]] = {}


@cache
def manifests() -> dict[str, Manifest]:
    """All of them, by name: of a file with [[series]], each of them with what stands above."""
    manifests = {}
    for path in sorted(HERE.glob("*.toml")):
        shared = tomllib.loads(path.read_text(encoding="utf-8"))
        for own in shared.pop("series", [{"name": path.stem}]):
            name = own.pop("name")
            manifests[name] = msgspec.convert({**shared, **own}, Manifest)
    return manifests


def _run(command: Sequence[str], folder: Path) -> bytes:
    fixed = {**os.environ, "PYTHONHASHSEED": "0"}  # generators go through sets
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, env=fixed).stdout


def _cpu(target: Target) -> tuple[str, ...]:
    if target.arch == "rv32":
        return toolchain.cpu_flags(target.arch, target.core)[1]
    fpu = ("-mfloat-abi=hard", f"-mfpu={target.fpu}") if target.fpu else ()
    return (f"-mcpu={target.core}", "-mthumb", *fpu)


def _link(
    sources: Sequence[Path], flags: Sequence[str], target: Target, folder: Path, layout: str = ""
) -> Elf:
    script = folder / "kernel.ld"
    layout = layout or SCRIPT.format(target.region("flash").start + CODE)
    script.write_text(layout, encoding="utf-8")
    link = (
        "-nostartfiles",
        "-Wl,--build-id=none",
        "-Wl,--no-warn-rwx-segments",
        "-Wl,--entry=0",
        f"-T{script}",
    )
    files = map(str, sources)
    tool, machine, _ = coremark.TOOLS[target.arch]
    _run([tool, *_cpu(target), *flags, *link, *files, "-o", "kernel.elf"], folder)
    return Elf((folder / "kernel.elf").read_bytes(), machine, debug=False)


def _cycles(elf: Elf, target: Target, bank: str, wanted: Sequence[str], latencies: bool) -> int:
    """Of a call. Its arguments lie in the bank, above the stack."""
    memory = [m if latencies else msgspec.structs.replace(m, latency=0) for m in target.memory]
    place = next(m for m in memory if m.name == bank)
    back, at, arguments = target.region("flash").start + BACK, place.start + place.size, []
    areas = [Region(m.name, m.start, m.size, m.kind, m.latency) for m in memory]
    with Machine(load_model(target.model or ""), areas) as machine:
        for segment in elf.segments:
            machine.load(segment.address, segment.data)
        machine.load(back, bytes.fromhex("00be"))
        for text in wanted[1:]:
            if text.isdigit():
                arguments.append(int(text))
                continue
            data = _bytes(text, elf, machine)
            at -= -(-len(data) // 8) * 8
            machine.write(at, data)
            arguments.append(at)
        sp = at - 64
        result = machine.call(
            elf.symbols[wanted[0]], arguments, sp=sp & ~7, return_to=back, limit=LIMIT
        )
    if result.fault or result.stack_low < place.start:
        sys.exit(f"{wanted[0]}: {result.fault or 'its stack leaves the bank'}")
    return result.cycles


def _bytes(text: str, elf: Elf, machine: Machine) -> bytes:
    if text.startswith("bytes:"):
        return bytes(int(text[6:]))
    if text == "scalar":
        return SCALAR
    symbol = {"one": "curve9767_inner_gf_one", "generator": "curve9767_generator"}.get(text)
    size = 88 if text != "one" else 40
    return machine.read(elf.symbols[symbol], size) if symbol else bytes(size)


def _kernels(one: Manifest, checkout: Path, folder: Path) -> Iterator[tuple[str, Elf, list[str]]]:
    """Each row: its name, its image, its call."""
    target = find_target(one.target)
    if one.generate:
        for kernel in one.published:
            n = int(kernel.removeprefix("n = "))
            script, *words = (word.format(n=n) for word in one.generate)
            code = _run([sys.executable, script, *words], checkout)
            (folder / "kernel.s").write_bytes(code)
            _run([sys.executable, str(checkout / one.widen), "kernel.s"], folder)
            elf = _link([folder / "kernel.s"], (), target, folder)
            sizes = [f"bytes:{int(size.removesuffix('n')) * n}" for size in one.arguments]
            yield kernel, elf, [one.function, *sizes]
        return
    sources = [checkout / one.folder / name for name in one.sources]
    elf = _link(sources, one.flags, target, folder)
    for kernel, call in one.calls.items():
        yield kernel, elf, list(call)


def _row(name: str, one: Manifest, kernel: str, digest: str, **counts: Any) -> Kept:
    number, target = list(one.published).index(kernel), find_target(one.target)
    chose = one.chose if not one.seen or kernel in one.seen else ""
    return Kept(
        name=name, repository=one.repository, kernel=kernel, commit=one.commit[:8], sha256=digest,
        target=one.target, mode=one.mode, script=one.script, code=one.code, stack=one.stack,
        data=one.data, source=one.source, conditions=one.conditions, compiler=one.compiler,
        model=model_digest(target, one.mode), published=one.published[kernel],
        chose=one.fitted if number < one.fitted_rows else chose, **counts,
    )  # fmt: skip


def _digest(elf: Elf) -> str:
    return hashlib.sha256(b"".join(segment.data for segment in elf.segments)).hexdigest()


def measure(name: str, one: Manifest, checkout: Path) -> list[Kept]:
    """All rows of a repository."""
    target = find_target(one.target)
    rows: list[tuple[str, str, int, int]] = []
    with tempfile.TemporaryDirectory() as scratch:
        if one.by == "schemes":
            return list(_schemes(name, one, checkout.resolve(), Path(scratch)))
        if one.by == "coremark":
            elf = coremark.build(checkout.resolve(), target, one.flags, Path(scratch), one.tool)
            (kernel,), count = one.published, coremark.measure(elf, target)
            return [
                _row(
                    name, one, kernel, _digest(elf), overhead=0.0, modelled=count, error=0,
                    unbanked=count, assembly=0.0,
                )
            ]  # fmt: skip
        if one.by != "kernels":
            return list(_aes(name, one, checkout.resolve(), Path(scratch)))
        for kernel, elf, call in _kernels(one, checkout.resolve(), Path(scratch)):
            less = [one.less] if "_gf_" in call[0] else []
            banked, bare = (
                _cycles(elf, target, one.stack, call, on)
                - sum(_cycles(elf, target, one.stack, [name], on) for name in less)
                for on in (True, False)
            )
            rows.append((kernel, _digest(elf), banked, bare))
    overhead = 0.0
    if one.fitted_rows:
        left = [one.published[kernel] - count for kernel, _, count, _ in rows[: one.fitted_rows]]
        overhead = statistics.median(left)
    return [
        _row(
            name, one, kernel, digest, overhead=overhead, modelled=count, error=0, unbanked=bare,
            assembly=1.0,
        )
        for kernel, digest, count, bare in rows
    ]  # fmt: skip


def _aes(name: str, one: Manifest, checkout: Path, scratch: Path) -> Iterator[Kept]:
    target, sources = find_target(one.target), [checkout / source for source in one.sources]
    if one.by == "aes":
        elf = _link(sources, one.flags, target, scratch)
        banked, bare = (aes.measure(elf, target, one.stack, on) for on in (True, False))
    else:
        places = (next(m for m in target.memory if m.name == bank) for bank in (one.code, one.data))
        files, layout = cortexm_aes.files(checkout, one.published), cortexm_aes.script(*places)
        elf = _link(files, (f"-I{checkout}", *one.flags), target, scratch, layout)
        unbanked = [msgspec.structs.replace(m, latency=0) for m in target.memory]
        banked, bare = (
            cortexm_aes.measure(elf, chip, one.mode, (one.code, one.stack), one.published)
            for chip in (target, msgspec.structs.replace(target, memory=tuple(unbanked)))
        )
    for kernel in one.published:
        yield _row(
            name, one, kernel, _digest(elf), overhead=float(one.call), modelled=banked[kernel],
            error=0, unbanked=bare[kernel], assembly=1.0,
        )  # fmt: skip


def _schemes(name: str, one: Manifest, checkout: Path, scratch: Path) -> Iterator[Kept]:
    """Errors: ends with a line if the checkout has published other figures."""
    target, page = find_target(one.target), schemes.published(checkout)
    if wrong := [kernel for kernel in one.published if page.get(kernel) != one.published[kernel]]:
        sys.exit(f"kernels.py: {name}: its benchmarks.csv has another figure of {wrong[0]}")
    memory = {m.name: m.start for m in target.memory}
    starts = (memory["flash"], memory[one.data])
    for scheme in dict.fromkeys(kernel.partition(",")[0] for kernel in one.published):
        image = schemes.build(checkout, scheme, (*_cpu(target), *one.flags), starts, scratch)
        names = schemes.NAMES[image.family]
        banked = schemes.measure(image, target, one.stack, one.seeds, True)
        bare = schemes.measure(image, target, one.stack, max(one.seeds // 5, 1), False)
        for operation, here, there in zip(names, banked, bare, strict=True):
            kernel = f"{scheme}, {operation}"
            if kernel not in one.published:
                continue
            yield _row(
                name, one, kernel, _digest(image.elf), overhead=0.0, modelled=round(here.mean),
                error=round(here.error), unbanked=round(there.mean),
                assembly=round(here.assembly, 3),
            )  # fmt: skip


def _off(rows: Sequence[Kept]) -> str:
    """Three cells: the median of what rows are off, the worst, and how many are beyond 4 %."""
    off = [abs(row.ratio - 1) for row in rows]
    if not off:
        return "- | - | -"
    return f"{statistics.median(off):.1%} | {max(off):.1%} | {sum(each > 0.04 for each in off)}"


def counted(row: Kept) -> bool:
    """Is it assembly, of which no number was taken?"""
    one = manifests()[row.name]
    return row.assembly >= ASM_SHARE and not (one.fitted and row.chose == one.fitted)


def table() -> str:
    """The kept rows by repository and chip, as the page has them; `ecfit fidelity` prints each."""
    lines = [
        "| repository | linker script | stack; data | rows | median | worst | > 4 % | "
        "without banks | held out | median | worst | > 4 % |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    every: list[Kept] = []
    for name, one in manifests().items():
        rows = [row for row in kept() if row.name == name and counted(row)]
        if not rows:
            continue
        every += rows
        held = [row for row in rows if row.held_out]
        mode = "" if one.mode == "zero-ws" else f" mode {one.mode}"
        bare = statistics.median(abs((r.unbanked + r.overhead) / r.published - 1) for r in rows)
        lines.append(
            f"| {one.repository} {one.commit[:8]} | {one.script} | "
            f"{one.target}{mode}, {one.stack}; {one.data} | {len(rows)} | {_off(rows)} | "
            f"{bare:.1%} | {len(held)} | {_off(held)} |"
        )
    held = [row for row in every if row.held_out]
    lines.append(
        f"| all | | | {len(every)} | {_off(every)} | | {len(held)} | {_off(held)} |",
    )
    return "\n".join(lines) + "\n"


def main() -> None:
    """See the head of this file."""
    known, rows = manifests(), kept()
    for text in sys.argv[1:]:
        name, _, folder = text.partition("=")
        if name not in known or not Path(folder).is_dir():
            sys.exit(f"kernels.py: NAME=FOLDER, NAME one of {', '.join(known)}, not '{text}'")
        rows = [row for row in rows if row.name != name]
        rows += measure(name, known[name], Path(folder))
        rows.sort(key=lambda row: row.name)
        write_atomic(KEPT, encoded(rows))
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    if rest:
        write_atomic(PAGE, f"{head}{BEGIN}\n{table()}{END}{rest.partition(END)[2]}".encode())


if __name__ == "__main__":
    main()
