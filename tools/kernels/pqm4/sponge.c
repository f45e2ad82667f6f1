/* What the schemes of mupq/pqm4 need from outside of its checkout: a sponge on top of the
   checkout's own permutation, and numbers in the place of a random generator. */
#include "fips202.h"
#include "randombytes.h"

#include <string.h>

/* common/keccakf1600.S of the checkout. */
void KeccakF1600_StateXORBytes(void *state, const uint8_t *in, unsigned offset, unsigned size);
void KeccakF1600_StateExtractBytes(void *state, uint8_t *out, unsigned offset, unsigned size);
void KeccakF1600_StatePermute(void *state);

enum { SHAKE = 0x1f, SHA3 = 0x06, LANES = 25 };

uint32_t bench_seed = 1; /* tools/kernels writes it before each run */

int randombytes(uint8_t *out, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bench_seed = bench_seed * 1664525u + 1013904223u;
        out[i] = (uint8_t)(bench_seed >> 24);
    }
    return 0;
}

static void pad(uint64_t *state, unsigned rate, unsigned at, uint8_t domain)
{
    uint8_t last = 0x80;
    KeccakF1600_StateXORBytes(state, &domain, at, 1);
    KeccakF1600_StateXORBytes(state, &last, rate - 1, 1);
}

static void absorb(uint64_t *state, unsigned rate, const uint8_t *in, size_t size, uint8_t domain)
{
    memset(state, 0, LANES * sizeof *state);
    for (; size >= rate; in += rate, size -= rate) {
        KeccakF1600_StateXORBytes(state, in, 0, rate);
        KeccakF1600_StatePermute(state);
    }
    KeccakF1600_StateXORBytes(state, in, 0, (unsigned)size);
    pad(state, rate, (unsigned)size, domain);
}

static void squeeze(uint8_t *out, size_t size, uint64_t *state, unsigned rate)
{
    while (size) {
        unsigned part = size < rate ? (unsigned)size : rate;
        KeccakF1600_StatePermute(state);
        KeccakF1600_StateExtractBytes(state, out, 0, part);
        out += part;
        size -= part;
    }
}

static void more_in(uint64_t *state, unsigned rate, const uint8_t *in, size_t size)
{
    while (size + state[LANES] >= rate) {
        unsigned part = rate - (unsigned)state[LANES];
        KeccakF1600_StateXORBytes(state, in, (unsigned)state[LANES], part);
        KeccakF1600_StatePermute(state);
        in += part;
        size -= part;
        state[LANES] = 0;
    }
    KeccakF1600_StateXORBytes(state, in, (unsigned)state[LANES], (unsigned)size);
    state[LANES] += size;
}

static void no_more(uint64_t *state, unsigned rate)
{
    pad(state, rate, (unsigned)state[LANES], SHAKE);
    state[LANES] = 0;
}

static void more_out(uint8_t *out, size_t size, uint64_t *state, unsigned rate)
{
    while (size) {
        if (!state[LANES]) {
            KeccakF1600_StatePermute(state);
            state[LANES] = rate;
        }
        unsigned part = size < state[LANES] ? (unsigned)size : (unsigned)state[LANES];
        KeccakF1600_StateExtractBytes(state, out, rate - (unsigned)state[LANES], part);
        out += part;
        size -= part;
        state[LANES] -= part;
    }
}

void shake128_absorb(shake128ctx *state, const uint8_t *in, size_t size)
{
    absorb(state->ctx, SHAKE128_RATE, in, size, SHAKE);
}

void shake128_squeezeblocks(uint8_t *out, size_t blocks, shake128ctx *state)
{
    squeeze(out, blocks * SHAKE128_RATE, state->ctx, SHAKE128_RATE);
}

void shake128_ctx_release(shake128ctx *state)
{
    (void)state;
}

void shake128_inc_init(shake128incctx *state)
{
    memset(state, 0, sizeof *state);
}

void shake128_inc_absorb(shake128incctx *state, const uint8_t *in, size_t size)
{
    more_in(state->ctx, SHAKE128_RATE, in, size);
}

void shake128_inc_finalize(shake128incctx *state)
{
    no_more(state->ctx, SHAKE128_RATE);
}

void shake128_inc_squeeze(uint8_t *out, size_t size, shake128incctx *state)
{
    more_out(out, size, state->ctx, SHAKE128_RATE);
}

void shake256_inc_init(shake256incctx *state)
{
    memset(state, 0, sizeof *state);
}

void shake256_inc_absorb(shake256incctx *state, const uint8_t *in, size_t size)
{
    more_in(state->ctx, SHAKE256_RATE, in, size);
}

void shake256_inc_finalize(shake256incctx *state)
{
    no_more(state->ctx, SHAKE256_RATE);
}

void shake256_inc_squeeze(uint8_t *out, size_t size, shake256incctx *state)
{
    more_out(out, size, state->ctx, SHAKE256_RATE);
}

void shake256_inc_ctx_release(shake256incctx *state)
{
    (void)state;
}

void shake256(uint8_t *out, size_t out_size, const uint8_t *in, size_t size)
{
    uint64_t state[LANES];
    absorb(state, SHAKE256_RATE, in, size, SHAKE);
    squeeze(out, out_size, state, SHAKE256_RATE);
}

void sha3_256(uint8_t *out, const uint8_t *in, size_t size)
{
    uint64_t state[LANES];
    absorb(state, 136, in, size, SHA3);
    squeeze(out, 32, state, 136);
}

void sha3_512(uint8_t *out, const uint8_t *in, size_t size)
{
    uint64_t state[LANES];
    absorb(state, 72, in, size, SHA3);
    squeeze(out, 64, state, 72);
}
