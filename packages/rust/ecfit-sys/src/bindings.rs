// Generated from lib/include by tools/packages/gen_packages.py.
// lib/include/ecfit/CURVE.h has the contracts.

use core::ffi::{c_char, c_int, c_uint, c_void};

/// How an operation ended: `ecfit.h`. Where C has shorter enumerations, the calling convention
/// extends what is returned to a word.
pub type ecfit_status = c_uint;

/// The caller's source of random bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_rng {
    pub fill: Option<unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int>,
    pub context: *mut c_void,
}

/// A piece of a message.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_bytes {
    pub data: *const u8,
    pub size: usize,
}

/// A SHA-256 of data that comes in parts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_sha256_context {
    pub size: u64,
    pub words: [u32; 24],
}

/// A SHA-384 or SHA-512 of data that comes in parts.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_sha512_context {
    pub size: u64,
    pub words: [u64; 24],
}

pub const ECFIT_OK: ecfit_status = 0;
pub const ECFIT_BAD_PRIVATE_KEY: ecfit_status = 1;
pub const ECFIT_BAD_PUBLIC_KEY: ecfit_status = 2;
pub const ECFIT_BAD_SIGNATURE: ecfit_status = 3;
pub const ECFIT_RNG_FAILED: ecfit_status = 4;
pub const ECFIT_MORE: ecfit_status = 5;
pub const ECFIT_MISUSE: ecfit_status = 6;
pub const ECFIT_FAULT: ecfit_status = 7;
pub const ECFIT_BAD_HASH: ecfit_status = 8;
pub const ECFIT_VERIFIED: u32 = 0xa53c965a;
pub const ECFIT_HASH_MIN: u32 = 16;
pub const ECFIT_HASH_MAX: u32 = 64;
pub const ECFIT_HARDENED_HASH_MIN: u32 = 28;
pub const ECFIT_UNIT_PRODUCTS: u32 = 60;

#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_status_text(status: ecfit_status) -> *const c_char;
    pub fn ecfit_sha256(digest: *mut [u8; 32], pieces: *const ecfit_bytes, count: usize);
    pub fn ecfit_sha384(digest: *mut [u8; 48], pieces: *const ecfit_bytes, count: usize);
    pub fn ecfit_sha512(digest: *mut [u8; 64], pieces: *const ecfit_bytes, count: usize);
    pub fn ecfit_sha256_start(context: *mut ecfit_sha256_context);
    pub fn ecfit_sha256_update(context: *mut ecfit_sha256_context, data: *const u8, size: usize);
    pub fn ecfit_sha256_finish(digest: *mut [u8; 32], context: *mut ecfit_sha256_context);
    pub fn ecfit_sha384_start(context: *mut ecfit_sha512_context);
    pub fn ecfit_sha384_update(context: *mut ecfit_sha512_context, data: *const u8, size: usize);
    pub fn ecfit_sha384_finish(digest: *mut [u8; 48], context: *mut ecfit_sha512_context);
    pub fn ecfit_sha512_start(context: *mut ecfit_sha512_context);
    pub fn ecfit_sha512_update(context: *mut ecfit_sha512_context, data: *const u8, size: usize);
    pub fn ecfit_sha512_finish(digest: *mut [u8; 64], context: *mut ecfit_sha512_context);
    pub fn ecfit_shake256(digest: *mut u8, digest_size: usize, pieces: *const ecfit_bytes, count: usize);
}

#[cfg(feature = "secp128r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_secp128r1_task {
    pub blocks: [u64; 60],
}

#[cfg(feature = "secp128r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_secp128r1_keygen(public_key: *mut [u8; 33], private_key: *mut [u8; 16], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp128r1_public_key(public_key: *mut [u8; 33], private_key: *const [u8; 16], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdh(shared_secret: *mut [u8; 16], private_key: *const [u8; 16], public_key: *const [u8; 33], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdsa_sign(signature: *mut [u8; 32], private_key: *const [u8; 16], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdsa_sign_message(signature: *mut [u8; 32], private_key: *const [u8; 16], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdsa_verify(signature: *const [u8; 32], public_key: *const [u8; 33], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdsa_verify_hardened(signature: *const [u8; 32], public_key: *const [u8; 33], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_secp128r1_ecdsa_verify_message(signature: *const [u8; 32], public_key: *const [u8; 33], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_secp128r1_prepare();
    pub fn ecfit_secp128r1_compress(compressed: *mut [u8; 17], public_key: *const [u8; 33]) -> ecfit_status;
    pub fn ecfit_secp128r1_decompress(public_key: *mut [u8; 33], compressed: *const [u8; 17]) -> ecfit_status;
    pub fn ecfit_secp128r1_signature_to_der(der: *mut [u8; 41], der_size: *mut usize, signature: *const [u8; 32]) -> ecfit_status;
    pub fn ecfit_secp128r1_signature_from_der(signature: *mut [u8; 32], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_secp128r1_keygen_start(task: *mut ecfit_secp128r1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdh_start(task: *mut ecfit_secp128r1_task, private_key: *const [u8; 16], public_key: *const [u8; 33], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdsa_sign_start(task: *mut ecfit_secp128r1_task, private_key: *const [u8; 16], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdsa_verify_start(task: *mut ecfit_secp128r1_task, signature: *const [u8; 32], public_key: *const [u8; 33], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp128r1_step(task: *mut ecfit_secp128r1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_secp128r1_abort(task: *mut ecfit_secp128r1_task);
    pub fn ecfit_secp128r1_keygen_finish(public_key: *mut [u8; 33], private_key: *mut [u8; 16], task: *mut ecfit_secp128r1_task) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdh_finish(shared_secret: *mut [u8; 16], task: *mut ecfit_secp128r1_task) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdsa_sign_finish(signature: *mut [u8; 32], task: *mut ecfit_secp128r1_task) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdsa_verify_finish(task: *mut ecfit_secp128r1_task) -> ecfit_status;
    pub fn ecfit_secp128r1_keygen_in(public_key: *mut [u8; 33], private_key: *mut [u8; 16], rng: *const ecfit_rng, work: *mut ecfit_secp128r1_task) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdh_in(shared_secret: *mut [u8; 16], private_key: *const [u8; 16], public_key: *const [u8; 33], rng: *const ecfit_rng, work: *mut ecfit_secp128r1_task) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdsa_sign_in(signature: *mut [u8; 32], private_key: *const [u8; 16], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_secp128r1_task) -> ecfit_status;
    pub fn ecfit_secp128r1_ecdsa_verify_in(signature: *const [u8; 32], public_key: *const [u8; 33], hash: *const u8, hash_size: usize, work: *mut ecfit_secp128r1_task) -> ecfit_status;
}

#[cfg(feature = "secp128r1")]
/// The functions of secp128r1 by short names.
pub mod secp128r1 {
    pub use super::{
        ecfit_secp128r1_abort as abort, ecfit_secp128r1_compress as compress,
        ecfit_secp128r1_decompress as decompress, ecfit_secp128r1_ecdh as ecdh,
        ecfit_secp128r1_ecdh_finish as ecdh_finish, ecfit_secp128r1_ecdh_in as ecdh_in,
        ecfit_secp128r1_ecdh_start as ecdh_start, ecfit_secp128r1_ecdsa_sign as ecdsa_sign,
        ecfit_secp128r1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_secp128r1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_secp128r1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_secp128r1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_secp128r1_ecdsa_verify as ecdsa_verify,
        ecfit_secp128r1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_secp128r1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_secp128r1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_secp128r1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_secp128r1_ecdsa_verify_start as ecdsa_verify_start, ecfit_secp128r1_keygen as keygen,
        ecfit_secp128r1_keygen_finish as keygen_finish, ecfit_secp128r1_keygen_in as keygen_in,
        ecfit_secp128r1_keygen_start as keygen_start, ecfit_secp128r1_prepare as prepare,
        ecfit_secp128r1_public_key as public_key,
        ecfit_secp128r1_signature_from_der as signature_from_der,
        ecfit_secp128r1_signature_to_der as signature_to_der, ecfit_secp128r1_step as step,
    };
}

#[cfg(feature = "secp160r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_secp160r1_task {
    pub blocks: [u64; 75],
}

#[cfg(feature = "secp160r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_secp160r1_keygen(public_key: *mut [u8; 41], private_key: *mut [u8; 21], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp160r1_public_key(public_key: *mut [u8; 41], private_key: *const [u8; 21], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdh(shared_secret: *mut [u8; 20], private_key: *const [u8; 21], public_key: *const [u8; 41], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdsa_sign(signature: *mut [u8; 42], private_key: *const [u8; 21], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdsa_sign_message(signature: *mut [u8; 42], private_key: *const [u8; 21], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdsa_verify(signature: *const [u8; 42], public_key: *const [u8; 41], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdsa_verify_hardened(signature: *const [u8; 42], public_key: *const [u8; 41], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_secp160r1_ecdsa_verify_message(signature: *const [u8; 42], public_key: *const [u8; 41], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_secp160r1_prepare();
    pub fn ecfit_secp160r1_compress(compressed: *mut [u8; 21], public_key: *const [u8; 41]) -> ecfit_status;
    pub fn ecfit_secp160r1_decompress(public_key: *mut [u8; 41], compressed: *const [u8; 21]) -> ecfit_status;
    pub fn ecfit_secp160r1_signature_to_der(der: *mut [u8; 51], der_size: *mut usize, signature: *const [u8; 42]) -> ecfit_status;
    pub fn ecfit_secp160r1_signature_from_der(signature: *mut [u8; 42], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_secp160r1_keygen_start(task: *mut ecfit_secp160r1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdh_start(task: *mut ecfit_secp160r1_task, private_key: *const [u8; 21], public_key: *const [u8; 41], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdsa_sign_start(task: *mut ecfit_secp160r1_task, private_key: *const [u8; 21], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdsa_verify_start(task: *mut ecfit_secp160r1_task, signature: *const [u8; 42], public_key: *const [u8; 41], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp160r1_step(task: *mut ecfit_secp160r1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_secp160r1_abort(task: *mut ecfit_secp160r1_task);
    pub fn ecfit_secp160r1_keygen_finish(public_key: *mut [u8; 41], private_key: *mut [u8; 21], task: *mut ecfit_secp160r1_task) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdh_finish(shared_secret: *mut [u8; 20], task: *mut ecfit_secp160r1_task) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdsa_sign_finish(signature: *mut [u8; 42], task: *mut ecfit_secp160r1_task) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdsa_verify_finish(task: *mut ecfit_secp160r1_task) -> ecfit_status;
    pub fn ecfit_secp160r1_keygen_in(public_key: *mut [u8; 41], private_key: *mut [u8; 21], rng: *const ecfit_rng, work: *mut ecfit_secp160r1_task) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdh_in(shared_secret: *mut [u8; 20], private_key: *const [u8; 21], public_key: *const [u8; 41], rng: *const ecfit_rng, work: *mut ecfit_secp160r1_task) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdsa_sign_in(signature: *mut [u8; 42], private_key: *const [u8; 21], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_secp160r1_task) -> ecfit_status;
    pub fn ecfit_secp160r1_ecdsa_verify_in(signature: *const [u8; 42], public_key: *const [u8; 41], hash: *const u8, hash_size: usize, work: *mut ecfit_secp160r1_task) -> ecfit_status;
}

#[cfg(feature = "secp160r1")]
/// The functions of secp160r1 by short names.
pub mod secp160r1 {
    pub use super::{
        ecfit_secp160r1_abort as abort, ecfit_secp160r1_compress as compress,
        ecfit_secp160r1_decompress as decompress, ecfit_secp160r1_ecdh as ecdh,
        ecfit_secp160r1_ecdh_finish as ecdh_finish, ecfit_secp160r1_ecdh_in as ecdh_in,
        ecfit_secp160r1_ecdh_start as ecdh_start, ecfit_secp160r1_ecdsa_sign as ecdsa_sign,
        ecfit_secp160r1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_secp160r1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_secp160r1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_secp160r1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_secp160r1_ecdsa_verify as ecdsa_verify,
        ecfit_secp160r1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_secp160r1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_secp160r1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_secp160r1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_secp160r1_ecdsa_verify_start as ecdsa_verify_start, ecfit_secp160r1_keygen as keygen,
        ecfit_secp160r1_keygen_finish as keygen_finish, ecfit_secp160r1_keygen_in as keygen_in,
        ecfit_secp160r1_keygen_start as keygen_start, ecfit_secp160r1_prepare as prepare,
        ecfit_secp160r1_public_key as public_key,
        ecfit_secp160r1_signature_from_der as signature_from_der,
        ecfit_secp160r1_signature_to_der as signature_to_der, ecfit_secp160r1_step as step,
    };
}

#[cfg(feature = "secp192r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_secp192r1_task {
    pub blocks: [u64; 75],
}

#[cfg(feature = "secp192r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_secp192r1_keygen(public_key: *mut [u8; 49], private_key: *mut [u8; 24], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp192r1_public_key(public_key: *mut [u8; 49], private_key: *const [u8; 24], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdh(shared_secret: *mut [u8; 24], private_key: *const [u8; 24], public_key: *const [u8; 49], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdsa_sign(signature: *mut [u8; 48], private_key: *const [u8; 24], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdsa_sign_message(signature: *mut [u8; 48], private_key: *const [u8; 24], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdsa_verify(signature: *const [u8; 48], public_key: *const [u8; 49], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdsa_verify_hardened(signature: *const [u8; 48], public_key: *const [u8; 49], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_secp192r1_ecdsa_verify_message(signature: *const [u8; 48], public_key: *const [u8; 49], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_secp192r1_prepare();
    pub fn ecfit_secp192r1_compress(compressed: *mut [u8; 25], public_key: *const [u8; 49]) -> ecfit_status;
    pub fn ecfit_secp192r1_decompress(public_key: *mut [u8; 49], compressed: *const [u8; 25]) -> ecfit_status;
    pub fn ecfit_secp192r1_signature_to_der(der: *mut [u8; 57], der_size: *mut usize, signature: *const [u8; 48]) -> ecfit_status;
    pub fn ecfit_secp192r1_signature_from_der(signature: *mut [u8; 48], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_secp192r1_keygen_start(task: *mut ecfit_secp192r1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdh_start(task: *mut ecfit_secp192r1_task, private_key: *const [u8; 24], public_key: *const [u8; 49], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdsa_sign_start(task: *mut ecfit_secp192r1_task, private_key: *const [u8; 24], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdsa_verify_start(task: *mut ecfit_secp192r1_task, signature: *const [u8; 48], public_key: *const [u8; 49], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp192r1_step(task: *mut ecfit_secp192r1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_secp192r1_abort(task: *mut ecfit_secp192r1_task);
    pub fn ecfit_secp192r1_keygen_finish(public_key: *mut [u8; 49], private_key: *mut [u8; 24], task: *mut ecfit_secp192r1_task) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdh_finish(shared_secret: *mut [u8; 24], task: *mut ecfit_secp192r1_task) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdsa_sign_finish(signature: *mut [u8; 48], task: *mut ecfit_secp192r1_task) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdsa_verify_finish(task: *mut ecfit_secp192r1_task) -> ecfit_status;
    pub fn ecfit_secp192r1_keygen_in(public_key: *mut [u8; 49], private_key: *mut [u8; 24], rng: *const ecfit_rng, work: *mut ecfit_secp192r1_task) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdh_in(shared_secret: *mut [u8; 24], private_key: *const [u8; 24], public_key: *const [u8; 49], rng: *const ecfit_rng, work: *mut ecfit_secp192r1_task) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdsa_sign_in(signature: *mut [u8; 48], private_key: *const [u8; 24], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_secp192r1_task) -> ecfit_status;
    pub fn ecfit_secp192r1_ecdsa_verify_in(signature: *const [u8; 48], public_key: *const [u8; 49], hash: *const u8, hash_size: usize, work: *mut ecfit_secp192r1_task) -> ecfit_status;
}

#[cfg(feature = "secp192r1")]
/// The functions of secp192r1 by short names.
pub mod secp192r1 {
    pub use super::{
        ecfit_secp192r1_abort as abort, ecfit_secp192r1_compress as compress,
        ecfit_secp192r1_decompress as decompress, ecfit_secp192r1_ecdh as ecdh,
        ecfit_secp192r1_ecdh_finish as ecdh_finish, ecfit_secp192r1_ecdh_in as ecdh_in,
        ecfit_secp192r1_ecdh_start as ecdh_start, ecfit_secp192r1_ecdsa_sign as ecdsa_sign,
        ecfit_secp192r1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_secp192r1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_secp192r1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_secp192r1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_secp192r1_ecdsa_verify as ecdsa_verify,
        ecfit_secp192r1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_secp192r1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_secp192r1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_secp192r1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_secp192r1_ecdsa_verify_start as ecdsa_verify_start, ecfit_secp192r1_keygen as keygen,
        ecfit_secp192r1_keygen_finish as keygen_finish, ecfit_secp192r1_keygen_in as keygen_in,
        ecfit_secp192r1_keygen_start as keygen_start, ecfit_secp192r1_prepare as prepare,
        ecfit_secp192r1_public_key as public_key,
        ecfit_secp192r1_signature_from_der as signature_from_der,
        ecfit_secp192r1_signature_to_der as signature_to_der, ecfit_secp192r1_step as step,
    };
}

#[cfg(feature = "secp224r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_secp224r1_task {
    pub blocks: [u64; 90],
}

#[cfg(feature = "secp224r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_secp224r1_keygen(public_key: *mut [u8; 57], private_key: *mut [u8; 28], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp224r1_public_key(public_key: *mut [u8; 57], private_key: *const [u8; 28], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdh(shared_secret: *mut [u8; 28], private_key: *const [u8; 28], public_key: *const [u8; 57], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdsa_sign(signature: *mut [u8; 56], private_key: *const [u8; 28], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdsa_sign_message(signature: *mut [u8; 56], private_key: *const [u8; 28], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdsa_verify(signature: *const [u8; 56], public_key: *const [u8; 57], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdsa_verify_hardened(signature: *const [u8; 56], public_key: *const [u8; 57], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_secp224r1_ecdsa_verify_message(signature: *const [u8; 56], public_key: *const [u8; 57], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_secp224r1_prepare();
    pub fn ecfit_secp224r1_compress(compressed: *mut [u8; 29], public_key: *const [u8; 57]) -> ecfit_status;
    pub fn ecfit_secp224r1_decompress(public_key: *mut [u8; 57], compressed: *const [u8; 29]) -> ecfit_status;
    pub fn ecfit_secp224r1_signature_to_der(der: *mut [u8; 65], der_size: *mut usize, signature: *const [u8; 56]) -> ecfit_status;
    pub fn ecfit_secp224r1_signature_from_der(signature: *mut [u8; 56], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_secp224r1_keygen_start(task: *mut ecfit_secp224r1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdh_start(task: *mut ecfit_secp224r1_task, private_key: *const [u8; 28], public_key: *const [u8; 57], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdsa_sign_start(task: *mut ecfit_secp224r1_task, private_key: *const [u8; 28], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdsa_verify_start(task: *mut ecfit_secp224r1_task, signature: *const [u8; 56], public_key: *const [u8; 57], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp224r1_step(task: *mut ecfit_secp224r1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_secp224r1_abort(task: *mut ecfit_secp224r1_task);
    pub fn ecfit_secp224r1_keygen_finish(public_key: *mut [u8; 57], private_key: *mut [u8; 28], task: *mut ecfit_secp224r1_task) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdh_finish(shared_secret: *mut [u8; 28], task: *mut ecfit_secp224r1_task) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdsa_sign_finish(signature: *mut [u8; 56], task: *mut ecfit_secp224r1_task) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdsa_verify_finish(task: *mut ecfit_secp224r1_task) -> ecfit_status;
    pub fn ecfit_secp224r1_keygen_in(public_key: *mut [u8; 57], private_key: *mut [u8; 28], rng: *const ecfit_rng, work: *mut ecfit_secp224r1_task) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdh_in(shared_secret: *mut [u8; 28], private_key: *const [u8; 28], public_key: *const [u8; 57], rng: *const ecfit_rng, work: *mut ecfit_secp224r1_task) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdsa_sign_in(signature: *mut [u8; 56], private_key: *const [u8; 28], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_secp224r1_task) -> ecfit_status;
    pub fn ecfit_secp224r1_ecdsa_verify_in(signature: *const [u8; 56], public_key: *const [u8; 57], hash: *const u8, hash_size: usize, work: *mut ecfit_secp224r1_task) -> ecfit_status;
}

#[cfg(feature = "secp224r1")]
/// The functions of secp224r1 by short names.
pub mod secp224r1 {
    pub use super::{
        ecfit_secp224r1_abort as abort, ecfit_secp224r1_compress as compress,
        ecfit_secp224r1_decompress as decompress, ecfit_secp224r1_ecdh as ecdh,
        ecfit_secp224r1_ecdh_finish as ecdh_finish, ecfit_secp224r1_ecdh_in as ecdh_in,
        ecfit_secp224r1_ecdh_start as ecdh_start, ecfit_secp224r1_ecdsa_sign as ecdsa_sign,
        ecfit_secp224r1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_secp224r1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_secp224r1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_secp224r1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_secp224r1_ecdsa_verify as ecdsa_verify,
        ecfit_secp224r1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_secp224r1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_secp224r1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_secp224r1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_secp224r1_ecdsa_verify_start as ecdsa_verify_start, ecfit_secp224r1_keygen as keygen,
        ecfit_secp224r1_keygen_finish as keygen_finish, ecfit_secp224r1_keygen_in as keygen_in,
        ecfit_secp224r1_keygen_start as keygen_start, ecfit_secp224r1_prepare as prepare,
        ecfit_secp224r1_public_key as public_key,
        ecfit_secp224r1_signature_from_der as signature_from_der,
        ecfit_secp224r1_signature_to_der as signature_to_der, ecfit_secp224r1_step as step,
    };
}

#[cfg(feature = "secp256r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_secp256r1_task {
    pub blocks: [u64; 90],
}

#[cfg(feature = "secp256r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_secp256r1_keygen(public_key: *mut [u8; 65], private_key: *mut [u8; 32], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_public_key(public_key: *mut [u8; 65], private_key: *const [u8; 32], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdh(shared_secret: *mut [u8; 32], private_key: *const [u8; 32], public_key: *const [u8; 65], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdsa_sign(signature: *mut [u8; 64], private_key: *const [u8; 32], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdsa_sign_message(signature: *mut [u8; 64], private_key: *const [u8; 32], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdsa_verify(signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdsa_verify_hardened(signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_secp256r1_ecdsa_verify_message(signature: *const [u8; 64], public_key: *const [u8; 65], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_secp256r1_prepare();
    pub fn ecfit_secp256r1_compress(compressed: *mut [u8; 33], public_key: *const [u8; 65]) -> ecfit_status;
    pub fn ecfit_secp256r1_decompress(public_key: *mut [u8; 65], compressed: *const [u8; 33]) -> ecfit_status;
    pub fn ecfit_secp256r1_signature_to_der(der: *mut [u8; 73], der_size: *mut usize, signature: *const [u8; 64]) -> ecfit_status;
    pub fn ecfit_secp256r1_signature_from_der(signature: *mut [u8; 64], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_secp256r1_keygen_start(task: *mut ecfit_secp256r1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdh_start(task: *mut ecfit_secp256r1_task, private_key: *const [u8; 32], public_key: *const [u8; 65], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdsa_sign_start(task: *mut ecfit_secp256r1_task, private_key: *const [u8; 32], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdsa_verify_start(task: *mut ecfit_secp256r1_task, signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp256r1_step(task: *mut ecfit_secp256r1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_secp256r1_abort(task: *mut ecfit_secp256r1_task);
    pub fn ecfit_secp256r1_keygen_finish(public_key: *mut [u8; 65], private_key: *mut [u8; 32], task: *mut ecfit_secp256r1_task) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdh_finish(shared_secret: *mut [u8; 32], task: *mut ecfit_secp256r1_task) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdsa_sign_finish(signature: *mut [u8; 64], task: *mut ecfit_secp256r1_task) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdsa_verify_finish(task: *mut ecfit_secp256r1_task) -> ecfit_status;
    pub fn ecfit_secp256r1_keygen_in(public_key: *mut [u8; 65], private_key: *mut [u8; 32], rng: *const ecfit_rng, work: *mut ecfit_secp256r1_task) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdh_in(shared_secret: *mut [u8; 32], private_key: *const [u8; 32], public_key: *const [u8; 65], rng: *const ecfit_rng, work: *mut ecfit_secp256r1_task) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdsa_sign_in(signature: *mut [u8; 64], private_key: *const [u8; 32], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_secp256r1_task) -> ecfit_status;
    pub fn ecfit_secp256r1_ecdsa_verify_in(signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize, work: *mut ecfit_secp256r1_task) -> ecfit_status;
}

#[cfg(feature = "secp256r1")]
/// The functions of secp256r1 by short names.
pub mod secp256r1 {
    pub use super::{
        ecfit_secp256r1_abort as abort, ecfit_secp256r1_compress as compress,
        ecfit_secp256r1_decompress as decompress, ecfit_secp256r1_ecdh as ecdh,
        ecfit_secp256r1_ecdh_finish as ecdh_finish, ecfit_secp256r1_ecdh_in as ecdh_in,
        ecfit_secp256r1_ecdh_start as ecdh_start, ecfit_secp256r1_ecdsa_sign as ecdsa_sign,
        ecfit_secp256r1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_secp256r1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_secp256r1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_secp256r1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_secp256r1_ecdsa_verify as ecdsa_verify,
        ecfit_secp256r1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_secp256r1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_secp256r1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_secp256r1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_secp256r1_ecdsa_verify_start as ecdsa_verify_start, ecfit_secp256r1_keygen as keygen,
        ecfit_secp256r1_keygen_finish as keygen_finish, ecfit_secp256r1_keygen_in as keygen_in,
        ecfit_secp256r1_keygen_start as keygen_start, ecfit_secp256r1_prepare as prepare,
        ecfit_secp256r1_public_key as public_key,
        ecfit_secp256r1_signature_from_der as signature_from_der,
        ecfit_secp256r1_signature_to_der as signature_to_der, ecfit_secp256r1_step as step,
    };
}

#[cfg(feature = "secp384r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_secp384r1_task {
    pub blocks: [u64; 120],
}

#[cfg(feature = "secp384r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_secp384r1_keygen(public_key: *mut [u8; 97], private_key: *mut [u8; 48], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp384r1_public_key(public_key: *mut [u8; 97], private_key: *const [u8; 48], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdh(shared_secret: *mut [u8; 48], private_key: *const [u8; 48], public_key: *const [u8; 97], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdsa_sign(signature: *mut [u8; 96], private_key: *const [u8; 48], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdsa_sign_message(signature: *mut [u8; 96], private_key: *const [u8; 48], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdsa_verify(signature: *const [u8; 96], public_key: *const [u8; 97], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdsa_verify_hardened(signature: *const [u8; 96], public_key: *const [u8; 97], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_secp384r1_ecdsa_verify_message(signature: *const [u8; 96], public_key: *const [u8; 97], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_secp384r1_prepare();
    pub fn ecfit_secp384r1_compress(compressed: *mut [u8; 49], public_key: *const [u8; 97]) -> ecfit_status;
    pub fn ecfit_secp384r1_decompress(public_key: *mut [u8; 97], compressed: *const [u8; 49]) -> ecfit_status;
    pub fn ecfit_secp384r1_signature_to_der(der: *mut [u8; 105], der_size: *mut usize, signature: *const [u8; 96]) -> ecfit_status;
    pub fn ecfit_secp384r1_signature_from_der(signature: *mut [u8; 96], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_secp384r1_keygen_start(task: *mut ecfit_secp384r1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdh_start(task: *mut ecfit_secp384r1_task, private_key: *const [u8; 48], public_key: *const [u8; 97], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdsa_sign_start(task: *mut ecfit_secp384r1_task, private_key: *const [u8; 48], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdsa_verify_start(task: *mut ecfit_secp384r1_task, signature: *const [u8; 96], public_key: *const [u8; 97], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp384r1_step(task: *mut ecfit_secp384r1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_secp384r1_abort(task: *mut ecfit_secp384r1_task);
    pub fn ecfit_secp384r1_keygen_finish(public_key: *mut [u8; 97], private_key: *mut [u8; 48], task: *mut ecfit_secp384r1_task) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdh_finish(shared_secret: *mut [u8; 48], task: *mut ecfit_secp384r1_task) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdsa_sign_finish(signature: *mut [u8; 96], task: *mut ecfit_secp384r1_task) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdsa_verify_finish(task: *mut ecfit_secp384r1_task) -> ecfit_status;
    pub fn ecfit_secp384r1_keygen_in(public_key: *mut [u8; 97], private_key: *mut [u8; 48], rng: *const ecfit_rng, work: *mut ecfit_secp384r1_task) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdh_in(shared_secret: *mut [u8; 48], private_key: *const [u8; 48], public_key: *const [u8; 97], rng: *const ecfit_rng, work: *mut ecfit_secp384r1_task) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdsa_sign_in(signature: *mut [u8; 96], private_key: *const [u8; 48], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_secp384r1_task) -> ecfit_status;
    pub fn ecfit_secp384r1_ecdsa_verify_in(signature: *const [u8; 96], public_key: *const [u8; 97], hash: *const u8, hash_size: usize, work: *mut ecfit_secp384r1_task) -> ecfit_status;
}

#[cfg(feature = "secp384r1")]
/// The functions of secp384r1 by short names.
pub mod secp384r1 {
    pub use super::{
        ecfit_secp384r1_abort as abort, ecfit_secp384r1_compress as compress,
        ecfit_secp384r1_decompress as decompress, ecfit_secp384r1_ecdh as ecdh,
        ecfit_secp384r1_ecdh_finish as ecdh_finish, ecfit_secp384r1_ecdh_in as ecdh_in,
        ecfit_secp384r1_ecdh_start as ecdh_start, ecfit_secp384r1_ecdsa_sign as ecdsa_sign,
        ecfit_secp384r1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_secp384r1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_secp384r1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_secp384r1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_secp384r1_ecdsa_verify as ecdsa_verify,
        ecfit_secp384r1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_secp384r1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_secp384r1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_secp384r1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_secp384r1_ecdsa_verify_start as ecdsa_verify_start, ecfit_secp384r1_keygen as keygen,
        ecfit_secp384r1_keygen_finish as keygen_finish, ecfit_secp384r1_keygen_in as keygen_in,
        ecfit_secp384r1_keygen_start as keygen_start, ecfit_secp384r1_prepare as prepare,
        ecfit_secp384r1_public_key as public_key,
        ecfit_secp384r1_signature_from_der as signature_from_der,
        ecfit_secp384r1_signature_to_der as signature_to_der, ecfit_secp384r1_step as step,
    };
}

#[cfg(feature = "secp521r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_secp521r1_task {
    pub blocks: [u64; 165],
}

#[cfg(feature = "secp521r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_secp521r1_keygen(public_key: *mut [u8; 133], private_key: *mut [u8; 66], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp521r1_public_key(public_key: *mut [u8; 133], private_key: *const [u8; 66], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdh(shared_secret: *mut [u8; 66], private_key: *const [u8; 66], public_key: *const [u8; 133], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdsa_sign(signature: *mut [u8; 132], private_key: *const [u8; 66], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdsa_sign_message(signature: *mut [u8; 132], private_key: *const [u8; 66], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdsa_verify(signature: *const [u8; 132], public_key: *const [u8; 133], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdsa_verify_hardened(signature: *const [u8; 132], public_key: *const [u8; 133], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_secp521r1_ecdsa_verify_message(signature: *const [u8; 132], public_key: *const [u8; 133], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_secp521r1_prepare();
    pub fn ecfit_secp521r1_compress(compressed: *mut [u8; 67], public_key: *const [u8; 133]) -> ecfit_status;
    pub fn ecfit_secp521r1_decompress(public_key: *mut [u8; 133], compressed: *const [u8; 67]) -> ecfit_status;
    pub fn ecfit_secp521r1_signature_to_der(der: *mut [u8; 141], der_size: *mut usize, signature: *const [u8; 132]) -> ecfit_status;
    pub fn ecfit_secp521r1_signature_from_der(signature: *mut [u8; 132], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_secp521r1_keygen_start(task: *mut ecfit_secp521r1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdh_start(task: *mut ecfit_secp521r1_task, private_key: *const [u8; 66], public_key: *const [u8; 133], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdsa_sign_start(task: *mut ecfit_secp521r1_task, private_key: *const [u8; 66], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdsa_verify_start(task: *mut ecfit_secp521r1_task, signature: *const [u8; 132], public_key: *const [u8; 133], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp521r1_step(task: *mut ecfit_secp521r1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_secp521r1_abort(task: *mut ecfit_secp521r1_task);
    pub fn ecfit_secp521r1_keygen_finish(public_key: *mut [u8; 133], private_key: *mut [u8; 66], task: *mut ecfit_secp521r1_task) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdh_finish(shared_secret: *mut [u8; 66], task: *mut ecfit_secp521r1_task) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdsa_sign_finish(signature: *mut [u8; 132], task: *mut ecfit_secp521r1_task) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdsa_verify_finish(task: *mut ecfit_secp521r1_task) -> ecfit_status;
    pub fn ecfit_secp521r1_keygen_in(public_key: *mut [u8; 133], private_key: *mut [u8; 66], rng: *const ecfit_rng, work: *mut ecfit_secp521r1_task) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdh_in(shared_secret: *mut [u8; 66], private_key: *const [u8; 66], public_key: *const [u8; 133], rng: *const ecfit_rng, work: *mut ecfit_secp521r1_task) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdsa_sign_in(signature: *mut [u8; 132], private_key: *const [u8; 66], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_secp521r1_task) -> ecfit_status;
    pub fn ecfit_secp521r1_ecdsa_verify_in(signature: *const [u8; 132], public_key: *const [u8; 133], hash: *const u8, hash_size: usize, work: *mut ecfit_secp521r1_task) -> ecfit_status;
}

#[cfg(feature = "secp521r1")]
/// The functions of secp521r1 by short names.
pub mod secp521r1 {
    pub use super::{
        ecfit_secp521r1_abort as abort, ecfit_secp521r1_compress as compress,
        ecfit_secp521r1_decompress as decompress, ecfit_secp521r1_ecdh as ecdh,
        ecfit_secp521r1_ecdh_finish as ecdh_finish, ecfit_secp521r1_ecdh_in as ecdh_in,
        ecfit_secp521r1_ecdh_start as ecdh_start, ecfit_secp521r1_ecdsa_sign as ecdsa_sign,
        ecfit_secp521r1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_secp521r1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_secp521r1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_secp521r1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_secp521r1_ecdsa_verify as ecdsa_verify,
        ecfit_secp521r1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_secp521r1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_secp521r1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_secp521r1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_secp521r1_ecdsa_verify_start as ecdsa_verify_start, ecfit_secp521r1_keygen as keygen,
        ecfit_secp521r1_keygen_finish as keygen_finish, ecfit_secp521r1_keygen_in as keygen_in,
        ecfit_secp521r1_keygen_start as keygen_start, ecfit_secp521r1_prepare as prepare,
        ecfit_secp521r1_public_key as public_key,
        ecfit_secp521r1_signature_from_der as signature_from_der,
        ecfit_secp521r1_signature_to_der as signature_to_der, ecfit_secp521r1_step as step,
    };
}

#[cfg(feature = "secp256k1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_secp256k1_task {
    pub blocks: [u64; 90],
}

#[cfg(feature = "secp256k1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_secp256k1_keygen(public_key: *mut [u8; 65], private_key: *mut [u8; 32], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256k1_public_key(public_key: *mut [u8; 65], private_key: *const [u8; 32], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdh(shared_secret: *mut [u8; 32], private_key: *const [u8; 32], public_key: *const [u8; 65], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdsa_sign(signature: *mut [u8; 64], private_key: *const [u8; 32], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdsa_sign_message(signature: *mut [u8; 64], private_key: *const [u8; 32], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdsa_verify(signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdsa_verify_hardened(signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_secp256k1_ecdsa_verify_message(signature: *const [u8; 64], public_key: *const [u8; 65], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_secp256k1_prepare();
    pub fn ecfit_secp256k1_compress(compressed: *mut [u8; 33], public_key: *const [u8; 65]) -> ecfit_status;
    pub fn ecfit_secp256k1_decompress(public_key: *mut [u8; 65], compressed: *const [u8; 33]) -> ecfit_status;
    pub fn ecfit_secp256k1_signature_to_der(der: *mut [u8; 73], der_size: *mut usize, signature: *const [u8; 64]) -> ecfit_status;
    pub fn ecfit_secp256k1_signature_from_der(signature: *mut [u8; 64], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_secp256k1_keygen_start(task: *mut ecfit_secp256k1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdh_start(task: *mut ecfit_secp256k1_task, private_key: *const [u8; 32], public_key: *const [u8; 65], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdsa_sign_start(task: *mut ecfit_secp256k1_task, private_key: *const [u8; 32], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdsa_verify_start(task: *mut ecfit_secp256k1_task, signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_secp256k1_step(task: *mut ecfit_secp256k1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_secp256k1_abort(task: *mut ecfit_secp256k1_task);
    pub fn ecfit_secp256k1_keygen_finish(public_key: *mut [u8; 65], private_key: *mut [u8; 32], task: *mut ecfit_secp256k1_task) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdh_finish(shared_secret: *mut [u8; 32], task: *mut ecfit_secp256k1_task) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdsa_sign_finish(signature: *mut [u8; 64], task: *mut ecfit_secp256k1_task) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdsa_verify_finish(task: *mut ecfit_secp256k1_task) -> ecfit_status;
    pub fn ecfit_secp256k1_keygen_in(public_key: *mut [u8; 65], private_key: *mut [u8; 32], rng: *const ecfit_rng, work: *mut ecfit_secp256k1_task) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdh_in(shared_secret: *mut [u8; 32], private_key: *const [u8; 32], public_key: *const [u8; 65], rng: *const ecfit_rng, work: *mut ecfit_secp256k1_task) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdsa_sign_in(signature: *mut [u8; 64], private_key: *const [u8; 32], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_secp256k1_task) -> ecfit_status;
    pub fn ecfit_secp256k1_ecdsa_verify_in(signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize, work: *mut ecfit_secp256k1_task) -> ecfit_status;
}

#[cfg(feature = "secp256k1")]
/// The functions of secp256k1 by short names.
pub mod secp256k1 {
    pub use super::{
        ecfit_secp256k1_abort as abort, ecfit_secp256k1_compress as compress,
        ecfit_secp256k1_decompress as decompress, ecfit_secp256k1_ecdh as ecdh,
        ecfit_secp256k1_ecdh_finish as ecdh_finish, ecfit_secp256k1_ecdh_in as ecdh_in,
        ecfit_secp256k1_ecdh_start as ecdh_start, ecfit_secp256k1_ecdsa_sign as ecdsa_sign,
        ecfit_secp256k1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_secp256k1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_secp256k1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_secp256k1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_secp256k1_ecdsa_verify as ecdsa_verify,
        ecfit_secp256k1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_secp256k1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_secp256k1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_secp256k1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_secp256k1_ecdsa_verify_start as ecdsa_verify_start, ecfit_secp256k1_keygen as keygen,
        ecfit_secp256k1_keygen_finish as keygen_finish, ecfit_secp256k1_keygen_in as keygen_in,
        ecfit_secp256k1_keygen_start as keygen_start, ecfit_secp256k1_prepare as prepare,
        ecfit_secp256k1_public_key as public_key,
        ecfit_secp256k1_signature_from_der as signature_from_der,
        ecfit_secp256k1_signature_to_der as signature_to_der, ecfit_secp256k1_step as step,
    };
}

#[cfg(feature = "brainpoolP256r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_brainpoolP256r1_task {
    pub blocks: [u64; 90],
}

#[cfg(feature = "brainpoolP256r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_brainpoolP256r1_keygen(public_key: *mut [u8; 65], private_key: *mut [u8; 32], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_public_key(public_key: *mut [u8; 65], private_key: *const [u8; 32], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdh(shared_secret: *mut [u8; 32], private_key: *const [u8; 32], public_key: *const [u8; 65], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdsa_sign(signature: *mut [u8; 64], private_key: *const [u8; 32], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdsa_sign_message(signature: *mut [u8; 64], private_key: *const [u8; 32], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdsa_verify(signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdsa_verify_hardened(signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_brainpoolP256r1_ecdsa_verify_message(signature: *const [u8; 64], public_key: *const [u8; 65], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_prepare();
    pub fn ecfit_brainpoolP256r1_compress(compressed: *mut [u8; 33], public_key: *const [u8; 65]) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_decompress(public_key: *mut [u8; 65], compressed: *const [u8; 33]) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_signature_to_der(der: *mut [u8; 73], der_size: *mut usize, signature: *const [u8; 64]) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_signature_from_der(signature: *mut [u8; 64], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_keygen_start(task: *mut ecfit_brainpoolP256r1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdh_start(task: *mut ecfit_brainpoolP256r1_task, private_key: *const [u8; 32], public_key: *const [u8; 65], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdsa_sign_start(task: *mut ecfit_brainpoolP256r1_task, private_key: *const [u8; 32], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdsa_verify_start(task: *mut ecfit_brainpoolP256r1_task, signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_step(task: *mut ecfit_brainpoolP256r1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_abort(task: *mut ecfit_brainpoolP256r1_task);
    pub fn ecfit_brainpoolP256r1_keygen_finish(public_key: *mut [u8; 65], private_key: *mut [u8; 32], task: *mut ecfit_brainpoolP256r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdh_finish(shared_secret: *mut [u8; 32], task: *mut ecfit_brainpoolP256r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdsa_sign_finish(signature: *mut [u8; 64], task: *mut ecfit_brainpoolP256r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdsa_verify_finish(task: *mut ecfit_brainpoolP256r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_keygen_in(public_key: *mut [u8; 65], private_key: *mut [u8; 32], rng: *const ecfit_rng, work: *mut ecfit_brainpoolP256r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdh_in(shared_secret: *mut [u8; 32], private_key: *const [u8; 32], public_key: *const [u8; 65], rng: *const ecfit_rng, work: *mut ecfit_brainpoolP256r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdsa_sign_in(signature: *mut [u8; 64], private_key: *const [u8; 32], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_brainpoolP256r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP256r1_ecdsa_verify_in(signature: *const [u8; 64], public_key: *const [u8; 65], hash: *const u8, hash_size: usize, work: *mut ecfit_brainpoolP256r1_task) -> ecfit_status;
}

#[cfg(feature = "brainpoolP256r1")]
/// The functions of brainpoolP256r1 by short names.
pub mod brainpoolP256r1 {
    pub use super::{
        ecfit_brainpoolP256r1_abort as abort, ecfit_brainpoolP256r1_compress as compress,
        ecfit_brainpoolP256r1_decompress as decompress, ecfit_brainpoolP256r1_ecdh as ecdh,
        ecfit_brainpoolP256r1_ecdh_finish as ecdh_finish, ecfit_brainpoolP256r1_ecdh_in as ecdh_in,
        ecfit_brainpoolP256r1_ecdh_start as ecdh_start,
        ecfit_brainpoolP256r1_ecdsa_sign as ecdsa_sign,
        ecfit_brainpoolP256r1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_brainpoolP256r1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_brainpoolP256r1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_brainpoolP256r1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_brainpoolP256r1_ecdsa_verify as ecdsa_verify,
        ecfit_brainpoolP256r1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_brainpoolP256r1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_brainpoolP256r1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_brainpoolP256r1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_brainpoolP256r1_ecdsa_verify_start as ecdsa_verify_start,
        ecfit_brainpoolP256r1_keygen as keygen,
        ecfit_brainpoolP256r1_keygen_finish as keygen_finish,
        ecfit_brainpoolP256r1_keygen_in as keygen_in,
        ecfit_brainpoolP256r1_keygen_start as keygen_start,
        ecfit_brainpoolP256r1_prepare as prepare, ecfit_brainpoolP256r1_public_key as public_key,
        ecfit_brainpoolP256r1_signature_from_der as signature_from_der,
        ecfit_brainpoolP256r1_signature_to_der as signature_to_der,
        ecfit_brainpoolP256r1_step as step,
    };
}

#[cfg(feature = "brainpoolP384r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_brainpoolP384r1_task {
    pub blocks: [u64; 120],
}

#[cfg(feature = "brainpoolP384r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_brainpoolP384r1_keygen(public_key: *mut [u8; 97], private_key: *mut [u8; 48], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_public_key(public_key: *mut [u8; 97], private_key: *const [u8; 48], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdh(shared_secret: *mut [u8; 48], private_key: *const [u8; 48], public_key: *const [u8; 97], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdsa_sign(signature: *mut [u8; 96], private_key: *const [u8; 48], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdsa_sign_message(signature: *mut [u8; 96], private_key: *const [u8; 48], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdsa_verify(signature: *const [u8; 96], public_key: *const [u8; 97], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdsa_verify_hardened(signature: *const [u8; 96], public_key: *const [u8; 97], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_brainpoolP384r1_ecdsa_verify_message(signature: *const [u8; 96], public_key: *const [u8; 97], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_prepare();
    pub fn ecfit_brainpoolP384r1_compress(compressed: *mut [u8; 49], public_key: *const [u8; 97]) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_decompress(public_key: *mut [u8; 97], compressed: *const [u8; 49]) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_signature_to_der(der: *mut [u8; 105], der_size: *mut usize, signature: *const [u8; 96]) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_signature_from_der(signature: *mut [u8; 96], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_keygen_start(task: *mut ecfit_brainpoolP384r1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdh_start(task: *mut ecfit_brainpoolP384r1_task, private_key: *const [u8; 48], public_key: *const [u8; 97], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdsa_sign_start(task: *mut ecfit_brainpoolP384r1_task, private_key: *const [u8; 48], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdsa_verify_start(task: *mut ecfit_brainpoolP384r1_task, signature: *const [u8; 96], public_key: *const [u8; 97], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_step(task: *mut ecfit_brainpoolP384r1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_abort(task: *mut ecfit_brainpoolP384r1_task);
    pub fn ecfit_brainpoolP384r1_keygen_finish(public_key: *mut [u8; 97], private_key: *mut [u8; 48], task: *mut ecfit_brainpoolP384r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdh_finish(shared_secret: *mut [u8; 48], task: *mut ecfit_brainpoolP384r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdsa_sign_finish(signature: *mut [u8; 96], task: *mut ecfit_brainpoolP384r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdsa_verify_finish(task: *mut ecfit_brainpoolP384r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_keygen_in(public_key: *mut [u8; 97], private_key: *mut [u8; 48], rng: *const ecfit_rng, work: *mut ecfit_brainpoolP384r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdh_in(shared_secret: *mut [u8; 48], private_key: *const [u8; 48], public_key: *const [u8; 97], rng: *const ecfit_rng, work: *mut ecfit_brainpoolP384r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdsa_sign_in(signature: *mut [u8; 96], private_key: *const [u8; 48], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_brainpoolP384r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP384r1_ecdsa_verify_in(signature: *const [u8; 96], public_key: *const [u8; 97], hash: *const u8, hash_size: usize, work: *mut ecfit_brainpoolP384r1_task) -> ecfit_status;
}

#[cfg(feature = "brainpoolP384r1")]
/// The functions of brainpoolP384r1 by short names.
pub mod brainpoolP384r1 {
    pub use super::{
        ecfit_brainpoolP384r1_abort as abort, ecfit_brainpoolP384r1_compress as compress,
        ecfit_brainpoolP384r1_decompress as decompress, ecfit_brainpoolP384r1_ecdh as ecdh,
        ecfit_brainpoolP384r1_ecdh_finish as ecdh_finish, ecfit_brainpoolP384r1_ecdh_in as ecdh_in,
        ecfit_brainpoolP384r1_ecdh_start as ecdh_start,
        ecfit_brainpoolP384r1_ecdsa_sign as ecdsa_sign,
        ecfit_brainpoolP384r1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_brainpoolP384r1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_brainpoolP384r1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_brainpoolP384r1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_brainpoolP384r1_ecdsa_verify as ecdsa_verify,
        ecfit_brainpoolP384r1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_brainpoolP384r1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_brainpoolP384r1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_brainpoolP384r1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_brainpoolP384r1_ecdsa_verify_start as ecdsa_verify_start,
        ecfit_brainpoolP384r1_keygen as keygen,
        ecfit_brainpoolP384r1_keygen_finish as keygen_finish,
        ecfit_brainpoolP384r1_keygen_in as keygen_in,
        ecfit_brainpoolP384r1_keygen_start as keygen_start,
        ecfit_brainpoolP384r1_prepare as prepare, ecfit_brainpoolP384r1_public_key as public_key,
        ecfit_brainpoolP384r1_signature_from_der as signature_from_der,
        ecfit_brainpoolP384r1_signature_to_der as signature_to_der,
        ecfit_brainpoolP384r1_step as step,
    };
}

#[cfg(feature = "brainpoolP512r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_brainpoolP512r1_task {
    pub blocks: [u64; 150],
}

#[cfg(feature = "brainpoolP512r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_brainpoolP512r1_keygen(public_key: *mut [u8; 129], private_key: *mut [u8; 64], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_public_key(public_key: *mut [u8; 129], private_key: *const [u8; 64], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdh(shared_secret: *mut [u8; 64], private_key: *const [u8; 64], public_key: *const [u8; 129], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdsa_sign(signature: *mut [u8; 128], private_key: *const [u8; 64], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdsa_sign_message(signature: *mut [u8; 128], private_key: *const [u8; 64], message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdsa_verify(signature: *const [u8; 128], public_key: *const [u8; 129], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdsa_verify_hardened(signature: *const [u8; 128], public_key: *const [u8; 129], hash: *const u8, hash_size: usize) -> u32;
    pub fn ecfit_brainpoolP512r1_ecdsa_verify_message(signature: *const [u8; 128], public_key: *const [u8; 129], message: *const u8, message_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_prepare();
    pub fn ecfit_brainpoolP512r1_compress(compressed: *mut [u8; 65], public_key: *const [u8; 129]) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_decompress(public_key: *mut [u8; 129], compressed: *const [u8; 65]) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_signature_to_der(der: *mut [u8; 137], der_size: *mut usize, signature: *const [u8; 128]) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_signature_from_der(signature: *mut [u8; 128], der: *const u8, der_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_keygen_start(task: *mut ecfit_brainpoolP512r1_task, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdh_start(task: *mut ecfit_brainpoolP512r1_task, private_key: *const [u8; 64], public_key: *const [u8; 129], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdsa_sign_start(task: *mut ecfit_brainpoolP512r1_task, private_key: *const [u8; 64], hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdsa_verify_start(task: *mut ecfit_brainpoolP512r1_task, signature: *const [u8; 128], public_key: *const [u8; 129], hash: *const u8, hash_size: usize) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_step(task: *mut ecfit_brainpoolP512r1_task, units: c_uint) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_abort(task: *mut ecfit_brainpoolP512r1_task);
    pub fn ecfit_brainpoolP512r1_keygen_finish(public_key: *mut [u8; 129], private_key: *mut [u8; 64], task: *mut ecfit_brainpoolP512r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdh_finish(shared_secret: *mut [u8; 64], task: *mut ecfit_brainpoolP512r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdsa_sign_finish(signature: *mut [u8; 128], task: *mut ecfit_brainpoolP512r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdsa_verify_finish(task: *mut ecfit_brainpoolP512r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_keygen_in(public_key: *mut [u8; 129], private_key: *mut [u8; 64], rng: *const ecfit_rng, work: *mut ecfit_brainpoolP512r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdh_in(shared_secret: *mut [u8; 64], private_key: *const [u8; 64], public_key: *const [u8; 129], rng: *const ecfit_rng, work: *mut ecfit_brainpoolP512r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdsa_sign_in(signature: *mut [u8; 128], private_key: *const [u8; 64], hash: *const u8, hash_size: usize, rng: *const ecfit_rng, work: *mut ecfit_brainpoolP512r1_task) -> ecfit_status;
    pub fn ecfit_brainpoolP512r1_ecdsa_verify_in(signature: *const [u8; 128], public_key: *const [u8; 129], hash: *const u8, hash_size: usize, work: *mut ecfit_brainpoolP512r1_task) -> ecfit_status;
}

#[cfg(feature = "brainpoolP512r1")]
/// The functions of brainpoolP512r1 by short names.
pub mod brainpoolP512r1 {
    pub use super::{
        ecfit_brainpoolP512r1_abort as abort, ecfit_brainpoolP512r1_compress as compress,
        ecfit_brainpoolP512r1_decompress as decompress, ecfit_brainpoolP512r1_ecdh as ecdh,
        ecfit_brainpoolP512r1_ecdh_finish as ecdh_finish, ecfit_brainpoolP512r1_ecdh_in as ecdh_in,
        ecfit_brainpoolP512r1_ecdh_start as ecdh_start,
        ecfit_brainpoolP512r1_ecdsa_sign as ecdsa_sign,
        ecfit_brainpoolP512r1_ecdsa_sign_finish as ecdsa_sign_finish,
        ecfit_brainpoolP512r1_ecdsa_sign_in as ecdsa_sign_in,
        ecfit_brainpoolP512r1_ecdsa_sign_message as ecdsa_sign_message,
        ecfit_brainpoolP512r1_ecdsa_sign_start as ecdsa_sign_start,
        ecfit_brainpoolP512r1_ecdsa_verify as ecdsa_verify,
        ecfit_brainpoolP512r1_ecdsa_verify_finish as ecdsa_verify_finish,
        ecfit_brainpoolP512r1_ecdsa_verify_hardened as ecdsa_verify_hardened,
        ecfit_brainpoolP512r1_ecdsa_verify_in as ecdsa_verify_in,
        ecfit_brainpoolP512r1_ecdsa_verify_message as ecdsa_verify_message,
        ecfit_brainpoolP512r1_ecdsa_verify_start as ecdsa_verify_start,
        ecfit_brainpoolP512r1_keygen as keygen,
        ecfit_brainpoolP512r1_keygen_finish as keygen_finish,
        ecfit_brainpoolP512r1_keygen_in as keygen_in,
        ecfit_brainpoolP512r1_keygen_start as keygen_start,
        ecfit_brainpoolP512r1_prepare as prepare, ecfit_brainpoolP512r1_public_key as public_key,
        ecfit_brainpoolP512r1_signature_from_der as signature_from_der,
        ecfit_brainpoolP512r1_signature_to_der as signature_to_der,
        ecfit_brainpoolP512r1_step as step,
    };
}

#[cfg(feature = "x25519")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_x25519(shared_secret: *mut [u8; 32], private_key: *const [u8; 32], public_key: *const [u8; 32]) -> ecfit_status;
    pub fn ecfit_x25519_public_key(public_key: *mut [u8; 32], private_key: *const [u8; 32]) -> ecfit_status;
    pub fn ecfit_x25519_keygen(public_key: *mut [u8; 32], private_key: *mut [u8; 32], rng: *const ecfit_rng) -> ecfit_status;
}

#[cfg(feature = "x25519")]
/// The functions of x25519 by short names.
pub mod x25519 {
    pub use super::{
        ecfit_x25519 as exchange, ecfit_x25519_keygen as keygen,
        ecfit_x25519_public_key as public_key,
    };
}

#[cfg(feature = "x448")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_x448(shared_secret: *mut [u8; 56], private_key: *const [u8; 56], public_key: *const [u8; 56]) -> ecfit_status;
    pub fn ecfit_x448_public_key(public_key: *mut [u8; 56], private_key: *const [u8; 56]) -> ecfit_status;
    pub fn ecfit_x448_keygen(public_key: *mut [u8; 56], private_key: *mut [u8; 56], rng: *const ecfit_rng) -> ecfit_status;
}

#[cfg(feature = "x448")]
/// The functions of x448 by short names.
pub mod x448 {
    pub use super::{
        ecfit_x448 as exchange, ecfit_x448_keygen as keygen, ecfit_x448_public_key as public_key,
    };
}

#[cfg(feature = "ed25519")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_ed25519_public_key(public_key: *mut [u8; 32], private_key: *const [u8; 32]) -> ecfit_status;
    pub fn ecfit_ed25519_keygen(public_key: *mut [u8; 32], private_key: *mut [u8; 32], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_ed25519_sign(signature: *mut [u8; 64], private_key: *const [u8; 32], message: *const u8, size: usize) -> ecfit_status;
    pub fn ecfit_ed25519_sign_ctx(signature: *mut [u8; 64], private_key: *const [u8; 32], message: *const u8, size: usize, context: *const u8, context_size: u8) -> ecfit_status;
    pub fn ecfit_ed25519_sign_ph(signature: *mut [u8; 64], private_key: *const [u8; 32], digest: *const [u8; 64], context: *const u8, context_size: u8) -> ecfit_status;
    pub fn ecfit_ed25519_sign_hedged(signature: *mut [u8; 64], private_key: *const [u8; 32], message: *const u8, size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_ed25519_key_pair(key_pair: *mut [u8; 96], private_key: *const [u8; 32]) -> ecfit_status;
    pub fn ecfit_ed25519_sign_pair(signature: *mut [u8; 64], key_pair: *const [u8; 96], message: *const u8, size: usize) -> ecfit_status;
    pub fn ecfit_ed25519_verify(signature: *const [u8; 64], public_key: *const [u8; 32], message: *const u8, size: usize) -> ecfit_status;
    pub fn ecfit_ed25519_verify_hardened(signature: *const [u8; 64], public_key: *const [u8; 32], message: *const u8, size: usize) -> u32;
    pub fn ecfit_ed25519_verify_ctx(signature: *const [u8; 64], public_key: *const [u8; 32], message: *const u8, size: usize, context: *const u8, context_size: u8) -> ecfit_status;
    pub fn ecfit_ed25519_verify_ph(signature: *const [u8; 64], public_key: *const [u8; 32], digest: *const [u8; 64], context: *const u8, context_size: u8) -> ecfit_status;
}

#[cfg(feature = "ed25519")]
/// The functions of ed25519 by short names.
pub mod ed25519 {
    pub use super::{
        ecfit_ed25519_key_pair as key_pair, ecfit_ed25519_keygen as keygen,
        ecfit_ed25519_public_key as public_key, ecfit_ed25519_sign as sign,
        ecfit_ed25519_sign_ctx as sign_ctx, ecfit_ed25519_sign_hedged as sign_hedged,
        ecfit_ed25519_sign_pair as sign_pair, ecfit_ed25519_sign_ph as sign_ph,
        ecfit_ed25519_verify as verify, ecfit_ed25519_verify_ctx as verify_ctx,
        ecfit_ed25519_verify_hardened as verify_hardened, ecfit_ed25519_verify_ph as verify_ph,
    };
}

#[cfg(feature = "ed448")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_ed448_public_key(public_key: *mut [u8; 57], private_key: *const [u8; 57]) -> ecfit_status;
    pub fn ecfit_ed448_keygen(public_key: *mut [u8; 57], private_key: *mut [u8; 57], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_ed448_sign(signature: *mut [u8; 114], private_key: *const [u8; 57], message: *const u8, size: usize) -> ecfit_status;
    pub fn ecfit_ed448_sign_ctx(signature: *mut [u8; 114], private_key: *const [u8; 57], message: *const u8, size: usize, context: *const u8, context_size: u8) -> ecfit_status;
    pub fn ecfit_ed448_sign_ph(signature: *mut [u8; 114], private_key: *const [u8; 57], digest: *const [u8; 64], context: *const u8, context_size: u8) -> ecfit_status;
    pub fn ecfit_ed448_sign_hedged(signature: *mut [u8; 114], private_key: *const [u8; 57], message: *const u8, size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_ed448_key_pair(key_pair: *mut [u8; 171], private_key: *const [u8; 57]) -> ecfit_status;
    pub fn ecfit_ed448_sign_pair(signature: *mut [u8; 114], key_pair: *const [u8; 171], message: *const u8, size: usize) -> ecfit_status;
    pub fn ecfit_ed448_verify(signature: *const [u8; 114], public_key: *const [u8; 57], message: *const u8, size: usize) -> ecfit_status;
    pub fn ecfit_ed448_verify_hardened(signature: *const [u8; 114], public_key: *const [u8; 57], message: *const u8, size: usize) -> u32;
    pub fn ecfit_ed448_verify_ctx(signature: *const [u8; 114], public_key: *const [u8; 57], message: *const u8, size: usize, context: *const u8, context_size: u8) -> ecfit_status;
    pub fn ecfit_ed448_verify_ph(signature: *const [u8; 114], public_key: *const [u8; 57], digest: *const [u8; 64], context: *const u8, context_size: u8) -> ecfit_status;
}

#[cfg(feature = "ed448")]
/// The functions of ed448 by short names.
pub mod ed448 {
    pub use super::{
        ecfit_ed448_key_pair as key_pair, ecfit_ed448_keygen as keygen,
        ecfit_ed448_public_key as public_key, ecfit_ed448_sign as sign,
        ecfit_ed448_sign_ctx as sign_ctx, ecfit_ed448_sign_hedged as sign_hedged,
        ecfit_ed448_sign_pair as sign_pair, ecfit_ed448_sign_ph as sign_ph,
        ecfit_ed448_verify as verify, ecfit_ed448_verify_ctx as verify_ctx,
        ecfit_ed448_verify_hardened as verify_hardened, ecfit_ed448_verify_ph as verify_ph,
    };
}
