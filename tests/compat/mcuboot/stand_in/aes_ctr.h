/* aes_ctr.h - AES-CTR by a block function that a test gives */
#ifndef AES_CTR_H
#define AES_CTR_H

#include <stdint.h>
#include <string.h>

typedef struct bootutil_aes_ctr_context {
    uint8_t key[32];
} bootutil_aes_ctr_context;

/* out = the block `in`, encrypted with AES; all 32 bytes of key are given. */
extern void (*aes_block)(uint8_t *out, const uint8_t *key, const uint8_t *in);

static inline void bootutil_aes_ctr_init(bootutil_aes_ctr_context *ctx)
{
    memset(ctx, 0, sizeof *ctx);
}

static inline void bootutil_aes_ctr_drop(bootutil_aes_ctr_context *ctx)
{
    memset(ctx, 0, sizeof *ctx);
}

#if defined(MCUBOOT_AES_256)
#define AES_KEY 32
#else
#define AES_KEY 16
#endif

static inline int bootutil_aes_ctr_set_key(bootutil_aes_ctr_context *ctx, const uint8_t *key)
{
    memcpy(ctx->key, key, AES_KEY);
    return 0;
}

static inline int bootutil_aes_ctr_encrypt(bootutil_aes_ctr_context *ctx, uint8_t *counter,
                                           const uint8_t *m, uint32_t mlen, uint32_t blk_off,
                                           uint8_t *c)
{
    uint8_t stream[16];
    for (uint32_t i = 0; i < mlen; i++) {
        const uint32_t at = (blk_off + i) % 16;
        if (i == 0 || at == 0) {
            aes_block(stream, ctx->key, counter);
            for (int j = 15; j >= 0 && ++counter[j] == 0; j--) {
            }
        }
        c[i] = m[i] ^ stream[at];
    }
    return 0;
}

static inline int bootutil_aes_ctr_decrypt(bootutil_aes_ctr_context *ctx, uint8_t *counter,
                                           const uint8_t *c, uint32_t clen, uint32_t blk_off,
                                           uint8_t *m)
{
    return bootutil_aes_ctr_encrypt(ctx, counter, c, clen, blk_off, m);
}

#endif
