/* adapter_ecfit_edwards.c - the operations of bench_op.h on this library, for Ed25519 and Ed448.
 *
 * The public key in the input of `sign` is not used: the library computes it. */
#include "bench_op.h"
#include "ecfit.h"

#define JOIN(curve, verb) ecfit_##curve##_##verb
#define CALL(curve, verb) JOIN(curve, verb)
#define N BENCH_N
#define MESSAGE 32

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

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return (int)CALL(BENCH_CURVE, sign)(out, in, in + 2 * N, MESSAGE);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CALL(BENCH_CURVE, verify)(in, in + 2 * N, in + 3 * N, MESSAGE);
}
