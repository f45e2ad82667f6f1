/* eddsa.c - fuzz target: Ed25519 and Ed448, plain against OpenSSL;
 * with context and prehashed against themselves, for OpenSSL 3.0 has neither */
#include <openssl/evp.h>

#include "fuzz.h"

typedef struct eddsa {
    const char *name;
    int type;
    size_t size;
    ecfit_status (*public_key)(uint8_t *, const uint8_t *);
    ecfit_status (*sign)(uint8_t *, const uint8_t *, const uint8_t *, size_t);
    ecfit_status (*verify)(const uint8_t *, const uint8_t *, const uint8_t *, size_t);
    ecfit_status (*sign_ctx)(uint8_t *, const uint8_t *, const uint8_t *, size_t, const uint8_t *,
                             uint8_t);
    ecfit_status (*verify_ctx)(const uint8_t *, const uint8_t *, const uint8_t *, size_t,
                               const uint8_t *, uint8_t);
    ecfit_status (*sign_ph)(uint8_t *, const uint8_t *, const uint8_t *, const uint8_t *, uint8_t);
    ecfit_status (*verify_ph)(const uint8_t *, const uint8_t *, const uint8_t *, const uint8_t *,
                              uint8_t);
} eddsa;

#define ROW(c, type, size) \
    {#c, \
     type, \
     size, \
     ecfit_##c##_public_key, \
     ecfit_##c##_sign, \
     ecfit_##c##_verify, \
     ecfit_##c##_sign_ctx, \
     ecfit_##c##_verify_ctx, \
     ecfit_##c##_sign_ph, \
     ecfit_##c##_verify_ph},
static const eddsa schemes[] = {ROW(ed25519, EVP_PKEY_ED25519, 32) ROW(ed448, EVP_PKEY_ED448, 57)};

enum { B = 57, MESSAGE = 80 };

static int openssl_verify(const eddsa *c, const uint8_t *signature, const uint8_t *q,
                          const uint8_t *m, size_t size)
{
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(c->type, NULL, q, c->size);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    int valid = key != NULL && EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key) == 1 &&
                EVP_DigestVerify(ctx, signature, 2 * c->size, m, size) == 1;
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    return valid;
}

static void check_plain(const eddsa *c, fuzz_input *in, const uint8_t *d, const uint8_t *m,
                        size_t size)
{
    uint8_t wanted[2 * B], bytes[B], *q = malloc(c->size), *signature = malloc(2 * c->size);
    size_t length = c->size;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(c->type, NULL, d, c->size);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    int theirs, same_key;
    ecfit_status ours;
    FUZZ_CHECK(c, key != NULL && EVP_PKEY_get_raw_public_key(key, bytes, &length) == 1);
    FUZZ_CHECK(c, c->public_key(q, d) == ECFIT_OK && memcmp(q, bytes, c->size) == 0);
    length = sizeof wanted;
    FUZZ_CHECK(c, EVP_DigestSignInit(ctx, NULL, NULL, NULL, key) == 1);
    FUZZ_CHECK(c, EVP_DigestSign(ctx, wanted, &length, m, size) == 1 && length == 2 * c->size);
    FUZZ_CHECK(c, c->sign(signature, d, m, size) == ECFIT_OK &&
                      memcmp(signature, wanted, length) == 0);
    fuzz_damage(in, signature, 2 * c->size);
    fuzz_damage(in, q, c->size);
    same_key = memcmp(q, bytes, c->size) == 0;
    ours = c->verify(signature, q, m, size);
    theirs = openssl_verify(c, signature, q, m, size);
    FUZZ_CHECK(c, ours != ECFIT_OK || theirs); /* ours is the stricter about keys */
    FUZZ_CHECK(c, !same_key || ours == (theirs ? ECFIT_OK : ECFIT_BAD_SIGNATURE));
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
    free(q);
    free(signature);
}

static void check_variants(const eddsa *c, fuzz_input *in, const uint8_t *d, const uint8_t *m,
                           size_t size)
{
    uint8_t context[16], digest[64] = {0}, q[B], signature[2 * B], copy[2 * B];
    uint8_t context_size = 1 + fuzz_byte(in) % sizeof context;
    int changed;
    fuzz_bytes(in, context, sizeof context);
    memcpy(digest, m, size < sizeof digest ? size : sizeof digest);
    (void)c->public_key(q, d);
    FUZZ_CHECK(c, c->sign_ctx(signature, d, m, size, context, context_size) == ECFIT_OK);
    FUZZ_CHECK(c, c->verify_ctx(signature, q, m, size, context, context_size) == ECFIT_OK);
    FUZZ_CHECK(c, c->verify(signature, q, m, size) == ECFIT_BAD_SIGNATURE);
    FUZZ_CHECK(c, c->verify_ctx(signature, q, m, size, context, context_size - 1) ==
                      ECFIT_BAD_SIGNATURE);
    memcpy(copy, signature, sizeof copy);
    fuzz_damage(in, signature, 2 * c->size);
    changed = memcmp(copy, signature, 2 * c->size) != 0;
    FUZZ_CHECK(c, c->verify_ctx(signature, q, m, size, context, context_size) ==
                      (changed ? ECFIT_BAD_SIGNATURE : ECFIT_OK));
    FUZZ_CHECK(c, c->sign_ph(signature, d, digest, context, context_size) == ECFIT_OK);
    FUZZ_CHECK(c, c->verify_ph(signature, q, digest, context, context_size) == ECFIT_OK);
    FUZZ_CHECK(c, c->verify_ctx(signature, q, digest, sizeof digest, context, context_size) ==
                      ECFIT_BAD_SIGNATURE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    uint8_t head = fuzz_byte(&in), bytes[B], message[MESSAGE], *d, *m;
    const eddsa *c = &schemes[head & 1];
    size_t message_size = fuzz_byte(&in) % (MESSAGE + 1);
    fuzz_bytes(&in, bytes, c->size);
    fuzz_bytes(&in, message, message_size);
    d = fuzz_copy(bytes, c->size);
    m = fuzz_copy(message, message_size);
    if ((head & 6) == 6) {
        check_variants(c, &in, d, m, message_size);
    } else {
        check_plain(c, &in, d, m, message_size);
    }
    free(d);
    free(m);
    return 0;
}
