/* uECC.h - the interface of micro-ecc (2014 to 2024), computed by ecfit
 *
 * A program that includes micro-ecc's uECC.h includes this one instead: change the include path,
 * and compile uECC.c of this folder in place of micro-ecc's. docs/from-micro-ecc.md has the
 * command for the configuration, figures, and what behaves differently.
 *
 * Bytes are big-endian. Functions that return int return 1 when they are done, and 0 for any error;
 * their outputs are then zero. Every public key is checked wherever one comes in.
 * Private keys and nonces decide no branch and no address.
 *
 * STACK: an operation needs up to 2.4 kB with the preset balanced, where micro-ecc needs 0.9 kB.
 * The table on that page has the bytes for each preset; `lowram` needs least.
 *
 * Sizes, for a curve of F bytes: private key F (secp160r1: 21), public key 2F, x || y,
 * shared secret F, compressed key F + 1, signature 2F, r || s.
 */
#ifndef ECFIT_COMPAT_UECC_H
#define ECFIT_COMPAT_UECC_H

#include <stdint.h>

#include "ecfit_config.h"

/* Which curves there are: those of the configuration. 0 leaves one out. */
#ifndef uECC_SUPPORTS_secp160r1
#define uECC_SUPPORTS_secp160r1 ECFIT_CURVE_SECP160R1_ENABLED
#endif
#ifndef uECC_SUPPORTS_secp192r1
#define uECC_SUPPORTS_secp192r1 ECFIT_CURVE_SECP192R1_ENABLED
#endif
#ifndef uECC_SUPPORTS_secp224r1
#define uECC_SUPPORTS_secp224r1 ECFIT_CURVE_SECP224R1_ENABLED
#endif
#ifndef uECC_SUPPORTS_secp256r1
#define uECC_SUPPORTS_secp256r1 ECFIT_CURVE_SECP256R1_ENABLED
#endif
#ifndef uECC_SUPPORTS_secp256k1
#define uECC_SUPPORTS_secp256k1 ECFIT_CURVE_SECP256K1_ENABLED
#endif

/* 0 leaves out uECC_compress and uECC_decompress, which need COMPRESS = sec1. */
#ifndef uECC_SUPPORT_COMPRESSED_POINT
#define uECC_SUPPORT_COMPRESSED_POINT 1
#endif

/* 0 leaves out uECC_sign_deterministic, the one function that needs NONCE = random. */
#ifndef uECC_SIGN_DETERMINISTIC
#define uECC_SIGN_DETERMINISTIC 1
#endif

/* How uECC_sign_deterministic makes a nonce. 0: RFC 6979. 1: as micro-ecc does, which reverses the
 * bytes and does not reduce the hash: the same signatures as before, bit for bit. */
#ifndef uECC_DETERMINISTIC_AS_MICRO_ECC
#define uECC_DETERMINISTIC_AS_MICRO_ECC 0
#endif

/* Ignored: uECC_PLATFORM, uECC_WORD_SIZE, uECC_OPTIMIZATION_LEVEL and uECC_SQUARE_FUNC. What they
 * chose is chosen by `ecfit config`. These are values that programs compare them with. */
#define uECC_arch_other 0
#define uECC_x86 1
#define uECC_x86_64 2
#define uECC_arm 3
#define uECC_arm_thumb 4
#define uECC_arm_thumb2 5
#define uECC_arm64 6
#define uECC_avr 7

#if defined(uECC_VLI_NATIVE_LITTLE_ENDIAN) && uECC_VLI_NATIVE_LITTLE_ENDIAN
#error "uECC.h of ecfit: bytes are big-endian; reverse them, and drop uECC_VLI_NATIVE_LITTLE_ENDIAN"
#endif
#if defined(uECC_ENABLE_VLI_API) && uECC_ENABLE_VLI_API
#error "uECC.h of ecfit: there are no uECC_vli_ functions; stay with micro-ecc if you need them"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** A curve. Its members are not for callers. */
struct uECC_Curve_t;
typedef const struct uECC_Curve_t *uECC_Curve;

#if uECC_SUPPORTS_secp160r1
uECC_Curve uECC_secp160r1(void);
#endif
#if uECC_SUPPORTS_secp192r1
uECC_Curve uECC_secp192r1(void);
#endif
#if uECC_SUPPORTS_secp224r1
uECC_Curve uECC_secp224r1(void);
#endif
#if uECC_SUPPORTS_secp256r1
uECC_Curve uECC_secp256r1(void);
#endif
#if uECC_SUPPORTS_secp256k1
uECC_Curve uECC_secp256k1(void);
#endif

/** The caller's random generator: writes `size` random bytes and returns 1, or returns 0. */
typedef int (*uECC_RNG_Function)(uint8_t *dest, unsigned size);

/** Sets the generator that uECC_make_key and uECC_sign need. It is one for all threads. NULL: none.
 * On Linux and macOS, and with uECC_POSIX, the default one reads /dev/urandom.
 * If the configuration has BLIND, uECC_shared_secret and uECC_compute_public_key draw from it, too;
 * without a generator they compute unblinded. */
void uECC_set_rng(uECC_RNG_Function rng_function);

/** The generator, NULL if there is none. */
uECC_RNG_Function uECC_get_rng(void);

/** Bytes of a private key. */
int uECC_curve_private_key_size(uECC_Curve curve);

/** Bytes of a public key. */
int uECC_curve_public_key_size(uECC_Curve curve);

/** Draws a key pair. 0: the generator failed, or there is none.   CT: private_key */
int uECC_make_key(uint8_t *public_key, uint8_t *private_key, uECC_Curve curve);

/** ECDH: the x coordinate. 0: one of the keys is not valid, or with BLIND the generator failed.
 * CT: private_key */
int uECC_shared_secret(const uint8_t *public_key, const uint8_t *private_key, uint8_t *secret,
                       uECC_Curve curve);

#if uECC_SUPPORT_COMPRESSED_POINT
/** 0x02 or 0x03, and x. `compressed` is zero if the key is not valid. */
void uECC_compress(const uint8_t *public_key, uint8_t *compressed, uECC_Curve curve);

/** The key, which is zero if there is no such point. */
void uECC_decompress(const uint8_t *compressed, uint8_t *public_key, uECC_Curve curve);
#endif

/** 1 if both coordinates are below p and the point is on the curve. */
int uECC_valid_public_key(const uint8_t *public_key, uECC_Curve curve);

/** The public key of a private key. 0: it is 0, or not below the order, or with BLIND the generator
 * failed.   CT: private_key */
int uECC_compute_public_key(const uint8_t *private_key, uint8_t *public_key, uECC_Curve curve);

/** ECDSA of a hash of 16 to 64 bytes with a nonce of the generator.
 * 0: the generator failed, the key is not valid, or the hash is one of zeros or of another size.
 * CT: private_key */
int uECC_sign(const uint8_t *private_key, const uint8_t *message_hash, unsigned hash_size,
              uint8_t *signature, uECC_Curve curve);

/** A hash function of the caller, for uECC_sign_deterministic. His structure begins with this one;
 * init_hash begins a hash in it, update_hash takes bytes, and finish_hash gives the result.
 * block_size, result_size: bytes, 64 and 32 of SHA-256, for instance.
 * tmp: 2 * result_size + block_size bytes; they are cleared at the end. */
typedef struct uECC_HashContext {
    void (*init_hash)(const struct uECC_HashContext *context);
    void (*update_hash)(const struct uECC_HashContext *context, const uint8_t *message,
                        unsigned message_size);
    void (*finish_hash)(const struct uECC_HashContext *context, uint8_t *hash_result);
    unsigned block_size;
    unsigned result_size;
    uint8_t *tmp;
} uECC_HashContext;

/** ECDSA of a hash, whose nonce follows from key and hash (uECC_DETERMINISTIC_AS_MICRO_ECC).
 * It needs no generator.   CT: private_key, if the caller's hash is */
int uECC_sign_deterministic(const uint8_t *private_key, const uint8_t *message_hash,
                            unsigned hash_size, const uECC_HashContext *hash_context,
                            uint8_t *signature, uECC_Curve curve);

/** 1 if the signature of the hash is valid; the key is checked, too. */
int uECC_verify(const uint8_t *public_key, const uint8_t *message_hash, unsigned hash_size,
                const uint8_t *signature, uECC_Curve curve);

#ifdef __cplusplus
}
#endif

#endif
