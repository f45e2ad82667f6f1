/* recovery_ed25519.c - ecfit_msg.h: message recovery on edwards25519
 *
 * The library multiplies the base point by a number that it makes of a seed (RFC 8032, 5.1.5):
 * 2^254 + 8 x, x of 251 bits. As a nonce, 8 (2^251 + x) would not do: divided by 8 it is known
 * to be in the upper half of 0 .. 2^252. So its sign is drawn too: 8 (2^251 + x) and
 * -8 (2^251 + x) = 8 (n - 2^251 - x) together are 8 times every number from 2^125 to 2^252,
 * 2^125 of them twice: all below n alike, but for one in 2^126. */
#include "ecfit_msg.h"

#define SCALAR 32

static const uint8_t order[SCALAR] = {
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10};

static void clear(uint8_t *bytes, size_t size)
{
    volatile uint8_t *to = bytes;
    while (size-- > 0) {
        *to++ = 0;
    }
}

/* number - q n for the q in 0 .. 7 that brings it below n: it is below 2^255 < 8 n. */
static void reduce(uint8_t *number)
{
    for (unsigned shift = 3; shift-- > 0;) {
        uint8_t less[SCALAR], keep;
        unsigned borrow = 0, above = 0;
        for (unsigned i = 0; i < SCALAR; i++) {
            unsigned part = (unsigned)order[i] << shift | above; /* of n 2^shift */
            unsigned rest = number[i] - (part & 0xff) - borrow;
            above = part >> 8;
            less[i] = (uint8_t)rest;
            borrow = rest >> 8 & 1;
        }
        keep = (uint8_t)(0 - borrow);
        for (unsigned i = 0; i < SCALAR; i++) {
            number[i] = (uint8_t)(less[i] ^ ((less[i] ^ number[i]) & keep));
        }
        clear(less, sizeof less);
    }
}

/* RFC 8032, 5.1.5: the number of a private key, below n. */
static void number_of(uint8_t *number, const uint8_t *private_key)
{
    const ecfit_bytes piece = {private_key, SCALAR};
    uint8_t digest[64];
    ecfit_sha512(digest, &piece, 1);
    digest[0] &= 0xf8;
    digest[31] = (digest[31] & 0x7f) | 0x40;
    for (unsigned i = 0; i < SCALAR; i++) {
        number[i] = digest[i];
    }
    reduce(number);
    clear(digest, sizeof digest);
}

static ecfit_status draw(uint8_t *nonce, uint8_t *point, const ecfit_rng *rng)
{
    uint8_t seed[SCALAR], sign, same = 0;
    unsigned borrow = 0;
    ecfit_status status = ECFIT_RNG_FAILED;
    if (rng->fill(rng->context, seed, sizeof seed) == 0 && rng->fill(rng->context, &sign, 1) == 0) {
        for (unsigned i = 1; i < SCALAR; i++) {
            same |= seed[i] ^ seed[0];
        }
        if (same != 0) { /* a generator that is stuck */
            status = ecfit_ed25519_public_key(point, seed);
            number_of(nonce, seed);
            sign = (uint8_t)(0 - (sign & 1));
            point[SCALAR - 1] ^= sign & 0x80;
            for (unsigned i = 0; i < SCALAR; i++) {
                unsigned rest = (unsigned)order[i] - nonce[i] - borrow;
                borrow = rest >> 8 & 1;
                nonce[i] ^= (uint8_t)((nonce[i] ^ rest) & sign);
            }
        }
    }
    clear(seed, sizeof seed);
    return status;
}

/* Any string is a private key. */
static int secret(uint8_t *number, const uint8_t *private_key)
{
    number_of(number, private_key);
    return 1;
}

const ecfit_msg_recovery ecfit_msg_recovery_ed25519 = {
    SCALAR,
    SCALAR,
    SCALAR / 2,
    {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
     0xa2, 0xde, 0xf9, 0xde, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
     0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10},
    0,
    draw,
    secret};
