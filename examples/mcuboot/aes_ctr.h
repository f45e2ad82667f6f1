/* aes_ctr.h - AES-CTR for encrypted images, by MCUboot's TinyCrypt: what ECFIT_MCUBOOT_AES names
 *
 * MCUboot's page docs/custom_crypto.md asks for these functions. Write the same for the AES of your
 * chip or library. MCUboot's own header for TinyCrypt cannot be used here: it includes bootutil.h,
 * which comes after mcuboot_config.h.
 */
#ifndef ECFIT_EXAMPLES_MCUBOOT_AES_CTR_H
#define ECFIT_EXAMPLES_MCUBOOT_AES_CTR_H

#include <stdint.h>
#include <string.h>

#include <tinycrypt/aes.h>
#include <tinycrypt/constants.h>
#include <tinycrypt/ctr_mode.h>

#if defined(MCUBOOT_AES_256)
#error "TinyCrypt has AES-128 only: take out MCUBOOT_AES_256"
#endif

#define BOOT_ENC_BLOCK_SIZE TC_AES_BLOCK_SIZE

typedef struct tc_aes_key_sched_struct bootutil_aes_ctr_context;

static inline void bootutil_aes_ctr_init(bootutil_aes_ctr_context *ctx)
{
    (void)ctx;
}

static inline void bootutil_aes_ctr_drop(bootutil_aes_ctr_context *ctx)
{
    volatile unsigned int *words = ctx->words;
    for (size_t i = 0; i < sizeof ctx->words / sizeof ctx->words[0]; i++) {
        words[i] = 0;
    }
}

static inline int bootutil_aes_ctr_set_key(bootutil_aes_ctr_context *ctx, const uint8_t *key)
{
    return tc_aes128_set_encrypt_key(ctx, key) == TC_CRYPTO_SUCCESS ? 0 : -1;
}

static inline int bootutil_aes_ctr_encrypt(bootutil_aes_ctr_context *ctx, uint8_t *counter,
                                           const uint8_t *m, uint32_t mlen, uint32_t blk_off,
                                           uint8_t *c)
{
    return tc_ctr_mode(c, mlen, m, mlen, counter, &blk_off, ctx) == TC_CRYPTO_SUCCESS ? 0 : -1;
}

static inline int bootutil_aes_ctr_decrypt(bootutil_aes_ctr_context *ctx, uint8_t *counter,
                                           const uint8_t *c, uint32_t clen, uint32_t blk_off,
                                           uint8_t *m)
{
    return bootutil_aes_ctr_encrypt(ctx, counter, c, clen, blk_off, m);
}

#endif
