/* adapter_ecfit_montgomery.c - the operations of bench_op.h on this library,
 * for X25519 and X448. */
#include "adapter_ecfit.h"

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return (int)CURVE(_keygen)(out + N, out, &rng);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE()(out, in, in + N);
}
