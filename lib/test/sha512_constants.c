/* sha512_constants.c - the constants of SHA-512 that are computed, and those in tables */
#include "ecfit.h"
#include "ct.h"
#include "template.h"

typedef uint32_t sha512_word;
#define SHA512_WORDS 16
#define SHA512_W(x) (uint32_t)((uint64_t)(x) >> 32), (uint32_t)(x)
#include "hash/sha512_tables.inc"
#include "hash/sha512_roots_steps.inc"

int constants_that_differ(void);

/* Of 80 of the rounds and 16 of the two starts, in words of 32 bits. */
int constants_that_differ(void)
{
    uint32_t k[160], start[32];
    int differ = 0;
    sha512_roots(k, 80, 3);
    sha512_roots(start, 16, 2);
    for (unsigned i = 0; i < 160; i++) {
        differ += k[i] != sha512_k[i];
    }
    for (unsigned i = 0; i < 16; i++) {
        differ += start[i] != sha512_start[i];
        differ += start[16 + i] != sha384_start[i];
    }
    return differ;
}
