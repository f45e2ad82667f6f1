/// Key exchange of RFC 7748: module, feature, title, bytes of a key.
macro_rules! montgomery {
    ($name:ident, $feature:literal, $title:literal, $n:literal) => {
        #[doc = concat!("Key exchange with ", $title, " (RFC 7748).")]
        #[cfg(feature = $feature)]
        pub mod $name {
            use core::fmt;

            use ecfit_sys::$name as c;
            use rand_core::TryCryptoRng;

            use crate::secret::Secret;
            use crate::{rng, Error};

            /// A public key.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct PublicKey([u8; $n]);

            /// A private key; cleared when it is dropped.
            #[derive(Clone)]
            pub struct SecretKey(Secret<$n>);

            /// What two parties have in common. Derive keys from it.
            /// Cleared when it is dropped.
            pub struct SharedSecret(Secret<$n>);

            impl SecretKey {
                /// A new private key.
                pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
                    let mut private = Secret([0; $n]);
                    let mut public = [0; $n];
                    // SAFETY: both arrays have the sizes of the prototype.
                    Error::check(rng::with(rng, |rng| unsafe {
                        c::keygen(&mut public, &mut private.0, rng)
                    }))?;
                    Ok(Self(private))
                }

                /// The key with these bytes, which are clamped when it is used.
                pub fn from_bytes(bytes: &[u8; $n]) -> Self {
                    Self(Secret(*bytes))
                }

                /// Its bytes: whoever has them has the key.
                pub fn to_bytes(&self) -> [u8; $n] {
                    self.0 .0
                }

                /// Its public key.
                pub fn public_key(&self) -> Result<PublicKey, Error> {
                    let mut public = [0; $n];
                    // SAFETY: both arrays have the sizes of the prototype.
                    Error::check(unsafe { c::public_key(&mut public, &self.0 .0) })?;
                    Ok(PublicKey(public))
                }

                /// The shared secret; refused where it would be all zero.
                pub fn diffie_hellman(&self, other: &PublicKey) -> Result<SharedSecret, Error> {
                    let mut shared = Secret([0; $n]);
                    // SAFETY: the arrays have the sizes of the prototype.
                    Error::check(unsafe { c::exchange(&mut shared.0, &self.0 .0, &other.0) })?;
                    Ok(SharedSecret(shared))
                }
            }

            impl fmt::Debug for SecretKey {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct("SecretKey").finish_non_exhaustive()
                }
            }

            impl PublicKey {
                /// The key with these bytes.
                pub fn from_bytes(bytes: &[u8; $n]) -> Self {
                    Self(*bytes)
                }

                /// Its bytes.
                pub fn to_bytes(&self) -> [u8; $n] {
                    self.0
                }
            }

            impl SharedSecret {
                /// Its bytes.
                pub fn as_bytes(&self) -> &[u8; $n] {
                    &self.0 .0
                }
            }
        }
    };
}
