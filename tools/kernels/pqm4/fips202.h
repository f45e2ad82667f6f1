/* SHA-3 and SHAKE as the schemes of mupq/pqm4 call them. They come from a submodule of that
   repository; sponge.c stands in for it. */
#ifndef FIPS202_H
#define FIPS202_H

#include <stddef.h>
#include <stdint.h>

#define SHAKE128_RATE 168
#define SHAKE256_RATE 136

typedef struct {
    uint64_t ctx[25];
} shake128ctx;

typedef struct {
    uint64_t ctx[26]; /* the last: bytes absorbed, or left to squeeze, of a block */
} shake128incctx;

typedef shake128incctx shake256incctx;

void shake128_absorb(shake128ctx *state, const uint8_t *in, size_t size);
void shake128_squeezeblocks(uint8_t *out, size_t blocks, shake128ctx *state);
void shake128_ctx_release(shake128ctx *state);

void shake128_inc_init(shake128incctx *state);
void shake128_inc_absorb(shake128incctx *state, const uint8_t *in, size_t size);
void shake128_inc_finalize(shake128incctx *state);
void shake128_inc_squeeze(uint8_t *out, size_t size, shake128incctx *state);

void shake256_inc_init(shake256incctx *state);
void shake256_inc_absorb(shake256incctx *state, const uint8_t *in, size_t size);
void shake256_inc_finalize(shake256incctx *state);
void shake256_inc_squeeze(uint8_t *out, size_t size, shake256incctx *state);
void shake256_inc_ctx_release(shake256incctx *state);

void shake256(uint8_t *out, size_t out_size, const uint8_t *in, size_t size);
void sha3_256(uint8_t *out, const uint8_t *in, size_t size);
void sha3_512(uint8_t *out, const uint8_t *in, size_t size);

#endif
