/* exchange.c - fuzz target: X25519 and X448 with any bytes as keys */
#include <openssl/evp.h>

#include "fuzz.h"

typedef struct exchange {
    const char *name;
    int type;
    size_t size;
    ecfit_status (*share)(uint8_t *, const uint8_t *, const uint8_t *);
    ecfit_status (*public_key)(uint8_t *, const uint8_t *);
    ecfit_status (*keygen)(uint8_t *, uint8_t *, const ecfit_rng *);
} exchange;

static const exchange exchanges[] = {
    {"x25519", EVP_PKEY_X25519, 32, ecfit_x25519, ecfit_x25519_public_key, ecfit_x25519_keygen},
    {"x448", EVP_PKEY_X448, 56, ecfit_x448, ecfit_x448_public_key, ecfit_x448_keygen},
};

/* out = OpenSSL's shared secret; returns 0 where it refuses. */
static int derive(const exchange *c, uint8_t *out, EVP_PKEY *key, const uint8_t *peer)
{
    EVP_PKEY *other = EVP_PKEY_new_raw_public_key(c->type, NULL, peer, c->size);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
    size_t size = c->size;
    int done = EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, other) == 1 &&
               EVP_PKEY_derive(ctx, out, &size) == 1;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(other);
    return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const ecfit_rng rng = {fuzz_fill, &in};
    const exchange *c = &exchanges[fuzz_byte(&in) & 1];
    uint8_t bytes[2 * 56], wanted[56] = {0}, *d, *q, *out = malloc(c->size);
    size_t length = c->size;
    EVP_PKEY *key;
    int done;
    fuzz_bytes(&in, bytes, 2 * c->size);
    d = fuzz_copy(bytes, c->size);
    q = fuzz_copy(bytes + c->size, c->size);
    key = EVP_PKEY_new_raw_private_key(c->type, NULL, d, c->size);
    FUZZ_CHECK(c, key != NULL && EVP_PKEY_get_raw_public_key(key, wanted, &length) == 1);
    FUZZ_CHECK(c, c->public_key(out, d) == ECFIT_OK && memcmp(out, wanted, c->size) == 0);
    done = derive(c, wanted, key, q);
    FUZZ_CHECK(c, c->share(out, d, q) == (done ? ECFIT_OK : ECFIT_BAD_PUBLIC_KEY));
    FUZZ_CHECK(c, done ? memcmp(out, wanted, c->size) == 0 : fuzz_zero(out, c->size));
    if (c->keygen(q, d, &rng) == ECFIT_OK) {
        FUZZ_CHECK(c, c->public_key(out, d) == ECFIT_OK && memcmp(out, q, c->size) == 0);
    } else {
        FUZZ_CHECK(c, fuzz_zero(q, c->size) && fuzz_zero(d, c->size));
    }
    EVP_PKEY_free(key);
    free(d);
    free(q);
    free(out);
    return 0;
}
