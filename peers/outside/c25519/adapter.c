/* adapter.c (c25519) - the operations of bench_op.h on c25519. */
#include "bench_op.h"

#include "c25519.h"
#include "edsign.h"

#define KEY 32
#define SIGNATURE 64

#if defined(BENCH_C25519_X)

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    if (bench_random(out, KEY) != 0)
        return 1;
    c25519_prepare(out);
    c25519_smult(out + KEY, c25519_base_x, out);
    return 0;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    uint8_t key[KEY];
    memcpy(key, in, KEY);
    c25519_prepare(key);
    c25519_smult(out, in + KEY, key);
    return 0;
}

#else

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    if (bench_random(out, KEY) != 0)
        return 1;
    edsign_sec_to_pub(out + KEY, out);
    return 0;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    edsign_sign(out, in + KEY, in, in + KEY + KEY, KEY);
    return 0;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return !edsign_verify(in, in + SIGNATURE, in + SIGNATURE + KEY, KEY);
}

#endif
