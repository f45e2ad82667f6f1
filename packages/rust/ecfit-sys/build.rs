//! Compiles the library for the curves that the features name, or takes the archives of the crate,
//! where a release has put them: then no C compiler is needed.
//!
//! `ECFIT_BUILD`: 1 compiles even where the crate has archives.
//! `ECFIT_PRESET`: tiny, compact, balanced (the default), fast or lowram.
//! `ECFIT_CONFIG_DIR`: a folder of `ecfit config -o` or `ecfit amalgamate -o`, which then says
//! it all; the features still choose what is declared.

use std::env;
use std::path::{Path, PathBuf};

const PRESETS: [&str; 5] = ["tiny", "compact", "balanced", "fast", "lowram"];
const CURVES: &[&str] = &[
    "secp128r1",
    "secp160r1",
    "secp192r1",
    "secp224r1",
    "secp256r1",
    "secp384r1",
    "secp521r1",
    "secp256k1",
    "brainpoolP256r1",
    "brainpoolP384r1",
    "brainpoolP512r1",
    "x25519",
    "x448",
    "ed25519",
    "ed448",
];
/// Operations that the library has where a feature names them.
const OPS: &[(&str, &[&str])] = &[
    ("recovery", &["sign_recoverable", "recover_key"]),
    ("schnorr", &["sign_schnorr", "verify_schnorr"]),
    ("parts", &["verify_parts", "sign_parts"]),
    ("spake2p", &["spake2p_prover", "spake2p_verifier"]),
];

fn main() {
    for name in ["ECFIT_BUILD", "ECFIT_PRESET", "ECFIT_CONFIG_DIR"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let library = packed_or(&root, "lib", "../../../lib");
    let config = packed_or(&root, "config", "../../include");
    for folder in [&library, &config, &root.join("archives")] {
        println!("cargo:rerun-if-changed={}", folder.display());
    }
    let asked = |name| env::var(name).unwrap_or_default();
    if asked("ECFIT_BUILD") != "1" && asked("ECFIT_CONFIG_DIR").is_empty() && archived(&root) {
        return;
    }
    let mut build = cc::Build::new();
    // Without optimisation, tables that nothing uses stay, and ask for hashes that are left out.
    build
        .std("c99")
        .flag("-ffunction-sections")
        .flag("-fdata-sections");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none") {
        build.flag("-ffreestanding"); // compilers of bare machines may come without a C library
    }
    if matches!(env::var("OPT_LEVEL").as_deref(), Ok("0")) {
        build.opt_level_str("s");
    }
    match env::var("ECFIT_CONFIG_DIR") {
        Ok(folder) if !folder.is_empty() => {
            println!("cargo:rerun-if-changed={folder}");
            configured(&mut build, &library, Path::new(&folder));
        }
        _ => by_features(&mut build, &library, &config),
    }
    build.compile("ecfit");
}

/// A folder of the crate, where a release has copied it into; in a checkout, the original.
fn packed_or(root: &Path, name: &str, original: &str) -> PathBuf {
    let packed = root.join(name);
    if packed.is_dir() {
        return packed;
    }
    root.join(original)
}

/// Links the archives of the crate, if they have all curves for the target and the preset.
fn archived(root: &Path) -> bool {
    let folder = root
        .join("archives")
        .join(env::var("TARGET").unwrap())
        .join(preset());
    let curves: Vec<_> = features().collect();
    let archive = |curve: &&str| folder.join(format!("libecfit_{curve}.a"));
    if ops().next().is_some()
        || curves.is_empty()
        || !curves.iter().all(|curve| archive(curve).is_file())
    {
        return false;
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
    for curve in curves {
        println!("cargo:rustc-link-lib=static=ecfit_{curve}");
    }
    true
}

fn has(feature: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase())).is_some()
}

fn features() -> impl Iterator<Item = &'static str> {
    CURVES.iter().copied().filter(|curve| has(curve))
}

fn ops() -> impl Iterator<Item = &'static str> {
    let named = OPS.iter().filter(|(feature, _)| has(feature));
    named.flat_map(|(_, ops)| ops.iter().copied())
}

fn preset() -> String {
    let preset = env::var("ECFIT_PRESET").unwrap_or_else(|_| "balanced".into());
    if !PRESETS.contains(&preset.as_str()) {
        panic!(
            "ECFIT_PRESET is one of {}, not {preset}",
            PRESETS.join(", ")
        );
    }
    preset
}

/// The library of a folder that the command line wrote.
fn configured(build: &mut cc::Build, library: &Path, folder: &Path) {
    if !folder.join("ecfit_config.h").is_file() {
        panic!(
            "ECFIT_CONFIG_DIR: {} has no ecfit_config.h",
            folder.display()
        );
    }
    build.include(folder);
    if folder.join("ecfit.c").is_file() {
        sources(build, folder);
    } else {
        build
            .include(library.join("include"))
            .include(library.join("src"));
        sources(build, &library.join("src"));
    }
}

/// The curves of the features with a preset, and the backend that is best for the target.
fn by_features(build: &mut cc::Build, library: &Path, config: &Path) {
    define(build, &format!("PRESET_{}", preset()));
    for curve in features() {
        define(build, curve);
    }
    for op in ops() {
        define(build, &format!("OP_{op}"));
    }
    let target = env::var("TARGET").unwrap();
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap();
    if target.starts_with("thumbv6m") || target.starts_with("thumbv7m") {
        define(build, "BACKEND_armv6m");
    } else if target.starts_with("thumbv7em") || target.starts_with("thumbv8m.main") {
        define(build, "BACKEND_armv7em");
    } else if target.starts_with("riscv32im") {
        define(build, "BACKEND_rv32im");
    } else if arch == "x86_64" || arch == "aarch64" {
        define(build, "BACKEND_w64");
    }
    build
        .include(config)
        .include(library.join("include"))
        .include(library.join("src"));
    sources(build, &library.join("src"));
}

fn define(build: &mut cc::Build, name: &str) {
    build.define(&format!("CONFIG_ECFIT_{}", name.to_uppercase()), "1");
}

fn sources(build: &mut cc::Build, folder: &Path) {
    build.file(folder.join("ecfit.c"));
    let assembly = folder.join("ecfit_asm.S");
    if assembly.is_file() {
        build.file(assembly);
    }
}
