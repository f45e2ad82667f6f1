//! Against independent implementations: what one signs the other verifies, and the same bytes
//! where the standards fix them; wrong inputs are refused by both.

use core::convert::Infallible;

use ecfit::rand_core::{TryCryptoRng, TryRng};
use ecfit::signature::{
    hazmat::{PrehashSigner, PrehashVerifier, RandomizedPrehashSigner},
    Keypair, RandomizedSigner, SignatureEncoding, Signer, Verifier,
};
use ecfit::Error;

/// A generator that is good enough for a test: splitmix64.
struct Dice(u64);

impl TryRng for Dice {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(z ^ (z >> 31))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for byte in out {
            *byte = self.try_next_u64()? as u8;
        }
        Ok(())
    }
}

impl TryCryptoRng for Dice {}

/// A generator that is broken.
struct Broken;

impl TryRng for Broken {
    type Error = core::fmt::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(core::fmt::Error)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Err(core::fmt::Error)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        Err(core::fmt::Error)
    }
}

impl TryCryptoRng for Broken {}

macro_rules! ecdsa {
    ($test:ident, $ours:ident, $theirs:ident) => {
        #[test]
        fn $test() {
            use ecfit::$ours as ours;
            use $theirs::ecdsa as theirs;

            for seed in 0..20 {
                let mut dice = Dice(seed);
                let key = ours::SigningKey::generate(&mut dice).unwrap();
                let public = key.verifying_key();
                let other = theirs::SigningKey::from_slice(&key.to_bytes()).unwrap();
                let other_public =
                    theirs::VerifyingKey::from_sec1_bytes(&public.to_sec1_bytes()).unwrap();
                assert_eq!(other.verifying_key(), &other_public);
                let again = ours::SigningKey::from_bytes(&key.to_bytes()).unwrap();
                assert_eq!(again.verifying_key(), public);

                // the nonce of RFC 6979: the same bytes; k256 takes none but the smaller s
                let message = [seed as u8; 50];
                let signature = key.sign(&message);
                let expected: theirs::Signature = other.sign(&message);
                let mine = theirs::Signature::from_slice(&signature.to_bytes()).unwrap();
                assert_eq!(mine, expected);
                other_public.verify(&message, &mine).unwrap();
                let theirs_here = ours::Signature::try_from(&expected.to_bytes()[..]).unwrap();
                public.verify(&message, &theirs_here).unwrap();

                let randomised = key.sign_with_rng(&mut dice, &message);
                let theirs_of_it = theirs::Signature::from_slice(&randomised.to_bytes()).unwrap();
                other_public.verify(&message, &theirs_of_it).unwrap();

                // a hash that was made elsewhere
                let hash = [0x5a ^ seed as u8; 64];
                let of_hash = key.sign_prehash(&hash).unwrap();
                public.verify_prehash(&hash, &of_hash).unwrap();
                let random = key.sign_prehash_with_rng(&mut dice, &hash).unwrap();
                public.verify_prehash(&hash, &random).unwrap();

                // any one bit
                let mut bytes = signature.to_bytes();
                bytes[seed as usize] ^= 1 << (seed % 8);
                let altered = ours::Signature::from_bytes(&bytes);
                assert!(public.verify(&message, &altered).is_err());
                assert!(public.verify(b"another", &signature).is_err());

                // compressed points
                let short = public.to_compressed_bytes().unwrap();
                assert_eq!(&short[..], &other_public.to_sec1_point(true).as_bytes()[..]);
                assert_eq!(ours::VerifyingKey::from_sec1_bytes(&short).unwrap(), public);
                let mut point = public.to_sec1_bytes();
                assert_eq!(ours::VerifyingKey::from_sec1_bytes(&point).unwrap(), public);
                point[20] ^= 4;
                assert_eq!(
                    ours::VerifyingKey::from_sec1_bytes(&point).unwrap_err(),
                    Error::PublicKey
                );
                let wrong = ours::VerifyingKey::from_uncompressed_bytes(&point);
                assert!(wrong.verify(&message, &signature).is_err());
                assert_eq!(key.diffie_hellman(&wrong).err(), Some(Error::PublicKey));

                // ECDH
                let peer = ours::SigningKey::generate(&mut dice).unwrap();
                let shared = key.diffie_hellman(&peer.verifying_key()).unwrap();
                let secret = $theirs::SecretKey::from_slice(&peer.to_bytes()).unwrap();
                let expected = $theirs::ecdh::diffie_hellman(
                    secret.to_nonzero_scalar(),
                    other_public.as_affine(),
                );
                assert_eq!(
                    &shared.raw_secret_bytes()[..],
                    &expected.raw_secret_bytes()[..]
                );
            }
            // what is no hash, and the signature (Qx, Qx) that anybody can make of it
            let key = ours::SigningKey::generate(&mut Dice(99)).unwrap();
            let public = key.verifying_key();
            let point = public.to_sec1_bytes();
            let x = &point[1..1 + (point.len() - 1) / 2];
            let forged = ours::Signature::try_from(&[x, x].concat()[..]).unwrap();
            for hash in [&[][..], &[0; 32], &[0; 64], &[1; 15], &[1; 65]] {
                assert!(public.verify_prehash(hash, &forged).is_err(), "{hash:?}");
                assert!(key.sign_prehash(hash).is_err(), "{hash:?}");
            }
            assert!(key.sign_prehash(&[1; 16]).is_ok());
            assert!(public.verify(b"", &key.sign(b"")).is_ok());
            let zero = key_of_zeros(|bytes| ours::SigningKey::from_bytes(bytes).err());
            assert_eq!(zero, Some(Error::PrivateKey));
            assert_eq!(
                ours::SigningKey::generate(&mut Broken).err(),
                Some(Error::Generator)
            );
            assert!(ours::Signature::try_from(&[1u8; 7][..]).is_err());
        }
    };
}

fn key_of_zeros<const N: usize>(call: impl Fn(&[u8; N]) -> Option<Error>) -> Option<Error> {
    call(&[0; N])
}

ecdsa!(p256_agrees, secp256r1, p256);
ecdsa!(p384_agrees, secp384r1, p384);
ecdsa!(k256_agrees, secp256k1, k256);

#[test]
fn ed25519_agrees() {
    use ecfit::ed25519 as ours;
    use ed25519_dalek as theirs;
    use theirs::Signer as _;

    for seed in 0..20u8 {
        let mut dice = Dice(seed.into());
        let key = ours::SigningKey::generate(&mut dice).unwrap();
        let other = theirs::SigningKey::from_bytes(&key.to_bytes());
        let public = key.verifying_key();
        assert_eq!(public.to_bytes(), other.verifying_key().to_bytes());
        let message = vec![seed; 7 * usize::from(seed)];
        let signature = key.sign(&message);
        assert_eq!(signature.to_bytes(), other.sign(&message).to_bytes());
        public.verify(&message, &signature).unwrap();
        let theirs_of_it = theirs::Signature::from_bytes(&signature.to_bytes());
        other
            .verifying_key()
            .verify_strict(&message, &theirs_of_it)
            .unwrap();
        let mut bytes = signature.to_bytes();
        bytes[usize::from(seed)] ^= 0x10;
        assert!(public
            .verify(&message, &ours::Signature::from_bytes(&bytes))
            .is_err());
    }
    assert_eq!(
        ours::SigningKey::generate(&mut Broken).err(),
        Some(Error::Generator)
    );
}

#[test]
#[cfg(feature = "parts")]
fn ed25519_agrees_in_parts() {
    use ecfit::ed25519 as ours;
    use ed25519_dalek as theirs;
    use theirs::Signer as _;

    let mut dice = Dice(5);
    for size in [0usize, 1, 15, 16, 63, 64, 65, 127, 128, 1000] {
        let key = ours::SigningKey::generate(&mut dice).unwrap();
        let public = key.verifying_key();
        let message = vec![7; size];
        let signed = theirs::SigningKey::from_bytes(&key.to_bytes()).sign(&message);
        let signature = ours::Signature::from_bytes(&signed.to_bytes());
        for part in [1, 16, 100, 1001] {
            let mut begun = public.verify_parts(&signature);
            message.chunks(part).for_each(|data| begun.update(data));
            assert_eq!(begun.finish(), Ok(()));
        }
        let mut begun = public.verify_parts(&signature);
        begun.update(&message);
        begun.update(b"x");
        assert_eq!(begun.finish(), Err(Error::Signature));
        let (mut calls, last) = (0, size.div_ceil(64) * 2);
        let read = key.sign_parts(size as u64, |offset, out| {
            calls += 1;
            out.copy_from_slice(&message[offset as usize..][..out.len()]);
            true
        });
        assert_eq!(read.unwrap().to_bytes(), signed.to_bytes());
        assert_eq!(calls, last);
        let changing = key.sign_parts(size as u64, |_, out| {
            calls -= 1;
            out.fill(if calls == 0 { 8 } else { 7 });
            true
        });
        assert_eq!(changing.is_err(), size > 0);
        let failing = key.sign_parts(1000, |offset, _| offset < 500);
        assert_eq!(failing.err(), Some(Error::Read));
    }
}

#[test]
#[cfg(all(feature = "parts", feature = "ed448"))]
fn ed448_in_parts_is_ed448() {
    use ecfit::ed448 as ours;

    let mut dice = Dice(8);
    for size in [0usize, 1, 64, 135, 136, 137, 1000] {
        let key = ours::SigningKey::generate(&mut dice).unwrap();
        let message = vec![7; size];
        let signature = key.sign(&message);
        let read = key.sign_parts(size as u64, |_, out| {
            out.fill(7);
            true
        });
        assert_eq!(read.unwrap().to_bytes(), signature.to_bytes());
        let public = key.verifying_key();
        let mut begun = public.verify_parts(&signature);
        message.chunks(100).for_each(|data| begun.update(data));
        assert_eq!(begun.finish(), Ok(()));
        let mut begun = public.verify_parts(&signature);
        begun.update(b"x");
        assert_eq!(begun.finish(), Err(Error::Signature));
    }
}

#[test]
#[cfg(feature = "recovery")]
fn k256_agrees_on_recovery() {
    use ecfit::secp256k1 as ours;
    use k256::ecdsa as theirs;

    let mut dice = Dice(6);
    for seed in 0..20u8 {
        let key = ours::SigningKey::generate(&mut dice).unwrap();
        let other = theirs::SigningKey::from_slice(&key.to_bytes()).unwrap();
        let hash = [seed + 1; 32];
        let (signature, id) = key.sign_prehash_recoverable(&hash).unwrap();
        let (same, number) = other.sign_prehash_recoverable(&hash);
        assert_eq!(signature.to_bytes()[..], same.to_bytes()[..]);
        assert_eq!(id, number.to_byte());
        let found = ours::VerifyingKey::recover(&hash, &signature, id).unwrap();
        assert_eq!(found, key.verifying_key());
        let wrong = ours::VerifyingKey::recover(&hash, &signature, 4);
        assert_eq!(wrong.err(), Some(Error::Signature));
        assert_ne!(
            ours::VerifyingKey::recover(&hash, &signature, id ^ 1).ok(),
            Some(found)
        );
    }
}

#[test]
#[cfg(feature = "schnorr")]
fn k256_agrees_on_schnorr() {
    use ecfit::schnorr as ours;
    use k256::schnorr as theirs;

    let mut dice = Dice(7);
    for seed in 0..20u8 {
        let key = ours::SigningKey::generate(&mut dice).unwrap();
        let other = theirs::SigningKey::from_slice(&key.to_bytes()).unwrap();
        let public = key.verifying_key();
        assert_eq!(public.to_bytes()[..], other.verifying_key().to_bytes()[..]);
        let message = vec![seed; 7 * usize::from(seed)];
        let signature = key.sign(&message);
        let same = other.sign_raw(&message, &[0; 32]).unwrap();
        assert_eq!(signature.to_bytes()[..], same.to_bytes()[..]);
        public.verify(&message, &signature).unwrap();
        let hedged = key.sign_with_rng(&mut dice, &message);
        assert_ne!(hedged, signature);
        let theirs_of_it = theirs::Signature::try_from(&hedged.to_bytes()[..]).unwrap();
        other
            .verifying_key()
            .verify_raw(&message, &theirs_of_it)
            .unwrap();
        let mut bytes = signature.to_bytes();
        bytes[usize::from(seed)] ^= 0x10;
        assert!(public
            .verify(&message, &ours::Signature::from_bytes(&bytes))
            .is_err());
        assert!(key.try_sign_with_rng(&mut Broken, &message).is_err());
    }
    assert_eq!(
        ours::SigningKey::from_bytes(&[0; 32]).err(),
        Some(Error::PrivateKey)
    );
}

/// Runs with a crate that is the other side, in turns the prover and the verifier, of random
/// passwords and names: `ECFIT_CASES` of each.
#[test]
#[cfg(feature = "spake2p")]
fn spake2plus_agrees() {
    use ecfit::spake2p as ours;
    use spake2plus as theirs;
    use theirs::P256Sha256 as Suite;

    let cases = std::env::var("ECFIT_CASES").map_or(10, |count| count.parse().unwrap());
    let mut dice = Dice(8);
    for case in 0..cases {
        let mut bytes = [0; 80 + 3 * 40];
        dice.try_fill_bytes(&mut bytes).unwrap();
        let (halves, strings) = bytes.split_first_chunk::<80>().unwrap();
        let names = ours::Names {
            context: &strings[..case % 41],
            prover: &strings[40..][..case % 7],
            verifier: &strings[80..][..case % 11],
            matter: false,
        };
        let context = theirs::Context {
            context: names.context,
            prover_id: names.prover,
            verifier_id: names.verifier,
        };
        let password = ours::Password::from_hashed(halves).unwrap();
        let (w0, record) = password.record(&mut dice).unwrap();
        let secret = theirs::ProverSecret::<Suite>::from_pbkdf_output(halves).unwrap();
        let kept = secret.verifier_record();
        assert_eq!(kept.to_bytes()[..], [&w0[..], &record].concat());

        // their prover
        let (prover, share_p) = theirs::Prover::start(&secret, &context, &mut dice);
        let sent = share_p.as_bytes();
        let (verifier, share, confirmation) =
            ours::Verifier::start(&w0, &record, sent, &names, &mut dice).unwrap();
        let share = theirs::ShareV::from_bytes(&share).unwrap();
        let confirmation = theirs::ConfirmV::from_bytes(&confirmation).unwrap();
        let (confirm_p, key) = prover
            .receive(&share)
            .unwrap()
            .finish(&confirmation)
            .unwrap();
        assert_eq!(
            verifier.finish(confirm_p.as_bytes()).unwrap(),
            key.as_bytes()[..]
        );

        // their verifier; ours does not take a confirmation that is wrong
        let (prover, share) = ours::Prover::start(&password, &mut dice).unwrap();
        let (verifier, share_v) = theirs::Verifier::start(&kept, &context, &mut dice);
        let share = theirs::ShareP::from_bytes(&share).unwrap();
        let (verifier, confirm_v) = verifier.receive(&share).unwrap();
        let mut sent = *confirm_v.as_bytes();
        sent[case % 32] ^= u8::from(case % 5 == 4);
        let finished = prover.finish(&password, share_v.as_bytes(), &sent, &names, &mut dice);
        if case % 5 == 4 {
            assert_eq!(finished, Err(Error::Signature));
            continue;
        }
        let (key, confirmation) = finished.unwrap();
        let confirmation = theirs::ConfirmP::from_bytes(&confirmation).unwrap();
        assert_eq!(verifier.finish(&confirmation).unwrap().as_bytes()[..], key);
    }
}

#[test]
fn x25519_agrees() {
    use ecfit::x25519 as ours;
    use x25519_dalek as theirs;

    for seed in 0..20 {
        let mut dice = Dice(seed);
        let key = ours::SecretKey::generate(&mut dice).unwrap();
        let peer = ours::SecretKey::generate(&mut dice).unwrap();
        let other = theirs::StaticSecret::from(key.to_bytes());
        let public = key.public_key().unwrap();
        assert_eq!(
            public.to_bytes(),
            theirs::PublicKey::from(&other).to_bytes()
        );
        let peers = peer.public_key().unwrap();
        let shared = key.diffie_hellman(&peers).unwrap();
        let expected = other.diffie_hellman(&theirs::PublicKey::from(peers.to_bytes()));
        assert_eq!(shared.as_bytes(), expected.as_bytes());
    }
    let low = ours::PublicKey::from_bytes(&[0; 32]);
    let key = ours::SecretKey::from_bytes(&[9; 32]);
    assert_eq!(key.diffie_hellman(&low).err(), Some(Error::PublicKey));
}

#[test]
fn secrets_are_not_printed() {
    let key = ecfit::secp256r1::SigningKey::from_bytes(&[7; 32]).unwrap();
    assert_eq!(format!("{key:?}"), "SigningKey { .. }");
    let key = ecfit::ed25519::SigningKey::from_bytes(&[7; 32]).unwrap();
    assert_eq!(format!("{key:?}"), "SigningKey { .. }");
}
