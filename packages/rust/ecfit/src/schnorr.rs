//! Schnorr signatures of BIP 340 on secp256k1, of messages of any size.

use core::{fmt, ptr};

use ecfit_sys::{self as sys, secp256k1 as c};
use rand_core::TryCryptoRng;
use signature::{Keypair, RandomizedSigner, SignatureEncoding, Signer, Verifier};

use crate::secret::Secret;
use crate::{rng, Error};

/// A signature: x of R, and s.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature([u8; 64]);

/// The x of a public key, checked by each verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyingKey([u8; 32]);

/// A private key; cleared when it is dropped. BIP 340 advises against one key for ECDSA, too.
#[derive(Clone)]
pub struct SigningKey {
    private: Secret<32>,
    public: VerifyingKey,
}

impl SigningKey {
    /// A new key pair.
    pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let mut private = Secret([0; 32]);
        let mut public = [0; 65];
        // SAFETY: both arrays have the sizes of the prototype.
        Error::check(rng::with(rng, |rng| unsafe {
            c::keygen(&mut public, &mut private.0, rng)
        }))?;
        let public = VerifyingKey::of(&public);
        Ok(Self { private, public })
    }

    /// The key with this scalar, big-endian.
    pub fn from_bytes(scalar: &[u8; 32]) -> Result<Self, Error> {
        let private = Secret(*scalar);
        let mut public = [0; 65];
        // SAFETY: both arrays have the sizes of the prototype; no generator is needed where
        // nothing is blinded, and its absence is an error where it is.
        Error::check(unsafe { c::public_key(&mut public, &private.0, ptr::null()) })?;
        let public = VerifyingKey::of(&public);
        Ok(Self { private, public })
    }

    /// The scalar, big-endian: whoever has it has the key.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.private.0
    }

    fn signed(&self, message: &[u8], rng: *const sys::ecfit_rng) -> Result<Signature, Error> {
        let mut signature = [0; 64];
        // SAFETY: the arrays have the sizes of the prototype, the message is borrowed.
        Error::check(unsafe {
            sys::ecfit_secp256k1_schnorr_sign(
                &mut signature,
                &self.private.0,
                message.as_ptr(),
                message.len(),
                rng,
            )
        })?;
        Ok(Signature(signature))
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").finish_non_exhaustive()
    }
}

impl VerifyingKey {
    /// The key with this x, big-endian, and an even y.
    pub fn from_bytes(x: &[u8; 32]) -> Self {
        Self(*x)
    }

    /// The x, big-endian.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    fn of(point: &[u8; 65]) -> Self {
        let mut x = [0; 32];
        x.copy_from_slice(&point[1..33]);
        Self(x)
    }
}

encoding!(64);

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        self.public
    }
}

/// Deterministic: aux_rand is zeros.
impl Signer<Signature> for SigningKey {
    fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
        Ok(self.signed(message, ptr::null())?)
    }
}

/// As BIP 340 advises: the generator gives aux_rand.
impl RandomizedSigner<Signature> for SigningKey {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, signature::Error> {
        Ok(rng::with(rng, |rng| self.signed(message, rng))?)
    }
}

impl Verifier<Signature> for VerifyingKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        // SAFETY: the arrays have the sizes of the prototype, the message is borrowed.
        Error::check(unsafe {
            sys::ecfit_secp256k1_schnorr_verify(
                &signature.0,
                &self.0,
                message.as_ptr(),
                message.len(),
            )
        })?;
        Ok(())
    }
}
