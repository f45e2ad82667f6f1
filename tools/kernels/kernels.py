"""Kernels in assembly that others timed on silicon, from checkouts of their repositories.

    kernels.py [NAME=FOLDER ..]    NAME: a TOML beside this; FOLDER: a checkout of its commit

Measures the kernels of the checkouts that are named, keeps them in results/kernels.json, and
writes the table in docs/cycle-model.md. Without one it writes the table alone. The code of these
repositories is not part of this one: a checkout runs its own scripts, and is compiled as it is.
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

import msgspec

from ecfit.build.elf import Elf
from ecfit.choices.targets import Target, find_target
from ecfit.measure.store import write_atomic
from ecfit.paths import ROOT
from ecfit.sim.machine import Machine, Region, load_model

HERE = Path(__file__).parent
KEPT, PAGE = ROOT / "results" / "kernels.json", ROOT / "docs" / "cycle-model.md"
BEGIN, END = "<!-- table: tools/kernels/kernels.py -->\n", "\n<!-- end -->"
CPU = ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16")
BACK, CODE = 0x100, 0x200  # in flash: a breakpoint, and the code
SCRIPT = "SECTIONS {{ .text {:#x} : {{ *(.text*) *(.rodata*) *(.data*) }} }}\n"
LIMIT = 50_000_000
SCALAR = bytes(range(17, 49))  # the operations are constant-time


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A repository, its commit, and the rows of its page. `stack`: the bank of RAM where its linker
    script puts stack and operands; `fitted`: what was taken from the first `fitted_rows` rows;
    `chose`: which rule of the model was chosen with the others in view.
    """

    repository: str
    commit: str
    target: str
    source: str
    conditions: str
    stack: str
    published: dict[str, int]
    fitted: str = ""
    fitted_rows: int = 0
    chose: str = ""
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
    that are not the kernel's. `counted`: no number of the model comes from this row. `held_out`:
    nor was a rule of the model chosen by it.
    """

    name: str
    kernel: str
    commit: str
    sha256: str
    target: str
    stack: str
    model: str
    published: int
    overhead: float
    modelled: int
    unbanked: int
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
    _run(["arm-none-eabi-gcc", *CPU, *flags, *link, *files, "-o", "kernel.elf"], folder)
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


def measure(name: str, one: Manifest, checkout: Path) -> list[Kept]:
    """All rows of a repository."""
    target = find_target(one.target)
    rows: list[tuple[str, str, int, int]] = []
    with tempfile.TemporaryDirectory() as scratch:
        for kernel, elf, call in _kernels(one, checkout.resolve(), Path(scratch)):
            code = b"".join(segment.data for segment in elf.segments)
            less = [one.less] if "_gf_" in call[0] else []
            banked, bare = (
                _cycles(elf, target, one.stack, call, on)
                - sum(_cycles(elf, target, one.stack, [name], on) for name in less)
                for on in (True, False)
            )
            rows.append((kernel, hashlib.sha256(code).hexdigest(), banked, bare))
    overhead = 0.0
    if one.fitted_rows:
        left = [one.published[kernel] - count for kernel, _, count, _ in rows[: one.fitted_rows]]
        overhead = statistics.median(left)
    return [
        Kept(
            name, kernel, one.commit[:8], digest, one.target, one.stack, model_digest(target),
            one.published[kernel], overhead, count, unbanked, number >= one.fitted_rows,
            number >= one.fitted_rows and not one.chose,
        )
        for number, (kernel, digest, count, unbanked) in enumerate(rows)
    ]  # fmt: skip


def table() -> str:
    """The kept rows, as the page has them."""
    lines = [
        "| repository | rows | held out | stack | without banks | with: median | worst | > 4 % |",
        "| --- | ---: | --- | --- | --- | ---: | ---: | ---: |",
    ]
    more = ["", "| kernel | published | modelled | ratio | without banks |"]
    more.append("| --- | ---: | ---: | ---: | ---: |")
    for name, one in manifests().items():
        rows = [row for row in kept() if row.name == name and row.counted]
        if not rows:
            continue
        off = [abs(row.ratio - 1) for row in rows]
        before = [(row.unbanked + row.overhead) / row.published for row in rows]
        lines.append(
            f"| {one.repository} {one.commit[:8]} | {len(rows)} | {'no' if one.chose else 'yes'} | "
            f"{one.target}, {one.stack} | "
            f"{min(before):.3f} to {max(before):.3f} | {statistics.median(off):.1%} | "
            f"{max(off):.1%} | {sum(each > 0.04 for each in off)} |"
        )
        for row, bare in zip(rows, before, strict=True):
            if name != "polymul-z2mx-m4" or int(row.kernel.split()[-1]) % 8 == 0:
                more.append(
                    f"| {name}, {row.kernel} | {row.published:_} | "
                    f"{round(row.modelled + row.overhead):_} | {row.ratio:.3f} | {bare:.3f} |"
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
