/* adapter.c (OpenSSL) - the operations of bench_op.h on libcrypto, for the host.
 *
 * Short Weierstrass curves through EC_KEY, which takes numbers as they are (deprecated
 * in OpenSSL 3, and there); X25519, X448, Ed25519 and Ed448 through EVP_PKEY. With BENCH_KEYS_KEPT
 * the key objects of one input are made before, once: of ECDH and signing the private key,
 * of verification the public one. The other side's key of an exchange is new each time. */
#define OPENSSL_API_COMPAT 0x10100000L
#include <stdio.h>
#include <string.h>

#include "bench_op.h"

#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdh.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/opensslv.h>

#define F BENCH_F
#define N BENCH_N
#define POINT (1 + 2 * F)

/* What runs: the version of the library that is loaded, who built it, and whether it computes on
 * this curve by the code that it has for any curve. */
const char *bench_version(void);
const char *bench_version(void)
{
    static char text[128];
#ifdef BENCH_RAW
    const char *code = "";
#else
    EC_GROUP *group = EC_GROUP_new_by_curve_name(BENCH_NID);
    const char *code =
        group != NULL && EC_GROUP_method_of(group) == EC_GFp_mont_method() ? ", generic code" : "";
    EC_GROUP_free(group);
#endif
    const char *version = OpenSSL_version(OPENSSL_VERSION);
    const char *platform = OpenSSL_version(OPENSSL_PLATFORM);
    (void)snprintf(text, sizeof text, "%.*s, %s%s", (int)strcspn(version + 8, " "), version + 8,
                   platform + strspn(platform, "platform: "), code);
    return text;
}

/* own_key(in) and their_key(in): a private and a public key of their bytes, or the one that is
 * kept; done_with(key) frees one that is not. */
#ifdef BENCH_KEYS_KEPT
#define KEYS(type, release, make_own, make_their) \
    static type *kept; \
    static type *own_key(const uint8_t *in) \
    { \
        (void)in; \
        return kept; \
    } \
    static type *their_key(const uint8_t *in) \
    { \
        (void)in; \
        return kept; \
    } \
    static void done_with(type *key) \
    { \
        (void)key; \
    } \
    static int keep(type *key) \
    { \
        release(kept); \
        kept = key; \
        return kept == NULL; \
    } \
    int bench_prepare_ecdh(const uint8_t *in) \
    { \
        return keep(make_own(in)); \
    } \
    int bench_prepare_sign(const uint8_t *in) \
    { \
        return keep(make_own(in)); \
    } \
    int bench_prepare_verify(const uint8_t *in) \
    { \
        return keep(make_their(in + 2 * N)); \
    }
#else
#define KEYS(type, release, make_own, make_their) \
    static type *own_key(const uint8_t *in) \
    { \
        return make_own(in); \
    } \
    static type *their_key(const uint8_t *in) \
    { \
        return make_their(in); \
    } \
    static void done_with(type *key) \
    { \
        release(key); \
    }
#endif

#ifdef BENCH_RAW

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    size_t size = F;
    EVP_PKEY *key = NULL;
    (void)in;
    int good = bench_random(out, N) == 0 &&
               (key = EVP_PKEY_new_raw_private_key(BENCH_RAW, NULL, out, N)) != NULL &&
               EVP_PKEY_get_raw_public_key(key, out + N, &size) == 1;
    EVP_PKEY_free(key);
    return !good;
}

static EVP_PKEY *raw_private(const uint8_t *in)
{
    return EVP_PKEY_new_raw_private_key(BENCH_RAW, NULL, in, N);
}

static EVP_PKEY *raw_public(const uint8_t *in)
{
    return EVP_PKEY_new_raw_public_key(BENCH_RAW, NULL, in, F);
}

KEYS(EVP_PKEY, EVP_PKEY_free, raw_private, raw_public)

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    size_t size = F;
    EVP_PKEY *key = own_key(in);
    EVP_PKEY *peer = raw_public(in + N);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    int good = context != NULL && EVP_PKEY_derive_init(context) == 1 &&
               EVP_PKEY_derive_set_peer(context, peer) == 1 &&
               EVP_PKEY_derive(context, out, &size) == 1;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(peer);
    done_with(key);
    return !good;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    size_t size = 2 * N;
    EVP_PKEY *key = own_key(in);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int good = key != NULL && context != NULL &&
               EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1 &&
               EVP_DigestSign(context, out, &size, in + 2 * N, 32) == 1;
    EVP_MD_CTX_free(context);
    done_with(key);
    return !good;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    (void)out;
    EVP_PKEY *key = their_key(in + 2 * N);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int good = key != NULL && context != NULL &&
               EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
               EVP_DigestVerify(context, in, 2 * N, in + 3 * N, 32) == 1;
    EVP_MD_CTX_free(context);
    done_with(key);
    return !good;
}

#else

static EC_KEY *private_key(const uint8_t *in)
{
    EC_KEY *key = EC_KEY_new_by_curve_name(BENCH_NID);
    BIGNUM *d = BN_bin2bn(in, N, NULL);
    (void)EC_KEY_set_private_key(key, d);
    BN_clear_free(d);
    return key;
}

/* A public key, which EC_KEY_oct2key() finds to be on the curve, or NULL. The cofactor is 1:
 * that is enough. */
static EC_KEY *public_key(const uint8_t *in)
{
    EC_KEY *key = EC_KEY_new_by_curve_name(BENCH_NID);
    if (EC_KEY_oct2key(key, in, POINT, NULL) == 1)
        return key;
    EC_KEY_free(key);
    return NULL;
}

KEYS(EC_KEY, EC_KEY_free, private_key, public_key)

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    EC_KEY *key = EC_KEY_new_by_curve_name(BENCH_NID);
    int good = EC_KEY_generate_key(key) == 1 &&
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
    int good =
        peer != NULL && ECDH_compute_key(out, F, EC_KEY_get0_public_key(peer), key, NULL) == F;
    EC_KEY_free(peer);
    done_with(key);
    return !good;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    EC_KEY *key = own_key(in);
    ECDSA_SIG *signature = ECDSA_do_sign(in + N, 32, key);
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

#endif
