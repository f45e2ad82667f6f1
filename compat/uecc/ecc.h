/* ecc.h - the interface of micro-ecc of 2013 on that of ecfit: one curve, numbers in words
 *
 * A number is NUM_ECC_DIGITS words of 32 bits, the least significant first. Functions return 1, or
 * 0 where they refuse; what they wrote then is no number. The configuration has NONCE=random, which
 * takes the caller's, and no BLIND. Needs no uECC.c. */
#ifndef ECFIT_COMPAT_ECC_H
#define ECFIT_COMPAT_ECC_H

#include <stddef.h>
#include <stdint.h>

#include "ecfit.h"

#define secp128r1 16
#define secp192r1 24
#define secp256r1 32
#define secp384r1 48

#ifndef ECC_CURVE
#define ECC_CURVE secp192r1 /* the bytes of its numbers */
#endif
#define NUM_ECC_DIGITS (ECC_CURVE / 4)

#if ECC_CURVE == secp128r1
#define ECC_CALL(operation) ecfit_secp128r1_##operation
#elif ECC_CURVE == secp192r1
#define ECC_CALL(operation) ecfit_secp192r1_##operation
#elif ECC_CURVE == secp256r1
#define ECC_CALL(operation) ecfit_secp256r1_##operation
#else
#define ECC_CALL(operation) ecfit_secp384r1_##operation
#endif

typedef struct EccPoint {
    uint32_t x[NUM_ECC_DIGITS];
    uint32_t y[NUM_ECC_DIGITS];
} EccPoint;

/* Bytes, the most significant first, to words, and back. */
static inline void ecc_bytes2native(uint32_t native[NUM_ECC_DIGITS], const uint8_t *bytes)
{
    for (unsigned i = 0; i < NUM_ECC_DIGITS; i++) {
        const uint8_t *word = bytes + 4 * (NUM_ECC_DIGITS - 1 - i);
        native[i] =
            (uint32_t)word[0] << 24 | (uint32_t)word[1] << 16 | (uint32_t)word[2] << 8 | word[3];
    }
}

static inline void ecc_native2bytes(uint8_t *bytes, const uint32_t native[NUM_ECC_DIGITS])
{
    for (unsigned i = 0; i < ECC_CURVE; i++)
        bytes[ECC_CURVE - 1 - i] = (uint8_t)(native[i / 4] >> (8 * (i % 4)));
}

static inline void ecc_from_point(uint8_t bytes[1 + 2 * ECC_CURVE], const EccPoint *point)
{
    bytes[0] = 4;
    ecc_native2bytes(bytes + 1, point->x);
    ecc_native2bytes(bytes + 1 + ECC_CURVE, point->y);
}

/* Gives the caller's number once: a second one would be another number than he meant. */
static inline int ecc_given(void *context, uint8_t *out, size_t size)
{
    const uint32_t **random = (const uint32_t **)context;
    if (*random == NULL || size != ECC_CURVE)
        return 1;
    ecc_native2bytes(out, *random);
    *random = NULL;
    return 0;
}

/* The private key is `random`; 0 where that is not from 1 to n - 1. */
static inline int ecc_make_key(EccPoint *public_key, uint32_t private_key[NUM_ECC_DIGITS],
                               const uint32_t random[NUM_ECC_DIGITS])
{
    const ecfit_rng rng = {ecc_given, (void *)&random};
    uint8_t key[ECC_CURVE], point[1 + 2 * ECC_CURVE];
    if (ECC_CALL(keygen)(point, key, &rng) != ECFIT_OK)
        return 0;
    ecc_bytes2native(private_key, key);
    ecc_bytes2native(public_key->x, point + 1);
    ecc_bytes2native(public_key->y, point + 1 + ECC_CURVE);
    return 1;
}

static inline int ecc_valid_public_key(const EccPoint *public_key)
{
    uint8_t point[1 + 2 * ECC_CURVE];
    ecc_from_point(point, public_key);
    return ECC_CALL(public_key_check)(point) == ECFIT_OK;
}

/* Checks the public key, too. */
static inline int ecdh_shared_secret(uint32_t secret[NUM_ECC_DIGITS], const EccPoint *public_key,
                                     const uint32_t private_key[NUM_ECC_DIGITS])
{
    uint8_t key[ECC_CURVE], point[1 + 2 * ECC_CURVE], shared[ECC_CURVE];
    ecc_native2bytes(key, private_key);
    ecc_from_point(point, public_key);
    const int good = ECC_CALL(ecdh)(shared, key, point, NULL) == ECFIT_OK;
    ecc_bytes2native(secret, shared);
    return good;
}

/* `random`: the nonce, of this signature alone; `hash`: as many of its first bytes as a number. */
static inline int ecdsa_sign(uint32_t r[NUM_ECC_DIGITS], uint32_t s[NUM_ECC_DIGITS],
                             const uint32_t private_key[NUM_ECC_DIGITS],
                             const uint32_t random[NUM_ECC_DIGITS],
                             const uint32_t hash[NUM_ECC_DIGITS])
{
    const ecfit_rng rng = {ecc_given, (void *)&random};
    uint8_t key[ECC_CURVE], digest[ECC_CURVE], signature[2 * ECC_CURVE];
    ecc_native2bytes(key, private_key);
    ecc_native2bytes(digest, hash);
    const int good = ECC_CALL(ecdsa_sign)(signature, key, digest, sizeof digest, &rng) == ECFIT_OK;
    ecc_bytes2native(r, signature);
    ecc_bytes2native(s, signature + ECC_CURVE);
    return good;
}

static inline int ecdsa_verify(const EccPoint *public_key, const uint32_t hash[NUM_ECC_DIGITS],
                               const uint32_t r[NUM_ECC_DIGITS], const uint32_t s[NUM_ECC_DIGITS])
{
    uint8_t point[1 + 2 * ECC_CURVE], digest[ECC_CURVE], signature[2 * ECC_CURVE];
    ecc_from_point(point, public_key);
    ecc_native2bytes(digest, hash);
    ecc_native2bytes(signature, r);
    ecc_native2bytes(signature + ECC_CURVE, s);
    return ECC_CALL(ecdsa_verify)(signature, point, digest, sizeof digest) == ECFIT_OK;
}

#endif
