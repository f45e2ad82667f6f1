/* mcuboot.c - ECDH of bench_op.h, and the key of an encrypted image by compat/mcuboot, for
 * test_compat_constant_time.py
 *
 * The private key is secret. The TLV has a right tag, so all of it is decrypted. AES is somebody
 * else's: here it copies. */
#include "bench_op.h"
#include "ecfit_mcuboot.c"

void (*aes_block)(uint8_t *out, const uint8_t *key, const uint8_t *in);
static uint8_t der[BEFORE_KEY + 2 + 32];
static const unsigned int der_size = sizeof der;
const struct bootutil_key bootutil_enc_key = {der, &der_size};

void bootutil_wipe_memory(void *p, size_t n)
{
    volatile uint8_t *bytes = p;
    for (size_t i = 0; i < n; i++) {
        bytes[i] = 0;
    }
}

static void no_aes(uint8_t *out, const uint8_t *key, const uint8_t *in)
{
    (void)key;
    memcpy(out, in, 16);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    uint8_t tlv[BOOT_ENC_TLV_SIZE] = {0}, keys[64], enckey[BOOT_ENC_KEY_SIZE];
    aes_block = no_aes;
    der[0] = 0x30;
    for (size_t i = 0; i < BEFORE_KEY; i++) {
        der[2 + i] = (uint8_t)before_key[i];
    }
    memcpy(der + 2 + BEFORE_KEY, in, 32);
    memcpy(tlv, in + 32, EC_TAG_INDEX);
#if defined(MCUBOOT_ENCRYPT_EC256)
    if (ecfit_secp256r1_ecdh(out, in, in + 32, NULL) != ECFIT_OK) {
        return 1;
    }
#else
    if (ecfit_x25519(out, in, in + 32) != ECFIT_OK) {
        return 1;
    }
#endif
    hkdf(keys, out);
    hmac(tlv + EC_TAG_INDEX, keys + BOOT_ENC_KEY_SIZE, tlv + EC_CIPHERKEY_INDEX, BOOT_ENC_KEY_SIZE);
    return boot_decrypt_key(tlv, enckey);
}
