/* tinycrypt.c - the hash of TinyCrypt, on ecfit; P-256 is compat/uecc/uECC.c */
#include "tinycrypt/sha256.h"

int tc_sha256_init(TCSha256State_t s)
{
    if (s == NULL) {
        return TC_CRYPTO_FAIL;
    }
    ecfit_sha256_start(&s->context);
    return TC_CRYPTO_SUCCESS;
}

int tc_sha256_update(TCSha256State_t s, const uint8_t *data, size_t datalen)
{
    if (s == NULL || data == NULL) {
        return TC_CRYPTO_FAIL;
    }
    ecfit_sha256_update(&s->context, data, datalen);
    return TC_CRYPTO_SUCCESS;
}

int tc_sha256_final(uint8_t *digest, TCSha256State_t s)
{
    if (s == NULL || digest == NULL) {
        return TC_CRYPTO_FAIL;
    }
    ecfit_sha256_finish(digest, &s->context);
    return TC_CRYPTO_SUCCESS;
}
