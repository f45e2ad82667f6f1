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

/// The caller's source of a message that need not fit into RAM.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_reader {
    pub read: Option<unsafe extern "C" fn(*mut c_void, *mut u8, u64, usize) -> c_int>,
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
pub const ECFIT_READ_FAILED: ecfit_status = 9;
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
    pub fn ecfit_shake256(digest: *mut u8, digest_size: usize, pieces: *const ecfit_bytes,
        count: usize);
}

// A curve of this family, where its feature is on: what its header declares, and a module in which
// the functions have no prefix, so that one macro of the crate `ecfit` serves all curves.
#[rustfmt::skip]
macro_rules! weierstrass {
    (
        $feature:literal, $module:ident, public_key $public_key_size:literal,
        private_key $private_key_size:literal, shared_secret $shared_secret_size:literal,
        signature $signature_size:literal, recoverable $recoverable_size:literal,
        compressed $compressed_size:literal, der $der_size:literal,
        task $task:ident $blocks:literal, $keygen:ident, $public_key:ident, $public_key_check:ident,
        $ecdh:ident, $ecdsa_sign:ident, $ecdsa_sign_recoverable:ident, $ecdsa_sign_message:ident,
        $ecdsa_verify:ident, $ecdsa_verify_hardened:ident, $ecdsa_recover:ident,
        $ecdsa_verify_message:ident, $compress:ident, $decompress:ident, $signature_to_der:ident,
        $signature_from_der:ident, $keygen_start:ident, $ecdh_start:ident, $ecdsa_sign_start:ident,
        $ecdsa_verify_start:ident, $step:ident, $abort:ident, $keygen_finish:ident,
        $ecdh_finish:ident, $ecdsa_sign_finish:ident, $ecdsa_verify_finish:ident, $keygen_in:ident,
        $ecdh_in:ident, $ecdsa_sign_in:ident, $ecdsa_verify_in:ident
    ) => {
        #[cfg(feature = $feature)]
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $task {
            pub blocks: [u64; $blocks],
        }

        #[cfg(feature = $feature)]
        unsafe extern "C" {
            pub fn $keygen(public_key: *mut [u8; $public_key_size],
                private_key: *mut [u8; $private_key_size], rng: *const ecfit_rng) -> ecfit_status;
            pub fn $public_key(public_key: *mut [u8; $public_key_size],
                private_key: *const [u8; $private_key_size], rng: *const ecfit_rng) -> ecfit_status;
            pub fn $public_key_check(public_key: *const [u8; $public_key_size]) -> ecfit_status;
            pub fn $ecdh(shared_secret: *mut [u8; $shared_secret_size],
                private_key: *const [u8; $private_key_size],
                public_key: *const [u8; $public_key_size], rng: *const ecfit_rng) -> ecfit_status;
            pub fn $ecdsa_sign(signature: *mut [u8; $signature_size],
                private_key: *const [u8; $private_key_size], hash: *const u8, hash_size: usize,
                rng: *const ecfit_rng) -> ecfit_status;
            pub fn $ecdsa_sign_recoverable(recoverable: *mut [u8; $recoverable_size],
                private_key: *const [u8; $private_key_size], hash: *const u8, hash_size: usize,
                rng: *const ecfit_rng) -> ecfit_status;
            pub fn $ecdsa_sign_message(signature: *mut [u8; $signature_size],
                private_key: *const [u8; $private_key_size], message: *const u8,
                message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
            pub fn $ecdsa_verify(signature: *const [u8; $signature_size],
                public_key: *const [u8; $public_key_size], hash: *const u8,
                hash_size: usize) -> ecfit_status;
            pub fn $ecdsa_verify_hardened(signature: *const [u8; $signature_size],
                public_key: *const [u8; $public_key_size], hash: *const u8,
                hash_size: usize) -> u32;
            pub fn $ecdsa_recover(public_key: *mut [u8; $public_key_size],
                recoverable: *const [u8; $recoverable_size], hash: *const u8,
                hash_size: usize) -> ecfit_status;
            pub fn $ecdsa_verify_message(signature: *const [u8; $signature_size],
                public_key: *const [u8; $public_key_size], message: *const u8,
                message_size: usize) -> ecfit_status;
            pub fn $compress(compressed: *mut [u8; $compressed_size],
                public_key: *const [u8; $public_key_size]) -> ecfit_status;
            pub fn $decompress(public_key: *mut [u8; $public_key_size],
                compressed: *const [u8; $compressed_size]) -> ecfit_status;
            pub fn $signature_to_der(der: *mut [u8; $der_size], der_size: *mut usize,
                signature: *const [u8; $signature_size]) -> ecfit_status;
            pub fn $signature_from_der(signature: *mut [u8; $signature_size], der: *const u8,
                der_size: usize) -> ecfit_status;
            pub fn $keygen_start(task: *mut $task, rng: *const ecfit_rng) -> ecfit_status;
            pub fn $ecdh_start(task: *mut $task, private_key: *const [u8; $private_key_size],
                public_key: *const [u8; $public_key_size], rng: *const ecfit_rng) -> ecfit_status;
            pub fn $ecdsa_sign_start(task: *mut $task, private_key: *const [u8; $private_key_size],
                hash: *const u8, hash_size: usize, rng: *const ecfit_rng) -> ecfit_status;
            pub fn $ecdsa_verify_start(task: *mut $task, signature: *const [u8; $signature_size],
                public_key: *const [u8; $public_key_size], hash: *const u8,
                hash_size: usize) -> ecfit_status;
            pub fn $step(task: *mut $task, units: c_uint) -> ecfit_status;
            pub fn $abort(task: *mut $task);
            pub fn $keygen_finish(public_key: *mut [u8; $public_key_size],
                private_key: *mut [u8; $private_key_size], task: *mut $task) -> ecfit_status;
            pub fn $ecdh_finish(shared_secret: *mut [u8; $shared_secret_size],
                task: *mut $task) -> ecfit_status;
            pub fn $ecdsa_sign_finish(signature: *mut [u8; $signature_size],
                task: *mut $task) -> ecfit_status;
            pub fn $ecdsa_verify_finish(task: *mut $task) -> ecfit_status;
            pub fn $keygen_in(public_key: *mut [u8; $public_key_size],
                private_key: *mut [u8; $private_key_size], rng: *const ecfit_rng,
                work: *mut $task) -> ecfit_status;
            pub fn $ecdh_in(shared_secret: *mut [u8; $shared_secret_size],
                private_key: *const [u8; $private_key_size],
                public_key: *const [u8; $public_key_size], rng: *const ecfit_rng,
                work: *mut $task) -> ecfit_status;
            pub fn $ecdsa_sign_in(signature: *mut [u8; $signature_size],
                private_key: *const [u8; $private_key_size], hash: *const u8, hash_size: usize,
                rng: *const ecfit_rng, work: *mut $task) -> ecfit_status;
            pub fn $ecdsa_verify_in(signature: *const [u8; $signature_size],
                public_key: *const [u8; $public_key_size], hash: *const u8, hash_size: usize,
                work: *mut $task) -> ecfit_status;
        }

        #[cfg(feature = $feature)]
        #[doc = concat!("The functions of ", $feature, " by short names.")]
        pub mod $module {
            pub use super::{
                $abort as abort, $compress as compress, $decompress as decompress, $ecdh as ecdh,
                $ecdh_finish as ecdh_finish, $ecdh_in as ecdh_in, $ecdh_start as ecdh_start,
                $ecdsa_recover as ecdsa_recover, $ecdsa_sign as ecdsa_sign,
                $ecdsa_sign_finish as ecdsa_sign_finish, $ecdsa_sign_in as ecdsa_sign_in,
                $ecdsa_sign_message as ecdsa_sign_message,
                $ecdsa_sign_recoverable as ecdsa_sign_recoverable,
                $ecdsa_sign_start as ecdsa_sign_start, $ecdsa_verify as ecdsa_verify,
                $ecdsa_verify_finish as ecdsa_verify_finish,
                $ecdsa_verify_hardened as ecdsa_verify_hardened,
                $ecdsa_verify_in as ecdsa_verify_in, $ecdsa_verify_message as ecdsa_verify_message,
                $ecdsa_verify_start as ecdsa_verify_start, $keygen as keygen,
                $keygen_finish as keygen_finish, $keygen_in as keygen_in,
                $keygen_start as keygen_start, $public_key as public_key,
                $public_key_check as public_key_check, $signature_from_der as signature_from_der,
                $signature_to_der as signature_to_der, $step as step,
            };
        }
    };
}

weierstrass! {
    "secp128r1", secp128r1, public_key 33, private_key 16, shared_secret 16, signature 32,
    recoverable 33, compressed 17, der 41, task ecfit_secp128r1_task 60, ecfit_secp128r1_keygen,
    ecfit_secp128r1_public_key, ecfit_secp128r1_public_key_check, ecfit_secp128r1_ecdh,
    ecfit_secp128r1_ecdsa_sign, ecfit_secp128r1_ecdsa_sign_recoverable,
    ecfit_secp128r1_ecdsa_sign_message, ecfit_secp128r1_ecdsa_verify,
    ecfit_secp128r1_ecdsa_verify_hardened, ecfit_secp128r1_ecdsa_recover,
    ecfit_secp128r1_ecdsa_verify_message, ecfit_secp128r1_compress, ecfit_secp128r1_decompress,
    ecfit_secp128r1_signature_to_der, ecfit_secp128r1_signature_from_der,
    ecfit_secp128r1_keygen_start, ecfit_secp128r1_ecdh_start, ecfit_secp128r1_ecdsa_sign_start,
    ecfit_secp128r1_ecdsa_verify_start, ecfit_secp128r1_step, ecfit_secp128r1_abort,
    ecfit_secp128r1_keygen_finish, ecfit_secp128r1_ecdh_finish, ecfit_secp128r1_ecdsa_sign_finish,
    ecfit_secp128r1_ecdsa_verify_finish, ecfit_secp128r1_keygen_in, ecfit_secp128r1_ecdh_in,
    ecfit_secp128r1_ecdsa_sign_in, ecfit_secp128r1_ecdsa_verify_in
}
weierstrass! {
    "secp160r1", secp160r1, public_key 41, private_key 21, shared_secret 20, signature 42,
    recoverable 43, compressed 21, der 51, task ecfit_secp160r1_task 75, ecfit_secp160r1_keygen,
    ecfit_secp160r1_public_key, ecfit_secp160r1_public_key_check, ecfit_secp160r1_ecdh,
    ecfit_secp160r1_ecdsa_sign, ecfit_secp160r1_ecdsa_sign_recoverable,
    ecfit_secp160r1_ecdsa_sign_message, ecfit_secp160r1_ecdsa_verify,
    ecfit_secp160r1_ecdsa_verify_hardened, ecfit_secp160r1_ecdsa_recover,
    ecfit_secp160r1_ecdsa_verify_message, ecfit_secp160r1_compress, ecfit_secp160r1_decompress,
    ecfit_secp160r1_signature_to_der, ecfit_secp160r1_signature_from_der,
    ecfit_secp160r1_keygen_start, ecfit_secp160r1_ecdh_start, ecfit_secp160r1_ecdsa_sign_start,
    ecfit_secp160r1_ecdsa_verify_start, ecfit_secp160r1_step, ecfit_secp160r1_abort,
    ecfit_secp160r1_keygen_finish, ecfit_secp160r1_ecdh_finish, ecfit_secp160r1_ecdsa_sign_finish,
    ecfit_secp160r1_ecdsa_verify_finish, ecfit_secp160r1_keygen_in, ecfit_secp160r1_ecdh_in,
    ecfit_secp160r1_ecdsa_sign_in, ecfit_secp160r1_ecdsa_verify_in
}
weierstrass! {
    "secp192r1", secp192r1, public_key 49, private_key 24, shared_secret 24, signature 48,
    recoverable 49, compressed 25, der 57, task ecfit_secp192r1_task 75, ecfit_secp192r1_keygen,
    ecfit_secp192r1_public_key, ecfit_secp192r1_public_key_check, ecfit_secp192r1_ecdh,
    ecfit_secp192r1_ecdsa_sign, ecfit_secp192r1_ecdsa_sign_recoverable,
    ecfit_secp192r1_ecdsa_sign_message, ecfit_secp192r1_ecdsa_verify,
    ecfit_secp192r1_ecdsa_verify_hardened, ecfit_secp192r1_ecdsa_recover,
    ecfit_secp192r1_ecdsa_verify_message, ecfit_secp192r1_compress, ecfit_secp192r1_decompress,
    ecfit_secp192r1_signature_to_der, ecfit_secp192r1_signature_from_der,
    ecfit_secp192r1_keygen_start, ecfit_secp192r1_ecdh_start, ecfit_secp192r1_ecdsa_sign_start,
    ecfit_secp192r1_ecdsa_verify_start, ecfit_secp192r1_step, ecfit_secp192r1_abort,
    ecfit_secp192r1_keygen_finish, ecfit_secp192r1_ecdh_finish, ecfit_secp192r1_ecdsa_sign_finish,
    ecfit_secp192r1_ecdsa_verify_finish, ecfit_secp192r1_keygen_in, ecfit_secp192r1_ecdh_in,
    ecfit_secp192r1_ecdsa_sign_in, ecfit_secp192r1_ecdsa_verify_in
}
weierstrass! {
    "secp224r1", secp224r1, public_key 57, private_key 28, shared_secret 28, signature 56,
    recoverable 57, compressed 29, der 65, task ecfit_secp224r1_task 90, ecfit_secp224r1_keygen,
    ecfit_secp224r1_public_key, ecfit_secp224r1_public_key_check, ecfit_secp224r1_ecdh,
    ecfit_secp224r1_ecdsa_sign, ecfit_secp224r1_ecdsa_sign_recoverable,
    ecfit_secp224r1_ecdsa_sign_message, ecfit_secp224r1_ecdsa_verify,
    ecfit_secp224r1_ecdsa_verify_hardened, ecfit_secp224r1_ecdsa_recover,
    ecfit_secp224r1_ecdsa_verify_message, ecfit_secp224r1_compress, ecfit_secp224r1_decompress,
    ecfit_secp224r1_signature_to_der, ecfit_secp224r1_signature_from_der,
    ecfit_secp224r1_keygen_start, ecfit_secp224r1_ecdh_start, ecfit_secp224r1_ecdsa_sign_start,
    ecfit_secp224r1_ecdsa_verify_start, ecfit_secp224r1_step, ecfit_secp224r1_abort,
    ecfit_secp224r1_keygen_finish, ecfit_secp224r1_ecdh_finish, ecfit_secp224r1_ecdsa_sign_finish,
    ecfit_secp224r1_ecdsa_verify_finish, ecfit_secp224r1_keygen_in, ecfit_secp224r1_ecdh_in,
    ecfit_secp224r1_ecdsa_sign_in, ecfit_secp224r1_ecdsa_verify_in
}
weierstrass! {
    "secp256r1", secp256r1, public_key 65, private_key 32, shared_secret 32, signature 64,
    recoverable 65, compressed 33, der 73, task ecfit_secp256r1_task 90, ecfit_secp256r1_keygen,
    ecfit_secp256r1_public_key, ecfit_secp256r1_public_key_check, ecfit_secp256r1_ecdh,
    ecfit_secp256r1_ecdsa_sign, ecfit_secp256r1_ecdsa_sign_recoverable,
    ecfit_secp256r1_ecdsa_sign_message, ecfit_secp256r1_ecdsa_verify,
    ecfit_secp256r1_ecdsa_verify_hardened, ecfit_secp256r1_ecdsa_recover,
    ecfit_secp256r1_ecdsa_verify_message, ecfit_secp256r1_compress, ecfit_secp256r1_decompress,
    ecfit_secp256r1_signature_to_der, ecfit_secp256r1_signature_from_der,
    ecfit_secp256r1_keygen_start, ecfit_secp256r1_ecdh_start, ecfit_secp256r1_ecdsa_sign_start,
    ecfit_secp256r1_ecdsa_verify_start, ecfit_secp256r1_step, ecfit_secp256r1_abort,
    ecfit_secp256r1_keygen_finish, ecfit_secp256r1_ecdh_finish, ecfit_secp256r1_ecdsa_sign_finish,
    ecfit_secp256r1_ecdsa_verify_finish, ecfit_secp256r1_keygen_in, ecfit_secp256r1_ecdh_in,
    ecfit_secp256r1_ecdsa_sign_in, ecfit_secp256r1_ecdsa_verify_in
}
weierstrass! {
    "secp384r1", secp384r1, public_key 97, private_key 48, shared_secret 48, signature 96,
    recoverable 97, compressed 49, der 105, task ecfit_secp384r1_task 120, ecfit_secp384r1_keygen,
    ecfit_secp384r1_public_key, ecfit_secp384r1_public_key_check, ecfit_secp384r1_ecdh,
    ecfit_secp384r1_ecdsa_sign, ecfit_secp384r1_ecdsa_sign_recoverable,
    ecfit_secp384r1_ecdsa_sign_message, ecfit_secp384r1_ecdsa_verify,
    ecfit_secp384r1_ecdsa_verify_hardened, ecfit_secp384r1_ecdsa_recover,
    ecfit_secp384r1_ecdsa_verify_message, ecfit_secp384r1_compress, ecfit_secp384r1_decompress,
    ecfit_secp384r1_signature_to_der, ecfit_secp384r1_signature_from_der,
    ecfit_secp384r1_keygen_start, ecfit_secp384r1_ecdh_start, ecfit_secp384r1_ecdsa_sign_start,
    ecfit_secp384r1_ecdsa_verify_start, ecfit_secp384r1_step, ecfit_secp384r1_abort,
    ecfit_secp384r1_keygen_finish, ecfit_secp384r1_ecdh_finish, ecfit_secp384r1_ecdsa_sign_finish,
    ecfit_secp384r1_ecdsa_verify_finish, ecfit_secp384r1_keygen_in, ecfit_secp384r1_ecdh_in,
    ecfit_secp384r1_ecdsa_sign_in, ecfit_secp384r1_ecdsa_verify_in
}
weierstrass! {
    "secp521r1", secp521r1, public_key 133, private_key 66, shared_secret 66, signature 132,
    recoverable 133, compressed 67, der 141, task ecfit_secp521r1_task 165, ecfit_secp521r1_keygen,
    ecfit_secp521r1_public_key, ecfit_secp521r1_public_key_check, ecfit_secp521r1_ecdh,
    ecfit_secp521r1_ecdsa_sign, ecfit_secp521r1_ecdsa_sign_recoverable,
    ecfit_secp521r1_ecdsa_sign_message, ecfit_secp521r1_ecdsa_verify,
    ecfit_secp521r1_ecdsa_verify_hardened, ecfit_secp521r1_ecdsa_recover,
    ecfit_secp521r1_ecdsa_verify_message, ecfit_secp521r1_compress, ecfit_secp521r1_decompress,
    ecfit_secp521r1_signature_to_der, ecfit_secp521r1_signature_from_der,
    ecfit_secp521r1_keygen_start, ecfit_secp521r1_ecdh_start, ecfit_secp521r1_ecdsa_sign_start,
    ecfit_secp521r1_ecdsa_verify_start, ecfit_secp521r1_step, ecfit_secp521r1_abort,
    ecfit_secp521r1_keygen_finish, ecfit_secp521r1_ecdh_finish, ecfit_secp521r1_ecdsa_sign_finish,
    ecfit_secp521r1_ecdsa_verify_finish, ecfit_secp521r1_keygen_in, ecfit_secp521r1_ecdh_in,
    ecfit_secp521r1_ecdsa_sign_in, ecfit_secp521r1_ecdsa_verify_in
}
weierstrass! {
    "secp256k1", secp256k1, public_key 65, private_key 32, shared_secret 32, signature 64,
    recoverable 65, compressed 33, der 73, task ecfit_secp256k1_task 90, ecfit_secp256k1_keygen,
    ecfit_secp256k1_public_key, ecfit_secp256k1_public_key_check, ecfit_secp256k1_ecdh,
    ecfit_secp256k1_ecdsa_sign, ecfit_secp256k1_ecdsa_sign_recoverable,
    ecfit_secp256k1_ecdsa_sign_message, ecfit_secp256k1_ecdsa_verify,
    ecfit_secp256k1_ecdsa_verify_hardened, ecfit_secp256k1_ecdsa_recover,
    ecfit_secp256k1_ecdsa_verify_message, ecfit_secp256k1_compress, ecfit_secp256k1_decompress,
    ecfit_secp256k1_signature_to_der, ecfit_secp256k1_signature_from_der,
    ecfit_secp256k1_keygen_start, ecfit_secp256k1_ecdh_start, ecfit_secp256k1_ecdsa_sign_start,
    ecfit_secp256k1_ecdsa_verify_start, ecfit_secp256k1_step, ecfit_secp256k1_abort,
    ecfit_secp256k1_keygen_finish, ecfit_secp256k1_ecdh_finish, ecfit_secp256k1_ecdsa_sign_finish,
    ecfit_secp256k1_ecdsa_verify_finish, ecfit_secp256k1_keygen_in, ecfit_secp256k1_ecdh_in,
    ecfit_secp256k1_ecdsa_sign_in, ecfit_secp256k1_ecdsa_verify_in
}
weierstrass! {
    "brainpoolP256r1", brainpoolP256r1, public_key 65, private_key 32, shared_secret 32,
    signature 64, recoverable 65, compressed 33, der 73, task ecfit_brainpoolP256r1_task 90,
    ecfit_brainpoolP256r1_keygen, ecfit_brainpoolP256r1_public_key,
    ecfit_brainpoolP256r1_public_key_check, ecfit_brainpoolP256r1_ecdh,
    ecfit_brainpoolP256r1_ecdsa_sign, ecfit_brainpoolP256r1_ecdsa_sign_recoverable,
    ecfit_brainpoolP256r1_ecdsa_sign_message, ecfit_brainpoolP256r1_ecdsa_verify,
    ecfit_brainpoolP256r1_ecdsa_verify_hardened, ecfit_brainpoolP256r1_ecdsa_recover,
    ecfit_brainpoolP256r1_ecdsa_verify_message, ecfit_brainpoolP256r1_compress,
    ecfit_brainpoolP256r1_decompress, ecfit_brainpoolP256r1_signature_to_der,
    ecfit_brainpoolP256r1_signature_from_der, ecfit_brainpoolP256r1_keygen_start,
    ecfit_brainpoolP256r1_ecdh_start, ecfit_brainpoolP256r1_ecdsa_sign_start,
    ecfit_brainpoolP256r1_ecdsa_verify_start, ecfit_brainpoolP256r1_step,
    ecfit_brainpoolP256r1_abort, ecfit_brainpoolP256r1_keygen_finish,
    ecfit_brainpoolP256r1_ecdh_finish, ecfit_brainpoolP256r1_ecdsa_sign_finish,
    ecfit_brainpoolP256r1_ecdsa_verify_finish, ecfit_brainpoolP256r1_keygen_in,
    ecfit_brainpoolP256r1_ecdh_in, ecfit_brainpoolP256r1_ecdsa_sign_in,
    ecfit_brainpoolP256r1_ecdsa_verify_in
}
weierstrass! {
    "brainpoolP384r1", brainpoolP384r1, public_key 97, private_key 48, shared_secret 48,
    signature 96, recoverable 97, compressed 49, der 105, task ecfit_brainpoolP384r1_task 120,
    ecfit_brainpoolP384r1_keygen, ecfit_brainpoolP384r1_public_key,
    ecfit_brainpoolP384r1_public_key_check, ecfit_brainpoolP384r1_ecdh,
    ecfit_brainpoolP384r1_ecdsa_sign, ecfit_brainpoolP384r1_ecdsa_sign_recoverable,
    ecfit_brainpoolP384r1_ecdsa_sign_message, ecfit_brainpoolP384r1_ecdsa_verify,
    ecfit_brainpoolP384r1_ecdsa_verify_hardened, ecfit_brainpoolP384r1_ecdsa_recover,
    ecfit_brainpoolP384r1_ecdsa_verify_message, ecfit_brainpoolP384r1_compress,
    ecfit_brainpoolP384r1_decompress, ecfit_brainpoolP384r1_signature_to_der,
    ecfit_brainpoolP384r1_signature_from_der, ecfit_brainpoolP384r1_keygen_start,
    ecfit_brainpoolP384r1_ecdh_start, ecfit_brainpoolP384r1_ecdsa_sign_start,
    ecfit_brainpoolP384r1_ecdsa_verify_start, ecfit_brainpoolP384r1_step,
    ecfit_brainpoolP384r1_abort, ecfit_brainpoolP384r1_keygen_finish,
    ecfit_brainpoolP384r1_ecdh_finish, ecfit_brainpoolP384r1_ecdsa_sign_finish,
    ecfit_brainpoolP384r1_ecdsa_verify_finish, ecfit_brainpoolP384r1_keygen_in,
    ecfit_brainpoolP384r1_ecdh_in, ecfit_brainpoolP384r1_ecdsa_sign_in,
    ecfit_brainpoolP384r1_ecdsa_verify_in
}
weierstrass! {
    "brainpoolP512r1", brainpoolP512r1, public_key 129, private_key 64, shared_secret 64,
    signature 128, recoverable 129, compressed 65, der 137, task ecfit_brainpoolP512r1_task 150,
    ecfit_brainpoolP512r1_keygen, ecfit_brainpoolP512r1_public_key,
    ecfit_brainpoolP512r1_public_key_check, ecfit_brainpoolP512r1_ecdh,
    ecfit_brainpoolP512r1_ecdsa_sign, ecfit_brainpoolP512r1_ecdsa_sign_recoverable,
    ecfit_brainpoolP512r1_ecdsa_sign_message, ecfit_brainpoolP512r1_ecdsa_verify,
    ecfit_brainpoolP512r1_ecdsa_verify_hardened, ecfit_brainpoolP512r1_ecdsa_recover,
    ecfit_brainpoolP512r1_ecdsa_verify_message, ecfit_brainpoolP512r1_compress,
    ecfit_brainpoolP512r1_decompress, ecfit_brainpoolP512r1_signature_to_der,
    ecfit_brainpoolP512r1_signature_from_der, ecfit_brainpoolP512r1_keygen_start,
    ecfit_brainpoolP512r1_ecdh_start, ecfit_brainpoolP512r1_ecdsa_sign_start,
    ecfit_brainpoolP512r1_ecdsa_verify_start, ecfit_brainpoolP512r1_step,
    ecfit_brainpoolP512r1_abort, ecfit_brainpoolP512r1_keygen_finish,
    ecfit_brainpoolP512r1_ecdh_finish, ecfit_brainpoolP512r1_ecdsa_sign_finish,
    ecfit_brainpoolP512r1_ecdsa_verify_finish, ecfit_brainpoolP512r1_keygen_in,
    ecfit_brainpoolP512r1_ecdh_in, ecfit_brainpoolP512r1_ecdsa_sign_in,
    ecfit_brainpoolP512r1_ecdsa_verify_in
}

// A curve of this family, where its feature is on: what its header declares, and a module in which
// the functions have no prefix, so that one macro of the crate `ecfit` serves all curves.
#[rustfmt::skip]
macro_rules! montgomery {
    (
        $feature:literal, $module:ident, shared_secret $shared_secret_size:literal,
        private_key $private_key_size:literal, public_key $public_key_size:literal, $exchange:ident,
        $public_key:ident, $keygen:ident
    ) => {
        #[cfg(feature = $feature)]
        unsafe extern "C" {
            pub fn $exchange(shared_secret: *mut [u8; $shared_secret_size],
                private_key: *const [u8; $private_key_size],
                public_key: *const [u8; $public_key_size]) -> ecfit_status;
            pub fn $public_key(public_key: *mut [u8; $public_key_size],
                private_key: *const [u8; $private_key_size]) -> ecfit_status;
            pub fn $keygen(public_key: *mut [u8; $public_key_size],
                private_key: *mut [u8; $private_key_size], rng: *const ecfit_rng) -> ecfit_status;
        }

        #[cfg(feature = $feature)]
        #[doc = concat!("The functions of ", $feature, " by short names.")]
        pub mod $module {
            pub use super::{
                $exchange as exchange, $keygen as keygen, $public_key as public_key,
            };
        }
    };
}

montgomery! {
    "x25519", x25519, shared_secret 32, private_key 32, public_key 32, ecfit_x25519,
    ecfit_x25519_public_key, ecfit_x25519_keygen
}
montgomery! {
    "x448", x448, shared_secret 56, private_key 56, public_key 56, ecfit_x448,
    ecfit_x448_public_key, ecfit_x448_keygen
}

// A curve of this family, where its feature is on: what its header declares, and a module in which
// the functions have no prefix, so that one macro of the crate `ecfit` serves all curves.
#[rustfmt::skip]
macro_rules! edwards {
    (
        $feature:literal, $module:ident, public_key $public_key_size:literal,
        private_key $private_key_size:literal, signature $signature_size:literal,
        digest $digest_size:literal, key_pair $key_pair_size:literal, $public_key:ident,
        $keygen:ident, $sign:ident, $sign_ctx:ident, $sign_ph:ident, $sign_hedged:ident,
        $key_pair:ident, $sign_pair:ident, $verify:ident, $verify_hardened:ident, $verify_ctx:ident,
        $verify_ph:ident
    ) => {
        #[cfg(feature = $feature)]
        unsafe extern "C" {
            pub fn $public_key(public_key: *mut [u8; $public_key_size],
                private_key: *const [u8; $private_key_size]) -> ecfit_status;
            pub fn $keygen(public_key: *mut [u8; $public_key_size],
                private_key: *mut [u8; $private_key_size], rng: *const ecfit_rng) -> ecfit_status;
            pub fn $sign(signature: *mut [u8; $signature_size],
                private_key: *const [u8; $private_key_size], message: *const u8,
                size: usize) -> ecfit_status;
            pub fn $sign_ctx(signature: *mut [u8; $signature_size],
                private_key: *const [u8; $private_key_size], message: *const u8, size: usize,
                context: *const u8, context_size: u8) -> ecfit_status;
            pub fn $sign_ph(signature: *mut [u8; $signature_size],
                private_key: *const [u8; $private_key_size], digest: *const [u8; $digest_size],
                context: *const u8, context_size: u8) -> ecfit_status;
            pub fn $sign_hedged(signature: *mut [u8; $signature_size],
                private_key: *const [u8; $private_key_size], message: *const u8, size: usize,
                rng: *const ecfit_rng) -> ecfit_status;
            pub fn $key_pair(key_pair: *mut [u8; $key_pair_size],
                private_key: *const [u8; $private_key_size]) -> ecfit_status;
            pub fn $sign_pair(signature: *mut [u8; $signature_size],
                key_pair: *const [u8; $key_pair_size], message: *const u8,
                size: usize) -> ecfit_status;
            pub fn $verify(signature: *const [u8; $signature_size],
                public_key: *const [u8; $public_key_size], message: *const u8,
                size: usize) -> ecfit_status;
            pub fn $verify_hardened(signature: *const [u8; $signature_size],
                public_key: *const [u8; $public_key_size], message: *const u8, size: usize) -> u32;
            pub fn $verify_ctx(signature: *const [u8; $signature_size],
                public_key: *const [u8; $public_key_size], message: *const u8, size: usize,
                context: *const u8, context_size: u8) -> ecfit_status;
            pub fn $verify_ph(signature: *const [u8; $signature_size],
                public_key: *const [u8; $public_key_size], digest: *const [u8; $digest_size],
                context: *const u8, context_size: u8) -> ecfit_status;
        }

        #[cfg(feature = $feature)]
        #[doc = concat!("The functions of ", $feature, " by short names.")]
        pub mod $module {
            pub use super::{
                $key_pair as key_pair, $keygen as keygen, $public_key as public_key, $sign as sign,
                $sign_ctx as sign_ctx, $sign_hedged as sign_hedged, $sign_pair as sign_pair,
                $sign_ph as sign_ph, $verify as verify, $verify_ctx as verify_ctx,
                $verify_hardened as verify_hardened, $verify_ph as verify_ph,
            };
        }
    };
}

edwards! {
    "ed25519", ed25519, public_key 32, private_key 32, signature 64, digest 64, key_pair 96,
    ecfit_ed25519_public_key, ecfit_ed25519_keygen, ecfit_ed25519_sign, ecfit_ed25519_sign_ctx,
    ecfit_ed25519_sign_ph, ecfit_ed25519_sign_hedged, ecfit_ed25519_key_pair,
    ecfit_ed25519_sign_pair, ecfit_ed25519_verify, ecfit_ed25519_verify_hardened,
    ecfit_ed25519_verify_ctx, ecfit_ed25519_verify_ph
}
edwards! {
    "ed448", ed448, public_key 57, private_key 57, signature 114, digest 64, key_pair 171,
    ecfit_ed448_public_key, ecfit_ed448_keygen, ecfit_ed448_sign, ecfit_ed448_sign_ctx,
    ecfit_ed448_sign_ph, ecfit_ed448_sign_hedged, ecfit_ed448_key_pair, ecfit_ed448_sign_pair,
    ecfit_ed448_verify, ecfit_ed448_verify_hardened, ecfit_ed448_verify_ctx, ecfit_ed448_verify_ph
}

#[cfg(feature = "ed25519")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_ed25519_verify_context {
    pub blocks: [u64; 27],
}

#[cfg(feature = "ed25519")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_ed25519_verify_start(context: *mut ecfit_ed25519_verify_context,
        signature: *const [u8; 64], public_key: *const [u8; 32]);
    pub fn ecfit_ed25519_verify_start_ctx(context: *mut ecfit_ed25519_verify_context,
        signature: *const [u8; 64], public_key: *const [u8; 32], name: *const u8, name_size: u8);
    pub fn ecfit_ed25519_verify_update(context: *mut ecfit_ed25519_verify_context, data: *const u8,
        size: usize);
    pub fn ecfit_ed25519_verify_finish(context: *mut ecfit_ed25519_verify_context) -> ecfit_status;
    pub fn ecfit_ed25519_sign_parts(signature: *mut [u8; 64], private_key: *const [u8; 32],
        size: u64, reader: *const ecfit_reader) -> ecfit_status;
    pub fn ecfit_ed25519_sign_parts_ctx(signature: *mut [u8; 64], private_key: *const [u8; 32],
        size: u64, reader: *const ecfit_reader, name: *const u8, name_size: u8) -> ecfit_status;
}

#[cfg(feature = "ed448")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_ed448_verify_context {
    pub blocks: [u64; 28],
}

#[cfg(feature = "ed448")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_ed448_verify_start(context: *mut ecfit_ed448_verify_context,
        signature: *const [u8; 114], public_key: *const [u8; 57]);
    pub fn ecfit_ed448_verify_start_ctx(context: *mut ecfit_ed448_verify_context,
        signature: *const [u8; 114], public_key: *const [u8; 57], name: *const u8, name_size: u8);
    pub fn ecfit_ed448_verify_update(context: *mut ecfit_ed448_verify_context, data: *const u8,
        size: usize);
    pub fn ecfit_ed448_verify_finish(context: *mut ecfit_ed448_verify_context) -> ecfit_status;
    pub fn ecfit_ed448_sign_parts(signature: *mut [u8; 114], private_key: *const [u8; 57],
        size: u64, reader: *const ecfit_reader) -> ecfit_status;
    pub fn ecfit_ed448_sign_parts_ctx(signature: *mut [u8; 114], private_key: *const [u8; 57],
        size: u64, reader: *const ecfit_reader, name: *const u8, name_size: u8) -> ecfit_status;
}

#[cfg(feature = "secp256k1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_secp256k1_schnorr_sign(signature: *mut [u8; 64], private_key: *const [u8; 32],
        message: *const u8, message_size: usize, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256k1_schnorr_verify(signature: *const [u8; 64], public_x: *const [u8; 32],
        message: *const u8, message_size: usize) -> ecfit_status;
}

#[cfg(feature = "secp256r1")]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ecfit_secp256r1_spake2p_context {
    pub blocks: [u64; 17],
}

#[cfg(feature = "secp256r1")]
#[rustfmt::skip]
unsafe extern "C" {
    pub fn ecfit_secp256r1_spake2p_scalars(w0: *mut [u8; 32], w1: *mut [u8; 32],
        halves: *const [u8; 80]) -> ecfit_status;
    pub fn ecfit_secp256r1_spake2p_prover_start(context: *mut ecfit_secp256r1_spake2p_context,
        share: *mut [u8; 65], w0: *const [u8; 32], rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_spake2p_prover_finish(shared_key: *mut [u8; 32],
        confirmation: *mut [u8; 32], context: *mut ecfit_secp256r1_spake2p_context,
        w1: *const [u8; 32], peer_share: *const [u8; 65], peer_confirmation: *const [u8; 32],
        names: *const [ecfit_bytes; 3], matter: c_int, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_spake2p_verifier_start(context: *mut ecfit_secp256r1_spake2p_context,
        share: *mut [u8; 65], confirmation: *mut [u8; 32], w0: *const [u8; 32],
        record: *const [u8; 65], peer_share: *const [u8; 65], names: *const [ecfit_bytes; 3],
        matter: c_int, rng: *const ecfit_rng) -> ecfit_status;
    pub fn ecfit_secp256r1_spake2p_verifier_finish(shared_key: *mut [u8; 32],
        context: *mut ecfit_secp256r1_spake2p_context,
        peer_confirmation: *const [u8; 32]) -> ecfit_status;
}
