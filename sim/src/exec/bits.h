/* Fields of an encoding. */
#ifndef ECSIM_BITS_H
#define ECSIM_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* Bits [high:low]. */
static inline uint32_t bits(uint32_t word, uint32_t high, uint32_t low)
{
    return word >> low & ((2u << (high - low)) - 1);
}

static inline bool bit(uint32_t word, uint32_t n)
{
    return (word >> n & 1) != 0;
}

/* Sign-extended field of n bits. */
static inline uint32_t sign(uint32_t value, uint32_t n)
{
    uint32_t top = 1u << (n - 1);
    return (value ^ top) - top;
}

static inline uint8_t count(uint32_t set)
{
    return (uint8_t)__builtin_popcount(set);
}

#endif
