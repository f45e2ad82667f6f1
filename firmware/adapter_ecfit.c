/* adapter_ecfit.c - the operations of bench_op.h on this library, for any
 * of its Weierstrass curves. */
#include "adapter_ecfit.h"

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return (int)CURVE(_keygen)(out + N, out, &rng);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_ecdh)(out, in, in + N, &rng);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_ecdsa_sign)(out, in, in + N, 32, &rng);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CURVE(_ecdsa_verify)(in, in + 2 * N, in + 2 * N + P, 32);
}
