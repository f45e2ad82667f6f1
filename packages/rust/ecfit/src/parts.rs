//! Verification of Ed25519 and Ed448 whose message comes in parts.

use core::marker::PhantomData;

use ecfit_sys as sys;

use crate::Error;

macro_rules! parts {
    ($module:ident, $name:ident, $about:literal, $context:ident, $blocks:literal,
     $start:ident, $update:ident, $finish:ident) => {
        #[doc = concat!("A verification of ", $about, " that was begun. Key and signature are ")]
        #[doc = "borrowed until it ends."]
        pub struct $name<'a> {
            context: sys::$context,
            borrowed: PhantomData<&'a [u8]>,
        }

        impl crate::$module::VerifyingKey {
            /// Begins the verification of a message in parts. Nothing is known of the message
            /// before `finish`.
            pub fn verify_parts<'a>(
                &'a self,
                signature: &'a crate::$module::Signature,
            ) -> $name<'a> {
                let mut context = sys::$context {
                    blocks: [0; $blocks],
                };
                // SAFETY: the arrays have the sizes of the prototype; both stay where they are,
                // and as they are, while the context lives.
                unsafe { sys::$start(&mut context, &signature.0, &self.0) };
                $name {
                    context,
                    borrowed: PhantomData,
                }
            }
        }

        impl $name<'_> {
            /// The next part, of any size.
            pub fn update(&mut self, part: &[u8]) {
                // SAFETY: the context was begun, the part is borrowed.
                unsafe { sys::$update(&mut self.context, part.as_ptr(), part.len()) };
            }

            /// Whether the parts together are what was signed.
            pub fn finish(mut self) -> Result<(), Error> {
                // SAFETY: the context was begun.
                Error::check(unsafe { sys::$finish(&mut self.context) })
            }
        }
    };
}

parts!(
    ed25519, Verification, "Ed25519", ecfit_ed25519_verify_context, 27,
    ecfit_ed25519_verify_start, ecfit_ed25519_verify_update, ecfit_ed25519_verify_finish
);
#[cfg(feature = "ed448")]
parts!(
    ed448, Verification448, "Ed448", ecfit_ed448_verify_context, 28,
    ecfit_ed448_verify_start, ecfit_ed448_verify_update, ecfit_ed448_verify_finish
);
