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

static S(context) * kept; /* not before it is set up */

/* The context, on the heap, made once and blinded with random bytes, as the library's header
 * advises. */
static int set_up(void)
{
    uint8_t seed[32];
    kept = bench_calloc(1, S(context_preallocated_size)(SECP256K1_CONTEXT_NONE));
    if (kept == NULL || bench_random(seed, sizeof seed) != 0)
        return 1;
    kept = S(context_preallocated_create)(kept, SECP256K1_CONTEXT_NONE);
    return !S(context_randomize)(kept, seed);
}

int bench_prepare_keygen(const uint8_t *in)
{
    (void)in;
    return set_up();
}

int bench_prepare_sign(const uint8_t *in)
{
    (void)in;
    return set_up();
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
    S(pubkey) key;
    size_t size = POINT;
    (void)in;
    do {
        if (bench_random(out, 32) != 0)
            return 1;
    } while (!S(ec_seckey_verify)(kept, out));
    return !S(ec_pubkey_create)(kept, &key, out) ||
           !S(ec_pubkey_serialize)(kept, out + 32, &size, &key, SECP256K1_EC_UNCOMPRESSED);
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
    S(ecdsa_signature) signature;
    return !S(ecdsa_sign)(kept, &signature, in + 32, in, NULL, NULL) ||
           !S(ecdsa_signature_serialize_compact)(kept, out, &signature);
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
