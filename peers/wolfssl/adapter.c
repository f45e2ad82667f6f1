/* adapter.c (wolfSSL) - the operations of bench_op.h on wolfCrypt, for P-256,
 * X25519 and Ed25519. */
#include "user_settings.h"

#include "wolfssl/wolfcrypt/curve25519.h"
#include "wolfssl/wolfcrypt/ecc.h"
#include "wolfssl/wolfcrypt/ed25519.h"
#include "wolfssl/wolfcrypt/random.h"

#include "bench_op.h"

int bench_wolf_random(unsigned char *out, unsigned size)
{
    return bench_random(out, size);
}

#define TRY(call) \
    if (result == 0) \
    result = (call)

#if defined(BENCH_WOLF_ECC)

static int begin(ecc_key *key, WC_RNG *rng)
{
    int result = wc_ecc_init(key);
    TRY(wc_InitRng(rng));
    TRY(wc_ecc_set_rng(key, rng));
    return result;
}

static int import_public(ecc_key *key, const uint8_t *in)
{
    int result = wc_ecc_import_x963_ex(in, 65, key, ECC_SECP256R1);
    TRY(wc_ecc_point_is_on_curve(&key->pubkey, key->idx));
    return result;
}

static int import_private(ecc_key *key, const uint8_t *in)
{
    return wc_ecc_import_private_key_ex(in, 32, NULL, 0, key, ECC_SECP256R1);
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    ecc_key key;
    WC_RNG rng;
    word32 size = 32;
    word32 point = 65;
    (void)in;
    int result = begin(&key, &rng);
    TRY(wc_ecc_make_key_ex(&rng, 32, &key, ECC_SECP256R1));
    TRY(wc_ecc_export_private_only(&key, out, &size));
    TRY(wc_ecc_export_x963(&key, out + 32, &point));
    (void)wc_ecc_free(&key);
    return result;
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    ecc_key key;
    ecc_key peer;
    WC_RNG rng;
    word32 size = 32;
    int result = begin(&key, &rng);
    TRY(wc_ecc_init(&peer));
    TRY(import_private(&key, in));
    TRY(import_public(&peer, in + 32));
    TRY(wc_ecc_shared_secret(&key, &peer, out, &size));
    (void)wc_ecc_free(&peer);
    (void)wc_ecc_free(&key);
    return result;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    ecc_key key;
    WC_RNG rng;
    mp_int r;
    mp_int s;
    int result = begin(&key, &rng);
    TRY(mp_init_multi(&r, &s, NULL, NULL, NULL, NULL));
    TRY(import_private(&key, in));
    TRY(wc_ecc_sign_hash_ex(in + 32, 32, &rng, &key, &r, &s));
    TRY(mp_to_unsigned_bin_len(&r, out, 32));
    TRY(mp_to_unsigned_bin_len(&s, out + 32, 32));
    (void)wc_ecc_free(&key);
    return result;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    ecc_key key;
    WC_RNG rng;
    mp_int r;
    mp_int s;
    int good = 0;
    (void)out;
    int result = begin(&key, &rng);
    TRY(mp_init_multi(&r, &s, NULL, NULL, NULL, NULL));
    TRY(import_public(&key, in + 64));
    TRY(mp_read_unsigned_bin(&r, in, 32));
    TRY(mp_read_unsigned_bin(&s, in + 32, 32));
    TRY(wc_ecc_verify_hash_ex(&r, &s, in + 129, 32, &good, &key));
    (void)wc_ecc_free(&key);
    return result != 0 || good != 1;
}

#elif defined(HAVE_CURVE25519)

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    (void)in;
    if (bench_random(out, 32) != 0)
        return 1;
    out[0] &= 248;
    out[31] = (uint8_t)((out[31] & 127) | 64);
    return wc_curve25519_make_pub(32, out + 32, 32, out);
}

int bench_ecdh(uint8_t *out, const uint8_t *in)
{
    uint8_t key[32];
    for (unsigned i = 0; i < sizeof key; i++)
        key[i] = in[i];
    key[0] &= 248;
    key[31] = (uint8_t)((key[31] & 127) | 64);
    return wc_curve25519_generic(32, out, 32, key, 32, in + 32);
}

#else

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    ed25519_key key;
    (void)in;
    int result = wc_ed25519_init(&key);
    TRY(bench_random(out, 32));
    TRY(wc_ed25519_import_private_only(out, 32, &key));
    TRY(wc_ed25519_make_public(&key, out + 32, 32));
    wc_ed25519_free(&key);
    return result;
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    ed25519_key key;
    word32 size = 64;
    int result = wc_ed25519_init(&key);
    TRY(wc_ed25519_import_private_key_ex(in, 32, in + 32, 32, &key, 1));
    TRY(wc_ed25519_sign_msg(in + 64, 32, out, &size, &key));
    wc_ed25519_free(&key);
    return result;
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    ed25519_key key;
    int good = 0;
    (void)out;
    int result = wc_ed25519_init(&key);
    TRY(wc_ed25519_import_public_ex(in + 64, 32, &key, 0));
    TRY(wc_ed25519_verify_msg(in, 64, in + 96, 32, &good, &key));
    wc_ed25519_free(&key);
    return result != 0 || good != 1;
}

#endif
