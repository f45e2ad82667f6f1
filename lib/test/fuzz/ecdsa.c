/* ecdsa.c - fuzz target: signing, and verification of damaged signatures in all its ways */
#include "fuzz.h"

static ecfit_status in_pieces(const fuzz_curve *c, fuzz_input *in, const uint8_t *signature,
                              const uint8_t *q, const uint8_t *hash, size_t size)
{
    void *task = calloc(1, c->task);
    ecfit_status status = c->verify_start(task, signature, q, hash, size);
    while (status == ECFIT_MORE) {
        status = c->step(task, 1u + fuzz_byte(in));
    }
    FUZZ_CHECK(c, c->verify_finish(task) == status);
    FUZZ_CHECK(c, c->verify_in(signature, q, hash, size, task) == status);
    free(task);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const fuzz_curve *c = fuzz_choose(&in);
    uint8_t bytes[FUZZ_N], made[2 * FUZZ_N] = {0}, pair[2 * FUZZ_N], point[FUZZ_P] = {0},
                                    digest[80];
    size_t digest_size = fuzz_byte(&in) % (sizeof digest + 1);
    uint8_t *d, *hash, *signature, *q;
    uint8_t ways = fuzz_byte(&in) % 8; /* 1: in pieces as well, 2: the hardened function as well */
    BIGNUM *k;
    ecfit_status status, wanted;
    fuzz_bytes(&in, bytes, c->n);
    fuzz_bytes(&in, digest, digest_size);
    d = fuzz_copy(bytes, c->n);
    hash = fuzz_copy(digest, digest_size);
    k = fuzz_scalar(c, bytes);

    signature = fuzz_copy(made, 2 * c->n);
    status = c->sign(signature, d, hash, digest_size, NULL);
    wanted = k == NULL ? ECFIT_BAD_PRIVATE_KEY : ECFIT_OK;
    FUZZ_CHECK(c, status == (fuzz_takes(c, hash, digest_size) ? wanted : ECFIT_BAD_HASH));
    memcpy(made, signature, 2 * c->n);
    if (status == ECFIT_OK && ways == 1) {
        void *task = calloc(1, c->task);
        ecfit_status pieces = c->sign_start(task, d, hash, digest_size, NULL);
        while (pieces == ECFIT_MORE) {
            pieces = c->step(task, 1u + fuzz_byte(&in));
        }
        FUZZ_CHECK(c, c->sign_finish(pair, task) == ECFIT_OK && memcmp(pair, made, 2 * c->n) == 0);
        FUZZ_CHECK(c, c->sign_in(pair, d, hash, digest_size, NULL, task) == ECFIT_OK);
        FUZZ_CHECK(c, memcmp(pair, made, 2 * c->n) == 0);
        free(task);
    }
    if (status == ECFIT_OK) {
        fuzz_multiply(c, point, k, NULL);
        FUZZ_CHECK(c, fuzz_verdict(c, made, point, hash, digest_size) == ECFIT_OK);
    } else {
        FUZZ_CHECK(c, fuzz_zero(made, 2 * c->n));
    }

    fuzz_damage(&in, signature, 2 * c->n);
    fuzz_damage(&in, point, 1 + 2 * c->f);
    if (digest_size > 0) {
        fuzz_damage(&in, hash, digest_size);
    }
    q = fuzz_copy(point, 1 + 2 * c->f);
    wanted = fuzz_verdict(c, signature, q, hash, digest_size);
    FUZZ_CHECK(c, c->verify(signature, q, hash, digest_size) == wanted);
    FUZZ_CHECK(c, ways != 2 || (c->hardened(signature, q, hash, digest_size) == ECFIT_VERIFIED) ==
                                   (wanted == ECFIT_OK && digest_size >= ECFIT_HARDENED_HASH_MIN));
    FUZZ_CHECK(c, ways != 1 || in_pieces(c, &in, signature, q, hash, digest_size) == wanted);
    BN_free(k);
    free(d);
    free(hash);
    free(signature);
    free(q);
    return 0;
}
