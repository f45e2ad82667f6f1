/* psa.c - the operations of bench_op.h through compat/psa, for test_constant_time.py
 *
 * FAMILY, BITS: of the curve; ALGORITHM: how it signs. Keys are imported, used and destroyed; with
 * ECFIT_PSA_ITS they are persistent, in a storage of one record. */
#include "bench_op.h"
#include "psa/crypto.h"

#if defined(ECFIT_PSA_ITS)
#include ECFIT_PSA_ITS
#include <string.h>

static uint8_t record[128];
static size_t record_size;

psa_status_t psa_its_set(psa_storage_uid_t uid, size_t data_length, const void *p_data,
                         psa_storage_create_flags_t create_flags)
{
    (void)uid, (void)create_flags;
    memcpy(record, p_data, data_length);
    record_size = data_length;
    return PSA_SUCCESS;
}

psa_status_t psa_its_get(psa_storage_uid_t uid, size_t data_offset, size_t data_size, void *p_data,
                         size_t *p_data_length)
{
    (void)uid;
    memcpy(p_data, record + data_offset, data_size);
    *p_data_length = data_size;
    return PSA_SUCCESS;
}

psa_status_t psa_its_get_info(psa_storage_uid_t uid, struct psa_storage_info_t *p_info)
{
    (void)uid;
    p_info->size = record_size;
    return record_size == 0 ? PSA_ERROR_DOES_NOT_EXIST : PSA_SUCCESS;
}

psa_status_t psa_its_remove(psa_storage_uid_t uid)
{
    (void)uid;
    record_size = 0;
    return PSA_SUCCESS;
}
#endif

#define F BENCH_F
#define N BENCH_N
#define IS_WEIERSTRASS (FAMILY < 0x41)
#define POINT (IS_WEIERSTRASS ? 1 + 2 * F : F)
#define ANY_USE \
    (PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_SIGN_HASH | \
     PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE)

int ecfit_psa_random(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return bench_random(out, size);
}

static psa_key_attributes_t of(psa_key_type_t type, psa_algorithm_t algorithm)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_crypto_init();
    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, BITS);
    psa_set_key_usage_flags(&attributes, ANY_USE);
    psa_set_key_algorithm(&attributes, algorithm);
#if defined(ECFIT_PSA_ITS)
    psa_set_key_id(&attributes, PSA_KEY_ID_USER_MIN);
    record_size = 0; /* start-up code leaves it as it was */
#endif
    return attributes;
}

static psa_status_t import(psa_key_type_t type, psa_algorithm_t algorithm, const uint8_t *bytes,
                           size_t size, psa_key_id_t *key)
{
    const psa_key_attributes_t attributes = of(type, algorithm);
    return psa_import_key(&attributes, bytes, size, key);
}

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(FAMILY)
#define PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(FAMILY)

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    const psa_key_attributes_t attributes = of(PAIR, PSA_ALG_NONE);
    psa_key_id_t key;
    size_t size;
    psa_status_t status = psa_generate_key(&attributes, &key);
    (void)in;
    if (status != PSA_SUCCESS)
        return 1;
    status = psa_export_key(key, out, N, &size);
    if (status == PSA_SUCCESS)
        status = psa_export_public_key(key, out + N, POINT, &size);
    return psa_destroy_key(key) != PSA_SUCCESS || status != PSA_SUCCESS;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    psa_key_id_t key;
    size_t size;
    psa_status_t status = import(PAIR, PSA_ALG_ECDH, in, N, &key);
    if (status != PSA_SUCCESS)
        return 1;
    status = psa_raw_key_agreement(PSA_ALG_ECDH, key, in + N, POINT, out, F, &size);
    return psa_destroy_key(key) != PSA_SUCCESS || status != PSA_SUCCESS;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    const uint8_t *what = in + (IS_WEIERSTRASS ? N : N + POINT);
    psa_key_id_t key;
    size_t size;
    psa_status_t status = import(PAIR, ALGORITHM, in, N, &key);
    if (status != PSA_SUCCESS)
        return 1;
    status = IS_WEIERSTRASS ? psa_sign_hash(key, ALGORITHM, what, 32, out, 2 * N, &size)
                            : psa_sign_message(key, ALGORITHM, what, 32, out, 2 * N, &size);
    return psa_destroy_key(key) != PSA_SUCCESS || status != PSA_SUCCESS;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    const uint8_t *what = in + 2 * N + POINT;
    psa_key_id_t key;
    psa_status_t status = import(PUBLIC, ALGORITHM, in + 2 * N, POINT, &key);
    (void)out;
    if (status != PSA_SUCCESS)
        return 1;
    status = IS_WEIERSTRASS ? psa_verify_hash(key, ALGORITHM, what, 32, in, 2 * N)
                            : psa_verify_message(key, ALGORITHM, what, 32, in, 2 * N);
    return psa_destroy_key(key) != PSA_SUCCESS || status != PSA_SUCCESS;
}
