/* adapter.c (micro-ecc-2013) - the operations of bench_op.h on micro-ecc of June 2013.
 *
 * Its numbers are words of 32 bits, the least significant first. The words stand in memory of the
 * adapter, so that its stack is that of the library's function and a few registers. */
#include "bench_op.h"
#include "ecc.h"
#include "point.h"

#define WORDS NUM_ECC_DIGITS
#define HASH 32

static EccPoint point;
static uint32_t key[WORDS], drawn[WORDS], hash[WORDS], r[WORDS], s[WORDS];

/* The first `size` bytes of a number, the most significant first, as words. */
static void to_words(uint32_t *out, const uint8_t *in, unsigned size)
{
    for (unsigned i = 0; i < WORDS; i++)
        out[i] = 0;
    for (unsigned i = 0; i < size; i++)
        out[i / 4] |= (uint32_t)in[size - 1 - i] << (i % 4 * 8);
}

static void to_bytes(uint8_t *out, const uint32_t *in)
{
    for (unsigned i = 0; i < BENCH_N; i++)
        out[BENCH_N - 1 - i] = (uint8_t)(in[i / 4] >> (i % 4 * 8));
}

/* Reads a public key, x||y. */
static void to_point(const uint8_t *in)
{
    to_words(point.x, in, BENCH_F);
    to_words(point.y, in + BENCH_F, BENCH_F);
}

#if OUR_CHECK
#define REFUSED(point) (!ecc_valid_public_key(point))
#else
#define REFUSED(point) 0

/* Checks the peer's public key before the operation. */
int bench_prepare_ecdh(const uint8_t *in)
{
    to_point(in + BENCH_N + 1);
    return in[BENCH_N] != 4 || !on_curve(&point);
}
#endif

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    if (bench_random((uint8_t *)drawn, sizeof drawn) != 0 || !ecc_make_key(&point, key, drawn))
        return 1;
    to_bytes(out, key);
    out[BENCH_N] = 4;
    to_bytes(out + BENCH_N + 1, point.x);
    to_bytes(out + BENCH_N + 1 + BENCH_F, point.y);
    return 0;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    to_words(key, in, BENCH_N);
    to_point(in + BENCH_N + 1);
    if (in[BENCH_N] != 4 || REFUSED(&point) || !ecdh_shared_secret(drawn, &point, key))
        return 1;
    to_bytes(out, drawn);
    return 0;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    to_words(key, in, BENCH_N);
    to_words(hash, in + BENCH_N, BENCH_N < HASH ? BENCH_N : HASH);
    if (bench_random((uint8_t *)drawn, sizeof drawn) != 0 || !ecdsa_sign(r, s, key, drawn, hash))
        return 1;
    to_bytes(out, r);
    to_bytes(out + BENCH_N, s);
    return 0;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    to_words(r, in, BENCH_N);
    to_words(s, in + BENCH_N, BENCH_N);
    in += 2 * BENCH_N;
    to_words(hash, in + 1 + 2 * BENCH_F, BENCH_N < HASH ? BENCH_N : HASH);
    to_point(in + 1);
    return in[0] != 4 || REFUSED(&point) || !ecdsa_verify(&point, hash, r, s);
}
