/* keys.c - fuzz target: keygen, public_key, compress, decompress */
#include "fuzz.h"

static void check_public_key(const fuzz_curve *c, const uint8_t *key)
{
    uint8_t wanted[FUZZ_P], *d = fuzz_copy(key, c->n), *q = fuzz_copy(wanted, 1 + 2 * c->f);
    BIGNUM *k = fuzz_scalar(c, key);
    ecfit_status status = c->public_key(q, d, NULL);
    FUZZ_CHECK(c, status == (k == NULL ? ECFIT_BAD_PRIVATE_KEY : ECFIT_OK));
    if (k == NULL) {
        FUZZ_CHECK(c, fuzz_zero(q, 1 + 2 * c->f));
    } else {
        fuzz_multiply(c, wanted, k, NULL);
        FUZZ_CHECK(c, memcmp(q, wanted, 1 + 2 * c->f) == 0);
    }
    BN_free(k);
    free(d);
    free(q);
}

static void check_decompress(const fuzz_curve *c, const uint8_t *bytes)
{
    uint8_t wanted[FUZZ_P], *in = fuzz_copy(bytes, 1 + c->f),
                            *out = fuzz_copy(wanted, 1 + 2 * c->f), again[1 + FUZZ_F];
    EC_POINT *point = EC_POINT_new(fuzz_group(c));
    int valid = (in[0] == 2 || in[0] == 3) &&
                EC_POINT_oct2point(fuzz_group(c), point, in, 1 + c->f, NULL) == 1;
    ecfit_status status = c->decompress(out, in);
    FUZZ_CHECK(c, status == (valid ? ECFIT_OK : ECFIT_BAD_PUBLIC_KEY));
    if (valid) {
        (void)EC_POINT_point2oct(fuzz_group(c), point, POINT_CONVERSION_UNCOMPRESSED, wanted,
                                 sizeof wanted, NULL);
        FUZZ_CHECK(c, memcmp(out, wanted, 1 + 2 * c->f) == 0);
        FUZZ_CHECK(c, c->compress(again, out) == ECFIT_OK && memcmp(again, in, 1 + c->f) == 0);
    } else {
        FUZZ_CHECK(c, fuzz_zero(out, 1 + 2 * c->f));
    }
    EC_POINT_free(point);
    free(in);
    free(out);
}

static void check_compress(const fuzz_curve *c, fuzz_input *in)
{
    uint8_t q[FUZZ_P], out[1 + FUZZ_F];
    BIGNUM *k = BN_new();
    EC_POINT *point;
    (void)BN_set_word(k, 1u + fuzz_byte(in));
    fuzz_multiply(c, q, k, NULL);
    fuzz_damage(in, q, 1 + 2 * c->f);
    point = fuzz_point(c, q);
    FUZZ_CHECK(c, c->compress(out, q) == (point == NULL ? ECFIT_BAD_PUBLIC_KEY : ECFIT_OK));
    FUZZ_CHECK(c, point == NULL
                      ? fuzz_zero(out, 1 + c->f)
                      : out[0] == 2 + (q[2 * c->f] & 1) && memcmp(out + 1, q + 1, c->f) == 0);
    EC_POINT_free(point);
    BN_free(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const ecfit_rng rng = {fuzz_fill, &in};
    const fuzz_curve *c = fuzz_choose(&in);
    uint8_t bytes[1 + FUZZ_F], q[FUZZ_P], d[FUZZ_N];
    static uint64_t task[FUZZ_TASK / 8];
    int in_work; /* in a work area of ours */
    fuzz_bytes(&in, bytes, 1 + c->f);
    check_public_key(c, bytes);
    check_decompress(c, bytes);
    bytes[0] = 2 + (bytes[0] & 1);
    check_decompress(c, bytes);
    check_compress(c, &in);
    in_work = fuzz_byte(&in) & 1;
    if ((in_work ? c->keygen_in(q, d, &rng, task) : c->keygen(q, d, &rng)) == ECFIT_OK) {
        check_public_key(c, d);
        FUZZ_CHECK(c, fuzz_point(c, q) != NULL || q[0] != 4);
    } else {
        FUZZ_CHECK(c, fuzz_zero(d, c->n) && fuzz_zero(q, 1 + 2 * c->f));
    }
    return 0;
}
