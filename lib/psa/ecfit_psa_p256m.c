/* ecfit_psa_p256m.c - ecfit behind the hook that Mbed TLS 3.5 and later and TF-PSA-Crypto have for
 * their p256-m: with MBEDTLS_PSA_P256M_DRIVER_ENABLED, the wrappers call these six functions for
 * P-256. No wrapper is generated or merged. Link this before the library, whose own p256-m then
 * stays out. */
#include "ecfit_psa.h"

#define HOOK(name, parameters, arguments) \
    psa_status_t p256_transparent_##name parameters; \
    psa_status_t p256_transparent_##name parameters \
    { \
        return ecfit_transparent_##name arguments; \
    }

HOOK(generate_key,
     (const psa_key_attributes_t *attributes, uint8_t *key, size_t size, size_t *length),
     (attributes, key, size, length))
HOOK(import_key,
     (const psa_key_attributes_t *attributes, const uint8_t *data, size_t data_length, uint8_t *key,
      size_t size, size_t *length, size_t *bits),
     (attributes, data, data_length, key, size, length, bits))
HOOK(export_public_key,
     (const psa_key_attributes_t *attributes, const uint8_t *key, size_t key_size, uint8_t *data,
      size_t size, size_t *length),
     (attributes, key, key_size, data, size, length))
HOOK(key_agreement,
     (const psa_key_attributes_t *attributes, const uint8_t *key, size_t key_size,
      psa_algorithm_t algorithm, const uint8_t *peer, size_t peer_length, uint8_t *secret,
      size_t size, size_t *length),
     (attributes, key, key_size, algorithm, peer, peer_length, secret, size, length))
HOOK(sign_hash,
     (const psa_key_attributes_t *attributes, const uint8_t *key, size_t key_size,
      psa_algorithm_t algorithm, const uint8_t *hash, size_t hash_length, uint8_t *signature,
      size_t size, size_t *length),
     (attributes, key, key_size, algorithm, hash, hash_length, signature, size, length))
HOOK(verify_hash,
     (const psa_key_attributes_t *attributes, const uint8_t *key, size_t key_size,
      psa_algorithm_t algorithm, const uint8_t *hash, size_t hash_length, const uint8_t *signature,
      size_t length),
     (attributes, key, key_size, algorithm, hash, hash_length, signature, length))
