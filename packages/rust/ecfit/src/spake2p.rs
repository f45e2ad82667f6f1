//! SPAKE2+ (RFC 9383) on P-256: a key for two sides, of which one, the prover, knows a password,
//! and the other one, the verifier, has a record of it.

use ecfit_sys as sys;
use rand_core::TryCryptoRng;

use crate::{rng, Error};

/// What both sides know of the application and of each other, and how it takes its keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    /// The context of the application.
    pub context: &'a [u8],
    /// The name of the prover.
    pub prover: &'a [u8],
    /// The name of the verifier.
    pub verifier: &'a [u8],
    /// The keys of Matter: names are empty, and a shared key has 16 bytes, with zeros behind them.
    pub matter: bool,
}

/// What a prover has of the password. w0 and the record are what a verifier has.
#[derive(Clone)]
pub struct Password {
    w0: [u8; 32],
    w1: [u8; 32],
}

struct Run(sys::ecfit_secp256r1_spake2p_context);

/// A run of a prover that was begun; cleared when it is dropped.
pub struct Prover(Run);

/// A run of a verifier that was begun; cleared when it is dropped.
pub struct Verifier(Run);

impl Names<'_> {
    fn pieces(&self) -> [sys::ecfit_bytes; 3] {
        [self.context, self.prover, self.verifier].map(|name| sys::ecfit_bytes {
            data: name.as_ptr(),
            size: name.len(),
        })
    }
}

impl Password {
    /// Of 80 bytes that PBKDF2, scrypt or Argon2 made of a password and a salt.
    pub fn from_hashed(halves: &[u8; 80]) -> Result<Self, Error> {
        let (mut w0, mut w1) = ([0; 32], [0; 32]);
        // SAFETY: the arrays have the sizes of the prototype.
        Error::check(unsafe { sys::ecfit_secp256r1_spake2p_scalars(&mut w0, &mut w1, halves) })?;
        Ok(Self { w0, w1 })
    }

    /// w0, and the record: the verifier keeps both, as a secret.
    pub fn record<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
    ) -> Result<([u8; 32], [u8; 65]), Error> {
        let mut record = [0; 65];
        // SAFETY: the arrays have the sizes of the prototype.
        Error::check(rng::with(rng, |rng| unsafe {
            sys::secp256r1::public_key(&mut record, &self.w1, rng)
        }))?;
        Ok((self.w0, record))
    }
}

impl Prover {
    /// Begins a run, and gives the share to be sent.
    pub fn start<R: TryCryptoRng + ?Sized>(
        password: &Password,
        rng: &mut R,
    ) -> Result<(Self, [u8; 65]), Error> {
        let (mut run, mut share) = (Run::empty(), [0; 65]);
        // SAFETY: the arrays have the sizes of the prototype.
        Error::check(rng::with(rng, |rng| unsafe {
            sys::ecfit_secp256r1_spake2p_prover_start(&mut run.0, &mut share, &password.w0, rng)
        }))?;
        Ok((Self(run), share))
    }

    /// Takes share and confirmation of the verifier; gives the shared key, and the confirmation to
    /// be sent. `Error::Signature`: password or names differ.
    pub fn finish<R: TryCryptoRng + ?Sized>(
        mut self,
        password: &Password,
        share: &[u8; 65],
        confirmation: &[u8; 32],
        names: &Names<'_>,
        rng: &mut R,
    ) -> Result<([u8; 32], [u8; 32]), Error> {
        let (mut key, mut own) = ([0; 32], [0; 32]);
        // SAFETY: the arrays have the sizes of the prototype, the names are borrowed.
        Error::check(rng::with(rng, |rng| unsafe {
            sys::ecfit_secp256r1_spake2p_prover_finish(
                &mut key,
                &mut own,
                &mut self.0 .0,
                &password.w1,
                share,
                confirmation,
                &names.pieces(),
                names.matter.into(),
                rng,
            )
        }))?;
        Ok((key, own))
    }
}

impl Verifier {
    /// Begins a run with w0 and record (`Password::record`) and the share of the prover; gives
    /// share and confirmation to be sent.
    pub fn start<R: TryCryptoRng + ?Sized>(
        w0: &[u8; 32],
        record: &[u8; 65],
        peer_share: &[u8; 65],
        names: &Names<'_>,
        rng: &mut R,
    ) -> Result<(Self, [u8; 65], [u8; 32]), Error> {
        let (mut run, mut share, mut confirmation) = (Run::empty(), [0; 65], [0; 32]);
        // SAFETY: the arrays have the sizes of the prototype, the names are borrowed.
        Error::check(rng::with(rng, |rng| unsafe {
            sys::ecfit_secp256r1_spake2p_verifier_start(
                &mut run.0,
                &mut share,
                &mut confirmation,
                w0,
                record,
                peer_share,
                &names.pieces(),
                names.matter.into(),
                rng,
            )
        }))?;
        Ok((Self(run), share, confirmation))
    }

    /// Takes the confirmation of the prover; gives the shared key. `Error::Signature`: password or
    /// names differ.
    pub fn finish(mut self, confirmation: &[u8; 32]) -> Result<[u8; 32], Error> {
        let mut key = [0; 32];
        // SAFETY: the arrays have the sizes of the prototype.
        Error::check(unsafe {
            sys::ecfit_secp256r1_spake2p_verifier_finish(&mut key, &mut self.0 .0, confirmation)
        })?;
        Ok(key)
    }
}

impl Run {
    fn empty() -> Self {
        Self(sys::ecfit_secp256r1_spake2p_context { blocks: [0; 17] })
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        clear(&mut self.0.blocks);
    }
}

impl Drop for Password {
    fn drop(&mut self) {
        clear(&mut self.w0);
        clear(&mut self.w1);
    }
}

fn clear<T: Default>(words: &mut [T]) {
    for word in words {
        // SAFETY: a word of our own; volatile, so that the compiler keeps it.
        unsafe { core::ptr::write_volatile(word, T::default()) };
    }
}
