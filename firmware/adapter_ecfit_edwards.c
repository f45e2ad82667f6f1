/* adapter_ecfit_edwards.c - the operations of bench_op.h on this library, for Ed25519 and Ed448.
 *
 * The public key in the input of `sign` is not used: the library computes it. */
#include "adapter_ecfit.h"

#define MESSAGE 32

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return (int)CURVE(_keygen)(out + N, out, &rng);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_sign)(out, in, in + 2 * N, MESSAGE);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CURVE(_verify)(in, in + 2 * N, in + 3 * N, MESSAGE);
}
