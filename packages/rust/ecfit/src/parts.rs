//! Verification of Ed25519 whose message comes in parts.

use core::marker::PhantomData;

use ecfit_sys as sys;

use crate::ed25519::{Signature, VerifyingKey};
use crate::Error;

/// A verification that was begun. Key and signature are borrowed until it ends.
pub struct Verification<'a> {
    context: sys::ecfit_ed25519_verify_context,
    borrowed: PhantomData<&'a [u8]>,
}

impl VerifyingKey {
    /// Begins the verification of a message in parts. Nothing is known of the message before
    /// [`Verification::finish`].
    pub fn verify_parts<'a>(&'a self, signature: &'a Signature) -> Verification<'a> {
        let mut context = sys::ecfit_ed25519_verify_context { blocks: [0; 27] };
        // SAFETY: the arrays have the sizes of the prototype; both stay where they are, and as
        // they are, while the context lives.
        unsafe { sys::ecfit_ed25519_verify_start(&mut context, &signature.0, &self.0) };
        Verification {
            context,
            borrowed: PhantomData,
        }
    }
}

impl Verification<'_> {
    /// The next part, of any size.
    pub fn update(&mut self, part: &[u8]) {
        // SAFETY: the context was begun, the part is borrowed.
        unsafe {
            sys::ecfit_ed25519_verify_update(&mut self.context, part.as_ptr(), part.len());
        }
    }

    /// Whether the parts together are what was signed.
    pub fn finish(mut self) -> Result<(), Error> {
        // SAFETY: the context was begun.
        Error::check(unsafe { sys::ecfit_ed25519_verify_finish(&mut self.context) })
    }
}
