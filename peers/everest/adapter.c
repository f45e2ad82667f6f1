/* adapter.c (Everest) - the operations of bench_op.h on Everest's X25519.
 *
 * Its header asks for a 128-bit integer even where its code does without,
 * so the prototype stands here. */
#include "bench_op.h"

void Hacl_Curve25519_crypto_scalarmult(uint8_t *out, uint8_t *secret, uint8_t *point);

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    uint8_t base[32] = {9};
    (void)in;
    if (bench_random(out, 32) != 0)
        return 1;
    Hacl_Curve25519_crypto_scalarmult(out + 32, out, base);
    return 0;
}

/* The inputs are copied: the function takes them as changeable. */
int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    uint8_t copy[64];
    for (unsigned i = 0; i < sizeof copy; i++)
        copy[i] = in[i];
    Hacl_Curve25519_crypto_scalarmult(out, copy, copy + 32);
    return 0;
}
