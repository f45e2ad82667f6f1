/* ecfit_psa.h - a transparent driver of PSA Crypto: elliptic curves by this library.
 *
 * For TF-PSA-Crypto 1.x (Mbed TLS 4) and Mbed TLS 3.6, whose driver wrappers call these functions
 * by one of three ways; README.md says how. The prototypes are those of the PSA driver interface.
 * For a key or an algorithm that is not ours, a function returns PSA_ERROR_NOT_SUPPORTED, and the
 * next driver, or Mbed TLS's own code, takes over.
 *
 * Each function checks what it gets, so it can be called without PSA's core. Errors of all of
 * them: PSA_ERROR_INVALID_ARGUMENT for a public key in place of a pair, for bits that contradict
 * the length of a key, and for a key, a peer's key or a hash that does not fit the type or the
 * algorithm; PSA_ERROR_NOT_PERMITTED for a key whose usage flags do not allow it;
 * PSA_ERROR_BUFFER_TOO_SMALL; PSA_ERROR_INSUFFICIENT_ENTROPY. The permitted algorithm of a key is
 * left to the core. After these errors, *length is 0, and the output is as it was or zero. For a
 * key or an algorithm that is not ours, both are as they were, since the core may have the size of
 * a key in *length.
 *
 * The curves are those of ecfit_config.h for which PSA_WANT_ECC_.. is defined. Random numbers come
 * from psa_generate_random, hashes for deterministic nonces from psa_hash_setup and so on. Nothing
 * is allocated, and there is no state. */
#ifndef ECFIT_PSA_H
#define ECFIT_PSA_H

#ifndef PSA_CRYPTO_ACCELERATOR_DRIVER_PRESENT
#define PSA_CRYPTO_ACCELERATOR_DRIVER_PRESENT
#endif

#include "psa/crypto.h"

/** A private key in range; `size` must be that of the curve or more. CT: the key. */
psa_status_t ecfit_transparent_generate_key(const psa_key_attributes_t *attributes, uint8_t *key,
                                            size_t size, size_t *length);

/**
 * Takes a private key (Weierstrass: in 1 .. n - 1; Montgomery: with the bits set that RFC 7748, 5,
 * sets) or a public key (Weierstrass: a point on the curve, uncompressed).
 *
 * bits: in: of the key, 0: as its length says; out: of the key.   CT: the private key
 */
psa_status_t ecfit_transparent_import_key(const psa_key_attributes_t *attributes,
                                          const uint8_t *data, size_t data_length, uint8_t *key,
                                          size_t size, size_t *length, size_t *bits);

/** The public key of a private key. CT: the private key. */
psa_status_t ecfit_transparent_export_public_key(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key, size_t key_size, uint8_t *data,
                                                 size_t size, size_t *length);

/** ECDH: Weierstrass and Montgomery curves. CT: the private key and the shared secret. */
psa_status_t ecfit_transparent_key_agreement(const psa_key_attributes_t *attributes,
                                             const uint8_t *key, size_t key_size,
                                             psa_algorithm_t algorithm, const uint8_t *peer,
                                             size_t peer_length, uint8_t *secret, size_t size,
                                             size_t *length);

/** ECDSA, randomised and deterministic. The latter needs the curve with NONCE = random and
 * BLIND = none: else PSA_ERROR_NOT_SUPPORTED. CT: the private key. */
psa_status_t ecfit_transparent_sign_hash(const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_size, psa_algorithm_t algorithm,
                                         const uint8_t *hash, size_t hash_length,
                                         uint8_t *signature, size_t size, size_t *length);

/** ECDSA, with a public key or a pair. CT: no, but for the key of a pair. */
psa_status_t ecfit_transparent_verify_hash(const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_size,
                                           psa_algorithm_t algorithm, const uint8_t *hash,
                                           size_t hash_length, const uint8_t *signature,
                                           size_t length);

#endif
