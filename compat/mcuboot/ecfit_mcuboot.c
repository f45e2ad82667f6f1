/* ecfit_mcuboot.c - verification and encrypted images for MCUboot, on ecfit: see
 * mcuboot_custom_crypto.h
 *
 * What is verified is public data. Private keys, and what follows from them, are secret.
 */
#include "mcuboot_config/mcuboot_config.h"

#include <string.h>

#include "mcuboot_custom_crypto.h"
#if defined(ECFIT_MCUBOOT_HARDENED)
#include "bootutil/fault_injection_hardening.h"
#include "bootutil/sign_key.h"
#endif
#if defined(MCUBOOT_ENC_IMAGES)
#include "bootutil/enc_key.h"
#include "bootutil_priv.h"
#endif

#if defined(ECFIT_MCUBOOT)

/* What stands before the point in a SubjectPublicKeyInfo (RFC 5480, 2): sequences, the OIDs of
 * id-ecPublicKey and of the curve, and a string of bits that is a whole number of bytes. */
static const uint8_t prefix[] = {
#if defined(MCUBOOT_SIGN_EC256)
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
    0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
#else
    0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02,
    0x01, 0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22, 0x03, 0x62, 0x00,
#endif
};

/* Bytes of a point: the library checks its lead byte. */
#define POINT (1 + 2 * ECFIT_MCUBOOT_BYTES)

/* Bytes of the longest signature in DER: a sequence of two integers with a zero in front. */
#define LONGEST (2 + 2 * (3 + ECFIT_MCUBOOT_BYTES))

/* Bytes of a signature without the zeros behind it. `imgtool --pad-sig` fills each one up to the
 * longest, and MCUboot with TinyCrypt or PSA looks at nothing behind s. */
static size_t without_padding(const uint8_t *sig, size_t sig_len)
{
#if !defined(ECFIT_MCUBOOT_UNPADDED)
    if (sig_len >= 2 && sig_len <= LONGEST) {
        while (sig_len > 2u + sig[1] && sig[sig_len - 1] == 0) {
            sig_len--;
        }
    }
#else
    (void)sig;
#endif
    return sig_len;
}

#endif

#if defined(ECFIT_MCUBOOT_HARDENED)

/* ECFIT_VERIFIED for a valid signature, else another number. */
static uint32_t verified(const struct bootutil_key *key, const uint8_t *hash, size_t hash_len,
                         const uint8_t *sig, size_t sig_len)
{
#if defined(ECFIT_MCUBOOT)
    uint8_t signature[2 * ECFIT_MCUBOOT_BYTES];
    if (*key->len != sizeof prefix + POINT || memcmp(key->key, prefix, sizeof prefix) != 0 ||
        hash_len != ECFIT_MCUBOOT_HASH ||
        ECFIT_MCUBOOT(signature_from_der)(signature, sig, without_padding(sig, sig_len)) !=
            ECFIT_OK) {
        return 0;
    }
    return ECFIT_MCUBOOT(ecdsa_verify_hardened)(signature, key->key + sizeof prefix, hash,
                                                hash_len);
#else
    if (*key->len < 32 || sig_len != 64) {
        return 0;
    }
    return ecfit_ed25519_verify_hardened(sig, key->key + *key->len - 32, hash, hash_len);
#endif
}

/* The function of MCUboot's bootutil_priv.h, in place of its image_ecdsa.c or image_ed25519.c.
 *
 * No branch makes FIH_SUCCESS of what was verified. Of a wrong signature, it makes a number that is
 * not FIH_FAILURE either. FIH_SUCCESS and FIH_FAILURE are variables: a loader that did not copy
 * its data at the start may have the same number in both. */
fih_ret bootutil_verify_sig(uint8_t *hash, uint32_t hlen, uint8_t *sig, size_t slen, uint8_t key_id)
{
    FIH_DECLARE(fih_rc, FIH_FAILURE);
    fih_rc = (fih_ret)(verified(&bootutil_keys[key_id], hash, hlen, sig, slen) - ECFIT_VERIFIED +
                       (uint32_t)FIH_SUCCESS);
    FIH_RET(fih_rc);
}

#elif defined(ECFIT_MCUBOOT)

int bootutil_ecdsa_parse_public_key(bootutil_ecdsa_context *ctx, uint8_t **cp, uint8_t *end)
{
    (void)ctx;
    if ((size_t)(end - *cp) != sizeof prefix + POINT || memcmp(*cp, prefix, sizeof prefix) != 0) {
        return -1;
    }
    *cp += sizeof prefix;
    return 0;
}

int bootutil_ecdsa_verify(bootutil_ecdsa_context *ctx, uint8_t *pk, size_t pk_len, uint8_t *hash,
                          size_t hash_len, uint8_t *sig, size_t sig_len)
{
    uint8_t signature[2 * ECFIT_MCUBOOT_BYTES];
    (void)ctx;
    if (pk_len != POINT || hash_len != ECFIT_MCUBOOT_HASH ||
        ECFIT_MCUBOOT(signature_from_der)(signature, sig, without_padding(sig, sig_len)) !=
            ECFIT_OK) {
        return -1;
    }
    return ECFIT_MCUBOOT(ecdsa_verify)(signature, pk, hash, hash_len) == ECFIT_OK ? 0 : -1;
}

#else

int ED25519_verify(const uint8_t *message, size_t message_len, const uint8_t signature[64],
                   const uint8_t public_key[32])
{
    return ecfit_ed25519_verify(signature, public_key, message, message_len) == ECFIT_OK;
}

#endif

/* ---- encrypted images ------------------------------------------------------------------------ */

#if defined(MCUBOOT_ENC_IMAGES)

/* What may be known of a secret is declared where it becomes known, as in the library's ct.h. */
#if !defined(ECFIT_DECLASSIFY) && defined(__ELF__) && \
    (defined(__arm__) || defined(__riscv) || defined(__AVR__))
#define ECFIT_DECLASSIFY(x) __asm__ volatile("ecfit_public.%=.%0.%c1:" : "+r"(x) : "i"(sizeof(x)))
#elif !defined(ECFIT_DECLASSIFY) && defined(__GNUC__)
#define ECFIT_DECLASSIFY(x) __asm__ volatile(" " : "+r"(x))
#elif !defined(ECFIT_DECLASSIFY)
#define ECFIT_DECLASSIFY(x) ((void)0)
#endif

/* What stands before the 32 bytes of a private key (RFC 5958), where `any` is the length of what
 * follows: imgtool leaves the public key out of some, and keeps the other lengths. */
enum { any = 0x100 };
static const uint16_t before_key[] = {
#if defined(MCUBOOT_ENCRYPT_EC256)
    0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03,
    0x01, 0x07, 0x04, any,  0x30, any,  0x02, 0x01, 0x01, 0x04, 0x20, /* ECPrivateKey (RFC 5915) */
#else
    0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e, 0x04, 0x22, 0x04, 0x20,
#endif
};
#define BEFORE_KEY (sizeof before_key / sizeof before_key[0])

/* The 32 bytes in a PKCS#8 private key, or NULL if it is not one of this curve. */
static const uint8_t *private_key(const uint8_t *der, size_t size)
{
    const size_t head = size > 1 && der[1] == 0x81 ? 3 : 2; /* a length above 127 has two bytes */
    if (size < head + BEFORE_KEY + 32 || der[0] != 0x30) {
        return NULL;
    }
    der += head;
    for (size_t i = 0; i < BEFORE_KEY; i++) {
        if (before_key[i] != any && before_key[i] != der[i]) {
            return NULL;
        }
    }
    return der + BEFORE_KEY;
}

/* tag = HMAC-SHA-256 (FIPS 198-1) of `size` bytes, with a key of 32 bytes. */
static void hmac(uint8_t tag[32], const uint8_t key[32], const uint8_t *data, size_t size)
{
    ecfit_sha256_context sha;
    uint8_t pad[64];
    for (unsigned outer = 0; outer < 2; outer++) {
        for (size_t i = 0; i < sizeof pad; i++) {
            pad[i] = (uint8_t)((i < 32 ? key[i] : 0) ^ (outer ? 0x5c : 0x36));
        }
        ecfit_sha256_start(&sha);
        ecfit_sha256_update(&sha, pad, sizeof pad);
        ecfit_sha256_update(&sha, outer ? tag : data, outer ? 32 : size);
        ecfit_sha256_finish(tag, &sha);
    }
    bootutil_wipe_memory(pad, sizeof pad);
}

/* keys = 64 bytes of HKDF-SHA-256 (RFC 5869) without salt, of a shared secret of 32 bytes. */
static void hkdf(uint8_t keys[64], const uint8_t shared[32])
{
    static const uint8_t no_salt[32],
        info[16] = {'M', 'C', 'U', 'B', 'o', 'o', 't', '_', 'E', 'C', 'I', 'E', 'S', '_', 'v', '1'};
    uint8_t extracted[32], block[32 + 16 + 1];
    hmac(extracted, no_salt, shared, 32);
    memcpy(block + 32, info, sizeof info);
    block[48] = 1;
    hmac(keys, extracted, block + 32, 17);
    memcpy(block, keys, 32);
    block[48] = 2;
    hmac(keys + 32, extracted, block, sizeof block);
    bootutil_wipe_memory(extracted, sizeof extracted);
    bootutil_wipe_memory(block, sizeof block);
}

/* The key with which an image is encrypted, from its TLV: a public key, a tag of HMAC and the
 * encrypted key (ECIES as MCUboot has it). Returns 0; else enckey stays as it was. */
int boot_decrypt_key(const uint8_t *buf, uint8_t *enckey)
{
    struct bootutil_key *own = NULL;
    bootutil_aes_ctr_context aes;
    uint8_t shared[32], keys[64], tag[32], counter[16] = {0}, differ = 0;
    const uint8_t *key;
    int rc = -1;
    if (boot_enc_retrieve_private_key(&own) != 0 || own == NULL) {
        return -1;
    }
    key = private_key(own->key, *own->len);
#if defined(MCUBOOT_ENCRYPT_EC256)
    if (key == NULL || ecfit_secp256r1_ecdh(shared, key, buf, NULL) != ECFIT_OK) {
        return -1;
    }
#else
    if (key == NULL || ecfit_x25519(shared, key, buf) != ECFIT_OK) {
        return -1;
    }
#endif
    hkdf(keys, shared); /* AES has the first bytes, HMAC the 32 behind them */
    hmac(tag, keys + BOOT_ENC_KEY_SIZE, buf + EC_CIPHERKEY_INDEX, BOOT_ENC_KEY_SIZE);
    for (size_t i = 0; i < sizeof tag; i++) {
        differ |= tag[i] ^ buf[EC_TAG_INDEX + i];
    }
    ECFIT_DECLASSIFY(differ); /* what is asked of it is whether it is zero */
    if (differ == 0) {
        bootutil_aes_ctr_init(&aes);
        if (bootutil_aes_ctr_set_key(&aes, keys) == 0 &&
            bootutil_aes_ctr_decrypt(&aes, counter, buf + EC_CIPHERKEY_INDEX, BOOT_ENC_KEY_SIZE, 0,
                                     enckey) == 0) {
            rc = 0;
        }
        bootutil_aes_ctr_drop(&aes);
    }
    bootutil_wipe_memory(shared, sizeof shared);
    bootutil_wipe_memory(keys, sizeof keys);
    bootutil_wipe_memory(tag, sizeof tag);
    return rc;
}

#if !defined(MCUBOOT_ENC_BUILTIN_KEY)
extern const struct bootutil_key bootutil_enc_key;

/* The private key that stands in the boot loader. */
int boot_enc_retrieve_private_key(struct bootutil_key **key)
{
    *key = (struct bootutil_key *)&bootutil_enc_key;
    return 0;
}
#endif

/* Reads the TLV of an image, decrypts its key to bs->enckey[slot], and keeps the TLV where swaps
 * save it. Returns 0, 1 if the key is there already, else -1. */
int boot_enc_load(struct boot_loader_state *state, int slot, const struct image_header *hdr,
                  const struct flash_area *fap, struct boot_status *bs)
{
    struct enc_key_data *enc = BOOT_CURR_ENC_SLOT(state, slot);
    struct image_tlv_iter it;
    uint32_t off;
    uint16_t len;
#if MCUBOOT_SWAP_SAVE_ENCTLV
    uint8_t *tlv = bs->enctlv[slot];
#else
    uint8_t tlv[BOOT_ENC_TLV_SIZE];
#endif
    if (boot_enc_valid(enc)) {
        return 1;
    }
    boot_enc_init(enc);
#if defined(MCUBOOT_SWAP_USING_OFFSET)
    it.start_off = boot_get_state_secondary_offset(state, fap);
#endif
    if (bootutil_tlv_iter_begin(&it, hdr, fap, BOOT_ENC_TLV, false) != 0 ||
        bootutil_tlv_iter_next(&it, &off, &len, NULL) != 0 || len != BOOT_ENC_TLV_SIZE) {
        return -1;
    }
#if MCUBOOT_SWAP_SAVE_ENCTLV
    memset(tlv, 0xff, BOOT_ENC_TLV_ALIGN_SIZE);
#endif
    if (flash_area_read(fap, off, tlv, BOOT_ENC_TLV_SIZE) != 0) {
        return -1;
    }
    return boot_decrypt_key(tlv, bs->enckey[slot]);
}

int boot_enc_init(struct enc_key_data *enc)
{
    bootutil_aes_ctr_init(&enc->aes_ctr);
    return 0;
}

int boot_enc_drop(struct enc_key_data *enc)
{
    bootutil_aes_ctr_drop(&enc->aes_ctr);
    enc->valid = 0;
    return 0;
}

int boot_enc_set_key(struct enc_key_data *enc, const uint8_t *key)
{
    if (bootutil_aes_ctr_set_key(&enc->aes_ctr, key) != 0) {
        boot_enc_drop(enc);
        return -1;
    }
    enc->valid = 1;
    return 0;
}

bool boot_enc_valid(const struct enc_key_data *enc)
{
    return enc->valid;
}

/* The counter of the block at `off` bytes of an image: big-endian. */
static void counter_at(uint8_t counter[16], uint32_t off)
{
    memset(counter, 0, 12);
    for (unsigned i = 0; i < 4; i++) {
        counter[12 + i] = (uint8_t)((off >> 4) >> (24 - 8 * i));
    }
}

/* Encrypts `sz` bytes of an image in place. They begin at byte blk_off of the block at `off`. */
void boot_enc_encrypt(struct enc_key_data *enc, uint32_t off, uint32_t sz, uint32_t blk_off,
                      uint8_t *buf)
{
    uint8_t counter[16];
    if (sz > 0) {
        assert(enc->valid == 1);
        counter_at(counter, off);
        bootutil_aes_ctr_encrypt(&enc->aes_ctr, counter, buf, sz, blk_off, buf);
    }
}

/* Likewise, the other way. */
void boot_enc_decrypt(struct enc_key_data *enc, uint32_t off, uint32_t sz, uint32_t blk_off,
                      uint8_t *buf)
{
    uint8_t counter[16];
    if (sz > 0) {
        assert(enc->valid == 1);
        counter_at(counter, off);
        bootutil_aes_ctr_decrypt(&enc->aes_ctr, counter, buf, sz, blk_off, buf);
    }
}

/* Forgets the keys of all slots. */
void boot_enc_zeroize(struct enc_key_data *enc)
{
    for (unsigned slot = 0; slot < BOOT_NUM_SLOTS; slot++) {
        boot_enc_drop(&enc[slot]);
    }
    bootutil_wipe_memory(enc, BOOT_NUM_SLOTS * sizeof *enc);
}

#endif
