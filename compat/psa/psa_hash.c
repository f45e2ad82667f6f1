/* psa_hash.c - hashes of PSA Crypto 1.2 on ecfit, and nonces of RFC 6979 for psa_crypto.c */
#include "psa/crypto.h"

#include <string.h>

#include "psa_internal.h"

void ecfit_psa_clear(void *out, size_t size)
{
    volatile uint8_t *bytes = out;
    while (size-- > 0)
        bytes[size] = 0;
}

#if defined(ECFIT_SHA256_IS_NONE) || defined(ECFIT_SHA256_IS_CALLER)
#define HAS_SHA256 0
#define CASE_SHA256(verb, arguments)
#else
#define HAS_SHA256 1
#define CASE_SHA256(verb, arguments) \
    case PSA_ALG_SHA_256: \
        ecfit_sha256_##verb arguments; \
        break;
#endif
#if defined(ECFIT_SHA512_IS_NONE) || defined(ECFIT_SHA512_IS_CALLER)
#define HAS_SHA512 0
#define CASES_SHA512(verb, arguments)
#else
#define HAS_SHA512 1
#define CASES_SHA512(verb, arguments) \
    case PSA_ALG_SHA_384: ecfit_sha384_##verb arguments; break; \
    case PSA_ALG_SHA_512: \
        ecfit_sha512_##verb arguments; \
        break;
#endif

/* Bytes of a hash that the configuration has; 0 of others. */
static size_t hash_bytes(psa_algorithm_t alg)
{
    if (HAS_SHA256 && alg == PSA_ALG_SHA_256)
        return 32;
    return HAS_SHA512 && alg == PSA_ALG_SHA_384   ? 48
           : HAS_SHA512 && alg == PSA_ALG_SHA_512 ? 64
                                                  : 0;
}

/* These three want a hash that hash_bytes() knows. */
static void hash_start(psa_hash_operation_t *o, psa_algorithm_t alg)
{
    o->algorithm = alg;
    switch (alg) {
        CASE_SHA256(start, (&o->context.sha256))
        CASES_SHA512(start, (&o->context.sha512))
    default: break;
    }
}

static void hash_update(psa_hash_operation_t *o, const uint8_t *data, size_t size)
{
    switch (o->algorithm) {
        CASE_SHA256(update, (&o->context.sha256, data, size))
        CASES_SHA512(update, (&o->context.sha512, data, size))
    default: break;
    }
}

static void hash_finish(psa_hash_operation_t *o, uint8_t *hash)
{
    switch (o->algorithm) {
        CASE_SHA256(finish, (hash, &o->context.sha256))
        CASES_SHA512(finish, (hash, &o->context.sha512))
    default: break;
    }
    o->algorithm = PSA_ALG_NONE;
}

psa_status_t psa_hash_abort(psa_hash_operation_t *operation)
{
    ecfit_psa_clear(operation, sizeof *operation);
    return PSA_SUCCESS;
}

/* Ends an operation that went wrong. */
static psa_status_t give_up(psa_hash_operation_t *o, psa_status_t status)
{
    (void)psa_hash_abort(o);
    return status;
}

psa_status_t psa_hash_setup(psa_hash_operation_t *operation, psa_algorithm_t alg)
{
    if (operation->algorithm != PSA_ALG_NONE)
        return give_up(operation, PSA_ERROR_BAD_STATE);
    if (hash_bytes(alg) == 0)
        return PSA_ALG_IS_HASH(alg) ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
    hash_start(operation, alg);
    return PSA_SUCCESS;
}

psa_status_t psa_hash_update(psa_hash_operation_t *operation, const uint8_t *input,
                             size_t input_length)
{
    if (hash_bytes(operation->algorithm) == 0)
        return give_up(operation, PSA_ERROR_BAD_STATE);
    hash_update(operation, input, input_length);
    return PSA_SUCCESS;
}

psa_status_t psa_hash_finish(psa_hash_operation_t *operation, uint8_t *hash, size_t hash_size,
                             size_t *hash_length)
{
    const size_t size = hash_bytes(operation->algorithm);
    *hash_length = 0;
    if (size == 0 || hash_size < size)
        return give_up(operation, size == 0 ? PSA_ERROR_BAD_STATE : PSA_ERROR_BUFFER_TOO_SMALL);
    hash_finish(operation, hash);
    *hash_length = size;
    return PSA_SUCCESS;
}

psa_status_t psa_hash_verify(psa_hash_operation_t *operation, const uint8_t *hash,
                             size_t hash_length)
{
    uint8_t found[PSA_HASH_MAX_SIZE], differ = 0;
    size_t size;
    TRY(psa_hash_finish(operation, found, sizeof found, &size))
    for (size_t i = 0; size == hash_length && i < size; i++)
        differ |= (uint8_t)(found[i] ^ hash[i]);
    return size == hash_length && differ == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t psa_hash_clone(const psa_hash_operation_t *source_operation,
                            psa_hash_operation_t *target_operation)
{
    if (hash_bytes(source_operation->algorithm) == 0 || target_operation->algorithm != PSA_ALG_NONE)
        return give_up(target_operation, PSA_ERROR_BAD_STATE);
    *target_operation = *source_operation;
    return PSA_SUCCESS;
}

psa_status_t psa_hash_compute(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              uint8_t *hash, size_t hash_size, size_t *hash_length)
{
    psa_hash_operation_t o = PSA_HASH_OPERATION_INIT;
    *hash_length = 0;
    TRY(psa_hash_setup(&o, alg))
    hash_update(&o, input, input_length);
    return psa_hash_finish(&o, hash, hash_size, hash_length);
}

psa_status_t psa_hash_compare(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              const uint8_t *hash, size_t hash_length)
{
    psa_hash_operation_t o = PSA_HASH_OPERATION_INIT;
    TRY(psa_hash_setup(&o, alg))
    hash_update(&o, input, input_length);
    return psa_hash_verify(&o, hash, hash_length);
}

/* ---- deterministic nonces: RFC 6979, 3.2, with HMAC of RFC 2104 ------------------------------ */

/* Begins one of HMAC's two hashes, with its key K. */
static void mac_key(struct ecfit_psa_nonces *s, uint8_t pad)
{
    hash_start(&s->hash, s->alg);
    for (size_t i = 0; i < PSA_HASH_BLOCK_LENGTH(s->alg); i++) {
        const uint8_t byte = (uint8_t)(i < s->size ? s->k[i] ^ pad : pad);
        hash_update(&s->hash, &byte, 1);
    }
}

static void mac_start(struct ecfit_psa_nonces *s)
{
    mac_key(s, 0x36);
    hash_update(&s->hash, s->v, s->size);
}

static void mac_finish(struct ecfit_psa_nonces *s, uint8_t *out)
{
    uint8_t inner[PSA_HASH_MAX_SIZE];
    hash_finish(&s->hash, inner);
    mac_key(s, 0x5c);
    hash_update(&s->hash, inner, s->size);
    hash_finish(&s->hash, out);
    ecfit_psa_clear(inner, sizeof inner);
}

/* V = HMAC_K(V) */
static void next_v(struct ecfit_psa_nonces *s)
{
    mac_start(s);
    mac_finish(s, s->v);
}

/* K = HMAC_K(V || step || key || z), and the next V. */
static void next_k(struct ecfit_psa_nonces *s, uint8_t step, const uint8_t *key, const uint8_t *z)
{
    mac_start(s);
    hash_update(&s->hash, &step, 1);
    if (key != NULL) {
        hash_update(&s->hash, key, s->bytes);
        hash_update(&s->hash, z, s->bytes);
    }
    mac_finish(s, s->k);
    next_v(s);
}

/* z = bits2octets of the hash: its leftmost bits, modulo the order.   CT: no, public data */
static void to_octets(uint8_t *z, const struct ecfit_psa_nonces *s, const uint8_t *order,
                      const uint8_t *hash)
{
    const size_t lead = s->bytes > s->size ? (size_t)(s->bytes - s->size) : 0;
    uint8_t difference[ECFIT_PSA_SCALAR_MAX];
    unsigned borrow = 0;
    memset(z, 0, lead);
    memcpy(z + lead, hash, s->bytes - lead); /* an order of spare bits is longer than all hashes */
    for (size_t i = s->bytes; i-- > 0;) {
        const unsigned d = 0x100u + z[i] - order[i] - borrow;
        difference[i] = (uint8_t)d;
        borrow = 1 - (d >> 8);
    }
    if (borrow == 0) /* it was below twice the order */
        memcpy(z, difference, s->bytes);
}

psa_status_t ecfit_psa_nonces_start(struct ecfit_psa_nonces *s, const uint8_t *order,
                                    const uint8_t *key, const uint8_t *hash)
{
    uint8_t z[ECFIT_PSA_SCALAR_MAX];
    s->size = (uint8_t)hash_bytes(s->alg);
    if (s->size == 0)
        return PSA_ERROR_NOT_SUPPORTED;
    s->begun = 0;
    memset(s->k, 0, sizeof s->k);
    memset(s->v, 1, sizeof s->v);
    to_octets(z, s, order, hash);
    next_k(s, 0, key, z);
    next_k(s, 1, key, z);
    return PSA_SUCCESS;
}

int ecfit_psa_nonces_fill(void *context, uint8_t *out, size_t size)
{
    struct ecfit_psa_nonces *s = context;
    if (s->begun)
        next_k(s, 0, NULL, NULL);
    s->begun = 1;
    for (size_t at = 0; at < size; at += s->size) {
        next_v(s);
        memcpy(out + at, s->v, size - at < s->size ? size - at : s->size);
    }
    for (uint8_t bits = s->spare; bits > 0; bits--) { /* bits2int: the leftmost ones */
        for (size_t i = size - 1; i > 0; i--)
            out[i] = (uint8_t)(out[i] >> 1 | out[i - 1] << 7);
        out[0] >>= 1;
    }
    return 0;
}
