/* adapter_steps.c - the operations of firmware/bench_op.h through operations in pieces, one unit at a time */
#include "bench_op.h"
#include "ecfit.h"

#define JOIN(curve, verb) ecfit_##curve##_##verb
#define CALL(curve, verb) JOIN(curve, verb)
#define DO(verb) CALL(BENCH_CURVE, verb)
#define N BENCH_N
#define P (1 + 2 * BENCH_F)

static int fill(void *context, uint8_t *out, size_t size)
{
    (void)context;
    return bench_random(out, size);
}

static const ecfit_rng rng = {fill, NULL};
static DO(task) task;

static void run(void)
{
    while (DO(step)(&task, 1) == ECFIT_MORE) {
    }
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    (void)DO(keygen_start)(&task, &rng);
    run();
    return (int)DO(keygen_finish)(out + N, out, &task);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    (void)DO(ecdh_start)(&task, in, in + N, &rng);
    run();
    return (int)DO(ecdh_finish)(out, &task);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    (void)DO(ecdsa_sign_start)(&task, in, in + N, 32, &rng);
    run();
    return (int)DO(ecdsa_sign_finish)(out, &task);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    (void)DO(ecdsa_verify_start)(&task, in, in + 2 * N, in + 2 * N + P, 32);
    run();
    return (int)DO(ecdsa_verify_finish)(&task);
}
