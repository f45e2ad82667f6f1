"""Kernels in assembly that others timed on silicon, from checkouts of their repositories.

    kernels.py [NAME=FOLDER ..]    NAME: a TOML beside this; FOLDER: a checkout of its commit

Measures the kernels of the checkouts that are named, keeps them in results/kernels.json, and
writes the table in evidence/notebooks/cycle-model.md. Without one it writes the table alone. The
code of these repositories is not part of this one: a checkout runs its own scripts, and is compiled
as it is.
Whole schemes: schemes.py. AES: aes.py.
"""

from __future__ import annotations

import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ecfit.build.elf import Elf
from ecfit.choices.targets import Target, find_target
from ecfit.paths import ROOT, write_atomic
from ecfit.sim.machine import Machine, Region, load_model
from tools.kernels import aes, schemes

HERE = Path(__file__).parent
KEPT, PAGE = ROOT / "results" / "kernels.json", ROOT / "evidence" / "notebooks" / "cycle-model.md"
BEGIN, END = "<!-- table: tools/kernels/kernels.py -->\n", "\n<!-- end -->"
BACK, CODE = 0x100, 0x200  # in flash: a breakpoint, and the code
SCRIPT = "SECTIONS {{ .text {:#x} : {{ *(.text*) *(.rodata*) *(.data*) }} }}\n"
LIMIT = 50_000_000
SCALAR = bytes(range(17, 49))  # the operations are constant-time
ASM_SHARE = 0.5  # of the cycles: from here on a row counts as assembly (ecfit fidelity)


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A repository, its commit, and the rows of its page. `script`: its linker script, which puts
    stack and operands into the bank `stack`, and static data into `data`; `fitted`: what was taken
    from the first `fitted_rows` rows; `chose`: which rule of the model was chosen with the others
    in view, or with those of `seen` alone. `seeds`: rows are means over that many (schemes.py).
    `call`: cycles of the page that are not the routine's; with it, the rows are of AES (aes.py).
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


class Kept(msgspec.Struct, frozen=True):
    """A measured row. `sha256`: of the code and constants that ran. `overhead`: cycles on the page
    that are not the kernel's. `error`: the standard error of `modelled`, if it is a mean.
    `assembly`: the part of the cycles in assembly. `counted`: that is half of them or more, and no
    number of the model comes from this row. `held_out`: nor was a rule of the model chosen by it.
    """

    name: str
    kernel: str
    commit: str
    sha256: str
    target: str
    script: str
    stack: str
    data: str
    model: str
    published: int | float
    overhead: float
    modelled: int
    error: int
    unbanked: int
    assembly: float
    counted: bool
    held_out: bool

    @property
    def ratio(self) -> float:
        """Modelled over published."""
        return (self.modelled + self.overhead) / self.published


def manifests() -> dict[str, Manifest]:
    """All of them, by name."""
    files = sorted(HERE.glob("*.toml"))
    return {path.stem: msgspec.toml.decode(path.read_bytes(), type=Manifest) for path in files}


def model_digest(target: Target) -> str:
    """Of the cycles of its model and the banks of its memory: equal ones count alike."""
    model = load_model(target.model or "")
    rows = {name: msgspec.to_builtins(row) for name, row in model.rows.items()}
    for row in rows.values():
        row.pop("source"), row.pop("note", None)
    banks = [(m.start, m.size, m.latency) for m in target.memory]
    return hashlib.sha256(msgspec.json.encode([rows, banks], order="sorted")).hexdigest()[:16]


def kept() -> list[Kept]:
    """The rows that were measured, all repositories."""
    return msgspec.json.decode(KEPT.read_bytes(), type=list[Kept]) if KEPT.is_file() else []


def _run(command: Sequence[str], folder: Path) -> bytes:
    fixed = {**os.environ, "PYTHONHASHSEED": "0"}  # generators go through sets
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, env=fixed).stdout


def _cpu(target: Target) -> tuple[str, ...]:
    fpu = ("-mfloat-abi=hard", f"-mfpu={target.fpu}") if target.fpu else ()
    return (f"-mcpu={target.core}", "-mthumb", *fpu)


def _link(sources: Sequence[Path], flags: Sequence[str], target: Target, folder: Path) -> Elf:
    script = folder / "kernel.ld"
    script.write_text(SCRIPT.format(target.region("flash").start + CODE), encoding="utf-8")
    link = (
        "-nostartfiles",
        "-Wl,--build-id=none",
        "-Wl,--no-warn-rwx-segments",
        "-Wl,--entry=0",
        f"-T{script}",
    )
    files = map(str, sources)
    command = ["arm-none-eabi-gcc", *_cpu(target), *flags, *link, *files, "-o", "kernel.elf"]
    _run(command, folder)
    return Elf((folder / "kernel.elf").read_bytes(), "EM_ARM", debug=False)


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
    target = find_target(one.target)
    return Kept(
        name=name, kernel=kernel, commit=one.commit[:8], sha256=digest, target=one.target,
        script=one.script, stack=one.stack, data=one.data, model=model_digest(target),
        published=one.published[kernel], **counts,
    )  # fmt: skip


def _digest(elf: Elf) -> str:
    return hashlib.sha256(b"".join(segment.data for segment in elf.segments)).hexdigest()


def measure(name: str, one: Manifest, checkout: Path) -> list[Kept]:
    """All rows of a repository."""
    target = find_target(one.target)
    rows: list[tuple[str, str, int, int]] = []
    with tempfile.TemporaryDirectory() as scratch:
        if one.seeds:
            return list(_schemes(name, one, checkout.resolve(), Path(scratch)))
        if one.call:
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
            assembly=1.0, counted=number >= one.fitted_rows,
            held_out=number >= one.fitted_rows and not one.chose,
        )
        for number, (kernel, digest, count, bare) in enumerate(rows)
    ]  # fmt: skip


def _aes(name: str, one: Manifest, checkout: Path, scratch: Path) -> Iterator[Kept]:
    target, sources = find_target(one.target), [checkout / source for source in one.sources]
    elf = _link(sources, one.flags, target, scratch)
    banked, bare = (aes.measure(elf, target, one.stack, on) for on in (True, False))
    for kernel in one.published:
        yield _row(
            name, one, kernel, _digest(elf), overhead=float(one.call), modelled=banked[kernel],
            error=0, unbanked=bare[kernel], assembly=1.0, counted=True,
            held_out=kernel not in one.seen,
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
            counted = here.assembly >= ASM_SHARE
            yield _row(
                name, one, kernel, _digest(image.elf), overhead=0.0, modelled=round(here.mean),
                error=round(here.error), unbanked=round(there.mean),
                assembly=round(here.assembly, 3), counted=counted,
                held_out=counted and kernel not in one.seen,
            )  # fmt: skip


def _off(rows: Sequence[Kept]) -> str:
    """Three cells: the median of what rows are off, the worst, and how many are beyond 4 %."""
    off = [abs(row.ratio - 1) for row in rows]
    if not off:
        return "- | - | -"
    return f"{statistics.median(off):.1%} | {max(off):.1%} | {sum(each > 0.04 for each in off)}"


def table() -> str:
    """The kept rows, as the page has them."""
    lines = [
        "| repository | linker script | stack; data | rows | median | worst | > 4 % | "
        "held out | median | worst | > 4 % |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    more = ["", "| kernel | assembly | published | modelled | ratio | without banks | held out |"]
    more.append("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    every: list[Kept] = []
    for name, one in manifests().items():
        rows = [row for row in kept() if row.name == name and row.counted]
        if not rows:
            continue
        every += rows
        held = [row for row in rows if row.held_out]
        lines.append(
            f"| {one.repository} {one.commit[:8]} | {one.script} | "
            f"{one.target}, {one.stack}; {one.data} | {len(rows)} | {_off(rows)} | "
            f"{len(held)} | {_off(held)} |"
        )
        for row in kept():
            shown = row.counted or one.seeds
            if row.name != name or not shown:
                continue
            if name == "polymul-z2mx-m4" and int(row.kernel.split()[-1]) % 8:
                continue
            bare = (row.unbanked + row.overhead) / row.published
            more.append(
                f"| {name}, {row.kernel} | {row.assembly:.0%} | {row.published:_} | "
                f"{round(row.modelled + row.overhead):_} | {row.ratio:.3f} | {bare:.3f} | "
                f"{'yes' if row.held_out else 'no' if row.counted else 'not counted'} |"
            )
    held = [row for row in every if row.held_out]
    lines.append(
        f"| all | | | {len(every)} | {_off(every)} | {len(held)} | {_off(held)} |",
    )
    return "\n".join(lines + more) + "\n"


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
        write_atomic(KEPT, msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n")
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    if rest:
        write_atomic(PAGE, f"{head}{BEGIN}\n{table()}{END}{rest.partition(END)[2]}".encode())


if __name__ == "__main__":
    main()
