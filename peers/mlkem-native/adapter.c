/* adapter.c (mlkem-native) - the operations of bench_op.h on mlkem-native, which checks keys
 * as FIPS 203 asks to. */
#include "bench_op.h"
#include "mlkem_native.h"

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    return mlkem_keypair(out + BENCH_N, out);
}

int bench_encaps(uint8_t *out, const uint8_t *in)
{
    return mlkem_enc(out, out + BENCH_C, in);
}

int bench_decaps(uint8_t *out, const uint8_t *in)
{
    return mlkem_dec(out, in + BENCH_N, in);
}
