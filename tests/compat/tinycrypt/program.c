/* program.c - a program for TinyCrypt, as a test calls it: names with and without tc_ */
#include "tinycrypt/constants.h"
#include "tinycrypt/ecc.h"
#include "tinycrypt/ecc_dh.h"
#include "tinycrypt/ecc_dsa.h"
#include "tinycrypt/sha256.h"

int is_valid(const uint8_t *public_key);
int whole_exchange(const uint8_t *message, size_t size, uint8_t *public_key, uint8_t *signature);
int null_arguments(void);

int is_valid(const uint8_t *public_key)
{
    return uECC_valid_public_key(public_key, uECC_secp256r1());
}

/* A key pair, the hash of a message in two parts, its signature, and what it needs to be valid.
 * Returns the step that fails, 0 if none does. */
int whole_exchange(const uint8_t *message, size_t size, uint8_t *public_key, uint8_t *signature)
{
    uECC_Curve curve = tc_uECC_secp256r1();
    uint8_t private_key[NUM_ECC_BYTES], secret[NUM_ECC_BYTES], digest[TC_SHA256_DIGEST_SIZE];
    uint8_t other_public[2 * NUM_ECC_BYTES], other_private[NUM_ECC_BYTES], again[NUM_ECC_BYTES];
    struct tc_sha256_state_struct state;
    if (uECC_make_key(public_key, private_key, curve) != TC_CRYPTO_SUCCESS ||
        tc_uECC_make_key(other_public, other_private, curve) != TC_CRYPTO_SUCCESS) {
        return 1;
    }
    if (tc_uECC_valid_public_key(public_key, curve) != 0) {
        return 2;
    }
    if (uECC_shared_secret(other_public, private_key, secret, curve) != TC_CRYPTO_SUCCESS ||
        tc_uECC_shared_secret(public_key, other_private, again, curve) != TC_CRYPTO_SUCCESS) {
        return 3;
    }
    for (unsigned i = 0; i < NUM_ECC_BYTES; i++) {
        if (secret[i] != again[i]) {
            return 4;
        }
    }
    if (tc_sha256_init(&state) != TC_CRYPTO_SUCCESS ||
        tc_sha256_update(&state, message, size / 2) != TC_CRYPTO_SUCCESS ||
        tc_sha256_update(&state, message + size / 2, size - size / 2) != TC_CRYPTO_SUCCESS ||
        tc_sha256_final(digest, &state) != TC_CRYPTO_SUCCESS) {
        return 5;
    }
    if (uECC_sign(private_key, digest, sizeof digest, signature, curve) != TC_CRYPTO_SUCCESS) {
        return 6;
    }
    if (tc_uECC_verify(public_key, digest, sizeof digest, signature, curve) != TC_CRYPTO_SUCCESS) {
        return 7;
    }
    digest[0] ^= 1;
    return uECC_verify(public_key, digest, sizeof digest, signature, curve) == TC_CRYPTO_FAIL ? 0
                                                                                              : 8;
}

/* How many calls with NULL are done all the same. */
int null_arguments(void)
{
    struct tc_sha256_state_struct state;
    uint8_t digest[TC_SHA256_DIGEST_SIZE];
    return (tc_sha256_init(NULL) != TC_CRYPTO_FAIL) +
           (tc_sha256_update(NULL, digest, 1) != TC_CRYPTO_FAIL) +
           (tc_sha256_update(&state, NULL, 1) != TC_CRYPTO_FAIL) +
           (tc_sha256_final(NULL, &state) != TC_CRYPTO_FAIL) +
           (tc_sha256_final(digest, NULL) != TC_CRYPTO_FAIL);
}
