/* adapter.c (BearSSL) - the operations of bench_op.h on BearSSL.
 *
 * BearSSL checks the points that it is given, and that a private key of ECDSA is in range. */
#include <string.h>

#include "bench_op.h"
#include "bearssl.h"

#define F BENCH_F
#define N BENCH_N
#define POINT (1 + 2 * F)

/* The implementation of each curve, by the option IMPLEMENTATION. */
#define EC_secp256r1_i15 br_ec_prime_i15
#define EC_secp256r1_i31 br_ec_prime_i31
#define EC_secp256r1_m15 br_ec_p256_m15
#define EC_secp256r1_m31 br_ec_p256_m31
#define EC_secp384r1_i15 br_ec_prime_i15
#define EC_secp384r1_i31 br_ec_prime_i31
#define EC_secp384r1_m15 br_ec_prime_i15
#define EC_secp384r1_m31 br_ec_prime_i31
#define EC_secp521r1_i15 br_ec_prime_i15
#define EC_secp521r1_i31 br_ec_prime_i31
#define EC_secp521r1_m15 br_ec_prime_i15
#define EC_secp521r1_m31 br_ec_prime_i31
#define EC_x25519_i15 br_ec_c25519_i15
#define EC_x25519_i31 br_ec_c25519_i31
#define EC_x25519_m15 br_ec_c25519_m15
#define EC_x25519_m31 br_ec_c25519_m31
#define ID_secp256r1 BR_EC_secp256r1
#define ID_secp384r1 BR_EC_secp384r1
#define ID_secp521r1 BR_EC_secp521r1
#define ID_x25519 BR_EC_curve25519

#define JOIN2(a, b) a##b
#define JOIN3(a, b, c) a##b##_##c
#define NAME2(a, b) JOIN2(a, b)
#define NAME3(a, b, c) JOIN3(a, b, c)
#define EC NAME3(EC_, BENCH_CURVE, BEAR_CODE)
#define ID NAME2(ID_, BENCH_CURVE)
#define IS_X25519 (ID == BR_EC_curve25519)
#define SIGN NAME3(br_ecdsa_, BEAR_INTEGERS, sign_raw)
#define VERIFY NAME3(br_ecdsa_, BEAR_INTEGERS, vrfy_raw)

/* The harness's generator as one of the library's; `failed` once it gave less than was asked. */
struct source {
    const br_prng_class *vtable;
    int failed;
};

static void generate(const br_prng_class **const context, void *const out, const size_t size)
{
    struct source *const source = (struct source *)context;
    source->failed |= bench_random(out, size) != 0;
}

static const br_prng_class source_class = {
    .context_size = sizeof(struct source),
    .generate = generate,
};

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    struct source source = {&source_class, 0};
    br_ec_private_key key;
    (void)in;
    return br_ec_keygen(&source.vtable, &EC, &key, out, ID) != N || source.failed ||
           br_ec_compute_pub(&EC, NULL, out + N, &key) != (IS_X25519 ? F : POINT);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    if (IS_X25519) {
        memcpy(out, in + N, F);
        return EC.mul(out, F, in, N, ID) != 1;
    }
    uint8_t point[POINT];
    memcpy(point, in + N, POINT);
    if (EC.mul(point, POINT, in, N, ID) != 1)
        return 1;
    memcpy(out, point + 1, F);
    return 0;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    uint8_t d[N];
    memcpy(d, in, N);
    const br_ec_private_key key = {.curve = ID, .x = d, .xlen = N};
    return SIGN(&EC, &br_sha256_vtable, in + N, &key, out) != 2 * N;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    uint8_t point[POINT];
    (void)out;
    memcpy(point, in + 2 * N, POINT);
    const br_ec_public_key key = {.curve = ID, .q = point, .qlen = POINT};
    return VERIFY(&EC, in + 2 * N + POINT, 32, &key, in, 2 * N) != 1;
}
