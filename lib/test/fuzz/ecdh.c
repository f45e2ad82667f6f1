/* ecdh.c - fuzz target: ECDH at once and in pieces, with damaged keys */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const fuzz_curve *c = fuzz_choose(&in);
    uint8_t bytes[FUZZ_N], point[FUZZ_P] = {0}, wanted[FUZZ_P], *d, *q, *z,
                           *task = calloc(1, c->task);
    BIGNUM *k, *peer = BN_new();
    EC_POINT *p;
    ecfit_status status, pieces;
    fuzz_bytes(&in, bytes, c->n);
    (void)BN_set_word(peer, 1u + fuzz_byte(&in) + 256u * fuzz_byte(&in));
    fuzz_multiply(c, point, peer, NULL);
    fuzz_damage(&in, point, 1 + 2 * c->f);
    d = fuzz_copy(bytes, c->n);
    q = fuzz_copy(point, 1 + 2 * c->f);
    z = fuzz_copy(wanted, c->f);
    k = fuzz_scalar(c, bytes);
    p = fuzz_point(c, point);

    status = c->ecdh(z, d, q, NULL);
    FUZZ_CHECK(c, status == (k == NULL   ? ECFIT_BAD_PRIVATE_KEY
                             : p == NULL ? ECFIT_BAD_PUBLIC_KEY
                                         : ECFIT_OK));
    memset(wanted, 0, sizeof wanted);
    if (status == ECFIT_OK) {
        fuzz_multiply(c, wanted, k, p);
    }
    FUZZ_CHECK(c, memcmp(z, wanted + 1, c->f) == 0);

    if (fuzz_byte(&in) % 8 == 1) {
        for (pieces = c->ecdh_start(task, d, q, NULL); pieces == ECFIT_MORE;) {
            pieces = c->step(task, 1u + fuzz_byte(&in));
        }
        FUZZ_CHECK(c, pieces == status);
        FUZZ_CHECK(c, c->ecdh_finish(z, task) == status && memcmp(z, wanted + 1, c->f) == 0);
        FUZZ_CHECK(c, fuzz_zero(task, c->task));
        FUZZ_CHECK(c,
                   c->ecdh_in(z, d, q, NULL, task) == status && memcmp(z, wanted + 1, c->f) == 0);
    }
    EC_POINT_free(p);
    BN_free(k);
    BN_free(peer);
    free(d);
    free(q);
    free(z);
    free(task);
    return 0;
}
