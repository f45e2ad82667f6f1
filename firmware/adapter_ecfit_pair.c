/* adapter_ecfit_pair.c - the operations of bench_op.h on this library with SIGN = eddsa_pair:
 * as of adapter_ecfit_edwards.c, but signing with a key pair.
 *
 * The simulator's runner calls bench_prepare_sign before each call of bench_sign and counts it
 * apart; where nobody does, as on a host, a signature counts with the making of the pair. */
#include "adapter_ecfit.h"

#define MESSAGE 32

static uint8_t pair[3 * N];
static int prepared;

/* Makes the key pair of the private key in the input of `sign`. */
int bench_prepare_sign(uint8_t *out, const uint8_t *in)
{
    (void)out;
    prepared = 1;
    return (int)CURVE(_key_pair)(pair, in);
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return (int)CURVE(_keygen)(out + N, out, &rng);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    int status = prepared ? 0 : bench_prepare_sign(out, in);
    prepared = 0;
    for (size_t i = 0; i < N; i++) {
        pair[i] = in[i]; /* what `ecfit ct` marks as secret */
    }
    return status != 0 ? status : (int)CURVE(_sign_pair)(out, pair, in + 2 * N, MESSAGE);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return (int)CURVE(_verify)(in, in + 2 * N, in + 3 * N, MESSAGE);
}
