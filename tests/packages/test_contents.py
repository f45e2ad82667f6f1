"""What is in each package: only what was meant, though secrets lie beside it in the checkout.

ALLOWED is the one list of what a package may have.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from ecfit import __version__
from tests.packages.test_release import WHO, insides, made
from tests.packages.test_wheel import copy_tree
from tools.packages import release
from workshop.devices.consumer import ROOT, WHOLE, copy_checkout, run

MARK = "planted-0b9f"  # in the bytes of all that is planted
REMOTE = f"https://user:{MARK}@host.example/ecfit"
BIG = 300_000  # bytes
PLANTED = {
    ".env": f"TOKEN={MARK}\n",
    "device_key.pem": f"-----BEGIN PRIVATE KEY-----\n{MARK}\n",
    "ecfit.c~": f"/* {MARK} */\n",
    "#ecfit.h#": f"/* {MARK} */\n",
    ".ecfit.c.swp": MARK,
    "ecfit.c.orig": f"/* {MARK} */\n",
    "ecfit.h.rej": MARK,
    "notes.txt": MARK,
    ".cache/blob": MARK,
    ".git/config": f'[remote "origin"]\n\turl = {REMOTE}\n',
    "core": MARK + "x" * BIG,
}
# Each folder of which a package takes something.
PACKED = (
    "ecfit", "ecfit/data", "ecfit/build", "ecfit_lab", "ecfit_lab/data/server", "ecfit_studies",
    "ecfit_studies/data/page", "evidence/variants", "firmware", "firmware/cortexm", "lib",
    "lib/include", "lib/include/ecfit", "lib/psa", "lib/ref", "lib/src", "lib/src/mp",
    "lib/src/mp/thumb", "packages", "packages/arduino", "packages/arduino/examples/SignedReading",
    "packages/include", "packages/rust/ecfit", "packages/rust/ecfit-sys",
    "packages/rust/ecfit-sys/src", "packages/rust/ecfit/src", "packages/rust/ecfit/tests", "peers",
    "peers/micro-ecc", "results/studies", "sim", "sim/src", "zephyr",
)  # fmt: skip

SOURCES = r"lib/src/[\w/]+\.(c|h|inc|S)|lib/include/[\w/]+\.h"
CONFIGURATION = r"packages/include/ecfit(_config)?\.h"
TREE = (
    rf"{SOURCES}|lib/(psa|ref)/[\w/]+\.(c|h|py|json)|lib/psa/README\.md|lib/\w+\.(toml|md)|"
    r"lib/msg/\w+\.(c|h|inc)|lib/gen/gen_(comb|edwards|params)\.py|"
    r"firmware/[\w/-]+\.(c|h|S|ld\.in|rs|toml|lock)|results/studies/[\w-]+\.jsonl\.gz|"
    r"evidence/variants/[\w/]+\.(inc|toml)|"
    r"peers/(outside/)?[\w-]+/([\w/-]+\.(c|h|sed)|(peer|published)\.toml)|"
    r"results/fidelity\.jsonl\.gz|results/(articles|riot|fit/chips)\.json|"
    r"sim/(Makefile|speed\.py)|sim/[\w/]+\.(c|h|def|inc)|"
    r"sim/rtl/\w+\.(cc|svh?|vlt)|LICENSE"
)
PYTHON = (
    r"ecfit(_lab|_studies)?/([\w/]+\.py|data/[\w/.-]+\.(toml|html|css|js|go|c|xz|txt))|"
    r"ecfit/(py\.typed|data/published/(kernels|outside)\.json)"
)
ALLOWED = {
    "wheel": (
        rf"{PYTHON}|ecfit/tree/({TREE}|sim/libecsim\.so)|"
        r"ecfit-[\d.]+\.dist-info/(METADATA|WHEEL|RECORD|top_level\.txt|entry_points\.txt|"
        r"licenses/LICENSE)"
    ),
    "sdist": (
        rf"{PYTHON}|{TREE}|lib/[\w/]+\.(c|h|inc|py|h\.in)|MANIFEST\.in|PKG-INFO|README\.md|"
        r"pyproject\.toml|setup\.(py|cfg)|"
        r"ecfit\.egg-info/(PKG-INFO|\w+\.txt)"
    ),
    "tree": TREE,
    "component": (
        rf"{SOURCES}|{CONFIGURATION}|packages/(esp-idf|sources)\.cmake|packages/Kconfig\.knobs|"
        r"CMakeLists\.txt|Kconfig|LICENSE|README\.md|idf_component\.yml|CHECKSUMS\.json"
    ),
    "platformio": rf"{SOURCES}|{CONFIGURATION}|LICENSE|README\.md|library\.json",
    "ecfit-sys": (
        rf"{SOURCES}|build\.rs|src/\w+\.rs|config/ecfit_config\.h|LICENSE|README\.md|"
        r"Cargo\.(toml|toml\.orig|lock)|\.cargo_vcs_info\.json"
    ),
    "ecfit": (
        r"(src|tests)/\w+\.rs|LICENSE|README\.md|"
        r"Cargo\.(toml|toml\.orig|lock)|\.cargo_vcs_info\.json"
    ),
    "arduino": (
        r"src/ecfit(\.h|\.c|_asm\.S|_\w+\.inc)|examples/(\w+)/\2\.ino|library\.properties|LICENSE|README\.md"
    ),
    "installed": (
        r"include/ecfit\.h|include/ecfit/\w+\.h|lib/libecfit\.a|lib/pkgconfig/ecfit\.pc|"
        r"lib/cmake/ecfit/ecfit-config[\w-]*\.cmake"
    ),
    "amalgams": r"\w+/\w+/\w+/(\w+\.[ch]|ecfit_asm\.S|\w+\.(md|txt)|SHA256SUMS|LICENSE)",
}  # fmt: skip


def check(package: str, files: dict[str, bytes]) -> None:
    """All names are allowed, and nothing that was planted is in a file."""
    assert files
    strange = [name for name in files if not re.fullmatch(ALLOWED[package], name)]
    assert strange == [], f"{package} has what is not meant: {strange}"
    assert [name for name, data in files.items() if MARK.encode() in data] == []


def below(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def unpacked(path: Path, top: str = "") -> dict[str, bytes]:
    """The files of an archive, by their names below its folder `top`."""
    files = insides(path.name, path.read_bytes())
    return {name.removeprefix("./").removeprefix(top): data for name, data in files.items()}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean commit, as git says, with secrets all over it that git is told not to see."""
    folder = copy_checkout(tmp_path_factory.mktemp("planted") / "ecfit")
    run("git", "init", "-q", folder)
    run("git", "remote", "add", "origin", REMOTE, cwd=folder)
    run("git", "add", "-A", cwd=folder)
    run("git", *WHO, "commit", "-q", "-m", "all", cwd=folder)
    with (folder / ".git" / "info" / "exclude").open("a", encoding="utf-8") as file:
        file.writelines(f"{name.replace('#', chr(92) + '#')}\n" for name in PLANTED)
    for place in ("", *PACKED):
        for name, text in PLANTED.items():
            path = folder / place / name
            if place or name != ".git/config":  # that of the commit has the remote
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    assert run("git", "status", "--porcelain", cwd=folder) == ""
    return folder


def test_source_and_arduino(planted: Path) -> None:
    """The sources are the files of the commit, no more and no less."""
    files = made(planted, "source", "arduino")
    top = f"ecfit-{__version__}"
    source = insides("x.tar.gz", files[f"{top}.tar.gz"])
    known = run("git", "ls-tree", "-r", "--name-only", "HEAD", cwd=planted).split()
    links = re.findall(r"^120000.*\t(.*)$", run("git", "ls-files", "-s", cwd=planted), re.MULTILINE)
    assert sorted(source) == sorted(f"{top}/{name}" for name in known if name not in links)
    assert [name for name, data in source.items() if MARK.encode() in data] == [
        f"{top}/tests/packages/{Path(__file__).name}"
    ]
    library = insides("x.zip", files[f"{top}-arduino.zip"])
    check("arduino", {name.removeprefix("ecfit/"): data for name, data in library.items()})


def test_source_archive_of_python(planted: Path, tmp_path: Path) -> None:
    """It, the tree that setup.py makes of it, and the tree of the checkout: the same."""
    code = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    run(sys.executable, "-c", code, tmp_path, cwd=planted)
    archive = tmp_path / f"ecfit-{__version__}.tar.gz"
    check("sdist", unpacked(archive, f"ecfit-{__version__}/"))
    run("tar", "xzf", archive, cwd=tmp_path)
    copy_tree(planted, tmp_path / "checkout")
    copy_tree(tmp_path / f"ecfit-{__version__}", tmp_path / "archive")
    check("tree", below(tmp_path / "checkout"))
    assert below(tmp_path / "checkout") == below(tmp_path / "archive")
    # and nothing that a clean checkout has is missing
    copy_tree(copy_checkout(tmp_path / "clean"), tmp_path / "whole")
    assert below(tmp_path / "whole") == below(tmp_path / "checkout")


@pytest.mark.ci
def test_wheel(planted: Path, tmp_path: Path) -> None:
    """Of a checkout, where `make release` takes a clean one."""
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps",
        "-w", tmp_path, planted)  # fmt: skip
    (path,) = tmp_path.glob("*.whl")
    files = unpacked(path)
    check("wheel", files)
    assert {"ecfit/cli.py", "ecfit/tree/lib/src/ecfit.c", "ecfit_lab/data/server/main.go"} <= set(
        files
    )


def by_manifest(folder: Path) -> list[str]:
    """What ESP-IDF's component manager packs by the rules of its documentation: everything, less
    its own list (only without .gitignore), less `exclude`, plus `include`.
    """
    rules = yaml.safe_load((folder / "idf_component.yml").read_text(encoding="utf-8"))["files"]
    assert not rules.get("use_gitignore"), "its own list, with .git, holds only without"
    assert rules["exclude"] == ["**/*"]
    paths = (path for pattern in rules["include"] for path in folder.glob(pattern))
    return sorted(path.relative_to(folder).as_posix() for path in paths)


def test_component_of_esp_idf(planted: Path) -> None:
    """All that its CMakeLists.txt and Kconfig name is there, and no more."""
    names = by_manifest(planted)
    check("component", {name: (planted / name).read_bytes() for name in names})
    wanted = [name for name in below(ROOT / "lib" / "src") if re.search(r"\.(c|h|inc|S)$", name)]
    assert {f"lib/src/{name}" for name in wanted} <= set(names)
    assert {"CMakeLists.txt", "Kconfig", "packages/esp-idf.cmake", "packages/sources.cmake",
            "packages/Kconfig.knobs", "packages/include/ecfit_config.h", "LICENSE",
            "lib/include/ecfit/x25519.h"} <= set(names)  # fmt: skip


@WHOLE
def test_each_file_has_a_licence(tmp_path: Path) -> None:
    """By the tool of REUSE."""
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    run(tmp_path / "venv/bin/pip", "install", "-q", "reuse==6.2.0")
    run(tmp_path / "venv/bin/reuse", "lint", cwd=copy_checkout(tmp_path / "ecfit"))


@WHOLE
def test_component_by_its_own_tool(planted: Path, tmp_path: Path) -> None:
    """What it packs is what the rules say."""
    run(sys.executable, "-m", "venv", tmp_path / "idf")
    run(tmp_path / "idf/bin/pip", "install", "-q", "idf-component-manager==3.1.2")
    run(tmp_path / "idf/bin/compote", "component", "pack", "--name", "ecfit",
        "--project-dir", planted, "--dest-dir", tmp_path / "out")  # fmt: skip
    (archive,) = (tmp_path / "out").glob("*.tgz")
    files = unpacked(archive)
    check("component", files)
    assert sorted(set(files) - {"CHECKSUMS.json"}) == by_manifest(planted)
    assert archive.stat().st_size < 1_000_000


@WHOLE
def test_package_of_platformio(planted: Path, tmp_path: Path) -> None:
    """But for the licence's name, which its tool wants to look up elsewhere."""
    run(sys.executable, "-m", "venv", tmp_path / "pio")
    run(tmp_path / "pio/bin/pip", "install", "-q", "platformio==6.2.0")
    folder = tmp_path / "ecfit"
    shutil.copytree(planted, folder, symlinks=True)
    described = json.loads((folder / "library.json").read_text(encoding="utf-8"))
    del described["license"]
    (folder / "library.json").write_text(json.dumps(described), encoding="utf-8")
    settings = {"CORE_DIR": str(tmp_path / "core"), "SETTING_ENABLE_TELEMETRY": "no"}
    variables = {f"PLATFORMIO_{name}": value for name, value in settings.items()}
    archive = tmp_path / "ecfit.tar.gz"
    run(tmp_path / "pio/bin/pio", "pkg", "pack", folder, "-o", archive, cwd=None, **variables)
    files = unpacked(archive)
    check("platformio", files)
    assert set(files) - {"README.md", "LICENSE", "library.json"} == {
        name for name in by_manifest(planted)
        if name.startswith(("lib/", "packages/include/"))
    }  # fmt: skip


@pytest.mark.parametrize("name", ["ecfit-sys", "ecfit"])
def test_crate(planted: Path, name: str, tmp_path: Path) -> None:
    """What `cargo package` lists; whether that builds alone: test_rust.py."""
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")
    crates = tmp_path / "crates"
    shutil.copytree(planted / "packages" / "rust", crates, symlinks=True)
    assert [path for path in crates.rglob("*") if path.is_symlink()] == []
    release.fill_crates(crates, planted)
    listed = run("cargo", "package", "-p", name, "--list", "--offline",
                 cwd=crates, CARGO_TARGET_DIR=str(tmp_path))  # fmt: skip
    names = listed.split()
    there = crates / name
    check(name, {one: (there / one).read_bytes() if (there / one).is_file() else b""
                 for one in names})  # fmt: skip
    wanted = {f"lib/src/{path}" for path in below(ROOT / "lib" / "src")
              if re.search(r"\.(c|h|inc|S)$", path)}  # fmt: skip
    assert name == "ecfit" or wanted | {"config/ecfit_config.h", "lib/include/ecfit.h"} <= set(
        names
    )


def test_installation_of_cmake(planted: Path, tmp_path: Path) -> None:
    """Headers, library and its description."""
    run("cmake", "-S", planted, "-B", tmp_path / "build", "-DCMAKE_INSTALL_LIBDIR=lib")
    run("cmake", "--build", tmp_path / "build")
    run("cmake", "--install", tmp_path / "build", "--prefix", tmp_path / "there")
    files = below(tmp_path / "there")
    check("installed", files)
    curves = {name for name in files if name.startswith("include/ecfit/")}
    assert curves == {"include/ecfit/secp256r1.h"}, "of the curves that the library has"


@WHOLE
def test_amalgams(planted: Path) -> None:
    """Those of the release."""
    files = made(planted, "amalgams")[f"ecfit-{__version__}-amalgams.tar.gz"]
    top = f"ecfit-{__version__}-amalgams/"
    check("amalgams", {name.removeprefix(top): data
                       for name, data in insides("x.tar.gz", files).items()})  # fmt: skip


def test_module_of_zephyr_names_only_files_of_the_repository() -> None:
    """west takes the repository: the module brings no archive, no blob and no script of its own."""
    module = yaml.safe_load((ROOT / "zephyr" / "module.yml").read_text(encoding="utf-8"))
    assert module == {"name": "ecfit", "build": {"cmake": "zephyr", "kconfig": "zephyr/Kconfig"}}


def test_forms_of_issues_are_ones() -> None:
    """As the forge's schema asks: names, kinds that it knows, labels, each id once."""
    paths = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert paths
    for path in paths:
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert form.keys() == {"name", "description", "body"}
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        assert {field["type"] for field in fields} <= {
            "input", "textarea", "dropdown", "checkboxes",
        }  # fmt: skip
        names = [field["id"] for field in fields]
        assert len({*names}) == len(names) > 0
        labels = [field["attributes"]["label"] for field in fields]
        assert len({*labels}) == len(labels)
        assert all(field["attributes"].get("options") for field in fields
                   if field["type"] == "dropdown")  # fmt: skip
