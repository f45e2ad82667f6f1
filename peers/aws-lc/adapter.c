/* adapter.c (AWS-LC) - the operations of bench_op.h on libcrypto of AWS-LC, for the host.
 *
 * Short Weierstrass curves through EC_KEY; X25519 and Ed25519 through functions that take bytes.
 * With BENCH_KEYS_KEPT the EC_KEY of one input is made before, once: of ECDH and signing the
 * private key, of verification the public one. The other side's key of an exchange is new each
 * time. */
#include "bench_op.h"

#include <openssl/bn.h>
#include <openssl/curve25519.h>
#include <openssl/ec.h>
#include <openssl/ec_key.h>
#include <openssl/ecdh.h>
#include <openssl/ecdsa.h>
#include <openssl/nid.h>

#define F BENCH_F
#define N BENCH_N
#define POINT (1 + 2 * F)

#ifdef BENCH_NID

static EC_KEY *private_key(const uint8_t *in)
{
    EC_KEY *key = EC_KEY_new_by_curve_name(BENCH_NID);
    BIGNUM *d = BN_bin2bn(in, N, NULL);
    int good = key != NULL && d != NULL && EC_KEY_set_private_key(key, d) == 1;
    BN_clear_free(d);
    if (good)
        return key;
    EC_KEY_free(key);
    return NULL;
}

/* A public key, which EC_POINT_oct2point() finds to be on the curve, or NULL. The cofactor is 1:
 * that is enough. */
static EC_KEY *public_key(const uint8_t *in)
{
    EC_KEY *key = EC_KEY_new_by_curve_name(BENCH_NID);
    const EC_GROUP *group = key != NULL ? EC_KEY_get0_group(key) : NULL;
    EC_POINT *point = group != NULL ? EC_POINT_new(group) : NULL;
    int good = point != NULL && EC_POINT_oct2point(group, point, in, POINT, NULL) == 1 &&
               EC_KEY_set_public_key(key, point) == 1;
    EC_POINT_free(point);
    if (good)
        return key;
    EC_KEY_free(key);
    return NULL;
}

/* own_key(in) and their_key(in): a private and a public key of their bytes, or the one that is
 * kept; done_with(key) frees one that is not. */
#ifdef BENCH_KEYS_KEPT
static EC_KEY *kept;

static EC_KEY *kept_key(const uint8_t *in)
{
    (void)in;
    return kept;
}

static void keep_on(EC_KEY *key)
{
    (void)key;
}

static int keep(EC_KEY *key)
{
    EC_KEY_free(kept);
    kept = key;
    return kept == NULL;
}

int bench_prepare_ecdh(const uint8_t *in)
{
    return keep(private_key(in));
}

int bench_prepare_sign(const uint8_t *in)
{
    return keep(private_key(in));
}

int bench_prepare_verify(const uint8_t *in)
{
    return keep(public_key(in + 2 * N));
}

#define own_key kept_key
#define their_key kept_key
#define done_with keep_on
#else
#define own_key private_key
#define their_key public_key
#define done_with EC_KEY_free
#endif

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    EC_KEY *key = EC_KEY_new_by_curve_name(BENCH_NID);
    int good = key != NULL && EC_KEY_generate_key(key) == 1 &&
               BN_bn2binpad(EC_KEY_get0_private_key(key), out, N) == N &&
               EC_POINT_point2oct(EC_KEY_get0_group(key), EC_KEY_get0_public_key(key),
                                  POINT_CONVERSION_UNCOMPRESSED, out + N, POINT, NULL) == POINT;
    EC_KEY_free(key);
    return !good;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    EC_KEY *key = own_key(in);
    EC_KEY *peer = public_key(in + N);
    int good = key != NULL && peer != NULL &&
               ECDH_compute_key(out, F, EC_KEY_get0_public_key(peer), key, NULL) == F;
    EC_KEY_free(peer);
    done_with(key);
    return !good;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    EC_KEY *key = own_key(in);
    ECDSA_SIG *signature = key != NULL ? ECDSA_do_sign(in + N, 32, key) : NULL;
    int good = signature != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(signature), out, N) == N &&
               BN_bn2binpad(ECDSA_SIG_get0_s(signature), out + N, N) == N;
    ECDSA_SIG_free(signature);
    done_with(key);
    return !good;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    EC_KEY *key = their_key(in + 2 * N);
    ECDSA_SIG *signature = ECDSA_SIG_new();
    (void)ECDSA_SIG_set0(signature, BN_bin2bn(in, N, NULL), BN_bin2bn(in + N, N, NULL));
    int good = key != NULL && ECDSA_do_verify(in + 2 * N + POINT, 32, signature, key) == 1;
    ECDSA_SIG_free(signature);
    done_with(key);
    return !good;
}

#elif defined(BENCH_ED25519)

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    uint8_t pair[ED25519_PRIVATE_KEY_LEN];
    (void)in;
    if (bench_random(out, N) != 0)
        return -1;
    ED25519_keypair_from_seed(out + N, pair, out);
    return 0;
}

/* The library's private key is seed and public key, as they stand in the input. */
int bench_sign(uint8_t *out, const uint8_t *in)
{
    return ED25519_sign(out, in + 2 * N, 32, in) != 1;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    return ED25519_verify(in + 3 * N, 32, in, in + 2 * N) != 1;
}

#else

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    if (bench_random(out, N) != 0)
        return -1;
    X25519_public_from_private(out + N, out);
    return 0;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    return X25519(out, in, in + N) != 1;
}

#endif
