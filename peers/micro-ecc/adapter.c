/* adapter.c (micro-ecc) - the operations of bench_op.h on micro-ecc.
 *
 * micro-ecc takes points as x||y without the lead byte, so P + 1 is handed over. uECC_shared_secret() does not check
 * the point it is given: the check is called first, as a careful user does. The random generator also blinds
 * uECC_shared_secret() and uECC_sign() (random initial Z), as its header advises. */
#include "bench_op.h"
#include "uECC.h"

#define F 32 /* size of a field element */
#define N 32 /* size of a scalar        */

static int random_bytes(uint8_t *out, unsigned size)
{
    return bench_random(out, size) == 0;
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    uECC_set_rng(random_bytes);
    out[N] = 4;
    return !uECC_make_key(out + N + 1, out, uECC_secp256r1());
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    const uint8_t *point = in + N + 1;
    uECC_set_rng(random_bytes);
    if (in[N] != 4 || !uECC_valid_public_key(point, uECC_secp256r1()))
        return 1;
    return !uECC_shared_secret(point, in, out, uECC_secp256r1());
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    uECC_set_rng(random_bytes);
    return !uECC_sign(in, in + N, 32, out, uECC_secp256r1());
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    const uint8_t *point = in + 2 * N + 1;
    (void)out;
    if (in[2 * N] != 4 || !uECC_valid_public_key(point, uECC_secp256r1()))
        return 1;
    return !uECC_verify(point, point + 2 * F, 32, in, uECC_secp256r1());
}
