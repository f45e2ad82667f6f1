/* wc_mlkem.h - in the place of wolfSSL's header of this name: what its TLS asks of ML-KEM-768, for
 * another library (mlkem.c). */
#ifndef CLIENT_WC_MLKEM_H
#define CLIENT_WC_MLKEM_H

#include "wolfssl/wolfcrypt/random.h"
#include "wolfssl/wolfcrypt/types.h"

enum { WC_ML_KEM_768 = 1 };

typedef struct {
    byte *key; /* for decapsulation; NULL: none */
} MlKemKey;

int wc_MlKemKey_Init(MlKemKey *key, int type, void *heap, int device);
int wc_MlKemKey_Free(MlKemKey *key);
int wc_MlKemKey_MakeKey(MlKemKey *key, WC_RNG *rng);
int wc_MlKemKey_EncodePublicKey(MlKemKey *key, byte *out, word32 size);
int wc_MlKemKey_Decapsulate(MlKemKey *key, byte *secret, const byte *cipher, word32 size);
int wc_MlKemKey_PublicKeySize(MlKemKey *key, word32 *size);
int wc_MlKemKey_CipherTextSize(MlKemKey *key, word32 *size);
int wc_MlKemKey_SharedSecretSize(MlKemKey *key, word32 *size);

#endif
