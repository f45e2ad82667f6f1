/* mlkem.c - ML-KEM-768 of another library for wolfSSL's TLS: what TLSX_KeyShare_* call.
 *
 * The key for decapsulation is on the heap from the client's share to the server's. It contains
 * the public key, so that is not kept. CLIENT_KEYGEN(ek, dk) and CLIENT_DECAPS(secret, cipher, dk)
 * are the library's functions. */
#include <string.h>

#include "user_settings.h"
#include "wolfssl/wolfcrypt/error-crypt.h"
#include "wolfssl/wolfcrypt/wc_mlkem.h"

#include "port.h"

enum { PRIVATE = 2400, PUBLIC = 1184, PUBLIC_AT = 1152, CIPHER = 1088, SECRET = 32 };

int CLIENT_KEYGEN(uint8_t *ek, uint8_t *dk);
int CLIENT_DECAPS(uint8_t *secret, const uint8_t *cipher, const uint8_t *dk);
int mlkem_random(uint8_t *out, size_t size);

/* The library's source of random bytes. */
int mlkem_random(uint8_t *out, size_t size)
{
    return port_random(out, size);
}

int wc_MlKemKey_Init(MlKemKey *key, int type, void *heap, int device)
{
    (void)heap;
    (void)device;
    key->key = NULL;
    return type == WC_ML_KEM_768 ? 0 : NOT_COMPILED_IN;
}

int wc_MlKemKey_Free(MlKemKey *key)
{
    if (key == NULL || key->key == NULL)
        return 0;
    volatile uint32_t *words = (volatile uint32_t *)(void *)key->key;
    for (size_t i = 0; i < PRIVATE / 4; i++)
        words[i] = 0;
    port_free(key->key);
    key->key = NULL;
    return 0;
}

int wc_MlKemKey_MakeKey(MlKemKey *key, WC_RNG *rng)
{
    uint8_t *public = port_calloc(1, PUBLIC);
    (void)rng;
    key->key = port_calloc(1, PRIVATE);
    int result = MEMORY_E;
    if (public != NULL && key->key != NULL)
        result = CLIENT_KEYGEN(public, key->key) == 0 ? 0 : RNG_FAILURE_E;
    if (public != NULL)
        port_free(public);
    return result;
}

int wc_MlKemKey_EncodePublicKey(MlKemKey *key, byte *out, word32 size)
{
    if (size != PUBLIC)
        return BUFFER_E;
    memcpy(out, key->key + PUBLIC_AT, PUBLIC);
    return 0;
}

int wc_MlKemKey_Decapsulate(MlKemKey *key, byte *secret, const byte *cipher, word32 size)
{
    if (size != CIPHER)
        return BUFFER_E;
    return CLIENT_DECAPS(secret, cipher, key->key) == 0 ? 0 : BAD_FUNC_ARG;
}

int wc_MlKemKey_PublicKeySize(MlKemKey *key, word32 *size)
{
    (void)key;
    *size = PUBLIC;
    return 0;
}

int wc_MlKemKey_CipherTextSize(MlKemKey *key, word32 *size)
{
    (void)key;
    *size = CIPHER;
    return 0;
}

int wc_MlKemKey_SharedSecretSize(MlKemKey *key, word32 *size)
{
    (void)key;
    *size = SECRET;
    return 0;
}
