/* adapter.c (libsodium of this machine) - the operations of bench_op.h on libsodium, for the host.
 *
 * A private key of Ed25519 is seed || public key there, which is how bench_op.h hands them over. */
#include "bench_op.h"

#include <sodium.h>

#define IS_ED25519 NAME(IS_, BENCH_CURVE)
#define IS_ed25519 1
#define IS_x25519 0
#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    if (sodium_init() < 0 || bench_random(out, 32) != 0)
        return 1;
    if (IS_ED25519) {
        uint8_t key[64];
        return crypto_sign_seed_keypair(out + 32, key, out);
    }
    return crypto_scalarmult_base(out + 32, out);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return sodium_init() < 0 || crypto_scalarmult(out, in, in + 32) != 0;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return sodium_init() < 0 || crypto_sign_detached(out, NULL, in + 64, 32, in) != 0;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return sodium_init() < 0 || crypto_sign_verify_detached(in, in + 96, 32, in + 64) != 0;
}
