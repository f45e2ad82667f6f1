/* adapter.c (micro-ecc) - the operations of bench_op.h on micro-ecc, for any of its curves.
 *
 * micro-ecc takes points as x||y without the lead byte, so P + 1 is handed over.
 * uECC_shared_secret() does not check the point it is given: the check is called first,
 * as a careful user does. The random generator also blinds uECC_shared_secret()
 * and uECC_sign() (random initial Z), as its header advises. */
#include "bench_op.h"
#include "uECC.h"

#define JOIN(a, b) a##b
#define CALL(name) JOIN(uECC_, name)()
#define CURVE CALL(BENCH_CURVE)
#define F BENCH_F
#define N BENCH_N

/* micro-ecc writes r and s with F bytes each. The order of secp160r1 has a bit more, N = F + 1:
 * these two translate. Where N = F the compiler sees that there is nothing to do. */
static void widen(uint8_t *signature)
{
    for (unsigned i = F; N != F && i-- > 0;)
        signature[2 * N - F + i] = signature[F + i];
    for (unsigned i = F; N != F && i-- > 0;)
        signature[N - F + i] = signature[i];
    for (unsigned i = 0; i < N - F; i++)
        signature[i] = signature[N + i] = 0;
}

static const uint8_t *narrow(uint8_t *space, const uint8_t *signature)
{
    if (N == F)
        return signature;
    for (unsigned i = 0; i < F; i++) {
        space[i] = signature[N - F + i];
        space[F + i] = signature[2 * N - F + i];
    }
    return space;
}

static int random_bytes(uint8_t *out, unsigned size)
{
    return bench_random(out, size) == 0;
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    uECC_set_rng(random_bytes);
    out[N] = 4;
    return !uECC_make_key(out + N + 1, out, CURVE);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    const uint8_t *point = in + N + 1;
    uECC_set_rng(random_bytes);
    if (in[N] != 4 || !uECC_valid_public_key(point, CURVE))
        return 1;
    return !uECC_shared_secret(point, in, out, CURVE);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    uECC_set_rng(random_bytes);
    if (!uECC_sign(in, in + N, 32, out, CURVE))
        return 1;
    widen(out);
    return 0;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    const uint8_t *point = in + 2 * N + 1;
    uint8_t space[N == F ? 1 : 2 * F];
    (void)out;
    if (in[2 * N] != 4 || !uECC_valid_public_key(point, CURVE))
        return 1;
    return !uECC_verify(point, point + 2 * F, 32, narrow(space, in), CURVE);
}
