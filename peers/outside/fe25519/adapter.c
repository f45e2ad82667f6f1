/* adapter.c (fe25519) - the operations of bench_op.h on fe25519. */
#include "bench_op.h"

#include "include/crypto_scalarmult.h"

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    if (bench_random(out, 32) != 0)
        return 1;
    return crypto_scalarmult_base_curve25519(out + 32, out);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return crypto_scalarmult_curve25519(out, in, in + 32);
}
