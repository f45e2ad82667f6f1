/* adapter.c (mldsa-native) - the operations of bench_op.h on mldsa-native: pure ML-DSA, hedged,
 * with an empty context. */
#include "bench_op.h"
#include "mldsa_native.h"

#define MESSAGE 32

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return mldsa_keypair(out + BENCH_N, out);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return mldsa_signature(out, in + BENCH_N, MESSAGE, NULL, 0, in);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    const uint8_t *key = in + BENCH_S;
    (void)out;
    return mldsa_verify(in, key + BENCH_P, MESSAGE, NULL, 0, key);
}
