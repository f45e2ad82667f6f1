//! Bytes that are cleared when they are dropped.

use core::ptr;
use core::sync::atomic::{compiler_fence, Ordering};

#[derive(Clone)]
pub(crate) struct Secret<const N: usize>(pub [u8; N]);

impl<const N: usize> Drop for Secret<N> {
    fn drop(&mut self) {
        for byte in &mut self.0 {
            // SAFETY: a byte of our own; volatile, so that the compiler keeps it.
            unsafe { ptr::write_volatile(byte, 0) };
        }
        compiler_fence(Ordering::SeqCst);
    }
}
