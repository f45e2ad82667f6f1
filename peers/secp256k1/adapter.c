/* adapter.c (libsecp256k1) - the operations of bench_op.h on libsecp256k1.
 *
 * Verification takes signatures with the smaller s alone, so others are normalised first,
 * as its header advises. ECDH hands out the x coordinate instead of its hash.
 * BENCH_PREFIX is what the package puts before each name of the library. */
#include <string.h>

#include "bench_op.h"
#include "secp256k1.h"
#include "secp256k1_ecdh.h"
#include "secp256k1_preallocated.h"

#define JOIN(a, b) a##b
#define PREFIXED(a, b) JOIN(a, b)
#define S(name) PREFIXED(BENCH_PREFIX, name)
#define POINT 65

void S(default_illegal_callback_fn)(const char *text, void *data);
void S(default_error_callback_fn)(const char *text, void *data);

void S(default_illegal_callback_fn)(const char *text, void *data)
{
    (void)text;
    (void)data;
}

void S(default_error_callback_fn)(const char *text, void *data)
{
    (void)text;
    (void)data;
}

/* Room for a context; it takes 200 bytes or so. */
typedef struct {
    uint64_t bytes[64];
} room;

static S(context) * context(room *r)
{
    if (S(context_preallocated_size)(SECP256K1_CONTEXT_NONE) > sizeof *r)
        return NULL;
    return S(context_preallocated_create)(r, SECP256K1_CONTEXT_NONE);
}

static int x_alone(unsigned char *out, const unsigned char *x, const unsigned char *y, void *data)
{
    (void)y;
    (void)data;
    memcpy(out, x, 32);
    return 1;
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    room r;
    S(pubkey) key;
    size_t size = POINT;
    const S(context) *c = context(&r);
    (void)in;
    do {
        if (c == NULL || bench_random(out, 32) != 0)
            return 1;
    } while (!S(ec_seckey_verify)(c, out));
    return !S(ec_pubkey_create)(c, &key, out) ||
           !S(ec_pubkey_serialize)(c, out + 32, &size, &key, SECP256K1_EC_UNCOMPRESSED);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    S(pubkey) key;
    const S(context) *c = S(context_static);
    return !S(ec_pubkey_parse)(c, &key, in + 32, POINT) ||
           !S(ecdh)(c, out, &key, in, x_alone, NULL);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    room r;
    S(ecdsa_signature) signature;
    const S(context) *c = context(&r);
    if (c == NULL || !S(ecdsa_sign)(c, &signature, in + 32, in, NULL, NULL))
        return 1;
    return !S(ecdsa_signature_serialize_compact)(c, out, &signature);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    S(pubkey) key;
    S(ecdsa_signature) signature;
    const S(context) *c = S(context_static);
    (void)out;
    if (!S(ec_pubkey_parse)(c, &key, in + 64, POINT) ||
        !S(ecdsa_signature_parse_compact)(c, &signature, in))
        return 1;
    (void)S(ecdsa_signature_normalize)(c, &signature, &signature);
    return !S(ecdsa_verify)(c, &signature, in + 64 + POINT, &key);
}
