/* psa/crypto_sizes.h - sizes of keys, signatures and hashes, in bytes (PSA Crypto 1.2)
 *
 * The largest ones are those of the widest curve of ecfit_config.h.
 */
#ifndef ECFIT_COMPAT_PSA_CRYPTO_SIZES_H
#define ECFIT_COMPAT_PSA_CRYPTO_SIZES_H

#include "ecfit_config.h"
#include "psa/crypto_values.h"

#define PSA_BITS_TO_BYTES(bits) (((bits) + 7u) / 8u)
#define PSA_BYTES_TO_BITS(bytes) ((bytes)*8u)

/* 0 for what is not a hash. */
#define PSA_HASH_LENGTH(alg) \
    (PSA_ALG_GET_HASH(alg) == PSA_ALG_MD2            ? 16u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_MD4          ? 16u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_MD5          ? 16u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_RIPEMD160    ? 20u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA_1        ? 20u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA_224      ? 28u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA_256      ? 32u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA_384      ? 48u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA_512      ? 64u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA_512_224  ? 28u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA_512_256  ? 32u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA3_224     ? 28u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA3_256     ? 32u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA3_384     ? 48u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA3_512     ? 64u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SM3          ? 32u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHAKE256_512 ? 64u \
                                                     : 0u)
#define PSA_HASH_BLOCK_LENGTH(alg) \
    (PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA_256                                               ? 64u \
     : PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA_384 || PSA_ALG_GET_HASH(alg) == PSA_ALG_SHA_512 ? 128u \
                                                                                            : 0u)
#define PSA_HASH_MAX_SIZE 64u

/* Bits of the widest curve, in whole words, and bytes of its keys: of Ed448, 57. */
#define PSA_VENDOR_ECC_MAX_CURVE_BITS (ECFIT_MAX_BITS > 521 ? 521u : ECFIT_MAX_BITS + 0u)
#define ECFIT_PSA_SCALAR_MAX \
    (PSA_BITS_TO_BYTES(PSA_VENDOR_ECC_MAX_CURVE_BITS) + (PSA_VENDOR_ECC_MAX_CURVE_BITS == 448u))

#define PSA_ECDSA_SIGNATURE_SIZE(curve_bits) (PSA_BITS_TO_BYTES(curve_bits) * 2u)
#define PSA_SIGN_OUTPUT_SIZE(key_type, key_bits, alg) \
    (PSA_KEY_TYPE_IS_ECC(key_type) && PSA_ALG_IS_SIGN(alg) \
         ? ECFIT_PSA_KEY_BYTES(key_type, key_bits) * 2u \
         : 0u)
#define PSA_SIGNATURE_MAX_SIZE (2u * ECFIT_PSA_SCALAR_MAX)

/* Bytes of a private key. */
#define ECFIT_PSA_KEY_BYTES(key_type, key_bits) \
    (PSA_KEY_TYPE_ECC_GET_FAMILY(key_type) == PSA_ECC_FAMILY_TWISTED_EDWARDS \
         ? (key_bits) / 8u + 1u \
         : PSA_BITS_TO_BYTES(key_bits))
/* Bytes of a public key. */
#define ECFIT_PSA_POINT_BYTES(key_type, key_bits) \
    (PSA_KEY_TYPE_ECC_GET_FAMILY(key_type) == PSA_ECC_FAMILY_MONTGOMERY || \
             PSA_KEY_TYPE_ECC_GET_FAMILY(key_type) == PSA_ECC_FAMILY_TWISTED_EDWARDS \
         ? ECFIT_PSA_KEY_BYTES(key_type, key_bits) \
         : 2u * PSA_BITS_TO_BYTES(key_bits) + 1u)
#define PSA_EXPORT_KEY_OUTPUT_SIZE(key_type, key_bits) \
    (!PSA_KEY_TYPE_IS_ECC(key_type)           ? 0u \
     : PSA_KEY_TYPE_IS_ECC_KEY_PAIR(key_type) ? ECFIT_PSA_KEY_BYTES(key_type, key_bits) \
                                              : ECFIT_PSA_POINT_BYTES(key_type, key_bits))
#define PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(key_type, key_bits) \
    (PSA_KEY_TYPE_IS_ECC(key_type) ? ECFIT_PSA_POINT_BYTES(key_type, key_bits) : 0u)
#define PSA_EXPORT_KEY_PAIR_MAX_SIZE ECFIT_PSA_SCALAR_MAX
#define PSA_EXPORT_PUBLIC_KEY_MAX_SIZE (1u + 2u * ECFIT_PSA_SCALAR_MAX)
#define PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE PSA_EXPORT_PUBLIC_KEY_MAX_SIZE

#define PSA_RAW_KEY_AGREEMENT_OUTPUT_SIZE(key_type, key_bits) \
    (PSA_KEY_TYPE_IS_ECC_KEY_PAIR(key_type) ? PSA_BITS_TO_BYTES(key_bits) : 0u)
#define PSA_RAW_KEY_AGREEMENT_OUTPUT_MAX_SIZE ECFIT_PSA_SCALAR_MAX

#endif
