#!/usr/bin/env python3
"""Measures a program for the traits of RustCrypto on three chips, with the crate p256 and with the
crate ecfit, and writes the table of docs/from-rustcrypto.md. cargo fetches p256.

tools/docs/rust_table.py            writes
tools/docs/rust_table.py --check    writes nothing; exit code 1 where a line differs
--chip nrf52840, --library "ecfit compact"    measure some lines, and leave the others
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from ecfit.paths import ROOT
from tools.docs import example_table
from tools.docs.uecc_table import rewrite

PAGE = ROOT / "docs" / "from-rustcrypto.md"
BEGIN = "<!-- table: tools/docs/rust_table.py -->\n"
TARGETS = {"nrf51822": "thumbv6m-none-eabi", "samd20": "thumbv6m-none-eabi",
           "nrf52840": "thumbv7em-none-eabi"}  # fmt: skip
THEIRS = "p256 0.14"
LIBRARIES = (THEIRS, "ecfit compact", "ecfit balanced")
PARTS = {"key_pair": "key pair", "sign": "sign", "verify": "verify"}
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


def program(used: str) -> str:
    """The program, with a key and a signature that another implementation made."""
    key = ec.derive_private_key(int.from_bytes(SECRET, "big"), ec.SECP256R1())
    algorithm = ec.ECDSA(utils.Prehashed(hashes.SHA256()), deterministic_signing=True)
    pair = utils.decode_dss_signature(key.sign(HASH, algorithm))
    signature = b"".join(one.to_bytes(32, "big") for one in pair)
    text = PROGRAM.replace("USED", used)
    for data in (SECRET, HASH, key.public_key().public_bytes(*example_table.POINT), signature):
        text = text.replace("BYTES", str([*data]), 1)
    return text


def built(chip: str, library: str, folder: Path) -> Path:
    """The archive of the program. Errors: RuntimeError."""
    name, _, preset = library.partition(" ")
    crate = CRATES[library if library == THEIRS else name].format(root=ROOT)
    used = "p256::ecdsa" if library == THEIRS else "ecfit::secp256r1"
    folder.mkdir(parents=True)
    (folder / "Cargo.toml").write_text(MANIFEST.format(crate=crate), encoding="utf-8")
    (folder / "lib.rs").write_text(program(used), encoding="utf-8")
    target = TARGETS[chip]
    made = {**os.environ, "ECFIT_PRESET": preset, "CARGO_TARGET_DIR": str(folder / "target")}
    command = ["cargo", "build", "-q", "--release", "--target", target]
    done = subprocess.run(
        command, cwd=folder, env=made, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{library} for {chip}: {done.stderr}")
    return folder / "target" / target / "release" / "libprogram.a"


def measure(chip: str, path: Path, function: str) -> dict[str, Any]:
    """The record of a function. Errors: RuntimeError."""
    command = [*example_table.ECFIT, "measure", "--elf", str(path), "--function", function,
               "--target", chip, "--expect", "0", "--format", "json"]  # fmt: skip
    command += ["--before", "key_pair"] if function == "sign" else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{path} for {chip}: {done.stderr or done.stdout}")
    (record,) = json.loads(done.stdout)
    return dict(record)


def row(chip: str, library: str, folder: Path) -> str:
    """One line."""
    path = built(chip, library, folder)
    all_of_it, *each = (measure(chip, path, function) for function in ("all", *PARTS))
    cells = [f"{one['flash_bytes']:,}" for one in (all_of_it, each[-1])]
    cells += [f"{max(one['stack_bytes'] for one in each):,}"]
    cells += [f"{one['time_us'] / 1000:,.0f}" for one in each]
    return f"| {chip} | {library} | {' | '.join(cells)} |\n"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--chip", choices=[*TARGETS], help="measure the lines of this chip alone")
    parser.add_argument("--library", choices=LIBRARIES, help="and of this library")
    options = parser.parse_args()
    heading = "| chip | library | flash B | flash B, verify alone | stack B |"
    heading += "".join(f" {name} ms |" for name in PARTS.values())
    heading += f"\n| --- | --- |{' ---: |' * (3 + len(PARTS))}\n"
    rewrite(PAGE, BEGIN, heading, product(TARGETS, LIBRARIES), row, options=options)


if __name__ == "__main__":
    main()
