/// Keys and ECDSA signatures of one curve: its name, feature and title, the bytes of a scalar, of
/// a point and of a compressed one. The hash of `Signer` is the curve's, of the library.
macro_rules! weierstrass {
    ($name:ident, $feature:literal, $title:literal, $n:literal, $point:literal, $short:literal
     $(,)?) => {
        #[doc = concat!("ECDSA and ECDH on ", $title, ".")]
        #[cfg(feature = $feature)]
        #[allow(non_snake_case)]
        pub mod $name {
            use core::{fmt, ptr};

            use ecfit_sys::{self as sys, $name as c};
            use rand_core::TryCryptoRng;
            use signature::hazmat::{PrehashSigner, PrehashVerifier, RandomizedPrehashSigner};
            use signature::{Keypair, RandomizedSigner, SignatureEncoding, Signer, Verifier};

            use crate::secret::Secret;
            use crate::{rng, Error};

            /// A signature, r and s.
            #[derive(Clone, Copy, PartialEq, Eq)]
            pub struct Signature([u8; 2 * $n]);

            /// A public key: a point of the curve.
            #[derive(Clone, Copy, PartialEq, Eq)]
            pub struct VerifyingKey([u8; $point]);

            /// A private key; cleared when it is dropped.
            #[derive(Clone)]
            pub struct SigningKey {
                private: Secret<$n>,
                public: VerifyingKey,
            }

            /// What two parties have in common: the x coordinate. Derive keys from it.
            /// Cleared when it is dropped.
            pub struct SharedSecret(Secret<$n>);

            impl SigningKey {
                /// A new key pair.
                pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
                    let mut private = Secret([0; $n]);
                    let mut public = [0; $point];
                    // SAFETY: both arrays have the sizes of the prototype.
                    Error::check(rng::with(rng, |rng| unsafe {
                        c::keygen(&mut public, &mut private.0, rng)
                    }))?;
                    let public = VerifyingKey(public);
                    Ok(Self { private, public })
                }

                /// The key with this scalar, big-endian.
                pub fn from_bytes(scalar: &[u8; $n]) -> Result<Self, Error> {
                    let private = Secret(*scalar);
                    let mut public = [0; $point];
                    // SAFETY: both arrays have the sizes of the prototype; no generator is needed
                    // where nothing is blinded, and its absence is an error where it is.
                    Error::check(unsafe { c::public_key(&mut public, &private.0, ptr::null()) })?;
                    let public = VerifyingKey(public);
                    Ok(Self { private, public })
                }

                /// The scalar, big-endian: whoever has it has the key.
                pub fn to_bytes(&self) -> [u8; $n] {
                    self.private.0
                }

                /// ECDH with the public key of the other party, which is checked.
                pub fn diffie_hellman(&self, other: &VerifyingKey) -> Result<SharedSecret, Error> {
                    let mut shared = Secret([0; $n]);
                    // SAFETY: the arrays have the sizes of the prototype.
                    Error::check(unsafe {
                        c::ecdh(&mut shared.0, &self.private.0, &other.0, ptr::null())
                    })?;
                    Ok(SharedSecret(shared))
                }

                fn signed(
                    &self,
                    hash: &[u8],
                    rng: *const sys::ecfit_rng,
                ) -> Result<Signature, Error> {
                    let mut signature = [0; 2 * $n];
                    // SAFETY: the arrays have the sizes of the prototype, the hash is borrowed.
                    Error::check(unsafe {
                        c::ecdsa_sign(
                            &mut signature,
                            &self.private.0,
                            hash.as_ptr(),
                            hash.len(),
                            rng,
                        )
                    })?;
                    Ok(Signature(signature))
                }

                /// Of a hash, as `sign_prehash`, and the id by which [`VerifyingKey::recover`]
                /// knows the public key.
                #[cfg(feature = "recovery")]
                pub fn sign_prehash_recoverable(
                    &self,
                    hash: &[u8],
                ) -> Result<(Signature, u8), Error> {
                    let mut whole = [0; 2 * $n + 1];
                    // SAFETY: the arrays have the sizes of the prototype, the hash is borrowed.
                    Error::check(unsafe {
                        c::ecdsa_sign_recoverable(
                            &mut whole,
                            &self.private.0,
                            hash.as_ptr(),
                            hash.len(),
                            ptr::null(),
                        )
                    })?;
                    let mut signature = [0; 2 * $n];
                    signature.copy_from_slice(&whole[..2 * $n]);
                    Ok((Signature(signature), whole[2 * $n]))
                }

                fn signed_message(
                    &self,
                    message: &[u8],
                    rng: *const sys::ecfit_rng,
                ) -> Result<Signature, Error> {
                    let mut signature = [0; 2 * $n];
                    // SAFETY: the arrays have the sizes of the prototype, the message is borrowed.
                    Error::check(unsafe {
                        c::ecdsa_sign_message(
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

            impl SharedSecret {
                /// Its bytes, big-endian.
                pub fn raw_secret_bytes(&self) -> &[u8; $n] {
                    &self.0 .0
                }
            }

            impl VerifyingKey {
                /// An uncompressed point (SEC 1: 04, x, y), checked by each operation that uses it.
                pub fn from_uncompressed_bytes(bytes: &[u8; $point]) -> Self {
                    Self(*bytes)
                }

                /// A point as SEC 1 encodes it, uncompressed or compressed; it is on the curve,
                /// or refused. Not in the presets tiny and lowram, which have no compression.
                pub fn from_sec1_bytes(bytes: &[u8]) -> Result<Self, Error> {
                    if let Ok(compressed) = <&[u8; $short]>::try_from(bytes) {
                        let mut public = [0; $point];
                        // SAFETY: the arrays have the sizes of the prototype.
                        Error::check(unsafe { c::decompress(&mut public, compressed) })?;
                        return Ok(Self(public));
                    }
                    let point: &[u8; $point] = bytes.try_into().map_err(|_| Error::PublicKey)?;
                    Self(*point).to_compressed_bytes()?;
                    Ok(Self(*point))
                }

                /// The key under which a signature of a hash is valid, by its recovery id, 0 to 3.
                /// Anybody can make such a signature and hash: compare the key with one that you
                /// trust.
                #[cfg(feature = "recovery")]
                pub fn recover(hash: &[u8], signature: &Signature, id: u8) -> Result<Self, Error> {
                    let mut whole = [id; 2 * $n + 1];
                    whole[..2 * $n].copy_from_slice(&signature.0);
                    let mut public = [0; $point];
                    // SAFETY: the arrays have the sizes of the prototype, the hash is borrowed.
                    Error::check(unsafe {
                        c::ecdsa_recover(&mut public, &whole, hash.as_ptr(), hash.len())
                    })?;
                    Ok(Self(public))
                }

                /// The point, uncompressed.
                pub fn to_sec1_bytes(&self) -> [u8; $point] {
                    self.0
                }

                /// The point, compressed, checked. Not in the presets tiny and lowram.
                pub fn to_compressed_bytes(&self) -> Result<[u8; $short], Error> {
                    let mut short = [0; $short];
                    // SAFETY: the arrays have the sizes of the prototype.
                    Error::check(unsafe { c::compress(&mut short, &self.0) })?;
                    Ok(short)
                }
            }

            impl fmt::Debug for VerifyingKey {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_tuple("VerifyingKey").field(&self.0).finish()
                }
            }

            encoding!(2 * $n);

            impl Keypair for SigningKey {
                type VerifyingKey = VerifyingKey;

                fn verifying_key(&self) -> VerifyingKey {
                    self.public
                }
            }

            /// Of the output of a hash function, 16 to 64 bytes; anything else is refused.
            impl PrehashSigner<Signature> for SigningKey {
                fn sign_prehash(&self, hash: &[u8]) -> Result<Signature, signature::Error> {
                    Ok(self.signed(hash, ptr::null())?)
                }
            }

            impl RandomizedPrehashSigner<Signature> for SigningKey {
                fn sign_prehash_with_rng<R: TryCryptoRng + ?Sized>(
                    &self,
                    rng: &mut R,
                    hash: &[u8],
                ) -> Result<Signature, signature::Error> {
                    Ok(rng::with(rng, |rng| self.signed(hash, rng))?)
                }
            }

            impl Signer<Signature> for SigningKey {
                fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
                    Ok(self.signed_message(message, ptr::null())?)
                }
            }

            impl RandomizedSigner<Signature> for SigningKey {
                fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
                    &self,
                    rng: &mut R,
                    message: &[u8],
                ) -> Result<Signature, signature::Error> {
                    Ok(rng::with(rng, |rng| self.signed_message(message, rng))?)
                }
            }

            /// Of the output of a hash function, 16 to 64 bytes; anything else is refused. Compute it
            /// from what is to be trusted: for a hash that somebody chose, he can make a signature.
            impl PrehashVerifier<Signature> for VerifyingKey {
                fn verify_prehash(
                    &self,
                    hash: &[u8],
                    signature: &Signature,
                ) -> Result<(), signature::Error> {
                    // SAFETY: the arrays have the sizes of the prototype, the hash is borrowed.
                    Error::check(unsafe {
                        c::ecdsa_verify(&signature.0, &self.0, hash.as_ptr(), hash.len())
                    })?;
                    Ok(())
                }
            }

            impl Verifier<Signature> for VerifyingKey {
                fn verify(
                    &self,
                    message: &[u8],
                    signature: &Signature,
                ) -> Result<(), signature::Error> {
                    // SAFETY: the arrays have the sizes of the prototype, the message is borrowed.
                    Error::check(unsafe {
                        c::ecdsa_verify_message(
                            &signature.0,
                            &self.0,
                            message.as_ptr(),
                            message.len(),
                        )
                    })?;
                    Ok(())
                }
            }
        }
    };
}
