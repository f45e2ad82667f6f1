#!/usr/bin/env python3
"""Runs psa-arch-tests on compat/psa: those that concern its subset. It is a checkout of yours.

tools/rigs/psa_peer.py --peer-dir psa-arch-tests=PATH          [--test NUMBER]
tools/rigs/psa_peer.py --peer-dir psa-arch-tests=PATH --doc    writes the table of docs/from-psa.md

Prints a line for each test. Exit code 1 where one fails.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ecfit.paths import ROOT
from tools.docs import example_table
from tools.docs.uecc_table import between

PAGE = ROOT / "docs" / "from-psa.md"
BEGIN = "<!-- table: tools/rigs/psa_peer.py -->\n"
COMPAT = ROOT / "compat" / "psa"
HERE = ROOT / "tests" / "compat" / "psa" / "arch"
# Which functions each calls: its `val->crypto_function(VAL_CRYPTO_..)`. The others of the 80 are on
# ciphers, MAC, AEAD, key derivation, PAKE, suspended hashes, psa_copy_key, psa_key_agreement.
TESTS = {
    1: "psa_crypto_init",
    2: "psa_import_key",
    3: "psa_export_key",
    4: "psa_export_public_key",
    5: "psa_destroy_key",
    6: "psa_hash_compute",
    7: "psa_hash_compare",
    10: "attributes of keys",
    11: "psa_hash_setup",
    12: "psa_hash_update",
    13: "psa_hash_verify",
    14: "psa_hash_finish",
    15: "psa_hash_abort",
    16: "psa_generate_key",
    17: "psa_generate_random",
    41: "psa_sign_hash",
    42: "psa_verify_hash",
    43: "psa_raw_key_agreement",
    45: "psa_hash_clone",
    52: "psa_sign_message",
    53: "psa_verify_message",
}
WITH_EDDSA = (52, 53)
# Headers that are not in its repository, or that its build makes: pal_config.h has what is wanted.
ABSENT = ("val_common_log.h", "val_common_status.h", "test_entry_fn_declare_list.inc")
CURVES = "secp192r1,secp224r1,secp256r1,secp384r1,ed25519,ed448"
SETS = ",".join(
    f"{name}.NONCE=random,{name}.COMPRESS=sec1"
    for name in CURVES.split(",")
    if name.startswith("secp")
)


# The library is compiled for both sanitizers; their tests are not: one of them gives a key of 28
# bytes the length of 32.
CC = ["cc", "-w", "-g1", "-O1"]
SANITIZED = "-fsanitize=address,undefined"


def library(folder: Path) -> list[str]:
    """Compiles the library and compat/psa in a folder: objects, and folders of headers."""
    command = [*example_table.ECFIT, "config", "--target", "host", "--curve", CURVES, "--set",
               f"{SETS},HASH_STREAM=own,SHA256=own,SHA512=own", "-o", str(folder)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    for name in ABSENT:
        (folder / name).touch()
    include = [f"-I{one}" for one in (folder, ROOT / "lib/include", ROOT / "lib/src", COMPAT)]
    units = [COMPAT / "psa_crypto.c", COMPAT / "psa_hash.c", ROOT / "lib/src/ecfit.c"]
    subprocess.run([*CC, SANITIZED, *include, "-c", *map(str, units)], check=True, cwd=folder)
    return [*include, *(str(folder / f"{unit.stem}.o") for unit in units)]


def run(
    peer: Path, built: Sequence[str], number: int, folder: Path, *defines: str
) -> tuple[int, str]:
    """One test: its exit code, and what it printed. Errors: CalledProcessError."""
    name = f"test_c{number:03}"
    crypto = peer / "api-tests" / "dev_apis" / "crypto"
    nspe = peer / "api-tests" / "platform" / "targets" / "common" / "nspe"
    val = peer / "api-tests" / "val"
    include = [HERE, crypto / name, crypto / "common", nspe, nspe / "crypto", val / "common",
               val / "nspe"]  # fmt: skip
    units = [HERE / "run.c", crypto / name / f"{name}.c", crypto / "common/test_crypto_common.c"]
    command = [*CC, *defines, "-DCRYPTO", f'-DHEADER="{name}.h"', f"-DLIST={name}_crypto_list",
               *(flag for flag in built if flag.startswith("-I")),
               *(f"-I{one}" for one in include), "-c", *map(str, units)]  # fmt: skip
    subprocess.run(command, check=True, cwd=folder)
    objects = [*(f"{unit.stem}.o" for unit in units), *(one for one in built if one[0] != "-")]
    subprocess.run(["cc", SANITIZED, *objects, "-o", name], check=True, cwd=folder)
    done = subprocess.run([str(folder / name)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def only_prehashed(said: str) -> bool:
    """Whether all checks before the first one on Ed25519ph or Ed448ph passed, which the subset
    does not have: that one is answered by PSA_ERROR_NOT_SUPPORTED.
    """
    *_, last = (line for line in said.splitlines() if "heck " in line)
    return "ph" in last.lower().split("eddsa")[-1] and "Actual: -134" in said


def main(words: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--peer-dir", required=True, metavar="psa-arch-tests=PATH")
    parser.add_argument("--test", type=int, choices=TESTS, action="append")
    parser.add_argument("--doc", action="store_true", help="write the table of docs/from-psa.md")
    found = parser.parse_args(words)
    name, _, path = found.peer_dir.partition("=")
    peer = Path(path).resolve()
    if name != "psa-arch-tests" or not (peer / "api-tests" / "dev_apis").is_dir():
        parser.error(
            f"--peer-dir psa-arch-tests=PATH: {found.peer_dir} is not a checkout of psa-arch-tests"
        )
    failed = 0
    table = "| test | functions | result |\n| --- | --- | --- |\n"
    with tempfile.TemporaryDirectory(prefix="psa-") as scratch:
        built = library(Path(scratch))
        for number in found.test or TESTS:
            code, said = run(peer, built, number, Path(scratch))
            passed = code == 0
            result = "passed" if passed else "failed"
            if passed and number in WITH_EDDSA:
                code, more = run(peer, built, number, Path(scratch), "-DWITH_EDDSA")
                passed = code == 0 or only_prehashed(more)
                result += ", PureEdDSA too" if passed else ", PureEdDSA failed"
                said += more
            print(f"test_c{number:03} {TESTS[number]}: {result}", flush=True)
            table += f"| c{number:03} | {TESTS[number]} | {result} |\n"
            if not passed:
                failed = 1
                print(said)
    if found.doc:
        PAGE.write_text(between(PAGE.read_text(encoding="utf-8"), BEGIN, table), encoding="utf-8")
    return failed


if __name__ == "__main__":
    sys.exit(main())
