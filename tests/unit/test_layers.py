"""Rooms of the package: who knows what is outside, and that the contracts of layers
(pyproject.toml, `lint-imports`) can fail.

A rule is a function from a package to complaints. It holds for ecfit/, and a planted violation
shows that it can fail.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]
PACKAGES = ("ecfit", "ecfit_lab", "ecfit_studies")

# Outside thing: the modules that may import it.
OUTSIDE = {
    "subprocess": {
        "ecfit.run.checkout",
        "ecfit.build.combs",
        "ecfit.build.fetch",
        "ecfit.build.registries",
        "ecfit.build.toolchain",
        "ecfit.commands.doctor",
        "ecfit.show.origin",
        "ecfit.run.emulated",
        "ecfit.run.emulator",
        "ecfit.run.hostlib",
        "ecfit.run.hostpairs",
        "ecfit_lab.wire.native",
        "ecfit_lab.tls.server",
    },
    "ctypes": {
        "ecfit.run.hostlib",
        "ecfit.run.hostpairs",
        "ecfit_lab.gateway.verifier",
        "ecfit.sim.abi",
        "ecfit.sim.calls",
        "ecfit.sim.machine",
        "ecfit.sim.state",
    },
    "elftools": {"ecfit.build.elf", "ecfit.build.foreign"},
    "altair": {"ecfit_lab.energy.plot", "ecfit_studies.survey.plots"},
    "jinja2": {"ecfit_studies.page.page"},
    "vl_convert": {
        "ecfit_lab.energy.plot",
        "ecfit_studies.page.library",
        "ecfit_studies.survey.plots",
    },
    "numpy": {"ecfit_lab.energy.jlstrace"},
    "pyjls": {"ecfit_lab.energy.jlstrace"},
    "tarfile": {"ecfit.build.fetch"},
    "distributed": {"ecfit.measure.cluster"},
    "cryptography": {
        "ecfit_lab.message.algorithms",
        "ecfit.oracle.keyformats",
        "ecfit.oracle.keyreader",
        "ecfit_lab.tls.edhoc",
        "ecfit_lab.tls.certs",
    },
    "rfc8785": {"ecfit_lab.message.canonical"},
    "kyber_py": {"ecfit.oracle.mlkem"},
    "dilithium_py": {"ecfit.oracle.mldsa"},
    "termios": {"ecfit_lab.commands.serialport"},
    "psycopg": {"ecfit_lab.gateway.fleet", "ecfit_lab.gateway.postgres"},
    "sqlite3": {"ecfit_lab.gateway.stores"},
    "socket": {
        "ecfit_lab.gateway.coap",
        "ecfit.run.emulator",
        "ecfit_lab.commands.serialport",
        "ecfit_lab.tls.edhoc",
        "ecfit_lab.tls.link",
        "ecfit_lab.tls.server",
    },
    "ssl": {"ecfit_lab.tls.server"},
    "tempfile": {
        "ecfit.build.boardimage",
        "ecfit.build.build",
        "ecfit.run.checkout",
        "ecfit.build.fetch",
        "ecfit.build.foreign",
        "ecfit.build.netimage",
        "ecfit.build.registries",
        "ecfit.measure.store",
        "ecfit.run.emulated",
        "ecfit.run.emulator",
        "ecfit.paths",
        "ecfit_lab.tls.image",
        "ecfit_lab.wire.native",
        "ecfit_lab.tls.server",
        "ecfit_lab.wire.image",
    },
}


class House:
    """A package: the text of each module by its name below the package, `run.cases` or `errors`."""

    def __init__(self, folder: Path) -> None:
        self.package = folder.name
        self.texts = {
            ".".join(path.relative_to(folder).with_suffix("").parts): path.read_text("utf-8")
            for path in sorted(folder.rglob("*.py"))
        }
        self.modules = [name for name in self.texts if name.split(".")[-1] != "__init__"]
        self.imported = {name: frozenset(self._imported(name)) for name in self.texts}

    def _imported(self, module: str) -> Iterator[str]:
        """Dotted names of all that a module imports, at its top or inside a function."""
        for node in ast.walk(ast.parse(self.texts[module])):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                start = "." * node.level + (node.module or "")
                yield start
                yield from (f"{start}.{alias.name}" for alias in node.names)


def side_doors(house: House) -> Iterator[str]:
    """Names come from the module that has them: a room's __init__ has its docstring alone."""
    for name, text in house.texts.items():
        if name.endswith(".__init__") and "." in name and len(ast.parse(text).body) != 1:
            yield f"{name} has more than its docstring"
        if any(other.startswith(".") for other in house.imported[name]):
            yield f"{name} has a relative import"


def strangers(house: House) -> Iterator[str]:
    """One place, or few, for each outside thing."""
    for name in house.texts:
        for outside in sorted(
            {other.split(".")[0] for other in house.imported[name]} & set(OUTSIDE)
        ):
            if f"{house.package}.{name}" not in OUTSIDE[outside]:
                yield f"{name} imports {outside}"


Rule = Callable[[House], Iterator[str]]
RULES: list[Rule] = [side_doors, strangers]


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("rule", RULES)
def test_the_packages_keep(rule: Rule, package: str) -> None:
    assert not list(rule(House(ROOT / package)))


# Rooms whose tests are not in tests/unit/ROOM (CONTRIBUTING.md, "Which tests").
TESTED = {"arguments": "cli", "commands": "cli", "questions": "unit/survey", "sim": "sim"}


@pytest.mark.parametrize("package", PACKAGES)
def test_each_room_has_a_folder_of_tests(package: str) -> None:
    rooms = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
    folders = {room: ROOT / "tests" / TESTED.get(room, f"unit/{room}") for room in rooms}
    assert [room for room in rooms if not list(folders[room].glob("test_*.py"))] == []


GOOD = {
    "__init__": '__version__ = "1"',
    "cli": "def main():\n    from ecfit.run.cases import case",
    "errors": "import os",
    "run.__init__": '"""Runs."""',
    "run.cases": "from ecfit.oracle import der\nfrom ecfit.run.leaks import leak",
    "run.leaks": "from ecfit import __version__, errors",
    "oracle.__init__": '"""What is right."""',
    "oracle.der": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import ecfit.errors",
}
PLANTED: list[tuple[Rule, Mapping[str, str]]] = [
    (side_doors, {"run.__init__": '"""Runs."""\nfrom ecfit.run.cases import case'}),
    (side_doors, {"run.cases": "from . import leaks"}),
    (strangers, {"run.cases": "import subprocess"}),
    (strangers, {"run.cases": "def f():\n    from elftools.elf.elffile import ELFFile"}),
    (strangers, {"run.__init__": "import ctypes as ct"}),
]


def built(folder: Path, texts: Mapping[str, str]) -> House:
    """A package of these modules."""
    for name, text in texts.items():
        path = folder / "ecfit" / f"{name.replace('.', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return House(folder / "ecfit")


@pytest.mark.parametrize("rule", RULES)
def test_a_good_package_keeps(rule: Rule, tmp_path: Path) -> None:
    assert not list(rule(built(tmp_path, GOOD)))


@pytest.mark.parametrize(("rule", "planted"), PLANTED)
def test_a_planted_violation_is_found(
    rule: Rule, planted: Mapping[str, str], tmp_path: Path
) -> None:
    assert list(rule(built(tmp_path, {**GOOD, **planted})))


# What is planted: the file and the line; and the name of the contract that it breaks.
HOUSES, REFERENCE, FLOORS, PROVER, *_, CIRCLES = (
    contract["name"] for contract in CONTRACTS["contracts"]
)
BROKEN = {
    "an import of what is above": ("ecfit/oracle/der.py", "from ecfit.run import cases\n", FLOORS),
    "inside a function": ("ecfit/oracle/der.py", "def f():\n    import ecfit.run.cases\n", FLOORS),
    "a room that is not listed": ("ecfit/cellar/__init__.py", '"""Wine."""\n', FLOORS),
    "a room of the prover": ("prove/cellar.py", '"""Wine."""\n', PROVER),
    "a circle": ("ecfit/errors.py", "import ecfit.paths\n", CIRCLES),
    "the package imports the lab": ("ecfit/model.py", "import ecfit_lab.tls\n", HOUSES),
    "the package imports the workshop": ("ecfit/model.py", "import workshop.paths\n", HOUSES),
    "the workshop imports a test": ("workshop/paths.py", "import tests.conftest\n", HOUSES),
    "the reference imports the package": ("lib/ref/group.py", "import ecfit.errors\n", REFERENCE),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all modules, with the contracts, which it keeps."""
    folder = tmp_path_factory.mktemp("tree")
    for name in (*PACKAGES, "workshop", "prove", "tools", "lib/gen", "lib/ref", "tests"):
        for path in (ROOT / name).rglob("*.py"):
            copy = folder / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    assert broken_contracts(folder) == set()
    return folder


def broken_contracts(folder: Path) -> set[str]:
    """The names of the contracts that a tree breaks; a room without a floor breaks its contract."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{folder / 'lib'}", "COLUMNS": "200"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    names = [contract["name"] for contract in CONTRACTS["contracts"]]
    failed = {name for name in names if f"{name} KEPT" not in done.stdout}
    assert bool(failed) == bool(done.returncode), done.stdout + done.stderr
    return failed


@pytest.mark.parametrize("broken", BROKEN)
def test_the_contracts_can_fail(broken: str, tree: Path) -> None:
    name, line, contract = BROKEN[broken]
    path = tree / name
    text = path.read_text(encoding="utf-8") if path.exists() else None
    path.parent.mkdir(exist_ok=True)
    path.write_text((text or "") + line, encoding="utf-8")
    try:
        assert contract in broken_contracts(tree)
    finally:
        shutil.rmtree(path.parent) if text is None else path.write_text(text, encoding="utf-8")
