/* adapter_ecfit_steps.c - the operations of bench_op.h on this library with RESUME = steps,
 * one unit at a time; `ecfit ct` checks them. */
#include "adapter_ecfit.h"

static CURVE(_task) task;

static void run(void)
{
    while (CURVE(_step)(&task, 1) == ECFIT_MORE) {
    }
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    (void)CURVE(_keygen_start)(&task, &rng);
    run();
    return (int)CURVE(_keygen_finish)(out + N, out, &task);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    (void)CURVE(_ecdh_start)(&task, in, in + N, &rng);
    run();
    return (int)CURVE(_ecdh_finish)(out, &task);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    (void)CURVE(_ecdsa_sign_start)(&task, in, in + N, 32, &rng);
    run();
    return (int)CURVE(_ecdsa_sign_finish)(out, &task);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    (void)CURVE(_ecdsa_verify_start)(&task, in, in + 2 * N, in + 2 * N + P, 32);
    run();
    return (int)CURVE(_ecdsa_verify_finish)(&task);
}
