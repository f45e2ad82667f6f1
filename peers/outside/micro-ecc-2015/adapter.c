/* adapter.c (micro-ecc-2015) - the operations of bench_op.h on micro-ecc of July 2015.
 *
 * It takes points as x||y without the lead byte, and numbers of F bytes. The order of secp160r1 has
 * a bit more than F bytes; numbers above them occur once in 2^79. */
#include "bench_op.h"
#include "uECC.h"

#define F BENCH_F
#define N BENCH_N
#define EXTRA (N - F)

static uint8_t signature[2 * F], hash[F];

static int random_bytes(uint8_t *out, unsigned size)
{
    return bench_random(out, size) == 0;
}

/* A number of F bytes as one of N bytes. */
static void put(uint8_t *out, const uint8_t *in)
{
    for (unsigned i = 0; i < EXTRA; i++)
        out[i] = 0;
    for (unsigned i = 0; i < F; i++)
        out[EXTRA + i] = in[i];
}

/* The library signs the first F bytes of a hash, which on secp160r1 should be its first 161 bits,
 * modulo the order n: a number of F bytes. Here n stands without its highest bit. */
static const uint8_t *hashed(const uint8_t *in)
{
    static const uint8_t n[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
                                0xf4, 0xc8, 0xf9, 0x27, 0xae, 0xd3, 0xca, 0x75, 0x22, 0x57};
    if (EXTRA == 0)
        return in;
    int borrow = 0;
    for (unsigned i = F; i-- > 0;) {
        const int byte = (uint8_t)(in[i] << 1 | in[i + 1] >> 7);
        const int less = byte - (in[0] >> 7 ? n[i] : 0) - borrow;
        borrow = less < 0;
        hash[i] = (uint8_t)less;
    }
    return hash;
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    uECC_set_rng(random_bytes);
    for (unsigned i = 0; i < EXTRA; i++)
        out[i] = 0;
    out[N] = 4;
    return !uECC_make_key(out + N + 1, out + EXTRA);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    const uint8_t *point = in + N + 1;
    uECC_set_rng(random_bytes);
    if (in[N] != 4 || !uECC_valid_public_key(point))
        return 1;
    return !uECC_shared_secret(point, in + EXTRA, out);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    uECC_set_rng(random_bytes);
    if (!uECC_sign(in + EXTRA, hashed(in + N), signature))
        return 1;
    put(out, signature);
    put(out + N, signature + F);
    return 0;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    const uint8_t *point = in + 2 * N + 1;
    (void)out;
    for (unsigned i = 0; i < F; i++) {
        signature[i] = in[EXTRA + i];
        signature[F + i] = in[N + EXTRA + i];
    }
    if (in[2 * N] != 4 || (OUR_CHECK && !uECC_valid_public_key(point)))
        return 1;
    return !uECC_verify(point, hashed(point + 2 * F), signature);
}
