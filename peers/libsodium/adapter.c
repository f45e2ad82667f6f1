/* adapter.c (libsodium) - the operations of bench_op.h on libsodium.
 *
 * A private key of Ed25519 is seed || public key there, which is how bench_op.h hands them over.
 * What the library asks of an operating system stands here: random bytes, and where to go
 * when it is misused. */
#include <string.h>

#include "bench_op.h"
#include "crypto_hash_sha3.h"
#include "crypto_kem_mlkem768.h"
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

#ifdef BENCH_C
int bench_keygen(uint8_t *out, const uint8_t *in)
{
    uint8_t seed[64];
    (void)in;
    if (bench_random(seed, sizeof seed) != 0)
        return 1;
    return crypto_kem_mlkem768_seed_keypair(out + BENCH_N, out, seed);
}

int bench_encaps(uint8_t *out, const uint8_t *in)
{
    uint8_t seed[32];
    if (bench_random(seed, sizeof seed) != 0)
        return 1;
    return crypto_kem_mlkem768_enc_deterministic(out, out + BENCH_C, in, seed);
}

int bench_decaps(uint8_t *out, const uint8_t *in)
{
    uint8_t hash[32]; /* the library leaves this check of FIPS 203 (7.3) to its caller */
    crypto_hash_sha3256(hash, in + BENCH_P - 32, BENCH_P);
    if (memcmp(hash, in + BENCH_N - 64, sizeof hash) != 0)
        return 1;
    return crypto_kem_mlkem768_dec(out, in + BENCH_N, in);
}
#else
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
#endif
