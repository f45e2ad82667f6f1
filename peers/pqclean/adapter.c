/* adapter.c (PQClean) - the operations of bench_op.h on PQClean's ML-KEM and ML-DSA.
 *
 * The checks of FIPS 203 that the library leaves to its caller are here. */
#include <string.h>

#include "bench_op.h"
#include "fips202.h"

#define JOIN(set, rest) PQCLEAN_##set##_CLEAN_crypto_##rest
#define NAME(set, rest) JOIN(set, rest)
#define CALL(rest) NAME(PQCLEAN_SET, rest)

void *bench_malloc(size_t size); /* pqclean_bench.h */
int PQCLEAN_randombytes(uint8_t *output, size_t n);

/* What the library asks of its surroundings. */
void *bench_malloc(size_t size)
{
    return bench_calloc(1, size);
}

static int random_failed; /* since an operation cleared it */

int PQCLEAN_randombytes(uint8_t *output, size_t n)
{
    const int failed = bench_random(output, n);
    random_failed |= failed;
    return failed;
}

#ifdef BENCH_C
#define MODULUS 3329
#define KEM(rest) CALL(kem_##rest)

int KEM(keypair_derand)(uint8_t *pk, uint8_t *sk, const uint8_t *coins);
int KEM(enc_derand)(uint8_t *ct, uint8_t *ss, const uint8_t *pk, const uint8_t *coins);
int KEM(dec)(uint8_t *ss, const uint8_t *ct, const uint8_t *sk);

/* Whether each coefficient, of 12 bits, is below the modulus. CT: no, public data */
static int is_reduced(const uint8_t *ek)
{
    for (size_t i = 0; i < BENCH_P - 32; i += 3) {
        const unsigned first = ek[i] | (ek[i + 1] & 15U) << 8;
        const unsigned second = ek[i + 1] >> 4 | (unsigned)ek[i + 2] << 4;
        if (first >= MODULUS || second >= MODULUS)
            return 0;
    }
    return 1;
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    uint8_t coins[64];
    (void)in;
    if (bench_random(coins, sizeof coins) != 0)
        return 1;
    return KEM(keypair_derand)(out + BENCH_N, out, coins);
}

int bench_encaps(uint8_t *out, const uint8_t *in)
{
    uint8_t coins[32];
    if (!is_reduced(in) || bench_random(coins, sizeof coins) != 0)
        return 1;
    return KEM(enc_derand)(out, out + BENCH_C, in, coins);
}

int bench_decaps(uint8_t *out, const uint8_t *in)
{
    uint8_t hash[32];
    sha3_256(hash, in + BENCH_P - 32, BENCH_P);
    if (memcmp(hash, in + BENCH_N - 64, sizeof hash) != 0)
        return 1;
    return KEM(dec)(out, in + BENCH_N, in);
}
#else
#define MESSAGE 32
#define DSA(rest) CALL(sign##rest)

int DSA(_keypair)(uint8_t *pk, uint8_t *sk);
int DSA(_signature_ctx)(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen,
                        const uint8_t *ctx, size_t ctxlen, const uint8_t *sk);
int DSA(_verify_ctx)(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen,
                     const uint8_t *ctx, size_t ctxlen, const uint8_t *pk);

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    random_failed = 0;
    return DSA(_keypair)(out + BENCH_N, out) | random_failed;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    size_t size;
    random_failed = 0;
    return DSA(_signature_ctx)(out, &size, in + BENCH_N, MESSAGE, NULL, 0, in) | random_failed;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    const uint8_t *key = in + BENCH_S;
    (void)out;
    return DSA(_verify_ctx)(in, BENCH_S, key + BENCH_P, MESSAGE, NULL, 0, key);
}
#endif
