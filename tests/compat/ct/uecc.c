/* uecc.c - the adapter of peers/micro-ecc with the other way to sign, for test_constant_time.py */
#include "ecfit.h"

#define bench_sign sign_with_random
#include "adapter_micro_ecc.c"
#undef bench_sign

typedef struct {
    uECC_HashContext uecc;
    ecfit_sha256_context sha;
} hash;

static void init(const uECC_HashContext *h)
{
    ecfit_sha256_start(&((hash *)h)->sha);
}

static void update(const uECC_HashContext *h, const uint8_t *data, unsigned size)
{
    ecfit_sha256_update(&((hash *)h)->sha, data, size);
}

static void finish(const uECC_HashContext *h, uint8_t *out)
{
    ecfit_sha256_finish(out, &((hash *)h)->sha);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    uint8_t room[2 * 32 + 64];
    hash h = {{init, update, finish, 64, 32, room}, {{0}}};
    (void)sign_with_random;
    if (!uECC_sign_deterministic(in, in + N, 32, &h.uecc, out, CURVE))
        return 1;
    widen(out);
    return 0;
}
