//! A generator of `rand_core` as the library calls it.

use core::ffi::{c_int, c_void};
use core::{ptr, slice};

use ecfit_sys::ecfit_rng;
use rand_core::TryCryptoRng;

unsafe extern "C" fn fill<R: TryCryptoRng + ?Sized>(
    context: *mut c_void,
    out: *mut u8,
    size: usize,
) -> c_int {
    // SAFETY: `context` is the reference of `with`, which the call in progress keeps alive, and
    // the library asks for `size` bytes of its own at `out`.
    let (rng, out) = unsafe {
        (
            &mut **context.cast::<&mut R>(),
            slice::from_raw_parts_mut(out, size),
        )
    };
    out.fill(0); // a slice of Rust has values; the generator may leave some of them
    c_int::from(rng.try_fill_bytes(out).is_err())
}

/// Calls the library with a generator.
pub(crate) fn with<R: TryCryptoRng + ?Sized, T>(
    mut rng: &mut R,
    call: impl FnOnce(*const ecfit_rng) -> T,
) -> T {
    let handed = ecfit_rng {
        fill: Some(fill::<R>),
        context: ptr::from_mut(&mut rng).cast(),
    };
    call(&handed)
}
