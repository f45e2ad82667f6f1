/* adapter.c (TweetNaCl) - the operations of bench_op.h on TweetNaCl, for X25519 and Ed25519.
 *
 * Its signatures are signed messages, signature||message, so buffers of 96 bytes stand between. */
#include <string.h>

#include "bench_op.h"
#include "tweetnacl.h"

#define MESSAGE 32
#define SIGNED (64 + MESSAGE)
#define x25519 1 /* so that BENCH_CURVE can be compared */
#define ed25519 2

void randombytes(uint8_t *out, unsigned long long size);

void randombytes(uint8_t *out, unsigned long long size)
{
    (void)bench_random(out, (size_t)size);
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
#if BENCH_CURVE == x25519
    return crypto_box_keypair(out + 32, out);
#else
    uint8_t private[64];
    if (crypto_sign_keypair(out + 32, private))
        return 1;
    memcpy(out, private, 32);
    return 0;
#endif
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return crypto_scalarmult(out, in, in + 32);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    uint8_t signature[SIGNED];
    unsigned long long size;
    if (crypto_sign(signature, &size, in + 64, MESSAGE, in)) /* in is seed||public||message */
        return 1;
    memcpy(out, signature, 64);
    return 0;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    uint8_t message[SIGNED];
    uint8_t signature[SIGNED];
    unsigned long long size;
    (void)out;
    memcpy(signature, in, 64);
    memcpy(signature + 64, in + 96, MESSAGE);
    return crypto_sign_open(message, &size, signature, SIGNED, in + 64);
}
