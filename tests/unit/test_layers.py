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
PACKAGE = ROOT / "ecfit"
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]
# Outside thing: the modules that may import it.
OUTSIDE = {
    "subprocess": {
        "run.checkout",
        "build.combs",
        "build.fetch",
        "build.registries",
        "build.toolchain",
        "commands.doctor",
        "show.origin",
        "run.emulated",
        "run.emulator",
        "run.hostlib",
        "run.hostpairs",
        "wire.native",
        "tls.server",
    },
    "ctypes": {
        "run.hostlib",
        "run.hostpairs",
        "gateway.verifier",
        "sim.abi",
        "sim.calls",
        "sim.machine",
        "sim.state",
    },
    "elftools": {"build.elf", "build.foreign"},
    "altair": {"energy.plot", "survey.plots"},
    "jinja2": {"page.page"},
    "vl_convert": {"energy.plot", "page.library", "survey.plots"},
    "numpy": {"energy.jlstrace"},
    "pyjls": {"energy.jlstrace"},
    "tarfile": {"build.fetch"},
    "distributed": {"measure.cluster"},
    "cryptography": {
        "message.algorithms",
        "oracle.keyformats",
        "oracle.keyreader",
        "tls.certs",
    },
    "rfc8785": {"message.canonical"},
    "kyber_py": {"oracle.mlkem"},
    "dilithium_py": {"oracle.mldsa"},
    "termios": {"devices.serialport"},
    "psycopg": {"gateway.fleet", "gateway.postgres"},
    "sqlite3": {"gateway.stores"},
    "socket": {"gateway.coap", "run.emulator", "devices.serialport", "tls.link", "tls.server"},
    "ssl": {"tls.server"},
    "tempfile": {
        "build.boardimage",
        "build.build",
        "run.checkout",
        "build.fetch",
        "build.foreign",
        "build.netimage",
        "build.registries",
        "measure.store",
        "run.emulated",
        "run.emulator",
        "paths",
        "tls.image",
        "wire.native",
        "tls.server",
        "wire.image",
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
        if name.endswith(".__init__") and len(ast.parse(text).body) != 1:
            yield f"{name} has more than its docstring"
        if any(other.startswith(".") for other in house.imported[name]):
            yield f"{name} has a relative import"


def strangers(house: House) -> Iterator[str]:
    """One place, or few, for each outside thing."""
    for name in house.texts:
        for outside in sorted(
            {other.split(".")[0] for other in house.imported[name]} & set(OUTSIDE)
        ):
            if name not in OUTSIDE[outside]:
                yield f"{name} imports {outside}"


Rule = Callable[[House], Iterator[str]]
RULES: list[Rule] = [side_doors, strangers]


@pytest.mark.parametrize("rule", RULES)
def test_the_package_keeps(rule: Rule) -> None:
    assert not list(rule(House(PACKAGE)))


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
HOUSES, REFERENCE, FLOORS, CIRCLES = (contract["name"] for contract in CONTRACTS["contracts"])
BROKEN = {
    "an import of what is above": ("ecfit/oracle/der.py", "from ecfit.run import cases\n", FLOORS),
    "inside a function": ("ecfit/oracle/der.py", "def f():\n    import ecfit.run.cases\n", FLOORS),
    "a room that is not listed": ("ecfit/cellar/__init__.py", '"""Wine."""\n', FLOORS),
    "a circle": ("ecfit/errors.py", "import ecfit.paths\n", CIRCLES),
    "the package imports the workshop": ("ecfit/model.py", "import workshop.paths\n", HOUSES),
    "the workshop imports a test": ("workshop/paths.py", "import tests.conftest\n", HOUSES),
    "the reference imports the package": ("lib/ref/group.py", "import ecfit.errors\n", REFERENCE),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all modules, with the contracts, which it keeps."""
    folder = tmp_path_factory.mktemp("tree")
    for name in ("ecfit", "workshop", "prove", "tools", "lib/gen", "lib/ref", "tests"):
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
