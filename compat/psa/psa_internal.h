/* psa_nonces.h - what psa_crypto.c takes of psa_hash.c: nonces of RFC 6979, 3.2 */
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

/** Zeros. The compiler leaves it in. */
void ecfit_psa_clear(void *out, size_t size);

#endif
