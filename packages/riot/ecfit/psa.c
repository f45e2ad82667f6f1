/* psa.c - ecfit as a back end of RIOT's PSA Crypto (sys/psa_crypto, psa_ecc.h): P-256 and Ed25519.
 *
 * Private keys and signatures of P-256 are 32 and 64 bytes, public keys 65 (SEC 1, uncompressed). A
 * length that is none of these is PSA_ERROR_INVALID_ARGUMENT, a buffer that is too small
 * PSA_ERROR_BUFFER_TOO_SMALL, a wrong signature PSA_ERROR_INVALID_SIGNATURE. Random bytes are
 * those of psa_generate_random(). The nonce is that of the configuration (NONCE, as it is:
 * RFC 6979), whichever of the ECDSA algorithms is asked for.
 */
#include "psa/crypto.h"
#include "psa_ecc.h"

#include "ecfit.h"

static psa_status_t to_psa(ecfit_status status)
{
    switch (status) {
    case ECFIT_OK: return PSA_SUCCESS;
    case ECFIT_BAD_PRIVATE_KEY:
    case ECFIT_BAD_PUBLIC_KEY:
    case ECFIT_BAD_HASH: return PSA_ERROR_INVALID_ARGUMENT;
    case ECFIT_BAD_SIGNATURE: return PSA_ERROR_INVALID_SIGNATURE;
    case ECFIT_RNG_FAILED: return PSA_ERROR_INSUFFICIENT_ENTROPY;
    case ECFIT_FAULT: return PSA_ERROR_CORRUPTION_DETECTED;
    default: return PSA_ERROR_GENERIC_ERROR;
    }
}

#if IS_USED(MODULE_PSA_ASYMMETRIC_ECC_P256R1_BACKEND_ECFIT)

#define KEY 32u
#define POINT 65u
#define SIGNATURE 64u

static int random_bytes(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return psa_generate_random(out, size) == PSA_SUCCESS ? 0 : -1;
}

static const ecfit_rng rng = {random_bytes, NULL};

psa_status_t psa_generate_ecc_p256r1_key_pair(const psa_key_attributes_t *attributes,
                                              uint8_t *private_key, uint8_t *public_key,
                                              size_t *private_key_length, size_t *public_key_length)
{
    (void)attributes;
    *private_key_length = KEY;
    *public_key_length = POINT;
    return to_psa(ecfit_secp256r1_keygen(public_key, private_key, &rng));
}

psa_status_t psa_derive_ecc_p256r1_public_key(const uint8_t *private_key, uint8_t *public_key,
                                              size_t private_key_length, size_t *public_key_length)
{
    if (private_key_length != KEY)
        return PSA_ERROR_INVALID_ARGUMENT;
    *public_key_length = POINT;
    return to_psa(ecfit_secp256r1_public_key(public_key, private_key, &rng));
}

psa_status_t psa_ecc_p256r1_sign_hash(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                      const uint8_t *private_key, size_t private_key_length,
                                      const uint8_t *hash, size_t hash_length, uint8_t *signature,
                                      size_t signature_size, size_t *signature_length)
{
    (void)attributes;
    (void)alg;
    if (private_key_length != KEY)
        return PSA_ERROR_INVALID_ARGUMENT;
    if (signature_size < SIGNATURE)
        return PSA_ERROR_BUFFER_TOO_SMALL;
    *signature_length = SIGNATURE;
    return to_psa(ecfit_secp256r1_ecdsa_sign(signature, private_key, hash, hash_length, &rng));
}

psa_status_t psa_ecc_p256r1_verify_hash(const psa_key_attributes_t *attributes, psa_algorithm_t alg,
                                        const uint8_t *public_key, size_t public_key_length,
                                        const uint8_t *hash, size_t hash_length,
                                        const uint8_t *signature, size_t signature_length)
{
    (void)attributes;
    (void)alg;
    if (public_key_length != POINT)
        return PSA_ERROR_INVALID_ARGUMENT;
    if (signature_length != SIGNATURE)
        return PSA_ERROR_INVALID_SIGNATURE;
    return to_psa(ecfit_secp256r1_ecdsa_verify(signature, public_key, hash, hash_length));
}

psa_status_t psa_ecc_p256r1_sign_message(const psa_key_attributes_t *attributes,
                                         psa_algorithm_t alg, const uint8_t *private_key,
                                         size_t private_key_length, const uint8_t *input,
                                         size_t input_length, uint8_t *signature,
                                         size_t signature_size, size_t *signature_length)
{
    uint8_t hash[PSA_HASH_MAX_SIZE];
    size_t size;
    psa_status_t status =
        psa_hash_compute(PSA_ALG_GET_HASH(alg), input, input_length, hash, sizeof hash, &size);

    return status != PSA_SUCCESS
               ? status
               : psa_ecc_p256r1_sign_hash(attributes, alg, private_key, private_key_length, hash,
                                          size, signature, signature_size, signature_length);
}

psa_status_t psa_ecc_p256r1_verify_message(const psa_key_attributes_t *attributes,
                                           psa_algorithm_t alg, const uint8_t *public_key,
                                           size_t public_key_length, const uint8_t *input,
                                           size_t input_length, const uint8_t *signature,
                                           size_t signature_length)
{
    uint8_t hash[PSA_HASH_MAX_SIZE];
    size_t size;
    psa_status_t status =
        psa_hash_compute(PSA_ALG_GET_HASH(alg), input, input_length, hash, sizeof hash, &size);

    return status != PSA_SUCCESS
               ? status
               : psa_ecc_p256r1_verify_hash(attributes, alg, public_key, public_key_length, hash,
                                            size, signature, signature_length);
}

#endif
#if IS_USED(MODULE_PSA_ASYMMETRIC_ECC_ED25519_BACKEND_ECFIT)

psa_status_t psa_generate_ecc_ed25519_key_pair(uint8_t *private_key, uint8_t *public_key)
{
    psa_status_t status = psa_generate_random(private_key, 32);

    return status != PSA_SUCCESS ? PSA_ERROR_INSUFFICIENT_ENTROPY
                                 : psa_derive_ecc_ed25519_public_key(private_key, public_key);
}

psa_status_t psa_derive_ecc_ed25519_public_key(const uint8_t *private_key, uint8_t *public_key)
{
    return to_psa(ecfit_ed25519_public_key(public_key, private_key));
}

/* The public key of the slot is not taken: signatures with a wrong one give the private key away
 * (RFC 8032, 5.1.6 hashes it), so the library computes its own. */
psa_status_t psa_ecc_ed25519_sign_message(const uint8_t *private_key, const uint8_t *public_key,
                                          const uint8_t *input, size_t input_length,
                                          uint8_t *signature)
{
    (void)public_key;
    return to_psa(ecfit_ed25519_sign(signature, private_key, input, input_length));
}

psa_status_t psa_ecc_ed25519_verify_message(const uint8_t *public_key, const uint8_t *input,
                                            size_t input_length, const uint8_t *signature)
{
    return to_psa(ecfit_ed25519_verify(signature, public_key, input, input_length));
}

#endif
