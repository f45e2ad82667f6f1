/* adapter_ecfit_message.c - the operations of bench_op.h that are in an image only where they are
 * named, on this library, for any of its Weierstrass curves; beside the adapter of the others. */
#include "adapter_ecfit.h"

int bench_sign_message(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_ecdsa_sign_message)(out, in, in + N, 32, &rng);
}

int bench_verify_message(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CURVE(_ecdsa_verify_message)(in, in + 2 * N, in + 2 * N + P, 32);
}

int bench_sign_recoverable(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_ecdsa_sign_recoverable)(out, in, in + N, 32, &rng);
}

int bench_recover_key(uint8_t *out, const uint8_t *in)
{
    return (int)CURVE(_ecdsa_recover)(out, in, in + 2 * N + 1, 32);
}
