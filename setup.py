"""What a wheel has beside the package: the sources that the bench builds, and the simulator.

They stand in ecfit/tree as in a checkout (ecfit/paths.py). The rest is in pyproject.toml.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
FOLDERS = ("lib", "firmware", "peers", "sim", "results/studies", "evidence/variants")
FILES = (
    *("LICENSE", "results/fidelity.jsonl.gz", "results/fit/chips.json"),
    *("results/articles.json", "results/riot.json"),
)
GENERATORS = ("gen_comb.py", "gen_edwards.py", "gen_params.py")  # of tables: ecfit/build/combs.py
# What is built there, and what only the tests of a checkout use.
LEFT_OUT = {"build", "__pycache__", "fuzz", "test", "gen"}
# Kinds of files that are taken, as in MANIFEST.in: what else lies there stays where it is.
ENDINGS = {
    ".c", ".cc", ".def", ".gz", ".h", ".in", ".inc", ".json", ".lock", ".md", ".py", ".rs", ".S",
    ".sed", ".sv", ".svh", ".toml", ".vlt", "Makefile",
}  # fmt: skip


# A wheel for another machine, ECFIT_WHEEL=TAG: the target by which zig (of the package ziglang)
# compiles the simulator. Linux with glibc 2.17 or later; macOS 11 or later.
TARGETS = {
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
}
WHEEL = os.environ.get("ECFIT_WHEEL", "")


def compiler() -> list[str]:
    """What `make` is told of it."""
    return [f"CC={sys.executable} -m ziglang cc -g0 -target {TARGETS[WHEEL]}"] if WHEEL else []


def left_out(folder: str, names: list[str]) -> set[str]:
    """Names that a copy of this folder lacks."""
    paths = [Path(folder, name) for name in names if not name.startswith(".")]
    taken = {
        path.name
        for path in paths
        if (path.name not in LEFT_OUT if path.is_dir() else (path.suffix or path.name) in ENDINGS)
    }
    return set(names) - taken


def copy_tree(tree: Path) -> None:
    """What is in the tree but for the simulator, which is compiled there."""
    shutil.rmtree(tree, ignore_errors=True)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tree / name, ignore=left_out)
    for name in (*FILES, *(f"lib/gen/{generator}" for generator in GENERATORS)):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tree / name)


class BuildTree(build_py):
    """The package, and the tree beside it."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:  # a checkout has all this
            return
        tree = Path(self.build_lib) / "ecfit" / "tree"
        copy_tree(tree)
        jobs = f"-j{os.cpu_count()}"
        make = ["make", "--silent", "-C", str(tree / "sim"), "all", jobs, *compiler()]
        subprocess.run(make, check=True)
        shutil.rmtree(tree / "sim" / "build")


class Binary(Distribution):
    """It has a compiled simulator, though no extension of Python."""

    def has_ext_modules(self) -> bool:
        return True


class AnyPython(bdist_wheel):
    """One wheel for every Python on this kind of machine: ctypes loads the simulator."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", WHEEL or super().get_tag()[2]


if __name__ == "__main__":
    setup(distclass=Binary, cmdclass={"build_py": BuildTree, "bdist_wheel": AnyPython})
