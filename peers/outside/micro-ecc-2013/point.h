/* point.h (micro-ecc-2013) - whether a point is on the curve, for the adapter: so that an image
 * need not hold the library's own check where the document's does not.
 *
 * Numbers are NUM_ECC_DIGITS words, the least significant first. All data is public. */
#ifndef POINT_H
#define POINT_H

#include "ecc.h"

/* p and b of y^2 = x^3 - 3x + b: SEC 2, sections 2.3.1, 2.4.1, 2.5.2 and 2.6.1 of version 2.0,
 * and of version 1.0 for 128 bits. */
#if ECC_CURVE == secp128r1
#define CURVE_P 0xffffffff, 0xffffffff, 0xffffffff, 0xfffffffd
#define CURVE_B 0x2cee5ed3, 0xd824993c, 0x1079f43d, 0xe87579c1
#elif ECC_CURVE == secp192r1
#define CURVE_P 0xffffffff, 0xffffffff, 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff
#define CURVE_B 0xc146b9b1, 0xfeb8deec, 0x72243049, 0x0fa7e9ab, 0xe59c80e7, 0x64210519
#elif ECC_CURVE == secp256r1
#define CURVE_P \
    0xffffffff, 0xffffffff, 0xffffffff, 0x00000000, 0x00000000, 0x00000000, 0x00000001, 0xffffffff
#define CURVE_B \
    0x27d2604b, 0x3bce3c3e, 0xcc53b0f6, 0x651d06b0, 0x769886bc, 0xb3ebbd55, 0xaa3a93e7, 0x5ac635d8
#else
#define CURVE_P \
    0xffffffff, 0x00000000, 0x00000000, 0xffffffff, 0xfffffffe, 0xffffffff, 0xffffffff, \
        0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff
#define CURVE_B \
    0xd3ec2aef, 0x2a85c8ed, 0x8a2ed19d, 0xc656398d, 0x5013875a, 0x0314088f, 0xfe814112, \
        0x181d9c6e, 0xe3f82d19, 0x988e056b, 0xe23ee7e4, 0xb3312fa7
#endif

typedef uint32_t number[NUM_ECC_DIGITS];

static const number curve_p = {CURVE_P}, curve_b = {CURVE_B};

/* out = a - b. Returns the borrow. */
static uint32_t minus(number out, const number a, const number b)
{
    uint32_t borrow = 0;
    for (unsigned i = 0; i < NUM_ECC_DIGITS; i++) {
        const uint64_t t = (uint64_t)a[i] - b[i] - borrow;
        out[i] = (uint32_t)t;
        borrow = (uint32_t)(t >> 63);
    }
    return borrow;
}

/* out = a + b modulo p, of a and b below p. */
static void sum(number out, const number a, const number b)
{
    number t, less;
    uint32_t carry = 0;
    for (unsigned i = 0; i < NUM_ECC_DIGITS; i++) {
        const uint64_t word = (uint64_t)a[i] + b[i] + carry;
        t[i] = (uint32_t)word;
        carry = (uint32_t)(word >> 32);
    }
    const uint32_t borrow = minus(less, t, curve_p);
    for (unsigned i = 0; i < NUM_ECC_DIGITS; i++)
        out[i] = borrow > carry ? t[i] : less[i];
}

/* out = a * b modulo p, bit by bit. */
static void product(number out, const number a, const number b)
{
    number t = {0};
    for (unsigned i = 32 * NUM_ECC_DIGITS; i-- > 0;) {
        sum(t, t, t);
        if (b[i / 32] >> (i % 32) & 1)
            sum(t, t, a);
    }
    for (unsigned i = 0; i < NUM_ECC_DIGITS; i++)
        out[i] = t[i];
}

/* 1: x and y are below p, and y^2 = x^3 - 3x + b. */
static int on_curve(const EccPoint *point)
{
    number left, right, three;
    if (!minus(left, point->x, curve_p) || !minus(left, point->y, curve_p))
        return 0;
    product(left, point->y, point->y);
    product(right, point->x, point->x);
    product(right, right, point->x);
    sum(right, right, curve_b);
    sum(three, point->x, point->x);
    sum(three, three, point->x);
    sum(left, left, three);
    uint32_t different = 0;
    for (unsigned i = 0; i < NUM_ECC_DIGITS; i++)
        different |= left[i] ^ right[i];
    return different == 0;
}

#endif
