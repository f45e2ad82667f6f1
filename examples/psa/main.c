/* A program for PSA Crypto: it includes psa/crypto.h and knows nothing of ecfit but the name of its
 * random generator. The Makefile names the folder that psa/crypto.h comes from.
 *
 * PART, for the figures of docs/from-psa.md, leaves one operation in the program. */
#include "board.h"
#include "psa/crypto.h"

#ifndef PART
#define PART 'a' /* all; else k: a key pair, e: ECDH, s: a signature, v: a verification, 0: none */
#endif
#if defined(WITHOUT_ECDH) /* PSA Crypto of RIOT has none */
#define HAS(part) ((PART == 'a' && (part) != 'e') || PART == (part))
#define psa_raw_key_agreement(...) PSA_ERROR_NOT_SUPPORTED
#else
#define HAS(part) (PART == 'a' || PART == (part))
#endif

/* RFC 6979, A.2.5: the key, and the signature of "sample" with SHA-256. */
static const uint8_t private_key[32] = {
    0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16, 0x6b, 0x5c, 0x21, 0x57, 0x67, 0xb1, 0xd6, 0x93,
    0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8, 0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21,
};
static const uint8_t public_key[65] = {
    0x04, 0x60, 0xfe, 0xd4, 0xba, 0x25, 0x5a, 0x9d, 0x31, 0xc9, 0x61, 0xeb, 0x74,
    0xc6, 0x35, 0x6d, 0x68, 0xc0, 0x49, 0xb8, 0x92, 0x3b, 0x61, 0xfa, 0x6c, 0xe6,
    0x69, 0x62, 0x2e, 0x60, 0xf2, 0x9f, 0xb6, 0x79, 0x03, 0xfe, 0x10, 0x08, 0xb8,
    0xbc, 0x99, 0xa4, 0x1a, 0xe9, 0xe9, 0x56, 0x28, 0xbc, 0x64, 0xf2, 0xf1, 0xb2,
    0x0c, 0x2d, 0x7e, 0x9f, 0x51, 0x77, 0xa3, 0xc2, 0x94, 0xd4, 0x46, 0x22, 0x99,
};
static const uint8_t hash[32] = {
    0xaf, 0x2b, 0xdb, 0xe1, 0xaa, 0x9b, 0x6e, 0xc1, 0xe2, 0xad, 0xe1, 0xd6, 0x94, 0xf4, 0x1f, 0xc7,
    0x1a, 0x83, 0x1d, 0x02, 0x68, 0xe9, 0x89, 0x15, 0x62, 0x11, 0x3d, 0x8a, 0x62, 0xad, 0xd1, 0xbf,
};
static const uint8_t signature[64] = {
    0xef, 0xd4, 0x8b, 0x2a, 0xac, 0xb6, 0xa8, 0xfd, 0x11, 0x40, 0xdd, 0x9c, 0xd4, 0x5e, 0x81, 0xd6,
    0x9d, 0x2c, 0x87, 0x7b, 0x56, 0xaa, 0xf9, 0x91, 0xc3, 0x4d, 0x0e, 0xa8, 0x4e, 0xaf, 0x37, 0x16,
    0xf7, 0xcb, 0x1c, 0x94, 0x2d, 0x65, 0x7c, 0x41, 0xd4, 0x36, 0xc7, 0xa1, 0xb6, 0xe2, 0x9f, 0x65,
    0xf3, 0xe9, 0x00, 0xdb, 0xb9, 0xaf, 0xf4, 0x06, 0x4d, 0xc4, 0xab, 0x2f, 0x84, 0x3a, 0xcd, 0xa8,
};
static uint8_t drawn_public[65], made[64], secret[32];

/* The one line for ecfit: its random generator is that of the board. */
int ecfit_psa_random(void *context, uint8_t *out, size_t size)
{
    return board_random(context, out, size);
}

static psa_key_attributes_t for_p256(psa_key_type_t type, psa_key_usage_t usage,
                                     psa_algorithm_t algorithm)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, usage);
    psa_set_key_algorithm(&attributes, algorithm);
    return attributes;
}

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define WITH PSA_ALG_ECDSA(PSA_ALG_SHA_256)

/* Draws a pair and gives out its public key. */
static int key_pair(void)
{
    const psa_key_attributes_t attributes = for_p256(PAIR, PSA_KEY_USAGE_SIGN_HASH, WITH);
    psa_key_id_t key;
    size_t size;
    return psa_generate_key(&attributes, &key) == PSA_SUCCESS &&
           psa_export_public_key(key, drawn_public, sizeof drawn_public, &size) == PSA_SUCCESS &&
           psa_destroy_key(key) == PSA_SUCCESS;
}

static int agree(void)
{
    const psa_key_attributes_t attributes = for_p256(PAIR, PSA_KEY_USAGE_DERIVE, PSA_ALG_ECDH);
    psa_key_id_t key;
    size_t size;
    return psa_import_key(&attributes, private_key, sizeof private_key, &key) == PSA_SUCCESS &&
           psa_raw_key_agreement(PSA_ALG_ECDH, key, public_key, sizeof public_key, secret,
                                 sizeof secret, &size) == PSA_SUCCESS &&
           psa_destroy_key(key) == PSA_SUCCESS;
}

static int sign(void)
{
    const psa_key_attributes_t attributes = for_p256(PAIR, PSA_KEY_USAGE_SIGN_HASH, WITH);
    psa_key_id_t key;
    size_t size;
    return psa_import_key(&attributes, private_key, sizeof private_key, &key) == PSA_SUCCESS &&
           psa_sign_hash(key, WITH, hash, sizeof hash, made, sizeof made, &size) == PSA_SUCCESS &&
           psa_destroy_key(key) == PSA_SUCCESS;
}

static int verify(const uint8_t *one)
{
    const psa_key_attributes_t attributes = for_p256(PUBLIC, PSA_KEY_USAGE_VERIFY_HASH, WITH);
    psa_key_id_t key;
    return psa_import_key(&attributes, public_key, sizeof public_key, &key) == PSA_SUCCESS &&
           psa_verify_hash(key, WITH, hash, sizeof hash, one, 64) == PSA_SUCCESS &&
           psa_destroy_key(key) == PSA_SUCCESS;
}

int main(void)
{
    if ((PART != '0' && psa_crypto_init() != PSA_SUCCESS) || (HAS('k') && !key_pair()) ||
        (HAS('e') && !agree()) || (HAS('s') && !sign()) || (HAS('v') && !verify(signature)) ||
        (PART == 'a' && !verify(made))) {
        board_say("an operation failed\n");
        return 1;
    }
    board_say("key pair, shared secret, signature and verification: done\n");
    return 0;
}
