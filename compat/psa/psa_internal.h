/* psa_internal.h - what psa_crypto.c takes of psa_hash.c, nonces of RFC 6979, 3.2, and of
 * psa_storage.c, records of persistent keys */
#ifndef ECFIT_COMPAT_PSA_INTERNAL_H
#define ECFIT_COMPAT_PSA_INTERNAL_H

#include "psa/crypto.h"

/* Returns what is not PSA_SUCCESS. */
#define TRY(expression) \
    { \
        const psa_status_t tried = (expression); \
        if (tried != PSA_SUCCESS) \
            return tried; \
    }

/* Says that x, which was computed from secrets, may be known: a label for `ecfit ct`, as in the
 * library's ct.h. */
#if !defined(ECFIT_DECLASSIFY) && defined(__ELF__) && \
    (defined(__arm__) || defined(__riscv) || defined(__AVR__))
#define ECFIT_DECLASSIFY(x) __asm__ volatile("ecfit_public.%=.%0.%c1:" : "+r"(x) : "i"(sizeof(x)))
#elif !defined(ECFIT_DECLASSIFY) && defined(__GNUC__)
#define ECFIT_DECLASSIFY(x) __asm__ volatile(" " : "+r"(x))
#elif !defined(ECFIT_DECLASSIFY)
#define ECFIT_DECLASSIFY(x) ((void)0)
#endif

struct ecfit_psa_nonces {
    psa_algorithm_t alg;  /* the hash, which is that of HMAC too */
    uint8_t size;         /* bytes of it */
    uint8_t bytes, spare; /* bytes of a scalar; bits above the order in the first of them */
    uint8_t begun;        /* whether a nonce was given out: before the next, K and V change */
    psa_hash_operation_t hash;
    uint8_t k[PSA_HASH_MAX_SIZE], v[PSA_HASH_MAX_SIZE];
};

/**
 * Begins the nonces for a private key and a hash.
 * alg, bytes and spare of `s` are given; the order has `bytes` bytes.
 *
 * Errors: PSA_ERROR_NOT_SUPPORTED, where the configuration lacks the hash.   CT: key
 */
psa_status_t ecfit_psa_nonces_start(struct ecfit_psa_nonces *s, const uint8_t *order,
                                    const uint8_t *key, const uint8_t *hash);

/** The next nonce: as fill() of an ecfit_rng, whose context is the struct.   CT: all of it */
int ecfit_psa_nonces_fill(void *context, uint8_t *out, size_t size);

#if defined(ECFIT_PSA_ITS)
/* Of the four below, errors: PSA_ERROR_STORAGE_FAILURE, PSA_ERROR_INSUFFICIENT_STORAGE,
 * PSA_ERROR_DATA_CORRUPT, PSA_ERROR_NOT_PERMITTED, as the storage says, and what each names. */

/** Whether a key may be stored under this identifier.   Errors: PSA_ERROR_ALREADY_EXISTS */
psa_status_t ecfit_psa_find_room(psa_key_id_t id);

/** Stores the `size` bytes of a key with its attributes under its identifier, whole or not at all,
 * where there is room.   CT: key */
psa_status_t ecfit_psa_store(const psa_key_attributes_t *attributes, const uint8_t *key,
                             size_t size);

/**
 * Reads the record of a key: attributes, as they were stored, and *size bytes of the key.
 *
 * Errors: PSA_ERROR_INVALID_HANDLE, where there is none; PSA_ERROR_DATA_CORRUPT, for one that is
 * cut short or not as it was stored; PSA_ERROR_DATA_INVALID, for one that is not of this library,
 * or longer than key_size allows.   CT: key, not whether the record is as it was stored
 */
psa_status_t ecfit_psa_load(psa_key_attributes_t *attributes, uint8_t *key, size_t key_size,
                            size_t *size, psa_key_id_t id);

/** Removes the record of a key, valid or not.   Errors: PSA_ERROR_INVALID_HANDLE */
psa_status_t ecfit_psa_erase(psa_key_id_t id);
#endif

/** Zeros. The compiler leaves it in. */
void ecfit_psa_clear(void *out, size_t size);

#endif
