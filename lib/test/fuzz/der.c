/* der.c - fuzz target: signatures from DER and to DER */
#include "fuzz.h"

/* What OpenSSL makes of it, when that is what it would write itself
 * and both numbers are in range. */
static int decode(const fuzz_curve *c, uint8_t *out, const uint8_t *der, size_t size)
{
    const uint8_t *at = der;
    uint8_t *written = NULL;
    ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &at, (long)size);
    const BIGNUM *n = EC_GROUP_get0_order(fuzz_group(c)), *r, *s;
    int length, valid = 0;
    if (pair != NULL) {
        ECDSA_SIG_get0(pair, &r, &s);
        length = i2d_ECDSA_SIG(pair, &written);
        valid = length == (int)size && memcmp(written, der, size) == 0 && !BN_is_negative(r) &&
                !BN_is_negative(s) && !BN_is_zero(r) && !BN_is_zero(s) && BN_cmp(r, n) < 0 &&
                BN_cmp(s, n) < 0;
        if (valid) {
            (void)BN_bn2binpad(r, out, (int)c->n);
            (void)BN_bn2binpad(s, out + c->n, (int)c->n);
        }
        OPENSSL_free(written);
        ECDSA_SIG_free(pair);
    }
    return valid;
}

static void check(const fuzz_curve *c, const uint8_t *bytes, size_t size)
{
    uint8_t wanted[2 * FUZZ_N] = {0}, *der = fuzz_copy(bytes, size),
                       *out = fuzz_copy(wanted, 2 * c->n);
    uint8_t again[ECFIT_DER_MAX(FUZZ_N)];
    size_t again_size;
    int valid = decode(c, wanted, der, size);
    FUZZ_CHECK(c, c->from_der(out, der, size) == (valid ? ECFIT_OK : ECFIT_BAD_SIGNATURE));
    FUZZ_CHECK(c, memcmp(out, wanted, 2 * c->n) == 0);
    if (valid) {
        FUZZ_CHECK(c, c->to_der(again, &again_size, out) == ECFIT_OK);
        FUZZ_CHECK(c, again_size == size && memcmp(again, der, size) == 0);
    }
    free(der);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const fuzz_curve *c = fuzz_choose(&in);
    uint8_t raw[2 * FUZZ_N], *pair, *der = malloc(ECFIT_DER_MAX(c->n));
    size_t der_size;
    BIGNUM *r, *s;
    int valid;
    if (size > 0) {
        check(c, data + 1, size - 1);
    }
    fuzz_bytes(&in, raw, 2 * c->n);
    pair = fuzz_copy(raw, 2 * c->n);
    r = fuzz_scalar(c, pair);
    s = fuzz_scalar(c, pair + c->n);
    valid = r != NULL && s != NULL;
    FUZZ_CHECK(c, c->to_der(der, &der_size, pair) == (valid ? ECFIT_OK : ECFIT_BAD_SIGNATURE));
    FUZZ_CHECK(c, (der_size > 0) == valid && der_size <= ECFIT_DER_MAX(c->n));
    if (valid) {
        fuzz_damage(&in, der, der_size);
        check(c, der, der_size);
    }
    BN_free(r);
    BN_free(s);
    free(pair);
    free(der);
    return 0;
}
