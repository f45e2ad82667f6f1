/* adapter_ecfit.c - the operations of bench_op.h on this library, for any of its Weierstrass curves. */
#include "bench_op.h"
#include "ecfit.h"

#define JOIN(curve, verb) ecfit_##curve##_##verb
#define CALL(curve, verb) JOIN(curve, verb)
#define N BENCH_N
#define P (1 + 2 * BENCH_F)

static int fill(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return bench_random(out, size);
}

static const ecfit_rng rng = {fill, NULL};

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return (int)CALL(BENCH_CURVE, keygen)(out + N, out, &rng);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return (int)CALL(BENCH_CURVE, ecdh)(out, in, in + N, &rng);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return (int)CALL(BENCH_CURVE, ecdsa_sign)(out, in, in + N, 32, &rng);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CALL(BENCH_CURVE, ecdsa_verify)(in, in + 2 * N, in + 2 * N + P, 32);
}
