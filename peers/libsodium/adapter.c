/* adapter.c (libsodium) - the operations of bench_op.h on libsodium.
 *
 * A private key of Ed25519 is seed || public key there, which is how bench_op.h hands them over.
 * What the library asks of an operating system stands here: random bytes, and where to go
 * when it is misused. */
#include <string.h>

#include "bench_op.h"
#include "crypto_scalarmult_curve25519.h"
#include "crypto_sign_ed25519.h"

#define IS_ED25519 NAME(IS_, BENCH_CURVE)
#define IS_ed25519 1
#define IS_x25519 0
#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)

void randombytes_buf(void *out, size_t size);
void sodium_misuse(void);

void randombytes_buf(void *const out, const size_t size)
{
    (void)bench_random(out, size);
}

__attribute__((noreturn)) void sodium_misuse(void)
{
    for (;;) {
    }
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    if (bench_random(out, 32) != 0)
        return 1;
    if (IS_ED25519) {
        uint8_t key[64];
        return crypto_sign_ed25519_seed_keypair(out + 32, key, out);
    }
    return crypto_scalarmult_curve25519_base(out + 32, out);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return crypto_scalarmult_curve25519(out, in, in + 32);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return crypto_sign_ed25519_detached(out, NULL, in + 64, 32, in);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return crypto_sign_ed25519_verify_detached(in, in + 96, 32, in + 64);
}
