/* adapter_ecfit_montgomery.c - the operations of bench_op.h on this library, for X25519 and X448. */
#include "bench_op.h"
#include "ecfit.h"

#define JOIN(curve, verb) ecfit_##curve##verb
#define CALL(curve, verb) JOIN(curve, verb)
#define N BENCH_N

static int fill(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return bench_random(out, size);
}

static const ecfit_rng rng = {fill, NULL};

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return (int)CALL(BENCH_CURVE, _keygen)(out + N, out, &rng);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return (int)CALL(BENCH_CURVE, )(out, in, in + N);
}
