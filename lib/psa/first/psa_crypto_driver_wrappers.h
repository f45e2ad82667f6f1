/* psa_crypto_driver_wrappers.h - ecfit before all other drivers of TF-PSA-Crypto 1.x.
 *
 * This folder stands on the include path before that of the generated header of the same name. That
 * one is included here with its functions under other names, and the functions below ask ecfit
 * first. So nothing is patched, and no generated file is touched: only the prototypes of six
 * wrappers matter. Where the generated header lies beside psa_crypto.c, quotes find it first: then
 * merge.py is the way (README.md). */
#ifndef ECFIT_PSA_FIRST_H
#define ECFIT_PSA_FIRST_H

#if defined(__cplusplus)
#include_next "psa_crypto_driver_wrappers.h"
#else
#include "ecfit_psa.h"

#define psa_driver_wrapper_generate_key ecfit_next_generate_key
#define psa_driver_wrapper_import_key ecfit_next_import_key
#define psa_driver_wrapper_key_agreement ecfit_next_key_agreement
#define psa_driver_wrapper_sign_hash ecfit_next_sign_hash
#define psa_driver_wrapper_verify_hash ecfit_next_verify_hash
#include_next "psa_crypto_driver_wrappers.h"
#undef psa_driver_wrapper_generate_key
#undef psa_driver_wrapper_import_key
#undef psa_driver_wrapper_key_agreement
#undef psa_driver_wrapper_sign_hash
#undef psa_driver_wrapper_verify_hash
#include "psa_crypto_driver_wrappers_no_static.h"

/* Whether a key is in the memory of the core: others belong to a secure element. */
#define ECFIT_IS_LOCAL(attributes) \
    (PSA_KEY_LIFETIME_GET_LOCATION(psa_get_key_lifetime(attributes)) == \
     PSA_KEY_LOCATION_LOCAL_STORAGE)
#define ECFIT_FIRST(name, ours, next, parameters, arguments) \
    static inline psa_status_t name parameters \
    { \
        if (ECFIT_IS_LOCAL(attributes)) { \
            const psa_status_t status = ours arguments; \
            if (status != PSA_ERROR_NOT_SUPPORTED) \
                return status; \
        } \
        return next arguments; \
    }

ECFIT_FIRST(psa_driver_wrapper_import_key, ecfit_transparent_import_key, ecfit_next_import_key,
            (const psa_key_attributes_t *attributes, const uint8_t *data, size_t data_length,
             uint8_t *key, size_t size, size_t *length, size_t *bits),
            (attributes, data, data_length, key, size, length, bits))
ECFIT_FIRST(psa_driver_wrapper_key_agreement, ecfit_transparent_key_agreement,
            ecfit_next_key_agreement,
            (const psa_key_attributes_t *attributes, const uint8_t *key, size_t size,
             psa_algorithm_t algorithm, const uint8_t *peer, size_t peer_length, uint8_t *secret,
             size_t secret_size, size_t *length),
            (attributes, key, size, algorithm, peer, peer_length, secret, secret_size, length))
ECFIT_FIRST(psa_driver_wrapper_sign_hash, ecfit_transparent_sign_hash, ecfit_next_sign_hash,
            (const psa_key_attributes_t *attributes, const uint8_t *key, size_t size,
             psa_algorithm_t algorithm, const uint8_t *hash, size_t hash_length, uint8_t *signature,
             size_t signature_size, size_t *length),
            (attributes, key, size, algorithm, hash, hash_length, signature, signature_size,
             length))
ECFIT_FIRST(psa_driver_wrapper_verify_hash, ecfit_transparent_verify_hash, ecfit_next_verify_hash,
            (const psa_key_attributes_t *attributes, const uint8_t *key, size_t size,
             psa_algorithm_t algorithm, const uint8_t *hash, size_t hash_length,
             const uint8_t *signature, size_t length),
            (attributes, key, size, algorithm, hash, hash_length, signature, length))
/* Compiled, not inline, in the core: psa_crypto.c gets this one instead (below). */
ECFIT_FIRST(ecfit_first_export_public_key, ecfit_transparent_export_public_key,
            psa_driver_wrapper_export_public_key,
            (const psa_key_attributes_t *attributes, const uint8_t *key, size_t size, uint8_t *data,
             size_t data_size, size_t *length),
            (attributes, key, size, data, data_size, length))

/* Of keys with parameters of their own, ecfit knows none. */
static inline psa_status_t psa_driver_wrapper_generate_key(
    const psa_key_attributes_t *attributes, const psa_custom_key_parameters_t *custom,
    const uint8_t *custom_data, size_t custom_length, uint8_t *key, size_t size, size_t *length)
{
    if (ECFIT_IS_LOCAL(attributes) &&
        psa_custom_key_parameters_are_default(custom, custom_length)) {
        const psa_status_t status = ecfit_transparent_generate_key(attributes, key, size, length);
        if (status != PSA_ERROR_NOT_SUPPORTED)
            return status;
    }
    return ecfit_next_generate_key(attributes, custom, custom_data, custom_length, key, size,
                                   length);
}

#define psa_driver_wrapper_export_public_key ecfit_first_export_public_key

#endif
#endif
