#!/usr/bin/env python3
"""Runs thirteen suites of TF-PSA-Crypto 1.x with the driver of lib/psa. It is a checkout of yours.

tools/rigs/tf_psa_crypto.py --peer-dir tf-psa-crypto=PATH [--way NAME] [--keep FOLDER]
tools/rigs/tf_psa_crypto.py --peer-dir tf-psa-crypto=PATH --doc    the table of lib/psa/README.md

Each way is compared, case by case, with the library's own code in the same configuration: what it
runs, what it skips, how each case ends. Exit code 1 where one differs or fails. The checkout needs
its submodule `framework`, and jinja2 and jsonschema of Python; it is built in another folder.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ecfit.build.elf import Elf
from ecfit.paths import LIB
from ecfit_lab.tls.image import PSA_CURVES
from tools.docs import example_table
from tools.docs.uecc_table import CHIPS, MEMORY, PARTS, Measured, between

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
# Builds of examples/psa: words for its Makefile.
LIBRARIES = {
    "its own code": "",
    "its p256-m": "P256M=1",
    "ecfit tiny": "DRIVER=1 PRESET=tiny",
    "ecfit balanced": "DRIVER=1 PRESET=balanced",
}
PAGE, BEGIN = PSA / "README.md", "<!-- table: tools/rigs/tf_psa_crypto.py -->\n"
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


def measure(peer: Path, chip: str, library: str, part: str, folder: Path) -> Measured:
    """examples/psa with one operation, all (`a`) or none (`0`). Errors: SystemExit."""
    alone = " -DVERIFY_ALONE" if part == "v" else ""
    preset = LIBRARIES[library].partition("PRESET=")[2] or "tiny"
    config = f"--curve secp256r1 --preset {preset} --set NONCE=random"
    words = [f"TARGET_{chip}={chip}", f"BOARD_{chip}=simulator", f"CORE_{chip}={CHIPS[chip]}",
             f"MEMORY_{chip}={MEMORY}", f"PYTHON={sys.executable}", f"TF_PSA_CRYPTO={peer}",
             f"CONFIG={config}{' --op verify' if alone else ''}",
             *LIBRARIES[library].split()]  # fmt: skip
    done = example_table.make("psa", chip, folder, *words, f"DEFINES=-w -DPART=\"'{part}'\"{alone}")
    program = folder / "psa.elf"
    if done.returncode:
        sys.exit(f"{library} for {chip}: {done.stderr}")
    elf = Elf(program.read_bytes(), "EM_ARM")
    flash = sum(len(segment.data) for segment in elf.segments)
    if part not in PARTS:
        return Measured(flash, 0, 0)
    command = [*example_table.ECFIT, "measure", "--elf", str(program), "--function", "main",
               "--target", chip, "--expect", "0", "--format", "json"]  # fmt: skip
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    if said.returncode:
        sys.exit(f"{library} for {chip}: {said.stderr or said.stdout}")
    (record,) = json.loads(said.stdout)
    return Measured(flash, record["stack_bytes"], record["time_us"] / 1000)


def figures(peer: Path, folder: Path) -> str:
    """A line for each chip and library: flash beyond a program without an operation."""
    text = "| chip | P-256 by | flash B | flash B, verify alone | stack B |"
    text += "".join(f" {name} ms |" for name in PARTS.values())
    text += f"\n| --- | --- |{' ---: |' * (3 + len(PARTS))}\n"
    for chip in CHIPS:
        for library in LIBRARIES:
            each = {
                part: measure(
                    peer, chip, library, part, folder / f"{chip} {library} {part}".replace(" ", "-")
                )
                for part in ("0", "a", *PARTS)
            }
            timed = [each[part] for part in PARTS]
            cells = [f"{each[part].flash - each['0'].flash:,}" for part in ("a", "v")]
            cells += [f"{max(one.stack for one in timed):,}", *(f"{one.ms:,.0f}" for one in timed)]
            line = f"| {chip} | {library} | {' | '.join(cells)} |\n"
            print(line, end="", flush=True)
            text += line
    return text


def main(words: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer-dir", required=True, metavar="tf-psa-crypto=PATH")
    parser.add_argument("--way", choices=WAYS, action="append", help="else all")
    parser.add_argument("--doc", action="store_true", help="measure, and write the table")
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
        if asked.doc:
            table = between(PAGE.read_text(encoding="utf-8"), BEGIN, figures(peer, top))
            PAGE.write_text(table, encoding="utf-8")
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
