"""The wheel: installed in an empty environment and used in an empty folder, far from a checkout."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ecfit import __version__
from tools import golden
from tools.docs import readme
from tools.packages import release
from workshop.devices.consumer import ROOT, WHOLE, blocks, copy_checkout, run

TABLE = "bench --target lpc1114,rp2040 --lib ecfit,micro-ecc --preset tiny,balanced"
VERIFIER = "config --target lpc1114 --curve ed25519 --op verify --preset tiny -o build"
FIT = "fit --target samd20 --need x25519:ecdh --flash 4KiB --minimise flash --preset tiny,compact"
AMALGAM = "amalgamate --target samd20 --curve x25519 --op ecdh --preset tiny -o {}"


class Installed:
    """A command `ecfit` that knows no checkout."""

    def __init__(self, package: Path, folder: Path, *command: object, **variables: str) -> None:
        """`package`: the folder `ecfit` of the installation; `folder`: an empty one."""
        self.package, self.command = package, command
        self.cwd = folder / "project"
        self.cwd.mkdir()
        self.variables = {"ECFIT_CACHE": "", "XDG_CACHE_HOME": str(folder / "cache"), **variables}

    def __call__(self, words: str) -> str:
        """Output of the command with these words, and what it says beside that."""
        done = subprocess.run(
            [str(word) for word in (*self.command, *words.split())], cwd=self.cwd,
            env={**os.environ, **self.variables}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return done.stdout or done.stderr

    def files(self) -> dict[str, bytes]:
        """All that is installed, but for what Python compiles."""
        paths = (path for path in self.package.rglob("*") if path.suffix != ".pyc")
        return {str(path): path.read_bytes() for path in paths if path.is_file()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made of a clean checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    source = copy_checkout(folder / "source")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w",
        folder, source, ECFIT_WHEEL=release.WHEELS[0])  # fmt: skip
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    """The wheel and the oldest versions of what it needs that it says it takes, in an environment
    of its own; it changes nothing there.
    """
    folder = tmp_path_factory.mktemp("installed")
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = [need.partition(",")[0].replace(">=", "==") for need in needs["dependencies"]]
    run(sys.executable, "-m", "venv", folder / "venv")
    run(folder / "venv/bin/pip", "install", "-q", wheel, *oldest, cwd=folder)
    (package,) = folder.glob("venv/lib/python*/site-packages/ecfit")
    command = Installed(package, folder, folder / "venv/bin/ecfit")
    before = command.files()
    yield command
    assert command.files() == before


def setup_of(root: Path) -> Any:
    """The setup.py of a folder."""
    spec = importlib.util.spec_from_file_location("wheel_setup", root / "setup.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def copy_tree(root: Path, tree: Path) -> None:
    """What the setup.py of a folder puts beside the package."""
    setup_of(root).copy_tree(tree)


@pytest.fixture
def unpacked(tmp_path: Path) -> Installed:
    """The package with its tree beside it, as in a wheel, and the simulator of this checkout."""
    package = tmp_path / "site" / "ecfit"
    shutil.copytree(ROOT / "ecfit", package, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    copy_tree(ROOT, package / "tree")
    shutil.copy(ROOT / "sim" / "libecsim.so", package / "tree" / "sim")
    main = ("-P", "-B", "-c", "from ecfit.cli import main; main()")
    return Installed(package, tmp_path, sys.executable, *main, PYTHONPATH=str(package.parent))


@WHOLE
def test_it_measures_the_golden_counts(installed: Installed) -> None:
    """Those of the README's table; with its own cache, so that nothing of a checkout's is used."""
    records = json.loads(installed(TABLE + " --format json"))
    assert {record["status"] for record in records} == {"ok"}
    assert readme.table(records) == readme.table(golden.stored("bench"))
    assert TABLE in (ROOT / "Makefile").read_text(encoding="utf-8")


@WHOLE
def test_its_commands_work_without_a_checkout(installed: Installed, tmp_path: Path) -> None:
    assert installed("--version").split()[-1] == __version__
    install, *commands = blocks("Python")[0].splitlines()
    assert install.split()[:2] == ["pip", "install"]
    for command in commands:
        assert command.startswith("ecfit ")
        assert "missing" not in installed(command.removeprefix("ecfit "))
    assert "x25519" in installed(FIT)
    installed(AMALGAM.format("out"))
    run("sha256sum", "-c", "SHA256SUMS", cwd=installed.cwd / "out")
    # a table of a size that the sources lack: its generator is there
    installed(f"config --target samd20 --set COMB_TEETH=3,COMB_BLOCKS=4 -o {tmp_path}/odd")
    assert (tmp_path / "odd" / "ecfit_config.h").is_file()
    assert "micro-ecc" in installed("list libs")


@WHOLE
def test_an_index_takes_it(wheel: Path, tmp_path: Path) -> None:
    """Its tag is that of the symbols that it needs, and its description is one."""
    assert wheel.name == f"ecfit-{__version__}-py3-none-{release.WHEELS[0]}.whl"
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    run(tmp_path / "venv/bin/pip", "install", "-q", "auditwheel==6.8.2", "twine==7.0.0")
    said = run(tmp_path / "venv/bin/auditwheel", "show", wheel)
    assert f'platform tag: "{release.WHEELS[0]}"' in " ".join(said.split())
    assert "PASSED" in run(tmp_path / "venv/bin/twine", "--no-color", "check", "--strict", wheel)


def test_the_wheels_are_those_that_setup_makes() -> None:
    """tools/packages/release.py names what setup.py has a target for."""
    assert tuple(setup_of(ROOT).TARGETS) == release.WHEELS


@WHOLE
def test_a_source_archive_of_python_has_all_of_it(tmp_path: Path) -> None:
    """MANIFEST.in names what setup.py copies: the same tree."""
    source = copy_checkout(tmp_path / "source")
    code = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    run(sys.executable, "-c", code, tmp_path, cwd=source)
    run("tar", "xzf", f"ecfit-{__version__}.tar.gz", cwd=tmp_path)
    copy_tree(tmp_path / f"ecfit-{__version__}", tmp_path / "one")
    copy_tree(source, tmp_path / "other")
    run("diff", "-r", "one", "other", cwd=tmp_path)


def test_what_a_wheel_has_is_enough(unpacked: Installed) -> None:
    """Version, simulator, a configuration with the line that compiles it, the catalogues."""
    before = unpacked.files()
    assert unpacked("--version").split()[-1] == __version__
    assert "missing" not in unpacked("doctor")
    line = unpacked(VERIFIER).partition("compile with:\n")[2].replace("\\\n", " ")
    run(*line.split(), cwd=unpacked.cwd)
    assert (unpacked.cwd / "ecfit.o").is_file()
    assert unpacked.files() == before
