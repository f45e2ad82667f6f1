/* adapter.c (p256-m) - the operations of bench_op.h on p256-m.
 *
 * p256-m takes points as x||y without the lead byte, so P + 1 is handed over; it validates
 * every input by itself. Inside Mbed TLS it draws random bytes from psa_generate_random(),
 * which stands here. */
#include "bench_op.h"
#include "p256-m.h"

#define N 32

int psa_generate_random(uint8_t *out, size_t size);

int psa_generate_random(uint8_t *out, size_t size)
{
    return bench_random(out, size);
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    out[N] = 4;
    return p256_gen_keypair(out, out + N + 1);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return in[N] != 4 ? 1 : p256_ecdh_shared_secret(out, in, in + N + 1);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    return p256_ecdsa_sign(out, in, in + N, 32);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    const uint8_t *point = in + 2 * N + 1;
    (void)out;
    return in[2 * N] != 4 ? 1 : p256_ecdsa_verify(in, point, point + 2 * N, 32);
}
