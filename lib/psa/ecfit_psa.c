/* ecfit_psa.c - a transparent driver of PSA Crypto (ecfit_psa.h): a table of curves, and for each
 * entry point what PSA has in other forms than the library.
 *
 * Each entry point checks type, usage, algorithm and lengths itself, because PSA's core does not
 * check all of it, and a program may call the driver without the core. Lengths do not tell keys
 * apart: a public key of X25519 is as long as a private one. */
#include "ecfit_psa.h"

#include <string.h>

#include "ecfit.h"
#include "ecfit_config.h"
#include "ecfit_psa_orders.h"

#define MOST_FIELD 66
#define MOST_POINT (1 + 2 * MOST_FIELD)
#define MOST_DRAWS 64 /* of a private key: each is good with a chance of a half or more */

typedef struct {
    psa_ecc_family_t family;
    uint16_t bits;
    uint8_t bytes;        /* of a field element and of a scalar */
    uint8_t top;          /* mask of a scalar's first byte */
    uint8_t draws_nonces; /* whether signing draws its nonce, and nothing else, from `rng` */
    const uint8_t *order; /* NULL: a Montgomery curve, whose scalars need no check */
    ecfit_status (*public_key)(uint8_t *point, const uint8_t *key, const ecfit_rng *rng);
    ecfit_status (*ecdh)(uint8_t *secret, const uint8_t *key, const uint8_t *point,
                         const ecfit_rng *rng);
    ecfit_status (*check)(const uint8_t *point);
    ecfit_status (*sign)(uint8_t *signature, const uint8_t *key, const uint8_t *hash, size_t size,
                         const ecfit_rng *rng);
    ecfit_status (*verify)(const uint8_t *signature, const uint8_t *point, const uint8_t *hash,
                           size_t size);
} curve;

/* A table of pointers keeps what it names. So it names what the configuration of PSA wants: an
 * image that verifies has no signing, and one that agrees on keys has no signatures. The other
 * pointers are NULL. */
#if defined(PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC)
#define PAIRS(function) function
#else
#define PAIRS(function) NULL
#endif
#if defined(PSA_WANT_ALG_ECDH)
#define AGREES(function) PAIRS(function)
#else
#define AGREES(function) NULL
#endif
#if defined(PSA_WANT_ALG_ECDSA) || defined(PSA_WANT_ALG_DETERMINISTIC_ECDSA)
#define SIGNS(function) PAIRS(function)
#define VERIFIES(function) function
#else
#define SIGNS(function) NULL
#define VERIFIES(function) NULL
#endif
#define WEIERSTRASS(name, its_family, its_bits, its_bytes, its_top) \
    { \
        PSA_ECC_FAMILY_##its_family, its_bits, its_bytes, its_top, ECFIT_PSA_NONCES_##name, \
            ecfit_psa_order_##name, PAIRS(ecfit_##name##_public_key), AGREES(ecfit_##name##_ecdh), \
            ecfit_##name##_public_key_check, SIGNS(ecfit_##name##_ecdsa_sign), \
            VERIFIES(ecfit_##name##_ecdsa_verify) \
    }

#if ECFIT_CURVE_X25519_ENABLED && defined(PSA_WANT_ECC_MONTGOMERY_255)
#if defined(PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC)
static ecfit_status x25519_public_key(uint8_t *point, const uint8_t *key, const ecfit_rng *rng)
{
    (void)rng;
    return ecfit_x25519_public_key(point, key);
}
#if defined(PSA_WANT_ALG_ECDH)
static ecfit_status x25519(uint8_t *secret, const uint8_t *key, const uint8_t *point,
                           const ecfit_rng *rng)
{
    (void)rng;
    return ecfit_x25519(secret, key, point);
}
#endif
#endif
#endif

static const curve curves[] = {
#if ECFIT_CURVE_SECP256R1_ENABLED && defined(PSA_WANT_ECC_SECP_R1_256)
    WEIERSTRASS(secp256r1, SECP_R1, 256, 32, 0xFF),
#endif
#if ECFIT_CURVE_SECP384R1_ENABLED && defined(PSA_WANT_ECC_SECP_R1_384)
    WEIERSTRASS(secp384r1, SECP_R1, 384, 48, 0xFF),
#endif
#if ECFIT_CURVE_SECP521R1_ENABLED && defined(PSA_WANT_ECC_SECP_R1_521)
    WEIERSTRASS(secp521r1, SECP_R1, 521, 66, 0x01),
#endif
#if ECFIT_CURVE_SECP256K1_ENABLED && defined(PSA_WANT_ECC_SECP_K1_256)
    WEIERSTRASS(secp256k1, SECP_K1, 256, 32, 0xFF),
#endif
#if ECFIT_CURVE_BRAINPOOLP256R1_ENABLED && defined(PSA_WANT_ECC_BRAINPOOL_P_R1_256)
    WEIERSTRASS(brainpoolP256r1, BRAINPOOL_P_R1, 256, 32, 0xFF),
#endif
#if ECFIT_CURVE_BRAINPOOLP384R1_ENABLED && defined(PSA_WANT_ECC_BRAINPOOL_P_R1_384)
    WEIERSTRASS(brainpoolP384r1, BRAINPOOL_P_R1, 384, 48, 0xFF),
#endif
#if ECFIT_CURVE_BRAINPOOLP512R1_ENABLED && defined(PSA_WANT_ECC_BRAINPOOL_P_R1_512)
    WEIERSTRASS(brainpoolP512r1, BRAINPOOL_P_R1, 512, 64, 0xFF),
#endif
#if ECFIT_CURVE_X25519_ENABLED && defined(PSA_WANT_ECC_MONTGOMERY_255)
    {PSA_ECC_FAMILY_MONTGOMERY, 255, 32, 0xFF, 0, NULL, PAIRS(x25519_public_key), AGREES(x25519),
     NULL, NULL, NULL},
#endif
};

/* The curve of a key of that type and size, or NULL. With bits 0, the first one for which `length`
 * is right. */
static const curve *find(psa_key_type_t type, size_t bits, size_t length)
{
    const psa_ecc_family_t family = PSA_KEY_TYPE_ECC_GET_FAMILY(type);
    for (size_t i = 0; PSA_KEY_TYPE_IS_ECC(type) && i < sizeof curves / sizeof *curves; i++) {
        const curve *c = &curves[i];
        const size_t point = c->order == NULL ? c->bytes : 1u + 2u * c->bytes;
        const size_t right = PSA_KEY_TYPE_IS_PUBLIC_KEY(type) ? point : c->bytes;
        if (c->family == family && (bits == c->bits || (bits == 0 && length == right)))
            return c;
    }
    return NULL;
}

static const curve *of(const psa_key_attributes_t *attributes)
{
    const size_t bits = psa_get_key_bits(attributes);
    return bits == 0 ? NULL : find(psa_get_key_type(attributes), bits, 0);
}

static size_t point_bytes(const curve *c)
{
    return c->order == NULL ? c->bytes : 1u + 2u * c->bytes;
}

static int is_pair(const psa_key_attributes_t *attributes)
{
    return PSA_KEY_TYPE_IS_KEY_PAIR(psa_get_key_type(attributes));
}

/* Whether a key may be used for one of `usages`. */
static int is_for(const psa_key_attributes_t *attributes, psa_key_usage_t usages)
{
    return (psa_get_key_usage_flags(attributes) & usages) != 0;
}

/* Whether a hash has the length that the algorithm says: PSA_ALG_ECDSA_ANY says none. */
static int is_hash(psa_algorithm_t algorithm, size_t length)
{
    return algorithm == PSA_ALG_ECDSA_ANY || length == PSA_HASH_LENGTH(algorithm);
}

static int fill(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return psa_generate_random(out, size) == PSA_SUCCESS ? 0 : -1;
}

static const ecfit_rng rng = {fill, NULL};

static psa_status_t to_psa(ecfit_status status)
{
    switch (status) {
    case ECFIT_OK: return PSA_SUCCESS;
    case ECFIT_BAD_PRIVATE_KEY:
    case ECFIT_BAD_PUBLIC_KEY:
    case ECFIT_BAD_HASH: return PSA_ERROR_INVALID_ARGUMENT;
    case ECFIT_BAD_SIGNATURE: return PSA_ERROR_INVALID_SIGNATURE;
    case ECFIT_RNG_FAILED: return PSA_ERROR_INSUFFICIENT_ENTROPY;
    default: return PSA_ERROR_GENERIC_ERROR;
    }
}

/* Whether 1 <= key <= n - 1. CT: the key; the answer is public. */
static int in_range(const curve *c, const uint8_t *key)
{
    uint32_t borrow = 0;
    uint32_t any = 0;
    for (size_t i = c->bytes; i-- > 0;) {
        borrow = (key[i] - (uint32_t)c->order[i] - borrow) >> 31;
        any |= key[i];
    }
    return (int)(borrow & ((any + 0xFF) >> 8));
}

static void clamp(uint8_t *key)
{
    key[0] &= 0xF8;
    key[31] = (uint8_t)((key[31] & 0x7F) | 0x40);
}

psa_status_t ecfit_transparent_generate_key(const psa_key_attributes_t *attributes, uint8_t *key,
                                            size_t size, size_t *length)
{
    const curve *c = of(attributes);
    psa_status_t status = PSA_SUCCESS;
    if (c == NULL)
        return PSA_ERROR_NOT_SUPPORTED; /* and *length stays: the core has the size there */
    *length = 0;
    if (!is_pair(attributes))
        return PSA_ERROR_INVALID_ARGUMENT;
    if (size < c->bytes)
        return PSA_ERROR_BUFFER_TOO_SMALL;
    for (int draw = 0; status == PSA_SUCCESS && draw < MOST_DRAWS; draw++) {
        status = psa_generate_random(key, c->bytes);
        key[0] &= c->top;
        if (c->order == NULL)
            clamp(key);
        if (status == PSA_SUCCESS && (c->order == NULL || in_range(c, key))) {
            *length = c->bytes;
            return PSA_SUCCESS;
        }
    }
    memset(key, 0, c->bytes);
    return status == PSA_SUCCESS ? PSA_ERROR_INSUFFICIENT_ENTROPY : status;
}

psa_status_t ecfit_transparent_import_key(const psa_key_attributes_t *attributes,
                                          const uint8_t *data, size_t data_length, uint8_t *key,
                                          size_t size, size_t *length, size_t *bits)
{
    const psa_key_type_t type = psa_get_key_type(attributes);
    const curve *c = find(type, *bits, data_length);
    if (c == NULL && find(type, 0, data_length) == NULL)
        return PSA_ERROR_NOT_SUPPORTED;
    *length = 0;
    if (c == NULL) /* bits that contradict the length of a key of ours */
        return PSA_ERROR_INVALID_ARGUMENT;
    const int is_public = PSA_KEY_TYPE_IS_PUBLIC_KEY(type);
    if (data_length != (is_public ? point_bytes(c) : c->bytes))
        return PSA_ERROR_INVALID_ARGUMENT;
    if (is_public && c->check != NULL && c->check(data) != ECFIT_OK)
        return PSA_ERROR_INVALID_ARGUMENT;
    if (!is_public && c->order != NULL && !in_range(c, data))
        return PSA_ERROR_INVALID_ARGUMENT;
    if (size < data_length)
        return PSA_ERROR_BUFFER_TOO_SMALL;
    memcpy(key, data, data_length);
    if (!is_public && c->order == NULL)
        clamp(key);
    *length = data_length;
    *bits = c->bits;
    return PSA_SUCCESS;
}

psa_status_t ecfit_transparent_export_public_key(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key, size_t key_size, uint8_t *data,
                                                 size_t size, size_t *length)
{
    const curve *c = of(attributes);
    if (c == NULL || c->public_key == NULL || !is_pair(attributes))
        return PSA_ERROR_NOT_SUPPORTED; /* a public key is there already: the core copies it */
    *length = 0;
    if (key_size != c->bytes)
        return PSA_ERROR_INVALID_ARGUMENT;
    if (size < point_bytes(c))
        return PSA_ERROR_BUFFER_TOO_SMALL;
    const psa_status_t status = to_psa(c->public_key(data, key, &rng));
    if (status == PSA_SUCCESS)
        *length = point_bytes(c);
    return status;
}

psa_status_t ecfit_transparent_key_agreement(const psa_key_attributes_t *attributes,
                                             const uint8_t *key, size_t key_size,
                                             psa_algorithm_t algorithm, const uint8_t *peer,
                                             size_t peer_length, uint8_t *secret, size_t size,
                                             size_t *length)
{
    const curve *c = of(attributes);
    if (c == NULL || c->ecdh == NULL || algorithm != PSA_ALG_ECDH)
        return PSA_ERROR_NOT_SUPPORTED;
    *length = 0;
    if (!is_pair(attributes))
        return PSA_ERROR_INVALID_ARGUMENT;
    if (!is_for(attributes, PSA_KEY_USAGE_DERIVE))
        return PSA_ERROR_NOT_PERMITTED;
    if (key_size != c->bytes || peer_length != point_bytes(c))
        return PSA_ERROR_INVALID_ARGUMENT;
    if (size < c->bytes)
        return PSA_ERROR_BUFFER_TOO_SMALL;
    const psa_status_t status = to_psa(c->ecdh(secret, key, peer, &rng));
    if (status == PSA_SUCCESS)
        *length = c->bytes;
    return status;
}

#if defined(PSA_WANT_ALG_DETERMINISTIC_ECDSA)
/* Nonces of RFC 6979, 3.2, with the hash of the algorithm, which the core computes. They come to
 * the library as what its generator draws, so that there is one way to sign. */
typedef struct {
    psa_algorithm_t hash;
    psa_status_t status; /* of the last hash: after an error, no nonce is given out */
    uint8_t size;        /* bytes of a hash */
    uint8_t bytes;       /* of a scalar */
    uint8_t spare;       /* bits above the order in the first of them */
    uint8_t begun;       /* whether a nonce was given out: before the next, K and V change */
    uint8_t k[PSA_HASH_MAX_SIZE];
    uint8_t v[PSA_HASH_MAX_SIZE];
} nonces;

static void clear(void *out, size_t size)
{
    volatile uint8_t *bytes = out;
    while (size-- > 0)
        bytes[size] = 0;
}

/* out = HMAC_K(V || step || key || z) of RFC 2104; a step below 0 and a key that is NULL leave
 * themselves and what follows out.   CT: K, V and key */
static void mac(nonces *s, uint8_t *out, int step, const uint8_t *key, const uint8_t *z)
{
    const size_t block_size = PSA_HASH_BLOCK_LENGTH(s->hash);
    const uint8_t byte = (uint8_t)step;
    uint8_t block[PSA_HMAC_MAX_HASH_BLOCK_SIZE];
    uint8_t inner[PSA_HASH_MAX_SIZE];
    for (int outer = 0; outer < 2 && s->status == PSA_SUCCESS; outer++) {
        psa_hash_operation_t o = PSA_HASH_OPERATION_INIT;
        const struct {
            const uint8_t *data;
            size_t size;
        } parts[] = {{block, block_size},
                     {outer ? inner : s->v, s->size},
                     {&byte, !outer && step >= 0 ? 1 : 0},
                     {key, !outer && key != NULL ? s->bytes : 0},
                     {z, !outer && key != NULL ? s->bytes : 0}};
        size_t length;
        for (size_t i = 0; i < block_size; i++)
            block[i] = (uint8_t)((i < s->size ? s->k[i] : 0) ^ (outer ? 0x5c : 0x36));
        s->status = psa_hash_setup(&o, s->hash);
        for (size_t i = 0; i < sizeof parts / sizeof *parts && s->status == PSA_SUCCESS; i++) {
            if (parts[i].size > 0)
                s->status = psa_hash_update(&o, parts[i].data, parts[i].size);
        }
        if (s->status == PSA_SUCCESS)
            s->status = psa_hash_finish(&o, inner, sizeof inner, &length);
        else
            (void)psa_hash_abort(&o);
    }
    if (s->status == PSA_SUCCESS)
        memcpy(out, inner, s->size);
    clear(block, sizeof block);
    clear(inner, sizeof inner);
}

/* K = HMAC_K(V || step || key || z), and the next V. */
static void next_k(nonces *s, int step, const uint8_t *key, const uint8_t *z)
{
    mac(s, s->k, step, key, z);
    mac(s, s->v, -1, NULL, NULL);
}

/* z = bits2octets of a hash: its leftmost bits, modulo the order.   CT: no, public data */
static void to_octets(uint8_t *z, const curve *c, const uint8_t *hash, size_t size)
{
    const size_t lead = c->bytes > size ? c->bytes - size : 0;
    uint8_t difference[MOST_FIELD];
    unsigned borrow = 0;
    memset(z, 0, lead);
    memcpy(z + lead, hash, c->bytes - lead); /* an order of spare bits is longer than all hashes */
    for (size_t i = c->bytes; i-- > 0;) {
        const unsigned d = 0x100u + z[i] - c->order[i] - borrow;
        difference[i] = (uint8_t)d;
        borrow = 1 - (d >> 8);
    }
    if (borrow == 0) /* it was below twice the order */
        memcpy(z, difference, c->bytes);
}

/* The next nonce, as fill() of an ecfit_rng. */
static int next_nonce(void *context, uint8_t *out, size_t size)
{
    nonces *s = context;
    if (s->begun)
        next_k(s, 0, NULL, NULL);
    s->begun = 1;
    for (size_t at = 0; at < size; at += s->size) {
        mac(s, s->v, -1, NULL, NULL);
        memcpy(out + at, s->v, size - at < s->size ? size - at : s->size);
    }
    for (uint8_t bits = s->spare; bits > 0; bits--) { /* bits2int: the leftmost ones */
        for (size_t i = size - 1; i > 0; i--)
            out[i] = (uint8_t)(out[i] >> 1 | out[i - 1] << 7);
        out[0] >>= 1;
    }
    return s->status == PSA_SUCCESS ? 0 : -1;
}

static psa_status_t sign_deterministic(const curve *c, const uint8_t *key,
                                       psa_algorithm_t algorithm, const uint8_t *hash,
                                       size_t hash_length, uint8_t *signature)
{
    uint8_t z[MOST_FIELD];
    nonces s = {.hash = PSA_ALG_SIGN_GET_HASH(algorithm), .size = (uint8_t)hash_length};
    const ecfit_rng generator = {next_nonce, &s};
    s.bytes = c->bytes;
    s.spare = (uint8_t)(8u * c->bytes - c->bits);
    memset(s.v, 1, sizeof s.v);
    to_octets(z, c, hash, hash_length);
    next_k(&s, 0, key, z);
    next_k(&s, 1, key, z);
    psa_status_t status = s.status;
    if (status == PSA_SUCCESS)
        status = to_psa(c->sign(signature, key, hash, hash_length, &generator));
    if (s.status != PSA_SUCCESS)
        status = s.status; /* the hash, not the generator, failed */
    clear(&s, sizeof s);
    return status;
}
#endif

/* Whether a signature with that algorithm can be made. */
static int can_sign(const curve *c, psa_algorithm_t algorithm)
{
#if defined(PSA_WANT_ALG_DETERMINISTIC_ECDSA)
    if (PSA_ALG_IS_DETERMINISTIC_ECDSA(algorithm))
        return c->order == NULL || c->draws_nonces;
#endif
    return PSA_ALG_IS_RANDOMIZED_ECDSA(algorithm) && (c->order == NULL || c->sign != NULL);
}

psa_status_t ecfit_transparent_sign_hash(const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_size, psa_algorithm_t algorithm,
                                         const uint8_t *hash, size_t hash_length,
                                         uint8_t *signature, size_t size, size_t *length)
{
    const curve *c = of(attributes);
    if (c == NULL || !can_sign(c, algorithm))
        return PSA_ERROR_NOT_SUPPORTED;
    *length = 0;
    if (c->sign == NULL || !is_pair(attributes))
        return PSA_ERROR_INVALID_ARGUMENT;
    if (!is_for(attributes, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE))
        return PSA_ERROR_NOT_PERMITTED;
    if (key_size != c->bytes || !is_hash(algorithm, hash_length))
        return PSA_ERROR_INVALID_ARGUMENT;
    if (size < 2u * c->bytes)
        return PSA_ERROR_BUFFER_TOO_SMALL;
    psa_status_t status;
#if defined(PSA_WANT_ALG_DETERMINISTIC_ECDSA)
    if (PSA_ALG_IS_DETERMINISTIC_ECDSA(algorithm))
        status = sign_deterministic(c, key, algorithm, hash, hash_length, signature);
    else
#endif
        status = to_psa(c->sign(signature, key, hash, hash_length, &rng));
    if (status == PSA_SUCCESS)
        *length = 2u * c->bytes;
    return status;
}

psa_status_t ecfit_transparent_verify_hash(const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_size,
                                           psa_algorithm_t algorithm, const uint8_t *hash,
                                           size_t hash_length, const uint8_t *signature,
                                           size_t length)
{
    const curve *c = of(attributes);
    if (c == NULL || !PSA_ALG_IS_ECDSA(algorithm) || (c->order != NULL && c->verify == NULL) ||
        (is_pair(attributes) && c->public_key == NULL))
        return PSA_ERROR_NOT_SUPPORTED;
    if (c->verify == NULL)
        return PSA_ERROR_INVALID_ARGUMENT;
    if (!is_for(attributes, PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE))
        return PSA_ERROR_NOT_PERMITTED;
    if (key_size != (is_pair(attributes) ? c->bytes : point_bytes(c)) ||
        !is_hash(algorithm, hash_length))
        return PSA_ERROR_INVALID_ARGUMENT;
    if (length != 2u * c->bytes)
        return PSA_ERROR_INVALID_SIGNATURE;
    if (!is_pair(attributes))
        return to_psa(c->verify(signature, key, hash, hash_length));
    uint8_t point[MOST_POINT];
    const ecfit_status status = c->public_key(point, key, &rng);
    return to_psa(status == ECFIT_OK ? c->verify(signature, point, hash, hash_length) : status);
}
