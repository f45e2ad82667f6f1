/*
 * ARMv7-M: the functions of the DSP extension, by name (Arm DDI 0403, A7.7).
 * They are rare in the code that this simulator is for, so one call with a switch serves all. UMAAL
 * is not rare and has its own operation.
 */
#include "armv7m.h"

static int32_t bottom(uint32_t x)
{
    return (int16_t)x;
}

static int32_t top(uint32_t x)
{
    return (int16_t)(x >> 16);
}

static uint32_t swap(uint32_t x)
{
    return x << 16 | x >> 16;
}

static uint32_t rotate(uint32_t x, uint32_t by)
{
    return by == 0 ? x : x >> by | x << (32 - by);
}

/* Into n bits, 1..32, signed. */
static int64_t saturate(int64_t x, uint32_t n, bool *saturated)
{
    int64_t least = -((int64_t)1 << (n - 1)), most = -least - 1;
    *saturated |= x < least || x > most;
    return x < least ? least : x > most ? most : x;
}

/* Into n bits, 0..31, unsigned. */
static int64_t saturate_unsigned(int64_t x, uint32_t n, bool *saturated)
{
    int64_t most = ((int64_t)1 << n) - 1;
    *saturated |= x < 0 || x > most;
    return x < 0 ? 0 : x > most ? most : x;
}

/* The 32-bit result of a sum, which sets Q when it does not fit. */
static uint32_t accumulate(ecsim *m, int64_t sum)
{
    m->q |= sum != (int32_t)sum;
    return (uint32_t)sum;
}

static uint32_t saturated_sum(ecsim *m, int64_t sum)
{
    return (uint32_t)saturate(sum, 32, &m->q);
}

/* --- parallel addition and subtraction -------------------------------------------------------- */

/* Applies the prefix to one lane's result: n bits, from their place in the encoding. */
enum { SIGNED, SATURATED, HALVED, UNSIGNED = 4, UNSIGNED_SATURATED, UNSIGNED_HALVED };

static uint32_t lane(uint32_t prefix, int32_t result, uint32_t n)
{
    bool ignored = false;
    switch (prefix) {
    case SATURATED: return (uint32_t)saturate(result, n, &ignored);
    case UNSIGNED_SATURATED: return (uint32_t)saturate_unsigned(result, n, &ignored);
    case HALVED:
    case UNSIGNED_HALVED: return (uint32_t)(result >> 1);
    default: return (uint32_t)result;
    }
}

/* GE: no borrow, or a carry of an unsigned sum; a signed result that is not negative. */
static bool not_less(uint32_t prefix, int32_t result, bool sum, uint32_t n)
{
    return prefix == UNSIGNED && sum ? result >= (int32_t)(1u << n) : result >= 0;
}

/* Lanes of n bits: x + y or x - y, chosen by `sums`, one bit per lane. */
static uint32_t parallel(ecsim *m, uint32_t prefix, uint32_t x, uint32_t y, uint32_t n,
                         uint32_t sums)
{
    uint32_t result = 0, ge = 0, mask = (1u << n) - 1;
    for (uint32_t i = 0; i < 32 / n; i++) {
        uint32_t shift = i * n, top_bit = prefix < UNSIGNED ? 1u << (n - 1) : 0;
        int32_t a = (int32_t)(((x >> shift & mask) ^ top_bit) - top_bit);
        int32_t b = (int32_t)(((y >> shift & mask) ^ top_bit) - top_bit);
        bool sum = (sums >> i & 1) != 0;
        int32_t value = sum ? a + b : a - b;
        result |= (lane(prefix, value, n) & mask) << shift;
        if (not_less(prefix, value, sum, n)) {
            ge |= (n == 8 ? 1u : 3u) << (i * n / 8);
        }
    }
    if (prefix == SIGNED || prefix == UNSIGNED) {
        m->ge = ge;
    }
    return result;
}

static uint32_t parallel_function(ecsim *m, uint32_t function, uint32_t x, uint32_t y)
{
    uint32_t prefix = (function - EXTENSION_sadd8) & 7;
    switch ((function - EXTENSION_sadd8) >> 3) {
    case 0: return parallel(m, prefix, x, y, 8, 0xF);
    case 1: return parallel(m, prefix, x, y, 16, 3);
    case 2: return parallel(m, prefix, x, swap(y), 16, 2); /* ASX: sum above, difference below */
    case 4: return parallel(m, prefix, x, y, 8, 0);
    case 5: return parallel(m, prefix, x, y, 16, 0);
    default: return parallel(m, prefix, x, swap(y), 16, 1); /* SAX */
    }
}

/* --- multiplication --------------------------------------------------------------------------- */

static int64_t product(uint32_t x, uint32_t y, bool x_top, bool y_top)
{
    return (int64_t)(x_top ? top(x) : bottom(x)) * (y_top ? top(y) : bottom(y));
}

static int64_t dual(uint32_t x, uint32_t y, bool subtract)
{
    int64_t low = product(x, y, false, false), high = product(x, y, true, true);
    return subtract ? low - high : low + high;
}

/* 32 by 16 bits, the upper 32 of the 48. */
static int64_t product_wide(uint32_t x, int32_t y)
{
    return ((int64_t)(int32_t)x * y) >> 16;
}

static uint32_t upper_word(uint64_t x, bool round)
{
    return (uint32_t)((x + (round ? 0x80000000u : 0)) >> 32);
}

static uint64_t signed_product(uint32_t x, uint32_t y)
{
    return (uint64_t)((int64_t)(int32_t)x * (int32_t)y);
}

static uint32_t absolute_differences(uint32_t x, uint32_t y)
{
    uint32_t sum = 0;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        int32_t difference = (int32_t)(x >> shift & 0xFF) - (int32_t)(y >> shift & 0xFF);
        sum += (uint32_t)(difference < 0 ? -difference : difference);
    }
    return sum;
}

static uint32_t multiply(ecsim *m, uint32_t function, uint32_t x, uint32_t y, uint32_t z)
{
    int32_t addend = (int32_t)z;
    switch (function) {
    case EXTENSION_smlabb:
    case EXTENSION_smlabt:
    case EXTENSION_smlatb:
    case EXTENSION_smlatt: {
        uint32_t form = function - EXTENSION_smlabb;
        return accumulate(m, product(x, y, form >> 1, form & 1) + addend);
    }
    case EXTENSION_smulbb:
    case EXTENSION_smulbt:
    case EXTENSION_smultb:
    case EXTENSION_smultt: {
        uint32_t form = function - EXTENSION_smulbb;
        return (uint32_t)product(x, y, form >> 1, form & 1);
    }
    case EXTENSION_smlawb: return accumulate(m, product_wide(x, bottom(y)) + addend);
    case EXTENSION_smlawt: return accumulate(m, product_wide(x, top(y)) + addend);
    case EXTENSION_smulwb: return (uint32_t)product_wide(x, bottom(y));
    case EXTENSION_smulwt: return (uint32_t)product_wide(x, top(y));
    case EXTENSION_smlad: return accumulate(m, dual(x, y, false) + addend);
    case EXTENSION_smladx: return accumulate(m, dual(x, swap(y), false) + addend);
    case EXTENSION_smuad: return accumulate(m, dual(x, y, false));
    case EXTENSION_smuadx: return accumulate(m, dual(x, swap(y), false));
    case EXTENSION_smlsd: return accumulate(m, dual(x, y, true) + addend);
    case EXTENSION_smlsdx: return accumulate(m, dual(x, swap(y), true) + addend);
    case EXTENSION_smusd: return (uint32_t)dual(x, y, true);
    case EXTENSION_smusdx: return (uint32_t)dual(x, swap(y), true);
    case EXTENSION_smmla: return upper_word(((uint64_t)z << 32) + signed_product(x, y), false);
    case EXTENSION_smmlar: return upper_word(((uint64_t)z << 32) + signed_product(x, y), true);
    case EXTENSION_smmul: return upper_word(signed_product(x, y), false);
    case EXTENSION_smmulr: return upper_word(signed_product(x, y), true);
    case EXTENSION_smmls: return upper_word(((uint64_t)z << 32) - signed_product(x, y), false);
    case EXTENSION_smmlsr: return upper_word(((uint64_t)z << 32) - signed_product(x, y), true);
    case EXTENSION_usada8: return absolute_differences(x, y) + z;
    default: /* USAD8 */ return absolute_differences(x, y);
    }
}

uint64_t armv7m_dsp_long(uint32_t function, uint32_t x, uint32_t y)
{
    switch (function) {
    case EXTENSION_smlald: return (uint64_t)dual(x, y, false);
    case EXTENSION_smlaldx: return (uint64_t)dual(x, swap(y), false);
    case EXTENSION_smlsld: return (uint64_t)dual(x, y, true);
    case EXTENSION_smlsldx: return (uint64_t)dual(x, swap(y), true);
    default: {
        uint32_t form = function - EXTENSION_smlalbb;
        return (uint64_t)product(x, y, form >> 1, form & 1);
    }
    }
}

/* --- the others ------------------------------------------------------------------------------- */

/* The bytes of x if GE is set, else those of y. */
static uint32_t select_bytes(uint32_t ge, uint32_t x, uint32_t y)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 4; i++) {
        mask |= (ge >> i & 1) != 0 ? 0xFFu << (8 * i) : 0;
    }
    return (x & mask) | (y & ~mask);
}

static uint32_t sign_extended(uint32_t x, uint32_t n)
{
    return (uint32_t)((int32_t)(x << (32 - n)) >> (32 - n));
}

static uint32_t halfwords(int64_t high, int64_t low)
{
    return (uint32_t)high << 16 | ((uint32_t)low & 0xFFFF);
}

/* Functions of x, y and a number. */
static uint32_t pack_extend(ecsim *m, uint32_t function, uint32_t x, uint32_t y, uint32_t number)
{
    uint32_t rotated = rotate(y, number & 31);
    switch (function) {
    case EXTENSION_pkhbt: return halfwords((y << number) >> 16, x);
    case EXTENSION_pkhtb: return halfwords(x >> 16, (int32_t)y >> (number < 32 ? number : 31));
    case EXTENSION_ssat16:
        return halfwords(saturate(top(x), number, &m->q), saturate(bottom(x), number, &m->q));
    case EXTENSION_usat16:
        return halfwords(saturate_unsigned(top(x), number, &m->q),
                         saturate_unsigned(bottom(x), number, &m->q));
    case EXTENSION_sxtah: return x + sign_extended(rotated, 16);
    case EXTENSION_uxtah: return x + (uint16_t)rotated;
    case EXTENSION_sxtab: return x + sign_extended(rotated, 8);
    case EXTENSION_uxtab: return x + (uint8_t)rotated;
    case EXTENSION_sxtab16:
        return halfwords(top(x) + (int8_t)(rotated >> 16), bottom(x) + (int8_t)rotated);
    case EXTENSION_uxtab16:
        return halfwords(top(x) + (uint8_t)(rotated >> 16), bottom(x) + (uint8_t)rotated);
    case EXTENSION_sxtb16: return halfwords((int8_t)(rotated >> 16), (int8_t)rotated);
    default: /* UXTB16 */ return halfwords((uint8_t)(rotated >> 16), (uint8_t)rotated);
    }
}

uint32_t armv7m_dsp(ecsim *m, uint32_t function, uint32_t x, uint32_t y, uint32_t z)
{
    int64_t sx = (int32_t)x, sy = (int32_t)y;
    switch (function) {
    case EXTENSION_qadd: return saturated_sum(m, sy + sx);
    case EXTENSION_qsub: return saturated_sum(m, sy - sx);
    case EXTENSION_qdadd: return saturated_sum(m, sy + (int32_t)saturated_sum(m, 2 * sx));
    case EXTENSION_qdsub: return saturated_sum(m, sy - (int32_t)saturated_sum(m, 2 * sx));
    case EXTENSION_sel: return select_bytes(m->ge, x, y);
    default: break;
    }
    if (function >= EXTENSION_sadd8) {
        return parallel_function(m, function, x, y);
    }
    return function >= EXTENSION_pkhbt ? pack_extend(m, function, x, y, z)
                                       : multiply(m, function, x, y, z);
}
