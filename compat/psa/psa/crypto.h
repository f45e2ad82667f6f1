/* psa/crypto.h - elliptic curves, SHA-2 and random numbers of PSA Crypto 1.2, computed by ecfit
 *
 * A program for PSA Crypto changes its include path, and compiles psa_crypto.c of the folder above
 * with ecfit. docs/from-psa.md has the command for the configuration, figures, and what behaves
 * differently.
 *
 * Volatile keys stand in ECFIT_PSA_KEY_SLOTS static slots; nothing is allocated. Persistent keys
 * stand in your internal trusted storage (ITS, PSA Secure Storage API 1.0): ECFIT_PSA_ITS is the
 * name of its header, with its quotes, and without it there are none. Each function that uses one
 * reads it, and clears it again.
 * There is one state for all threads, without locks: call from one thread at a time.
 * Private keys and nonces decide no branch and no address.
 *
 * *length is 0 after an error, and outputs hold nothing secret.
 *
 * STACK: with P-256, the deepest operation needs 1.1 kB (lowram) to 2.1 kB (balanced). The table on
 * that page has the bytes for each preset. Wider curves need more.
 */
#ifndef ECFIT_COMPAT_PSA_CRYPTO_H
#define ECFIT_COMPAT_PSA_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

#include "ecfit.h"
#include "ecfit_config.h"
#include "psa/crypto_sizes.h"
#include "psa/crypto_values.h"

/* How many keys there are at a time. */
#ifndef ECFIT_PSA_KEY_SLOTS
#define ECFIT_PSA_KEY_SLOTS 4
#endif

#if !defined(ECFIT_HASH_STREAM_IS_OWN)
#error "ecfit for PSA: hashes take data in parts, `ecfit config --set HASH_STREAM=own`"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PSA_CRYPTO_API_VERSION_MAJOR 1
#define PSA_CRYPTO_API_VERSION_MINOR 2

/** Yours to define: writes `size` random bytes to `out` and returns 0, or any other value where
 * it cannot. It is called for new keys, randomised signatures and psa_generate_random();
 * `context` is NULL, so that it is like fill() of an ecfit_rng. */
int ecfit_psa_random(void *context, uint8_t *out, size_t size);

/** Makes the library ready. Before, each function below that returns a status ends with
 * PSA_ERROR_BAD_STATE. Further calls do nothing. */
psa_status_t psa_crypto_init(void);

/** `output` = random bytes.   Errors: PSA_ERROR_INSUFFICIENT_ENTROPY */
psa_status_t psa_generate_random(uint8_t *output, size_t output_size);

/* ---- attributes of a key --------------------------------------------------------------------- */

/** What a key is and what it may be used for. Its members are not for callers. */
typedef struct psa_key_attributes_s {
    psa_key_lifetime_t lifetime;
    psa_key_id_t id;
    psa_key_usage_t usage;
    psa_algorithm_t algorithm;
    psa_key_type_t type;
    uint16_t bits;
} psa_key_attributes_t;

#define PSA_KEY_ATTRIBUTES_INIT \
    { \
        0, 0, 0, 0, 0, 0 \
    }

static inline psa_key_attributes_t psa_key_attributes_init(void)
{
    const psa_key_attributes_t empty = PSA_KEY_ATTRIBUTES_INIT;
    return empty;
}

static inline void psa_reset_key_attributes(psa_key_attributes_t *attributes)
{
    *attributes = psa_key_attributes_init();
}

static inline void psa_set_key_type(psa_key_attributes_t *attributes, psa_key_type_t type)
{
    attributes->type = type;
}

static inline psa_key_type_t psa_get_key_type(const psa_key_attributes_t *attributes)
{
    return attributes->type;
}

/** More than 65,535 bits are no key that there is: they become 65,535. */
static inline void psa_set_key_bits(psa_key_attributes_t *attributes, size_t bits)
{
    attributes->bits = (uint16_t)(bits < 0xffff ? bits : 0xffff);
}

static inline size_t psa_get_key_bits(const psa_key_attributes_t *attributes)
{
    return attributes->bits;
}

static inline void psa_set_key_usage_flags(psa_key_attributes_t *attributes, psa_key_usage_t usage)
{
    attributes->usage = usage;
}

static inline psa_key_usage_t psa_get_key_usage_flags(const psa_key_attributes_t *attributes)
{
    return attributes->usage;
}

/** The algorithm that the key may be used with, where PSA_ALG_ANY_HASH stands for every hash. */
static inline void psa_set_key_algorithm(psa_key_attributes_t *attributes,
                                         psa_algorithm_t algorithm)
{
    attributes->algorithm = algorithm;
}

static inline psa_algorithm_t psa_get_key_algorithm(const psa_key_attributes_t *attributes)
{
    return attributes->algorithm;
}

static inline void psa_set_key_lifetime(psa_key_attributes_t *attributes,
                                        psa_key_lifetime_t lifetime)
{
    attributes->lifetime = lifetime;
}

static inline psa_key_lifetime_t psa_get_key_lifetime(const psa_key_attributes_t *attributes)
{
    return attributes->lifetime;
}

/** Also makes a volatile key persistent, which needs ECFIT_PSA_ITS and an identifier of
 * PSA_KEY_ID_USER_MIN to PSA_KEY_ID_USER_MAX. */
static inline void psa_set_key_id(psa_key_attributes_t *attributes, psa_key_id_t id)
{
    attributes->id = id;
    if (PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime)) {
        attributes->lifetime |= PSA_KEY_LIFETIME_PERSISTENT;
    }
}

static inline psa_key_id_t psa_get_key_id(const psa_key_attributes_t *attributes)
{
    return attributes->id;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/*
 * Of a persistent key, each function that takes its identifier may also end with
 * PSA_ERROR_STORAGE_FAILURE, PSA_ERROR_DATA_CORRUPT, where its record is cut short or not as it was
 * stored, and PSA_ERROR_DATA_INVALID, where it is no key of this library and configuration. Such a
 * key can be destroyed.
 */

/**
 * Takes a key pair (its private key) or a public key, in the forms of psa_export_key().
 * With 0 bits in its attributes, the length says which curve of the family it is on.
 *
 * *key: its identifier, or PSA_KEY_ID_NULL after an error.
 * Errors: PSA_ERROR_NOT_SUPPORTED, for another type, curve or lifetime,
 * PSA_ERROR_INVALID_ARGUMENT, for a key that is not valid, PSA_ERROR_INSUFFICIENT_MEMORY, where
 * all slots are in use. Of a persistent key, of which nothing is stored then, unless the storage
 * keeps half of it and refuses to remove that (then it is corrupt, and can be destroyed):
 * PSA_ERROR_ALREADY_EXISTS, PSA_ERROR_INVALID_ARGUMENT, for an identifier that is not a user's,
 * PSA_ERROR_INSUFFICIENT_STORAGE, PSA_ERROR_STORAGE_FAILURE.
 * CT: data of a private key, not whether it is valid
 */
psa_status_t psa_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                            size_t data_length, psa_key_id_t *key);

/**
 * Draws a key pair. Errors: those of psa_import_key(), PSA_ERROR_INVALID_ARGUMENT, for a public
 * key, PSA_ERROR_INSUFFICIENT_ENTROPY, also for bytes that are all the same.   CT: the private key
 */
psa_status_t psa_generate_key(const psa_key_attributes_t *attributes, psa_key_id_t *key);

/** Clears the key and its slot, or removes its record, valid or not. PSA_KEY_ID_NULL is taken, and
 * does nothing. Errors: PSA_ERROR_INVALID_HANDLE; after PSA_ERROR_STORAGE_FAILURE or
 * PSA_ERROR_NOT_PERMITTED, from the storage, the key is as it was. */
psa_status_t psa_destroy_key(psa_key_id_t key);

#if defined(ECFIT_PSA_ITS)
/** Keeps no copy of a persistent key in RAM, where none is ever kept: tells whether it is one. */
psa_status_t psa_purge_key(psa_key_id_t key);
#endif

/** *attributes = those of the key; after an error they are empty. */
psa_status_t psa_get_key_attributes(psa_key_id_t key, psa_key_attributes_t *attributes);

/**
 * The private key of a pair, which needs PSA_KEY_USAGE_EXPORT: big-endian, on Montgomery curves
 * little-endian with the bits set as RFC 7748 says, on Edwards curves the seed of RFC 8032.
 * Of a public key what psa_export_public_key() gives.
 */
psa_status_t psa_export_key(psa_key_id_t key, uint8_t *data, size_t data_size, size_t *data_length);

/** The public key: 0x04, x, y; on Montgomery and Edwards curves as in RFC 7748 and 8032.
 * Of a pair it is computed in each call.   CT: the private key */
psa_status_t psa_export_public_key(psa_key_id_t key, uint8_t *data, size_t data_size,
                                   size_t *data_length);

/* ---- signatures and key agreement ------------------------------------------------------------ */

/**
 * Signs a hash: PSA_ALG_ECDSA(), PSA_ALG_ECDSA_ANY and PSA_ALG_DETERMINISTIC_ECDSA(), the nonces
 * of which follow from key and hash (RFC 6979). The signature is r, s.
 *
 * Errors: PSA_ERROR_INVALID_HANDLE; PSA_ERROR_NOT_PERMITTED, where the attributes do not allow it;
 * PSA_ERROR_INVALID_ARGUMENT, for a key or hash that does not fit, and for a hash that is 0 modulo
 * the order or has less than 16 or more than 64 bytes; PSA_ERROR_NOT_SUPPORTED, where
 * the configuration lacks the hash that is needed; PSA_ERROR_BUFFER_TOO_SMALL;
 * PSA_ERROR_INSUFFICIENT_ENTROPY.   CT: the private key
 */
psa_status_t psa_sign_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                           size_t hash_length, uint8_t *signature, size_t signature_size,
                           size_t *signature_length);

/** Verifies a signature of a hash. Errors: those of psa_sign_hash(), PSA_ERROR_INVALID_SIGNATURE.
 * A key pair is taken too: its public key is computed in each call. */
psa_status_t psa_verify_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_length, const uint8_t *signature, size_t signature_length);

/** Signs a message: its hash, as psa_sign_hash(), or with PSA_ALG_PURE_EDDSA. */
psa_status_t psa_sign_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                              size_t input_length, uint8_t *signature, size_t signature_size,
                              size_t *signature_length);

/** Verifies a signature of a message, as psa_verify_hash(). */
psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, const uint8_t *signature,
                                size_t signature_length);

/**
 * PSA_ALG_ECDH of a key pair and a peer's public key, which is checked: the x coordinate, or the
 * output of X25519 or X448.
 *
 * Errors: as psa_sign_hash(); a peer's key of the wrong form, not on the curve, or of small order
 * is PSA_ERROR_INVALID_ARGUMENT.   CT: the private key, output
 */
psa_status_t psa_raw_key_agreement(psa_algorithm_t alg, psa_key_id_t private_key,
                                   const uint8_t *peer_key, size_t peer_key_length, uint8_t *output,
                                   size_t output_size, size_t *output_length);

/* ---- SHA-256, SHA-384, SHA-512, as the configuration has them -------------------------------- */

/** A hash whose data comes in parts. Its members are not for callers. */
typedef struct psa_hash_operation_s {
    psa_algorithm_t algorithm; /* 0: inactive */
    union {
        uint8_t any;
#if !defined(ECFIT_SHA256_IS_NONE)
        ecfit_sha256_context sha256;
#endif
#if !defined(ECFIT_SHA512_IS_NONE)
        ecfit_sha512_context sha512;
#endif
    } context;
} psa_hash_operation_t;

#define PSA_HASH_OPERATION_INIT \
    { \
        0, \
        { \
            0 \
        } \
    }

static inline psa_hash_operation_t psa_hash_operation_init(void)
{
    const psa_hash_operation_t inactive = PSA_HASH_OPERATION_INIT;
    return inactive;
}

/** The hash of the input. Errors: PSA_ERROR_INVALID_ARGUMENT, for what is not a hash,
 * PSA_ERROR_NOT_SUPPORTED, PSA_ERROR_BUFFER_TOO_SMALL. */
psa_status_t psa_hash_compute(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              uint8_t *hash, size_t hash_size, size_t *hash_length);

/** Whether it is the hash of the input: PSA_SUCCESS or PSA_ERROR_INVALID_SIGNATURE. */
psa_status_t psa_hash_compare(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              const uint8_t *hash, size_t hash_length);

/** Begins a hash. Of this and the next ones: PSA_ERROR_BAD_STATE where it is not their turn, and
 * after every error the operation is inactive. */
psa_status_t psa_hash_setup(psa_hash_operation_t *operation, psa_algorithm_t alg);

/** Takes the next part. */
psa_status_t psa_hash_update(psa_hash_operation_t *operation, const uint8_t *input,
                             size_t input_length);

/** The hash of what came. The operation is inactive then. */
psa_status_t psa_hash_finish(psa_hash_operation_t *operation, uint8_t *hash, size_t hash_size,
                             size_t *hash_length);

/** Whether it is the hash of what came: PSA_SUCCESS or PSA_ERROR_INVALID_SIGNATURE. */
psa_status_t psa_hash_verify(psa_hash_operation_t *operation, const uint8_t *hash,
                             size_t hash_length);

/** Clears an operation, active or not. */
psa_status_t psa_hash_abort(psa_hash_operation_t *operation);

/** Another one that goes on from the same place. */
psa_status_t psa_hash_clone(const psa_hash_operation_t *source_operation,
                            psa_hash_operation_t *target_operation);

#ifdef __cplusplus
}
#endif

#endif
