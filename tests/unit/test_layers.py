"""A module of the package imports only from lines below its own; only one module knows each outside thing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "ecfit"

# docs/design.md, section 5: highest first.
LAYERS = [
    ["cli"],
    ["board", "config", "ct", "fidelity", "keys", "options", "profiles", "studycommand"],
    ["studies"],
    ["studyplan"],
    ["study"],
    ["command"],
    ["catalogue", "doctor", "progress", "report", "selection"],
    ["measure"],
    ["derive"],
    ["boardimage", "build", "runner", "store"],
    ["boards", "flamegraph", "keyformats", "knobdocs", "knobspace"],
    ["peers", "published", "targets", "knobs"],
    ["combs", "leaks", "stackbound"],
    ["elf", "toolchain", "serialport", "simlib", "hostpairs"],
    ["hostlib"],
    ["simflash"],
    ["cases", "simabi", "simmodel"],
    ["der", "oracle", "oracle25519", "model"],
    ["curves", "paths"],
    ["errors", "units"],
]
LEVEL = {module: level for level, modules in enumerate(LAYERS) for module in modules}
STUDIES = sorted((PACKAGE / "studies").glob("*.py"))
MODULES = sorted(
    [*(path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__"), "studies"]
)

# Outside thing: the modules that may import it.
OUTSIDE = {
    "subprocess": {"combs", "toolchain", "peers", "hostlib", "hostpairs", "doctor"},
    "ctypes": {"simlib", "simabi", "hostlib", "hostpairs"},
    "elftools": {"elf"},
    "tarfile": {"peers"},
    "cryptography": {"keyformats"},
    "termios": {"serialport"},
    "socket": {"serialport"},
    "tempfile": {"boardimage", "build", "store", "peers", "hostlib", "hostpairs"},
}


def sources(module: str) -> list[str]:
    """The text of a module; the studies are one of several files."""
    paths = STUDIES if module == "studies" else [PACKAGE / f"{module}.py"]
    return [path.read_text(encoding="utf-8") for path in paths]


def imports(module: str) -> set[str]:
    """Names of everything that a module imports, at its top or inside a function."""
    found: set[str] = set()
    for node in (node for text in sources(module) for node in ast.walk(ast.parse(text))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "ecfit":
            found.update(f"ecfit.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_every_module_has_a_layer() -> None:
    assert sorted(LEVEL) == MODULES


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_down(module: str) -> None:
    own = {
        name.split(".")[1] for name in imports(module) if name.startswith("ecfit.")
    } & LEVEL.keys()
    upward = sorted(name for name in own if LEVEL[name] <= LEVEL[module])
    assert not upward, f"{module} imports {upward} from its own layer or above"


@pytest.mark.parametrize("outside", OUTSIDE)
def test_one_place_per_outside_thing(outside: str) -> None:
    users = {
        module for module in MODULES if outside in {name.split(".")[0] for name in imports(module)}
    }
    assert users <= OUTSIDE[outside]


@pytest.mark.parametrize("module", MODULES)
def test_modules_stay_small(module: str) -> None:
    limit = 150 if module == "studies" else 400
    assert all(text.count("\n") <= limit for text in sources(module))
