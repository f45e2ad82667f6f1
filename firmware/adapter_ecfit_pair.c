/* adapter_ecfit_pair.c - the operations of bench_op.h on this library with SIGN = eddsa_pair:
 * as of adapter_ecfit_edwards.c, but signing with a key pair.
 *
 * The pair is made once, before (bench_prepare_sign), which is counted apart. */
#include "adapter_ecfit.h"

#define MESSAGE 32

static uint8_t pair[3 * N];

/* Makes the key pair of the private key in the input of `sign`. */
int bench_prepare_sign(const uint8_t *in)
{
    return (int)CURVE(_key_pair)(pair, in);
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return (int)CURVE(_keygen)(out + N, out, &rng);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    for (size_t i = 0; i < N; i++) {
        pair[i] = in[i]; /* what `ecfit ct` marks as secret */
    }
    return (int)CURVE(_sign_pair)(out, pair, in + 2 * N, MESSAGE);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CURVE(_verify)(in, in + 2 * N, in + 3 * N, MESSAGE);
}
