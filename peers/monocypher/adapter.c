/* adapter.c (Monocypher) - the operations of bench_op.h on Monocypher.
 *
 * Ed25519 with SHA-512, as RFC 8032 has it, is its optional part. A private key there is seed ||
 * public key, which is how bench_op.h hands them over. It erases the seed that it is given. */
#include <string.h>

#include "bench_op.h"
#include "monocypher-ed25519.h"
#include "monocypher.h"

#define IS_ED25519 NAME(IS_, BENCH_CURVE)
#define IS_ed25519 1
#define IS_x25519 0
#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    if (bench_random(out, 32) != 0)
        return 1;
    if (IS_ED25519) {
        uint8_t seed[32];
        uint8_t key[64];
        memcpy(seed, out, 32);
        crypto_ed25519_key_pair(key, out + 32, seed);
    } else {
        crypto_x25519_public_key(out + 32, out);
    }
    return 0;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    crypto_x25519(out, in, in + 32);
    return 0;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    crypto_ed25519_sign(out, in, in + 64, 32);
    return 0;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return crypto_ed25519_check(in, in + 64, in + 96, 32);
}
