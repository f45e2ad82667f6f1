/* adapter.c (x25519-cortex-m4) - the operations of bench_op.h on X25519-Cortex-M4. */
#include "bench_op.h"

/* CT: yes, but with LOADS=secret the address of a load depends on the scalar. */
void curve25519_scalarmult(uint8_t result[32], const uint8_t scalar[32], const uint8_t point[32]);

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    static const uint8_t base[32] = {9};
    (void)in;
    if (bench_random(out, 32) != 0)
        return 1;
    curve25519_scalarmult(out + 32, out, base);
    return 0;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    curve25519_scalarmult(out, in, in + 32);
    return 0;
}
