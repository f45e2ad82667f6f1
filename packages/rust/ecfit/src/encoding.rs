/// `Signature` as bytes of a fixed size, for all curves.
macro_rules! encoding {
    ($size:expr) => {
        impl Signature {
            /// The bytes of a signature; what they say is checked when it is verified.
            pub fn from_bytes(bytes: &[u8; $size]) -> Self {
                Self(*bytes)
            }
        }

        impl TryFrom<&[u8]> for Signature {
            type Error = signature::Error;

            fn try_from(bytes: &[u8]) -> Result<Self, signature::Error> {
                let bytes = bytes.try_into().map_err(|_| signature::Error::new())?;
                Ok(Self(bytes))
            }
        }

        impl From<Signature> for [u8; $size] {
            fn from(signature: Signature) -> Self {
                signature.0
            }
        }

        impl SignatureEncoding for Signature {
            type Repr = [u8; $size];
        }

        impl fmt::Debug for Signature {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple("Signature").field(&self.0).finish()
            }
        }
    };
}
