/* psa_crypto.c - elliptic curves and random numbers of PSA Crypto 1.2, on ecfit
 *
 * Private keys pass from their slots to the library as bytes: nothing here branches on them.
 * A nonce of deterministic ECDSA comes to the library as what its generator draws
 * (NONCE = random), so there is one way to sign.
 * An operation that the configuration leaves out is an undefined symbol of ecfit if it is called.
 */
#include "psa/crypto.h"

#include <string.h>

#include "psa_curves.h"
#include "psa_internal.h"

struct slot {
    psa_key_attributes_t attributes; /* id 0: free */
    const curve *curve;
    uint8_t data[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
};

static struct slot slots[ECFIT_PSA_KEY_SLOTS];
#if defined(ECFIT_PSA_ITS)
static struct slot loaded; /* a persistent key, while one function needs it */
#define IS_PERSISTENT(attributes) ((attributes)->lifetime == PSA_KEY_LIFETIME_PERSISTENT)
#define IS_STORED(id) ((id)-PSA_KEY_ID_USER_MIN < PSA_KEY_ID_USER_MAX)
#else
#define IS_PERSISTENT(attributes) 0
#endif
static psa_key_id_t last_id;
static uint8_t is_ready;
static const ecfit_rng rng = {ecfit_psa_random, NULL};

static psa_status_t to_psa(ecfit_status status)
{
    switch (status) {
    case ECFIT_OK: return PSA_SUCCESS;
    case ECFIT_BAD_SIGNATURE: return PSA_ERROR_INVALID_SIGNATURE;
    case ECFIT_RNG_FAILED: return PSA_ERROR_INSUFFICIENT_ENTROPY;
    case ECFIT_FAULT: return PSA_ERROR_CORRUPTION_DETECTED;
    case NO_CURVE: return PSA_ERROR_NOT_SUPPORTED;
    default: return PSA_ERROR_INVALID_ARGUMENT;
    }
}

psa_status_t psa_crypto_init(void)
{
    is_ready = 1;
    return PSA_SUCCESS;
}

psa_status_t psa_generate_random(uint8_t *output, size_t output_size)
{
    if (!is_ready)
        return PSA_ERROR_BAD_STATE;
    return output_size == 0 || ecfit_psa_random(NULL, output, output_size) == 0
               ? PSA_SUCCESS
               : PSA_ERROR_INSUFFICIENT_ENTROPY;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static int is_pair(const struct slot *slot)
{
    return PSA_KEY_TYPE_IS_KEY_PAIR(slot->attributes.type);
}

/* The slot with that identifier, which is 0 of a free one; or NULL. */
static struct slot *by_id(psa_key_id_t id)
{
    for (struct slot *slot = slots; slot < slots + ECFIT_PSA_KEY_SLOTS; slot++) {
        if (slot->attributes.id == id)
            return slot;
    }
    return NULL;
}

/* Ends a function that used a key: of a persistent one, nothing stays in RAM. */
static psa_status_t ended(psa_status_t status)
{
#if defined(ECFIT_PSA_ITS)
    ecfit_psa_clear(&loaded, sizeof loaded);
#endif
    return status;
}

/* The curve of a key: as its bits say or, where they are 0, its length; NULL: none that is here. */
static const curve *curve_of(const psa_key_attributes_t *attributes, size_t bytes)
{
    const psa_key_type_t type = attributes->type;
    const curve *found = NULL;
    for (const curve *c = curves; c < curves + sizeof curves / sizeof *curves; c++) {
        const size_t right = PSA_KEY_TYPE_IS_PUBLIC_KEY(type) ? point_bytes(c) : c->bytes;
        if (PSA_KEY_TYPE_ECC_GET_FAMILY(type) == c->family &&
            (attributes->bits == 0 ? bytes == right : attributes->bits == c->bits))
            found = c;
    }
    return found;
}

/* Whether 1 <= key < order.   CT: the key; the answer is public */
static int in_range(const curve *c, const uint8_t *key)
{
    uint32_t borrow = 0, any = 0;
    for (size_t i = c->bytes; i-- > 0;) {
        borrow = (key[i] - (uint32_t)c->order[i] - borrow) >> 31;
        any |= key[i];
    }
    borrow &= (any + 0xff) >> 8;
    ECFIT_DECLASSIFY(borrow);
    return (int)borrow;
}

/* Whether these bytes are a valid key for a slot.   CT: a private key; the answer is public */
static ecfit_status check(const struct slot *slot, const uint8_t *key)
{
    ecfit_status status = ECFIT_OK;
    if (is_pair(slot) && slot->curve->order != NULL && !in_range(slot->curve, key))
        status = ECFIT_BAD_PRIVATE_KEY;
    if (!is_pair(slot)) {
        switch (slot->curve->id) {
            WEIERSTRASS(CASE_OF, public_key_check, key)
        default:; /* keys of RFC 7748; those of RFC 8032 are checked with each signature */
        }
    }
    return status;
}

#if defined(ECFIT_PSA_ITS)
/* Reads a persistent key into its slot, and checks it as if it came from outside. */
static psa_status_t load(psa_key_id_t key)
{
    const psa_key_attributes_t *attributes = &loaded.attributes;
    size_t size;
    TRY(ecfit_psa_load(&loaded.attributes, loaded.data, sizeof loaded.data, &size, key))
    loaded.curve = curve_of(attributes, size);
    if (attributes->id != key || !IS_PERSISTENT(attributes) ||
        (attributes->usage & ~ECFIT_PSA_KEY_USAGES) != 0 || !PSA_KEY_TYPE_IS_ECC(attributes->type))
        return PSA_ERROR_DATA_INVALID;
    if (loaded.curve == NULL || attributes->bits != loaded.curve->bits ||
        size != (is_pair(&loaded) ? loaded.curve->bytes : point_bytes(loaded.curve)))
        return PSA_ERROR_DATA_INVALID;
    return check(&loaded, loaded.data) == ECFIT_OK ? PSA_SUCCESS : PSA_ERROR_DATA_INVALID;
}
#endif

/* *found = the slot of a key, if it may be used with `alg` for one of `usages`; 0: for anything. */
static psa_status_t find(struct slot **found, psa_key_id_t key, psa_key_usage_t usages,
                         psa_algorithm_t alg)
{
    struct slot *slot = by_id(key);
    if (!is_ready)
        return PSA_ERROR_BAD_STATE;
#if defined(ECFIT_PSA_ITS)
    if (IS_STORED(key)) {
        const psa_status_t status = load(key);
        if (status != PSA_SUCCESS)
            return ended(status);
        slot = &loaded;
    }
#endif
    if (slot == NULL || key == PSA_KEY_ID_NULL)
        return PSA_ERROR_INVALID_HANDLE;
    if (PSA_ALG_IS_HASH_AND_SIGN(alg) && PSA_ALG_IS_WILDCARD(slot->attributes.algorithm))
        alg |= PSA_ALG_ANY_HASH & PSA_ALG_HASH_MASK;
    if (usages != 0 && ((slot->attributes.usage & usages) == 0 ||
                        (alg != PSA_ALG_NONE && alg != slot->attributes.algorithm)))
        return ended(PSA_ERROR_NOT_PERMITTED);
    *found = slot;
    return PSA_SUCCESS;
}

/* *made = a slot with these attributes, for a key of so many bytes. It stays free until use(). */
static psa_status_t prepare(struct slot **made, const psa_key_attributes_t *attributes,
                            size_t bytes)
{
    struct slot *slot = by_id(PSA_KEY_ID_NULL);
    const psa_key_type_t type = attributes->type;
    const curve *found;
    if (!is_ready)
        return PSA_ERROR_BAD_STATE;
    found = curve_of(attributes, bytes);
    if ((attributes->usage & ~ECFIT_PSA_KEY_USAGES) != 0)
        return PSA_ERROR_INVALID_ARGUMENT;
    if ((attributes->lifetime != PSA_KEY_LIFETIME_VOLATILE && !IS_PERSISTENT(attributes)) ||
        !PSA_KEY_TYPE_IS_ECC(type))
        return PSA_ERROR_NOT_SUPPORTED;
    if (found == NULL)
        return attributes->bits == 0 ? PSA_ERROR_INVALID_ARGUMENT : PSA_ERROR_NOT_SUPPORTED;
#if defined(ECFIT_PSA_ITS)
    if (IS_PERSISTENT(attributes)) {
        if (!IS_STORED(attributes->id))
            return PSA_ERROR_INVALID_ARGUMENT;
        TRY(ecfit_psa_find_room(attributes->id))
        slot = &loaded;
    }
#endif
    if (slot == NULL)
        return PSA_ERROR_INSUFFICIENT_MEMORY;
    slot->attributes = *attributes;
    if (!IS_PERSISTENT(attributes))
        slot->attributes.id = PSA_KEY_ID_NULL;
    slot->attributes.bits = found->bits;
    slot->curve = found;
    *made = slot;
    return PSA_SUCCESS;
}

/* Ends what prepare() began: the key in the slot gets an identifier, is stored, or is cleared. */
static psa_status_t use(struct slot *slot, psa_status_t status, psa_key_id_t *key)
{
    if (status != PSA_SUCCESS) {
        ecfit_psa_clear(slot, sizeof *slot);
        return status;
    }
    if (slot->curve->family == PSA_ECC_FAMILY_MONTGOMERY && is_pair(slot)) { /* RFC 7748, 5 */
        uint8_t *last = slot->data + slot->curve->bytes - 1;
        slot->data[0] &= slot->curve->bits == 255 ? 0xf8 : 0xfc;
        *last = (uint8_t)(slot->curve->bits == 255 ? (*last & 0x7f) | 0x40 : *last | 0x80);
    }
#if defined(ECFIT_PSA_ITS)
    if (slot == &loaded) {
        status = ecfit_psa_store(&loaded.attributes, loaded.data,
                                 is_pair(slot) ? slot->curve->bytes : point_bytes(slot->curve));
        if (status == PSA_SUCCESS)
            *key = loaded.attributes.id;
        return ended(status);
    }
#endif
    do { /* an identifier comes again after 2^30 keys */
        last_id = PSA_KEY_ID_VENDOR_MIN | ((last_id + 1) & PSA_KEY_ID_USER_MAX);
    } while (by_id(last_id) != NULL);
    *key = slot->attributes.id = last_id;
    return PSA_SUCCESS;
}

psa_status_t psa_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                            size_t data_length, psa_key_id_t *key)
{
    struct slot *slot;
    *key = PSA_KEY_ID_NULL;
    TRY(prepare(&slot, attributes, data_length))
    if (data_length != (is_pair(slot) ? slot->curve->bytes : point_bytes(slot->curve)))
        return use(slot, PSA_ERROR_INVALID_ARGUMENT, key);
    memcpy(slot->data, data, data_length);
    return use(slot, to_psa(check(slot, data)), key);
}

/* A private key for the slot.   CT: the key */
static psa_status_t draw(struct slot *slot)
{
    const curve *c = slot->curve;
    for (int draws = 0; draws < 64; draws++) { /* each is good with a chance of a half or more */
        uint32_t differ = 0;
        if (ecfit_psa_random(NULL, slot->data, c->bytes) != 0)
            break;
        for (size_t i = 1; i < c->bytes; i++)
            differ |= slot->data[i] ^ slot->data[0];
        ECFIT_DECLASSIFY(differ); /* what is asked of it is whether it is zero */
        slot->data[0] &= (uint8_t)(c->bits == 521 ? 1 : 0xff);
        if (differ != 0 && (c->order == NULL || in_range(c, slot->data)))
            return PSA_SUCCESS;
    }
    return PSA_ERROR_INSUFFICIENT_ENTROPY;
}

psa_status_t psa_generate_key(const psa_key_attributes_t *attributes, psa_key_id_t *key)
{
    struct slot *slot;
    *key = PSA_KEY_ID_NULL;
    TRY(prepare(&slot, attributes, 0))
    return use(slot, is_pair(slot) ? draw(slot) : PSA_ERROR_INVALID_ARGUMENT, key);
}

psa_status_t psa_destroy_key(psa_key_id_t key)
{
    struct slot *slot;
    if (is_ready && key == PSA_KEY_ID_NULL)
        return PSA_SUCCESS;
#if defined(ECFIT_PSA_ITS)
    if (is_ready && IS_STORED(key)) /* unread: also one that is corrupt */
        return ecfit_psa_erase(key);
#endif
    TRY(find(&slot, key, 0, PSA_ALG_NONE))
    ecfit_psa_clear(slot, sizeof *slot);
    return PSA_SUCCESS;
}

psa_status_t psa_get_key_attributes(psa_key_id_t key, psa_key_attributes_t *attributes)
{
    struct slot *slot;
    psa_reset_key_attributes(attributes);
    TRY(find(&slot, key, 0, PSA_ALG_NONE))
    *attributes = slot->attributes;
    return ended(PSA_SUCCESS);
}

#if defined(ECFIT_PSA_ITS)
psa_status_t psa_purge_key(psa_key_id_t key)
{
    struct slot *slot;
    TRY(find(&slot, key, 0, PSA_ALG_NONE))
    return ended(PSA_SUCCESS); /* there is no copy but that of find() */
}
#endif

/* point = the public key: that in the slot, or of the private one. */
static psa_status_t public_of(uint8_t *point, const struct slot *slot)
{
    ecfit_status status = NO_CURVE;
    if (!is_pair(slot)) {
        memcpy(point, slot->data, point_bytes(slot->curve));
        return PSA_SUCCESS;
    }
    switch (slot->curve->id) {
        WEIERSTRASS_PAIRS(CASE_OF, public_key, point, slot->data, &rng)
        RFC_PAIRS(CASE_OF, public_key, point, slot->data)
    default: break;
    }
    return to_psa(status);
}

psa_status_t psa_export_key(psa_key_id_t key, uint8_t *data, size_t data_size, size_t *data_length)
{
    struct slot *slot;
    *data_length = 0;
    TRY(find(&slot, key, 0, PSA_ALG_NONE))
    if (!is_pair(slot))
        return psa_export_public_key(key, data, data_size, data_length);
    TRY(find(&slot, key, PSA_KEY_USAGE_EXPORT, PSA_ALG_NONE))
    if (data_size < slot->curve->bytes)
        return ended(PSA_ERROR_BUFFER_TOO_SMALL);
    *data_length = slot->curve->bytes;
    memcpy(data, slot->data, *data_length);
    return ended(PSA_SUCCESS);
}

psa_status_t psa_export_public_key(psa_key_id_t key, uint8_t *data, size_t data_size,
                                   size_t *data_length)
{
    struct slot *slot;
    psa_status_t status;
    *data_length = 0;
    TRY(find(&slot, key, 0, PSA_ALG_NONE))
    if (data_size < point_bytes(slot->curve))
        return ended(PSA_ERROR_BUFFER_TOO_SMALL);
    status = public_of(data, slot);
    if (status == PSA_SUCCESS)
        *data_length = point_bytes(slot->curve);
    return ended(status);
}

psa_status_t psa_raw_key_agreement(psa_algorithm_t alg, psa_key_id_t private_key,
                                   const uint8_t *peer_key, size_t peer_key_length, uint8_t *output,
                                   size_t output_size, size_t *output_length)
{
    struct slot *slot;
    ecfit_status status = NO_CURVE;
    *output_length = 0;
    if (alg != PSA_ALG_ECDH)
        return alg == PSA_ALG_FFDH ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
    TRY(find(&slot, private_key, PSA_KEY_USAGE_DERIVE, alg))
    if (!is_pair(slot) || is_edwards(slot->curve) || peer_key_length != point_bytes(slot->curve))
        return ended(PSA_ERROR_INVALID_ARGUMENT);
    if (output_size < slot->curve->bytes)
        return ended(PSA_ERROR_BUFFER_TOO_SMALL);
    switch (slot->curve->id) {
        WEIERSTRASS(CASE_OF, ecdh, output, slot->data, peer_key, &rng)
        MONTGOMERY(CASE_ALONE, output, slot->data, peer_key)
    default: (void)output, (void)peer_key;
    }
    *output_length = status == ECFIT_OK ? slot->curve->bytes : 0;
    return ended(to_psa(status));
}

/* ---- signatures ------------------------------------------------------------------------------ */

/* Ed25519ph, where the configuration has both halves of it; else what follows. */
#if defined(ECFIT_ED25519_SIGN_IS_EDDSA_ALL) && defined(ECFIT_ED25519_VERIFY_IS_EDDSA_ALL)
#define IS_ED25519PH(alg, c) ((alg) == PSA_ALG_ED25519PH && (c)->id == ED25519)
#define ED25519PH_OF(verb, signature, key, job) \
    if ((job)->alg == PSA_ALG_ED25519PH) \
        status = ecfit_ed25519_##verb##_ph(signature, key, (job)->data, NULL, 0); \
    else
#else
#define IS_ED25519PH(alg, c) 0
#define ED25519PH_OF(verb, signature, key, job)
#endif

/* What is signed or verified, and with what. */
struct job {
    const struct slot *slot;
    psa_algorithm_t alg;
    const uint8_t *data; /* a hash, or of EdDSA a message */
    size_t size;
    uint8_t hash[PSA_HASH_MAX_SIZE];
};

/* Fills a job, whose alg, data and size are given, for one of these usages. `from_hash`: data is
 * a hash; else ECDSA hashes it. */
static psa_status_t begin(struct job *job, psa_key_id_t key, psa_key_usage_t usages, int from_hash)
{
    const psa_algorithm_t alg = job->alg, hash = PSA_ALG_GET_HASH(alg);
    struct slot *slot;
    if (!(from_hash ? PSA_ALG_IS_SIGN_HASH(alg) : PSA_ALG_IS_SIGN_MESSAGE(alg)) ||
        PSA_ALG_IS_WILDCARD(alg))
        return PSA_ERROR_INVALID_ARGUMENT;
    TRY(find(&slot, key, usages, alg))
    job->slot = slot;
    if (!IS_ED25519PH(alg, slot->curve)) {
        if (PSA_ALG_IS_HASH_EDDSA(alg) && is_edwards(slot->curve))
            return PSA_ERROR_NOT_SUPPORTED;
        if (slot->curve->order != NULL ? !PSA_ALG_IS_ECDSA(alg)
                                       : alg != PSA_ALG_PURE_EDDSA || !is_edwards(slot->curve))
            return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (from_hash)
        return hash == PSA_ALG_NONE || PSA_HASH_LENGTH(alg) == job->size
                   ? PSA_SUCCESS
                   : PSA_ERROR_INVALID_ARGUMENT;
    if (alg != PSA_ALG_PURE_EDDSA) {
        TRY(psa_hash_compute(hash, job->data, job->size, job->hash, sizeof job->hash, &job->size))
        job->data = job->hash;
    }
    return PSA_SUCCESS;
}

static psa_status_t sign(const struct job *job, uint8_t *signature, size_t size, size_t *length)
{
    const struct slot *slot = job->slot;
    const curve *c = slot->curve;
    struct ecfit_psa_nonces s = {.alg = PSA_ALG_GET_HASH(job->alg), .bytes = c->bytes};
    ecfit_rng nonces = rng;
    ecfit_status status = NO_CURVE;
    if (!is_pair(slot))
        return PSA_ERROR_INVALID_ARGUMENT;
    if (size < 2u * c->bytes)
        return PSA_ERROR_BUFFER_TOO_SMALL;
    if (PSA_ALG_IS_DETERMINISTIC_ECDSA(job->alg)) {
        s.spare = (uint8_t)(8u * c->bytes - c->bits);
        TRY(ecfit_psa_nonces_start(&s, c->order, slot->data, job->data))
        nonces = (ecfit_rng){ecfit_psa_nonces_fill, &s};
    }
    ED25519PH_OF(sign, signature, slot->data, job)
    switch (c->id) {
        WEIERSTRASS(CASE_OF, ecdsa_sign, signature, slot->data, job->data, job->size, &nonces)
        EDWARDS(CASE_OF, sign, signature, slot->data, job->data, job->size)
    default: (void)signature, (void)nonces;
    }
    ecfit_psa_clear(&s, sizeof s);
    *length = status == ECFIT_OK ? 2u * c->bytes : 0;
    return to_psa(status);
}

psa_status_t psa_sign_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                           size_t hash_length, uint8_t *signature, size_t signature_size,
                           size_t *signature_length)
{
    struct job job = {.alg = alg, .data = hash, .size = hash_length};
    psa_status_t status;
    *signature_length = 0;
    status = begin(&job, key, PSA_KEY_USAGE_SIGN_HASH, 1);
    if (status == PSA_SUCCESS)
        status = sign(&job, signature, signature_size, signature_length);
    return ended(status);
}

psa_status_t psa_sign_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                              size_t input_length, uint8_t *signature, size_t signature_size,
                              size_t *signature_length)
{
    struct job job = {.alg = alg, .data = input, .size = input_length};
    psa_status_t status;
    *signature_length = 0;
    status = begin(&job, key, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_SIGN_HASH, 0);
    if (status == PSA_SUCCESS)
        status = sign(&job, signature, signature_size, signature_length);
    return ended(status);
}

static psa_status_t verify(const struct job *job, const uint8_t *signature, size_t length)
{
    uint8_t point[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
    ecfit_status status = NO_CURVE;
    if (length != 2u * job->slot->curve->bytes)
        return PSA_ERROR_INVALID_SIGNATURE;
    TRY(public_of(point, job->slot))
    ED25519PH_OF(verify, signature, point, job)
    switch (job->slot->curve->id) {
        WEIERSTRASS(CASE_OF, ecdsa_verify, signature, point, job->data, job->size)
        EDWARDS(CASE_OF, verify, signature, point, job->data, job->size)
    default: (void)signature;
    }
    return to_psa(status);
}

psa_status_t psa_verify_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_length, const uint8_t *signature, size_t signature_length)
{
    struct job job = {.alg = alg, .data = hash, .size = hash_length};
    psa_status_t status;
    status = begin(&job, key, PSA_KEY_USAGE_VERIFY_HASH, 1);
    if (status == PSA_SUCCESS)
        status = verify(&job, signature, signature_length);
    return ended(status);
}

psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, const uint8_t *signature,
                                size_t signature_length)
{
    struct job job = {.alg = alg, .data = input, .size = input_length};
    psa_status_t status;
    status = begin(&job, key, PSA_KEY_USAGE_VERIFY_MESSAGE | PSA_KEY_USAGE_VERIFY_HASH, 0);
    if (status == PSA_SUCCESS)
        status = verify(&job, signature, signature_length);
    return ended(status);
}
