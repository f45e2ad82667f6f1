/* adapter.c (null) - every operation, doing nothing: the image that is subtracted
 * from the others. */
#include "bench_op.h"

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)out;
    (void)in;
    return 0;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return bench_keygen(out, in);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return bench_keygen(out, in);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    return bench_keygen(out, in);
}
