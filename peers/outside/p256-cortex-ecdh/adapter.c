/* adapter.c (P256-cortex-ecdh) - the operations of bench_op.h on P256-cortex-ecdh.
 *
 * Its numbers are little-endian bytes. Its key generation refuses a key that is out of range:
 * draw again then, as its documentation shows. */
#include "bench_op.h"

#include "P256-cortex-ecdh.h"

#define N 32

static void reversed(uint8_t *out, const uint8_t *in)
{
    for (unsigned i = 0; i < N; i++)
        out[i] = in[N - 1 - i];
}

static void reverse(uint8_t *number)
{
    for (unsigned i = 0; i < N / 2; i++) {
        uint8_t byte = number[i];
        number[i] = number[N - 1 - i];
        number[N - 1 - i] = byte;
    }
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    do {
        if (bench_random(out, N) != 0)
            return 1;
    } while (!P256_ecdh_keygen(out + N + 1, out));
    reverse(out);
    out[N] = 4;
    reverse(out + N + 1);
    reverse(out + 2 * N + 1);
    return 0;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    uint8_t key[N];
    uint8_t point[2 * N];
    if (in[N] != 4)
        return 1;
    reversed(key, in);
    reversed(point, in + N + 1);
    reversed(point + N, in + 2 * N + 1);
    if (!P256_ecdh_shared_secret(out, point, key))
        return 1;
    reverse(out);
    return 0;
}
