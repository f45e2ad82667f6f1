/* sha512_block.c - stands for the compression in assembly on a host that keeps the lowest byte
 * first: words of 64 bits, the constants handed in */
#include "ecfit.h"
#include "ct.h"
#include "template.h"

void ecfit_sha512_block(uint64_t *h, const uint64_t *block, const uint64_t *k);

#define SHA2 given
#define SHA2_N(name) ECFIT_CAT(SHA2, name)
#define SHA2_WORD uint64_t
#define SHA2_WORDS 8
#define SHA2_ROUNDS 80
#define SHA2_SUM0(x) (SHA2_ROR(x, 28) ^ SHA2_ROR(x, 34) ^ SHA2_ROR(x, 39))
#define SHA2_SUM1(x) (SHA2_ROR(x, 14) ^ SHA2_ROR(x, 18) ^ SHA2_ROR(x, 41))
#define SHA2_SIGMA0(x) (SHA2_ROR(x, 1) ^ SHA2_ROR(x, 8) ^ (x) >> 7)
#define SHA2_SIGMA1(x) (SHA2_ROR(x, 19) ^ SHA2_ROR(x, 61) ^ (x) >> 6)
static uint64_t given_k[80];
#include "hash/sha2_rounds.inc"

void ecfit_sha512_block(uint64_t *h, const uint64_t *block, const uint64_t *k)
{
    uint64_t w[16];
    for (unsigned i = 0; i < 80; i++) {
        given_k[i] = k[i];
    }
    for (unsigned i = 0; i < 16; i++) {
        w[i] = block[i];
    }
    given_block(h, w);
}
