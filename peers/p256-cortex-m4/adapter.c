/* adapter.c (P256-Cortex-M4) - the operations of bench_op.h on P256-Cortex-M4.
 *
 * Numbers are eight little-endian words there, big-endian bytes here.
 * Keys and nonces are random numbers that the library refuses when they are out of range:
 * draw again then, as its documentation shows. */
#include <string.h>

#include "bench_op.h"
#include "p256-cortex-m4.h"

#define N 32

static void convert(void *out, const void *in)
{
    p256_convert_endianness(out, in, N);
}

#if include_p256_keygen
int bench_keygen(uint8_t *out, const uint8_t *in)
{
    uint32_t key[8], x[8], y[8];
    (void)in;
    do {
        if (bench_random((uint8_t *)key, sizeof key))
            return 1;
    } while (!p256_keygen(x, y, key));
    convert(out, key);
    p256_point_to_octet_string_uncompressed(out + N, x, y);
    return 0;
}
#endif

#if include_p256_ecdh
int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    uint32_t key[8], x[8], y[8];
    convert(key, in);
    if (in[N] != 4)
        return 1;
    convert(x, in + N + 1);
    convert(y, in + 2 * N + 1);
    return !p256_ecdh_calc_shared_secret(out, key, x, y);
}
#endif

#if include_p256_sign
int bench_sign(uint8_t *out, const uint8_t *in)
{
    uint32_t key[8], nonce[8], r[8], s[8];
    convert(key, in);
    do {
        if (bench_random((uint8_t *)nonce, sizeof nonce))
            return 1;
    } while (!p256_sign(r, s, in + N, 32, key, nonce));
    convert(out, r);
    convert(out + N, s);
    return 0;
}
#endif

#if include_p256_verify
int bench_verify(uint8_t *out, const uint8_t *in)
{
    const uint8_t *point = in + 2 * N;
    uint32_t r[8], s[8], x[8], y[8];
    (void)out;
    convert(r, in);
    convert(s, in + N);
    if (point[0] != 4)
        return 1;
    convert(x, point + 1);
    convert(y, point + 1 + N);
    return !p256_verify(x, y, point + 1 + 2 * N, 32, r, s);
}
#endif
