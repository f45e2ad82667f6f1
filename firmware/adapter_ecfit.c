/* adapter_ecfit.c - the operations of bench_op.h on this library, for secp256r1. */
#include "bench_op.h"
#include "ecfit.h"

#define N 32
#define P 65

static int fill(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return bench_random(out, size);
}

static const ecfit_rng rng = {fill, NULL};

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return (int)ecfit_secp256r1_keygen(out + N, out, &rng);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return (int)ecfit_secp256r1_ecdh(out, in, in + N, &rng);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return (int)ecfit_secp256r1_ecdsa_sign(out, in, in + N, 32, &rng);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)ecfit_secp256r1_ecdsa_verify(in, in + 2 * N, in + 2 * N + P, 32);
}
