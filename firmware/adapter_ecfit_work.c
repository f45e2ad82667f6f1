/* adapter_ecfit_work.c - the operations of bench_op.h on this library with WORK = caller: the state of an operation is here, in static RAM. */
#include "bench_op.h"
#include "ecfit.h"

#define JOIN(curve, verb) ecfit_##curve##_##verb
#define CALL(curve, verb) JOIN(curve, verb)
#define N BENCH_N
#define P (1 + 2 * BENCH_F)

__attribute__((section(".bss.caller"))) static CALL(BENCH_CURVE, task) work; /* counted as RAM */

static int fill(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return bench_random(out, size);
}

static const ecfit_rng rng = {fill, NULL};

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return (int)CALL(BENCH_CURVE, keygen_in)(out + N, out, &rng, &work);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return (int)CALL(BENCH_CURVE, ecdh_in)(out, in, in + N, &rng, &work);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return (int)CALL(BENCH_CURVE, ecdsa_sign_in)(out, in, in + N, 32, &rng, &work);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CALL(BENCH_CURVE, ecdsa_verify_in)(in, in + 2 * N, in + 2 * N + P, 32, &work);
}
