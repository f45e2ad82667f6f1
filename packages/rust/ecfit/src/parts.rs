//! Ed25519 and Ed448 of a message that is larger than RAM: verification of one that comes in parts,
//! and signing of one that can be read twice.

use core::ffi::{c_int, c_void};
use core::marker::PhantomData;
use core::{ptr, slice};

use ecfit_sys as sys;

use crate::Error;

unsafe extern "C" fn read_by<R: FnMut(u64, &mut [u8]) -> bool>(
    context: *mut c_void,
    out: *mut u8,
    offset: u64,
    size: usize,
) -> c_int {
    // SAFETY: `context` is the closure of `sign_parts`, which the call in progress keeps alive,
    // and the library asks for `size` bytes of its own at `out`.
    let (read, out) = unsafe {
        (
            &mut *context.cast::<R>(),
            slice::from_raw_parts_mut(out, size),
        )
    };
    out.fill(0); // a slice of Rust has values; the closure may leave some of them
    c_int::from(!read(offset, out))
}

macro_rules! parts {
    ($module:ident, $name:ident, $about:literal, $context:ident, $blocks:literal,
     $start:ident, $update:ident, $finish:ident, $sign:ident, $size:literal) => {
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

        impl crate::$module::SigningKey {
            /// Signs a message of `size` bytes. `read` fills its slice with the bytes of the
            /// message from an offset on, and returns whether it could. The message is read from
            /// its begin to its end, at most 64 bytes at a time, then once more: where it is
            /// another one then, there is no signature, but [`Error::Read`].
            pub fn sign_parts<R: FnMut(u64, &mut [u8]) -> bool>(
                &self,
                size: u64,
                mut read: R,
            ) -> Result<crate::$module::Signature, Error> {
                let mut signature = [0; $size];
                let reader = sys::ecfit_reader {
                    read: Some(read_by::<R>),
                    context: ptr::from_mut(&mut read).cast(),
                };
                // SAFETY: the arrays have the sizes of the prototype; the reader is called with
                // the closure, which lives as long as the call.
                Error::check(unsafe {
                    sys::$sign(&mut signature, &self.private.0, size, &reader)
                })?;
                Ok(crate::$module::Signature(signature))
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
    ed25519,
    Verification,
    "Ed25519",
    ecfit_ed25519_verify_context,
    27,
    ecfit_ed25519_verify_start,
    ecfit_ed25519_verify_update,
    ecfit_ed25519_verify_finish,
    ecfit_ed25519_sign_parts,
    64
);
#[cfg(feature = "ed448")]
parts!(
    ed448,
    Verification448,
    "Ed448",
    ecfit_ed448_verify_context,
    28,
    ecfit_ed448_verify_start,
    ecfit_ed448_verify_update,
    ecfit_ed448_verify_finish,
    ecfit_ed448_sign_parts,
    114
);
