/* rom.c - what Debian's compiler for the LX106 leaves to the ROM of an ESP8266, which QEMU does not
 * have: products of 64 bits, and quotients. As the ROM on the chip, it takes no flash of the
 * program.
 *
 * Our library calls nothing of this on that core; other libraries do. The ROM's own functions may
 * take more instructions or fewer. */
#include <stdint.h>

uint64_t __umulsidi3(uint32_t a, uint32_t b);
uint64_t __muldi3(uint64_t a, uint64_t b);
uint32_t __udivsi3(uint32_t a, uint32_t b);
uint32_t __umodsi3(uint32_t a, uint32_t b);
int32_t __divsi3(int32_t a, int32_t b);
uint64_t __udivdi3(uint64_t a, uint64_t b);
uint64_t __umoddi3(uint64_t a, uint64_t b);
int64_t __divdi3(int64_t a, int64_t b);

/* The product of two words, from four of halfwords. */
uint64_t __umulsidi3(uint32_t a, uint32_t b)
{
    const uint32_t low = (a & 0xffff) * (b & 0xffff);
    const uint32_t one = (a >> 16) * (b & 0xffff);
    const uint32_t other = (a & 0xffff) * (b >> 16);
    const uint32_t middle = (low >> 16) + (one & 0xffff) + (other & 0xffff);
    const uint32_t high = (a >> 16) * (b >> 16) + (one >> 16) + (other >> 16) + (middle >> 16);
    return ((uint64_t)high << 32) | (middle << 16) | (low & 0xffff);
}

uint64_t __muldi3(uint64_t a, uint64_t b)
{
    const uint32_t a_low = (uint32_t)a;
    const uint32_t b_low = (uint32_t)b;
    const uint32_t high = a_low * (uint32_t)(b >> 32) + (uint32_t)(a >> 32) * b_low;
    return __umulsidi3(a_low, b_low) + ((uint64_t)high << 32);
}

/* The quotient, bit by bit; the rest goes to `rest`. */
static uint32_t divided(uint32_t a, uint32_t b, uint32_t *rest)
{
    uint32_t quotient = 0;
    uint32_t left = 0;
    for (uint32_t bit = 1u << 31; bit != 0; bit >>= 1) {
        const uint32_t out = left >> 31;
        left = left << 1 | ((a & bit) != 0);
        if (out || left >= b) {
            left -= b;
            quotient |= bit;
        }
    }
    *rest = left;
    return quotient;
}

uint32_t __udivsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;
    return divided(a, b, &rest);
}

uint32_t __umodsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;
    (void)divided(a, b, &rest);
    return rest;
}

int32_t __divsi3(int32_t a, int32_t b)
{
    const uint32_t quotient =
        __udivsi3(a < 0 ? -(uint32_t)a : (uint32_t)a, b < 0 ? -(uint32_t)b : (uint32_t)b);
    return (int32_t)((a ^ b) < 0 ? -quotient : quotient);
}

/* The same of 64 bits. */
static uint64_t divided_long(uint64_t a, uint64_t b, uint64_t *rest)
{
    uint64_t quotient = 0;
    uint64_t left = 0;
    for (unsigned i = 0; i < 64; i++) {
        const uint64_t out = left >> 63;
        left = left << 1 | a >> 63;
        a <<= 1;
        quotient <<= 1;
        if (out || left >= b) {
            left -= b;
            quotient |= 1;
        }
    }
    *rest = left;
    return quotient;
}

uint64_t __udivdi3(uint64_t a, uint64_t b)
{
    uint64_t rest;
    return divided_long(a, b, &rest);
}

uint64_t __umoddi3(uint64_t a, uint64_t b)
{
    uint64_t rest;
    (void)divided_long(a, b, &rest);
    return rest;
}

int64_t __divdi3(int64_t a, int64_t b)
{
    const uint64_t quotient =
        __udivdi3(a < 0 ? -(uint64_t)a : (uint64_t)a, b < 0 ? -(uint64_t)b : (uint64_t)b);
    return (int64_t)((a ^ b) < 0 ? -quotient : quotient);
}
