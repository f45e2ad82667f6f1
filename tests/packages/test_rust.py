"""The crates: `ecfit-sys` with the library inside, `ecfit` with the traits of RustCrypto; tests
against independent implementations are the crates' own (packages/rust/ecfit/tests).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest

from ecfit.choices.curves import NAMED
from ecfit.choices.knobs import curve_slots
from ecfit.choices.presets import all_presets
from tools.packages import archives, release
from workshop.devices.consumer import ROOT, WHOLE, blocks, run

CRATES = ROOT / "packages" / "rust"
OLDEST = (1, 85)
OPERATIONS = ("recovery", "schnorr", "parts", "spake2p")  # features that name operations
TARGETS = ("thumbv6m-none-eabi", "thumbv7em-none-eabi")
# What links where nothing of a standard library is: it would bring a panic handler of its own.
BARE = """#![no_std]
use ecfit::signature::hazmat::{PrehashSigner, PrehashVerifier};
use ecfit::signature::{Keypair, Signer, Verifier};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

#[no_mangle]
pub extern "C" fn round_trip() -> i32 {
    let Ok(key) = ecfit::secp256r1::SigningKey::from_bytes(&[7; 32]) else { return 1 };
    let Ok(signature) = key.try_sign(b"hello") else { return 2 };
    if key.verifying_key().verify(b"hello", &signature).is_err() { return 3 };
    let Ok(signature) = key.sign_prehash(&[1; 32]) else { return 4 };
    i32::from(key.verifying_key().verify_prehash(&[1; 32], &signature).is_err()) * 5
}
"""


# Of Rust's targets, and a chip of each that runs what was built.
EMULATED = {
    "thumbv6m-none-eabi": "samd20",
    "thumbv7em-none-eabi": "nrf52840",
    "riscv32imc-unknown-none-elf": "esp32c3",
}
# RFC 6979, A.2.5 ("sample", SHA-256); RFC 7748, 5.2; RFC 8032, 7.1 (test 2).
VECTORS = """#![no_std]
use ecfit_sys::*;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

fn bytes<const N: usize>(text: &str) -> [u8; N] {
    let digit = |c: u8| if c > b'9' { c - b'a' + 10 } else { c - b'0' };
    let text = text.as_bytes();
    core::array::from_fn(|i| digit(text[2 * i]) << 4 | digit(text[2 * i + 1]))
}

#[no_mangle]
pub unsafe extern "C" fn vectors() -> i32 {
    let none = core::ptr::null();
    let key = bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
    let mut signed = [0; 64];
    let sample = b"sample";
    ecfit_secp256r1_ecdsa_sign_message(&mut signed, &key, sample.as_ptr(), sample.len(), none);
    if signed != bytes("efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716\
f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8") {
        return 1;
    }
    let scalar = bytes("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4");
    let point = bytes("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c");
    let mut secret = [0; 32];
    if ecfit_x25519(&mut secret, &scalar, &point) != 0
        || secret != bytes("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552")
    {
        return 2;
    }
    let key = bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
    if ecfit_ed25519_sign(&mut signed, &key, [0x72].as_ptr(), 1) != 0
        || signed != bytes("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
    {
        return 3;
    }
    0
}
"""


EXCLUDE = 'exclude = ["third_party/ecfit"]'


def manifest(name: str) -> Any:
    """A manifest, read."""
    return tomllib.loads((CRATES / name / "Cargo.toml").read_text(encoding="utf-8"))


def test_features_are_the_curves() -> None:
    """Of both crates, and what build.rs knows."""
    names = [slot.name for slot in curve_slots()]
    assert [*manifest("ecfit-sys")["features"]] == ["default", *names, *OPERATIONS]
    modern = [slot.name for slot in curve_slots() if not slot.legacy]
    assert [*manifest("ecfit")["features"]] == ["default", *modern, *OPERATIONS]
    script = (CRATES / "ecfit-sys" / "build.rs").read_text(encoding="utf-8")
    lists = dict(re.findall(r"const (\w+): &?\[[^=]*= &?\[(.*?)\];", script, re.DOTALL))
    assert re.findall(r'"(\w+)"', lists["CURVES"]) == names
    assert sorted(re.findall(r'"(\w+)"', lists["PRESETS"])) == sorted(all_presets())
    ops = re.findall(r'\("(\w+)", &\[(.*?)\]\)', script)
    assert [feature for feature, _ in ops] == [*OPERATIONS]
    assert {*re.findall(r'"(\w+)"', " ".join(named for _, named in ops))} == {*NAMED}


@pytest.fixture(scope="module")
def cargo() -> str:
    """Cargo, new enough for the crates that this one is compared with."""
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")
    said = run("cargo", "--version")
    version = tuple(map(int, said.split()[1].split(".")[:2]))
    if version < OLDEST:
        pytest.skip(f"{said.strip()} is older than 1.85, which the crates of RustCrypto ask for")
    return "cargo"


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where cargo builds."""
    return str(tmp_path_factory.mktemp("target"))


def features() -> str:
    """All curves, and all operations."""
    return ",".join(name for name in manifest("ecfit")["features"] if name != "default")


@WHOLE
def test_against_independent_implementations(cargo: str, target: str) -> None:
    said = run(cargo, "test", "--features", features(), cwd=CRATES,
               CARGO_TARGET_DIR=target)  # fmt: skip
    for name in ("p256", "p384", "k256", "ed25519", "x25519"):
        assert f"test {name}_agrees ... ok" in said
    for name in ("k256_agrees_on_schnorr", "k256_agrees_on_recovery", "ed25519_agrees_in_parts",
                 "spake2plus_agrees"):  # fmt: skip
        assert f"test {name} ... ok" in said


@WHOLE
def test_clippy_and_rustfmt_have_nothing_to_say(cargo: str, target: str) -> None:
    if shutil.which("cargo-clippy") is None:
        pytest.skip("clippy is not installed")
    run(cargo, "clippy", "--all-targets", "--all-features", "--", "-D", "warnings",
        cwd=CRATES, CARGO_TARGET_DIR=target)  # fmt: skip
    run(cargo, "fmt", "--all", "--check", cwd=CRATES)


@WHOLE
def test_the_lines_of_the_page(cargo: str, tmp_path: Path, target: str) -> None:
    """Its dependency, with the repository where it says, and its program."""
    dependency, program = blocks("Rust")
    uses, body = program.split("\n\n", 1)
    main = f"{uses}\nfn main() -> Result<(), ecfit::signature::Error> {{\n{body}\nOk(())\n}}\n"
    project(tmp_path / "app", {"main.rs": main})
    (tmp_path / "app" / "third_party").mkdir()
    (tmp_path / "app" / "third_party" / "ecfit").symlink_to(ROOT)
    manifest = tmp_path / "app" / "Cargo.toml"
    text = manifest.read_text(encoding="utf-8")
    head = text.partition("[dependencies]")[0]
    manifest.write_text(f"{head}[workspace]\n{EXCLUDE}\n{dependency}", encoding="utf-8")
    run(cargo, "run", "-q", cwd=tmp_path / "app", CARGO_TARGET_DIR=target)


@WHOLE
def test_every_preset_links(cargo: str, tmp_path: Path, target: str) -> None:
    """Key, signature and verification in a binary for this machine; tiny and lowram have no hash,
    and need a generator.
    """
    source = """use ecfit::secp256r1::SigningKey;
fn main() { SigningKey::from_bytes(&[7; 32]).unwrap(); }
"""
    for preset in all_presets():
        project(tmp_path / preset, {"main.rs": source})
        run(cargo, "run", "-q", cwd=tmp_path / preset, CARGO_TARGET_DIR=target,
            ECFIT_PRESET=preset)  # fmt: skip
    done = subprocess.run(
        [cargo, "build"], cwd=tmp_path / "tiny", capture_output=True, text=True, check=False,
        env={**os.environ, "CARGO_TARGET_DIR": target, "ECFIT_PRESET": "small"},
    )  # fmt: skip
    assert "ECFIT_PRESET is one of tiny, compact, balanced, fast, lowram, not small" in done.stderr


def project(folder: Path, sources: dict[str, str], kind: str = "bin", more: str = "") -> None:
    """A project of a user: a program, or another kind of crate."""
    (folder / "src").mkdir(parents=True)
    for name, text in sources.items():
        (folder / "src" / name).write_text(text, encoding="utf-8")
    library = f'[lib]\ncrate-type = ["{kind}"]\n' if kind != "bin" else ""
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "consumer"\nversion = "0.0.0"\nedition = "2021"\n'
        f'{library}[dependencies]\necfit = {{ path = "{CRATES}/ecfit" }}\n{more}',
        encoding="utf-8",
    )


@WHOLE
@pytest.mark.parametrize("where", ["host", *TARGETS])
def test_it_needs_no_standard_library(cargo: str, where: str, tmp_path: Path, target: str) -> None:
    """A library of C without one, for this machine, a Cortex-M0 and a Cortex-M4."""
    root = Path(run("rustc", "--print", "sysroot", cwd=CRATES).strip())
    if where != "host" and not (root / "lib" / "rustlib" / where).is_dir():
        pytest.skip(f"Rust's core library for {where} is not installed: rustup target add {where}")
    profile = '[profile.dev]\npanic = "abort"\nopt-level = "s"\n'
    project(tmp_path / "bare", {"lib.rs": BARE}, "staticlib", profile)
    for_it = [] if where == "host" else ["--target", where]
    run(cargo, "build", *for_it, cwd=tmp_path / "bare", CARGO_TARGET_DIR=target)
    (library,) = Path(target, where if for_it else "", "debug").glob("libconsumer.a")
    names = run("nm" if where == "host" else "arm-none-eabi-nm", library)
    assert " T round_trip" in names
    assert " T ecfit_secp256r1_ecdsa_sign" in names
    assert " _ZN3std" not in names


@pytest.mark.parametrize("where", archives.TARGETS)
def test_an_archive_needs_nothing_and_stands_beside_others(where: str, tmp_path: Path) -> None:
    """No undefined symbol, functions of its curve and of hashes alone; two are linked together."""
    prefix = archives.TARGETS[where].prefix
    for curve in archives.CURVES:
        path = tmp_path / f"{curve}.a"
        path.write_bytes(archives.archive(where, "tiny", curve))
        words = [line.split()[1:] for line in run(f"{prefix}nm", path).splitlines()]
        names = {name: kind for kind, name in filter(lambda w: len(w) == 2, words)}
        assert "U" not in names.values()
        offered = [name for name, kind in names.items() if kind == "T"]
        assert offered
        assert all(name.startswith(f"ecfit_{curve}") for name in offered)
    emulation = ["-m", "elf32lriscv"] if "riscv" in where else []
    run(f"{prefix}ld", *emulation, "-r", "--whole-archive", *tmp_path.glob("*.a"),
        "-o", tmp_path / "all.o")  # fmt: skip


@WHOLE
@pytest.mark.parametrize("where", EMULATED)
def test_no_c_compiler_is_needed(cargo: str, where: str, tmp_path: Path) -> None:
    """With the archives of a release in the crate: vectors of three curves on an emulated core."""
    root = Path(run("rustc", "--print", "sysroot", cwd=CRATES).strip())
    if not (root / "lib" / "rustlib" / where).is_dir():
        pytest.skip(f"Rust's core library for {where} is not installed: rustup target add {where}")
    crate = tmp_path / "rust" / "ecfit-sys"
    (crate / "src").mkdir(parents=True)
    for name in ("build.rs", "Cargo.toml", "src/lib.rs", "src/bindings.rs"):
        shutil.copy(CRATES / "ecfit-sys" / name, crate / name)
    workspace = (CRATES / "Cargo.toml").read_text(encoding="utf-8")
    workspace = workspace.replace('"ecfit-sys", "ecfit"', '"ecfit-sys"')
    (crate.parent / "Cargo.toml").write_text(workspace, encoding="utf-8")
    for curve in archives.CURVES:
        path = crate / "archives" / where / "balanced" / f"libecfit_{curve}.a"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archives.archive(where, "balanced", curve))
    app = tmp_path / "app"
    project(
        app, {"lib.rs": VECTORS}, "staticlib", '[profile.dev]\npanic = "abort"\nopt-level = "s"\n'
    )
    wanted = ", ".join(f'"{curve}"' for curve in archives.CURVES)
    manifest = (app / "Cargo.toml").read_text(encoding="utf-8")
    needs = f'ecfit-sys = {{ path = "{crate}", features = [{wanted}] }}'
    manifest = re.sub(r"^ecfit = .*$", needs, manifest, flags=re.MULTILINE)
    (app / "Cargo.toml").write_text(manifest, encoding="utf-8")
    nowhere = {
        "CC": "/bin/false",
        "TARGET_CC": "/bin/false",
        "CARGO_TARGET_DIR": str(tmp_path / "t"),
    }
    run(cargo, "build", "--target", where, cwd=app, **nowhere)
    library = tmp_path / "t" / where / "debug" / "libconsumer.a"
    said = run(Path(sys.executable).parent / "ecfit", "measure", "--elf", library, "--function",
               "vectors", "--target", EMULATED[where], "--expect", "0")  # fmt: skip
    assert "vectors" in said
    failed = subprocess.run(
        [cargo, "build", "--target", where], cwd=app, capture_output=True, text=True, check=False,
        env={**os.environ, **nowhere, "ECFIT_BUILD": "1"},
    )  # fmt: skip
    assert failed.returncode != 0, "it compiles where that is asked for"


@WHOLE
def test_what_is_packed_builds_alone(cargo: str, tmp_path: Path, target: str) -> None:
    """`cargo package`, and what it packed in a folder far from this one."""
    crates = tmp_path / "crates"
    shutil.copytree(CRATES, crates)
    release.fill_crates(crates, ROOT)
    run(cargo, "package", "--workspace", "--no-verify", cwd=crates, CARGO_TARGET_DIR=target)
    for name in ("ecfit-sys", "ecfit"):
        (path,) = Path(target, "package").glob(f"{name}-[0-9]*.crate")
        with tarfile.open(path) as tar:
            tar.extractall(tmp_path, filter="data")
    (main,) = tmp_path.glob("ecfit-[0-9]*")
    (system,) = tmp_path.glob("ecfit-sys-*")
    patch = f'\n[patch.crates-io]\necfit-sys = {{ path = "{system}" }}\n'
    (main / "Cargo.toml").open("a", encoding="utf-8").write(patch)
    run(cargo, "build", cwd=main, CARGO_TARGET_DIR=str(tmp_path / "target"))
