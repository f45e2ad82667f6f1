/* fuzz.h - what the fuzz targets of the library share: its curves as a table, OpenSSL's opinion,
 * and bytes of the input
 *
 * A target is one file with LLVMFuzzerTestOneInput, for libFuzzer; tools/fuzz/fuzz_lib.py builds it
 * with the whole library under the address and undefined-behaviour sanitizers.
 * What the library says must be what OpenSSL says; a difference aborts.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ecfit.h"

#define FUZZ_CURVES(X) \
    X(secp128r1, NID_secp128r1, 16, 16) \
    X(secp160r1, NID_secp160r1, 20, 21) \
    X(secp192r1, NID_X9_62_prime192v1, 24, 24) \
    X(secp224r1, NID_secp224r1, 28, 28) \
    X(secp256r1, NID_X9_62_prime256v1, 32, 32) \
    X(secp384r1, NID_secp384r1, 48, 48) \
    X(secp521r1, NID_secp521r1, 66, 66) \
    X(secp256k1, NID_secp256k1, 32, 32) \
    X(brainpoolP256r1, NID_brainpoolP256r1, 32, 32) \
    X(brainpoolP384r1, NID_brainpoolP384r1, 48, 48) \
    X(brainpoolP512r1, NID_brainpoolP512r1, 64, 64)

enum {
    FUZZ_F = 66,
    FUZZ_N = 66,
    FUZZ_P = 1 + 2 * FUZZ_F,
    FUZZ_TASK = 8 * ECFIT_TASK_BLOCKS(FUZZ_F)
};

/* The functions of a curve, their sizes taken away:
 * every buffer has exactly the bytes that the curve asks for. */
typedef struct fuzz_curve {
    const char *name;
    int nid;
    size_t f, n;
    size_t task; /* bytes */
    ecfit_status (*keygen)(uint8_t *, uint8_t *, const ecfit_rng *);
    ecfit_status (*public_key)(uint8_t *, const uint8_t *, const ecfit_rng *);
    ecfit_status (*ecdh)(uint8_t *, const uint8_t *, const uint8_t *, const ecfit_rng *);
    ecfit_status (*sign)(uint8_t *, const uint8_t *, const uint8_t *, size_t, const ecfit_rng *);
    ecfit_status (*verify)(const uint8_t *, const uint8_t *, const uint8_t *, size_t);
    uint32_t (*hardened)(const uint8_t *, const uint8_t *, const uint8_t *, size_t);
    ecfit_status (*compress)(uint8_t *, const uint8_t *);
    ecfit_status (*decompress)(uint8_t *, const uint8_t *);
    ecfit_status (*to_der)(uint8_t *, size_t *, const uint8_t *);
    ecfit_status (*from_der)(uint8_t *, const uint8_t *, size_t);
    ecfit_status (*keygen_start)(void *, const ecfit_rng *);
    ecfit_status (*ecdh_start)(void *, const uint8_t *, const uint8_t *, const ecfit_rng *);
    ecfit_status (*sign_start)(void *, const uint8_t *, const uint8_t *, size_t, const ecfit_rng *);
    ecfit_status (*verify_start)(void *, const uint8_t *, const uint8_t *, const uint8_t *, size_t);
    ecfit_status (*step)(void *, unsigned);
    void (*abort)(void *);
    ecfit_status (*keygen_finish)(uint8_t *, uint8_t *, void *);
    ecfit_status (*ecdh_finish)(uint8_t *, void *);
    ecfit_status (*sign_finish)(uint8_t *, void *);
    ecfit_status (*verify_finish)(void *);
    ecfit_status (*keygen_in)(uint8_t *, uint8_t *, const ecfit_rng *, void *);
    ecfit_status (*ecdh_in)(uint8_t *, const uint8_t *, const uint8_t *, const ecfit_rng *, void *);
    ecfit_status (*sign_in)(uint8_t *, const uint8_t *, const uint8_t *, size_t, const ecfit_rng *,
                            void *);
    ecfit_status (*verify_in)(const uint8_t *, const uint8_t *, const uint8_t *, size_t, void *);
} fuzz_curve;

/* A task is passed as void * here: each of these only names the type. */
#define FUZZ_WRAP(c, id, F, N) \
    static ecfit_status c##_keygen_start(void *t, const ecfit_rng *rng) \
    { \
        return ecfit_##c##_keygen_start(t, rng); \
    } \
    static ecfit_status c##_ecdh_start(void *t, const uint8_t *d, const uint8_t *q, \
                                       const ecfit_rng *rng) \
    { \
        return ecfit_##c##_ecdh_start(t, d, q, rng); \
    } \
    static ecfit_status c##_sign_start(void *t, const uint8_t *d, const uint8_t *h, size_t size, \
                                       const ecfit_rng *rng) \
    { \
        return ecfit_##c##_ecdsa_sign_start(t, d, h, size, rng); \
    } \
    static ecfit_status c##_verify_start(void *t, const uint8_t *s, const uint8_t *q, \
                                         const uint8_t *h, size_t size) \
    { \
        return ecfit_##c##_ecdsa_verify_start(t, s, q, h, size); \
    } \
    static ecfit_status c##_step(void *t, unsigned units) \
    { \
        return ecfit_##c##_step(t, units); \
    } \
    static void c##_abort(void *t) \
    { \
        ecfit_##c##_abort(t); \
    } \
    static ecfit_status c##_keygen_finish(uint8_t *q, uint8_t *d, void *t) \
    { \
        return ecfit_##c##_keygen_finish(q, d, t); \
    } \
    static ecfit_status c##_ecdh_finish(uint8_t *z, void *t) \
    { \
        return ecfit_##c##_ecdh_finish(z, t); \
    } \
    static ecfit_status c##_sign_finish(uint8_t *s, void *t) \
    { \
        return ecfit_##c##_ecdsa_sign_finish(s, t); \
    } \
    static ecfit_status c##_verify_finish(void *t) \
    { \
        return ecfit_##c##_ecdsa_verify_finish(t); \
    } \
    static ecfit_status c##_keygen_in(uint8_t *q, uint8_t *d, const ecfit_rng *rng, void *t) \
    { \
        return ecfit_##c##_keygen_in(q, d, rng, t); \
    } \
    static ecfit_status c##_ecdh_in(uint8_t *z, const uint8_t *d, const uint8_t *q, \
                                    const ecfit_rng *rng, void *t) \
    { \
        return ecfit_##c##_ecdh_in(z, d, q, rng, t); \
    } \
    static ecfit_status c##_sign_in(uint8_t *s, const uint8_t *d, const uint8_t *h, size_t size, \
                                    const ecfit_rng *rng, void *t) \
    { \
        return ecfit_##c##_ecdsa_sign_in(s, d, h, size, rng, t); \
    } \
    static ecfit_status c##_verify_in(const uint8_t *s, const uint8_t *q, const uint8_t *h, \
                                      size_t size, void *t) \
    { \
        return ecfit_##c##_ecdsa_verify_in(s, q, h, size, t); \
    }
FUZZ_CURVES(FUZZ_WRAP)

#define FUZZ_ROW(c, id, F, N) \
    {#c, \
     id, \
     F, \
     N, \
     sizeof(ecfit_##c##_task), \
     ecfit_##c##_keygen, \
     ecfit_##c##_public_key, \
     ecfit_##c##_ecdh, \
     ecfit_##c##_ecdsa_sign, \
     ecfit_##c##_ecdsa_verify, \
     ecfit_##c##_ecdsa_verify_hardened, \
     ecfit_##c##_compress, \
     ecfit_##c##_decompress, \
     ecfit_##c##_signature_to_der, \
     ecfit_##c##_signature_from_der, \
     c##_keygen_start, \
     c##_ecdh_start, \
     c##_sign_start, \
     c##_verify_start, \
     c##_step, \
     c##_abort, \
     c##_keygen_finish, \
     c##_ecdh_finish, \
     c##_sign_finish, \
     c##_verify_finish, \
     c##_keygen_in, \
     c##_ecdh_in, \
     c##_sign_in, \
     c##_verify_in},
static const fuzz_curve fuzz_curves[] = {FUZZ_CURVES(FUZZ_ROW)};

#define FUZZ_CHECK(c, holds) \
    do { \
        if (!(holds)) { \
            fprintf(stderr, "fuzz: %s:%d: %s: not so: %s\n", __FILE__, __LINE__, (c)->name, \
                    #holds); \
            abort(); \
        } \
    } while (0)

/* The input: bytes from its front, zeros where it ends. */
typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;

static inline uint8_t fuzz_byte(fuzz_input *in)
{
    if (in->size == 0) {
        return 0;
    }
    in->size--;
    return *in->data++;
}

static inline void fuzz_bytes(fuzz_input *in, uint8_t *out, size_t size)
{
    while (size-- > 0) {
        *out++ = fuzz_byte(in);
    }
}

static inline const fuzz_curve *fuzz_choose(fuzz_input *in)
{
    return &fuzz_curves[fuzz_byte(in) % (sizeof fuzz_curves / sizeof *fuzz_curves)];
}

/* Changes up to three bytes, where the input says so; often none. */
static inline void fuzz_damage(fuzz_input *in, uint8_t *bytes, size_t size)
{
    for (unsigned left = fuzz_byte(in) & 3; left > 0; left--) {
        size_t at = fuzz_byte(in) % size;
        bytes[at] ^= fuzz_byte(in);
    }
}

static inline int fuzz_zero(const uint8_t *bytes, size_t size)
{
    while (size > 0 && bytes[size - 1] == 0) {
        size--;
    }
    return size == 0;
}

/* A block of the heap with exactly these bytes,
 * so that the address sanitizer sees what lies beside. */
static inline uint8_t *fuzz_copy(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + (size == 0));
    if (copy == NULL) {
        abort();
    }
    if (size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

/* A generator that gives the rest of the input, then fails. */
static inline int fuzz_fill(void *context, uint8_t *out, size_t size)
{
    fuzz_input *in = context;
    if (in->size < size) {
        return -1;
    }
    fuzz_bytes(in, out, size);
    return 0;
}

/* ---- OpenSSL ---- */

static inline EC_KEY *fuzz_key(const fuzz_curve *c)
{
    static EC_KEY *keys[sizeof fuzz_curves / sizeof *fuzz_curves];
    EC_KEY **key = &keys[c - fuzz_curves];
    if (*key == NULL) {
        *key = EC_KEY_new_by_curve_name(c->nid);
    }
    FUZZ_CHECK(c, *key != NULL);
    return *key;
}

static inline const EC_GROUP *fuzz_group(const fuzz_curve *c)
{
    return EC_KEY_get0_group(fuzz_key(c));
}

/* The scalar, NULL when it is not in 1 .. n-1. */
static inline BIGNUM *fuzz_scalar(const fuzz_curve *c, const uint8_t *bytes)
{
    BIGNUM *k = BN_bin2bn(bytes, (int)c->n, NULL);
    if (BN_is_zero(k) || BN_cmp(k, EC_GROUP_get0_order(fuzz_group(c))) >= 0) {
        BN_free(k);
        return NULL;
    }
    return k;
}

/* The uncompressed point, NULL when these bytes are none. */
static inline EC_POINT *fuzz_point(const fuzz_curve *c, const uint8_t *bytes)
{
    EC_POINT *point = EC_POINT_new(fuzz_group(c));
    if (bytes[0] == 4 && EC_POINT_oct2point(fuzz_group(c), point, bytes, 1 + 2 * c->f, NULL) == 1) {
        return point;
    }
    EC_POINT_free(point);
    return NULL;
}

/* out = the uncompressed form of k P, or of k G where P is NULL. */
static inline void fuzz_multiply(const fuzz_curve *c, uint8_t *out, const BIGNUM *k,
                                 const EC_POINT *p)
{
    EC_POINT *r = EC_POINT_new(fuzz_group(c));
    FUZZ_CHECK(c, EC_POINT_mul(fuzz_group(c), r, p == NULL ? k : NULL, p, p == NULL ? NULL : k,
                               NULL) == 1);
    FUZZ_CHECK(c, EC_POINT_point2oct(fuzz_group(c), r, POINT_CONVERSION_UNCOMPRESSED, out,
                                     1 + 2 * c->f, NULL) == 1 + 2 * c->f);
    EC_POINT_free(r);
}

/* Whether the library takes a hash: 16 to 64 bytes, whose leftmost bits are not 0 modulo n.
 * OpenSSL has no such rule. */
static inline int fuzz_takes(const fuzz_curve *c, const uint8_t *hash, size_t hash_size)
{
    const BIGNUM *n = EC_GROUP_get0_order(fuzz_group(c));
    BIGNUM *e = BN_new();
    BN_CTX *context = BN_CTX_new();
    const int excess = 8 * (int)hash_size - BN_num_bits(n);
    int takes = hash_size >= ECFIT_HASH_MIN && hash_size <= ECFIT_HASH_MAX;
    if (takes) {
        (void)BN_bin2bn(hash, (int)hash_size, e);
        FUZZ_CHECK(c, (excess <= 0 || BN_rshift(e, e, excess) == 1) &&
                          BN_nnmod(e, e, n, context) == 1);
        takes = !BN_is_zero(e);
    }
    BN_CTX_free(context);
    BN_free(e);
    return takes;
}

/* What a verification must say. */
static inline ecfit_status fuzz_verdict(const fuzz_curve *c, const uint8_t *signature,
                                        const uint8_t *public_key, const uint8_t *hash,
                                        size_t hash_size)
{
    ecfit_status status = ECFIT_BAD_PUBLIC_KEY;
    const BIGNUM *n = EC_GROUP_get0_order(fuzz_group(c));
    EC_POINT *q = fuzz_point(c, public_key);
    if (q != NULL) {
        ECDSA_SIG *pair = ECDSA_SIG_new();
        BIGNUM *r = BN_bin2bn(signature, (int)c->n, NULL),
               *s = BN_bin2bn(signature + c->n, (int)c->n, NULL);
        FUZZ_CHECK(c,
                   ECDSA_SIG_set0(pair, r, s) == 1 && EC_KEY_set_public_key(fuzz_key(c), q) == 1);
        status = ECDSA_do_verify(hash, (int)hash_size, pair, fuzz_key(c)) == 1
                     ? ECFIT_OK
                     : ECFIT_BAD_SIGNATURE;
        if (!BN_is_zero(r) && BN_cmp(r, n) < 0 && !BN_is_zero(s) && BN_cmp(s, n) < 0 &&
            !fuzz_takes(c, hash, hash_size)) {
            status = ECFIT_BAD_HASH;
        }
        ECDSA_SIG_free(pair);
        EC_POINT_free(q);
    }
    return status;
}

#endif
