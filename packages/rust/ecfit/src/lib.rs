//! Elliptic-curve keys, key exchange and signatures for constrained devices, on top of the C
//! library ecfit; `no_std`, without allocation.
//!
//! A module for each curve that a feature names. Features of operations: `schnorr` (BIP 340 on
//! secp256k1), `recovery` (public keys from ECDSA signatures), `parts` (EdDSA of a message in parts),
//! `spake2p` (SPAKE2+ on secp256r1); with `ECFIT_CONFIG_DIR`, the folder has to have them, too.
//! Signatures have the traits of the crate `signature`, generators those of `rand_core`. Signing derives its nonces (RFC 6979) with the
//! presets balanced, compact and fast; with tiny and lowram, or a configuration with
//! `NONCE = random`, it needs a generator: `RandomizedPrehashSigner`.
#![no_std]
#![doc = include_str!("../README.md")]
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

pub use ecfit_sys as sys;
pub use rand_core;
pub use signature;

mod error;
mod rng;
mod secret;

pub use error::Error;

#[macro_use]
mod encoding;
#[macro_use]
mod weierstrass;
#[macro_use]
mod montgomery;
#[macro_use]
mod edwards;

weierstrass!(secp224r1, "secp224r1", "P-224", 28, 57, 29);
weierstrass!(secp256r1, "secp256r1", "P-256", 32, 65, 33);
weierstrass!(secp384r1, "secp384r1", "P-384", 48, 97, 49);
weierstrass!(secp521r1, "secp521r1", "P-521", 66, 133, 67);
weierstrass!(secp256k1, "secp256k1", "secp256k1", 32, 65, 33);
weierstrass!(
    brainpoolP256r1,
    "brainpoolP256r1",
    "brainpoolP256r1",
    32,
    65,
    33
);
weierstrass!(
    brainpoolP384r1,
    "brainpoolP384r1",
    "brainpoolP384r1",
    48,
    97,
    49
);
weierstrass!(
    brainpoolP512r1,
    "brainpoolP512r1",
    "brainpoolP512r1",
    64,
    129,
    65
);
montgomery!(x25519, "x25519", "X25519", 32);
montgomery!(x448, "x448", "X448", 56);
#[cfg(feature = "parts")]
pub mod parts;
#[cfg(feature = "schnorr")]
pub mod schnorr;
#[cfg(feature = "spake2p")]
pub mod spake2p;

edwards!(ed25519, "ed25519", "Ed25519", 32, 64);
edwards!(ed448, "ed448", "Ed448", 57, 114);
