/// Signatures of RFC 8032: module, feature, title, bytes of a key and of a signature.
macro_rules! edwards {
    ($name:ident, $feature:literal, $title:literal, $n:literal, $size:literal) => {
        #[doc = concat!("Signatures with ", $title, " (RFC 8032).")]
        #[cfg(feature = $feature)]
        pub mod $name {
            use core::fmt;

            use ecfit_sys::$name as c;
            use rand_core::TryCryptoRng;
            use signature::{Keypair, SignatureEncoding, Signer, Verifier};

            use crate::secret::Secret;
            use crate::{rng, Error};

            /// A signature.
            #[derive(Clone, Copy, PartialEq, Eq)]
            pub struct Signature(pub(crate) [u8; $size]);

            /// A public key, checked by each verification.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct VerifyingKey(pub(crate) [u8; $n]);

            /// A private key; cleared when it is dropped.
            #[derive(Clone)]
            pub struct SigningKey {
                pub(crate) private: Secret<$n>,
                public: VerifyingKey,
            }

            impl SigningKey {
                /// A new key pair.
                pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
                    let mut private = Secret([0; $n]);
                    let mut public = [0; $n];
                    // SAFETY: both arrays have the sizes of the prototype.
                    Error::check(rng::with(rng, |rng| unsafe {
                        c::keygen(&mut public, &mut private.0, rng)
                    }))?;
                    let public = VerifyingKey(public);
                    Ok(Self { private, public })
                }

                /// The key with these bytes: the seed of RFC 8032.
                pub fn from_bytes(seed: &[u8; $n]) -> Result<Self, Error> {
                    let private = Secret(*seed);
                    let mut public = [0; $n];
                    // SAFETY: both arrays have the sizes of the prototype.
                    Error::check(unsafe { c::public_key(&mut public, &private.0) })?;
                    let public = VerifyingKey(public);
                    Ok(Self { private, public })
                }

                /// The seed: whoever has it has the key.
                pub fn to_bytes(&self) -> [u8; $n] {
                    self.private.0
                }
            }

            impl fmt::Debug for SigningKey {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct("SigningKey").finish_non_exhaustive()
                }
            }

            impl VerifyingKey {
                /// The key with these bytes.
                pub fn from_bytes(bytes: &[u8; $n]) -> Self {
                    Self(*bytes)
                }

                /// Its bytes.
                pub fn to_bytes(&self) -> [u8; $n] {
                    self.0
                }
            }

            encoding!($size);

            impl Keypair for SigningKey {
                type VerifyingKey = VerifyingKey;

                fn verifying_key(&self) -> VerifyingKey {
                    self.public
                }
            }

            impl Signer<Signature> for SigningKey {
                fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
                    let mut signature = [0; $size];
                    // SAFETY: the arrays have the sizes of the prototype, the message is borrowed.
                    Error::check(unsafe {
                        c::sign(
                            &mut signature,
                            &self.private.0,
                            message.as_ptr(),
                            message.len(),
                        )
                    })?;
                    Ok(Signature(signature))
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
                        c::verify(&signature.0, &self.0, message.as_ptr(), message.len())
                    })?;
                    Ok(())
                }
            }
        }
    };
}
