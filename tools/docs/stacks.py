#!/usr/bin/env python3
"""Measures what stacks of others take with their own elliptic curves and with ecfit, on three
chips, keeps that in results/stacks.jsonl, and writes the tables of docs/packages.md from it.

tools/docs/stacks.py            writes the tables
tools/docs/stacks.py --check    writes nothing; exit code 1 where a table differs
tools/docs/stacks.py --measure riot[,..] --peer-dir riot=CHECKOUT[,..]    measures, keeps, writes

Stacks that are no package of a registry are checkouts of yours. RIOT's needs its whole history:
where its build would download headers of Arm and Nordic, it gets RIOT's own older copies. For Rust,
`rustup target add thumbv6m-none-eabi thumbv7em-none-eabi`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from ecfit.build.elf import Elf
from ecfit.build.fetch import code_folder
from ecfit.choices.peers import all_peers
from ecfit.paths import ROOT, write_atomic
from tools.ct_compilers import commit
from tools.docs import example_table, mcuboot_table
from tools.docs.uecc_table import CHIPS, END

PAGE, KEPT = ROOT / "docs" / "packages.md", ROOT / "results" / "stacks.jsonl"
BEGIN = "<!-- table: tools/docs/stacks.py {} -->\n"
SCREENS = 2 * 50  # lines of a section
NAMES = {"key_pair": "key pair", "ecdh": "ECDH", "sign": "sign", "verify": "verify",
         "image": "image"}  # fmt: skip
PSA_PARTS = {"ecdh": "e", "sign": "s", "verify": "v"}
EXAMPLE = ROOT / "examples" / "psa"
WRAPPERS = "psa_crypto_driver_wrappers_no_static.c"
ESP = ("esp32c3", "esp32c6", "esp32h2")
OURS = ("tiny", "balanced")
COMPAT = ROOT / "compat" / "mcuboot"
BOARDS = {"nrf51822": "nrf51dk", "samd20": "samd20-xpro", "nrf52840": "nrf52840dk"}
TARGETS = {"nrf51822": "thumbv6m-none-eabi", "samd20": "thumbv6m-none-eabi",
           "nrf52840": "thumbv7em-none-eabi"}  # fmt: skip


class Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A chip with one implementation. `flash_bytes`: what the operations add to a program without
    one; `verify_flash_bytes`: a verification alone; `stack_bytes`: of the deepest operation;
    `peer`: the commit or the version of the stack, `commit`: of this tree.
    """

    stack: str
    chip: str
    by: str
    flash_bytes: int | None = None
    verify_flash_bytes: int
    stack_bytes: int
    cycles: dict[str, int]
    peer: str
    commit: str
    date: str


class Stack(NamedTuple):
    """`of`: whose commit `peer` is. `build`: the program of a chip with one implementation and one
    part (a letter of examples/psa; `0` for none, `a` for all), in a folder.
    """

    of: str
    chips: Sequence[str]
    libraries: Sequence[str]
    operations: Sequence[str]
    build: Callable[[str, str, str, Path], Path]


def run(command: Sequence[str | Path], **more: Any) -> str:
    """What it prints. Errors: SystemExit with the end of it."""
    done = subprocess.run(
        [*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False, **more,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{done.stdout[-3000:]}\nstacks.py: error: {command[0]} failed")
    return str(done.stdout)


def psa(chip: str, part: str, folder: Path, *words: str) -> Path:
    """examples/psa, built with these words. What the parts have in common is compiled once, beside
    the folder.
    """
    out = folder.parent / ("alone" if part == "v" else "whole")
    alone = " -DVERIFY_ALONE" if part == "v" else ""
    config = "--curve secp256r1 --preset $(PRESET) --set NONCE=random"
    found = [f"TARGET_{chip}={chip}", f"BOARD_{chip}=simulator", f"PYTHON={sys.executable}",
             f"CONFIG={config}{' --op verify' if alone else ''}", *words,
             f"DEFINES=-w -DPART=\"'{part}'\"{alone}"]  # fmt: skip
    if chip in CHIPS:
        found += [
            f"CORE_{chip}={CHIPS[chip]}",
            f"MEMORY_{chip}=FLASH=0 FLASH_SIZE=0x40000 RAM=0x20000000 RAM_SIZE=0x3000",
        ]
    else:
        found += [f"CC_{chip}=riscv64-unknown-elf-gcc", f"SPECS_{chip}=picolibc.specs",
                  f"ISA_{chip}=-march=rv32imc -mabi=ilp32",
                  f"MEMORY_{chip}=FLASH=0x42000000 FLASH_SIZE=0x400000 RAM={RAM[chip]} "
                  "RAM_SIZE=0x50000"]  # fmt: skip
    said = ""
    for goals in ((f"{out}/ecfit_config.h",), (f"{out}/{WRAPPERS}",), ("-n",)):
        if not goals[0].endswith(WRAPPERS) or any("TF_PSA" in w or "DRIVER" in w for w in words):
            done = example_table.make("psa", chip, out, *found, *goals)
            if done.returncode:
                sys.exit(f"{' '.join(words)} for {chip}: {done.stderr[-2000:]}")
            said = done.stdout
    compiler, *command = shlex.split(said.splitlines()[-1])
    sources = [word for word in command if word.endswith((".c", ".S"))]
    flags = [word for word in command[: command.index("-o")] if word not in sources]
    linked = []
    for source in sources:
        if source != "main.c":
            linked.append(f"{out}/{Path(source).name}.o")
            if not Path(linked[-1]).exists():
                words_c = [w for w in flags if not w.startswith(("-Wl,", "-nostartfiles"))]
                run([compiler, *words_c, "-c", source, "-o", linked[-1]], cwd=EXAMPLE)
    folder.mkdir(parents=True, exist_ok=True)
    run([compiler, *flags, "main.c", *linked, "-o", folder / "psa.elf"], cwd=EXAMPLE)
    return folder / "psa.elf"


RAM = {"esp32c3": "0x3fc80000", "esp32c6": "0x40800000", "esp32h2": "0x40800000"}


def driven(tree: str, driver: str) -> Callable[[str, str, str, Path], Path]:
    """Of a tree of Mbed TLS or TF-PSA-Crypto, with its own code, its p256-m, or our driver."""

    def build(chip: str, by: str, part: str, folder: Path) -> Path:
        words = {"its own code": (), "its p256-m": ("P256M=1",)}.get(
            by, (f"DRIVER={driver}", f"PRESET={by.removeprefix('ecfit ')}")
        )
        return psa(chip, part, folder, tree, *words)

    return build


# ---- MCUboot, with its configuration for Zephyr -------------------------------------------------


def mcuboot(peer: Path) -> Callable[[str, str, str, Path], Path]:
    """MCUboot's validation of an image of 4 KiB, as its menu for Zephyr configures it."""

    def build(chip: str, by: str, part: str, folder: Path) -> Path:
        from tools.rigs import mcuboot_peer

        theirs = by == "TinyCrypt"
        port = folder / "zephyr"
        chosen = mcuboot_peer.ECDSA if theirs else (*mcuboot_peer.ECDSA, "BOOT_ECDSA_ECFIT")
        mcuboot_peer.menu(peer, port, *chosen)
        one = mcuboot_table.BUILDS["ecdsa-p256"][0]
        if not theirs:
            one = mcuboot_table.ours(by.removeprefix("ecfit "), "DER=strict,SHA256=own")
        defines = f"-imacros {port}/autoconf.h -I{port}"
        if not theirs:
            defines += f" -DMCUBOOT_USE_CUSTOM_CRYPTO -include {COMPAT}/ecfit_zephyr.h"
        one = one._replace(defines=defines)
        return mcuboot_table.built(peer, chip, "ecdsa-p256", one, folder / part)[0]

    return build


# ---- RIOT ---------------------------------------------------------------------------------------

# What examples/psa/main.c wants of a board, which RIOT's own board.h has not; no ECDH in its PSA.
SHIM = """\
#define WITHOUT_ECDH
#include <stddef.h>
#include <stdint.h>
#define board_say(text) ((void)(text))
#define board_random(context, out, size) ((void)(context), (void)(out), (void)(size), -1)
#include "board.h"
#include "psa/crypto.h"
#define PART '{part}' /* behind headers of chips, which have this name */
"""
# On a board, RIOT's glue for micro-ecc signs nothing before somebody names a generator.
SEEDED = """\
#include "uECC.h"
static int fill(uint8_t *out, unsigned size)
{
    return psa_generate_random(out, size) == PSA_SUCCESS;
}
int operations(void);
int main(void)
{
    if (PART != '0')
        uECC_set_rng(fill);
    return operations();
}
#define main operations
"""
APPLICATION = """\
APPLICATION = psa
USEMODULE += stdio_null psa_crypto psa_hash psa_hash_sha_256
USEMODULE += psa_hash_sha_256_custom_backend psa_hash_sha_256_backend_riot
USEMODULE += psa_asymmetric psa_asymmetric_ecc_p256r1
{backend}CFLAGS += -DCONFIG_PSA_ASYMMETRIC_KEYPAIR_COUNT=1 -DCONFIG_PSA_SINGLE_KEY_COUNT=1
DEVELHELP = 0
include $(RIOTBASE)/Makefile.include
"""
MICRO = "USEMODULE += psa_asymmetric_ecc_p256r1_custom_backend psa_asymmetric_ecc_p256r1_backend_"
# Headers that a build of RIOT downloads: the last commit of RIOT that had them, where, and where a
# build looks for them.
OLDER = {
    "PKG_SOURCE_LOCAL_CMSIS": (
        "9b32854b13^", ("cpu/cortexm_common/include/vendor",), ("CMSIS/Core/Include",)
    ),
    "PKG_SOURCE_LOCAL_NRF5X_NRFX_MDK": (
        "4752d2e291^", ("cpu/nrf51/include/vendor", "cpu/nrf52/include/vendor"), ("mdk", "vendor")
    ),
}  # fmt: skip


def riot(peer: Path, scratch: Path) -> Callable[[str, str, str, Path], Path]:
    """The same program on RIOT's PSA Crypto."""
    words = [f"PKG_SOURCE_LOCAL_MICRO_ECC={code_folder(all_peers()['micro-ecc']) / 'micro-ecc'}"]

    def headers() -> None:
        for name, (revision, theirs, ours) in OLDER.items():
            folder = scratch / name
            for one in theirs:
                archive = folder.with_suffix(".tar")
                folder.mkdir(parents=True, exist_ok=True)
                run(["git", "-C", peer, "archive", "-o", archive, f"{revision}", one])
                run(["tar", "xf", archive, "-C", folder])
                for place in ours:
                    shutil.copytree(folder / one, folder / place, dirs_exist_ok=True)
            words.append(f"{name}={folder}")

    def build(chip: str, by: str, part: str, folder: Path) -> Path:
        if len(words) == 1:
            headers()
        whose, _, preset = by.partition(" ")
        where = scratch / f"riot-{chip}-{by}".replace(" ", "-")
        where.mkdir(exist_ok=True)
        backend = f"{MICRO}microecc\n"
        if whose == "ecfit":
            backend = f"USEMODULE += ecfit\nCFLAGS += -DCONFIG_ECFIT_PRESET_{preset.upper()}\n"
            backend += f"{MICRO}ecfit\n"
            backend += f"EXTERNAL_MODULE_DIRS += {ROOT}/packages/riot\n"
        (where / "Makefile").write_text(APPLICATION.format(backend=backend), encoding="utf-8")
        text = SHIM.format(part=part) + (SEEDED if whose == "micro-ecc" else "")
        text += f'#include "{ROOT}/examples/psa/main.c"\n'
        (where / "main.c").write_text(text, encoding="utf-8")
        run(["make", "-s", "-C", where, f"RIOTBASE={peer}", f"BOARD={BOARDS[chip]}",
             f"BINDIRBASE={where}/bin", "WERROR=0", *words])  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(where / "bin" / BOARDS[chip] / "psa.elf", folder))

    return build


# ---- Rust ---------------------------------------------------------------------------------------

THEIRS = "p256 0.14"
MANIFEST = """\
[package]
name = "program"
version = "0.0.0"
edition = "2021"
[workspace]
[lib]
crate-type = ["staticlib"]
path = "lib.rs"
[dependencies]
signature = {{ version = "3", default-features = false }}
{crate}
[profile.release]
opt-level = "s"
lto = "fat"
codegen-units = 1
panic = "abort"
"""
CRATES = {
    THEIRS: 'p256 = {{ version = "=0.14.0", default-features = false, features = ["ecdsa"] }}',
    "ecfit": 'ecfit = {{ path = "{root}/packages/rust/ecfit", features = ["secp256r1"] }}',
}
SECRET = b"an example, and so not a secret."
HASH = b"\x5a" * 32
PROGRAM = """\
#![no_std]
use core::hint::black_box;
use core::ptr::addr_of_mut;
use signature::hazmat::{PrehashSigner, PrehashVerifier};
use signature::Keypair;
use USED::{Signature, SigningKey, VerifyingKey};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

static PRIVATE: [u8; 32] = BYTES;
static HASH: [u8; 32] = BYTES;
static PUBLIC: [u8; 65] = BYTES;
static SIGNATURE: [u8; 64] = BYTES;
static mut KEY: Option<SigningKey> = None;

#[no_mangle]
pub extern "C" fn key_pair() -> i32 {
    let Ok(key) = SigningKey::from_bytes(black_box(&PRIVATE).into()) else { return 1 };
    black_box(&key.verifying_key());
    unsafe { *addr_of_mut!(KEY) = Some(key) };
    0
}

#[no_mangle]
pub extern "C" fn sign() -> i32 {
    let Some(key) = (unsafe { &*addr_of_mut!(KEY) }) else { return 1 };
    let made: Result<Signature, _> = key.sign_prehash(black_box(&HASH));
    let Ok(made) = made else { return 2 };
    black_box(&made);
    0
}

#[no_mangle]
pub extern "C" fn verify() -> i32 {
    let Ok(key) = VerifyingKey::from_sec1_bytes(black_box(&PUBLIC)) else { return 1 };
    let Ok(signature) = Signature::try_from(&black_box(&SIGNATURE)[..]) else { return 2 };
    i32::from(key.verify_prehash(black_box(&HASH), &signature).is_err()) * 3
}

#[no_mangle]
pub extern "C" fn all() -> i32 {
    key_pair() + sign() + verify()
}
"""


def crate_program(used: str) -> str:
    """The program, with a key and a signature that another implementation made."""
    key = ec.derive_private_key(int.from_bytes(SECRET, "big"), ec.SECP256R1())
    algorithm = ec.ECDSA(utils.Prehashed(hashes.SHA256()), deterministic_signing=True)
    pair = utils.decode_dss_signature(key.sign(HASH, algorithm))
    signature = b"".join(one.to_bytes(32, "big") for one in pair)
    text = PROGRAM.replace("USED", used)
    for data in (SECRET, HASH, key.public_key().public_bytes(*example_table.POINT), signature):
        text = text.replace("BYTES", str([*data]), 1)
    return text


def crate(chip: str, library: str, folder: Path) -> Path:
    """The archive of the program. Errors: RuntimeError."""
    name, _, preset = library.partition(" ")
    text = CRATES[library if library == THEIRS else name].format(root=ROOT)
    used = "p256::ecdsa" if library == THEIRS else "ecfit::secp256r1"
    folder.mkdir(parents=True)
    (folder / "Cargo.toml").write_text(MANIFEST.format(crate=text), encoding="utf-8")
    (folder / "lib.rs").write_text(crate_program(used), encoding="utf-8")
    target = TARGETS[chip]
    made = {**os.environ, "ECFIT_PRESET": preset, "CARGO_TARGET_DIR": str(folder / "target")}
    command = ["cargo", "build", "-q", "--release", "--target", target]
    done = subprocess.run(
        command, cwd=folder, env=made, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{library} for {chip}: {done.stderr}")
    return folder / "target" / target / "release" / "libprogram.a"


# ---- measuring ----------------------------------------------------------------------------------


def measure(elf: Path, function: str, chip: str, *words: str) -> dict[str, Any]:
    """The record of a function, which returns 0. Errors: SystemExit."""
    said = run([*example_table.ECFIT, "measure", "--elf", elf, "--function", function, "--target",
                chip, "--expect", "0", "--format", "json", *words])  # fmt: skip
    (record,) = json.loads(said[said.index("[") :])
    return dict(record)


def flash(elf: Path) -> int:
    """Bytes of a program."""
    data = elf.read_bytes()
    machine = {40: "EM_ARM", 243: "EM_RISCV"}[data[18]]
    return sum(len(segment.data) for segment in Elf(data, machine).segments)


def measured(name: str, one: Stack, chip: str, by: str, folder: Path, *, peer: str) -> Row:
    """One line. Errors: SystemExit."""
    same = {"stack": name, "chip": chip, "by": by, "peer": peer, "commit": commit(),
            "date": datetime.now(UTC).date().isoformat()}  # fmt: skip
    if name == "rust":
        archive = crate(chip, by, folder)
        first = ("--before", "key_pair")
        each = {
            part: measure(archive, part, chip, *(first if part == "sign" else ()))
            for part in one.operations
        }
        return Row(
            flash_bytes=measure(archive, "all", chip)["flash_bytes"],
            verify_flash_bytes=each["verify"]["flash_bytes"],
            stack_bytes=max(found["stack_bytes"] for found in each.values()),
            cycles={part: found["cycles"] for part, found in each.items()},
            **same,
        )
    parts = {operation: PSA_PARTS.get(operation, "v") for operation in one.operations}
    wanted = ("0", *parts.values(), *(("a",) if len(parts) > 1 else ()))
    programs = {part: one.build(chip, by, part, folder / part) for part in wanted}
    each = {operation: measure(programs[part], "main", chip) for operation, part in parts.items()}
    empty = flash(programs["0"])
    image = len(mcuboot_table.signed("ecdsa-p256")[1]) if name == "mcuboot" else 0
    return Row(
        flash_bytes=flash(programs["a"]) - empty if "a" in programs else None,
        verify_flash_bytes=flash(programs["v"]) - empty - (image + 3) // 4 * 4,
        stack_bytes=max(found["stack_bytes"] for found in each.values()),
        cycles={operation: found["cycles"] for operation, found in each.items()},
        **same,
    )


def stacks(peers: dict[str, Path], scratch: Path) -> dict[str, Stack]:
    """Those that can be measured with these checkouts."""
    ours = tuple(f"ecfit {preset}" for preset in OURS)
    psa_ops = tuple(PSA_PARTS)
    mbedtls = code_folder(all_peers()["mbedtls"]) / "mbedtls"
    found = {
        "mbedtls": Stack(
            "mbedtls", tuple(CHIPS), ("its own code", "its p256-m", *ours), psa_ops,
            driven(f"MBEDTLS={mbedtls}", "merge"),
        ),
        "rust": Stack(
            "rust", tuple(CHIPS), (THEIRS, "ecfit compact", "ecfit balanced"),
            ("key_pair", "sign", "verify"), lambda *_: Path(),
        ),
    }  # fmt: skip
    if tree := peers.get("tf-psa-crypto"):
        words = f"TF_PSA_CRYPTO={tree}"
        found["tf-psa-crypto"] = Stack(
            "tf-psa-crypto", tuple(CHIPS), ("its own code", "its p256-m", *ours), psa_ops,
            driven(words, "first"),
        )  # fmt: skip
        found["esp-idf"] = Stack(
            "tf-psa-crypto", ESP, ("its own code", *ours), psa_ops, driven(words, "merge")
        )
    if tree := peers.get("mcuboot"):
        found["mcuboot"] = Stack(
            "mcuboot", tuple(CHIPS), ("TinyCrypt", *ours), ("image",), mcuboot(tree)
        )
    if tree := peers.get("riot"):
        found["riot"] = Stack(
            "riot", tuple(CHIPS), ("micro-ecc", *ours), ("sign", "verify"), riot(tree, scratch)
        )
    return found


TITLES = {"tf-psa-crypto": "TF-PSA-Crypto", "mcuboot": "MCUboot", "riot": "RIOT"}


def version(of: str, peers: dict[str, Path]) -> str:
    """What was tested: the commit of a checkout, or the version of a package."""
    if of == "rust":
        return THEIRS
    if of == "mbedtls":
        return f"Mbed TLS {all_peers()['mbedtls'].library_version}"
    return (
        f"{TITLES[of]} {run(['git', '-C', peers[of], 'rev-parse', '--short=10', 'HEAD']).strip()}"
    )


def kept() -> list[Row]:
    """The records."""
    lines = KEPT.read_bytes().splitlines() if KEPT.is_file() else []
    return [msgspec.json.decode(line, type=Row) for line in lines]


def keep(rows: Sequence[Row]) -> None:
    """Writes them in the place of older ones of the same stack."""
    names = {row.stack for row in rows}
    both = [row for row in kept() if row.stack not in names] + list(rows)
    both.sort(key=lambda row: row.stack)
    write_atomic(KEPT, b"".join(msgspec.json.encode(row) + b"\n" for row in both))


# ---- the page -----------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> str:
    """What was tested, and a line for each chip and implementation."""
    operations = [name for name in NAMES if name in rows[0].cycles]
    whole = rows[0].flash_bytes is not None
    head = ["chip", "by", *(["flash B"] if whole else []), "verify alone, flash B", "stack B"]
    head += [f"{NAMES[name]}, M cycles" for name in operations]
    text = f"Tested: {rows[0].peer}, with ecfit {rows[0].commit} on {rows[0].date}.\n\n"
    text += f"| {' | '.join(head)} |\n| --- | --- |{' ---: |' * (len(head) - 2)}\n"
    for row in rows:
        sizes = [row.flash_bytes] if row.flash_bytes is not None else []
        cells = [f"{size:,}" for size in (*sizes, row.verify_flash_bytes, row.stack_bytes)]
        cells += [f"{row.cycles[name] / 1e6:.2f}" for name in operations]
        text += f"| {row.chip} | {row.by} | {' | '.join(cells)} |\n"
    return text


def page(text: str, rows: Sequence[Row]) -> str:
    """The page with all tables. Errors: SystemExit naming a table without a record, a section that
    is longer than two screens.
    """
    for name in re.findall(BEGIN.format(r"([\w-]+)").strip(), text):
        own = [row for row in rows if row.stack == name]
        if not own:
            sys.exit(f"stacks.py: error: {KEPT.name} has no record of {name}")
        head, rest = text.split(BEGIN.format(name))
        text = f"{head}{BEGIN.format(name)}\n{table(own)}\n{END}{rest.split(END, 1)[1]}"
    for section in text.split("\n## "):
        lines = section.count("\n")
        if "stacks.py" in section and lines > SCREENS:
            sys.exit(
                f"stacks.py: error: {section.splitlines()[0]} has {lines} lines, not {SCREENS}"
            )
    return text


def main(words: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--measure", metavar="STACK,..", help="measure these, and keep them")
    parser.add_argument("--peer-dir", metavar="NAME=CHECKOUT,..", default="")
    asked = parser.parse_args(words)
    peers = {}
    for pair in filter(None, asked.peer_dir.split(",")):
        name, _, path = pair.partition("=")
        if name not in TITLES or not Path(path, ".git").exists():
            parser.error(f"--peer-dir: {pair} is no checkout of {', '.join(TITLES)}")
        peers[name] = Path(path).resolve()
    with tempfile.TemporaryDirectory(prefix="stacks-") as scratch:
        known = stacks(peers, Path(scratch)) if asked.measure else {}
        for name in filter(None, (asked.measure or "").split(",")):
            if name not in known:
                parser.error(
                    f"--measure: no {name} without its checkout; there are {', '.join(known)}"
                )
            one = known[name]
            rows = []
            for chip in one.chips:
                for by in one.libraries:
                    folder = Path(scratch, name, chip, by.replace(" ", "-"))
                    peer = version(one.of, peers)
                    rows.append(measured(name, one, chip, by, folder, peer=peer))
                    print(msgspec.json.encode(rows[-1]).decode(), flush=True)
                    shutil.rmtree(folder, ignore_errors=True)
            keep(rows)
    text = PAGE.read_text(encoding="utf-8")
    new = page(text, kept())
    if not asked.check:
        write_atomic(PAGE, new.encode())
    elif new != text:
        sys.exit(
            "stacks.py: error: docs/packages.md differs from the records; run tools/docs/stacks.py"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
