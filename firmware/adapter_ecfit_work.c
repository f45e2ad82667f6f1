/* adapter_ecfit_work.c - the operations of bench_op.h on this library with WORK = caller:
 * the state of an operation is here, in static RAM. */
#include "adapter_ecfit.h"

__attribute__((section(".bss.caller"))) static CURVE(_task) work; /* counted as RAM */

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return (int)CURVE(_keygen_in)(out + N, out, &rng, &work);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_ecdh_in)(out, in, in + N, &rng, &work);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_ecdsa_sign_in)(out, in, in + N, 32, &rng, &work);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CURVE(_ecdsa_verify_in)(in, in + 2 * N, in + 2 * N + P, 32, &work);
}
