/* mcuboot_custom_crypto.h - the cryptography of MCUboot, computed by ecfit
 *
 * MCUboot asks for such a header where MCUBOOT_USE_CUSTOM_CRYPTO is defined (its page
 * docs/custom_crypto.md). Include it at the end of your mcuboot_config.h, and compile
 * ecfit_mcuboot.c of this folder. docs/from-mcuboot.md has the command for the configuration,
 * figures, and what behaves differently.
 *
 * Of MCUBOOT_SIGN_EC256, MCUBOOT_SIGN_EC384 and MCUBOOT_SIGN_ED25519 define one.
 * Signatures of ECDSA are strict DER, the one encoding that there is of r and s. Behind it may be
 * zeros up to the longest one, as `imgtool --pad-sig` writes them; ECFIT_MCUBOOT_UNPADDED refuses
 * these.
 *
 * MCUBOOT_ENC_IMAGES: ecfit_mcuboot.c then has the functions of MCUboot's encrypted.c. The AES is
 * yours: ECFIT_MCUBOOT_AES names a header with the bootutil_aes_ctr_.. of MCUboot's page.
 *
 * ECFIT_MCUBOOT_HARDENED: verification hardened against faults, which returns through MCUboot's
 * FIH macros. ecfit_mcuboot.c then has bootutil_verify_sig(): leave MCUboot's image_ecdsa.c or
 * image_ed25519.c out. docs/from-mcuboot.md says how both were attacked.
 */
#ifndef ECFIT_COMPAT_MCUBOOT_CUSTOM_CRYPTO_H
#define ECFIT_COMPAT_MCUBOOT_CUSTOM_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

#include "ecfit.h"
#include "ecfit_config.h"

#if defined(MCUBOOT_SIGN_EC256)
#define ECFIT_MCUBOOT(verb) ecfit_secp256r1_##verb
#define ECFIT_MCUBOOT_BYTES 32 /* of a scalar and of a coordinate */
#if !ECFIT_CURVE_SECP256R1_ENABLED || !defined(ECFIT_SECP256R1_DER_IS_STRICT)
#error "ecfit for MCUboot: `ecfit config --curve secp256r1 --set DER=strict,HASH_STREAM=own`"
#endif
#elif defined(MCUBOOT_SIGN_EC384)
#define ECFIT_MCUBOOT(verb) ecfit_secp384r1_##verb
#define ECFIT_MCUBOOT_BYTES 48
#if !ECFIT_CURVE_SECP384R1_ENABLED || !defined(ECFIT_SECP384R1_DER_IS_STRICT)
#error "ecfit for MCUboot: `ecfit config --curve secp384r1 --set DER=strict,HASH_STREAM=own`"
#endif
#elif defined(MCUBOOT_SIGN_ED25519)
#if !ECFIT_CURVE_ED25519_ENABLED
#error "ecfit for MCUboot: `ecfit config --curve ed25519 --set HASH_STREAM=own`"
#endif
/* MCUboot takes the last 32 bytes of a key, and needs no ASN.1 parser of Mbed TLS. */
#ifndef MCUBOOT_KEY_IMPORT_BYPASS_ASN
#define MCUBOOT_KEY_IMPORT_BYPASS_ASN
#endif
#else
#error "ecfit for MCUboot: define MCUBOOT_SIGN_EC256, MCUBOOT_SIGN_EC384 or MCUBOOT_SIGN_ED25519"
#endif

#if !defined(ECFIT_HASH_STREAM_IS_OWN)
#error "ecfit for MCUboot: images are hashed in parts, `ecfit config --set HASH_STREAM=own`"
#endif
#if defined(MCUBOOT_ENC_IMAGES)
#if defined(MCUBOOT_HMAC_SHA512) || \
    !(defined(MCUBOOT_ENCRYPT_EC256) || defined(MCUBOOT_ENCRYPT_X25519))
#error "ecfit for MCUboot: define MCUBOOT_ENCRYPT_EC256 or _X25519, with HMAC of SHA-256"
#elif defined(MCUBOOT_ENCRYPT_EC256) && !defined(ECFIT_SECP256R1_ECDH_IS_ECDH)
#error "ecfit for MCUboot: MCUBOOT_ENCRYPT_EC256 needs `ecfit config --curve secp256r1 --op ecdh`"
#elif defined(MCUBOOT_ENCRYPT_EC256) && !defined(ECFIT_SECP256R1_BLIND_IS_NONE)
#error "ecfit for MCUboot: no random numbers here, `ecfit config --set secp256r1.BLIND=none`"
#elif defined(MCUBOOT_ENCRYPT_X25519) && !ECFIT_CURVE_X25519_ENABLED
#error "ecfit for MCUboot: MCUBOOT_ENCRYPT_X25519 needs `ecfit config --curve x25519`"
#elif defined(ECFIT_SHA256_IS_NONE)
#error "ecfit for MCUboot: encrypted images need `ecfit config --set SHA256=own`"
#elif !defined(ECFIT_MCUBOOT_AES)
#error "ecfit for MCUboot: define ECFIT_MCUBOOT_AES as the header of your AES-CTR"
#endif
#endif
#if defined(MCUBOOT_BUILTIN_KEY)
#error "ecfit for MCUboot: keys stand in the boot loader or the image; take out MCUBOOT_BUILTIN_KEY"
#endif

#if defined(ECFIT_MCUBOOT_HARDENED)
#if !defined(ECFIT_SECP256R1_VERIFY_IS_HARDENED) && \
    !defined(ECFIT_SECP384R1_VERIFY_IS_HARDENED) && \
    !defined(ECFIT_ED25519_VERIFY_IS_EDDSA_HARDENED)
#error "ECFIT_MCUBOOT_HARDENED: `ecfit config --set VERIFY=hardened`, of Ed25519 eddsa_hardened"
#endif
#if !defined(MCUBOOT_FIH_PROFILE_LOW) && !defined(MCUBOOT_FIH_PROFILE_MEDIUM) && \
    !defined(MCUBOOT_FIH_PROFILE_HIGH)
#error "ECFIT_MCUBOOT_HARDENED: define MCUBOOT_FIH_PROFILE_MEDIUM or another profile above"
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the hash of an image: as long as MCUboot says ------------------------------------------- */

#if defined(MCUBOOT_SHA512)
#define ECFIT_MCUBOOT_SHA(verb) ecfit_sha512_##verb
#define ECFIT_MCUBOOT_HASH 64
typedef ecfit_sha512_context bootutil_sha_context;
#elif defined(MCUBOOT_SIGN_EC384)
#define ECFIT_MCUBOOT_SHA(verb) ecfit_sha384_##verb
#define ECFIT_MCUBOOT_HASH 48
typedef ecfit_sha512_context bootutil_sha_context;
#else
#define ECFIT_MCUBOOT_SHA(verb) ecfit_sha256_##verb
#define ECFIT_MCUBOOT_HASH 32
typedef ecfit_sha256_context bootutil_sha_context;
#endif

/** Begins a hash. Returns 0. */
static inline int bootutil_sha_init(bootutil_sha_context *ctx)
{
    ECFIT_MCUBOOT_SHA(start)(ctx);
    return 0;
}

/** Takes the next part. Returns 0. */
static inline int bootutil_sha_update(bootutil_sha_context *ctx, const void *data,
                                      uint32_t data_len)
{
    ECFIT_MCUBOOT_SHA(update)(ctx, (const uint8_t *)data, data_len);
    return 0;
}

/** output = the hash. Returns 0. */
static inline int bootutil_sha_finish(bootutil_sha_context *ctx, uint8_t *output)
{
    ECFIT_MCUBOOT_SHA(finish)(output, ctx);
    return 0;
}

/** Nothing is to be given back. Returns 0. */
static inline int bootutil_sha_drop(bootutil_sha_context *ctx)
{
    (void)ctx;
    return 0;
}

/* ---- signatures ------------------------------------------------------------------------------ */

#if defined(ECFIT_MCUBOOT_HARDENED)
/* bootutil_verify_sig() of MCUboot's bootutil_priv.h */
#elif defined(ECFIT_MCUBOOT)

/** Nothing is kept between parsing a key and its use. */
typedef struct bootutil_ecdsa_context {
    uint8_t unused;
} bootutil_ecdsa_context;

/** Does nothing. */
static inline void bootutil_ecdsa_init(bootutil_ecdsa_context *ctx)
{
    (void)ctx;
}

/** Does nothing. */
static inline void bootutil_ecdsa_drop(bootutil_ecdsa_context *ctx)
{
    (void)ctx;
}

/**
 * *cp = the point in the SubjectPublicKeyInfo (RFC 5480, 2) between *cp and `end`.
 * Takes only that of an uncompressed point on this curve, of exactly its length.
 *
 * Returns 0 if it is one; else *cp stays.
 */
int bootutil_ecdsa_parse_public_key(bootutil_ecdsa_context *ctx, uint8_t **cp, uint8_t *end);

/**
 * Verifies a signature in strict DER, zeros behind it, of the hash of an image. The key is checked.
 *
 * Returns 0 for a valid one, and for nothing else.
 */
int bootutil_ecdsa_verify(bootutil_ecdsa_context *ctx, uint8_t *pk, size_t pk_len, uint8_t *hash,
                          size_t hash_len, uint8_t *sig, size_t sig_len);

#else

/** Verifies a signature of Ed25519. Returns 1 for a valid one, else 0. */
int ED25519_verify(const uint8_t *message, size_t message_len, const uint8_t signature[64],
                   const uint8_t public_key[32]);

#endif

#ifdef __cplusplus
}
#endif

#if defined(ECFIT_MCUBOOT_AES)
#include ECFIT_MCUBOOT_AES
#endif

#endif
