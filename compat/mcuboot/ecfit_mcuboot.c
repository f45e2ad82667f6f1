/* ecfit_mcuboot.c - verification for MCUboot, on ecfit: see mcuboot_custom_crypto.h
 *
 * All of it is public data.
 */
#include "mcuboot_config/mcuboot_config.h"

#include <string.h>

#include "mcuboot_custom_crypto.h"
#if defined(ECFIT_MCUBOOT_HARDENED)
#include "bootutil/fault_injection_hardening.h"
#include "bootutil/sign_key.h"
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
        ECFIT_MCUBOOT(signature_from_der)(signature, sig, sig_len) != ECFIT_OK) {
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
        ECFIT_MCUBOOT(signature_from_der)(signature, sig, sig_len) != ECFIT_OK) {
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
