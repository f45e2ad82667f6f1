/* sha512_block.c - stands for the compression in assembly on a host that keeps the lowest byte
 * first: words of 64 bits, the constants handed in */
#include "ecfit.h"
#include "ct.h"
#include "template.h"

void ecfit_sha512_block(uint64_t *h, const uint64_t *block, const uint64_t *k);

static uint64_t sha512_k[80];
#include "hash/sha512_rounds.inc"

void ecfit_sha512_block(uint64_t *h, const uint64_t *block, const uint64_t *k)
{
    uint64_t w[16];
    for (unsigned i = 0; i < 80; i++) {
        sha512_k[i] = k[i];
    }
    for (unsigned i = 0; i < 16; i++) {
        w[i] = block[i];
    }
    sha512_block(h, w);
}
