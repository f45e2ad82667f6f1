"""Rooms of the package: what each holds, which way imports point, who knows what is outside.

A rule is a function from a package to complaints. It holds for ecfit/, and a planted violation
shows that it can fail.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "ecfit"
DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")

# docs/design.md, section 5: highest first. The ground is what lies beside the rooms, but for `cli`.
ROOMS = [
    "cli",
    "commands",
    "devices",
    "arguments",
    "page",
    "studies",
    "survey",
    "show",
    "wire",
    "tls",
    "energy",
    "gateway",
    "fit",
    "measure",
    "run",
    "ship",
    "build",
    "message",
    "oracle",
    "choices",
    "sim",
    "ground",
]
PLANNED: set[str] = set()
MODULES_OF_A_ROOM = 12
MODULES_ALIKE = {"commands": 14, "studies": 14}  # one for each command, one for each study
MODULES_BESIDE_ROOMS = 9

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

    def own(self, module: str) -> set[str]:
        """The modules of this package that a module imports."""
        start = f"{self.package}."
        names = {
            name.removeprefix(start) for name in self.imported[module] if name.startswith(start)
        }
        return names & set(self.modules)


def room_of(module: str) -> str:
    """`run` for `run.cases`, `cli` for itself; what else stands beside the rooms is the ground."""
    if "." in module:
        return module.split(".", maxsplit=1)[0]
    return "cli" if module in {"cli", "__main__"} else "ground"


def unknown_rooms(house: House) -> Iterator[str]:
    """Every module has a room, and the room a floor."""
    for module in house.modules:
        if room_of(module) not in ROOMS or module.count(".") > 1:
            yield f"{module}: no room of this name"


def upward_imports(house: House) -> Iterator[str]:
    """A room imports from those below it only."""
    for module in house.modules:
        for other in sorted(house.own(module)):
            here, there = ROOMS.index(room_of(module)), ROOMS.index(room_of(other))
            if there < here:
                yield f"{module} imports {other}, which is above it"


def circles(house: House) -> Iterator[str]:
    """No module imports itself by way of others."""
    try:
        TopologicalSorter({module: house.own(module) for module in house.modules}).prepare()
    except CycleError as error:
        yield " <- ".join(error.args[1])


def side_doors(house: House) -> Iterator[str]:
    """Names come from the module that has them: a room's __init__ has its docstring alone."""
    for name, text in house.texts.items():
        if name.endswith(".__init__") and len(ast.parse(text).body) != 1:
            yield f"{name} has more than its docstring"
        if any(other.startswith(".") for other in house.imported[name]):
            yield f"{name} has a relative import"


def crowds(house: House) -> Iterator[str]:
    """So few modules in a room, and beside the rooms, that they are seen at once."""
    rooms = [module.split(".")[0] if "." in module else "" for module in house.modules]
    for room in sorted(set(rooms)):
        limit = MODULES_ALIKE.get(room, MODULES_OF_A_ROOM if room else MODULES_BESIDE_ROOMS)
        if rooms.count(room) > limit:
            yield f"{room or 'beside the rooms'}: {rooms.count(room)} modules, at most {limit}"


def strangers(house: House) -> Iterator[str]:
    """One place, or few, for each outside thing."""
    for name in house.texts:
        for outside in sorted(
            {other.split(".")[0] for other in house.imported[name]} & set(OUTSIDE)
        ):
            if name not in OUTSIDE[outside]:
                yield f"{name} imports {outside}"


Rule = Callable[[House], Iterator[str]]
RULES: list[Rule] = [
    unknown_rooms,
    upward_imports,
    circles,
    side_doors,
    crowds,
    strangers,
]


@pytest.mark.parametrize("rule", RULES)
def test_the_package_keeps(rule: Rule) -> None:
    assert not list(rule(House(PACKAGE)))


def house_rooms() -> set[str]:
    """The rooms that there are."""
    return {room_of(module) for module in House(PACKAGE).modules}


def test_every_room_is_there_or_planned() -> None:
    assert house_rooms() | PLANNED == set(ROOMS)
    assert not house_rooms() & PLANNED, "built now: no longer planned"


def test_the_list_of_the_design_is_this_order() -> None:
    lines = DESIGN.split("```\ncli\n")[1].split("```")[0].splitlines()
    floors = [(re.split(r" {4,}", line)[0].split(), "planned" in line) for line in lines]
    *rooms, (ground, _) = floors
    assert ["cli", *(name for names, _ in rooms for name in names), "ground"] == ROOMS
    assert {name for names, planned in rooms for name in names if planned} == PLANNED
    assert sorted(ground) == [m for m in House(PACKAGE).modules if room_of(m) == "ground"]


def test_the_map_of_the_design_is_the_tree() -> None:
    """The map lists all rooms in order, and names each module of a room, except the studies."""
    tree = DESIGN.split("├── ecfit/ ")[1].split("\n├── ")[0]
    lines = dict(re.findall(r"── (\w+)/ +(.*?)(?=\n│   [├└])", tree, re.DOTALL))
    assert [*lines] == ROOMS[1:-1]
    assert {room for room, text in lines.items() if "planned" in text} == PLANNED
    for module in House(PACKAGE).modules:
        room, _, name = module.rpartition(".")
        if room and room != "studies":
            assert re.search(rf"\b{name}\b", lines[room]), f"{module} is not on the map"


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
    (unknown_rooms, {"cellar.wine": ""}),
    (unknown_rooms, {"run.inner.most": ""}),
    (upward_imports, {"oracle.der": "from ecfit.run import cases"}),
    (upward_imports, {"oracle.der": "from ecfit.run.leaks import leak"}),
    (upward_imports, {"oracle.der": "def f():\n    import ecfit.run.leaks"}),
    (upward_imports, {"errors": "if TYPE_CHECKING:\n    from ecfit.oracle.der import text"}),
    (upward_imports, {"errors": "from ecfit import cli"}),
    (circles, {"run.leaks": "def f():\n    from ecfit.run.cases import case"}),
    (circles, {"errors": "from ecfit import paths", "paths": "import ecfit.errors"}),
    (side_doors, {"run.__init__": '"""Runs."""\nfrom ecfit.run.cases import case'}),
    (side_doors, {"run.cases": "from . import leaks"}),
    (crowds, {f"run.case{i}": "" for i in range(MODULES_OF_A_ROOM - 1)}),
    (crowds, {f"thing{i}": "" for i in range(MODULES_BESIDE_ROOMS - 1)}),
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
