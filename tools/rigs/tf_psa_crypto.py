#!/usr/bin/env python3
"""Runs thirteen suites of TF-PSA-Crypto 1.x with the driver of lib/psa. It is a checkout of yours.

tools/rigs/tf_psa_crypto.py --peer-dir tf-psa-crypto=PATH [--way NAME] [--keep FOLDER]
tools/rigs/tf_psa_crypto.py --peer-dir tf-psa-crypto=PATH --esp-idf    the lines of docs/packages.md

Each way is compared, case by case, with the library's own code in the same configuration: what it
runs, what it skips, how each case ends. Exit code 1 where one differs or fails. The checkout needs
its submodule `framework`, and jinja2 and jsonschema of Python; it is built in another folder.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ecfit.paths import LIB
from ecfit_lab.tls.image import PSA_CURVES
from tools.docs import example_table
from workshop.devices.consumer import blocks

PSA = LIB / "psa"
SUITES = """
    psa_crypto psa_crypto_op_fail.generated psa_crypto_op_fail.misc
    psa_crypto_storage_format.current psa_crypto_storage_format.v0
    psa_crypto_not_supported.generated psa_crypto_generate_key.generated
    psa_crypto_driver_wrappers psa_crypto_persistent_key psa_crypto_pake pk pkparse pkwrite
""".split()  # noqa: SIM905
# Points in compressed form, which the library parses with its own arithmetic alone. It says so in
# its docs/driver-only-builds.md.
COMPRESSED = re.compile(r"Parse .*EC Key.* compressed\)")
NO_X448 = "#undef PSA_WANT_ECC_MONTGOMERY_448\n"
# What needs arithmetic on points beyond the entry points of a driver.
DRIVER_ALONE = NO_X448 + "".join(
    f"#undef {name}\n"
    for name in (
        "MBEDTLS_PK_PARSE_EC_EXTENDED",
        "MBEDTLS_PK_PARSE_EC_COMPRESSED",
        "PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_DERIVE",
        "PSA_WANT_ALG_JPAKE",
    )
)
ACCELERATED = "".join(
    f"#define MBEDTLS_PSA_ACCEL_{name} 1\n"
    for name in (
        *(f"ECC_{curve}" for curve in PSA_CURVES.values()),
        *("ALG_ECDH", "ALG_ECDSA", "ALG_DETERMINISTIC_ECDSA", "KEY_TYPE_ECC_PUBLIC_KEY"),
        *(f"KEY_TYPE_ECC_KEY_PAIR_{what}" for what in ("BASIC", "IMPORT", "EXPORT", "GENERATE")),
    )
)
P256 = NO_X448 + "".join(
    f"#undef PSA_WANT_ECC_{name}\n" for name in PSA_CURVES.values() if name != "SECP_R1_256"
)


class Way(NamedTuple):
    """How the driver gets into a build."""

    what: str
    curves: tuple[str, ...]
    wants: str  # the configuration, with and without the driver
    driver: str  # what the driver adds to it
    flags: tuple[str, ...] = ()  # of the compiler
    source: str = ""  # a further source of lib/psa
    merged: bool = False
    absent: str = ""  # a symbol that no program has


FIRST = (f"-iquote {PSA / 'first'}",)
WAYS = {
    "beside": Way("before its own code", tuple(PSA_CURVES), NO_X448, "", FIRST),
    "alone": Way(
        "in place of its own code", tuple(PSA_CURVES), DRIVER_ALONE, ACCELERATED, FIRST,
        absent="mbedtls_ecp_mul",
    ),
    "merged": Way(
        "in place of its own code, by merge.py", tuple(PSA_CURVES), DRIVER_ALONE, ACCELERATED,
        ("-DECFIT_PSA_DRIVER_ENABLED",), merged=True, absent="mbedtls_ecp_mul",
    ),
    "hook": Way(
        "P-256 through the hook of p256-m", ("secp256r1",), P256,
        "#define MBEDTLS_PSA_P256M_DRIVER_ENABLED\n",
        source="ecfit_psa_p256m.c", absent="p256_ecdsa_sign",
    ),
}  # fmt: skip
# A project of ESP-IDF: its component ecfit, and what components/mbedtls does.
IDF_PROJECT = """\
cmake_minimum_required(VERSION 3.20)
project(app C ASM)
add_subdirectory({core})
add_library(ecfit STATIC components/ecfit/lib/src/ecfit.c components/ecfit/lib/src/ecfit_asm.S)
target_include_directories(ecfit PUBLIC
    crypto components/ecfit/lib/include components/ecfit/lib/src)
add_library(idf::ecfit ALIAS ecfit)
add_executable(app main.c)
target_link_libraries(app tfpsacrypto)
"""
# Signs; 0 where that worked.
IDF_MAIN = """\
#include "psa/crypto.h"

int main(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;
    uint8_t hash[32] = {1}, signature[64];
    size_t size;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_HASH);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
    return psa_crypto_init() != PSA_SUCCESS || psa_generate_key(&attributes, &key) != PSA_SUCCESS ||
           psa_sign_hash(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash, sizeof hash, signature,
                         sizeof signature, &size) != PSA_SUCCESS;
}
"""
CASE = re.compile(r"^(.*?) ?\.* (PASS|----|FAILED)$", re.M)


def run(command: Sequence[str | Path], folder: Path) -> str:
    """What it prints. Errors: SystemExit with all of it."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{done.stdout[-4000:]}\ntf_psa_crypto.py: error: {command[0]} failed in {folder}")
    return done.stdout


def objects(peer: Path, way: Way, folder: Path) -> list[Path]:
    """Compiles library and driver."""
    sets = ",".join(f"{name}.NONCE=random" for name in way.curves if name != "x25519")
    run([*example_table.ECFIT, "config", "--target", "host", "--curve", ",".join(way.curves),
         "--set", sets, "-o", folder], folder)  # fmt: skip
    include = [folder, PSA, LIB / "include", LIB / "src", peer / "include", peer / "core",
               peer / "drivers/builtin/include"]  # fmt: skip
    sources = [LIB / "src/ecfit.c", PSA / "ecfit_psa.c"]
    sources += [PSA / way.source] if way.source else []
    run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", *(f"-I{one}" for one in include),
         f'-DTF_PSA_CRYPTO_USER_CONFIG_FILE="{folder / "user.h"}"', "-c", *sources],
        folder)  # fmt: skip
    return [folder / f"{source.stem}.o" for source in sources]


def results(peer: Path, way: Way, folder: Path, *, driver: bool) -> dict[tuple[str, str], str]:
    """The result of each case of each suite: PASS, FAILED, ---- for skipped."""
    folder.mkdir()
    (folder / "user.h").write_text(way.wants + (way.driver if driver else ""), encoding="utf-8")
    linked = objects(peer, way, folder) if driver else []
    flags = ["-O1", "-w", f"-I{PSA}", *way.flags] if driver else ["-O1", "-w"]
    run(["cmake", "-G", "Ninja", "-S", peer, "-B", folder, "-DENABLE_PROGRAMS=OFF",
         "-DCMAKE_BUILD_TYPE=None", "-DTF_PSA_CRYPTO_FATAL_WARNINGS=OFF",
         f"-DPython3_EXECUTABLE={sys.executable}", f"-DCMAKE_C_FLAGS={' '.join(flags)}",
         f"-DCMAKE_EXE_LINKER_FLAGS={' '.join(map(str, linked))}",
         "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY",  # these objects need the library
         f"-DTF_PSA_CRYPTO_USER_CONFIG_FILE={folder / 'user.h'}"], folder)  # fmt: skip
    if driver and way.merged:
        run(["ninja", "core/psa_crypto_driver_wrappers.h"], folder)
        run([sys.executable, PSA / "merge.py", folder / "core", folder / "core"], folder)
    run(["ninja", *(f"test_suite_{suite}" for suite in SUITES)], folder)
    found: dict[tuple[str, str], str] = {}
    for suite in SUITES:
        program = folder / "tests" / f"test_suite_{suite}"
        symbols = run(["nm", program], folder).split()
        if driver and suite == SUITES[0] and "ecfit_transparent_sign_hash" not in symbols:
            sys.exit(f"tf_psa_crypto.py: error: {program} does not call ecfit")
        if driver and way.absent in symbols:
            sys.exit(f"tf_psa_crypto.py: error: {program} has {way.absent}")
        done = subprocess.run(
            [program, "--verbose"], cwd=program.parent, capture_output=True, text=True, check=False
        )
        cases = CASE.findall(done.stdout)
        if f"/ {len(cases)} tests" not in done.stdout:
            sys.exit(f"{done.stdout[-2000:]}\ntf_psa_crypto.py: error: {suite} did not end")
        found |= {(suite, f"{i} {name}"): result for i, (name, result) in enumerate(cases)}
    return found


def esp_idf(peer: Path, top: Path) -> None:
    """What docs/packages.md says for ESP-IDF, on a stand-in for a project of ESP-IDF that has this
    tree: the program calls the driver. Errors: SystemExit.
    """
    _, typed, added = blocks("ESP-IDF")
    core = top / "idf/components/mbedtls/mbedtls/tf-psa-crypto"
    shutil.copytree(peer, core, ignore=shutil.ignore_patterns(".git"))
    (top / "components").mkdir()
    (top / "components/ecfit").symlink_to(PSA.parents[1])
    run([*example_table.ECFIT, "config", "--target", "host", "--curve", "secp256r1", "--set",
         "NONCE=random", "-o", top / "crypto"], top)  # fmt: skip
    for made in ("driver_wrappers", "config_checks"):
        run([sys.executable, f"scripts/generate_{made}.py", "core"], core)
    shell = typed.replace("python ", f"{sys.executable} ")
    run(["env", f"IDF_PATH={top / 'idf'}", "sh", "-ec", shell], top)
    (top / "user.h").write_text(P256, encoding="utf-8")
    (top / "main.c").write_text(IDF_MAIN, encoding="utf-8")
    (top / "CMakeLists.txt").write_text(IDF_PROJECT.format(core=core) + added, encoding="utf-8")
    run(["cmake", "-G", "Ninja", "-S", top, "-B", top / "out", "-DGEN_FILES=OFF",
         "-DENABLE_PROGRAMS=OFF", "-DENABLE_TESTING=OFF",
         f"-DTF_PSA_CRYPTO_USER_CONFIG_FILE={top / 'user.h'}"], top)  # fmt: skip
    run(["ninja", "app"], top / "out")
    run([top / "out/app"], top)
    symbols = run(["nm", top / "out/app"], top).split()
    if "ecfit_transparent_sign_hash" not in symbols:
        sys.exit("tf_psa_crypto.py: error: the program for ESP-IDF does not call ecfit")
    print("ESP-IDF: the program calls ecfit_transparent_sign_hash, and signs")


def compare(name: str, base: dict[tuple[str, str], str], ours: dict[tuple[str, str], str]) -> bool:
    """Prints a line for each suite, then each case that differs or fails. Whether none does."""
    print(f"{name}: ecfit {WAYS[name].what}, {len(ours)} cases")
    for suite in SUITES:
        both = [
            [result for (one, _), result in side.items() if one == suite] for side in (base, ours)
        ]
        counts = [(f"{side.count('PASS')} passed, {side.count('----')} skipped") for side in both]
        print(f"    {suite:38} own code {counts[0]:26} ecfit {counts[1]}")
    bad = [case for case, result in ours.items() if result == "FAILED" or base[case] != result]
    if WAYS[name].absent == "mbedtls_ecp_mul":
        left = [one for one in bad if COMPRESSED.search(one[1]) and ours[one] == "----"]
        print(f"    skipped without its own code: {len(left)} compressed keys of pkparse")
        bad = [case for case in bad if case not in left]
    for key in bad:
        print(f"    {key[0]}: {key[1]}: own code {base[key]}, ecfit {ours[key]}")
    return not bad


def main(words: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer-dir", required=True, metavar="tf-psa-crypto=PATH")
    parser.add_argument("--way", choices=WAYS, action="append", help="else all")
    parser.add_argument("--esp-idf", action="store_true", help="the lines of docs/packages.md")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="build there, and leave it")
    asked = parser.parse_args(words)
    name, _, path = asked.peer_dir.partition("=")
    peer = Path(path).resolve()
    if name != "tf-psa-crypto" or not (peer / "framework" / "scripts").is_dir():
        parser.error(
            f"--peer-dir tf-psa-crypto=PATH: {asked.peer_dir} is not a checkout of TF-PSA-Crypto "
            "with its submodule framework"
        )
    passed = True
    with tempfile.TemporaryDirectory(prefix="tf-psa-crypto-") as scratch:
        top = asked.keep or Path(scratch)
        top.mkdir(parents=True, exist_ok=True)
        if asked.esp_idf:
            esp_idf(peer, top)
            return 0
        bases: dict[str, dict[tuple[str, str], str]] = {}
        for way in asked.way or WAYS:
            wants = WAYS[way].wants
            if wants not in bases:
                bases[wants] = results(peer, WAYS[way], top / f"own-{way}", driver=False)
            ours = results(peer, WAYS[way], top / way, driver=True)
            passed &= compare(way, bases[wants], ours)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
