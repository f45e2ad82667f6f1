/* psa_calls.c - PSA Crypto as a library for tests: keys by number, everything else as PSA has it.
 * Built once with Mbed TLS's own elliptic curves and once with the driver of lib/psa. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/random.h>

#include "psa/crypto.h"

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t size, size_t *length);
int calls_init(void);
int calls_import(uint16_t type, size_t bits, uint32_t algorithm, const uint8_t *data, size_t size,
                 uint32_t *key);
int calls_generate(uint16_t type, size_t bits, uint32_t algorithm, uint32_t *key);
int calls_export(uint32_t key, uint8_t *out, size_t size, size_t *length);
int calls_export_public(uint32_t key, uint8_t *out, size_t size, size_t *length);
int calls_agree(uint32_t key, const uint8_t *peer, size_t peer_size, uint8_t *out, size_t size,
                size_t *length);
int calls_sign(uint32_t key, uint32_t algorithm, const uint8_t *hash, size_t hash_size,
               uint8_t *out, size_t size, size_t *length);
int calls_verify(uint32_t key, uint32_t algorithm, const uint8_t *hash, size_t hash_size,
                 const uint8_t *signature, size_t size);
size_t calls_bits(uint32_t key);
int calls_destroy(uint32_t key);
const void *calls_attributes(uint16_t type, size_t bits, uint32_t usage, uint32_t algorithm);
void calls_fail_random(int fails);

static int random_fails;

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t size, size_t *length)
{
    (void)context;
    *length = size;
    return getrandom(output, size, 0) == (ssize_t)size && !random_fails
               ? PSA_SUCCESS
               : PSA_ERROR_HARDWARE_FAILURE;
}

static psa_key_attributes_t attributes(uint16_t type, size_t bits, uint32_t algorithm)
{
    psa_key_attributes_t made = PSA_KEY_ATTRIBUTES_INIT;
    psa_set_key_type(&made, type);
    psa_set_key_bits(&made, bits);
    psa_set_key_algorithm(&made, algorithm);
    psa_set_key_usage_flags(&made, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT |
                                       PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH);
    return made;
}

int calls_init(void)
{
    return psa_crypto_init();
}

int calls_import(uint16_t type, size_t bits, uint32_t algorithm, const uint8_t *data, size_t size,
                 uint32_t *key)
{
    const psa_key_attributes_t made = attributes(type, bits, algorithm);
    return psa_import_key(&made, data, size, key);
}

int calls_generate(uint16_t type, size_t bits, uint32_t algorithm, uint32_t *key)
{
    const psa_key_attributes_t made = attributes(type, bits, algorithm);
    return psa_generate_key(&made, key);
}

int calls_export(uint32_t key, uint8_t *out, size_t size, size_t *length)
{
    return psa_export_key(key, out, size, length);
}

int calls_export_public(uint32_t key, uint8_t *out, size_t size, size_t *length)
{
    return psa_export_public_key(key, out, size, length);
}

int calls_agree(uint32_t key, const uint8_t *peer, size_t peer_size, uint8_t *out, size_t size,
                size_t *length)
{
    return psa_raw_key_agreement(PSA_ALG_ECDH, key, peer, peer_size, out, size, length);
}

int calls_sign(uint32_t key, uint32_t algorithm, const uint8_t *hash, size_t hash_size,
               uint8_t *out, size_t size, size_t *length)
{
    return psa_sign_hash(key, algorithm, hash, hash_size, out, size, length);
}

int calls_verify(uint32_t key, uint32_t algorithm, const uint8_t *hash, size_t hash_size,
                 const uint8_t *signature, size_t size)
{
    return psa_verify_hash(key, algorithm, hash, hash_size, signature, size);
}

size_t calls_bits(uint32_t key)
{
    psa_key_attributes_t made = PSA_KEY_ATTRIBUTES_INIT;
    const psa_status_t status = psa_get_key_attributes(key, &made);
    const size_t bits = status == PSA_SUCCESS ? psa_get_key_bits(&made) : 0;
    psa_reset_key_attributes(&made);
    return bits;
}

int calls_destroy(uint32_t key)
{
    return psa_destroy_key(key);
}

/* For a call of the driver by somebody else than PSA's core; good until the next one. */
const void *calls_attributes(uint16_t type, size_t bits, uint32_t usage, uint32_t algorithm)
{
    static psa_key_attributes_t made;
    made = attributes(type, bits, algorithm);
    psa_set_key_usage_flags(&made, usage);
    return &made;
}

/* From here on, the random generator writes its bytes and says that it failed, or works again. */
void calls_fail_random(int fails)
{
    random_fails = fails;
}
