/* adapter.c (wolfSSL) - the operations of bench_op.h on wolfCrypt, for ML-KEM and ML-DSA. */
#include "user_settings.h"

#include "wolfssl/wolfcrypt/error-crypt.h"
#include "wolfssl/wolfcrypt/random.h"
#include "wolfssl/wolfcrypt/wc_mldsa.h"
#include "wolfssl/wolfcrypt/wc_mlkem.h"

#include "bench_op.h"

int bench_wolf_random(unsigned char *out, unsigned size)
{
    return bench_random(out, size);
}

#define TRY(call) \
    if (result == 0) \
    result = (call)

/* Says that memory was short, where that is why an operation failed. */
static int ended(int result)
{
    if (result == MEMORY_E)
        bench_out_of_memory(result);
    return result;
}

#if defined(BENCH_WOLF_KEM)

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    MlKemKey key;
    uint8_t seed[WC_ML_KEM_MAKEKEY_RAND_SZ];
    (void)in;
    int result = wc_MlKemKey_Init(&key, BENCH_WOLF_SET, NULL, INVALID_DEVID);
    TRY(bench_random(seed, sizeof seed));
    TRY(wc_MlKemKey_MakeKeyWithRandom(&key, seed, sizeof seed));
    TRY(wc_MlKemKey_EncodePrivateKey(&key, out, BENCH_N));
    TRY(wc_MlKemKey_EncodePublicKey(&key, out + BENCH_N, BENCH_P));
    (void)wc_MlKemKey_Free(&key);
    return ended(result);
}

int bench_encaps(uint8_t *out, const uint8_t *in)
{
    MlKemKey key;
    uint8_t message[WC_ML_KEM_ENC_RAND_SZ];
    int result = wc_MlKemKey_Init(&key, BENCH_WOLF_SET, NULL, INVALID_DEVID);
    TRY(wc_MlKemKey_DecodePublicKey(&key, in, BENCH_P));
    TRY(bench_random(message, sizeof message));
    TRY(wc_MlKemKey_EncapsulateWithRandom(&key, out, out + BENCH_C, message, sizeof message));
    (void)wc_MlKemKey_Free(&key);
    return ended(result);
}

int bench_decaps(uint8_t *out, const uint8_t *in)
{
    MlKemKey key;
    int result = wc_MlKemKey_Init(&key, BENCH_WOLF_SET, NULL, INVALID_DEVID);
    TRY(wc_MlKemKey_DecodePrivateKey(&key, in, BENCH_N));
    TRY(wc_MlKemKey_Decapsulate(&key, out, in + BENCH_N, BENCH_C));
    (void)wc_MlKemKey_Free(&key);
    return ended(result);
}

#else

static int begin(wc_MlDsaKey *key)
{
    int result = wc_MlDsaKey_Init(key, NULL, INVALID_DEVID);
    TRY(wc_MlDsaKey_SetParams(key, BENCH_WOLF_SET));
    return result;
}

int bench_keygen(uint8_t *out, const uint8_t *in)
{
    wc_MlDsaKey key;
    uint8_t seed[32];
    word32 private = BENCH_N;
    word32 public = BENCH_P;
    (void)in;
    int result = begin(&key);
    TRY(bench_random(seed, sizeof seed));
    TRY(wc_MlDsaKey_MakeKeyFromSeed(&key, seed));
    TRY(wc_MlDsaKey_ExportPrivRaw(&key, out, &private));
    TRY(wc_MlDsaKey_ExportPubRaw(&key, out + BENCH_N, &public));
    wc_MlDsaKey_Free(&key);
    return ended(result);
}

int bench_sign(uint8_t *out, const uint8_t *in)
{
    wc_MlDsaKey key;
    uint8_t rnd[32];
    word32 size = BENCH_S;
    int result = begin(&key);
    TRY(wc_MlDsaKey_ImportPrivRaw(&key, in, BENCH_N));
    TRY(bench_random(rnd, sizeof rnd));
    TRY(wc_MlDsaKey_SignCtxWithSeed(&key, NULL, 0, out, &size, in + BENCH_N, 32, rnd));
    wc_MlDsaKey_Free(&key);
    return ended(result);
}

int bench_verify(uint8_t *out, const uint8_t *in)
{
    wc_MlDsaKey key;
    int good = 0;
    (void)out;
    int result = begin(&key);
    TRY(wc_MlDsaKey_ImportPubRaw(&key, in + BENCH_S, BENCH_P));
    TRY(wc_MlDsaKey_VerifyCtx(&key, in, BENCH_S, NULL, 0, in + BENCH_S + BENCH_P, 32, &good));
    wc_MlDsaKey_Free(&key);
    return ended(result) != 0 || good != 1;
}

#endif
