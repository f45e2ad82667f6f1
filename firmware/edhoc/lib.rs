//! The initiator of EDHOC (RFC 9528, method 3, cipher suite 2) on the crate lakers, with the
//! cryptography of client.c. A failed key exchange has no place in lakers' trait, so that client.c
//! remembers it, and every message after it is refused.
#![no_std]

use lakers::*;

extern "C" {
    fn edhoc_sha256(message: *const u8, size: usize, out: *mut u8);
    fn edhoc_extract(salt: *const u8, secret: *const u8, size: usize, out: *mut u8);
    fn edhoc_expand(prk: *const u8, info: *const u8, size: usize, out: *mut u8, length: usize);
    fn edhoc_seal(
        key: *const u8,
        iv: *const u8,
        ad: *const u8,
        ad_size: usize,
        text: *const u8,
        size: usize,
        out: *mut u8,
    ) -> i32;
    fn edhoc_open(
        key: *const u8,
        iv: *const u8,
        ad: *const u8,
        ad_size: usize,
        text: *const u8,
        size: usize,
        out: *mut u8,
    ) -> i32;
    fn edhoc_ecdh(key: *const u8, x: *const u8, out: *mut u8);
    fn edhoc_keygen(key: *mut u8, x: *mut u8);
    fn edhoc_failed() -> i32;
    fn edhoc_trap() -> !;
    fn port_random(out: *mut u8, size: usize) -> i32;
    fn port_send(message: *const u8, size: usize) -> i32;
    fn port_receive(message: *mut u8, size: usize) -> i32;
    fn port_mark(stage: u32);
}

const TAG: usize = AES_CCM_TAG_LEN;
const REFUSED: i32 = -0x200000; // and the number of an error of lakers

#[derive(Debug)]
struct Own;

impl CryptoTrait for Own {
    fn sha256_digest(&mut self, message: &BytesMaxBuffer, size: usize) -> BytesHashLen {
        let mut out = [0; 32];
        unsafe { edhoc_sha256(message[..size].as_ptr(), size, out.as_mut_ptr()) };
        out
    }

    fn hkdf_extract(&mut self, salt: &BytesHashLen, secret: &BytesP256ElemLen) -> BytesHashLen {
        let mut out = [0; 32];
        unsafe {
            edhoc_extract(
                salt.as_ptr(),
                secret.as_ptr(),
                secret.len(),
                out.as_mut_ptr(),
            )
        };
        out
    }

    fn hkdf_expand(
        &mut self,
        prk: &BytesHashLen,
        info: &BytesMaxInfoBuffer,
        size: usize,
        length: usize,
    ) -> BytesMaxBuffer {
        let mut out = [0; MAX_BUFFER_LEN];
        let (info, okm) = (&info[..size], &mut out[..length]);
        unsafe { edhoc_expand(prk.as_ptr(), info.as_ptr(), size, okm.as_mut_ptr(), length) };
        out
    }

    fn aes_ccm_encrypt_tag_8(
        &mut self,
        key: &BytesCcmKeyLen,
        iv: &BytesCcmIvLen,
        ad: &[u8],
        plain: &BufferPlaintext3,
    ) -> BufferCiphertext3 {
        let mut out = [0; MAX_MESSAGE_SIZE_LEN];
        let all = &mut out[..plain.len + TAG];
        unsafe {
            edhoc_seal(
                key.as_ptr(),
                iv.as_ptr(),
                ad.as_ptr(),
                ad.len(),
                plain.as_slice().as_ptr(),
                plain.len,
                all.as_mut_ptr(),
            );
        }
        BufferCiphertext3::new_from_slice(all).unwrap()
    }

    fn aes_ccm_decrypt_tag_8(
        &mut self,
        key: &BytesCcmKeyLen,
        iv: &BytesCcmIvLen,
        ad: &[u8],
        sealed: &BufferCiphertext3,
    ) -> Result<BufferPlaintext3, EDHOCError> {
        let size = sealed
            .len
            .checked_sub(TAG)
            .ok_or(EDHOCError::MacVerificationFailed)?;
        let mut out = [0; MAX_MESSAGE_SIZE_LEN];
        let wrong = unsafe {
            edhoc_open(
                key.as_ptr(),
                iv.as_ptr(),
                ad.as_ptr(),
                ad.len(),
                sealed.as_slice().as_ptr(),
                size,
                out.as_mut_ptr(),
            )
        };
        if wrong != 0 {
            return Err(EDHOCError::MacVerificationFailed);
        }
        Ok(BufferPlaintext3::new_from_slice(&out[..size]).unwrap())
    }

    fn p256_ecdh(&mut self, key: &BytesP256ElemLen, x: &BytesP256ElemLen) -> BytesP256ElemLen {
        let mut out = [0; 32];
        unsafe { edhoc_ecdh(key.as_ptr(), x.as_ptr(), out.as_mut_ptr()) };
        out
    }

    fn get_random_byte(&mut self) -> u8 {
        let mut byte = 0;
        unsafe { port_random(&mut byte, 1) };
        byte
    }

    fn p256_generate_key_pair(&mut self) -> (BytesP256ElemLen, BytesP256ElemLen) {
        let (mut key, mut x) = ([0; 32], [0; 32]);
        unsafe { edhoc_keygen(key.as_mut_ptr(), x.as_mut_ptr()) };
        (key, x)
    }
}

/// Whether these bytes are one byte string and no more, which lakers does not ask for.
fn is_whole(message: &[u8]) -> bool {
    match message {
        [0x58, size, rest @ ..] => rest.len() == *size as usize && rest.len() > 23,
        [head, rest @ ..] => (0x40..0x58).contains(head) && rest.len() == (*head & 31) as usize,
        [] => false,
    }
}

/// A message of the responder's.
fn received() -> Result<EdhocMessageBuffer, i32> {
    let mut bytes = [0; MAX_MESSAGE_SIZE_LEN];
    let size = unsafe { port_receive(bytes.as_mut_ptr(), bytes.len()) };
    if size <= 0 {
        return Err(if size < 0 { size } else { -1 });
    }
    let message = &bytes[..size as usize];
    if !is_whole(message) {
        return Err(refused(EDHOCError::ParsingError));
    }
    EdhocMessageBuffer::new_from_slice(message).map_err(|_| refused(EDHOCError::ParsingError))
}

fn sent(message: &EdhocMessageBuffer) -> Result<(), i32> {
    checked()?;
    let size = unsafe { port_send(message.as_slice().as_ptr(), message.len) };
    if size < 0 {
        Err(size)
    } else {
        Ok(())
    }
}

fn checked() -> Result<(), i32> {
    if unsafe { edhoc_failed() } != 0 {
        Err(REFUSED - 0x100)
    } else {
        Ok(())
    }
}

fn refused(error: EDHOCError) -> i32 {
    REFUSED - 1 - error as i32
}

fn run(cred_i: &[u8], key: &[u8; 32], cred_r: &[u8], out: &mut [u8; 24]) -> Result<u32, i32> {
    let own = Credential::parse_ccs(cred_i).map_err(refused)?;
    let trusted = Credential::parse_ccs(cred_r).map_err(refused)?;
    unsafe { port_mark(1) };
    let mut start = EdhocInitiator::new(Own, EDHOCMethod::StatStat, EDHOCSuite::CipherSuite2);
    start.set_identity(*key, own);
    let id = [Own.get_random_byte() % 24]; // a CBOR integer of one byte
    let c_i = ConnId::from_slice(&id).ok_or(REFUSED)?;
    let (waiting, message_1) = start.prepare_message_1(Some(c_i), &None).map_err(refused)?;
    sent(&message_1)?;
    let message_2 = received()?;
    let (parsed, c_r, id_cred, ead) = waiting.parse_message_2(&message_2).map_err(refused)?;
    if ead.is_some_and(|item| item.is_critical) {
        return Err(refused(EDHOCError::EADUnprocessable));
    }
    let valid = credential_check_or_fetch(Some(trusted), id_cred).map_err(refused)?;
    let verified = parsed.verify_message_2(valid).map_err(refused)?;
    checked()?;
    let transfer = CredentialTransfer::ByReference;
    let (waiting, message_3, _) = verified
        .prepare_message_3(transfer, &None)
        .map_err(refused)?;
    sent(&message_3)?;
    let (mut done, _) = waiting.process_message_4(&received()?).map_err(refused)?;
    checked()?;
    out[..16].copy_from_slice(&done.edhoc_exporter(0, &[], 16)[..16]);
    out[16..].copy_from_slice(&done.edhoc_exporter(1, &[], 8)[..8]);
    match c_r.as_slice() {
        [one] if *one != id[0] => Ok(*one as u32), // RFC 9528, A.1: they differ
        _ => Err(refused(EDHOCError::ParsingError)),
    }
}

/// EDHOC as the initiator. Writes the master secret (16 bytes) and the master salt (8) of OSCORE.
/// Returns the responder's connection identifier, or an error of the port or of lakers (negative).
///
/// # Safety
/// The pointers have so many bytes, the key 32, `out` 24.
#[no_mangle]
pub unsafe extern "C" fn edhoc_run(
    cred_i: *const u8,
    cred_i_size: usize,
    key: *const [u8; 32],
    cred_r: *const u8,
    cred_r_size: usize,
    out: *mut [u8; 24],
) -> i32 {
    let own = core::slice::from_raw_parts(cred_i, cred_i_size);
    let trusted = core::slice::from_raw_parts(cred_r, cred_r_size);
    run(own, &*key, trusted, &mut *out).map_or_else(|error| error, |id| id as i32)
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { edhoc_trap() }
}
