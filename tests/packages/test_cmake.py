"""The CMake package and pkg-config, as a project uses them: configured, built, linked, run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ecfit import __version__
from ecfit.choices.curves import CURVES
from ecfit.choices.knobs import header, resolve
from ecfit.ship.amalgam import amalgam
from workshop.devices.consumer import ROOT, run

MAIN = """#include <ecfit.h>

static int fill(void *context, uint8_t *out, size_t size)
{
    uint8_t *next = (uint8_t *)context;
    while (size-- > 0) {
        *out++ = (*next)++;
    }
    return 0;
}

int main(void)
{
    uint8_t next = 1, public_key[65], private_key[32], hash[32] = {7}, signature[64];
    const ecfit_rng rng = {fill, &next};
    if (ecfit_secp256r1_keygen(public_key, private_key, &rng) != ECFIT_OK) {
        return 1;
    }
    if (ecfit_secp256r1_ecdsa_sign(signature, private_key, hash, 32, &rng) != ECFIT_OK) {
        return 2;
    }
    return ecfit_secp256r1_ecdsa_verify(signature, public_key, hash, 32) == ECFIT_OK ? 0 : 3;
}
"""
PROJECT = """cmake_minimum_required(VERSION 3.16)
project(consumer C)
{how}
add_executable(consumer main.c)
target_link_libraries(consumer PRIVATE ecfit::ecfit)
"""
SUBDIRECTORY = f"add_subdirectory({ROOT} ecfit)"
FETCHED = f"""include(FetchContent)
FetchContent_Declare(ecfit SOURCE_DIR {ROOT})
FetchContent_MakeAvailable(ecfit)"""


def consume(folder: Path, how: str, *options: object) -> None:
    """Builds and runs a project."""
    folder.mkdir(exist_ok=True)
    (folder / "main.c").write_text(MAIN, encoding="utf-8")
    (folder / "CMakeLists.txt").write_text(PROJECT.format(how=how), encoding="utf-8")
    run("cmake", "-S", folder, "-B", folder / "build", *options)
    run("cmake", "--build", folder / "build")
    run(folder / "build" / "consumer")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library, installed below a folder."""
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "-S", ROOT, "-B", folder / "build", "-DCMAKE_BUILD_TYPE=MinSizeRel",
        f"-DCMAKE_INSTALL_PREFIX={folder}/usr", "-DCMAKE_INSTALL_LIBDIR=lib")  # fmt: skip
    run("cmake", "--build", folder / "build")
    run("cmake", "--install", folder / "build")
    return folder / "usr"


def test_find_package(installed: Path, tmp_path: Path) -> None:
    how = f"find_package(ecfit {__version__.rpartition('.')[0]} REQUIRED)"
    consume(tmp_path / "new", how, f"-DCMAKE_PREFIX_PATH={installed}")


def test_pkg_config(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(MAIN, encoding="utf-8")
    path = str(installed / "lib" / "pkgconfig")
    flags = run("pkg-config", "--cflags", "--libs", "ecfit", PKG_CONFIG_PATH=path).split()
    run("cc", "main.c", *flags, "-o", "consumer", cwd=tmp_path)
    run(tmp_path / "consumer")


@pytest.mark.parametrize("how", [SUBDIRECTORY, FETCHED], ids=["subdirectory", "FetchContent"])
def test_sources_beside_a_project(how: str, tmp_path: Path) -> None:
    consume(tmp_path / "new", how)


def test_a_configuration_of_ones_own(tmp_path: Path) -> None:
    """A header of `ecfit config`, with the sources of this repository."""
    settings = resolve(CURVES["secp256r1"], "tiny", {}, "w32")
    (tmp_path / "ecfit_config.h").write_text(header(settings, ["secp256r1"]), encoding="utf-8")
    consume(tmp_path / "new", SUBDIRECTORY, f"-DECFIT_CONFIG_DIR={tmp_path}")


def test_an_amalgam(tmp_path: Path) -> None:
    settings = resolve(CURVES["secp256r1"], "compact", {}, "w64")
    text = header(settings, ["secp256r1"])
    for name, content in {"ecfit_config.h": text, **amalgam(text, {}, "a test").files}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    consume(tmp_path / "new", SUBDIRECTORY, f"-DECFIT_CONFIG_DIR={tmp_path}")


def test_a_folder_without_a_header_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        ["cmake", "-S", ROOT, "-B", tmp_path / "build", f"-DECFIT_CONFIG_DIR={tmp_path}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "has no ecfit_config.h" in " ".join(done.stderr.split())
